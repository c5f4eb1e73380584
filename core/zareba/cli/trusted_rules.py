"""Python house rules that the user has named on a command line, remembered by the digest of their text.

Naming a file permits running it. A saved game that uses it can later be continued from its journal alone: the journal
holds the digest, and the file is the user's own.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from contextlib import suppress
from pathlib import Path

from platformdirs import user_config_path

from zareba.base.errors import ZarebaError
from zareba.base.state import digest
from zareba.cli.options import existing_file
from zareba.journal import RulePlayed
from zareba.plugins.rule_files import is_rule_folder, source_of
from zareba.registry import HouseRule

_DIGEST = re.compile(r"[0-9a-f]{32}")


def remember(house_rules: Iterable[HouseRule]) -> None:
    """Record the paths of the Python files among these house rules."""
    for rule in house_rules:
        if rule.module is not None:
            # If the path cannot be recorded, the user has to name the file again next time.
            with suppress(OSError):
                _folder().mkdir(parents=True, exist_ok=True)
                (_folder() / digest(rule.text)).write_text(str(rule.file.resolve()), encoding="utf-8")


def python_files(named: Sequence[str] | None, played: Sequence[RulePlayed]) -> list[Path]:
    """Return the files from which a game's Python house rules may run: those named now and those remembered."""
    files = []
    for name in named or ():
        path = Path(name) if is_rule_folder(Path(name)) else existing_file("house rule", name)
        if path.suffix != ".py" and not path.is_dir():
            raise ZarebaError(f"{path} is not a Python house rule; the journal already contains the others")
        files.append(path)
    remembered = (_remembered(rule.digest) for rule in played if rule.python)
    return files + [path for path in remembered if path is not None]


def _remembered(wanted: str) -> Path | None:
    """Return the remembered file with this digest; None if there is none, or if the file is missing or has changed."""
    if not _DIGEST.fullmatch(wanted):  # journals are untrusted
        return None
    with suppress(OSError, ValueError, ZarebaError):
        path = Path((_folder() / wanted).read_text(encoding="utf-8"))
        if digest(source_of(path)) == wanted:
            return path
    return None


def _folder() -> Path:
    return user_config_path("zareba") / "house_rules"
