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

from zareba.base.errors import Impossible, RuleBroken, ZarebaError, nearest, unknown_name
from zareba.base.installed import package_at_fault
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
from zareba.scenario.overrides import with_inherited_overrides
from zareba.table.questions import ExtraOption

if TYPE_CHECKING:
    from zareba.scenario import Scenario
    from zareba.table import Answer, Choose, Confirm, Option, Place, Roll, Table


R = TypeVar("R")
_Ranges: TypeAlias = tuple[tuple[str, Any], ...]
"""The reach of each range band of a weapon, nearest first."""

_MOST_CACHED_TOTALS = 200_000


@facts
class PrintedValue:
    """A number as printed in the book."""

    printed: Any
    of: str = ""
    """The weapon or other thing that the number belongs to, if that matters."""
    band: str = ""
    """The range band, if that matters."""


def _turn_of(state: Any) -> int:
    """Return the turn of a state, or 0 if it has none."""
    turn: int = getattr(state, "turn", 0)
    return turn


@dataclass
class Rules:
    """A ruleset as this session plays it, with its settings and house rules."""

    ruleset: RulesetInfo
    book: RulesetFile
    """The model of `ruleset.yaml` after all changes by house rules."""
    data: dict[str, Any]
    """The same as plain data."""
    settings: dict[str, Any]
    """The value of each setting, by its full name."""
    sources: dict[KeyPath, Source]
    """The origin of each value that a house rule or an extending ruleset has changed."""
    house_rules: tuple[str, ...]
    """The names of the house rules, in the order in which they apply."""
    digest: str
    tallies: dict[str, TallyRule]
    """The modifier breakdowns by name."""
    wraps: dict[str, Callable[..., Any]] = field(default_factory=dict)
    """The nested wraps of each wrapped procedure."""
    step_wraps: dict[str, Callable[..., Any]] = field(default_factory=dict)
    """The nested wraps of each wrapped step."""
    step_hooks: dict[str, HookFunction] = field(default_factory=dict)
    """The last hook that wraps each wrapped step."""
    policy_hook: tuple[HookFunction, Callable[..., Any]] | None = None
    """The house rule that replaces the activation policy, with the function that makes the policy."""
    option_hooks: tuple[HookFunction, ...] = ()
    event_hooks: tuple[HookFunction, ...] = ()
    roll_hooks: tuple[HookFunction, ...] = ()
    place_hooks: tuple[HookFunction, ...] = ()
    confirm_hooks: tuple[HookFunction, ...] = ()
    game_hooks: dict[str, tuple[HookFunction, ...]] = field(default_factory=dict)
    """The hooks that the game calls, by name of the hook."""
    situated: dict[str, tuple[ContextualModifier, ...]] = field(default_factory=dict)
    """The contextual modifiers of each modifier breakdown."""
    state_variables: dict[str, StateVariable] = field(default_factory=dict)
    """The state variables of house rules by full name."""
    conditional_values: tuple[ConditionalValue, ...] = ()
    active: tuple[tuple[str, str], ...] = ()
    """The conditional values in force in this version of the rules: each path with its value as JSON."""
    versions: list[Any] = field(default_factory=list, repr=False)
    """The builder of versions with other conditional values, once it is needed. All versions share it."""
    words: dict[str, tuple[str, str]] = field(default_factory=dict)
    """The text of each event or question of house rules, with the house rule that gives it."""
    playing: Any = None
    """The game under these rules (`zareba.game.Game`), if there are house rules."""
    own_settings: dict[str, Setting] = field(default_factory=dict)
    """The settings of house rules by full name."""
    only_for: dict[str, tuple[str, ...]] = field(default_factory=dict)
    """The scenarios of each house rule that is limited to some."""
    turn_of: Callable[[Any], int] = _turn_of
    """Returns the turn of a state."""
    rule_descriptions: dict[str, str] = field(default_factory=dict)
    """The description of each rule id of a house rule."""
    files: dict[str, str] = field(default_factory=dict)
    """The file of each house rule in Python."""
    house_rule_titles: tuple[str, ...] = ()
    """The titles of the house rules, in the same order as their names."""
    house_actions: dict[str, tuple[tuple[HookFunction, Any], ...]] = field(default_factory=dict)
    """The actions that house rules add, by question."""
    action_tables: dict[str, Any] = field(default_factory=dict, init=False, repr=False)
    """The table of actions of each question that this session has asked."""
    _totals: dict[tuple[str, Any], Tally] = field(default_factory=dict, repr=False)
    """The cache of totals, by name of the breakdown and its facts."""

    @property
    def in_every_throw(self) -> bool:
        """True if house rules can affect any roll or number, so that no shortcut may skip one."""
        return bool(self.event_hooks or self.roll_hooks or self.situated)

    @property
    def runs_code(self) -> bool:
        """True if house rules run Python functions during play. Such functions might not give the same result twice."""
        in_questions = self.option_hooks or self.place_hooks or self.confirm_hooks or any(self.game_hooks.values())
        in_procedures = self.wraps or self.step_wraps or self.in_every_throw or self.conditional_values
        return bool(in_procedures or in_questions or self.house_actions)

    @property
    def switches(self) -> dict[str, Setting]:
        """All settings of the session: the ruleset's and those of house rules."""
        return {**self.book.settings, **self.own_settings}

    def rule_in_a_line(self, rule: str) -> str:
        """Return a rule in a line, or the description of the house rule with that id; "" for an unknown id."""
        entry = load_catalogue(*self.ruleset.folders).rules.get(rule)
        return self.rule_descriptions.get(rule, "") if entry is None else entry.in_short

    def tally(
        self, name: str, facts: Any, state: Any = None, unit: Any = None, target: Any = None, table: Any = None
    ) -> Tally:
        """Return the modifier breakdown `name` for these facts. Totals are cached by the facts and the results of
        contextual modifiers.

        `unit` is the unit that the number belongs to, `target` the unit it concerns. Without a `state` no contextual
        modifier applies. With a state but no `table`, dice count as their mean.
        """
        if self.situated and name in self.situated:
            turn = 0 if state is None else self.turn_of(state)
            context = ModifierContext(state, unit_named(state, unit), unit_named(state, target), turn)
            facts = ContextualModifiers(
                facts,
                tuple([(modifier.id, modifier.amount_in(facts, context, table)) for modifier in self.situated[name]]),
            )
        key = (name, facts)
        tally = self._totals.get(key)
        if tally is None:
            if len(self._totals) >= _MOST_CACHED_TOTALS:
                self._totals.clear()
            rule = self.tallies[name]
            try:
                total = rule.total(facts)
            except (AttributeError, TypeError) as error:
                raise _missing_fact_error(rule, facts) from error
            tally = self._totals[key] = Tally(rule, facts, total)
        return tally

    def game(self, scenario: Scenario, solo: frozenset[str] = frozenset()) -> Any:
        """Return the game of a scenario (`zareba.game.Game`); the rules run the `solo` sides. Raises the errors of
        `blamed`.
        """
        with self.blamed(f"setting up {scenario.id}"):
            game = self.ruleset.game(self, self._changed_scenario(scenario), solo)
            self._check_sides_have_units(game)
        return game

    def _check_sides_have_units(self, game: Any) -> None:
        """Raise ZarebaError if a side has no units under these rules, because such a game cannot be played."""
        scoreboard = game.scoreboard(game.start())
        for side, entry in game.scenario.sides.items():
            if not scoreboard.size(side):
                own = {unit.name for unit in game.scenario.units.values() if unit.side == side}
                why = [note for note in game.untranslated if any(name in note for name in own)]
                raise ZarebaError(
                    f"{entry.name} has no units in {self.book.title}{': ' if why else ''}{'; '.join(why)}"
                )

    def _changed_scenario(self, scenario: Scenario) -> Scenario:
        """Return the scenario as changed by house rules; raise ZarebaError if a house rule or the ruleset does not
        support it.
        """
        scenario = with_inherited_overrides(scenario, self.ruleset.lineage)
        for rule, scenarios in self.only_for.items():
            if scenario.id not in scenarios:
                raise ZarebaError(f"the house rule '{rule}' is for {' and '.join(scenarios)}, not for {scenario.id}")
        for hook in self.game_hooks.get("zareba_scenario", ()):
            changed = hook(scenario=scenario)
            if changed is not None:
                if type(changed) is not type(scenario):
                    raise hook.blame(TypeError(f"it returned {changed!r}, which is not a scenario"))
                if hook(scenario=scenario) != changed:
                    raise hook.blame(
                        ValueError(
                            "it returned two different scenarios; it must not depend on random numbers, time or stored values"
                        )
                    )
                scenario = hook.run(_validated, None, changed)
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
            names_a_cause = isinstance(error, ZarebaError) and not isinstance(error, Impossible)
            package = "" if names_a_cause else package_at_fault(error)
            if names_a_cause or not (package or self.house_rules):
                raise
            fault = str(error) if isinstance(error, Impossible) else f"{type(error).__name__}: {error}"
            suspects = " or in the ".join(filter(None, [package, self.suspects]))
            raise RuleBroken(f"{doing} failed: {fault}; the cause may lie in the {suspects}") from error

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
        """Return a number of the book in the current context: the total of the breakdown `name` of `printed`, if it has
        any modifier.

        The result is never below 0. In play, pass `seen` (the tallies of the table) to keep the breakdown for "why?".
        For a number that is read only once, pass `table`: it rolls the dice of a modifier and keeps the breakdown.
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
        """Keep for "why?" the reach of the range band of a unit's shot with `of`, if any modifier changes it."""
        if self.changes("range"):
            for name, far in limits:
                if name == band:
                    self.number("range", far, table.state, unit, seen=table.tallies, of=of, band=band)

    def changes(self, name: str) -> bool:
        """Return True if the breakdown `name` has any modifier; otherwise its numbers are those of the book."""
        return name in self.changed_numbers

    @cached_property
    def changed_numbers(self) -> frozenset[str]:
        """The names of the breakdowns that have any modifier."""
        return frozenset([name for name, rule in self.tallies.items() if rule.modifiers])

    def roll_with_hooks(self, table: Any, roll: Roll, throw: Callable[[Roll], Answer]) -> Answer:
        """Return the result of a roll after house rules have changed it."""
        return roll_with_hooks(self.roll_hooks, table, roll, throw)

    def place_with_hooks(self, state: Any, question: Place) -> Place:
        """Return the question for a point with the refusals of house rules added."""
        return restrict_places(self.place_hooks, state, question)

    def confirm_with_hooks(self, state: Any, question: Confirm) -> bool | None:
        """Return the yes or no that a house rule gives instead of a player, or None to ask the player."""
        return confirm_with_hooks(self.confirm_hooks, state, question)

    def filter_options(self, state: Any, question: Choose) -> Sequence[Option]:
        """Return the options of a choice after all house rules have changed them; those they added are `ExtraOption`
        values.
        """
        printed = frozenset(question.options)
        for hook in self.option_hooks:
            description = f"the options of '{question.why}'"
            options = hook.call_read_only(state, description, partial(hook, state=state, question=question))
            if options is not None:
                if not isinstance(options, (list, tuple)) or not all(isinstance(o, (str, int, tuple)) for o in options):
                    raise hook.blame(
                        TypeError(f"it returned {options!r} for '{question.why}', which is not a list of options")
                    )
                if not options:
                    raise hook.blame(ValueError(f"it left no option for '{question.why}'"))
                question = question._replace(
                    options=tuple([_checked_option(option, hook, printed) for option in options])
                )
        return question.options


def _validated(scenario: Scenario) -> Scenario:
    """Validate a scenario that a house rule has changed and return it; raise ZarebaError with its faults."""
    for entry in (scenario, *scenario.units.values(), *scenario.sides.values()):
        known = type(entry).model_fields
        if unknown := [name for name in vars(entry) if name not in known]:
            raise unknown_name(f"entry of a {type(entry).__name__.lower()} called", unknown[0], known)
    valid = type(scenario).model_validate(scenario.model_dump())
    faults = [f"{'.'.join(map(str, path))}: {fault}" for path, fault in faults_of(valid) if not _held_back(valid, path)]
    if faults:
        raise ZarebaError(f"the scenario that it returned has faults: {'; '.join(faults[:3])}")
    return valid


def _held_back(scenario: Scenario, path: KeyPath) -> bool:
    """Return True if a path belongs to a unit that a rule brings on itself. Its position is not checked."""
    unit = str(path[1]) if path[:1] == ("units",) and len(path) > 1 else ""
    return unit in scenario.units and held_back(scenario, unit)


def _checked_option(option: Any, hook: HookFunction, printed: Collection[Option]) -> Any:
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


def _missing_fact_error(rule: TallyRule, facts: Any) -> ZarebaError:
    """Return the error for a breakdown with a modifier that reads a missing fact; it names the first such modifier."""
    for modifier in rule.modifiers:
        place = f"{modifier.source}: modifier '{modifier.id}' of {rule.name}"
        try:
            if modifier.when is None or modifier.when(facts):
                modifier.apply(0, facts)
        except AttributeError as error:
            known = sorted(field.name for field in fields(facts))
            guess = nearest(str(error.name), known)
            hint = f"did you mean '{guess}'?" if guess else f"the facts are {', '.join(known)}"
            return RuleBroken(f"{place}: no fact '{error.name}'; {hint}")
        except TypeError as error:
            return RuleBroken(f"{place} does not fit its fact: {error}")
    return RuleBroken(f"{rule.source}: the tally {rule.name} has no base '{rule.base}' in {type(facts).__name__}")


def nest_wraps(
    hooks: Sequence[tuple[HookFunction, Mapping[str, Wrap]]], return_types: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Callable[..., Any]]:
    """Return procedure name -> one callable (procedure, table, ...) with all wraps nested, the last listed outermost.

    `return_types` are the return types of the procedures; a wrap that returns another type raises an error that names
    its house rule.
    """
    nested: dict[str, Callable[..., Any]] = {}
    for hook, wraps in hooks:
        if not isinstance(wraps, Mapping) or not all(callable(wrap) for wrap in wraps.values()):
            raise hook.blame(TypeError(f"it returned {wraps!r}, not a dict of procedure names and wraps"))
        for name, wrap in wraps.items():
            outer = partial(_call_guarded, hook, wrap, name, return_types.get(name, Any))
            inner = nested.get(name)
            nested[name] = outer if inner is None else partial(_call_nested, outer, inner)
    return nested


def _call_guarded(
    hook: HookFunction,
    wrap: Wrap,
    name: str,
    return_type: Any,
    procedure: Callable[..., Any],
    table: Table,
    *args: Any,
    **kwargs: Any,
) -> Any:
    result = hook.run(wrap, table, procedure, table, *args, **kwargs)
    hook.check_written(table.state)
    if return_type is not Any and not matches_type(result, return_type):
        wanted = (
            "nothing"
            if return_type is None
            else return_type.__name__
            if isinstance(return_type, type)
            else str(return_type)
        )
        raise hook.blame(TypeError(f"for '{name}' it returned {repr(result)[:60]}, but the procedure returns {wanted}"))
    return result


def _call_nested(
    outer: Callable[..., Any], inner: Callable[..., Any], procedure: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    return outer(partial(inner, procedure), *args, **kwargs)
