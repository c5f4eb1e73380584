"""Sentences for questions, options and events."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zareba.base.grammar import amount, in_a_sentence, join_with_or, with_the
from zareba.battle.templates import Data, More, Name, event_text, fill, question_text, words_next_to
from zareba.chance import AtLeast, SumBands
from zareba.presentation.landmarks import NO_LANDMARKS, Landmarks
from zareba.table import Draw, Event, Question, Roll
from zareba_rulesets.fixed_baynet.chapters.hits import wound_name
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import FigureSpec, Unit
from zareba_rulesets.fixed_baynet.translation import Squad

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
    return {"place": landmarks.goal((data["x"], data["y"]))} if "x" in data else {}
