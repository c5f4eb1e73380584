"""The procedures of these rules whose odds can be asked, in the order of the chapters."""

from zareba_rulesets.fixed_baynet.odds import artillery, buildings, fire, glory, machine_guns, melee

__all__ = ["PROCEDURES"]

PROCEDURES = {
    procedure.name: procedure
    for chapter in (fire, melee, glory, artillery, machine_guns, buildings)
    for procedure in chapter.PROCEDURES
}
