"""The odds that a player may want to see before he chooses: the very situation that will be rolled for."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import fields
from functools import partial
from typing import Any, TypeVar, cast

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

__all__ = ["facts_of", "odds_before"]

Offer = tuple[str, str, Any]
"""A title, a procedure and its facts."""
F = TypeVar("F")
Actor = Unit | Flier
Target = Unit | Commander | Flier


def odds_before(battle: Battle, question: Choose, option: Option) -> list[Offer]:
    """The odds of what an option leads to: an attack, an answer to one, a ladder; none for other choices."""
    why, actor, about = question.why, question.actor, question.about
    if why == "which unit is attacked":
        return _of_attack(battle, actor, ("hex", about[0]), only=str(option))
    if why == "fight on against" and isinstance(option, int):  # perhaps against one unit alone
        return _of_attack(battle, actor, ("hex", option), *about)
    if why == "battle against" and isinstance(option, tuple):
        return _of_attack(battle, actor, option)
    if why == "defender":
        attacker, verb, cell = about
        target = (verb, actor) if verb == "commander" else (verb, cell)
        return _of_attack(battle, attacker, target, only=actor, voluntary=option != "make a stand")
    if why == "ladder at" and isinstance(option, int):
        return _of_ladder(battle, battle.units[actor], option)
    if why == "move" and isinstance(option, tuple) and option[0] == "ladder":
        return _of_ladder(battle, battle.units[actor], option[1])
    return []


def _of_ladder(battle: Battle, unit: Unit, wall: int) -> list[Offer]:
    """An empty wall throws nothing down (AFR-333)."""
    held = wall in battle.here and battle.held_by_enemy(wall, unit.spec.side)
    return [("the ladder", "ladder", LadderOdds(unit.figures))] if held else []


def _of_attack(
    battle: Battle, attacker: str, target: tuple[Any, ...], only: str = "", voluntary: bool = False
) -> list[Offer]:
    """One offer for each unit that may take the attack, or for the one that does."""
    verb, what = target
    unit = battle.units.get(attacker)
    actor = unit or battle.fliers[attacker]
    if verb == "flier":
        flier = battle.fliers[what]
        away = battle.field.distance[actor.hex][flier.hex]
        strength, card = max(1, flier.strength), anti_air_card(battle, attacker, away)
        shot = AntiAirOdds(flier.spec.kind, away, strength, card)  # type: ignore[arg-type]  # aircraft or airship
        return [(f"against {flier.spec.name}", "anti_aircraft", shot)]
    if verb == "structure" and unit is not None:
        salvo, left = bombardment_facts(battle, unit, what), battle.structures[what].value
        kind, gun = battle.field.structures[what].type, unit.spec.key
        guns = BombardmentOdds(gun, salvo.range, kind, left, salvo.hilltop, salvo.card)  # type: ignore[arg-type]  # guns alone bombard
        return [("the structure", "bombardment", guns)]
    if verb == "parked":
        flier = battle.fliers[what]
        strength = flier.strength if flier.spec.kind == "airship" else 1
        parked = facts_of(ParkedFacts, battle, actor, actor.hex, flier, flier.hex, strength=strength)
        return [(f"against {flier.spec.name}", "attack_on_parked", parked)]
    if verb == "commander" and unit is not None:
        chief = battle.commanders[what]
        origin = nearest_attacker(battle, unit, chief.hex)
        lone = facts_of(CommanderFacts, battle, unit, origin, chief, chief.hex, voluntary=voluntary)
        return [(f"against {chief.spec.name}", "attack_on_commander", lone)]
    if unit is not None and unit.sections:
        return _from_wall(battle, unit, what, only, voluntary)
    if unit is not None:
        foes, name, facts = candidates(battle, unit, unit.hex, what), "battle", cast("type[Any]", BattleFacts)
    else:
        foes, name, facts = exposed_units(battle, what), "attack_from_air", AirAttackOdds
    of = partial(facts_of, facts, battle, actor, actor.hex, cell=what, voluntary=voluntary)
    return [(f"against {foe.spec.name}", name, of(foe)) for foe in ([battle.units[only]] if only else foes)]


def facts_of(kind: type[F], battle: Battle, actor: Actor, origin: int, target: Target, cell: int, **known: Any) -> F:
    """What facts of this kind can say of an attack from `origin` on somebody in `cell`; an officer who can lend his die does."""
    away, side = battle.field.distance[origin][cell], target.spec.side
    known |= {"range": away, "terrain": battle.ground(cell).kinds, "stubborn": battle.standing(cell)}
    if isinstance(actor, Flier):
        known["card"] = -rained_off(battle, actor.spec.side, away)
    else:
        dice, armed = dice_facts(battle, actor, origin, cell), actor.firearms if actor.partly_armed else -1
        known |= {name: getattr(dice, name) for name in ("lancers", "officer", "hilltop", "ladders", "card")} | known
        known |= {"attacker": actor.kind, "attacker_figures": actor.figures, "attacker_missile": actor.spec.missile}
        known |= {"attacker_terrain": battle.ground(origin).kinds, "firearms": armed}
    ways: Callable[[int], Sequence[int]] = partial(commander_hexes, battle, side)
    if isinstance(target, Unit):
        ways, steady = partial(ways_back, battle, target), is_steadied(battle, target)
        known |= {"defender": target.kind, "defender_figures": target.figures, "defender_missile": target.spec.missile}
        known |= {"defender_ladders": target.ladders, "defender_section": target.sections.get(cell, 0)}
        known |= {"defender_officer": steady, "officer_apart": steady and not officer_lends(battle, target, cell)}
        known |= {
            "defended": defence_facts(battle, target, cell, origin) is None,
            "inspired": "inspired" in target.marks,
        }
    elif isinstance(target, Commander):
        known["character"] = target.spec.character
    # where the field ends behind him (AFR-248), and where his way is barred before that (AFR-247)
    rows, free = _steps(cell, battle.field.back[side].__getitem__), _steps(cell, ways)
    known |= {"at_edge": rows == 0, "rows_behind": rows, "blocked": free == 0 < rows}
    known["barred_behind"] = free if free < rows else AWAY
    return kind(**{one.name: known[one.name] for one in fields(kind) if one.name in known})  # type: ignore[arg-type]  # facts are dataclasses


def _steps(cell: int, ways: Callable[[int], Sequence[int]]) -> int:
    """The steps that can be made one after another from `cell`, as many as the way allows."""
    there = {cell}
    for steps in range(AWAY):
        there = {near for here in there for near in ways(here)}
        if not there:
            return steps
    return AWAY


def _from_wall(battle: Battle, unit: Unit, cell: int, only: str, voluntary: bool) -> list[Offer]:
    """A unit in sections, its dice dealt to the first of them as far as they go (AFR-322)."""
    second, away = unit.shots > 0, battle.field.distance[cell]
    names = {foe.spec.id for found in firing_sections(battle, unit, cell, second).values() for foe in found}
    offers: list[Offer] = []
    for foe in battle.units_in(cell):
        if foe.spec.id in names and only in ("", foe.spec.id):
            shares = largest_shares(battle, unit, sections_against(battle, unit, cell, second, foe), cell)
            nearest = min(shares, key=away.__getitem__)
            dealt = {
                "officer": any(dice_facts(battle, unit, origin, cell).officer for origin in shares),
                "sections": tuple(unit.sections[origin] for origin in shares),
                "ranges": tuple(away[origin] for origin in shares),
                "dice": tuple(shares.values()),
            }
            facts = facts_of(WallFireFacts, battle, unit, nearest, foe, cell, voluntary=voluntary, **dealt)
            offers.append((f"against {foe.spec.name}", "fire_from_wall", facts))
    return offers
