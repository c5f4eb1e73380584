"""How questions, options and events read to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from zareba.amounts import amount
from zareba.rules import Rules
from zareba.table import Choose, Draw, Event, Option, Question, Roll
from zareba.telling import common_sentence
from zareba_rulesets.risk_factor.chapters.actions.risk import RiskFacts
from zareba_rulesets.risk_factor.chapters.casualties import called
from zareba_rulesets.risk_factor.chapters.command import link_price, link_through, price
from zareba_rulesets.risk_factor.forces.battle import Battle, Unit

__all__ = ["event_sentence", "option_phrase", "question_sentence", "unit_line"]

QUESTIONS = {
    "will load or fire": "Which leader will load or fire himself this turn? (one command die less)",
    "command": "Command points left to {actor}: {points}. What next?",
    "stay in cover": "{actor}, told to retreat: stay in cover?",
    "order": "{actor}: what are its orders?",
    "pace": "{actor}: at what pace?",
    "face": "{actor}: face which way?",
    "march to": "{actor}: march to which point?",
    "go on": "{actor}: half a move is left; hold, or march with it?",
    "retreat": "{actor}: retreat into cover or straight away?",
    "combine": "{actor}: weak as it is, join {about}?",
    "shoot at": "{actor}: shoot at whom?",
    "shoot with": "{actor}: shoot with which weapon?",
    "split fire": "{actor}: shoot with half and keep half for another target?",
    "pick a man": "{actor}: which figure of {about}?",
    "belongs to": "{actor} stands between two groups: which does he join?",
    "kill prisoners": "{actor}: how many men kill prisoners?",
    "odd opponents": "Melee of {actor}: who faces the odd opponents?",
    "strike whom": "{actor} won: whom does he strike?",
    "follow up": "{actor} won the melee: follow up?",
    "draw up": "{actor}, revealed: draw up round which point?",
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
        index = int(str(option))
        (man,), (x, y) = called(battle, [(unit.id, index)]), unit.body.at[index]
        return f"{man}, {'wounded' if unit.hurt[index] else 'unhurt'}, at {x:.0f}, {y:.0f}"
    if question.why == "shoot with":
        weapon = str(option)
        return f"{battle.book.weapons[weapon].title}, to {battle.book.reach(weapon)} cm"
    if question.why == "face":
        return _wind(int(str(option)))
    if question.why == "kill prisoners":
        most = int(str(option)) * battle.book.counts["dispatched"]
        return f"{option}: up to {most} die" if most else "none: they are spared"
    if isinstance(option, tuple):
        if question.why == "strike whom":
            state = "wounded" if battle.units[option[0]].hurt[option[1]] else "unhurt"
            return f"{next(iter(called(battle, [option])))}, {state}"
        other = battle.units[option[1]]
        if option[0] == "command":
            bill = price(battle, other, _links(battle, question.actor))
            return f"command for {amount(sum(bill.values()), 'point')} {unit_line(battle, other)}" if bill else other.id
        actor = battle.units.get(question.actor)
        if option[0] == "link":
            links = _links(battle, question.actor)
            through = link_through(battle, other, links)
            if through is None:
                return f"link {other.spec.name}"
            points, by = link_price(battle, other, through, links[0]), f" from {through.spec.name}"
            away = f"{battle.gap(through, other).gap:.0f} cm{'' if through is actor else by}"
            return f"link {other.spec.name} for {amount(points, 'point')} ({other.spec.troop_class}, {away})"
        away = f", {battle.gap(actor, other).gap:.0f} cm" if actor is not None and actor.hurt and other.hurt else ""
        verb = {"charge": "charge", "advance": "advance on", "join": "go with"}[option[0]]
        return f"{verb} {other.spec.name} ({amount(other.count, 'figure')}{away})"
    if isinstance(option, str) and option in battle.units:
        return unit_line(battle, battle.units[option])
    return str(option)


def _links(battle: Battle, character: str) -> list[Unit]:
    """The leaders through whom a Player Character can command now, himself first."""
    return [battle.units[name] for name, own in battle.linked.items() if own == character]


def unit_line(battle: Battle, unit: Unit) -> str:
    """A unit in one line: name, figures, what it does, its status."""
    hurt = sum(unit.hurt)
    wounds = f", {hurt} wounded" if hurt else ""
    if not unit.hurt:
        return f"{unit.spec.name}, {battle.gone.get(unit.spec.id, 'not on the table')}"
    status = f", {unit.status}" if unit.status != "steady" else ""
    commanded = ", commanded" if unit.marks & {"commanded", "linked"} else ""
    risk = f", RF {battle.risk[unit.spec.id]}" if unit.spec.id in battle.risk else ""
    return f"{unit.spec.name}, {amount(unit.count, 'figure')}{wounds}, {unit.action}{status}{commanded}{risk}"


Told = Callable[[Mapping[str, Any], Callable[[str], str]], str]

WINDS = (
    "north", "north-north-east", "north-east", "east-north-east",
    "east", "east-south-east", "south-east", "south-south-east",
    "south", "south-south-west", "south-west", "west-south-west",
    "west", "west-north-west", "north-west", "north-north-west",
)  # fmt: skip

RESULTS = {
    "continue": "as before",
    "towards": "towards the nearest enemy in sight",
    "halt_in_cover": "halt in cover",
}
COVERS = {"open": "in the open", "soft": "in soft cover", "hard": "in hard cover"}
SHEETS = {"missile": "for missile troops", "melee": "for close combat"}


def _result(result: str, doing: str = "") -> str:
    going_on = f", {doing}" if doing and result == "continue" else ""
    return f"{RESULTS.get(result, result)}{going_on}"


def _melee(d: Mapping[str, Any], u: Callable[[str], str]) -> str:
    suffered = ", ".join(f"{u(side)} {amount(lost, 'casualty', 'casualties')}" for side, lost in d["suffered"].items())
    back = f"{u(d['back'][0])} went back" if len(d["back"]) == 1 else "both sides went back"
    return "melee of " + ", ".join(u(name) for name in d["units"]) + f": {suffered}; {back}"


def _charge(d: Mapping[str, Any], u: Callable[[str], str]) -> str:
    """How many came into contact, and with whom if not with those charged alone; else how far off they came to stand."""
    if not d["contact"]:
        end = f"no contact, {d['left']:g} cm off at the end"
    else:
        others = "" if d["met"] == [d["target"]] else f" with {', '.join(u(name) for name in d['met'])}"
        end = f"{amount(d['contact'], 'figure')} in contact{others}"
    return f"{u(d['unit'])} charged {u(d['target'])}: {end}"


def _damage(d: Mapping[str, Any]) -> str:
    """What the hits did; grazes are named when nothing worse came of them (RSK-109)."""
    worse = [amount(d[kind], one) for kind, one in (("wounds", "wound"), ("kills", "kill")) if d[kind]]
    grazes = {0: "", 1: " (a graze)"}.get(d["hits"], " (only grazes)")
    return f": {', '.join(worse)}" if worse else grazes


def _wind(bearing: int) -> str:
    return WINDS[round(bearing / 22.5) % 16]


def _place(d: Mapping[str, Any]) -> str:
    return ", ".join(f"{value:.0f}" for value in d["at"])


def _left(d: Mapping[str, Any]) -> str:
    return f", {d['left']} left" if d["left"] else ""


EVENTS: dict[str, Told] = {
    "command points": lambda d, u: f"{u(d['unit'])} threw {d['dice']}D6 for command: {amount(d['points'], 'point')}",
    "linked": lambda d, u: (
        f"{u(d['unit'])} passed on orders from {u(d['through'])}: +{d['points']}, {d['pool']} in all"
    ),
    "commanded": lambda d, u: f"orders reached {u(d['unit'])} for {amount(d['points'], 'point')}, {d['left']} left",
    "stays in cover": lambda d, u: f"{u(d['unit'])} stayed in cover",
    "holds the works": lambda d, u: f"{u(d['unit'])} stayed in the works",
    "move": lambda d, u: f"{u(d['unit'])} moved {d['cm']:g} cm {_wind(d['bearing'])}",
    "lines works": lambda d, u: f"{u(d['unit'])} lined the works",
    "charge": _charge,
    "shooting": lambda d, u: (
        f"{u(d['unit'])} shot at {u(d['target'])} {COVERS[d['cover']]}: "
        f"{amount(d['shots'], 'shot')}, {amount(d['hits'], 'hit')}{_damage(d)}"
    ),
    "no clear shot": lambda d, u: f"{u(d['unit'])} had no clear shot at {u(d['target'])}",
    "nobody left to hit": lambda d, u: (
        f"{amount(d['count'], 'more wound or kill', 'more wounds or kills')} of {u(d['unit'])} met nobody left in clear sight"
    ),
    "wounded": lambda d, u: f"{u(d['unit'])}: {d['count']} wounded",
    "loss": lambda d, u: f"{u(d['unit'])} lost {d['lost']}{_left(d)}" if d["left"] and d["cause"] != "morale" else "",
    "over the edge": lambda d, u: f"{u(d['unit'])}: {d['count']} gone over the edge of the table{_left(d)}",
    "fled": lambda d, u: f"{u(d['unit'])} fled from the field",
    "blow": lambda d, u: (
        f"{d['striker']}, a {d['die']} and score {d['score']}, beat {d['struck']}, score {d['against']}: "
        + ("killed" if d["dead"] else "wounded")
    ),
    "melee": _melee,
    "pushed back": lambda d, u: f"{u(d['unit'])} went back",
    "no room": lambda d, u: f"{u(d['unit'])}: {amount(d['count'], 'figure')} with no room to go back",
    "follows up": lambda d, u: f"{u(d['unit'])} followed up",
    "captured": lambda d, u: f"{u(d['captor'])} took {amount(d['count'], 'prisoner')} of {u(d['unit'])}{_left(d)}",
    "escaped": lambda d, u: f"{amount(d['count'], 'prisoner')} of {u(d['unit'])} escaped",
    "prisoners killed": lambda d, u: f"{u(d['captor'])} killed {amount(d['count'], 'prisoner')} of {u(d['unit'])}",
    "freed": lambda d, u: f"{amount(d['count'], 'prisoner')} of {u(d['unit'])} set free",
    "combined": lambda d, u: f"{u(d['unit'])} joined {u(d['into'])}, now {d['count']}",
    "markers set": lambda d, u: f"{amount(d['count'], 'marker')} of {u(d['side'])} in cover",
    "marker moved": lambda d, u: f"{d['marker']} moved to {_place(d)}",
    "dummy": lambda d, u: f"{d['marker']} was a dummy",
    "revealed": lambda d, u: f"{d['marker']} turned out to be {', '.join(u(name) for name in d['units'])}",
    "placed": lambda d, u: f"{u(d['unit'])} drawn up round {_place(d)}, facing {_wind(d['bearing'])}",
    "arrived": lambda d, u: f"{u(d['unit'])} arrived round {_place(d)}",
    "takes command": lambda d, u: f"{u(d['unit'])} took command",
    "nobody commands": lambda d, u: f"nobody took command in place of {u(d['unit'])}",
    "left the table": lambda d, u: (
        f"{u(d['unit'])} left the table over the {d['edge']} edge with {amount(d['count'], 'figure')}"
    ),
    "footing": lambda d, u: f"{u(d['unit'])} {'mounted' if d['mounted'] else 'dismounted'}",
    "scattered": lambda d, u: f"{u(d['unit'])} scattered: a figure saw none of its mates",
    "beaten": lambda d, u: f"the day was lost for {u(d['side'])}: every unit was going back or gone",
}


def event_sentence(rules: Rules, names: Mapping[str, str], event: Event) -> str:
    """What happened in one sentence. `names` of units, platoons and sides by id."""

    def name(known: str) -> str:
        return names.get(known, known)

    if event.kind == "action" and event.data["platoon"]:
        return f"{name(event.data['unit'])}, with its platoon: {_result(event.data['result'], event.data['doing'])}"
    if event.kind == "action":
        return f"{name(event.data['unit'])}: {_throw(rules, event.data)}"
    if event.kind == "platoon action":
        return f"the platoon {name(event.data['platoon'])} threw as one: {_throw(rules, event.data)}"
    told = EVENTS.get(event.kind)
    return told(event.data, name) if told is not None else common_sentence(event, name)


def _throw(rules: Rules, data: Mapping[str, Any]) -> str:
    """An Action throw with every line of the Risk Factor, the table, the die and the result (RSK-125, RSK-127).

    Of a unit that goes on (RSK-134) it says with what.
    """
    found = rules.tally("risk_factor", RiskFacts(**data["because"]))
    lines = ", ".join(f"{part.change} {part.summary}" for part in found.parts()[1:])
    return (
        f"Risk Factor {data['risk']}{f' ({lines})' if lines else ''}, "
        f"die {data['die']} {SHEETS[data['table']]}: {_result(data['result'], data.get('doing', ''))}"
    )
