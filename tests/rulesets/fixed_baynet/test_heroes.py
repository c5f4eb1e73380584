"""Leaders, heroes and medics: hit locations and wounds (chapter 13)."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import (
    OUT,
    ask,
    battle,
    duel,
    facing_off,
    man,
    need,
    run,
    scripted,
    squad,
    wounded,
)
from tests.rulesets.fixed_baynet.scenarios import PLACED, game, troops

from zareba.space.ground.terrain_window import OPEN_WINDOW
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation
from zareba_rulesets.fixed_baynet.chapters.artillery import blast_facts, gun_facts
from zareba_rulesets.fixed_baynet.chapters.crews import crew_of
from zareba_rulesets.fixed_baynet.chapters.fire import shot_facts
from zareba_rulesets.fixed_baynet.chapters.hits import remove_man, resolve_hit
from zareba_rulesets.fixed_baynet.chapters.morale import heal, heal_location, patients, rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.movement import may_get_up
from zareba_rulesets.fixed_baynet.chapters.sight import chest_sign
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_figure, bare_unit


@pytest.mark.rule(
    "FBN-123",
    "FBN-125",
    "FBN-127",
    "FBN-128",
    "FBN-129",
    "FBN-130",
    "FBN-131",
    "FBN-132",
    "FBN-133",
    "FBN-134",
    "FBN-135",
    "FBN-140",
)
def test_each_location_of_a_wounded_hero() -> None:
    names = {
        1: "arm_light",
        2: "leg_light",
        3: "groin",
        4: "chest_light",
        5: "chest_light",
        6: "head_light",
        7: "arm_heavy",
        8: "leg_heavy",
    }
    for score, name in names.items():
        _, unit, hero = wounded(score)
        assert hero is not None and hero.locations == {name}
        assert unit.events == ("banner",)
        assert hero.prone is (name in ("groin", "leg_heavy"))
        assert ("stunned" in hero.marks) is (name == "head_light")
    for score in (9, 10, 11, 12):
        state, unit, hero = wounded(score)
        assert hero is None and not state.fallen[0].curable
        assert unit.events == ("banner", "half")


def roles(settings: dict[str, Any] | None = None, **unit: Any) -> list[Counter[str]]:
    squads = game({"foot": troops(position=[20, 8], **unit)}, settings, leaders=unit.pop("leaders", {})).plan.squads
    return [Counter(m.role for m in squad.men) for key, squad in squads.items() if key.startswith("foot")]


@pytest.mark.rule("FBN-123", "FBN-188", "FBN-196", "FBN-197", "FBN-198", "FBN-199", "FBN-200")
def test_squads_and_their_leaders() -> None:
    assert roles(figures=10) == [Counter(soldier=9, nco=1)]
    assert roles(figures=12, arm="cavalry") == [Counter(soldier=11, nco=1)]
    assert roles(figures=20, kind="tribal") == [Counter(soldier=19, hero=1)]
    assert roles(figures=30) == [Counter(soldier=14, nco=1)] * 2
    officer = {"chief": {"name": "Chief", "side": "army", "rank": "officer", "unit": "foot"}}
    squads = game({"foot": troops(figures=20)}, leaders=officer).plan.squads
    assert Counter(m.role for m in squads["foot"].men) == Counter(soldier=18, officer=1, nco=1)
    alone = {"chief": {"name": "Chief", "side": "army", "rank": "chief", "hero": True, "position": [5, 5]}}
    lone = game(PLACED, leaders=alone).plan.squads["chief"]
    assert (lone.spec.kind, [m.role for m in lone.men]) == ("independent", ["hero"])


@pytest.mark.rule("FBN-123", "FBN-159", "FBN-196")
def test_an_officer_who_is_a_hero_is_still_an_officer() -> None:
    for kind, rank, role in (
        ("european_regular", "officer", "officer"),
        ("european_regular", "nco", "nco"),
        ("tribal", "nco", "hero"),
        ("tribal", "chief", "hero"),
    ):
        leader = {"name": "Boyle", "side": "army", "rank": rank, "hero": True}
        units = {"foot": troops(kind=kind, position=[30, 10])}
        men = game(units, leaders={"boyle": {**leader, "unit": "foot"}}).plan.squads["foot"].men
        assert men[0].role == role and sum(man.role == "nco" for man in men) == (kind == "european_regular")
        (alone,) = game(units, leaders={"boyle": {**leader, "position": [20, 5]}}).plan.squads["boyle"].men
        assert alone.role == role


@pytest.mark.rule("FBN-124", "FBN-201")
@pytest.mark.setting("flak_armour_ds")
def test_a_leader_among_the_gunners_is_one_of_them_and_has_their_shield() -> None:
    major = {"name": "Major", "side": "army", "rank": "officer", "unit": "guns"}
    units = {"guns": troops(arm="artillery", figures=4, weapon="none", gun={"kind": "field"}), "foot": troops()}
    squads = game(units, leaders={"major": major}).plan.squads
    men = squads["guns"].men
    assert [(man.role, man.ds, man.crew) for man in men] == [("officer", 4, True), *[("crew", 4, True)] * 3]
    assert not any(man.crew for man in squads["foot"].men)
    red = squad("red", "red", 1, (50, 40))
    for crew in (True, False):
        blue = squad("blue", "blue", 1, (50, 50), role="officer", crew=crew)
        state = battle(red, blue)
        firer, man = red.figures["red/1"], blue.figures["blue/1"]
        gun, man_at_piece = (
            Gun("light_gun", 60.0, 40.0, 0.0, 0.0, 2),
            bare_figure("guns/1", "red", 60.0, 38.5, role="crew"),
        )
        facts = (
            shot_facts(state, firer, blue, man, OPEN_WINDOW, "medium"),
            blast_facts(state, blue, man),
            gun_facts(state, bare_unit("guns", "red", [man_at_piece], guns=[gun]), gun, blue, man),
        )
        assert [fact.crew for fact in facts] == [crew] * 3


@pytest.mark.rule("FBN-125", "FBN-126", "FBN-217")
def test_a_leader_under_a_burst_is_down_by_his_location_alone() -> None:
    hit, critical = F(8, 12), F(1, 12)  # DS 4
    down = critical + hit * OUT
    assert ask("burst", ds=4, leader=True).probability(lambda o: o.down == 1) == down
    assert ask("burst", ds=4, leader=True, rolls=2).probability(lambda o: o.down == 0) == (1 - down) ** 2
    assert ask("burst", {"blast_hits": "auto"}, ds=4, leader=True).probability(lambda o: o.down == 1) == OUT
    assert ask("burst", ds=4).probability(lambda o: o.down == 1) == hit + critical


@pytest.mark.rule("FBN-127")
@pytest.mark.setting("arm_light_bars")
def test_a_light_arm_wound_bars_guns() -> None:
    for setting, served in (("crew_served", 0), ("heavy_class", 1)):
        gun = Gun("light_gun", 10, 11.5, 0, 0, 2)
        unit = bare_unit("battery", "red", [man("battery/1", "red", 10, 10, role="officer")], guns=[gun])
        unit.figures["battery/1"].locations = frozenset({"arm_light"})
        state = battle(unit, arm_light_bars=setting)
        assert len(crew_of(state, unit, gun)) == served
        gun.kind = "heavy_gun"
        assert crew_of(state, unit, gun) == []


@pytest.mark.rule("FBN-130")
def test_a_chest_wound_makes_a_man_worse_at_both_ends() -> None:
    state, red, blue = duel()
    red.figures["red/1"].locations = blue.figures["blue/1"].locations = frozenset({"chest_light"})
    facts = shot_facts(state, red.figures["red/1"], blue, blue.figures["blue/1"], OPEN_WINDOW, "medium")
    assert (facts.cs, facts.chest) == (-1, True)
    assert need(chest=True) == 4
    assert need({"sign_reading": "literal"}, chest=True) == 6


@pytest.mark.rule("FBN-131", "FBN-269")
def test_stunned_man_recovers_after_his_next_activation() -> None:
    state, unit, hero = wounded(6)
    assert hero is not None and hero.steady and not hero.able
    with scripted(state) as table:
        begin_activation(table, state, unit)
        assert "stunned" in hero.marks
        end_activation(table, state, unit)
    assert hero.able
    state, unit, hero = wounded(2)
    assert hero is not None
    with scripted(state, ("hit location", [6])) as table:
        begin_activation(table, state, unit)
        resolve_hit(table, state, unit, hero, False, 1, "fire")
        end_activation(table, state, unit)
    assert not hero.able


@pytest.mark.rule("FBN-133")
def test_a_heavy_leg_wound_keeps_a_man_down() -> None:
    state, red, _ = facing_off(20)
    figure = red.figures["red/1"]
    figure.locations = frozenset({"leg_heavy"})
    figure.mark("prone")
    state.turn = 5
    assert not may_get_up(state, red, figure)
    rise_to_attack(figure)
    assert figure.prone


@pytest.mark.rule("FBN-136")
def test_the_same_wound_twice_does_no_more() -> None:
    state, unit, hero = wounded(2)
    assert hero is not None
    for score in (2, 4):
        run(resolve_hit, state, unit, hero, False, 1, "fire", script=[("hit location", [score])])
    assert hero.locations == {"leg_light", "chest_light"}
    assert chest_sign(state, hero) == -1
    for score in (3, 6):
        state, unit, hero = wounded(score)
        assert hero is not None
        hero.unmark("prone", "stunned")
        run(resolve_hit, state, unit, hero, False, 1, "fire", script=[("hit location", [score])])
        assert not hero.prone and hero.able, "he has got up, or come to himself, and the same wound is no second one"


def ambulance(how: str = "down", **settings: Any) -> tuple[Battle, Unit, Figure]:
    unit = bare_unit(
        "red",
        "red",
        [man("red/1", "red", 10, 10, role="medic"), man("red/2", "red", 11, 10), man("red/3", "red", 13, 10)],
    )
    state = battle(unit, **settings)
    run(remove_man, state, unit, unit.figures["red/2"], how, "fire", **settings)
    return state, unit, unit.figures["red/1"]


@pytest.mark.rule("FBN-137", "FBN-138")
def test_a_medic_brings_a_fallen_man_back() -> None:
    state, unit, medic = ambulance()
    unit.figures["red/3"].gl = 6
    assert patients(state, medic) == [("fallen", "red/2")]
    assert run(heal, state, medic, "red/2")
    back = unit.figures["red/2"]
    assert (back.wounds, back.gl, back.prone, medic.ac) == (1, 6, False, 2)
    assert back.spec.ac - back.spent == 0
    assert patients(state, medic) == []
    state, unit, medic = ambulance()
    with scripted(state) as table:
        remove_man(table, state, unit, unit.figures["red/3"], "down", "fire")
        assert heal(table, state, medic, "red/2")
    assert [casualty.figure for casualty in state.fallen] == ["red/3"], "the other lies where he fell"
    measured = unit.box
    unit.measure()
    assert unit.box == measured, "the unit has been measured with him"
    for how in ("bloody death", "killed", "captured"):
        state, _, medic = ambulance(how)
        assert patients(state, medic) == []


@pytest.mark.rule("FBN-137", "FBN-265")
def test_men_of_a_unit_off_the_table_are_not_healed() -> None:
    medic = bare_unit("red", "red", [man("red/1", "red", 20, 20, role="medic")])
    gone = bare_unit("gone", "red", [man("gone/1", "red", 21, 20), man("gone/2", "red", 23, 20)])
    state = battle(medic, gone)
    run(remove_man, state, gone, gone.figures["gone/1"], "down", "fire")
    assert patients(state, medic.figures["red/1"]) == [("fallen", "gone/1")]
    gone.mark("away")
    assert patients(state, medic.figures["red/1"]) == []


@pytest.mark.rule("FBN-137")
@pytest.mark.setting("medic_heals")
def test_healing_may_need_a_die() -> None:
    for die, back in ((3, False), (4, True)):
        state, unit, medic = ambulance(medic_heals="roll_4plus")
        assert run(heal, state, medic, "red/2", script=[("heal", [die])], medic_heals="roll_4plus") is back
        assert ("red/2" in unit.figures) is back
    state, _, medic = ambulance(medic_heals="automatic")
    assert run(heal, state, medic, "red/2", medic_heals="automatic")


@pytest.mark.rule("FBN-137")
def test_a_hero_loses_one_effect_of_the_healers_choice() -> None:
    unit = bare_unit(
        "red", "red", [man("red/1", "red", 10, 10, role="medic"), man("red/2", "red", 11, 10, role="hero")]
    )
    state = battle(unit)
    hero = unit.figures["red/2"]
    hero.locations = frozenset({"leg_light", "head_light"})
    hero.mark("stunned")
    assert patients(state, unit.figures["red/1"]) == [("wounded", "red/2")]
    run(heal_location, state, unit, unit.figures["red/1"], hero, script=[("heal which wound", "head_light")])
    assert hero.locations == {"leg_light"} and hero.able


@pytest.mark.rule("FBN-137")
def test_medic_cannot_heal_himself() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 20, 20, role="medic")])
    state = battle(unit)
    unit.figures["red/1"].locations = frozenset({"arm_light"})
    assert patients(state, unit.figures["red/1"]) == []


@pytest.mark.rule("FBN-137", "FBN-203", "FBN-237")
def test_medics_bearers_and_snipers_come_from_traits() -> None:
    men = game({"foot": troops(traits=["medic", "standard", "sniper"])}).plan.squads["foot"].men
    assert [m.role for m in men][:3] == ["nco", "medic", "soldier"] and men[2].bearer
    for trait, role in (("medic", "medic"), ("hero", "hero"), ("sniper", "soldier")):
        (alone,) = game({"foot": troops(figures=1, traits=[trait])}).plan.squads["foot"].men
        assert alone.role == role, "a medic or hero may stand by himself"
    assert all(m.sniper for m in men)


@pytest.mark.rule("FBN-139")
def test_a_squad_without_its_leader_plays_on() -> None:
    _, unit, hero = wounded(12)
    assert hero is None and unit.on_table and all(not figure.spec.leads for figure in unit.figures.values())
