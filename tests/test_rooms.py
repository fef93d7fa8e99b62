"""The house keeps its order: the table of rooms in CONTRIBUTING.md, held against every import and every name.

The checks are functions of a folder, so that the last test can plant a line in a copy of the package and see it found.
"""

from __future__ import annotations

import ast
import re
import shutil
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "camelodds"
CONTRIBUTING = (ROOT / "CONTRIBUTING.md").read_text(encoding="utf-8")

STILL: set[str] = set()
"""Findings that are known and being removed: exactly what is found, so that this list can only shrink."""

Findings = dict[str, str]
"""What was found, in the words of STILL, and where in the module."""

PICTURES = {"__repr__", "_repr_html_", "_repr_svg_", "frame", "svg", "table", "tables"}
"""The ways of a value to its own picture: only there may it import what draws it and stands below it in the table."""

OF_MONEY = re.compile(
    r"(bets?|cards?|decks?|evs?|holders?|holdings?|money|owes?|partners?|pays?|paid|payoffs?|payouts?|players?|pounds?"
    r"|prices?|profits?|rewards?|stakes?|tickets?|worth)"
)
MONEY_IN_ODDS = {
    "odds.leg: pays in LegOdds.mean",
    *("odds.leg: " + each for each in ("ticket", "ticket in LegOdds.ticket", "ticket in LegOdds.tickets")),
    *(f"odds.leg: {word} in LegOdds.ticket" for word in ("pays", "pounds", "tickets")),
    "odds.leg: tickets in LegOdds.tickets",
    "odds.race: paid",
    *(f"core.ahead: {word} in play_layer" for word in ("player", "players", "worth")),
}
"""Where ways meet money: what is paid by ranking, whatever for, is handed in; what a full stack's ticket pays, by the
ranking alone; a sentence on support dice; and the kernel that lets players choose, to whom worths are handed in.
"""

OF_ANSWERS = re.compile(
    r"(actions?|bots?|chances?|evs?|landings?|likely|odds|pays?|probabilit(y|ies)|rankings?|tickets?|tournaments?"
    r"|winners?|wins?|worth)"
)
FROM_RULES_IN_SHOW = {"COLOURS", "Rules"}
"""What pictures know of the rules: what a camel's letter is called, and the type."""


class Import(NamedTuple):
    """One import of a module of the package: who, what, the names taken, for types only, within which function."""

    source: str
    target: str
    names: tuple[str, ...]
    typing: bool
    function: str

    def __str__(self) -> str:
        return f"{self.source} imports {self.target}"

    @property
    def where(self) -> str:
        return f"in {self.function}" if self.function else "for types" if self.typing else "at its top"


class Room(NamedTuple):
    """A line of the table."""

    name: str
    modules: tuple[str, ...]
    question: str


@cache
def rooms() -> tuple[Room, ...]:
    """The table of rooms, top down."""
    (section,) = re.findall(r"^## The rooms\n(.*?)^## ", CONTRIBUTING, re.DOTALL | re.MULTILINE)
    rows = [[cell.strip() for cell in row.strip("|").split("|")] for row in re.findall(r"^\|.*\|$", section, re.M)[2:]]
    found = [Room(row[0].strip("`"), tuple(re.findall(r"`(\w+)`", row[1])), row[2]) for row in rows]
    assert all(room.modules for room in found)
    return tuple(found)


@cache
def floors() -> dict[str, tuple[int, int]]:
    """module: its room's number and its own within the room, from the top of the table."""
    return {
        module if room.name == "top" else f"{room.name}.{module}": (number, place)
        for number, room in enumerate(rooms())
        for place, module in enumerate(room.modules)
    }


def parsed(path: Path) -> ast.Module:
    return _parsed(path.read_text(encoding="utf-8"))


@cache
def _parsed(source: str) -> ast.Module:
    return ast.parse(source)


def modules(package: Path) -> dict[str, Path]:
    """Every module below the folder by its name; the package and its rooms by the names of their folders."""
    found = {}
    for path in sorted(package.rglob("*.py")):
        parts = path.relative_to(package).with_suffix("").parts
        found[".".join(part for part in parts if part != "__init__")] = path
    return found


def inner(package: Path) -> dict[str, Path]:
    """The modules that the table has to name: all but `__main__` and the doors `__init__` of the package and rooms."""
    return {
        name: path
        for name, path in modules(package).items()
        if path.name != "__init__.py" and name not in {"__main__", ""}
    }


def imports(package: Path) -> list[Import]:
    """Every import of the package's own modules, wherever it stands; names taken from a room are its modules."""
    known = modules(package)
    return [each for name, path in known.items() if name for each in _imports_of(name, parsed(path), known)]


def _imports_of(
    source: str, node: ast.AST, known: dict[str, Path], typing: bool = False, function: str = ""
) -> Iterator[Import]:
    for child in ast.iter_child_nodes(node):
        inside = child.name if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef) else function
        for_types = typing or (isinstance(child, ast.If) and "TYPE_CHECKING" in ast.unparse(child.test))
        if isinstance(child, ast.ImportFrom):
            assert child.level == 0, f"{source}: imports name the whole way"
            if (child.module or "").split(".")[0] == "camelodds":
                base = (child.module or "").removeprefix("camelodds").lstrip(".")
                for alias in child.names:
                    module = f"{base}.{alias.name}".lstrip(".")
                    taken = (base, (alias.name,)) if module not in known else (module, ())
                    yield Import(source, *taken, typing, inside)
        elif isinstance(child, ast.Import):
            for alias in child.names:
                if alias.name.split(".")[0] == "camelodds":
                    yield Import(source, alias.name.removeprefix("camelodds").lstrip("."), (), typing, inside)
        else:
            yield from _imports_of(source, child, known, for_types, inside)


def room_of(module: str) -> str:
    first = module.partition(".")[0]
    return first if first in {room.name for room in rooms()} else "top"


def whole_table(package: Path) -> Findings:
    """Modules that the table does not name, and names of the table that are no modules."""
    there, named = inner(package), floors()
    return {f"{name} is there and not in the table": "" for name in there.keys() - named} | {
        f"{name} is named in the table and not there": "" for name in named.keys() - there
    }


def upward(package: Path) -> Findings:
    """Imports of what stands below in the table, within functions and for types too, but for values' own pictures."""
    place = floors()
    found = {}
    for each in imports(package):
        if each.source not in place or each.target in {"", each.source}:
            continue  # the doors have a test of their own; `from camelodds import __version__` is everybody's
        if each.target not in place:
            found[f"{each.source} imports from the door {each.target}"] = each.where
        elif place[each.target] >= place[each.source] and not to_its_picture(each):
            if each.typing and room_of(each.source) == room_of(each.target):
                continue  # what a value's own helpers say of its type
            found[str(each)] = each.where
    return found


def to_its_picture(each: Import) -> bool:
    draws = room_of(each.target) == "show" or each.target == "big_top.tables"
    return draws and each.function in PICTURES


def circles(package: Path) -> Findings:
    """Modules that know each other, over any number of imports, those for types left out."""
    known: dict[str, set[str]] = {name: set() for name in inner(package)}
    for each in imports(package):
        if each.source in known and each.target in known and not each.typing and not to_its_picture(each):
            known[each.source].add(each.target)
    reached = {name: reach(name, known) for name in known}
    return {
        f"{' and '.join(sorted(other for other in reached[name] if name in reached[other]))} know each other": ""
        for name in known
        if name in reached[name]
    }


def reach(start: str, known: dict[str, set[str]]) -> set[str]:
    """All modules that a module imports, those that these import, and so on."""
    reached: set[str] = set()
    waiting = list(known[start])
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached.add(name)
            waiting += known[name]
    return reached


def strangers(package: Path) -> Findings:
    """Imports between rooms that do not know each other: the core knows nothing of the rest, not even its top.

    An answer of `ev` makes its own `show.table.Table`, plain data; how tables and boards then look is not its business.
    """
    found = {}
    for each in imports(package):
        pair = room_of(each.source), room_of(each.target)
        looks = pair == ("ev", "show") and each.target != "show.table" and not to_its_picture(each)
        camel_up = "big_top" in pair and pair != ("cli", "big_top") and len({*pair, "top", "show"}) > 3
        bare = pair[0] == "core" != pair[1]
        if looks or camel_up or bare or set(pair) == {"game", "odds"}:
            found[str(each)] = each.where
    return found


def without_answers(package: Path) -> Findings:
    """What `show` knows of answers and rules, by import or by name."""
    found = {}
    for each in imports(package):
        if room_of(each.source) != "show" or room_of(each.target) == "show":
            continue
        if each.target == "rules" and set(each.names) <= FROM_RULES_IN_SHOW:
            continue
        if not (room_of(each.target) == "position" and each.typing):
            found[str(each)] = each.where
    return found | {f"{module} says {word}": f"in {scope}" for module, scope, word in said(package, "show", OF_ANSWERS)}


def money(package: Path) -> Findings:
    """Words of money in `odds` and `core`; what is said in docstrings and comments is free."""
    return {
        f"{module}: {word}{f' in {scope}' if scope else ''}": ""
        for room in ("core", "odds")
        for module, scope, word in said(package, room, OF_MONEY)
    }


def said(package: Path, room: str, forbidden: re.Pattern[str]) -> Iterator[tuple[str, str, str]]:
    """module, class or function, and word for each forbidden word in a room's names and texts but its docstrings."""
    for name, path in modules(package).items():
        if name == room or name.startswith(f"{room}."):
            for scope, text in names_and_texts(parsed(path)):
                for part in re.findall(r"[A-Z]?[a-z]+|[A-Z]+", text):
                    if forbidden.fullmatch(part.lower()):
                        yield name, scope, part.lower()


def names_and_texts(node: ast.AST, scope: str = "") -> Iterator[tuple[str, str]]:
    """Every identifier and every text of the code, with the class and function it stands in."""
    for child in ast.iter_child_nodes(node):
        inside = scope
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{scope}.{child.name}".lstrip(".")
        elif isinstance(child, ast.Expr) and isinstance(child.value, ast.Constant):
            continue  # a docstring
        for field in ("id", "attr", "arg", "name", "asname", "module", "value"):
            text = getattr(child, field, None)
            if isinstance(text, str):
                yield inside, text
        yield from names_and_texts(child, inside)


def long_ones(package: Path) -> Findings:
    """Modules with more lines than CONTRIBUTING.md allows; the sentence there is the only place of the number."""
    (most,) = re.findall(r"No module has more\s+than\s+(\d+)\s+lines", CONTRIBUTING)
    return {
        f"{name or 'the front door'} has more than {most} lines": ""
        for name, path in modules(package).items()
        if len(path.read_text().splitlines()) > int(most)
    }


CHECKS: list[Callable[[Path], Findings]] = [whole_table, upward, circles, strangers, without_answers, long_ones]


def test_the_table_of_rooms_names_every_module_once() -> None:
    named = [name for room in rooms() for name in room.modules]
    assert len(floors()) == len(named), "a module is named twice"
    assert new(whole_table) == {}


def test_each_room_says_its_question_first() -> None:
    asked = {room.name: room.question for room in rooms() if room.name != "top"}
    assert set(asked) == {name for name in modules(PACKAGE) if (PACKAGE / name / "__init__.py").exists() and name}
    for name, question in asked.items():
        says = ast.get_docstring(parsed(PACKAGE / name / "__init__.py")) or ""
        assert says.lower().startswith(question.lower()), f"camelodds/{name}/__init__.py begins with: {question}"


def test_a_room_is_only_a_door() -> None:
    """A room's `__init__` has its question and names of its own modules, and no code."""
    for room in rooms():
        if room.name != "top":
            for line in parsed(PACKAGE / room.name / "__init__.py").body[1:]:
                if isinstance(line, ast.ImportFrom):
                    assert line.module.startswith(f"camelodds.{room.name}."), room.name
                else:
                    assert ast.unparse(line).startswith("__all__ = "), room.name


def test_only_the_front_door_finds_modules_by_name() -> None:
    """An import by a text is seen by no check; `camelodds.__init__` is held against its own list for types."""
    tree = parsed(PACKAGE / "__init__.py")
    for name, path in modules(PACKAGE).items():
        if name:
            assert not re.search(r"import_module|__import__|importlib\.util", path.read_text()), name
    typed = {
        (alias.asname or alias.name): (node.module or "").removeprefix("camelodds.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("camelodds.")
        for alias in node.names
    }
    import camelodds

    assert typed == camelodds._HOME


def test_no_import_goes_up() -> None:
    assert new(upward) == {}


def test_no_two_modules_know_each_other() -> None:
    assert new(circles) == {}


def test_game_and_odds_do_not_know_each_other_and_worth_does_not_know_how_it_is_shown() -> None:
    assert new(strangers) == {}


def test_show_knows_no_answer_and_no_rule() -> None:
    assert new(without_answers) == {}


def test_no_money_in_odds() -> None:
    assert set(money(PACKAGE)) == MONEY_IN_ODDS


def test_no_module_is_long() -> None:
    assert new(long_ones) == {}


def test_what_is_still_to_do_is_no_more_than_what_is_found() -> None:
    found = {what for check in CHECKS for what in check(PACKAGE)}
    assert found >= STILL, "done: take these off STILL"


def new(check: Callable[[Path], Findings], package: Path = PACKAGE) -> Findings:
    """What a check finds that is not known."""
    return {what: where for what, where in check(package).items() if what not in STILL}


PLANTED = [
    (whole_table, "odds/payouts.py", "", ""),
    (upward, "position/boards.py", "def f():\n    from camelodds.ev.actions import actions\n", "in f"),
    (upward, "rules.py", "if TYPE_CHECKING:\n    from camelodds.odds.leg import LegOdds\n", "for types"),
    (upward, "odds/leg.py", "from camelodds.odds import batch\n", "at its top"),
    (upward, "odds/leg.py", "import camelodds.play.history\n", "at its top"),
    (circles, "position/notation.py", "def f():\n    import camelodds.position.boards as b\n", ""),
    (strangers, "game/payoffs.py", "async def f():\n    from camelodds.odds.leg import leg_odds\n", "in f"),
    (strangers, "ev/actions.py", "class A:\n    def f(self):\n        from camelodds.show import svg\n", "in f"),
    (without_answers, "show/html.py", "def of_leg(leg):\n    return leg.chances\n", "in of_leg"),
    (without_answers, "show/svg.py", "from camelodds.rules import rules_of\n", "at its top"),
    (money, "odds/leg.py", "def worth(odds):\n    return 5 * odds.first['r'] - odds.board.rules.tickets[0]\n", ""),
    (money, "odds/race.py", "def f(players): ...\n", ""),
    (money, "odds/batch.py", "COLUMNS = ['p_b1', 'pounds']\n", ""),
    (money, "odds/tiles.py", "from camelodds.game.payoffs import f\n", ""),
    (strangers, "ev/actions.py", "from camelodds.big_top import State\n", "at its top"),
    (strangers, "core/leg.py", "from camelodds.rules import EDITIONS\n", "at its top"),
    (long_ones, "errors.py", "x = 1\n" * 400, ""),
]


@pytest.mark.parametrize(("check", "module", "line", "where"), PLANTED)
def test_a_planted_line_is_found(
    check: Callable[[Path], Findings], module: str, line: str, where: str, tmp_path: Path
) -> None:
    copy = shutil.copytree(PACKAGE, tmp_path / "camelodds", ignore=shutil.ignore_patterns("__pycache__", "page"))
    with (copy / module).open("a", encoding="utf-8") as file:
        file.write(f"\n\n{line}")
    before, after = check(PACKAGE), check(copy)
    name = module.removesuffix(".py").replace("/", ".")
    assert any(name in what and found == where for what, found in after.items() if what not in before)
