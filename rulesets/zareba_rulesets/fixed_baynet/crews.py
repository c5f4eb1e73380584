"""Guns and who serves them (FBN-201, FBN-202, FBN-204 to FBN-208, FBN-122, FBN-127): AC, turning, moving, capture."""

from __future__ import annotations

from math import hypot

from zareba.rules import procedure
from zareba.space.bearings import angle_between, bearing, offset
from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.fixed_baynet.after_move import after_move
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.glory import rise_to_attack
from zareba_rulesets.fixed_baynet.manoeuvre import goes_away, short_of_hidden
from zareba_rulesets.fixed_baynet.movement import allowance, can_move, crowd_refusal
from zareba_rulesets.fixed_baynet.places import discs_near, open_ground, overlaps, ruins
from zareba_rulesets.fixed_baynet.ranges import chest_sign
from zareba_rulesets.fixed_baynet.sight import joint_box
from zareba_rulesets.fixed_baynet.steps import Directions
from zareba_rulesets.fixed_baynet.units import Figure, Gun, Unit

__all__ = [
    "best_cs",
    "captured_guns",
    "crew_of",
    "gun_targets_arc",
    "haul",
    "haul_refused",
    "haulers",
    "is_manned",
    "ready_gun",
    "serve",
    "turn_gun",
]

GAIT_WALK = 1


def touches(battle: Battle, figure: Figure, gun: Gun, slack: float = 0.0) -> bool:
    book = battle.book
    reach = book.radii[figure.mounted] + book.radius["gun"] + (slack if slack > book.contact else book.contact)
    across, along = figure.x - gun.x, figure.y - gun.y
    return -reach <= across <= reach and -reach <= along <= reach and hypot(across, along) <= reach


def may_serve(battle: Battle, unit: Unit, figure: Figure, gun: Gun) -> bool:
    """Steady, able, upright enough to work; a light arm wound bars crew-served pieces, by setting heavy ones only (FBN-127).

    He has done nothing else in this activation, and has served no other piece (FBN-205).
    """
    if not figure.able or "arm_heavy" in figure.locations or figure.place:
        return False
    if "arm_light" in figure.locations and (
        battle.book.settings.arm_light_bars == "crew_served" or battle.book.guns[gun.kind].weight == "heavy"
    ):
        return False
    if "served" in figure.marks:
        return serves(unit, gun) in figure.marks
    return figure.ac >= figure.spec.ac - figure.spent


def serves(unit: Unit, gun: Gun) -> str:
    """The mark of those who serve a piece of their unit in this activation."""
    return f"serves {unit.guns.index(gun) + 1}"


def crew_of(battle: Battle, unit: Unit, gun: Gun) -> list[Figure]:
    """The men in contact with a piece who can serve it, as many as it needs (FBN-202, FBN-206)."""
    men = [
        figure
        for figure in unit.figures.values()
        if touches(battle, figure, gun) and may_serve(battle, unit, figure, gun)
    ]
    return men[: battle.book.guns[gun.kind].crew]


def is_manned(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return gun.in_play and len(crew_of(battle, unit, gun)) >= battle.book.settings.min_crew


def best_cs(battle: Battle, unit: Unit, gun: Gun) -> int:
    """The CS of the best crewman (P11), one less with a chest wound (FBN-130)."""
    return max(figure.spec.cs + chest_sign(battle, figure) for figure in crew_of(battle, unit, gun))


def ready_gun(battle: Battle, unit: Unit, gun: Gun) -> None:
    """Give a gun its AC for this activation (FBN-205): 3 of its own, or what its crew has."""
    rule, full = battle.book.settings.crew_ac, int(battle.book.file.gun_costs["ac"])
    crew = crew_of(battle, unit, gun)
    if not crew:
        gun.ac = 0
    elif rule == "fixed3":
        gun.ac = full
    elif rule == "crew_best":
        gun.ac = min(full, gun.saved + max(figure.spec.ac - figure.spent for figure in crew))
    else:
        gun.ac = sum(max(0, figure.spec.ac - figure.spent) for figure in crew)


def serve(battle: Battle, unit: Unit, gun: Gun, cost: int, fires: bool = False) -> None:
    """Take AC from the gun; those who serve it do nothing else this turn but defend themselves (FBN-205).

    Nobody fires a piece and stays lying down (FBN-054).
    """
    gun.ac -= cost
    gun.saved = 0
    for figure in crew_of(battle, unit, gun):
        figure.mark("served", serves(unit, gun))
        figure.ac = 0
        if fires:
            rise_to_attack(figure)
    for other in unit.guns:
        if not any(serves(unit, other) in figure.marks for figure in unit.figures.values()):
            ready_gun(battle, unit, other)  # without those who serve this one


@procedure("gun.turn")
def turn_gun(table: Table, battle: Battle, unit: Unit, gun: Gun, facing: float) -> None:
    """FBN-208: 1 AC for up to 90 degrees."""
    serve(battle, unit, gun, int(battle.book.file.gun_costs["turn"]))
    gun.bearing = facing % 360
    table.tell("gun turned", "FBN-208", unit=unit.spec.id, gun=unit.guns.index(gun) + 1, facing=round(facing))


def turns_open(battle: Battle, gun: Gun) -> list[float]:
    """Bearings within one turn of a piece, by 15 degrees."""
    most = float(battle.book.file.turn_of_gun["degrees"])
    steps = int(most // 15)
    return [(gun.bearing + 15 * step) % 360 for step in range(-steps, steps + 1) if step]


def gun_targets_arc(battle: Battle, gun: Gun, point: Point) -> bool:
    """Whether a point lies in the arc of a piece (FBN-080, FBN-209, FBN-229)."""
    if point == gun.at:
        return False
    half = float(battle.book.file.gun_arcs["machine_gun"]) / 2 if gun.kind == "machine_gun" else battle.book.arc_of_gun
    return angle_between(gun.bearing, bearing(gun.at, point)) <= half + 1e-6


def haulers(battle: Battle, unit: Unit, gun: Gun) -> list[Figure] | None:
    """Who moves a piece: 2 men for a light one, riders or its team for others; None if there are not enough (FBN-207).

    Its crew comes first; others may be of units of the side that have not acted this turn.
    """
    need = battle.book.file.movers[battle.book.guns[gun.kind].weight]
    wanted = need.men or need.riders - gun.team
    if wanted <= 0:
        return []
    found = [
        figure for figure in crew_of(battle, unit, gun) if can_move(battle, figure) or _works(battle, unit, gun, figure)
    ]
    found += [
        figure
        for other in battle.on_table(unit.spec.side)
        if other is not unit and "activated" not in other.marks
        for figure in other.figures.values()
        if figure.able and figure.spec.ac > figure.spent and not figure.place and touches(battle, figure, gun)
    ]
    found = [figure for figure in found if figure.mounted is not bool(need.men)]
    return found[:wanted] if len(found) >= wanted else None


def _works(battle: Battle, unit: Unit, gun: Gun, figure: Figure) -> bool:
    """Whether he has served this piece, which took his AC, and can still go with it: it may turn or fire before it moves (FBN-205)."""
    return serves(unit, gun) in figure.marks and "halted" not in figure.marks and figure.moves < battle.book.moves_limit


def _team(battle: Battle, unit: Unit, gun: Gun, pullers: list[Figure]) -> list[Figure]:
    """Who goes along with a piece: the crew in contact with it who can move, and those who move it (FBN-131, FBN-165)."""
    crew = [
        figure
        for figure in unit.figures.values()
        if figure.able and not figure.place and "halted" not in figure.marks and touches(battle, figure, gun)
    ]
    return crew + [puller for puller in pullers if puller.spec.id not in unit.figures]


def haul_reach(battle: Battle, gun: Gun, pullers: list[Figure]) -> float:
    """Inches of one move: the slower man's speed, or the walk of its horses; `draught_gait` any: up to a gallop (FBN-207)."""
    need = battle.book.file.movers[battle.book.guns[gun.kind].weight]
    if need.men:
        return float(min(allowance(battle, figure) for figure in pullers))
    gait = GAIT_WALK if battle.book.settings.draught_gait == "walk" else 3
    return float(battle.book.gaits[gait].most)


def haul_refused(battle: Battle, unit: Unit, gun: Gun, pullers: list[Figure], point: Point) -> str | None:
    """Why a piece may not be moved straight to a point, or None; guns cross no walls (FBN-067)."""
    if not battle.field.on_table(*point):
        return "that is off the table"
    leg = battle.field.leg(gun.at, point, True, ruins(battle))
    if leg.closed:
        return f"{leg.closed} bars the way (FBN-067)"
    spent, reach = hypot(point[0] - gun.x, point[1] - gun.y), haul_reach(battle, gun, pullers)
    if battle.book.settings.terrain_move == "proportional":
        spent = leg.price
    else:
        reach = float(battle.book.slowed(int(reach), leg.going))
    if spent > reach + 1e-6:
        return f'that is {spent:.1f}" of {reach:g}" (FBN-048, FBN-207)'
    dx, dy = point[0] - gun.x, point[1] - gun.y
    team = _team(battle, unit, gun, pullers)
    if battle.book.settings.leave_contact == "refused" and any(
        foes_in_contact(battle, f, unit.spec.side) for f in team
    ):
        return "who is in contact stays there (FBN-051)"
    if unit.back and not goes_away(battle, unit.spec.side, team, dx, dy):
        return "it must fall back from the enemy (FBN-160)"
    without = {figure.spec.id for figure in team}
    discs = [
        disc
        for disc in discs_near(battle, joint_box((*gun.at, *gun.at), (*point, *point)), 5.0, without, unit.spec.side)
        if disc.id or hypot(disc.x - gun.x, disc.y - gun.y) > 0.01
    ]
    edge = battle.book.radius["gun"]
    if refused := crowd_refusal(battle, unit.spec.side, [gun.at], (dx, dy), edge, discs, contact=True):
        return refused
    spots = [(point, edge)] + [((f.x + dx, f.y + dy), battle.radius(f)) for f in team]
    for (x, y), radius in spots:
        if not open_ground(battle, x, y) or overlaps(x, y, radius, discs):
            return "there is no room (FBN-050)"
    if battle.book.settings.contact_needs_charge:
        foes = [disc for disc in discs if disc.id and disc.side != unit.spec.side]
        if any(overlaps(x, y, radius + battle.book.contact, foes) for (x, y), radius in spots[1:]):
            return "only a charge makes contact (FBN-270)"
    return None


@procedure("gun.haul")
def haul(table: Table, battle: Battle, unit: Unit, gun: Gun, pullers: list[Figure], point: Point) -> None:
    """FBN-207: 2 AC of the gun and 1 AC of each mover; the crew in contact and the movers go with it."""
    team = _team(battle, unit, gun, pullers)
    way = point[0] - gun.x, point[1] - gun.y
    dx, dy = short_of_hidden(battle, unit, team, *way, gun)
    crew = [(man, man.at) for man in team if man.spec.id in unit.figures]
    serve(battle, unit, gun, int(battle.book.file.gun_costs["move"]))
    for puller in pullers:
        if puller.spec.id in unit.figures:
            puller.ac = max(0, puller.ac - 1)
            puller.moves += 1
            if puller.mounted:
                puller.gait = next(
                    gait for gait, kind in enumerate(battle.book.gaits) if hypot(dx, dy) <= kind.most + 1e-6
                )
    gun.x, gun.y = point if (dx, dy) == way else (gun.x + dx, gun.y + dy)
    gun.z = battle.field.height(gun.at)
    gun.moved = True
    for figure in team:
        home = battle.home(figure.spec.id)
        assert home is not None, "only men in play go with a gun"
        home = battle.change(home)
        man = home.figures[figure.spec.id]
        battle.put(man, man.x + dx, man.y + dy)
        man.spent += home is not unit  # missing in his own activation, like an answer (FBN-098)
        home.measure()
    unit.measure()
    number = unit.guns.index(gun) + 1
    table.tell("gun moved", "FBN-207", unit=unit.spec.id, gun=number, inches=round(hypot(dx, dy), 1))
    after_move(table, battle, unit, [man for man, _ in crew], [start for _, start in crew])


def haul_points(battle: Battle, unit: Unit, gun: Gun, pullers: list[Figure]) -> Directions:
    """Points to which a piece can be moved: along its bearing, back, and aside."""
    most, turns = haul_reach(battle, gun, pullers), (0, 45, -45, 90, -90, 180)

    def legal(point: Point) -> str | None:
        return haul_refused(battle, unit, gun, pullers, point)

    def farthest(place: int) -> Point | None:
        for length in (most, most / 2):
            point = offset(gun.at, gun.bearing + turns[place], length)
            if legal(point) is None:
                return point
        return None

    return Directions(len(turns), farthest, legal, likely=len(turns) - 1)


def captured_guns(table: Table, battle: Battle, unit: Unit) -> None:
    """FBN-122: after the activation of a unit a gun without crew in contact with an enemy is taken; it stays, unusable.

    The unit itself may take one, or one of others that stood there when the crew fell or left it.
    """
    for other in battle.units.values():
        for number, gun in enumerate(other.guns):
            if not gun.in_play or any(touches(battle, figure, gun, 1.0) for figure in other.figures.values()):
                continue
            taker = next(
                (one for one in (unit, *battle.enemies(other.spec.side)) if _takes(battle, one, other, gun)), None
            )
            if taker is not None:
                if taker is unit:
                    unit.mark("deed", "took a gun")  # FBN-161
                other = battle.change(other)
                other.guns[number].taken_by = taker.spec.side
                other.measure()
                table.tell("gun taken", "FBN-122", unit=other.spec.id, by=taker.spec.id)


def _takes(battle: Battle, unit: Unit, home: Unit, gun: Gun) -> bool:
    return unit.spec.side != home.spec.side and any(
        figure.steady and touches(battle, figure, gun) for figure in unit.figures.values()
    )
