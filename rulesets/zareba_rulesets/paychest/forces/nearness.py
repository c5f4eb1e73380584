"""What was found of units close to each other, for as long as it holds."""

from __future__ import annotations

from dataclasses import dataclass, field

from zareba_rulesets.paychest.forces.units import Box, Standing

__all__ = ["Nearness"]


@dataclass(slots=True, eq=False)
class Nearness:
    """Which units come near which, and which of their men touch.

    `near`: (unit, reach, side or "") -> the units of that side, or of all others, whose boxes come within reach; it
    holds while all `boxes` are those of which it was found. `touching`: (unit, other) -> the men of the unit who touch
    one of the other, with the standing of both; it holds while both stand like that.
    """

    boxes: list[Box] = field(default_factory=list)
    near: dict[tuple[str, float, str], list[str]] = field(default_factory=dict)
    touching: dict[tuple[str, str], tuple[Standing, Standing, frozenset[str]]] = field(default_factory=dict)

    def of(self, boxes: list[Box]) -> dict[tuple[str, float, str], list[str]]:
        """What is known of units with these boxes, in roster order."""
        if self.boxes != boxes:
            self.boxes, self.near = boxes, {}
        return self.near
