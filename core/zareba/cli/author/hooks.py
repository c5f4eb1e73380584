"""`zareba hooks`: list what a house rule can use, in zareba and in a ruleset."""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, get_args, get_origin

import typer
from rich.padding import Padding

from zareba.actions import ActionTable
from zareba.cli.author.question_options import Options, OptionsIn, enclosing
from zareba.cli.options import Json
from zareba.cli.output import out, print_json
from zareba.plugins import hook_specs
from zareba.plugins.status_marks import marks_of
from zareba.registry import load_rules
from zareba.registry import ruleset as installed
from zareba.rules.tally_check import known_facts
from zareba.scenario import load_scenario, shipped_scenarios

__all__ = ["core_hooks", "hooks", "published"]

RULE_ID = re.compile(r"[A-Z]{2,5}-\d+")
OPTION = re.compile(r"^  ([a-z][a-z_ ]*): *\"?(.*?)\"?$", re.MULTILINE)
SECTION = re.compile(r"^[a-z]", re.MULTILINE)
"""Match the start of the section after the options in `words.yaml`. `OPTION` matches a line of the options."""
ASKED = ("roll", "draw", "choose", "place", "confirm", "faces_of")


def hooks(
    name: Annotated[
        str,
        typer.Argument(
            metavar="[RULESET]", help="A ruleset's id, such as 'vcc'; without one, only the hooks are listed."
        ),
    ] = "",
    as_json: Json = False,
) -> None:
    """List what a house rule can use: hooks, steps, procedures, tallies, questions, actions, events, marks, fields.

    Without a ruleset, only the hooks are listed. For a ruleset: its steps; its procedures with their signatures; its
    tallies with what they decide and their facts; its questions by purpose, with the options named in its source; its
    actions with what they name and their texts; all other words of options; its events with their fields; the marks of units and figures (`unit.is.MARK`); and the fields of
    the battle, of units and of figures.

    Example: zareba hooks vcc
    """
    found: dict[str, Any] = {"hooks": core_hooks()}
    if name:
        found |= published(name)
    if as_json:
        print_json(found)
        return
    console = out()
    for what, entries in ((what, entries) for what, entries in found.items() if entries):
        console.print(what.replace("_", " "), style="bold")
        for entry, said in entries.items():
            console.print(Padding(f"{entry}   {said}" if said else entry, (0, 0, 0, 4)), markup=False)


def core_hooks() -> dict[str, str]:
    """Return every hook with its arguments and its purpose."""
    found = {}
    for name, hook in vars(hook_specs).items():
        if name.startswith("zareba_"):
            arguments = ", ".join(inspect.signature(hook).parameters)
            found[f"{name}({arguments})"] = (inspect.getdoc(hook) or "").partition("\n")[0]
    return found


def published(name: str) -> dict[str, dict[str, str]]:
    """Return the names that a ruleset publishes. The ZarebaError for an unknown ruleset suggests the nearest."""
    definition = installed(name)
    rules = load_rules(name)
    game = rules.game(load_scenario(next(iter(shipped_scenarios()))))
    questions: dict[str, str] = {}
    events: dict[str, str] = {}
    option_words: dict[str, str] = {}
    for folder in reversed(definition.folders):
        asked, emitted = _spoken(folder)
        questions, events = questions | asked, events | emitted
        option_words |= _option_words(folder, rules.data)
    return {
        "steps": dict.fromkeys(game.policy.steps, ""),
        "procedures": {key: _called(function) for key, function in definition.wrappable.items()},
        "tallies": {
            key: "; ".join(
                filter(
                    None,
                    [
                        f"decides {entry.decides}, {entry.better} is better" if entry.decides else "",
                        f"facts: {', '.join(_facts(definition.facts[key]))}" if key in definition.facts else "",
                    ],
                )
            )
            for key, entry in rules.book.tallies.items()
        },
        "questions": dict(sorted({**questions, **_questions_of_actions(definition.actions)}.items())),
        "actions": {
            f"{table.question}: {', '.join([action.verb, *action.names])}": action.text
            for table in definition.actions
            for action in table.by_verb.values()
        },
        "option_words": option_words,
        "events": events,
        "marks": dict.fromkeys(sorted(set().union(*map(marks_of, definition.folders))), ""),
        **_fields_of_state(game.start()),
    }


def _questions_of_actions(tables: Sequence[ActionTable[Any, Any]]) -> dict[str, str]:
    """Return the questions that actions answer, with the words of their options."""
    found: dict[str, str] = {}
    for table in tables:
        inner = {action.verb for kind in table.kinds.values() for action in kind.actions}
        first = sorted({*table.kinds, *[verb for verb in table.by_verb if verb not in inner]})
        found[table.question] = f"choose; options: {', '.join(first)}; actions of house rules (zareba_actions)"
        for kind in table.kinds.values():
            found[kind.question] = f"choose; options: {', '.join(sorted(action.verb for action in kind.actions))}"
    return found


def _fields_of_state(state: Any) -> dict[str, dict[str, str]]:
    """Return the fields of a battle, of its units and of their figures, with their types. Fields under `spec.` never
    change.
    """
    unit = next(iter(state.units.values()), None)
    men = getattr(unit, "figures", None)
    man = next(iter(men.values()), None) if isinstance(men, dict) else None
    records = {"fields_of_the_battle": state, "fields_of_a_unit": unit, "fields_of_a_figure": man}
    return {what: _fields_of(one) for what, one in records.items() if one is not None}


def _fields_of(record: Any) -> dict[str, str]:
    kind = type(record)
    found = {one.name: _type_name(one.type) for one in fields(kind) if not one.metadata.get("shared")}
    for name in sorted(dir(kind)):
        if not name.startswith("_") and name not in found and isinstance(getattr(kind, name), property):
            said = (inspect.getdoc(getattr(kind, name)) or "").partition("\n")[0]
            found[name] = f"reckoned: {said}" if said else "reckoned"
    spec = getattr(record, "spec", None)
    if is_dataclass(spec):
        found |= {f"spec.{one.name}": _type_name(one.type) for one in fields(spec)}
    return found


def _type_name(kind: Any) -> str:
    return kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))


def _option_words(folder: Path, data: Mapping[str, Any]) -> dict[str, str]:
    """Return the words of options for which a ruleset has sentences, for any question."""
    own: Any = data.get("words", {})
    found: dict[str, str] = dict(own.get("options", {}))
    for file in folder.rglob("words.yaml"):
        _, _, below = file.read_text(encoding="utf-8").partition("\noptions:\n")
        found |= dict(OPTION.findall(below[: end.start()] if (end := SECTION.search(below)) else below))
    return dict(sorted((word, str(said)) for word, said in found.items()))


def _called(function: Any) -> str:
    signature = inspect.signature(inspect.unwrap(function))
    given = signature.return_annotation
    arguments = ", ".join(str(one).replace("'", "") for one in signature.parameters.values())
    return f"({arguments})" + ("" if given is signature.empty else f" -> {given}")


def _facts(kind: type) -> Iterator[str]:
    known = known_facts(kind)
    for one in fields(kind):
        values = ", ".join(_values(known[one.name]))
        yield f"{one.name}: {_type_name(one.type)}{f' ({values})' if values else ''}"


def _values(kind: Any) -> Iterator[str]:
    """Yield the values of a fact that has only a few."""
    if kind is bool:
        yield from ("True", "False")
    elif get_origin(kind) is Literal:
        yield from map(repr, get_args(kind))
    elif get_origin(kind) is Annotated or isinstance(kind, (types.UnionType,)):
        for inner in get_args(kind):
            yield from _values(inner)


def _spoken(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the questions and events in a ruleset's code: purposes with the kind of question, and event kinds with their
    fields.

    A function with a `why` parameter asks on behalf of its callers.
    """
    files = sorted(folder.rglob("*.py"))
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in files]
    parts = [file.relative_to(folder).with_suffix("").parts for file in files]
    modules = [".".join(part[:-1] if part[-1] == "__init__" and part[:-1] else part) for part in parts]
    asking, options = _asking(trees), OptionsIn(dict(zip(modules, trees, strict=True)))
    questions: dict[str, set[str]] = {}
    choices: dict[str, Options] = {}
    events: dict[str, set[str]] = {}
    for module, tree in zip(modules, trees, strict=True):
        words = _words_at_top(tree)
        for call, function in enclosing(tree):
            for why in _texts(_purpose(call, asking), words):
                if _name(call) == "choose":
                    choices[why] = choices.get(why, Options()) | options.in_module(module).of(call, function)
                questions.setdefault(why, set()).update(asking.get(_name(call), {_name(call)} & set(ASKED)))
            if _name(call) in ("emit", "tell") and call.args and isinstance(call.args[0], ast.Constant):
                told = {one.arg for one in call.keywords if one.arg}
                events.setdefault(str(call.args[0].value), set()).update(told)
    asked = {
        why: ", ".join(sorted({"roll" if how == "faces_of" else how for how in hows}))
        + (f"; options: {choices[why]}" if why in choices and str(choices[why]) else "")
        for why, hows in sorted(questions.items())
        if hows
    }
    return asked, {kind: ", ".join(sorted(told)) for kind, told in sorted(events.items())}


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _name(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _asking(trees: Sequence[ast.Module]) -> dict[str, set[str]]:
    """Return the functions that take the purpose of their question as a parameter, with the kinds of questions.

    This includes functions that pass the purpose on to such a function.
    """
    functions = [
        node
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.FunctionDef)
        and any(one.arg == "why" for one in [*node.args.args, *node.args.kwonlyargs])
    ]
    found: dict[str, set[str]] = {}
    while True:
        more = {
            function.name: hows
            for function in functions
            if (
                hows := {
                    how
                    for call in _calls(function)
                    if _hands_on(call)
                    for how in found.get(_name(call), {_name(call)} & set(ASKED))
                }
            )
        }
        if more == found:
            return {name: hows for name, hows in found.items() if name not in ASKED}
        found = more


def _hands_on(call: ast.Call) -> bool:
    given = [*call.args, *[one.value for one in call.keywords if one.arg == "why"]]
    return any(isinstance(one, ast.Name) and one.id == "why" for one in given)


def _purpose(call: ast.Call, asking: Mapping[str, set[str]]) -> Iterator[ast.expr]:
    """Yield the expressions for the purpose of a call.

    This is its `why`. If the function asks on behalf of its caller and has no `why`, all positional arguments except
    rule ids are candidates.
    """
    named = [one.value for one in call.keywords if one.arg == "why"]
    if _name(call) in asking:
        yield from named or [one for one in call.args if not _is_rule(one)]
    elif isinstance(call.func, ast.Attribute) and call.func.attr in ASKED:
        yield from named


def _is_rule(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and RULE_ID.fullmatch(str(given.value)) is not None


def _texts(given: Iterable[ast.expr], words: Mapping[str, str]) -> Iterator[str]:
    """Yield the words that expressions may evaluate to. A module constant is replaced by its value."""
    for one in given:
        if isinstance(one, ast.Constant) and isinstance(one.value, str):
            yield one.value
        elif isinstance(one, ast.IfExp):
            yield from _texts([one.body, one.orelse], words)
        elif isinstance(one, ast.Name) and one.id in words:
            yield words[one.id]


def _words_at_top(tree: ast.Module) -> dict[str, str]:
    return {
        name.id: str(node.value.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for name in node.targets
        if isinstance(name, ast.Name)
    }
