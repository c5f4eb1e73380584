"""Every change to a unit emits an event: no unit's record differs after a step without one.

The lists name, by field, what must be reported and what need not be: bookkeeping of a turn or an activation.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any

import pytest
from tests.systems import each_ruleset

from zareba.agents import make_agent
from zareba.registry import load_rules
from zareba.scenario import load_scenario
from zareba.table import SeededTable

CURSORS: Mapping[str, frozenset[str]] = {
    "vcc": frozenset({"facing", "streak", "gun_box"}),
    "afriboria": frozenset({"moved", "shots", "battled", "company", "mounted", "sections"}),
    "paychest": frozenset({"box", "shot_at", "aimed", "volleys", "pending_row", "rout_row", "known", "leader"}),
    "fixed_baynet": frozenset({"box", "events", "shot_turn", "shot_run", "dealt", "lost", "start"}),
    "risk_factor": frozenset(
        {
            "action",
            "body",
            "dead",
            "facing",
            "original",
            "goal",
            "lost",
            "caused",
            "round_lost",
            "round_caused",
            "crossing",
            "killers",
            "target",
            "joins",
            "kits",
            "result",
            "armed",
        }
    ),
}
"""Fields of a unit that record what was done this turn, or that follow from reported fields: a box, a centre, an order,
the dead of a unit by its figures (prisoners who are killed have left it before).
"""
OF_MEN = {
    "paychest": frozenset({"gait", "shots", "loads", "aboard", "brave", "appearances", "mount", "weapons", "rank"}),
    "fixed_baynet": frozenset(
        {
            "facing",
            "z",
            "ac",
            "since",
            "place",
            "post",
            "spent",
            "moves",
            "attacks",
            "gait",
            "last_gait",
            "dropped",
            "flares",
            "weapon",
            "mounted",
            "gl",
            "wounds",
        }
    ),
}
"""The same fields of a man. His GL and wounds are reported as the glory of his unit, wounds and losses."""
MARKS: Mapping[str, frozenset[str]] = {
    "vcc": frozenset(
        {"abandoned", "broken", "dismounted", "jest", "lying", "overheated", "prone", "square", "wrecked"}
    ),
    "afriboria": frozenset({"defended", "inspired", "stuck", "unexposed", "wounded"}),
    "paychest": frozenset({"inactive"}),
    "fixed_baynet": frozenset({"pinned", "unformed"}),
    "risk_factor": frozenset({"commanded"}),
}
"""The marks that last longer than a turn."""

LYING = frozenset({"down", "prone"})
"""The marks of a man who lies down or is behind his cover."""


def reported_state(name: str, unit: Any) -> dict[str, Any]:
    """Return the part of a unit's state whose changes must be reported."""
    said: dict[str, Any] = {}
    for field in fields(unit):
        value = getattr(unit, field.name)
        if field.name in CURSORS[name] or field.metadata.get("shared"):
            continue
        if field.name == "marks":
            value = value & MARKS[name]
        elif field.name == "figures" and isinstance(value, dict):
            # man by man, except lying down: only the number is reported, so two men may swap
            said["lying"] = sum(not LYING.isdisjoint(figure.marks) for figure in value.values())
            value = {man: _of_a_man(name, figure) for man, figure in value.items()}
        elif field.name == "guns":
            value = [(gun.wounds > 0, gun.taken_by, gun.jam == "jammed") for gun in value]
        said[field.name] = value
    return said


def _of_a_man(name: str, man: Any) -> dict[str, Any]:
    kept = {field.name: getattr(man, field.name) for field in fields(man) if field.name not in OF_MEN[name]}
    kept.pop("spec")
    kept["marks"] = kept["marks"] & {"lame"}
    if name == "fixed_baynet":
        kept |= {"locations": bool(kept["locations"]), "reaction": bool(kept["reaction"])}
        del kept["x"], kept["y"]
    kept.pop("at", None)  # distances are reported in whole units of length
    return kept


def differ(name: str, was: Any, now: Any) -> dict[str, Any]:
    """Return the changes of a unit that must be reported."""
    if now is None:
        return {}
    one, other = reported_state(name, was), reported_state(name, now)
    return {what: (said, other[what]) for what, said in one.items() if said != other[what]}


@pytest.mark.parametrize("name", each_ruleset("vcc"))
@pytest.mark.parametrize("scenario", ["river_ford", "hill_fort"])
def test_every_change_that_a_step_makes_to_a_unit_is_reported(name: str, scenario: str) -> None:
    game = load_rules(name, {}, []).game(load_scenario(scenario))
    state = game.start()
    table = SeededTable(game.rules, state, 9, {seat: make_agent("random", game, seat, 9) for seat in game.seats})
    seen = 0
    for _ in range(200):
        if (step := game.play.next_step(state)) is None:
            break
        before = state.copy()
        table.begin(step)
        game.play.perform(table, state, step)
        altered = [unit for unit in before.units if differ(name, before.units[unit], state.units.get(unit))]
        changes = game.display.changes(before, state)
        untold = [differ(name, before.units[unit], state.units[unit]) for unit in altered if not changes]
        assert not any(untold), (altered, untold)
        for change in changes:
            assert game.narrator.describe_change(change).startswith(game.narrator.name_of(change.unit))
        seen += bool(altered)
    assert seen > 10
