"""Groups, command points and the chain of command (RSK-045 to RSK-070)."""

from __future__ import annotations

from operator import attrgetter
from typing import Any

from zareba.base.state import facts
from zareba.chance import counts
from zareba.rules import procedure
from zareba.space.field.bodies import Body
from zareba.table import Option, Table
from zareba_rulesets.risk_factor.book import RskBook
from zareba_rulesets.risk_factor.chapters.movement import allowance
from zareba_rulesets.risk_factor.forces import (
    Battle,
    Unit,
    UnitSpec,
    action_table,
    command_distances,
    in_command_range,
    kit_of,
    kits_of,
    longest_reach,
)

# --- Groups: combining weak groups, figures in sight of their mates, leaders between groups (RSK-045 to RSK-049) ------


_ALIKE = attrgetter("kind", "troop_class", "native", "civilian", "support", "mounted")
"""The attributes that two groups must share to combine."""


def is_coherent(battle: Battle, body: Body) -> bool:
    """Return True if every figure sees at least one of its mates (RSK-046)."""
    field = battle.field
    blockers = field.between(body, body)
    if len(body) < 2 or blockers == ():
        return True
    at = body.at
    return all(any(i != j and field.line_clear(a, b, blockers) for j, b in enumerate(at)) for i, a in enumerate(at))


def may_combine(battle: Battle, weak: Unit, other: Unit) -> bool:
    """Return True if a group of three or fewer may join another one of its kind and class, up to thirty figures
    together (RSK-047).

    Both must have the same status, because only a throw ends a rout or a retreat (RSK-144). Dismounted riders do not
    combine with men on foot: their bases differ, and they have horses (RSK-080).
    """
    a, b, counts = weak.spec, other.spec, battle.book.counts
    if weak.count > counts["combine_at"] or weak.count + other.count > counts["largest_group"]:
        return False
    alike = _ALIKE(a) == _ALIKE(b) and weak.mounted == other.mounted and weak.status == other.status
    alike = alike and ("disarmed" in weak.marks) == ("disarmed" in other.marks)
    return alike and action_table(battle, weak) == action_table(battle, other)


@procedure("groups.merge")
def merge_side(table: Table, battle: Battle) -> None:
    """Combine weak groups with similar ones within 5 cm at the end of step 2 (RSK-047). Solo sides always combine;
    players may choose.
    """
    side, cm = battle.side, battle.book.lengths["combine"]
    weak = [g for g in battle.groups(side) if g.count <= battle.book.counts["combine_at"]]
    for unit in weak:
        if not unit.is_on_table:
            continue
        near = battle.within(
            unit, [g for g in battle.groups(side) if g is not unit and may_combine(battle, unit, g)], cm
        )
        found = battle.nearest(unit, near)
        if found is None:
            continue
        other, _ = found
        if battle.is_solo(side) or table.confirm(
            side, why="combine", rule="RSK-047", actor=unit.spec.id, about=(other.spec.id,)
        ):
            combine(table, battle, unit, other)


def combine(table: Table, battle: Battle, weak: Unit, other: Unit) -> None:
    """Combine two groups into one. Their losses are added up, or forgotten with `groups.merge_strength` set to fresh
    (RSK-047).

    Every figure keeps its arms. The new group has moved or charged, and is unloaded, if either group was (RSK-081,
    RSK-088, RSK-164, RSK-168).
    """
    if weak.kits or other.kits or kit_of(weak.spec) != kit_of(other.spec):
        other.kits = (*kits_of(other), *kits_of(weak))
    other.body = Body((*other.body.at, *weak.body.at), other.body.radius)
    other.hurt = (*other.hurt, *weak.hurt)
    other.armed = (*other.armed, *weak.armed)
    if battle.book.settings.groups_merge_strength == "carry":
        other.original, other.dead = other.original + weak.original, other.dead + weak.dead
    else:
        other.original, other.dead = other.count, 0
    other.mark(*(weak.marks & {"moved", "far", "footing", "fired", "charged", "charger"}))
    if "loaded" not in weak.marks:
        other.unmark("loaded")
    weak.dead, other.killers = 0, other.killers + weak.killers
    other.lost, other.caused = other.lost + weak.lost, other.caused + weak.caused
    for captives in battle.captives:
        if captives.captor == weak.spec.id:
            captives.captor = other.spec.id
    for carried_object in battle.carried_objects.values():
        if carried_object.carrier == weak.spec.id:
            carried_object.carrier = other.spec.id
    table.emit("combined", "RSK-047", unit=weak.spec.id, into=other.spec.id, count=other.count)
    battle.remove(weak, f"joined {other.spec.id}")


def share_actions(battle: Battle) -> None:
    """Give leaders without orders the action and goal of the group they are with (RSK-192). They continue it if they
    are left alone later.

    Leaders who threw for themselves in this player turn and have joined a group since keep their own action.
    """
    groups = battle.groups_of(battle.side)
    for leader in battle.of(battle.side):
        host = battle.host(leader, groups) if leader.spec.leader and "free" not in leader.marks else None
        if host is not None and leader.spec.id not in battle.risk:
            leader.action, leader.goal = host.action, host.goal


@procedure("groups.leaders")
def settle_ties(table: Table, battle: Battle) -> None:
    """Ask the owner of a leader equally near two groups which one the leader belongs to (RSK-048). Asked at each
    shooting and melee.
    """
    for side in battle.order:
        if battle.is_solo(side):
            continue
        groups, cm = battle.groups_of(side), battle.book.lengths["with_group"]
        for leader in battle.of(side):
            near = groups.ranked(leader.body, cm) if leader.spec.leader else []
            names = [groups.names[k] for k, gap in near if gap == near[0][1]]
            if len(names) > 1:
                names.sort(key=list(battle.units).index)
                leader.joins = table.choose(side, names, why="belongs to", rule="RSK-048", actor=leader.spec.id)


# --- Command points and the chain of command (RSK-050 to RSK-070) -----------------------------------------------------


_POINTS = counts("command points")

STOP, LINK, COMMAND = "stop", "link", "command"
_DONE = "done"
_MARKS_OF_ORDERS = frozenset({"linked", "commanded"})


@facts
class CommandFacts:
    """The facts of a leader's command dice: the dice of the class, and whether the leader loads, fires or is in melee
    (RSK-053).
    """

    class_dice: int
    busy: bool
    troop_class: str


def is_loyal(battle: Battle, unit: UnitSpec, leader: UnitSpec) -> bool:
    """Return True if the figures of a unit are loyal to a leader (RSK-021).

    The scenario may declare it; otherwise it depends on the people to which they belong. Europeans follow their own
    officers and NCOs (RSK-022). Natives follow only their own leaders (RSK-023). Natives in European service follow
    both, or only their own with `loyalty.native_service` set to own_only (RSK-024).
    """
    loyalty = leader.loyalty.get(unit.parent)
    if loyalty is not None:
        return loyalty == "loyal"
    if unit.people == "service" and battle.book.settings.loyalty_native_service == "both":
        return leader.people in ("european", "service")
    return unit.people == leader.people


def reaches(battle: Battle, leader: Unit, body: Body, index: int) -> bool:
    """Return True if a figure is within command distance of a leader (RSK-055)."""
    return in_command_range(battle, leader, body)[index]


def figure_price(battle: Battle, unit: Unit, leader: Unit) -> int:
    """Return the points to activate one figure through a leader: loyal 1, disloyal 2, routing 2 (RSK-056 to RSK-058).

    `command.disloyal_router_cost` sets the price of a figure that is both disloyal and routing.
    """
    loyal_figure = is_loyal(battle, unit.spec, leader.spec)
    numbers = battle.book.counts
    if unit.status == "routing":
        return numbers["router_cost"] if loyal_figure else battle.book.settings.command_disloyal_router_cost
    return numbers["loyal_cost"] if loyal_figure else numbers["disloyal_cost"]


def link_price(battle: Battle, leader: Unit, through: Unit, officer: Unit) -> int:
    """Return the points to link `leader` by way of the linked leader `through`, or 0 with `command.link_cost` set to
    free (RSK-061).

    The price depends on the loyalty to the leader who passes the order on or, by setting, to the officer (RSK-063).
    """
    settings = battle.book.settings
    if settings.command_link_cost == "free":
        return 0
    return figure_price(battle, leader, officer if settings.command_loyalty_via == "officer" else through)


def link_through(battle: Battle, leader: Unit, links: list[Unit]) -> Unit | None:
    """Return the linked leader who can link `leader` for the fewest points, or None if none can.

    He must be in reach and able to pay. `links` are the linked leaders, the Player Character first.
    """
    officer, is_shared, body = links[0], battle.book.settings.command_pool == "shared", leader.body
    lowest_price = _least_price(battle)
    cheapest: Unit | None = None
    lowest_cost = 0
    for linked_leader in links:
        if in_command_range(battle, linked_leader, body)[0]:
            points = link_price(battle, leader, linked_leader, officer)
            purse = battle.pools[officer.spec.id if is_shared else linked_leader.spec.id]
            if points <= purse and (cheapest is None or points < lowest_cost):
                cheapest, lowest_cost = linked_leader, points
                if points <= lowest_price:
                    break
    return cheapest


def _least_price(battle: Battle) -> int:
    """Return the lowest price that any figure can have."""
    numbers = battle.book.counts
    disloyal_router: int = battle.book.settings.command_disloyal_router_cost
    return min(numbers["loyal_cost"], numbers["disloyal_cost"], numbers["router_cost"], disloyal_router)


def command_cost(battle: Battle, unit: Unit, links: list[Unit]) -> dict[str, int] | None:
    """Return the points that commanding a whole group costs each paying leader, or None if it cannot be commanded
    (RSK-059, RSK-062).

    `links` are the linked leaders, the Player Character first. In a shared pool the Player Character pays everything
    (RSK-061). With `command.pool` set to per_leader, each leader pays for figures within that leader's own distance.
    The price depends on the loyalty to the leader who passes the order on or, by setting, to the officer (RSK-063).
    """
    settings, officer = battle.book.settings, links[0]
    is_shared = settings.command_pool == "shared"
    if is_shared:
        lowest_price = _least_price(battle)
        if lowest_price * unit.count > battle.pools[officer.spec.id]:
            return None
        for link in links:
            judge = officer if settings.command_loyalty_via == "officer" else link
            figures_reached = in_command_range(battle, link, unit.body)
            if False not in figures_reached and figure_price(battle, unit, judge) == lowest_price:
                return {officer.spec.id: lowest_price * unit.count}
    costs = {
        link.spec.id: figure_price(battle, unit, officer if settings.command_loyalty_via == "officer" else link)
        for link in links
    }
    body = unit.body
    if is_shared:
        points = battle.pools[officer.spec.id]
        lowest_cost = min(costs.values())
        if lowest_cost * unit.count > points:
            return None
        total = 0
        for reached_by_link in zip(*[in_command_range(battle, link, body) for link in links], strict=True):
            possible_costs = [
                cost for cost, is_reached in zip(costs.values(), reached_by_link, strict=True) if is_reached
            ]
            if not possible_costs:
                return None
            total += min(possible_costs)
        return {officer.spec.id: total} if total <= points else None
    purses = {link.spec.id: battle.pools[link.spec.id] for link in links}
    links_by_figure = [
        [link.spec.id for link in links if reaches(battle, link, body, index)] for index in range(unit.count)
    ]
    return _share_out_cost(links_by_figure, purses, costs)


def _share_out_cost(
    links_by_figure: list[list[str]], purses: dict[str, int], costs: dict[str, int]
) -> dict[str, int] | None:
    """Return the points that each leader pays for the figures of a group, or None if they cannot pay for all (RSK-061).

    `links_by_figure` lists for each figure the leaders who reach it; `costs` is the price of one figure for each
    leader. A leader whose points are spent may hand a figure over to another leader.
    """
    payers: dict[int, str] = {}

    def is_paid(figure: int, tried: set[str]) -> bool:
        for name in sorted(links_by_figure[figure], key=costs.__getitem__):
            if name in tried:
                continue
            tried.add(name)
            if purses[name] >= costs[name]:
                purses[name] -= costs[name]
            else:
                figures_of_payer = [other for other, payer in payers.items() if payer == name]
                if not any(is_paid(other, tried) for other in figures_of_payer):
                    continue
            payers[figure] = name
            return True
        return False

    if not all(is_paid(figure, set()) for figure in range(len(links_by_figure))):
        return None
    return {
        name: costs[name] * sum(payer == name for payer in payers.values()) for name in dict.fromkeys(payers.values())
    }


@procedure("command.points")
def roll_command_points(table: Table, battle: Battle, leader: Unit) -> int:
    """Throw the command dice of a leader: 4, 3 or 2 D6 by class, one fewer if busy (RSK-050 to RSK-053).

    The dice of an NCO depend on the NCO's class, not the officer's.
    """
    is_busy = "busy" in leader.marks or bool(battle.enemies_in_contact(leader))
    dice, points = roll_points_of_class(table, battle.book, leader.spec.troop_class, is_busy, leader.spec.id)
    command_distances(battle, leader, seen=table.tallies)
    table.emit("command points", "RSK-050", unit=leader.spec.id, dice=dice, points=points)
    return points


def roll_points_of_class(table: Table, book: RskBook, troop_class: str, is_busy: bool, actor: str) -> tuple[int, int]:
    """Return the number of dice that a leader of a class throws, and their sum."""
    situation = CommandFacts(book.classes[troop_class].command_dice, is_busy, troop_class)
    dice = table.tally("command_dice", situation, actor).total
    return dice, table.roll(dice, 6, why="command points", rule="RSK-050", actor=actor, means=_POINTS)


def _link(table: Table, battle: Battle, pc: Unit, leader: Unit, through: Unit) -> None:
    """Activate a leader down the chain, throw his dice, and add the points to the pool (RSK-054, RSK-060, RSK-061)."""
    settings, is_shared = battle.book.settings, battle.book.settings.command_pool == "shared"
    payer = pc if is_shared else through
    battle.pools[payer.spec.id] -= link_price(battle, leader, through, pc)
    musicians = [
        name for name, commander in battle.linked.items() if commander == pc.spec.id and battle.unit(name).spec.musician
    ]
    leader.mark("linked")
    battle.linked[leader.spec.id] = pc.spec.id
    points = 0
    if leader.spec.musician:
        if not musicians:
            points = table.roll(1, 6, why="drum or bugle", rule="RSK-054", actor=leader.spec.id, means=_POINTS)
        if settings.command_musician == "class_dice":
            points += roll_command_points(table, battle, leader)
    else:
        points = roll_command_points(table, battle, leader)
    purse = pc.spec.id if is_shared else leader.spec.id
    battle.pools[purse] = battle.pools.get(purse, 0) + points
    table.emit(
        "linked", "RSK-060", unit=leader.spec.id, through=through.spec.id, points=points, pool=battle.pools[purse]
    )


def _declare_firing_leaders(table: Table, battle: Battle, pc: Unit) -> None:
    """Ask which leaders will load or fire themselves this turn, before any command dice (RSK-053).

    Only leaders with a muzzle-loader to load, or with an enemy within range after a move, are offered.
    """
    side = pc.spec.side
    enemies = battle.standing(battle.enemy(side))
    able = []
    for leader in battle.of(side):
        reach = longest_reach(battle, leader) if leader.spec.leader else 0
        if not reach or leader.marks & {"busy", "linked"}:
            continue
        loads = leader.spec.loading == "muzzle" and "loaded" not in leader.marks
        if loads or enemies.any_within(leader.body, reach + allowance(battle, leader, any(leader.hurt))):
            able.append(leader.spec.id)
    while able:
        chosen = table.choose(side, [_DONE, *able], why="will load or fire", rule="RSK-053", actor=pc.spec.id)
        if chosen == _DONE:
            return
        able.remove(chosen)
        battle.unit(chosen).mark("busy")


def purchases(battle: Battle, pc: Unit, links: list[Unit]) -> list[Option]:
    """Return the options that the pool can pay for: to link a leader, to command a group, or to stop (RSK-059,
    RSK-060).

    A non-combatant leader passes no orders on and is commanded like a group of one.
    """
    options: list[Option] = [STOP]
    for unit in battle.of(pc.spec.side):
        if not _MARKS_OF_ORDERS.isdisjoint(unit.marks) or unit is pc or unit.spec.id in battle.commanders:
            continue
        if unit.spec.leader and not unit.spec.non_combatant:
            if link_through(battle, unit, links) is not None:
                options.append((LINK, unit.spec.id))
        elif command_cost(battle, unit, links) is not None:
            options.append((COMMAND, unit.spec.id))
    return options


def _points_left(battle: Battle, pc: Unit) -> int:
    """Return the points left to a Player Character and all leaders linked to him, in one pool or in several
    (RSK-061).
    """
    return sum(battle.pools.get(name, 0) for name, commander in battle.linked.items() if commander == pc.spec.id)


@procedure("command.character")
def command(table: Table, battle: Battle, pc: Unit) -> None:
    """Throw the dice of one Player Character, link leaders and command groups (RSK-037).

    The Player Character needs no points for himself (RSK-019). Each of several Player Characters has a separate pool
    (RSK-070). Unspent points lapse at the end (RSK-065).
    """
    _declare_firing_leaders(table, battle, pc)
    roll_for_character(table, battle, pc)
    links = [pc]
    for _ in table.each(battle.of(pc.spec.side), links):  # at most one purchase for each other unit, then stop
        if not links:
            continue
        options = purchases(battle, pc, links)
        purchase = table.choose(
            pc.spec.side, options, why="command", rule="RSK-037", actor=pc.spec.id, about=(_points_left(battle, pc),)
        )
        if purchase == STOP:
            links.clear()
            continue
        assert isinstance(purchase, tuple), "all options but stopping name a unit"
        spend(table, battle, pc, purchase, links)
    battle.pools = dict.fromkeys(battle.pools, 0)


def roll_for_character(table: Table, battle: Battle, pc: Unit) -> None:
    """Throw the command dice of a Player Character, which open his pool (RSK-037)."""
    pc.mark("linked")
    battle.linked[pc.spec.id] = pc.spec.id
    battle.pools[pc.spec.id] = roll_command_points(table, battle, pc)


def spend(table: Table, battle: Battle, pc: Unit, purchase: tuple[Any, ...], links: list[Unit]) -> None:
    """Link a leader and append him to `links`, or command a group (RSK-059, RSK-060).

    `purchase` is LINK or COMMAND, and the id of the leader or group.
    """
    kind, unit_id = purchase
    unit = battle.unit(unit_id)
    if kind == LINK:
        through = link_through(battle, unit, links)
        assert through is not None, "only leaders who can be linked are offered"
        _link(table, battle, pc, unit, through)
        links.append(unit)
        return
    bill = command_cost(battle, unit, links)
    assert bill is not None, "only groups that can be commanded are offered"
    for payer, points in bill.items():
        battle.pools[payer] -= points
    unit.mark("commanded")
    table.emit("commanded", "RSK-059", unit=unit.spec.id, points=sum(bill.values()), left=_points_left(battle, pc))


def senior_leader(battle: Battle, side: str) -> Unit | None:
    """Return the highest-ranking unhurt leader of a side, who may succeed a lost Player Character (RSK-069)."""
    leaders = [u for u in battle.of(side) if u.spec.leader and not u.spec.non_combatant]
    able = [unit for unit in leaders if not any(unit.hurt) and not battle.is_commander(unit)]
    return min(able, key=lambda unit: unit.spec.order, default=None)


def replace_lost_commanders(table: Table, battle: Battle) -> None:
    """Handle the loss of a Player Character (RSK-069).

    That player commands no units any more. With `pc.successor` set to senior_leader, another leader takes over.
    """
    side = battle.side
    for name in [
        name for name, commanded_side in battle.commanders.items() if commanded_side == side and name in battle.gone
    ]:
        del battle.commanders[name]
        heir = senior_leader(battle, side)
        if heir is not None and battle.book.settings.pc_successor == "senior_leader":
            battle.commanders[heir.spec.id] = side
            table.emit("takes command", "RSK-069", unit=heir.spec.id)
        else:
            table.emit("nobody commands", "RSK-069", unit=name, side=side)
