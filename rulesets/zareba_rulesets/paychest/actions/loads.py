"""Picking up and dropping loads, and taking weapons (PAY-022, PAY-023, PAY-073, PAY-078)."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from math import sqrt
from typing import NamedTuple, Self, final

from zareba.actions import Action, ActionTable, SimpleAction
from zareba.base.exact import dist
from zareba.base.grammar import amount, percent
from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba.space.geometry import box_around
from zareba.table import Option, Table
from zareba_rulesets.paychest.actions.wording import FORMATS
from zareba_rulesets.paychest.chapters.fire import ready_weapon
from zareba_rulesets.paychest.chapters.marching import drop, pick_up, take_weapon, use_rest_of_move
from zareba_rulesets.paychest.chapters.sight import base_of
from zareba_rulesets.paychest.forces.battle import Battle, bearers_of, is_burdened, is_heavy
from zareba_rulesets.paychest.forces.units import Box, Figure, Thing, Unit


class LoadView(NamedTuple):
    """A unit that may handle loads, as an AI player sees it."""

    battle: Battle
    unit: Unit

    def points(self, load: str) -> float | None:
        """Return the points of an object that an objective makes the side carry off, or None for other loads."""
        carried = self.battle.things.get(load)
        if carried is None:
            return None
        objective = next((g for g in self.battle.objectives if g.thing == carried.goal and g.kind == "carry_off"), None)
        return objective.points if objective is not None and self.unit.spec.side in objective.sides else None


class LoadingUnit:
    """A unit whose figures may handle loads, before or after its march.

    `left` holds the inches that each figure has left. `busy` figures have handled something, and `held` are the loads
    that a figure has just picked up and may still drop.
    """

    def __init__(self, battle: Battle, unit: Unit, left: dict[str, float], *, before: bool) -> None:
        self.battle, self.unit, self.left, self.before = battle, unit, left, before
        self.busy: set[str] = set()
        self.held: set[tuple[str, str]] = set()

    def is_open(self, action: LoadAction) -> bool:
        """Return True if a figure may still do this: once each, but one that has picked something up may drop it."""
        if action.figure not in self.busy:
            return True
        return isinstance(action, Drop) and (action.figure, action.load) in self.held

    def go_on(self, table: Table, figure: Figure, load: str, share: float) -> None:
        """Let a figure use a share of the rest of its move, unless others bear the load with it (PAY-073)."""
        battle, key = self.battle, figure.spec.id
        if not self.before and bearers_of(battle, self.unit.spec.side, load) in ([], [figure]):
            self.left[key] = use_rest_of_move(table, battle, self.unit, figure, self.left.get(key, 0.0) * share)


def handle(table: Table, battle: Battle, unit: Unit, left: dict[str, float], *, before: bool) -> None:
    """Let figures pick up and drop loads before and after the march, and take weapons after it (PAY-023, PAY-073).

    `left` holds the remaining allowance of each figure. After picking up a heavy load a figure may move on with half
    of it, after dropping one with the full rest, unless it is in contact and so stops (PAY-071). A figure that shares
    a load with another bearer does not move on alone. Each figure handles one thing at a time. One that has picked
    something up and can still move may drop it again.
    """
    actor, actions = LoadingUnit(battle, unit, left, before=before), LOAD_ACTIONS.for_session(battle.book.rules)
    open_to = _reachable(actor)
    while open_to or actions.house_actions:
        options: list[Option] = [DONE.verb, *[action.option for action in open_to]]
        options += actions.house_options(actor, battle)
        if len(options) == 1:
            return
        chosen = table.choose(unit.spec.side, options, why="handle", rule="PAY-073", actor=unit.spec.id)
        if chosen == DONE.verb:
            return
        action = actions.action_of(chosen)
        assert action is not None, "only actions of the table are offered"
        actions.perform(action, table, actor)
        if isinstance(action, Take):
            open_to = [other for other in open_to if other.figure not in actor.busy and not action.rules_out(other)]
        else:
            open_to = [other for other in _reachable(actor) if actor.is_open(other)]


# --- actions --------------------------------------------------------------------------------------------------------


class LoadAction(Action[LoadingUnit, LoadView], verb="", text=""):
    """An action of one figure with a load or a weapon."""

    figure: str

    @classmethod
    def options(cls, actor: LoadingUnit) -> Iterator[Self]:
        for action in _reachable(actor):
            if isinstance(action, cls):
                yield action


@final
class Drop(LoadAction, verb="drop", text="{figure:name} drops {load:name}"):
    """Put a load down (PAY-073)."""

    load: str

    def perform(self, table: Table, actor: LoadingUnit) -> None:
        battle, figure = actor.battle, actor.battle.figure(self.figure)
        actor.busy.add(self.figure)
        share = 1.0 / battle.book.file.halved_by_load.times if is_heavy(battle, self.load) else 1.0
        drop(table, battle, figure, self.load)
        actor.go_on(table, figure, self.load, share)

    def value(self, view: LoadView) -> Evaluation:
        points = view.points(self.load)
        return Evaluation(ground=0.2 if points is None else -1.0, reason=_use_of(view, points))


@final
class PickUp(LoadAction, verb="pick up", text="{figure:name} {action:lifts}"):
    """Take up a thing, a mount or a figure, or take hold of a load that another bears (PAY-073, PAY-078)."""

    load: str

    def perform(self, table: Table, actor: LoadingUnit) -> None:
        battle, figure = actor.battle, actor.battle.figure(self.figure)
        actor.busy.add(self.figure)
        pick_up(table, battle, figure, self.load)
        actor.go_on(
            table, figure, self.load, battle.book.file.halved_by_load.times if is_heavy(battle, self.load) else 1.0
        )
        if not actor.before and actor.left.get(self.figure, 0.0) > battle.book.contact:
            actor.held.add((self.figure, self.load))

    def value(self, view: LoadView) -> Evaluation:
        thing, points = view.battle.things.get(self.load), view.points(self.load)
        if thing is not None and thing.carrier:
            return Evaluation(ground=-0.2, reason="another bearer makes the load no faster (PAY-073)")
        return Evaluation(ground=-0.2 if points is None else 1.0, reason=_use_of(view, points))


@final
class Take(LoadAction, verb="take", text="{figure:name} takes the {weapon:name}"):
    """Take a weapon from the ground or from a figure out of action (PAY-022, PAY-023)."""

    source: str
    weapon: str

    def perform(self, table: Table, actor: LoadingUnit) -> None:
        actor.busy.add(self.figure)
        take_weapon(table, actor.battle, actor.battle.figure(self.figure), self.source, self.weapon)

    def rules_out(self, other: LoadAction) -> bool:
        """Return True if another action is no longer legal because this weapon is gone."""
        return isinstance(other, Take) and (other.source, other.weapon) == (self.source, self.weapon)

    def value(self, view: LoadView) -> Evaluation:
        book = view.battle.book
        is_better = not ready_weapon(book, view.battle.figure(self.figure)) and self.weapon in book.ranges
        reach = book.ranges.get(self.weapon, 0.0)
        use = f"reaches {amount(round(reach), 'inch', 'inches')}" if reach else "is for hand-to-hand fighting"
        reason = f"a {self.weapon.replace('_', ' ')} {use} (PAY-023)"
        return Evaluation(inflicts=0.05 if is_better else -0.05, reason=reason)


def _use_of(view: LoadView, points: float | None) -> str:
    """Return what a load is good for, or what it costs its bearer (PAY-072)."""
    if points is not None:
        return f"worth {amount(points, 'point')}"
    return f"a load leaves its bearer {percent(view.battle.book.file.halved_by_load.times)} of his move (PAY-072)"


DONE: SimpleAction[LoadingUnit, LoadView] = SimpleAction(
    "done",
    "nothing more",
    is_legal=lambda actor: True,
    effect=lambda table, actor: None,
    evaluation=lambda view: Evaluation(reason="no load is worth the trouble"),
)

LOAD_ACTIONS: ActionTable[LoadingUnit, LoadView] = ActionTable("handle", DONE, Drop, PickUp, Take, formats=FORMATS)


# --- what is within reach -------------------------------------------------------------------------------------------


def _reachable(actor: LoadingUnit) -> list[LoadAction]:
    """Return what the unit's figures may handle: loads they hold, and things and figures they touch."""
    battle, unit, before = actor.battle, actor.unit, actor.before
    actions: list[LoadAction] = [
        Drop(key, load)
        for key, figure in unit.figures.items()
        if figure.loads and figure.able
        for load in figure.loads
        if load not in battle.things or battle.things[load].kind != "weapon"
    ]
    foot, mounted = battle.book.bases["foot"], battle.book.bases["mounted"]
    spots: list[tuple[float, float, float, tuple[str, Thing] | Figure]] = [
        (*at, mounted if thing.kind == "mount" else 0.0, (thing_id, thing))
        for thing_id, thing, at in battle.things_near(_about(unit), weapons=not before)
    ]
    spots += _fallen_near(battle, unit, own=before)
    spots += _borne_near(battle, unit)
    covered = _covered_near(battle, unit, weapons=not before)
    if not spots and not covered:
        return actions
    order = sorted(range(len(spots)), key=lambda index: spots[index][0])
    from_west = [spots[index][0] for index in order]
    contact = battle.book.contact
    for figure in unit.able:
        assert figure.at is not None, "able figures are on the table"
        if figure.aboard and base_of(battle, figure) is None:  # in the air
            continue
        (ax, ay), touch = figure.at, (mounted if figure.mount else foot) + contact
        first = bisect_left(from_west, ax - mounted - touch)
        last = bisect_right(from_west, ax + mounted + touch, first)
        near = []
        for index in sorted(order[first:last]) if first < last else ():
            x, y, radius, thing = spots[index]
            across, along, reach = ax - x, ay - y, touch + radius
            if -reach <= along <= reach and sqrt(across * across + along * along) <= reach:
                near.append(thing)
        for at, radius, things in covered:
            if dist((ax, ay), at) <= touch + radius:
                near += [thing for thing in things if thing not in near]
        if near and not figure.has_no_arms:
            actions += _with_bodies_near(battle, figure, near, before)
    return actions


def _with_bodies_near(
    battle: Battle, figure: Figure, near: Sequence[tuple[str, Thing] | Figure], before: bool
) -> Iterator[LoadAction]:
    """Yield what one figure may do with the things and figures it touches."""
    key, side = figure.spec.id, battle.side_of(figure)
    may_lift = figure.can_walk and not figure.aboard and not is_burdened(battle, figure)
    for body in near:
        if isinstance(body, tuple):
            thing_id, thing = body
            if thing.kind == "weapon":
                if thing.name not in figure.weapons:
                    yield Take(key, thing_id, thing.name)
            elif may_lift and _has_room(battle, figure, thing):
                yield PickUp(key, thing_id)
            continue
        if body is figure:
            continue
        if may_lift and not figure.mount and battle.side_of(body) == side and body.spec.id not in figure.loads:
            yield PickUp(key, body.spec.id)
        if not before and body.fate != "able":
            for weapon in body.weapons:
                if weapon not in figure.weapons:
                    yield Take(key, body.spec.id, weapon)


def _fallen_near(battle: Battle, unit: Unit, *, own: bool) -> list[tuple[float, float, float, Figure]]:
    """Return figures near a unit that are out of action or cannot walk (PAY-073), with their position and base radius.

    With `own` only figures of the unit's own side are returned.
    """
    west, south, east, north = _about(unit)
    foot, mounted, side = battle.book.bases["foot"], battle.book.bases["mounted"], unit.spec.side
    nearby = []
    for other in battle.units.values():
        if not own or other.spec.side == side:
            for figure in other.positions.fallen:
                at = figure.at
                if at is not None and west <= at[0] <= east and south <= at[1] <= north:
                    nearby.append((*at, mounted if figure.mount else foot, figure))
    return nearby


def _borne_near(battle: Battle, unit: Unit) -> Iterator[tuple[float, float, float, tuple[str, Thing]]]:
    """Yield heavy things that friends near a unit hold: more figures may take hold of them (PAY-073)."""
    west, south, east, north = _about(unit)
    for friends in battle.side_units(unit.spec.side):
        left, low, right, high = friends.box
        for figure in friends.able if left <= east and right >= west and low <= north and high >= south else ():
            at = figure.at
            if figure.loads and at is not None and west <= at[0] <= east and south <= at[1] <= north:
                for load in figure.loads:
                    thing = battle.things.get(load)
                    if thing is not None and thing.heavy and thing.carrier == figure.spec.id and not figure.aboard:
                        yield *at, battle.radius(figure), (load, thing)


def _covered_near(battle: Battle, unit: Unit, *, weapons: bool) -> list[tuple[Point, float, list[tuple[str, Thing]]]]:
    """Return the things under guns and conveyances near a unit. A figure that touches an engine reaches what lies under
    it.
    """
    covered = []
    west, south, east, north = _about(unit)
    for engine in battle.engines.values():
        at = engine.at
        if at is None or engine.altitude or engine.carrier:
            continue
        radius = battle.engine_radius(engine)
        if west - radius <= at[0] <= east + radius and south - radius <= at[1] <= north + radius:
            things_on_ground = battle.things_near(box_around(at, radius), weapons=weapons)
            things = [(key, thing) for key, thing, position in things_on_ground if dist(position, at) <= radius]
            if things:
                covered.append((at, radius, things))
    return covered


def _about(unit: Unit) -> Box:
    """Return the rectangle that contains all a unit may touch."""
    west, south, east, north = unit.box
    return west - 2.0, south - 2.0, east + 2.0, north + 2.0


def _has_room(battle: Battle, figure: Figure, thing: Thing) -> bool:
    """Return True if the figure can take the thing: it leads at most two loose mounts (PAY-078).

    Heavy loads (PAY-073) are checked by the caller.
    """
    if thing.kind != "mount":
        return True
    led = sum(battle.things[load].kind == "mount" for load in figure.loads if load in battle.things)
    return led < battle.book.file.mounts_led.most and not figure.mount
