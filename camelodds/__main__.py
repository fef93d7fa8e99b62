"""`python -m camelodds`."""

import sys

from camelodds.cli import main

sys.exit(main())
