"""The sentences for questions, options and events."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zareba.base.exact import dist
from zareba.base.grammar import amount, in_a_sentence
from zareba.battle.sentence_templates import Data, More, Name, event_text, question_text, words_next_to
from zareba.presentation.landmarks import NO_LANDMARKS, Landmarks
from zareba.presentation.narration import wind_name
from zareba.rules import Rules
from zareba.table import Choose, Draw, Event, Option, Question, Roll
from zareba_rulesets.risk_factor.actions import ORDERS, formats
from zareba_rulesets.risk_factor.chapters.action_throws import RESULT_TEXTS, RiskFacts
from zareba_rulesets.risk_factor.chapters.casualties import Figure, figures_by_name
from zareba_rulesets.risk_factor.chapters.command import command_cost, link_price, link_through
from zareba_rulesets.risk_factor.forces import Battle, Unit, reach_of

words = words_next_to(__file__)
"""The templates in `words.yaml`."""


def question_sentence(battle: Battle, question: Question, names: Mapping[str, str]) -> str:
    """Return a question as a sentence, with the `names` of sides and platoons. For dice it says what is thrown and how
    it is read.
    """
    actor = _name(battle, question.actor, names)
    if isinstance(question, Draw):
        asked = words().tables["draws"].get(question.why)
        return asked or f"{question.why.capitalize()} for {in_a_sentence(actor)}: draw at random"
    if isinstance(question, Roll):
        actor = in_a_sentence(actor)
    about = getattr(question, "about", ())
    first = about[0] if about else ""
    return question_text(
        words(), question, {"actor": actor, "about": _name(battle, str(first), names), "points": first}
    )


def _name(battle: Battle, name: str, names: Mapping[str, str]) -> str:
    """Return the name of a unit or side; other words unchanged."""
    unit = battle.units.get(name)
    return unit.spec.name if unit is not None else names.get(name, name)


def option_phrase(battle: Battle, question: Choose, option: Option) -> str:
    """Return an option as a phrase, with names instead of ids, and with distances and numbers where they help."""
    if question.why == "pick a man":
        unit, shooters = battle.units[str(question.about[0])], battle.units[question.actor]
        index = int(str(option))
        (man,), at = figures_by_name(battle, [Figure(unit.id, index)]), unit.body.at[index]
        away = min(dist(at, shooter) for shooter in shooters.body.at)
        return f"{man}, {'wounded' if unit.hurt[index] else 'unhurt'}, {away:.0f} cm away"
    if question.why == "shoot with":
        weapon = str(option)
        return f"{battle.book.weapons[weapon].title}, to {reach_of(battle, battle.units[question.actor], weapon)} cm"
    if question.why == "face":
        return _wind(int(str(option)))
    if question.why == "kill prisoners":
        number = int(str(option)) * battle.book.counts["dispatched"]
        return f"{option}: up to {number} die" if number else "none: they are spared"
    if question.why == ORDERS.question:
        orders = ORDERS.for_session(battle.book.rules)
        order = orders.action_of(option)
        if order is not None:
            return orders.text(order, {}, formats(battle, question.actor), words())
    if isinstance(option, tuple):
        if question.why == "strike whom":
            figure = Figure(*option)
            state = "wounded" if battle.units[figure.unit_id].hurt[figure.number] else "unhurt"
            return f"{next(iter(figures_by_name(battle, [figure])))}, {state}"
        other = battle.units[option[1]]
        if option[0] == "command":
            bill = command_cost(battle, other, _links(battle, question.actor))
            return (
                f"give orders for {amount(sum(bill.values()), 'point')}: {in_a_sentence(unit_line(battle, other))}"
                if bill
                else other.id
            )
        actor = battle.units.get(question.actor)
        if option[0] == "link":
            links = _links(battle, question.actor)
            through = link_through(battle, other, links)
            if through is None:
                return f"use {other.spec.name} as a link"
            points, by = link_price(battle, other, through, links[0]), f" from {through.spec.name}"
            distance = f"{battle.gap(through, other).gap:.0f} cm away{'' if through is actor else by}"
            return (
                f"use {other.spec.name} as a link for {amount(points, 'point')} ({other.spec.troop_class}, {distance})"
            )
    if isinstance(option, str) and option in battle.units:
        return unit_line(battle, battle.units[option])
    if option == "done":
        return words().tables["done"].get(question.why, option)
    return words().options.get(str(option), str(option))


def _links(battle: Battle, character: str) -> list[Unit]:
    """Return a Player Character and the leaders linked to him, the Player Character first."""
    return [battle.units[name] for name, own in battle.linked.items() if own == character]


def unit_line(battle: Battle, unit: Unit) -> str:
    """Return a unit in one line: name, figures, action and status."""
    hurt = sum(unit.hurt)
    wounds = f", {hurt} wounded" if hurt else ""
    if not unit.is_on_table:
        return f"{unit.spec.name}, {battle.gone.get(unit.spec.id, 'not on the table')}"
    doing = words().tables["doing"].get(unit.action, unit.action)
    status = f", {unit.status}" if unit.status not in ("steady", doing) else ""
    commanded = ", has orders" if unit.marks & {"commanded", "linked"} else ""
    risk = f", Risk Factor {battle.risk[unit.spec.id]}" if unit.spec.id in battle.risk else ""
    figures = "" if unit.spec.leader else f", {amount(unit.count, 'figure')}"
    return f"{unit.spec.name}{figures}{wounds}, {doing}{status}{commanded}{risk}"


def _result(data: Data) -> str:
    """Return what an Action throw tells a unit to do, and whether it may follow its orders instead (RSK-128, RSK-129).

    For a unit that continues (RSK-134), the current action is named.
    """
    result, doing, orders = data["result"], data.get("doing", ""), data.get("orders", "")
    going_on = f" ({words().tables['doing'].get(doing, doing)})" if doing and result == "continue" else ""
    told = f"{RESULT_TEXTS.get(result, result)}{going_on}"
    return told + {"free": ", but it may follow its orders instead", "bound": ", in spite of its orders"}.get(
        orders, ""
    )


def _melee(d: Data, u: Name) -> dict[str, Any]:
    """Return the casualties of each side, and the side that went back."""
    losses = [
        f"{amount(lost, 'casualty', 'casualties')} of {in_a_sentence(u(side))}"
        for side, lost in d["suffered"].items()
        if lost
    ]
    suffered = ", ".join(losses) or "no casualties"
    back = f"{in_a_sentence(u(d['back'][0]))} fell back" if len(d["back"]) == 1 else "both sides fell back"
    return {"suffered": suffered, "back": back}


def _charge(d: Data, u: Name) -> dict[str, Any]:
    """Return how many figures came into contact, naming the enemies if they are not the target alone, or else the
    distance left.
    """
    if not d["contact"]:
        end = f"no contact, stopped {length(d['left'])} short"
    else:
        others = "" if d["met"] == [d["target"]] else f" with {', '.join(u(name) for name in d['met'])}"
        end = f"{amount(d['contact'], 'figure')} in contact{others}"
    return {"end": end}


def _damage(d: Data) -> str:
    """Return the wounds and kills of a volley. Grazes are named only if there was nothing worse (RSK-109)."""
    effects = [amount(d[kind], noun) for kind, noun in (("wounds", "wound"), ("kills", "kill")) if d[kind]]
    grazes = {0: "", 1: " (a graze)"}.get(d["hits"], " (only grazes)")
    return f" ({', '.join(effects)})" if effects else grazes


def length(cm: float) -> str:
    """Return a length as players measure it: in whole centimetres."""
    return f"{cm:.0f} cm" if cm >= 0.5 else "less than 1 cm"


def _wind(bearing: int) -> str:
    """Return a bearing as one of sixteen points of the compass."""
    return wind_name(bearing, 16)


def figure_phrase(figure: str) -> str:
    """Return the name of a figure for use inside a sentence: "man 2 of The Humblers" becomes "man 2 of the
    Humblers".
    """
    return figure.replace(" of The ", " of the ")


MORE: dict[str, More] = {
    "blow": lambda d, u: {"striker": figure_phrase(d["striker"]), "struck": figure_phrase(d["struck"])},
    "charge": _charge,
    "melee": _melee,
    "shooting": lambda d, u: {"damage": _damage(d)},
    "loss": lambda d, u: {"worth_telling": d["left"] and d["cause"] != "morale"},
}
"""Words that sentences need in addition to the data of the event."""


def event_sentence(rules: Rules, names: Mapping[str, str], event: Event, landmarks: Landmarks = NO_LANDMARKS) -> str:
    """Return an event as a sentence. `names` maps the ids of units, platoons and sides to display names."""

    def name(known: str) -> str:
        return names.get(known, known)

    if event.kind == "action" and event.data["platoon"]:
        return f"{name(event.data['unit'])} (by its platoon's throw): {_result(event.data)}"
    if event.kind == "action":
        return f"{name(event.data['unit'])}: {_result(event.data)}; {_action_throw_phrase(rules, event.data)}"
    if event.kind == "platoon action":
        end = "" if event.data["shared"] else ", so each squad throws for itself"
        thrown = _action_throw_phrase(rules, event.data)
        return f"the platoon {name(event.data['platoon'])}: {_result(event.data)}{end}; {thrown}"
    return event_text(
        words(), event, name, {"spot": landmarks.spot, "goal": landmarks.goal, "length": length, "wind": _wind}, MORE
    )


def _action_throw_phrase(rules: Rules, data: Data) -> str:
    """Return an Action throw: the die, the table, and every line of the Risk Factor (RSK-125, RSK-127)."""
    found = rules.tally("risk_factor", RiskFacts(**data["because"]))
    lines = "; ".join(f"{part.change}: {part.summary}" for part in found.parts()[1:])
    return (
        f"it threw {data['die']} {words().tables['sheets'][data['table']]} "
        f"with Risk Factor {data['risk']}{f' ({lines})' if lines else ''}"
    )
