"""What every action is worth (docs/rules.md, sections 6 to 8).

The expected value of an action is the player's expected money after it less that before it, everything else going on
as it stands: the leg is rolled to its end, nobody else acts. Revealing a die is then worth its pyramid ticket,
exactly 1.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Final

from camelodds.errors import GameError
from camelodds.ev.finish_cards import Prior
from camelodds.ev.plan import Others
from camelodds.ev.turn import Action, Floor, Turn
from camelodds.game.act import REVEAL, misspelt
from camelodds.game.game import Game

if TYPE_CHECKING:
    import pandas as pd

    from camelodds.show.table import Kind, Table, Value


def actions(
    game: Game,
    player: str | None = None,
    *,
    prior: Prior = "odds",
    floor: Floor = "none",
    support: bool = False,
    legal: bool = True,
    exact: bool = False,
    others_by_player: bool = False,
    ahead: Others | None = None,
) -> pd.DataFrame:
    """Every action of a player and what it is worth, best first.

    The expected value of an action is the player's expected money after it less that before it, everything else going
    on as it stands: the leg is rolled to its end, nobody else acts.

    Parameters
    ----------
    game : Game
        The game as it stands.
    player : str, optional
        Whose actions; by default those of the player to move.
    prior : {"odds", "none", "all"} or mapping
        What finish cards face down are taken for: by the race odds, over the colours that their owner may still hold;
        none or as many as possible of them right; or own probabilities by colour, for both decks or under "winner" and
        "loser". An owner's cards are of different colours. It matters: at the 2nd edition's start
        ``1:rb 2:g 3:yp 14:K 15:W``, with one card face down on the winner deck, ``winner p`` is worth 1.05 by "none",
        0.90 by "odds" and 0.37 by "all".
    floor : {"none", "zero"}
        "zero" if nobody drops below 0: in this leg's netted scoring, then card by card, winner deck first. For a
        player with cards in both decks who may run short between them, who wins and who loses the race is taken as
        independent; `error` then has a bound of what that can be off, usually far above what it is.
    support : bool
        Whether to add, in the spicy Supercup, each action with each support die put in after it; after ``reveal`` the
        die is chosen when the roll is known, so there is one row, ``reveal + support``, with the best choice or none.
    legal : bool
        False for a row for what is not allowed too, with the rule that forbids it, and for what has no numbers: what
        depends on the player's own finish cards where they lie face down; and with floor "zero" and simulated races,
        actions after which somebody may be too poor for their finish cards.
    exact : bool
        Whether `ev`, `p_gain`, `others` and `reply` are fractions where no race odds take part, otherwise floats.
    others_by_player : bool
        Whether to add a column ``others NAME`` for each other player, and with `ahead` ``ahead_others NAME``.
    ahead : {"best", "greedy"}, optional
        How the others play on; adds two columns, and the best by the first of them comes first:

        - ``ahead``: the pounds that the player expects until the leg's end when everybody plays on, as in
          `look_ahead`: the row's own `ev`, and what the player still gains when the turn passes on. Of a reveal that is
          1 and what follows.
        - ``ahead_others``: the same of all others, summed.

        Only reveals and tickets are played on. Later tiles, cards and other bets, the extra step of the spicy Supercup
        and the floor are outside the model: a tile is laid now or never, and ``reveal + support`` has no value. What
        changes the board or takes a ticket from the bottom needs a solve of its own: all of them if that takes about a
        second, else the five best by `ev`, the rest empty.

    Returns
    -------
    DataFrame
        A row for each action with the columns of `Action`; without `legal` also ``rule``. ``lead`` is the chance that
        the player has most money after this leg's scoring, a tie shared; what tiles and the photo bring until then is
        not in it.

    Raises
    ------
    GameError
        When the leg or the race is over, for an unknown player, for a wrong prior or floor, and with floor "zero" if no
        action has numbers since a table of the race is needed and not at hand.

    Examples
    --------
    >>> import camelodds as co
    >>> game = co.Game.parse("6:bg 8:wy 9:o / gow | ana o5 pyramid=1 | ben y5 pyramid=1 | to_move ana", "first")
    >>> evs = co.actions(game, exact=True).set_index("action").ev
    >>> evs["reveal"], evs["ticket y3"]
    (Fraction(1, 1), Fraction(95, 81))
    """
    import pandas as pd

    rows = action_table(game, player, prior=prior, floor=floor, support=support, legal=legal, exact=exact, ahead=ahead)
    names = [each.name for each in fields(Action) if each.name not in BESIDE]
    names += ["ahead", "ahead_others"] if ahead else []
    frame = pd.DataFrame({name: [getattr(row, name) for row in rows] for name in names})
    if others_by_player:
        for name in next((row.by_player for row in rows if row.by_player is not None), {}):
            frame[f"others {name}"] = pd.Series([row.by_player[name] if row.by_player else None for row in rows])
    if others_by_player and ahead:
        for name in next((row.ahead_by_player for row in rows if row.ahead_by_player is not None), {}):
            found = [row.ahead_by_player[name] if row.ahead_by_player else None for row in rows]
            frame[f"ahead_others {name}"] = pd.Series(found)
    if not legal:
        frame["rule"] = [row.rule for row in rows]
    return frame


def action_table(
    game: Game,
    player: str | None = None,
    *,
    prior: Prior = "odds",
    floor: Floor = "none",
    support: bool = False,
    legal: bool = True,
    exact: bool = False,
    ahead: Others | None = None,
) -> list[Action]:
    """Every action of a player and what it is worth, as values, best first: the rows of `actions`.

    Parameters
    ----------
    game, player, prior, floor, support, legal, exact, ahead
        As for `actions`, which raises the same errors.

    Returns
    -------
    list of Action
    """
    turn = Turn(game, player, prior, floor, exact, ahead)
    rows = turn.rows([option for option in turn.options(support) if not legal or option.rule is None])
    if legal:
        rows = [row for row in rows if row.rule is None]
    rows.sort(key=lambda row: (row.ev is None, -row.ev if row.ev is not None else 0))
    if ahead:
        places = {camel: place for place, camel in enumerate(turn.start.board.ranking)}
        rows.sort(key=lambda row: (row.ahead is None, -(row.ahead or 0), _comes_after(row, places)))
    return rows


def _comes_after(row: Action, places: dict[str, int]) -> int:
    """Of rows equal when all play on, a reveal comes first, then tickets, that of the camel ahead now first."""
    if row.kind == "ticket":
        return places[row.action.split()[1][0]]
    return -1 if row.kind == REVEAL.kind else len(places)


SAME: Final = 1e-9
"""Pounds by which actions must differ to be told apart: some values are floats."""


def why_ahead(rows: Sequence[Action]) -> str | None:
    """Why another action is best when everybody plays on than by ev alone, in a sentence or two.

    Parameters
    ----------
    rows : sequence of Action
        As `action_table` gives them with `ahead`.

    Returns
    -------
    str or None
        None where both agree, or where nothing was looked ahead from.

    Examples
    --------
    >>> import camelodds as co
    >>> cards = "winner ana=b ana=g ana=o ana=y ana=w"
    >>> text = f"5:b 7:g 8:oyw / boyw | ana | ben | cat | dan | {cards} | taken y5 w5 w3 | to_move ana"
    >>> rows = action_table(co.Game.parse(text, edition="first"), ahead="best")
    >>> print(why_ahead(rows))  # doctest: +NORMALIZE_WHITESPACE
    By ev alone reveal is best. When everybody plays on it is tile -11, by 0.66 pounds: its ev is 0.97 and 2.09 more
    follow until the leg's end, after reveal 1.40. A reveal serves the next player, who chooses first and knows the
    roll.
    """
    known = [row for row in rows if row.ahead is not None and row.ev is not None]
    if not known:
        return None
    alone = max(known, key=lambda row: row.ev or 0)
    best = max(known, key=lambda row: row.ahead or 0)
    ev, best_ev, ahead, best_ahead = (float(n or 0) for n in (alone.ev, best.ev, alone.ahead, best.ahead))
    if ev - best_ev < SAME or best_ahead - ahead < SAME:
        return None
    said = (
        f"By ev alone {alone.action} is best. When everybody plays on it is {best.action}, by "
        f"{best_ahead - ahead:.2f} pounds: its ev is {best_ev:.2f} and {best_ahead - best_ev:.2f} more follow until "
        f"the leg's end, after {alone.action} {ahead - ev:.2f}."
    )
    if alone.kind == REVEAL.kind:
        said += " A reveal serves the next player, who chooses first and knows the roll."
    return said


def action(
    game: Game,
    name: str,
    player: str | None = None,
    *,
    prior: Prior = "odds",
    floor: Floor = "none",
    exact: bool = False,
) -> Action:
    """What one action is worth.

    Parameters
    ----------
    game, player, prior, floor, exact
        As for `action_table`.
    name : str
        "reveal", "ticket r3", "tile +7", "winner g", "camera 8", "partner ben", ...

    Returns
    -------
    Action

    Raises
    ------
    GameError
        As `action_table`; also for an action that is not allowed, with the rule that forbids it, for one that depends
        on the player's own cards face down, and for a name that is no action's, with those that come close.
    """
    turn = Turn(game, player, prior, floor, exact)
    wanted = " ".join(name.split())
    found = {option.name: option for option in turn.options("+ support" in wanted)}
    if wanted not in found:
        raise GameError(misspelt(wanted, list(found)))
    if rule := found[wanted].rule:
        raise GameError(f"{wanted} is not allowed: {rule}")
    if rule := turn.unknown(found[wanted]):
        raise GameError(f"{wanted} has {rule}")
    return turn.row(found[wanted])


BESIDE: Final = ("by_player", "rule", "ahead", "ahead_by_player")
"""Fields of an action that are no column, or one on request only."""
COLUMNS: Final[Sequence[tuple[str, Kind]]] = (
    ("ev", "pounds"),
    ("sd", "number"),
    ("p_gain", "share"),
    ("worst", "number"),
    ("best", "number"),
    ("others", "pounds"),
    ("reply", "pounds"),
)
"""The numbers of an action that a table shows, and how each is written."""
AHEAD_COLUMNS: Final[Sequence[tuple[str, Kind]]] = (("ahead", "pounds"), ("ahead_others", "pounds"))
"""Before them, where it was asked how everybody plays on."""


SEEN: Final = 5e-5
"""Errors below it are not seen in what tables show."""


def actions_table(title: str, rows: Iterable[Action], *, every_tile: bool = False, exact: bool = False) -> Table:
    """What each action is worth, in the order given; the rule that forbids it where there is one.

    Parameters
    ----------
    title : str
        What the table is about.
    rows : iterable of Action
        As `action_table` gives them.
    every_tile : bool
        Whether tiles on which nothing lands have a row each; there can be thirty of them, and they are one otherwise.
    exact : bool
        Whether fractions are shown as such.

    Returns
    -------
    Table
        Numbers that are known up to an error that would be seen are shown with it. Where it was looked ahead, a note
        tells why that changes the best action, if it does.
    """
    from camelodds.show.table import Table

    given = list(rows)
    numbers = [*(AHEAD_COLUMNS if any(row.ahead is not None for row in given) else ()), *COLUMNS]
    actions = given if every_tile else _folded(given)
    ruled = any(action.rule for action in actions)
    columns = [(name.replace("_", " "), kind) for name, kind in numbers]
    estimated = any((action.error or 0.0) >= SEEN for action in actions)
    notes = ["± the standard error of simulated races, or a bound of the floor at zero; the rest is exact"] * estimated
    if len(actions) < len(given):
        notes.append(f"{len(given) - len(actions) + 1} tiles: all those on which nothing can land in this leg")
    if why := why_ahead(given):
        notes.append(why)
    names = [name for name, _ in numbers]
    return Table(
        title=title,
        label="action",
        columns=[*columns, ("rule", "text")] if ruled else columns,
        rows=[
            (action.action, [*_values(action, names, exact), *([action.rule] if ruled else [])]) for action in actions
        ],
        notes=notes,
        camels=False,
    )


def _values(action: Action, names: Iterable[str], exact: bool) -> list[Value]:
    """The numbers of an action as a table shows them. A card's chance to gain is as far off as its share of the ev."""
    from camelodds.show.table import Estimate

    error = action.error or 0.0
    card = action.kind in ("winner", "loser")
    values: list[Value] = []
    for name in names:
        number = getattr(action, name)
        if number is None:
            values.append(None)
        elif exact and isinstance(number, Fraction):
            values.append(str(number))
        elif error >= SEEN and (name in ("ev", "ahead") or (name == "others" and number)):
            values.append(Estimate(float(number), error))
        elif error >= SEEN and card and name == "p_gain":
            values.append(Estimate(float(number), error / ((action.best or 0) + 1)))
        else:
            values.append(round(float(number), 2) if error >= SEEN and name == "sd" else float(number))
    return values


def lands_nothing(action: Action) -> bool:
    """Whether this is a tile on which nothing can land in this leg."""
    return action.kind == "tile" and action.worst == action.best == 0


def _folded(rows: list[Action]) -> list[Action]:
    """The rows with the tiles on which nothing lands as one, in the place of the first."""
    idle = [row for row in rows if lands_nothing(row)]
    if len(idle) < 2:
        return rows
    label = f"{len(idle)} tiles"  # short, since it makes the whole column wide; a note says what they are
    differ: dict[str, Any] = {name: None for name, _ in COLUMNS if len({getattr(row, name) for row in idle}) > 1}
    if any(row.ahead != idle[0].ahead for row in idle):
        differ |= {"ahead": None, "ahead_by_player": None}
    one = replace(idle[0], action=label, **differ)
    return [one if row is idle[0] else row for row in rows if row is idle[0] or row not in idle]
