"""Finding, reading and checking scenario files."""

from __future__ import annotations

from importlib import resources
from pathlib import Path
from typing import Any

from zareba.errors import FileError, unknown_name
from zareba.scenario.check import check_scenario
from zareba.scenario.model import Scenario
from zareba.scenario.packs import packed_scenarios
from zareba.yamlfile import Document, parse_yaml, read_yaml

__all__ = [
    "known_scenarios",
    "load_scenario",
    "parse_scenario",
    "read_scenario",
    "scenario_schema",
    "scenario_text",
    "shipped_scenarios",
]


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
