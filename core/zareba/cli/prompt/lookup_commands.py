"""Prompt commands that look something up: numbers, odds, rules, the map, the log, the briefing."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

from zareba.base.errors import ZarebaError
from zareba.base.filenames import check_output
from zareba.base.grammar import amount, in_a_sentence, with_unit
from zareba.base.tally import Tally
from zareba.cli.author.rulesets import rule_data, show_rule
from zareba.cli.play.roster import of_unit, required_roster, show_briefing, show_roster
from zareba.cli.prompt.game_commands import ACTS_HELP
from zareba.cli.prompt.option_odds import OptionOdds, tallies_table
from zareba.cli.prompt.parsing import pick
from zareba.cli.prompt.piece_names import find_piece
from zareba.cli.prompt.render import BoardView, acts_told, figure_board, lately, legend_line, map_lines, unit_board
from zareba.cli.prompt.typed_answers import PromptState
from zareba.explain import Explanation, by_kind, explanations
from zareba.presentation.board import Board, describe_position, part_around
from zareba.rules import load_catalogue
from zareba.session import Answered
from zareba.session.narration import outcome_text
from zareba.session.score import score_sentences
from zareba.table import Choose, Confirm, Question

_RULES = 8
"""The most rules shown for a search."""
_KINDS = 10
"""The most kinds of numbers and throws shown for an act."""
_RESULTS = 8
"""The most results shown for throws of one kind."""
_WHOLE_SCREEN = 22
"""Height of a map shown on request, in lines."""

_IMPOSSIBLE = "impossible"

_HELP_COLUMN = 21

HELP = """\
E3, 2 or jezails     take that option; Enter takes the suggested one
E3; n; done          several answers on one line; fusiliers E3 n: several answers for one unit; 2-4 hold: one answer for several units
same                 repeat your answer to the last such question, and those that followed it
briefing, score      the objectives, and the present score
more, log            everything since your last answer, or in the whole game
units                the units on the map, and the meaning of its marks
map [UNIT], board    the table, or the area around a unit; every figure
why [N], why all     the numbers of the last act by kind, one kind, or all
odds [N], advice     the odds of all options or one; the suggestion in full
rule [WORD|ID]       the rule of this question, of an id, or those with a word
options, hand        all options; your cards
roster [UNIT]        your figures one by one, or else the units
undo, redo           take back your last choice, or repeat it
keep FILE.yaml       save tonight's setup as a file, to play it again
quit                 leave; every answer is saved, and zareba continue resumes
help acts, WORD      more commands (AI players, orders, umpires); one command
With real dice: type the faces, of one throw or a whole volley, as 4 1 6 or 2x5 1x6; auto, or auto all, throws for you."""


class LookupCommands:
    """Executes these commands; they change nothing in the game. `pick` finds the option named by some words."""

    def __init__(self, at: PromptState, pick: Callable[[Choose | Confirm, Sequence[str], str], int]) -> None:
        self._at = at
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
        at = self._at
        act = next((one for one in at.session.history.acts(at.seat) if one.numbers), None)
        if act is None:
            raise ZarebaError("nothing to explain yet: no dice have been thrown and no number has been computed")
        every = explanations(act.numbers)
        if which.casefold() == "all":
            for one in every:
                at.hang(f"- {one.title or '; '.join(self._throw(throw) for throw in one.throws)}", 2)
            return
        all_kinds = by_kind(every)
        kinds = [one for one in all_kinds if not _is_unmodified(one)] or all_kinds
        if len(kinds) > 1 and not which:
            for line in lately(acts_told(at.game, [act.events]), at.console.width):
                at.print(line)
            for number, one in enumerate(kinds[:_KINDS], 1):
                at.hang(f"{number:>3} {self._in_brief(one)}", 4)
            left = f" ({amount(len(kinds) - _KINDS, 'more kind')})" if len(kinds) > _KINDS else ""
            at.print(f"why N explains one of them in detail; why all lists every number and throw{left}")
            if sum(bool(one.tallies) for one in all_kinds) != 1:
                return
            kinds = [one for one in kinds if one.tallies] or all_kinds
        one = kinds[pick([self._in_brief(one) for one in kinds], which) if which else 0]
        if one.tallies:
            at.print(tallies_table(at.game.rules.ruleset, one.tallies))
        for throw in one.throws:
            at.hang(f"{self._throw(throw)} ({throw.question.rule})", 2)
        if one.throws:
            self._rule(one.throws[0].question.rule)

    def _throw(self, one: Answered) -> str:
        """Return a throw or draw with its result and what that means."""
        return f"{self._at.told_of(one.question)}: {outcome_text(self._at.game, one)}"

    def _in_brief(self, found: Explanation) -> str:
        """Return numbers or throws of one kind in a line: equal numbers once, and of many throws only the results."""
        if found.tallies:
            first = found.tallies[0].rule
            totals = Counter(_total_in_brief(one) for one in found.tallies)
            told = [f"{total} ({amount(n, 'time')})" if n > 1 else total for total, n in totals.items()]
            # The unit agrees with the first number.
            number = _total_in_brief(found.tallies[0])
            if number != _IMPOSSIBLE:
                number = with_unit(found.tallies[0].total, first.unit)
            times = next(iter(totals.values()))
            often = f" ({amount(times, 'time')})" if times > 1 else ""
            also = f"; also {', '.join(told[1:])}" if len(told) > 1 else ""
            return f"{first.name.replace('_', ' ')}: {number}{often}{also} ({first.rule})"
        first_throw = found.throws[0]
        if len(found.throws) == 1:
            return self._throw(first_throw)
        line = self._at.told_of(first_throw.question).partition(":")[0]
        actor = first_throw.question.actor
        for one in found.throws[:_RESULTS]:
            result = " ".join(map(str, one.faces)) or outcome_text(self._at.game, one).partition(";")[0]
            if one is first_throw:
                line += f": {result}"
            elif one.question.actor == actor:
                line += f", {result}"
            else:
                actor = one.question.actor
                line += f"; {in_a_sentence(self._at.game.narrator.name_of(actor))}: {result}"
        more = len(found.throws) - _RESULTS
        return f"{line}{f'; {more} more' if more > 0 else ''} ({first_throw.question.rule})"

    def _odds(self, which: str) -> None:
        question = self._at.session.pending
        if not isinstance(question, (Choose, Confirm)):
            raise ZarebaError(
                "odds are available only for options and for yes or no, not for a place on the map or a throw"
            )
        outlook = OptionOdds(self._at.session, self._at.state(), self._at.print)
        if which:
            outlook.whole(self._pick(question, outlook.phrases, which))
        else:
            outlook.in_brief()

    def _rule(self, rule: str) -> None:
        """Show the rule of the question and related rules, one rule by its id, or rules that contain given words."""
        ruleset, question = self._at.game.rules.ruleset, self._at.session.pending
        if any(letter.isdecimal() for letter in rule) or rule.upper() in self._at.game.rules.rule_descriptions:
            self._whole(rule)
            return
        catalogue = load_catalogue(*ruleset.folders).rules
        bearing = [id for id in self._bearing(question) if id in catalogue]
        if not rule:
            if question is not None:
                self._whole(question.rule)
            found = [id for id in bearing if question is None or id != question.rule]
            if found:
                self._at.print("Related rules; rule ID shows one in full:")
        else:
            words = rule.casefold().split()
            texts = {id: f"{entry.summary} {entry.reading}".casefold() for id, entry in catalogue.items()}
            found = [id for id, text in texts.items() if all(word in text for word in words)]
            if not found:
                raise ZarebaError(
                    f"no rule of {ruleset.id} contains '{rule}'; give a rule's id, as shown after the question"
                )
            chapters = {catalogue[id].chapter for id in bearing}
            places = {id: place for place, id in enumerate(bearing)}
            found.sort(key=lambda id: (places.get(id, len(places)), catalogue[id].chapter not in chapters))
        for id in found[:_RULES]:
            self._at.hang(f"{id} {catalogue[id].summary}", 2)
        if len(found) > _RULES:
            self._at.print(f"and {len(found) - _RULES} more; add words, or give an id")

    def _whole(self, rule: str) -> None:
        """Print the whole text of a rule of the ruleset or of a house rule."""
        told = self._at.game.rules.rule_descriptions.get(rule.upper())
        if told is None:
            show_rule(rule_data(self._at.game.rules.ruleset.id, rule), self._at.console)
        else:
            self._at.hang(f"{rule.upper()} (house rule): {told}", 2)

    def _bearing(self, question: Question | None) -> list[str]:
        """Return the ids of the rules that affect a question, its own first.

        The rules in the numbers of its options follow, then those in the numbers of the last act.
        """
        found = [] if question is None else [question.rule]
        if isinstance(question, (Choose, Confirm)):
            found += OptionOdds(self._at.session, self._at.state(), self._at.print).rules()
        numbers = self._at.session.last_numbers(self._at.seat)
        found += [part.rule for one in numbers if isinstance(one, Tally) for part in one.parts()]
        return list(dict.fromkeys(id for id in found if id))

    def _board(self, _: str) -> None:
        view = BoardView(figure_board(self._at.game, self._at.state()))
        for line in [*view.lines(self._at.console.width), *view.legend(self._at.console.width)]:
            self._at.print(line)

    def _map(self, unit: str) -> None:
        """Show the whole table at the scale of units, or the surroundings of one unit."""
        if not unit:
            self._draw(unit_board(self._at.game, self._at.state()))
            return
        board = figure_board(self._at.game, self._at.state())
        name = find_piece(self._at.game, self._at.state(), unit)
        at = describe_position(board).get(name)
        if at is None:
            raise ZarebaError(f"{self._at.game.narrator.name_of(name)} is not on the table")
        reach = max(2, board.columns // 8) if board.space == "free" else 2
        self._draw(part_around(board, at, reach))

    def _draw(self, board: Board) -> None:
        """Show a map with the meaning of its marks, on one screen."""
        width = self._at.console.width
        legend = legend_line(BoardView(board).marks(), width)
        for line in [*map_lines(board, width, _WHOLE_SCREEN - len(legend)), *legend]:
            self._at.print(line)

    def _options(self, _: str) -> None:
        question = self._at.session.pending
        for line in self._at.listed(question) if question is not None else ():
            self._at.print(line)

    def _hand(self, _: str) -> None:
        headline = self._at.game.display.board(self._at.state()).headline
        if "hand:" not in headline:
            raise ZarebaError("you hold no cards at the moment")
        self._at.hang(headline[headline.index("hand:") :], 2)

    def _units(self, _: str) -> None:
        for line in BoardView(unit_board(self._at.game, self._at.state())).legend(self._at.console.width):
            self._at.print(line)

    def _roster(self, unit: str) -> None:
        if self._at.game.display.roster(self._at.state(), self._at.seat) is None:
            title = self._at.game.rules.book.title
            self._at.hang(f"{title} has no roster of single figures; the units on the table:", 2)
            self._units(unit)
            return
        found = required_roster(self._at.game, self._at.state(), self._at.seat)
        show_roster(of_unit(found, unit) if unit else found, self._at.console)

    def _log(self, _: str) -> None:
        for sentence in self._at.sentences():
            self._at.hang(f"- {sentence}", 2)

    def _more(self, _: str) -> None:
        """Show every sentence, die and card since a person's last answer."""
        for sentence in self._at.in_words(self._at.session.news(self._at.seat)):
            self._at.hang(f"- {sentence}", 2)
        for one in self._at.session.last_numbers(self._at.seat):
            if isinstance(one, Answered):
                self._at.hang(f"  {self._at.told_of(one.question)}: {outcome_text(self._at.game, one)}", 4)

    def _briefing(self, _: str) -> None:
        show_briefing(self._at.session.briefing(self._at.seat), self._at.console)

    def _score(self, _: str) -> None:
        for line in score_sentences(self._at.session.score(self._at.seat), self._at.game):
            self._at.hang(line, 2)

    def _keep(self, name: str) -> None:
        """Write an evening file for the current game."""
        from zareba.cli.play.evening_file import evening_of, written

        target = check_output(Path(name))
        if target.suffix not in (".yaml", ".yml"):
            raise ZarebaError("name a file: keep monday.yaml")
        if target.exists():
            raise ZarebaError(f"{target} already exists; name another file")
        target.write_text(written(evening_of(self._at.session, target.stem.replace("_", " "))), encoding="utf-8")
        self._at.print(f"written: {target}; play it again with: zareba play {target}")

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
            self._at.hang(
                f"there is no command '{about}'; for the rules about it type: rule {about}. These are the commands:", 2
            )
            shown = HELP.split("\n")
        for line in shown:
            self._at.hang(line, _HELP_COLUMN if "  " in line else 2)


def _total_in_brief(tally: Tally) -> str:
    """Return the total of a modifier breakdown; a throw that no die can make low enough is impossible."""
    is_too_low = tally.rule.unit.startswith("or less") and tally.total < 1
    return _IMPOSSIBLE if is_too_low else str(tally.total)


def _is_unmodified(found: Explanation) -> bool:
    """Return True for several numbers without any modifier, such as the rows of a chart; the throws say the rest."""
    return len(found.tallies) > 1 and all(len(one.parts()) == 1 for one in found.tallies)


def _names(line: str, word: str) -> bool:
    return word in re.findall(r"[\w-]+", line.casefold())
