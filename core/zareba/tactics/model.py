"""The model of a position file: which battle, who plays, what a good player does, and what is a blunder."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import Field, JsonValue, StrictStr, model_validator

from zareba.base.references import RefersTo
from zareba.base.yamlfile import Id, Name, Text, YamlModel
from zareba.scenario.model import Point, SideId, Turn, UnitId

ObjectiveId = Annotated[Id, RefersTo("objectives")]
PlaceName = Annotated[Id, RefersTo("units", "terrain", "objectives")]
"""A unit, a piece of terrain, or an objective with a place."""

PieceName = Annotated[Id, RefersTo("units", "leaders")]
"""A unit or a leader."""

STILL = "still"
"""The enemy policy that does nothing: it takes the first option that declines."""

FACTS = ("holds", "scores", "lead", "strength", "losses", "near", "chooses")
"""The fields that say what a condition is about; a condition has exactly one of them."""


class Condition(YamlModel):
    """One fact about the battle or about the choices of the tested player. It has exactly one of the fields in `FACTS`.

    `holds`: the side is the only one at this objective. `scores`: the side has the points of this objective. `lead`:
    the side is at least this many points ahead. `strength`: at least this share of the unit or side is left. `losses`:
    the unit or side has lost at least this share. `near`: the unit is within `within` inches of a point, unit, terrain
    or objective. `chooses`: the player takes an option that begins with this word.

    `side`: the side, by default the player. `unit`: the unit that is counted, measured or that chooses; `near` and
    `chooses` also take a leader. `question`: the question that the choice answers. `target`: the unit that the chosen
    option names. `by_turn`: only choices up to this game turn count. `not`: the fact must be false.

    `when`: "end" tests after the last game turn; "ever" at least once at the end of a game turn; "always" at the end of
    every game turn. A choice counts whenever it is made.
    """

    holds: ObjectiveId | None = None
    scores: ObjectiveId | None = None
    lead: float | None = None
    strength: Annotated[float, Field(gt=0, le=1)] | None = None
    losses: Annotated[float, Field(gt=0, le=1)] | None = None
    near: PlaceName | Point | None = None
    chooses: StrictStr | None = None
    within: Annotated[float, Field(ge=0, le=200)] = 6.0
    side: SideId | None = None
    unit: PieceName | None = None
    question: StrictStr | None = None
    target: UnitId | None = None
    by_turn: Turn | None = None
    when: Literal["end", "ever", "always"] = "end"
    negated: bool = Field(default=False, alias="not")

    @model_validator(mode="after")
    def _has_one_fact(self) -> Condition:
        given = [name for name in FACTS if getattr(self, name) is not None]
        if len(given) != 1:
            raise ValueError(f"a condition has exactly one of {', '.join(FACTS)}; this one has {len(given)}")
        if self.near is not None and self.unit is None:
            raise ValueError("'near' measures from a unit; add 'unit'")
        return self


class PositionFile(YamlModel):
    """One position.

    `title`: its name in tables. `teaches`: what a good player does here, what the blunder is, and why. `from`: the
    scenario that it starts from, a shipped one or `training_ground`. `changes`: what is different in that scenario: the
    same fields as in a scenario file; null removes an entry, and a unit with `like` starts as a copy of an entry of
    `troops.yaml`. `player`: the side that the tested player plays. `enemy`: who plays all other sides: an AI player, or
    `still` for a side that does nothing. `turns`: game turns played. `seeds`: number of games, each with its own dice.
    `needs`: number of games that must be good, by default three of four. `good`: what must be true in a good game.
    `blunder`: what must not be true in one. `marks`: status marks of the ruleset that units begin with, such as
    `pinned`. `rulesets`: the rulesets under which the position is used; by default all. `settings`: settings of the
    ruleset with which the position is played.
    """

    title: Name
    teaches: Text
    base: Annotated[Id, Field(alias="from")] = "training_ground"
    changes: dict[str, JsonValue] = Field(default_factory=dict)
    player: Id
    enemy: StrictStr = STILL
    turns: Turn
    seeds: Annotated[int, Field(ge=1, le=20)] = 4
    needs: Annotated[int, Field(ge=1, le=20)] | None = None
    good: tuple[Condition, ...] = Field(default=(), max_length=10)
    blunder: tuple[Condition, ...] = Field(default=(), max_length=10)
    marks: dict[UnitId, tuple[StrictStr, ...]] = Field(default_factory=dict, max_length=20)
    rulesets: tuple[Id, ...] = Field(default=(), max_length=20)
    settings: dict[StrictStr, JsonValue] = Field(default_factory=dict, max_length=20)

    @property
    def needed(self) -> int:
        """The number of games that must be good."""
        return self.needs if self.needs is not None else -(-3 * self.seeds // 4)

    @model_validator(mode="after")
    def _can_be_passed_and_failed(self) -> PositionFile:
        if not self.good and not self.blunder:
            raise ValueError("a position needs a condition under 'good' or 'blunder'")
        if self.needed > self.seeds:
            raise ValueError(f"'needs' is {self.needed}, more than the number of games ('seeds'), {self.seeds}")
        return self
