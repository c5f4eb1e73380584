"""No word of a scenario is ignored silently: each ruleset reads it or notes that its rules do not cover it."""

from __future__ import annotations

import importlib
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, get_args

import pytest
from pydantic import BaseModel
from tests.systems import each_ruleset

from zareba.analysis.games.records import GamePlan
from zareba.analysis.games.simulate import play_game
from zareba.base.errors import FileError
from zareba.registry import find_house_rule, load_rules, ruleset, ruleset_names
from zareba.scenario import Scenario, load_scenario, parse_scenario
from zareba.scenario import model as said
from zareba.scenario.unsupported import WORDS, SupportedWords, unsupported_words
from zareba.scenario.vocabulary import Trait

PLAIN = (Path(__file__).parent.parent / "core" / "scenario" / "trial.yaml").read_text(encoding="utf-8")
HILL, HUT, WALL = "slope: gentle", "material: adobe", "gate: {at: [15, 10]"
FOOT, GUN, COLONEL, CHEST = "name: Foot, ", "gun: {kind: field", "name: Colonel, side", "kind: paychest"

Word = tuple[type[BaseModel], str, tuple[tuple[str, str], ...]]

SAID: dict[str, Word] = {
    "hidden": (said.Unit, "hidden", (("cavalry, ", "cavalry, hidden: true, "),)),
    "hidden_rule": (said.HiddenForces, "terrain", (("{terrain: [knoll]", "{terrain: [knoll]"),)),
    "dummies": (said.HiddenForces, "dummies", (("dummies: 1", "dummies: 3"),)),
    "night": (said.Scenario, "night", (("first: red", "first: open\nnight: true"),)),
    "fog": (said.Scenario, "fog", (("first: red", "first: open\nfog: true"),)),
    "events": (said.Scenario, "events", (("turn: 8", "turn: 1"),)),
    "first": (said.Scenario, "first", ()),
    "deploys": (said.Side, "deploys", (("    home_edge", "    deploys: 2\n    home_edge"),)),
    "entrenched": (said.Scenario, "entrenched", (("first: red", "entrenched: true"),)),
    "orders": (said.Unit, "orders", ((FOOT, f"{FOOT}orders: advance, "),)),
    "parent": (said.Unit, "parent", ((FOOT, f"{FOOT}parent: A battalion, "),)),
    "formation": (said.Unit, "formation", ((FOOT, f"{FOOT}formation: line, "),)),
    "facing": (said.Unit, "facing", ((FOOT, f"{FOOT}facing: east, "),)),
    "draught": (said.Unit, "draught", (("artillery", "machine_gun"), (f"{GUN}, pieces: 2}}", "draught: horse"))),
    "gun_class": (said.Gun, "kind", ((GUN, "gun: {kind: mountain"),)),
    "ammunition": (said.Gun, "ammunition", ((GUN, f"{GUN}, ammunition: [shot]"),)),
    "loyalty": (said.Leader, "loyalty", ((COLONEL, f"loyalty: {{horse: disloyal}}, {COLONEL}"),)),
    "flares": (said.Leader, "flares", ((COLONEL, f"flares: 2, {COLONEL}"),)),
    "hero": (said.Leader, "hero", ((COLONEL, f"hero: true, {COLONEL}"),)),
    "leader_quality": (said.Leader, "quality", ((COLONEL, f"quality: raw, {COLONEL}"),)),
    "leader_mounted": (said.Leader, "mounted", ((COLONEL, f"mounted: true, {COLONEL}"),)),
    "floors": (said.Terrain, "floors", ((HUT, f"{HUT}, floors: 2"),)),
    "rooms": (said.Terrain, "rooms", ((HUT, f"{HUT}, rooms: true"),)),
    "material": (said.Terrain, "material", (("first: red", "siege: true"),)),
    "strength": (said.Terrain, "strength", ((HUT, f"{HUT}, strength: 5"), ("first: red", "siege: true"))),
    "true_fortification": (
        said.Terrain,
        "true_fortification",
        ((HUT, f"{HUT}, true_fortification: true"), ("first: red", "siege: true")),
    ),
    "slope": (said.Terrain, "slope", ((HILL, "slope: steep"),)),
    "levels": (said.Terrain, "levels", ((HILL, "levels: 2"),)),
    "gate_kind": (said.Gate, "kind", ((WALL, f"{WALL}, kind: iron"), ("first: red", "siege: true"))),
    "gate_open": (said.Gate, "open", ((WALL, f"{WALL}, kind: iron, open: true"), ("first: red", "siege: true"))),
    "heavy": (said.Object, "heavy", ((CHEST, f"{CHEST}, heavy: true"),)),
    "count": (said.Object, "count", ((CHEST, "kind: livestock, count: 3"),)),
}


def supported_by(name: str) -> SupportedWords:
    return load_rules(name).book.supported_words


def scenario_with_word(word: str) -> Scenario:
    text = PLAIN
    for old, new in SAID[word][2]:
        assert old in text
        text = text.replace(old, new, 1)
    return parse_scenario(text, "trial.yaml")


def reads(
    monkeypatch: pytest.MonkeyPatch, kind: type[BaseModel], field: str, folder: str, play: Callable[[], None]
) -> bool:
    """Return True if code in a folder reads a field of an object of this kind while `play` runs."""
    asked: list[str] = []
    plain = kind.__getattribute__

    def watched(self: Any, name: str) -> Any:
        if name == field:
            frame = sys._getframe(1)
            while frame.f_code.co_filename == said.__file__ and frame.f_back is not None:
                frame = frame.f_back
            asked.append(frame.f_code.co_filename)
        return plain(self, name)

    with monkeypatch.context() as patched:
        patched.setattr(kind, "__getattribute__", watched)
        play()
    return any(file.startswith(folder) for file in asked)


@pytest.mark.parametrize("word", WORDS)
@pytest.mark.parametrize("name", each_ruleset("vcc"))
def test_every_word_is_supported_by_the_rules_or_noted(monkeypatch: pytest.MonkeyPatch, name: str, word: str) -> None:
    rules = load_rules(name, {"extensions.support_weapons": "on"} if name == "risk_factor" else None)
    scenario = scenario_with_word(word)
    (note,) = unsupported_words(
        scenario,
        SupportedWords(words={known_word: known_word != word for known_word in WORDS}, traits={"volley": True}),
    ) or [""]
    assert note, "the scenario says it"

    def play() -> None:
        game = rules.game(scenario)
        assert (note in game.untranslated) is (word not in supported_by(name).words)
        play_game(game, name, GamePlan(0, 0, 1, False, tuple((side, "random") for side in game.seats)))

    kind, field, _ = SAID[word]
    fact = "gun" if word == "gun_class" else word
    book: Any = rules.book
    ground = getattr(book.mapping, "variants", {}).values()
    is_condition = any(fact in entry.when for entry in (*book.unit_mapping.values(), *ground))  # the core reads it
    is_read = reads(monkeypatch, kind, field, str(rules.ruleset.folder), play)
    assert (is_read or is_condition) is (word in supported_by(name).words)


@pytest.mark.parametrize("name", [name for name in ruleset_names() if ruleset(name).overrides is not None])
def test_every_trait_of_units_is_supported_by_the_rules_or_noted(name: str) -> None:
    translation = importlib.import_module(f"zareba_rulesets.{name}.translation")
    code = "".join(file.read_text(encoding="utf-8") for file in Path(str(translation.__file__)).parent.glob("*.py"))
    by_weapon = {"lancers": 'close_weapon == "lance"'}  # scenarios give the trait only to units with lances
    read = [trait for trait in get_args(Trait) if by_weapon.get(trait, f'"{trait}" in ') in code]
    assert sorted(read) == sorted(supported_by(name).traits)


def test_every_word_of_the_vocabulary_is_tried() -> None:
    assert SAID.keys() == WORDS.keys()


def test_a_house_rule_that_gives_a_word_a_meaning_takes_its_note_away(tmp_path: Path) -> None:
    file = tmp_path / "lanterns.yaml"
    file.write_text(
        "house_rule: lanterns\nruleset: vcc\nchanges:\n"
        "  - {add: supported_words.words.night, entry: true, why: our lanterns reach three boxes}\n"
        "  - {add: supported_words.notes.dawn, entry: {words: [tribal_]}, why: a slip}\n",
        encoding="utf-8",
    )
    with pytest.raises(FileError, match="dawn"):
        load_rules("vcc", house_rules=[find_house_rule(str(file))])
    text = file.read_text(encoding="utf-8").replace(
        "{words: [tribal_]}", "{words: [jezail], note: 'the jezails are old: {units}'}"
    )
    file.write_text(text, encoding="utf-8")
    dark = load_scenario("patrol_clash").model_copy(update={"night": True})
    plain, lit = (
        load_rules("vcc", house_rules=rules).game(dark).untranslated for rules in ([], [find_house_rule(str(file))])
    )
    assert [note for note in plain if note not in lit] == ["night: no effect on sight or fire"]
    assert [note for note in lit if note not in plain] == ["the jezails are old: Jezails"]
