"""Probes that detect differences between two versions of a ruleset.

A probe exercises the rules and yields a trail of results: odds of procedures, generated forces, set-ups of scenarios,
and games between random or doctrine players. A probe of changed rules stops at the first result that differs. Most
changes are detected early.
"""

from __future__ import annotations

import json
import signal
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import cache, cached_property, partial
from itertools import combinations, product
from random import Random
from types import FrameType
from typing import Any

from pydantic import TypeAdapter, ValidationError
from tests.rulesets.meetings import FORCES, MEETINGS, SITUATIONS, Meeting
from tests.rulesets.random_games import random_settings
from tests.rulesets.random_scenarios import random_scenario

from zareba.agents import make_agent
from zareba.base.errors import ZarebaError
from zareba.chance import SUM, KeyedDice, Meaning, Read
from zareba.odds import Procedure, odds
from zareba.plugins.ruleset import MakeForce
from zareba.registry import load_rules, rules_from_record
from zareba.rules import Rules
from zareba.rules.settings import flat_settings
from zareba.scenario import Scenario, load_scenario, shipped_scenarios
from zareba.table import Agent, Answer, Choose, Confirm, LazyOptions, Place, SeededTable

__all__ = ["Changed", "Probe", "Unfit", "probes"]

Trail = Iterator[str]
Data = dict[str, Any]

FACTS = 12
"""Number of random situations of each procedure, in addition to its defaults."""
PARTS = range(2, 9)
"""Numbers of parts with which each force is requested."""
PAIRS = 20
"""Pairs of changed words are tried only if a procedure has at most this many."""
PATHS, SAMPLES = 2_000, 60
BATTLES = {"afriboria": 160, "vcc": 160}
"""Number of random battles for the fast rulesets."""
FEWER = 64
"""Number of random battles for the others."""
OCCASIONS = 8
"""Number of random draws of the settings; every other probe uses the defaults."""
SECONDS = 30
"""CPU seconds before a probe counts as hanging. CPU time is used so that a busy machine causes no failure."""
SLOW = {"battle_of_the_wells": 2, "hill_fort": 4}
"""Number of turns played of slow shipped scenarios."""


@dataclass
class Probe:
    """One check of the rules. `look` yields its results; `occasion` selects the settings (0: default).

    `settings` replace settings of the occasion. `house` holds changes to the ruleset's file.
    """

    name: str
    occasion: int
    look: Callable[[Rules], Trail]
    settings: Data = field(default_factory=dict)
    house: Data = field(default_factory=dict)
    against: Changed = field(kw_only=True)

    @cached_property
    def kept(self) -> list[str]:
        """The results under the reference rules `against`, computed on first use."""
        return list(self._trail(self.against))

    def sees(self, changed: Changed) -> bool:
        """Return True if these rules give different results. Passes on TimeoutError and all errors but ZarebaError.

        Raises Unfit if its house rule is incompatible with these rules.
        """
        self.kept  # noqa: B018  # not part of the time limit
        with _in_time(self.name):
            at = 0
            for at, shown in enumerate(self._trail(changed), start=1):
                if at > len(self.kept) or shown != self.kept[at - 1]:
                    return True
            return at < len(self.kept)

    def _trail(self, changed: Changed) -> Trail:
        rules = changed.rules(self.occasion, self.settings, self.house)
        try:
            yield from self.look(rules)
        except ZarebaError as error:
            yield str(error)


class Unfit(Exception):
    """A change of the rules and a house rule are incompatible."""


class Changed:
    """A ruleset's file with a change in it, under the settings of several occasions."""

    def __init__(self, ruleset: str, data: Data) -> None:
        self.ruleset = ruleset
        self.data = data
        self._rules: dict[str, Rules] = {}

    def rules(self, occasion: int, others: Data, house: Data) -> Rules:
        """Return the rules of an occasion with other settings and a house rule. Raises Unfit if that is impossible."""
        settings = {**_settings(self.ruleset, occasion), **others}
        asked = json.dumps([settings, house], sort_keys=True)
        if asked not in self._rules:
            try:
                self._rules[asked] = rules_from_record(self.ruleset, _merged(self.data, house), settings, [], ())
            except (ValidationError, ZarebaError) as error:
                raise Unfit(str(error)) from error
        return self._rules[asked]


def _merged(data: Data, house: Data) -> Data:
    """Return nested entries with some of them replaced."""
    return data | {
        key: _merged(data[key], value) if isinstance(value, dict) and isinstance(data.get(key), dict) else value
        for key, value in house.items()
    }


@contextmanager
def _in_time(name: str) -> Iterator[None]:
    def late(_: int, __: FrameType | None) -> None:
        raise TimeoutError(f"{name} took more than {SECONDS} s of a core")

    before = signal.signal(signal.SIGPROF, late)
    signal.setitimer(signal.ITIMER_PROF, SECONDS)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)
        signal.signal(signal.SIGPROF, before)


def probes(ruleset: str) -> list[Probe]:
    """Return all probes of a ruleset, compared with its current rules; the quick ones first."""
    rules = load_rules(ruleset)
    made = partial(Probe, against=Changed(ruleset, rules.data))
    return [*_of_odds(rules, made), *_of_forces(rules, made), *_of_battles(rules, made)]


@cache
def _settings(ruleset: str, occasion: int) -> Data:
    """Return the settings of an occasion: about half differ from their defaults, and every value occurs somewhere."""
    if not occasion:
        return {}
    found = random_settings(ruleset, Random(occasion))
    for number, (name, setting) in enumerate(flat_settings(load_rules(ruleset).book.settings)):
        others = [value for value in setting.values if value != setting.default]
        if others and (occasion + number) % 2:
            found[name] = others[(occasion + number) // 2 % len(others)]
    return found


def _occasion(number: int) -> int:
    """Return the occasion of a probe: every other one uses the default settings."""
    return number // 2 % OCCASIONS + 1 if number % 2 else 0


def _of_odds(rules: Rules, made: Callable[..., Probe]) -> Iterator[Probe]:
    """Yield probes of the odds of each procedure, for random facts that it admits."""
    for name, procedure in rules.ruleset.procedures.items():
        for number in range(FACTS + 1):
            random = Random(f"{name}/{number}")
            given = _drawn(procedure, random, likely=number == 0)
            if given is not None:
                yield made(f"odds {name} {number}", _occasion(number), _odds_of(procedure, given))
        for said, given in _by_word(procedure):
            look = _odds_of(procedure, given)
            yield from (made(f"odds {name} {said}", occasion, look) for occasion in range(OCCASIONS + 1))
    for name, facts, settings in SITUATIONS.get(rules.ruleset.id, ()):
        procedure = rules.ruleset.procedure(name)
        look = _odds_of(procedure, TypeAdapter(procedure.facts).validate_python(facts))
        yield made(f"odds {name} {facts} under {settings}", 0, look, settings)


def _by_word(procedure: Procedure) -> Iterator[tuple[Data, Any]]:
    """Yield likely facts with each possible word changed, one at a time and, if few enough, two at a time."""
    likely = _drawn(procedure, Random(procedure.name), likely=True)
    if likely is None:
        return
    kind = TypeAdapter(procedure.facts)
    plain = kind.dump_python(likely)
    words = {
        fact: [word for word in schema.get("enum", (True, False)) if word != plain[fact]]
        for fact, schema in kind.json_schema()["properties"].items()
        if "enum" in schema or schema.get("type") == "boolean"
    }
    single: list[Data] = [{fact: word} for fact, known in words.items() for word in known]
    pairs = [one | other for one, other in combinations(single, 2) if one.keys() != other.keys()]
    for said in single + pairs * (len(pairs) <= PAIRS):
        try:
            yield said, kind.validate_python({**plain, **said})
        except ValueError:
            continue


def _odds_of(procedure: Procedure, given: Any) -> Callable[[Rules], Trail]:
    def look(rules: Rules) -> Trail:
        found = odds(rules, procedure, given, budget=PATHS, samples=SAMPLES)
        yield repr(sorted((repr(outcome), p) for outcome, p in found.outcomes.items()))
        yield repr([tally.total for tally in procedure.explain(rules, given).tallies])

    return look


def _drawn(procedure: Procedure, random: Random, *, likely: bool) -> Any:
    """Return random facts; with `likely`, only the required ones. None if no valid combination was found."""
    kind = TypeAdapter(procedure.facts)
    schema = kind.json_schema()
    needed = schema.get("required", ())
    for _ in range(20):
        share = 0.0 if likely else random.choice((0.15, 0.4, 0.8))
        chosen = [name for name in schema["properties"] if name in needed or random.random() < share]
        try:
            return kind.validate_python({name: _value(schema["properties"][name], random) for name in chosen})
        except ValueError:
            continue
    return None


def _value(schema: Mapping[str, Any], random: Random) -> Any:
    """Return a random value of a fact. Small numbers are more frequent than large ones."""
    if "anyOf" in schema:
        return _value(random.choice(schema["anyOf"]), random)
    if "enum" in schema or "const" in schema:
        return random.choice(schema.get("enum") or [schema["const"]])
    kind = schema.get("type")
    if kind == "boolean":
        return random.random() < 0.5
    if kind in ("integer", "number"):
        low = schema.get("minimum", schema.get("exclusiveMinimum", -9))
        high = schema.get("maximum", schema.get("exclusiveMaximum", 20))
        most = min(high, low + random.choice((3, 12, 48)))
        return random.randint(int(low), int(most)) if kind == "integer" else round(random.uniform(low, most), 1)
    if kind == "array" and "prefixItems" in schema:
        return tuple(_value(item, random) for item in schema["prefixItems"])
    if kind == "array" and schema["items"].get("type") != "string":
        count = random.randint(schema.get("minItems", 0), min(schema.get("maxItems", 3), 3))
        return tuple(_value(schema["items"], random) for _ in range(count))
    if kind == "array" and "enum" in schema["items"]:
        known = schema["items"]["enum"]
        return tuple(random.sample(known, min(len(known), random.randint(0, 2))))
    return schema.get("default")


def _of_forces(rules: Rules, made: Callable[..., Probe]) -> Iterator[Probe]:
    """Yield probes of the forces that a ruleset generates for a new scenario, by every name in its file."""
    make = rules.ruleset.force
    if make is None:
        return
    names = {name for section in rules.data.values() if isinstance(section, dict) for name in section}
    for asked in sorted(names):
        yield made(f"force {asked}", 0, _force(make, asked))
        try:
            make(rules, asked, "one", commands=True)
        except ZarebaError:
            continue
        for parts in PARTS:
            yield made(f"force {asked} of {parts}", 0, _force(make, f"{asked}:{parts}"))
    for asked in FORCES.get(rules.ruleset.id, ()):
        yield made(f"force {asked}", 0, _force(make, asked))


def _force(make: MakeForce, asked: str) -> Callable[[Rules], Trail]:
    def look(rules: Rules) -> Trail:
        yield repr(make(rules, asked, "one", commands=True))
        yield repr(make(rules, asked, "one", commands=False))

    return look


def _of_battles(rules: Rules, made: Callable[..., Probe]) -> Iterator[Probe]:
    """Yield probes of set-ups and games: meetings, random scenarios under random settings, and shipped scenarios."""
    meetings = MEETINGS.get(rules.ruleset.id, {}).items()
    for name, meeting in meetings:
        yield from _of_meeting(made, name, meeting, 0)
    for seed in range(BATTLES.get(rules.ruleset.id, FEWER)):
        given = _battle(seed, 3 if seed % 10 == 9 else 2)
        solo = frozenset({"one"}) if rules.ruleset.solo and seed % 4 == 1 else frozenset[str]()
        look = _game(given, ("random", "doctrine")[seed % 2], seed, solo=solo)
        yield made(f"game random_{seed}", _occasion(seed // 2), look)
    for seed, (name, meeting) in product(range(1, OCCASIONS + 1), meetings):
        yield from _of_meeting(made, name, meeting, seed)
    for number, name in enumerate(shipped_scenarios()):
        given = load_scenario(name)
        yield made(f"doctrine {name}", 0, _game(given, "doctrine", 1, turns=SLOW.get(name)))
        yield made(f"random {name}", number % OCCASIONS + 1, _game(given, "random", 1, turns=SLOW.get(name)))


def _of_meeting(made: Callable[..., Probe], name: str, meeting: Meeting, seed: int) -> Iterator[Probe]:
    for kind in ("random", "doctrine"):
        look = _game(meeting.scenario(), kind, seed, solo=frozenset(meeting.solo))
        occasion = 0 if meeting.plain else seed
        yield made(f"{kind} meeting {name} {seed}", occasion, look, meeting.settings, meeting.house)


@cache
def _battle(seed: int, sides: int) -> Scenario:
    return random_scenario(seed, sides)


class _NotingTable(SeededTable):
    """A table that records all questions, answers and modifier breakdown totals."""

    __slots__ = ("noted",)

    def __init__(self, rules: Rules, state: Any, seed: int, agents: Mapping[str, Agent]) -> None:
        super().__init__(rules, state, seed, agents)
        self.dice = KeyedDice(seed)
        self.noted: list[Any] = []

    def roll(
        self,
        count: int,
        sides: int,
        read: Read[Any] = SUM,
        *,
        why: str,
        rule: str,
        actor: str = "",
        means: Meaning | None = None,
    ) -> Any:
        answer = super().roll(count, sides, read, why=why, rule=rule, actor=actor)
        self.noted.append((why, count, sides, answer))
        return answer

    def draw(
        self,
        pile: Mapping[str, int],
        *,
        why: str,
        rule: str,
        actor: str = "",
        seat: str | None = None,
        means: Meaning | None = None,
    ) -> str:
        self.noted.append((why, sorted(pile.items())))
        return super().draw(pile, why=why, rule=rule, actor=actor, seat=seat)

    def tally(self, name: str, facts: Any, unit: Any = None, target: Any = None) -> Any:
        found = super().tally(name, facts, unit, target)
        self.noted.append((name, found.total))
        return found


def _game(
    given: Scenario, kind: str, seed: int, *, turns: int | None = None, solo: frozenset[str] = frozenset()
) -> Callable[[Rules], Trail]:
    """Yield the set-up as shown to people, then the game step by step: questions, answers, dice and events."""

    def look(rules: Rules) -> Trail:
        game = rules.game(given, solo)
        state = game.start()
        yield json.dumps(state.to_data())
        yield repr((game.display.board(state), game.display.roster(state), game.untranslated))
        yield repr((game.strength(state), game.play.outcome(state)))
        players = {seat: make_agent(kind, game, seat, seed) for seat in game.seats if seat not in solo}

        def noted(question: Choose | Place | Confirm, now: Any) -> Answer:
            answer = players[question.seat](question, now)
            table.noted.append((question.why, _offered(question), answer))
            return answer

        table = _NotingTable(rules, state, seed, dict.fromkeys(players, noted))
        while (step := game.play.next_step(state)) is not None and step.turn <= (turns or step.turn):
            table.noted.clear()
            table.begin(step)
            game.play.perform(table, state, step)
            yield repr((step.key, table.noted, [(event.kind, sorted(event.data.items())) for event in table.events]))
        yield json.dumps(state.to_data())
        yield repr((game.strength(state), game.play.outcome(state)))

    return look


def _offered(question: Choose | Place | Confirm) -> Sequence[Any]:
    """Return the options, unless they are lazy and would have to be computed."""
    offered = question.options if isinstance(question, Choose) else ()
    return () if isinstance(offered, LazyOptions) else tuple(offered)
