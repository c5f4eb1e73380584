"""Moves at a real table: on foot, on horseback, and into contact without a charge."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, Scene
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED
from zareba_rulesets.fixed_baynet.book.tables import CANTER, GAITS, WALK
from zareba_rulesets.fixed_baynet.chapters.cavalry import allowed_gaits, ride_straight, riders
from zareba_rulesets.fixed_baynet.chapters.movement import allowance, movers, resolve_move, shift_men
from zareba_rulesets.fixed_baynet.companion.book import (
    EAST,
    HITS,
    STAGE,
    WEST,
    Count,
    active_if,
    enemies_of,
    has_gun,
    make_act,
    note_contact,
    note_parting,
    put_men,
    some_of,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit


def men_on_foot(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the men on foot who have a movement action left. A crew moves with its gun."""
    return [] if has_gun(unit) else movers(battle, unit)


def _actions(battle: Battle, scene: Scene) -> Choices:
    """Return the numbers of movement actions that the men have left, each with its inches (FBN-039, FBN-047)."""
    men = men_on_foot(battle, battle.units[scene.actor])
    most = max((min(man.ac, battle.book.moves_limit - man.moves) for man in men), default=0)
    inches = min((allowance(battle, man) for man in men), default=0)
    on = [battle.book.allowance_on_ground(inches, ground) for ground in (FLAT, BUMPY, JAGGED)]
    return {
        times: f'{amount(times, "action")}: {times * on[0]}" (bumpy {times * on[1]}", jagged {times * on[2]}")'
        for times in range(1, most + 1)
    }


def _moving(battle: Battle, scene: Scene) -> list[Figure]:
    """Return the men who move. Raises ZarebaError if people named more than there are."""
    unit = battle.units[scene.actor]
    return some_of(battle, unit, men_on_foot(battle, unit), scene.answers.get("men"), "move")


def _move(table: Table, battle: Battle, scene: Scene) -> None:
    """Pay for the moves of men on foot, who go where people put them (FBN-039)."""
    unit = battle.change(battle.units[scene.actor])
    for _ in range(scene["times"]):
        men = [man for man in _moving(battle, scene) if man.spec.id in unit.figures]
        starts = [man.at for man in men]
        shift_men(battle, unit, men, 0.0, 0.0)
        resolve_move(table, battle, unit, men, starts)
    if len(men) < len(unit.steady) or len(unit.steady) < unit.start:
        unit.mark("loose")
    note_parting(battle, unit.id, len(men))
    table.emit("move", "FBN-039", unit=unit.spec.id, men=len(men), of=len(unit.figures), x=0.0, y=0.0)


def _lay_out_meeting(battle: Battle, scene: Scene) -> None:
    """Put the movers an inch from the enemy, who faces them or not."""
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    put_men(battle, target.figures.values(), STAGE, EAST if scene["flank"] else WEST, side=1)
    at = STAGE[0] - 1.0, STAGE[1]
    put_men(battle, men_on_foot(battle, unit) or riders(battle, unit), at, EAST, side=-1)
    for measured in (unit, target):
        measured.measure()


def _meet(table: Table, battle: Battle, scene: Scene) -> None:
    """Walk into contact without a charge (FBN-270)."""
    unit = battle.change(battle.units[scene.actor])
    men = men_on_foot(battle, unit)
    starts = [man.at for man in men]
    if men:
        shift_men(battle, unit, men, 1.0, 0.0)
        table.emit("move", "FBN-270", unit=unit.spec.id, men=len(men), of=len(unit.figures), x=0.0, y=0.0)
        resolve_move(table, battle, unit, men, starts)
    else:
        men = riders(battle, unit)
        ride_straight(table, battle, unit, men, WALK, 1.0, 0.0)
    foes = len(battle.units[scene.target].figures)
    note_contact(battle, scene.actor, scene.target, min(len(men), foes), min(len(men), foes))


def _may_meet(battle: Battle, unit: Unit) -> bool:
    able = men_on_foot(battle, unit) or [man for man in riders(battle, unit) if WALK in allowed_gaits(battle.book, man)]
    return bool(able) and not battle.book.settings.contact_needs_charge


def has_flank(battle: Battle, scene: Scene) -> bool:
    """Return True if the target can be struck in flank or rear (FBN-145)."""
    return battle.units[scene.target].shape != "square"


def _gaits(battle: Battle, scene: Scene) -> Choices:
    """Return the gaits that all riders may use now, each with its inches (FBN-173 to FBN-176)."""
    men = riders(battle, battle.units[scene.actor])
    allowed = set.intersection(*[set(allowed_gaits(battle.book, man)) for man in men])
    kinds = battle.book.gaits
    return {gait: f'{GAITS[gait]}: {kinds[gait].least} to {kinds[gait].most}"' for gait in sorted(allowed) if gait}


def charge_gaits(battle: Battle, scene: Scene) -> Choices:
    return {gait: words for gait, words in _gaits(battle, scene).items() if gait >= CANTER}


def _rides_fast(battle: Battle, scene: Scene) -> bool:
    return int(scene.answers.get("gait") or 0) >= CANTER


def _all_enemies(battle: Battle, scene: Scene) -> Choices:
    """Return the enemy units that cavalry may ride at, without the target of a charge, which it rides at anyway."""
    side = battle.units[scene.actor].spec.side
    return {unit.spec.id: unit.spec.name for unit in battle.enemies(side) if unit.spec.id != scene.target}


def _ridden_at_text(battle: Battle, scene: Scene) -> str:
    """Which other enemy units have a man in plain sight straight ahead of a rider, near where he stops?"""
    inches = amount(battle.book.file.ridden_at.inches, "inch", "inches")
    return f"Which other enemy units have a man in plain sight straight ahead of a rider, within {inches} of where he stops?"


def put_in_front(battle: Battle, keys: Iterable[str], inches: float) -> None:
    """Put a man of each of these units on the line of the riders, so many inches east of the stage (FBN-142)."""
    for key in keys:
        unit = battle.change(battle.units[key])
        put_men(battle, [*unit.figures.values()][:1], (STAGE[0] + inches, STAGE[1]), WEST)
        unit.measure()


def _lay_out_ride(battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    put_men(battle, riders(battle, unit), (STAGE[0] - battle.book.gaits[scene["gait"]].most, STAGE[1]), EAST)
    unit.measure()
    put_in_front(battle, scene["ridden_at"], 5.0)


def _ride(table: Table, battle: Battle, scene: Scene) -> None:
    unit, gait = battle.change(battle.units[scene.actor]), scene["gait"]
    men = riders(battle, unit)
    ride_straight(table, battle, unit, men, gait, float(battle.book.gaits[gait].most), 0.0)
    note_parting(battle, unit.id, len(men))
    if len(men) < len(unit.steady) or len(unit.steady) < unit.start:
        unit.mark("loose")


RIDDEN_AT: Asked[Battle] = Asked(
    "ridden_at",
    _ridden_at_text,
    default=(),
    choices=_all_enemies,
    many=True,
    when=_rides_fast,
)


FLANK: Asked[Battle] = Asked(
    "flank",
    "Does a man come at {target} from the flank or rear, more than 45 degrees off the front of the man he touches?",
    default=False,
    kind=bool,
    when=has_flank,
)


MOVE_ACT = make_act(
    "move",
    "move",
    "FBN-039",
    _move,
    active_if(men_on_foot),
    Asked("times", "{actor}: how many movement actions?", choices=_actions),
    has_odds=False,
)


WALK_ACT = make_act(
    "walk",
    "walk with some of its men",
    "FBN-272",
    _move,
    active_if(men_on_foot),
    Asked("men", "How many men of {actor} move?", kind=Count),
    Asked("times", "{actor}: how many movement actions?", choices=_actions),
    has_odds=False,
)


RIDE_ACT = make_act(
    "ride",
    "ride",
    "FBN-173",
    _ride,
    active_if(riders),
    Asked("gait", "{actor}: at which gait?", choices=_gaits),
    RIDDEN_AT,
    lay_out=_lay_out_ride,
    has_odds=False,
)


TOUCH_ACT = make_act(
    "touch",
    "touch the enemy without a charge",
    "FBN-270",
    _meet,
    active_if(_may_meet),
    FLANK,
    targets=enemies_of,
    target_question="Which enemy is in contact with {actor}?",
    lay_out=_lay_out_meeting,
    roll_groups=HITS,
)
