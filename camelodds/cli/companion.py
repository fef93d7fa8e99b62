"""`camelodds play`: follow a game by short commands, one a line. It knows no rule itself; all is `History`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from difflib import get_close_matches
from io import TextIOWrapper
from pathlib import Path
from typing import Final, TextIO

from camelodds.errors import GameError
from camelodds.game.game import Game
from camelodds.play.history import History
from camelodds.rules import COLOURS, EDITIONS, SECOND, Rules
from camelodds.show.table import Table, plain

BEST: Final = 10
"""Actions that are shown unless all are asked for."""
MOST_BYTES: Final = 10_000_000
"""Of a file that is loaded."""
HELP: Final = """\
dice      r2, red 2        the red die showed 2        b+1   blue's support die      white 3, black 1   the grey die
actions   take g           the best green ticket       tile +7, tile -7              winner r, loser g, winner ?
          camera 8         position 3 on r5            position 2 on bottom g        partner ben
          ... ben          done by ben, not by whose turn it is                      ... + support b    spicy Supercup
ask       odds             of this leg                 race   of the race            actions [all]      what pays best
          who              whose turn, and what everybody has                        luck               luck and skill
keep      undo, redo       save FILE, load FILE        new EDITION GAME              help, quit
GAME is such as: 1:rb 2:g 3:yp 14:K 15:W | ana | ben money=5 r5 | to_move ben\
"""
WORDS: Final = {"ticket": 2, "tile": 2, "winner": 2, "loser": 2, "camera": 2, "partner": 2, "position": 4}
"""Words of an action before the name of who does it."""

_DIE: Final = re.compile(r"([a-z]+|#)\s*(\+?)\s*([0-9]+)(?:\s+(\S+))?", re.IGNORECASE)
_SUPPORT: Final = re.compile(r"\s*\+\s*support\s+(\S+)")


class QuitError(Exception):
    """The game is left."""


def run(lines_in: Iterable[str], out: TextIO, game: Game | None = None, prompt: str = "", rules: Rules = SECOND) -> int:
    """Follow a game until the lines end or one says quit; 0, since every mistake is answered with a message.

    lines_in : such as sys.stdin     out : where answers go     game : what is on the table; `new` or `load` set another
    prompt : written before each line is read     rules : of a `new` game that names no edition
    """
    for stream in (lines_in, out):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    table = Companion(out, game, rules)
    out.write(prompt)
    out.flush()
    for line in lines_in:
        try:
            table.obey(line)
        except QuitError:
            break
        except OSError as error:
            table.say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except ValueError as error:
            table.say(str(error))
        except Exception as error:  # a fault of ours: the game at the table must not be lost by it
            table.say(f"that went wrong ({type(error).__name__}: {error}); the game goes on")
        out.write(prompt)
        out.flush()
    return 0


class Companion:
    """A game that is followed, and the commands."""

    def __init__(self, out: TextIO, game: Game | None = None, rules: Rules = SECOND) -> None:
        self.out, self.rules = out, game.rules if game else rules
        self.record: History | None = History(_with_mover(game)) if game else None
        self.commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo, "redo": self._redo, "odds": self._odds, "race": self._race, "actions": self._actions,
            "who": self._who, "next": self._who, "luck": self._luck, "save": self._save, "load": self._load,
            "new": self._new, "help": self._help, "quit": self._quit, "exit": self._quit,
        }  # fmt: skip

    @property
    def history(self) -> History:
        """The game's record. Raises GameError if there is none yet."""
        if self.record is None:
            raise GameError("no game yet: begin with new EDITION GAME, or load FILE; help shows how")
        return self.record

    def obey(self, line: str) -> None:
        """Do what one line says. Raises ValueError, OSError or QuitError."""
        line = line.partition("//")[0].strip()
        if not line:
            return
        word, _, rest = line.partition(" ")
        command = self.commands.get(word.lower())
        if command:
            command(rest.strip())
            return
        body, extra = _parted(line)
        die = _DIE.fullmatch(body)
        kind = "ticket" if word.lower() == "take" else word.lower()
        if kind in WORDS:
            self._act(kind, body, extra)
        elif die and (len(die[1]) == 1 or die[1].lower() in {*COLOURS.values(), "grey", "gray"}):
            rules = self.history.game.rules
            shown = (_die(rules, die[1]) + die[2], int(die[3][:9]))
            self._do("reveal" + extra, shown, die[4])
        else:
            self._unknown(word)

    def say(self, text: str) -> None:
        """Write some lines."""
        self.out.write(text + "\n")

    def _act(self, kind: str, body: str, extra: str) -> None:
        words = body.split()
        words[0] = kind
        count = WORDS[kind] + (kind == "position" and words[3:4] == ["bottom"])
        if not count <= len(words) <= count + 1:
            more = "one word" if count == 2 else f"{count - 1} words"
            raise GameError(f"{kind}: expected {more} more, and a player who acts out of turn; help shows examples")
        who = words.pop() if len(words) > count else None
        game = self.history.game
        if kind in ("ticket", "winner", "loser"):
            words[1] = _colour(game.rules, words[1])
        if kind == "ticket" and words[1] in game.rules.racing and len(words[1]) == 1:
            left = game.stacks[words[1]]
            if not left:
                raise GameError(f"no ticket of {words[1]} is left")
            words[1] += str(left[0])
        self._do(" ".join(words) + extra, None, who)

    def _do(self, action: str, roll: tuple[str, int] | None, who: str | None) -> None:
        earlier = self.history.game
        if who is not None and who not in earlier.players:
            raise GameError(f"{who!r} is no player: the players are {', '.join(earlier.players) or 'not named'}")
        self.record = self.history.apply(action, roll, who)
        self.say(str(self.record.events[-1]))
        self._show(earlier)

    def _show(self, earlier: Game | None = None) -> None:
        """The board as it stands, what has ended since an earlier game, and who is next."""
        game = self.history.game
        self.say(str(game.board))
        if game.board.race_over:
            self.say(_final(game))
            return
        if earlier and earlier.board.reveals == 1 and game.board.reveals > 1:
            self.say(_told("The leg is over.", {name: player.money for name, player in game.players.items()}))
        if game.to_move:
            self.say(f"{game.to_move} is next.")

    def _undo(self, rest: str) -> None:
        event = self.history.events[-1:]
        self.record = self.history.undo()
        self.say(f"undone: {event[0]}")
        self._show()

    def _redo(self, rest: str) -> None:
        self.record = self.history.redo()
        self.say(str(self.record.events[-1]))
        self._show()

    def _odds(self, rest: str) -> None:
        from camelodds.odds.leg import leg_odds

        self.say(plain(leg_odds(self.history.game.board).table()))

    def _race(self, rest: str) -> None:
        from camelodds.odds.race import race_odds

        self.say(plain(race_odds(self.history.game.board).table()))

    def _actions(self, rest: str) -> None:
        from camelodds.ev.actions import action_table, actions_table

        words = rest.split()
        count = None if "all" in words else BEST
        who = next((word for word in words if word != "all"), None)
        game = self.history.game
        rows = action_table(game, who, support=game.rules.spicy)
        title = f"{who or game.to_move}, pounds expected"
        table = actions_table(title, rows[:count])
        if len(rows) > len(table.rows):
            table = replace(table, notes=[*table.notes, f"{len(rows) - len(table.rows)} more: actions all"])
        self.say(plain(table))

    def _who(self, rest: str) -> None:
        for part in str(self.history.game).split(" | "):
            self.say(part)

    def _luck(self, rest: str) -> None:
        balances = self.history.balances()
        names = next(iter(balances.values()))._fields
        rows = [(name, list(balance)) for name, balance in balances.items()]
        note = "start + actions + others + luck + floor = final; skill = actions - best"
        self.say(plain(Table("pounds", "player", [(name, "pounds") for name in names], rows, [note], camels=False)))

    def _save(self, rest: str) -> None:
        path = _path(rest)
        path.write_text(self.history.to_json_lines(), encoding="utf-8")
        self.say(f"saved in {path}")

    def _load(self, rest: str) -> None:
        path = _path(rest)
        if path.exists() and not (path.is_file() or path.is_dir()):
            raise GameError(f"{path} is no regular file")
        with path.open("rb") as file:
            found = file.read(MOST_BYTES + 1)
        if len(found) > MOST_BYTES:
            raise GameError(f"{path} is larger than any game: {MOST_BYTES:,} bytes at most")
        try:
            self.record = History.from_json_lines(found.decode("utf-8"))
        except UnicodeDecodeError:
            raise GameError(f"{path} is no saved game") from None
        self.say(f"loaded, {len(self.record.events)} events")
        self._show()

    def _new(self, rest: str) -> None:
        edition, _, text = rest.partition(" ")
        current = self.record.start.rules if self.record else self.rules
        known = EDITIONS | {current.name: current}
        rules, text = (known[edition], text) if edition in known else (current, rest)
        self.record = History(_with_mover(Game.parse(text.strip(), rules)))
        self._show()

    def _help(self, rest: str) -> None:
        self.say(HELP)

    def _quit(self, rest: str) -> None:
        raise QuitError

    def _unknown(self, word: str) -> None:
        known = [*self.commands, "take", *WORDS, *COLOURS.values()]
        close = get_close_matches(word.lower(), known, n=3, cutoff=0.6)
        meant = f"did you mean {' or '.join(close)}?" if close else "help shows what there is"
        raise GameError(f"{word[:40]!r} is not understood: {meant}")


def _parted(line: str) -> tuple[str, str]:
    """A line without the extra step of the spicy Supercup, and that step as an action's name has it."""
    step = _SUPPORT.search(line)
    return (line[: step.start()] + line[step.end() :], f" + support {step[1]}") if step else (line, "")


def _die(rules: Rules, word: str) -> str:
    """The sign of a die that is named by letter or colour; the grey one by the colour that it showed."""
    known = {"grey": "#", "gray": "#"} if rules.crazy else {}
    for letter in rules.camels:
        sign = letter if letter in rules.racing else COLOURS.get(letter, letter)
        for name in (letter, letter.lower(), COLOURS.get(letter, letter)):
            known.setdefault(name, sign)
    return known.get(word) or known.get(word.lower(), word)


def _colour(rules: Rules, word: str) -> str:
    """A ticket's or card's colour by letter where it is named in full or as a capital."""
    letters = {COLOURS.get(letter, letter): letter for letter in rules.racing}
    return letters.get(word.lower()) or (word.lower() if word[0].lower() in rules.racing else word)


def _with_mover(game: Game) -> Game:
    """The game with the first player to move if nobody is."""
    return game if game.to_move or not game.players else replace(game, to_move=next(iter(game.players)))


def _final(game: Game) -> str:
    try:
        return _told("The race is over.", game.returns())
    except GameError as error:
        return f"The race is over, but {error}."


def _told(what: str, money: dict[str, int]) -> str:
    return " ".join([what, ", ".join(f"{name} has {pounds}" for name, pounds in money.items())]).strip()


def _path(name: str) -> Path:
    if not name:
        raise GameError("which file?")
    try:
        return Path(name).expanduser()
    except RuntimeError as error:
        raise GameError(f"{name}: {error}") from None
