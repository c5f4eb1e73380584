"""By whom each rule of a club is seen: odds, "why", compare, commanders. The table of the docs says it; here it is measured.

Odds: those of a choice of the game, or of a procedure by its facts, come out otherwise than without the rule. Why: a number, throw or card of the rule is among the
reasons of some step. Compare: the report names the rule, and a game or a metric is another. Commanders: in some choice the
options are worth something else to the commander than by the rules as printed, or he has played the rule on and says so, or he
weighs other options than those rules would leave him in the same position.
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
from zareba.table.questions import one_by_one
from zareba.testing import game_with_rules

DOCS = Path(__file__).parents[2] / "docs" / "explanation" / "house_rules.md"
COLUMNS = ("odds", "why", "compare", "commanders")
ASKED_FOR, STEPS = 20, 200
"""How many choices are weighed, and how many steps are played, before it is said that the rule is not seen."""


def table_of_docs() -> dict[str, dict[str, str]]:
    """The table: of each rule what stands under each column, "yes" or in a word why it does not apply."""
    rows = [line.strip("| ").split(" | ") for line in DOCS.read_text("utf-8").splitlines() if line.startswith("| `")]
    return {row[0].strip("`"): dict(zip(COLUMNS, (cell.strip() for cell in row[1:]), strict=True)) for row in rows}


def of_rule(rule_id: str) -> bool:
    return rule_id.startswith(("C-", "T-", "F-"))


def seen(file: Path, asked: Asked) -> dict[str, bool]:
    """Who sees a rule in a game between commanders."""
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
            choices.append((question, played.start, session._given(), value))
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
                found["odds"] = weighed_otherwise(ruled, plain, choice)
        choices = []
    found["odds"] = found["odds"] or procedures_otherwise(ruled, plain)
    found["compare"] = compared(file, asked)
    if not found["why"]:
        session = Session(ruled, dict.fromkeys(ruled.seats, asked.player), asked.seed)
        session.drive()
        found["why"] = any(any(of_the_rule(played)) for played, _ in session.history.reached())
    return found


def of_the_rule(played: Any) -> tuple[bool, bool]:
    """Whether a number of a step has a line of the rule, and whether it has thrown dice of its own, or again."""
    throws = [one.question for one in played.answers if isinstance(one.question, (Roll, Draw))]
    lines = (
        any("house rule " in part.source for tally in played.done.tallies for part in tally.parts())
        if played.done
        else False
    )
    return lines, any(of_rule(one.rule) or one.why.endswith(", again") for one in throws)


def worths(game: Any, question: Choose, session: Session) -> list[tuple[Any, float]]:
    """What the options are worth to a commander who knows these rules."""
    printed = [option for option in question.options if option not in question.brought]
    question = question._replace(options=tuple(printed), brought=())
    state = game.from_data(session.state.to_data())
    weighed = Doctrine(game, question.seat, 1).weigh(question, game.view(state, question.seat))
    return [(option, worth) for option, worth, _ in weighed]


def others_open(plain: Any, start: Any, session: Session) -> bool:
    """Whether the same position, by the rules as printed, leaves other options at this very question."""
    question = session.pending
    if not isinstance(question, (Choose, Place)):
        return False
    given = [one.answer for one in session._given()]
    try:
        paused = advance(plain, plain.from_data(start.to_data()), given)
    except (
        ZarebaError,
        AssertionError,
        LookupError,
        TypeError,
        ValueError,
    ):  # the answers are to other questions there
        return False
    other: Any = getattr(paused, "question", None)
    if type(other) is not type(question) or (other.why, other.actor) != (question.why, question.actor):
        return False
    return open_in(question) != open_in(other)


def open_in(question: Any) -> list[Any]:
    """The options, or the points that are suggested."""
    return list(one_by_one(question.options if isinstance(question, Choose) else question.suggestions))


def procedures_otherwise(ruled: Any, plain: Any) -> bool:
    """Whether the odds of a procedure are others under the rule, by the facts that it begins with."""
    for name, asked in plain.rules.ruleset.procedures.items():
        facts = {one.name: 5 for one in fields(asked.facts) if one.default is MISSING is one.default_factory}
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


def weighed_otherwise(ruled: Any, plain: Any, choice: tuple[Any, ...]) -> bool:
    """Whether the odds of a choice are others under the rule; by the same plays where they are not exact."""
    question, start, given, value = choice
    found = []
    for game in (ruled, plain):
        try:
            begun = game.from_data(start.to_data())
            found.append(odds_of(game, begun, given, question, value, paths=1_000, seconds=600.0, then=0.0))
        except (QuestionChanged, ZarebaError):  # what was asked before the choice is not asked by the printed rules
            return False
    first, second = found
    return first.samples == second.samples and first.outcomes != second.outcomes


def compared(file: Path, asked: Asked) -> bool:
    """Whether the report of a comparison names the rule, and a metric of the same games with the same luck is another."""
    variants = [Variant("as printed", asked.ruleset), Variant("club", asked.ruleset, (), (str(file),))]
    found = zareba.compare(asked.scenario, variants=variants, games=6, seed=asked.seed, agents=asked.player)
    first, second = (
        [(row["id"], row["value"]) for row in found.rows if row["variant"] == one.name] for one in variants
    )
    return file.stem in found.report() and first != second


def test_the_table_has_every_rule_and_says_yes_or_why_not() -> None:
    table = table_of_docs()
    assert list(table) == list(RULES)
    assert all(cell for row in table.values() for cell in row.values())


@pytest.mark.deep
@pytest.mark.parametrize("name", RULES)
def test_a_rule_is_seen_as_the_table_says(tmp_path: Path, name: str) -> None:
    file = tmp_path / f"{name}.py"
    file.write_text(HEAD + RULES[name].text, encoding="utf-8")
    measured = seen(file, RULES[name])
    said = {column: cell == "yes" for column, cell in table_of_docs()[name].items()}
    assert measured == said
