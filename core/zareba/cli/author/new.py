"""`zareba new`: create a valid file or package to start from."""

from __future__ import annotations

import keyword
import re
from collections.abc import Iterable, Mapping
from enum import StrEnum
from importlib import resources
from importlib.util import find_spec
from pathlib import Path
from string import Template
from typing import Annotated

import typer

from zareba.base.errors import ZarebaError
from zareba.base.filenames import is_reserved
from zareba.cli.author.scenarios import order_of_battle
from zareba.cli.output import print_to_stderr
from zareba.plugins.entry_points import house_rule_files
from zareba.registry import load_rules, ruleset, ruleset_names, zareba_version
from zareba.rules import Rules, Setting
from zareba.rules.settings import flat_settings
from zareba.schemas import schema_path

_NAME = re.compile(r"[a-z][a-z0-9_]{0,39}")
_ID = re.compile(r"(?=[0-9_]*[a-z])[a-z0-9][a-z0-9_]{0,39}")


class Kind(StrEnum):
    """The kinds of files and packages that can be created."""

    ruleset = "ruleset"
    house_rule = "house-rule"
    scenario = "scenario"
    evening = "evening"


def new(
    kind: Annotated[Kind, typer.Argument(help="ruleset, house-rule, scenario or evening.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="Lower-case letters, digits and '_'.")],
    base: Annotated[
        str | None, typer.Option("--from", metavar="R", help="The ruleset to copy, or to make a house rule for.")
    ] = None,
    extends: Annotated[
        str | None,
        typer.Option("--extends", metavar="R", help="Create a ruleset that inherits R and changes a few entries."),
    ] = None,
    bare: Annotated[
        bool, typer.Option("--bare", help="Create a small complete ruleset that runs on the core.")
    ] = False,
    python: Annotated[bool, typer.Option("--python", help="Write the house rule in Python.")] = False,
    folder: Annotated[Path, typer.Option("--folder", metavar="DIR", help="Target folder.")] = Path(),
    force: Annotated[
        list[str] | None,
        typer.Option(
            "--force", metavar="SIDE=TEMPLATE", help="Units of a template of R, such as column=battalion; repeatable."
        ),
    ] = None,
) -> None:
    """Create a house rule, a scenario, an evening or a ruleset of your own.

    A ruleset is a package ready for pip: a copy of an installed one; with --extends, a few lines that change an
    installed one; with --bare, a page of YAML and a few procedures. A scenario has two sides, column and hillmen; with
    --force they get the units of a formation of the ruleset, such as native_regiment:3. An evening file names the
    scenario, the players and the rules.

    Example: zareba new house-rule steady_hands --from vcc
    """
    if not (_ID if kind in (Kind.scenario, Kind.evening) else _NAME).fullmatch(name):
        raise ZarebaError(
            f"'{name}' is not a valid name; use up to 40 lower-case letters, digits and '_', a letter first"
        )
    if is_reserved(name):
        raise ZarebaError(f"'{name}' is a reserved name on Windows; choose another")
    if not folder.is_dir():
        raise ZarebaError(f"there is no folder {folder}; create it first")
    if python and kind is not Kind.house_rule:
        raise ZarebaError(f"--python is for house rules; a {kind.value} has one form only")
    if bare and (kind is not Kind.ruleset or base is not None):
        raise ZarebaError("--bare creates a ruleset from scratch; leave out --bare or --from")
    if extends is not None and (kind is not Kind.ruleset or bare or base is not None):
        raise ZarebaError("--extends creates a ruleset that inherits another; leave out --bare and --from")
    if kind not in (Kind.scenario, Kind.evening):
        _refuse_used_name(kind, name)
    if extends is not None:
        _create_extending_ruleset(folder, load_rules(extends), name)
        return
    if bare:
        _create_bare_ruleset(folder, name)
        return
    rules = _rules_to_start_from(base)
    values = {"name": name, "title": name.replace("_", " ").capitalize(), "ruleset": rules.ruleset.id}
    if kind is Kind.ruleset:
        _create_copied_ruleset(folder, rules, values)
        return
    if force and kind is not Kind.scenario:
        raise ZarebaError(f"--force is for scenarios; a {kind.value} has no units")
    if kind is Kind.scenario:
        values |= order_of_battle(rules, force or ())
        target, template = folder / f"{name}.yaml", "scenario.yaml"
    elif kind is Kind.evening:
        target, template = folder / f"{name}.yaml", "evening.yaml"
    elif python:
        target, template = folder / f"{name}.py", "house_rule.py.txt"
        values["tally"] = next(tally for tally, entry in rules.book.tallies.items() if entry.base != "printed")
    else:
        target, template = folder / f"{name}.yaml", "house_rule.yaml"
        changed_setting = _setting_with_other_value(flat_settings(rules.book.settings))
        if changed_setting is None:
            raise ZarebaError(f"{rules.ruleset.id} has no setting to start with; try --python")
        setting, value = changed_setting
        values |= {"setting": setting, "value": f'"{value}"'}
    values["schema"] = schema_path("house-rule").as_uri()
    template_of_file = {target: template}
    advice = f"zareba {'play' if kind is Kind.evening else 'check'} {target}"
    if kind is Kind.house_rule:
        test_file = folder / f"test_{name}.py"
        template_of_file[test_file] = "test_house_rule.py.txt"
        values["file"] = target.name
        advice += f"; and: pytest {test_file}"
    for file in template_of_file:
        _refuse_existing(file)
    for file, name_of_template in template_of_file.items():
        file.write_text(_fill_template(name_of_template, values), encoding="utf-8")
    print_to_stderr(f"written: {target}; look at it, change it, then: {advice}")


def _refuse_used_name(kind: Kind, name: str) -> None:
    """Raise ZarebaError for a name used by Python, an installed package or an installed house rule."""
    if keyword.iskeyword(name):
        raise ZarebaError(f"'{name}' is a Python keyword; choose another name")
    if kind is Kind.house_rule and name in house_rule_files():
        raise ZarebaError(f"a house rule called '{name}' is installed already; choose another name")
    package = f"zareba_{name}" if kind is Kind.ruleset else name
    if find_spec(package) is not None:
        what = "package" if kind is Kind.ruleset else "module"
        raise ZarebaError(f"there is a Python {what} '{package}' already; choose another name")


def _rules_to_start_from(base: str | None) -> Rules:
    """Return the rules of the named ruleset, or of the first installed one that works."""
    if base is not None:
        return load_rules(base)
    for name in ruleset_names():
        try:
            rules = load_rules(name)
        except Exception:  # noqa: BLE001  # any working ruleset will do; 'zareba rulesets' reports the broken ones
            continue
        if rules.tallies:
            return rules
    raise ZarebaError("no ruleset is installed; install one first")


def _setting_with_other_value(settings: Iterable[tuple[str, Setting]]) -> tuple[str, str] | None:
    """Return the name of the first setting with word values, and one of them that is not its default; None if there is
    no such setting.
    """
    for name, setting in settings:
        for value in setting.values:
            if isinstance(value, str) and value != setting.default:
                return name, value
    return None


def _fill_template(template: str, values: Mapping[str, str]) -> str:
    """Return the text of a template with its `$names` replaced by values."""
    text = (resources.files("zareba.cli.author") / "templates" / template).read_text(encoding="utf-8")
    return Template(text).substitute(values)


def _refuse_existing(target: Path) -> None:
    """Raise ZarebaError if a file or folder exists already."""
    if target.exists():
        raise ZarebaError(f"{target} already exists; choose another name or --folder")


_TEST_OF_A_GAME = {"tests/test_whole_game.py": "test_whole_game.py.txt"}
_FILES_OF_EXTENDING = {"__init__.py": "init.py.txt", "ruleset.yaml": "ruleset.yaml.txt"}
_FILES_OF_BARE = {"__init__.py": "init.py.txt", "ruleset.yaml": "ruleset.yaml.txt", "rules.yaml": "rules.yaml.txt"}
"""The templates of the files of a new package, by the name of the file."""


def _create_copied_ruleset(folder: Path, rules: Rules, values: Mapping[str, str]) -> None:
    """Create a distribution whose package is a copy of a ruleset under the new name."""
    name, base = values["name"], rules.ruleset.id
    if len(rules.ruleset.lineage) > 1:
        raise ZarebaError(f"{base} extends another ruleset and has no code to copy; use --extends {base}")
    target, package = _create_folders(folder, name)
    old_package = ruleset(base).package
    for file in sorted(rules.ruleset.folder.rglob("*")):
        if file.suffix in (".py", ".yaml", ".json", ".md"):
            copy = package / file.relative_to(rules.ruleset.folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            text = _with_new_names(file.read_text(encoding="utf-8"), file, old_package, base, name)
            copy.write_text(text, encoding="utf-8")
    values = {**values, "base": base, "begun": f"; it began as a copy of {base}"}
    _write_files(target, values, {"README.md": "README.md.txt", **_TEST_OF_A_GAME})


def _create_extending_ruleset(folder: Path, rules: Rules, name: str) -> None:
    """Create a distribution with a ruleset that extends another and changes one setting, if it has a suitable one."""
    base = rules.ruleset.id
    change, changed_path = "", "title"
    if changed_setting := _setting_with_other_value(rules.book.settings.items()):
        setting, value = changed_setting
        change, changed_path = f'\nsettings:\n  {setting}: {{default: "{value}"}}\n', f"settings.{setting}"
    target, package = _create_folders(folder, name)
    values = {
        "name": name,
        "title": name.replace("_", " ").capitalize(),
        "base": base,
        "change": change,
        "path": changed_path,
        "begun": f" that extends {base}",
    }
    inside = package.relative_to(target).as_posix()
    templates = {f"{inside}/{file}": f"extended/{template}" for file, template in _FILES_OF_EXTENDING.items()}
    _write_files(target, values, {**templates, "README.md": "extended/README.md.txt", **_TEST_OF_A_GAME})


def _create_bare_ruleset(folder: Path, name: str) -> None:
    """Create a distribution with a small new ruleset. Its rule ids start with the first letters of its name."""
    target, package = _create_folders(folder, name)
    letters = "".join(letter for letter in name.upper() if letter.isalpha())
    values = {"name": name, "title": name.replace("_", " ").capitalize(), "id": f"{letters}XX"[:4], "begun": ""}
    inside = package.relative_to(target).as_posix()
    templates = {f"{inside}/{file}": f"bare/{template}" for file, template in _FILES_OF_BARE.items()}
    templates |= {"README.md": "bare/README.md.txt", "tests/test_rules.py": "bare/test_rules.py.txt"}
    _write_files(target, values, templates)


def _create_folders(folder: Path, name: str) -> tuple[Path, Path]:
    """Create the folders of a new distribution and of its package, and return them.

    Raises ZarebaError if the name is taken.
    """
    if name in ruleset_names():
        raise ZarebaError(f"a ruleset called '{name}' is installed already; choose another name")
    target = folder / name
    _refuse_existing(target)
    package = target / "src" / f"zareba_{name}"
    package.mkdir(parents=True)
    (target / "tests").mkdir()
    return target, package


def _write_files(target: Path, values: Mapping[str, str], templates: Mapping[str, str]) -> None:
    """Write the files of a distribution. `templates` maps the path of each to the name of its template."""
    values = {**values, "dashed": values["name"].replace("_", "-"), "zareba": zareba_version()}
    for path, template in {"pyproject.toml": "pyproject.toml.txt", **templates}.items():
        (target / path).write_text(_fill_template(template, values), encoding="utf-8")
    print_to_stderr(f"written: {target}; next: pip install --editable '{target}[test]' and pytest {target}")


def _with_new_names(text: str, file: Path, old_package: str, base: str, name: str) -> str:
    """Return the text of a file of the copied package with its imports and its ruleset id changed to the new name."""
    if file.suffix == ".yaml":
        return re.sub(rf"^ruleset: {re.escape(base)}$", f"ruleset: {name}", text, flags=re.MULTILINE)
    if file.suffix == ".py":
        text = re.sub(rf"\b{re.escape(old_package)}\b", f"zareba_{name}", text)
        text = text.replace(f'"{base}"', f'"{name}"')
    return text
