"""Names of files, and files written whole or not at all."""

from __future__ import annotations

import os
import re
import secrets
import unicodedata
from contextlib import suppress
from pathlib import Path
from typing import Final

from zareba.base.errors import ZarebaError
from zareba.base.hidden_characters import is_one_line

# --- Checks for file names that work on Linux, macOS and Windows ------------------------------------------------------


_MAX_FILE_NAME: Final = 60
_RESERVED: Final = re.compile(r"(con|prn|aux|nul|conin\$|conout\$|(com|lpt)[0-9¹²³])", re.IGNORECASE)


def is_reserved(name: str) -> bool:
    """Return True if Windows reserves a name for a device, with any extension: CON, nul.txt, com1."""
    return _RESERVED.fullmatch(name.partition(".")[0].rstrip(" ")) is not None


def name_fault(name: str, most: int = _MAX_FILE_NAME) -> str:
    """Return the reason why a text cannot be a file name of up to `most` characters, or ""."""
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
    """Return True if a journal can have this name; the limit is higher than for chosen names, because default names
    contain long ids.
    """
    return not name_fault(name, 2 * _MAX_FILE_NAME)


def check_output(path: Path) -> Path:
    """Return the path of a file or folder to be written; raise ZarebaError if Windows does not allow the name."""
    made = [path, *(folder for folder in path.parents if not folder.exists())]
    for name in [path.name for path in made if path.name not in ("", "..")]:
        if not name.strip():
            raise ZarebaError("a file name cannot be blank; choose another")
        if is_reserved(name):
            raise ZarebaError(f"'{name}' is a reserved name on Windows; choose another")
        if name.endswith((" ", ".")):
            raise ZarebaError(f"'{name}' ends with a space or a dot, which Windows drops; leave it out")
    return path


def _is_written(letter: str) -> bool:
    """Return True for letters and their marks, digits, joiners, and the few other characters that names may have."""
    return letter in " .-_\u200c\u200d" or unicodedata.category(letter)[0] in "LMN"


# --- Write a file completely or not at all: no reader sees half a file, and a full disk leaves nothing behind ---------


def write_atomically(path: Path, text: str, *, private: bool = False, durable: bool = True) -> None:
    """Replace the content of a file by `text`; raise OSError, with the old file unchanged and no temporary file left,
    if that fails.

    With `private`, only the owner can read the file. Without `durable`, the function does not wait for the disk.
    """
    temporary = path.with_name(f".{path.name[:120]}.{secrets.token_hex(6)}")
    made = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o644)
    try:
        with open(made, "w", encoding="utf-8") as file:  # noqa: PTH123 # os.open has set the permissions
            file.write(text)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
