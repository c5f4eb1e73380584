"""Numbers that are others at times: by night, in dust, from turn six on; or while something is done for somebody.

Any number of `ruleset.yaml` may be. The rules are then made anew with it, once for each set of numbers that are others
together, and so are the book, the ground and whatever else follows from them. All that reads the number reads it as it is,
and nothing is paid where no number is so. What hangs on the game (`game.turn`, what is kept of the game) is said in YAML, and
looked for before each step. What hangs on a unit is for Python to say: in a wrap, for as long as what it wraps goes on.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, fields, replace
from typing import Any, TypeAlias

from pydantic import ValidationError

from zareba.base.errors import RuleBroken, ZarebaError, first_misfit, unknown_name
from zareba.base.state import CopyOnWrite, Record, canonical_json, facts
from zareba.base.tally import Modifier, Tally, TallyRule
from zareba.house_rules.contextual_modifiers import ModifierContext, context_condition, unknown_words
from zareba.house_rules.state_variables import StateVariable

__all__ = [
    "ActiveValues",
    "ConditionalValue",
    "UnreadableCondition",
    "compile_conditional_values",
    "override_values",
    "with_conditional_values",
]

IN_FORCE = "zareba.sometimes"
"""Under which name a state has which numbers are others at present."""
REMEMBERED = 100
Active: TypeAlias = tuple[tuple[str, str], ...]
"""Paths, and what stands there while it lasts, as JSON."""


@dataclass(frozen=True)
class ConditionalValue:
    """What stands at a path while a condition holds, and by which house rule."""

    name: str
    path: str
    to: Any
    by: str
    holds: Callable[[Any, ModifierContext], bool]

    @property
    def active(self) -> tuple[str, str]:
        """It as one of `Active`."""
        return self.path, canonical_json(self.to)


class UnreadableCondition(ZarebaError):
    """The entry `name` of the section `sometimes` hangs on what is not asked for the whole battle."""

    def __init__(self, name: str, said: str) -> None:
        super().__init__(said)
        self.name, self.said = name, said


def compile_conditional_values(
    entries: Mapping[str, Any], kept: Mapping[str, StateVariable]
) -> tuple[ConditionalValue, ...]:
    """The entries of the section `sometimes`, ready to be asked; raises Unasked for one that cannot be."""
    found = []
    for name, entry in entries.items():
        if not entry.when:
            raise UnreadableCondition(name, "what is another at times needs a condition; without one, leave 'when' out")
        for word in entry.when:
            of_game = word == "game.turn" or (word in kept and kept[word].of == "game")
            if not of_game and "." in word and (wrong := unknown_words([word], kept)):
                raise UnreadableCondition(name, str(wrong))
            if not of_game:
                raise UnreadableCondition(
                    name,
                    f"'{word}' is not the same for the whole battle, as game.turn is and what is kept of the game; "
                    "write a line of a tally, or change the number in a wrap (zareba.api.otherwise)",
                )
        found.append(
            ConditionalValue(name, entry.at, entry.to, entry.by or entry.at, context_condition(entry.when, kept))
        )
    return tuple(found)


def with_conditional_values(data: Mapping[str, Any], active: Active) -> dict[str, Any]:
    """The data of a ruleset with other values at some paths. Raises ZarebaError with the nearest name for one that is not there."""
    found: dict[str, Any] = copy.deepcopy(dict(data))
    for path, written in active:
        *above, last = path.split(".")
        parent = _at(found, above)
        if not isinstance(parent, dict) or last not in parent:
            raise unknown_name("number at", path, [".".join([*above, key]) for key in parent])
        parent[last] = json.loads(written)
    return found


def _at(data: Any, keys: list[str]) -> Any:
    for key in keys:
        if not isinstance(data, dict) or key not in data:
            raise unknown_name("section of the rules", key, data if isinstance(data, dict) else ())
        data = data[key]
    return data


class _Made:
    """The rules with some numbers changed, each set of them made once."""

    def __init__(self, rules: Any) -> None:
        self._rules, self._made = rules, dict[Active, Any]()
        self._books = dict[tuple[Active, type], Any]()
        self._of = dict[tuple[int, Active], tuple[Any, Any]]()

    def rules(self, active: Active) -> Any:
        """The rules of the session as they are then, for making a game: they change no more."""
        if active not in self._made:
            data = with_conditional_values(self._rules.data, active)
            try:
                book = self._rules.ruleset.file.model_validate(data)
            except ValidationError as error:
                raise ZarebaError(first_misfit(error)) from error
            self._made[active] = replace(self._rules, book=book, data=data, sometimes=(), game_hooks={}, words={})
        return self._made[active]

    def of(self, rules: Any, active: Active) -> Any:
        """These rules of a table, whatever of house rules is in them, with the book that is in force."""
        known = id(rules), active
        if known not in self._of:
            if len(self._of) >= REMEMBERED:
                self._of.clear()
            self._of[known] = rules, replace(rules, book=self.rules(active).book, active=active)
        return self._of[known][1]

    def book(self, state: Any, active: Active) -> Any:
        """What a state has for a book: the numbers as its ruleset has made them ready, or the file itself."""
        kind = type(state.book)
        if (active, kind) not in self._books:
            made = self.rules(active)
            self._books[active, kind] = made.book if kind is type(made.book) else kind(made)
        return self._books[active, kind]


def _made_of(rules: Any) -> _Made:
    """What makes the rules with some numbers changed: one for all that comes of the rules of a session."""
    if not rules.making:
        rules.making.append(_Made(rules))
    made: _Made = rules.making[0]
    return made


# --- what hangs on the game -----------------------------------------------------------------------------------------------


class ActiveValues:
    """A game of which some numbers are others at times: it is played by that of the rules that are in force."""

    def __init__(self, game: Any) -> None:
        self._game = game
        self._entries: tuple[ConditionalValue, ...] = game.rules.sometimes
        self._made = _made_of(game.rules)
        self._games: dict[Active, Any] = {(): game}
        self._starts: dict[Active, Any] = {}
        self._looked = False

    def perform(self, table: Any, state: Any, step: Any) -> None:
        """Carry out a step by the rules in force, and tell what has changed of them since the last.

        Raises RuleBroken where a number is one that the battle was laid out with: a deck, how many there are.
        """
        if not self._looked:
            self._look()
        hold = self._hold(state)
        active = tuple([one.active for one in hold])
        game, before = self._under(active), table.rules
        self._lay_out(state, active)
        self._tell(table, state, active)
        if active:
            table.rules = self._made.of(before, active)
        for one in hold:
            _explain(table, before, one.path, one.to, one.by)
        try:
            type(game).perform(game, table, state, step)
        finally:
            table.rules = before

    def asked(self, name: str, state: Any, question: Any) -> Any:
        """What the game under the rules in force says of the options of a question."""
        game = self._under(tuple([one.active for one in self._hold(state)]))
        return getattr(type(game), name)(game, state, question)

    def _look(self) -> None:
        laid_out = self._start(()).to_data()
        for one in self._entries:
            if self._start((one.active,)).to_data() != laid_out:
                raise RuleBroken(
                    f"house rule '{one.by}': {one.path} is what a battle is laid out with, so that a condition comes too late; "
                    "change it for good (without 'when'), or what it has led to in a hook of play (zareba_turn, zareba_step)"
                )
        self._looked = True

    def _hold(self, state: Any) -> list[ConditionalValue]:
        here = ModifierContext(state, None, None, self._game.game_turn(state))
        return [one for one in self._entries if one.holds(None, here)]

    def _under(self, active: Active) -> Any:
        """The game under the rules that are in force then; what house rules do in it besides, the first of all does."""
        if active not in self._games:
            game, rules = self._game, self._made.rules(active)
            self._games[active] = rules.ruleset.game(rules, game.scenario, game.solo)
        return self._games[active]

    def _lay_out(self, state: Any, active: Active) -> None:
        """Let all that follows from the numbers be as in a game under the rules in force: the book, the ground, what units are."""
        start = self._start(active)
        if state.own.get(IN_FORCE, ()) == active and state.book is start.book:
            return
        for field in fields(state):
            if field.metadata.get("shared") and getattr(state, field.name) is not getattr(start, field.name):
                setattr(state, field.name, getattr(start, field.name))
            if isinstance(pieces := getattr(state, field.name), dict):
                _respecify(pieces, getattr(start, field.name))

    def _start(self, active: Active) -> Any:
        if active not in self._starts:
            self._starts[active] = self._under(active).start()
        return self._starts[active]

    def _tell(self, table: Any, state: Any, active: Active) -> None:
        before: Active = state.own.get(IN_FORCE, ())
        if before == active:
            return
        if active:
            state.own[IN_FORCE] = active
        else:
            del state.own[IN_FORCE]
        for one in self._entries:
            if (one.active in active) != (one.active in before):
                printed = _at(self._game.rules.data, one.path.split("."))
                said = f"is {one.to} now, not {printed}" if one.active in active else f"is {printed} again"
                table.tell("note", one.by, text=f"{one.path} {said} ({one.by})")


def _respecify(pieces: dict[str, Any], start: Mapping[str, Any]) -> None:
    """What does not change about units, and figures in them, is as it was laid out at this `start`."""
    for name, piece in list(pieces.items()):
        if not isinstance(laid_out := start.get(name), Record):
            continue
        own = pieces.change(name) if isinstance(pieces, CopyOnWrite) else piece
        for field in fields(laid_out):  # type: ignore[arg-type]  # records are dataclasses
            if field.name == "spec":
                own.spec = laid_out.spec  # type: ignore[attr-defined]  # the field at hand
            elif isinstance(inner := getattr(own, field.name), dict):
                _respecify(inner, getattr(laid_out, field.name))


# --- what hangs on anything else --------------------------------------------------------------------------------------------


@contextmanager
def override_values(table: Any, numbers: Mapping[str, Any], by: str = "") -> Iterator[None]:
    """While it lasts numbers of the ruleset are others, by their paths: for what is done there, and nobody else.

    In a wrap of the procedure or step that reads them: `with otherwise(table, {"jam.at": 2}): return fire(table, battle, gun)`.
    `by` says for whom, to "why?". Only numbers that are read there are: the ground, and what units are, stay as laid out.
    Raises ZarebaError for a path that is not there, and for what cannot stand there.
    """
    state, law, made = table.state, table.rules, _made_of(table.rules)
    active = (*law.active, *[(path, canonical_json(to)) for path, to in numbers.items()])
    book = state.book
    state.book, table.rules = made.book(state, active), made.of(law, active)
    for path, to in numbers.items():
        _explain(table, law, path, to, by or "a house rule")
    try:
        yield
    finally:
        state.book, table.rules = book, law


# --- what is told of it ---------------------------------------------------------------------------------------------------


@facts
class _Stands:
    """What stands at a path."""

    printed: Any


def _explain(table: Any, rules: Any, path: str, to: Any, by: str) -> None:
    """For "why?": a number that is another now; once a step."""
    printed, source = _at(rules.data, path.split(".")), f"house rule {by} ({path}: {to})"
    known = any(tally.rule.source == source for tally in table.tallies[-REMEMBERED:])
    if not known and isinstance(printed, (int, float)) and isinstance(to, (int, float)):
        line = Modifier(path, by, "set", to, summary=f"by {by}", source=source)
        table.tallies.append(Tally(TallyRule(path, by, "", "printed", "none", (line,), source), _Stands(printed), to))  # type: ignore[arg-type]  # a length may be a half
