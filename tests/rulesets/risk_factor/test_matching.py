"""Charging, and who is matched with whom (RSK-162 to RSK-165, RSK-182)."""

from __future__ import annotations

from typing import Any

import pytest
from tests.rulesets.risk_factor.battlefields import (
    Scene,
    battle_of,
    leader,
    line,
    row,
    rules_with,
    scene,
    troops,
)

from zareba.table import SeededTable
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.charge import attack, charge_home
from zareba_rulesets.risk_factor.match import spread
from zareba_rulesets.risk_factor.melee import fight, matches
from zareba_rulesets.risk_factor.orders import order_options
from zareba_rulesets.risk_factor.prisoners import engaged_figures

# --- charging -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-162", "RSK-163")
def test_each_figure_goes_into_contact_if_it_can_reach() -> None:
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (60, 50), (70, 20)], close="sword", marks=["free"]),
        troops("b", "blue", (0, 0), at=[(50, 70), (60, 70), (70, 70)]),
    )
    assert ("charge", "b") in order_options(field.battle, field["a"])
    with field.script() as table:
        charge_home(table, field.battle, field["a"], field["b"], 0)
    assert len(engaged_figures(field.battle, field["a"])) == 2
    assert field["a"].body.at[2] == pytest.approx((70, 45), abs=0.1)
    bound = scene(
        troops("a", "red", (50, 50), 4, close="sword", marks=["bound"], result="retreat"),
        troops("b", "blue", (50, 70), 4),
    )
    assert "free" not in bound["a"].marks


@pytest.mark.rule("RSK-162", "RSK-077")
def test_a_barrier_on_the_way_costs_half_the_charge() -> None:
    def contact(barrier: bool) -> bool:
        fence = [line("fence", "hedge", (0, 60), (100, 60))] if barrier else []
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], close="sword"),
            troops("b", "blue", (0, 0), at=[(50, 72)]),
            terrain=fence,
        )
        with field.script() as table:
            attack(table, field.battle, field["a"])
        return bool(field.battle.touching(field["a"]))

    assert contact(False) and not contact(True)


@pytest.mark.rule("RSK-164")
def test_chargers_spread_over_their_enemies() -> None:
    field = scene(
        troops("a", "red", (50, 50), 6, close="sword", width=6),
        troops("b", "blue", (0, 0), at=[(46, 65), (50, 65), (54, 65)]),
    )
    with field.script() as table:
        attack(table, field.battle, field["a"])
    assert len(engaged_figures(field.battle, field["b"])) == 3


# --- matching -------------------------------------------------------------------------------------------------------------------


@pytest.mark.rule("RSK-164", "RSK-165")
@pytest.mark.setting("melee.max_contact")
def test_numbers_are_spread_evenly_and_the_rest_stand_behind() -> None:
    assert spread(10, 20, 4) == [2] * 10
    assert spread(3, 7, 4) == [3, 2, 2]
    assert spread(2, 20, 4) == [4, 4]
    assert spread(2, 20, RskBook(rules_with(melee_max_contact=3)).settings.melee_max_contact) == [3, 3]
    assert spread(3, 3, 4) == [1, 1, 1] and spread(0, 5, 4) == []


@pytest.mark.rule("RSK-164")
@pytest.mark.setting("melee.step_up_cm")
def test_the_charged_step_up() -> None:
    def fighting(**settings: Any) -> int:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], marks=["charged", "charger"]),
            troops("b", "blue", (0, 0), at=[(50, 52.5), (53, 56), (50, 62)]),
            **settings,
        )
        with field.script() as table:
            found = matches(table, field.battle, [field["a"], field["b"]])
        return sum(len(match.several) for match in found)

    assert fighting() == 2
    assert fighting(melee_step_up_cm=10.0) == 3
    assert fighting(melee_step_up_cm=0.0) == 1


@pytest.mark.rule("RSK-182")
@pytest.mark.setting("melee.leaders")
def test_leaders_of_a_charged_group_are_matched_last() -> None:
    def opponents(**settings: Any) -> list[tuple[str, int]]:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], marks=["charged", "charger"]),
            troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 57.5)]),
            leader("chief", "blue", (52.6, 52.5)),
            melee_max_contact=2,
            **settings,
        )
        with field.script() as table:
            found = matches(table, field.battle, [field["a"], field["b"]])
        return found[0].several

    assert opponents() == [("b", 0), ("b", 1)]
    assert opponents(melee_leaders="as_figures") == [("b", 0), ("chief", 0)]
    alone = scene(
        leader("x", "red", (50, 50), close="sword", marks=["charged"]), leader("y", "blue", (50, 52.5), close="sword")
    )
    battle_of(alone, ("melee", [6, 1]))
    assert "y" in alone.battle.gone


@pytest.mark.rule("RSK-164")
def test_the_charging_side_says_who_faces_the_odd_opponents() -> None:
    def three(**more: Any) -> Scene:
        reds = troops("a", "red", (0, 0), at=[(50, 50), (52.6, 50), (55.1, 52.5)], marks=("charged", "charger"))
        return scene(reds, troops("b", "blue", (0, 0), at=row(2, 52.5, step=2.6), hurt=1), **more)

    field = three()
    with field.script(("odd opponents", "wounded")) as table:
        found = matches(table, field.battle, [field["a"], field["b"]])
    assert [(match.single, len(match.several)) for match in found] == [(("b", 1), 2), (("b", 0), 1)]
    quiet = three(solo=["red"])
    with quiet.script() as table:
        assert [len(match.several) for match in matches(table, quiet.battle, [quiet["a"], quiet["b"]])] == [2, 1]


@pytest.mark.rule("RSK-164")
def test_a_charge_of_the_last_player_turn_makes_nobody_the_charger() -> None:
    """Blue charged in its own turn; in red's turn both sides step up, and red says who faces the odd man."""
    reds = troops("a", "red", (0, 0), at=[(50, 50), (52.6, 50)], hurt=1)
    blues = troops("b", "blue", (0, 0), at=[(50, 52.5), (52.6, 52.5), (50, 56)], marks=("charged", "charger"))
    field = scene(reds, blues)
    with field.script(("odd opponents", "wounded")) as table:
        found = matches(table, field.battle, [field["a"], field["b"]])
    assert [(match.single, len(match.several)) for match in found] == [(("a", 1), 2), (("a", 0), 1)]
    field["a"].mark("charged")
    with field.script(("odd opponents", "front")) as table:
        found = matches(table, field.battle, [field["a"], field["b"]])
    assert sum(len(match.several) for match in found) == 3, "the charged step up"
    behind = scene(
        troops("a", "red", (0, 0), at=[(50, 50), (50, 46.5)], marks=("charged", "charger")),
        troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 56)], marks=("charged",)),
    )
    with behind.script() as table:
        found = matches(table, behind.battle, [behind["a"], behind["b"]])
    assert [(match.single, match.several) for match in found] == [(("a", 0), [("b", 0), ("b", 1)])]


@pytest.mark.rule("RSK-164")
@pytest.mark.parametrize(
    ("hurt", "chief", "enemies", "kinds"),
    [
        (0, False, 3, []),
        (1, False, 3, ["front", "wounded"]),
        (2, False, 3, []),
        (0, True, 4, ["front", "leaders"]),
        (1, True, 4, ["front", "wounded", "leaders"]),
        (1, False, 4, []),
    ],
)
def test_which_kinds_of_men_can_be_named_for_the_odd_opponents(
    hurt: int, chief: bool, enemies: int, kinds: list[str]
) -> None:
    """Two men, and a leader perhaps; nothing is asked if numbers come out even or all men are of one kind."""
    blues = [(47.5, 52.5), (50.0, 52.5), (52.6, 52.5), (55.2, 52.5)][:enemies]
    units = [troops("a", "red", (0, 0), at=[(50, 50), (52.6, 50)], hurt=hurt, marks=("charged", "charger"))]
    units += [leader("chief", "red", (47.4, 50), marks=("charged",))] if chief else []
    field = scene(*units, troops("b", "blue", (0, 0), at=blues))
    offered: list[str] = []

    def answer(question: Any, _: Any) -> Any:
        offered.extend(question.options)
        return question.options[-1]

    table = SeededTable(field.rules, field.battle, 1, {"red": answer})
    found = matches(table, field.battle, list(field.battle.units.values()))
    assert offered == kinds
    odd = next(match.single for match in found if len(match.several) == max(len(m.several) for m in found))
    if kinds[-1:] == ["leaders"]:
        assert odd == ("chief", 0)


@pytest.mark.rule("RSK-182")
@pytest.mark.setting("melee.leaders")
@pytest.mark.parametrize(("how", "first"), [("last", ("b", 1)), ("as_figures", ("chief", 0))])
def test_a_leader_in_contact_is_matched_after_the_men_who_step_up(how: str, first: tuple[str, int]) -> None:
    """The charger touches the chief and one man; for his second opponent a man steps up before the chief, or not."""
    field = scene(
        troops("a", "red", (0, 0), at=[(50, 50)], marks=["charged", "charger"]),
        troops("b", "blue", (0, 0), at=[(50, 52.5), (50, 56)]),
        leader("chief", "blue", (52.5, 50)),
        melee_max_contact=2,
        melee_leaders=how,
    )
    with field.script() as table:
        found = matches(table, field.battle, [field["a"], field["b"], field["chief"]])
    assert found[0].several == [("b", 0), first]


@pytest.mark.rule("RSK-036", "RSK-161", "RSK-170")
def test_freed_prisoners_fight_with_bare_hands() -> None:
    """Stones against stones draw on equal dice; even they are better than the arms of a man from whom his were taken."""

    def wounded(*marks: str) -> bool:
        field = scene(
            troops("a", "red", (0, 0), at=[(50, 50)], close="rocks", marks=["charged"]),
            troops("b", "blue", (0, 0), at=[(50, 52.5)], close="rocks", marks=marks),
            solo=["red"],
        )
        with field.script(("melee", [5, 5])) as table:
            fight(table, field.battle, ("a", "b"))
        return any(field["b"].hurt)

    assert wounded("disarmed") and not wounded()
