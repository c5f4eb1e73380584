"""The available battles: those of zareba and of installed plugins, and the user's own, stored as files in a folder."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from threading import Lock

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.filenames import is_reserved, write_atomically
from zareba.scenario import Scenario, known_scenarios, load_scenario, scenario_text

_NAME = re.compile(r"(?=[0-9_]*[a-z])[a-z0-9][a-z0-9_]{0,59}")


class Battles:
    """The scenarios by name. The user's own battles never hide one that comes with zareba.

    Hold `naming_lock` from `free_name` to `save`, so that two new battles never get the same name.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.naming_lock = Lock()

    def own_names(self) -> list[str]:
        """Return the names of the user's own battles, the newest first."""
        paths = [path for path in self.folder.glob("*.yaml") if _NAME.fullmatch(path.stem) and not path.is_symlink()]
        return [path.stem for path in sorted(paths, key=lambda path: -path.stat().st_mtime)]

    def source(self, name: str) -> str:
        """Return the argument for `load_scenario`: the name of a shipped battle, or the path of an own one.

        Raises ZarebaError with the nearest name if there is no such battle.
        """
        if name in known_scenarios():
            return name
        if name not in self.own_names():
            raise unknown_name("scenario", name, [*known_scenarios(), *self.own_names()])
        return str(self._path(name))

    def scenario(self, name: str) -> Scenario:
        """Return a battle by name. Raises FileError if its file is invalid."""
        source = self.source(name)
        is_shipped = source == name
        return _load_version(source, 0.0 if is_shipped else Path(source).stat().st_mtime_ns)

    def file_text(self, name: str) -> str:
        """Return the YAML text of a battle, shipped or own."""
        return self.own_text(name) if name in self.own_names() else scenario_text(name)

    def own_text(self, name: str) -> str:
        """Return the YAML text of one of the user's own battles. Raises ZarebaError if there is none of this name."""
        return self._own_path(name).read_text(encoding="utf-8-sig")

    def _path(self, name: str) -> Path:
        return self.folder / f"{name}.yaml"

    def _own_path(self, name: str) -> Path:
        if name not in self.own_names():
            raise unknown_name("battle that was made here", name, self.own_names())
        return self._path(name)

    def free_name(self, title: str) -> str:
        """Return an unused name for a new battle, made from its title or from another name."""
        stem = re.sub(r"[^a-z0-9]+", "_", title.lower()).strip("_")[:48] or "battle"
        if is_reserved(stem) or not stem[0].isalpha():
            stem = f"battle_{stem}"
        candidates = (stem, *(f"{stem}_{number}" for number in range(2, 10_000)))
        taken = {*known_scenarios(), *self.own_names()}
        return next(name for name in candidates if name not in taken)

    def save(self, name: str, text: str) -> None:
        """Write a battle's file atomically. Raises ZarebaError for an invalid name."""
        if not _NAME.fullmatch(name) or is_reserved(name) or name in known_scenarios():
            raise ZarebaError(
                f"'{name[:80]}' is not a valid name: use small letters, digits and _, and not the name of a shipped battle"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_atomically(self._path(name), text)
        except OSError as error:
            raise ZarebaError(f"the battle cannot be written: {error.strerror}") from error

    def delete(self, name: str) -> None:
        """Delete one of the user's own battles."""
        self._own_path(name).unlink()


@lru_cache(maxsize=128)
def _load_version(source: str, modified: float) -> Scenario:
    """Load a scenario. `modified` is the time of its file, so that each version of a file is loaded once."""
    return load_scenario(source)
