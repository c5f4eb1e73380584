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
from zareba.analysis.engines.pool import Pool
from zareba.analysis.engines.serial import Serial
from zareba.analysis.engines.task import Engine
from zareba.analysis.findings.findings import summarise
from zareba.analysis.games.activity import SECONDS
from zareba.analysis.games.records import GameCheckpoint, GameRecord, Variant
from zareba.analysis.games.samples import check_conditions
from zareba.analysis.games.simulate import SOLO, game_for, run_games, run_games_for_results
from zareba.analysis.pilot import MOST_GAMES, PILOT_GAMES, games_wanted
from zareba.analysis.saved_runs import merge_runs
from zareba.analysis.statistics.stopping import FIRST_LOOK, next_look
from zareba.analysis.studies.balance import (
    BalanceTrial,
    EvenValue,
    balance_parameter,
    even_sentence,
    even_value,
    next_values,
)
from zareba.analysis.studies.repeats import (
    DEFAULT_OTHER_PLAYERS,
    add_skill_matches,
    other_players,
    repeat_under_conditions,
)
from zareba.analysis.studies.sensitivity import (
    FEWEST,
    TRIAL_GAMES,
    Games,
    MovedNumber,
    measure_effects,
    move_numbers,
    numbers_with_effect,
    plan,
)
from zareba.analysis.studies.sweep import Sweep, sweep_through
from zareba.analysis.studies.tournament import Match, RatedPlayer, match_of, ratings, schedule, whole_pairs
from zareba.authoring.equal_points import with_equal_points
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import amount
from zareba.odds import Odds
from zareba.odds import odds as odds_of
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
    heads = list(dict.fromkeys(key for row in rows for key in row))
    head = "".join(f"<th>{escape(str(key))}</th>" for key in heads)
    body = "".join(f"<tr>{''.join(f'<td>{escape(_words(row.get(key)))}</td>' for key in heads)}</tr>" for row in rows)
    return f"<table><caption>{escape(caption)}</caption><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>"


def _words(value: object) -> str:
    return "" if value is None else f"{value:.4g}" if isinstance(value, float) else str(value)


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
    asked = rules.ruleset.procedure(procedure)
    try:
        situation = TypeAdapter(asked.facts).validate_python(facts)
    except ValidationError as error:
        wrong = "; ".join(f"{'.'.join(map(str, one['loc'])) or 'facts'}: {one['msg']}" for one in error.errors())
        raise ZarebaError(f"{procedure} of {ruleset} does not take these facts: {wrong}") from error
    found = odds_of(rules, asked, situation)
    plain = TypeAdapter(asked.outcome)
    rows: _Rows = [
        {**plain.dump_python(outcome, mode="json"), "p": float(p), "exact": None if found.samples else str(p)}
        for outcome, p in sorted(found.outcomes.items(), key=lambda one: -one[1])
    ]
    return OddsResult(f"{ruleset}: {asked.summary}", found, rows)


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
        """One row per number: variant, metric, label, unit, value, 95% interval, games."""
        titles = {metric["id"]: metric["title"] for metric in self.summary["metrics"]}
        return [
            {"variant": variant["name"], "id": id, "metric": titles[id], **one}
            for variant in self.summary["variants"]
            for id, found in variant["metrics"].items()
            for one in found
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
        return _frame([row for record in self.comparison.records for row in _course(record)])

    def report(self) -> str:
        """Return the report as one HTML page."""
        return render(self.summary, self.comparison.records).html

    def save(self, folder: str | Path) -> list[Path]:
        """Write the files of `zareba compare` to a folder and return their paths."""
        return list(write_outputs(self.comparison, Path(folder)).files)

    def _repr_html_(self) -> str:
        rows = []
        for row in self.summary["advice"]["rows"]:
            words = {gauge["title"]: gauge["words"] for gauge in row["gauges"]}
            who_wins = ", but ".join(filter(None, (row["balance"]["words"], row["balance"]["listed"])))
            rows.append({"system": row["title"], "who wins": who_wins, **words})
        header = self.summary["header"]
        return _table(rows, f"{header['title']}: {amount(self.comparison.games, 'game')} of each")


def _course(record: GameRecord) -> _Rows:
    return [
        {
            "variant": record.variant, "game": record.game, "seed": record.seed, "winner": record.winner, "turn": turn, "side": side,
            "strength": record.strength[side][turn], "score": record.score[side][turn],
        }
        for turn in range(record.turns + 1)
        for side in record.sides
    ]  # fmt: skip


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
    """Return the display names of variants."""
    alone = len({one.ruleset for one in variants}) == 1
    found = {}
    for one in variants:
        title = load_rules(one.ruleset).book.title
        if one.name != one.ruleset:
            found[one.name] = one.name if alone else f"{title}, {one.name}"
        else:
            found[one.name] = f"{swept.path}={swept.now}, as it is" if alone and swept is not None else title
    return found


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
    engine: Engine | None = None,
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
    named = str(scenario)
    found = load_scenario(named)
    check_conditions(where, tuple(found.sides))
    if equal_points is not None:
        equal = with_equal_points(found)
        target = Path(equal_points)
        target.mkdir(parents=True, exist_ok=True)
        named, found = str(equal.save_in(target)), equal.scenario
    files = Path(folder) if folder is not None else Path("out") / found.id
    players = _players(found, agents)
    every = [*(Variant(name, name) for name in rulesets or (() if variants else ruleset_names()))]
    every += map(_variant, variants)
    check_names(every)
    swept = None
    if sweep is not None:
        swept, others = sweep_through(sweep, every[0], files / "sweep")
        every += others
    check_names(every)
    solo = frozenset(side for side, player in players if player == SOLO)
    header = {
        "zareba": zareba_version(),
        "title": found.title,
        "sides": {side: entry.name for side, entry in found.sides.items()},
        "titles": _titles(every, swept),
        "scenario_digest": found.digest,
        "rules_digests": {one.name: one.rules().digest for one in every},
    }
    notes = {one.name: game_for(one, named, solo).untranslated for one in every}
    said = {one.name: override_lines(found, *one.rules().ruleset.lineage) for one in every}
    playing = partial(run_games, foretold=foretell) if foretell else run_games
    taken, who_plays = _seconds(seconds), engine or (Serial() if jobs == 1 else Pool(jobs, None))
    identity = {
        **header,
        "scenario": named,
        "notes": notes,
        "overrides": said,
        "variants": [one.to_dict() for one in every],
        "seed": seed,
        "agents": dict(players),
        "code": fingerprint_of(packages()),
        **({"foretell": foretell} if foretell else {}),
    }
    with ExitStack() as opened:
        who_plays = opened.enter_context(who_plays.keep_workers())
        kept = None
        if save_games is not None:
            Path(save_games).parent.mkdir(parents=True, exist_ok=True)
            kept = opened.enter_context(GameCheckpoint(files, identity, lambda said: None, Path(save_games)))

        def watch() -> AbstractContextManager[Callable[[int, int], None]]:
            return nullcontext(progress or (lambda done, total: None))

        def play_games(number: int, before: Sequence[GameRecord]) -> Comparison:
            played = run_comparison(
                named, every, number, seed, jobs, players, playing, progress, header, notes, said,
                engine=who_plays, batch=batch, played_before=before, keep=kept.keep if kept else None,
            )  # fmt: skip
            return replace(
                played, seconds=taken, stopping=found.turns if stop else None, with_set_pieces=set_pieces, sweep=swept
            )

        comparison = _played(play_games, kept.records if kept else (), games, stop=stop).only(where)
        if robust and not comparison.partial and not comparison.where:
            names = DEFAULT_OTHER_PLAYERS if robust is True else list(robust)
            others_of_it = {name: (_players(found, name), most) for name, most in other_players(names).items()}
            comparison = repeat_under_conditions(
                comparison, found, others_of_it, who_plays, files / "conditions", watch=watch
            )
        if skill and not comparison.partial:
            comparison = add_skill_matches(comparison, skill, who_plays, watch=watch)
    return ComparisonResult(comparison)


def _played(
    play_games: Callable[[int, Sequence[GameRecord]], Comparison],
    before: Sequence[GameRecord],
    games: int | None,
    *,
    stop: bool,
) -> Comparison:
    """Return the games requested: a fixed number, the number that a pilot chooses, or games until everything is
    decided.
    """
    if not stop:
        if games is not None:
            return play_games(games, before)
        pilot = play_games(PILOT_GAMES, before)
        return pilot if pilot.partial else play_games(games_wanted(pilot.columns()), [*pilot.records, *before])
    most = games or MOST_GAMES
    look = min(FIRST_LOOK, most)
    while True:
        found = play_games(look, before)
        if found.partial or look >= most or all(verdict.decision for verdict in found.verdicts()):
            return found
        look, before = min(most, next_look(look)), [*found.records, *before]


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
    return ComparisonResult(comparison.only(where))


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
        return [asdict(one) for one in self.ratings]

    @property
    def frame(self) -> pandas.DataFrame:
        """The rows as a data frame."""
        return _frame(self.rows)

    def _repr_html_(self) -> str:
        return _table(self.rows, f"{amount(sum(one.games for one in self.matches), 'game')}, Elo with 95 % intervals")


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
    found = load_scenario(str(scenario))
    if len(found.sides) != 2:
        raise ZarebaError(f"a tournament needs a battle with two sides; {found.id} has {len(found.sides)}")
    variant = Variant(ruleset, ruleset, tuple((settings or {}).items()), tuple(map(str, house_rules)))
    variant.rules()
    matches = []
    for pair in schedule(players):
        who = _players(found, pair)
        played = run_comparison(str(scenario), [variant], games, seed, jobs, who, run_games_for_results)
        matches.append(match_of(*pair, whole_pairs(played.records)))
        if played.partial:
            break
    met = [name for name in players if any(name in (one.first, one.second) for one in matches)]
    return Tournament(tuple(matches), tuple(ratings(met, matches)))


# --- studies of one system --------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Balanced:
    """The result of a balance study. `rows` has one row per value tried, with its games and the games that the side won.

    `even` is the value at which the side wins half of its games, with its 95% interval; its value is None if there is
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
    "boers_left.figures")`.
    """
    found = load_scenario(str(scenario))
    counted = side or next(iter(found.sides))
    if counted not in found.sides:
        raise unknown_name("side", counted, found.sides)
    players = _players(found, agent)
    if equal_points:
        found = with_equal_points(found).scenario
    parameter, variant = balance_parameter(found, by, low, high), Variant(ruleset, ruleset)
    variant.rules()
    tried: list[BalanceTrial] = []
    with TemporaryDirectory() as place:
        for number in range(_BALANCE_ROUNDS):
            values = next_values(parameter, tried)
            each = max(2, games // _BALANCE_ROUNDS // len(values))
            for value in values:
                file = Path(place) / f"{found.id}_{value}.yaml"
                file.write_text(parameter.scenario_with(found, value), encoding="utf-8")
                records = run_comparison(
                    str(file), [variant], each, seed + number, jobs, players, run_games_for_results
                ).records
                wins = sum(0.5 if one.winner is None else float(one.winner == counted) for one in records)
                tried.append(BalanceTrial(value, len(records), wins))
    even = even_value(tried, parameter)
    words = even_sentence(parameter, even, found.sides[counted].name, tried)
    return Balanced(by, counted, parameter.now, even, [asdict(one) for one in tried], words)


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
    named, found, base = str(scenario), load_scenario(str(scenario)), Variant(ruleset, ruleset)
    files = Path(folder) if folder is not None else Path("out") / f"{found.id}-sensitivity" / "numbers"
    every, refused = move_numbers(load_rules(ruleset), only, files)
    least = TRIAL_GAMES * (len(every) + 1) + FEWEST
    if budget < least:
        raise ZarebaError(
            f"a look at {amount(len(every), 'step')} takes {amount(least, 'game')}, more than the budget of {budget}"
        )
    players = _players(found, agents)

    def play_games(steps: Sequence[MovedNumber], games: int, before: Games) -> dict[str, list[GameRecord]]:
        variants = [base, *(one.variant for one in steps)]
        known = [one for records in before.values() for one in records]
        run = run_comparison(named, variants, games, seed, jobs, players, run_games_for_results, played_before=known)
        if run.partial:
            raise KeyboardInterrupt
        return {one.name: [record for record in run.records if record.variant == one.name] for one in variants}

    look = play_games(every, TRIAL_GAMES, {})
    left = numbers_with_effect(every, base.name, look)
    left = left[: max(1, (budget - TRIAL_GAMES * (len(every) + 1)) // (FEWEST - TRIAL_GAMES) - 1)]
    ranked = (
        measure_effects(left, base.name, play_games(left, plan(budget, len(every), len(left)), look)) if left else []
    )
    rows = []
    for one in ranked:
        told = one.to_dict(rate)
        step = {name: told[name] for name in ("path", "was", "to", "games")}
        rows += [{**step, "measure": measure, **effect} for measure, effect in told["effects"].items()]
    untouched = sorted({one.path for one in every} - {one.path for one in left})
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
    found = load_scenario(str(scenario))
    held = dict.fromkeys(found.sides, "doctrine") | dict(seats or {})
    if "human" in held.values():
        raise ZarebaError("only AI players can play here; people play with 'zareba play' or 'zareba serve'")
    rules = [find_house_rule(str(name)) for name in house_rules]
    session = new_session(ruleset, found, held, seed=seed, settings=settings, house_rules=rules)
    session.drive()
    return PlayedGame(session)
