"""Victory points, objectives, objects to carry off, and the end of the game (chapter 4)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from fractions import Fraction

from zareba.base.grammar import amount, join_with_or
from zareba.battle.carried_objects import exit_edges, leave_with_objects, pick_up, unit_fate
from zareba.scenario.model import CarryOff, Escort, Hold, Objective, Scenario
from zareba.scenario.objective_area import ObjectiveArea
from zareba.scenario.victory import (
    CountedGroup,
    Fate,
    Numbers,
    Scoreboard,
    is_destroyed,
    reason_to_end,
    record_achieved_objectives,
)
from zareba.table import Table
from zareba_rulesets.afriboria.forces.battle import Battle, Plan
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Flier, ScenarioObject, SideState, Unit


def score(table: Table, battle: Battle, side: str, points: int, why: str) -> None:
    """Score victory points for a side at once; the first to reach its quota wins immediately (AFR-050, AFR-052,
    AFR-053, AFR-054).

    Without a quota these points decide nothing, and players do not see them: the objectives of the scenario decide
    (`AfrPlay.own_outcome`). By setting, quotas are checked only when the player turn ends.
    """
    if not points or battle.over:
        return
    entry = battle.sides[side]
    entry.points += points
    table.emit("points", "AFR-050", side=side, points=points, total=entry.points, why=why)
    if points > 0 and battle.book.settings.quota_checked == "at_once" and _has_its_quota(entry):
        battle.over, battle.ending, battle.winner = True, "quota", side


def _has_its_quota(entry: SideState) -> bool:
    """Return True if a side has reached its quota of points (AFR-052)."""
    return entry.quota is not None and entry.points >= entry.quota


def _check_quotas(battle: Battle) -> None:
    """End a player turn: the larger share of the quota wins, of equal ones the side whose turn it is (AFR-053,
    AFR-054).
    """
    active = battle.active
    sides_at_quota = [side for side in (active, battle.field.enemy(active)) if _has_its_quota(battle.sides[side])]
    if sides_at_quota:
        battle.over, battle.ending, battle.winner = True, "quota", sides_at_quota[0]
        if len(sides_at_quota) > 1:
            battle.winner = leader_of_points(battle) or active


def exit_edge(battle: Battle, unit: Unit, plan: Plan) -> str | None:
    """Return the edge over which the scenario lets this unit leave the table from its present hex, if any (AFR-090)."""
    exits = exit_edges(plan.exits.get(unit.spec.side, ()), unit.spec.source, battle.carried_objects, unit.spec.id)
    return next((edge for edge, _ in exits if unit.hex in plan.edges[edge]), None)


def leave_table(table: Table, battle: Battle, unit: Unit, edge: str) -> None:
    """Leave the table over an edge that the scenario names, with any objects the unit carries (AFR-090)."""
    battle.gone[unit.spec.id] = leave_with_objects(
        table, battle.carried_objects, unit.spec.id, unit.spec.side, edge, "AFR-090"
    )
    battle.move(unit, OFF)
    battle.quit_company(unit)


def take_carried_objects(table: Table, battle: Battle) -> None:
    """Update the scenario's objects: they move with their carriers, are dropped when a carrier is lost, and are picked
    up.
    """

    def move_with_carrier(carried_object: ScenarioObject) -> bool:
        carrier = battle.units[carried_object.carrier]
        if carrier.hex == OFF and carried_object.carrier not in battle.arrivals:
            return False
        carried_object.hex = carrier.hex
        return True

    def find_taker(name: str, carried_object: ScenarioObject) -> str:
        if any(name in trucks for trucks in battle.field.trucks.values()):
            return ""
        return next(
            (unit.spec.id for unit in battle.units_in(carried_object.hex) if unit.profile.arm != "artillery"), ""
        )

    pick_up(table, battle.carried_objects, move_with_carrier, find_taker, "AFR-051")


def close_turn(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """Settle objectives (AFR-051), other rewards of the scenario, and the turn limit (AFR-055)."""
    take_carried_objects(table, battle)
    hold_places(table, battle, scenario, plan)
    if battle.over:
        return
    before = dict(battle.achieved)
    scoreboard = AfrScoreboard(battle, scenario, plan)
    record_achieved_objectives(scenario, scoreboard, battle.achieved)
    for key, side in battle.achieved.items():
        if key not in before:
            _reward(table, battle, scenario.objectives[key], side)
    _destroyed_shares(table, battle, scoreboard)
    if not battle.over:
        _check_quotas(battle)
    if scoreboard.turn and not battle.over:
        achieved = {key: side for key, side in battle.achieved.items() if key in scenario.objectives}
        battle.ending = reason_to_end(scoreboard, achieved)
        if battle.ending:
            battle.over, battle.winner = True, leader_of_points(battle) or ""


def hold_places(table: Table, battle: Battle, scenario: Scenario, plan: Plan) -> None:
    """Decide which side holds each place: after deployment, and at the end of each player turn (AFR-051)."""
    for key, cells in plan.places.items():
        if not battle.over:
            _hold(table, battle, scenario, key, cells)


def _hold(table: Table, battle: Battle, scenario: Scenario, key: str, cells: Sequence[int]) -> None:
    """Give a place to the side that is alone in its hexes (AFR-051).

    The side keeps it until the enemy has it, or, by setting, only while it has a unit or commander there.
    """
    goal = scenario.objectives[key]
    here, chiefs = battle.here, battle.chiefs
    present = {battle.units[here[cell][0]].spec.side for cell in cells if cell in here}
    present |= {battle.commanders[chiefs[cell]].spec.side for cell in cells if cell in chiefs}
    holder = next(iter(present)) if len(present) == 1 else None
    owner = battle.owners.get(key)
    may_score = goal.by or tuple(battle.sides)
    if owner is not None and owner not in present and battle.book.settings.objective_held == "while_there":
        del battle.owners[key]
        if owner in may_score:
            score(table, battle, owner, -goal.points, goal.name)
        owner = None
    if holder is None or holder == owner:
        return
    battle.owners[key] = holder
    table.emit("objective", "AFR-051", objective=key, side=holder)
    if owner is not None and owner in may_score:
        score(table, battle, owner, -goal.points, goal.name)
    if holder in may_score:
        _reward(table, battle, goal, holder)


def _reward(table: Table, battle: Battle, goal: Objective, side: str) -> None:
    """Score the points of an objective; a decisive one wins the game as well, a place only when the game has ended."""
    score(table, battle, side, goal.points, goal.name)
    if goal.decisive and not isinstance(goal, Hold) and not battle.over:
        battle.over, battle.ending, battle.winner = True, "objectives", side


def _destroyed_shares(table: Table, battle: Battle, scoreboard: AfrScoreboard) -> None:
    """Score objectives of the kind `destroy`, once for each side that may score them."""
    for key, side, units in scoreboard.plan.hunted:
        goal, achieved_key = scoreboard.scenario.objectives[key], f"{key} of {side}"
        assert goal.kind == "destroy", "only for these the plan lists units"
        if achieved_key not in battle.achieved and is_destroyed(scoreboard, units, goal.share):
            battle.achieved[achieved_key] = side
            _reward(table, battle, goal, side)


def leader_of_points(battle: Battle) -> str | None:
    """Return the side with the larger share of its quota; None when equal, or where a side has no quota (AFR-055)."""
    (first, a), (second, b) = battle.sides.items()
    if a.quota is None or b.quota is None:
        return None
    share_a, share_b = Fraction(a.points, a.quota), Fraction(b.points, b.quota)
    if share_a == share_b:
        return None
    return first if share_a > share_b else second


def decision_phrase(battle: Battle, scenario: Scenario) -> str:
    """Return the decision of a battle as a phrase: a quota, a decisive objective, or the shares of the quota."""
    if battle.ending == "quota":
        quota = battle.sides[battle.winner].quota
        assert quota is not None, "only a side with a quota can reach it"
        return f"quota of {amount(quota, 'point')} reached first"
    holders = {**battle.owners, **battle.achieved}
    for key, goal in scenario.objectives.items():
        won = battle.winner in (holders.get(key), holders.get(f"{key} of {battle.winner}"))
        if battle.ending == "objectives" and goal.decisive and won:
            return f"decisive objective '{goal.name}'"
    entries = sorted(battle.sides.values(), key=lambda entry: -Fraction(entry.points, entry.quota))
    share = "equal shares" if leader_of_points(battle) is None else "larger share"
    return f"{share} of the quota ({' against '.join(f'{entry.points} of {entry.quota}' for entry in entries)})"


_HEXES_A_TURN = 1.0
"""Hexes that a unit gets nearer in a turn on average: it moves about two when it is ordered, in every second turn."""


class AfrScoreboard(Scoreboard[Battle]):
    """The score of a battle in a scenario's terms; `turn` is 0 while the game turn has another player turn."""

    is_listed_fast = True

    def __init__(self, battle: Battle, scenario: Scenario, plan: Plan) -> None:
        turn = 0 if battle.turn % 2 else battle.turn // 2
        goals = {key: side for key, side in battle.achieved.items() if key in scenario.objectives}
        super().__init__(battle, scenario, turn=turn, achieved=goals)
        self.plan = plan

    def counted_groups(self) -> Iterable[CountedGroup]:
        """Return figures, the scenario's commanders, and each flier as one.

        Commanders that only these rules add are left out: they are not part of the scenario's forces.
        """
        groups = self._count_units(self.plan.units)
        for name, chief in self.battle.commanders.items():
            if name in self.scenario.leaders:
                fate, edge = _fate(self.battle, chief)
                groups.append(CountedGroup(chief.spec.side, 1, fate, "", name, (chief.hex,), edge))
        return [*groups, *self._count_fliers(self.battle.fliers)]

    def groups_of_units(self, units: Collection[str]) -> Iterable[CountedGroup]:
        """Return the figures of some units, without counting all others."""
        parts, fliers = self.plan.parts, self.battle.fliers
        groups = self._count_units([part for unit in units for part in parts.get(unit, ())])
        return [*groups, *self._count_fliers([name for name in units if name in fliers])] if fliers else groups

    def groups_of_side(self, side: str) -> Iterable[CountedGroup]:
        """Yield the units and fliers of a side, without its commanders, which have no unit."""
        for name in self.plan.roster.units[side]:
            yield from self._count_units((name,))
        yield from self._count_fliers([name for name, flier in self.battle.fliers.items() if flier.spec.side == side])

    def numbers(self, units: Sequence[str]) -> Numbers:
        """Return the strength of some units together, without listing their figures."""
        battle, (names, start) = self.battle, self.plan.counted[tuple(units)]
        if battle.fliers or len(battle.units) < len(self.plan.units):  # less is seen from a seat with hidden enemies
            return super().numbers(units)
        present, gone, off = battle.units, battle.gone, 0
        left = sum([present[name].figures for name in names if name not in gone])
        if gone:
            off = sum(
                [present[name].figures for name in names if name in gone and _fate(battle, present[name])[0] == "off"]
            )
        return Numbers(start, left + off, off)

    def numbers_of_side(self, side: str) -> Numbers:
        """Return the strength of a side: its units, fliers and commanders of the scenario."""
        start, left, off = self.numbers(self.plan.sources[side])
        for name in self.plan.roster.commanders[side]:
            if name in self.scenario.leaders and name in self.battle.commanders:
                fate = _fate(self.battle, self.battle.commanders[name])[0]
                start += 1
                left += fate != "lost"
                off += fate == "off"
        return Numbers(start, left, off)

    def _count_units(self, names: Iterable[str]) -> list[CountedGroup]:
        """Return the figures of some units of these rules: those left, and those lost."""
        groups: list[CountedGroup] = []
        units, specs, gone = self.battle.units, self.plan.units, self.battle.gone
        ready_groups = self.plan.ready_groups
        for key in names:
            unit = units.get(key)
            if unit is None:
                continue  # hidden from the seat for which this is counted
            if not (key in gone or unit.sections or unit.hex == OFF):
                groups += ready_groups[key, unit.hex, unit.figures]
                continue
            spec, (fate, edge) = specs[key], _fate(self.battle, unit)
            figures_left = 0 if fate == "lost" else unit.figures
            if figures_left:
                groups.append(CountedGroup(spec.side, figures_left, fate, spec.source, "", unit.hexes, edge))
            if figures_left < spec.figures:
                groups.append(CountedGroup(spec.side, spec.figures - figures_left, "lost", spec.source))
        return groups

    def _count_fliers(self, names: Iterable[str]) -> Iterator[CountedGroup]:
        """Yield some fliers, each counted as one."""
        for name in names:
            flier = self.battle.fliers[name]
            fate, edge = _fate(self.battle, flier)
            yield CountedGroup(flier.spec.side, 1, fate, name, position=(flier.hex,), edge=edge)

    def is_at(self, men: CountedGroup, key: str, goal: Hold | Escort) -> bool:
        """Return True if the group is in one of the hexes of the place."""
        cells = self._hexes_of(key, goal)
        return any(cell in cells for cell in men.position)

    def turns_to_reach(self, men: CountedGroup, key: str, goal: Hold | Escort | CarryOff) -> float | None:
        """Return the moves of two hexes to the nearest hex where a group counts; a move takes an order, so it costs
        more than a turn.
        """
        if not men.position or men.position[0] == OFF or men.fate not in ("ready", "going back"):
            return None
        cells = self.hexes_of(men.unit, key, goal)
        if not cells:
            return None
        steps: int = self.battle.field.path_lengths[True, tuple(cells)][men.position[0]]
        return steps / _HEXES_A_TURN

    def hexes_of(self, unit: str, key: str, goal: Hold | Escort | CarryOff) -> Collection[int]:
        """Return the hexes where a unit counts for an objective: the place, the edge to leave by, or the object's
        hex.
        """
        if isinstance(goal, CarryOff):
            carried_object = self.battle.carried_objects.get(goal.object)
            if carried_object is None or carried_object.taken_by:
                return ()
            carrier = self.battle.units.get(carried_object.carrier)
            if carrier is None or carrier.spec.source != unit:
                cell = carried_object.hex if carrier is None else carrier.hex
                return (cell,) if cell != OFF else ()
        elif found := self._hexes_of(key, goal):
            return found
        edge = None if isinstance(goal, Hold) else goal.edge
        return () if edge is None else self.battle.field.grid.edge_row(edge)

    def objective_area(self, key: str, goal: Hold | Escort) -> ObjectiveArea | None:
        """Return the hexes of the place."""
        cells = sorted(self._hexes_of(key, goal))
        if not cells:
            return None
        return ObjectiveArea(f"in {join_with_or(map(self.battle.field.grid.label, cells))}", cells)

    def _hexes_of(self, key: str, goal: Hold | Escort) -> Collection[int]:
        """Return the hexes of a place to hold or to reach."""
        return self.plan.places.get(key, ()) if isinstance(goal, Hold) else self.plan.areas.get(key, frozenset())

    def owner(self, key: str, goal: Hold) -> str | None:
        """Return the side that holds a place for the quotas (AFR-051); without quotas the side that is alone there."""
        if any(side.quota is None for side in self.battle.sides.values()):
            return self.holder(goal)
        return self.battle.owners.get(key)

    def sides_at(self, key: str, goal: Hold) -> Iterable[str]:
        """Yield the sides with units, scenario commanders or fliers in the hexes of a place."""
        battle, cells = self.battle, self.plan.places.get(key, ())
        for cell in cells:
            for name in battle.here.get(cell, ()):
                yield battle.units[name].spec.side
            chief = battle.chiefs.get(cell)
            if chief is not None and chief in self.scenario.leaders:
                yield battle.commanders[chief].spec.side
        for name, flier in battle.fliers.items():
            if flier.hex in cells and name not in battle.gone:
                yield flier.spec.side


def _fate(battle: Battle, piece: Unit | Commander | Flier) -> tuple[Fate, str]:
    """Return the fate of a piece, and the edge over which it left by choice, if it did."""
    reason = battle.gone.get(piece.spec.id)
    if reason is not None:
        return unit_fate(reason)
    return ("coming" if piece.hex == OFF else "ready"), ""
