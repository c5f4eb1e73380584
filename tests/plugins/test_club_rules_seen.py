"""The parts of zareba that take each club rule into account (odds, "why", compare, AI players), compared with the table
in the documentation.

Odds: the odds of a choice, or of a procedure by its facts, differ from those without the rule. Why: a number, roll or
card of the rule is among the reasons of some step. Compare: the report names the rule, and a game or a metric differs.
AI players: in some choice the evaluations differ from those by the printed rules, or the reason says that the player
simulated the rule, or the rule changes the options to choose from.
"""

from __future__ import annotations

from dataclasses import MISSING, fields
from pathlib import Path
from typing import Any

import pytest
from tests.plugins.test_club_rules import HEAD, RULES, Asked

import zareba
from zareba.analysis.games.records import Variant
from zareba.base.errors import ZarebaError
from zareba.game.advance import advance
from zareba.game.doctrine import Doctrine
from zareba.odds import odds, odds_of
from zareba.session import Session
from zareba.table import Choose, Draw, Place, QuestionChanged, Roll
from zareba.table.questions import iterate_lazily
from zareba.testing import game_with_rules

DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "house_rules.md"
COLUMNS = ("odds", "why", "compare", "commanders")
ASKED_FOR, STEPS = 20, 200
"""Limits on weighed choices and played steps before a rule counts as not seen."""


def table_of_docs() -> dict[str, dict[str, str]]:
    """Return the table of the documentation by rule and column; entries are "yes" or a reason."""
    rows = [line.strip("| ").split(" | ") for line in DOCS.read_text("utf-8").splitlines() if line.startswith("| `")]
    return {row[0].strip("`"): dict(zip(COLUMNS, (cell.strip() for cell in row[1:]), strict=True)) for row in rows}


def of_rule(rule_id: str) -> bool:
    return rule_id.startswith(("C-", "T-", "F-"))


def seen(file: Path, asked: Asked) -> dict[str, bool]:
    """Return the columns in which a rule shows in a game between doctrine players."""
    where: dict[str, Any] = {"ruleset": asked.ruleset, "scenario": asked.scenario}
    ruled, plain = game_with_rules(file, **where), game_with_rules(**where)
    session, found = Session(ruled, dict.fromkeys(ruled.seats, "doctrine"), asked.seed), dict.fromkeys(COLUMNS, False)
    choices: list[Any] = []
    weighed = 0
    while (
        (question := session.pending) is not None
        and len(session.history.steps) < STEPS
        and not all(found[column] for column in ("odds", "why", "commanders"))
    ):
        played = session.history.steps[-1]
        if isinstance(question, (Roll, Draw)):
            value, faces = session._chance(question)
            session.answer(value, by="chance", faces=faces)
        else:
            value, reason = session.suggestion("doctrine")
            choices.append((question, played.start, session._answers_of_step(), value))
            found["commanders"] |= "house rules" in reason or "against the best other option" in reason
            if not found["commanders"] and isinstance(question, Choose):
                found["commanders"] = worths(ruled, question, session) != worths(plain, question, session)
            if not found["commanders"]:
                found["commanders"] = others_open(plain, played.start, session)
            session.answer(value, by="doctrine", reason=reason)
        done = played.done
        if done is None:
            continue
        lines, own = of_the_rule(played)
        found["why"] |= lines or own
        touched = lines or own or any(of_rule(event.rule) for event in done.events) or weighed < 4
        for choice in choices if touched else ():
            if weighed < ASKED_FOR and not found["odds"]:
                weighed += 1
                found["odds"] = changes_odds_of_choice(ruled, plain, choice)
        choices = []
    found["odds"] = found["odds"] or changes_odds_of_procedures(ruled, plain)
    found["compare"] = compared(file, asked)
    if not found["why"]:
        session = Session(ruled, dict.fromkeys(ruled.seats, asked.player), asked.seed)
        session.drive()
        found["why"] = any(any(of_the_rule(played)) for played, _ in session.history.steps_backwards())
    return found


def of_the_rule(played: Any) -> tuple[bool, bool]:
    """Return two booleans: a tally of the step has a modifier of a house rule; the rule rolled or re-rolled dice."""
    throws = [answer.question for answer in played.answers if isinstance(answer.question, (Roll, Draw))]
    lines = (
        any("house rule " in part.source for tally in played.done.tallies for part in tally.parts())
        if played.done
        else False
    )
    return lines, any(of_rule(throw.rule) or throw.why.endswith(", again") for throw in throws)


def worths(game: Any, question: Choose, session: Session) -> list[tuple[Any, float]]:
    """Return the doctrine evaluation of the options under these rules."""
    printed = [option for option in question.options if option not in question.added]
    question = question._replace(options=tuple(printed), added=())
    state = game.from_data(session.state.to_data())
    weighed = Doctrine(game, question.seat, 1).weigh(question, game.sight.view(state, question.seat))
    return [(option, worth) for option, worth, _ in weighed]


def others_open(plain: Any, start: Any, session: Session) -> bool:
    """Return True if the printed rules offer other options at this question in the same position."""
    question = session.pending
    if not isinstance(question, (Choose, Place)):
        return False
    given = [answer.answer for answer in session._answers_of_step()]
    try:
        paused = advance(plain, plain.from_data(start.to_data()), given)
    except (
        ZarebaError,
        AssertionError,
        LookupError,
        TypeError,
        ValueError,
    ):  # the answers belong to other questions there
        return False
    other: Any = getattr(paused, "question", None)
    if type(other) is not type(question) or (other.why, other.actor) != (question.why, question.actor):
        return False
    return open_in(question) != open_in(other)


def open_in(question: Any) -> list[Any]:
    """Return the options, or the suggested points."""
    return list(iterate_lazily(question.options if isinstance(question, Choose) else question.suggestions))


def changes_odds_of_procedures(ruled: Any, plain: Any) -> bool:
    """Return True if the exact odds of a procedure differ under the rule."""
    for name, asked in plain.rules.ruleset.procedures.items():
        facts = {field.name: 5 for field in fields(asked.facts) if field.default is MISSING is field.default_factory}
        try:
            about = asked.facts(**facts)
            first, second = (
                odds(game.rules, game.rules.ruleset.procedure(name), about, seconds=0.5) for game in (ruled, plain)
            )
        except (ZarebaError, AssertionError, LookupError, TypeError, ValueError):
            continue
        if first.method == second.method == "exact" and first.outcomes != second.outcomes:
            return True
    return False


def changes_odds_of_choice(ruled: Any, plain: Any, choice: tuple[Any, ...]) -> bool:
    """Return True if the odds of a choice differ under the rule. Sampled odds use the same number of plays."""
    question, start, given, value = choice
    found = []
    for game in (ruled, plain):
        try:
            begun = game.from_data(start.to_data())
            found.append(odds_of(game, begun, given, question, value, paths=1_000, seconds=600.0, then=0.0))
        except (QuestionChanged, ZarebaError):  # the printed rules do not ask the questions before this choice
            return False
    first, second = found
    return first.samples == second.samples and first.outcomes != second.outcomes


def compared(file: Path, asked: Asked) -> bool:
    """Return True if a comparison's report names the rule and a metric differs from the same games without it."""
    variants = [Variant("as printed", asked.ruleset), Variant("club", asked.ruleset, (), (str(file),))]
    found = zareba.compare(asked.scenario, variants=variants, games=6, seed=asked.seed, agents=asked.player)
    first, second = (
        [(row["id"], row["value"]) for row in found.rows if row["variant"] == variant.name] for variant in variants
    )
    return file.stem in found.report() and first != second


def test_the_table_in_the_docs_has_every_rule_and_reasons_for_each_no() -> None:
    table = table_of_docs()
    assert list(table) == list(RULES)
    assert all(cell for row in table.values() for cell in row.values())


@pytest.mark.deep
@pytest.mark.parametrize("name", RULES)
def test_each_rule_has_the_visible_effects_that_the_table_states(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(HEAD + RULES[name].text, encoding="utf-8")
    measured = seen(file, RULES[name])
    said = {column: cell == "yes" for column, cell in table_of_docs()[name].items()}
    assert measured == said
