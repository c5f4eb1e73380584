"""What a page asks about a game: explanations, unit cards and distances."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import pairwise
from typing import Any

from starlette.requests import Request

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.exact import dist
from zareba.base.grammar import amount, join_with_and, with_unit
from zareba.base.tally import Tally
from zareba.explain import explanations
from zareba.game import Game
from zareba.lessons import page_lesson
from zareba.odds import ChoiceOdds, ProcedureExplanation
from zareba.odds.phrases import by_unit, changes_in_brief, odds_in_short, percent
from zareba.picture import legal_zone, zones
from zareba.picture.zones import grid_of
from zareba.presentation.board import Board
from zareba.presentation.umpire_editor import PieceRange
from zareba.rules import load_catalogue
from zareba.rules.catalogue import SOURCES
from zareba.scenario import Scenario
from zareba.session import Answered
from zareba.session.briefing import HOW_TO_WIN
from zareba.session.narration import outcome_text
from zareba.session.score import score_sentences
from zareba.session.umpire import editable_pieces
from zareba.space import BoxGrid, HexGrid
from zareba.space.geometry import Point, crossing, spans_inside
from zareba.table import Answer, Choose, Confirm, MoveCost, Place, Roll, refusal
from zareba.web.seat.panel import answers
from zareba.web.seat.umpire import of_piece, of_table
from zareba.web.seat.view import answer_of, is_current, option_targets
from zareba.web.seat.viewer import Viewer
from zareba.web.security import Forbidden, Form, render

# --- Explanations: the numbers and dice of the last act, and the odds of an option ------------------------------------


ROWS = 12
_MOST_CHARTS = 4
_NUMBERS = (int, float)
_NEARLY_SURE = Fraction(99, 100)
BRIEFLY = 0.05
"""Seconds to compute the odds of an option under the pointer."""


def why(viewer: Viewer) -> str:
    """Return the numbers of the last act with its dice and cards, part by part."""
    numbers = viewer.open.session.last_numbers(viewer.seat or "")  # a watcher sees no hidden card
    return render("why.html.j2", {"reckonings": numbers_told(viewer, numbers)})


def numbers_told(viewer: Viewer, numbers: Sequence[Tally | Answered]) -> list[dict[str, Any]]:
    """Return numbers and throws in words, with the text of their rules."""
    game = viewer.open.game
    state = viewer.seen(viewer.open.session.state)
    says = game.rules.says
    told = []
    for one in explanations(numbers):
        tallies = [
            {
                "title": f"{tally.rule.name.replace('_', ' ')}: {with_unit(tally.total, tally.rule.unit)}",
                "rule": tally.rule.rule,
                "says": says(tally.rule.rule),
                "parts": [
                    (part.change, str(part.running), part.rule, part.summary, says(part.rule) or part.source)
                    for part in tally.parts()
                ],
            }
            for tally in {(tally.rule.name, tally.facts): tally for tally in one.tallies}.values()
        ]
        throws = [
            {
                "words": game.narrator.describe(state, throw.question),
                "thrown": outcome_text(game, throw),
                "rule": throw.question.rule,
                "says": says(throw.question.rule),
            }
            for throw in one.throws
        ]
        told.append({"title": one.title, "tallies": tallies, "throws": throws})
    return told


def odds_line(viewer: Viewer, number: int) -> str:
    """Return the odds of an option in one line: the chances of losses as bars, and the likeliest result in words."""
    session, game = viewer.open.session, viewer.open.game
    answer = _weighed_answer(viewer, number)

    def looked_at() -> str:
        try:
            found = session.odds_of(answer, BRIEFLY)
        except ZarebaError as error:
            return render("odds_line.html.j2", {"trouble": str(error)})
        sides = list(game.seats)
        mine = sides.index(viewer.seat) if viewer.seat in sides else 0
        own = {*game.scenario.units_of(sides[mine]), *game.display.pieces(session.state).get(sides[mine], ())}
        short = odds_in_short(game, found, own)
        told = {
            "trouble": "",
            "words": short.words,
            "bars": [
                {"side": side, "width": round(100 * float(chance)), "y": 7 * row}
                for row, (side, chance) in enumerate(((1 - mine if mine < 2 else 0, short.enemy), (mine, short.own)))
            ],
            "enemy": percent(short.enemy) if short.enemy else "",
            "own": percent(short.own) if short.own else "",
            # the words alone say it if losses of one side are sure, and the other side has none
            "sure": bool(short.words)
            and min(short.enemy, short.own) == 0
            and max(short.enemy, short.own) > _NEARLY_SURE,
        }
        return render("odds_line.html.j2", told)

    return viewer.open.cached(("odds", number, "line"), looked_at)


def all_odds(viewer: Viewer, number: int) -> str:
    """Return the odds of an option with all outcomes, small charts, and the numbers behind them."""
    session, game = viewer.open.session, viewer.open.game
    answer = _weighed_answer(viewer, number)

    def looked_at() -> str:
        try:
            found = session.odds_of(answer)
        except ZarebaError as error:
            return render("odds.html.j2", {"trouble": str(error)})
        told = {
            "trouble": "",
            "brief": changes_in_brief(game, found),
            "how": found.told(),
            "charts": list(_charts(game, found)),
            "rows": _changes(game, found),
            "numbers": _numbers(session.explain(answer)),
        }
        return render("odds.html.j2", told)

    return viewer.open.cached(("odds", number, "whole"), looked_at)


def _weighed_answer(viewer: Viewer, number: int) -> Answer:
    """Return the answer with the number in a request for odds. Raises ZarebaError if it has no odds."""
    question = viewer.open.session.pending
    if not viewer.is_asked() or not isinstance(question, (Choose, Confirm)):
        raise ZarebaError(
            "odds are available only for options and for yes or no, not for a place on the map or a throw"
        )
    answer = answer_of(question, number)
    if answer is None:
        raise ZarebaError(f"there is no option {number + 1}")
    return answer


def _charts(game: Game[Any], found: ChoiceOdds) -> Iterator[dict[str, Any]]:
    """Yield small charts of unit losses; the units most likely to have losses come first."""
    spreads: dict[tuple[str, str], dict[float, Fraction]] = {}
    for changes, p in found.outcomes.items():
        for change in changes:
            if type(change.was) in _NUMBERS and type(change.now) in _NUMBERS and change.now < change.was:
                lost = round(float(change.was) - float(change.now), 2)
                spread = spreads.setdefault((change.unit, change.what), {})
                spread[lost] = spread.get(lost, Fraction(0)) + p
    for (unit, what), spread in sorted(spreads.items(), key=lambda item: -sum(item[1].values()))[:_MOST_CHARTS]:
        none = 1 - sum(spread.values())
        rows = sorted({**spread, **({0.0: none} if none > 0 else {})}.items())
        mean, most = sum(float(p) * lost for lost, p in rows), max(p for _, p in rows)
        bars = [
            {"label": f"{lost:g}", "share": f"{float(p):.1%}", "height": round(40 * float(p / most), 1)}
            for lost, p in rows
        ]
        yield {"name": f"{game.narrator.name_of(unit)}: {what} lost", "mean": f"mean {mean:.1f}", "bars": bars}


def _numbers(found: ProcedureExplanation) -> list[tuple[str, str]]:
    """Return the numbers of the odds and the throws and cards with their meanings, each with its rule."""
    tallies = [
        (f"{tally.rule.name.replace('_', ' ')}: {with_unit(tally.total, tally.rule.unit)}", tally.rule.rule)
        for tally in found.tallies
    ]
    return [
        *tallies,
        *((f"{' '.join(filter(None, [one.why, one.dice]))}: {one.means}", one.rule) for one in found.chances),
    ]


def _changes(game: Game[Any], found: ChoiceOdds) -> list[dict[str, Any]]:
    """Return the outcomes for the units, the most likely first; the last row sums up the rest."""
    rows = sorted(found.outcomes.items(), key=lambda item: (-item[1], str(item[0])))
    shown = [
        (by_unit(game, [(change.unit, game.narrator.describe_change(change)) for change in changes]) or "no change", p)
        for changes, p in rows[:ROWS]
    ]
    if len(rows) > ROWS:
        shown.append((f"{len(rows) - ROWS} other outcomes", sum((p for _, p in rows[ROWS:]), Fraction(0))))
    most = max(p for _, p in shown)
    return [
        {"words": words, "share": f"{float(p):.1%}", "width": round(100 * float(p / most), 1)} for words, p in shown
    ]


# --- The ruler: distances between two points in the ruleset's unit, and zones of fire and command ---------------------


_OVERLAYS = ("command", "fire", "danger")


def measure(viewer: Viewer, a: Point, b: Point, pieces: tuple[str, str]) -> dict[str, Any]:
    """Return the distance between two points, given in inches of the table, and facts of the rules about two pieces
    there.
    """
    game = viewer.open.game
    state = viewer.seen(viewer.open.session.state)
    board = game.display.drawn(state)
    if board.space == "free":
        there = [(x / board.inches, y / board.inches) for x, y in (a, b)]
        unit = '"' if board.length == "inches" else f" {board.length}"
        words = [f"{dist(*there):.1f}{unit}"]
    else:
        grid = grid_of(board)
        assert isinstance(grid, (BoxGrid, HexGrid)), "a board of cells has a grid"
        cells = [
            _nearest(grid, ((x - board.origin[0]) / board.inches, (y - board.origin[1]) / board.inches))
            for x, y in (a, b)
        ]
        words = [f"{grid.label(cells[0])} to {grid.label(cells[1])}: {float(grid.distance(*cells)):g} {board.length}"]
    named = {piece.id: (piece.look.unit or piece.id, piece.look.name) for piece in board.pieces}
    if named.keys() >= set(pieces):
        (unit, name), (other, its_name) = named[pieces[0]], named[pieces[1]]
        said = game.umpire_editor().measured(state, unit, other) if unit != other else ()
        words += [f"from {name} to {its_name}: {', '.join(said)}"] if said else []
    crossed = list(_between(game.scenario, a, b))
    return {"words": [*words, *([f"across {join_with_and(crossed)}"] if crossed else [])]}


def _between(scenario: Scenario, a: Point, b: Point) -> Iterator[str]:
    """Yield the scenario's terrain that a line crosses; the rules decide which of it blocks sight."""
    for piece in scenario.terrain.values():
        name = piece.name or piece.kind.replace("_", " ")
        if (piece.area is not None and spans_inside(a, b, piece.area)) or (
            piece.line is not None and any(crossing(a, b, *leg) is not None for leg in pairwise(piece.line))
        ):
            yield name


def overlay(viewer: Viewer, kind: str, piece: str) -> dict[str, Any]:
    """Return the zone of fire or command of the viewer's side or of one piece; "danger" is the zone of fire of all
    visible enemies.
    """
    if kind not in _OVERLAYS:
        raise unknown_name("overlay", kind, _OVERLAYS)

    def laid_over() -> dict[str, Any]:
        game = viewer.open.game
        board = game.display.drawn(viewer.seen(viewer.open.session.state))
        found = list(_reaches(viewer, board, kind, piece))
        words = "" if found else f"no unit has a zone of {kind} now"
        return {"svg": zones(game.scenario, board, found, kind), "words": words}

    return viewer.open.cached(("overlay", viewer.seats, kind, piece), laid_over)


def _reaches(viewer: Viewer, board: Board, kind: str, piece: str) -> Iterator[tuple[str, PieceRange]]:
    game, seen = viewer.open.game, viewer.seen(viewer.open.session.state)
    editor, wanted = game.umpire_editor(), "fire" if kind == "danger" else kind
    sides: dict[str, str] = {}
    for one in board.pieces:
        sides |= {name: one.side for name in (one.look.unit, one.id) if name and one.side}
    for name, side in sides.items():
        if name == piece or (not piece and (side == viewer.seat) is not (kind == "danger")):
            yield from (
                (game.narrator.name_of(name), reach) for reach in editor.reaches(seen, name) if reach.kind == wanted
            )


def _nearest(grid: BoxGrid | HexGrid, point: Point) -> int:
    return min(grid.cells, key=lambda cell: dist(grid.centre(cell), point))


# --- The questions that a page can ask: odds of an option, legality of a place, distances, the text of a rule ---------


_OPEN_TO_ALL = ("Background", "Objectives", HOW_TO_WIN, "Length", "Special rules", "Not in these rules")
"""The public sections of a briefing."""


_LEAST_EXCESS = 0.05
"""Cost differences below this are ignored."""


def whole(request: Request, name: str) -> int:
    """Return a whole number from the query of an address."""
    return Form(list(request.query_params.multi_items())).whole(name)


def _point(request: Request, x: str, y: str) -> tuple[float, float]:
    form = Form(list(request.query_params.multi_items()))
    return form.number(x), form.number(y)


def odds(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the odds of an option; nothing if the question of the page is no longer current."""
    if not is_current(viewer, whole(request, "version")):
        return {"html": ""}
    give = all_odds if request.query_params.get("whole") == "1" else odds_line
    return {"html": give(viewer, whole(request, "n"))}


def ruling(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the reason why a point is not allowed, or "", and the movement cost to an allowed point."""
    question = viewer.open.session.pending
    if not isinstance(question, Place) or not viewer.is_asked():
        raise ZarebaError("the question does not ask for a place")
    point = _point(request, "x", "y")
    refused = refusal(question, point)
    if refused:  # the cost could contradict the reason: some rules limit a move by more than its cost
        return {"refused": _sentence(refused), "cost": ""}
    return {"refused": "", "cost": "" if question.cost is None else cost_told(question.cost(point))}


def _sentence(words: str) -> str:
    return f"{words[0].upper()}{words[1:]}{'' if words.endswith('.') else '.'}"


def cost_told(cost: MoveCost) -> str:
    """Return the movement cost in a few words."""
    if cost.spent is None:
        return "impassable ground is in the way"
    ends = ", ends short of it" if cost.spent > cost.allowance + _LEAST_EXCESS else ""
    return f"costs {cost.spent:.1f} of {cost.allowance:.1f}{ends}"


def why_not(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return why a piece or a cell of the map is not an option; "" if the question of the page is no longer current."""
    question, game = viewer.open.session.pending, viewer.open.game
    current = is_current(viewer, whole(request, "version"))
    if not current or not viewer.is_asked() or not isinstance(question, Choose):
        return {"words": ""}
    board, piece = viewer.board(), request.query_params.get("piece", "")
    if piece and any(piece in (one.id, one.look.unit) for one in board.pieces):
        return {"words": game.narrator.why_not(viewer.state(), question, piece=piece)}
    if request.query_params.get("cell") and board.space != "free":
        cell = whole(request, "cell")
        if not any(target["cell"] is not None for target in option_targets(viewer, viewer.state(), board, question)):
            return {"words": "This question asks for no place: choose a marked unit, or one of the options."}
        if cell in grid_of(board).cells:
            return {"words": game.narrator.why_not(viewer.state(), question, cell=cell)}
    raise ZarebaError("there is no such place on your table")


def where(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the area of the map in which the requested place may be; nothing if the question is no longer current."""
    question, game = viewer.open.session.pending, viewer.open.game
    if not is_current(viewer, whole(request, "version")) or not isinstance(question, Place) or not viewer.is_asked():
        return {"path": ""}
    board = game.display.drawn(viewer.seen(viewer.open.session.state))
    return {"path": legal_zone(board, game.scenario, question.legal) if board.space == "free" else ""}


def advice(viewer: Viewer, _: Request) -> dict[str, Any]:
    """Return the choice of doctrine and its reason."""
    session, game = viewer.open.session, viewer.open.game
    question = session.pending
    if question is None or not viewer.is_asked() or isinstance(question, Roll):
        raise ZarebaError("there is no choice to make now")
    answer, reason = session.suggestion()
    listed = list(answers(question))
    told: dict[str, Any] = {
        "number": listed.index(answer) if answer in listed else None,
        "point": answer if isinstance(question, Place) else None,
        "reason": reason.rstrip("."),
    }
    if isinstance(question, Choose):
        told["words"] = game.narrator.describe_option(viewer.seen(session.state), question, answer)
    elif isinstance(question, Place):
        told["words"] = f"the place {answer[0]:.1f}, {answer[1]:.1f}"
    else:
        told["words"] = "yes" if answer else "no"
    return {"html": render("advice.html.j2", told)}


def lesson(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the lesson next to the question of the tutorial; empty while the viewer has no question."""
    learnt = request.query_params.get("learnt", "").split(",")
    found = page_lesson(viewer.open.session, learnt) if viewer.is_asked() else None
    if found is None:
        return {"html": "", "key": "", "act": ""}
    return {"html": render("lesson.html.j2", {"lesson": found}), "key": found.key, "act": found.act}


def briefing(viewer: Viewer, _: Request) -> dict[str, Any]:
    """Return the briefing as the seat may know it; a watcher gets only the public sections."""
    session, seat = viewer.open.session, viewer.seat
    found = viewer.open.cached(("briefing", seat), lambda: session.briefing(seat, watching=seat is None))
    kept = [(one.title, one.lines) for one in found.sections if viewer.seat is not None or one.title in _OPEN_TO_ALL]
    return {"html": render("lines.html.j2", {"title": f"{found.title}, under {found.rules}", "sections": kept})}


def score(viewer: Viewer, _: Request) -> dict[str, Any]:
    """Return the score and its changes; after the end, the after-action report."""
    session, game = viewer.open.session, viewer.open.game
    if session.pending is None:
        lines: list[str] = viewer.open.cached(
            "after_action_report", lambda: session.after_action_report(session.think).lines(game)
        )
    elif viewer.seat is None:
        raise Forbidden("Spectators can see the score details when the battle is over.")
    else:
        lines = score_sentences(session.score(viewer.seat), game)
    return {"html": render("lines.html.j2", {"title": "The score", "sections": [("", lines)]})}


def distance(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the distance between two points, and facts of the rules about the pieces there."""
    pieces = request.query_params.get("a", ""), request.query_params.get("b", "")
    return measure(viewer, _point(request, "ax", "ay"), _point(request, "bx", "by"), pieces)


def reach(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the area in which a side, or one of its pieces, fires or commands, as an overlay of the map."""
    return overlay(viewer, request.query_params.get("kind", ""), request.query_params.get("piece", ""))


def what_a_rule_says(viewer: Viewer, request: Request) -> dict[str, Any]:
    """Return the text of a rule, and its interpretation here."""
    wanted, rules = request.query_params.get("id", ""), viewer.open.game.rules
    entry = load_catalogue(*rules.ruleset.folders).rules.get(wanted)
    says = rules.says(wanted) if entry is None else entry.summary
    if not says:
        raise ZarebaError("there is no such rule")
    source = SOURCES[entry.status] if entry is not None else ""
    return {"html": render("rule.html.j2", {"id": wanted, "says": says, "rule": entry, "source": source})}


# --- The card of a unit: its troops, condition, present options, standing order, and umpire edits ---------------------


def card(viewer: Viewer, piece: str) -> str:
    """Return the card of a piece. Raises ZarebaError if the seat sees no piece of that name."""
    session, game = viewer.open.session, viewer.open.game
    seen = viewer.seen(session.state)
    board = viewer.drawn(seen)
    there = [one for one in board.pieces if piece in (one.id, one.look.unit)]
    due = [one for one in board.awaited if one.id == piece]
    if not there and not due:
        raise ZarebaError("no such unit is on your table")
    unit = piece if due or any(one.id == piece for one in there) else there[0].look.unit or there[0].id
    side = next(
        (side for side, ids in game.display.pieces(seen).items() if unit in ids), there[0].side if there else ""
    )
    known = unit in editable_pieces(game, seen)
    own = side in viewer.seats
    order = session.orders.given.get(unit) if own else None
    scenario_unit = game.scenario.units.get(unit)
    told: dict[str, Any] = {
        "id": unit,
        "label": board.labels.get(unit, ""),
        "name": game.narrator.name_of(unit),
        "side": game.narrator.name_of(side) if side else "",
        "number": list(board.sides).index(side) if side in board.sides else 9,
        "words": list(dict.fromkeys(one.text for one in there))[:24] or [f"{one.name}, {one.when}" for one in due],
        "troops": _troops(scenario_unit) if scenario_unit else "",
        "reaches": [
            (kind, said)
            for kind, said in (("fire", "Fire range"), ("command", "Command range"))
            if known and any(reach.kind == kind for reach in game.umpire_editor().reaches(seen, unit))
        ],
        "asks": game.narrator.describe(seen, session.pending) if viewer.is_asked() and session.pending else "",
        "options": list(_options(viewer, seen, board, unit)),
        "may_order": own and known and bool(there) and session.pending is not None,
        "order": str(order) if order else "",
        "hand": of_piece(viewer, unit) if known and viewer.seats and session.pending is not None else None,
    }
    return render("card.html.j2", told)


def _troops(unit: Any) -> str:
    """Return the scenario's description of a unit, which is the same under all rules."""
    words = [amount(unit.figures, "figure"), unit.quality, unit.kind, unit.arm]
    words += [unit.weapon] if unit.weapon != "none" else []
    words += [unit.close_weapon] if unit.close_weapon != "none" else []
    return ", ".join(word.replace("_", " ") for word in (*words, *unit.traits))


def _options(viewer: Viewer, seen: Any, board: Any, unit: str) -> Any:
    """Yield the options of the pending question that involve the unit: number and words."""
    question = viewer.open.session.pending
    if not viewer.is_asked() or not isinstance(question, Choose):
        return
    for target in option_targets(viewer, seen, board, question):
        if unit in target["pieces"]:
            yield target["n"], viewer.open.game.narrator.describe_option(seen, question, question.options[target["n"]])


def table_by_hand(viewer: Viewer) -> str:
    """Return the umpire's form, with the pieces by name."""
    return render("umpire.html.j2", of_table(viewer))
