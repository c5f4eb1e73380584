"""The book of an evening: corrections, undo, dice, saving and resuming."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from zareba.base.errors import ZarebaError
from zareba.base.state import digest
from zareba.campaign_result import campaign_result
from zareba.chance import SUM
from zareba.cli.output import SafeConsole
from zareba.cli.prompt.companion_prompt import CompanionPrompt
from zareba.companion import (
    AskFact,
    Evening,
    Finished,
    Form,
    PickUnit,
    Scene,
    Throw,
    after_action_lines,
    house_rules_of_evening,
    new_evening,
    open_evening,
    scenario_of_list,
)
from zareba.companion.forms import rolls_in_order
from zareba.journal import entry_line, read_ledger
from zareba.registry import find_house_rule
from zareba.scenario import load_scenario
from zareba.table import Roll
from zareba.web.companion.open_evening import OpenEvening


def evening(path: Path | None = None, **settings: Any) -> Evening[Any]:
    return new_evening("vcc", load_scenario("patrol_clash"), seed=7, settings=settings, path=path)


def shot(book: Evening[Any], *faces: int) -> Form[Any]:
    """Fire the mountain gun at the jezails at close range, with these faces or the companion's dice."""
    form = book.form("fire", Scene(book.game, "mountain_gun", "jezails"))
    form.give("close")
    form.give("none")
    form.give(False)
    pending = form.pending
    assert isinstance(pending, Throw)
    if faces:
        form.give((sum(faces), max(faces)), faces)
    else:
        form.give(*book.roll(form, pending.question))
    book.finish(form)
    return form


def run(book: Evening[Any], *lines: str) -> CompanionPrompt:
    queue = iter(lines)

    def ask(_: str) -> str:
        try:
            return next(queue)
        except StopIteration:
            raise EOFError from None

    prompt = CompanionPrompt(book, SafeConsole(), ask)
    prompt.run()
    return prompt


def test_volley_needs_at_most_six_answers(capsys: pytest.CaptureFixture[str]) -> None:
    book = evening()
    prompt = run(book, "mountain gun", "jezails", "2", "", "", "")
    assert prompt.answers == 6  # unit, target, range, cover, turn of the gun, dice
    assert book.entries[-1].sentences[0].startswith("Mountain gun fired 8 dice at Jezails (close): ")
    run(book, "next", *[""] * 4, "next", "next")
    prompt = run(book, "fusiliers", "swordsmen", "2", "", "")
    assert prompt.answers == 5  # unit, target, range, cover, dice
    assert "* Fusiliers fired" in capsys.readouterr().out


def test_form_asks_only_what_the_table_knows() -> None:
    book = evening()
    form = book.form("fire")
    pending = form.pending  # the only gun is chosen at once
    assert isinstance(pending, PickUnit)
    assert pending.role == "target"
    form.give("jezails")
    asked = []
    while isinstance(pending := form.pending, AskFact):
        asked.append(pending.asked.fact)
        form.give(next(iter(pending.choices)))
    assert asked == ["band", "cover", "pivots"]
    preview = form.preview()
    assert [tally.total for tally in preview.tallies if tally.rule.name == "fire_dice"] == [8]
    assert "Jezails" in preview.odds


def test_distance_gives_the_band() -> None:
    book = evening()
    form = book.form("fire", Scene(book.game, "mountain_gun", "jezails"))
    with pytest.raises(ZarebaError, match="Mountain gun reaches 12 boxes, not 13"):
        form.give_measured(13)
    form.give_measured(9)
    assert form.scene.answers == {"band": "medium"}


def test_an_unsuitable_answer_changes_nothing() -> None:
    book = evening()
    form = book.form("fire", Scene(book.game, "mountain_gun", "jezails"))
    with pytest.raises(ZarebaError, match="'far' is not a possible answer"):
        form.give("far")
    assert form.scene.answers == {}
    with pytest.raises(ZarebaError, match="not finished"):
        book.finish(form)
    assert book.entries == []


def test_an_answer_that_the_rules_reject_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    book = evening()
    form = book.form("fire", Scene(book.game, "mountain_gun", "jezails", {"band": "close", "cover": "none"}))

    def fails(*_: object) -> None:
        raise ZarebaError("these figures cannot do that")

    monkeypatch.setattr(form, "act", replace(form.act, run=fails))
    with pytest.raises(ZarebaError, match="cannot do that"):
        form.give(False)
    assert "pivots" not in form.scene.answers


def test_act_can_be_taken_back_until_the_first_die() -> None:
    book = evening()
    form = book.form("fire", Scene(book.game, "mountain_gun", "jezails"))
    form.give("close")
    assert form.take_back()
    assert form.scene.answers == {}
    form = shot(book, 6, 6, 6, 6, 6, 6, 6, 6)
    with pytest.raises(ZarebaError, match="dice have been thrown"):
        form.take_back()


def moved_by_real_dice() -> tuple[Evening[Any], Form[Any]]:
    """Return an evening of Paychest, and a run of Red whose dice people have thrown: 4 5 and 6."""
    book = new_evening("paychest", scenario_of_list("Us:\n8 Alpha rifles\nThem:\n12 Red spears\n"), seed=3)
    run(book, "red")
    form = book.form("move", Scene(book.game, "red"))
    form.give("run")
    form.give_typed_faces("4 5 6")
    return book, form


def test_a_wrong_answer_after_the_dice_is_taken_back_alone() -> None:
    _, form = moved_by_real_dice()
    asked = form.pending
    assert isinstance(asked, AskFact)
    form.give(next(value for value, words in asked.choices.items() if words == "Alpha"))
    assert form.take_back()
    again = form.pending
    assert isinstance(again, AskFact) and again.text == asked.text
    assert [answered.faces for answered in form.given] == [(4, 5), (6,)]
    with pytest.raises(ZarebaError, match="dice have been thrown"):
        form.take_back()


def test_dice_of_an_act_taken_back_are_proposed_again() -> None:
    book, form = moved_by_real_dice()
    said = book.take_back(form)
    assert said == "taken back, unfinished: Red: move or charge; its dice, which you can take again: 4 5, 6"
    form = book.form("move", Scene(book.game, "red"))
    form.give("run")
    assert form.faces_before() == (4, 5, 6)
    form.give_faces(form.faces_before())
    assert form.faces_before() == ()
    book.undo()
    assert book.form("card").faces_before() == ()


def test_same_takes_the_dice_again_at_the_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    book = new_evening("paychest", scenario_of_list("Us:\n8 Alpha rifles\nThem:\n12 Red spears\n"), seed=3)
    run(book, "red", "move; 2", "4 5 6", "undo", "move; 2", "same", "quit")
    out = capsys.readouterr().out
    assert "its dice, which you can take again: 4 5, 6" in " ".join(out.split())
    assert "before you took it back: 4 5 6; same takes these dice again" in " ".join(out.split())
    assert out.count("may go up to 15 inches") == 2


def test_undo_and_the_same_act_give_the_same_dice() -> None:
    book = evening()
    before = digest(book.state.to_data())
    first = shot(book).given
    after = digest(book.state.to_data())
    book.undo()
    assert digest(book.state.to_data()) == before
    assert shot(book).given == first
    assert digest(book.state.to_data()) == after
    book.undo()
    with pytest.raises(ZarebaError, match="nothing to undo"):
        book.undo()


def test_real_dice_are_checked() -> None:
    book = evening()
    form = book.form(
        "fire", Scene(book.game, "mountain_gun", "jezails", {"band": "close", "cover": "none", "pivots": False})
    )
    with pytest.raises(ZarebaError, match=r"faces? given"):
        form.give((7, 6), [6, 1])
    with pytest.raises(ZarebaError, match="cannot show 7"):
        form.give((14, 7), [7, 1, 1, 1, 1, 1, 1, 1])
    assert not isinstance(form.pending, Finished)


def test_a_correction_is_an_ordinary_entry() -> None:
    book = evening()
    book.correct("jezails", "bases", 2)
    book.correct("jezails", "prone", True)
    assert book.companion.strength_boxes(book.state, "jezails") == (2, 5)
    assert book.companion.unit_line(book.state, "jezails") == "2 bases, prone"
    with pytest.raises(ZarebaError, match="no value of Jezails called 'colour'"):
        book.correct("jezails", "colour", 3)
    with pytest.raises(ZarebaError, match="from 0 to 5"):
        book.correct("jezails", "bases", 9)
    book.undo()
    book.undo()
    assert book.companion.unit_line(book.state, "jezails") == "5 bases"


def test_people_decide_an_objective(capsys: pytest.CaptureFixture[str]) -> None:
    book = evening()
    goal, entry = next(iter(book.game.scenario.objectives.items()))
    run(book, f"goal {entry.name} patrol", "score", f"goal {entry.name} none")
    assert [dict(written.data) for written in book.entries] == [{"goal": goal, "side": side} for side in ("patrol", "")]
    assert f"objective {entry.name}: achieved by The patrol" in capsys.readouterr().out
    with pytest.raises(ZarebaError, match="no objective 'moon'"):
        book.achieve("moon", "patrol")


def test_battle_ends_after_its_last_turn(capsys: pytest.CaptureFixture[str]) -> None:
    book = new_evening("vcc", scenario_of_list("1 turn\nA:\n20 rifles\nB:\n24 spears"), seed=1)
    run(book, *["next"] * 6)
    assert book.is_over
    assert "The game is over" in capsys.readouterr().out


def test_evening_is_saved_and_resumed(tmp_path: Path) -> None:
    path = tmp_path / "evening.companion"
    book = evening(path, mg_overheat="off")
    shot(book)
    book.correct("swordsmen", "bases", 3)
    book.next(leave_out=True)
    book.undo()
    book.close()
    other = open_evening(path)
    assert digest(other.state.to_data()) == digest(book.state.to_data())
    assert [entry.sentences for entry in other.entries] == [entry.sentences for entry in book.entries]
    assert other.game.rules.settings["mg_overheat"] == "off"
    other.next(leave_out=True)
    other.close()
    again = open_evening(path)
    assert len(again.entries) == 3
    again.close()


def test_damaged_end_of_a_file_is_dropped(tmp_path: Path) -> None:
    path = tmp_path / "evening.companion"
    book = evening(path)
    shot(book)
    book.close()
    with path.open("ab") as file:
        file.write(b'00000000 {"act": "fi')
    other = open_evening(path)
    assert len(other.entries) == 1
    other.correct("swordsmen", "bases", 3)
    other.close()
    again = open_evening(path)
    assert len(again.entries) == 2
    again.close()


def test_a_file_that_is_not_an_evening_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "evening.companion"
    path.write_text("hello\n")
    with pytest.raises(ZarebaError, match="is not an evening"):
        open_evening(path)


def test_an_evening_without_its_python_house_rule_says_what_to_do(tmp_path: Path) -> None:
    rule, path = tmp_path / "lucky.py", tmp_path / "evening.companion"
    rule.write_text(
        '"""Lucky dice."""\nfrom zareba.api import hookimpl\n\n@hookimpl\ndef zareba_event(table, event):\n    pass\n'
    )
    rules = [find_house_rule(str(rule))]
    book = new_evening("vcc", load_scenario("patrol_clash"), seed=1, house_rules=rules, path=path)
    book.correct("jezails", "bases", 2)
    book.close()
    saved = path.read_bytes()
    other = rule.rename(tmp_path / "elsewhere.py")
    with pytest.raises(ZarebaError) as found:
        open_evening(path)
    assert str(found.value) == (
        f"{path} uses the Python house rule 'lucky', which is not here; find its file, then open the evening with"
        f" 'zareba companion --continue {path} --house-rule FILE'; after that, the page opens it too. Nothing in the file"
        " has changed."
    )
    assert path.read_bytes() == saved
    assert [one.name for one in house_rules_of_evening(path)] == ["lucky"]
    again = open_evening(path, [other])
    assert [entry.title for entry in again.entries] == ["correction: Jezails, bases: 2"]
    again.close()
    header, *rest = [dict(entry) for entry in read_ledger(path, "evening").entries]
    header["house_rules"] = [header["house_rules"][0] | {"brought": "club 1.2"}]
    path.write_bytes(b"".join(map(entry_line, (header, *rest))))
    with pytest.raises(ZarebaError, match=r"not here; install club 1\.2, which provided it, then open"):
        open_evening(path)


def test_an_evening_with_a_setting_that_is_gone_says_what_to_do(tmp_path: Path) -> None:
    path = tmp_path / "evening.companion"
    new_evening("vcc", load_scenario("patrol_clash"), seed=1, path=path).close()
    header, *rest = [dict(entry) for entry in read_ledger(path, "evening").entries]
    header |= {"settings": {**header["settings"], "gone": 3}, "zareba": "0.0.9"}
    path.write_bytes(b"".join(map(entry_line, (header, *rest))))
    saved = path.read_bytes()
    with pytest.raises(ZarebaError, match=r"there is no setting of vcc called 'gone'.* Install the version") as found:
        open_evening(path)
    assert str(found.value).startswith(f"{path}: the saved game does not fit the rules that are installed")
    assert str(found.value).endswith("It was saved by zareba 0.0.9; nothing in the file has changed.")
    assert path.read_bytes() == saved


def test_house_rules_and_settings_change_the_numbers(tmp_path: Path) -> None:
    file = tmp_path / "sharp.yaml"
    file.write_text(
        "house_rule: sharp\ntitle: Sharp gunners\nruleset: vcc\nchanges:\n"
        "  - {at: tallies.fire_dice.modifiers.elite.when, was: {quality: elite}, to: {quality: ordinary}, why: they train}\n"
    )
    book = new_evening("vcc", load_scenario("patrol_clash"), seed=1, house_rules=[find_house_rule(str(file))])
    form = book.form(
        "fire", Scene(book.game, "mountain_gun", "jezails", {"band": "medium", "cover": "none", "pivots": False})
    )
    (tally, *_) = form.preview().tallies
    assert tally.total == 5  # 4 gunners, and one die by the house rule


def test_house_rule_that_a_real_table_cannot_run_is_refused() -> None:
    with pytest.raises(ZarebaError, match=r"after_dark.*change during a battle"):
        new_evening("vcc", load_scenario("patrol_clash"), seed=1, house_rules=[find_house_rule("after_dark")])


def test_commands_at_the_prompt(capsys: pytest.CaptureFixture[str]) -> None:
    book = evening()
    run(
        book, "units", "unit jezails", "correct jezails bases 4", "undo", "rules overheat", "rules vcc-103", "sheet", "sheet fire dice",
        "sheet martians", "rules 999", "rules", "why", "cancel",
        "mountain gun; jezails; back; jezails; 2; ; ; 6 6 6 6 6 6 6 6", "why", "log", "help", "any", "next", "quit",
    )  # fmt: skip
    out = capsys.readouterr().out
    assert "■■■■■ Jezails: 5 bases" in out
    assert "correction: Jezails, bases: 4" in out
    assert "taken back: correction: Jezails" in out
    assert "VCC-103" in out
    assert "Type sheet and a word of a title." in " ".join(out.split()) and "VCC-083" in out
    assert "no chart has 'martians' in its title" in out
    assert "no rule of vcc has the number '999'" in out and "type a word or the number of a rule" in out
    assert "no dice have been thrown yet" in out
    assert "there is no act to cancel" in out
    assert "48 hits" in out
    assert "close range" in out


def test_back_takes_back_the_phase(capsys: pytest.CaptureFixture[str]) -> None:
    book = evening()
    run(book, "mountain gun; jezails; 2; ; ; 1 1 1 1 1 1 1 1")
    run(book, "back")
    assert book.entries == []
    assert book.companion.headline(book.state).endswith("step 1: British artillery, machine guns and rockets")


def test_undo_of_an_automatic_turn_end_also_takes_back_the_entry_before(capsys: pytest.CaptureFixture[str]) -> None:
    book = evening()
    run(book, *["next"] * 12, "quit")
    automatic = [number for number, entry in enumerate(book.entries) if entry.data.get("automatic")]
    assert automatic, "the end of the turn is played without a question"
    last = automatic[-1]
    while len(book.entries) > last + 1:
        book.undo()
    before = digest(book.entries[last - 2].state.to_data())
    taken_back = book.undo()
    assert taken_back.data == {"next": True}
    assert len(book.entries) == last - 1
    assert digest(book.state.to_data()) == before
    run(book, "quit")
    assert len(book.entries) == last - 1, "nothing ends the turn again before people act"


def test_any_is_a_switch_and_next_keeps_an_act_in_progress(
    capsys: pytest.CaptureFixture[str],
) -> None:
    book = evening()
    run(book, "any", "any", "quit")
    lists = capsys.readouterr().out.split("Turn 1 of")[1:]
    assert len(lists) == 3 and lists[0].strip() == lists[2].strip()
    assert lists[1] != lists[0]
    run(book, "mountain gun; jezails", "next", "quit")
    assert "'fire' is not finished; finish it, or type cancel and then next" in capsys.readouterr().out
    assert not book.entries


def test_report_names_losses_by_unit_and_by_act_and_the_turning_points(capsys: pytest.CaptureFixture[str]) -> None:
    book = evening()
    shot(book, 6, 6, 6, 6, 6, 6, 1, 1)
    run(book, "report")
    told = capsys.readouterr().out
    lost = (
        book.companion.strength_boxes(book.first_state, "jezails")[0]
        - book.companion.strength_boxes(book.state, "jezails")[0]
    )
    assert lost > 0
    assert f"Jezails {lost} of 5" in told or "Jezails all 5" in told
    assert "The patrol lost nothing." in told
    assert f"Losses by act: fire {lost}" in told
    assert "Turning point: Mountain gun: fire (Jezails)" in told


def test_a_finished_evening_is_the_result_of_a_campaign_battle(tmp_path: Path) -> None:
    path = tmp_path / "friday.companion"
    book = evening(path)
    shot(book, 6, 6, 6, 6, 6, 6, 1, 1)
    book.close()
    with pytest.raises(ZarebaError, match="the battle is not over; 'zareba companion --continue"):
        campaign_result(path)
    book = open_evening(path)
    while not book.is_over:
        due = next((opening for opening in book.openings() if opening.due), None)
        if due is None:
            book.next()
        else:
            book.finish(book.form(due.act), is_automatic=True)
    book.close()
    result = campaign_result(path)
    left, most = book.companion.strength_boxes(book.state, "jezails")
    assert result.left["jezails"] == Fraction(left, most) < 1
    assert result.left["sikhs"] == 1
    assert result.outcome == book.game.play.outcome(book.state)


def test_the_next_phase_starts_only_when_no_check_is_due() -> None:
    book = evening()
    shot(book)  # its six hits the leader of the jezails, who is checked next
    assert [opening.due for opening in book.openings()] == [True]
    with pytest.raises(ZarebaError, match="the rules demand this first: check its leader"):
        book.next()
    assert book.next(leave_out=True).data == {"next": True}


def test_entry_of_an_older_version_gets_default_answers_to_new_questions() -> None:
    book, other = evening(), evening()
    shot(book)
    entry = json.loads(json.dumps(dict(book.entries[0].data)))
    other.repeat({**entry, "answers": {"band": "close", "cover": "none"}})
    assert digest(other.state.to_data()) == digest(book.state.to_data())


def test_a_second_act_of_the_same_unit_proposes_its_last_target_and_answers() -> None:
    book = new_evening(
        "paychest", scenario_of_list("Us:\n8 Alpha rifles\nThem:\n12 Red spears\n12 Blue spears\n"), seed=3
    )
    run(book, "ace of spades", "next", "1; 2; ; 20; 2; 6 6 6 6 6 6 6")
    form = book.form("volley")
    asked = form.pending
    assert isinstance(asked, PickUnit)
    assert asked.usual == book.entries[-1].data["target"]
    form.give(asked.usual)
    proposed = {}
    while isinstance(fact := form.pending, AskFact):
        proposed[fact.asked.fact] = fact.default
        form.give(fact.default)
    assert (proposed["range"], proposed["cover"]) == (24.0, "soft")


def test_a_volley_says_how_many_are_left() -> None:
    book = new_evening("fixed_baynet", scenario_of_list("Us:\n3 Alpha rifles\nThem:\n12 Red spears\n"), seed=3)
    run(book, "1; 6", "fire; 5; ; 11 1 1; none")
    assert book.entries[-1].sentences[-1] == "Red: 11 of 12 figures left"


def test_next_names_the_units_of_an_act_that_is_left_out(capsys: pytest.CaptureFixture[str]) -> None:
    book = evening()
    shot(book)  # its six hits the leader of the jezails, who is checked next
    run(book, "next")
    assert "left out: check its leader (Jezails); undo takes this back" in capsys.readouterr().out


def test_units_still_to_arrive_are_not_lost() -> None:
    forces = "Us:\n8 Alpha rifles\nThem:\n12 Red spears\n12 Blue spears, turn 4\n"
    for ruleset in ("vcc", "afriboria", "paychest", "fixed_baynet", "risk_factor"):
        book = new_evening(ruleset, scenario_of_list(forces), seed=3)
        assert "Them lost nothing." in after_action_lines(book)


def test_unsupported_parts_are_reported(capsys: pytest.CaptureFixture[str]) -> None:
    forces = "Us:\n8 Alpha rifles\n1 field gun\nThem:\n12 Red spears\n"
    book = new_evening("risk_factor", scenario_of_list(forces), seed=3)
    run(book)
    assert "Field gun takes no part in this game" in capsys.readouterr().out


def test_a_correction_uses_the_word_of_the_rulebook(capsys: pytest.CaptureFixture[str]) -> None:
    book = evening()
    run(book, "correct fusiliers figures 3", "unit fusiliers")
    assert book.entries[-1].title == "correction: Fusiliers, bases: 3"
    assert "to correct: bases 3" in capsys.readouterr().out


def test_a_throw_says_what_its_results_mean(capsys: pytest.CaptureFixture[str]) -> None:
    book = evening()
    run(book, "fire mountain gun; jezails; 3; none; no; 8x1", "2")
    assert "4 or less: passes; 5: shaken; 6: recoils" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("ruleset", "act", "question"),
    [
        ("vcc", "fire", "Which enemy should Alpha fire at?"),
        ("vcc", "join", "Which friend should Alpha share a box with?"),
        ("afriboria", "join", "Which friend should Alpha share a hex with?"),
        ("fixed_baynet", "rally", "Which unit should Alpha rally?"),
        ("fixed_baynet", "retire", "Which unit should Alpha order back?"),
        ("paychest", "volley", "Which enemy should Alpha fire a volley at?"),
        ("risk_factor", "combine", "Which group should Alpha join?"),
        ("risk_factor", "charge", "Alpha must attack. Which enemy in sight is nearest? (next if there is none)"),
    ],
)
def test_an_act_asks_for_the_unit_that_it_concerns(ruleset: str, act: str, question: str) -> None:
    forces = "Us:\n8 Alpha rifles, Lt Ashby\n8 Bravo rifles\nThem:\n12 Red spears\n"
    book = new_evening(ruleset, scenario_of_list(forces), seed=3)
    form = Form(book.companion, book.state, book.companion.act_named[act], (), Scene(book.game, "alpha"))
    assert form.target_question() == question


def test_rolls_of_different_men_are_listed_in_order() -> None:
    """Three rolls are no pairs of blow and parry, and rolls of the same man need no names."""
    game = evening().game

    def rolls(*actors: str) -> list[Roll]:
        return [Roll("shot", "VCC-074", actor, 1, 6, SUM) for actor in actors]

    assert (
        rolls_in_order(game, rolls("fusiliers", "sikhs", "jezails")) == "3 rolls in order (Fusiliers, Sikhs, Jezails)"
    )
    assert rolls_in_order(game, rolls(*["fusiliers"] * 4)) == "4 rolls in order"
    blows = "4 rolls in order: 1 die for Fusiliers, Sikhs, each followed by 1 die for Jezails"
    assert rolls_in_order(game, rolls("fusiliers", "jezails", "sikhs", "jezails")) == blows


def test_rolls_of_many_pairs_of_opponents_are_listed_by_side() -> None:
    """Sixteen rolls of a melee fit on a phone."""
    evening = new_evening("paychest", scenario_of_list("Us:\n9 Alpha rifles\nThem:\n9 Red spears"), seed=1)
    men = [f"{unit}.{number}" for number in range(2, 10) for unit in ("alpha", "red")]
    rolls = [Roll("melee", "PAY-138", man, 1, 6, SUM) for man in men]
    assert rolls_in_order(evening.game, rolls) == (
        "16 rolls in order: 1 die for private 2 to 9 of Alpha, each followed by 1 die for his opponent (warrior 2 to 9"
        " of Red)"
    )


def test_an_act_without_its_own_question_asks_for_a_unit() -> None:
    book = evening()
    act = replace(book.companion.act_named["fire"], target_question="")
    form = Form(book.companion, book.state, act, ("mountain_gun",))
    assert form.target_question() == "Mountain gun: fire: which unit?"


def test_automatic_entries_alone_cannot_be_taken_back() -> None:
    """They would be done again at once."""
    book = new_evening("paychest", scenario_of_list("Us:\n8 Alpha rifles\nThem:\n12 Red spears"), seed=3)
    book.finish(book.form("start"), is_automatic=True)
    assert not book.can_undo
    with pytest.raises(ZarebaError, match="nothing to undo"):
        book.undo()
    assert len(book.entries) == 1
    book.correct("red", "removed", value=True)
    assert book.can_undo


def test_an_act_in_progress_that_no_longer_fits_is_named(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """It was saved with two dice, and the rules now ask for eight."""
    path = tmp_path / "evening.companion"
    evening(path).close()
    act = {
        "act": "fire",
        "actor": "mountain_gun",
        "target": "jezails",
        "answers": {"band": "close", "cover": "none", "pivots": False},
        "given": [{"answer": [7, 6], "faces": [6, 1]}],
        "ahead": [],
        "rolls": False,
    }
    with path.open("ab") as file:
        file.write(entry_line({"unfinished": act}))
    said = "dropped, unfinished: Mountain gun: fire, because the rules have changed; its dice were 6 1; begin it again"
    book = open_evening(path)
    assert book.unfinished() == (None, False)
    assert book.dropped == said
    shown = OpenEvening(book, path).shown(frozenset(book.game.seats))
    assert shown["told"] == (said,)
    run(book, "quit")
    assert said in " ".join(capsys.readouterr().out.split())
    book.close()
