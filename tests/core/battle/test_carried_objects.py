"""Carried objects, and the units that leave the board with them."""

from __future__ import annotations

import pytest
from tests.core.toy import bare_rules

from zareba.base.state import CopyOnWrite
from zareba.battle.carried_objects import CarriedObject, exit_edges, leave_with_objects, pick_up, unit_fate
from zareba.scenario.model import Exit
from zareba.space.outlines import EDGES
from zareba.table import ScriptedTable


def test_a_unit_that_leaves_legally_takes_its_objects_along() -> None:
    chest, flag = CarriedObject((1.0, 2.0), "foot"), CarriedObject((3.0, 4.0), "horse")
    table = ScriptedTable(bare_rules(), None, [])
    for edge in EDGES:
        why = leave_with_objects(table, {"chest": chest, "flag": flag}, "foot", "red", edge, "OUR-1", count=8)
        assert unit_fate(why) == ("off", edge)
        told = table.events[-1]
        assert (told.kind, told.rule, told.data) == (
            "left the table",
            "OUR-1",
            {"unit": "foot", "edge": edge, "count": 8},
        )
    assert (chest.carrier, chest.taken_by, chest.edge) == ("", "red", "north")
    assert (flag.carrier, flag.taken_by, flag.edge) == ("horse", "", "")


@pytest.mark.parametrize("why", ["destroyed", "routed", "left the field", "left", "joined north"])
def test_units_gone_for_other_reasons_count_as_lost(why: str) -> None:
    assert unit_fate(why) == ("lost", "")


def test_carriers_and_escorted_units_may_leave() -> None:
    carried_objects = {"chest": CarriedObject((0.0, 0.0), "foot_2")}
    exits: tuple[Exit, ...] = (("north", (), "chest"), ("east", ("foot",), ""))
    assert list(exit_edges(exits, "foot", carried_objects, "foot_2")) == [("north", "chest"), ("east", "")]
    assert list(exit_edges(exits, "foot", carried_objects, "foot")) == [("east", "")]
    assert list(exit_edges(exits, "horse", carried_objects, "horse")) == []


def test_carried_objects_move_or_drop_and_free_objects_are_taken_up() -> None:
    places = {"foot": (5.0, 5.0), "horse": (9.0, 9.0)}
    lost = {"guns"}
    start = CopyOnWrite(
        {
            "chest": CarriedObject((1.0, 1.0), "foot"),
            "flag": CarriedObject((2.0, 2.0), "guns"),
            "mail": CarriedObject((3.0, 3.0)),
            "pay": CarriedObject((4.0, 4.0), "", "blue", "north"),
        }
    )
    carried_objects = start.copy()
    asked: list[tuple[str, str]] = []

    def move_with_carrier(carried_object: CarriedObject) -> bool:
        if carried_object.carrier in lost:
            return False
        carried_object.at = places[carried_object.carrier]
        return True

    def find_taker(name: str, carried_object: CarriedObject) -> str:
        asked.append((name, carried_object.carrier))
        return "horse" if name == "flag" else ""

    table = ScriptedTable(bare_rules(), None, [])
    assert pick_up(table, carried_objects, move_with_carrier, find_taker, "OUR-2") == ["horse"]
    assert asked == [("flag", ""), ("mail", "")]
    assert carried_objects == {
        "chest": CarriedObject((5.0, 5.0), "foot"),
        "flag": CarriedObject((2.0, 2.0), "horse"),
        "mail": CarriedObject((3.0, 3.0)),
        "pay": CarriedObject((4.0, 4.0), "", "blue", "north"),
    }
    assert [(told.kind, told.rule, told.data) for told in table.events] == [
        ("taken up", "OUR-2", {"object": "flag", "unit": "horse"})
    ]
    assert (start["chest"].at, start["flag"].carrier) == ((1.0, 1.0), "guns"), "the original battle is unchanged"
