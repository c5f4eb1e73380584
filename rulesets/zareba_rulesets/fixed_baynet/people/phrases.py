"""How the options of a choice read to a person: what is done, at whom, how far away, at what price."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from zareba.base.amounts import amount
from zareba.battle.templates import filled
from zareba.people.telling import wind
from zareba.table import Choose, Option
from zareba_rulesets.fixed_baynet.book.numbers import GAITS, GunType
from zareba_rulesets.fixed_baynet.chapters.fire.aiming import shot_cost
from zareba_rulesets.fixed_baynet.chapters.guns.crews import best_cs
from zareba_rulesets.fixed_baynet.chapters.melee.charges import chargers, home_spot
from zareba_rulesets.fixed_baynet.chapters.movement.movement import allowance
from zareba_rulesets.fixed_baynet.chapters.orders.options import menu_of
from zareba_rulesets.fixed_baynet.chapters.sight.sight import range_between
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.units import Unit
from zareba_rulesets.fixed_baynet.people.naming import (
    FORMATION_NAMES,
    man_aimed_at,
    place_name,
    unit_line,
    way_name,
    who,
)
from zareba_rulesets.fixed_baynet.people.words import words

__all__ = ["option_phrase"]


def option_phrase(battle: Battle, question: Choose, option: Option) -> str:
    """One option as a phrase."""
    if question.why == "guess the range":
        return (
            f'{option}"' if isinstance(option, int) else f"{option} (the true range to the inch, plus a D6, minus a D6)"
        )
    if question.why in ("aim at", "strike"):
        return words().options.get(str(option)) or man_aimed_at(battle, question.actor, str(option))
    if question.why == "turn gun to":
        return f"{option}° ({wind(float(option))})"  # type: ignore[arg-type]  # bearings are numbers
    if question.why == "act":
        acts = menu_of(battle, battle.units[question.actor]).of(option)
        if len(acts) > 1:
            verb, *gun = option if isinstance(option, tuple) else (option,)
            numbers = battle.book.file
            data = {
                "gun": gun[0] + 1 if gun else "",
                "better": numbers.glory.hearten,
                "fire": numbers.gun_costs.fire,
                "shots": numbers.salvo.shots,
            }
            told = filled(words().tables["kinds"][verb], data, str)
            return f"{told}{_order(battle, verb)}: {len(acts)} ways"
        (option,) = acts
    if isinstance(option, tuple):
        return _act(battle, battle.units.get(question.actor), *option)
    if question.why == "deploy as" or option in FORMATION_NAMES:
        return FORMATION_NAMES.get(str(option), str(option))
    if option in words().options:
        return _word(battle, str(option))
    if option in battle.units:
        return unit_line(battle, battle.units[str(option)])
    if option in battle.specs:
        return who(battle, str(option))
    return str(option).replace("_", " ")


def _word(battle: Battle, option: str) -> str:
    """An act of one word, as the settings have it (FBN-052)."""
    if option == "lie down" and not battle.book.settings.prone_untargetable:
        return "lie down: half speed (1 AC)"
    return words().options[option] + _order(battle, option)


def _order(battle: Battle, verb: str) -> str:
    """What naming a target costs besides the shots (FBN-038)."""
    costs = verb in ("fire", "split fire") and battle.book.settings.target_order_ac
    return ", 1 more to name a new target" if costs else ""


# --- acts -----------------------------------------------------------------------------------------------------------------


def _gap(battle: Battle, unit: Unit | None, other: Unit) -> str:
    """Another unit, and how far it is from base to base (FBN-005); measuring is free but for pieces that guess a range (FBN-006)."""
    away = ""
    if unit is not None and not any(battle.book.guns[gun.kind].fire != "direct" for gun in unit.guns):
        gaps = [range_between(battle, a, b) for a in unit.figures.values() for b in other.figures.values()]
        away = f', {min(gaps, default=0.0):.1f}" away'
    men = len(other.figures)
    shape = f" in {FORMATION_NAMES[other.shape]}" if men > 1 and not other.guns else ""
    lying = sum(figure.prone for figure in other.figures.values())
    extra = f", {lying} lying" if lying else ""
    return f"{other.spec.name}{away} ({amount(men, 'man', 'men')}{shape}{extra})"


def _act(battle: Battle, unit: Unit | None, verb: str, *rest: Any) -> str:
    told = ACTS.get(verb)
    return told(battle, unit, *rest) if told is not None else " ".join(str(word) for word in (verb, *rest))


def _target(battle: Battle, unit: Unit | None, target: str) -> str:
    return _gap(battle, unit, battle.units[target])


def _price(battle: Battle, unit: Unit | None, target: str) -> str:
    """AC of a shot of each of a unit's men at a target, by their weapons (FBN-038, FBN-194)."""
    men = unit.figures.values() if unit is not None else ()
    costs = sorted({shot_cost(battle, figure, target) for figure in men if figure.weapon != "none"})
    return f"{' or '.join(map(str, costs)) or '1'} AC each"


def _piece(battle: Battle, home: str, number: int) -> GunType:
    """The row of Table 4-D of a piece."""
    return battle.book.guns[battle.units[home].guns[number].kind]


def _salvo(battle: Battle, target: str, effect: str) -> str:
    """A salvo with its price (FBN-229)."""
    numbers = battle.book.file
    price = f"{battle.book.settings.mg_salvo_ac} of {numbers.gun_costs.ac} AC"
    return f"a salvo of {amount(numbers.salvo.shots, 'shot')} at {target} ({price}{effect})"


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
            how += ", nobody gets there"
    return f"charge {_target(battle, unit, target)}{how} (1 AC)"


def _load(battle: Battle, unit: Unit | None, number: int, where: str) -> str:
    skill = f", CS {best_cs(battle, unit, unit.guns[number]):+d}" if unit is not None else ""
    return f"gun {number + 1} fires at {where} ({battle.book.file.gun_costs.fire} AC{skill})"


def _better(battle: Battle) -> str:
    """What a rally or a fall back does, and what it takes (FBN-159, FBN-160)."""
    return f"glory {battle.book.file.glory.hearten} better (1 AC)"


ACTS: dict[str, Callable[..., str]] = {
    "ride": _ride,
    "wheel": lambda b, u, gait: _ride(b, u, gait, True),
    "ride down": lambda b, u, target, gait: f"charge {_target(b, u, target)} at a {GAITS[gait]} (1 AC)",
    "charge": _charge,
    "fire": lambda b, u, target: f"fire at {_target(b, u, target)} ({_price(b, u, target)})",
    "fire at gun": lambda b, u, home, n: (
        f"fire at gun {n + 1} of {b.units[home].spec.name}: DS {_piece(b, home, n).ds} ({_price(b, u, home)})"
    ),
    "fire at house": lambda b, u, house: (
        f"fire at the {house.replace('_', ' ')}: {amount(b.houses[house].points, 'point')} left ({_price(b, u, house)})"
    ),
    "form": lambda b, u, name: f"form {FORMATION_NAMES[name]} (1 AC each)",
    "cross": lambda b, u, way, to: f"go through {way_name(b, way)} into {place_name(b, to)} (1 AC)",
    "post": lambda b, u, way: f"stand at {way_name(b, way)} (free)",
    "bash": lambda b, u, man, door: (
        f"{b.specs[man].name} bashes {way_name(b, door)}: {b.book.settings.bash_die.upper()} + CS, "
        f"{b.book.file.door.ds} or more (1 AC)"
    ),
    "open": lambda b, u, man, door: f"{b.specs[man].name} opens {way_name(b, door)} (all his AC)",
    "climb": lambda b, u, man, ladder: f"{b.specs[man].name} climbs {way_name(b, ladder)} (all his AC)",
    "rally": lambda b, u, man, target: f"{b.specs[man].name} rallies {_target(b, None, target)}: {_better(b)}",
    "gather": lambda b, u, man, merge: (
        f"{b.specs[man].name} gathers the broken men near him{' into a new unit under him' if merge else ''} (1 AC)"
    ),
    "fall back": lambda b, u, man, target: f"{b.specs[man].name} orders {_target(b, None, target)} back: {_better(b)}",
    "barrage": lambda b, u, man, battery: (
        f"{b.specs[man].name} calls for the fire of {b.units[battery].spec.name} (1 AC)"
    ),
    "reserve": lambda b, u, man, reserve: f"{b.specs[man].name} sends for {b.units[reserve].spec.name} (1 AC)",
    "flare": lambda b, u, man: f"{b.specs[man].name} fires a flare (1 AC)",
    "heal": lambda b, u, man, kind, patient: f"{b.specs[man].name} tends {kind} {b.specs[patient].name} (1 AC)",
    "gun fire": lambda b, u, n, target: _load(b, u, n, _target(b, u, target)),
    "gun at gun": lambda b, u, n, home, m: _load(b, u, n, f"gun {m + 1} of {b.units[home].spec.name}"),
    "gun at house": lambda b, u, n, house: _load(b, u, n, f"the {house.replace('_', ' ')}"),
    "gun indirect": lambda b, u, n: (
        f"gun {n + 1} fires over their heads at a guessed range ({b.book.file.gun_costs.fire} AC)"
    ),
    "gun turn": lambda b, u, n: (
        f"turn gun {n + 1} by up to {b.book.file.turn_of_gun.degrees}° ({b.book.file.gun_costs.turn} AC)"
    ),
    "gun move": lambda b, u, n: f"move gun {n + 1} ({b.book.file.gun_costs.move} AC)",
    "plot": lambda b, u, n: f"write down a plot for gun {n + 1}, to be fired in a later turn (free)",
    "salvo": lambda b, u, n, target: _salvo(b, _target(b, u, target), ", pins"),
    "salvo at house": lambda b, u, n, house: _salvo(b, f"the {house.replace('_', ' ')}", ""),
    "clear jam": lambda b, u, n: f"clear the jam of gun {n + 1} (1 AC)",
}
