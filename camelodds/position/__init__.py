"""Where do the camels stand? Boards as values, as text and as arrays. It knows no odds."""
