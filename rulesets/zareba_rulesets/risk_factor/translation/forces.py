"""Forces of a scenario as units of Risk-Factor."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Annotated, Literal

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.base.grammar import agreeing, amount, in_a_sentence, join_with_and
from zareba.base.yamlfile import Id, YamlModel
from zareba.battle.unit_mapping import evenly, map_unit
from zareba.rules import RefersTo
from zareba.scenario import Leader, Scenario, Unit
from zareba.scenario.unsupported import left_out
from zareba.scenario.vocabulary.words import ARMS, known_word, word_with_ancestors
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.forces import UnitSpec

# --- Scenario entries for these rules only ----------------------------------------------------------------------------


class UnitOverride(YamlModel):
    """Attributes of a unit that replace those from its kind, quality and weapon. Attributes left out keep their
    value.
    """

    volley: bool | None = None
    native: bool | None = None
    no_quarter: bool | None = None
    superior_quality: bool | None = None
    superior_melee: bool | None = None
    skirts: Literal["up", "down"] | None = None
    table: Literal["auto", "missile", "melee"] | None = None
    loading: Literal["muzzle", "breech", "magazine", "hurled", "none"] | None = None


class Overrides(YamlModel):
    """`player_characters`: the leaders who are Player Characters (RSK-018). `units`: attributes of units, including
    their Action table (RSK-130).
    """

    player_characters: list[Annotated[Id, RefersTo("leaders")]] = Field(default_factory=list)
    units: dict[Annotated[Id, RefersTo("units")], UnitOverride] = Field(default_factory=dict)


# --- The units and leaders of a neutral scenario as groups and single figures -----------------------------------------


_RANK_ORDER = {"commander": 0, "officer": 1, "chief": 2, "subchief": 3, "nco": 4, "headman": 5}


def build_forces(
    book: RskBook, scenario: Scenario, wishes: Mapping[str, UnitOverride], notes: list[str]
) -> dict[str, UnitSpec]:
    """Return every group and lone figure by id: the groups of each unit together, then the leaders of the scenario.

    `wishes` are attributes that the scenario sets for units. Raise ZarebaError for a unit too small to be a group
    (RSK-045).
    """
    specs: dict[str, UnitSpec] = {}
    absent = _without_extension(book, scenario)
    if absent:
        notes.append(_absence(scenario, absent))
    for unit_id, unit in scenario.units.items():
        base = None if unit_id in absent else _base_spec(book, scenario, unit_id, notes)
        if base is None:
            continue
        if unit_id in wishes:
            base = replace(base, **wishes[unit_id].model_dump(exclude_none=True))
        for spec in _groups(book, unit, base):
            specs[spec.id] = spec
    for leader_id, leader in scenario.leaders.items():
        if leader.unit in absent:
            continue
        if leader.unit is not None and not any(spec.parent == leader.unit for spec in specs.values()):
            notes.append(f"{leader.name}: takes no part, because his unit is not in these rules")
            continue
        specs[leader_id] = _leader_spec(book, scenario, leader_id, leader)
    return specs


def _without_extension(book: RskBook, scenario: Scenario) -> list[str]:
    """Return the units that take part only with the extension for support weapons, if it is off (RSK-008)."""
    if book.settings.extensions_support_weapons != "off":
        return []
    return [unit_id for unit_id, unit in scenario.units.items() if ARMS[unit.arm].role == "crew"]


def _absence(scenario: Scenario, units: list[str]) -> str:
    """Return the note that names these units with their leaders, and the setting that includes them."""
    names = join_with_and(scenario.units[unit_id].name for unit_id in units)
    leaders = [leader.name for leader in scenario.leaders.values() if leader.unit in units]
    nor = f", nor {'do' if len(leaders) > 1 else 'does'} {join_with_and(leaders)}" if leaders else ""
    them = "them" if leaders else agreeing(names, "it", "them")
    return (
        f"{names} {agreeing(names, 'takes', 'take')} no part in this game{nor}. "
        f"Play with the setting extensions.support_weapons=on to include {them} (RSK-008)"
    )


def _men(book: RskBook, scenario: Scenario, unit_id: str) -> str:
    """Return the sort of men of a unit, ignoring its arm."""
    return str(map_unit(book.file.unit_mapping, scenario, unit_id)["men"])


def _base_spec(book: RskBook, scenario: Scenario, unit_id: str, notes: list[str]) -> UnitSpec | None:
    """Return the attributes of a unit before it is split, or None for an arm that these rules do not cover
    (RSK-008).
    """
    mapping, unit = book.file.mapping, scenario.units[unit_id]
    role, arms = ARMS[unit.arm].role, word_with_ancestors(unit.arm, ARMS)
    crew = role == "crew"
    if role == "machine":
        notes.append(left_out(unit, "RSK-008"))
        return None
    kind = book.file.men["civilian" if role == "train" else _men(book, scenario, unit_id)]
    quality = mapping.quality["raw" if kind.civilian else unit.quality]
    weapon = mapping.weapon[unit.weapon]
    camels = "camelry" in arms and book.settings.scenario_camels_are_cavalry
    people = "native" if kind.native else "service" if kind.native_service else "european"
    gunpowder = weapon.weapon != "none" and book.weapons[weapon.weapon].damage == "gunpowder"
    return UnitSpec(
        id=unit_id,
        name=unit.name,
        side=unit.side,
        parent=unit_id,
        figures=unit.figures,
        armed=0 if crew else unit.armed,
        troop_class=quality.troop_class,
        kind=kind.kind,
        weapon="none" if crew else weapon.weapon,
        loading=weapon.loading,
        close=mapping.close_weapon[unit.close_weapon],
        bayonet=unit.close_weapon == "bayonet",
        mounted=unit.mounted,
        can_dismount=not {"mounted_infantry", "camelry"}.isdisjoint(arms) or ("infantry" in arms and unit.mounted),
        cavalry="cavalry" in arms or camels,
        formed=(kind.formed or "formed" in unit.traits) and not crew,
        volley=(kind.volley and gunpowder) or ("volley" in unit.traits and gunpowder),
        native=kind.native,
        no_quarter="no_quarter" in unit.traits or unit.kind == "own_led_regular",
        civilian=kind.civilian,
        superior_quality=quality.superior_quality,
        superior_melee=quality.superior_melee,
        support=mapping.support[known_word(unit.arm, ARMS, mapping.support)] if crew else "",
        people=people,
    )


def _groups(book: RskBook, unit: Unit, base: UnitSpec) -> list[UnitSpec]:
    """Split a unit: drilled regulars into squads, each with an NCO from their number, all other troops into bands
    (RSK-020, RSK-045, RSK-049).

    Own-led regulars such as the Zulus stay in bands, because the rules show them in groups of twenty.
    """
    smallest, largest = book.counts["smallest_group"], book.counts["largest_group"]
    if unit.figures < smallest:
        raise ZarebaError(
            f"{unit.name} has {amount(unit.figures, 'figure')}; a group has {smallest} to {largest} (RSK-045)"
        )
    squads = base.kind == "regular" and base.people != "native" and not base.support
    size = min(largest, book.settings.scenario_squad_size if squads else largest)
    min_size = smallest + 1 if squads and unit.figures > smallest else smallest
    parts = evenly(unit.figures, max(1, min(-(-unit.figures // size), unit.figures // min_size)))
    armed = _shares_of(base.armed, parts)
    platoon = base.id if base.formed else ""
    groups = []
    musicians = 1 if "musician" in unit.traits and parts[0] > smallest + 1 else 0
    for number, (count, bearers) in enumerate(zip(parts, armed, strict=True), start=1):
        numbered = len(parts) > 1
        led = squads and count > smallest
        men = count - led - (musicians if number == 1 else 0)
        name = f"{base.name} {number}" if numbered else base.name
        group = replace(
            base,
            id=f"{base.id}_{number}" if numbered else base.id,
            name=name,
            figures=men,
            armed=min(men, bearers),
            platoon=platoon,
        )
        groups.append(group)
        if led:
            groups.append(_corporal(group, "nco", f"{group.id}_nco", f"NCO of {in_a_sentence(name)}"))
        if musicians and number == 1:
            groups.append(
                replace(_corporal(group, "musician", f"{base.id}_bugler", f"Bugler of {base.name}"), musician=True)
            )
    return groups


def _corporal(group: UnitSpec, rank: str, figure_id: str, name: str) -> UnitSpec:
    """Return an NCO or musician with the class and arms of his group. He is not counted among its figures (RSK-020)."""
    return replace(
        group, id=figure_id, name=name, figures=1, armed=min(1, group.armed), leader=rank, order=6, platoon=""
    )


def _shares_of(bearers: int, parts: list[int]) -> list[int]:
    """Spread the men who carry the weapon over the parts. No part gets more than it has figures."""
    bearers_left, men_left, shares = bearers, sum(parts), []
    for count in parts:
        share = min(count, -(-bearers_left * count // men_left)) if men_left else 0
        shares.append(share)
        bearers_left, men_left = bearers_left - share, men_left - count
    return shares


def _most_common_unit(scenario: Scenario, side: str) -> str:
    """Return the first unit of the kind that a side has most of. Civilians are ignored if the side has other units."""
    units = scenario.units_of(side)
    kinds: list[str] = [unit.kind for unit in units.values() if unit.kind != "civilian"] or [
        next(iter(units.values())).kind
    ]
    commonest = max(dict.fromkeys(kinds), key=kinds.count)
    return next(key for key, unit in units.items() if unit.kind == commonest)


def _leader_spec(book: RskBook, scenario: Scenario, leader_id: str, leader: Leader) -> UnitSpec:
    """Return a leader as a single figure with his class, people and arms (RSK-011, RSK-012, RSK-021).

    Natives in European service have native officers, but a European commands them, and leads all that their own
    officers do not lead (RSK-024).
    """
    mapping = book.file.mapping
    unit = scenario.units[leader.unit] if leader.unit else None
    like = (
        leader.unit
        if leader.unit and unit is not None and unit.kind != "civilian"
        else _most_common_unit(scenario, leader.side)
    )
    kind, entry = scenario.units[like].kind, book.file.men[_men(book, scenario, like)]
    raw = leader.quality == "raw" or (unit is not None and unit.quality == "raw")
    officer = not entry.native and leader.rank in ("commander", "officer")
    own_men = unit is not None and unit.kind != "civilian" and leader.rank != "commander"
    service = entry.native_service and (own_men or not officer)
    people = "native" if entry.native else "service" if service else "european"
    weapon, loading, close, bayonet = "none", "none", "sword", False
    if officer:
        weapon, loading = "pistol", "magazine"
    elif unit is not None and (unit.weapon != "none" or unit.close_weapon != "none"):
        weapon, loading = mapping.weapon[unit.weapon].weapon, mapping.weapon[unit.weapon].loading
        close, bayonet = mapping.close_weapon[unit.close_weapon], unit.close_weapon == "bayonet"
    if leader.non_combatant:
        weapon, loading, close = "none", "none", "none"
    return UnitSpec(
        id=leader_id,
        name=leader.name,
        side=leader.side,
        parent=leader.unit or "",
        figures=1,
        armed=0 if weapon == "none" else 1,
        troop_class="hero" if leader.hero else "raw" if raw else "veteran",
        kind=entry.kind,
        weapon=weapon,
        loading=loading,
        close=close,
        bayonet=bayonet,
        mounted=leader.mounted,
        formed=entry.formed,
        native=entry.native,
        no_quarter=kind == "own_led_regular" or (unit is not None and "no_quarter" in unit.traits),
        people=people,
        leader=leader.rank,
        non_combatant=leader.non_combatant,
        order=_RANK_ORDER[leader.rank],
        loyalty=dict(leader.loyalty),
    )
