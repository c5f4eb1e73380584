"""Scenarios that installed packages bring: every YAML file in the package behind an entry point of `zareba.scenarios`.

    [project.entry-points."zareba.scenarios"]
    sudan = "zareba_sudan_battles"

They are data, and nothing of the package is run for them. A scenario is called as its file is, `abu_klea`, while no other is
called so, and always by its pack too, `sudan:abu_klea`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path

__all__ = ["GROUP", "Pack", "packed_scenarios", "scenario_packs"]

GROUP = "zareba.scenarios"


@dataclass(frozen=True)
class Pack:
    """An installed package of scenarios with their files. `error` says why it has none to give."""

    name: str
    distribution: str
    version: str
    files: tuple[Path, ...] = ()
    error: str = ""


def scenario_packs() -> tuple[Pack, ...]:
    """Every installed pack, by name."""
    found = {(entry.name, entry.value): entry for entry in entry_points(group=GROUP)}
    return tuple(_pack(entry) for _, entry in sorted(found.items()))


@cache
def packed_scenarios() -> Mapping[str, Path]:
    """The files of all packs by `pack:name`, and by the name alone where only one brings it."""
    whole: dict[str, Path] = {}
    names: list[str] = []
    for pack in scenario_packs():
        whole |= {f"{pack.name}:{file.stem}": file for file in pack.files}
        names += [file.stem for file in pack.files]
    return whole | {file.stem: file for file in whole.values() if names.count(file.stem) == 1}


def _pack(entry: EntryPoint) -> Pack:
    known = entry.name, entry.dist.name if entry.dist else entry.name, entry.dist.version if entry.dist else ""
    try:
        spec = find_spec(entry.module)
    except ImportError as error:
        return Pack(*known, error=f"{type(error).__name__}: {error}")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    files = tuple(sorted(file for folder in folders for file in Path(folder).glob("*.yaml")))
    return Pack(*known, files, error="" if files else f"there is no scenario in {entry.value}")
