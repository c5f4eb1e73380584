"""Names of files that every system can keep: Linux, macOS and Windows."""

from __future__ import annotations

import re
import unicodedata
from pathlib import Path
from typing import Final

from zareba.base.characters import is_one_line
from zareba.base.errors import ZarebaError

__all__ = ["check_output", "is_game_name", "is_reserved", "name_fault"]

MAX_FILE_NAME: Final = 60
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)


def is_reserved(name: str) -> bool:
    """Return True if Windows takes a name for a device, whatever ending it has: CON, nul.txt, com1."""
    return _RESERVED.fullmatch(name.partition(".")[0].rstrip(" ")) is not None


def name_fault(name: str, most: int = MAX_FILE_NAME) -> str:
    """Return what keeps a text of up to `most` characters from being the name of a file, "" if nothing does."""
    if not name.strip():
        return "it is blank"
    if len(name) > most:
        return f"a name has up to {most} characters, not {len(name)}"
    if not is_one_line(name) or not all(_is_written(letter) for letter in name):
        return "use letters, digits, spaces, '.', '-' and '_'"
    if name.startswith("."):
        return "a file whose name begins with a dot is hidden; leave the dot out"
    if name != name.strip() or name.endswith("."):
        return "leave out spaces at either end and a dot at the end, which Windows drops"
    return "Windows keeps it for a device; choose another" if is_reserved(name) else ""


def is_game_name(name: str) -> bool:
    """Return True if the journal of a game can have this name; one that was not chosen is made of longer ids."""
    return not name_fault(name, 2 * MAX_FILE_NAME)


def check_output(path: Path) -> Path:
    """Return the path of a file or folder to be written; raises ZarebaError if Windows cannot have one of that name."""
    made = [path, *(folder for folder in path.parents if not folder.exists())]
    for name in [one.name for one in made if one.name not in ("", "..")]:
        if not name.strip():
            raise ZarebaError("a name of blanks is no name for a file; choose another")
        if is_reserved(name):
            raise ZarebaError(f"'{name}' is a name that Windows keeps for a device; choose another")
        if name.endswith((" ", ".")):
            raise ZarebaError(f"'{name}' ends with a space or a dot, which Windows drops; leave it out")
    return path


def _is_written(letter: str) -> bool:
    """Return True for letters with their marks, digits, joiners within a word, and the few signs that names have."""
    return letter in " .-_\u200c\u200d" or unicodedata.category(letter)[0] in "LMN"
