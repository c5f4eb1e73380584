"""Conditional values: numbers of a ruleset that change while a condition holds (night, dust, from turn 6) or during one
procedure.

Any number of `ruleset.yaml` can be conditional. zareba builds a second version of the rules once for each set of
changed numbers, together with everything derived from them: the book, the terrain, the units. All code reads numbers
as usual, and rules without conditional values cost nothing. Conditions on the whole game (`game.turn`, state variables
of the game) are written in YAML and checked before each step. Conditions on a unit are written in Python: a wrap
changes the number while the wrapped procedure runs.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from pydantic import ValidationError

from zareba.base.errors import RuleBroken, ZarebaError, first_misfit, unknown_name
from zareba.base.state import CopyOnWrite, Record, canonical_json, facts
from zareba.base.tally import Modifier, Tally, TallyRule
from zareba.base.yamlfile import copy_of
from zareba.house_rules.contextual_modifiers import ModifierContext, context_condition, unknown_words
from zareba.house_rules.state_variables import StateVariable

_IN_FORCE = "zareba.sometimes"
"""The key under which a state stores the numbers that are changed at present."""
_MOST_CACHED = 100
Active: TypeAlias = tuple[tuple[str, str], ...]
"""Paths, each with the value in force there as JSON."""


@dataclass(frozen=True)
class ConditionalValue:
    """The value of a path while a condition holds, and the house rule it comes from."""

    name: str
    path: str
    to: Any
    by: str
    holds: Callable[[Any, ModifierContext], bool]

    @property
    def active(self) -> tuple[str, str]:
        """Its path and value, as an entry of `Active`."""
        return self.path, canonical_json(self.to)


class UnreadableCondition(ZarebaError):
    """The entry `name` of the section `conditional_values` has a condition that does not apply to the whole battle."""

    def __init__(self, name: str, message: str) -> None:
        super().__init__(message)
        self.name, self.said = name, message


def compile_conditional_values(
    entries: Mapping[str, Any], variables: Mapping[str, StateVariable]
) -> tuple[ConditionalValue, ...]:
    """Prepare the entries of the section `conditional_values`; raise UnreadableCondition for a condition that cannot be
    evaluated.
    """
    values = []
    for name, entry in entries.items():
        if not entry.when:
            raise UnreadableCondition(
                name, "a conditional value needs a condition; for a permanent change, leave 'when' out"
            )
        for word in entry.when:
            of_game = word == "game.turn" or (word in variables and variables[word].of == "game")
            if not of_game and "." in word and (wrong := unknown_words([word], variables)):
                raise UnreadableCondition(name, str(wrong))
            if not of_game:
                raise UnreadableCondition(
                    name,
                    f"'{word}' does not apply to the whole battle, as game.turn and state variables of the game do; "
                    "write a line of a tally, or change the number in a wrap (zareba.api.override_values)",
                )
        values.append(
            ConditionalValue(name, entry.at, entry.to, entry.by or entry.at, context_condition(entry.when, variables))
        )
    return tuple(values)


def with_conditional_values(data: Mapping[str, Any], active: Active) -> dict[str, Any]:
    """Return the data of a ruleset with other values at some paths. Raises ZarebaError, with the most similar name, if
    a path is unknown.
    """
    changed: dict[str, Any] = copy_of(dict(data))
    for path, written in active:
        *above, last = path.split(".")
        parent = _at(changed, above)
        if not isinstance(parent, dict) or last not in parent:
            raise unknown_name("number at", path, [".".join([*above, key]) for key in parent])
        parent[last] = json.loads(written)
    return changed


def _at(data: Any, keys: list[str]) -> Any:
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            raise unknown_name("section of the rules", key, data if isinstance(data, dict) else ())
        data = data[key]
    return data


class _RuleVersions:
    """Versions of the rules with changed numbers, each built once."""

    def __init__(self, rules: Any) -> None:
        self._rules, self._versions = rules, dict[Active, Any]()
        self._books = dict[tuple[Active, type], Any]()
        self._of = dict[tuple[int, Active], tuple[Any, Any]]()

    def rules(self, active: Active) -> Any:
        """Return the rules of the session with these values in force, for making a game; nothing in them is
        conditional.
        """
        if active not in self._versions:
            data = with_conditional_values(self._rules.data, active)
            try:
                book = self._rules.ruleset.file.model_validate(data)
            except ValidationError as error:
                raise ZarebaError(first_misfit(error)) from error
            self._versions[active] = replace(
                self._rules, book=book, data=data, conditional_values=(), game_hooks={}, words={}
            )
        return self._versions[active]

    def of(self, rules: Any, active: Active) -> Any:
        """Return the rules of a table, including its house rules, with the book in force."""
        known = id(rules), active
        if known not in self._of:
            if len(self._of) >= _MOST_CACHED:
                self._of.clear()
            self._of[known] = rules, replace(rules, book=self.rules(active).book, active=active)
        return self._of[known][1]

    def book(self, state: Any, active: Active) -> Any:
        """Return the book in force in the form that the state uses: compiled by the ruleset, or the file model."""
        kind = type(state.book)
        if (active, kind) not in self._books:
            made = self.rules(active)
            self._books[active, kind] = made.book if kind is type(made.book) else kind(made)
        return self._books[active, kind]


def _versions_of(rules: Any) -> _RuleVersions:
    """Return the builder of changed rules; all versions of a session's rules share one."""
    if not rules.versions:
        rules.versions.append(_RuleVersions(rules))
    versions: _RuleVersions = rules.versions[0]
    return versions


# --- conditions on the game -------------------------------------------------------------------------------------------


class ActiveValues:
    """A game with conditional values; each step is played by the version of the rules in force."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._entries: tuple[ConditionalValue, ...] = game.rules.conditional_values
        self._versions = _versions_of(game.rules)
        self._games: dict[Active, Any] = {(): game}
        self._starts: dict[Active, Any] = {}
        self._setup_checked = False

    def perform(self, table: Any, state: Any, step: Any) -> None:
        """Perform a step under the rules in force, and report numbers that have changed since the last step.

        Raises RuleBroken if a conditional value affects the setup of the battle, such as a deck or the number of
        figures.
        """
        if not self._setup_checked:
            self._check_setup()
        hold = self._holding(state)
        active = tuple([value.active for value in hold])
        game, before = self._game_with(active), table.rules
        self._update_state(state, active)
        self._report_changes(table, state, active)
        if active:
            table.rules = self._versions.of(before, active)
        for value in hold:
            _explain(table, before, value.path, value.to, value.by)
        try:
            game.printed_play.perform(table, state, step)
        finally:
            table.rules = before

    def game_now(self, state: Any) -> Any:
        """Return the game under the rules in force in a state."""
        return self._game_with(tuple([value.active for value in self._holding(state)]))

    def _check_setup(self) -> None:
        original = self._start(()).to_data()
        for value in self._entries:
            if self._start((value.active,)).to_data() != original:
                raise RuleBroken(
                    f"house rule '{value.by}': {value.path} is used to set up the battle, so a condition comes too late; "
                    "change it permanently (without 'when'), or change its effects in a hook of play (zareba_turn, zareba_step)"
                )
        self._setup_checked = True

    def _holding(self, state: Any) -> list[ConditionalValue]:
        here = ModifierContext(state, None, None, self._game.game_turn(state))
        return [value for value in self._entries if value.holds(None, here)]

    def _game_with(self, active: Active) -> Any:
        """Return the game under the rules in force. It has no game hooks, because the original game runs them."""
        if active not in self._games:
            game, rules = self._game, self._versions.rules(active)
            self._games[active] = rules.ruleset.game(rules, game.scenario, game.solo)
        return self._games[active]

    def _update_state(self, state: Any, active: Active) -> None:
        """Update everything derived from the numbers to the rules in force: the book, the terrain, the unit data."""
        start = self._start(active)
        if state.own.get(_IN_FORCE, ()) == active and state.book is start.book:
            return
        for field in fields(state):
            if field.metadata.get("shared") and getattr(state, field.name) is not getattr(start, field.name):
                setattr(state, field.name, getattr(start, field.name))
            if isinstance(pieces := getattr(state, field.name), dict):
                _replace_specs(pieces, getattr(start, field.name))

    def _start(self, active: Active) -> Any:
        if active not in self._starts:
            self._starts[active] = self._game_with(active).start()
        return self._starts[active]

    def _report_changes(self, table: Any, state: Any, active: Active) -> None:
        before: Active = state.own.get(_IN_FORCE, ())
        if before == active:
            return
        if active:
            state.own[_IN_FORCE] = active
        else:
            del state.own[_IN_FORCE]
        for value in self._entries:
            if (value.active in active) != (value.active in before):
                printed = _at(self._game.rules.data, value.path.split("."))
                phrase = f"is now {value.to}, not {printed}" if value.active in active else f"is {printed} again"
                table.emit("note", value.by, text=f"{value.path} {phrase} ({value.by})")


def _replace_specs(pieces: dict[str, Any], start: Mapping[str, Any]) -> None:
    """Replace the unchanging data of units, and of the figures in them, by that of the game at `start`."""
    for name, piece in list(pieces.items()):
        if not isinstance(original := start.get(name), Record):
            continue
        own = pieces.change(name) if isinstance(pieces, CopyOnWrite) else piece
        for field in fields(original):  # type: ignore[arg-type]  # records are dataclasses
            if field.name == "spec":
                own.spec = original.spec  # type: ignore[attr-defined]  # the field `spec`
            elif isinstance(inner := getattr(own, field.name), dict):
                _replace_specs(inner, getattr(original, field.name))


# --- changes during one procedure -------------------------------------------------------------------------------------


@contextmanager
def override_values(table: Any, numbers: Mapping[str, Any], by: str = "") -> Iterator[None]:
    """Change numbers of the ruleset, given by path, only while the `with` block runs.

    Use it in a wrap of the procedure or step that reads the numbers: `with override_values(table, {"jam.at": 2}):
    return fire(table, battle, gun)`. `by` names the cause, for "why?". Only numbers read inside the block change; the
    terrain and the unit data stay as they are. Raises ZarebaError for an unknown path or an invalid value.
    """
    state, rules, versions = table.state, table.rules, _versions_of(table.rules)
    active = (*rules.active, *[(path, canonical_json(to)) for path, to in numbers.items()])
    book = state.book
    state.book, table.rules = versions.book(state, active), versions.of(rules, active)
    for path, to in numbers.items():
        _explain(table, rules, path, to, by or "a house rule")
    try:
        yield
    finally:
        state.book, table.rules = book, rules


# --- the answer to "why?" ---------------------------------------------------------------------------------------------


@facts
class _Stands:
    """The printed value at a path."""

    printed: Any


def _explain(table: Any, rules: Any, path: str, to: Any, by: str) -> None:
    """Record a changed number for "why?", once a step."""
    printed, source = _at(rules.data, path.split(".")), f"house rule {by} ({path}: {to})"
    known = any(tally.rule.source == source for tally in table.tallies[-_MOST_CACHED:])
    if not known and isinstance(printed, (int, float)) and isinstance(to, (int, float)):
        line = Modifier(path, by, "set", to, summary=f"by {by}", source=source)
        table.tallies.append(Tally(TallyRule(path, by, "", "printed", "none", (line,), source), _Stands(printed), to))  # type: ignore[arg-type]  # a length may be a half
