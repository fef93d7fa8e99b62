"""Write tests/playthrough/*.jsonl, a whole game of each edition: python tests/make_playthrough.py [NAME ...]

The first line has the rules' name and the game at its start. Each line after it is one turn:

player   who is to move
legal    everything that the player may do, by name
chance   what the next reveal can show, each with its probability
action   what the player does; half of the time a reveal, else any kind that is allowed
roll     what the die showed, for a reveal
game     the game after it, with everyone's money
paid     who has more or less money than before, and by how much

The last line has everyone's money when the race is over. `tests/test_playthrough.py` plays each game again from its
file, and holds every line against the brute force, which shares no code with the package. So look at the difference
before you commit a file that has changed: a rule has.
"""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import camelodds as co

FOLDER = Path(__file__).parent / "playthrough"
EDITIONS = dict(co.EDITIONS) | {
    "supercup-spicy": co.EDITIONS["supercup"].with_changes(spicy=True),
    "supercup-second-spicy": co.EDITIONS["supercup-second"].with_changes(spicy=True),
}
PLAYERS = ["ana", "ben", "cat", "dan", "eva", "fay"]


def playthrough(name: str) -> Iterator[dict[str, Any]]:
    """The lines of one game; the same every time."""
    rng = random.Random(f"playthrough {name}")
    rules = EDITIONS[name]
    game = co.opening(rules, PLAYERS, rng)
    yield {"rules": name, "game": str(game)}
    while not game.board.race_over:
        action = "reveal" if rng.random() < 0.5 else co.random_bot(game, rng)
        roll = None
        if action == "reveal":
            outcomes = game.chance_outcomes()
            roll = rng.choices([shown for shown, _ in outcomes], [float(chance) for _, chance in outcomes])[0]
            action = rng.choice(game.legal_actions(roll))
        after = game.apply(action, roll)
        yield turn(game, action, roll, after)
        game = after
    yield {"returns": game.returns()}


def turn(game: co.Game, action: str, roll: tuple[str, int] | None, after: co.Game) -> dict[str, Any]:
    """The line of one turn."""
    paid = {name: after.players[name].money - player.money for name, player in game.players.items()}
    return {
        "player": game.to_move,
        "legal": game.legal_actions(),
        "chance": [f"{die} {number}: {chance}" for (die, number), chance in game.chance_outcomes()],
        "action": action,
        "roll": roll and list(roll),
        "game": str(after),
        "paid": {name: pounds for name, pounds in paid.items() if pounds},
    }


def text_of(lines: Iterator[dict[str, Any]]) -> str:
    return "".join(json.dumps(line, separators=(",", ":")) + "\n" for line in lines)


if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for edition in sys.argv[1:] or EDITIONS:
        (FOLDER / f"{edition}.jsonl").write_text(text_of(playthrough(edition)), encoding="utf-8", newline="\n")
