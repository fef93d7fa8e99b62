"""Settings for all tests."""

from hypothesis import settings

settings.register_profile("camelodds", deadline=None)
settings.load_profile("camelodds")
