"""Evening files: the scenario, rules and players of one evening, to be saved and shared by a club."""

from __future__ import annotations

from pathlib import Path
from typing import Any, Literal

from pydantic import Field

from zareba.base.errors import FileError, ZarebaError
from zareba.base.yamlfile import Document, Id, Name, Text, YamlModel, read_yaml
from zareba.session import Session


class EveningFile(YamlModel):
    """The content of an evening file: `evening` is its title. The scenario and house rules are names, or files in the
    same folder.
    """

    evening: Name
    note: Text = ""
    ruleset: Id
    scenario: Text
    settings: dict[str, bool | int | float | str | list[str]] = Field(default_factory=dict, max_length=200)
    house_rules: tuple[Text, ...] = Field(default=(), max_length=50)
    seats: dict[Id, Text] = Field(default_factory=dict, max_length=8)
    dice: Literal["seeded", "physical"] = "seeded"
    seed: int | None = Field(default=None, ge=0)
    even: bool = False
    think: float | None = Field(default=None, gt=0, le=600)


def read_evening(path: Path) -> EveningFile | None:
    """Return the evening in a file; None if the file is of another kind.

    Raises:
        FileError: with all problems at once.
    """
    document = read_yaml(path)
    if "evening" not in document.data:
        return None
    return _with_resolved_paths(document.validate(EveningFile), document, path.parent)


def _with_resolved_paths(evening: EveningFile, document: Document, folder: Path) -> EveningFile:
    """Return the evening with the paths of its files resolved against its folder. One FileError lists all missing
    files.
    """
    problems = []

    def resolve(name: str, key: tuple[str | int, ...]) -> str:
        if Path(name).suffix not in (".yaml", ".yml", ".py"):
            return name
        file = folder / name
        if not file.is_file():
            problems.append(document.error(key, f"there is no file {file}; paths are relative to this file"))
        return str(file)

    scenario = resolve(evening.scenario, ("scenario",))
    rules = tuple(resolve(name, ("house_rules", index)) for index, name in enumerate(evening.house_rules))
    if problems:
        raise FileError(problems)
    return evening.model_copy(update={"scenario": scenario, "house_rules": rules})


def evening_of(session: Session, title: str) -> EveningFile:
    """Return the evening of a running game.

    Raises ZarebaError if the scenario or a house rule is a private file, because an evening refers to them by name.
    """
    from zareba.authoring.even_forces import is_even_version
    from zareba.plugins.entry_points import house_rule_files
    from zareba.rules.settings import flat_settings
    from zareba.scenario import known_scenarios, load_scenario

    rules, scenario = session.game.rules, session.game.scenario
    as_written = load_scenario(scenario.id) if scenario.id in known_scenarios() else None
    is_even = as_written is not None and is_even_version(scenario, as_written, rules.ruleset.lineage)
    if as_written is None or not (is_even or as_written.digest == scenario.digest):
        raise ZarebaError(f"{scenario.id} is a scenario of your own; write the evening with 'zareba new evening'")
    private = [name for name in rules.house_rules if name not in house_rule_files()]
    if private:
        raise ZarebaError(
            f"the house rule {private[0]} is a file of your own; write the evening with 'zareba new evening'"
        )
    defaults = {name: setting.default for name, setting in flat_settings(rules.book.settings)}
    return EveningFile(
        evening=title,
        ruleset=rules.ruleset.id,
        scenario=scenario.id,
        settings={name: value for name, value in rules.settings.items() if defaults.get(name) != value},
        house_rules=tuple(rules.house_rules),
        seats=dict(session.seats),
        even=is_even,
        dice="physical" if session.physical else "seeded",
    )


def written(evening: EveningFile) -> str:
    """Return the text of an evening file."""
    from io import StringIO

    from ruamel.yaml import YAML

    data: dict[str, Any] = evening.model_dump(mode="json", exclude_defaults=True)
    text = StringIO()
    YAML(typ="safe", pure=True).dump(data, text)
    head = "# An evening of zareba. Play it:  zareba play THIS_FILE\n"
    return head + text.getvalue()
