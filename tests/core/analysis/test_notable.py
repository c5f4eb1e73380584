"""Notable games of a comparison, and replaying them exactly."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
from tests.core.analysis import hand_made
from tests.small_battle import small_battle_file
from tests.systems import each_ruleset

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.games.notable import notable, replay_with_agents, variant_named
from zareba.analysis.games.records import GameRecord, Variant
from zareba.analysis.games.simulate import game_for, run_games
from zareba.base.errors import ZarebaError
from zareba.base.grammar import percent
from zareba.scenario import load_scenario
from zareba.session import replay


@pytest.fixture(scope="module")
def battle(tmp_path_factory: pytest.TempPathFactory) -> str:
    return small_battle_file(tmp_path_factory.mktemp("battle"))


def _compared(
    battle: str, *variants: Variant, agents: tuple[str, str] = ("doctrine", "doctrine"), games: int = 3
) -> Comparison:
    players = tuple(zip(load_scenario(battle).sides, agents, strict=True))
    return compare(battle, variants, games, 5, 1, players, run_games)


def _header(comparison: Comparison) -> dict[str, object]:
    battle = comparison.scenario
    return {
        "scenario": battle,
        "games": comparison.games,
        "seed": comparison.seed,
        "agents": dict(comparison.agents),
        "swapped": any(record.swapped for record in comparison.records),
        "scenario_digest": load_scenario(battle).digest,
        "rules_digests": {variant.name: game_for(variant, battle).rules.digest for variant in comparison.variants},
    }


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_notable_game_replays_equally(ruleset: str, battle: str, tmp_path: Path) -> None:
    comparison = _compared(battle, Variant(ruleset, ruleset), games=2)
    for record in comparison.records:
        path = tmp_path / f"{record.game}.jsonl"
        session = replay_with_agents(_header(comparison), comparison.variants[0].to_dict(), record.game, path)
        session.drive()
        game = session.game
        outcome = game.play.common_outcome(session.state)
        assert game.seats[0] == record.listed
        assert (outcome.winner, outcome.ending, dict(outcome.points)) == (
            record.winner,
            record.ending,
            dict(record.points),
        )
        session.close()
        assert replay(path).session.pending is None


def test_players_who_change_sides_and_changed_rules_are_kept(battle: str) -> None:
    column = Variant("cool", "vcc", (("mg_overheat", "off"),), ("gatling_never_jams",))
    comparison = _compared(battle, column, agents=("doctrine", "random"), games=4)
    for record in comparison.records:
        session = replay_with_agents(_header(comparison), column.to_dict(), record.game, None)
        session.drive()
        assert dict(session.seats) == dict(record.agents)
        assert session.game.play.common_outcome(session.state).winner == record.winner


def test_missing_or_changed_games_are_rejected(battle: str) -> None:
    comparison = _compared(battle, Variant("vcc", "vcc"), games=1)
    header, variant = _header(comparison), comparison.variants[0].to_dict()
    with pytest.raises(ZarebaError, match="numbered from 0 to 0"):
        replay_with_agents(header, variant, 1, None)
    with pytest.raises(ZarebaError, match="scenario skirmish has changed"):
        replay_with_agents({**header, "scenario_digest": "x"}, variant, 0, None)
    with pytest.raises(ZarebaError, match="rules of vcc have changed"):
        replay_with_agents({**header, "rules_digests": {"vcc": "x"}}, variant, 0, None)
    with pytest.raises(ZarebaError, match="did you mean 'vcc'"):
        variant_named({"variants": [variant]}, "vc")


def _played(game: int, in_front: str, lost: float) -> GameRecord:
    """Return a game in which these sides, R or B, were in front turn by turn."""
    strength = {
        side: (1.0, *(1.0 if leader == side[0].upper() else 0.9 for leader in in_front)) for side in ("red", "blue")
    }
    return hand_made.record(game, "red", "turn_limit", strength, {"red": {"fire": lost}, "blue": {"melee": lost}})


def test_notable_games_are_the_extreme_ones() -> None:
    games = [
        _played(0, "RRRRRR", 0.5),
        _played(1, "RRRRRR", 0.25),  # the median of turns and of losses
        _played(2, "RRRRRRRRR", 0.25),
        _played(3, "RBRBR", 0.125),
        _played(4, "RRRRRRRRR", 0.25),  # as long as game 2, but later
    ]
    assert [(remark.what, remark.variant, remark.game, remark.words) for remark in notable(games)] == [
        ("most typical", "v", 1, f"6 turns, won by red; no lead changes; {percent(0.25)} of strength lost"),
        ("bloodiest", "v", 0, f"6 turns, won by red; no lead changes; {percent(0.50)} of strength lost"),
        ("longest", "v", 2, f"9 turns, won by red; no lead changes; {percent(0.25)} of strength lost"),
        ("most lead changes", "v", 3, f"5 turns, won by red; 4 lead changes; {percent(0.125)} of strength lost"),
    ]


def test_a_game_is_listed_once_under_its_first_distinction() -> None:
    both = [_played(0, "RRRRRR", 0.25), _played(1, "RRRRRR", 0.25), _played(2, "RBRBRBRB", 0.5)]
    other = [replace(_played(7, "RR", 0.0), variant="w")]
    found = [(remark.what, remark.variant, remark.game) for remark in notable([*both, *other])]
    assert found == [("most typical", "v", 0), ("bloodiest", "v", 2), ("most typical", "w", 7)]
