"""Odds and explanations at the prompt."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from rich.console import Group, RenderableType
from rich.text import Text

from zareba.base.errors import ZarebaError
from zareba.base.grammar import with_unit
from zareba.base.tally import Number, Tally
from zareba.cli.output import hanging, plain_table
from zareba.cli.sanitize import sanitize
from zareba.cli.study.distributions import changes_table
from zareba.game import Game
from zareba.odds import ChoiceOdds, DiceUse, ProcedureExplanation
from zareba.odds.phrases import clauses_in_brief
from zareba.rules import load_catalogue
from zareba.rules.ruleset_info import RulesetInfo
from zareba.session import Session
from zareba.table import Choose, Confirm, Draw, Question, QuestionChanged, Roll

# --- Modifier breakdowns as tables and as data ------------------------------------------------------------------------


def tallies_data(tallies: Sequence[Tally]) -> list[dict[str, Any]]:
    """Return the modifier breakdowns as JSON-ready data."""
    return [
        {
            "tally": tally.rule.name,
            "rule": tally.rule.rule,
            "total": _number(tally.total),
            "unit": tally.rule.unit,
            "parts": [
                {
                    "id": part.id,
                    "rule": part.rule,
                    "change": part.change,
                    "running": _number(part.running),
                    "summary": part.summary,
                    "source": part.source,
                }
                for part in tally.parts()
            ],
        }
        for tally in tallies
    ]


def tallies_table(ruleset: RulesetInfo, tallies: Sequence[Tally]) -> RenderableType:
    """Return each modifier breakdown as a table: its modifiers, the running total, and the text of each rule.

    Breakdowns of the same situation are shown once, with their number.
    """
    catalogue = load_catalogue(*ruleset.folders).rules
    tables: list[RenderableType] = []
    times = Counter((tally.rule.name, tally.facts) for tally in tallies)
    for key, tally in {(tally.rule.name, tally.facts): tally for tally in tallies}.items():
        title = f"{tally.rule.name.replace('_', ' ')}: {with_unit(tally.total, tally.rule.unit)} ({tally.rule.rule})"
        title += f", the same {times[key]} times" if times[key] > 1 else ""
        rows = []
        for part in tally.parts():
            entry = catalogue.get(part.rule)
            rows.append(
                [part.change, str(part.running), part.rule, part.summary, entry.in_short if entry else part.source]
            )
        columns = ("change", "total", "rule", "reason", "rule in short")
        tables += [Text(sanitize(title), style="bold"), plain_table(columns, rows, right=("change", "total"))]
    return Group(*tables)


def chances_data(chances: Sequence[DiceUse]) -> list[dict[str, str]]:
    """Return the possible throws and draws as JSON-ready data."""
    return [chance._asdict() for chance in chances]


def explanation_table(ruleset: RulesetInfo, explanation: ProcedureExplanation) -> RenderableType:
    """Return the modifier breakdowns, followed by the possible throws and draws with the meaning of their results."""
    tables: list[RenderableType] = []
    if explanation.tallies:
        tables.append(tallies_table(ruleset, explanation.tallies))
    if explanation.chances:
        meanings: dict[tuple[str, str], list[str]] = {}
        for chance in explanation.chances:
            throw = " ".join(filter(None, [chance.why, chance.dice]))
            meanings.setdefault((throw, chance.rule), []).append(chance.means)
        rows = [
            [throw, first + (" (it changes with earlier results, such as losses)" if others else ""), rule]
            for (throw, rule), (first, *others) in meanings.items()
        ]
        tables.append(plain_table(("thrown or drawn", "meaning", "rule"), rows))
    return Group(*tables)


def _number(number: Number) -> int | float:
    return number if isinstance(number, int) else float(number)


# --- The odds of the options of a pending choice: a summary of each, or one option in full ----------------------------


ASSUMPTION = "if you then do nothing more and the AI player doctrine decides for the others"
_SECONDS_IN_BRIEF = 0.05
"""Seconds spent on the odds of one of many options."""
_MOST_WITHOUT = 3
"""The most options without odds that are named."""


def answers_to(question: Choose | Confirm) -> Sequence[Any]:
    """Return all answers to a question, in the order listed."""
    return question.options if isinstance(question, Choose) else (False, True)


def option_phrases(game: Game[Any], state: Any, question: Choose) -> list[str]:
    """Return the options of a choice as phrases."""
    return [sanitize(game.narrator.describe_option(state, question, option)) for option in question.options]


@dataclass(frozen=True)
class OptionOdds:
    """The outcomes of the options of the pending choice. `state` is the table as the player being asked sees it,
    `width` the width of the screen.
    """

    session: Session
    state: Any
    show: Callable[[Any], None]
    width: int

    @property
    def question(self) -> Choose | Confirm:
        """The pending choice."""
        question = self.session.pending
        assert isinstance(question, (Choose, Confirm)), "it is asked only then"
        return question

    @property
    def phrases(self) -> list[str]:
        """The options of the pending choice, as phrases."""
        return self._phrases(self.state, self.question)

    def show_all_in_brief(self) -> None:
        """Show the odds of each option that has some, or the options that lead to such a choice.

        Raises ZarebaError if there are neither.
        """
        question, phrases = self.question, self.phrases
        answers = answers_to(question)
        with_odds = [index for index, answer in enumerate(answers) if self._has_odds(self.state, question, answer)]
        for index in with_odds:
            odds = self.session.odds_of(answers[index], _SECONDS_IN_BRIEF)
            self._show_in_brief(f"{index + 1:>3} {phrases[index]}", odds)
        if with_odds:
            self._note_chances_so_far()
            without = [f"{index + 1} {phrases[index]}" for index in range(len(answers)) if index not in with_odds]
            if without:
                more = f"; {len(without) - _MOST_WITHOUT} more" if len(without) > _MOST_WITHOUT else ""
                self.show(f"left out, because they roll no dice themselves: {'; '.join(without[:_MOST_WITHOUT])}{more}")
            self.show("odds N shows all outcomes of option N")
            return
        leading_to_odds = [index for index, answer in enumerate(answers) if self._next_options(answer)]
        if not leading_to_odds:
            raise ZarebaError("no option here leads straight to dice; odds N shows what may follow option N")
        self.show("the odds belong to the choice that follows:")
        for index in leading_to_odds:
            self.show(Text(f"{index + 1:>3} {phrases[index]}"))
        self.show("odds N shows them for option N")

    def show_option(self, index: int) -> None:
        """Show all outcomes of one option with its numbers; or summaries of the options it leads to, if it has no odds
        itself.
        """
        question, phrases = self.question, self.phrases
        answer = answers_to(question)[index]
        next_options = None if self._has_odds(self.state, question, answer) else self._next_options(answer)
        if next_options is not None:
            self.show(f"the odds of what you can do after option {index + 1}, {phrases[index]}:")
            for number, (phrase, next_answer) in next_options:
                self._show_in_brief(
                    f"{number:>3} {phrase}", self.session.odds_of(next_answer, _SECONDS_IN_BRIEF, first=answer)
                )
            return
        odds = self.session.odds_of(answer)
        self._show_in_brief(f"{index + 1} {phrases[index]}", odds)
        self._note_chances_so_far()
        self.show(f"All outcomes ({odds.method_text()}), {ASSUMPTION}:")
        self.show(changes_table(self.session.game, odds))
        self.show(explanation_table(self.session.game.rules.ruleset, self.session.explain(answer)))

    def rules(self) -> list[str]:
        """Return the ids of the rules behind the first option with odds: those of its numbers, dice and cards."""
        question = self.question
        answers = (answer for answer in answers_to(question) if self._has_odds(self.state, question, answer))
        answer = next(answers, None)
        if answer is None:
            return []
        try:
            explanation = self.session.explain(answer)
        except (ZarebaError, QuestionChanged):
            return []
        rules = [part.rule for tally in explanation.tallies for part in tally.parts()]
        return [*rules, *(chance.rule for chance in explanation.chances)]

    def _note_chances_so_far(self) -> None:
        """Say so if dice or cards have been drawn in the present step, because outcomes count from its start."""
        answers = self.session.history.steps[-1].answers
        if any(isinstance(answered.question, (Roll, Draw)) for answered in answers):
            self.show("(the outcomes include what has already happened in this step)")

    def _show_in_brief(self, title: str, odds: ChoiceOdds) -> None:
        """Show the title of an option, and below it a line for each unit that will probably change."""
        clauses = clauses_in_brief(self.session.game, odds)
        if len(clauses) == 1 and odds.outcomes.get((), 0) == 1:
            self._show_bold(f"{title}: {clauses[0]} ({odds.method_text()})")
            return
        self._show_bold(f"{title} ({odds.method_text()}):")
        for clause in clauses:
            self._show_bold(f"      {clause}")

    def _show_bold(self, line: str) -> None:
        """Show a line; if it is wrapped, its further lines are indented."""
        self.show(Text(hanging(line, self.width, 8), style="bold"))

    def _phrases(self, state: Any, question: Choose | Confirm) -> list[str]:
        return option_phrases(self.session.game, state, question) if isinstance(question, Choose) else ["no", "yes"]

    def _has_odds(self, state: Any, question: Question, answer: Any) -> bool:
        """Return True if the rules offer odds for this answer. If only a house rule knows the choice, every option has
        odds.
        """
        game = self.session.game
        return game.advisor.has_odds(state, question, answer) or not game.narrator.knows_question(state, question)

    def _next_options(self, answer: Any) -> list[tuple[int, tuple[str, Any]]] | None:
        """Return the options with odds of the choice that an answer leads to, with their numbers and phrases; None if
        there is no such choice.
        """
        question, state = self.session.after(answer) or (None, None)
        if not isinstance(question, (Choose, Confirm)):
            return None
        visible = self.session.game.sight.view(state, question.seat)
        options = enumerate(zip(self._phrases(visible, question), answers_to(question), strict=True), 1)
        return [option for option in options if self._has_odds(visible, question, option[1][1])] or None
