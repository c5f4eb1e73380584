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
from zareba.cli.output import plain_table
from zareba.cli.sanitize import sanitize
from zareba.cli.study.distributions import changes_table
from zareba.game import Game
from zareba.odds import ChoiceOdds, DiceUse, ProcedureExplanation
from zareba.odds.phrases import changes_in_brief
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


def tallies_table(found: RulesetInfo, tallies: Sequence[Tally]) -> RenderableType:
    """Return each modifier breakdown as a table: its modifiers, the running total, and the text of each rule.

    Breakdowns of the same situation are shown once, with their number.
    """
    catalogue = load_catalogue(*found.folders).rules
    shown: list[RenderableType] = []
    alike = Counter((tally.rule.name, tally.facts) for tally in tallies)
    for key, tally in {(tally.rule.name, tally.facts): tally for tally in tallies}.items():
        title = f"{tally.rule.name.replace('_', ' ')}: {with_unit(tally.total, tally.rule.unit)} ({tally.rule.rule})"
        title += f", {alike[key]} times" if alike[key] > 1 else ""
        rows = []
        for part in tally.parts():
            entry = catalogue.get(part.rule)
            rows.append(
                [part.change, str(part.running), part.rule, part.summary, entry.in_short if entry else part.source]
            )
        heads = ("change", "total", "rule", "reason", "rule in short")
        shown += [Text(sanitize(title), style="bold"), plain_table(heads, rows, right=heads[:2])]
    return Group(*shown)


def chances_data(chances: Sequence[DiceUse]) -> list[dict[str, str]]:
    """Return the possible throws and draws as JSON-ready data."""
    return [chance._asdict() for chance in chances]


def reckoned_table(found: RulesetInfo, reckoned: ProcedureExplanation) -> RenderableType:
    """Return the modifier breakdowns, followed by the possible throws and draws with the meaning of their results."""
    rows = [
        [" ".join(filter(None, [chance.why, chance.dice])), chance.means, chance.rule] for chance in reckoned.chances
    ]
    shown: list[RenderableType] = [tallies_table(found, reckoned.tallies)] if reckoned.tallies else []
    return Group(*shown, *([plain_table(("thrown or drawn", "meaning", "rule"), rows)] if rows else []))


def _number(number: Number) -> int | float:
    return number if isinstance(number, int) else float(number)


# --- The odds of the options of a pending choice: a summary of each, or one option in full ----------------------------


MEANWHILE = "if you then do nothing more and the AI player doctrine decides for the others"
_BRIEFLY = 0.05
"""Seconds spent on the odds of one of many options."""


def answers_to(question: Choose | Confirm) -> Sequence[Any]:
    """Return all answers to a question, in the order listed."""
    return question.options if isinstance(question, Choose) else (False, True)


def option_phrases(game: Game[Any], state: Any, question: Choose) -> list[str]:
    """Return the options of a choice as phrases."""
    return [sanitize(game.narrator.describe_option(state, question, option)) for option in question.options]


@dataclass(frozen=True)
class OptionOdds:
    """The outcomes of the options of the pending choice. `state` is the table as the player being asked sees it."""

    session: Session
    state: Any
    show: Callable[[Any], None]

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

    def in_brief(self) -> None:
        """Show the odds of each option that has some, or the options that lead to such a choice.

        Raises ZarebaError if there are neither.
        """
        question, phrases = self.question, self.phrases
        answers = answers_to(question)
        worth = [index for index, answer in enumerate(answers) if self._is_worth(self.state, question, answer)]
        for index in worth:
            self._tell(f"{index + 1:>3} {phrases[index]}", self.session.odds_of(answers[index], _BRIEFLY))
        if worth:
            self._tell_of_the_step_so_far()
            self.show("odds N shows all outcomes of option N")
            return
        leading = [index for index, answer in enumerate(answers) if self._further_on(answer)]
        if not leading:
            raise ZarebaError("no option here leads straight to dice; odds N shows what may follow option N")
        self.show("the odds belong to the choice that follows:")
        for index in leading:
            self.show(Text(f"{index + 1:>3} {phrases[index]}"))
        self.show("odds N shows them for option N")

    def whole(self, index: int) -> None:
        """Show all outcomes of one option with its numbers; or summaries of the options it leads to, if it has no odds
        itself.
        """
        question, phrases = self.question, self.phrases
        answer = answers_to(question)[index]
        further = None if self._is_worth(self.state, question, answer) else self._further_on(answer)
        if further is not None:
            self.show(Text(f"if you choose {phrases[index]}, the odds of what you can do next:"))
            for phrase, next_answer in further:
                self._tell(phrase, self.session.odds_of(next_answer, _BRIEFLY, first=answer))
            return
        found = self.session.odds_of(answer)
        self._tell(f"{index + 1} {phrases[index]}", found)
        self._tell_of_the_step_so_far()
        self.show(f"All outcomes ({found.told()}), {MEANWHILE}:")
        self.show(changes_table(self.session.game, found))
        self.show(reckoned_table(self.session.game.rules.ruleset, self.session.explain(answer)))

    def rules(self) -> list[str]:
        """Return the ids of the rules behind the first option with odds: those of its numbers, dice and cards."""
        worth = next((one for one in answers_to(self.question) if self._is_worth(self.state, self.question, one)), None)
        if worth is None:
            return []
        try:
            found = self.session.explain(worth)
        except (ZarebaError, QuestionChanged):
            return []
        return [*(part.rule for tally in found.tallies for part in tally.parts()), *(one.rule for one in found.chances)]

    def _tell_of_the_step_so_far(self) -> None:
        """Say so if dice or cards have been drawn in the present step, because outcomes count from its start."""
        answers = self.session.history.steps[-1].answers
        if any(isinstance(one.question, (Roll, Draw)) for one in answers):
            self.show("(the outcomes include what has already happened in this step)")

    def _tell(self, title: str, found: ChoiceOdds) -> None:
        brief = changes_in_brief(self.session.game, found)
        self.show(Text(sanitize(f"{title}: {brief} ({found.told()})"), style="bold"))

    def _phrases(self, state: Any, question: Choose | Confirm) -> list[str]:
        return option_phrases(self.session.game, state, question) if isinstance(question, Choose) else ["no", "yes"]

    def _is_worth(self, state: Any, question: Question, answer: Any) -> bool:
        """Return True if the rules offer odds for this answer. If only a house rule knows the choice, every option has
        odds.
        """
        game = self.session.game
        return game.advisor.has_odds(state, question, answer) or not game.narrator.knows_question(state, question)

    def _further_on(self, answer: Any) -> list[tuple[str, Any]] | None:
        """Return the options with odds of the choice that an answer leads to, with their phrases; None if there is no
        such choice.
        """
        question, table = self.session.after(answer) or (None, None)
        if not isinstance(question, (Choose, Confirm)):
            return None
        seen = self.session.game.sight.view(table, question.seat)
        phrased = zip(self._phrases(seen, question), answers_to(question), strict=True)
        return [(phrase, one) for phrase, one in phrased if self._is_worth(seen, question, one)] or None
