"""Charges on foot and close combat."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import inf
from typing import Literal, TypeAlias

from zareba.base.exact import atan2d, dist, distances
from zareba.base.state import facts
from zareba.chance import HIGHEST, Meaning, counts
from zareba.rules import procedure
from zareba.space.bearings import bearing_to
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, box_between, joint_box
from zareba.space.moves import is_blocked, points_around
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.tables import BlowRow, TerrainRow, Weapon
from zareba_rulesets.fixed_baynet.chapters.contact import (
    foes_in_reach,
    foes_within,
    has_close_weapon,
    has_exact_position,
    men_in_contact,
    opening_between,
)
from zareba_rulesets.fixed_baynet.chapters.fire import turn_to
from zareba_rulesets.fixed_baynet.chapters.hits import capture_man, resolve_hit
from zareba_rulesets.fixed_baynet.chapters.morale import CHARGE, glory_event, rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.movement import (
    allowance,
    is_mover,
    movers,
    resolve_move,
    short_of_hidden,
    step_towards,
    way_refused,
)
from zareba_rulesets.fixed_baynet.chapters.sight import is_higher, row_now, sees
from zareba_rulesets.fixed_baynet.forces.battle import BESIDE, Battle, bases_near, open_ground
from zareba_rulesets.fixed_baynet.forces.formations import in_square
from zareba_rulesets.fixed_baynet.forces.units import Figure, FigureSpec, Unit, UnitSpec

# --- Charges on foot (FBN-041 to FBN-045, FBN-143): straight, into contact, and the last movement of an activation ----


CONTACT_GAP = 0.001


def may_charge_unit(battle: Battle, unit: Unit) -> bool:
    """Return True if the unit may charge.

    A pinned unit may not by setting (FBN-231), nor one that falls back (FBN-160).
    """
    blocked = battle.book.settings.pinned_blocks_charge and "pinned" in unit.marks
    return not blocked and not unit.back


def chargers(battle: Battle, unit: Unit, near: float | None = None) -> list[Figure]:
    """Return the men who can charge: able to charge and not yet in contact.

    `near` is the distance to the nearest enemy in inches.
    """
    men = movers(battle, unit, charging=True)
    if not men:
        return men
    if near is None:
        near = min([away for away, _ in battle.foes(unit)], default=1e9)
    if near > (battle.book.indoors if battle.field.buildings else battle.book.in_touch):
        return men
    held = men_in_contact(battle, unit)
    return [man for man in men if man.spec.id not in held]


def charge_targets(
    battle: Battle, unit: Unit, foes: list[tuple[float, Unit]] | None = None, only: Figure | None = None
) -> Iterator[Unit]:
    """Yield the enemies a man on foot sees and can charge (FBN-041), not over dangerous ground (FBN-042).

    `foes` are the known enemies, if the caller has them. With `only`, ask for this man alone; he may leave an enemy in
    contact for another he can reach (FBN-051).
    """
    if not may_charge_unit(battle, unit):
        return
    foes = battle.foes(unit) if foes is None else foes
    men = chargers(battle, unit, min([away for away, _ in foes], default=1e9))
    is_touching_enemy = False
    if only is not None:
        is_touching_enemy = only.spec.id in men_in_contact(battle, unit)
        may_leave = not is_touching_enemy or battle.book.settings.leave_contact == "free"
        men = [only] if may_leave and is_mover(battle, only, charging=True) else []
    if not men:
        return
    reach = max([charge_reach(battle, man) for man in men]) + battle.book.between_men
    for away, target in foes:
        in_reach = away <= reach and _in_charge_reach(battle, unit, men, target, reach)
        if in_reach and (not is_touching_enemy or visible_contact_spot(battle, unit, men[0], target) is not None):
            yield target


def charge_reach(battle: Battle, man: Figure) -> int:
    """Return the inches a man may charge, in one movement action or, by setting, in all that he has left (FBN-041)."""
    inches = allowance(battle, man, charging=True)
    if battle.book.settings.charge_actions == 1:
        return inches
    return inches * min(man.ac, battle.book.moves_limit - man.moves)


def _in_charge_reach(battle: Battle, unit: Unit, men: Sequence[Figure], target: Unit, reach: float) -> bool:
    """Return True if one of these men sees a man of the target, out of doors and within reach."""
    scene = battle.field.view(joint_box(unit.box, target.box))
    outside = [foe for foe in target.figures.values() if not foe.place]
    square = reach * reach
    for man in men:
        x, y = man.x, man.y
        for foe in outside:
            dx, dy = foe.x - x, foe.y - y
            if dx * dx + dy * dy <= square and sees(battle, man, foe, scene) and _is_way_safe(battle, man, foe):
                return True
    return False


def _is_way_safe(battle: Battle, man: Figure, foe: Figure) -> bool:
    """Return True if some straight way into contact is clear of dangerous ground (FBN-042)."""
    if not battle.field.has_dangers:
        return True
    reach, towards = battle.radius(man) + battle.radius(foe), atan2d(man.x - foe.x, man.y - foe.y)
    return any(
        not battle.field.straight_move(man.at, spot, man.mounted).dangerous
        for spot in points_around(foe.at, reach, towards, BESIDE)
    )


def sort_by_distance(men: Sequence[Figure], target: Unit) -> list[Figure]:
    """Return the men sorted by their distance from the nearest man of the target."""
    foes = [(foe.x, foe.y) for foe in target.figures.values()]
    return sorted(men, key=lambda man: min(distances((man.x, man.y), foes), default=0.0))


@procedure("charge.unit")
def charge_with_unit(table: Table, battle: Battle, unit: Unit, target: Unit) -> int:
    """Charge a target with every man of the unit who can, nearest first. Return the number of men in contact.

    A charge of the whole unit keeps its formation. A charge that falls short still counts as a charge (FBN-044).
    """
    men = sort_by_distance(chargers(battle, unit), target)
    starts = [man.at for man in men]
    contacts = sum(charge_with_man(battle, unit, man, target) for man in men)
    unit.measure()
    if unit.shape in ("closed", "mass"):
        unit.mark("cluster")  # FBN-059
    note_charge_gaps(battle, unit, men)
    emit_charge(table, "FBN-041", battle, unit.spec, target, men)
    glory_event(table, battle, unit, CHARGE)
    still_in_play = [(man, start) for man, start in zip(men, starts, strict=True) if man.spec.id in unit.figures]
    resolve_move(table, battle, unit, [man for man, _ in still_in_play], [start for _, start in still_in_play])
    return contacts


def emit_charge(
    table: Table,
    rule: str,
    battle: Battle,
    who: UnitSpec | FigureSpec,
    target: Unit,
    men: Sequence[Figure],
) -> None:
    """Emit the event of a charge: the chargers, how many touch a man of the target (FBN-005), and how many others have
    an enemy in weapon reach (FBN-103). A man may touch another enemy than the one he aimed at.
    """
    touched = (foes_within(battle, man, who.side, battle.book.contact) for man in men)
    contacts = sum(any(foe.spec.id in target.figures for foe in foes) for foes in touched)
    reach = sum(bool(foes_in_reach(battle, man, who.side)) for man in men)
    table.emit(
        "charge",
        rule,
        unit=who.id,
        target=target.spec.id,
        contacts=contacts,
        men=len(men),
        reach=reach - contacts,
    )


def note_charge_gaps(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    """Mark the formation of a charging unit for a test.

    A charge keeps the formation unless men stayed behind or the unit was in square (FBN-060, FBN-272).
    """
    charging = {man.spec.id for man in men}
    stayed = {key for key, man in unit.figures.items() if man.steady and not man.place and key not in charging}
    if unit.shape == "square" or (stayed and not stayed <= men_in_contact(battle, unit)):
        unit.mark("loose")


def charge_with_man(battle: Battle, unit: Unit, man: Figure, target: Unit) -> bool:
    """Charge with one man: straight into contact with a man of the target, or as far as he gets (FBN-043, FBN-044).

    Return True if he makes contact.
    """
    spot = visible_contact_spot(battle, unit, man, target)
    if spot is not None:
        man.facing = bearing_to(man.at, spot)
        makes_contact = move_into_contact(battle, unit, man, spot)
        man.ac -= 1
        man.moves += 1
        man.mark("charged", "moved")
        return makes_contact
    foes = men_outdoors(man, target)
    if not foes or step_towards(battle, unit, man, foes[0].at, charging=True) == 0:
        man.ac -= 1  # hemmed in: he stays where he is, but the action is spent
        man.moves += 1
    man.mark("charged")
    return False


def move_into_contact(battle: Battle, unit: Unit, man: Figure, spot: Point) -> bool:
    """Put a charging man on his contact spot. Return False if hidden enemies stop him short of it."""
    move = spot[0] - man.x, spot[1] - man.y
    dx, dy = short_of_hidden(battle, unit, [man], *move)
    reaches = (dx, dy) == move
    battle.put(man, *(spot if reaches else (man.x + dx, man.y + dy)))
    return reaches


def visible_contact_spot(battle: Battle, unit: Unit, man: Figure, target: Unit) -> Point | None:
    """Return where a man makes contact with the nearest enemy he sees and reaches, or None if he falls short."""
    scene = battle.field.view(joint_box(unit.box, target.box))
    seen = (foe for foe in men_outdoors(man, target) if sees(battle, man, foe, scene))
    return contact_spot(battle, unit, man, seen)


def men_outdoors(man: Figure, target: Unit) -> list[Figure]:
    """Return the men of a unit who are not in a building, nearest to a man first."""
    foes = [foe for foe in target.figures.values() if not foe.place]
    away = distances(man.at, [(foe.x, foe.y) for foe in foes])
    return [foes[index] for index in sorted(range(len(foes)), key=away.__getitem__)]


def contact_spot(battle: Battle, unit: Unit, man: Figure, foes: Iterable[Figure]) -> Point | None:
    """Return the nearest free spot in contact with one of these enemies that a straight charge reaches, or None."""
    most = allowance(battle, man, charging=True)
    for foe in foes:
        for spot in contact_spots(battle, unit, man, foe, most, farthest=most):
            if way_refused(battle, man, spot, charging=True) is None:
                return spot
    return None


def contact_spots(
    battle: Battle,
    unit: Unit,
    man: Figure,
    foe: Figure,
    most: float,
    sides: int | None = None,
    farthest: float = inf,
) -> Iterator[Point]:
    """Yield the free spots where a man who charges straight is in contact with an enemy, the near side first.

    Yields nothing if the enemy is more than `most` inches away or already in contact. `sides` limits the number of
    spots tried, and `farthest` their distance from the man.
    """
    radius, start, side = battle.radius(man), man.at, unit.spec.side
    reach = radius + battle.radius(foe) + CONTACT_GAP
    away = dist(start, foe.at)
    if away - reach > most or away <= reach + battle.book.contact:
        return
    box = box_between(man.at, foe.at)
    beside = reach + radius + battle.book.between_bases / 2  # inches to the centre of a figure that blocks a spot
    bases = bases_near(battle, box, beside, {man.spec.id}, side)
    x, y = foe.x, foe.y  # men next to the enemy block most spots
    bases.sort(key=lambda base: (base[0] - x) * (base[0] - x) + (base[1] - y) * (base[1] - y))
    for spot in points_around(foe.at, reach, atan2d(man.x - foe.x, man.y - foe.y), BESIDE[:sides]):
        if dist(spot, start) > farthest:
            continue
        move = (spot[0] - man.x, spot[1] - man.y)
        if not is_blocked(start, move, radius, bases, side) and open_ground(battle, *spot):
            yield spot


# --- Close combat -----------------------------------------------------------------------------------------------------
# Close combat (FBN-103 to FBN-122): a blow is one die roll by each fighter, and the difference decides the result.


_CAPTURE, WOUND, _CRITICAL = "capture", "wound", "critical"
HOLD = "hold"
Ground: TypeAlias = "list[tuple[TerrainPiece[TerrainRow], TerrainRow]]"


@facts
class FightFacts:
    """One of two fighters: his printed CS and his modifiers (Table 12-A).

    `rear`: the enemy is behind him. `shelter`: none, cover or doorway. `trench`: none, attacker (from outside) or
    defender (inside). `rider`: he is mounted against a man on foot. `weapon`: he has a close-combat weapon (FBN-113).
    `harmless`: he is frozen, fleeing or stunned (FBN-121).
    """

    cs: int
    rear: bool = False
    square: bool = False
    mass: bool = False
    uphill: bool = False
    shelter: Literal["none", "cover", "doorway"] = "none"
    rider: bool = False
    trench: Literal["none", "attacker", "defender"] = "none"
    chest: bool = False
    weapon: bool = False
    harmless: bool = False


def _arm_of(battle: Battle, figure: Figure) -> Weapon | BlowRow:
    """Return the weapon a man strikes with; without one, bayonet, butt and fists (FBN-107, FBN-113)."""
    book = battle.book
    if not has_close_weapon(battle, figure):
        return book.file.blow
    held = book.weapons.get(figure.weapon)
    return held if held is not None and held.close else book.weapons["melee_weapon"]


def can_strike(battle: Battle, figure: Figure) -> bool:
    """Return True if a man may strike a blow now (FBN-104, FBN-244, FBN-268)."""
    return arm_to_strike(battle, figure) is not None


def arm_to_strike(battle: Battle, figure: Figure) -> Weapon | BlowRow | None:
    """Return the weapon a man strikes with if he may strike a blow now, otherwise None (FBN-104, FBN-131, FBN-268)."""
    marks = figure.marks
    if figure.ac < 1 or "stunned" in marks or "crossed" in marks or "served" in marks:
        return None
    if figure.reaction in ("freeze", "flee", "prone", "take_cover"):
        return None
    if battle.book.settings.attacks_per_activation == 1 and figure.attacks:
        return None
    arm = _arm_of(battle, figure)
    return arm if figure.ac >= arm.ac else None


def strikers(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the steady men who can strike an enemy now; none in a unit that falls back (FBN-160)."""
    return [] if unit.back else [figure for figure in unit.figures.values() if may_fight(battle, unit, figure)]


def may_fight(battle: Battle, unit: Unit, figure: Figure) -> bool:
    """Return True if a man strikes when his unit fights: steady, with an opponent in reach (FBN-103, FBN-275)."""
    return (
        not figure.reaction
        and can_strike(battle, figure)
        and any(is_room_to_fight(battle, figure, foe) for foe in foes_in_reach(battle, figure, unit.spec.side))
    )


@procedure("close_combat.fight")
def strike_with_unit(table: Table, battle: Battle, unit: Unit) -> int:
    """Let every man of the unit in reach of an enemy strike once (FBN-103, FBN-120).

    A man with several enemies in reach takes the one in front. Return the number of blows.
    """
    blows = {"struck": 0}
    able = [] if unit.back else [man for man in unit.figures.values() if not man.reaction and can_strike(battle, man)]
    for figure in table.each(able, blows):
        fights_on = figure.spec.id in unit.figures and not figure.reaction
        foe = foe_in_front(battle, unit, figure) if fights_on else None
        if foe is not None:
            strike_blow(table, battle, unit, figure, foe)
            blows["struck"] += 1
    return blows["struck"]


def foe_in_front(battle: Battle, unit: Unit, figure: Figure) -> Figure | None:
    """Return the enemy a man strikes: the one most in front of him, a leader only as the last choice."""
    foes = [foe for foe in foes_in_reach(battle, figure, unit.spec.side) if is_room_to_fight(battle, figure, foe)]
    return min(foes, key=lambda foe: (foe.spec.leads, figure.turned_from(foe.at)), default=None)


def strike_with_man(table: Table, battle: Battle, unit: Unit, figure: Figure) -> None:
    """Let one man strike an enemy of his owner's choice, or hold back (FBN-120)."""
    foes = [foe for foe in foes_in_reach(battle, figure, unit.spec.side) if is_room_to_fight(battle, figure, foe)]
    if not foes:
        return
    names = [*(foe.spec.id for foe in foes), HOLD]
    choice = table.choose(unit.spec.side, names, why="strike", rule="FBN-120", actor=figure.spec.id)
    if choice != HOLD:
        strike_blow(table, battle, unit, figure, next(foe for foe in foes if foe.spec.id == choice))


def is_room_to_fight(battle: Battle, figure: Figure, foe: Figure) -> bool:
    """Return True if both men may fight each other.

    Through a door or window at most two men a side fight in a turn (FBN-256, FBN-275).
    """
    opening = opening_between(battle, figure, foe) if figure.place != foe.place else None
    if opening is None:
        return True
    mark, fighting = f"through {opening.id}", {figure.spec.side: 0, foe.spec.side: 0}
    for unit in battle.units.values():
        if unit.spec.side in fighting:
            fighting[unit.spec.side] += sum(mark in man.marks for man in unit.figures.values())
    limit = battle.book.users
    return all(mark in man.marks or fighting[man.spec.side] < limit for man in (figure, foe))


def fight_facts(
    battle: Battle,
    unit: Unit,
    figure: Figure,
    foe: Figure,
    attacks: bool,
    arm: Weapon | BlowRow | None = None,
    ground: Ground | None = None,
) -> FightFacts:
    """Return the facts of one of two fighters (FBN-116, FBN-117, FBN-118, FBN-119, FBN-183, FBN-256).

    `arm` is his weapon and `ground` the terrain around the two, if the caller has them.
    """
    shelter, trench = _shelter(battle, figure, foe, attacks, ground)
    return FightFacts(
        cs=figure.spec.cs,
        rear=figure.place == foe.place
        and (figure.mounted or not attacks)  # a striker on foot turns to his enemy first (FBN-049)
        and has_exact_position(battle, figure)
        and not in_square(battle, unit, figure)
        and figure.turned_from(foe.at) > battle.book.file.arcs.rear,
        square=in_square(battle, unit, figure),
        mass=unit.shape_of(figure) == "mass",
        uphill=is_higher(battle, figure, foe),
        shelter=shelter,
        rider=figure.mounted and not foe.mounted,
        trench=trench,
        chest="chest_light" in figure.locations,
        weapon=(arm or _arm_of(battle, figure)) is not battle.book.file.blow,
        harmless=figure.reaction in ("freeze", "flee") or "stunned" in figure.marks,
    )


def _ground_between(battle: Battle, figure: Figure, foe: Figure) -> Ground:
    """Return the terrain around two fighters out of doors, each piece with its current row."""
    if figure.place or foe.place:
        return []
    return [(piece, row_now(battle, piece)) for piece in battle.field.near(box_between(figure.at, foe.at))]


def _shelter(
    battle: Battle, figure: Figure, foe: Figure, attacks: bool, ground: Ground | None
) -> tuple[Literal["none", "cover", "doorway"], Literal["none", "attacker", "defender"]]:
    """Return a fighter's shelter and his trench role. A doorway or trench replaces cover (FBN-117, FBN-119,
    FBN-256).
    """
    if figure.place != foe.place and (figure.place or foe.place):
        both = battle.book.settings.doorway_cc == "both"
        return ("doorway" if both or not attacks else "none"), "none"
    if figure.place:
        return "none", "none"
    pieces = _ground_between(battle, figure, foe) if ground is None else ground
    if not pieces:
        return "none", "none"
    own_trench = any(piece.ground.trench and piece.holds(figure.at) for piece, _ in pieces)
    other_trench = any(piece.ground.trench and piece.holds(foe.at) for piece, _ in pieces)
    if own_trench and other_trench:
        return "none", "none"
    if attacks and other_trench:
        return "none", "attacker"
    if not attacks and own_trench:
        return "none", "defender"
    for piece, row in pieces:
        if row.cv < 1:
            continue
        inside = row.shelter in ("inside", "both") and piece.holds(figure.at) and not piece.holds(foe.at)
        inside = inside and not battle.field.is_bridged(piece, figure.at)
        if inside or (not piece.is_area and row.shelter == "behind" and piece.meets(figure.at, foe.at)):
            return "cover", "none"
    return "none", "none"


@lru_cache
def _blow_means(*bands: tuple[str, int]) -> Meaning:
    """Return the meaning of a close-combat die, with the result for each difference."""
    suffers = ", ".join(f"{name} from {least}" for name, least in bands)
    return counts(f"plus the close-combat modifiers; the lower total suffers by the difference: {suffers}")


def roll_blow(table: Table, situation: FightFacts, why: str, actor: str) -> int:
    """Roll a D6 and add the modifiers of Table 12-A (FBN-115).

    With a close-combat weapon the better of two dice counts (FBN-104, FBN-105, FBN-113).
    """
    bonus = table.tally("close_combat", situation, actor).total
    numbers = table.rules.book.blow
    dice = numbers.close_weapon if situation.weapon else numbers.dice
    bands = table.rules.book.close_combat
    means = _blow_means(*[(name, bands[name].difference) for name in (_CAPTURE, WOUND, _CRITICAL)])
    return bonus + table.roll(dice, numbers.die, HIGHEST, why=why, rule="FBN-104", actor=actor, means=means)


@procedure("close_combat.result")
def roll_blow_result(
    table: Table, attacker: FightFacts, defender: FightFacts, actor: str, other: str
) -> tuple[str, str]:
    """Return the result of a blow and the one who suffers it ("attacker", "defender" or "").

    Results are "miss", "capture", "wound" and "critical". The lower total suffers. Nothing happens if the higher total
    is a harmless man's, or if the attacker would suffer and `cc_symmetric` is off (FBN-106 to FBN-110, FBN-121).
    """
    own = roll_blow(table, attacker, "blow", actor)
    answer = roll_blow(table, defender, "parry", other)
    bands = table.rules.book.close_combat
    difference = abs(own - answer)
    result = next((name for name in (_CRITICAL, WOUND, _CAPTURE) if difference >= bands[name].difference), "miss")
    winner, loser = (attacker, "defender") if own > answer else (defender, "attacker")
    if result == "miss" or winner.harmless:
        return "miss", ""
    if loser == "attacker" and not table.rules.settings["cc_symmetric"]:
        return "miss", ""
    return result, loser


@procedure("close_combat.blow")
def strike_blow(
    table: Table, battle: Battle, unit: Unit, figure: Figure, foe: Figure, arm: Weapon | BlowRow | None = None
) -> None:
    """Strike one blow and pay the AC of the attacker's weapon, whether he charged or not (FBN-045).

    The defender pays nothing (FBN-104, FBN-120). `arm` is his weapon, if the caller has it.
    """
    foe_unit = battle.unit_of(foe.spec.id)
    assert foe_unit is not None, "only men in play are struck at"
    foe_unit = battle.change(foe_unit)
    foe = foe_unit.figures[foe.spec.id]
    own_arm, foe_arm = arm or _arm_of(battle, figure), _arm_of(battle, foe)
    figure.ac -= own_arm.ac
    figure.attacks += 1
    rise_to_attack(figure)
    if figure.place == foe.place and not figure.mounted and not in_square(battle, unit, figure):
        turn_to(figure, foe.at)  # FBN-049
    opening = opening_between(battle, figure, foe) if figure.place != foe.place else None
    if opening is not None:
        figure.mark(f"through {opening.id}")
        foe.mark(f"through {opening.id}")
    ground = _ground_between(battle, figure, foe)
    attacker = fight_facts(battle, unit, figure, foe, True, own_arm, ground)
    defender = fight_facts(battle, foe_unit, foe, figure, False, foe_arm, ground)
    result, loser = roll_blow_result(table, attacker, defender, figure.spec.id, foe.spec.id)
    if result == _CAPTURE and figure.spec.side == foe.spec.side:
        result, loser = "miss", ""  # a berserk man cannot take a comrade prisoner (FBN-112, FBN-169)
    bonus, against = (
        battle.book.rules.tally("close_combat", fighter, battle, who).total
        for fighter, who in ((attacker, unit), (defender, foe_unit))
    )
    table.emit(
        "blow", "FBN-104", unit=unit.spec.id, figure=figure.spec.id, target=foe.spec.id, result=result, loser=loser,
        bonus=bonus, against=against, harmless=defender.harmless,
    )  # fmt: skip
    if not loser:
        return
    victor_unit, victim_unit = (unit, foe_unit) if loser == "defender" else (foe_unit, unit)
    victor, victim = (figure, foe) if loser == "defender" else (foe, figure)
    before = len(victim_unit.figures)
    if result == _CAPTURE:
        capture_man(table, battle, victim_unit, victim, victor_unit, victor)
    else:
        resolve_hit(
            table,
            battle,
            victim_unit,
            victim,
            result == _CRITICAL,
            (foe_arm if loser == "attacker" else own_arm).damage,
            "melee",
            victor_unit,
        )
    if len(victim_unit.figures) < before:
        victor_unit.dealt += victor_unit.spec.side != victim_unit.spec.side
        victim_unit.lost += 1
