"""Who holds what, and what may be done? A game in progress, step by step. It knows no odds."""
