"""The briefing: what happened here, who fights, what each side must do, how long, and what these rules cannot say."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any
from weakref import WeakKeyDictionary

from zareba.base.amounts import agreeing, amount, listed
from zareba.base.errors import ZarebaError
from zareba.game import Game
from zareba.people.telling import due
from zareba.rules.settings import flat_settings
from zareba.scenario.known import as_known_to, hidden_from
from zareba.scenario.model import CaptureLeader, CarryOff, Destroy, Escort, Hold, Objective, Scenario, Survive
from zareba.scenario.overrides import overrides_noted

__all__ = ["Briefing", "Section", "briefing", "unspoken_to", "what_to_do"]


_UNSPOKEN: WeakKeyDictionary[Game[Any], dict[frozenset[str], tuple[str, ...]]] = WeakKeyDictionary()
"""What was worked out for the readers of a game, for every page may ask for it."""


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, line by line."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Briefing:
    """What a player is to know before the first die, and at any time after."""

    title: str
    rules: str
    sections: tuple[Section, ...]

    def to_dict(self) -> dict[str, Any]:
        """The JSON-ready form."""
        return asdict(self)


def briefing(game: Game[Any], seat: str | None = None, *, watching: bool = False) -> Briefing:
    """The briefing of a battle, as a seat may know it: without the enemy's orders and whom he hides.

    Without a seat it tells all, or with `watching` only what everybody may know.
    """
    scenario, rules = game.scenario, game.rules
    readers = game.seats if watching else () if seat is None else (seat,)
    title = f"{scenario.title}, {scenario.place}, {scenario.year}"
    sections = [
        Section("What happened here", (scenario.note,)),
        *([Section("What it asks of a system", (scenario.tests,))] if scenario.tests else []),
        *(
            Section(f"{side.name} ({side.role})", tuple(_force(scenario, key, seat)))
            for key, side in scenario.sides.items()
        ),
        Section("What is to be done", tuple(_aims(game, hidden_from(scenario, readers)))),
        Section("How long", tuple(_limits(scenario))),
        Section("Special rules", tuple(_special(game, readers))),
        Section("Not in these rules", unspoken_to(game, readers)),
    ]
    return Briefing(title, rules.book.title, tuple(section for section in sections if section.lines))


def unspoken_to(game: Game[Any], readers: Collection[str]) -> tuple[str, ...]:
    """What of the scenario these rules cannot express, as far as it may be told to all of these sides.

    It is worked out anew for the battle without those who are hidden from one of them: a note may depend on them without
    naming them.
    """
    if not hidden_from(game.scenario, readers):
        return game.untranslated
    found = _UNSPOKEN.setdefault(game, {})
    wanted = frozenset(readers)
    if wanted not in found:
        found[wanted] = _unspoken_without(game, as_known_to(game.scenario, readers))
    return found[wanted]


def _unspoken_without(game: Game[Any], known: Scenario | None) -> tuple[str, ...]:
    if known is None:
        return ()
    try:
        bare: Game[Any] = game.rules.game(known, game.solo)
    except ZarebaError:
        return ()
    return bare.untranslated


def _force(scenario: Scenario, side: str, seat: str | None) -> Iterator[str]:
    """The orders of a side, its units and its leaders."""
    own = seat in (None, side)
    if own and scenario.sides[side].briefing:
        yield scenario.sides[side].briefing
    for key, unit in scenario.units_of(side).items():
        if not own and unit.hidden:
            continue
        arms = [word.replace("_", " ") for word in (unit.weapon, unit.close_weapon) if word != "none"]
        if unit.gun is not None:
            arms.insert(0, amount(unit.gun.pieces, f"{unit.gun.kind.replace('_', ' ')} gun"))
        armed = f", {listed(arms)}" if arms else ""
        when = f"; {due(scenario, key)}" if unit.arrival is not None else ""
        hidden = "; hidden" if unit.hidden else ""
        kind = f"{unit.quality} {unit.arm.replace('_', ' ')}"
        yield f"{unit.name}: {amount(unit.figures, 'figure')}, {kind}{armed}{when}{hidden}"
    for leader in scenario.leaders_of(side).values():
        unit_of = scenario.units.get(leader.unit or "")
        if not own and unit_of is not None and unit_of.hidden:
            continue
        where = f" with {unit_of.name}" if unit_of is not None else ""
        yield f"{leader.name}: {leader.rank}{where}"


def _aims(game: Game[Any], hidden: Collection[str]) -> Iterator[str]:
    scenario = game.scenario
    for goal in scenario.objectives.values():
        by = listed(scenario.sides[side].name for side in goal.by) if goal.by else "either side"
        last = ", and wins the battle at once" if goal.decisive else ""
        are = "are" if len(goal.by) > 1 else agreeing(by, "is", "are")
        yield f"{goal.name}: {by} {are} to {what_to_do(game, goal, hidden)}; {amount(goal.points, 'point')}{last}"
    for side in scenario.sides.values():
        if side.victory.quota is not None:
            yield f"{side.name} {agreeing(side.name, 'wins', 'win')} with {amount(side.victory.quota, 'point')}"
        if side.victory.note:
            yield side.victory.note
    if not scenario.objectives:
        yield "Whoever has more of his force left in the end has won"


def what_to_do(game: Game[Any], goal: Objective, hidden: Collection[str] = ()) -> str:
    """What an objective asks, as the end of `is to ...`; those who are `hidden` from the reader have no name."""
    scenario = game.scenario

    def name(key: str) -> str:
        return "somebody who is hidden" if key in hidden else game.name_of(key)

    if isinstance(goal, Hold):
        return "stand there alone at the end"
    if isinstance(goal, Destroy):
        whom = _named(map(name, goal.units)) if goal.units else "the enemy"
        return f"destroy or drive off {goal.share:.0%} of {whom}"
    if isinstance(goal, CarryOff):
        return f"carry {scenario.objects[goal.object].name} off over the {goal.edge} edge"
    if isinstance(goal, Escort):
        where = f"over the {goal.edge} edge" if goal.edge else "to its place"
        return f"bring {goal.share:.0%} of {_named(map(name, goal.units))} {where}"
    if isinstance(goal, CaptureLeader):
        return f"kill or take {name(goal.leader)}"
    assert isinstance(goal, Survive), "there are six kinds of objectives"
    whom = _named(map(name, goal.units)) if goal.units else "its force"
    return f"have {goal.share:.0%} of {whom} left at the end of turn {goal.turn}"


def _named(names: Iterable[str]) -> str:
    """Some names in one phrase, each once."""
    return listed(list(dict.fromkeys(names)))


def _limits(scenario: Scenario) -> Iterator[str]:
    yield f"{amount(scenario.turns, 'turn')} at most"
    first = scenario.sides[scenario.first].name if scenario.first in scenario.sides else ""
    if first:
        yield f"{first} {agreeing(first, 'goes', 'go')} first"
    elif scenario.first == "dice":
        yield "dice say who goes first, unless the rules do"
    for flag, words in (("night", "it is night"), ("fog", "there is fog"), ("siege", "it is a siege")):
        if getattr(scenario, flag):
            yield words
    for event in scenario.events.values():
        die = f" on {event.at_least} or more of a d{event.die}" if event.die else ""
        yield f"turn {event.turn}{die}: {event.text}"


def _special(game: Game[Any], readers: Collection[str]) -> Iterator[str]:
    rules = game.rules
    for house_rule in rules.house_rules:
        yield f"house rule: {house_rule}"
    for name, setting in flat_settings(rules.book.settings):
        value = rules.settings.get(name, setting.default)
        if value != setting.default:
            yield f"setting {name}: {value} (usually {setting.default})"
    known = as_known_to(game.scenario, readers)
    if known is not None:
        yield from overrides_noted(known, rules.ruleset.id)
