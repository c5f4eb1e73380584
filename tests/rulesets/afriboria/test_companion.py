"""An evening of Afriboria at a real table, worked out by hand beforehand.

Each line of the evening is what people type. Above it stands the result by the rulebook. Faces of the battle die:
6 A-hit, 5 A/B-hit, 4 A/B/C-hit, 3 crossed sabres, 2 shield, 1 flag (AFR-008).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.companion_games import limit_odds, typed

from zareba.companion import AskFact, Evening, Finished, Form, Scene, Throw, crew_of, new_evening, scenario_of_list
from zareba.registry import find_house_rule
from zareba.scenario import load_scenario
from zareba.table import Choose, Event, Roll
from zareba_rulesets.afriboria.companion.real_table import table_of
from zareba_rulesets.afriboria.forces.battle import Battle

# Colours are dealt red, blue, green over the units of a side (AFR-015). Rifles are A-class, elite spears B-class, other
# spears and muskets C-class, lancers A-class, horsemen B-class. Only the muskets of the impi fire at a distance.
FORCES = """\
The column:
commander Colonel Wood
6 Alpha rifles, Lt Ashby
6 Bravo rifles
6 Charlie rifles
5 Delta lancers
1 field gun
1 machine gun
6 Reserve rifles, turn 2 on 4+
The impi:
commander Chief Mehlo
8 Lions spears
8 Hawks spears, elite
8 Snakes spears
8 Marks muskets
8 Storks spears
5 Riders horsemen
"""


KEEP = (
    "keep: {name: Keep, kind: building, material: stone, true_fortification: true, "
    "area: [[18, 12], [30, 12], [30, 24], [18, 24]]}"
)


def evening_of(text: str = FORCES, **settings: Any) -> Evening[Battle]:
    return new_evening("afriboria", scenario_of_list(text, crew=crew_of("afriboria")), seed=1, settings=settings)


def figures(evening: Evening[Battle], *names: str) -> list[int]:
    return [evening.state.units[name].figures for name in names]


@pytest.fixture(autouse=True)
def quiet(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    capsys.readouterr()


@pytest.mark.rule("AFR-056")
def test_evening_of_three_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_odds(monkeypatch)
    evening = evening_of(event_cards="on", vp_quota=9)
    typed(evening, "any", "join chief mehlo; hawks", "next")  # no companies
    # Four cards a side (AFR-044), dealt from a real deck; the column throws higher and goes first (AFR-046).
    typed(evening, "red 3; blue 2; sp volley; green 1; sp cold steel; blue 2; red 2; sp rally")
    assert typed(evening, "5; 2; ", "first") == ["The column goes first"]  # Enter decides nothing
    assert evening.state.sides["impi"].hand == ["blue_2", "red_2", "sp_cold_steel", "sp_rally"]
    companion, seats = evening.companion, list(evening.game.seats)
    both = [(row.title, len(row.cards)) for row in companion.cards_of(evening.state, seats)]
    assert both == [("Hand of the column", 4), ("Hand of the impi", 4)]  # one person plays both sides
    assert [row.title for row in companion.cards_of(evening.state, seats[:1])] == ["Your hand", "Enemy's hand"]

    # --- Turn 1, the column: three red units; a commander takes the third order (AFR-064) -----------------------------
    assert typed(evening, "1; three red")[0] == "The column played the card 'three red units'"
    typed(evening, "alpha, delta, colonel wood")
    # Cavalry moves 3 and may battle (AFR-025). The Colonel joins Bravo (AFR-094).
    typed(evening, "move delta; 3", "commander colonel wood; bravo", "next")
    # Alpha at 2 hexes: 3 dice and the die of Lt Ashby (AFR-183). 3 hits, so one certain kill (AFR-197); of the two
    # others the sabres save one (AFR-200). 6 Lions are not more than 8 (AFR-229): they save the flag with a shield.
    assert typed(evening, "alpha; lions; 2; ; 6 5 4 1; 3 4; 2") == [
        "Alpha battled Lions with 4 dice: 3 hits, 2 killed, 1 flag", "Lions lost 2 figures, 6 left",
        "Lions ignored or saved its flag",
    ]  # fmt: skip
    # A-class infantry that has not moved fires twice (AFR-165). 3 hexes, wood: 2 dice + 1 - 1 (AFR-127).
    assert typed(evening, "again alpha; hawks; 3; target's hex: wood; 4 2; 5") == [
        "Alpha battled Hawks with 2 dice: 1 hit, 1 killed", "Hawks lost 1 figure, 7 left",
    ]  # fmt: skip
    # Lancers next to the enemy: 3 + 1 dice (AFR-026). 2 hits: one certain, the other is not saved. One defence die
    # needs an A-hit against A-class (AFR-211). Of two flags the first is certain (AFR-228), sabres save the other. The
    # lancers follow into the empty hex (AFR-251) and let the Snakes go.
    told = typed(evening, "delta; snakes; ; 6 6 1 1; 2; 6; 3; nothing; advance; stay")
    assert told == [
        "Delta battled Snakes with 4 dice: 2 hits, 2 killed, 2 flags", "Snakes lost 2 figures, 6 left",
        "Delta lost 1 figure to defence dice, 4 left", "Snakes fell back 1 hex", "Delta broke through into the hex",
    ]  # fmt: skip
    typed(evening, "sp combined")  # the card that the column draws (AFR-072)

    # --- Turn 1, the impi: cold steel, one die more in close combat (AFR-342) -----------------------------------------
    typed(evening, "1; cold steel", "lions, hawks", "move lions; 1", "move hawks; 1; y")
    # Hawks: 4 + 1 by the card + 1 by the Chief. 2 hit faces and sabres, which hit for B-class (AFR-192): 3 hits, one
    # certain; one of two saved by sabres. Two defence dice of A-class against B: A/B-hit kills. 4 figures with an
    # officer are more than 3 (AFR-230): Alpha ignores the flag.
    assert typed(evening, "hawks; alpha; ; 5 4 3 1 2 2; 3 6; 5 1") == [
        "Hawks battled Alpha with 6 dice: 3 hits, 2 killed, 1 flag", "Alpha lost 2 figures, 4 left",
        "Hawks lost 1 figure to defence dice, 6 left", "Alpha ignored or saved its flag",
    ]  # fmt: skip
    # Lions: 3 + 1 dice; two sabres are no certain kill (AFR-197), none is saved. Alpha has defended already (AFR-208).
    # 2 figures are not more than 3: one certain flag, the other not saved. Lt Ashby goes along (AFR-246).
    told = typed(evening, "lions; alpha; ; 3 3 1 1; 1 1; 6; nothing; stay")
    assert told[-1] == "Alpha fell back 2 hexes with Lt Ashby"
    assert figures(evening, "alpha", "lions", "hawks") == [2, 6, 6]
    typed(evening, "red 1")

    # --- Turn 2, the column -------------------------------------------------------------------------------------------
    assert typed(evening, "4") == ["Reserve arrived"]
    typed(evening, "1; volley", "bravo, charlie")
    # Bravo: 3 + 1 by the Colonel + 1 by the card. 3 hits, none saved; the flag is not saved, and behind the Lions is
    # the edge of the table: they are lost (AFR-248), a point for the column (AFR-050).
    told = typed(evening, "bravo; lions; 2; ; 6 6 5 2 1; 4 4; 1; the edge")
    assert "Lions left the field" in told
    assert evening.state.sides["column"].points == 1
    # The card helps only the first battle: 1 + 1 dice at 4 hexes.
    assert typed(evening, "again bravo; storks; 4; ; 2 2") == ["Bravo battled Storks with 2 dice: no hits"]
    # Charlie: 3 + 1 dice, 4 hits, one certain; shield and sabres save two of three.
    typed(evening, "battle charlie; riders; 2; ; 4 5 6 6; 2 3 1", "next")
    assert figures(evening, "riders", "storks") == [3, 8]
    typed(evening, "blue 3")

    # --- Turn 2, the impi: a unit and its officer are lost ------------------------------------------------------------
    typed(evening, "1; two blue", "hawks, storks", "move hawks; 1; y", "move storks; 1")
    # Hawks: 4 + 1 by the Chief. 5 hits at 2 figures: two count (AFR-202), one certain, the other not saved.
    told = typed(evening, "hawks; alpha; ; 5 5 4 4 3; 1")
    assert "that was the end of Alpha" in told
    # Lt Ashby is alone in his hex now: sabres hit him (AFR-222), his saving throw fails. The Storks stay.
    told = typed(evening, "storks; ashby; ; 3 1 6; 2; stay")
    assert "Lt Ashby was killed" in told
    assert evening.state.sides["impi"].points == 2
    typed(evening, "green 1")

    # --- Turn 3, the column: one unit of each colour ------------------------------------------------------------------
    typed(evening, "1; combined", "delta, field gun, machine gun", "dismount delta", "next")
    # Field gun on a hilltop at 4 hexes, target in a building: 2 + 1 - 2 dice. A flag: the Marks cannot save it and
    # cannot go back: a figure is lost (AFR-247).
    told = typed(evening, "field gun; marks; 4; target's hex: building, hex of field gun: hilltop; 1; 4; no free hex")
    assert told == [
        "Field gun battled Marks with 1 die: no hits, 1 flag", "Marks could not retreat", "Marks lost 1 figure, 7 left",
    ]  # fmt: skip
    # More than half shields: the machine gun jams (AFR-186).
    assert typed(evening, "machine gun; hawks; 3; ; 2 2 6") == ["Machine gun battled Hawks with 3 dice: the gun jammed"]
    # Delta on foot next to the Riders: 3 dice, no lances (AFR-026). 2 hits, one certain, the other not saved (AFR-199);
    # the defence die misses, and sabres save the flag.
    assert (
        typed(evening, "delta; riders; ; 6 4 1; 2; 1; 3")[0]
        == "Delta battled Riders with 3 dice: 2 hits, 2 killed, 1 flag"
    )
    typed(evening, "red 2")

    # --- Turn 3, the impi: rally, with an event -----------------------------------------------------------------------
    # The Hawks have a commander and regain two figures (AFR-339). The Chief accepts the event (AFR-067): fever. The
    # column names the Storks, who lose a man (AFR-340).
    told = typed(evening, "1; rally", "hawks; 2 figures", "accept; ev fever; storks")
    assert "Hawks recovered 2 figures" in told
    assert "Storks lost 1 figure, 7 left" in told
    typed(evening, "blue 1")

    assert (evening.state.turn, evening.state.active) == (7, "column")
    left = {name: unit.figures for name, unit in evening.state.units.items() if name not in evening.state.gone}
    assert left == {
        "bravo": 6, "charlie": 6, "delta": 4, "field_gun": 4, "machine_gun": 4, "reserve": 6,
        "hawks": 8, "snakes": 6, "marks": 7, "storks": 7, "riders": 1,
    }  # fmt: skip
    assert evening.state.gone == {"lions": "left the field", "alpha": "destroyed", "lt_ashby": "killed"}
    assert {side: side_state.points for side, side_state in evening.state.sides.items()} == {"column": 1, "impi": 2}


@pytest.mark.rule("AFR-127", "AFR-342")
def test_ground_is_named_with_its_hex(capsys: pytest.CaptureFixture[str]) -> None:
    """An orchard matters in both hexes of a close combat, so that people say in which one it is."""
    evening = evening_of()
    typed(evening, "any", "join chief mehlo; hawks", "next")
    typed(evening, "red 3; blue 2; sp volley; green 1; sp cold steel; blue 2; red 2; sp rally", "5; 2; first")
    assert "Which friend should Chief Mehlo share a hex with?" in capsys.readouterr().out
    typed(evening, "1; three red", "alpha, delta, colonel wood", "next")
    typed(evening, "battle delta; lions; orchard")
    assert "'orchard' may mean several options" in capsys.readouterr().out
    hit = "6 1 2"
    told = typed(evening, f"battle delta; lions; target orchard; {hit}; 2; 2; 2; ; stay")
    assert told[0] == "Delta battled Lions with 3 dice: 1 hit, 1 killed, 1 flag"
    typed(evening, "undo")
    told = typed(evening, f"battle delta; lions; own orchard; {hit} 2; 2; 2; ; stay")  # no defence die is left
    assert told[0] == "Delta battled Lions with 4 dice: 1 hit, 1 killed, 1 flag"
    typed(evening, "undo")
    told = typed(evening, f"battle delta; lions; target orchard, own orchard; {hit}; 2; 2; ; stay")
    assert told[0] == "Delta battled Lions with 3 dice: 1 hit, 1 killed, 1 flag"
    typed(evening, "next", "next", "sp combined", "1; cold steel")
    capsys.readouterr()
    typed(evening, "bogus")
    assert "which get an order (left: 2 units)?" in capsys.readouterr().out


@pytest.mark.rule("AFR-265")
def test_aircraft_at_a_real_table(scenario: Any) -> None:
    """An aircraft takes off, bombs, and is shot down by a machine gun."""
    units = (
        "plane: {name: Plane, side: red, arm: aircraft, kind: european_regular, figures: 1, "
        "armament: [machine_gun, bombs], position: [20, 5]}, "
        "men: {name: Men, side: red, arm: infantry, kind: tribal, figures: 8}, "
        "foot: {name: Foot, side: blue, arm: infantry, kind: tribal, figures: 8}, "
        "gun: {name: Maxim, side: blue, arm: machine_gun, kind: european_regular, figures: 4}"
    )
    evening = new_evening("afriboria", scenario(units=units), seed=1)
    typed(evening, "red 2; red 2; red 3; blue 2; blue 2; blue 2; blue 3; green 2")
    typed(evening, "1; two red; plane; ", "fly plane; take off and fly 2", "green 2")  # any card orders it (AFR-264)
    assert evening.state.fliers["plane"].airborne
    typed(evening, "1; two blue; ", "green 3")
    # One bomb: 4 dice (AFR-270). 2 hits: one certain, the other not saved; two flags, no defence (AFR-281).
    typed(evening, "1; two red; plane; ", "fly plane; fly 1 hex")
    told = typed(evening, "from_air plane; foot; 0; ; ; 6 6 1 1; 6; 6; nothing", "green 3")
    assert told[:2] == ["Plane battled Foot with 4 dice: 2 hits, 2 killed, 2 flags", "Foot lost 2 figures, 6 left"]
    assert evening.state.fliers["plane"].bombs == 0
    # Two sabres bring it down (AFR-274); its saving throws fail (AFR-275).
    typed(evening, "1; two blue; maxim; ", "next")
    told = typed(evening, "anti_air maxim; 2; 3 3 4 4; 1 1")
    assert "Plane was shot down" in told


@pytest.mark.rule("AFR-311")
def test_siege_at_a_real_table(scenario: Any) -> None:
    """A gun breaches a fort; troops in it keep out of sight; a ladder is thrown back, and another is climbed."""
    units = (
        "gun: {name: Gun, side: red, arm: artillery, kind: european_regular, figures: 4, gun: {kind: field}}, "
        "men: {name: Men, side: red, arm: infantry, kind: european_regular, figures: 6, traits: [ladders]}, "
        "foot: {name: Foot, side: blue, arm: infantry, kind: tribal, figures: 8}"
    )
    evening = new_evening("afriboria", scenario(units=units, terrain=KEEP, siege="true"), seed=1)
    typed(evening, "red 2; blue 2; blue 2; sp combined; red 2; red 2; green 2; green 2")
    (first, second, *_) = evening.state.structures
    typed(evening, "any", "occupy foot; 1; 1")  # it shows itself (AFR-316)
    assert evening.state.units["foot"].hex == first
    typed(evening, "1; combined; gun, men; ", "ladder men; 1; ; 3")
    # The sabres destroy the ladder, and a figure is lost (AFR-332).
    assert (evening.state.units["men"].figures, evening.state.units["men"].ladders) == (5, False)
    # Field gun next to a stone fortification of 6 points: 4 dice, A-hits count, shields save (AFR-308).
    told = typed(evening, "next", "bombard gun; 2; 1; n; 6 6 5 4; 2 1")
    assert told == ["Gun bombarded the stone fortification structure E3 with 4 dice: 1 point of damage, 5 left"]
    assert evening.state.structures[second].value == 5


@pytest.mark.rule("AFR-105", "AFR-330", "AFR-335")
def test_ladders_at_a_real_table(scenario: Any) -> None:
    """Two units put up ladders against one wall, one with its commander; the garrison throws one down and goes on."""
    units = (
        "men: {name: Men, side: red, arm: infantry, kind: european_regular, figures: 6, traits: [ladders]}, "
        "more: {name: More, side: red, arm: infantry, kind: european_regular, figures: 6, traits: [ladders]}, "
        "foot: {name: Foot, side: blue, arm: infantry, kind: european_regular, figures: 6}"
    )
    leaders = "ashby: {name: Lt Ashby, side: red, rank: commander, unit: men}"
    evening = new_evening("afriboria", scenario(units=units, leaders=leaders, terrain=KEEP, siege="true"), seed=1)
    typed(evening, "next", "red 2; blue 2; blue 2; sp combined; red 2; red 2; green 2; green 2")
    typed(evening, "1; combined; men, more; ", "ladder men; 1; 1 hex; y", "ladder more; 1; 1 hex")
    men, ashby, ladders = evening.state.units["men"], evening.state.commanders["ashby"], evening.state.ladders
    assert (men.hex, "moved" in ashby.marks) == (ashby.hex, True)
    assert (len(ladders), len({wall for wall, _ in ladders}), len({foot for _, foot in ladders})) == (2, 1, 2)
    typed(evening, "next", "red 2", "any", "occupy foot; 1; show")
    typed(evening, "1; two red; foot; ; show", "throw_down foot; move 1 hex")
    foot = evening.state.units["foot"]
    assert (len(evening.state.ladders), foot.moved, foot.hex in evening.state.structures) == (1, 2, False)


@pytest.mark.rule("AFR-318", "AFR-321", "AFR-322", "AFR-323", "AFR-324", "AFR-327")
def test_a_unit_over_several_walls_at_a_real_table(scenario: Any) -> None:
    """The example of the rulebook: two sections of two next to the enemy, and a third that does not fire (AFR-325)."""
    units = (
        "men: {name: Men, side: red, arm: infantry, kind: tribal, figures: 8}, "
        "more: {name: More, side: red, arm: infantry, kind: tribal, figures: 8}, "
        "foot: {name: Foot, side: blue, arm: infantry, kind: european_regular, figures: 6, weapon: breech_rifle}"
    )
    leaders = "ashby: {name: Lt Ashby, side: blue, rank: commander, unit: foot}"
    parts = {"units": units, "leaders": leaders, "terrain": KEEP, "siege": "true", "first": "blue"}
    evening = new_evening("afriboria", scenario(**parts), seed=1, settings={"hex_cm": 10})
    typed(evening, "red 2; sp volley; blue 2; sp combined; red 2; red 2; green 2; green 2")
    told = typed(evening, "any", "occupy foot; e5; show")
    assert told[1] == "Lt Ashby stands in the stone fortification structure E5"
    typed(evening, "1; two red; foot; ; show")
    # A hex of 10 cm holds two figures (AFR-318). G5 does not join E5, so it comes after F5.
    typed(evening, "man foot; 2 figures; F5; 2 figures; G5; 2 figures")
    foot, names = evening.state.units["foot"], table_of(evening.state).structure_names
    walls = [names[cell][-2:] for cell in foot.sections]
    assert (walls, list(foot.sections.values())) == (["E5", "F5", "G5"], [2, 2, 2])
    # In close combat 4 dice in all; Lt Ashby adds one in his hex. 3 hits, one certain, none saved, but two men kill two
    # at most. The other section throws two flags: one is certain, the other is not saved (AFR-228).
    told = typed(evening, "battle foot; men; 1, 5; ; 2 dice; 2 dice; 6 6 6; 6 1; 1 1; 2; nothing")
    assert told == [
        "Foot battled Men with 3 dice: 3 hits, 2 killed", "Men lost 2 figures, 6 left",
        "Foot battled Men with 2 dice: no hits, 2 flags", "Foot fired from the wall: 3 hits, 2 flags in all",
        "Men fell back 2 hexes with the senior NCO of Red",
    ]  # fmt: skip
    assert list(evening.state.units["foot"].sections.values()) == [2, 2, 2]
    typed(evening, "red 3")
    # C-class in close combat: 3 dice, 2 less against a building. A hit that is not saved takes a man of this section.
    # Two dice of A-class defend themselves: one kills. A flag was not thrown.
    told = typed(evening, "1; two red; men; ", "next", "battle men; F5; ; 4; 1; 6 2")
    assert told[-3:] == [
        "Men battled Foot with 1 die: 1 hit, 1 killed", "Foot lost 1 figure, 5 left",
        "Men lost 1 figure to defence dice, 5 left",
    ]  # fmt: skip
    assert list(evening.state.units["foot"].sections.values()) == [2, 1, 2]
    # To move, the unit must gather first.
    typed(evening, "red 2")
    assert (
        typed(evening, "1; two red; foot; ", "1; G5; show")[-1]
        == "Foot gathered in the stone fortification structure G5"
    )
    foot = evening.state.units["foot"]
    assert (foot.sections, names[foot.hex][-2:]) == ({}, "G5")


@pytest.mark.rule("AFR-113")
def test_a_company_names_its_units() -> None:
    evening = evening_of()
    told = [Event("company", "AFR-113", {"officer": "colonel_wood", "members": ("alpha", "bravo"), "hex": "off"})]
    assert evening.companion.sentences(told) == ["company of Colonel Wood: Alpha and Bravo"]


@pytest.mark.rule("AFR-077")
@pytest.mark.setting("solo_cards")
def test_the_die_chooses_between_two_cards_in_solo_play() -> None:
    evening = evening_of(solo_cards="two_and_die")
    typed(evening, "any", "join chief mehlo; hawks", "next")
    typed(evening, "red 3; blue 2; sp volley; green 1; sp cold steel; blue 2; red 2; sp rally", "5; 2; first")
    # The player picks two cards of the hand; 1 to 3 plays the first, 4 to 6 the second.
    assert typed(evening, "1; three red", "two blue", "4")[0] == "The column played the card 'two blue units'"
    evening.undo()
    assert typed(evening, "1; three red", "two blue", "3")[0] == "The column played the card 'three red units'"


@pytest.mark.rule("AFR-062")
def test_a_unit_with_the_id_of_a_card_keeps_its_name() -> None:
    """The second of two units of blue warriors has the id of the card 'two blue units'."""
    evening = evening_of("Us:\n6 Alpha rifles\nThem:\n8 Blue spears\n8 Blue spears\n")
    assert evening.state.units["blue_2"].spec.name == "Blue 2"
    told = [
        Event("order", "AFR-062", {"order": ("unit", "blue_2")}),
        Event("card", "AFR-059", {"side": "us", "card": "blue_2"}),
    ]
    assert evening.companion.sentences(told) == ["Blue 2 received an order", "Us played the card 'two blue units'"]
    units, cards = (Choose(why, "AFR-162", "them", "them", ("blue_2", "blue_1"), ()) for why in ("battle with", "play"))
    assert evening.companion.describe_option(evening.state, units, "blue_2").startswith("Blue 2: blue C-class infantry")
    assert evening.companion.describe_option(evening.state, cards, "blue_2").startswith("two blue units")


@pytest.mark.rule("AFR-255", "AFR-254")
def test_cavalry_fights_on_after_a_breakthrough_unless_the_ground_forbids_it(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_odds(monkeypatch)
    evening = evening_of()
    typed(evening, "any", "join chief mehlo; hawks", "next")
    typed(evening, "red 3; blue 2; sp volley; green 1; sp cold steel; blue 2; red 2; sp rally", "5; 2; first")
    typed(evening, "1; three red", "alpha, delta, colonel wood", "next")
    # 3 dice and 1 of lancers, less 1 for the orchard. One hit; save, defence and flag save fail on 2. The Lions go back
    # a hex.
    first = "6 1 2; 2; 2; 2; ; advance"
    told = typed(evening, f"battle delta; lions; target's hex: orchard; {first}; once more; ; ; 6 5 2 2; 2")
    assert told == [
        "Delta battled Lions with 3 dice: 1 hit, 1 killed, 1 flag", "Lions lost 1 figure, 7 left", "Lions fell back 1 hex",
        "Delta broke through into the hex", "Delta battled Lions with 4 dice: 2 hits, 2 killed",
        "Lions lost 2 figures, 5 left",
    ]  # fmt: skip
    typed(evening, "undo")
    # A second flag finds the way barred: a figure is lost for the hex that the Lions cannot go (AFR-247).
    told = typed(
        evening, "battle delta; lions; ; 6 1 2 2; 2; 2; 2; ; advance; once more; ; ; 6 1 2 2; 2; 2; no free hex"
    )
    assert told[-2:] == ["Lions could not retreat", "Lions lost 1 figure, 5 left"]
    typed(evening, "undo")
    assert typed(evening, f"battle delta; lions; target's hex: wood; {first}")[-1] == "Delta broke through into the hex"
    assert "no_battle" in evening.state.units["delta"].marks


@pytest.mark.rule("AFR-340", "AFR-344")
def test_people_say_which_units_crocodiles_attack() -> None:
    evening = evening_of(event_cards="on")
    typed(evening, "any", "join chief mehlo; hawks", "next")
    typed(evening, "red 3; blue 2; sp volley; green 1; sp cold steel; blue 2; red 2; sp rally", "5; 2; first")
    # Charlie stands in a ford, the Reserve has not arrived. Each unit in the water throws a die; a flag or sabres take
    # a man.
    typed(evening, "1; green", "charlie")
    told = typed(evening, "accept; ev crocodiles; charlie, machine gun; 3; 2")
    assert told[1:] == ["Charlie lost 1 figure, 5 left"]
    assert figures(evening, "charlie", "machine_gun", "bravo") == [5, 4, 6]
    typed(evening, "undo")
    assert len(typed(evening, "accept; ev crocodiles; ")) == 1, "without a unit in the water nothing happens"


@pytest.mark.rule("AFR-159", "AFR-208")
@pytest.mark.parametrize(("ground", "defends"), [((), True), ((("own", "over friends"),), False)])
def test_a_target_that_does_not_see_a_gun_has_no_defence(ground: Sequence[object], defends: bool) -> None:
    """A gun on a hill fires over friends below; the Marks, who have muskets, may not see it."""
    evening = evening_of()
    typed(evening, "any", "join chief mehlo; hawks", "next")
    typed(evening, "red 3; blue 2; sp volley; green 1; sp combined; blue 2; red 2; sp rally", "5; 2; first")
    typed(evening, "1; two blue", "field gun; ", "next")
    form = evening.form("battle", Scene(evening.game, "field_gun", "marks", {"hexes": 2}))
    form.give(ground)
    pending = form.pending
    assert isinstance(pending, Throw) and isinstance(pending.question, Roll)
    form.give_faces([2] * pending.question.dice)
    assert isinstance(form.pending, Throw if defends else Finished)


@pytest.mark.rule("AFR-051")
def test_the_object_of_a_lost_carrier_can_be_taken_in_the_same_turn() -> None:
    """The cavalry that destroys a carrier and breaks through into his hex stands on what he carried."""
    evening = new_evening("afriboria", load_scenario("paychest_raid"), seed=1)
    to_next_turn(evening)
    carrier, taker = (
        next(unit.spec.id for unit in evening.state.side_units(side) if unit.profile.arm != "artillery")
        for side in evening.game.seats
    )
    evening.finish(form_of(evening, "object", carrier))
    to_next_turn(evening)
    assert evening.state.carried_objects["paychest"].carrier == carrier
    evening.correct(carrier, "figures", 0)
    assert evening.state.carried_objects["paychest"].carrier == carrier, (
        "it lies on the table from the end of the turn on"
    )
    evening.finish(form_of(evening, "object", taker))
    to_next_turn(evening)
    assert evening.state.carried_objects["paychest"].carrier == taker


def to_next_turn(evening: Evening[Battle]) -> None:
    """Leave out everything until the next player turn."""
    turn = evening.state.turn
    for _ in range(12):
        if "end" in [opening.act for opening in evening.openings()]:
            evening.finish(evening.form("end", Scene(evening.game, answers={"places": ()})))
        elif evening.state.turn == turn:
            evening.next(leave_out=True)


def form_of(evening: Evening[Battle], act: str, actor: str) -> Form[Battle]:
    """Return the form of an act in which every fact has its first value."""
    form = evening.form(act, Scene(evening.game, actor))
    while isinstance(pending := form.pending, AskFact):
        form.give(next(iter(pending.choices)))
    return form


@pytest.mark.rule("AFR-039")
def test_the_leaders_of_two_sides_without_one_have_different_names() -> None:
    evening = evening_of("The column:\n6 Alpha rifles\nThe impi:\n8 Lions spears")
    names = [commander.spec.name for commander in evening.state.commanders.values()]
    assert names == ["the senior NCO of the column", "the senior NCO of the impi"]


def test_an_option_of_a_house_rule_is_an_act(tmp_path: Path) -> None:
    file = tmp_path / "songs.py"
    file.write_text(SONGS, encoding="utf-8")
    rules = [find_house_rule(str(file))]
    forces = scenario_of_list(FORCES, crew=crew_of("afriboria"))
    evening = new_evening("afriboria", forces, seed=1, house_rules=rules)
    typed(evening, "any", "join chief mehlo; hawks", "next")
    typed(evening, "red 3; blue 2; sp volley; green 1; sp cold steel; blue 2; red 2; sp rally", "5; 2; first")
    typed(evening, "1; three red", "alpha, delta, colonel wood")
    (opening,) = [candidate for candidate in evening.openings() if candidate.act == "move_by_house_rule"]
    assert opening.actors == ("alpha", "delta")
    assert typed(evening, "move_by_house_rule alpha") == ["Alpha sang"]
    # In the stage of battles, Delta holds its fire to jeer; Alpha may battle only the Lions.
    typed(evening, "next")
    assert typed(evening, "battle_by_house_rule delta") == ["Delta jeered"]
    assert "done" in evening.state.units["delta"].marks
    entries = len(evening.entries)
    typed(evening, "battle alpha; hawks; 2; ", "cancel")
    assert len(evening.entries) == entries
    assert typed(evening, "battle alpha; lions; 2; ; 2 2 2 2") == ["Alpha battled Lions with 4 dice: no hits"]


SONGS = """
from zareba.api import ExtraOption, hookimpl

RULESETS = ("afriboria",)


@hookimpl
def zareba_options(state, question):
    if question.why == "move":
        return [*question.options, ExtraOption("sing", sing, then=question.options[0])]
    if question.why == "battle against":
        lions = state.units["lions"].hex
        fair = [one for one in question.options if one in (("hex", lions), "hold fire")]
        return [*fair, ExtraOption("jeer", jeer, then="hold fire")]


def jeer(table, state, question):
    table.emit("jeered", "OUR-9", unit=question.actor)


def sing(table, state, question):
    table.emit("sang", "OUR-9", unit=question.actor)


@hookimpl
def zareba_words():
    return {
        "option sing": "{actor} sings",
        "event sang": "{unit} sang",
        "option jeer": "jeer",
        "event jeered": "{unit} jeered",
    }
"""


@pytest.mark.rule("AFR-198", "AFR-227")
def test_odds_say_that_the_target_may_fall_back(capsys: pytest.CaptureFixture[str]) -> None:
    """One die: 1/2 hits, of which 1/3 are saved; 1/6 is a flag, of which 1/3 are saved."""
    evening = evening_of()
    typed(evening, "any", "join chief mehlo; hawks", "next")
    typed(evening, "red 3; blue 2; sp volley; green 1; sp combined; blue 2; red 2; sp rally", "5; 2; first")
    typed(evening, "1; two blue", "field gun", "next", "next")
    capsys.readouterr()
    typed(evening, "battle field gun; marks; 4; orchard")  # only the hex of the target matters here
    odds = " ".join(capsys.readouterr().out.split())
    assert "odds: no change (56 % chance); Marks: 1 figure lost (33 % chance), moves (11 % chance)" in odds.replace(
        "\xa0", " "
    )
