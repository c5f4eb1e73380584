"""Errors in a scenario are all reported at once with their positions, for every kind of error."""

from __future__ import annotations

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from zareba.base.errors import FileError
from zareba.scenario import Scenario, parse_scenario

TRIAL = Path(__file__).with_name("trial.yaml").read_text(encoding="utf-8")

# Errors in single words and values.
VOCABULARY: list[tuple[str, str, list[str]]] = [
    ("turns: 10\n", "", ["1:1: turns: this field is missing; add it"]),
    ("turns: 10", "turns: 0", ["6:1: turns: must be at least 1, got 0"]),
    ("turns: 10\n", "turns: 201\n", ["6:1: turns: must be at most 200, got 201"]),
    ("turns: 10\n", "turns: ten\n", ["6:1: turns: expected a whole number, got 'ten'"]),
    ("turns: 10\n", "turns: 10.5\n", ["6:1: turns: expected a whole number, got 10.5"]),
    ("year: 1880", "year: 1492", ["3:1: year: must be at least 1700, got 1492"]),
    (
        "title: Trial",
        "titel: Trial",
        ["1:1: title: this field is missing; add it", "2:1: titel: unknown field; did you mean 'title'?"],
    ),
    ("title: Trial", "title: ''", ["2:1: title: the text is empty; write something"]),
    ("title: Trial", "title: " + "x" * 81, ["2:1: title: text of 81 characters; shorten it to 80"]),
    ("place: anywhere", "place: 3", ["4:1: place: expected text, got 3"]),
    (
        "id: trial",
        "id: The Trial",
        ["1:1: id: expected an id of lower-case letters, digits and '_' with a letter in it"],
    ),
    (
        "note: Made up for a test.",
        "note: " + "x" * 2001,
        ["5:7: note: text of 2001 characters; shorten it to 2,000"],
    ),
    ("width: 60", "width: 11", ["8:9: table.width: must be at least 12, got 11"]),
    ("depth: 48", "depth: 201", ["8:20: table.depth: must be at most 200, got 201"]),
    (
        "depth: 48",
        "dept: 48",
        [
            "8:1: table.depth: this field is missing; add it",
            "8:20: table.dept: unknown field; did you mean 'depth'?",
        ],
    ),
    ("table: {width: 60, depth: 48}", "table: 60", ["8:1: table: expected a mapping, got 60"]),
    ("kind: hill", "kind: hil", ["10:11: terrain.knoll.kind: 'hil' is not known here; did you mean 'hill'?"]),
    (
        "kind: high_wall",
        "kind: castle_wall",
        ["11:10: terrain.wall.kind: 'castle_wall' is not known here; did you mean"],
    ),
    (
        "material: adobe",
        "material: mud",
        ["12:73: terrain.hut.material: 'mud' is not known here; known: wood, adobe,"],
    ),
    (
        "[30, 30], [20, 30]]",
        "[30, x], [20, 30]]",
        ["10:55: terrain.knoll.area.2.1: expected a number, got 'x'"],
    ),
    (
        "[[20, 20], [30, 20], [30, 30], [20, 30]]",
        "[[20, 20], [30, 20]]",
        ["10:23: terrain.knoll.area: must have at least 3 entries"],
    ),
    ("[[10, 10], [20, 10]]", "[[10, 10]]", ["11:27: terrain.wall.line: must have at least 2 entries"]),
    ("[15, 10]", "[15, -10]", ["11:79: terrain.wall.gates.gate.at.1: must be at least 0, got -10"]),
    ("[15, 10]", "[15]", ["11:70: terrain.wall.gates.gate.at.1: this field is missing; add it"]),
    (
        "home_edge: south",
        "home_edge: sout",
        ["16:5: sides.red.home_edge: 'sout' is not known here; did you mean 'south'?"],
    ),
    (
        "name: Red\n",
        "nam: Red\n",
        [
            "14:3: sides.red.name: this field is missing; add it",
            "15:5: sides.red.nam: unknown field; did you mean 'name'?",
        ],
    ),
    ("arm: cavalry", "arm: calvary", ["23:35: units.horse.arm: 'calvary' is not known here; did you mean"]),
    (
        "kind: native_regular",
        "kind: native",
        ["23:49: units.horse.kind: 'native' is not known here; did you mean"],
    ),
    ("figures: 10", "figures: 0", ["23:71: units.horse.figures: must be at least 1, got 0"]),
    ("figures: 10", "figures: 201", ["23:71: units.horse.figures: must be at most 200, got 201"]),
    ("figures: 10", "figures: '10'", ["23:71: units.horse.figures: expected a whole number, got '10'"]),
    (
        "weapon: breech_rifle",
        "weapon: breach_rifle",
        ["22:85: units.foot.weapon: 'breach_rifle' is not known here; did you mean"],
    ),
    (
        "weapon: breech_rifle",
        "weapon: breech_rifle, traits: [formd]",
        ["22:116: units.foot.traits.0: there is no trait 'formd'; did you mean 'formed'?"],
    ),
    (
        "close_weapon: lance",
        "close_weapn: lance",
        ["23:84: units.horse.close_weapn: unknown field; did you mean 'close_weapon'?"],
    ),
    (
        "kind: field, pieces: 2",
        "kind: feild, pieces: 13",
        [
            "24:91: units.guns.gun.kind: 'feild' is not known here; did you mean",
            "24:104: units.guns.gun.pieces: must be at most 12, got 13",
        ],
    ),
    (
        "rank: commander, unit",
        "rank: comander, unit",
        ["28:39: leaders.colonel.rank: 'comander' is not known here; did you mean"],
    ),
    (
        "kind: carry_off",
        "kind: carryoff",
        ["32:16: objectives.chest_gone.kind: 'carryoff' is not known here; did you"],
    ),
    ("kind: carry_off, ", "", ["32:3: objectives.chest_gone: the field 'kind' is missing; add it"]),
    (
        "edge: north, by",
        "edg: north, by",
        [
            "32:3: objectives.chest_gone.edge: this field is missing; add it",
            "32:61: objectives.chest_gone.edg: unknown field; did you mean 'edge'?",
        ],
    ),
    (
        "kind: paychest",
        "kind: pay_chest",
        ["36:24: objects.chest.kind: 'pay_chest' is not known here; did you mean"],
    ),
    ("dummies: 1", "dummies: one", ["38:28: hidden.blue.dummies: expected a whole number, got 'one'"]),
    ("night: true", "night: yes", ["40:32: events.dusk.night: expected true or false, got 'yes'"]),
    ("  horse:", "  Horse:", ["23:3: units.Horse: expected an id of lower-case letters, digits and '_'"]),
    ("  horse:", "  foot:", ["23:3: units: the key 'foot' is already in line 22; keep one"]),
    (
        "hidden: true",
        "hidden: &h true",
        ["25:109: units.swords.hidden: the anchor '&h' is not supported; remove it"],
    ),
]

# Errors in combinations of words that are valid one by one.
MEANING: list[tuple[str, str, list[str]]] = [
    ("first: red", "first: rde", ["7:1: first: there is no side 'rde'; did you mean 'red'?"]),
    (
        "side: red, arm: cavalry",
        "side: rad, arm: cavalry",
        ["23:24: units.horse.side: there is no side 'rad'; did you mean 'red'?"],
    ),
    (
        "zone: front",
        "zone: frnt",
        ["23:105: units.horse.zone: there is no zone 'frnt'; did you mean 'front'?"],
    ),
    (
        "unit: foot",
        "unit: fot",
        ["28:56: leaders.colonel.unit: there is no unit 'fot'; did you mean 'foot'?"],
    ),
    (
        "side: blue, rank",
        "side: bleu, rank",
        ["29:22: leaders.khan.side: there is no side 'bleu'; did you mean 'blue'?"],
    ),
    (
        "terrain: knoll",
        "terrain: knol",
        ["31:34: objectives.hill.terrain: there is no terrain 'knol'; did you mean"],
    ),
    (
        "object: chest",
        "object: chess",
        ["32:46: objectives.chest_gone.object: there is no object 'chess'; did you"],
    ),
    (
        "by: [red]",
        "by: [reds]",
        ["33:52: objectives.last.by.0: there is no side 'reds'; did you mean 'red'?"],
    ),
    (
        "leader: colonel",
        "leader: colonnel",
        ["34:55: objectives.colonel_down.leader: there is no leader 'colonnel'; did"],
    ),
    (
        "carrier: foot",
        "carrier: feet",
        ["36:40: objects.chest.carrier: there is no unit 'feet'; did you mean 'foot'?"],
    ),
    (
        "  blue: {terrain: [knoll]",
        "  green: {terrain: [knoll]",
        ["38:3: hidden.green: there is no side 'green'; did you mean 'red'?"],
    ),
    (
        "terrain: [knoll]",
        "terrain: [noll]",
        ["38:20: hidden.blue.terrain.0: there is no terrain 'noll'; did you mean"],
    ),
    ("  khan:", "  swords:", ["29:3: leaders.swords: a unit has the id 'swords' too; rename one"]),
    (
        "close_weapon: sword, hidden: true",
        "close_weapon: sword",
        ["38:3: hidden.blue: no unit of this side is hidden; set 'hidden: true' on"],
    ),
    (
        "[30, 30], [20, 30]]",
        "[30, 30], [20, 70]]",
        ["10:60: terrain.knoll.area.3: (20, 70) is off the table of 60 x 48 inches;"],
    ),
    (
        "[[20, 20], [30, 20], [30, 30], [20, 30]]",
        "[[20, 20], [30, 30], [30, 20], [20, 30]]",
        [
            "10:23: terrain.knoll.area: the outline crosses or touches itself; list its",
            "10:86: terrain.knoll.crest: the crest reaches beyond the hill; keep it",
        ],
    ),
    (
        "[[40, 20], [50, 20], [50, 30], [40, 30]]",
        "[[40, 20], [50, 20], [40, 20], [40, 30]]",
        ["12:25: terrain.hut.area: the outline crosses or touches itself; list its"],
    ),
    (
        "[[40, 20], [50, 20], [50, 30], [40, 30]]",
        "[[40, 20], [45, 20], [50, 20]]",
        ["12:25: terrain.hut.area: the outline crosses or touches itself; list its"],
    ),
    (
        "[[5, 40], [55, 40], [55, 47], [5, 47]]",
        "[[5, 40], [55, 40], [55, 49], [5, 47]]",
        ["20:44: sides.blue.deployment.back.2: (55, 49) is off the table of 60 x 48"],
    ),
    ("[25, 28]]", "[25, 31]]", ["10:86: terrain.knoll.crest: the crest reaches beyond the hill; keep it"]),
    (
        "[[10, 10], [20, 10]]",
        "[[10, 10], [10, 10], [20, 10]]",
        ["11:27: terrain.wall.line: a point of the line appears twice in a row; keep"],
    ),
    (
        "at: [15, 10]",
        "at: [15, 14]",
        ["11:70: terrain.wall.gates.gate.at: the gate is 4.0 inches from its wall;"],
    ),
    (
        "kind: hill",
        "kind: marsh",
        [
            "10:72: terrain.knoll.slope: 'slope' does not suit a marsh, only hill;",
            "10:87: terrain.knoll.crest: 'crest' does not suit a marsh, only hill;",
        ],
    ),
    (
        "kind: high_wall",
        "kind: stream",
        ["11:52: terrain.wall.gates: 'gates' does not suit a stream, only fence,"],
    ),
    (
        "line: [[10, 10], [20, 10]]",
        "area: [[10, 10], [20, 10], [20, 11]]",
        [
            "11:10: terrain.wall.kind: a high_wall is a line; give 'line' with at least",
            "11:27: terrain.wall.area: a high_wall is a line; remove 'area'",
        ],
    ),
    ("material: adobe", "width: 3", ["12:73: terrain.hut.width: only a line has a width; remove it"]),
    (
        "kind: building",
        "kind: river",
        [
            "12:9: terrain.hut.kind: a river is a line; give 'line' with at least two",
            "12:22: terrain.hut.area: a river is a line; remove 'area'",
            "12:70: terrain.hut.material: 'material' does not suit a river, only",
        ],
    ),
    (
        "position: [10, 5]",
        "position: [61, 5]",
        ["22:107: units.foot.position: (61, 5) is off the table of 60 x 48 inches;"],
    ),
    (
        "position: [30, 44]",
        "position: [30, 49]",
        ["29:51: leaders.khan.position: (30, 49) is off the table of 60 x 48 inches;"],
    ),
    (
        "zone: front",
        "zone: front, position: [30, 20]",
        ["23:118: units.horse.position: the position lies outside the zone 'front';"],
    ),
    (
        "position: [30, 5]",
        "position: [13, 5]",
        ["24:116: units.guns.position: overlaps 'foot': 3.0 inches apart, they need"],
    ),
    (
        "position: [10, 5]",
        "inside: wall",
        ["22:107: units.foot.inside: 'wall' is a line; give a position on it instead"],
    ),
    (
        "position: [10, 5]",
        "inside: hut, position: [10, 5]",
        ["22:120: units.foot.position: the position lies outside 'hut'; move it or"],
    ),
    (
        "arrival: {turn: 3, edge: north, at: [30, 48]}",
        "arrival: {turn: 3, edge: north}, zone: back",
        ["26:109: units.late.zone: it arrives in turn 3; remove the zone or the"],
    ),
    (
        "    deployment: {back: [[5, 40], [55, 40], [55, 47], [5, 47]]}\n",
        "",
        ["24:3: units.swords: no place to set up: the side blue has no deployment"],
    ),
    (
        "at: [30, 48]",
        "at: [30, 40]",
        ["26:108: units.late.arrival.at: (30, 40) is not on the north edge; move it"],
    ),
    ("turn: 3", "turn: 11", ["26:86: units.late.arrival.turn: turn 11 is after the last turn 10; make it"]),
    (
        "edge: north, at",
        "edge: north, die: 6, at",
        ["26:76: units.late.arrival: 'die' and 'at_least' go together; give both or"],
    ),
    (
        "edge: north, at",
        "edge: north, die: 6, at_least: 7, at",
        ["26:116: units.late.arrival.at_least: a die with 6 faces cannot roll 7; lower"],
    ),
    (
        "unit: foot",
        "unit: swords",
        ["28:56: leaders.colonel.unit: 'swords' is on the side blue; choose a unit"],
    ),
    (
        "unit: foot",
        "unit: foot, position: [10, 5]",
        ["28:68: leaders.colonel.position: the leader is with the unit 'foot'; remove"],
    ),
    (
        "arm: artillery",
        "arm: infantry",
        ["24:84: units.guns.gun: 'gun' does not suit the arm infantry, only"],
    ),
    (", gun: {kind: field, pieces: 2}", "", ["24:33: units.guns.arm: artillery needs guns; add 'gun'"]),
    ("figures: 8", "figures: 1", ["24:73: units.guns.figures: 1 figure cannot serve 2 guns; add men or"]),
    (
        "pieces: 2}",
        "pieces: 2}, close_weapon: lance",
        ["24:116: units.guns.close_weapon: the crew of artillery cannot fight with"],
    ),
    (
        "pieces: 2}",
        "pieces: 2}, mount: horse",
        ["24:116: units.guns.mount: a crew does not ride into action; use 'draught:"],
    ),
    (
        "arm: infantry, kind: european_regular",
        "arm: infantry, kind: european_regular, close_weapon: lance",
        ["22:72: units.foot.close_weapon: a lance needs a mount; give one, or choose"],
    ),
    (
        "weapon: breech_rifle",
        "weapon: bow, close_weapon: bayonet",
        ["22:98: units.foot.close_weapon: a bayonet does not fit on the weapon bow;"],
    ),
    (
        "arm: infantry, kind: european_regular",
        "arm: civilians, kind: european_regular",
        [
            "22:49: units.foot.kind: civilians must be of the kind civilian; people who",
            "22:86: units.foot.weapon: civilians do not carry the weapon breech_rifle;",
        ],
    ),
    (
        "arm: infantry, kind: european_regular, figures: 20, weapon: breech_rifle",
        "arm: civilians, kind: civilian, figures: 20, weapon: magazine_rifle",
        ["22:78: units.foot.weapon: civilians do not carry the weapon"],
    ),
    (
        "close_weapon: lance",
        "close_weapon: lance, formation: square",
        ["23:105: units.horse.formation: only infantry on foot forms square; choose"],
    ),
    (
        "close_weapon: lance",
        "close_weapon: sword, traits: [lancers]",
        ["23:105: units.horse.traits: lancers need the lance; set 'close_weapon:"],
    ),
    (
        "close_weapon: lance",
        "close_weapon: lance, traits: [engineers]",
        ["23:105: units.horse.traits: 'engineers' needs men on foot; remove the trait"],
    ),
    (
        "close_weapon: sword",
        "close_weapon: sword, traits: [volley]",
        ["25:101: units.swords.traits: 'volley' needs a firearm; name the weapon or"],
    ),
    (
        "weapon: breech_rifle",
        "weapon: breech_rifle, traits: [fanatic]",
        ["22:107: units.foot.traits: 'fanatic' does not suit the kind"],
    ),
    (
        "weapon: breech_rifle",
        "weapon: breech_rifle, traits: [formed, formed]",
        ["22:107: units.foot.traits: a trait is listed twice; keep one"],
    ),
    (
        "weapon: breech_rifle",
        "weapon: breech_rifle, armament: [bombs]",
        [
            "22:107: units.foot.armament: 'armament' does not suit the arm infantry,",
            "22:107: units.foot.armament: the arm infantry cannot drop bombs; only",
        ],
    ),
    (
        "weapon: breech_rifle",
        "weapon: breech_rifle, draught: horse",
        ["22:107: units.foot.draught: 'draught' does not suit the arm infantry, only"],
    ),
    (
        "close_weapon: lance",
        "close_weapon: lance, mount: none",
        [
            "23:84: units.horse.close_weapon: a lance needs a mount; give one, or",
            "23:105: units.horse.mount: cavalry without mounts is infantry; change the",
        ],
    ),
    (
        "close_weapon: sword",
        "close_weapon: sword, share: 0.5",
        ["25:101: units.swords.share: 'share' needs a weapon; name the weapon or"],
    ),
    (
        "close_weapon: sword",
        "close_weapon: sword, formation: limbered",
        ["25:101: units.swords.formation: 'limbered' is for artillery, machine_gun"],
    ),
    (
        "close_weapon: sword",
        "close_weapon: sword, strength: 6",
        ["25:101: units.swords.strength: 'strength' does not suit the arm infantry,"],
    ),
    (
        "arm: artillery",
        "arm: machine_gun",
        ["24:87: units.guns.gun: 'gun' does not suit the arm machine_gun, only"],
    ),
    (
        "terrain: knoll}",
        "terrain: knoll, at: [25, 25]}",
        ["31:3: objectives.hill: a place to hold is a point or a piece of terrain;"],
    ),
    (
        "turn: 10, by",
        "turn: 12, by",
        ["33:37: objectives.last.turn: turn 12 is after the last turn 10; make it"],
    ),
    (
        "leader: colonel, by: [blue]",
        "leader: colonel",
        ["34:3: objectives.colonel_down: the side red would score for capturing its own leader;"],
    ),
    (
        "carrier: foot",
        "carrier: foot, position: [10, 5]",
        ["36:3: objects.chest: an object has either a position or a carrier; give"],
    ),
    (
        "arm: infantry, kind: european_regular",
        "arm: aircraft, kind: european_regular",
        ["36:40: objects.chest.carrier: 'foot' flies and cannot carry objects; name a unit on the"],
    ),
    (
        "kind: hold, name: Hill, terrain: knoll",
        "kind: destroy, name: Hill, share: 0.5, units: [swords]",
        ["31:3: objectives.hill: the side blue would score for destroying its own unit 'swords'; name"],
    ),
    (
        "kind: survive, name: Last, turn: 10, by: [red]",
        "kind: survive, name: Last, turn: 10",
        ["33:3: objectives.last: only one side can score by surviving; name it in 'by': red, blue"],
    ),
    (
        "kind: survive, name: Last, turn: 10, by: [red]",
        "kind: survive, name: Last, turn: 10, by: [red, blue], units: [swords]",
        ["33:3: objectives.last: only one side can score by surviving; name it in 'by': red, blue"],
    ),
    (
        "kind: hold, name: Hill, terrain: knoll",
        "kind: escort, name: Hill, units: [foot]",
        ["31:3: objectives.hill: an escort ends at a point or over an edge; give"],
    ),
    (
        (
            "  hill: {kind: hold, name: Hill, terrain: knoll}\n"
            "  chest_gone: {kind: carry_off, name: Chest, object: chest, edge: north, by: [blue]}\n"
            "  last: {kind: survive, name: Last, turn: 10, by: [red]}\n"
        ),
        "",
        ["14:3: sides.red: this side has no way to win; give it an objective or a"],
    ),
    (
        "night: true",
        "die: 6",
        [
            "40:3: events.dusk: 'die' and 'at_least' go together; give both or neither",
            "40:3: events.dusk: the event changes nothing; set 'night' or 'fog'",
        ],
    ),
    ("turn: 8", "turn: 11", ["40:10: events.dusk.turn: turn 11 is after the last turn 10; make it earlier"]),
    (
        "side: blue",
        "side: red",
        [
            "18:3: sides.blue: this side has no units; give it some",
            "38:3: hidden.blue: no unit of this side is hidden; set 'hidden: true' on",
        ],
    ),
]


def problems(text: str) -> list[str]:
    """Return the problems of a scenario as `line:column: path: message`; an empty list if it is valid."""
    try:
        parse_scenario(text, "f")
    except FileError as error:
        return [str(problem).removeprefix("f:") for problem in error.problems]
    return []


def test_the_trial_scenario_is_sound() -> None:
    assert problems(TRIAL) == []
    assert len(VOCABULARY) + len(MEANING) >= 60


@pytest.mark.parametrize(("old", "new", "expected"), VOCABULARY + MEANING)
def test_faults_are_told_with_place_and_remedy(old: str, new: str, expected: list[str]) -> None:
    assert old in TRIAL
    found = problems(TRIAL.replace(old, new))
    assert len(found) == len(expected), found
    for problem, start in zip(found, expected, strict=True):
        assert problem.startswith(start)


def test_faults_in_many_places_are_told_at_once() -> None:
    text = TRIAL
    for old, new in (
        ("first: red", "first: rde"),
        ("zone: front", "zone: frnt"),
        ("terrain: knoll", "terrain: knol"),
        ("position: [30, 44]", "position: [30, 49]"),
        ("pieces: 2}", "pieces: 2}, close_weapon: lance"),
        ("turn: 8", "turn: 11"),
    ):
        text = text.replace(old, new)
    assert [problem.split(":")[0] for problem in problems(text)] == ["7", "23", "24", "29", "31", "40"]


LINE = "first: {name: L, side: blue, arm: infantry, kind: european_regular, figures: 24, position: [30, 20], facing: north}"
HORSE = "  horse_behind: {name: H, side: blue, arm: cavalry, kind: european_regular, figures: 24, position: [%s], facing: north}"


@pytest.mark.parametrize(
    ("first", "second", "place", "fine"),
    [
        ("", "", "30, 14.1", True),  # cavalry 5.9 inches behind a line of 24
        ("", "", "30, 16.9", True),
        ("", "", "30, 17.5", False),
        ("", "", "30, 20", False),
        ("", "", "24, 20", False),  # next to it
        ("", "", "23.3, 20", True),
        (", formation: column", "", "30, 15.5", False),
        (", formation: column", ", formation: column", "25.9, 20", True),
        ("facing: east", "facing: east", "24.1, 20", True),
        ("facing: east", "facing: east", "30, 14.1", False),
        ("", "facing: west", "30, 14.1", False),
        ("facing: north_east", "facing: north_east", "26, 16", True),
        ("facing: north_east", "facing: north_east", "26, 24", False),
    ],
)
def test_units_overlap_by_their_frontage_and_depth(first: str, second: str, place: str, fine: bool) -> None:
    units = [LINE, HORSE % place]
    for index, words in enumerate((first, second)):
        if words.startswith("facing"):
            units[index] = units[index].replace("facing: north", words)
        else:
            units[index] = units[index].replace("}", f"{words}}}")
    found = problems(TRIAL.replace("units:\n", "units:\n  " + "\n".join(units) + "\n", 1))
    assert [one for one in found if "overlaps 'first'" in one] == found
    assert (found == []) is fine


def test_units_with_no_facing_overlap_only_if_they_do_so_whichever_way_they_face() -> None:
    text = TRIAL.replace("home_edge: south, ", "").replace("units:\n", f"units:\n  {LINE}\n{HORSE % '30, 14.1'}\n", 1)
    assert problems(text.replace(", facing: north", "")) == []


def test_a_battle_without_objectives_is_won_by_strength() -> None:
    start = TRIAL.index("objectives:\n")
    end = next(index for index in range(start + 1, len(TRIAL)) if TRIAL[index - 1] == "\n" and TRIAL[index].isalpha())
    assert problems(TRIAL[:start] + TRIAL[end:]) == []


def test_a_zone_can_be_too_crowded() -> None:
    text = TRIAL.replace("[[5, 40], [55, 40], [55, 47], [5, 47]]", "[[5, 40], [8, 40], [8, 43], [5, 43]]")
    assert problems(text) == []
    text = text.replace("arrival: {turn: 3, edge: north, at: [30, 48]}", "zone: back")
    assert problems(text) == [
        "26:3: units.late: there is no room left for it in its zone; enlarge the zone or move units"
    ]


def many_units(count: int) -> str:
    """Return the trial scenario with `count` units; the added units arrive later."""
    unit = "{name: M, side: blue, arm: infantry, kind: tribal, figures: 1, arrival: {turn: 2, edge: west}}"
    more = "".join(f"  more_{i}: {unit}\n" for i in range(count - 5))
    return TRIAL.replace("leaders:\n", f"{more}leaders:\n", 1)


def test_limits_hold_at_their_border() -> None:
    assert problems(many_units(200)) == []
    assert problems(many_units(201)) == ["21:1: units: must have at most 200 entries"]
    for old, new in (
        ("turns: 10\n", "turns: 200\n"),
        ("title: Trial", "title: " + "x" * 80),
        ("note: Made up for a test.", "note: " + "x" * 2000),
        ("figures: 10", "figures: 200"),
        ("table: {width: 60, depth: 48}", "table: {width: 200, depth: 48}"),
    ):
        assert problems(TRIAL.replace(old, new)) == []


def terrain_of(points: int) -> str:
    """Return the trial scenario with `points` points of terrain in total."""
    corners = ", ".join("[35, 35]" if i % 2 else "[36, 36]" for i in range(100))
    last = ", ".join("[35, 35]" if i % 2 else "[36, 36]" for i in range((points - 10) % 100))
    roads = "".join(f"  road_{i}: {{kind: road, line: [{corners}]}}\n" for i in range((points - 10) // 100))
    return TRIAL.replace("sides:\n", f"{roads}  road: {{kind: road, line: [{last}]}}\nsides:\n", 1)


def test_terrain_has_a_limit_of_points_in_all() -> None:
    assert problems(terrain_of(1000)) == []
    assert problems(terrain_of(1001)) == ["9:1: terrain: 1001 points in all; simplify the outlines to 1,000 or fewer"]


tokens = st.sampled_from(
    [
        *"[]{}:,-#&*!|>%@`'\"\n\t 0",
        "red",
        "foot",
        "null",
        "-1",
        "1e9",
        ".nan",
        "  ",
        "\x00",
        "[[",
        "knoll",
        "é",
        "true",
    ]
)


@settings(max_examples=150, deadline=None)
@given(
    st.lists(
        st.tuples(st.integers(0, len(TRIAL)), st.integers(0, 30), st.lists(tokens, max_size=4).map("".join)),
        min_size=1,
        max_size=4,
    )
)
def test_a_spoilt_file_is_read_or_refused(spoils: list[tuple[int, int, str]]) -> None:
    text = TRIAL
    for start, length, new in spoils:
        text = text[:start] + new + text[start + length :]
    try:
        scenario = parse_scenario(text, "f")
    except FileError as error:
        assert error.problems
        assert all(problem.file == "f" and problem.line >= 1 for problem in error.problems)
    else:
        assert isinstance(scenario, Scenario)


@settings(max_examples=100, deadline=None)
@given(st.data())
def test_swapped_values_are_read_or_refused(data: st.DataObject) -> None:
    """Words that are valid elsewhere pass the vocabulary and reach the later checks."""
    words = sorted(set(TRIAL.replace(",", " ").replace("{", " ").replace("}", " ").split()))
    text = TRIAL
    for _ in range(data.draw(st.integers(1, 3))):
        text = text.replace(data.draw(st.sampled_from(words)), data.draw(st.sampled_from(words)), 1)
    assert all(problem[0].isdigit() for problem in problems(text))
