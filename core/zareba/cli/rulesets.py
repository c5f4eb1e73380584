"""`zareba rulesets`, `zareba rules` and `zareba settings`: what is installed, and what it says."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from typing import Annotated, Any, get_args

import typer
from rich.padding import Padding

from zareba.cli.options import Json, RulesetName
from zareba.cli.output import out, plain_table, print_json, talk
from zareba.errors import ZarebaError, unknown_name
from zareba.registry import load_rules, ruleset, ruleset_names
from zareba.rules import RuleEntry, load_catalogue
from zareba.rules.catalogue import Status, code_index, test_index
from zareba.rules.settings import Setting, flat_settings, text
from zareba.ruleset import Ruleset

__all__ = ["rule_data", "rules", "rulesets", "settings"]


def rulesets(as_json: Json = False) -> None:
    """List the installed rulesets.

    A rule counts as implemented when code or data names it, and as tested when a test does.

    Example: zareba rulesets --json
    """
    rows = []
    failed = False
    for name in ruleset_names():
        try:
            rows.append(_overview(ruleset(name)))
        except Exception as error:  # noqa: BLE001  # a broken ruleset of somebody else's is told, not fatal
            failed = True
            talk(f"the ruleset '{name}' cannot be used: {error}")
    if as_json:
        print_json(rows)
    else:
        heads = ("id", "title", "space", "version", "rules", "implemented", "tested")
        shown = [
            [*(row[head] for head in heads[:4]), sum(row["rules"].values()), row["implemented"], _known(row["tested"])]
            for row in rows
        ]
        out().print(plain_table(heads, shown, right=heads[4:]))
    if failed:
        raise typer.Exit(1)


def _known(count: int | None) -> str:
    return "unknown" if count is None else str(count)


def _overview(found: Ruleset) -> dict[str, Any]:
    book = load_rules(found.id).book
    catalogue = load_catalogue(found.folder).rules
    statuses = Counter(entry.status for entry in catalogue.values())
    tests = test_index(found.folder)
    return {
        "id": found.id,
        "title": book.title,
        "space": book.space,
        "version": book.version,
        "rules": {status: statuses[status] for status in get_args(Status)},
        "implemented": sum(rule in code_index(found.folder) for rule in catalogue),
        "tested": None if tests is None else sum(rule in tests for rule in catalogue),
    }


def rules(
    name: RulesetName,
    rule: Annotated[str | None, typer.Argument(metavar="[ID]", help="One rule, as 'VCC-083' or 83.")] = None,
    as_json: Json = False,
) -> None:
    """List the rules of a ruleset, or show one of them.

    Each rule has a status: text (clear), garbled, gap or choice (read by us), advice (no rule).

    Example: zareba rules vcc VCC-083
    """
    found = ruleset(name)
    catalogue = load_catalogue(found.folder).rules
    if rule is not None:
        data = rule_data(found, rule)
        if as_json:
            print_json(data)
        else:
            show_rule(found, data)
        return
    rows = [rule_data(found, known) for known in catalogue]
    if as_json:
        print_json(rows)
        return
    heads = ("id", "status", "summary", "setting")
    out().print(plain_table(heads, ([row["id"], row["status"], row["summary"], row["setting"] or ""] for row in rows)))


def rule_data(found: Ruleset, rule: str) -> dict[str, Any]:
    """One rule as `id, summary, status, reading, setting, code, tests`; small letters will do, and its number alone.

    `setting` names the settings that change it, joined by commas, None if there are none; `tests` is None where the
    tests are not at hand.
    """
    catalogue = load_catalogue(found.folder).rules
    id = _written_out(rule, catalogue)
    if id not in catalogue:
        raise _unknown_rule(found, rule, catalogue)
    entry = catalogue[id]
    tests = test_index(found.folder)
    return {
        "id": id,
        "summary": entry.summary,
        "status": entry.status,
        "reading": entry.reading,
        "setting": ", ".join(entry.settings()) or None,
        "code": code_index(found.folder).get(id, []),
        "tests": None if tests is None else tests.get(id, []),
    }


def _written_out(rule: str, catalogue: Iterable[str]) -> str:
    """The id that `25`, `vcc25` or `VCC-25` stands for; what is no such thing in capitals."""
    prefix = next(iter(catalogue), "").partition("-")[0]
    short = re.fullmatch(rf"(?:{prefix}[- ]?)?([0-9]{{1,3}})", rule.strip().upper())
    return f"{prefix}-{short[1]:0>3}" if short else rule.strip().upper()


def _unknown_rule(found: Ruleset, rule: str, catalogue: dict[str, RuleEntry]) -> ZarebaError:
    # Names are compared in small letters, and rule ids are written in capitals.
    error = str(unknown_name(f"rule of {found.id} called", rule, (id.lower() for id in catalogue)))
    told, semicolon, hint = error.rpartition(";")
    for id in catalogue:
        hint = hint.replace(id.lower(), id)
    return ZarebaError(told + semicolon + hint)


def show_rule(found: Ruleset, data: dict[str, Any]) -> None:
    """Print one rule for a person."""
    entry = load_catalogue(found.folder).rules[data["id"]]
    console = out()
    console.print(f"{data['id']} ({data['status']}, {entry.chapter}): {data['summary']}")
    if data["reading"]:
        console.print(f"How we read it: {' '.join(data['reading'].split())}")
    if entry.stand_in:
        console.print("This is a stand-in of ours where the source is silent.")
    if data["setting"]:
        console.print(f"Changed by setting: {data['setting']}")
    if entry.where:
        console.print(f"Where it went: {entry.where}")
    if data["code"]:
        console.print(f"Code: {', '.join(data['code'])}")
    if data["tests"]:
        console.print(f"Tests: {', '.join(data['tests'])}")


def settings(name: RulesetName, as_json: Json = False) -> None:
    """List the settings of a ruleset.

    Change one with --set NAME=VALUE in play, odds, compare and explain.

    Example: zareba settings vcc
    """
    switches = dict(flat_settings(load_rules(name).book.settings))
    if as_json:
        print_json([_setting_data(switch, setting) for switch, setting in switches.items()])
        return
    console = out()
    for switch, setting in switches.items():
        console.print(f"{switch} = {text(setting.default)}   ({setting.rule})", style="bold")
        console.print(Padding(f"{setting.summary}: {setting.describe()}", (0, 0, 0, 4)))


def _setting_data(name: str, setting: Setting) -> dict[str, Any]:
    values: list[Any] = list(setting.values)
    if setting.at_least is not None:
        values.append({"at_least": setting.at_least, "at_most": setting.at_most})
    return {"name": name, "values": values, "default": setting.default, "rule": setting.rule}
