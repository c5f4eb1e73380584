"""The odds that a player may want to see before he attacks."""

from __future__ import annotations

from typing import Any

from zareba_rulesets.afriboria.battle import Battle, Unit
from zareba_rulesets.afriboria.eligibility import candidates, dice_facts
from zareba_rulesets.afriboria.odds import BattleFacts
from zareba_rulesets.afriboria.siege_odds import BombardmentOdds

__all__ = ["odds_of_attack"]


def odds_of_attack(battle: Battle, attacker: str, target: tuple[str, Any]) -> list[tuple[str, str, Any]]:
    """The odds worth seeing before an attack: (title, procedure, facts) for each unit that may take it."""
    unit, (kind, what) = battle.units.get(attacker), target
    if unit is None or unit.sections or kind not in ("hex", "commander", "structure"):
        return []
    cell = battle.commanders[what].hex if kind == "commander" else int(what)
    distance = battle.field.distance[unit.hex, cell]
    if kind == "structure":
        gun: Any = unit.spec.key
        entry = battle.field.structures[cell]
        on_top = unit.hex in battle.field.hilltops
        facts = BombardmentOdds(gun, distance, entry.type, battle.structures[cell].value, on_top)  # type: ignore[arg-type]  # a type of structure
        return [("bombardment", "bombardment", facts)] if gun != "rocket" else []
    situation = dice_facts(battle, unit, unit.hex, cell)
    common: dict[str, Any] = {
        "attacker": _key_of(battle, unit),
        "attacker_figures": unit.figures,
        "range": distance,
        "terrain": _terrain(battle, cell),
        "attacker_terrain": _terrain(battle, unit.hex),
        "attacker_missile": unit.spec.missile,
        "firearms": unit.firearms if unit.partly_armed else -1,
        "lancers": situation.lancers,
        "officer": situation.officer,
        "hilltop": situation.hilltop,
        "ladders": unit.ladders,
        "card": situation.card,
    }
    if kind == "commander":
        facts_of_man = BattleFacts(defender="inf_a", defender_figures=1, **common)
        return [(f"against {battle.commanders[what].spec.name}", "attack_on_commander", facts_of_man)]
    found: list[tuple[str, str, Any]] = []
    for foe in candidates(battle, unit, unit.hex, cell):
        chief = battle.commander_of(foe)
        facts_of_foe = BattleFacts(
            defender=_key_of(battle, foe),
            defender_figures=foe.sections.get(cell, foe.figures),
            defender_missile=foe.spec.missile,
            defender_officer=chief is not None and chief.spec.officer and chief.spec.bonus,
            defender_ladders=foe.ladders,
            defended="defended" in foe.marks,
            **common,
        )
        found.append((f"against {foe.spec.name}", "battle", facts_of_foe))
    return found


def _key_of(battle: Battle, unit: Unit) -> Any:
    """The kind of a unit as it fights now."""
    return unit.spec.profile.on_foot if unit.spec.foot is not None and not unit.mounted else unit.spec.key


def _terrain(battle: Battle, cell: int) -> Any:
    """The feature of a hex that shelters most; facts name one only."""
    kinds = battle.ground(cell).kinds
    return max(kinds, key=lambda kind: battle.book.file.terrain[kind].cover) if kinds else "open"
