"""The available battles: those of zareba and of installed plugins, and the user's own, stored as files in a folder."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from threading import Lock

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.filenames import is_reserved, write_whole
from zareba.scenario import Scenario, known_scenarios, load_scenario, scenario_text

_NAME = re.compile(r"(?=[0-9_]*[a-z])[a-z0-9][a-z0-9_]{0,59}")


class Battles:
    """The scenarios by name. The user's own battles never hide one that comes with zareba."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.making = Lock()

    def made(self) -> list[str]:
        """Return the names of the user's own battles, the newest first."""
        found = [path for path in self.folder.glob("*.yaml") if _NAME.fullmatch(path.stem) and not path.is_symlink()]
        return [path.stem for path in sorted(found, key=lambda path: -path.stat().st_mtime)]

    def source(self, name: str) -> str:
        """Return the argument for `load_scenario`: a name or a path. Raises ZarebaError with the nearest name."""
        if name in known_scenarios():
            return name
        if name not in self.made():
            raise unknown_name("scenario", name, [*known_scenarios(), *self.made()])
        return str(self.folder / f"{name}.yaml")

    def scenario(self, name: str) -> Scenario:
        """Return a battle by name. Raises FileError if its file is invalid."""
        source = self.source(name)
        return _read(source, 0.0 if source == name else Path(source).stat().st_mtime_ns)

    def source_text(self, name: str) -> str:
        """Return the text of any battle's file."""
        if name in self.made():
            return self.text(name)
        return scenario_text(name)

    def text(self, name: str) -> str:
        """Return the text of the file of one of the user's own battles."""
        return Path(self._own(name)).read_text(encoding="utf-8-sig")

    def _own(self, name: str) -> str:
        if name not in self.made():
            raise unknown_name("battle that was made here", name, self.made())
        return str(self.folder / f"{name}.yaml")

    def free(self, name: str) -> str:
        """Return an unused name, made from another name."""
        stem = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:48] or "battle"
        stem = stem if stem[0].isalpha() and not is_reserved(stem) else f"battle_{stem}"
        taken = {*known_scenarios(), *self.made()}
        return next(name for name in (stem, *(f"{stem}_{number}" for number in range(2, 10_000))) if name not in taken)

    def keep(self, name: str, text: str) -> None:
        """Write a battle's file atomically. Raises ZarebaError for an invalid name."""
        if not _NAME.fullmatch(name) or is_reserved(name) or name in known_scenarios():
            raise ZarebaError(
                f"'{name[:80]}' is not a valid name: use small letters, digits and _, and not the name of a shipped battle"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / f"{name}.yaml", text)
        except OSError as error:
            raise ZarebaError(f"the battle cannot be written: {error.strerror}") from error

    def drop(self, name: str) -> None:
        """Delete one of the user's own battles."""
        Path(self._own(name)).unlink()


@lru_cache(maxsize=128)
def _read(source: str, changed: float) -> Scenario:
    """Load a scenario once for each version of its file."""
    return load_scenario(source)
