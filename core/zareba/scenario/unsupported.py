"""Words that conflict with each other, and words that a ruleset does not support."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from typing import Final, TypeAlias, get_args

from pydantic import Field, StrictBool, StrictStr, model_validator

from zareba.base.errors import unknown_name
from zareba.base.grammar import amount
from zareba.base.yamlfile import Id, YamlModel
from zareba.renamed import accept_old_keys
from zareba.scenario.model import Gun, Scenario, Terrain, Unit
from zareba.scenario.vocabulary import AREA_KINDS, CREWED, FIREARMS, LINE_KINDS, Arm, Armament, Mount, Weapon
from zareba.scenario.vocabulary.words import ARMS, TERRAIN, WEAPONS, word_with_ancestors

# --- Features of a scenario that a ruleset does not support: the notes that players get before the game ---------------
#
# The words a ruleset supports, and the substitutes it uses for others, are data in its `ruleset.yaml`. A house rule
# that gives night an effect adds the word, and the note about night disappears.


_Note: TypeAlias = Callable[[Scenario, Sequence[Unit]], str]

_OF_UNITS: tuple[str, ...] = tuple(word for words in (Arm, Armament, Mount, Weapon) for word in get_args(words))
GOES_FIRST = "the scenario's choice of the side that goes first"
"""The note for rules that decide by themselves who goes first."""
_NOTED: Mapping[str, None] = dict.fromkeys(("siege", *AREA_KINDS, *LINE_KINDS, *_OF_UNITS))
"""The words a note can be about: a scenario flag, a kind of terrain, or a unit's arm, armament, mount or weapon."""


TRAIT_NAMES: Mapping[str, str] = {
    "fanatic": "fanatics",
    "fearful_of_cavalry": "troops fearful of cavalry",
    "formed": "formed troops (drilled in close order)",
    "hero": "heroes",
    "ladders": "troops with ladders",
    "medic": "medics",
    "musician": "musicians",
    "no_quarter": "troops who give no quarter",
    "sniper": "snipers",
    "standard": "standard bearers",
    "volley": "troops drilled to fire volleys",
}
"""The troops with a trait as players call them; a trait that is missing here is called by its own name."""


def left_out(unit: Unit, cite: str = "") -> str:
    """Return a note that a ruleset has no rules for a unit's arm; `cite` is the rule that says so, if there is one."""
    arm = f"{unit.arm}s" if ARMS[unit.arm].counted else unit.arm
    return f"{unit.name}: takes no part, because {arm.replace('_', ' ')} are not in these rules{f' ({cite})' if cite else ''}"


class UnsupportedWord(YamlModel):
    """A note to players for scenarios that use one of these words, such as what it is replaced by.

    `{units}` in the text stands for the names of the units that have the word.
    """

    words: list[StrictStr] = Field(min_length=1)
    note: StrictStr

    _old = accept_old_keys({"of": "words", "say": "note"})

    @model_validator(mode="after")
    def _known(self) -> UnsupportedWord:
        _check_words(self.words, _NOTED)
        return self

    def note_for(self, scenario: Scenario, units: Sequence[Unit]) -> str:
        """Return the note; "" if the scenario uses none of the words."""
        units_with_word = [unit for unit in units if not set(self.words).isdisjoint(_words_of(unit))]
        other_words = {piece.kind for piece in scenario.terrain.values()} | ({"siege"} if scenario.siege else set())
        if not units_with_word and other_words.isdisjoint(self.words):
            return ""
        return self.note.replace("{units}", ", ".join(unit.name for unit in units_with_word))


class SupportedWords(YamlModel):
    """The scenario words that have an effect in a ruleset: keys of `WORDS`, and traits of units.

    A trait may be one that a single scenario defines. `notes`: the ruleset's own notes on words that it does not
    support.
    """

    words: dict[str, StrictBool] = Field(default_factory=dict)
    traits: dict[Id, StrictBool] = Field(default_factory=dict)
    notes: dict[str, UnsupportedWord] = Field(default_factory=dict)

    @model_validator(mode="after")
    def _known(self) -> SupportedWords:
        _check_words(self.words, WORDS)
        return self


def _check_words(words: Iterable[str], known: Collection[str]) -> None:
    """Raise ValueError with the nearest word if one of these is not known."""
    for word in words:
        if word not in known:
            raise ValueError(str(unknown_name("word of a scenario called", word, known)))


def _words_of(unit: Unit) -> tuple[str, ...]:
    return (unit.arm, unit.weapon, unit.mounted_on, *unit.armament)


def unsupported_words(
    scenario: Scenario, supported: SupportedWords, units: Iterable[Unit] | None = None, used: Collection[str] = ()
) -> list[str]:
    """Return a note on each of `WORDS` used by the scenario but not supported, then the ruleset's own notes.

    `units`: the units that take part, by default all. `used`: further words of units that the rules use, such as
    conditions of a unit mapping.
    """
    taking_part = list(scenario.units.values() if units is None else units)
    words = {word for word, is_supported in supported.words.items() if is_supported}.union(used)
    traits = {trait for trait, is_supported in supported.traits.items() if is_supported}.union(used)
    notes = [note(scenario, taking_part) for word, note in WORDS.items() if word not in words]
    unsupported_traits = sorted({trait for unit in taking_part for trait in unit.traits} - traits)
    if unsupported_traits:
        names = [TRAIT_NAMES.get(trait, trait.replace("_", " ")) for trait in unsupported_traits]
        notes.append(f"special troops: {', '.join(names)}")
    notes += [own_note.note_for(scenario, taking_part) for own_note in supported.notes.values()]
    return [note for note in notes if note]


def _hidden_units_note(_: Scenario, units: Sequence[Unit]) -> str:
    hidden = sum(unit.hidden and unit.arrival is None for unit in units)
    return f"hidden deployment: {amount(hidden, 'hidden unit')} openly on the table" if hidden else ""


def _events_note(scenario: Scenario, _: Sequence[Unit]) -> str:
    count = len(scenario.events)
    return f"{amount(count, 'event')} of weather or light" if count else ""


def _guns(units: Sequence[Unit]) -> list[Gun]:
    return [unit.gun for unit in units if unit.gun is not None]


def _note_if(applies: Callable[[Scenario, Sequence[Unit]], bool], sentence: str) -> _Note:
    """Return the function that gives a note for the scenarios to which it applies."""
    return lambda scenario, units: sentence if applies(scenario, units) else ""


def _terrain_note(field: str, usual: object, sentence: str) -> _Note:
    """Return a note for terrain with a value in this field other than None and the `usual` one."""
    return _note_if(lambda s, _: any(getattr(p, field) not in (None, usual) for p in s.terrain.values()), sentence)


def _leader_note(field: str, usual: object, sentence: str) -> _Note:
    """Return a note for leaders with a value in this field other than the `usual` one."""
    return _note_if(lambda s, _: any(getattr(leader, field) != usual for leader in s.leaders.values()), sentence)


WORDS: Mapping[str, _Note] = {
    "hidden": _hidden_units_note,
    "hidden_rule": _note_if(
        lambda s, _: any(forces.terrain or forces.rule == "zone" for forces in s.hidden.values()),
        "the places of hidden units",
    ),
    "dummies": _note_if(lambda s, _: any(forces.dummies for forces in s.hidden.values()), "dummy markers"),
    "night": _note_if(lambda s, _: s.night, "night: no effect on sight or fire"),
    "fog": _note_if(lambda s, _: s.fog, "fog: no effect on sight or fire"),
    "events": _events_note,
    "first": _note_if(lambda s, _: s.first in s.sides, GOES_FIRST),
    "deploys": _note_if(
        lambda s, _: len({side.deploys for side in s.sides.values()}) > 1,
        "the order in which the sides set up",
    ),
    "entrenched": _note_if(lambda s, _: s.entrenched, "an entrenched table"),
    "orders": _note_if(
        lambda _, units: any(u.orders for u in units), "the scenario's orders to single units; you decide what they do"
    ),
    "parent": _note_if(lambda _, units: any(u.parent for u in units), "larger formations that units belong to"),
    "formation": _note_if(lambda _, units: any(u.formation for u in units), "formations at the start"),
    "facing": _note_if(lambda _, units: any(u.facing for u in units), "facings at the start"),
    "draught": _note_if(lambda _, units: any(u.draught for u in units), "the transport of guns and wagons"),
    "gun_class": _note_if(
        lambda _, units: any(gun.kind != "field" for gun in _guns(units)), "kinds of guns, which are treated alike"
    ),
    "ammunition": _note_if(
        lambda _, units: any(gun.ammunition != ("shell",) for gun in _guns(units)), "kinds of ammunition"
    ),
    "loyalty": _leader_note("loyalty", {}, "loyalty of leaders"),
    "flares": _leader_note("flares", 0, "flares"),
    "hero": _leader_note("hero", False, "heroes among leaders"),
    "leader_quality": _leader_note("quality", "veteran", "quality of leaders"),
    "leader_mounted": _leader_note("mounted", False, "mounted leaders"),
    "floors": _terrain_note("floors", 1, "floors of buildings"),
    "rooms": _terrain_note("rooms", False, "rooms of buildings"),
    "material": _terrain_note("material", None, "materials of walls and buildings"),
    "strength": _terrain_note("strength", None, "strengths of structures"),
    "true_fortification": _terrain_note("true_fortification", False, "true fortifications"),
    "slope": _note_if(
        lambda s, _: any(p.slope == "steep" for p in s.terrain.values()), "steep slopes, which count as gentle ones"
    ),
    "levels": _terrain_note("levels", 1, "levels of hills"),
    "gate_kind": _note_if(
        lambda s, _: any(gate.kind != "light_wood" for p in s.terrain.values() for gate in p.gates.values()),
        "materials of gates",
    ),
    "gate_open": _note_if(
        lambda s, _: any(gate.open for p in s.terrain.values() for gate in p.gates.values()),
        "open gates",
    ),
    "heavy": _note_if(
        lambda s, _: any(thing.heavy for thing in s.objects.values()), "heavy objects, which are carried like others"
    ),
    "count": _note_if(
        lambda s, _: any(thing.count > 1 for thing in s.objects.values()),
        "numbers of an object, which counts as one",
    ),
}
"""The features a scenario may use, in the order of its file, with the note for rulesets that do not support them."""


# --- Fields of one unit, or of one piece of terrain, that contradict each other ---------------------------------------


_ON_FOOT: Final = (*(name for name, word in ARMS.items() if word.role == "on_foot"), "civilians")
_MACHINES: Final = tuple(name for name, word in ARMS.items() if word.role == "machine")
_LONG_ARMS: Final = frozenset(name for name, word in WEAPONS.items() if word.firearm == "long")

_ONLY_FOR: Final[dict[str, tuple[str, ...]]] = {
    "slope": ("hill",),
    "levels": ("hill",),
    "crest": ("hill",),
    "depth": ("river",),
    "floors": ("building",),
    "rooms": ("building",),
    "material": ("building", "village", "high_wall", "rampart"),
    "true_fortification": ("building", "high_wall", "rampart"),
    "strength": ("building", "high_wall", "rampart"),
    "gates": ("fence", "low_wall", "high_wall", "zareba", "rampart"),
}


def terrain_conflicts(piece: Terrain) -> Iterator[tuple[str, str]]:
    """Yield each field of a piece of terrain that does not suit its kind, with a message saying how to fix it."""
    either = TERRAIN[piece.kind].shape == "either"
    if piece.kind in LINE_KINDS and piece.line is None:
        yield "kind", f"a {piece.kind} is a line; give 'line' with at least two points"
    elif piece.kind in AREA_KINDS and piece.area is None and (not either or piece.line is None):
        yield "kind", f"a {piece.kind} is an area; give 'area' with at least three corners"
    if piece.area is not None and piece.kind in LINE_KINDS:
        yield "area", f"a {piece.kind} is a line; remove 'area'"
    if piece.line is not None and piece.kind in AREA_KINDS and not either:
        yield "line", f"a {piece.kind} is an area; remove 'line'"
    if piece.area is not None and piece.line is not None and either:
        yield "line", f"a {piece.kind} is an area or a line; remove one"
    if piece.width is not None and piece.line is None:
        yield "width", "only a line has a width; remove it"
    for name, kinds in _ONLY_FOR.items():
        if getattr(piece, name) and set(kinds).isdisjoint(word_with_ancestors(piece.kind, TERRAIN)):
            yield name, f"'{name}' does not suit a {piece.kind}, only {_either(kinds)}; remove it"


def unit_conflicts(unit: Unit) -> Iterator[tuple[str, str]]:
    """Yield each field of a unit that contradicts another, with a message saying how to fix it."""
    yield from _misfits_of_arm(unit)
    yield from _misfits_of_weapons(unit)
    yield from _misfits_of_formation(unit)
    yield from _misfits_of_traits(unit)


def _misfits_of_arm(unit: Unit) -> Iterator[tuple[str, str]]:
    arm = unit.arm
    if arm == "artillery" and unit.gun is None:
        yield "arm", "artillery needs guns; add 'gun'"
    if arm != "artillery" and unit.gun is not None:
        yield "gun", f"'gun' does not suit the arm {arm}, only artillery; remove it"
    if unit.gun is not None and unit.figures < unit.gun.pieces:
        yield (
            "figures",
            f"{amount(unit.figures, 'figure')} cannot serve {amount(unit.gun.pieces, 'gun')}; add men or remove guns",
        )
    if unit.draught is not None and arm not in CREWED:
        yield "draught", f"'draught' does not suit the arm {arm}, only {_either(CREWED)}; remove it"
    if unit.strength is not None and arm != "airship":
        yield "strength", f"'strength' does not suit the arm {arm}, only airship; remove it"
    if ARMS[arm].role == "mounted" and unit.mount == "none":
        yield "mount", f"{arm} without mounts is infantry; change the arm or the mount"
    if ARMS[arm].mount == "camel" and unit.mount == "horse":
        yield "mount", f"{arm} rides camels; change the arm or the mount"
    if arm in CREWED and unit.mounted:
        yield "mount", "a crew does not ride into action; use 'draught: horse'"
    if arm in _MACHINES and unit.mounted:
        yield "mount", f"the crew of a {arm} does not ride; remove the mount"
    if arm == "civilians" and unit.kind != "civilian":
        yield "kind", "civilians must be of the kind civilian; people who fight are infantry"


def _misfits_of_weapons(unit: Unit) -> Iterator[tuple[str, str]]:
    arm = unit.arm
    if arm == "civilians" and unit.weapon not in ("none", "thrown_rocks"):
        yield (
            "weapon",
            f"civilians do not carry the weapon {unit.weapon}; armed ones are infantry of kind civilian",
        )
    if unit.share < 1 and unit.weapon == "none":
        yield "share", "'share' needs a weapon; name the weapon or remove the share"
    if unit.close_weapon == "lance" and arm in CREWED:
        yield "close_weapon", f"the crew of {arm} cannot fight with the lance; choose sword, knife or none"
    elif unit.close_weapon == "lance" and not unit.mounted:
        yield "close_weapon", "a lance needs a mount; give one, or choose the spear"
    if unit.close_weapon == "bayonet" and unit.weapon not in _LONG_ARMS:
        yield (
            "close_weapon",
            f"a bayonet does not fit on the weapon {unit.weapon}; choose another close weapon",
        )
    if unit.armament and arm not in (*_MACHINES, "machine_gun"):
        yield "armament", f"'armament' does not suit the arm {arm}, only {_either(_MACHINES)}; remove it"
    if "bombs" in unit.armament and arm not in ("aircraft", "airship"):
        yield "armament", f"the arm {arm} cannot drop bombs; only aircraft and airship can"


def _misfits_of_formation(unit: Unit) -> Iterator[tuple[str, str]]:
    formation = unit.formation
    if formation == "square" and (unit.arm != "infantry" or unit.mounted):
        yield "formation", "only infantry on foot forms square; choose another formation"
    if formation in ("limbered", "unlimbered") and unit.arm not in CREWED:
        yield "formation", f"'{formation}' is for {_either(CREWED)}; choose another formation"
    if formation == "laager" and unit.arm != "wagon":
        yield "formation", "only wagons form a laager; choose another formation"
    if formation in ("line", "mass") and unit.arm in CREWED:
        yield "formation", "guns are limbered or unlimbered; choose one"


def _misfits_of_traits(unit: Unit) -> Iterator[tuple[str, str]]:
    traits = unit.traits
    if "lancers" in traits and unit.close_weapon != "lance":
        yield "traits", "lancers need the lance; set 'close_weapon: lance' or remove the trait"
    for trait in ("volley", "sniper"):
        if trait in traits and unit.weapon not in FIREARMS:
            yield "traits", f"'{trait}' needs a firearm; name the weapon or remove the trait"
    for trait in ("ladders", "engineers"):
        if trait in traits and (unit.arm not in _ON_FOOT or unit.mounted):
            yield "traits", f"'{trait}' needs men on foot; remove the trait"
    if "fanatic" in traits and unit.kind not in ("tribal", "own_led_regular"):
        yield "traits", f"'fanatic' does not suit the kind {unit.kind}; remove the trait"
    if len(set(traits)) < len(traits):
        yield "traits", "a trait is listed twice; keep one"


def _either(words: tuple[str, ...]) -> str:
    return " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else words[0]
