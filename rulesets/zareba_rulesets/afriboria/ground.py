"""Terrain and structures in hexes."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from zareba.base.exact import dist
from zareba.scenario import Scenario, Terrain
from zareba.space import Edge, HexGrid, Raster
from zareba.space.geometry import EPSILON
from zareba.space.lazy import Lazy, LazyBetween
from zareba_rulesets.afriboria.book import AfrBook

# --- Field ------------------------------------------------------------------------------------------------------------
# The battlefield in hexes: ground, sight, distances and retreat directions (AFR-003 to AFR-005, chapters 8, 9 and
# 15).


SCREEN = -1  # stands for blocking terrain where a line of sight has the number of a hex

Line = tuple[tuple[int, ...], tuple[tuple[int, int], ...]]
"""The pieces that decide line of sight where terrain alone does not block it: hexes crossed, and pairs of hexes beside
a run along a side (SCREEN marks blocking terrain).
"""


class CoverDice(NamedTuple):
    """The dice that ground takes from an attacker on level ground, and from one on a hill (AFR-129, AFR-136)."""

    level: int
    uphill: int


class Cover(NamedTuple):
    """The cover of a hex against troops, and against guns, machine guns and aircraft.

    A boolean is a valid index of both: `cover[is_gun][is_on_hill]`.
    """

    troops: CoverDice
    guns: CoverDice


@dataclass(frozen=True, slots=True)
class Ground:
    """The combined effects of all features of a hex (AFR-144). All movement effects apply (AFR-146); no feature is open
    ground (AFR-143).

    `cover` holds the dice that an attacker loses.
    """

    kinds: tuple[str, ...]
    stop: bool
    no_battle: bool
    blocks: bool
    hampers: bool
    infantry_only: bool
    closed: bool
    hill: bool
    cover: Cover

    def shelters(self, distance: int, *, walks: bool, gun: bool) -> bool:
        """Return True if a depression prevents an attack: guns reach into it, and foot from the next hex (AFR-134)."""
        return self.infantry_only and not gun and (distance > 1 or not walks)

    @classmethod
    def of(cls, book: AfrBook, kinds: Sequence[str]) -> Ground:
        """Return the ground of a hex with these features; a ford or bridge removes the stop of a river (AFR-131,
        AFR-138).
        """
        present = set(kinds)
        if "bridge" in present:
            present -= {"river", "ford"}
        elif "ford" in present:
            present -= {"river"}
        names = tuple(name for name in book.file.terrain if name in present)
        terrain = [book.file.terrain[name] for name in names]
        combine = max if book.settings.terrain_stack == "worst" else sum

        def cover(guns: bool, uphill: bool) -> int:
            ignored = "hill" if uphill and book.settings.hill_vs_hill == "none" else ""
            dice = [
                entry.cover_guns if guns and entry.cover_guns is not None else entry.cover
                for name, entry in zip(names, terrain, strict=True)
                if name != ignored
            ]
            return combine(dice) if dice else 0

        return cls(
            names,
            stop=any(entry.stop for entry in terrain),
            no_battle=any(entry.no_battle for entry in terrain),
            blocks=any(entry.blocks for entry in terrain),
            hampers=any(entry.hampers for entry in terrain),
            infantry_only=any(entry.infantry_only for entry in terrain),
            closed=any(entry.closed for entry in terrain),
            hill="hill" in names,
            cover=Cover(
                CoverDice(cover(False, False), cover(False, True)), CoverDice(cover(True, False), cover(True, True))
            ),
        )


@dataclass(frozen=True, slots=True)
class StructureSpec:
    """A part of a building or wall that can be bombarded (AFR-304): its type, value and owner.

    `fortification`: troops inside may keep out of sight (AFR-316); `gate`: it has a gate (AFR-328).
    """

    type: str
    value: int
    side: str
    fortification: bool = False
    gate: bool = False


class Field:
    """A battlefield that does not change. Hexes are numbers of `grid` (AFR-004); results are computed once and cached.

    `distance[a][b]` is in hexes. `path_lengths[walks, goals]` is the number of hexes to move from each hex to the
    nearest goal, used by AI players. `neighbours` are the hexes around each, `zone` the same after the hex itself
    (AFR-112). `ground` is the ground of each hex with its structures intact, `rubble` that of fallen ones. `hilltops`
    give guns a bonus (AFR-151). `home_edges` holds the own edge of each side, `own_edge_hexes` the hexes of its last
    row, and `hexes_behind` the neighbours of each hex that are nearer to it. `structures` are by hex. `bases` are the
    hexes of a side's air bases, `trucks` the names of carried ones, `goals` the hexes of each objective to hold.
    `names` are those of objects.
    """

    __slots__ = (
        "_enemy", "_hill", "bases", "book", "distance", "goals", "grid", "ground", "hexes_behind", "hilltops", "home_edges",
        "names", "neighbours", "own_edge_hexes", "path_lengths", "rubble", "sight_lines", "steps_on_empty_field", "structures", "trucks",
        "zone",
    )  # fmt: skip

    def __init__(
        self,
        book: AfrBook,
        grid: HexGrid,
        kinds: Sequence[Sequence[str]],
        home: Mapping[str, Edge],
        hilltops: frozenset[int] | None = None,
        structures: Mapping[int, StructureSpec] | None = None,
        bases: Mapping[str, tuple[int, ...]] | None = None,
        trucks: Mapping[str, tuple[str, ...]] | None = None,
    ) -> None:
        self.book = book
        self.grid = grid
        self.home_edges = dict(home)
        first, second = home
        self._enemy = {first: second, second: first}
        self.structures = dict(structures or {})
        self.bases = dict(bases or {})
        self.trucks = dict(trucks or {})
        self.goals: Mapping[str, Sequence[int]] = {}
        self.names: Mapping[str, str] = {}
        made: Lazy[tuple[str, ...], Ground] = Lazy(lambda names: Ground.of(book, names))
        self.ground = tuple(
            made[tuple(sorted({*names, "building"} if cell in self.structures else names))]
            for cell, names in enumerate(kinds)
        )
        self.rubble = {cell: made[tuple(sorted({*kinds[cell], "debris"} - {"building"}))] for cell in self.structures}
        hills = frozenset(cell for cell in range(grid.size) if self.ground[cell].hill)
        self.hilltops = hilltops if hilltops else hills
        self._hill = self._components(hills)
        self.neighbours = tuple(grid.neighbours(cell) for cell in range(grid.size))
        self.zone = tuple((cell, *near) for cell, near in enumerate(self.neighbours))
        self.distance: Lazy[int, Lazy[int, int]] = Lazy(lambda a: Lazy(lambda b: grid.distance(a, b)))
        self.steps_on_empty_field: Lazy[tuple[int, int, bool, bool], dict[int, int]] = LazyBetween(self._count_steps)
        self.path_lengths: Lazy[tuple[bool, tuple[int, ...]], tuple[int, ...]] = LazyBetween(self._path_lengths_to)
        self.sight_lines: Lazy[tuple[int, int], Line | None] = Lazy(self._line)
        self.own_edge_hexes = {side: frozenset(grid.edge_row(edge)) for side, edge in home.items()}
        self.hexes_behind = {
            side: tuple(self._neighbours_behind(cell, side) for cell in range(grid.size)) for side in home
        }

    def enemy(self, side: str) -> str:
        """Return the other side."""
        return self._enemy[side]

    def _neighbours_behind(self, cell: int, side: str) -> tuple[int, ...]:
        """Return the neighbours nearer to a side's own edge, measured at right angles to it (AFR-005, AFR-238).

        There are none in its last hexes, because every step from there leaves the field (AFR-248).
        """
        if cell in self.own_edge_hexes[side]:
            return ()
        edge = self.home_edges[side]
        edge_distance = self.grid.distance_to_edge(cell, edge)
        return tuple(
            near for near in self.neighbours[cell] if self.grid.distance_to_edge(near, edge) < edge_distance - 1e-9
        )

    def _count_steps(self, start: int, limit: int, walks: bool, guided: bool) -> dict[int, int]:
        """Return the fewest steps, up to `limit`, to the hexes around `start` if no piece is in the way (chapter 8)."""
        steps: dict[int, int] = {}
        frontier = [start]
        for step in range(1, limit + 1):
            following = []
            for cell in frontier:
                for near in self.neighbours[cell]:
                    ground = self.ground[near]
                    if near in steps or near == start or ground.closed or (ground.infantry_only and not walks):
                        continue
                    steps[near] = step
                    if guided or not ground.stop:
                        following.append(near)
            frontier = following
        return steps

    def _path_lengths_to(self, walks: bool, goals: tuple[int, ...]) -> tuple[int, ...]:
        """Return the steps from each hex to the nearest goal over ground that is open to a unit that walks, or one that
        does not (chapter 8). A hex without a way has the number of all hexes instead.
        """
        lengths = [self.grid.size] * self.grid.size
        for cell in goals:
            lengths[cell] = 0
        frontier, steps = list(goals), 0
        while frontier:
            steps += 1
            following = []
            for cell in frontier:
                for near in self.neighbours[cell]:
                    if lengths[near] <= steps:
                        continue
                    lengths[near] = steps
                    ground = self.ground[near]
                    if not (ground.closed or (ground.infantry_only and not walks)):
                        following.append(near)
            frontier = following
        return tuple(lengths)

    def _components(self, hills: frozenset[int]) -> dict[int, int]:
        """Return the hill of each hill hex, identified by its lowest hex number (AFR-158)."""
        hill_by_hex: dict[int, int] = {}
        for start in sorted(hills):
            queue = [start] if start not in hill_by_hex else []
            while queue:
                cell = queue.pop()
                if cell not in hill_by_hex:
                    hill_by_hex[cell] = start
                    queue += [near for near in self.grid.neighbours(cell) if near in hills]
        return hill_by_hex

    def _line(self, pair: tuple[int, int]) -> Line | None:
        """Return the line of sight between two hexes; None where terrain alone blocks it.

        (AFR-153, AFR-154, AFR-155, AFR-156, AFR-157, AFR-158)
        """
        a, b = pair
        crossed = self.grid.crossed(a, b)
        blocks_view = self._blocking_test(a, b, crossed)
        if any(blocks_view(cell) for cell in crossed):
            return None
        pairs = []
        for left, right in self.grid.edge_runs(a, b):
            if left is None or right is None:
                continue
            if blocks_view(left) and blocks_view(right):
                return None
            pairs.append((SCREEN if blocks_view(left) else left, SCREEN if blocks_view(right) else right))
        return crossed, tuple(pairs)

    def _blocking_test(self, a: int, b: int, crossed: Sequence[int]) -> Callable[[int], bool]:
        """Return a function that is True for hexes whose ground blocks a line; by setting, not along one hill
        (AFR-158).
        """
        one_hill = self.book.settings.contiguous_hill_los == "clear" and self._on_one_hill(a, b, crossed)

        def blocks_view(cell: int) -> bool:
            ground = self.ground[cell]
            if one_hill and ground.hill:
                return any(self.book.file.terrain[kind].blocks for kind in ground.kinds if kind != "hill")
            return ground.blocks

        return blocks_view

    def hiding(self, a: int, b: int) -> list[int]:
        """Return the hexes whose ground blocks line of sight between two hexes; along a hex side, both hexes (AFR-155,
        AFR-156).
        """
        crossed = self.grid.crossed(a, b)
        blocks_view = self._blocking_test(a, b, crossed)
        hiding = [cell for cell in crossed if blocks_view(cell)]
        for left, right in self.grid.edge_runs(a, b):
            if left is not None and right is not None and blocks_view(left) and blocks_view(right):
                hiding += [left, right]
        return hiding

    def _on_one_hill(self, a: int, b: int, crossed: Sequence[int]) -> bool:
        """Return True if two hexes, and all hill hexes between them, belong to one hill (AFR-158)."""
        hills = {self._hill[cell] for cell in crossed if cell in self._hill}
        return a in self._hill and b in self._hill and {self._hill[a], self._hill[b]} | hills == {self._hill[a]}


# --- Terrain and structures of a scenario, hex by hex (chapter 8, AFR-304 to AFR-309, AFR-317) ------------------------


def ground_kinds(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid]) -> tuple[list[list[str]], frozenset[int]]:
    """Return the features of every hex, and the hexes of crests (AFR-151).

    An area counts where it covers half a hex (AFR-317), a line where it runs through a tenth of one. In a siege a low
    wall is a fieldwork (AFR-305).
    """
    kinds: list[list[str]] = [[] for _ in range(raster.grid.size)]
    crests: set[int] = set()
    mapping = book.file.mapping
    for piece in scenario.terrain.values():
        names = mapping.area_terrain.get(piece.kind, mapping.linear_terrain.get(piece.kind, []))
        if scenario.siege and piece.kind == "low_wall":
            names = ["fieldwork"]
        if scenario.siege and _is_structure(piece):
            names = []
        for cell in hexes_of(book, piece, raster):
            kinds[cell] += names
        if piece.crest is not None:
            crests |= {
                cell for cell, share in raster.coverage(piece.crest).items() if share >= mapping.shares.area - EPSILON
            }
    for cell, present in enumerate(kinds):
        if not {"river", "stream"} & set(present):
            kinds[cell] = [name for name in present if name not in ("ford", "bridge")]
    return kinds, frozenset(cell for cell in crests if "hill" in kinds[cell])


def hexes_of(book: AfrBook, piece: Terrain, raster: Raster[HexGrid]) -> list[int]:
    """Return the hexes in which a piece of terrain counts. A small tolerance keeps exact shares from being lost to
    rounding.
    """
    shares = book.file.mapping.shares
    if piece.area is not None:
        return [cell for cell, share in raster.coverage(piece.area).items() if share >= shares.area - EPSILON]
    min_length = raster.inches * shares.line
    return [cell for cell, inches in raster.crossed_by(piece.line or ()).items() if inches >= min_length]


def _is_structure(piece: Terrain) -> bool:
    """Return True if a piece of terrain is a structure in a siege (AFR-304)."""
    return piece.kind in ("building", "village", "high_wall", "rampart")


def structure_specs(book: AfrBook, scenario: Scenario, raster: Raster[HexGrid], side: str) -> dict[int, StructureSpec]:
    """Return the structures of a siege: type by material, forts stronger (AFR-307, AFR-308), gates with their own type
    (AFR-336).

    A scenario may give other values (AFR-309).
    """
    values = book.settings.siege_values
    specs: dict[int, StructureSpec] = {}
    for piece in scenario.terrain.values():
        if not _is_structure(piece):
            continue
        material = piece.material or ("stone" if piece.kind in ("high_wall", "rampart") else "adobe")
        kind = "stone_fort" if material == "stone" and piece.true_fortification else material
        inside = piece.area is not None and bool(piece.true_fortification)
        cells = hexes_of(book, piece, raster)
        gates = {
            min(
                cells, key=lambda cell: (dist(raster.to_table(cell), gate.at), raster.grid.from_middle(cell), cell)
            ): gate
            for gate in piece.gates.values()
            if cells
        }
        for cell in cells:
            gate = gates.get(cell)
            if gate is None:
                specs.setdefault(cell, StructureSpec(kind, piece.strength or values[kind], side, inside))
            else:
                type_of_gate = book.file.gates[gate.kind].structure
                specs[cell] = StructureSpec(type_of_gate, values[type_of_gate], side, gate=True)
    return specs
