"""A legal_actions of legal actions computes actions only as far as a caller reads them."""

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


def test_legal_kinds_are_known_before_all_actions_are_listed() -> None:
    looked_for: list[Option] = []
    legal_actions = LegalActions("battle", "unit")
    legal_actions.extend(["hold"])
    legal_actions.offer("march", acts(looked_for, ("march", 1), ("march", 2)))
    legal_actions.offer("charge", acts(looked_for))
    assert looked_for == []
    assert legal_actions.kinds.has_several()
    assert looked_for == [("march", 1)]
    assert list(legal_actions.kinds) == ["hold", "march"]
    assert "charge" not in legal_actions.kinds
    assert legal_actions.of("march") == [("march", 1), ("march", 2)] == looked_for
    assert legal_actions.of("hold") == ["hold"]


def test_a_kind_is_checked_once_and_a_certain_one_never() -> None:
    asked: list[str] = []
    legal_actions = LegalActions("battle", "unit")
    legal_actions.add("rally", judge(asked, "rally", True))
    legal_actions.add("flee", judge(asked, "flee", False))
    legal_actions.add_certain("fire", iter([("fire", "foe")]))
    assert legal_actions.kinds.sure == 1 and legal_actions.kinds.possible_count == 3
    for _ in range(2):
        assert "rally" in legal_actions.kinds and "flee" not in legal_actions.kinds and "fire" in legal_actions.kinds
    assert asked == ["rally", "flee"]
    assert legal_actions.kinds.listed == ["rally", "fire"]
    assert legal_actions.kinds.any_of(["flee", "fire"]) and not legal_actions.kinds.any_of(["flee"])
    assert legal_actions.of("fire") == [("fire", "foe")]


def test_known_legal_kind_needs_no_search() -> None:
    looked_for: list[Option] = []
    legal_actions = LegalActions("battle", "unit")
    legal_actions.offer("march", acts(looked_for, ("march", 1)), quick_check=lambda: True)
    assert "march" in legal_actions.kinds and looked_for == []


def test_a_menu_is_for_one_unit_of_one_battle() -> None:
    battle, unit = ["battle"], ["unit"]
    assert LegalActions(battle, unit).is_for(battle, unit)
    assert not LegalActions(battle, unit).is_for(["battle"], unit)
