"""Many positions as arrays: words, sets of dice, tiles; from and to columns, texts and boards.

One board is one uint64, a byte per camel, `space << 3 | level` (level 0 is the bottom); `.view(np.uint8)` shows it per
camel, in the lanes `rules.lanes`. Dice and tiles are sets: bit d for die d (as in `rules.dice`), bit s for space s.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from camelodds.errors import NotationError, RulesError
from camelodds.position import bits
from camelodds.position.board import Board
from camelodds.position.notation import Tile, reader
from camelodds.rules import CRAZY_LANE, MAX_RACING, MOST_SHOWN, SUPPORT, Rules, rules_of

if TYPE_CHECKING:
    import pandas as pd


# Axes: B boards, C camels in the order of rules.camels, D dice in the order of rules.dice, N spaces.
@dataclass(frozen=True, eq=False)
class Boards:
    """Many positions under the same rules, without the tiles' owners.

    Parameters
    ----------
    rules : Rules
        Those in force for all.
    word : uint64 array (B,)
        A byte per camel, ``space << 3 | level``, in the lanes `rules.lanes`.
    dice : int64 array (B,)
        The dice left, bits as in `rules.dice`.
    cheering : int64 array (B,)
        The spaces with a cheering tile, bit s for space s.
    booing : int64 array (B,)
        The spaces with a booing tile.
    """

    rules: Rules
    word: NDArray[np.uint64]
    dice: NDArray[np.int64]
    cheering: NDArray[np.int64]
    booing: NDArray[np.int64]

    @classmethod
    def of(
        cls, boards: Boards | Iterable[Board | str] | pd.Series[Any], edition: str | Rules = "second", first: int = 0
    ) -> Boards:
        """Boards from any of the forms in which they come.

        Parameters
        ----------
        boards : Boards, iterable of Board or str, pandas Series, or uint64 array (B,)
            Boards, texts, a pandas column of either, or encoded; words alone have full pyramids and no tiles.
        edition : str or Rules
            For texts and words.
        first : int
            The number of the first board in messages.

        Returns
        -------
        Boards

        Raises
        ------
        NotationError, RulesError, TypeError
            Naming the first board at fault, by its number or, of a pandas column, by its label; RulesError also where
            two boards are of different editions.

        Examples
        --------
        >>> many = Boards.of(["2:rb 4:g 5:yp 13:KW +7 / rg#", "1:rb 2:g 3:yp 14:K 15:W"])
        >>> len(many), str(many[0])
        (2, '2:rb 4:g 5:yp 13:KW +7 / rg#')
        """
        if isinstance(boards, Boards):
            return boards
        if isinstance(boards, np.ndarray) and boards.dtype == np.uint64:
            return cls._of_words(np.ascontiguousarray(boards), rules_of(edition))
        if isinstance(boards, (str, Board)):
            boards = [boards]
        given = list(boards)
        labels: Any = (
            getattr(boards, "index", None) if hasattr(boards, "iloc") else None
        )  # a pandas column names its rows itself

        def called(index: int) -> str:
            return f"board {first + index}" if labels is None else f"row {labels[index]}"

        rules = next((board.rules for board in given if isinstance(board, Board)), None) or rules_of(edition)
        read = reader(rules).read
        rows = np.empty((len(given), 4), np.int64)
        for index, board in enumerate(given):
            if isinstance(board, Board):
                if board.rules is not rules and board.rules != rules:
                    which = f"{called(index)} is of edition {board.edition}"
                    raise RulesError(f"{which}, those before it of {rules.name}")
                rows[index] = board.word, board.pyramid, board.cheering, board.booing
                continue
            try:
                word, dice, tiles = read(board)
            except NotationError as error:
                raise NotationError(f"{called(index)}: {error.message}", error.text, error.at) from None
            except TypeError as error:
                raise TypeError(f"{called(index)}: {error}") from None
            cheering = booing = 0
            for tile in tiles:
                if tile.side > 0:
                    cheering |= 1 << tile.space
                else:
                    booing |= 1 << tile.space
            rows[index] = word, dice, cheering, booing
        columns = np.ascontiguousarray(rows.T)
        return cls(rules, columns[0].view(np.uint64), columns[1], columns[2], columns[3])

    @classmethod
    def one(cls, board: Board) -> Boards:
        """A single board, at less cost than `of`.

        Parameters
        ----------
        board : Board
            Taken as it is.

        Returns
        -------
        Boards
            Of length 1.
        """
        columns = np.array([[board.word], [board.pyramid], [board.cheering], [board.booing]], np.int64)
        word, dice, cheering, booing = columns
        return cls(board.rules, word.view(np.uint64), dice, cheering, booing)

    @classmethod
    def _of_words(cls, word: NDArray[np.uint64], rules: Rules) -> Boards:
        if word.ndim != 1:
            raise RulesError(f"words of shape (B,), not {word.shape}")
        none = np.zeros(len(word), np.int64)
        return cls(rules, word, bits.full_pyramid(word.view(np.int64), rules), none, none).checked()

    @classmethod
    def from_columns(
        cls,
        spaces: ArrayLike,
        levels: ArrayLike,
        dice: ArrayLike | None = None,
        tiles: ArrayLike | None = None,
        *,
        edition: str | Rules = "second",
    ) -> Boards:
        """Boards from columns of numbers.

        Parameters
        ----------
        spaces : int array (B, C)
            Camels in the order of `rules.camels`; space 0 is behind the track, N + 1 beyond it.
        levels : int array (B, C)
            How many camels are below each on its space.
        dice : bool array (B, D), optional
            Those left, in the order of `rules.dice`; full pyramids by default.
        tiles : int array (B, N + 1), optional
            +1 cheering, -1 booing, by space; none by default.
        edition : str or Rules
            "first", "second", "supercup", "supercup-second", or own rules.

        Returns
        -------
        Boards

        Raises
        ------
        RulesError
            For the first board that cannot be.
        """
        rules = rules_of(edition)
        spaces, levels = np.asarray(spaces), np.asarray(levels)
        shape = (len(spaces), len(rules.camels))
        if spaces.shape != shape or levels.shape != shape:
            raise RulesError(f"spaces and levels of shape (B, {shape[1]}), not {spaces.shape} and {levels.shape}")
        if not (np.all((spaces >= 0) & (spaces <= rules.track + 1)) and np.all((levels >= 0) & (levels < shape[1]))):
            raise RulesError(f"spaces from 0 to {rules.track + 1}, levels from 0 to {shape[1] - 1}")
        lanes = np.zeros((len(spaces), 8), np.uint8)
        for column, lane in enumerate(rules.lanes.values()):
            lanes[:, lane] = spaces[:, column] << 3 | levels[:, column]
        word = lanes.view(np.uint64)[:, 0]
        if dice is None:
            left = bits.full_pyramid(word.view(np.int64), rules)
        else:
            left = _set_of(dice, list(rules.dice.values()), len(word), "dice")
        by_space = np.zeros((len(word), 1), np.int8) if tiles is None else np.asarray(tiles)
        width = rules.track + 1 if tiles is not None else 1
        space_bits = [1 << space for space in range(width)]
        cheering = _set_of(by_space > 0, space_bits, len(word), "tiles")
        booing = _set_of(by_space < 0, space_bits, len(word), "tiles")
        return cls(rules, word, left, cheering, booing).checked()

    def to_columns(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.bool_], NDArray[np.int8]]:
        """(spaces, levels, dice, tiles), as `from_columns` takes them."""
        lanes = self.word.view(np.uint8).reshape(-1, 8)[:, list(self.rules.lanes.values())]
        dice = self.dice[:, None] & np.array(list(self.rules.dice.values())) != 0
        spaces = 1 << np.arange(self.rules.track + 1)
        tiles = (self.cheering[:, None] & spaces != 0).astype(np.int8) - (self.booing[:, None] & spaces != 0)
        return (lanes >> 3).astype(np.int64), (lanes & 7).astype(np.int64), dice, tiles

    def checked(self) -> Boards:
        """These boards. Raises RulesError for the first that cannot be (docs/rules.md, sections 2, 3 and 6)."""
        rules = self.rules
        for name in ("word", "dice", "cheering", "booing"):
            column = getattr(self, name)
            if column.shape != self.word.shape or column.dtype != (np.uint64 if name == "word" else np.int64):
                raise RulesError(f"{name}: expected one {'uint64' if name == 'word' else 'int64'} per board")
        lanes = self.word.view(np.uint8).reshape(-1, 8)
        taking_part = list(rules.lanes.values())
        empty = np.delete(lanes, taking_part, axis=1)
        finish = np.uint8(rules.track + 1)
        # Axes: C, B; the bytes of a board in order, so that a stack's camels follow each other from the bottom up.
        camels = np.sort(lanes[:, taking_part].T, axis=0)
        on_another = np.diff(camels, axis=0, prepend=np.uint8(0)) == 1
        at_the_bottom = camels & 7 == 0
        new_space = np.diff(camels >> 3, axis=0, prepend=np.uint8(0xFF)) != 0
        stands = bits.stands(self.word.view(np.int64), rules)
        off_track = (camels >> 3 > finish).any(axis=0)
        stacked_wrong = (at_the_bottom != new_space).any(axis=0) | ~(at_the_bottom | on_another).all(axis=0)
        led_back = (lanes[:, : len(rules.racing)] == 0).any(axis=1)
        led_over = (lanes[:, taking_part[len(rules.racing) :]] == finish << 3).any(axis=1)
        both_ways = (stands & 1 != 0) & (stands >> int(finish) & 1 != 0)
        _refuse(
            empty.any(axis=1) | off_track | stacked_wrong | led_back | led_over | both_ways,
            "a camel off the track, two on one level, or a gap in a stack",
        )
        tiles = self.cheering | self.booing
        misplaced = tiles & bits.no_tile_on(stands, tiles, rules.track) != 0
        two_sided = self.cheering & self.booing != 0
        _refuse(misplaced | two_sided, "a tile off the track, on space 1, under a camel or next to another")
        unknown = self.dice & ~sum(rules.dice.values()) != 0
        too_few = (np.bitwise_count(self.dice) < rules.undrawn) & (self.dice != 0)  # none: which stay is not known
        _refuse(unknown | too_few, f"dice other than {' '.join(rules.dice)}, or fewer than stay inside")
        return self

    def __len__(self) -> int:
        return len(self.word)

    def __getitem__(self, which: int | slice | NDArray[Any]) -> Any:
        """The board with a number, or those of a slice or mask."""
        if isinstance(which, (int, np.integer)):
            cheering, booing = int(self.cheering[which]), int(self.booing[which])
            spaces = [space for space in range(self.rules.track + 1) if (cheering | booing) >> space & 1]
            tiles = tuple(Tile(space, 1 if cheering >> space & 1 else -1) for space in spaces)
            return Board(self.rules, int(self.word[which]), int(self.dice[which]), tiles)
        return Boards(self.rules, self.word[which], self.dice[which], self.cheering[which], self.booing[which])

    def __iter__(self) -> Iterator[Board]:
        return (self[index] for index in range(len(self)))


# Axes: D = 11 dice by number (racing, grey, support), 1 + the numbers that a die may show.
@lru_cache(maxsize=64)
def die_table(rules: Rules) -> NDArray[np.int64]:
    """The dice as kernels take them: int64 (D, 5), [die, 0] the lane that it moves, [die, n] the ways to show n.

    Ways are out of six, over both colours for the grey die, whose lane is the first crazy camel's. A die that the rules
    do not have shows nothing.
    """
    table = np.zeros((SUPPORT + MAX_RACING, 1 + MOST_SHOWN), np.int64)
    for sign, bit in rules.dice.items():
        row = table[bit.bit_length() - 1]
        row[0] = CRAZY_LANE if sign == "#" else rules.lanes[sign[0]]
        for face in rules.faces[sign]:
            row[face.number] += face.weight
    return table


def _set_of(flags: ArrayLike, members: Sequence[int], boards: int, name: str) -> NDArray[np.int64]:
    given = np.asarray(flags) != 0
    if given.shape != (boards, len(members)):
        raise RulesError(f"{name} of shape ({boards}, {len(members)}), not {given.shape}")
    sets = np.zeros(boards, np.int64)
    for column, bit in enumerate(members):
        sets |= np.where(given[:, column], bit, 0)
    return sets


def _refuse(wrong: NDArray[np.bool_], what: str) -> None:
    if wrong.any():
        raise RulesError(f"board {int(np.argmax(wrong))}: {what}")
