"""`zareba rulesets`, `zareba rules` and `zareba settings`: list the installed rulesets and their contents."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from itertools import chain
from typing import TYPE_CHECKING, Annotated, Any, get_args

import typer

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount
from zareba.cli.options import HouseRules, Json, RulesetName, house_rules_of
from zareba.cli.output import SafeConsole, out, plain_table, print_json, print_to_stderr
from zareba.plugins.listing_cache import cached_listing

if TYPE_CHECKING:
    from zareba.plugins.ruleset import Ruleset
    from zareba.rules.settings import Setting


_ID = re.compile(r"\d")
"""Distinguishes the id of a rule from words to search for."""

CONTRACT = ("id", "summary", "status", "reading", "setting", "code", "tests")
"""The keys of a rule in `rules --json`."""


def rulesets(as_json: Json = False) -> None:
    """List the installed rulesets.

    A rule counts as implemented if code or data names it. 'zareba rules RULESET ID' lists the tests of a rule.

    Example: zareba rulesets --json
    """
    listing = cached_listing("rulesets", compute=_overviews)
    for failure in listing["failures"]:
        print_to_stderr(failure)
    rows = listing["rows"]
    if as_json:
        print_json(rows)
    else:
        heads = ("id", "title", "space", "version", "rules", "implemented")
        shown = [[*(row[head] for head in heads[:4]), sum(row["rules"].values()), row["implemented"]] for row in rows]
        out().print(plain_table(heads, shown, right=heads[4:]))
    if listing["failures"]:
        raise typer.Exit(1)


def _overviews() -> tuple[dict[str, Any], bool]:
    """Return a row for each ruleset and an error for each unusable one. The answer may be cached if there are no
    errors.
    """
    from zareba.registry import ruleset, ruleset_names

    rows, failures = [], []
    for name in ruleset_names():
        try:
            rows.append(_overview(ruleset(name)))
        except Exception as error:  # noqa: BLE001  # another package's broken ruleset is reported, not fatal
            failures.append(f"the ruleset '{name}' cannot be used: {error}")
    return {"rows": rows, "failures": failures}, not failures


def _overview(found: Ruleset) -> dict[str, Any]:
    from zareba.registry import load_rules
    from zareba.rules import load_catalogue
    from zareba.rules.catalogue import Status, code_index

    book = load_rules(found.id).book
    catalogue = load_catalogue(*found.folders).rules
    statuses = Counter(entry.status for entry in catalogue.values())
    return {
        "id": found.id,
        "title": book.title,
        "space": book.space,
        "version": book.version,
        "rules": {status: statuses[status] for status in get_args(Status)},
        "implemented": sum(rule in code_index(*found.folders) for rule in catalogue),
        "tested": None,  # the tests are not read for a list; the key stays for those who read the JSON
    }


def rules(
    name: RulesetName,
    wanted: Annotated[
        list[str] | None,
        typer.Argument(metavar="[ID|WORD...]", help="One rule, such as 'VCC-083' or 83, or words to search for."),
    ] = None,
    code: Annotated[
        bool,
        typer.Option("--code/--no-code", help="End each rule with the code that carries it out, and its tests."),
    ] = True,
    as_json: Json = False,
) -> None:
    """List the rules of a ruleset, show one of them, or search their text.

    A search finds the rules whose summary, chapter, reading or settings contain every word. The rules of a
    chapter with this title come first, then the best matches. A technical term, such as DS, is explained. If a system
    calls a topic by another name, the search finds it under that name: Risk-Factor has Action throws for a rally. One
    rule is shown with its code, and with its tests if zareba runs from its source.

    In the output of --json, 'status' is 'text' if the rulebook is clear; 'garbled', 'gap' or 'choice' if we interpreted
    it; 'advice' if it is not a rule. In the full list, 'tests' is null.

    Example: zareba rules vcc rally
    """
    text = " ".join(wanted or ())
    if not text:
        rows = _rules_of(name)
        if as_json:
            print_json([_of_contract(row) for row in rows])
            return
        heads = ("id", "status", "summary", "setting")
        table = ([row["id"], row["status"], row["summary"], row["setting"] or ""] for row in rows)
        out().print(plain_table(heads, table))
    elif _ID.search(text):
        data = _with_tests(name, rule_data(name, text))
        if as_json:
            print_json(_of_contract(data))
        else:
            show_rule(data, code=code)
    else:
        terms = {} if as_json else _terms_called(name, text)
        for term, meaning in terms.items():
            out().print(f"{term}: {meaning}")
        other = _see_also(name, text)
        found = _search(name, text, may_be_none=bool(terms or other))
        if not found and other:
            print_to_stderr(f"No rule of {name} mentions '{text}'. The rules with '{other}' come nearest:")
            text, found = other, _search(name, other)
        rows = [_with_tests(name, row) for row in found]
        if as_json:
            print_json([_of_contract(row) for row in rows])
            return
        if not rows:
            return
        if terms:
            out().print()
        best = "" if len(rows) == 1 else ", the best match first"
        out().print(f"{amount(len(rows), 'rule')} of {name} with '{text}'{best}")
        for row in rows:
            out().print()
            show_rule(row, code=code)


_SEARCHED = (("summary",), ("chapter",), ("reading", "setting"))
"""The fields of a rule that a search reads, those in which a word counts most first."""


def _terms_called(name: str, text: str) -> dict[str, str]:
    """Return the technical terms of a ruleset that a text names, each with its explanation."""
    from zareba.battle.sentence_templates import words_of_ruleset
    from zareba.registry import ruleset

    return words_of_ruleset(ruleset(name).folders).terms_called(text)


def _see_also(name: str, text: str) -> str:
    """Return the words under which a ruleset treats a topic that it calls by another name, such as "actions" for
    "rally"; "" if it has none.
    """
    from zareba.battle.sentence_templates import words_of_ruleset
    from zareba.registry import ruleset

    see_also = words_of_ruleset(ruleset(name).folders).tables.get("see_also", {})
    return see_also.get(" ".join(text.casefold().split()), "")


def _search(name: str, text: str, *, may_be_none: bool = False) -> list[dict[str, Any]]:
    """Return the rules that contain every word of `text`, the best match first.

    Raises ZarebaError if there are none, unless there `may_be_none`.
    """
    title = " ".join(text.casefold().split())
    found = []
    for row in _rules_of(name):
        fields = [" ".join(str(row[key] or "") for key in keys).casefold() for keys in _SEARCHED]
        ranks = [_rank(word, fields) for word in title.split()]
        if None not in ranks:
            weakest_first = sorted(filter(None, ranks), reverse=True)  # the word with the weakest match counts most
            found.append((row["chapter"].casefold() != title, weakest_first, row))
    if not found and not may_be_none:
        raise ZarebaError(f"no rule of {name} mentions '{text}'; 'zareba rules {name}' lists all rules")
    return [row for _, _, row in sorted(found, key=lambda match: match[:2])]


def _rank(word: str, fields: Sequence[str]) -> tuple[int, bool] | None:
    """Return how well a word matches the fields (`mentions`): the first field that has it, and True if only as part of
    a word.

    A smaller rank is better; None means that no field has the word.
    """
    from zareba.rules import mentions

    for number, field in enumerate(fields):
        if mentions(field, word):
            is_whole = re.search(rf"(?<!\w){re.escape(word)}(?!\w)", field) is not None
            return number, not is_whole
    return None


def _with_tests(name: str, row: dict[str, Any]) -> dict[str, Any]:
    from zareba.registry import ruleset
    from zareba.rules.catalogue import tests_of

    found = [tests for folder in ruleset(name).folders if (tests := tests_of(folder, row["id"])) is not None]
    return {**row, "tests": list(dict.fromkeys(chain(*found))) if found else None}


def _of_contract(row: dict[str, Any]) -> dict[str, Any]:
    return {key: row[key] for key in CONTRACT}


def _rules_of(name: str) -> list[dict[str, Any]]:
    """Return every rule of a ruleset: the keys of `CONTRACT`, its chapter, its `where` entry, and whether it is a
    stand-in.

    `setting` lists the settings that change it, joined by commas, or None. `tests` is None, because tests are looked
    up only for a single rule.
    """

    def work_out() -> tuple[list[dict[str, Any]], bool]:
        from zareba.registry import ruleset
        from zareba.rules import load_catalogue
        from zareba.rules.catalogue import code_index

        folders = ruleset(name).folders
        code = code_index(*folders)
        return [
            {
                "id": id,
                "summary": entry.summary,
                "status": entry.status,
                "reading": entry.reading,
                "setting": ", ".join(entry.settings()) or None,
                "code": code.get(id, []),
                "tests": None,
                "chapter": entry.chapter,
                "stand_in": entry.stand_in,
                "where": entry.where,
            }
            for id, entry in load_catalogue(*folders).rules.items()
        ], True

    found: list[dict[str, Any]] = cached_listing("rules", name, compute=work_out)
    return found


def rule_data(name: str, rule: str) -> dict[str, Any]:
    """Return one rule of a ruleset as in `_rules_of`. Small letters and the number alone are accepted."""
    catalogue = {row["id"]: row for row in _rules_of(name)}
    id = _written_out(rule, catalogue)
    if id not in catalogue:
        raise _unknown_rule(name, rule, catalogue)
    return catalogue[id]


def _written_out(rule: str, catalogue: Iterable[str]) -> str:
    """Return the id meant by `25`, `vcc25` or `VCC-25`. Other text is returned in capitals."""
    prefixes = list(dict.fromkeys(id.partition("-")[0] for id in catalogue)) or [""]
    short = re.fullmatch(rf"({'|'.join(prefixes)})?[- ]?([0-9]{{1,3}})", rule.strip().upper())
    return f"{short[1] or prefixes[0]}-{short[2]:0>3}" if short else rule.strip().upper()


def _unknown_rule(name: str, rule: str, catalogue: Iterable[str]) -> ZarebaError:
    # Names are compared in lower case, but rule ids are in capitals.
    error = str(unknown_name(f"rule of {name} called", rule, (id.lower() for id in catalogue)))
    message, semicolon, hint = error.rpartition(";")
    for id in catalogue:
        hint = hint.replace(id.lower(), id)
    return ZarebaError(message + semicolon + hint)


def show_rule(data: dict[str, Any], console: SafeConsole | None = None, *, code: bool = False) -> None:
    """Print one rule. With `code`, also its places in the code and its tests."""
    from zareba.rules.catalogue import SOURCES

    console = console or out()
    console.print(f"{data['id']} (chapter {data['chapter']}): {data['summary']}")
    if source := SOURCES[data["status"]]:
        console.print(f"The rulebook {source}.")
    if data["reading"]:
        label = "Our stand-in" if data["stand_in"] else "Our reading"
        console.print(f"{label}: {' '.join(data['reading'].split())}")
    if data["setting"]:
        console.print(f"Changed by setting: {data['setting']}")
    if data["where"]:
        console.print(f"In zareba: {data['where']}")
    if not code:
        return
    if data["code"]:
        console.print(f"Code: {', '.join(data['code'])}")
    if data["tests"]:
        console.print(f"Tests: {', '.join(data['tests'])}")


def settings(name: RulesetName, house_rule: HouseRules = None, as_json: Json = False) -> None:
    """List the settings of a ruleset.

    With --house-rule, also those that a house rule adds; their names are RULE.NAME. Change a setting with --set
    NAME=VALUE in play, odds, compare and explain.

    Example: zareba settings vcc --house-rule ammunition
    """
    from rich.padding import Padding

    def work_out() -> tuple[list[dict[str, Any]], bool]:
        from zareba.registry import load_rules
        from zareba.rules.settings import flat_settings

        switches = dict(flat_settings(load_rules(name, house_rules=house_rules_of(house_rule)).switches))
        return [_setting_data(switch, setting) for switch, setting in switches.items()], True

    rows = work_out()[0] if house_rule else cached_listing("settings", name, compute=work_out)
    if as_json:
        print_json([{key: row[key] for key in ("name", "values", "default", "rule")} for row in rows])
        return
    console = out()
    for row in rows:
        console.print(f"{row['name']} = {row['written']}   ({row['rule']})", style="bold")
        console.print(Padding(row["summary"], (0, 0, 0, 4)))


def _setting_data(name: str, setting: Setting) -> dict[str, Any]:
    from zareba.rules.settings import text

    values: list[Any] = list(setting.values)
    if setting.at_least is not None:
        values.append({"at_least": setting.at_least, "at_most": setting.at_most})
    if setting.is_text or (setting.is_list and not values):
        values.append(setting.describe())
    return {
        "name": name,
        "values": values,
        "default": setting.default,
        "rule": setting.rule,
        "written": text(setting.default),
        "summary": f"{setting.summary} ({setting.describe()})",
    }
