"""Find and read position files, and build the scenario of each."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from zareba.agents import agent_names
from zareba.base.errors import FileError, unknown_name
from zareba.base.references import dangling
from zareba.base.yamlfile import Document, parse_yaml, read_yaml
from zareba.registry import ruleset, ruleset_names
from zareba.scenario import Scenario, load_scenario, shipped_scenarios
from zareba.scenario.load import read_scenario
from zareba.tactics.model import STILL, PositionFile

FOLDER = "tactics"
"""The folder with the positions of a ruleset, beside its `ruleset.yaml`."""
TRAINING_GROUND = "training_ground"
"""The name of the empty battlefield that most positions start from."""
_SOLDIERS = ("infantry", "cavalry", "camelry", "mounted_infantry")


@dataclass(frozen=True)
class Position:
    """A position that has been read: its id (the name of its file), its file and its scenario."""

    id: str
    file: PositionFile
    scenario: Scenario


def all_positions(name: str) -> tuple[Position, ...]:
    """Return the positions of a ruleset: those that run under every ruleset, then its own and those that it inherits.

    Raises ZarebaError for an unknown ruleset, and FileError for a position with faults.
    """
    folders = [_common_folder(), *(folder / FOLDER for folder in reversed(ruleset(name).folders))]
    positions = [position for folder in folders for position in load_positions(folder)]
    return tuple(position for position in positions if not position.file.rulesets or name in position.file.rulesets)


@cache
def load_positions(folder: Path) -> tuple[Position, ...]:
    """Return the positions in an installed folder (cached), sorted by file name. A folder that does not exist has
    none.
    """
    return tuple(read_position(file) for file in sorted(folder.glob("*.yaml")))


def _common_folder() -> Path:
    return Path(str(resources.files("zareba.tactics") / "positions"))


def read_position(file: Path) -> Position:
    """Return the position in a file.

    Raises FileError with all faults of the file or of its scenario, each at its line.
    """
    document = read_yaml(file)
    position = document.validate(PositionFile)
    scenario = _scenario_of(position, document, file.stem)
    faults = [document.error(fault.path, fault.message) for fault in dangling(position, scenario)]
    if position.player not in scenario.sides:
        faults.append(document.error(("player",), str(unknown_name("side", position.player, scenario.sides))))
    if position.enemy not in (policies := [STILL, *agent_names()]):
        faults.append(document.error(("enemy",), str(unknown_name("AI player", position.enemy, policies))))
    faults += [
        document.error(("rulesets", index), str(unknown_name("ruleset", name, ruleset_names())))
        for index, name in enumerate(position.rulesets)
        if name not in ruleset_names()
    ]
    if faults:
        raise FileError(faults)
    return Position(file.stem, position, scenario)


# --- The scenario of a position: a base with changes ------------------------------------------------------------------


def _scenario_of(position: PositionFile, document: Document, name: str) -> Scenario:
    """Return the checked scenario. A fault in it is reported at the line of the change that causes it."""
    base = dict(_base_data(position, document))
    data = _merged(base, _with_troops(document.data.get("changes") or {}, document))
    if position.base == TRAINING_GROUND:
        data["leaders"] = {**_leaders_of(data), **data.get("leaders", {})}
    data["id"] = name
    data["title"] = position.title
    places = {path[1:]: place for path, place in document.places.items() if path[:1] == ("changes",)}
    places[()] = document.places.get(("changes",), document.place(()))
    return read_scenario(Document(document.file, data, places))


def _base_data(position: PositionFile, document: Document) -> Mapping[str, Any]:
    if position.base == TRAINING_GROUND:
        return _training_ground()
    if position.base not in shipped_scenarios():
        known = [TRAINING_GROUND, *shipped_scenarios()]
        raise FileError([document.error(("from",), str(unknown_name("scenario", position.base, known)))])
    data: Mapping[str, Any] = load_scenario(position.base).model_dump(mode="json", exclude_defaults=True)
    return data


@cache
def _training_ground() -> Mapping[str, Any]:
    return _data_file("training_ground.yaml")


@cache
def _troops() -> Mapping[str, Any]:
    return _data_file("troops.yaml")


def _data_file(name: str) -> Mapping[str, Any]:
    text = (resources.files("zareba.tactics") / name).read_text(encoding="utf-8")
    return parse_yaml(text, name).data


def _leaders_of(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return a captain for each side of the training ground that has none, with its first unit of soldiers.

    Under some rules no unit acts without a leader.
    """
    leaders, units = data.get("leaders", {}), data.get("units", {})
    found: dict[str, Any] = {}
    for side in data.get("sides", {}):
        unit = next(
            (key for key, unit in units.items() if unit.get("side") == side and unit.get("arm") in _SOLDIERS), None
        )
        if unit is not None and not any(leader.get("side") == side for leader in leaders.values()):
            mounted = units[unit]["arm"] != "infantry"
            found[f"{side}_captain"] = {
                "name": f"Captain of {side}", "side": side, "rank": "commander", "unit": unit, "mounted": mounted,
            }  # fmt: skip
    return found


def _with_troops(changes: Any, document: Document) -> dict[str, Any]:
    """Return the changes with every `like` of a unit replaced by the fields of that entry of `troops.yaml`.

    A unit without a name is called after its id.
    """
    units = changes.get("units")
    if not isinstance(units, dict):
        return dict(changes)
    found: dict[str, Any] = {}
    for key, unit in units.items():
        if not isinstance(unit, dict) or "like" not in unit:
            found[key] = unit
            continue
        if unit["like"] not in _troops():
            message = str(unknown_name("entry of troops.yaml", str(unit["like"]), _troops()))
            raise FileError([document.error(("changes", "units", key, "like"), message)])
        own = {field: value for field, value in unit.items() if field != "like"}
        found[key] = {"name": key.replace("_", " ").capitalize(), **_troops()[unit["like"]], **own}
    return {**changes, "units": found}


def _merged(data: Any, changes: Any) -> Any:
    """Return data with changes merged in: mappings entry by entry, anything else replaced; null removes an entry."""
    if not isinstance(data, dict) or not isinstance(changes, dict):
        return changes
    merged = dict(data)
    for key, value in changes.items():
        if value is None:
            merged.pop(key, None)
        else:
            merged[key] = _merged(merged.get(key), value) if isinstance(value, dict) else value
    return merged
