"""Features of a scenario that a ruleset does not support: the notes that players get before the game.

The words a ruleset supports, and the substitutes it uses for others, are data in its `ruleset.yaml`. A house rule that
gives night an effect adds the word, and the note about night disappears.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from typing import TypeAlias, get_args

from pydantic import Field, StrictBool, StrictStr, model_validator

from zareba.base.errors import unknown_name
from zareba.base.grammar import amount
from zareba.base.yamlfile import Id, YamlModel
from zareba.renamed import accept_old_keys
from zareba.scenario.model import Gun, Scenario, Unit
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS, Arm, Armament, Mount, Weapon
from zareba.scenario.vocabulary.words import ARMS

__all__ = ["WORDS", "SupportedWords", "left_out", "unsupported_words"]

Note: TypeAlias = Callable[[Scenario, Sequence[Unit]], str]

OF_UNITS: tuple[str, ...] = tuple(word for words in (Arm, Armament, Mount, Weapon) for word in get_args(words))
NOTED: tuple[str, ...] = ("siege", *AREA_KINDS, *LINE_KINDS, *OF_UNITS)
"""The words a note can be about: a scenario flag, a kind of terrain, or a unit's arm, armament, mount or weapon."""


def left_out(unit: Unit, cite: str = "") -> str:
    """Return a note that a ruleset has no rules for a unit's arm; `cite` is the rule that says so, if there is one."""
    arm = f"{unit.arm}s" if ARMS[unit.arm].counted else unit.arm
    return f"{unit.name}: takes no part, because {arm.replace('_', ' ')} are not in these rules{f' ({cite})' if cite else ''}"


class UnsupportedWord(YamlModel):
    """A note to players for scenarios that use one of these words, such as what it is replaced by.

    `{units}` in the text stands for the names of the units that have the word.
    """

    words: list[StrictStr] = Field(min_length=1)
    note: StrictStr

    _old = accept_old_keys({"of": "words", "say": "note"})

    @model_validator(mode="after")
    def _known(self) -> UnsupportedWord:
        _look_up(self.words, NOTED)
        return self

    def said(self, scenario: Scenario, units: Sequence[Unit]) -> str:
        """Return the note; "" if the scenario uses none of the words."""
        have = [unit for unit in units if not set(self.words).isdisjoint(_words_of(unit))]
        there = {piece.kind for piece in scenario.terrain.values()} | ({"siege"} if scenario.siege else set())
        if not have and there.isdisjoint(self.words):
            return ""
        return self.note.replace("{units}", ", ".join(unit.name for unit in have))


class SupportedWords(YamlModel):
    """The scenario words that have an effect in a ruleset: keys of `WORDS`, and traits of units.

    A trait may be one that a single scenario defines. `notes` are the ruleset's own notes on other words.
    """

    words: dict[str, StrictBool] = Field(default_factory=dict)
    traits: dict[Id, StrictBool] = Field(default_factory=dict)
    notes: dict[str, UnsupportedWord] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known(self) -> SupportedWords:
        _look_up(self.words, WORDS)
        return self


def _look_up(words: Iterable[str], known: Collection[str]) -> None:
    for word in words:
        if word not in known:
            raise ValueError(str(unknown_name("word of a scenario called", word, known)))


def _words_of(unit: Unit) -> tuple[str, ...]:
    return (unit.arm, unit.weapon, unit.mounted_on, *unit.armament)


def unsupported_words(
    scenario: Scenario, supported: SupportedWords, units: Iterable[Unit] | None = None, asked: Collection[str] = ()
) -> list[str]:
    """Return a note on each of `WORDS` used by the scenario but not supported, then the ruleset's own notes.

    `units`: the units that take part, by default all. `asked`: further words of units that the rules use, such as
    conditions of a unit mapping.
    """
    there = list(scenario.units.values() if units is None else units)
    words, traits = (
        {word for word, means in kept.items() if means}.union(asked) for kept in (supported.words, supported.traits)
    )
    notes = [note(scenario, there) for word, note in WORDS.items() if word not in words]
    lost = sorted({trait for unit in there for trait in unit.traits} - traits)
    if lost:
        notes.append(f"traits: {', '.join(trait.replace('_', ' ') for trait in lost)}")
    notes += [taken.said(scenario, there) for taken in supported.notes.values()]
    return [note for note in notes if note]


def _hidden(_: Scenario, units: Sequence[Unit]) -> str:
    hidden = sum(unit.hidden and unit.arrival is None for unit in units)
    return f"hidden deployment: {amount(hidden, 'hidden unit')} openly on the table" if hidden else ""


def _events(scenario: Scenario, _: Sequence[Unit]) -> str:
    count = len(scenario.events)
    return f"{amount(count, 'event')} of weather or light" if count else ""


def _guns(units: Sequence[Unit]) -> list[Gun]:
    return [unit.gun for unit in units if unit.gun is not None]


def _if(said: Callable[[Scenario, Sequence[Unit]], bool], sentence: str) -> Note:
    return lambda scenario, units: sentence if said(scenario, units) else ""


def _of_terrain(field: str, plain: object, sentence: str) -> Note:
    """Return a note for terrain with a value in this field other than None and `plain`, the usual value."""
    return _if(lambda s, _: any(getattr(p, field) not in (None, plain) for p in s.terrain.values()), sentence)


def _of_leaders(field: str, plain: object, sentence: str) -> Note:
    return _if(lambda s, _: any(getattr(leader, field) != plain for leader in s.leaders.values()), sentence)


WORDS: Mapping[str, Note] = {
    "hidden": _hidden,
    "hidden_rule": _if(
        lambda s, _: any(forces.terrain or forces.rule == "zone" for forces in s.hidden.values()),
        "the places of hidden units",
    ),
    "dummies": _if(lambda s, _: any(forces.dummies for forces in s.hidden.values()), "dummy markers"),
    "night": _if(lambda s, _: s.night, "night: no effect on sight or fire"),
    "fog": _if(lambda s, _: s.fog, "fog: no effect on sight or fire"),
    "events": _events,
    "first": _if(lambda s, _: s.first in s.sides, "the side that goes first"),
    "deploys": _if(
        lambda s, _: len({side.deploys for side in s.sides.values()}) > 1,
        "the order in which the sides set up",
    ),
    "entrenched": _if(lambda s, _: s.entrenched, "an entrenched table"),
    "orders": _if(
        lambda _, units: any(u.orders for u in units), "standing orders of units, which their players decide"
    ),
    "parent": _if(lambda _, units: any(u.parent for u in units), "larger formations that units belong to"),
    "formation": _if(lambda _, units: any(u.formation for u in units), "formations at the start"),
    "facing": _if(lambda _, units: any(u.facing for u in units), "facings at the start"),
    "draught": _if(lambda _, units: any(u.draught for u in units), "the transport of guns and wagons"),
    "gun_class": _if(
        lambda _, units: any(gun.kind != "field" for gun in _guns(units)), "kinds of guns, which are treated alike"
    ),
    "ammunition": _if(
        lambda _, units: any(gun.ammunition != ("shell",) for gun in _guns(units)), "kinds of ammunition"
    ),
    "loyalty": _of_leaders("loyalty", {}, "loyalty of leaders"),
    "flares": _of_leaders("flares", 0, "flares"),
    "hero": _of_leaders("hero", False, "heroes among leaders"),
    "leader_quality": _of_leaders("quality", "veteran", "quality of leaders"),
    "leader_mounted": _of_leaders("mounted", False, "mounted leaders"),
    "floors": _of_terrain("floors", 1, "floors of buildings"),
    "rooms": _of_terrain("rooms", False, "rooms of buildings"),
    "material": _of_terrain("material", None, "materials of walls and buildings"),
    "strength": _of_terrain("strength", None, "strengths of structures"),
    "true_fortification": _of_terrain("true_fortification", False, "true fortifications"),
    "slope": _if(
        lambda s, _: any(p.slope == "steep" for p in s.terrain.values()), "steep slopes, which count as gentle ones"
    ),
    "levels": _of_terrain("levels", 1, "levels of hills"),
    "gate_kind": _if(
        lambda s, _: any(gate.kind != "light_wood" for p in s.terrain.values() for gate in p.gates.values()),
        "materials of gates",
    ),
    "gate_open": _if(
        lambda s, _: any(gate.open for p in s.terrain.values() for gate in p.gates.values()),
        "open gates",
    ),
    "heavy": _if(
        lambda s, _: any(thing.heavy for thing in s.objects.values()), "heavy objects, which are carried like others"
    ),
    "count": _if(
        lambda s, _: any(thing.count > 1 for thing in s.objects.values()),
        "numbers of an object, which counts as one",
    ),
}
"""The features a scenario may use, in the order of its file, with the note for rulesets that do not support them."""
