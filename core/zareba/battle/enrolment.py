"""Enrolment: which of a ruleset's profiles a unit of a scenario is, by conditions in YAML.

Each entry says `when` it holds, in the scenario's own words, and what `then` is so. Entries are read in their order, and
what one has settled none after it changes; `before` puts an entry, as that of a house rule, ahead of another. So a house
rule adds a troop type with one line, and a scenario uses it by saying what the line asks for.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import asdict, dataclass, fields
from types import SimpleNamespace
from typing import Annotated, Any, ClassVar, Generic, Literal, Protocol, TypeVar, get_args

from pydantic import AfterValidator, BaseModel, Field, StrictBool, StrictFloat, StrictInt, StrictStr, field_validator

from zareba.base.errors import unknown_name
from zareba.base.references import RefersTo
from zareba.base.tally import compile_when
from zareba.rules.schema import Book
from zareba.scenario import Leader, Scenario, Unit, vocabulary
from zareba.scenario.unspoken import Spoken, unspoken

__all__ = [
    "NOBODY",
    "Enrolled",
    "Enrolment",
    "armed_like",
    "enrol",
    "enrol_as",
    "evenly",
    "facts_of",
    "settles",
    "unsaid",
]

T = TypeVar("T", bound=BaseModel)

Word = StrictBool | StrictInt | StrictFloat | StrictStr
Comparison = Literal["at_least", "at_most", "more_than", "less_than", "not"]

ARMAMENTS: tuple[str, ...] = get_args(vocabulary.Armament)
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
"""What a scenario may say of these."""


LINE_ARMS = ("infantry", "cavalry", "camelry", "mounted_infantry")


@dataclass(frozen=True)
class Enrolled:
    """What a scenario says of a unit, as conditions may ask for it; besides, each trait, and each `armed_with_` an armament, is so or not."""

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


NOBODY = Enrolled(
    name="", side="", role="none", arm="none", kind="none", quality="none", figures=0, mount="none", mounted=False,
    weapon="none", share=0.0, close_weapon="none", gun="none", pieces=0, draught="none", formation="none", orders="none",
    hidden=False, leader="none",
)  # fmt: skip
"""Somebody of whom a scenario says nothing."""

KNOWN = (
    *(field.name for field in fields(Enrolled)),
    *vocabulary.TRAITS,
    *(f"armed_with_{armament}" for armament in ARMAMENTS),
)


def facts_of(scenario: Scenario, unit_id: str) -> Enrolled:
    """What a scenario says of a unit; `none` for what it has not. `leader` is the rank of the highest with it."""
    unit = scenario.units[unit_id]
    leader = scenario.leader_of(unit_id)
    return Enrolled(
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


Fact = Annotated[StrictStr, RefersTo("spoken.traits", besides=KNOWN, own="own")]


class Enrolment(Book, Generic[T]):
    """One entry: `when` it holds (always, if nothing is said), `then` these are so; what `then` may say its ruleset knows.

    It may ask for what every scenario says of a unit, for a trait that the ruleset speaks though only some scenario has it,
    and for facts that the ruleset makes of a unit itself: those in `own`.
    """

    own: ClassVar[frozenset[str]] = frozenset()

    rule: StrictStr = ""
    before: Annotated[StrictStr, RefersTo("enrolment", besides=("",))] = ""
    when: dict[Fact, Word | dict[Comparison, Word] | dict[Literal["in"], list[Word]]] = Field(default_factory=dict)
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
    """What a fact is compared with."""
    if not isinstance(wanted, dict):
        return [wanted]
    return [one for value in wanted.values() for one in (value if isinstance(value, list) else [value])]


def settles(*words: str) -> AfterValidator:
    """Marks an enrolment of which play needs these words of every unit: an entry without conditions has them."""

    def check(entries: dict[str, Enrolment[Any]]) -> dict[str, Enrolment[Any]]:
        sure = [entry.then.model_dump(exclude_none=True) for entry in entries.values() if not entry.when]
        for word in words:
            if not any(word in then for then in sure):
                raise ValueError(f"an entry without 'when' has to say of what {word} all others are")
        return entries

    return AfterValidator(check)


def armed_like(scenario: Scenario, leader: Leader) -> Unit | None:
    """Return the unit whose weapons a leader bears: his own, or without one the largest armed unit of his side.

    None where his unit is unarmed, or no infantry or riders of his side are armed.
    """
    if leader.unit is not None:
        units = [scenario.units[leader.unit]]
    else:
        units = [unit for unit in scenario.units_of(leader.side).values() if unit.arm in LINE_ARMS]
    armed = [unit for unit in units if unit.weapon != "none" or unit.close_weapon != "none"]
    return max(armed, key=lambda unit: unit.figures, default=None)


def enrol(entries: Mapping[str, Enrolment[Any]], scenario: Scenario, unit_id: str, **own: Any) -> dict[str, Any]:
    """What the entries say of a unit, by word; `own` are the ruleset's own facts of it, or of one of its men."""
    unit = scenario.units[unit_id]
    return enrol_as(entries, facts_of(scenario, unit_id), unit.traits, unit.armament, **own)


def enrol_as(
    entries: Mapping[str, Enrolment[Any]],
    facts: Enrolled = NOBODY,
    traits: Collection[str] = (),
    armament: Collection[str] = (),
    **own: Any,
) -> dict[str, Any]:
    """What the entries say of somebody of whom this is known, whether or not he stands in a unit of a scenario."""
    known = {
        **asdict(facts),
        **{trait: trait in traits for trait in vocabulary.TRAITS},
        **{f"armed_with_{one}": one in armament for one in ARMAMENTS},
        **own,
    }
    of_its_own = {fact: fact in traits for entry in entries.values() for fact in entry.when if fact not in known}
    asked = SimpleNamespace(**known, **of_its_own)
    found: dict[str, Any] = {}
    for entry in _in_order(entries):
        if compile_when(entry.when)(asked):
            found = {**entry.then.model_dump(exclude_none=True), **found}
    return found


class Enrols(Protocol):
    """The file of a ruleset that enrols by conditions."""

    @property
    def spoken(self) -> Spoken:
        """The words of a scenario that it knows."""

    @property
    def enrolment(self) -> Mapping[str, Enrolment[Any]]:
        """Its entries."""


def unsaid(file: Enrols, scenario: Scenario, units: Iterable[str] | None = None) -> list[str]:
    """What players are told of a scenario that these rules have no words for. `units`: those who take part, all unless told.

    They have a word that they speak, and one for which an entry of the enrolment asks, or a variant of ground.
    """
    ground = getattr(getattr(file, "mapping", None), "variants", {})
    entries = (*file.enrolment.values(), *ground.values())
    asked = {"gun_class" if fact == "gun" else fact for entry in entries for fact in entry.when}
    there = None if units is None else [scenario.units[unit] for unit in units]
    return unspoken(scenario, file.spoken, there, asked)


def evenly(figures: int, parts: int) -> list[int]:
    """A unit that is several under some rules: its figures in so many parts, as even as possible, the larger ones first."""
    return [figures // parts + (part < figures % parts) for part in range(parts)]


def _in_order(entries: Mapping[str, Enrolment[Any]]) -> list[Enrolment[Any]]:
    """The entries as they are read: as they stand, those with a `before` ahead of the entry that it names."""
    order: list[str] = []
    for name, entry in entries.items():
        order.insert(order.index(entry.before) if entry.before in order else len(order), name)
    return [entries[name] for name in order]
