"""A house rule calls published functions of a ruleset (procedures, fire out of turn); odds and "why" include it."""

from __future__ import annotations

from pathlib import Path

import pytest

from zareba.api import call, shoot, targets
from zareba.base.errors import RuleBroken, ZarebaError
from zareba.odds import odds_of
from zareba.registry import find_house_rule, load_rules
from zareba.session import Session
from zareba.table import Choose, Draw, Roll, SeededTable
from zareba.testing import game_with_rules, play

STANDS = ("vcc", "fixed_baynet", "risk_factor")
BATTLE = "square_attacked"
THROWN = {"vcc": "fire", "fixed_baynet": "shot", "risk_factor": "shooting"}


def asked(ruleset: str, why: str, seed: int = 3) -> Session:
    """Return a session between random players, stopped at the first question of this purpose."""
    game = game_with_rules("stand_and_fire", ruleset=ruleset, scenario=BATTLE)
    session = Session(game, dict.fromkeys(game.seats, "human"), seed)
    while (question := session.pending) is not None and question.why != why:
        if isinstance(question, (Roll, Draw)):
            value, faces = session._chance(question)
            session.answer(value, by="chance", faces=faces)
        else:
            session.answer(session.suggestion("random")[0], by="random")
    return session


def test_charged_units_shoot_first_and_the_game_replays_equally() -> None:
    games = [play("stand_and_fire", scenario=BATTLE, seed=3) for _ in range(2)]
    assert games[0].event_counts["stands and fires"]
    assert games[0].log == games[1].log


@pytest.mark.parametrize("ruleset", STANDS)
def test_the_choice_has_odds_why_shows_its_numbers_and_earlier_states_stay(ruleset: str) -> None:
    session = asked(ruleset, "stand and fire")
    question = session.pending
    assert isinstance(question, Choose) and set(question.options) == {"stand and fire", "hold fire"}
    assert "is charged; does it fire" in session.game.narrator.describe(session.state, question)
    start, given = session.history.steps[-1].start, session._answers_of_step()
    found = {
        option: odds_of(session.game, start, given, question, option, paths=100, seconds=0.5, then=0.1)
        for option in question.options
    }
    assert found["stand and fire"].outcomes != found["hold fire"].outcomes
    step, before = session.history.steps[-1], start.to_data()
    session.answer("stand and fire", by="human")
    while step.done is None and (question := session.pending) is not None:
        if isinstance(question, (Roll, Draw)):
            value, faces = session._chance(question)
            session.answer(value, by="chance", faces=faces)
        else:
            session.answer(session.suggestion("random")[0], by="random")
    assert step.done is not None
    # Copies of a battle share units until one is changed, so a call must first copy the units it changes.
    assert step.start.to_data() == before
    assert any(answer.question.why == THROWN[ruleset] for answer in step.answers)
    if ruleset == "vcc":
        assert "fire_dice" in [tally.rule.name for tally in step.done.tallies]


def test_in_vcc_the_shot_is_the_fire_of_the_turn_and_morale_is_checked_at_once() -> None:
    game = game_with_rules("stand_and_fire", scenario=BATTLE, settings={"stand_and_fire.decides": "nobody"})
    session = Session(game, dict.fromkeys(game.seats, "random"), 3)
    session.drive()
    (told,) = [told for _, _, told in session.log() if any(event.kind == "stands and fires" for event in told)]
    kinds = [event.kind for event in told]
    assert kinds.index("fire") > kinds.index("stands and fires")
    assert {"morale passed", "morale failed"} & set(kinds) or "loss" not in kinds


def test_only_fire_stops_a_charge() -> None:
    """Units that may not shoot, because they are prone or broken, are charged as usual."""
    for scenario, seed in (("patrol_clash", 1), (BATTLE, 3)):
        told = play("stand_and_fire", scenario=scenario, seed=seed).event_counts
        assert told.get("charge stopped", 0) <= told.get("stands and fires", 0)


# --- functions a rule can call ----------------------------------------------------------------------------------------


def table_under(ruleset: str) -> SeededTable:
    game = game_with_rules(ruleset=ruleset, scenario=BATTLE)
    state = game.start()
    table = SeededTable(game.rules, state, 1, {})
    step = game.play.next_step(state)
    assert step is not None
    table.begin(step)
    return table


def test_a_procedure_is_called_by_its_published_name() -> None:
    table = table_under("vcc")
    unit = next(iter(table.state.units.values()))
    assert call(table, "morale.check", table.state, unit) != ""
    assert table.events[0].kind in ("morale passed", "morale failed")


def test_a_wrong_name_and_wrong_arguments_are_reported_in_a_sentence() -> None:
    table = table_under("vcc")
    with pytest.raises(ZarebaError, match=r"no procedure of vcc called 'morale\.chek'; did you mean 'morale.check'"):
        call(table, "morale.chek", table.state)
    with pytest.raises(ZarebaError, match=r'missing.*write call\(table, "morale.check", battle, unit\)'):
        call(table, "morale.check", table.state)


def test_wraps_of_other_rules_are_in_what_is_called(tmp_path: Path) -> None:
    rule = tmp_path / "deaf.py"
    rule.write_text(
        "from zareba.api import hookimpl\n@hookimpl\ndef zareba_procedures():\n"
        "    return {'morale.check': lambda check, table, battle, unit: 'passes'}\nRULESETS = ('vcc',)\n",
        encoding="utf-8",
    )
    game = game_with_rules(rule, scenario=BATTLE)
    state = game.start()
    table = SeededTable(game.rules, state, 1, {})
    step = game.play.next_step(state)
    assert step is not None
    table.begin(step)
    assert call(table, "morale.check", state, next(iter(state.units.values()))) == "passes"
    assert not table.events


@pytest.mark.parametrize("ruleset", ["vcc", "fixed_baynet", "risk_factor", "paychest"])
def test_stand_and_fire_respects_the_rules_of_targets(ruleset: str) -> None:
    table = table_under(ruleset)
    one = next(iter(table.state.units.values()))
    assert one.spec.id not in [enemy.spec.id for enemy in targets(table, one)]
    with pytest.raises(ZarebaError, match="may not shoot at"):
        shoot(table, one, one)


def test_rules_without_fire_out_of_turn_say_so() -> None:
    table = table_under("afriboria")
    with pytest.raises(ZarebaError, match="afriboria has no fire out of turn; call one of its procedures"):
        targets(table, next(iter(table.state.units.values())))


def test_a_mistake_in_a_call_is_blamed_on_the_rule(tmp_path: Path) -> None:
    rule = tmp_path / "typo.py"
    rule.write_text(
        "from zareba.api import call, hookimpl\n@hookimpl\ndef zareba_turn(table):\n    call(table, 'fire.shoot')\n",
        encoding="utf-8",
    )
    with pytest.raises(
        RuleBroken, match=r"'typo' failed in zareba_turn .*typo.py:4.*no procedure of vcc called 'fire.shoot'"
    ):
        play(rule)


def test_stand_and_fire_is_offered_only_for_systems_with_charges() -> None:
    assert find_house_rule("stand_and_fire").systems == STANDS
    for ruleset in STANDS:
        assert load_rules(ruleset, None, [find_house_rule("stand_and_fire")]).wraps
