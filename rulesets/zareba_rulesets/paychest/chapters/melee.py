"""Melee, wounds and the loss of leaders."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from zareba.base.state import facts
from zareba.chance import EACH, SumBands, at_least, counts, lot, named, numbered
from zareba.rules import procedure
from zareba.space import Point
from zareba.table import Option, Table
from zareba_rulesets.paychest.chapters.marching import drop, drop_all, put_down, relieve_bearers, set_beside
from zareba_rulesets.paychest.chapters.morale import carry_out, second_roll
from zareba_rulesets.paychest.chapters.mounts import fall_from_saddle
from zareba_rulesets.paychest.chapters.sight import enemies_touched, figures_in_contact, foes_near
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.load_bearers import is_heavy
from zareba_rulesets.paychest.forces.things import Thing
from zareba_rulesets.paychest.forces.unit_goals import UnitGoals
from zareba_rulesets.paychest.forces.units import Figure, Unit

# --- The casualty deck and what its cards do to a figure (PAY-115 to PAY-127, PAY-216) --------------------------------


_NO_WOUND = frozenset({"killed", "unconscious", "graze"})


def draw_casualty_card(table: Table, battle: Battle, actor: str) -> str:
    """Draw a card and discard it.

    With `casualty_reshuffle` every_card the discards go back into the pile at once (PAY-117).
    """
    deck = battle.casualties
    card = deck.draw(table, why="casualty card", rule="PAY-115", actor=actor, means=lot("what the next hit does"))
    assert card is not None, "the discards are shuffled into an empty casualty deck"
    deck.discard(card)
    if battle.book.settings.casualty_reshuffle == "every_card":
        shuffle_casualties(battle)
    return card


def shuffle_casualties(battle: Battle) -> None:
    """Put all 52 cards back into the pile (PAY-117)."""
    battle.casualties.pile, battle.casualties.discards = battle.book.full_deck(), {}


@procedure("casualties.strike")
def strike(
    table: Table, battle: Battle, figure: Figure, exposed: frozenset[str] | None, cause: str, fallen: list[str]
) -> bool:
    """Apply one hit to a figure: draw a card and carry out its effect. Return True if the hit counts.

    The card is void if its location is not in `exposed` (PAY-187); None means every location is exposed. Hits for
    morale are counted only here (PAY-127). The figure is added to `fallen` if the hit puts it out of action or
    leaves it unable to walk.
    """
    card = draw_casualty_card(table, battle, figure.spec.id)
    entry = battle.book.cards[card]
    if exposed is not None and entry.location not in exposed:
        table.emit("void card", "PAY-187", figure=figure.spec.id, unit=figure.spec.unit, card=card)
        return False
    unit = battle.change(figure.spec.unit)
    figure = unit.figures[figure.spec.id]
    if entry.result != "graze" or battle.book.settings.morale_counts == "hits":
        unit.hits += 1
    table.emit("casualty", entry.rule, figure=figure.spec.id, unit=figure.spec.unit, card=card)
    apply_card(table, battle, figure, entry.result, cause, fallen)
    return True


def apply_card(table: Table, battle: Battle, figure: Figure, result: str, cause: str, casualties: list[str]) -> None:
    """Apply the effect of a card (PAY-116). A figure that is already out of action can only be killed (PAY-124)."""
    if figure.fate == "dead":
        return
    if result == "killed":
        remove_from_fight(table, battle, figure, "dead", cause, casualties)
        return
    if figure.fate != "able":
        return
    if result == "unconscious":
        remove_from_fight(table, battle, figure, "unconscious", cause, casualties)
        return
    if result in _NO_WOUND:
        return
    figure.wounds = (*figure.wounds, result)
    legs = battle.book.file.leg_wounds_that_lame.wounds
    lame = result == "crippled_leg" or figure.wounds.count("leg_wound") >= legs
    if lame and "lame" not in figure.marks:
        figure.mark("lame")
        battle.unit_of(figure).measure()
        for load in figure.loads:
            if is_heavy(battle, load) or battle.things[load].kind == "mount":
                drop(table, battle, figure, load)
        casualties.append(figure.spec.id)
    if figure.armless:
        drop_all(table, battle, figure)
    collapse = battle.book.settings.collapse_at_wounds  # PAY-119
    if collapse and len(figure.wounds) >= collapse:
        remove_from_fight(table, battle, figure, "unconscious", cause, casualties)


def remove_from_fight(
    table: Table, battle: Battle, figure: Figure, new_fate: str, cause: str, casualties: list[str]
) -> None:
    """Put a figure out of action where it is. It loses its loads, mount and seat (PAY-078, PAY-216).

    A figure is counted as a loss only once. If it was already unconscious, only its death is reported (PAY-124).
    """
    was_able = figure.fate == "able"
    figure.fate = new_fate
    battle.unit_of(figure).measure()
    if was_able:
        drop_all(table, battle, figure)
        fall_from_saddle(battle, figure)
        if figure.aboard:
            engine = battle.engines.change(figure.aboard)
            engine.aboard = tuple(name for name in engine.aboard if name != figure.spec.id)
            figure.aboard = ""
        unit = battle.unit_of(figure)
        unit.measure()
        casualties.append(figure.spec.id)
        table.emit(
            "loss", "PAY-116", unit=figure.spec.unit, side=unit.spec.side, figure=figure.spec.id, lost=1,
            cause=cause, fate=new_fate,
        )  # fmt: skip
    else:
        table.emit("died", "PAY-124", unit=figure.spec.unit, figure=figure.spec.id)


def come_round(table: Table, battle: Battle, unit_id: str) -> None:
    """Roll a die for each unconscious figure of the unit with `unconscious_recovery` six; on a 6 it wakes (PAY-124)."""
    if battle.book.settings.unconscious_recovery != "six":
        return
    unit = battle.change(unit_id)
    for key, figure in unit.figures.items():
        if figure.fate != "unconscious" or figure.at is None:
            continue
        lowest_roll = battle.book.file.recovery.least
        means = at_least(lowest_roll, "he comes round", "he lies as he is")
        if table.roll(1, 6, why="come round", rule="PAY-124", actor=key, means=means) >= lowest_roll:
            figure.fate = "able"
            figure.mark("recovered")
            table.emit("came round", "PAY-124", figure=key, unit=unit_id)
            put_down(table, battle, figure)
            set_beside(battle, figure)


def remove_fallen_irregulars(battle: Battle) -> None:
    """Remove irregulars that are out of action from the table; their firearms stay (PAY-125, PAY-216).

    Other weapons are not kept, since they have no effect (PAY-027). Unconscious figures stay if the setting lets them
    wake.
    """
    if not battle.book.settings.remove_irregular_casualties:
        return
    wakes = battle.book.settings.unconscious_recovery == "six"
    removed_fates = ("dead",) if wakes else ("dead", "unconscious")
    fallen = [
        figure.spec.id
        for unit in battle.units.values()
        for figure in unit.standing.fallen
        if figure.fate in removed_fates and figure.spec.kind != "regular"
    ]
    for key in fallen:
        figure = battle.change_figure(key)
        for weapon in figure.weapons:
            if weapon in battle.book.bands:
                battle.add_thing(f"{weapon} of {key}", Thing("weapon", weapon, "", figure.at))
        relieve_bearers(battle, figure)
        figure.weapons = ()
        figure.at = None
        battle.unit_of(figure).measure()


# --- Loss of a leader, succession and acting corporals (PAY-034 to PAY-045, PAY-128 to PAY-135) -----------------------


NOBODY, _NO_ORDER = "nobody", "no more orders"


def best_leader(battle: Battle, figures: Sequence[Figure]) -> str:
    """Return the highest-ranking able leader figure that can walk, or "" (PAY-034, PAY-035, PAY-040).

    Equal ranks go by roster order. A horse does not help: a leader who cannot walk is lost as a leader even in the
    saddle.
    """
    order = battle.book.rank_order
    fit = [figure for figure in figures if battle.is_leader(figure) and not _leads_no_more(figure)]
    best = min(fit, key=lambda figure: order[figure.rank], default=None)
    return best.spec.id if best is not None else ""


def _leads_no_more(figure: Figure) -> bool:
    """Return True if the figure is killed, unconscious, gone or unable to walk (PAY-036, PAY-128)."""
    return figure.fate != "able" or figure.at is None or "lame" in figure.marks


def leaders_lost(table: Table, battle: Battle, casualties: Sequence[str]) -> None:
    """Handle leaders lost in one volley, burst, shell or melee: one roll per unit (PAY-134), then succession.

    With `leader_loss_scope` current only the figure leading the unit counts; with any, every leader figure does. Each
    leader is lost only once (PAY-132).
    """
    due: dict[str, list[str]] = {}
    for name in dict.fromkeys(casualties):
        figure = battle.figure(name)
        unit = battle.unit_of(figure)
        leads = name == unit.leader
        if battle.book.settings.leader_loss_scope == "any":
            leads = leads or battle.is_leader(figure)
        if leads and name not in unit.lost:
            unit = battle.change(unit.spec.id)
            unit.lost = (*unit.lost, name)
            due.setdefault(unit.spec.id, []).append(name)
    for unit_id, names in due.items():
        unit = battle.change(unit_id)
        for name in names:
            table.emit("leader lost", "PAY-128", unit=unit_id, figure=name)
        if not (unit.spec.single or unit.rout or unit.box[2] < 0):
            loss_of_leader(table, battle, unit)
    if due or casualties:
        succession(table, battle)


@procedure("leaders.loss")
def loss_of_leader(table: Table, battle: Battle, unit: Unit) -> bool:
    """Roll 2d6 and return True if the unit passes on 7 or more (PAY-128).

    Irregulars that fail rout off the table (PAY-130). For regulars a setting decides (PAY-129).
    """
    file = battle.book.file
    rule = file.leader_loss
    actor = unit.spec.id
    passes = SumBands((rule.passes_at,))
    means = named("shaken", "steady")
    passed = bool(table.roll(rule.dice, 6, passes, why="loss of leader", rule="PAY-128", actor=actor, means=means))
    table.emit("steady" if passed else "shaken", "PAY-128", unit=actor)
    if passed:
        return True
    if unit.spec.kind == "irregular":
        carry_out(table, battle, unit, file.leader_loss_irregular.result)
    elif battle.book.settings.leader_loss_regulars == "second_table":
        second_roll(table, battle, unit)
    elif battle.book.settings.leader_loss_regulars == "fall_back":
        carry_out(table, battle, unit, file.leader_loss_fall_back.result)
    else:
        unit.mark("inactive")
    return False


def succession(table: Table, battle: Battle) -> None:
    """Replace the lost leaders of units and the lost commanders of sides (PAY-034, PAY-040, PAY-133)."""
    for unit_id, unit in battle.units.items():
        if unit.leader and unit_id not in battle.arrivals and _leads_no_more(unit.figures[unit.leader]):
            leader = best_leader(battle, list(unit.figures.values()))
            battle.change(unit_id).leader = leader
    for side, commander in list(battle.commanders.items()):
        if commander and (
            commander.rpartition(".")[0] in battle.arrivals or not _leads_no_more(battle.figure(commander))
        ):
            continue
        figures = [figure for unit in battle.side_units(side) for figure in unit.able]
        successor = best_leader(battle, figures)
        if successor != commander:
            battle.commanders[side] = successor
            if successor:
                table.emit("takes command", "PAY-034", figure=successor, side=side, unit=successor.rpartition(".")[0])


def candidates(battle: Battle, unit: Unit) -> list[str]:
    """Return the candidates for acting corporal: the bravest, or all if the owner chooses (PAY-039)."""
    fit = [figure for figure in unit.able if not _leads_no_more(figure)]
    if not fit or battle.book.settings.acting_corporal_choice == "owner":
        return [figure.spec.id for figure in fit]
    best_skill = max(figure.brave for figure in fit)
    return [figure.spec.id for figure in fit if figure.brave == best_skill]


def promote(table: Table, battle: Battle, unit: Unit) -> None:
    """Let the player promote an acting leader in a unit without an able walking leader (PAY-037 to PAY-045).

    A leader figure in the unit takes over first (PAY-040). Routing units (PAY-041) and units of one figure promote no
    one.
    """
    if unit.leader and not _leads_no_more(unit.figures[unit.leader]):
        return
    unit.leader = best_leader(battle, list(unit.figures.values()))
    if unit.leader or unit.spec.single:
        return
    men = candidates(battle, unit)
    if not men:
        return
    actor = unit.spec.id
    chosen = table.choose(unit.spec.side, [*men, NOBODY], why="acting corporal", rule="PAY-037", actor=actor)
    if chosen == NOBODY:
        return
    rank = "acting_corporal" if unit.spec.kind == "regular" else "acting_leader"  # PAY-042, PAY-045
    unit.figures[chosen].rank = rank
    unit.leader = chosen
    table.emit("promoted", "PAY-038", figure=chosen, unit=actor, rank=rank)
    succession(table, battle)


def give_orders(table: Table, battle: Battle, side: str) -> None:
    """Ask the commander for the orders of the turn: a unit and the point it should make for (PAY-033).

    Orders are recorded and reported. Nothing enforces them, but AI players make for the ordered point.
    """
    commander = battle.commanders.get(side)
    if not commander:
        return
    units: list[Option] = [unit.spec.id for unit in battle.side_units(side)]
    while units:
        chosen = table.choose(side, [_NO_ORDER, *units], why="order for", rule="PAY-033", actor=commander)
        if chosen == _NO_ORDER:
            return
        units.remove(chosen)
        unit = battle.unit(str(chosen))
        here = unit.standing.middle
        calls = UnitGoals(battle, unit)
        foe = calls.enemy.at if calls.enemy is not None else None
        points = [point for point in (calls.objective, foe, here) if point]

        def legal(point: Point) -> str | None:
            return None if battle.field.table.is_on_table(point) else "that point is off the table"

        at = table.place(side, points, legal, why="order to", rule="PAY-033", actor=unit.spec.id)
        battle.orders[unit.spec.id] = at
        table.emit("order", "PAY-033", unit=unit.spec.id, to=[round(x, 2) for x in at])


def note_deed(table: Table, battle: Battle, side: str) -> None:
    """Let the commander record one brave deed per turn (PAY-044): first the unit, then the figure."""
    if not battle.commanders.get(side):
        return
    commander = battle.commanders[side]
    units = [unit.spec.id for unit in battle.side_units(side)]
    chosen = table.choose(side, [NOBODY, *units], why="brave deed in", rule="PAY-044", actor=commander)
    if chosen == NOBODY:
        return
    men = [figure.spec.id for figure in battle.unit(chosen).able]
    man = table.choose(side, men, why="brave deed of", rule="PAY-044", actor=commander)
    battle.change_figure(man).brave += 1
    battle.deeds[side] = battle.turn
    table.emit("brave deed", "PAY-044", figures=[man], unit=chosen, deed="noted by the commander")


# --- Melee: a fight is resolved in `fight`; contacts, dice and hits (PAY-136 to PAY-147) ------------------------------


class Fight(NamedTuple):
    """One melee: one or two figures of the phasing side against one or two enemies, but never two against two."""

    ours: tuple[str, ...]
    theirs: tuple[str, ...]


@facts
class MeleeFacts:
    """The facts of one figure's melee die.

    `skill` is the roster skill; `back_turned` is 0 or the (negative) setting.
    """

    skill: int
    body_wounds: int = 0
    lame: bool = False
    smashed_arm: bool = False
    recovered: int = 0
    back_turned: int = 0
    unarmed: bool = False


def melee_facts(battle: Battle, figure: Figure) -> MeleeFacts:
    """Return the facts of a figure in its present state (PAY-143).

    A figure with one smashed arm still counts as armed (PAY-121). Mounted figures get no bonus (PAY-147).
    """
    wounds, marks = figure.wounds, figure.marks
    return MeleeFacts(
        skill=figure.spec.melee,
        body_wounds=wounds.count("body_wound"),
        lame="lame" in marks,
        smashed_arm="smashed_arm" in wounds,
        recovered=int("recovered" in marks),
        back_turned=battle.book.settings.back_turned_melee if "back turned" in marks else 0,
        unarmed=not figure.weapons,
    )


def can_strike(figure: Figure) -> bool:
    """Return True if the figure is able and has an arm to strike with (PAY-121, PAY-146)."""
    return figure.able and not figure.armless


def hits_of(skill: int, die: int) -> int:
    """Return the hits of a die (PAY-139).

    One if it equals the skill, one more for each point below; none for a skill under 1.
    """
    return max(0, skill - die + 1)


def contacts(battle: Battle, unit: Unit) -> dict[str, list[str]]:
    """Return the enemies that each able figure of the unit touches."""
    foes = foes_near(battle, unit)
    if not foes:
        return {}
    touching = figures_in_contact(battle, unit, foes)
    return {
        key: [foe.spec.id for foe in enemies_touched(battle, figure, foes)]
        for key, figure in unit.figures.items()
        if key in touching
    }


def pair_all(reach: dict[str, list[str]], max_against_one: int) -> dict[str, list[str]]:
    """Return the figures against each enemy.

    Each figure takes the enemy with the fewest opponents, at most `max_against_one` per enemy.
    """
    against: dict[str, list[str]] = {}
    for man, foes in sorted(reach.items(), key=lambda item: len(item[1])):
        foe = min(foes, key=lambda foe: len(against.get(foe, ())))
        if len(against.get(foe, ())) < max_against_one:
            against.setdefault(foe, []).append(man)
    return against


@procedure("melee.fight")
def fight(table: Table, battle: Battle, one: Fight) -> tuple[int, int]:
    """Resolve one fight: both sides roll, hits cancel, and the excess falls on the loser (PAY-138 to PAY-141).

    All figures stay in place afterwards (PAY-145). Return the hits of both sides before they cancel.
    """
    ours, theirs = clash(table, battle, one)
    losers, winners = (one.theirs, one.ours) if ours > theirs else (one.ours, one.theirs)
    excess = abs(ours - theirs)
    table.emit("melee", "PAY-055", ours=list(one.ours), theirs=list(one.theirs), hits=[ours, theirs])
    _note_deeds(table, battle, [key for key in (*one.ours, *one.theirs) if can_strike(battle.figure(key))])
    casualties: list[str] = []
    for victim in table.each(victims(table, battle, losers, winners, excess), casualties):
        strike(table, battle, battle.figure(victim), None, "melee", casualties)
    if casualties:
        leaders_lost(table, battle, casualties)
    return ours, theirs


def _note_deeds(table: Table, battle: Battle, strikers: Sequence[str]) -> None:
    """Record a brave deed for each figure that rolled a die (PAY-043, PAY-044)."""
    for key in strikers:
        battle.change_figure(key).brave += 1
    if strikers:
        unit = strikers[0].rpartition(".")[0]
        table.emit("brave deed", "PAY-044", figures=list(strikers), unit=unit, deed="fought hand to hand")


@procedure("melee.clash")
def clash(table: Table, battle: Battle, one: Fight) -> tuple[int, int]:
    """Roll for both sides and return their hits before they cancel (PAY-138, PAY-139)."""
    return _side_hits(table, battle, one.ours), _side_hits(table, battle, one.theirs)


def _side_hits(table: Table, battle: Battle, men: tuple[str, ...]) -> int:
    """Return the hits of one side: one die per figure, or one die against the better skill (PAY-138).

    Figures drop heavy loads first (PAY-074).
    """
    strikers = []
    for key in men:
        figure = battle.change_figure(key)
        for load in figure.loads:
            if is_heavy(battle, load):
                drop(table, battle, figure, load)  # PAY-074
        if can_strike(figure):
            strikers.append(figure)
    if not strikers:
        return 0
    skills = [table.tally("melee", melee_facts(battle, figure), figure).total for figure in strikers]
    if battle.book.settings.two_to_one_dice == "single":
        skills = [max(skills)]
    actor = strikers[0].spec.id
    means = counts(*[f"against a skill of {skill}" for skill in skills])
    dice = table.roll(len(skills), 6, EACH, why="melee", rule="PAY-138", actor=actor, means=means)
    return sum(hits_of(skill, die) for skill, die in zip(skills, dice, strict=True))


def victims(table: Table, battle: Battle, losers: tuple[str, ...], winners: tuple[str, ...], excess: int) -> list[str]:
    """Return the figure that takes each excess hit (PAY-144).

    Of two, either with equal chance, or the winner's choice.
    """
    if len(losers) == 1 or not excess:
        return [losers[0]] * excess
    if battle.book.settings.melee_excess_spread == "winner":
        side = battle.side_of(battle.figure(winners[0]))
        return [
            table.choose(side, list(losers), why="which man is hit", rule="PAY-144", actor=winners[0])
            for _ in range(excess)
        ]
    means = numbered("man struck", [battle.figure(key).spec.name for key in losers])
    faces = table.roll(excess, len(losers), EACH, why="which man is hit", rule="PAY-144", actor=winners[0], means=means)
    return [losers[face - 1] for face in faces]
