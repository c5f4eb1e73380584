"""The briefing of a battle: background, forces, objectives, length, special rules, and limits of the ruleset."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import asdict, dataclass
from typing import Any
from weakref import WeakKeyDictionary

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount, begin_sentence, in_a_sentence, join_with_and, percent
from zareba.game import Game
from zareba.presentation.narration import arrival_phrase
from zareba.rules.settings import flat_settings
from zareba.scenario.load import as_known_to, hidden_from
from zareba.scenario.model import (
    CaptureLeader,
    CarryOff,
    Destroy,
    Escort,
    Hold,
    Objective,
    Scenario,
    Side,
    Survive,
    Unit,
)
from zareba.scenario.overrides import override_lines

HOW_TO_WIN = "How to win"
"""Title of the section that says what decides the battle."""
UNSUPPORTED = "Not in these rules"
"""Title of the section with the parts of a scenario that the rules cannot express."""

_CACHED_NOTES: WeakKeyDictionary[Game[Any], dict[frozenset[str], tuple[str, ...]]] = WeakKeyDictionary()
"""Cache of `unsupported_notes` by game and readers, because every page may ask for them."""


@dataclass(frozen=True)
class BriefingSection:
    """A heading and its lines."""

    title: str
    lines: tuple[str, ...]


@dataclass(frozen=True)
class Briefing:
    """The text that a player reads before the first turn, and can read again at any time."""

    title: str
    rules: str
    sections: tuple[BriefingSection, ...]

    def to_dict(self) -> dict[str, Any]:
        """Return the JSON-ready form."""
        return asdict(self)


def briefing(game: Game[Any], seat: str | None = None, *, watching: bool = False, state: Any = None) -> Briefing:
    """Return the briefing of a battle for a seat, without the enemy's orders and hidden units.

    Without a seat it contains everything, also what the scenario tests in a ruleset; or with `watching` only public
    information. `state` is the present one, by default that before the first turn.
    """
    scenario, rules = game.scenario, game.rules
    state = game.start() if state is None else state
    players = seat is not None or watching
    readers = game.seats if watching else () if seat is None else (seat,)
    title = f"{scenario.title}, {scenario.place}, {scenario.year}"
    sections = [
        BriefingSection("Background", (scenario.note,)),
        *([BriefingSection("What it tests in a ruleset", (scenario.tests,))] if scenario.tests and not players else []),
        *(
            BriefingSection(_titled_with_role(side), tuple(_force_lines(scenario, key, seat)))
            for key, side in scenario.sides.items()
        ),
        BriefingSection("Objectives", tuple(objective_lines(game, hidden_from(scenario, readers)))),
        BriefingSection(HOW_TO_WIN, tuple(game.play.how_to_win(state))),
        BriefingSection("Length", tuple(map(begin_sentence, _length_lines(game, state)))),
        BriefingSection("Units in these rules", tuple(_divided_unit_lines(game, hidden_from(scenario, readers)))),
        BriefingSection("Special rules", tuple(_special_rule_lines(game, readers))),
        BriefingSection(UNSUPPORTED, _sorted_notes(game, readers)),
    ]
    return Briefing(title, rules.book.title, tuple(section for section in sections if section.lines))


def _titled_with_role(side: Side) -> str:
    """Return the name of a side, with its role if it attacks or defends."""
    return side.name if side.role == "either" else f"{side.name} ({side.role})"


def unsupported_notes(game: Game[Any], readers: Collection[str]) -> tuple[str, ...]:
    """Return the parts of the scenario that the ruleset cannot express, as far as all these sides may know.

    If units are hidden from one of the sides, the notes are computed for the battle without those units, because a
    note may depend on a unit that it does not name.
    """
    if not hidden_from(game.scenario, readers):
        return game.untranslated
    notes_by_readers = _CACHED_NOTES.setdefault(game, {})
    key = frozenset(readers)
    if key not in notes_by_readers:
        notes_by_readers[key] = _unsupported_without(game, as_known_to(game.scenario, readers))
    return notes_by_readers[key]


def unsupported_summary(count: int) -> str:
    """Return one sentence for a number of parts of a scenario that the rules cannot express."""
    verb = "is" if count == 1 else "are"
    return f"{amount(count, 'detail')} of this scenario {verb} left out or simplified; the briefing lists them"


def _sorted_notes(game: Game[Any], readers: Collection[str]) -> tuple[str, ...]:
    """Return the notes with those about single units first, each part in alphabetical order."""
    names = [unit.name for unit in game.scenario.units.values()]
    notes = unsupported_notes(game, readers)
    return tuple(sorted(notes, key=lambda note: (not any(name in note for name in names), note.casefold())))


def _unsupported_without(game: Game[Any], known: Scenario | None) -> tuple[str, ...]:
    if known is None:
        return ()
    try:
        bare: Game[Any] = game.rules.game(known, game.solo)
    except ZarebaError:
        return ()
    return bare.untranslated


def rank_name(rank: str) -> str:
    """Return the rank of a leader as players write it."""
    return {"nco": "NCO", "subchief": "sub-chief"}.get(rank, rank)


def troops_in_words(unit: Unit) -> str:
    """Return the figures of a unit with their arm, quality and weapons, which are the same under all rules."""
    arms = [word.replace("_", " ") for word in (unit.weapon, unit.close_weapon) if word != "none"]
    if unit.gun is not None:
        arms.insert(0, amount(unit.gun.pieces, f"{unit.gun.kind.replace('_', ' ')} gun"))
    figures = amount(unit.figures, f"{unit.arm.replace('_', ' ')} figure")
    return f"{figures} of {unit.quality} quality" + (f", with {join_with_and(arms)}" if arms else "")


def _force_lines(scenario: Scenario, side: str, seat: str | None) -> Iterator[str]:
    """Yield the orders of a side, its units and its leaders."""
    is_own = seat in (None, side)
    if is_own and scenario.sides[side].briefing:
        yield scenario.sides[side].briefing
    for key, unit in scenario.units_of(side).items():
        if not is_own and unit.hidden:
            continue
        when = f"; {arrival_phrase(scenario, key)}" if unit.arrival is not None else ""
        hidden = "; hidden" if unit.hidden else ""
        yield f"{unit.name}: {troops_in_words(unit)}{when}{hidden}"
    for leader in scenario.leaders_of(side).values():
        host = scenario.units.get(leader.unit or "")
        if not is_own and host is not None and host.hidden:
            continue
        where = f" with {host.name}" if host is not None else ""
        yield f"{leader.name}: {rank_name(leader.rank)}{where}"


def objective_lines(game: Game[Any], hidden: Collection[str]) -> Iterator[str]:
    """Yield each objective with its points, its side, and what the side must do. `hidden` units are not named."""
    scenario = game.scenario
    for goal in scenario.objectives.values():
        by = join_with_and(in_a_sentence(scenario.sides[side].name) for side in goal.by) if goal.by else "either side"
        last = ", wins the battle at once" if goal.decisive else ""
        yield f"{goal.name} ({amount(goal.points, 'point')}, {by}{last}): {objective_phrase(game, goal, hidden)}"


def objective_phrase(game: Game[Any], goal: Objective, hidden: Collection[str] = ()) -> str:
    """Return an objective as a phrase that completes "is to ...". Units that are `hidden` from the reader are not
    named.
    """
    scenario = game.scenario

    def name(key: str) -> str:
        return "a hidden enemy" if key in hidden else game.narrator.name_of(key)

    if isinstance(goal, Hold):
        return "be the only side there at the end"
    if isinstance(goal, Destroy):
        whom = _named(map(name, goal.units)) if goal.units else "the enemy"
        return f"have destroyed or driven off {percent(goal.share)} of {whom} at the end"
    if isinstance(goal, CarryOff):
        return f"carry {scenario.objects[goal.object].name} off over the {goal.edge} edge"
    if isinstance(goal, Escort):
        where = f"over the {goal.edge} edge" if goal.edge else "to its place"
        return f"bring {percent(goal.share)} of {_named(map(name, goal.units))} {where}"
    if isinstance(goal, CaptureLeader):
        return f"kill or capture {name(goal.leader)}"
    assert isinstance(goal, Survive), "there are six kinds of objectives"
    whom = _named(map(name, goal.units)) if goal.units else "its force"
    return f"have {percent(goal.share)} of {whom} left at the end of turn {goal.turn}"


def _named(names: Iterable[str]) -> str:
    """Return names as one phrase, without duplicates."""
    return join_with_and(list(dict.fromkeys(names)))


def _length_lines(game: Game[Any], state: Any) -> Iterator[str]:
    """Yield the turn limit, who goes first, night, fog and siege, and the events."""
    scenario = game.scenario
    yield f"{amount(scenario.turns, 'turn')} at most"
    yield game.play.who_goes_first(state)
    if game.rules.policy_hook is not None:
        yield "a house rule changes who acts when"
    for flag, words in (("night", "it is night"), ("fog", "there is fog"), ("siege", "it is a siege")):
        if getattr(scenario, flag):
            yield words
    for event in scenario.events.values():
        die = f" on {event.at_least} or more of a d{event.die}" if event.die else ""
        yield f"turn {event.turn}{die}: {event.text}"


def _divided_unit_lines(game: Game[Any], hidden: Collection[str]) -> Iterator[str]:
    """Yield the units that the rules divide, with the number of their parts, after an example of a part's name."""
    units = game.scenario.units
    divided = {units[key].name: parts for key, parts in game.split_units().items() if key not in hidden and parts[1:]}
    if divided:
        name, parts = max(divided.items(), key=lambda item: len(item[1]))
        yield f"Large units are divided: {next(part for part in parts if part != name)} is a part of {name}"
        yield "; ".join(f"{name} into {len(parts)}" for name, parts in divided.items())


def _special_rule_lines(game: Game[Any], readers: Collection[str]) -> Iterator[str]:
    """Yield the house rules, the changed settings, and the overrides that the readers may know."""
    rules = game.rules
    for title in rules.house_rule_titles:
        yield f"house rule: {title}"
    for name, setting in flat_settings(rules.book.settings):
        value = rules.settings.get(name, setting.default)
        if value != setting.default:
            yield setting.change_in_words(value)
    known = as_known_to(game.scenario, readers)
    if known is not None:
        yield from override_lines(known, *rules.ruleset.lineage)
