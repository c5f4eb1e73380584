"""Expected losses and ground gained, by small formulas: the value of a battle and of a hex, for AI players."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

from zareba.base.exact import power
from zareba.scenario import Scenario
from zareba.space.lazy import Lazy, LazyBetween
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.combat import bonus_dice
from zareba_rulesets.afriboria.chapters.sight import sees
from zareba_rulesets.afriboria.evaluation.objectives import Objectives
from zareba_rulesets.afriboria.forces.battle import Battle, Plan, reach_of, row_at
from zareba_rulesets.afriboria.forces.pieces import OFF, Unit
from zareba_rulesets.afriboria.ground import Ground

_COMMON = 6.0  # figures of a typical unit; losses are measured in shares of one
_POINT = 0.8  # value of destroying a unit, in addition to its figures
APPROACH = 0.03  # value of being one hex nearer to the enemy
ADVANCE = 0.08  # value of being one hex nearer to an objective
EXPOSURE = 0.35  # share of the possible enemy fire at a hex that will happen, since orders are few
STAKE = 0.3  # value of a point that the scenario puts on a unit under escort, as much as that of a place
GUARDED = 2  # hexes from its guards to which a unit under escort goes ahead
FAR = 999  # distance to the enemy when there is none


class HexValue(NamedTuple):
    """The value of a hex for a unit: losses inflicted from it, losses risked in it, and ground gained, in this order.

    The order is that of the fields of `Evaluation`.
    """

    inflicts: float
    suffers: float
    ground: float


_Strikes = Lazy[int, tuple[float, ...]]
Threat = tuple[int, bool, _Strikes, int]
"""An enemy unit: hex, True for a gun, its mean kills by cover and distance, its figures."""


class ExpectedLosses:
    """Estimates for one scenario under one set of rules."""

    def __init__(self, book: AfrBook, scenario: Scenario, plan: Plan) -> None:
        self.book = book
        self.plan = plan
        self.answers = book.defends
        self.faces = len(book.file.faces)
        # faces of a defence die that kill men of a class, by the printed reading (AFR-211)
        self.killers = {
            troop: len(entry.faces) for troop, entry in book.file.defence_faces["enemy_class_or_higher"].items()
        }
        self.foot_reach = max((len(row.dice) for row in book.profiles.values() if row.arm == "infantry"), default=0)
        self.kills: Lazy[tuple[int, str, bool], float] = LazyBetween(self._kills)
        self.fire: Lazy[tuple[str, bool, int | None], tuple[bool, _Strikes | None]] = LazyBetween(self._fire)
        self.strikes: Lazy[tuple[str, int, int], _Strikes] = Lazy(
            lambda key: Lazy(lambda cover: self._strikes(*key, cover))
        )
        self.objectives = Objectives(scenario, plan)
        grid = plan.field.grid
        self.to_edge: Lazy[tuple[int, str], float] = LazyBetween(grid.distance_to_edge)

    # --- one battle ---------------------------------------------------------------------------------------------------

    def _kills(self, dice: int, hits: str, close: bool) -> float:
        """Return the mean kills of a roll before caps: hits less saves, plus the save that an automatic kill prevents
        (AFR-197).
        """
        entry = self.book.file.hits[hits]
        faces = entry.close if close else entry.far
        hit_chance = sum(face != "sabres" for face in faces) / self.faces
        sabres_chance = len(faces) / self.faces - hit_chance
        if not self.book.saves:
            return dice * (hit_chance + sabres_chance)
        save_chance = len(self.book.file.saves["close" if close else "far"].faces) / self.faces
        miss_chance = 1 - hit_chance
        two_or_more_hits = 0.0
        if dice:
            two_or_more_hits = 1 - power(miss_chance, dice) - dice * hit_chance * power(miss_chance, dice - 1)
        return dice * (hit_chance + sabres_chance) * (1 - save_chance) + two_or_more_hits * save_chance

    def _strikes(self, key: str, reach: int, ride: int, cover: int) -> tuple[float, ...]:
        """Return the mean kills of a kind of unit by distance to a target in `cover`, after a move of up to `ride`
        hexes.

        The list covers every distance on the field.
        """
        profile = self.book.profiles[key]
        found = [0.0]
        for distance in range(1, reach + ride + 1):
            dice = row_at(profile.dice, min(distance, reach)) - cover
            found.append(self.kills[dice, profile.hits, distance == 1] if dice > 0 else 0.0)
        out_of_reach = self.plan.field.grid.columns + self.plan.field.grid.rows
        return tuple(found) + (0.0,) * out_of_reach

    def _fire(self, name: str, mounted: bool, reach: int | None) -> tuple[bool, _Strikes | None]:
        """Return True for a gun, and the mean kills of a unit, mounted or on foot, by distance within its `reach` and
        ride.

        The reach is the printed one unless a house rule changes it.
        """
        spec = self.plan.units[name]
        unit = Unit(OFF, spec.figures, spec.firearms, mounted, spec=spec)
        profile = unit.profile
        ride = profile.battle_move if profile.arm == "mounted" else 0
        return not profile.storms, self.strikes[
            unit.kind, unit.reach if reach is None else reach, ride
        ] if profile.dice else None

    def loss_value(self, kills: float, target: Unit) -> float:
        """Return the value of losing `kills` figures, as a share of a common unit."""
        figures = target.figures
        if kills > figures:
            kills = figures
        return kills / _COMMON + _POINT * target.spec.points * (kills / figures) * (kills / figures)

    def battle(self, battle: Battle, unit: Unit, origin: int, cell: int) -> tuple[float, float]:
        """Return the shares of a unit inflicted and suffered in a battle from `origin` against the weakest unit of a
        hex.
        """
        distance = battle.field.distance[origin][cell]
        if not 1 <= distance <= reach_of(battle, unit):
            return 0.0, 0.0
        target = self._weakest(battle, cell)
        inflicted = self._attack(battle, unit)(target, cell, distance, self._is_high(battle, unit, origin))
        cover = battle.ground(origin).cover.troops.level
        return (inflicted, self._own_loss(battle, unit, target, distance, cover)) if inflicted else (0.0, 0.0)

    def _weakest(self, battle: Battle, cell: int) -> Unit:
        """Return the unit in a hex with the fewest figures."""
        names = battle.here[cell]
        if len(names) == 1:
            return battle.units[names[0]]
        return min(battle.units_in(cell), key=lambda other: other.figures)

    def _is_high(self, battle: Battle, unit: Unit, cell: int) -> bool:
        """Return True if a hex is a hilltop that gives a unit a die (AFR-151)."""
        profile = unit.profile
        return cell in battle.field.hilltops and not profile.no_hilltop and self.book.counts_as_gun(profile)

    def _attack(self, battle: Battle, unit: Unit) -> Callable[[Unit, int, int, bool], float]:
        """Return a function of a target, its hex, the distance, and True for an attack from a hilltop: the value of an
        attack, 0 without dice.
        """
        profile, men = unit.profile, unit.figures
        row, hits, gun = profile.dice, profile.hits, not profile.storms
        fixed_dice = (unit.spec.lancers and unit.mounted) - unit.ladders  # lancers add one, ladders take one
        near, far = (fixed_dice + bonus_dice(battle, unit, kind) for kind in ("close", "far"))

        def attack_value(target: Unit, cell: int, distance: int, high: bool) -> float:
            close = distance == 1
            dice = row_at(row, distance) - battle.ground(cell).cover[gun].level + (near if close else far) + high
            if dice <= 0:
                return 0.0
            kills = min(self.kills[dice, hits, close], men)
            # Points that rest on the target are lost when it is destroyed or driven off, which few losses rarely do.
            share = min(1.0, kills / target.figures)
            held = STAKE * self.objectives.points_held_by(battle, target) * share * share
            return self.loss_value(kills, target) + held + 0.01 * dice

        return attack_value

    def _own_loss(self, battle: Battle, unit: Unit, target: Unit, distance: int, cover: int) -> float:
        """Return the expected loss of the attacker, in his cover, to the defence dice."""
        kills = 0.0
        if self.answers and distance <= reach_of(battle, target):
            dice = self.book.file.defence_dice[target.profile.troop].dice - cover
            kills = max(0, dice) * self.killers[unit.profile.troop] / self.faces
        return self.loss_value(kills, unit)

    def best_attack(self, battle: Battle, unit: Unit) -> float:
        """Return the best net value of a battle from a unit's present hex."""
        distances, reach = battle.field.distance[unit.hex], reach_of(battle, unit)
        best, cover, attack = 0.0, battle.ground(unit.hex).cover.troops.level, self._attack(battle, unit)
        high = self._is_high(battle, unit, unit.hex)
        for cell in battle.hexes_held_by(battle.field.enemy(unit.spec.side)):
            gap = distances[cell]
            if 1 <= gap <= reach:
                target = self._weakest(battle, cell)
                dealt = attack(target, cell, gap, high)
                if dealt > best:
                    best = max(best, dealt - self._own_loss(battle, unit, target, gap, cover))
        return best

    def on_foot(self, battle: Battle, unit: Unit) -> float:
        """Return the value of mounted cavalry's carbine fire from its present hex, if it dismounted."""
        mounted, unit_on_foot = unit.mounted, unit.copy()
        assert mounted, "only who rides can dismount"
        unit_on_foot.mounted = False
        return self.best_attack(battle, unit_on_foot)

    # --- places -------------------------------------------------------------------------------------------------------

    def enemy_distance(self, battle: Battle, side: str, cell: int) -> int:
        """Return the distance to the nearest enemy unit in hexes."""
        distances = battle.field.distance[cell]
        return min(map(distances.__getitem__, battle.hexes_held_by(battle.field.enemy(side))), default=FAR)

    def places(self, battle: Battle, unit: Unit) -> Callable[[int, int], HexValue]:
        """Return a function of a hex and the steps to it: the losses inflicted there, the losses risked, and the ground
        gained.
        """
        distance, start = battle.field.distance, unit.hex
        profile, reach = unit.profile, reach_of(battle, unit)
        span = profile.move + 1 + max(reach, self.foot_reach)
        foes = battle.hexes_held_by(battle.field.enemy(unit.spec.side))
        distances = distance[start]
        close = [cell for cell in foes if distances[cell] <= span]
        before = min(map(distances.__getitem__, foes), default=FAR)
        approach = APPROACH if before < FAR and profile.arm != "pack" else 0.0
        threats = self._threats(battle, close)
        gain = self._gains(battle, unit)
        may_fight = "battle" in unit.marks or "company" in unit.marks
        weakest = {cell: self._weakest(battle, cell) for cell in close} if may_fight else {}
        attack = self._attack(battle, unit)
        inflicted: Lazy[tuple[int, int, bool], float] = Lazy(lambda at: attack(weakest[at[0]], *at))
        suffered: Lazy[tuple[int, int, int], float] = Lazy(
            lambda at: self._own_loss(battle, unit, weakest[at[0]], *at[1:])
        )
        known: dict[tuple[int, bool], HexValue] = {}

        def value_of(cell: int, steps: int) -> HexValue:
            early = steps <= profile.battle_move
            value = known.get((cell, early))
            if value is None:
                distances_from_cell, ground = distance[cell], battle.ground(cell)
                fights = may_fight and early and not (steps and ground.no_battle)
                dealt = best_battle(cell, distances_from_cell, ground.cover.troops.level) if fights else 0.0
                if steps == 0 and profile.double_fire:
                    dealt *= 1.6
                forward = gain(cell)
                if approach:
                    forward += approach * (before - min(map(distances_from_cell.__getitem__, foes)))
                risk = self._risk(unit, distances_from_cell, ground, threats)
                value = known[cell, early] = HexValue(dealt, risk, forward)
            return value

        def best_battle(cell: int, distances_to_cells: Mapping[int, int], cover: int) -> float:
            best, high = 0.0, self._is_high(battle, unit, cell)
            for other in close:
                gap = distances_to_cells[other]
                if 1 <= gap <= reach and (dealt := inflicted[other, gap, high]) > best:
                    dealt -= suffered[other, gap, cover]
                    if dealt > best and (gap == 1 or sees(battle, cell, other)):
                        best = dealt
            return best

        if may_fight and not profile.storms and best_battle(start, distances, battle.ground(start).cover.troops.level):
            approach = 0.0  # a gun that has a target stays where it is
        return value_of

    def _threats(self, battle: Battle, cells: Sequence[int]) -> list[Threat]:
        """Return the enemies that can strike, with the values that decide their strikes."""
        found = []
        units, here, fire = battle.units, battle.here, self.fire
        changed = self.book.rules.changes("range")
        for cell in cells:
            for name in here[cell]:
                enemy = units[name]
                gun, strikes = fire[name, enemy.mounted, reach_of(battle, enemy) if changed else None]
                if strikes is not None:
                    found.append((cell, gun, strikes, enemy.figures))
        return found

    def _risk(self, unit: Unit, distances: Mapping[int, int], ground: Ground, threats: Sequence[Threat]) -> float:
        """Return the expected losses in a hex to the two most dangerous enemies within reach of it."""
        cover = ground.cover.troops.level, ground.cover.guns.level
        worst = second = 0.0
        for other, gun, strikes, figures in threats:
            lost = strikes[cover[gun]][distances[other]]
            if lost > second:
                if lost > figures:
                    lost = figures
                if lost > worst:
                    worst, second = lost, worst
                elif lost > second:
                    second = lost
        if not worst:
            return 0.0
        share = min(1.0, (worst + second) / max(1, unit.figures))
        return EXPOSURE * self.loss_value(worst + second, unit) + STAKE * self.objectives.stake(unit) * share

    def _gains(self, battle: Battle, unit: Unit) -> Callable[[int], float]:
        """Return a function of a hex: how much nearer the unit would be to what it is to win."""
        edge, start = self.objectives.exit_edge_of(battle, unit), unit.hex
        if edge is not None:
            distance_off, to_edge = self.to_edge[start, edge], self.to_edge
            guards, distance = self.objectives.guards_to_wait_for(battle, unit), battle.field.distance
            if not guards or not battle.hexes_held_by(battle.field.enemy(unit.spec.side)):
                return lambda cell: 2 * ADVANCE * (distance_off - to_edge[cell, edge])

            def gain_with_guards(cell: int) -> float:
                ahead = max(map(distance[cell].__getitem__, guards)) - GUARDED
                return 2 * ADVANCE * (distance_off - to_edge[cell, edge] - 2 * max(0, ahead))

            return gain_with_guards
        objectives = self.objectives.wanted_by(battle, unit)
        held_objective = next((objective for objective in objectives if objective.is_held_alone), None)
        goals = [
            (
                objective.distances,
                objective.distances[start],
                ADVANCE * min(objective.points, 3),
                0.3 * objective.points,
                objective.hexes,
            )
            for objective in objectives
        ]

        def gain(cell: int) -> float:
            best = 0.0
            for distances, distance_now, per_hex, for_arrival, cells in goals:
                value = per_hex * (distance_now - distances[cell]) + (for_arrival if cell in cells else 0.0)
                if abs(value) > abs(best):
                    best = value
            return best

        if held_objective is None:
            return gain
        hexes, points = held_objective.hexes, held_objective.points
        return lambda cell: 0.0 if cell in hexes else -0.3 * points
