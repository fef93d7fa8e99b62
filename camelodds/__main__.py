"""`python -m camelodds`."""

import sys

from camelodds.cli.parser import main

sys.exit(main())
