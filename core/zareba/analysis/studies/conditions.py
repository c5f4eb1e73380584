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

from zareba.analysis.engines.task import Engine, RunGames
from zareba.analysis.games.measures import course
from zareba.analysis.games.records import GameRecord, GameTask, Setting, Variant
from zareba.analysis.games.simulate import game_for
from zareba.analysis.statistics.robustness import Kind
from zareba.base.errors import ZarebaError
from zareba.registry import load_rules
from zareba.rules import Rules, load_catalogue
from zareba.rules.settings import Setting as Switch
from zareba.rules.settings import flat_settings, text
from zareba.scenario import Scenario
from zareba.scenario.vocabulary import FIREARMS

TRIAL_GAMES = 4
"""Games played to see whether a change affects a battle at all."""
_STEP = 0.1
"""Relative step of a number that is not whole. Whole numbers move by 1."""

_WORDS = (
    ("weapon", "no unit has a {}", "none"),
    ("close_weapon", "no {} for close combat", "none"),
    ("quality", "{} units count as regular", "regular"),
    ("formation", "no {} formation at the start", None),
)
"""Attributes of a unit that may be left out, the sentence that describes it, and the value used instead.

Firearms are never left out, because they are the weapon itself.
"""

_Agents = tuple[tuple[str, str], ...]
Looked = Callable[[int, int, int], None]
"""Receives the number of changes with an effect, the number of changes tried, and the number of games still to play."""


@dataclass(frozen=True, slots=True)
class Replacement:
    """The game played instead of a variant: its variant, scenario (a name or file) and agents."""

    variant: Variant
    scenario: str
    agents: _Agents


@dataclass(frozen=True, slots=True)
class Condition:
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
) -> list[Condition]:
    """Return a condition per set of other players, with the number of `games` that each plays."""
    return [
        Condition("players", f"{name} players", {one.name: Replacement(one, scenario, agents) for one in variants}, games[name])
        for name, agents in others.items()
    ]  # fmt: skip


def stand_ins(variants: Sequence[Variant], scenario: str, agents: _Agents, games: int) -> list[Condition]:
    """Return a condition for each changed setting of a stand-in, for every ruleset.

    These are the settings that a catalogue marks as stand-ins, or whose interpretation decides when a battle ends, who
    wins or what scores. A setting with listed values takes each of the other values; a number goes one step down and
    one up. All variants of the ruleset change together, except for settings in which they differ.
    """
    found = []
    for ruleset, own in _by_ruleset(variants).items():
        rules = load_rules(ruleset)
        for name, rule, switch in _switches_of_stand_ins(rules):
            known = [dict(one.settings).get(name, rules.settings[name]) for one in own]
            now = known[0]
            if any(value != now for value in known):
                continue
            for other in _others(switch, now):
                changed = {one.name: Replacement(_set(one, name, other), scenario, agents) for one in own}
                title = f"{rules.book.title}: {switch.summary} ({text(other)}, not {text(now)}; {rule})"
                found.append(Condition("stand-in", title, changed, games))
    return found


def translations(
    variants: Sequence[Variant], scenario: Scenario, agents: _Agents, games: int, folder: Path
) -> list[Condition]:
    """Return a condition for each word of the scenario that is hidden from one ruleset, and for its scenario overrides.

    The changed scenarios are written into `folder`. Those that a ruleset cannot play are left out.
    """
    found = []
    for ruleset, own in _by_ruleset(variants).items():
        title = load_rules(ruleset).book.title
        for number, (words, changed) in enumerate(_told_otherwise(scenario, ruleset)):
            file = folder / f"{ruleset}_{number}.yaml"
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(
                json.dumps(changed.model_dump(mode="json", exclude_unset=True), ensure_ascii=False), "utf-8"
            )
            try:
                game_for(own[0], str(file))
            except ZarebaError:
                file.unlink()
                continue
            instead = {one.name: Replacement(one, str(file), agents) for one in own}
            found.append(Condition("translation", f"{title}: {words}", instead, games))
    return found


def play(
    some: Sequence[Condition],
    base: Mapping[str, Sequence[GameRecord]],
    seed: int,
    engine: Engine,
    run_games: RunGames,
    progress: Callable[[int, int], None],
    *,
    batch: int = TRIAL_GAMES,
    looked: Looked = lambda effective, tried, games: None,
) -> list[Condition]:
    """Return the conditions with their games.

    If something other than the players is changed, `TRIAL_GAMES` games are played first. If they go exactly as in `base`, the
    condition does not affect the battle and no more games are played. `looked` is then called once.
    """
    looks = [one for one in some if one.kind != "players"]
    seen = iter(_played([(one, 0, TRIAL_GAMES) for one in looks], seed, engine, run_games, progress, batch))
    first = [next(seen) if one.kind != "players" else {} for one in some]
    left = [
        (one, TRIAL_GAMES if records else 0, one.games)
        for one, records in zip(some, first, strict=True)
        if not records or _differs(records, base)
    ]
    still = sum((last - at) * len(one.instead) for one, at, last in left)
    looked(sum(one.kind != "players" for one, _, _ in left), len(looks), still)
    played = dict(
        zip((id(one) for one, _, _ in left), _played(left, seed, engine, run_games, progress, batch), strict=True)
    )
    return [
        replace(one, records={name: (*records.get(name, ()), *rest[name]) for name in rest})
        for one, records in zip(some, first, strict=True)
        for rest in (played.get(id(one), {}),)
    ]


def _played(
    wanted: Sequence[tuple[Condition, int, int]],
    seed: int,
    engine: Engine,
    run_games: RunGames,
    progress: Callable[[int, int], None],
    batch: int,
) -> list[dict[str, tuple[GameRecord, ...]]]:
    """Return the games `first` to `last` of each condition, in the order of the conditions, by variant."""
    tasks: list[GameTask] = []
    whose: dict[str, tuple[int, str]] = {}
    for number, (condition, first, last) in enumerate(wanted):
        for name, one in condition.instead.items():
            called = f"{name}/{number}"
            whose[called] = (number, name)
            swap = len({agent for _, agent in one.agents}) > 1
            tasks += [
                GameTask(replace(one.variant, name=called), one.scenario, at, min(batch, last - at), seed, one.agents, swap)
                for at in range(first, last, batch)
            ]  # fmt: skip
    found: list[dict[str, list[GameRecord]]] = [{name: [] for name in one.instead} for one, _, _ in wanted]
    done, total = 0, sum(task.count for task in tasks)
    with closing(engine.run_tasks(tasks, run_games)) as played:
        for records in played:
            for record in records:
                number, name = whose[record.variant]
                found[number][name].append(replace(record, variant=name))
            done += len(records)
            progress(done, total)
    return [
        {name: tuple(sorted(records, key=lambda one: one.game)) for name, records in by_name.items()}
        for by_name in found
    ]


def _differs(records: Mapping[str, Sequence[GameRecord]], base: Mapping[str, Sequence[GameRecord]]) -> bool:
    """Return True if a game went differently from the same game in `base`."""
    known = {name: {one.game: course(one) for one in games} for name, games in base.items()}
    return any(known[name].get(one.game) != course(one) for name, games in records.items() for one in games)


def _by_ruleset(variants: Sequence[Variant]) -> dict[str, list[Variant]]:
    found: dict[str, list[Variant]] = {}
    for one in variants:
        found.setdefault(one.ruleset, []).append(one)
    return found


def _switches_of_stand_ins(rules: Rules) -> Iterator[tuple[str, str, Switch]]:
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
    for name, switch in flat_settings(rules.book.settings):
        if (rule := marked.get(name) or marked.get(name.partition(".")[0])) is not None:
            yield name, rule, switch


def _others(switch: Switch, now: Any) -> list[Setting]:
    """Return the other values of a setting: listed ones, neighbours of a number, and the numbers to try instead of a
    word.
    """
    found = [
        value for value in (*switch.values, *switch.compared_values) if value != now and not isinstance(value, list)
    ]
    if isinstance(now, (int, float)) and not isinstance(now, bool) and switch.at_least is not None:
        step = 1 if isinstance(now, int) else round(abs(now) * _STEP, 6) or _STEP
        found += [value for value in (now - step, now + step) if switch.admits(value) and value not in found]
    return found


def _set(variant: Variant, name: str, value: Setting) -> Variant:
    return replace(variant, settings=tuple({**dict(variant.settings), name: value}.items()))


def _told_otherwise(scenario: Scenario, ruleset: str) -> Iterator[tuple[str, Scenario]]:
    """Yield the scenario with one word less, once per word other than unit types and firearms."""
    units = list(scenario.units.values())
    if scenario.overrides.get(ruleset):
        left = {name: said for name, said in scenario.overrides.items() if name != ruleset}
        yield "without the scenario's settings for these rules alone", scenario.model_copy(update={"overrides": left})
    for what, sentence, plain in _WORDS:
        for word in _said(getattr(unit, what) for unit in units):
            if word not in (None, plain) and word not in FIREARMS:
                changed = {
                    key: unit.model_copy(update={what: plain}) if getattr(unit, what) == word else unit
                    for key, unit in scenario.units.items()
                }
                yield sentence.format(_plain(word)), scenario.model_copy(update={"units": changed})
    for trait in _said(trait for unit in units for trait in unit.traits):
        kept = {
            key: unit.model_copy(update={"traits": tuple(one for one in unit.traits if one != trait)})
            for key, unit in scenario.units.items()
        }
        yield f"without the trait “{_plain(trait)}”", scenario.model_copy(update={"units": kept})


def _said(words: Iterator[Any]) -> list[Any]:
    return list(dict.fromkeys(words))


def _plain(word: str) -> str:
    return word.replace("_", " ")
