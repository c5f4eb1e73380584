"""The procedures of these rules whose odds can be asked, built from the functions that play uses."""

from zareba_rulesets.vcc.odds import fire, leaders, melee, morale, overheating, rally, rockets

__all__ = ["PROCEDURES"]

PROCEDURES = {
    procedure.name: procedure
    for chapter in (fire, leaders, morale, rally, rockets, melee, overheating)
    for procedure in chapter.PROCEDURES
}
