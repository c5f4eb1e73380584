"""The fire step of a unit: volleys, shots of leaders, gunfire and jams to clear (PAY-092 to PAY-104, PAY-176,
PAY-178).
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from functools import partial
from typing import Any, NamedTuple, Self, final

from zareba.actions import Action, ActionTable, RulesValue, SimpleAction
from zareba.base.exact import dist
from zareba.base.grammar import amount, percent
from zareba.base.speedups import cached_attribute
from zareba.battle.legal_actions import LegalActions
from zareba.plugins.ruleset import Evaluation
from zareba.space import Point
from zareba.space.geometry import middle_of
from zareba.space.lazy import Lazy, LazyBetween
from zareba.table import Option, Table
from zareba_rulesets.paychest.actions.wording import FORMATS
from zareba_rulesets.paychest.chapters.fire import (
    Firer,
    front_of,
    has_single_target,
    lay_stretch,
    may_fire,
    ready_weapon,
    volley,
    why_no_target,
    widest_front,
)
from zareba_rulesets.paychest.chapters.guns import (
    GunTarget,
    choose_servers,
    gun_groups,
    gun_places,
    gun_shot,
    gun_stretch,
    is_ready,
    men_along,
    note_service,
    servers,
    stretch_name,
    units_in_gun_reach,
)
from zareba_rulesets.paychest.chapters.targets import (
    HOLD,
    STRETCH,
    Targets,
    gun_refusal,
    has_gun_target,
    has_target,
    leader_targets,
    places_to_aim_at,
    readiness,
    volley_group,
)
from zareba_rulesets.paychest.estimates import arms_of, is_clear, reach
from zareba_rulesets.paychest.forces.battle import Battle, gun_limit
from zareba_rulesets.paychest.forces.units import Figure, Unit

_GOOD_SHOT = 3
"""The Firearms Skill from which leaders aim at the enemy's leader instead of joining the volley."""


class FiringUnit:
    """A unit in its fire step, with those who may fire now."""

    def __init__(self, battle: Battle, unit: Unit) -> None:
        self.battle, self.unit = battle, unit
        self.group, self.line, self.leaders, self.joining = readiness(battle, unit)

    @cached_attribute
    def has_target(self) -> bool:
        """True if there is a target for a volley."""
        return self.line is not None and has_target(self.battle, self.unit, self.line)


class FireView(NamedTuple):
    """A unit in its fire step, as an AI player sees it."""

    battle: Battle
    unit: Unit


def fire_step(table: Table, battle: Battle, unit: Unit) -> None:
    """Run volleys, leaders' shots and guns in the owner's order, resolving each before the next (PAY-104).

    Second shots belong to the same step (PAY-100). Only the phasing unit fires (PAY-062). The step may be passed
    (PAY-061).
    """
    actions = FIRE_ACTIONS.for_session(battle.book.rules)
    while True:
        actor = FiringUnit(battle, unit)
        menu = LegalActions(battle, unit)
        DONE.offer(menu, actor)
        if actor.line is not None:
            _VOLLEY.offer(menu, actor)
            if actor.joining:
                _WITH_LEADERS.offer(menu, actor)
            if len(actor.group) + len(actor.joining) > 1:
                PICKED.offer(menu, actor)
        for action in (LeaderFires, GunFires, Unjam):
            action.offer(menu, actor)
        actions.offer_house_actions(menu, actor, battle)
        if not menu.kinds.has_several():
            return
        chosen = table.choose(unit.spec.side, menu.kinds, why="fire", rule="PAY-104", actor=unit.spec.id)
        if chosen == DONE.verb:
            return
        found = actions.action_of(chosen)
        assert found is not None, "only actions of the table are offered"
        actions.perform(found, table, actor)


# --- volleys --------------------------------------------------------------------------------------------------------


def _volley(table: Table, actor: FiringUnit, firers: Sequence[Firer], *, has_picked_firers: bool = True) -> None:
    """Let the owner choose a target for some figures, and fire at it.

    `has_picked_firers` is False if the whole group fires and no other figure does. The question then does not name the
    firers.
    """
    battle, unit = actor.battle, actor.unit
    choices = Targets(battle, unit, firers, None if has_picked_firers else actor.line)
    options = choices.options()
    firer_ids = tuple(firer.figure.spec.id for firer in firers) if has_picked_firers else ()
    aimed = table.choose(unit.spec.side, options, why="volley at", rule="PAY-094", actor=unit.spec.id, about=firer_ids)
    if aimed == HOLD:
        _hold_fire(firers)
        return
    target_ranges = None
    if isinstance(aimed, tuple):
        targets, name = choices.group(aimed), str(aimed[0])
        described = name
    else:
        place = choices.last_stretch
        if place is None:
            in_reach = choices.in_reach()
            along = [figure for figures in in_reach.values() for figure in figures]
            place = lay_stretch(
                table,
                unit.spec.side,
                unit.spec.id,
                _middle_of([firer.figure for firer in firers]),
                places_to_aim_at(battle, in_reach),
                lambda middle: front_of(battle, firers, middle),
                lambda a: why_no_target(battle, along, widest_front(battle, firers), a),
                choices.refusal,
            )
        targets, target_ranges = choices.figures_along[place], choices.ranges_by_stretch.get(place)
        name = "stretch " + " ".join(repr(number) for point in place for number in point)
        described = stretch_name(*place)
    unit.shot_at = name
    unit.aimed += tuple((f.figure.spec.id, name) for f in firers if battle.is_leader(f.figure))
    shots = [firer.figure.shots for firer in firers]
    volley(table, battle, unit, firers, targets, described, target_ranges)
    unit.volleys += 1
    if shots == [firer.figure.shots for firer in firers]:  # no firer could see the target (PAY-113): do not ask again
        unit.volleys -= 1
        _hold_fire(firers)


def _volley_of_picked_men(table: Table, actor: FiringUnit) -> None:
    """Ask the owner for each figure whether it fires, then fire a volley with those that do."""
    side = actor.unit.spec.side
    firers = [
        firer
        for firer in (*actor.group, *actor.joining)
        if table.confirm(side, why="fires", rule="PAY-094", actor=firer.figure.spec.id)
    ]
    if firers:
        _volley(table, actor, firers)
    else:
        _hold_fire(actor.group)


def _hold_fire(firers: Sequence[Firer]) -> None:
    """Mark figures as holding their fire in this activation."""
    for firer in firers:
        firer.figure.mark("held")


def _middle_of(figures: Sequence[Figure]) -> Point:
    """Return the mean position of some figures on the table."""
    spots = [figure.at for figure in figures if figure.at is not None]
    return middle_of(spots)


def _firing_men_reason(view: FireView) -> str:
    """Return the number of men who can fire, as a reason."""
    return f"{amount(sum(arms_of(view.battle, view.unit).values()), 'man', 'men')} can fire"


def _worth_of_leaders(view: FireView) -> Evaluation:
    """Return the value of a volley with the leaders. With an enemy leader in range and sight they aim at him first."""
    if _may_shake(view.battle, view.unit):
        chance = view.battle.book.disabling_share * view.battle.book.leader_loss_fails
        return Evaluation(inflicts=0.1, reason=f"aim at the enemy leader: {percent(chance)} of the hits shake his unit")
    return Evaluation(inflicts=0.31, reason=partial(_firing_men_reason, view))


def _may_shake(battle: Battle, unit: Unit) -> bool:
    """Return True if a good shot among the unit's leaders has an enemy leader in range and sight (PAY-092, PAY-128)."""
    book, field = battle.book, battle.field
    shots = [
        (figure.at, reach(battle, weapon))
        for figure in unit.able
        if figure.rank in book.leader_ranks and figure.spec.firearms >= _GOOD_SHOT
        if figure.at is not None and (weapon := ready_weapon(book, figure))
    ]
    if not shots:
        return False
    for enemy in battle.enemies(unit.spec.side):
        leader = enemy.figures.get(enemy.leader)
        if leader is None or leader.at is None or enemy.spec.single or enemy.rout or not leader.able:
            continue
        if "down" in leader.marks:
            continue
        if any(dist(at, leader.at) <= far and is_clear(field, at, leader.at) for at, far in shots):
            return True
    return False


DONE: SimpleAction[FiringUnit, FireView] = SimpleAction(
    "done",
    "no more fire",
    is_legal=lambda actor: True,
    effect=lambda table, actor: None,
    evaluation=RulesValue(lambda book: Evaluation(reason="nothing left is worth firing")),
)
_VOLLEY: SimpleAction[FiringUnit, FireView] = SimpleAction(
    "volley",
    "volley",
    is_legal=lambda actor: actor.has_target,
    effect=lambda table, actor: _volley(table, actor, actor.group, has_picked_firers=False),
    evaluation=lambda view: Evaluation(inflicts=0.3, reason=partial(_firing_men_reason, view)),
    lazy=True,
)
_WITH_LEADERS: SimpleAction[FiringUnit, FireView] = SimpleAction(
    "volley with leaders",
    "volley with leaders",
    is_legal=lambda actor: actor.has_target,
    effect=lambda table, actor: _volley(table, actor, [*actor.group, *actor.joining]),
    evaluation=_worth_of_leaders,
    lazy=True,
)
PICKED: SimpleAction[FiringUnit, FireView] = SimpleAction(
    "volley of picked men",
    "volley of picked men",
    is_legal=lambda actor: actor.has_target,
    effect=_volley_of_picked_men,
    evaluation=lambda view: Evaluation(
        suffers=1.0, reason=f"not all of the {amount(len(view.unit.able), 'man', 'men')} would fire"
    ),
    lazy=True,
)


# --- leaders --------------------------------------------------------------------------------------------------------


@final
class LeaderFires(Action[FiringUnit, FireView], verb="leader", text="{man:name} fires"):
    """Let a leader figure fire at any single figure in range (PAY-092): first choose the unit, then the figure."""

    man: str

    @classmethod
    def options(cls, actor: FiringUnit) -> Iterator[Self]:
        for key, firer in actor.leaders.items():
            if "held" not in firer.figure.marks and has_single_target(actor.battle, actor.unit, firer):
                yield cls(key)

    @classmethod
    def offer(cls, menu: LegalActions, actor: FiringUnit) -> None:
        for key, firer in actor.leaders.items():
            if "held" not in firer.figure.marks:
                menu.kinds.add(cls(key).option, partial(has_single_target, actor.battle, actor.unit, firer))

    def perform(self, table: Table, actor: FiringUnit) -> None:
        battle, unit, firer = actor.battle, actor.unit, actor.leaders[self.man]
        side = unit.spec.side
        options, targets = leader_targets(battle, unit, firer)
        at = table.choose(side, options, why="fire at unit", rule="PAY-092", actor=self.man)
        if at == HOLD:
            firer.figure.mark("held")
            return
        unit.aimed = (*unit.aimed, (self.man, str(at)))
        names = {figure.spec.id: figure for figure in targets[str(at)]}
        name = table.choose(side, list(names), why="fire at", rule="PAY-092", actor=self.man, about=(at,))
        volley(table, battle, unit, [firer], [names[name]], name)

    def value(self, view: FireView) -> Evaluation:
        return Evaluation(inflicts=0.2, reason="he chooses his target after the other shots (PAY-092)")


# --- guns -----------------------------------------------------------------------------------------------------------


@final
class GunFires(Action[FiringUnit, FireView], verb="gun", text="fire {gun:engine}"):
    """Fire a gun or machine gun at a group, or at a stretch of up to 4 inches (PAY-178, PAY-179)."""

    gun: str

    @classmethod
    def options(cls, actor: FiringUnit) -> Iterator[Self]:
        for key in cls._ready_guns(actor):
            if has_gun_target(actor.battle, actor.battle.engines[key]):
                yield cls(key)

    @classmethod
    def offer(cls, menu: LegalActions, actor: FiringUnit) -> None:
        for key in cls._ready_guns(actor):
            menu.kinds.add(cls(key).option, partial(has_gun_target, actor.battle, actor.battle.engines[key]))

    @staticmethod
    def _ready_guns(actor: FiringUnit) -> list[str]:
        """Return the guns of a unit that can fire now."""
        battle = actor.battle
        return (
            [key for key in battle.guns_of(actor.unit) if is_ready(battle, battle.engines[key])]
            if battle.engines
            else []
        )

    def perform(self, table: Table, actor: FiringUnit) -> None:
        battle, side, key = actor.battle, actor.unit.spec.side, self.gun
        engine = battle.engines[key]
        in_reach = units_in_gun_reach(battle, engine)
        groups = gun_groups(battle, engine, in_reach)
        places = places_to_aim_at(battle, gun_places(battle, engine, in_reach))
        options: list[Option] = [*groups, *([STRETCH] if places else []), HOLD]
        aimed = table.choose(side, options, why="gun at", rule="PAY-178", actor=key)
        if aimed == HOLD:
            battle.engines.change(key).shots = gun_limit(battle, engine)
            return
        if isinstance(aimed, tuple):
            gun_shot(table, battle, key, groups[aimed])
            return
        width = float(battle.book.file.gun_stretch.inches)

        def refuse_start(a: Point) -> str | None:
            return why_no_target(battle, along, width, a)

        targets: Lazy[tuple[Point, Point], GunTarget] = LazyBetween(
            lambda a, b: gun_stretch(battle, engine, a, b, in_reach)
        )

        def reason_to_refuse(a: Point, b: Point) -> str | None:
            return gun_refusal(battle, targets[a, b], width, a, b)

        along = men_along(in_reach)
        start = _middle_of(servers(battle, engine))
        place = lay_stretch(table, side, key, start, places, lambda _: width, refuse_start, reason_to_refuse)
        gun_shot(table, battle, key, targets[place])

    def value(self, view: FireView) -> Evaluation:
        return Evaluation(inflicts=0.6, reason="guns fire first")


@final
class Unjam(Action[FiringUnit, FireView], verb="unjam", text="clear {gun:engine} (uses one shot)"):
    """Clear a jam for one of the crew's shots, with `jam_clear` one_shot (PAY-176).

    The crew then counts as serving the gun (PAY-178).
    """

    gun: str

    @classmethod
    def options(cls, actor: FiringUnit) -> Iterator[Self]:
        battle = actor.battle
        if battle.engines and battle.book.settings.jam_clear == "one_shot":
            for key in battle.guns_of(actor.unit):
                engine = battle.engines[key]
                if engine.jammed and not engine.shots and gun_limit(battle, engine) > 1 and servers(battle, engine):
                    yield cls(key)

    def perform(self, table: Table, actor: FiringUnit) -> None:
        battle, key = actor.battle, self.gun
        engine = battle.engines.change(key)
        note_service(battle, key, choose_servers(table, battle, engine, key))
        engine.jammed = False
        engine.shots += 1
        table.emit("jam cleared", "PAY-176", gun=key, unit=engine.unit)

    def value(self, view: FireView) -> Evaluation:
        return Evaluation(inflicts=0.4, reason="a jammed gun cannot fire (PAY-176)")


FIRE_ACTIONS: ActionTable[FiringUnit, FireView] = ActionTable(
    "fire", DONE, _VOLLEY, _WITH_LEADERS, PICKED, LeaderFires, GunFires, Unjam, formats=FORMATS
)


# --- the odds of a target -----------------------------------------------------------------------------------------


def fire_at_group(table: Table, battle: Battle, name: str, option: tuple[Any, ...], firer_ids: Collection[str]) -> None:
    """Fire a volley of a unit at a group: an option of the question "volley at"."""
    unit = battle.change(name)
    firers, targets = volley_group(battle, unit, option, firer_ids)
    volley(table, battle, unit, firers, targets, str(option[0]))


def fire_at_man(table: Table, battle: Battle, man: str, target: str) -> None:
    """Fire a leader's shot at a figure: an option of the question "fire at"."""
    unit = battle.change(battle.figure(man).spec.unit)
    firers = [firer for firer in may_fire(battle, unit) if firer.figure.spec.id == man]
    volley(table, battle, unit, firers, [battle.figure(target)], target)


def fire_gun_at(table: Table, battle: Battle, gun: str, option: tuple[Any, ...]) -> None:
    """Fire a gun at a group: an option of the question "gun at"."""
    gun_shot(table, battle, gun, gun_groups(battle, battle.engines[gun])[option[0], option[1]])
