"""Check the placeholders in the texts of a house rule: the game must have a value for each of them."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from string import Formatter

from zareba.base.errors import Problem, nearest
from zareba.base.grammar import join_with_and
from zareba.plugins.event_check import COMMON, Fields, fields_in_ruleset, fields_in_text, fields_of_event
from zareba.plugins.rule_files import HouseRule, texts_of
from zareba.plugins.ruleset import Ruleset

_PLACEHOLDERS = {"question": ("actor", "seat", "side"), "option": ("actor",), "card": ()}
"""The placeholders available in the texts of questions, options and cards; the text of an event may use the fields of
the event.
"""


@dataclass(frozen=True)
class _Text:
    """A text of a house rule with its place; `name` is what it is for, such as `event thirst`."""

    file: str
    line: int
    column: int
    path: str
    name: str
    template: str

    def problem(self, message: str) -> Problem:
        return Problem(self.file, self.line, self.column, self.path, message)


def wrong_placeholder(name: str, template: str) -> str:
    """Return the fault of the placeholders in the text for `name`; "" if all of them can be filled."""
    try:
        placeholders = _placeholders(template)
    except ValueError as error:
        return f"the placeholders of '{template}' are not valid: {error}; write them as {{unit}}"
    kind = name.partition(" ")[0]
    for placeholder in placeholders:
        if placeholder and not placeholder.replace("_", "a").isalnum():
            return f"the placeholder {{{placeholder}}} of '{template}' is not a plain word; write it as {{unit}}"
        is_part_of_option = kind == "option" and (placeholder.isdigit() or not placeholder)
        if kind in _PLACEHOLDERS and placeholder not in _PLACEHOLDERS[kind] and not is_part_of_option:
            known = [f"{{{word}}}" for word in _PLACEHOLDERS[kind]] + (["{1}", "{2}"] if kind == "option" else [])
            allowed = f"it may have {', '.join(known)}" if known else "it has none"
            return f"the text '{template}' for '{name}' has the placeholder {{{placeholder}}}, which has no value; {allowed}"
    return ""


def invalid_texts(rule: HouseRule) -> Iterator[Problem]:
    """Yield a problem for each text in the source of a house rule with a placeholder that can never have a value."""
    for text in _texts(rule):
        if wrong := wrong_placeholder(text.name, text.template):
            yield text.problem(f"house rule '{rule.name}': {wrong}")


def unfilled_placeholders(
    rule: HouseRule, systems: Sequence[Callable[[], Ruleset]], others: Sequence[HouseRule]
) -> Iterator[Problem]:
    """Yield a problem for each placeholder in the text of an event that no event of this kind fills under one of these
    rulesets.

    Events that the house rules `others` emit count too. Events whose fields cannot be read from source are left out.
    """
    for text in _texts(rule):
        kind = text.name.removeprefix("event ")
        is_for_event = kind != text.name
        if not is_for_event or kind in COMMON or wrong_placeholder(text.name, text.template):
            continue
        fields_by_rules = [fields_in_text(source) for emitter in [rule, *others] for _, source in texts_of(emitter)]
        for placeholder in dict.fromkeys(_placeholders(text.template)):
            if not any(placeholder in (fields.get(kind) or ()) for fields in fields_by_rules):
                yield from _unfilled_in_rulesets(rule, text, kind, placeholder, fields_by_rules, systems)


def _unfilled_in_rulesets(
    rule: HouseRule,
    text: _Text,
    kind: str,
    placeholder: str,
    fields_by_rules: Sequence[Fields],
    systems: Sequence[Callable[[], Ruleset]],
) -> Iterator[Problem]:
    """Yield one problem that names the rulesets without a value for a placeholder, if there are any."""
    known_fields: dict[str, frozenset[str]] = {}
    for find in systems:
        try:
            system = find()
        except Exception:  # noqa: BLE001  # a broken ruleset is not the fault of the house rule
            continue
        tables = [*fields_by_rules, fields_in_ruleset(system)]
        fields = fields_of_event(kind, tables)
        if fields is not None and placeholder not in fields:
            known_fields[system.id] = frozenset().union(*(table.get(kind) or () for table in tables))
    if known_fields:
        names = sorted(frozenset().union(*known_fields.values()))
        guess = nearest(placeholder, names)
        allowed = f"it may have {join_with_and(f'{{{name}}}' for name in names)}" if names else "it has none"
        hint = f"did you mean {{{guess}}}?" if guess else allowed
        yield text.problem(
            f"house rule '{rule.name}': the text for '{text.name}' has the placeholder {{{placeholder}}}, "
            f"which no such event fills under {join_with_and(known_fields)}; {hint}"
        )


def _placeholders(template: str) -> list[str]:
    """Return the names between braces in a text. Raises ValueError for unbalanced braces."""
    return [name for _, name, _, _ in Formatter().parse(template) if name is not None]


def _texts(rule: HouseRule) -> Iterator[_Text]:
    """Yield the texts in the YAML of a house rule, and those that its Python returns from `zareba_words` as
    literals.
    """
    if rule.manifest is not None:
        document = rule.manifest.document
        for name, template in rule.manifest.file.words.items():
            yield _Text(document.file, *document.place(("words", name)), f"words.{name}", name, template)
    for file, source in texts_of(rule):
        for node in ast.walk(ast.parse(source)):
            if isinstance(node, ast.FunctionDef) and node.name == "zareba_words":
                yield from _texts_in(file, node)


def _texts_in(file: str, function: ast.FunctionDef) -> Iterator[_Text]:
    """Yield the texts in the dicts of a function whose keys and values are literal strings."""
    for node in ast.walk(function):
        if not isinstance(node, ast.Dict):
            continue
        for key, value in zip(node.keys, node.values, strict=True):
            if isinstance(key, ast.Constant) and isinstance(value, ast.Constant):
                name, template = key.value, value.value
                if isinstance(name, str) and isinstance(template, str):
                    yield _Text(file, value.lineno, value.col_offset + 1, "", name, template)
