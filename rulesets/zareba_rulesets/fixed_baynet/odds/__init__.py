"""The procedures of these rules whose odds can be asked, in the order of the chapters."""

from __future__ import annotations

from zareba.odds import Procedure
from zareba_rulesets.fixed_baynet.odds.artillery import ARTILLERY_PROCEDURES
from zareba_rulesets.fixed_baynet.odds.buildings import BUILDING_PROCEDURES
from zareba_rulesets.fixed_baynet.odds.fire import FIRE_PROCEDURES
from zareba_rulesets.fixed_baynet.odds.glory import GLORY_PROCEDURES
from zareba_rulesets.fixed_baynet.odds.machine_guns import MACHINE_GUN_PROCEDURES
from zareba_rulesets.fixed_baynet.odds.melee import MELEE_PROCEDURES

__all__ = ["PROCEDURES"]

PROCEDURES: dict[str, Procedure] = {
    procedure.name: procedure
    for procedure in (
        *FIRE_PROCEDURES,
        *MELEE_PROCEDURES,
        *GLORY_PROCEDURES,
        *ARTILLERY_PROCEDURES,
        *MACHINE_GUN_PROCEDURES,
        *BUILDING_PROCEDURES,
    )
}
