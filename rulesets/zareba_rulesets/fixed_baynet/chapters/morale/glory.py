"""Glory (FBN-140 to FBN-158), the morale of these rules: events that worsen it, tests, panic and recovery."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence

from zareba.base.grammar import amount
from zareba.chance import AtLeast, Meaning, named, rows
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import note_gaps
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

__all__ = [
    "BANNER",
    "CHARGE",
    "FLANK",
    "HALF",
    "PINNED",
    "RIDDEN_AT",
    "check_half",
    "glory_event",
    "glory_phase",
    "hearten",
    "rise_to_attack",
    "roll_recovery",
    "start_panic",
    "test_glory",
    "unit_glory",
    "voluntary_check",
]

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
        panic_if_due(table, battle, unit)


def panic_if_due(table: Table, battle: Battle, unit: Unit) -> None:
    """Make the steady figures of a unit panic whose GL has reached 7 (FBN-151, FBN-152)."""
    limit = battle.book.panics_at
    for figure in [figure for figure in unit.steady if figure.gl >= limit]:
        start_panic(table, battle, unit, figure)


@procedure("panic.reaction")
def start_panic(table: Table, battle: Battle, unit: Unit, figure: Figure) -> None:
    """Roll a D6 on Table 15-A by quality. A man who goes prone does so at once (FBN-163, FBN-168)."""
    reactions = battle.book.file.panic[figure.spec.column].reactions  # type: ignore[index]  # the three keys of the model
    again = battle.book.settings.panic_row_reads == "reroll"
    means = rows({score: one.replace("_", " ") for score, one in enumerate(reactions, 1)}, by="his quality")
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
    die, better = _one_die(table, battle, unit, eligible, "test", "glory", "FBN-148")
    unit.mark("tested")
    table.emit("glory test", "FBN-148", unit=unit.spec.id, die=die, better=better, gl=unit_glory(battle, unit))


def _one_die(
    table: Table, battle: Battle, unit: Unit, men: Sequence[Figure], of: str, why: str, rule: str
) -> tuple[int, int]:
    """Roll one die for some men of a unit and improve the GL of those who reach it. Return the score and their number."""
    needed = [score_needed(table, battle, figure, of) for figure in men]
    faces, means = battle.book.file.glory.die, _count_improved(needed)
    die = table.roll(1, faces, why=why, rule=rule, actor=unit.spec.id, means=means)
    better = [figure for figure, need in zip(men, needed, strict=True) if die >= need]
    for figure in better:
        figure.gl -= 1
    return die, len(better)


def score_needed(table: Table, battle: Battle, figure: Figure, of: str, printed: int | None = None) -> int:
    """Return the score a man needs on a nerve roll: his GL, or `printed` if given, with house rules applied.

    `of` is the kind of roll: "test", "check" or "recovery" (FBN-148, FBN-036, FBN-154).
    """
    known = figure.gl if printed is None else printed
    need: int = battle.book.rules.number("glory", known, battle, figure, table=table, of=of)
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
    """Return True if a voluntary check is possible (FBN-036): GL above printed and below 7, and every man able to pay."""
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
    die, better = _one_die(table, battle, unit, eligible, "check", "voluntary glory check", "FBN-036")
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
    need = score_needed(table, battle, figure, "recovery", printed)
    read, means = AtLeast(need), named("he stays in panic", "he recovers")
    if table.roll(1, glory.die, read, why="recovery", rule="FBN-154", actor=figure.spec.id, means=means):
        end_panic(battle, unit, figure, battle.book.panics_at - 1)
        table.emit("recovered", "FBN-154", unit=unit.spec.id, figure=figure.spec.id)


def end_panic(battle: Battle, unit: Unit, figure: Figure, glory: int) -> None:
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
        end_panic(battle, unit, figure, better)
    else:
        figure.gl = better
    return True


def glory_phase(table: Table, battle: Battle) -> None:
    """Make the tests of all units in the order of play, then the recovery rolls (FBN-012, FBN-147)."""
    settings = battle.book.settings
    order = {side: place for place, side in enumerate(battle.order)}
    units = sorted(battle.on_table(), key=lambda unit: order[unit.spec.side])
    for unit in units:
        unit = battle.change(unit)
        if settings.half_strength_trigger == "each_turn":
            check_half(table, battle, unit)
        if settings.panic_timing == "glory_phase":
            panic_if_due(table, battle, unit)
        if settings.glory_test_timing == "end_phase":
            test_glory(table, battle, unit)
            unit.unmark("due")
        unit.events = ()
    for unit in units:
        unit = battle.change(unit)
        for figure in unit.figures.values():
            if figure.reaction:
                roll_recovery(table, battle, unit, figure)
