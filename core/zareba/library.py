"""zareba in a notebook: `zareba.odds`, `zareba.compare` and `zareba.play`, with tidy tables and pictures.

Results display themselves in a notebook. Tables are pandas data frames with one row per observation (the extra
`notebook`). The same content is available without pandas, as lists of plain rows.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import asdict, dataclass, replace
from functools import cached_property, partial
from html import escape
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any, TypeAlias

from pydantic import TypeAdapter, ValidationError

from zareba.agents import WITHOUT, agent_names
from zareba.analysis.compare import GAMES_A_TASK, Comparison, check_names
from zareba.analysis.compare import compare as run_comparison
from zareba.analysis.engines.engine import Serial, TaskEngine
from zareba.analysis.engines.pool import Pool
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.activity import SECONDS
from zareba.analysis.games.records import GameCheckpoint, GameRecord, Variant
from zareba.analysis.games.samples import check_conditions
from zareba.analysis.games.simulate import SOLO, game_for, run_games, run_games_for_results
from zareba.analysis.pilot import MOST_GAMES, PILOT_GAMES, games_wanted
from zareba.analysis.saved_runs import merge_runs
from zareba.analysis.statistics.stopping import FIRST_LOOK, next_look
from zareba.analysis.studies.additional_games import (
    DEFAULT_OTHER_PLAYERS,
    add_skill_matches,
    other_players,
    repeat_under_conditions,
)
from zareba.analysis.studies.balance import (
    BalanceTrial,
    EvenValue,
    balance_parameter,
    even_sentence,
    even_value,
    next_values,
)
from zareba.analysis.studies.sensitivity import (
    FEWEST_GAMES,
    TRIAL_GAMES,
    Games,
    MovedNumber,
    measure_effects,
    move_numbers,
    numbers_with_effect,
    plan,
)
from zareba.analysis.studies.sweep import Sweep, sweep_through
from zareba.analysis.studies.tournament import Match, RatedPlayer, complete_pairs, match_of, ratings, schedule
from zareba.authoring.equal_points import with_equal_points
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount
from zareba.odds import Odds
from zareba.odds import odds as procedure_odds
from zareba.picture import picture
from zareba.plugins.content_digest import fingerprint_of, packages
from zareba.registry import find_house_rule, load_rules, ruleset_names, zareba_version
from zareba.report import render
from zareba.report.outputs import write_outputs
from zareba.scenario import Scenario, load_scenario
from zareba.scenario.overrides import override_lines
from zareba.session import Session, new_session

if TYPE_CHECKING:
    import pandas


_BALANCE_ROUNDS = 3
"""The number of rounds in which `balance` tries values closer to an even battle."""

_Rows = list[dict[str, Any]]


def _frame(rows: _Rows) -> pandas.DataFrame:
    """Return rows as a pandas data frame. Raises ZarebaError if pandas is not installed."""
    try:
        import pandas
    except ImportError as error:
        raise ZarebaError(
            "tables need pandas: pip install 'zareba[notebook]'; `rows` has the same data without it"
        ) from error
    return pandas.DataFrame(rows)


def _table(rows: _Rows, caption: str) -> str:
    """Return rows as a small HTML table for a notebook."""
    columns = list(dict.fromkeys(column for row in rows for column in row))
    head = "".join(f"<th>{escape(str(column))}</th>" for column in columns)
    body = ""
    for row in rows:
        cells = "".join(f"<td>{escape(_cell_text(row.get(column)))}</td>" for column in columns)
        body += f"<tr>{cells}</tr>"
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _cell_text(value: object) -> str:
    if value is None:
        return ""
    return f"{value:.4g}" if isinstance(value, float) else str(value)


# --- odds -------------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class OddsResult:
    """The possible outcomes of a procedure. Each of `rows` is one outcome with its probability `p` and the `exact`
    fraction (None if sampled).
    """

    title: str
    found: Odds
    rows: _Rows

    @property
    def frame(self) -> pandas.DataFrame:
        """The rows as a data frame."""
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
) -> OddsResult:
    """Return the odds of a procedure for some facts: `zareba.odds("vcc", "fire_step", bases=4, band="close")`.

    House rules are given by the name of an installed one or by file. Raises ZarebaError for facts that do not fit.
    """
    rules = load_rules(ruleset, settings, [find_house_rule(str(name)) for name in house_rules])
    chosen = rules.ruleset.procedure(procedure)
    try:
        situation = TypeAdapter(chosen.facts).validate_python(facts)
    except ValidationError as error:
        faults = "; ".join(f"{'.'.join(map(str, fault['loc'])) or 'facts'}: {fault['msg']}" for fault in error.errors())
        raise ZarebaError(f"{procedure} of {ruleset} does not take these facts: {faults}") from error
    computed = procedure_odds(rules, chosen, situation)
    outcome_type = TypeAdapter(chosen.outcome)
    rows: _Rows = [
        {**outcome_type.dump_python(outcome, mode="json"), "p": float(p), "exact": None if computed.samples else str(p)}
        for outcome, p in sorted(computed.outcomes.items(), key=lambda item: -item[1])
    ]
    return OddsResult(f"{ruleset}: {chosen.summary}", computed, rows)


# --- comparisons ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class ComparisonResult:
    """A comparison with all its games played."""

    comparison: Comparison

    @cached_property
    def summary(self) -> dict[str, Any]:
        """The content of `summary.json`."""
        return summarise(self.comparison)

    @property
    def rows(self) -> _Rows:
        """One row per number: variant, metric, label, unit, value, 95 % interval, games."""
        titles = {metric["id"]: metric["title"] for metric in self.summary["metrics"]}
        return [
            {"variant": variant["name"], "id": metric_id, "metric": titles[metric_id], **number}
            for variant in self.summary["variants"]
            for metric_id, numbers in variant["metrics"].items()
            for number in numbers
        ]

    @property
    def metrics(self) -> pandas.DataFrame:
        """The rows as a data frame."""
        return _frame(self.rows)

    @property
    def differences(self) -> pandas.DataFrame:
        """One row per pair of variants and metric: the difference, its interval, p, and the conclusion."""
        return _frame(self.summary["differences"])

    @property
    def games(self) -> pandas.DataFrame:
        """One row per game, side and turn: strength and score."""
        return _frame([row for record in self.comparison.records for row in _rows_of_game(record)])

    def report(self) -> str:
        """Return the report as one HTML page."""
        return render(self.summary, self.comparison.records).html

    def save(self, folder: str | Path) -> list[Path]:
        """Write the files of `zareba compare` to a folder and return their paths."""
        return list(write_outputs(self.comparison, Path(folder)).files)

    def _repr_html_(self) -> str:
        rows = []
        for row in self.summary["advice"]["rows"]:
            measures = {measure["title"]: measure["words"] for measure in row["measures"]}
            who_wins = ", but ".join(filter(None, (row["balance"]["words"], row["balance"]["listed"])))
            rows.append({"system": row["title"], "who wins": who_wins, **measures})
        header = self.summary["header"]
        return _table(rows, f"{header['title']}: {amount(self.comparison.games, 'game')} of each")


def _rows_of_game(record: GameRecord) -> _Rows:
    """Return the strength and score of each side at the start of a game and at the end of each turn."""
    game = {"variant": record.variant, "game": record.game, "seed": record.seed, "winner": record.winner}
    return [
        {
            **game,
            "turn": turn,
            "side": side,
            "strength": record.strength[side][turn],
            "score": record.score[side][turn],
        }
        for turn in range(record.turns + 1)
        for side in record.sides
    ]


_AnyVariant: TypeAlias = Variant | Mapping[str, Any]


def _variant(given: _AnyVariant) -> Variant:
    """Return a variant given as a `Variant` or as a dictionary. Raises ZarebaError for anything else."""
    if isinstance(given, Variant):
        return given
    if not isinstance(given, Mapping):
        raise ZarebaError(f"a variant is a Variant or a dictionary, not {given!r}")
    known = ("name", "ruleset", "settings", "house_rules")
    for key in given:
        if key not in known:
            raise unknown_name("entry of a variant", str(key), known)
    name, ruleset = given.get("name"), given.get("ruleset")
    if not isinstance(name, str) or not isinstance(ruleset, str):
        raise ZarebaError(
            'a variant needs a name and a ruleset: {"name": "cool", "ruleset": "vcc", "settings": {"mg_overheat": "off"}}'
        )
    settings, house_rules = given.get("settings") or {}, given.get("house_rules") or ()
    if not isinstance(settings, Mapping):
        raise ZarebaError(
            f"the settings of the variant '{name}' are a dictionary of names and values, not {settings!r}"
        )
    if isinstance(house_rules, (str, Path)):
        house_rules = (house_rules,)
    return Variant(name, ruleset, tuple(settings.items()), tuple(map(str, house_rules)))


def _players(scenario: Scenario, agents: str | Sequence[str]) -> tuple[tuple[str, str], ...]:
    """Return the player of each side: one for all sides, or one for each."""
    names = [agents] * len(scenario.sides) if isinstance(agents, str) else list(agents)
    if len(names) != len(scenario.sides):
        raise ZarebaError(f"{scenario.id} has {len(scenario.sides)} sides, and there are {len(names)} agents")
    known = [*agent_names(), SOLO]
    for name in names:
        if name.partition(WITHOUT)[0] not in known:
            raise unknown_name("player", name, known)
    return tuple(zip(scenario.sides, names, strict=True))


def _seconds(changed: Mapping[str, float] | None) -> Mapping[str, float]:
    """Return the time of each act in seconds: the default, or the given value."""
    for act, value in (changed or {}).items():
        if act not in SECONDS:
            raise unknown_name("act at the table", act, SECONDS)
        if not 0 <= value <= 3600:
            raise ZarebaError(f"an act takes from 0 to 3600 seconds, not {value} ({act})")
    return {**SECONDS, **(changed or {})}


def _titles(variants: Sequence[Variant], swept: Sweep | None) -> dict[str, str]:
    """Return the display names of variants. `swept` is the number that a sweep varies."""
    is_one_ruleset = len({variant.ruleset for variant in variants}) == 1
    titles = {}
    for variant in variants:
        title = load_rules(variant.ruleset).book.title
        if variant.name != variant.ruleset:
            titles[variant.name] = variant.name if is_one_ruleset else f"{title}, {variant.name}"
        elif is_one_ruleset and swept is not None:
            titles[variant.name] = f"{swept.path}={swept.now}, as it is"
        else:
            titles[variant.name] = title
    return titles


def compare(
    scenario: str | Path,
    rulesets: Sequence[str] = (),
    *,
    variants: Sequence[_AnyVariant] = (),
    games: int | None = 40,
    seed: int = 1,
    jobs: int = 1,
    agents: str | Sequence[str] = "doctrine",
    set_pieces: bool = False,
    equal_points: str | Path | None = None,
    sweep: str | None = None,
    stop: bool = False,
    robust: bool | Sequence[str] = False,
    foretell: int = 0,
    skill: int = 0,
    seconds: Mapping[str, float] | None = None,
    where: Sequence[str] = (),
    save_games: str | Path | None = None,
    folder: str | Path | None = None,
    engine: TaskEngine | None = None,
    batch: int = GAMES_A_TASK,
    progress: Callable[[int, int], None] | None = None,
) -> ComparisonResult:
    """Play whole games under several rulesets: `zareba.compare("patrol_clash", ["vcc", "afriboria"], games=100)`.

    The options and the results are those of the command with the same games and seed.

    rulesets: names; by default all installed ones, or none if there are `variants`.
    variants: variants to compare with, each a `Variant` or a dictionary:
        `{"name": "cool", "ruleset": "vcc", "settings": {"mg_overheat": "off"}, "house_rules": ["gatling.yaml"]}`.
    games: the number of games of each variant; None lets a pilot choose it.
    agents: one AI player for all sides, or one for each.
    equal_points: a folder; the forces are first brought to equal points, as zareba counts them, and the changed
        battle is saved there. Raises ZarebaError if this would change the size of a force too much.
    sweep: compare the first ruleset with each value of one of its numbers, as in `"hits_per_base=4..8"`.
    stop: stop as soon as all primary comparisons are decided, after `games` at the latest.
    robust: repeat the claims under other conditions; True, or the names of the other AI players, as in `"bold:20"`.
    foretell: the number of games of each variant for which the win probability at the end of each turn is estimated.
    skill: the number of games between players of unequal strength.
    seconds: the time that acts take at your table, as in `{"decision": 20}`.
    where: report only games that match this condition on `games.csv`, as in `"turns<=6"`.
    save_games: a file that keeps the games; the same call with more `games` adds to them.
    folder: the folder for files that variants need (`sweep`, `robust`); by default `out` and the name of the battle.
    engine: the engine that plays the games; by default `jobs` workers on this machine.
    """
    file = str(scenario)
    battle = load_scenario(file)
    check_conditions(where, tuple(battle.sides))
    if equal_points is not None:
        equal = with_equal_points(battle)
        target = Path(equal_points)
        target.mkdir(parents=True, exist_ok=True)
        file, battle = str(equal.save_in(target)), equal.scenario
    files = Path(folder) if folder is not None else Path("out") / battle.id
    players = _players(battle, agents)
    compared = [*(Variant(name, name) for name in rulesets or (() if variants else ruleset_names()))]
    compared += map(_variant, variants)
    check_names(compared)
    swept = None
    if sweep is not None:
        swept, swept_variants = sweep_through(sweep, compared[0], files / "sweep")
        compared += swept_variants
    check_names(compared)
    solo_sides = frozenset(side for side, player in players if player == SOLO)
    header = {
        "zareba": zareba_version(),
        "title": battle.title,
        "sides": {side: entry.name for side, entry in battle.sides.items()},
        "titles": _titles(compared, swept),
        "scenario_digest": battle.digest,
        "rules_digests": {variant.name: variant.rules().digest for variant in compared},
    }
    notes = {variant.name: game_for(variant, file, solo_sides).untranslated for variant in compared}
    overrides = {variant.name: override_lines(battle, *variant.rules().ruleset.lineage) for variant in compared}
    run = partial(run_games, foretold=foretell) if foretell else run_games
    seconds_of_acts = _seconds(seconds)
    identity = {
        **header,
        "scenario": file,
        "notes": notes,
        "overrides": overrides,
        "variants": [variant.to_dict() for variant in compared],
        "seed": seed,
        "agents": dict(players),
        "code": fingerprint_of(packages()),
        **({"foretell": foretell} if foretell else {}),
    }
    with ExitStack() as stack:
        workers = stack.enter_context((engine or (Serial() if jobs == 1 else Pool(jobs, None))).keep_workers())
        checkpoint = None
        if save_games is not None:
            Path(save_games).parent.mkdir(parents=True, exist_ok=True)
            checkpoint = stack.enter_context(GameCheckpoint(files, identity, lambda message: None, Path(save_games)))

        def watch() -> AbstractContextManager[Callable[[int, int], None]]:
            return nullcontext(progress or (lambda done, total: None))

        def play_games(number: int, before: Sequence[GameRecord]) -> Comparison:
            played = run_comparison(
                file, compared, number, seed, jobs, players, run, progress, header, notes, overrides,
                engine=workers, batch=batch, played_before=before, keep=checkpoint.write if checkpoint else None,
            )  # fmt: skip
            return replace(
                played,
                seconds=seconds_of_acts,
                stopping=battle.turns if stop else None,
                with_set_pieces=set_pieces,
                sweep=swept,
            )

        saved_games = checkpoint.records if checkpoint else ()
        comparison = _play_enough_games(play_games, saved_games, games, stop=stop).filtered(where)
        if robust and not comparison.partial and not comparison.where:
            names = DEFAULT_OTHER_PLAYERS if robust is True else list(robust)
            conditions = {name: (_players(battle, name), most) for name, most in other_players(names).items()}
            comparison = repeat_under_conditions(
                comparison, battle, conditions, workers, files / "conditions", watch=watch
            )
        if skill and not comparison.partial:
            comparison = add_skill_matches(comparison, skill, workers, watch=watch)
    return ComparisonResult(comparison)


def _play_enough_games(
    play_games: Callable[[int, Sequence[GameRecord]], Comparison],
    before: Sequence[GameRecord],
    games: int | None,
    *,
    stop: bool,
) -> Comparison:
    """Play a fixed number of games, the number that a pilot chooses (None), or games until all comparisons are decided.

    `play_games` plays up to a number of games of each variant, in addition to those played before.
    """
    if not stop:
        if games is not None:
            return play_games(games, before)
        pilot = play_games(PILOT_GAMES, before)
        return pilot if pilot.partial else play_games(games_wanted(pilot.columns()), [*pilot.records, *before])
    most = games or MOST_GAMES
    number = min(FIRST_LOOK, most)
    while True:
        comparison = play_games(number, before)
        if comparison.partial or number >= most or all(verdict.decision for verdict in comparison.verdicts()):
            return comparison
        number, before = min(most, next_look(number)), [*comparison.records, *before]


def compare_saved(
    files: Sequence[str | Path], *, seconds: Mapping[str, float] | None = None, where: Sequence[str] = ()
) -> ComparisonResult:
    """Report games saved by `save_games` or `zareba compare --save-games`, without playing. Several files are merged.

    Raises ZarebaError for files of different battles, rules or players, or of the same seed.
    """
    if not files:
        raise ZarebaError("name at least one file of saved games")
    comparison = replace(merge_runs([Path(file) for file in files]), seconds=_seconds(seconds))
    check_conditions(where, tuple(comparison.header["sides"]))
    return ComparisonResult(comparison.filtered(where))


# --- tournaments ------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Tournament:
    """The matches of a tournament and the ratings of its players. `rows` has one row per player, best first, with Elo,
    interval and score.
    """

    matches: tuple[Match, ...]
    ratings: tuple[RatedPlayer, ...]

    @property
    def rows(self) -> _Rows:
        """One row per player."""
        return [asdict(player) for player in self.ratings]

    @property
    def frame(self) -> pandas.DataFrame:
        """The rows as a data frame."""
        return _frame(self.rows)

    def _repr_html_(self) -> str:
        return _table(
            self.rows, f"{amount(sum(match.games for match in self.matches), 'game')}, Elo with 95 % intervals"
        )


def tournament(
    scenario: str | Path,
    ruleset: str,
    players: Sequence[str] = ("random", "cautious", "doctrine", "bold"),
    *,
    games: int = 100,
    settings: Mapping[str, Any] | None = None,
    house_rules: Sequence[str | Path] = (),
    seed: int = 1,
    jobs: int = 1,
) -> Tournament:
    """Let players meet each other and rate them: `zareba.tournament("patrol_clash", "vcc", ["doctrine", "bold"])`."""
    battle = load_scenario(str(scenario))
    if len(battle.sides) != 2:
        raise ZarebaError(f"a tournament needs a battle with two sides; {battle.id} has {len(battle.sides)}")
    variant = Variant(ruleset, ruleset, tuple((settings or {}).items()), tuple(map(str, house_rules)))
    variant.rules()  # reports errors before any game
    matches = []
    for pair in schedule(players):
        seats = _players(battle, pair)
        played = run_comparison(str(scenario), [variant], games, seed, jobs, seats, run_games_for_results)
        matches.append(match_of(*pair, complete_pairs(played.records)))
        if played.partial:
            break
    rated = [name for name in players if any(name in (match.first, match.second) for match in matches)]
    return Tournament(tuple(matches), tuple(ratings(rated, matches)))


# --- studies of one system --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Balanced:
    """The result of a balance study. `rows` has one row per value tried, with its games and the games that the side
    won.

    `even` is the value at which the side wins half of its games, with its 95 % interval; its value is None if there is
    none. `words` describes the result in a sentence.
    """

    by: str
    side: str
    now: int
    even: EvenValue
    rows: _Rows
    words: str = ""

    @property
    def frame(self) -> pandas.DataFrame:
        """The rows as a data frame."""
        return _frame(self.rows)

    def _repr_html_(self) -> str:
        return _table(self.rows, self.words)


def balance(
    scenario: str | Path,
    ruleset: str,
    by: str,
    *,
    side: str | None = None,
    low: int | None = None,
    high: int | None = None,
    equal_points: bool = False,
    games: int = 450,
    seed: int = 1,
    jobs: int = 1,
    agent: str = "doctrine",
) -> Balanced:
    """Find the value that makes a battle even under a ruleset: `zareba.balance("river_ford", "vcc",
    "b_left.figures")`.
    """
    battle = load_scenario(str(scenario))
    counted_side = side or next(iter(battle.sides))
    if counted_side not in battle.sides:
        raise unknown_name("side", counted_side, battle.sides)
    players = _players(battle, agent)
    if equal_points:
        battle = with_equal_points(battle).scenario
    parameter, variant = balance_parameter(battle, by, low, high), Variant(ruleset, ruleset)
    variant.rules()  # reports errors before any game
    trials: list[BalanceTrial] = []
    with TemporaryDirectory() as folder:
        for number in range(_BALANCE_ROUNDS):
            values = next_values(parameter, trials)
            games_of_each = max(2, games // _BALANCE_ROUNDS // len(values))
            for value in values:
                file = Path(folder) / f"{battle.id}_{value}.yaml"
                file.write_text(parameter.scenario_with(battle, value), encoding="utf-8")
                records = run_comparison(
                    str(file), [variant], games_of_each, seed + number, jobs, players, run_games_for_results
                ).records
                wins = sum(0.5 if game.winner is None else float(game.winner == counted_side) for game in records)
                trials.append(BalanceTrial(value, len(records), wins))
    even = even_value(trials, parameter)
    names = [side.name for side in battle.sides.values()]
    words = even_sentence(parameter, even, battle.sides[counted_side].name, trials, names)
    return Balanced(by, counted_side, parameter.now, even, [asdict(trial) for trial in trials], words)


@dataclass(frozen=True)
class Sensitivity:
    """The numbers of a ruleset ranked by their effect. `rows` has one row per step and measure, largest effect first.

    `untouched` lists the numbers that the battle never uses, `refused` the steps that the rules reject.
    """

    rows: _Rows
    untouched: tuple[str, ...]
    refused: tuple[str, ...]

    @property
    def frame(self) -> pandas.DataFrame:
        """The rows as a data frame."""
        return _frame(self.rows)

    def _repr_html_(self) -> str:
        return _table(
            self.rows, f"{amount(len(self.untouched), 'number is', 'numbers are')} not touched by this battle"
        )


def sensitivity(
    scenario: str | Path,
    ruleset: str,
    *,
    only: str = "*",
    budget: int = 6000,
    rate: float = 0.1,
    agents: str | Sequence[str] = "doctrine",
    seed: int = 1,
    jobs: int = 1,
    folder: str | Path | None = None,
) -> Sensitivity:
    """Rank the numbers of a ruleset by their effect: `zareba.sensitivity("patrol_clash", "vcc", only="tallies.*")`.

    `rate` is the share of the reported effects that may be false. The house rules for the steps are written to
    `folder`.
    """
    file, battle, base = str(scenario), load_scenario(str(scenario)), Variant(ruleset, ruleset)
    files = Path(folder) if folder is not None else Path("out") / f"{battle.id}-sensitivity" / "numbers"
    steps, refused = move_numbers(load_rules(ruleset), only, files)
    trial_games = TRIAL_GAMES * (len(steps) + 1)
    least = trial_games + FEWEST_GAMES
    if budget < least:
        raise ZarebaError(
            f"a look at {amount(len(steps), 'step')} takes {amount(least, 'game')}, more than the budget of {budget}"
        )
    players = _players(battle, agents)

    def play_games(steps: Sequence[MovedNumber], games: int, before: Games) -> dict[str, list[GameRecord]]:
        variants = [base, *(step.variant for step in steps)]
        played = [record for records in before.values() for record in records]
        run = run_comparison(file, variants, games, seed, jobs, players, run_games_for_results, played_before=played)
        if run.partial:
            raise KeyboardInterrupt
        return {
            variant.name: [record for record in run.records if record.variant == variant.name] for variant in variants
        }

    trials = play_games(steps, TRIAL_GAMES, {})
    most_measured = max(1, (budget - trial_games) // (FEWEST_GAMES - TRIAL_GAMES) - 1)
    measured = numbers_with_effect(steps, base.name, trials)[:most_measured]
    rows = []
    if measured:
        games = play_games(measured, plan(budget, len(steps), len(measured)), trials)
        for ranked in measure_effects(measured, base.name, games):
            values = ranked.to_dict(rate)
            step_columns = {name: values[name] for name in ("path", "was", "to", "games")}
            rows += [{**step_columns, "measure": measure, **effect} for measure, effect in values["effects"].items()]
    untouched = sorted({step.path for step in steps} - {step.path for step in measured})
    return Sensitivity(rows, tuple(untouched), tuple(refused))


# --- a game -----------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class PlayedGame:
    """A game that AI players have played to its end."""

    session: Session

    @property
    def winner(self) -> str | None:
        """The side that has won, or None."""
        return self.session.outcome.winner

    @property
    def rows(self) -> _Rows:
        """One row per event: the step, the kind, the rule, and a description."""
        game = self.session.game
        return [
            {
                "step": number,
                "what": what,
                "kind": event.kind,
                "rule": event.rule,
                "told": game.narrator.describe_event(event),
            }
            for number, (what, _, events) in enumerate(self.session.log())
            for event in events
        ]

    @property
    def log(self) -> pandas.DataFrame:
        """The rows as a data frame."""
        return _frame(self.rows)

    def _repr_html_(self) -> str:
        game, state = self.session.game, self.session.state
        lines = "".join(f"<li>{escape(line)}</li>" for line in self.session.after_action_report().lines(game))
        return f"{picture(game.scenario, game.display.board(state))}<ul>{lines}</ul>"


def play(
    scenario: str | Path,
    ruleset: str,
    *,
    seats: Mapping[str, str] | None = None,
    seed: int = 1,
    settings: Mapping[str, Any] | None = None,
    house_rules: Sequence[str | Path] = (),
) -> PlayedGame:
    """Let AI players play a game to its end: `zareba.play("patrol_clash", "vcc", seed=3)`.

    `seats` maps sides to AI players, by default `doctrine`. People play in the terminal or the browser.
    """
    battle = load_scenario(str(scenario))
    players = dict.fromkeys(battle.sides, "doctrine") | dict(seats or {})
    if "human" in players.values():
        raise ZarebaError("only AI players can play here; people play with 'zareba play' or 'zareba serve'")
    rules = [find_house_rule(str(name)) for name in house_rules]
    session = new_session(ruleset, battle, players, seed=seed, settings=settings, house_rules=rules)
    session.drive()
    return PlayedGame(session)
