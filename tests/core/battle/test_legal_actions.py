"""A menu of legal actions computes actions only as far as a caller reads them."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from zareba.battle.legal_actions import LegalActions
from zareba.table import Option


def acts(looked_for: list[Option], *found: Option) -> Iterator[Option]:
    for act in found:
        looked_for.append(act)
        yield act


def judge(asked: list[str], name: str, says: bool) -> Callable[[], bool]:
    def judged() -> bool:
        asked.append(name)
        return says

    return judged


def test_what_kinds_there_are_is_known_before_all_acts_are() -> None:
    looked_for: list[Option] = []
    menu = LegalActions("battle", "unit")
    menu.extend(["hold"])
    menu.offer("march", acts(looked_for, ("march", 1), ("march", 2)))
    menu.offer("charge", acts(looked_for))
    assert looked_for == []
    assert menu.kinds.are_several()
    assert looked_for == [("march", 1)]
    assert list(menu.kinds) == ["hold", "march"]
    assert "charge" not in menu.kinds
    assert menu.of("march") == [("march", 1), ("march", 2)] == looked_for
    assert menu.of("hold") == ["hold"]


def test_a_kind_is_judged_once_and_one_that_is_promised_never() -> None:
    asked: list[str] = []
    menu = LegalActions("battle", "unit")
    menu.add("rally", judge(asked, "rally", True))
    menu.add("flee", judge(asked, "flee", False))
    menu.promise("fire", iter([("fire", "foe")]))
    assert menu.kinds.sure == 1 and menu.kinds.not_closed == 3
    for _ in range(2):
        assert "rally" in menu.kinds and "flee" not in menu.kinds and "fire" in menu.kinds
    assert asked == ["rally", "flee"]
    assert menu.kinds.listed == ["rally", "fire"]
    assert menu.kinds.any_of(["flee", "fire"]) and not menu.kinds.any_of(["flee"])
    assert menu.of("fire") == [("fire", "foe")]


def test_who_knows_that_there_is_an_act_need_not_look_for_one() -> None:
    looked_for: list[Option] = []
    menu = LegalActions("battle", "unit")
    menu.offer("march", acts(looked_for, ("march", 1)), surely=lambda: True)
    assert "march" in menu.kinds and looked_for == []


def test_a_menu_is_for_one_unit_of_one_battle() -> None:
    battle, unit = ["battle"], ["unit"]
    assert LegalActions(battle, unit).is_for(battle, unit)
    assert not LegalActions(battle, unit).is_for(["battle"], unit)
