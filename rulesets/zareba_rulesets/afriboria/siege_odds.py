"""Odds of bombardments, ladders and everything in the air, from the functions that play uses."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Literal

from zareba.odds import Leg, Procedure
from zareba.rules import Rules
from zareba.space import HexGrid
from zareba.table import Table
from zareba.tally import Tally
from zareba_rulesets.afriboria.air import hits_on_flier
from zareba_rulesets.afriboria.battle import Unit, UnitSpec
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.exchange import DiceFacts, Exchange, ExchangeFacts, answer_flags, attack
from zareba_rulesets.afriboria.field import Field, Ground
from zareba_rulesets.afriboria.ladders import repulse
from zareba_rulesets.afriboria.siege import batter
from zareba_rulesets.afriboria.situation import TerrainKey, UnitKey, bare_battle

__all__ = ["AIR_AND_SIEGE"]

GunKey = Literal["art_field", "art_horse", "art_heavy"]
StructureKey = Literal["wood", "adobe", "stone", "stone_fort"]
