"""Who wins the game? Bots play it out from where it stands, many times, on the same dice for all that is compared."""

from __future__ import annotations

from bisect import bisect
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import Executor
from dataclasses import dataclass
from itertools import accumulate
from math import nan, sqrt
from random import Random
from typing import TYPE_CHECKING, Final, NamedTuple

import numpy as np
from numpy.typing import NDArray

from camelodds.errors import GameError, whole_number
from camelodds.ev.finish_cards import DECKS, Beliefs, Prior, Seat, check_prior
from camelodds.ev.outlook import worths_of
from camelodds.game.act import FACE_DOWN
from camelodds.game.game import Game, state_of
from camelodds.game.state import State
from camelodds.game.step import next_leg, returns
from camelodds.game.turn import legal_names, player_to_move
from camelodds.parallel import go_on, spread
from camelodds.play.bots import Bot, as_seen
from camelodds.play.tournament import Dice, named_bot, turns
from camelodds.progress import Progress, reporting

if TYPE_CHECKING:
    import pandas as pd

    from camelodds.show.table import Kind, Table, Value

BLOCK: Final = 4
"""Games that are one piece of work, each with every action."""
AS_THE_BOT: Final = "as the bot"
"""In place of an action's name: what the bot of the player to move does."""

Bots = str | Bot | Sequence[str | Bot] | Mapping[str, str | Bot]
"""One for all, or one for each player, in seating order or by name."""
Floats = NDArray[np.float64]


# Axes: A actions in the order asked, G games, P players in seating order.
@dataclass(frozen=True, eq=False, repr=False)
class WinChances:
    """How the games went on from one position.

    Parameters
    ----------
    game : Game
        The game that was asked about.
    bots : tuple of str
        Who played, by player.
    seed : int
        Where dice and cards face down come from.
    actions : tuple of str
        What was compared; "as the bot" where no action was asked about.
    results : int64 (A, G, P)
        Everyone's final money. Game g has the same dice and the same cards for all actions.
    """

    game: Game
    bots: tuple[str, ...]
    seed: int
    actions: tuple[str, ...]
    results: NDArray[np.int64]

    @property
    def players(self) -> tuple[str, ...]:
        """Their names, in seating order."""
        return self.game.state.names

    @property
    def games(self) -> int:
        """How many games were played with each action."""
        return len(self.results[0])

    @property
    def shares(self) -> Floats:
        """float64 (A, G, P): 1 for who has the most money, shared between those who tie."""
        most = self.results == self.results.max(axis=2, keepdims=True)
        found: Floats = most / most.sum(axis=2, keepdims=True)
        return found

    @property
    def wins(self) -> Floats:
        """float64 (A, P): the chance to win."""
        found: Floats = self.shares.mean(axis=1)
        return found

    @property
    def stderr(self) -> Floats:
        """float64 (A, P): the standard errors of `wins`; nan for a single game."""
        return _errors(self.shares)

    @property
    def money(self) -> Floats:
        """float64 (A, P): final money, on average."""
        found: Floats = self.results.mean(axis=1)
        return found

    @property
    def money_stderr(self) -> Floats:
        """float64 (A, P): the standard errors of `money`; nan for a single game."""
        return _errors(self.results)

    @property
    def difference(self) -> Floats:
        """float64 (A, P): how much likelier a win is than after the first action."""
        return self.wins - self.wins[:1]

    @property
    def difference_stderr(self) -> Floats:
        """float64 (A, P): the standard errors of `difference`, taken game by game on the same dice."""
        shares = self.shares
        return _errors(shares - shares[:1])

    @property
    def frame(self) -> pd.DataFrame:
        """Wins, money and difference with their standard errors, by action and player."""
        import pandas as pd

        index = pd.MultiIndex.from_product([self.actions, self.players], names=["action", "player"])
        names = ("wins", "stderr", "money", "money_stderr", "difference", "difference_stderr")
        return pd.DataFrame({name: getattr(self, name).ravel() for name in names}, index=index)

    def table(self) -> Table:
        """Everyone's chance to win; of several actions, a row for each, with the difference to the first."""
        from camelodds.show.table import Estimate, Table

        def sure(value: float, error: float) -> Value:
            return Estimate(float(value), float(error)) if error > 0 else float(value)

        wins, errors = self.wins, self.stderr
        columns: list[tuple[str, Kind]]
        rows: list[tuple[str, list[Value]]] = []
        if len(self.actions) == 1:
            label, columns = "player", [("wins", "share"), ("money", "number")]
            money, money_errors = self.money[0], self.money_stderr[0]
            for player, name in enumerate(self.players):
                won = sure(wins[0, player], errors[0, player])
                rows.append((name, [won, sure(money[player], money_errors[player])]))
        else:
            label, mover = "action", player_to_move(_under_way(self.game.state))
            columns = [(name, "share") for name in self.players]
            columns.append((f"{self.players[mover]}: to the first", "share"))
            more, more_errors = self.difference, self.difference_stderr
            for number, action in enumerate(self.actions):
                values = [sure(*pair) for pair in zip(wins[number], errors[number], strict=True)]
                gap = sure(more[number, mover], more_errors[number, mover]) if number else None
                rows.append((action, [*values, gap]))
        first = "" if len(self.actions) > 1 or self.actions[0] == AS_THE_BOT else f", after {self.actions[0]}"
        games = "1 game" if self.games == 1 else f"{self.games:,} games"
        notes = [f"{games} played out by {', '.join(dict.fromkeys(self.bots))}{first}; seed {self.seed}"]
        return Table(str(self.game), label, columns, rows, notes, camels=False)

    def __repr__(self) -> str:
        from camelodds.show.table import plain

        return plain(self.table())

    def _repr_html_(self) -> str:
        from camelodds.show.html import table_html

        return table_html(self.table())


def win_chances(
    game: Game,
    bots: Bots = "greedy",
    games: int = 200,
    seed: int = 0,
    actions: Sequence[str] | None = None,
    prior: Prior = "odds",
    executor: Executor | None = None,
    progress: Progress | bool | None = None,
) -> WinChances:
    """Each player's chance to win the game, by playing it out from here.

    Parameters
    ----------
    game : Game
        Any game with players. Finish cards face down are drawn for each game; an owner's are of different colours.
    bots : str, callable, sequence or mapping
        Who plays on: a name as for `tournament` or a function, one for all, or one for each player in seating order
        or by name. A bot sees the finish cards of others face down.
    games : int
        How often the game is played out with each action.
    seed : int
        The same seed gives the same games, to the bit, whatever the executor.
    actions : sequence of str, optional
        First acts of the player to move that are compared, all on the same dice and cards. By default the player's bot
        chooses.
    prior : str or mapping
        What is believed of cards face down, as in `actions`: "odds", "none", or probabilities. A card that is believed
        to be none of the camels is wrong.
    executor : Executor, optional
        Where to play, by default here. Processes need bots that are functions of a module.
    progress : callable or bool, optional
        Called with the games done and all games; True for a bar on standard error.

    Returns
    -------
    WinChances
        With standard errors, also of the differences to the first action.

    Raises
    ------
    GameError
        For a game without players or where nobody knows whose turn it is, an action that is not allowed, a bot that is
        none, or a prior that cards cannot be drawn by.
    RulesError
        For a number of games or a seed that is none.

    Examples
    --------
    >>> import camelodds as co
    >>> game = co.Game.parse("13:bg 15:o 16:yw / y | ana money=9 | ben money=2 | to_move ana", edition="first")
    >>> found = win_chances(game, games=20, actions=["reveal", "ticket y5"])
    >>> found.wins.shape, found.wins.sum(axis=1)
    ((2, 2), array([1., 1.]))
    """
    state = _under_way(state_of(game))
    if not state.names:
        raise GameError("no player is named: who could win?")
    if (games := whole_number(games, "the number of games")) < 1:
        raise GameError(f"at least one game is played, not {games}")
    seed = whole_number(seed, "the seed")
    seats = _seats(bots, state.names)
    wanted = _wanted(state, actions)
    if not state.board.race_over:
        state = state._replace(mover=player_to_move(state))
    check_prior(state.rules, prior)
    if prior == "all":
        raise GameError('cards cannot be drawn by the prior "all": expected "odds", "none" or probabilities by colour')
    hands = _hands(worths_of(state, prior).beliefs) if state.face_down() else ()
    pieces = (
        _Piece(state, tuple(bot for _, bot in seats), wanted, hands, seed, start, min(games, start + BLOCK))
        for start in range(0, games, BLOCK)
    )
    found: list[NDArray[np.int64]] = []
    with reporting(progress, "games") as tell:
        for part in map(_Piece.play, pieces) if executor is None else spread(_Piece.play, pieces, executor):
            go_on()
            found.append(part)
            tell(min(games, len(found) * BLOCK), games)
    results = np.concatenate(found, axis=1)
    results.setflags(write=False)
    return WinChances(game, tuple(name for name, _ in seats), seed, wanted, results)


class _Hand(NamedTuple):
    """What an owner's finish cards may be: their seats, ways to turn them up, None for a wrong one, and their sums."""

    seats: tuple[Seat, ...]
    ways: tuple[tuple[str | None, ...], ...]
    sums: tuple[float, ...]

    def drawn(self, rng: Random) -> Iterator[tuple[Seat, str | None]]:
        way = bisect(self.sums, rng.random() * self.sums[-1], hi=len(self.ways) - 1)
        return zip(self.seats, self.ways[way], strict=True)


@dataclass(frozen=True)
class _Piece:
    """Games with the numbers from start to end, each with every action."""

    state: State
    bots: tuple[Bot, ...]
    actions: tuple[str, ...]
    hands: tuple[_Hand, ...]
    seed: int
    start: int
    end: int

    def play(self) -> NDArray[np.int64]:
        """int64 (A, G, P): final money."""
        numbers = range(self.start, self.end)
        return np.array(
            [[self._money(action, f"{self.seed}/{number}") for number in numbers] for action in self.actions]
        )

    def _money(self, action: str, seed: str) -> list[int]:
        """Everyone's final money in one game."""
        state = _dealt(self.state, self.hands, Random(f"{seed}/cards"))
        first = [] if action == AS_THE_BOT else [action]

        def seat(bot: Bot) -> Bot:
            return lambda game, rng: first.pop() if first else _shown(bot(as_seen(game), rng))

        seats = {name: seat(bot) for name, bot in zip(state.names, self.bots, strict=True)}
        for _, later in turns(state, seats, Dice(seed), Random(f"{seed}/bots")):
            state = later
        money = returns(_wrong_turned_up(state))
        return [money[name] for name in state.names]


def _shown(action: str) -> str:
    """A bot's action. Raises GameError for a card without a colour, which could not be paid."""
    if isinstance(action, str) and FACE_DOWN in action:
        raise GameError(f"a bot gave {action!r}: expected a card's colour, others see it face down anyway")
    return action


def _under_way(state: State) -> State:
    """The state at the next leg's start where a leg is over and not scored yet."""
    return state if state.board.reveals or state.board.race_over else next_leg(state)


def _seats(bots: Bots, names: tuple[str, ...]) -> list[tuple[str, Bot]]:
    """Each player's bot, and what it is called."""
    if isinstance(bots, str) or callable(bots):
        return [named_bot(bots)] * len(names)
    if isinstance(bots, Mapping):
        if set(bots) != set(names):
            raise GameError(
                f"bots by player: expected one for each of {', '.join(names)}, not {', '.join(map(str, bots))}"
            )
        return [named_bot(bots[name]) for name in names]
    if not isinstance(bots, Sequence):
        raise GameError(f"bots are names or functions, one for all or one for each player, not {bots!r}")
    if len(bots) != len(names):
        raise GameError(f"{len(bots)} bots for {len(names)} players: expected one for all, or one for each player")
    return [named_bot(bot) for bot in bots]


def _wanted(state: State, actions: Sequence[str] | None) -> tuple[str, ...]:
    """The actions to compare, as they are named. Raises GameError for what the player to move cannot do."""
    if actions is None:
        return (AS_THE_BOT,)
    if isinstance(actions, str) or not all(isinstance(action, str) for action in actions):
        raise GameError(f'actions to compare are several names, such as ["reveal", "ticket r5"], not {actions!r}')
    wanted = tuple(" ".join(action.split()) for action in actions)
    if not wanted or len(set(wanted)) < len(wanted):
        raise GameError("actions to compare: expected at least one, and none twice")
    player = player_to_move(state)
    legal = legal_names(state)
    for action in wanted:
        if action not in legal or FACE_DOWN in action:
            raise GameError(f"{action!r} is not allowed here: expected one of {', '.join(legal)}")
        if action.partition(" ")[0] in DECKS and None in state.cards_of(player):
            raise GameError(
                f"{action!r}: what {state.names[player]} has placed face down may be that card; turn it up first"
            )
    return wanted


def _hands(beliefs: Beliefs) -> tuple[_Hand, ...]:
    """What every owner's cards may be, those that are known included."""
    racing, found = beliefs.rules.racing, []
    for owner, seats in beliefs.owners.items():
        weights, hits = beliefs.believed(owner)
        ways = [tuple(racing[int(row.argmax())] if row.any() else None for row in way) for way in hits]
        likely = [(way, float(weight)) for way, weight in zip(ways, weights, strict=True) if weight > 0]
        sums = tuple(accumulate(weight for _, weight in likely))
        found.append(_Hand(tuple(seats), tuple(way for way, _ in likely), sums))
    return tuple(found)


def _dealt(state: State, hands: tuple[_Hand, ...], rng: Random) -> State:
    """The state with cards drawn for those face down; one that is drawn as wrong stays so."""
    decks = [list(state.winner), list(state.loser)]
    for hand in hands:
        for seat, colour in hand.drawn(rng):
            decks[seat.deck][seat.number] = decks[seat.deck][seat.number][0], colour
    return state._replace(winner=tuple(decks[0]), loser=tuple(decks[1]))


def _wrong_turned_up(state: State) -> State:
    """The state at the race's end, each card that is still face down of a camel that it is wrong for."""
    ranking = state.board.ranking
    winner = tuple((owner, colour or ranking[-1]) for owner, colour in state.winner)
    return state._replace(winner=winner, loser=tuple((owner, colour or ranking[0]) for owner, colour in state.loser))


def _errors(values: NDArray[np.float64] | NDArray[np.int64]) -> Floats:
    """float64 (A, P): the standard errors of means over games."""
    games = values.shape[1]
    if games == 1:
        return np.full((values.shape[0], values.shape[2]), nan)
    found: Floats = values.std(axis=1, ddof=1) / sqrt(games)
    return found
