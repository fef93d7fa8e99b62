"""How does a game go? Recorded games, luck and skill, bots, tournaments."""
