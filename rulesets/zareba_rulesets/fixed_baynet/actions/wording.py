"""The numbers and formats that the texts of actions use."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from fractions import Fraction
from functools import partial
from typing import Any, NamedTuple

from zareba.base.grammar import amount, in_a_sentence, with_the
from zareba_rulesets.fixed_baynet.book.numbers import FbnBook
from zareba_rulesets.fixed_baynet.book.tables import GAITS
from zareba_rulesets.fixed_baynet.chapters.crews import best_cs
from zareba_rulesets.fixed_baynet.chapters.melee import chargers, visible_contact_spot
from zareba_rulesets.fixed_baynet.chapters.movement import allowance
from zareba_rulesets.fixed_baynet.chapters.sight import range_between
from zareba_rulesets.fixed_baynet.chapters.targets import shot_cost
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit

FORMATION_NAMES = {"open": "open order", "closed": "closed order", "mass": "mass", "square": "square"}


def distance_note(inches: float) -> str:
    """Return a distance from base to base as a note."""
    return f'{round(inches, 1):g}" away' if round(inches, 1) else "in contact"


def distance_of_enemy(inches: float) -> str:
    """Return how near the nearest enemy is, as a reason."""
    if round(inches, 1) == 0:
        return "the enemy is in contact"
    return f'the enemy is {inches:.0f}" away' if inches >= 1 else 'the enemy is less than 1" away'


class Wording(NamedTuple):
    """The battle in which an action is described, and the unit that acts. No unit: distances are not shown."""

    battle: Battle
    unit: Unit | None


# --- numbers ----------------------------------------------------------------------------------------------------------


def share(part: Fraction) -> str:
    """Return a fraction in words: half, 1/3."""
    return "half" if part == Fraction(1, 2) else str(part)


NUMBERS: Mapping[str, Callable[[FbnBook], Any]] = {
    "ac": lambda book: book.file.gun_costs.ac,
    "better": lambda book: book.file.glory.hearten,
    "degrees": lambda book: book.file.turn_of_gun.degrees,
    "die": lambda book: book.settings.bash_die.upper(),
    "door_ds": lambda book: book.file.door.ds,
    "fire": lambda book: book.file.gun_costs.fire,
    "glory_die": lambda book: book.file.glory.die,
    "move": lambda book: book.file.gun_costs.move,
    "musket": lambda book: book.file.weapons["musket"].ac,
    "named_target": lambda book: book.settings.target_order_ac,
    "prone_safe": lambda book: book.settings.prone_untargetable,
    "prone_speed": lambda book: share(book.file.movement.prone),
    "salvo": lambda book: book.settings.mg_salvo_ac,
    "shots": lambda book: book.file.salvo.shots,
    "turn": lambda book: book.file.gun_costs.turn,
}
"""The numbers of the rules that texts may show, by gap."""


def numbers(book: FbnBook) -> dict[str, Any]:
    """Return the values of the gaps for numbers of the rules."""
    return {name: number(book) for name, number in NUMBERS.items()}


# --- formats ----------------------------------------------------------------------------------------------------------


def building_name(battle: Battle, building: str) -> str:
    """Return a building's name with its article."""
    return with_the(battle.field.names.get(building, building.replace("_", " ")))


def opening_name(battle: Battle, opening_id: str) -> str:
    """Return an opening's name: wall, kind, a number if the wall has several of them, and floor."""
    openings = battle.field.openings
    opening, building = openings[opening_id], opening_id.partition(":")[0]
    name = building_name(battle, building)
    if opening.other:
        return f"the {'stairs' if opening.kind == 'stairs' else 'inner door'} of {name}"
    side = _wall_of(battle, opening_id)
    alike = [
        key
        for key, other in openings.items()
        if key.partition(":")[0] == building
        and (other.kind, other.level, other.other) == (opening.kind, opening.level, opening.other)
        and _wall_of(battle, key) == side
    ]
    number = f" {alike.index(opening_id) + 1}" if len(alike) > 1 else ""
    floor = f", floor {opening.level}" if opening.level else ""
    return f"the {side} {opening.kind}{number} of {name}{floor}"


def _wall_of(battle: Battle, opening_id: str) -> str:
    """Return the compass point of the wall that an opening is in."""
    w, s, e, n = battle.field.buildings[opening_id.partition(":")[0]].box
    x, y = battle.field.openings[opening_id].at
    across, along = (2 * x - w - e) / (e - w), (2 * y - s - n) / (n - s)
    if abs(along) >= abs(across):
        return "north" if along > 0 else "south"
    return "east" if across > 0 else "west"


def place_name(battle: Battle, section: str) -> str:
    """Return a section's name: building, room number and floor."""
    if not section:
        return "the open air"
    building, level, number = section.split(":")
    floor = f", floor {level}" if level != "0" else ""
    return f"room {int(number) + 1} of {building_name(battle, building)}{floor}"


def _inside(section: str) -> str:
    """Return a section's name after that of an opening: the room and its floor, or the open air."""
    if not section:
        return "the open air"
    _, level, number = section.split(":")
    return f"room {int(number) + 1}{f', floor {level}' if level != '0' else ''}"


def prone_note(prone: int, men: int) -> str:
    """Return how many of a unit's men are prone: "" for none."""
    if prone and prone == men:
        return "prone" if men == 1 else "all prone"
    return f"{prone} prone" if prone else ""


def _target(wording: Wording, target: str) -> str:
    """Return another unit's text with its distance, base to base (FBN-005).

    Measuring is free, except for guns that guess a range (FBN-006).
    """
    battle, unit = wording
    other, away = battle.units[target], ""
    if unit is not None and not any(battle.book.guns[gun.kind].fire != "direct" for gun in unit.guns):
        gaps = [range_between(battle, a, b) for a in unit.figures.values() for b in other.figures.values()]
        away = f", {distance_note(min(gaps, default=0.0))}"
    men = len(other.figures)
    shape = f" in {FORMATION_NAMES[other.shape]}" if men > 1 and not other.guns else ""
    prone = prone_note(sum(figure.prone for figure in other.figures.values()), men)
    return f"{in_a_sentence(other.spec.name)}{away}, {amount(men, 'man', 'men')}{shape}{f', {prone}' if prone else ''}"


def _price(wording: Wording, target: str) -> str:
    """Return the AC of a shot at a target for the weapons of a unit's men (FBN-038, FBN-194)."""
    men = wording.unit.figures.values() if wording.unit is not None else ()
    costs = sorted({shot_cost(wording.battle, figure, target) for figure in men if figure.weapon != "none"})
    return f"{' or '.join(map(str, costs)) or '1'} AC each"


def _crew(wording: Wording, number: int) -> str:
    """Return the CS of a gun's best crewman, as the end of a text."""
    battle, unit = wording
    return f", CS {best_cs(battle, unit, unit.guns[number]):+d}" if unit is not None else ""


def _pace(wording: Wording, gait: int) -> str:
    """Return the distances of a gait and the price of a turn (FBN-174, FBN-175)."""
    book = wording.battle.book
    kind = book.gaits[gait]
    least = f'{kind.least}" to ' if kind.least else "up to "
    price = f', a turn of {book.file.turn_of_mount.degrees:g}° costs {kind.turn}"' if kind.turn else ""
    return f'{least}{kind.most}"{price}'


def _run(wording: Wording, target: str) -> str:
    """Return how far a unit can charge, and that no man reaches the target if so."""
    battle, unit = wording
    foot = [figure for figure in unit.figures.values() if not figure.mounted] if unit is not None else []
    reach = max((allowance(battle, figure, charging=True) for figure in foot), default=0)
    if unit is None or not reach:
        return ""
    if battle.book.settings.charge_actions == 3:
        return f': straight, up to {reach}" an action'
    other = battle.units[target]
    falls_short = all(visible_contact_spot(battle, unit, man, other) is None for man in chargers(battle, unit))
    return f': straight, up to {reach}"' + (", too far for every man" if falls_short else "")


def _armour(wording: Wording, shot: Any) -> str:
    """Return the DS of the gun that a shot aims at."""
    gun = wording.battle.units[shot.target].guns[shot.number]
    return f"DS {wording.battle.book.guns[gun.kind].ds}"


FORMATS: Mapping[str, Callable[[Wording, Any], str]] = {
    "armour": _armour,
    "crew": _crew,
    "formation": lambda wording, name: FORMATION_NAMES[name],
    "gait": lambda wording, gait: GAITS[gait],
    "gun": lambda wording, number: str(number + 1),
    "inside": lambda _, section: _inside(section),
    "house": lambda wording, building: building_name(wording.battle, building),
    "man": lambda wording, man: wording.battle.specs[man].name,
    "pace": _pace,
    "place": lambda wording, section: place_name(wording.battle, section),
    "points": lambda wording, building: amount(wording.battle.houses[building].points, "point"),
    "price": _price,
    "run": _run,
    "squad": lambda wording, target: _target(Wording(wording.battle, None), target),
    "target": _target,
    "unit": lambda wording, other: in_a_sentence(wording.battle.units[other].spec.name),
    "way": lambda wording, opening: opening_name(wording.battle, opening),
}
"""The formats of gaps for fields of actions, by name."""


def formats(battle: Battle, unit: Unit | None) -> dict[str, Callable[[Any], str]]:
    """Return the formats for a battle and the unit that acts."""
    wording = Wording(battle, unit)
    return {name: partial(how, wording) for name, how in FORMATS.items()}
