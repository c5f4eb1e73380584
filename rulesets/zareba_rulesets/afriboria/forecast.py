"""The odds that a player may want to see before he chooses: the very situation that will be rolled for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from zareba.table import Choose, Option
from zareba_rulesets.afriboria.air_battle import anti_air_card, exposed_units
from zareba_rulesets.afriboria.battle import Battle
from zareba_rulesets.afriboria.combat import defence_facts, is_steadied
from zareba_rulesets.afriboria.eligibility import candidates, dice_facts, nearest_attacker, officer_lends, rained_off
from zareba_rulesets.afriboria.odds.air import AirAttackOdds, AntiAirOdds, ParkedFacts
from zareba_rulesets.afriboria.odds.facts import AWAY, BattleFacts, CommanderFacts
from zareba_rulesets.afriboria.odds.siege import BombardmentOdds, LadderOdds
from zareba_rulesets.afriboria.odds.walls import WallFireFacts
from zareba_rulesets.afriboria.pieces import Commander, Flier, Unit
from zareba_rulesets.afriboria.retreat import commander_hexes, ways_back
from zareba_rulesets.afriboria.siege import bombardment_facts
from zareba_rulesets.afriboria.walls import firing_sections, largest_shares, sections_against

__all__ = ["battle_facts", "odds_before"]

Offer = tuple[str, str, Any]
"""A title, a procedure and its facts."""

ATTACKS = ("battle against", "fight on against", "which unit is attacked")


def odds_before(battle: Battle, question: Choose, option: Option) -> list[Offer]:
    """The odds of what an option leads to: an attack, an answer to one, a ladder; none for other choices."""
    why, actor = question.why, question.actor
    if why in ATTACKS:
        if why == "which unit is attacked":
            return _of_attack(battle, actor, ("hex", question.about[0]), only=str(option))
        if isinstance(option, int):  # fight on, perhaps against one unit alone
            return _of_attack(battle, actor, ("hex", option), *question.about)
        return _of_attack(battle, actor, option) if isinstance(option, tuple) else []
    if why == "defender":
        return _of_answer(battle, question, stands=option == "make a stand")
    if why == "ladder at" and isinstance(option, int):
        return _of_ladder(battle, battle.units[actor], option)
    if why == "move" and isinstance(option, tuple) and option[0] == "ladder":
        return _of_ladder(battle, battle.units[actor], option[1])
    return []


def _of_answer(battle: Battle, question: Choose, stands: bool) -> list[Offer]:
    """An attack as its target sees it, standing or giving way."""
    attacker, verb, cell = question.about
    if verb == "commander":
        return _of_attack(battle, attacker, (verb, question.actor), voluntary=not stands)
    return _of_attack(battle, attacker, (verb, cell), only=question.actor, voluntary=not stands)


def _of_attack(
    battle: Battle, attacker: str, target: tuple[Any, ...], only: str = "", voluntary: bool = False
) -> list[Offer]:
    """One offer for each unit that may take the attack, or for the one that does."""
    kind, what = target
    flier = battle.fliers.get(attacker)
    if kind == "flier":
        away = battle.field.distance[flier.hex if flier is not None else battle.units[attacker].hex]
        return [_at_flier(battle, attacker, battle.fliers[what], away[battle.fliers[what].hex])]
    if flier is not None:
        return _from_air(battle, flier, what, only, voluntary)
    unit = battle.units[attacker]
    if kind == "structure":
        return [_of_bombardment(battle, unit, what)]
    if kind == "commander":
        return [_at_commander(battle, unit, battle.commanders[what], voluntary)]
    if kind == "parked":
        return [_at_parked(battle, unit, battle.fliers[what])]
    if unit.sections:
        return _from_wall(battle, unit, what, only, voluntary)
    foes = [battle.units[only]] if only else candidates(battle, unit, unit.hex, what)
    return [
        (f"against {foe.spec.name}", "battle", battle_facts(battle, unit, unit.hex, foe, what, voluntary))
        for foe in foes
    ]


def _attack(battle: Battle, unit: Unit, origin: int, cell: int) -> dict[str, Any]:
    """The facts of an attack that its target does not change."""
    situation = dice_facts(battle, unit, origin, cell)
    return {
        "attacker": unit.kind,
        "attacker_figures": unit.figures,
        "range": situation.range,
        "terrain": battle.ground(cell).kinds,
        "attacker_terrain": battle.ground(origin).kinds,
        "attacker_missile": unit.spec.missile,
        "firearms": unit.firearms if unit.partly_armed else -1,
        "lancers": situation.lancers,
        "officer": situation.officer,
        "hilltop": situation.hilltop,
        "ladders": unit.ladders,
        "card": situation.card,
    }


def battle_facts(battle: Battle, unit: Unit, origin: int, foe: Unit, cell: int, voluntary: bool = False) -> BattleFacts:
    """The facts of a battle of `unit` in `origin` against `foe` in `cell`; an officer who can lend his die does."""
    return BattleFacts(**_attack(battle, unit, origin, cell), **_defence(battle, foe, cell, origin, voluntary))


def _defence(battle: Battle, foe: Unit, cell: int, origin: int, voluntary: bool) -> dict[str, Any]:
    return {
        **_target(battle, foe, cell, voluntary),
        "defender_missile": foe.spec.missile,
        "officer_apart": not officer_lends(battle, foe, cell),
        "defender_ladders": foe.ladders,
        "defended": defence_facts(battle, foe, cell, origin) is None,
    }


def _target(battle: Battle, foe: Unit, cell: int, voluntary: bool) -> dict[str, Any]:
    return {
        "defender": foe.kind,
        "defender_figures": foe.figures,
        "defender_officer": is_steadied(battle, foe),
        "defender_section": foe.sections.get(cell, 0),
        "stubborn": battle.standing(cell),
        "inspired": "inspired" in foe.marks,
        "voluntary": voluntary,
        **_way_back(battle, foe.spec.side, cell, lambda here: ways_back(battle, foe, here)),
    }


def _way_back(battle: Battle, side: str, cell: int, ways: Callable[[int], Sequence[int]]) -> dict[str, Any]:
    """Where the field ends behind somebody in `cell` (AFR-248), and where his way is barred before that (AFR-247)."""
    rows, free = _steps(cell, battle.field.back[side].__getitem__), _steps(cell, ways)
    return {
        "at_edge": rows == 0,
        "rows_behind": rows,
        "blocked": free == 0 < rows,
        "barred_behind": free if free < rows else AWAY,
    }


def _steps(cell: int, ways: Callable[[int], Sequence[int]]) -> int:
    """The steps that can be made one after another from `cell`, as many as the way allows."""
    there = {cell}
    for steps in range(AWAY):
        there = {near for here in there for near in ways(here)}
        if not there:
            return steps
    return AWAY


def _from_wall(battle: Battle, unit: Unit, cell: int, only: str, voluntary: bool) -> list[Offer]:
    second = unit.shots > 0
    names = {foe.spec.id for found in firing_sections(battle, unit, cell, second).values() for foe in found}
    foes = [foe for foe in battle.units_in(cell) if foe.spec.id in names and only in ("", foe.spec.id)]
    return [
        _of_sections(battle, unit, cell, foe, sections_against(battle, unit, cell, second, foe), voluntary)
        for foe in foes
    ]


def _of_sections(battle: Battle, unit: Unit, cell: int, foe: Unit, sections: list[int], voluntary: bool) -> Offer:
    """A unit in sections, its dice dealt to the first of them as far as they go (AFR-322)."""
    shares = largest_shares(battle, unit, sections, cell)
    away = {origin: battle.field.distance[origin][cell] for origin in shares}
    nearest = min(shares, key=lambda origin: away[origin])
    attack = _attack(battle, unit, nearest, cell)
    attack["officer"] = any(dice_facts(battle, unit, origin, cell).officer for origin in shares)
    facts = WallFireFacts(
        **attack,
        **_defence(battle, foe, cell, nearest, voluntary),
        sections=tuple(unit.sections[origin] for origin in shares),
        ranges=tuple(away.values()),
        dice=tuple(shares.values()),
    )
    return (f"against {foe.spec.name}", "fire_from_wall", facts)


def _at_commander(battle: Battle, unit: Unit, chief: Commander, voluntary: bool) -> Offer:
    cell = chief.hex
    origin = nearest_attacker(battle, unit, cell)
    side = chief.spec.side
    facts = CommanderFacts(
        **_attack(battle, unit, origin, cell),
        **_way_back(battle, side, cell, lambda here: commander_hexes(battle, side, here)),
        voluntary=voluntary,
        stubborn=battle.standing(cell),
        character=chief.spec.character,
    )
    return (f"against {chief.spec.name}", "attack_on_commander", facts)


def _of_bombardment(battle: Battle, unit: Unit, cell: int) -> Offer:
    situation = bombardment_facts(battle, unit, cell)
    facts = BombardmentOdds(
        unit.spec.key,  # type: ignore[arg-type]  # only guns bombard
        situation.range,
        battle.field.structures[cell].type,  # type: ignore[arg-type]  # a type of structure
        battle.structures[cell].value,
        situation.hilltop,
        situation.card,
    )
    return ("the structure", "bombardment", facts)


def _of_ladder(battle: Battle, unit: Unit, wall: int) -> list[Offer]:
    """An empty wall throws nothing down (AFR-333)."""
    held = wall in battle.here and battle.held_by_enemy(wall, unit.spec.side)
    return [("the ladder", "ladder", LadderOdds(unit.figures))] if held else []


def _from_air(battle: Battle, flier: Flier, cell: int, only: str, voluntary: bool) -> list[Offer]:
    away = battle.field.distance[flier.hex][cell]
    foes = [battle.units[only]] if only else exposed_units(battle, cell)
    card, terrain = -rained_off(battle, flier.spec.side, away), battle.ground(cell).kinds
    return [
        (
            f"against {foe.spec.name}",
            "attack_from_air",
            AirAttackOdds(range=away, terrain=terrain, card=card, **_target(battle, foe, cell, voluntary)),  # type: ignore[arg-type]  # features of a hex
        )
        for foe in foes
    ]


def _at_flier(battle: Battle, attacker: str, flier: Flier, away: int) -> Offer:
    strength = max(1, flier.strength)
    facts = AntiAirOdds(flier.spec.kind, away, strength, anti_air_card(battle, attacker, away))  # type: ignore[arg-type]  # aircraft or airship
    return (f"against {flier.spec.name}", "anti_aircraft", facts)


def _at_parked(battle: Battle, unit: Unit, flier: Flier) -> Offer:
    strength = flier.strength if flier.spec.kind == "airship" else 1
    facts = ParkedFacts(**_attack(battle, unit, unit.hex, flier.hex), strength=strength)
    return (f"against {flier.spec.name}", "attack_on_parked", facts)
