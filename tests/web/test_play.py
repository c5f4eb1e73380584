"""Games played over HTTP: the displayed state, the answers, and a complete journal."""

from __future__ import annotations

import re
from html import unescape
from random import Random
from typing import Any

import pytest
from tests.systems import RULESETS, each_ruleset
from tests.web.conftest import Chair, Club

from zareba.base.errors import ZarebaError
from zareba.base.grammar import chance_in_percent, percent
from zareba.odds.phrases import changes_in_brief, odds_in_short
from zareba.picture import pieces
from zareba.session import open_session, replay
from zareba.table import Choose, Event, Place, refusal
from zareba.web.lobby.games import Games
from zareba.web.seat import explanations, view


def play(chair: Chair, most: int, *, which: int = 0) -> int:
    """Answer up to `most` questions with one of their first options; return the number of answers."""
    for done in range(most):
        question = chair.game.session.pending
        if question is None:
            return done
        last = 1
        if isinstance(question, (Choose, Place)):
            last = len(question.options if isinstance(question, Choose) else question.suggestions) - 1
        answer = chair.do("answer", option=min(which, last))
        assert answer.status_code == 200, answer.text
    return most


def test_the_start_page_lists_every_battle_and_the_choices_of_each(club: Club) -> None:
    page = club.client.get("/")
    assert page.status_code == 200
    assert page.text.count('class="card"') == 8
    assert club.client.get("/scenario/patrol_clash.svg").headers["content-type"] == "image/svg+xml"
    chosen = club.client.get("/new/hill_fort?ruleset=risk_factor").text
    assert (
        "the ruleset&#39;s solo rules" in chosen and "charts decide what units do; command points buy orders" in chosen
    )
    assert "solo" not in club.client.get("/new/hill_fort?ruleset=vcc").text


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_game_is_played_by_answers_and_its_journal_replays(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    assert you.client.get(you.address).status_code == 200
    answered = play(you, 25, which=1)
    assert answered == 25
    told = you.parts()
    assert told["is_asked"] and told["seat"] == "patrol" and told["pieces"].startswith('<g class="pieces')
    assert you.get("/why").status_code == 200
    assert you.get(f"/act?step={told['steps'] - 1}").status_code == 200
    assert you.get("/at?step=0").json()["steps"] == told["steps"]
    path = you.game.path
    club.close()
    assert replay(path).session.pending is not None


def test_a_whole_game_comes_to_its_end(club: Club) -> None:
    you = club.begin("vcc")["you"]
    play(you, 2000)
    told = you.parts()
    assert told["over"] and not told["is_asked"]
    assert "The game is over" in told["question"]
    assert you.do("answer", option=0).status_code == 403
    assert you.get("/at?step=3").status_code == 200


def test_clickable_cells_are_the_options(club: Club) -> None:
    you = club.begin("vcc")["you"]
    question = you.game.session.pending
    assert isinstance(question, Choose) and question.why == "deploy in"
    assert [(aim["n"], aim["cell"]) for aim in you.parts()["targets"]] == list(enumerate(question.options))
    while (question := you.game.session.pending) is not None and question.why != "move with":
        you.do("answer", option=0)
    aims = you.parts()["targets"]
    assert isinstance(question, Choose)
    assert [aim["pieces"] for aim in aims] == [[option] for option in question.options if option != "done"]


def test_a_place_is_checked_before_it_is_chosen_and_refused_with_its_rule(club: Club) -> None:
    you = club.begin("paychest")["you"]
    question = you.game.session.pending
    assert isinstance(question, Place)
    x, y = question.suggestions[0]
    assert you.get(f"/check?x={x}&y={y}").json() == {"refused": "", "cost": ""}, "set-up has no path and no cost"
    refused = you.get("/check?x=24&y=33").json()["refused"]
    assert refused.casefold() == f"{refusal(question, (24.0, 33.0))}.".casefold()
    before = you.parts()
    answer = you.do("answer", x=24, y=33)
    assert answer.status_code == 409 and "(PAY-048)" in answer.json()["refused"]
    assert you.parts() == before
    assert you.do("answer", x=x, y=y).status_code == 200


def test_a_repeated_answer_is_refused(club: Club) -> None:
    you = club.begin("vcc")["you"]
    version = you.game.version
    assert you.do("answer", option=0, version=version).status_code == 200
    again = you.do("answer", option=0, version=version)
    assert again.status_code == 409 and "look again" in again.json()["refused"]
    assert len(you.game.session.history.answers) == 1


def test_undo_and_redo_restore_the_map(club: Club) -> None:
    you = club.begin("vcc")["you"]
    before = you.parts()
    assert you.do("undo").status_code == 409
    after = you.do("answer", option=0).json()
    back = you.do("undo").json()
    assert back["pieces"] == before["pieces"] and back["turn_text"] == before["turn_text"]
    assert you.do("redo").json()["pieces"] == after["pieces"]


def test_odds_equal_those_of_the_prompt(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(explanations, "SECONDS_FOR_LINE", 5.0)
    you = club.begin("vcc")["you"]
    while (question := you.game.session.pending) is not None and question.why != "fire at":
        you.do("answer", option=0)
    session = you.game.session
    assert isinstance(question, Choose)
    found = session.odds_of(question.options[0], 5.0)
    assert found.method_text() == "exact"
    line = unescape(you.get(f"/odds?n=0&version={you.game.version}").json()["html"])
    short = odds_in_short(session.game, found, set(session.game.scenario.units_of("patrol")))
    assert short.words in line and line.count(chance_in_percent(short.enemy)) == 1 and 'class="bar-of"' in line
    assert "under 1\u00a0%" not in short.words, "an outcome that rare is named only in the table of all outcomes"
    monkeypatch.setattr(type(session), "odds_of", lambda *_: found)
    whole = unescape(you.get(f"/odds?n=0&whole=1&version={you.game.version}").json()["html"])
    assert changes_in_brief(session.game, found) in whole and "exact" in whole and 'class="chart"' in whole
    for changes, p in sorted(found.outcomes.items(), key=lambda item: -item[1])[:3]:
        assert percent(p, 1) in whole
        assert all(session.game.narrator.describe_change(change).partition(": ")[2] in whole for change in changes)
    assert you.get("/odds?n=0&version=1").json() == {"html": ""}


def test_real_dice_are_typed_in(club: Club) -> None:
    you = club.begin("vcc", dice="physical")["you"]
    for _ in range(200):
        if 'data-form="dice"' in you.parts()["question"]:
            break
        you.do("answer", option=0)
    question: Any = you.game.session.pending
    assert you.do("answer", faces="99").status_code == 409
    assert you.do("answer", faces="one").status_code == 409
    assert you.do("answer", faces=" ".join(["1"] * question.dice)).status_code == 200
    while 'data-form="dice"' not in you.parts()["question"]:
        you.do("answer", option=0)
    assert you.do("throw").status_code == 200


def test_why_links_each_number_to_its_rule(club: Club) -> None:
    you = club.begin("vcc")["you"]
    while "data-rule" not in (told := you.get("/why").json()["html"]):
        you.do("answer", option=0)
    rule = re.findall(r'data-rule="([A-Z]+-\d+)"', told)[0]
    assert rule in you.get(f"/rule?id={rule}").json()["html"]
    assert you.get("/rule?id=VCC-999").status_code == 409


def test_a_house_rule_shows_its_description(club: Club) -> None:
    you = club.begin("vcc", house="weather")["you"]
    assert "Weather: every turn it may change" in you.get("/rule?id=HOUSE-WEATHER").json()["html"]
    assert you.get("/rule?id=HOUSE-RAIN").status_code == 409


def test_saved_games_are_listed_and_keep_their_link_after_the_server_was_killed(club: Club) -> None:
    you = club.begin("vcc")["you"]
    play(you, 9)
    before = you.parts()
    # Only the session is closed, to release its lock as the death of a process does.
    you.game.session.close()
    again = Club(club.folder)
    assert "Patrol clash" in again.client.get("/").text
    there = Chair(again, you.address)
    after = there.parts()
    same = {"version": 0, "question_version": 0}
    assert {**after, **same} == {**before, **same}
    # no version of the old server is valid on the new one, so an answer sent before it died is not counted
    assert after["version"] > before["version"]
    assert there.do("answer", option=0).status_code == 200
    listed = again.client.post(f"/links/{you.name}")
    assert listed.status_code == 303 and Chair(again, listed.headers["location"]).parts()["is_asked"]
    again.close()


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_the_slider_shows_every_step_as_it_was(club: Club, ruleset: str) -> None:
    """The table of the last step is in memory; older tables are rebuilt, by this server and after a restart."""
    you = club.begin(ruleset)["you"]
    then: dict[int, str] = {}
    for _ in range(10):
        told = you.do("answer", option=0).json()
        then[told["steps"]] = told["pieces"]
    shown = [you.get(f"/at?step={step}").json() for step in range(told["steps"] + 1)]
    assert [shown[step]["pieces"] for step in then] == [*then.values()]
    assert [shown[step] for step in reversed(range(len(shown)))] == [
        you.get(f"/at?step={step}").json() for step in reversed(range(len(shown)))
    ]
    club.close()
    again = Club(club.folder)
    there = Chair(again, you.address)
    assert [there.get(f"/at?step={step}").json() for step in range(len(shown))] == shown
    again.close()


def test_a_second_server_on_one_journal_is_refused_in_a_sentence(club: Club) -> None:
    you = club.begin("vcc")["you"]
    second = Club(club.folder)
    refused = Chair(second, you.address).get()
    assert refused.status_code == 409 and "is being written by another process" in refused.json()["refused"]
    with pytest.raises(ZarebaError, match="another process"):
        open_session(you.game.path)
    assert you.do("answer", option=0).status_code == 200


def test_a_damaged_journal_is_listed_with_what_is_wrong(club: Club) -> None:
    club.begin("vcc")
    (club.folder / "torn.jsonl").write_text("this is no journal\n")
    page = club.client.get("/").text
    assert "nothing can be recovered from it" in page


def test_games_without_viewers_are_closed_to_make_room(club: Club) -> None:
    small = Games(club.folder, most=2)
    chairs = [club.begin("vcc")["you"] for _ in range(3)]
    names = [chair.name for chair in chairs]
    club.close()
    opened = [small.open(name) for name in names]
    assert [game.closed for game in opened] == [True, False, False]
    with pytest.raises(ZarebaError, match="was just closed"):
        opened[0].change(lambda session: session.answer(session.pending))
    small.close()


def test_an_invalid_choice_at_the_start_is_reported_and_starts_nothing(club: Club) -> None:
    for fields in (
        {"set.stack_points": "99"},
        {"seat.patrol": "nobody"},
        {"house": "/etc/passwd"},
        {"ruleset": "chess"},
        {"seed": "-1"},
    ):
        answer = club.client.post("/new/patrol_clash", data={"ruleset": "vcc", **fields})
        assert answer.status_code == 400 and 'role="alert"' in answer.text, fields
    assert not club.games.saved()


def test_settings_and_house_rules_are_shown_by_name(club: Club) -> None:
    fields = {"set.stack_points": "6", "house": "gatling_never_jams", "seat.tribesmen": "random"}
    you = club.begin("vcc", "patrol_clash", **fields)["you"]
    rules = you.game.game.rules
    assert rules.settings["stack_points"] == 6 and "gatling_never_jams" in rules.house_rules


@pytest.mark.parametrize("ruleset", RULESETS)
def test_the_ruler_measures_as_the_system_does(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    words = you.get("/ruler?ax=10&ay=10&bx=22&by=10").json()["words"][0]
    expected = {"vcc": "2 boxes", "afriboria": "2 hexes", "risk_factor": "30.5 cm"}.get(ruleset, '12.0"')
    assert words.endswith(expected)


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_the_phase_of_the_turn_is_marked_among_all(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    play(you, 30)
    game, state = you.game.game, you.game.session.state
    phases = game.display.phases(state)
    assert len(phases) > 1 and [now for _, now in phases].count(True) == 1
    present = next(title for title, now in phases if now)
    assert present in game.display.labelled_board(state).headline
    assert f'title="{present}" aria-current="step"' in unescape(you.parts()["status"])


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_smoke_of_this_turn_hangs_where_somebody_has_fired(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    turns = "10" if ruleset == "afriboria" else "4"  # its units battle in neighbouring hexes first, without smoke
    you.do("delegate", scope="turn", turns=turns, player="doctrine")
    you.wait()
    steps = you.parts()["steps"]
    seen = [you.get(f"/at?step={step}").json()["pieces"] for step in range(0, steps + 1, 4)]
    assert any('href="#smoke"' in pieces for pieces in seen)
    game, log = you.game.game, you.game.session.log()
    fired = {who for _, _, events in log for event in events if (who := game.narrator.firing_piece(event))}
    assert fired and fired <= {
        piece_id for ids in game.display.pieces(you.game.session.state).values() for piece_id in ids
    } | set(game.umpire_editor().piece_holders(you.game.session.state))


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_zones_of_fire_danger_and_command_are_asked_from_the_rules(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    you.do("delegate", scope="turn", turns="2", player="doctrine")
    game, session = you.game.game, you.game.session
    state = game.sight.view(session.state, "patrol")
    drawn = {kind: you.get(f"/reach?kind={kind}").json() for kind in ("fire", "danger", "command")}
    assert 'class="band' in drawn["fire"]["svg"] and 'class="band' in drawn["danger"]["svg"]
    assert drawn["fire"]["svg"] != drawn["danger"]["svg"]
    has_command = ruleset not in ("paychest", "fixed_baynet")  # these have no command distance
    assert ('class="band' in drawn["command"]["svg"]) is has_command
    assert bool(drawn["command"]["words"]) is not has_command
    board, editor = game.display.labelled_board(state), game.umpire_editor()
    for piece in [
        piece for piece in board.pieces if piece.side and (piece.look.unit or piece.id) in editor.piece_holders(state)
    ]:
        unit = piece.look.unit or piece.id
        for reach in editor.reaches(state, unit):
            assert reach.rule in unescape(str(drawn)) or reach.kind == "command" or piece.side == "tribesmen"
            limits = [limit for _, limit in reach.bands]
            assert limits == sorted(limits) and (board.space == "free") is bool(limits)
    one = next(iter(game.display.pieces(state)["patrol"]))
    assert you.get(f"/reach?kind=fire&piece={one}").status_code == 200
    assert you.get("/reach?kind=everything").status_code == 409
    hidden = you.get("/reach?kind=fire&piece=nobody").json()
    assert 'class="band' not in hidden["svg"] and hidden["words"]


def test_only_places_in_reach_of_a_unit_are_shaded(club: Club) -> None:
    you = club.begin("paychest")["you"]
    question: Any = you.game.session.pending
    path = you.get(f"/where?version={you.game.version}").json()["path"]
    game = you.game.game
    runs = [tuple(map(float, run)) for run in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z", path)]
    assert runs
    for x, y, wide, deep in runs:
        for middle in (x + deep / 2, x + wide - deep / 2):
            assert question.legal((middle, game.scenario.table.depth - y - deep / 2)) is None
    covered = sum(wide * deep for _, _, wide, deep in runs)
    assert 0 < covered < game.scenario.table.width * game.scenario.table.depth
    assert you.get("/where?version=1").json() == {"path": "", "hint": ""}


@pytest.mark.parametrize("ruleset", ["paychest", "risk_factor"])
def test_a_move_towards_a_place_beyond_its_reach_shows_the_reach_and_says_what_happens(
    ruleset: str, club: Club
) -> None:
    you = club.begin(ruleset)["you"]
    you.do("delegate", scope="set_up", player="doctrine")
    for _ in range(40):
        question: Any = you.game.session.pending
        if isinstance(question, Place) and question.cost is not None:
            break
        wishes = [option for option in ("march", "advance") if option in getattr(question, "options", ())]
        you.do("answer", option=question.options.index(wishes[0]) if wishes else 0)
    shown = you.get(f"/where?version={you.game.version}").json()
    depth = you.game.game.scenario.table.depth
    inches = you.game.game.display.labelled_board(you.game.session.state).inches
    runs = [
        tuple(map(float, run)) for run in re.findall(r"M([\d.]+) ([\d.]+)h([\d.]+)v([\d.]+)h-[\d.]+z", shown["path"])
    ]
    assert runs and "beyond it" in shown["hint"]
    for x, y, wide, deep in runs:
        for middle in (x + deep / 2, x + wide - deep / 2):
            point = middle / inches, (depth - y - deep / 2) / inches
            spent, allowance = question.cost(point)
            assert question.legal(point) is None and spent <= 1.01 * allowance


def test_shaded_weapon_ranges_equal_the_legal_targets(club: Club) -> None:
    you = club.begin("vcc")["you"]
    while (question := you.game.session.pending) is not None and question.why != "fire at":
        you.do("answer", option=0)
    assert isinstance(question, Choose)
    session, game = you.game.session, you.game.game
    state = session.state
    fire = next(iter(game.umpire_editor().reaches(state, question.actor)))
    boxes = {box for cells in fire.cells.values() for box in cells}
    targets = [state.units[target].box for target in question.options if target in state.units]
    assert targets and set(targets) <= boxes


def test_the_ruler_names_the_terrain_that_it_crosses(club: Club) -> None:
    you = club.begin("vcc")["you"]
    village = you.game.game.scenario.terrain["village"]
    west, south = village.area[0]  # type: ignore[index]  # a village is an area
    words = you.get(f"/ruler?ax={west - 1}&ay={south + 1}&bx={west + 3}&by={south + 1}").json()["words"]
    assert "village" in words[-1] and words[-1].startswith("across ")


def test_one_undo_takes_back_a_phase_played_by_an_ai_player(club: Club) -> None:
    you = club.begin("vcc")["you"]
    before = you.parts()["pieces"]
    assert you.do("delegate", scope="phase", player="doctrine").status_code == 200
    after = you.parts()
    assert after["pieces"] != before and after["is_asked"]
    assert you.do("undo").status_code == 200
    assert you.parts()["pieces"] == before
    for fields in ({"scope": "for ever"}, {"scope": "turn", "player": "/etc/passwd"}):
        assert you.do("delegate", **fields).status_code == 409
    assert you.do("delegate", scope="game").status_code == 200
    assert you.parts()["over"] and "Turning points" in you.get("/score").json()["html"]


def test_advice_briefing_and_score_are_shown(club: Club) -> None:
    you = club.begin("vcc")["you"]
    answer, reason = you.game.session.suggestion()
    assert unescape(you.get("/advice").json()["html"]).count(reason) == 1
    assert "Objectives" in you.get("/briefing").json()["html"]
    assert "point" in you.get("/score").json()["html"]
    assert answer in you.game.session.pending.options  # type: ignore[union-attr]  # it is a choice


def test_watchers_get_no_briefing_or_score_of_a_side(club: Club) -> None:
    watcher = club.begin("vcc", **{"seat.tribesmen": "friend"})["whoever watches"]
    told = watcher.get("/briefing").json()["html"]
    assert "Objectives" in told and "The patrol (" not in told
    assert watcher.get("/score").status_code == 403 and watcher.get("/advice").status_code == 409


def test_players_give_standing_orders_only_to_their_own_units(club: Club) -> None:
    you = club.begin("vcc")["you"]
    play(you, 9)
    assert you.do("order", unit="fusiliers", kind="hold").status_code == 200
    assert str(you.game.session.orders.given["fusiliers"]) == "hold unless charged"
    assert you.do("order", unit="jezails", kind="hold").status_code == 403
    assert you.do("order", unit="fusiliers", kind="").status_code == 200
    assert not you.game.session.orders.given


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_the_ruler_shows_sight_range_and_cover_between_two_units(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    play(you, 40)
    game = you.game
    state = game.game.sight.public(game.session.state)
    board = game.game.display.labelled_board(state)
    own, his = (
        next(p for p in board.pieces if p.side == side and p.look.kind == "foot") for side in ("patrol", "tribesmen")
    )
    said = game.game.umpire_editor().measurements(state, own.look.unit or own.id, his.look.unit or his.id)
    assert any("sight" in phrase or "see" in phrase for phrase in said), said
    if ruleset != "afriboria":  # where charges need a card
        assert any("charge" in phrase or "full move" in phrase or "runs at" in phrase for phrase in said), said
    words = you.get(f"/ruler?ax=1&ay=1&bx=9&by=9&a={own.id}&b={his.id}").json()["words"]
    assert words[1] == f"from {own.look.name} to {his.look.name}: {', '.join(said)}"
    assert len(you.get(f"/ruler?ax=1&ay=1&bx=9&by=9&a={own.id}&b=nobody").json()["words"]) == 1


def test_the_page_recognizes_a_question_that_is_only_redrawn(club: Club) -> None:
    you = club.begin("vcc")["you"]
    play(you, 9)
    before = you.parts()
    assert you.do("order", unit="sikhs", kind="hold").status_code == 200
    again = you.parts()
    assert again["version"] > before["version"] and again["question_version"] == before["question_version"]
    you.do("answer", option=0)
    assert you.parts()["question_version"] > before["question_version"]
    you.do("undo")
    assert you.parts()["question_version"] != before["question_version"]


@pytest.mark.parametrize("ruleset", ["fixed_baynet", "paychest", "risk_factor"])
def test_a_tried_place_shows_its_cost_and_the_rule_that_refuses_it(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    session, luck = you.game.session, Random(1)
    for _ in range(200):
        question = session.pending
        assert question is not None, "a unit moves before the end"
        if isinstance(question, Place) and question.cost is not None:
            break
        count = len(question.options) if isinstance(question, Choose) else 1
        you.do("answer", option=luck.randrange(count))
    assert isinstance(question, Place) and question.cost is not None
    depth = you.game.game.scenario.table.depth
    for x, y in [*question.suggestions, (0.5, depth - 0.5), (1.0, 1.0)]:
        told = you.get(f"/check?x={x}&y={y}").json()
        spent, allowance = question.cost((x, y))
        if told["refused"]:
            assert told["cost"] == "", "the reason stands alone"
        elif spent is None:
            assert told["cost"] == "impassable ground is in the way"
        else:
            assert told["cost"].startswith(f"costs {spent:.1f} of {allowance:.1f}")
            assert ("stops on the way" in told["cost"]) is (spent > allowance + 0.05)
    refused = you.get("/check?x=-5&y=5").json()["refused"]
    assert re.search(r"\([A-Z]{3}-\d{3}\)\.$", refused), refused
    assert refused[1:-1] in you.do("answer", x="-5", y="5").json()["refused"]


@pytest.mark.parametrize("ruleset", ["afriboria", "vcc"])
def test_boxes_in_reach_show_their_cost(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    told: list[dict[str, Any]] = []
    for _ in range(150):
        question = you.game.session.pending
        assert question is not None, "a unit moves before the end of the game"
        if isinstance(question, Choose) and question.why == "move":
            told = [aim for aim in you.parts()["targets"] if aim["cell"] is not None]
            if told:
                break
        you.do("answer", option=0)
    assert isinstance(question, Choose) and told
    game, state = you.game.game, you.game.session.state
    unit = state.units[question.actor]
    for aim in told:
        if ruleset == "vcc":
            way = next(way for way in state.field.open_steps[unit.troop, unit.box] if way.box == aim["cell"])
            assert aim["cost"] == ("1 box, ends the move" if way.ends else "1 box")
        else:
            steps, limit = map(int, re.findall(r"\d+", aim["cost"]))
            assert state.field.distance[unit.hex][aim["cell"]] <= steps <= limit
    assert not game.display.cost_of(state, question, "stay")


@pytest.mark.parametrize("ruleset", ["afriboria", "fixed_baynet", "paychest", "vcc"])
def test_the_ai_sets_up_on_request(club: Club, ruleset: str) -> None:
    """Risk-Factor never asks for the positions of units."""
    you = club.begin(ruleset)["you"]
    game, session = you.game.game, you.game.session
    assert game.display.labelled_board(session.state).awaited and "data-set-up" in you.parts()["question"]
    assert you.do("delegate", scope="phase", player="doctrine").status_code == 200
    assert not game.display.labelled_board(session.state).awaited
    assert you.parts()["is_asked"] and "data-set-up" not in you.parts()["question"]
    assert you.do("undo").status_code == 200
    assert game.display.labelled_board(session.state).awaited


ATTACKS = {"battle", "fire", "gun fires", "salvo", "shooting", "shot", "volley"}
"""The kinds of event with which units attack."""


@pytest.mark.parametrize("ruleset", each_ruleset("vcc"))
def test_a_player_who_lets_the_ai_finish_each_phase_attacks_after_few_answers(club: Club, ruleset: str) -> None:
    you = club.begin(ruleset)["you"]
    own = set(you.game.game.display.pieces(you.game.session.state)["patrol"])
    own |= {piece.partition(".")[0] for piece in own}  # the units of single figures
    for _ in range(8):
        question = you.parts()["question"]
        assert "data-set-up" in question or "data-rest" in question
        assert you.do("delegate", scope="phase", player="doctrine").status_code == 200
        events = [event for step in you.game.session.history.steps_seen_by(None) for event in step.events]
        if any(event.kind in ATTACKS and _attacker(event) in own for event in events):
            return
    raise AssertionError("eight answers, and no attack")


def _attacker(event: Event) -> str:
    """Return the unit that attacks in an event, without the figure in it."""
    return str(event.data.get("by") or event.data.get("unit") or event.data.get("gun")).partition(".")[0]


@pytest.mark.parametrize(
    ("ruleset", "first_answers", "buttons"),
    [
        ("fixed_baynet", 0, [("phase", "Let the AI finish this phase: Actions")]),
        (
            "fixed_baynet",
            1,
            [("unit", "Let the AI play Fusiliers"), ("phase", "Let the AI finish this phase: Actions")],
        ),
        pytest.param("paychest", 1, [("phase", "Let the AI play Captain Merrow")], marks=pytest.mark.deep),
        pytest.param("vcc", 0, [("phase", "Let the AI finish this phase: British units move")], marks=pytest.mark.deep),
    ],
)
def test_the_buttons_name_what_the_ai_would_play(
    club: Club, ruleset: str, first_answers: int, buttons: list[tuple[str, str]]
) -> None:
    you = club.begin(ruleset)["you"]
    you.do("delegate", scope="set_up", player="doctrine")
    for _ in range(first_answers):
        you.do("answer", option=0)
    question = you.parts()["question"]
    found = re.findall(r'data-rest="(\w+)"[^>]*>([^<]*) <kbd>', question)
    assert [(scope, unescape(words)) for scope, words in found] == buttons
    if len(buttons) > 1:
        assert you.do("delegate", scope="unit", player="doctrine").status_code == 200
        after = you.parts()
        assert after["is_asked"] and after["acting"] != "fusiliers"


def test_the_headline_of_the_replay_leaves_out_the_cards_next_to_the_map(club: Club) -> None:
    you = club.begin("afriboria")["you"]
    you.do("delegate", scope="set_up", player="doctrine")
    parts = you.parts()
    assert "card" in parts["cards"]
    shown = you.get(f"/at?step={parts['steps']}").json()
    assert shown["headline"] and ";" not in shown["headline"]


# --- undo between two people ------------------------------------------------------------------------------------------


def test_the_page_takes_back_the_other_seats_choice_only_with_its_consent(club: Club) -> None:
    chairs = club.begin("vcc", **{"seat.patrol": "me", "seat.tribesmen": "friend"})
    you, band = chairs["you"], chairs["The band"]
    asked, other = (you, band) if you.parts()["is_asked"] else (band, you)
    assert asked.do("answer", option=0).status_code == 200
    refused = other.do("undo")
    assert refused.status_code == 409 and "would undo a choice of" in refused.text
    assert "Ask for an undo" in other.parts()["question"] and "Ask for an undo" not in asked.parts()["question"]
    assert other.do("agree_undo").status_code == 409
    assert other.do("ask_undo").status_code == 200
    assert "asks to undo the last choice" in asked.parts()["question"]
    assert chairs["whoever watches"].do("agree_undo").status_code == 403
    assert other.do("agree_undo").status_code == 409
    count = len(asked.game.session.history.answers)
    assert asked.do("agree_undo").status_code == 200
    assert len(asked.game.session.history.answers) == count - 1
    assert other.do("redo").status_code == 409
    assert asked.do("redo").status_code == 200
    assert asked.do("undo").status_code == 200, "undoing your last choice needs no consent"


def test_an_unchanged_map_is_not_redrawn(club: Club, monkeypatch: pytest.MonkeyPatch) -> None:
    you, drawn = club.begin("vcc")["you"], list[Any]()

    def draw(*shown: Any) -> Any:
        drawn.append(shown)
        return pieces(*shown)

    monkeypatch.setattr(view, "pieces", draw)
    before = you.parts()
    you.game.propose(None)
    after = you.parts()
    assert after["version"] > before["version"] and after["pieces"] == before["pieces"] and len(drawn) == 1
    play(you, 6)
    shown = you.parts()["pieces"]
    assert shown == pieces(*drawn[-1]) and shown != before["pieces"] and len(drawn) > 1
