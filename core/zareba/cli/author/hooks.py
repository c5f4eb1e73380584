"""`zareba hooks`: the hooks, questions, options and facts of a ruleset."""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections.abc import Iterable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args, get_origin

import typer
from rich.padding import Padding

from zareba.actions import ActionTable
from zareba.cli.options import Json
from zareba.cli.output import out, print_json
from zareba.plugins import hook_specs
from zareba.plugins.status_marks import marks_of
from zareba.registry import load_rules
from zareba.registry import ruleset as installed
from zareba.rules.tallies import known_facts
from zareba.scenario import load_scenario, shipped_scenarios

# --- Find the options of a ruleset's questions in its source code -----------------------------------------------------


WORD = re.compile(r"[a-z][a-z' ]*")
_DEEP = 6
"""The most names and functions followed from a question to the words of its options."""
_OTHERS = "and others"


class Options(NamedTuple):
    """The words of a question's options. `more` is True if units, places or numbers are options too."""

    words: frozenset[str] = frozenset()
    more: bool = False

    def __or__(self, other: object) -> Options:
        assert isinstance(other, Options)
        return Options(self.words | other.words, self.more or other.more)

    def __str__(self) -> str:
        return ", ".join([*sorted(self.words), *([_OTHERS] if self.more else [])])


class OptionsIn:
    """Finds options in the modules of a ruleset, by following names, local lists and the functions that create them.

    It searches for a name in the module that uses it, then in the module from which it is imported. `modules` is keyed
    by module name within the package.
    """

    def __init__(self, modules: Mapping[str, ast.Module]) -> None:
        self._tops = {name: _constants(tree) for name, tree in modules.items()}
        self._functions = {
            name: {node.name: node for node in _statements(tree) if isinstance(node, ast.FunctionDef)}
            for name, tree in modules.items()
        }
        self._imports = {
            name: {
                one.asname or one.name: (
                    next((key for key in modules if f".{node.module}".endswith(f".{key}")), ""),
                    one.name,
                )
                for node in tree.body
                if isinstance(node, ast.ImportFrom) and node.module
                for one in node.names
            }
            for name, tree in modules.items()
        }
        self._module = ""

    def in_module(self, module: str) -> OptionsIn:
        """Return a finder that looks up names in a module."""
        other = copy(self)
        other._module = module
        return other

    def _top(self, name: str) -> tuple[OptionsIn, ast.expr | None]:
        """Return the value of a top-level name of this module or of the one it is imported from."""
        if name in self._tops.get(self._module, {}):
            return self, self._tops[self._module][name]
        module, known_as = self._imports.get(self._module, {}).get(name, ("", ""))
        return self.in_module(module), self._tops.get(module, {}).get(known_as)

    def _function(self, name: str) -> tuple[OptionsIn, ast.FunctionDef | None]:
        if name in self._functions.get(self._module, {}):
            return self, self._functions[self._module][name]
        module, known_as = self._imports.get(self._module, {}).get(name, ("", ""))
        return self.in_module(module), self._functions.get(module, {}).get(known_as)

    def of(self, call: ast.Call, function: ast.FunctionDef | None) -> Options:
        """Return the options of a call of `table.choose` in a function."""
        given = call.args[1] if len(call.args) > 1 else None
        return Options() if given is None else self._found(given, function, _DEEP)

    def _found(self, node: ast.expr, function: ast.FunctionDef | None, deep: int) -> Options:
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            found = Options()
            for element in node.elts:
                found |= self._element(element, function, deep)
            return found
        if isinstance(node, ast.BinOp):
            return self._found(node.left, function, deep) | self._found(node.right, function, deep)
        if isinstance(node, ast.IfExp):
            return self._found(node.body, function, deep) | self._found(node.orelse, function, deep)
        if isinstance(node, (ast.Dict, ast.DictComp)):  # a choice among its keys
            found = Options()
            for key in node.keys if isinstance(node, ast.Dict) else [node.key]:
                found |= Options(more=True) if key is None else self._element(key, function, deep)
            return found
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            return self._element(node.elt, function, deep)
        if isinstance(node, ast.Name):
            return self._named(node.id, function, deep)
        if isinstance(node, ast.Call) and deep:
            home, made = self._function(str(getattr(node.func, "id", getattr(node.func, "attr", ""))))
            if made is not None:
                return home._made_by(made, deep - 1)
            if getattr(node.func, "id", "") in ("list", "tuple", "sorted", "dict") and node.args:
                return self._found(node.args[0], function, deep)
        return Options(more=True)

    def _element(self, node: ast.expr, function: ast.FunctionDef | None, deep: int) -> Options:
        """Return the options from one element: a word, a word with an object, or an option without words."""
        if isinstance(node, ast.Starred):
            return self._found(node.value, function, deep)
        if isinstance(node, ast.Tuple) and node.elts:
            head = self._element(node.elts[0], function, deep)
            return (
                Options(frozenset(f"{word} ..." for word in head.words if not word.endswith("...")))
                if head.words
                else Options(more=True)
            )
        if isinstance(node, ast.IfExp):
            return self._element(node.body, function, deep) | self._element(node.orelse, function, deep)
        if isinstance(node, ast.Name):
            _, value = self._top(node.id)
            return Options(more=True) if not isinstance(value, ast.Constant) else self._element(value, None, deep)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and WORD.fullmatch(node.value):
            return Options(frozenset({node.value}))
        return Options(more=True)

    def _named(self, name: str, function: ast.FunctionDef | None, deep: int) -> Options:
        """Return the options of a local list, including everything added to it, or of a constant."""
        found, local = Options(), False
        for node in ast.walk(function) if function is not None and deep else ():
            value: ast.expr | None = None
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(one, ast.Name) and one.id == name for one in targets):
                    value = node.value
            elif isinstance(node, ast.Call) and node.args and _is_method_of(node.func, name, "append"):
                found |= self._element(node.args[0], function, deep - 1)
            elif isinstance(node, ast.Call) and node.args and _is_method_of(node.func, name, "insert"):
                found |= self._element(node.args[-1], function, deep - 1)
            elif isinstance(node, ast.Call) and node.args and _is_method_of(node.func, name, "extend"):
                value = node.args[0]
            if value is not None and not (isinstance(value, ast.Name) and value.id == name):
                local = True
                found |= self._found(value, function, deep - 1)
        if local:
            return found
        home, top = self._top(name)
        return Options(more=True) if top is None or not deep else home._found(top, None, deep - 1)

    def _made_by(self, function: ast.FunctionDef, deep: int) -> Options:
        """Return the options that a function returns or yields."""
        found = Options()
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                found |= self._found(node.value, function, deep)
            elif isinstance(node, ast.Yield) and node.value is not None:
                found |= self._element(node.value, function, deep)
            elif isinstance(node, ast.YieldFrom):
                found |= self._found(node.value, function, deep)
        return found


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the values of a module's top-level names, including names assigned together."""
    found: dict[str, ast.expr] = {}
    for node in tree.body:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            value = node.value  # type: ignore[attr-defined]  # only of an assignment
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            found.update({name.id: one for name, one in pairs if isinstance(name, ast.Name)})
    return found


def _is_method_of(function: ast.expr, name: str, method: str) -> bool:
    called = function.value if isinstance(function, ast.Attribute) and function.attr == method else None
    return isinstance(called, ast.Name) and called.id == name


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements of a module and of the classes in it."""
    for node in tree.body:
        yield node
        yield from node.body if isinstance(node, ast.ClassDef) else ()


def enclosing(
    node: ast.AST, function: ast.FunctionDef | None = None
) -> Iterator[tuple[ast.Call, ast.FunctionDef | None]]:
    """Yield every call below a node with the innermost function around it."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Call):
            yield inner, function
        yield from enclosing(inner, inner if isinstance(inner, ast.FunctionDef) else function)


# --- `zareba hooks`: list what a house rule can use, in zareba and in a ruleset ---------------------------------------


_RULE_ID = re.compile(r"[A-Z]{2,5}-\d+")
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
    return isinstance(given, ast.Constant) and _RULE_ID.fullmatch(str(given.value)) is not None


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
