"""Leader checks, morale, retreats and rallies at a real table."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, CompanionAct, Scene
from zareba.table import Event, Table
from zareba_rulesets.vcc.chapters.casualties import leader_check
from zareba_rulesets.vcc.chapters.morale import MoraleFacts, RallyFacts, check_morale, must_rally, rally
from zareba_rulesets.vcc.chapters.victory import capture_commanders
from zareba_rulesets.vcc.companion.common import done, everyone, on_table
from zareba_rulesets.vcc.companion.real_table import plain_of
from zareba_rulesets.vcc.forces import Battle

_ALL = "all"
"""The answer for a retreat that nothing stops."""


def _to_rally(battle: Battle) -> list[str]:
    return [unit.id for unit in on_table(battle) if must_rally(battle, unit)]


def _boxes_to_go(battle: Battle, events: Sequence[Event]) -> int:
    """Return how many boxes a retreat takes by the failed check (VCC-153, VCC-154)."""
    failed = [event.data["result"] for event in events if event.kind == "morale failed"]
    return next((line.retreat for name, line in battle.book.failures if failed and name == failed[-1]), 0)


def _falls_back(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return _boxes_to_go(battle, events) > 0


def _retreat_question(battle: Battle, scene: Scene) -> str:
    boxes = amount(_boxes_to_go(battle, scene.events), "box", "boxes")
    aside = "" if battle.book.settings.diagonal_move == "orthogonal" else ", or else diagonally"
    return f"{{actor}} must fall back {boxes}, straight towards its own table edge{aside}. How far can it go?"


def _rooms(battle: Battle, scene: Scene) -> Choices:
    """Return the ways in which a retreat can end (VCC-156)."""
    boxes_to_go, dice = _boxes_to_go(battle, scene.events), battle.book.file.barred_retreat.hit_dice
    found = {_ALL: f"all the way: {amount(boxes_to_go, 'box', 'boxes')}"}
    for boxes in range(boxes_to_go):
        stops = "it stops there" if boxes else "it stays where it is"
        hits = f"{dice * (boxes_to_go - boxes)}d6 hits"
        found[f"barred {boxes}"] = f"{_first(boxes)}barred by enemies or closed ground: {stops} and takes {hits}"
        found[f"edge {boxes}"] = f"{_first(boxes)}off its own table edge: it routs"
    return found


def _first(boxes: int) -> str:
    return f"{amount(boxes, 'box', 'boxes')}, then " if boxes else ""


def _retreat_start(battle: Battle, scene: Scene) -> int:
    """Return the box in which a unit with this much room behind it stands for its check."""
    unit, field = battle.unit(scene.actor), plain_of(battle)
    how, _, boxes = str(scene["room"]).partition(" ")
    if how != "edge":
        return unit.box
    rows = field.middle - int(boxes)
    start = field.behind(unit.side, unit.box, rows)
    assert start is not None, "the plain is deep enough for the longest retreat"
    return start


def _lay_out_retreat(battle: Battle, scene: Scene) -> None:
    """Bar the way behind a unit, or put it near its own edge, with everyone in its box (VCC-156)."""
    unit, field = battle.unit(scene.actor), plain_of(battle)
    start, rest = _retreat_start(battle, scene), unit.box
    how, _, boxes = str(scene["room"]).partition(" ")
    if how == "barred":
        barred = field.behind(unit.side, rest, int(boxes) + 1)
        assert barred is not None, "the plain is deep enough for the longest retreat"
        field = field.with_changes()
        field.barred = barred // field.grid.columns
        battle.field = field
    if start != rest:
        for other in battle.units_in(rest):
            battle.move(other, start)
        for commander in battle.commanders.values():
            if commander.box == rest:
                commander.box = start


def _next_leader_check(table: Table, battle: Battle, scene: Scene) -> None:
    check, *battle.checks = battle.checks
    leader_check(table, battle, battle.unit(check.unit), check.band, "fire")
    capture_commanders(table, battle)


def _morale(table: Table, battle: Battle, scene: Scene) -> None:
    done(battle, scene.actor)
    check_morale(table, battle, battle.unit(scene.actor))
    capture_commanders(table, battle)


def _rally(table: Table, battle: Battle, scene: Scene) -> None:
    done(battle, scene.actor)
    rally(table, battle, battle.unit(scene.actor))


_ROOM: Asked[Battle] = Asked(
    "room",
    _retreat_question,
    default=_ALL,
    choices=_rooms,
    after=_falls_back,
)


LEADER_ACT: CompanionAct[Battle] = CompanionAct(
    name="leader",
    title="check its leader",
    rule="VCC-110",
    run=_next_leader_check,
    actors=lambda battle: [check.unit for check in battle.checks[:1]],
    out_of_turn=False,
)


MORALE_ACT: CompanionAct[Battle] = CompanionAct(
    name="morale",
    title="check morale",
    rule="VCC-137",
    run=_morale,
    actors=everyone,
    facts=MoraleFacts,
    asks=(_ROOM,),
    lay_out=_lay_out_retreat,
)


RALLY_ACT: CompanionAct[Battle] = CompanionAct(
    name="rally", title="rally", rule="VCC-160", run=_rally, actors=_to_rally, facts=RallyFacts
)
