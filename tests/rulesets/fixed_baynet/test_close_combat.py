"""Close combat, captures, hit locations, medics (chapters 12 and 13)."""

from __future__ import annotations

from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, ask, battle, box, field, hill, man, rules_with, scripted, squad

from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.artillery import BlastFacts
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_reach, has_close_weapon
from zareba_rulesets.fixed_baynet.chapters.crews import capture_guns, crew_of
from zareba_rulesets.fixed_baynet.chapters.hits import remove_man, resolve_hit
from zareba_rulesets.fixed_baynet.chapters.melee import (
    FightFacts,
    can_strike,
    fight_facts,
    foe_in_front,
    strike_blow,
    strike_with_man,
    strike_with_unit,
    strikers,
)
from zareba_rulesets.fixed_baynet.chapters.morale import heal, heal_location, patients
from zareba_rulesets.fixed_baynet.chapters.sight import chest_sign
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Casualty
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def bonus(settings: dict[str, Any] | None = None, **facts: Any) -> int:
    """Return a fighter's modifier to his die."""
    return rules_with(**(settings or {})).tally("close_combat", FightFacts(**{"cs": 0, **facts})).total


def fighters(
    gap: float = 0.0,
    *,
    red: dict[str, Any] | None = None,
    blue: dict[str, Any] | None = None,
    on: Field | None = None,
    **settings: Any,
) -> tuple[Battle, Unit, Unit]:
    """Two men face to face, red to the south."""
    one = bare_unit("red", "red", [man("red/1", "red", 10, 10, **(red or {}))])
    other = bare_unit("blue", "blue", [man("blue/1", "blue", 10, 11 + gap, **(blue or {}))])
    return battle(one, other, on=on, **settings), one, other


def struck(state: Battle, own: list[int], foe: list[int], **settings: Any) -> Any:
    """Red's man strikes blue's man with these dice. Returns the last event of the blow."""
    red, blue = state.units["red"], state.units["blue"]
    with scripted(state, ("blow", own), ("parry", foe), **settings) as table:
        strike_blow(table, state, red, next(iter(red.figures.values())), next(iter(blue.figures.values())))
        return next(event.data for event in table.events if event.kind == "blow")


@pytest.mark.rule("FBN-104", "FBN-106", "FBN-107", "FBN-108", "FBN-109", "FBN-111")
def test_the_difference_says_what_happens() -> None:
    results = {1: "miss", 2: "capture", 3: "wound", 5: "wound", 6: "critical"}
    for die, result in results.items():
        state, _, blue = fighters()
        assert struck(state, [die], [1])["result"] == result
        assert bool(blue.figures) is (result == "miss")


@pytest.mark.rule("FBN-110")
@pytest.mark.setting("cc_symmetric")
def test_the_lower_total_suffers_whoever_attacked_or_only_the_defender() -> None:
    for setting, left in ((True, 0), (False, 1)):
        state, red, blue = fighters(cc_symmetric=setting)
        struck(state, [1], [4], cc_symmetric=setting)
        assert len(red.figures) == left and blue.figures


@pytest.mark.rule("FBN-105", "FBN-115")
@pytest.mark.setting("cc_adds_cs")
def test_cs_counts_or_not() -> None:
    assert [bonus({"cc_adds_cs": value}, cs=2, uphill=True) for value in (True, False)] == [3, 1]


@pytest.mark.rule("FBN-060", "FBN-074", "FBN-116", "FBN-117", "FBN-118", "FBN-119", "FBN-183", "FBN-115")
def test_each_line_of_the_table_of_modifiers() -> None:
    assert bonus(rear=True) == -1
    assert bonus(square=True) == bonus(uphill=True) == bonus(shelter="cover") == bonus(rider=True) == 1
    assert bonus(shelter="doorway") == 2
    assert (bonus(trench="attacker"), bonus(trench="defender")) == (-1, 1)
    assert bonus(chest=True) == -1


@pytest.mark.rule("FBN-031", "FBN-119", "FBN-060", "FBN-130")
@pytest.mark.setting("sign_reading")
def test_doubtful_signs_as_printed() -> None:
    literal = {"sign_reading": "literal"}
    assert (bonus(literal, trench="attacker"), bonus(literal, trench="defender")) == (1, -1)
    assert bonus(literal, square=True) == 0
    assert bonus(literal, chest=True) == 1


@pytest.mark.rule("FBN-058")
@pytest.mark.setting("mass_ds_in_cc")
def test_mass_may_count_hand_to_hand() -> None:
    assert [bonus({"mass_ds_in_cc": value}, mass=True) for value in (False, True)] == [0, -1]


@pytest.mark.rule("FBN-113")
def test_a_close_combat_weapon_throws_twice() -> None:
    state, _, blue = fighters(red={"close": True})
    struck(state, [1, 6], [1])
    assert not blue.figures
    assert ask("close_combat", attacker_weapon=True).probability(lambda o: o.result == "miss") == F(1, 6)


@pytest.mark.rule("FBN-114")
def test_on_an_entrenched_table_only_heroes_have_such_weapons() -> None:
    ground = field()
    ground.entrenched = True
    state, red, blue = fighters(red={"close": True}, blue={"close": True, "role": "hero"}, on=ground)
    assert not has_close_weapon(state, red.figures["red/1"])
    assert has_close_weapon(state, blue.figures["blue/1"])


@pytest.mark.rule("FBN-103")
@pytest.mark.setting("melee_reach")
def test_close_weapons_reach_an_inch_or_need_contact() -> None:
    for setting, reach in (("one_inch", 1), ("base_contact", 0)):
        state, red, blue = fighters(0.9, red={"close": True}, melee_reach=setting)
        assert len(foes_in_reach(state, red.figures["red/1"], "red")) == reach
        assert foes_in_reach(state, blue.figures["blue/1"], "blue") == []


@pytest.mark.rule("FBN-116", "FBN-118", "FBN-074", "FBN-183")
def test_the_facts_of_a_fight() -> None:
    state, red, blue = fighters(red={"mounted": True}, blue={"facing": 0.0})
    own = fight_facts(state, red, red.figures["red/1"], blue.figures["blue/1"], True)
    other = fight_facts(state, blue, blue.figures["blue/1"], red.figures["red/1"], False)
    assert (own.rider, own.rear) == (True, False)
    assert (other.rider, other.rear) == (False, True)
    state, red, blue = fighters(on=hill(box(0, 10.5, 30, 30), 2.0))
    assert fight_facts(state, blue, blue.figures["blue/1"], red.figures["red/1"], False).uphill
    assert not fight_facts(state, red, red.figures["red/1"], blue.figures["blue/1"], True).uphill


@pytest.mark.rule("FBN-117", "FBN-119")
def test_cover_and_trenches_hand_to_hand() -> None:
    def facts(on: Field) -> tuple[FightFacts, FightFacts]:
        state, red, blue = fighters(on=on)
        a, b = red.figures["red/1"], blue.figures["blue/1"]
        return fight_facts(state, red, a, b, True), fight_facts(state, blue, b, a, False)

    wall = facts(field(lines=(("stone_wall", [(0, 10.5), (20, 10.5)]),)))
    assert [one.shelter for one in wall] == ["cover", "cover"]
    wood = facts(field(("light_forest", list(box(0, 10.5, 20, 20)))))
    assert [one.shelter for one in wood] == ["none", "cover"]
    trench = facts(field(("trench", list(box(0, 10.5, 20, 12)))))
    assert [(one.trench, one.shelter) for one in trench] == [("attacker", "none"), ("defender", "none")]
    both = facts(field(("trench", list(box(0, 5, 20, 12)))))
    assert [(one.trench, one.shelter) for one in both] == [("none", "none")] * 2
    two = facts(field(("trench", list(box(0, 5, 20, 10.5))), ("trench", list(box(0, 10.5, 20, 12)))))
    assert [(one.trench, one.shelter) for one in two] == [("none", "none")] * 2, "nor from one trench to the next"


@pytest.mark.rule("FBN-104", "FBN-120", "FBN-045")
def test_a_blow_costs_the_attacker_an_ac_and_numbers_give_nothing() -> None:
    red = bare_unit("red", "red", [man("red/1", "red", 9.5, 10.14), man("red/2", "red", 10.5, 10.14)])
    blue = squad("blue", "blue", 1, (10, 11), facing=180.0)
    state = battle(red, blue)
    with scripted(state, ("blow", [3]), ("parry", [3]), ("blow", [4]), ("parry", [4])) as table:
        assert strike_with_unit(table, state, red) == 2
    assert [figure.ac for figure in (*red.figures.values(), *blue.figures.values())] == [2, 2, 3]
    assert fight_facts(state, red, red.figures["red/1"], blue.figures["blue/1"], True).uphill is False


@pytest.mark.rule("FBN-120")
def test_a_man_may_choose_whom_he_strikes() -> None:
    red = squad("red", "red", 1, (10, 10))
    blue = bare_unit("blue", "blue", [man("blue/1", "blue", 9.5, 10.88), man("blue/2", "blue", 10.5, 10.88)])
    state = battle(red, blue)
    with scripted(state, ("strike", "blue/2"), ("blow", [6]), ("parry", [1])) as table:
        strike_with_man(table, state, red, red.figures["red/1"])
    assert list(blue.figures) == ["blue/1"]


@pytest.mark.rule("FBN-121")
def test_frozen_fleeing_and_stunned_men_do_no_harm() -> None:
    for change in ({"reaction": "freeze"}, {"reaction": "flee"}, {"marks": frozenset({"stunned"})}):
        state, red, blue = fighters()
        for name, value in change.items():
            setattr(blue.figures["blue/1"], name, value)
        assert struck(state, [1], [6])["result"] == "miss"
        assert red.figures


@pytest.mark.rule("FBN-054")
def test_striking_ends_lying_down() -> None:
    state, red, _ = fighters()
    red.figures["red/1"].mark("prone")
    struck(state, [2], [2])
    assert not red.figures["red/1"].prone


@pytest.mark.rule("FBN-165", "FBN-167", "FBN-168", "FBN-268")
def test_who_may_not_strike() -> None:
    state, red, _ = fighters()
    figure = red.figures["red/1"]
    assert strikers(state, red) == [figure]
    for reaction in ("freeze", "flee", "prone", "take_cover"):
        figure.reaction = reaction
        assert not can_strike(state, figure)
    figure.reaction, figure.ac = "", 0
    assert not can_strike(state, figure)


@pytest.mark.rule("FBN-112", "FBN-108")
@pytest.mark.setting("captives")
def test_prisoners_are_gone_or_go_with_their_captor() -> None:
    for setting, freed in (("removed", False), ("escorted", True)):
        state, red, blue = fighters(captives=setting)
        struck(state, [2], [1], captives=setting)
        assert not blue.figures and [one.figure for one in state.captives] == ["blue/1"]
        assert not state.fallen[0].curable
        with scripted(state, captives=setting) as table:
            remove_man(table, state, red, red.figures["red/1"], "down", "fire")
        assert ("blue/1" in blue.figures) is freed
    assert "disarmed" in blue.figures["blue/1"].marks and blue.figures["blue/1"].weapon == "none"


@pytest.mark.rule("FBN-122")
def test_a_gun_without_crew_is_taken_by_an_enemy_beside_it() -> None:
    gun = Gun("light_gun", 10, 12, 0, 0, 2)
    crew = bare_unit("battery", "blue", [man("battery/1", "blue", 40, 40, role="crew")], guns=[gun])
    red = squad("red", "red", 1, (10, 10.5))
    state = battle(red, crew)
    with scripted(state) as table:
        capture_guns(table, state, red)
    assert gun.taken_by == "red" and not gun.in_play and "deed" in red.marks


# --- heroes --------------------------------------------------------------------------------------------------------------------


def wounded(location: int, **spec: Any) -> tuple[Battle, Unit, Figure | None]:
    """A hero with a companion takes a normal hit with this location roll."""
    unit = bare_unit("red", "red", [man("red/1", "red", 10, 10, role="hero", **spec), man("red/2", "red", 12, 10)])
    state = battle(unit)
    with scripted(state, ("hit location", [location])) as table:
        resolve_hit(table, state, unit, unit.figures["red/1"], False, 5, "fire")
    return state, unit, unit.figures.get("red/1")


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


@pytest.mark.rule("FBN-187", "FBN-129")
def test_groin_and_heavy_leg_throw_a_rider_off() -> None:
    for score, mounted in ((3, False), (8, False), (2, True)):
        _, _, hero = wounded(score, mounted=True)
        assert hero is not None and hero.mounted is mounted


@pytest.mark.rule("FBN-136")
def test_the_same_wound_twice_does_no_more() -> None:
    state, unit, hero = wounded(2)
    assert hero is not None
    for score in (2, 4):
        with scripted(state, ("hit location", [score])) as table:
            resolve_hit(table, state, unit, hero, False, 1, "fire")
    assert hero.locations == {"leg_light", "chest_light"}
    assert chest_sign(state, hero) == -1
    for score in (3, 6):
        state, unit, hero = wounded(score)
        assert hero is not None
        hero.unmark("prone", "stunned")
        with scripted(state, ("hit location", [score])) as table:
            resolve_hit(table, state, unit, hero, False, 1, "fire")
        assert not hero.prone and hero.able, "he has got up, or come to himself, and the same wound is no second one"


@pytest.mark.rule("FBN-131", "FBN-269")
def test_a_stunned_man_is_himself_after_his_next_activation() -> None:
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


@pytest.mark.rule("FBN-130", "FBN-217")
def test_a_chest_wound_counts_under_bursts_too() -> None:
    rules = rules_with()
    assert rules.tally("blast", BlastFacts(5, chest=True)).total == 4
    assert rules.tally("blast", BlastFacts(5, "mass", cv=2, crew=True)).total == 7


@pytest.mark.rule("FBN-091", "FBN-024")
def test_a_soldier_has_one_wound_and_leaves_a_marker() -> None:
    unit = squad("red", "red", 3, (10, 10))
    state = battle(unit)
    with scripted(state) as table:
        resolve_hit(table, state, unit, unit.figures["red/2"], False, 1, "fire")
        loss = next(event.data for event in table.events if event.kind == "loss")
    assert loss == {"unit": "red", "side": "red", "lost": 1, "cause": "fire", "how": "down", "figure": "red/2"}
    assert state.fallen[0].curable


@pytest.mark.rule("FBN-139")
def test_a_squad_without_its_leader_plays_on() -> None:
    _, unit, hero = wounded(12)
    assert hero is None and unit.on_table and all(not figure.spec.leads for figure in unit.figures.values())


# --- medics --------------------------------------------------------------------------------------------------------------------


def ambulance(how: str = "down", **settings: Any) -> tuple[Battle, Unit, Figure]:
    unit = bare_unit(
        "red",
        "red",
        [man("red/1", "red", 10, 10, role="medic"), man("red/2", "red", 11, 10), man("red/3", "red", 13, 10)],
    )
    state = battle(unit, **settings)
    with scripted(state, **settings) as table:
        remove_man(table, state, unit, unit.figures["red/2"], how, "fire")
    return state, unit, unit.figures["red/1"]


@pytest.mark.rule("FBN-137", "FBN-138")
def test_a_medic_brings_a_fallen_man_back() -> None:
    state, unit, medic = ambulance()
    unit.figures["red/3"].gl = 6
    assert patients(state, medic) == [("fallen", "red/2")]
    with scripted(state) as table:
        assert heal(table, state, medic, "red/2")
    back = unit.figures["red/2"]
    assert (back.wounds, back.gl, back.prone, medic.ac) == (1, 6, False, 2)
    assert back.spec.ac - back.spent == 0
    assert patients(state, medic) == []
    state, unit, medic = ambulance()
    with scripted(state) as table:
        remove_man(table, state, unit, unit.figures["red/3"], "down", "fire")
        assert heal(table, state, medic, "red/2")
    assert [one.figure for one in state.fallen] == ["red/3"], "the other lies where he fell"
    for how in ("bloody death", "killed", "captured"):
        state, _, medic = ambulance(how)
        assert patients(state, medic) == []


@pytest.mark.rule("FBN-137")
def test_a_medic_who_fired_does_not_heal() -> None:
    state, _, medic = ambulance()
    medic.mark("fired")
    assert patients(state, medic) == []
    medic.marks = frozenset()
    state.fallen = (Casualty("red/2", "red", 20, 20, True),)
    assert patients(state, medic) == []


@pytest.mark.rule("FBN-137")
@pytest.mark.setting("medic_heals")
def test_healing_may_need_a_die() -> None:
    for die, back in ((3, False), (4, True)):
        state, unit, medic = ambulance(medic_heals="roll_4plus")
        with scripted(state, ("heal", [die]), medic_heals="roll_4plus") as table:
            assert heal(table, state, medic, "red/2") is back
        assert ("red/2" in unit.figures) is back
    state, _, medic = ambulance(medic_heals="automatic")
    with scripted(state, medic_heals="automatic") as table:
        assert heal(table, state, medic, "red/2")


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
    with scripted(state, ("heal which wound", "head_light")) as table:
        heal_location(table, state, unit, unit.figures["red/1"], hero)
    assert hero.locations == {"leg_light"} and hero.able


@pytest.mark.rule("FBN-120", "FBN-152", "FBN-164")
def test_men_who_panic_in_the_middle_of_a_fight_strike_no_more() -> None:
    red = bare_unit(
        "red", "red", [man(f"red/{i}", "red", 46 + 2 * i, 50, role="nco" * (i == 1) or "soldier") for i in (1, 2)]
    )
    blue = bare_unit("blue", "blue", [man(f"blue/{i}", "blue", 46 + 2 * i, 51) for i in (1, 2)])
    for one in red.figures.values():
        one.gl = 6
    state = battle(red, blue)
    script = [("blow", [1]), ("parry", [3]), ("hit location", [2]), ("panic", [2]), ("panic", [2])]
    with scripted(state, *script) as table:
        assert strike_with_unit(table, state, red) == 1
    assert [one.reaction for one in red.figures.values()] == ["onwards"] * 2


@pytest.mark.rule("FBN-120")
def test_a_unit_that_strikes_leaves_leaders_to_whom_has_nobody_else() -> None:
    red = bare_unit("red", "red", [man("red/1", "red", 10, 10)])
    foes = [man("blue/1", "blue", 10, 11, role="hero"), man("blue/2", "blue", 11, 10)]
    blue = bare_unit("blue", "blue", foes)
    state = battle(red, blue)
    assert foe_in_front(state, red, red.figures["red/1"]) is foes[1], "who stands beside him, not the leader in front"
    del blue.figures["blue/2"]
    assert foe_in_front(state, red, red.figures["red/1"]) is foes[0]


@pytest.mark.rule("FBN-016", "FBN-104", "FBN-120")
def test_a_unit_ordered_to_fight_strikes_once_with_each_man_in_contact() -> None:
    red = squad("red", "red", 2, (50, 50), "closed")
    first, second = red.figures.values()
    foes = [bare_unit(name, "blue", [man(f"{name}/1", "blue", x, 51)]) for name, x in (("a", first.x), ("b", second.x))]
    state = battle(red, *foes)
    state.active = "red"
    assert "fight" in acts(state, red)
    script = [("blow", [4]), ("parry", [4]), ("blow", [6]), ("parry", [3])]
    with scripted(state, *script) as table:
        perform_action(table, state, red, "fight")
    assert [figure.ac for figure in red.figures.values()] == [2, 2]
    assert [len(foe.figures) for foe in foes] == [1, 0]
