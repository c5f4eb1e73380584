"""An evening of the Risk Factor at a real table, worked out by hand beforehand.

Each line of the evening is what people type. Above it stands the result by the rulebook.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.companion_games import limit_odds, typed

from zareba.base.errors import ZarebaError
from zareba.chance import SUM, Counts
from zareba.companion import AskFact, Evening, Finished, Form, Scene, Throw, new_evening, open_evening, scenario_of_list
from zareba.registry import find_house_rule, load_rules
from zareba.scenario import load_scenario
from zareba.table import RecordedTable, Roll
from zareba_rulesets.risk_factor.chapters.casualties import DAMAGE
from zareba_rulesets.risk_factor.companion import RskCompanion
from zareba_rulesets.risk_factor.companion.book import groups_of_leaders, melees_on_table, place_all
from zareba_rulesets.risk_factor.companion.melees import pairs_of
from zareba_rulesets.risk_factor.forces import Battle
from zareba_rulesets.risk_factor.game import RskGame

# Drilled regulars have an NCO in their number (RSK-020), so that Alpha and Bravo have 7 men with him, Charlie, Echo and
# Reserve 5, Delta 4. Lt Ashby is with Alpha. Both commanders stand alone.
FORCES = """\
The column:
commander Colonel Wood
8 Alpha rifles, Lt Ashby
8 Bravo rifles, veteran
6 Charlie rifles, raw
5 Delta lancers
6 Echo muskets
6 Reserve rifles, turn 2 on 4+
1 field gun, turn 3
1 machine gun, turn 3
The impi:
commander Chief Mehlo
12 Red spears
10 Blue spears, elite
10 Green spears, raw
8 Marks muskets
8 Black spears
5 Riders horsemen
"""


def evening_of(text: str = FORCES, **settings: Any) -> Evening[Battle]:
    own = {"actions.start": "halt", "extensions.support_weapons": "on"} | {
        name.replace("__", "."): value for name, value in settings.items()
    }
    return new_evening("risk_factor", scenario_of_list(text), seed=1, settings=own)


def unit(evening: Evening[Battle], name: str) -> tuple[int, int, str, str]:
    """Return the figures of a unit, how many are wounded, its action and its status."""
    group = evening.state.units[name]
    return group.count, sum(group.hurt), group.action, group.status


def met(evening: Evening[Battle], name: str) -> list[str]:
    """Return the enemies in contact with a unit."""
    battle = evening.state
    return sorted(enemy.id for enemy in battle.enemies_in_contact(battle.units[name]))


@pytest.fixture(autouse=True)
def quiet(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    limit_odds(monkeypatch)
    yield
    capsys.readouterr()


def first_turn(evening: Evening[Battle]) -> None:
    """Play the first turn of both sides and check each result."""
    # --- Turn 1, the column -------------------------------------------------------------------------------------------
    typed(evening, "6; 1")  # the highest begins (RSK-042)
    # A Veteran throws 3 dice (RSK-051): 11 points. The NCO costs 1 and adds 6 (RSK-060, RSK-061): 16.
    assert typed(evening, "; 4 4 3") == ["Colonel Wood threw 3D6 for command: 11 points"]
    assert typed(evening, "link 1; 2 2 2")[-1] == "NCO of Alpha passed on orders from Colonel Wood: +6, 16 in total"
    # Whole groups, a point for a loyal figure (RSK-056, RSK-059).
    assert typed(evening, "command alpha; nco", "command bravo; colonel", "next") == [
        "Alpha received orders for 7 points, 9 left", "Bravo received orders for 7 points, 2 left",
    ]  # fmt: skip
    # Risk Factors. Alpha: in range 1. Bravo: superior -1, cover -1 (RSK-115, RSK-116). Charlie: flank 2 (RSK-122).
    typed(evening, "; bravo; ; alpha; ; charlie", "3; 2; 1; 6; 3; 4")
    risks = {name: evening.state.risk[name] for name in ("alpha", "bravo", "charlie", "delta", "echo", "colonel_wood")}
    assert risks == {"alpha": 1, "bravo": -2, "charlie": 2, "delta": 0, "echo": 0, "colonel_wood": 0}
    # Table A1: Alpha advances, Bravo continues, Charlie retreats; A2: Delta moves towards the enemy (RSK-131, RSK-134).
    results = {name: evening.state.units[name].result for name in ("alpha", "bravo", "charlie", "delta", "echo")}
    assert results == {
        "alpha": "advance", "bravo": "continue", "charlie": "retreat", "delta": "towards", "echo": "continue",
    }  # fmt: skip
    typed(evening, "")  # Delta is farther than 50 cm, so its advance is no attack (RSK-138)
    # Charlie retreats first (RSK-038), into cover within its move (RSK-140). Riders move 40 cm (RSK-074).
    assert typed(evening, "red; 15; ; 1", "act delta; black; 60") == [
        "Charlie moves 15 cm into cover", "Delta moves 40 cm towards the nearest enemy",
    ]  # fmt: skip
    # Half a move, so that Alpha may shoot (RSK-089).
    assert typed(evening, "order alpha; 3; half", "next") == ["Alpha moves 12.5 cm towards the nearest enemy"]
    # Alpha: 7 rifles at short range in the open, 2 or more: 6 hits (RSK-098). Damage 3 wounds, 5 kills (RSK-100). The
    # pistol of Lt Ashby, who is with them, at its long range: 6 or more (RSK-087).
    told = typed(evening, "alpha; red; 20; ; ; 2 3 4 5 6 7 1; 4 5 2 2 1 1; 5", "wound; man 1 of Red; man 2 of Red")
    assert told == [
        "Alpha shot at Red in the open: 8 shots, 6 hits (1 wound, 1 kill)", "Red: 1 wounded", "Red lost 1 figure, 11 left",
    ]  # fmt: skip
    # Bravo: 7 men and the NCO at long range, soft cover: 7 or more.
    told = typed(evening, "bravo; marks; 100; soft; ; 8 7 6 5 4 3 2 1; 5 6", "man 1 of Marks; man 2 of Marks")
    assert told[0] == "Bravo shot at Marks in soft cover: 8 shots, 2 hits (2 kills)"
    # Echo has no orders and stood: 1 in 2 of 6 (RSK-081). Medium range of a musket, hard cover: 7 or more.
    told = typed(evening, "echo; blue; 30; hard; ; 8 1 2; 3", "man 1 of Blue")
    assert told == ["Echo shot at Blue in hard cover: 3 shots, 1 hit (1 wound)", "Blue: 1 wounded"]
    typed(evening, "next")

    # --- Turn 1, the impi ---------------------------------------------------------------------------------------------
    assert typed(evening, "6 5 1") == ["Chief Mehlo threw 3D6 for command: 12 points"]
    assert typed(evening, "command red") == ["Red received orders for 11 points, 1 left"]
    # In range, all but Chief Mehlo: 1. Red: 2 of 12 lost are 1 tenth (RSK-120): 2. Blue: 1 of 10, superior: 1. Green:
    # Raw: 2 (RSK-119). Marks: 2 of 8 are 2 tenths: 3. Black: cavalry is near (RSK-123): 3. Riders: 1.
    typed(evening, "; ; 1 2 3 4 5 6; ; black", "5; 4; 2; 2; 1; 6; 1")
    names = ("red", "blue", "green", "marks", "black", "riders", "chief_mehlo")
    assert [evening.state.risk[name] for name in names] == [2, 1, 2, 3, 3, 1, 0]
    results = {name: evening.state.units[name].result for name in names}
    assert results == {
        "red": "attack", "blue": "attack", "green": "advance", "marks": "halt", "black": "retreat", "riders": "attack",
        "chief_mehlo": "continue",
    }  # fmt: skip
    typed(evening, "")
    assert typed(evening, "delta; ; ", "act green; alpha; 60") == [
        "Black moves 25 cm straight away from the nearest enemy", "Green moves 25 cm towards the nearest enemy",
    ]  # fmt: skip
    typed(evening, "order red; charge; alpha", "next")
    # Natives charge D6 cm farther (RSK-137): 25 + 3 reach 20 cm.
    assert typed(evening, "charge blue; echo; 20; 3; 6") == ["Blue charges Echo: 6 figures in contact"]
    assert typed(evening, "charge riders; bravo; 60; 6") == ["Riders moves 46 cm towards the nearest enemy"]
    assert typed(evening, "charge red; 12; 1; 7") == ["Red charges Alpha: 7 figures in contact"]
    assert [met(evening, name) for name in ("alpha", "echo", "riders")] == [["red"], ["blue"], []]
    # Marks: 3 of 6 at long range, soft cover: 7 or more. Any of the 5 men and their NCO may be hit (RSK-105).
    told = typed(evening, "marks; charlie; 110; soft; ; 7 2 3; 4", "man 1 of Charlie", "next")
    assert told == ["Marks shot at Charlie in soft cover: 3 shots, 1 hit (1 wound)", "Charlie: 1 wounded"]
    # Red against Alpha, 7 each, neither NCO nor lieutenant. The bayonet is the better weapon: 1 (RSK-170). Red 6
    # against 2 kills, 1 against 7 is killed, 5 against 3 wounds (RSK-173). Alpha lost 2 and Red 1: Alpha goes back
    # (RSK-177), Red follows (RSK-179).
    told = typed(evening, "red; ; 0; ; 6 1; 1 6; 5 2; 3 3; 3 3; 3 3; 3 3; ; y")
    assert "melee of Alpha and Red: 2 casualties of the column, 1 casualty of the impi; the column fell back" in told
    assert told[-2:] == ["Alpha falls back 5 cm", "Red follows up, 5 cm at most"]
    assert (unit(evening, "alpha")[:2], unit(evening, "red")[:2], met(evening, "alpha")) == ((6, 1), (10, 1), ["red"])
    # Blue against Echo and its NCO, 6 each. Echo 6 against 2 kills. An elite warrior, superior in melee (RSK-169),
    # beats 2 with 3, but hits only with 5 or 6. Blue goes back, and a man has no room: he is wounded and stays
    # (RSK-180).
    told = typed(evening, "nco; 0; 1; ; 1 6; 2 2; 2 2; 2 2; 2 2; 2 2; blue; 1; ; n")
    assert "melee of Blue, Echo and NCO of Echo: 1 casualty of the impi; the impi fell back" in told
    assert "Blue: 1 figure had no room to fall back" in told
    assert (unit(evening, "blue")[:2], met(evening, "echo")) == ((9, 2), ["blue"])


@pytest.mark.rule("RSK-037")
def test_first_turn_of_an_evening() -> None:
    first_turn(evening_of())


@pytest.mark.deep
@pytest.mark.rule("RSK-037")
def test_evening_of_three_turns() -> None:
    evening = evening_of()
    first_turn(evening)
    names = ("red", "blue", "green", "marks", "black", "riders", "chief_mehlo")

    # --- Turn 2, the column -------------------------------------------------------------------------------------------
    assert typed(evening, "5") == ["Reserve arrives", "NCO of Reserve arrives"]  # on 4 or more (RSK-185)
    # 4 points command the 4 lancers (RSK-056).
    typed(evening, "; 1 1 2", "command delta")
    # Alpha: 2 of 7 lost are 2 tenths, in range 1, advancing -1, flank 2, worse in melee 3 (RSK-124): 7. Bravo:
    # superior, cover: -2. Charlie: 1 of 5 wounded are 2 tenths: 2. Delta: advancing -1, in range 1: 0. Echo: in range
    # 1.
    typed(evening, "; bravo; ; alpha, delta, echo; ; alpha; ", "1; 2; 4; 6; 1; 3; 2")
    column = ("alpha", "bravo", "charlie", "delta", "echo", "reserve")
    assert [evening.state.risk[name] for name in column] == [7, -2, 2, 0, 1, 0]
    # Alpha routs; Charlie's advance ends its retreat (RSK-144).
    assert [evening.state.units[name].status for name in column] == ["routing", *["steady"] * 5]
    # Surrounded, Alpha surrenders to Red with its leaders (RSK-143, RSK-192). Prisoners are no casualties (RSK-156).
    told = typed(evening, "red; 0; y; ")
    assert told == [
        "Red took 6 prisoners from Alpha", "Red took 1 prisoner from NCO of Alpha", "Red took 1 prisoner from Lt Ashby",
    ]  # fmt: skip
    assert (evening.state.gone["alpha"], evening.state.units["alpha"].dead) == ("captured", 1)
    # Missile troops stop at the medium range of their rifles, 90 cm (RSK-138).
    assert typed(evening, "act charlie; marks; 100") == ["Charlie moves 10 cm towards the nearest enemy"]
    typed(evening, "order delta; charge; black", "next")
    assert typed(evening, "charge delta; 30; 4") == ["Delta charges Black: 4 figures in contact"]
    # Bravo, without orders and with its NCO: 4 of 8 at medium range in the open, 4 or more.
    told = typed(evening, "bravo; red; 40; ; ; 4 5 1 2; 5 6", "man 3 of Red; man 4 of Red", "next")
    assert told[0] == "Bravo shot at Red in the open: 4 shots, 2 hits (2 kills)"
    # Delta against Black, 4 each. The lance is the better weapon (RSK-170): two Blacks fall.
    told = typed(evening, "delta; ; ; 6 1; 6 1; 3 3; 3 3; ; n")
    assert "melee of Black and Delta: 2 casualties of the impi; the impi fell back" in told
    # The wounded man who had no room fights on: 5 against 4, but a 4 does no harm. After a draw both go back (RSK-178).
    told = typed(evening, "; 1; ; 4 4; ")
    assert "melee of Blue and Echo: no casualties; both sides fell back" in told
    assert [met(evening, name) for name in ("red", "black", "blue")] == [[], [], []]

    # --- Turn 2, the impi ---------------------------------------------------------------------------------------------
    typed(evening, "1 1 1")
    # In range: 1 each. Red: 5 of 12 lost are 4 tenths, attacking -1: 4. Blue: superior -1, attacking -1, 3 of 10 lost
    # 3, worse in melee 3: 5. Green: Raw 1, advancing -1: 1. Marks: 2 of 8 lost: 3. Black: 2 of 8 lost 2, cavalry 2,
    # worse in melee 3: 8. Riders: attacking -1: 0.
    typed(evening, "; ; 1 2 3 4 5 6; ; ; black", "3; 1; 3; 4; 1; 6; 3")
    assert [evening.state.risk[name] for name in names] == [4, 5, 1, 3, 8, 0, 0]
    results = {name: evening.state.units[name].result for name in names[:6]}
    assert results == {
        "red": "halt", "blue": "retreat", "green": "advance", "marks": "advance", "black": "rout", "riders": "towards",
    }  # fmt: skip
    typed(evening, "green")  # it is within 50 cm, and attacks (RSK-138)
    # Routers run 5 cm more (RSK-142). Figures that cross the edge are lost to their side, but no casualties (RSK-145).
    assert typed(evening, "delta; 10; ; 2", "echo; ; ") == [
        "Black: 2 figures went off the table, 4 left", "Black moves 30 cm straight away from the nearest enemy",
        "Blue moves 25 cm straight away from the nearest enemy",
    ]  # fmt: skip
    assert typed(evening, "act marks; charlie; 100", "act riders; bravo; 80", "next") == [
        "Marks moves 25 cm towards the nearest enemy", "Riders moves 40 cm towards the nearest enemy",
    ]  # fmt: skip
    assert typed(evening, "charge green; delta; 40; 6") == ["Green moves 31 cm towards the nearest enemy"]
    # A figure of Red that does nothing else kills two prisoners (RSK-159).
    told = typed(evening, "2")
    assert sum(int(sentence.split()[2]) for sentence in told) == 2
    typed(evening, "next")
    assert unit(evening, "black") == (4, 0, "rout", "routing")

    # --- Turn 3 -------------------------------------------------------------------------------------------------------
    # 5 points command the 5 men at the machine gun, who have just arrived (RSK-056).
    told = typed(evening, "; 2 2 1", "command machine gun")
    assert told[-1] == "Machine gun received orders for 5 points, 0 left"
    typed(evening, "; ; ; ; ; ", "3 4 3 3 3 3 3 3")  # the dice of all units in one go
    typed(evening, "next", "next")
    # Six shots with orders (RSK-008), medium range in the open: 4 or more. Damage 6 kills, 3 wounds, 1 is a graze.
    told = typed(evening, "machine gun; green; 80; ; 8 5 4 3 2 1; 6 3 1", "wound; man 1 of Green; man 2 of Green")
    assert told == [
        "Machine gun shot at Green in the open: 6 shots, 3 hits (1 wound, 1 kill)", "Green: 1 wounded",
        "Green lost 1 figure, 9 left",
    ]  # fmt: skip
    # One shot of the gun at its long range, soft cover: 7 or more. The shell strikes two men within 10 cm of the first.
    told = typed(evening, "field gun; marks; 200; soft; ; 7", "man 1 of Marks; 2; 5 6; man 1 of Marks; man 2 of Marks")
    assert told == ["Field gun shot at Marks in soft cover: 1 shot, 1 hit (2 kills)", "Marks lost 2 figures, 4 left"]
    # Chief Mehlo stands alone at 80 cm: 4 of 8 shots, 4 or more; a hit kills him.
    told = typed(evening, "bravo; chief; 80; ; ; 8 8 1 1; 6 1", "next")
    assert told[0] == "Bravo shot at Chief Mehlo in the open: 4 shots, 2 hits (1 kill)"
    assert "no leader took over command from Chief Mehlo" in told
    assert evening.state.gone["chief_mehlo"] == "killed"
    left = {name: unit(evening, name)[:2] for name, group in evening.state.units.items() if group.is_on_table}
    assert left == {
        "bravo": (7, 0), "bravo_nco": (1, 0), "charlie": (5, 1), "charlie_nco": (1, 0), "delta": (4, 0),
        "delta_nco": (1, 0), "echo": (5, 0), "echo_nco": (1, 0), "reserve": (5, 0), "reserve_nco": (1, 0),
        "colonel_wood": (1, 0), "field_gun": (5, 0), "machine_gun": (5, 0), "red": (8, 1), "blue": (9, 2),
        "green": (9, 1), "marks": (4, 0), "black": (4, 0), "riders": (5, 0),
    }  # fmt: skip


@pytest.mark.rule("RSK-086")
@pytest.mark.setting("shooting.split_fire")
def test_half_of_a_volley_may_have_another_target() -> None:
    forces = "Us:\ncommander Colonel Wood\n9 Alpha rifles\nThem:\n12 Red spears\n10 Blue spears, elite\n"
    evening = evening_of(forces, shooting__split_fire=True)
    typed(evening, "6; 1", "; 6 6 6", "command alpha", "next", "; ; ; ", "3", "next")
    # 4 of the 8 men and the NCO shoot at Red at short range in the open, 2 or more; the 4 others at Blue at long range
    # in soft cover, 7 or more (RSK-098). 3 wounds, 5 kills.
    told = typed(evening, "alpha; red; 20; ; 2; 100; soft; 2 1 1 1 1; 3", "man 1 of Red; 7 6 6 6; 5; man 1 of Blue")
    assert told == [
        "Alpha shot at Red in the open: 5 shots, 1 hit (1 wound)", "Red: 1 wounded",
        "Alpha shot at Blue in soft cover: 4 shots, 1 hit (1 kill)", "Blue lost 1 figure, 9 left",
        "Them begins its turn",  # no man fires twice, so there is nothing left to do
    ]  # fmt: skip


@pytest.mark.rule("RSK-029", "RSK-087")
def test_the_limit_of_a_range_stands_for_the_distances_within_it() -> None:
    """The limits of the rifles and of the officer's pistol are proposed; any other distance fits as well."""
    forces = "Us:\ncommander Colonel Wood\n9 Alpha rifles, Lt Ashby\nThem:\n12 Red spears\n"
    shots = {}
    for distance in ("up to 90 cm", "90", "45", "31", "up to 30 cm"):
        evening = evening_of(forces)
        typed(evening, "6; 1", "; 6 6 6", "command alpha", "next", "; ; ; ", "3", "next")
        form = evening.form("fire", Scene(evening.game, "alpha", "red"))
        assert isinstance(form.pending, AskFact)
        assert list(form.pending.choices.values()) == [f"up to {limit} cm" for limit in (5, 10, 30, 90, 180)]
        shots[distance] = typed(evening, f"alpha; {distance}; ; none; auto")
    assert shots.pop("up to 30 cm") != shots["31"]  # the pistol reaches, and the rifles hit more easily
    assert all(told == shots["31"] for told in shots.values()), shots


@pytest.mark.rule("RSK-087", "RSK-097")
def test_leaders_and_wounded_men_may_be_out_of_a_volley(capsys: pytest.CaptureFixture[str]) -> None:
    """The NCO of Alpha sees no one, so 8 men shoot. Then one man of Red, who is unhurt, can be hit by Bravo."""
    forces = "Us:\ncommander Colonel Wood\n9 Alpha rifles\n9 Bravo rifles\nThem:\n12 Red spears, Chief Mehlo\n"
    evening = evening_of(forces)
    typed(evening, "6; 1", "; 6 6 6", "command alpha", "command bravo", "next", "; ; ; ", "3 3", "next")
    away = "nco of alpha does not shoot, chief mehlo cannot be hit"
    told = typed(evening, f"alpha; 20; ; {away}; 2 1 1 1 1 1 1 1; 3; man 1 of Red")
    assert told == ["Alpha shot at Red in the open: 8 shots, 1 hit (1 wound)", "Red: 1 wounded"]
    away = "figures of red cannot be hit, chief mehlo cannot be hit"
    capsys.readouterr()
    typed(evening, f"bravo; 20; ; {away}; 11; 2", "cancel")
    assert "of these 11 figures 0 to 1 are wounded, not 2" in " ".join(capsys.readouterr().out.split())
    typed(evening, f"bravo; 20; ; {away}; 11; 1; 2 1 1 1 1 1 1 1 1; 3")
    assert unit(evening, "red")[:2] == (12, 2)  # if the wounded man were in sight, he would be killed


def test_saved_evening_has_the_same_book(tmp_path: Path) -> None:
    path = tmp_path / "evening.companion"
    evening = new_evening("risk_factor", scenario_of_list(FORCES), seed=1, path=path)
    typed(
        evening, "6; 1", "; 4 4 3", "command alpha", "next", "; bravo; ; alpha; ; charlie", "3; 2; 2; 3; 3; 4", "next"
    )
    told = typed(evening, "alpha; red; 20; ; ; 2 3 4 5 6 7 1 1; 1 1 1 1 1 1; 1")
    assert told[0] == "Alpha shot at Red in the open: 9 shots, 6 hits (only grazes)"
    evening.close()
    again: Evening[Battle] = open_evening(path)
    again.close()
    assert [entry.sentences for entry in again.entries] == [entry.sentences for entry in evening.entries]
    assert again.companion.headline(again.state) == evening.companion.headline(evening.state)
    assert [unit(again, name) for name in again.state.units] == [unit(evening, name) for name in evening.state.units]


@pytest.mark.rule("RSK-005")
def test_players_report_companions_and_contacts() -> None:
    evening = evening_of()
    typed(evening, "6; 1", "any", "join colonel; bravo", "any", "meet alpha; red")
    battle = evening.state
    assert (battle.host(battle.units["colonel_wood"]), met(evening, "alpha")) == (battle.units["bravo"], ["red"])
    typed(evening, "any", "leave colonel", "any", "part alpha")
    battle = evening.state
    assert (battle.host(battle.units["colonel_wood"]), met(evening, "red")) == (None, [])


@pytest.mark.rule("RSK-048", "RSK-192")
@pytest.mark.parametrize("host", ["", "bravo", "charlie"])
def test_leader_fights_next_to_another_group_and_stays_with_his_own(host: str) -> None:
    """Lt Ashby fights in the melee of Alpha. He is alone, with Bravo, who are not in contact, or with Charlie in
    another melee.
    """
    battle = evening_of().state
    melees = [{"charlie": 2, "blue": 2}, {"alpha": 2, "lt_ashby": 1, "red": 3}]
    hosts = {**groups_of_leaders(battle), "lt_ashby": host}
    place_all(battle, hosts, melees)
    assert groups_of_leaders(battle) == hosts
    assert melees_on_table(battle) == melees


@pytest.mark.rule("RSK-048", "RSK-147")
def test_leaders_keep_their_groups_when_a_platoon_without_leaders_is_drawn_up() -> None:
    companion = RskCompanion(
        RskGame(load_rules("risk_factor", {"hidden.use": "off"}), load_scenario("square_attacked"))
    )
    battle = companion.start()
    battle.active = battle.order.index("column")
    hosts = groups_of_leaders(battle)
    hosts |= dict.fromkeys([name for name, host in hosts.items() if host.startswith("rear_face")], "camels")
    place_all(battle, hosts, [])
    facts = {"no_enemy": (), "in_cover": (), "works": (), "platoons": ("front_face", "rear_face")}
    companion.act_named["throw"].lay_out(battle, Scene(companion.game, answers=facts))
    assert groups_of_leaders(battle) == hosts


@pytest.mark.rule("RSK-005", "RSK-165")
def test_six_figures_touch_a_single_one() -> None:
    forces = "The column:\n8 Alpha rifles, Lt Ashby\nThe impi:\n12 Red spears\n"
    evening = evening_of(forces, melee__max_contact=6)
    typed(evening, "1; 6", "any", "leave ashby", "; ; red; ", "5", "")
    assert typed(evening, "charge red; ashby; 20; 1; 6") == ["Red charges Lt Ashby: 6 figures in contact"]


@pytest.mark.rule("RSK-005", "RSK-048")
def test_a_leader_who_comes_up_to_a_melee_changes_no_other_contact_or_group() -> None:
    """All of Alpha fight, its NCO stands behind them, and Lt Ashby of Bravo comes up."""
    evening = evening_of("The column:\n8 Alpha rifles, Lt Ashby\n8 Bravo rifles\nThe impi:\n12 Red spears\n")
    typed(evening, "1; 6", "; ; red; ", "5", "", "charge red; alpha; 20; 1; 7")
    typed(evening, "any", "join ashby", "any", "meet ashby; red")
    assert melees_on_table(evening.state) == [{"alpha": 7, "red": 7, "lt_ashby": 1}]
    hosts = {"alpha_nco": "alpha", "bravo_nco": "bravo", "lt_ashby": "bravo"}
    assert groups_of_leaders(evening.state) == hosts


@pytest.mark.rule("RSK-178", "RSK-180")
def test_all_go_back_after_a_draw_if_people_say_that_there_is_room() -> None:
    evening = evening_of("The column:\n8 Alpha rifles, Lt Ashby\nThe impi:\n12 Red spears\n")
    typed(evening, "1; 6", "any", "leave ashby", "; ; red; ", "5", "", "charge red; ashby; 20; 1; 4", "next")
    # The fallen man stood at one side of Lt Ashby, so that Red goes back to the other side, past him.
    told = typed(evening, "; ; 6 3 1 5 3; ")
    assert [sentence for sentence in told if "back" in sentence or "room" in sentence] == [
        "melee of Lt Ashby and Red: 1 casualty of the impi, 1 casualty of the column; both sides fell back",
        "Red falls back 5 cm",
        "Lt Ashby falls back 5 cm",
    ]
    assert [unit(evening, name)[:2] for name in ("red", "lt_ashby")] == [(11, 0), (1, 1)]


@pytest.mark.rule("RSK-115", "RSK-118", "RSK-164")
def test_questions_are_filled_in_with_what_the_book_knows() -> None:
    evening = evening_of("The column:\n8 Alpha rifles\n8 Bravo rifles\nThe impi:\n12 Red spears\n12 Blue spears\n")

    def usual(act: str, fact: str, **answers: Any) -> Any:
        form = evening.form(act, Scene(evening.game, answers=answers))
        while isinstance(asked := form.pending, AskFact) and asked.asked.fact != fact:
            form.give(asked.default)
        assert isinstance(asked, AskFact)
        return asked.default

    typed(evening, "6; 1")
    # Both are in cover and in range. Alpha advances out of its cover; Bravo halts in it.
    typed(evening, "; alpha, bravo; ; alpha, bravo; ", "6; 3")
    assert typed(evening, "act alpha; red; 150") == ["Alpha moves 25 cm towards the nearest enemy"]
    typed(evening, "next")
    assert evening.state.side == "impi"
    # Red attacks and charges with five warriors: as many fight as are in contact, unless people say otherwise.
    typed(evening, "; ; red, blue; ", "5; 2", "")
    assert evening.state.units["red"].result == "attack"
    typed(evening, "next", "charge red; alpha; 20; 1; 5", "next")
    assert usual("melee", "wrong") == ()
    assert usual("melee", "fighters_0", wrong=(0,)) == 5
    evening.next(leave_out=True)
    while (evening.state.phase, evening.state.side) != ("throw", "column"):
        evening.next(leave_out=True)
    assert usual("throw", "in_cover") == ("bravo",)
    assert usual("throw", "in_range") == ("bravo",)


@pytest.mark.rule("RSK-166", "RSK-170")
def test_scores_of_a_melee_name_their_units() -> None:
    evening = evening_of("The column:\n8 Alpha rifles\nThe impi:\n12 Red spears\n")
    battle = evening.state.copy()
    place_all(battle, groups_of_leaders(battle), [{"alpha": 3, "red": 3}])
    battle.waiting = ["alpha+red"]
    form = Form(evening.companion, battle, evening.companion.act_named["melee"], ["alpha"])
    while isinstance(form.pending, AskFact):
        form.give(form.pending.default)
    numbers = {name: tally.total for name, tally in form.preview().numbers}
    assert numbers == {"Alpha: melee score": 1, "Red: melee score": 0}


@pytest.mark.rule("RSK-100", "RSK-137")
def test_a_throw_says_what_its_faces_count() -> None:
    evening = evening_of("The column:\n8 Alpha rifles\nThe impi:\n12 Red spears\n")
    damage = Roll("damage", "RSK-100", "alpha", 3, 6, Counts((frozenset({3, 4}), frozenset({5, 6}))), DAMAGE)
    said = evening.companion.describe(evening.state, damage)
    assert said == "Damage for Alpha: throw 3d6; wounds on 3 or 4; kills on 5 or 6"
    attack = Roll("attack", "RSK-137", "red", 1, 6, SUM)
    assert evening.companion.note_on_throw(attack, ()) == "Red reaches as many cm farther as the die shows (RSK-137)."
    assert evening.companion.note_on_throw(damage, ()) == ""


@pytest.mark.rule("RSK-127")
def test_action_throws_made_together_have_their_own_meanings() -> None:
    """Alpha, in range, reads its die at Risk Factor 1, Bravo at 0."""
    evening = evening_of("The column:\n8 Alpha rifles\n8 Bravo rifles\nThe impi:\n12 Red spears\n")
    typed(evening, "6; 1")
    form = evening.form("throw")
    while isinstance(form.pending, AskFact):
        form.give(("alpha",) if form.pending.asked.fact == "in_range" else ())
    assert isinstance(form.pending, Throw)
    assert form.meanings_of(form.pending) == [
        "Alpha: 1: halt; 2 to 5: advance; 6: attack (for Risk Factor 1)",
        "Bravo: 5 or less: go on as before; 6: move towards the nearest enemy in sight (for Risk Factor 0)",
    ]


@pytest.mark.rule("RSK-191")
def test_a_march_has_a_usual_distance() -> None:
    evening = evening_of("The column:\n8 Alpha rifles\nThe impi:\n12 Red spears\n")
    battle = evening.state.copy()
    battle.phase, battle.waiting = "act", ["alpha"]
    battle.units["alpha"].result = battle.units["alpha"].action = "march"
    act = evening.companion.act_named["act"]
    form = Form(evening.companion, battle, act, ["alpha"], Scene(evening.game, "alpha"))
    pending = form.pending
    assert isinstance(pending, AskFact)
    assert pending.text == "How far does Alpha march?"
    assert [*pending.choices.values()] == ["its whole move (25 cm in the open)", "it stays"]
    form.give(pending.default)
    assert isinstance(form.pending, Finished)
    assert [event.data["cm"] for event in form.pending.events if event.kind == "move"] == [25]


@pytest.mark.rule("RSK-164", "RSK-182")
def test_people_say_which_leaders_fight_in_front_of_their_men() -> None:
    """Seven men, their NCO and Lt Ashby fight four spearmen, who face two of them each, and one of them three."""
    forces = "The column:\n8 Alpha rifles, Lt Ashby\nThe impi:\n4 Red spears\n"
    evening = evening_of(forces, melee__leaders="as_figures")
    battle = evening.state.copy()
    place_all(battle, groups_of_leaders(battle), [{"alpha": 7, "alpha_nco": 1, "lt_ashby": 1, "red": 4}])
    battle.waiting = ["alpha+red"]

    def opponents(front: tuple[str, ...]) -> list[list[str]]:
        form = Form(evening.companion, battle, evening.companion.act_named["melee"], ["alpha"])
        form.scene = Scene(evening.game, "alpha", answers={"wrong": (), "front": front})
        draft, scene = form._laid_out()
        table = RecordedTable(evening.game.rules, draft, ["front"])
        return [[other.unit_id for other in match.several] for match in pairs_of(table, draft, scene)]

    men = ["alpha", "alpha"]
    assert opponents(()) == [["alpha", *men], men, men, ["alpha_nco", "lt_ashby"]]
    assert opponents(("lt_ashby",)) == [["lt_ashby", *men], men, men, ["alpha", "alpha_nco"]]


@pytest.mark.rule("RSK-112")
def test_destroyed_group_is_corrected_back() -> None:
    evening = evening_of("The column:\n6 Alpha rifles\nThe impi:\n12 Red spears\n12 Blue spears\n")
    typed(evening, "correct red removed yes", "correct blue figures 0")
    assert {*evening.state.gone} == {"red", "blue"}
    typed(evening, "correct red removed no", "correct blue figures 12")
    red, blue = evening.state.units["red"], evening.state.units["blue"]
    assert (red.count, red.dead, blue.count, blue.dead) == (1, 11, 12, 0)
    assert not evening.state.gone and red.is_on_table and blue.is_on_table


@pytest.mark.rule("RSK-047")
def test_weak_group_combines_after_the_moves() -> None:
    evening = evening_of("The column:\n6 Alpha rifles\n6 Bravo rifles\nThe impi:\n12 Red spears\n")
    evening.correct("alpha", "figures", 3)
    typed(evening, "6; 1", "; ", "3; 3")
    told = typed(evening, "next", "next", "1")
    assert told == ["Alpha joined Bravo, now 8 figures"]


def test_numbers_that_do_not_fit_are_refused(capsys: pytest.CaptureFixture[str]) -> None:
    evening = evening_of()
    typed(evening, "6; 1", "; 1 1 1", "next", "; ; ; ; ", "3; 3; 3; 3; 3; 3", "next", "alpha; red; 200")
    assert "Alpha reaches 180 cm, not 200 (RSK-029)" in capsys.readouterr().out
    typed(evening, "alpha; red; 20; ; 1; 9")
    assert "there are 7 figures, not 9" in capsys.readouterr().out


@pytest.mark.rule("RSK-089", "RSK-090")
def test_the_distance_of_a_move_gives_its_pace() -> None:
    evening = evening_of()
    typed(evening, "6; 1", "; 4 4 3", "command alpha; colonel", "next", "; ; ; ; ; ", "3; 2; 1; 6; 3; 4", "")
    form = evening.form("order", Scene(evening.game, "alpha", answers={"order": "advance"}))
    with pytest.raises(ZarebaError, match="Alpha goes 25 cm at most in the open, not 26"):
        form.give_measured(26)
    form.give_measured(12.5)
    assert form.scene.answers["pace"] == "half"
    form.take_back()
    form.give_measured(13)
    assert form.scene.answers["pace"] == "full"


@pytest.mark.rule("RSK-044", "RSK-085", "RSK-138", "RSK-190")
def test_the_tables_run_a_side_without_a_player(tmp_path: Path) -> None:
    path = tmp_path / "solo.companion"
    own = {"actions.start": "halt"}
    evening = new_evening("risk_factor", scenario_of_list(SOLO_FORCES), seed=1, settings=own, solo=["impi"], path=path)
    # The impi begins. It has no Player Character and throws for no command points (RSK-044).
    typed(evening, "1; 6")
    # Blue sees no enemy: -4 (RSK-114). Red throws 6 and moves towards the enemy (RSK-134); the others go on to halt.
    typed(evening, "blue; ; ; ", "6; 2; 1", "")
    results = {name: evening.state.units[name].result for name in ("red", "blue", "marks")}
    assert results == {"red": "towards", "blue": "continue", "marks": "continue"}
    # The companion asks about each unit that moves: the nearest enemy in sight, and how far. Red moves 25 cm (RSK-074).
    assert typed(evening, "alpha; 60") == ["Red moves 25 cm towards the nearest enemy"]
    # No enemy is in reach of the spears. Alpha is 30 cm from Marks, in soft cover.
    assert typed(evening, "", "") == ["Red has no target", "Blue has no target"]
    # Half of the 8 muskets shoot (RSK-081): 6 or more at medium range (RSK-098). Damage 5 kills (RSK-100).
    said = typed(evening, "alpha; 30; soft; ; ", "8 6 5 1", "5 1", "")
    assert said[0].startswith("Marks shot at Alpha in soft cover: 4 shots, 2 hits (1 kill)")
    saved = evening.state.to_data()
    evening.close()
    again = open_evening(path)
    assert again.state.to_data() == saved
    again.close()


SOLO_FORCES = """\
The column:
8 Alpha rifles, Lt Ashby
8 Bravo rifles, veteran
The impi:
12 Red spears
10 Blue spears
8 Marks muskets
"""


def test_an_order_of_a_house_rule_is_offered(tmp_path: Path) -> None:
    file = tmp_path / "taunts.py"
    file.write_text(TAUNTS, encoding="utf-8")
    rules = [find_house_rule(str(file))]
    evening = new_evening("risk_factor", scenario_of_list(FORCES), seed=1, house_rules=rules)
    typed(evening, "6; 1", "; 4 4 3", "command alpha; colonel", "next", "; ; ; ; ; ", "3; 2; 1; 6; 3; 4", "")
    (opening,) = [opening for opening in evening.openings() if opening.act == "order"]
    assert opening.actors[0] == "alpha"
    assert typed(evening, "order alpha; taunt blue; 4") == ["Blue are stung"]
    assert evening.state.units["alpha"].body.at == evening.entries[-2].state.units["alpha"].body.at


TAUNTS = """
from zareba.api import Action, Evaluation, at_least, hookimpl

RULESETS = ("risk_factor",)


class Taunt(Action, verb="taunt", text="taunt {target}"):
    target: str

    @classmethod
    def options(cls, actor):
        return [cls(name) for name in actor.near]

    def perform(self, table, actor):
        means = at_least(4, "they are stung", "they laugh")
        if table.roll(1, 6, why="taunt", rule="OUR-8", actor=actor.unit.id, means=means) >= 4:
            table.emit("stung", "OUR-8", unit=self.target)

    def value(self, view):
        return Evaluation(reason="words")


@hookimpl
def zareba_actions():
    return {"order": [Taunt]}


@hookimpl
def zareba_words():
    return {"event stung": "{unit} are stung"}
"""


def test_units_are_offered_with_what_people_should_know() -> None:
    """The price of an order, and the result of the Action throw; in the order of the list of forces."""
    evening = evening_of("Us:\ncommander Colonel Wood\n6 Bravo rifles\n6 Alpha rifles\nThem:\n12 Red spears")
    note = evening.companion.note_on_unit
    typed(evening, "5", "2", "none; 6 5 4")
    assert note(evening.state, "command", "bravo") == "5 of 15 points"
    typed(evening, "receive orders bravo")
    assert note(evening.state, "command", "alpha") == "5 of 10 points"


def test_the_distance_to_the_nearest_enemy_names_both_units() -> None:
    evening = evening_of("Us:\n6 Alpha rifles\nThem:\n12 Red spears")
    act = evening.companion.act_named["act"]
    (asked,) = [ask for ask in act.asks if ask.fact == "distance"]
    assert callable(asked.question)
    text = asked.question(evening.state, Scene(evening.game, "red", "", {"enemy": "alpha"}))
    assert text == "How far from {actor} to Alpha?"
