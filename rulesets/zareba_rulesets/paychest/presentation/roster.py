"""The roster: one line per figure, with boxes for wounds and losses (PAY-010, PAY-011, PAY-031)."""

from __future__ import annotations

from zareba.presentation.narration import Boxes, Cell, Roster, RosterLine, RosterUnit
from zareba.scenario import Scenario
from zareba_rulesets.paychest.forces.battle import Battle
from zareba_rulesets.paychest.forces.units import Figure, Unit

COLUMNS = (
    "Figure",
    "Rank",
    "Fire",
    "Melee",
    "Shots",
    "Weapons",
    "Arm",
    "Smashed",
    "Body",
    "Leg",
    "Lame",
    "K.O.",
    "Killed",
    "Deeds",
    "Carries",
    "State",
)
_KEY = (
    "A star marks the leader. Fire and Melee: the two skills. Boxes: wounds of arm (Fire -1), smashed arms (no "
    "two-handed weapon, Melee -1), body wounds (Fire and Melee -1), leg wounds (half moves, no running), cannot walk "
    "(Melee -1), knocked out, killed."
)
_HIT_BOXES = 12
"""The number of boxes for the hits of a turn."""
WOUNDS = {"Arm": "arm_wound", "Smashed": "smashed_arm", "Body": "body_wound", "Leg": "leg_wound"}
_USUAL = {"Arm": 3, "Smashed": 2, "Body": 3, "Leg": 2}
"""Number of boxes of each kind: as many as matter before a figure is out or further wounds change nothing."""


def roster_of(battle: Battle, scenario: Scenario, seat: str | None) -> Roster:
    """Return the current roster of one side or of both, in roster order."""
    units = [u for u in battle.units.values() if seat is None or u.spec.side == seat]
    order = list(scenario.sides)
    units.sort(key=lambda unit: order.index(unit.spec.side))
    collapse = battle.book.settings.collapse_at_wounds
    falls = f" Wound number {collapse} knocks a man out." if collapse else ""
    headline = f"Paychest roster, turn {battle.turn} of {scenario.turns}."
    return Roster(scenario.title, headline, tuple(_unit(battle, scenario, unit) for unit in units), _KEY + falls)


def _unit(battle: Battle, scenario: Scenario, unit: Unit) -> RosterUnit:
    """Return the roster of one unit."""
    spec = unit.spec
    notes: list[tuple[str, Cell]] = [
        ("kind", "Legion, regular" if spec.legion else spec.kind),
        ("able", f"{sum(figure.fate == 'able' for figure in unit.figures.values())} of {len(spec.figures)}"),
        ("hits this turn", Boxes(min(unit.hits, _HIT_BOXES), _HIT_BOXES)),
    ]
    orders = [order.replace("_", " ") for order in (unit.rout or unit.pending,) if order]
    if "inactive" in unit.marks:
        orders.append("neither move nor fire")  # PAY-129
    if orders:
        notes.append(("must", ", ".join(orders)))
    lines = tuple(_line(battle, unit, unit.figures[key]) for key in spec.figures)
    return RosterUnit(spec.id, spec.name, spec.side, scenario.sides[spec.side].name, tuple(notes), COLUMNS, lines)


def _line(battle: Battle, unit: Unit, figure: Figure) -> RosterLine:
    """Return the line of one figure on the roster."""
    spec, wounds = figure.spec, figure.wounds
    cells: tuple[Cell, ...] = (
        f"{spec.name} *" if spec.id == unit.leader else spec.name,
        figure.rank.replace("_", " "),
        spec.firearms,
        spec.melee,
        spec.shots,
        ", ".join(weapon.replace("_", " ") for weapon in figure.weapons) or "none",
        *(_tick_boxes(wounds.count(wound), _USUAL[column]) for column, wound in WOUNDS.items()),
        _tick_boxes("lame" in figure.marks, 1),
        _tick_boxes(figure.fate == "unconscious", 1),
        _tick_boxes(figure.fate == "dead", 1),
        figure.brave,
        _carries(battle, figure),
        _state(battle, figure),
    )
    return RosterLine(cells, out=figure.fate != "able")


def _tick_boxes(ticked: int, usual: int) -> Boxes:
    """Return boxes to tick; some are ticked already."""
    return Boxes(int(ticked), max(int(ticked), usual))


def _state(battle: Battle, figure: Figure) -> str:
    """Return the state of a figure in words."""
    if figure.fate != "able":
        return {"dead": "killed", "off": "driven off", "left": "left the table"}.get(figure.fate, figure.fate)
    words: list[str] = ["commands"] if figure.spec.id in battle.commanders.values() else []
    words += [mark for mark in ("down", "back turned") if mark in figure.marks]
    if "recovered" in figure.marks:
        words.append("came round (Fire and Melee -1)")  # PAY-124
    if figure.mount:
        words.append(f"on a {figure.mount}" if figure.mount != "pack" else "with a pack animal")
    if figure.aboard and figure.at is not None:
        words.append(f"aboard {battle.engines[figure.aboard].name}")
    if figure.spec.unit in battle.arrivals:
        words.append("to come")
    return ", ".join(words)


def _carries(battle: Battle, figure: Figure) -> str:
    """Return what a figure carries, in words."""
    names = [
        battle.things[load].name if load in battle.things else battle.figure(load).spec.name for load in figure.loads
    ]
    return ", ".join(names)
