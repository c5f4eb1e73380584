"""The procedures of these rules whose odds can be asked, built from the functions that play uses; by chapter."""

from __future__ import annotations

from zareba.odds import Procedure
from zareba_rulesets.paychest.odds import fire, guns, melee, morale, moves

__all__ = ["PROCEDURES"]

PROCEDURES: dict[str, Procedure] = {
    procedure.name: procedure for chapter in (fire, melee, morale, guns, moves) for procedure in chapter.PROCEDURES
}
