"""Officers and deeds (FBN-159 to FBN-162): rallying, falling back and heroic deeds."""

from __future__ import annotations

from collections.abc import Sequence

from zareba.base.exact import dist
from zareba.rules import procedure
from zareba.space.geometry import about, bounds_meet, boxes_near
from zareba.table import Table
from zareba_rulesets.fixed_baynet.chapters.morale.glory import hearten
from zareba_rulesets.fixed_baynet.forces.battle import Battle, end_figure_activation
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit, UnitSpec

__all__ = [
    "friends_near",
    "may_rally",
    "order_back",
    "rally_nearby",
    "rally_targets",
    "rally_unit",
    "reward_deed",
    "units_to_order_back",
]


def may_rally(battle: Battle, figure: Figure) -> bool:
    """Return True if a man may rally others: a steady officer or native hero, and by setting an NCO (FBN-159)."""
    if not figure.able or figure.ac < 1 or "served" in figure.marks:
        return False
    role = figure.spec.role
    return (
        role == "officer"
        or (role == "hero" and figure.spec.table == "native")
        or (role == "nco" and battle.book.settings.nco_may_rally)
    )


def _is_near(battle: Battle, a: Figure, b: Figure) -> bool:
    """Return True if two bases are within `nearby_inches` of each other (FBN-159)."""
    radii = battle.book.radii
    return dist(a.at, b.at) - radii[a.mounted] - radii[b.mounted] <= battle.book.near


def friends_near(battle: Battle, figure: Figure) -> list[Unit]:
    """Return the friendly units with a figure near a man (FBN-159)."""
    here = about(figure.at, battle.book.near + 2)
    return [
        unit
        for unit in battle.on_table(figure.spec.side)
        if bounds_meet(unit.box, here)
        and (figure.spec.id in unit.figures or any(_is_near(battle, figure, other) for other in unit.figures.values()))
    ]


def rally_targets(battle: Battle, figure: Figure, friends: Sequence[Unit] | None = None) -> list[Unit]:
    """Return the friendly units nearby that a rally would help (FBN-159), not ordered back this turn (FBN-160)."""
    return [
        unit
        for unit in (friends_near(battle, figure) if friends is None else friends)
        if "rallied" not in unit.marks
        and "ordered_back" not in unit.marks
        and any(other.gl > other.spec.gl and "steadied" not in other.marks for other in unit.figures.values())
    ]


def _emit_rally(table: Table, battle: Battle, unit: str, officer: Figure, helped: int, calmed: int) -> None:
    """Emit the event of a rally: how many men it helped, and how many are no longer in panic (FBN-159)."""
    better = battle.book.file.glory.hearten
    table.emit(
        "rally", "FBN-159", unit=unit, officer=officer.spec.id, helped=helped, calmed=calmed, better=better
    )  # fmt: skip


@procedure("rally.unit")
def rally_unit(table: Table, battle: Battle, figure: Figure, unit: Unit) -> int:
    """Rally a unit for 1 AC and without a roll: GL -2 for every figure, once a turn each (FBN-159).

    Return the number of figures helped.
    """
    figure.ac -= 1
    unit = battle.change(unit)
    unit.mark("rallied")
    broken = len(unit.figures) - len(unit.steady)
    helped = sum(_rally_man(battle, unit, other) for other in unit.figures.values())
    calmed = broken - (len(unit.figures) - len(unit.steady))
    _emit_rally(table, battle, unit.spec.id, figure, helped, calmed)
    return helped


def _rally_man(battle: Battle, unit: Unit, figure: Figure) -> bool:
    """Rally one man, once a turn, and return True if his GL improved (FBN-159)."""
    if "steadied" in figure.marks:
        return False
    figure.mark("steadied")
    return hearten(battle, unit, figure)


def panicking_near(battle: Battle, figure: Figure, friends: Sequence[Unit] | None = None) -> list[tuple[Unit, Figure]]:
    """Return the panicking men of any unit near an officer who have not been rallied this turn (FBN-159)."""
    return [
        (unit, other)
        for unit in (friends_near(battle, figure) if friends is None else friends)
        if "ordered_back" not in unit.marks
        for other in unit.figures.values()
        if other.reaction and "steadied" not in other.marks and other is not figure and _is_near(battle, figure, other)
    ]


@procedure("rally.gather")
def rally_nearby(table: Table, battle: Battle, figure: Figure, merge: bool) -> Unit | None:
    """Rally the panicking men near an officer, from any units (FBN-159).

    With `merge`, they become a new unit under him. He then leaves his own unit for the new one, which counts as
    activated.
    """
    figure.ac -= 1
    calmed = []
    for unit, man in panicking_near(battle, figure):
        home = battle.change(unit)
        broken = home.figures[man.spec.id]
        if _rally_man(battle, home, broken) and not broken.reaction:
            calmed.append((home, broken))
    _emit_rally(table, battle, "", figure, len(calmed), len(calmed))
    if not merge or len(calmed) < 2:
        return None
    own = battle.home(figure.spec.id)
    assert own is not None, "only men in play give orders"
    members = [(battle.change(own), figure), *calmed]
    number = sum(key.startswith("gathered:") for key in battle.units) + 1
    native = any(unit.spec.drilled or man.spec.table == "native" for unit, man in members)
    key = f"gathered:{figure.spec.side}:{number}{':native' if native else ''}"
    new_unit = Unit("open", 0, {}, [], frozenset({"activated"}), spec=gathered_spec(key))
    for unit, man in members:
        del unit.figures[man.spec.id]
        unit.measure()
        if not unit.figures:
            battle.gone[unit.spec.id] = "gathered"
        end_figure_activation(man)
        new_unit.figures[man.spec.id] = man
    new_unit.start = len(new_unit.figures)
    new_unit.mark("unformed")
    new_unit.measure()
    battle.units[key] = new_unit
    battle.left[key] = new_unit.start
    table.emit("gathered", "FBN-159", unit=key, officer=figure.spec.id)
    return new_unit


def gathered_spec(key: str) -> UnitSpec:
    """Return the spec of a unit of gathered men, from its id. With natives among them it cannot form square (FBN-060)."""
    return UnitSpec(
        key, "Gathered men", key.split(":")[1], "squad", "", "native" if key.endswith(":native") else "european"
    )


def units_to_order_back(battle: Battle, figure: Figure, friends: Sequence[Unit] | None = None) -> list[Unit]:
    """Return the friendly units near an officer that he may order to fall back, including his own (FBN-160)."""
    return [
        unit
        for unit in (friends_near(battle, figure) if friends is None else friends)
        if "ordered_back" not in unit.marks and "rallied" not in unit.marks and not unit.back and unit.steady
        if len(unit.figures) > 1 or figure.spec.id not in unit.figures
    ]


@procedure("rally.fall_back")
def order_back(table: Table, battle: Battle, figure: Figure, unit: Unit) -> None:
    """Order a unit to fall back for 1 AC (FBN-160): GL -2 at once.

    In its next activation it moves away and neither charges nor strikes.
    """
    figure.ac -= 1
    unit = battle.change(unit)
    unit.mark("ordered_back")
    if unit.spec.id == battle.active:
        unit.mark("back next")  # the order applies to its next activation, not to this one
    else:
        unit.back = True
    for other in unit.figures.values():
        if "steadied" not in other.marks:
            hearten(battle, unit, other)
    table.emit("fall back", "FBN-160", unit=unit.spec.id, officer=figure.spec.id)


@procedure("rally.deed")
def reward_deed(table: Table, battle: Battle, unit: Unit) -> None:
    """Hearten friendly units nearby at the end of an activation in which the unit did something heroic (FBN-161).

    Heroic is: it took a leader, a bearer or a gun, or inflicted at least two losses more than it suffered hand to
    hand.
    """
    surplus, better = battle.book.file.heroic.surplus, battle.book.file.glory.hearten
    is_heroic = "deed" in unit.marks or unit.dealt - unit.lost >= surplus
    if not is_heroic or not battle.book.settings.heroic_deeds or not unit.figures:
        return
    men = list(unit.figures.values())
    helped = []
    for friend in battle.on_table(unit.spec.side):
        near = battle.book.near + 2
        if friend is unit or "heartened" in friend.marks or not boxes_near(unit.box, friend.box, near):
            continue
        if any(_is_near(battle, man, other) for man in men for other in friend.figures.values()):
            friend = battle.change(friend)
            friend.mark("heartened")
            if [other for other in friend.figures.values() if hearten(battle, friend, other)]:
                helped.append(friend.spec.id)
    if helped:
        why = "gun" if "took a gun" in unit.marks else "leader" if "deed" in unit.marks else "blows"
        table.emit("deed", "FBN-161", unit=unit.spec.id, helped=tuple(helped), why=why, surplus=surplus, better=better)
