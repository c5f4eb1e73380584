"""Crews of guns, and how guns are moved."""

from __future__ import annotations

from zareba.base.exact import dist, hypot
from zareba.battle.positions import MoveSuggestions
from zareba.rules import procedure
from zareba.space.bearings import angle_between, bearing
from zareba.space.field.bodies import overlaps_any
from zareba.space.geometry import Point, box_between, boxes_near
from zareba.space.ground.pathfinding import StraightMove
from zareba.table import MoveCost, Table
from zareba_rulesets.fixed_baynet.book.tables import WALK
from zareba_rulesets.fixed_baynet.chapters.contact import foes_in_contact
from zareba_rulesets.fixed_baynet.chapters.morale import rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.movement import (
    allowance,
    can_move,
    crowd_refusal,
    moves_away,
    resolve_move,
    short_of_hidden,
)
from zareba_rulesets.fixed_baynet.chapters.sight import chest_sign
from zareba_rulesets.fixed_baynet.forces.battle import Battle, bases_near, open_ground, ruins
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

# --- Crews ------------------------------------------------------------------------------------------------------------
# Guns and their crews (FBN-201, FBN-202, FBN-204 to FBN-206, FBN-208, FBN-122, FBN-127): AC, turning and capture.


def is_touching(battle: Battle, figure: Figure, gun: Gun, slack: float = 0.0) -> bool:
    """Return True if a man's base is in contact with a gun, or within `slack` inches of it (FBN-005)."""
    book = battle.book
    reach = book.radii[figure.mounted] + book.radius["gun"] + (slack if slack > book.contact else book.contact)
    across, along = figure.x - gun.x, figure.y - gun.y
    return -reach <= across <= reach and -reach <= along <= reach and hypot(across, along) <= reach


def _may_serve(battle: Battle, unit: Unit, figure: Figure, gun: Gun) -> bool:
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
        return _service_mark(unit, gun) in figure.marks
    return figure.ac >= figure.spec.ac - figure.spent


def _service_mark(unit: Unit, gun: Gun) -> str:
    """Return the mark of men who serve this gun in the current activation."""
    return f"serves {unit.guns.index(gun) + 1}"


def crew_of(battle: Battle, unit: Unit, gun: Gun) -> list[Figure]:
    """Return the men in contact with a gun who can serve it, at most its full crew (FBN-202, FBN-206)."""
    men = [
        figure
        for figure in unit.figures.values()
        if is_touching(battle, figure, gun) and _may_serve(battle, unit, figure, gun)
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
        figure.mark("served", _service_mark(unit, gun))
        figure.ac = 0
        if fires:
            rise_to_attack(figure)
    for other in unit.guns:
        if not any(_service_mark(unit, other) in figure.marks for figure in unit.figures.values()):
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


def is_in_gun_arc(battle: Battle, gun: Gun, point: Point) -> bool:
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
            captor = next(
                (
                    candidate
                    for candidate in (unit, *battle.enemies(other.spec.side))
                    if _can_take(battle, candidate, other, gun)
                ),
                None,
            )
            if captor is not None:
                if captor is unit:
                    unit.mark("deed", "took a gun")  # FBN-161
                other = battle.change(other)
                other.guns[number].taken_by = captor.spec.side
                other.measure()
                table.emit("gun taken", "FBN-122", unit=other.spec.id, by=captor.spec.id)


def _can_take(battle: Battle, unit: Unit, gun_unit: Unit, gun: Gun) -> bool:
    """Return True if a steady man of an enemy unit is in contact with a gun (FBN-122)."""
    near = battle.book.gun_and_man + battle.book.contact
    if unit.spec.side == gun_unit.spec.side or not boxes_near(unit.box, (*gun.at, *gun.at), near):
        return False
    return any(figure.steady and is_touching(battle, figure, gun) for figure in unit.figures.values())


# --- Moving guns (FBN-204, FBN-205, FBN-207, FBN-233): movers, distance, destination and the crew that goes along -----


def haulers(battle: Battle, unit: Unit, gun: Gun) -> list[Figure] | None:
    """Return the movers of a gun: 2 men if it is light, otherwise riders or its team; None if too few (FBN-207).

    The crew comes first. Other movers may come from friendly units that have not acted this turn; riders must not have
    made this turn's ride (FBN-179).
    """
    once = battle.book.settings.mount_moves_per_turn == 1
    need = battle.book.file.movers[battle.book.guns[gun.kind].weight]
    needed = need.men or need.riders - gun.team
    if needed <= 0:
        return []
    movers = [
        figure
        for figure in crew_of(battle, unit, gun)
        if can_move(battle, figure) or _can_haul_after_serving(battle, unit, gun, figure)
    ]
    movers += [
        figure
        for other in battle.on_table(unit.spec.side)
        if other is not unit and "activated" not in other.marks
        for figure in other.figures.values()
        if figure.able and figure.spec.ac > figure.spent and not figure.place and not (once and figure.gait)
        if is_touching(battle, figure, gun)
    ]
    movers = [figure for figure in movers if figure.mounted is not bool(need.men)]
    return movers[:needed] if len(movers) >= needed else None


def _can_haul_after_serving(battle: Battle, unit: Unit, gun: Gun, figure: Figure) -> bool:
    """Return True if a man who served this gun, and so has no AC left, can still move with it.

    A gun may turn or fire before it moves (FBN-205).
    """
    return (
        _service_mark(unit, gun) in figure.marks
        and "halted" not in figure.marks
        and figure.moves < battle.book.moves_limit
    )


def _men_with_gun(battle: Battle, unit: Unit, gun: Gun, pullers: list[Figure]) -> list[Figure]:
    """Return the men who go along with a gun: crew in contact who can move, and the movers (FBN-131, FBN-165)."""
    crew = [
        figure
        for figure in unit.figures.values()
        if figure.able and not figure.place and "halted" not in figure.marks and is_touching(battle, figure, gun)
    ]
    return crew + [puller for puller in pullers if puller.spec.id not in unit.figures]


def _is_moved_by_men(battle: Battle, gun: Gun) -> bool:
    """Return True if a gun is moved by men, not by horses."""
    return battle.book.file.movers[battle.book.guns[gun.kind].weight].men > 0


def _haul_gaits(battle: Battle, gun: Gun, pullers: list[Figure]) -> list[int]:
    """Return the gaits of a gun's horses: walk or, by setting, up to one faster than last turn (FBN-176)."""
    if battle.book.settings.draught_gait == "walk":
        return [WALK]
    last = min([gun.last_gait] * bool(gun.team) + [puller.last_gait for puller in pullers], default=0)
    return list(battle.book.gaits_after[last])


def haul_reach(battle: Battle, gun: Gun, pullers: list[Figure]) -> float:
    """Return the inches of one move on flat ground: the slower man's, or the horses' fastest gait (FBN-207)."""
    if _is_moved_by_men(battle, gun):
        return float(min(allowance(battle, figure) for figure in pullers))
    return float(battle.book.gaits[_haul_gaits(battle, gun, pullers)[-1]].most)


def _gait_over(battle: Battle, gun: Gun, pullers: list[Figure], inches: float, move: StraightMove) -> int | None:
    """Return the slowest gait that takes a gun this far over such ground, or None if none does (FBN-174, FBN-182)."""
    for gait in _haul_gaits(battle, gun, pullers):
        kind = battle.book.gaits[gait]
        if (
            kind.least - 1e-6 <= inches
            and _haul_price(battle, inches, move) <= _haul_allowance(battle, kind.most, move) + 1e-6
        ):
            return gait
    return None


def _haul_price(battle: Battle, inches: float, move: StraightMove) -> float:
    """Return the allowance that a move of a gun takes (FBN-048)."""
    return move.cost if battle.book.settings.terrain_move == "proportional" else inches


def _haul_allowance(battle: Battle, inches: float, move: StraightMove) -> float:
    """Return the allowance that remains on the slowest ground of a move (FBN-048)."""
    if battle.book.settings.terrain_move == "proportional":
        return inches
    return float(battle.book.allowance_on_ground(int(inches), move.difficulty))


def haul_refused(battle: Battle, unit: Unit, gun: Gun, pullers: list[Figure], point: Point) -> str | None:
    """Return why a gun may not be moved straight to a point, or None. Guns cross no walls (FBN-067)."""
    if not battle.field.on_table(*point):
        return "that is off the table"
    move = battle.field.straight_move(gun.at, point, True, ruins(battle))
    if move.closed:
        return f"{move.closed} bars the way (FBN-067)"
    inches = dist(point, gun.at)
    spent, reach = _haul_price(battle, inches, move), _haul_allowance(battle, haul_reach(battle, gun, pullers), move)
    if spent > reach + 1e-6:
        return f'too far: {spent:.1f}" of {reach:g}" (FBN-048, FBN-207)'
    if not _is_moved_by_men(battle, gun) and _gait_over(battle, gun, pullers, inches, move) is None:
        return f'{inches:.1f}" is less than the minimum distance of the gait (FBN-174)'
    dx, dy = point[0] - gun.x, point[1] - gun.y
    team = _men_with_gun(battle, unit, gun, pullers)
    if battle.book.settings.leave_contact == "refused" and any(
        foes_in_contact(battle, f, unit.spec.side) for f in team
    ):
        return "a man in contact may not leave it (FBN-051)"
    if unit.back and not moves_away(battle, unit.spec.side, team, dx, dy):
        return "it must fall back from the enemy (FBN-160)"
    own_ids = {figure.spec.id for figure in team}
    bases = [
        base
        for base in bases_near(battle, box_between(gun.at, point), 5.0, own_ids, unit.spec.side)
        if base.key or dist(base.at, gun.at) > 0.01
    ]
    edge = battle.book.radius["gun"]
    if refused := crowd_refusal(battle, unit.spec.side, [gun.at], (dx, dy), edge, bases, contact=True):
        return refused
    spots = [(point, edge)] + [((f.x + dx, f.y + dy), battle.radius(f)) for f in team]
    for (x, y), radius in spots:
        if not open_ground(battle, x, y) or overlaps_any((x, y), radius, bases):
            return "there is no room (FBN-050)"
    if battle.book.settings.contact_needs_charge:
        foes = [base for base in bases if base.key and base.side != unit.spec.side]
        if any(overlaps_any((x, y), radius + battle.book.contact, foes) for (x, y), radius in spots[1:]):
            return "only a charge makes contact (FBN-270)"
    return None


def haul_cost(battle: Battle, gun: Gun, pullers: list[Figure], point: Point) -> MoveCost:
    """Return the cost of a straight move of a gun, out of its movers' allowance (FBN-048, FBN-207)."""
    move = battle.field.straight_move(gun.at, point, True, ruins(battle))
    spent = _haul_price(battle, dist(point, gun.at), move)
    return MoveCost(None if move.closed else spent, _haul_allowance(battle, haul_reach(battle, gun, pullers), move))


@procedure("gun.haul")
def haul_gun(table: Table, battle: Battle, unit: Unit, gun: Gun, pullers: list[Figure], point: Point) -> None:
    """Move a gun for 2 of its AC and 1 AC of each mover (FBN-207). The crew in contact and the movers go with it."""
    team = _men_with_gun(battle, unit, gun, pullers)
    wish = point[0] - gun.x, point[1] - gun.y
    dx, dy = short_of_hidden(battle, unit, team, *wish, gun)
    crew = [(man, man.at) for man in team if man.spec.id in unit.figures]
    if not _is_moved_by_men(battle, gun):
        gun.gait = (
            _gait_over(
                battle, gun, pullers, hypot(*wish), battle.field.straight_move(gun.at, point, True, ruins(battle))
            )
            or WALK
        )
    drawing = {puller.spec.id for puller in pullers}
    serve(battle, unit, gun, battle.book.file.gun_costs.move)
    for puller in pullers:
        if puller.spec.id in unit.figures:
            puller.ac = max(0, puller.ac - 1)
            puller.moves += 1
    gun.x, gun.y = point if (dx, dy) == wish else (gun.x + dx, gun.y + dy)
    gun.z = battle.field.height(gun.at)
    gun.moved = True
    for figure in team:
        man_unit = battle.unit_of(figure.spec.id)
        assert man_unit is not None, "only men in play go with a gun"
        man_unit = battle.change(man_unit)
        man = man_unit.figures[figure.spec.id]
        battle.put(man, man.x + dx, man.y + dy)
        man.spent += man_unit is not unit  # he lacks this AC in his own activation, as after a counter-attack (FBN-098)
        if man.mounted and man.spec.id in drawing:
            man.gait = gun.gait  # this is his ride for the turn (FBN-179)
        man_unit.measure()
    unit.measure()
    number = unit.guns.index(gun) + 1
    table.emit("gun moved", "FBN-207", unit=unit.spec.id, gun=number, inches=round(hypot(dx, dy), 1))
    resolve_move(table, battle, unit, [man for man, _ in crew], [start for _, start in crew])


def haul_points(battle: Battle, unit: Unit, gun: Gun, pullers: list[Figure]) -> MoveSuggestions:
    """Return points to which a gun can be moved: along its bearing, backwards and sideways."""
    most, turns = haul_reach(battle, gun, pullers), (0, 45, -45, 90, -90, 180)

    def refuse(point: Point) -> str | None:
        return haul_refused(battle, unit, gun, pullers, point)

    bearings = [gun.bearing + turn for turn in turns]
    return MoveSuggestions.by_bearings(gun.at, bearings, lambda _: (most, most / 2), refuse, likely=len(turns) - 1)
