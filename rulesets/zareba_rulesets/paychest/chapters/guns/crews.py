"""Crews of guns and machine guns, and whether a gun can fire (PAY-172 to PAY-184)."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from zareba.table import Table
from zareba_rulesets.paychest.chapters.movement.machines import crew_at
from zareba_rulesets.paychest.chapters.sight.contact import foes_near, in_contact
from zareba_rulesets.paychest.forces.battle import Battle, Engine, gun_limit, kind_of
from zareba_rulesets.paychest.forces.load_bearers import is_burdened
from zareba_rulesets.paychest.forces.units import Figure

__all__ = ["choose_servers", "fit_crew", "is_ready", "note_service", "servers"]


def fit_crew(battle: Battle, engine: Engine) -> list[Figure]:
    """Return the crew that could serve a gun now: first those already serving it, then by skill, best first.

    They touch the gun, have not fired their own weapons, carry nothing heavy, touch no enemy and are fit to serve
    (PAY-172, PAY-178, PAY-184).
    """
    unit = battle.unit(engine.unit)
    foes = foes_near(battle, unit)
    fit = [
        figure
        for figure in crew_at(battle, engine)
        if not figure.shots
        and figure.marks.isdisjoint(("down", "ran", "back turned", "clearing"))
        and not figure.armless
        and not is_burdened(battle, figure)
        and not (foes and in_contact(battle, figure, foes))
        and ("served" not in figure.marks or figure.spec.id in engine.served_by)  # a figure serves only one gun
    ]
    fit.sort(key=lambda figure: ("served" not in figure.marks, -figure.spec.firearms))
    return fit


def servers(battle: Battle, engine: Engine) -> list[Figure]:
    """Return the crew that serves a gun, or none if there are too few (PAY-178, PAY-184)."""
    return _enough_crew(battle, engine, fit_crew(battle, engine))


def _enough_crew(battle: Battle, engine: Engine, fit: list[Figure]) -> list[Figure]:
    need = battle.book.file.guns[kind_of(engine)].crew
    return sorted(fit[:need], key=_by_skill) if len(fit) >= need else []


def _by_skill(figure: Figure) -> int:
    return -figure.spec.firearms


def choose_servers(table: Table, battle: Battle, engine: Engine, key: str) -> list[Figure]:
    """Return the crew that serves a gun. The owner chooses if there are more than needed (PAY-178, PAY-184).

    Those who served it earlier in this activation serve it again.
    """
    fit = fit_crew(battle, engine)
    crew = _enough_crew(battle, engine, fit)
    if len(fit) == len(crew) or all("served" in figure.marks for figure in crew):
        return crew
    options = [tuple(figure.spec.id for figure in men) for men in combinations(fit, len(crew))]
    names = table.choose(engine.side, options, why="served by", rule="PAY-178", actor=key)
    return sorted((battle.figure(name) for name in names), key=_by_skill)


def note_service(battle: Battle, key: str, crew: Sequence[Figure]) -> None:
    """Record the crew of a gun: they fire no other weapon and serve no other gun in this activation (PAY-178)."""
    battle.engines.change(key).served_by = tuple(figure.spec.id for figure in crew)
    for figure in crew:
        battle.change_figure(figure.spec.id).mark("served")


def is_ready(battle: Battle, engine: Engine) -> bool:
    """Return True if a gun can fire now: unlimbered, not jammed, with a shot left and a crew.

    Shell needs a gun that did not move (PAY-084).
    """
    if engine.at is None or engine.limbered or engine.jammed or engine.shots >= gun_limit(battle, engine):
        return False
    if engine.kind == "gun" and engine.mount == "carriage" and engine.moved != "halt":
        return False
    return bool(servers(battle, engine))
