"""Actions that change how men stand: formation, facing, lying down, mounting; and the voluntary glory check.

Rules: FBN-034, FBN-035, FBN-036, FBN-049, FBN-052, FBN-053, FBN-186.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import NamedTuple, Self, final

from zareba.actions import RulesValue
from zareba.base.exact import total
from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation, about_men
from zareba.battle.legal_actions import LegalActions
from zareba.rules import procedure
from zareba.space.outlines import WINDS, bearing_of
from zareba.table import Table
from zareba_rulesets.fixed_baynet.actions.actor import (
    AS_A_UNIT,
    ActiveMan,
    ActiveUnit,
    FixedValueUnitAction,
    SimpleManAction,
    SimpleUnitAction,
    UnitActionKind,
)
from zareba_rulesets.fixed_baynet.actions.wording import share
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.cavalry import dismount, leave_square, may_dismount, may_mount, mount
from zareba_rulesets.fixed_baynet.chapters.contact import men_held, men_in_contact
from zareba_rulesets.fixed_baynet.chapters.morale import may_check, voluntary_check
from zareba_rulesets.fixed_baynet.chapters.movement import get_up, go_prone, may_get_up, may_lie_down, settle_contacts
from zareba_rulesets.fixed_baynet.chapters.setting_up import fitting_ranks
from zareba_rulesets.fixed_baynet.estimates import MAN_VALUE, UnitView, far_off, is_melee
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import (
    allowed_formations,
    is_formed,
    is_layout_formed,
    may_form,
    note_gaps,
    square_facing,
)
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

# --- formations -------------------------------------------------------------------------------------------------------


@final
class ChangeFormation(
    FixedValueUnitAction,
    verb="form",
    text="form {formation:formation} (1 AC each)",
    fixed_value=lambda book: Evaluation(
        ground=-0.03, reason="a change of formation costs each man an action (FBN-035)"
    ),
):
    """Change formation (FBN-035)."""

    formation: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        unit = actor.unit
        formed = "" if "unformed" in unit.marks else unit.formation
        for name in allowed_formations(actor.battle, unit):
            if name != formed:
                yield cls(name)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        change_formation(table, actor.battle, actor.unit, self.formation)


FORM: UnitActionKind = UnitActionKind(
    "form", ChangeFormation, question="form what", rule="FBN-035", text="change formation (1 AC each)"
)


@procedure("formation.change")
def change_formation(table: Table, battle: Battle, unit: Unit, name: str) -> None:
    """Change formation for 1 AC per man (FBN-035).

    Men who are able to move take up the new formation around their middle, or as near as there is room. Men who may
    not leave contact stay where they are (FBN-051). If only a charge makes contact, no man may come into contact
    (FBN-270).
    """
    held, touching = men_held(battle, unit), men_in_contact(battle, unit)
    men = {key: man for key, man in unit.figures.items() if man.able and not man.place}
    for man in men.values():
        man.ac -= 1
    movable, ranks = {key: man for key, man in men.items() if not man.prone and key not in held}, None
    if movable:
        count, facing = len(movable), next(iter(movable.values())).facing
        x, y = total(man.x for man in movable.values()) / count, total(man.y for man in movable.values()) / count
        radius = max(battle.radius(man) for man in movable.values())
        cautious_side = unit.spec.side if battle.book.settings.contact_needs_charge else ""
        spots, ranks = fitting_ranks(battle, movable, (x, y), name, facing, radius, cautious_side)
        for man, spot in zip(movable.values(), spots, strict=True):
            battle.put(man, *spot)
            man.facing = square_facing((x, y), spot) if name == "square" else facing
        unit.measure()
    unit.formation = name
    unit.unmark("unformed")
    if not (ranks is not None and _all_in_ranks(battle, unit, movable, ranks)) and not is_formed(battle, unit):
        unit.mark("unformed")
    table.emit("formation", "FBN-035", unit=unit.spec.id, formation=name)
    settle_contacts(table, battle, unit, [man for key, man in movable.items() if key not in touching])


def _all_in_ranks(battle: Battle, unit: Unit, men: Mapping[str, Figure], ranks: int) -> bool:
    """Return True if a unit just formed up in ranks needs no measuring: every man who counts is in them (FBN-272)."""
    on_foot = {not man.mounted for man in men.values()}
    if len(on_foot) > 1 or any(
        not man.reaction and not man.place and key not in men and "prone" not in man.marks
        for key, man in unit.figures.items()
    ):
        return False
    return is_layout_formed(battle, unit.formation, len(men), ranks, False in on_foot)


# --- posture ----------------------------------------------------------------------------------------------------------


class Posture(NamedTuple):
    """Lying down, getting up, mounting or dismounting, by all men of a unit who may or by one man (FBN-052, FBN-186).

    `may` returns True if a man may do it, and `does` carries it out with some men. `event` and `rule` are those of the
    event that reports it.
    """

    may: Callable[[Battle, Unit, Figure], bool]
    does: Callable[[Battle, Unit, Sequence[Figure]], None]
    event: str
    rule: str

    def together(self, table: Table, actor: ActiveUnit) -> None:
        """Carry it out with all men of a unit who may."""
        battle, unit = actor.battle, actor.unit
        men = [figure for figure in unit.figures.values() if figure.able and self.may(battle, unit, figure)]
        self.does(battle, unit, men)
        table.emit(self.event, self.rule, unit=unit.spec.id, men=len(men), of=len(unit.figures))

    def alone(self, table: Table, actor: ActiveMan) -> None:
        """Carry it out with one man."""
        self.does(actor.battle, actor.unit, [actor.man])
        table.emit(self.event, self.rule, unit=actor.man.spec.id, men=1, of=1)

    def one_man_may(self, actor: ActiveMan) -> bool:
        """Return True if one man may do it."""
        return self.may(actor.battle, actor.unit, actor.man)


def _lie_down(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    """Make some men lie down for 1 AC each (FBN-052)."""
    for figure in men:
        go_prone(battle, figure)


def _get_up(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    """Get some men up for 1 AC each (FBN-053). They count for the formation again (FBN-272)."""
    for figure in men:
        get_up(figure)
    note_gaps(battle, unit)


def _dismount(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    """Dismount some riders for 1 AC each (FBN-186)."""
    for figure in men:
        dismount(figure)
    unit.mark("loose")  # bases are smaller on foot: test the formation (FBN-064)


def _mount(battle: Battle, unit: Unit, men: Sequence[Figure]) -> None:
    """Mount some men for 1 AC each (FBN-186). Riders cannot be in square (FBN-185)."""
    for figure in men:
        mount(battle, figure)
    unit.measure()
    leave_square(unit)
    unit.mark("loose")


_LYING_DOWN = Posture(lambda battle, unit, man: may_lie_down(man), _lie_down, "lies down", "FBN-052")
_GETTING_UP = Posture(may_get_up, _get_up, "gets up", "FBN-053")
_DISMOUNTING = Posture(lambda battle, unit, man: may_dismount(man), _dismount, "dismounts", "FBN-186")
_MOUNTING = Posture(lambda battle, unit, man: may_mount(battle, man), _mount, "mounts", "FBN-186")


def _may_lie_down(actor: ActiveUnit) -> bool:
    """Return True if a man of the unit may lie down (FBN-052, FBN-244)."""
    able = actor.able
    return able.standing and not able.indoors and (not able.crossed or any(may_lie_down(man) for man in able.men))


def _may_get_up(actor: ActiveUnit) -> bool:
    """Return True if a man of the unit may get up (FBN-053)."""
    able = actor.able
    return able.lying > 0 and any(may_get_up(actor.battle, actor.unit, man) for man in able.men)


def _may_dismount(actor: ActiveUnit) -> bool:
    """Return True if a rider of the unit may dismount (FBN-186)."""
    return actor.able.riders > 0 and any(may_dismount(man) for man in actor.able.men)


def _may_mount(actor: ActiveUnit) -> bool:
    """Return True if a man of the unit stands beside his horse and may mount (FBN-186)."""
    return actor.able.got_down and any(may_mount(actor.battle, man) for man in actor.able.men)


def _in_danger(men: float) -> str:
    """Return the number of men in danger, as a reason."""
    return f"{about_men(men)} in danger; prone men cannot be targeted (FBN-052)"


def _value_of_lying_down(view: UnitView) -> Evaluation:
    """Return the value of lying down.

    Prone men are no targets: civilians crawl, and under fire a shooter's last AC is well spent on it.
    """
    book = view.book
    if view.waits_under_fire and book.settings.prone_untargetable:
        danger = view.men_in_danger_now
        return Evaluation(steadies=0.5 * danger * MAN_VALUE - 0.02, reason=partial(_in_danger, danger))
    if view.melee or not book.settings.prone_untargetable:
        slow = "the unit must close in, and prone men move at {} speed (FBN-052)"
        return Evaluation(ground=-0.02, reason=partial(_at_prone_speed, slow, book))
    if view.civil:
        slow = "prone: cannot be targeted, moves at {} speed (FBN-052)"
        return Evaluation(steadies=0.3 if view.is_threatened else -0.02, reason=partial(_at_prone_speed, slow, book))
    if any(figure.ac > 1 and figure.able for figure in view.unit.figures.values()):
        return _SPEND_AC_OTHERWISE
    danger = view.men_in_danger
    reason = partial(_in_danger, danger)
    return Evaluation(steadies=danger * MAN_VALUE if danger and view.nearest.inches > 8 else -0.05, reason=reason)


def _at_prone_speed(reason: str, book: FbnBook) -> str:
    """Return a reason with the speed of prone men filled in."""
    return reason.format(share(book.file.movement.prone))


_SPEND_AC_OTHERWISE = Evaluation(ground=-0.02, reason="the AC left are better spent on moving and shooting")


def _value_of_getting_up(view: UnitView) -> Evaluation:
    """Return the value of getting up: high for units that must move, negative for targets under threat."""
    if view.civil:
        worth = -0.02 if view.is_threatened else 0.1
    elif view.waits_under_fire:
        worth = -0.02
    else:
        closes_in = view.melee or view.nearest.inches > far_off(view.book)
        closes_in = closes_in or (view.inches_left > 0 and not view.shoots and view.men_in_danger < 1)
        worth = 0.26 if view.is_urgent else 0.07 if closes_in else -0.02
    return Evaluation(ground=worth, reason="men on their feet move at full speed (FBN-053)")


_STEADY_TURNS = 3
"""The most turns in which men who dismount are expected to fire from where they are."""
_CHARGED_WITHIN = 25.0
"""The inches within which bands may charge men who have dismounted before they have fired long enough."""


def _value_of_dismounting(view: UnitView) -> Evaluation:
    """Return the value of dismounting: better aim, and cover on the ground, for men who stay and shoot (FBN-084,
    FBN-052).

    Riders who may have to go on stay mounted, and so do those with close-combat weapons as long as a charge is worth
    its way.
    """
    book = view.book
    if view.enters_by_door:
        return Evaluation(ground=0.1, reason="only men on foot go through a door (FBN-244)")
    farthest = max(gait.most for gait in book.gaits)
    stay = Evaluation(ground=-0.04, reason=f"riders move up to {amount(farthest, 'inch', 'inches')} a turn (FBN-174)")
    best, goes_on = view.best_shot, view.objective is not None and not view.keeps_place
    if best is None or goes_on or (view.man.spec.close and view.ride_pays):
        return stay
    if any(away <= _CHARGED_WITHIN and is_melee(view.battle, foe) for away, foe in view.foes):
        return stay
    men, actions = len(view.unit.figures), view.man.spec.ac
    turns = min(_STEADY_TURNS, view.objectives.scenario.turns - view.battle.turn + 1)
    weapon = book.weapons.get(view.man.weapon)
    aim = 0.0 if weapon is None or weapon.from_saddle else turns * actions * men / book.file.fire_die.faces
    gain = (aim + (turns - 1) * view.men_in_danger) * MAN_VALUE - best.inflicts  # the first AC is lost to fire
    if gain <= 0:
        return stay
    return Evaluation(inflicts=best.inflicts, ground=gain, reason="it stays here and shoots better on foot (FBN-085)")


def _value_of_mounting(view: UnitView) -> Evaluation:
    """Return the value of mounting: riders move farther, which helps only a unit that has somewhere to go."""
    is_far = not view.shoots and view.nearest.inches > far_off(view.book)
    goes = not view.house and (is_far or view.inches_left > 2 * view.man.spec.sp)
    return Evaluation(ground=0.06 if goes else -0.02, reason="riders move farther than men on foot (FBN-186)")


_LIE_DOWN = SimpleUnitAction(
    "lie down",
    "lie down: [prone_safe?cannot be targeted, ]{prone_speed} speed (1 AC)",
    is_legal=_may_lie_down,
    effect=_LYING_DOWN.together,
    evaluation=_value_of_lying_down,
)
_GET_UP = SimpleUnitAction(
    "get up", "get up (1 AC)", is_legal=_may_get_up, effect=_GETTING_UP.together, evaluation=_value_of_getting_up
)
DISMOUNT = SimpleUnitAction(
    "dismount",
    "dismount (1 AC)",
    is_legal=_may_dismount,
    effect=_DISMOUNTING.together,
    evaluation=_value_of_dismounting,
)
MOUNT = SimpleUnitAction(
    "mount",
    "mount (1 AC)",
    is_legal=_may_mount,
    effect=_MOUNTING.together,
    evaluation=_value_of_mounting,
)


def _for_one_man(row: SimpleUnitAction, posture: Posture) -> SimpleManAction:
    """Return the same drill for one man."""
    return SimpleManAction(row.verb, row.text, is_legal=posture.one_man_may, effect=posture.alone, evaluation=AS_A_UNIT)


MAN_POSTURES = (
    _for_one_man(_LIE_DOWN, _LYING_DOWN),
    _for_one_man(_GET_UP, _GETTING_UP),
    _for_one_man(DISMOUNT, _DISMOUNTING),
    _for_one_man(MOUNT, _MOUNTING),
)
"""The drills of one man."""


# --- facing and glory -------------------------------------------------------------------------------------------------


def _may_face(actor: ActiveUnit) -> bool:
    """Return True if a unit may change its facing. Squares face outwards, and riders turn by riding (FBN-049)."""
    unit, able = actor.unit, actor.able
    return "faced" not in unit.marks and unit.shape != "square" and not able.indoors and able.riders < len(able.men)


def _face(table: Table, actor: ActiveUnit) -> None:
    """Turn the men on foot, which is free (FBN-049). The option is offered once until the unit does something else."""
    unit = actor.unit
    unit.mark("faced")
    wind = table.choose(unit.spec.side, WINDS, why="face", rule="FBN-049", actor=unit.spec.id)
    for figure in unit.figures.values():
        if figure.able and not figure.mounted:
            figure.facing = bearing_of(wind)
    table.emit("faces", "FBN-049", unit=unit.spec.id, way=wind)


def _value_of_a_check(view: UnitView) -> Evaluation:
    """Return the value of a voluntary glory check: positive one step from panic (FBN-036, FBN-151)."""
    worst = max([figure.gl for figure in view.unit.steady])
    worth = 0.03 * (worst - view.man.spec.gl) if worst >= view.book.panics_at - 1 else 0.0
    return Evaluation(
        steadies=worth, reason=partial("its glory is {}+, which a check may improve (FBN-036)".format, worst)
    )


FACE = SimpleUnitAction(
    "face",
    "change facing (free)",
    is_legal=_may_face,
    effect=_face,
    evaluation=RulesValue(lambda book: Evaluation(ground=-0.005, reason="it already faces the enemy (FBN-049)")),
)
CHECK_GLORY = SimpleUnitAction(
    "check glory",
    "check glory: a D{glory_die} roll of glory or more improves it by 1 (1 AC each)",
    is_legal=lambda actor: may_check(actor.battle, actor.unit),
    effect=lambda table, actor: voluntary_check(table, actor.battle, actor.unit),
    evaluation=_value_of_a_check,
    odds="glory_check",
)
DRILL = (_LIE_DOWN, _GET_UP, FACE, CHECK_GLORY, DISMOUNT, MOUNT)


def offer_drill(menu: LegalActions, actor: ActiveUnit) -> None:
    """Add the legal drills of a unit to the menu (FBN-034)."""
    able = actor.able
    if not able.indoors and able.all_ready and not able.crossed and may_form(actor.unit):
        menu.add_certain(FORM.verb, FORM.options(actor))
    for action in DRILL:
        if action.is_legal(actor):
            menu.kinds.add(action.verb)
