"""The server against its own OpenAPI description: whatever comes in, it answers as described and never breaks.

`pytest -m heavy tests/test_web_api_schema.py` makes 2,000 requests for games that fit the description and 2,000 for
anything; the usual run a bounded share of them.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

schemathesis = pytest.importorskip("schemathesis")
pytest.importorskip("starlette")
from schemathesis.checks import not_a_server_error  # noqa: E402
from schemathesis.specs.openapi.checks import response_schema_conformance, status_code_conformance  # noqa: E402
from serving import serving  # noqa: E402

from camelodds.web.checks import PLAYED  # noqa: E402

CHECKS = [not_a_server_error, status_code_conformance, response_schema_conformance]
POSTS = [f"/api/{name}" for name in ("position", "roll", "next-leg", "act", "leg", "race", "actions")]
SHARE, ALL = 30, 300
"""Requests to each of the seven ways in, of each kind."""


@st.composite
def boards(draw: st.DrawFn) -> str:
    """Texts of boards of some edition, most of them without a fault."""
    rules = PLAYED[draw(st.sampled_from(sorted(PLAYED)))]
    stacks: dict[int, str] = {}
    for letter in draw(st.permutations(rules.camels)):
        space = draw(st.integers(1, rules.track))
        stacks[space] = stacks.get(space, "") + letter
    parts = [f"{space}:{stack}" for space, stack in stacks.items()]
    parts += [
        f"{draw(st.sampled_from('+-'))}{space}" for space in draw(st.sets(st.integers(2, rules.track), max_size=2))
    ]
    if draw(st.booleans()):
        signs = [sign for sign in rules.dice if not sign.endswith("+")]
        parts += ["/", *(draw(st.lists(st.sampled_from(signs), unique=True, min_size=1)))]
    return " ".join(parts)


@st.composite
def games(draw: st.DrawFn) -> str:
    """Texts of games, most of them without a fault."""
    players = draw(st.lists(st.sampled_from(["ana", "ben", "cy"]), unique=True))
    tickets = st.lists(st.sampled_from(["g5", "b3", "y2"]), max_size=2)
    parts = [" ".join([name, f"money={draw(st.integers(0, 20))}", *draw(tickets)]) for name in players]
    if players:
        parts.append(f"to_move {draw(st.sampled_from(players))}")
        parts.append(f"winner {players[0]}={draw(st.sampled_from('gby?'))}")
    return " | ".join([draw(boards()), *parts])


schemathesis.openapi.format("camel-up-board", boards())
schemathesis.openapi.format("camel-up-game", games())


@pytest.fixture(scope="module")
def schema() -> Iterator[Any]:
    with serving() as address:
        yield schemathesis.openapi.from_url(f"{address}openapi.json")


def hold(schema: Any, examples: int, kind: Any) -> Counter[int]:
    """Send so many requests to each way in; the statuses that came back."""
    statuses: Counter[int] = Counter()

    def holds(path: str) -> Callable[[], None]:
        @settings(max_examples=examples, deadline=None, database=None, suppress_health_check=list(HealthCheck))
        @given(case=schema[path]["POST"].as_strategy(generation_mode=kind))
        def request(case: Any) -> None:
            if kind == schemathesis.GenerationMode.POSITIVE:
                fit(case.body)
            answer = case.call()
            statuses[answer.status_code] += 1
            case.validate_response(answer, checks=CHECKS)

        return request

    for path in POSTS:
        holds(path)()
    return statuses


def fit(body: dict[str, Any]) -> None:
    """Have most positions be of the edition that goes with them, so that more than the refusals is seen."""
    asked = body.get("game", body)
    text = asked.get("text", asked.get("board", ""))
    numbers = [int(number) for number in re.findall(r"\d+", text.partition("/")[0].partition("|")[0])]
    if len(text) % 8 and numbers:
        asked.pop("rules", None)
        second, long = "W" in text, max(numbers) > 16
        asked["edition"] = ("supercup-second" if long else "second") if second else "supercup" if long else "first"


@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_a_share_of_all_requests_is_answered_as_described(mode: str, schema: Any) -> None:
    statuses = hold(schema, SHARE, schemathesis.GenerationMode[mode])
    assert max(statuses) < 500
    assert mode == "NEGATIVE" or statuses[200] > 0


@pytest.mark.heavy
@pytest.mark.parametrize("mode", ["POSITIVE", "NEGATIVE"])
def test_two_thousand_requests_are_answered_as_described(mode: str, schema: Any) -> None:
    statuses = hold(schema, ALL, schemathesis.GenerationMode[mode])
    print(mode, dict(statuses))
    assert sum(statuses.values()) >= 2_000
    assert max(statuses) < 500
