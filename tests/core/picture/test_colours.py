"""Colours stay distinct with every kind of colour vision, and shapes differ as well."""

from __future__ import annotations

import re
from collections import Counter
from itertools import combinations
from typing import get_args

import pytest
from tests.core.picture.eyes import EYES, apart

from zareba.picture import stylesheet
from zareba.picture.counters import _plate  # the shape of a tag, tested alone
from zareba.picture.signs import ARMS, SYMBOLS
from zareba.picture.svg import SvgCanvas
from zareba.picture.terrain import draw_terrain
from zareba.scenario import load_scenario
from zareba.scenario.model import Terrain
from zareba.scenario.vocabulary import AreaKind, LineKind

PLAIN, GLANCE = 15, 20
"""CIE 1976 delta E: a clearly different colour, and one that differs at a glance even if small and far away."""
SIDES = ("s0", "s1", "s2")
LAND = ("table", "floor", "hill", "sand", "crop", "stony", "marsh", "grove")


def colours(scheme: str) -> dict[str, str]:
    """Return the colours of the style sheet for a colour scheme, by name."""
    light, _, dark = stylesheet().partition("@media (prefers-color-scheme: dark)")
    found = re.findall(
        r"--([\w-]+): (#[0-9a-fA-F]+)", light if scheme == "light" else light + dark.partition("\n}\n")[0]
    )
    return dict(found)


SCHEMES = {scheme: colours(scheme) for scheme in ("light", "dark")}
ALL = [(scheme, eye) for scheme in SCHEMES for eye in EYES]


@pytest.mark.parametrize(("scheme", "eye"), ALL)
def test_side_colours_differ_for_every_kind_of_colour_vision(scheme: str, eye: str) -> None:
    """Sides differ from each other, from neutral pieces and from the table."""
    known = SCHEMES[scheme]
    pairs = [*combinations((*SIDES, "s9"), 2), *((side, "table") for side in SIDES)]
    near = {pair: apart(known[pair[0]], known[pair[1]], eye) for pair in pairs}
    assert {pair: found for pair, found in near.items() if found < GLANCE} == {}
    bases = {pair: apart(known[f"{pair[0]}-soft"], known[f"{pair[1]}-soft"], eye) for pair in combinations(SIDES, 2)}
    assert min(bases.values()) >= PLAIN, bases


@pytest.mark.parametrize("eye", EYES)
def test_zone_colours_differ_for_every_kind_of_colour_vision(eye: str) -> None:
    zones = dict(re.findall(r"\.overlay\.(\w+) \{ --zone: (#\w+)", stylesheet()))
    assert zones.keys() == {"fire", "danger", "command"}
    assert min(apart(one, other, eye) for one, other in combinations(zones.values(), 2)) >= GLANCE


@pytest.mark.parametrize(("scheme", "eye"), ALL)
def test_terrain_colours_differ_for_every_kind_of_colour_vision(scheme: str, eye: str) -> None:
    """Water differs from land, trees from ground, roofs from trees, contours from slopes, and walls from the table."""
    known = SCHEMES[scheme]
    pairs = [("water", land) for land in LAND]
    pairs += [("leaf", land) for land in ("table", "hill", "sand", "crop")]
    pairs += [
        ("roof-light", "table"),
        ("contour", "hill"),
        ("wall-dark", "table"),
        ("rock-edge", "stony"),
        ("rock-edge", "table"),
    ]
    near = {pair: apart(known[pair[0]], known[pair[1]], eye) for pair in pairs}
    assert {pair: found for pair, found in near.items() if found < PLAIN} == {}


# --- shapes -----------------------------------------------------------------------------------------------------------


def test_sides_differ_by_the_shapes_of_their_tags_and_bases() -> None:
    plates = [re.sub(r"[\d.-]+", "", _plate(side, 2.0, 1.0)) for side in range(3)]
    assert len(set(plates)) == 3
    for kind in ("foot", "horse"):
        assert len({SYMBOLS[f"{kind}-{side}"] for side in range(3)}) == 3


def test_arms_differ_by_their_signs() -> None:
    assert len(set(ARMS.values())) == len(ARMS)


def test_zones_differ_by_the_strokes_of_their_edges() -> None:
    strokes = {
        kind: re.findall(rf"\.{kind} \.band path \{{ ([^}}]*)\}}", stylesheet()) for kind in ("danger", "command")
    }
    assert strokes["danger"] and strokes["command"] and strokes["danger"] != strokes["command"]
    assert not re.findall(r"\.fire \.band path", stylesheet()), "the edge of fire is a solid line"


COLOURS = ("fill", "stroke", "fill-opacity", "stroke-opacity", "opacity")


def _strokes(kind: str, part: str) -> list[str]:
    """Return the style rules of a part of this kind of terrain, without its colours: widths and dashes."""
    found = []
    for selectors, said in re.findall(r"([^{}]+)\{([^{}]*)\}", stylesheet()):
        ends = [selector.split() for selector in selectors.split(",")]
        if any(end and end[-1] == f".{part}" and (f".{kind}" in end or len(end) < 3) for end in ends):
            found += [
                line.strip() for line in said.split(";") if line.strip() and line.split(":")[0].strip() not in COLOURS
            ]
    return found


def test_every_kind_of_ground_is_drawn_in_a_way_of_its_own() -> None:
    """Without colours, terrain differs by its symbols and their density, by its lines, or by its edge."""
    field = load_scenario("patrol_clash")
    square, leg = ((4.0, 4.0), (20.0, 4.0), (20.0, 20.0), (4.0, 20.0)), ((4.0, 4.0), (20.0, 4.0), (30.0, 9.0))
    ways: dict[str, list[str]] = {}
    for kinds, shape in ((AreaKind, {"area": square}), (LineKind, {"line": leg})):
        for kind in get_args(kinds):
            piece = Terrain.model_construct(kind=kind, **shape)
            drawn = draw_terrain(field.model_copy(update={"terrain": {"there": piece}}), SvgCanvas(36.0))
            symbols = sorted(Counter(re.findall(r'href="#([\w-]+)"', drawn)).items())
            parts = sorted(set(re.findall(r'class="([\w-]+)[^"]*"', drawn)) - {"terrain", "piece-of-ground"})
            widths = re.findall(r'(?:stroke-width|stroke-dasharray)="([^"]+)"', drawn)
            way = repr((symbols, [(part, _strokes(kind, part)) for part in parts], widths))
            ways.setdefault(way, []).append(kind)
    assert [kinds for kinds in ways.values() if len(kinds) > 1] == []
