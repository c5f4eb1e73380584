"""Casualties: the card that each hit draws, its wounds and losses, and recovery (PAY-115 to PAY-127, PAY-216)."""

from __future__ import annotations

from zareba.chance import at_least, random_draw
from zareba.rules import procedure
from zareba.table import Table
from zareba_rulesets.paychest.chapters.marching import drop, drop_all, put_down, release_from_bearers, stand_clear
from zareba_rulesets.paychest.chapters.mounts import fall_from_saddle
from zareba_rulesets.paychest.forces.battle import Battle, is_heavy
from zareba_rulesets.paychest.forces.units import Figure, Thing

_NO_WOUND = frozenset({"killed", "unconscious", "graze"})


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
    table.emit(
        "casualty", entry.rule, figure=figure.spec.id, unit=figure.spec.unit, card=card, before=figure.fate
    )  # fmt: skip
    apply_card(table, battle, figure, entry.result, cause, fallen)
    return True


def draw_casualty_card(table: Table, battle: Battle, actor: str) -> str:
    """Draw a card and discard it.

    With `casualty_reshuffle` every_card the discards go back into the pile at once (PAY-117).
    """
    deck = battle.casualties
    card = deck.draw(
        table, why="casualty card", rule="PAY-115", actor=actor, means=random_draw("what the next hit does")
    )
    assert card is not None, "the discards are shuffled into an empty casualty deck"
    deck.discard(card)
    if battle.book.settings.casualty_reshuffle == "every_card":
        shuffle_casualties(battle)
    return card


def shuffle_casualties(battle: Battle) -> None:
    """Put all 52 cards back into the pile (PAY-117)."""
    battle.casualties.pile, battle.casualties.discards = battle.book.full_deck(), {}


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
    if figure.has_no_arms:
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


# --- At an activation: the unconscious come round, fallen irregulars leave the table ----------------------------------


def recover_unconscious(table: Table, battle: Battle, unit_id: str) -> None:
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
            stand_clear(battle, figure)


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
        for figure in unit.positions.fallen
        if figure.fate in removed_fates and figure.spec.kind != "regular"
    ]
    for key in fallen:
        figure = battle.change_figure(key)
        for weapon in figure.weapons:
            if weapon in battle.book.bands:
                battle.add_thing(f"{weapon} of {key}", Thing("weapon", weapon, "", figure.at))
        release_from_bearers(battle, figure)
        figure.weapons = ()
        figure.at = None
        battle.unit_of(figure).measure()
