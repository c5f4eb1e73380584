"""The battles that can be fought: those that come with zareba or an installed package, and those that were made here, kept as files of a folder."""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path
from threading import Lock

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.filenames import is_reserved
from zareba.base.whole_file import write_whole
from zareba.scenario import Scenario, known_scenarios, load_scenario, scenario_text

__all__ = ["Battles"]

NAME = re.compile(r"(?=[0-9_]*[a-z])[a-z0-9][a-z0-9_]{0,59}")


class Battles:
    """The scenarios by their names; one that was made here never hides one that comes with zareba."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.making = Lock()

    def made(self) -> list[str]:
        """The names of those made here, the last one first."""
        found = [path for path in self.folder.glob("*.yaml") if NAME.fullmatch(path.stem) and not path.is_symlink()]
        return [path.stem for path in sorted(found, key=lambda path: -path.stat().st_mtime)]

    def source(self, name: str) -> str:
        """What `load_scenario` takes: a name, or the path of a file; raises ZarebaError with the nearest name."""
        if name in known_scenarios():
            return name
        if name not in self.made():
            raise unknown_name("scenario", name, [*known_scenarios(), *self.made()])
        return str(self.folder / f"{name}.yaml")

    def scenario(self, name: str) -> Scenario:
        """A battle by its name; raises FileError when what is in its file is not sound."""
        source = self.source(name)
        return _read(source, 0.0 if source == name else Path(source).stat().st_mtime_ns)

    def source_text(self, name: str) -> str:
        """The file of any battle."""
        if name in self.made():
            return self.text(name)
        return scenario_text(name)

    def text(self, name: str) -> str:
        """The file of a battle that was made here."""
        return Path(self._own(name)).read_text(encoding="utf-8-sig")

    def _own(self, name: str) -> str:
        if name not in self.made():
            raise unknown_name("battle that was made here", name, self.made())
        return str(self.folder / f"{name}.yaml")

    def free(self, name: str) -> str:
        """A name that is not taken, made from another."""
        stem = re.sub(r"[^a-z0-9]+", "_", name.lower()).strip("_")[:48] or "battle"
        stem = stem if stem[0].isalpha() and not is_reserved(stem) else f"battle_{stem}"
        taken = {*known_scenarios(), *self.made()}
        return next(name for name in (stem, *(f"{stem}_{number}" for number in range(2, 10_000))) if name not in taken)

    def keep(self, name: str, text: str) -> None:
        """Write a battle's file; it is there whole or not at all. Raises ZarebaError for a name that cannot be."""
        if not NAME.fullmatch(name) or is_reserved(name) or name in known_scenarios():
            raise ZarebaError(
                f"a battle cannot be called '{name[:80]}': small letters, digits and _, and no name that zareba has already"
            )
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
            write_whole(self.folder / f"{name}.yaml", text)
        except OSError as error:
            raise ZarebaError(f"the battle cannot be written: {error.strerror}") from error

    def drop(self, name: str) -> None:
        """Take a battle that was made here away."""
        Path(self._own(name)).unlink()


@lru_cache(maxsize=128)
def _read(source: str, changed: float) -> Scenario:
    """Read once for each state of the file."""
    return load_scenario(source)
