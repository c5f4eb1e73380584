"""Effects of a move (FBN-078, FBN-145, FBN-239): hidden enemies are found, contact is made, and men stumble at night."""

from __future__ import annotations

from collections.abc import Sequence
from operator import itemgetter

from zareba.rules import procedure
from zareba.space.geometry import Point, box_gap
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.morale.glory import FLANK, glory_event
from zareba_rulesets.fixed_baynet.chapters.movement.movement import allowance
from zareba_rulesets.fixed_baynet.chapters.movement.night import notice_terrain
from zareba_rulesets.fixed_baynet.chapters.sight.contact import foes_in_contact, stands_on_spot
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import in_square
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["nearest_enemy", "resolve_move", "reveal_hidden", "settle_contacts"]


def nearest_enemy(battle: Battle, unit: Unit) -> tuple[float, Unit | None]:
    """Return the distance to the nearest enemy unit by bounding box, and the unit; 1e9 and None if there is none."""
    return min(battle.foes(unit), key=itemgetter(0), default=(1e9, None))


@procedure("movement.after")
def resolve_move(table: Table, battle: Battle, unit: Unit, men: Sequence[Figure], starts: Sequence[Point]) -> None:
    """Resolve the effects of a move: stumbling at night, hidden enemies found, and contact."""
    if men:
        allowance(battle, men[0], seen=table.tallies)  # records the allowance for "why?"
    if battle.night:
        for man, start in zip(men, starts, strict=True):
            if not man.mounted and not man.place:
                notice_terrain(table, battle, unit, man, start)
    reveal_hidden(table, battle, unit)
    settle_contacts(table, battle, unit, men)


def reveal_hidden(table: Table, battle: Battle, unit: Unit) -> None:
    """Reveal hidden units. A hidden unit is revealed when it acts or an enemy comes near; until then no enemy sees it."""
    if "hidden" in unit.marks:
        unit.unmark("hidden")
        table.emit("revealed", "FBN-078", unit=unit.spec.id)
    reach = float(battle.book.file.hidden.inches)
    for other in battle.units.values():
        if "hidden" in other.marks and other.spec.side != unit.spec.side and box_gap(unit.box, other.box) <= reach:
            battle.change(other).unmark("hidden")
            table.emit("revealed", "FBN-078", unit=other.spec.id)


def settle_contacts(table: Table, battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    """Raise the flank event for a unit that is contacted outside a man's front arc, unless it is in square (FBN-145)."""
    _, foe = nearest_enemy(battle, unit)
    if foe is None or box_gap(unit.box, foe.box) > battle.book.in_touch:
        return
    front = battle.book.file.arcs.front
    struck: dict[str, Unit] = {}
    for man in men:
        if man.spec.id not in unit.figures:
            continue
        touched = [other for other in foes_in_contact(battle, man, unit.spec.side) if other.place == man.place]
        if not touched or not stands_on_spot(battle, man):
            continue  # men at openings look out and men in sections face all ways, so they have no flank
        for other in touched:
            home = battle.home(other.spec.id)
            if home is not None and not in_square(battle, home) and other.turned_from(man.at) > front:
                struck[home.spec.id] = home
    for home in struck.values():
        glory_event(table, battle, home, FLANK)
