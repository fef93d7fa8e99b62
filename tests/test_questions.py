"""Questions that players ask: where camels end, positions known in part, what if. The reference is the judge."""

from __future__ import annotations

import io
import json
import random
from collections import Counter
from fractions import Fraction
from itertools import permutations, product
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
        with pytest.raises(co.RulesError, match="expected r b g y p W K"):
            leg.spaces(None)  # type: ignore[arg-type]

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


def average(parts: list[tuple[Fraction, co.LegOdds]], camel: str, place: int) -> Fraction:
    return sum((share * leg.p(camel, place) for share, leg in parts), Fraction(0))


class TestPositionsKnownInPart:
    def test_a_stack_in_any_order_is_the_average_over_the_orders(self) -> None:
        leg = co.leg_odds_of("2:{r,b} 4:g 5:yp 13:KW +7 / rg#")
        rules = reference.EDITIONS["second"]
        orders = [f"2:{stack} 4:g 5:yp 13:KW +7 / rg#" for stack in ("rb", "br")]
        known = [reference.leg(reference.read(text, rules), rules) for text in orders]
        for camel in rules.racing:
            for place in range(5):
                ways = sum(each.places[camel][place] for each in known)
                assert leg.p(camel, place + 1) == Fraction(ways, 2 * known[0].total)
        assert leg.landing(7) == Fraction(sum(each.landings[7] for each in known), 2 * known[0].total)
        assert leg.race_ends == 0

    def test_everything_is_the_mixture_of_the_known_ones(self) -> None:
        known = co.PartlyKnown.parse("9:y{r,b}p 14:g 13:KW +11 / r?1", weights=lambda board: 1 + board.level("r"))
        assert {board.stacks[9] for board in known.boards} == {"yrbp", "ybrp"}
        parts = [(share, co.leg_odds(board)) for board, share in known.shares.items()]
        leg = co.leg_odds_of(known)
        for camel in "rbgyp":
            assert [leg.p(camel, place) for place in range(1, 6)] == [
                average(parts, camel, place) for place in range(1, 6)
            ]
            assert leg.ticket(camel) == sum(share * each.ticket(camel) for share, each in parts)
            assert leg.spaces(camel).mean == sum(share * each.spaces(camel).mean for share, each in parts)
            assert leg.moved(camel).mean == sum(share * each.moved(camel).mean for share, each in parts)
        assert leg.race_ends == sum(share * each.race_ends for share, each in parts)
        assert leg.photo(12)[1] == sum(share * each.photo(12).get(1, 0) for share, each in parts)
        assert leg.landing(11) == sum(share * each.landing(11) for share, each in parts)
        assert int(leg.ends.weights.sum()) == leg.total
        assert leg.frame.to_numpy().sum(axis=1) == pytest.approx([1] * 5)

    def test_camels_not_yet_placed_come_by_the_set_up_dice(self) -> None:
        """Every order of the draws and every number of each die, one by one."""
        known = co.PartlyKnown.parse("10:b 11:g / goy", "first")
        draws: Counter[str] = Counter()
        for order in permutations("oyw"):
            for numbers in product((1, 2, 3), repeat=3):
                stacks = {10: "b", 11: "g"}
                for camel, space in zip(order, numbers, strict=True):
                    stacks[space] = stacks.get(space, "") + camel
                draws[" ".join(f"{space}:{stacks[space]}" for space in sorted(stacks)) + " / goy"] += 1
        assert {str(board): share for board, share in known.shares.items()} == {
            text: Fraction(ways, draws.total()) for text, ways in draws.items()
        }

    def test_crazy_camels_start_at_the_end_of_the_track(self) -> None:
        known = co.PartlyKnown.parse("1:rb 2:gyp")
        assert len(known.boards) == 12
        assert known.shares[co.Board.parse("1:rb 2:gyp 16:KW")] == Fraction(1, 18)
        assert known.shares[co.Board.parse("1:rb 2:gyp 16:K 14:W")] == Fraction(1, 9)

    def test_dice_of_which_nobody_knows_which_they_are(self) -> None:
        known = co.PartlyKnown.parse("1:rb 2:g 3:yp 14:K 15:W / rg?2")
        expected = ["rgby", "rgbp", "rgb#", "rgyp", "rgy#", "rgp#"]
        assert {frozenset(board.dice) for board in known.boards} == set(map(frozenset, expected))
        assert len(set(known.weights)) == 1

    def test_what_does_not_fit_is_left_out(self) -> None:
        known = co.PartlyKnown.parse("1:bgoy +3", "first")
        assert [str(board) for board in known.boards] == ["1:bgoyw +3", "1:bgoy 2:w +3"]

    def test_a_position_known_in_full_is_itself(self) -> None:
        text = "2:rb 4:g 5:yp 13:KW +7 / rg#"
        leg = co.leg_odds_of(text)
        assert leg.counts.tolist() == co.leg_odds(text).counts.tolist()
        assert leg.known.notes == ("One position fits.",)

    @pytest.mark.parametrize(
        ("text", "message"),
        [
            ("1:{r,b 2:g", "without its other"),
            ("1:r}b", "without its other"),
            ("{r,b}", "braces hold camels of a stack"),
            ("1:{} 2:g", "braces hold camels of a stack"),
            ("1:{r,q}", "q is not a camel"),
            ("1:rb 2:r", "stands twice"),
            ("1:rb 2:g 3:yp 14:K 15:W / ?9", r"once \?1 to \?6"),
            ("1:rb 2:g 3:yp 14:K 15:W / ?1 ?1", r"once \?1 to \?6"),
        ],
    )
    def test_what_is_no_position_is_refused(self, text: str, message: str) -> None:
        with pytest.raises(co.NotationError, match=message):
            co.leg_odds_of(text)

    def test_too_much_that_fits_is_refused(self) -> None:
        with pytest.raises(co.RulesError, match="say more"):
            co.PartlyKnown.parse("/ ?3")
        with pytest.raises(co.RulesError, match="weight of more than 0"):
            co.PartlyKnown.parse("1:{r,b} 2:g 3:yp 14:K 15:W", weights=lambda _: 0)

    def test_it_says_what_is_not_known(self, capsys: pytest.CaptureFixture[str]) -> None:
        leg = co.leg_odds_of("2:{r,b} 4:g 5:yp 13:KW +7 / rg#")
        assert "Not known: the order of r b on 2." in repr(leg)
        assert "2 positions fit, equally likely." in leg._repr_html_()
        assert main(["odds", "--partly", "2:{r,b} 4:g 5:yp 13:KW +7 / rg#"]) == 0
        assert "2 positions fit, equally likely." in capsys.readouterr().out
        assert main(["odds", "2:{r,b} 4:g 5:yp 13:KW +7 / rg#"]) == 2


GAMES = {
    "second": "5:rg 7:y 8:pb 12:KW +10@ben / ryp# | ana b5 pyramid=1 | ben | cid g5 pyramid=1 | to_move ana",
    "first": "6:bg 8:wy 9:o +11@ben / gow | ana money=6 o5 pyramid=1 | ben y5 pyramid=1 | to_move ana",
    "supercup": "6:bg 8:wy 9:o +11@ben / b+ gow | ana o5 pyramid=1 | ben y5 | photographer ben=12 | to_move ana",
}


class TestWhatIf:
    @pytest.mark.parametrize("edition", GAMES)
    def test_over_all_rolls_the_values_average_to_the_evs_of_the_actions(self, edition: str) -> None:
        game = co.Game.parse(GAMES[edition], edition)
        frame = co.actions(game, exact=True)
        frame = frame[frame["error"] == 0]
        evs = dict(zip(frame["action"], frame["ev"], strict=True))
        for name in [name for name in evs if not name.startswith(("winner", "loser"))][:12]:
            compared = co.compare(game, name, "reveal")
            assert compared.evs == (evs[name], 1), name
            assert sum(roll.chance for roll in compared.rolls) == 1
            assert compared.difference == evs[name] - 1

    def test_a_last_die_decides_as_worked_out_by_hand(self) -> None:
        """Blue's die alone is left: with 1 it stays behind, with 2 it is on top of white's stack, with 3 before it."""
        game = co.Game.parse("2:b 4:goyw / b | ana | ben | to_move ana", "first")
        compared = co.compare(game, "tile +3", "ticket w5")
        assert [(roll.number, roll.first, roll.second) for roll in compared.rolls] == [
            (1, Fraction(1), Fraction(5)),
            (2, Fraction(0), Fraction(1)),
            (3, Fraction(0), Fraction(1)),
        ]
        assert compared.second_is_better == 1 and compared.first_is_better == 0
        worse = co.compare(game, "tile +3", "ticket g5")
        assert [roll.difference for roll in worse.rolls] == [2, 1, 1]

    def test_what_cannot_be_compared_is_said(self) -> None:
        game = co.Game.parse(GAMES["first"], "first")
        with pytest.raises(co.GameError, match="not allowed"):
            co.compare(game, "tile +6", "reveal")
        with pytest.raises(co.GameError, match="support"):
            co.compare(game, "reveal + support b", "reveal")
        with pytest.raises(co.GameError):
            co.compare(game, "tile +77", "reveal")
        hidden = co.Game.parse("2:b 4:goyw / b | ana | ben | winner ana=? | to_move ana", "first")
        with pytest.raises(co.GameError, match="face down"):
            co.compare(hidden, "reveal", "ticket w5")

    def test_a_tree_has_every_course_of_the_reference(self) -> None:
        for edition, text in (("second", "5:rg 7:y 8:pb 12:KW +10 / ry#"), ("first", "14:bg 16:wyo / gow")):
            rules = reference.EDITIONS[edition]
            tree = co.leg_odds(text, edition).tree(depth=5)
            courses: Counter[tuple[str, ...]] = Counter()
            state = reference.read(text, rules)
            for weight, course in reference.courses(state, rules):
                for depth in range(1, len(course) + 1):
                    courses[tuple(child.roll for child in course[:depth])] += weight
            total = reference.total_weight(state, rules)
            found = {
                tuple(
                    f"{roll.shows}{' ' if len(roll.shows) > 2 else ''}{roll.number}" for roll in branch.rolls
                ): branch.chance
                for branch in tree.branches
            }
            assert found == {rolls: Fraction(ways, total) for rolls, ways in courses.items()}

    def test_each_branch_has_the_odds_of_its_position(self) -> None:
        leg = co.leg_odds("5:rg 7:y 8:pb 12:KW +10 / ry#")
        tree = leg.tree(2)
        for branch in tree.branches:
            assert branch.leg.counts.tolist() == co.leg_odds(branch.board).counts.tolist()
        for camel in "rbgyp":
            assert sum(branch.chance * branch.leg.p(camel, 1) for branch in tree.layer(1)) == leg.p(camel, 1)
        assert set(tree.frame_of(lambda leg: leg.tickets).columns) == {"reveals", "chance", *"rbgyp"}
        assert len(tree.frame) == len(tree.branches)

    def test_trees_have_bounds(self) -> None:
        leg = co.leg_odds("1:rb 2:g 3:yp 14:K 15:W")
        with pytest.raises(co.RulesError, match="fewer reveals"):
            leg.tree(4)
        with pytest.raises(co.RulesError, match="at least one"):
            leg.tree(0)
        assert co.leg_odds("1:rb 2:g 3:yp 14:K 15:W / r").tree().branches == ()

    def test_the_command_line_compares_and_grows_trees(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["compare", GAMES["first"], "ticket y3", "reveal", "-e", "first", "--json", "--exact"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["evs"] == ["35/27", "1"] and len(document["rolls"]) == 9
        assert main(["tree", "5:rg 7:y 8:pb 12:KW / ry#", "--json", "--exact"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert sum(Fraction(branch["chance"]) for branch in document["branches"]) == 1
        assert main(["tree", "5:rg 7:y 8:pb 12:KW / ry#", "--depth", "2"]) == 0
        assert "   y 1" in capsys.readouterr().out

    def test_a_tree_is_drawn_with_all_its_last_reveals(self) -> None:
        pyplot = pytest.importorskip("matplotlib.pyplot")
        pyplot.switch_backend("Agg")
        from camelodds import plot

        tree = co.leg_odds("2:goyw 1:b / goy", "first").tree(2)
        written = [text.get_text() for text in plot.tree(tree).texts]
        assert sum(text.endswith("1.9%") for text in written) == len(tree.layer(2)) == 54
        with pytest.raises(ValueError, match="last reveals"):
            plot.tree(co.leg_odds("1:rb 2:g 3:yp 14:K 15:W").tree(2))
        pyplot.close("all")


class TestAllSetUps:
    def test_legs_of_a_race_worked_out_elsewhere(self) -> None:
        assert co.opening_odds("first").legs == pytest.approx(4.722847407, abs=1e-9)

    def test_places_by_start_are_those_of_the_reference(self) -> None:
        """Colours do not matter: of each set-up the camels are placed in one order, and told by their rank."""
        rules = reference.EDITIONS["first"]
        sizes = Counter(tuple(numbers.count(space) for space in (1, 2, 3)) for numbers in product((1, 2, 3), repeat=5))
        expected = [[Fraction(0)] * 5 for _ in range(5)]
        for counts, weight in sizes.items():
            camels = iter(rules.racing)
            text = " ".join(
                f"{space}:{''.join(next(camels) for _ in range(size))}" for space, size in enumerate(counts, 1) if size
            )
            known = reference.leg(reference.read(text, rules), rules)
            for start, camel in enumerate(reversed(rules.racing)):
                for place, ways in enumerate(known.places[camel]):
                    expected[start][place] += Fraction(weight * ways, 3**5 * known.total)
        assert [list(row) for row in co.opening_odds("first").leg] == expected

    def test_rows_and_columns_add_up_and_the_race_is_won_once(self) -> None:
        opening = co.opening_odds("first")
        assert (
            [sum(row) for row in opening.leg] == [1] * 5 == [sum(column) for column in zip(*opening.leg, strict=True)]
        )
        assert opening.race is not None and opening.race.sum(axis=0) == pytest.approx([1, 1])
        assert sum(best.share for best in opening.first_actions) == 1
        assert opening.frame.shape == (5, 7)

    def test_an_order_that_is_given_tells_the_camels_apart(self) -> None:
        opening = co.opening_odds("first", "bgoyw")
        assert sum(opening.known.shares.values()) == 1
        assert opening.known.shares[co.Board.parse("1:bgoyw", "first")] == Fraction(1, 243)
        assert opening.leg == co.opening_odds("first").leg
        leg = co.leg_odds_of(opening.known)
        assert leg.p("w", 1) > Fraction(1, 5) > leg.p("b", 1)
        with pytest.raises(co.RulesError, match="no order"):
            co.opening_odds("first", "rbgyp")

    def test_the_command_line_tells_it(self, capsys: pytest.CaptureFixture[str]) -> None:
        assert main(["opening", "-e", "first", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["set_ups"] == 2520
        assert main(["opening", "-e", "first"]) == 0
        assert "Legs of a race: 4.722847" in capsys.readouterr().out


class TestPuzzles:
    @pytest.mark.parametrize("edition", reference.EDITIONS)
    def test_a_seed_is_one_position_in_which_the_leg_goes_on(self, edition: str) -> None:
        for seed in range(5):
            game = co.puzzle(seed, edition).game
            assert game == co.puzzle(seed, edition).game and game.legal_actions()
            assert not (game.winner_cards or game.loser_cards)

    def test_the_answers_are_those_of_the_actions(self) -> None:
        asked = co.puzzle(3, "first")
        frame = co.actions(asked.game, exact=True)
        frame = frame[~frame["kind"].isin(["winner", "loser"])]
        evs = dict(zip(frame["action"], frame["ev"], strict=True))
        assert {each.action: each.ev for each in asked.answers} == evs
        best = max(evs.values())
        for name, ev in evs.items():
            assert asked.loss(name) == best - ev >= 0

    def test_a_guess_is_judged_at_the_terminal(
        self, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
    ) -> None:
        assert main(["puzzle", "reveal", "--seed", "3", "-e", "first", "--json"]) == 0
        document = json.loads(capsys.readouterr().out)
        assert document["gives_away"] == float(co.puzzle(3, "first").loss("reveal"))
        monkeypatch.setattr("sys.stdin", io.StringIO("reveal\n"))
        assert main(["puzzle", "--seed", "3", "-e", "first"]) == 0
        assert "reveal gives away" in capsys.readouterr().out
        assert main(["puzzle", "revael", "--seed", "3", "-e", "first"]) == 2
        monkeypatch.setattr("sys.stdin", io.StringIO(""))
        assert main(["puzzle", "--seed", "3", "-e", "first"]) == 2
