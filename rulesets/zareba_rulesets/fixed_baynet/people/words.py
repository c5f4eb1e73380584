"""How questions, options and events read to a person."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

from zareba.amounts import amount, listed
from zareba.chance import AtLeast, SumBands
from zareba.table import Draw, Event, Question, Roll
from zareba.telling import common_sentence
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import FigureSpec
from zareba_rulesets.fixed_baynet.translation.forces import Squad

__all__ = ["event_sentence", "name_in_play", "question_sentence"]

QUESTIONS = {
    "activate": "Which unit of {seat} is activated next?",
    "act": "{actor}: what does it do?",
    "charge whom": "{actor}: charge whom?",
    "ride how": "{actor}: ride at which gait?",
    "ride down whom": "{actor}: charge whom, at which gait?",
    "fire at": "{actor}: fire at whom?",
    "gun fires at": "{actor}: the gun fires at whom?",
    "salvo at": "{actor}: a salvo at whom?",
    "rally whom": "{actor}: who rallies whom?",
    "order whom back": "{actor}: who orders whom back?",
    "heal whom": "{actor}: who tends whom?",
    "form what": "{actor}: which formation?",
    "move to": "{actor}: move its middle to which point?",
    "ride to": "{actor}: ride to which point?",
    "ride on": "{actor}: ride on, charge or halt?",
    "walk to": "{actor} walks to which point?",
    "haul to": "{actor}: haul the gun to which point?",
    "face": "{actor}: face which way?",
    "turn gun to": "{actor}: turn the gun to which bearing?",
    "aim the gun at": "{actor}: aim the gun at whom?",
    "load": "{actor}: load shot or shell?",
    "aim at point": "{actor}: aim at which point of the ground?",
    "guess the range": "{actor}: how many inches is it to that point?",
    "aim at": "{actor} aims at whom?",
    "strike": "{actor} strikes whom?",
    "which man": "{actor}: which man acts by himself?",
    "what he does": "{actor}: what does he do?",
    "counter-attack": "{actor}, hit by a volley: answer it?",
    "answer": "{actor} is hit: does he answer?",
    "heal which wound": "{actor} heals which wound?",
    "flare over": "{actor} fires the flare over which point?",
    "deploy as": "{actor}: deploy in which formation?",
    "deploy facing": "{actor}: deploy facing which way?",
    "deploy at": "{actor}: deploy where?",
}


def question_sentence(battle: Battle, question: Question, sides: Mapping[str, str]) -> str:
    """The question in one sentence, with the sides by name; for dice what is thrown and what it takes."""
    actor = _name(battle, question.actor)
    if isinstance(question, Roll):
        die = f"{question.dice}d{question.sides}" if question.dice > 1 else f"a D{question.sides}"
        return f"{question.why.capitalize()} for {actor}: throw {die}{_takes(battle, question)}"
    if isinstance(question, Draw):
        return f"{question.why.capitalize()}: draw a lot"
    if question.why == "activate" and question.rule == "FBN-008":
        return f"{sides.get(question.seat, question.seat)} rolled highest: first or last to activate?"
    if question.why in ("act", "which man"):
        actor = _left(battle, question.actor, actor)
    return QUESTIONS[question.why].format(seat=sides.get(question.seat, question.seat), actor=actor)


def _left(battle: Battle, unit_id: str, name: str) -> str:
    """The active unit with the AC that its men and guns have left."""
    unit = battle.units[unit_id]
    men = sorted({figure.ac for figure in unit.figures.values() if figure.able}, reverse=True)
    left = "/".join(str(ac) for ac in men) or "0"
    guns = "".join(f", gun {number + 1}: {gun.ac}" for number, gun in enumerate(unit.guns) if gun.in_play)
    return f"{name} ({left} AC left{guns})"


def _takes(battle: Battle, roll: Roll) -> str:
    """What a throw takes to succeed, as far as its reading says."""
    if roll.why == "initiative":
        return INITIATIVE[battle.book.settings.initiative_highest]
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
        return f"; {roll.read.target} or more {'jams it' if roll.why == 'jam' else 'does it'}"
    return TAKES.get(roll.why, "")


INITIATIVE = {
    "last": "; the highest activates last",
    "first": "; the highest activates first, then the others from the lowest",
    "chooses": "; the highest chooses to activate first or last",
}
BEST = {"FBN-215": "is a bloody death", "FBN-247": "goes through the wall"}


def _gun_takes(rule: str, bands: Sequence[int], faces: int) -> str:
    """What the die of a gun takes: a hit, unless it strays anyhow, a critical miss, and the best of scores (FBN-220)."""
    told = [f"{bands[1]} or more hits"] if rule != "FBN-219" else []
    if bands[0] > 1:
        told.append(f"{'up to ' * (bands[0] > 2)}{bands[0] - 1} goes far astray")
    if rule in BEST:
        told.append(f"{_from(bands[2], faces)} {BEST[rule]}")
    return "; " + ", ".join(told) if told else ""


def _from(score: int, faces: int) -> str:
    """The scores of a die from one on."""
    return f"{score} or more" if score < faces else str(score)


TAKES = {
    "hit location": " for where it hit (Table 13-A)",
    "panic": " for how he takes it (Table 15-A)",
    "direction": " for the hour of the clock, 12 straight on",
    "glory": "; whoever's glory it reaches betters it by 1",
    "voluntary glory check": "; whoever's glory it reaches betters it by 1",
}


def _name(battle: Battle, actor: str) -> str:
    unit = battle.units.get(actor) or battle.units.get(actor.rpartition(" ")[0])
    if unit is not None:
        return unit.spec.name
    spec = battle.specs.get(actor)
    return _man(spec) if spec is not None else actor


RANKS = {"officer": "officer", "nco": "NCO", "hero": "hero"}


def _man(spec: FigureSpec) -> str:
    """A man by name; a leader whom the scenario gives none by his rank too, for much hangs on it (FBN-125, FBN-140)."""
    return f"{spec.name} ({RANKS[spec.role]})" if spec.leads and not spec.leader_id else spec.name


FRIGHTS = {
    "banner": "a leader or the banner is hurt",
    "half": "half of them are gone",
    "ridden at": "cavalry rides at them",
    "charge": "the confusion of a charge",
    "pinned": "pinned by fire",
    "flank": "assaulted in flank or rear",
}


PANIC_MOVES = {
    "flee": "fled",
    "take_cover": "made for cover,",
    "onwards": "ran at the enemy,",
    "berserk": "ran amok",
}


def _of(man: str, unit: str) -> str:
    """A man with his unit, unless his name says it already."""
    return man if man.startswith(unit) else f"{man} of {unit}"


DEEDS = {
    "leader": "a leader or bearer downed or taken",
    "gun": "a gun taken",
    "blows": "{} given than taken hand to hand",
}
Told = Callable[[Mapping[str, Any], Callable[[str], str]], str]
RESULTS = ("a miss", "a hit", "a bloody death")


def _some(d: Mapping[str, Any], n: Callable[[str], str]) -> str:
    """A unit, or how many of its men if not all took part (FBN-033)."""
    return n(d["unit"]) if d["men"] == d["of"] else f"{d['men']} of {amount(d['of'], 'man', 'men')} of {n(d['unit'])}"


def _came_home(d: Mapping[str, Any], n: Callable[[str], str]) -> str:
    """A charge, with those whom it brought into contact and within reach; one that falls short is a charge, too (FBN-044)."""
    told = f"{n(d['unit'])} charged {n(d['target'])}"
    if not d["contacts"] and not d["reach"]:
        return f"{told} and fell short"
    more = f", {d['reach']} more within reach of a blow" if d["reach"] else ""
    return f"{told}: {d['contacts']} of {amount(d['men'], 'man', 'men')} in contact{more}"


def _rallied(d: Mapping[str, Any], n: Callable[[str], str]) -> str:
    """A rally, with whose men they are, and who of them come to themselves by it (FBN-159)."""
    whose = f" of {n(d['unit'])}" if d["unit"] else ""
    calmed = f"; {d['calmed']} of them {'are' if d['calmed'] != 1 else 'is'} in panic no more" if d["calmed"] else ""
    return f"{n(d['officer'])} rallied {amount(d['helped'], 'man', 'men')}{whose}: glory {d['better']} better{calmed}"


def _struck(d: Mapping[str, Any], n: Callable[[str], str]) -> str:
    """A blow, with what both add to their dice (FBN-105), and who may not inflict anything (FBN-121)."""
    foe = f"{n(d['target'])} ({d['against']:+d})" + (", who can do no harm" if d["harmless"] else "")
    suffered = f", suffered by the {d['loser']}" if d["loser"] else ""
    return f"{n(d['figure'])} ({d['bonus']:+d}) struck at {foe}: {d['result']}{suffered}"


def _came_down(d: Mapping[str, Any], n: Callable[[str], str]) -> str:
    """A round: at whom, and a hit, or where it came down (FBN-219)."""
    at = f" at {n(d['target'])}" if d["target"] else ""
    ending = "a hit" if d["hit"] else f'{"a miss, " if at else ""}it came down at {d["x"]}", {d["y"]}"'
    return f"{n(d['unit'])} fired {d['ammunition']}{at}: {ending}"


EVENTS: dict[str, Told] = {
    "initiative": lambda d, n: f"order of activation: {', '.join(d['order'])}",
    "deployed": lambda d, n: f"{n(d['unit'])} deployed",
    "activated": lambda d, n: f"the turn of {n(d['unit'])}",
    "move": lambda d, n: f'{_some(d, n)} moved{"" if d["men"] == d["of"] else ", its middle"} to {d["x"]}", {d["y"]}"',
    "walk": lambda d, n: f'{n(d["figure"])} walked to {d["x"]}", {d["y"]}"',
    "weapon": lambda d, n: f"{n(d['figure'])} took his {d['weapon'].replace('_', ' ')}",
    "posted": lambda d, n: f"{n(d['figure'])} went to a {d['opening']} of the {d['building'].replace('_', ' ')}",
    "at openings": lambda d, n: f"{_some(d, n)} went to windows and doors",
    "faces": lambda d, n: f"{n(d['unit'])} faced {d['way'].replace('_', '-')}",
    "no way": lambda d, n: f"{n(d['unit'])} found no way to go",
    "ride": lambda d, n: f'{_some(d, n)} rode {d["inches"]}" at a {d["gait"]}',
    "charge": _came_home,
    "volley": lambda d, n: f"{n(d['unit'])} fired {amount(d['shots'], 'shot')} at {n(d['target'])}",
    "shot": lambda d, n: f"{n(d['figure'])} fired at {n(d['target'])}: {RESULTS[d['result']]}",
    "answer": lambda d, n: f"{n(d['figure'])} answered {n(d['target'])}: {RESULTS[d['result']]}",
    "blow": _struck,
    "loss": lambda d, n: f"{_of(n(d['figure']), n(d['unit']))} was lost ({d['how']})",
    "located": lambda d, n: f"{n(d['figure'])} was hit: {d['location'].replace('_', ' ')}",
    "captured": lambda d, n: f"{n(d['figure'])} was taken by {n(d['by'])}",
    "freed": lambda d, n: f"{n(d['figure'])} was free again",
    "glory event": lambda d, n: f"{n(d['unit'])} lost glory: {FRIGHTS.get(d['event'], d['event'])}",
    "glory test": lambda d, n: (
        f"{n(d['unit'])} tested glory with a {d['die']}: {'better, now' if d['better'] else 'no better, still'} {d['gl']}+"
    ),
    "panic": lambda d, n: f"{n(d['figure'])} panicked: {d['reaction'].replace('_', ' ')}",
    "panic move": lambda d, n: f'{n(d["figure"])} {PANIC_MOVES[d["reaction"]]} to {d["x"]}", {d["y"]}"',
    "recovered": lambda d, n: f"{n(d['figure'])} got a grip on himself",
    "rally": _rallied,
    "gathered": lambda d, n: f"{n(d['officer'])} gathered men into a new unit",
    "fall back": lambda d, n: f"{n(d['officer'])} ordered {n(d['unit'])} to fall back",
    "deed": lambda d, n: (
        f"a deed of {n(d['unit'])} ({DEEDS[d['why']].format(amount(d['surplus'], 'loss more', 'losses more'))}) heartened {listed([n(unit) for unit in d['helped']])}: glory {d['better']} better"
    ),
    "formation": lambda d, n: f"{n(d['unit'])} formed {d['formation']}",
    "lies down": lambda d, n: f"{_some(d, n)} lay down",
    "gets up": lambda d, n: f"{_some(d, n)} got up",
    "dismounts": lambda d, n: f"{_some(d, n)} dismounted",
    "mounts": lambda d, n: f"{_some(d, n)} mounted",
    "healed": lambda d, n: f"{n(d['figure'])} was healed",
    "barrage": lambda d, n: (
        f"{n(d['unit'])} called for the fire of {n(d['battery']) if d['battery'] else 'guns out of sight'}"
    ),
    "reserve": lambda d, n: f"the reserve was sent for: {n(d['unit'])}",
    "revealed": lambda d, n: f"{n(d['unit'])} came in sight",
    "stumbled": lambda d, n: f"{n(d['figure'])} stumbled into the {d['terrain'].replace('_', ' ')} and fell",
    "flare": lambda d, n: f"{n(d['figure'])} fired a flare",
    "gun fires": _came_down,
    "gun turned": lambda d, n: f"{n(d['unit'])} turned gun {d['gun']} to {d['facing']} degrees",
    "gun moved": lambda d, n: f'{n(d["unit"])} moved gun {d["gun"]} by {d["inches"]}"',
    "gun hit": lambda d, n: f"gun {d['gun']} of {n(d['unit'])} was hit, {amount(d['left'], 'wound')} left",
    "gun lost": lambda d, n: f"gun {d['gun']} of {n(d['unit'])} was knocked out",
    "gun taken": lambda d, n: f"{n(d['by'])} took a gun of {n(d['unit'])}",
    "salvo": lambda d, n: f"{n(d['unit'])} fired a salvo at {n(d['target'])}: {amount(d['hits'], 'hit')}",
    "jammed": lambda d, n: f"{n(d['unit'])} jammed",
    "jam cleared": lambda d, n: f"{n(d['unit'])} cleared its jam",
    "building hit": lambda d, n: f"the {d['building'].replace('_', ' ')} was hit, {amount(d['left'], 'point')} left",
    "building down": lambda d, n: f"the {d['building'].replace('_', ' ')} came down",
    "crossed": lambda d, n: f"{n(d['figure'])} went {'inside' if d['section'] else 'outside'}",
    "door open": lambda d, n: (
        f"{n(d['figure'])} opened the door of the {d['door'].partition(':')[0].replace('_', ' ')}"
    ),
    "climbed": lambda d, n: f"{n(d['figure'])} climbed the ladder",
}


def name_in_play(squads: Mapping[str, Squad], specs: Mapping[str, FigureSpec], word: str) -> str:
    """The name of a unit or man of these rules by its id; "" for any other word."""
    if word in squads:
        return squads[word].spec.name
    if word in specs:
        return _man(specs[word])
    return "gathered men" if word.startswith("gathered:") else ""


def event_sentence(name: Callable[[str], str], event: Event) -> str:
    """What happened in one sentence; `name` gives the names of units, men and sides by id."""
    told = EVENTS.get(event.kind)
    return told(event.data, name) if told is not None else common_sentence(event, name)
