"""Find pieces and places from the names that people type."""

from __future__ import annotations

import re
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
from zareba.presentation.landmarks import terrain_names, terrain_titles
from zareba.presentation.narration import wind_name
from zareba.session.umpire import editable_pieces
from zareba.space.bearings import bearing, direction
from zareba.space.geometry import nearest_on
from zareba.space.outlines import INWARD
from zareba.table import Point

_CELL = re.compile(r"([A-Za-z]{1,2})([0-9]{1,3})")
_NUMBER = r"[-+]?[0-9]+(?:\.[0-9]+)?"
_POINT = re.compile(rf"\(?({_NUMBER})[ ,]+({_NUMBER})\)?")
_DISTANCE_AND_DIRECTION = re.compile(
    rf"({_NUMBER})\s*(?:inches|inch|in|cm|boxes|box|hexes|hex)?\s+(?:to the )?([a-z-]+)", re.IGNORECASE
)
_TOWARDS_PLACE = re.compile(
    rf"(?:({_NUMBER})\s*(?:inches|inch|in|cm|boxes|box|hexes|hex)?\s+)?(towards|to|up to|behind|at|on)\s+(?:the\s+)?(.+)",
    re.IGNORECASE,
)
_ALONG_LINE = re.compile(
    rf"(?:({_NUMBER})\s*(?:inches|inch|in|cm|boxes|box|hexes|hex)?\s+)?(up|down|along|through|over|across)\s+(?!to\b)(?:the\s+)?(.+)",
    re.IGNORECASE,
)
_IGNORED_WORDS = ("the", "of", "a", "an")
STAYS = "where it stands"
"""The place of a unit that does not move, in words."""
_INCHES_AT_PLACE = 0.5
"""Distance within which a point counts as the place itself."""
_INCHES_BEHIND = 2.0
"""Distance behind an object, seen from the enemy, that counts as behind it."""


def find_piece(game: Game[Any], state: Any, typed: str, *, units: bool = True) -> str:
    """Return the id of a piece from its id, its key on the map, its name, or words of its name.

    With `units` only pieces that an umpire or an order may name are searched, otherwise all pieces on the board. The
    ZarebaError for an unknown one suggests the nearest.
    """
    board = game.display.labelled_board(state)
    pieces = editable_pieces(game, state) if units else [*describe_position(board)]
    names = {piece: game.narrator.name_of(piece) for piece in pieces}
    labels = unit_board(game, state).labels if units else board.labels
    wanted = fold(typed).strip().removeprefix("the ")
    if not wanted:
        raise ZarebaError("name a unit")
    from_strict_to_loose = (
        [piece for piece in pieces if fold(piece) == wanted],
        [piece for piece, name in names.items() if fold(name) == wanted],
        [piece for piece in pieces if labels.get(piece, "").casefold() == wanted],
        [piece for piece, name in names.items() if fold(name).startswith(wanted)],
        [piece for piece, name in names.items() if all(word in fold(name) for word in wanted.split())],
    )
    for matches in from_strict_to_loose:
        if len(matches) == 1:
            return matches[0]
        if matches:
            listed = "; ".join(f"{labels.get(piece, '')} {names[piece]}".strip() for piece in matches[:6])
            raise ZarebaError(f"'{typed}' may mean several: {listed}")
    raise unknown_name("piece", typed, [*names.values()])


def piece_first(game: Game[Any], state: Any, typed: str) -> tuple[str, str]:
    """Return the piece named by the first words of a line, using as many words as possible, and the rest of the
    line.
    """
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
    """Return a point of an open table by its bearing from the nearest named place and its distance from the actor, with
    its coordinates: `3 inches north of Sikhs, 6 inches from here (24 7)`. The actor's own point is `where it stands`.
    """
    name, start = place_name(board, spot), describe_position(board).get(actor)
    if board.space != "free":
        return name
    if start == spot:
        return f"{STAYS} ({name})"
    places = {**_positions_of_ground(game, board), **_positions_of_pieces(game, board)}
    places.pop(game.narrator.name_of(actor), None)
    # A road or a wall is as near as its nearest point; its middle may be far away.
    for key, ground in terrain_names(game.scenario).items():
        if line := game.scenario.terrain[key].line:
            places[ground] = nearest_on(spot, list(pairwise([place_at(board, point) for point in line])))
    away = 0 if start is None else round(dist(start, spot))
    from_actor = f"{with_unit(away, board.length) if away else 'a step'} from here" if start is not None else ""
    nearest = min(places, key=lambda place: dist(places[place], spot), default=None)
    if nearest is None:
        return f"{from_actor} ({name})" if from_actor else name
    names, sentence_names = terrain_names(game.scenario), terrain_titles(game.scenario)
    title = next((sentence_names[key] for key, name in names.items() if name == nearest), in_a_sentence(nearest))
    distance = dist(places[nearest], spot)
    if distance < _INCHES_AT_PLACE / board.inches:
        from_place = f"at {title}"
    else:
        wind = wind_name(bearing(places[nearest], spot))
        from_place = f"{with_unit(round(distance), board.length)} {wind} of {title}"
    return f"{', '.join(filter(None, [from_place, from_actor]))} ({name})"


def read_place(game: Game[Any], board: Board, typed: str, start: Point | None) -> Point:
    """Return the place described by `E4`, `12 4`, `8 NE`, `8 towards the Jezails`, `towards the ford`, `up the road`,
    or the name of a unit, objective or terrain piece.

    `start` is the origin of directions and distances, or None if there is none. The ZarebaError says what may be
    typed.
    """
    return read_path(game, board, typed, start)[-1]


def read_path(game: Game[Any], board: Board, typed: str, start: Point | None) -> list[Point]:
    """Return a place as `read_place` does, preceded by the points on the way there if it follows a line such as a
    road.
    """
    if match := _ALONG_LINE.fullmatch(typed.strip()):
        if start is None:
            raise ZarebaError("the unit is not on the table, so it cannot follow a line; type a place")
        distance, word, name = match.groups()
        line = _line_of_ground(game, board, name)
        length = inf if distance is None else float(distance)
        return _follow_line(game, board, line, start, length, back=word.casefold() == "down")
    return [_read_point(game, board, typed.strip(), start)]


def _read_point(game: Game[Any], board: Board, typed: str, start: Point | None) -> Point:
    """Return the point described by a cell, coordinates, a distance and direction, or a name."""
    is_grid = board.space != "free"
    if is_grid and (match := _CELL.fullmatch(typed)):
        return _read_cell(board, match[1], match[2])
    if not is_grid and (match := _POINT.fullmatch(typed)):
        return float(match[1]), float(match[2])
    if (match := _DISTANCE_AND_DIRECTION.fullmatch(typed)) and (degrees := compass(match[2])) is not None:
        if start is None:
            raise ZarebaError("the unit is not on the table, so it has no directions; type a place")
        return _point_in_direction(board, start, float(match[1]), direction(degrees))
    if match := _TOWARDS_PLACE.fullmatch(typed):
        distance, word, name = match.groups()
        goal = _position_of_name(game, board, name)
        if word.casefold() == "behind":
            goal = _point_behind(game, board, goal, start)
        if distance is None or start is None:
            return goal
        return _point_in_direction(board, start, float(distance), _unit_vector(start, goal))
    return _position_of_name(game, board, typed)


def _unit_vector(start: Point, goal: Point) -> Point:
    """Return the direction from a point to another as a vector of length 1; (0, 0) if they are the same."""
    distance = dist(start, goal) or 1.0
    return (goal[0] - start[0]) / distance, (goal[1] - start[1]) / distance


def _read_cell(board: Board, letters: str, row: str) -> Point:
    """Return the column and row of a cell such as E4, counted from 0."""
    column = 0
    for letter in letters.upper():
        column = column * 26 + ord(letter) - ord("A") + 1
    if not 1 <= int(row) <= board.rows or column > row_length(board, int(row) - 1):
        last = place_name(board, (board.columns - 1, board.rows - 1))
        raise ZarebaError(f"there is no {letters.upper()}{row} on the table; it goes from A1 to {last}")
    return column - 1, int(row) - 1


def _point_in_direction(board: Board, start: Point, length: float, vector: Point) -> Point:
    """Return the point at a distance in the direction of a vector of length 1; on a grid, a cell of the table."""
    dx, dy = vector
    if board.space == "free":
        return start[0] + length * dx, start[1] + length * dy
    longest = max(abs(dx), abs(dy)) or 1.0  # a step is one box or hex in every direction, including diagonals
    x, y = start[0] + length * dx / longest, start[1] + length * dy / longest
    row = min(board.rows - 1, max(0, round(y)))
    return min(row_length(board, row) - 1, max(0, round(x))), row


def _position_of_name(game: Game[Any], board: Board, typed: str) -> Point:
    """Return the position of a named piece, objective, terrain piece or object."""
    wanted = fold(typed).strip().removeprefix("the ")
    places = {**_positions_of_ground(game, board), **_positions_of_pieces(game, board)}
    exact = [name for name in places if fold(name) == wanted]
    words = [word for word in wanted.split() if word not in _IGNORED_WORDS]
    matches = exact or [name for name in places if words and set(words) <= set(fold(name).split())]
    matches = matches or [name for name in _names_of_kind(game, words) if name in places]
    matches = matches or [name for name in places if re.search(rf"\b{re.escape(wanted)}", fold(name))]
    if not matches and board.space == "free" and _CELL.fullmatch(typed):
        raise ZarebaError(f"'{typed}' is a box or hex, but this table is open: type 12 4, 8 NE, or a name")
    if not matches:
        raise unknown_name("place", typed, places)
    if len({places[name] for name in matches}) > 1 and not exact:
        raise ZarebaError(f"'{typed}' may mean several: {'; '.join(matches[:6])}")
    return places[matches[0]]


def _positions_of_pieces(game: Game[Any], board: Board) -> dict[str, Point]:
    """Return the positions of the pieces that have names, by name."""
    return {
        game.narrator.name_of(piece): position
        for piece, position in describe_position(board).items()
        if game.narrator.name_of(piece) != piece
    }


def _positions_of_ground(game: Game[Any], board: Board) -> Mapping[str, Point]:
    """Return the centres of all terrain pieces and the places of objectives, by name."""
    scenario = game.scenario
    positions: dict[str, Point] = {}
    for key, name in terrain_names(game.scenario).items():
        terrain = scenario.terrain[key]
        points: Sequence[Point] = terrain.area or terrain.line or ()
        positions[name] = place_at(board, _middle(points))
    for goal in scenario.objectives.values():
        place = getattr(goal, "at", None)
        if place is not None:
            positions[goal.name] = place_at(board, place)
    return positions


def _names_of_kind(game: Game[Any], words: Sequence[str]) -> list[str]:
    """Return the names of terrain pieces whose kind or id contains the words: the ford, the road, the wall of the
    kraal.
    """
    terrain = game.scenario.terrain
    return [
        name
        for key, name in terrain_names(game.scenario).items()
        if words and set(words) <= {*key.split("_"), *terrain[key].kind.split("_"), *fold(name).split()}
    ]


def _line_of_ground(game: Game[Any], board: Board, typed: str) -> list[Point]:
    """Return the line of a named terrain piece such as a road, or the long axis of an area."""
    wanted = fold(typed).strip().removeprefix("the ")
    words = [word for word in wanted.split() if word not in _IGNORED_WORDS]
    terrain_by_name = {name: game.scenario.terrain[key] for key, name in terrain_names(game.scenario).items()}
    matches = [name for name in terrain_by_name if fold(name) == wanted]
    matches = matches or [name for name in terrain_by_name if words and set(words) <= set(fold(name).split())]
    matches = matches or _names_of_kind(game, words)
    if not matches:
        raise unknown_name("piece of ground", typed, terrain_by_name)
    if len(matches) > 1:
        raise ZarebaError(f"'{typed}' may mean several: {'; '.join(matches[:6])}")
    terrain = terrain_by_name[matches[0]]
    points = list(terrain.line or ())
    if not points:
        middle = _middle(terrain.area or ())
        farthest = max(terrain.area or (), key=lambda corner: dist(corner, middle))
        points = [farthest, (2 * middle[0] - farthest[0], 2 * middle[1] - farthest[1])]
    if board.space == "free":
        return [place_at(board, point) for point in points]
    steps = [_point_between(a, b, number / 12) for a, b in pairwise(points) for number in range(13)]
    return list(dict.fromkeys(place_at(board, point) for point in steps))


def _follow_line(
    game: Game[Any], board: Board, line: Sequence[Point], start: Point, length: float, *, back: bool
) -> list[Point]:
    """Return the points of a line from the one nearest to `start` over `length`. "Up" leads away from the side's own
    edge, "down" back.
    """
    forward = _forward_direction(game, board, start)
    first, last = (x * forward[0] + y * forward[1] for x, y in (line[0], line[-1]))
    runs_forward = first <= last
    onward = list(line) if runs_forward is not back else list(reversed(line))
    nearest_points = [_nearest_on_segment(a, b, start) for a, b in pairwise(onward)]
    if not nearest_points:
        return [line[0]]
    segment, entry = min(enumerate(nearest_points), key=lambda numbered: dist(numbered[1], start))
    if dist(start, entry) >= length:
        return [_point_in_direction(board, start, length, _unit_vector(start, entry))]
    path, left = [entry], length - dist(start, entry)
    for point in onward[segment + 1 :]:
        step = dist(path[-1], point)
        if step > left:
            path.append(_point_between(path[-1], point, max(0.0, left) / step))
            break
        path.append(point)
        left -= step
    if board.space != "free":
        return [(round(x), round(y)) for x, y in path]
    return [_point_between(a, b, number / 8) for a, b in pairwise(path) for number in range(1, 9)] or path


def _forward_direction(game: Game[Any], board: Board, start: Point) -> Point:
    """Return the forward direction of the piece nearest to `start`: away from the home edge of its side."""
    nearest = min(board.pieces, key=lambda piece: dist((piece.x, piece.y), start), default=None)
    side = game.scenario.sides.get(nearest.side) if nearest is not None else None
    home = (side and side.home_edge) or "south"
    return INWARD[home]


def _nearest_on_segment(a: Point, b: Point, point: Point) -> Point:
    """Return the point of a line segment that is nearest to another point."""
    length = dist(a, b)
    if not length:
        return a
    share = ((point[0] - a[0]) * (b[0] - a[0]) + (point[1] - a[1]) * (b[1] - a[1])) / length**2
    return _point_between(a, b, min(1.0, max(0.0, share)))


def _point_between(a: Point, b: Point, share: float) -> Point:
    """Return the point after a share of the way from a to b."""
    return a[0] + share * (b[0] - a[0]), a[1] + share * (b[1] - a[1])


def _point_behind(game: Game[Any], board: Board, goal: Point, start: Point | None) -> Point:
    """Return a point a little beyond a place, on the side away from the enemies of the piece nearest to `start`."""
    nearest = min(board.pieces, key=lambda piece: dist((piece.x, piece.y), start or goal), default=None)
    enemies = [(piece.x, piece.y) for piece in board.pieces if nearest and piece.side not in ("", nearest.side)]
    if not enemies:
        return goal
    distance = 1.0 if board.space != "free" else _INCHES_BEHIND / board.inches
    return _point_in_direction(board, goal, distance, _unit_vector(_middle(enemies), goal))


def _middle(points: Sequence[Point]) -> Point:
    return total([x for x, _ in points]) / len(points), total([y for _, y in points]) / len(points)
