"""What each player holds is worth: the coming leg scoring, tiles and photo, finish cards (docs/rules.md, section 7)."""

from __future__ import annotations

from dataclasses import dataclass, fields
from fractions import Fraction
from math import sqrt
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from camelodds.ev.counts import LegCount
from camelodds.ev.expectation import Worths
from camelodds.ev.finish_cards import Prior
from camelodds.game.game import Game, state_of
from camelodds.game.payoffs import scoring
from camelodds.game.state import State

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True)
class HeldBets:
    """One player's bets in pounds, if the leg is rolled to its end and nobody acts.

    money : now     scoring : the chance of each sum that the leg's scoring brings, all bets netted, no floor
    mean, sd, worst, best : of the scoring
    ahead : the chance to have most money after it, alone     level : to have most, as others do; both count money and
        scoring, not what tiles and the photo bring until then
    tile, photo : expected from landings and from the photo until the leg's end
    winner, loser : what the finish cards are expected to pay     cards_error : the error of both together
    """

    player: str
    money: int
    mean: Fraction
    sd: float
    worst: int
    best: int
    ahead: Fraction
    level: Fraction
    tile: Fraction
    photo: Fraction
    winner: float
    loser: float
    cards_error: float
    scoring: dict[int, Fraction]


def holdings(game: Game, *, prior: Prior = "odds") -> pd.DataFrame:
    """What every player's bets are worth.

    Parameters
    ----------
    game : Game
        The game as it stands.
    prior : {"odds", "none", "all"} or mapping
        What is believed of finish cards that are face down, as for `actions`.

    Returns
    -------
    DataFrame
        In seating order, by player, with the columns of `HeldBets` in pounds and probabilities; fractions as floats,
        but for those in the column `scoring`.

    Raises
    ------
    GameError
        For a wrong prior.

    Examples
    --------
    >>> import camelodds as co
    >>> game = co.Game.parse("5:rg 7:y 8:pb 12:KW / ryp# | ana b5 | ben y5 | cem | to_move ana")
    >>> co.holdings(game)[["money", "mean", "worst", "best"]].round(3)
            money   mean  worst  best
    player
    ana         3  2.509     -1     5
    ben         3  1.213     -1     5
    cem         3  0.000      0     0
    """
    import pandas as pd

    rows = holding_table(game, prior=prior)
    columns = {each.name: [getattr(row, each.name) for row in rows] for each in fields(HeldBets)}
    floats = {
        name: [float(value) if isinstance(value, Fraction) else value for value in values]
        for name, values in columns.items()
    }
    return pd.DataFrame(floats).set_index("player")


def holding_table(game: Game, *, prior: Prior = "odds") -> list[HeldBets]:
    """What every player's bets are worth, in seating order; the leg's part exact.

    prior : of finish cards face down, as for `action_table`. Raises GameError for a wrong prior.
    """
    start = state_of(game)
    worths = Worths(start, prior)
    worths.prepare([start])
    leg = worths.legs.leg(start.board)
    pays = np.array([_scoring(start, player) for player in range(len(start.names))], np.int64)
    money = pays + np.array(start.money, np.int64).reshape(-1, 1)
    return [_held(worths, player, pays[player], money, leg) for player in range(len(start.names))]


def _scoring(start: State, player: int) -> NDArray[np.int64]:
    return scoring(start.board.rules.racing, start.holdings[player], start.partner_of(player))


# Axes: P players, R rankings.
def _held(worths: Worths, player: int, pays: NDArray[np.int64], money: NDArray[np.int64], leg: LegCount) -> HeldBets:
    start, rankings, total = worths.start, leg.rankings, leg.total
    ways = {int(pounds): int(rankings[pays == pounds].sum()) for pounds in np.unique(pays)}
    chances = {pounds: Fraction(count, total) for pounds, count in ways.items() if count}
    mean = sum((pounds * chance for pounds, chance in chances.items()), Fraction(0))
    variance = sum((pounds - mean) ** 2 * chance for pounds, chance in chances.items())
    most = money[player] == money.max(axis=0)
    alone = most & ((money == money.max(axis=0)).sum(axis=0) == 1)
    board = start.board
    landings = sum(int(leg.landings[tile.space]) for tile in board.tiles if tile.owner == start.names[player])
    photo = 0
    if start.camera and start.camera[1] == player:
        marks = worths.legs.marks(board, -start.camera[0])
        photo = sum(camels * count for camels, count in marks.items())
    winner, winner_error = worths.cards(start._replace(loser=()), player)
    loser, loser_error = worths.cards(start._replace(winner=()), player)
    return HeldBets(
        player=start.names[player],
        money=start.money[player],
        mean=mean,
        sd=sqrt(variance),
        worst=min(chances),
        best=max(chances),
        ahead=Fraction(int(rankings[alone].sum()), total),
        level=Fraction(int(rankings[most & ~alone].sum()), total),
        tile=Fraction(landings, total),
        photo=Fraction(photo, total),
        winner=winner,
        loser=loser,
        cards_error=winner_error + loser_error,
        scoring=chances,
    )
