"""The game as an environment for learning players, by the interface of PettingZoo: needs `pip install "camelodds[rl]"`.

Players in turn are agents. The dice are the environment's. Points come at the race's end: the difference to the mean of
the others' money. Finish cards of the others lie face down in what a player observes.
"""

from __future__ import annotations

from collections.abc import Iterable
from random import Random
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from camelodds.game.act import BOTTOM, everybodys_acts, place_tiles
from camelodds.game.game import Game
from camelodds.game.opening import opening
from camelodds.game.player import Player
from camelodds.rules import Rules, rules_of

try:
    from gymnasium import spaces
    from pettingzoo import AECEnv
except ImportError as error:
    raise ImportError(f'an environment needs {error.name}: pip install "camelodds[rl]"') from None

MONEY: Final = 200.0
"""Pounds that an observation can show, more are as good."""


class CamelUp(AECEnv):  # type: ignore[misc]
    """One game of Camel Up, from a random set-up to the end of the race.

    Parameters
    ----------
    edition : str or Rules
        "first", "second", "supercup", "supercup-second", or own rules; the spicy extra step is not played.
    players : iterable of str
        Names in seating order.

    Examples
    --------
    >>> env = CamelUp("first", ["ana", "ben"])
    >>> env.reset(seed=1)
    >>> env.agent_selection, env.actions[0], int(env.observe("ana")["action_mask"][0])
    ('ana', 'reveal', 1)
    """

    metadata: dict[str, Any] = {"name": "camel_up_v0", "render_modes": ["ansi"], "is_parallelizable": False}

    def __init__(
        self,
        edition: str | Rules = "second",
        players: Iterable[str] = ("ana", "ben", "cid"),
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self.rules, self.render_mode = rules_of(edition), render_mode
        self.possible_agents = list(players)
        opening(self.rules, self.possible_agents, Random(0))  # says what is wrong with the names
        self.actions = action_names(self.rules, self.possible_agents)
        self._random = Random(0)
        shape = (len(self._seen_by(opening(self.rules, self.possible_agents, Random(0)), self.possible_agents[0])),)
        space = spaces.Dict(
            {
                "observation": spaces.Box(-MONEY, MONEY, shape, np.float32),
                "action_mask": spaces.Box(0, 1, (len(self.actions),), np.int8),
            }
        )
        self.observation_spaces = dict.fromkeys(self.possible_agents, space)
        self.action_spaces = {agent: spaces.Discrete(len(self.actions)) for agent in self.possible_agents}

    def observation_space(self, agent: str) -> Any:
        return self.observation_spaces[agent]

    def action_space(self, agent: str) -> Any:
        return self.action_spaces[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Begin a new game; the same seed gives the same set-up and dice."""
        if seed is not None:
            self._random = Random(seed)
        self.agents = list(self.possible_agents)
        self.game: Game = opening(self.rules, self.agents, self._random)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in self.agents}
        self.agent_selection = self.game.to_move or self.agents[0]

    def step(self, action: int | None) -> None:
        """Do what an action's number says; its name is `actions[number]`. Raises GameError for what is not allowed."""
        if self.terminations[self.agent_selection]:
            self._was_dead_step(action)
            return
        agent = self.agent_selection
        self._cumulative_rewards[agent] = 0.0
        self._clear_rewards()
        name = self.actions[int(action or 0)]
        shown = None
        if name == "reveal":
            outcomes = self.game.chance_outcomes()
            chances = [float(chance) for _, chance in outcomes]
            (shown,) = self._random.choices([each for each, _ in outcomes], chances)
        self.game = self.game.apply(name, shown)
        if self.game.board.race_over:
            money = self.game.returns()
            total = sum(money.values())
            for each, own in money.items():
                self.rewards[each] = own - (total - own) / max(1, len(money) - 1)
            self.terminations = dict.fromkeys(self.agents, True)
            self.agent_selection = self.agents[0]
        else:
            self.agent_selection = self.game.to_move or self.agents[0]
        self._accumulate_rewards()

    def observe(self, agent: str) -> dict[str, NDArray[Any]]:
        """What a player sees: the board, everybody's money and tickets, own cards; and which actions are allowed."""
        allowed: set[str] = set()
        if agent == self.agent_selection and not self.game.board.race_over:
            allowed = set(self.game.legal_actions())
        mask = np.array([name in allowed for name in self.actions], np.int8)
        return {"observation": self._seen_by(self.game, agent), "action_mask": mask}

    def render(self) -> str | None:
        """The game as text."""
        return str(self.game) if self.render_mode == "ansi" else None

    def close(self) -> None:
        """Nothing is held."""

    def _seen_by(self, game: Game, agent: str) -> NDArray[np.float32]:
        """Numbers: camels' spaces and levels, dice, tiles by space, then each player from this one on, the decks."""
        board, rules, names = game.board, self.rules, self.possible_agents
        seat = names.index(agent)
        numbers: list[float] = []
        for camel in rules.camels:
            numbers += [board.space(camel), board.level(camel)]
        numbers += [sign in board.dice for sign in rules.dice]
        sides = {tile.space: tile.side for tile in board.tiles}
        own = {tile.space for tile in board.tiles if tile.owner == agent}
        numbers += [sides.get(space, 0) for space in range(1, rules.track + 1)]
        numbers += [space in own for space in range(1, rules.track + 1)]
        camera = game.photographer
        numbers += [camera[1] if camera else 0, bool(camera and camera[0] == agent)]
        for name in (*names[seat:], *names[:seat]):
            player: Player = game.players[name]
            numbers += [min(player.money, MONEY), player.pyramid]
            for colour in rules.racing:
                values = [int(ticket[1:]) for ticket in player.tickets if ticket[0] == colour]
                numbers += [len(values), max(values, default=0)]
        for deck in (game.winner_cards, game.loser_cards):
            numbers += [len(deck), *((agent, colour) in deck for colour in rules.racing)]
        return np.array(numbers, np.float32)


def action_names(rules: Rules, players: Iterable[str]) -> tuple[str, ...]:
    """Everything that anybody may do in some state of a game, in one order: the numbers of an environment's actions."""
    names = [act.name for act in everybodys_acts(rules)]
    if "positions" in rules.modules:
        tickets = [f"{colour}{value}" for colour in rules.racing for value in sorted(set(rules.tickets), reverse=True)]
        under = [*tickets, *(BOTTOM + colour for colour in rules.racing)]
        names += [f"position {place} on {ticket}" for place in place_tiles(rules) for ticket in under]
    if "partners" in rules.modules:
        names += [f"partner {name}" for name in players]
    return tuple(names)
