"""Boards as values: rolling, tiles, legs (docs/rules.md, sections 3 to 6 and 9)."""

from __future__ import annotations

import random

import pytest
import reference
from hypothesis import given
from hypothesis import strategies as st

import camelodds as co
from camelodds.testing import boards, rolls


def complete(text: str, rules: co.Rules) -> str:
    """The text with the camels that it does not show on spaces out of the way."""
    missing = [camel for camel in rules.camels if camel not in text.replace("finish", "")]
    stacks = text.split(" +")[0].split(" -")[0]
    taken = {int(piece.split(":")[0]) for piece in stacks.split()}
    spare = [space for space in (4, 3, 12, 13) if space not in taken]
    tile = text[len(stacks) :]
    if tile:
        spare = [space for space in spare if space != int(tile.strip()[1:])]
    racing = "".join(camel for camel in missing if camel in rules.racing)
    placed = [f"{spare.pop(0)}:{racing}"] if racing else []
    placed += [f"{spare.pop()}:{camel}" for camel in missing if camel in rules.crazy]
    return " ".join([stacks, *placed]) + tile


# The table of docs/rules.md, section 9: number, before, rolls, what the shown spaces hold after, landing on the tile.
MOVES = [
    (1, "5:rbg 7:y", [("b", 2)], {5: "r", 7: "ybg"}, False),
    (2, "5:rb 8:y +7", [("r", 2)], {8: "yrb"}, True),
    (3, "5:rb 6:yg -7", [("r", 2)], {6: "rbyg"}, True),
    (4, "5:rbg -6", [("b", 1)], {5: "bgr"}, True),
    (5, "5:rb -6", [("r", 1)], {5: "rb"}, True),
    (6, "10:Wr 8:b 14:K", [("white", 2)], {8: "bWr"}, False),
    (7, "10:Wr 14:K", [("black", 3)], {7: "Wr", 14: "K"}, False),
    (8, "10:WK", [("white", 1)], {10: "W", 9: "K"}, False),
    (9, "10:WKr", [("white", 1)], {10: "W", 9: "Kr"}, False),
    (10, "10:WrK", [("black", 2)], {8: "WrK"}, False),
    (11, "10:WrKb", [("black", 2)], {10: "Wr", 8: "Kb"}, False),
    (11, "10:WrKb", [("white", 2)], {8: "WrKb"}, False),
    (12, "10:Wr 12:Kb", [("black", 1)], {10: "Wr", 11: "Kb"}, False),
    (13, "10:rW 12:bK", [("white", 1)], {10: "r", 9: "W", 12: "bK"}, False),
    (14, "10:Wr 12:bK", [("black", 1)], {9: "Wr", 12: "bK"}, False),
    (15, "10:Wr 14:K 7:b +8", [("white", 2)], {7: "bWr"}, True),
    (16, "10:Wr 14:K 9:b -8", [("white", 2)], {9: "Wrb"}, True),
    (17, "10:rWb 14:K -9", [("white", 1)], {10: "Wbr"}, True),
    (18, "5:rW 6:b -7", [("r", 2)], {6: "rWb"}, True),
    (19, "15:r", [("r", 1)], {16: "r"}, False),
    (20, "14:rb +16", [("r", 2)], {17: "rb"}, True),
    (21, "15:rWb 9:g", [("r", 2)], {17: "rWb", 9: "g"}, False),
    (22, "2:W 9:K 5:r", [("white", 1)], {1: "W"}, False),
    (23, "2:W 9:K 5:r", [("white", 2)], {0: "W"}, False),
    (24, "1:Wrb 3:g 5:y 6:p 12:K", [("black", 1)], {0: "Wrb"}, False),
    (25, "2:Wrbgyp 9:K", [("black", 3)], {0: "Wrbgyp"}, False),
    (26, "1:W 9:K +16", [("white", 1)], {0: "W"}, False),
]


@pytest.mark.parametrize(("number", "before", "dice", "after", "lands"), MOVES)
def test_positions_of_the_rules(
    number: int, before: str, dice: list[tuple[str, int]], after: dict[int, str], lands: bool
) -> None:
    board = co.Board.parse(complete(before, co.EDITIONS["second"]))
    for die, shown in dice:
        move = board.move(die, shown)
        board = move.board
    assert {space: board.stacks.get(space) for space in after} == after
    assert (move.tile is not None) == lands
    assert board.race_over == (number in {20, 21, 23, 24, 25, 26})
    if number in {24, 25}:
        assert board.ranking == "pygbr"
    if number in {20, 21}:
        assert board.ranking.startswith("br")


def test_the_line_lies_behind_the_last_space_of_a_longer_track() -> None:
    board = co.Board.parse("19:b 1:goyw", "supercup")
    assert board.roll("b", 1).stacks[20] == "b"
    assert not board.roll("b", 1).race_over
    assert board.roll("b", 2).race_over


@given(data=st.data(), board=boards(min_reveals=1))
def test_one_roll_equals_the_reference(data: st.DataObject, board: co.Board) -> None:
    die, number = data.draw(rolls(board))
    rules = reference.EDITIONS[board.edition]
    state = reference.read(str(board), rules)
    sign = f"{die} {number}" if die in ("white", "black") else f"{die}{number}"
    known = next(child for child in reference.children(state, rules) if child.roll == sign)
    move = board.move(die, number)
    assert reference.read(str(move.board), rules) == known.state
    assert (move.tile.space if move.tile else None) == known.landed
    assert move.space == known.space
    assert move.unit == known.unit
    assert move.board.race_over == reference.race_over(known.state)
    assert move.board.ranking == reference.ranking(known.state, rules)
    assert move.board.leg_over == reference.leg_over(known.state, rules)


def test_the_rolls_of_a_board_weigh_six_per_die() -> None:
    for edition, text in [("second", "1:rb 2:g 3:yp 14:K 15:W"), ("supercup", "1:bg 2:wy 3:o")]:
        board = co.Board.parse(text, edition)
        for die in board.dice:
            assert sum(roll.weight for roll in board.rolls() if roll.die == die) == 6


@pytest.mark.parametrize(
    ("die", "number", "pattern"),
    [
        ("r", 4, "shows 1 to 3"),
        ("r", 0, "shows 1 to 3"),
        ("r", True, "shows 1 to 3"),
        ("r", 2.0, None),
        ("o", 1, "no die 'o'"),
        ("#", 1, '"white" or in "black"'),
        ("b", 1, "already out"),
        ("r+", 1, "no die 'r\\+'"),
    ],
)
def test_a_roll_that_can_not_be(die: str, number: int, pattern: str | None) -> None:
    board = co.Board.parse("1:rb 2:g 3:yp 14:K 15:W / rgyp#")
    if pattern is None:
        assert board.roll(die, number) == board.roll(die, int(number))
        return
    with pytest.raises(co.RulesError, match=pattern):
        board.roll(die, number)


def test_support_die_shows_one_or_two() -> None:
    board = co.Board.parse("1:bg 2:wy 3:o", "supercup")
    assert board.roll("b+", 2).space("b") == 3
    with pytest.raises(co.RulesError, match="shows 1 to 2"):
        board.roll("b+", 3)


def test_the_leg_ends_with_the_last_reveal() -> None:
    board = co.Board.parse("1:rb 2:g 3:yp 14:K 15:W +6 / rg")
    assert board.reveals == 1
    after = board.roll("g", 1)
    assert after.leg_over
    assert not after.race_over
    with pytest.raises(co.RulesError, match="the leg is over"):
        after.roll("r", 1)
    following = after.next_leg()
    assert following.dice == tuple("rbgyp#")
    assert following.tiles == ()
    assert following.stacks == after.stacks
    with pytest.raises(co.RulesError, match="the leg goes on"):
        board.next_leg()


def test_the_next_supercup_leg_has_the_support_die_of_the_last_camel() -> None:
    board = co.Board.parse("1:bg 2:wy 3:o / b", "supercup").roll("b", 3)
    assert board.ranking[-1] == "w"
    assert board.next_leg().dice == (*"bgoyw", "w+")


def test_a_race_that_is_over_is_printed_and_read() -> None:
    over = co.Board.parse("15:rWb 9:g 2:yp 3:K").roll("r", 2)
    assert str(over) == "2:yp 3:K 9:g finish:rWb / bgyp#"
    assert co.Board.parse(str(over)) == over
    assert over.race_over
    assert over.leg_over
    assert over.crossed == "rWb"
    back = co.Board.parse("1:Kr 9:gWb 2:yp").roll("black", 3)
    assert str(back) == "back:Kr 2:yp 9:gWb / rbgyp"
    assert back.ranking == "bgpyr"
    for board in (over, back):
        with pytest.raises(co.RulesError, match="the race is over"):
            board.roll("g", 1)
        with pytest.raises(co.RulesError, match="the race is over"):
            board.next_leg()
        leg = co.leg_odds(board)
        assert leg.race_ends == 1
        assert [leg.p(camel, place) for place, camel in enumerate(board.ranking, 1)] == [1] * 5


def test_the_odds_of_a_leg_that_is_over_are_certain() -> None:
    leg = co.leg_odds("1:rb 2:g 3:yp 14:K 15:W / r")
    assert leg.total == 1
    assert [leg.p(camel, place) for place, camel in enumerate("pygbr", 1)] == [1] * 5
    assert leg.race_ends == 0
    assert len(leg.ends.weights) == 1


def test_tiles_are_placed_and_taken_back() -> None:
    board = co.Board.parse("1:rb 2:g 3:yp 14:K 15:W / rg#")
    placed = board.with_tile(+5, owner="ana").with_tile(-9)
    assert str(placed) == "1:rb 2:g 3:yp 14:K 15:W +5@ana -9 / rg#"
    assert placed.without_tile(5).without_tile(9) == board
    for tile, pattern in [(1, "space 1"), (3, "camels"), (4, None), (-6, "next to"), (5, "two tiles"), (17, "off")]:
        if pattern:
            with pytest.raises(co.NotationError, match=pattern):
                placed.with_tile(tile)
    with pytest.raises(co.RulesError, match="no tile on space 7"):
        placed.without_tile(7)


def test_where_camels_stand() -> None:
    board = co.Board.parse("1:rb 2:g 3:yWp 14:K")
    assert (board.space("W"), board.level("W"), board.unit("W")) == (3, 1, "Wp")
    assert board.stacks == {1: "rb", 2: "g", 3: "yWp", 14: "K"}
    assert board.ranking == "pygbr"
    with pytest.raises(co.RulesError, match="'o' is not a camel"):
        board.space("o")


def test_boards_are_made_from_stacks() -> None:
    board = co.Board.of({1: "rb", 2: "g", 3: "yp", 14: "K", 15: "W"}, dice=["r", "#"], tiles=[(5, 1, "ana")])
    assert str(board) == "1:rb 2:g 3:yp 14:K 15:W +5@ana / r#"
    assert co.Board.of({17: "rb", 2: "g", 3: "yp", 14: "K", 15: "W"}).race_over
    with pytest.raises(co.NotationError, match="missing"):
        co.Board.of({1: "rb"})


def test_own_rules_within_the_bounds() -> None:
    small = co.Rules("small", racing="rbg", track=6)
    assert co.leg_odds("1:rb 2:g", small).total == 6 * 6**3
    long = co.EDITIONS["second"].with_changes(track=28)
    board = co.Board.parse("1:rb 2:g 3:yp 26:K 27:W", long)
    assert co.leg_odds(board).p("p", 1) == co.leg_odds("1:rb 2:g 3:yp 14:K 15:W").p("p", 1)
    for change in [{"track": 29}, {"track": 2}, {"racing": "rbgypo"}, {"crazy": "W"}, {"racing": "rr"}, {"undrawn": 6}]:
        with pytest.raises(co.RulesError):
            co.EDITIONS["second"].with_changes(**change)


def test_play_a_whole_race() -> None:
    rng = random.Random(1)
    for edition, text in [("second", "1:rb 2:g 3:yp 14:K 15:W"), ("supercup", "1:bg 2:wy 3:o")]:
        board = co.Board.parse(text, edition)
        while not board.race_over:
            board = board.next_leg() if board.leg_over else board
            roll = rng.choice(list(board.rolls()))
            board = board.roll(roll.shows, roll.number)
            assert co.Board.parse(str(board), edition) == board
        assert set(board.crossed or "") <= set(board.rules.camels)


def test_modules_of_the_supercup_alone_or_together() -> None:
    """Section 8: 20 spaces and four tickets a colour with any of them; nine and ten players with all four."""
    first = co.EDITIONS["first"]
    for module in ("support", "photographer", "positions", "partners"):
        for rules in (first.with_modules(module), first.with_changes(modules={module})):
            assert (rules.track, rules.tickets, rules.players, rules.modules) == (20, (5, 3, 2, 2), (2, 8), {module})
    assert first.with_modules("support", "photographer", "positions", "partners") is co.EDITIONS["supercup"]
    assert first.with_modules() is first and co.EDITIONS["second"].with_modules("partners") is co.EDITIONS["second"]
    every = ("support", "photographer", "positions", "partners")
    assert co.EDITIONS["second"].with_modules(*every) is co.EDITIONS["supercup-second"]
    assert first.with_changes(modules={"support"}, track=12).track == 12
    with pytest.raises(co.RulesError, match="modules are"):
        first.with_modules("camels")
