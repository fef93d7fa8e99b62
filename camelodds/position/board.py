"""One position: where the camels and tiles are and which dice are left in the pyramid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from camelodds.errors import RulesError
from camelodds.position import bits
from camelodds.position.notation import OWNER, Position, Tile, reader, write
from camelodds.rules import CRAZY_LANE, GREY, Rules, rules_of


class Move(NamedTuple):
    """What one roll does.

    Parameters
    ----------
    board : Board
        After it, the die out.
    unit : str
        The camels that moved, bottom to top.
    space : int or None
        Where they stand; None over the line.
    tile : Tile or None
        The tile on which they landed; its owner gets 1 pound.
    """

    board: Board
    unit: str
    space: int | None
    tile: Tile | None


class Roll(NamedTuple):
    """One way in which the next reveal can go: the die's sign, what it shows, and its weight out of six."""

    die: str
    shows: str
    number: int
    weight: int


@dataclass(frozen=True, slots=True)
class Board:
    """A position under the rules of an edition. Boards are values: every change gives a new one.

    Make one with `Board.parse` or `Board.of`, which check it; the fields are taken as they are.

    Parameters
    ----------
    rules : Rules
        The edition's rules.
    word : int
        A byte per camel, ``space << 3 | level``, in the lanes `rules.lanes`.
    pyramid : int
        The set of dice left, bits as in `rules.dice`.
    tiles : tuple of Tile
        By space.

    Examples
    --------
    >>> import camelodds as co
    >>> board = co.Board.parse("2:rb 4:g 5:yp 13:KW +7 / rg#")
    >>> board.ranking, board.space("b"), board.level("b"), board.unit("r")
    ('pygbr', 2, 1, 'rb')
    >>> print(board.roll("g", 2))
    2:rb 5:yp 6:g 13:KW +7 / r#
    """

    rules: Rules
    word: int
    pyramid: int
    tiles: tuple[Tile, ...] = ()

    @classmethod
    def parse(cls, text: str, edition: str | Rules = "second") -> Board:
        """The board that a text describes.

        Parameters
        ----------
        text : str
            ``SPACE:STACK``, bottom to top; ``+5`` a cheering tile on 5, ``-9`` a booing one, ``@ana`` its owner; after
            ``/`` the dice left, ``-`` for none, ``?`` where the leg is over and nobody knows which die stays inside.
            Without ``/`` the pyramid is full.
        edition : str or Rules
            "first", "second", "supercup", "supercup-second", or own rules.

        Returns
        -------
        Board

        Raises
        ------
        NotationError
            With the place and what was expected.
        RulesError
            For an unknown edition.

        Examples
        --------
        >>> board = Board.parse("1:rb 2:g 3:yp 14:K 15:W +5 -9@ana / rgyp#")
        >>> board.ranking, board.dice, board.reveals
        ('pygbr', ('r', 'g', 'y', 'p', '#'), 4)
        """
        rules = rules_of(edition)
        return cls(rules, *reader(rules).read(text))

    @classmethod
    def of(
        cls,
        stacks: Mapping[int, str],
        *,
        dice: Iterable[str] | None = None,
        tiles: Iterable[Tile | tuple[int, int] | tuple[int, int, str | None]] = (),
        edition: str | Rules = "second",
    ) -> Board:
        """The board with these stacks.

        Parameters
        ----------
        stacks : mapping of int to str
            Camels by space, bottom to top; space 0 is behind the track, track + 1 over the line.
        dice : iterable of str, optional
            Signs of those left in the pyramid; a full one by default.
        tiles : iterable of Tile or tuple
            Each ``(space, side)`` or ``(space, side, owner)``, side +1 cheering and -1 booing.
        edition : str or Rules
            "first", "second", "supercup", "supercup-second", or own rules.

        Returns
        -------
        Board

        Raises
        ------
        NotationError, RulesError
            For a position that cannot be, or an unknown edition.
        """
        rules = rules_of(edition)
        places = {0: "back", rules.track + 1: "finish"}
        pieces = [f"{places.get(space, space)}:{stack}" for space, stack in stacks.items()]
        pieces += [str(Tile(*tile)) for tile in tiles]
        if dice is not None:
            pieces += ["/", " ".join(dice) or "-"]
        return cls.parse(" ".join(pieces), rules)

    def __str__(self) -> str:
        return write(Position(self.word, self.pyramid, self.tiles), self.rules)

    def __repr__(self) -> str:
        return f"Board.parse({str(self)!r}, edition={self.edition!r})"

    def svg(self) -> str:
        """A picture of the board as the text of an SVG file, light and dark."""
        from camelodds.show.svg import board_svg

        return board_svg(self)

    def _repr_svg_(self) -> str:
        return self.svg()

    @property
    def edition(self) -> str:
        """The name of the rules."""
        return self.rules.name

    @property
    def stacks(self) -> dict[int, str]:
        """Camels by space, bottom to top; space 0 is behind the track, track + 1 over the line."""
        return bits.stacks(self.word, self.rules)

    def space(self, camel: str) -> int:
        """The space on which a camel stands. Raises RulesError for a letter that is no camel.

        Parameters
        ----------
        camel : str

        Returns
        -------
        int
            0 behind the track, track + 1 over the line.
        """
        return self._byte(camel) >> 3

    def level(self, camel: str) -> int:
        """How many camels are below this one on its space. Raises RulesError for a letter that is no camel.

        Parameters
        ----------
        camel : str

        Returns
        -------
        int
        """
        return self._byte(camel) & 7

    def unit(self, camel: str) -> str:
        """A camel and all that sits on it, bottom to top. Raises RulesError for a letter that is no camel.

        Parameters
        ----------
        camel : str

        Returns
        -------
        str
        """
        lowest = self._byte(camel)
        beyond = (lowest >> 3) + 1 << 3
        camels = sorted([(self.word >> 8 * lane & 0xFF, letter) for letter, lane in self.rules.lanes.items()])
        return "".join([letter for byte, letter in camels if lowest <= byte < beyond])

    @property
    def dice(self) -> tuple[str, ...]:
        """Signs of the dice left in the pyramid."""
        return tuple(sign for sign, bit in self.rules.dice.items() if self.pyramid & bit)

    @property
    def reveals(self) -> int:
        """How many dice are still to be revealed in this leg."""
        return 0 if self.race_over else max(0, self.pyramid.bit_count() - self.rules.undrawn)

    @property
    def leg_over(self) -> bool:
        """Whether no reveal is left, or the race is over."""
        return self.reveals == 0

    @property
    def race_over(self) -> bool:
        """Whether a unit has crossed the line, either way (docs/rules.md, section 5)."""
        return bits.race_over(self.word, self.rules) != 0

    @property
    def crossed(self) -> str | None:
        """The unit that has crossed the line, bottom to top."""
        if not self.race_over:
            return None
        stacks = self.stacks
        return stacks.get(self.rules.track + 1) or stacks.get(0)

    @property
    def ranking(self) -> str:
        """The racing camels, first to last: farther along is ahead, in a stack the higher one."""
        return bits.ranking(self.word, self.rules)

    @property
    def cheering(self) -> int:
        """The spaces with a cheering tile or oasis, as bits."""
        return sum([1 << tile.space for tile in self.tiles if tile.side > 0])

    @property
    def booing(self) -> int:
        """The spaces with a booing tile or mirage, as bits."""
        return sum([1 << tile.space for tile in self.tiles if tile.side < 0])

    @property
    def tile_spaces(self) -> int:
        """The spaces on which one more tile may lie, as bits (docs/rules.md, section 6)."""
        tiles = sum([1 << tile.space for tile in self.tiles])
        return bits.tile_spaces(bits.stands(self.word, self.rules), tiles, self.rules.track)

    def rolls(self) -> Iterator[Roll]:
        """Every way in which the next reveal can go; those of one die weigh six together. None if the leg is over."""
        if self.leg_over:
            return
        for sign in self.dice:
            yield from (Roll(sign, *face) for face in self.rules.faces[sign])

    def roll(self, die: str, number: int) -> Board:
        """The board after a die has shown a number and is out: see `move`, also for what it takes and raises.

        Parameters
        ----------
        die : str
        number : int

        Returns
        -------
        Board
        """
        return self.move(die, number).board

    def move(self, die: str, number: int) -> Move:
        """What happens when a die shows a number (docs/rules.md, sections 4 and 5).

        Parameters
        ----------
        die : str
            A racing die "r", a support die "r+", or the grey die in "white" or "black".
        number : int
            What it shows.

        Returns
        -------
        Move
            The board after it, the unit that moved, where it stands, and the tile on which it landed.

        Raises
        ------
        RulesError
            When the die is not in the pyramid, has no such number, or the leg or the race is over.

        Examples
        --------
        >>> move = Board.parse("1:rb 2:g 3:yp 14:K 15:W +4@ana").move("r", 3)
        >>> move.unit, move.space, move.tile
        ('rb', 5, Tile(space=4, side=1, owner='ana'))
        """
        bit = self._bit_of(die, number)
        from camelodds.core.move import roll

        rules, tiles = self.rules, self.tiles
        second = bit == 1 << GREY and (die == "black") != (rules.crazy[0] == "K")
        cheering, booing = (self.cheering, self.booing) if tiles else (0, 0)
        word, lane, space, tile = roll(
            self.word, bit.bit_length() - 1, second, int(number), rules.track, cheering, booing
        )
        landed = next(out for out in tiles if out.space == tile) if tile else None
        stands = space if 1 <= space <= rules.track else None
        leader = rules.camels[lane if lane < CRAZY_LANE else lane - CRAZY_LANE + len(rules.racing)]
        return Move(Board(rules, int(word), self.pyramid & ~bit, tiles), self.unit(leader), stands, landed)

    def _bit_of(self, die: str, number: int) -> int:
        """The bit of a die that may show a number now. Raises RulesError."""
        rules = self.rules
        if not self.reveals:
            rolled = "race is over: no die is rolled any more"
            raise RulesError(
                f"the {rolled if self.race_over else 'leg is over: next_leg() fills the pyramid'} ({self})"
            )
        return bits.die_that_shows(die, number, self.pyramid, rules)

    def with_tile(self, tile: int, owner: str | None = None) -> Board:
        """The board with a tile more (docs/rules.md, section 6).

        Parameters
        ----------
        tile : int
            5 for a cheering tile or oasis on space 5, -5 for a booing tile or mirage there.
        owner : str, optional
            Who gets a pound for each landing on it.

        Returns
        -------
        Board

        Raises
        ------
        NotationError
            Where no tile may lie.

        Examples
        --------
        >>> str(Board.parse("1:rb 2:g 3:yp 14:K 15:W").with_tile(-5, owner="ana"))
        '1:rb 2:g 3:yp 14:K 15:W -5@ana'
        """
        placed = Tile(abs(tile), 1 if tile > 0 else -1, owner)
        whole = type(tile) is int and self.tile_spaces >> placed.space & 1
        if whole and (owner is None or OWNER.fullmatch(owner)):
            tiles = tuple(sorted([*self.tiles, placed]))
        else:  # what is wrong is best said by the reader of texts, with the place
            before = Position(self.word, bits.full_pyramid(self.word, self.rules), self.tiles)
            tiles = reader(self.rules).read(f"{write(before, self.rules)} {placed}").tiles
        return Board(self.rules, self.word, self.pyramid, tiles)

    def without_tile(self, space: int) -> Board:
        """The board without the tile on a space. Raises RulesError if there is none.

        Parameters
        ----------
        space : int

        Returns
        -------
        Board
        """
        left = tuple(tile for tile in self.tiles if tile.space != abs(space))
        if len(left) == len(self.tiles):
            raise RulesError(f"no tile on space {abs(space)} ({self})")
        return Board(self.rules, self.word, self.pyramid, left)

    def next_leg(self) -> Board:
        """The start of the next leg: the pyramid full, the tiles home. Raises RulesError if this leg goes on."""
        if self.race_over:
            raise RulesError(f"the race is over: there is no next leg ({self})")
        if not self.leg_over:
            raise RulesError(f"the leg goes on: {' '.join(self.dice)} are in the pyramid ({self})")
        return Board(self.rules, self.word, bits.full_pyramid(self.word, self.rules))

    def _byte(self, camel: str) -> int:
        try:
            return self.word >> 8 * self.rules.lanes[camel] & 0xFF
        except KeyError:
            expected = " ".join(self.rules.camels)
            raise RulesError(f"{camel!r} is not a camel of edition {self.edition}: expected {expected}") from None
