"""How questions, options and events read to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.table import Choose, Draw, Event, Option, Question, Roll
from zareba_rulesets.risk_factor.battle import Battle, Unit, UnitSpec

__all__ = ["event_sentence", "option_phrase", "question_sentence", "unit_line"]

QUESTIONS = {
    "will load or fire": "Which leader will load or fire himself this turn? (one command die less)",
    "command": "{actor} has {points} command points: what next?",
    "stay in cover": "{actor} is told to retreat but has cover: stay?",
    "order": "{actor}: what are its orders?",
    "pace": "{actor}: at what pace?",
    "face": "{actor}: face which way?",
    "march to": "{actor}: march to which point?",
    "retreat": "{actor} retreats: into cover or straight away?",
    "combine": "{actor} is weak: join {about}?",
    "shoot at": "{actor}: shoot at whom?",
    "shoot with": "{actor}: shoot with which weapon?",
    "split fire": "{actor}: shoot with half and keep half for another target?",
    "pick a man": "{actor}: which figure of {about}?",
    "belongs to": "{actor} stands between two groups: which does he join?",
    "kill prisoners": "{actor}: how many men kill prisoners?",
    "odd opponents": "Melee of {actor}: who faces the odd opponents?",
    "strike whom": "{actor} won: whom does he strike?",
    "follow up": "{actor} won the melee: follow up?",
    "draw up": "{actor} is revealed: round which point is it drawn up?",
}


def question_sentence(battle: Battle, question: Question) -> str:
    """The question in one sentence; for dice what is thrown and how it is read."""
    actor = _name(battle, question.actor)
    if isinstance(question, Roll):
        return f"{question.why.capitalize()} for {actor}: throw {question.dice}d{question.sides}, read as {question.read.name}"
    if isinstance(question, Draw):
        return f"{question.why.capitalize()} for {actor}: draw at random"
    about = getattr(question, "about", ())
    first = about[0] if about else ""
    words = QUESTIONS[question.why]
    return words.format(actor=actor, about=_name(battle, str(first)), points=first)


def _name(battle: Battle, name: str) -> str:
    unit = battle.units.get(name)
    return unit.spec.name if unit is not None else name


def option_phrase(battle: Battle, question: Choose, option: Option) -> str:
    """One option as a phrase: names for ids, distances and numbers where they help."""
    if question.why == "pick a man":
        unit = battle.units[str(question.about[0])]
        state = "wounded" if unit.hurt[int(str(option))] else "unhurt"
        x, y = unit.body.at[int(str(option))]
        return f"the {state} man at {x:.0f}, {y:.0f}"
    if question.why == "face":
        return ("north", "north-east", "east", "south-east", "south", "south-west", "west", "north-west")[
            int(str(option)) // 45
        ]
    if isinstance(option, tuple):
        if question.why == "strike whom":
            return f"a figure of {_name(battle, option[0])}"
        other = battle.units[option[1]]
        if option[0] == "command":
            return f"command {unit_line(battle, other)}"
        actor = battle.units.get(question.actor)
        away = f", {battle.gap(actor, other).gap:.0f} cm" if actor is not None and actor.hurt and other.hurt else ""
        verb = {"link": "link", "charge": "charge", "advance": "advance on", "join": "go with"}[option[0]]
        return f"{verb} {other.spec.name} ({other.count} figures{away})"
    if isinstance(option, str) and option in battle.units:
        return unit_line(battle, battle.units[option])
    return str(option)


def unit_line(battle: Battle, unit: Unit) -> str:
    """A unit in one line: name, figures, what it does, its status."""
    hurt = sum(unit.hurt)
    wounds = f", {hurt} wounded" if hurt else ""
    if not unit.hurt:
        return f"{unit.spec.name}, {battle.gone.get(unit.spec.id, 'not on the table')}"
    status = f", {unit.status}" if unit.status != "steady" else ""
    commanded = ", commanded" if unit.marks & {"commanded", "linked"} else ""
    risk = f", RF {battle.risk[unit.spec.id]}" if unit.spec.id in battle.risk else ""
    return f"{unit.spec.name}, {unit.count} figures{wounds}, {unit.action}{status}{commanded}{risk}"


Told = Callable[[Mapping[str, Any], Callable[[str], str]], str]

EVENTS: dict[str, Told] = {
    "command points": lambda d, u: f"{u(d['unit'])} throws {d['dice']}D6 for command: {d['points']} points",
    "linked": lambda d, u: (
        f"{u(d['unit'])} passes on orders from {u(d['through'])}: +{d['points']}, {d['pool']} in all"
    ),
    "commanded": lambda d, u: f"{u(d['unit'])} is commanded for {d['points']} points, {d['left']} left",
    "action": lambda d, u: f"{u(d['unit'])}: RF {d['risk']}, die {d['die']}: {d['result'].replace('_', ' ')}",
    "platoon action": lambda d, u: (
        f"the platoon {d['platoon']} throws as one: RF {d['risk']}, die {d['die']}: " + d["result"].replace("_", " ")
    ),
    "holds the works": lambda d, u: f"{u(d['unit'])} stays in its works",
    "move": lambda d, u: f"{u(d['unit'])} moves {d['cm']:g} cm",
    "charge": lambda d, u: f"{u(d['unit'])} charges {u(d['target'])}: {d['contact']} figures in contact",
    "shooting": lambda d, u: (
        f"{u(d['unit'])} shoots at {u(d['target'])} ({d['cover']}): {d['shots']} shots, {d['hits']} hits"
    ),
    "wounded": lambda d, u: f"{u(d['unit'])}: {d['count']} wounded",
    "loss": lambda d, u: f"{u(d['unit'])} loses {d['lost']}, {d['left']} left",
    "destroyed": lambda d, u: f"{u(d['unit'])} is wiped out",
    "fled": lambda d, u: f"{u(d['unit'])} flees from the field",
    "melee": lambda d, u: (
        "melee of "
        + ", ".join(u(name) for name in d["units"])
        + ": "
        + (f"{d['back'][0]} goes back" if len(d["back"]) == 1 else "both sides go back")
    ),
    "pushed back": lambda d, u: f"{u(d['unit'])} goes back",
    "no room": lambda d, u: f"{u(d['unit'])}: {d['count']} without room to go back are wounded",
    "follows up": lambda d, u: f"{u(d['unit'])} follows up",
    "captured": lambda d, u: f"{d['count']} of {u(d['unit'])} are prisoners of {u(d['captor'])}",
    "escaped": lambda d, u: f"{d['count']} prisoners of {u(d['unit'])} escape",
    "prisoners killed": lambda d, u: f"{u(d['captor'])} kills {d['count']} prisoners of {u(d['unit'])}",
    "freed": lambda d, u: f"{d['count']} of {u(d['unit'])} are freed",
    "combined": lambda d, u: f"{u(d['unit'])} joins {u(d['into'])}, now {d['count']}",
    "markers set": lambda d, u: f"{d['count']} markers of {d['side']} lie in cover",
    "marker moved": lambda d, u: f"{d['marker']} moves",
    "dummy": lambda d, u: f"{d['marker']} is nothing",
    "revealed": lambda d, u: f"{d['marker']} is {', '.join(u(name) for name in d['units'])}",
    "takes command": lambda d, u: f"{u(d['unit'])} takes command",
    "arrived": lambda d, u: f"{u(d['unit'])} arrives",
    "left the table": lambda d, u: f"{u(d['unit'])} leaves over the {d['edge']} edge with {d['count']} figures",
    "taken up": lambda d, u: f"{u(d['unit'])} takes up the {d['object'].replace('_', ' ')}",
    "footing": lambda d, u: f"{u(d['unit'])} {'mounts' if d['mounted'] else 'dismounts'}",
    "scattered": lambda d, u: f"{u(d['unit'])} is scattered: a figure sees none of its mates",
    "beaten": lambda d, u: f"{d['side']} is beaten: all its units are going back",
}


def event_sentence(specs: Mapping[str, UnitSpec], event: Event) -> str:
    """What happened in one sentence; a house rule's own events are told by their `text`."""
    told = EVENTS.get(event.kind)
    if told is None:
        return str(event.data.get("text", ""))
    return told(event.data, lambda unit: specs[unit].name if unit in specs else unit)
