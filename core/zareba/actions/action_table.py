"""Action tables: all actions that may answer one question of a ruleset, with those that house rules add."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from functools import partial
from inspect import isabstract
from typing import Any, Generic, TypeAlias, TypeVar

from zareba.actions.action import Action, ActionKind, FixedValueAction, RulesValue, SimpleAction
from zareba.battle.evaluation import Evaluation
from zareba.battle.legal_actions import LegalActions
from zareba.battle.sentence_templates import Formats, Words, fill, gaps
from zareba.house_rules import HookFunction
from zareba.rules import Rules
from zareba.table import Option, Table

Actor = TypeVar("Actor")
View = TypeVar("View")
ActionDefinition: TypeAlias = type[Action[Actor, View]] | SimpleAction[Actor, View]
"""The definition of an action: a class, or a `SimpleAction` for an action without a target."""


class ActionTable(Generic[Actor, View]):
    """The actions that may answer `question`, and the actions behind each of its `kinds` (fire, then the target).

    `numbers` are the rule numbers that texts may show, as in {cost}, and `formats` the formats of the ruleset. Raises
    TypeError for an action that is incomplete, has the verb of another, or has a gap in its text that nothing fills.
    Rules ask for the table of their session with `for_session`.
    """

    def __init__(
        self,
        question: str,
        *actions: ActionDefinition[Actor, View],
        kinds: Iterable[ActionKind[Actor, View]] = (),
        numbers: Collection[str] = (),
        formats: Collection[str] = (),
    ) -> None:
        self.question, self.numbers, self.formats = question, frozenset(numbers), frozenset(formats)
        self.kinds = {kind.verb: kind for kind in kinds}
        self.by_verb: dict[Any, ActionDefinition[Actor, View]] = {}
        self.house_actions: tuple[ActionDefinition[Actor, View], ...] = ()
        """The actions of house rules, in the order of the session."""
        self._hooks: dict[str, HookFunction] = {}
        """The hook that added each action of a house rule, by verb."""
        self._fixed_values: dict[str, Evaluation] | None = None
        for action in (*actions, *[action for kind in self.kinds.values() for action in kind.actions]):
            self._add(action)
        for kind in self.kinds.values():
            self._check_gaps(kind.verb, kind.text, {"gun"})  # a kind may be offered once per gun

    def for_session(self, rules: Rules) -> ActionTable[Actor, View]:
        """Return the table of a session, with the actions of its house rules."""
        table: ActionTable[Actor, View] | None = rules.action_tables.get(self.question)
        if table is None:
            table = rules.action_tables[self.question] = self.with_actions(rules.house_actions.get(self.question, ()))
        return table

    def with_actions(self, house_actions: Iterable[tuple[HookFunction, Any]]) -> ActionTable[Actor, View]:
        """Return a copy with the actions of house rules. A faulty one raises RuleBroken, with the rule's name."""
        table: ActionTable[Actor, View] = ActionTable(self.question, numbers=self.numbers, formats=self.formats)
        table.kinds, table.by_verb = self.kinds, dict(self.by_verb)
        for hook, action in house_actions:
            try:
                table._add(action)
            except TypeError as error:
                raise hook.blame(error) from None
            table.house_actions += (action,)
            table._hooks[action.verb] = hook
        return table

    def _add(self, action: ActionDefinition[Actor, View]) -> None:
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
        for name, text_format in gaps(text):
            if name not in known and name not in self.numbers:
                possible = ", ".join(sorted({*known, *self.numbers} - {"action"}))
                raise TypeError(
                    f"the text of '{verb}' has a gap {{{name}}}, but it can only show {possible or 'nothing'}"
                )
            if text_format and text_format not in self.formats:
                raise TypeError(
                    f"the text of '{verb}' has the format '{text_format}'; known are {', '.join(sorted(self.formats))}"
                )

    def action_of(self, option: Option) -> Action[Actor, View] | SimpleAction[Actor, View] | None:
        """Return the action of an option; None for a kind of action and for anything else."""
        verb, named = (option[0], option[1:]) if isinstance(option, tuple) else (option, ())
        action = self.by_verb.get(verb)
        if action is None:
            return None
        if isinstance(action, SimpleAction):
            return None if named else action
        return action(*named) if action.required_count <= len(named) <= len(action.names) else None

    def kind_of(self, option: Option) -> ActionKind[Actor, View] | None:
        """Return the kind that an option of the first choice stands for, or None if it is an action itself.

        A verb may belong to both; then the number of things that the option names decides.
        """
        verb, named = (option[0], option[1:]) if isinstance(option, tuple) else (option, ())
        kind = self.kinds.get(str(verb))
        action = self.by_verb.get(verb) if kind is not None else None
        return None if action is not None and len(action.names) == len(named) else kind

    def offer_house_actions(self, legal_actions: LegalActions, actor: Actor, state: Any) -> None:
        """Add the legal actions of house rules to the first choice."""
        legal_actions.extend(self.house_options(actor, state))

    def house_options(self, actor: Actor, state: Any) -> list[Option]:
        """Return the options of the legal actions of house rules."""
        options: list[Option] = []
        for action in self.house_actions:
            hook = self._hooks[action.verb]
            find = partial(_options_of_rule, hook, action, actor)
            options += hook.call_read_only(state, f"the action '{action.verb}'", find)
        return options

    def perform(self, action: Action[Actor, View] | SimpleAction[Actor, View], table: Table, actor: Actor) -> object:
        """Carry out an action. An error in the action of a house rule names that rule."""
        hook = self._hooks.get(action.verb)
        return action.perform(table, actor) if hook is None else hook.run(action.perform, table, table, actor)

    def value(self, action: Action[Actor, View] | SimpleAction[Actor, View], view: View, book: Any) -> Evaluation:
        """Return the value of an action to an AI player."""
        fixed_value = self.fixed_values(book).get(action.verb)
        if fixed_value is not None:
            return fixed_value
        hook = self._hooks.get(action.verb)
        if hook is None:
            return action.value(view)
        return _checked(hook, action.verb, hook.run(action.value, None, view))

    def fixed_values(self, book: Any) -> Mapping[str, Evaluation]:
        """Return the values that the rules alone decide, by verb. They are computed once."""
        if self._fixed_values is None:
            self._fixed_values = {}
            for verb, action in self.by_verb.items():
                value_of = _value_function(action)
                if value_of is None:
                    continue
                hook = self._hooks.get(verb)
                value = value_of(book) if hook is None else _checked(hook, verb, hook.run(value_of, None, book))
                self._fixed_values[verb] = value
        return self._fixed_values

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


def _value_function(action: ActionDefinition[Any, Any]) -> Callable[[Any], Evaluation] | None:
    """Return the function that computes an action's value from the rules alone, or None if it needs the battle."""
    if isinstance(action, SimpleAction):
        return action.evaluation.of if isinstance(action.evaluation, RulesValue) else None
    return action.fixed_value if issubclass(action, FixedValueAction) else None


def _checked(hook: HookFunction, verb: str, value: Any) -> Evaluation:
    """Return the value that a house rule computed. Raises the error that names the rule if it has the wrong type."""
    if not isinstance(value, Evaluation):
        raise hook.blame(TypeError(f"the value of '{verb}' is {value!r}, which is not an Evaluation"))
    return value


def _options_of_rule(hook: HookFunction, action: ActionDefinition[Any, Any], actor: Any) -> list[Option]:
    """Return the legal options of an action that a house rule added."""
    if isinstance(action, SimpleAction):
        return [action.verb] if hook.run(action.is_legal, None, actor) else []
    options: list[Option] = hook.run(lambda: [legal.option for legal in action.options(actor)], None)
    return options
