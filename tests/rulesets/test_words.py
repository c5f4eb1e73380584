"""The sentences of the rulesets: every placeholder has a value."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import fields
from typing import Any

import pytest

from zareba.agents import make_agent
from zareba.base.yamlfile import parse_yaml
from zareba.battle.sentence_templates import words_of
from zareba.game import Game, UnitChange
from zareba.presentation.narration import outcome_sentence
from zareba.registry import load_rules, ruleset, ruleset_names
from zareba.scenario import Scenario, load_scenario, parse_scenario
from zareba.scenario.load import scenario_text
from zareba.session.score import score_of_state, score_sentences
from zareba.table import Choose, SeededTable
from zareba.table.questions import iterate_lazily

GAP = re.compile(r"\{(\w+)(?:\|[^|{}]+(?:\|[^|{}]+)?|@(\w+)|:([\w+.]+))?\}")


@pytest.mark.parametrize("name", ruleset_names())
def test_every_gap_of_a_sentence_can_be_filled(name: str) -> None:
    words = words_of(ruleset(name).folder / "presentation" / "words.yaml")
    sentences = [*words.questions.values(), *words.options.values(), *words.events.values()]
    assert len(sentences) > 40
    for sentence in sentences:
        tables = {table for _, table, _ in GAP.findall(sentence) if table}
        assert tables <= set(words.tables), sentence
        left = GAP.sub("", sentence)
        assert not re.search(r"[{}]", left), sentence
        while (plainer := re.sub(r"\[!?\w+(=[^?\[\]]*)?\?[^\[\]]*\]", "", left)) != left:
            assert "[" not in plainer or plainer.count("[") < left.count("[")
            left = plainer
        assert not re.search(r"[\[\]]", left), sentence


@pytest.mark.parametrize("name", ruleset_names())
def test_every_fact_of_an_odds_procedure_has_a_meaning(name: str) -> None:
    words = words_of(ruleset(name).folder / "presentation" / "words.yaml")
    facts = [
        (procedure.name, fact.name)
        for procedure in ruleset(name).procedures.values()
        for fact in fields(procedure.facts)
    ]
    assert [fact for fact in facts if not words.meaning_of_fact(*fact)] == []
    names = {fact for _, fact in facts} | {".".join(fact) for fact in facts}
    names |= {fact.partition("_")[2] for fact in names} | {f"{name}.{fact.partition('_')[2]}" for name, fact in facts}
    assert set(words.facts) <= names, "a meaning of no fact"


@pytest.mark.parametrize("name", ruleset_names())
def test_every_result_of_an_odds_procedure_has_its_own_title(name: str) -> None:
    words = words_of(ruleset(name).folder / "presentation" / "words.yaml")
    procedures = ruleset(name).procedures.values()
    results = [(procedure.name, field.name) for procedure in procedures for field in fields(procedure.outcome)]
    known = {key for procedure, result in results for key in (result, f"{procedure}.{result}")}
    assert words.results.keys() <= known
    titles = [(procedure, words.title_of_result(procedure, result)) for procedure, result in results]
    assert len(titles) == len(set(titles))
    assert all("_" not in title for _, title in titles)


NAMED = ("sides", "units", "leaders", "terrain", "objectives", "objects")
"""The parts of a scenario whose entries have an id and a name."""
WORDS = {"name", "title", "kind", "role", "material", "edge", "traits", "zone", "deployment", "arrival"}
"""Keys whose values are words, even if one is spelled like an id."""
STEPS = 120


def _with_strange_ids(name: str) -> Scenario:
    """Return a shipped scenario in which every id begins with "xx-"."""
    data: Any = parse_yaml(scenario_text(name), name).data
    ids = {key for kind in NAMED for key in data.get(kind, {})}

    def renamed(value: Any, path: tuple[str, ...] = ()) -> Any:
        if isinstance(value, dict):
            at_ids = bool(path) and path[-1] in (*NAMED, "hidden")
            return {
                f"xx_{key}" if at_ids and key in ids else key: renamed(inner, (*path, key))
                for key, inner in value.items()
            }
        if isinstance(value, list):
            return [renamed(entry, path) for entry in value]
        return f"xx_{value}" if value in ids and not WORDS & set(path) else value

    return parse_scenario(json.dumps(renamed(data), ensure_ascii=False), name)


def _texts(game: Game[Any]) -> Iterator[str]:
    """Yield what players read in the first steps of a battle between two AI players."""
    state = game.start()
    shown: list[str] = []

    def player(seat: str) -> Any:
        choose = make_agent("doctrine", game, seat, 3)

        def answer(question: Any, state: Any) -> Any:
            shown.append(game.narrator.describe(state, question))
            if isinstance(question, Choose):
                options = [option for option, _ in zip(iterate_lazily(question.options), range(6), strict=False)]
                shown.extend(game.narrator.describe_option(state, question, option) for option in options)
            return choose(question, state)

        return answer

    table = SeededTable(game.rules, state, 3, {seat: player(seat) for seat in game.seats})
    for _ in range(STEPS):
        if (step := game.play.next_step(state)) is None:
            break
        before = state.copy()
        table.begin(step)
        game.play.perform(table, state, step)
        yield from map(game.narrator.describe_event, table.events)
        yield from map(game.narrator.describe_change, game.display.changes(before, state))
    yield from shown
    board = game.display.labelled_board(state)
    yield from (board.headline, *(piece.text for piece in board.pieces), *(piece.name for piece in board.awaited))
    yield from score_sentences(score_of_state(game, state, None), game)
    yield outcome_sentence(game.scenario, game.play.outcome(state))


@pytest.mark.parametrize("scenario", [pytest.param("paychest_raid", marks=pytest.mark.deep), "hill_fort"])
@pytest.mark.parametrize("name", ruleset_names())
def test_players_read_names_and_never_ids(name: str, scenario: str) -> None:
    game = load_rules(name).game(_with_strange_ids(scenario))
    texts = set(_texts(game))
    assert len(texts) > 40
    assert sorted(text for text in texts if re.search(r"\bxx[_ ]", text)) == []
    assert (
        sorted(text for text in texts if re.search(r"(?<![.\d])1 (figures|men|inches|hits|bases|hexes|points)\b", text))
        == []
    )
    assert texts & {"done", "stop"} == set(), "an option says what ends"
    coordinates = re.compile(r'(?<!") (?:at|to) [0-9.]+", [0-9]')
    assert list(filter(coordinates.search, texts)) == []


@pytest.mark.parametrize(
    ("name", "text", "terms"),
    [
        ("fixed_baynet", "Sikhs: choose an action (3 or 2 AC left for each man).", {"AC"}),
        ("fixed_baynet", "14 men with rifle, glory 4+", {"glory"}),
        ("afriboria", "Turn 2 of 12 · player turn: The band", {"player turn"}),
        ("paychest", "Jezails: where does the target stretch begin?", {"stretch"}),
        ("risk_factor", "Captain Merrow has 9 command points left. What next?", {"command points"}),
        ("vcc", "Sikhs at C2, 4 bases", {"base"}),
        ("afriboria", "Right half, B Company 2: form a company at the start?", {"company"}),
        ("afriboria", "B Company at C2", set()),
        ("vcc", "Sikhs: face which way?", set()),
        ("vcc", "Sikhs at C2, prone, 2 hits", {"prone", "hit"}),
    ],
)
def test_a_technical_term_is_explained_where_it_appears(name: str, text: str, terms: set[str]) -> None:
    found = words_of(ruleset(name).folder / "presentation" / "words.yaml").terms_in(text)
    assert set(found) == terms and all(len(said) > 15 for said in found.values())


def test_odds_say_what_a_change_means() -> None:
    def told(name: str, what: str, was: Any, now: Any) -> str:
        game: Game[Any] = load_rules(name).game(load_scenario("patrol_clash"))
        return game.narrator.describe_change(UnitChange("sikhs", what, was, now))

    assert told("vcc", "in", "C3", "C8") == "Sikhs: ends in C8"
    assert told("vcc", "wounds of its leader", 0, 1) == "Sikhs: its leader takes 1 wound"
    assert told("risk_factor", "commanded", 0, 1) == "Sikhs: 1 squad given orders"
