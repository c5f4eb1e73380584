"""The after-action page of hand-made games: the turning point of the battle, and luck compared with the odds."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from zareba.game import Game
from zareba.game.parts.play import sets_up
from zareba.report.after_action import after_action_page
from zareba.scenario import load_scenario
from zareba.session import Correction, Session, new_session
from zareba.session import after_action as report
from zareba.session.after_action import DiceLuck, after_action
from zareba.session.score import ScoreChange, change_of, moments, score_sentences
from zareba.table import Choose, Confirm, Event, Place, Roll


def set_out(*, physical: bool = False) -> Session:
    """Return a patrol clash under Victorian Colonial Combat with the suggested set-up; people play both sides."""
    given = load_scenario("patrol_clash")
    session = new_session("vcc", given, dict.fromkeys(given.sides, "human"), seed=4, physical=physical)
    session.drive()
    while (now := session.history.now) is not None and sets_up(now.step):
        session.answer(session.suggestion()[0])
        session.drive()
    return session


def test_turning_points_are_lead_changes_with_their_costliest_act() -> None:
    session = set_out()
    assert session.after_action_report().turning == (), "nothing has happened yet"
    for unit in ("jezails", "fusiliers", "sikhs", "swordsmen", "young_men"):
        session.correct(Correction("remove", unit, reason="by hand"))
    assert list(session.after_action_report().turning) == [
        "Turn 1: the patrol is the first to lead: the umpire takes Jezails off the table (by hand)",
        "Turn 1: the band takes the lead: the umpire takes Fusiliers off the table (by hand)",
        "Turn 1: the largest change, 27\u00a0% of a force: that was the end of Swordsmen; the umpire takes Swordsmen off the "
        "table (by hand)",
        "Turn 1: the patrol takes the lead: the umpire takes Young men off the table (by hand)",
    ]
    points = [change.points for change in session.score().changes]
    assert points == [{"patrol": 0.0, "tribesmen": 2.0}, {"patrol": 2.0, "tribesmen": 2.0}]


def test_turning_point_names_the_costliest_event_not_the_last() -> None:
    told = ("Sikhs fire: 1 hit", "Jezails lost 1", "Fusiliers fire: 4 hits", "Young men lost 4", "Jezails rally")
    lost = (("tribesmen", 1, told[0]), ("tribesmen", 4, told[2]))
    moment = ScoreChange(3, {"patrol": 0, "tribesmen": 0}, 0.2, told, lost)
    assert moment.cause("patrol") == "Fusiliers fire: 4 hits"
    assert moment.cause("tribesmen") == "Jezails rally", "the losing side has no cause to name"
    assert ScoreChange(3, {}, 0.0, ()).cause("patrol") == ""


def test_losses_are_attributed_to_the_act_reported_before_them() -> None:
    session = set_out()
    while not any(moment.lost for moment in moments(session.history)):
        session.answer(session.suggestion()[0])
        session.drive()
    moment = next(moment for moment in moments(session.history) if moment.lost)
    ((side, lost, deed), *_) = moment.lost
    assert side in session.game.seats and lost >= 1 and deed in moment.sentences


def test_a_shot_without_losses_is_not_named_as_the_cause_of_a_change() -> None:
    game = set_out().game
    fire = {"unit": "fusiliers", "target": "swordsmen", "dice": 3, "band": "close"}
    hit, miss = (Event("fire", "VCC-074", {**fire, "hits": hits}) for hits in (7, 0))
    loss = Event("loss", "VCC-100", {"unit": "swordsmen", "side": "tribesmen", "lost": 1, "left": 5})
    told = change_of(game, 1, [hit, loss, miss], game.start()).sentences
    assert told == ("Fusiliers fired 3 dice at Swordsmen (close): 7 hits", "Swordsmen lost 1 base, 5 left")


@pytest.mark.parametrize("face", [1, 6])
def test_luck_compares_the_dice_with_the_odds_of_the_choice(face: int) -> None:
    session = set_out(physical=True)
    promised: float | None = None
    seat = foe = ""
    for _ in range(300):
        session.drive()
        question = session.pending
        if isinstance(question, Roll):
            session.throw([face] * question.dice)
        elif isinstance(question, Choose) and question.why == "fire at" and promised is None:
            seat, (answer, _) = question.seat, session.suggestion()
            foe = next(side for side in session.game.seats if side != seat)
            spec = session.game.scenario.units
            found = session.odds_of(answer, 1.0)
            bases = session.game.display.condition(session.state)
            promised = sum(
                float(p) * (change.was - change.now) / session.state.unit(change.unit).strength
                for changes, p in found.outcomes.items()
                for change in changes
                if change.what == "bases" and spec[change.unit].side == foe
            )
            assert bases and seat != foe
            session.answer(answer)
        elif question is not None and promised is None:
            session.answer(session.suggestion()[0])
        elif isinstance(question, (Choose, Confirm, Place)):
            if session.after_action_report().luck[seat].all_attacks:
                break
            session.answer(session.game.odds_horizon.hold(question))
    assert promised is not None, "a unit fired"
    luck = session.after_action_report().luck[seat]
    assert luck.attacks == luck.all_attacks >= 1
    assert luck.expected_dealt == pytest.approx(promised, abs=0.15)
    assert (luck.dealt > luck.expected_dealt) is (face == 6)
    other = session.after_action_report().luck[foe]
    assert (other.suffered, other.expected_suffered) == (luck.dealt, luck.expected_dealt), "one side's losses"
    data = session.after_action_report().to_dict()["luck"][seat]
    assert (data["promised"], data["feared"]) == (luck.expected_dealt, luck.expected_suffered), (
        "keys of the last release"
    )


def test_report_can_be_opened_before_luck_is_computed() -> None:
    session = set_out(physical=True)
    for _ in range(60):
        session.drive()
        if isinstance(session.pending, Roll):
            session.throw_for_me()
        elif session.pending is not None:
            session.answer(session.suggestion()[0])
    whole = session.after_action_report()
    looked: list[bool] = []

    def enough() -> bool:
        looked.append(len(looked) > 0)
        return looked[-1]

    part = after_action(session.history, enough)
    assert [luck.attacks for luck in part.luck.values()] == [1, 1]
    assert all(luck.all_attacks == whole.luck[side].all_attacks > 1 for side, luck in part.luck.items())
    assert (part.losses, part.turning) == (whole.losses, whole.turning)


def test_time_for_luck_counts_from_the_first_odds_and_covers_the_whole_battle(monkeypatch: pytest.MonkeyPatch) -> None:
    given = load_scenario("patrol_clash")
    session = new_session("risk_factor", given, dict.fromkeys(given.sides, "doctrine"), seed=4)
    session.drive()
    computed: list[int] = []
    seconds = 0.0
    steps = [id(step) for step in session.history.steps]
    expected_losses, losses = report._expected_losses, report._losses

    def slow_losses(game: Game[Any], events: list[Event]) -> dict[str, dict[str, float]]:
        nonlocal seconds
        seconds += 100
        return losses(game, events)

    def noted(game: Game[Any], attack: report.Attack) -> dict[str, float] | None:
        nonlocal seconds
        seconds += 1
        computed.append(steps.index(id(attack.played)))
        return expected_losses(game, attack)

    monkeypatch.setattr(report, "_expected_losses", noted)
    monkeypatch.setattr(report, "_losses", slow_losses)
    monkeypatch.setattr("zareba.session.session.time.monotonic", lambda: seconds)
    part = session.after_action_report(3.0)
    luck = part.luck["patrol"]
    assert luck.attacks == len(computed) == 4 < luck.all_attacks
    assert max(computed) > len(steps) / 2, "the attacks are spread over the battle"
    assert part.luck_missing == "" and part.dice_favoured(session.game)


def test_report_says_why_it_has_no_luck_with_the_dice() -> None:
    session = set_out()
    report_of_start = session.after_action_report()
    assert report_of_start.luck_missing == "No choice that led to dice had odds, so there is no luck to measure."
    assert report_of_start.luck_missing in report_of_start.lines(session.game)
    luck = DiceLuck(0, 7, 0, 0, 0, 0)
    late = replace(report_of_start, luck=dict.fromkeys(session.game.seats, luck))
    assert late.luck_missing == "The odds of 7 choices that led to dice were not computed."
    page = after_action_page(late, session.game, session.game.display.labelled_board(session.state))
    assert late.luck_missing in page and "expected</th>" not in page


def test_luck_that_rounds_to_zero_has_no_sign() -> None:
    session = set_out()
    nearly = DiceLuck(4, 4, 1.52, 1.5, 0.0, 0.0)
    luck = {"patrol": nearly, "tribesmen": DiceLuck(4, 4, 0.0, 0.0, 1.52, 1.5)}
    report_with_luck = replace(session.after_action_report(), luck=luck)
    page = after_action_page(report_with_luck, session.game, session.game.display.labelled_board(session.state))
    assert "-0.0" not in page and "+0.0" not in page
    assert "lost 0.0 of its own" in "".join(report_with_luck.lines(session.game))


def test_the_score_says_what_counts_now_and_why_it_changed() -> None:
    session = set_out()
    for unit in ("fusiliers", "sikhs"):
        session.correct(Correction("remove", unit, reason="by hand"))
    told = score_sentences(session.score(), session.game)
    assert told[1] == "If the battle ended now: the patrol 0 points, the band 2 points"
    assert "The village (3 points): held by neither side now; counts at the end" in told
    assert next(line for line in told if line.startswith("Break the enemy")).endswith("needed at the end")
    assert told[-2] == "How the score changed, as if the battle ended then"
    assert told[-1] == (
        "Turn 1: the patrol 0, the band 2; the band gains 'Break the enemy' "
        "(the umpire takes Sikhs off the table (by hand))"
    )


def test_an_objective_that_both_sides_achieve_names_both() -> None:
    session = set_out()
    for unit in ("jezails", "fusiliers", "sikhs", "swordsmen", "young_men"):
        session.correct(Correction("remove", unit, reason="by hand"))
    while session.pending is not None:
        session.answer(session.suggestion()[0])
        session.drive()
    told = score_sentences(session.score(), session.game)
    broken = next(line for line in told if line.startswith("Break the enemy"))
    assert "achieved by the patrol (" in broken and " and the band (" in broken
    assert told[1] == "Final score: the patrol 2 points, the band 5 points"
