"""Action throws: the tables, troops bound by them, works and cover, platoons (RSK-127 to RSK-149)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import Scene, leader, line, row, rules_with, scene, throw, troops

from zareba.table import ScriptedTable
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.chapters.action_moves import action_this_turn
from zareba_rulesets.risk_factor.chapters.action_throws import action_throws
from zareba_rulesets.risk_factor.forces import action_table

WALL = line("wall", "works", (0, 53), (200, 53))


# --- the tables -------------------------------------------------------------------------------------------------------
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


@pytest.mark.rule("RSK-127", "RSK-113")
def test_casualties_count_from_the_last_throw() -> None:
    field = scene(troops("a", "red", (50, 50), status="steady", action="halt"), troops("e", "blue", (50, 180)))
    field["a"].lost, field["a"].caused = 2, 1
    throw(field, 3)
    assert (field["a"].lost, field["a"].caused) == (0, 0)


@pytest.mark.rule("RSK-127", "RSK-130")
def test_a_throw_says_which_action_each_face_means() -> None:
    meanings: list[Any] = []

    class Noting(ScriptedTable):
        """A table that records the meanings of its rolls."""

        def answer(self, question: Any) -> Any:
            meanings.append(question.means.lines)
            return super().answer(question)

    field = scene(troops("a", "red", (50, 50), status="steady", action="halt"), troops("e", "blue", (50, 180)))
    with Noting(field.rules, field.battle, [("action", [3])]) as table:
        action_throws(table, field.battle)
    assert meanings == [((1, "go on as before"), (6, "move towards the nearest enemy in sight"))]


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
def test_action_table_of_each_unit() -> None:
    def sheet(**traits: Any) -> str:
        field = scene(troops("a", "red", (50, 50), 4, **traits))
        return action_table(field.battle, field["a"])

    assert sheet(weapon="rifle") == sheet(weapon="bow") == sheet(weapon="rifle", armed=2) == "missile"
    assert sheet(weapon="rifle", armed=1) == sheet(weapon="spear") == sheet(close="sword") == "melee"
    assert sheet(close="sword", table="missile") == "missile"


# --- one frozen situation ---------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-037", "RSK-043", "RSK-113")
def test_all_risk_factors_are_taken_before_any_result_stands() -> None:
    """The first unit's rout does not affect the Risk Factor of the second, which throws after it."""
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


@pytest.mark.rule("RSK-144", "RSK-136")
@pytest.mark.parametrize(("die", "status", "doing_now"), [(3, "routing", "rout"), (5, "steady", "halt_in_cover")])
def test_going_on_at_nought_goes_on_with_a_rout(die: int, status: str, doing_now: str) -> None:
    """Out of sight of all enemies: 3 for routing less 4. A five halts the men and ends the rout."""
    field = scene(troops("a", "red", (50, 50), 6, status="routing", action="rout"))
    throw(field, die)
    assert field.battle.risk["a"] == -1
    assert (action_this_turn(field["a"]), field["a"].status) == (doing_now, status)


# --- commanded troops -------------------------------------------------------------------------------------------------
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
def test_only_blue_results_leave_commanded_troops_free() -> None:
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
    assert near(4)["pc"].result == near(4)["nco"].result == "advance"
    free = near(1, actions_pc_rolls="free")["pc"]
    assert "free" in free.marks and free.status == "steady"
    lone = scene(
        leader("pc", "red", (50, 50), marks=["linked"], lost=1, troop_class="raw"),
        troops("e", "blue", (50, 80), 5, weapon="rifle"),
        troops("behind", "blue", (50, 20), 5),
        commanders=["pc"],
    )
    throw(lone, 1)
    assert lone.battle.risk["pc"] == 7 and lone["pc"].status == "routing" and "bound" in lone["pc"].marks
    alone = scene(leader("pc", "red", (50, 50), marks=["linked"]), troops("e", "blue", (50, 180), 5), commanders=["pc"])
    throw(alone, 3)
    assert alone["pc"].result == "continue" and "free" in alone["pc"].marks


# --- works and cover --------------------------------------------------------------------------------------------------
@pytest.mark.rule("RSK-135")
@pytest.mark.setting("actions.fortified_hold")
def test_units_do_not_leave_works_they_defend() -> None:
    def result(die: int, risk: int, y: float = 51, *marks: str, action: str = "halt", **settings: Any) -> str:
        more: dict[str, Any] = {"weapon": "rifle"} if risk else {"close": "sword"}
        field = scene(
            troops(
                "a", "red", (0, 0), at=row(6, y), hurt=2 if risk else 0, action=action, goal=(60.0, 150.0), marks=marks
            ),
            leader("pc", "red", (200, 20), marks=["linked"]),
            troops("e", "blue", (60, 120), 5, **more),
            terrain=[WALL],
            commanders=["pc"],
            **settings,
        )
        throw(field, die, 3)
        assert any(field.battle.risk["a"] == r for r in ([3, 4] if risk else [-1, 0]))
        return action_this_turn(field["a"])

    assert result(6, 0) == "halt"
    assert result(6, 3) == "attack"
    always: dict[str, Any] = {"actions_fortified_hold": "always"}
    assert result(6, 3, **always) == result(4, 3, **always) == "halt"
    going = ("advance", "attack", "march", "retreat")
    assert [result(3, 0, 51, "works", action=action) for action in going] == ["halt", "halt", "halt", "retreat"]
    assert [result(3, 0, action=action) for action in going] == list(going), "it has only come up to the wall"
    assert result(3, 0, 51, "works", "charger", action="attack") == "attack", "it storms the wall"
    assert result(6, 0, 40) == result(3, 0, 40, "works", action="advance") == "advance", "it is not behind the wall"
    assert result(6, 0, 51, "commanded") == "advance", "commanded troops do as they are told"


@pytest.mark.rule("RSK-135", "RSK-192")
def test_a_leader_holds_works_only_with_his_group() -> None:
    """The works of the group decide, wherever the leader himself stands."""

    def results(group_y: float, leader_y: float) -> list[str]:
        field = scene(
            troops("a", "red", (0, 0), at=row(6, group_y), action="advance", marks=["works"]),
            leader("nco", "red", (57, leader_y), "nco", action="advance", marks=["works"]),
            troops("e", "blue", (60, 120), 5, close="sword"),
            terrain=[WALL],
        )
        throw(field, 3)
        return [action_this_turn(field[name]) for name in ("a", "nco")]

    assert results(45, 51) == ["advance", "advance"]
    assert results(51, 45) == ["halt", "halt"]


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

    assert (retreat(5)["a"].status, action_this_turn(retreat(5)["a"])) == ("steady", "halt")
    assert retreat(4)["a"].status == "retreating"
    assert retreat(5, ("stay in cover", False), solo=())["a"].status == "retreating"
    assert retreat(5, ("stay in cover", True), solo=())["a"].status == "steady"
    assert retreat(5, victory_stay_in_cover_counts=True)["a"].status == "retreating"


@pytest.mark.rule("RSK-141", "RSK-192")
def test_a_leader_stays_with_the_group_that_stays_in_cover() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=row(5, 51), dead=5),
        leader("nco", "red", (55, 45), rank="nco"),
        troops("e", "blue", (60, 120), 5, weapon="rifle"),
        terrain=[WALL],
        solo=["red"],
    )
    throw(field, 1)
    assert [(field[name].status, action_this_turn(field[name])) for name in ("a", "nco")] == [("steady", "halt")] * 2


# --- platoons ---------------------------------------------------------------------------------------------------------
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
@pytest.mark.parametrize("spoil", ["gap", "leader", "surgeon", "bugler", "commanded", "irregular"])
def test_conditions_that_make_squads_throw_separately(spoil: str) -> None:
    field = platoon(gap=6.0 if spoil == "gap" else 4.0)
    if spoil == "leader":
        field["nco"].body = field["nco"].body.moved_by(0, -30)
        throw(field, 2, 1, 1)
        return
    if spoil in ("surgeon", "bugler"):
        traits: dict[str, Any] = {"non_combatant": True} if spoil == "surgeon" else {"musician": True}
        field.battle.units["nco"] = leader("nco", "red", (54, 46), "musician", **traits)
    if spoil == "commanded":
        field["b"].mark("commanded")
    if spoil == "irregular":
        field.battle.units["b"] = troops(
            "b", "red", (0, 0), at=row(4, 50, x=64.75), platoon="p", weapon="rifle", loading="breech"
        )
    throw(field, 2, 1)
    assert (field["a"].result, field["b"].result) == ("advance", "halt")


@pytest.mark.rule("RSK-147", "RSK-130")
@pytest.mark.parametrize(("sheets", "result"), [("mm", "advance"), ("mc", "advance"), ("cc", "attack")])
def test_the_platoon_reads_the_table_of_the_majority(sheets: str, result: str) -> None:
    """At Risk Factor 1 a 4 is Advance for missile troops and Attack for others. In a tie the missile table applies."""
    field = platoon()
    for name, sheet in zip("ab", sheets, strict=True):
        field[name].armed = (sheet == "m",) * field[name].count
    throw(field, 4, why="platoon action")
    assert field.battle.risk == {"a": 1, "b": 1}
    assert field["a"].result == field["b"].result == result


@pytest.mark.rule("RSK-147", "RSK-136")
def test_at_nought_each_squad_reads_the_shared_die_on_its_own_row() -> None:
    field = platoon()
    field.battle.units["e"] = troops("e", "blue", (60, 150), 5, close="sword")
    field["b"].action = "retreat"
    throw(field, 6, why="platoon action")
    assert (field["a"].result, field["b"].result) == ("towards", "halt_in_cover")


HAIR = 0.01
WITHIN = pytest.mark.parametrize(("over", "within"), [(0.0, True), (HAIR, False)])


def man(name: str, side: str, x: float, y: float, **more: Any) -> Any:
    return troops(name, side, (0, 0), at=[(x, y)], **more)


def platoon_with_gaps(chain: float, officer: float) -> Scene:
    squad: dict[str, Any] = {"platoon": "p", "formed": True, "weapon": "rifle", "loading": "breech"}
    return scene(
        man("a", "red", 50, 50, **squad),
        man("b", "red", 52.5 + chain, 50, **squad),
        leader("nco", "red", (50, 50 - 2.5 - officer), "nco"),
        troops("e", "blue", (60, 180), 5, close="sword"),
        width=400,
    )


@pytest.mark.rule("RSK-147")
@pytest.mark.parametrize("part", ["chain", "officer"])
@WITHIN
def test_platoons_stand_within_five_cm_of_one_another_and_of_a_leader(part: str, over: float, within: bool) -> None:
    field = platoon_with_gaps(5.0 + over * (part == "chain"), 5.0 + over * (part == "officer"))
    alone = part == "officer" and not within
    dice = [("platoon action", [2])] if within else [("action", [2])] * (3 if alone else 2)
    field.run(action_throws, script=dice)
