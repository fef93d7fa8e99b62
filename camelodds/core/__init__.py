"""Numbers in, numbers out: how a unit moves, every way a leg can end, the race solved and played.

Kernels take arrays and return arrays; they know no object and no money, and import nothing of the rest of the package.
"""
