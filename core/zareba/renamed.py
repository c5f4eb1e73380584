"""Public names of the last release that still work, with a warning that gives the new name."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import cache, wraps
from typing import Any, TypeVar

_log = logging.getLogger("zareba")

C = TypeVar("C", bound=type)

API: dict[str, dict[str, str]] = {
    "zareba.api": {
        "Appraisal": "Evaluation",
        "FlatAction": "FixedValueAction",
        "Kept": "StateVariable",
        "Offer": "ExtraOption",
        "Situation": "ModifierContext",
        "Thrown": "DiceResult",
        "lot": "random_draw",
        "one_of": "draw_one",
        "otherwise": "override_values",
        "passes": "roll_at_least",
        "rescored": "add_points",
        "row_of": "roll_on_chart",
        "take_off": "remove_unit",
    },
    "zareba.api.rulesets": {"PlainFile": "SimpleRulesetFile", "Row": "TroopRow", "plain_ruleset": "simple_ruleset"},
    "zareba.api.commands": {
        "Aftermath": "CampaignResult",
        "aftermath": "campaign_result",
        "put": "set_value",
        "taken_out": "remove_value",
    },
    "zareba.testing": {"Played": "PlayedTestGame", "game_under": "game_with_rules"},
}
"""Names of the public modules: the old one, then today's, by module."""

OPTIONS = {
    "compare": {"--also": "--other-agents", "--bank": "--save-games", "--foretell": "--win-probability"},
}
"""Options of commands: the old one, then today's, by command."""

RENAMED_COMMANDS = {"resume": "continue"}
"""Commands: the old name, then today's."""

PLAYERS = {"lookahead": "general"}
"""AI players: the old name, then today's."""

METHODS = {
    "Battle, Plan, Scoreboard": {"prizes": "carried_objects"},
    "Battle of Paychest": {"prizes": "things_of_objectives"},
    "Game": {"hand": "editor_class", "standing": "scoreboard"},
    "PlayedTestGame": {"kept": "state_variable", "told": "event_counts"},
    "Session": {"closing": "after_action_report", "may_redo": "why_no_redo", "may_undo": "why_no_undo"},
    "Choose": {"brought": "added"},
    "simple_ruleset.Unit": {"room": "radius"},
    "simple_ruleset.UnitSpec": {"enrolled": "scenario_facts", "room": "radius"},
    "Table": {"tell": "emit"},
    "Umpire": {"set_out": "starting_position", "there": "pieces_on_table"},
}
"""Methods and attributes of the classes that packages and house rules use: the old name, then today's, by class."""

ARGUMENTS = {
    "SimpleAction": {"does": "effect", "may": "is_legal", "worth": "evaluation"},
    "FixedValueAction": {"flat": "fixed_value"},
    "Battle": {"prizes": "carried_objects"},
    "Plan": {"prizes": "carried_objects"},
    "Scoreboard": {"prizes": "carried_objects"},
}
"""Named arguments: the old name, then today's, by class."""

HOOKS = {"zareba_appraise": "zareba_evaluate"}
"""Old names of hooks, each with the new name."""

GAME_MEMBERS = {
    "Game": {
        name: f"{part}.{name}"
        for part, names in {
            "play": "between common_outcome ending next_step outcome own_outcome perform printed_outcome",
            "advisor": "best_options best_places evaluate has_odds odds_for prospect",
            "narrator": "counted_as describe describe_card describe_change describe_event describe_option "
            "knows_question length name_of words",
            "display": "board cell_of changes changes_since condition cost_of headline phases pieces places roster",
            "sight": "conceal determinize hidden_pieces known_pieces may_hide pieces_in printed_view public put_away secrets view",
            "odds_horizon": "hold",
        }.items()
        for name in names.split()
    }
    | {
        "awaited": "display.arriving_pieces",
        "consequences": "odds_horizon.includes",
        "drawn": "display.labelled_board",
        "fired": "narrator.firing_piece",
        "settled": "odds_horizon.neutral_answer",
        "waits": "odds_horizon.assumes_pass",
    }
}
"""Members of a game: the old name, then the part of the game that has it, with its name there."""

RULESET_KEYS = {
    "cites": "rule_ids",
    "enrolment": "unit_mapping",
    "sometimes": "conditional_values",
    "spoken": "supported_words",
}
"""Old names of sections of `ruleset.yaml`, each with the new name."""

YAML_KEYS = {
    "a setting": {"formerly": "old_values", "tried": "compared_values"},
    "a note in supported_words": {"of": "words", "say": "note"},
}
"""Keys of entries of `ruleset.yaml` and of house rules: the old one, then today's, by kind of entry."""

JSON_KEYS = {
    "AfterAction.luck": {"feared": "expected_suffered", "promised": "expected_dealt"},
    "balance": {"tried": "trials"},
    "compare, advice.rows": {"gauges": "measures"},
    "explain": {"sometimes": "conditional_values"},
    "games": {"stands": "progress"},
    "odds": {"thrown": "rolls"},
    "sensitivity": {"ranked": "numbers", "refused": "not_allowed", "untouched": "no_effect"},
}
"""Keys of the JSON that commands and `to_dict` give: the old one, then today's, by command or value. Both are given."""


def renamed(module: str, name: str, names: dict[str, Any]) -> Any:
    """Return the object that had a name in the last release, from the globals of its module, with a warning.

    Raises AttributeError for a name that never existed.
    """
    new = API[module].get(name)
    if new is None:
        raise AttributeError(f"module '{module}' has no attribute '{name}'")
    warn_renamed(f"{module}.{name}", new)
    return names[new]


@cache
def warn_renamed(old: str, new: str) -> None:
    """Log once that a name has changed; the old one works until the next release."""
    _log.warning("%s is now called %s; write %s, because the old name will be removed", old, new, new)


def renamed_section(name: str) -> str:
    """Return today's name of a section of `ruleset.yaml`, with a warning if it was an old one."""
    new = RULESET_KEYS.get(name, name)
    if new != name:
        warn_renamed(f"the section {name}", new)
    return new


def with_new_keys(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a `ruleset.yaml`, as an old journal has it, with today's names of its keys."""
    return _converted(data, RULESET_KEYS, YAML_KEYS)


def with_old_keys(data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the data of a `ruleset.yaml` with every key as the last release wrote it.

    Digests are computed from it, so that games of the last release still count as played by these rules.
    """
    old = {kind: {new: old for old, new in names.items()} for kind, names in YAML_KEYS.items()}
    return _converted(data, {new: old for old, new in RULESET_KEYS.items()}, old)


def _converted(
    data: Mapping[str, Any], sections: Mapping[str, str], entries: Mapping[str, Mapping[str, str]]
) -> dict[str, Any]:
    """Return the data of a `ruleset.yaml` with the names of its sections, settings and notes replaced."""
    found = _with_keys(data, sections)
    if "settings" in found:
        found["settings"] = {name: _setting(entry, entries["a setting"]) for name, entry in found["settings"].items()}
    for section in ("spoken", "supported_words"):
        if notes := found.get(section, {}).get("notes"):
            converted = {name: _with_keys(note, entries["a note in supported_words"]) for name, note in notes.items()}
            found[section] = {**found[section], "notes": converted}
    return found


def _setting(entry: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    found = _with_keys(entry, names)
    if "parts" in found:
        found["parts"] = {name: _setting(part, names) for name, part in found["parts"].items()}
    return found


def _with_keys(data: Mapping[str, Any], names: Mapping[str, str]) -> dict[str, Any]:
    """Return a dict with its keys replaced; a key stays if the new one is there already."""
    return {key if names.get(key) in data else names.get(key, key): value for key, value in data.items()}


def accept_old_keys(names: Mapping[str, str]) -> Any:
    """Return a validator for a model that accepts old keys, each with a warning that names the new one."""
    from pydantic import model_validator  # imported late: `zareba --help` needs no models

    def accept(cls: type, data: Any) -> Any:
        if not isinstance(data, dict) or names.keys().isdisjoint(data):
            return data
        for old, new in names.items():
            if old in data:
                warn_renamed(f"the key {old}", new)
        return _with_keys(data, names)

    method: Any = classmethod(accept)
    return model_validator(mode="before")(method)


class RenamedAttribute:
    """An attribute under the name that it had in the last release. Reading and writing it logs a warning.

    `owner` is how code usually calls an object of the class, such as `battle`; `new` is today's name.
    """

    def __init__(self, owner: str, new: str) -> None:
        self.owner, self.new = owner, new

    def __set_name__(self, _: type, old: str) -> None:
        self.old = old

    def __get__(self, instance: object, _: type | None = None) -> Any:
        if instance is None:
            return self
        self.warn()
        return getattr(instance, self.new)

    def __set__(self, instance: object, value: Any) -> None:
        self.warn()
        setattr(instance, self.new, value)

    def warn(self) -> None:
        """Log the new name once."""
        warn_renamed(f"{self.owner}.{self.old}", f"{self.owner}.{self.new}")


def accept_old_arguments(cls: C) -> C:
    """Let a class accept the old names of its arguments, each with a warning that names the new one.

    If both names are given, the old one counts: `dataclasses.replace` adds the new name by itself.
    """
    found: Any = cls
    names, init = ARGUMENTS[cls.__name__], found.__init__

    @wraps(init)
    def with_new_names(self: Any, *args: Any, **arguments: Any) -> None:
        if not names.keys().isdisjoint(arguments):
            for old in names.keys() & arguments.keys():
                warn_renamed(f"the argument {old} of {cls.__name__}", names[old])
                arguments[names[old]] = arguments.pop(old)
        init(self, *args, **arguments)

    found.__init__ = with_new_names
    return cls


def with_old_json_keys(where: str, data: Mapping[str, Any]) -> dict[str, Any]:
    """Return the JSON data of a command or value with its keys of the last release in addition to today's."""
    return {**data, **{old: data[new] for old, new in JSON_KEYS[where].items() if new in data}}
