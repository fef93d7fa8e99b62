"""Is this worth it, in Carcassonne? Exact odds of "Under the Big Top": the tent, its tokens and the ringmaster.

A part of its own: nothing of Camel Up is in it, and nothing else of this package knows it. The rules, the rulings and a
worked turn are in docs/guide/big-top.md.

What a player asks, and the method of `State` that answers:

- What lies under the tent, what will several tokens sum up to? `token`, `token_total`
- When does the tent move, and by whose hand? `tent_moves_within`, `draws_until_tent_moves`, `tent_moved_by`
- Is it likely to stay where it is for the last tiles? `tent_stays_for_last`
- What does everybody earn, who is ahead then? `points`, `lead`, `ahead`, `level`
- What is one more meeple beside the tent worth, or one more acrobat? `one_more_meeple`, `one_more_acrobat`
- The circus tile just drawn: here or there? `circus_tile`, with a `Site` for each place
- What will the ringmaster earn? `ringmaster`

>>> State(seen=[7, 6, 6]).token().mean
Fraction(48, 13)
"""

from camelodds.big_top.circus_tile import CircusTile as CircusTile
from camelodds.big_top.circus_tile import Site as Site
from camelodds.big_top.distribution import Distribution as Distribution
from camelodds.big_top.state import Player as Player
from camelodds.big_top.state import State as State

__all__ = ["CircusTile", "Distribution", "Player", "Site", "State"]
