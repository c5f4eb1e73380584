"""Charges and close combat at a real table."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, Scene
from zareba.space.field.pieces import TerrainPiece
from zareba.space.ground.buildings import Building, BuildingOpening, BuildingSection
from zareba.table import Table
from zareba_rulesets.fixed_baynet.book.tables import CANTER, TerrainRow
from zareba_rulesets.fixed_baynet.chapters.cavalry import allowed_gaits, mounted_charge, riders
from zareba_rulesets.fixed_baynet.chapters.melee import (
    FightFacts,
    can_strike,
    charge_reach,
    charge_with_unit,
    chargers,
    may_charge_unit,
    strike_blow,
    strike_with_unit,
)
from zareba_rulesets.fixed_baynet.companion.book import (
    EAST,
    HITS,
    NONE,
    STAGE,
    WEST,
    Count,
    Plain,
    active_if,
    enemies_of,
    enemies_touched,
    has_gun,
    has_name,
    make_act,
    men_by_name,
    men_in_melee,
    men_touching,
    note_contact,
    open_plain,
    put_men,
    some_of,
    thrown_together,
)
from zareba_rulesets.fixed_baynet.companion.moves import FLANK, RIDDEN_AT, charge_gaits, has_flank, put_in_front
from zareba_rulesets.fixed_baynet.forces.battle import Battle, BuildingState
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit

_LANE = 8.0
"""Inches between pairs of fighters in a layout: each charger reaches his own enemy first."""
_ASIDE = 0.62
"""The slope at which two men come at one enemy: far enough apart for their bases, and both in front of him."""


def _runners(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the men who can charge on foot."""
    if has_gun(unit) or not may_charge_unit(battle, unit):
        return []
    return chargers(battle, unit)


def _fast_riders(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the riders who can charge at a canter or gallop (FBN-180)."""
    if not may_charge_unit(battle, unit):
        return []
    return [man for man in riders(battle, unit) if max(allowed_gaits(battle.book, man)) >= CANTER]


def _contacts_text(battle: Battle, scene: Scene) -> str:
    """How many men of the unit come into contact?"""
    unit = battle.units[scene.actor]
    if scene.answers.get("gait"):
        return f"How many riders of {unit.spec.name} come into contact, straight ahead?"
    inches = min(charge_reach(battle, man) for man in _runners(battle, unit))
    return f'How many men of {unit.spec.name} come into contact? (straight, up to {inches}"; 0: the charge falls short)'


def _able_to_charge(battle: Battle, scene: Scene) -> list[Figure]:
    unit = battle.units[scene.actor]
    return riders(battle, unit) if scene.answers.get("gait") else _runners(battle, unit)


def _men_in_melee(battle: Battle, scene: Scene) -> int:
    """Return how many men of the charging unit are in contact already, as far as the book knows."""
    return min(men_in_melee(battle, scene.actor), len(_able_to_charge(battle, scene)))


def _usual_contacts(battle: Battle, scene: Scene) -> int:
    """Return how many chargers come into contact if all reach the enemy: one for each enemy who is not in contact
    yet.
    """
    able = len(_able_to_charge(battle, scene)) - int(scene.answers.get("stay") or 0)
    free = len(battle.units[scene.target].figures) - men_in_melee(battle, scene.target)
    return max(0, min(able, free or len(battle.units[scene.target].figures)))


def _lay_out_charge(battle: Battle, scene: Scene) -> None:
    """Give each man who comes into contact an enemy straight in front of him. Other chargers are out of reach, and
    those who stay behind are in contact already.

    If there are more chargers on foot than enemies, two come at one enemy, half right and half left.
    """
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    gait, (x, y) = scene.answers.get("gait"), STAGE
    men = sorted(
        _able_to_charge(battle, scene), key=lambda man: (not has_name(man), -man.ac)
    )  # leaders charge with their men
    stay = int(scene.answers.get("stay") or 0)
    if scene["contacts"] > len(men) - stay:
        raise ZarebaError(f"{amount(max(0, len(men) - stay), 'man', 'men')} of {unit.spec.name} can charge")
    # near where the rules allow it, so that they see him in fog by night (FBN-181)
    gap = battle.book.gaits[gait].least + 1.0 if gait and not battle.book.settings.contact_excuses_minimum else 2.0
    facing = EAST if scene.answers.get("flank") else WEST
    foes = sorted(target.figures.values(), key=has_name)
    contacts = min(scene["contacts"], len(foes) if gait else 2 * len(foes))
    for number, man in enumerate(men):
        lane = y + _LANE * (number % len(foes))
        if number < contacts:
            put_men(battle, [foes[number % len(foes)]], (x, lane), facing, side=1)
            aside = 0.0 if contacts <= len(foes) else _ASIDE if number < len(foes) else -_ASIDE
            put_men(battle, [man], (x - gap, lane + aside * (gap + 2 * battle.radius(man))), EAST, side=-1)
        elif number < len(men) - stay:
            put_men(battle, [man], (x - 100.0, lane), EAST)
        else:
            put_men(battle, [man], (x + 2 * battle.radius(foes[0]), y), WEST, side=1)
    if stay and not contacts:
        put_men(battle, foes[:1], STAGE, EAST, side=1)
    for measured in (unit, target):
        measured.measure()
    put_in_front(battle, scene.answers.get("ridden_at") or (), 8.0)


def _charge(table: Table, battle: Battle, scene: Scene) -> None:
    charge_with_unit(table, battle, battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target]))
    _note_charge(battle, scene)


def _ride_down(table: Table, battle: Battle, scene: Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    mounted_charge(table, battle, unit, riders(battle, unit), battle.change(battle.units[scene.target]), scene["gait"])
    _note_charge(battle, scene)


def _note_charge(battle: Battle, scene: Scene) -> None:
    """Note the men who have come into contact, in addition to those who were in contact before."""
    before, met = men_touching(battle, scene.actor, scene.target), men_touching(battle, scene.target, scene.actor)
    foes = min(len(battle.units[scene.target].figures), met + scene["contacts"])
    if scene["contacts"]:
        note_contact(battle, scene.actor, scene.target, before + scene["contacts"], foes)


_HEIGHTS: Choices = {"level": "level", "actor": "the attackers are higher", "target": "the defenders are higher"}


_SHELTERS: Choices = {
    NONE: "none",
    "target": "the defenders are in cover",
    "actor": "the attackers are in cover",
    "wall": "a wall between them",
    "trench": "the defenders are in a trench",
    "door": "through a door or window, or from room to room",
}


DOOR = "the door"
"""The building whose door is laid out for a fight."""


def _strikers(battle: Battle, unit: Unit) -> list[Figure]:
    """Return the steady men who may strike (FBN-104); none in a unit that falls back (FBN-160)."""
    return [] if unit.back else [man for man in unit.figures.values() if not man.reaction and can_strike(battle, man)]


def _lay_out_fight(battle: Battle, scene: Scene) -> None:
    """Put the men who strike in contact with the men they can reach, on the ground that people see.

    All stand at one point: a man whose enemy falls strikes the next one.
    """
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    men = some_of(battle, unit, _strikers(battle, unit), scene["men"], "strike")
    foes = sorted(target.figures.values(), key=has_name)
    if not 1 <= scene["foes"] <= len(foes):
        raise ZarebaError(f"{target.spec.name} has {amount(len(foes), 'man', 'men')}")
    _engage(battle, scene, men, foes[: scene["foes"]])


def _lay_out_duel(battle: Battle, scene: Scene) -> None:
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    _engage(battle, scene, [unit.figures[scene["man"]]], [target.figures[scene["foe"]]])


def _engage(battle: Battle, scene: Scene, men: Sequence[Figure], foes: Sequence[Figure]) -> None:
    """Put men west of their enemies in contact, with the height, shelter and facing that people see."""
    battle.field = _fighting_ground(battle, scene["shelter"])
    away = "away" in scene["advantages"]
    put_men(battle, foes, STAGE, EAST if away else WEST, side=1)
    put_men(battle, men, STAGE, EAST, side=-1)
    higher = {"actor": men, "target": foes}.get(scene["height"], ())
    for man in higher:
        man.z += battle.book.higher
    if scene["shelter"] == "door":
        for foe in foes:
            foe.place, foe.post = f"{DOOR}:room", f"{DOOR}:opening"
        battle.houses[DOOR] = BuildingState(1)
    for key in (scene.actor, scene.target):
        battle.units[key].measure()


def _fighting_ground(battle: Battle, shelter: str) -> Plain:
    """Return the plain with the shelter of a melee at the stage (FBN-117, FBN-119, FBN-256)."""
    (x, y), rows = STAGE, battle.book.terrain.values()
    walls = [row for row in rows if row.wall and row.cv]
    trenches = [row for row in rows if row.trench]
    areas = [row for row in rows if row.cv and row.shelter == "inside" and not row.trench and row.move != "closed"]
    pieces: tuple[TerrainPiece[TerrainRow], ...] = ()
    buildings: dict[str, Building[TerrainRow]] = {}
    if shelter in ("target", "trench", "actor"):
        row = trenches[0] if shelter == "trench" else areas[0]
        west, east = (x - 2.0, x) if shelter == "actor" else (x, x + 2.0)
        pieces = (TerrainPiece.area("shelter", row, [(west, y - 1), (east, y - 1), (east, y + 1), (west, y + 1)]),)
    elif shelter == "wall":
        pieces = (TerrainPiece.line("shelter", walls[0], [(x, y - 2), (x, y + 2)]),)
    elif shelter == "door":
        box = (x, y - 2.0, x + 4.0, y + 2.0)
        room = BuildingSection(f"{DOOR}:room", DOOR, 0, box, 20)
        opening = BuildingOpening(f"{DOOR}:opening", "door", room.id, "", STAGE, 0)
        corners = ((x, y - 2.0), (x + 4.0, y - 2.0), (x + 4.0, y + 2.0), (x, y + 2.0))
        row = next(row for row in rows if row.building)
        buildings[DOOR] = Building(DOOR, "sections", row, corners, box, {room.id: room}, {opening.id: opening}, 0.0)
    return open_plain(battle, pieces).copy_with(buildings=buildings)


def _fight(table: Table, battle: Battle, scene: Scene) -> None:
    counts = [len(battle.units[key].figures) for key in (scene.actor, scene.target)]
    strike_with_unit(table, battle, battle.change(battle.units[scene.actor]))
    _note_fight(battle, scene, scene["men"], scene["foes"], counts)


def _duel(table: Table, battle: Battle, scene: Scene) -> None:
    counts = [len(battle.units[key].figures) for key in (scene.actor, scene.target)]
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    strike_blow(table, battle, unit, unit.figures[scene["man"]], target.figures[scene["foe"]])
    men, foes = men_touching(battle, scene.actor, scene.target), men_touching(battle, scene.target, scene.actor)
    _note_fight(battle, scene, max(1, men), max(1, foes), counts)


def _note_fight(battle: Battle, scene: Scene, men: int, foes: int, before: Sequence[int]) -> None:
    """Note who is still in contact after blows: the fighters without those who have fallen since `before`."""
    fallen = [
        count - len(battle.units[key].figures) for key, count in zip((scene.actor, scene.target), before, strict=True)
    ]
    note_contact(battle, scene.actor, scene.target, max(0, men - fallen[0]), max(0, foes - fallen[1]))


def _enemies_at_blows(battle: Battle, actor: str) -> list[str]:
    """Return the enemy units, those in contact first."""
    met = enemies_touched(battle, actor)
    return sorted(enemies_of(battle, actor), key=lambda enemy: enemy not in met)


def _men_at_blows(battle: Battle, scene: Scene) -> int | None:
    """Return how many men of the unit touch the target; None if the book knows of no contact."""
    able = len(_strikers(battle, battle.units[scene.actor]))
    return min(able, men_touching(battle, scene.actor, scene.target)) or None


def _foes_at_blows(battle: Battle, scene: Scene) -> int | None:
    return men_touching(battle, scene.target, scene.actor) or None


_BLOWS = (thrown_together("blow", "parry"), *HITS)


def _advantages(battle: Battle, scene: Scene) -> Choices:
    """Return what may help a side in a fight; each has its own question, except the backs of the defenders."""
    name = battle.units[scene.target].spec.name
    backs = {"away": f"the men of {name} have their backs to the attackers"} if has_flank(battle, scene) else {}
    return {"shelter": "cover, or a wall, trench or door", "height": "one side stands higher", **backs}


def _is_named(fact: str) -> Callable[[Battle, Scene], bool]:
    """Return a function that tells if people have named an advantage."""
    return lambda battle, scene: fact in scene["advantages"]


_GROUND: tuple[Asked[Battle], ...] = (
    Asked("advantages", "Does anything help a side in this fight?", default=(), choices=_advantages, many=True),
    Asked(
        "shelter",
        "Cover in this fight?",
        default=NONE,
        choices=lambda battle, scene: _SHELTERS,
        when=_is_named("shelter"),
    ),
    Asked(
        "height",
        "Does a side stand higher?",
        default="level",
        choices=lambda battle, scene: _HEIGHTS,
        when=_is_named("height"),
    ),
)


CHARGE_ACT = make_act(
    "charge",
    "charge",
    "FBN-041",
    _charge,
    active_if(_runners),
    Asked(
        "stay",
        "How many men of {actor} do not charge, for example because they are in contact already?",
        default=_men_in_melee,
        kind=Count,
    ),
    Asked("contacts", _contacts_text, default=_usual_contacts, kind=Count),
    FLANK,
    targets=enemies_of,
    target_question="Which enemy should {actor} charge?",
    lay_out=_lay_out_charge,
    roll_groups=HITS,
)


GALLOP_ACT = make_act(
    "gallop",
    "gallop or canter into contact",
    "FBN-180",
    _ride_down,
    active_if(_fast_riders),
    Asked("gait", "{actor}: at which gait?", choices=charge_gaits),
    Asked("contacts", _contacts_text, default=_usual_contacts, kind=Count),
    FLANK,
    RIDDEN_AT,
    targets=enemies_of,
    target_question="Which enemy should {actor} ride at?",
    lay_out=_lay_out_charge,
    roll_groups=HITS,
)


STRIKE_ACT = make_act(
    "strike",
    "strike",
    "FBN-104",
    _fight,
    active_if(_strikers),
    Asked(
        "men",
        "How many men of {actor} strike: in contact, or within an inch with a close-combat weapon?",
        default=_men_at_blows,
        kind=Count,
    ),
    Asked("foes", "How many men of {target} can those of {actor} reach?", default=_foes_at_blows, kind=Count),
    *_GROUND,
    targets=_enemies_at_blows,
    target_question="Which enemy should {actor} strike?",
    facts=FightFacts,
    lay_out=_lay_out_fight,
    roll_groups=_BLOWS,
)


DUEL_ACT = make_act(
    "duel",
    "duel: one man strikes another",
    "FBN-120",
    _duel,
    active_if(_strikers),
    Asked("man", "Which man of {actor}?", choices=lambda b, s: men_by_name(_strikers(b, b.units[s.actor]))),
    Asked("foe", "Which man of {target}?", choices=lambda b, s: men_by_name(b.units[s.target].figures.values())),
    *_GROUND,
    targets=_enemies_at_blows,
    target_question="{actor} strikes one man: in which enemy unit?",
    facts=FightFacts,
    lay_out=_lay_out_duel,
    roll_groups=_BLOWS,
)
