"""The numbers of `ruleset.yaml`: impossible values are refused at their place, and allowed changes take effect."""

from __future__ import annotations

from fractions import Fraction as F
from pathlib import Path
from typing import Any

import pytest
from tests.rulesets.vcc.scenarios import scenario, troops

from zareba.base.errors import ZarebaError
from zareba.odds import Odds, odds
from zareba.registry import find_house_rule, load_rules, ruleset, ruleset_document
from zareba.rules import Rules
from zareba_rulesets.vcc.book import VccBook
from zareba_rulesets.vcc.chapters.movement import charge_targets
from zareba_rulesets.vcc.forces import Unit
from zareba_rulesets.vcc.game import VccGame


def stands(path: str) -> Any:
    """Return the value in `ruleset.yaml` at a path."""
    found: Any = ruleset_document(ruleset("vcc")).data
    for key in path.split("."):
        found = found[key]
    return found


def house_rules(folder: Path, changes: dict[str, Any], **settings: Any) -> Rules:
    """Return the rules with these values at these paths."""
    lines = []
    for path, value in changes.items():
        to = str(value).lower() if isinstance(value, bool) else value
        try:
            was = stands(path)
        except KeyError:
            lines.append(f"  - {{add: {path}, entry: {to}}}")
            continue
        lines.append(f"  - {{at: {path}, was: {str(was).lower() if isinstance(was, bool) else was}, to: {to}}}")
    file = folder / "club.yaml"
    file.write_text("\n".join(["house_rule: club", "ruleset: vcc", "changes:", *lines, ""]), encoding="utf-8")
    return load_rules("vcc", settings, [find_house_rule(str(file))])


@pytest.mark.rule("VCC-036")
def test_each_phase_of_fire_has_its_own_weapons(tmp_path: Path) -> None:
    file = tmp_path / "club.yaml"
    removed = "  - {remove: sequence.native_fire}\n  - {remove: fire_phases.native_fire}\n"
    file.write_text(f"house_rule: club\nruleset: vcc\nchanges:\n{removed}", encoding="utf-8")
    assert "native_fire" not in VccBook(load_rules("vcc", {}, [find_house_rule(str(file))])).fire_weapons


@pytest.mark.rule("VCC-081", "VCC-010", "VCC-098", "VCC-110")
@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("weapons.rifle.close", 0),
        ("classes.foot.allowance", 0),
        ("profiles.regular_infantry.fire_die", 0),
        ("profiles.regular_infantry.fire_die", 100),
        ("profiles.wagon_section.bases", 24),
        ("unit_size.least", 12),
        ("unit_size.most", 1),
        ("half_total.highest_from", 6),
        ("rocket.on_target", 6),
        ("rocket.drift_directions.die", 2),
        ("leader_hits.hit_on.close", 11),
        ("leader_hits.hit_on.medium", 12),
        ("leader_hits.die", 100),
        ("failed_morale.breaks.retreat", 12),
        ("leader_dies_at.wounds", 6),
        ("rally_roll.four_plus", 6),
        ("overheating.from_turn", 1),
    ],
)
def test_a_number_at_its_limit_is_accepted(path: str, value: Any, tmp_path: Path) -> None:
    book: Any = house_rules(tmp_path, {path: value}).data
    for key in path.split("."):
        book = book[key]
    assert book == value


def unit_of(rules: Rules, **more: Any) -> Unit:
    return VccGame(rules, scenario({"unit": troops(position=[3, 3], **more)})).start().unit("unit")


@pytest.mark.rule("VCC-010", "VCC-164", "VCC-167", "VCC-097")
def test_sizes_and_who_counts_as_armed_are_numbers_of_the_book(tmp_path: Path) -> None:
    printed = load_rules("vcc")
    wagons = {"arm": "wagon", "kind": "civilian", "figures": 8}
    half = {"kind": "tribal", "weapon": "jezail", "share": 0.5, "figures": 80}
    assert (unit_of(printed, **wagons).bases, unit_of(printed, **half).spec.weapon) == (1, "musket")
    assert (unit_of(printed, **half).strength, unit_of(printed, figures=1).bases) == (12, 1)
    changed = house_rules(
        tmp_path,
        {
            "profiles.wagon_section.bases": 3,
            "profiles.regular_infantry.bases": 4,
            "armed_share.least": 0.6,
            "unit_size.most": 15,
            "unit_size.least": 2,
        },
    )
    assert unit_of(changed, **wagons).bases == 3
    assert (unit_of(changed, figures=40).bases, unit_of(changed, figures=4).bases) == (4, 4)
    armed = unit_of(changed, **half)
    assert (armed.spec.weapon, armed.spec.profile, armed.strength) == ("none", "irregular_shock", 15)
    assert unit_of(changed, kind="tribal", figures=1).bases == 2


@pytest.mark.rule("VCC-049")
def test_troop_class_decides_who_may_charge(tmp_path: Path) -> None:
    changed = house_rules(tmp_path, {"classes.mounted.charges": False, "classes.wagon.charges": True})
    units = {
        "riders": troops(arm="cavalry", position=[3, 3]),
        "wagon": troops(arm="wagon", position=[9, 3]),
        "foe": troops("band", kind="tribal", position=[3, 9]),
    }
    for rules, may in ((load_rules("vcc"), ["riders"]), (changed, ["wagon"])):
        state = VccGame(rules, scenario(units)).start()
        assert [name for name in ("riders", "wagon") if charge_targets(state, state.unit(name))] == may


def asked(rules: Rules, procedure: str, **facts: Any) -> Odds:
    found = rules.ruleset.procedure(procedure)
    return odds(rules, found, found.facts(**facts))


@pytest.mark.rule("VCC-137", "VCC-151", "VCC-160", "VCC-156")
def test_the_dice_of_morale_rally_and_further_hits_are_numbers_of_the_book(tmp_path: Path) -> None:
    changes = {"morale_die.faces": 8, "rally_roll.die": 10, "rally_roll.four_plus": 7, "hit_die.faces": 4}
    changed = house_rules(tmp_path, changes)
    for rules, faces in ((load_rules("vcc"), 6), (changed, 8)):
        check = asked(rules, "morale", bases=3, leader=False)
        assert check.probability(lambda o: o.result == "passes") == F(3, faces)
    assert asked(changed, "rally", bases=3).probability(lambda o: o.rallied) == F(3, 10)
    plain = house_rules(tmp_path, changes, rally_method="four_plus")
    assert asked(plain, "rally", bases=3).probability(lambda o: o.rallied) == F(4, 10)
    for rules, faces in ((load_rules("vcc"), 6), (changed, 4)):
        shaken = asked(rules, "morale", bases=3, leader=False, hits=3)
        lost = shaken.probability(lambda o: o.result == "shaken" and o.bases == 2)
        assert lost / shaken.probability(lambda o: o.result == "shaken") == F(faces - 2, faces)
        barred = asked(rules, "morale", bases=3, leader=False, hits=3, room_behind=0)
        lost = barred.probability(lambda o: o.result == "falls_back" and o.bases == 2)
        assert lost / barred.probability(lambda o: o.result == "falls_back") == F(faces - 2, faces)


@pytest.mark.rule("VCC-110", "VCC-114", "VCC-115")
def test_leaders_are_hit_by_the_dice_of_the_book_and_die_at_its_wounds(tmp_path: Path) -> None:
    tough = house_rules(tmp_path, {"leader_dies_at.wounds": 5})
    twice_three = asked(tough, "leader_check", wounds=3, checks=1)
    assert twice_three.probability(lambda o: o.leader == "three wounds") == F(13, 18) + F(5, 18) * F(1, 6)
    assert twice_three.probability(lambda o: o.leader == "four wounds") == F(5, 18) * F(24, 36)
    unhurt = asked(tough, "leader_check")
    assert unhurt.probability(lambda o: o.leader == "dead") == F(5, 18) * F(1, 36), "a 12 kills whatever he stands"
    three = {
        "leader_hits.dice": 1,
        "leader_hits.die": 12,
        "leader_hits.effects.jest.from": 1,
    }
    flat = house_rules(tmp_path, three)
    assert asked(flat, "leader_check").probability(lambda o: o.leader != "unhurt" or o.jest) == F(4, 12)
    with pytest.raises(ZarebaError, match=r"a leader with 3 wounds is dead, since he dies at 3 \(VCC-115\)"):
        asked(load_rules("vcc"), "leader_check", wounds=3)
    with pytest.raises(ZarebaError, match="a leader with 4 wounds is dead"):
        asked(load_rules("vcc"), "fire_step", bases=3, commander_attached=True, commander_wounds=4)
    with pytest.raises(ZarebaError, match=r"8 hits are a base lost, at 6 to a base \(VCC-106\)"):
        asked(load_rules("vcc"), "morale", bases=3, hits=8)


@pytest.mark.rule("VCC-014")
def test_half_the_total_is_thrown_with_the_die_of_the_book(tmp_path: Path) -> None:
    changes = {"half_total.die": 8, "half_total.highest_from": 6}
    changed = house_rules(tmp_path, changes, d3_method="half_total")
    pool = asked(changed, "fire_pool", bases=1, fire_die=3)
    assert {o.hits for o in pool.outcomes} == {1, 2, 3, 4}
    assert pool.probability(lambda o: o.highest_face) == F(3, 8)


@pytest.mark.rule("VCC-156", "VCC-154")
def test_a_longer_retreat_of_a_house_rule_is_longer_in_the_odds_too(tmp_path: Path) -> None:
    changed = house_rules(tmp_path, {"failed_morale.breaks.retreat": 3})
    assert VccBook(changed).farthest_retreat == 3
    open_country = asked(changed, "morale", bases=1, leader=False)
    assert open_country.probability(lambda o: o.result == "breaks" and o.bases == 1) == F(2, 6)
    barred = asked(changed, "morale", bases=1, leader=False, room_behind=2, hits=5)
    assert barred.probability(lambda o: o.result == "breaks" and o.bases == 1) == 0
    gone = asked(changed, "morale", bases=1, leader=False, room_behind=2, edge_behind=True)
    assert gone.probability(lambda o: o.result == "routs") == F(2, 6)
