"""Draw the README's plot anew: python docs/pictures.py. The board beside it comes from tests/test_display.py."""

from __future__ import annotations

from pathlib import Path

import matplotlib

import camelodds as co
from camelodds import plot

if __name__ == "__main__":
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "camelodds"
    axes = plot.places(co.leg_odds("1:rb 2:g 3:yp 14:K 15:W"))
    axes.figure.savefig(Path(__file__).with_name("places.svg"), metadata={"Date": None})
