"""Start a session, replay it from its journal, and resume it."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from pydantic import ValidationError

from zareba.agents import agent_names
from zareba.base.errors import ZarebaError, first_misfit, unknown_name
from zareba.base.grammar import in_a_sentence
from zareba.base.state import canonical_json, digest
from zareba.game import Game
from zareba.journal import (
    FORMAT,
    Checkpoint,
    Journal,
    JournalFile,
    RulePlayed,
    boundary_of,
    checkpoint_of,
    copy_aside,
    read_journal,
)
from zareba.plugins.entry_points import provider_of
from zareba.registry import (
    HouseRule,
    NotInstalled,
    house_rule_of,
    house_rules_played,
    load_rules,
    rules_from_record,
    ruleset_names,
    zareba_version,
)
from zareba.rules import Rules
from zareba.rules.settings import flat_settings
from zareba.scenario import Scenario
from zareba.session.history import Answered, Finished, History
from zareba.session.session import HUMAN, SOLO, Session
from zareba.session.settlement import settlement_from_data
from zareba.session.standing_orders import order_from_data
from zareba.session.umpire import Correction, correction_from_data
from zareba.table import answer_from_data, fingerprint, refusal


def check_seats(scenario: Scenario, rules: Rules, seats: Mapping[str, str], *, played: bool = False) -> dict[str, str]:
    """Return the player of each side, in the order of the scenario. Raises ZarebaError with the nearest known name.

    With `played`, players need not be installed: their answers are in the journal.
    """
    kinds = [HUMAN, SOLO, *agent_names()]
    for side, kind in seats.items():
        if side not in scenario.sides:
            raise _unknown_side(scenario, side)
        if kind not in kinds and not played:
            raise unknown_name("player", kind, kinds)
        if kind == SOLO and not rules.ruleset.solo:
            raise ZarebaError(
                f"{rules.ruleset.id} has no rules that run a side without a player: {rules.ruleset.instead_of_solo};"
                " choose random or doctrine"
            )
    return {side: seats.get(side, HUMAN) for side in scenario.sides}


def _unknown_side(scenario: Scenario, typed: str) -> ZarebaError:
    """Return the error for a word that is no id of a side. It may be the name that players read."""
    for side, entry in scenario.sides.items():
        if entry.name.casefold().removeprefix("the ") == typed.casefold().removeprefix("the "):
            name = in_a_sentence(entry.name)
            return ZarebaError(f"there is no side of {scenario.id} called '{typed}'; type '{side}' for {name}")
    return unknown_name(f"side of {scenario.id} called", typed, scenario.sides)


def _new_game(rules: Rules, scenario: Scenario, seats: Mapping[str, str]) -> Game[Any]:
    game: Game[Any] = rules.game(scenario, frozenset(side for side, kind in seats.items() if kind == SOLO))
    return game


def new_session(
    ruleset: str,
    scenario: Scenario,
    seats: Mapping[str, str],
    *,
    seed: int,
    settings: Mapping[str, Any] | None = None,
    house_rules: Sequence[HouseRule] = (),
    physical: bool = False,
    path: Path | None = None,
) -> Session:
    """Start a session; with `path`, record it in a new journal there."""
    rules = load_rules(ruleset, settings, house_rules)
    players = check_seats(scenario, rules, seats)
    if hiding := _hiding_settings(rules, scenario, players, settings or {}):
        rules = load_rules(ruleset, {**(settings or {}), **hiding}, house_rules)
    game = _new_game(rules, scenario, players)
    if path is None:
        return Session(game, players, seed, physical=physical)
    header = {
        "journal": FORMAT,
        **rules_record(ruleset, rules, scenario, house_rules),
        "seed": seed,
        "physical": physical,
        "seats": players,
    }
    journal = Journal(path)
    try:
        journal.write(header)
        return Session(game, players, seed, physical=physical, journal=journal)
    except BaseException:  # nothing has been played: remove the file, so that the next try can create it
        journal.close()
        path.unlink()
        raise


def rules_record(ruleset: str, rules: Rules, scenario: Scenario, house_rules: Sequence[HouseRule]) -> dict[str, Any]:
    """Return the part of a header that makes a game independent of later changes: rules, house rules and scenario."""
    return {
        "zareba": zareba_version(),
        "ruleset": ruleset,
        "version": rules.book.version,
        "rules": rules.data,
        "settings": rules.settings,
        "digest": rules.digest,
        "house_rules": [_house_rule_entry(rule) for rule in house_rules],
        "scenario": scenario.model_dump(mode="json", exclude_defaults=True),
        "scenario_digest": scenario.digest,
    }


def repeated_session(
    journal: Path, seats: Mapping[str, str], *, seed: int, path: Path, house_rules: Sequence[Path] = ()
) -> Session:
    """Start the battle of a journal again under the same rules, with other players, and record it in a new journal.

    `house_rules` lists the Python files that the journal may run.
    """
    file = read_journal(journal).since_change()
    header = file.header
    scenario = Scenario.model_validate_json(canonical_json(header["scenario"]), strict=True)
    python = house_rules_played(file.house_rules, house_rules)
    loaded = {rule.name: rule for rule in [*_yaml_rules_in(file.house_rules), *python]}
    return new_session(
        str(header["ruleset"]),
        scenario,
        seats,
        seed=seed,
        settings=header["settings"],
        house_rules=[loaded[rule.name] for rule in file.house_rules],
        physical=bool(header["physical"]),
        path=path,
    )


def _hiding_settings(
    rules: Rules, scenario: Scenario, seats: Mapping[str, str], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the settings that hide the scenario's hidden units from people, if the user has not set them.

    Hidden units matter only if a person plays and an enemy seat is not run by the rules.
    """
    hiding = [side for side in scenario.sides if any(unit.hidden for unit in scenario.units_of(side).values())]
    has_opponent = any(seats[enemy] != SOLO for side in hiding for enemy in scenario.enemies_of(side))
    if HUMAN not in seats.values() or not has_opponent:
        return {}
    return {
        name: setting.hides
        for name, setting in flat_settings(rules.book.settings)
        if setting.hides is not None and name not in settings and rules.settings.get(name) == setting.default
    }


def _house_rule_entry(rule: HouseRule) -> dict[str, Any]:
    """Return a house rule for a journal, with its text and origin."""
    return {
        "name": rule.name,
        "file": rule.file.name,
        "digest": digest(rule.text),
        "python": rule.module is not None,
        "text": rule.text,
        "brought": provider_of(rule.file),
    }


@dataclass(frozen=True)
class Replayed:
    """A replayed journal.

    `notice` describes damage of the file, "" if there is none. `note` tells people something else: another version of
    zareba wrote the journal, or its format was updated. `house_rules` are those that were loaded. `checkpoint` is the
    one from which replay started, or None; `earlier_history` replays the part before it.
    """

    session: Session
    file: JournalFile
    house_rules: tuple[HouseRule, ...]
    steps: int
    notice: str
    note: str = ""
    checkpoint: Checkpoint | None = None


def replay(
    path: Path,
    *,
    to: int | None = None,
    check: bool = True,
    house_rules: Sequence[Path] = (),
    as_recorded: bool = False,
) -> Replayed:
    """Replay a journal under its own rules, up to `to` steps; with `check`, compare every question and state.

    `house_rules` lists the Python files that the journal may run. With `as_recorded` the Python rules of the journal
    run without being listed. If the rules changed during the game, only the part after the last change is replayed.
    Raises ZarebaError with the entry and the rule if the replay differs from the journal.
    """
    return _replay(read_journal(path), to, check, house_rules, as_recorded)


def earlier_history(replayed: Replayed, on_entry: Callable[[], object] = lambda: None) -> History:
    """Replay a journal up to the checkpoint from which it was opened; `on_entry` is called before every entry.

    Raises ZarebaError if the replay differs from the journal.
    """
    assert replayed.checkpoint is not None, "it was opened from a checkpoint"
    file = replace(replayed.file, entries=replayed.file.entries[: replayed.checkpoint.entries])
    return _replay_entries(file, None, True, replayed.house_rules, 2, None, on_entry).session.history


def _replay(
    whole: JournalFile,
    to: int | None,
    check: bool,
    allowed: Sequence[Path],
    as_recorded: bool,
    shortcut: bool = False,
    on_entry: Callable[[], object] = lambda: None,
) -> Replayed:
    """Replay the part of a journal since the last change of its rules; `allowed` are the Python files it may run."""
    file = whole.since_change()
    if (name := str(file.header["ruleset"])) not in ruleset_names():
        raise NotInstalled(str(unknown_name("ruleset", name, ruleset_names())))
    python = house_rules_played(file.house_rules, allowed, as_recorded=as_recorded)
    written_by, this_version = str(file.header.get("zareba", "of another version")), zareba_version()
    is_same_version = written_by == this_version
    hint = (
        ""
        if is_same_version
        else f"; this is zareba {this_version}; zareba {written_by} wrote the journal and can replay it"
    )
    first_line = 2 + len(whole.entries) - len(file.entries)
    if shortcut and (checkpoint := checkpoint_of(whole, file.entries, this_version)) is not None:
        with suppress(Exception):  # replaying the whole journal then shows what is wrong
            replayed = _replay_entries(file, to, check, python, first_line, checkpoint, on_entry)
            return replace(replayed, checkpoint=checkpoint)
    try:
        replayed = _replay_entries(file, to, check, python, first_line, None, on_entry)
    except ZarebaError as error:
        raise ZarebaError(f"{error}{hint}") from error
    except Exception as error:
        raise ZarebaError(
            f"{file.path}: the game cannot be replayed ({type(error).__name__}: {error}); "
            f"its rules or its scenario do not fit this version of zareba{hint}"
        ) from error
    if check and not is_same_version:
        note = f"{file.path}: written by zareba {written_by}, replayed exactly by zareba {this_version}"
        return replace(replayed, note=note)
    return replayed


def _replay_entries(
    file: JournalFile,
    to: int | None,
    check: bool,
    python: Sequence[HouseRule],
    first_line: int,
    checkpoint: Checkpoint | None = None,
    on_entry: Callable[[], object] = lambda: None,
) -> Replayed:
    """Replay the entries of a journal in a new session, or those after a checkpoint.

    `python` are the Python house rules that it may run, and `first_line` is the line of the first entry in the file.
    """
    path, header = file.path, file.header
    rules, scenario, all_rules = recorded_rules(path, header, file.house_rules, python)
    seats = check_seats(scenario, rules, header["seats"], played=True)
    game = _new_game(rules, scenario, seats)
    start = None if checkpoint is None else game.from_data(checkpoint.state)
    session = Session(game, seats, header["seed"], physical=header["physical"], start=start)
    if "start" in header and checkpoint is None:
        session.play_under(session.game, start=session.game.from_data(header["start"]))
    history, steps = session.history, 0
    for number, entry in enumerate(file.entries, start=first_line):
        if to is not None and steps >= to:
            break
        on_entry()
        where = f"{path}:{number}"
        is_before_checkpoint = checkpoint is not None and number < first_line + checkpoint.entries
        if is_before_checkpoint and not entry.keys() & {"seats", "orders"}:
            continue
        if "undo" in entry:
            history.undo(_count(entry["undo"], history.answers, where))
        elif "redo" in entry:
            history.redo(_count(entry["redo"], history.undone, where))
        elif "seats" in entry:
            changed = session.seats | _mapping(entry["seats"], where)
            session.seats = check_seats(scenario, rules, changed, played=True)
        elif "orders" in entry:
            for unit, order in _mapping(entry["orders"], where).items():
                new_order = None if order is None else order_from_data(order)
                if is_before_checkpoint:
                    session.orders.restore(unit, new_order)
                else:
                    session.orders.give(session.state, unit, new_order)
        elif "settled" in entry:
            history.settlement = settlement_from_data(entry["settled"], seats)
        elif "umpire" in entry:
            steps += len(_replay_correction(session, entry, where, check))
        else:
            steps += len(_replay_answer(session, entry, where, check))
    notice = f"{file.path}: {file.damage}" if file.damage else ""
    return Replayed(session, file, tuple(all_rules), steps, notice)


def recorded_rules(
    path: Path, header: Mapping[str, Any], played: Sequence[RulePlayed], python: Sequence[HouseRule]
) -> tuple[Rules, Scenario, list[HouseRule]]:
    """Return the rules, the scenario and the house rules of a header made by `rules_record`.

    `python` are the house rules with code, which the header does not run. Raises ZarebaError if they do not fit this
    version.
    """
    listed = tuple(rule.name for rule in played)
    loaded = {rule.name: rule for rule in [*_yaml_rules_in(played), *python]}
    all_rules = [loaded[name] for name in listed if name in loaded]
    rules = rules_from_record(header["ruleset"], header["rules"], header["settings"], all_rules, listed)
    try:
        scenario = Scenario.model_validate_json(canonical_json(header["scenario"]), strict=True)
    except ValidationError as error:
        raise ZarebaError(f"{path}: its scenario does not fit this version of zareba; {first_misfit(error)}") from error
    return rules, scenario, all_rules


def _yaml_rules_in(played: Sequence[RulePlayed]) -> list[HouseRule]:
    """Return the house rules without Python from the text in the journal; their code never runs. Older journals contain
    none.
    """
    return [
        replace(house_rule_of(rule.text, rule.file), name=rule.name) for rule in played if rule.text and not rule.python
    ]


def _continue_under(session: Session, file: JournalFile, house_rules: Sequence[HouseRule]) -> None:
    """Continue a game under other house rules, and record the change in its journal.

    A setting keeps its value, unless it belongs to a removed house rule or was set by one. Values stored by removed
    rules are deleted. Raises ZarebaError with nothing changed.
    """
    old = session.game.rules
    ruleset, names = old.ruleset.id, [rule.name for rule in house_rules]
    removed = [rule for rule in _yaml_rules_in(file.house_rules) if rule.name not in names]
    patches = [patch for rule in removed for patch in rule.patches(rule.ruleset_id_in(old.ruleset.lineage))]
    set_by_removed = {name for patch in patches for name in patch.settings}
    known = load_rules(ruleset, house_rules=house_rules).settings
    settings = {name: value for name, value in old.settings.items() if name in known and name not in set_by_removed}
    rules = load_rules(ruleset, settings, house_rules)
    scenario = Scenario.model_validate_json(canonical_json(file.header["scenario"]), strict=True)
    game = _new_game(rules, scenario, session.seats)
    start = game.from_data(session.history.steps[-1].start.to_data())
    for key in list(start.own):
        if key.partition(".")[0] not in ["zareba", *names]:
            del start.own[key]
    entry = {**file.header, "rules": rules.data, "settings": rules.settings, "digest": rules.digest}
    entry["house_rules"] = [_house_rule_entry(rule) for rule in house_rules]
    entry |= {"seats": session.seats, "seed": session.seed, "physical": session.physical}
    entry.pop("start", None)
    session.play_under(game, entry, start)


def _mapping(value: Any, where: str) -> dict[str, Any]:
    """Return the value of a journal entry that must be a mapping. Raises ZarebaError if it is not."""
    if not isinstance(value, dict):
        raise ZarebaError(f"{where}: this is not a valid journal entry; 'zareba play' did not write it")
    return value


def _count(count: Any, answers: Sequence[Answered | Correction], where: str) -> int:
    """Return the number of answers to undo or redo. Raises ZarebaError if there are fewer."""
    if type(count) is not int or not 0 < count <= len(answers):
        raise ZarebaError(f"{where}: {count!r} answers cannot be undone or redone; there are {len(answers)}")
    return count


def _replay_answer(session: Session, entry: Mapping[str, Any], where: str, check: bool) -> Finished:
    question = session.pending
    if question is None:
        raise ZarebaError(f"{where}: the game is over under these rules, but the journal continues")
    faces: Any = entry.get("faces")
    has_faces = isinstance(faces, list) and all(type(face) is int for face in faces)
    has_answer = isinstance(entry.get("by"), str) and {"answer", "q"} <= entry.keys()
    if not has_faces or not has_answer:
        raise ZarebaError(f"{where}: this is not a valid journal entry; 'zareba play' did not write it")
    if check and fingerprint(question) != entry["q"]:
        raise ZarebaError(
            f"{where}: the rules ask '{question.why}' ({question.rule}) where the journal answers a different question"
        )
    value = answer_from_data(entry["answer"])
    if fault := refusal(question, value, faces):
        raise ZarebaError(f"{where}: {fault}")
    delegation = str(entry.get("told", ""))
    finished = session.history.add(Answered(question, value, tuple(faces), entry["by"], delegation=delegation))
    session.history.undone.clear()
    if check and not _has_same_steps(finished, entry):
        raise ZarebaError(f"{where}: after '{question.why}' ({question.rule}) the state is not the one in the journal")
    return finished


def _replay_correction(session: Session, entry: Mapping[str, Any], where: str, check: bool) -> Finished:
    try:
        act = correction_from_data(entry["umpire"])
        finished = session.history.correct(act, check=False)
    except ZarebaError as error:
        raise ZarebaError(f"{where}: {error}") from error
    session.history.undone.clear()
    if check and not _has_same_steps(finished, entry):
        raise ZarebaError(f"{where}: after the umpire's act '{act.act}' the state is not the one in the journal")
    return finished


def _has_same_steps(finished: Finished, entry: Mapping[str, Any]) -> bool:
    """Return True if an entry has finished the same steps, with the same states after them, as the journal says."""
    return bool([list(pair) for pair in finished] == entry.get("steps", []))


def open_session(
    path: Path,
    *,
    house_rules: Sequence[Path] = (),
    as_recorded: bool = False,
    without: Sequence[str] = (),
    changed: Sequence[HouseRule] = (),
    seats: Mapping[str, str] | None = None,
    shortcut: bool = False,
    on_entry: Callable[[], object] = lambda: None,
) -> Replayed:
    """Resume a session from its journal, which no other process may have open for writing; `house_rules` as in
    `replay`.

    A damaged end is cut off, and a copy of the damaged file is kept. A journal of an older format is rewritten in the
    current format, and a copy of the old file is kept. The game continues `without` the named house rules, and with
    those of `changed` in place of the rules with the same names. `seats` changes the players; players who continue
    must be installed. With `shortcut` the game opens from its checkpoint if that is valid. `on_entry` is called before
    every replayed entry.
    """
    read_journal(path)
    journal = Journal(path, new=False)
    try:
        file = read_journal(path)
        replayed = _replay(file, None, True, house_rules, as_recorded, shortcut, on_entry)
        session = replayed.session
        if session.pending is not None:
            check_seats(session.game.scenario, session.game.rules, {**session.seats, **(seats or {})})
        if file.damage:
            copy = copy_aside(path, "damaged")
            journal.cut(file.good)
            replayed = replace(replayed, notice=f"{replayed.notice} (the damaged file is kept as {copy})")
        if (was := file.header["journal"]) != FORMAT:
            copy = copy_aside(path, f"format{was}")
            journal.cut(0)
            for entry in ({**file.header, "journal": FORMAT}, *file.entries):
                journal.write(entry)
            note = f"{path}: converted from format {was} to {FORMAT} (the old file is kept as {copy})"
            replayed = replace(replayed, note="; ".join(filter(None, [replayed.note, note])))
    except BaseException:
        journal.close()
        raise
    session.record_in(journal)
    session.recorded = len(file.entries)
    session.boundary = boundary_of(file.entries, session.history.steps[-1].digest)
    try:
        for side, player in (seats or {}).items():
            session.seat(side, player)
        if without or changed:
            _change_rules(replayed, without, {rule.name: rule for rule in changed})
    except BaseException:
        session.close()
        raise
    return replayed


def _change_rules(replayed: Replayed, without: Sequence[str], changed: Mapping[str, HouseRule]) -> None:
    """Continue a game without some of its house rules, and with changed versions of others."""
    played = [rule.name for rule in replayed.house_rules]
    for name in (*without, *changed):
        if name not in played:
            raise unknown_name("house rule of this game called", name, played)
    rules = [changed.get(rule.name, rule) for rule in replayed.house_rules if rule.name not in without]
    _continue_under(replayed.session, replayed.file, rules)
