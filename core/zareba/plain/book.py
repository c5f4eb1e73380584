"""The `ruleset.yaml` of a ruleset that the core plays: figures in units on a free table."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING, Annotated, Any, Literal, TypeAlias

from pydantic import (
    AfterValidator,
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    model_validator,
)

from zareba.base.references import RefersTo
from zareba.base.yamlfile import Id, YamlModel
from zareba.battle.enrolment import Enrolment, settles
from zareba.battle.templates import Words
from zareba.rules.schema import Adjustment, Book, Chance, Length, RulesetFile, all_of
from zareba.scenario.unspoken import Spoken
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS

__all__ = ["Ground", "Overrides", "PlainFile", "Row", "Rows"]

MOST_FIGURES = 200
Scalar = StrictBool | StrictInt | StrictFloat | StrictStr
SPOKEN = Spoken(
    words=dict.fromkeys(
        ("first", "deploys", "gun_class", "formation", "facing", "parent", "draught", "orders", "hidden_rule"), True
    )
)
"""Words of a scenario that mean something here, or that say nothing to rules without formations and facings."""


class Row(BaseModel):
    """A row of a table: the rule that it comes from, and by name whatever else its ruleset says in it."""

    model_config = ConfigDict(extra="allow", frozen=True)

    rule: StrictStr

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
    else:
        __pydantic_extra__: dict[str, Scalar]


class Ground(Book):
    """What a kind of ground does: the part of a move that is made in it (0: closed), or what crossing a line costs.

    `cover` is what stands in it, or behind the line, has; ground that `hides` is seen into and out of, not through.
    """

    rule: StrictStr
    title: StrictStr
    pace: Chance = 1
    toll: Length = 0
    cover: Adjustment = 0
    hides: StrictBool = False


class Reach(Book):
    """How near is near, in the ruleset's unit of length, and how long an inch of the scenario is in it."""

    inch: Annotated[StrictInt | StrictFloat, Field(gt=0, le=100)] = 1
    contact: Length = 0
    behind: Length = 2
    hold: Length = 3
    take_up: Length = 2
    leave: Length = 1


Size: TypeAlias = Annotated[StrictInt, Field(ge=1, le=MOST_FIGURES)]


class TroopAndWeapon(Book):
    """What an entry of the enrolment settles.

    `figures`: how many a unit has under these rules, whatever the scenario says. `figures_for`: a figure stands for so many of
    the scenario's, rounded up.
    """

    troop: Annotated[StrictStr, RefersTo("troops")] | None = None
    weapon: Annotated[StrictStr, RefersTo("weapons")] | None = None
    figures: Size | None = None
    figures_for: Size | None = None


def _alike(rows: dict[str, Row]) -> dict[str, Row]:
    """All rows of a table say the same things, so that play finds them in each. Who says what no other says is told first."""
    said = {key: row.model_extra or {} for key, row in rows.items()}
    columns = Counter(name for own in said.values() for name in own)
    alone = {key: [name for name in own if columns[name] == 1 < len(rows)] for key, own in said.items()}
    lacking = {key: [name for name in columns if name not in own] for key, own in said.items()}
    for key in sorted(rows, key=lambda key: not alone[key]):
        if lacking[key]:
            only = f"; it alone says {', '.join(alone[key])}" if alone[key] else ""
            raise ValueError(f"'{key}' lacks {', '.join(lacking[key])}, which other rows have{only}")
    return rows


Rows: TypeAlias = Annotated[dict[str, Row], AfterValidator(_alike)]


class PlainFile(RulesetFile):
    """`cites` says under which rule each act of the core is done. `numbers` are the fields that units have in play beside
    their figures, with what they begin at; `marks` say how long what a unit is marked with lasts: a `turn`, or till taken off.
    """

    cites: Annotated[dict[str, StrictStr], all_of("set_up", "arrive", "leave", "take_up", "victory")]
    reach: Reach = Reach()
    troops: Annotated[dict[str, Row], Field(min_length=1), AfterValidator(_alike)]
    weapons: Rows = Field(default_factory=dict)
    tables: dict[str, Rows] = Field(default_factory=dict)
    ground: dict[str, Ground] = Field(default_factory=dict)
    enrolment: Annotated[dict[str, Enrolment[TroopAndWeapon]], settles("troop")]
    numbers: dict[str, StrictInt] = Field(default_factory=dict)
    marks: dict[str, Literal["turn", "lasting"]] = Field(default_factory=dict)
    spoken: Spoken = SPOKEN
    words: Words = Words()

    @model_validator(mode="after")
    def _sound(self) -> PlainFile:
        for kind in self.ground:
            if kind not in (*AREA_KINDS, *LINE_KINDS):
                raise ValueError(f"ground: no scenario has '{kind}'")
        return self


class Wish(YamlModel):
    """What a unit is under these rules, whatever the enrolment says."""

    troop: Annotated[str, RefersTo("troops")] | None = None
    weapon: Annotated[str, RefersTo("weapons")] | None = None
    figures: Size | None = None


class Overrides(YamlModel):
    """What a scenario may say for a ruleset that the core plays."""

    units: dict[Annotated[Id, RefersTo("units")], Wish] = Field(default_factory=dict)
