"""Actions: one class or row says how an action is offered, worded, performed and valued.

Outside the rules an action is plain data, its `option`: the verb, or a tuple of the verb and what it names. Journals,
odds, displays and house rules use only that form. `ActionTable.action_of` returns the action of an option.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator
from dataclasses import MISSING, dataclass, fields
from functools import partial
from operator import attrgetter
from typing import TYPE_CHECKING, Any, ClassVar, Generic, Self, TypeVar, dataclass_transform

from zareba.battle.evaluation import Evaluation
from zareba.battle.legal_actions import LegalActions
from zareba.renamed import accept_old_arguments, warn_renamed
from zareba.table import Option, Table

Actor = TypeVar("Actor")
View = TypeVar("View")


@dataclass_transform(frozen_default=True)
class Action(ABC, Generic[Actor, View]):
    """An action that names something, such as a target. The fields of a subclass are what it names, in order.

    The option leaves out trailing fields that have their default.

    A subclass needs no decorator. It is defined with the arguments `verb`, which begins its option; `text`, which
    describes it to players and has gaps for fields (`{target:unit}`) and numbers of the rules (`{cost}`); and `odds`,
    the name of the procedure whose odds are worth showing before it. `Actor` is the class of the one that acts: a unit,
    a man, a gun. `View` is what an AI player knows about the actor's situation.

        @final
        class Rally(UnitAction, verb="rally", text="{officer:man} rallies {target:squad} (1 AC)"):
            officer: str
            target: str

    With `@final`, type checkers report a missing method at the class.
    """

    verb: ClassVar[str]
    text: ClassVar[str]
    odds: ClassVar[str]
    names: ClassVar[tuple[str, ...]]
    """The names of the fields."""
    required_count: ClassVar[int]
    """The number of fields without a default: the fewest values that an option of the class has."""

    def __init_subclass__(cls, *, verb: str, text: str, odds: str = "") -> None:
        super().__init_subclass__()
        cls.verb, cls.text, cls.odds = verb, text, odds
        # Frozen for type checkers only: frozen dataclasses are several times slower to make.
        dataclass(unsafe_hash=True)(cls)
        class_fields = fields(cls)  # type: ignore[arg-type]  # made a dataclass above
        cls.names = tuple([field.name for field in class_fields])
        cls.required_count = sum(field.default is MISSING for field in class_fields)
        has_defaults = cls.required_count < len(class_fields)
        getter = _option_without_defaults if has_defaults else attrgetter("verb", *cls.names)
        cls.option = property(getter)  # type: ignore[assignment, method-assign]  # attrgetter is fast

    @property
    def option(self) -> Option:
        """The action as plain data: the verb alone, or the verb and the fields."""
        raise NotImplementedError  # `__init_subclass__` replaces this property in every subclass

    @classmethod
    @abstractmethod
    def options(cls, actor: Actor) -> Iterable[Self]:
        """Return the legal actions of this class. A generator is searched only as far as needed."""

    @abstractmethod
    def perform(self, table: Table, actor: Actor) -> object:
        """Carry out the action."""

    @abstractmethod
    def value(self, view: View) -> Evaluation:
        """Return the value of the action to an AI player."""

    @classmethod
    def offer(cls, legal_actions: LegalActions, actor: Actor) -> None:
        """Add all legal actions of this class to the first choice."""
        for action in cls.options(actor):
            legal_actions.kinds.add(action.option)


def _option_without_defaults(action: Any) -> Option:
    """Return an action as plain data without the trailing fields that have their default."""
    values = [getattr(action, field.name) for field in fields(action)]
    for field in reversed(fields(action)):
        if values[-1] != field.default:
            break
        values.pop()
    return (action.verb, *values) if values else action.verb


class FixedValueAction(Action[Actor, View], verb="", text=""):
    """An action whose value depends on the rules alone, not on the situation.

    The argument `fixed_value` is the function that returns the value from the ruleset's book. It is called once a game.
    """

    fixed_value: ClassVar[Callable[[Any], Evaluation]]

    if TYPE_CHECKING:  # type checkers require `fixed_value`, by its present name

        def __init_subclass__(
            cls, *, verb: str, text: str, odds: str = "", fixed_value: Callable[[Any], Evaluation]
        ) -> None: ...

    else:

        def __init_subclass__(cls, *, verb: str, text: str, odds: str = "", **values: Any) -> None:
            super().__init_subclass__(verb=verb, text=text, odds=odds)
            if "flat" in values:
                warn_renamed("the argument flat of FixedValueAction", "fixed_value")
                values["fixed_value"] = values.pop("flat")
            if values.keys() != {"fixed_value"}:
                unknown = ", ".join(sorted(values.keys() - {"fixed_value"}))
                raise TypeError(f"the action '{verb}' has {f'an unknown {unknown}' if unknown else 'no fixed_value'}")
            cls.fixed_value = staticmethod(values["fixed_value"])

    def value(self, view: View) -> Evaluation:
        raise NotImplementedError("an action table computes fixed values from the rules")


@dataclass(frozen=True)
class RulesValue:
    """A value that depends on the rules alone: a function of the ruleset's book, called once a game."""

    of: Callable[[Any], Evaluation]


@accept_old_arguments
@dataclass(frozen=True)
class SimpleAction(Generic[Actor, View]):
    """An action that names nothing: one row, whose option is its verb.

    `is_legal` tests whether it may be done, `effect` carries it out, and `evaluation` is its value to an AI player.
    `lazy` actions are tested only on demand, because their test is slow.
    """

    names: ClassVar[tuple[str, ...]] = ()
    verb: str
    text: str
    is_legal: Callable[[Actor], bool]
    effect: Callable[[Table, Actor], object]
    evaluation: Callable[[View], Evaluation] | RulesValue
    odds: str = ""
    lazy: bool = False

    @property
    def option(self) -> Option:
        """The action as plain data: its verb."""
        return self.verb

    def perform(self, table: Table, actor: Actor) -> object:
        """Carry out the action."""
        return self.effect(table, actor)

    def value(self, view: View) -> Evaluation:
        """Return the value of the action to an AI player."""
        assert not isinstance(self.evaluation, RulesValue), "an action table computes it from the rules"
        return self.evaluation(view)

    def offer(self, legal_actions: LegalActions, actor: Actor) -> None:
        """Add the action to the first choice if it is legal."""
        if self.lazy:
            legal_actions.kinds.add(self.verb, partial(self.is_legal, actor))
        elif self.is_legal(actor):
            legal_actions.kinds.add(self.verb)


class ActionKind(Generic[Actor, View]):
    """An option of the first choice that leads to a second: fire, then at which target.

    `question` and `rule` are those of the second choice, and `text` describes the kind when several of its actions are
    legal. The option of the kind is `verb`, or `(verb, number)` for each gun, which the text calls `gun`.
    """

    def __init__(
        self,
        verb: str,
        *actions: type[Action[Actor, View]] | SimpleAction[Actor, View],
        question: str,
        rule: str,
        text: str,
    ) -> None:
        self.verb, self.actions, self.question, self.rule, self.text = verb, actions, question, rule, text

    def options(self, actor: Actor) -> Iterator[Option]:
        """Yield the options of all legal actions of the kind, searched on demand."""
        for action in self.actions:
            if isinstance(action, SimpleAction):
                if action.is_legal(actor):
                    yield action.verb
            else:
                for legal in action.options(actor):
                    yield legal.option

    def offer(self, legal_actions: LegalActions, actor: Actor, quick_check: Callable[[], bool] | None = None) -> None:
        """Add the kind to the first choice if one of its actions is legal.

        `quick_check`, if given, returns True if one is known to be legal without a search.
        """
        legal_actions.offer(self.verb, self.options(actor), quick_check)
