"""Names and states of units, men, guns and places, as text."""

from __future__ import annotations

from collections import Counter

from zareba.base.grammar import amount, join_with_and
from zareba.presentation.narration import wind_name
from zareba_rulesets.fixed_baynet.actions.wording import FORMATION_NAMES, distance_note, prone_note
from zareba_rulesets.fixed_baynet.chapters.hits import wound_name
from zareba_rulesets.fixed_baynet.chapters.sight import band_of, range_between
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, FigureSpec, Gun, Unit
from zareba_rulesets.fixed_baynet.presentation.words import man_of_unit, words
from zareba_rulesets.fixed_baynet.translation import ROLE_NAMES

STATES = ("pinned", "unformed", "hidden", "activated")
GAITS_IN_PAST = ("stood", "walked", "cantered", "galloped")
"""The verb for a rider at each gait of `GAITS`."""


def unit_line(unit: Unit) -> str:
    """Return a unit in one line: name and state."""
    if not unit.on_table or unit.box[0] < 0:
        return f"{unit.spec.name} (off the table)"
    return f"{unit.spec.name} ({unit_state(unit)})"


def unit_state(unit: Unit, with_facing: bool = True) -> str:
    """Return the state of a unit on the table: strength, arms, formation, glory and conditions.

    Without `with_facing`, leave out where its guns point.
    """
    men = list(unit.figures.values())
    notes = [f"{amount(len(men), 'man', 'men')}{_arms(unit)}"]
    if len(men) > 1 and not unit.guns:
        notes.append(FORMATION_NAMES[unit.shape])
    steady = [figure.gl for figure in men if not figure.reaction]
    notes.append(f"glory {max(steady)}+" if steady else "no man steady")
    notes += _condition_notes(men)
    fastest = max((figure.last_gait for figure in men if figure.mounted), default=0)
    if fastest:
        notes.append(f"{GAITS_IN_PAST[fastest]} last turn")
    guns = Counter(_gun_words(gun, with_facing) for gun in unit.guns if gun.wounds > 0)
    notes += [f"{kind if number == 1 else amount(number, kind)}{state}" for (kind, state), number in guns.items()]
    notes += [state for state in STATES if state in unit.marks]
    return ", ".join(notes)


def _arms(unit: Unit) -> str:
    """Return the weapons of a unit, as the end of a phrase; "" if it has none."""
    weapons = sorted({figure.weapon for figure in unit.figures.values()} - {"none"})
    close = any(figure.spec.close for figure in unit.figures.values()) and not {"spear", "melee_weapon"} & set(weapons)
    names = [weapon.replace("_", " ") for weapon in weapons]
    arms = [f"a {name}" if len(unit.figures) == 1 else f"{name}s" for name in names]
    arms += ["close weapons"] if close else []
    return f" with {join_with_and(arms)}" if arms else ""


def _condition_notes(men: list[Figure]) -> list[str]:
    """Return notes on how many men are prone, stunned or panicking."""
    panicking: dict[str, int] = {}
    for figure in men:
        if figure.reaction:
            known = words().tables["reactions"]
            reaction = "prone in panic" if figure.reaction == "prone" else known.get(figure.reaction, figure.reaction)
            panicking[reaction] = panicking.get(reaction, 0) + 1
    lying = sum(figure.prone for figure in men)
    stunned = sum("stunned" in figure.marks for figure in men)
    notes = [prone] if (prone := prone_note(lying, len(men))) else []
    notes += [f"{stunned} stunned"] if stunned else []
    return notes + [f"{count} {reaction}" for reaction, count in panicking.items()]


def _gun_words(gun: Gun, with_facing: bool) -> tuple[str, str]:
    """Return the type of a gun, and its facing if wanted and state as the end of a phrase."""
    state = " captured" if gun.taken_by else " jammed" if gun.jam == "jammed" else ""
    facing = f" facing {wind_name(gun.bearing)}" if with_facing else ""
    return gun.kind.replace("_", " "), f"{facing}{state}"


def _role_of_named(spec: FigureSpec) -> list[str]:
    """Return the role of a man with a name in the scenario. Other names contain the role already."""
    return [ROLE_NAMES[spec.role]] if spec.leader_id and spec.role in ROLE_NAMES else []


def who(battle: Battle, figure_id: str) -> str:
    """Return a man's name with his rank, wounds and AC."""
    spec, unit = battle.specs[figure_id], battle.unit_of(figure_id)
    notes = _role_of_named(spec)
    if unit is not None:
        figure = unit.figures[figure_id]
        notes += [wound_name(location) for location in sorted(figure.locations)]
        notes += ["prone"] if figure.prone else []
        notes += [f"{figure.ac} AC"] if unit.spec.id == battle.active else []
    return f"{spec.name} ({', '.join(notes)})" if notes else spec.name


def man_aimed_at(battle: Battle, actor: str, aim: str) -> str:
    """Return a target's name with its distance and range band."""
    firer_unit, target_unit = battle.unit_of(actor), battle.unit_of(aim)
    if firer_unit is None or target_unit is None:
        return aim
    figure, man = firer_unit.figures[actor], target_unit.figures[aim]
    away = range_between(battle, figure, man)
    band = band_of(battle, figure, away) if figure.weapon != "none" else None
    notes = _role_of_named(man.spec)
    notes += [distance_note(away), *([f"{band} range"] if band else [])]
    return f"{man_of_unit(man.spec.name, target_unit.spec.name)} ({', '.join(notes)})"
