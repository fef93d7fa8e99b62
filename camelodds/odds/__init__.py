"""How can it end? Exact odds of the leg, odds of the race. It knows no money and no players."""
