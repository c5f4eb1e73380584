"""The model of `ruleset.yaml` for rulesets without a game class: units of figures on a free table."""

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
from zareba.battle.sentence_templates import Words
from zareba.battle.unit_mapping import UnitMapping, requires_values
from zareba.rules.schema import Adjustment, Book, Chance, Length, RulesetFile, all_of
from zareba.scenario.unsupported import SupportedWords
from zareba.scenario.vocabulary import AREA_KINDS, LINE_KINDS

_MOST_FIGURES = 200
Scalar = StrictBool | StrictInt | StrictFloat | StrictStr
_SUPPORTED_WORDS = SupportedWords(
    words=dict.fromkeys(
        ("first", "deploys", "gun_class", "formation", "facing", "parent", "draught", "orders", "hidden_rule"), True
    )
)
"""Words of a scenario that have a meaning here, or that do not matter to rules without formations and facings."""


class TroopRow(BaseModel):
    """A row of a chart: the rule it comes from, and any other values by name."""

    model_config = ConfigDict(extra="allow", frozen=True)

    rule: StrictStr

    if TYPE_CHECKING:

        def __getattr__(self, name: str) -> Any: ...
    else:
        __pydantic_extra__: dict[str, Scalar]

        def __getattr__(self, name: str) -> Any:  # the values are read very often, and pydantic's way is slow
            try:
                return object.__getattribute__(self, "__pydantic_extra__")[name]
            except (AttributeError, KeyError, TypeError):
                return super().__getattr__(name)


class TerrainRow(Book):
    """The effects of a kind of ground.

    `pace` is the fraction of a move made in it (0: impassable). `toll` is the cost of crossing it as a line. `cover`
    is for units in it, or behind the line. Ground that `hides` can be seen into and out of, but not through.
    """

    rule: StrictStr
    title: StrictStr
    pace: Chance = 1
    toll: Length = 0
    cover: Adjustment = 0
    hides: StrictBool = False


class RangeBands(Book):
    """The distances of the ruleset, in its unit of length, and the length of a scenario inch in that unit."""

    inch: Annotated[StrictInt | StrictFloat, Field(gt=0, le=100)] = 1
    """The length of a scenario inch."""
    contact: Length = 0
    """Units are in contact if the gap between their bases is at most this."""
    behind: Length = 2
    """Terrain gives cover to a unit at most this far behind it."""
    hold: Length = 3
    """A unit holds a place that is at most this far away."""
    take_up: Length = 2
    """A unit can pick up an object that is at most this far away."""
    leave: Length = 1
    """A unit can leave the table at an edge that is at most this far away."""


Size: TypeAlias = Annotated[StrictInt, Field(ge=1, le=_MOST_FIGURES)]


class TroopAndWeapon(Book):
    """The values set by a unit mapping.

    `figures`: the number of figures of a unit under these rules, whatever the scenario says. `figures_for`: the number
    of the scenario's figures that one figure represents, rounded up.
    """

    troop: Annotated[StrictStr, RefersTo("troops")] | None = None
    weapon: Annotated[StrictStr, RefersTo("weapons")] | None = None
    figures: Size | None = None
    figures_for: Size | None = None


def _same_columns(rows: dict[str, TroopRow]) -> dict[str, TroopRow]:
    """Check that all rows of a chart have the same columns.

    Raises ValueError; a row with a column that no other row has is reported first, because that is usually a
    misspelling.
    """
    values = {key: row.model_extra or {} for key, row in rows.items()}
    columns = Counter(name for row in values.values() for name in row)
    unique = {key: [name for name in row if columns[name] == 1 < len(rows)] for key, row in values.items()}
    missing = {key: [name for name in columns if name not in row] for key, row in values.items()}
    for key in sorted(rows, key=lambda key: not unique[key]):
        if missing[key]:
            only = f"; no other row has {', '.join(unique[key])}" if unique[key] else ""
            raise ValueError(f"'{key}' lacks {', '.join(missing[key])}, which other rows have{only}")
    return rows


Rows: TypeAlias = Annotated[dict[str, TroopRow], AfterValidator(_same_columns)]


class SimpleRulesetFile(RulesetFile):
    """A ruleset in one YAML file.

    `rule_ids` gives the rule id for each action of the core. `numbers` are the values that units have in play in
    addition to their figures, with their start values. `marks` tells how long each mark on a unit lasts: a `turn`, or
    until it is removed (`lasting`).
    """

    rule_ids: Annotated[dict[str, StrictStr], all_of("set_up", "arrive", "leave", "take_up", "victory")]
    reach: RangeBands = RangeBands()
    troops: Annotated[dict[str, TroopRow], Field(min_length=1), AfterValidator(_same_columns)]
    weapons: Rows = Field(default_factory=dict)
    tables: dict[str, Rows] = Field(default_factory=dict)
    ground: dict[str, TerrainRow] = Field(default_factory=dict)
    unit_mapping: Annotated[dict[str, UnitMapping[TroopAndWeapon]], requires_values("troop")]
    numbers: dict[str, StrictInt] = Field(default_factory=dict)
    marks: dict[str, Literal["turn", "lasting"]] = Field(default_factory=dict)
    supported_words: SupportedWords = _SUPPORTED_WORDS
    words: Words = Words()

    @model_validator(mode="after")
    def _check_ground(self) -> SimpleRulesetFile:
        for kind in self.ground:
            if kind not in (*AREA_KINDS, *LINE_KINDS):
                raise ValueError(f"ground: '{kind}' is not a kind of terrain")
        return self


class UnitOverride(YamlModel):
    """Values of one unit that replace those of its unit mapping."""

    troop: Annotated[str, RefersTo("troops")] | None = None
    weapon: Annotated[str, RefersTo("weapons")] | None = None
    figures: Size | None = None


class Overrides(YamlModel):
    """The part of a scenario that applies to one ruleset only."""

    units: dict[Annotated[Id, RefersTo("units")], UnitOverride] = Field(default_factory=dict)
