"""Load scenarios and list the known ones."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from importlib.metadata import EntryPoint
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from zareba.base.errors import FileError, unknown_name
from zareba.base.installed import entry_points
from zareba.base.state import canonical_json
from zareba.base.yamlfile import Document, parse_yaml, read_yaml
from zareba.scenario.check import check_scenario
from zareba.scenario.model import Scenario

# --- Find, read and check scenario files: shipped with zareba, from installed packages, or given by path --------------
#
# A package adds every YAML file in the folder that one of its `zareba.scenarios` entry points names:
#
# [project.entry-points."zareba.scenarios"]
# sudan = "zareba_sudan_battles"
#
# Scenarios are data: the package's code is never run. A scenario is named after its file, `abu_klea`, if that name is
# unique. The name with the pack in front, `sudan:abu_klea`, always works.


GROUP = "zareba.scenarios"


@dataclass(frozen=True)
class Pack:
    """An installed package of scenarios with its files. `error` says why it has no files."""

    name: str
    distribution: str
    version: str
    files: tuple[Path, ...] = ()
    error: str = ""


def scenario_packs() -> tuple[Pack, ...]:
    """Return every installed pack, sorted by name."""
    found = {(entry.name, entry.value): entry for entry in entry_points(group=GROUP)}
    return tuple(_pack(entry) for _, entry in sorted(found.items()))


@cache
def packed_scenarios() -> Mapping[str, Path]:
    """Return the files of all packs by `pack:name`, and by the short name if only one pack uses it."""
    by_full_name: dict[str, Path] = {}
    short_names: list[str] = []
    for pack in scenario_packs():
        by_full_name |= {f"{pack.name}:{file.stem}": file for file in pack.files}
        short_names += [file.stem for file in pack.files]
    return by_full_name | {file.stem: file for file in by_full_name.values() if short_names.count(file.stem) == 1}


def _pack(entry: EntryPoint) -> Pack:
    """Return the pack of an entry point, with the error if its files cannot be found."""
    distribution = entry.dist.name if entry.dist else entry.name
    version = entry.dist.version if entry.dist else ""
    try:
        spec = find_spec(entry.module)
    except ImportError as error:
        return Pack(entry.name, distribution, version, error=f"{type(error).__name__}: {error}")
    folders = list(spec.submodule_search_locations or ()) if spec is not None else []
    files = tuple(sorted(file for folder in folders for file in Path(folder).glob("*.yaml")))
    error_text = "" if files else f"there are no scenario files in {entry.value}"
    return Pack(entry.name, distribution, version, files, error_text)


def shipped_scenarios() -> tuple[str, ...]:
    """Return the names of the scenarios shipped with zareba, in alphabetical order."""
    folder = resources.files("zareba.scenario") / "shipped"
    return tuple(sorted(file.name.removesuffix(".yaml") for file in folder.iterdir() if file.name.endswith(".yaml")))


def known_scenarios() -> tuple[str, ...]:
    """Return the names of the shipped scenarios, then those of installed packs, each by its shortest name."""
    shipped, packed = shipped_scenarios(), packed_scenarios()
    names = {file: name for name, file in packed.items() if name not in shipped}  # short names come last
    return *shipped, *sorted(names.values())


def scenario_text(name: str) -> str:
    """Return the file text of a known scenario. A shipped scenario wins over a pack's scenario of the same name.

    Raises ZarebaError with the nearest name.
    """
    if name in shipped_scenarios():
        return (resources.files("zareba.scenario") / "shipped" / f"{name}.yaml").read_text(encoding="utf-8")
    if name not in packed_scenarios():
        raise unknown_name("scenario", name, known_scenarios())
    return packed_scenarios()[name].read_text(encoding="utf-8")


def load_scenario(name_or_path: str | Path) -> Scenario:
    r"""Load a known scenario by name, or a file by path (anything with '/', '\' or ending in '.yaml' or '.yml').

    Raises:
        ZarebaError: no scenario has this name.
        FileError: the file is missing or has faults; it lists all of them.
    """
    name = str(name_or_path)
    if isinstance(name_or_path, Path) or "/" in name or "\\" in name or name.endswith((".yaml", ".yml")):
        return read_scenario(read_yaml(name_or_path))
    if name in shipped_scenarios():
        return _shipped_document(name).validate(Scenario)
    return parse_scenario(scenario_text(name), f"{name}.yaml")


@cache
def _shipped_document(name: str) -> Document:
    """Return the checked document of a shipped scenario. Parsing takes most of the time, and the file never changes."""
    document = parse_yaml(scenario_text(name), f"{name}.yaml")
    read_scenario(document)
    return document


def parse_scenario(text: str, name: str) -> Scenario:
    """Return the scenario in the text of a file; errors call the file `name`.

    Raises:
        FileError: lists all faults.
    """
    return read_scenario(parse_yaml(text, name))


def read_scenario(document: Document) -> Scenario:
    """Return the scenario in a parsed document.

    Raises:
        FileError: lists all faults.
    """
    scenario = document.validate(Scenario)
    if problems := check_scenario(scenario, document):
        raise FileError(problems)
    return scenario


def scenario_schema() -> dict[str, Any]:
    """Return the JSON Schema of scenario files, for editors."""
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", **Scenario.model_json_schema()}


# --- A scenario as one side may know it: without the units that enemies hide ------------------------------------------


def hidden_from(scenario: Scenario, readers: Collection[str]) -> frozenset[str]:
    """Return the ids of the units hidden from at least one of these sides, and of the leaders with them."""
    units = {
        key for key, unit in scenario.units.items() if unit.hidden and any(reader != unit.side for reader in readers)
    }
    return frozenset(units | {key for key, leader in scenario.leaders.items() if leader.unit in units})


def held_back(scenario: Scenario, unit: str) -> bool:
    """Return True if a unit is hidden and due after the last turn: only a house rule brings it on."""
    entry = scenario.units[unit]
    return entry.hidden and entry.arrival is not None and entry.arrival.turn > scenario.turns


def as_known_to(scenario: Scenario, readers: Collection[str]) -> Scenario | None:
    """Return the scenario without everything that it hides from one of these sides; None if no valid battle remains.

    Removed are the units, the leaders with them, the objects they carry, and everything that names them.
    """
    hidden = hidden_from(scenario, readers)
    if not hidden:
        return scenario
    data = scenario.model_dump(mode="json", exclude_defaults=True)
    for part in ("units", "leaders", "overrides"):
        data[part] = _without(data.get(part, {}), hidden)
    objects = data.get("objects", {})
    data["objects"] = {key: entry for key, entry in objects.items() if entry.get("carrier") not in hidden}
    removed_objects = scenario.objects.keys() - data["objects"].keys()
    data["objectives"] = {
        key: goal
        for key, goal in data.get("objectives", {}).items()
        if not hidden.intersection(goal.get("units", ()))
        and goal.get("leader") not in hidden
        and goal.get("object") not in removed_objects
    }
    data["hidden"] = {}
    try:
        return Scenario.model_validate_json(canonical_json(data), strict=True)
    except ValidationError:
        return None


def _without(value: Any, ids: Collection[str]) -> Any:
    """Return data without these ids, neither as keys nor as members of lists."""
    if isinstance(value, dict):
        return {key: _without(part, ids) for key, part in value.items() if key not in ids}
    if isinstance(value, list):
        return [_without(part, ids) for part in value if not isinstance(part, str) or part not in ids]
    return value
