"""Fixed Bay'net at a real table: the acts of the rules, and what people have to say about each.

The book of the evening is a battle on an endless plain. Each unit has its own place there, far from all others. Its
positions mean nothing. Distances, cover, contact and the men who take part are laid out for each act as people describe
them; then the functions of play run as on a board.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import Annotated, Any, ClassVar

from annotated_types import Ge

from zareba.base.errors import ZarebaError
from zareba.base.grammar import amount
from zareba.companion import Asked, Choices, Companion, CompanionAct, Opening, Scene
from zareba.game import Game
from zareba.space.field.pieces import TerrainPiece
from zareba.space.geometry import Point
from zareba.table import Answer, Event, RecordedTable, Table
from zareba_rulesets.fixed_baynet.actions.activation import end_activation
from zareba_rulesets.fixed_baynet.book.tables import BANDS, TerrainRow
from zareba_rulesets.fixed_baynet.chapters.aiming import firers, target_figures
from zareba_rulesets.fixed_baynet.chapters.fire import ShotFacts, fire_volley
from zareba_rulesets.fixed_baynet.chapters.morale import glory_phase
from zareba_rulesets.fixed_baynet.chapters.sight import visibility
from zareba_rulesets.fixed_baynet.forces.battle import Battle, Casualty, Flare
from zareba_rulesets.fixed_baynet.forces.ranges import limits_of
from zareba_rulesets.fixed_baynet.forces.units import Figure, Unit
from zareba_rulesets.fixed_baynet.game import FbnGame
from zareba_rulesets.fixed_baynet.ground import Field
from zareba_rulesets.fixed_baynet.presentation.names import unit_state
from zareba_rulesets.fixed_baynet.sequence import Sequence as Phases

_Scene = Scene
_APART = 400.0
"""The distance in inches between the places of two units: more than the range of the heaviest gun."""
_ROW, _DEPTH = 1000.0, 1400.0
"""Where units rest, and the depth of the plain, in inches."""
_STAGE: Point = (600.0, 300.0)
"""Where the target of an act stands, far from all units at rest."""
_HAIR = 1e-3
"""Distances are laid out this much shorter, so that rounding never moves a man into the next range."""
_EAST, _WEST = 90.0, 270.0
_SPARE_PLACES = 30
"""Places for units that are formed in play (FBN-159)."""
_Count = Annotated[int, Ge(0)]
_Inches = Annotated[float, Ge(0)]


# --- The plain on which the book stands ---------------------------------------------------------------------------------


def _plain(field: Field, units: int) -> Field:
    """Return an open plain for so many units, with what the rules need of the field of the scenario."""
    width = _APART * (units + _SPARE_PLACES)
    strip = ((0.0, 0.0), (width, 0.0), (width, 1.0), (0.0, 1.0))
    return Field(
        field.book,
        width,
        _DEPTH,
        deployment=dict.fromkeys(field.deployment, (strip,)),
        home_edge=field.home_edge,
        entrenched=field.entrenched,
        exits=field.exits,
        names=field.names,
    )


def _place_of(battle: Battle, unit: str) -> Point:
    """Return the point around which a unit rests."""
    return _APART * (1 + [*battle.units].index(unit)), _ROW


def _bring(battle: Battle, unit: Unit, at: Point) -> None:
    """Move a unit with its guns to a point, without a change of its order."""
    x, y = unit.middle
    dx, dy = at[0] - x, at[1] - y
    for man in unit.figures.values():
        man.place = man.post = ""
        battle.put(man, man.x + dx, man.y + dy)
    for gun in unit.guns:
        gun.x, gun.y, gun.z = gun.x + dx, gun.y + dy, 0.0
    unit.measure()


def _put(battle: Battle, men: Iterable[Figure], at: Point, facing: float, side: float = 0.0) -> None:
    """Put men on one point, or with `side` (1 or -1) each so that the edge of his base touches it from the east or west."""
    for man in men:
        battle.put(man, at[0] + side * battle.radius(man), at[1])
        man.facing = facing


def _with_cover(battle: Battle, cover: str, at: Point, to: float = 0.0) -> Field:
    """Return the plain with cover around the men who stand at a point, or up to `to` inches east of it."""
    field, row = battle.field, _cover_rows(battle).get(cover)
    if row is None:
        return field
    (x, y), reach = at, 0.2
    inside = row.model_copy(update={"shelter": "inside", "building": False})
    corners = [(x - reach, y - reach), (x + to + reach, y - reach), (x + to + reach, y + reach), (x - reach, y + reach)]
    piece = TerrainPiece.area("cover", inside, corners)
    return Field(field.book, field.width, field.depth, (piece,), entrenched=field.entrenched, home_edge=field.home_edge)


# --- Cover ----------------------------------------------------------------------------------------------------------------


_NONE = "none"
_FAR_COVER = "far"


def _cover_rows(battle: Battle) -> dict[str, TerrainRow]:
    """Return a row of the terrain chart for each kind of cover that people can name (FBN-065, FBN-071).

    Kinds differ in their CV, and in that cover inside an area also counts against bursts.
    """
    found: dict[str, TerrainRow] = {}
    for row in battle.book.terrain.values():
        if row.cv and (row.shelter != "none" or row.building):
            found.setdefault(_kind_of_cover(row), row)
    walls = [row for row in found.values() if row.cv > battle.book.file.cover_reach.cv]
    if walls:
        found[_FAR_COVER] = walls[0].model_copy(update={"cv": battle.book.file.cover_reach.cv, "shelter": "behind"})
    return found


def _kind_of_cover(row: TerrainRow) -> str:
    kind = "trench" if row.trench else "wall" if row.shelter == "behind" or row.building else "area"
    return f"{kind} {row.cv}"


def _covers(battle: Battle, scene: _Scene) -> Choices:
    titles: dict[str, list[str]] = {}
    for row in battle.book.terrain.values():
        if row.cv and (row.shelter != "none" or row.building):
            titles.setdefault(_kind_of_cover(row), []).append(row.title)
    rows = _cover_rows(battle)
    numbers = battle.book.file.cover_reach
    found = {_NONE: "none"}
    for key, names in sorted(titles.items(), key=lambda one: (rows[one[0]].cv, one[0])):
        found[key] = f"CV {rows[key].cv}: {', '.join(dict.fromkeys(names))}"
    if _FAR_COVER in rows:
        found[_FAR_COVER] = f'CV {numbers.cv}: cover more than {numbers.inches}" away, shot at from higher ground'
    return found


# --- Ranges ---------------------------------------------------------------------------------------------------------------


def _man_limits(battle: Battle, man: Figure) -> list[float]:
    """Return the range limits of a man's weapon, as his wounds leave them (FBN-081, FBN-127)."""
    share = battle.book.wounded_arm if "arm_light" in man.locations and battle.book.weapons[man.weapon].long_arm else 1
    least = battle.book.close_reach if battle.book.weapons[man.weapon].close else -1.0
    return [limit * share for limit in limits_of(battle, man) if limit > 0 and limit * share > least]


def _ranges(battle: Battle, scene: _Scene) -> Choices:
    """Return the distances at which something changes for this volley, each with its range bands."""
    unit, target = battle.units[scene.actor], battle.units[scene.target]
    men = [man for man in firers(battle, unit, scene.target) if man.weapon in battle.book.weapons]
    weapons = {man.weapon: man for man in men}
    limits = {limit for man in men for limit in _man_limits(battle, man)}
    most = max(limits, default=0.0)
    if "activated" not in target.marks and battle.book.settings.counter_attack != "off":
        able = [man for man in target.figures.values() if man.weapon in battle.book.weapons]
        limits |= {own[-1] for man in able if (own := _man_limits(battle, man)) and own[-1] < most}
    if battle.night:
        limits = {limit for limit in limits if limit < visibility(battle)} | {min(most, visibility(battle)), most}
    return {limit: _band_words(battle, weapons.values(), limit) for limit in sorted(limits)}


def _band_words(battle: Battle, men: Iterable[Figure], inches: float) -> str:
    found = {}
    for man in men:
        bands = [band for band, limit in zip(BANDS, limits_of(battle, man), strict=True) if limit >= inches]
        found[man.weapon.replace("_", " ")] = bands[0] if bands else "out of range"
    if len(found) == 1:
        return f'{next(iter(found.values()))} (up to {inches:g}")'
    return f'up to {inches:g}": {", ".join(f"{weapon} {band}" for weapon, band in found.items())}'


def _at_distance(battle: Battle, scene: _Scene, inches: float) -> float:
    """Return the limit that a measured distance does not pass (FBN-081). Raises ZarebaError beyond the longest range."""
    limits = [float(limit) for limit in _ranges(battle, scene)]
    found = next((limit for limit in limits if inches <= limit), None)
    if found is None:
        name = battle.units[scene.actor].spec.name
        raise ZarebaError(f'{name} reaches {limits[-1] if limits else 0:g}", not {inches:g}" (FBN-081)')
    return found


# --- Who may do what ------------------------------------------------------------------------------------------------------


def _nobody(battle: Battle) -> list[str]:
    return []


def _active(battle: Battle) -> Unit | None:
    """Return the active unit, if it is on the table."""
    unit = battle.units[battle.active] if battle.active else None
    return unit if unit is not None and unit.on_table else None


def _waiting(battle: Battle) -> list[str]:
    """Return the units that the side whose turn it is may activate (FBN-013)."""
    if battle.phase != "actions" or battle.active:
        return []
    for onward in range(len(battle.order)):
        side = battle.order[(battle.at + onward) % len(battle.order)]
        found = [key for key in battle.waiting if battle.units[key].spec.side == side and battle.units[key].on_table]
        if found:
            return found
    return []


def _if(able: Callable[[Battle, Unit], object]) -> Callable[[Battle], list[str]]:
    """Return the actors of an act of the active unit: the unit, if it is able."""

    def actors(battle: Battle) -> list[str]:
        unit = _active(battle)
        return [unit.spec.id] if unit is not None and able(battle, unit) else []

    return actors


def _enemies(battle: Battle, actor: str) -> list[str]:
    return [unit.spec.id for unit in battle.enemies(battle.units[actor].spec.side)]


def _fire_targets(battle: Battle, actor: str) -> list[str]:
    """Return the enemy units with men who can be aimed at: not all prone (FBN-052)."""
    unit = battle.units[actor]
    enemies = battle.enemies(unit.spec.side)
    return [one.spec.id for one in enemies if target_figures(battle, unit.spec.side, one) and firers(battle, unit, one.spec.id)]


def _may_fire(battle: Battle, unit: Unit) -> bool:
    """Return True if a unit has men who may fire small arms; a crew serves its gun (FBN-205)."""
    return not any(gun.in_play for gun in unit.guns) and bool(_fire_targets(battle, unit.spec.id))


def _common_first(man: Figure) -> tuple[int, bool]:
    """Return the order in which men take part: those with most AC left, common soldiers before leaders."""
    return -man.ac, man.spec.leads or man.spec.bearer or man.spec.role == "medic"


# --- Fire -----------------------------------------------------------------------------------------------------------------


def _firing(battle: Battle, scene: _Scene) -> list[Figure]:
    """Return the men who fire. Raises ZarebaError if people named more than there are."""
    men = firers(battle, battle.units[scene.actor], scene.target)
    count = scene.answers.get("men")
    if count is None:
        return men
    if not 1 <= count <= len(men):
        raise ZarebaError(f"{amount(len(men), 'man', 'men')} of {battle.units[scene.actor].spec.name} can fire")
    return sorted(men, key=_common_first)[:count]


def _lay_out_shot(battle: Battle, scene: _Scene) -> None:
    """Put the firers and their targets at the distance and in the cover that people see."""
    unit, target = battle.change(battle.units[scene.actor]), battle.change(battle.units[scene.target])
    men = _firing(battle, scene)
    aimed = [*target_figures(battle, unit.spec.side, target)]
    away = int(scene.answers.get("unseen") or 0)
    aimed = sorted(aimed, key=lambda man: man.spec.leads or man.spec.bearer)[: max(0, len(aimed) - away)]
    if not aimed:
        raise ZarebaError(f"no man of {target.spec.name} is left to aim at")
    _face_off(battle, men, aimed, float(scene["distance"]))
    for one in (unit, target):
        one.measure()
    widest = max(battle.radius(man) for man in aimed)
    battle.field = _with_cover(battle, scene["cover"], (_STAGE[0] + 0.1, _STAGE[1]), widest)
    battle.flares = [Flare(*_STAGE, battle.turn)] if scene.answers.get("lit") else []


def _face_off(battle: Battle, men: Iterable[Figure], aimed: Iterable[Figure], inches: float) -> None:
    """Put men so many inches west of others, edge to edge. Common soldiers are a hair nearer than leaders."""
    for man in aimed:
        near = 0.0 if man.spec.leads or man.spec.bearer else _HAIR / 2
        _put(battle, [man], (_STAGE[0] - near, _STAGE[1]), _WEST, side=1)
    _put(battle, men, (_STAGE[0] - inches + _HAIR, _STAGE[1]), _EAST, side=-1)


def _fire(table: Table, battle: Battle, scene: _Scene) -> None:
    fire_volley(table, battle, battle.change(battle.units[scene.actor]), battle.units[scene.target])


# --- The sequence of play ---------------------------------------------------------------------------------------------------


def _phases(scene: _Scene) -> Phases:
    sequence = scene.game.sequence
    assert isinstance(sequence, Phases), "the companion has set it"
    return sequence


def _roll_initiative(table: Table, battle: Battle, scene: _Scene) -> None:
    _phases(scene).initiative_roll(table, battle)


def _activate(table: Table, battle: Battle, scene: _Scene) -> None:
    _phases(scene).actions_unit(table, battle)


def _this_unit(battle: Battle, scene: _Scene, question: Any) -> Answer:
    return scene.actor if scene.actor in question.options else question.options[0]


def _end_activation(table: Table, battle: Battle, scene: _Scene) -> None:
    unit = battle.change(battle.units[scene.actor])
    end_activation(table, battle, unit)
    _phases(scene).after_activation(table, battle, unit)


def _test_glory(table: Table, battle: Battle, scene: _Scene) -> None:
    glory_phase(table, battle)
    _phases(scene).move_on(table, battle)


def _end_turn(table: Table, battle: Battle, scene: _Scene) -> None:
    _phases(scene).housekeeping_turn(table, battle)


# --- The companion --------------------------------------------------------------------------------------------------------


_SHOTS = (frozenset({"shot"}), frozenset({"counter-attack"}), frozenset({"hit location"}), frozenset({"panic"}))
_DISTANCE: Asked[Battle] = Asked(
    "distance",
    "How far from {actor} to {target}?",
    choices=_ranges,
    unit="inches",
    measured=_at_distance,
)
_COVER: Asked[Battle] = Asked("cover", "Cover of {target}?", default=_NONE, choices=_covers)
_LIT: Asked[Battle] = Asked(
    "lit", "Does a flare light {target}?", default=False, kind=bool, when=lambda battle, scene: battle.night
)

ACTS: tuple[CompanionAct[Battle], ...] = (
    CompanionAct(
        name="initiative",
        title="roll for initiative",
        rule="FBN-008",
        run=_roll_initiative,
        actors=_nobody,
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="activate",
        title="activate",
        rule="FBN-013",
        run=_activate,
        actors=_waiting,
        settled={"activate": _this_unit},
        out_of_turn=False,
    ),
    CompanionAct(
        name="fire",
        title="fire",
        rule="FBN-092",
        run=_fire,
        actors=_if(_may_fire),
        targets=_fire_targets,
        asks=(_DISTANCE, _COVER, _LIT),
        facts=ShotFacts,
        lay_out=_lay_out_shot,
        together=_SHOTS,
    ),
    CompanionAct(
        name="some",
        title="fire with some of its men, or at some of the enemy's",
        rule="FBN-092",
        run=_fire,
        actors=_if(_may_fire),
        targets=_fire_targets,
        asks=(
            Asked("men", "How many men of {actor} fire?", kind=_Count),
            Asked(
                "unseen",
                "How many men of {target} cannot be aimed at, out of sight or in contact with friends?",
                default=0,
                kind=_Count,
            ),
            _DISTANCE,
            _COVER,
            _LIT,
        ),
        facts=ShotFacts,
        lay_out=_lay_out_shot,
        together=_SHOTS,
    ),
    CompanionAct(
        name="end",
        title="end the activation",
        rule="FBN-016",
        run=_end_activation,
        actors=_if(lambda battle, unit: True),
        out_of_turn=False,
        has_odds=False,
    ),
    CompanionAct(
        name="glory",
        title="test glory, and recover from panic",
        rule="FBN-147",
        run=_test_glory,
        actors=_nobody,
        out_of_turn=False,
        has_odds=False,
        together=(frozenset({"recovery"}),),
    ),
    CompanionAct(
        name="turn",
        title="end the turn",
        rule="FBN-017",
        run=_end_turn,
        actors=_nobody,
        out_of_turn=False,
        has_odds=False,
    ),
)

_DUE = {"initiative": "initiative", "glory": "glory", "housekeeping": "turn"}
"""The act that a phase demands."""
_FIRST = ("volley", "salvo", "charge", "gun fires")
"""Events that say what an act was; they are told before the losses it caused."""


class FbnCompanion(Companion[Battle]):
    """An evening of Fixed Bay'net at a real table."""

    game: FbnGame
    acts: ClassVar[Sequence[CompanionAct[Any]]] = ACTS

    def __init__(self, game: Game[Battle]) -> None:
        assert isinstance(game, FbnGame)
        super().__init__(game)
        plan = game.plan
        field = _plain(plan.field, len(plan.squads))
        numbers = {unit: number for number, unit in enumerate(plan.squads, 1)}
        entries = {unit: (turn, (_APART * numbers[unit], _ROW), edge) for unit, (turn, _, edge) in plan.entries.items()}
        game.plan = replace(plan, field=field, entries=entries)
        game.sequence = Phases(game.policy, game.scenario, game.plan)
        self._phases = game.sequence

    def start(self) -> Battle:
        """Return the battle with all units set up. People deploy the figures as they like (FBN-011)."""
        battle = self.game.start()
        battle.field, battle.waiting = self.game.plan.field, []
        for key in [*battle.units]:
            unit = battle.units.change(key)
            unit.unmark("hidden", "unformed")
            _bring(battle, unit, _place_of(battle, key))
        return battle

    # --- the sequence of play -------------------------------------------------------------------------------------------

    def openings(self, state: Battle) -> Sequence[Opening]:
        due = _DUE.get(state.phase)
        if due is not None:
            return [Opening(due, (), due=True)]
        unit = _active(state)
        if unit is None:
            waiting = _waiting(state)
            return [Opening("activate", tuple(waiting), due=True)] if waiting else []
        offered = [act for act in self.acts if act.name not in ("initiative", "activate", "glory", "turn")]
        found = [Opening(act.name, tuple(act.actors(state))) for act in offered]
        return [opening for opening in found if opening.actors]

    def advance(self, state: Battle) -> None:
        table = RecordedTable(self.game.rules, state, ())
        if state.phase in ("initiative", "housekeeping"):
            raise ZarebaError(f"{self.act_named[_DUE[state.phase]].title} first: play cannot go on without it")
        if state.active:
            _end_activation(table, state, Scene(self.game, state.active))
            return
        state.waiting = []
        self._phases.move_on(table, state)

    def acting_side(self, state: Battle) -> str:
        if state.active:
            return state.units[state.active].spec.side
        waiting = _waiting(state)
        return state.units[waiting[0]].spec.side if waiting else ""

    def headline(self, state: Battle) -> str:
        side = self.acting_side(state)
        whose = [self.game.narrator.name_of(side)] if side else []
        active = [self._active_words(state)] if state.active else []
        return " · ".join([self.game.display.headline(state, *whose), *active])

    def _active_words(self, state: Battle) -> str:
        """Return the name of the active unit and the AC of its men."""
        unit = state.units[state.active]
        left = sorted({man.ac for man in unit.figures.values() if man.able}, reverse=True)
        guns = [f"gun {number} {gun.ac} AC" for number, gun in enumerate(unit.guns, 1) if gun.in_play]
        men = f"{' or '.join(map(str, left))} AC each" if left else "no man able"
        return f"{unit.spec.name}: {', '.join([men, *guns])}"

    # --- after an act -----------------------------------------------------------------------------------------------------

    def tidy(self, before: Battle, after: Battle, events: Sequence[Event]) -> None:
        """Bring every man and gun back to his place. Losses, AC, marks and glory are what remains."""
        after.field, after.menu = before.field, None
        if not any(event.kind == "flare" for event in events):
            after.flares = [flare for flare in before.flares if after.turn == before.turn or flare.until >= after.turn]
        for key in [*after.units]:
            unit = after.units.change(key)
            old = before.units.get(key)
            at = _place_of(after, key)
            arrived = old is not None and "away" in old.marks and "away" not in unit.marks
            for man in unit.figures.values():
                was = old.figures.get(man.id) if old is not None and not arrived else None
                if was is not None:
                    battle_place = was.x, was.y, was.z, was.facing
                else:
                    battle_place = (man.x, man.y, man.z, man.facing) if arrived else (*at, 0.0, 0.0)
                man.x, man.y, man.z, man.facing = battle_place
                man.place = man.post = ""
            if old is not None and not arrived:
                for gun, kept in zip(unit.guns, old.guns, strict=True):
                    gun.x, gun.y, gun.z, gun.bearing = kept.x, kept.y, kept.z, kept.bearing
            unit.measure()
        after.fallen = tuple(
            one if one in before.fallen else Casualty(one.figure, one.unit, *_place_of(after, one.unit), one.curable) for one in after.fallen
        )

    def sentences(self, events: Sequence[Event]) -> Sequence[str]:
        """Return what happened: what the act was, then the losses of each unit in one sentence, then the rest."""
        ordered = sorted(events, key=lambda event: event.kind not in _FIRST)
        losses: dict[str, list[Event]] = {}
        for event in ordered:
            if event.kind == "loss" and not self._is_named(event):
                losses.setdefault(event.data["unit"], []).append(event)
        found: list[str] = []
        told: list[Event] = []
        for event in ordered:
            unit = event.data.get("unit")
            if event.kind == "loss" and unit in losses:
                if event is losses[unit][0]:
                    told.append(event)
            if event.kind != "loss" or self._is_named(event):
                told.append(event)
        for event in told:
            if event.kind == "loss" and not self._is_named(event):
                found.append(self._losses(losses[event.data["unit"]]))
            else:
                found += [one for one in super().sentences([event]) if one not in found]
        return found

    def _is_named(self, event: Event) -> bool:
        """Return True if a loss is that of a leader, bearer or medic, who is told of by name."""
        spec = self.game.origin.specs[event.data["figure"]]
        return spec.leads or spec.bearer or spec.role == "medic"

    def _losses(self, events: Sequence[Event]) -> str:
        """Return the losses of common men of one unit as a sentence."""
        how = [event.data["how"] for event in events]
        words = {"down": "fell", "bloody death": "killed at once", "captured": "taken prisoner", "killed": "killed"}
        counted = [f"{how.count(one)} {text}" for one, text in words.items() if one in how]
        name = self.game.narrator.name_of(events[0].data["unit"])
        return f"{name} lost {amount(len(how), 'man', 'men')}: {', '.join(counted)}"

    # --- the book ---------------------------------------------------------------------------------------------------------

    def units(self, state: Battle, side: str) -> Sequence[str]:
        return [key for key, unit in state.units.items() if unit.spec.side == side]

    def unit_line(self, state: Battle, unit: str) -> str:
        one = state.units[unit]
        if unit in state.arrivals:
            return "still to arrive"
        if not one.on_table:
            return state.gone.get(unit, "off the table")
        return unit_state(one)

    def strength_boxes(self, state: Battle, unit: str) -> tuple[int, int]:
        one = state.units[unit]
        left = 0 if unit in state.gone else len(one.figures)
        return left, max(left, state.left.get(unit, one.start))
