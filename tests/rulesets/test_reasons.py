"""The reasons of AI players name numbers of the rules, and follow them when a house rule changes them.

The last test changes every number of every ruleset. The others show how single reasons change.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import deepcopy
from fractions import Fraction
from pathlib import Path
from typing import Any, NamedTuple

import pytest
from tests.rulesets.meetings import MEETINGS
from tests.rulesets.paychest.stage import blue, red, scene
from tests.rulesets.probes import Changed, Unfit
from tests.rulesets.test_numbers import dotted, near, numbers
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.base.errors import ZarebaError
from zareba.chance import KeyedDice
from zareba.plugins.ruleset import Ruleset
from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules
from zareba.rules.settings import Setting
from zareba.scenario import Scenario, load_scenario
from zareba.table import Agent, Answer, Choose, Confirm, Place, SeededTable
from zareba_rulesets.paychest.evaluation import evaluate
from zareba_rulesets.paychest.forces.battle import Engine, Objective
from zareba_rulesets.paychest.forces.units import Thing

Reasons = Callable[[Rules], list[str]]


def changed(folder: Path, ruleset: str, change: str, **settings: Any) -> Rules:
    """Return the rules of a ruleset after one change, written as in a list of changes."""
    patch = folder / "ours.yaml"
    patch.write_text(
        f"house_rule: ours\ntitle: Ours\nruleset: {ruleset}\nchanges:\n  - {{{change}}}\n", encoding="utf-8"
    )
    return load_rules(ruleset, settings, house_rules=[find_house_rule(str(patch))])


def texts(evaluations: Any) -> list[str]:
    return [evaluation.reason() if callable(evaluation.reason) else evaluation.reason for evaluation in evaluations]


def asked(question: Callable[[Any], Choose | Confirm]) -> Reasons:
    """Return the reasons for the options of a question at the start of a shipped scenario."""

    def reasons(rules: Rules) -> list[str]:
        game = rules.game(load_scenario("patrol_clash"))
        state = game.start()
        return texts(game.advisor.evaluate(state, question(state)))

    return reasons


# --- Paychest ---------------------------------------------------------------------------------------------------------


def pay_load(rules: Rules) -> list[str]:
    things = {"chest": Thing("load", "chest", "", (20.0, 10.0))}
    battle = scene(red(4), things=things, rules=rules).battle
    return texts(evaluate(battle, Choose("handle", "PAY-073", "red", "red", (("pick up", "red.1", "chest"),), ())))


def pay_weapon(rules: Rules) -> list[str]:
    battle = scene(red(4), rules=rules).battle
    option = ("take", "red.1", "red.2", "rifle")
    return texts(evaluate(battle, Choose("handle", "PAY-023", "red", "red", (option,), ())))


def pay_drive(rules: Rules) -> list[str]:
    gun = Engine("gun", "gun", "red", "red", (22.0, 10.0), limbered=True)
    battle = scene(red(4), engines={"gun": gun}, rules=rules).battle
    battle.objectives = (Objective("hill", "hold", ("red",), 3, (50.0, 40.0), 6.0, due=12),)
    options = (("drive", "gun", "advance"), ("drive", "gun", "run"))
    return texts(evaluate(battle, Choose("move", "PAY-067", "red", "red", options, ())))


def pay_dismount(rules: Rules) -> list[str]:
    riders = red(4)
    for figure in riders.figures.values():
        figure.mount = "horse"
    house = {"house": ("building", [(18.0, 14.0), (28.0, 14.0), (28.0, 20.0), (18.0, 20.0)])}
    battle = scene(riders, areas=house, rules=rules).battle
    battle.objectives = (Objective("house", "hold", ("red",), 3, (22.0, 17.0), 2.0, due=12),)
    return texts(evaluate(battle, Choose("move", "PAY-067", "red", "red", (("mount", "down"),), ())))


def pay_leader(rules: Rules) -> list[str]:
    place = scene(red(6, leader="corporal"), blue(6, y=22.0, leader="leader"), rules=rules)
    aimed = Choose("fire at", "PAY-092", "red.1", "red", (place.unit("blue").leader,), ())
    fires = Choose("fire", "PAY-104", "red", "red", ("volley with leaders",), ())
    return [*texts(evaluate(place.battle, aimed)), *texts(evaluate(place.battle, fires))]


# --- VCC, Afriboria, Risk-Factor --------------------------------------------------------------------------------------


def vcc_commander(state: Any) -> Choose:
    unit = state.unit("fusiliers")
    state.move(unit, 3)
    return Choose("commander to", "VCC-056", unit.spec.side, unit.spec.side, (3,), ())


def vcc_support(state: Any) -> Choose:
    return Choose("support", "VCC-126", "fusiliers", state.unit("fusiliers").spec.side, ("nobody",), ())


def vcc_rocket(state: Any) -> Choose:
    return Choose("rocket at", "VCC-098", "fusiliers", state.unit("fusiliers").spec.side, (3,), ())


def afr_card(state: Any) -> Choose:
    return Choose("card to discard", "AFR-064", "", next(iter(state.sides)), ("red_2",), ())


def rsk_unit(state: Any, *, leader: bool) -> Any:
    return next(
        unit for unit in state.units.values() if bool(unit.spec.leader) is leader and not state.is_commander(unit)
    )


def rsk_question(why: str, option: str, *, leader: bool = False) -> Callable[[Any], Choose]:
    def question(state: Any) -> Choose:
        unit = rsk_unit(state, leader=leader)
        return Choose(why, "RSK-141", unit.spec.id, unit.spec.side, (option,), ())

    return question


def rsk_combine(state: Any) -> Confirm:
    unit = rsk_unit(state, leader=False)
    return Confirm("combine", "RSK-047", unit.spec.id, unit.spec.side, ())


@pytest.mark.parametrize(
    ("ruleset", "reasons", "before", "change", "after"),
    [
        ("paychest", pay_load, "50\u00a0% of his move", "at: halved_by_load.times, was: 0.5, to: 0.25", "25\u00a0% of his move"),
        ("paychest", pay_weapon, "reaches 36 inches", "at: weapons.rifle.long, was: 36, to: 40", "reaches 40 inches"),
        ("paychest", pay_drive, "2 dice a turn", "at: movers.gun_limbered.advance, was: 2, to: 1", "1 die a turn"),
        ("paychest", pay_drive, "3 dice a turn", "at: movers.gun_limbered.run, was: 3, to: 5", "5 dice a turn"),
        ("paychest", pay_dismount, "10.5 inches", "at: movers.foot.run, was: 3, to: 4", "14 inches"),
        # 22 of 52 cards, then 26 of 56; the roll fails on 15 of 36, then on 26 of 36
        ("paychest", pay_leader, "42\u00a0% of the hits", "at: casualty_cards.head_killed.copies, was: 4, to: 8", "46\u00a0% of the hits"),
        ("paychest", pay_leader, "18\u00a0% of the hits", "at: leader_loss.passes_at, was: 7, to: 9", "31\u00a0% of the hits"),
        ("vcc", asked(vcc_commander), "get +2 morale", "at: tallies.morale.modifiers.commander.add, was: 2, to: 3", "+3 morale"),
        ("vcc", asked(vcc_support), "50\u00a0% of its dice", "at: tallies.melee_dice.modifiers.supporting.times, was: 1/2, to: 1/4", "25\u00a0%"),
        ("vcc", asked(vcc_rocket), "33\u00a0% of rockets", "at: rocket.on_target, was: 5, to: 4", "50\u00a0% of rockets"),
        ("afriboria", asked(afr_card), "it gives 2 orders", "at: cards.red_2.orders.red, was: 2, to: 3", "it gives 3 orders"),
        ("risk_factor", asked(rsk_question("retreat", "cover")), "improves the Risk Factor by 1",
         "at: tallies.risk_factor.modifiers.cover_or_advancing.add, was: -1, to: -2", "improves the Risk Factor by 2"),
        ("risk_factor", asked(rsk_question("will load or fire", "one shot")), "a shot costs 1 command die",
         "at: tallies.command_dice.modifiers.busy.add, was: -1, to: -2", "a shot costs 2 command dice"),
        ("risk_factor", asked(rsk_question("order", "hold", leader=True)), "within 5 cm of a group",
         "at: lengths.with_group.cm, was: 5.0, to: 7.5", "within 7.5 cm of a group"),
    ],
)  # fmt: skip
def test_a_reason_follows_the_number_that_a_house_rule_changes(
    tmp_path: Path, ruleset: str, reasons: Reasons, before: str, change: str, after: str
) -> None:
    assert any(before in text for text in reasons(load_rules(ruleset))), reasons(load_rules(ruleset))
    told = reasons(changed(tmp_path, ruleset, change))
    assert any(after in text for text in told) and not any(before in text for text in told), told


def test_groups_that_combine_name_the_size_at_which_men_run(tmp_path: Path) -> None:
    fresh = {"groups.merge_strength": "fresh"}
    assert asked(rsk_combine)(load_rules("risk_factor", fresh))[1] == "3 men alone run (RSK-047)"
    rules = changed(tmp_path, "risk_factor", "at: counts.combine_at.count, was: 3, to: 2", **fresh)
    assert asked(rsk_combine)(rules)[1] == "2 men alone run (RSK-047)"


@pytest.mark.parametrize("name", ["vcc", "afriboria"])
def test_a_reason_holds_at_most_one_number(name: str) -> None:
    """A player reads reasons as sentences, not as sums. Rule ids and distances of house rules do not count."""
    game = load_rules(name).game(load_scenario("patrol_clash"))
    state = game.start()
    said: set[str] = set()

    def watched(seat: str) -> Agent:
        agent = make_agent("doctrine", game, seat, 1)

        def answer(question: Any, state: Any) -> Answer:
            found = agent(question, state)
            if isinstance(question, Choose):
                said.update(texts(game.advisor.evaluate(game.sight.view(state, seat), question)))
            return found

        return answer

    table = SeededTable(game.rules, state, 1, {seat: watched(seat) for seat in game.seats})
    while (step := game.play.next_step(state)) is not None and game.game_turn(state) < 5:
        table.begin(step)
        game.play.perform(table, state, step)
    assert len(said) > 10
    for reason in said:
        stated = re.findall(r"\d+", re.sub(r"\b[A-Z]{3}-\d+|\b[A-J]\d\b", "", reason))
        assert len(stated) <= 1, reason


# --- every number of every ruleset ------------------------------------------------------------------------------------

WORDS = {"two": 2, "three": 3, "four": 4, "twice": 2, "double": 2, "half": "1/2", "third": "1/3", "quarter": "1/4"}
RULE = re.compile(r"\b[A-Z]{3}-[0-9]{3}\b")
NUMBER = re.compile(rf"(?<![\w.-])(?:[0-9]+(?:\.[0-9]+)?%?|{'|'.join(WORDS)})(?!\w)")
MEASURED = re.compile(
    r"""for \d+ units?|\d+ m[ae]n under the marker|\d+" to an objective of \d+ points?|objective is \d+" away"""
    r"""|Skill (?:is )?\d+|\d+ brave deeds?|\d+ guns? would stay|\d+ enem(?:y|ies) on (?:its )?flank or rear"""
    r"""|about (?:\d+ (?:m[ae]n|bases?|units?)|half a unit)\b"""
)
"""Numbers that describe the battle, in reasons that also cite a rule."""
SAMPLES = 12
"""The number of questions of each kind that a battle contributes."""


class Position(NamedTuple):
    """A question in a battle, with the state as plain data."""

    battle: str
    state: dict[str, Any]
    question: Choose | Place | Confirm


class Reading(NamedTuple):
    """The reasons for the options of a question and, if it has any, the texts of the options."""

    reasons: list[str]
    texts: list[str]


def amounts(text: str) -> list[Fraction]:
    """Return the numbers in a text, in digits or words, without ids of rules and what is measured."""
    found = []
    for word in NUMBER.findall(RULE.sub("", MEASURED.sub("", text))):
        value = Fraction(str(WORDS.get(word, word.rstrip("%"))))
        found.append(value / 100 if word.endswith("%") else value)
    return found


def without_amounts(text: str) -> str:
    return NUMBER.sub("#", MEASURED.sub("#", text))


def battles(ruleset: str) -> dict[str, Scenario]:
    """Return two shipped scenarios and the small battles that use the default settings."""
    plain = {
        name: meeting.scenario()
        for name, meeting in MEETINGS[ruleset].items()
        if not meeting.settings and not meeting.house
    }
    return {name: load_scenario(name) for name in ("patrol_clash", "river_ford")} | dict(list(plain.items())[:6])


class ReasonSearch:
    """The reasons that occur in a few random games, and how they read after a change of the rules.

    Only numbers that are the same in all positions can come from the source; all others are measured in the battle.
    """

    def __init__(self, ruleset: str) -> None:
        self.ruleset, self.rules = ruleset, load_rules(ruleset)
        self.battles = battles(ruleset)
        self.positions: list[Position] = []
        self.known: dict[str, list[set[Fraction]]] = {}
        for name in self.battles:
            self._play(name)
        games: dict[str, Any] = {}
        self.before = [self._read(self.rules, position, games) for position in self.positions]
        self.flat = self._flat(self.rules)
        self.rule_of = {path: self._rules_of(path) for path in numbers(self.rules.data)}

    def _play(self, name: str) -> None:
        """Play three turns at random and keep the positions where a reason with a number first occurs."""
        try:
            game = self.rules.game(self.battles[name])
        except ZarebaError:
            return  # a side without units under these rules
        state, asked = game.start(), defaultdict[str, int](int)
        players = {seat: make_agent("random", game, seat, 1) for seat in game.seats}

        def answer(question: Choose | Place | Confirm, now: Any) -> Answer:
            asked[question.why] += 1
            if asked[question.why] <= SAMPLES:
                self._note(name, question, now, texts(game.advisor.evaluate(now, question)))
            return players[question.seat](question, now)

        table = SeededTable(self.rules, state, 1, dict.fromkeys(players, answer))
        table.dice = KeyedDice(1)
        while (step := game.play.next_step(state)) is not None and step.turn <= 3:
            table.begin(step)
            game.play.perform(table, state, step)

    def _note(self, name: str, question: Choose | Place | Confirm, now: Any, reasons: Sequence[str]) -> None:
        new = False
        for reason in reasons:
            values, key = amounts(reason), without_amounts(reason)
            new = new or bool((values or MEASURED.search(reason)) and key not in self.known)
            for known, value in zip(self.known.setdefault(key, [set() for _ in values]), values, strict=True):
                known.add(value)
        if new:
            self.positions.append(Position(name, now.to_data(), question))

    def _read(self, rules: Rules, position: Position, games: dict[str, Any]) -> Reading:
        name, state, question = position
        if name not in games:
            games[name] = rules.game(self.battles[name])
        game = games[name]
        now = game.from_data(deepcopy(state))
        options = question.options if isinstance(question, Choose) else ()
        said = [game.narrator.describe_option(now, question, option) for option in options]
        return Reading(texts(game.advisor.evaluate(now, question)), said)

    def _flat(self, rules: Rules) -> dict[str, str]:
        """Return the reasons that depend on the rules alone, by question and action."""
        book = rules.game(self.battles["patrol_clash"]).book
        assert isinstance(rules.ruleset, Ruleset)
        return {
            f"{table.question}: {verb}": texts([value])[0]
            for table in rules.ruleset.actions
            for verb, value in table.for_session(rules).fixed_values(book).items()
        }

    def _rules_of(self, path: Sequence[Any]) -> set[str]:
        above, found = self.rules.data, set()
        for key in path:
            if isinstance(above, dict) and isinstance(above.get("rule"), str):
                found.add(above["rule"])
            above = above[key]
        return found

    def _is_fixed(self, reason: str, value: Fraction) -> bool:
        """Return True if a reason states a value in all positions where it occurs."""
        return any(known == {value} for known in self.known.get(without_amounts(reason), ()))

    def by_value(self) -> Mapping[Fraction, list[Sequence[Any]]]:
        """Return the paths of the numbers, by value without its sign: -1 reads "costs 1"."""
        found = defaultdict[Fraction, list[Sequence[Any]]](list)
        for path in numbers(self.rules.data):
            value = _at(self.rules.data, path)
            if not isinstance(value, bool):
                found[abs(Fraction(str(value)))].append(path)
        return found

    def changes(self, paths: Sequence[Sequence[Any]]) -> Iterator[tuple[Sequence[Sequence[Any]], Rules]]:
        """Yield rules with other values at these paths: at all of them if the model admits it, otherwise in parts."""
        for which in range(3):
            data = deepcopy(self.rules.data)
            for path in paths:
                others = self._others(path)
                _at(data, path[:-1])[path[-1]] = others[min(which, len(others) - 1)]
            try:
                yield paths, Changed(self.ruleset, data).rules(0, {}, {})
                return
            except Unfit:
                continue
        if len(paths) > 1:
            yield from self.changes(paths[: len(paths) // 2])
            yield from self.changes(paths[len(paths) // 2 :])

    def _others(self, path: Sequence[Any]) -> Sequence[Any]:
        value = _at(self.rules.data, path)
        if path[0] != "settings":
            return near(value)
        setting = Setting.model_validate(_at(self.rules.data, path[:-1]))
        return [other for other in (*near(value), *setting.values) if other != value and setting.admits(other)] or [
            value
        ]

    def faults(self) -> Iterator[str]:
        """Yield the reasons that still state the old value of a number.

        All numbers with a value change together, or in parts if the model does not admit that. A reason that cites a
        rule must change in one of the parts. A reason that cites the rule of a changed number, or that stands beside a
        text with the number, must change with it.
        """
        places = defaultdict[Fraction, list[int]](list)
        for place, reading in enumerate(self.before):
            for value in {value for reason in reading.reasons for value in amounts(reason)}:
                if any(self._is_fixed(reason, value) for reason in reading.reasons):
                    places[value].append(place)
        for value, paths in self.by_value().items():
            flat = {verb: reason for verb, reason in self.flat.items() if value in amounts(reason)}
            if not flat and value not in places:
                continue
            unchanged: set[str] | None = None
            for changed, rules in self.changes(paths):
                cited = set().union(*[self.rule_of[tuple(path)] for path in changed])
                same, late = self._compare(value, rules, flat, places[value], cited)
                unchanged = same if unchanged is None else unchanged & same
                for reason in late:
                    yield f"{reason}: {', '.join(dotted(tuple(path)) for path in changed)} changed"
            for reason in filter(RULE.search, unchanged or ()):
                yield f"{reason}: no number that was {value} changes it"

    def _compare(
        self, value: Fraction, rules: Rules, flat: Mapping[str, str], places: Sequence[int], cited: set[str]
    ) -> tuple[set[str], set[str]]:
        """Return the reasons that state a value as before, and those of them that should not under these rules."""
        same, late, other = set[str](), set[str](), set[str]()
        after = self._flat(rules) if flat else {}
        for verb, reason in flat.items():
            (same if after[verb] == reason else other).add(reason)
        games: dict[str, Any] = {}
        for place in places:
            before = self.before[place]
            try:
                now = self._read(rules, self.positions[place], games)
            except (ZarebaError, ValueError, KeyError, IndexError, AssertionError):
                continue  # the position is impossible under the changed rules
            for number, (reason, read) in enumerate(zip(before.reasons, now.reasons, strict=False)):
                if value in amounts(reason) and self._is_fixed(reason, value):
                    (same if read == reason else other).add(reason)
                    if read == reason and before.texts and value in amounts(before.texts[number]):
                        late |= {reason} if value not in amounts(now.texts[number]) else set()
        same -= other
        return same, {reason for reason in same if reason in late or cited & set(RULE.findall(reason))}


def _at(data: Any, path: Sequence[Any]) -> Any:
    for key in path:
        data = data[key]
    return data


@pytest.mark.parametrize("ruleset", each_ruleset("afriboria", "vcc"))
def test_no_reason_states_the_old_value_of_a_changed_number(ruleset: str) -> None:
    search = ReasonSearch(ruleset)
    assert len(search.positions) >= 5
    faults = sorted(set(search.faults()))
    assert not faults, "\n".join(faults)
