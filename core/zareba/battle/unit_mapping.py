"""Unit mapping: conditions in YAML that decide which of a ruleset's profiles a unit of a scenario gets.

Each entry says `when` it holds, in the words of scenarios, and the values that `then` follow. Entries are read in
order; the first entry to set a value wins. `before` puts an entry, such as that of a house rule, ahead of another. So
a house rule can add a troop type with one line, and a scenario uses it by stating the facts in that line.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, fields
from types import SimpleNamespace
from typing import Annotated, Any, ClassVar, Generic, Literal, Protocol, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, Field, StrictBool, StrictFloat, StrictInt, StrictStr, field_validator

from zareba.base.errors import unknown_name
from zareba.base.references import RefersTo
from zareba.base.tally import compile_when
from zareba.rules.schema import Book
from zareba.scenario import Leader, Scenario, Unit, vocabulary
from zareba.scenario.unsupported import SupportedWords, unsupported_words
from zareba.scenario.vocabulary.words import ARMS, WEAPONS, known_word
from zareba.scenario.vocabulary.words import Word as VocabularyWord

T = TypeVar("T", bound=BaseModel)

Word = StrictBool | StrictInt | StrictFloat | StrictStr
_Comparison = Literal["at_least", "at_most", "more_than", "less_than", "not"]

_ARMAMENTS: tuple[str, ...] = get_args(vocabulary.Armament)
WORDS: dict[str, tuple[str, ...]] = {
    fact: (*get_args(words), "none")
    for fact, words in {
        "role": vocabulary.Role,
        "arm": vocabulary.Arm,
        "kind": vocabulary.Kind,
        "quality": vocabulary.Quality,
        "mount": vocabulary.Mount,
        "weapon": vocabulary.Weapon,
        "close_weapon": vocabulary.CloseWeapon,
        "gun": vocabulary.GunClass,
        "draught": vocabulary.Draught,
        "formation": vocabulary.Formation,
        "orders": vocabulary.Orders,
        "leader": vocabulary.Rank,
    }.items()
}
"""The words that a scenario may use for each of these facts."""


@dataclass(frozen=True)
class MappedUnit:
    """The facts of a unit in a scenario, for conditions, which can also test traits and `armed_with_` an armament."""

    name: str
    side: str
    role: str
    arm: str
    kind: str
    quality: str
    figures: int
    mount: str
    mounted: bool
    weapon: str
    share: float
    close_weapon: str
    gun: str
    pieces: int
    draught: str
    formation: str
    orders: str
    hidden: bool
    leader: str


NOBODY = MappedUnit(
    name="", side="", role="none", arm="none", kind="none", quality="none", figures=0, mount="none", mounted=False,
    weapon="none", share=0.0, close_weapon="none", gun="none", pieces=0, draught="none", formation="none", orders="none",
    hidden=False, leader="none",
)  # fmt: skip
"""The facts of a figure that the scenario does not describe."""

_KNOWN = (
    *(field.name for field in fields(MappedUnit)),
    *vocabulary.TRAITS,
    *(f"armed_with_{armament}" for armament in _ARMAMENTS),
)


def facts_of(scenario: Scenario, unit_id: str) -> MappedUnit:
    """Return the facts of a unit in a scenario, `none` for a missing one. `leader` is the highest rank with it."""
    unit = scenario.units[unit_id]
    leader = scenario.leader_of(unit_id)
    return MappedUnit(
        name=unit_id,
        side=unit.side,
        role=scenario.sides[unit.side].role,
        arm=unit.arm,
        kind=unit.kind,
        quality=unit.quality,
        figures=unit.figures,
        mount=unit.mounted_on,
        mounted=unit.mounted,
        weapon=unit.weapon,
        share=unit.share,
        close_weapon=unit.close_weapon,
        gun=unit.gun.kind if unit.gun else "none",
        pieces=unit.gun.pieces if unit.gun else 0,
        draught=unit.draught or "none",
        formation=unit.formation or "none",
        orders=unit.orders or "none",
        hidden=unit.hidden,
        leader=scenario.leaders[leader].rank if leader else "none",
    )


_Fact = Annotated[StrictStr, RefersTo("supported_words.traits", besides=_KNOWN, own="own")]


class UnitMapping(Book, Generic[T]):
    """An entry of a unit mapping: `then` these values hold `when` the conditions do, or always without conditions.

    The ruleset defines the values that `then` may have. Conditions can test the facts that every unit has, the traits
    that the ruleset supports even if only some scenarios use them, and facts that the ruleset computes itself (`own`).
    """

    own: ClassVar[frozenset[str]] = frozenset()

    rule: StrictStr = ""
    before: Annotated[StrictStr, RefersTo("unit_mapping", besides=("",))] = ""
    when: dict[_Fact, Word | dict[_Comparison, Word] | dict[Literal["in"], list[Word]]] = Field(default_factory=dict)
    then: T

    @field_validator("when")
    @classmethod
    def _known(cls, when: dict[str, Any]) -> dict[str, Any]:
        for fact, wanted in when.items():
            for value in _values(wanted) if fact in WORDS else ():
                if value not in WORDS[fact]:
                    raise ValueError(str(unknown_name(fact.replace("_", " "), str(value), WORDS[fact])))
        return when


def _values(wanted: Any) -> list[Any]:
    """Return the values that a fact is compared with."""
    if not isinstance(wanted, dict):
        return [wanted]
    return [item for value in wanted.values() for item in (value if isinstance(value, list) else [value])]


def requires_values(*words: str) -> AfterValidator:
    """Return a validator for mappings that must set these values for every unit, by an entry without conditions."""

    def check(entries: dict[str, UnitMapping[Any]]) -> dict[str, UnitMapping[Any]]:
        sure = [entry.then.model_dump(exclude_none=True) for entry in entries.values() if not entry.when]
        for word in words:
            if not any(word in then for then in sure):
                raise ValueError(f"an entry without 'when' must set '{word}' for all other units")
        return entries

    return AfterValidator(check)


def armed_like(scenario: Scenario, leader: Leader) -> Unit | None:
    """Return the unit whose weapons a leader carries: the leader's unit, or else the largest armed unit of the side.

    Return None if the leader's unit is unarmed, or if no infantry or mounted unit of the side is armed.
    """
    if leader.unit is not None:
        units = [scenario.units[leader.unit]]
    else:
        units = [unit for unit in scenario.units_of(leader.side).values() if unit.arm in vocabulary.LINE_ARMS]
    armed = [unit for unit in units if unit.weapon != "none" or unit.close_weapon != "none"]
    return max(armed, key=lambda unit: unit.figures, default=None)


def map_unit(entries: Mapping[str, UnitMapping[Any]], scenario: Scenario, unit_id: str, **own: Any) -> dict[str, Any]:
    """Return the values that the entries give a unit; `own` are the ruleset's own facts of it or one of its figures."""
    unit = scenario.units[unit_id]
    return map_unit_as(entries, facts_of(scenario, unit_id), unit.traits, unit.armament, **own)


def map_unit_as(
    entries: Mapping[str, UnitMapping[Any]],
    facts: MappedUnit = NOBODY,
    traits: Collection[str] = (),
    armament: Collection[str] = (),
    **own: Any,
) -> dict[str, Any]:
    """Return the values that the entries give for these facts, which need not be those of a unit in a scenario.

    An arm or a weapon that no entry names counts as the one that it is `like`.
    """
    known = {
        **asdict(facts),
        **{fact: _as_named(entries, fact, word, table) for fact, word, table in _words_of(facts) if table[word].like},
        **{trait: trait in traits for trait in vocabulary.TRAITS},
        **{f"armed_with_{weapon}": weapon in armament for weapon in _ARMAMENTS},
        **own,
    }
    of_its_own = {fact: fact in traits for entry in entries.values() for fact in entry.when if fact not in known}
    asked = SimpleNamespace(**known, **of_its_own)
    found: dict[str, Any] = {}
    for entry in _in_order(entries):
        if compile_when(entry.when)(asked):
            found = {**entry.then.model_dump(exclude_none=True), **found}
    return found


def _words_of(facts: MappedUnit) -> Iterator[tuple[str, str, Mapping[str, VocabularyWord]]]:
    """Yield the words of the vocabulary among the facts, each with its table."""
    tables: dict[str, Mapping[str, VocabularyWord]] = {"arm": ARMS, "weapon": WEAPONS}
    for fact, table in tables.items():
        if (word := getattr(facts, fact)) in table:
            yield fact, word, table


def _as_named(
    entries: Mapping[str, UnitMapping[Any]], fact: str, word: str, table: Mapping[str, VocabularyWord]
) -> str:
    named = {value for entry in entries.values() if fact in entry.when for value in _values(entry.when[fact])}
    return known_word(word, table, named)


class MapsUnits(Protocol):
    """The data file of a ruleset that has a unit mapping."""

    @property
    def supported_words(self) -> SupportedWords:
        """The words of scenarios that the ruleset supports."""

    @property
    def unit_mapping(self) -> Mapping[str, UnitMapping[Any]]:
        """The entries of the unit mapping."""


def unsupported_words_of(file: MapsUnits, scenario: Scenario, units: Iterable[str] | None = None) -> list[str]:
    """Return the notes for players on words of a scenario that these rules do not support.

    `units` are the units that take part, by default all. A word is supported if the ruleset declares it or if an entry
    of the unit mapping or a terrain variant tests it.
    """
    ground = getattr(getattr(file, "mapping", None), "variants", {})
    entries = (*file.unit_mapping.values(), *ground.values())
    asked = {"gun_class" if fact == "gun" else fact for entry in entries for fact in entry.when}
    there = None if units is None else [scenario.units[unit] for unit in units]
    return unsupported_words(scenario, file.supported_words, there, asked)


def evenly(figures: int, parts: int) -> list[int]:
    """Split the figures of a unit into `parts` parts, as evenly as possible, the larger parts first."""
    return [figures // parts + (part < figures % parts) for part in range(parts)]


def _in_order(entries: Mapping[str, UnitMapping[Any]]) -> list[UnitMapping[Any]]:
    """Return the entries in reading order: an entry with a `before` is ahead of the entry that it names."""
    order: list[str] = []
    for name, entry in entries.items():
        order.insert(order.index(entry.before) if entry.before in order else len(order), name)
    return [entries[name] for name in order]
