"""The value of orders and cards, for AI players: the best battles of the units that they order."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from zareba.base.exact import total
from zareba_rulesets.afriboria.book import Card
from zareba_rulesets.afriboria.evaluation.expected_losses import APPROACH, FAR, GUARDED, ExpectedLosses
from zareba_rulesets.afriboria.forces.battle import Battle, reach_of
from zareba_rulesets.afriboria.forces.companies import platoon
from zareba_rulesets.afriboria.forces.pieces import Flier, Unit

_NEAREST = 3  # nearest enemies considered as targets of a unit, with all at the same distance
_COMMANDER = 0.02  # value of an order to a commander alone
FLIGHT, _LAST_FLIGHT = 0.3, 1.0  # value of an order to a flier, and to an aircraft that would crash without it
_AWKWARD = -0.2  # value of an order to leave a command or to form or disband a company


def must_come_down(flier: Flier) -> bool:
    """Return True if an aircraft has at most one own turn left in the air (AFR-262)."""
    return flier.airborne and flier.spec.kind == "aircraft" and flier.fuel <= 2


class OrderValues:
    """Estimates the value of orders from estimates of battles."""

    def __init__(self, expected_losses: ExpectedLosses) -> None:
        self.expected_losses = expected_losses
        self._cache_key: tuple[Any, ...] = ()
        self._units: dict[str, float] = {}

    def units(self, battle: Battle, side: str) -> dict[str, float]:
        """Return the value of an order to each unit; cached until a piece moves or is lost."""
        places = tuple([(unit.hex, unit.figures, unit.mounted) for unit in battle.units.values()])
        carried_objects = tuple(
            [(carried_object.hex, carried_object.carrier) for carried_object in battle.carried_objects.values()]
        )
        key = (battle.turn, side, places, carried_objects, tuple(battle.owners.items()))
        if self._cache_key != key:
            foes = battle.hexes_held_by(battle.field.enemy(side))
            self._cache_key = key
            self._units = {unit.spec.id: self._unit(battle, unit, foes) for unit in battle.side_units(side)}
        return self._units

    def _unit(self, battle: Battle, unit: Unit, foes: Sequence[int]) -> float:
        """Return the value of an order to one unit: a battle now or after a move, or a step on its way."""
        distances, profile, reach = battle.field.distance[unit.hex], unit.profile, reach_of(battle, unit)
        gaps = list(map(distances.__getitem__, foes))
        gap = min(gaps, default=FAR)
        value = 0.01
        if profile.dice and gap - max(0, profile.battle_move) <= reach:
            value = self._attack(battle, unit, _nearest(gaps, foes))
        if self.expected_losses.objectives.exit_edge_of(battle, unit) is not None:
            guards = self.expected_losses.objectives.guards_to_wait_for(battle, unit)
            waits = bool(guards and foes) and max(map(distances.__getitem__, guards)) >= GUARDED
            value += 0.0 if waits else 0.5
        elif reach < gap < FAR and profile.arm not in ("pack", "artillery", "machine_gun"):
            value += APPROACH * 2
        goals = self.expected_losses.objectives.wanted_by(battle, unit)
        if goals and not any(goal.is_held_alone for goal in goals) and profile.move:
            nearest = min([goal.distances[unit.hex] for goal in goals])
            value += 0.3 / nearest if nearest else 0.0
        return value

    def _attack(self, battle: Battle, unit: Unit, near: Sequence[tuple[int, int]]) -> float:
        """Return the best value of an attack on one of the nearest hexes with enemies, given as (distance, hex).

        The unit attacks from its present hex, or from as near as it may move and still battle.
        """
        profile, reach, expected_losses = unit.profile, reach_of(battle, unit), self.expected_losses
        strikes, figures = expected_losses.strikes[unit.kind, reach, 0], unit.figures
        ride = max(0, profile.battle_move)
        best = 0.01
        for gap, cell in near:
            if gap - ride > reach:
                break
            target = battle.units[battle.here[cell][0]]
            kills = strikes[battle.ground(cell).cover[not profile.storms].level]
            if gap <= reach and kills[gap]:
                twice = 1.6 if profile.double_fire and gap > 1 else 1.0
                best = max(best, twice * expected_losses.loss_value(min(kills[gap], figures), target))
            closer = kills[max(1, gap - ride)] if ride else 0.0
            if closer:
                best = max(best, expected_losses.loss_value(min(closer, figures), target))
        return best

    def order(self, battle: Battle, worths: dict[str, float], option: tuple[Any, ...]) -> float:
        """Return the value of one order, of any kind in `order_options`, from the values of all units."""
        kind, name = option[0], option[1]
        if kind == "unit":
            return worths[name]
        if kind == "platoon":
            return total(worths[unit.spec.id] for unit in platoon(battle, battle.commanders[name]))
        if kind == "company":
            return total(sorted((worths.get(unit, 0.0) for unit in battle.companies[name].members), reverse=True)[:2])
        if kind == "flier":
            return _LAST_FLIGHT if must_come_down(battle.fliers[name]) else FLIGHT
        return _COMMANDER if kind == "commander" else _AWKWARD

    def cards(self, battle: Battle, side: str, names: Sequence[str]) -> list[float]:
        """Return the sum of the best orders of each card."""
        worths, cards = self.units(battle, side), battle.book.cards
        return [self._card(battle, side, cards[name], worths) for name in names]

    def _card(self, battle: Battle, side: str, card: Card, worths: dict[str, float]) -> float:
        """Return the value of one card from the values of all units."""
        value = 0.0
        for colour, number in card.orders.items():
            named_units = battle.units_named(side, (colour,), card.who)
            value += total(sorted([worths[unit.spec.id] for unit in named_units], reverse=True)[:number])
        if card.all == "artillery":
            guns = [u for u in battle.side_units(side) if u.profile.arm in ("artillery", "machine_gun")]
            value += total([self.expected_losses.best_attack(battle, unit) for unit in guns])
        if battle.fliers and card.orders and card.who in ("", "mounted"):
            value += _LAST_FLIGHT * _last_flights(battle, side, card)
        factor = 0.3 if not card.battles else 1.2 if card.bonus else 1.0
        return value * factor


def _nearest(gaps: Sequence[int], foes: Sequence[int]) -> list[tuple[int, int]]:
    """Return the nearest hexes with enemies, at (distance, hex), with all that are as near as the last of them."""
    near = sorted(zip(gaps, foes, strict=True))
    if len(near) <= _NEAREST:
        return near
    farthest, _ = near[_NEAREST - 1]
    return [(gap, cell) for gap, cell in near if gap <= farthest]


def _last_flights(battle: Battle, side: str, card: Card) -> int:
    """Return the number of aircraft that must land and that a card can order (AFR-264, AFR-268)."""
    colours = {"", *card.orders}
    waiting = [flier.spec for flier in battle.fliers.values() if flier.spec.side == side and must_come_down(flier)]
    return sum("any" in colours or spec.colour in colours for spec in waiting)
