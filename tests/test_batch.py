"""Many positions at once: frames, files, executors, a cluster (README, "Many positions")."""

from __future__ import annotations

import os
import resource
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

import camelodds as co
from camelodds.odds.counting import CHUNK, place_odds
from camelodds.position.boards import Boards

TEXTS = ["1:rb 2:g 3:yp 14:K 15:W", "10:Wr 13:bg 14:y 15:Kp +16 / rb", "2:yp 3:K 9:g finish:rWb / bgyp#"]
FRAME = pd.DataFrame({"game": [1, 1, 2], "board": TEXTS}, index=[10, 20, 30])


def test_a_frame_of_positions_becomes_a_frame_of_odds(capsys: pytest.CaptureFixture[str]) -> None:
    odds = co.leg_frame(FRAME, progress=True)
    assert "100%" in capsys.readouterr().err
    assert list(odds.index) == [10, 20, 30]
    for text, (_, row) in zip(TEXTS, odds.iterrows(), strict=True):
        leg = co.leg_odds(text)
        assert row["race_ends"] == float(leg.race_ends)
        for lane, camel in enumerate("rbgyp"):
            for place in range(5):
                assert row[f"p_{camel}{place + 1}"] == leg.probabilities[lane, place]
    assert co.leg_frame(FRAME["board"]).equals(odds)
    assert co.leg_frame(FRAME.rename(columns={"board": "text"}), column="text").equals(odds)
    assert co.leg_frame(FRAME[:0]).shape == (0, 26)
    with pytest.raises(KeyError):
        co.leg_frame(FRAME, column="no such")


def test_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("camelodds.odds.batch.ROWS", 2)
    source, target = tmp_path / "positions.parquet", tmp_path / "odds.parquet"
    FRAME.to_parquet(source)
    assert co.leg_parquet(source, target, progress=True) == 3
    written = pd.read_parquet(target)
    assert written[["game", "board"]].equals(FRAME)
    assert written.drop(columns=["game", "board"]).equals(co.leg_frame(FRAME))
    with pytest.raises(KeyError, match="no column 'text'"):
        co.leg_parquet(source, target, column="text")
    FRAME.assign(board=[*TEXTS[:2], "1:rb"]).to_parquet(source)
    kept = target.read_bytes()
    with pytest.raises(co.NotationError, match=r"board 2: .*missing"):
        co.leg_parquet(source, target)
    assert target.read_bytes() == kept
    assert {path.name for path in tmp_path.iterdir()} == {"positions.parquet", "odds.parquet"}


def die_once(job: tuple[str, Boards]) -> Any:
    """Kill the process the first time; do the work after."""
    marker, boards = job
    if not Path(marker).exists():
        Path(marker).touch()
        os._exit(1)
    return place_odds(boards)


@pytest.fixture(scope="module")
def cluster() -> Any:
    distributed = pytest.importorskip("distributed")
    with (
        distributed.LocalCluster(
            n_workers=2, threads_per_worker=1, processes=True, dashboard_address=None, silence_logs=50
        ) as local,
        distributed.Client(local) as client,
    ):
        yield client


def test_a_cluster_gives_the_same_to_the_bit(cluster: Any, tmp_path: Path) -> None:
    texts = TEXTS * CHUNK
    expected = co.leg_odds_many(texts)
    assert (co.leg_odds_many(texts, executor=cluster.get_executor()) == expected).all()
    assert co.leg_frame(pd.Series(texts), executor=cluster.get_executor()).shape == (len(texts), 26)
    boards = Boards.of(TEXTS)
    survived = cluster.get_executor().submit(die_once, (str(tmp_path / "marker"), boards)).result()
    assert (survived == place_odds(boards)).all()


def test_memory_does_not_grow_with_the_number_of_positions() -> None:
    """Beyond the encoded boards and the answers themselves: a piece at a time."""
    boards = Boards.of(["1:bg 2:wy 3:o / bg"] * 200_000, "first")
    co.leg_odds_many(boards[:CHUNK])
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    odds = co.leg_odds_many(boards)
    grown = (resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before) * 1024
    assert grown < odds.nbytes + 150e6
    assert np.ptp(odds, axis=0).max() == 0


def test_a_wrong_row_of_a_frame_is_named_by_its_label() -> None:
    positions = pd.Series(["1:rb 2:g 3:yp 14:K 15:W", "1:rb"], index=["fine", "torn"])
    with pytest.raises(co.NotationError, match=r"^row torn: "):
        co.leg_frame(positions)
