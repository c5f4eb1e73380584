"""Actions of guns and machine guns: direct and indirect fire, salvos, plots, turning, moving and clearing jams.

Only their owner knows guesses and plots. Rules: FBN-204, FBN-206, FBN-207, FBN-208, FBN-209, FBN-214, FBN-222, FBN-224,
FBN-225, FBN-227, FBN-229, FBN-232.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import islice
from typing import Self, final

from zareba.base.exact import atan2d, dist
from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation, about_men
from zareba.battle.legal_actions import LegalActions
from zareba.chance import counts
from zareba.space.bearings import angle_between
from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.fixed_baynet.actions.actor import ActiveUnit, FixedValueUnitAction, UnitAction, UnitActionKind
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.artillery import (
    Impact,
    ammunition_of,
    building_targets_of_gun,
    direct_targets,
    fire_direct,
    fire_gun_at_building,
    fire_indirect,
    fire_modes,
    guess_limits,
    gun_facts,
    may_aim_indirect,
    may_fire_gun,
    men_gun_can_hit,
)
from zareba_rulesets.fixed_baynet.chapters.crews import (
    allowed_turns,
    crew_of,
    haul_cost,
    haul_gun,
    haul_points,
    haul_reach,
    haul_refused,
    haulers,
    is_in_gun_arc,
    is_manned,
    turn_gun,
)
from zareba_rulesets.fixed_baynet.chapters.machine_guns import (
    clear_jam,
    fire_piece_at_gun,
    fire_salvo,
    fire_salvo_at_building,
    first_man_salvo_can_hit,
    gun_targets_of_gun,
    may_clear,
    may_salvo,
    salvo_building_targets,
    salvo_targets,
)
from zareba_rulesets.fixed_baynet.estimates import (
    MAN_VALUE,
    NOTHING,
    GunSites,
    UnitView,
    hit_chance,
    marker_reason,
    men_in_danger,
    round_worth,
)
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Gun, Unit

GUNNER = "the gunner's guess"


def _guns(actor: ActiveUnit) -> Iterator[tuple[int, Gun]]:
    """Yield the guns of a unit that have a crew, with their numbers from 0 (FBN-206)."""
    for number, gun in enumerate(actor.unit.guns):
        if gun.in_play and crew_of(actor.battle, actor.unit, gun):
            yield number, gun


def _load(table: Table, unit: Unit, gun: Gun, number: int) -> str:
    """Ask for the ammunition: shot or shell, chosen for each shot (FBN-214)."""
    return table.choose(
        unit.spec.side, ammunition_of(gun), why="load", rule="FBN-214", actor=f"{unit.spec.id} {number + 1}"
    )


# --- direct fire ------------------------------------------------------------------------------------------------------


@final
class GunFire(
    UnitAction,
    verb="gun fire",
    text="gun {number:gun} fires at {target:target} ({fire} AC{number:crew})",
    odds="gun_aim",
):
    """Direct fire of a gun at a unit (FBN-209)."""

    number: int
    target: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        return (shot for shot in _all_rounds(actor) if isinstance(shot, cls))

    def perform(self, table: Table, actor: ActiveUnit) -> Impact:
        battle, unit, gun = actor.battle, actor.unit, actor.unit.guns[self.number]
        target = battle.change(battle.unit(self.target))
        aims = [man.spec.id for man in men_gun_can_hit(battle, unit, gun, target)]
        name = f"{unit.spec.id} {self.number + 1}"
        man = target.figures[table.choose(unit.spec.side, aims, why="aim the gun at", rule="FBN-215", actor=name)]
        return fire_direct(table, battle, unit, gun, target, man, _load(table, unit, gun, self.number))

    def value(self, view: UnitView) -> Evaluation:
        battle, unit = view.battle, view.unit
        gun, target = unit.guns[self.number], battle.units[self.target]
        man = next(men_gun_can_hit(battle, unit, gun, target), None)
        if man is None:
            return NOTHING
        need = view.book.rules.tally("fire", gun_facts(battle, unit, gun, target, man), battle, unit, target).total
        radius = view.book.burst_radius(gun.kind)
        men_under_burst = sum(dist(figure.at, man.at) <= radius for figure in target.figures.values())
        reason = partial("a roll of {} or more hits (FBN-215)".format, need)
        return Evaluation(
            inflicts=0.7 * men_under_burst * hit_chance(view.book, man.spec.ds) * MAN_VALUE, reason=reason
        )


@final
class GunAtGun(
    UnitAction,
    verb="gun at gun",
    text="gun {number:gun} fires at gun {other:gun} of {target:unit} ({fire} AC{number:crew})",
    odds="gun_aim",
):
    """Direct fire of a gun at a gun (FBN-204). It is worth shots only while men can serve it."""

    number: int
    target: str
    other: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        return (shot for shot in _all_rounds(actor) if isinstance(shot, cls))

    def perform(self, table: Table, actor: ActiveUnit) -> Impact:
        battle, unit, gun = actor.battle, actor.unit, actor.unit.guns[self.number]
        target_unit = battle.change(battle.unit(self.target))
        ammunition = _load(table, unit, gun, self.number)
        return fire_piece_at_gun(table, battle, unit, gun, target_unit, target_unit.guns[self.other], ammunition)

    def value(self, view: UnitView) -> Evaluation:
        if view.battle.units[self.target].figures:
            return Evaluation(ground=0.12, reason="it may silence the enemy gun (FBN-204)")
        return Evaluation(ground=-0.02, reason="it has no gunners left to serve it (FBN-206)")


@final
class GunAtBuilding(
    UnitAction,
    verb="gun at house",
    text="gun {number:gun} fires at {building:house} ({fire} AC{number:crew})",
    odds="gun_aim",
):
    """Direct fire of a gun at a building (FBN-249)."""

    number: int
    building: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        return (shot for shot in _all_rounds(actor) if isinstance(shot, cls))

    def perform(self, table: Table, actor: ActiveUnit) -> Impact:
        unit, gun = actor.unit, actor.unit.guns[self.number]
        ammunition = _load(table, unit, gun, self.number)
        return fire_gun_at_building(table, actor.battle, unit, gun, self.building, ammunition)

    def value(self, view: UnitView) -> Evaluation:
        if self.building in view.held:
            return Evaluation(ground=0.08, reason="a gun breaks walls with enemies behind them (FBN-249)")
        return _AT_EMPTY_BUILDING


_AT_EMPTY_BUILDING = Evaluation(ground=-0.02, reason="no enemies are known to be inside (FBN-248)")


def _all_rounds(actor: ActiveUnit) -> Iterator[GunFire | GunAtGun | GunAtBuilding]:
    """Yield the targets of the direct fire of all guns."""
    for number, gun in _guns(actor):
        yield from _rounds(actor, gun, number)


def _rounds(actor: ActiveUnit, gun: Gun, number: int) -> Iterator[GunFire | GunAtGun | GunAtBuilding]:
    """Yield the targets of a gun's direct fire: units, guns and buildings (FBN-204, FBN-215, FBN-247)."""
    battle, unit = actor.battle, actor.unit
    if gun.kind == "machine_gun" or not may_fire_gun(battle, unit, gun):
        return
    for target, _ in direct_targets(battle, unit, gun):
        yield GunFire(number, target.spec.id)
    for unit_id, other in gun_targets_of_gun(battle, unit, gun):
        yield GunAtGun(number, unit_id, other)
    for building in building_targets_of_gun(battle, unit, gun):
        yield GunAtBuilding(number, building)


GUN_FIRE: UnitActionKind = UnitActionKind(
    "gun fire",
    GunFire,
    GunAtGun,
    GunAtBuilding,
    question="gun fires at",
    rule="FBN-209",
    text="gun {gun} fires ({fire} AC)",
)


# --- indirect fire ----------------------------------------------------------------------------------------------------


def plot_points(battle: Battle, unit: Unit, gun: Gun) -> list[Point]:
    """Return points worth aiming at: one per enemy unit, in arc and in sight of an observer (FBN-224)."""
    aim_points = []
    for target in battle.enemies(unit.spec.side):
        points = dict.fromkeys([target.middle, *(man.at for man in target.figures.values())])
        visible_points = (point for point in points if may_aim_indirect(battle, unit, gun, point))
        aim_points += list(islice(visible_points, 1))
    return aim_points


def _aim_point(table: Table, battle: Battle, unit: Unit, gun: Gun, number: int) -> tuple[Point, int]:
    """Ask for a point in sight, then for a guess in inches.

    The question does not reveal the distance (FBN-006, FBN-222).
    """
    actor = f"{unit.spec.id} {number + 1}"

    def refuse(point: Point) -> str | None:
        seen = battle.field.on_table(*point) and may_aim_indirect(battle, unit, gun, point)
        return None if seen else "no observer of the gun sees that point (FBN-224)"

    point = table.place(
        unit.spec.side, plot_points(battle, unit, gun), refuse, why="aim at point", rule="FBN-222", actor=actor
    )
    least, most = guess_limits(battle, unit, gun)
    options: list[int | str] = [GUNNER, *range(max(1, least), most + 1)]
    guess = table.choose(unit.spec.side, options, why="guess the range", rule="FBN-222", actor=actor)
    if isinstance(guess, str):
        guess = gunners_guess(table, battle, unit, gun, point, actor)
    return point, guess


def gunners_guess(table: Table, battle: Battle, unit: Unit, gun: Gun, point: Point, actor: str) -> int:
    """Return the gunner's guess (FBN-225): the true inches plus a D6, minus a D6, within the limits (FBN-226)."""
    faces = battle.book.file.guess.die
    true = round(dist(gun.at, point))
    guess = true + table.roll(1, faces, why="guess long", rule="FBN-225", actor=actor, means=counts("inches too long"))
    guess -= table.roll(1, faces, why="guess short", rule="FBN-225", actor=actor, means=counts("inches too short"))
    least, most = guess_limits(battle, unit, gun)
    return min(max(guess, least, 1), most)


def _may_fire_indirect(actor: ActiveUnit, gun: Gun) -> bool:
    """Return True if indirect fire is possible.

    A mortar needs a plot from an earlier turn (FBN-227), other guns a point that an observer sees (FBN-224).
    """
    battle, unit = actor.battle, actor.unit
    if gun.kind == "trench_mortar":
        return bool(gun.plot) and gun.plot_turn < battle.turn and is_in_gun_arc(battle, gun, gun.plot_point)
    return bool(plot_points(battle, unit, gun))


def _is_indirect_possible(actor: ActiveUnit, gun: Gun) -> bool:
    """Return True if a gun fires indirectly and has the crew and AC to do so (FBN-210)."""
    return (
        gun.kind != "machine_gun"
        and may_fire_gun(actor.battle, actor.unit, gun)
        and "indirect" in fire_modes(actor.battle, gun)
    )


@final
class GunIndirect(
    UnitAction, verb="gun indirect", text="gun {number:gun}: indirect fire at a guessed range ({fire} AC)"
):
    """Indirect fire at a point and a guessed range, or at a mortar's plot (FBN-222, FBN-227)."""

    number: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        for number, gun in _guns(actor):
            if _is_indirect_possible(actor, gun) and _may_fire_indirect(actor, gun):
                yield cls(number)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        battle, unit, gun = actor.battle, actor.unit, actor.unit.guns[self.number]
        if gun.kind == "trench_mortar":
            x, y, guess, _ = gun.plot
            fire_indirect(table, battle, unit, gun, (x, y), guess, "shell")
            return
        point, inches = _aim_point(table, battle, unit, gun, self.number)
        fire_indirect(table, battle, unit, gun, point, inches, _load(table, unit, gun, self.number))

    def value(self, view: UnitView) -> Evaluation:
        """Return the value of the best point."""
        battle, unit, gun = view.battle, view.unit, view.unit.guns[self.number]
        points = [gun.plot_point] if gun.plot else plot_points(battle, unit, gun)
        worth, men_under_marker = max([round_worth(battle, unit, gun, point) for point in points], default=(0.0, 0))
        return Evaluation(ground=0.06 if worth > 0 else -0.02, reason=marker_reason(men_under_marker))


def _may_plot(actor: ActiveUnit, gun: Gun) -> bool:
    """Return True if a gun may plot a target: a mortar that has not made its plot of this turn (FBN-227)."""
    if gun.kind != "trench_mortar" or not is_manned(actor.battle, actor.unit, gun):
        return False
    return not gun.plot or gun.plot_turn < actor.battle.turn


@final
class PlotTarget(
    FixedValueUnitAction,
    verb="plot",
    text="plot a target for gun {number:gun}, to fire at in a later turn (free)",
    fixed_value=lambda book: Evaluation(ground=0.02, reason="it plots a target for next turn (FBN-227)"),
):
    """Record a mortar's target in secret, to be fired at in a later turn. A new plot starts again (FBN-227)."""

    number: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        for number, gun in _guns(actor):
            if _may_plot(actor, gun) and plot_points(actor.battle, actor.unit, gun):
                yield cls(number)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        gun = actor.unit.guns[self.number]
        point, guess = _aim_point(table, actor.battle, actor.unit, gun, self.number)
        gun.plot = (point[0], point[1], float(guess), float(actor.battle.turn))


# --- machine guns -----------------------------------------------------------------------------------------------------


def _salvo_reason(men: float) -> str:
    """Return the expected hits of a salvo, as a reason."""
    return f"it should hit {about_men(men)} and pins the others (FBN-230)"


@final
class Salvo(
    UnitAction,
    verb="salvo",
    text="fire a salvo of {shots|shot} at {target:target} ({salvo} of {ac} AC, pins)",
    odds="machine_gun",
):
    """A salvo of a machine gun at a unit (FBN-229)."""

    number: int
    target: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        return (salvo for salvo in _all_salvos(actor) if isinstance(salvo, cls))

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        gun, target = actor.unit.guns[self.number], actor.battle.unit(self.target)
        fire_salvo(table, actor.battle, actor.unit, gun, target)

    def value(self, view: UnitView) -> Evaluation:
        battle, unit = view.battle, view.unit
        target, gun = battle.units[self.target], unit.guns[self.number]
        man = first_man_salvo_can_hit(battle, unit, gun, target)
        if man is None:
            return NOTHING
        need = view.book.rules.tally("fire", gun_facts(battle, unit, gun, target, man), battle, unit, target).total
        taken = min(view.book.file.salvo.shots * hit_chance(view.book, need), float(len(target.figures)))
        reason = partial(_salvo_reason, taken)
        return Evaluation(inflicts=taken * MAN_VALUE + 0.03, reason=reason)


@final
class SalvoAtBuilding(
    UnitAction,
    verb="salvo at house",
    text="fire a salvo of {shots|shot} at {building:house} ({salvo} of {ac} AC)",
    odds="building",
):
    """A salvo of a machine gun at a building (FBN-247)."""

    number: int
    building: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        return (salvo for salvo in _all_salvos(actor) if isinstance(salvo, cls))

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        fire_salvo_at_building(table, actor.battle, actor.unit, actor.unit.guns[self.number], self.building)

    def value(self, view: UnitView) -> Evaluation:
        if self.building not in view.held:
            return _AT_EMPTY_BUILDING
        shots = amount(view.book.file.salvo.shots, "shot")
        return Evaluation(ground=0.02, reason=partial("{} at a building (FBN-247)".format, shots))


def _all_salvos(actor: ActiveUnit) -> Iterator[Salvo | SalvoAtBuilding]:
    """Yield the targets of the salvos of all machine guns."""
    for number, gun in _guns(actor):
        yield from _salvos(actor, gun, number)


def _salvos(actor: ActiveUnit, gun: Gun, number: int) -> Iterator[Salvo | SalvoAtBuilding]:
    """Yield the targets of one machine gun: units, then buildings (FBN-229, FBN-247)."""
    battle, unit = actor.battle, actor.unit
    if gun.kind != "machine_gun" or not may_salvo(battle, unit, gun):
        return
    for target in salvo_targets(battle, unit, gun):
        yield Salvo(number, target.spec.id)
    for building in salvo_building_targets(battle, unit, gun):
        yield SalvoAtBuilding(number, building)


SALVO: UnitActionKind = UnitActionKind(
    "salvo",
    Salvo,
    SalvoAtBuilding,
    question="salvo at",
    rule="FBN-229",
    text="fire a salvo of {shots|shot} with gun {gun} (pins)",
)


@final
class ClearJam(
    FixedValueUnitAction,
    verb="clear jam",
    text="clear the jam of gun {number:gun} (1 AC)",
    fixed_value=lambda book: Evaluation(ground=0.1, reason="a jammed gun cannot fire (FBN-232)"),
):
    """Clear the jam of a machine gun (FBN-232)."""

    number: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        for number, gun in _guns(actor):
            if gun.kind == "machine_gun" and may_clear(actor.battle, actor.unit, gun):
                yield cls(number)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        clear_jam(table, actor.battle, actor.unit, actor.unit.guns[self.number])


# --- turning and hauling ----------------------------------------------------------------------------------------------


@final
class GunTurn(UnitAction, verb="gun turn", text="turn gun {number:gun} by up to {degrees}° ({turn} AC)"):
    """Turn a gun (FBN-208)."""

    number: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        cost = actor.battle.book.file.gun_costs.turn
        return (cls(number) for number, gun in _guns(actor) if gun.ac >= cost)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        battle, unit, gun = actor.battle, actor.unit, actor.unit.guns[self.number]
        bearings = [int(bearing) for bearing in allowed_turns(battle, gun)]
        name = f"{unit.spec.id} {self.number + 1}"
        chosen = table.choose(unit.spec.side, bearings, why="turn gun to", rule="FBN-208", actor=name)
        turn_gun(table, battle, unit, gun, float(chosen))

    def value(self, view: UnitView) -> Evaluation:
        gun, foe = view.unit.guns[self.number], view.nearest.unit
        if foe is None:
            return Evaluation(ground=-0.02, reason="there is no enemy to turn to (FBN-208)")
        x, y = foe.middle
        off = angle_between(gun.bearing, atan2d(x - gun.x, y - gun.y))
        reason = partial("the nearest enemy is {:.0f} degrees off (FBN-208)".format, off)
        return Evaluation(ground=0.02 if off > 20 else -0.02, reason=reason)


def _may_haul(actor: ActiveUnit, gun: Gun) -> bool:
    """Return True if a gun has enough movers and a legal point to go to (FBN-207)."""
    pullers = haulers(actor.battle, actor.unit, gun)
    return pullers is not None and bool(haul_points(actor.battle, actor.unit, gun, pullers))


def _reason_against_moving(book: FbnBook) -> str:
    """Return the reason for a gun to stay: it can fire less after a move, by its AC and their prices (FBN-205)."""
    costs = book.file.gun_costs
    both = book.settings.crew_ac == "crew_sum" or costs.move + costs.fire <= costs.ac
    reason = "a move takes AC that could go on fire" if both else "the gun can move or fire, not both"
    return f"{reason} (FBN-207)"


@final
class GunMove(UnitAction, verb="gun move", text="move gun {number:gun} ({move} AC)"):
    """Haul a gun (FBN-207). This is worth its AC only if no enemy is in range and sight of the gun."""

    number: int

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        cost = actor.battle.book.file.gun_costs.move
        return (
            cls(number) for number, gun in _guns(actor) if gun.ac >= cost and not gun.moved and _may_haul(actor, gun)
        )

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        battle, unit, gun = actor.battle, actor.unit, actor.unit.guns[self.number]
        pullers = haulers(battle, unit, gun)
        assert pullers is not None, "only guns with movers are offered"
        point = table.place(
            unit.spec.side,
            haul_points(battle, unit, gun, pullers),
            lambda at: haul_refused(battle, unit, gun, pullers, at),
            why="haul to",
            rule="FBN-207",
            actor=f"{unit.spec.id} {self.number + 1}",
            cost=partial(haul_cost, battle, gun, pullers),
        )
        haul_gun(table, battle, unit, gun, pullers, point)

    def value(self, view: UnitView) -> Evaluation:
        battle, unit, gun = view.battle, view.unit, view.unit.guns[self.number]
        stays = Evaluation(ground=-0.05, reason=_reason_against_moving(view.book))
        sites, pullers = GunSites(battle, unit, gun), haulers(battle, unit, gun)
        if not view.foes or pullers is None or sites.men_seen(gun.at):
            return stays
        reach = haul_reach(battle, gun, pullers)
        nearer = [(max(0.0, away - reach), foe) for away, foe in view.foes]
        if men_in_danger(battle, unit, nearer) >= 1:
            return _COMES_UNDER_FIRE
        here = sites.value(gun.at)
        if all(sites.value(point) <= here for point in haul_points(battle, unit, gun, pullers)):
            return stays
        return Evaluation(ground=0.03, reason="no enemy is in range and sight of the gun (FBN-215)")


_COMES_UNDER_FIRE = Evaluation(ground=-0.05, reason="nearer to the enemy, its crew may be shot down")
GUN_MOVE = GunMove.verb
GUN_ACTIONS = (GunIndirect, PlotTarget, ClearJam, GunTurn, GunMove)
"""The actions of guns that need no second choice."""


def offer_gun(menu: LegalActions, actor: ActiveUnit, gun: Gun, number: int) -> None:
    """Add the legal actions of one gun to the menu.

    Its crew may turn or move it even if it is too small to fire it (FBN-206).
    """
    battle, unit, kinds = actor.battle, actor.unit, menu.kinds
    if not crew_of(battle, unit, gun):
        return
    costs = battle.book.file.gun_costs
    if gun.kind == "machine_gun":
        if may_salvo(battle, unit, gun):
            menu.offer((SALVO.verb, number), (salvo.option for salvo in _salvos(actor, gun, number)))
        if may_clear(battle, unit, gun):
            kinds.add(ClearJam(number).option)
    elif may_fire_gun(battle, unit, gun):
        menu.offer((GUN_FIRE.verb, number), (one_round.option for one_round in _rounds(actor, gun, number)))
        if "indirect" in fire_modes(battle, gun):
            kinds.add(GunIndirect(number).option, lambda: _may_fire_indirect(actor, gun))
    if _may_plot(actor, gun):
        kinds.add(PlotTarget(number).option, lambda: bool(plot_points(battle, unit, gun)))
    if gun.ac >= costs.turn:
        kinds.add(GunTurn(number).option)
    if gun.ac >= costs.move and not gun.moved:
        kinds.add(GunMove(number).option, lambda: _may_haul(actor, gun))
