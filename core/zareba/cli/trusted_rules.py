"""House rules in Python that this person has named on a command line, remembered by the digest of their text.

To name a file is to let it run. A game that was begun with it is gone on with by its journal alone: the journal brings
the digest, the file is the person's own.
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

__all__ = ["python_files", "remember"]

_DIGEST = re.compile(r"[0-9a-f]{32}")


def remember(house_rules: Iterable[HouseRule]) -> None:
    """Note where the Python files among these house rules are."""
    for rule in house_rules:
        if rule.module is not None:
            # Where nothing can be noted, the file is named again another time.
            with suppress(OSError):
                _folder().mkdir(parents=True, exist_ok=True)
                (_folder() / digest(rule.text)).write_text(str(rule.file.resolve()), encoding="utf-8")


def python_files(named: Sequence[str] | None, played: Sequence[RulePlayed]) -> list[Path]:
    """The files that a game's house rules in Python may be run from: those named now, and those named before."""
    files = []
    for name in named or ():
        path = Path(name) if is_rule_folder(Path(name)) else existing_file("house rule", name)
        if path.suffix != ".py" and not path.is_dir():
            raise ZarebaError(f"{path} is no house rule in Python; the journal has all others already")
        files.append(path)
    remembered = (_remembered(rule.digest) for rule in played if rule.python)
    return files + [path for path in remembered if path is not None]


def _remembered(wanted: str) -> Path | None:
    """The file with this digest; None when nobody named one, or it is gone or another by now."""
    if not _DIGEST.fullmatch(wanted):  # a journal may say anything
        return None
    with suppress(OSError, ValueError, ZarebaError):
        path = Path((_folder() / wanted).read_text(encoding="utf-8"))
        if digest(source_of(path)) == wanted:
            return path
    return None


def _folder() -> Path:
    return user_config_path("zareba") / "house_rules"
