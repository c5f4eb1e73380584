"""The contents of the page of one seat."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property
from hashlib import blake2b
from typing import Any

from zareba.agents import listed_agent_names
from zareba.base.grammar import amount, in_a_sentence
from zareba.picture import ground, pieces, reaches, view_box
from zareba.presentation.board import Board
from zareba.presentation.narration import TO_SET_UP, outcome_sentence
from zareba.session.score import points_and_strength
from zareba.session.session import HOLD, HUMAN
from zareba.table import Answer, Choose, Confirm, Place, Question, Roll, fingerprint
from zareba.web.lobby.games import OpenGame, SeatPage
from zareba.web.responses import json_bytes, render
from zareba.web.seat.acts import last_act_of_others, log_lines, present_moment
from zareba.web.seat.panel import (
    answers,
    options_in_groups,
    options_with_odds,
    places_in_words,
    rest_for_ai,
    units_passed_over,
    victory,
    who_acts,
)
from zareba.web.seat.viewer import Viewer

# --- The view of a seat: the map as it may see it, its question, the log and the status -------------------------------


SCOPE_NAMES = {
    "choice": "this choice",
    "unit": "the choices of this unit",
    "phase": "the rest of this phase",
    "turn": "the rest of this turn",
    "game": "the rest of the game",
}


def page_parts(viewer: Viewer) -> tuple[dict[str, Any], dict[str, Any]]:
    """Return the page contents that may have changed, and the ground, which the page can cache."""
    session, game = viewer.open.session, viewer.open.game
    state, board = viewer.state(), viewer.board()
    ground_svg, digest = _ground(viewer.open, board)
    smoke = viewer.shared("smoke", lambda: viewer.smoke(session.history.steps_seen_by(viewer.reader)))
    question = session.pending
    is_asked = viewer.is_asked()
    question_data = _question_data(viewer, state, board, question) if is_asked and question is not None else {}
    log = viewer.open.cached(("lines", viewer.seats, viewer.reader), lambda: log_lines(viewer))
    undo_refusal = session.why_no_undo(viewer.seats) if viewer.seats else "you are only watching"
    page = {
        "seat": viewer.seat or "",
        "side": game.seats.index(viewer.seat) if viewer.seat in game.seats else 0,
        "is_asked": is_asked,
        "over": question is None,
        "thinking": viewer.open.thinking,
        "ground": digest,
        "depth": game.scenario.table.depth,
        "steps": len(viewer.log()),
        "pieces": viewer.drawn("pieces", board, lambda: pieces(game.scenario, board, smoke), smoke),
        "reaches": viewer.shared("reaches", lambda: reaches(game.scenario, board, viewer.objectives())),
        "goals": [{"id": objective.id, "words": objective.words} for objective in viewer.objectives()],
        "cards": render(
            "cards.html.j2",
            {"rows": card_rows(viewer, question if is_asked else None), "has_cards": game.display.has_cards},
        ),
        "acting": game.display.acting_piece(state, question) if is_asked and question is not None else "",
        "targets": question_data.get("targets", []),
        "place": question_data.get("place"),
        "status": render("status.html.j2", _status_data(viewer, board)),
        "question": render(
            "question.html.j2",
            {
                **question_data,
                **_reason_to_wait(viewer),
                "barred": undo_refusal,
                "may_ask_undo": bool(viewer.seats) and not session.undo_request and session.may_ask_undo(viewer.seats),
                "take_back": _undo_request_data(viewer),
                "deputies": _deputies(viewer),
                "players": [*listed_agent_names(), HOLD],
                "scopes": SCOPE_NAMES,
                "watching": not viewer.seats or question is None,
                "setting_up": is_asked
                and any(entry.when == TO_SET_UP and entry.side in viewer.seats for entry in board.awaited),
                "proposal": _proposal_data(viewer),
                "orders": _standing_orders(viewer),
                "handed": _delegated_seats(viewer),
                "can_redo": bool(viewer.seats) and session.why_no_redo(viewer.seats) is None,
            },
        ),
        "moment": None if session.history.is_partial else present_moment(viewer),
        "others_acted": None if session.history.is_partial else last_act_of_others(viewer),
        "reader": viewer.reader if game.sight.may_hide(viewer.reader) else "",
        "log": viewer.open.cached(("log page", viewer.seats, viewer.reader), lambda: render("log.html.j2", log)),
        **_victory_html(viewer),
        "turn_text": _turn_text(viewer, question_data),
        "units": viewer.drawn("units", board, lambda: _digest_of(_units_by_side(board))),
    }
    version, question_version, position_digest = _versions(viewer, page)
    return {"version": version, "question_version": question_version, "position": position_digest, **page}, {
        "ground_svg": ground_svg,
        "box": view_box(game.scenario, board),
    }


def _versions(viewer: Viewer, page: Mapping[str, Any]) -> tuple[int, int, str]:
    """Return the version of a page, the version in which its question appeared, and its position.

    The position is the same after a restart of the server. If something is hidden from the viewer, the version grows
    only when the contents of the page change, and the position is their digest. Otherwise both are those of the game.
    """
    game = viewer.open
    if not viewer.has_limited_view():
        return _full_version(viewer), game.asked_since, position(viewer)
    digest = _digest_of(page)
    last_version = game.last_full_versions.get(viewer.seats, game.first_version)  # the next version must be a later one
    seat_page = game.seat_pages.get(viewer.seats) or SeatPage(last_version, last_version, "", None)
    if seat_page.digest != digest:
        version = seat_page.version + 1
        question = game.session.pending if page["is_asked"] else None
        question_version = seat_page.question_version if question is seat_page.question else version
        seat_page = game.seat_pages[viewer.seats] = SeatPage(version, question_version, digest, question)
    question_fingerprint = (
        fingerprint(game.session.pending) if page["is_asked"] and game.session.pending is not None else ""
    )
    return (
        seat_page.version,
        seat_page.question_version,
        f"{_digest_of({name: page[name] for name in _POSITION})}.{question_fingerprint}",
    )


def _full_version(viewer: Viewer) -> int:
    """Return the version of the page of a viewer who sees everything, and note it.

    Once something is hidden, later versions must be greater. Otherwise a page would take a new version for one that it
    has already requested.
    """
    game = viewer.open
    game.last_full_versions[viewer.seats] = game.version
    return game.version


_POSITION = ("is_asked", "over", "pieces", "targets", "place", "status")
"""The parts of a page that are the same after a restart, even while the server still reads the earlier log."""


def _digest_of(data: Any) -> str:
    return blake2b(json_bytes(data), digest_size=16).hexdigest()


def position(viewer: Viewer) -> str:
    """Return the position of the game for a viewer with the full view.

    It consists of the length of the journal and the question, if the viewer must answer it.
    """
    session = viewer.open.session
    question_fingerprint = fingerprint(session.pending) if session.pending is not None and viewer.is_asked() else ""
    return f"{session.recorded}.{question_fingerprint}"


def _status_data(viewer: Viewer, board: Board) -> dict[str, Any]:
    session, game = viewer.open.session, viewer.open.game
    state, scenario = session.state, game.scenario
    turn = game.game_turn(state)
    points, strength = viewer.open.cached(
        ("points and strength", viewer.reader), lambda: points_and_strength(game, state, viewer.reader)
    )
    sets_up = any(entry.when == TO_SET_UP for entry in board.awaited)
    return {
        "headline": viewer.headline(board),
        "turn": turn,
        "turns": scenario.turns,
        "phases": game.display.phases(state),
        "sides": [
            {
                "id": side,
                "number": number,
                "name": entry.name,
                "kind": session.seats[side],
                "points": f"{points.get(side, 0):g}",
                # units that are still to be set up are not lost
                "strength": (100 if sets_up else round(100 * strength[side])) if side in strength else None,
                "mine": side in viewer.seats,
                "asked": getattr(session.pending, "seat", None) == side,
            }
            for number, (side, entry) in enumerate(scenario.sides.items())
        ],
    }


def _reason_to_wait(viewer: Viewer) -> dict[str, Any]:
    """Return the reason why the viewer has no question; empty if there is a question."""
    session, game = viewer.open.session, viewer.open.game
    question = session.pending
    if question is None:
        return {"over": outcome_sentence(game.scenario, session.outcome)}
    if viewer.open.trouble:
        return {"trouble": viewer.open.trouble, "playing": bool(viewer.seats)}
    if viewer.is_asked():
        return {}
    seat = getattr(question, "seat", None)
    deputy = session.deputy_answers() if seat in viewer.seats else ""
    if deputy:
        waits = {"waits_for": f"the AI player {deputy}"}
    else:
        side = game.scenario.sides.get(seat or "")
        waits = {"waits_for": in_a_sentence(side.name) if side is not None else "the dice"}
    thinker = viewer.open.thinker
    return {**waits, "thinker": thinker.player, "playing": bool(viewer.seats)} if thinker is not None else waits


def _victory_html(viewer: Viewer) -> dict[str, str]:
    """Return the victory conditions: the line that is always visible, and the rest."""
    conditions = victory(viewer.open.game, viewer.state(), viewer.seat)
    return {
        "victory_line": render("victory_line.html.j2", conditions),
        "victory": render("victory.html.j2", {**conditions, "watching": viewer.seat is None}),
    }


def _turn_text(viewer: Viewer, question_data: Mapping[str, Any]) -> str:
    """Return the sentence with which a screen reader announces whose turn it is."""
    if question_data:
        options = amount(len(question_data["options"]), "option")
        return f"Your turn. {question_data['sentence']} {options if question_data['options'] else ''}".strip()
    waiting = _reason_to_wait(viewer)
    return str(waiting.get("over") or waiting.get("trouble") or f"Waiting for {waiting['waits_for']}.")


def _proposal_data(viewer: Viewer) -> dict[str, Any] | None:
    """Return the pending proposal for the template; None without one, or for a watcher."""
    proposal, game = viewer.open.proposal, viewer.open.game
    if proposal is None or not viewer.seats:
        return None
    waiting = [seat for seat in viewer.open.session.people if seat not in proposal.agreed]
    return {
        "words": proposal.words,
        "by": game.narrator.name_of(proposal.by),
        "asked": bool(viewer.seats & set(waiting)),
        "waits": [game.narrator.name_of(seat) for seat in waiting],
    }


def _undo_request_data(viewer: Viewer) -> dict[str, Any] | None:
    """Return the request to undo the last choice for the template; None without one."""
    request, game = viewer.open.session.undo_request, viewer.open.game
    if request is None or not viewer.seats:
        return None
    return {
        "by": game.narrator.name_of(request.by),
        "asked": bool(viewer.seats & set(request.waits_for)),
        "waits": [game.narrator.name_of(seat) for seat in request.waits_for],
    }


def _standing_orders(viewer: Viewer) -> list[tuple[str, str, str]]:
    """Return the standing orders of the viewer's units: id, name and order."""
    session, game = viewer.open.session, viewer.open.game
    own_pieces = {
        piece for side, ids in game.display.pieces(session.state).items() if side in viewer.seats for piece in ids
    }
    return [
        (unit, game.narrator.name_of(unit), str(order))
        for unit, order in session.orders.given.items()
        if unit in own_pieces
    ]


def _deputies(viewer: Viewer) -> list[str]:
    """Return in words which AI players act for the viewer for a while. One whose phase is over is left out, although it
    stays until the viewer's next question.
    """
    session, game = viewer.open.session, viewer.open.game
    now = session.history.now
    own = [entry for seat, entry in session.deputies.items() if seat in viewer.seats]
    return [entry.describe(game) for entry in own if now is None or entry.lasts(game, now.draft, now.step)]


def _delegated_seats(viewer: Viewer) -> list[tuple[str, str, str]]:
    """Return the viewer's seats that an AI player has taken over: id, name and player."""
    session, game = viewer.open.session, viewer.open.game
    return [
        (seat, game.narrator.name_of(seat), kind)
        for seat, kind in session.seats.items()
        if seat in viewer.seats and kind != HUMAN
    ]


def answer_of(question: Question, number: int) -> Answer | None:
    """Return the listed answer with a number, counted from 0; None if there is none."""
    numbered_answers = answers(question)
    return numbered_answers[number] if 0 <= number < len(numbered_answers) else None


def _question_data(viewer: Viewer, state: Any, board: Board, question: Question) -> dict[str, Any]:
    """Return the question for the page, and the places on the map that its options refer to."""
    game = viewer.open.game
    page_data: dict[str, Any] = {
        "sentence": game.narrator.describe(state, question),
        "rule": question.rule,
        "kind": type(question).__name__.lower(),
        "keys": [],
        "passes_over": {},
    }
    if isinstance(question, Choose):
        page_data["options"] = [game.narrator.describe_option(state, question, option) for option in question.options]
        page_data["targets"] = list(option_targets(viewer, state, board, question))
        page_data["keys"] = _unit_keys(board, page_data["targets"], len(question.options))
        page_data["passes_over"] = units_passed_over(game, state, question)
    elif isinstance(question, Confirm):
        page_data["options"] = ["no", "yes"]
    elif isinstance(question, Place):
        scale = board.inches
        page_data["options"] = places_in_words(game, board, question)
        page_data["unit"] = board.length
        page_data["place"] = {
            "scale": scale,
            "unit": board.length,
            "depth": game.scenario.table.depth,
            "suggestions": [[x * scale, y * scale] for x, y in question.suggestions],
        }
        page_data["start"] = question.suggestions[0] if question.suggestions else (board.columns / 2, board.rows / 2)
    else:
        page_data["options"] = []
        page_data["dice"] = f"{question.dice}d{question.sides}" if isinstance(question, Roll) else ""
    page_data["acts"] = who_acts(game, state, board, question, getattr(question, "seat", None) or viewer.seat or "")
    now = viewer.open.session.history.now
    page_data["rest"] = {} if now is None else rest_for_ai(game, now.draft, now.step, question)
    page_data["groups"] = options_in_groups(game, state, question)
    page_data["with_odds"] = options_with_odds(game, state, question)
    page_data["terms"] = game.narrator.words.terms_in(page_data["sentence"], board.headline, *page_data["options"])
    return page_data


def option_targets(viewer: Viewer, state: Any, board: Board, question: Choose) -> Iterator[dict[str, Any]]:
    """Yield the pieces and the cell that each option refers to."""
    game = viewer.open.game
    ids = {piece.id for piece in board.pieces} | {piece.look.unit for piece in board.pieces if piece.look.unit}
    for number, option in enumerate(question.options):
        about = [word for word in _words(option) if word in ids]
        cell = game.display.cell_of(state, question, option)
        if about or cell is not None:
            cost = "" if cell is None else game.display.cost_of(state, question, option)
            yield {"n": number, "pieces": about, "cell": cell, "cost": cost}


def _unit_keys(board: Board, targets: Sequence[Mapping[str, Any]], count: int) -> list[tuple[str, int] | None]:
    """Return for each option the key of its unit and the number of its side.

    The entry is None if the option does not refer to exactly one unit.
    """
    owners = {name: piece for piece in board.pieces for name in (piece.look.unit, piece.id) if name and piece.side}
    order = {side: index for index, side in enumerate(board.sides)}
    keys: list[tuple[str, int] | None] = [None] * count
    for target in targets:
        about = [owners[piece] for piece in target["pieces"] if piece in owners and board.labels.get(piece)]
        if len(about) == 1:
            unit = about[0].look.unit or about[0].id  # the tag on the map is that of the unit
            keys[target["n"]] = board.labels[unit], order.get(about[0].side, 9)
    return keys


def card_rows(viewer: Viewer, question: Question | None) -> list[dict[str, Any]]:
    """Return the cards next to the map, each with the number of the option that plays it (None if none does)."""
    game, board = viewer.open.game, viewer.board()
    options = list(question.options) if isinstance(question, Choose) else []
    order = {side: index for index, side in enumerate(board.sides)}
    sides = {piece.look.unit or piece.id: order.get(piece.side, 9) for piece in board.pieces}
    return [
        {
            "title": row.title,
            "cards": [
                {
                    "card": card,
                    "label": board.labels.get(card.unit, ""),
                    "side": sides.get(card.unit, 9),
                    "option": options.index(card.option) if card.option in options else None,
                }
                for card in row.cards
            ],
        }
        for row in game.display.cards(viewer.state(), viewer.seat)
    ]


def _words(option: Any) -> Iterator[str]:
    if isinstance(option, str):
        yield option
    elif isinstance(option, tuple):
        for part in option:
            yield from _words(part)


def _ground(game: OpenGame, board: Board) -> tuple[str, str]:
    """Return the picture of the ground and its digest; it is redrawn only when a cell or a door has changed."""

    def draw() -> tuple[str, str]:
        svg = ground(game.game.scenario, board)
        return svg, blake2b(svg.encode(), digest_size=8).hexdigest()

    return game.drawn("ground", (board.cells, board.openings), draw)


def list_of_units(viewer: Viewer) -> str:
    """Return the list of units, as HTML."""
    return render("units.html.j2", {"sides": _units_by_side(viewer.board())})


def _units_by_side(board: Board) -> list[dict[str, Any]]:
    """Return the units on the map and those still to arrive, by side, in the words of the terminal."""
    order = {piece: index for index, piece in enumerate(board.labels)}
    unit_lists = []
    for number, (side, name) in enumerate([*board.sides.items(), ("", "Objects")]):
        units: list[tuple[str, str, str]] = [
            (piece.id, board.labels.get(piece.id, ""), piece.text) for piece in board.pieces if piece.side == side
        ]
        units += [
            (entry.id, board.labels.get(entry.id, ""), f"{entry.name}, {entry.when}")
            for entry in board.awaited
            if entry.side == side
        ]
        units = list(dict.fromkeys(sorted(units, key=lambda entry: order.get(entry[0], len(order)))))
        if units:
            unit_lists.append({"number": number if side else 9, "name": name, "units": units})
    return unit_lists


# --- The changeable parts of a page, computed once for all viewers with the same view ---------------------------------


class PageState:
    """The page contents for a version of the game. The ground is omitted for a page that already has it.

    `version` is the version shown, `game_version` the version of the game at that time.
    """

    def __init__(self, data: dict[str, Any], ground: dict[str, Any], game_version: int) -> None:
        self.version: int = data["version"]
        self.position: str = data["position"]
        self.game_version = game_version
        self._data, self._ground = data, ground

    def for_page(self, known: str) -> bytes:
        """Return the data for a page that already has the ground with this digest."""
        return self._without_ground if known == self._data["ground"] else self._with_ground

    @cached_property
    def _without_ground(self) -> bytes:
        return json_bytes(self._data)

    @cached_property
    def _with_ground(self) -> bytes:
        return json_bytes({**self._data, **self._ground})


def page_state(viewer: Viewer) -> PageState:
    """Return the current page state; waits for a running change."""
    with viewer.open.lock:
        return viewer.open.cached(_cache_key(viewer), lambda: PageState(*page_parts(viewer), viewer.open.version))


def cached_page_state(viewer: Viewer) -> PageState | None:
    """Return the page state if it has been computed already, without waiting."""
    found: PageState | None = viewer.open.cache.get(_cache_key(viewer))
    return found


def version_of(viewer: Viewer) -> int:
    """Return the version of a viewer's page. This is fast if nothing is hidden from the viewer."""
    with viewer.open.lock:
        return page_state(viewer).version if viewer.has_limited_view() else _full_version(viewer)


def position_of(viewer: Viewer) -> str:
    """Return the position of a viewer's page, which stays the same after a restart of the server."""
    with viewer.open.lock:
        return page_state(viewer).position if viewer.has_limited_view() else position(viewer)


def is_current(viewer: Viewer, version: int) -> bool:
    """Return True if a page of this version is up to date.

    A version newer than the viewer's own is accepted, because a refusal would reveal how much happened out of sight.
    """
    now = version_of(viewer)
    return version >= now if viewer.has_limited_view() else version == now


def _cache_key(viewer: Viewer) -> tuple[Any, ...]:
    return "sheet", viewer.seats
