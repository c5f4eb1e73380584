"""The odds shown before a choice have the very facts that are thrown for."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import leader, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.chance import SUM, AtLeast
from zareba.odds import odds
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.risk_factor.forecast import odds_before
from zareba_rulesets.risk_factor.melee import fight
from zareba_rulesets.risk_factor.odds.fight import MeleeFightFacts
from zareba_rulesets.risk_factor.shooting import to_hit, volley


class Listening(SeededTable):
    """A table that notes the needs of the D8s and the facts of melee scores."""

    __slots__ = ("needs", "scores")

    def __init__(self, *arguments: Any) -> None:
        super().__init__(*arguments)
        self.needs: Counter[int] = Counter()
        self.scores: list[Any] = []

    def roll(self, count: int, sides: int, read: Any = SUM, **more: Any) -> Any:
        if more["why"] == "shooting":
            assert isinstance(read, AtLeast)
            self.needs[read.target] += count
        return super().roll(count, sides, read, **more)

    def tally(self, name: str, facts: Any) -> Any:
        if name == "melee_score":
            self.scores.append(facts)
        return super().tally(name, facts)


def name_of(answer: Any) -> str:
    """The unit in an answer such as ("command", "rifles_1")."""
    return str(answer[1])


@pytest.mark.rule("RSK-086", "RSK-098", "RSK-128")
def test_what_is_offered_in_whole_games_is_what_is_thrown() -> None:
    of = game(units="""
      rifles: {name: Rifles, side: red, arm: infantry, kind: european_regular, figures: 30, weapon: breech_rifle, close_weapon: bayonet, traits: [formed, volley]},
      spears: {name: Spears, side: blue, arm: infantry, kind: tribal, figures: 60, weapon: throwing_spear, close_weapon: spear, formation: mass}
    """)  # fmt: skip
    random = Random(3)
    risks: dict[str, int] = {}
    shots: list[tuple[str, Any]] = []
    compared: Counter[str] = Counter()

    def agent(question: Choose | Place | Confirm, state: Any) -> Any:
        if not isinstance(question, Choose):
            return random.choice(question.suggestions) if isinstance(question, Place) else random.random() < 0.5
        sure = [option for option in question.options if option not in ("stop", "hold fire")]
        answer = random.choice(sure or question.options)
        for _, procedure, facts in of.odds_for(state, question, answer):
            if procedure == "action":
                risks[name_of(answer)] = of.rules.tally("risk_factor", facts).total
            if procedure == "volley":
                shots.append((question.actor, facts))
        return answer

    for seed in range(3):
        state = of.start()
        table = Listening(of.rules, state, seed, dict.fromkeys(of.seats, agent))
        while (step := of.next_step(state)) is not None:
            table.begin(step)
            shots.clear()
            table.needs.clear()
            of.perform(table, state, step)
            if step.name == "throw":
                for name, risk in risks.items():
                    assert state.risk[name] == risk
                    compared["action"] += 1
                risks.clear()
            if step.name == "shoot" and len(shots) == 1:
                _, facts = shots[0]
                needs = Counter(to_hit(state.book, facts.weapon, band, facts.cover) for band in facts.bands)
                assert needs == table.needs
                compared["volley"] += 1
    assert min(compared["action"], compared["volley"]) >= 8


@pytest.mark.rule("RSK-083", "RSK-104")
def test_a_volley_at_several_ranges_through_cover_matches_many_real_ones() -> None:
    """The mean of the exact odds against two thousand volleys fired by the rules of play."""
    shooters = [(80 + 16 * n, 80) for n in range(5)] + [(88 + 16 * n, 58) for n in range(4)]
    field = scene(
        troops("a", "red", (0, 0), at=shooters, weapon="rifle", loading="breech", volley=True, marks=["commanded"]),
        troops("b", "blue", (112, 160), 9, width=9, spacing=4.0, hurt=3),
    )
    question = Choose("shoot at", "RSK-086", "a", "red", ("hold fire", "b"), ())
    ((_, name, facts),) = odds_before(field.battle, question, "b")
    assert len(set(facts.bands)) == 2 and facts.wounded == 3
    rules = rules_with()
    expected = float(odds(rules, rules.ruleset.procedure(name), facts).mean(lambda o: o.killed))
    before = field.battle.copy()
    killed = 0
    for seed in range(2000):
        battle = before.copy()
        table = SeededTable(rules, battle, seed, {})
        volley(table, battle, battle.units["a"], battle.units["b"], "rifle")
        killed += battle.units["b"].dead
    assert killed / 2000 == pytest.approx(expected, abs=0.1)


@pytest.mark.rule("RSK-087", "RSK-107")
def test_the_edge_of_a_shot_at_one_man_in_a_whole_group() -> None:
    """A Player Character sees the odds for each man he may pick, and none for those behind their mates."""
    field = scene(
        leader("pc", "red", (100, 60), weapon="rifle", loading="breech", marks=["busy", "linked"]),
        troops("b", "blue", (100, 110), 6, width=3),
        commanders=["pc"],
    )
    question = Choose("pick a man", "RSK-087", "pc", "red", (0, 1, 2), ("b",))
    ((_, name, facts),) = odds_before(field.battle, question, 1)
    assert name == "single_shot" and (facts.band, facts.cover) == ("medium", "open")
    assert odds_before(field.battle, question, 4) == []


@pytest.mark.rule("RSK-163", "RSK-168", "RSK-170")
def test_a_charge_shows_the_scores_of_the_melee_that_it_leads_to() -> None:
    field = scene(
        troops("a", "red", (100, 100), 5, width=5, native=True, superior_melee=True, close="spear", marks=["free"]),
        troops("b", "blue", (100, 103), 5, width=5, weapon="rifle", bayonet=True, troop_class="raw"),
    )
    question = Choose("order", "RSK-066", "a", "red", ("hold", ("charge", "b")), ())
    ((_, name, facts),) = odds_before(field.battle, question, ("charge", "b"))
    assert name == "melee" and facts == MeleeFightFacts(5, 5, False, True, 3, False, True, False, 4)
    unit, enemy = field["a"], field["b"]
    enemy.body = unit.body.shifted(0, 2.55)
    unit.mark("charged", "charger")
    table = Listening(
        field.rules, field.battle, 1, {"red": lambda q, s: q.options[0], "blue": lambda q, s: q.options[0]}
    )
    fight(table, field.battle, ("a", "b"))
    assert {(s.raw, s.superior, s.better_weapon, s.crossing) for s in table.scores} == {
        (False, True, False, False),
        (True, False, True, False),
    }
