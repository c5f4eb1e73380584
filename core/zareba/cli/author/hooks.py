"""`zareba hooks`: what a house rule can reach, of zareba and of a ruleset."""

from __future__ import annotations

import ast
import inspect
from collections.abc import Iterator
from dataclasses import fields
from pathlib import Path
from typing import Annotated, Any

import typer
from rich.padding import Padding

from zareba.cli.options import Json
from zareba.cli.output import out, print_json
from zareba.plugins import hooks as specifications
from zareba.registry import load_rules
from zareba.registry import ruleset as installed
from zareba.scenario import load_scenario, shipped_scenarios

__all__ = ["core_hooks", "hooks", "published"]

ASKED = ("roll", "draw", "choose", "place", "confirm", "faces_of")


def hooks(
    name: Annotated[
        str, typer.Argument(metavar="[RULESET]", help="A ruleset's id, as 'vcc'; none: the hooks alone.")
    ] = "",
    as_json: Json = False,
) -> None:
    """List what a house rule can reach: hooks, steps, procedures, tallies, questions, events.

    Without a ruleset the hooks alone. Of a ruleset: its steps, its procedures as they are called, its tallies with their facts and what they decide, its
    questions by their purpose, its events with what they tell.

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
    """The questions and events in the text of a ruleset: purposes with how they are asked, kinds with what they tell."""
    questions: dict[str, set[str]] = {}
    events: dict[str, set[str]] = {}
    for file in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text(encoding="utf-8"))):
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute)):
                continue
            given = {one.arg: one.value for one in node.keywords if one.arg}
            if node.func.attr in ASKED and isinstance(given.get("why"), ast.Constant):
                how = "roll" if node.func.attr == "faces_of" else node.func.attr
                questions.setdefault(str(given["why"].value), set()).add(how)  # type: ignore[attr-defined]  # a constant
            elif node.func.attr == "tell" and node.args and isinstance(node.args[0], ast.Constant):
                events.setdefault(str(node.args[0].value), set()).update(given)
    asked = {why: ", ".join(sorted(hows)) for why, hows in sorted(questions.items())}
    return asked, {kind: ", ".join(sorted(told)) for kind, told in sorted(events.items())}
