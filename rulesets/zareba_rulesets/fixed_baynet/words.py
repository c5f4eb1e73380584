"""How questions, options and events read to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.table import Choose, Draw, Event, Option, Question, Roll
from zareba_rulesets.fixed_baynet.battle import Battle, FigureSpec, Unit
from zareba_rulesets.fixed_baynet.book import GAITS
from zareba_rulesets.fixed_baynet.forces import Squad

__all__ = ["event_sentence", "option_phrase", "question_sentence", "unit_line"]

QUESTIONS = {
    "activate": "Which unit of {seat} is activated next?",
    "act": "{actor}: what does it do?",
    "move to": "{actor}: move its middle to which point?",
    "ride to": "{actor}: ride to which point?",
    "ride on": "{actor}: ride on, charge or halt?",
    "walk to": "{actor} walks to which point?",
    "haul to": "{actor}: haul the gun to which point?",
    "face": "{actor}: face which way?",
    "turn gun to": "{actor}: turn the gun to which bearing?",
    "load": "{actor}: load shot or shell?",
    "aim at point": "{actor}: aim at which point of the ground?",
    "guess the range": "{actor}: how many inches is it to that point?",
    "aim at": "{actor} aims at whom?",
    "strike": "{actor} strikes whom?",
    "which man": "{actor}: which man acts by himself?",
    "what he does": "{actor}: what does he do?",
    "counter-attack": "{actor} is hit: does it answer the volley?",
    "answer": "{actor} is hit: does he answer?",
    "heal which wound": "{actor} heals which wound?",
    "flare over": "{actor} fires the flare over which point?",
    "deploy as": "{actor}: deploy in which formation?",
    "deploy facing": "{actor}: deploy facing which way?",
    "deploy at": "{actor}: deploy where?",
}


def question_sentence(battle: Battle, question: Question) -> str:
    """The question in one sentence; for dice what is thrown and how it is read."""
    actor = _name(battle, question.actor)
    if isinstance(question, Roll):
        die = f"{question.dice}d{question.sides}"
        return f"{question.why.capitalize()} for {actor}: throw {die}, read as {question.read.name}"
    if isinstance(question, Draw):
        return f"{question.why.capitalize()}: draw a lot"
    return QUESTIONS.get(question.why, "{actor}: {why}?").format(seat=question.seat, actor=actor, why=question.why)


def _name(battle: Battle, actor: str) -> str:
    unit = battle.units.get(actor) or battle.units.get(actor.rpartition(" ")[0])
    if unit is not None:
        return unit.spec.name
    spec = battle.specs.get(actor)
    return spec.name if spec is not None else actor


def option_phrase(battle: Battle, question: Choose, option: Option) -> str:
    """One option as a phrase."""
    if isinstance(option, tuple):
        verb, *rest = option
        if verb == "ride":
            return f"ride at a {GAITS[rest[0]]}"
        if verb == "wheel":
            return f"ride at a {GAITS[rest[0]]}, turning on the way"
        if verb == "ride down":
            return f"charge {_what(battle, rest[0])} at a {GAITS[rest[1]]}"
        words = [
            f"gun {part + 1}" if isinstance(part, int) and not isinstance(part, bool) else _what(battle, part)
            for part in rest
        ]
        return " ".join([verb, *(word for word in words if word)])
    if question.why == "guess the range":
        return f'{option}"' if isinstance(option, int) else str(option)
    if isinstance(option, int):
        return f"{option} degrees"
    return _what(battle, option)


def _what(battle: Battle, word: Any) -> str:
    if isinstance(word, bool):
        return "into one unit" if word else ""
    if word in battle.units:
        return unit_line(battle, battle.units[word])
    if word in battle.specs:
        return battle.specs[word].name
    way = battle.field.openings.get(word)
    if way is not None:
        return f"the {way.kind} {way.id}"
    return str(word).replace("_", " ")


def unit_line(battle: Battle, unit: Unit) -> str:
    """A unit in one line: name, where, strength, formation, state."""
    if not unit.on_table:
        return f"{unit.spec.name} (off the table)"
    x, y = unit.middle
    panicking = sum(1 for figure in unit.figures.values() if figure.reaction)
    notes = [f"{len(unit.figures)} men", unit.shape]
    notes += [f"{panicking} in panic"] if panicking else []
    notes += sorted(unit.marks & {"pinned", "activated", "hidden", "unformed"})
    return f'{unit.spec.name} at {x:.0f}", {y:.0f}" ({", ".join(notes)})'


Told = Callable[[Mapping[str, Any], Callable[[str], str]], str]

EVENTS: dict[str, Told] = {
    "initiative": lambda d, n: f"order of activation: {', '.join(d['order'])}",
    "deployed": lambda d, n: f"{n(d['unit'])} deploys",
    "activated": lambda d, n: f"{n(d['unit'])} is activated",
    "move": lambda d, n: f'{n(d["unit"])} moves to {d["x"]}", {d["y"]}"',
    "ride": lambda d, n: f'{n(d["unit"])} rides {d["inches"]}" at a {d["gait"]}',
    "charge": lambda d, n: f"{n(d['unit'])} charges {n(d['target'])}: {d['contacts']} in contact",
    "volley": lambda d, n: f"{n(d['unit'])} fires {d['shots']} shots at {n(d['target'])}",
    "answer": lambda d, n: (
        f"{n(d['figure'])} answers {n(d['target'])}: {('a miss', 'a hit', 'a bloody death')[d['result']]}"
    ),
    "blow": lambda d, n: (
        f"{n(d['figure'])} strikes at {n(d['target'])}: {d['result']}"
        + (f", for the {d['loser']}" if d["loser"] else "")
    ),
    "loss": lambda d, n: f"{n(d['figure'])} of {n(d['unit'])} is lost ({d['how']})",
    "located": lambda d, n: f"{n(d['figure'])} is hit: {d['location'].replace('_', ' ')}",
    "captured": lambda d, n: f"{n(d['figure'])} is taken by {n(d['by'])}",
    "freed": lambda d, n: f"{n(d['figure'])} is free again",
    "destroyed": lambda d, n: f"{n(d['unit'])} is no more",
    "glory event": lambda d, n: f"{n(d['unit'])} loses glory: {d['event']}",
    "glory test": lambda d, n: f"{n(d['unit'])} tests glory with a {d['die']}: now {d['gl']}",
    "panic": lambda d, n: f"{n(d['figure'])} panics: {d['reaction'].replace('_', ' ')}",
    "recovered": lambda d, n: f"{n(d['figure'])} gets a grip on himself",
    "rally": lambda d, n: f"{n(d['officer'])} rallies {d['helped']} men",
    "gathered": lambda d, n: f"{n(d['officer'])} gathers men into a new unit",
    "fall back": lambda d, n: f"{n(d['officer'])} orders {n(d['unit'])} to fall back",
    "deed": lambda d, n: f"a deed of {n(d['unit'])} heartens {len(d['helped'])} units",
    "formation": lambda d, n: f"{n(d['unit'])} forms {d['formation']}",
    "lies down": lambda d, n: f"{n(d['unit'])} lies down",
    "gets up": lambda d, n: f"{n(d['unit'])} gets up",
    "dismounts": lambda d, n: f"{n(d['unit'])} dismounts",
    "mounts": lambda d, n: f"{n(d['unit'])} mounts",
    "healed": lambda d, n: f"{n(d['figure'])} is healed",
    "barrage": lambda d, n: f"{n(d['unit'])} calls for the fire of {n(d['battery'])}",
    "reserve": lambda d, n: f"{n(d['unit'])} is sent for",
    "arrived": lambda d, n: f"{n(d['unit'])} arrives",
    "revealed": lambda d, n: f"{n(d['unit'])} is seen",
    "stumbled": lambda d, n: f"{n(d['figure'])} stumbles into the {d['terrain'].replace('_', ' ')} and falls",
    "flare": lambda d, n: f"{n(d['figure'])} fires a flare",
    "gun fires": lambda d, n: (
        f"{n(d['unit'])} fires {d['ammunition']}"
        + (f" at {n(d['target'])}" if d["target"] else "")
        + (": a hit" if d["hit"] else "")
    ),
    "gun turned": lambda d, n: f"{n(d['unit'])} turns a gun to {d['facing']} degrees",
    "gun moved": lambda d, n: f'{n(d["unit"])} moves a gun {d["inches"]}"',
    "gun lost": lambda d, n: f"a gun of {n(d['unit'])} is knocked out",
    "gun taken": lambda d, n: f"{n(d['by'])} takes a gun of {n(d['unit'])}",
    "salvo": lambda d, n: f"{n(d['unit'])} fires a salvo at {n(d['target'])}: {d['hits']} hits",
    "jammed": lambda d, n: f"{n(d['unit'])} jams",
    "jam cleared": lambda d, n: f"{n(d['unit'])} clears its jam",
    "building hit": lambda d, n: f"the {d['building'].replace('_', ' ')} is hit, {d['left']} points left",
    "building down": lambda d, n: f"the {d['building'].replace('_', ' ')} comes down",
    "crossed": lambda d, n: f"{n(d['figure'])} goes {'into ' + d['section'] if d['section'] else 'outside'}",
    "door open": lambda d, n: f"{n(d['figure'])} opens {d['door']}",
    "climbed": lambda d, n: f"{n(d['figure'])} climbs the ladder",
    "left the table": lambda d, n: f"{n(d['unit'])} leaves over the {d['edge']} edge",
    "taken up": lambda d, n: f"{n(d['unit'])} takes up the {d['object'].replace('_', ' ')}",
}


def event_sentence(squads: Mapping[str, Squad], specs: Mapping[str, FigureSpec], event: Event) -> str:
    """What happened in one sentence; a house rule's own events are told by their `text`."""
    told = EVENTS.get(event.kind)
    if told is None:
        return str(event.data.get("text", ""))

    def name(key: str) -> str:
        if key in squads:
            return squads[key].spec.name
        if key in specs:
            return specs[key].name
        return "gathered men" if key.startswith("gathered:") else key

    return told(event.data, name)
