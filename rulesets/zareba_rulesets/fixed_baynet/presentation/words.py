"""Texts for players: questions, events, names and options."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zareba.actions import ActionTable
from zareba.base.grammar import amount, in_a_sentence, join_with_and, join_with_or, with_the
from zareba.battle.sentence_templates import Data, More, Name, event_text, fill, question_text, words_next_to
from zareba.chance import AtLeast, SumBands
from zareba.presentation.landmarks import NO_LANDMARKS, Landmarks
from zareba.presentation.narration import wind_name
from zareba.table import Choose, Draw, Event, Option, Question, Roll
from zareba_rulesets.fixed_baynet.actions.activation import MAN_ACTIONS, UNIT_ACTIONS, asks_for_action, menu_of
from zareba_rulesets.fixed_baynet.actions.wording import FORMATION_NAMES, distance_note, formats, numbers, prone_note
from zareba_rulesets.fixed_baynet.chapters.hits import wound_name
from zareba_rulesets.fixed_baynet.chapters.sight import band_of, range_between
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Figure, FigureSpec, Gun, Unit
from zareba_rulesets.fixed_baynet.translation import ROLE_NAMES, Squad

# --- Questions and events ---------------------------------------------------------------------------------------------


words = words_next_to(__file__)
"""The sentences of these rules."""


def question_sentence(battle: Battle, question: Question, sides: Mapping[str, str]) -> str:
    """Return a question as one sentence, with the sides by name; for dice, what is rolled and what succeeds."""
    actor = _name(battle, question.actor, sides)
    if isinstance(question, Roll):
        die = f"{question.dice}d{question.sides}" if question.dice > 1 else f"a D{question.sides}"
        return f"{question.why.capitalize()} for {in_a_sentence(actor)}: roll {die}{_takes(battle, question)}"
    if isinstance(question, Draw):
        return f"{question.why.capitalize()}: draw at random"
    if question.why == "activate" and question.rule == "FBN-008":
        return f"{sides.get(question.seat, question.seat)} rolled highest: first or last to activate?"
    data = {"seat": in_a_sentence(sides.get(question.seat, question.seat)), "actor": actor}
    if question.why in ("act", "which man"):
        data["left"] = _left(battle.units[question.actor])
    return question_text(words(), question, data)


def _left(unit: Unit) -> str:
    """Return the AC that the men and guns of the active unit have left."""
    able = [figure.ac for figure in unit.figures.values() if figure.able]
    men = join_with_or(str(ac) for ac in sorted(set(able), reverse=True)) if able else "no"
    each = " for each man" if len(able) > 1 else ""
    guns = "".join(f", {gun.ac} for gun {number}" for number, gun in enumerate(unit.guns, 1) if gun.in_play)
    return f"{men} AC left{each}{guns}"


def _takes(battle: Battle, roll: Roll) -> str:
    """Return what a roll needs to succeed, as far as its reading shows."""
    if roll.why == "initiative":
        return words().tables["initiative"][battle.book.settings.initiative_highest]
    bands = roll.read.thresholds if isinstance(roll.read, SumBands) else ()
    if bands and roll.why in ("gun", "lay"):
        return _gun_takes("FBN-219" if roll.why == "lay" else roll.rule, bands, roll.sides)
    if bands and (roll.rule == "FBN-204" or roll.why == "gun again"):
        return f"; {bands[0]} or more hits"
    if bands and roll.rule == "FBN-247":
        return f"; {bands[0]} or more hits, {_from(bands[1], roll.sides)} goes through the wall"
    if roll.why in ("shot", "burst", "collapse", "counter-attack") and bands:
        return f"; {bands[0]} or more hits, {_from(bands[1], roll.sides)} is a bloody death"
    if roll.why in ("blow", "parry") and roll.dice > 1:
        return "; the better one counts"
    if bands and roll.why == "deviation":
        return ", halved"  # a D3 (FBN-004)
    if isinstance(roll.read, AtLeast):
        return f"; {roll.read.target} or more {'jams the gun' if roll.why == 'jam' else 'succeeds'}"
    return words().tables["takes"].get(roll.why, "")


def _gun_takes(rule: str, bands: Sequence[int], faces: int) -> str:
    """Return what a gun's roll needs: a hit unless it always deviates, a critical miss, the best scores (FBN-220)."""
    event_text = [f"{bands[1]} or more hits"] if rule != "FBN-219" else []
    if bands[0] > 1:
        event_text.append(f"{'up to ' * (bands[0] > 2)}{bands[0] - 1} is a critical miss")
    best = words().tables["best"]
    if rule in best:
        event_text.append(f"{_from(bands[2], faces)} {best[rule]}")
    return "; " + ", ".join(event_text) if event_text else ""


def _from(score: int, faces: int) -> str:
    """Return the scores of a die from one score up, as text."""
    return f"{score} or more" if score < faces else str(score)


def _name(battle: Battle, actor: str, sides: Mapping[str, str]) -> str:
    """Return the name of a unit, a gun's unit, a man or a side."""
    unit = battle.units.get(actor) or battle.units.get(actor.rpartition(" ")[0])
    if unit is not None:
        return unit.spec.name
    spec = battle.specs.get(actor)
    return spec.name if spec is not None else sides.get(actor, actor)


def man_of_unit(man: str, unit: str) -> str:
    """Return a man's name with his unit, unless his name contains it already."""
    if unit in man:
        return man
    return f"{man} ({unit})" if " of " in man else f"{man} of {in_a_sentence(unit)}"


def _part_of_unit(d: Data, n: Name) -> dict[str, Any]:
    """Return a unit's name or, if only some of its men took part, their number (FBN-033)."""
    whole = d["men"] == d["of"]
    part = n(d["unit"]) if whole else f"{d['men']} of {amount(d['of'], 'man', 'men')} of {in_a_sentence(n(d['unit']))}"
    return {"some": part, "whole": whole}


def _charge_end(d: Data, n: Name) -> dict[str, Any]:
    """Return how many chargers came into contact and within reach.

    A charge that falls short is a charge, too (FBN-044).
    """
    if not d["contacts"] and not d["reach"]:
        return {"end": " and fell short"}
    men = amount(d["men"], "man", "men")
    if not d["contacts"]:
        return {"end": f" without contact: {d['reach']} of {men} within reach of a blow"}
    more = f", {d['reach']} more within reach of a blow" if d["reach"] else ""
    return {"end": f": {d['contacts']} of {men} in contact{more}"}


def _blow_end(d: Data, n: Name) -> dict[str, Any]:
    """Return the result of a blow for the man who lost (FBN-104)."""
    if not d["loser"]:
        return {"end": "a miss"}
    return {"end": f"the {d['loser']} {words().tables['blows'].get(d['result'], d['result'])}"}


def _rally_end(d: Data, n: Name) -> dict[str, Any]:
    """Return how many of the rallied men recovered from panic (FBN-159)."""
    verb = "are" if d["calmed"] != 1 else "is"
    return {"calm": f"; {d['calmed']} of them {verb} no longer in panic" if d["calmed"] else ""}


def _deed(d: Data, n: Name) -> dict[str, Any]:
    """Return the text of a heroic deed."""
    surplus = amount(d["surplus"], "more loss", "more losses")
    return {"deed": fill(words().tables["deeds"][d["why"]], {"surplus": surplus}, str)}


MORE: dict[str, More] = {
    **dict.fromkeys(("move", "at openings", "ride", "lies down", "gets up", "dismounts", "mounts"), _part_of_unit),
    "blow": _blow_end,
    "charge": _charge_end,
    "loss": lambda d, n: {"whom": man_of_unit(n(d["figure"]), n(d["unit"]))},
    "rally": _rally_end,
    "deed": _deed,
}
"""Additional values for sentences, computed from the data of their events."""


def name_in_play(squads: Mapping[str, Squad], specs: Mapping[str, FigureSpec], word: str) -> str:
    """Return the name of a unit, a man or a unit's gun of these rules by id, or "" for any other word."""
    if word in squads:
        return squads[word].spec.name
    if word in specs:
        return specs[word].name
    unit, _, part = word.rpartition(" ")
    if unit in squads and (part == "gun" or part.isdigit()):  # a machine gun has no number
        return f"{'the gun' if part == 'gun' else f'gun {part}'} of {in_a_sentence(squads[unit].spec.name)}"
    return "gathered men" if word.startswith("gathered:") else ""


def event_sentence(name: Name, event: Event, landmarks: Landmarks = NO_LANDMARKS) -> str:
    """Return an event as one sentence. `name` returns the names of units, men and sides by id."""
    formats: dict[str, Callable[[Any], str]] = {
        "house": lambda door: with_the(name(str(door).partition(":")[0])),
        "the": lambda place: with_the(name(place)),
        "wound": wound_name,
        "way": lambda way: str(way).replace("_", "-"),
    }
    return event_text(words(), event, name, formats, MORE, **_place(event, landmarks))


def _place(event: Event, landmarks: Landmarks) -> dict[str, str]:
    """Return where a move ended, or whether a round hit and where it landed (FBN-219)."""
    data = event.data
    if event.kind == "gun fires":
        missed = "a miss; " if data["target"] else ""
        return {"end": "a hit" if data["hit"] else f"{missed}it landed {landmarks.spot((data['x'], data['y']))}"}
    point = (data["x"], data["y"]) if "x" in data else None
    return {"place": landmarks.goal(point), "spot": landmarks.spot(point)} if point else {}


# --- Names and states of units, men, guns and places ------------------------------------------------------------------


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


# --- Options: the action, its target, distance and cost ---------------------------------------------------------------


def option_phrase(battle: Battle, question: Choose, option: Option) -> str:
    """Return one option as a phrase."""
    why = question.why
    if why == UNIT_ACTIONS.question:
        acts = menu_of(battle, battle.units[question.actor]).of(option)
        if len(acts) > 1:
            return f"{_kind_text(battle, option)}: {len(acts)} options"
        (option,) = acts
    if asks_for_action(why) or why == MAN_ACTIONS.question:
        table: ActionTable[Any, Any] = MAN_ACTIONS if why == MAN_ACTIONS.question else UNIT_ACTIONS
        actions = table.for_session(battle.book.rules)
        action = actions.action_of(option)
        if action is not None:
            unit = battle.units.get(question.actor)
            return actions.text(action, numbers(battle.book), formats(battle, unit), words())
    if why == "guess the range":
        return (
            f'{option}"' if isinstance(option, int) else f"{option} (the true range to the inch, plus a D6, minus a D6)"
        )
    if why in ("aim at", "strike"):
        return words().options.get(str(option)) or man_aimed_at(battle, question.actor, str(option))
    if why == "turn gun to":
        return f"{option}° ({wind_name(float(option))})"  # type: ignore[arg-type]  # bearings are numbers
    if why == "heal which wound":
        return wound_name(str(option))
    if why == "deploy as" or option in FORMATION_NAMES:
        return FORMATION_NAMES.get(str(option), str(option))
    if option in words().options:
        return words().options[str(option)]
    if option in battle.units:
        return unit_line(battle.units[str(option)])
    if option in battle.specs:
        return who(battle, str(option))
    return " ".join(str(part) for part in option) if isinstance(option, tuple) else str(option).replace("_", " ")


def _kind_text(battle: Battle, option: Option) -> str:
    """Return the text of a kind of action that has several actions."""
    kind = UNIT_ACTIONS.kind_of(option)
    assert kind is not None, "only kinds have several actions"
    gun = option[1] + 1 if isinstance(option, tuple) else ""
    return fill(kind.text, {**numbers(battle.book), "gun": gun}, str)
