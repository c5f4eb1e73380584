"""Texts of options: the act, its target, distance and cost."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any

from zareba.base.amounts import amount
from zareba.battle.templates import fill
from zareba.presentation.narration import wind_name
from zareba.table import Choose, Option
from zareba_rulesets.fixed_baynet.book.numbers import GAITS
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import shot_cost
from zareba_rulesets.fixed_baynet.chapters.guns.crews import best_cs
from zareba_rulesets.fixed_baynet.chapters.melee.charges import chargers, home_spot
from zareba_rulesets.fixed_baynet.chapters.movement.movement import allowance
from zareba_rulesets.fixed_baynet.chapters.orders.options import menu_of
from zareba_rulesets.fixed_baynet.chapters.sight.sight import range_between
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.presentation.names import (
    FORMATION_NAMES,
    man_aimed_at,
    place_name,
    the_house,
    unit_line,
    way_name,
    who,
)
from zareba_rulesets.fixed_baynet.presentation.words import words

__all__ = ["option_phrase"]


def option_phrase(battle: Battle, question: Choose, option: Option) -> str:
    """Return one option as a phrase."""
    if question.why == "guess the range":
        return (
            f'{option}"' if isinstance(option, int) else f"{option} (the true range to the inch, plus a D6, minus a D6)"
        )
    if question.why in ("aim at", "strike"):
        return words().options.get(str(option)) or man_aimed_at(battle, question.actor, str(option))
    if question.why == "turn gun to":
        return f"{option}° ({wind_name(float(option))})"  # type: ignore[arg-type]  # bearings are numbers
    if question.why == "act":
        acts = menu_of(battle, battle.units[question.actor]).of(option)
        if len(acts) > 1:
            verb, *gun = option if isinstance(option, tuple) else (option,)
            told = fill(words().tables["kinds"][verb], {"gun": gun[0] + 1 if gun else "", **_numbers(battle)}, str)
            return f"{told}{_order(battle, verb)}: {len(acts)} options"
        (option,) = acts
    if isinstance(option, tuple):
        return _act(battle, battle.units.get(question.actor), *option)
    if question.why == "deploy as" or option in FORMATION_NAMES:
        return FORMATION_NAMES.get(str(option), str(option))
    if option in words().options:
        return _word(battle, str(option))
    if option in battle.units:
        return unit_line(battle.units[str(option)])
    if option in battle.specs:
        return who(battle, str(option))
    return str(option).replace("_", " ")


def _word(battle: Battle, option: str) -> str:
    """Return the text of a one-word act under the current settings (FBN-052)."""
    if option == "lie down" and not battle.book.settings.prone_untargetable:
        return "lie down: half speed (1 AC)"
    return words().options[option] + _order(battle, option)


def _order(battle: Battle, verb: str) -> str:
    """Return the note on the cost of naming a target (FBN-038)."""
    costs = verb in ("fire", "split fire") and battle.book.settings.target_order_ac
    return ", 1 more to name a new target" if costs else ""


# --- acts -----------------------------------------------------------------------------------------------------------------


def _gap(battle: Battle, unit: Unit | None, other: Unit) -> str:
    """Return another unit's text with its distance, base to base (FBN-005).

    Measuring is free, except for guns that guess a range (FBN-006).
    """
    away = ""
    if unit is not None and not any(battle.book.guns[gun.kind].fire != "direct" for gun in unit.guns):
        gaps = [range_between(battle, a, b) for a in unit.figures.values() for b in other.figures.values()]
        away = f', {min(gaps, default=0.0):.1f}" away'
    men = len(other.figures)
    shape = f" in {FORMATION_NAMES[other.shape]}" if men > 1 and not other.guns else ""
    lying = sum(figure.prone for figure in other.figures.values())
    extra = f", {lying} prone" if lying else ""
    return f"{other.spec.name}{away} ({amount(men, 'man', 'men')}{shape}{extra})"


def _act(battle: Battle, unit: Unit | None, verb: str, *rest: Any) -> str:
    """Return the text of an act from its template or its own function.

    In a template, `{1}` is the first value of the option.
    """
    if verb in ACTS:
        return ACTS[verb](battle, unit, *rest)
    template = words().tables["acts"].get(verb)
    if template is None:
        return " ".join(str(word) for word in (verb, *rest))
    named = {str(place): word for place, word in enumerate(rest, 1)}
    return fill(template, {**_numbers(battle), **named}, str, _ways(battle, unit), words(), strict=True)


def _numbers(battle: Battle) -> dict[str, Any]:
    """Return the costs and effects of acts that templates use."""
    numbers, settings = battle.book.file, battle.book.settings
    return {
        "ac": numbers.gun_costs.ac,
        "better": numbers.glory.hearten,
        "degrees": numbers.turn_of_gun.degrees,
        "die": settings.bash_die.upper(),
        "door": numbers.door.ds,
        "fire": numbers.gun_costs.fire,
        "move": numbers.gun_costs.move,
        "salvo": settings.mg_salvo_ac,
        "shots": numbers.salvo.shots,
        "turn": numbers.gun_costs.turn,
    }


def _ways(battle: Battle, unit: Unit | None) -> dict[str, Callable[[Any], str]]:
    """Return the formats that templates use for the values of an option."""
    return {
        "crew": lambda number: f", CS {best_cs(battle, unit, unit.guns[number]):+d}" if unit is not None else "",
        "formation": FORMATION_NAMES.__getitem__,
        "gait": GAITS.__getitem__,
        "gun": lambda number: str(number + 1),
        "house": partial(the_house, battle),
        "man": lambda man: battle.specs[man].name,
        "place": partial(place_name, battle),
        "points": lambda house: amount(battle.houses[house].points, "point"),
        "price": partial(_price, battle, unit),
        "squad": partial(_target, battle, None),
        "target": partial(_target, battle, unit),
        "unit": lambda other: battle.units[other].spec.name,
        "way": partial(way_name, battle),
    }


def _target(battle: Battle, unit: Unit | None, target: str) -> str:
    return _gap(battle, unit, battle.units[target])


def _price(battle: Battle, unit: Unit | None, target: str) -> str:
    """Return the AC of a shot at a target for the weapons of a unit's men (FBN-038, FBN-194)."""
    men = unit.figures.values() if unit is not None else ()
    costs = sorted({shot_cost(battle, figure, target) for figure in men if figure.weapon != "none"})
    return f"{' or '.join(map(str, costs)) or '1'} AC each"


def _ride(battle: Battle, unit: Unit | None, gait: int, turning: bool = False) -> str:
    kind = battle.book.gaits[gait]
    least = f'{kind.least}" to ' if kind.least else "up to "
    price = f', {kind.turn}" a turn of {battle.book.file.turn_of_mount.degrees:g}°' if kind.turn else ""
    how = ", turning on the way" if turning else ""
    return f'ride at a {GAITS[gait]}{how}: {least}{kind.most}"{price} (1 AC)'


def _charge(battle: Battle, unit: Unit | None, target: str) -> str:
    foot = [figure for figure in unit.figures.values() if not figure.mounted] if unit is not None else []
    reach = max((allowance(battle, figure, charging=True) for figure in foot), default=0)
    again = " an action" if battle.book.settings.charge_actions == 3 else ""
    how = f': straight, up to {reach}"{again}' if reach else ""
    if unit is not None and reach and not again:
        other = battle.units[target]
        if all(home_spot(battle, unit, man, other) is None for man in chargers(battle, unit)):
            how += ", no man reaches it"
    return f"charge {_target(battle, unit, target)}{how} (1 AC)"


def _fire_at_gun(battle: Battle, unit: Unit | None, home: str, number: int) -> str:
    other = battle.units[home]
    piece = battle.book.guns[other.guns[number].kind]
    return f"fire at gun {number + 1} of {other.spec.name}: DS {piece.ds} ({_price(battle, unit, home)})"


ACTS: dict[str, Callable[..., str]] = {
    "ride": _ride,
    "wheel": partial(_ride, turning=True),
    "charge": _charge,
    "fire at gun": _fire_at_gun,
}
"""Acts whose text a template cannot express."""
