"""Doors and ladders (FBN-253, FBN-254, FBN-260): opening, bashing and climbing."""

from __future__ import annotations

from zareba.base.exact import dist
from zareba.chance import at_least
from zareba.rules import procedure
from zareba.space.ground.buildings import BuildingOpening
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.buildings.buildings import put_in_section, room_left
from zareba_rulesets.fixed_baynet.chapters.sight.ranges import chest_sign
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["bash_door", "climb_ladder", "closed_doors_near", "ladders", "may_spend_all", "open_door", "roll_bash"]


def closed_doors_near(battle: Battle, figure: Figure) -> list[str]:
    """Return the heavy or locked doors within reach of a man (FBN-253)."""
    reach = battle.book.door_reach
    found = []
    for name in battle.field.buildings:
        state = battle.houses[name]
        for way in battle.field.heavy_doors[name] if state.points > 0 else ():
            if way.id in state.open_doors:
                continue
            if figure.place:
                near = figure.place in (way.section, way.other)
            else:
                near = not way.other and dist(figure.at, way.at) - battle.radius(figure) <= reach
            if near:
                found.append(way.id)
    return found


def open_door(table: Table, battle: Battle, figure: Figure, door: str) -> None:
    """Open a door. It takes the man's whole activation; the door is open at once and stays open (FBN-253)."""
    _spend_all(figure)
    _swing(battle, door)
    table.emit("door open", "FBN-253", figure=figure.spec.id, door=door)


def may_spend_all(figure: Figure) -> bool:
    """Return True if the man has spent no AC in this activation (FBN-253, FBN-260)."""
    return figure.ac >= 1 and figure.ac == figure.spec.ac - figure.spent


def _spend_all(figure: Figure) -> None:
    figure.ac = 0
    figure.mark("served")


def _swing(battle: Battle, door: str) -> None:
    house = battle.houses.change(door.partition(":")[0])
    house.open_doors = house.open_doors | {door}


@procedure("door.bash_roll")
def roll_bash(table: Table, cs: int, actor: str) -> bool:
    """Roll a die + CS against DS 4 and return True if the door gives way.

    A 1 fails and the highest face succeeds (FBN-254).
    """
    faces = 12 if table.rules.settings["bash_die"] == "d12" else 6
    need = table.rules.book.door.ds - cs
    least: int = min(max(need, 2), faces)
    means = at_least(least, "the door gives way", "the door holds", by="his CS")
    return table.roll(1, faces, why="bash", rule="FBN-254", actor=actor, means=means) >= least


@procedure("door.bash")
def bash_door(table: Table, battle: Battle, figure: Figure, door: str) -> bool:
    """Bash a door for 1 AC and return True if it gives way, which removes it (FBN-254)."""
    figure.ac -= 1
    success = roll_bash(table, figure.spec.cs + chest_sign(battle, figure), figure.spec.id)
    if success:
        _swing(battle, door)
        table.emit("door open", "FBN-254", figure=figure.spec.id, door=door)
    return success


def ladders(battle: Battle, figure: Figure) -> list[BuildingOpening]:
    """Return the ladders a man can climb or descend: he is at the foot or on the watchtower (FBN-260)."""
    found = []
    for name, house in battle.field.buildings.items():
        if house.kind != "tower" or battle.houses[name].points <= 0 or figure.mounted or figure.prone:
            continue
        ladder = house.openings[f"{name}:ladder"]
        near = dist(figure.at, ladder.at) - battle.radius(figure) <= float(battle.book.file.buildings.door_reach)
        if figure.place == ladder.section or (
            not figure.place and near and room_left(battle, ladder.section, figure.spec.side) > 0
        ):
            found.append(ladder)
    return found


@procedure("building.climb")
def climb_ladder(table: Table, battle: Battle, unit: Unit, figure: Figure, ladder: BuildingOpening) -> None:
    """Climb or descend a ladder, which takes the whole activation. Every man on a watchtower is at the rail (FBN-260)."""
    _spend_all(figure)
    if figure.place:
        figure.post = ""
        put_in_section(battle, unit, figure, ladder, "")
    else:
        put_in_section(battle, unit, figure, ladder, ladder.section)
        figure.post = f"{ladder.id.partition(':')[0]}:rail"
    table.emit("climbed", "FBN-260", unit=unit.spec.id, figure=figure.spec.id)
