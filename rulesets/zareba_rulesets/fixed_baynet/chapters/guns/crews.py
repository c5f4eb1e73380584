"""Guns and their crews (FBN-201, FBN-202, FBN-204 to FBN-206, FBN-208, FBN-122, FBN-127): AC, turning and capture."""

from __future__ import annotations

from zareba.base.exact import hypot
from zareba.rules import procedure
from zareba.space.bearings import angle_between, bearing
from zareba.space.geometry import Point, boxes_near
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.morale.glory import rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.sight.ranges import chest_sign
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

__all__ = [
    "best_cs",
    "capture_guns",
    "crew_of",
    "gun_targets_arc",
    "is_manned",
    "ready_gun",
    "serve",
    "turn_gun",
]


def is_touching(battle: Battle, figure: Figure, gun: Gun, slack: float = 0.0) -> bool:
    """Return True if a man's base is in contact with a gun, or within `slack` inches of it (FBN-005)."""
    book = battle.book
    reach = book.radii[figure.mounted] + book.radius["gun"] + (slack if slack > book.contact else book.contact)
    across, along = figure.x - gun.x, figure.y - gun.y
    return -reach <= across <= reach and -reach <= along <= reach and hypot(across, along) <= reach


def may_serve(battle: Battle, unit: Unit, figure: Figure, gun: Gun) -> bool:
    """Return True if a man can serve a gun: able, out of doors, and without a wound that bars him.

    A light arm wound bars him from crew-served weapons or, by setting, only from heavy ones (FBN-127). He must have
    done nothing else in this activation and served no other gun (FBN-205).
    """
    if not figure.able or "arm_heavy" in figure.locations or figure.place:
        return False
    if "arm_light" in figure.locations and (
        battle.book.settings.arm_light_bars == "crew_served" or battle.book.guns[gun.kind].weight == "heavy"
    ):
        return False
    if "served" in figure.marks:
        return service_mark(unit, gun) in figure.marks
    return figure.ac >= figure.spec.ac - figure.spent


def service_mark(unit: Unit, gun: Gun) -> str:
    """Return the mark of men who serve this gun in the current activation."""
    return f"serves {unit.guns.index(gun) + 1}"


def crew_of(battle: Battle, unit: Unit, gun: Gun) -> list[Figure]:
    """Return the men in contact with a gun who can serve it, at most its full crew (FBN-202, FBN-206)."""
    men = [
        figure
        for figure in unit.figures.values()
        if is_touching(battle, figure, gun) and may_serve(battle, unit, figure, gun)
    ]
    return men[: battle.book.guns[gun.kind].crew]


def is_manned(battle: Battle, unit: Unit, gun: Gun) -> bool:
    """Return True if a gun is in play and has at least the smallest crew (FBN-206)."""
    return gun.in_play and len(crew_of(battle, unit, gun)) >= battle.book.settings.min_crew


def best_cs(battle: Battle, unit: Unit, gun: Gun) -> int:
    """Return the CS of the best crewman; a chest wound makes it one worse (FBN-130)."""
    return max(figure.spec.cs + chest_sign(battle, figure) for figure in crew_of(battle, unit, gun))


def ready_gun(battle: Battle, unit: Unit, gun: Gun) -> None:
    """Give a gun its AC for this activation (FBN-205): a fixed 3 or, by setting, the AC of its crew."""
    rule, full = battle.book.settings.crew_ac, battle.book.file.gun_costs.ac
    crew = crew_of(battle, unit, gun)
    if not crew:
        gun.ac = 0
    elif rule == "fixed3":
        gun.ac = full
    elif rule == "crew_best":
        gun.ac = min(full, gun.saved + max(battle.counters_left(figure) for figure in crew))
    else:
        gun.ac = sum(battle.counters_left(figure) for figure in crew)


def serve(battle: Battle, unit: Unit, gun: Gun, cost: int, fires: bool = False) -> None:
    """Take AC from a gun. Its crew does nothing else this turn except defend itself (FBN-205).

    A man who fires a gun gets up (FBN-054).
    """
    gun.ac -= cost
    gun.saved = 0
    for figure in crew_of(battle, unit, gun):
        figure.mark("served", service_mark(unit, gun))
        figure.ac = 0
        if fires:
            rise_to_attack(figure)
    for other in unit.guns:
        if not any(service_mark(unit, other) in figure.marks for figure in unit.figures.values()):
            ready_gun(battle, unit, other)  # without the men who serve this gun


@procedure("gun.turn")
def turn_gun(table: Table, battle: Battle, unit: Unit, gun: Gun, facing: float) -> None:
    """Turn a gun by up to 90 degrees for 1 AC (FBN-208)."""
    serve(battle, unit, gun, battle.book.file.gun_costs.turn)
    gun.bearing = facing % 360
    table.emit("gun turned", "FBN-208", unit=unit.spec.id, gun=unit.guns.index(gun) + 1, facing=round(facing))


def allowed_turns(battle: Battle, gun: Gun) -> list[float]:
    """Return the bearings within one turn of a gun, in steps of 15 degrees."""
    most = float(battle.book.file.turn_of_gun.degrees)
    steps = int(most // 15)
    return [(gun.bearing + 15 * step) % 360 for step in range(-steps, steps + 1) if step]


def gun_targets_arc(battle: Battle, gun: Gun, point: Point) -> bool:
    """Return True if a point is in the fire arc of a gun (FBN-080, FBN-209, FBN-229)."""
    if point == gun.at:
        return False
    half = float(battle.book.file.gun_arcs.machine_gun) / 2 if gun.kind == "machine_gun" else battle.book.arc_of_gun
    return angle_between(gun.bearing, bearing(gun.at, point)) <= half + 1e-6


def capture_guns(table: Table, battle: Battle, unit: Unit) -> None:
    """Capture guns without crew in contact with an enemy after an activation; they stay, unusable (FBN-122).

    The captor may be the active unit, or another that was in contact when the crew fell or left.
    """
    for other in battle.units.values():
        for number, gun in enumerate(other.guns):
            if not gun.in_play or any(is_touching(battle, figure, gun, 1.0) for figure in other.figures.values()):
                continue
            taker = next(
                (one for one in (unit, *battle.enemies(other.spec.side)) if _can_take(battle, one, other, gun)), None
            )
            if taker is not None:
                if taker is unit:
                    unit.mark("deed", "took a gun")  # FBN-161
                other = battle.change(other)
                other.guns[number].taken_by = taker.spec.side
                other.measure()
                table.emit("gun taken", "FBN-122", unit=other.spec.id, by=taker.spec.id)


def _can_take(battle: Battle, unit: Unit, home: Unit, gun: Gun) -> bool:
    """Return True if a steady man of an enemy unit is in contact with a gun (FBN-122)."""
    near = battle.book.gun_and_man + battle.book.contact
    if unit.spec.side == home.spec.side or not boxes_near(unit.box, (*gun.at, *gun.at), near):
        return False
    return any(figure.steady and is_touching(battle, figure, gun) for figure in unit.figures.values())
