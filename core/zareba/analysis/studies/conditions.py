"""Conditions of a robustness study: other players, other stand-ins for gaps in a rulebook, other translations of the
scenario.

Each condition changes one thing and leaves the luck unchanged, so that a few games show its effect.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import closing
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from zareba.analysis.engines.engine import RunGames, TaskEngine
from zareba.analysis.games.measures import course
from zareba.analysis.games.records import GameRecord, GameTask, Setting, Variant
from zareba.analysis.games.simulate import game_for
from zareba.analysis.statistics.robustness import Kind
from zareba.base.errors import ZarebaError
from zareba.registry import load_rules
from zareba.rules import Rules, load_catalogue
from zareba.rules.settings import Setting as SettingDefinition
from zareba.rules.settings import flat_settings, text
from zareba.scenario import Scenario
from zareba.scenario.vocabulary import FIREARMS

TRIAL_GAMES = 4
"""Games played to see whether a change affects a battle at all."""
_STEP = 0.1
"""Relative step of a number that is not whole. Whole numbers move by 1."""

_OPTIONAL_ATTRIBUTES = (
    ("weapon", "no unit has a {}", "none"),
    ("close_weapon", "no {} for close combat", "none"),
    ("quality", "{} units count as regular", "regular"),
    ("formation", "no {} formation at the start", None),
)
"""Attributes of a unit that may be left out, the sentence that describes it, and the value used instead.

Firearms are never left out, because they are the weapon itself.
"""

_Agents = tuple[tuple[str, str], ...]
AfterTrials = Callable[[int, int, int], None]
"""Receives the number of changes with an effect, the number of changes tried, and the number of games still to play."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The game played instead of a variant: its variant, scenario (a name or file) and agents."""

    variant: Variant
    scenario: str
    agents: _Agents


@dataclass(frozen=True, slots=True)
class RobustnessCondition:
    """One change. `instead` maps variant names to their replacements; `games` is the most games played of each.

    `records` holds the games played under it, by variant name. It is empty if the change does not affect the battle.
    """

    kind: Kind
    title: str
    instead: Mapping[str, Replacement]
    games: int
    records: Mapping[str, tuple[GameRecord, ...]] = field(default_factory=dict)


def players(
    variants: Sequence[Variant], scenario: str, others: Mapping[str, _Agents], games: Mapping[str, int]
) -> list[RobustnessCondition]:
    """Return a condition per set of other players, with the number of `games` that each plays."""
    return [
        RobustnessCondition("players", f"{name} players", {variant.name: Replacement(variant, scenario, agents) for variant in variants}, games[name])
        for name, agents in others.items()
    ]  # fmt: skip


def stand_ins(variants: Sequence[Variant], scenario: str, agents: _Agents, games: int) -> list[RobustnessCondition]:
    """Return a condition for each changed setting of a stand-in, for every ruleset.

    These are the settings that a catalogue marks as stand-ins, or whose reading decides when a battle ends, who
    wins or what scores. A setting with listed values takes each of the other values; a number goes one step down and
    one up. All variants of the ruleset change together, except for settings in which they differ.
    """
    conditions = []
    for ruleset, its_variants in _by_ruleset(variants).items():
        rules = load_rules(ruleset)
        for name, rule, setting in _stand_in_settings(rules):
            present = [dict(variant.settings).get(name, rules.settings[name]) for variant in its_variants]
            now = present[0]
            if any(value != now for value in present):
                continue
            for other in _other_values(setting, now):
                changed = {
                    variant.name: Replacement(_with_setting(variant, name, other), scenario, agents)
                    for variant in its_variants
                }
                title = f"{rules.book.title}: {setting.summary} ({text(other)}, not {text(now)}; {rule})"
                conditions.append(RobustnessCondition("stand-in", title, changed, games))
    return conditions


def translation_conditions(
    variants: Sequence[Variant], scenario: Scenario, agents: _Agents, games: int, folder: Path
) -> list[RobustnessCondition]:
    """Return a condition for each word of the scenario that is hidden from one ruleset, and for its scenario overrides.

    The changed scenarios are written into `folder`. Those that a ruleset cannot play are left out.
    """
    conditions = []
    for ruleset, its_variants in _by_ruleset(variants).items():
        title = load_rules(ruleset).book.title
        for number, (change, changed) in enumerate(_with_one_word_less(scenario, ruleset)):
            file = folder / f"{ruleset}_{number}.yaml"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                json.dumps(changed.model_dump(mode="json", exclude_unset=True), ensure_ascii=False), "utf-8"
            )
            try:
                game_for(its_variants[0], str(file))
            except ZarebaError:
                file.unlink()
                continue
            instead = {variant.name: Replacement(variant, str(file), agents) for variant in its_variants}
            conditions.append(RobustnessCondition("translation", f"{title}: {change}", instead, games))
    return conditions


def play(
    conditions: Sequence[RobustnessCondition],
    base: Mapping[str, Sequence[GameRecord]],
    seed: int,
    engine: TaskEngine,
    run_games: RunGames,
    progress: Callable[[int, int], None],
    *,
    batch: int = TRIAL_GAMES,
    after_trials: AfterTrials = lambda effective, tried, games: None,
) -> list[RobustnessCondition]:
    """Return the conditions with their games.

    A condition that changes something other than the players is tried first, in `TRIAL_GAMES` games. If they go exactly
    as in `base`, the condition does not affect the battle and gets no more games. `after_trials` is called once, when
    all conditions have been tried.
    """
    to_try = [condition for condition in conditions if condition.kind != "players"]
    trials = iter(
        _play_games([(condition, 0, TRIAL_GAMES) for condition in to_try], seed, engine, run_games, progress, batch)
    )
    trial_games = [next(trials) if condition.kind != "players" else {} for condition in conditions]
    to_play = [
        (condition, TRIAL_GAMES if records else 0, condition.games)
        for condition, records in zip(conditions, trial_games, strict=True)
        if not records or _differs(records, base)
    ]
    remaining = sum((last - first) * len(condition.instead) for condition, first, last in to_play)
    after_trials(sum(condition.kind != "players" for condition, _, _ in to_play), len(to_try), remaining)
    more_games = dict(
        zip(
            (id(condition) for condition, _, _ in to_play),
            _play_games(to_play, seed, engine, run_games, progress, batch),
            strict=True,
        )
    )
    return [
        replace(condition, records={name: (*records.get(name, ()), *more[name]) for name in more})
        for condition, records in zip(conditions, trial_games, strict=True)
        for more in (more_games.get(id(condition), {}),)
    ]


def _play_games(
    spans: Sequence[tuple[RobustnessCondition, int, int]],
    seed: int,
    engine: TaskEngine,
    run_games: RunGames,
    progress: Callable[[int, int], None],
    batch: int,
) -> list[dict[str, tuple[GameRecord, ...]]]:
    """Play spans of games of conditions: a condition, its first game and the game after its last.

    Return the games of each span, by variant.
    """
    tasks: list[GameTask] = []
    span_and_variant: dict[str, tuple[int, str]] = {}  # by the name that a variant has in a task
    for number, (condition, first, last) in enumerate(spans):
        for name, replacement in condition.instead.items():
            name_in_task = f"{name}/{number}"
            span_and_variant[name_in_task] = (number, name)
            variant, agents = replace(replacement.variant, name=name_in_task), replacement.agents
            swap = len({agent for _, agent in agents}) > 1
            tasks += [
                GameTask(variant, replacement.scenario, game, min(batch, last - game), seed, agents, swap)
                for game in range(first, last, batch)
            ]
    games: list[dict[str, list[GameRecord]]] = [{name: [] for name in condition.instead} for condition, _, _ in spans]
    done, total = 0, sum(task.count for task in tasks)
    with closing(engine.run_tasks(tasks, run_games)) as results:
        for records in results:
            for record in records:
                number, name = span_and_variant[record.variant]
                games[number][name].append(replace(record, variant=name))
            done += len(records)
            progress(done, total)
    return [
        {name: tuple(sorted(records, key=lambda record: record.game)) for name, records in by_variant.items()}
        for by_variant in games
    ]


def _differs(records: Mapping[str, Sequence[GameRecord]], base: Mapping[str, Sequence[GameRecord]]) -> bool:
    """Return True if a game went differently from the same game in `base`."""
    courses = {name: {record.game: course(record) for record in games} for name, games in base.items()}
    return any(courses[name].get(record.game) != course(record) for name, games in records.items() for record in games)


def _by_ruleset(variants: Sequence[Variant]) -> dict[str, list[Variant]]:
    groups: dict[str, list[Variant]] = {}
    for variant in variants:
        groups.setdefault(variant.ruleset, []).append(variant)
    return groups


def _stand_in_settings(rules: Rules) -> Iterator[tuple[str, str, SettingDefinition]]:
    """Yield each setting that changes a stand-in or decides a battle: its full name, the rule and the setting."""
    folders = rules.ruleset.folders
    if not (folders[-1] / "rules.yaml").is_file():
        return
    marked = {
        name: rule
        for rule, entry in load_catalogue(*folders).rules.items()
        if entry.stand_in or entry.decides
        for name in entry.settings()
    }
    for name, setting in flat_settings(rules.book.settings):
        if (rule := marked.get(name) or marked.get(name.partition(".")[0])) is not None:
            yield name, rule, setting


def _other_values(setting: SettingDefinition, now: Any) -> list[Setting]:
    """Return the other values of a setting: listed ones, neighbours of a number, and the numbers to try instead of a
    word.
    """
    values = [
        value for value in (*setting.values, *setting.compared_values) if value != now and not isinstance(value, list)
    ]
    if isinstance(now, (int, float)) and not isinstance(now, bool) and setting.at_least is not None:
        step = 1 if isinstance(now, int) else round(abs(now) * _STEP, 6) or _STEP
        values += [value for value in (now - step, now + step) if setting.admits(value) and value not in values]
    return values


def _with_setting(variant: Variant, name: str, value: Setting) -> Variant:
    return replace(variant, settings=tuple({**dict(variant.settings), name: value}.items()))


def _with_one_word_less(scenario: Scenario, ruleset: str) -> Iterator[tuple[str, Scenario]]:
    """Yield the scenario without its overrides for the ruleset, and then with one word less, once per word.

    Each comes with a description of the change. Types of units and firearms always stay.
    """
    units = list(scenario.units.values())
    if scenario.overrides.get(ruleset):
        others = {name: overrides for name, overrides in scenario.overrides.items() if name != ruleset}
        yield "without the scenario's settings for these rules alone", scenario.model_copy(update={"overrides": others})
    for attribute, sentence, plain in _OPTIONAL_ATTRIBUTES:
        for word in _distinct(getattr(unit, attribute) for unit in units):
            if word not in (None, plain) and word not in FIREARMS:
                changed = {
                    key: unit.model_copy(update={attribute: plain}) if getattr(unit, attribute) == word else unit
                    for key, unit in scenario.units.items()
                }
                yield sentence.format(_words(word)), scenario.model_copy(update={"units": changed})
    for trait in _distinct(trait for unit in units for trait in unit.traits):
        without_trait = {
            key: unit.model_copy(update={"traits": tuple(word for word in unit.traits if word != trait)})
            for key, unit in scenario.units.items()
        }
        yield f"without the trait “{_words(trait)}”", scenario.model_copy(update={"units": without_trait})


def _distinct(words: Iterator[Any]) -> list[Any]:
    return list(dict.fromkeys(words))


def _words(word: str) -> str:
    return word.replace("_", " ")
