"""Odds that depend on positions: sighting, markers, surrender and prisoners (RSK-143, RSK-150 to RSK-189)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from typing import Annotated, Any

from pydantic import Field

from zareba.odds import Formula, SmallBattle, count_outcomes, refuse
from zareba.rules import Rules
from zareba.space.bearings import offset, widest_gap
from zareba.space.field.bodies import Body, ranks
from zareba.table import Answer, Table
from zareba_rulesets.risk_factor.chapters.orders.manoeuvre import rout
from zareba_rulesets.risk_factor.chapters.prisoners import dispatch, escape
from zareba_rulesets.risk_factor.chapters.setting_up.hidden import move_markers
from zareba_rulesets.risk_factor.chapters.sight.sight import roll_sight_dice
from zareba_rulesets.risk_factor.forces.battle import Battle, Captives, Marker
from zareba_rulesets.risk_factor.odds import stage
from zareba_rulesets.risk_factor.odds.stage import MIDDLE, PROCEDURES, RADIUS, Men, row, small_table, unit_of

__all__ = []

Markers = Annotated[int, Field(ge=1, le=60)]


@dataclass(frozen=True)
class SightingFacts:
    """A search for a figure `depth` cm inside cover, from each of these distances in turn. `fired`: the figure fired in
    its last turn.
    """

    distances: tuple[stage.Centimetres, ...] = (45.0,)
    depth: stage.Centimetres = 3.0
    fired: bool = False


@dataclass(frozen=True)
class MarkersFacts:
    """Hidden markers, including dummies, that all see an enemy (RSK-189)."""

    markers: Markers = 9


@dataclass(frozen=True)
class SurrenderFacts:
    """Routers with enemies or closed ground at these bearings within their reach (RSK-143)."""

    bearings: tuple[int, ...] = (20, 95, 170, 250, 320)


@dataclass(frozen=True)
class PrisonersFacts:
    """Prisoners held by a group: the numbers of guards and of killers. A group with `no_quarter` kills as many as it
    must.
    """

    prisoners: stage.Group = 8
    guards: Men = 1
    killers: Men = 0
    no_quarter_group: Men = 0


@PROCEDURES.of("RSK-150", turn=int)
def sighting(rules: Rules, facts: SightingFacts) -> SmallBattle:
    """The turn in which a concealed figure is seen.

    The turn in which it is first seen, 0 for never.
    """
    refuse(
        min(facts.distances, default=facts.depth) < facts.depth,
        "a looker nearer than the edge stands in the same cover: distances, depth (RSK-153)",
    )
    edge, end = MIDDLE - facts.depth, 2 * MIDDLE
    wood = "wood", [(0.0, edge), (end, edge), (end, end), (0.0, end)]
    hider = unit_of("hider", "blue", [(MIDDLE, MIDDLE)], marks="fired" * facts.fired)
    battle = small_table(rules, unit_of("looker", "red", [(MIDDLE, 0.0)]), hider, ground=wood)

    def look_from(turn: int, distance: float) -> Callable[[Table, Battle, int], int]:
        def act(table: Table, battle: Battle, seen: int) -> int:
            if seen:
                return seen
            battle.units["looker"].body = Body(((MIDDLE, MIDDLE - distance - 2 * RADIUS),), RADIUS)
            roll_sight_dice(table, battle)
            return turn if "hider" in battle.seen else 0

        return act

    acts = [look_from(turn, gap) for turn, gap in enumerate(facts.distances, start=1)]
    return SmallBattle(battle, acts, first=0)


def _marker_by_marker(rules: Rules, facts: MarkersFacts) -> dict[bool, Fraction]:
    """Return the odds from those of one marker. The throws of the markers are independent."""
    stays = count_outcomes(rules, markers(rules, MarkersFacts(1))).get(False, Fraction(0)) ** facts.markers
    return {moves: p for moves, p in ((True, 1 - stays), (False, stays)) if p}


@PROCEDURES.of("RSK-189", closed=Formula(_marker_by_marker, frozenset({"hidden.move"})), any_moves=bool)
def markers(rules: Rules, facts: MarkersFacts) -> SmallBattle:
    """Chance that any hidden marker moves."""

    def go(table: Table, battle: Battle, _: None) -> bool:
        move_markers(table, battle)
        return any(marker.went for marker in battle.markers.values())

    marker_set = {f"marker {number:02}": Marker("red", at, ()) for number, at in enumerate(row(facts.markers))}
    battle = small_table(rules, unit_of("enemy", "blue", row(1, MIDDLE + 100)), markers=marker_set)
    return SmallBattle(battle, [go])


@PROCEDURES.of("RSK-143", surrenders=bool, widest=int)
def surrender(rules: Rules, facts: SurrenderFacts) -> SmallBattle:
    """Chance that routers find no way out and surrender.

    Enemies stand 20 cm off at the bearings.

    Surrender or escape, and the widest angle without a blocker.
    """

    def rout_units(table: Table, battle: Battle, _: None) -> tuple[bool, int]:
        rout(table, battle, battle.units["routers"])
        return bool(battle.captives), int(widest_gap(map(float, facts.bearings)))

    around = enumerate(offset((MIDDLE, MIDDLE), bearing, 20.0) for bearing in facts.bearings)
    units = [unit_of(f"enemy {number}", "blue", [at]) for number, at in around]
    battle = small_table(rules, unit_of("routers", "red", [(MIDDLE, MIDDLE)], status="routing"), *units)
    return SmallBattle(battle, [rout_units])


@PROCEDURES.of("RSK-157", escape=int, killed=int, left=int)
def prisoners(rules: Rules, facts: PrisonersFacts) -> SmallBattle:
    """Prisoners who escape, are killed, or stay.

    Captors and prisoners stand close together. Prisoners without a guard escape; then the others may be killed
    (RSK-158, RSK-159).

    How many escape, how many are killed this turn, and how many are left.
    """
    hands, captive_body = (
        ranks((MIDDLE, MIDDLE), 0.0, number, 0.25, 6)
        for number in (facts.no_quarter_group or facts.guards + facts.killers, facts.prisoners)
    )
    captor = unit_of("captor", "red", hands.at, no_quarter=bool(facts.no_quarter_group))
    lot = Captives("blue", "own", "captor", captive_body, (False,) * facts.prisoners)
    captives = [lot] if facts.prisoners else []
    battle = small_table(rules, captor, unit_of("own", "blue", row(1, 2 * MIDDLE)), captives=captives)

    def flee(table: Table, battle: Battle, _: None) -> int:
        escape(table, battle)
        return facts.prisoners - sum(lot.count for lot in battle.captives)

    def kill(table: Table, battle: Battle, fled: int) -> tuple[int, int, int]:
        dispatch(table, battle)
        left = sum(lot.count for lot in battle.captives)
        return fled, facts.prisoners - fled - left, left

    def so_many(question: Any, battle: Battle) -> Answer:
        return min(facts.killers, question.options[-1])

    return SmallBattle(battle, [flee, kill], answer=so_many)
