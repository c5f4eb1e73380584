"""Orders of officers and other single men: rally, fall back, call guns and reserves, fire flares, treat the wounded.

Rules: FBN-037, FBN-137, FBN-159, FBN-160, FBN-238.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Self, final

from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.battle.evaluation import Evaluation
from zareba.battle.legal_actions import LegalActions
from zareba.space.geometry import Point, box_gap
from zareba.space.moves import points_around
from zareba.table import Table
from zareba_rulesets.fixed_baynet.actions.actor import (
    AS_A_UNIT,
    ActiveMan,
    ActiveUnit,
    FixedValueManAction,
    FixedValueUnitAction,
    UnitAction,
    UnitActionKind,
)
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.chapters.artillery import fire_modes
from zareba_rulesets.fixed_baynet.chapters.morale import (
    heal,
    heal_location,
    order_back,
    patients,
    rally_nearby,
    rally_targets,
    rally_unit,
    units_to_order_back,
)
from zareba_rulesets.fixed_baynet.chapters.night import fire_flare
from zareba_rulesets.fixed_baynet.chapters.sight import visibility
from zareba_rulesets.fixed_baynet.estimates import UnitView
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

# --- rallying ---------------------------------------------------------------------------------------------------------


@final
class Rally(
    UnitAction,
    verb="rally",
    text="{officer:man} rallies {target:squad}: glory improves by {better} (1 AC)",
):
    """An officer rallies a unit near him (FBN-159)."""

    officer: str
    target: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        for key, officer in actor.officers.items():
            for target in rally_targets(actor.battle, officer, actor.friends[key]):
                yield cls(key, target.spec.id)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        rally_unit(table, actor.battle, actor.unit.figures[self.officer], actor.battle.unit(self.target))

    def value(self, view: UnitView) -> Evaluation:
        men, better = view.battle.units[self.target].figures.values(), view.book.file.glory.hearten
        worst = max((man.gl - man.spec.gl for man in men), default=0)
        panicking = sum(1 for man in men if man.reaction)
        steadier = f"glory improves by {better} (FBN-159)"
        reason = f"{amount(panicking, 'man', 'men')} in panic; {steadier}" if panicking else steadier
        return Evaluation(steadies=0.03 * min(better, worst) + 0.04 * panicking, reason=reason)


RALLY: UnitActionKind = UnitActionKind(
    "rally", Rally, question="rally whom", rule="FBN-159", text="rally a unit: glory improves by {better} (1 AC)"
)


def _value_of_gathering(book: FbnBook) -> Evaluation:
    """Return the value of rallying the panicking men nearby."""
    return Evaluation(steadies=0.05, reason=f'he rallies panicking men within {book.near:g}" (FBN-159)')


@final
class Gather(
    FixedValueUnitAction,
    verb="gather",
    text="{officer:man} rallies the panicking men near him[merge?, who form a new unit under him] (1 AC)",
    fixed_value=_value_of_gathering,
):
    """An officer rallies the panicking men near him, who may form a new unit (FBN-159)."""

    officer: str
    merge: bool

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        for key in actor.officers:
            for action in (cls(key, False), cls(key, True)):
                if action.is_legal(actor):
                    yield action

    @classmethod
    def offer(cls, menu: LegalActions, actor: ActiveUnit) -> None:
        for key in actor.officers:
            for action in (cls(key, False), cls(key, True)):
                menu.kinds.add(action.option, partial(action.is_legal, actor))

    def is_legal(self, actor: ActiveUnit) -> bool:
        """Return True if there are men to rally; a new unit needs two."""
        return actor.panicking[self.officer] >= (2 if self.merge else 1)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        rally_nearby(table, actor.battle, actor.unit.figures[self.officer], self.merge)


def _value_of_falling_back(book: FbnBook) -> Evaluation:
    """Return the value of an order to fall back."""
    better = book.file.glory.hearten
    return Evaluation(ground=-0.03, reason=f"glory improves by {better}, but a turn is lost (FBN-160)")


@final
class FallBack(
    FixedValueUnitAction,
    verb="fall back",
    text="{officer:man} orders {target:squad} to fall back: glory improves by {better} (1 AC)",
    fixed_value=_value_of_falling_back,
):
    """An officer orders a unit near him to fall back (FBN-160)."""

    officer: str
    target: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        for key, officer in actor.officers.items():
            if officer.spec.role == "officer":
                for target in units_to_order_back(actor.battle, officer, actor.friends[key]):
                    yield cls(key, target.spec.id)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        order_back(table, actor.battle, actor.unit.figures[self.officer], actor.battle.unit(self.target))


FALL_BACK: UnitActionKind = UnitActionKind(
    "fall back",
    FallBack,
    question="order whom back",
    rule="FBN-160",
    text="order a unit to fall back: glory improves by {better} (1 AC)",
)


# --- calls ------------------------------------------------------------------------------------------------------------


def batteries_in_call(battle: Battle, unit: Unit, man: Figure) -> Iterator[str]:
    """Yield the batteries that a man can call upon: not yet activated, and at night within sight (FBN-037)."""
    for other in battle.units.values():
        if not other.guns or other.spec.kind != "battery" or other.spec.side != unit.spec.side:
            continue
        if other is unit or not other.on_table or "activated" in other.marks or not _fires_indirectly(battle, other):
            continue
        seen = box_gap((*man.at, *man.at), other.box) <= visibility(battle)
        if seen and all(battery != other.spec.id for _, battery, _ in battle.calls):
            yield other.spec.id


def _fires_indirectly(battle: Battle, battery: Unit) -> bool:
    """Return True if a gun of the battery can fire indirectly (FBN-210)."""
    return any(gun.in_play and "indirect" in fire_modes(battle, gun) for gun in battery.guns)


def _call_barrage(table: Table, battle: Battle, unit: Unit, caller: str, battery: str) -> None:
    """Call a barrage (FBN-037): until the end of the turn the battery may fire at points the caller sees.

    The event does not name a hidden battery.
    """
    unit.figures[caller].ac -= 1
    battle.calls.append((unit.spec.side, battery, caller))
    hidden = "hidden" in battle.unit(battery).marks
    table.emit("barrage", "FBN-037", unit=unit.spec.id, battery="" if hidden else battery)


@final
class Barrage(
    FixedValueUnitAction,
    verb="barrage",
    text="{caller:man} calls for a barrage by {battery:unit} (1 AC)",
    fixed_value=lambda book: Evaluation(ground=0.01, reason="he observes for the guns (FBN-037)"),
):
    """The first free man calls for a barrage (FBN-037)."""

    caller: str
    battery: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        caller = actor.caller
        if caller is not None:
            for battery in batteries_in_call(actor.battle, actor.unit, caller):
                yield cls(caller.spec.id, battery)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        _call_barrage(table, actor.battle, actor.unit, self.caller, self.battery)


@final
class BarrageAlone(FixedValueManAction, verb="barrage", text=Barrage.text, fixed_value=AS_A_UNIT.of):
    """A man calls for a barrage; the choice of the man decides who observes (FBN-037, FBN-224)."""

    caller: str
    battery: str

    @classmethod
    def options(cls, actor: ActiveMan) -> Iterator[Self]:
        if "crossed" not in actor.man.marks:
            for battery in batteries_in_call(actor.battle, actor.unit, actor.man):
                yield cls(actor.man.spec.id, battery)

    def perform(self, table: Table, actor: ActiveMan) -> None:
        _call_barrage(table, actor.battle, actor.unit, self.caller, self.battery)


@final
class Reserve(
    FixedValueUnitAction,
    verb="reserve",
    text="{caller:man} calls up {reserve:unit} (1 AC)",
    fixed_value=lambda book: Evaluation(ground=0.1, reason="the reserve arrives next turn (FBN-037)"),
):
    """The first free man calls up a reserve of the scenario, which enters at the start of the next turn (FBN-037)."""

    caller: str
    reserve: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        battle, caller = actor.battle, actor.caller
        if caller is not None:
            for key, turn in battle.arrivals.items():
                if turn < 0 and battle.units[key].spec.side == actor.unit.spec.side:
                    yield cls(caller.spec.id, key)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        actor.unit.figures[self.caller].ac -= 1
        actor.battle.arrivals[self.reserve] = actor.battle.turn + 1
        table.emit("reserve", "FBN-037", unit=self.reserve)


# --- flares and healing -----------------------------------------------------------------------------------------------


def _value_of_a_flare(book: FbnBook) -> Evaluation:
    """Return the value of a flare, with the inches it lights as its reason (FBN-238)."""
    return Evaluation(
        ground=0.01, reason=f"it lights {amount(book.file.flare.across, 'inch', 'inches')} of ground (FBN-238)"
    )


@final
class FireFlare(
    FixedValueUnitAction, verb="flare", text="{leader:man} fires a flare (1 AC)", fixed_value=_value_of_a_flare
):
    """A leader fires a flare over a point within its reach (FBN-238)."""

    leader: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        for man in actor.leaders:
            if man.flares > 0 and man.spec.leads:
                yield cls(man.spec.id)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        battle, figure = actor.battle, actor.unit.figures[self.leader]
        reach = float(battle.book.file.flare.reach)

        def refuse(point: Point) -> str | None:
            away = dist(point, figure.at)
            return None if away <= reach and battle.field.on_table(*point) else f'beyond {reach:g}" (FBN-238)'

        around = points_around(figure.at, 0.75 * reach, 0.0, range(0, 360, 45))
        points = [point for point in around if refuse(point) is None] or [figure.at]
        side = actor.unit.spec.side
        point = table.place(side, points, refuse, why="flare over", rule="FBN-238", actor=self.leader)
        fire_flare(table, battle, figure, point)


@final
class Heal(
    FixedValueUnitAction,
    verb="heal",
    text="{medic:man} treats {kind} {patient:man} (1 AC)",
    fixed_value=lambda book: Evaluation(ground=0.06, reason="it may bring a man back into the ranks (FBN-137)"),
):
    """A medic treats a fallen or wounded man (FBN-137)."""

    medic: str
    kind: str
    patient: str

    @classmethod
    def options(cls, actor: ActiveUnit) -> Iterator[Self]:
        for man in actor.leaders:
            for kind, patient in patients(actor.battle, man):
                yield cls(man.spec.id, kind, patient)

    def perform(self, table: Table, actor: ActiveUnit) -> None:
        battle, medic = actor.battle, actor.unit.figures[self.medic]
        if self.kind == "fallen":
            heal(table, battle, medic, self.patient)
            return
        patient_unit = battle.unit_of(self.patient)
        assert patient_unit is not None, "only wounded men in play are offered"
        heal_location(table, battle, actor.unit, medic, battle.change(patient_unit).figures[self.patient])


HEAL: UnitActionKind = UnitActionKind("heal", Heal, question="heal whom", rule="FBN-137", text="treat a man (1 AC)")
SINGLE_ORDERS = (Gather, Barrage, Reserve, FireFlare)


def offer_leading(menu: LegalActions, actor: ActiveUnit) -> None:
    """Add the orders of single men to the menu: rally, gather, fall back, flare, heal and calls."""
    if actor.leaders:
        if actor.officers:
            RALLY.offer(menu, actor)
            Gather.offer(menu, actor)
            FALL_BACK.offer(menu, actor)
        FireFlare.offer(menu, actor)
        HEAL.offer(menu, actor)
    Barrage.offer(menu, actor)
    if actor.battle.arrivals:
        Reserve.offer(menu, actor)
