"""The procedures of these rules whose odds can be asked: units on a small table, and the step that play takes there."""

from zareba_rulesets.afriboria.odds import air, battles, siege, walls

__all__ = ["PROCEDURES"]

PROCEDURES = {procedure.name: procedure for chapter in (battles, walls, siege, air) for procedure in chapter.PROCEDURES}
