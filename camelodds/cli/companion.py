"""`camelodds play`: follow a game by short commands, one a line. It knows no rule itself; all is `History`."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Iterator
from difflib import get_close_matches
from io import TextIOWrapper
from pathlib import Path
from typing import Final, TextIO

from camelodds.cli.given import odd_in
from camelodds.cli.help import PLAY
from camelodds.cli.keeping import Keeper, path_of, read_kept
from camelodds.cli.turning import turned_up
from camelodds.cli.views import BEST, best_actions, final, fitted, scoring, wrapped
from camelodds.cli.words import SAME, SIDES, WORDS, player_of, understood
from camelodds.errors import GameError
from camelodds.game.game import Game
from camelodds.play.event import before
from camelodds.play.history import History
from camelodds.rules import COLOURS, EDITIONS, SECOND, Rules
from camelodds.show.table import Table

WIDTH: Final = 80
"""Of what is written where there is no terminal."""
YES: Final = ("yes", "y")


class QuitError(Exception):
    """The game is left."""


def run(
    lines_in: Iterable[str],
    out: TextIO,
    start: Game | History | None = None,
    prompt: str = "",
    rules: Rules = SECOND,
    keeper: Keeper | None = None,
    resume: bool = False,
) -> int:
    """Follow a game until the lines end or one says quit.

    Parameters
    ----------
    lines_in : iterable of str
        Such as sys.stdin; with a prompt and a terminal behind it, lines can be edited and arrow keys bring them back.
    out : TextIO
        Where answers go.
    start : Game or History, optional
        What is on the table; `new` or `load` set another.
    prompt : str
        Written before each line is read.
    rules : Rules
        Of a `new` game that names no edition.
    keeper : Keeper, optional
        Keeps the game after every step.
    resume : bool
        Whether to go on with the game that was kept last.

    Returns
    -------
    int
        0, since every mistake is answered with a message; 130 when it was interrupted while it waited for a line.
    """
    for stream in (lines_in, out):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")
    table = Companion(out, start, rules, keeper)
    if resume:
        table.resume("")
    elif start is not None and prompt:
        table.show()
    try:
        for line in _lines(lines_in, out, prompt):
            try:
                table.answer(line)
            except QuitError:
                break
    except KeyboardInterrupt:
        table.say("")
        table.say_where()
        return 130
    table.say_where()
    return 0


def _lines(lines_in: Iterable[str], out: TextIO, prompt: str) -> Iterator[str]:
    """The lines, each asked for with the prompt."""
    terminal = sys.stdin
    if prompt and lines_in is terminal and sys.__stdin__ and sys.__stdin__.isatty() and sys.stdout.isatty():
        import readline  # noqa: F401 (input() then has arrow keys and history)

        while True:
            try:
                yield input(prompt)
            except EOFError:
                out.write("\n")
                return
    out.write(prompt)
    out.flush()
    for line in lines_in:
        yield line
        out.write(prompt)
        out.flush()


class Companion:
    """A game that is followed, and the commands.

    Parameters
    ----------
    out : TextIO
        Where answers go.
    start : Game or History, optional
        What is on the table.
    rules : Rules
        Of a `new` game that names no edition.
    keeper : Keeper, optional
        Keeps the game after every step.
    """

    def __init__(
        self, out: TextIO, start: Game | History | None = None, rules: Rules = SECOND, keeper: Keeper | None = None
    ) -> None:
        self.out, self.keeper = out, keeper
        if isinstance(start, Game):
            start = History(_with_mover(start))
        self.record: History | None = start
        self.rules = start.start.rules if start else rules
        self.saved: set[Path] = set()
        self.asked: Callable[[], None] | None = None
        self.revealer: str | None = None
        self.commands: dict[str, Callable[[str], None]] = {
            "undo": self._undo, "redo": self._redo, "odds": self._odds, "race": self._race, "actions": self._actions,
            "who": self._who, "next": self._who, "luck": self._luck, "save": self._save, "load": self._load,
            "new": self._new, "help": self._help, "quit": self._quit, "exit": self._quit, "cards": self._cards,
            "resume": self.resume,
        }  # fmt: skip
        self._keep()

    @property
    def history(self) -> History:
        """The game's record. Raises GameError if there is none yet."""
        if self.record is None:
            raise GameError("no game yet: begin with new EDITION GAME, load FILE or resume; help shows how")
        return self.record

    @property
    def width(self) -> int:
        """Columns of the terminal."""
        return shutil.get_terminal_size((WIDTH, 24)).columns if self.out.isatty() else WIDTH

    def answer(self, line: str) -> None:
        """Do what one line says and answer every mistake with a message. Raises QuitError."""
        try:
            self.obey(line)
        except QuitError:
            raise
        except OSError as error:
            self.say(f"{error.filename}: {error.strerror}" if error.filename else str(error))
        except ValueError as error:
            self._refuse(str(error))
        except KeyboardInterrupt:
            self.say("interrupted; the game goes on")
        except Exception as error:  # a fault of ours: the game at the table must not be lost by it
            self.say(f"that went wrong ({type(error).__name__}: {error}); the game goes on")

    def obey(self, line: str) -> None:
        """Do what one line says. Raises ValueError, OSError or QuitError."""
        line = line.partition("//")[0].strip()
        if not line:
            return
        asked, self.asked = self.asked, None
        if asked and line.lower() in YES:
            asked()
            return
        word, _, rest = line.partition(" ")
        if command := self.commands.get(word.lower()):
            command(rest.strip())
            return
        said = understood(line, self.history.game)
        if said is None:
            self._unknown(word)
        elif said.action.startswith("reveal") and said.roll is None:
            self.revealer = said.player
            self.say("Which die, and what did it show? Such as " + _example(self.history.game))
        else:
            who = said.player or (self.revealer if said.roll else None)
            self.revealer = None
            self._do(said.action, said.roll, who)

    def say(self, text: str) -> None:
        """Write some lines."""
        self.out.write(text + "\n")

    def say_where(self) -> None:
        """Write where the game is kept."""
        if self.keeper and self.keeper.path and self.record:
            self.say(f"The game is kept in {self.keeper.path};\ncamelodds play --resume goes on with it.")

    def show(self) -> None:
        """Write the board as it stands and who is next, or how it ended."""
        game = self.history.game
        self.say(wrapped(str(game.board), self.width))
        if game.board.race_over:
            self._say_lines(final(game))
        elif game.to_move:
            self.say(f"{game.to_move} is next.")

    def resume(self, rest: str) -> None:
        """Go on with the game that was kept last. Raises GameError or OSError."""
        if self.keeper is None:
            self.keeper = Keeper.of_user()
        path = self.keeper.last()
        self.record = read_kept(path)
        self.keeper.path = path
        self.say(f"going on with {path}, {_counted(len(self.record.events), 'step')}")
        self.show()

    def _do(self, action: str, roll: tuple[str, int] | None, who: str | None) -> None:
        earlier = self.history.game
        self.record = self.history.apply(action, roll, who)
        event = self.record.events[-1]
        self.say(str(event))
        if who is not None and earlier.to_move not in (None, who):
            self.say(f"{earlier.to_move}'s turn was skipped; undo takes it back")
        game = self.record.game
        if event.die and not game.board.race_over and game.state.names:
            ended = before(earlier, event).apply(event.action, event.roll, score=False)
            if ended.board.leg_over:
                self.say("The leg is over.")
                self._say_lines(scoring(ended.state))
        self.show()
        self._keep()

    def _keep(self) -> None:
        if self.keeper is None or self.record is None:
            return
        first = self.keeper.path is None
        try:
            path = self.keeper.keep(self.record)
        except OSError as error:
            self.say(f"The game cannot be kept ({error.strerror or error}): use save FILE. It goes on.")
            self.keeper = None
            return
        if first:
            self.say(f"Every step is kept in {path}")

    def _refuse(self, message: str) -> None:
        """Say what is wrong, and how the last step is taken back where there is one."""
        self.say(message if "\n" in message else wrapped(message, self.width))  # a caret must stay below its place
        if self.record and self.record.events and self.out.isatty():
            self.say(wrapped(f"(the last step was {self.record.events[-1]}: undo takes it back)", self.width))

    def _say_lines(self, lines: Iterable[str]) -> None:
        for line in lines:
            self.say(wrapped(line, self.width))

    def _undo(self, rest: str) -> None:
        event = self.history.events[-1:]
        self.record = self.history.undo()
        self.say(f"undone: {event[0]}")
        self.show()
        self._keep()

    def _redo(self, rest: str) -> None:
        self.record = self.history.redo()
        self.say(str(self.record.events[-1]))
        self.show()
        self._keep()

    def _cards(self, rest: str) -> None:
        self.record = turned_up(self.history, rest)
        self.say("turned up: " + rest)
        self.show()
        self._keep()

    def _odds(self, rest: str) -> None:
        from camelodds.odds.leg import leg_odds

        self.say(fitted(leg_odds(self.history.game.board).table(), self.width))

    def _race(self, rest: str) -> None:
        from camelodds.odds.race import race_odds

        self.say(fitted(race_odds(self.history.game.board).table(), self.width))

    def _actions(self, rest: str) -> None:
        game, who, count = self.history.game, None, BEST
        words = rest.split()
        for word in words:
            if word.isdecimal() and len(word) < 5:
                count = max(1, int(word))
            elif word not in ("all", "ahead"):
                who = player_of(game, word)
        table = best_actions(game, who, None if "all" in words else count, ahead="ahead" in words)
        self.say(fitted(table, self.width))

    def _who(self, rest: str) -> None:
        for part in str(self.history.game).split(" | "):
            self.say(wrapped(part, self.width))

    def _luck(self, rest: str) -> None:
        balances = self.history.balances()
        names = next(iter(balances.values()))._fields
        note = "start + actions + others + luck + floor = final; skill = actions - best"
        rows = [(name, list(balance)) for name, balance in balances.items()]
        table = Table("pounds", "player", [(name, "pounds") for name in names], rows, [note], camels=False)
        self.say(fitted(table, self.width))

    def _save(self, rest: str) -> None:
        path = path_of(rest)
        text = self.history.to_json_lines()

        def write() -> None:
            path.write_text(text, encoding="utf-8")
            self.saved.add(path.resolve())
            self.say(f"saved in {path}")

        if path.is_file() and path.resolve() not in self.saved and path.read_bytes() != text.encode():
            self.asked = write
            self.say(f"{path} is there already: yes replaces it, anything else leaves it as it is")
        else:
            write()

    def _load(self, rest: str) -> None:
        self.record = read_kept(path_of(rest))
        if self.keeper:
            self.keeper.begin()
        self.say(f"loaded, {_counted(len(self.record.events), 'event')}")
        self.show()
        self._keep()

    def _new(self, rest: str) -> None:
        if not rest and self.record:
            raise GameError(
                f"new: expected EDITION GAME, such as new {self.record.start.rules.name} {self.record.start}"
            )
        edition, _, text = rest.partition(" ")
        current = self.record.start.rules if self.record else self.rules
        known = EDITIONS | {current.name: current}
        rules, text = (known[edition], text) if edition in known else (current, rest)
        self.record = History(_with_mover(Game.parse(text.strip(), rules)))
        if self.keeper:
            self.keeper.begin()
        for line in odd_in(self.record.game):
            self.say(wrapped(f"({line})", self.width))
        self.show()
        self._keep()

    def _help(self, rest: str) -> None:
        self.say(PLAY)

    def _quit(self, rest: str) -> None:
        raise QuitError

    def _unknown(self, word: str) -> None:
        rules = self.history.game.rules
        known = [*self.commands, *SAME, *SIDES, *WORDS, "reveal", *COLOURS.values()]
        if re.fullmatch(r"[a-z]\+?[0-9]+", word, re.IGNORECASE):
            raise GameError(f"no die {word[:-1]!r} in edition {rules.name}")
        close = get_close_matches(word.lower(), known, n=3, cutoff=0.6)
        meant = f"did you mean {' or '.join(close)}?" if close else "help shows what there is"
        raise GameError(f"{word[:40]!r} is not understood: {meant}")


def _example(game: Game) -> str:
    """Two dice of the rules in force, as a line says them."""
    rules = game.rules
    more = "white 3" if rules.crazy else f"{COLOURS.get(rules.racing[-1], rules.racing[-1])} 3"
    return f"{rules.racing[0]}2 or {more}"


def _counted(number: int, what: str) -> str:
    return f"{number} {what}" + ("" if number == 1 else "s")


def _with_mover(game: Game) -> Game:
    """The game with the first player to move if nobody is."""
    return game if game.to_move or not game.players else Game.of(game.state._replace(mover=0))
