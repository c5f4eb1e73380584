"""The acts of a game as plain data for the page: the events of each step of the log that a seat may know."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from zareba.base.errors import ZarebaError
from zareba.base.grammar import NUMBERED_FIGURE, amount
from zareba.game import Game
from zareba.session.history import Answered, SeenStep
from zareba.session.narration import card_text, result_text
from zareba.table import Draw, Event, Roll, seat_of
from zareba.table.questions import Step, pieces_named_in
from zareba.web.responses import render

if TYPE_CHECKING:
    from zareba.web.seat.viewer import Viewer

MOST_ACTS = 60
"""The largest number of acts in one answer of the server; the page asks for the next ones when it needs them."""
_MOST_CACHED = 2000
"""The largest number of finished acts that the server caches for one game."""
_RECENT_STEPS = 40
"""The number of last steps that are searched for a player's last choice or an act of another side."""
_CELL_NAMES = ("box", "hex", "cell")
"""The names under which events give a box or a hex."""
_POINT_NAMES = ("to", "at")
"""The names under which events give a point on an open table."""
_WORD = re.compile(r"\w")
_WORD_START = re.compile(r"(?<!\w)(?=\S)")
_LOSS_EVENTS = ("loss", "destroyed")
"""The kinds of event that report losses under every ruleset."""


class Cast(NamedTuple):
    """The cast of a game: its pieces and their sides, to find them in events and in sentences."""

    sides: Mapping[str, int]
    """The number of the side of each piece."""
    units: Collection[str]
    """The units that the map draws with one tag, and those of the scenario."""
    named: Mapping[str, str]
    """The piece of each name."""
    lengths: Sequence[int]
    """The lengths of the names, the longest first."""
    inches: float
    depth: float
    is_open: bool
    """True on an open table, False on boxes and hexes."""

    def unit_of(self, piece: str) -> str:
        """Return the unit of a figure, and any other piece itself."""
        return next(pieces_named_in(self.units, piece), piece)

    def side_of(self, piece: str) -> int | None:
        """Return the number of the side of a piece or a figure; None if it has none."""
        unit = next(pieces_named_in(self.sides, piece), None)
        return None if unit is None else self.sides[unit]

    def parts(self, sentence: str) -> list[tuple[str, int | None]]:
        """Return a sentence in parts: each name of a piece with the number of its side, other words with None."""
        parts: list[tuple[str, int | None]] = []
        position = 0
        for start in (match.start() for match in _WORD_START.finditer(sentence)):
            if start >= position and (name := self._name_at(sentence, start)):
                parts += [(sentence[position:start], None), (name, self.sides[self.named[name]])]
                position = start + len(name)
        return [part for part in [*parts, (sentence[position:], None)] if part[0]]

    def _name_at(self, sentence: str, start: int) -> str:
        """Return the longest name that begins at a place in a sentence and ends with a whole word; "" if there is none.

        It looks names up, because a pattern of the hundreds of names of a large battle takes longer to compile than a
        page to draw.
        """
        for length in self.lengths:
            name = sentence[start : start + length]
            if len(name) == length and name in self.named and not _WORD.match(sentence, start + length):
                return name
        return ""


def cast_of(viewer: Viewer) -> Cast:
    """Return the pieces that the viewer may know, with their sides."""
    return viewer.open.cached(("cast", viewer.reader), lambda: _build_cast(viewer))


def _build_cast(viewer: Viewer) -> Cast:
    game, board = viewer.open.game, viewer.board()
    numbers = {side: number for number, side in enumerate(game.scenario.sides)}
    listed = {piece: side for side, ids in game.display.pieces(game.origin).items() for piece in ids}
    listed |= {piece: side for side, ids in game.display.pieces(viewer.state()).items() for piece in ids}
    listed |= {
        name: piece.side for piece in board.pieces for name in (piece.id, piece.look.unit) if name and piece.side
    }
    scenario = game.scenario
    listed |= {unit: entry.side for unit, entry in scenario.units.items()}
    listed |= {leader: entry.side for leader, entry in scenario.leaders.items()}
    sides = {piece: numbers[side] for piece, side in listed.items() if side in numbers}
    named = {game.narrator.name_of(piece): piece for piece in sides}
    lengths = sorted({len(name) for name in named if len(name) > 1}, reverse=True)
    units = {piece.look.unit or piece.id for piece in board.pieces}.union(scenario.units, scenario.leaders)
    return Cast(sides, units, named, lengths, board.inches, scenario.table.depth, board.space == "free")


# --- An act: a step of the log in beats. A beat is one event with the dice and cards that led to it -------------------


def act_of(viewer: Viewer, number: int) -> dict[str, Any]:
    """Return one step of the log: where it belongs (turn, phase, side and unit), and its beats in order."""
    return _shown_act(viewer, number).data


class LogLine(NamedTuple):
    """A line of the log: its HTML, its sentence, and True if it begins with the name of the unit that acts."""

    html: str
    said: str
    begins_with_unit: bool


@dataclass
class ShownAct:
    """An act for the page, and its lines of the log once they have been shown."""

    data: dict[str, Any]
    lines: list[LogLine] | None = None


def _shown_act(viewer: Viewer, number: int) -> ShownAct:
    """Return an act. Acts of finished steps are cached, because the page shows them again after every answer."""
    step, finished_acts = viewer.log()[number], viewer.open.acts
    if step.played.done is None:
        return ShownAct({"step": number, **_act_data(viewer, step)})
    answers = tuple((answer.answer, answer.faces) for answer in step.played.answers)
    key = viewer.reader, number, step.played.digest, answers
    if key not in finished_acts:
        if len(finished_acts) >= _MOST_CACHED:
            finished_acts.clear()
        finished_acts[key] = ShownAct({"step": number, **_act_data(viewer, step)})
    act: ShownAct = finished_acts[key]
    return act


def _act_data(viewer: Viewer, step: SeenStep) -> dict[str, Any]:
    game, cast = viewer.open.game, cast_of(viewer)
    beats = list(_beats(viewer, cast, step))
    _move_shots_to_dice(beats)
    unit = _acting_unit(cast, step)
    return {
        "turn": step.played.turn,
        "phase": _phase_of(game, step.end.step),
        "side": _acting_side(cast, game, step, unit),
        "unit": unit,
        "name": game.narrator.name_of(unit) if unit else "",
        "beats": beats,
    }


def _phase_of(game: Game[Any], step: Step) -> str:
    """Return the title of the phase of a step, after the name of the side if the phase belongs to one side."""
    title = game.display.phase_title(step)
    side = game.scenario.sides.get(step.about)
    return f"{side.name} · {title}" if title and side else title


def _acting_unit(cast: Cast, step: SeenStep) -> str:
    """Return the unit that acts in a step: that of its first question, otherwise that of its first event."""
    for index, answered in enumerate(step.played.answers):
        unit = cast.unit_of(answered.question.actor)
        if unit in cast.sides and not step.hides(index):
            return unit
    named = (cast.unit_of(str(event.data.get("unit", ""))) for event in step.events)
    return next((unit for unit in named if unit in cast.sides), "")


def _acting_side(cast: Cast, game: Game[Any], step: SeenStep, unit: str) -> int | None:
    """Return the number of the side that acts in a step; None for none."""
    if unit:
        return cast.side_of(unit)
    order = list(game.scenario.sides)
    asked_seats = [
        seat_of(answered.question) for index, answered in enumerate(step.played.answers) if not step.hides(index)
    ]
    sides = [event.data.get("side") for event in step.events]
    return next((order.index(side) for side in (*asked_seats, *sides) if side in order), None)


def _beats(viewer: Viewer, cast: Cast, step: SeenStep) -> Iterator[dict[str, Any]]:
    """Yield the beats of a step. Dice and cards belong to the next event that has a sentence, or end at the next
    choice.
    """
    game = viewer.open.game
    dice_and_cards: list[Answered] = []
    for index, span in enumerate(step.spans):
        beats: list[dict[str, Any]] = []
        for event in span.events:
            if (sentence := game.narrator.describe_event(event)) or event.kind in _LOSS_EVENTS:
                beats.append(_beat(viewer, cast, event, sentence, dice_and_cards))
                dice_and_cards = []
        yield from _merge_alike(beats)
        answered = step.played.answers[index] if index < len(step.spans) - 1 else None
        is_chance = answered is not None and isinstance(answered.question, (Roll, Draw))
        if answered is not None and is_chance and step.sees(viewer.reader, index):
            dice_and_cards.append(answered)
        elif dice_and_cards and (answered is None or not (is_chance or step.hides(index))):
            yield _beat(viewer, cast, None, "", dice_and_cards)
            dice_and_cards = []


def _merge_alike(beats: Iterable[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield beats, with those that tell the same of several figures of a unit as one: "warrior 22 of Swordsmen was
    driven off (and 3 others)". A beat with dice, a card or a shot stays separate.
    """
    alike: list[dict[str, Any]] = []
    for beat in beats:
        is_plain = not (beat["throws"] or beat["cards"] or beat["shot"] or beat["fight"])
        if alike and not (
            is_plain and beat["said"] and _without_number(beat["said"]) == _without_number(alike[0]["said"])
        ):
            yield _merged(alike)
            alike = []
        alike.append(beat)
    if alike:
        yield _merged(alike)


def _without_number(sentence: str) -> str:
    return NUMBERED_FIGURE.sub(r"\1", sentence, count=1)


def _merged(alike: Sequence[dict[str, Any]]) -> dict[str, Any]:
    """Return some beats that tell the same as one beat."""
    first, *others = alike
    if not others:
        return first
    is_same = all(beat["said"] == first["said"] for beat in others)
    rest = f" ({len(alike)} times)" if is_same else f" (and {amount(len(others), 'other')})"
    losses = [beat["lost"] for beat in alike if beat["lost"]]
    lost = {**losses[0], "count": sum(max(1, loss["count"]) for loss in losses)} if losses else None
    units = list(dict.fromkeys(unit for beat in alike for unit in beat["units"]))
    return {
        **first,
        "said": first["said"] + rest,
        "parts": [*first["parts"], (rest, None)],
        "units": units,
        "lost": lost,
    }


def _beat(
    viewer: Viewer, cast: Cast, event: Event | None, sentence: str, dice_and_cards: Sequence[Answered]
) -> dict[str, Any]:
    game = viewer.open.game
    rolls = [answered for answered in dice_and_cards if isinstance(answered.question, Roll)]
    drawn = [
        answered for answered in dice_and_cards if isinstance(answered.question, Draw)
    ]  # a random pick of a figure is drawn, but no card
    data = event.data if event is not None else {}
    units = list(dict.fromkeys(pieces_named_in(cast.sides, list(data.values()))))
    if event is None:
        units = list(
            dict.fromkeys(
                unit for answered in dice_and_cards for unit in pieces_named_in(cast.sides, answered.question.actor)
            )
        )
        last = dice_and_cards[-1].question
        assert isinstance(last, (Roll, Draw)), "only dice and cards have a purpose"
        unit, why = cast.unit_of(last.actor), game.narrator.words.purpose(last)
        sentence = f"{game.narrator.name_of(unit)}: {why}" if unit in cast.sides else why
    throws = list(_throws(game, cast, rolls))
    if event is None and len(throws) == 1 and throws[0]["said"]:  # the result, which no event reports
        sentence += f" ({throws[0]['said']})"
        throws[0].update(why="", said="")
    elif event is None:
        meanings = {result_text(answered) for answered in rolls}
        if len(throws) > 1 and len(meanings) == 1 and any(meanings):  # one text explains the throws of all sides
            sentence += f": {meanings.pop()}"
            throws = [{**throw, "said": ""} for throw in throws]
        throws = [{**throw, "why": "" if throw["why"] == why else throw["why"]} for throw in throws]
    side = next((cast.sides[unit] for unit in units), None)
    if side is None and data.get("side") in game.scenario.sides:
        side = list(game.scenario.sides).index(data["side"])
    return {
        "said": sentence,
        "parts": cast.parts(sentence),
        "rule": event.rule if event is not None else dice_and_cards[-1].question.rule,
        "side": side,
        "units": units,
        "cells": [data[name] for name in _CELL_NAMES if isinstance(data.get(name), int)],
        "points": list(_points(cast, data)),
        "shot": _shot_of(game, cast, event),
        "fight": _fight_of(game, cast, event),
        "lost": _loss_of(event),
        "runs": cast.unit_of(game.narrator.fleeing_piece(event)) if event is not None else "",
        "throws": throws,
        "cards": [_card_data(game, answered) for answered in drawn if "card" in answered.question.why],
    }


def _points(cast: Cast, data: Mapping[str, Any]) -> Iterator[tuple[float, float]]:
    """Yield the points that an event names, on the map: x from the west edge, y from the north edge, in inches."""
    if not cast.is_open:
        return
    for at in [(data.get("x"), data.get("y")), *(data.get(name) for name in _POINT_NAMES)]:
        if isinstance(at, (tuple, list)) and len(at) == 2 and all(isinstance(part, (int, float)) for part in at):
            yield at[0] * cast.inches, cast.depth - at[1] * cast.inches


def _shot_of(game: Game[Any], cast: Cast, event: Event | None) -> dict[str, Any] | None:
    """Return the shooter of an event and what it fires at: a piece, a cell or a point; None if nothing is fired."""
    if event is None or not (shooter := game.narrator.firing_piece(event)):
        return None
    target = str(event.data.get("target") or "")
    if not target:
        others = pieces_named_in(cast.sides, [value for value in event.data.values() if value != shooter])
        target = next((unit for unit in others if not shooter.startswith(unit)), "")
    cell = next((event.data[name] for name in _CELL_NAMES if isinstance(event.data.get(name), int)), None)
    return {
        "from": shooter,
        "unit": cast.unit_of(shooter),
        "to": target,
        "cell": cell,
        "point": next(_points(cast, event.data), None),
    }


def _fight_of(game: Game[Any], cast: Cast, event: Event | None) -> tuple[str, str] | None:
    """Return the pieces of two sides that meet in close combat in an event; None if it is none."""
    if event is None or not game.narrator.is_fight(event):
        return None
    named = list(pieces_named_in(cast.sides, list(event.data.values())))
    foe = next((other for other in named if cast.sides[other] != cast.sides[named[0]]), "")
    return (named[0], foe) if foe else None


def _move_shots_to_dice(beats: Sequence[dict[str, Any]]) -> None:
    """Move a shot to the first dice of its shooter, if it has no dice. Some rules report a volley after its hits."""
    start = 0
    for index, beat in enumerate(beats):
        if beat["shot"] is None:
            continue
        beats_with_dice = (
            earlier_beat for earlier_beat in beats[start : index + 1] if _throws_for(earlier_beat, beat["shot"]["unit"])
        )
        beat_of_dice = beat if _throws_for(beat, beat["shot"]["unit"]) else next(beats_with_dice, beat)
        if beat_of_dice is not beat:
            beat_of_dice["shot"], beat["shot"] = beat["shot"], None
        start = index + 1


def _throws_for(beat: Mapping[str, Any], unit: str) -> bool:
    """Return True if a beat has dice of a unit."""
    return any(throw["actor"] == unit for throw in beat["throws"])


def _loss_of(event: Event | None) -> dict[str, Any] | None:
    """Return the piece that an event takes losses from, and how many; None for any other event."""
    if event is None or event.kind not in _LOSS_EVENTS or "unit" not in event.data:
        return None
    count = event.data.get("lost", 0)
    return {
        "piece": str(event.data.get("figure") or event.data["unit"]),
        "count": count if isinstance(count, (int, float)) else 0,
    }


def _throws(game: Game[Any], cast: Cast, rolls: Iterable[Answered]) -> Iterator[dict[str, Any]]:
    """Yield throws for display. Throws of one unit for the same purpose are shown as one, such as the shots of a
    volley.

    The name of the unit or side that throws is given if there are several.
    """
    rolls_by_purpose: dict[tuple[str, str, int], list[tuple[Roll, Answered]]] = {}
    for answered in rolls:
        roll = answered.question
        assert isinstance(roll, Roll), "only dice have faces"
        purpose = game.narrator.words.purpose(roll)
        rolls_by_purpose.setdefault((cast.unit_of(roll.actor), purpose, roll.sides), []).append((roll, answered))
    several = len({actor for actor, _, _ in rolls_by_purpose}) > 1
    for (actor, why, sides), same_purpose in rolls_by_purpose.items():
        results = Counter(filter(None, [result_text(answered) for _, answered in same_purpose]))
        yield {
            "actor": actor,
            "name": game.narrator.name_of(actor)
            if several and actor in cast.sides.keys() | set(game.scenario.sides)
            else "",
            "why": why,
            "sides": sides,
            "faces": [face for _, answered in same_purpose for face in answered.faces],
            "counts": [roll.read.counts(face) for roll, answered in same_purpose for face in answered.faces],
            "said": "; ".join(words if count == 1 else f"{words} ({count} times)" for words, count in results.items()),
        }


def _card_data(game: Game[Any], answered: Answered) -> dict[str, Any]:
    """Return a drawn card for display."""
    name, _, means = card_text(game, answered).partition("; ")
    return {"name": name, "said": means}


# --- Which acts: those since a moment, and the last ones --------------------------------------------------------------


class LogMoment(NamedTuple):
    """A moment of the log: the number of a step, and the number of its beats that have happened."""

    step: int
    beat: int


def present_moment(viewer: Viewer) -> LogMoment:
    """Return the present moment."""
    log = viewer.log()
    return LogMoment(len(log) - 1, len(act_of(viewer, len(log) - 1)["beats"])) if log else LogMoment(0, 0)


def last_act_of_others(viewer: Viewer) -> LogMoment | None:
    """Return the moment of the last act of a side that the viewer does not play; None if there is no recent one."""
    log, order = viewer.log(), list(viewer.open.game.scenario.sides)
    for number in range(len(log) - 1, max(-1, len(log) - 1 - _RECENT_STEPS), -1):
        act = act_of(viewer, number)
        if act["beats"] and act["side"] is not None and order[act["side"]] not in viewer.seats:
            return LogMoment(number, len(act["beats"]))
    return None


def list_acts(viewer: Viewer, since: LogMoment | None) -> dict[str, Any]:
    """Return the acts since a moment; by default, since the last choice of the viewer that had consequences."""
    since = _last_choice(viewer) if since is None else since
    log = viewer.log()
    if not 0 <= since.step <= len(log):
        raise ZarebaError("there is no such step")
    numbers = range(since.step, min(len(log), since.step + MOST_ACTS))
    shown_acts = [act_of(viewer, number) for number in numbers]
    if shown_acts:
        shown_acts[0] = {**shown_acts[0], "beats": shown_acts[0]["beats"][since.beat :]}
    return {
        "since": since,
        "until": LogMoment(numbers.stop, 0) if numbers.stop < len(log) else present_moment(viewer),
        "acts": [act for act in shown_acts if act["beats"]],
    }


def _last_choice(viewer: Viewer) -> LogMoment:
    """Return the moment of the last choice of the viewer's seats, or of any seat for a watcher, that had
    consequences.
    """
    log = viewer.log()
    seen_any = False
    for number in range(len(log) - 1, max(-1, len(log) - 1 - _RECENT_STEPS), -1):
        step = log[number]
        for index in range(len(step.played.answers) - 1, -1, -1):
            seen_any = seen_any or bool(step.spans[index + 1].events)
            seat = seat_of(step.played.answers[index].question)
            if seen_any and seat is not None and (seat in viewer.seats or not viewer.seats) and not step.hides(index):
                return LogMoment(number, _beats_before(viewer, step, index))
        seen_any = seen_any or bool(step.events)
    return LogMoment(max(0, len(log) - _RECENT_STEPS), 0)


def _beats_before(viewer: Viewer, step: SeenStep, index: int) -> int:
    """Return the number of beats of a step before one of its answers."""
    return len(list(_beats(viewer, cast_of(viewer), step._replace(spans=step.spans[: index + 1]))))


# --- The log: headings and lines for the panel next to the map --------------------------------------------------------


LINES_SHOWN = 80
"""Number of recent lines in the log next to the map."""


def log_lines(viewer: Viewer) -> dict[str, Any]:
    """Return the last lines of the log with their headings: turn, phase, and the unit that acts."""
    shown: list[tuple[dict[str, Any], LogLine]] = []
    first = len(viewer.log())
    while first and len(shown) < LINES_SHOWN:
        first -= 1
        act = _shown_act(viewer, first)
        if act.lines is None:
            act.lines = list(_lines_of_act(act.data))
        shown[:0] = [(act.data, line) for line in act.lines]
    lines: list[dict[str, Any]] = []
    previous_act: dict[str, Any] = {}
    for data, line in shown:
        new_turn, new_phase = data["turn"] != previous_act.get("turn"), data["phase"] != previous_act.get("phase")
        new_unit = new_turn or new_phase or any(data[name] != previous_act.get(name) for name in ("unit", "side"))
        lines.append(
            {
                "html": line.html,
                "said": line.said,
                "turn": data["turn"] if new_turn else None,
                "phase_title": data["phase"] if new_turn or new_phase else "",
                "acts": data["name"] if new_unit and not line.begins_with_unit else "",
                "acts_side": data["side"],
            }
        )
        previous_act = data
    return {"lines": lines, "more": first > 0}


def _lines_of_act(act: Mapping[str, Any]) -> Iterator[LogLine]:
    """Yield the lines of an act: one for each beat with a sentence."""
    for index, beat in enumerate(act["beats"]):
        if beat["said"]:
            html = render("log_line.html.j2", {**beat, "step": act["step"], "beat": index, "lights": _map_marks(beat)})
            yield LogLine(html, beat["said"], beat["parts"][0][0] == act["name"])


def _map_marks(beat: Mapping[str, Any]) -> dict[str, Any]:
    """Return the pieces, cells and points of the map that a line of the log is about."""
    return {name: beat[name] for name in ("units", "cells", "points") if beat[name]}
