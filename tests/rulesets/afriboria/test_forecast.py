"""Odds shown before a choice are those of the very roll that follows, in whole games under all sorts of settings."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random
from typing import Any

import pytest
from tests.rulesets.afriboria.test_random_games import circus
from tests.rulesets.random_games import random_settings

from zareba.agents import make_agent
from zareba.odds import Situation, odds
from zareba.registry import load_rules
from zareba.scenario import Scenario, load_scenario
from zareba.table import Choose, Roll, SeededTable, Table
from zareba_rulesets.afriboria import air_battle, combat, ladders, siege, walls
from zareba_rulesets.afriboria.forecast import facts_of, odds_before
from zareba_rulesets.afriboria.game import AfrGame
from zareba_rulesets.afriboria.odds.air import AntiAirOdds
from zareba_rulesets.afriboria.odds.facts import BattleFacts
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of
from zareba_rulesets.afriboria.pieces import Commander, CommanderSpec, Flier, FlierSpec

ROLLS: dict[tuple[Any, str], tuple[str, Any]] = {
    (combat, "attack"): ("battle", lambda _, exchange: exchange.facts),
    (walls, "attack"): ("fire_from_wall", lambda _, exchange: exchange.facts),
    (air_battle, "attack"): ("attack_from_air", lambda _, exchange: exchange.facts),
    (combat, "attack_commander"): ("attack_on_commander", lambda _, exchange: exchange.facts),
    (siege, "batter"): ("bombardment", lambda _, dice, kind, *names: (dice, kind)),
    (air_battle, "hits_on_flier"): ("anti_aircraft", lambda _, dice, kind, *names: (dice, kind)),
    (air_battle, "hits_on_parked"): ("attack_on_parked", lambda _, dice, hits, close, *names: (dice, hits, close)),
    (ladders, "repulse"): ("ladder", lambda _, unit: unit.figures),
}
"""Where play rolls: the procedure that is offered for it, and what the roll goes by."""


SHIELD = 2


class NoHits(Table):
    """All dice show shields; who is asked answers as the odds suppose."""

    situation: Situation

    def answer(self, question: Any) -> Any:
        if isinstance(question, Roll):
            return question.read.of([SHIELD] * question.dice)
        return self.situation.answer(question, self.state)


class Watch:
    """Plays a game; every roll that belongs to an offered option is held against the one on the small table of the offer."""

    def __init__(self, scenario: Scenario, settings: dict[str, Any], kinds: str, seed: int, patch: Any) -> None:
        self.game = AfrGame(load_rules("afriboria", settings), scenario)
        self.state = self.game.start()
        self.offers: list[tuple[str, str, Any]] = []
        self.keeps = False
        self.fallen, self.number = 0, 0
        self.exact = kinds == "doctrine"
        self.seen: Counter[str] = Counter()
        self.trial: list[Any] | None = None
        agents = {seat: make_agent(kinds, self.game, seat, seed) for seat in self.game.seats}
        seats = {seat: self._answering(agents[seat], seat) for seat in self.game.seats}
        self.table = SeededTable(self.game.rules, self.state, seed, seats)
        for (module, name), (procedure, seen) in ROLLS.items():
            patch.setattr(module, name, self._checked(getattr(module, name), procedure, seen))

    def _answering(self, agent: Any, seat: str) -> Any:
        def answer(question: Any, battle: Any) -> Any:
            choice = agent(question, battle)
            assert isinstance(question, Choose)
            view = self.game.view(battle, seat)
            offered = [self.game.odds_for(view, question, option) for option in question.options]
            offers = offered[question.options.index(choice)]
            if offers:
                self.offers, self.keeps, self.fallen, self.number = list(offers), False, 0, 0
            if question.why == "officer's die":
                self.keeps = choice == "keep the die"
            return choice

        return answer

    def _checked(self, function: Any, procedure: str, seen: Any) -> Any:
        def call(table: Any, *args: Any) -> Any:
            if self.trial is not None:
                self.trial.append(seen(*args))
                return function(table, *args)
            real = seen(*args)
            if procedure == "fire_from_wall":
                self._section(real)
            else:
                assert real in [self._rolled(procedure, facts)[0] for facts in self._facts(procedure, real)]
            result = function(table, *args)
            if procedure == "fire_from_wall":
                self.fallen += args[1].kills
                self.number += 1
            return result

        return call

    def _facts(self, procedure: str, real: Any) -> list[Any]:
        """What was offered; whether the target stands, and the officer keeps his die, is said after the offer."""
        found = [facts for _, name, facts in self.offers if name == procedure]
        assert found, f"{procedure} is rolled, but {self.offers} was offered"
        self.seen[procedure] += 1
        if hasattr(real, "stands"):
            found = [replace(facts, voluntary=not real.stands) for facts in found]
        return [replace(facts, officer=False) for facts in found] if self.keeps else found

    def _rolled(self, procedure: str, facts: Any) -> list[Any]:
        """What the rolls of the attack on the small table go by."""
        make = self.game.rules.ruleset.procedure(procedure).situation
        assert make is not None
        situation = make(self.game.rules, facts)
        table = NoHits(self.game.rules, situation.start())
        table.situation = situation
        rolled: list[Any] = []
        self.trial = rolled
        gave = situation.first
        for act in situation.acts:
            gave = act(table, table.state, gave)
        self.trial = None
        return rolled

    def _section(self, real: Any) -> None:
        """The first section, and with sense each: the men that the others have killed are missing."""
        facts = self._facts("fire_from_wall", real)
        dealt_otherwise = real.attackers != facts[0].sections[0] or real.close != (facts[0].ranges[0] == 1)
        if self.keeps or (not self.exact and (self.number or dealt_otherwise)):
            return
        left = {} if self.number == 0 else {"cap": 0}
        left |= {} if self.exact else {"dice": 0}
        now = replace(real, figures=real.figures + self.fallen, strength=real.strength + self.fallen, **left)
        assert now in [replace(self._rolled("fire_from_wall", one)[self.number], **left) for one in facts]

    def play(self) -> Counter[str]:
        while (step := self.game.next_step(self.state)) is not None:
            self.table.begin(step)
            self.game.perform(self.table, self.state, step)
        return self.seen


@pytest.mark.rule("AFR-170", "AFR-182", "AFR-208", "AFR-229", "AFR-322")
def test_what_is_offered_is_what_is_rolled(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: Counter[str] = Counter()
    for number in range(4):
        for kinds in ("random", "doctrine"):
            settings = random_settings("afriboria", Random(f"odds/{number}/{kinds}")) if number else {}
            with monkeypatch.context() as patch:
                seen += Watch(circus(), settings, kinds, number, patch).play()
    for name in ("hill_fort", "river_ford", "mission_station"):
        with monkeypatch.context() as patch:
            seen += Watch(load_scenario(name), random_settings("afriboria", Random(name)), "doctrine", 1, patch).play()
    wanted = {"battle", "fire_from_wall", "attack_from_air", "attack_on_commander", "bombardment", "ladder"}
    assert set(seen) >= wanted, seen


@pytest.mark.rule("AFR-276", "AFR-290")
def test_odds_against_what_flies(book: Any, at: Any) -> None:
    rules = book()
    gun = unit_of(rules, "gun", "red", "mg_foot", at(4, 4))
    ship = Flier(at(4, 6), True, 4, spec=FlierSpec("ship", "Ship", "blue", "airship"))
    plane = Flier(at(4, 5), True, 1, spec=FlierSpec("plane", "Plane", "red", "aircraft"))
    battle = bare_battle(rules, [gun], fliers=[ship, plane])
    for actor, away in (("gun", 2), ("plane", 1)):
        question = Choose("battle against", "AFR-170", actor, "red", (("flier", "ship"), "hold fire"), ())
        assert odds_before(battle, question, ("flier", "ship")) == [
            ("against Ship", "anti_aircraft", AntiAirOdds("airship", away, 4))
        ]
        assert odds_before(battle, question, "hold fire") == []


def test_every_offer_has_odds() -> None:
    """Each different offer of a siege with aircraft can be worked out, exactly."""
    game = AfrGame(load_rules("afriboria"), circus())
    state = game.start()
    worked: dict[str, set[Any]] = {}

    def look(agent: Any) -> Any:
        def answer(question: Any, battle: Any) -> Any:
            for option in question.options:
                for _, name, facts in game.odds_for(battle, question, option):
                    known = worked.setdefault(name, set())
                    if facts not in known and len(known) < 12:
                        known.add(facts)
                        found = odds(game.rules, game.rules.ruleset.procedure(name), facts)
                        assert found.method == "exact" and sum(found.outcomes.values()) == 1
            return agent(question, battle)

        return answer

    agents = {seat: look(make_agent("doctrine", game, seat, 3)) for seat in game.seats}
    table = SeededTable(game.rules, state, 3, agents)
    while (step := game.next_step(state)) is not None:
        table.begin(step)
        game.perform(table, state, step)
    assert {"battle", "attack_from_air"} <= set(worked)


@pytest.mark.rule("AFR-248", "AFR-238")
@pytest.mark.parametrize(
    ("edge", "column", "row", "rows"), [("north", 4, 8, 2), ("north", 4, 10, 0), ("east", 6, 4, 4), ("west", 0, 5, 0)]
)
def test_the_hexes_behind_a_target_are_counted(book: Any, at: Any, edge: Any, column: int, row: int, rows: int) -> None:
    """To an edge at the side by half hexes, as many as its owner can make of the way."""
    other: Any = {"north": "south", "east": "west", "west": "east"}[edge]
    us, foe = unit_of(book(), "us", "red", "inf_a", at(4, 2)), unit_of(book(), "foe", "blue", "inf_c", at(column, row))
    battle = bare_battle(book(), [us, foe], homes={"red": other, "blue": edge})
    facts = facts_of(BattleFacts, battle, us, at(column, row - 1), foe, at(column, row))
    assert (facts.rows_behind, facts.at_edge) == (rows, rows == 0)
    here, steps = at(column, row), 0
    while here not in battle.field.last["blue"]:
        here, steps = min(battle.field.back["blue"][here], key=lambda cell: abs(cell % 9 - here % 9)), steps + 1
    assert steps == rows


@pytest.mark.rule("AFR-247", "AFR-244", "AFR-096")
def test_where_the_way_back_is_barred_is_seen(book: Any, at: Any) -> None:
    """Enemies close all ways after one hex, two friends after two; a friend alone leaves room, but not for a commander."""
    for row, side, each, units_go, chief_goes in (
        (6, "red", 1, 1, 1), (7, "blue", 2, 2, 20), (7, "blue", 1, 20, 20),
    ):  # fmt: skip
        us, foe = unit_of(book(), "us", "red", "inf_a", at(4, 3)), unit_of(book(), "foe", "blue", "inf_c", at(4, 4))
        others = [
            unit_of(book(), f"o{column}{n}", side, "inf_b", at(column, row)) for column in range(9) for n in range(each)
        ]
        boss = Commander(at(5, 4), spec=CommanderSpec("boss", "Boss", "blue", True))
        battle = bare_battle(book(), [us, foe, *others], [boss])
        facts = facts_of(BattleFacts, battle, us, at(4, 3), foe, at(4, 4))
        assert (facts.barred_behind, facts.rows_behind, facts.blocked) == (units_go, 6, False)
        question = Choose("battle against", "AFR-170", "us", "red", (("commander", "boss"),), ())
        ((_, name, lone),) = odds_before(battle, question, ("commander", "boss"))
        assert (name, lone.barred_behind) == ("attack_on_commander", chief_goes)
