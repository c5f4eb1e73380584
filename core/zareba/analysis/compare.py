"""Play the same scenario many times under several variants and keep every game.

The work is cut into tasks of some games, and each game has a seed of its own; records are merged in the order of variant
and game. So the numbers depend neither on who plays them nor on how they are cut. `run_games` must be importable by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from zareba.analysis.engines.pool import Pool
from zareba.analysis.engines.serial import Serial
from zareba.analysis.engines.task import Engine, RunGames
from zareba.analysis.games.activity import SECONDS
from zareba.analysis.games.columns import matching_games
from zareba.analysis.games.metrics import Scope
from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.analysis.statistics.estimates import Column
from zareba.analysis.statistics.robustness import Repeated
from zareba.analysis.statistics.stopping import Verdict, verdicts_so_far
from zareba.analysis.studies.conditions import Condition
from zareba.analysis.studies.sweep import Sweep
from zareba.analysis.studies.tournament import Match
from zareba.base.amounts import amount
from zareba.base.errors import ZarebaError

__all__ = ["GAMES_A_TASK", "Comparison", "RunGames", "check_names", "compare"]

GAMES_A_TASK = 4
"""Small enough that an interrupt answers at once, large enough (0.2 to 1 s) to hide the cost of a task."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The games of a run. `records` is ordered by variant and game; `partial` marks an interrupted run.

    `stopping` is the turn limit of the scenario where the run was to stop as soon as it was decided, else None.
    `where`: conditions that its games fulfil, all others having been left out.
    `skill`: matches of players of unlike strength under each variant, by its name.
    `conditions`: what was changed, with the games that were played so, to see whether claims are the rules';
    `with_set_pieces`: the summary has them too; `sweep`: its variants are the values of a number.
    `header` holds what the caller wants to see repeated in the summary (command, versions, digests), and
    `notes` per variant name what the scenario has and the rules have not; `overrides` what it says for them alone.
    """

    scenario: str
    variants: tuple[Variant, ...]
    games: int
    seed: int
    agents: tuple[tuple[str, str], ...]
    records: tuple[GameRecord, ...]
    partial: bool = False
    header: Mapping[str, Any] = field(default_factory=dict)
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    overrides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=lambda: SECONDS)
    stopping: int | None = None
    conditions: tuple[Condition, ...] = ()
    where: tuple[str, ...] = ()
    skill: Mapping[str, tuple[Match, ...]] = field(default_factory=dict)
    with_set_pieces: bool = False
    sweep: Sweep | None = None

    def verdicts(self) -> list[Verdict]:
        """What may be said at any time, where the run is to stop as soon as it is decided; else nothing."""
        return [] if self.stopping is None else verdicts_so_far(self.columns(), self.stopping)

    def repeated(self) -> list[Repeated]:
        """The columns under each condition that the battle touches."""
        scope = self.scope
        variants = {variant.name: variant for variant in self.variants}
        return [
            Repeated(
                one.kind,
                one.title,
                {name: Column.of(variants[name], games, scope) for name, games in one.records.items()},
            )
            for one in self.conditions
            if one.records
        ]

    def only(self, where: Sequence[str]) -> Comparison:
        """Those of its games for which all of these hold (`zareba.analysis.games.columns.matching_games`); nothing is claimed of them."""
        return (
            replace(self, records=matching_games(self.records, where), where=tuple(where), stopping=None)
            if where
            else self
        )

    @property
    def scope(self) -> Scope:
        """The sides and endings that all its games together have."""
        return Scope.of(self.records, self.seconds)

    def columns(self) -> list[Column]:
        """One column a variant, in the order given; a variant without a finished game is left out."""
        games: dict[str, list[GameRecord]] = {variant.name: [] for variant in self.variants}
        for record in self.records:
            games[record.variant].append(record)
        scope = self.scope
        return [Column.of(variant, games[variant.name], scope) for variant in self.variants if games[variant.name]]


def compare(
    scenario: str,
    variants: Sequence[Variant],
    games: int,
    seed: int,
    jobs: int,
    agents: tuple[tuple[str, str], ...],
    run_games: RunGames,
    progress: Progress | None = None,
    header: Mapping[str, Any] | None = None,
    notes: Mapping[str, tuple[str, ...]] | None = None,
    overrides: Mapping[str, tuple[str, ...]] | None = None,
    *,
    engine: Engine | None = None,
    batch: int = GAMES_A_TASK,
    played_before: Sequence[GameRecord] = (),
    keep: Callable[[Sequence[GameRecord]], None] | None = None,
    tell: Callable[[str], None] | None = None,
) -> Comparison:
    """Play `games` games of `scenario` under each variant with `jobs` workers (1 plays in this process), or by an `engine`.

    `batch`: how many games are given to a worker at a time, which changes no number.

    `progress` is told games finished and games in all. When the agents of the sides differ they are swapped
    in every second game, so that no side profits from the better player. Ctrl-C keeps the games finished so
    far and returns them as a partial comparison, or is passed on when there are none. Games of this comparison that
    were `played_before` are not played again; `keep` is given others as they come. When a worker dies its games are
    played again, and `tell` hears of it. Raises ZarebaError for a request that makes no sense, and when a game fails or
    kills its process, with the command that repeats it.
    """
    _check(variants, games, jobs)
    swap = len({agent for _, agent in agents}) > 1
    tasks = [
        GameTask(variant, scenario, first, min(batch, games - first), seed, agents, swap)
        for first in range(0, games, batch)
        for variant in variants
    ]
    report = progress or (lambda done, total: None)
    total = games * len(variants)
    wanted = {(variant.name, game) for variant in variants for game in range(games)}
    records = {key: one for one in played_before if (key := (one.variant, one.game)) in wanted}
    left = [task for task in tasks if any((task.variant.name, plan.game) not in records for plan in task.plans())]
    partial = False
    played = (engine or (Serial() if jobs == 1 else Pool(jobs, tell))).played(left, run_games)
    try:
        with closing(played):
            for finished in played:
                fresh = {(one.variant, one.game): one for one in finished if (one.variant, one.game) not in records}
                records |= fresh
                if keep is not None:
                    keep(list(fresh.values()))
                report(len(records), total)
    except KeyboardInterrupt:
        if not records:
            raise
        # Though nothing may be lacking: whoever calls for an end does not want to hear of what comes next.
        partial = True
    if len(records) < total and not partial:
        raise ZarebaError(
            f"{total - len(records)} of {amount(total, 'game')} did not come back; the same command plays them"
        )
    order = {variant.name: index for index, variant in enumerate(variants)}
    return Comparison(
        scenario=scenario,
        variants=tuple(variants),
        games=games,
        seed=seed,
        agents=agents,
        records=tuple(sorted(records.values(), key=lambda one: (order[one.variant], one.game))),
        partial=partial,
        header=header or {},
        notes=notes or {},
        overrides=overrides or {},
    )


def check_names(variants: Sequence[Variant]) -> None:
    """Raises ZarebaError where there is nobody to compare, or where two are called the same."""
    names = [variant.name for variant in variants]
    if not names:
        raise ZarebaError("there is nothing to compare; name at least one ruleset")
    for name in names:
        if names.count(name) > 1:
            raise ZarebaError(f"two variants are called '{name}'; give each a name of its own")


def _check(variants: Sequence[Variant], games: int, jobs: int) -> None:
    check_names(variants)
    if games < 1 or jobs < 1:
        raise ZarebaError(f"games and jobs start at 1, not at {min(games, jobs)}")
