"""Questions that players ask: where camels end, positions known in part, what if. The reference is the judge."""

from __future__ import annotations

import json
import random
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest
import reference

import camelodds as co
from camelodds.cli.parser import main


def where_by_reference(text: str, edition: str) -> dict[str, Counter[int]]:
    """camel: ways by the space on which it ends the leg."""
    rules = reference.EDITIONS[edition]
    known = reference.leg(reference.read(text, rules), rules)
    found: dict[str, Counter[int]] = {camel: Counter() for camel in rules.racing + rules.crazy}
    for stacks, ways in known.ends.items():
        for part in stacks.split():
            place, _, stack = part.partition(":")
            for camel in stack:
                found[camel][reference.read_space(place, rules)] += ways
    return found


class TestWhereACamelEnds:
    def test_average_moves_worked_out_elsewhere(self) -> None:
        assert co.leg_odds("2:goyw 1:b / goyw", "first").moved("w").mean == Fraction(451, 108)
        assert co.leg_odds("1:bgoyw", "first").moved("w").mean == Fraction(7441, 1620)

    @pytest.mark.parametrize("edition", reference.EDITIONS)
    def test_every_camel_ends_where_the_reference_has_it(self, edition: str) -> None:
        rng, rules = random.Random(7), reference.EDITIONS[edition]
        for _ in range(4):
            state = reference.random_position(rng, rules)
            state = state._replace(dice=state.dice[: 3 + rules.undrawn])
            text = reference.write(state)
            leg = co.leg_odds(text, edition)
            for camel, ways in where_by_reference(text, edition).items():
                chances = {space: Fraction(each, ways.total()) for space, each in ways.items()}
                assert leg.spaces(camel) == chances
                start = reference.space_of(camel, state.stacks)
                assert leg.moved(camel) == {space - start: chance for space, chance in chances.items()}

    def test_the_frame_has_all_camels_and_shares_that_add_up(self) -> None:
        frame = co.leg_odds("2:rb 4:g 5:yp 13:KW +7 / rg#").spaces_frame
        assert list(frame.index) == list("rbgypWK")
        assert frame.sum(axis=1).to_list() == pytest.approx([1] * 7)

    def test_no_such_camel_is_said(self) -> None:
        leg = co.leg_odds("2:rb 4:g 5:yp 13:KW / rg#")
        with pytest.raises(co.RulesError, match="expected r b g y p W K"):
            leg.spaces("w")
        with pytest.raises(co.RulesError, match="expected r b g y p W K"):
            leg.moved("rb")

    def test_it_shows_itself(self) -> None:
        spread = co.leg_odds("2:rb 4:g 5:yp 13:KW +7 / rg#").spaces("g")
        assert "Mean" in repr(spread) and "<table" in spread._repr_html_()
        assert spread.at_least(min(spread)) == 1

    def test_the_command_line_answers_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["spaces", "w", "2:goyw 1:b / goyw", "-e", "first", "--moved", "--json", "--exact"]) == 0
        document: dict[str, Any] = json.loads(capsys.readouterr().out)
        assert document["mean"] == "451/108"
        assert sum(map(Fraction, document["chances"].values())) == 1
        assert main(["spaces", "q", "2:goyw 1:b / goyw", "-e", "first"]) == 2
