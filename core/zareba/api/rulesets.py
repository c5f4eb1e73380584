"""What a ruleset on one page imports besides `zareba.api`: the state that the core keeps for it, and what units do."""

from zareba.base.state import facts
from zareba.odds import Procedure
from zareba.plain import (
    Battle,
    PlainFile,
    Row,
    Unit,
    charge,
    charges,
    fall_back,
    go,
    lose,
    lose_leader,
    march,
    plain_ruleset,
)
from zareba.plugins.ruleset import Ruleset

__all__ = [
    "Battle",
    "PlainFile",
    "Procedure",
    "Row",
    "Ruleset",
    "Unit",
    "charge",
    "charges",
    "facts",
    "fall_back",
    "go",
    "lose",
    "lose_leader",
    "march",
    "plain_ruleset",
]
