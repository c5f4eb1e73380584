"""Find pieces and places from the names that people type."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import pairwise
from math import inf
from typing import Any

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.exact import dist, total
from zareba.base.grammar import in_a_sentence, with_unit
from zareba.base.hidden_characters import fold
from zareba.cli.prompt.parsing import compass
from zareba.cli.prompt.render import unit_board
from zareba.game import Game
from zareba.picture.zones import place_at
from zareba.presentation.board import Board, describe_position, place_name, row_length
from zareba.presentation.narration import wind_name
from zareba.session.umpire import editable_pieces
from zareba.space.bearings import bearing, direction
from zareba.space.geometry import nearest_on
from zareba.space.outlines import INWARD
from zareba.table import Point

_CELL = re.compile(r"([A-Za-z]{1,2})([0-9]{1,3})")
_NUMBER = r"[-+]?[0-9]+(?:\.[0-9]+)?"
_POINT = re.compile(rf"\(?({_NUMBER})[ ,]+({_NUMBER})\)?")
_WAY = re.compile(rf"({_NUMBER})\s*(?:inches|inch|in|cm|boxes|box|hexes|hex)?\s+(?:to the )?([a-z-]+)", re.IGNORECASE)
_TOWARDS = re.compile(
    rf"(?:({_NUMBER})\s*(?:inches|inch|in|cm|boxes|box|hexes|hex)?\s+)?(towards|to|up to|behind|at|on)\s+(?:the\s+)?(.+)",
    re.IGNORECASE,
)
_ALONG = re.compile(
    rf"(?:({_NUMBER})\s*(?:inches|inch|in|cm|boxes|box|hexes|hex)?\s+)?(up|down|along|through|over|across)\s+(?!to\b)(?:the\s+)?(.+)",
    re.IGNORECASE,
)
_FILLING = ("the", "of", "a", "an")
_AT = 0.5
"""Distance in inches within which a point counts as the place itself."""
_BEHIND = 2.0
"""Distance behind an object, seen from the enemy, that counts as behind it."""


def find_piece(game: Game[Any], state: Any, typed: str, *, units: bool = True) -> str:
    """Return the id of a piece from its id, its key on the map, its name, or words of its name.

    With `units` only pieces that an umpire or an order may name are searched, otherwise all pieces on the board. The
    ZarebaError for an unknown one suggests the nearest.
    """
    board = game.display.drawn(state)
    there = describe_position(board)
    known = editable_pieces(game, state) if units else [*there]
    names = {one: game.narrator.name_of(one) for one in known}
    keys = unit_board(game, state).labels if units else board.labels
    wanted = fold(typed).strip().removeprefix("the ")
    if not wanted:
        raise ZarebaError("name a unit")
    tests = (
        [one for one in known if fold(one) == wanted],
        [one for one, name in names.items() if fold(name) == wanted],
        [one for one in known if keys.get(one, "").casefold() == wanted],
        [one for one, name in names.items() if fold(name).startswith(wanted)],
        [one for one, name in names.items() if wanted and all(part in fold(name) for part in wanted.split())],
    )
    for found in tests:
        if len(found) == 1:
            return found[0]
        if found:
            listed = "; ".join(f"{keys[one]} {names[one]}" if one in keys else names[one] for one in found[:6])
            raise ZarebaError(f"'{typed}' may mean several: {listed}")
    raise unknown_name("piece", typed, [*names.values()])


def piece_first(game: Game[Any], state: Any, typed: str) -> tuple[str, str]:
    """Return the piece named by the first words of a line, using as many words as possible, and the rest of the line."""
    words = typed.split()
    if not words:
        raise ZarebaError("name a unit")
    for count in range(len(words), 0, -1):
        try:
            return find_piece(game, state, " ".join(words[:count])), " ".join(words[count:])
        except ZarebaError as error:
            if count == 1:
                raise error
    raise AssertionError("unreachable: the last word is found or refused")


def describe_spot(game: Game[Any], board: Board, spot: Point, actor: str) -> str:
    """Return a point of an open table with its bearing from the nearest named place and its distance from the actor:
    `24 7: 3 inches north of Sikhs, 6 inches from here`.
    """
    there = describe_position(board)
    name, start = place_name(board, spot), there.get(actor)
    if board.space != "free" or start == spot:
        return name
    own = game.narrator.name_of(actor)
    named = {**_grounds(game, board), **{one: at for one, at in _pieces(game, board).items() if one != own}}
    away = f"{with_unit(round(dist(start, spot)), board.length)} from here" if start is not None else ""
    # A road or a wall is as near as its nearest point; its middle may be far away.
    for key, ground in _ground_names(game).items():
        if line := game.scenario.terrain[key].line:
            named[ground] = nearest_on(spot, list(pairwise([place_at(board, point) for point in line])))
    nearest = min(named, key=lambda one: dist(named[one], spot), default=None)
    if nearest is None:
        return f"{name}: {away}" if away else name
    far, told = dist(named[nearest], spot), in_a_sentence(nearest)
    if far < _AT / board.inches:
        beside = f"at {told}"
    else:
        beside = f"{with_unit(round(far), board.length)} {wind_name(bearing(named[nearest], spot))} of {told}"
    return f"{name}: {', '.join(filter(None, [beside, away]))}"


def read_place(game: Game[Any], board: Board, typed: str, start: Point | None) -> Point:
    """Return the place described by `E4`, `12 4`, `8 NE`, `8 towards the Jezails`, `towards the ford`, `up the road`, or
    the name of a unit, objective or terrain piece.

    `start` is the origin of directions and distances, or None if there is none. The ZarebaError says what may be
    typed.
    """
    return read_way(game, board, typed, start)[-1]


def read_way(game: Game[Any], board: Board, typed: str, start: Point | None) -> list[Point]:
    """Return a place as `read_place` does, preceded by the points on the way there if it follows a line such as a
    road.
    """
    if along := _ALONG.fullmatch(typed.strip()):
        if start is None:
            raise ZarebaError("the unit is not on the table, so it cannot follow a line; type a place")
        line = _line_of(game, board, along[3])
        length = inf if along[1] is None else float(along[1])
        return _followed(game, board, line, start, length, back=along[2].casefold() == "down")
    return [_read(game, board, typed.strip(), start)]


def _read(game: Game[Any], board: Board, typed: str, start: Point | None) -> Point:
    grid = board.space != "free"
    if grid and (cell := _CELL.fullmatch(typed)):
        return _cell(board, cell[1], cell[2])
    if not grid and (point := _POINT.fullmatch(typed)):
        return float(point[1]), float(point[2])
    if (way := _WAY.fullmatch(typed)) and (degrees := compass(way[2])) is not None:
        if start is None:
            raise ZarebaError("the unit is not on the table, so it has no directions; type a place")
        return _along(board, start, float(way[1]), direction(degrees))
    if towards := _TOWARDS.fullmatch(typed):
        goal = _named(game, board, towards[3])
        if towards[2].casefold() == "behind":
            goal = _behind(game, board, goal, start)
        if towards[1] is None or start is None:
            return goal
        away = dist(start, goal) or 1.0
        return _along(board, start, float(towards[1]), ((goal[0] - start[0]) / away, (goal[1] - start[1]) / away))
    return _named(game, board, typed)


def _cell(board: Board, letters: str, row: str) -> Point:
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    if not 1 <= int(row) <= board.rows or column > row_length(board, int(row) - 1):
        last = place_name(board, (board.columns - 1, board.rows - 1))
        raise ZarebaError(f"there is no {letters.upper()}{row} on the table; it goes from A1 to {last}")
    return column - 1, int(row) - 1


def _along(board: Board, start: Point, length: float, way: Point) -> Point:
    if board.space == "free":
        return start[0] + length * way[0], start[1] + length * way[1]
    most = max(abs(way[0]), abs(way[1])) or 1.0  # a step is one box or hex in every direction, including diagonals
    x, y = start[0] + length * way[0] / most, start[1] + length * way[1] / most
    row = min(board.rows - 1, max(0, round(y)))
    return min(row_length(board, row) - 1, max(0, round(x))), row


def _named(game: Game[Any], board: Board, typed: str) -> Point:
    """Return the position of a named piece, objective, terrain piece or object."""
    wanted = fold(typed).strip().removeprefix("the ")
    places = {**_grounds(game, board), **_pieces(game, board)}
    exact = [name for name in places if fold(name) == wanted]
    words = [word for word in wanted.split() if word not in _FILLING]
    found = exact or [name for name in places if words and set(words) <= set(fold(name).split())]
    found = found or [name for name in _kinds(game, words) if name in places]
    found = found or [name for name in places if re.search(rf"\b{re.escape(wanted)}", fold(name))]
    if not found and board.space == "free" and _CELL.fullmatch(typed):
        raise ZarebaError(f"'{typed}' is a box or hex, but this table is open: type 12 4, 8 NE, or a name")
    if not found:
        raise unknown_name("place", typed, places)
    if len({places[name] for name in found}) > 1 and not exact:
        raise ZarebaError(f"'{typed}' may mean several: {'; '.join(found[:6])}")
    return places[found[0]]


def _pieces(game: Game[Any], board: Board) -> dict[str, Point]:
    return {
        game.narrator.name_of(piece): at
        for piece, at in describe_position(board).items()
        if game.narrator.name_of(piece) != piece
    }


def _grounds(game: Game[Any], board: Board) -> Mapping[str, Point]:
    """Return the centres of all named terrain pieces, of objectives that are places, and of objects."""
    scenario = game.scenario
    found: dict[str, Point] = {}
    for key, name in _ground_names(game).items():
        terrain = scenario.terrain[key]
        points: Sequence[Point] = terrain.area or terrain.line or ()
        found[name] = place_at(board, _middle(points))
    for goal in scenario.objectives.values():
        at = getattr(goal, "at", None)
        if at is not None:
            found[goal.name] = place_at(board, at)
    return found


def _kinds(game: Game[Any], words: Sequence[str]) -> list[str]:
    """Return the names of terrain pieces whose kind or id contains the words: the ford, the road, the wall of the
    kraal.
    """
    terrain = game.scenario.terrain
    return [
        name
        for key, name in _ground_names(game).items()
        if words and set(words) <= {*key.split("_"), *terrain[key].kind.split("_"), *fold(name).split()}
    ]


def _ground_names(game: Game[Any]) -> dict[str, str]:
    """Return the name of each terrain piece by its id; pieces without a name are numbered within their kind."""
    found: dict[str, str] = {}
    kinds = Counter(one.kind for one in game.scenario.terrain.values() if not one.name)
    numbers: Counter[str] = Counter()
    for key, one in game.scenario.terrain.items():
        name = (one.name or "").removeprefix("The ").removeprefix("the ")
        if not name:
            numbers[one.kind] += 1
            name = one.kind.replace("_", " ") + (f" {numbers[one.kind]}" if kinds[one.kind] > 1 else "")
        found[key] = name
    return found


def _line_of(game: Game[Any], board: Board, typed: str) -> list[Point]:
    """Return the line of a named terrain piece such as a road, or the long axis of an area."""
    wanted = fold(typed).strip().removeprefix("the ")
    words = [word for word in wanted.split() if word not in _FILLING]
    named = {name: game.scenario.terrain[key] for key, name in _ground_names(game).items()}
    found = [name for name in named if fold(name) == wanted]
    found = found or [name for name in named if words and set(words) <= set(fold(name).split())]
    found = found or _kinds(game, words)
    if not found:
        raise unknown_name("piece of ground", typed, named)
    if len(found) > 1:
        raise ZarebaError(f"'{typed}' may mean several: {'; '.join(found[:6])}")
    ground = named[found[0]]
    points = list(ground.line or ())
    if not points:
        middle = _middle(ground.area or ())
        far = max(ground.area or (), key=lambda corner: dist(corner, middle))
        points = [far, (2 * middle[0] - far[0], 2 * middle[1] - far[1])]
    if board.space == "free":
        return [place_at(board, point) for point in points]
    stepped = [_share(a, b, number / 12) for a, b in pairwise(points) for number in range(13)]
    return list(dict.fromkeys(place_at(board, point) for point in stepped))


def _followed(
    game: Game[Any], board: Board, line: Sequence[Point], start: Point, length: float, *, back: bool
) -> list[Point]:
    """Return the points of a line from the one nearest to `start` over `length`. "Up" leads away from the side's own
    edge, "down" back.
    """
    forward = _forward(game, board, start)
    ends = [x * forward[0] + y * forward[1] for x, y in (line[0], line[-1])]
    onward = list(line) if (ends[0] <= ends[1]) is not back else list(reversed(line))
    legs = [(a, b, _foot(a, b, start)) for a, b in pairwise(onward)]
    if not legs:
        return [line[0]]
    place, (_, _, foot) = min(enumerate(legs), key=lambda leg: dist(leg[1][2], start))
    if dist(start, foot) >= length:
        away = dist(start, foot)
        return [_along(board, start, length, ((foot[0] - start[0]) / away, (foot[1] - start[1]) / away))]
    way, left = [foot], length - dist(start, foot)
    for point in onward[place + 1 :]:
        leg = dist(way[-1], point)
        if leg > left:
            way.append(_share(way[-1], point, max(0.0, left) / leg))
            break
        way.append(point)
        left -= leg
    if board.space != "free":
        return [(round(x), round(y)) for x, y in way]
    return [_share(a, b, number / 8) for a, b in pairwise(way) for number in range(1, 9)] or way


def _forward(game: Game[Any], board: Board, start: Point) -> Point:
    """Return the forward direction of the piece nearest to `start`: away from the home edge of its side."""
    nearest = min(board.pieces, key=lambda piece: dist((piece.x, piece.y), start), default=None)
    side = game.scenario.sides.get(nearest.side) if nearest is not None else None
    home = (side and side.home_edge) or "south"
    return INWARD[home]


def _foot(a: Point, b: Point, point: Point) -> Point:
    """Return the point of a line segment that is nearest to another point."""
    length = dist(a, b)
    if not length:
        return a
    along = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length**2
    return _share(a, b, min(1.0, max(0.0, along)))


def _share(a: Point, b: Point, share: float) -> Point:
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _behind(game: Game[Any], board: Board, goal: Point, start: Point | None) -> Point:
    """Return a point a little beyond a place, on the side away from the enemies of the piece nearest to `start`."""
    nearest = min(board.pieces, key=lambda piece: dist((piece.x, piece.y), start or goal), default=None)
    enemies = [(piece.x, piece.y) for piece in board.pieces if nearest and piece.side not in ("", nearest.side)]
    if not enemies:
        return goal
    enemy = _middle(enemies)
    away = dist(enemy, goal) or 1.0
    reach = 1.0 if board.space != "free" else _BEHIND / board.inches
    return _along(board, goal, reach, ((goal[0] - enemy[0]) / away, (goal[1] - enemy[1]) / away))


def _middle(points: Sequence[Point]) -> Point:
    return total([x for x, _ in points]) / len(points), total([y for _, y in points]) / len(points)
