"""Write a file whole or not at all, so that no reader finds half of one and a full disk leaves nothing behind."""

from __future__ import annotations

import os
import secrets
from contextlib import suppress
from pathlib import Path

__all__ = ["write_whole"]


def write_whole(path: Path, text: str, *, private: bool = False, durable: bool = True) -> None:
    """Put `text` in the place of a file; raises OSError with the old file unchanged and no temporary file left.

    With `private` only its owner may read it. Without `durable` the disk is not waited for.
    """
    temporary = path.with_name(f".{path.name[:120]}.{secrets.token_hex(6)}")
    made = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600 if private else 0o644)
    try:
        with open(made, "w", encoding="utf-8") as file:  # noqa: PTH123 # its rights are given when it is made
            file.write(text)
            file.flush()
            if durable:
                os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        with suppress(OSError):
            temporary.unlink()
        raise
