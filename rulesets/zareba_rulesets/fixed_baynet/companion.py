"""Fixed Bay'net at a real table: the acts of the rules, and what people have to say about each.

The book of the evening is a battle on an endless plain. Each unit has its own place there, far from all others. Its
positions mean nothing. Distances, cover, contact and the men who take part are laid out for each act as people describe
them; then the functions of play run as on a board.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Sequence as Items
from dataclasses import replace
from functools import partial
from typing import Annotated, Any, ClassVar

from annotated_types import Ge

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, Companion, CompanionAct, Opening, Scene
from zareba.game import Game
from zareba.space.bearings import bearing
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point, middle_of
from zareba.space.ground.buildings import Building, BuildingOpening, BuildingSection
from zareba.table import Answer, Event, RecordedTable, Table
from zareba_rulesets.fixed_baynet.actions.activation import end_activation, perform_action
from zareba_rulesets.fixed_baynet.actions.actor import ActiveMan, ActiveUnit
from zareba_rulesets.fixed_baynet.actions.drill import DRILL, Form
from zareba_rulesets.fixed_baynet.actions.fire import switch_weapon
from zareba_rulesets.fixed_baynet.actions.officer_orders import Barrage, Reserve
from zareba_rulesets.fixed_baynet.actions.wording import FORMATION_NAMES
from zareba_rulesets.fixed_baynet.book.numbers import BUMPY, FLAT, JAGGED
from zareba_rulesets.fixed_baynet.book.tables import BANDS, CANTER, GAITS, WALK, TerrainRow
from zareba_rulesets.fixed_baynet.chapters.aiming import firers, target_figures
from zareba_rulesets.fixed_baynet.chapters.artillery import (
    SHELL,
    SHOT,
    Impact,
    ammunition_of,
    fire_direct,
    fire_indirect,
    fire_modes,
    guess_limits,
    may_fire_gun,
)
from zareba_rulesets.fixed_baynet.chapters.buildings import may_spend_all, roll_bash, spend_all
from zareba_rulesets.fixed_baynet.chapters.cavalry import allowed_gaits, ride_straight, riders
from zareba_rulesets.fixed_baynet.chapters.crews import crew_of, haul_gun, haul_reach, haulers, is_touching, turn_gun
from zareba_rulesets.fixed_baynet.chapters.fire import HOLD, ShotFacts, fire_volley
from zareba_rulesets.fixed_baynet.chapters.machine_guns import (
    clear_jam,
    fire_piece_at_gun,
    fire_salvo,
    may_clear,
    may_salvo,
    volley_at_gun,
)
from zareba_rulesets.fixed_baynet.chapters.manoeuvre import movers, shift_men
from zareba_rulesets.fixed_baynet.chapters.melee import (
    FightFacts,
    can_strike,
    charge_reach,
    charge_with_unit,
    chargers,
    may_charge_unit,
    strike_blow,
    strike_with_unit,
)
from zareba_rulesets.fixed_baynet.chapters.morale import (
    glory_phase,
    heal,
    heal_location,
    lie_down,
    may_check,
    may_rally,
    order_back,
    rally_nearby,
    rally_targets,
    rally_unit,
    units_to_order_back,
    voluntary_check,
)
from zareba_rulesets.fixed_baynet.chapters.mounted_charges import mounted_charge
from zareba_rulesets.fixed_baynet.chapters.movement import allowance, resolve_move
from zareba_rulesets.fixed_baynet.chapters.night import fire_flare, roll_to_notice
from zareba_rulesets.fixed_baynet.chapters.sight import chest_sign, visibility
from zareba_rulesets.fixed_baynet.chapters.victory import take_prizes, unit_exit_edges
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState, Casualty, Flare
from zareba_rulesets.fixed_baynet.forces.formations import may_form
from zareba_rulesets.fixed_baynet.forces.ranges import gun_limits, limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.presentation.names import unit_state
from zareba_rulesets.fixed_baynet.presentation.words import MORE
from zareba_rulesets.fixed_baynet.sequence import Sequence

_Scene = Scene
_APART = 400.0
"""The distance in inches between the places of two units: more than the range of the heaviest gun."""
_ROW, _DEPTH = 1000.0, 1400.0
"""Where units rest, and the depth of the plain, in inches."""
_STAGE: Point = (250.0, 30.0)
"""Where the target of an act stands, far from all units at rest and in range of every gun from the west."""
_SMALL = (320.0, 80.0)
"""The size of the plain with cover on it: an index of the cover on the whole plain would take too long."""
_HAIR = 1e-3
"""Distances are laid out this much shorter, so that rounding never moves a man into the next range."""
_EAST, _WEST = 90.0, 270.0
_SPARE_PLACES = 30
"""Places for units that are formed in play (FBN-159)."""
_Count = Annotated[int, Ge(0)]
_Inches = Annotated[float, Ge(0)]


# --- The plain on which the book stands ---------------------------------------------------------------------------------


def _plain(field: Field, units: int) -> Field:
    """Return an open plain for so many units, with what the rules need of the field of the scenario."""
    width = _APART * (units + _SPARE_PLACES)
    strip = ((0.0, 0.0), (width, 0.0), (width, 1.0), (0.0, 1.0))
    return Field(
        field.book,
        width,
        _DEPTH,
        deployment=dict.fromkeys(field.deployment, (strip,)),
        home_edge=field.home_edge,
        entrenched=field.entrenched,
        exits=field.exits,
        names=field.names,
    )


def _place_of(battle: Battle, unit: str) -> Point:
    """Return the point around which a unit rests."""
    return _APART * (1 + [*battle.units].index(unit)), _ROW


def _bring(battle: Battle, unit: Unit, at: Point) -> None:
    """Move a unit with its guns to a point, without a change of its order. Every dismounted man is at his horse."""
    pieces = [*unit.figures.values(), *unit.guns]
    if not pieces:
        return
    x, y = middle_of([piece.at for piece in pieces])
    dx, dy = at[0] - x, at[1] - y
    for man in unit.figures.values():
        man.place = man.post = ""
        battle.put(man, man.x + dx, man.y + dy)
        if any(mark.startswith("horse ") for mark in man.marks):
            man.marks = frozenset(mark for mark in man.marks if not mark.startswith("horse "))
            man.mark(f"horse {man.x:.2f} {man.y:.2f}")
    for gun in unit.guns:
        gun.x, gun.y, gun.z = gun.x + dx, gun.y + dy, 0.0
    unit.measure()


def _put(battle: Battle, men: Iterable[Figure], at: Point, facing: float, side: float = 0.0) -> None:
    """Put men on one point, or with `side` (1 or -1) each so that the edge of his base touches it from the east or west."""
    for man in men:
        battle.put(man, at[0] + side * battle.radius(man), at[1])
        man.facing = facing


def _with_cover(battle: Battle, cover: str, at: Point, to: float = 0.0) -> Field:
    """Return the plain with cover around the men who stand at a point, or up to `to` inches east of it."""
    row = _cover_rows(battle).get(cover)
    if row is None:
        return _open(battle)
    (x, y), reach = at, 0.2
    inside = row.model_copy(update={"shelter": "inside", "building": False})
    corners = [(x - reach, y - reach), (x + to + reach, y - reach), (x + to + reach, y + reach), (x - reach, y + reach)]
    return _open(battle, (TerrainPiece.area("cover", inside, corners),))


def _open(battle: Battle, pieces: tuple[TerrainPiece[TerrainRow], ...] = ()) -> Field:
    """Return the plain with these pieces on it."""
    field = battle.field
    width, depth = _SMALL if pieces else (field.width, field.depth)
    return Field(
        field.book,
        width,
        depth,
        pieces,
        deployment=field.deployment,
        home_edge=field.home_edge,
        entrenched=field.entrenched,
        exits=field.exits,
        names=field.names,
    )


# --- Cover ----------------------------------------------------------------------------------------------------------------


_NONE = "none"
_FAR_COVER = "far"


def _cover_rows(battle: Battle) -> dict[str, TerrainRow]:
    """Return a row of the terrain chart for each kind of cover that people can name (FBN-065, FBN-071).

    Kinds differ in their CV, and in that cover inside an area also counts against bursts.
    """
    found: dict[str, TerrainRow] = {}
    for row in battle.book.terrain.values():
        if row.cv and (row.shelter != "none" or row.building):
            found.setdefault(_kind_of_cover(row), row)
    walls = [row for row in found.values() if row.cv > battle.book.file.cover_reach.cv]
    if walls:
        found[_FAR_COVER] = walls[0].model_copy(update={"cv": battle.book.file.cover_reach.cv, "shelter": "behind"})
    return found


def _kind_of_cover(row: TerrainRow) -> str:
    kind = "trench" if row.trench else "wall" if row.shelter == "behind" or row.building else "area"
    return f"{kind} {row.cv}"


def _covers(battle: Battle, scene: _Scene) -> Choices:
    titles: dict[str, list[str]] = {}
    for row in battle.book.terrain.values():
        if row.cv and (row.shelter != "none" or row.building):
            titles.setdefault(_kind_of_cover(row), []).append(row.title)
    rows = _cover_rows(battle)
    numbers = battle.book.file.cover_reach
    found = {_NONE: "none"}
    for key, names in sorted(titles.items(), key=lambda one: (rows[one[0]].cv, one[0])):
        found[key] = f"CV {rows[key].cv}: {', '.join(dict.fromkeys(names))}"
    if _FAR_COVER in rows:
        found[_FAR_COVER] = f'CV {numbers.cv}: cover more than {numbers.inches}" away, shot at from higher ground'
    return found


# --- Ranges ---------------------------------------------------------------------------------------------------------------


def _man_limits(battle: Battle, man: Figure) -> list[float]:
    """Return the range limits of a man's weapon, as his wounds leave them (FBN-081, FBN-127)."""
    share = battle.book.wounded_arm if "arm_light" in man.locations and battle.book.weapons[man.weapon].long_arm else 1
    least = battle.book.close_reach if battle.book.weapons[man.weapon].close else -1.0
    return [limit * share for limit in limits_of(battle, man) if limit > 0 and limit * share > least]


def _ranges(battle: Battle, scene: _Scene) -> Choices:
    """Return the distances at which something changes for this volley, each with its range bands."""
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    men = [man for man in firers(battle, unit, scene.target) if man.weapon in battle.book.weapons]
    weapons = {man.weapon: man for man in men}
    limits = {limit for man in men for limit in _man_limits(battle, man)}
    most = max(limits, default=0.0)
    if "activated" not in target.marks and battle.book.settings.counter_attack != "off":
        able = [man for man in target.figures.values() if man.weapon in battle.book.weapons]
        limits |= {own[-1] for man in able if (own := _man_limits(battle, man)) and own[-1] < most}
    if battle.night:
        limits = {limit for limit in limits if limit < visibility(battle)} | {min(most, visibility(battle)), most}
    return {_whole(limit): _band_words(battle, weapons.values(), limit) for limit in sorted(limits)}


def _band_words(battle: Battle, men: Iterable[Figure], inches: float) -> str:
    found = {}
    for man in men:
        bands = [band for band, limit in zip(BANDS, limits_of(battle, man), strict=True) if limit >= inches]
        found[man.weapon.replace("_", " ")] = bands[0] if bands else "out of range"
    if len(found) == 1:
        return f'{next(iter(found.values()))} (up to {inches:g}")'
    return f'up to {inches:g}": {", ".join(f"{weapon} {band}" for weapon, band in found.items())}'


def _at_distance(battle: Battle, scene: _Scene, inches: float) -> float:
    return _limit_at(battle, scene, _ranges(battle, scene), inches)


def _limit_at(battle: Battle, scene: _Scene, limits: Choices, inches: float) -> float:
    """Return the limit that a measured distance does not pass (FBN-081). Raises ZarebaError beyond the longest range."""
    found = next((limit for limit in limits if inches <= limit), None)
    if found is None:
        name, most = battle.units[scene.actor].spec.name, max(limits, default=0)
        raise ZarebaError(f'{name} reaches {most:g}", not {inches:g}" (FBN-081)')
    return found  # type: ignore[no-any-return]  # a key of the choices


def _whole(inches: float) -> float:
    """Return inches as people type them: whole numbers without a point."""
    return int(inches) if inches == int(inches) else inches


# --- Who may do what ------------------------------------------------------------------------------------------------------


def _nobody(battle: Battle) -> list[str]:
    return []


def _active(battle: Battle) -> Unit | None:
    """Return the active unit, if it is on the table."""
    unit = battle.units[battle.active] if battle.active else None
    return unit if unit is not None and unit.on_table else None


def _waiting(battle: Battle) -> list[str]:
    """Return the units that the side whose turn it is may activate (FBN-013)."""
    if battle.phase != "actions" or battle.active:
        return []
    for onward in range(len(battle.order)):
        side = battle.order[(battle.at + onward) % len(battle.order)]
        found = [key for key in battle.waiting if battle.units[key].spec.side == side and battle.units[key].on_table]
        if found:
            return found
    return []


def _if(able: Callable[[Battle, Unit], object]) -> Callable[[Battle], list[str]]:
    """Return the actors of an act of the active unit: the unit, if it is able."""

    def actors(battle: Battle) -> list[str]:
        unit = _active(battle)
        return [unit.spec.id] if unit is not None and able(battle, unit) else []

    return actors


def _enemies(battle: Battle, actor: str) -> list[str]:
    return [unit.spec.id for unit in battle.enemies(battle.units[actor].spec.side)]


def _fire_targets(battle: Battle, actor: str) -> list[str]:
    """Return the enemy units at which a man of the unit may fire, with men who can be aimed at."""
    return [key for key in _aim_targets(battle, actor) if firers(battle, battle.units[actor], key)]


def _may_fire(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit has men who may fire small arms; a crew serves its gun (FBN-205)."""
    return not _has_gun(unit) and bool(_fire_targets(battle, unit.spec.id))


def _has_name(man: Figure) -> bool:
    """Return True for leaders, bearers and medics, whom people tell from common men. They come last."""
    return man.spec.leads or man.spec.bearer or man.spec.role == "medic"


def _common_first(man: Figure) -> tuple[int, bool]:
    """Return the order in which men take part: those with most AC left, common men before those with a name."""
    return -man.ac, _has_name(man)


def _has_gun(unit: Unit) -> bool:
    return any(gun.in_play for gun in unit.guns)


def _aim_targets(battle: Battle, actor: str) -> list[str]:
    """Return the enemy units with men who can be aimed at: not all prone (FBN-052)."""
    side = battle.units[actor].spec.side
    return [one.spec.id for one in battle.enemies(side) if target_figures(battle, side, one)]


# --- Fire -----------------------------------------------------------------------------------------------------------------


def _firing(battle: Battle, scene: _Scene) -> list[Figure]:
    """Return the men who fire. Raises ZarebaError if people named more than there are."""
    unit = battle.units[scene.actor]
    return _some(battle, unit, firers(battle, unit, scene.target), scene.answers.get("men"), "fire")


def _some(battle: Battle, unit: Unit, men: Items[Figure], count: int | None, does: str) -> list[Figure]:
    """Return so many of these men, those with most AC first; all if no number is given."""
    if count is None:
        return [*men]
    if not 1 <= count <= len(men):
        raise ZarebaError(f"{amount(len(men), 'man', 'men')} of {unit.spec.name} can {does}, not {count}")
    return sorted(men, key=_common_first)[:count]


def _aimed(battle: Battle, unit: Unit, target: Unit, unseen: int) -> list[Figure]:
    """Return the men who can be aimed at, common men first, without so many of them."""
    men = sorted(target_figures(battle, unit.spec.side, target), key=_has_name)
    if unseen >= len(men):
        raise ZarebaError(f"no man of {target.spec.name} is left to aim at")
    return men[: len(men) - unseen]


def _lay_out_shot(battle: Battle, scene: _Scene) -> None:
    """Put the firers and their targets at the distance and in the cover that people see."""
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    aimed = _aimed(battle, unit, target, int(scene.answers.get("unseen") or 0))
    _face_off(battle, _firing(battle, scene), aimed, float(scene["distance"]))
    for one in (unit, target):
        one.measure()
    _shelter_targets(battle, scene, aimed)


def _face_off(battle: Battle, men: Iterable[Figure], aimed: Iterable[Figure], inches: float) -> None:
    """Put men so many inches west of others, edge to edge. Common men are a hair nearer than those with a name."""
    for man in aimed:
        near = 0.0 if _has_name(man) else _HAIR / 2
        _put(battle, [man], (_STAGE[0] - near, _STAGE[1]), _WEST, side=1)
    _put(battle, men, (_STAGE[0] - inches + _HAIR, _STAGE[1]), _EAST, side=-1)


def _shelter_targets(battle: Battle, scene: _Scene, aimed: Iterable[Figure]) -> None:
    """Give the targets the cover and the light that people see."""
    widest = max(battle.radius(man) for man in aimed)
    battle.field = _with_cover(battle, scene["cover"], _STAGE, widest)
    battle.flares = [Flare(*_STAGE, battle.turn)] if scene.answers.get("lit") else []


def _fire(table: Table, battle: Battle, scene: _Scene) -> None:
    fire_volley(table, battle, battle.change(battle.units[scene.actor]), battle.units[scene.target])


# --- Moves ----------------------------------------------------------------------------------------------------------------


def _on_foot(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the men on foot who have a movement action left. A crew moves with its gun."""
    return [] if _has_gun(unit) else movers(battle, unit)


def _actions(battle: Battle, scene: _Scene) -> Choices:
    """Return the numbers of movement actions that the men have left, each with its inches (FBN-039, FBN-047)."""
    men = _on_foot(battle, battle.units[scene.actor])
    most = max((min(man.ac, battle.book.moves_limit - man.moves) for man in men), default=0)
    inches = min((allowance(battle, man) for man in men), default=0)
    on = [battle.book.allowance_on_ground(inches, ground) for ground in (FLAT, BUMPY, JAGGED)]
    return {
        times: f'{amount(times, "action")}: {times * on[0]}" (bumpy {times * on[1]}", jagged {times * on[2]}")'
        for times in range(1, most + 1)
    }


def _moving(battle: Battle, scene: _Scene) -> list[Figure]:
    """Return the men who move. Raises ZarebaError if people named more than there are."""
    unit = battle.units[scene.actor]
    return _some(battle, unit, _on_foot(battle, unit), scene.answers.get("men"), "move")


def _move(table: Table, battle: Battle, scene: _Scene) -> None:
    """Pay for the moves of men on foot, who go where people put them (FBN-039)."""
    unit = battle.change(battle.units[scene.actor])
    for _ in range(scene["times"]):
        men = [man for man in _moving(battle, scene) if man.spec.id in unit.figures]
        starts = [man.at for man in men]
        shift_men(battle, unit, men, 0.0, 0.0)
        resolve_move(table, battle, unit, men, starts)
    if len(men) < len(unit.steady) or len(unit.steady) < unit.start:
        unit.mark("loose")
    table.emit("move", "FBN-039", unit=unit.spec.id, men=len(men), of=len(unit.figures), x=0.0, y=0.0)


def _lay_out_meeting(battle: Battle, scene: _Scene) -> None:
    """Put the movers an inch from the enemy, who faces them or not."""
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    _put(battle, target.figures.values(), _STAGE, _EAST if scene["flank"] else _WEST, side=1)
    at = _STAGE[0] - 1.0, _STAGE[1]
    _put(battle, _on_foot(battle, unit) or riders(battle, unit), at, _EAST, side=-1)
    for one in (unit, target):
        one.measure()


def _meet(table: Table, battle: Battle, scene: _Scene) -> None:
    """Walk into contact without a charge (FBN-270)."""
    unit = battle.change(battle.units[scene.actor])
    men = _on_foot(battle, unit)
    starts = [man.at for man in men]
    if men:
        shift_men(battle, unit, men, 1.0, 0.0)
        table.emit("move", "FBN-270", unit=unit.spec.id, men=len(men), of=len(unit.figures), x=0.0, y=0.0)
        resolve_move(table, battle, unit, men, starts)
    else:
        ride_straight(table, battle, unit, riders(battle, unit), WALK, 1.0, 0.0)


def _may_meet(battle: Battle, unit: Unit) -> bool:
    able = _on_foot(battle, unit) or [man for man in riders(battle, unit) if WALK in allowed_gaits(battle.book, man)]
    return bool(able) and not battle.book.settings.contact_needs_charge


def _has_flank(battle: Battle, scene: _Scene) -> bool:
    """Return True if the target can be struck in flank or rear (FBN-145)."""
    return battle.units[scene.target].shape != "square"


def _gaits(battle: Battle, scene: _Scene) -> Choices:
    """Return the gaits that all riders may use now, each with its inches (FBN-173 to FBN-176)."""
    men = riders(battle, battle.units[scene.actor])
    allowed = set.intersection(*[set(allowed_gaits(battle.book, man)) for man in men])
    kinds = battle.book.gaits
    return {gait: f'{GAITS[gait]}: {kinds[gait].least} to {kinds[gait].most}"' for gait in sorted(allowed) if gait}


def _charge_gaits(battle: Battle, scene: _Scene) -> Choices:
    return {gait: words for gait, words in _gaits(battle, scene).items() if gait >= CANTER}


def _rides_fast(battle: Battle, scene: _Scene) -> bool:
    return int(scene.answers.get("gait") or 0) >= CANTER


def _all_enemies(battle: Battle, scene: _Scene) -> Choices:
    """Return the enemy units that cavalry may ride at, without the target of a charge, which it rides at anyway."""
    side = battle.units[scene.actor].spec.side
    return {unit.spec.id: unit.spec.name for unit in battle.enemies(side) if unit.spec.id != scene.target}


def _ridden_at_text(battle: Battle, scene: _Scene) -> str:
    """Which other enemy units have a man in plain sight straight ahead of a rider, near where he stops?"""
    inches = amount(battle.book.file.ridden_at.inches, "inch", "inches")
    return f"Which other enemy units have a man in plain sight straight ahead of a rider, within {inches} of where he stops?"


def _put_in_front(battle: Battle, keys: Iterable[str], inches: float) -> None:
    """Put a man of each of these units on the line of the riders, so many inches east of the stage (FBN-142)."""
    for key in keys:
        unit = battle.change(battle.units[key])
        _put(battle, [*unit.figures.values()][:1], (_STAGE[0] + inches, _STAGE[1]), _WEST)
        unit.measure()


def _lay_out_ride(battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    _put(battle, riders(battle, unit), (_STAGE[0] - battle.book.gaits[scene["gait"]].most, _STAGE[1]), _EAST)
    unit.measure()
    _put_in_front(battle, scene["ridden_at"], 5.0)


def _ride(table: Table, battle: Battle, scene: _Scene) -> None:
    unit, gait = battle.change(battle.units[scene.actor]), scene["gait"]
    men = riders(battle, unit)
    ride_straight(table, battle, unit, men, gait, float(battle.book.gaits[gait].most), 0.0)
    if len(men) < len(unit.steady) or len(unit.steady) < unit.start:
        unit.mark("loose")


# --- Charges and close combat ---------------------------------------------------------------------------------------------


_LANE = 8.0
"""Inches between pairs of fighters in a layout: each charger reaches his own enemy first."""


def _runners(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the men who can charge on foot."""
    if _has_gun(unit) or not may_charge_unit(battle, unit):
        return []
    return chargers(battle, unit)


def _fast_riders(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the riders who can charge at a canter or gallop (FBN-180)."""
    if not may_charge_unit(battle, unit):
        return []
    return [man for man in riders(battle, unit) if max(allowed_gaits(battle.book, man)) >= CANTER]


def _contacts_text(battle: Battle, scene: _Scene) -> str:
    """How many men of the unit come into contact?"""
    unit = battle.units[scene.actor]
    if scene.answers.get("gait"):
        return f"How many riders of {unit.spec.name} come into contact, straight ahead?"
    inches = min(charge_reach(battle, man) for man in _runners(battle, unit))
    return f'How many men of {unit.spec.name} come into contact? (straight, up to {inches}"; 0: the charge falls short)'


def _lay_out_charge(battle: Battle, scene: _Scene) -> None:
    """Give each man who comes into contact an enemy straight in front of him. Other chargers are out of reach, and those
    who stay behind are in contact already.
    """
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    gait, (x, y) = scene.answers.get("gait"), _STAGE
    able = riders(battle, unit) if gait else _runners(battle, unit)
    men = sorted(able, key=lambda man: (not _has_name(man), -man.ac))  # leaders charge with their men
    stay = int(scene.answers.get("stay") or 0)
    if scene["contacts"] > len(men) - stay:
        raise ZarebaError(f"{amount(max(0, len(men) - stay), 'man', 'men')} of {unit.spec.name} can charge")
    gap = battle.book.gaits[gait].least + 1.0 if gait else 2.0
    facing = _EAST if scene.answers.get("flank") else _WEST
    foes = sorted(target.figures.values(), key=_has_name)
    contacts = min(scene["contacts"], len(foes))
    for number, man in enumerate(men):
        lane = y + _LANE * number
        if number < contacts:
            _put(battle, [foes[number]], (x, lane), facing, side=1)
            _put(battle, [man], (x - gap, lane), _EAST, side=-1)
        elif number < len(men) - stay:
            _put(battle, [man], (x - 100.0, lane), _EAST)
        else:
            _put(battle, [man], (x + 2 * battle.radius(foes[0]), y), _WEST, side=1)
    if stay and not contacts:
        _put(battle, foes[:1], _STAGE, _EAST, side=1)
    for one in (unit, target):
        one.measure()
    _put_in_front(battle, scene.answers.get("ridden_at") or (), 8.0)


def _charge(table: Table, battle: Battle, scene: _Scene) -> None:
    charge_with_unit(table, battle, battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target]))


def _ride_down(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    mounted_charge(table, battle, unit, riders(battle, unit), battle.change(battle.units[scene.target]), scene["gait"])


_HEIGHTS: Choices = {"level": "level", "actor": "the attackers are higher", "target": "the defenders are higher"}
_SHELTERS: Choices = {
    _NONE: "none",
    "target": "the defenders are in cover",
    "actor": "the attackers are in cover",
    "wall": "a wall between them",
    "trench": "the defenders are in a trench",
    "door": "through a door or window, or from room to room",
}
_DOOR = "the door"
"""The building whose door is laid out for a fight."""


def _strikers(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the steady men who may strike (FBN-104); none in a unit that falls back (FBN-160)."""
    return [] if unit.back else [man for man in unit.figures.values() if not man.reaction and can_strike(battle, man)]


def _lay_out_fight(battle: Battle, scene: _Scene) -> None:
    """Put the men who strike in contact with those whom they can reach, on the ground that people see.

    All stand at one point: a man whose enemy falls strikes the next one.
    """
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    men = _some(battle, unit, _strikers(battle, unit), scene["men"], "strike")
    foes = sorted(target.figures.values(), key=_has_name)
    if not 1 <= scene["foes"] <= len(foes):
        raise ZarebaError(f"{target.spec.name} has {amount(len(foes), 'man', 'men')}")
    _engage(battle, scene, men, foes[: scene["foes"]])


def _lay_out_duel(battle: Battle, scene: _Scene) -> None:
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    _engage(battle, scene, [unit.figures[scene["man"]]], [target.figures[scene["foe"]]])


def _engage(battle: Battle, scene: _Scene, men: Items[Figure], foes: Items[Figure]) -> None:
    """Put men west of their enemies in contact, with the height, shelter and facing that people see."""
    battle.field = _fighting_ground(battle, scene["shelter"])
    away = scene.answers.get("away")
    _put(battle, foes, _STAGE, _EAST if away else _WEST, side=1)
    _put(battle, men, _STAGE, _EAST, side=-1)
    higher = {"actor": men, "target": foes}.get(scene["height"], ())
    for man in higher:
        man.z += battle.book.higher
    if scene["shelter"] == "door":
        for foe in foes:
            foe.place, foe.post = f"{_DOOR}:room", f"{_DOOR}:opening"
        battle.houses[_DOOR] = BuildingState(1)
    for key in (scene.actor, scene.target):
        battle.units[key].measure()


def _fighting_ground(battle: Battle, shelter: str) -> Field:
    """Return the plain with the shelter of a melee at the stage (FBN-117, FBN-119, FBN-256)."""
    (x, y), rows = _STAGE, battle.book.terrain.values()
    walls = [row for row in rows if row.wall and row.cv]
    trenches = [row for row in rows if row.trench]
    areas = [row for row in rows if row.cv and row.shelter == "inside" and not row.trench and row.move != "closed"]
    pieces: tuple[TerrainPiece[TerrainRow], ...] = ()
    buildings: dict[str, Building[TerrainRow]] = {}
    if shelter in ("target", "trench", "actor"):
        row = trenches[0] if shelter == "trench" else areas[0]
        west, east = (x - 2.0, x) if shelter == "actor" else (x, x + 2.0)
        pieces = (TerrainPiece.area("shelter", row, [(west, y - 1), (east, y - 1), (east, y + 1), (west, y + 1)]),)
    elif shelter == "wall":
        pieces = (TerrainPiece.line("shelter", walls[0], [(x, y - 2), (x, y + 2)]),)
    elif shelter == "door":
        box = (x, y - 2.0, x + 4.0, y + 2.0)
        room = BuildingSection(f"{_DOOR}:room", _DOOR, 0, box, 20)
        opening = BuildingOpening(f"{_DOOR}:opening", "door", room.id, "", _STAGE, 0)
        corners = ((x, y - 2.0), (x + 4.0, y - 2.0), (x + 4.0, y + 2.0), (x, y + 2.0))
        row = next(row for row in rows if row.building)
        buildings[_DOOR] = Building(_DOOR, "sections", row, corners, box, {room.id: room}, {opening.id: opening}, 0.0)
    return replace(_open(battle, pieces), buildings=buildings)


def _fight(table: Table, battle: Battle, scene: _Scene) -> None:
    strike_with_unit(table, battle, battle.change(battle.units[scene.actor]))


def _duel(table: Table, battle: Battle, scene: _Scene) -> None:
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    strike_blow(table, battle, unit, unit.figures[scene["man"]], target.figures[scene["foe"]])


def _men_by_name(men: Iterable[Figure]) -> Choices:
    """Return these men for a choice: everyone with a name or a wound, and the first of the common men in each state."""
    found: dict[str, str] = {}
    kinds: set[tuple[object, ...]] = set()
    for man in men:
        kind = (man.reaction, man.prone, man.ac, "stunned" in man.marks, man.weapon)
        if _has_name(man):
            found[man.id] = man.spec.name
        elif kind not in kinds:
            kinds.add(kind)
            state = [man.reaction.replace("_", " ")] * bool(man.reaction) + ["prone"] * man.prone
            found[man.id] = f"a {'gunner' if man.spec.crew else 'man'}{''.join(f', {one}' for one in state)}"
    return found


# --- One target picked out ------------------------------------------------------------------------------------------------


def _picked_men(battle: Battle, scene: _Scene) -> Choices:
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    return _men_by_name(target_figures(battle, unit.spec.side, target))


def _lay_out_pick(battle: Battle, scene: _Scene) -> None:
    """Put one man of the enemy at the distance that people name, and no one else."""
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    man = target.figures[scene["foe"]]
    _face_off(battle, _firing(battle, scene), [man], float(scene["distance"]))
    _shelter_targets(battle, scene, [man])
    for one in (unit, target):
        one.measure()


# --- Postures, formations and orders --------------------------------------------------------------------------------------


_POSTURES = ("lie down", "get up", "dismount", "mount")


def _changes(battle: Battle, unit: Unit) -> dict[Any, str]:
    """Return the changes of posture and formation that a unit may make, as options of play with their words."""
    actor = ActiveUnit(battle, unit)
    able = actor.able
    found: dict[Any, str] = {}
    if _has_gun(unit) or not able.men:
        return found
    for action in DRILL:
        if action.verb in _POSTURES and action.may(actor):
            found[action.verb] = action.verb
    if able.all_ready and not able.crossed and may_form(unit):
        for one in Form.options(actor):
            found[one.option] = f"form {FORMATION_NAMES[one.formation]}"
    return found


def _change(table: Table, battle: Battle, scene: _Scene) -> None:
    perform_action(table, battle, battle.change(battle.units[scene.actor]), scene["change"])
    if scene["change"] not in _POSTURES:
        battle.units[scene.actor].unmark("unformed")  # people have room, or say otherwise


def _check_glory(table: Table, battle: Battle, scene: _Scene) -> None:
    voluntary_check(table, battle, battle.change(battle.units[scene.actor]))


def _officers(battle: Battle, unit: Unit) -> list[Figure]:
    return [man for man in unit.figures.values() if may_rally(battle, man) and "crossed" not in man.marks]


def _friends(battle: Battle, unit: str) -> list[Unit]:
    return [*battle.on_table(battle.units[unit].spec.side)]


def _to_rally(battle: Battle, actor: str) -> list[str]:
    officers = _officers(battle, battle.units[actor])
    return [unit.spec.id for unit in rally_targets(battle, officers[0], _friends(battle, actor))] if officers else []


def _to_order_back(battle: Battle, actor: str) -> list[str]:
    officers = [man for man in _officers(battle, battle.units[actor]) if man.spec.role == "officer"]
    return (
        [one.spec.id for one in units_to_order_back(battle, officers[0], _friends(battle, actor))] if officers else []
    )


def _officer(battle: Battle, scene: _Scene) -> Choices:
    return {man.id: man.spec.name for man in _officers(battle, battle.units[scene.actor])}


def _rally(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    rally_unit(table, battle, unit.figures[scene["officer"]], battle.units[scene.target])


def _order_back(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    order_back(table, battle, unit.figures[scene["officer"]], battle.units[scene.target])


def _units_in_panic(battle: Battle, scene: _Scene) -> Choices:
    units = _friends(battle, scene.actor)
    return {one.spec.id: one.spec.name for one in units if any(man.reaction for man in one.figures.values())}


def _near_officer_text(battle: Battle, scene: _Scene) -> str:
    """Whose men in panic are near the officer?"""
    return f'Whose men in panic are within {battle.book.near:g}" of him?'


def _lay_out_gathering(battle: Battle, scene: _Scene) -> None:
    """Put the officer among the panicking men who are near him."""
    unit = battle.change(battle.units[scene.actor])
    _put(battle, [unit.figures[scene["officer"]]], _STAGE, _EAST)
    for key in scene["near"]:
        other = battle.change(battle.units[key])
        _put(battle, [man for man in other.figures.values() if man.reaction], _STAGE, _EAST)
        other.measure()
    unit.measure()


def _gather(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    rally_nearby(table, battle, unit.figures[scene["officer"]], scene["merge"])


def _medics(battle: Battle, unit: Unit) -> list[Figure]:
    tired = {"fired", "healed", "served"}
    return [m for m in unit.figures.values() if m.spec.role == "medic" and m.able and m.ac and not m.marks & tired]


def _patients(battle: Battle, scene: _Scene) -> Choices:
    """Return the men a medic can treat: one of the fallen of each unit, and the wounded by name (FBN-137)."""
    side, medic = battle.units[scene.actor].spec.side, _medics(battle, battle.units[scene.actor])[0]
    found: dict[str, str] = {}
    for unit in (one for one in battle.units.values() if one.spec.side == side and "away" not in one.marks):
        fallen = [one.figure for one in battle.fallen if one.unit == unit.spec.id and one.curable]
        found |= {fallen[0]: f"a fallen man of {unit.spec.name}"} if fallen else {}
        found |= {man.id: man.spec.name for man in unit.figures.values() if man.locations and man is not medic}
    return found


def _heal(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    medic, patient = _medics(battle, unit)[0], battle.unit_of(scene["patient"])
    if patient is None:
        heal(table, battle, medic, scene["patient"])
    else:
        heal_location(table, battle, unit, medic, battle.change(patient).figures[scene["patient"]])


def _calls(battle: Battle, unit: Unit) -> dict[Any, str]:
    """Return the calls and signals that men of a unit may make, as options of play with their words (FBN-037)."""
    actor, names = ActiveUnit(battle, unit), battle.units
    if not _able(battle, unit):
        return {}
    observed = {one.option: f"observe for {names[one.battery].spec.name}" for one in Barrage.options(actor)}
    return {**observed, **{one.option: f"call up {names[one.reserve].spec.name}" for one in Reserve.options(actor)}}


def _call(table: Table, battle: Battle, scene: _Scene) -> None:
    perform_action(table, battle, battle.change(battle.units[scene.actor]), scene["call"])


def _signallers(battle: Battle, unit: Unit) -> list[Figure]:
    return [man for man in unit.figures.values() if man.flares > 0 and man.spec.leads and man.able and man.ac]


def _flare(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    fire_flare(table, battle, _signallers(battle, unit)[0], unit.middle)


def _switchers(battle: Battle, unit: Unit) -> list[Figure]:
    return [
        man
        for man in unit.figures.values()
        if man.able and man.ac and man.spec.spare != _NONE and "disarmed" not in man.marks
    ]


def _switch(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    for man in _some(battle, unit, _switchers(battle, unit), scene["men"], "switch weapons"):
        switch_weapon(table, ActiveMan(battle, unit, man))


# --- Doors, and the terrain that men pass at night ------------------------------------------------------------------------


def _bash(table: Table, battle: Battle, scene: _Scene) -> None:
    """Bash a locked or heavy door with one man (FBN-254)."""
    unit = battle.change(battle.units[scene.actor])
    man = unit.figures[scene["man"]]
    man.ac -= 1
    roll_bash(table, man.spec.cs + chest_sign(battle, man), man.id)


def _spend_activation(table: Table, battle: Battle, scene: _Scene) -> None:
    spend_all(battle.change(battle.units[scene.actor]).figures[scene["man"]])


def _cross(table: Table, battle: Battle, scene: _Scene) -> None:
    """Send men through a door: they pay for a move and may only move on (FBN-244)."""
    unit = battle.change(battle.units[scene.actor])
    men = _some(battle, unit, _on_foot(battle, unit), scene["men"], "move")
    shift_men(battle, unit, men, 0.0, 0.0)
    for man in men:
        man.mark("crossed")


def _able(battle: Battle, unit: Unit) -> list[Figure]:
    return [man for man in unit.figures.values() if man.able and man.ac]


def _able_men(battle: Battle, scene: _Scene) -> Choices:
    return _men_by_name(_able(battle, battle.units[scene.actor]))


def _rested(battle: Battle, unit: Unit) -> list[Figure]:
    return [man for man in _able(battle, unit) if may_spend_all(man)]


def _passing_text(battle: Battle, scene: _Scene) -> str:
    """How many men of the unit walk past the terrain, without entering it?"""
    name = battle.units[scene.actor].spec.name
    return f'How many men of {name} walk past it within {battle.book.file.night.notice}", without entering it?'


def _notice(table: Table, battle: Battle, scene: _Scene) -> None:
    """Let men who walk past terrain at night notice it, or stumble and fall (FBN-239)."""
    unit = battle.change(battle.units[scene.actor])
    able = [man for man in unit.figures.values() if man.able and not man.prone and not man.mounted]
    for man in _some(battle, unit, able, scene["men"], "walk past it"):
        if not roll_to_notice(table, man):
            lie_down(battle, man)
            man.mark("halted")
            unit.mark("loose")
            table.emit("stumbled", "FBN-239", unit=unit.spec.id, figure=man.id, terrain="")


# --- Guns -----------------------------------------------------------------------------------------------------------------


_MARKED = 4
"""The most units or named men under one burst that the companion asks about."""
_Able = Callable[[Battle, Unit, Gun], object]


def _guns_that(able: _Able) -> Callable[[Battle, Unit], list[int]]:
    """Return a function that lists the numbers of the guns of a unit that are able, with a crew (FBN-206)."""

    def numbers(battle: Battle, unit: Unit) -> list[int]:
        return [
            number
            for number, gun in enumerate(unit.guns)
            if gun.in_play and crew_of(battle, unit, gun) and able(battle, unit, gun)
        ]

    return numbers


def _fires_direct(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return may_fire_gun(battle, unit, gun) and "direct" in fire_modes(battle, gun)


def _fires_indirect(battle: Battle, unit: Unit, gun: Gun) -> bool:
    if not may_fire_gun(battle, unit, gun) or "indirect" not in fire_modes(battle, gun):
        return False
    return gun.kind != _MORTAR or (bool(gun.plot) and gun.plot_turn < battle.turn)


def _may_plot(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return gun.kind == _MORTAR and not (gun.plot and gun.plot_turn == battle.turn)


def _may_turn(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return gun.ac >= battle.book.file.gun_costs.turn


def _may_haul(battle: Battle, unit: Unit, gun: Gun) -> bool:
    return gun.ac >= battle.book.file.gun_costs.move and not gun.moved


_MORTAR = "trench_mortar"
_DIRECT, _INDIRECT, _SALVO = _guns_that(_fires_direct), _guns_that(_fires_indirect), _guns_that(may_salvo)
_TURN, _HAUL, _PLOT, _JAMMED = (
    _guns_that(_may_turn),
    _guns_that(_may_haul),
    _guns_that(_may_plot),
    _guns_that(may_clear),
)


def _gun_names(numbers: Callable[[Battle, Unit], Items[int]]) -> Callable[[Battle, _Scene], Choices]:
    """Return the choices of a gun of the unit."""

    def names(battle: Battle, scene: _Scene) -> Choices:
        unit = battle.units[scene.actor]
        return {number: f"gun {number + 1}, {_kind(unit.guns[number])}" for number in numbers(battle, unit)}

    return names


def _kind(gun: Gun) -> str:
    return gun.kind.replace("_", " ")


def _gun(battle: Battle, scene: _Scene) -> Gun:
    number: int = scene["gun"]
    return battle.units[scene.actor].guns[number]


def _gun_ranges(battle: Battle, scene: _Scene) -> Choices:
    """Return the range bands of the gun (FBN-212)."""
    unit = battle.units[scene.actor]
    bands = zip(BANDS, gun_limits(battle, unit, _gun(battle, scene)), strict=True)
    return {_whole(limit): f'{band} (up to {limit:g}")' for band, limit in bands if limit > 0}


def _gun_at_distance(battle: Battle, scene: _Scene, inches: float) -> float:
    return _limit_at(battle, scene, _gun_ranges(battle, scene), inches)


def _named_targets(battle: Battle, scene: _Scene) -> Choices:
    """Return whom a gun can be aimed at: a common man, or one with a name."""
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    men = target_figures(battle, unit.spec.side, target)
    return {"": "a common man", **{man.id: man.spec.name for man in men if _has_name(man)}}


def _target_guns(battle: Battle, scene: _Scene) -> Choices:
    guns = battle.units[scene.target].guns
    return {number: f"gun {number + 1}, {_kind(gun)}" for number, gun in enumerate(guns) if gun.in_play}


def _gun_units(battle: Battle, actor: str) -> list[str]:
    """Return the enemy units that have a gun in play."""
    enemies = battle.enemies(battle.units[actor].spec.side)
    return [unit.spec.id for unit in enemies if any(gun.in_play for gun in unit.guns)]


def _loads(battle: Battle, scene: _Scene) -> Choices:
    return {load: load for load in ammunition_of(_gun(battle, scene))}


def _train(battle: Battle, scene: _Scene, away: float) -> None:
    """Put the unit so that its gun points east at the stage, so many inches from its centre to the stage."""
    unit = battle.change(battle.units[scene.actor])
    gun = unit.guns[scene["gun"]]
    dx, dy = _STAGE[0] - away - gun.x, _STAGE[1] - gun.y
    for man in unit.figures.values():
        battle.put(man, man.x + dx, man.y + dy)
    for one in unit.guns:
        one.x, one.y, one.bearing = one.x + dx, one.y + dy, _EAST
    unit.measure()


def _lay_out_salvo(battle: Battle, scene: _Scene) -> None:
    unit, target = battle.units[scene.actor], battle.change(battle.units[scene.target])
    aimed = _aimed(battle, unit, target, 0)
    _face_off(battle, (), aimed, float(scene["distance"]))
    target.measure()
    _train(battle, scene, float(scene["distance"]) - _HAIR + battle.book.radius["gun"])
    _shelter_targets(battle, scene, aimed)


def _lay_out_round(battle: Battle, scene: _Scene) -> None:
    """Put the man or gun aimed at on the stage, and the gun at the distance that people name."""
    target = battle.change(battle.units[scene.target])
    if "mark" in scene.answers and scene["mark"] is not None:
        other = target.guns[scene["mark"]]
        other.x, other.y = _STAGE
        radius = battle.book.radius["gun"]
    else:
        man = _aimed_man(battle, scene)
        _put(battle, [man], _STAGE, _WEST)
        radius = battle.radius(man)
    target.measure()
    _train(battle, scene, float(scene["distance"]) - _HAIR + battle.book.radius["gun"] + radius)
    battle.field = _with_cover(battle, scene["cover"], _STAGE)
    battle.flares = [Flare(*_STAGE, battle.turn)] if scene.answers.get("lit") else []


def _aimed_man(battle: Battle, scene: _Scene) -> Figure:
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    if scene["foe"]:
        return target.figures[scene["foe"]]
    return min(target_figures(battle, unit.spec.side, target), key=_has_name)


def _lay_out_guess(battle: Battle, scene: _Scene) -> None:
    _train(battle, scene, _guess(battle, scene))


def _guess(battle: Battle, scene: _Scene) -> float:
    """Return the guessed range: the mortar's plot, or what people say (FBN-222, FBN-227)."""
    gun, unit = _gun(battle, scene), battle.units[scene.actor]
    if gun.kind == _MORTAR and gun.plot and gun.plot_turn < battle.turn:
        return gun.plot[2]
    least, most = guess_limits(battle, unit, gun)
    if not least <= scene["guess"] <= most:
        raise ZarebaError(f'the guess must lie between {least}" and {most}" (FBN-226)')
    return float(scene["guess"])


def _guesses(battle: Battle, scene: _Scene) -> bool:
    """Return True if people guess the range now: not for a mortar with a plot."""
    gun = _gun(battle, scene)
    return not (gun.kind == _MORTAR and gun.plot and gun.plot_turn < battle.turn)


def _gun_fires(table: Table, battle: Battle, scene: _Scene) -> None:
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    landed = partial(_fall_of_shot, battle, scene)
    fire_direct(table, battle, unit, _gun(battle, scene), target, _aimed_man(battle, scene), scene["load"], landed)


def _gun_at_gun(table: Table, battle: Battle, scene: _Scene) -> None:
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    landed = partial(_fall_of_shot, battle, scene)
    gun, mark = _gun(battle, scene), target.guns[scene["mark"]]
    fire_piece_at_gun(table, battle, unit, gun, target, mark, scene["load"], landed)


def _gun_indirect(table: Table, battle: Battle, scene: _Scene) -> None:
    unit, gun = battle.change(battle.units[scene.actor]), _gun(battle, scene)
    load = scene["load"] or SHELL
    fire_indirect(table, battle, unit, gun, _STAGE, _guess(battle, scene), load, partial(_fall_of_shot, battle, scene))


def _fall_of_shot(battle: Battle, scene: _Scene, impact: Impact) -> None:
    """Put the men and guns where the round has landed that people see there; everything else stands far away."""
    if scene.target and not impact.direct:
        _bring(battle, battle.change(battle.units[scene.target]), _place_of(battle, scene.target))
    at, taken = impact.at, set[str]()
    if scene.target and impact.direct and "foe" in scene.answers and scene["foe"] is not None:
        taken.add(_aimed_man(battle, scene).id)
    for place, key in enumerate(scene["under"], 1):
        piece, _, number = key.partition(" gun ")
        unit = battle.unit_of(key) or battle.units[piece]
        unit = battle.change(unit)
        if number:
            unit.guns[int(number)].x, unit.guns[int(number)].y = at
        else:
            free = [man for man in unit.figures.values() if man.id not in taken]
            men = [unit.figures[key]] if key in unit.figures else sorted(free, key=_has_name)
            count = len(men) if key in unit.figures or scene["load"] == SHOT else scene[f"under_{place}"]
            men = men[: 1 if scene["load"] == SHOT else count]
            _put(battle, men, at, _WEST)
            taken |= {man.id for man in men}
        unit.measure()
    row = _cover_rows(battle).get(scene.answers.get("cover") or _NONE)
    is_inside = row is not None and row.shelter != "behind" and not row.building
    battle.field = _with_cover(battle, scene["cover"], at) if is_inside else _open(battle)


def _under_choices(battle: Battle, scene: _Scene) -> Choices:
    """Return everything that may be under a burst: units, their men with names, and guns."""
    found: dict[str, str] = {}
    units = sorted(battle.on_table(), key=lambda unit: unit.spec.id != scene.target)
    for unit in units:
        found[unit.spec.id] = unit.spec.name
        men = unit.figures.values()
        found |= {man.id: man.spec.name for man in men if _has_name(man) and len(men) > 1}
        for number, gun in enumerate(unit.guns):
            if gun.in_play:
                found[f"{unit.spec.id} gun {number}"] = f"gun {number + 1} of {unit.spec.name}"
    return found


def _has_landed(battle: Battle, scene: _Scene, events: Items[Event]) -> bool:
    """Return True if the round has landed where it may strike others than the one aimed at."""
    fired = [event for event in events if event.kind == "gun fires"]
    return bool(fired) and (scene["load"] != SHOT or not fired[0].data["hit"])


def _under_text(battle: Battle, scene: _Scene) -> str:
    """Who else is under the marker where the shell bursts, or next to the shot?"""
    if scene["load"] == SHOT:
        return f'Who is nearest to where the shot landed, within {battle.book.file.ball.inches}"?'
    inches = 2 * battle.book.burst_radius(_gun(battle, scene).kind)
    others = "else " if scene.target else ""
    return f'Put the {inches:g}" marker where the shell bursts: who {others}is under it?'


def _under_number_text(place: int) -> Callable[[Battle, _Scene], str]:
    def text(battle: Battle, scene: _Scene) -> str:
        """How many of its men are under the marker?"""
        key = scene["under"][place - 1]
        others = "other " if key == scene.target else ""
        return f"How many {others}men of {battle.units[key].spec.name} are under the marker?"

    return text


def _counts_men(place: int) -> Callable[[Battle, _Scene], bool]:
    def counts(battle: Battle, scene: _Scene) -> bool:
        under = scene.answers.get("under") or ()
        return len(under) >= place and under[place - 1] in battle.units and scene.answers.get("load") != SHOT

    return counts


def _under_asks() -> Iterator[Asked[Battle]]:
    """Yield the questions about a burst, for as many units as may be under it."""
    yield Asked("under", _under_text, default=(), choices=_under_choices, many=True, after=_has_landed)
    for place in range(1, _MARKED + 1):
        yield Asked(
            f"under_{place}",
            _under_number_text(place),
            default=1,
            kind=_Count,
            when=_counts_men(place),
        )


def _fire_a_salvo(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    fire_salvo(table, battle, unit, _gun(battle, scene), battle.units[scene.target])


def _turn_gun(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    gun = _gun(battle, scene)
    turn_gun(table, battle, unit, gun, gun.bearing)


def _clear(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    clear_jam(table, battle, unit, _gun(battle, scene))


def _plot(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    gun = unit.guns[scene["gun"]]
    gun.plot = (*_STAGE, float(scene["guess"]), float(battle.turn))


def _pullers(battle: Battle, scene: _Scene) -> Choices:
    """Return the friendly units whose riders or men may pull the gun (FBN-207)."""
    unit = battle.units[scene.actor]
    others = [one for one in _friends(battle, scene.actor) if one is not unit and "activated" not in one.marks]
    return {one.spec.id: one.spec.name for one in others}


def _needs_pullers(battle: Battle, scene: _Scene) -> bool:
    return haulers(battle, battle.units[scene.actor], _gun(battle, scene)) is None


def _lay_out_haul(battle: Battle, scene: _Scene) -> None:
    """Put the men of another unit who pull the gun in contact with it."""
    if scene["by"]:
        gun, other = _gun(battle, scene), battle.change(battle.units[scene["by"]])
        for man in other.figures.values():
            battle.put(man, gun.x, gun.y - battle.book.radius["gun"] - battle.radius(man))
        other.measure()


def _haul(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    gun = _gun(battle, scene)
    pullers = haulers(battle, unit, gun)
    if pullers is None:
        raise ZarebaError(f"nobody can pull the gun of {unit.spec.name} (FBN-207)")
    haul_gun(table, battle, unit, gun, pullers, (gun.x, gun.y + haul_reach(battle, gun, pullers)))


def _lay_out_shot_at_gun(battle: Battle, scene: _Scene) -> None:
    """Put the firers at the distance that people name from an enemy gun."""
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    gun = target.guns[scene["mark"]]
    gun.x, gun.y, gun.z = _STAGE[0] + battle.book.radius["gun"], _STAGE[1], 0.0
    _face_off(battle, _firing(battle, scene), (), float(scene["distance"]))
    battle.field = _with_cover(battle, scene["cover"], _STAGE, 2 * battle.book.radius["gun"])
    for one in (unit, target):
        one.measure()


def _volley_at_gun(table: Table, battle: Battle, scene: _Scene) -> None:
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    volley_at_gun(table, battle, unit, target, target.guns[scene["mark"]], _firing(battle, scene))


# --- Panic ----------------------------------------------------------------------------------------------------------------


_RUNS_AT = ("berserk", "onwards")
_SHOOTS = ("take_cover", "prone")


def _in_panic(*reactions: str) -> Callable[[Battle, _Scene], bool]:
    """Return a function that tells if men of the unit have one of these panic reactions (FBN-163)."""

    def some(battle: Battle, scene: _Scene) -> bool:
        men = battle.units[scene.actor].figures.values() if scene.actor else ()
        return any(man.reaction in reactions and "stunned" not in man.marks for man in men)

    return some


def _nearest_enemies(battle: Battle, scene: _Scene) -> Choices:
    return {key: battle.units[key].spec.name for key in _enemies(battle, scene.actor)}


def _shelter_distances(battle: Battle, scene: _Scene) -> Choices:
    return {0: "they are in cover, or there is none", 1: "one movement action away", 2: "two movement actions away"}


def _lay_out_panic(battle: Battle, scene: _Scene) -> None:
    """Put the men in panic where people see them: an enemy, a comrade or cover near by (FBN-164 to FBN-170)."""
    unit = battle.change(battle.units[scene.actor])
    wild = [
        man for man in unit.figures.values() if man.reaction in (*_RUNS_AT, *_SHOOTS) and "stunned" not in man.marks
    ]
    if not wild or not scene["enemy"]:
        return
    target = battle.change(battle.units[scene["enemy"]])
    foes = sorted(target.figures.values(), key=_has_name)
    lanes = [_STAGE[1] + 60.0 * number for number in range(len(wild))]
    for number, foe in enumerate(foes):
        behind = _HAIR * (number // len(lanes))
        _put(battle, [foe], (_STAGE[0] + behind, lanes[number % len(lanes)]), _WEST, side=1)
    mates = [man for man in unit.figures.values() if man not in wild]
    for number, (man, y) in enumerate(zip(wild, lanes, strict=True)):
        at = _STAGE[0] - float(scene["inches"] or 0) + _HAIR, y
        _put(battle, [man], at, _EAST, side=-1)
        if man.reaction == "berserk" and scene["comrades"] and number < len(mates):
            _put(battle, [mates[number]], (at[0] - 2.0, y + 1.0), _EAST, side=-1)
    if scene["shelter"]:
        row = _cover_rows(battle)[next(key for key in _cover_rows(battle) if key.startswith("area"))]
        speed = min(allowance(battle, man) for man in wild)
        pieces = []
        for number, man in enumerate(wild):
            far = man.y + 0.5 + speed * (scene["shelter"] - 1)
            corners = [(man.x - 1, far), (man.x + 1, far), (man.x + 1, far + 2), (man.x - 1, far + 2)]
            if man.reaction == "take_cover":
                pieces.append(TerrainPiece.area(f"cover {number}", row, corners))
        battle.field = _open(battle, tuple(pieces))
    for one in (unit, target):
        one.measure()


def _aim_or_hold(battle: Battle, scene: _Scene, question: Any) -> Answer:
    """Aim at the nearest enemy, or hold fire as the owner said."""
    return question.options[0] if scene["shoots"] else HOLD


# --- The end of an activation -----------------------------------------------------------------------------------------------


def _may_be_loose(battle: Battle, scene: _Scene) -> bool:
    """Return True if the formation has to be judged (FBN-064, FBN-272)."""
    unit = battle.units[scene.actor]
    return "loose" in unit.marks and "unformed" not in unit.marks and unit.shape != "open"


def _guns_without_crew(battle: Battle, scene: _Scene) -> Choices:
    """Return the enemy guns that nobody serves (FBN-122)."""
    found: dict[str, str] = {"": "no"}
    for other in battle.units.values():
        for number, gun in enumerate(other.guns):
            crew = any(is_touching(battle, man, gun, 1.0) for man in other.figures.values())
            if gun.in_play and not crew and other.spec.side != battle.units[scene.actor].spec.side:
                found[f"{other.spec.id} gun {number}"] = f"gun {number + 1} of {other.spec.name}"
    return found


def _is_heroic(battle: Battle, scene: _Scene) -> bool:
    """Return True if the activation counts as a heroic deed that may hearten friends near by (FBN-161)."""
    unit = battle.units[scene.actor]
    deed = (
        "deed" in unit.marks or scene.answers.get("taken") or unit.dealt - unit.lost >= battle.book.file.heroic.surplus
    )
    return bool(deed) and battle.book.settings.heroic_deeds


def _near_text(battle: Battle, scene: _Scene) -> str:
    """The unit did something heroic. Which friends have a man near its men?"""
    name = battle.units[scene.actor].spec.name
    return f'{name} did something heroic. Which friends have a man within {battle.book.near:g}" of its men?'


def _to_hearten(battle: Battle, scene: _Scene) -> Choices:
    units = _friends(battle, scene.actor)
    return {one.spec.id: one.spec.name for one in units if one.spec.id != scene.actor and "heartened" not in one.marks}


def _lay_out_end(battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    if scene["formed"]:
        unit.unmark("loose")
    else:
        for number, man in enumerate(unit.figures.values()):
            battle.put(man, man.x, man.y + 10.0 * number)
    steady = unit.steady
    if scene["taken"] and steady:
        key, _, number = scene["taken"].partition(" gun ")
        gun = battle.units[key].guns[int(number)]
        battle.put(steady[0], gun.x, gun.y - battle.book.radius["gun"] - battle.radius(steady[0]))
    for key in scene["near"]:
        friend = battle.change(battle.units[key])
        _put(battle, [*friend.figures.values()][:1], next(iter(unit.figures.values())).at, 0.0)
        friend.measure()
    unit.measure()


def _exits(battle: Battle, scene: _Scene) -> Choices:
    return {edge: f"the {edge} edge" for edge, _ in unit_exit_edges(battle, battle.units[scene.actor])}


def _lay_out_exit(battle: Battle, scene: _Scene) -> None:
    unit, field = battle.change(battle.units[scene.actor]), battle.field
    x, y = unit.middle
    edges = {"north": (x, field.depth), "south": (x, 0.0), "east": (field.width, y), "west": (0.0, y)}
    _put(battle, [man for man in unit.figures.values() if man.steady][:1], edges[scene["edge"]], 0.0)
    unit.measure()


def _objects(battle: Battle, scene: _Scene) -> Choices:
    """Return the objects of the scenario that lie on the table."""
    lying = [key for key, prize in battle.prizes.items() if not prize.carrier and not prize.taken_by]
    return {key: scene.game.narrator.name_of(key) for key in lying}


def _may_take_object(battle: Battle, unit: Unit) -> bool:
    lying = any(not one.carrier and not one.taken_by for one in battle.prizes.values())
    return lying and bool(unit.steady)


def _take_object(table: Table, battle: Battle, scene: _Scene) -> None:
    prize, unit = battle.prizes.change(scene["object"]), battle.units[scene.actor]
    prize.x, prize.y = next(man.at for man in unit.figures.values() if man.steady)
    take_prizes(table, battle)


# --- The sequence of play ---------------------------------------------------------------------------------------------------


def _phases(scene: _Scene) -> Sequence:
    sequence = scene.game.sequence
    assert isinstance(sequence, Sequence), "the companion has set it"
    return sequence


def _roll_initiative(table: Table, battle: Battle, scene: _Scene) -> None:
    _phases(scene).initiative_roll(table, battle)


def _activate(table: Table, battle: Battle, scene: _Scene) -> None:
    _phases(scene).actions_unit(table, battle)


def _this_unit(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return scene.actor if scene.actor in question.options else question.options[0]


def _end_activation(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    end_activation(table, battle, unit)
    _phases(scene).after_activation(table, battle, unit)


def _test_glory(table: Table, battle: Battle, scene: _Scene) -> None:
    glory_phase(table, battle)
    _phases(scene).move_on(table, battle)


def _end_turn(table: Table, battle: Battle, scene: _Scene) -> None:
    _phases(scene).housekeeping_turn(table, battle)


# --- The companion --------------------------------------------------------------------------------------------------------


_Run = Callable[[Table, Battle, _Scene], object]


def _group(*purposes: str) -> frozenset[str]:
    return frozenset(purposes)


_HITS = (_group("counter-attack"), _group("hit location"), _group("panic"))
_SHOTS = (_group("shot"), *_HITS)
_BLOWS = (_group("blow", "parry"), *_HITS)
_BURSTS = (_group("burst"), *_HITS)


def _ask_gun(able: Callable[[Battle, Unit], Items[int]]) -> Asked[Battle]:
    return Asked("gun", "{actor}: which gun?", choices=_gun_names(able))


_DISTANCE: Asked[Battle] = Asked(
    "distance", "How far from {actor} to {target}?", choices=_ranges, unit="inches", measured=_at_distance
)
_GUN_DISTANCE: Asked[Battle] = Asked(
    "distance", "How far from the gun to {target}?", choices=_gun_ranges, unit="inches", measured=_gun_at_distance
)
_COVER: Asked[Battle] = Asked("cover", "Cover of {target}?", default=_NONE, choices=_covers)
_LIT: Asked[Battle] = Asked(
    "lit", "Does a flare light {target}?", default=False, kind=bool, when=lambda battle, scene: battle.night
)
_LOAD: Asked[Battle] = Asked("load", "{actor}: which ammunition?", choices=_loads)
_GUESS: Asked[Battle] = Asked(
    "guess",
    "Guess the range in inches, without measuring",
    kind=_Count,
    when=_guesses,
)
_MEN_FIRE: Asked[Battle] = Asked("men", "How many men of {actor} fire?", kind=_Count)
_OFFICER: Asked[Battle] = Asked("officer", "Which officer?", choices=_officer)
_RIDDEN_AT: Asked[Battle] = Asked(
    "ridden_at",
    _ridden_at_text,
    default=(),
    choices=_all_enemies,
    many=True,
    when=_rides_fast,
)
_FLANK: Asked[Battle] = Asked(
    "flank",
    "Does a man touch {target} from outside the front of an enemy, more than 45 degrees off?",
    default=False,
    kind=bool,
    when=_has_flank,
)
_GROUND: tuple[Asked[Battle], ...] = (
    Asked("shelter", "Cover in this fight?", default=_NONE, choices=lambda battle, scene: _SHELTERS),
    Asked("height", "Does a side stand higher?", default="level", choices=lambda battle, scene: _HEIGHTS),
    Asked(
        "away", "Do the men of {target} have their backs to the attackers?", default=False, kind=bool, when=_has_flank
    ),
)


def _act(
    name: str,
    title: str,
    rule: str,
    run: _Run,
    actors: Callable[[Battle], Items[str]],
    *asks: Asked[Battle],
    **more: Any,
) -> CompanionAct[Battle]:
    """Return an act with its questions in order."""
    return CompanionAct(name=name, title=title, rule=rule, run=run, actors=actors, asks=asks, **more)


ACTS: tuple[CompanionAct[Battle], ...] = (
    _act("initiative", "roll for initiative", "FBN-008", _roll_initiative, _nobody, out_of_turn=False, has_odds=False),
    _act(
        "activate",
        "activate",
        "FBN-013",
        _activate,
        _waiting,
        Asked(
            "enemy",
            "{actor} has men in panic. Which enemy is nearest to them?",
            choices=_nearest_enemies,
            when=_in_panic(*_RUNS_AT, *_SHOOTS),
            default="",
        ),
        Asked(
            "inches", "How far is he?", default=100.0, kind=_Inches, unit="inches", when=_in_panic(*_RUNS_AT, *_SHOOTS)
        ),
        Asked(
            "comrades",
            "Is a man of their own unit nearer to the berserk men than any enemy?",
            default=True,
            kind=bool,
            when=_in_panic("berserk"),
        ),
        Asked(
            "shelter",
            "How far is cover that no enemy holds, for the men who run for it?",
            default=0,
            choices=_shelter_distances,
            when=_in_panic("take_cover"),
        ),
        Asked("shoots", "Do the men who can only shoot fire?", default=True, kind=bool, when=_in_panic(*_SHOOTS)),
        lay_out=_lay_out_panic,
        settled={"activate": _this_unit, "aim at": _aim_or_hold},
        out_of_turn=False,
        together=_SHOTS,
    ),
    _act(
        "pass",
        "pass",
        "FBN-014",
        _activate,
        _nobody,
        settled={"activate": lambda battle, scene, question: question.options[-1]},
        out_of_turn=False,
        has_odds=False,
    ),
    _act(
        "move",
        "move",
        "FBN-039",
        _move,
        _if(_on_foot),
        Asked("times", "{actor}: how many movement actions?", choices=_actions),
        has_odds=False,
    ),
    _act(
        "walk",
        "walk with some of its men",
        "FBN-272",
        _move,
        _if(_on_foot),
        Asked("men", "How many men of {actor} move?", kind=_Count),
        Asked("times", "{actor}: how many movement actions?", choices=_actions),
        has_odds=False,
    ),
    _act(
        "ride",
        "ride",
        "FBN-173",
        _ride,
        _if(riders),
        Asked("gait", "{actor}: at which gait?", choices=_gaits),
        _RIDDEN_AT,
        lay_out=_lay_out_ride,
        has_odds=False,
    ),
    _act(
        "charge",
        "charge",
        "FBN-041",
        _charge,
        _if(_runners),
        Asked("stay", "How many men of {actor} stay behind, for example in contact already?", default=0, kind=_Count),
        Asked("contacts", _contacts_text, kind=_Count),
        _FLANK,
        targets=_enemies,
        lay_out=_lay_out_charge,
        together=_HITS,
    ),
    _act(
        "gallop",
        "gallop or canter into contact",
        "FBN-180",
        _ride_down,
        _if(_fast_riders),
        Asked("gait", "{actor}: at which gait?", choices=_charge_gaits),
        Asked("contacts", _contacts_text, kind=_Count),
        _FLANK,
        _RIDDEN_AT,
        targets=_enemies,
        lay_out=_lay_out_charge,
        together=_HITS,
    ),
    _act(
        "touch",
        "touch the enemy without a charge",
        "FBN-270",
        _meet,
        _if(_may_meet),
        _FLANK,
        targets=_enemies,
        lay_out=_lay_out_meeting,
        together=_HITS,
    ),
    _act(
        "fire",
        "fire",
        "FBN-092",
        _fire,
        _if(_may_fire),
        _DISTANCE,
        _COVER,
        _LIT,
        targets=_fire_targets,
        facts=ShotFacts,
        lay_out=_lay_out_shot,
        together=_SHOTS,
    ),
    _act(
        "shoot",
        "shoot with some of its men, or at some of the enemy's",
        "FBN-092",
        _fire,
        _if(_may_fire),
        _MEN_FIRE,
        Asked(
            "unseen",
            "How many men of {target} cannot be aimed at, out of sight or in contact with friends?",
            default=0,
            kind=_Count,
        ),
        _DISTANCE,
        _COVER,
        _LIT,
        targets=_fire_targets,
        facts=ShotFacts,
        lay_out=_lay_out_shot,
        together=_SHOTS,
    ),
    _act(
        "pick",
        "pick out one man as target",
        "FBN-093",
        _fire,
        _if(_may_fire),
        Asked("foe", "At which man of {target}?", choices=_picked_men),
        _MEN_FIRE,
        _DISTANCE,
        _COVER,
        _LIT,
        targets=_fire_targets,
        facts=ShotFacts,
        lay_out=_lay_out_pick,
        together=_SHOTS,
    ),
    _act(
        "silence",
        "aim at an enemy gun",
        "FBN-204",
        _volley_at_gun,
        _if(lambda battle, unit: not _has_gun(unit) and firers(battle, unit) and _gun_units(battle, unit.spec.id)),
        Asked("mark", "Which gun of {target}?", choices=_target_guns),
        _MEN_FIRE,
        _DISTANCE,
        _COVER,
        targets=_gun_units,
        facts=ShotFacts,
        lay_out=_lay_out_shot_at_gun,
        together=_SHOTS,
    ),
    _act(
        "strike",
        "strike",
        "FBN-104",
        _fight,
        _if(_strikers),
        Asked(
            "men",
            "How many men of {actor} strike: in contact, or within an inch with a close-combat weapon?",
            kind=_Count,
        ),
        Asked("foes", "How many men of {target} are in their reach?", kind=_Count),
        *_GROUND,
        targets=_enemies,
        facts=FightFacts,
        lay_out=_lay_out_fight,
        together=_BLOWS,
    ),
    _act(
        "duel",
        "duel: one man strikes another",
        "FBN-120",
        _duel,
        _if(_strikers),
        Asked("man", "Which man of {actor}?", choices=lambda b, s: _men_by_name(_strikers(b, b.units[s.actor]))),
        Asked("foe", "Which man of {target}?", choices=lambda b, s: _men_by_name(b.units[s.target].figures.values())),
        *_GROUND,
        targets=_enemies,
        facts=FightFacts,
        lay_out=_lay_out_duel,
        together=_BLOWS,
    ),
    _act(
        "change",
        "change posture or formation, mount or dismount",
        "FBN-035",
        _change,
        _if(_changes),
        Asked("change", "{actor}: which change?", choices=lambda b, s: _changes(b, b.units[s.actor])),
        has_odds=False,
    ),
    _act(
        "weapon",
        "switch between rifle and pistol",
        "FBN-193",
        _switch,
        _if(_switchers),
        Asked("men", "How many men of {actor} switch weapons?", kind=_Count),
        has_odds=False,
    ),
    _act("check", "check glory", "FBN-036", _check_glory, _if(may_check)),
    _act(
        "rally",
        "rally a unit near by",
        "FBN-159",
        _rally,
        _if(lambda battle, unit: _to_rally(battle, unit.spec.id)),
        _OFFICER,
        targets=_to_rally,
        has_odds=False,
    ),
    _act(
        "gather",
        "gather men in panic near by",
        "FBN-159",
        _gather,
        _if(lambda battle, unit: _officers(battle, unit) and _units_in_panic(battle, Scene(None, unit.spec.id))),
        _OFFICER,
        Asked("near", _near_officer_text, default=(), choices=_units_in_panic, many=True),
        Asked("merge", "Do they form a new unit under him?", default=False, kind=bool),
        lay_out=_lay_out_gathering,
        has_odds=False,
    ),
    _act(
        "retire",
        "order a unit near by to fall back",
        "FBN-160",
        _order_back,
        _if(lambda battle, unit: _to_order_back(battle, unit.spec.id)),
        _OFFICER,
        targets=_to_order_back,
        has_odds=False,
    ),
    _act(
        "heal",
        "heal: the medic treats a man whom he touches",
        "FBN-137",
        _heal,
        _if(lambda b, unit: _medics(b, unit) and _patients(b, Scene(None, unit.spec.id))),
        Asked("patient", "Which man?", choices=_patients),
        has_odds=False,
    ),
    _act(
        "call",
        "observe for guns, or call up a reserve",
        "FBN-037",
        _call,
        _if(_calls),
        Asked("call", "{actor}: which call?", choices=lambda b, s: _calls(b, b.units[s.actor])),
        has_odds=False,
    ),
    _act("flare", "light a flare", "FBN-238", _flare, _if(_signallers), has_odds=False),
    _act(
        "gun",
        "gun fires at a unit",
        "FBN-215",
        _gun_fires,
        _if(_DIRECT),
        _ask_gun(_DIRECT),
        Asked("foe", "At which man of {target}?", default="", choices=_named_targets),
        _GUN_DISTANCE,
        _COVER,
        _LIT,
        _LOAD,
        *_under_asks(),
        targets=_aim_targets,
        facts=ShotFacts,
        lay_out=_lay_out_round,
        together=_BURSTS,
    ),
    _act(
        "battery",
        "counter-battery fire: gun at gun",
        "FBN-204",
        _gun_at_gun,
        _if(lambda battle, unit: _DIRECT(battle, unit) and _gun_units(battle, unit.spec.id)),
        _ask_gun(_DIRECT),
        Asked("mark", "Which gun of {target}?", choices=_target_guns),
        _GUN_DISTANCE,
        _COVER,
        _LIT,
        _LOAD,
        *_under_asks(),
        targets=_gun_units,
        facts=ShotFacts,
        lay_out=_lay_out_round,
        together=_BURSTS,
    ),
    _act(
        "bombard",
        "bombard: indirect fire at a guessed range",
        "FBN-222",
        _gun_indirect,
        _if(_INDIRECT),
        _ask_gun(_INDIRECT),
        _GUESS,
        _LOAD,
        *_under_asks(),
        lay_out=_lay_out_guess,
        together=_BURSTS,
    ),
    _act("plot", "plot a target for a mortar", "FBN-227", _plot, _if(_PLOT), _ask_gun(_PLOT), _GUESS, has_odds=False),
    _act(
        "salvo",
        "salvo of the machine gun",
        "FBN-229",
        _fire_a_salvo,
        _if(_SALVO),
        _ask_gun(_SALVO),
        _GUN_DISTANCE,
        _COVER,
        _LIT,
        targets=_aim_targets,
        facts=ShotFacts,
        lay_out=_lay_out_salvo,
        together=_SHOTS,
    ),
    _act("clear", "clear a jam", "FBN-232", _clear, _if(_JAMMED), _ask_gun(_JAMMED), has_odds=False),
    _act(
        "swing",
        "swing a gun round by up to 90 degrees",
        "FBN-208",
        _turn_gun,
        _if(_TURN),
        _ask_gun(_TURN),
        has_odds=False,
    ),
    _act(
        "haul",
        "haul a gun",
        "FBN-207",
        _haul,
        _if(_HAUL),
        _ask_gun(_HAUL),
        Asked("by", "Which unit pulls it?", default="", choices=_pullers, when=_needs_pullers),
        lay_out=_lay_out_haul,
        has_odds=False,
    ),
    _act("bash", "bash a door", "FBN-254", _bash, _if(_able), Asked("man", "Which man of {actor}?", choices=_able_men)),
    _act(
        "open",
        "open a heavy or locked door, or climb a ladder",
        "FBN-253",
        _spend_activation,
        _if(_rested),
        Asked("man", "Which man of {actor}?", choices=lambda b, s: _men_by_name(_rested(b, b.units[s.actor]))),
        has_odds=False,
    ),
    _act(
        "enter",
        "enter or leave a building, or go to the next room",
        "FBN-244",
        _cross,
        _if(_on_foot),
        Asked("men", "How many men of {actor} go through?", kind=_Count),
        has_odds=False,
    ),
    _act(
        "notice",
        "notice terrain that men pass at night",
        "FBN-239",
        _notice,
        _if(lambda battle, unit: battle.night),
        Asked("men", _passing_text, kind=_Count),
        together=(_group("notice"),),
    ),
    _act(
        "object",
        "take an object that lies near by",
        "FBN-265",
        _take_object,
        _if(_may_take_object),
        Asked("object", "Which object?", choices=_objects),
        has_odds=False,
    ),
    _act(
        "leave",
        "leave the table, which ends the activation",
        "FBN-265",
        _end_activation,
        _if(unit_exit_edges),
        Asked("edge", "Over which edge?", choices=_exits),
        lay_out=_lay_out_exit,
        out_of_turn=False,
        has_odds=False,
    ),
    _act(
        "end",
        "end the activation",
        "FBN-016",
        _end_activation,
        _if(lambda battle, unit: True),
        Asked("formed", "Do the men of {actor} keep their formation?", default=True, kind=bool, when=_may_be_loose),
        Asked("taken", "Does a man of {actor} touch a gun without crew?", default="", choices=_guns_without_crew),
        Asked("near", _near_text, default=(), choices=_to_hearten, many=True, when=_is_heroic),
        lay_out=_lay_out_end,
        out_of_turn=False,
        has_odds=False,
    ),
    _act(
        "glory",
        "test glory, and recover from panic",
        "FBN-147",
        _test_glory,
        _nobody,
        out_of_turn=False,
        has_odds=False,
        together=(_group("glory"), _group("recovery"), _group("panic")),
    ),
    _act("turn", "end the turn", "FBN-017", _end_turn, _nobody, out_of_turn=False, has_odds=False),
)

_DUE = {"initiative": "initiative", "glory": "glory", "housekeeping": "turn"}
"""The act that a phase demands."""
_SEQUENCE = frozenset({"initiative", "activate", "pass", "glory", "turn"})
"""Acts of the sequence of play, which are offered at their time."""
_AT_DOORS = frozenset({"bash", "open", "enter"})
"""Acts that are offered only on tables with buildings; `any` offers them everywhere."""
_FIRST = ("activated", "volley", "salvo", "charge", "gun fires")
"""Events that say what an act was; they are told before the losses it caused."""


_LOSSES = {"down": "fell", "killed": "killed", "bloody death": "killed at once", "captured": "taken prisoner"}
_SUMMED = ("loss", "answer", "blow", "panic", "panic move")
"""Events of single men that are told as one sentence for their unit."""


def _counted(words: Iterable[str]) -> str:
    """Return how often each of some words occurs."""
    return ", ".join(f"{times} {word}" for word, times in Counter(words).items())


class FbnCompanion(Companion[Battle]):
    """An evening of Fixed Bay'net at a real table."""

    game: FbnGame
    acts: ClassVar[Items[CompanionAct[Any]]] = ACTS
    samples: ClassVar[int] = 100

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, FbnGame)
        super().__init__(game)
        plan = game.plan
        field = _plain(plan.field, len(plan.squads))
        numbers = {unit: number for number, unit in enumerate(plan.squads, 1)}
        entries = {unit: (turn, (_APART * numbers[unit], _ROW), edge) for unit, (turn, _, edge) in plan.entries.items()}
        game.plan = replace(plan, field=field, entries=entries)
        game.sequence = Sequence(game.policy, game.scenario, game.plan)
        self._phases = game.sequence

    def start(self) -> Battle:
        """Return the battle with all units set up. People deploy the figures as they like (FBN-011)."""
        battle = self.book_of(self.game.start())
        battle.waiting = []
        for key in battle.units:
            battle.units.change(key).unmark("unformed")
        return battle

    def book_of(self, battle: Battle) -> Battle:
        """Return a battle of play as it stands in the book: without distances, places in buildings and hidden units."""
        book = battle.copy()
        book.field, book.menu = self.game.plan.field, None
        for key in [*book.units]:
            unit = book.units.change(key)
            unit.unmark("hidden")
            _bring(book, unit, _place_of(book, key))
        return book

    # --- the sequence of play -------------------------------------------------------------------------------------------

    def openings(self, state: Battle) -> Items[Opening]:
        due = _DUE.get(state.phase)
        if due is not None:
            return [Opening(due, (), due=True)]
        unit = _active(state)
        if unit is None:
            waiting = _waiting(state)
            passing = [Opening("pass", ())] if waiting and state.book.settings.pass_allowed else []
            return [Opening("activate", tuple(waiting), due=True), *passing] if waiting else []
        left_out = _SEQUENCE if state.houses else _SEQUENCE | _AT_DOORS
        found = [Opening(act.name, tuple(act.actors(state))) for act in self.acts if act.name not in left_out]
        found = [opening for opening in found if opening.actors]
        return found if len(found) > 1 else [Opening("end", (unit.spec.id,), due=True)]

    def advance(self, state: Battle) -> None:
        table = RecordedTable(self.game.rules, state, ())
        if state.phase in ("initiative", "housekeeping"):
            raise ZarebaError(f"{self.act_named[_DUE[state.phase]].title} first: play cannot go on without it")
        if state.active:
            _end_activation(table, state, Scene(self.game, state.active))
            return
        state.waiting = []
        self._phases.move_on(table, state)

    def acting_side(self, state: Battle) -> str:
        if state.active:
            return state.units[state.active].spec.side
        waiting = _waiting(state)
        return state.units[waiting[0]].spec.side if waiting else ""

    def headline(self, state: Battle) -> str:
        side = self.acting_side(state)
        whose = [self.game.narrator.name_of(side)] if side else []
        active = [self._active_words(state)] if state.active else []
        return " · ".join([self.game.display.headline(state, *whose), *active])

    def _active_words(self, state: Battle) -> str:
        """Return the name of the active unit and the AC of its men."""
        unit = state.units[state.active]
        left = sorted({man.ac for man in unit.figures.values() if man.able}, reverse=True)
        guns = [f"gun {number} {gun.ac} AC" for number, gun in enumerate(unit.guns, 1) if gun.in_play]
        men = f"{' or '.join(map(str, left))} AC each" if left else "no man able"
        return f"{unit.spec.name}: {', '.join([men, *guns])}"

    # --- after an act -----------------------------------------------------------------------------------------------------

    def tidy(self, before: Battle, after: Battle, events: Items[Event]) -> None:
        """Bring every man and gun back to his place. Losses, AC, marks and glory are what remains."""
        after.field, after.menu = before.field, None
        if _DOOR in after.houses:
            del after.houses[_DOOR]
        if not any(event.kind == "flare" for event in events):
            after.flares = [flare for flare in before.flares if after.turn == before.turn or flare.until >= after.turn]
        for key in [*after.units]:
            unit = after.units.change(key)
            old = before.units.get(key)
            at = _place_of(after, key)
            arrived = old is not None and "away" in old.marks and "away" not in unit.marks
            for man in unit.figures.values():
                was = old.figures.get(man.id) if old is not None and not arrived else None
                if was is not None:
                    battle_place = was.x, was.y, was.z, was.facing
                else:
                    battle_place = (man.x, man.y, man.z, man.facing) if arrived else (*at, 0.0, 0.0)
                man.x, man.y, man.z, man.facing = battle_place
                man.place = man.post = ""
            if old is not None and not arrived:
                for gun, kept in zip(unit.guns, old.guns, strict=True):
                    gun.x, gun.y, gun.z, gun.bearing = kept.x, kept.y, kept.z, kept.bearing
            unit.measure()
        after.fallen = tuple(
            one if one in before.fallen else Casualty(one.figure, one.unit, *_place_of(after, one.unit), one.curable)
            for one in after.fallen
        )

    def sentences(self, events: Items[Event]) -> Items[str]:
        """Return what happened: what the act was, then the losses of each unit in one sentence, then the rest."""
        groups: dict[tuple[str, str], list[Event]] = {}
        for event in events:
            if event.kind in _SUMMED and not (event.kind == "loss" and self._is_named(event)):
                groups.setdefault((event.kind, event.data["unit"]), []).append(event)
        summed = {
            id(event) for found in groups.values() if len(found) > 1 or found[0].kind == "loss" for event in found
        }
        others = [event for event in events if id(event) not in summed]
        first = [event for event in others if event.kind in _FIRST]
        rest = [event for event in others if event.kind not in _FIRST]
        sums = [self._sum(kind, found) for (kind, _), found in groups.items() if id(found[0]) in summed]
        return [*super().sentences(first), *sums, *super().sentences(rest)]

    def _sum(self, kind: str, events: Items[Event]) -> str:
        """Return equal events of the common men of one unit as a sentence."""
        name, tables = self.game.narrator.name_of, self.game.narrator.words.tables
        unit, count = name(events[0].data["unit"]), len(events)
        if kind == "loss":
            how = _counted(_LOSSES[event.data["how"]] for event in events)
            return f"{unit} lost {amount(count, 'man', 'men')}: {how}"
        if kind == "answer":
            hits = sum(event.data["result"] > 0 for event in events)
            return f"{unit} shot back {count} times: {amount(hits, 'hit')}"
        if kind == "blow":
            results = Counter(
                f"{event.data['result']} of the {event.data['loser']}" if event.data["loser"] else event.data["result"]
                for event in events
            )
            how = ", ".join(f"{word} ({times})" for word, times in results.items())
            return f"{unit} struck {count} times: {how}"
        if kind == "panic move":
            men = {event.data["figure"]: tables["panic_moves"][event.data["reaction"]] for event in events}
            return f"{unit}, men in panic: {_counted(men.values())}"
        how = _counted(tables["reactions"][event.data["reaction"]] for event in events)
        return f"{count} men of {unit} panicked: {how}"

    def _is_named(self, event: Event) -> bool:
        """Return True if a loss is that of a leader, bearer or medic, who is told of by name."""
        spec = self.game.origin.specs[event.data["figure"]]
        return spec.leads or spec.bearer or spec.role == "medic"

    def describe_event(self, event: Event) -> str:
        more = MORE.get(event.kind)
        name = self.game.narrator.name_of
        if event.kind == "gun fires":
            return self._fall_of_shot(event)
        if more is not None and event.kind in ("move", "ride"):
            event = event._replace(data={**event.data, **more(event.data, lambda word: name(str(word)))})
        return super().describe_event(event)

    def _fall_of_shot(self, event: Event) -> str:
        """Return where a round lands, from the point aimed at or guessed, as a clock seen from the gun (FBN-221)."""
        data, name = event.data, self.game.narrator.name_of
        target = data["target"] if data["target"].startswith("gun ") else name(data["target"]) if data["target"] else ""
        fired = f"{name(data['unit'])} fired {data['ammunition']}{f' at {target}' if target else ''}"
        if data["hit"]:
            return f"{fired}: a hit"
        point = data["x"], data["y"]
        hour = round((bearing(_STAGE, point) - _EAST) % 360 / 30) or 12
        where = "the point of the guess" if not target else "the target"
        return f"{fired}: it landed {round(dist(_STAGE, point))}\" from {where}, at {hour} o'clock (12: straight on)"

    # --- the book ---------------------------------------------------------------------------------------------------------

    def units(self, state: Battle, side: str) -> Items[str]:
        return [key for key, unit in state.units.items() if unit.spec.side == side]

    def unit_line(self, state: Battle, unit: str) -> str:
        one = state.units[unit]
        if unit in state.arrivals:
            return "still to arrive"
        if not one.on_table:
            return state.gone.get(unit, "off the table")
        return unit_state(one, with_facing=False)

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        one = state.units[unit]
        left = 0 if unit in state.gone else len(one.figures)
        return left, max(left, state.left.get(unit, one.start))
