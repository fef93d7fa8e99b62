"""The jitted core: arrays in, arrays out. It imports nothing of the rest of the package."""
