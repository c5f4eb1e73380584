"""Make the modules of the tests importable as `tests.core...`, here and in spawned workers."""

from __future__ import annotations

import sys
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[3]))
