"""Play the same scenario many times under several variants and record every game.

The work is cut into tasks of a few games each. Every game has its own seed, and records are merged in the order of
variant and game, so the numbers depend neither on the engine nor on the size of the tasks. `run_games` must be
importable by name.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from typing import Any

from zareba.analysis.engines.engine import RunGames, Serial, TaskEngine
from zareba.analysis.engines.pool import Pool
from zareba.analysis.games.activity import SECONDS
from zareba.analysis.games.metrics import Scope
from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.analysis.games.samples import matching_games
from zareba.analysis.statistics.estimates import Column
from zareba.analysis.statistics.robustness import ConditionColumns
from zareba.analysis.statistics.stopping import Verdict, verdicts_so_far
from zareba.analysis.studies.conditions import RobustnessCondition
from zareba.analysis.studies.sweep import Sweep
from zareba.analysis.studies.tournament import Match
from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount

__all__ = ["GAMES_A_TASK", "Comparison", "RunGames", "check_names", "compare"]

GAMES_A_TASK = 4
"""Small enough that an interrupt answers at once, large enough (0.2 to 1 s) to hide the overhead of a task."""

Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class Comparison:
    """The games of a run."""

    scenario: str
    variants: tuple[Variant, ...]
    games: int
    """The requested number of games of each variant."""
    seed: int
    agents: tuple[tuple[str, str], ...]
    """Each side with its AI player."""
    records: tuple[GameRecord, ...]
    """The finished games, ordered by variant and game."""
    partial: bool = False
    """True if the run was interrupted."""
    header: Mapping[str, Any] = field(default_factory=dict)
    """Data that the caller wants repeated in the summary: command, versions, digests."""
    notes: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each variant, the parts of the scenario that its rules do not cover."""
    overrides: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """For each variant, what the scenario sets for these rules alone."""
    seconds: Mapping[str, float] = field(default_factory=lambda: SECONDS)
    """The seconds that each act at the table takes."""
    stopping: int | None = None
    """The turn limit of the scenario if the run was to stop as soon as it was decided, else None."""
    conditions: tuple[RobustnessCondition, ...] = ()
    """The robustness conditions with their games, which show if a claim depends on anything but the rules."""
    where: tuple[str, ...] = ()
    """The conditions that select these games; all other games are left out."""
    skill: Mapping[str, tuple[Match, ...]] = field(default_factory=dict)
    """For each variant, the matches between players of unequal strength."""
    with_set_pieces: bool = False
    """True if the summary includes the set pieces."""
    sweep: Sweep | None = None
    """The sweep, if the variants are the values of one number."""

    def verdicts(self) -> list[Verdict]:
        """Return the anytime-valid verdicts of a run that stops when it is decided; empty for other runs."""
        return [] if self.stopping is None else verdicts_so_far(self.columns(), self.stopping)

    def condition_columns(self) -> list[ConditionColumns]:
        """Return the columns under each condition that affects the battle."""
        scope = self.scope
        variants = {variant.name: variant for variant in self.variants}
        return [
            ConditionColumns(
                condition.kind,
                condition.title,
                {name: Column.of(variants[name], games, scope) for name, games in condition.records.items()},
            )
            for condition in self.conditions
            if condition.records
        ]

    def filtered(self, where: Sequence[str]) -> Comparison:
        """Return the comparison with only the games that meet all conditions of `where` (see
        `zareba.analysis.games.samples.matching_games`). No claims are made about a selection.
        """
        return (
            replace(self, records=matching_games(self.records, where), where=tuple(where), stopping=None)
            if where
            else self
        )

    @property
    def scope(self) -> Scope:
        """The sides and endings of all games together."""
        return Scope.of(self.records, self.seconds)

    def columns(self) -> list[Column]:
        """Return one column per variant, in the order given. Variants without a finished game are left out."""
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
    engine: TaskEngine | None = None,
    batch: int = GAMES_A_TASK,
    played_before: Sequence[GameRecord] = (),
    keep: Callable[[Sequence[GameRecord]], None] | None = None,
    notify: Callable[[str], None] | None = None,
) -> Comparison:
    """Play `games` games of `scenario` under each variant with `jobs` workers (1 plays in this process) or with
    `engine`.

    `batch` is the number of games in a task; it changes no result. `progress` receives the number of finished games
    and of all games. If the sides have different agents, the agents swap sides in every second game, so that neither
    side profits from the better player.

    Games in `played_before` are not played again; `keep` receives each new batch of records. Ctrl-C returns the
    finished games as a partial comparison, or is passed on if there are none. If a worker dies, its games are played
    again and `notify` receives a message. Raises ZarebaError for an invalid request, and for a game that fails or kills
    its process; the error gives the command that repeats the game.
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
    records = {key: record for record in played_before if (key := (record.variant, record.game)) in wanted}
    open_tasks = [task for task in tasks if any((task.variant.name, plan.game) not in records for plan in task.plans())]
    partial = False
    results = (engine or (Serial() if jobs == 1 else Pool(jobs, notify))).run_tasks(open_tasks, run_games)
    try:
        with closing(results):
            for finished in results:
                new = {key: record for record in finished if (key := (record.variant, record.game)) not in records}
                records |= new
                if keep is not None:
                    keep(list(new.values()))
                report(len(records), total)
    except KeyboardInterrupt:
        if not records:
            raise
        # Partial even if no game is missing: after Ctrl-C the caller must not start the next stage.
        partial = True
    if len(records) < total and not partial:
        raise ZarebaError(
            f"{total - len(records)} of {amount(total, 'game')} returned no result; repeat the command to play them"
        )
    order = {variant.name: index for index, variant in enumerate(variants)}
    return Comparison(
        scenario=scenario,
        variants=tuple(variants),
        games=games,
        seed=seed,
        agents=agents,
        records=tuple(sorted(records.values(), key=lambda record: (order[record.variant], record.game))),
        partial=partial,
        header=header or {},
        notes=notes or {},
        overrides=overrides or {},
    )


def check_names(variants: Sequence[Variant]) -> None:
    """Raise ZarebaError if there are no variants or if two have the same name."""
    names = [variant.name for variant in variants]
    if not names:
        raise ZarebaError("there is nothing to compare; name at least one ruleset")
    for name in names:
        if names.count(name) > 1:
            raise ZarebaError(f"two variants are named '{name}'; give each a different name")


def _check(variants: Sequence[Variant], games: int, jobs: int) -> None:
    check_names(variants)
    if games < 1 or jobs < 1:
        raise ZarebaError(f"games and jobs must be at least 1, not {min(games, jobs)}")
