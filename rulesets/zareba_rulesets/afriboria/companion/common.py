"""Shared by several kinds of acts: who is who, ways back, and answers that people have given already."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import Any

from zareba.base.grammar import amount, join_with_or
from zareba.companion import Asked, Choices, Scene
from zareba.table import Answer, Choose, Event, Table
from zareba_rulesets.afriboria.book import AfrBook
from zareba_rulesets.afriboria.chapters.combat import STAND, WITHDRAW
from zareba_rulesets.afriboria.chapters.exchange import DEFEND
from zareba_rulesets.afriboria.chapters.movement import (
    move_unit,
)
from zareba_rulesets.afriboria.companion.real_table import (
    BLOCKED,
    EDGE,
    RALLIED,
    piece_named,
    straight_back,
    table_of,
)
from zareba_rulesets.afriboria.forces.battle import Battle, reach_of
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Flier, Unit

TARGET, OWN = "target", "own"


HILLTOP = "hilltop"


NOTHING = "nothing"
"""The ordinary answer about a retreat: nothing is in its way."""


IN_THE_WAY, IN_THE_WAY_AGAIN = "what is in the way of the retreat", "what is in the way of the second retreat"


USUAL, RETREATS, ASK = "stands", "retreats", "decides later"
REACTION_AGAIN = "reaction in the second battle"


TO_DO = "to do"
"""The only word in `waiting` while an act of a stage has still to be done."""


def no_actors(battle: Battle) -> list[str]:
    return []


def own_units(battle: Battle) -> Iterator[Unit]:
    return iter(battle.side_units(battle.active))


def may_move(piece: Unit | Commander | Flier) -> bool:
    """Return True if a piece has an order to move and has not moved (AFR-062, AFR-079)."""
    return "move" in piece.marks and "moved" not in piece.marks


def is_enemy(flier: Flier, enemy: str) -> bool:
    return flier.hex != OFF and flier.spec.side == enemy


def everyone(battle: Battle) -> list[str]:
    pieces: list[Unit | Commander] = [*battle.units.values(), *battle.commanders.values()]
    return [piece.spec.id for piece in pieces if piece.hex != OFF]


def in_one_hex(battle: Battle) -> list[str]:
    """Return all pieces on the table except units that are spread over walls (AFR-321)."""
    return [name for name in everyone(battle) if name not in battle.units or not battle.units[name].sections]


def named(scene: Scene, piece: str) -> str:
    return str(scene.game.narrator.name_of(piece))


def reach_of_actor(battle: Battle, scene: Scene) -> int:
    return reach_of(battle, battle.units[scene.actor])


def hexes_phrase(hexes: int) -> str:
    return "1 hex: close combat" if hexes == 1 else f"{hexes} hexes"


def titles(book: AfrBook, names: Sequence[str]) -> str:
    titles = [HILLTOP if name == HILLTOP else book.file.terrain[name].title for name in names]
    return join_with_or(titles)


REACTIONS_ALONE: Choices = {
    USUAL: "stands; saves or ignores flags",
    RETREATS: "retreats voluntarily before the dice",
    ASK: "stands, and decides about flags after the dice",
}


def retreats_in(events: Sequence[Event]) -> dict[str, int]:
    """Return the hexes that pieces have been forced back, by piece; an event of a voluntary retreat does not count."""
    found: dict[str, int] = {}
    for event in events:
        if event.kind == "retreat" and event.rule == "AFR-238":
            found[event.data["unit"]] = found.get(event.data["unit"], 0) + 1
    return found


def _until_breakthrough(events: Sequence[Event]) -> tuple[Sequence[Event], Sequence[Event]]:
    """Return the events of an act before a breakthrough of cavalry, and those of its second battle (AFR-255)."""
    end = next((place for place, event in enumerate(events) if event.kind == "breakthrough"), len(events))
    return events[:end], events[end:]


def is_driven_back(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return bool(retreats_in(_until_breakthrough(events)[0]))


def _is_driven_back_again(battle: Battle, scene: Scene, events: Sequence[Event]) -> bool:
    return bool(retreats_in(_until_breakthrough(events)[1]))


def _way_back_text(scene: Scene, events: Sequence[Event]) -> str:
    """Return the question of what bars a retreat."""
    ((name, hexes), *_) = retreats_in(events).items()
    back = amount(hexes, "hex", "hexes")
    return f"{named(scene, name)} must go back {back} towards its own edge, each hex nearer to it: what is in the way?"


def way_back_question(battle: Battle, scene: Scene) -> str:
    return _way_back_text(scene, _until_breakthrough(scene.events)[0])


def _second_way_back_question(battle: Battle, scene: Scene) -> str:
    return _way_back_text(scene, _until_breakthrough(scene.events)[1])


def ways_back(battle: Battle, scene: Scene) -> Choices:
    return _ways_back(battle, _until_breakthrough(scene.events)[0], 0)


def _second_ways_back(battle: Battle, scene: Scene) -> Choices:
    """Return how a second retreat can end. A unit that a commander has rallied takes him along, so no other one joins
    it.
    """
    first, second = _until_breakthrough(scene.events)
    name = next(iter(retreats_in(second)))
    found = _ways_back(battle, second, retreats_in(first).get(name, 0))
    rallied = any(event.kind == "rallied" for event in first)
    return {way: words for way, words in found.items() if not (rallied and way[0] == RALLIED)}


def _ways_back(battle: Battle, events: Sequence[Event], gone: int) -> Choices:
    """Return how the retreat of a piece can end (AFR-245 to AFR-248). Its hexes count from where it stood `gone`
    before.
    """
    ((name, hexes), *_) = retreats_in(events).items()
    piece = piece_named(battle, name)
    found: dict[Any, str] = {NOTHING: f"nothing: it goes back {amount(hexes, 'hex', 'hexes')}"}
    for done in range(hexes):
        first = f"after {amount(done, 'hex', 'hexes')} " if done else ""
        found[BLOCKED, gone + done, name, ""] = f"{first}no free hex (enemies, two units, impassable ground)"
        found[EDGE, gone + done, name, ""] = f"{first}the edge of the table: it leaves"
    for chief in battle.side_commanders(piece.spec.side) if isinstance(piece, Unit) else ():
        if chief.hex == piece.hex or len(battle.here.get(chief.hex, ())) >= battle.book.room:
            continue
        for done in range(1, hexes + 1):
            ordinal = "" if hexes == 1 else f" in hex {done}"
            found[RALLIED, gone + done, name, chief.spec.id] = f"{chief.spec.name}{ordinal}: he rallies it there"
    return found


def strike_off(battle: Battle, name: str) -> None:
    battle.waiting = [waiting for waiting in battle.waiting if waiting != name]


def has_free_commander(battle: Battle, scene: Scene) -> bool:
    """Return True if a commander could go along with a unit (AFR-105, AFR-106)."""
    chief = battle.commander_of(battle.units[scene.actor])
    return chief is not None and "moved" not in chief.marks and "along" not in battle.units[scene.actor].marks


def _commander_question(battle: Battle, scene: Scene) -> str:
    chief = battle.commander_of(battle.units[scene.actor])
    assert chief is not None, "the question is asked only with a commander in the hex"
    return f"Does {chief.spec.name} go along with {named(scene, scene.actor)}?"


ALONG: Asked[Battle] = Asked(
    "its commander goes along", _commander_question, default=True, kind=bool, when=has_free_commander
)


def move_by_order(table: Table, battle: Battle, scene: Scene) -> None:
    move_unit(table, battle, battle.units[scene.actor], scene.game.plan)


Settle = Callable[[Battle, Scene, Any], Answer]


def take(wanted: Callable[[Battle, Scene], Answer]) -> Settle:
    """Return a function that takes an option if the rules offer it, and otherwise the first one."""

    def answer(battle: Battle, scene: Scene, question: Choose) -> Answer:
        option = wanted(battle, scene)
        return option if option in question.options else question.options[0]

    return answer


def react(battle: Battle, scene: Scene, question: Choose) -> Answer:
    if any(event.kind == "breakthrough" for event in scene.events):  # a second battle: the defender decides again
        again = scene.answers.get(REACTION_AGAIN)
        return None if again is None else WITHDRAW if again == RETREATS else STAND
    return WITHDRAW if scene["reaction"] == RETREATS else STAND


def defend(battle: Battle, scene: Scene, question: Choose) -> Answer:
    return None if scene["reaction"] == ASK else DEFEND


def answer_flags(battle: Battle, scene: Scene, question: Choose) -> Answer:
    """Ignore or save as many flags as the rules allow, unless the defender wants to decide."""
    return None if scene["reaction"] == ASK else question.options[0]


def same_second(battle: Battle, scene: Scene, question: Choose) -> Answer:
    """Keep the second unit of a platoon; people name another one by a separate act (AFR-298)."""
    second = battle.commanders[question.actor].second
    return second if second in question.options else question.options[-1]


def step_back(battle: Battle, scene: Scene, question: Choose) -> Answer:
    return straight_back(battle, question.options)


def section_phrase(battle: Battle, name: str, cell: int) -> str:
    """Return a section of a unit that is spread over walls in words (AFR-321)."""
    figures = battle.units[name].sections[cell]
    return f"{amount(figures, 'figure')} in the {table_of(battle).structure_name(cell)}"


def _sections_of_target(battle: Battle, scene: Scene) -> Choices:
    return {cell: section_phrase(battle, scene.target, cell) for cell in battle.units[scene.target].sections}


def _is_spread(battle: Battle, scene: Scene) -> bool:
    return scene.target in battle.units and bool(battle.units[scene.target].sections)


SECTION: Asked[Battle] = Asked(
    "section", "Which section of {target} is attacked?", choices=_sections_of_target, when=_is_spread
)


WAY_BACK: Asked[Battle] = Asked(IN_THE_WAY, way_back_question, default=NOTHING, choices=ways_back, after=is_driven_back)


WAY_BACK_AGAIN: Asked[Battle] = Asked(
    IN_THE_WAY_AGAIN,
    _second_way_back_question,
    default=NOTHING,
    choices=_second_ways_back,
    after=_is_driven_back_again,
)
"""The way back of a unit that cavalry fights once more after its breakthrough (AFR-255)."""


BATTLE_SETTLED: dict[str, Settle] = {
    "which unit is attacked": take(lambda battle, scene: scene["attacked"] or scene.target),
    "defender": react,
    "defence": defend,
    "flags": answer_flags,
    "first flag": answer_flags,
    "flags accepted": answer_flags,
    "flags to save": answer_flags,
    "retreat to": step_back,
    "second unit": same_second,
}
