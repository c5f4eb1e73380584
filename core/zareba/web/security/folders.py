"""Removal of local folder names from messages."""

from __future__ import annotations

import re
import sys
from pathlib import Path

__all__ = ["without_folders"]

_FOLDERS = re.compile(r"(?<![\w.:/\\<])(?:[A-Za-z]:)?(?:[/\\][^\s/\\:;,'\"()<>]+)+[/\\](?=[^\s/\\])")
"""The folders of an absolute path; the character before it is not part of a word or of a URL."""


def without_folders(words: str) -> str:
    """Return a sentence in which file paths are reduced to file names, because local folders are private."""
    for folder in _known_folders():
        words = words.replace(f"{folder}/", "").replace(f"{folder}\\", "").replace(folder, Path(folder).name)
    return _FOLDERS.sub("", words)


def _known_folders() -> list[str]:
    """Return folders whose names may contain spaces, the longest first."""
    found = {str(Path.home()), str(Path.cwd()), sys.prefix, *(entry for entry in sys.path if Path(entry).is_absolute())}
    return sorted((one for one in found if len(one) > 1), key=len, reverse=True)
