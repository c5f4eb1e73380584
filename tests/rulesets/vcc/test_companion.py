"""An evening of Victorian Colonial Combat at a real table, worked out by hand beforehand.

Each line of the evening is what people type. Above it stands the result by the rulebook.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from tests.rulesets.companion_games import limit_odds, typed

from zareba.companion import AskFact, Evening, Scene, new_evening, scenario_of_list
from zareba.registry import find_house_rule
from zareba.table import Choose
from zareba_rulesets.vcc.forces import Battle, LeaderCheck

# Regular infantry: 4 figures to a base, riders 2 (VCC-011); one base of each unit is that of its leader. Alpha and
# Bravo have 5 bases, Charlie and Delta 4, Reserve 3; the guns have 5 gunners each. The spears have 6 bases, Marks 4,
# Riders 5.
FORCES = """\
The column:
commander Colonel Wood
20 Alpha rifles, Lt Ashby
20 Bravo rifles, elite
16 Charlie rifles
8 Delta lancers
1 field gun
1 machine gun
12 Reserve rifles, turn 2 on 4+
The impi:
commander Chief Mehlo
24 Red spears
24 Blue spears, elite
24 Green spears, raw
16 Marks muskets
24 Black spears
10 Riders horsemen
"""


def evening_of(text: str = FORCES, **settings: Any) -> Evening[Battle]:
    return new_evening("vcc", scenario_of_list(text), seed=1, settings=settings)


def unit(evening: Evening[Battle], name: str) -> tuple[int, int, str]:
    """Return the strength of a unit, the hits on its marker, and its lasting marks."""
    piece = evening.state.unit(name)
    lasting = {"prone", "broken", "square", "jest", "overheated", "wrecked"}
    return piece.strength, piece.hits, " ".join(sorted(piece.marks & lasting))


@pytest.fixture(autouse=True)
def quiet(capsys: pytest.CaptureFixture[str]) -> Iterator[None]:
    yield
    capsys.readouterr()


@pytest.mark.rule("VCC-038", "VCC-109")
def test_a_leader_check_that_people_leave_out_is_due_no_longer() -> None:
    evening = evening_of("The column:\n20 Alpha rifles\n1 field gun\nThe impi:\n24 Red spears\n")
    typed(evening, "field gun; 5; ; ; 6 1 1 1 1")
    assert [opening.act for opening in evening.openings()] == ["leader"]
    typed(evening, "next")
    assert [opening.act for opening in evening.openings()] == ["morale"]
    while "fire" not in [opening.act for opening in evening.openings()]:
        evening.next(leave_out=True)
    evening.next()
    assert "leader" not in [opening.act for opening in evening.openings()]


def test_options_of_a_melee_name_no_box_of_the_book() -> None:
    evening = evening_of("The column:\n20 Alpha rifles\n20 Bravo rifles\nThe impi:\n24 Red spears\n")
    question = Choose("fight", "VCC-133", "red", "impi", ("alpha", "bravo"), ())
    said = [evening.companion.describe_option(evening.state, question, option) for option in question.options]
    assert said == ["Alpha: 5 bases", "Bravo: 5 bases"]


@pytest.mark.rule("VCC-038")
def test_evening_of_three_turns(monkeypatch: pytest.MonkeyPatch) -> None:
    limit_odds(monkeypatch)
    evening = evening_of()
    evening.correct("black", "bases", 6)  # the book agrees with the table before play
    evening.undo()
    typed(evening, "any", "commander black; y")  # Chief Mehlo begins with Black, Colonel Wood with Delta
    typed(evening, "any", "commander delta; y")

    # --- Turn 1, step 1: artillery and machine guns -------------------------------------------------------------------
    # 5 gunners, medium range (9): 5 dice (VCC-074). 16 hits: two bases of 6 hits, 4 left over (VCC-105, VCC-106).
    assert typed(evening, "field gun; blue; 5; ; ; 6 4 3 2 1") == [
        "Field gun fired 5 dice at Blue (medium): 16 hits", "Blue lost 2 bases, 4 left",
        "Blue: 4 hits on its marker",
    ]  # fmt: skip
    # 5 gunners, close range (2) doubles: 10 dice (VCC-086). 20 hits: three bases, 2 left over. No six.
    assert typed(evening, "machine gun; red; 2; ; ; 1 1 1 2 2 2 3 3 3 2")[0].endswith("20 hits")
    assert unit(evening, "red") == (3, 2, "")
    # The six at medium range: 11 or more hits the leader (VCC-110); 11 is two wounds (VCC-113).
    assert typed(evening, "6 6; 6 5") == ["the leader of Blue took 2 wounds"]
    # Red: 3 bases (VCC-137); 5 misses by 2: prone (VCC-152). Blue: 4 bases, elite +1 (VCC-141): 5 passes.
    typed(evening, "red; 5", "5")
    assert unit(evening, "red") == (3, 2, "prone")
    assert unit(evening, "blue") == (4, 4, "")

    # --- Step 3: Native units rally and move --------------------------------------------------------------------------
    # Red needs 3 or less (VCC-160).
    assert typed(evening, "4") == ["Red failed to rally (rolled 4)"]
    typed(evening, "charge blue; alpha; ", "charge riders; charlie; flank", "move green, marks", "next")
    # Step 4: Bravo forms square (VCC-061), Delta charges Green.
    typed(evening, "change bravo; form square", "charge delta; green; ; ", "next")
    assert unit(evening, "bravo") == (5, 0, "square")

    # --- Step 5: British small arms -----------------------------------------------------------------------------------
    # Alpha at its charger in the same box: 5 bases, close doubles: 10 dice. 16 hits and 4 on the marker are 20: three
    # bases, 2 left over; the leader base is the last (VCC-107).
    assert typed(evening, "alpha; 2 2 2 2 2 2 1 1 1 1")[0] == "Alpha fired 10 dice at Blue (close): 16 hits"
    assert unit(evening, "blue") == (1, 2, "")
    # Bravo: 5 bases, elite +1, moved halves (VCC-088), soft cover halves: 1.5, rounded up to 2 dice (VCC-078). 11 hits.
    assert typed(evening, "bravo; marks; 2; soft; 6 5")[0] == "Bravo fired 2 dice at Marks (medium): 11 hits"
    # Charlie: 4 bases, mounted target +1 (VCC-083), close doubles: 10 dice. 10 hits: one base, 4 left over.
    assert typed(evening, "charlie; 1 1 1 1 1 1 1 1 1 1")[0] == "Charlie fired 10 dice at Riders (close): 10 hits"
    # Leader of Marks at medium: 10 misses.
    assert typed(evening, "5 5") == ["Marks: check its leader: less than 11: he is missed (at medium range)"]
    # Blue: leader base 1, elite +1 = 2; 3 misses by 1: 1d6 hits (VCC-151): 2 + 3 = 5. Marks: 3 bases; 3 passes.
    # Riders: 4 bases; 6 misses by 2: they leave contact and are prone (VCC-152).
    typed(evening, "blue; 3; 3", "marks; 3", "6")
    assert [unit(evening, name) for name in ("blue", "marks", "riders")] == [(1, 5, ""), (3, 5, ""), (4, 4, "prone")]

    # --- Step 6: Native small arms ------------------------------------------------------------------------------------
    # Marks: 3 bases, moved halves: 1.5, rounded up to 2 dice d3 (VCC-012). The 3 is the highest face (VCC-109).
    assert typed(evening, "marks; bravo; 2; ; 3 1")[0] == "Marks fired 2 dice at Bravo (medium): 4 hits"
    # Bravo: 5 bases, elite +1, square +1 (VCC-142): 7.
    typed(evening, "1 1", "6")
    assert unit(evening, "bravo") == (5, 4, "square")

    # --- Step 7: melee, all at once (VCC-134) -------------------------------------------------------------------------
    # Alpha 5 dice; Delta 4 bases, charging +1 (VCC-120): 5; Blue: leader base, charging, elite: 3; Green: 6 - 1 raw: 5.
    # Blue takes 7 + 5: destroyed (VCC-108). Green takes 24: four bases. Alpha takes 18: three bases. Delta takes 5.
    # Leaders at close range, 9 or more (VCC-110): Green 8 is missed; Alpha 12 is hit, and 12 kills Lt Ashby (VCC-114),
    # whose base goes too (VCC-116).
    told = typed(evening, "; 1 1 1 2 2; 6 6 5 4 3; 6 6 6; 1 1 1 1 1; 4 4; 6 6; 6 6")
    assert told[:4] == [
        "Alpha struck Blue with 5 dice: 7 hits", "Delta struck Green with 5 dice: 24 hits",
        "Blue struck Alpha with 3 dice: 18 hits", "Green struck Delta with 5 dice: 5 hits",
    ]  # fmt: skip
    assert "Lt Ashby of Alpha was killed" in told
    assert evening.state.gone == {"blue": "destroyed"}
    # Step 8. Alpha: 1 base; 2 misses by 1: 4 hits. Delta: 4 bases; the Colonel stayed behind at its charge (VCC-171).
    # Green: 2 bases, raw -1 = 1; 6 misses by 5: broken, back 2 boxes, prone (VCC-154).
    typed(evening, "alpha; 2; 4", "4", "6; all")
    assert [unit(evening, name) for name in ("alpha", "delta", "green")] == [
        (1, 4, ""), (4, 5, ""), (2, 0, "broken prone"),
    ]  # fmt: skip
    # End of the turn: the machine gun has fired one turn, so no roll yet (VCC-103).
    assert (evening.state.turn, evening.state.unit("machine_gun").streak) == (2, 1)

    # --- Turn 2 -------------------------------------------------------------------------------------------------------
    # The field gun turns: 5 dice halved are 3 (VCC-044). 18 hits: three bases of Black.
    typed(evening, "field gun; black; 9; none; y; 6 6 6")
    # The machine gun at prone Red, medium: 2.5, rounded up to 3 dice (VCC-090). 5 + 2 hits: one base, 1 left over.
    assert typed(evening, "machine gun; red; 3; ; ; 2 2 1")[0] == "Machine gun fired 3 dice at Red (medium): 5 hits"
    # The leader of Black is hit (11) and takes one wound (7); the attached Chief is at risk too (VCC-163): he jests.
    assert typed(evening, "6 5; 3 4; 6 6; 1 1") == [
        "the leader of Black took 1 wound", "Chief Mehlo, commander of the impi, cheered Black with a jest",
    ]  # fmt: skip
    assert unit(evening, "black") == (3, 0, "jest")
    # Red: 2 bases. Black: 3 bases, Army Commander +2, jest +1 (VCC-149), used up by the check.
    typed(evening, "red; 2", "6")
    assert [unit(evening, name) for name in ("red", "black")] == [(2, 1, "prone"), (3, 0, "")]
    # Rallies: Red 2 or less; Green 2 bases, raw -1 = 1; Riders 4.
    assert typed(evening, "red; 1", "green; 1", "5") == [
        "Red rallied (rolled 1)", "Green rallied (rolled 1)", "Riders failed to rally (rolled 5)",
    ]  # fmt: skip
    typed(evening, "charge red; alpha; flank", "next")
    # Reserve arrives on 4 or more (VCC-169). Charlie stands with Alpha to support it (VCC-132).
    assert typed(evening, "5") == ["Reserve arrived"]
    typed(evening, "join charlie; alpha", "next")
    # Alpha: 1 base without a leader, close doubles: 2 dice. 8 + 1 hits: one base, 3 left over.
    assert typed(evening, "alpha; 6 2")[0] == "Alpha fired 2 dice at Red (close): 8 hits"
    # Reserve: 3 bases, mounted +1 = 4, long, moved and prone each halve: 0.5, one die (VCC-078, VCC-079).
    assert typed(evening, "reserve; riders; 3; ; 3")[0] == "Reserve fired 1 die at Riders (long): 3 hits"
    # Bravo: 5 bases, elite +1, close doubles, soft cover halves: 6 dice. 6 + 5 hits: one base, 5 left over.
    assert typed(evening, "bravo; marks; 1; soft; 1 1 1 1 1 1")[0] == "Bravo fired 6 dice at Marks (close): 6 hits"
    typed(evening, "next")
    # Leader of Red: 9 hits at close range, 4 is a jest (VCC-111).
    assert typed(evening, "5 4; 2 2") == ["the leader of Red was hit, but laughed it off with a jest"]
    # Red: leader base 1, jest +1 = 2 passes. Marks: 2; 6 misses by 4: back 2 boxes, but its own edge comes after one
    # (VCC-156): it routs. Riders: 3 bases pass.
    told = typed(evening, "red; 2", "marks; 6; 1 box, then off its own table edge", "3")
    assert told[-2:] == ["Marks routed off the table", "Riders passed morale (rolled 3, needed 3 or less)"]
    # Melee: Alpha 1 die; Red: leader base, charging +1 = 2, flank doubles (VCC-124): 4; Charlie supports: 4 halved: 2.
    # Red takes 2 + 6 + 3 on its marker: destroyed. Alpha takes 9 + 4: destroyed.
    told = typed(evening, "; alpha; 2; 6 1 1 1; 3 3")
    assert told[:3] == [
        "Alpha struck Red with 1 die: 2 hits", "Red struck Alpha with 4 dice: 9 hits", "Charlie struck Red with 2 dice: 6 hits",
    ]  # fmt: skip
    # End of the turn: two turns of fire in a row, so the machine gun overheats on 2 or less (VCC-103).
    assert typed(evening, "2") == ["Machine gun overheated"]
    assert evening.state.gone == {"blue": "destroyed", "red": "destroyed", "alpha": "destroyed", "marks": "routed"}

    # --- Turn 3 -------------------------------------------------------------------------------------------------------
    # 5 gunners, mounted +1, long and prone halve, hard cover quarters: below 1, so one die (VCC-079). 4 + 1 hits.
    assert typed(evening, "field gun; riders; 12; hard; n; 4") == [
        "Field gun fired 1 die at Riders (long): 4 hits", "Riders: 5 hits on its marker",
    ]  # fmt: skip
    # The overheated machine gun may fire: 5 dice, 15 hits: two bases, 3 left over.
    typed(evening, "machine gun; black; 4; ; ; 1 2 3 4 5")
    # Black: leader base 1, Army Commander +2 = 3; 6 misses by 3: back a box, prone (VCC-153). Riders: 3; 4 misses by 1:
    # 1 hit makes 6, one base.
    typed(evening, "black; 6; ", "4; 1")
    assert [unit(evening, name) for name in ("black", "riders")] == [(1, 3, "prone"), (2, 0, "prone")]
    # The attached Army Commander went along (VCC-171): Black rallies on 1 + 2 = 3 or less. Riders: 2 or less.
    assert typed(evening, "black; 4", "1") == ["Black failed to rally (rolled 4)", "Riders rallied (rolled 1)"]
    typed(evening, "next", "commander bravo; y", "next")
    # Charlie: 4 bases, close doubles, prone halves: 4 dice. Black is destroyed; the Chief stays behind (VCC-108).
    assert "Charlie fired 4 dice at Black (close): 24 hits" in typed(evening, "charlie; black; 1; ; 6 6 6 6", "next")
    assert evening.state.commanders["impi"].unit == ""
    # Three turns of fire in a row: the second overheating, on 3 or less, breaks the gun for good (VCC-104).
    assert typed(evening, "3") == ["Machine gun broke down for good"]

    assert evening.state.turn == 4
    left = {name: unit(evening, name)[:2] for name, piece in evening.state.units.items() if piece.on_table}
    assert left == {
        "bravo": (5, 4), "charlie": (4, 0), "delta": (4, 5), "field_gun": (5, 0), "machine_gun": (5, 0), "reserve": (3, 0),
        "green": (2, 0), "riders": (2, 0),
    }  # fmt: skip


@pytest.mark.rule("VCC-132")
def test_units_in_contact_can_stand_in_one_box() -> None:
    """Two friends in melee in one box on the table: the book brings both melees together."""
    evening = evening_of()
    typed(evening, "next", "charge red; alpha; ", "charge blue; bravo; ")
    typed(evening, "any", "join bravo; alpha")
    battle = evening.state
    assert len({battle.unit(name).box for name in ("alpha", "bravo", "red", "blue")}) == 1
    assert [(contact.charger, contact.charged) for contact in battle.contacts] == [("red", "alpha"), ("blue", "bravo")]


@pytest.mark.rule("VCC-099")
def test_rocket_drifts_along_its_line_of_flight() -> None:
    """4 misses (VCC-098); 3 on the die of directions is a quarter to the right, and people say who stands there."""
    evening = evening_of("Us:\n20 Alpha rifles\n1 rocket\nThem:\n24 Red spears\n24 Blue spears")
    told = typed(evening, "rocket; 4; 3; 2; red, blue")
    assert told == ["Rocket fired a rocket: from its box it drifted 2 boxes to the right"]
    assert {name for name, piece in evening.state.units.items() if "rocketed" in piece.marks} == {"red", "blue"}
    # Red: 6 bases, under rockets -1 (VCC-145) = 5: a 6 misses by 1, 1d6 hits (VCC-151).
    typed(evening, "red; 6; 5")
    assert unit(evening, "red") == (6, 5, "")


@pytest.mark.rule("VCC-024")
def test_change_of_footing_and_leaving_contact_at_the_table() -> None:
    evening = evening_of("Us:\n12 Camels camel corps\n20 Alpha rifles\nThem:\n24 Red spears\n24 Blue spears")
    typed(evening, "next", "change camels; dismount")
    assert "dismounted" in evening.state.unit("camels").marks
    # On foot they fire in step 5, having moved (VCC-046, VCC-088): 6 bases halved are 3 dice at medium range.
    assert typed(evening, "next", "camels; red; 2; ; 1 1 1")[0] == "Camels fired 3 dice at Red (medium): 3 hits"


@pytest.mark.rule("VCC-108")
def test_destroyed_unit_is_corrected_back() -> None:
    evening = evening_of()
    evening.correct("red", "bases", 0)
    assert "red" in evening.state.gone
    typed(evening, "correct red bases 3")
    assert "red" not in evening.state.gone and unit(evening, "red")[0] == 3
    typed(evening, "correct blue removed yes", "correct blue removed no")
    assert evening.state.unit("blue").on_table


@pytest.mark.rule("VCC-171")
def test_commander_stays_behind_at_a_charge_or_joins_another_unit() -> None:
    evening = evening_of()
    typed(evening, "any", "commander black; y", "next")
    assert typed(evening, "charge black; alpha; ; ")[-1] == "Chief Mehlo stays behind (VCC-171)"
    typed(evening, "undo", "charge black; alpha; ; red")
    assert evening.state.commanders["impi"].box == evening.state.unit("red").box


@pytest.mark.rule("VCC-156")
def test_retreat_question_says_how_far(capsys: pytest.CaptureFixture[str]) -> None:
    evening = evening_of()
    typed(evening, "any", "morale green; 6")  # 6 bases, raw -1 = 5: a 6 misses by 1: hits
    typed(evening, "correct green bases 2", "any", "morale green; 6")  # 1: misses by 5: back 2 boxes
    shown = " ".join(capsys.readouterr().out.split())
    assert "Green must fall back 2 boxes" in shown
    assert "1 box, then off its own table edge: it routs" in shown


@pytest.mark.rule("VCC-156")
@pytest.mark.parametrize("movement", ["standin", "off"])
def test_a_barred_retreat_takes_hits(movement: str) -> None:
    """A barred retreat stays where it is, with a die of hits for each box, also where terrain closes no ground."""
    evening = evening_of(terrain_movement=movement)
    evening.correct("green", "bases", 2)
    # 1: misses by 5: back 2 boxes, and each of the two is barred. 2 + 3 hits stay below 6.
    told = typed(evening, "any", "morale green; 6; barred; 2; 3")
    assert "fell back" not in " ".join(told)
    assert unit(evening, "green") == (2, 5, "broken prone")


@pytest.mark.rule("VCC-171")
def test_a_charge_may_capture_the_commander_on_its_way() -> None:
    evening = evening_of()
    typed(evening, "any", "commander_leaves delta", "next", "charge red; alpha; ")
    box = evening.state.unit("red").box
    assert typed(evening, "capture red") == ["Colonel Wood, commander of the column, was captured"]
    assert evening.state.unit("red").box == box and evening.state.is_in_contact(evening.state.unit("red"))


def test_back_undoes_one_step_and_pieces_are_found_by_name(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    limit_odds(monkeypatch)
    evening = evening_of()
    typed(evening, "field gun; blue; 5; ; ; 1 1 1 2 2")
    entries = len(evening.entries)
    assert typed(evening, "next")[-1].startswith("Blue passed morale")  # 6 or less on a die: no one throws it
    typed(evening, "back")
    assert len(evening.entries) == entries
    typed(evening, "unit colonel wood", "correct colonel wood wounds 1", "machine gun; red; 2; ; ; 1 2 3")
    shown = " ".join(capsys.readouterr().out.split())
    assert "to correct: wounds 0" in shown and "correction: Colonel Wood, wounds: 1" in shown
    assert "you typed 3 faces, but the throw has 10 dice (fire dice: 10 dice" in shown


def test_an_option_of_a_house_rule_is_an_act() -> None:
    evening = new_evening("vcc", scenario_of_list(FORCES), seed=1, house_rules=[find_house_rule("dig_in")])
    typed(evening, "next", "next", "next")  # step 5: small arms of the column
    (opening,) = [opening for opening in evening.openings() if opening.act == "fire_by_house_rule"]
    assert "alpha" in opening.actors
    assert typed(evening, "fire_by_house_rule alpha") == ["Alpha dug in"]
    assert "alpha" not in {unit for opening in evening.openings() for unit in opening.actors}  # it counts as its fire
    assert evening.state.own == {"dig_in.dug/alpha": True}


@pytest.mark.rule("VCC-110", "VCC-111")
def test_odds_of_a_leader_check_name_wounds_and_jests() -> None:
    """Most checks miss him; a hit wounds him more often than it makes him jest."""
    evening = evening_of("Us:\n20 Alpha rifles, Lt Ashby\nThem:\n24 Red spears")
    evening.state.checks.append(LeaderCheck("alpha", "medium"))
    line = evening.form("leader").preview().odds
    assert re.fullmatch(
        r"no change \(\d+\u00a0% chance\); Alpha: .*wounds of its leader 1 or more \(\d\u00a0% chance\), .*", line
    )
    assert "+1 to its next morale check (jest)" in line and ", jest" not in line


@pytest.mark.rule("VCC-059", "VCC-070", "VCC-071")
def test_a_charge_asks_once_what_applies() -> None:
    evening = evening_of()
    form = evening.form("charge", Scene(evening.game, "blue", "alpha"), out_of_turn=True)
    assert isinstance(form.pending, AskFact)
    assert [*form.pending.choices.values()] == [
        "it hits the flank of the target", "it goes uphill", "the target is in soft cover", "the target is in hard cover",
    ]  # fmt: skip
    form.give(("uphill", "hard"))
    battle = form.state.copy()
    form.act.lay_out(battle, form.scene)
    box = battle.unit("alpha").box
    assert (battle.field.cover[0, box], battle.field.level[box]) == ("hard", 1)
