"""Dice and cards: ways to read a roll, exact distributions, seeded dice, and texts for results."""

from zareba.chance.dice import EACH, HIGHEST, SUM, SUM_AND_HIGHEST, AtLeast, Counts, Read, SumBands, distribution
from zareba.chance.keyed import KeyedDice
from zareba.chance.meaning import Meaning, at_least, at_most, counts, lot, named, numbered, rows

__all__ = [
    "EACH",
    "HIGHEST",
    "SUM",
    "SUM_AND_HIGHEST",
    "AtLeast",
    "Counts",
    "KeyedDice",
    "Meaning",
    "Read",
    "SumBands",
    "at_least",
    "at_most",
    "counts",
    "distribution",
    "lot",
    "named",
    "numbered",
    "rows",
]
