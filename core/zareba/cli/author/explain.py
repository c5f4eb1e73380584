"""`zareba explain`: show a value of a ruleset with its source, its previous value and its rule."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Annotated, Any

import typer

from zareba.base.errors import ZarebaError, nearest
from zareba.base.grammar import amount
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
    changed_settings = assignments("setting", changed)
    house_rules = house_rules_of(house_rule)
    rules = load_rules(name, changed_settings, house_rules)
    if path is None:
        if as_json:
            print_json({"ruleset": name, "sections": list(rules.data)})
        else:
            _print_sections(name, rules)
        return
    section, *rest = path.split(".")
    explanation = _explanation(rules, (renamed_section(section), *rest), changed_settings, house_rules)
    if as_json:
        print_json(with_old_json_keys("explain", explanation))
    else:
        _print_explanation(explanation)


def _print_sections(name: str, rules: Rules) -> None:
    """Print the sections of a ruleset, with examples of the command for one section and one value."""
    sections = list(rules.data)
    console = out()
    console.print(hanging(f"Sections of {name}: {', '.join(sections)}", console.width, 2))
    section = "tallies" if "tallies" in sections else sections[0]
    console.print(f"zareba explain {name} {section} lists the keys of a section")
    values = (".".join(keys) for keys in _paths(rules.data) if keys[0] == section and len(keys) > 2)
    if example := next(values, ""):
        console.print(f"zareba explain {name} {example} shows one value")


def _explanation(
    rules: Rules, keys: KeyPath, changed_settings: Mapping[str, str], house_rules: Sequence[HouseRule]
) -> dict[str, Any]:
    """Return the value at a path, its source, the value before, its rule, and what changes it during play."""
    path = ".".join(keys)
    explanation: dict[str, Any] = {
        "ruleset": rules.ruleset.id,
        "path": path,
        "value": _value(rules, keys),
        "was": rules.sources[keys].was if keys in rules.sources else None,
        "source": _source(rules, keys),
    }
    setting = _setting_at(rules, keys)
    if setting is not None:
        default = (*keys, "default")
        if default in rules.sources:
            explanation |= {"was": rules.sources[default].was, "source": _source(rules, default)}
        explanation["value"] = rules.settings[setting]
        explanation |= _source_of_setting(rules, setting, keys, changed_settings, house_rules)
    explanation["rule"] = _rule(rules, keys)
    explanation["conditional_values"] = [
        {"value": entry.to, "when": entry.when, "source": str(rules.sources.get(("conditional_values", key), entry.by))}
        for key, entry in rules.book.conditional_values.items()
        if entry.at == path
    ]
    explanation["changed_inside"] = {} if setting is not None else _changed_inside(rules, keys)
    return explanation


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
    """Return the error for a path whose key at a depth is not in its section, with the most similar path."""
    with_same_end = [path for path in _paths(rules.data) if path[-len(keys) :] == keys]
    guess = nearest(keys[depth], section)
    if with_same_end:
        hint = f"did you mean '{'.'.join(with_same_end[0])}'?"
    elif guess:
        hint = f"did you mean '{'.'.join([*keys[:depth], guess])}'?"
    else:
        hint = f"known there: {', '.join(section)}"
    return ZarebaError(f"there is no path '{'.'.join(keys[: depth + 1])}' in {rules.ruleset.id}; {hint}")


def _paths(section: Mapping[str, Any], above: KeyPath = ()) -> Iterator[KeyPath]:
    """Yield the path of every entry of a section, outer entries first."""
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
    changes = {}
    for path, source in rules.sources.items():
        if len(path) > len(keys) and path[: len(keys)] == keys:
            verb = "changed by" if _exists(rules.data, path) else "removed by"
            changes[".".join(map(str, path))] = f"{verb} {source}"
    return changes


def _exists(data: Any, path: Sequence[str | int]) -> bool:
    """Return True if nested data have an entry at a path."""
    for key in path:
        if not isinstance(data, Mapping) or key not in data:
            return False
        data = data[str(key)]
    return True


def _setting_at(rules: Rules, keys: KeyPath) -> str | None:
    """Return the name of the setting that a path refers to, or None."""
    name = ".".join(key for key in keys[1:] if key != "parts")
    return name if keys[0] == "settings" and name in dict(flat_settings(rules.book.settings)) else None


def _source_of_setting(
    rules: Rules, setting: str, keys: KeyPath, changed_settings: Mapping[str, str], house_rules: Sequence[HouseRule]
) -> dict[str, Any]:
    """Return the source of a setting's value, if it was set by the command or a house rule, and its default."""
    name_without_part = keys[1]
    default = dict(flat_settings(rules.book.settings))[setting].default
    if setting in changed_settings or name_without_part in changed_settings:
        return {"source": "--set of this command", "was": default}
    for rule in reversed(house_rules):
        for patch in rule.patches(rule.ruleset_id_in(rules.ruleset.lineage)):
            changes = patch.settings
            for name in (setting, name_without_part):
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


def _print_explanation(explanation: Mapping[str, Any]) -> None:
    console = out()
    value = explanation["value"]
    if isinstance(value, Mapping):
        console.print(f"{explanation['path']} holds:", style="bold")
        for key, inner in value.items():
            shown = f"... ({amount(len(inner), 'key')})" if isinstance(inner, Mapping) else _value_text(inner)
            console.print(f"  {key}: {shown}")
    else:
        console.print(f"{explanation['path']} = {_value_text(value)}", style="bold")
    console.print(f"from {explanation['source']}", soft_wrap=True)
    if explanation["was"] is not None:
        console.print(f"before: {_value_text(explanation['was'])}")
    for path, source in explanation["changed_inside"].items():
        console.print(f"{path}: {source}", soft_wrap=True)
    for entry in explanation["conditional_values"]:
        condition = _condition_in_words(entry["when"])
        console.print(f"{_value_text(entry['value'])} when {condition}, from {entry['source']}", soft_wrap=True)
    if explanation["rule"]:
        console.print(f"{explanation['rule']['id']}: {explanation['rule']['summary']}")


def _condition_in_words(when: Mapping[str, Any]) -> str:
    """Return a condition in words, such as `game.turn at least 6 and weather.sky is dust`."""
    parts = []
    for word, wanted in when.items():
        comparisons = wanted if isinstance(wanted, Mapping) else {"is": wanted}
        parts += [f"{word} {how.replace('_', ' ')} {_value_text(value)}" for how, value in comparisons.items()]
    return " and ".join(parts)


def _value_text(value: Any) -> str:
    """Return a value as it is written in YAML: words without quotes, collections in one line."""
    return text(value) if isinstance(value, (str, bool, int, float)) else json.dumps(value, ensure_ascii=False)
