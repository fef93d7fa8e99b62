"""A game played step by step: who may do what, what it leads to, what the dice can show, who gets what.

The loop of docs/rules.md, sections 2, 7 and 8, on `Game` values. What is allowed and what it leads to is `choices`'
to say, what bets pay that of `bets`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from fractions import Fraction
from random import Random
from typing import NamedTuple

from camelodds.errors import GameError
from camelodds.ev.expectation import Situation, situation_of
from camelodds.game.game import Game, Player, whose_turn
from camelodds.game.legal import choices, misspelt, no_support_because, revealed, support_steps, with_support
from camelodds.game.payoffs import Card, card_pays, scoring
from camelodds.odds.leg import ranking_names
from camelodds.position.board import Board, Roll
from camelodds.rules import Rules, rules_of

Shown = tuple[str, int]
"""What a revealed die shows, as `Board.roll` takes it: ("r", 2), ("r+", 1), or the grey die as ("white", 3)."""
FACE_DOWN = "?"
"""In place of a finish card's colour: `winner ?` is a card that nobody else knows."""


class Steps(NamedTuple):
    """A turn in its parts.

    acted : after the action, a revealed die not yet rolled     rolled : after its roll
    done : after the extra step of the spicy Supercup; the leg, if over, is not scored yet
    """

    acted: Situation
    rolled: Situation
    done: Situation


def legal_actions(game: Game, roll: Shown | None = None) -> list[str]:
    """Names of all that the player to move may do: see `Game.legal_actions`."""
    if game.board.race_over:
        return []
    me = mover(game)
    now = situation_of(game)
    if roll is not None:
        after = revealed(now, me, _as_roll(roll))
        colours = [colour for colour in _spicy(game.rules) if not no_support_because(after, me, colour)]
        return ["reveal", *(f"reveal + support {colour}" for colour in colours)]
    found = [choice for choice in choices(now, me) if choice.rule is None]
    if game.rules.spicy:
        found += [step for choice in found[1:] for step in support_steps(choice, me) if step.rule is None]
    return [choice.name for choice in found]


def apply(game: Game, action: str, roll: Shown | None = None) -> Game:
    """The game after the action of the player to move: see `Game.apply`."""
    if not game.players:
        return _board_only(game, action, roll)
    return closed(steps(game, action, roll).done, following(game, mover(game)))


def steps(game: Game, action: str, roll: Shown | None = None) -> Steps:
    """The action of the player to move, in its parts. Raises as `Game.apply`."""
    me = mover(game)
    name = " ".join(action.split())
    plain, _, extra = name.partition(" + support ")
    if plain == "reveal":
        return _reveal(situation_of(game), me, extra, roll)
    if roll is not None:
        raise GameError(f"{name} reveals no die: a roll comes with reveal only")
    after = _chosen(situation_of(game), me, name)
    return Steps(after, after, after)


def closed(now: Situation, to_move: str | None) -> Game:
    """The game of a situation, its leg scored and the next one begun if the leg, and not the race, is over."""
    game = game_of(now, to_move)
    return next_leg(game) if now.board.leg_over and not now.board.race_over else game


def next_leg(game: Game) -> Game:
    """The game at the next leg's start: see `Game.next_leg`."""
    board = game.board.next_leg()
    players = {name: Player(money) for name, money in zip(game.players, scored(situation_of(game)), strict=True)}
    return Game(board, players, game.winner_cards, game.loser_cards, game.to_move)


def chance_outcomes(game: Game) -> list[tuple[Shown, Fraction]]:
    """What the next reveal can show: see `Game.chance_outcomes`."""
    total = 6 * game.board.pyramid.bit_count()
    return [((roll.shows, roll.number), Fraction(roll.weight, total)) for roll in game.board.rolls()]


def returns(game: Game) -> dict[str, int]:
    """Final money by player: see `Game.returns`."""
    if not game.board.race_over:
        raise GameError(f"the race goes on: nobody knows what it pays yet ({game.board})")
    money = dict(zip(game.players, scored(situation_of(game)), strict=True))
    ranking = game.board.ranking
    for deck, right in ((game.winner_cards, ranking[0]), (game.loser_cards, ranking[-1])):
        for name, pounds in card_rewards(game.rules, deck, right):
            money[name] = max(0, money[name] + pounds)
    return money


def card_rewards(rules: Rules, deck: Sequence[Card], right: str) -> list[tuple[str, int]]:
    """What each finish card of a deck pays its owner, in the order placed, when the camel `right` is right.

    Raises GameError for a card face down (docs/rules.md, section 7).
    """
    rewards, rank = [], 0
    for name, colour in deck:
        if colour is None:
            raise GameError(f"a finish card of {name} is face down: what it pays is not known")
        rewards.append((name, card_pays(rules, rank) if colour == right else -1))
        rank += colour == right
    return rewards


def leg_rewards(now: Situation) -> tuple[int, ...]:
    """What the leg's scoring brings each player on the board as it stands, all bets netted, no floor."""
    racing = now.board.rules.racing
    ranking = ranking_names(racing).index(now.board.ranking)
    return tuple(
        int(scoring(racing, holding, now.partner_of(player))[ranking]) for player, holding in enumerate(now.holdings)
    )


def scored(now: Situation) -> tuple[int, ...]:
    """Each player's money after the leg's scoring; nobody drops below 0."""
    return tuple(max(0, money + pounds) for money, pounds in zip(now.money, leg_rewards(now), strict=True))


def game_of(now: Situation, to_move: str | None) -> Game:
    """The game of a situation."""
    players = {
        name: Player(money, holding.tickets, holding.pyramid, dict(holding.positions))
        for name, money, holding in zip(now.names, now.money, now.holdings, strict=True)
    }
    pairs = [(now.names[one], now.names[other]) for one, other in enumerate(now.partner) if one < other]
    photographer = (now.names[now.camera[1]], now.camera[0]) if now.camera else None
    # Only the spicy Supercup keeps used support dice apart: in the basic one they go back to the pedestal.
    used = now.used_support if now.board.rules.spicy else ()
    return Game(now.board, players, now.winner, now.loser, to_move, photographer, pairs, used, now.taken)


def following(game: Game, player: int) -> str:
    """Who comes after a player, clockwise. The last pyramid ticket's taker acted last, so this holds for a new leg."""
    names = list(game.players)
    return names[(player + 1) % len(names)]


def opening(edition: str | Rules, players: Iterable[str], rng: Random) -> Game:
    """A game at its start: camels on the spaces that their dice show, stacked in the order of a random draw.

    Money and first to move are as the rules and the seating have it (docs/rules.md, section 2). Raises GameError for
    players that can not be, or too few of them.
    """
    rules = rules_of(edition)
    names = list(players)
    if len(names) < rules.players[0]:
        raise GameError(f"{len(names)} players: edition {rules.name} is for at least {rules.players[0]}")
    stacks: dict[int, str] = {}
    for camel in rng.sample(rules.racing, len(rules.racing)) + rng.sample(rules.crazy, len(rules.crazy)):
        number = rng.randint(1, 3)
        space = rules.track + 1 - number if camel in rules.crazy else number
        stacks[space] = stacks.get(space, "") + camel
    return Game(Board.of(stacks, edition=rules), {name: Player(rules.money) for name in names}, to_move=names[0])


def mover(game: Game) -> int:
    """The number of the player to move, in a game in which the leg goes on. Raises GameError."""
    if game.board.race_over:
        raise GameError(f"the race is over: there is no action any more ({game.board})")
    if game.board.leg_over:
        raise GameError(f"the leg is over: next_leg() scores it ({game.board})")
    name = whose_turn(game)
    if name is None:
        raise GameError("whose turn is it? set to_move" if game.players else "no player is named")
    return list(game.players).index(name)


def _as_roll(roll: Shown) -> Roll:
    if not isinstance(roll, (tuple, list)) or len(roll) != 2 or not isinstance(roll[0], str):
        raise GameError(f'a roll is what the die shows, such as ("r", 2) or ("white", 3), not {roll!r}')
    shows, number = roll
    return Roll("#" if shows in ("white", "black") else shows, shows, number, 0)


def _rolled(roll: Shown | None) -> Roll:
    if roll is None:
        raise GameError('a reveal needs what the die showed, such as roll=("r", 2): see chance_outcomes()')
    return _as_roll(roll)


def _reveal(now: Situation, me: int, extra: str, roll: Shown | None) -> Steps:
    acted = next(choices(now, me)).after
    assert acted is not None
    after = revealed(now, me, _rolled(roll))
    if not extra:
        return Steps(acted, after, after)
    rules = now.board.rules
    if not rules.spicy or extra not in rules.racing:
        raise GameError(misspelt(f"reveal + support {extra}", [f"reveal + support {c}" for c in _spicy(rules)]))
    because = no_support_because(after, me, extra)
    if because:
        raise GameError(f"reveal + support {extra} is not allowed: {because}")
    return Steps(acted, after, with_support(after, me, extra))


def _chosen(now: Situation, me: int, name: str) -> Situation:
    """What an action other than reveal leads to."""
    kind, _, colour = name.partition(" ")
    if kind in ("winner", "loser") and colour == FACE_DOWN:
        card = (now.names[me], None)
        return now._replace(winner=(*now.winner, card)) if kind == "winner" else now._replace(loser=(*now.loser, card))
    plain = name.partition(" + support ")[0]
    names = []
    for choice in choices(now, me):
        names.append(choice.name)
        if choice.name != plain:
            continue
        step = choice
        if plain != name and now.board.rules.spicy:
            steps = [each for each in support_steps(choice, me) if each.name == name]
            step = steps[0] if steps else choice
        if step.rule is not None:
            raise GameError(f"{step.name} is not allowed: {step.rule}")
        if step.name == name and step.after is not None:
            return step.after
    raise GameError(misspelt(name, names))


def _spicy(rules: Rules) -> str:
    return rules.racing if rules.spicy else ""


def _board_only(game: Game, action: str, roll: Shown | None) -> Game:
    """Where no player is named, dice are all that happens."""
    if " ".join(action.split()) != "reveal":
        raise GameError(f"no player is named: who does {action!r}?")
    shown = _rolled(roll)
    board = game.board.roll(shown.shows, shown.number)
    return Game(board.next_leg() if board.leg_over and not board.race_over else board)
