"""Prompt commands that look something up: numbers, odds, rules, the map, the log, the briefing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from zareba.base.errors import ZarebaError
from zareba.base.filenames import check_output
from zareba.base.grammar import amount, begin_sentence, how_often, in_a_sentence, with_unit
from zareba.base.tally import Tally
from zareba.cli.author.rulesets import rule_data, show_rule
from zareba.cli.play.roster import of_unit, required_roster, show_briefing, show_roster
from zareba.cli.prompt.game_commands import ACTS_HELP
from zareba.cli.prompt.option_odds import OptionOdds, tallies_table
from zareba.cli.prompt.parsing import pick
from zareba.cli.prompt.piece_names import find_piece
from zareba.cli.prompt.render import (
    BoardView,
    acts_in_words,
    figure_board,
    fit_news,
    legend_line,
    map_lines,
    unit_board,
)
from zareba.cli.prompt.typed_answers import TerminalView
from zareba.explain import Explanation, by_kind, explanations
from zareba.presentation.board import Board, describe_position, part_around
from zareba.rules import load_catalogue, mentions
from zareba.session import Answered
from zareba.session.narration import outcome_text
from zareba.session.score import score_sentences
from zareba.table import Choose, Confirm, Question

_MOST_RULES = 8
"""The most rules shown for a search."""
_MOST_KINDS = 10
"""The most kinds of numbers and throws shown for an act."""
_MOST_RESULTS = 8
"""The most results shown for throws of one kind."""
_BELOW_ANY_DIE = "below 1"
"""A number that a die has to show or less, but that is below every face. A rule may still allow a second throw."""
_MAP_LINES = 22
"""Height of a map shown on request, in lines."""

_HELP_COLUMN = 21

HELP = """\
E3, 2 or jezails     take that option; Enter takes the suggested one
E3; north; done      several answers on one line
fusiliers E3 north   several answers for one unit
2-4 hold             one answer for several units
same                 give the same answers as last time to this kind of question
briefing, score      the objectives, and the present score
more, log            what happened since your last answer; in the whole game
units                the units on the map, and the meaning of its marks
map [UNIT], board    the whole map, or around a unit; a map of every figure
why, why N, why all  dice and modifiers of the last act: in short, one, all
odds, odds N         the odds of all options, or of option N
advice               what the AI suggests, and why
rule, rule WORD      the rule of this question; rules with a word or an id
options, hand        all options; your cards
roster [UNIT]        your figures one by one, or your units
undo, redo           take back your last choice, or repeat it
keep FILE.yaml       save battle, players and rules, to play them again
quit                 leave; all is saved, and 'zareba continue' resumes
help WORD, help acts one command; those for AI players, orders and umpires
With real dice: type the faces, such as 4 1 6, or 2x5 1x6 (two fives, one six); auto, or auto all, throws for you."""


class LookupCommands:
    """Executes these commands; they change nothing in the game. `pick` finds the option named by some words."""

    def __init__(self, at: TerminalView, pick: Callable[[Choose | Confirm, Sequence[str], str], int]) -> None:
        self._view = at
        self._pick = pick
        self.commands: dict[str, Callable[[str], None]] = {
            "briefing": self._briefing,
            "about": self._briefing,
            "score": self._score,
            "more": self._more,
            "map": self._map,
            "options": self._options,
            "hand": self._hand,
            "why": self._why,
            "odds": self._odds,
            "rule": self._rule,
            "rules": self._rule,
            "board": self._board,
            "units": self._units,
            "roster": self._roster,
            "log": self._log,
            "keep": self._keep,
            "help": self._help,
            "?": self._help,
        }

    def _why(self, which: str) -> None:
        """Show what the last act with numbers did, and its numbers and throws by kind; one kind in detail, or all."""
        at = self._view
        act = next((act for act in at.session.history.acts(at.seat) if act.numbers), None)
        if act is None:
            raise ZarebaError("nothing to explain yet: no dice have been thrown and no number has been computed")
        all_explanations = explanations(act.numbers)
        if which.casefold() == "all":
            for explanation in all_explanations:
                throws = "; ".join(self._throw_in_words(throw) for throw in explanation.throws)
                at.print_indented(f"- {explanation.title or throws}", 2)
            return
        all_kinds = by_kind(all_explanations)
        kinds = [kind for kind in all_kinds if not kind.is_chart] or all_kinds
        if len(kinds) > 1 and not which:
            for line in fit_news(acts_in_words(at.game, [act.events]), at.console.width):
                at.print(line)
            for number, kind in enumerate(kinds[:_MOST_KINDS], 1):
                at.print_indented(f"{number:>3} {self._kind_in_brief(kind)}", 4)
            left = f" ({amount(len(kinds) - _MOST_KINDS, 'more kind')})" if len(kinds) > _MOST_KINDS else ""
            at.print(f"why N explains one of them in detail; why all lists every number and throw{left}")
            if sum(bool(kind.tallies) for kind in all_kinds) != 1:
                return
            kinds = [kind for kind in kinds if kind.tallies] or all_kinds
        self._show_kind(kinds[pick([self._kind_in_brief(kind) for kind in kinds], which) if which else 0])

    def _show_kind(self, shown: Explanation) -> None:
        """Show numbers or throws of one kind in detail, with the technical terms in them explained, and their rule."""
        at = self._view
        if shown.tallies:
            at.print(tallies_table(at.game.rules.ruleset, shown.tallies))
        for throw in shown.throws:
            at.print_indented(f"{self._throw_in_words(throw)} ({throw.question.rule})", 2)
        in_a_line = at.game.rules.rule_in_a_line
        parts = [part for tally in shown.tallies for part in tally.parts()]
        texts = [self._throw_in_words(throw) for throw in shown.throws]
        texts += [text for part in parts for text in (part.summary, in_a_line(part.rule))]
        for term, meaning in at.game.narrator.words.terms_in(*texts).items():
            at.print_indented(f"{term}: {meaning}", 2)
        if shown.throws:
            self._rule(shown.throws[0].question.rule)

    def _throw_in_words(self, throw: Answered) -> str:
        """Return a throw or draw with its result and what that means."""
        return f"{self._view.question_text(throw.question)}: {outcome_text(self._view.game, throw)}"

    def _kind_in_brief(self, kind: Explanation) -> str:
        """Return numbers or throws of one kind in a line: few numbers in order, and of many throws only the results."""
        return self._numbers_in_brief(kind.tallies) if kind.tallies else self._throws_in_brief(kind.throws)

    def _numbers_in_brief(self, tallies: Sequence[Tally]) -> str:
        rule, counts = tallies[0].rule, Counter(_total_in_brief(tally) for tally in tallies)
        if len(counts) > 1 and len(tallies) <= _MOST_RESULTS:  # in the order of the throws, which the next line lists
            *others, last = tallies
            totals = [str(tally.total) if _is_on_a_die(tally) else _BELOW_ANY_DIE for tally in others]
            totals.append(_total_in_brief(last))
        else:
            totals = [f"{total} ({how_often(count)})" if len(tallies) > 1 else total for total, count in counts.items()]
        return f"{rule.name.replace('_', ' ')}: {', '.join(totals)} ({rule.rule})"

    def _throws_in_brief(self, throws: Sequence[Answered]) -> str:
        first = throws[0]
        if len(throws) == 1:
            return self._throw_in_words(first)
        line = self._view.question_text(first.question).partition(":")[0]
        actor = first.question.actor
        results = [
            " ".join(map(str, throw.faces)) or outcome_text(self._view.game, throw).partition(";")[0]
            for throw in throws[:_MOST_RESULTS]
        ]
        comma = " / " if any(", " in result for result in results) else ", "
        for throw, result in zip(throws, results, strict=False):
            if throw is first:
                line += f": {result}"
            elif throw.question.actor == actor:
                line += f"{comma}{result}"
            else:
                actor = throw.question.actor
                line += f"; {in_a_sentence(self._view.game.narrator.name_of(actor))}: {result}"
        more = len(throws) - _MOST_RESULTS
        return f"{line}{f'; {more} more' if more > 0 else ''} ({first.question.rule})"

    def _odds(self, which: str) -> None:
        question = self._view.session.pending
        if not isinstance(question, (Choose, Confirm)):
            raise ZarebaError(
                "odds are available only for options and for yes or no, not for a place on the map or a throw"
            )
        odds = OptionOdds(self._view.session, self._view.state(), self._view.print, self._view.console.width)
        if which:
            odds.show_option(self._pick(question, odds.phrases, which))
        else:
            odds.show_all_in_brief()

    def _rule(self, rule: str) -> None:
        """Show the rule of the question and related rules, one rule by its id, or rules that contain given words."""
        ruleset, question = self._view.game.rules.ruleset, self._view.session.pending
        if any(letter.isdecimal() for letter in rule) or rule.upper() in self._view.game.rules.rule_descriptions:
            self._show_rule(rule)
            return
        catalogue = load_catalogue(*ruleset.folders).rules
        related = [id for id in self._related_rules(question) if id in catalogue]
        if not rule:
            if question is not None:
                self._show_rule(question.rule)
            listed = [id for id in related if question is None or id != question.rule]
            if listed:
                self._view.print("Related rules; rule ID shows one in full:")
        else:
            terms = self._view.game.narrator.words.terms_called(rule)
            for term, meaning in terms.items():
                self._view.print_indented(f"{term}: {meaning}", 2)
            texts = {id: f"{entry.summary} {entry.reading}" for id, entry in catalogue.items()}
            listed = [id for id, text in texts.items() if all(mentions(text, word) for word in rule.split())]
            if terms and not listed:
                return
            if not listed:
                raise ZarebaError(
                    f"no rule of {ruleset.id} contains '{rule}'; give a rule's id, as shown after the question"
                )
            related_chapters = {catalogue[id].chapter for id in related}
            rank = {id: index for index, id in enumerate(related)}
            listed.sort(key=lambda id: (rank.get(id, len(rank)), catalogue[id].chapter not in related_chapters))
        for id in listed[:_MOST_RULES]:
            self._view.print_indented(f"{id} {catalogue[id].summary}", 2)
        if len(listed) > _MOST_RULES:
            self._view.print(f"and {len(listed) - _MOST_RULES} more; add words, or give an id")

    def _show_rule(self, rule: str) -> None:
        """Print the whole text of a rule of the ruleset or of a house rule."""
        description = self._view.game.rules.rule_descriptions.get(rule.upper())
        if description is None:
            show_rule(rule_data(self._view.game.rules.ruleset.id, rule), self._view.console)
        else:
            self._view.print_indented(f"{rule.upper()} (house rule): {description}", 2)

    def _related_rules(self, question: Question | None) -> list[str]:
        """Return the ids of the rules that affect a question, its own first.

        The rules in the numbers of its options follow, then those in the numbers of the last act.
        """
        rules = [] if question is None else [question.rule]
        if isinstance(question, (Choose, Confirm)):
            rules += OptionOdds(
                self._view.session, self._view.state(), self._view.print, self._view.console.width
            ).rules()
        numbers = self._view.session.last_numbers(self._view.seat)
        rules += [part.rule for number in numbers if isinstance(number, Tally) for part in number.parts()]
        return list(dict.fromkeys(rule for rule in rules if rule))

    def _board(self, _: str) -> None:
        view = BoardView(figure_board(self._view.game, self._view.state()))
        for line in [*view.lines(self._view.console.width), *view.legend(self._view.console.width)]:
            self._view.print(line)

    def _map(self, unit: str) -> None:
        """Show the whole table at the scale of units, or the surroundings of one unit."""
        if not unit:
            self._draw(unit_board(self._view.game, self._view.state()))
            return
        board = figure_board(self._view.game, self._view.state())
        name = find_piece(self._view.game, self._view.state(), unit)
        position = describe_position(board).get(name)
        if position is None:
            raise ZarebaError(f"{self._view.game.narrator.name_of(name)} is not on the table")
        reach = max(2, board.columns // 8) if board.space == "free" else 2
        self._draw(part_around(board, position, reach))

    def _draw(self, board: Board) -> None:
        """Show a map with the meaning of its marks, on one screen."""
        width = self._view.console.width
        legend = legend_line(BoardView(board).marks(), width)
        for line in [*map_lines(board, width, _MAP_LINES - len(legend)), *legend]:
            self._view.print(line)

    def _options(self, _: str) -> None:
        question = self._view.session.pending
        for line in self._view.listed(question) if question is not None else ():
            self._view.print(line)

    def _hand(self, _: str) -> None:
        headline = self._view.game.display.board(self._view.state()).headline
        if "hand:" not in headline:
            raise ZarebaError("you hold no cards at the moment")
        self._view.print_indented(headline[headline.index("hand:") :], 2)

    def _units(self, _: str) -> None:
        for line in BoardView(unit_board(self._view.game, self._view.state())).legend(self._view.console.width):
            self._view.print(line)

    def _roster(self, unit: str) -> None:
        if self._view.game.display.roster(self._view.state(), self._view.seat) is None:
            title = self._view.game.rules.book.title
            self._view.print_indented(f"{title} has no roster of single figures; the units on the table:", 2)
            self._units(unit)
            return
        roster = required_roster(self._view.game, self._view.state(), self._view.seat)
        show_roster(of_unit(roster, unit) if unit else roster, self._view.console)

    def _log(self, _: str) -> None:
        sentences = self._view.sentences()
        if not sentences:
            self._view.print("nothing has happened yet")
        for sentence in sentences:
            self._view.print_indented(f"- {begin_sentence(sentence)}", 2)

    def _more(self, _: str) -> None:
        """Show every sentence, die and card since a person's last answer."""
        act = next(self._view.session.history.acts(self._view.seat))
        sentences = self._view.event_sentences(act.events)
        throws = [throw for throw in act.numbers if isinstance(throw, Answered)]
        if not sentences and not throws:
            self._view.print("nothing has happened since your last answer; log shows the whole game")
        for sentence in sentences:
            self._view.print_indented(f"- {begin_sentence(sentence)}", 2)
        for throw in throws:
            self._view.print_indented(f"  {self._throw_in_words(throw)}", 4)

    def _briefing(self, _: str) -> None:
        show_briefing(self._view.session.briefing(self._view.seat), self._view.console)

    def _score(self, _: str) -> None:
        for line in score_sentences(self._view.session.score(self._view.seat), self._view.game):
            self._view.print_indented(line, 2)

    def _keep(self, name: str) -> None:
        """Write an evening file for the current game."""
        from zareba.cli.play.evening_file import evening_of, written

        target = check_output(Path(name))
        if target.suffix not in (".yaml", ".yml"):
            raise ZarebaError("name a file: keep monday.yaml")
        if target.exists():
            raise ZarebaError(f"{target} already exists; name another file")
        target.write_text(written(evening_of(self._view.session, target.stem.replace("_", " "))), encoding="utf-8")
        self._view.print(f"written: {target}; play it again with: zareba play {target}")

    def _help(self, about: str) -> None:
        """Show the common commands, the further ones, or the lines about one command."""
        word = about.casefold()
        shown = (ACTS_HELP if word in ("acts", "act") else HELP).split("\n")
        if word and word not in ("acts", "act"):
            every = [line for line in (*HELP.split("\n"), *ACTS_HELP.split("\n")) if "  " in line]
            shown = [line for line in every if _names(line[:_HELP_COLUMN], word)] or [
                line for line in every if _names(line, word)
            ]
        if not shown:
            self._view.print_indented(
                f"there is no command '{about}'; for the rules about it type: rule {about}. These are the commands:", 2
            )
            shown = HELP.split("\n")
        for line in shown:
            self._view.print_indented(line, _HELP_COLUMN if "  " in line else 2)


def _total_in_brief(tally: Tally) -> str:
    """Return the total of a modifier breakdown with its unit."""
    return with_unit(tally.total, tally.rule.unit) if _is_on_a_die(tally) else _BELOW_ANY_DIE


def _is_on_a_die(tally: Tally) -> bool:
    """Return False for a number that no die shows, where a die must show it or less."""
    return not tally.rule.unit.startswith("or less") or tally.total >= 1


def _names(line: str, word: str) -> bool:
    return word in re.findall(r"[\w-]+", line.casefold())
