"""Collect the hook functions of a session's Python house rules, in the order of the session, and attach them to the
rules.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from inspect import isasyncgenfunction, iscoroutinefunction, isgeneratorfunction, signature
from types import MappingProxyType
from typing import Any

import pluggy

from zareba.base.errors import ZarebaError, nearest, unknown_name
from zareba.house_rules import HookFunction, StateVariable
from zareba.plugins import hook_specs
from zareba.plugins.entry_points import implemented_hooks
from zareba.plugins.placeholder_check import wrong_placeholder
from zareba.plugins.rule_files import HouseRule
from zareba.plugins.ruleset import Ruleset
from zareba.rules.procedure import declared_return_type
from zareba.rules.resolved import Rules, nest_wraps
from zareba.rules.settings import Setting
from zareba.rules.tallies import add_modifiers

RULESET_HOOKS = (
    "zareba_modifiers",
    "zareba_procedures",
    "zareba_steps",
    "zareba_policy",
    "zareba_words",
    "zareba_actions",
)
"""The hooks that are called once per ruleset, after all other data is known. Each may return nothing."""
GAME_HOOKS = (
    "zareba_scenario",
    "zareba_begin",
    "zareba_turn",
    "zareba_step",
    "zareba_view",
    "zareba_over",
    "zareba_outcome",
    "zareba_evaluate",
)
"""The hooks that the game calls during play."""


def new_hook_manager() -> pluggy.PluginManager:
    """Return a new plugin manager that knows the hooks of the core."""
    manager = pluggy.PluginManager("zareba")
    manager.add_hookspecs(hook_specs)
    return manager


def check_hooks(manager: pluggy.PluginManager, owner: str) -> None:
    """Raise ZarebaError, with the most similar name, if a module implements an unknown hook; `owner` names the
    module.
    """
    try:
        manager.check_pending()
    except pluggy.PluginValidationError as error:
        known = [spec for spec in dir(hook_specs) if spec.startswith("zareba_")]
        wrong = str(error).split("'")[1] if "'" in str(error) else ""
        guess = nearest(wrong, known)
        hint = f"; did you mean '{guess}'?" if guess else ""
        raise ZarebaError(f"{owner} implements a hook that does not exist: {wrong or error}{hint}") from error


def _refuse_order_marks(manager: pluggy.PluginManager, rule: HouseRule) -> None:
    """Reject a house rule that tries to change its position: the session decides the order
    (`zareba.plugins.hook_specs`).
    """
    for caller in manager.get_hookcallers(rule.module) or ():
        for implementation in caller.get_hookimpls():
            for mark in ("wrapper", "hookwrapper", "tryfirst", "trylast"):
                if implementation.plugin is rule.module and getattr(implementation, mark):
                    raise ZarebaError(
                        f"house rule '{rule.name}' ({rule.file}): {caller.name} is marked {mark}=True; house rules act in "
                        "the order in which the session lists them; to act around a rule, wrap its procedure or step "
                        "(zareba_procedures, zareba_steps); write @zareba.hookimpl without it"
                    )


def _reason_invalid(error: Exception) -> str:
    """Return why a function is not a valid hook. Usually it has an argument that the hook does not offer."""
    match = re.search(r"hookimpl definition: (\w+)\(.*Argument\(s\) \{(.*?)\}", str(error), re.DOTALL)
    if match is None:
        return " ".join(str(error).split())
    hook, arguments = match[1], match[2].replace("'", "")
    possible = ", ".join(signature(getattr(hook_specs, hook)).parameters) or "nothing"
    return f"{hook} has the argument {arguments}; its possible arguments are {possible}"


def _refuse_coroutines(manager: pluggy.PluginManager, rule: HouseRule) -> None:
    """Reject a hook that is a coroutine or a generator: the table answers at once, and a hook returns its result with
    `return`.
    """
    for caller in manager.get_hookcallers(rule.module) or ():
        for implementation in caller.get_hookimpls():
            function = implementation.function
            is_async = iscoroutinefunction(function) or isasyncgenfunction(function)
            if implementation.plugin is rule.module and (is_async or isgeneratorfunction(function)):
                kind = "async def" if is_async else "a function with yield"
                raise ZarebaError(
                    f"house rule '{rule.name}' ({rule.file}:{function.__code__.co_firstlineno}): {caller.name} is {kind}, "
                    "which would never run; write it with def and return: the table answers at once"
                )


class HookCollection:
    """The hook functions of a session's Python house rules for one ruleset.

    If the ruleset extends another, its own hook functions come first. Raises ZarebaError for a faulty house rule.
    """

    def __init__(self, ruleset: Ruleset, house_rules: Sequence[HouseRule]) -> None:
        self.ruleset = ruleset
        self.house_rules = [rule for rule in house_rules if rule.module is not None]
        self.manifests = {rule.name: rule.manifest.file for rule in house_rules if rule.manifest is not None}
        for manifest in filter(None, (rule.manifest for rule in house_rules)):
            for word, template in manifest.file.words.items():
                if wrong := wrong_placeholder(word, template):
                    raise manifest.refusal(("words", word), wrong)
        self.names = [rule.name for rule in self.house_rules]
        self._settings: dict[str, dict[str, Any]] = {name: {} for name in self.names}
        self._rule_arguments = {
            rule.name: {
                "ruleset": rule.ruleset_id_in(ruleset.lineage),
                "settings": MappingProxyType(self._settings[rule.name]),
            }
            for rule in self.house_rules
        }
        self._active: set[str] = set()
        manager = new_hook_manager()
        self._manager = manager
        for rule in self.house_rules:
            try:
                manager.register(rule.module, rule.name)
            except (pluggy.PluginValidationError, ValueError) as error:
                raise ZarebaError(f"house rule '{rule.name}' ({rule.file}): {_reason_invalid(error)}") from error
            check_hooks(manager, f"house rule '{rule.name}' ({rule.file})")
            if not implemented_hooks(rule.module):
                raise ZarebaError(
                    f"house rule '{rule.name}' ({rule.file}) implements no hook; mark its functions with @zareba.hookimpl"
                )
            _refuse_order_marks(manager, rule)
            _refuse_coroutines(manager, rule)

    def functions(self, hook: str) -> list[HookFunction]:
        """Return the implementations of a hook, in the order of the session; each receives the settings of its house
        rule.
        """
        modules = [rule.module for rule in self.house_rules]
        implementations = getattr(self._manager.hook, hook).get_hookimpls()
        functions = []
        for implementation in sorted(implementations, key=lambda impl: modules.index(impl.plugin)):
            rule = self.house_rules[modules.index(implementation.plugin)]
            arguments = tuple(implementation.argnames)
            rule_arguments, of_ruleset = self._rule_arguments[rule.name], rule.name in self.ruleset.lineage
            functions.append(
                HookFunction(
                    hook,
                    rule.name,
                    str(rule.file),
                    implementation.function,
                    arguments,
                    rule_arguments,
                    of_ruleset=of_ruleset,
                )
            )
        return functions

    def settings(self) -> dict[str, Setting]:
        """Return the settings that house rules define, by full name: `ammunition.rounds`."""
        settings = {
            f"{rule}.{name}": setting
            for rule, file in self.manifests.items()
            for name, setting in file.settings.items()
        }
        for hook in self.functions("zareba_settings"):
            result = hook()
            if not isinstance(result, Mapping) or not all(isinstance(setting, Setting) for setting in result.values()):
                raise hook.blame(TypeError(f"it returned {result!r}, not a dict of names and Settings"))
            for name, setting in result.items():
                if not name.isidentifier() or setting.default is None or not setting.admits(setting.default):
                    raise hook.blame(
                        ValueError(f"the setting '{name}' needs a name in one word, and a default that it admits")
                    )
                settings[f"{hook.house_rule}.{name}"] = setting
        return settings

    def assign_settings(self, values: Mapping[str, Any]) -> None:
        """Give each house rule its own part of the session's settings, and the hooks of a ruleset all of them."""
        for name, rule_settings in self._settings.items():
            named_values = {
                key.removeprefix(f"{name}."): tuple(value) if isinstance(value, list) else value
                for key, value in values.items()
                if key.startswith(f"{name}.")
            }
            rule_settings.update(named_values if name not in self.ruleset.lineage else dict(values) | named_values)

    def state_variables(self) -> dict[str, StateVariable]:
        """Return the state variables of house rules, by full name."""
        variables: dict[str, StateVariable] = {}
        for hook in self._state_hooks():
            result = hook()
            if not isinstance(result, (list, tuple)) or not all(
                isinstance(variable, StateVariable) for variable in result
            ):
                raise hook.blame(TypeError(f"it returned {result!r}, not a list of StateVariable"))
            for variable in result:
                hook.run(variable.belongs, None, hook.house_rule, hook.rule_arguments["settings"])
                if variable.full_name in variables:
                    raise hook.blame(ValueError(f"it has two state variables called '{variable.name}'"))
                variables[variable.full_name] = variable
        self._active |= {variable.rule for variable in variables.values()}
        return variables

    def _state_hooks(self) -> list[HookFunction]:
        """Return a function per house rule that lists its state variables: its hook, or else all variables at the top
        of its module.
        """
        hook_by_rule = {hook.house_rule: hook for hook in self.functions("zareba_state")}
        for rule in self.house_rules:
            variables = list(
                dict.fromkeys(value for value in vars(rule.module).values() if isinstance(value, StateVariable))
            )
            if variables and rule.name not in hook_by_rule:
                hook_of_module = HookFunction(
                    "zareba_state", rule.name, str(rule.file), variables.copy, (), self._rule_arguments[rule.name]
                )
                hook_by_rule[rule.name] = hook_of_module
        return [hook_by_rule[name] for name in self.names if name in hook_by_rule]

    def attach(self, rules: Rules) -> set[str]:
        """Attach all house rules to the rules; return the names of those that have any effect."""
        name = self.ruleset.id
        rules.files = {rule.name: str(rule.file) for rule in self.house_rules}
        results = {kind: [(hook, hook()) for hook in self.functions(kind)] for kind in RULESET_HOOKS}
        for hook, modifiers in results["zareba_modifiers"]:
            add_modifiers(rules, hook, modifiers)
        wrappable = self.ruleset.wrappable if results["zareba_procedures"] else {}
        return_types = {wrapped: declared_return_type(wrappable[wrapped]) for wrapped in wrappable}
        rules.wraps = nest_wraps(results["zareba_procedures"], return_types)
        for hook, wraps in results["zareba_procedures"]:
            for wrapped in wraps:
                if wrapped not in wrappable:
                    raise hook.blame(unknown_name(f"procedure of {name} called", wrapped, wrappable))
        rules.step_wraps = nest_wraps(results["zareba_steps"])
        rules.step_hooks = {step: hook for hook, wraps in results["zareba_steps"] for step in wraps}
        for hook, make_policy in results["zareba_policy"]:
            if make_policy is not None:
                if rules.policy_hook is not None:
                    other = rules.policy_hook[0].house_rule
                    raise ZarebaError(
                        f"the house rules '{other}' and '{hook.house_rule}' both have an activation policy; keep one"
                    )
                if not callable(make_policy):
                    raise hook.blame(
                        TypeError(f"it returned {make_policy!r}, which is not a function that makes a policy")
                    )
                rules.policy_hook = hook, make_policy
        for rule, file in self.manifests.items():
            rules.words |= {word: (rule, template) for word, template in file.words.items()}
        for hook, words in results["zareba_words"]:
            rules.words |= {word: (hook.house_rule, template) for word, template in _checked_texts(hook, words).items()}
        rules.house_actions = self._actions(results["zareba_actions"])
        rules.option_hooks = tuple(self.functions("zareba_options"))
        rules.event_hooks = tuple(self.functions("zareba_event"))
        rules.roll_hooks = tuple(self.functions("zareba_roll"))
        rules.place_hooks = tuple(self.functions("zareba_place"))
        rules.confirm_hooks = tuple(self.functions("zareba_confirm"))
        rules.game_hooks = {kind: tuple(self.functions(kind)) for kind in GAME_HOOKS}
        question_hooks = (
            rules.option_hooks,
            rules.event_hooks,
            rules.roll_hooks,
            rules.place_hooks,
            rules.confirm_hooks,
        )
        rules_in_play = {hook.house_rule for hooks in (*question_hooks, *rules.game_hooks.values()) for hook in hooks}
        rules_with_yaml = {
            rule
            for rule, file in self.manifests.items()
            if file.changes or file.words or any(file.patches.get(system) for system in self.ruleset.lineage)
        }
        rules_with_changes = {hook.house_rule for pairs in results.values() for hook, changes in pairs if changes}
        return self._active | rules_in_play | rules_with_yaml | rules_with_changes

    def _actions(self, results: Sequence[tuple[HookFunction, Any]]) -> dict[str, tuple[tuple[HookFunction, Any], ...]]:
        """Return the actions that house rules add, by question. Raises ZarebaError for a faulty one."""
        tables = {table.question: table for table in self.ruleset.actions}
        by_question: dict[str, tuple[tuple[HookFunction, Any], ...]] = {}
        for hook, added in results:
            if added is None:
                continue
            if not isinstance(added, Mapping) or not all(
                isinstance(actions, (list, tuple)) for actions in added.values()
            ):
                raise hook.blame(TypeError(f"it returned {added!r}, not a dict of questions and lists of actions"))
            for question, actions in added.items():
                if question not in tables:
                    raise hook.blame(unknown_name(f"action table of {self.ruleset.id} for", question, tables))
                by_question[question] = (*by_question.get(question, ()), *[(hook, action) for action in actions])
        for question, pairs in by_question.items():
            tables[question].with_actions(pairs)  # raises an error for a faulty action
        return by_question


_WORDS = ("question", "option", "event", "card")


def _checked_texts(hook: HookFunction, words: Any) -> Mapping[str, str]:
    """Check and return the texts of a house rule: `question drink`, `option dig in`, `event thirst`, `card storm`."""
    if not isinstance(words, Mapping) or not all(isinstance(text, str) for pair in words.items() for text in pair):
        raise hook.blame(TypeError(f"it returned {words!r}, not a dict of names and texts"))
    for name, template in words.items():
        if name.partition(" ")[0] not in _WORDS or not name.partition(" ")[2]:
            raise hook.blame(
                ValueError(f"'{name}' cannot have a text; write question WHY, option WORD, event KIND or card NAME")
            )
        if wrong := wrong_placeholder(name, template):
            raise hook.blame(ValueError(wrong))
    return words
