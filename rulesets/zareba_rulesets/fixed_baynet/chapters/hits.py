"""Hits and losses: wounds, hit locations, removal and prisoners (FBN-087, FBN-091, FBN-112, FBN-125 to FBN-136)."""

from __future__ import annotations

from collections.abc import Callable

from zareba.chance import named
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.book.tables import LOCATION_DIE
from zareba_rulesets.fixed_baynet.chapters.morale import BANNER, check_half, glory_event, lie_down
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Captive, Casualty, spot_near
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

FATAL = ("chest_heavy", "head_heavy", "bloody_death")
FELLING = ("groin", "leg_heavy")
Answer = Callable[[], None]


@procedure("hits.strike")
def resolve_hit(
    table: Table,
    battle: Battle,
    unit: Unit,
    figure: Figure,
    critical: bool,
    damage: int,
    cause: str,
    by: Unit | None = None,
    answer: Answer | None = None,
) -> None:
    """Resolve a hit on a man.

    `cause` is fire, melee or other; `answer` is his counter-attack, made before he is removed. A critical is a bloody
    death at once (FBN-087, FBN-106). Heroes roll a hit location (FBN-125, FBN-126). Other men lose wounds and are
    removed at 0 (FBN-091, FBN-111).
    """
    if critical:
        remove_man(table, battle, unit, figure, "bloody death", cause, by)
        return
    if figure.spec.leads:
        location = roll_hit_location(table, battle.book, figure.spec.id)
        table.emit("located", "FBN-125", unit=unit.spec.id, figure=figure.spec.id, location=location)
        if location == "bloody_death":
            remove_man(table, battle, unit, figure, "bloody death", cause, by)
            return
        _wound(battle, figure, location)
        if answer is not None:
            answer()
        if location not in FATAL:
            glory_event(table, battle, unit, BANNER)
        elif figure.spec.id in unit.figures:
            remove_man(table, battle, unit, figure, "killed", cause, by)
        return
    figure.wounds -= damage
    if answer is not None:
        answer()
    if figure.wounds <= 0 and figure.spec.id in unit.figures:
        remove_man(table, battle, unit, figure, "down", cause, by)
    elif figure.spec.bearer:
        glory_event(table, battle, unit, BANNER)


def wound_name(location: str) -> str:
    """Return a hit location of Table 13-A as a kind of wound: a light arm wound, a groin wound."""
    if location == "bloody_death":
        return "bloody death"
    part, _, how = location.partition("_")
    return f"{how} {part} wound".strip()


@procedure("hits.location")
def roll_hit_location(table: Table, book: FbnBook, figure: str) -> str:
    """Roll a hit location on Table 13-A (FBN-125)."""
    names, reading = book.locations
    means = named(*map(wound_name, names))
    return names[table.roll(1, LOCATION_DIE, reading, why="hit location", rule="FBN-125", actor=figure, means=means)]


def _wound(battle: Battle, figure: Figure, location: str) -> None:
    """Apply a hit location to a man who stays in play (FBN-127 to FBN-133).

    The same location twice has no further effect (FBN-136).
    """
    if location in figure.locations:
        return
    figure.locations = figure.locations | {location}
    if location in FELLING:
        lie_down(battle, figure)  # FBN-129, FBN-133, FBN-187
    elif location == "head_light":
        figure.mark("stunned")  # FBN-131


def set_wounds(battle: Battle, figure: Figure, locations: frozenset[str]) -> None:
    """Correct the wounds of a man who stays in play, with the effects of those that are new or gone."""
    for gone in figure.locations - locations:
        figure.locations = figure.locations - {gone}
        if gone == "head_light":
            figure.unmark("stunned")
    for new in sorted(locations - figure.locations):
        _wound(battle, figure, new)


def remove_man(
    table: Table, battle: Battle, unit: Unit, figure: Figure, how: str, cause: str, by: Unit | None = None
) -> None:
    """Remove a man from play; `how` is down, killed, bloody death or captured. A marker stays for the medic (FBN-091).

    Raises the glory events for leaders, bearers and half strength (FBN-140, FBN-141).
    """
    key = figure.spec.id
    del unit.figures[key]
    unit.measure()
    battle.fallen += (Casualty(key, unit.spec.id, figure.x, figure.y, how == "down", figure.place),)
    table.emit("loss", "FBN-091", unit=unit.spec.id, side=unit.spec.side, lost=1, cause=cause, how=how, figure=key)
    if by is not None and by.spec.side != unit.spec.side and (figure.spec.leads or figure.spec.bearer):
        battle.change(by).mark("deed")  # FBN-161
    _free_captives(table, battle, key)
    if not unit.figures:
        battle.gone[unit.spec.id] = "destroyed"
        table.emit("destroyed", "FBN-015", unit=unit.spec.id)
        return
    if figure.spec.leads or figure.spec.bearer:
        glory_event(table, battle, unit, BANNER)
    check_half(table, battle, unit)


@procedure("hits.capture")
def capture_man(table: Table, battle: Battle, unit: Unit, figure: Figure, by: Unit, captor: Figure) -> None:
    """Take a man prisoner (FBN-112).

    He is lost to his side, and a medic cannot help him. An escorted prisoner stays with his captor.
    """
    remove_man(table, battle, unit, figure, "captured", "melee", by)
    battle.captives += (Captive(figure.spec.id, unit.spec.id, by.spec.side, captor.spec.id),)
    table.emit("captured", "FBN-112", unit=unit.spec.id, figure=figure.spec.id, by=by.spec.id)


def _free_captives(table: Table, battle: Battle, captor: str) -> None:
    """Free a captor's prisoners when he falls, if `captives` is escorted (FBN-112)."""
    if battle.book.settings.captives != "escorted":
        return
    freed = [captive for captive in battle.captives if captive.captor == captor]
    battle.captives = tuple(captive for captive in battle.captives if captive.captor != captor)
    for captive in freed:
        fallen = battle.fallen[-1]
        spec = battle.specs[captive.figure]
        unit = battle.units.change(captive.unit)
        figure = Figure(fallen.x, fallen.y, 0.0, 0.0, spec.gl, "none", mounted=False, spec=spec)
        figure.mark("disarmed")
        battle.put(figure, *spot_near(battle, figure.x, figure.y, battle.radius(figure)))
        unit.figures[captive.figure] = figure
        if "away" not in unit.marks:  # if his unit has left the table, he follows it
            battle.gone.pop(unit.spec.id, None)
        unit.measure()
        table.emit("freed", "FBN-112", unit=unit.spec.id, figure=captive.figure)
