"""What a volley is about to throw: shot by shot, as men fall and those who fire after them aim anew (FBN-092)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from zareba.amounts import amount
from zareba_rulesets.fixed_baynet.aiming import aim_at, firers, target_figures
from zareba_rulesets.fixed_baynet.battle import Battle
from zareba_rulesets.fixed_baynet.fire import ShotFacts, shot_facts
from zareba_rulesets.fixed_baynet.odds.fire import KINDS, NOBODY, MixedVolleyFacts, VolleyFacts, aim_of
from zareba_rulesets.fixed_baynet.openings import Openings
from zareba_rulesets.fixed_baynet.ranges import band_of
from zareba_rulesets.fixed_baynet.sight import Scene, joint_box, range_between, scene_of, stand_point
from zareba_rulesets.fixed_baynet.units import Figure, Unit

__all__ = ["planned_shot", "planned_volley", "volley_odds"]

SOLDIER = -1


class Aim(NamedTuple):
    """A shot at a man: the number of the leader that he is, or SOLDIER, and the facts."""

    leader: int
    facts: ShotFacts


Shot = list[list[Aim | None]]
"""The aims of one shot while none, one, two ... soldiers are out of aim; one such list for each set of leaders who are."""


def planned_shot(battle: Battle, figure: Figure, target: Unit, man: Figure, scene: Scene) -> ShotFacts:
    """The facts of one man's shot at another as things stand."""
    away = range_between(battle, figure, man)
    band = band_of(battle.book, figure.weapon, away, "arm_light" in figure.locations)
    assert band is not None, "only men within reach are aimed at"
    return shot_facts(battle, figure, target, man, scene, band)


def planned_volley(battle: Battle, unit: Unit, target: Unit) -> list[Shot]:
    """The shots of a volley in their order, each at whom it finds then, or at nobody (None).

    Soldiers are taken to go in the order in which they would if every shot hit one. The sets of leaders are numbered with
    a bit for each.
    """
    side, key = unit.spec.side, target.spec.id
    scene, openings = scene_of(battle, joint_box(unit.box, target.box)), Openings(battle)
    leaders = [man.spec.id for man in target_figures(battle, side, target) if man.spec.leads]
    fallen: list[str] = []
    hidden = battle.book.settings.figures_block_los  # whoever falls may bring a nearer man in sight (FBN-078)

    def left_by(absent: int) -> tuple[Battle, list[Figure]]:
        draft = battle.aside(key)
        for name in fallen + [one for bit, one in enumerate(leaders) if absent >> bit & 1]:
            del draft.units[key].figures[name]
        return draft, target_figures(draft, side, draft.units[key])

    def aims_of(figure: Figure, stage: Sequence[tuple[Battle, list[Figure]]]) -> list[Figure | None]:
        found: list[Figure | None] = []
        for draft, men in stage:
            if not hidden and found and (found[-1] is None or found[-1].spec.id in draft.units[key].figures):
                found.append(found[-1])
            else:
                found.append(next(iter(aim_at(draft, unit, figure, men, scene)), None))
        return found

    stages = [[left_by(absent)] for absent in range(1 << len(leaders))]
    volley: list[Shot] = []
    for figure in firers(battle, unit, key):
        found = [aims_of(figure, stage) for stage in stages]
        seen = {man.spec.id: man for men in found for man in men if man is not None}
        first = next(iter(seen.values()), None)
        if first is None or not openings.has_room(figure, stand_point(battle, first), first.place):
            continue
        aims = {
            name: Aim(
                leaders.index(name) if man.spec.leads else SOLDIER, planned_shot(battle, figure, target, man, scene)
            )
            for name, man in seen.items()
        }
        volley.append([[None if man is None else aims[man.spec.id] for man in men] for men in found])
        last = found[-1][-1]
        if last is not None:
            fallen.append(last.spec.id)
            for absent, stage in enumerate(stages):
                stage.append(left_by(absent))
    return volley


def volley_odds(battle: Battle, unit: Unit, target: Unit) -> list[tuple[str, str, Any]]:
    """The volley as a whole, and when its shots are of several kinds each kind for itself; before answers and panic.

    A single shot at a leader tells where it may hit him (FBN-125).
    """
    volley = planned_volley(battle, unit, target)
    firsts = Counter(next(aim for aims in shot for aim in aims if aim is not None) for shot in volley)
    kinds = dict.fromkeys(aim for shot in volley for aims in shot for aim in aims if aim is not None)
    if len(kinds) == 1:
        ((leader, facts),) = kinds
        men = _men(volley, len(target_figures(battle, unit.spec.side, target)))
        if men and leader == SOLDIER:
            plain = VolleyFacts(**aim_of(facts), shots=len(volley), men=men)
            return [(_shots(len(volley), facts), "volley", plain)]
    each = [
        (f"{_shots(count, facts)}, each", "shot", facts)
        if leader == SOLDIER
        else (f"{_shots(count, facts)}, each at a leader", "hero_shot", facts)
        for (leader, facts), count in firsts.items()
    ]
    if len(volley) <= 1:
        return each
    return [(f"{amount(len(volley), 'shot')} in all", "mixed_volley", _mixed(battle, volley, kinds)), *each]


def _shots(count: int, facts: ShotFacts) -> str:
    return f"{amount(count, 'shot')} at {facts.band} range"


def _men(volley: Sequence[Shot], standing: int) -> int:
    """How many men all the shots of a volley find before they find nobody; 0 when some find more of them than others."""
    every = [shot[0] for shot in volley]
    men = min([aims.index(None) for aims in every if None in aims], default=standing)
    return men if all((aim is not None) == (down < men) for aims in every for down, aim in enumerate(aims)) else 0


def _mixed(battle: Battle, volley: Sequence[Shot], kinds: Iterable[Aim]) -> MixedVolleyFacts:
    rules = battle.book.rules
    numbers = {aim: (aim.leader, rules.tally("fire", aim.facts).total) for aim in kinds}
    letters = dict(zip(dict.fromkeys(numbers.values()), KINDS, strict=False))
    at: dict[Aim | None, str] = {None: NOBODY, **{aim: letters[number] for aim, number in numbers.items()}}
    return MixedVolleyFacts(
        needs=tuple(need for _, need in letters),
        leaders=tuple(
            "".join(letter for (whom, _), letter in letters.items() if whom == leader)
            for leader in range(1 + max(whom for whom, _ in letters))
        ),
        shots=tuple("/".join("".join(at[aim] for aim in aims) for aims in shot) for shot in volley),
    )
