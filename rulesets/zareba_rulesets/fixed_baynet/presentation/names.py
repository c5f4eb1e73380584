"""Names and states of units, men, guns and places, as text."""

from __future__ import annotations

from zareba.base.grammar import amount, join_with_and
from zareba.presentation.narration import wind_name
from zareba_rulesets.fixed_baynet.actions.wording import FORMATION_NAMES
from zareba_rulesets.fixed_baynet.book.numbers import GAITS
from zareba_rulesets.fixed_baynet.chapters.sight.ranges import band_of
from zareba_rulesets.fixed_baynet.chapters.sight.sight import range_between
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, Gun, Unit

__all__ = [
    "STATES",
    "man_aimed_at",
    "unit_line",
    "unit_state",
    "who",
]

STATES = ("pinned", "unformed", "hidden", "activated")


def unit_line(unit: Unit) -> str:
    """Return a unit in one line: name, position and state."""
    if not unit.on_table or unit.box[0] < 0:
        return f"{unit.spec.name} (off the table)"
    x, y = unit.middle
    return f'{unit.spec.name} at {x:.0f}", {y:.0f}" ({unit_state(unit)})'


def unit_state(unit: Unit) -> str:
    """Return the state of a unit on the table: strength, arms, formation, glory and conditions."""
    men = list(unit.figures.values())
    notes = [f"{amount(len(men), 'man', 'men')}{_arms(unit)}"]
    if len(men) > 1 and not unit.guns:
        notes.append(FORMATION_NAMES[unit.shape])
    steady = [figure.gl for figure in men if not figure.reaction]
    notes.append(f"glory {max(steady)}+" if steady else "no man steady")
    notes += _counts(men)
    fastest = max((figure.last_gait for figure in men if figure.mounted), default=0)
    if fastest:
        notes.append(f"{GAITS[fastest]} last turn")
    notes += [_gun(gun) for gun in unit.guns if gun.wounds > 0]
    notes += [state for state in STATES if state in unit.marks]
    return ", ".join(notes)


def _arms(unit: Unit) -> str:
    """Return the weapons of a unit, as the end of a phrase; "" if it has none."""
    weapons = sorted({figure.weapon for figure in unit.figures.values()} - {"none"})
    close = any(figure.spec.close for figure in unit.figures.values()) and not {"spear", "melee_weapon"} & set(weapons)
    arms = [weapon.replace("_", " ") for weapon in weapons] + (["close weapons"] if close else [])
    return f" with {join_with_and(arms)}" if arms else ""


def _counts(men: list[Figure]) -> list[str]:
    """Return notes on how many men are prone, stunned or panicking."""
    panicking: dict[str, int] = {}
    for figure in men:
        if figure.reaction:
            reaction = "prone in panic" if figure.reaction == "prone" else figure.reaction.replace("_", " ")
            panicking[reaction] = panicking.get(reaction, 0) + 1
    lying = sum(figure.prone for figure in men)
    stunned = sum("stunned" in figure.marks for figure in men)
    notes = [f"{lying} prone"] if lying else []
    notes += [f"{stunned} stunned"] if stunned else []
    return notes + [f"{count} {reaction}" for reaction, count in panicking.items()]


def _gun(gun: Gun) -> str:
    state = " captured" if gun.taken_by else " jammed" if gun.jam == "jammed" else ""
    return f"{gun.kind.replace('_', ' ')} facing {wind_name(gun.bearing)}{state}"


def who(battle: Battle, figure_id: str) -> str:
    """Return a man's name with his rank, wounds and AC."""
    spec, home = battle.specs[figure_id], battle.home(figure_id)
    notes = [spec.role] if spec.role not in ("soldier", "civilian") else []
    if home is not None:
        figure = home.figures[figure_id]
        notes += sorted(location.replace("_", " ") for location in figure.locations)
        notes += ["prone"] if figure.prone else []
        notes += [f"{figure.ac} AC"] if home.spec.id == battle.active else []
    return f"{spec.name} ({', '.join(notes)})" if notes else spec.name


def man_aimed_at(battle: Battle, actor: str, aim: str) -> str:
    """Return a target's name with its distance and range band."""
    own, home = battle.home(actor), battle.home(aim)
    if own is None or home is None:
        return aim
    figure, man = own.figures[actor], home.figures[aim]
    away = range_between(battle, figure, man)
    band = band_of(battle, figure, away) if figure.weapon != "none" else None
    notes = [man.spec.role] if man.spec.leads else []
    notes += [f'{away:.1f}" away', f"{band} range"] if band else [f'{away:.1f}" away']
    return f"{man.spec.name} of {home.spec.name} ({', '.join(notes)})"
