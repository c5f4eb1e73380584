"""What all tests share: their modules importable as `tests...`, and no deadline for properties on busy machines."""

from __future__ import annotations

import sys
from pathlib import Path

from hypothesis import settings

sys.path.insert(0, str(Path(__file__).parents[1]))

settings.register_profile("zareba", deadline=None)
settings.load_profile("zareba")
