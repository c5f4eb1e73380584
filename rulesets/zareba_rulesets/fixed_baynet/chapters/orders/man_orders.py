"""Orders of leaders, medics and men at doors (FBN-037, FBN-137, FBN-159, FBN-160, FBN-238, FBN-253)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from zareba.base.exact import dist
from zareba.battle.legal_actions import LegalActions
from zareba.space.geometry import Point, box_gap
from zareba.space.lazy import Lazy
from zareba.space.moves.contact import places_round
from zareba.table import Option, Table
from zareba_rulesets.fixed_baynet.chapters.buildings.doors import (
    bash,
    climb,
    ladders,
    may_spend_all,
    open_door,
    shut_doors,
)
from zareba_rulesets.fixed_baynet.chapters.guns.artillery import fires_how
from zareba_rulesets.fixed_baynet.chapters.morale.medics import heal, heal_location, patients
from zareba_rulesets.fixed_baynet.chapters.morale.rally import (
    back_orders,
    broken_near,
    fall_back_order,
    friends_near,
    gather,
    may_rally,
    rally,
    rally_targets,
)
from zareba_rulesets.fixed_baynet.chapters.movement.night import fire_flare
from zareba_rulesets.fixed_baynet.chapters.sight.contact import held
from zareba_rulesets.fixed_baynet.chapters.sight.sight import visibility
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.unit_summary import UnitSummary
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = ["ACTS", "contacts", "door_acts", "offer_leaders_orders"]

RALLY, FALL_BACK, HEAL = "rally", "fall back", "heal"
Friends = Lazy[str, list[Unit]]  # leader -> friendly units near him


# --- orders of leaders ---------------------------------------------------------------------------------------------------


def offer_leaders_orders(menu: LegalActions, battle: Battle, unit: Unit, able: UnitSummary) -> None:
    """Add the orders of single men to the menu: rally, gather, fall back, contact, flare and heal."""
    leaders = [man for man in able.leaders if "crossed" not in man.marks]  # FBN-244
    if leaders:
        about = {man.spec.id: man for man in leaders if may_rally(battle, man)}
        if about:
            friends: Friends = Lazy(lambda key: friends_near(battle, about[key]))
            broken: Lazy[str, int] = Lazy(lambda key: len(broken_near(battle, about[key], friends[key])))
            menu.offer(RALLY, _rallies(battle, about, friends))
            for key in about:
                menu.add(("gather", key, False), partial(_are, broken, key, 1))
                menu.add(("gather", key, True), partial(_are, broken, key, 2))
            menu.offer(FALL_BACK, _orders_back(battle, about, friends))
        menu.extend(("flare", man.spec.id) for man in leaders if man.flares > 0 and man.spec.leads)
        menu.offer(HEAL, _patients(battle, leaders))
    caller = next((man for man in able.men if not man.marks or "crossed" not in man.marks), None)
    if caller is not None:
        menu.extend(contacts(battle, unit, caller))


def _are(counted: Lazy[str, int], key: str, least: int) -> bool:
    return counted[key] >= least


def _rallies(battle: Battle, about: dict[str, Figure], friends: Friends) -> Iterator[Option]:
    for key, man in about.items():
        for target in rally_targets(battle, man, friends[key]):
            yield (RALLY, key, target.spec.id)


def _orders_back(battle: Battle, about: dict[str, Figure], friends: Friends) -> Iterator[Option]:
    for key, man in about.items():
        if man.spec.role == "officer":
            for target in back_orders(battle, man, friends[key]):
                yield (FALL_BACK, key, target.spec.id)


def _patients(battle: Battle, leaders: list[Figure]) -> Iterator[Option]:
    for man in leaders:
        for kind, patient in patients(battle, man):
            yield (HEAL, man.spec.id, kind, patient)


def contacts(battle: Battle, unit: Unit, man: Figure) -> list[Option]:
    """Return the calls a man can make (FBN-037): to a battery not yet activated, or to a reserve of the scenario.

    At night a battery must be within sight.
    """
    options: list[Option] = []
    for other in [other for other in battle.units.values() if other.guns]:
        if other.spec.kind != "battery" or other.spec.side != unit.spec.side or other is unit or not other.on_table:
            continue
        if "activated" in other.marks or not _calls_for(battle, other):
            continue
        seen = box_gap((*man.at, *man.at), other.box) <= visibility(battle)
        if seen and all(call[1] != other.spec.id for call in battle.calls):
            options.append(("barrage", man.spec.id, other.spec.id))
    for key, turn in battle.arrivals.items():
        if turn < 0 and battle.units[key].spec.side == unit.spec.side:
            options.append(("reserve", man.spec.id, key))
    return options


def _calls_for(battle: Battle, battery: Unit) -> bool:
    """Return True if a battery can fire indirectly at all."""
    return any(gun.in_play and "indirect" in fires_how(battle, gun) for gun in battery.guns)


def _barrage(table: Table, battle: Battle, unit: Unit, caller: str, battery: str) -> None:
    """Call a barrage (FBN-037): until the end of the turn the battery may fire at points the caller sees.

    The event does not name a hidden battery.
    """
    unit.figures[caller].ac -= 1
    battle.calls.append((unit.spec.side, battery, caller))
    hidden = "hidden" in battle.unit(battery).marks
    table.emit("barrage", "FBN-037", unit=unit.spec.id, battery="" if hidden else battery)


def _reserve(table: Table, battle: Battle, unit: Unit, caller: str, reserve: str) -> None:
    """Call a reserve (FBN-037): it enters at the start of the next turn."""
    unit.figures[caller].ac -= 1
    battle.arrivals[reserve] = battle.turn + 1
    table.emit("reserve", "FBN-037", unit=reserve)


def _flare(table: Table, battle: Battle, unit: Unit, figure_id: str) -> None:
    figure = unit.figures[figure_id]
    reach = float(battle.book.file.flare.reach)

    def legal(point: Point) -> str | None:
        away = dist(point, figure.at)
        return None if away <= reach and battle.field.on_table(*point) else f'beyond {reach:g}" (FBN-238)'

    around = places_round(figure.at, 0.75 * reach, 0.0, range(0, 360, 45))
    points = [point for point in around if legal(point) is None] or [figure.at]
    point = table.place(unit.spec.side, points, legal, why="flare over", rule="FBN-238", actor=figure_id)
    fire_flare(table, battle, figure, point)


def _heal(table: Table, battle: Battle, unit: Unit, medic: str, kind: str, patient: str) -> None:
    figure = unit.figures[medic]
    if kind == "fallen":
        heal(table, battle, figure, patient)
        return
    home = battle.home(patient)
    assert home is not None, "only wounded men in play are offered"
    heal_location(table, battle, unit, figure, battle.change(home).figures[patient])


# --- doors and ladders ---------------------------------------------------------------------------------------------------


def door_acts(battle: Battle, unit: Unit, men: list[Figure]) -> list[Option]:
    """Return the options at doors and ladders, each door by the first man who can (FBN-253, FBN-254, FBN-260)."""
    options: dict[Option, None] = {}
    seen: set[tuple[str, str]] = set()
    for man in men:
        if "crossed" in man.marks or "served" in man.marks:
            continue
        for door in shut_doors(battle, man):
            if ("bash", door) not in seen:
                seen.add(("bash", door))
                options["bash", man.spec.id, door] = None
            if ("open", door) not in seen and may_spend_all(man):
                seen.add(("open", door))
                options["open", man.spec.id, door] = None
        if may_spend_all(man) and man.spec.id not in held(battle, unit):  # FBN-051
            options.update({("climb", man.spec.id, ladder.id): None for ladder in ladders(battle, man)})
    return list(options)


def _climb(table: Table, battle: Battle, unit: Unit, man: str, ladder: str) -> None:
    unit.mark("loose")
    climb(table, battle, unit, unit.figures[man], battle.field.openings[ladder])


# --- one man -----------------------------------------------------------------------------------------------------------


ACTS: dict[str, Callable[..., object]] = {
    "rally": lambda table, battle, unit, officer, target: rally(
        table, battle, unit.figures[officer], battle.unit(target)
    ),
    "gather": lambda table, battle, unit, officer, merge: gather(table, battle, unit.figures[officer], merge),
    "fall back": lambda table, battle, unit, officer, target: fall_back_order(
        table, battle, unit.figures[officer], battle.unit(target)
    ),
    "barrage": _barrage,
    "reserve": _reserve,
    "flare": _flare,
    "heal": _heal,
    "bash": lambda table, battle, unit, man, door: bash(table, battle, unit.figures[man], door),
    "open": lambda table, battle, unit, man, door: open_door(table, battle, unit.figures[man], door),
    "climb": _climb,
}
