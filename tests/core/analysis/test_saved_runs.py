"""Saved runs: games are continued, added and merged, and reported without playing again."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from tests.core.analysis.fabricated import SIDES, run_games

from zareba.analysis.compare import compare
from zareba.analysis.games.records import GameCheckpoint, GameRecord, Variant
from zareba.analysis.saved_runs import merge_runs
from zareba.base.errors import ZarebaError

AGENTS = tuple(zip(SIDES, ("x", "y"), strict=True))
VARIANTS = (Variant("a", "mild"), Variant("b", "fierce"))


def play_into(file: Path, seed: int, games: int, **other: Any) -> tuple[GameRecord, ...]:
    """Play games of each variant into a saved run, continuing from its games; return the games played now."""
    identity = {
        "zareba": "1", "title": "Toy", "sides": {}, "titles": {}, "scenario_digest": "", "rules_digests": {}, "scenario": "toy", "notes": {},
        "overrides": {}, "variants": [variant.to_dict() for variant in VARIANTS], "seed": seed, "agents": dict(AGENTS), **other,
    }  # fmt: skip
    fresh: list[GameRecord] = []
    with GameCheckpoint(file.parent, identity, print, file) as checkpoint:

        def keep(records: Any) -> None:
            fresh.extend(records)
            checkpoint.write(records)

        compare("toy", VARIANTS, games, seed, 1, AGENTS, run_games, played_before=checkpoint.records, keep=keep)
        checkpoint.remove()
    assert file.exists(), "a saved run is not deleted"
    return tuple(fresh)


def test_more_games_are_added_and_none_is_played_twice(tmp_path: Path) -> None:
    file = tmp_path / "saved.jsonl"
    assert len(play_into(file, 1, 8)) == 16
    assert {record.game for record in play_into(file, 1, 12)} == {8, 9, 10, 11}
    assert play_into(file, 1, 12) == ()
    again = compare("toy", VARIANTS, 12, 1, 1, AGENTS, run_games)
    assert merge_runs([file]).records == again.records


def test_runs_of_other_seeds_are_merged_pair_by_pair(tmp_path: Path) -> None:
    one, other = tmp_path / "one.jsonl", tmp_path / "other.jsonl"
    play_into(one, 1, 8)
    play_into(other, 2, 6)
    found = merge_runs([one, other])
    assert (found.games, found.partial, found.header["seeds"]) == (14, False, [1, 2])
    for variant in VARIANTS:
        mine = [record for record in found.records if record.variant == variant.name]
        assert [record.game for record in mine] == list(range(14))
        assert [record.pair for record in mine] == [game // 2 for game in range(14)]
    for column in found.columns():
        assert len(column.records) == 14
    second = compare("toy", VARIANTS, 6, 2, 1, AGENTS, run_games).records
    assert [record.seed for record in found.records if record.game >= 8] == [record.seed for record in second]


def test_runs_with_different_inputs_are_not_merged(tmp_path: Path) -> None:
    one, same, strange = (tmp_path / f"{name}.jsonl" for name in ("one", "same", "strange"))
    play_into(one, 1, 4)
    play_into(same, 1, 4)
    play_into(strange, 2, 4, title="Another")
    with pytest.raises(ZarebaError, match="same seed"):
        merge_runs([one, same])
    with pytest.raises(ZarebaError, match="differ in title"):
        merge_runs([one, strange])
    with pytest.raises(ZarebaError, match="there is no file of saved games"):
        merge_runs([tmp_path / "none.jsonl"])
    (tmp_path / "text.jsonl").write_text("hello\n")
    with pytest.raises(ZarebaError):
        merge_runs([tmp_path / "text.jsonl"])
    with pytest.raises(ZarebaError, match="another --save-games"):
        play_into(one, 3, 4)
