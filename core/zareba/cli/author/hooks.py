"""`zareba hooks`: the hooks, questions, options and facts of a ruleset."""

from __future__ import annotations

import ast
import inspect
import re
import types
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
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
from zareba.rules.schema import TallyEntry
from zareba.rules.tallies import known_facts
from zareba.scenario import load_scenario, shipped_scenarios

# --- Find the options of a ruleset's questions in its source code -----------------------------------------------------


OPTION_WORD = re.compile(r"[a-z][a-z' ]*")
_DEEPEST = 6
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


class OptionFinder:
    """Finds options in the modules of a ruleset, by following names, local lists and the functions that create them.

    It searches for a name in the module that uses it, then in the module from which it is imported. `modules` is keyed
    by module name within the package. `levels` is the number of names and functions that it may still follow.
    """

    def __init__(self, modules: Mapping[str, ast.Module]) -> None:
        self._constants = {name: _constants(tree) for name, tree in modules.items()}
        self._functions = {
            name: {node.name: node for node in _statements(tree) if isinstance(node, ast.FunctionDef)}
            for name, tree in modules.items()
        }
        self._imports = {name: _imports(tree, modules) for name, tree in modules.items()}
        self._module = ""

    def in_module(self, module: str) -> OptionFinder:
        """Return a finder that looks up names in a module."""
        other = copy(self)
        other._module = module
        return other

    def _constant(self, name: str) -> tuple[OptionFinder, ast.expr | None]:
        """Return the value of a top-level name, after the finder for the module that defines it."""
        if name in self._constants.get(self._module, {}):
            return self, self._constants[self._module][name]
        module, original_name = self._imports.get(self._module, {}).get(name, ("", ""))
        return self.in_module(module), self._constants.get(module, {}).get(original_name)

    def _function(self, name: str) -> tuple[OptionFinder, ast.FunctionDef | None]:
        """Return the function or method with a name, after the finder for the module that defines it."""
        if name in self._functions.get(self._module, {}):
            return self, self._functions[self._module][name]
        module, original_name = self._imports.get(self._module, {}).get(name, ("", ""))
        return self.in_module(module), self._functions.get(module, {}).get(original_name)

    def options_of_call(self, call: ast.Call, function: ast.FunctionDef | None) -> Options:
        """Return the options of a call of `table.choose` in a function."""
        default = call.args[1] if len(call.args) > 1 else None
        return Options() if default is None else self._options_in(default, function, _DEEPEST)

    def _options_in(self, node: ast.expr, function: ast.FunctionDef | None, levels: int) -> Options:
        """Return the options in an expression for a collection of options."""
        if isinstance(node, (ast.List, ast.Tuple, ast.Set)):
            options = Options()
            for element in node.elts:
                options |= self._option(element, function, levels)
            return options
        if isinstance(node, ast.BinOp):
            return self._options_in(node.left, function, levels) | self._options_in(node.right, function, levels)
        if isinstance(node, ast.IfExp):
            return self._options_in(node.body, function, levels) | self._options_in(node.orelse, function, levels)
        if isinstance(node, (ast.Dict, ast.DictComp)):  # a choice among its keys
            options = Options()
            for key in node.keys if isinstance(node, ast.Dict) else [node.key]:
                options |= Options(more=True) if key is None else self._option(key, function, levels)
            return options
        if isinstance(node, (ast.ListComp, ast.GeneratorExp, ast.SetComp)):
            return self._option(node.elt, function, levels)
        if isinstance(node, ast.Name):
            return self._options_named(node.id, function, levels)
        if isinstance(node, ast.Call) and levels:
            finder, called = self._function(str(getattr(node.func, "id", getattr(node.func, "attr", ""))))
            if called is not None:
                return finder._options_returned(called, levels - 1)
            if getattr(node.func, "id", "") in ("list", "tuple", "sorted", "dict") and node.args:
                return self._options_in(node.args[0], function, levels)
        return Options(more=True)

    def _option(self, node: ast.expr, function: ast.FunctionDef | None, levels: int) -> Options:
        """Return the options from one element: a word, a word with an object, or an option without words."""
        if isinstance(node, ast.Starred):
            return self._options_in(node.value, function, levels)
        if isinstance(node, ast.Tuple) and node.elts:
            first = self._option(node.elts[0], function, levels)
            if not first.words:
                return Options(more=True)
            return Options(frozenset(f"{word} ..." for word in first.words if not word.endswith("...")))
        if isinstance(node, ast.IfExp):
            return self._option(node.body, function, levels) | self._option(node.orelse, function, levels)
        if isinstance(node, ast.Name):
            _, value = self._constant(node.id)
            return Options(more=True) if not isinstance(value, ast.Constant) else self._option(value, None, levels)
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and OPTION_WORD.fullmatch(node.value):
            return Options(frozenset({node.value}))
        return Options(more=True)

    def _options_named(self, name: str, function: ast.FunctionDef | None, levels: int) -> Options:
        """Return the options of a local list, including everything added to it, or of a constant."""
        options, is_local = Options(), False
        for node in ast.walk(function) if function is not None and levels else ():
            value: ast.expr | None = None
            if isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
                targets = node.targets if isinstance(node, ast.Assign) else [node.target]
                if any(isinstance(target, ast.Name) and target.id == name for target in targets):
                    value = node.value
            elif isinstance(node, ast.Call) and node.args and _is_method_of(node.func, name, "append"):
                options |= self._option(node.args[0], function, levels - 1)
            elif isinstance(node, ast.Call) and node.args and _is_method_of(node.func, name, "insert"):
                options |= self._option(node.args[-1], function, levels - 1)
            elif isinstance(node, ast.Call) and node.args and _is_method_of(node.func, name, "extend"):
                value = node.args[0]
            if value is not None and not (isinstance(value, ast.Name) and value.id == name):
                is_local = True
                options |= self._options_in(value, function, levels - 1)
        if is_local:
            return options
        finder, constant = self._constant(name)
        return Options(more=True) if constant is None or not levels else finder._options_in(constant, None, levels - 1)

    def _options_returned(self, function: ast.FunctionDef, levels: int) -> Options:
        """Return the options that a function returns or yields."""
        options = Options()
        for node in ast.walk(function):
            if isinstance(node, ast.Return) and node.value is not None:
                options |= self._options_in(node.value, function, levels)
            elif isinstance(node, ast.Yield) and node.value is not None:
                options |= self._option(node.value, function, levels)
            elif isinstance(node, ast.YieldFrom):
                options |= self._options_in(node.value, function, levels)
        return options


def _constants(tree: ast.Module) -> dict[str, ast.expr]:
    """Return the values of a module's top-level names, including names assigned together."""
    constants: dict[str, ast.expr] = {}
    for node in tree.body:
        for target in node.targets if isinstance(node, ast.Assign) else ():
            value = node.value  # type: ignore[attr-defined]  # only of an assignment
            pairs = [(target, value)]
            if isinstance(target, ast.Tuple) and isinstance(value, ast.Tuple):
                pairs = list(zip(target.elts, value.elts, strict=False))
            constants.update({name.id: assigned for name, assigned in pairs if isinstance(name, ast.Name)})
    return constants


def _imports(tree: ast.Module, modules: Collection[str]) -> dict[str, tuple[str, str]]:
    """Return the imported names of a module, each with its source module ("" if outside the ruleset) and its name
    there.
    """
    imports = {}
    for node in tree.body:
        if isinstance(node, ast.ImportFrom) and node.module:
            module = next((name for name in modules if f".{node.module}".endswith(f".{name}")), "")
            for alias in node.names:
                imports[alias.asname or alias.name] = module, alias.name
    return imports


def _is_method_of(function: ast.expr, name: str, method: str) -> bool:
    """Return True if a called function is `name.method`."""
    if not isinstance(function, ast.Attribute) or function.attr != method:
        return False
    return isinstance(function.value, ast.Name) and function.value.id == name


def _statements(tree: ast.Module) -> Iterator[ast.stmt]:
    """Yield the statements of a module and of the classes in it."""
    for node in tree.body:
        yield node
        yield from node.body if isinstance(node, ast.ClassDef) else ()


def _calls_with_function(
    node: ast.AST, function: ast.FunctionDef | None = None
) -> Iterator[tuple[ast.Call, ast.FunctionDef | None]]:
    """Yield every call below a node with the innermost function around it."""
    for inner in ast.iter_child_nodes(node):
        if isinstance(inner, ast.Call):
            yield inner, function
        yield from _calls_with_function(inner, inner if isinstance(inner, ast.FunctionDef) else function)


# --- `zareba hooks`: list what a house rule can use, in zareba and in a ruleset ---------------------------------------


_RULE_ID = re.compile(r"[A-Z]{2,5}-\d+")
OPTION_LINE = re.compile(r"^  ([a-z][a-z_ ]*): *\"?(.*?)\"?$", re.MULTILINE)
"""Matches a line of the options in `words.yaml`."""
SECTION_START = re.compile(r"^[a-z]", re.MULTILINE)
"""Matches the start of the section after the options in `words.yaml`."""
QUESTION_METHODS = ("roll", "draw", "choose", "place", "confirm", "faces_of")
"""The methods of a table that ask a question."""


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

    Without a ruleset, only the hooks are listed. A ruleset also has steps; procedures, with their signatures; tallies,
    with their facts and the results that they decide; questions, with their options; actions, with their texts; events,
    with their fields; the marks of units and figures (`unit.is.MARK`); and the fields of the battle, of units and of
    figures.

    Example: zareba hooks vcc
    """
    listing: dict[str, Any] = {"hooks": core_hooks()}
    if name:
        listing |= published_names(name)
    if as_json:
        print_json(listing)
        return
    console = out()
    for heading, entries in listing.items():
        if entries:
            console.print(heading.replace("_", " "), style="bold")
        for entry, about in entries.items():
            console.print(Padding(f"{entry}   {about}" if about else entry, (0, 0, 0, 4)), markup=False)


def core_hooks() -> dict[str, str]:
    """Return every hook with its arguments and its purpose."""
    described = {}
    for name, hook in vars(hook_specs).items():
        if name.startswith("zareba_"):
            arguments = ", ".join(inspect.signature(hook).parameters)
            described[f"{name}({arguments})"] = _first_paragraph(hook)
    return described


def _first_paragraph(described: Any) -> str:
    """Return the first paragraph of a docstring as one line."""
    return " ".join((inspect.getdoc(described) or "").partition("\n\n")[0].split())


def published_names(name: str) -> dict[str, dict[str, str]]:
    """Return the names that a ruleset publishes, under headings, each with words about it, or "".

    The ZarebaError for an unknown ruleset suggests the nearest.
    """
    definition = installed(name)
    rules = load_rules(name)
    game = rules.game(load_scenario(next(iter(shipped_scenarios()))))
    questions: dict[str, str] = {}
    events: dict[str, str] = {}
    option_words: dict[str, str] = {}
    for folder in reversed(definition.folders):
        own_questions, own_events = _questions_and_events(folder)
        questions |= own_questions
        events |= own_events
        option_words |= _option_words(folder, rules.data)
    return {
        "steps": dict.fromkeys(game.policy.steps, ""),
        "procedures": {key: _signature(function) for key, function in definition.wrappable.items()},
        "tallies": {
            key: _describe_tally(entry, definition.facts.get(key)) for key, entry in rules.book.tallies.items()
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


def _describe_tally(entry: TallyEntry, facts: type | None) -> str:
    """Return what a tally decides, if anything, and its facts with their types."""
    parts = [f"decides {entry.decides}, {entry.better} is better"] if entry.decides else []
    if facts is not None:
        parts.append(f"facts: {', '.join(_describe_facts(facts))}")
    return "; ".join(parts)


def _questions_of_actions(tables: Sequence[ActionTable[Any, Any]]) -> dict[str, str]:
    """Return the questions that actions answer, with the words of their options."""
    questions: dict[str, str] = {}
    for table in tables:
        verbs_of_kinds = {action.verb for kind in table.kinds.values() for action in kind.actions}
        first = sorted({*table.kinds, *[verb for verb in table.by_verb if verb not in verbs_of_kinds]})
        questions[table.question] = f"choose; options: {', '.join(first)}; actions of house rules (zareba_actions)"
        for kind in table.kinds.values():
            questions[kind.question] = f"choose; options: {', '.join(sorted(action.verb for action in kind.actions))}"
    return questions


def _fields_of_state(state: Any) -> dict[str, dict[str, str]]:
    """Return the fields of a battle, of its units and of their figures, with their types. Fields under `spec.` never
    change.
    """
    unit = next(iter(state.units.values()), None)
    figures = getattr(unit, "figures", None)
    figure = next(iter(figures.values()), None) if isinstance(figures, dict) else None
    records = {"fields_of_the_battle": state, "fields_of_a_unit": unit, "fields_of_a_figure": figure}
    return {heading: _fields_of(record) for heading, record in records.items() if record is not None}


def _fields_of(record: Any) -> dict[str, str]:
    """Return the fields and properties of a record, and the fields of its `spec`, with their types."""
    kind = type(record)
    types_of_fields = {field.name: _type_name(field.type) for field in fields(kind) if not field.metadata.get("shared")}
    for name in sorted(dir(kind)):
        if not name.startswith("_") and name not in types_of_fields and isinstance(getattr(kind, name), property):
            about = _first_paragraph(getattr(kind, name))
            types_of_fields[name] = f"computed: {about}" if about else "computed"
    spec = getattr(record, "spec", None)
    if is_dataclass(spec):
        types_of_fields |= {f"spec.{field.name}": _type_name(field.type) for field in fields(spec)}
    return types_of_fields


def _type_name(kind: Any) -> str:
    return kind if isinstance(kind, str) else getattr(kind, "__name__", str(kind))


def _option_words(folder: Path, data: Mapping[str, Any]) -> dict[str, str]:
    """Return the words of options for which a ruleset has sentences, for any question."""
    own: Any = data.get("words", {})
    sentences: dict[str, str] = dict(own.get("options", {}))
    for file in folder.rglob("words.yaml"):
        _, _, lines = file.read_text(encoding="utf-8").partition("\noptions:\n")
        if end := SECTION_START.search(lines):
            lines = lines[: end.start()]
        sentences |= dict(OPTION_LINE.findall(lines))
    return dict(sorted((word, str(sentence)) for word, sentence in sentences.items()))


def _signature(function: Any) -> str:
    """Return the arguments and the return type of a function, as in `(table, unit: Unit) -> bool`."""
    signature = inspect.signature(inspect.unwrap(function))
    return_type = signature.return_annotation
    arguments = ", ".join(str(parameter).replace("'", "") for parameter in signature.parameters.values())
    return f"({arguments})" + ("" if return_type is signature.empty else f" -> {return_type}")


def _describe_facts(kind: type) -> Iterator[str]:
    """Yield each fact of a tally with its type, and its values if there are only a few."""
    known = known_facts(kind)
    for field in fields(kind):
        values = ", ".join(_few_values(known[field.name]))
        yield f"{field.name}: {_type_name(field.type)}{f' ({values})' if values else ''}"


def _few_values(kind: Any) -> Iterator[str]:
    """Yield the values of a type that has only a few."""
    if kind is bool:
        yield from ("True", "False")
    elif get_origin(kind) is Literal:
        yield from map(repr, get_args(kind))
    elif get_origin(kind) is Annotated or isinstance(kind, (types.UnionType,)):
        for inner in get_args(kind):
            yield from _few_values(inner)


def _questions_and_events(folder: Path) -> tuple[dict[str, str], dict[str, str]]:
    """Return the questions and events in a ruleset's code: purposes with the kind of question, and event kinds with
    their fields.

    A function with a `why` parameter asks on behalf of its callers.
    """
    files = sorted(folder.rglob("*.py"))
    trees = {_module_name(file, folder): ast.parse(file.read_text(encoding="utf-8")) for file in files}
    asking_functions, finder = _asking_functions(list(trees.values())), OptionFinder(trees)
    methods_by_purpose: dict[str, set[str]] = {}
    options: dict[str, Options] = {}
    fields_by_event: dict[str, set[str]] = {}
    for module, tree in trees.items():
        constants = _text_constants(tree)
        for call, function in _calls_with_function(tree):
            for why in _texts(_purpose_of_call(call, asking_functions), constants):
                if _name(call) == "choose":
                    found = finder.in_module(module).options_of_call(call, function)
                    options[why] = options.get(why, Options()) | found
                methods_by_purpose.setdefault(why, set()).update(_methods_used(call, asking_functions))
            if _name(call) in ("emit", "tell") and call.args and isinstance(call.args[0], ast.Constant):
                names = {keyword.arg for keyword in call.keywords if keyword.arg}
                fields_by_event.setdefault(str(call.args[0].value), set()).update(names)
    questions = {}
    for why, methods in sorted(methods_by_purpose.items()):
        if methods:
            kinds = ", ".join(sorted({"roll" if method == "faces_of" else method for method in methods}))
            words = str(options.get(why, ""))
            questions[why] = f"{kinds}; options: {words}" if words else kinds
    return questions, {kind: ", ".join(sorted(names)) for kind, names in sorted(fields_by_event.items())}


def _module_name(file: Path, folder: Path) -> str:
    """Return the name of a module within the package in a folder, as in `chapters.fire`."""
    parts = file.relative_to(folder).with_suffix("").parts
    is_package = parts[-1] == "__init__" and len(parts) > 1
    return ".".join(parts[:-1] if is_package else parts)


def _name(call: ast.Call) -> str:
    """Return the name of the called function or method."""
    return str(getattr(call.func, "attr", getattr(call.func, "id", "")))


def _asking_functions(trees: Sequence[ast.Module]) -> dict[str, set[str]]:
    """Return the functions that take the purpose of their question as `why`, with the methods by which they ask.

    This includes functions that pass the purpose on to such a function.
    """
    calls_by_function = [
        (node.name, [inner for inner in ast.walk(node) if isinstance(inner, ast.Call) and _passes_purpose_on(inner)])
        for tree in trees
        for node in _all_statements(tree)
        if isinstance(node, ast.FunctionDef)
        and any(argument.arg == "why" for argument in [*node.args.args, *node.args.kwonlyargs])
    ]
    known: dict[str, set[str]] = {}
    while True:  # until no function is found that asks by way of the functions known so far
        found: dict[str, set[str]] = {}
        for name, calls in calls_by_function:
            methods = {method for call in calls for method in _methods_used(call, known)}
            if methods:
                found[name] = methods
        if found == known:
            return {name: methods for name, methods in known.items() if name not in QUESTION_METHODS}
        known = found


def _all_statements(node: ast.AST) -> Iterator[ast.stmt]:
    """Yield every statement below a node, without searching expressions, which contain none."""
    for block in ("body", "handlers", "cases", "orelse", "finalbody"):
        inner = getattr(node, block, ())
        for statement in inner if isinstance(inner, list) else ():  # the body of a lambda is an expression
            if isinstance(statement, ast.stmt):
                yield statement
            yield from _all_statements(statement)


def _methods_used(call: ast.Call, asking_functions: Mapping[str, set[str]]) -> set[str]:
    """Return the methods of a table by which a call asks its question, directly or by way of an asking function."""
    return asking_functions.get(_name(call), {_name(call)} & set(QUESTION_METHODS))


def _passes_purpose_on(call: ast.Call) -> bool:
    """Return True if a call has the variable `why` as an argument."""
    arguments = [*call.args, *_arguments_named_why(call)]
    return any(isinstance(argument, ast.Name) and argument.id == "why" for argument in arguments)


def _arguments_named_why(call: ast.Call) -> list[ast.expr]:
    return [keyword.value for keyword in call.keywords if keyword.arg == "why"]


def _purpose_of_call(call: ast.Call, asking_functions: Mapping[str, set[str]]) -> Iterator[ast.expr]:
    """Yield the expressions for the purpose of a call.

    This is its `why`. If the function asks on behalf of its caller and has no `why`, all positional arguments except
    rule ids are candidates.
    """
    named = _arguments_named_why(call)
    if _name(call) in asking_functions:
        yield from named or [argument for argument in call.args if not _is_rule_id(argument)]
    elif isinstance(call.func, ast.Attribute) and call.func.attr in QUESTION_METHODS:
        yield from named


def _is_rule_id(expression: ast.expr) -> bool:
    return isinstance(expression, ast.Constant) and _RULE_ID.fullmatch(str(expression.value)) is not None


def _texts(expressions: Iterable[ast.expr], constants: Mapping[str, str]) -> Iterator[str]:
    """Yield the words that expressions may evaluate to. A module constant is replaced by its value."""
    for expression in expressions:
        if isinstance(expression, ast.Constant) and isinstance(expression.value, str):
            yield expression.value
        elif isinstance(expression, ast.IfExp):
            yield from _texts([expression.body, expression.orelse], constants)
        elif isinstance(expression, ast.Name) and expression.id in constants:
            yield constants[expression.id]


def _text_constants(tree: ast.Module) -> dict[str, str]:
    """Return the values of the top-level names of a module that are strings."""
    return {
        name.id: str(node.value.value)
        for node in tree.body
        if isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant) and isinstance(node.value.value, str)
        for name in node.targets
        if isinstance(name, ast.Name)
    }
