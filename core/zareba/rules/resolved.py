"""The rules of one session: a ruleset with its settings and house rules, resolved once.

Everything that a game asks often is made ready here: compiled tallies, wrapped procedures, tuples of hook functions.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, fields
from fractions import Fraction
from functools import partial
from types import MappingProxyType, SimpleNamespace
from typing import TYPE_CHECKING, Any, TypeVar, get_args

from zareba.errors import Impossible, RuleBroken, ZarebaError, nearest, unknown_name
from zareba.rules.face import RulesetFace
from zareba.rules.patch import Source
from zareba.rules.procedure import Wrap
from zareba.rules.returned import fits
from zareba.rules.schema import ModifierEntry, RulesetFile, TallyEntry
from zareba.tally import Modifier, Number, Operation, Tally, TallyRule, as_lines, compile_when, fact_or_number
from zareba.yamlfile import KeyPath

if TYPE_CHECKING:
    from zareba.scenario import Scenario
    from zareba.table import Choose, Option, Table

__all__ = ["HookFunction", "Rules"]

R = TypeVar("R")

_REMEMBERED = 200_000


@dataclass(frozen=True)
class HookFunction:
    """One implementation of a hook: whose it is, where it stands, and the arguments that it takes."""

    hook: str
    house_rule: str
    file: str
    function: Callable[..., Any]
    arguments: tuple[str, ...]

    def __call__(self, **available: Any) -> Any:
        """Call it with those of `available` that it takes; a failure names the house rule, the hook and the file."""
        given = {name: available[name] for name in self.arguments}
        return self.run(self.function, available.get("table"), **given)

    def run(self, function: Callable[..., Any], table: Table | None, /, *args: Any, **kwargs: Any) -> Any:
        """Call a function of this house rule; whatever it does wrong is blamed on it, a swallowed pause of `table` too."""
        try:
            result = function(*args, **kwargs)
        except (Exception, SystemExit) as error:
            raise self.blame(error) from error
        if table is not None and (question := table.unanswered()) is not None:
            raise RuleBroken(
                f"house rule '{self.house_rule}' swallowed the question '{question.why}' in {self.hook} ({self.file}); "
                "'except BaseException' must let zareba.table.Pause through"
            )
        return result

    def blame(self, error: BaseException) -> RuleBroken:
        """The error that names this house rule as the culprit."""
        if isinstance(error, RuleBroken) and not isinstance(error, Impossible):
            return error
        fault = str(error) if isinstance(error, ZarebaError) else f"{type(error).__name__}: {error}"
        return RuleBroken(
            f"house rule '{self.house_rule}' failed in {self.hook} ({self.file}): {fault}; "
            "play goes on without it when its --house-rule is left out"
        )


@dataclass
class Rules:
    """A ruleset as this session plays it. `book` is the ruleset's file model after all patches.

    `wraps` are by procedure, `step_wraps` by step; `step_hooks` says who wraps a step last. `policy_hook`: the house rule
    that brings its own activation policy, with what makes it.
    """

    ruleset: RulesetFace
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
    _totals: dict[tuple[str, Any], Tally] = field(default_factory=dict, repr=False)

    def tally(self, name: str, facts: Any) -> Tally:
        """The tally `name` for these facts; totals are remembered by facts."""
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
        """The game of a scenario (`zareba.game.Game`); the rules run the `solo` sides by themselves. Raises what `blamed` does."""
        with self.blamed(f"setting up {scenario.id}"):
            return self.ruleset.game(self, scenario, solo)

    @contextmanager
    def blamed(self, doing: str) -> Iterator[None]:
        """Name the house rules when something fails that they may have broken; what names a culprit stays as it is."""
        try:
            yield
        except Exception as error:
            named = isinstance(error, ZarebaError) and not isinstance(error, Impossible)
            if named or not self.house_rules:
                raise
            fault = str(error) if isinstance(error, Impossible) else f"{type(error).__name__}: {error}"
            raise RuleBroken(
                f"{doing} failed: {fault}; the cause may lie in the house rules of this game: {', '.join(self.house_rules)}"
            ) from error

    def filter_options(self, state: Any, question: Choose) -> Sequence[Option]:
        """The options of a choice after every house rule has had its say."""
        for hook in self.option_hooks:
            options = hook(state=state, question=question)
            if options is not None:
                if not isinstance(options, (list, tuple)) or not all(isinstance(o, (str, int, tuple)) for o in options):
                    raise hook.blame(
                        TypeError(f"it gave {options!r} for '{question.why}', which is no list of options")
                    )
                if not options:
                    raise hook.blame(ValueError(f"it left nothing to choose for '{question.why}'"))
                question = question._replace(options=tuple(options))
        return question.options


def compile_tallies(
    book: RulesetFile, settings: Mapping[str, Any], source: Callable[[KeyPath], str]
) -> dict[str, TallyRule]:
    """The tallies of a ruleset for these settings; lines whose setting does not hold are left out."""
    return {name: _compile_tally(name, entry, settings, source) for name, entry in book.tallies.items()}


def _compile_tally(
    name: str, entry: TallyEntry, settings: Mapping[str, Any], source: Callable[[KeyPath], str]
) -> TallyRule:
    lines = []
    idle: set[str] = set()
    for line_id, line in entry.modifiers.items():
        path = ("tallies", name, "modifiers", line_id)
        when = dict(line.when)
        in_force = True
        for condition in [key for key in when if key.startswith("setting.")]:
            wanted = when.pop(condition)
            setting = condition.removeprefix("setting.")
            if setting not in settings:
                raise ZarebaError(f"{source(path)}: {unknown_name('setting', setting, settings)}")
            in_force = in_force and compile_when({"it": wanted})(SimpleNamespace(it=settings[setting]))
        lines.append(_compile_line(line_id, line, when, source(path)))
        if not in_force:
            idle.add(line_id)
    try:
        ordered = tuple(line for line in as_lines(lines) if line.id not in idle)
    except ValueError as error:
        raise ZarebaError(f"{source(('tallies', name))}: {error}") from error
    return TallyRule(name, entry.rule, entry.unit, entry.base, entry.round, ordered, source(("tallies", name)))


def _compile_line(line_id: str, line: ModifierEntry, when: Mapping[str, Any], source: str) -> Modifier:
    ((verb, amount),) = line.operations.items()
    test = compile_when(when) if when else None
    return Modifier(line_id, line.rule, verb, fact_or_number(amount), test, line.summary, source, line.before)  # type: ignore[arg-type]  # the verbs above are the operations


def _misfit(rule: TallyRule, facts: Any) -> ZarebaError:
    """The error for a tally whose lines ask these facts for what they do not hold; names the first such line."""
    for line in rule.modifiers:
        try:
            if line.when is None or line.when(facts):
                line.apply(0, facts)
        except AttributeError as error:
            known = sorted(field.name for field in fields(facts))
            guess = nearest(str(error.name), known)
            hint = f"did you mean '{guess}'?" if guess else f"the facts are {', '.join(known)}"
            return RuleBroken(f"{line.source}: modifier '{line.id}' of {rule.name}: no fact '{error.name}'; {hint}")
        except TypeError as error:
            return RuleBroken(f"{line.source}: modifier '{line.id}' of {rule.name} does not fit its fact: {error}")
    return RuleBroken(f"{rule.source}: the tally {rule.name} has no base '{rule.base}' in {type(facts).__name__}")


def add_modifiers(
    tallies: dict[str, TallyRule], hook: HookFunction, added: Mapping[str, Sequence[Modifier]]
) -> dict[str, TallyRule]:
    """The tallies with a house rule's lines at their ends."""
    tallies = dict(tallies)
    if not isinstance(added, Mapping):
        raise hook.blame(TypeError(f"it gave {added!r}, not the names of tallies with their modifiers"))
    for name, modifiers in added.items():
        if name not in tallies:
            raise hook.blame(unknown_name("tally", name, tallies))
        rule = tallies[name]
        owned = tuple(_owned(modifier, hook) for modifier in modifiers)
        try:
            lines = as_lines((*rule.modifiers, *owned))
        except ValueError as error:
            raise hook.blame(error) from error
        tallies[name] = TallyRule(rule.name, rule.rule, rule.unit, rule.base, rule.round, lines, rule.source)
    return tallies


def _owned(modifier: Modifier, hook: HookFunction) -> Modifier:
    """A house rule's modifier, checked and guarded, with the house rule as its source."""
    if not isinstance(modifier, Modifier):
        raise hook.blame(TypeError(f"{modifier!r} is no Modifier"))
    if modifier.operation not in get_args(Operation):
        words = ", ".join(get_args(Operation))
        raise hook.blame(ValueError(f"modifier '{modifier.id}': '{modifier.operation}' is none of {words}"))

    def number(amount: Any) -> Number:
        if not isinstance(amount, (int, Fraction)) or isinstance(amount, bool):
            wrong = f"modifier '{modifier.id}': {amount!r} is neither a whole number nor a Fraction"
            raise hook.blame(TypeError(wrong))
        return amount

    def condition(holds: Any) -> bool:
        if not isinstance(holds, bool):
            raise hook.blame(TypeError(f"modifier '{modifier.id}': its condition gave {holds!r}, not True or False"))
        return holds

    amount, when = modifier.amount, modifier.when
    return Modifier(
        modifier.id,
        modifier.rule,
        modifier.operation,
        _asked(amount, hook, number) if callable(amount) else number(amount),
        _asked(when, hook, condition) if when is not None else None,
        modifier.summary,
        f"house rule {hook.house_rule} ({hook.file})",
        modifier.before,
    )


def _asked(function: Callable[[Any], Any], hook: HookFunction, read: Callable[[Any], R]) -> Callable[[Any], R]:
    """A house rule's function of the facts, which must leave them as they are: totals are remembered by facts."""

    def call(facts: Any) -> R:
        before = hash(facts)
        value = read(hook.run(function, None, facts))
        if hash(facts) != before:
            raise hook.blame(ValueError("it changed the facts that it was asked about"))
        if (again := read(hook.run(function, None, facts))) != value:
            raise hook.blame(
                ValueError(
                    f"asked twice about the same facts it gave {value} and {again}; "
                    "it must hang on the facts alone, and not on chance, time or what it remembers"
                )
            )
        return value

    return call


def nest_wraps(
    hooks: Sequence[tuple[HookFunction, Mapping[str, Wrap]]], kinds: Mapping[str, Any] = MappingProxyType({})
) -> dict[str, Callable[..., Any]]:
    """Procedure name -> one callable (procedure, table, ...) with all wraps nested, the last listed outermost.

    `kinds` are the types of what the procedures give; a wrap that gives another is blamed.
    """
    nested: dict[str, Callable[..., Any]] = {}
    for hook, wraps in hooks:
        if not isinstance(wraps, Mapping) or not all(callable(wrap) for wrap in wraps.values()):
            raise hook.blame(TypeError(f"it gave {wraps!r}, not the names of procedures with functions that wrap them"))
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
    if kind is not Any and not fits(given, kind):
        wanted = "nothing" if kind is None else kind.__name__ if isinstance(kind, type) else str(kind)
        raise hook.blame(TypeError(f"for '{name}' it gave {repr(given)[:60]}, where the procedure gives {wanted}"))
    return given


def _call_nested(
    outer: Callable[..., Any], inner: Callable[..., Any], procedure: Callable[..., Any], *args: Any, **kwargs: Any
) -> Any:
    return outer(partial(inner, procedure), *args, **kwargs)
