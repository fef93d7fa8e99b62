"""A board as a picture: one SVG without scripts, fonts or links from outside, light and dark.

The track runs clockwise round the pyramid from the chequered line. Camels face the way they run.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Final, NamedTuple

from camelodds.show.palette import paint, spoken

if TYPE_CHECKING:
    from camelodds.position.board import Board
    from camelodds.position.notation import Tile
    from camelodds.rules import Rules

WIDE: Final = 100
HIGH: Final = 134
"""Pitch of the spaces, in units of the picture."""

MARGIN: Final = 18
GAP: Final = 3
CAMEL_HIGH: Final = 44
SADDLE: Final = 16.5
LETTER: Final = 24.5
STEP: Final = 25
"""How far a camel sits above the one below, unless the stack is too high for its space."""

DIE: Final = 31
DIE_PITCH: Final = 35
PYRAMID_WIDE: Final = 236
PYRAMID_HIGH: Final = 184
CAPTION: Final = 26
CROSSED_WIDE: Final = 130
OWNER_LETTERS: Final = 8

CAMEL: Final = (
    "M-20 44V30Q-26 23-23 17C-20 8-10 8-6 15Q0 18 5 15C9 8 18 8 21 16Q24 20 26 14L27 6Q28 1 33 1L37 2Q42 4 40 8.5L34 11"
    "Q34 25 27 31L22 35V44H15V36H-13V44Z"
)
"""The outline of a camel that faces right, its body round x = 0, its feet at CAMEL_HIGH."""

HAT: Final = "M27 3L25.5-7L30-3.5L33-9L35-2.5L39.5-4L37 4Z"
"""What crazy camels wear, so that more than their colour and direction tells them."""

# Class, what holds in the light, what changes in the dark.
STYLE: Final = (
    ("ground", "fill:#f8eed9;stroke:#e6d3a8;stroke-width:2", "fill:#1c1813;stroke:#3a3125"),
    ("track", "fill:#ecd9ad", "fill:#2b241b"),
    ("inner", "fill:#f8eed9", "fill:#1c1813"),
    ("space", "fill:#fbf3e0;stroke:#dcc592", "fill:#453a2b;stroke:#5a4c38"),
    ("number", "fill:#846631;stroke:#fbf3e0", "fill:#d6c094;stroke:#453a2b"),
    ("dark", "stroke:#3b3226", "stroke:#17130e"),
    ("light", "stroke:#ffffff", "stroke:#f3ead8"),
    ("camel", "stroke:#33291c;stroke-width:1.6;stroke-linejoin:round", "stroke:#f0e4cb"),
    ("crazy", "fill:#e8590c;stroke:#e8590c;stroke-width:5;stroke-linejoin:round", "fill:#ff922b;stroke:#ff922b"),
    ("plus", "fill:#d9efd9;stroke:#1d8048", "fill:#1f4a30;stroke:#6fcf97"),
    ("minus", "fill:#f9ddd0;stroke:#b5442c;stroke-dasharray:5 3", "fill:#5a2a1d;stroke:#f09a80"),
    ("ink", "fill:#33291c", "fill:#f4ead6"),
    ("soft", "fill:#6d5632", "fill:#d8c49b"),
    ("sunny", "fill:#e9c97f", "fill:#6e5931"),
    ("shade", "fill:#d9b05c", "fill:#584524"),
    ("die", "stroke:#33291c", "stroke:#120e09"),
)


class _Ring(NamedTuple):
    """The track as a ring of spaces on a grid: column and row of each place in order, some beyond the last space."""

    columns: int
    rows: int
    places: tuple[tuple[int, int], ...]


def board_svg(board: Board) -> str:
    """A picture of a position as SVG text, which can be saved as a file or put into a page."""
    rules = board.rules
    ring = _ring(rules.track)
    width, height = ring.columns * WIDE + 2 * MARGIN, ring.rows * HIGH + 2 * MARGIN
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" class="co-board" role="img" viewBox="0 0 {width} {height}" '
        f'width="{width}" height="{height}" style="max-width:100%;height:auto" '
        'font-family="system-ui,-apple-system,\'Segoe UI\',Roboto,Helvetica,Arial,sans-serif" text-anchor="middle">',
        f"<title>{_text(f'Camel Up, edition {rules.name}: {board}')}</title>",
        f"<desc>{_text(' '.join(_sentences(board)))}</desc>",
        f"<style>{_style()}</style>",
        *_ground(ring, width, height),
        *_spaces(ring, rules.track),
        *_lines(ring, rules.track),
        *(_tile(tile, ring) for tile in board.tiles),
        *_stacks(board, ring),
        *_numbers(ring, rules.track),
        *_middle(board, ring),
        "</svg>",
    ]
    return "\n".join(parts) + "\n"


def _text(text: str) -> str:
    """Text for XML, which has no place for control characters."""
    return escape("".join(letter for letter in text if letter.isprintable()))


def _style() -> str:
    light = "".join(f".co-board .co-{name}{{{rule}}}" for name, rule, _ in STYLE)
    dark = "".join(f".co-board .co-{name}{{{rule}}}" for name, _, rule in STYLE)
    return f"{light}@media(prefers-color-scheme:dark){{{dark}}}"


def _sentences(board: Board) -> Iterator[str]:
    places = {0: "Carried back over the line", board.rules.track + 1: "Over the line"}
    for space, stack in board.stacks.items():
        names = ", ".join(spoken(letter) for letter in stack)
        yield f"{places.get(space, f'Space {space}')}, bottom to top: {names}."
    for tile in board.tiles:
        owner = f" of {tile.owner}" if tile.owner else ""
        yield f"Space {tile.space}: tile {'+1' if tile.side > 0 else '-1'}{owner}."
    yield f"In the pyramid: {', '.join(map(_die_name, board.dice)) or 'no dice'}. {_state(board)}."


def _die_name(sign: str) -> str:
    if sign == "#":
        return "grey"
    return f"{spoken(sign[0])} support" if sign.endswith("+") else spoken(sign)


def _state(board: Board) -> str:
    if board.race_over:
        return "The race is over"
    if board.leg_over:
        return "The leg is over"
    return f"{board.reveals} reveal{'s' if board.reveals > 1 else ''} left"


def _ring(track: int) -> _Ring:
    """The smallest ring that holds the track, a little wider than high in spaces."""
    half = max(8, (track + 1) // 2 + 2)
    rows = max(3, round(0.42 * half))
    columns = half - rows
    top = [(column, 0) for column in range(1, columns)]
    right = [(columns - 1, row) for row in range(1, rows)]
    bottom = [(column, rows - 1) for column in range(columns - 2, -1, -1)]
    left = [(0, row) for row in range(rows - 2, -1, -1)]
    return _Ring(columns, rows, (*top, *right, *bottom, *left))


def _corner(place: tuple[int, int]) -> tuple[int, int]:
    """The upper left corner of a place in the picture."""
    return MARGIN + place[0] * WIDE, MARGIN + place[1] * HIGH


def _ground(ring: _Ring, width: int, height: int) -> Iterator[str]:
    x, y = _corner((1, 1))
    inner_wide, inner_high = (ring.columns - 2) * WIDE, (ring.rows - 2) * HIGH
    yield _rectangle("ground", 1, 1, width - 2, height - 2, 44)
    yield _rectangle("track", MARGIN - 6, MARGIN - 6, width - 2 * MARGIN + 12, height - 2 * MARGIN + 12, 36)
    yield _rectangle("inner", x + GAP, y + GAP, inner_wide - 2 * GAP, inner_high - 2 * GAP, 22)


def _rectangle(kind: str, x: float, y: float, width: float, height: float, radius: float) -> str:
    return f'<rect class="co-{kind}" x="{x:g}" y="{y:g}" width="{width}" height="{height}" rx="{radius}"/>'


def _spaces(ring: _Ring, track: int) -> Iterator[str]:
    yield '<g class="co-space" stroke-width="1.5">'
    for place in ring.places[:track]:
        yield f'<path d="{_space_outline(ring, place)}"/>'
    yield "</g>"


def _numbers(ring: _Ring, track: int) -> Iterator[str]:
    """Behind the racing camels' heads; over the others, with a halo, since a high stack reaches up to them."""
    yield '<g class="co-number" font-size="16" font-weight="600" stroke-width="4" paint-order="stroke">'
    for space, place in enumerate(ring.places[:track], 1):
        x, y = _corner(place)
        yield f'<text x="{x + (19 if _runs_right(ring, space) else WIDE - 19)}" y="{y + 26}">{space}</text>'
    yield "</g>"


def _space_outline(ring: _Ring, place: tuple[int, int]) -> str:
    """A rounded rectangle, rounder in the corner of the ring if it lies in one."""
    x, y = _corner(place)
    left, right, top, bottom = x + GAP, x + WIDE - GAP, y + GAP, y + HIGH - GAP
    outer_left, outer_right = place[0] == 0, place[0] == ring.columns - 1
    outer_top, outer_bottom = place[1] == 0, place[1] == ring.rows - 1
    a, b, c, d = (
        26 if outer else 12
        for outer in (
            outer_left and outer_top,
            outer_right and outer_top,
            outer_right and outer_bottom,
            outer_left and outer_bottom,
        )
    )
    return (
        f"M{left + a} {top}H{right - b}q{b} 0 {b} {b}V{bottom - c}q0 {c} -{c} {c}"
        f"H{left + d}q-{d} 0 -{d} -{d}V{top + a}q0 -{a} {a} -{a}z"
    )


def _lines(ring: _Ring, track: int) -> Iterator[str]:
    """The chequered line before space 1, and one after the last space where the ring is longer than the track."""
    ends = {(ring.places[-1], ring.places[0]), (ring.places[track - 1], ring.places[track % len(ring.places)])}
    for before, after in sorted(ends):
        (x0, y0), (x1, y1) = _corner(before), _corner(after)
        upright = y0 == y1
        reach = (HIGH if upright else WIDE) / 2 - GAP
        turn = "" if upright else " rotate(90)"
        yield f'<g transform="translate({(x0 + x1 + WIDE) / 2:g} {(y0 + y1 + HIGH) / 2:g}){turn}" stroke-width="5">'
        for x, first, second in ((-2.5, "dark", "light"), (2.5, "light", "dark")):
            path = f'd="M{x} {-reach:g}V{reach:g}"'
            yield f'<path class="co-{first}" {path}/><path class="co-{second}" stroke-dasharray="5" {path}/>'
        yield "</g>"


def _tile(tile: Tile, ring: _Ring) -> str:
    x, y = _corner(ring.places[tile.space - 1])
    owner = tile.owner or ""
    shown = owner if len(owner) <= OWNER_LETTERS else owner[: OWNER_LETTERS - 1] + "…"
    name, sign = ("plus", "+1") if tile.side > 0 else ("minus", "−1")
    middle = y + 77 if owner else y + 85
    label = f'<text class="co-ink" x="{x + 50}" y="{y + 103}" font-size="14">{_text(shown)}</text>' if owner else ""
    return (
        f"<g><title>{_text(f'{sign} of {owner}' if owner else sign)}</title>"
        f'<rect class="co-{name}" x="{x + 11}" y="{y + 40}" width="78" height="72" rx="12" stroke-width="2.5"/>'
        f'<text class="co-ink" x="{x + 50}" y="{middle}" font-size="30" font-weight="800">{sign}</text>{label}</g>'
    )


def _stacks(board: Board, ring: _Ring) -> Iterator[str]:
    for space, stack in board.stacks.items():
        if 1 <= space <= board.rules.track:
            x, y = _corner(ring.places[space - 1])
            right = _runs_right(ring, space)
            yield from _stack(stack, board.rules, x + (53 if right else WIDE - 53), y + HIGH - 9, HIGH - 18, right)


def _runs_right(ring: _Ring, space: int) -> bool:
    """Whether racing camels look to the right on a space: where they run on or, on the sides, inwards."""
    (column, _), (following, _) = ring.places[space - 1], ring.places[space % len(ring.places)]
    return following > column if following != column else column == 0


def _stack(stack: str, rules: Rules, centre: float, floor: float, room: float, right: bool) -> Iterator[str]:
    """A stack with its feet on the floor: the lower camels before the upper ones, all letters before all camels."""
    step = min(STEP, (room - CAMEL_HIGH) / max(1, len(stack) - 1))
    size = min(20, step + 3)
    levels = [(letter, floor - CAMEL_HIGH - level * step) for level, letter in enumerate(stack)]
    for letter, y in reversed(levels):
        crazy = letter in rules.crazy
        yield _camel(letter, crazy, right != crazy, f"translate({centre:g} {y:g})")
    yield '<g font-weight="800">'
    for letter, y in levels:
        # Of a rider only what is above the saddle of the camel below is seen: there its letter is.
        middle = LETTER if y == levels[0][1] else min(LETTER, SADDLE + step / 2)
        yield (
            f'<text x="{centre:g}" y="{y + middle + 0.34 * size:.1f}" font-size="{size:.3g}" '
            f'fill="{paint(letter).ink}">{_text(letter)}</text>'
        )
    yield "</g>"


def _camel(letter: str, crazy: bool, right: bool, where: str) -> str:
    where += "" if right else " scale(-1 1)"
    mark = f'<path class="co-crazy" d="{CAMEL}{HAT}"/>' if crazy else ""
    return f'<g transform="{where}">{mark}<path class="co-camel" fill="{paint(letter).fill}" d="{CAMEL}"/></g>'


def _middle(board: Board, ring: _Ring) -> Iterator[str]:
    """What lies inside the ring: the unit that crossed the line, if any, and the pyramid."""
    x, y = _corner((1, 1))
    wide, high = (ring.columns - 2) * WIDE, (ring.rows - 2) * HIGH
    if board.crossed:
        yield from _crossed(board, x + CROSSED_WIDE / 2 + 8, y, high)
        x, wide = x + CROSSED_WIDE, wide - CROSSED_WIDE
    scale = min(1.3, (wide - 16) / PYRAMID_WIDE, (high - 24 - CAPTION) / PYRAMID_HIGH)
    centre = x + wide / 2
    top = y + (high - scale * PYRAMID_HIGH - CAPTION) / 2
    yield f'<g transform="translate({centre - scale * PYRAMID_WIDE / 2:.1f} {top:.1f}) scale({scale:.3f})">'
    yield from _pyramid(board.dice)
    yield "</g>"
    yield _caption(_state(board), centre, top + scale * PYRAMID_HIGH + CAPTION - 3)


def _caption(text: str, x: float, y: float) -> str:
    return f'<text class="co-soft" x="{x:g}" y="{y:.1f}" font-size="18" font-weight="600">{text}</text>'


def _crossed(board: Board, centre: float, top: float, high: float) -> Iterator[str]:
    unit = board.crossed or ""
    forwards = board.rules.track + 1 in board.stacks
    floor = top + min(high - 44, high / 2 + 58)
    yield from _stack(unit, board.rules, centre, floor, min(HIGH, floor - top - 6), True)
    yield _rectangle("shade", centre - 44, floor, 88, 8, 3)
    yield _caption("over the line" if forwards else "carried back", centre, floor + 29)


def _pyramid(dice: Sequence[str]) -> Iterator[str]:
    middle, ridge = PYRAMID_WIDE / 2, PYRAMID_WIDE * 0.62
    yield (
        f'<path class="co-sunny" stroke-linejoin="round" d="M{middle:g} 0L{ridge:.0f} {PYRAMID_HIGH}H0z"/>'
        f'<path class="co-shade" d="M{middle:g} 0L{PYRAMID_WIDE} {PYRAMID_HIGH}H{ridge:.0f}z"/>'
    )
    rows = _rows(dice)
    for up, row in enumerate(reversed(rows)):
        y = PYRAMID_HIGH - 12 - DIE - up * DIE_PITCH
        x = middle - (len(row) * DIE_PITCH - (DIE_PITCH - DIE)) / 2
        yield from (_die(sign, x + at * DIE_PITCH, y) for at, sign in enumerate(row))


def _rows(dice: Sequence[str]) -> list[Sequence[str]]:
    """Dice as the courses of a pyramid, top first, each one wider than the one above where there are enough."""
    base = 1
    while base * (base + 1) // 2 < len(dice):
        base += 1
    rows: list[Sequence[str]] = []
    left = dice
    for size in range(base, 0, -1):
        if left:
            rows.insert(0, left[max(0, len(left) - size) :])
            left = left[: max(0, len(left) - size)]
    return rows


def _die(sign: str, x: float, y: float) -> str:
    fill, ink = paint(sign)
    round_, size = (DIE / 2, 15) if sign.endswith("+") else (7, 18)
    return (
        f'<g transform="translate({x:g} {y:g})"><rect class="co-die" fill="{fill}" width="{DIE}" height="{DIE}" '
        f'rx="{round_}" stroke-width="1.6"/><text x="{DIE / 2}" y="{DIE / 2 + 0.36 * size:g}" font-size="{size}" '
        f'font-weight="800" fill="{ink}">{_text(sign)}</text></g>'
    )
