"""`zareba hooks`: what a house rule can reach, of zareba and of a ruleset."""

from __future__ import annotations

import ast
import inspect
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.padding import Padding

from zareba.cli.options import Json
from zareba.cli.output import out, print_json
from zareba.plugins import hooks as specifications
from zareba.plugins.marked import marks_of
from zareba.registry import load_rules
from zareba.registry import ruleset as installed
from zareba.scenario import load_scenario, shipped_scenarios

__all__ = ["core_hooks", "hooks", "published"]

RULE_ID = re.compile(r"[A-Z]{2,5}-\d+")
ASKED = ("roll", "draw", "choose", "place", "confirm", "faces_of")


def hooks(
    name: Annotated[
        str, typer.Argument(metavar="[RULESET]", help="A ruleset's id, as 'vcc'; none: the hooks alone.")
    ] = "",
    as_json: Json = False,
) -> None:
    """List what a house rule can reach: hooks, steps, procedures, tallies, questions, events, marks.

    Without a ruleset the hooks alone. Of a ruleset: its steps, its procedures as they are called, its tallies with their facts and what they decide, its
    questions by their purpose, its events with what they tell, the marks that units and men bear (`unit.is.MARK`).

    Example: zareba hooks vcc
    """
    found: dict[str, Any] = {"hooks": core_hooks()}
    if name:
        found |= published(name)
    if as_json:
        print_json(found)
        return
    console = out()
    for what, entries in found.items():
        console.print(what.replace("_", " "), style="bold")
        for entry, said in entries.items():
            console.print(Padding(f"{entry}   {said}" if said else entry, (0, 0, 0, 4)), markup=False)


def core_hooks() -> dict[str, str]:
    """Every hook as it is implemented, with what it is for."""
    found = {}
    for name, hook in vars(specifications).items():
        if name.startswith("zareba_"):
            arguments = ", ".join(inspect.signature(hook).parameters)
            found[f"{name}({arguments})"] = (inspect.getdoc(hook) or "").partition("\n")[0]
    return found


def published(name: str) -> dict[str, dict[str, str]]:
    """What a ruleset publishes by name; raises ZarebaError with the nearest ruleset."""
    definition = installed(name)
    rules = load_rules(name)
    game = rules.game(load_scenario(next(iter(shipped_scenarios()))))
    questions, events = _spoken(definition.folder)
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
        "questions": questions,
        "events": events,
        "marks": dict.fromkeys(sorted(marks_of(definition.folder)), ""),
    }


def _called(function: Any) -> str:
    signature = inspect.signature(inspect.unwrap(function))
    given = signature.return_annotation
    arguments = ", ".join(str(one).replace("'", "") for one in signature.parameters.values())
    return f"({arguments})" + ("" if given is signature.empty else f" -> {given}")


def _facts(kind: type) -> Iterator[str]:
    for one in fields(kind):
        yield f"{one.name}: {one.type if isinstance(one.type, str) else getattr(one.type, '__name__', one.type)}"


def _spoken(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """The questions and events in the text of a ruleset: purposes with how they are asked, kinds with what they tell.

    A function that is given its purpose asks for whoever calls it.
    """
    trees = [ast.parse(file.read_text(encoding="utf-8")) for file in sorted(folder.rglob("*.py"))]
    asking = _asking(trees)
    questions: dict[str, set[str]] = {}
    events: dict[str, set[str]] = {}
    for tree in trees:
        words = _words_at_top(tree)
        for call in _calls(tree):
            for why in _texts(_purpose(call, asking), words):
                questions.setdefault(why, set()).update(asking.get(_name(call), {_name(call)} & set(ASKED)))
            if _name(call) == "tell" and call.args and isinstance(call.args[0], ast.Constant):
                told = {one.arg for one in call.keywords if one.arg}
                events.setdefault(str(call.args[0].value), set()).update(told)
    asked = {
        why: ", ".join(sorted({"roll" if how == "faces_of" else how for how in hows}))
        for why, hows in sorted(questions.items())
        if hows
    }
    return asked, {kind: ", ".join(sorted(told)) for kind, told in sorted(events.items())}


def _calls(tree: ast.AST) -> Iterator[ast.Call]:
    return (node for node in ast.walk(tree) if isinstance(node, ast.Call))


def _name(call: ast.Call) -> str:
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _asking(trees: Sequence[ast.Module]) -> dict[str, set[str]]:
    """The functions that ask what they are given a purpose for, and how; those that hand it on to such a one too."""
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
    """What a call may be for: its `why`, and to a function that asks in its stead all words that it is given in their order."""
    named = [one.value for one in call.keywords if one.arg == "why"]
    if _name(call) in asking:
        yield from named or [one for one in call.args if not _is_rule(one)]
    elif isinstance(call.func, ast.Attribute) and call.func.attr in ASKED:
        yield from named


def _is_rule(given: ast.expr) -> bool:
    return isinstance(given, ast.Constant) and RULE_ID.fullmatch(str(given.value)) is not None


def _texts(given: Iterable[ast.expr], words: Mapping[str, str]) -> Iterator[str]:
    """The words that expressions may come to; a name at the top of the file stands for its word."""
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
