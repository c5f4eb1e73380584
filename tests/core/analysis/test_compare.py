"""Comparison runs: results do not depend on workers, failures name the game, and interrupts keep finished games."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from tests.core.analysis.fabricated import (
    fails_in_game_6,
    ignores_interrupts,
    is_killed_the_first_time,
    ruleset_refuses,
    run_games,
)

from zareba.analysis.compare import Comparison, compare
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.base.errors import ZarebaError

SAME = (("british", "doctrine"), ("zulu", "doctrine"))
MIXED = (("british", "doctrine"), ("zulu", "random"))
TWO = (Variant("a", "mild"), Variant("b", "fierce"))
HOUSE_RULE = (Variant("plain", "mild"), Variant("sharp", "mild", (("bite", 0.004),), ("my rule.yaml",)))


def run(
    variants: tuple[Variant, ...] = TWO,
    games: int = 10,
    jobs: int = 1,
    agents: tuple[tuple[str, str], ...] = SAME,
    runner: Callable[[GameTask], list[GameRecord]] = run_games,
    progress: Callable[[int, int], None] | None = None,
) -> Comparison:
    return compare("river_ford", variants, games, 7, jobs, agents, runner, progress)


def test_two_workers_give_the_same_comparison_as_none() -> None:
    alone, together = run(), run(jobs=2, runner=ignores_interrupts)
    assert alone == together
    assert json.dumps(summarise(alone)) == json.dumps(summarise(together))


def test_every_game_of_every_variant_is_there_in_order() -> None:
    found = [(record.variant, record.game) for record in run().records]
    assert found == [(name, game) for name in "ab" for game in range(10)]


def test_another_seed_gives_other_games() -> None:
    other = compare("river_ford", TWO, 10, 8, 1, SAME, run_games)
    assert [r.strength for r in other.records] != [r.strength for r in run().records]


def test_agents_are_swapped_only_when_they_differ() -> None:
    assert not any(record.swapped for record in run().records)
    swapped = run(agents=MIXED).records
    assert [record.agents["british"] for record in swapped[:4]] == ["doctrine", "random"] * 2
    assert swapped[0].seed == swapped[1].seed


def test_progress_counts_up_to_all_games() -> None:
    seen: list[tuple[int, int]] = []
    run(progress=lambda done, total: seen.append((done, total)))
    assert seen[-1] == (20, 20)
    assert seen == sorted(seen)


def test_a_partial_run_keeps_what_was_finished_and_says_so() -> None:
    def interrupt(done: int, total: int) -> None:
        if done >= 8:
            raise KeyboardInterrupt

    partial = run(progress=interrupt)
    assert partial.partial
    whole = {(record.variant, record.game): record for record in run().records}
    assert len(partial.records) == 8
    assert all(record == whole[record.variant, record.game] for record in partial.records)
    summary = summarise(partial)
    assert summary["header"]["partial"] is True
    assert "The run was interrupted: 8 of 20 games were finished." in summary["method"]


def test_interrupt_after_the_last_pilot_game_stops_the_run() -> None:
    """Ctrl-C while the workers of a pilot shut down stops the run; the other games do not start."""

    def interrupt(done: int, total: int) -> None:
        if done == total:
            raise KeyboardInterrupt

    partial = run(progress=interrupt)
    assert partial.partial and partial.records == run().records


def test_an_interrupted_pool_keeps_what_was_finished() -> None:
    def interrupt(done: int, total: int) -> None:
        raise KeyboardInterrupt

    partial = run(games=40, jobs=2, progress=interrupt)
    assert partial.partial
    assert 0 < len(partial.records) < 80


def test_an_interrupt_before_the_first_game_is_passed_on() -> None:
    def interrupted(task: GameTask) -> list[GameRecord]:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        run(runner=interrupted)


@pytest.mark.parametrize("jobs", [1, 2])
def test_a_failing_game_is_named_with_the_command_that_repeats_it(jobs: int) -> None:
    seed = next(record.seed for record in run().records if record.variant == "b" and record.game == 6)
    with pytest.raises(ZarebaError) as caught:
        run(jobs=jobs, runner=fails_in_game_6)
    assert str(caught.value) == (
        "game 6 of variant 'b' failed: ValueError: the drummer is missing; repeat it with: zareba play"
        f" river_ford --ruleset=fierce --seed={seed} --seat=british=doctrine --seat=zulu=doctrine"
    )


def test_the_command_repeats_settings_and_house_rules_quoted() -> None:
    with pytest.raises(ZarebaError) as caught:
        run(variants=HOUSE_RULE[1:], runner=ruleset_refuses)
    assert "failed: unit 'ghost' is not on the table;" in str(caught.value)
    assert str(caught.value).endswith("--set=bite=0.004 '--house-rule=my rule.yaml'")


@pytest.mark.parametrize("deaths", [1, *(pytest.param(deaths, marks=pytest.mark.deep) for deaths in (3, 4))])
def test_games_interrupted_by_a_killed_worker_are_played_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, deaths: int
) -> None:
    """In the ordinary suite `test_workers_are_reused_and_stopped_at_the_end` shows the error after the last death."""
    monkeypatch.setenv("DEATHS", str(tmp_path))
    for number in range(deaths):
        (tmp_path / str(number)).touch()
    told: list[str] = []

    def killed() -> Comparison:
        return compare("river_ford", TWO, 10, 7, 2, SAME, is_killed_the_first_time, notify=told.append)

    if deaths > 3:  # killed in a full pool, in its batch, alone, and alone again
        with pytest.raises(ZarebaError, match="game 6 of variant 'b' killed its process"):
            killed()
    else:
        assert killed() == run()
    assert told == ["a worker process died; its unfinished games are played again, one worker at a time"]
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("jobs", [1, 2])
def test_games_that_were_played_before_are_not_played_again(jobs: int) -> None:
    whole = run().records
    kept: list[GameRecord] = []

    def again(before: list[GameRecord], runner: Callable[[GameTask], list[GameRecord]], games: int = 10) -> Comparison:
        kept.clear()
        return compare("river_ford", TWO, games, 7, jobs, SAME, runner, played_before=before, keep=kept.extend)

    known: tuple[list[GameRecord], ...] = ([], [*whole], [*whole[:14]], [whole[3], whole[17]], [*reversed(whole)])
    for before in known if jobs == 1 else [known[3]]:  # each start of workers takes a second or two
        assert again([*before], run_games).records == whole
        assert sorted(kept, key=whole.index) == [line for line in whole if line not in before]
    if jobs > 1:
        return
    assert again([*whole], ruleset_refuses, games=7).records == run(games=7).records, (
        "a smaller run uses the games already played"
    )
    others = list(compare("river_ford", (Variant("c", "mild"),), 10, 7, 1, SAME, run_games).records)
    assert again(others, run_games).records == whole, "games of other variants are ignored"


def test_a_failing_game_does_not_discard_others() -> None:
    kept: list[GameRecord] = []
    with pytest.raises(ZarebaError, match="game 6 of variant 'b' failed"):
        compare("river_ford", TWO, 10, 7, 1, SAME, fails_in_game_6, keep=kept.extend)
    assert [(record.variant, record.game) for record in kept] == [
        *(("a", n) for n in range(4)),
        *(("b", n) for n in range(4)),
        *(("a", n) for n in range(4, 8)),
    ]


def test_a_runner_that_forgets_a_game_is_refused() -> None:
    with pytest.raises(ZarebaError, match="returned the wrong records"):
        run(runner=lambda task: run_games(task)[1:])


@pytest.mark.parametrize(
    ("variants", "games", "jobs", "complaint"),
    [
        ((), 10, 1, "nothing to compare"),
        ((TWO[0], TWO[0]), 10, 1, "two variants are named 'a'"),
        (TWO, 0, 1, "must be at least 1, not 0"),
        (TWO, 1, -2, "must be at least 1, not -2"),
    ],
)
def test_invalid_requests_are_refused(variants: tuple[Variant, ...], games: int, jobs: int, complaint: str) -> None:
    with pytest.raises(ZarebaError, match=complaint):
        run(variants=variants, games=games, jobs=jobs)


def test_variants_of_one_ruleset_are_compared_in_pairs_and_gain_from_it() -> None:
    differences = summarise(run(variants=HOUSE_RULE, games=60))["differences"]
    length = next(entry for entry in differences if entry["metric"] == "M5")
    assert length["paired"] and length["n"] == [60]
    assert length["pairing_gain"] > 2


def test_different_rulesets_are_compared_unpaired() -> None:
    comparison = run(games=60)
    differences = summarise(comparison)["differences"]
    assert not any(entry["paired"] for entry in differences)
    length = next(entry for entry in differences if entry["metric"] == "M5")
    mean = {name: sum(r.turns for r in comparison.records if r.variant == name) / 60 for name in ("a", "b")}
    assert length["value"] == pytest.approx(mean["a"] - mean["b"], abs=1e-6)
    assert length["low"] < length["value"] < length["high"]
    assert length["n"] == [60, 60] and not length["shown"], "a turn differs between rulesets"


def test_a_variant_compared_with_itself_shows_no_difference() -> None:
    twins = (Variant("one", "mild"), Variant("two", "mild"))
    differences = summarise(run(variants=twins, games=30))["differences"]
    assert {entry["value"] for entry in differences} == {0.0}
    assert not any(entry["shown"] for entry in differences)


def test_only_primary_metrics_make_claims() -> None:
    differences = summarise(run(games=60))["differences"]
    claims = {entry["metric"] for entry in differences if entry["p_holm"] is not None}
    assert claims == {"M1", "M10"}, "turns are unlike, and the lead is read more often in the longer battle"
    differences += (own := summarise(run(variants=HOUSE_RULE, games=60))["differences"])
    assert {entry["metric"] for entry in own if entry["p_holm"] is not None} == {"M1", "M5", "M10", "M11"}
    assert all(entry["p_holm"] >= entry["p"] for entry in differences if entry["p_holm"] is not None)


def test_pairs_of_swapped_games_count_once() -> None:
    summary = summarise(run(agents=MIXED, games=40))
    length = next(entry for entry in summary["differences"] if entry["metric"] == "M5")
    assert length["n"] == [20, 20]
    assert any("intervals are based on such pairs" in note for note in summary["method"])


@pytest.mark.parametrize(
    ("games", "claim"),
    [
        (20, "No difference is statistically clear at this number of games."),
        (
            40,
            "Tested together with the other primary metrics, no difference is statistically clear at this number of games.",
        ),
    ],
)
def test_a_difference_clear_only_on_its_own_is_not_denied_without_a_reason(games: int, claim: str) -> None:
    summary = summarise(run(games=games))
    difference = next(entry for entry in summary["differences"] if entry["metric"] == "M10")
    assert (difference["high"] < 0) is (games == 40) and not difference["shown"]
    answer = next(verdict["text"] for verdict in summary["verdicts"] if verdict["id"] == "bloodiness")
    assert answer.startswith(claim) and answer.count("statistically clear") == 1


def test_sentences_answer_the_questions_of_a_review() -> None:
    answers = {verdict["id"]: verdict["text"] for verdict in summarise(run(games=60))["verdicts"]}
    assert {"speed", "decision", "bloodiness", "suspense", "bookkeeping"} <= set(answers)
    assert answers["bloodiness"].startswith("Most losses under b, fewest under a. Strength lost per side: a ")
    assert answers["bloodiness"].endswith("The difference is statistically clear.")
    assert "Turns are not compared, because a turn differs from ruleset to ruleset." in answers["speed"]
    own = {verdict["id"]: verdict["text"] for verdict in summarise(run(variants=HOUSE_RULE, games=60))["verdicts"]}
    assert "Turns per game: " in own["speed"] and own["speed"].endswith("The difference is statistically clear.")
