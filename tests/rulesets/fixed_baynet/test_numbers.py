"""A house rule may change every number of the ruleset within limits, and play follows."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, battery, field, man, squad
from tests.rulesets.fixed_baynet.scenarios import scenario, troops

from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules
from zareba.scenario.model import Hold
from zareba.table import Roll, ScriptedTable, Table
from zareba_rulesets.fixed_baynet.actions.activation import end_activation
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook, d12_result, roll_gun_die
from zareba_rulesets.fixed_baynet.chapters.cavalry import (
    allowed_gaits,
    max_distance_of_gait,
    reason_against_gait,
    turn_cost,
)
from zareba_rulesets.fixed_baynet.chapters.crews import ready_gun
from zareba_rulesets.fixed_baynet.chapters.fire import record_shot_at
from zareba_rulesets.fixed_baynet.chapters.machine_guns import roll_for_jam
from zareba_rulesets.fixed_baynet.chapters.melee import FightFacts, can_strike, roll_blow_result, strike_blow
from zareba_rulesets.fixed_baynet.chapters.morale import (
    CHARGE,
    check_half,
    glory_event,
    heal,
    hearten,
    roll_recovery,
    start_panic,
    voluntary_check,
)
from zareba_rulesets.fixed_baynet.chapters.morale import test_glory as glory_test
from zareba_rulesets.fixed_baynet.chapters.night import roll_to_notice
from zareba_rulesets.fixed_baynet.chapters.panic import carry_out_panic
from zareba_rulesets.fixed_baynet.chapters.setting_up import roll_initiative, set_up_next_unit
from zareba_rulesets.fixed_baynet.chapters.sight import band_of
from zareba_rulesets.fixed_baynet.chapters.targets import men_in_range
from zareba_rulesets.fixed_baynet.chapters.victory import FbnScoreboard, leave_table, take_carried_objects
from zareba_rulesets.fixed_baynet.forces.formations import is_formed
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.odds.stage import bare_battle, bare_unit


def _yaml(value: Any) -> str:
    if isinstance(value, list):
        return f"[{', '.join(map(_yaml, value))}]"
    return str(value).lower() if isinstance(value, bool) else str(value)


def patched(folder: Path, changes: dict[str, Any], **settings: Any) -> Rules:
    """Return the rules with these values at these paths."""
    data = load_rules("fixed_baynet").data
    lines = []
    for path, value in changes.items():
        found: Any = data
        for key in path.split("."):
            found = found[key]
        lines.append(f"  - {{at: {path}, was: {_yaml(found)}, to: {_yaml(value)}}}\n")
    file = folder / "club.yaml"
    file.write_text(f"house_rule: club\nruleset: fixed_baynet\nchanges:\n{''.join(lines)}", encoding="utf-8")
    return load_rules("fixed_baynet", settings, [find_house_rule(str(file))])


class Stopped(Exception):
    """Raised at the first question."""


class Thrown(Table):
    """A table that raises its first question."""

    def answer(self, question: Any) -> Any:
        raise Stopped(question)


def thrown(rules: Rules, asks: Any) -> tuple[int, int]:
    """Return the number and sides of the first dice that a function rolls."""
    with pytest.raises(Stopped) as stopped:
        asks(Thrown(rules, None))
    (question,) = stopped.value.args
    assert isinstance(question, Roll)
    return question.dice, question.sides


@pytest.mark.rule("FBN-008", "FBN-082", "FBN-104", "FBN-113", "FBN-137", "FBN-148", "FBN-154", "FBN-163", "FBN-239")
@pytest.mark.setting("medic_heals")
@pytest.mark.setting("indirect_lay_die")
def test_dice_have_the_faces_that_the_book_gives_them(tmp_path: Path) -> None:
    changes = {
        "glory.die": 8, "blow.die": 10, "blow.dice": 2, "blow.close_weapon": 3, "initiative.die": 20, "medic.die": 4,
        "fire_die.faces": 14, "panic.regular.reactions": ["flee"] * 5 + ["prone"] * 3,
    }  # fmt: skip
    rules = patched(tmp_path, changes, medic_heals="roll_4plus")
    unit = squad("red", "red", 3, (10, 10))
    state = bare_battle(rules, [unit, squad("blue", "blue", 1, (10, 30))])
    figure = unit.figures["red/1"]
    figure.gl = 5
    unit.mark("due")
    assert thrown(rules, lambda table: glory_test(table, state, unit)) == (1, 8)
    assert thrown(rules, lambda table: voluntary_check(table, state, unit)) == (1, 8)
    assert thrown(rules, lambda table: roll_to_notice(table, figure)) == (1, 8)
    figure.reaction, figure.since = "flee", 0
    assert thrown(rules, lambda table: roll_recovery(table, state, unit, figure)) == (1, 8)
    assert thrown(rules, lambda table: start_panic(table, state, unit, figure)) == (1, 8), "one face for each row"
    assert thrown(rules, lambda table: heal(table, state, figure, "red/2")) == (1, 4)
    assert thrown(rules, lambda table: roll_initiative(table, state)) == (1, 20)
    for weapon, count in ((False, 2), (True, 3)):
        facts = FightFacts(0, weapon=weapon)
        assert thrown(rules, lambda table, facts=facts: roll_blow_result(table, facts, facts, "a", "b")) == (count, 10)
    for throw in (d12_result, roll_gun_die):
        asks = lambda table, throw=throw: throw(table, 5, why="shot", rule="FBN-082", actor="red")  # noqa: E731  # a lambda is shorter
        assert thrown(rules, asks) == (1, 14)


def dice(rules: Rules, *script: tuple[str, Any]) -> ScriptedTable:
    return ScriptedTable(rules, None, list(script))


@pytest.mark.rule("FBN-087", "FBN-088", "FBN-089", "FBN-220")
@pytest.mark.setting("natural_1_misses")
@pytest.mark.setting("natural_12_hits")
def test_fire_die_faces_that_always_miss_or_kill(tmp_path: Path) -> None:
    """A 2 misses and an 11 kills. The settings still decide if this holds whatever number is needed."""
    changes = {"fire_die.misses": 2, "fire_die.critical": 11}

    def results(need: int, **settings: bool) -> list[int]:
        rules = patched(tmp_path, changes, **settings)
        found = []
        for face in (1, 2, 3, 10, 11, 12):
            with dice(rules, ("shot", [face])) as table:
                found.append(d12_result(table, need, why="shot", rule="FBN-082", actor="red"))
        return found

    assert results(1) == [0, 0, 1, 1, 2, 2]
    assert results(1, natural_1_misses=False) == [1, 1, 1, 1, 2, 2]
    assert results(12) == [0, 0, 0, 0, 2, 2], "an eleven kills though a twelve is needed"
    assert results(12, natural_12_hits=False) == [0, 0, 0, 0, 0, 2]
    assert results(13, natural_12_hits=False) == [0, 0, 0, 0, 0, 0]
    rules, read = patched(tmp_path, changes), []
    for face in (1, 2, 3, 4, 5, 10, 11):
        with dice(rules, ("gun", [face])) as table:
            read.append(roll_gun_die(table, 5, why="gun", rule="FBN-215", actor="red"))
    assert read == [0, 0, 1, 1, 2, 2, 3]


@pytest.mark.rule("FBN-232")
def test_a_gun_that_never_jams_throws_no_die_for_it(tmp_path: Path) -> None:
    with dice(patched(tmp_path, {"jam.from": "never"})) as table:
        assert not roll_for_jam(table, "gun")
    for face, jammed in ((4, False), (5, True)):
        with dice(patched(tmp_path, {"jam.from": 5}), ("jam", [face])) as table:
            assert roll_for_jam(table, "gun") is jammed


@pytest.mark.rule("FBN-146", "FBN-151", "FBN-159")
@pytest.mark.setting("glory_cap")
def test_glory_changes_of_events_and_officers_follow_the_numbers(tmp_path: Path) -> None:
    rules = patched(tmp_path, {"glory.event": 2, "glory.hearten": 3, "glory.panic": 9})
    unit = squad("red", "red", 1)
    state, figure = bare_battle(rules, [unit]), unit.figures["red/1"]
    with dice(rules) as table:
        glory_event(table, state, unit, CHARGE)
    assert figure.gl == 6
    figure.gl = 8
    assert hearten(state, unit, figure) and figure.gl == 5
    figure.gl = 8
    unit.events = ()
    with dice(rules, ("panic", [1])) as table:
        glory_event(table, state, unit, CHARGE)
    assert (figure.gl, figure.reaction) == (9, "flee"), "it gets no worse than what makes men panic"


@pytest.mark.rule("FBN-141")
def test_at_which_part_of_its_men_a_unit_is_at_half_strength(tmp_path: Path) -> None:
    for part, men, frightened in (
        ("1/2", 4, True),
        ("1/2", 5, False),
        ("1/3", 3, False),
        ("1/3", 2, True),
        ("0.75", 6, True),
    ):
        rules = patched(tmp_path, {"half_strength.part": part})
        unit = squad("red", "red", men)
        unit.start = 8
        state = bare_battle(rules, [unit])
        with dice(rules) as table:
            check_half(table, state, unit)
        assert bool(unit.events) is frightened


@pytest.mark.rule("FBN-144", "FBN-231")
def test_after_how_many_turns_under_fire_a_unit_is_pinned(tmp_path: Path) -> None:
    for turns in (1, 2, 3):
        rules = patched(tmp_path, {"pinned.turns": turns})
        unit = squad("red", "red", 2, gl=2)
        state = bare_battle(rules, [unit])
        pinned = []
        for turn in (1, 2, 3):
            state.turn, unit.events = turn, ()
            with dice(rules) as table:
                record_shot_at(table, state, unit)
            pinned.append(bool(unit.events))
        assert pinned == [turn >= turns for turn in (1, 2, 3)]


@pytest.mark.rule("FBN-154", "FBN-155", "FBN-156")
@pytest.mark.setting("panic_check_target")
def test_recovery_of_soldiers_follows_the_numbers(tmp_path: Path) -> None:
    """A soldier recovers every third Glory phase, on a five."""
    rules = patched(tmp_path, {"glory.wait": 3, "glory.natural": 5}, panic_check_target="natural_six")
    for role, phases in (("soldier", [1, 4, 7]), ("nco", [1, 2, 3, 4, 5, 6, 7])):
        tried = []
        for turn in range(1, 9):
            unit = squad("red", "red", 1, role=role)
            figure, state = unit.figures["red/1"], bare_battle(rules, [unit])
            figure.reaction, figure.since, figure.gl, state.turn = "flee", 1, 7, turn
            with ScriptedTable(rules, state, [("recovery", [5])] if turn - 1 in phases else []) as table:
                roll_recovery(table, state, unit, figure)
            if not figure.reaction:
                tried.append(turn - 1)
        assert tried == phases


@pytest.mark.rule("FBN-127")
def test_a_wounded_arm_shortens_the_reach_of_a_long_arm(tmp_path: Path) -> None:
    for part, reach in (("1/2", 12.0), ("1/4", 6.0), (1, 24.0)):
        book = FbnBook(patched(tmp_path, {"wounded_arm.bands": part}) if part != "1/2" else load_rules("fixed_baynet"))
        firer = man("red/1", "red", 10, 10)
        firer.locations = frozenset({"arm_light"})
        foes = [man(f"blue/{place}", "blue", 10, 11 + reach + place / 10) for place in (0, 1)]
        state = bare_battle(book.rules, [bare_unit("red", "red", [firer]), bare_unit("blue", "blue", foes)])
        assert band_of(state, firer, reach) == "long" and band_of(state, firer, reach + 0.01) is None
        assert [place for _, place in men_in_range(state, firer, foes)] == [0]


@pytest.mark.rule("FBN-104", "FBN-107", "FBN-111", "FBN-113")
def test_a_blow_costs_and_does_what_its_weapon_says(tmp_path: Path) -> None:
    """Fists cost more, a spear needs three AC, and a sword downs a man with two wounds in one blow."""
    changes = {"blow.ac": 2, "weapons.spear.ac": 3, "weapons.melee_weapon.damage": 2}
    rules = patched(tmp_path, changes)
    for arms, cost, wounds in (
        ({"weapon": "rifle"}, 2, 1),
        ({"weapon": "spear", "close": True}, 3, 1),
        ({"weapon": "rifle", "close": True}, 1, 0),
        ({"weapon": "none", "close": True}, 1, 0),
    ):
        red = squad("red", "red", 1, (10, 10), **arms)
        blue = squad("blue", "blue", 1, (10, 11), facing=180.0)
        state = bare_battle(rules, [red, blue])
        figure, foe = red.figures["red/1"], blue.figures["blue/1"]
        foe.wounds = 2
        figure.ac = cost - 1
        assert not can_strike(state, figure)
        figure.ac = cost
        assert can_strike(state, figure)
        with ScriptedTable(rules, state, [("blow", [5, 5] if "close" in arms else [5]), ("parry", [3])]) as table:
            strike_blow(table, state, red, figure, foe)
        assert figure.ac == 0 and foe.wounds == wounds


@pytest.mark.rule("FBN-113", "FBN-189")
def test_weapon_table_decides_close_combat_weapons(tmp_path: Path) -> None:
    chief = {"name": "Chief", "side": "army", "rank": "officer", "position": [20, 5]}
    for name, close in (
        ("melee_weapon", (False, True, False)),
        ("spear", (True, False, True)),
        ("", (True, True, True)),
    ):
        rules = patched(tmp_path, {f"weapons.{name}.close": False}) if name else load_rules("fixed_baynet")
        swords, spears = troops(close_weapon="sword"), troops(weapon="throwing_spear")
        plan = FbnGame(rules, scenario({"swords": swords, "spears": spears}, leaders={"chief": chief})).plan.squads
        assert tuple(plan[key].men[0].close for key in ("swords", "spears", "chief")) == close


@pytest.mark.rule("FBN-205")
@pytest.mark.setting("crew_ac")
def test_a_crew_saves_no_more_ac_than_a_gun_has(tmp_path: Path) -> None:
    for most in (3, 5):
        rules = patched(tmp_path, {"gun_costs.ac": most} if most != 3 else {"gun_costs.turn": 2}, crew_ac="crew_best")
        _, unit, gun = battery(crew=2)
        state = bare_battle(rules, [unit])
        state.active = "red"
        for expected in (3, min(most, 6), most):
            for figure in unit.figures.values():
                figure.ac = figure.spec.ac
            ready_gun(state, unit, gun)
            assert gun.ac == expected
            with dice(rules) as table:
                end_activation(table, state, unit)


@pytest.mark.rule("FBN-175", "FBN-176", "FBN-180")
@pytest.mark.setting("mounted_charge_doubles")
def test_gaits_turns_and_charges_follow_the_ruleset_numbers(tmp_path: Path) -> None:
    changes = {"gaits.gallop.after": "walk", "turn_of_mount.degrees": 45, "movement.charge": 3}
    book = FbnBook(patched(tmp_path, changes, mounted_charge_doubles=True))
    rider = man("red/1", "red", 10, 10, mounted=True)
    assert allowed_gaits(book, rider) == [1]
    rider.last_gait = 1
    assert allowed_gaits(book, rider) == [1, 2, 3] and reason_against_gait(book, 3, 1, 15, []) is None
    assert "gallop needs walk" in str(reason_against_gait(book, 3, 0, 15, []))
    assert turn_cost(book, 3, [90.0]) == 4.0 and max_distance_of_gait(book, 3, 0, charging=True) == 51


@pytest.mark.rule("FBN-041", "FBN-180")
@pytest.mark.setting("mounted_charge_doubles")
def test_enemies_within_reach_can_be_charged_with_any_numbers(tmp_path: Path) -> None:
    """A gallop of three times its length, and wide bases, which add to the reach of a charge."""
    changes = {"movement.charge": 3, "bases.foot": 2, "bases.mounted": 2}
    rules = patched(tmp_path, changes, mounted_charge_doubles=True)
    for mounted, inches in ((True, 51.0), (False, 15.0)):
        for gap, kind in ((inches - 0.1, True), (inches + 1.1, False)):
            red = bare_unit("red", "red", [man("red/1", "red", 50, 10, mounted=mounted, rides=mounted)])
            blue = bare_unit("blue", "blue", [man("blue/1", "blue", 50, 12 + gap, facing=180.0)])
            state = bare_battle(rules, [red, blue])
            red.figures["red/1"].last_gait = 3 * mounted
            charges = [act for act in acts(state, red) if isinstance(act, tuple) and act[0] in ("charge", "ride down")]
            assert bool(charges) is kind, (mounted, gap)


@pytest.mark.rule("FBN-050", "FBN-166", "FBN-174")
def test_panicking_riders_do_not_pass_through_bases(tmp_path: Path) -> None:
    rules = patched(tmp_path, {"gaits.gallop.most": 40})
    for y in (25.0, 15.0):
        wall = squad("wall", "blue", 30, (50, y), facing=0.0, weapon="none")
        red = bare_unit("red", "red", [man("red/1", "red", 50, 50, mounted=True, rides=True)])
        state = bare_battle(rules, [red, wall], field())
        figure = red.figures["red/1"]
        figure.reaction, figure.gl, figure.since, figure.last_gait, figure.ac = "flee", 7, 1, 3, 3
        with ScriptedTable(rules, state, []) as table:
            carry_out_panic(table, state, red)
        assert y < figure.y < 50 or abs(figure.x - 50) > 20, f"through the wall, to {figure.at}"


@pytest.mark.rule("FBN-265")
def test_distances_that_count_as_near(tmp_path: Path) -> None:
    wall = {"kind": "low_wall", "line": [[20, 30], [40, 30]]}
    wood = {"kind": "light_wood", "area": [[10, 40], [20, 40], [20, 50], [10, 50]]}
    goals = {
        "wall": {"kind": "hold", "name": "The wall", "points": 1, "terrain": "wall"},
        "wood": {"kind": "hold", "name": "The wood", "points": 1, "terrain": "wood"},
        "out": {"kind": "escort", "name": "Out", "points": 3, "by": ["army"], "units": ["foot"], "share": 0.5, "edge": "west"},
        "chest": {"kind": "carry_off", "name": "Chest", "points": 1, "object": "chest", "by": ["army"], "edge": "north"},
    }  # fmt: skip
    parts: dict[str, Any] = {
        "terrain": {"wall": wall, "wood": wood},
        "objectives": goals,
        "objects": {"chest": {"name": "Chest", "kind": "paychest", "position": [50, 10]}},
    }
    changes = {"objectives.take": 4, "objectives.edge": 3, "objectives.hold": 5}
    for rules, take, edge, hold in (
        (load_rules("fixed_baynet"), 2.0, 1.5, 1.0),
        (patched(tmp_path, changes), 4.0, 3.0, 5.0),
    ):
        made = FbnGame(rules, scenario({"foot": troops(figures=1)}, **parts))
        state = made.start()
        foot = state.units.change("foot")
        (figure,) = foot.figures.values()
        half = made.scenario.terrain["wall"].across / 2
        for name, x, y in (("wall", 30.0, 30 + half + hold), ("wood", 10 - hold, 45.0)):
            goal = made.scenario.objectives[name]
            assert isinstance(goal, Hold)
            figure.x, figure.y = x, y
            assert FbnScoreboard(state, made.scenario).holder(goal) == "army"
            figure.x, figure.y = x - 0.01, y + 0.01
            assert FbnScoreboard(state, made.scenario).holder(goal) is None
        for x, kinds in ((50 + take + 0.01, []), (50 + take, ["taken up"])):
            figure.x, figure.y = x, 10.0
            with dice(rules) as table:
                take_carried_objects(table, state)
                assert [event.kind for event in table.events] == kinds
        for x, gone in ((edge + 0.01, False), (edge, True)):
            figure.x = x
            with dice(rules) as table:
                leave_table(table, state, foot)
            assert foot.on_table is not gone


@pytest.mark.rule("FBN-011", "FBN-056")
def test_open_order_is_taken_up_as_wide_as_the_rule_has_it(tmp_path: Path) -> None:
    for changes in ({"spacing.least": 2, "spacing.most": 4}, {"spacing.least": 0, "spacing.most": 0.5}):
        made = FbnGame(patched(tmp_path, changes), scenario({"foot": troops(position=[30, 8])}))
        state = made.start()
        assert state.units["foot"].formation == "open" and is_formed(state, state.units["foot"])


@pytest.mark.rule("FBN-011", "FBN-202")
def test_a_battery_of_many_guns_finds_room_for_the_last_of_them(tmp_path: Path) -> None:
    """Six guns in line: the last is 10.6 inches from the middle, where other men may already be."""
    rules = patched(tmp_path, {"crew_size.battery": 6})
    guns = troops(arm="artillery", figures=24, weapon="none", gun={"kind": "field", "pieces": 6})
    made = FbnGame(rules, scenario({"foot": troops(figures=1), "guns": guns}))
    for away, told in ((12.0, "no room for the formation"), (16.0, "")):
        state = made.start()
        for key in state.units:
            state.units.change(key)
        (man,) = state.units["foot"].figures.values()
        man.x, man.y = 30 + away, 8.0
        state.units["foot"].measure()
        state.waiting = ["guns"]
        script = [("deploy facing", "north"), ("deploy at", (30.0, 8.0))]
        with ScriptedTable(rules, state, script) as table:
            if told:
                with pytest.raises(AssertionError, match=told):
                    set_up_next_unit(table, state, made.plan, "army")
            else:
                set_up_next_unit(table, state, made.plan, "army")
