"""`zareba explain`: show a value of a ruleset with its source, its previous value and its rule."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from zareba.base.errors import ZarebaError, nearest
from zareba.cli.options import HouseRules, Json, RulesetName, Set, assignments, house_rules_of
from zareba.cli.output import hanging, out, print_json
from zareba.registry import HouseRule, load_rules, ruleset, ruleset_document
from zareba.renamed import renamed_section, with_old_json_keys
from zareba.rules import Rules, load_catalogue
from zareba.rules.patch import change_of
from zareba.rules.settings import flat_settings, text

KeyPath = tuple[str, ...]


def explain(
    name: RulesetName,
    path: Annotated[
        str | None,
        typer.Argument(
            metavar="[PATH]",
            help="Keys joined by dots, such as 'weapons.rifle.long' (default: list the sections).",
        ),
    ] = None,
    changed: Set = None,
    house_rule: HouseRules = None,
    as_json: Json = False,
) -> None:
    """Show a value of a ruleset and where it comes from.

    The path of a section lists its keys; without a path, the sections are listed. Settings are under 'settings'.

    Example: zareba explain vcc weapons.rifle.long
    """
    given = assignments("setting", changed)
    house_rules = house_rules_of(house_rule)
    rules = load_rules(name, given, house_rules)
    if path is None:
        sections = list(rules.data)
        if as_json:
            print_json({"ruleset": name, "sections": sections})
        else:
            console = out()
            console.print(hanging(f"Sections of {name}: {', '.join(sections)}", console.width, 2))
            section = "tallies" if "tallies" in sections else sections[0]
            console.print(f"zareba explain {name} {section} lists the keys of a section")
            if example := next(
                (".".join(keys) for keys in _paths(rules.data) if keys[0] == section and len(keys) > 2), ""
            ):
                console.print(f"zareba explain {name} {example} shows one value")
        return
    section, *rest = path.split(".")
    keys = (renamed_section(section), *rest)
    path = ".".join(keys)
    value = _value(rules, keys)
    found: dict[str, Any] = {"ruleset": name, "path": path, "value": value, "was": None, "source": _source(rules, keys)}
    if keys in rules.sources:
        found["was"] = rules.sources[keys].was
    setting = _setting(rules, keys)
    if setting is not None:
        if (default := (*keys, "default")) in rules.sources:
            found |= {"was": rules.sources[default].was, "source": _source(rules, default)}
        found |= {"value": rules.settings[setting], **_set_by(rules, setting, keys, given, house_rules)}
    found["rule"] = _rule(rules, keys)
    found["conditional_values"] = [
        {"value": entry.to, "when": entry.when, "source": str(rules.sources.get(("conditional_values", key), entry.by))}
        for key, entry in rules.book.conditional_values.items()
        if entry.at == path
    ]
    found["changed_inside"] = {} if setting is not None else _changed_inside(rules, keys)
    if as_json:
        print_json(with_old_json_keys("explain", found))
    else:
        _show(found)


def _value(rules: Rules, keys: KeyPath) -> Any:
    """Return the value at a path of the ruleset's data. A part of a setting is also found by the setting's own name."""
    value: Any = rules.data
    for depth, key in enumerate(keys):
        if isinstance(value, Mapping) and key not in value and key in value.get("parts", {}):
            value = value["parts"]
        if not isinstance(value, Mapping):
            raise ZarebaError(f"{'.'.join(keys[:depth])} of {rules.ruleset.id} is a value; it has no keys")
        if key not in value:
            raise _unknown_path(rules, keys, depth, value)
        value = value[key]
    return value


def _unknown_path(rules: Rules, keys: KeyPath, depth: int, section: Mapping[str, Any]) -> ZarebaError:
    ending = [path for path in _paths(rules.data) if path[-len(keys) :] == keys]
    guess = nearest(keys[depth], section)
    if ending:
        hint = f"did you mean '{'.'.join(ending[0])}'?"
    elif guess:
        hint = f"did you mean '{'.'.join([*keys[:depth], guess])}'?"
    else:
        hint = f"known there: {', '.join(section)}"
    return ZarebaError(f"there is no path '{'.'.join(keys[: depth + 1])}' in {rules.ruleset.id}; {hint}")


def _paths(section: Mapping[str, Any], above: KeyPath = ()) -> Iterator[KeyPath]:
    for key, value in section.items():
        yield (*above, key)
        if isinstance(value, Mapping):
            yield from _paths(value, (*above, key))


def _source(rules: Rules, keys: KeyPath) -> str:
    """Return the house rule or the extending ruleset that set the value, or its place in `ruleset.yaml`."""
    if (source := change_of(rules.sources, keys)) is not None:
        return str(source)
    owner = ruleset_document(ruleset(rules.ruleset.id)).owner(keys)
    line, column = owner.place(keys)
    inherited = f", inherited from {owner.data['ruleset']}" if len(rules.ruleset.lineage) > 1 else ""
    return f"{owner.file}:{line}:{column}{inherited}"


def _changed_inside(rules: Rules, keys: KeyPath) -> dict[str, str]:
    """Return the source of each value below a path that an extending ruleset or a house rule changes or removes."""
    found = {}
    for path, source in rules.sources.items():
        if len(path) > len(keys) and path[: len(keys)] == keys:
            said = "changed by" if _is_there(rules.data, path) else "removed by"
            found[".".join(map(str, path))] = f"{said} {source}"
    return found


def _is_there(data: Any, path: Sequence[str | int]) -> bool:
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return False
        data = data[str(key)]
    return True


def _setting(rules: Rules, keys: KeyPath) -> str | None:
    """Return the name of the setting that a path refers to, or None."""
    name = ".".join(key for key in keys[1:] if key != "parts")
    return name if keys[0] == "settings" and name in dict(flat_settings(rules.book.settings)) else None


def _set_by(
    rules: Rules, setting: str, keys: KeyPath, given: Mapping[str, str], house_rules: Sequence[HouseRule]
) -> dict[str, Any]:
    """Return the source of a setting's value, if it was set by the command or a house rule, and its default."""
    whole = keys[1]
    default = dict(flat_settings(rules.book.settings))[setting].default
    if setting in given or whole in given:
        return {"source": "--set of this command", "was": default}
    for rule in reversed(house_rules):
        for patch in rule.patches(rule.known_as(rules.ruleset.lineage)):
            changes = patch.settings
            for name in (setting, whole):
                if name in changes:
                    line, column = patch.document.place((*patch.root, changes[name][1]))
                    return {"source": f"house rule {rule.name} ({patch.document.file}:{line}:{column})", "was": default}
    return {}


def _rule(rules: Rules, keys: KeyPath) -> dict[str, str] | None:
    """Return the rule named in the entry that holds the value, with its summary."""
    for length in range(len(keys), 0, -1):
        value = _value(rules, keys[:length])
        if isinstance(value, Mapping) and isinstance(value.get("rule"), str):
            entry = load_catalogue(*rules.ruleset.folders).rules.get(value["rule"])
            return {"id": value["rule"], "summary": entry.summary if entry else ""}
    return None


def _show(found: Mapping[str, Any]) -> None:
    console = out()
    value = found["value"]
    if isinstance(value, Mapping):
        console.print(f"{found['path']} holds:", style="bold")
        for key, inner in value.items():
            shown = f"... ({len(inner)} keys)" if isinstance(inner, Mapping) else _written(inner)
            console.print(f"  {key}: {shown}")
    else:
        console.print(f"{found['path']} = {_written(value)}", style="bold")
    console.print(f"from {found['source']}", soft_wrap=True)
    if found["was"] is not None:
        console.print(f"before: {_written(found['was'])}")
    for inner, source in found["changed_inside"].items():
        console.print(f"{inner}: {source}", soft_wrap=True)
    for one in found["conditional_values"]:
        console.print(f"{_written(one['value'])} when {_condition(one['when'])}, from {one['source']}", soft_wrap=True)
    if found["rule"]:
        console.print(f"{found['rule']['id']}: {found['rule']['summary']}")


def _condition(when: Mapping[str, Any]) -> str:
    """Return a condition in words, such as `game.turn at least 6 and weather.sky is dust`."""
    said = []
    for word, wanted in when.items():
        compared = wanted if isinstance(wanted, Mapping) else {"is": wanted}
        said += [f"{word} {how.replace('_', ' ')} {_written(value)}" for how, value in compared.items()]
    return " and ".join(said)


def _written(value: Any) -> str:
    return text(value) if isinstance(value, (str, bool, int, float)) else json.dumps(value, ensure_ascii=False)
