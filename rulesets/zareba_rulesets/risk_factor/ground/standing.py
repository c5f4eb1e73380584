"""The units of a side, or of both, as they stand at a moment, and what can be measured from anywhere to all of a side."""

from __future__ import annotations

from collections.abc import Callable, Container, Mapping
from math import inf

from zareba.exact import dist, hypot
from zareba.space.lazy import Lazy
from zareba_rulesets.risk_factor.ground.body import Body, Near

__all__ = ["Sides", "Standing"]


class Standing:
    """The units of a side that have figures on the table, by name and body, in the order of the scenario.

    It never changes: when a unit moves or loses figures, its side stands anew. Units are numbered by their place in
    `names`. Lengths are in cm. `engaged` keeps which figures of a body touch somebody here, for whoever finds it out.
    """

    __slots__ = (
        "_beside",
        "_by_name",
        "_circles",
        "_gaps",
        "_groups",
        "_leaders",
        "_nearest",
        "_rows",
        "_within",
        "all_bodies",
        "all_names",
        "bodies",
        "engaged",
        "names",
    )

    def __init__(
        self,
        all_names: tuple[str, ...],
        all_bodies: list[Body],
        leaders: Container[str],
        gaps: Lazy[tuple[Body, Body], Near],
    ) -> None:
        self.all_names = all_names
        self.all_bodies = all_bodies
        self.names = [name for name, body in zip(all_names, all_bodies, strict=True) if body.at]
        self.bodies = [body for body in all_bodies if body.at]
        self._groups = [k for k, name in enumerate(self.names) if name not in leaders]
        self._leaders = [k for k, name in enumerate(self.names) if name in leaders]
        self._beside: dict[tuple[Body, float], list[tuple[int, float]]] = {}
        self._by_name = dict(zip(all_names, all_bodies, strict=True))
        self._gaps = gaps
        self._circles = [(body.centre, body.reach) for body in self.bodies]
        self._rows: dict[Body, list[float]] = {}
        self._nearest: dict[Body, tuple[int, Near] | None] = {}
        self._within: dict[tuple[Body, float], list[int]] = {}
        self.engaged: dict[Body, frozenset[int]] = {}

    def has(self, name: str, body: Body) -> bool:
        """Whether a unit stands here with this very body."""
        return self._by_name.get(name) is body

    def row(self, body: Body) -> list[float]:
        """The least gap that the circles round them allow between a body and each unit here."""
        found = self._rows.get(body)
        if found is None:
            centre, reach = body.centre, body.reach
            found = self._rows[body] = [dist(centre, other) - reach - wide for other, wide in self._circles]
        return found

    def within(self, body: Body, cm: float) -> list[int]:
        """The units whose nearest figures are at most `cm` from those of a body."""
        key = body, cm
        found = self._within.get(key)
        if found is None:
            gaps, bodies = self._gaps, self.bodies
            found = self._within[key] = [
                k for k, least in enumerate(self.row(body)) if least <= cm and gaps[body, bodies[k]].gap <= cm
            ]
        return found

    def reaches(self, k: int, body: Body, cm: float) -> bool:
        """Whether the nearest figures of unit `k` and a body are at most `cm` apart; the circles round them may do."""
        least, other = self.row(body)[k], self.bodies[k]
        if least > cm or least + 2 * (body.reach - body.radius + other.reach - other.radius) <= cm:
            return least <= cm
        return self._gaps[body, other].gap <= cm

    def any_within(self, body: Body, cm: float) -> bool:
        """Whether any unit's nearest figures are at most `cm` from those of a body."""
        return any(least <= cm and self.reaches(k, body, cm) for k, least in enumerate(self.row(body)))

    def groups_beside(self, body: Body, cm: float) -> list[tuple[int, float]]:
        """The groups, not the lone leaders, at most `cm` from a body, each with its gap, nearest first."""
        key = body, cm
        found = self._beside.get(key)
        if found is None:
            (x, y), reach = body.centre, body.reach + cm
            ranked = []
            for k in self._groups:
                (ox, oy), wide = self._circles[k]
                wide += reach
                if abs(ox - x) <= wide and abs(oy - y) <= wide:
                    least = hypot(ox - x, oy - y) - wide
                    gap = self._gaps[body, self.bodies[k]].gap if least <= 0 else inf
                    if gap <= cm:
                        ranked.append((gap, least, k))
            found = self._beside[key] = [(k, gap) for gap, _, k in sorted(ranked)]
        return found

    def leaders_near(self, body: Body, cm: float) -> list[int]:
        """The lone leaders at most `cm` from a body."""
        (x, y), reach = body.centre, body.reach + cm
        found = []
        for k in self._leaders:
            (ox, oy), wide = self._circles[k]
            wide += reach
            if abs(ox - x) <= wide and abs(oy - y) <= wide and self._gaps[body, self.bodies[k]].gap <= cm:
                found.append(k)
        return found

    def nearest(self, body: Body) -> tuple[int, Near] | None:
        """The unit nearest to a body, the first of equals, and the gap; None if nobody stands."""
        if body not in self._nearest:
            self._nearest[body] = self.nearest_that(body, _any)
        return self._nearest[body]

    def nearest_that(self, body: Body, holds: Callable[[int], bool]) -> tuple[int, Near] | None:
        """The nearest unit for which something holds; far ones are ruled out by their circles alone."""
        row = self.row(body)
        if not row:
            return None
        gaps, bodies = self._gaps, self.bodies
        best: tuple[int, Near] | None = None
        limit = float("inf")
        first = row.index(min(row))
        near = gaps[body, bodies[first]]
        if holds(first):
            best, limit = (first, near), near.gap
        for least, k in sorted([(least, k) for k, least in enumerate(row) if least < limit and k != first]):
            if least >= limit:
                break
            near = gaps[body, bodies[k]]
            if near.gap < limit and holds(k):
                best, limit = (k, near), near.gap
        return best


class Sides:
    """All units as they stand at a moment: their bodies in the order of the battle, and each side.

    `present` are the bodies with figures, side by side. `clear` keeps which pairs of bodies see each other clearly past
    all of these, by their nearest figures or by any, for whoever finds it out.
    """

    __slots__ = ("bodies", "clear", "muster", "present", "standings")

    def __init__(
        self, muster: Mapping[str, tuple[str, ...]], bodies: list[Body], standings: Mapping[str, Standing]
    ) -> None:
        self.muster = muster
        self.bodies = bodies
        self.standings = standings
        self.present = [body for standing in standings.values() for body in standing.bodies]
        self.clear: dict[tuple[Body, Body, bool], bool] = {}


def _any(_: int) -> bool:
    return True
