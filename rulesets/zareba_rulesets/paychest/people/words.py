"""How questions, options and events read to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.amounts import amount, listed
from zareba.table import Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba.telling import common_sentence
from zareba_rulesets.paychest.chapters.fire.firestep import volley_group
from zareba_rulesets.paychest.chapters.guns.gunnery import gun_groups
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.bearers import bearer_of
from zareba_rulesets.paychest.forces.units import Figure, Unit
from zareba_rulesets.paychest.translation import Plan

__all__ = ["event_sentence", "figure_line", "option_phrase", "question_sentence", "unit_line"]

QUESTIONS = {
    "set up at": "{actor}: where in its zone does it form up?",
    "arrive at": "{actor}: where on the edge does it come on?",
    "acting corporal": "{actor}: who is promoted to lead it?",
    "handle": "{actor}: does anybody pick up, drop or take something?",
    "carry on to": "{actor}: where to with the rest of the move?",
    "move": "{actor}: what does it do in its move step?",
    "gait": "{actor}: halt, advance or run?",
    "move to": "{actor}: make for which point?",
    "get on": "{actor}: do those who have reached it get on?",
    "drive to": "{actor}: drive to which point?",
    "at the edge": "{actor}: do those at the table edge leave?",
    "posture": "{actor}: up behind its cover, or down?",
    "fire": "{actor}: what fires next?",
    "fires": "Does {actor} fire in this volley?",
    "climbs": "Does {actor} climb the wall?",
    "saddle": "Does {actor} {verb}?",
    "seat": "Does {actor} {verb}?",
    "volley at": "{actor}: a volley at whom?",
    "stretch from": "{actor}: where does the stretch begin?",
    "stretch to": "{actor}: and where does it end (at its beginning: that place alone, or begin elsewhere)?",
    "served by": "{actor}: who serves it?",
    "go on to": "{actor}: where to with the rest of the move?",
    "order for": "The commander of {seat}: an order to give? To which unit?",
    "order to": "{actor}: ordered to make for which point?",
    "fire at unit": "{actor}: fire at a figure of which unit?",
    "fire at": "{actor}: at which figure?",
    "gun at": "{actor}: the gun fires at whom?",
    "melee": "{actor}: who fights hand to hand?",
    "fights next": "{actor}: who fights next?",
    "fights": "{actor}: whom does he fight?",
    "joins against": "Who joins in against {actor}?",
    "which man is hit": "{actor}: which of the two takes the hit?",
    "brave deed in": "The commander of {seat}: a brave deed to note? In which unit?",
    "brave deed of": "The commander of {seat}: whose deed?",
}
ACTS = {
    "pick up": "{1} picks up {2}",
    "drop": "{1} drops {2}",
    "take": "{1} takes the {3}",
    "leader": "{1} fires",
    "gun": "fire the {1}",
    "unjam": "clear the {1}, giving up a shot",
    "limber": "limber the {1}",
    "unlimber": "unlimber the {1}",
    "push": "push the {1}",
    "drive": "drive the {1} ({2})",
    "board": "get on the {1}",
    "get off": "get off the {1}",
    "rise": "the {1} rises",
    "sink": "the {1} sinks",
    "climb": "climb the wall",
}
VERBS = {"up": "mount", "down": "dismount", "board": "get on", "get off": "get off"}
MOUNT = {"up": "mount, and ride on", "down": "dismount, and walk on"}
GAITS = {"advance": "on the advance", "run": "at the run"}
FATES = {"dead": "killed", "unconscious": "knocked out", "off": "driven off"}

RESULTS = {
    "rout_4d6_off_board": "it routs 4d6, now and every turn till it is off the table",
    "rout_3d6_rally_7": "it routs 3d6 till it rallies",
    "fall_back_3d6_backs_now": "it falls back 3d6, backs turned",
    "fall_back_2d6_backs_now": "it falls back 2d6, backs turned",
    "fall_back_2d6_backs_next": "on its next move it falls back 2d6, backs turned",
    "fall_back_2d6_facing_next": "on its next move it falls back 2d6, facing the enemy",
    "hold_figures_1_2": "it holds, but who throws 1 or 2 runs 1d6",
    "hold_figures_1": "it holds, but who throws 1 runs 1d6",
    "hold": "it holds",
}


def _man(name: str, unit: str) -> str:
    """A man with his unit, unless he is all of it."""
    return name if name == unit else f"{name} of {unit}"


def _plain(battle: Battle, word: str) -> str:
    """The name of a figure, unit, gun or thing; any other word as people write it."""
    if word in battle.units:
        return battle.units[word].spec.name
    if word in battle.engines:
        return battle.engines[word].name
    if word in battle.things:
        return battle.things[word].name
    unit, _, number = word.rpartition(".")
    if unit in battle.units and word in battle.units[unit].figures:
        figure = battle.figure(word)
        return _man(figure.spec.name, battle.units[unit].spec.name) if number else word
    return word.replace("_", " ")


def question_sentence(battle: Battle, question: Question, sides: Mapping[str, str]) -> str:
    """The question in one sentence, with the sides by name; for dice what is thrown and how it is read."""
    actor = _plain(battle, question.actor)
    if isinstance(question, Roll):
        die = f"{question.dice}d{question.sides}"
        why = question.why.capitalize().replace("_", " ")
        return f"{why}, {actor}: throw {die}, read as {question.read.name}"
    if isinstance(question, Draw):
        return "Turn over the next card" if question.why == "card" else f"A casualty card for {actor}"
    verb = VERBS.get(question.about[0], "") if isinstance(question, Confirm) and question.about else ""
    return QUESTIONS[question.why].format(seat=sides.get(question.seat, question.seat), actor=actor, verb=verb)


def option_phrase(battle: Battle, question: Choose | Place | Confirm, option: Option) -> str:
    """One option as a phrase."""
    if isinstance(option, tuple):
        each = ", man by man" if option[-1] == "man by man" else ""
        if (
            option[0] == "pick up"
            and question.why == "handle"
            and bearer_of(battle, battle.side_of(battle.figure(option[1])), option[2])
        ):
            return f"{_plain(battle, option[1])} takes hold of {_plain(battle, option[2])} as well"
        if option[0] in ACTS and question.why in ("handle", "fire", "move", "get on"):
            gait = " at the run" if option[0] == "push" and option[-1] == "run" else ""
            return ACTS[option[0]].format(*(_plain(battle, str(word)) for word in option)) + gait + each
        if option[0] == "mount" and question.why == "move":
            return MOUNT[option[1]] + each
        if question.why in ("volley at", "gun at"):
            return _group(battle, question, option)
        return listed(_plain(battle, str(name)) for name in option)  # who serves a piece, or what a house rule offers
    if option in battle.units:
        return unit_line(battle, battle.unit(str(option)))
    unit = str(option).rpartition(".")[0]
    if unit in battle.units:
        return figure_line(battle, battle.figure(str(option)))
    return str(option)


def _group(battle: Battle, question: Choose | Place | Confirm, option: tuple[Any, ...]) -> str:
    """A group that may be fired at: how many may be hit, and how many hide."""
    hidden = 0
    if isinstance(question, Choose) and question.why == "volley at":
        _, group = volley_group(battle, battle.unit(question.actor), option, question.about)
    else:
        target = gun_groups(battle, battle.engines[question.actor])[option[0], option[1]]
        group, hidden = target.exposed, len(target.hidden)
    unit, about = battle.unit(option[0]).spec.name, _plain(battle, option[1])
    if not group:
        return f"{hidden} of {unit} in hiding about {about}"
    return f"{len(group)} of {unit} about {about}" + (f", and {hidden} in hiding" if hidden else "")


def figure_line(battle: Battle, figure: Figure) -> str:
    """A figure in one line: name, unit, what ails him."""
    wounds = [wound.replace("_", " ") for wound in figure.wounds]
    state = [figure.fate] if figure.fate != "able" else []
    notes = ", ".join([*state, *wounds, *sorted(figure.marks & {"down", "back turned", "lame"})])
    name = _man(figure.spec.name, battle.unit_of(figure).spec.name)
    return f"{name} ({notes})" if notes else name


def unit_line(battle: Battle, unit: Unit) -> str:
    """A unit in one line: name, able figures, orders that hang over it."""
    return f"{unit.spec.name} ({', '.join([f'{len(unit.able)} able', *unit_states(unit)])})"


def unit_states(unit: Unit) -> list[str]:
    """What is the matter with a unit, in words."""
    notes = ["routing"] if unit.rout else []
    notes += ["must fall back"] if unit.pending else []
    return notes + (["must stand idle"] if "inactive" in unit.marks else [])


def _loss(unit: str, man: str) -> str:
    """The loss of a leader; who is a unit by himself is not lost by anybody."""
    return f"{man} was lost" if man == unit else f"{unit} lost {man}"


def _lost(data: Mapping[str, Any], unit: str) -> str:
    """A loss of which a house rule says no more than how many of which unit."""
    return f"{unit} lost {amount(data.get('lost', 1), 'man', 'men')}"


def _fate(data: Mapping[str, Any], man: str) -> str:
    """What has become of a man, and by which edge he was driven off."""
    over = f" over the {data['edge']} edge" if "edge" in data else ""
    return f"{man} was {FATES.get(data.get('fate', 'lost'), data.get('fate', 'lost'))}{over}"


def _result(data: Mapping[str, Any], unit: str) -> str:
    """A second morale roll, and whether nothing comes of it (PAY-169)."""
    result = RESULTS.get(data["result"], data["result"].replace("_", " "))
    return f"{unit} rolled {data['rolled']}: {result}" + ("; but it has a worse order already" if data["void"] else "")


def _forced(data: Mapping[str, Any], unit: str) -> str:
    """A forced move, or that a unit could not make it."""
    far = amount(data["inches"], "inch", "inches")
    if not data["figures"]:
        verb = "rout" if data["rout"] else "fall back"
        return f"{unit} had to {verb} {far}, but nobody of it could move"
    verb, way = "routed" if data["rout"] else "fell back", "backs turned" if data["backs"] else "facing the enemy"
    return f"{unit} {verb} {far}, {way}"


def _altitude(data: Mapping[str, Any], flyer: str) -> str:
    """A flyer that has risen or sunk a step."""
    if not data["steps"]:
        return f"{flyer} came down to the ground"
    return f"{flyer} {'rose' if data['rose'] else 'sank'} to altitude {data['steps']}"


def _some(data: Mapping[str, Any], name: Callable[[str], str], verb: str) -> str:
    """How many of a unit did something; who is a unit by himself is not one of anybody."""
    unit, count = name(data["unit"]), data["figures"]
    alone = name(f"{data['unit']}.1") == unit
    return f"{unit} {verb}" if alone and count else f"{count or 'nobody'} of {unit} {verb}"


Told = Callable[[Mapping[str, Any], Callable[[str], str]], str]

EVENTS: dict[str, Told] = {
    "set up": lambda d, n: f"{n(d['unit'])} took post at {d['at'][0]:g}, {d['at'][1]:g}",
    "arrived": lambda d, n: f"{n(d['unit'])} came on at {d['at'][0]:g}, {d['at'][1]:g}",
    "order": lambda d, n: f"the commander ordered {n(d['unit'])} to {d['to'][0]:g}, {d['to'][1]:g}",
    "card": lambda d, n: f"the card of {n(d['unit'])} came up",
    "card without effect": lambda d, n: (
        f"the card of {n(d['unit'])} came up: {'it has run already' if d['ran'] else 'nobody of it is left'}"
    ),
    "move": lambda d, n: (
        f"{n(d['by'])} made for {d['to'][0]:g}, {d['to'][1]:g} (up to {amount(d['inches'], 'inch', 'inches')})"
    ),
    "drives": lambda d, n: f"{n(d['engine'])} went to {d['to'][0]:g}, {d['to'][1]:g}",
    "stayed": lambda d, n: f"{n(d['by'])} went nowhere, but counted as {GAITS[d['gait']]}",
    "got on": lambda d, n: _some(d, n, "got on") + f" {n(d['engine'])}",
    "got off": lambda d, n: _some(d, n, "got off") + f" {n(d['engine'])}",
    "altitude": lambda d, n: _altitude(d, n(d["engine"])),
    "limbered": lambda d, n: f"{n(d['engine'])} was limbered",
    "unlimbered": lambda d, n: f"{n(d['engine'])} was unlimbered",
    "mounted": lambda d, n: _some(d, n, "mounted"),
    "dismounted": lambda d, n: _some(d, n, "dismounted"),
    "climbed": lambda d, n: _some(d, n, "climbed") + " the wall",
    "lies down": lambda d, n: _some(d, n, "ducked behind cover"),
    "gets up": lambda d, n: _some(d, n, "rose from cover"),
    "fire": lambda d, n: (
        f"{n(d['by'])} fired {amount(d['shots'], 'shot')} at {n(d['target'])}: {amount(d['hits'], 'hit')}"
    ),
    "gun fires": lambda d, n: f"{n(d['gun'])} fired at {n(d['target'])} and {'hit' if d['hit'] else 'missed'}",
    "jammed": lambda d, n: f"{n(d['gun'])} jammed",
    "jam cleared": lambda d, n: f"{n(d['unit'])} cleared the jam of {n(d['gun'])}",
    "casualty": lambda d, n: f"{n(d['figure'])}: {d['card'].replace('_', ' ')}",
    "void card": lambda d, n: f"{n(d['figure'])}: {d['card'].replace('_', ' ')}, but that part is covered",
    "died": lambda d, n: f"{n(d['figure'])} was killed where he lay",
    "loss": lambda d, n: _fate(d, n(d["figure"])) if "figure" in d else _lost(d, n(d["unit"])),
    "came round": lambda d, n: f"{n(d['figure'])} came round",
    "leader lost": lambda d, n: _loss(n(d["unit"]), n(d["figure"])),
    "steady": lambda d, n: f"{n(d['unit'])} stood the loss of its leader",
    "shaken": lambda d, n: f"the loss of its leader shook {n(d['unit'])}",
    "takes command": lambda d, n: f"{n(d['figure'])} took command of {d['side']}",
    "promoted": lambda d, n: f"{n(d['figure'])} became {d['rank'].replace('_', ' ')}",
    "brave deed": lambda d, n: f"a brave deed of {listed(map(n, d['figures']))}: {d['deed']}",
    "melee": lambda d, n: (
        f"{listed(map(n, d['ours']))} against {listed(map(n, d['theirs']))}: "
        f"{amount(d['hits'][0], 'hit')} to {d['hits'][1]}"
    ),
    "morale passed": lambda d, n: f"{n(d['unit'])} passed morale with {d['rolled']} above {amount(d['hits'], 'hit')}",
    "morale failed": lambda d, n: f"{n(d['unit'])} had to roll again: {d['rolled']} for {amount(d['hits'], 'hit')}",
    "second morale roll": lambda d, n: _result(d, n(d["unit"])),
    "shock": lambda d, n: f"the fire shook {n(d['unit'])}, {d['hidden']} of it hidden",
    "forced move": lambda d, n: _forced(d, n(d["unit"])),
    "figures ran": lambda d, n: _some(d, n, "ran"),
    "rallied": lambda d, n: f"{n(d['unit'])} rallied",
    "taken up": lambda d, n: f"{n(d['figure'])} {'took hold of' if d['led'] else 'took up'} {n(d['object'])}",
    "dropped": lambda d, n: f"{n(d['figure'])} {'let go of' if d['led'] else 'dropped'} {n(d['object'])}",
    "weapon taken": lambda d, n: f"{n(d['figure'])} took a {d['weapon'].replace('_', ' ')}",
    "carried off": lambda d, n: f"{n(d['object'])} went over the {d['edge']} edge",
    "left the table": lambda d, n: f"{n(d['figure'])} left the table over the {d['edge']} edge",
}


def event_sentence(plan: Plan, event: Event, sides: Mapping[str, str]) -> str:
    """What happened in one sentence, with the sides by name."""

    def name(word: str) -> str:
        if word in plan.units:
            return plan.units[word].name
        if word in plan.figures:
            figure = plan.figures[word]
            return _man(figure.name, plan.units[figure.unit].name)
        if word in plan.engines:
            return plan.engines[word].name
        if word in plan.things:
            return plan.things[word].name
        what, _, whose = word.partition(" of ")  # a mount or weapon that somebody has left
        owner = whose.partition(" ")[0]
        return f"the {what.replace('_', ' ')} of {name(owner)}" if owner in plan.figures else word

    told, side = EVENTS.get(event.kind), event.data.get("side", "")
    return common_sentence(event, name) if told is None else told({**event.data, "side": sides.get(side, side)}, name)
