"""Settings: the switches of a ruleset, one for each place where its text can be read in two ways.

In `ruleset.yaml` a setting has a rule, a default, and either its values, its bounds, or named parts that are settings
themselves (`figures_per_base.infantry`). If the default is a text and there are no values, the setting accepts any
text. If the default is a list of words, it accepts any list of the words in `values`, or of any words if there are
none. Play reads the `Settings` of a session.
"""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from functools import cache
from typing import TYPE_CHECKING, Any, NoReturn, TypeAlias

from pydantic import BaseModel, ConfigDict, StrictBool, StrictFloat, StrictInt, StrictStr

from zareba.base.errors import ZarebaError, unknown_name
from zareba.renamed import accept_old_keys

_log = logging.getLogger("zareba")

SettingValue: TypeAlias = StrictBool | StrictInt | StrictFloat | StrictStr | list[StrictStr]


MOST_TEXT, MOST_WORDS = 200, 50


class Setting(BaseModel):
    """One switch of a ruleset or a house rule.

    It accepts one of `values`, a number from `at_least` to `at_most` (plus words in `values`), `parts`, or, depending
    on its default, free text or a list of words. `old_values`: values of an earlier release, with
    the current value for each. `compared_values`: numbers that a comparison plays in addition to the default, if the
    default is a word. `hides`: value with which hidden units of a scenario stay hidden; a game between people uses it
    by default if the scenario hides units.
    """

    model_config = ConfigDict(extra="forbid", frozen=True)

    rule: StrictStr
    summary: StrictStr
    default: SettingValue | None = None
    values: list[SettingValue] = []
    at_least: StrictInt | StrictFloat | None = None
    at_most: StrictInt | StrictFloat | None = None
    parts: dict[str, Setting] = {}
    old_values: dict[StrictStr, SettingValue] = {}
    compared_values: list[StrictInt | StrictFloat] = []
    hides: SettingValue | None = None

    _old = accept_old_keys({"formerly": "old_values", "tried": "compared_values"})

    def admits(self, value: Any) -> bool:
        """Return True if the setting accepts `value`."""
        if any(type(value) is type(known) and value == known for known in self.values):
            return True
        if self.is_list and isinstance(value, (list, tuple)):
            words = [word for word in value if _is_line(word)]
            are_known = all(word in self.values for word in words) if self.values else True
            return are_known and len(words) == len(value) == len(set(words)) <= MOST_WORDS
        if self.is_text:
            return _is_line(value) or value == ""
        if self.at_least is None or self.at_most is None or isinstance(value, (bool, str, list)):
            return False
        whole = isinstance(self.at_least, int) and isinstance(self.at_most, int)
        return (isinstance(value, int) or not whole) and self.at_least <= value <= self.at_most

    @property
    def is_text(self) -> bool:
        """True if the setting accepts any text."""
        return isinstance(self.default, str) and not self.values and self.at_least is None

    @property
    def is_list(self) -> bool:
        """True if the setting accepts a list of words."""
        return isinstance(self.default, list) and all(isinstance(value, str) for value in self.values)

    def describe(self) -> str:
        """Return the allowed values in words: `full, half` or `3 to 12`."""
        words = [text(value) for value in self.values]
        if self.is_text:
            return f"any text of one line, up to {MOST_TEXT} characters"
        if self.is_list:
            return f"a list of {', '.join(words)}, each once" if words else f"a list of up to {MOST_WORDS} words"
        if self.at_least is not None:
            words.append(f"{self.at_least} to {self.at_most}")
        return ", ".join(words)

    def change_in_words(self, value: Any) -> str:
        """Return a value that differs from the default as people read it: `Foot figures to a base: 6 (default 4)`."""
        return f"{self.summary}: {value_in_words(value)} (default {value_in_words(self.default)})"

    def parse(self, written: str) -> Any:
        """Return the value that `written` (from a command line) stands for, or the text itself if it matches none."""
        if self.is_text:
            return written
        if self.is_list:
            words = written.split(",") if "," in written else written.split()
            return [word.strip() for word in words if word.strip()]
        means = " ".join(written.replace(",", " ").lower().split())
        for value in self.values:
            if text(value) == means:
                return value
        try:
            return int(written)
        except ValueError:
            try:
                return float(written)
            except ValueError:
                return written


def _is_line(value: Any) -> bool:
    """Return True for a text of one line within the limit of length."""
    return isinstance(value, str) and 0 < len(value) <= MOST_TEXT and value.isprintable()


def text(value: Any) -> str:
    """Return a setting's value as people write it: true and false in lower case, a list as its words."""
    if isinstance(value, (list, tuple)):
        words = list(map(text, value))
        return (", " if any(" " in word for word in words) else " ").join(words)
    return str(value).lower() if isinstance(value, bool) else str(value)


def value_in_words(value: Any) -> str:
    """Return a setting's value as people read it: "legion only" for `legion_only`, "yes" for true."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return text(value).replace("_", " ")


def flat_settings(settings: Mapping[str, Setting]) -> Iterator[tuple[str, Setting]]:
    """Yield each single switch by its full name; parts as `name.part`."""
    for name, setting in settings.items():
        if setting.parts:
            yield from ((f"{name}.{part}", inner) for part, inner in setting.parts.items())
        else:
            yield name, setting


def default_settings(settings: Mapping[str, Setting]) -> dict[str, Any]:
    """Return the default of each single switch."""
    return {name: setting.default for name, setting in flat_settings(settings)}


def read_settings(settings: Mapping[str, Setting], given: Mapping[str, Any], ruleset: str) -> dict[str, Any]:
    """Return all settings: the defaults, replaced by the `given` values.

    Values may be text (`"half"`, `"4"`) or values. A setting with parts also accepts them in one text: `4,2`. Raises
    ZarebaError that names the most similar setting or the allowed values.
    """
    known = dict(flat_settings(settings))
    found = default_settings(settings)
    for name, written in given.items():
        if name in settings and settings[name].parts:
            found.update(_read_parts(name, settings[name], written))
        elif name in known:
            found[name] = _read_setting(name, known[name], written)
        elif "." in name and name.split(".")[0] in settings and settings[name.split(".")[0]].parts:
            whole, _, part = name.partition(".")
            raise unknown_name(f"part of the setting {whole} called", part, settings[whole].parts)
        else:
            raise unknown_name(f"setting of {ruleset} called", name, [*settings, *known])
    return found


@cache
def _warn_once(message: str) -> None:
    _log.warning(message)


def _read_setting(name: str, setting: Setting, written: Any) -> Any:
    value = setting.parse(written) if isinstance(written, str) else written
    if setting.is_list and isinstance(value, tuple):
        value = list(value)
    if isinstance(value, str) and value in setting.old_values:
        old, value = value, setting.old_values[value]
        _warn_once(f"setting {name}: '{old}' is now called '{text(value)}' ({setting.rule}); write '{text(value)}'")
    if not setting.admits(value):
        raise ZarebaError(f"setting {name} cannot be '{text(written)}'; it takes {setting.describe()} ({setting.rule})")
    return value


def _read_parts(name: str, setting: Setting, written: Any) -> dict[str, Any]:
    values = written.split(",") if isinstance(written, str) else written
    if not isinstance(values, (list, tuple)) or len(values) != len(setting.parts):
        raise ZarebaError(
            f"setting {name} takes {len(setting.parts)} values ({', '.join(setting.parts)}), "
            f"as in {name}={','.join(text(part.default) for part in setting.parts.values())}"
        )
    return {
        f"{name}.{part}": _read_setting(f"{name}.{part}", inner, value)
        for (part, inner), value in zip(setting.parts.items(), values, strict=True)
    }


class Settings:
    """The settings of a session as attributes, named as in `ruleset.yaml` with an underscore for each dot.

    A list becomes a tuple. A setting with parts is also available as a whole: if all parts are on/off switches, as a
    tuple of the parts that are on; otherwise as a dict of all parts. Settings cannot be changed during a session; an
    unknown name raises AttributeError.
    """

    def __init__(self, values: Mapping[str, Any]) -> None:
        found: dict[str, Any] = {}
        for name, value in values.items():
            whole, _, part = name.partition(".")
            if part:
                found.setdefault(whole, {})[part] = value
        for name, parts in found.items():
            if all(type(value) is bool for value in parts.values()):
                found[name] = tuple(part for part, is_on in parts.items() if is_on)
        for name, value in values.items():
            found[name.replace(".", "_")] = tuple(value) if isinstance(value, list) else value
        self.__dict__.update(found)

    def with_changes(self, **otherwise: Any) -> Settings:
        """Return a copy with some settings changed."""
        return Settings({**vars(self), **otherwise})

    if TYPE_CHECKING:  # a real `__getattr__` would make attribute access slow

        def __getattr__(self, name: str) -> Any: ...

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise AttributeError(f"the setting {name} cannot be changed during a session")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Settings) and vars(self) == vars(other)

    __hash__ = None  # type: ignore[assignment]  # values may be dicts
