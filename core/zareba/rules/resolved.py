"""The resolved rules of a session: a ruleset combined with its settings and house rules.

Everything that play reads often is prepared here: compiled tallies, wrapped procedures, tuples of hook functions.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from functools import cached_property, partial
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar

from zareba.base.blame import package_at_fault
from zareba.base.errors import Impossible, RuleBroken, ZarebaError, nearest, unknown_name
from zareba.base.state import facts
from zareba.base.tally import Number, Tally, TallyRule
from zareba.base.yamlfile import KeyPath
from zareba.house_rules.conditional_values import ConditionalValue
from zareba.house_rules.contextual_modifiers import ContextualModifier, ContextualModifiers, ModifierContext, unit_named
from zareba.house_rules.hook_function import HookFunction
from zareba.house_rules.question_hooks import confirm_with_hooks, restrict_places, roll_with_hooks
from zareba.house_rules.state_variables import StateVariable
from zareba.rules.catalogue import load_catalogue
from zareba.rules.patch import Source
from zareba.rules.procedure import Wrap, matches_type
from zareba.rules.ruleset_info import RulesetInfo
from zareba.rules.schema import RulesetFile
from zareba.rules.settings import Setting
from zareba.scenario.check import faults_of
from zareba.scenario.load import held_back
from zareba.scenario.overrides import with_overrides_of_heirs
from zareba.table.questions import ExtraOption

if TYPE_CHECKING:
    from zareba.scenario import Scenario
    from zareba.table import Answer, Choose, Confirm, Option, Place, Roll, Table


R = TypeVar("R")
_Ranges: TypeAlias = tuple[tuple[str, Any], ...]
"""The reach of each range band of a weapon, nearest first."""

_REMEMBERED = 200_000


@facts
class PrintedValue:
    """A number as printed in the book: `of` names the weapon or other thing it belongs to, `band` the range band, if they
    matter.
    """

    printed: Any
    of: str = ""
    band: str = ""


def _turn_of(state: Any) -> int:
    """Return the turn of a state, or 0 if it has none."""
    turn: int = getattr(state, "turn", 0)
    return turn


@dataclass
class Rules:
    """A ruleset as this session plays it. `book` is the ruleset's file model after all patches.

    `wraps` are keyed by procedure, `step_wraps` by step; `step_hooks` names the last hook that wraps a step.
    `policy_hook` is the house rule with its own activation policy, and the function that makes the policy.
    `game_hooks` are called by the game; under house rules, `playing` is that game. `situated` holds the contextual
    lines of tallies, `state_variables` those of house rules. `conditional_values` holds the conditional values, `active`
    those in force now, and `making` the builder of rules with changed values. `told_by` maps rule ids of house rules
    to their descriptions, and `files` maps Python house rules to their paths. `house_actions` holds the actions that
    house rules add, by question; `action_tables` holds the session's table of each question once it has been used.
    """

    ruleset: RulesetInfo
    book: RulesetFile
    data: dict[str, Any]
    settings: dict[str, Any]
    sources: dict[KeyPath, Source]
    house_rules: tuple[str, ...]
    digest: str
    tallies: dict[str, TallyRule]
    wraps: dict[str, Callable[..., Any]] = field(default_factory=dict)
    step_wraps: dict[str, Callable[..., Any]] = field(default_factory=dict)
    step_hooks: dict[str, HookFunction] = field(default_factory=dict)
    policy_hook: tuple[HookFunction, Callable[..., Any]] | None = None
    option_hooks: tuple[HookFunction, ...] = ()
    event_hooks: tuple[HookFunction, ...] = ()
    roll_hooks: tuple[HookFunction, ...] = ()
    place_hooks: tuple[HookFunction, ...] = ()
    confirm_hooks: tuple[HookFunction, ...] = ()
    game_hooks: dict[str, tuple[HookFunction, ...]] = field(default_factory=dict)
    situated: dict[str, tuple[ContextualModifier, ...]] = field(default_factory=dict)
    state_variables: dict[str, StateVariable] = field(default_factory=dict)
    conditional_values: tuple[ConditionalValue, ...] = ()
    active: tuple[tuple[str, str], ...] = ()
    making: list[Any] = field(default_factory=list, repr=False)
    words: dict[str, tuple[str, str]] = field(default_factory=dict)
    playing: Any = None
    own_settings: dict[str, Setting] = field(default_factory=dict)
    only_for: dict[str, tuple[str, ...]] = field(default_factory=dict)
    turn_of: Callable[[Any], int] = _turn_of
    told_by: dict[str, str] = field(default_factory=dict)
    files: dict[str, str] = field(default_factory=dict)
    house_actions: dict[str, tuple[tuple[HookFunction, Any], ...]] = field(default_factory=dict)
    action_tables: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    _totals: dict[tuple[str, Any], Tally] = field(default_factory=dict, repr=False)

    @property
    def in_every_throw(self) -> bool:
        """True if house rules can affect any roll or number, so that no shortcut may skip one."""
        return bool(self.event_hooks or self.roll_hooks or self.situated)

    @property
    def runs_code(self) -> bool:
        """True if house rules run Python functions during play. Such functions might not give the same result twice."""
        asked = self.option_hooks or self.place_hooks or self.confirm_hooks or any(self.game_hooks.values())
        changed = self.wraps or self.step_wraps or self.in_every_throw or self.conditional_values
        return bool(changed or asked or self.house_actions)

    @property
    def switches(self) -> dict[str, Setting]:
        """All settings of the session: the ruleset's and those of house rules."""
        return {**self.book.settings, **self.own_settings}

    def says(self, rule: str) -> str:
        """Return a rule in a line, or the description of the house rule with that id; "" for an unknown id."""
        entry = load_catalogue(*self.ruleset.folders).rules.get(rule)
        return self.told_by.get(rule, "") if entry is None else entry.in_short

    def tally(
        self, name: str, facts: Any, state: Any = None, unit: Any = None, target: Any = None, table: Any = None
    ) -> Tally:
        """Return the modifier breakdown `name` for these facts. Totals are cached by the facts and the results of
        contextual lines.

        `unit` is the unit that the number belongs to, `target` the unit it concerns. Without a `state` no contextual
        line applies. With a state but no `table`, dice count as their mean.
        """
        if self.situated and name in self.situated:
            turn = 0 if state is None else self.turn_of(state)
            here = ModifierContext(state, unit_named(state, unit), unit_named(state, target), turn)
            facts = ContextualModifiers(
                facts, tuple([(line.id, line.found(facts, here, table)) for line in self.situated[name]])
            )
        key = (name, facts)
        found = self._totals.get(key)
        if found is None:
            if len(self._totals) >= _REMEMBERED:
                self._totals.clear()
            rule = self.tallies[name]
            try:
                total = rule.total(facts)
            except (AttributeError, TypeError) as error:
                raise _misfit(rule, facts) from error
            found = self._totals[key] = Tally(rule, facts, total)
        return found

    def game(self, scenario: Scenario, solo: frozenset[str] = frozenset()) -> Any:
        """Return the game of a scenario (`zareba.game.Game`); the rules run the `solo` sides. Raises the errors of
        `blamed`.
        """
        with self.blamed(f"setting up {scenario.id}"):
            game = self.ruleset.game(self, self._changed(scenario), solo)
            self._check_that_all_are_there(game)
        return game

    def _check_that_all_are_there(self, game: Any) -> None:
        """Raise ZarebaError if a side has no units under these rules, because such a game cannot be played."""
        scoreboard = game.scoreboard(game.start())
        for side, entry in game.scenario.sides.items():
            if not scoreboard.size(side):
                own = {unit.name for unit in game.scenario.units.values() if unit.side == side}
                why = [note for note in game.untranslated if any(name in note for name in own)]
                raise ZarebaError(
                    f"{entry.name} has no units in {self.book.title}{': ' if why else ''}{'; '.join(why)}"
                )

    def _changed(self, scenario: Scenario) -> Scenario:
        """Return the scenario as changed by house rules; raise ZarebaError if a house rule or the ruleset does not
        support it.
        """
        scenario = with_overrides_of_heirs(scenario, self.ruleset.lineage)
        for rule, scenarios in self.only_for.items():
            if scenario.id not in scenarios:
                raise ZarebaError(f"the house rule '{rule}' is for {' and '.join(scenarios)}, not for {scenario.id}")
        for hook in self.game_hooks.get("zareba_scenario", ()):
            given = hook(scenario=scenario)
            if given is not None:
                if type(given) is not type(scenario):
                    raise hook.blame(TypeError(f"it returned {given!r}, which is not a scenario"))
                if hook(scenario=scenario) != given:
                    raise hook.blame(
                        ValueError(
                            "it returned two different scenarios; it must not depend on random numbers, time or stored values"
                        )
                    )
                scenario = hook.run(_sound, None, given)
        sides = self.book.sides
        if sides is not None and len(scenario.sides) != sides.count:
            raise ZarebaError(
                f"{scenario.id} has {len(scenario.sides)} sides; {self.book.title} is for {sides.count} ({sides.rule})"
            )
        return scenario

    @contextmanager
    def blamed(self, doing: str) -> Iterator[None]:
        """Add the installed package at fault, or the names of the house rules, to an unexpected error; an error that
        names a cause is not changed.
        """
        try:
            yield
        except Exception as error:
            named = isinstance(error, ZarebaError) and not isinstance(error, Impossible)
            package = "" if named else package_at_fault(error)
            if named or not (package or self.house_rules):
                raise
            fault = str(error) if isinstance(error, Impossible) else f"{type(error).__name__}: {error}"
            whose = " or in the ".join(filter(None, [package, self.suspects]))
            raise RuleBroken(f"{doing} failed: {fault}; the cause may lie in the {whose}") from error

    @property
    def suspects(self) -> str:
        """The house rules of the session with their files, named in errors of unknown cause; "" if there are none."""
        names = [f"'{name}'{f' ({self.files[name]})' if name in self.files else ''}" for name in self.house_rules]
        return f"house rule{'s' if len(names) > 1 else ''} {' or '.join(names)}" if names else ""

    def number(
        self,
        name: str,
        printed: Number | float,
        state: Any,
        unit: Any = None,
        target: Any = None,
        seen: list[Tally] | None = None,
        table: Any = None,
        of: str = "",
        band: str = "",
    ) -> Any:
        """Return a number of the book in the current context: the total of the tally `name` of `printed`, if any line
        changes it.

        The result is never below 0. In play, pass `seen` (the tallies of the table) to keep the breakdown for "why?".
        For a number that is read only once, pass `table`: it rolls the dice of a line and keeps the breakdown.
        """
        if not self.changes(name):
            return printed
        if table is not None:
            return max(0, table.tally(name, PrintedValue(printed, of, band), unit, target).total)
        tally = self.tally(name, PrintedValue(printed, of, band), state, unit, target)
        if seen is not None:
            seen.append(tally)
        return max(0, tally.total)

    def ranges(self, limits: _Ranges, state: Any, unit: Any, of: str) -> _Ranges:
        """Return the reach of a unit's weapon `of`, band by band: `limits` from the book, as changed by house rules."""
        if not self.changes("range"):
            return limits
        return tuple([(band, self.number("range", far, state, unit, of=of, band=band)) for band, far in limits])

    def show_range(self, table: Any, limits: _Ranges, unit: Any, of: str, band: str) -> None:
        """Keep for "why?" the reach of the range band of a unit's shot with `of`, if any line changes it."""
        if self.changes("range"):
            for name, far in limits:
                if name == band:
                    self.number("range", far, table.state, unit, seen=table.tallies, of=of, band=band)

    def changes(self, name: str) -> bool:
        """Return True if the tally `name` has any line; otherwise its numbers are those of the book."""
        return name in self.changed_numbers

    @cached_property
    def changed_numbers(self) -> frozenset[str]:
        """The tallies that have any line."""
        return frozenset([name for name, rule in self.tallies.items() if rule.modifiers])

    def thrown(self, table: Any, roll: Roll, throw: Callable[[Roll], Answer]) -> Answer:
        """Return the result of a roll after house rules have changed it."""
        return roll_with_hooks(self.roll_hooks, table, roll, throw)

    def narrowed(self, state: Any, question: Place) -> Place:
        """Return the question for a point with the refusals of house rules added."""
        return restrict_places(self.place_hooks, state, question)

    def confirmed(self, state: Any, question: Confirm) -> bool | None:
        """Return the yes or no that a house rule gives instead of a player, or None to ask the player."""
        return confirm_with_hooks(self.confirm_hooks, state, question)

    def filter_options(self, state: Any, question: Choose) -> Sequence[Option]:
        """Return the options of a choice after all house rules have changed them; those they added are `ExtraOption`
        values.
        """
        printed = frozenset(question.options)
        for hook in self.option_hooks:
            about = f"the options of '{question.why}'"
            options = hook.looks(state, about, partial(hook, state=state, question=question))
            if options is not None:
                if not isinstance(options, (list, tuple)) or not all(isinstance(o, (str, int, tuple)) for o in options):
                    raise hook.blame(
                        TypeError(f"it returned {options!r} for '{question.why}', which is not a list of options")
                    )
                if not options:
                    raise hook.blame(ValueError(f"it left no option for '{question.why}'"))
                question = question._replace(options=tuple([_own(one, hook, printed) for one in options]))
        return question.options


def _sound(scenario: Scenario) -> Scenario:
    """Validate a scenario that a house rule has changed and return it; raise ZarebaError with its faults."""
    for one in (scenario, *scenario.units.values(), *scenario.sides.values()):
        if strange := [name for name in vars(one) if name not in type(one).model_fields]:
            raise unknown_name(f"entry of a {type(one).__name__.lower()} called", strange[0], type(one).model_fields)
    read = type(scenario).model_validate(scenario.model_dump())
    faults = [f"{'.'.join(map(str, path))}: {what}" for path, what in faults_of(read) if not _held_back(read, path)]
    if faults:
        raise ZarebaError(f"the scenario that it returned has faults: {'; '.join(faults[:3])}")
    return read


def _held_back(scenario: Scenario, path: KeyPath) -> bool:
    """Return True if a path belongs to a unit that a rule brings on itself. Its position is not checked."""
    unit = str(path[1]) if path[:1] == ("units",) and len(path) > 1 else ""
    return unit in scenario.units and held_back(scenario, unit)


def _own(option: Any, hook: HookFunction, printed: Collection[Option]) -> Any:
    """Check an option that a house rule returned; attach the hook to an extra option, whose `then` must be an option of
    the rules.
    """
    if isinstance(option, ExtraOption) and option.hook is None:
        if option.then not in printed:
            shown = ", ".join(sorted(map(repr, printed))[:8])
            raise hook.blame(
                ValueError(f"'{option}' counts as {option.then!r}, which the rules do not offer here: {shown}")
            )
        option.hook = hook
    elif not isinstance(option, ExtraOption) and option not in printed:
        raise hook.blame(
            ValueError(
                f"it offers {option!r}, which the rules do not know; write ExtraOption({option!r}, do, then=...) for a new option"
            )
        )
    return option


def _misfit(rule: TallyRule, facts: Any) -> ZarebaError:
    """Return the error for a tally with a line that reads a missing fact; it names the first such line."""
    for line in rule.modifiers:
        try:
            if line.when is None or line.when(facts):
                line.apply(0, facts)
        except AttributeError as error:
            known = sorted(one.name for one in fields(facts))
            guess = nearest(str(error.name), known)
            hint = f"did you mean '{guess}'?" if guess else f"the facts are {', '.join(known)}"
            return RuleBroken(f"{line.source}: modifier '{line.id}' of {rule.name}: no fact '{error.name}'; {hint}")
        except TypeError as error:
            return RuleBroken(f"{line.source}: modifier '{line.id}' of {rule.name} does not fit its fact: {error}")
    return RuleBroken(f"{rule.source}: the tally {rule.name} has no base '{rule.base}' in {type(facts).__name__}")


def nest_wraps(
    hooks: Sequence[tuple[HookFunction, Mapping[str, Wrap]]], kinds: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Callable[..., Any]]:
    """Return procedure name -> one callable (procedure, table, ...) with all wraps nested, the last listed outermost.

    `kinds` are the return types of the procedures; a wrap that returns another type raises an error that names its
    house rule.
    """
    nested: dict[str, Callable[..., Any]] = {}
    for hook, wraps in hooks:
        if not isinstance(wraps, Mapping) or not all(callable(wrap) for wrap in wraps.values()):
            raise hook.blame(TypeError(f"it returned {wraps!r}, not a dict of procedure names and wraps"))
        for name, wrap in wraps.items():
            outer = partial(_call_guarded, hook, wrap, name, kinds.get(name, Any))
            inner = nested.get(name)
            nested[name] = outer if inner is None else partial(_call_nested, outer, inner)
    return nested


def _call_guarded(
    hook: HookFunction,
    wrap: Wrap,
    name: str,
    kind: Any,
    procedure: Callable[..., Any],
    table: Table,
    *args: Any,
    **kwargs: Any,
) -> Any:
    given = hook.run(wrap, table, procedure, table, *args, **kwargs)
    hook.check_written(table.state)
    if kind is not Any and not matches_type(given, kind):
        wanted = "nothing" if kind is None else kind.__name__ if isinstance(kind, type) else str(kind)
        raise hook.blame(TypeError(f"for '{name}' it returned {repr(given)[:60]}, but the procedure returns {wanted}"))
    return given


def _call_nested(
    outer: Callable[..., Any], inner: Callable[..., Any], procedure: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    return outer(partial(inner, procedure), *args, **kwargs)
