"""Action tables: all actions that may answer one question of a ruleset, with those that house rules add."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from inspect import isabstract
from typing import Any, Generic, TypeAlias, TypeVar

from zareba.actions.action import Action, ActionKind, FlatAction, RulesValue, SimpleAction
from zareba.battle.evaluation import Evaluation
from zareba.battle.legal_actions import LegalActions
from zareba.battle.templates import Formats, Words, fill, gaps
from zareba.house_rules import HookFunction
from zareba.rules import Rules
from zareba.table import Option, Table

Actor = TypeVar("Actor")
View = TypeVar("View")
Row: TypeAlias = type[Action[Actor, View]] | SimpleAction[Actor, View]


class ActionTable(Generic[Actor, View]):
    """The actions that may answer `question`, and those that the second choices of its `kinds` lead to.

    `numbers` are the gaps for numbers of the rules in texts, and `formats` the formats of the ruleset. Raises TypeError
    for an action that is incomplete, has the verb of another, or has a gap in its text that nothing fills. Rules ask
    for the table of their session with `of`.
    """

    def __init__(
        self,
        question: str,
        *actions: Row[Actor, View],
        kinds: Iterable[ActionKind[Actor, View]] = (),
        numbers: Collection[str] = (),
        formats: Collection[str] = (),
    ) -> None:
        self.question, self.numbers, self.formats = question, frozenset(numbers), frozenset(formats)
        self.kinds = {kind.verb: kind for kind in kinds}
        self.by_verb: dict[Any, Row[Actor, View]] = {}
        self.brought: tuple[Row[Actor, View], ...] = ()
        """The actions of house rules, in the order of the session."""
        self._hooks: dict[str, HookFunction] = {}
        self._flat: dict[str, Evaluation] | None = None
        for action in (*actions, *[action for kind in self.kinds.values() for action in kind.actions]):
            self._add(action)
        for kind in self.kinds.values():
            self._check_gaps(kind.verb, kind.text, {"gun"})

    def of(self, rules: Rules) -> ActionTable[Actor, View]:
        """Return the table of a session, with the actions of its house rules."""
        found: ActionTable[Actor, View] | None = rules.action_tables.get(self.question)
        if found is None:
            found = rules.action_tables[self.question] = self.with_actions(rules.house_actions.get(self.question, ()))
        return found

    def with_actions(self, brought: Iterable[tuple[HookFunction, Any]]) -> ActionTable[Actor, View]:
        """Return a copy with the actions of house rules. A faulty one raises RuleBroken, with the rule's name."""
        table: ActionTable[Actor, View] = ActionTable(self.question, numbers=self.numbers, formats=self.formats)
        table.kinds, table.by_verb = self.kinds, dict(self.by_verb)
        for hook, action in brought:
            try:
                table._add(action)
            except TypeError as error:
                raise hook.blame(error) from None
            table.brought += (action,)
            table._hooks[action.verb] = hook
        return table

    def _add(self, action: Row[Actor, View]) -> None:
        if not isinstance(action, SimpleAction) and not (isinstance(action, type) and issubclass(action, Action)):
            raise TypeError(f"{action!r} is not an action; write a class derived from Action, or a SimpleAction")
        if isinstance(action, type) and isabstract(action):
            missing = ", ".join(sorted(action.__abstractmethods__))
            raise TypeError(f"the action '{action.verb}' has no {missing}")
        if action.verb in self.by_verb:
            raise TypeError(f"there is an action '{action.verb}' already; choose another verb")
        self._check_gaps(action.verb, action.text, {*action.names, "action"})
        self.by_verb[action.verb] = action

    def _check_gaps(self, verb: str, text: str, known: Collection[str]) -> None:
        """Raise TypeError if a text has a gap that nothing fills."""
        for name, way in gaps(text):
            if name not in known and name not in self.numbers:
                fits = ", ".join(sorted({*known, *self.numbers} - {"action"}))
                raise TypeError(f"the text of '{verb}' has a gap {{{name}}}, but it can only show {fits or 'nothing'}")
            if way and way not in self.formats:
                raise TypeError(
                    f"the text of '{verb}' has the format '{way}'; known are {', '.join(sorted(self.formats))}"
                )

    def read(self, option: Option) -> Action[Actor, View] | SimpleAction[Actor, View] | None:
        """Return the action of an option; None for a kind of action and for anything else."""
        verb, rest = (option[0], option[1:]) if isinstance(option, tuple) else (option, ())
        action = self.by_verb.get(verb)
        if action is None:
            return None
        if isinstance(action, SimpleAction):
            return None if rest else action
        return action(*rest) if action.least <= len(rest) <= len(action.names) else None

    def kind_of(self, option: Option) -> ActionKind[Actor, View] | None:
        """Return the kind that an option of the first choice stands for, or None if it is an action itself."""
        verb, rest = (option[0], option[1:]) if isinstance(option, tuple) else (option, ())
        kind = self.kinds.get(str(verb))
        action = self.by_verb.get(verb) if kind is not None else None
        return None if action is not None and len(action.names) == len(rest) else kind

    def offer_brought(self, legal_actions: LegalActions, actor: Actor, state: Any) -> None:
        """Add the legal actions of house rules to the first choice."""
        legal_actions.extend(self.brought_options(actor, state))

    def brought_options(self, actor: Actor, state: Any) -> list[Option]:
        """Return the options of the legal actions of house rules."""
        found: list[Option] = []
        for action in self.brought:
            hook = self._hooks[action.verb]
            found += hook.call_read_only(state, f"the action '{action.verb}'", partial(_options, hook, action, actor))
        return found

    def perform(self, action: Action[Actor, View] | SimpleAction[Actor, View], table: Table, actor: Actor) -> object:
        """Carry out an action. An error in the action of a house rule names that rule."""
        hook = self._hooks.get(action.verb)
        return action.perform(table, actor) if hook is None else hook.run(action.perform, table, table, actor)

    def value(self, action: Action[Actor, View] | SimpleAction[Actor, View], view: View, book: Any) -> Evaluation:
        """Return the value of an action to an AI player."""
        flat = self.flat(book).get(action.verb)
        if flat is not None:
            return flat
        hook = self._hooks.get(action.verb)
        if hook is None:
            return action.value(view)
        return _checked(hook, action.verb, hook.run(action.value, None, view))

    def flat(self, book: Any) -> Mapping[str, Evaluation]:
        """Return the values of actions that the rules alone decide, by verb. They are computed once."""
        if self._flat is None:
            self._flat = {}
            for verb, action in self.by_verb.items():
                by_rules = _by_rules(action)
                if by_rules is not None:
                    hook = self._hooks.get(verb)
                    found = by_rules(book) if hook is None else hook.run(by_rules, None, book)
                    self._flat[verb] = found if hook is None else _checked(hook, verb, found)
        return self._flat

    def text(
        self,
        action: Action[Actor, View] | SimpleAction[Actor, View],
        numbers: Mapping[str, Any],
        formats: Formats,
        words: Words,
    ) -> str:
        """Return the text of an action. `words` may hold another template for its verb, in its table `actions`."""
        template = words.tables.get("actions", {}).get(action.verb, action.text)
        named = {name: getattr(action, name) for name in action.names}
        return fill(template, {**numbers, **named, "action": action}, str, formats, words, strict=True)


def _by_rules(action: Row[Any, Any]) -> Callable[[Any], Evaluation] | None:
    """Return the function that computes an action's value from the rules alone, or None if it needs the battle."""
    if isinstance(action, SimpleAction):
        return action.worth.of if isinstance(action.worth, RulesValue) else None
    return action.flat if issubclass(action, FlatAction) else None


def _checked(hook: HookFunction, verb: str, found: Any) -> Evaluation:
    if not isinstance(found, Evaluation):
        raise hook.blame(TypeError(f"the value of '{verb}' is {found!r}, which is not an Evaluation"))
    return found


def _options(hook: HookFunction, action: Row[Any, Any], actor: Any) -> list[Option]:
    if isinstance(action, SimpleAction):
        return [action.verb] if hook.run(action.may, None, actor) else []
    found: list[Option] = hook.run(lambda: [one.option for one in action.options(actor)], None)
    return found
