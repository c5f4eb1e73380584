"""Action throws and what units do by them (RSK-127 to RSK-149, RSK-191 to RSK-193)."""

from __future__ import annotations

from math import dist
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, ground, leader, line, rules_with, scene, troops

from zareba_rulesets.risk_factor.actions import action_throws
from zareba_rulesets.risk_factor.body import Body
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.charge import attack
from zareba_rulesets.risk_factor.manoeuvre import act, doing, surrounded, to_move
from zareba_rulesets.risk_factor.weapons import action_table

WALL = line("wall", "works", (0, 53), (200, 53))


def row(count: int, y: float, x: float = 50.0) -> list[tuple[float, float]]:
    return [(x + 2.75 * i, y) for i in range(count)]


def throw(field: Scene, *dice: int, why: str = "action", more: tuple[tuple[str, Any], ...] = ()) -> None:
    with field.script(*((why, [die]) for die in dice), *more) as table:
        action_throws(table, field.battle)


def go_on(field: Scene, name: str = "a", *answers: tuple[str, Any]) -> float:
    """Carry out a unit's result; how far its centre came."""
    before = field[name].body.centre
    with field.script(*answers) as table:
        act(table, field.battle, field[name])
    return dist(before, field[name].body.centre) if field[name].hurt else 0.0


# --- the tables --------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-130", "RSK-131", "RSK-132", "RSK-133", "RSK-134", "RSK-136")
def test_the_two_tables() -> None:
    book = RskBook(rules_with())

    def row_of(table: str, risk: int, back: bool = False) -> str:
        words = {
            "continue": "c",
            "towards": "t",
            "halt_in_cover": "i",
            "halt": "H",
            "advance": "A",
            "attack": "X",
            "retreat": "R",
            "rout": "F",
        }
        return "".join(words[book.action(table, risk, die, back)] for die in range(1, 7))

    assert [row_of("missile", risk) for risk in (-4, 0, 1, 2, 5, 6, 8, 9, 30)] == [
        "ccccct", "ccccct", "HAAAAX", "RHHAAA", "RHHAAA", "FRHHHA", "FRHHHA", "FFFRRH", "FFFRRH",
    ]  # fmt: skip
    assert [row_of("melee", risk) for risk in (-4, 0, 1, 2, 3, 6, 7, 8, 9)] == [
        "ccccct", "ccccct", "HAAXXX", "HAAXXX", "RHHAXX", "RHHAXX", "FRRHHX", "FRRHHX", "FFFRRH",
    ]  # fmt: skip
    assert row_of("missile", 0, back=True) == row_of("melee", -4, back=True) == "ccccii"
    assert row_of("melee", 3, back=True) == "RHHAXX"


@pytest.mark.rule("RSK-127")
@pytest.mark.setting("actions.die_modifier")
def test_the_die_is_plain_or_modified() -> None:
    def result(die: int, **settings: Any) -> str:
        field = scene(
            troops("a", "red", (50, 50), status="steady", action="halt", superior_quality=False),
            troops("e", "blue", (50, 180), weapon="rifle"),
            **settings,
        )
        throw(field, die)
        return field["a"].result

    assert result(3) == "advance"
    assert result(3, actions_die_modifier=1) == "attack"
    assert result(1, actions_die_modifier=-5) == "halt"
    assert result(6, actions_die_modifier=5) == "attack"


@pytest.mark.rule("RSK-130")
def test_who_uses_which_table() -> None:
    def sheet(**traits: Any) -> str:
        field = scene(troops("a", "red", (50, 50), 4, **traits))
        return action_table(field.battle, field["a"])

    assert sheet(weapon="rifle") == sheet(weapon="bow") == sheet(weapon="rifle", armed=2) == "missile"
    assert sheet(weapon="rifle", armed=1) == sheet(weapon="spear") == sheet(close="sword") == "melee"
    assert sheet(close="sword", table="missile") == "missile"


# --- one frozen view ---------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-037", "RSK-043", "RSK-113")
def test_all_risk_factors_are_taken_before_any_result_stands() -> None:
    """The rout of the first does not frighten the second, who throws after it."""
    field = scene(
        troops("a", "red", (50, 50), 8, dead=2, hurt=5, status="routing"),
        troops("b", "red", (80, 50), 10),
        troops("e", "blue", (65, 180), 5, weapon="rifle"),
    )
    field["a"].status = "steady"
    throw(field, 1, 4)
    assert field["a"].status == "routing"
    assert field.battle.risk["b"] == 1
    assert list(field.battle.risk) == ["a", "b"]


@pytest.mark.rule("RSK-144")
def test_any_later_result_ends_a_rout() -> None:
    for die, status in ((1, "routing"), (2, "retreating"), (4, "steady")):
        field = scene(
            troops("a", "red", (50, 50), 6, dead=4, status="routing", action="rout"),
            troops("e", "blue", (50, 180), 5, close="sword"),
        )
        throw(field, die)
        assert field.battle.risk["a"] == 7
        assert field["a"].status == status


# --- commanded troops ----------------------------------------------------------------------------------------------------------


def shaken(die: int, *marks: str, **settings: Any) -> Scene:
    field = scene(
        troops("a", "red", (50, 50), 7, dead=3, marks=marks),
        troops("e", "blue", (50, 180), 5, close="sword"),
        **settings,
    )
    throw(field, die)
    return field


@pytest.mark.rule("RSK-066", "RSK-128", "RSK-129")
@pytest.mark.setting("actions.blue")
def test_what_is_not_blue_binds_commanded_troops() -> None:
    assert "bound" in shaken(1, "commanded")["a"].marks
    assert shaken(1, "commanded")["a"].status == "retreating"
    for die in (2, 4, 6):
        assert "free" in shaken(die, "commanded")["a"].marks
    assert not {"free", "bound"} & shaken(4)["a"].marks
    strict = {"actions_blue": "continue attack advance"}
    assert "bound" in shaken(2, "commanded", **strict)["a"].marks
    assert "free" in shaken(4, "commanded", **strict)["a"].marks


@pytest.mark.rule("RSK-149", "RSK-192")
@pytest.mark.setting("actions.pc_rolls")
def test_player_characters_throw_or_share_the_result_of_their_group() -> None:
    def near(die: int, **settings: Any) -> Scene:
        field = scene(
            troops("a", "red", (50, 50), 7, dead=3),
            leader("pc", "red", (50, 45), marks=["linked"]),
            leader("nco", "red", (55, 45), "nco"),
            troops("e", "blue", (50, 180), 5, close="sword"),
            commanders=["pc"],
            **settings,
        )
        throw(field, die)
        return field

    bound = near(1)
    assert "bound" in bound["pc"].marks and bound["pc"].status == bound["nco"].status == "retreating"
    assert "free" in near(4)["pc"].marks and "free" not in near(4)["nco"].marks
    assert "free" in near(1, actions_pc_rolls="free")["pc"].marks
    alone = scene(leader("pc", "red", (50, 50), marks=["linked"]), troops("e", "blue", (50, 180), 5), commanders=["pc"])
    throw(alone, 3)
    assert alone["pc"].result == "continue" and "free" in alone["pc"].marks


# --- works and cover ------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-135")
@pytest.mark.setting("actions.fortified_hold")
def test_nobody_leaves_works_he_defends() -> None:
    def result(die: int, risk: int, **settings: Any) -> str:
        more: dict[str, Any] = {"weapon": "rifle"} if risk else {"close": "sword"}
        field = scene(
            troops("a", "red", (0, 0), at=row(6, 51), hurt=2 if risk else 0),
            troops("e", "blue", (60, 120), 5, **more),
            terrain=[WALL],
            **settings,
        )
        throw(field, die)
        return doing(field["a"])

    assert result(6, 0) == "halt"
    assert result(6, 3) == "attack"
    assert result(6, 3, actions_fortified_hold="always") == "halt"


@pytest.mark.rule("RSK-141")
@pytest.mark.setting("victory.stay_in_cover_counts")
def test_in_cover_with_half_its_strength_a_unit_may_stay() -> None:
    def retreat(count: int, *answers: tuple[str, Any], solo: tuple[str, ...] = ("red",), **settings: Any) -> Scene:
        field = scene(
            troops("a", "red", (0, 0), at=row(count, 51), dead=10 - count, hurt=0, status="steady"),
            troops("e", "blue", (60, 120), 5, weapon="rifle"),
            terrain=[WALL],
            solo=solo,
            **settings,
        )
        throw(field, 1, more=answers)
        return field

    assert (retreat(5)["a"].status, doing(retreat(5)["a"])) == ("steady", "halt")
    assert retreat(4)["a"].status == "retreating"
    assert retreat(5, ("stay in cover", False), solo=())["a"].status == "retreating"
    assert retreat(5, ("stay in cover", True), solo=())["a"].status == "steady"
    assert retreat(5, victory_stay_in_cover_counts=True)["a"].status == "retreating"


# --- doing it --------------------------------------------------------------------------------------------------------------------


def told(result: str, *others: Any, terrain: Any = (), solo: tuple[str, ...] = ("red",), **traits: Any) -> Scene:
    """A unit of four at (50, 50) with a result, and enemies."""
    unit = troops("a", "red", (0, 0), at=row(4, 50), result=result, **traits)
    return scene(unit, *others, terrain=terrain, solo=solo)


def enemy(gap: float, **traits: Any) -> Any:
    return troops("e", "blue", (0, 0), at=row(4, 52.5 + gap), **traits)


@pytest.mark.rule("RSK-134", "RSK-146")
def test_continue_repeats_the_current_action() -> None:
    assert go_on(told("continue", enemy(100), action="advance")) == pytest.approx(25)
    assert go_on(told("continue", enemy(100), action="halt")) == 0
    march = told("continue", action="march", goal=(54.0, 150.0))
    assert go_on(march) == pytest.approx(25)
    assert doing(told("towards", enemy(100), action="halt")["a"]) == "advance"
    touching = told("advance", troops("e", "blue", (0, 0), at=[(50, 52.5)]))
    assert go_on(touching) == 0


@pytest.mark.rule("RSK-134", "RSK-193")
def test_with_no_enemy_in_sight_or_known_an_advance_stays() -> None:
    assert go_on(told("towards")) == 0
    assert go_on(told("advance")) == 0
    known = told("advance", enemy(100), terrain=[line("screen", "high_wall", (0, 100), (299, 100))])
    assert go_on(known) == 0
    known.battle.known = {"e": Body(((54.0, 90.0),), 1.25)}
    assert go_on(known) > 20


@pytest.mark.rule("RSK-134")
def test_a_six_with_nobody_in_sight_lets_a_march_go_on() -> None:
    def doing_at(die: int, *others: Any) -> str:
        field = scene(troops("a", "red", (50, 50), 4, action="march", goal=(54.0, 150.0)), *others)
        throw(field, die)
        to_move(field.battle)
        assert field.battle.risk["a"] <= 0
        return field["a"].action

    assert doing_at(6) == doing_at(5) == "march"
    foe = troops("e", "blue", (50, 180), 4, close="sword")
    assert (doing_at(6, foe), doing_at(5, foe)) == ("advance", "march")


@pytest.mark.rule("RSK-138")
def test_missile_troops_stop_at_medium_range() -> None:
    assert go_on(told("advance", enemy(100), weapon="rifle", loading="breech")) == pytest.approx(10, abs=0.5)
    assert go_on(told("advance", enemy(80), weapon="rifle", loading="breech")) == 0
    assert go_on(told("advance", enemy(100), weapon="musket", loading="muzzle")) == pytest.approx(25)


@pytest.mark.rule("RSK-138", "RSK-137")
def test_close_combat_troops_attack_from_fifty_cm() -> None:
    for gap, action in ((50, "attack"), (50.5, "advance")):
        field = told("advance", enemy(gap), close="spear")
        moves, charges = to_move(field.battle)
        assert (field["a"].action, charges == ["a"], moves == ["a"]) == (
            action,
            action == "attack",
            action == "advance",
        )


@pytest.mark.rule("RSK-137")
@pytest.mark.setting("attack.native_bonus_when_commanded")
def test_natives_attack_a_die_farther() -> None:
    def contact(*marks: str, throws: bool = True, **settings: Any) -> bool:
        unit = troops("a", "red", (0, 0), at=[(50, 50)], native=True, close="spear", marks=marks)
        field = scene(unit, troops("e", "blue", (0, 0), at=[(50, 52.5 + 28)]), **settings)
        with field.script(*([("attack", [3])] if throws else [])) as table:
            attack(table, field.battle, field["a"])
        return bool(field.battle.touching(field["a"]))

    assert contact() and contact("free")
    assert not contact("free", throws=False, attack_native_bonus_when_commanded=False)


@pytest.mark.rule("RSK-139")
def test_halt_only_turns() -> None:
    field = told("halt", troops("e", "blue", (150, 52), 4))
    moves, charges = to_move(field.battle)
    assert not moves and not charges
    assert field["a"].facing == pytest.approx(90, abs=3)
    assert field["a"].action == "halt"


@pytest.mark.rule("RSK-140")
def test_retreat_into_cover_farther_off_or_straight_away() -> None:
    wood = ground("wood", "wood", [(45, 30), (65, 30), (65, 40), (45, 40)])
    field = told("retreat", enemy(40), terrain=[wood])
    go_on(field)
    assert field["a"].body.centre == pytest.approx((54.1, 38.75), abs=0.1)
    away = told("retreat", enemy(40))
    assert go_on(away) == pytest.approx(25) and away["a"].body.centre[1] == pytest.approx(25, abs=0.5)
    asked = told("retreat", enemy(40), terrain=[wood], solo=())
    assert go_on(asked, "a", ("retreat", "away")) == pytest.approx(17.5, abs=0.1)
    front = ground("front", "wood", [(45, 60), (65, 60), (65, 70), (45, 70)])
    assert go_on(told("retreat", enemy(40), terrain=[front])) == pytest.approx(25)


@pytest.mark.rule("RSK-136")
def test_those_falling_back_halt_in_the_nearest_cover() -> None:
    wood = ground("wood", "wood", [(45, 30), (65, 30), (65, 40), (45, 40)])
    field = told("halt_in_cover", enemy(60), terrain=[wood], action="retreat", status="retreating")
    assert go_on(field) > 10
    assert (field["a"].status, field["a"].action) == ("steady", "halt")
    assert min(field["a"].facing, 360 - field["a"].facing) < 10
    bare = told("halt_in_cover", enemy(60), action="retreat", status="retreating")
    assert go_on(bare) == 0 and bare["a"].status == "steady"


@pytest.mark.rule("RSK-136", "RSK-140")
@pytest.mark.parametrize(
    ("edge", "reached"),
    [(40.0, True), (28.0, True), (27.0, False), (17.0, False)],
)
def test_cover_is_reached_at_its_near_side(edge: float, reached: bool) -> None:
    """A wood far deeper than a move, `edge` its near side: the unit goes just inside, if a move pays for it."""
    wood = ground("wood", "wood", [(0, -200), (200, -200), (200, edge), (0, edge)])
    field = told("halt_in_cover", enemy(60), terrain=[wood], action="retreat", status="retreating", width=4)
    assert (go_on(field) > 0) is reached
    inside = [y < edge for _, y in field["a"].body.at]
    assert all(inside) is reached
    if reached:
        assert field["a"].body.centre[1] == pytest.approx(edge - 1.25, abs=0.1)


@pytest.mark.rule("RSK-136")
def test_who_falls_back_inside_a_wood_halts_where_he_is() -> None:
    wood = ground("wood", "wood", [(0, 0), (200, 0), (200, 60), (0, 60)])
    field = told("halt_in_cover", enemy(60), terrain=[wood], action="retreat", status="retreating")
    assert go_on(field) == 0 and field["a"].status == "steady"


@pytest.mark.rule("RSK-143")
def test_routers_take_no_prisoners() -> None:
    """The nearest enemies rout themselves; the group surrenders to those who hold their ground."""
    field = scene(
        troops("a", "red", (0, 0), at=[(100, 100)], status="routing", result="rout"),
        troops("e", "blue", (0, 0), at=ring((20, 95, 170, 250, 320))),
        troops("runs", "blue", (0, 0), at=[(100, 110)], status="routing"),
    )
    go_on(field)
    assert field.battle.captives[0].captor == "e"


@pytest.mark.rule("RSK-142", "RSK-193")
def test_rout_runs_five_cm_more_from_all_enemies_near() -> None:
    field = told("rout", enemy(20), status="routing")
    assert go_on(field) == pytest.approx(30)
    two = told("rout", enemy(20), troops("f", "blue", (0, 0), at=[(90, 50)]), status="routing")
    go_on(two)
    assert two["a"].body.centre[0] < 50 and two["a"].body.centre[1] < 50
    blind = told("rout", status="routing", facing=90.0)
    go_on(blind)
    assert blind["a"].body.centre[0] == pytest.approx(54.1 - 30, abs=0.5)


def ring(bearings: tuple[int, ...], away: float = 20.0) -> list[tuple[float, float]]:
    from math import cos, radians, sin

    return [(100 + away * sin(radians(b)), 100 + away * cos(radians(b))) for b in bearings]


@pytest.mark.rule("RSK-143")
@pytest.mark.setting("rout.escape_gap")
def test_surrounded_routers_surrender() -> None:
    def caught(bearings: tuple[int, ...], terrain: Any = (), **settings: Any) -> Scene:
        return scene(
            troops("a", "red", (0, 0), at=[(100, 100)], status="routing", result="rout"),
            troops("e", "blue", (0, 0), at=ring(bearings)),
            terrain=terrain,
            **settings,
        )

    assert surrounded(caught((20, 95, 170, 250, 320)).battle, caught((20, 95, 170, 250, 320))["a"])
    assert not surrounded(caught((0, 90, 180, 270)).battle, caught((0, 90, 180, 270))["a"])
    wide = caught((0, 90, 180, 270), rout_escape_gap=91)
    assert surrounded(wide.battle, wide["a"])
    field = caught((20, 95, 170, 250, 320))
    go_on(field)
    assert field.battle.gone == {"a": "captured"} and field.battle.held_by(field["e"]) == 1
    river = ground("river", "closed", [(0, 70), (200, 70), (200, 80), (0, 80)])
    assert surrounded(caught((0, 60, 300), [river]).battle, caught((0, 60, 300), [river])["a"])
    routing_foes = caught((20, 95, 170, 250, 320))
    routing_foes["e"].status = "routing"
    assert not surrounded(routing_foes.battle, routing_foes["a"])


@pytest.mark.rule("RSK-145")
def test_routers_over_the_edge_are_lost_but_no_casualties() -> None:
    unit = troops("a", "red", (0, 0), at=row(4, 10), result="rout", status="routing")
    field = scene(unit, troops("e", "blue", (0, 0), at=row(4, 40)))
    go_on(field)
    assert field.battle.gone == {"a": "fled"} and field["a"].dead == 0


@pytest.mark.rule("RSK-145", "RSK-192")
@pytest.mark.parametrize(("y", "fled"), [(10.0, True), (60.0, False)])
def test_leaders_without_orders_flee_with_their_group(y: float, fled: bool) -> None:
    unit = troops("a", "red", (0, 0), at=row(4, y), result="rout", status="routing")
    chief, free = leader("chief", "red", (52, y - 4)), leader("pc", "red", (58, y - 4), marks=["free"])
    field = scene(unit, chief, free, troops("e", "blue", (0, 0), at=row(4, y + 30)))
    go_on(field)
    assert ("chief" in field.battle.gone) is ("a" in field.battle.gone) is fled
    assert "pc" not in field.battle.gone


@pytest.mark.rule("RSK-146")
def test_in_contact_only_going_back_moves_a_unit() -> None:
    for result, moves in (
        ("attack", False),
        ("advance", False),
        ("continue", False),
        ("retreat", True),
        ("rout", True),
    ):
        field = told(result, troops("e", "blue", (0, 0), at=row(4, 52.5)), action="attack")
        assert (go_on(field) > 1) is moves, result


# --- platoons ---------------------------------------------------------------------------------------------------------------------


def platoon(*others: Any, gap: float = 4.0, shaken: bool = False, **settings: Any) -> Scene:
    squad: dict[str, Any] = {"platoon": "p", "formed": True, "weapon": "rifle", "loading": "breech"}
    return scene(
        troops("a", "red", (0, 0), at=row(4, 50), dead=2 if shaken else 0, **squad),
        troops("b", "red", (0, 0), at=row(4, 50, x=50 + 3 * 2.75 + 2.5 + gap), dead=2 if shaken else 0, **squad),
        leader("nco", "red", (54, 46), "nco"),
        troops("e", "blue", (60, 150), 5, weapon="rifle"),
        *others,
        **settings,
    )


@pytest.mark.rule("RSK-147", "RSK-049")
@pytest.mark.setting("actions.platoon_roll")
def test_a_platoon_throws_as_one_when_the_result_is_blue() -> None:
    field = platoon()
    throw(field, 2, why="platoon action")
    assert field["a"].result == field["b"].result == "advance"
    bad = platoon(shaken=True)
    throw(bad, 1, why="platoon action", more=(("action", [4]), ("action", [1])))
    assert (bad["a"].result, bad["b"].result) == ("advance", "retreat")
    stands = platoon(shaken=True, actions_platoon_roll="shared_always")
    throw(stands, 1, why="platoon action")
    assert stands["a"].result == stands["b"].result == "retreat"
    alone = platoon(actions_platoon_roll="off")
    throw(alone, 2, 1)
    assert (alone["a"].result, alone["b"].result) == ("advance", "halt")


@pytest.mark.rule("RSK-147")
@pytest.mark.parametrize("spoil", ["gap", "leader", "commanded", "irregular"])
def test_what_keeps_squads_from_throwing_together(spoil: str) -> None:
    field = platoon(gap=6.0 if spoil == "gap" else 4.0)
    if spoil == "leader":
        field["nco"].body = field["nco"].body.shifted(0, -30)
        throw(field, 2, 1, 1)
        return
    if spoil == "commanded":
        field["b"].mark("commanded")
    if spoil == "irregular":
        field.battle.units["b"] = troops(
            "b", "red", (0, 0), at=row(4, 50, x=64.75), platoon="p", weapon="rifle", loading="breech"
        )
    throw(field, 2, 1)
    assert (field["a"].result, field["b"].result) == ("advance", "halt")


@pytest.mark.rule("RSK-147", "RSK-136")
def test_at_nought_each_squad_reads_the_shared_die_on_its_own_row() -> None:
    field = platoon()
    field.battle.units["e"] = troops("e", "blue", (60, 150), 5, close="sword")
    field["b"].action = "retreat"
    throw(field, 6, why="platoon action")
    assert (field["a"].result, field["b"].result) == ("towards", "halt_in_cover")
