"""Forces of an evening typed as a list, one unit a line: `12 rifles, veteran, Lt Ashby`."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from difflib import get_close_matches
from typing import Any, NamedTuple, get_args

from zareba.authoring.scenario_yaml import id_of, scenario_text
from zareba.base.errors import ZarebaError, nearest
from zareba.base.grammar import amount, in_a_sentence
from zareba.scenario import Scenario
from zareba.scenario.load import parse_scenario
from zareba.scenario.model import MAX_FIGURES, MAX_TURNS
from zareba.scenario.vocabulary import TRAITS, Kind, Quality

WIDTH, DEPTH, ZONE = 120, 96, 24
"""The table of a list in inches. Positions on it mean nothing; it only has to hold both sides."""
CREW = 5
"""The figures that serve one gun, unless the list or the ruleset says how many."""

_GUNS = {"light gun": "light", "mountain gun": "mountain", "field gun": "field", "gun": "field", "siege gun": "siege"}

TROOPS: Mapping[str, Mapping[str, Any]] = {
    "rifles": {"weapon": "breech_rifle", "close_weapon": "bayonet"},
    "riflemen": {"weapon": "breech_rifle", "close_weapon": "bayonet"},
    "infantry": {"weapon": "breech_rifle", "close_weapon": "bayonet"},
    "magazine rifles": {"weapon": "magazine_rifle", "close_weapon": "bayonet"},
    "muskets": {"weapon": "smoothbore_musket", "close_weapon": "sword"},
    "rifled muskets": {"weapon": "rifled_musket", "close_weapon": "bayonet"},
    "jezails": {"weapon": "jezail", "close_weapon": "knife"},
    "bows": {"weapon": "bow", "close_weapon": "sword"},
    "archers": {"weapon": "bow", "close_weapon": "sword"},
    "spears": {"weapon": "throwing_spear", "close_weapon": "spear"},
    "spearmen": {"weapon": "throwing_spear", "close_weapon": "spear"},
    "warriors": {"weapon": "throwing_spear", "close_weapon": "spear"},
    "swords": {"close_weapon": "sword"},
    "swordsmen": {"close_weapon": "sword"},
    "cavalry": {"arm": "cavalry", "close_weapon": "sword"},
    "horsemen": {"arm": "cavalry", "close_weapon": "sword"},
    "lancers": {"arm": "cavalry", "close_weapon": "lance", "traits": ["lancers"]},
    "camelry": {"arm": "camelry", "close_weapon": "sword"},
    "camel corps": {"arm": "camelry", "weapon": "breech_rifle", "close_weapon": "bayonet"},
    "mounted infantry": {"arm": "mounted_infantry", "weapon": "breech_carbine"},
    "mounted rifles": {"arm": "mounted_infantry", "weapon": "breech_carbine"},
    "machine gun": {"arm": "machine_gun"},
    "rocket": {"arm": "rocket"},
    "wagon": {"arm": "wagon"},
    "civilians": {"arm": "civilians", "kind": "civilian"},
    **{name: {"arm": "artillery", "gun": {"kind": kind}} for name, kind in _GUNS.items()},
}
"""The troops that a line may name, as entries of a scenario."""

_CREWED = ("artillery", "machine_gun", "rocket", "wagon")

_KINDS = {
    "regulars": "european_regular",
    "irregulars": "european_irregular",
    "natives": "tribal",
    "tribesmen": "tribal",
}
_SINGULAR_KINDS = {"irregular": "european_irregular", "native": "tribal", "tribal": "tribal"}
_MEN = ("men", "soldiers", "troops", "figures")
"""Words for any troops, as in `10 men with rifles`."""
_DESCRIPTIONS = {
    **{name: {"quality": name} for name in get_args(Quality)},
    **{f"{name}s": {"quality": name} for name in ("veteran", "elite")},
    **{name: {"kind": kind} for name, kind in (*_KINDS.items(), *_SINGULAR_KINDS.items())},
    **{name: {} for name in _MEN},
    "fanatic": {"traits": ["fanatic"]},
}
"""The words that may stand before the troops of a line or before `with`, with what each says about the unit."""
_BODIES = (
    "army band banner battalion battery brigade buffs cavalry company contingent corps detachment dragoons foot "
    "fusiliers grenadiers guard guards guides gurkhas highlanders horse hussars impi infantry jagers lancers legion "
    "levy light marines militia pioneers platoon police rangers regiment rifles sappers scouts section sepoys sikhs "
    "sowars spahis squadron tirailleurs troop troopers uhlans volunteers warband yeomanry zouaves"
)
"""The last words of names of units, such as `Fusiliers` and `Camel Corps`."""
_TITLES = (
    "adjutant admiral agha aide amir bey bimbashi brigadier capitaine captain capt chief chieftain col colonel "
    "commandant commander commodore corporal cpl duke earl effendi emir ensign field-cornet gen general governor "
    "hauptmann havildar headman hero induna inkosi jemadar kaid khan king lady leutnant lieutenant lieutenant-colonel "
    "lord lt ltn maj major marshal miss mr mrs mullah naik nco oberst officer pasha prince princess private queen rajah "
    "ras rev reverend risaldar sergeant sergeant-major sgt shaikh sheikh sheik sir subadar subaltern subedar sultan "
    "veldkornet"
)
"""Words that make a name that of a leader, such as `Lt Ashby` and `Osman Pasha`."""
_NAMED = re.compile(r"(named|called)\b\s*(.*)", re.IGNORECASE)
_LED_BY = re.compile(r"(led by|leader)\b:?\s*(.*)", re.IGNORECASE)
_WITH = re.compile(r"(.*?)\bwith\b\s*(?:an? )?(.*)", re.IGNORECASE)
_BY_SIDE = ("european_regular", "tribal")
"""The kind of troops of the first and of the second side, unless a line says otherwise."""
_LINE = re.compile(r"(?:(\d+)\s*x?\s+)?(.+)")
_TURN = re.compile(r"(?:from )?turn ([1-9]\d?)(?: on ([1-6])\+)?")
_FIGURES = re.compile(r"(\d+) (?:figures|men|crew|gunners)")
_LIMIT = re.compile(r"(\d+) turns?|turns:? (\d+)", re.IGNORECASE)
_TURNS = 10
"""The turn limit of a list that names none."""

EXAMPLE = """\
8 turns
The column:
commander Colonel Wood
12 rifles, veteran, Lt Ashby
12 rifles
8 lancers
1 field gun
The impi:
24 spears, elite
24 spears
16 muskets, raw, turn 3 on 4+"""


class _Troops(NamedTuple):
    """The troops of a line: their word in `TROOPS`, the name of the unit before them ("" if none), and its entry."""

    key: str
    name: str
    default_name: str
    entry: Mapping[str, Any]


class _Found(NamedTuple):
    """A word of `TROOPS` at the end of some words, and where it begins."""

    key: str
    start: int


class _Side(NamedTuple):
    name: str
    units: dict[str, dict[str, Any]]
    leaders: dict[str, dict[str, Any]]


def scenario_of_list(text: str, crew: Mapping[str, int] = {}) -> Scenario:
    """Return a scenario with the forces of a list: two sides, each a line that ends with a colon, and their units.

    A unit is a number, the troops, and after commas: a quality, a kind or trait, the turn of its arrival, its name, and
    its leader. `regulars with rifles` names troops, too. A line such as "6 turns" says when the battle ends. `crew`
    tells how many figures serve a gun of each arm, unless the list does. Raises ZarebaError with the number of the line
    that cannot be read.
    """
    sides, turns = _read_list(text, crew)
    if wrong := _wrong_sides(sides):
        raise ZarebaError(f"{wrong}; a list needs two sides with units, for example:\n{EXAMPLE}")
    return _scenario(sides, turns)


def check_list(text: str, crew: Mapping[str, int] = {}) -> None:
    """Check the lines of a list that may go on. Raises ZarebaError with the number of the line that cannot be read."""
    _read_list(text, crew)


def _read_list(text: str, crew: Mapping[str, int]) -> tuple[list[_Side], int]:
    """Return the sides of a list and the turns of the battle."""
    sides: list[_Side] = []
    turns = _TURNS
    for number, line in enumerate(text.splitlines(), start=1):
        words = line.partition("#")[0].strip()
        if not words:
            continue
        try:
            if limit := _LIMIT.fullmatch(words):
                turns = int(limit[1] or limit[2])
                if not turns:
                    raise ZarebaError("a battle has at least one turn")
                if turns > MAX_TURNS:
                    raise ZarebaError(f"a battle has at most {MAX_TURNS} turns, not {turns}")
            elif words.endswith(":"):
                sides.append(_Side(_new_side(words[:-1].strip(), sides), {}, {}))
            elif not sides:
                raise ZarebaError(
                    "begin with the name of a side and a colon on a line of their own, such as 'The column:'"
                )
            else:
                _read_line(sides, words, crew)
        except ZarebaError as error:
            raise ZarebaError(f"line {number}: {error}") from error
    return sides, turns


def _new_side(name: str, sides: Sequence[_Side]) -> str:
    """Return the name of a further side. Raises ZarebaError if another side has it."""
    if not name:
        raise ZarebaError("write the name of a side before the colon, such as 'The column:'")
    if name.lower() in [side.name.lower() for side in sides]:
        raise ZarebaError(f"there is a side '{name}' already; write all units of a side below its name")
    return name


def _wrong_sides(sides: Sequence[_Side]) -> str:
    """Return what is wrong with the sides of a list, "" if nothing is."""
    if len(sides) != 2:
        names = f" ({', '.join(side.name for side in sides)})" if sides else ""
        return f"the list names {amount(len(sides), 'side')}{names}" if sides else "the list is empty"
    return next((f"'{side.name}' has no units" for side in sides if not side.units), "")


def _read_line(sides: Sequence[_Side], line: str, crew: Mapping[str, int]) -> None:
    """Add the unit or commander of a line to the last side."""
    side = sides[-1]
    if line.lower() == "commander":
        raise ZarebaError("write the name of the commander, such as 'commander Colonel Wood'")
    if line.lower().startswith("commander "):
        _add(side.leaders, line[len("commander ") :], {"rank": "commander"}, sides)
        return
    first, *parts = [part.strip() for part in line.split(",")]
    found = _LINE.fullmatch(first)
    assert found is not None, "every text that is not empty fits"
    number, troops = int(found[1] or 1), _described_troops(found[2])
    unit: dict[str, Any] = {"arm": "infantry", "kind": _BY_SIDE[len(sides) > 1], "figures": number, **troops.entry}
    crewed = unit["arm"] in _CREWED
    if crewed:
        unit["figures"] = crew.get(unit["arm"], CREW) * number
    if "gun" in unit:
        unit["gun"] = {**unit["gun"], "pieces": number}
    named = [part for part in parts if part and not _read_part(unit, part)]
    if not found[1] and not crewed and not any(_FIGURES.fullmatch(part.lower()) for part in parts):
        raise ZarebaError(
            f"'{first}' has no number of figures; write it first, such as '{_number_first(first, troops.key)}'"
        )
    name, leader = _names(troops.name, named)
    if not 1 <= unit["figures"] <= MAX_FIGURES:
        raise ZarebaError(f"a unit has 1 to {MAX_FIGURES} figures, not {unit['figures']}")
    key = _add(side.units, name or troops.default_name, unit, sides)
    if leader:
        _add(side.leaders, leader, {"rank": "officer", "unit": key}, sides)


def _number_first(line: str, troops: str) -> str:
    """Return a line with its number in front: "12 Sikhs rifles" for "Sikhs 12 rifles". Without a number in its middle,
    return an example with these troops.
    """
    found = re.fullmatch(r"(\D*[^\W\d])\W+(\d+)\s*x?\s+(\S.*)", line)
    if found is None:
        return f"12 {troops}"
    name, number, rest = found.groups()
    return f"{number} {rest}, named {name}" if " " in rest else f"{number} {name} {rest}"


def _names(given: str, parts: Sequence[str]) -> tuple[str, str]:
    """Return the name of a unit and that of its leader, each "" if the line gives none.

    `given` is the name before the troops, and `parts` are the parts after them that say nothing else about the unit.
    """
    units: list[str] = []
    leaders: list[str] = []
    unclear: list[str] = []
    for part in parts:
        if found := _NAMED.fullmatch(part) or _LED_BY.fullmatch(part):
            if not found[2]:
                example = "named Fusiliers" if _NAMED.fullmatch(part) else "led by Lt Ashby"
                raise ZarebaError(f"write the name after '{found[1]}', such as '{example}'")
            (units if _NAMED.fullmatch(part) else leaders).append(found[2])
        elif _is_unit_name(part):
            units.append(part[0].upper() + part[1:])
        elif not part[0].isupper():
            raise ZarebaError(_unknown(part, [*get_args(Quality), *_KINDS, *TRAITS]))
        else:
            (leaders if _has_title(part) else unclear).append(part)
    if len(unclear) == 1:
        name = unclear[0]
        if leaders and not (given or units):
            units.append(name)
        elif not leaders and not (given or units) and (" " in name or re.search("[^s]s$", name)):
            raise ZarebaError(f"'{name}' may be the unit or its leader; write 'named {name}' or 'led by {name}'")
        else:
            leaders.append(name)
    else:
        leaders += unclear
    if len(leaders) > 1:
        raise ZarebaError(f"'{leaders[1]}' is neither a quality nor a kind, trait or turn; a unit has one leader")
    names = [*([given] if given else []), *units]
    if len(names) > 1:
        raise ZarebaError(
            f"'{names[0]}' and '{names[1]}' are two names of one unit; write one, or 'led by {names[1]}' for its leader"
        )
    return next(iter(names), ""), next(iter(leaders), "")


def _is_unit_name(name: str) -> bool:
    """Return True if a name is clearly that of a unit: `Fusiliers`, `the Buffs`, `24th Foot`."""
    words = name.lower().split()
    return words[-1] in _BODIES.split() or words[0] == "the" or re.match(r"\d+(st|nd|rd|th)\b", words[0]) is not None


def _has_title(name: str) -> bool:
    titles = _TITLES.split()
    return any(word.strip(".") in titles for word in name.lower().split())


def _described_troops(words: str) -> _Troops:
    """Return the troops that some words describe.

    The words are troops, with a description or a name before them, such as `veteran rifles` and `Black Watch rifles`,
    or men `with` a weapon.
    """
    if armed := _WITH.fullmatch(words):
        return _armed_troops(armed[1].strip(), armed[2].strip())
    troops, before = _troops(words)
    name, described = _description(before)
    return _Troops(troops, name, words.capitalize(), _with_description(TROOPS[troops], described))


def _armed_troops(men: str, armed: str) -> _Troops:
    """Return the troops that are men with a weapon: `regulars with rifles`, `horsemen with rifles`."""
    if not armed:
        raise ZarebaError(f"write a weapon or troops after 'with', such as '12 {men or 'regulars'} with rifles'")
    weapons, more = _troops(armed)
    if more:
        raise ZarebaError(_unknown(armed, TROOPS))
    entry = TROOPS[weapons]
    if entry.get("arm") in _CREWED:
        raise ZarebaError("write a gun or wagon and its crew as '1 field gun, 8 crew'")
    before, troops = men, _troops_at_end(men)
    if troops is not None:
        before, own = men[: troops.start].strip(), TROOPS[troops.key]
        if own.get("arm") in _CREWED:
            raise ZarebaError(f"a {troops.key} carries no {weapons}; give the {weapons} a line of their own")
        mounted = {key: own[key] for key in ("arm", "close_weapon") if "arm" in own and key in own}
        entry = {**own, **entry, **mounted}
    if all(word in _DESCRIPTIONS for word in before.lower().split()):
        before = before.lower()  # `Regulars with rifles` begins with a description, in spite of the capital letter
    name, described = _description(before)
    return _Troops(weapons, name, (men or weapons).capitalize(), _with_description(entry, described))


def _description(words: str) -> tuple[str, dict[str, Any]]:
    """Return the name that words before the troops give a unit, and what they say about it.

    A word with a capital letter belongs to the name, as in `Native Guides`.
    """
    before = words.split()
    described: dict[str, Any] = {}
    while before and before[0] in _DESCRIPTIONS:
        described |= _DESCRIPTIONS[before.pop(0)]
    if before and before[0].islower() and (guess := get_close_matches(before[0], _DESCRIPTIONS, n=1, cutoff=0.8)):
        raise ZarebaError(f"'{before[0]}' is not known; did you mean '{guess[0]}'?")
    return " ".join(before), described


def _with_description(entry: Mapping[str, Any], described: Mapping[str, Any]) -> dict[str, Any]:
    """Return the entry of troops with what a description adds; traits are added to those of the troops."""
    found = {**entry, **described}
    traits = [*entry.get("traits", ()), *described.get("traits", ())]
    return {**found, "traits": traits} if traits else found


def _troops_at_end(words: str) -> _Found | None:
    """Return the troops with which some words end, None if there are none."""
    for troops in sorted(TROOPS, key=len, reverse=True):
        found = re.search(rf"\b{troops.removesuffix('s')}s?$", words.lower())
        if found is not None:
            return _Found(troops, found.start())
    return None


def _troops(words: str) -> tuple[str, str]:
    """Return the troops that some words name, and the words before them."""
    if found := _troops_at_end(words):
        own = words[: found.start].strip()
        if own and not any(letter.isalpha() for letter in own):
            raise ZarebaError(f"'{own}' is not a number of figures; write a whole number, such as '12 {found.key}'")
        return found.key, own
    last = words.lower().split()[-1]
    if all(word in _DESCRIPTIONS for word in words.lower().split()):
        raise ZarebaError(f"'{words}' names no weapon; write one, such as '12 {words.lower()} with rifles'")
    if last in (*get_args(Quality), *_KINDS, *TRAITS):
        raise ZarebaError(f"'{words}' is not known; write a comma before '{last}'")
    raise ZarebaError(_unknown(words, TROOPS))


def _read_part(unit: dict[str, Any], part: str) -> bool:
    """Add a part of a line to a unit; return False if it is neither a quality nor a kind, trait, size or turn."""
    word = part.lower()
    if word in get_args(Quality):
        unit["quality"] = word
    elif word.replace(" ", "_") in get_args(Kind):
        unit["kind"] = word.replace(" ", "_")
    elif word in _KINDS:
        unit["kind"] = _KINDS[word]
    elif word.replace(" ", "_") in TRAITS:
        unit["traits"] = [*unit.get("traits", ()), word.replace(" ", "_")]
    elif size := _FIGURES.fullmatch(word):
        unit["figures"] = int(size[1])
    elif turn := _TURN.fullmatch(word):
        unit["arrival"] = {"turn": int(turn[1])}
        if turn[2]:
            unit["arrival"] |= {"die": 6, "at_least": int(turn[2])}
    elif word.startswith(("turn ", "from turn ")):
        raise ZarebaError(f"'{part}' is not a turn of arrival; write one such as 'turn 3' or 'turn 3 on 4+'")
    else:
        return False
    return True


def _add(entries: dict[str, dict[str, Any]], name: str, entry: dict[str, Any], sides: Sequence[_Side]) -> str:
    """Add an entry under an id and a name that no other has; return the id."""
    taken = {key for side in sides for group in (side.units, side.leaders) for key in group}
    names = {entry["name"] for side in sides for group in (side.units, side.leaders) for entry in group.values()}
    number, own, key = 1, name, id_of(name)
    while own in names or key in taken:
        number += 1
        own, key = f"{name} {number}", id_of(f"{name} {number}")
    entries[key] = {"name": own, **entry}
    return key


def _unknown(word: str, known: Sequence[str] | Mapping[str, Any]) -> str:
    guess = nearest(word.lower(), known)
    return f"'{word}' is not known; {f'did you mean {guess!r}?' if guess else 'known: ' + ', '.join(known)}"


_TYPED_LIST = "list"
"""The id of a battle whose forces were typed. Its table has no map, so that no edge of it is the north edge."""


def edge_phrase(scenario: Scenario, edge: str) -> str:
    """Return a table edge in words. Without a map it is the edge behind a side, or left or right of the first side."""
    if scenario.id != _TYPED_LIST:
        return f"the {edge} edge"
    for side in scenario.sides.values():
        if side.home_edge == edge:
            return f"the table edge behind {in_a_sentence(side.name)}"
    first = next(iter(scenario.sides.values()))
    return f"the table edge to the {'left' if edge == 'west' else 'right'} of {in_a_sentence(first.name)}"


def _scenario(sides: Sequence[_Side], turns: int) -> Scenario:
    ends = (("south", 0, ZONE), ("north", DEPTH - ZONE, DEPTH))
    ids = [id_of(re.sub("(?i)^the ", "", side.name)) for side in sides]
    if len({*ids, "open", "dice"}) < len(ids) + 2:
        ids = [f"{unit}_{number}" for number, unit in enumerate(ids, start=1)]
    data: dict[str, Any] = {
        "id": _TYPED_LIST,
        "title": f"{sides[0].name} against {sides[1].name}",
        "year": 1880,
        "place": "a real table",
        "note": "Forces typed as a list.",
        "turns": turns,
        "first": "open",
        "table": {"width": WIDTH, "depth": DEPTH},
        "sides": {},
        "units": {},
        "leaders": {},
    }
    for key, side, (edge, low, high) in zip(ids, sides, ends, strict=True):
        zone = [[0, low], [WIDTH, low], [WIDTH, high], [0, high]]
        data["sides"][key] = {"name": side.name, "home_edge": edge, "deployment": {edge: zone}}
        for unit, entry in side.units.items():
            arrival = {"arrival": {**entry["arrival"], "edge": edge}} if "arrival" in entry else {}
            data["units"][unit] = {"side": key, **entry, **arrival}
        data["leaders"] |= {leader: {"side": key, **entry} for leader, entry in side.leaders.items()}
    return parse_scenario(scenario_text(data, "Forces typed as a list."), _TYPED_LIST)
