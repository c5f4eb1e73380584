"""Truncated, damaged, interrupted and replayed journals: a different game is never loaded silently."""

from __future__ import annotations

import json
import os
import py_compile
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from importlib.util import cache_from_source
from pathlib import Path
from textwrap import dedent
from types import SimpleNamespace
from typing import Any
from zlib import crc32

import pytest

from zareba.base.errors import ZarebaError
from zareba.base.state import canonical_json, digest
from zareba.journal import Journal, JournalFile, NotWritten, read_journal
from zareba.registry import NotInstalled, find_house_rule
from zareba.scenario import load_scenario
from zareba.session import Replayed, Session, new_session, open_session, replay

PATROL = load_scenario("patrol_clash")
PATCH = "house_rule: club\nruleset: vcc\nchanges:\n  - {at: weapons.rifle.long, was: 3, to: 5}\n"


def hash_of(session: Session) -> str:
    return digest(session.state.to_data())


def played(path: Path, answers: int = 25, **more: Any) -> list[str]:
    """Play against doctrine with some undo and redo; return the hash of the state after every entry of the journal."""
    session = new_session("vcc", PATROL, {"tribesmen": "doctrine"}, seed=8, path=path, **more)
    hashes = [hash_of(session)]
    session.drive(lambda answered: hashes.append(hash_of(session)))
    for number in range(answers):
        question: Any = session.pending
        session.answer(question.options[number % len(question.options)])
        hashes.append(hash_of(session))
        session.drive(lambda answered: hashes.append(hash_of(session)))
        if number % 9 == 4:
            for act in (session.undo, session.redo, session.undo):
                act()
                hashes.append(hash_of(session))
            session.drive(lambda answered: hashes.append(hash_of(session)))
    session.close()
    return hashes


@pytest.fixture(scope="module")
def game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, bytes, list[str]]:
    """Return a journal, its bytes, and the hash of the state after each of its entries."""
    path = tmp_path_factory.mktemp("journal") / "game.zareba"
    hashes = played(path)
    assert path.read_bytes().count(b"\n") == len(hashes)
    return path, path.read_bytes(), hashes


# --- reading ----------------------------------------------------------------------------------------------------------


def test_the_header_contains_everything_a_session_depends_on(game: tuple[Path, bytes, list[str]]) -> None:
    header = read_journal(game[0]).header
    assert (header["journal"], header["ruleset"], header["seed"]) == (2, "vcc", 8)
    assert header["seats"] == {"patrol": "human", "tribesmen": "doctrine"}
    assert header["rules"]["weapons"]["rifle"]["long"] == 3
    assert header["settings"]["mg_overheat"] == "on"
    assert header["scenario"]["id"] == "patrol_clash"
    assert header["scenario_digest"] == PATROL.digest


def test_a_whole_journal_is_read_without_notice_and_replays_to_the_same_state(
    game: tuple[Path, bytes, list[str]],
) -> None:
    path, data, hashes = game
    file = read_journal(path)
    assert (file.damage, file.good, len(file.entries)) == ("", len(data), len(hashes) - 1)
    replayed = replay(path)
    assert (hash_of(replayed.session), replayed.notice) == (hashes[-1], "")


def test_replay_stops_after_the_given_number_of_steps(game: tuple[Path, bytes, list[str]]) -> None:
    path, _, _ = game
    whole = replay(path).steps
    assert [replay(path, to=steps).steps for steps in (0, 1, 5, whole, whole + 9)] == [0, 1, 5, whole, whole]


def cheap(path: Path) -> tuple[JournalFile | None, str]:
    """Return the parsed journal, or the reason why it is refused."""
    try:
        return read_journal(path), ""
    except ZarebaError as error:
        return None, str(error)


@pytest.mark.parametrize(("stride", "last"), [(331, 1), pytest.param(1, 6, marks=pytest.mark.deep)])
def test_a_truncated_journal_gives_its_whole_entries_or_a_refusal(
    game: tuple[Path, bytes, list[str]], tmp_path: Path, stride: int, last: int
) -> None:
    """The journal is cut at every `stride`th byte, and at every byte of the `last` entries."""
    path, data, hashes = game
    whole = read_journal(path)
    ends = [index + 1 for index, byte in enumerate(data) if byte == 10]
    cut = tmp_path / "cut.zareba"
    replayed: set[int] = set()
    every_byte = range(ends[-1 - last], len(data) + 1)
    for length in [*range(0, ends[0], 997), *range(ends[0] - 1, ends[-1 - last], stride), *ends, *every_byte]:
        cut.write_bytes(data[:length])
        file, refused = cheap(cut)
        entries = sum(end - 1 <= length for end in ends) - 1  # the last newline may be missing
        if entries < 0:
            assert (
                refused
                == f"{cut} is not a zareba journal, or its first line is damaged; nothing can be recovered from it"
            )
            continue
        assert file is not None and file.entries == whole.entries[:entries]
        at_border = length in (ends[entries] - 1, ends[entries])
        assert file.good == (length if at_border else ends[entries])
        told = f"line {entries + 2} is damaged or cut off; the {entries} entries before it are intact"
        assert file.damage == ("" if at_border else told)
        if not at_border and entries not in replayed and entries % (8 if stride == 1 else 9) == 0:  # replaying is slow
            replayed.add(entries)
            resumed = open_session(cut)
            assert hash_of(resumed.session) == hashes[entries]
            kept = next(iter(tmp_path.glob("*.damaged")))
            assert resumed.notice == f"{cut}: {told} (the damaged file is kept as {kept})"
            resumed.session.close()
            assert cut.read_bytes() == data[: ends[entries]]
            assert kept.read_bytes() == data[:length]
            kept.unlink()
    assert len(replayed) > 5


@pytest.mark.parametrize("flips", [100, pytest.param(400, marks=pytest.mark.deep)])
def test_a_flipped_byte_gives_the_entries_before_it_or_a_refusal(
    game: tuple[Path, bytes, list[str]], tmp_path: Path, flips: int
) -> None:
    path, data, _ = game
    whole = read_journal(path)
    ends = [index + 1 for index, byte in enumerate(data) if byte == 10]
    luck = random.Random(1879)
    positions = [
        *luck.sample(range(ends[0], len(data)), flips),
        *luck.sample(range(ends[0]), flips // 10),
        *(end - 1 for end in ends[:: 400 // flips]),
    ]
    damaged = tmp_path / "damaged.zareba"
    for position in positions:
        flipped = bytearray(data)
        flipped[position] ^= luck.randrange(1, 256)
        damaged.write_bytes(flipped)
        file, refused = cheap(damaged)
        before = sum(end <= position for end in ends) - 1
        if before < 0:
            assert "its first line is damaged" in refused
        else:
            assert file is not None and file.entries == whole.entries[:before]
            assert file.damage.startswith(f"line {before + 2} is damaged")


def as_windows_saves_it(data: bytes) -> bytes:
    return b"\xef\xbb\xbf" + data.replace(b"\n", b"\r\n")


SAVED_AGAIN = {
    "CR LF line ends": lambda data: data.replace(b"\n", b"\r\n"),
    "a byte order mark": lambda data: b"\xef\xbb\xbf" + data,
    "both": as_windows_saves_it,
    "no last line end": lambda data: data[:-1],
    "empty last lines": lambda data: data + b"\r\n\n",
    "empty lines between": lambda data: data.replace(b"\n", b"\n\n"),
    "some lines of each kind": lambda data: data.replace(b"\n", b"\r\n", 3),
}


@pytest.mark.parametrize("change", SAVED_AGAIN.values(), ids=SAVED_AGAIN)
def test_a_journal_that_an_editor_saved_again_is_the_same_game(
    game: tuple[Path, bytes, list[str]], tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    path, data, hashes = game
    saved = tmp_path / "saved.zareba"
    saved.write_bytes(change(data))
    file = read_journal(saved)
    assert (file.damage, file.good, file.entries) == ("", len(change(data)), read_journal(path).entries)
    replayed = replay(saved)
    assert (hash_of(replayed.session), replayed.notice) == (hashes[-1], "")


@pytest.mark.parametrize("change", SAVED_AGAIN.values(), ids=SAVED_AGAIN)
def test_a_journal_that_an_editor_saved_again_can_be_continued(
    tmp_path: Path, change: Callable[[bytes], bytes]
) -> None:
    path = tmp_path / "game.zareba"
    played(path, answers=3)
    before = change(path.read_bytes())
    path.write_bytes(before)
    resumed = open_session(path)
    session = resumed.session
    assert resumed.notice == ""
    question: Any = session.pending
    session.answer(question.options[0])
    session.drive()
    state = hash_of(session)
    session.close()
    assert path.read_bytes().startswith(before)
    again = replay(path)
    assert (hash_of(again.session), again.notice) == (state, "")


def test_a_damaged_journal_with_other_line_ends_is_cut_after_its_last_whole_entry(
    game: tuple[Path, bytes, list[str]], tmp_path: Path
) -> None:
    _, data, hashes = game
    saved = tmp_path / "saved.zareba"
    whole = as_windows_saves_it(data)
    saved.write_bytes(whole + b"0000 half a line")
    resumed = open_session(saved)
    assert hash_of(resumed.session) == hashes[-1]
    assert "is damaged or cut off" in resumed.notice
    resumed.session.close()
    assert saved.read_bytes() == whole


@pytest.mark.parametrize("encoding", ["utf-16-le", "utf-16-be"])
def test_a_journal_saved_as_utf_16_is_refused_with_the_remedy(
    game: tuple[Path, bytes, list[str]], tmp_path: Path, encoding: str
) -> None:
    saved = tmp_path / "saved.zareba"
    saved.write_bytes(("\ufeff" + game[1].decode()).encode(encoding))
    with pytest.raises(ZarebaError, match=r"saved.zareba was saved as UTF-16; save it as UTF-8"):
        read_journal(saved)


@pytest.mark.parametrize("data", [b"", b"\n", b"hello\n", b"\x00" * 99, b"{}\n", b"00000000 {}\n", b"\xfc\xfe 1\n"])
def test_files_that_are_not_journals_are_rejected(tmp_path: Path, data: bytes) -> None:
    path = tmp_path / "other.zareba"
    path.write_bytes(data)
    with pytest.raises(ZarebaError, match="is not a zareba journal"):
        replay(path)


@pytest.mark.parametrize(
    "body",
    ["[]", "3", '{"a":NaN}', '{"a":1e999}', '{"a":"\\ud800"}', '{"a":' * 64 + "[]" + "}" * 64, '{"a":' + "[" * 99999],
    ids=range(7),
)
def test_an_entry_that_could_not_have_been_written_is_damaged(tmp_path: Path, body: str) -> None:
    path = tmp_path / "game.zareba"
    entry = f"{crc32(body.encode()):08x} {body}\n".encode()
    path.write_bytes(entry)
    with pytest.raises(ZarebaError, match="is not a zareba journal, or its first line is damaged"):
        read_journal(path)
    played(path.with_name("whole.zareba"), answers=1)
    path.write_bytes(path.with_name("whole.zareba").read_bytes() + entry)
    assert "is damaged or cut off" in read_journal(path).damage


def test_a_missing_journal_and_one_of_another_format_are_refused(tmp_path: Path) -> None:
    with pytest.raises(ZarebaError, match="cannot be read: No such file"):
        replay(tmp_path / "nowhere.zareba")
    with Journal(tmp_path / "new.zareba") as journal:
        journal.write({"journal": 99})
    with pytest.raises(ZarebaError, match="has journal format 99, but this version of zareba reads formats up to 2"):
        replay(tmp_path / "new.zareba")


# --- entries changed by a forger who knows the format -----------------------------------------------------------------


def forged(path: Path, number: int, **changes: Any) -> Path:
    """Return a copy of the journal with changes in one entry (0 is the header) and a corrected checksum."""
    lines = path.read_bytes().splitlines(keepends=True)
    entry = json.loads(lines[number].split(b" ", 1)[1]) | changes
    text = canonical_json(entry).encode()
    lines[number] = f"{crc32(text):08x} ".encode() + text + b"\n"
    other = path.with_name("forged.zareba")
    other.write_bytes(b"".join(lines))
    return other


def entry_with(path: Path, key: str) -> int:
    return next(n for n, entry in enumerate(read_journal(path).entries, start=1) if entry.get(key))


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"answer": "fly"}, "'fly' is not an answer to"),
        ({"answer": {"fly": 1}}, ".*is not an answer to"),
        ({"undo": 9999}, "9999 answers cannot be undone or redone; there are"),
        ({"redo": "all"}, "'all' answers cannot be undone or redone; there are 0"),
        ({"faces": 3}, "this is not a valid journal entry"),
        ({"faces": [None]}, "this is not a valid journal entry"),
        ({"by": None}, "this is not a valid journal entry"),
        ({"q": "0" * 16}, "the rules ask '.*' .VCC-.* where the journal answers a different question"),
        ({"steps": [["1/x", "0" * 32]]}, "after '.*' .VCC-.* the state is not the one in the journal"),
    ],
)
def test_a_forged_answer_is_rejected_by_the_rules(
    game: tuple[Path, bytes, list[str]], changes: dict[str, Any], message: str
) -> None:
    number = entry_with(game[0], "steps")
    other = forged(game[0], number, **changes)
    with pytest.raises(ZarebaError, match=rf"forged.zareba:{number + 1}: {message}"):
        replay(other)


def test_an_entry_without_its_parts_is_refused(game: tuple[Path, bytes, list[str]], tmp_path: Path) -> None:
    header = json.loads(game[1].split(b"\n")[0].split(b" ", 1)[1])
    path = tmp_path / "bare.zareba"
    with Journal(path) as journal:
        journal.write(header)
        journal.write({"answer": "fly"})
    with pytest.raises(ZarebaError, match=r"bare.zareba:2: this is not a valid journal entry"):
        replay(path)
    del header["seats"], header["seed"]
    with Journal(tmp_path / "headless.zareba") as journal:
        journal.write(header)
    with pytest.raises(ZarebaError, match=r"the first line was not written by .*; seed: Field required"):
        replay(tmp_path / "headless.zareba")


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"ruleset": "vvc"}, "there is no ruleset 'vvc'; did you mean 'vcc'"),
        ({"ruleset": 3}, "the first line was not written by 'zareba play'; ruleset: Input should be a valid string"),
        ({"seats": 3}, "seats: Input should be a valid dictionary"),
        ({"seats": {"patrol": 3}}, "seats.patrol: Input should be a valid string"),
        ({"seats": {"petrol": "human"}}, "there is no side of patrol_clash called 'petrol'; did you mean 'patrol'"),
        ({"house_rules": 3}, "house_rules: Input should be a valid list"),
        ({"house_rules": [{}]}, "house_rules.0.name: Field required"),
        ({"house_rules": [{"name": "x", "file": 3, "digest": "", "python": True}]}, "house_rules.0.file: Input should"),
        ({"settings": {"mg_overheat": "maybe"}}, "setting mg_overheat cannot be 'maybe'"),
        ({"settings": {"mg_overheet": "off"}}, "did you mean 'mg_overheat'"),
        ({"scenario": {}}, "its scenario does not fit this version of zareba; id: Field required"),
        ({"rules": {"ruleset": "vcc"}}, "the journal's rules of vcc do not fit this version of zareba"),
    ],
)
def test_a_header_that_this_version_cannot_play_is_refused(
    game: tuple[Path, bytes, list[str]], changes: dict[str, Any], message: str
) -> None:
    with pytest.raises(ZarebaError, match=message):
        replay(forged(game[0], 0, **changes))


def test_rules_without_an_entry_that_the_game_needs_are_refused(game: tuple[Path, bytes, list[str]]) -> None:
    rules = read_journal(game[0]).header["rules"]
    profiles = {name: entry for name, entry in rules["profiles"].items() if name != "regular_infantry"}
    for call in (replay, open_session):
        with pytest.raises(ZarebaError, match=r"its rules or its scenario do not fit"):
            call(forged(game[0], 0, rules=rules | {"profiles": profiles}))


# --- old games keep their rules ---------------------------------------------------------------------------------------


def test_a_game_continues_under_the_rules_of_its_journal(tmp_path: Path) -> None:
    patch, path = tmp_path / "club.yaml", tmp_path / "game.zareba"
    patch.write_text(PATCH, encoding="utf-8")
    hashes = played(path, house_rules=[find_house_rule(str(patch))], settings={"mg_overheat": "off"})
    patch.write_text(PATCH.replace("to: 5", "to: 4"), encoding="utf-8")
    for gone in (False, True):
        if gone:
            patch.unlink()
        replayed = replay(path)
        rules = replayed.session.game.rules
        assert rules.data["weapons"]["rifle"]["long"] == 5
        assert (rules.settings["mg_overheat"], rules.house_rules) == ("off", ("club",))
        assert hash_of(replayed.session) == hashes[-1]


SOURCE = "import zareba\n@zareba.hookimpl\ndef zareba_event(table, event): pass\n"


def test_a_python_house_rule_must_be_the_one_that_was_played(tmp_path: Path) -> None:
    rule, path = tmp_path / "club.py", tmp_path / "game.zareba"
    rule.write_text(SOURCE, encoding="utf-8")
    hashes = played(path, answers=3, house_rules=[find_house_rule(str(rule))])
    assert hash_of(replay(path, house_rules=[rule]).session) == hashes[-1]
    trace = tmp_path / "it_ran"
    rule.write_text(SOURCE + f"open({str(trace)!r}, 'w')\n", encoding="utf-8")
    with pytest.raises(
        ZarebaError, match=r"the house rule 'club' .* has changed since this game was played; restore the old file"
    ):
        replay(path, house_rules=[rule])
    other = rule.rename(tmp_path / "other.py")
    with pytest.raises(ZarebaError, match=r"this game was not played with .*other.py; name only"):
        replay(path, house_rules=[other])
    assert not trace.exists(), "a file that does not match the journal is not run"
    with pytest.raises(ZarebaError, match=r"cannot be read: No such file"):
        replay(path, house_rules=[rule])


def test_a_file_named_only_by_the_journal_is_never_run(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[str] = []
    monkeypatch.setitem(sys.modules, "beside", SimpleNamespace(seen=seen))  # an imported module is not run again
    rule, path = tmp_path / "club.py", tmp_path / "game.zareba"
    rule.write_text(SOURCE + "import beside\nbeside.seen.append('it ran')\n", encoding="utf-8")
    played(path, answers=3, house_rules=[find_house_rule(str(rule))])
    assert seen
    seen.clear()
    assert str(rule) not in path.read_text(), "the paths of a player's files stay private"
    monkeypatch.chdir(tmp_path)
    for file in ("club.py", str(rule), "./club.py", f"../{tmp_path.name}/club.py"):
        header = read_journal(path).header["house_rules"][0] | {"file": file}
        for call in (replay, open_session):
            with pytest.raises(NotInstalled, match=r"with the house rule 'club' in Python, and a journal cannot run"):
                call(forged(path, 0, house_rules=[header]))
    assert not seen


def test_python_house_rule_runs_the_text_that_was_checked(tmp_path: Path) -> None:
    rule, path, trace = tmp_path / "club.py", tmp_path / "game.zareba", tmp_path / "it_ran"
    rule.write_text(SOURCE, encoding="utf-8")
    hashes = played(path, answers=3, house_rules=[find_house_rule(str(rule))])
    evil = tmp_path / "evil.py"
    evil.write_text(SOURCE + f"open({str(trace)!r}, 'w')\n", encoding="utf-8")
    py_compile.compile(
        str(evil),
        cfile=cache_from_source(str(rule)),
        invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH,
    )
    assert hash_of(replay(path, house_rules=[rule]).session) == hashes[-1]
    assert not trace.exists(), "a compiled file next to it is ignored"


def test_a_game_with_a_house_rule_of_a_package_continues_from_any_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    here, there = tmp_path / "here", tmp_path / "there"
    here.mkdir()
    there.mkdir()
    monkeypatch.chdir(here)
    hashes = played(Path("game.zareba"), answers=3, house_rules=[find_house_rule("steady_bugler")])
    monkeypatch.chdir(there)
    resumed = open_session(Path("../here/game.zareba")).session
    assert hash_of(resumed) == hashes[-1]
    resumed.close()
    other = read_journal(Path("../here/game.zareba")).header["house_rules"][0] | {"digest": "0" * 32}
    with pytest.raises(NotInstalled, match=r"the installed file .*steady_bugler.py has another text"):
        replay(forged(here / "game.zareba", 0, house_rules=[other]))


# --- two processes ----------------------------------------------------------------------------------------------------


def test_a_journal_is_written_by_one_process_and_read_by_any(tmp_path: Path) -> None:
    path = tmp_path / "game.zareba"
    session = new_session("vcc", PATROL, {"tribesmen": "doctrine"}, seed=8, path=path)
    session.drive()
    before = path.read_bytes()
    with pytest.raises(ZarebaError, match=r"game.zareba is being written by another process; end that one first"):
        open_session(path)
    assert path.read_bytes() == before
    assert hash_of(replay(path).session) == hash_of(session)
    question: Any = session.pending
    session.answer(question.options[0])
    state = hash_of(session)
    session.close()
    resumed = open_session(path).session
    assert hash_of(resumed) == state
    resumed.close()


def test_a_process_that_was_killed_leaves_no_lock(tmp_path: Path) -> None:
    path = tmp_path / "game.zareba"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD + "\ninput()", str(path), "3"],
        stdout=subprocess.PIPE,
        stdin=subprocess.PIPE,
        text=True,
    )
    assert child.stdout is not None and child.stdin is not None
    with child:
        child.stdout.readline()
        with pytest.raises(ZarebaError, match="is being written by another process"):
            open_session(path)
        child.send_signal(signal.SIGKILL)
    open_session(path).session.close()


@pytest.mark.parametrize("kind", ["appended", "cut", "removed"])
def test_changes_by_processes_without_the_lock_are_detected(tmp_path: Path, kind: str) -> None:
    path = tmp_path / "game.zareba"
    with Journal(path) as journal:
        journal.write({"one": 1})
        if kind == "removed":
            path.unlink()
        else:
            path.write_bytes(path.read_bytes() + b"more\n" if kind == "appended" else b"")
        theirs = path.read_bytes() if path.exists() else None
        with pytest.raises(NotWritten, match="by another program; nothing more is written to it"):
            journal.write({"two": 2})
    assert (path.read_bytes() if path.exists() else None) == theirs


def test_copying_a_damaged_journal_overwrites_nothing(tmp_path: Path) -> None:
    path, precious = tmp_path / "game.zareba", tmp_path / "precious"
    played(path, answers=2)
    precious.write_text("mine")
    (tmp_path / "game.zareba.damaged").symlink_to(precious)
    (tmp_path / "game.zareba.damaged-2").symlink_to(tmp_path / "nowhere")
    (tmp_path / "game.zareba.damaged-3").mkdir()
    whole = path.read_bytes()
    path.write_bytes(whole[:-9])
    resumed = open_session(path)
    resumed.session.close()
    assert resumed.notice.endswith("game.zareba.damaged-4)")
    assert (tmp_path / "game.zareba.damaged-4").read_bytes() == whole[:-9]
    assert precious.read_text() == "mine" and not (tmp_path / "nowhere").exists()


def test_damaged_journal_stays_unchanged_if_it_cannot_be_copied(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "game.zareba"
    played(path, answers=2)
    path.write_bytes(path.read_bytes()[:-9])
    before = path.read_bytes()

    def fail(*args: Any) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patched:
        patched.setattr(os, "fsync", fail)
        with pytest.raises(ZarebaError, match=r"cannot be copied to game.zareba.damaged beside it: No space left"):
            open_session(path)
    assert path.read_bytes() == before and list(tmp_path.iterdir()) == [path]


# --- a process that dies ----------------------------------------------------------------------------------------------


CHILD = dedent(
    """
    import sys
    from pathlib import Path
    from zareba.scenario import load_scenario
    from zareba.session import new_session
    from zareba.base.state import digest

    def told(answered=None):
        count = sum(len(answers) for _, answers, _ in session.log())
        print(count, digest(session.state.to_data()), flush=True)

    scenario = load_scenario("patrol_clash")
    seats = dict.fromkeys(scenario.sides, "random")
    session = new_session("vcc", scenario, seats, seed=int(sys.argv[2]), path=Path(sys.argv[1]))
    session.drive(told)
    """
)


@pytest.mark.parametrize(
    "acknowledgements", [1, 30, *(pytest.param(later, marks=pytest.mark.deep) for later in (2, 117))]
)
def test_no_acknowledged_answer_is_lost_when_the_process_is_killed(tmp_path: Path, acknowledgements: int) -> None:
    path = tmp_path / "game.zareba"
    child = subprocess.Popen(
        [sys.executable, "-c", CHILD, str(path), str(acknowledgements)], stdout=subprocess.PIPE, text=True
    )
    assert child.stdout is not None
    told = [child.stdout.readline() for _ in range(acknowledgements)]
    child.send_signal(signal.SIGKILL)
    told += child.stdout.readlines()
    child.wait()
    child.stdout.close()
    count, state = told[-1].split() if told[-1].endswith("\n") else told[-2].split()
    found = answers_and_states(replay(path))
    assert found[int(count)] == state
    assert len(found) - 1 <= int(count) + 1  # at most one act was written but not yet reported


def answers_and_states(replayed: Replayed) -> dict[int, str]:
    """Replay the journal and return the hash of the state after each number of answers."""
    session = replayed.session
    hashes = {}
    for count in range(len(session.history.answers), -1, -1):
        hashes[count] = hash_of(session)
        if count:
            session.history.undo(1)
    return hashes


@pytest.mark.deep
def test_no_acknowledged_answer_is_lost_in_a_hundred_kills_at_any_time(tmp_path: Path) -> None:
    luck = random.Random(1885)
    for number in range(100):
        path = tmp_path / f"{number}.zareba"
        child = subprocess.Popen(
            [sys.executable, "-c", CHILD, str(path), str(number)], stdout=subprocess.PIPE, text=True
        )
        assert child.stdout is not None
        child.stdout.readline()
        time.sleep(luck.random() * 0.15)
        child.send_signal(signal.SIGKILL)
        told = [line for line in child.stdout.readlines() if line.endswith("\n")]
        child.wait()
        child.stdout.close()
        if told:
            count, state = told[-1].split()
            assert answers_and_states(replay(path))[int(count)] == state


# --- journals of other versions ---------------------------------------------------------------------------------------


def rewritten(path: Path, **header: Any) -> None:
    """Change the header, as if another version of zareba had written the journal."""
    lines = path.read_text(encoding="utf-8").splitlines(keepends=True)
    old = json.loads(lines[0].partition(" ")[2])
    text = canonical_json({**old, **header})
    lines[0] = f"{crc32(text.encode()):08x} {text}\n"
    path.write_text("".join(lines), encoding="utf-8")


def test_journal_of_another_version_is_replayed_with_a_note(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    hashes = played(path)
    rewritten(path, zareba="0.0.7")
    replayed = replay(path)
    assert hash_of(replayed.session) == hashes[-1] and replayed.notice == ""
    assert "written by zareba 0.0.7, replayed exactly by zareba" in replayed.note


def test_unplayable_journal_names_the_version_that_can_play_it(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    played(path)
    header = read_journal(path).header
    weapons = {name: row for name, row in header["rules"]["weapons"].items() if name != "rifle"}
    for change in ({"rules": {**header["rules"], "weapons": weapons}}, {"scenario": {"id": "older"}}):
        rewritten(path, **header)
        rewritten(path, **change)
        with pytest.raises(ZarebaError) as same:
            replay(path)
        assert "wrote the journal" not in str(same.value)
        rewritten(path, zareba="0.0.7")
        before = path.read_bytes()
        for opened in (replay, open_session):
            with pytest.raises(
                ZarebaError, match=r"this is zareba .*; zareba 0\.0\.7 wrote the journal and can replay it"
            ):
                opened(path)
        assert path.read_bytes() == before, "a refused file stays unchanged"


def test_an_older_format_is_upgraded_when_the_game_continues(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    hashes = played(path)
    rewritten(path, journal=1)
    old = path.read_bytes()
    assert hash_of(replay(path).session) == hashes[-1] and path.read_bytes() == old, "reading changes nothing"
    opened = open_session(path)
    assert "converted from format 1 to 2" in opened.note
    opened.session.close()
    assert (tmp_path / "game.jsonl.format1").read_bytes() == old
    assert read_journal(path).header["journal"] == 2
    again = open_session(path)
    assert again.note == "" and hash_of(again.session) == hashes[-1]
    again.session.close()
