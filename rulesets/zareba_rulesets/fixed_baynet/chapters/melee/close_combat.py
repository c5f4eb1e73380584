"""Close combat (FBN-103 to FBN-122): a blow is one die roll by each fighter, and the difference decides the result."""

from __future__ import annotations

from functools import lru_cache
from typing import Literal, TypeAlias

from zareba.base.state import facts
from zareba.chance import HIGHEST, Meaning, counts
from zareba.rules import procedure
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import box_between
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.numbers import Row
from zareba_rulesets.fixed_baynet.book.tables import Blow, Weapon
from zareba_rulesets.fixed_baynet.chapters.fire.fire import turn_to
from zareba_rulesets.fixed_baynet.chapters.fire.hits import capture_man, resolve_hit
from zareba_rulesets.fixed_baynet.chapters.morale.glory import rise_to_attack
from zareba_rulesets.fixed_baynet.chapters.sight.contact import (
    foes_in_reach,
    has_close_weapon,
    opening_between,
    stands_on_spot,
)
from zareba_rulesets.fixed_baynet.chapters.sight.sight import is_higher, row_now
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import in_square
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = [
    "FightFacts",
    "arm_to_strike",
    "can_strike",
    "fight_facts",
    "foe_in_front",
    "roll_blow_result",
    "strike_blow",
    "strike_with_unit",
    "strikers",
]

CAPTURE, WOUND, CRITICAL = "capture", "wound", "critical"
HOLD = "hold"
Ground: TypeAlias = "list[tuple[TerrainPiece[Row], Row]]"


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


def arm_of(battle: Battle, figure: Figure) -> Weapon | Blow:
    """Return the weapon a man strikes with; without one, bayonet, butt and fists (FBN-107, FBN-113)."""
    book = battle.book
    if not has_close_weapon(battle, figure):
        return book.file.blow
    held = book.weapons.get(figure.weapon)
    return held if held is not None and held.close else book.weapons["melee_weapon"]


def can_strike(battle: Battle, figure: Figure) -> bool:
    """Return True if a man may strike a blow now (FBN-104, FBN-244, FBN-268)."""
    return arm_to_strike(battle, figure) is not None


def arm_to_strike(battle: Battle, figure: Figure) -> Weapon | Blow | None:
    """Return the weapon a man strikes with if he may strike a blow now, otherwise None (FBN-104, FBN-131, FBN-268)."""
    marks = figure.marks
    if figure.ac < 1 or "stunned" in marks or "crossed" in marks or "served" in marks:
        return None
    if figure.reaction in ("freeze", "flee", "prone", "take_cover"):
        return None
    if battle.book.settings.attacks_per_activation == 1 and figure.attacks:
        return None
    arm = arm_of(battle, figure)
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
    way = opening_between(battle, figure, foe) if figure.place != foe.place else None
    if way is None:
        return True
    mark, fighting = f"through {way.id}", {figure.spec.side: 0, foe.spec.side: 0}
    for unit in battle.units.values():
        if unit.spec.side in fighting:
            fighting[unit.spec.side] += sum(mark in other.marks for other in unit.figures.values())
    limit = battle.book.users
    return all(mark in man.marks or fighting[man.spec.side] < limit for man in (figure, foe))


def fight_facts(
    battle: Battle,
    unit: Unit,
    figure: Figure,
    foe: Figure,
    attacks: bool,
    arm: Weapon | Blow | None = None,
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
        and stands_on_spot(battle, figure)
        and not in_square(battle, unit, figure)
        and figure.turned_from(foe.at) > battle.book.file.arcs.rear,
        square=in_square(battle, unit, figure),
        mass=unit.shape_of(figure) == "mass",
        uphill=is_higher(battle, figure, foe),
        shelter=shelter,
        rider=figure.mounted and not foe.mounted,
        trench=trench,
        chest="chest_light" in figure.locations,
        weapon=(arm or arm_of(battle, figure)) is not battle.book.file.blow,
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
    """Return a fighter's shelter and his trench role. A doorway or trench replaces cover (FBN-117, FBN-119, FBN-256)."""
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
    suffers = ", ".join(f"{name} from {least} more" for name, least in bands)
    return counts(f"plus the close-combat modifiers; the lower total suffers: {suffers}")


def roll_blow(table: Table, situation: FightFacts, why: str, actor: str) -> int:
    """Roll a D6 and add the modifiers of Table 12-A (FBN-115).

    With a close-combat weapon the better of two dice counts (FBN-104, FBN-105, FBN-113).
    """
    bonus = table.tally("close_combat", situation, actor).total
    numbers = table.rules.book.blow
    dice = numbers.close_weapon if situation.weapon else numbers.dice
    bands = table.rules.book.close_combat
    means = _blow_means(*[(name, bands[name].difference) for name in (CAPTURE, WOUND, CRITICAL)])
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
    away = abs(own - answer)
    result = next((name for name in (CRITICAL, WOUND, CAPTURE) if away >= bands[name].difference), "miss")
    winner, loser = (attacker, "defender") if own > answer else (defender, "attacker")
    if result == "miss" or winner.harmless:
        return "miss", ""
    if loser == "attacker" and not table.rules.settings["cc_symmetric"]:
        return "miss", ""
    return result, loser


@procedure("close_combat.blow")
def strike_blow(
    table: Table, battle: Battle, unit: Unit, figure: Figure, foe: Figure, arm: Weapon | Blow | None = None
) -> None:
    """Strike one blow and pay the AC of the attacker's weapon, whether he charged or not (FBN-045).

    The defender pays nothing (FBN-104, FBN-120). `arm` is his weapon, if the caller has it.
    """
    home = battle.home(foe.spec.id)
    assert home is not None, "only men in play are struck at"
    home = battle.change(home)
    foe = home.figures[foe.spec.id]
    arms = arm or arm_of(battle, figure), arm_of(battle, foe)
    figure.ac -= arms[0].ac
    figure.attacks += 1
    rise_to_attack(figure)
    if figure.place == foe.place and not figure.mounted and not in_square(battle, unit, figure):
        turn_to(figure, foe.at)  # FBN-049
    way = opening_between(battle, figure, foe) if figure.place != foe.place else None
    if way is not None:
        figure.mark(f"through {way.id}")
        foe.mark(f"through {way.id}")
    ground = _ground_between(battle, figure, foe)
    attacker = fight_facts(battle, unit, figure, foe, True, arms[0], ground)
    defender = fight_facts(battle, home, foe, figure, False, arms[1], ground)
    result, loser = roll_blow_result(table, attacker, defender, figure.spec.id, foe.spec.id)
    if result == CAPTURE and figure.spec.side == foe.spec.side:
        result, loser = "miss", ""  # a berserk man cannot take a comrade prisoner (FBN-112, FBN-169)
    bonus, against = (
        battle.book.rules.tally("close_combat", one, battle, who).total
        for one, who in ((attacker, unit), (defender, home))
    )
    table.emit(
        "blow", "FBN-104", unit=unit.spec.id, figure=figure.spec.id, target=foe.spec.id, result=result, loser=loser,
        bonus=bonus, against=against, harmless=defender.harmless,
    )  # fmt: skip
    if not loser:
        return
    won, lost = (unit, home) if loser == "defender" else (home, unit)
    victor, victim = (figure, foe) if loser == "defender" else (foe, figure)
    before = len(lost.figures)
    if result == CAPTURE:
        capture_man(table, battle, lost, victim, won, victor)
    else:
        resolve_hit(table, battle, lost, victim, result == CRITICAL, arms[loser == "attacker"].damage, "melee", won)
    if len(lost.figures) < before:
        won.dealt += won.spec.side != lost.spec.side
        lost.lost += 1
