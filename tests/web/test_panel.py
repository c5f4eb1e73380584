"""The panel next to the map: who acts, promising options, odds, advice, how to win, the end, and the lessons."""

from __future__ import annotations

import re
from html import unescape
from itertools import pairwise
from typing import Any

import pytest
from tests.systems import RULESETS, each_ruleset
from tests.web.conftest import KEY, Chair, Club

from zareba.game import DECLINING
from zareba.game.doctrine import Doctrine
from zareba.lessons import first_steps, page_lesson, start_tutorial
from zareba.presentation.board import Appearance, Board, BoardPiece
from zareba.registry import ruleset_names
from zareba.table import Choose, Place
from zareba.web.seat import after_battle, explanations
from zareba.web.seat.panel import MOST_IN_ORDER, answers
from zareba.web.seat.view import _unit_keys


def text_of(html: str) -> str:
    """Return the words of some HTML."""
    return " ".join(unescape(re.sub("<[^>]+>", " ", html)).split())


def take_advice(you: Chair) -> None:
    """Answer as doctrine would."""
    question: Any = you.game.session.pending
    answer, _ = you.game.session.suggestion()
    listed = list(answers(question))
    fields = {"option": listed.index(answer)} if answer in listed else {"x": answer[0], "y": answer[1]}
    assert you.do("answer", **fields).status_code == 200


def play_until(you: Chair, wanted: Any, most: int = 300) -> Any:
    """Answer as doctrine would until `wanted(question)` is true; return the page state."""
    for _ in range(most):
        parts = you.parts()
        if wanted(you.game.session.pending):
            return parts
        take_advice(you)
    raise AssertionError("there was no such question")


# --- the question -----------------------------------------------------------------------------------------------------


def test_an_option_about_a_wagon_has_the_key_on_the_tag_of_its_unit() -> None:
    wagon = BoardPiece("wagons wagon", "red", "W", "", 1, 1, Appearance("wagon", "wagons"))
    labels = {"wagons": "8", "wagons wagon": "12"}
    board = Board("free", 9, 9, "inches", "", (), (wagon,), {"blue": "Blue", "red": "Red"}, labels)
    assert _unit_keys(board, [{"n": 1, "pieces": ["wagons wagon"]}], 2) == [None, ("8", 1)]


@pytest.mark.parametrize("ruleset", RULESETS)
def test_a_long_list_begins_with_the_options_that_doctrine_values_most(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    parts = play_until(you, lambda one: isinstance(one, Choose) and len(one.options) > MOST_IN_ORDER)
    question: Any = you.game.session.pending
    shown = [int(number) for number in re.findall(r'class="option" data-option="(\d+)"', parts["question"])]
    assert sorted(shown) == list(range(len(question.options))), "every option is on the page once, with its own number"
    first, _, more = parts["question"].partition('<details class="more">')
    numbers = [int(number) for number in re.findall(r'class="option" data-option="(\d+)"', first)]
    assert len(numbers) < len(question.options) and numbers == sorted(numbers) and "other options" in more
    declining = [number for number, option in enumerate(question.options) if option in DECLINING]
    assert shown[len(shown) - len(declining) :] == declining, "the options that end the act come last, not folded"
    _, _, last = more.partition("</details>")
    assert declining == [int(number) for number in re.findall(r'data-option="(\d+)"', last.partition("</ol>")[0])]
    session = you.game.session
    weighed = Doctrine(session.game, "patrol", 1).weigh(question, session.state)
    best = max(value for answer, value, _ in weighed if answer not in DECLINING)
    best_answer = next(answer for answer, value, _ in weighed if value == best and answer not in DECLINING)
    assert question.options.index(best_answer) in numbers


@pytest.mark.parametrize("ruleset", RULESETS)
def test_an_option_that_ends_an_act_is_the_last_on_the_page_but_keeps_its_number(club: Club, ruleset: str) -> None:
    """Where the rules list "hold fire" or "halt" first, players tapped it by mistake."""

    def is_wanted(question: Any) -> bool:
        is_choice = isinstance(question, Choose) and 1 < len(question.options) <= MOST_IN_ORDER
        return is_choice and any(option in DECLINING for option in question.options)

    you = club.begin(ruleset)["you"]
    parts = play_until(you, is_wanted)
    question: Any = you.game.session.pending
    shown = [int(number) for number in re.findall(r'class="option" data-option="(\d+)"', parts["question"])]
    others, declining = [
        [number for number, option in enumerate(question.options) if (option in DECLINING) == declines]
        for declines in (False, True)
    ]
    assert shown == [*others, *declining] and others
    set_apart = parts["question"].partition('<ol class="options declining">')[2].partition("</ol>")[0]
    assert [int(number) for number in re.findall(r'data-option="(\d+)"', set_apart)] == declining


def test_the_army_commander_is_named_and_acts_when_he_moves(club: Club) -> None:
    you = club.begin("vcc")["you"]
    parts = play_until(you, lambda question: question.why == "commander to")
    assert parts["acting"] == "commander patrol"
    line = re.search(r'<p class="who-acts.*?</p>', parts["question"], re.DOTALL)
    assert line is not None and text_of(line[0]).endswith("Captain Merrow")
    assert "The patrol: move Captain Merrow, the Army Commander, to which box?" in text_of(parts["question"])


@pytest.mark.parametrize("ruleset", ["vcc", "afriboria"])
def test_the_option_that_ends_the_moves_says_how_many_units_it_passes_over(ruleset: str, club: Club) -> None:
    """A new player learns that there is no need to choose every unit."""
    you = club.begin(ruleset)["you"]
    you.do("delegate", scope="set_up", player="doctrine")
    parts = play_until(you, lambda question: question.why == "move with")
    question: Any = you.game.session.pending
    count = len(question.options) - 1
    said = f"no more moves passes over {count} unit{'' if count == 1 else 's'}"
    assert said in text_of(parts["question"])
    parts = play_until(you, lambda question: question.why == "move")
    assert "passes over" not in parts["question"], "this question is about one unit"


def test_no_question_is_shown_while_an_ai_player_still_answers_for_the_person(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    you = club.begin("paychest")["you"]
    assert you.parts()["is_asked"]
    monkeypatch.setattr("zareba.web.lobby.games.FIRST_SLICE", 0.0)
    parts = you.do("delegate", scope="set_up", player="doctrine").json()
    assert parts["thinking"] and not parts["is_asked"]
    assert "Waiting for the AI player doctrine" in text_of(parts["question"]) and "Take over again" in parts["question"]
    parts = you.parts()
    assert parts["is_asked"] and "deploy" not in text_of(parts["question"])


def test_a_choice_of_leaders_who_act_themselves_passes_over_no_units(club: Club) -> None:
    you = club.begin("risk_factor")["you"]
    parts = play_until(you, lambda question: question.why == "will load or fire")
    assert "passes over" not in parts["question"]


def test_a_short_list_keeps_its_order(club: Club) -> None:
    you = club.begin("vcc")["you"]
    parts = play_until(you, lambda one: isinstance(one, Choose) and len(one.options) <= MOST_IN_ORDER)
    assert "more" not in re.findall(r'<details class="(\w+)"', parts["question"])


def test_the_page_says_whose_turn_it_is_and_what_is_asked(club: Club) -> None:
    chairs = club.begin("vcc", **{"seat.tribesmen": "friend"})
    you, friend = chairs["you"], chairs["The band"]
    asked, waits = (you, friend) if you.parts()["is_asked"] else (friend, you)
    parts = asked.parts()
    assert parts["turn_text"].startswith("Your turn. ") and "option" in parts["turn_text"]
    assert "Your turn:" in parts["question"]
    assert waits.parts()["turn_text"].startswith("Waiting for ")


def test_a_button_accepts_the_ais_choice(club: Club) -> None:
    for ruleset in RULESETS:
        you = club.begin(ruleset)["you"]
        you.do("delegate", scope="phase", player="doctrine")
        answer, reason = you.game.session.suggestion()
        question: Any = you.game.session.pending
        html = you.get("/advice").json()["html"]
        assert reason.rstrip(".") in unescape(html)
        if (number := re.search(r'data-option="(\d+)"', html)) is not None:
            assert answers(question)[int(number[1])] == answer
        else:
            assert f'value="{answer[0]}"' in html and f'value="{answer[1]}"' in html


def test_odds_are_one_line_for_each_option_that_leads_to_dice(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "SECONDS_FOR_LINE", 2.0)
    you = club.begin("vcc")["you"]
    parts = play_until(you, lambda one: one.why == "fire at")
    question: Any = you.game.session.pending
    offered = [int(number) for number in re.findall(r'data-odds="(\d+)"', parts["question"])]
    assert offered == [number for number, option in enumerate(question.options) if option != "hold fire"]
    assert "computing odds" in parts["question"], "the line says so until the odds have arrived"
    line = you.get(f"/odds?n={offered[0]}&version={parts['version']}").json()["html"]
    assert "bases lost" in text_of(line) and line.count("<svg") == 1 and "<table" not in line


# --- how to win -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", RULESETS)
def test_page_and_briefing_say_that_most_points_win(club: Club, ruleset: str) -> None:
    chairs = club.begin(ruleset, **{"seat.tribesmen": "friend"})
    for chair in chairs.values():
        parts = chair.parts()
        assert text_of(parts["victory_line"]).startswith("Most points win")
        assert "The village 3" in text_of(parts["victory_line"])
        assert "be the only side there at the end" in parts["victory"]
        told = text_of(chair.get("/briefing").json()["html"])
        assert "How to win Most points win" in told


# --- the end ----------------------------------------------------------------------------------------------------------


def test_the_closing_page_links_turning_points_to_the_replay(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(after_battle, "SECONDS_FOR_LUCK", None)
    chairs = club.begin("vcc", **{"seat.tribesmen": "friend"})
    you, friend, watcher = chairs["you"], chairs["The band"], chairs["whoever watches"]
    early = you.client.get(f"{you.address}/end")
    assert early.status_code == 409 and "not over" in early.text
    for _ in range(60):
        for chair in (you, friend):
            if chair.parts()["is_asked"]:
                chair.do("delegate", scope="game", player="doctrine")
    assert you.parts()["over"]
    page = you.client.get(f"{you.address}/end").text
    report = you.game.session.after_action_report()
    for words in (
        report.result,
        "Turning points",
        "Losses in base",
        "Luck with the dice",
        "Commanders",
        report.score[0],
    ):
        assert words in unescape(page)
    moments = [int(number) for number in re.findall(rf"{you.address}#moment=(\d+)", page)]
    assert len(moments) == len(report.turning) > 0
    for moment, sentence in zip(moments, report.turning, strict=True):
        told = you.get(f"/at?step={moment}")
        assert told.status_code == 200
        turn = re.match(r"turn (\d+)", sentence)
        played = you.game.session.history.steps[report.turning_steps[report.turning.index(sentence)]]
        assert turn is None or played.turn == int(turn[1])
    assert f'action="{you.address}/rematch"' in page
    share = re.findall(r'data-copy="http://[^/]+(/game/[^"]+)"', page)
    assert share == [f"{watcher.address}/end"]
    seen = club.stranger().get(share[0]).text
    assert "Turning points" in seen and "/rematch" not in seen


# --- learning ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("ruleset", each_ruleset("vcc", "risk_factor"))
def test_every_ruleset_has_lessons_on_the_page(club: Club, ruleset: str) -> None:
    assert f'action="/learn/{ruleset}"' in club.client.get("/").text
    answer = club.client.post(f"/learn/{ruleset}")
    you = Chair(club, answer.headers["location"])
    assert "data-learns" in you.get("").text
    assert you.game.game.scenario.id == first_steps().id and you.parts()["is_asked"]
    learnt: list[str] = []
    taught: set[str] = set()
    for _ in range(120):
        if not you.parts()["is_asked"]:
            break
        lesson = you.get(f"/lesson?learnt={','.join(learnt)}").json()
        if lesson["key"]:
            learnt.append(lesson["key"])
            assert lesson["key"] in lesson["html"] and lesson["act"]
        elif len(learnt) > 8:
            break
        taught.add(str(getattr(you.game.session.pending, "why", "")))
        take_advice(you)
    assert learnt[0] == "the screen" and len(set(learnt)) == len(learnt) >= 8, learnt


def test_lessons_have_the_same_text_as_in_the_terminal() -> None:
    for ruleset in ruleset_names():
        session = start_tutorial(ruleset)
        lesson = page_lesson(session, [])
        assert lesson is not None and lesson.opening and lesson.explanation and lesson.number == 1
        later = page_lesson(session, [lesson.key])
        assert later is not None and later.number == 2 and not later.opening and later.key != lesson.key


def test_only_the_owner_starts_a_lesson_and_only_of_a_known_ruleset(club: Club) -> None:
    assert club.stranger().post("/learn/vcc").status_code == 403
    assert club.client.post("/learn/chess").status_code == 409
    other = club.begin("vcc")["you"]
    assert "data-learns" not in other.get("").text
    assert KEY not in other.get("/lesson").text


@pytest.mark.parametrize("ruleset", ["fixed_baynet", "paychest"])
def test_suggested_places_are_described_by_landmarks(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    parts = play_until(you, lambda question: isinstance(question, Place) and len(question.suggestions) > 1)
    phrases = re.findall(r'class="phrase">(.*?)<', parts["question"])
    assert len(set(phrases)) == len(phrases) > 1, "two places never read the same"
    assert all(re.match(r"at |[0-9]+ inch(es)? [a-z-]+ of ", unescape(phrase)) for phrase in phrases), phrases


def test_a_line_of_the_log_that_begins_with_its_unit_has_no_heading(club: Club) -> None:
    you = club.begin("vcc")["you"]
    log = play_until(you, lambda question: question.why == "fire with")["log"]
    lines = re.findall(r"<h5>(.*?)</h5></li>|<li class=\"log-line.*?<b[^>]*>(.*?)</b>", log, re.DOTALL)
    assert any(unit for _, unit in lines)
    assert not [unit for (heading, _), (_, unit) in pairwise(lines) if heading and heading == unit]


def test_the_log_is_never_an_empty_panel(club: Club) -> None:
    log = club.begin("vcc")["you"].parts()["log"]
    texts = dict(re.findall(r'<span class="(while-\w+)">(.*?)</span>', log))
    assert texts == {"while-still": "nothing yet", "while-playing": "the map is showing it"}, (
        "the page shows one of them"
    )


def test_the_row_of_cards_has_its_place_before_cards_are_dealt(club: Club) -> None:
    you = club.begin("afriboria", seed="2")["you"]
    assert text_of(you.parts()["cards"]) == "No cards have been dealt yet."
    you.do("delegate", scope="set_up")
    question = you.game.session.pending
    assert question is not None and question.why == "first turn", "the set-up includes the companies"
    assert text_of(you.parts()["cards"]).startswith("Your hand")
    assert club.begin("vcc")["you"].parts()["cards"] == "", "these rules have no cards"


def test_an_ai_player_that_acts_for_you_is_named_until_its_phase_is_over(club: Club) -> None:
    chairs = club.begin("vcc", **{"seat.tribesmen": "friend"})
    for chair, is_named in (("you", True), ("The band", False)):
        chairs[chair].do("delegate", scope="phase")
        said = "the AI player doctrine plays the rest of this phase" in chairs["you"].parts()["question"]
        assert said == is_named


def test_units_that_are_still_to_be_set_up_are_not_lost(club: Club) -> None:
    parts = club.begin("paychest")["you"].parts()
    assert re.findall(r'<meter [^>]*value="(\d+)"', parts["status"]) == ["100", "100"]
