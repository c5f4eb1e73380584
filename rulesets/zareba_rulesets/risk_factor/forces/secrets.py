"""What a seat may see of a battle (RSK-187): everything but what stands behind the enemy's markers."""

from __future__ import annotations

from zareba_rulesets.risk_factor.forces.battle import Battle

__all__ = ["seen_by"]


def seen_by(battle: Battle, seat: str) -> Battle:
    """The battle without the enemy's hidden units, and with his markers blank."""
    if not any(marker.side != seat for marker in battle.markers.values()):
        return battle
    seen = battle.copy()
    for marker in seen.markers.values():
        if marker.side != seat:
            marker.units, marker.mounted = (), False
    seen.units = {n: u for n, u in seen.units.items() if u.spec.side == seat or "hidden" not in u.marks}
    seen.prizes = {n: p for n, p in seen.prizes.items() if not p.carrier or p.carrier in seen.units}
    return seen
