"""Odds of actions, command and movement."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import zip_longest
from math import prod
from typing import Annotated, Any, Literal

from pydantic import Field

from zareba.base.errors import ZarebaError
from zareba.base.exact import dist
from zareba.base.state import facts as facts_class
from zareba.odds import Formula, SmallBattle, count_outcomes, refuse
from zareba.rules import Rules
from zareba.space.bearings import offset, widest_gap
from zareba.space.field.bodies import Body, body_in_ranks
from zareba.space.geometry import Point
from zareba.table import Answer, Choose, Table
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.chapters.action_moves import list_moves_and_charges, rout
from zareba_rulesets.risk_factor.chapters.action_throws import RiskFacts, UnitSnapshot, action_throws
from zareba_rulesets.risk_factor.chapters.charge import carry_out_charge
from zareba_rulesets.risk_factor.chapters.command import command, command_cost, roll_command_points
from zareba_rulesets.risk_factor.chapters.prisoners import dispatch, escape
from zareba_rulesets.risk_factor.chapters.setting_up import move_markers
from zareba_rulesets.risk_factor.chapters.sight import roll_sight_dice
from zareba_rulesets.risk_factor.chapters.victory import check_after_throws
from zareba_rulesets.risk_factor.forces import Battle, Captives, Marker
from zareba_rulesets.risk_factor.odds import stage
from zareba_rulesets.risk_factor.odds.stage import (
    MIDDLE,
    PROCEDURES,
    RADIUS,
    Centimetres,
    Class,
    Factor,
    Group,
    Men,
    Tenths,
    row,
    small_table,
    unit_of,
)

# --- Action -----------------------------------------------------------------------------------------------------------
# Odds of the Risk Factor and the Action tables (RSK-113 to RSK-149), and of a side being beaten by them (RSK-183).


_TableName = Literal["missile", "melee"]
_SOUTH = 100.0
"""The y coordinate of the units that throw, in cm."""


@facts_class
class ActionFacts(RiskFacts):
    """The lines of Table R for one unit, and its Action throw. `casualties` is in full tenths lost.

    `risk` sets the Risk Factor directly; the conditions are then ignored. `commanded`: a result that is not blue binds
    the unit. `works`: it defends works, which it does not leave at Risk Factor 0 or less (RSK-135). Without an enemy
    in sight it cannot move towards one (RSK-134).
    """

    casualties: Tenths = 0
    table: _TableName = "melee"
    commanded: bool = False
    falling_back: bool = False
    risk: Factor | None = None
    works: bool = False
    enemy_in_sight: bool = True


@facts_class
class ContactFacts(ActionFacts):
    """The same for a solo unit `distance` cm from its enemy, which may come into contact this turn.

    `allowance` is its move in cm. `native`: it moves D6 cm farther. `attacking`: its current action is Attack, which
    also counts as advancing.
    """

    distance: Centimetres = 28.0
    allowance: Centimetres = 25.0
    native: bool = True
    attacking: bool = False


@dataclass(frozen=True)
class BeatenFacts:
    """A side of groups with these Risk Factors, all on one Action table (RSK-183).

    `tables` names the table of each group if they differ.
    """

    risks: Annotated[tuple[int, ...], Field(min_length=1, max_length=200)] = (9, 7)
    table: _TableName = "melee"
    tables: Annotated[tuple[_TableName, ...], Field(max_length=200)] = ()


def _table_with_enemy(
    rules: Rules, facts: ActionFacts, current: str, distance: float = MIDDLE, number: int = 1, **traits: Any
) -> Battle:
    """Return a small table with a number of units whose `current` action is given, and an enemy `distance` cm in front
    of them, if one is in sight.
    """
    marks = "commanded " * facts.commanded + "works" * facts.works
    fields_of_unit = {"action": current, "marks": marks, "table": facts.table, **traits}
    units = [unit_of(f"unit {n:03}", "red", [at], **fields_of_unit) for n, at in enumerate(row(number, _SOUTH))]
    enemy = unit_of("enemy", "blue", row(1, _SOUTH + distance + 2 * RADIUS))
    return stage.small_table(rules, *units, *[enemy] * facts.enemy_in_sight)


def _make_throws(*known: ActionFacts) -> Callable[[Table, Battle, None], None]:
    """Return a step that makes the Action throws of the units, with the Risk Factors from their facts."""

    def make_throws(table: Table, battle: Battle, _: None) -> None:
        shots = []
        for unit, known_facts in zip(battle.of("red"), known, strict=True):
            risk = table.tally("risk_factor", known_facts, unit).total if known_facts.risk is None else known_facts.risk
            shots.append(UnitSnapshot(unit, known_facts, risk, known_facts.table, known_facts.falling_back))
        action_throws(table, battle, shots)
        check_after_throws(table, battle)

    return make_throws


@PROCEDURES.register("RSK-127", risk=int, result=str, bound=bool)
def action(rules: Rules, facts: ActionFacts) -> SmallBattle:
    """Risk Factor and Action throw of a unit.

    The Risk Factor, the result, and whether it binds the unit.
    """

    def outcome(battle: Battle, _: None) -> tuple[int, str, bool]:
        ((name, risk),) = battle.risk.items()
        return risk, battle.units[name].result, "free" not in battle.units[name].marks

    return SmallBattle(
        _table_with_enemy(rules, facts, "advance" if facts.advancing else "halt"), [_make_throws(facts)], outcome
    )


@PROCEDURES.register("RSK-137", attacks=bool, contact=bool)
def charge_contact(rules: Rules, facts: ContactFacts) -> SmallBattle:
    """Chance that a unit played by the Action tables reaches its enemy.

    Attack or no attack, and contact or no contact with the enemy.
    """
    moves = RskBook(rules).moves
    kinds: dict[float, dict[str, Any]] = {moves["foot"]: {}, moves["mounted"]: {"mounted": True}, moves["civilian"]: {"civilian": True}}  # fmt: skip
    if facts.allowance not in kinds:
        known = " or ".join(f"{cm:g}" for cm in kinds)
        raise ZarebaError(f"men move {known} cm: allowance (RSK-071, RSK-073, RSK-074)")
    refuse(facts.commanded, "a commanded unit follows its orders, not the tables: commanded (RSK-066)")
    actions = {"attack": facts.attacking, "advance": facts.advancing, "retreat": facts.falling_back, "halt": True}
    current = next(name for name, holds in actions.items() if holds)
    traits = {"native": facts.native, **kinds[facts.allowance]}
    facts = replace(facts, advancing=facts.advancing or facts.attacking)

    def charge(table: Table, battle: Battle, _: None) -> tuple[bool, bool]:
        battle.charging = list_moves_and_charges(battle)[1]
        for name in battle.charging:
            carry_out_charge(table, battle, battle.units[name])
        attacks = bool(battle.charging)
        return attacks, attacks and bool(battle.enemies_in_contact(battle.of("red")[0]))

    return SmallBattle(
        _table_with_enemy(rules, facts, current, facts.distance, **traits), [_make_throws(facts), charge]
    )


def _groups(facts: BeatenFacts) -> list[ActionFacts]:
    """Return the facts of the Action throw of each group of the side."""
    tables = facts.tables or (facts.table,) * len(facts.risks)
    refuse(len(tables) != len(facts.risks), "name one table for each Risk Factor, or none: tables (RSK-130)")
    return [ActionFacts(risk=risk, table=table_name) for risk, table_name in zip(facts.risks, tables, strict=True)]


def _one_by_one(rules: Rules, facts: BeatenFacts) -> dict[bool, Fraction]:
    """Return the odds as a product over the groups. The throws of the groups are independent."""
    groups = [BeatenFacts((group.risk,), group.table) for group in _groups(facts) if group.risk is not None]
    beaten = prod(count_outcomes(rules, side_beaten(rules, group)).get(True, Fraction(0)) for group in groups)
    return {lost: p for lost, p in ((True, Fraction(beaten)), (False, Fraction(1 - beaten))) if p}


@PROCEDURES.register("RSK-183", closed=Formula(_one_by_one, frozenset({"actions.side", "actions.die"})), beaten=bool)
def side_beaten(rules: Rules, facts: BeatenFacts) -> SmallBattle:
    """Chance that a side has lost after its Action throws."""
    groups = _groups(facts)
    battle = _table_with_enemy(rules, groups[0], "halt", number=len(groups))
    return SmallBattle(battle, [_make_throws(*groups)], lambda battle, _: "red" in battle.beaten)


# --- Odds of command: the points of a leader, and the chain of command (RSK-050 to RSK-070) ---------------------------


_Link = Literal[
    "none", "veteran", "raw", "hero", "musician",
    "disloyal_veteran", "disloyal_raw", "disloyal_hero", "disloyal_musician",
]  # fmt: skip
_DISLOYAL = "disloyal_"


@dataclass(frozen=True)
class PointsFacts:
    """A leader who wants to command `figures` men of one group, loyal or not, routing or not. `busy`: the leader loads
    or fires.
    """

    figures: Group = 10
    leader: Class = "veteran"
    busy: bool = False
    loyal: bool = True
    routing: bool = False


@dataclass(frozen=True)
class ChainFacts:
    """An officer, the leaders he links in order, and the squads he then buys in order, by number of figures (RSK-061).

    A `disloyal_` leader costs more points (RSK-057), and so do the figures of squads marked in `disloyal`; squads
    beyond the end of that list are loyal. `musicians` is the class of linked musicians. It matters only if musicians
    throw their own dice too (RSK-054).
    """

    officer: Class = "veteran"
    busy: bool = False
    links: tuple[_Link, ...] = ("veteran", "raw")
    squads: tuple[Group, ...] = (9, 9, 9)
    musicians: Class = "veteran"
    disloyal: tuple[bool, ...] = ()


def _leaders_and_men(
    rules: Rules, men: Mapping[str, int], loyal: Mapping[str, bool], **traits: Mapping[str, Any]
) -> Battle:
    """Return a small table with leaders in the middle of their men, all within command distance.

    `men` gives the figures of each unit, `loyal` the loyalty of each unit to all leaders, and `traits` further
    attributes of a unit.
    """
    count = sum(men.values())
    places = body_in_ranks((MIDDLE, MIDDLE), 0.0, count, RADIUS, int(count**0.5) + 1).at
    near: list[Point] = sorted(places, key=lambda point: dist(point, (MIDDLE, MIDDLE)))
    loyalties = {name: "loyal" if loyal.get(name, True) else "disloyal" for name in men}
    units = [
        unit_of(name, "red", [near.pop(0) for _ in range(number)], loyalty=loyalties, **traits.get(name, {}))
        for name, number in men.items()
    ]
    return small_table(rules, *units, phase="command", commanders={"officer": "red"})


def _officer(troop_class: Class, busy: bool) -> dict[str, Any]:
    """Return the values that make a unit of the odds an officer."""
    return {"troop_class": troop_class, "leader": "officer", "marks": "busy" * busy}


@PROCEDURES.register("RSK-050", commanded=bool, points=int)
def command_points(rules: Rules, facts: PointsFacts) -> SmallBattle:
    """A leader's throw for points to command one group.

    The points thrown, and whether the whole group is commanded.
    """
    group = {"status": "routing" if facts.routing else "steady"}
    men, officer = {"officer": 1, "group": facts.figures}, _officer(facts.leader, facts.busy)
    camp = _leaders_and_men(rules, men, {"group": facts.loyal}, officer=officer, group=group)

    def roll_and_price(table: Table, battle: Battle, _: None) -> tuple[bool, int]:
        leader = battle.units["officer"]
        battle.pools["officer"] = roll_command_points(table, battle, leader)
        return command_cost(battle, battle.units["group"], [leader]) is not None, battle.pools["officer"]

    return SmallBattle(camp, [roll_and_price])


@PROCEDURES.register("RSK-061", squads=int)
def command_chain(rules: Rules, facts: ChainFacts) -> SmallBattle:
    """The chain of command, with squads bought in order.

    How many of the squads are commanded. A squad is bought if the points left pay for all of it (RSK-059).
    """
    men, loyal, traits = {"officer": 1}, {"officer": True}, {"officer": _officer(facts.officer, facts.busy)}
    for number, link in enumerate(facts.links):
        kind, name = link.removeprefix(_DISLOYAL), f"link {number}"
        if kind != "none":
            men[name], loyal[name], music = 1, kind == link, kind == "musician"
            traits[name] = {"troop_class": facts.musicians if music else kind, "leader": "nco", "musician": music}
    for number, (squad, disloyal) in enumerate(zip_longest(facts.squads, facts.disloyal[: len(facts.squads)])):
        men[f"squad {number}"], loyal[f"squad {number}"] = squad, not disloyal

    def give(table: Table, battle: Battle, _: None) -> int:
        command(table, battle, battle.units["officer"])
        return sum("commanded" in unit.marks for unit in battle.units.values())

    def next_in_order(question: Any, battle: Battle) -> Answer:
        """Return the first option after stopping. Leaders are offered before squads."""
        return question.options[1] if isinstance(question, Choose) else False

    return SmallBattle(_leaders_and_men(rules, men, loyal, **traits), [give], answer=next_in_order)


# --- Odds that depend on positions: sighting, markers, surrender and prisoners (RSK-143, RSK-150 to RSK-189) ----------


Markers = Annotated[int, Field(ge=1, le=60)]


@dataclass(frozen=True)
class SightingFacts:
    """A search for a figure `depth` cm inside cover, from each of these distances in turn. `fired`: the figure fired in
    its last turn.
    """

    distances: tuple[stage.Centimetres, ...] = (45.0,)
    depth: stage.Centimetres = 3.0
    fired: bool = False


@dataclass(frozen=True)
class MarkersFacts:
    """Hidden markers, including dummies, that all see an enemy (RSK-189)."""

    markers: Markers = 9


@dataclass(frozen=True)
class SurrenderFacts:
    """Routers with enemies or closed ground at these bearings within their reach (RSK-143)."""

    bearings: tuple[int, ...] = (20, 95, 170, 250, 320)


@dataclass(frozen=True)
class PrisonersFacts:
    """Prisoners held by a group: the numbers of guards and of killers. A group with `no_quarter` kills as many as it
    must.
    """

    prisoners: stage.Group = 8
    guards: Men = 1
    killers: Men = 0
    no_quarter_group: Men = 0


@PROCEDURES.register("RSK-150", turn=int)
def sighting(rules: Rules, facts: SightingFacts) -> SmallBattle:
    """The turn in which a concealed figure is seen.

    The turn in which it is first seen, 0 for never.
    """
    refuse(
        min(facts.distances, default=facts.depth) < facts.depth,
        "a looker nearer than the edge stands in the same cover: distances, depth (RSK-153)",
    )
    edge, end = MIDDLE - facts.depth, 2 * MIDDLE
    wood = "wood", [(0.0, edge), (end, edge), (end, end), (0.0, end)]
    hider = unit_of("hider", "blue", [(MIDDLE, MIDDLE)], marks="fired" * facts.fired)
    battle = small_table(rules, unit_of("looker", "red", [(MIDDLE, 0.0)]), hider, ground=wood)

    def look_from(turn: int, distance: float) -> Callable[[Table, Battle, int], int]:
        def act(table: Table, battle: Battle, seen: int) -> int:
            if seen:
                return seen
            battle.units["looker"].body = Body(((MIDDLE, MIDDLE - distance - 2 * RADIUS),), RADIUS)
            roll_sight_dice(table, battle)
            return turn if "hider" in battle.seen else 0

        return act

    acts = [look_from(turn, gap) for turn, gap in enumerate(facts.distances, start=1)]
    return SmallBattle(battle, acts, first=0)


def _marker_by_marker(rules: Rules, facts: MarkersFacts) -> dict[bool, Fraction]:
    """Return the odds from those of one marker. The throws of the markers are independent."""
    stays = count_outcomes(rules, markers(rules, MarkersFacts(1))).get(False, Fraction(0)) ** facts.markers
    return {moves: p for moves, p in ((True, 1 - stays), (False, stays)) if p}


@PROCEDURES.register("RSK-189", closed=Formula(_marker_by_marker, frozenset({"hidden.move"})), any_moves=bool)
def markers(rules: Rules, facts: MarkersFacts) -> SmallBattle:
    """Chance that any hidden marker moves."""

    def go(table: Table, battle: Battle, _: None) -> bool:
        move_markers(table, battle)
        return any(marker.went for marker in battle.markers.values())

    marker_set = {f"marker {number:02}": Marker("red", at, ()) for number, at in enumerate(row(facts.markers))}
    battle = small_table(rules, unit_of("enemy", "blue", row(1, MIDDLE + 100)), markers=marker_set)
    return SmallBattle(battle, [go])


@PROCEDURES.register("RSK-143", surrenders=bool, widest=int)
def surrender(rules: Rules, facts: SurrenderFacts) -> SmallBattle:
    """Chance that routers find no way out and surrender.

    The enemies stand 20 cm away at these bearings. `surrenders`: the routers find no way out; `widest`: the widest free
    angle, in degrees.
    """

    def rout_units(table: Table, battle: Battle, _: None) -> tuple[bool, int]:
        rout(table, battle, battle.units["routers"])
        return bool(battle.captives), int(widest_gap(map(float, facts.bearings)))

    around = enumerate(offset((MIDDLE, MIDDLE), bearing, 20.0) for bearing in facts.bearings)
    units = [unit_of(f"enemy {number}", "blue", [at]) for number, at in around]
    battle = small_table(rules, unit_of("routers", "red", [(MIDDLE, MIDDLE)], status="routing"), *units)
    return SmallBattle(battle, [rout_units])


@PROCEDURES.register("RSK-157", escape=int, killed=int, left=int)
def prisoners(rules: Rules, facts: PrisonersFacts) -> SmallBattle:
    """Prisoners who escape, are killed, or stay.

    Captors and prisoners stand close together. Prisoners without a guard escape; then the others may be killed
    (RSK-158, RSK-159).

    How many escape, how many are killed this turn, and how many are left.
    """
    captor_body, captive_body = (
        body_in_ranks((MIDDLE, MIDDLE), 0.0, number, 0.25, 6)
        for number in (facts.no_quarter_group or facts.guards + facts.killers, facts.prisoners)
    )
    captor = unit_of("captor", "red", captor_body.at, no_quarter=bool(facts.no_quarter_group))
    group = Captives("blue", "own", "captor", captive_body, (False,) * facts.prisoners)
    captives = [group] if facts.prisoners else []
    battle = small_table(rules, captor, unit_of("own", "blue", row(1, 2 * MIDDLE)), captives=captives)

    def flee(table: Table, battle: Battle, _: None) -> int:
        escape(table, battle)
        return facts.prisoners - sum(captives.count for captives in battle.captives)

    def kill(table: Table, battle: Battle, fled: int) -> tuple[int, int, int]:
        dispatch(table, battle)
        left = sum(captives.count for captives in battle.captives)
        return fled, facts.prisoners - fled - left, left

    def number_of_killers(question: Any, battle: Battle) -> Answer:
        return min(facts.killers, question.options[-1])

    return SmallBattle(battle, [flee, kill], answer=number_of_killers)
