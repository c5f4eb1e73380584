"""Text for questions, options and events."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from zareba.actions import ActionTable
from zareba.base.grammar import amount, in_a_sentence, join_with_and
from zareba.battle.sentence_templates import Data, More, Name, event_text, question_text, words_next_to
from zareba.presentation.landmarks import NO_LANDMARKS, Landmarks
from zareba.table import Choose, Confirm, Draw, Event, Option, Place, Question, Roll
from zareba_rulesets.paychest.actions.movement import MOVE_ACTIONS
from zareba_rulesets.paychest.actions.tables import ACTION_TABLES
from zareba_rulesets.paychest.actions.wording import formats, man_name, plain_name
from zareba_rulesets.paychest.book.tables import Result
from zareba_rulesets.paychest.chapters.command import NOBODY
from zareba_rulesets.paychest.chapters.guns import gun_groups
from zareba_rulesets.paychest.chapters.targets import volley_group
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit
from zareba_rulesets.paychest.translation import Plan

words = words_next_to(__file__)
"""The sentences of these rules."""

ACTIONS: dict[str, ActionTable[Any, Any]] = {actions.question: actions for actions in ACTION_TABLES} | {
    "get on": MOVE_ACTIONS
}
"""The actions that answer a question. Figures that have walked to a conveyance get on as others do."""


def question_sentence(battle: Battle, question: Question, sides: Mapping[str, str]) -> str:
    """Return the question as a sentence with the sides' names. For dice it names the roll and how it is read."""
    actor = plain_name(battle, question.actor)
    if isinstance(question, Roll):
        why = question.why.capitalize().replace("_", " ")
        return f"{why}, {actor}: throw {question.dice}d{question.sides}{question.how_to_read}"
    if isinstance(question, Draw):
        if question.why == "card":
            return "Turn over the next card, which decides who acts now"
        return f"Draw a casualty card, which decides what the hit does to {actor}"
    act = question.about[0] if isinstance(question, Confirm) and question.about else ""
    verb = words().tables["verbs"].get(act, "")
    return question_text(
        words(),
        question,
        {"seat": in_a_sentence(sides.get(question.seat, question.seat)), "actor": actor, "verb": verb},
    )


def option_phrase(battle: Battle, question: Choose | Place | Confirm, option: Option) -> str:
    """Return one option as a phrase."""
    actions = ACTIONS.get(question.why)
    if actions is not None:
        actions = actions.for_session(battle.book.rules)
        action = actions.action_of(option)
        if action is not None:
            return actions.text(action, {}, formats(battle), words())
    if isinstance(option, tuple):
        if question.why in ("volley at", "gun at"):
            return _group(battle, question, option)
        return join_with_and(
            plain_name(battle, str(name)) for name in option
        )  # the crew of a gun, or an option of a house rule
    if option == NOBODY and question.why != "brave deed in":
        return NOBODY  # no one is promoted
    if option in words().options:
        return words().options[str(option)]
    if option in battle.units:
        return unit_line(battle.unit(str(option)))
    unit = str(option).rpartition(".")[0]
    if unit in battle.units:
        return figure_line(battle, battle.figure(str(option)))
    return str(option)


def _group(battle: Battle, question: Choose | Place | Confirm, option: tuple[Any, ...]) -> str:
    """Return a target group in words: the figures that can be hit, and those in hiding."""
    hidden = 0
    if isinstance(question, Choose) and question.why == "volley at":
        _, group = volley_group(battle, battle.unit(question.actor), option, question.about)
    else:
        target = gun_groups(battle, battle.engines[question.actor])[option[0], option[1]]
        group, hidden = target.exposed, len(target.hidden)
    unit = battle.unit(option[0]).spec.name
    about = plain_name(battle, option[1]).removesuffix(f" of {in_a_sentence(unit)}")
    if not group:
        return f"{unit}: {amount(hidden, 'figure')} hidden around {about}"
    return f"{unit}: {amount(len(group), 'figure')} around {about}" + (f", {hidden} more hidden" if hidden else "")


def figure_line(battle: Battle, figure: Figure) -> str:
    """Return a figure in one line: name, unit, wounds and condition."""
    wounds = [wound.replace("_", " ") for wound in figure.wounds]
    state = [figure.fate] if figure.fate != "able" else []
    notes = ", ".join([*state, *wounds, *sorted(figure.marks & {"down", "back turned", "lame"})])
    name = man_name(figure.spec.name, battle.unit_of(figure).spec.name)
    return f"{name} ({notes})" if notes else name


def unit_line(unit: Unit) -> str:
    """Return a unit in one line: name, able figures and compulsory orders. A man alone is not counted."""
    details = unit_states(unit)
    if not (unit.spec.single and unit.able):
        details = [f"{len(unit.able)} able", *details]
    return f"{unit.spec.name} ({', '.join(details)})" if details else unit.spec.name


def unit_states(unit: Unit) -> list[str]:
    """Return the states of a unit in words."""
    notes = ["routing"] if unit.rout else []
    notes += ["must fall back"] if unit.pending else []
    return notes + (["must stand idle"] if "inactive" in unit.marks else [])


# --- phrases derived from event data ---------------------------------------------------------------------------------


def _casualty(d: Data, n: Name) -> dict[str, Any]:
    """Return the phrase for a hit. A following event says if the figure was killed or knocked out.

    A hit on a figure that is already out of action changes nothing, unless it kills an unconscious one.
    """
    card, before = words().tables["cards"][d["card"]], d.get("before", "able")
    has_effect = before == "able" or (before == "unconscious" and card.endswith(" and killed"))
    return {
        "hit": card.removesuffix(" and killed").removesuffix(" and knocked out"),
        "again": "" if has_effect else before,
    }


def _leader_lost(d: Data, n: Name) -> dict[str, Any]:
    """Return the phrase for the loss of a leader. A unit of one figure is itself lost."""
    unit, man = n(d["unit"]), n(d["figure"])
    return {
        "loss": f"{man} was lost" if man == unit else f"{unit} lost {man.removesuffix(f' of {in_a_sentence(unit)}')}"
    }


def _loss(d: Data, n: Name) -> dict[str, Any]:
    """Return the phrase for a figure's fate, or a house rule's loss as a number of a unit's figures."""
    if "figure" not in d:
        return {"loss": f"{n(d['unit'])} lost {amount(d.get('lost', 1), 'man', 'men')}"}
    edge_phrase, fate = f" over the {d['edge']} edge" if "edge" in d else "", d.get("fate", "lost")
    return {"loss": f"{n(d['figure'])} was {words().tables['fates'].get(fate, fate)}{edge_phrase}"}


def _forced_move_phrase(d: Data, n: Name) -> dict[str, Any]:
    """Return the phrase for a forced move, or that the unit could not make it."""
    far = amount(d["inches"], "inch", "inches")
    if not d["figures"]:
        return {"move": f"had to {'rout' if d['rout'] else 'fall back'} {far}, but no figure could move"}
    verb, facing = "routed" if d["rout"] else "fell back", "backs turned" if d["backs"] else "facing the enemy"
    return {"move": f"{verb} {far}, {facing}"}


def _altitude(d: Data, n: Name) -> dict[str, Any]:
    """Return the phrase for a flyer's change of altitude."""
    rose = "rose" if d["rose"] else "sank"
    return {"went": f"{rose} to altitude {d['steps']}" if d["steps"] else "came down to the ground"}


def _figures_phrase(d: Data, n: Name) -> dict[str, Any]:
    """Return the phrase for the number of figures that did something. A unit of one figure is named alone."""
    unit, count = n(d["unit"]), d["figures"]
    alone = n(f"{d['unit']}.1") == unit
    return {
        "some": unit if alone and count else f"{amount(count, 'figure') if count else 'none'} of {in_a_sentence(unit)}"
    }


MORE: dict[str, More] = {
    **dict.fromkeys(
        ("got on", "got off", "mounted", "dismounted", "climbed", "lies down", "gets up", "figures ran", "allowance"),
        _figures_phrase,
    ),
    "altitude": _altitude,
    "casualty": _casualty,
    "loss": _loss,
    "leader lost": _leader_lost,
    "melee": lambda d, n: {"given": d["hits"][0], "taken": d["hits"][1]},
    "forced move": _forced_move_phrase,
}


_STRETCH = re.compile(r"(?:whoever was at|the stretch from) (-?[\d.]+), (-?[\d.]+)(?: to (-?[\d.]+), (-?[\d.]+))?")
"""The name of a stretch in an event, with its points (`stretch_name`)."""


def event_sentence(
    plan: Plan,
    event: Event,
    sides: Mapping[str, str],
    results: Mapping[str, Result],
    landmarks: Landmarks = NO_LANDMARKS,
) -> str:
    """Return an event as a sentence with the names of sides and places.

    `results` are the results of the second morale roll (PAY-169).
    """
    side = event.data.get("side", "")
    whose = {"side": sides[side]} if side in sides else {}
    formats: Mapping[str, Callable[[Any], str]] = {
        "spot": landmarks.spot,
        "goal": landmarks.goal,
        "result": lambda result: results[result].in_words(),
        "inches": lambda inches: amount(round(inches, 1), "inch", "inches"),
    }
    name = partial(_name_or_place, plan, landmarks)
    return event_text(words(), event, name, formats, MORE, **whose)


def _name_or_place(plan: Plan, landmarks: Landmarks, word: str) -> str:
    """Return a name, or the stretch of ground that was fired at, by its landmarks instead of its coordinates."""
    stretch = _STRETCH.fullmatch(word)
    if stretch is None:
        return name_in_play(plan, word)
    x, y, to_x, to_y = stretch.groups()
    first = float(x), float(y)
    if to_x is None:
        return f"whoever was {landmarks.spot(first)}"
    start, end = (landmarks.spot(point).removeprefix("at ") for point in (first, (float(to_x), float(to_y))))
    return f"a stretch {landmarks.spot(first)}" if start == end else f"the stretch from {start} to {end}"


def name_in_play(plan: Plan, word: str) -> str:
    """Return the name of a unit, figure, engine or thing, or any other word unchanged."""
    if word in plan.units:
        return plan.units[word].name
    if word in plan.figures:
        figure = plan.figures[word]
        return man_name(figure.name, plan.units[figure.unit].name)
    if word in plan.engines:
        return plan.engines[word].name
    if word in plan.things:
        return plan.things[word].name
    what, _, whose = word.partition(" of ")  # a mount or weapon left behind
    owner = whose.partition(" ")[0]
    return f"the {what.replace('_', ' ')} of {name_in_play(plan, owner)}" if owner in plan.figures else word
