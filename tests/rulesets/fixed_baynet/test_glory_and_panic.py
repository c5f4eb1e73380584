"""Glory, officers, deeds, panic and its reactions (chapters 14 and 15)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction as F
from typing import Any

import pytest
from tests.rulesets.fixed_baynet.plain import acts, ask, battle, box, field, man, scripted, squad
from tests.rulesets.fixed_baynet.scenarios import game, troops

from zareba.space.geometry import is_inside
from zareba.table import ScriptedTable
from zareba_rulesets.fixed_baynet.actions.activation import begin_activation, end_activation, perform_action
from zareba_rulesets.fixed_baynet.chapters.hits import remove_man, resolve_hit
from zareba_rulesets.fixed_baynet.chapters.morale import (
    check_half,
    glory_event,
    glory_phase,
    may_rally,
    order_back,
    rally_nearby,
    rally_targets,
    rally_unit,
    reward_deed,
    roll_recovery,
    start_panic,
    unit_glory,
    units_to_order_back,
    voluntary_check,
)
from zareba_rulesets.fixed_baynet.chapters.panic import act_in_panic, carry_out_panic
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.odds.stage import bare_unit


def event(state: Battle, unit: Unit, kind: str, *script: tuple[str, Any], **settings: Any) -> None:
    with scripted(state, *script, **settings) as table:
        glory_event(table, state, unit, kind)


# --- events and tests -----------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-022", "FBN-146")
@pytest.mark.setting("same_event_per_turn")
def test_an_event_worsens_gl_once_a_turn_or_each_time() -> None:
    for setting, gl in ((1, 5), ("unlimited", 6)):
        unit = squad("red", "red", 3)
        state = battle(unit, same_event_per_turn=setting)
        event(state, unit, "charge", same_event_per_turn=setting)
        event(state, unit, "charge", same_event_per_turn=setting)
        assert [figure.gl for figure in unit.figures.values()] == [gl] * 3


@pytest.mark.rule("FBN-140")
def test_the_loss_of_a_leader_or_bearer_is_an_event() -> None:
    for spec in ({"role": "nco"}, {"role": "officer"}, {"role": "hero"}, {"bearer": True}):
        unit = bare_unit(
            "red", "red", [man("red/1", "red", 0, 0, **spec), *(man(f"red/{i}", "red", i, 0) for i in range(2, 6))]
        )
        state = battle(unit)
        with scripted(state) as table:
            remove_man(table, state, unit, unit.figures["red/1"], "down", "fire")
        assert unit.events == ("banner",)


@pytest.mark.rule("FBN-141")
@pytest.mark.setting("half_strength_trigger")
def test_half_strength_counts_once_or_every_turn() -> None:
    for setting, second in (("once", ()), ("each_turn", ("half",))):
        unit = squad("red", "red", 4)
        state = battle(unit, half_strength_trigger=setting)
        with scripted(state, half_strength_trigger=setting) as table:
            remove_man(table, state, unit, unit.figures["red/1"], "down", "fire")
            assert not unit.events
            remove_man(table, state, unit, unit.figures["red/2"], "down", "fire")
            assert unit.events == ("half",)
            unit.events = ()
            unit.unmark("half turn")
            check_half(table, state, unit)
        assert unit.events == second
    lone = squad("lone", "red", 1)
    with scripted(battle(lone)) as table:
        check_half(table, battle(lone), lone)
    assert lone.events == ()


@pytest.mark.rule("FBN-012", "FBN-147", "FBN-148")
@pytest.mark.setting("glory_test_timing")
def test_the_test_comes_in_the_glory_phase_or_with_the_next_orders() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit)
    event(state, unit, "charge")
    with scripted(state, ("glory", [5])) as table:
        glory_phase(table, state)
    assert [figure.gl for figure in unit.figures.values()] == [4, 4] and unit.events == ()
    unit = squad("red", "red", 2)
    state = battle(unit, glory_test_timing="unit_orders")
    event(state, unit, "charge", glory_test_timing="unit_orders")
    with scripted(state, ("glory", [5]), glory_test_timing="unit_orders") as table:
        glory_phase(table, state)
        assert "due" in unit.marks
        begin_activation(table, state, unit)
    assert [figure.gl for figure in unit.figures.values()] == [4, 4] and unit.figures["red/1"].ac == 3


@pytest.mark.rule("FBN-148", "FBN-149", "FBN-157")
def test_one_die_is_compared_with_each_mans_own_gl() -> None:
    unit = squad("red", "red", 3)
    state = battle(unit)
    unit.figures["red/1"].gl, unit.figures["red/2"].gl = 5, 6
    assert unit_glory(state, unit) == 6
    unit.mark("due")
    with scripted(state, ("glory", [5])) as table:
        glory_phase(table, state)
    assert [figure.gl for figure in unit.figures.values()] == [4, 6, 4]
    for figure in unit.figures.values():
        figure.reaction = "freeze"
    assert unit_glory(state, unit) == 7


@pytest.mark.rule("FBN-150")
@pytest.mark.setting("glory_floor")
def test_success_stops_at_the_printed_gl_or_not() -> None:
    for setting, gl in (("base", 4), ("none", 3)):
        unit = squad("red", "red", 1)
        state = battle(unit, glory_floor=setting)
        unit.mark("due")
        with scripted(state, ("glory", [6]), glory_floor=setting) as table:
            glory_phase(table, state)
        assert unit.figures["red/1"].gl == gl


@pytest.mark.rule("FBN-151")
@pytest.mark.setting("glory_cap")
@pytest.mark.setting("panic_timing")
def test_seven_is_panic_at_once_or_in_the_glory_phase() -> None:
    unit = squad("red", "red", 1, gl=4)
    state = battle(unit)
    unit.figures["red/1"].gl = 6
    event(state, unit, "charge", ("panic", [1]))
    assert (unit.figures["red/1"].gl, unit.figures["red/1"].reaction) == (7, "flee")
    late: dict[str, Any] = {"panic_timing": "glory_phase"}
    for cap, gl in ((7, 7), ("none", 8)):
        unit = squad("red", "red", 1)
        state = battle(unit, glory_cap=cap, **late)
        unit.figures["red/1"].gl = 6
        event(state, unit, "charge", glory_cap=cap, **late)
        event(state, unit, "pinned", glory_cap=cap, **late)
        assert (unit.figures["red/1"].gl, unit.figures["red/1"].reaction) == (gl, "")
        with scripted(state, ("panic", [1]), glory_cap=cap, **late) as table:
            glory_phase(table, state)
        assert unit.figures["red/1"].reaction == "flee"


@pytest.mark.rule("FBN-158", "FBN-153", "FBN-171")
def test_events_leave_panicking_men_as_they_are() -> None:
    unit = squad("red", "red", 2)
    state = battle(unit)
    unit.figures["red/1"].reaction, unit.figures["red/1"].gl = "freeze", 7
    event(state, unit, "charge")
    assert (unit.figures["red/1"].gl, unit.figures["red/1"].reaction, unit.figures["red/2"].gl) == (7, "freeze", 5)
    with scripted(state) as table:
        begin_activation(table, state, unit)
    assert unit.figures["red/1"].reaction == "freeze" and len(unit.figures) == 2


@pytest.mark.rule("FBN-036", "FBN-034")
@pytest.mark.setting("voluntary_glory_check")
def test_a_voluntary_check_can_only_help() -> None:
    for setting, offered in ((True, True), (False, False)):
        unit = squad("red", "red", 2)
        state = battle(unit, voluntary_glory_check=setting)
        assert "check glory" not in acts(state, unit)
        unit.figures["red/1"].gl = 6
        assert ("check glory" in acts(state, unit)) is offered
    for die, gl in ((5, 6), (6, 5)):
        unit = squad("red", "red", 2)
        state = battle(unit)
        unit.figures["red/1"].gl = 6
        with scripted(state, ("voluntary glory check", [die])) as table:
            voluntary_check(table, state, unit)
        assert [(figure.gl, figure.ac) for figure in unit.figures.values()] == [(gl, 2), (4, 2)]
        assert "check glory" not in acts(state, unit)


# --- recovery -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-154", "FBN-155", "FBN-156")
@pytest.mark.setting("panic_check_target")
def test_when_and_how_a_man_recovers() -> None:
    def tries(role: str) -> list[bool]:
        found = []
        for turn in range(1, 6):
            unit = bare_unit("red", "red", [man("red/1", "red", 0, 0, role=role)])
            state = battle(unit)
            figure = unit.figures["red/1"]
            figure.reaction, figure.since, figure.gl, state.turn = "freeze", 1, 7, turn
            script = [("recovery", [4])] if (turn > 1 and (role == "nco" or turn % 2 == 0)) else []
            with scripted(state, *script) as table:
                roll_recovery(table, state, unit, figure)
            found.append(not figure.reaction)
            assert figure.gl == (6 if found[-1] else 7)
        return found

    assert tries("soldier") == [False, True, False, True, False]
    assert tries("nco") == [False, True, True, True, True]
    for setting, p in (("base", F(1, 2)), ("natural_six", F(1, 6))):
        assert ask("recovery", {"panic_check_target": setting}, gl=4).probability(lambda o: o.recovered) == p


# --- officers and deeds -----------------------------------------------------------------------------------------------------------


def command(
    away: float = 8.0, role: str = "officer", table: str = "european", **settings: Any
) -> tuple[Battle, Unit, Unit]:
    """A single leader and a squad of three at this distance, at GL 6."""
    chief = bare_unit("chief", "red", [man("chief/1", "red", 10, 10, role=role, table=table)])
    unit = squad("red", "red", 3, (10 + 1 + away + 2, 10))
    for figure in unit.figures.values():
        figure.gl = 6
    return battle(chief, unit, **settings), chief, unit


@pytest.mark.rule("FBN-159", "FBN-162")
@pytest.mark.setting("nearby_inches")
def test_an_officer_rallies_a_unit_near_him_without_a_die() -> None:
    state, chief, unit = command()
    officer = chief.figures["chief/1"]
    assert rally_targets(state, officer) == [unit]
    with scripted(state) as table:
        assert rally_unit(table, state, officer, unit) == 3
    assert [figure.gl for figure in unit.figures.values()] == [4, 4, 4] and officer.ac == 2
    assert rally_targets(state, officer) == []
    for inches, count in ((9, 0), (20, 1)):
        state, chief, _ = command(12, nearby_inches=inches)
        assert len(rally_targets(state, chief.figures["chief/1"])) == count


@pytest.mark.rule("FBN-159")
@pytest.mark.setting("nco_may_rally")
def test_who_may_rally() -> None:
    expected = {
        ("officer", "european"): True,
        ("hero", "native"): True,
        ("hero", "european"): False,
        ("nco", "european"): False,
    }
    for (role, table), may in expected.items():
        state, chief, _ = command(role=role, table=table)
        assert may_rally(state, chief.figures["chief/1"]) is may
    state, chief, _ = command(role="nco", nco_may_rally=True)
    assert may_rally(state, chief.figures["chief/1"])


@pytest.mark.rule("FBN-159")
def test_broken_men_are_gathered_into_a_new_unit() -> None:
    state, chief, unit = command(4.0)
    for figure in list(unit.figures.values())[:2]:
        figure.reaction, figure.gl, figure.since = "flee", 7, 1
    with scripted(state) as table:
        made = rally_nearby(table, state, chief.figures["chief/1"], merge=True)
    assert made is not None and list(made.figures) == ["chief/1", "red/1", "red/2"], "they are under him"
    assert list(unit.figures) == ["red/3"] and not chief.figures and made.start == 3
    assert [(figure.gl, figure.reaction, figure.ac) for figure in made.figures.values()] == [
        (4, "", 0), (5, "", 0), (5, "", 0),
    ]  # fmt: skip


@pytest.mark.rule("FBN-140", "FBN-159")
def test_the_officer_leads_those_whom_he_has_gathered() -> None:
    chief = squad("chief", "red", 4, (50, 50), leader="officer")
    unit = squad("red", "red", 3, (54, 50))
    for figure in [chief.figures["chief/4"], *list(unit.figures.values())[:2]]:
        figure.reaction, figure.gl, figure.since = "onwards", 7, 1
    state = battle(chief, unit)
    state.turn = 2
    with scripted(state, ("hit location", [1])) as table:
        state.active = "chief"
        chief.figures["chief/4"].mark("charged", "moved", "at blue")
        made = rally_nearby(table, state, chief.figures["chief/1"], merge=True)
        assert made is not None
        end_activation(table, state, chief)
        assert list(chief.figures) == ["chief/2", "chief/3"] and not chief.events
        assert not any(figure.marks & {"charged", "moved", "at blue"} for figure in made.figures.values())
        resolve_hit(table, state, made, made.figures["chief/1"], False, 1, "fire")
    assert made.events == ("banner",) and not chief.events


@pytest.mark.rule("FBN-015", "FBN-159")
def test_an_officer_by_himself_who_gathers_men_has_ended_his_activation() -> None:
    made = game({"foot": troops(position=[30, 10]), "boss": troops(figures=1, position=[30, 16])})
    state = made.start()
    boss = state.units.change("boss")
    officer = next(iter(boss.figures.values()))
    officer.spec = replace(officer.spec, role="officer")
    for figure in list(state.units.change("foot").figures.values())[:4]:
        figure.reaction, figure.gl, figure.since = "freeze", 7, 1
    state.phase, state.waiting = "actions", ["boss"]
    script = [("act", ("gather", "boss/1", True))]
    with ScriptedTable(made.rules, state, script) as table:
        for _ in ("actions.unit", "actions.act"):
            step = made.play.next_step(state)
            assert step is not None
            made.play.perform(table, state, step)
    assert state.active == "" and not state.waiting and len(state.units["gathered:army:1"].figures) == 5


@pytest.mark.rule("FBN-160")
def test_a_fall_back_helps_at_once_and_binds_the_next_activation() -> None:
    state, chief, unit = command()
    foe = squad("foe", "blue", 1, (unit.middle[0], 22), facing=180.0)
    state.units["foe"] = foe
    state.active = "chief"
    assert units_to_order_back(state, chief.figures["chief/1"]) == [unit]
    with scripted(state) as table:
        order_back(table, state, chief.figures["chief/1"], unit)
    assert [figure.gl for figure in unit.figures.values()] == [4, 4, 4]
    assert chief.figures["chief/1"].ac == 2, "the order costs the officer 1 AC"
    assert rally_targets(state, chief.figures["chief/1"]) == []
    with scripted(state) as table:
        begin_activation(table, state, unit)
    offered = acts(state, unit)
    assert "end" not in offered and "move" in offered and ("fire", "foe") in offered
    assert not any(isinstance(option, tuple) and option[0] == "charge" for option in offered)
    x, y = unit.middle
    with pytest.raises(AssertionError, match="FBN-160"), scripted(state, ("move to", (x, y + 3))) as table:
        perform_action(table, state, unit, "move")
    with scripted(state, ("move to", (x, y - 5))) as table:
        perform_action(table, state, unit, "move")
    assert "end" in acts(state, unit)


@pytest.mark.rule("FBN-161")
@pytest.mark.setting("heroic_deeds")
def test_deeds_hearten_friends_nearby() -> None:
    for setting, gl in ((True, 4), (False, 6)):
        state, chief, unit = command(heroic_deeds=setting)
        chief.dealt, chief.lost = 3, 1
        with scripted(state, heroic_deeds=setting) as table:
            reward_deed(table, state, chief)
        assert unit.figures["red/1"].gl == gl
    state, chief, unit = command()
    chief.dealt, chief.lost = 2, 1
    with scripted(state) as table:
        reward_deed(table, state, chief)
    assert unit.figures["red/1"].gl == 6
    chief.mark("deed")
    with scripted(state) as table:
        reward_deed(table, state, chief)
        reward_deed(table, state, chief)
    assert unit.figures["red/1"].gl == 4


@pytest.mark.rule("FBN-161")
def test_taking_a_leader_is_a_deed() -> None:
    red, blue = squad("red", "red", 2), squad("blue", "blue", 2, (10, 10), leader="nco")
    state = battle(red, blue)
    with scripted(state) as table:
        remove_man(table, state, blue, blue.figures["blue/1"], "down", "fire", red)
    assert "deed" in red.marks


# --- panic reactions -----------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("FBN-030", "FBN-152", "FBN-163")
@pytest.mark.setting("panic_row_reads")
def test_the_table_of_reactions_by_quality() -> None:
    expected = {
        "green": ["flee", "freeze", "onwards", "onwards", "onwards", "berserk"],
        "regular": ["flee", "onwards", "onwards", "prone", "take_cover", "berserk"],
        "elite": ["flee", "prone", "prone", "take_cover", "take_cover", "berserk"],
    }
    for column, reactions in expected.items():
        for die, reaction in enumerate(reactions, start=1):
            unit = bare_unit("red", "red", [man("red/1", "red", 0, 0, column=column)])
            state = battle(unit)
            with scripted(state, ("panic", [die])) as table:
                start_panic(table, state, unit, unit.figures["red/1"])
            assert unit.figures["red/1"].reaction == reaction
            assert unit.figures["red/1"].prone is (reaction == "prone")
    unit = bare_unit("red", "red", [man("red/1", "red", 0, 0, column="green")])
    state = battle(unit, panic_row_reads="reroll")
    with scripted(state, ("panic", [2]), ("panic", [3]), panic_row_reads="reroll") as table:
        start_panic(table, state, unit, unit.figures["red/1"])
    assert unit.figures["red/1"].reaction == "onwards"
    assert ask("panic", {"panic_row_reads": "reroll"}, column="green").mean(lambda o: o.onwards) == F(3, 5)


def panicked(
    reaction: str,
    at: tuple[float, float] = (50, 50),
    foe: tuple[float, float] = (50, 62),
    on: Any = None,
    *script: tuple[str, Any],
    settings: dict[str, Any] | None = None,
    **spec: Any,
) -> tuple[Battle, Unit, Unit]:
    """Play the activation of a man in panic."""
    unit = bare_unit("red", "red", [man("red/1", "red", *at, **spec)])
    other = squad("blue", "blue", 1, foe, facing=180.0, weapon="none")
    state = battle(unit, other, on=on or field(), **(settings or {}))
    figure = unit.figures["red/1"]
    figure.reaction, figure.gl, figure.since = reaction, 7, 1
    with scripted(state, *script, **(settings or {})) as table:
        carry_out_panic(table, state, unit)
    return state, unit, other


@pytest.mark.rule("FBN-165")
def test_freeze() -> None:
    _, unit, _ = panicked("freeze")
    assert (unit.figures["red/1"].at, unit.figures["red/1"].ac) == ((50, 50), 3)


@pytest.mark.rule("FBN-166")
def test_flee_runs_to_the_deployment_area_and_stays() -> None:
    state, unit, _ = panicked("flee", at=(50, 40))
    assert unit.figures["red/1"].at == (50, 25)
    state, unit, _ = panicked("flee", at=(50, 14))
    assert is_inside(unit.figures["red/1"].at, state.field.deployment["red"][0])
    before = unit.figures["red/1"].at
    unit.figures["red/1"].ac = 3
    with scripted(state) as table:
        act_in_panic(table, state, unit, unit.figures["red/1"])
    assert unit.figures["red/1"].at == before
    _, rider, _ = panicked("flee", at=(50, 60), foe=(50, 90), mounted=True)
    assert rider.figures["red/1"].gait == 1 and rider.figures["red/1"].y == 53


@pytest.mark.rule("FBN-167")
def test_take_cover_goes_to_free_cover_near_and_shoots() -> None:
    wood = field(("light_forest", list(box(48, 53, 52, 56))))
    _, unit, _ = panicked(
        "take_cover", (50, 50), (50, 62), wood, ("aim at", "blue/1"), ("shot", [2]), ("aim at", "hold fire")
    )
    assert wood.pieces[0].holds(unit.figures["red/1"].at)
    _, unit, _ = panicked("take_cover", (50, 50), (50, 55), wood, ("aim at", "hold fire"))
    assert unit.figures["red/1"].at == (50, 50)
    far = field(("light_forest", list(box(48, 70, 52, 75))))
    _state, unit, _ = panicked("take_cover", (50, 50), (50, 62), far, ("aim at", "hold fire"))
    assert unit.figures["red/1"].at == (50, 50)


@pytest.mark.rule("FBN-168")
def test_prone_only_shoots_and_drops_again() -> None:
    _, unit, _ = panicked(
        "prone", (50, 50), (50, 62), None, ("aim at", "blue/1"), ("shot", [2]), ("aim at", "hold fire")
    )
    figure = unit.figures["red/1"]
    assert figure.marks >= {"prone", "shown"} and figure.ac == 2 and figure.at == (50, 50)


@pytest.mark.rule("FBN-169")
@pytest.mark.setting("berserk_targets")
def test_berserk_shoots_at_the_nearest_friend_or_foe() -> None:
    for setting, hit in (("anyone", "friend"), ("enemy", "blue")):
        unit = bare_unit("red", "red", [man("red/1", "red", 50, 50)])
        friend, foe = squad("friend", "red", 1, (50, 55)), squad("blue", "blue", 1, (50, 60), weapon="none")
        state = battle(unit, friend, foe, on=field(), berserk_targets=setting)
        unit.figures["red/1"].reaction, unit.figures["red/1"].ac = "berserk", 1
        with scripted(state, ("shot", [12]), berserk_targets=setting) as table:
            carry_out_panic(table, state, unit)
        assert not state.units[hit].figures


@pytest.mark.rule("FBN-169")
def test_berserk_ties_are_diced_for_and_without_a_shot_he_strikes() -> None:
    unit = bare_unit("red", "red", [man("red/1", "red", 50, 50)])
    left, right = squad("left", "blue", 1, (45, 50), weapon="none"), squad("right", "blue", 1, (55, 50), weapon="none")
    state = battle(unit, left, right, on=field())
    unit.figures["red/1"].reaction, unit.figures["red/1"].ac = "berserk", 1
    with scripted(state, ("nearest of equals", "right/1"), ("shot", [12])) as table:
        carry_out_panic(table, state, unit)
    assert left.figures and not right.figures
    _, unit, other = panicked(
        "berserk", (50, 50), (50, 54), None, ("blow", [3]), ("parry", [3]), ("blow", [6]), ("parry", [1]), weapon="none"
    )
    assert not other.figures and unit.figures["red/1"].y > 52


@pytest.mark.rule("FBN-170")
def test_onwards_charges_the_nearest_enemy_without_an_event() -> None:
    _, unit, other = panicked(
        "onwards", (50, 50), (50, 58), None, ("blow", [3]), ("parry", [3]), ("blow", [6]), ("parry", [1])
    )
    assert not other.figures and unit.events == ()
    _, unit, other = panicked("onwards", (50, 20), (50, 58))
    assert unit.figures["red/1"].y == 35 and other.figures


@pytest.mark.rule("FBN-164")
def test_panicking_men_act_before_the_others_nearest_to_the_enemy_first() -> None:
    unit = bare_unit(
        "red", "red", [man("red/1", "red", 50, 50), man("red/2", "red", 52, 53), man("red/3", "red", 54, 50)]
    )
    foe = squad("blue", "blue", 1, (52, 64), weapon="none", facing=180.0)
    state = battle(unit, foe, on=field())
    for key in ("red/1", "red/2"):
        unit.figures[key].reaction = "onwards"
    misses = [("blow", [3]), ("parry", [3])] * 3
    with scripted(state, *misses) as table:
        begin_activation(table, state, unit)
        order = [event.data["figure"] for event in table.events if event.kind == "blow"]
    assert order == ["red/2", "red/2", "red/1"]
    assert unit.figures["red/3"].at == (54, 50)
