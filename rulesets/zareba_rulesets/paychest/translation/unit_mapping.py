"""Translation of the units and leaders of a scenario into figures of a Paychest roster."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any

from zareba.base.errors import ZarebaError
from zareba.battle.unit_mapping import NOBODY, armed_like, map_unit, map_unit_as
from zareba.plugins.ruleset import Force
from zareba.rules import Rules
from zareba.scenario import Leader, Scenario, Unit
from zareba.scenario.vocabulary import CREWED, Quality
from zareba_rulesets.paychest.book.numbers import PaychestBook
from zareba_rulesets.paychest.book.organisation import GUNNERS, UnitTemplate, amalgamate, muster
from zareba_rulesets.paychest.forces.units import FigureSpec
from zareba_rulesets.paychest.translation.objectives import Overrides

# --- Unit mapping: the roster line that a man of a neutral scenario becomes (PAY-014 to PAY-026) ----------------------


_DOUBLE_FIRE_SHOTS = 2
"""Shots of a figure with double fire (PAY-024)."""
FIREARMS = ("rifle", "carbine", "musket", "bow", "pistol")


def figure_spec(
    book: PaychestBook,
    scenario: Scenario,
    unit_id: str,
    kind: str,
    figure_id: str,
    number: int,
    size: int,
    leader: Leader | None,
    legion: bool,
    overrides: Overrides,
) -> FigureSpec:
    """Return the roster line of figure `number` of a unit: profile by the unit mapping, skills by quality, weapons by
    unit (PAY-017).

    Overrides of single figures take precedence (PAY-018, PAY-035). A figure with its own profile has the weapons of
    that profile (PAY-210).
    """
    unit = scenario.units[unit_id]
    rank = overrides.ranks.get(figure_id) or (_rank_of(book, kind, leader) if leader is not None else "")
    own_profile = overrides.profiles.get(figure_id)
    profile = own_profile or _profile(book, scenario, unit_id, kind, number, size, leader, rank)
    line = book.file.profiles[profile]
    rank, kind = rank or line.rank, line.kind if own_profile else kind
    quality = unit.quality if leader is None else _leader_quality(leader, unit.quality)
    weapons = tuple(line.weapons) if own_profile else _weapons(book, unit, profile, number, size, leader)
    mount = "pack" if unit.arm == "pack_animals" else unit.mounted_on if unit.mounted_on != "none" else ""
    if leader is not None and leader.mounted and not mount and unit.arm == "infantry":
        mount = "horse"
    firearms, melee = skills(book, profile, quality)
    firearms = overrides.skills.get(f"{figure_id} firearms", firearms)
    melee = overrides.skills.get(f"{figure_id} melee", melee)
    return FigureSpec(
        figure_id,
        figure_id.rpartition(".")[0],
        leader.name if leader is not None else f"{rank.replace('_', '-')} {number}",
        profile,
        kind,
        rank,
        firearms,
        melee,
        shots_of(book, profile, kind, legion),
        weapons,
        mount,
    )


def _leader_quality(leader: Leader, of_unit: Quality) -> Quality:
    """Return a leader's quality: heroes are elite and raw leaders raw, whatever their unit (PAY-018, PAY-020)."""
    return "elite" if leader.hero else "raw" if leader.quality == "raw" else of_unit


def skills(book: PaychestBook, profile: str, quality: str) -> tuple[int, int]:
    """Return the Firearms and Melee Skill of a profile for a quality, within bounds; 0 stays 0 (PAY-020)."""
    line, changes, bounds = book.file.profiles[profile], book.file.quality[quality], book.file.quality_bounds

    def adjust(skill: int, change: int) -> int:
        return 0 if skill == 0 else min(bounds.most, max(bounds.least, skill + change))

    return adjust(line.firearms, changes.firearms), adjust(line.melee, changes.melee)


def shots_of(book: PaychestBook, profile: str, kind: str, legion: bool) -> int:
    """Return the shots of a figure per turn (PAY-024, PAY-025), whatever its weapon.

    If the unit and the profile are of the same kind, regular or irregular, it has the shots of its profile, if the
    setting `double_fire` includes it. Otherwise it fires as the unit's kind does.
    """
    scope, line = book.settings.double_fire, book.file.profiles[profile]
    if kind == "irregular":
        return line.shots if line.kind == kind and scope != "none" else 1
    twice = scope == "regulars" or (scope == "legion_only" and legion and profile in book.file.legion_profiles.profiles)
    if not twice:
        return 1
    return line.shots if line.kind == kind else _DOUBLE_FIRE_SHOTS


def _rank_of(book: PaychestBook, kind: str, leader: Leader) -> str:
    """Return the rank of a scenario's leader in the terms of these rules."""
    mapping = book.file.mapping
    return (mapping.rank_regular if kind == "regular" else mapping.rank_irregular)[leader.rank]


def is_officer(book: PaychestBook, rank: str) -> bool:
    """Return True if a rank is an officer's: general to lieutenant."""
    ranks = book.file.ranks
    return ranks[rank].line <= ranks["lieutenant"].line


def _profile(
    book: PaychestBook,
    scenario: Scenario,
    unit_id: str,
    kind: str,
    number: int,
    size: int,
    leader: Leader | None,
    rank: str,
) -> str:
    """Return the profile of figure `number` of a unit of `size` figures.

    In a unit without a leader the first figure leads; in a large unit it is an officer (PAY-041).
    """
    facts = {
        "leads": book.file.ranks[rank].leader if rank else number == 1,
        "officer": is_officer(book, rank) if rank else size > book.file.mapping.officer_above_figures.figures,
        "firearm": book.file.mapping.weapon[scenario.units[unit_id].weapon] in FIREARMS,
        "non_combatant": leader is not None and leader.non_combatant,
        "place": number,
    }
    return str(map_unit(book.file.unit_mapping, scenario, unit_id, **_facts_for_mapping(kind, rank, facts))["profile"])


def _facts_for_mapping(kind: str, rank: str, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts about a figure that the unit mapping may use, apart from those of its unit."""
    defaults = {
        "regular": kind == "regular",
        "rank": rank or "none",
        "place": 1,
        "firearm": True,
        "non_combatant": False,
    }
    return {**defaults, **facts}


def profile_of(book: PaychestBook, kind: str, arm: str, rank: str) -> str:
    """Return the profile of a figure of this rank in a formation of the organisation chart."""
    mapped_unit = replace(NOBODY, arm=arm, kind=book.file.mapping.muster[kind][arm]["kind"])
    facts = {"leads": book.file.ranks[rank].leader, "officer": is_officer(book, rank)}
    return str(map_unit_as(book.file.unit_mapping, mapped_unit, **_facts_for_mapping(kind, rank, facts))["profile"])


def _weapons(
    book: PaychestBook, unit: Unit, profile: str, number: int, size: int, leader: Leader | None
) -> tuple[str, ...]:
    """Return the weapons of figure `number` of a unit (PAY-021).

    Every figure has the unit's close weapon, the first ones also its missile weapon, in the scenario's proportion.
    Officers have pistol and sword.
    """
    if leader is not None and leader.non_combatant:
        return ()
    line = book.file.profiles[profile]
    if line.kind == "regular" and is_officer(book, line.rank):
        return tuple(line.weapons)
    if unit.arm in CREWED and unit.weapon == "none":
        return tuple(line.weapons)
    mapping = book.file.mapping
    armed = number <= max(1, round(unit.armed * size / unit.figures)) if unit.armed else False
    weapons = [mapping.weapon[unit.weapon] if armed else "none", mapping.close_weapon[unit.close_weapon]]
    return tuple(weapon for weapon in weapons if weapon != "none")


def is_alone(book: PaychestBook, leader: Leader) -> bool:
    """Return True if a leader is a unit of one: without a unit, or a commander with a card (PAY-032)."""
    return leader.unit is None or (leader.rank == "commander" and book.settings.commander_card == "own")


def lone_leader(
    book: PaychestBook, scenario: Scenario, overrides: Overrides, leader_id: str, leader: Leader
) -> FigureSpec:
    """Return the roster line of a leader who is a unit of one. Its kind is that of most of the side's units.

    Quality, mount and weapons are as in the unit that the scenario assigns to the leader (PAY-020, PAY-021), else the
    weapons are those of the side's largest unit. Overrides of the figure take precedence (PAY-210).
    """
    host = scenario.units.get(leader.unit or "")
    kinds = [book.file.mapping.kind[unit.kind] for unit in scenario.units_of(leader.side).values()]
    kind = "regular" if kinds.count("regular") * 2 >= len(kinds) else "irregular"
    figure_id = f"{leader_id}.1"
    rank = overrides.ranks.get(figure_id) or _rank_of(book, kind, leader)
    own_profile = overrides.profiles.get(figure_id)
    if own_profile:
        profile, kind = own_profile, book.file.profiles[own_profile].kind
    elif leader.unit is not None and host is not None and kind == "regular" and not is_officer(book, rank):
        profile = _profile(book, scenario, leader.unit, kind, 1, host.figures, leader, rank)
    else:
        facts = {"leads": True, "officer": is_officer(book, rank), "non_combatant": leader.non_combatant}
        profile = str(map_unit_as(book.file.unit_mapping, **_facts_for_mapping(kind, rank, facts))["profile"])
    firearms, melee = skills(book, profile, _leader_quality(leader, host.quality if host is not None else "regular"))
    weapons, armed_unit = tuple(book.file.profiles[profile].weapons), armed_like(scenario, leader)
    if leader.non_combatant:
        weapons = ()
    elif armed_unit is not None and not own_profile:
        weapons = _weapons(book, armed_unit, profile, 1, armed_unit.figures, leader)
    shots = shots_of(book, profile, kind, leader.unit in overrides.legion)
    mount = (host.mounted_on if host is not None and host.mounted else "horse") if leader.mounted else ""
    return FigureSpec(figure_id, leader_id, leader.name, profile, kind, rank, firearms, melee, shots, weapons, mount)


# --- Formations of the organisation chart as units of a new scenario (PAY-198 to PAY-213) -----------------------------


_FORMATION_PATTERN = re.compile(r"([a-z_]+)(?::([0-9]{1,2}))?")
_PRIVATES = ("private", "warrior")
_LONGEST_ID = 45
"""Maximum length of a unit's id. The id of its commander's figure is 12 longer, of 64 allowed."""


def make_force(rules: Rules, formation: str, side: str, *, commands: bool) -> Force:
    """Return the units of a `formation` for a side, such as "battalion" or "native_regiment:3" (three warbands).

    Names joined by '+' form one weak unit, each part with its own arms and skills (PAY-210). With `commands` the
    highest figure becomes the side's commander, as a separate unit of one (PAY-031, PAY-032). Raises ZarebaError for
    an unknown formation, a number of parts that is not allowed (99 at most), or guns joined to other arms.
    """
    book = PaychestBook(rules)
    templates = [template for name in formation.split("+") for template in _templates_of(book, name.strip())]
    if "+" in formation:
        amalgamated = amalgamate(*templates)
        if amalgamated.guns and amalgamated.arm not in GUNNERS:
            raise ZarebaError(f"'{formation}' would leave its guns behind; put the guns in a separate force")
        templates = [amalgamated]
    units: dict[str, Any] = {}
    leaders: dict[str, Any] = {}
    ranks: dict[str, str] = {}
    profiles: dict[str, str] = {}
    for template in templates:
        unit_id = _new_unit_id(f"{side} {template.name}", units)
        men = [
            (rank, part)
            for part in template.parts or (template,)
            for rank in part.ranks
            for _ in range(part.ranks[rank])
        ]
        men.sort(key=lambda man: book.rank_order[man[0]])
        figures, parts = [rank for rank, _ in men], [part for _, part in men]
        if commands and len(figures) > 1:
            leaders[f"{unit_id}_commander"] = {
                "name": f"The {_words(figures[0])}",
                "side": side,
                "rank": "commander",
                "unit": unit_id,
            } | ({"mounted": True} if template.arm == "cavalry" else {})
            ranks[f"{unit_id}_commander.1"] = figures.pop(0)
            parts.pop(0)
            commands = False
        units[unit_id] = _unit_data(book, template, side, len(figures))
        for index, (rank, part) in enumerate(zip(figures, parts, strict=True), start=1):
            if (part.kind, part.arm) != (template.kind, template.arm):
                profiles[f"{unit_id}.{index}"] = profile_of(book, part.kind, part.arm, rank)
            if rank in _PRIVATES or not book.file.ranks[rank].leader:
                if index == 1:
                    ranks[f"{unit_id}.1"] = rank  # otherwise the first figure would lead
                continue
            leaders[f"{unit_id}_{index}"] = {
                "name": f"{_words(rank).capitalize()} of the {part.name}",
                "side": side,
                "rank": book.file.mapping.rank_words[rank],
                "unit": unit_id,
            }
            ranks[f"{unit_id}.{index}"] = rank
    return Force(units, leaders, {"ranks": ranks} | ({"profiles": profiles} if profiles else {}))


def _templates_of(book: PaychestBook, formation: str) -> Sequence[UnitTemplate]:
    """Return the units of a formation given as text, such as `native_regiment:3`."""
    match = _FORMATION_PATTERN.fullmatch(formation)
    if match is None:
        raise ZarebaError(f"'{formation}' is no formation; write battalion or, for three warbands, native_regiment:3")
    return muster(book, match[1], int(match[2]) if match[2] else None)


def _unit_data(book: PaychestBook, template: UnitTemplate, side: str, figures: int) -> dict[str, Any]:
    """Return the unit in the scenario's words, with the usual arms of its kind and arm (PAY-021)."""
    words = book.file.mapping.muster[template.kind][template.arm]
    unit: dict[str, Any] = {"name": template.name[0].upper() + template.name[1:], "side": side, "arm": template.arm}
    unit |= {"figures": figures, **words}
    if template.arm == "artillery":
        unit["gun"] = {"kind": "light", "pieces": max(1, template.guns)}
    return unit


def _new_unit_id(title: str, used_names: Collection[str]) -> str:
    """Return a unique unit id, short enough for the longer ids of its leaders and figures."""
    unit_id = stem = re.sub(r"[^a-z0-9]+", "_", title.lower())[:_LONGEST_ID].strip("_")
    number = 1
    while unit_id in used_names:
        number += 1
        unit_id = f"{stem}_{number}"
    return unit_id


def _words(rank: str) -> str:
    """Return a rank in words."""
    return rank.replace("_", " ")
