"""Sentences without the folders of this machine."""

from __future__ import annotations

import re
import sys
from pathlib import Path

__all__ = ["without_folders"]

_FOLDERS = re.compile(r"(?<![\w.:/\\<])(?:[A-Za-z]:)?(?:[/\\][^\s/\\:;,'\"()<>]+)+[/\\](?=[^\s/\\])")
"""The folders of an absolute path; what stands before it is no part of a word or of an address."""


def without_folders(words: str) -> str:
    """Return a sentence with the names of files alone: where they lie on this machine is nobody's business."""
    for folder in _known_folders():
        words = words.replace(f"{folder}/", "").replace(f"{folder}\\", "").replace(folder, Path(folder).name)
    return _FOLDERS.sub("", words)


def _known_folders() -> list[str]:
    """Return folders whose names may have blanks, the longest first."""
    found = {str(Path.home()), str(Path.cwd()), sys.prefix, *(entry for entry in sys.path if Path(entry).is_absolute())}
    return sorted((one for one in found if len(one) > 1), key=len, reverse=True)
