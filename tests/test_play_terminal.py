"""`camelodds play` as a person uses it: at a terminal, with an interruption, to the money at the end."""

from __future__ import annotations

import os
import pty
import select
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


class Terminal:
    """The program behind a pseudo-terminal, typed at and read from."""

    def __init__(self, data: Path, *arguments: str) -> None:
        self.master, slave = pty.openpty()
        environment = {**os.environ, "CAMELODDS_DATA": str(data), "TERM": "dumb", "COLUMNS": "60", "LINES": "24"}
        # Where the tests run in the background an interrupt is ignored, and a child would inherit that.
        code = "import signal, sys; signal.signal(signal.SIGINT, signal.default_int_handler)"
        code += "; from camelodds.cli import main; sys.exit(main(sys.argv[1:]))"
        self.process = subprocess.Popen(
            [sys.executable, "-c", code, "play", *arguments],
            stdin=slave, stdout=slave, stderr=slave, env=environment, start_new_session=True, close_fds=True,
        )  # fmt: skip
        os.close(slave)
        self.until("> ")

    def until(self, end: str, seconds: float = 120.0) -> str:
        """What is written until the text at its end."""
        found, limit = "", time.monotonic() + seconds
        while not found.endswith(end):
            ready, _, _ = select.select([self.master], [], [], max(0.0, limit - time.monotonic()))
            assert ready, f"nothing more came after {found!r}"
            try:
                piece = os.read(self.master, 4096)
            except OSError:
                return found
            if not piece:
                return found
            found += piece.decode().replace("\r\n", "\n")
        return found

    def type(self, line: str) -> str:
        """The answer to a line."""
        os.write(self.master, line.encode() + b"\n")
        return self.until("\n> ")

    def interrupt(self) -> str:
        """What is written when Ctrl-C is pressed at the prompt; the program has then ended."""
        # A signal between the prompt and the wait for a key is seen at the next key only: press again, as people do.
        for _ in range(100):
            time.sleep(0.2)
            os.killpg(self.process.pid, signal.SIGINT)
            if select.select([self.master], [], [], 2.0)[0]:
                break
        rest = self.until("\0")
        self.process.wait(60)
        return rest

    def leave(self) -> None:
        os.write(self.master, b"quit\n")
        self.until("\0")
        assert self.process.wait(60) == 0


BEFORE = [
    "winner ?",  # ann, face down: yellow, as it turns out
    "ben takes y",
    "cat loser ?",  # green
    "o1",
    "winner y",  # ben
    "oasis 11",  # cat, nobody lands there
]
AFTER = ["y3"]


def test_a_whole_race_with_an_interruption_ends_with_the_money_of_an_independent_count(tmp_path: Path) -> None:
    start = "1:g 5:b 8:o 10:w 14:y | ann | ben | cat | to_move ann"
    table = Terminal(tmp_path, "-e", "first", start)
    for line in BEFORE:
        assert "not understood" not in table.type(line)
    assert "ann's own cards are face down" in table.type("actions 3 ann")
    said = table.interrupt()
    assert table.process.returncode == 130 and "camelodds play --resume" in said

    table = Terminal(tmp_path, "--resume")
    assert "9:o" in table.type("who") and "y5" in table.type("who")
    assert "the red die" in table.type("help")
    end = table.type("y3")
    assert "finish:y" in end and "The money at the end is not known yet" in end
    assert "ann's card, number 1 of the winner deck" in end and "cat's card, number 1 of the loser deck" in end
    table.type("cards ann=y")
    end = " ".join(table.type("cards cat=green").split())
    # Counted by hand after docs/rules.md, section 7, from 3 pounds each. ann took both pyramid tickets (1 each) and has
    # the first right card on the winner: 3 + 2 + 8. ben has y5 and the second right card: 3 + 5 + 5. cat has the first
    # right card on the loser, green: 3 + 8. Nothing landed on the oasis.
    assert "ann has 13, ben has 13, cat has 11; ann and ben win." in end
    assert all(len(line) <= 60 for line in table.type("actions").splitlines())
    assert "ann: 3 + 2 (2 pyramid tickets) = 5" in end and "ben: 3 + 5 (y5) = 8" in end
    table.leave()
