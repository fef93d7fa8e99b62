"""The environment keeps the interface of the library that it is made for, and the rules of the game."""

from __future__ import annotations

import importlib
import sys

import numpy as np
import pytest

pytest.importorskip("pettingzoo")
from pettingzoo.test import api_test, seed_test

from camelodds.play.environment import CamelUp


@pytest.mark.parametrize("edition", ["first", "second", "supercup", "supercup-second"])
def test_it_passes_the_library_s_own_test(edition: str) -> None:
    api_test(CamelUp(edition), num_cycles=200)


def test_a_seed_is_a_game() -> None:
    seed_test(lambda: CamelUp("first"), num_cycles=50)


@pytest.mark.parametrize("edition", ["first", "second", "supercup", "supercup-second"])
def test_the_mask_is_what_the_game_allows_and_the_rewards_are_what_it_returns(edition: str) -> None:
    env = CamelUp(edition, [f"player{number}" for number in range(6)])
    env.reset(seed=5)
    rng = np.random.default_rng(5)
    while not env.game.board.race_over:
        seen = env.observe(env.agent_selection)
        allowed = {env.actions[index] for index in np.flatnonzero(seen["action_mask"])}
        assert allowed == set(env.game.legal_actions())
        assert env.observation_space(env.agent_selection).contains(seen)
        env.step(int(rng.choice(np.flatnonzero(seen["action_mask"]))))
    money = env.game.returns()
    for name, reward in env.rewards.items():
        others = [own for other, own in money.items() if other != name]
        assert reward == money[name] - sum(others) / len(others)


def test_without_the_extra_it_is_said_what_to_install(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "pettingzoo", None)
    monkeypatch.delitem(sys.modules, "camelodds.play.environment")
    with pytest.raises(ImportError, match=r"camelodds\[rl\]"):
        importlib.import_module("camelodds.play.environment")
