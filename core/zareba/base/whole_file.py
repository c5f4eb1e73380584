"""Write a file completely or not at all: no reader sees half a file, and a full disk leaves nothing behind."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: Path, text: str, *, private: bool = False, durable: bool = True) -> None:
    """Replace the content of a file by `text`; raise OSError, with the old file unchanged and no temporary file left, if
    that fails.

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
