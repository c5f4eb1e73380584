"""Postures, formations, orders of officers, doors, and terrain at night, at a real table."""

from __future__ import annotations

from typing import Any

from zareba.companion import Asked, Choices, Scene
from zareba.table import Table
from zareba_rulesets.fixed_baynet.actions.activation import perform_action
from zareba_rulesets.fixed_baynet.actions.actor import ActiveMan, ActiveUnit
from zareba_rulesets.fixed_baynet.actions.drill import DRILL, ChangeFormation
from zareba_rulesets.fixed_baynet.actions.fire import switch_weapon
from zareba_rulesets.fixed_baynet.actions.officer_orders import Barrage, Reserve
from zareba_rulesets.fixed_baynet.actions.wording import FORMATION_NAMES
from zareba_rulesets.fixed_baynet.chapters.buildings import may_spend_all, roll_bash, spend_all
from zareba_rulesets.fixed_baynet.chapters.morale import (
    heal,
    heal_location,
    lie_down,
    may_check,
    may_rally,
    order_back,
    rally_nearby,
    rally_targets,
    rally_unit,
    units_to_order_back,
    voluntary_check,
)
from zareba_rulesets.fixed_baynet.chapters.movement import shift_men
from zareba_rulesets.fixed_baynet.chapters.night import fire_flare, roll_to_notice
from zareba_rulesets.fixed_baynet.chapters.sight import chest_sign
from zareba_rulesets.fixed_baynet.companion.book import (
    EAST,
    NONE,
    STAGE,
    Count,
    active_if,
    friends_of,
    has_gun,
    make_act,
    men_by_name,
    note_parting,
    put_men,
    some_of,
    thrown_together,
)
from zareba_rulesets.fixed_baynet.companion.moves import men_on_foot
from zareba_rulesets.fixed_baynet.forces.battle import Battle
from zareba_rulesets.fixed_baynet.forces.formations import may_form
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

_POSTURES = ("lie down", "get up", "dismount", "mount")


def _changes(battle: Battle, unit: Unit) -> dict[Any, str]:
    """Return the changes of posture and formation that a unit may make, as options of play with their words."""
    actor = ActiveUnit(battle, unit)
    able = actor.able
    found: dict[Any, str] = {}
    if has_gun(unit) or not able.men:
        return found
    for action in DRILL:
        if action.verb in _POSTURES and action.is_legal(actor):
            found[action.verb] = action.verb
    if able.all_ready and not able.crossed and may_form(unit):
        for form in ChangeFormation.options(actor):
            found[form.option] = f"form {FORMATION_NAMES[form.formation]}"
    return found


def _change(table: Table, battle: Battle, scene: Scene) -> None:
    perform_action(table, battle, battle.change(battle.units[scene.actor]), scene["change"])
    if scene["change"] not in _POSTURES:
        battle.units[scene.actor].unmark("unformed")  # people have room, or say otherwise


def _check_glory(table: Table, battle: Battle, scene: Scene) -> None:
    voluntary_check(table, battle, battle.change(battle.units[scene.actor]))


def _officers(battle: Battle, unit: Unit) -> list[Figure]:
    return [man for man in unit.figures.values() if may_rally(battle, man) and "crossed" not in man.marks]


def _to_rally(battle: Battle, actor: str) -> list[str]:
    officers = _officers(battle, battle.units[actor])
    return [unit.spec.id for unit in rally_targets(battle, officers[0], friends_of(battle, actor))] if officers else []


def _to_order_back(battle: Battle, actor: str) -> list[str]:
    officers = [man for man in _officers(battle, battle.units[actor]) if man.spec.role == "officer"]
    return (
        [friend.spec.id for friend in units_to_order_back(battle, officers[0], friends_of(battle, actor))]
        if officers
        else []
    )


def _officer(battle: Battle, scene: Scene) -> Choices:
    return {man.id: man.spec.name for man in _officers(battle, battle.units[scene.actor])}


def _rally(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    rally_unit(table, battle, unit.figures[scene["officer"]], battle.units[scene.target])


def _order_back(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    order_back(table, battle, unit.figures[scene["officer"]], battle.units[scene.target])


def _units_in_panic(battle: Battle, scene: Scene) -> Choices:
    units = friends_of(battle, scene.actor)
    return {
        friend.spec.id: friend.spec.name for friend in units if any(man.reaction for man in friend.figures.values())
    }


def _near_officer_text(battle: Battle, scene: Scene) -> str:
    """Whose men in panic are near the officer?"""
    return f'Whose men in panic are within {battle.book.near:g}" of him?'


def _lay_out_gathering(battle: Battle, scene: Scene) -> None:
    """Put the officer among the panicking men who are near him."""
    unit = battle.change(battle.units[scene.actor])
    put_men(battle, [unit.figures[scene["officer"]]], STAGE, EAST)
    for key in scene["near"]:
        other = battle.change(battle.units[key])
        put_men(battle, [man for man in other.figures.values() if man.reaction], STAGE, EAST)
        other.measure()
    unit.measure()


def _gather(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    rally_nearby(table, battle, unit.figures[scene["officer"]], scene["merge"])


def _medics(battle: Battle, unit: Unit) -> list[Figure]:
    tired = {"fired", "healed", "served"}
    return [m for m in unit.figures.values() if m.spec.role == "medic" and m.able and m.ac and not m.marks & tired]


def _patients(battle: Battle, scene: Scene) -> Choices:
    """Return the men a medic can treat: one of the fallen of each unit, and the wounded by name (FBN-137)."""
    side, medic = battle.units[scene.actor].spec.side, _medics(battle, battle.units[scene.actor])[0]
    found: dict[str, str] = {}
    for unit in (friend for friend in battle.units.values() if friend.spec.side == side and "away" not in friend.marks):
        fallen = [casualty.figure for casualty in battle.fallen if casualty.unit == unit.spec.id and casualty.curable]
        found |= {fallen[0]: f"a fallen man of {unit.spec.name}"} if fallen else {}
        found |= {man.id: man.spec.name for man in unit.figures.values() if man.locations and man is not medic}
    return found


def _heal(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    medic, patient = _medics(battle, unit)[0], battle.unit_of(scene["patient"])
    if patient is None:
        heal(table, battle, medic, scene["patient"])
    else:
        heal_location(table, battle, unit, medic, battle.change(patient).figures[scene["patient"]])


def _calls(battle: Battle, unit: Unit) -> dict[Any, str]:
    """Return the calls and signals that men of a unit may make, as options of play with their words (FBN-037)."""
    actor, names = ActiveUnit(battle, unit), battle.units
    if not _able(battle, unit):
        return {}
    observed = {action.option: f"observe for {names[action.battery].spec.name}" for action in Barrage.options(actor)}
    return {
        **observed,
        **{action.option: f"call up {names[action.reserve].spec.name}" for action in Reserve.options(actor)},
    }


def _call(table: Table, battle: Battle, scene: Scene) -> None:
    perform_action(table, battle, battle.change(battle.units[scene.actor]), scene["call"])


def _signallers(battle: Battle, unit: Unit) -> list[Figure]:
    return [man for man in unit.figures.values() if man.flares > 0 and man.spec.leads and man.able and man.ac]


def _flare(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    fire_flare(table, battle, _signallers(battle, unit)[0], unit.middle)


def _switchers(battle: Battle, unit: Unit) -> list[Figure]:
    return [
        man
        for man in unit.figures.values()
        if man.able and man.ac and man.spec.spare != NONE and "disarmed" not in man.marks
    ]


def _switch(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    for man in some_of(battle, unit, _switchers(battle, unit), scene["men"], "switch weapons"):
        switch_weapon(table, ActiveMan(battle, unit, man))


def _bash(table: Table, battle: Battle, scene: Scene) -> None:
    """Bash a locked or heavy door with one man (FBN-254)."""
    unit = battle.change(battle.units[scene.actor])
    man = unit.figures[scene["man"]]
    man.ac -= 1
    roll_bash(table, man.spec.cs + chest_sign(battle, man), man.id)


def _spend_activation(table: Table, battle: Battle, scene: Scene) -> None:
    spend_all(battle.change(battle.units[scene.actor]).figures[scene["man"]])


def _cross(table: Table, battle: Battle, scene: Scene) -> None:
    """Send men through a door: they pay for a move and may only move on (FBN-244)."""
    unit = battle.change(battle.units[scene.actor])
    men = some_of(battle, unit, men_on_foot(battle, unit), scene["men"], "move")
    shift_men(battle, unit, men, 0.0, 0.0)
    for man in men:
        man.mark("crossed")
    note_parting(battle, unit.id, len(men))


def _able(battle: Battle, unit: Unit) -> list[Figure]:
    return [man for man in unit.figures.values() if man.able and man.ac]


def _able_men(battle: Battle, scene: Scene) -> Choices:
    return men_by_name(_able(battle, battle.units[scene.actor]))


def _rested(battle: Battle, unit: Unit) -> list[Figure]:
    return [man for man in _able(battle, unit) if may_spend_all(man)]


def _passing_text(battle: Battle, scene: Scene) -> str:
    """How many men of the unit walk past the terrain, without entering it?"""
    name = battle.units[scene.actor].spec.name
    return f'How many men of {name} walk past it within {battle.book.file.night.notice}", without entering it?'


def _notice(table: Table, battle: Battle, scene: Scene) -> None:
    """Let men who walk past terrain at night notice it, or stumble and fall (FBN-239)."""
    unit = battle.change(battle.units[scene.actor])
    able = [man for man in unit.figures.values() if man.able and not man.prone and not man.mounted]
    for man in some_of(battle, unit, able, scene["men"], "walk past it"):
        if not roll_to_notice(table, man):
            lie_down(battle, man)
            man.mark("halted")
            unit.mark("loose")
            table.emit("stumbled", "FBN-239", unit=unit.spec.id, figure=man.id, terrain="")


_OFFICER: Asked[Battle] = Asked("officer", "Which officer?", choices=_officer)


CHANGE_ACT = make_act(
    "change",
    "change posture or formation, mount or dismount",
    "FBN-035",
    _change,
    active_if(_changes),
    Asked("change", "{actor}: which change?", choices=lambda b, s: _changes(b, b.units[s.actor])),
    has_odds=False,
)


WEAPON_ACT = make_act(
    "weapon",
    "switch between rifle and pistol",
    "FBN-193",
    _switch,
    active_if(_switchers),
    Asked("men", "How many men of {actor} switch weapons?", kind=Count),
    has_odds=False,
)


CHECK_ACT = make_act("check", "check glory", "FBN-036", _check_glory, active_if(may_check))


RALLY_ACT = make_act(
    "rally",
    "rally a unit near by",
    "FBN-159",
    _rally,
    active_if(lambda battle, unit: _to_rally(battle, unit.spec.id)),
    _OFFICER,
    targets=_to_rally,
    target_question="Which unit should {actor} rally?",
    has_odds=False,
)


GATHER_ACT = make_act(
    "gather",
    "gather men in panic near by",
    "FBN-159",
    _gather,
    active_if(lambda battle, unit: _officers(battle, unit) and _units_in_panic(battle, Scene(None, unit.spec.id))),
    _OFFICER,
    Asked("near", _near_officer_text, default=(), choices=_units_in_panic, many=True),
    Asked("merge", "Do they form a new unit under him?", default=False, kind=bool),
    lay_out=_lay_out_gathering,
    has_odds=False,
)


RETIRE_ACT = make_act(
    "retire",
    "order a unit near by to fall back",
    "FBN-160",
    _order_back,
    active_if(lambda battle, unit: _to_order_back(battle, unit.spec.id)),
    _OFFICER,
    targets=_to_order_back,
    target_question="Which unit should {actor} order back?",
    has_odds=False,
)


HEAL_ACT = make_act(
    "heal",
    "heal: the medic treats a man he touches",
    "FBN-137",
    _heal,
    active_if(lambda b, unit: _medics(b, unit) and _patients(b, Scene(None, unit.spec.id))),
    Asked("patient", "Which man?", choices=_patients),
    has_odds=False,
)


CALL_ACT = make_act(
    "call",
    "observe for guns, or call up a reserve",
    "FBN-037",
    _call,
    active_if(_calls),
    Asked("call", "{actor}: which call?", choices=lambda b, s: _calls(b, b.units[s.actor])),
    has_odds=False,
)


FLARE_ACT = make_act("flare", "light a flare", "FBN-238", _flare, active_if(_signallers), has_odds=False)


BASH_ACT = make_act(
    "bash",
    "bash a door",
    "FBN-254",
    _bash,
    active_if(_able),
    Asked("man", "Which man of {actor}?", choices=_able_men),
)


OPEN_ACT = make_act(
    "open",
    "open a heavy or locked door, or climb a ladder",
    "FBN-253",
    _spend_activation,
    active_if(_rested),
    Asked("man", "Which man of {actor}?", choices=lambda b, s: men_by_name(_rested(b, b.units[s.actor]))),
    has_odds=False,
)


ENTER_ACT = make_act(
    "enter",
    "enter or leave a building, or go to the next room",
    "FBN-244",
    _cross,
    active_if(men_on_foot),
    Asked("men", "How many men of {actor} go through?", kind=Count),
    has_odds=False,
)


NOTICE_ACT = make_act(
    "notice",
    "notice terrain that men pass at night",
    "FBN-239",
    _notice,
    active_if(lambda battle, unit: battle.night),
    Asked("men", _passing_text, kind=Count),
    roll_groups=(thrown_together("notice"),),
)
