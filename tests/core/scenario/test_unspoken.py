"""The notes on what a scenario says and rules have no words for."""

from __future__ import annotations

from zareba.scenario import load_scenario
from zareba.scenario.unspoken import events_unspoken, hidden_unspoken, light_unspoken, traits_unspoken


def test_nothing_is_noted_where_nothing_was_said() -> None:
    plain = load_scenario("patrol_clash").model_copy(update={"night": False, "fog": False, "events": {}})
    units = [unit.model_copy(update={"hidden": False, "traits": ()}) for unit in plain.units.values()]
    assert light_unspoken(plain) + events_unspoken(plain) + hidden_unspoken(units) + traits_unspoken(units) == []


def test_what_was_said_is_noted_in_words() -> None:
    dark = load_scenario("patrol_clash").model_copy(update={"night": True, "fog": True, "events": {"rain": None}})
    assert light_unspoken(dark) == ["night: no effect on sight or fire", "fog: no effect on sight or fire"]
    assert events_unspoken(dark) == ["without effect: 1 event of weather or light"]
    unit = next(iter(dark.units.values()))
    units = [
        unit.model_copy(update={"hidden": True, "traits": ("no_quarter", "volley")}),
        unit.model_copy(update={"hidden": True, "traits": ("fanatic",)}),
    ]
    assert hidden_unspoken(units) == ["hidden deployment: 2 hidden units openly on the table"]
    assert traits_unspoken(units, {"volley"}) == ["traits without effect: fanatic, no quarter"]
