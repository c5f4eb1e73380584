"""Small battles with combinations of troops, weapons and ground that random battles rarely contain, by ruleset."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any

from zareba.scenario import Scenario
from zareba.scenario.load import parse_scenario

__all__ = ["FORCES", "MEETINGS", "SITUATIONS", "Meeting"]

Data = dict[str, Any]


@dataclass(frozen=True)
class Meeting:
    """Units in the south and in the north, the ground between them, and the conditions of play.

    Units without a position are placed in the middle of the board, 10 inches apart. `size` is the size of the board in
    inches. `more` holds further sections of the scenario. `settings` replace settings of the occasions on which it is
    played; a `plain` meeting always uses the default settings. `solo` names sides without a player. `house` holds
    changes to the ruleset's file, for values that no scenario uses or that are rare in play. Without `zones` no side
    has a deployment zone.
    """

    one: tuple[Data, ...]
    two: tuple[Data, ...]
    terrain: Data = field(default_factory=dict)
    more: Data = field(default_factory=dict)
    settings: Data = field(default_factory=dict)
    size: tuple[int, int] = (30, 30)
    solo: tuple[str, ...] = ()
    plain: bool = False
    house: Data = field(default_factory=dict)
    zones: bool = True

    def scenario(self) -> Scenario:
        """Return its scenario of six turns. The units of a side are named one, one_2 and so on."""
        wide, deep = self.size
        low, high = deep // 2 - 3, deep // 2 + 3
        zones = (
            ("one", "south", 0, low, deep // 2 - 2, self.one),
            ("two", "north", high, deep, deep // 2 + 8, self.two),
        )
        sides: Data = {}
        units: Data = {}
        for side, edge, near, far, at, troops in zones:
            zone = [[0, near], [wide, near], [wide, far], [0, far]]
            sides[side] = {"name": side.title(), "home_edge": edge}
            if self.zones:
                sides[side]["deployment"] = {"zone": zone}
            for number, unit in enumerate(troops, start=1):
                name = side if number == 1 else f"{side}_{number}"
                units[name] = {
                    "name": f"Unit {name}", "side": side, "figures": 8, "kind": "european_regular",
                    "arm": "infantry", "position": [wide // 2, at], **unit,
                }  # fmt: skip
        beaten = {"last": {"kind": "destroy", "name": "Drive them off", "share": 0.5}}
        doc = {
            "id": "meeting", "title": "A meeting", "year": 1880, "place": "nowhere", "note": "", "turns": 6,
            "table": {"width": wide, "depth": deep}, "terrain": self.terrain, "sides": sides, "units": units,
            **self.more, "objectives": beaten | self.more.get("objectives", {}),
        }  # fmt: skip
        return parse_scenario(json.dumps(doc), "meeting.yaml")


VCC = {
    "rockets": Meeting(  # charged by irregular camelry that fires from the saddle
        ({"arm": "camelry", "kind": "tribal", "weapon": "breech_carbine"},),
        ({"arm": "rocket"},),
    ),
    "camel corps": Meeting(  # dismounted against riders; irregulars on foot are Dervishes
        ({"arm": "camelry", "weapon": "breech_rifle", "figures": 10},),
        ({"arm": "cavalry", "kind": "tribal", "figures": 10},),
    ),
    "gate": Meeting(  # in a wall; riders may pass it but not charge through
        ({"arm": "cavalry"},),
        ({"kind": "tribal"},),
        {
            "wall": {
                "kind": "high_wall",
                "name": "Wall",
                "line": [[0, 18], [30, 18]],
                "gates": {"gate": {"at": [15, 18]}},
            }
        },
    ),
}

GUN: Data = {"arm": "artillery", "gun": {"kind": "field", "pieces": 1}}
ROCKET: Data = {"arm": "rocket"}
MAXIM: Data = {"arm": "machine_gun"}
SPEARS: Data = {"kind": "tribal", "close_weapon": "spear"}
RIFLES: Data = {"weapon": "breech_rifle"}
ALL_SIX = ["one", *(f"one_{number}" for number in range(2, 7))]
CREWED = {"extensions.support_weapons": "on"}


def _duel(one: tuple[Data, ...], cm: float, settings: Data, **two: Any) -> Meeting:
    """Troops side by side, with spearmen at the given distance in cm in front of the first."""
    there = 20 + (cm + 5.25) / 2.54  # distance between centres
    own = tuple({**unit, "position": [15 + 8 * n, 20], "orders": "hold"} for n, unit in enumerate(one))
    foe = {**SPEARS, "position": [15, round(there, 2)], "orders": "hold", **two}
    return Meeting(own, (foe,), settings=settings, size=(40, max(60, int(there) + 10)))


RISK_FACTOR = {
    **{f"crews at {cm} cm": _duel((GUN, ROCKET), cm, CREWED) for cm in (62, 124, 245)},
    **{f"maxim at {cm} cm": _duel((MAXIM,), cm, CREWED) for cm in (93, 184)},
    **{
        f"{weapon} at {cm} cm": _duel(({"kind": "european_irregular", "weapon": weapon},), cm, {})
        for weapon, lengths in {"breech_rifle": (184,), "smoothbore_carbine": (15.5, 103), "bow": (62, 103)}.items()
        for cm in lengths
    },
    **{
        f"sling at {cm} cm": _duel(({"kind": "tribal", "weapon": "sling"},), cm, {"weapons.sling": "bow_half"})
        for cm in (15.5, 31.5, 52)
    },
    **{
        f"{weapon} with bayonets": Meeting(
            ({"kind": "european_irregular", "weapon": weapon, "close_weapon": "bayonet", "position": [15, 16]},),
            ({**SPEARS, "figures": 12, "orders": "attack", "position": [15, 19.8]},),
            settings={"weapons.long_arm_melee": melee},
        )
        for weapon, melee in (("breech_carbine", "merged"), ("repeating_carbine", "carbines_2"), ("jezail", "merged"))
    },
    "long skirts": Meeting(
        ({"arm": "civilians", "kind": "civilian", "figures": 6, "orders": "withdraw"},),
        ({**SPEARS, "orders": "attack"},),
        more={"overrides": {"risk_factor": {"units": {"one": {"skirts": "down"}}}}},
    ),
    "into a donga": Meeting(  # from 8 cm behind its lip, at men lying in it
        ({**RIFLES, "position": [20, 15], "orders": "hold"},),
        ({**SPEARS, "position": [20, 21], "orders": "hold"},),
        {"donga": {"kind": "gully", "name": "Donga", "line": [[0, 21], [40, 21]], "width": 4}},
        size=(40, 40),
    ),
    "horse holders": Meeting(
        ({**RIFLES, "arm": "mounted_infantry", "figures": 10},),
        (SPEARS,),
        more={"leaders": {"captain": {"name": "Captain", "side": "one", "rank": "officer", "unit": "one"}}},
    ),
    "a platoon of two arms": Meeting(  # half its squads are missile troops
        ({**RIFLES, "figures": 20, "share": 0.45, "traits": ["formed"]},),
        (SPEARS,),
        more={"leaders": {"captain": {"name": "Captain", "side": "one", "rank": "officer", "unit": "one"}}},
        solo=("one",),
    ),
    "an impi": Meeting(  # its bands make one throw
        ({"kind": "own_led_regular", "close_weapon": "spear", "figures": 40, "orders": "attack"},),
        ({**RIFLES, "orders": "hold"},),
        more={"leaders": {"induna": {"name": "Induna", "side": "one", "rank": "chief", "unit": "one"}}},
        solo=("one",),
    ),
    "a trench": Meeting(
        ({**RIFLES, "position": [15, 12], "orders": "hold"},),
        ({**SPEARS, "orders": "attack"},),
        {"trench": {"kind": "trench", "name": "Trench", "line": [[5, 13], [25, 13]]}},
        solo=("one",),
    ),
    "a keep between": Meeting(
        (RIFLES,),
        ({**SPEARS, "orders": "hold"},),
        {
            "keep": {
                "kind": "building",
                "name": "Keep",
                "area": [[10, 16], [20, 16], [20, 20], [10, 20]],
                "true_fortification": True,
            }
        },
    ),
    "markers": Meeting(
        ({**SPEARS, "hidden": True, "figures": 6}, {**SPEARS, "hidden": True, "figures": 6, "position": [8, 13]}),
        ({**RIFLES, "orders": "hold", "position": [15, 20]},),
        {"bush": {"kind": "scrub", "name": "Bush", "area": [[3, 6], [27, 6], [27, 14], [3, 14]]}},
        more={"hidden": {"one": {"rule": "terrain_edge", "terrain": ["bush"], "dummies": 6}}},
        solo=("one",),
    ),
    "off the table": Meeting(  # within one or two moves, or just short of the edge
        tuple({"arm": "wagon", "figures": 4, "position": [5 + 4 * n, round(9 + 0.4 * n, 1)]} for n in range(6)),
        ({**RIFLES, "position": [15, 27]},),
        more={
            "objectives": {"away": {"kind": "escort", "name": "Away", "units": ALL_SIX, "edge": "south", "by": ["one"]}}
        },
    ),
    "allies who run": Meeting(  # allies with an officer they do not follow
        (
            {**RIFLES, "position": [6, 26]},
            {**RIFLES, "position": [24, 26]},
            *(
                {**SPEARS, "quality": "raw", "figures": 4, "position": [x, 32], "orders": "attack"}
                for x in (11, 15, 19)
            ),
        ),
        tuple(
            {**SPEARS, "quality": "elite", "figures": 12, "orders": "attack", "position": [x, 37]} for x in (10, 15, 20)
        ),
        more={
            "leaders": {
                "captain": {"name": "Captain", "side": "one", "rank": "commander", "hero": True, "position": [15, 22]}
            }
        },
        size=(30, 60),
    ),
    "a press": Meeting(  # routers surrender, and friends come to free them
        (
            *({**SPEARS, "quality": "raw", "figures": 8, "position": [x, 14], "orders": "attack"} for x in (9, 15, 21)),
            {**RIFLES, "quality": "raw", "position": [15, 9]},
        ),
        tuple(
            {**SPEARS, "quality": "elite", "figures": 16, "orders": "attack", "position": [x, y]}
            for x, y in ((9, 18), (15, 18), (21, 18), (25, 12))
        ),
        more={
            "leaders": {
                "captain": {"name": "Captain", "side": "one", "rank": "commander", "position": [15, 11]},
                "chief": {"name": "Chief", "side": "two", "rank": "commander", "unit": "two"},
            }
        },
    ),
}

FOOT: Data = {"weapon": "breech_rifle", "figures": 6}
TRIBESMEN: Data = {"kind": "tribal", "weapon": "bow", "figures": 8}
TAGS = ("animal", "weather", "fortune", "boon", "neutral")


def _led(*sides: str) -> Data:
    return {f"chief_{side}": {"name": f"Chief {side}", "side": side, "rank": "officer", "unit": side} for side in sides}


def _as(profile: str, unit: Data, against: tuple[Data, ...], **more: Any) -> Meeting:
    """Two units of a troop type that no word of a scenario selects."""
    said = {"profiles": {"one": profile, "one_2": profile}}
    own = tuple({**unit, "position": [x, 13]} for x in (12, 18))
    return Meeting(own, against, more={"turns": 10, "overrides": {"afriboria": said}}, **more)


def _fortune(tag: str, one: Data, terrain: Data) -> Meeting:
    """Event cards of one kind only."""
    said = {"event_cards": "on", "without": [other for other in TAGS if other != tag]}
    more = {"turns": 12, "overrides": {"afriboria": said}, "leaders": _led("one", "two")}
    return Meeting((one,), ({**FOOT, "position": [15, 25]},), terrain, more, {"hand_size": 8})


AFRIBORIA = {
    "against aircraft": Meeting(
        (
            {**MAXIM, "figures": 4, "armament": ["anti_aircraft"], "position": [9, 13]},
            {**MAXIM, "figures": 4, "draught": "horse", "position": [21, 13]},
        ),
        (
            {"arm": "aircraft", "figures": 2, "armament": ["machine_gun", "bombs"], "position": [12, 23]},
            {"arm": "aircraft", "figures": 2, "armament": ["machine_gun"], "position": [20, 23]},
            {**FOOT, "position": [15, 26]},
        ),
        more={"turns": 10},
    ),
    "against an airship": Meeting(
        (
            {**MAXIM, "figures": 4, "armament": ["anti_aircraft"], "position": [9, 10]},
            {**MAXIM, "figures": 4, "position": [21, 10]},
            {"arm": "vehicle", "figures": 4, "armament": ["machine_gun"], "position": [15, 6]},
        ),
        (
            *(
                {"arm": "airship", "figures": 2, "armament": ["machine_gun", "bombs"], "position": [x, 26]}
                for x in (6, 15, 24)
            ),
            *({**TRIBESMEN, "position": [x, 28]} for x in (6, 15, 24)),
        ),
        more={"turns": 15},
        plain=True,
    ),
    "anti-aircraft gun on the ground": Meeting(
        ({**MAXIM, "figures": 4, "armament": ["anti_aircraft"]},),
        (TRIBESMEN, {**TRIBESMEN, "position": [20, 23]}),
        more={"turns": 10},
    ),
    "gun on wheels": Meeting(
        ({"arm": "vehicle", "figures": 4, "armament": ["gun"]},),
        (TRIBESMEN, {**TRIBESMEN, "position": [20, 23]}),
        more={"turns": 10},
    ),
    "wagons in a company": Meeting(  # of two colours, as the rules allow
        (
            {**FOOT, "position": [9, 13]},
            {**FOOT, "position": [15, 13]},
            {"arm": "wagon", "figures": 4, "position": [10, 8]},
            {"arm": "vehicle", "figures": 4, "position": [15, 8]},
        ),
        ({**TRIBESMEN, "position": [12, 23]},),
        more={
            "turns": 15,
            "leaders": _led("one"),
            "overrides": {"afriboria": {"colours": {"one": "red", "one_2": "red", "one_3": "blue", "one_4": "blue"}}},
        },
        plain=True,
    ),
    "bearers": Meeting(({"arm": "civilians", "kind": "civilian"},), (FOOT,), more={"turns": 10}),
    "rocket on a hill": Meeting(
        ({**ROCKET, "figures": 4},),
        (TRIBESMEN,),
        {
            "hill": {
                "kind": "hill",
                "name": "Hill",
                "area": [[6, 6], [24, 6], [24, 18], [6, 18]],
                "crest": [[8, 8], [22, 8], [22, 17], [8, 17]],
            }
        },
        more={"turns": 10},
    ),
    "a wood between": Meeting(
        (FOOT,),
        ({**FOOT, "position": [15, 26]},),
        {"wood": {"kind": "dense_wood", "name": "Wood", "area": [[0, 15], [30, 15], [30, 22], [0, 22]]}},
        more={"turns": 10},
    ),
    "some without firearms": Meeting(
        ({**FOOT, "figures": 6, "share": 0.4},),
        (FOOT,),
        more={"turns": 10},
        settings={"partial_firearms_scope": "all"},
    ),
    **{
        f"{profile} for once": _as(profile, {"figures": 6, "weapon": "breech_carbine"}, (TRIBESMEN,))
        for profile in ("cav_a_foot", "cav_b_foot", "cav_c_foot")
    },
    "riders of class C": _as("cav_c", {"arm": "cavalry", "figures": 5, "weapon": "breech_carbine"}, (TRIBESMEN,)),
    "riders who walk": _as(
        "cav_b",
        {"arm": "cavalry", "figures": 5, "weapon": "breech_carbine"},
        (TRIBESMEN,),
        settings={"dismounted_move": "as_infantry"},
    ),
    "a siege": Meeting(
        ({**TRIBESMEN, "position": [15, 9]},),
        (
            *(
                {**GUN, "figures": 4, "gun": {"kind": kind}, "position": [x, 25]}
                for kind, x in (("field", 6), ("mountain", 15), ("siege", 24))
            ),
        ),
        {
            "hut": {
                "kind": "building",
                "name": "Hut",
                "area": [[6, 4], [12, 4], [12, 10], [6, 10]],
                "material": "wood",
            },
            "wall": {
                "kind": "high_wall",
                "name": "Wall",
                "line": [[3, 13], [27, 13]],
                "material": "stone",
                "true_fortification": True,
            },
        },
        more={"turns": 12, "siege": True},
    ),
    **{
        f"ladders on {cm} cm hexes": Meeting(
            ({**TRIBESMEN, "position": [11, 13]}, {**TRIBESMEN, "position": [19, 13]}),
            tuple({**FOOT, "traits": ["ladders"], "position": [x, 18]} for x in (9, 15, 21)),
            {"wall": {"kind": "high_wall", "name": "Wall", "line": [[3, 13], [27, 13]], "material": "adobe"}},
            more={"turns": 12, "siege": True},
            settings={"hex_cm": cm},
        )
        for cm in (10, 15)
    },
    "chiefs in front": Meeting(  # one is a character
        ({**FOOT, "position": [15, 7]},),
        ({**FOOT, "position": [12, 20]}, {**FOOT, "position": [18, 20]}),
        more={
            "turns": 12,
            "leaders": {
                name: {
                    "name": name.title(),
                    "side": "one",
                    "rank": "officer",
                    "position": [x, 15],
                    "non_combatant": x == 20,
                }
                for name, x in (("major", 10), ("colonel", 20))
            },
        },
    ),
    "a long fight": Meeting(  # long enough for a rally
        tuple({**FOOT, "position": [x, 13]} for x in (9, 15, 21)),
        tuple({**FOOT, "position": [x, 23]} for x in (9, 15, 21)),
        more={"turns": 15, "leaders": _led("one", "two"), "overrides": {"afriboria": {"event_cards": "on"}}},
        settings={"hand_size": 8},
    ),
    "crocodiles": _fortune(
        "animal",
        {**FOOT, "position": [15, 12]},
        {"marsh": {"kind": "marsh", "name": "Marsh", "area": [[0, 0], [30, 0], [30, 18], [0, 18]]}},
    ),
    "heat": _fortune("weather", {**FOOT, "position": [15, 3]}, {}),
    "boons": _fortune("boon", {**FOOT, "position": [15, 16]}, {}),
}


def _field(kind: str, **more: Any) -> Data:
    """One piece of ground across the middle."""
    return {kind: {"kind": kind, "name": kind.title(), "area": [[2, 12], [28, 12], [28, 21], [2, 21]], **more}}


CHARGING: Data = {**SPEARS, "figures": 10, "orders": "attack"}
HOLDING: Data = {**RIFLES, "orders": "hold"}
TRENCH: Data = {"trench": {"kind": "trench", "name": "Trench", "line": [[4, 18], [26, 18]]}}

HARDY: Data = {"wounds": {"man": 3}}
FRAIL_ARMS: Data = {
    "hit_location": {
        name: {"from": lowest}
        for lowest, name in enumerate(
            ("leg_light", "groin", "chest_light", "head_light", "arm_heavy", "leg_heavy", "chest_heavy", "head_heavy"), 4
        )
    } | {"bloody_death": {"from": 12}}
}  # fmt: skip
"""A leader hit is a light arm wound on a roll of one to three."""


def _captains(*sides: str, **more: Any) -> Data:
    """Two leaders of each of the given units."""
    return {
        f"{unit}_{rank}": {
            "name": f"The {rank} of {unit}",
            "side": unit.partition("_")[0],
            "rank": rank,
            "unit": unit,
            **more,
        }
        for unit in sides
        for rank in ("officer", "nco")
    }


FIXED_BAYNET = {
    **{
        f"in {kind}": Meeting(({**HOLDING, "position": [15, 13]},), (CHARGING,), _field(kind))
        for kind in ("lake", "cliff", "light_wood", "dense_wood")
    },
    "a trench stormed": Meeting(
        ({**CHARGING, "position": [15, 14]},),
        ({**RIFLES, "close_weapon": "bayonet", "orders": "hold", "position": [15, 18]},),
        TRENCH,
    ),
    "a trench behind": Meeting(
        ({**HOLDING, "position": [15, 12]},), ({**CHARGING, "orders": "hold", "position": [15, 18]},), TRENCH
    ),
    **{
        f"{weapon} in the saddle": Meeting(
            ({"arm": "cavalry", "weapon": weapon, "close_weapon": "sword", "position": [15, 13]},), (CHARGING,)
        )
        for weapon in ("repeating_carbine", "smoothbore_musket", "flintlock_pistol")
    },
    "flintlock pistols": Meeting(
        ({"weapon": "flintlock_pistol", "figures": 12, "position": [15, 14]},),
        ({"weapon": "flintlock_pistol", "figures": 12, "orders": "attack", "position": [15, 19]},),
    ),
    "hand to hand": Meeting(
        tuple({**CHARGING, "position": [x, 14]} for x in (10, 18)),
        tuple({**RIFLES, "close_weapon": "bayonet", "orders": "attack", "position": [x, 18]} for x in (10, 18)),
    ),
    "a light gun at its reach": Meeting(
        ({**GUN, "figures": 4, "gun": {"kind": "light", "pieces": 1}, "orders": "hold", "position": [15, 5]},),
        ({**SPEARS, "figures": 20, "orders": "hold", "position": [15, 71]},),
        size=(30, 90),
    ),
    "shot": Meeting(
        (
            {
                **GUN,
                "figures": 4,
                "gun": {"kind": "field", "pieces": 1, "ammunition": ["shot"]},
                "orders": "hold",
                "position": [15, 5],
            },
        ),
        ({**SPEARS, "figures": 20, "position": [15, 25]},),
    ),
    "a crowd under shells": Meeting(
        ({**GUN, "figures": 4, "gun": {"kind": "siege", "pieces": 1}, "orders": "hold", "position": [15, 5]},),
        ({**SPEARS, "figures": 30, "formation": "mass", "orders": "attack", "position": [15, 27]},),
        settings={"burst_marker": "by_class"},
    ),
    "a tower": Meeting(
        (CHARGING,),
        ({**HOLDING, "figures": 4, "position": [15, 19]},),
        {"tower": {"kind": "building", "name": "Tower", "area": [[13, 17], [17, 17], [17, 21], [13, 21]]}},
        more={"overrides": {"fixed_baynet": {"buildings": {"tower": {"kind": "tower"}}}}},
    ),
    "at night": Meeting(
        (RIFLES,),
        ({**SPEARS, "position": [15, 33]},),
        more={"night": True, "leaders": _led("one", "two")},
        size=(30, 50),
    ),
    "flares": Meeting(
        (RIFLES,),
        ({**SPEARS, "orders": "hold", "position": [15, 42]},),
        more={"night": True, "leaders": _captains("one", flares=6)},
        size=(30, 50),
    ),
    **{
        f"through {kind}": Meeting(
            ({**HOLDING, "position": [15, 9]},),
            ({**HOLDING, "position": [15, 24]},),
            _field(kind),
            settings={"forest_depth_los": 9},
        )
        for kind in ("light_wood", "dense_wood")
    },
    **{
        f"{kind} that can be crossed": Meeting(
            ({**HOLDING, "position": [15, 13]},),
            (CHARGING,),
            _field(kind),
            house={"terrain": {row: {"move": "jagged"} | sight}},
        )
        for kind, row, sight in (("lake", "rapids", {}), ("cliff", "crag", {"blocks_sight": False}))
    },
    **{
        f"{weapon} in wounded hands": Meeting(
            tuple({"weapon": weapon, "figures": 3, "orders": "hold", "position": [x, 13]} for x in (9, 15, 21)),
            tuple({**RIFLES, "figures": 6, "orders": "hold", "position": [x, 22]} for x in (12, 18)),
            more={"leaders": _captains("one", "one_2", "one_3")},
            house=FRAIL_ARMS,
        )
        for weapon in ("repeating_carbine", "smoothbore_musket")
    },
    **{
        f"hardy men with {weapon} and {blade}": Meeting(
            ({"weapon": weapon, "close_weapon": blade, "figures": 10, "orders": "attack", "position": [15, 14]},),
            ({**CHARGING, "position": [15, 18]},),
            house=HARDY,
        )
        for weapon, blade in (("flintlock_pistol", "sword"), ("breech_rifle", "none"))
    },
    "hardy men under round shot": Meeting(
        tuple(
            {
                **GUN,
                "figures": 4,
                "gun": {"kind": kind, "pieces": 2, "ammunition": ["shot"]},
                "orders": "hold",
                "position": [x, 5],
            }
            for kind, x in (("light", 10), ("mountain", 20))
        ),
        ({**SPEARS, "figures": 20, "formation": "mass", "orders": "hold", "position": [15, 23]},),
        house={"wounds": {"man": 4}},
    ),
    **{
        f"a {gun}": Meeting(
            (
                {**GUN, "figures": 6, "gun": {"kind": "field", "pieces": 2}, "orders": "hold", "position": [10, 6]},
                {**MAXIM, "orders": "hold", "position": [22, 6]},
            ),
            (
                {**GUN, "figures": 8, "gun": {"kind": "field", "pieces": 1}, "orders": "hold", "position": [10, 26]},
                {**SPEARS, "figures": 16, "formation": "mass", "orders": "attack", "position": [20, 24]},
            ),
            house={"mapping": {"gun": {"field": gun}}},
        )
        for gun in ("medium_howitzer", "heavy_howitzer", "heavy_gun")
    },
    "a heavy gun at its reach": Meeting(
        ({**GUN, "figures": 4, "gun": {"kind": "field", "pieces": 1}, "orders": "hold", "position": [15, 4]},),
        ({**SPEARS, "figures": 20, "orders": "hold", "position": [15, 186]},),
        size=(30, 200),
        house={"mapping": {"gun": {"field": "heavy_gun"}}},
    ),
    "small shells": Meeting(
        ({**GUN, "figures": 4, "gun": {"kind": "mountain", "pieces": 2}, "orders": "hold", "position": [15, 5]},),
        ({**SPEARS, "figures": 30, "formation": "mass", "orders": "hold", "position": [15, 20]},),
        settings={"burst_marker": "by_class"},
        house={"guns": {"light_howitzer": {"class": "light"}}},
    ),
    "a crowded tower": Meeting(
        (CHARGING,),
        (
            {**HOLDING, "figures": 6, "position": [15, 19], "inside": "tower"},
            {**HOLDING, "figures": 5, "position": [22, 26]},
        ),
        {"tower": {"kind": "building", "name": "Tower", "area": [[13, 17], [17, 17], [17, 21], [13, 21]]}},
        more={"overrides": {"fixed_baynet": {"buildings": {"tower": {"kind": "tower"}}}}},
    ),
    "back to the edges": Meeting(  # men in panic run for the edges
        tuple({**RIFLES, "quality": "raw", "figures": 6, "position": [x, 27]} for x in (10, 20, 30)),
        tuple({**CHARGING, "quality": "raw", "position": [x, 33]} for x in (10, 20, 30)),
        more={"turns": 10},
        size=(40, 60),
        zones=False,
    ),
}

MACHINE: Data = {"figures": 4, "weapon": "breech_rifle"}

PAYCHEST = {
    "machines with guns": Meeting(
        tuple(
            {**MACHINE, "arm": arm, "armament": armament, "position": [x, 10]}
            for arm, armament, x in (
                ("vehicle", ["machine_gun"], 6),
                ("vehicle", ["gun"], 15),
            )
        ),
        (CHARGING,),
    ),
    "fliers": Meeting(
        tuple(
            {
                **MACHINE,
                "figures": 2,
                "arm": arm,
                "armament": ["machine_gun", "machine_gun", "gun"],
                "position": [x, 10],
            }
            for arm, x in (("aircraft", 8), ("airship", 22))
        ),
        (CHARGING,),
    ),
    "a carriage": Meeting(
        ({"arm": "wagon", "figures": 6, **RIFLES}, {**MAXIM, "figures": 4, "position": [9, 13]}),
        (CHARGING,),
        {"road": {"kind": "road", "name": "Road", "line": [[15, 0], [15, 30]], "width": 4}},
        more={"overrides": {"paychest": {"carriages": ["one"]}}},
    ),
    "recruits": Meeting(
        ({**RIFLES, "figures": 6},),
        (CHARGING,),
        more={"overrides": {"paychest": {"profiles": {f"one.{n}": "recruit" for n in range(2, 7)}}}},
    ),
    **{
        f"{rank} in command": Meeting(
            ({**RIFLES, "figures": 14, "kind": kind}, {**RIFLES, "kind": kind, "position": [8, 13]}),
            (CHARGING,),
            more={
                "leaders": _led("one", "two"),
                "overrides": {"paychest": {"ranks": {"one.1": rank}}},
            },
        )
        for kind, ranks in (
            ("european_regular", ("general", "colonel", "major", "captain", "lieutenant", "sergeant", "corporal")),
            ("tribal", ("chief", "sub_chief", "native_general", "leader", "sub_leader", "acting_leader")),
        )
        for rank in ranks
    },
    "shells at their reach": Meeting(
        ({**GUN, "figures": 4, "orders": "hold", "position": [15, 5]},),
        ({**SPEARS, "figures": 20, "orders": "hold", "position": [15, 76]},),
        size=(30, 90),
    ),
    **{
        f"{high} before {low}": Meeting(
            ({**RIFLES, "figures": 6},),
            (CHARGING,),
            more={
                "turns": 1,
                "leaders": _captains("one"),
                "overrides": {"paychest": {"ranks": {"one.1": low, "one.2": high}}},
            },
        )
        for high, low in (("corporal", "acting_leader"), ("acting_corporal", "acting_leader"))
    },
    "exceptional men": Meeting(
        ({**RIFLES, "figures": 6},),
        (CHARGING,),
        more={
            "turns": 1,
            "overrides": {"paychest": {"skills": {"one.2 firearms": 6, "one.3 melee": 6, "one.4 firearms": 0}}},
        },
    ),
    "a large unit": Meeting(({**RIFLES, "figures": 43},), (CHARGING,), more={"turns": 1}),
    **{
        f"a {what} with {aboard} and a chest": Meeting(
            (
                {**RIFLES, "arm": arm, "figures": 1, "position": [15, 10], **armament},
                {**RIFLES, "figures": 1, "position": [15, 12]},
            ),
            ({**CHARGING, "position": [15, 28]},),
            {"road": {"kind": "road", "name": "Road", "line": [[15, 0], [15, 30]], "width": 6}},
            more={
                "objects": {"chest": {"name": "Chest", "kind": "paychest", "heavy": True, "carrier": "one_2"}},
                "overrides": {
                    "paychest": {
                        **({"carriages": ["one"]} if what == "carriage" else {}),
                        **({"armed": {"one": ["machine_gun", "gun"]}} if arm == "wagon" and aboard == "guns" else {}),
                    }
                },
            },
            settings={"flyers": "on"},
        )
        for what, arm in (("wagon", "wagon"), ("carriage", "wagon"), ("tractor", "vehicle"), ("flyer", "airship"))
        for aboard in ("guns", "nothing")
        for armament in [{"armament": ["machine_gun"]} if aboard == "guns" and arm != "wagon" else {}]
    },
    "a herd": Meeting(
        ({**RIFLES, "figures": 4, "position": [15, 4]},),
        ({**CHARGING, "position": [15, 28]},),
        more={
            "objects": {"herd": {"name": "Herd", "kind": "livestock", "count": 5, "carrier": "one"}},
            "objectives": {
                "off": {"kind": "carry_off", "name": "Off", "object": "herd", "edge": "south", "by": ["one"]}
            },
        },
    ),
    "a slight disadvantage": Meeting(  # of a man with his back to the enemy
        tuple({**CHARGING, "position": [x, 14]} for x in (10, 18)),
        tuple({**CHARGING, "quality": "raw", "position": [x, 18]} for x in (10, 18)),
        settings={"back_turned_melee": -1},
    ),
}

FORCES: dict[str, tuple[str, ...]] = {"paychest": ("brigade+native_army", "machine_gun_section+platoon")}
"""Forces to request in addition to those named in the ruleset."""

SITUATIONS: dict[str, tuple[tuple[str, Data, Data], ...]] = {
    "fixed_baynet": (
        (
            "burst",
            {"ds": 4, "formation": "mass", "charging": True},
            {"sign_reading": "literal", "cluster_stack": False},
        ),
        ("burst", {"ds": 4, "crew": True}, {"flak_armour_ds": 2}),
    ),
}
"""Facts of procedures to query under special settings: combinations that random draws rarely produce."""

MEETINGS: dict[str, dict[str, Meeting]] = {
    "afriboria": AFRIBORIA,
    "fixed_baynet": FIXED_BAYNET,
    "paychest": PAYCHEST,
    "risk_factor": RISK_FACTOR,
    "vcc": VCC,
}
