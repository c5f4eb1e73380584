"""Chance: how dice are read, exact distributions, keyed dice."""

from zareba.chance.dice import EACH, HIGHEST, SUM, SUM_AND_HIGHEST, AtLeast, Counts, Read, SumBands, distribution
from zareba.chance.keyed import KeyedDice

__all__ = [
    "EACH",
    "HIGHEST",
    "SUM",
    "SUM_AND_HIGHEST",
    "AtLeast",
    "Counts",
    "KeyedDice",
    "Read",
    "SumBands",
    "distribution",
]
