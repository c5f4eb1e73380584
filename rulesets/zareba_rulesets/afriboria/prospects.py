"""Expected losses and ground, by small formulas: what a battle promises, what a place is worth (for commanders)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zareba.scenario import Scenario
from zareba.space.lazy import Lazy
from zareba_rulesets.afriboria.battle import OFF, Battle, Unit
from zareba_rulesets.afriboria.book import AfrBook, Card, Profile
from zareba_rulesets.afriboria.sight import sees
from zareba_rulesets.afriboria.translation import Plan

__all__ = ["Prospects"]

COMMON = 6.0  # figures of a common unit: losses are counted in shares of one
POINT = 0.8  # what finishing a unit is worth beyond its men
APPROACH = 0.03  # a hex nearer to the enemy
ADVANCE = 0.08  # a hex nearer to an objective
EXPOSURE = 0.35  # how much of what could be fired at a place will be, with few orders a turn
FAR = 99

Value = tuple[float, float, float]
Threat = tuple[int, int, int, bool, list[int], str, int]
"""An enemy unit: hex, reach, hexes it rides before it strikes, whether it is a gun, its dice, hit faces and figures."""


class Prospects:
    """Estimates for one scenario under one set of rules."""

    def __init__(self, book: AfrBook, scenario: Scenario, plan: Plan) -> None:
        self.book = book
        self.plan = plan
        self.kills: Lazy[tuple[int, str, bool], float] = Lazy(lambda key: self._kills(*key))
        self.goals = {
            side: [
                (key, cell, scenario.objectives[key].points)
                for key, cell in plan.places.items()
                if not scenario.objectives[key].by or side in scenario.objectives[key].by
            ]
            for side in scenario.sides
        }
        self._asked: tuple[Any, ...] = ()
        self._worths: dict[str, float] = {}
        self.leavers = {source: edge for edge, units, _ in plan.exits for source in units}

    # --- one battle ---------------------------------------------------------------------------------------------------------

    def _kills(self, dice: int, hits: str, close: bool) -> float:
        """Mean kills of a roll before caps: hits less saves, and the save that a sure kill takes away (AFR-197)."""
        entry = self.book.file.hits[hits]
        faces = entry.close if close else entry.far
        p = sum(face != "sabres" for face in faces) / 6
        sabres = len(faces) / 6 - p
        if not self.book.settings.saves:
            return dice * (p + sabres)
        save = len(self.book.file.saves["close" if close else "far"].faces) / 6
        two = 1 - (1 - p) ** dice - dice * p * (1 - p) ** (dice - 1) if dice else 0.0
        return dice * (p + sabres) * (1 - save) + two * save

    def _dealt(self, kills: float, target: Unit) -> float:
        figures = target.figures
        kills = min(kills, figures)
        return kills / COMMON + POINT * target.spec.points * (kills / figures) ** 2

    def _dice(self, battle: Battle, profile: Profile, distance: int, cell: int) -> int:
        guns = profile.arm not in ("infantry", "mounted", "dismounted")
        return profile.dice[distance - 1] - battle.ground(cell).cover[guns, False]

    def battle(self, battle: Battle, unit: Unit, origin: int, cell: int) -> tuple[float, float]:
        """Shares of a unit dealt and taken in a battle from `origin` against the weakest unit of a hex."""
        distance = battle.field.distance[origin, cell]
        profile = unit.profile
        if not 1 <= distance <= unit.reach:
            return 0.0, 0.0
        bonus = ("first" in unit.marks) + (("close" if distance == 1 else "far") in unit.marks)
        bonus += unit.spec.lancers and unit.mounted
        dice = self._dice(battle, profile, distance, cell) + bonus - unit.ladders
        if dice <= 0:
            return 0.0, 0.0
        target = min(battle.units_in(cell), key=lambda other: other.figures)
        kills = min(self.kills[dice, profile.hits, distance == 1], unit.figures)
        taken = 0.0
        if distance <= target.reach and self.book.settings.fastplay != "on":
            defence = self.book.file.defence_dice[target.profile.troop].dice - battle.ground(origin).cover[False, False]
            taken = max(0, defence) * {"A": 1, "B": 2, "C": 3, "N": 3}[profile.troop] / 6
        return self._dealt(kills, target) + 0.01 * dice, self._dealt(taken, unit)

    def best_attack(self, battle: Battle, unit: Unit) -> float:
        """The best net battle from where a unit stands."""
        cells = self._enemy_cells(battle, unit.spec.side)
        best = 0.0
        for cell in cells:
            if battle.field.distance[unit.hex, cell] <= unit.reach:
                dealt, taken = self.battle(battle, unit, unit.hex, cell)
                best = max(best, dealt - taken)
        return best

    def on_foot(self, battle: Battle, unit: Unit) -> float:
        """What mounted cavalry would deal with its carbines from here."""
        mounted, unit_on_foot = unit.mounted, unit.copy()
        assert mounted, "only who rides can dismount"
        unit_on_foot.mounted = False
        return self.best_attack(battle, unit_on_foot)

    # --- places -----------------------------------------------------------------------------------------------------------------

    def _enemy_cells(self, battle: Battle, side: str) -> list[int]:
        units = battle.units
        return [cell for cell in sorted(battle.here) if units[battle.here[cell][0]].spec.side != side]

    def enemy_distance(self, battle: Battle, side: str, cell: int) -> int:
        """Hexes to the nearest enemy unit."""
        distance = battle.field.distance
        return min((distance[cell, other] for other in self._enemy_cells(battle, side)), default=FAR)

    def places(self, battle: Battle, unit: Unit) -> Callable[[int, int], Value]:
        """A function of a hex and the steps to it: what the unit could deal there, what it would risk, ground gained."""
        side, distance, start = unit.spec.side, battle.field.distance, unit.hex
        profile, reach = unit.profile, unit.reach
        span = profile.move + 1 + max(reach, 4)
        foes = [(cell, battle.units_in(cell)) for cell in self._enemy_cells(battle, side)]
        close = [(cell, units) for cell, units in foes if distance[start, cell] <= span]
        nearest = [cell for cell, _ in foes]
        before = min((distance[start, cell] for cell in nearest), default=FAR)
        goals = self._wanted(battle, unit)
        threats = self._threats(close)
        known: dict[tuple[int, bool], Value] = {}
        may_fight = "battle" in unit.marks or "company" in unit.marks

        def worth(cell: int, steps: int) -> Value:
            early = steps <= profile.battle_move
            key = (cell, early)
            if key not in known:
                known[key] = estimate(cell, steps)
            return known[key]

        def estimate(cell: int, steps: int) -> Value:
            dealt = 0.0
            ground = battle.ground(cell)
            if may_fight and steps <= profile.battle_move and not (steps and ground.no_battle):
                for other, _ in close:
                    if distance[cell, other] <= reach:
                        given, taken = self.battle(battle, unit, cell, other)
                        if given - taken > dealt and (distance[cell, other] == 1 or sees(battle, cell, other)):
                            dealt = given - taken
                if steps == 0 and profile.double_fire:
                    dealt *= 1.6
            risk = self._risk(battle, unit, cell, threats)
            gain = self._ground(battle, unit, cell, goals)
            if before < FAR and profile.arm != "pack":
                gain += APPROACH * (before - min(distance[cell, other] for other in nearest))
            return dealt, risk, gain

        return worth

    def _threats(self, foes: Sequence[tuple[int, list[Unit]]]) -> list[Threat]:
        """The enemies that can strike, with what decides about their strikes."""
        found = []
        for cell, units in foes:
            for enemy in units:
                profile = enemy.profile
                ride = profile.battle_move if profile.arm == "mounted" else 0
                gun = profile.arm not in ("infantry", "mounted", "dismounted")
                if profile.dice:
                    found.append((cell, enemy.reach, ride, gun, profile.dice, profile.hits, enemy.figures))
        return found

    def _risk(self, battle: Battle, unit: Unit, cell: int, threats: Sequence[Threat]) -> float:
        """What the two most dangerous enemies in reach would do to the unit there."""
        distance, kills, cover = battle.field.distance, self.kills, battle.ground(cell).cover
        worst = second = 0.0
        for other, reach, ride, gun, row, hits, figures in threats:
            away = distance[cell, other]
            if 0 < away <= reach + ride:
                dice = row[(away if away < reach else reach) - 1] - cover[gun, False]
                if dice > 0:
                    lost = kills[dice, hits, away == 1]
                    lost = lost if lost < figures else figures
                    if lost > worst:
                        worst, second = lost, worst
                    elif lost > second:
                        second = lost
        return EXPOSURE * self._dealt(worst + second, unit) if worst else 0.0

    def _wanted(self, battle: Battle, unit: Unit) -> list[tuple[int, int, bool]]:
        """Objective hexes with their points, and whether this unit alone holds them."""
        found = []
        for key, cell, points in self.goals[unit.spec.side]:
            if battle.owners.get(key) != unit.spec.side:
                found.append((cell, points, False))
            elif cell == unit.hex and len(battle.here[cell]) == 1:
                found.append((cell, points, True))
        return found

    def _ground(self, battle: Battle, unit: Unit, cell: int, goals: Sequence[tuple[int, int, bool]]) -> float:
        edge = self.leavers.get(unit.spec.source)
        grid = battle.field.grid
        if edge is not None:
            return 2 * ADVANCE * (grid.distance_to_edge(unit.hex, edge) - grid.distance_to_edge(cell, edge))  # type: ignore[arg-type]  # an edge
        best = 0.0
        for goal, points, held in goals:
            if held:
                return 0.0 if cell == goal else -0.3 * points
            nearer = battle.field.distance[unit.hex, goal] - battle.field.distance[cell, goal]
            value = ADVANCE * min(points, 3) * nearer + (0.3 * points if cell == goal else 0.0)
            if abs(value) > abs(best):
                best = value
        return best

    # --- orders and cards ---------------------------------------------------------------------------------------------------

    def unit_worths(self, battle: Battle, side: str) -> dict[str, float]:
        """What an order to each unit promises; the same for all questions while nobody moves or falls."""
        places = tuple([(unit.hex, unit.figures, unit.mounted) for unit in battle.units.values()])
        key = (battle.turn, side, places, tuple(battle.owners.items()))
        if self._asked != key:
            self._asked, self._worths = key, self._unit_worths(battle, side)
        return self._worths

    def _unit_worths(self, battle: Battle, side: str) -> dict[str, float]:
        """A battle now or after a move, or a step on its way."""
        distance = battle.field.distance
        foes = self._enemy_cells(battle, side)
        found = {}
        for unit in battle.side_units(side):
            profile, reach = unit.profile, unit.reach
            near = sorted((distance[unit.hex, cell], cell) for cell in foes)[:3]
            value = 0.01
            for away, cell in near:
                for steps in {0, max(0, profile.battle_move)}:
                    reached = max(1, away - steps)
                    if profile.dice and reached <= reach:
                        dice = self._dice(battle, profile, reached, cell)
                        if dice > 0:
                            target = battle.units[battle.here[cell][0]]
                            kills = self.kills[dice, profile.hits, reached == 1]
                            twice = 1.6 if profile.double_fire and not steps and away >= 2 else 1.0
                            value = max(value, twice * self._dealt(min(kills, unit.figures), target))
            if unit.spec.source in self.leavers:
                value += 0.5
            elif near and profile.arm not in ("pack", "artillery", "machine_gun"):
                value += APPROACH * 2 if near[0][0] > reach else 0.0
            goals = self._wanted(battle, unit)
            if goals and not any(held for _, _, held in goals) and profile.move:
                away = min(distance[unit.hex, goal] for goal, _, _ in goals)
                value += 0.3 / away if away else 0.0
            found[unit.spec.id] = value
        return found

    def order_worth(self, battle: Battle, worths: dict[str, float], option: tuple[Any, ...]) -> float:
        """The promise of one order, given those of all units."""
        kind, name = option[0], option[1]
        if kind == "unit":
            return worths[name]
        if kind == "platoon":
            there = battle.here.get(battle.commanders[name].hex, ())
            return sum(worths[unit] for unit in (*there, *option[2:]))
        if kind == "company":
            return sum(sorted((worths.get(unit, 0.0) for unit in battle.companies[name].members), reverse=True)[:2])
        return {"commander": 0.02, "flier": 0.3}.get(kind, -0.2)

    def card_worths(self, battle: Battle, side: str, names: Sequence[str]) -> list[float]:
        """The sum of the best orders of each card."""
        worths = self.unit_worths(battle, side)
        return [self._card_worth(battle, side, self.book.cards[name], worths) for name in names]

    def _card_worth(self, battle: Battle, side: str, card: Card, worths: dict[str, float]) -> float:
        units = [unit for unit in battle.side_units(side) if self._suits(card, unit)]
        total = 0.0
        for colour, number in card.orders.items():
            values = sorted((worths[u.spec.id] for u in units if colour in ("any", u.spec.colour)), reverse=True)
            total += sum(values[:number])
        if card.all == "artillery":
            guns = [u for u in battle.side_units(side) if u.profile.arm in ("artillery", "machine_gun")]
            total += sum(self.best_attack(battle, unit) for unit in guns)
        factor = 0.3 if not card.battles else 1.2 if card.bonus else 1.0
        return total * factor

    def _suits(self, card: Card, unit: Unit) -> bool:
        arm = unit.profile.arm
        if unit.hex == OFF:
            return False
        return {
            "mounted": arm == "mounted",
            "infantry": arm == "infantry",
            "foot": arm in ("infantry", "dismounted"),
        }.get(card.who, True)
