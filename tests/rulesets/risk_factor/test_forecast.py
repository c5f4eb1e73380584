"""The odds shown before a choice have the very facts that are thrown for."""

from __future__ import annotations

from collections import Counter
from random import Random
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, leader, line, met, row, rules_with, scene, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.chance import SUM, AtLeast
from zareba.odds import odds
from zareba.table import Choose, Confirm, Place, SeededTable
from zareba_rulesets.risk_factor.charge import charge_home
from zareba_rulesets.risk_factor.forecast import odds_before
from zareba_rulesets.risk_factor.melee import fight, find_fights
from zareba_rulesets.risk_factor.odds.melee import MeleeFightFacts
from zareba_rulesets.risk_factor.shooting import shoot, to_hit, volley


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


@pytest.mark.rule("RSK-035", "RSK-087", "RSK-104")
def test_the_volley_of_a_group_with_its_hero_and_with_men_who_throw_is_offered_and_matches_many_real_ones() -> None:
    """Six rifles, four spears thrown beside them, and a Hero with a pistol."""
    hero: dict[str, Any] = {"troop_class": "hero", "weapon": "pistol", "loading": "magazine"}
    field = scene(
        troops("a", "red", (0, 0), at=row(10, 80, step=5.0), armed=6, close="spear", volley=True, weapon="rifle",
               loading="breech", marks=["commanded"]),
        leader("hero", "red", (45, 82), marks=["linked", "busy"], **hero),
        troops("b", "blue", (0, 0), at=row(9, 91, step=5.0), hurt=2),
    )  # fmt: skip
    question = Choose("shoot at", "RSK-086", "a", "red", ("hold fire", "b"), ())
    _, name, facts = odds_before(field.battle, question, "b")[0]
    arms = Counter((weapon, troop_class) for weapon, troop_class, _ in facts.mixed)
    assert arms == {("rifle", "veteran"): 6, ("spear", "veteran"): 1, ("pistol", "hero"): 1}
    rules = rules_with()
    expected = float(odds(rules, rules.ruleset.procedure(name), facts).mean(lambda o: o.killed))
    before = field.battle.copy()
    killed = 0
    for seed in range(1500):
        battle = before.copy()
        table = SeededTable(rules, battle, seed, {})
        volley(table, battle, battle.units["a"], battle.units["b"], "rifle")
        killed += battle.units["b"].dead
    assert killed / 1500 == pytest.approx(expected, abs=0.1)


@pytest.mark.rule("RSK-061", "RSK-063")
@pytest.mark.setting("command.loyalty_via")
@pytest.mark.parametrize(("via", "loyal"), [("link", True), ("officer", False)])
def test_the_points_of_a_link_are_offered_for_men_judged_as_they_will_be(via: str, loyal: bool) -> None:
    field = scene(
        leader("officer", "red", (50, 50)),
        leader("headman", "red", (50, 60), "headman", people="native"),
        troops("a", "red", (50, 66), 4, people="native"),
        commanders=["officer"],
        command_loyalty_via=via,
    )
    question = Choose("command", "RSK-037", "officer", "red", ("stop", ("link", "headman")), (9,))
    ((_, name, facts),) = odds_before(field.battle, question, ("link", "headman"))
    assert name == "command_points" and (facts.figures, facts.loyal) == (4, loyal)


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


@pytest.mark.rule("RSK-087")
def test_the_only_man_a_player_character_can_hit_is_shown_before_he_is_taken() -> None:
    """With one possible victim nobody is asked which, so the odds stand at the target; with two they wait."""

    def offered(*foes: tuple[float, float]) -> list[Any]:
        field = scene(
            leader("pc", "red", (100, 60), weapon="rifle", loading="breech", marks=["busy", "linked"]),
            troops("b", "blue", (0, 0), at=foes, hurt=1),
            commanders=["pc"],
        )
        return odds_before(field.battle, Choose("shoot at", "RSK-086", "pc", "red", ("hold fire", "b"), ()), "b")

    ((_, name, facts),) = offered((100, 100))
    assert (name, facts.weapon, facts.band, facts.wounded) == ("single_shot", "rifle", "medium", True)
    assert offered((100, 100), (110, 100)) == []


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


@pytest.mark.rule("RSK-162", "RSK-164", "RSK-182")
@pytest.mark.parametrize(("gap", "offered"), [(10, [(3, 7)]), (24.9, [(2, 6)]), (26, [])])
def test_a_charge_is_offered_for_those_who_will_come_to_fight(gap: float, offered: list[tuple[int, int]]) -> None:
    """Of three men, one of them behind, as many as get there; of a long row of enemies those near enough to step up."""
    foes = row(14, 52.5 + gap, x=34)
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (53, 50), (51.5, 46)], native=False, close="spear", marks=["free"]),
        troops("b", "blue", (0, 0), at=foes, close="sword"),
    )
    question = Choose("order", "RSK-066", "a", "red", ("hold", ("charge", "b")), ())
    before = field["a"].body
    found = odds_before(field.battle, question, ("charge", "b"))
    assert [(facts.attackers, facts.defenders) for _, _, facts in found] == offered
    assert field["a"].body is before and not field["a"].marks & {"charged", "moved"}, "it is only thought through"
    table = Listening(field.rules, field.battle, 1, {"red": lambda q, s: q.options[0], "blue": lambda q, s: True})
    charge_home(table, field.battle, field["a"], field["b"], 0)
    for names in find_fights(field.battle):
        fight(table, field.battle, names)
    assert len(table.scores) == sum(map(sum, offered))


@pytest.mark.rule("RSK-111", "RSK-163", "RSK-175", "RSK-176")
@pytest.mark.parametrize("status", ["steady", "routing"])
def test_the_charge_of_men_some_of_whom_are_wounded_is_offered_and_matches_many_real_ones(status: str) -> None:
    field = met(reds=4, blues=4, red_hurt=1, blue_hurt=2, blue_status=status, solo=["red", "blue"])
    question = Choose("order", "RSK-066", "a", "red", ("hold", ("charge", "b")), ())
    ((_, name, facts),) = odds_before(field.battle, question, ("charge", "b"))
    assert (facts.attackers_wounded, facts.defenders_wounded) == (1, 2)
    rules = rules_with()
    exact = odds(rules, rules.ruleset.procedure(name), facts)
    expected = [float(exact.mean(lambda o: o.attackers_killed)), float(exact.mean(lambda o: o.defenders_killed))]
    killed = [0, 0]
    for seed in range(1500):
        battle = field.battle.copy()
        fight(SeededTable(rules, battle, seed, {}), battle, ("a", "b"))
        killed = [killed[0] + battle.units["a"].dead, killed[1] + battle.units["b"].dead]
    assert [number / 1500 for number in killed] == pytest.approx(expected, abs=0.07)


def chargers(*foes: Any, **settings: Any) -> Scene:
    """Eight swordsmen before a row of enemies of several kinds."""
    red = troops("a", "red", (0, 0), at=row(8, 50), close="sword", marks=["free"])
    return scene(red, *foes, solo=["blue"], **settings)


@pytest.mark.rule("RSK-163", "RSK-164", "RSK-170", "RSK-176", "RSK-182")
@pytest.mark.parametrize(
    "foes",
    [
        [("b", 5, {"close": "none"}), ("c", 3, {"weapon": "rifle", "bayonet": True})],
        [("b", 3, {"close": "none", "troop_class": "raw"}), ("c", 2, {"close": "lance", "superior_melee": True})],
        [("b", 5, {"close": "sword", "status": "routing"}), ("c", 3, {"close": "lance"})],
        [("b", 7, {"close": "spear"}), ("chief", 1, {"close": "lance", "leader": "chief", "troop_class": "hero"})],
    ],
    ids=["armed beside unarmed", "fewer of both", "routers beside steady men", "a hero among his men"],
)
def test_a_charge_at_enemies_of_several_kinds_promises_what_many_such_charges_bring(foes: list[Any]) -> None:
    """Weak men with strong neighbours, who come to fight beside them, are not as weak as most of them."""
    x, units = 50.0, []
    for name, count, traits in foes:
        units.append(troops(name, "blue", (0, 0), at=row(count, 62.5, x), **traits))
        x += 2.75 * count
    field = chargers(*units)
    question = Choose("order", "RSK-066", "a", "red", ("hold", ("charge", "b")), ())
    ((_, name, facts),) = odds_before(field.battle, question, ("charge", "b"))
    rules, ends, games = rules_with(), Counter[str](), 1200
    exact = odds(rules, rules.ruleset.procedure(name), facts)

    def answer(question: Any, state: Any) -> Any:
        return False if isinstance(question, Confirm) else question.options[0]

    for seed in range(games):
        battle = field.battle.copy()
        table = SeededTable(rules, battle, seed, {"red": answer})
        charge_home(table, battle, battle.units["a"], battle.units["b"], 0)
        for names in find_fights(battle):
            fight(table, battle, names)
        (told,) = (event.data["back"] for event in table.events if event.kind == "melee")
        ends["both" if len(told) == 2 else "attackers" if told == ["red"] else "defenders"] += 1
    for back in ("attackers", "defenders", "both"):
        promised = float(sum(p for o, p in exact.outcomes.items() if o.back == back))
        assert ends[back] / games == pytest.approx(promised, abs=0.05), (back, ends)


@pytest.mark.rule("RSK-163", "RSK-168")
@pytest.mark.parametrize(("end", "over"), [(80.0, 8), (60.0, 4), (40.0, 0)])
def test_a_charge_at_men_some_of_whom_stand_behind_a_wall_counts_those_who_fight_over_it(end: float, over: int) -> None:
    foes = troops("b", "blue", (0, 0), at=row(8, 62.5), close="sword")
    field = chargers(foes, terrain=[line("wall", "hedge", (40, 60.5), (end, 60.5))])
    question = Choose("order", "RSK-066", "a", "red", ("hold", ("charge", "b")), ())
    ((_, _, facts),) = odds_before(field.battle, question, ("charge", "b"))
    assert (facts.attackers, facts.defenders) == (8, 8)
    pairs = [pair for pair, _ in facts.mixed]
    assert (sum(crossing for *_, crossing, _ in pairs) if pairs else 8 * facts.attackers_crossing) == over
    assert bool(facts.mixed) is (0 < over < 8)


@pytest.mark.rule("RSK-137", "RSK-162", "RSK-163", "RSK-164")
@pytest.mark.parametrize(("told", "gap", "men"), [("ordered", 20, 7), ("bound", 20, 7), ("", 20, 4), ("ordered", 27.5, 7), ("ordered", 30, 4)])  # fmt: skip
def test_a_charge_counts_the_friends_who_are_to_charge_the_same_enemy(told: str, gap: float, men: int) -> None:
    """Three natives behind or beside are in it when an average throw of their D6 brings them there."""
    friends = troops("pals", "red", (0, 0), at=row(3, 62.5 - 2.5 - gap, 61.5), close="sword", native=True)
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), close="sword", marks=["free"]),
        friends,
        troops("b", "blue", (0, 0), at=row(8, 62.5), close="sword"),
        solo=["blue"],
    )
    if told == "ordered":
        friends.target, friends.marks = "b", friends.marks | {"free"}
    if told == "bound":
        field.battle.charging = ["pals"]
    question = Choose("order", "RSK-066", "a", "red", ("hold", ("charge", "b")), ())
    ((_, _, facts),) = odds_before(field.battle, question, ("charge", "b"))
    assert (facts.attackers, facts.defenders) == (men, 8 if men > 4 else 6)
    assert field["a"].target == "" and field["pals"].target == ("b" if told == "ordered" else "")


@pytest.mark.rule("RSK-179", "RSK-181")
def test_before_winners_follow_up_they_see_the_odds_of_the_next_round() -> None:
    field = met(reds=3, blues=3, red_hurt=1, blue_close="lance")
    field["b"].body = field["b"].body.shifted(0, 5)
    question = Confirm("follow up", "RSK-179", "a", "red", ())
    ((_, name, facts),) = odds_before(field.battle, question, True)
    assert (name, facts) == (
        "melee",
        MeleeFightFacts(3, 3, attackers_wounded=1, attackers_factor=3, defenders_factor=4),
    )
    assert odds_before(field.battle, question, False) == []
    field["b"].body = field["b"].body.shifted(0, 1)
    assert odds_before(field.battle, question, True) == []


@pytest.mark.rule("RSK-086")
@pytest.mark.setting("shooting.split_fire")
def test_the_odds_of_the_second_half_are_those_of_the_men_who_have_not_fired() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(5, 50), weapon="rifle", loading="magazine", volley=True, marks=["commanded"]),
        troops("b", "blue", (0, 0), at=row(5, 90)),
        troops("c", "blue", (0, 0), at=row(5, 110, 90)),
        shooting_split_fire=True,
    )
    offered: list[int] = []

    def agent(question: Any, state: Any) -> Any:
        if isinstance(question, Confirm):
            return True
        target = question.options[1]
        ((_, _, facts),) = odds_before(state, question, target)
        offered.append(facts.shooters)
        return target

    table = SeededTable(field.rules, field.battle, 1, {"red": agent})
    shoot(table, field.battle, field["a"])
    assert offered == [5, 2]
    assert [event.data["shots"] for event in table.events if event.kind == "shooting"] == [3, 2]
