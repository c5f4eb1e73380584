"""The book of an evening: what was done and corrected, in order, with undo, log, and saving to a file."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import count
from pathlib import Path
from typing import Any, Generic

from zareba.base.errors import ZarebaError, unknown_name
from zareba.base.grammar import join_with_and
from zareba.base.tally import Tally
from zareba.chance import KeyedDice
from zareba.companion.declarations import Companion, Opening, S, Scene
from zareba.companion.forms import Finished, Form, Remembered
from zareba.companion.house_options import option_acts, option_openings
from zareba.journal import MOST_BYTES, Ledger, Lines, RulePlayed, games_folder, read_ledger
from zareba.plugins.rule_files import name_in_file
from zareba.presentation.narration import outcome_sentence
from zareba.presentation.umpire_editor import FIGURES
from zareba.registry import HouseRule, NotInstalled, house_rules_played, load_rules, ruleset
from zareba.rules import Rules
from zareba.scenario import Scenario
from zareba.session.history import Answered
from zareba.session.narration import result_text
from zareba.session.resume import recorded_rules, rules_record
from zareba.session.score import score_of_state, score_sentences
from zareba.table import Answer, ChanceKeys, Draw, Event, RecordedTable, Roll, answer_from_data
from zareba.table.questions import Step

FORMAT = 1
_NOT_CALLED = ("zareba_begin", "zareba_turn", "zareba_step")
"""Hooks that run at steps of play, which a real table does not have."""
SUFFIX = ".companion"
"""The ending of the file of an evening."""


@dataclass(frozen=True)
class Entry(Generic[S]):
    """One entry of the book: the data that repeat it, and what it did.

    `state` is the state after it. `sentences` say what happened; the last `strengths` of them say how many are left.
    `tallies` and `throws` explain it.
    """

    data: Mapping[str, Any]
    state: S
    headline: str
    title: str
    sentences: tuple[str, ...]
    events: tuple[Event, ...] = ()
    tallies: tuple[Tally, ...] = ()
    throws: tuple[Answered, ...] = ()
    strengths: int = 0


class Evening(Generic[S]):
    """An evening at a real table under one ruleset.

    The book is a list of entries; the state follows from them. With a `ledger`, every entry is on disk before it
    counts. `dropped` says which act in progress could not go on when the evening was opened, "" for none.
    """

    def __init__(
        self, companion: Companion[S], seed: int, ledger: Ledger | None = None, *, real_dice: bool = False
    ) -> None:
        self.companion = companion
        self.game = companion.game
        self.real_dice = real_dice
        self._dice = KeyedDice(seed)
        companion.act_named |= {act.name: act for act in option_acts([*companion.act_named.values()])}
        self._ledger = ledger
        self._start = companion.start()
        self._settle(self._start)
        self.entries: list[Entry[S]] = []
        self._unfinished: Mapping[str, Any] | None = None
        self.dropped = ""
        self._dice_taken_back: tuple[Answered, ...] = ()

    @property
    def state(self) -> S:
        """The state of the battle now. Do not change it."""
        return self.entries[-1].state if self.entries else self._start

    @property
    def first_state(self) -> S:
        """The state before the first entry. Do not change it."""
        return self._start

    @property
    def left_out(self) -> str:
        """A sentence with the parts of the battle that the rules cannot express, such as units; "" if there are
        none.
        """
        notes = self.game.untranslated
        return f"Not in these rules: {'; '.join(notes)}" if notes else ""

    @property
    def is_over(self) -> bool:
        """True if the battle is over."""
        return self.companion.is_over(self.state)

    # --- acts ---------------------------------------------------------------------------------------------------------

    def openings(self) -> tuple[Opening, ...]:
        """Return the acts that are possible or due now."""
        if self.is_over:
            return ()
        found = tuple(self.companion.openings(self.state))
        if not self.game.rules.option_hooks:
            return found
        return (*found, *option_openings(found, self.companion.act_named, self.state, self.game))

    def every_opening(self) -> tuple[Opening, ...]:
        """Return every act that some unit could do now, in its phase or not, for players who forgot one.

        The acts of the present phase are among them, such as a throw that belongs to no unit.
        """
        if self.is_over:
            return ()
        found = [
            Opening(act.name, tuple(act.actors(self.state)))
            for act in self.companion.act_named.values()
            if act.out_of_turn
        ]
        offered = [opening for opening in found if opening.actors]
        listed = {opening.act for opening in offered}
        return (*(opening for opening in self.openings() if opening.act not in listed), *offered)

    def due_acts(self) -> list[str]:
        """Return the acts that the rules demand now, each with its units: "check morale (Fusiliers and Sikhs)"."""
        name_of, found = self.game.narrator.name_of, []
        for opening in self.openings():
            if opening.due:
                units = f" ({join_with_and(map(name_of, opening.actors))})" if opening.actors else ""
                found.append(f"{self.companion.act_named[opening.act].title}{units}")
        return found

    def left_out_by_next(self) -> str:
        """Return in words what `next` leaves out now; "" for nothing."""
        return self.companion.left_out_by_next(self.state, self.due_acts())

    def form(self, act: str, scene: Scene | None = None, *, out_of_turn: bool = False) -> Form[S]:
        """Return the form for the act with this name and the units that can do it now or (`out_of_turn`) at any time.

        Raises ZarebaError if no unit can do it.
        """
        known = self.companion.act_named
        if act not in known:
            raise unknown_name("act", act, known)
        everyone = tuple(known[act].actors(self.state))
        offered = next((opening for opening in self.openings() if opening.act == act), None)
        actors = everyone if offered is None or (out_of_turn and everyone) else offered.actors
        if not actors and offered is None:
            raise ZarebaError(f"no unit can {known[act].title} now ({known[act].rule})")
        if scene is not None and scene.actor and scene.actor not in (*actors, *everyone):
            raise ZarebaError(f"{self.game.narrator.name_of(scene.actor)} cannot {known[act].title} now")
        return Form(self.companion, self.state, known[act], actors, scene, self._remembered())

    def form_after_correction(self, form: Form[S] | None) -> Form[S] | None:
        """Return the act in progress with its answers after a correction; None if it is not possible now."""
        if form is None:
            return None
        try:
            again = self.form(form.act.name, form.scene, out_of_turn=True)
            return again if again.still_fits() else None
        except ZarebaError:
            return None

    def _remembered(self) -> Remembered:
        """Return what people have said before that a form may propose again."""
        opponents: dict[str, list[str]] = {}
        acts = [entry for entry in reversed(self.entries) if entry.data.get("target")]
        for entry in acts:
            actor, target = entry.data["actor"], entry.data["target"]
            opponents.setdefault(actor, []).append(target)
            opponents.setdefault(target, []).append(actor)
        last = next((entry for entry in reversed(self.entries) if "correct" not in entry.data), None)
        if last is None or last not in acts[:1] or self._moved_figures(last):
            return Remembered(opponents, dice=self._dice_taken_back)
        scene = Scene(self.game, last.data["actor"], last.data["target"], last.data["answers"])
        return Remembered(opponents, scene, last.data["act"], self._dice_taken_back)

    def _moved_figures(self, entry: Entry[S]) -> bool:
        """Return True if an act had a result that moves figures, such as a retreat, so that distances have changed."""
        return any(event.kind in self.game.narrator.words.runs for event in entry.events)

    def roll(self, form: Form[S], question: Roll | Draw) -> tuple[Answer, tuple[int, ...]]:
        """Return the companion's own dice or card for an act. After an undo, the same act gets the same dice."""
        keys = ChanceKeys(Step(form.act.name, len(self.entries), form.scene.actor))
        for given in form.given:
            if isinstance(given.question, (Roll, Draw)):
                keys.next(given.question.actor, given.question.why)
        answer, faces = keys.answer(self._dice, question)
        return answer, tuple(faces)

    def finish(self, form: Form[S], *, is_automatic: bool = False) -> Entry[S]:
        """Write a finished act into the book. Raises ZarebaError if it still needs something.

        `is_automatic`: the rules demanded the act and no question was needed, so `undo` takes it back with the entry
        before.
        """
        done = form.pending
        if not isinstance(done, Finished):
            raise ZarebaError(f"the act '{form.act.title}' is not finished yet")
        data = {**form.record(), **({"automatic": True} if is_automatic else {})}
        title = self.companion.title_of(self.state, form.act, form.scene)
        return self._write(data, done.state, title, done, form.given)

    def next(self, *, leave_out: bool = False) -> Entry[S]:
        """Move on to the next phase. With `leave_out`, an act that the rules demand is left out.

        Raises ZarebaError if the rules demand an act first.
        """
        if self.is_over:
            raise ZarebaError("the battle is over; undo takes back the last entry")
        due = self.due_acts()
        if due and not leave_out:
            raise ZarebaError(f"the rules demand this first: {', '.join(due)}")
        after = self.state.copy()
        self.companion.advance(after)
        return self._write({"next": True}, after, "next phase", None, ())

    def word_for(self, field: str) -> str:
        """Return the word of the rulebook for a number of a unit, such as bases for its figures."""
        noun = self.game.narrator.loss_noun
        return f"{noun}s" if field == FIGURES else field.replace("_", " ")

    def correct(self, unit: str, what: str, value: Any) -> Entry[S]:
        """Correct the book: a number or word of a unit, or one of its status marks (`value` True or False).

        A unit that was lost comes back if its strength is set, or with the value False for `removed`. Raises
        ZarebaError if the rules have no such value.
        """
        after = self.state.copy()
        editor = self.game.umpire_editor()
        table = RecordedTable(self.game.rules, after, ())
        name, piece = self.game.narrator.name_of(unit), self.companion.record_id(unit)
        counts = what in (FIGURES, self.game.narrator.loss_noun, f"{self.game.narrator.loss_noun}s", "strength")
        comes_back = (what == "removed" and not value) or (counts and value)
        if comes_back and not self.companion.is_on_table(after, unit):
            self.companion.bring_back(after, unit)
        if what == "removed":
            if value:
                editor.remove(table, after, piece)
        elif isinstance(value, bool) and what in editor.marks:
            editor.mark(table, after, piece, what, on=value)
        elif counts:
            editor.set(table, after, piece, FIGURES, value)
        else:
            known = [field for field, _ in editor.editable_fields(after, piece)]
            if what not in known:
                words = [self.word_for(field) if field == FIGURES else field for field in known]
                raise unknown_name(f"value of {name} called", what, [*words, *editor.marks, "removed"])
            editor.set(table, after, piece, what, value)
        if comes_back and not self.companion.is_on_table(after, unit):
            if what == "removed" and editor.max_figures(after, piece):
                raise ZarebaError(f"{name} is off the table; set its {self.word_for(FIGURES)} to bring it back")
            raise ZarebaError(f"{name} is off the table; undo takes back the act that removed it")
        if fault := editor.find_inconsistency(after):
            raise ZarebaError(fault)
        said = {True: "yes", False: "no"}.get(value, value) if isinstance(value, bool) else value
        data = {"correct": unit, "what": what, "value": value}
        return self._write(data, after, f"correction: {name}, {self.word_for(what)}: {said}", None, ())

    def achieve(self, goal: str, side: str) -> Entry[S]:
        """Note that a side has achieved an objective, which people judge; "" for `side` takes the note away."""
        goals = self.game.scenario.objectives
        if goal not in goals:
            raise unknown_name("objective", goal, goals)
        if side and side not in self.game.seats:
            raise unknown_name("side", side, self.game.seats)
        after = self.state.copy()
        self.game.umpire_editor().set_goal(after, goal, side)
        done = f"achieved by {self.game.narrator.name_of(side)}" if side else "not achieved"
        return self._write({"goal": goal, "side": side}, after, f"objective {goals[goal].name}: {done}", None, ())

    def score(self) -> list[str]:
        """Return the points, the objectives and the winner as sentences. A place counts only once people have noted
        it.
        """
        found = score_sentences(score_of_state(self.game, self.state, None), self.game)
        if self.is_over:
            found.insert(0, outcome_sentence(self.game.scenario, self.game.play.outcome(self.state)))
        return found

    def take_back(self, form: Form[S]) -> str:
        """Take back an unfinished act, and return a sentence that says so. If people begin the act again, its form
        proposes the dice that they have already thrown.
        """
        self._dice_taken_back = tuple(form.given)
        thrown = [" ".join(map(str, given.faces)) for given in form.given if isinstance(given.question, Roll)]
        dice = f"; its dice, which you can take again: {', '.join(thrown)}" if any(thrown) else ""
        return f"taken back, unfinished: {form.title}{dice}"

    @property
    def can_undo(self) -> bool:
        """True if people have done something; automatic entries would only be done again."""
        return any(not entry.data.get("automatic") for entry in self.entries)

    def undo(self) -> Entry[S]:
        """Take back the last entry of people, with the automatic ones after it, and return it."""
        if not self.can_undo:
            raise ZarebaError("nothing to undo")
        self._dice_taken_back = ()
        while True:
            if self._ledger is not None:
                self._ledger.write({"undo": 1})
            self._unfinished = None
            taken_back = self.entries.pop()
            if not taken_back.data.get("automatic"):
                return taken_back

    # --- writing and reading ------------------------------------------------------------------------------------------

    def _settle(self, state: S) -> None:
        """Move on while there is nothing to do in the present phase."""
        while not self.companion.is_over(state) and not self.companion.openings(state):
            self.companion.advance(state)

    def _write(
        self, data: Mapping[str, Any], after: S, title: str, done: Finished[S] | None, given: Sequence[Answered]
    ) -> Entry[S]:
        headline = self.companion.headline(self.state)
        self._settle(after)
        events = done.events if done is not None else ()
        sentences = list(self.companion.sentences(events))
        strengths = self.companion.strength_lines(self.state, after, sentences) if done is not None else ()
        sentences += strengths
        if not sentences and given and isinstance(given[-1].question, Roll):
            sentences = [f"{title}: {result_text(given[-1]) or given[-1].question.read.describe(given[-1].answer)}"]
        entry = Entry(
            data,
            after,
            headline,
            title,
            tuple(sentences),
            events,
            done.tallies if done is not None else (),
            tuple(given),
            len(strengths),
        )
        if self._ledger is not None:
            self._ledger.write(dict(data))
        self.entries.append(entry)
        self._unfinished = None
        self._dice_taken_back = ()
        return entry

    def repeat(self, data: Mapping[str, Any]) -> None:
        """Do an entry again from its data. Raises ZarebaError if it does not fit."""
        if "unfinished" in data:
            self._unfinished = data["unfinished"]
            return
        self._unfinished = None
        if "undo" in data:
            self.entries.pop()
        elif "next" in data:
            self.next(leave_out=True)
        elif "goal" in data:
            self.achieve(data["goal"], data["side"])
        elif "correct" in data:
            self.correct(data["correct"], data["what"], data["value"])
        else:
            answers = {name: answer_from_data(value) for name, value in data["answers"].items()}
            form = self.form(data["act"], Scene(self.game, data["actor"], data["target"], answers))
            form.repeat_finished(data["given"])
            self.finish(form, is_automatic=bool(data.get("automatic")))

    def save_unfinished(self, form: Form[S] | None, *, rolls: bool = False) -> None:
        """Save the act in progress with its answers and dice, or that there is none, so that it goes on if the program
        is stopped. `rolls`: the companion rolls its further dice.
        """
        if self._ledger is None:
            return
        found = {**form.record(), "ahead": form.faces_ahead(), "rolls": rolls} if form is not None else None
        if found != self._unfinished:
            self._ledger.write({"unfinished": found})
            self._unfinished = found

    def unfinished(self) -> tuple[Form[S] | None, bool]:
        """Return the act that was in progress when the evening was saved, and True if the companion rolls its further
        dice. The act is None if there was none, or if changed rules no longer allow it; `dropped` then says so.
        """
        if (data := self._unfinished) is None:
            return None, False
        try:
            answers = {name: answer_from_data(value) for name, value in data["answers"].items()}
            scene = Scene(self.game, data["actor"], data["target"], answers)
            form = self.form(data["act"], scene, out_of_turn=True)
            form.repeat(data["given"], data["ahead"])
            return form, bool(data["rolls"])
        except (ZarebaError, KeyError, TypeError, IndexError):
            self.dropped = self._dropped_text(data)
            return None, False

    def _dropped_text(self, data: Mapping[str, Any]) -> str:
        """Return a sentence that says which act in progress was dropped, with its dice for another try."""
        act = self.companion.act_named.get(str(data.get("act")))
        unit = str(data.get("actor") or "")
        name = f"{self.game.narrator.name_of(unit)}: " if unit in self._known_units() else ""
        title = f"{name}{act.title if act is not None else data.get('act')}"
        faces = [" ".join(map(str, given.get("faces", ()))) for given in data.get("given", ())]
        thrown = f"; its dice were {', '.join(filter(None, faces))}" if any(faces) else ""
        return f"dropped, unfinished: {title}, because the rules have changed{thrown}; begin it again"

    def _known_units(self) -> set[str]:
        return {unit for side in self.game.seats for unit in self.companion.units(self.state, side)}

    def record_in(self, ledger: Ledger) -> None:
        """Save further entries in a file."""
        self._ledger = ledger

    def close(self) -> None:
        """Close the file."""
        if self._ledger is not None:
            self._ledger.close()


# --- Starting and resuming --------------------------------------------------------------------------------------------


def _companion(rules: Rules, scenario: Scenario, solo: Sequence[str] = ()) -> Companion[Any]:
    """Return the companion of the rules for a scenario; their charts run the sides in `solo`. Raises ZarebaError if the
    ruleset has no companion, or no rules for a side without a player.
    """
    make = rules.ruleset.companion
    if solo and not rules.ruleset.solo:
        raise ZarebaError(
            f"{rules.book.title} has no rules that run a side without a player: {rules.ruleset.instead_of_solo}; name no"
            " such side, and decide for both"
        )
    if len(solo) == len(scenario.sides):
        raise ZarebaError("at least one side needs a player")
    if make is None:
        raise ZarebaError(f"{rules.book.title} has no companion for a real table yet")
    if rules.conditional_values:
        names = join_with_and(dict.fromkeys(f"'{value.by}'" for value in rules.conditional_values))
        raise ZarebaError(
            f"the house rule {names} has numbers that change during a battle; leave it out at a real table"
        )
    for hook in _NOT_CALLED:
        if ran := rules.game_hooks.get(hook):
            raise ZarebaError(
                f"the house rule '{ran[0].house_rule}' needs the steps of play ({hook}); leave it out at a real table"
            )
    companion: Companion[Any] = make(rules.game(scenario, frozenset(solo)))
    return companion


def side_named(scenario: Scenario, words: str) -> str:
    """Return the side with an id or a name, in upper or lower case. Raises ZarebaError if there is none."""
    named = {key.casefold(): key for key in scenario.sides}
    named |= {side.name.casefold(): key for key, side in scenario.sides.items()}
    if words.casefold() not in named:
        raise unknown_name("side", words, [side.name for side in scenario.sides.values()])
    return named[words.casefold()]


def crew_of(name: str) -> Mapping[str, int]:
    """Return how many figures serve a gun of an arm under a ruleset, if it differs from usual. Raises ZarebaError."""
    make: Any = ruleset(name).companion
    crew: Mapping[str, int] = {} if make is None else make.crew
    return crew


def new_evening(
    ruleset: str,
    scenario: Scenario,
    *,
    seed: int,
    settings: Mapping[str, Any] | None = None,
    house_rules: Sequence[HouseRule] = (),
    solo: Sequence[str] = (),
    real_dice: bool = False,
    path: Path | None = None,
) -> Evening[Any]:
    """Start an evening; with `path`, save it in a new file there. The charts of the rules run the sides in `solo`."""
    rules = load_rules(ruleset, settings, house_rules)
    companion = _companion(rules, scenario, solo)
    if path is None:
        return Evening(companion, seed, real_dice=real_dice)
    header = {
        "companion": FORMAT,
        **rules_record(ruleset, rules, scenario, house_rules),
        "seed": seed,
        "physical": real_dice,
        **({"solo": list(solo)} if solo else {}),
    }
    try:
        ledger = Ledger(path, "evening", new=True)
    except FileExistsError:
        raise ZarebaError(
            f"{path} already exists; continue it with 'zareba companion --continue {path.stem}'"
        ) from None
    try:
        ledger.write(header)
        return Evening(companion, seed, ledger, real_dice=real_dice)
    except BaseException:  # nothing has been done: remove the file, so that the next try can create it
        ledger.close()
        path.unlink()
        raise


def house_rules_of_evening(path: Path) -> list[RulePlayed]:
    """Return the house rules of a saved evening, and run none. Raises ZarebaError if the file is not an evening."""
    return _played(_saved_lines(path))


def _saved_lines(path: Path) -> Lines:
    lines = read_ledger(path, "evening", most=MOST_BYTES)
    if not lines.entries or lines.entries[0].get("companion") != FORMAT:
        raise ZarebaError(f"{path} is not an evening of 'zareba companion', or its first line is damaged")
    return lines


def _played(lines: Lines) -> list[RulePlayed]:
    return [RulePlayed.model_validate(rule) for rule in lines.entries[0]["house_rules"]]


def _missing_rule(path: Path, played: Sequence[RulePlayed], named: Sequence[Path]) -> ZarebaError:
    """Return the error for the first Python house rule of an evening that is not here, with the remedy."""
    for rule in filter(lambda one: one.python, played):
        try:
            house_rules_played([rule], [file for file in named if name_in_file(file) == rule.name])
        except NotInstalled:
            source = f"install {rule.brought}, which provided it" if rule.brought else "find its file"
            return ZarebaError(
                f"{path} uses the Python house rule '{rule.name}', which is not here; {source}, then open the evening with"
                f" 'zareba companion --continue {path} --house-rule FILE'"
                + (" or again on the page" if rule.brought else "; after that, the page opens it too")
                + ". Nothing in the file has changed."
            )
    raise AssertionError("a rule is missing")


def open_evening(path: Path, house_rules: Sequence[Path] = ()) -> Evening[Any]:
    """Open a saved evening and go on with it. `house_rules` are the Python files of its house rules.

    A damaged end of the file is dropped. Raises ZarebaError if the file is not an evening, or an entry does not fit.
    """
    lines = _saved_lines(path)
    header, played = lines.entries[0], _played(lines)
    try:
        python = house_rules_played(played, house_rules)
    except NotInstalled as error:
        raise _missing_rule(path, played, house_rules) from error
    try:
        rules, scenario, _ = recorded_rules(path, header, played, python)
    except ZarebaError as error:
        raise ZarebaError(
            f"{path}: {error}. It was saved by zareba {header['zareba']}; nothing in the file has changed."
        ) from error
    companion = _companion(rules, scenario, header.get("solo", ()))
    evening: Evening[Any] = Evening(companion, header["seed"], real_dice=bool(header["physical"]))
    for number, entry in enumerate(lines.entries[1:], start=2):
        try:
            evening.repeat(entry)
        except (ZarebaError, KeyError, TypeError, IndexError) as error:
            raise ZarebaError(f"{path}: line {number} does not fit the evening before it: {error}") from error
    ledger = Ledger(path, "evening", new=False)
    if lines.damage:
        ledger.cut(lines.good)
    evening.record_in(ledger)
    return evening


def saved_evenings() -> list[Path]:
    """Return the files of this user's evenings, the last one first."""
    return sorted(games_folder().glob(f"*{SUFFIX}"), key=lambda path: path.stat().st_mtime, reverse=True)


def evening_path(scenario: Scenario, ruleset: str) -> Path:
    """Return a new file for an evening in the user's folder of games."""
    folder = games_folder()
    names = (folder / f"{scenario.id}-{ruleset}-{number}{SUFFIX}" for number in count(1))
    return next(path for path in names if not path.exists())
