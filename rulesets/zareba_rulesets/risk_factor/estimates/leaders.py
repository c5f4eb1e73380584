"""Places for a Player Character: safe, but near enough to pass on orders. Used by the AI evaluation.

A side that loses its Player Character is no longer commanded (RSK-069). Most are lost early: hit in a line under fire,
or carried off the table by men who run. The best place is a little behind, alone or with men who draw no fire, within
command distance of leaders who pass orders on.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Mapping

from zareba.base.exact import dist
from zareba.space.bearings import angle_between, bearing_to
from zareba.space.field.bodies import Crowd, crowd_of_bodies
from zareba.space.geometry import Point, box_between, towards
from zareba_rulesets.risk_factor.chapters.movement import allowance, free_spot, path_to, walk
from zareba_rulesets.risk_factor.estimates.expected_losses import MAN, chance_of_going_back, charge_reach
from zareba_rulesets.risk_factor.estimates.threats import FILLED_SHARE, Threat, Threats
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit, action_table, command_distances

WORTH_OF_REACHING_ALL = 1.0  # worth of reaching the whole side with orders
WORTH_OF_COMMANDER = 4.0  # worth of the commander
CHANCE_OF_BEING_PICKED = 0.08  # chance that a volley with a free choice of target picks a unit that is not the nearest
_FALLS_WITH_GROUP = 0.25  # chance that a leader falls with a group that is charged
FALLS_ALONE = 0.5  # the same for a leader alone, or with people who cannot fight
SCREENED_BY = 12.0  # cm by which fighters must be nearer to an enemy to draw its fire from a leader alone or a wagon
_CHANCE_OF_BEING_FOUND = 0.3  # chance that a leader hidden in grass or rocks is found
_LOST_GOING_BACK = 0.1  # chance that a leader who goes back is lost, apart from the edge of the table


class LeaderPlaces:
    """The worth of places to one leader in the present position."""

    def __init__(self, battle: Battle, leader: Unit, threats: Threats, needs: Mapping[str, int]) -> None:
        """`needs` is how much a man of each group needs orders; 1 for groups that are not listed."""
        side = leader.spec.side
        self._battle, self._leader, self._threats = battle, leader, threats
        self._groups = battle.groups(side)
        needed = [group.count * needs.get(group.spec.id, 1) for group in self._groups]
        self._needs = sum(needed)
        self._move = allowance(battle, leader, any(leader.hurt))
        self._charged = charge_reach(battle)
        lengths = battle.book.lengths
        self._with_group, self._friends_back = lengths["with_group"], lengths["friends_back"]
        self._near, self._far = command_distances(battle, leader)
        links = [unit.body.centre for unit in battle.of(side) if unit.spec.leader and unit is not leader]
        self._links = [(link, self._reach(link)) for link in links]
        self._listeners = [
            (group.body.centre, FILLED_SHARE * group.body.outer_radius, needed_here)
            for group, needed_here in zip(self._groups, needed, strict=True)
        ]
        self._nearest_gaps = [
            min([_gap(group, threat) for group in self._groups], default=1e9) for threat in threats.attackers
        ]
        self._arc = battle.book.settings.rf_front_half_arc
        self._table_name = action_table(battle, leader)
        self._raw = leader.spec.troop_class == "raw"
        self._crowd: Crowd | None = None

    def end_of(self, goal: Point, share: float = 1.0) -> Point:
        """Return where the leader arrives on the way to a point, with walls, slow ground and the room he needs
        (RSK-079).
        """
        battle, leader, centre = self._battle, self._leader, self._leader.body.centre
        end = towards(centre, goal, min(self._move * share, dist(centre, goal)))
        if battle.field.hinders(box_between(centre, goal), leader.mounted):
            end = walk(battle, leader, any(leader.hurt), path_to(battle, centre, goal), 0.0, share)[0]
        if self._crowd is None:
            self._crowd = crowd_of_bodies(body for body in battle.bodies() if body is not leader.body)
        return free_spot(centre, end, leader.body.radius, self._crowd)

    def value(self, at: Point, facing: float) -> float:
        """Return the worth of a place: the men who hear the leader there, less the risk of losing him next turn."""
        return WORTH_OF_REACHING_ALL * self.share_in_command(at) - WORTH_OF_COMMANDER * self.risk(at, facing)

    def share_in_command(self, at: Point) -> float:
        """Return the share of the side's men that orders reach from a place, directly or through other leaders,
        weighted by how much they need orders (RSK-055, RSK-060).
        """
        speakers, unreached = [(at, self._reach(at))], list(self._links)
        for speaker, reach in speakers:
            if not unreached:
                break
            speakers += [link for link in unreached if dist(speaker, link[0]) <= reach]
            unreached = [link for link in unreached if dist(speaker, link[0]) > reach]
        reached = 0
        for centre, radius, needed in self._listeners:
            if any(dist(speaker, centre) + radius <= reach for speaker, reach in speakers):
                reached += needed
        return reached / max(1, self._needs)

    def _reach(self, speaker: Point) -> float:
        """Return how far a leader's order carries from a point: less far in enclosed ground."""
        field = self._battle.field
        return self._near if field.enclosing and field.enclosed(speaker) else self._far

    def risk(self, at: Point, facing: float) -> float:
        """Return the chance that the leader is hit, caught or carried off during a turn at a place."""
        host = self._host(at)
        found = self._risk_alone(at, facing) if host is None else self._risk_in_group(host)
        return min(1.0, found)

    def _host(self, at: Point) -> Unit | None:
        """Return the group that a leader at a point would be with, or None."""
        radius = self._leader.body.radius
        best, best_gap = None, self._with_group
        for group in self._groups:
            body = group.body
            if dist(at, body.centre) - body.outer_radius - radius > best_gap:
                continue
            gap = min([dist(at, point) for point in body.at]) - body.radius - radius
            if gap <= best_gap:
                best, best_gap = group, gap
        return best

    def _risk_alone(self, at: Point, facing: float) -> float:
        """Return the risk to a leader without a group: fire from enemies near him or free to choose, charges, and going
        back when flanked or when friends run.
        """
        field, units = self._battle.field, self._battle.units
        hides = _CHANCE_OF_BEING_FOUND if any(piece.holds(at) for piece in field.concealing) else 1.0
        total = 0.0
        for threat, nearest_gap in zip(self._threats.attackers, self._nearest_gaps, strict=True):
            gap = dist(at, threat.centre) - FILLED_SHARE * threat.range
            first = gap < nearest_gap + SCREENED_BY
            aimed = 1.0 if first else CHANCE_OF_BEING_PICKED if units[threat.name].spec.volley else 0.0
            chance = aimed * min(1.0, _mean_felled(threat, gap)) + FALLS_ALONE * (
                first and threat.charges and gap <= self._charged
            )
            if chance and (not field.blocking_pieces or field.line_clear(threat.centre, at)):
                total += hides * chance
        runs = any(g.status in BACKWARD and dist(at, g.body.centre) <= self._friends_back for g in self._groups)
        flanked = any(angle_between(facing, bearing_to(at, threat)) > self._arc for threat in self._threats.in_sight)
        book = self._battle.book
        risk = book.modifier("risk_factor", "in_range")
        risk += book.modifier("risk_factor", "raw_in_range") if self._raw else 0.0
        risk += book.modifier("risk_factor", "flank_or_friends") if runs or flanked else 0.0
        back = chance_of_going_back(self._battle, self._table_name, risk)
        return total + back * (_LOST_GOING_BACK + self._leaves_table_from(at))

    def _risk_in_group(self, host: Unit) -> float:
        """Return the risk to a leader with a group: he is one target among its men, and goes where it goes."""
        units, battle = self._battle.units, self._battle
        total = 0.0
        for threat, nearest_gap in zip(self._threats.attackers, self._nearest_gaps, strict=True):
            gap = _gap(host, threat)
            first = gap <= nearest_gap
            if first and threat.charges and gap <= self._charged:
                total += FALLS_ALONE if host.spec.civilian or "disarmed" in host.marks else _FALLS_WITH_GROUP
            aimed = 1.0 if first else CHANCE_OF_BEING_PICKED if units[threat.name].spec.volley else 0.0
            if aimed:
                total += aimed * min(1.0, _mean_felled(threat, gap) / (host.count + 1))
        table_name = action_table(battle, host)
        tenths = 10 * host.casualties / max(1, host.original)
        back = (
            1.0
            if host.status in BACKWARD
            else chance_of_going_back(
                battle,
                table_name,
                battle.risk.get(host.spec.id, battle.book.modifier("risk_factor", "in_range") + tenths),
            )
        )
        return total + back * (_LOST_GOING_BACK + self._leaves_table_from(host.body.centre))

    def _leaves_table_from(self, at: Point) -> float:
        """Return 1 if going straight back from a place crosses the edge of the table, otherwise 0 (RSK-145)."""
        nearest = min(self._threats.groups, key=lambda threat: dist(threat, at), default=None)
        if nearest is None:
            return 0.0
        back = towards(nearest, at, dist(nearest, at) + self._move)
        return 0.0 if self._battle.field.on_table(back) else 1.0


def _gap(group: Unit, threat: Threat) -> float:
    """Return the estimated cm between a group and an enemy unit."""
    return dist(group.body.centre, threat.centre) - FILLED_SHARE * (group.body.outer_radius + threat.range)


def _mean_felled(threat: Threat, gap: float) -> float:
    """Return the mean number of men that an enemy's fire fells at a distance."""
    limits, rows, _ = threat.fire
    return rows[bisect_left(limits, gap)][0] / MAN if limits and gap <= limits[-1] else 0.0
