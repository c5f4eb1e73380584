"""zareba in a notebook: `zareba.odds`, `zareba.compare` and `zareba.play`, with tidy tables and pictures.

What they give shows itself in a notebook. Tables are pandas frames, one row an observation (the extra `notebook`); all that
is in them is had without pandas too, as lists of plain rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, Any

from pydantic import TypeAdapter, ValidationError

from zareba.analysis.answers.summary import summarise
from zareba.analysis.compare import Comparison
from zareba.analysis.compare import compare as run_comparison
from zareba.analysis.games.records import GameRecord, Variant
from zareba.analysis.games.simulate import game_for, run_games
from zareba.base.amounts import amount
from zareba.base.errors import ZarebaError
from zareba.making.equal import equalled
from zareba.odds import Odds
from zareba.odds import odds as odds_of
from zareba.picture import picture
from zareba.registry import find_house_rule, load_rules, ruleset_names, zareba_version
from zareba.report import render
from zareba.report.outputs import write_outputs
from zareba.scenario import load_scenario
from zareba.scenario.overrides import overrides_noted
from zareba.session import Session, new_session

if TYPE_CHECKING:
    import pandas

__all__ = ["Compared", "FoundOdds", "Played", "compare", "odds", "play"]

Rows = list[dict[str, Any]]


def _frame(rows: Rows) -> pandas.DataFrame:
    """Rows as a table of pandas. Raises ZarebaError without it."""
    try:
        import pandas
    except ImportError as error:
        raise ZarebaError(
            "tables are pandas frames: pip install 'zareba[notebook]'; `rows` has the same without"
        ) from error
    return pandas.DataFrame(rows)


def _table(rows: Rows, caption: str) -> str:
    """Rows as a small HTML table, which a notebook shows."""
    heads = list(dict.fromkeys(key for row in rows for key in row))
    head = "".join(f"<th>{escape(str(key))}</th>" for key in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(_words(row.get(key)))}</td>' for key in heads)}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _words(value: object) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


# --- odds -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class FoundOdds:
    """What may come of a procedure. `rows`: an outcome each, by its words, with `p` and the `exact` fraction (None if sampled)."""

    title: str
    found: Odds
    rows: Rows

    @property
    def frame(self) -> pandas.DataFrame:
        """The rows as a table."""
        return _frame(self.rows)

    def _repr_html_(self) -> str:
        return _table(self.rows, f"{self.title}, {self.found.method}")


def odds(
    ruleset: str,
    procedure: str,
    *,
    settings: Mapping[str, Any] | None = None,
    house_rules: Sequence[str | Path] = (),
    **facts: Any,
) -> FoundOdds:
    """The odds of a procedure in a situation: `zareba.odds("vcc", "fire_step", bases=4, band="close")`.

    House rules by the names of installed ones, or by their files. Raises ZarebaError for facts that do not fit.
    """
    rules = load_rules(ruleset, settings, [find_house_rule(str(name)) for name in house_rules])
    asked = rules.ruleset.procedure(procedure)
    try:
        situation = TypeAdapter(asked.facts).validate_python(facts)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'facts'}: {one['msg']}" for one in error.errors())
        raise ZarebaError(f"{procedure} of {ruleset} does not take these facts: {wrong}") from error
    found = odds_of(rules, asked, situation)
    plain = TypeAdapter(asked.outcome)
    rows: Rows = [
        {**plain.dump_python(outcome, mode="json"), "p": float(p), "exact": None if found.samples else str(p)}
        for outcome, p in sorted(found.outcomes.items(), key=lambda one: -one[1])
    ]
    return FoundOdds(f"{ruleset}: {asked.summary}", found, rows)


# --- comparisons ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Compared:
    """A comparison that has been played."""

    comparison: Comparison

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The content of `summary.json`."""
        return summarise(self.comparison)

    @property
    def rows(self) -> Rows:
        """One row a number: variant, metric, what it is, unit, value, 95 % interval, games."""
        titles = {metric["id"]: metric["title"] for metric in self.summary["metrics"]}
        return [
            {"variant": variant["name"], "id": id, "metric": titles[id], **one}
            for variant in self.summary["variants"]
            for id, found in variant["metrics"].items()
            for one in found
        ]

    @property
    def metrics(self) -> pandas.DataFrame:
        """The rows as a table."""
        return _frame(self.rows)

    @property
    def differences(self) -> pandas.DataFrame:
        """One row a pair of variants and metric: the difference, its interval, p, and what is shown."""
        return _frame(self.summary["differences"])

    @property
    def games(self) -> pandas.DataFrame:
        """One row a game, side and turn: strength and score as they went."""
        return _frame([row for record in self.comparison.records for row in _course(record)])

    def report(self) -> str:
        """The report as one HTML page."""
        return render(self.summary, self.comparison.records).html

    def save(self, folder: str | Path) -> list[Path]:
        """Write the files of `zareba compare` into a folder, and tell which."""
        return list(write_outputs(self.comparison, Path(folder)).files)

    def _repr_html_(self) -> str:
        rows = []
        for row in self.summary["advice"]["rows"]:
            words = {gauge["title"]: gauge["words"] for gauge in row["gauges"]}
            balance = ", but ".join(filter(None, (row["balance"]["words"], row["balance"]["listed"])))
            rows.append({"system": row["title"], "who wins": balance, **words})
        header = self.summary["header"]
        return _table(rows, f"{header['title']}: {amount(self.comparison.games, 'game')} of each")


def _course(record: GameRecord) -> Rows:
    return [
        {
            "variant": record.variant, "game": record.game, "seed": record.seed, "winner": record.winner, "turn": turn, "side": side,
            "strength": record.strength[side][turn], "score": record.score[side][turn],
        }
        for turn in range(record.turns + 1)
        for side in record.sides
    ]  # fmt: skip


def compare(
    scenario: str | Path,
    rulesets: Sequence[str] = (),
    *,
    variants: Sequence[Variant] = (),
    games: int = 40,
    seed: int = 1,
    jobs: int = 1,
    agents: str | Sequence[str] = "doctrine",
    set_pieces: bool = False,
    equal_points: str | Path | None = None,
) -> Compared:
    """Play whole games under several rules: `zareba.compare("patrol_clash", ["vcc", "afriboria"], games=100)`.

    All installed rulesets unless told; `variants` beside them. One player for all sides, or one each. The numbers are those
    of the command with the same games and seed. `equal_points` names a folder: the forces are first brought to equal points,
    by our own reckoning, and the changed battle is kept there, to be played. ZarebaError where that would make it another one.
    """
    named = str(scenario)
    found = load_scenario(named)
    if equal_points is not None:
        equal = equalled(found)
        folder = Path(equal_points)
        folder.mkdir(parents=True, exist_ok=True)
        named, found = str(equal.kept_in(folder)), equal.scenario
    names = [agents] * len(found.sides) if isinstance(agents, str) else list(agents)
    if len(names) != len(found.sides):
        raise ZarebaError(f"{found.id} has {len(found.sides)} sides, and there are {len(names)} agents")
    every = [*(Variant(name, name) for name in rulesets or (() if variants else ruleset_names())), *variants]
    header = {
        "zareba": zareba_version(),
        "title": found.title,
        "sides": {side: entry.name for side, entry in found.sides.items()},
        "titles": {one.name: one.rules().book.title if one.name == one.ruleset else one.name for one in every},
        "scenario_digest": found.digest,
        "rules_digests": {one.name: one.rules().digest for one in every},
    }
    notes = {one.name: game_for(one, named).untranslated for one in every}
    said = {one.name: overrides_noted(found, one.ruleset) for one in every}
    played = run_comparison(
        named,
        every,
        games,
        seed,
        jobs,
        tuple(zip(found.sides, names, strict=True)),
        run_games,
        None,
        header,
        notes,
        said,
    )
    return Compared(replace(played, with_set_pieces=set_pieces))


# --- a game -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Played:
    """A game that programs have played to its end."""

    session: Session

    @property
    def winner(self) -> str | None:
        """The side that has won, None if nobody has."""
        return self.session.game.outcome(self.session.state).winner

    @property
    def rows(self) -> Rows:
        """One row an event: the step, what kind, its rule, and in words."""
        game = self.session.game
        return [
            {"step": number, "what": what, "kind": event.kind, "rule": event.rule, "told": game.describe_event(event)}
            for number, (what, _, events) in enumerate(self.session.log())
            for event in events
        ]

    @property
    def log(self) -> pandas.DataFrame:
        """The rows as a table."""
        return _frame(self.rows)

    def _repr_html_(self) -> str:
        game, state = self.session.game, self.session.state
        lines = "".join(f"<li>{escape(line)}</li>" for line in self.session.closing().lines(game))
        return f"{picture(game.scenario, game.board(state))}<ul>{lines}</ul>"


def play(
    scenario: str | Path,
    ruleset: str,
    *,
    seats: Mapping[str, str] | None = None,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    house_rules: Sequence[str | Path] = (),
) -> Played:
    """Have programs play a game to its end: `zareba.play("patrol_clash", "vcc", seed=3)`.

    `seats` says who plays a side, doctrine unless told; people play in the terminal and the browser.
    """
    found = load_scenario(str(scenario))
    held = dict.fromkeys(found.sides, "doctrine") | dict(seats or {})
    if "human" in held.values():
        raise ZarebaError("people play with 'zareba play' or 'zareba serve'; here programs do")
    rules = [find_house_rule(str(name)) for name in house_rules]
    session = new_session(ruleset, found, held, seed=seed, settings=settings, house_rules=rules)
    session.drive()
    return Played(session)
