"""Games of a comparison that are worth looking at, and how one is played out again where it can be watched."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from statistics import median
from typing import Any, NamedTuple

from zareba.amounts import amount
from zareba.analysis.games.measures import final_lead, lead_changes, lost_in_all
from zareba.analysis.games.records import GameRecord, GameTask, Variant
from zareba.errors import ZarebaError, unknown_name
from zareba.registry import find_house_rule
from zareba.scenario import load_scenario
from zareba.session import Session, new_session

__all__ = ["Notable", "notable", "played_out", "variant_named"]


class Notable(NamedTuple):
    """A game that stands out: by what, of which variant, its number, and how it went."""

    what: str
    variant: str
    game: int
    words: str


def notable(records: Sequence[GameRecord], sides: Mapping[str, str] | None = None) -> list[Notable]:
    """Of each variant the most ordinary game, the bloodiest, the longest, and the one in which the lead changed most.

    The most ordinary lies nearest to the middle in length, losses and final lead, each measured by how far games spread.
    A game is named once, for the first that it is. `sides` are the names of the sides, by their ids.
    """
    by_variant: dict[str, list[GameRecord]] = {}
    for record in records:
        by_variant.setdefault(record.variant, []).append(record)
    found = []
    for variant, games in by_variant.items():
        outstanding: dict[int, str] = {}
        for what, size in _sizes(games).items():
            best = max(games, key=lambda one: (size(one), -one.game))
            outstanding.setdefault(best.game, what)
        by_number = {one.game: one for one in games}
        found += [
            Notable(what, variant, game, _words(by_number[game], sides or {})) for game, what in outstanding.items()
        ]
    return found


def _sizes(games: Sequence[GameRecord]) -> Mapping[str, Callable[[GameRecord], float]]:
    measures: tuple[Callable[[GameRecord], float], ...] = (lambda one: float(one.turns), lost_in_all, final_lead)
    middles = [median(map(measure, games)) for measure in measures]
    spreads = [max(map(measure, games)) - min(map(measure, games)) or 1.0 for measure in measures]

    def ordinary(one: GameRecord) -> float:
        parts = zip(measures, middles, spreads, strict=True)
        return -max(abs(measure(one) - middle) / spread for measure, middle, spread in parts)

    return {
        "the most ordinary": ordinary,
        "the bloodiest": lost_in_all,
        "the longest": lambda one: float(one.turns),
        "the one in which the lead changed most": lambda one: float(lead_changes(one)),
    }


def _words(record: GameRecord, sides: Mapping[str, str]) -> str:
    won = f"won by {sides.get(record.winner, record.winner)}" if record.winner else "a draw"
    changes = lead_changes(record)
    return (
        f"{amount(record.turns, 'turn')}, {won}; the lead changed {amount(changes, 'time')}; "
        f"{100 * lost_in_all(record) / len(record.sides):.0f} % lost for good"
    )


def played_out(header: Mapping[str, Any], variant: Mapping[str, Any], game: int, path: Path | None) -> Session:
    """A session in which the programs that played a game of a comparison play it again, by the same dice.

    `header` and `variant` are those of its `summary.json`; with `path` it is kept in a journal. Nothing is answered yet:
    `drive` plays it. Raises ZarebaError when there is no such game, or the scenario is another by now.
    """
    if not 0 <= game < header["games"]:
        raise ZarebaError(f"there is no game {game}; they are numbered from 0 to {header['games'] - 1}")
    scenario = load_scenario(header["scenario"])
    if scenario.digest != header["scenario_digest"]:
        raise ZarebaError(
            f"the scenario {scenario.id} has changed since it was compared; its games cannot be shown again"
        )
    column = Variant.from_dict(variant)
    task = GameTask(
        column, header["scenario"], game, 1, header["seed"], tuple(header["agents"].items()), header["swapped"]
    )
    plan = next(task.plans())
    if plan.turned:
        first, *others = scenario.sides
        scenario = scenario.model_copy(update={"sides": {side: scenario.sides[side] for side in (*others, first)}})
    session = new_session(
        column.ruleset,
        scenario,
        dict(plan.agents),
        seed=plan.seed,
        settings=dict(column.settings),
        house_rules=[find_house_rule(name) for name in column.house_rules],
        path=path,
    )
    known = header["rules_digests"].get(column.name)
    if known not in (None, session.game.rules.digest):
        session.close()
        if path is not None:
            path.unlink()
        raise ZarebaError(
            f"the rules of {column.name} have changed since they were compared; its games cannot be shown again"
        )
    return session


def variant_named(summary: Mapping[str, Any], name: str) -> Mapping[str, Any]:
    """The variant of a summary by its name; raises ZarebaError with the nearest."""
    found: Mapping[str, Any] | None = next((one for one in summary["variants"] if one["name"] == name), None)
    if found is None:
        raise unknown_name("variant", name, [one["name"] for one in summary["variants"]])
    return found
