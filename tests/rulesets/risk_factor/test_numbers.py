"""Numbers of `ruleset.yaml` that house rules may change: each change has an effect, and wrong ones are refused."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, battle_of, ground, line, row, scene, throw, troops
from tests.rulesets.risk_factor.skirmishes import game

from zareba.base.errors import FileError, ZarebaError
from zareba.battle.carried_objects import CarriedObject
from zareba.registry import find_house_rule, load_rules
from zareba.rules import Rules
from zareba.space.field.pieces import TerrainPiece
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.chapters.action_throws import action_throws
from zareba_rulesets.risk_factor.chapters.casualties import KILL, WOUND
from zareba_rulesets.risk_factor.chapters.melee import Fighter, push_back, resolve_blows
from zareba_rulesets.risk_factor.chapters.movement import must_kill
from zareba_rulesets.risk_factor.chapters.prisoners import free_prisoners, take_prisoners
from zareba_rulesets.risk_factor.chapters.setting_up import move_markers
from zareba_rulesets.risk_factor.chapters.victory import leave_table, take_carried_objects
from zareba_rulesets.risk_factor.forces import Marker, action_table
from zareba_rulesets.risk_factor.ground import Field, in_cover_near

Changed = dict[str, tuple[Any, Any]]
RIFLE: dict[str, Any] = {"weapon": "rifle", "loading": "breech"}


def house(folder: Path, changes: Changed) -> Rules:
    """Return the rules with some numbers changed: path -> (old value, new value)."""
    file = folder / "house.yaml"
    lines = "\n".join(f"  - {{at: {at}, was: {was}, to: {to}, why: we think so}}" for at, (was, to) in changes.items())
    file.write_text(f"house_rule: house\ntitle: House\nruleset: risk_factor\nchanges:\n{lines}\n", encoding="utf-8")
    return load_rules("risk_factor", house_rules=[find_house_rule(str(file))])


@pytest.mark.rule("RSK-173")
def test_from_which_die_a_blow_wounds_and_kills(tmp_path: Path) -> None:
    mild = RskBook(house(tmp_path, {"blows.wound": (5, 4), "blows.kill": (6, 7)}))
    for die, now, then in ((4, [], [WOUND]), (5, [WOUND], [WOUND]), (6, [KILL], [WOUND])):
        for numbers, effects in ((RskBook(load_rules("risk_factor")), now), (mild, then)):
            assert [
                blow.effect for blow in resolve_blows(Fighter("s", die, die), [Fighter(0, 1, 1)], numbers)
            ] == effects


@pytest.mark.rule("RSK-005", "RSK-161")
@pytest.mark.parametrize(("contact", "free"), [(0.1, False), (0.6, True)])
def test_from_how_far_a_friend_frees_prisoners(tmp_path: Path, contact: float, free: bool) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 20)]),
        troops("b", "blue", (0, 0), at=[(50, 22.5)]),
        troops("friend", "blue", (0, 0), at=[(50, 62)]),
        rules=house(tmp_path, {"lengths.contact.cm": (0.1, contact)} if free else {"lengths.guard.cm": (5.0, 4.0)}),
    )
    with field.script() as table:
        take_prisoners(table, field.battle, field["b"], [0], field["a"])
        (captives,) = field.battle.captives
        captives.body = field["friend"].body.moved_by(0, -3.0)
        free_prisoners(table, field.battle)
    assert bool(field["b"].count) is free


@pytest.mark.rule("RSK-177")
@pytest.mark.setting("melee.result_measure")
@pytest.mark.parametrize(("weight", "back"), [(2, ["red", "blue"]), (3, ["red"]), (1, ["blue"])])
def test_weight_of_a_kill_in_the_melee_result(tmp_path: Path, weight: int, back: list[str]) -> None:
    """Red loses one killed, blue two wounded."""
    changed: Changed = {"counts.kill_weight.count": (2, weight)} if weight != 2 else {}
    rules = load_rules("risk_factor", {"melee.result_measure": "weighted"})
    if changed:
        rules = load_rules("risk_factor", {"melee.result_measure": "weighted"}, [*house_rules(tmp_path, changed)])
    field = scene(
        troops("a", "red", (0, 0), at=row(3, 50, step=2.6), close="sword", marks=("charged",)),
        troops("b", "blue", (0, 0), at=row(3, 52.5, step=2.6), close="sword"),
        solo=["red", "blue"],
        rules=rules,
    )
    events = battle_of(field, ("melee", [5, 1]), ("melee", [5, 1]), ("melee", [1, 6]))
    assert next(event.data["back"] for event in events if event.kind == "melee") == back


def house_rules(folder: Path, changes: Changed) -> list[Any]:
    house(folder, changes)
    return [find_house_rule(str(folder / "house.yaml"))]


def marked(**more: Any) -> Scene:
    bush = ground("bush", "bush", [(0, 100), (299, 100), (299, 150), (0, 150)])
    field = scene(troops("a", "blue", (0, 0), at=[(50, 80)]), terrain=[bush], solo=["red"], **more)
    field.battle.markers = {"m": Marker("red", (50.0, 100.0), ())}
    return field


@pytest.mark.rule("RSK-189")
@pytest.mark.parametrize(("face", "short", "y"), [(6, 5.0, 100.0), (5, 5.0, 85.0), (5, 8.0, 88.0)])
def test_from_which_die_a_marker_moves_and_how_short_it_stops(
    tmp_path: Path, face: int, short: float, y: float
) -> None:
    changed: Changed = {"marker_moves.face": (6, face)} if face != 6 else {}
    changed |= {"lengths.marker_stops.cm": (5.0, short)} if short != 5 else {}
    field = marked(rules=house(tmp_path, changed) if changed else None)
    field.run(move_markers, script=[("marker moves", [5])])
    assert field.battle.markers["m"].at == pytest.approx((50, y))


@pytest.mark.rule("RSK-141")
@pytest.mark.parametrize(("dead", "share", "stays"), [(5, 0.5, True), (6, 0.5, False), (6, 0.4, True), (7, 0.3, True)])
def test_strength_a_unit_in_cover_needs_to_stay(tmp_path: Path, dead: int, share: float, stays: bool) -> None:
    wall = line("wall", "works", (0, 54), (200, 54))
    field = scene(
        troops("a", "red", (0, 0), at=row(10 - dead, 52.7), dead=dead, **RIFLE),
        troops("foe", "blue", (0, 0), at=[(55, 100)], **RIFLE),
        terrain=[wall],
        rules=house(tmp_path, {"shares.stay_in_cover.share": (0.5, share)}) if share != 0.5 else None,
    )
    with field.script(("action", [1 if dead == 5 else 2]), *([("stay in cover", True)] if stays else [])) as table:
        action_throws(table, field.battle)
    assert field["a"].result == "retreat" and ("stays" in field["a"].marks) is stays


@pytest.mark.rule("RSK-130", "RSK-147")
@pytest.mark.parametrize(
    ("shooters", "share", "table"), [(5, 0.5, "missile"), (4, 0.5, "melee"), (3, 0.3, "missile"), (5, 0.6, "melee"), (0, 0.0, "melee")]
)  # fmt: skip
def test_number_of_shooters_that_makes_missile_troops(tmp_path: Path, shooters: int, share: float, table: str) -> None:
    field = scene(
        troops("a", "red", (50, 50), 10, armed=shooters, **RIFLE),
        rules=house(tmp_path, {"shares.missile_troops.share": (0.5, share)}) if share != 0.5 else None,
    )
    assert action_table(field.battle, field["a"]) == table


@pytest.mark.rule("RSK-147", "RSK-130")
@pytest.mark.parametrize(("share", "result"), [(0.5, "advance"), (0.6, "attack")])
def test_number_of_squads_that_makes_missile_troops(tmp_path: Path, share: float, result: str) -> None:
    """One squad has rifles, the other spears. At Risk Factor 1 a 4 is Advance for missile troops, else Attack."""
    squad: dict[str, Any] = {"platoon": "p", "formed": True}
    field = scene(
        troops("a", "red", (0, 0), at=row(4, 50), **squad, **RIFLE),
        troops("b", "red", (0, 0), at=row(4, 50, x=64.75), **squad, close="spear"),
        troops("nco", "red", (0, 0), at=[(63, 46)], leader="nco"),
        troops("foe", "blue", (0, 0), at=[(60, 110)], **RIFLE),
        solo=["red"],
        rules=house(tmp_path, {"shares.missile_platoon.share": (0.5, share)}) if share != 0.5 else None,
    )
    throw(field, 4, why="platoon action")
    assert field.battle.risk["a"] == 1 and field["a"].result == field["b"].result == result


@pytest.mark.rule("RSK-106")
@pytest.mark.parametrize("ranks", [1, 2])
def test_ranks_in_cover_that_can_shoot(tmp_path: Path, ranks: int) -> None:
    """Twelve men in wide rocks form this many ranks along the front edge."""
    rules = house(tmp_path, {"counts.lining_ranks.count": (2, ranks)}) if ranks != 2 else load_rules("risk_factor")
    numbers = RskBook(rules)
    rocks = TerrainPiece.area("rocks", numbers.file.grounds["rocks"], [(30, 50), (70, 50), (70, 70), (30, 70)])
    field = Field(numbers, 200, 200, {"rocks": rocks})
    body = troops("a", "red", (50, 40), 12, width=6).body
    found = in_cover_near(field, [], body, 0.0, 60.0, ())
    assert found is not None and len({round(y, 1) for _, y in found.at}) == ranks


@pytest.mark.rule("RSK-185")
@pytest.mark.parametrize(("reach", "takes"), [(3.0, False), (4.0, True)])
def test_from_how_far_an_object_is_taken(tmp_path: Path, reach: float, takes: bool) -> None:
    of = game()
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)]),
        rules=house(tmp_path, {"lengths.take_up.cm": (3.0, reach)}) if takes else None,
    )
    field.battle.carried_objects = {"chest": CarriedObject((50.0, 54.75))}
    field.run(take_carried_objects, of.scenario)
    assert (field.battle.carried_objects["chest"].carrier == "a") is takes


@pytest.mark.rule("RSK-185")
@pytest.mark.parametrize(("reach", "leaves"), [(2.0, False), (3.0, True)])
def test_from_how_far_a_unit_leaves_the_table(tmp_path: Path, reach: float, leaves: bool) -> None:
    of = game(objectives=", off: {kind: escort, name: Off, by: [red], units: [rifles], edge: south, share: 1}")
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 3.75)], parent="rifles"),
        rules=house(tmp_path, {"lengths.leave_edge.cm": (2.0, reach)}) if leaves else None,
    )
    field.run(leave_table, of.scenario)
    assert ("a" in field.battle.gone) is leaves


@pytest.mark.rule("RSK-160")
def test_prisoners_per_man_who_must_kill(tmp_path: Path) -> None:
    numbers = RskBook(house(tmp_path, {"counts.must_kill.count": (2, 4)}))
    assert must_kill(10, 9, numbers.counts["must_kill"]) == 3


@pytest.mark.rule("RSK-177")
def test_push_back_of_no_distance_is_allowed(tmp_path: Path) -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)]),
        troops("b", "blue", (0, 0), at=[(50, 52.5)]),
        rules=house(tmp_path, {"lengths.push_back.cm": (5.0, 0.0)}),
    )
    field.run(push_back, ("a", "b"), ["blue"])
    assert field["b"].body.at == ((50, 52.5),) and field["b"].hurt == (False,)


@pytest.mark.rule("RSK-122")
@pytest.mark.setting("rf.front_half_arc")
def test_the_half_arc_may_be_any_between_ten_and_180_degrees() -> None:
    for degrees in (10, 180):
        assert load_rules("risk_factor", {"rf.front_half_arc": degrees}).settings["rf.front_half_arc"] == degrees


@pytest.mark.rule("RSK-133")
def test_the_last_row_of_an_action_table_serves_all_beyond_it(tmp_path: Path) -> None:
    plain, long = RskBook(load_rules("risk_factor")), RskBook(house(tmp_path, {"actions.melee.7_to_8.up_to": (8, 12)}))
    assert [plain.action("melee", risk, 6, False) for risk in (8, 9, 40)] == ["attack", "halt", "halt"]
    assert [long.action("melee", risk, 6, False) for risk in (9, 12, 13, 40)] == ["attack", "attack", "halt", "halt"]


@pytest.mark.rule("RSK-136")
def test_row_for_units_falling_back_takes_no_limit(tmp_path: Path) -> None:
    file = tmp_path / "house.yaml"
    change = "{add: actions.melee.falling_back.up_to, entry: 0, why: so}"
    file.write_text(f"house_rule: house\ntitle: House\nruleset: risk_factor\nchanges: [{change}]\n", encoding="utf-8")
    with pytest.raises(FileError, match="remove its 'up_to'"):
        load_rules("risk_factor", house_rules=[find_house_rule(str(file))])


@pytest.mark.rule("RSK-127")
def test_added_action_modifier_must_name_its_position(tmp_path: Path) -> None:
    line = "{rule: H, summary: brave, add: 1BEFORE}"
    file = tmp_path / "house.yaml"
    for before, says in (("", "before: least"), (", before: least", "")):
        file.write_text(
            "house_rule: house\ntitle: House\nruleset: risk_factor\nchanges:\n  - add: tallies.action_die.modifiers.brave\n"
            f"    entry: {line.replace('BEFORE', before)}\n    why: so\n",
            encoding="utf-8",
        )
        field = scene(
            troops("a", "red", (50, 50), 6, close="spear"),
            troops("foe", "blue", (50, 90), 6),
            solo=["red"],
            rules=load_rules("risk_factor", house_rules=[find_house_rule(str(file))]),
        )
        if says:
            with pytest.raises(ZarebaError, match=says):
                throw(field, 6)
        else:
            throw(field, 6)
            assert field["a"].result
