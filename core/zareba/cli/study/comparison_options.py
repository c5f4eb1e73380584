"""Interpret the options of a comparison: variants, players, and seconds per act."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from zareba.agents import WITHOUT, agent_names
from zareba.analysis.games.activity import SECONDS
from zareba.analysis.games.records import Variant
from zareba.analysis.games.simulate import SOLO
from zareba.analysis.studies.sweep import Sweep, sweep_through
from zareba.authoring.equal_points import EqualPoints, with_equal_points
from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.hidden_characters import is_one_line
from zareba.base.yamlfile import MAX_NAME
from zareba.cli.options import assignments, existing_file
from zareba.cli.output import print_to_stderr
from zareba.plugins.entry_points import house_rule_files
from zareba.registry import find_house_rule, load_rules, ruleset, ruleset_names
from zareba.rules.settings import read_settings, text
from zareba.scenario import Scenario


def variants_of(rulesets: str | None, changes: Sequence[str]) -> list[Variant]:
    """Return the rulesets themselves, then the variants of the first of them."""
    bases = _ruleset_names(rulesets) if rulesets is not None else _working_rulesets()
    for name in bases:
        ruleset(name)
    variants = [Variant(name, name) for name in bases]
    if changes and rulesets is None and len(bases) > 1:
        raise ZarebaError(f"name the ruleset that the variants change with --rulesets; installed: {', '.join(bases)}")
    variants += [_variant(name, bases[0], changed) for name, changed in assignments("variant", changes).items()]
    return variants


def sweep_of(option: str, base: Variant, folder: Path) -> tuple[Sweep, list[Variant]]:
    """Return the sweep for an option `PATH=1..6`, and its variants other than the unchanged ruleset `base`.

    The house rules of the variants are written into `folder`.
    """
    if "=" not in option:
        raise ZarebaError(
            f"--sweep {option} is not valid; write --sweep PATH=1..6, with a path as for 'zareba explain'"
        )
    return sweep_through(option, base, folder)


def equal_of(scenario: Scenario) -> EqualPoints:
    """Return the scenario with forces of equal points, and print what was changed."""
    equal = with_equal_points(scenario)
    values = "; ".join(
        f"{side.name} {equal.before[key]:.0f} points, now {equal.now[key]:.0f}" for key, side in scenario.sides.items()
    )
    print_to_stderr(f"equal points by our own estimate, as no rulebook here prices units: {values}")
    changed = ", ".join(f"{key} {before} to {now}" for key, (before, now) in equal.men.items())
    print_to_stderr(f"figures changed: {changed or 'none'}")
    return equal


def _ruleset_names(option: str) -> list[str]:
    names = [name.strip() for name in option.split(",") if name.strip()]
    if not names:
        raise ZarebaError("--rulesets names no ruleset; write --rulesets a,b")
    return names


def _working_rulesets() -> list[str]:
    """Return the installed rulesets that load, and print a notice about each of the others."""
    names = []
    for name in ruleset_names():
        try:
            load_rules(name)
        except Exception as error:  # noqa: BLE001  # another package's broken ruleset is reported, not fatal
            print_to_stderr(f"left out: the ruleset '{name}' cannot be used: {error}")
        else:
            names.append(name)
    return names


def _variant(name: str, base: str, changed: str) -> Variant:
    """Return a variant of the ruleset `base` with changes, such as `mg_overheat:off,./my_rule.yaml`."""
    if len(name) > MAX_NAME or not is_one_line(name):
        raise ZarebaError(f"the name of a variant is one line of up to {MAX_NAME} characters, not {len(name)}")
    settings: dict[str, Any] = {}
    house_rules, new_values = [], []
    own_settings = load_rules(base).switches
    for change in filter(None, (part.strip() for part in changed.split(","))):
        setting, colon, value = change.partition(":")
        if colon and not Path(change).exists() and change not in house_rule_files():
            new_values.append((setting, value))
            if setting in own_settings:
                # Refuse a wrong value here; otherwise the text after a comma would count as a house rule.
                read_settings(own_settings, {setting: value}, base)
        else:
            if Path(change).suffix in (".yaml", ".yml", ".py"):
                existing_file("house rule", change)
            find_house_rule(change)
            house_rules.append(change)
    if new_values:
        all_settings = load_rules(base, house_rules=[find_house_rule(rule) for rule in house_rules]).switches
        for setting, value in new_values:
            parsed = read_settings(all_settings, {setting: value}, base)
            if setting not in parsed:
                raise ZarebaError(
                    f"the setting {setting} has parts; set each, as in {setting}.{next(iter(all_settings[setting].parts))}:{value}"
                )
            settings[setting] = parsed[setting]
    if not settings and not house_rules:
        raise ZarebaError(f"the variant '{name}' changes nothing; write {name}=SETTING:VALUE or {name}=HOUSE_RULE")
    return Variant(name, base, tuple(settings.items()), tuple(house_rules))


def players_of(scenario: Scenario, agents: str) -> tuple[tuple[str, str], ...]:
    """Return the players of the sides, in order, from names separated by commas."""
    names = [name.strip() for name in agents.split(",")]
    for name in names:
        player_named(name)
    if len(names) == 1:
        names *= len(scenario.sides)
    if len(names) != len(scenario.sides):
        raise ZarebaError(f"{scenario.id} has {len(scenario.sides)} sides, but --agents names {len(names)} players")
    return tuple(zip(scenario.sides, names, strict=True))


def player_named(name: str) -> str:
    """Return the name of a player, possibly restricted by "without". The ZarebaError for an unknown one suggests the
    nearest.
    """
    known = [*agent_names(), SOLO]
    if name.partition(WITHOUT)[0] not in known:
        raise unknown_name("player", name, known)
    return name


def titles_of(variants: Sequence[Variant], sweep: Sweep | None = None) -> dict[str, str]:
    """Return the display names of some variants: the ruleset, and the variant's own name if it changes something.

    If all are of one ruleset, their own names suffice. In a sweep the unchanged ruleset is named by its present value.
    """
    one_ruleset = len({variant.ruleset for variant in variants}) == 1
    titles = {}
    for variant in variants:
        title = load_rules(variant.ruleset).book.title
        if variant.name != variant.ruleset:
            titles[variant.name] = variant.name if one_ruleset else f"{title}, {variant.name}"
        elif one_ruleset and sweep is not None:
            titles[variant.name] = f"{sweep.path}={sweep.now}, as it is"
        else:
            titles[variant.name] = title
    return titles


def seconds_of(changes: Sequence[str]) -> dict[str, float]:
    """Return the seconds that each act at the table takes, with changes such as `handful=12`."""
    seconds = dict(SECONDS)
    for act, number in assignments("seconds", changes).items():
        if act not in seconds:
            raise unknown_name("act at the table", act, seconds)
        try:
            value = float(number)
        except ValueError:
            value = -1.0
        if not 0 <= value <= 3600:
            raise ZarebaError(f"--seconds {act}={number} is not valid; an act takes from 0 to 3600 seconds")
        seconds[act] = value
    return seconds


def split_players(names: str, option: str) -> list[str]:
    """Return the players named in an option, without duplicates. Raises ZarebaError if there are none."""
    players = list(dict.fromkeys(name.strip() for name in names.split(",") if name.strip()))
    if not players:
        raise ZarebaError(f"{option} names no player; write {option} bold,cautious")
    return players


def command_of(
    scenario: str,
    variants: Sequence[Variant],
    games: int,
    seed: int,
    agents: str,
    *,
    stop: bool,
    sweep: str | None = None,
    equal_points: bool = False,
    robust: str | None = None,
    probability_games: int = 0,
    skill: int = 0,
) -> str:
    """Return the command that repeats the run. Jobs and folder are left out, because they do not change the numbers.

    `robust` names the players of `--other-agents`.
    """
    bases = [variant.name for variant in variants if not variant.settings and not variant.house_rules]
    values_of_sweep = f"{sweep.partition('=')[0]}=" if sweep else None
    parts = ["zareba", "compare", scenario, f"--rulesets={','.join(bases)}"]
    for variant in variants:
        changes = [f"{name}:{text(value)}" for name, value in variant.settings] + list(variant.house_rules)
        if changes and not (values_of_sweep and variant.name.startswith(values_of_sweep)):
            parts.append(f"--variant={variant.name}={','.join(changes)}")
    if equal_points:
        parts.append("--equal-points")
    if sweep:
        parts.append(f"--sweep={sweep}")
    parts += [f"--games={games}", *(["--stop"] if stop else []), f"--seed={seed}", f"--agents={agents}"]
    parts += [
        f"--{name}={number}" for name, number in (("win-probability", probability_games), ("skill", skill)) if number
    ]
    return " ".join([*parts, *(["--robust", f"--other-agents={robust}"] if robust else [])])
