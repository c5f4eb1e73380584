"""Finding, reading and checking scenario files: those that come with zareba, those of installed packages, anybody's own.

A package brings every YAML file in the folder behind an entry point of `zareba.scenarios`:

    [project.entry-points."zareba.scenarios"]
    sudan = "zareba_sudan_battles"

They are data, and nothing of the package is run for them. A scenario is called as its file is, `abu_klea`, while no other is
called so, and always by its pack too, `sudan:abu_klea`.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.metadata import EntryPoint, entry_points
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from zareba.base.errors import FileError, unknown_name
from zareba.base.yamlfile import Document, parse_yaml, read_yaml
from zareba.scenario.check import check_scenario
from zareba.scenario.model import Scenario

__all__ = [
    "GROUP",
    "Pack",
    "known_scenarios",
    "load_scenario",
    "packed_scenarios",
    "parse_scenario",
    "read_scenario",
    "scenario_packs",
    "scenario_schema",
    "scenario_text",
    "shipped_scenarios",
]


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


def shipped_scenarios() -> tuple[str, ...]:
    """The names of the scenarios that come with zareba, in alphabetical order."""
    folder = resources.files("zareba.scenario") / "shipped"
    return tuple(sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml")))


def known_scenarios() -> tuple[str, ...]:
    """The names of the shipped scenarios, and then those that installed packages bring, each by its shortest name."""
    shipped, packed = shipped_scenarios(), packed_scenarios()
    names = {file: name for name, file in packed.items() if name not in shipped}  # the short one of a file comes last
    return *shipped, *sorted(names.values())


def scenario_text(name: str) -> str:
    """The file of a known scenario; a name that a package has in common with a shipped one is the shipped one's.

    Raises ZarebaError with the nearest name.
    """
    if name in shipped_scenarios():
        return (resources.files("zareba.scenario") / "shipped" / f"{name}.yaml").read_text(encoding="utf-8")
    if name not in packed_scenarios():
        raise unknown_name("scenario", name, known_scenarios())
    return packed_scenarios()[name].read_text(encoding="utf-8")


def load_scenario(name_or_path: str | Path) -> Scenario:
    """A scenario that is known by its name, or one from a file by its path (with a '/', a '\\' or '.yaml' in it).

    Raises:
        ZarebaError: no scenario of this name is known.
        FileError: the file is missing or faulty; all faults at once.
    """
    name = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in name or "\\" in name or name.endswith((".yaml", ".yml")):
        return read_scenario(read_yaml(name_or_path))
    return parse_scenario(scenario_text(name), f"{name}.yaml")


def parse_scenario(text: str, name: str) -> Scenario:
    """A scenario from the text of its file; `name` stands for the file in errors.

    Raises:
        FileError: with all faults at once.
    """
    return read_scenario(parse_yaml(text, name))


def read_scenario(document: Document) -> Scenario:
    """A scenario from a document that was read already.

    Raises:
        FileError: with all faults at once.
    """
    scenario = document.validate(Scenario)
    if problems := check_scenario(scenario, document):
        raise FileError(problems)
    return scenario


def scenario_schema() -> dict[str, Any]:
    """The JSON Schema of scenario files, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Scenario.model_json_schema()}
