"""What can be typed? The command line; it knows no number of its own."""

from camelodds.cli.parser import main as main
