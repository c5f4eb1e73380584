"""Set pieces: every ruleset gives exact odds from its procedures, or explains why it cannot."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from functools import cache
from typing import Any

import pytest

from zareba.analysis.games.records import Variant
from zareba.analysis.studies.set_pieces import NO_SET_PIECES, set_pieces
from zareba.base.errors import ZarebaError
from zareba.odds import odds
from zareba.odds.set_pieces import PIECES, SetPieceAnswer, SetPieceQuestion, SetPieceResult, measure_set_pieces
from zareba.registry import load_rules, ruleset, ruleset_names

BUILT_IN = ("afriboria", "fixed_baynet", "paychest", "risk_factor", "vcc")


@cache
def _measured(name: str, **settings: Any) -> Mapping[str, SetPieceResult]:
    rules = load_rules(name, settings)
    stages = ruleset(name).set_pieces
    assert stages is not None
    return {measured.piece: measured for measured in measure_set_pieces(rules, stages(rules))}


@pytest.mark.parametrize("name", BUILT_IN)
def test_every_set_piece_is_exact_or_unsupported(name: str) -> None:
    assert name in ruleset_names()
    found = _measured(name)
    assert list(found) == list(PIECES)
    for measured in found.values():
        if measured.why_not:
            assert not measured.asked and measured.mean is None
            continue
        assert measured.exact and measured.asked
        assert measured.mean is not None or measured.gives_way is not None
        if measured.lost:
            assert sum(measured.lost.values()) == 1
            assert min(measured.lost) >= 0 and max(measured.lost) <= 1
        for chance in (measured.gives_way, measured.home):
            assert chance is None or 0 <= chance.p <= 1


@pytest.mark.parametrize("name", BUILT_IN)
def test_shorter_ranges_cost_more_and_a_wall_helps(name: str) -> None:
    found = _measured(name)

    def lost(piece: str) -> Fraction:
        mean = found[piece].mean
        assert mean is not None
        return mean

    assert lost("rifles_middle") > lost("rifles_far") > 0
    assert lost("rifles_cover") < lost("rifles_middle")
    tested = [
        chance.p for piece in ("morale_tenth", "morale_quarter", "morale_half") if (chance := found[piece].gives_way)
    ]
    assert tested == sorted(tested)


def test_set_pieces_equal_the_odds_of_their_procedures() -> None:
    """Twenty shots hit on 2 or more of a D12: each target falls with 11 in 12, independently (FBN-082)."""
    near = _measured("fixed_baynet")["rifles_near"]
    assert near.mean == Fraction(11, 12)
    assert near.nothing == Fraction(1, 12**20)
    rules = load_rules("risk_factor")
    procedure = rules.ruleset.procedure("volley")
    facts = procedure.facts(shooters=20, band="short", unhurt=20)
    by_hand = odds(rules, procedure, facts).mean(lambda outcome: Fraction(outcome.killed, 20))
    assert _measured("risk_factor")["rifles_near"].mean == by_hand


def test_set_pieces_follow_settings_and_house_rules() -> None:
    assert "support_weapons" in _measured("risk_factor")["machine_gun"].why_not
    assert _measured("risk_factor", **{"extensions.support_weapons": "on"})["machine_gun"].mean
    assert _measured("vcc", hits_per_base=12)["rifles_middle"].mean < _measured("vcc")["rifles_middle"].mean  # type: ignore[operator]  # both are there


def test_unknown_or_missing_set_piece_is_reported() -> None:
    rules = load_rules("vcc")
    stages = ruleset("vcc").set_pieces
    assert stages is not None
    staged = dict(stages(rules))
    with pytest.raises(ZarebaError, match="there is no set piece 'elephants'"):
        measure_set_pieces(rules, staged | {"elephants": "none here"})
    staged.pop("gun")
    with pytest.raises(ZarebaError, match="no entry for the set piece 'gun'"):
        measure_set_pieces(rules, staged)


def test_second_procedure_completes_a_set_piece(monkeypatch: pytest.MonkeyPatch) -> None:
    charge = _measured("paychest")["charge_formed"]
    assert charge.mean is not None and charge.home is not None and charge.gives_way is None
    assert [name for name, _ in charge.asked] == ["melee_casualties", "move"]
    rules = load_rules("paychest")
    seen = SetPieceQuestion("to_hit", {"skill": 4}, lambda outcome: SetPieceAnswer(Fraction(outcome.hit)), "one shot")
    nobody = dict.fromkeys(PIECES, "not here") | {"gun": [seen, replace(seen, facts={"skill": 9})]}
    (one,) = [measured for measured in measure_set_pieces(rules, nobody) if not measured.why_not]
    assert one.mean == odds(
        rules, rules.ruleset.procedure("to_hit"), rules.ruleset.procedure("to_hit").facts(skill=4)
    ).probability(lambda outcome: outcome.hit)


def test_set_pieces_list_variants_and_say_which_rulesets_have_none(monkeypatch: pytest.MonkeyPatch) -> None:
    pieces = set_pieces(
        [Variant("plain", "risk_factor"), Variant("guns", "risk_factor", (("extensions.support_weapons", "on"),))]
    )
    assert [piece["id"] for piece in pieces] == list(PIECES)
    gun = next(piece for piece in pieces if piece["id"] == "machine_gun")
    assert [variant["variant"] for variant in gun["variants"]] == ["plain", "guns"]
    assert "not_in_these_rules" in gun["variants"][0] and gun["variants"][1]["method"] == "exact"
    assert Fraction(gun["variants"][1]["mean_lost"]["exact"]) > 0
    monkeypatch.setattr(
        "zareba.analysis.studies.set_pieces.ruleset", lambda name: replace(ruleset(name), set_pieces=None)
    )
    silent = set_pieces([Variant("silent", "vcc")])
    assert {piece["variants"][0]["not_in_these_rules"] for piece in silent} == {NO_SET_PIECES}
