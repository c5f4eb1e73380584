"""The Risk Factor of units, and the Action throws that it leads to."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf

from zareba.base.state import facts
from zareba.base.state import facts as facts_class
from zareba.chance import Meaning, rows
from zareba.rules import procedure
from zareba.space.bearings import bearing_to, in_arc
from zareba.space.field.unit_index import IndexedSide
from zareba.space.geometry import Point
from zareba.table import Table
from zareba_rulesets.risk_factor.book import FACES, Result, RskBook
from zareba_rulesets.risk_factor.chapters.sight import (
    clearly_sees,
    nearest_visible,
    sees,
    sees_any_enemy,
    sees_nearest_clearly,
    visible_enemies,
)
from zareba_rulesets.risk_factor.forces import BACKWARD, Battle, Unit, action_table, longest_reach
from zareba_rulesets.risk_factor.ground import nearest_in_sight

# --- Risk -------------------------------------------------------------------------------------------------------------
# The Risk Factor of a unit: a modifier breakdown over what the unit sees, suffers and does (RSK-113 to RSK-126).


@facts
class RiskFacts:
    """The lines of Table R as facts. Lines that join two conditions with "or" are stored both separately and combined
    (`rf.or_lines`, RSK-117).
    """

    nothing_in_view: bool = False
    hero: bool = False
    superior: bool = False
    in_cover: bool = False
    advancing: bool = False
    in_range: bool = False
    raw_in_range: bool = False
    casualties: int = 0
    flank: bool = False
    friends: bool = False
    cavalry: bool = False
    routing: bool = False
    worse: bool = False

    @property
    def hero_or_superior(self) -> bool:
        """True for heroes and superior troops, who share one modifier."""
        return self.hero or self.superior

    @property
    def cover_or_advancing(self) -> bool:
        """True in cover or when advancing, which share one modifier."""
        return self.in_cover or self.advancing

    @property
    def flank_or_friends(self) -> bool:
        """True for an enemy on the flank or friends who go back near by, which share one modifier."""
        return self.flank or self.friends

    @property
    def routing_or_worse(self) -> bool:
        """True for a unit that routs or does worse in melee, which share one modifier."""
        return self.routing or self.worse

    @property
    def start(self) -> int:
        """The number that the modifiers are added to: 0 (RSK-125)."""
        return 0


def casualty_steps(lost: int, original: int, rounding: str) -> int:
    """Return the tenths of the original strength that are wounded or killed, rounded by the setting (RSK-120)."""
    if original <= 0:
        return 0
    if rounding == "up":
        return -(-10 * lost // original)
    return (20 * lost + original) // (2 * original) if rounding == "nearest" else 10 * lost // original


@dataclass(slots=True)
class Surroundings:
    """Facts that all units of a side share: its groups that fall back, its heroes, and the enemy cavalry.

    `enemy_reach` maps enemies with missiles to their longest range in cm. `enemies` are all enemies where they are now.
    """

    friends_going_back: list[Unit]
    heroes: list[Unit]
    enemy_cavalry: list[Unit]
    enemy_reach: dict[str, int]
    enemies: IndexedSide


def surroundings(battle: Battle, side: str) -> Surroundings:
    """Collect the facts that all units of a side share, once for the whole side."""
    friends, enemies = battle.of(side), battle.against(side)
    return Surroundings(
        friends_going_back=[unit for unit in friends if unit.status in BACKWARD and not unit.spec.leader],
        heroes=[unit for unit in friends if unit.spec.troop_class == "hero"],
        enemy_cavalry=[enemy for enemy in enemies if enemy.spec.cavalry and enemy.mounted and not enemy.spec.leader],
        enemy_reach={enemy.spec.id: reach for enemy in enemies if (reach := longest_reach(battle, enemy))},
        enemies=battle.standing(battle.enemy(side)),
    )


def risk_facts(battle: Battle, unit: Unit, around: Surroundings | None = None) -> RiskFacts:
    """Return the Risk Factor facts of a unit now. The caller collects them for all units before any dice are thrown
    (RSK-043).
    """
    around = around or surroundings(battle, unit.spec.side)
    settings, lengths = battle.book.settings, battle.book.lengths
    hero = unit.spec.troop_class == "hero" or (
        bool(around.heroes) and bool(battle.within(unit, around.heroes, lengths["with_group"]))
    )
    friends_going_back = (
        [friend for friend in around.friends_going_back if friend is not unit] if around.friends_going_back else []
    )
    ignores_casualties = bool(unit.spec.leader) and settings.rf_lone_leader_casualties == "ignore"
    threatened, in_range = _under_fire(battle, unit, around)
    return RiskFacts(
        nothing_in_view=not sees_any_enemy(battle, unit, around.enemies)
        and not any(_has_in_view(battle, unit, friend) for friend in friends_going_back),
        hero=hero,
        superior=_is_superior(battle, unit),
        in_cover=is_covered(battle, unit),
        advancing=unit.action in ("advance", "attack"),
        in_range=in_range,
        raw_in_range=unit.spec.troop_class == "raw" and threatened,
        casualties=0
        if ignores_casualties
        else casualty_steps(unit.casualties, unit.original, settings.rf_casualty_rounding),
        flank=is_flanked(battle, unit),
        friends=bool(friends_going_back) and bool(battle.within(unit, friends_going_back, lengths["friends_back"])),
        cavalry=unit.spec.native and _fears_cavalry(battle, unit, around.enemy_cavalry),
        routing=unit.status == "routing",
        worse=_worse_in_melee(unit, settings.rf_melee_window),
    )


def _has_in_view(battle: Battle, unit: Unit, friend: Unit) -> bool:
    """Return True if a unit has a friend in sight (RSK-114). Friends in cover are seen without a die (RSK-151)."""
    sight_line = battle.field.views[unit.body, friend.body]
    return sight_line.plain or sight_line.deep < inf


def _under_fire(battle: Battle, unit: Unit, around: Surroundings) -> tuple[bool, bool]:
    """Return two flags: an enemy in sight has a weapon that reaches the unit, and such an enemy is in clear sight
    (RSK-118).

    One enemy in clear sight settles both, so the nearest are checked first. The slower check of all figures runs only
    if no enemy shows its nearest figure.
    """
    units, enemies = battle.units, around.enemies
    own_weapon = battle.book.settings.rf_in_range_of == "own_weapon"
    own_reach = longest_reach(battle, unit) if own_weapon else 0
    hidden: list[Unit] = []
    for gap, k in sorted(zip(enemies.least_gaps(unit.body), range(len(enemies.names)), strict=True)):
        name = enemies.names[k]
        reach = own_reach if own_weapon else around.enemy_reach.get(name, 0)
        if not reach or gap > reach:
            continue
        enemy = units[name]
        if not enemies.reaches(k, unit.body, reach) or not sees(battle, unit, enemy):
            continue
        if sees_nearest_clearly(battle, unit, enemy):
            return True, True
        hidden.append(enemy)
    return bool(hidden), any(clearly_sees(battle, unit, enemy) for enemy in hidden)


def _is_superior(battle: Battle, unit: Unit) -> bool:
    """Return True if the scenario flags the unit as superior, or with `rf.superior` set to relative, if its class is
    better than that of every enemy group in sight (RSK-016).
    """
    if battle.book.settings.rf_superior == "flag":
        return unit.spec.superior_quality
    order = battle.book.orders
    groups = [enemy for enemy in visible_enemies(battle, unit) if not enemy.spec.leader]
    return bool(groups) and all(order[unit.spec.troop_class] > order[enemy.spec.troop_class] for enemy in groups)


def is_covered(battle: Battle, unit: Unit) -> bool:
    """Return True if every figure has cover from the nearest visible enemy, or has any cover if no enemy is visible
    (RSK-116).
    """
    if not battle.field.sheltered[unit.body]:
        return False
    nearest = nearest_visible(battle, unit)
    looks_from: Point | None = None
    if nearest is not None:
        enemy, pair = nearest
        looks_from = enemy.body.at[pair.second_index]
    return battle.field.all_in_cover(unit.body, looks_from)


def is_flanked(battle: Battle, unit: Unit) -> bool:
    """Return True if the nearest visible figure of an enemy unit is outside the frontal arc of the group (RSK-122).

    If the whole circle round an enemy unit is inside or outside the arc, its nearest figure need not be found.
    """
    enemies = battle.standing(battle.enemy(unit.spec.side))
    arc, centre = battle.book.settings.rf_front_half_arc, unit.body.centre
    for name, body in zip(enemies.names, enemies.bodies, strict=True):
        inside = body.lies_in_arc(centre, unit.facing, arc)
        if inside is None:
            inside = in_arc(
                unit.facing, arc, bearing_to(centre, body.at[nearest_in_sight(battle.field, unit.body, body)])
            )
        if not inside and sees(battle, unit, battle.units[name]):
            return True
    return False


def _fears_cavalry(battle: Battle, unit: Unit, enemy_cavalry: list[Unit]) -> bool:
    """Return True if living enemy cavalry is within 50 cm. It must also be in sight with `rf.cavalry_needs_sight`
    (RSK-123).
    """
    near = battle.within(unit, enemy_cavalry, battle.book.lengths["cavalry"]) if enemy_cavalry else []
    if battle.book.settings.rf_cavalry_needs_sight:
        near = [enemy for enemy in near if sees(battle, unit, enemy)]
    return bool(near)


def _worse_in_melee(unit: Unit, window: str) -> bool:
    """Return True if a unit took more casualties in melee than it caused, since its last throw or in the last melee
    phase (RSK-124).
    """
    if window == "since_last_roll":
        return unit.lost > unit.caused
    return unit.round_lost > unit.round_caused


def platoon_facts(battle: Battle, squads: Sequence[Unit], each: Sequence[RiskFacts]) -> RiskFacts:
    """Return the facts of a platoon taken as one group (RSK-147). Some lines must apply to every squad; the other lines
    need one squad only.

    For a line that counts once, either of its conditions is enough for a squad (`rf.or_lines`, RSK-117).
    """
    rounding = battle.book.settings.rf_casualty_rounding
    once = battle.book.settings.rf_or_lines == "once"
    lost, original = sum(s.casualties for s in squads), sum(s.original for s in squads)
    return RiskFacts(
        nothing_in_view=all(found.nothing_in_view for found in each),
        hero=all(f.hero or (once and f.superior) for f in each) and any(f.hero for f in each),
        superior=all(f.superior or (once and f.hero) for f in each) and any(f.superior for f in each),
        in_cover=all(f.in_cover or (once and f.advancing) for f in each) and any(f.in_cover for f in each),
        advancing=all(f.advancing or (once and f.in_cover) for f in each) and any(f.advancing for f in each),
        in_range=any(found.in_range for found in each),
        raw_in_range=any(found.raw_in_range for found in each),
        casualties=casualty_steps(lost, original, rounding),
        flank=any(found.flank for found in each),
        friends=any(found.friends for found in each),
        cavalry=any(found.cavalry for found in each),
        routing=any(found.routing for found in each),
        worse=any(found.worse for found in each),
    )


# --- Action throws: every unit of the side throws on its Action table (RSK-127 to RSK-149) ----------------------------
#
# All Risk Factors are taken before any die is thrown, so that the order of the units does not matter.


RESULT_TEXTS: Mapping[str, str] = {
    "continue": "go on as before",
    "towards": "move towards the nearest enemy in sight",
    "halt_in_cover": "halt in cover",
}
"""Results of an Action throw in words, if their name does not say enough."""


def result_in_words(result: str) -> str:
    """Return a result of an Action throw as a phrase for players."""
    return RESULT_TEXTS.get(result, result).replace("_", " ")


REASONS = tuple(RiskFacts.__dataclass_fields__)


@facts_class
class ActionDieFacts:
    """The facts of an Action die: its face and the modifier from the settings (RSK-127)."""

    die: int
    modifier: int


@dataclass(slots=True)
class UnitSnapshot:
    """A unit when the throws begin: its Risk Factor, its Action table, and whether it is falling back."""

    unit: Unit
    facts: RiskFacts
    risk: int
    table: str
    falling_back: bool


def throwing_units(battle: Battle, side: str) -> list[Unit]:
    """Return the units that throw: all groups, and leaders with no group within 5 cm (RSK-048, RSK-192)."""
    groups = battle.groups_of(side)
    return [unit for unit in battle.of(side) if not unit.spec.leader or battle.host(unit, groups) is None]


def update_works_mark(battle: Battle, unit: Unit) -> None:
    """Update the mark of a unit that defends works: set once it halts in them, until it leaves (RSK-135). Attackers who
    come up to works or storm them do not defend them.
    """
    if not battle.field.in_works[unit.body] or "charger" in unit.marks:
        unit.unmark("works")
    elif unit.action == "halt":
        unit.mark("works")


def is_blue(battle: Battle, result: str) -> bool:
    """Return True if a result leaves commanded troops free to obey, which the rulebook's tables show in blue (RSK-128,
    RSK-129). Every result at Risk Factor 0 or less does.
    """
    return result in battle.book.blue


def _snapshot(table: Table, battle: Battle, unit: Unit, around: Surroundings) -> UnitSnapshot:
    """Return the Risk Factor and the Action table of a unit as it stands."""
    unit_facts = risk_facts(battle, unit, around)
    risk = table.tally("risk_factor", unit_facts, unit).total
    return UnitSnapshot(unit, unit_facts, risk, action_table(battle, unit), unit.action in ("retreat", "rout"))


def reasons(risk_facts_of_unit: RiskFacts) -> dict[str, int | bool]:
    """Return the facts of a Risk Factor that apply. Used in the log."""
    return {name: value for name in REASONS if (value := getattr(risk_facts_of_unit, name))}


@procedure("actions.die")
def throw_die(table: Table, actor: str, why: str = "action", means: Meaning | None = None) -> int:
    """Throw the D6 of an Action throw, add the modifier from the settings, and hold it within 1 to 6 (RSK-127)."""
    face = table.roll(1, 6, why=why, rule="RSK-127", actor=actor, means=means)
    return table.tally("action_die", ActionDieFacts(face, table.rules.settings["actions.die_modifier"]), actor).total


def _action_means(book: RskBook, tables: tuple[tuple[str, bool], ...], risk: int) -> Meaning:
    """Return the meaning of each face of an Action throw at one Risk Factor. Several squads may read the die on
    different tables.

    `tables` holds a pair for each table in use: its name, and whether the unit is falling back.
    """
    known = book.action_means.get((tables, risk))
    if known is None:
        lines = {}
        for face in FACES:
            die = book.rules.tally("action_die", ActionDieFacts(face, book.settings.actions_die_modifier)).total
            results: Sequence[str] = ["no column"]
            if die in FACES:
                results = [book.action(name, risk, die, falling_back) for name, falling_back in tables]
            shown = results if len(set(results)) > 1 else results[:1]
            lines[face] = ", ".join(RESULT_TEXTS.get(result, result) for result in shown).replace("_", " ")
        known = book.action_means[tables, risk] = rows(lines, by=f"for Risk Factor {risk}")
    return known


def _take_snapshots(table: Table, battle: Battle, side: str) -> list[UnitSnapshot]:
    """Return a snapshot of each unit of a side that throws for its action."""
    if battle.field.fortified:
        for unit in battle.of(side):
            update_works_mark(battle, unit)
    around = surroundings(battle, side)
    return [_snapshot(table, battle, unit, around) for unit in throwing_units(battle, side)]


@procedure("actions.side")
def action_throws(table: Table, battle: Battle, snapshots: Sequence[UnitSnapshot] = ()) -> None:
    """Make the Action throws of the active side: all Risk Factors first, then all dice, then all results together
    (RSK-037, RSK-043, RSK-113).

    `snapshots` are snapshots of the units, if the caller has already taken them.
    """
    side = battle.side
    snapshots = snapshots or _take_snapshots(table, battle, side)
    battle.risk = {snapshot.unit.spec.id: snapshot.risk for snapshot in snapshots}
    results: dict[str, tuple[Result, int]] = {}
    for squads in _platoons(battle, snapshots):
        results.update(_platoon_throw(table, battle, squads))
    shared = frozenset(results)
    for snapshot in snapshots:
        name = snapshot.unit.spec.id
        if name not in results:
            means = _action_means(battle.book, ((snapshot.table, snapshot.falling_back),), snapshot.risk)
            die = throw_die(table, name, means=means)
            results[name] = (battle.book.action(snapshot.table, snapshot.risk, die, snapshot.falling_back), die)
    for snapshot in snapshots:
        unit = snapshot.unit
        result, die = results[unit.spec.id]
        if result == "towards" and not sees_any_enemy(battle, unit, battle.standing(battle.enemy(side))):
            result = "continue"  # no enemy in sight to move towards (RSK-134)
        unit.result = result
        unit.lost = unit.caused = 0
        shares = unit.spec.platoon if unit.spec.id in shared else ""
        table.emit(
            "action",
            "RSK-127",
            unit=unit.spec.id,
            risk=snapshot.risk,
            die=die,
            result=result,
            doing=unit.action,
            table=snapshot.table,
            because=reasons(snapshot.facts),
            platoon=shares,
            orders=_orders_after(battle, unit, result),
        )
    groups, hosts = battle.groups_of(side), dict[str, Unit]()
    for unit in battle.of(side):
        if unit.spec.leader and unit.spec.id not in results:
            host = battle.host(unit, groups)
            assert host is not None, "a leader without a host throws for himself"
            unit.result, hosts[unit.spec.id] = host.result, host
    for unit in sorted(battle.of(side), key=lambda unit: bool(unit.spec.leader)):
        _take_effect(table, battle, unit, hosts.get(unit.spec.id, unit))


def _orders_after(battle: Battle, unit: Unit, result: str) -> str:
    """Return "free" for a unit with orders that a result leaves free to follow them, "bound" for one that it binds, and
    "" for a unit without orders (RSK-128, RSK-149).
    """
    commander = battle.is_commander(unit) and not battle.is_solo(unit.spec.side)
    if not (commander or unit.marks & {"commanded", "linked"}):
        return ""
    always_free = commander and battle.book.settings.actions_pc_rolls == "free"
    return "free" if always_free or is_blue(battle, result) else "bound"


def _take_effect(table: Table, battle: Battle, unit: Unit, thrower: Unit) -> None:
    """Apply a result: set the status of the unit, and decide whether the result binds a commanded unit (RSK-128,
    RSK-144). `thrower` is the unit that threw for it: the group of a leader who is with one, else the unit itself.

    A result that is not blue binds commanded troops too. Player Characters follow `actions.pc_rolls` (RSK-149). Other
    leaders are bound like their group unless linked, and hold works only if their group does (RSK-192). If Halt is not
    blue, it binds movement only (RSK-129).
    """
    result = unit.result
    orders = _orders_after(battle, unit, result)
    free = orders == "free"
    if orders:
        unit.mark(orders)
    if result == "rout" and not free:
        unit.status = "routing"
    elif result == "retreat" and not free:
        _decide_retreat(table, battle, unit)
    elif result != "continue":
        unit.status = "steady"
    if not free and _holds_works(battle, thrower, result):
        unit.result = "halt"
        table.emit("holds the works", "RSK-135", unit=unit.spec.id)


def _decide_retreat(table: Table, battle: Battle, unit: Unit) -> None:
    """Decide whether a unit with a Retreat result stays: in cover and with half its strength left it may (RSK-141).
    Solo units always stay.

    A unit that stays is steady, not retreating, unless `victory.stay_in_cover_counts` is set. Leaders do as their
    group does.
    """
    host = battle.host(unit) if unit.spec.leader else None
    if host is not None:
        stays = "stays" in host.marks
    else:
        stays = battle.book.is_share_reached("stay_in_cover", unit.count, unit.original) and is_covered(battle, unit)
        if stays and not battle.is_solo(unit.spec.side):
            stays = table.confirm(unit.spec.side, why="stay in cover", rule="RSK-141", actor=unit.spec.id)
    unit.status = "retreating"
    if stays:
        unit.mark("stays")
        if host is None:
            table.emit("stays in cover", "RSK-141", unit=unit.spec.id)
        if not battle.book.settings.victory_stay_in_cover_counts:
            unit.status = "steady"


def _holds_works(battle: Battle, unit: Unit, result: str) -> bool:
    """Return True if a unit stays in the works it defends in spite of its result (RSK-135)."""
    return "works" in unit.marks and leaves_works(battle.book, result, unit.action)


def leaves_works(book: RskBook, result: str, doing: str) -> bool:
    """Return True if defenders of works ignore a result because it would take them out, given their current action
    (RSK-135).

    At Risk Factor 0 or less these are Continue and the move towards the enemy. With `actions.fortified_hold` set to
    always, they ignore Advance and Attack too.
    """
    goes = result == "towards" or (result == "continue" and doing in ("advance", "attack", "march"))
    if book.settings.actions_fortified_hold == "always":
        goes = goes or result in ("advance", "attack")
    return goes


# --- platoons ---------------------------------------------------------------------------------------------------------


def _platoons(battle: Battle, snapshots: Sequence[UnitSnapshot]) -> list[list[UnitSnapshot]]:
    """Return the platoons that throw as one: formed, uncommanded squads in a chain of gaps of at most 5 cm, with a
    leader within 5 cm (RSK-147).
    """
    if battle.book.settings.actions_platoon_roll == "off":
        return []
    by_label: dict[str, list[UnitSnapshot]] = {}
    for snapshot in snapshots:
        if snapshot.unit.spec.platoon:
            by_label.setdefault(snapshot.unit.spec.platoon, []).append(snapshot)
    return [squads for squads in by_label.values() if len(squads) > 1 and _throws_as_one(battle, squads)]


def _throws_as_one(battle: Battle, squads: list[UnitSnapshot]) -> bool:
    """Return True if the squads of a platoon make one throw: formed, without orders, linked, and near a leader."""
    units = [snapshot.unit for snapshot in squads]
    if any("commanded" in unit.marks or not unit.spec.formed for unit in units):
        return False
    cm = battle.book.lengths["platoon"]
    linked, waiting = [units[0]], units[1:]
    while waiting:
        near = [unit for unit in waiting if battle.within(unit, linked, cm)]
        if not near:
            return False
        linked += near
        waiting = [unit for unit in waiting if unit not in near]
    ranks = [
        u for u in battle.of(units[0].spec.side) if u.spec.leader and not u.spec.musician and not u.spec.non_combatant
    ]
    return any(battle.within(unit, ranks, cm) for unit in units)


@procedure("actions.platoon")
def _platoon_throw(table: Table, battle: Battle, squads: list[UnitSnapshot]) -> dict[str, tuple[Result, int]]:
    """Throw once for a platoon on its common Risk Factor. If the result is not blue, return no results, and every squad
    throws for itself (RSK-147).

    At Risk Factor 0 or less each squad reads the shared die on its own row.
    """
    units = [snapshot.unit for snapshot in squads]
    common_facts = platoon_facts(battle, units, [snapshot.facts for snapshot in squads])
    risk = table.tally("risk_factor", common_facts, units[0]).total
    missile = sum(snapshot.table == "missile" for snapshot in squads)
    name = units[0].spec.platoon
    table_name = "missile" if battle.book.is_share_reached("missile_platoon", missile, len(squads)) else "melee"
    rows_of_squads = (
        tuple([(snapshot.table, snapshot.falling_back) for snapshot in squads]) if risk <= 0 else ((table_name, False),)
    )
    die = throw_die(table, name, why="platoon action", means=_action_means(battle.book, rows_of_squads, risk))
    shared = battle.book.action(table_name, risk, die, False)
    is_shared = is_blue(battle, shared) or battle.book.settings.actions_platoon_roll == "shared_always"
    table.emit(
        "platoon action",
        "RSK-147",
        platoon=name,
        risk=risk,
        die=die,
        result=shared,
        table=table_name,
        because=reasons(common_facts),
        shared=is_shared,
    )
    if is_shared:
        if risk <= 0:
            return {s.unit.spec.id: (battle.book.action(s.table, risk, die, s.falling_back), die) for s in squads}
        return {snapshot.unit.spec.id: (shared, die) for snapshot in squads}
    return {}
