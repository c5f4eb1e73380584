"""AFR-116 and AFR-119: units may break out of a company, but its officer never leaves it by choice."""

from __future__ import annotations

from typing import Any

import pytest

from zareba_rulesets.afriboria.chapters.breakthrough import break_through
from zareba_rulesets.afriboria.chapters.movement.movement import unit_options
from zareba_rulesets.afriboria.chapters.retreat import may_withdraw
from zareba_rulesets.afriboria.chapters.victory import leave_table
from zareba_rulesets.afriboria.forces.companies import outsiders
from zareba_rulesets.afriboria.forces.pieces import Commander, CommanderSpec, Company
from zareba_rulesets.afriboria.forces.plan import Plan
from zareba_rulesets.afriboria.odds.stage import bare_battle, unit_of


def red_chief(name: str, cell: int, side: str = "red", officer: bool = True) -> Commander:
    return Commander(cell, spec=CommanderSpec(name, name.title(), side, officer))


def company(book: Any, at: Any, second: tuple[int, int], state: str = "active") -> Any:
    """The major with the van at (4, 4), the rear of his company at `second`, and a unit driven off in the north."""
    rules = book()
    units = [
        unit_of(rules, "van", "red", "inf_b", at(4, 4)),
        unit_of(rules, "rear", "red", "inf_b", at(*second)),
        unit_of(rules, "guest", "red", "inf_b", at(0, 0)),
        unit_of(rules, "foe", "blue", "inf_c", at(4, 9)),
    ]
    battle = bare_battle(rules, units, [red_chief("major", at(4, 4))])
    battle.companies["c"] = Company("major", ["van", "rear"], state)
    units[0].company = units[1].company = "c"
    return battle


@pytest.mark.rule("AFR-119", "AFR-116", "AFR-251")
@pytest.mark.parametrize(
    ("second", "state", "along"),
    [((4, 3), "active", False), ((5, 4), "active", True), ((4, 2), "active", True), ((4, 3), "suspended", True)],
)
def test_the_officer_follows_a_breakthrough_where_his_company_stays_around_him(
    book: Any, at: Any, scripted: Any, second: tuple[int, int], state: str, along: bool
) -> None:
    """A unit already outside does not count, nor does a company whose parts move separately."""
    for choice, offered in (("advance", True), ("advance with the commander", along)):
        battle = company(book, at, second, state)
        van, foe = battle.units["van"], battle.units["foe"]
        if not offered:
            with pytest.raises(AssertionError), scripted(battle, [("breakthrough", choice)]) as table:
                break_through(table, battle, van, at(4, 5), foe)
            continue
        with scripted(battle, [("breakthrough", choice)]) as table:
            break_through(table, battle, van, at(4, 5), foe)
        assert van.hex == at(4, 5), "a unit may leave the zone by a breakthrough"
        assert battle.commanders["major"].hex == (at(4, 4) if choice == "advance" else at(4, 5))
    if state == "active" and second != (4, 2):
        assert outsiders(battle, "red") == [], "so nobody of his company is left behind"


@pytest.mark.rule("AFR-119", "AFR-242", "AFR-239")
def test_a_unit_of_nobody_does_not_take_an_officer_out_of_his_company(book: Any, at: Any) -> None:
    battle = company(book, at, (4, 5))
    guest = battle.units["guest"]
    battle.move(battle.units["van"], at(3, 5))
    battle.move(guest, at(4, 4))
    assert not may_withdraw(battle, guest), "its commander would have to go with it"
    battle.companies["c"].state = "suspended"
    assert may_withdraw(battle, guest)


@pytest.mark.rule("AFR-116", "AFR-105")
def test_another_officer_takes_no_unit_out_of_its_company(book: Any, at: Any) -> None:
    """The rear is with a captain who leads another company. Together they stay around the major."""
    battle = company(book, at, (4, 5))
    rear, guest = battle.units["rear"], battle.units["guest"]
    battle.commanders["captain"] = captain = red_chief("captain", -1)
    battle.place(captain, at(4, 5))
    battle.companies["other"] = Company("captain", ["guest"], "active")
    guest.company = "other"
    rear.mark("ordered", "move", "battle")
    plan = Plan(battle.field, {}, {}, {})
    goals = [option[1] for option in unit_options(battle, rear, plan) if option[0] == "with"]
    zone = battle.field.zone[at(4, 4)]
    assert goals and all(cell in zone for cell in goals)


@pytest.mark.rule("AFR-110", "AFR-090")
def test_a_company_ends_when_all_of_it_have_left_the_table(book: Any, at: Any, scripted: Any) -> None:
    battle = company(book, at, (4, 3))
    for name, members in (("van", ["rear"]), ("rear", None)):
        with scripted(battle, []) as table:
            leave_table(table, battle, battle.units[name], "north")
        assert battle.units[name].company == ""
        assert [one.members for one in battle.companies.values()] == ([members] if members else [])
