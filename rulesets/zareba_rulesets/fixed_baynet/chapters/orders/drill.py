"""Acts of a unit other than moving and fighting (FBN-034 to FBN-036, FBN-049, FBN-052, FBN-186, FBN-244, FBN-275)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import NamedTuple

from zareba.base.exact import total
from zareba.rules import procedure
from zareba.space.table_edges import WINDS, bearing_of
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.buildings.buildings import (
    crossings,
    free_openings,
    go_through,
    may_be_posted,
    post,
)
from zareba_rulesets.fixed_baynet.chapters.cavalry.cavalry import (
    dismount,
    leave_square,
    may_dismount,
    may_mount,
    mount,
)
from zareba_rulesets.fixed_baynet.chapters.morale.glory import voluntary_check
from zareba_rulesets.fixed_baynet.chapters.movement.after_move import settle_contacts
from zareba_rulesets.fixed_baynet.chapters.movement.manoeuvre import may_cross
from zareba_rulesets.fixed_baynet.chapters.movement.movement import get_up, go_prone, may_get_up, may_lie_down
from zareba_rulesets.fixed_baynet.chapters.orders.options import (
    CHECK,
    DISMOUNT,
    FACE,
    GET_UP,
    LIE_DOWN,
    MAN_OPENINGS,
    MOUNT,
)
from zareba_rulesets.fixed_baynet.chapters.setting_up.forming import ranks_that_fit
from zareba_rulesets.fixed_baynet.chapters.sight.contact import engaged, held
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import is_drilled, is_formed, note_gaps, square_facing
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["ACTS", "DRILL", "drill_alone"]


@procedure("formation.change")
def form(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    """Change formation for 1 AC per man (FBN-035).

    Men who are able to move take up the new formation around their middle, or as near as there is room. Men who may
    not leave contact stay where they are (FBN-051). If only a charge makes contact, no man may come into contact
    (FBN-270).
    """
    stay, touching = held(battle, unit), engaged(battle, unit)
    men = {key: man for key, man in unit.figures.items() if man.able and not man.place}
    for man in men.values():
        man.ac -= 1
    movable, ranks = {key: man for key, man in men.items() if not man.prone and key not in stay}, None
    if movable:
        count, facing = len(movable), next(iter(movable.values())).facing
        x, y = total(man.x for man in movable.values()) / count, total(man.y for man in movable.values()) / count
        radius = max(battle.radius(man) for man in movable.values())
        wary = unit.spec.side if battle.book.settings.contact_needs_charge else ""
        spots, ranks = ranks_that_fit(battle, movable, (x, y), name, facing, radius, wary)
        for man, spot in zip(movable.values(), spots, strict=True):
            battle.put(man, *spot)
            man.facing = square_facing((x, y), spot) if name == "square" else facing
        unit.measure()
    unit.formation = name
    unit.unmark("unformed")
    if not (ranks is not None and _all_in_ranks(battle, unit, movable, ranks)) and not is_formed(battle, unit):
        unit.mark("unformed")
    table.emit("formation", "FBN-035", unit=unit.spec.id, formation=name)
    settle_contacts(table, battle, unit, [man for key, man in movable.items() if key not in touching])


def _all_in_ranks(battle: Battle, unit: Unit, men: Mapping[str, Figure], ranks: int) -> bool:
    """Return True if a unit just formed up in ranks needs no measuring: every man who counts is in them (FBN-272)."""
    on_foot = {not man.mounted for man in men.values()}
    if len(on_foot) > 1 or any(
        not man.reaction and not man.place and key not in men and "prone" not in man.marks
        for key, man in unit.figures.items()
    ):
        return False
    return is_drilled(battle, unit.formation, len(men), ranks, False in on_foot)


class Drill(NamedTuple):
    """An act of all men of a unit, or of one man: its test, its effect, its event kind and its rule."""

    may: Callable[[Battle, Unit, Figure], bool]
    does: Callable[[Battle, Unit, Sequence[Figure]], None]
    told: str
    rule: str


def _drill(table: Table, battle: Battle, unit: Unit, word: str) -> None:
    drill = DRILL[word]
    men = [figure for figure in unit.figures.values() if figure.able and drill.may(battle, unit, figure)]
    drill.does(battle, unit, men)
    table.emit(drill.told, drill.rule, unit=unit.spec.id, men=len(men), of=len(unit.figures))


def drill_alone(table: Table, battle: Battle, unit: Unit, man: Figure, word: str) -> None:
    """Carry out a drill with one man and emit its event for him."""
    drill = DRILL[word]
    drill.does(battle, unit, [man])
    table.emit(drill.told, drill.rule, unit=man.spec.id, men=1, of=1)


def _lie_down(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    for figure in men:
        go_prone(battle, figure)


def _get_up(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    for figure in men:
        get_up(figure)
    note_gaps(battle, unit)


def _dismount(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    for figure in men:
        dismount(figure)
    unit.mark("loose")  # bases are smaller on foot: test the formation (FBN-064)


def _mount(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    for figure in men:
        mount(battle, figure)
    unit.measure()
    leave_square(unit)
    unit.mark("loose")


DRILL: dict[str, Drill] = {
    LIE_DOWN: Drill(lambda battle, unit, man: may_lie_down(man), _lie_down, "lies down", "FBN-052"),
    GET_UP: Drill(may_get_up, _get_up, "gets up", "FBN-053"),
    DISMOUNT: Drill(lambda battle, unit, man: may_dismount(man), _dismount, "dismounts", "FBN-186"),
    MOUNT: Drill(lambda battle, unit, man: may_mount(battle, man), _mount, "mounts", "FBN-186"),
}


def _face(table: Table, battle: Battle, unit: Unit) -> None:
    """Turn the men on foot, which is free (FBN-049). The option is offered once until the unit does something else."""
    unit.mark("faced")
    way = table.choose(unit.spec.side, WINDS, why="face", rule="FBN-049", actor=unit.spec.id)
    for figure in unit.figures.values():
        if figure.able and not figure.mounted:
            figure.facing = bearing_of(way)
    table.emit("faces", "FBN-049", unit=unit.spec.id, way=way)


def _man_openings(table: Table, battle: Battle, unit: Unit) -> None:
    """Post men who have no post at the openings of their sections that have room (FBN-275)."""
    men = 0
    for figure in unit.figures.values():
        if may_be_posted(figure) and not figure.post:
            ways = [way for way in free_openings(battle, figure) if not battle.field.openings[way].other]
            ways = ways or free_openings(battle, figure)
            if ways:
                post(battle, figure, ways[0])
                figure.mark("placed")
                men += 1
    if men:
        table.emit("at openings", "FBN-275", unit=unit.spec.id, men=men, of=len(unit.figures))


def _cross(table: Table, battle: Battle, unit: Unit, way_id: str, to: str) -> None:
    """Send all men of the unit who can through an opening, while there is room (FBN-244)."""
    unit.mark("loose")
    for figure in list(unit.figures.values()):
        if not figure.able:
            continue
        for way, leads in crossings(battle, figure):
            if way.id == way_id and leads == to and may_cross(battle, unit, figure, way):
                go_through(table, battle, unit, figure, way, to)
                break


ACTS: dict[str, Callable[..., None]] = {
    **{word: partial(_drill, word=word) for word in DRILL},
    FACE: _face,
    CHECK: voluntary_check,
    MAN_OPENINGS: _man_openings,
    "form": form,
    "cross": _cross,
}
