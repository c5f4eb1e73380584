"""Morale: glory tests, rallying, and medics."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from zareba.base.exact import dist
from zareba.base.grammar import amount
from zareba.chance import AtLeast, Meaning, named, rows
from zareba.rules import procedure
from zareba.space.geometry import box_around, boxes_meet, boxes_near
from zareba.table import Table
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Casualty, end_figure_activation, spot_near
from zareba_rulesets.fixed_baynet.forces.formations import note_gaps
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit, UnitSpec

# --- Glory (FBN-140 to FBN-158), the morale of these rules: events that worsen it, tests, panic and recovery ----------


# The kinds of events, FBN-140 to FBN-145 in order.
BANNER, HALF, RIDDEN_AT, CHARGE, PINNED, FLANK = "banner", "half", "ridden at", "charge", "pinned", "flank"
EVENT_RULES = {
    BANNER: "FBN-140",
    HALF: "FBN-141",
    RIDDEN_AT: "FBN-142",
    CHARGE: "FBN-143",
    PINNED: "FBN-144",
    FLANK: "FBN-145",
}


def unit_glory(battle: Battle, unit: Unit) -> int:
    """Return the GL of a unit: the worst among its steady figures, 7 if none is steady (FBN-157)."""
    return max((figure.gl for figure in unit.figures.values() if not figure.reaction), default=battle.book.panics_at)


@procedure("glory.event")
def glory_event(table: Table, battle: Battle, unit: Unit, kind: str) -> None:
    """Worsen the GL of every steady figure by 1, once per kind of event and turn (FBN-146, FBN-158)."""
    settings = battle.book.settings
    if not unit.figures or (settings.same_event_per_turn == 1 and kind in unit.events):
        return
    unit = battle.change(unit)
    unit.events = (*unit.events, kind)
    unit.mark("due")
    steady = unit.steady
    if steady:
        table.emit("glory event", EVENT_RULES[kind], unit=unit.spec.id, event=kind)
    worse, most = battle.book.file.glory.event, battle.book.panics_at
    for figure in steady:
        figure.gl = figure.gl + worse if settings.glory_cap == "none" else min(most, figure.gl + worse)  # FBN-151
    if settings.panic_timing == "immediate":
        _panic_if_due(table, battle, unit)


def _panic_if_due(table: Table, battle: Battle, unit: Unit) -> None:
    """Make the steady figures of a unit panic whose GL has reached 7 (FBN-151, FBN-152)."""
    limit = battle.book.panics_at
    for figure in [figure for figure in unit.steady if figure.gl >= limit]:
        start_panic(table, battle, unit, figure)


@procedure("panic.reaction")
def start_panic(table: Table, battle: Battle, unit: Unit, figure: Figure) -> None:
    """Roll a D6 on Table 15-A by quality. A man who goes prone does so at once (FBN-163, FBN-168)."""
    reactions = battle.book.file.panic[figure.spec.column].reactions  # type: ignore[index]  # the three keys of the model
    again = battle.book.settings.panic_row_reads == "reroll"
    means = rows({score: reaction.replace("_", " ") for score, reaction in enumerate(reactions, 1)}, by="his quality")
    while True:
        score = table.roll(1, len(reactions), why="panic", rule="FBN-163", actor=figure.spec.id, means=means)
        if not (again and reactions[score - 1] == "freeze"):
            break
    figure.reaction, figure.since = reactions[score - 1], battle.turn
    figure.post = figure.post if figure.reaction in ("freeze", "prone", "take_cover") else ""
    if figure.reaction == "prone":
        lie_down(battle, figure)
    table.emit("panic", "FBN-152", unit=unit.spec.id, figure=figure.spec.id, reaction=figure.reaction)


def lie_down(battle: Battle, figure: Figure) -> None:
    """Make a figure lie down now. A rider falls off (FBN-129, FBN-168)."""
    if figure.mounted:
        figure.leave_horse()
    figure.mark("prone")
    figure.unmark("shown")
    figure.dropped = battle.turn


def rise_to_attack(figure: Figure) -> None:
    """End lying prone when a figure fires, strikes or answers (FBN-054).

    One that must stay prone is a target until its next activation (FBN-133, FBN-168).
    """
    if "prone" in figure.marks:
        if "leg_heavy" in figure.locations or figure.reaction == "prone":
            figure.mark("shown")
        else:
            figure.unmark("prone", "shown")


def check_half(table: Table, battle: Battle, unit: Unit) -> None:
    """Raise the event if at most half of the starting figures are in play (FBN-141); not for units of one."""
    if unit.start < 2 or not unit.figures or len(unit.figures) > battle.book.file.half_strength.part * unit.start:
        return
    if battle.book.settings.half_strength_trigger == "once":
        if "half" in unit.marks:
            return
        unit.mark("half")
    elif "half turn" in unit.marks:
        return
    else:
        unit.mark("half turn")
    glory_event(table, battle, unit, HALF)


@procedure("glory.test")
def test_glory(table: Table, battle: Battle, unit: Unit) -> None:
    """Roll one die for the unit against each steady figure's GL (FBN-147, FBN-148, FBN-149, FBN-150)."""
    steady = unit.steady
    if "due" not in unit.marks or not steady:
        return
    unit.unmark("due")
    open_end = battle.book.settings.glory_floor == "none"
    eligible = [figure for figure in steady if open_end or figure.gl > figure.spec.gl]
    die, better = _roll_one_die(table, battle, unit, eligible, "test", "glory", "FBN-148")
    unit.mark("tested")
    table.emit("glory test", "FBN-148", unit=unit.spec.id, die=die, better=better, gl=unit_glory(battle, unit))


def _roll_one_die(
    table: Table, battle: Battle, unit: Unit, men: Sequence[Figure], of: str, why: str, rule: str
) -> tuple[int, int]:
    """Roll one die for some men of a unit and improve the GL of those who reach it. Return the score and their
    number.
    """
    needed = [_score_needed(table, battle, figure, of) for figure in men]
    faces, means = battle.book.file.glory.die, _count_improved(needed)
    die = table.roll(1, faces, why=why, rule=rule, actor=unit.spec.id, means=means)
    better = [figure for figure, need in zip(men, needed, strict=True) if die >= need]
    for figure in better:
        figure.gl -= 1
    return die, len(better)


def _score_needed(table: Table, battle: Battle, figure: Figure, of: str, printed: int | None = None) -> int:
    """Return the score a man needs on a nerve roll: his GL, or `printed` if given, with house rules applied.

    `of` is the kind of roll: "test", "check" or "recovery" (FBN-148, FBN-036, FBN-154).
    """
    unchanged = figure.gl if printed is None else printed
    need: int = battle.book.rules.number("glory", unchanged, battle, figure, table=table, of=of)
    return need


def _count_improved(needed: Sequence[int]) -> Meaning:
    """Return the meaning of one die rolled for several men: how many of them each score is enough for."""
    levels = sorted(needed)
    if not levels:
        return rows({0: "no man's glory can improve"})
    everyone = amount(len(levels), "man", "men")
    found = {level: f"glory improves for {bisect_right(levels, level)} of {everyone}" for level in levels}
    return rows({0: "glory improves for no man", **found}, by="each man's own glory")


def may_check(battle: Battle, unit: Unit) -> bool:
    """Return True if a voluntary check is possible (FBN-036): GL above printed and below 7, and every man able to
    pay.
    """
    if not battle.book.settings.voluntary_glory_check or "checked" in unit.marks:
        return False
    worse, limit = False, battle.book.panics_at
    for figure in unit.figures.values():
        if figure.reaction:
            continue
        if figure.gl >= limit or (figure.ac < 1 and "stunned" not in figure.marks) or "crossed" in figure.marks:
            return False
        worse = worse or figure.gl > figure.spec.gl
    return worse


@procedure("glory.voluntary")
def voluntary_check(table: Table, battle: Battle, unit: Unit) -> None:
    """Make a voluntary glory check (FBN-036): 1 AC from each man. Success lowers GL, failure changes nothing."""
    unit.mark("checked")
    for figure in unit.steady:
        if figure.able:
            figure.ac -= 1
    eligible = [figure for figure in unit.steady if figure.gl > figure.spec.gl]
    die, better = _roll_one_die(table, battle, unit, eligible, "check", "voluntary glory check", "FBN-036")
    table.emit("glory test", "FBN-036", unit=unit.spec.id, die=die, better=better, gl=unit_glory(battle, unit))


@procedure("panic.recovery")
def roll_recovery(table: Table, battle: Battle, unit: Unit, figure: Figure) -> None:
    """Roll for a man's recovery: every turn for leaders, else every other (FBN-154, FBN-155, FBN-156).

    Until he succeeds he keeps his reaction (FBN-153).
    """
    glory, waited = battle.book.file.glory, battle.turn - figure.since
    if waited < 1 or (not figure.spec.leads and (waited - 1) % glory.wait):
        return
    printed = figure.spec.gl if battle.book.settings.panic_check_target == "base" else glory.natural
    need = _score_needed(table, battle, figure, "recovery", printed)
    read, means = AtLeast(need), named("he stays in panic", "he recovers")
    if table.roll(1, glory.die, read, why="recovery", rule="FBN-154", actor=figure.spec.id, means=means):
        _end_panic(battle, unit, figure, battle.book.panics_at - 1)
        table.emit("recovered", "FBN-154", unit=unit.spec.id, figure=figure.spec.id)


def _end_panic(battle: Battle, unit: Unit, figure: Figure, glory: int) -> None:
    """End a man's panic and set his GL. He belongs to his unit's formation again (FBN-064)."""
    figure.reaction, figure.since, figure.gl = "", 0, glory
    note_gaps(battle, unit)


def hearten(battle: Battle, unit: Unit, figure: Figure) -> bool:
    """Improve a man's GL by 2, to no better than printed; below 7 his panic ends (FBN-159, FBN-160, FBN-161).

    Return False if nothing changed.
    """
    better = max(figure.spec.gl, figure.gl - battle.book.file.glory.hearten)
    if better >= figure.gl:
        return False
    if figure.reaction and better < battle.book.panics_at:
        _end_panic(battle, unit, figure, better)
    else:
        figure.gl = better
    return True


def glory_phase(table: Table, battle: Battle) -> None:
    """Make the tests of all units in the order of play, then the recovery rolls (FBN-012, FBN-147)."""
    settings = battle.book.settings
    order = {side: index for index, side in enumerate(battle.order)}
    units = sorted(battle.on_table(), key=lambda unit: order[unit.spec.side])
    for unit in units:
        unit = battle.change(unit)
        if settings.half_strength_trigger == "each_turn":
            check_half(table, battle, unit)
        if settings.panic_timing == "glory_phase":
            _panic_if_due(table, battle, unit)
        if settings.glory_test_timing == "end_phase":
            test_glory(table, battle, unit)
            unit.unmark("due")
        unit.events = ()
    for unit in units:
        unit = battle.change(unit)
        for figure in unit.figures.values():
            if figure.reaction:
                roll_recovery(table, battle, unit, figure)


# --- Medics (FBN-137, FBN-138): their patients and how they heal ------------------------------------------------------


_MARKER_RADIUS = 0.5  # inches; a medic touches the marker where a man fell


def patients(battle: Battle, figure: Figure) -> list[tuple[str, str]]:
    """Return the patients a medic can heal, as ("fallen", id) or ("wounded", id) (FBN-137).

    He must not have fired in this activation, and heals once in it.
    """
    if figure.spec.role != "medic" or figure.ac < 1 or not figure.able or figure.marks & {"fired", "healed", "served"}:
        return []
    reach = battle.radius(figure) + _MARKER_RADIUS + battle.book.contact
    patients = [
        ("fallen", casualty.figure)
        for casualty in battle.fallen
        if casualty.curable
        and battle.specs[casualty.figure].side == figure.spec.side
        and "away" not in battle.units[casualty.unit].marks  # a man cannot return to a unit that has left the table
        and _touches(battle, figure, casualty, reach)
    ]
    for unit in battle.on_table(figure.spec.side):
        for other in unit.figures.values():
            reach = battle.radius(figure) + battle.radius(other) + battle.book.contact
            if other.locations and other is not figure and _touches(battle, figure, other, reach):
                patients.append(("wounded", other.spec.id))
    return patients


def _touches(battle: Battle, figure: Figure, patient: Figure | Casualty, reach: float) -> bool:
    """Return True if a medic touches a patient.

    In one section he reaches everyone; through a wall he reaches no one (FBN-275).
    """
    if figure.place != patient.place:
        return False
    return battle.field.is_sectioned(figure.place) or dist(patient.at, figure.at) <= reach


def _succeeds(table: Table, battle: Battle, figure: Figure) -> bool:
    """Pay 1 AC and return True if the medic succeeds.

    He may not fire in this activation, and rolls a die only by setting.
    """
    figure.ac -= 1
    figure.mark("healed")
    if battle.book.settings.medic_heals == "automatic":
        return True
    medic = battle.book.file.medic
    read, means = AtLeast(medic.lowest), named("he stays down", "he is healed")
    return table.roll(1, medic.die, read, why="heal", rule="FBN-137", actor=figure.spec.id, means=means) > 0


@procedure("medic.heal")
def heal(table: Table, battle: Battle, figure: Figure, fallen: str) -> bool:
    """Heal a fallen soldier: he returns where he fell with 1 wound and his unit's GL, already activated (FBN-137).

    Return False if the medic's roll fails.
    """
    if not _succeeds(table, battle, figure):
        return False
    casualty: Casualty = next(other for other in battle.fallen if other.figure == fallen)
    unit = battle.units.change(casualty.unit)
    battle.fallen = tuple(other for other in battle.fallen if other is not casualty)
    spec = battle.specs[fallen]
    glory = max((comrade.gl for comrade in unit.figures.values() if not comrade.reaction), default=spec.gl)
    man = Figure(0.0, 0.0, 0.0, figure.facing, glory, spec.weapon, mounted=False, place=casualty.place, spec=spec)
    spot = casualty.at if casualty.place else spot_near(battle, casualty.x, casualty.y, battle.radius(man))
    battle.put(man, *spot)
    man.spent = spec.ac  # he counts as activated this turn, even if his unit is not
    unit.figures[fallen] = man
    note_gaps(battle, unit)
    battle.gone.pop(unit.spec.id, None)
    unit.measure()
    table.emit("healed", "FBN-137", unit=unit.spec.id, figure=fallen)
    return True


@procedure("medic.heal_location")
def heal_location(table: Table, battle: Battle, unit: Unit, figure: Figure, patient: Figure) -> bool:
    """Remove one wound effect from a hero, chosen by the healer's owner (FBN-137).

    Return False if the medic's roll fails.
    """
    options = sorted(patient.locations)
    effect = table.choose(unit.spec.side, options, why="heal which wound", rule="FBN-137", actor=figure.spec.id)
    if not _succeeds(table, battle, figure):
        return False
    patient.locations = patient.locations - {effect}
    if effect == "head_light":
        patient.unmark("stunned")
    table.emit("healed", "FBN-137", unit=unit.spec.id, figure=patient.spec.id)
    return True


# --- Officers and deeds (FBN-159 to FBN-162): rallying, falling back and heroic deeds ---------------------------------


def may_rally(battle: Battle, figure: Figure) -> bool:
    """Return True if a man may rally others: a steady officer or native hero, and by setting an NCO (FBN-159)."""
    if not figure.able or figure.ac < 1 or "served" in figure.marks:
        return False
    role = figure.spec.role
    return (
        role == "officer"
        or (role == "hero" and figure.spec.table == "native")
        or (role == "nco" and battle.book.settings.nco_may_rally)
    )


def _is_near(battle: Battle, a: Figure, b: Figure) -> bool:
    """Return True if two bases are within `nearby_inches` of each other (FBN-159)."""
    radii = battle.book.radii
    return dist(a.at, b.at) - radii[a.mounted] - radii[b.mounted] <= battle.book.near


def friends_near(battle: Battle, figure: Figure) -> list[Unit]:
    """Return the friendly units with a figure near a man (FBN-159)."""
    search_box = box_around(figure.at, battle.book.near + 2)
    return [
        unit
        for unit in battle.on_table(figure.spec.side)
        if boxes_meet(unit.box, search_box)
        and (figure.spec.id in unit.figures or any(_is_near(battle, figure, other) for other in unit.figures.values()))
    ]


def rally_targets(battle: Battle, figure: Figure, friends: Sequence[Unit] | None = None) -> list[Unit]:
    """Return the friendly units nearby that a rally would help (FBN-159), not ordered back this turn (FBN-160)."""
    return [
        unit
        for unit in (friends_near(battle, figure) if friends is None else friends)
        if "rallied" not in unit.marks
        and "ordered_back" not in unit.marks
        and any(man.gl > man.spec.gl and "steadied" not in man.marks for man in unit.figures.values())
    ]


def _emit_rally(table: Table, battle: Battle, unit: str, officer: Figure, helped: int, calmed: int) -> None:
    """Emit the event of a rally: how many men it helped, and how many are no longer in panic (FBN-159)."""
    better = battle.book.file.glory.hearten
    table.emit(
        "rally", "FBN-159", unit=unit, officer=officer.spec.id, helped=helped, calmed=calmed, better=better
    )  # fmt: skip


@procedure("rally.unit")
def rally_unit(table: Table, battle: Battle, figure: Figure, unit: Unit) -> int:
    """Rally a unit for 1 AC and without a roll: GL -2 for every figure, once a turn each (FBN-159).

    Return the number of figures helped.
    """
    figure.ac -= 1
    unit = battle.change(unit)
    unit.mark("rallied")
    broken = len(unit.figures) - len(unit.steady)
    helped = sum(_rally_man(battle, unit, man) for man in unit.figures.values())
    calmed = broken - (len(unit.figures) - len(unit.steady))
    _emit_rally(table, battle, unit.spec.id, figure, helped, calmed)
    return helped


def _rally_man(battle: Battle, unit: Unit, figure: Figure) -> bool:
    """Rally one man, once a turn, and return True if his GL improved (FBN-159)."""
    if "steadied" in figure.marks:
        return False
    figure.mark("steadied")
    return hearten(battle, unit, figure)


def panicking_near(battle: Battle, figure: Figure, friends: Sequence[Unit] | None = None) -> list[tuple[Unit, Figure]]:
    """Return the panicking men of any unit near an officer who have not been rallied this turn (FBN-159)."""
    return [
        (unit, other)
        for unit in (friends_near(battle, figure) if friends is None else friends)
        if "ordered_back" not in unit.marks
        for other in unit.figures.values()
        if other.reaction and "steadied" not in other.marks and other is not figure and _is_near(battle, figure, other)
    ]


@procedure("rally.gather")
def rally_nearby(table: Table, battle: Battle, figure: Figure, merge: bool) -> Unit | None:
    """Rally the panicking men near an officer, from any units (FBN-159).

    With `merge`, they become a new unit under him. He then leaves his own unit for the new one, which counts as
    activated.
    """
    figure.ac -= 1
    calmed = []
    for unit, man in panicking_near(battle, figure):
        man_unit = battle.change(unit)
        broken = man_unit.figures[man.spec.id]
        if _rally_man(battle, man_unit, broken) and not broken.reaction:
            calmed.append((man_unit, broken))
    _emit_rally(table, battle, "", figure, len(calmed), len(calmed))
    if not merge or len(calmed) < 2:
        return None
    own_unit = battle.unit_of(figure.spec.id)
    assert own_unit is not None, "only men in play give orders"
    members = [(battle.change(own_unit), figure), *calmed]
    number = sum(key.startswith("gathered:") for key in battle.units) + 1
    native = any(unit.spec.drilled or man.spec.table == "native" for unit, man in members)
    key = f"gathered:{figure.spec.side}:{number}{':native' if native else ''}"
    new_unit = Unit("open", 0, {}, [], frozenset({"activated"}), spec=gathered_spec(key))
    for unit, man in members:
        del unit.figures[man.spec.id]
        unit.measure()
        if not unit.figures:
            battle.gone[unit.spec.id] = "gathered"
        end_figure_activation(man)
        new_unit.figures[man.spec.id] = man
    new_unit.start = len(new_unit.figures)
    new_unit.mark("unformed")
    new_unit.measure()
    battle.units[key] = new_unit
    battle.left[key] = new_unit.start
    table.emit("gathered", "FBN-159", unit=key, officer=figure.spec.id)
    return new_unit


def gathered_spec(key: str) -> UnitSpec:
    """Return the spec of a unit of gathered men, from its id. With natives among them it cannot form square
    (FBN-060).
    """
    return UnitSpec(
        key, "Gathered men", key.split(":")[1], "squad", "", "native" if key.endswith(":native") else "european"
    )


def units_to_order_back(battle: Battle, figure: Figure, friends: Sequence[Unit] | None = None) -> list[Unit]:
    """Return the friendly units near an officer that he may order to fall back, including his own (FBN-160)."""
    return [
        unit
        for unit in (friends_near(battle, figure) if friends is None else friends)
        if "ordered_back" not in unit.marks and "rallied" not in unit.marks and not unit.back and unit.steady
        if len(unit.figures) > 1 or figure.spec.id not in unit.figures
    ]


@procedure("rally.fall_back")
def order_back(table: Table, battle: Battle, figure: Figure, unit: Unit) -> None:
    """Order a unit to fall back for 1 AC (FBN-160): GL -2 at once.

    In its next activation it moves away and neither charges nor strikes.
    """
    figure.ac -= 1
    unit = battle.change(unit)
    unit.mark("ordered_back")
    if unit.spec.id == battle.active:
        unit.mark("back next")  # the order applies to its next activation, not to this one
    else:
        unit.back = True
    for other in unit.figures.values():
        if "steadied" not in other.marks:
            hearten(battle, unit, other)
    table.emit("fall back", "FBN-160", unit=unit.spec.id, officer=figure.spec.id)


@procedure("rally.deed")
def reward_deed(table: Table, battle: Battle, unit: Unit) -> None:
    """Hearten friendly units nearby at the end of an activation in which the unit did something heroic (FBN-161).

    Heroic is: it took a leader, a bearer or a gun, or inflicted at least two losses more than it suffered hand to
    hand.
    """
    surplus, better = battle.book.file.heroic.surplus, battle.book.file.glory.hearten
    is_heroic = "deed" in unit.marks or unit.dealt - unit.lost >= surplus
    if not is_heroic or not battle.book.settings.heroic_deeds or not unit.figures:
        return
    men = list(unit.figures.values())
    helped = []
    for friend in battle.on_table(unit.spec.side):
        reach = battle.book.near + 2  # nearby, and two bases
        if friend is unit or "heartened" in friend.marks or not boxes_near(unit.box, friend.box, reach):
            continue
        if any(_is_near(battle, man, figure) for man in men for figure in friend.figures.values()):
            friend = battle.change(friend)
            friend.mark("heartened")
            if [figure for figure in friend.figures.values() if hearten(battle, friend, figure)]:
                helped.append(friend.spec.id)
    if helped:
        why = "gun" if "took a gun" in unit.marks else "leader" if "deed" in unit.marks else "blows"
        table.emit("deed", "FBN-161", unit=unit.spec.id, helped=tuple(helped), why=why, surplus=surplus, better=better)
