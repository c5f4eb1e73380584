"""Every mistake gives one clear sentence on stderr, nothing on stdout, no traceback, the right exit code; nothing
changes.
"""

from __future__ import annotations

import importlib.metadata
import os
from collections.abc import Iterable, Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from typing import Any

import pytest

from zareba.base.errors import ZarebaError
from zareba.cli import app, errors
from zareba.journal import games_folder
from zareba.plugins import entry_points
from zareba.session import replay

PLAY = ("play", "patrol_clash", "--ruleset=vcc")
COMPARE = ("compare", "patrol_clash", "--rulesets=vcc")
POOL = ("odds", "vcc", "fire_pool")
MISTAKES: list[tuple[tuple[str, ...], str]] = [
    (("odss",), "there is no command 'odss'; did you mean 'odds'?"),
    (("rules", "vcx"), "there is no ruleset 'vcx'; did you mean 'vcc'?"),
    (("rules", "vcc", "VCC-0833"), "there is no rule of vcc called 'VCC-0833'; did you mean 'VCC-083'?"),
    (("rules", "vcc", "nope"), "no rule of vcc mentions 'nope'; 'zareba rules vcc' lists all rules"),
    (("settings", "xyzzy"), "there is no ruleset 'xyzzy'; known: "),
    (
        ("explain", "vcc", "weapons.rifel.long"),
        "there is no path 'weapons.rifel' in vcc; did you mean 'weapons.rifle'?",
    ),
    (("explain", "vcc", "mg_overheat"), "did you mean 'settings.mg_overheat'?"),
    (("explain", "vcc", "title.first"), "title of vcc is a value; it has no keys"),
    (("explain", "vcc", "title", "--set", "mg_overheet=off"), "did you mean 'mg_overheat'?"),
    (("explain", "vcc", "title", "--set", "mg_overheat"), "'mg_overheat' is not a valid setting; write NAME=VALUE"),
    (
        ("explain", "vcc", "title", "--set", "square_fire=third"),
        "setting square_fire cannot be 'third'; it takes full, half",
    ),
    (("odds", "vcc"), "name a procedure; 'zareba odds vcc --list' lists them"),
    (("odds", "vcc", "fire_pol"), "there is no procedure of vcc called 'fire_pol'; did you mean 'fire_pool'?"),
    (POOL, "fire_pool also needs bases=... (a whole number)"),
    ((*POOL, "bases=4", "bnad=close"), "there is no fact of fire_pool called 'bnad'; did you mean 'band'?"),
    ((*POOL, "bases=4", "band=near"), "the fact band cannot be 'near'; it takes close, medium, long"),
    ((*POOL, "bases=4.0"), "the fact bases cannot be '4.0'; it takes a whole number"),
    ((*POOL, "bases=4", "leader=1"), "the fact leader cannot be '1'; it takes true, false"),
    ((*POOL, "bases=4", "fire_die=1"), "the fact fire_die cannot be 1; it must be 2 to 100"),
    ((*POOL, "bases=4", "bases=5"), "the fact 'bases' is given twice; keep one"),
    ((*POOL, "bases"), "'bases' is not a valid fact; write NAME=VALUE"),
    (("odds", "vcc", "rocket", "column=0", "row=47"), "column 0, row 47 lies off a table of 12 x 8 boxes"),
    (("odds", "risk_factor", "side_beaten", "risks="), "the fact risks: Tuple should have at least 1 item"),
    ((*POOL, "bases=1001"), "the fact bases cannot be 1001; it must be 0 to 24"),
    ((*POOL, "--facts", "shoot.yaml"), "there is no facts file shoot.yaml; did you mean 'shot.yaml'?"),
    ((*POOL, "--facts", "shot.yaml"), "the fact bases cannot be 'true'; it takes a whole number"),
    ((*POOL, "--facts", "torn.json"), "torn.json is not JSON: "),
    ((*POOL, "--facts", "twice.json"), "twice.json: the key 'bases' is given twice; keep one"),
    ((*POOL, "--facts", "long.json"), "long.json is longer than 1,048,576 bytes (1 MiB); keep only the facts"),
    ((*POOL, "bases=4", "--plot", "odds.pdf"), "a plot must be an .svg or .png file, not 'odds.pdf'"),
    ((*POOL, "bases=4", "--plot", "nowhere/odds.svg"), "there is no folder nowhere for the plot; create it or choose"),
    ((*POOL, "bases=4", "--house-rule", "long_rifle.yaml"), "did you mean 'long_rifles.yaml'?"),
    ((*POOL, "bases=4", "--house-rule", "no_such_rule"), "there is no house rule 'no_such_rule'"),
    ((*POOL, "bases=4", "--house-rule=long_rifles.yaml", "--house-rule=long_rifles.yaml"), "is given twice"),
    (("play", "patrol_clsh", "--ruleset=vcc"), "there is no scenario 'patrol_clsh'; did you mean 'patrol_clash'?"),
    (("play", "./elsewhere.yaml", "--ruleset=vcc"), "there is no scenario file elsewhere.yaml; check the path"),
    (("play", "patrol_clash", "--ruleset=vc"), "there is no ruleset 'vc'; did you mean 'vcc'?"),
    ((*PLAY, "--seat", "patroll=human"), "did you mean 'patrol'?"),
    ((*PLAY, "--seat", "patrol=randam"), "there is no player 'randam'; did you mean 'random'?"),
    ((*PLAY, "--seat", "patrol"), "'patrol' is not a valid seat; write SIDE=PLAYER"),
    ((*PLAY, "--seat", "patrol=solo"), "vcc has no rules that run a side without a player"),
    ((*PLAY, "--journal", "no/such/folder/a.jsonl"), "cannot be written: No such file or directory"),
    ((*PLAY, "--journal", "shot.yaml"), "shot.yaml already exists; continue it with 'zareba continue shot.yaml'"),
    (("continue", "shot.yml"), "there is no journal file shot.yml; did you mean 'shot.yaml'?"),
    (("continue", "shot.yaml"), "shot.yaml is not a zareba journal"),
    (("replay", "."), ". is a folder; name a journal file in it"),
    (("log", "shot.yaml"), "shot.yaml is not a zareba journal"),
    (("compare", "patrol_clash", "--rulesets=vcc,vccc"), "there is no ruleset 'vccc'; did you mean 'vcc'?"),
    (("companion", "vccc"), "there is no ruleset 'vccc'; did you mean 'vcc'?"),
    (("compare", "patrol_clash", "--rulesets=,"), "--rulesets names no ruleset"),
    ((*COMPARE, "--out=shot.yaml"), "cannot write to shot.yaml: File exists; choose another --out"),
    (
        (*COMPARE, f"--variant={'n' * 81}=mg_overheat:off"),
        "the name of a variant is one line of up to 80 characters, not 81",
    ),
    ((*COMPARE, "--agents=docrine"), "there is no player 'docrine'; did you mean 'doctrine'?"),
    ((*COMPARE, "--agents=random,random,random"), "patrol_clash has 2 sides, but --agents names 3 players"),
    ((*COMPARE, "--variant=a=mg_overheet:off"), "did you mean 'mg_overheat'?"),
    ((*COMPARE, "--variant=a="), "the variant 'a' changes nothing"),
    ((*COMPARE, "--variant=a=figures_per_base:4,2"), "figures_per_base takes 2 values"),
    ((*COMPARE, "--variant=vcc=mg_overheat:off"), "two variants are named 'vcc'"),
    (("compare", "--set-pieces", "--rulesets=vcc,vcc"), "two variants are named 'vcc'"),
    (("check", "shoot.yaml"), "there is no YAML file shoot.yaml; did you mean 'shot.yaml'?"),
    (("new", "scenario", "My Battle"), "'My Battle' is not a valid name"),
    (("new", "scenario", "shot"), "shot.yaml already exists"),
    (("new", "scenario", "fine", "--folder", "nowhere"), "there is no folder nowhere; create it first"),
    (("new", "scenario", "fine", "--python"), "--python is for house rules"),
    (("new", "ruleset", "vcc", "--from", "vcc"), "a ruleset called 'vcc' is installed already"),
    (("new", "ruleset", "mine", "--from", "vcx"), "there is no ruleset 'vcx'; did you mean 'vcc'?"),
    (("compare", "patrol_clash", "--rulesets=vcc", "--where=turns<<6"), "'turns<<6' is not a condition"),
    (("compare", "patrol_clash", "--rulesets=vcc", "--where=lost_patrl_fire>0"), "did you mean 'lost_patrol_fire'"),
    (("play", "patrol_clash"), "name a ruleset: --ruleset R"),
    ((*PLAY, "--seed", "abc"), "--seed must be a whole number, not 'abc'"),
    ((*PLAY, "--seed=-1"), "--seed must be 0 or more, not '-1'"),
    ((*PLAY, "--seed"), "--seed needs a value"),
    ((*PLAY, "--think", "soon"), "--think must be a number, not 'soon'"),
    ((*PLAY, "--dice", "loaded"), "--dice must be seeded or physical, not 'loaded'"),
    ((*PLAY, "--sed", "3"), "zareba play has no option --sed; did you mean --seed?"),
    ((*PLAY, "--frobnicate"), "zareba play has no option --frobnicate; 'zareba play --help' lists them"),
    ((*PLAY, "friday"), "zareba play does not take 'friday'; 'zareba play --help' lists what it takes"),
    ((*COMPARE, "--games", "0"), "--games must be 1 or more, not '0'"),
    ((*COMPARE, "--stop=now"), "--stop takes no value"),
    (("serve", "--port", "99999999"), "--port must be 65535 or less, not '99999999'"),
    (("rules",), "zareba rules needs RULESET; 'zareba rules --help' lists what it takes"),
    (("--jsn",), "zareba has no option --jsn; 'zareba --help' lists them"),
    (("new", "army", "x"), "KIND must be ruleset, house-rule, scenario or evening, not 'army'"),
]


@pytest.fixture(autouse=True)
def _files(tmp_path: Path, house_rule: Path) -> None:
    (tmp_path / "shot.yaml").write_text("bases: true\n", encoding="utf-8")
    (tmp_path / "torn.json").write_text('{"bases": 4', encoding="utf-8")
    (tmp_path / "twice.json").write_text('{"bases": 4, "bases": 5}', encoding="utf-8")
    (tmp_path / "long.json").write_text('{"bases": 4}' + " " * 2**20, encoding="utf-8")


@pytest.mark.parametrize(
    ("args", "sentence"), MISTAKES, ids=lambda value: None if isinstance(value, str) else " ".join(value)
)
def test_a_mistake_is_reported_in_one_sentence(run: Any, args: tuple[str, ...], sentence: str) -> None:
    result = run(*args)
    assert sentence in result.stderr
    assert result.stdout == ""
    assert result.exit_code == 2
    assert len(result.stderr.strip().splitlines()) == 1
    assert "Traceback" not in result.stderr


@pytest.mark.parametrize("place", [0, 2])
def test_debug_shows_the_traceback_in_any_position_of_the_command(run: Any, place: int) -> None:
    args = ["rules", "vcx"]
    args.insert(place, "--debug")
    result = run(*args)
    assert result.exit_code == 2
    assert "Traceback" in result.stderr
    assert result.stderr.rstrip().endswith("there is no ruleset 'vcx'; did you mean 'vcc'?")


def test_standard_input_is_read_as_strictly_as_a_file(run: Any) -> None:
    twice = run(*POOL, "--facts", "-", typed='{"bases": 4, "bases": 5}')
    assert (twice.exit_code, twice.stderr) == (2, "<stdin>: the key 'bases' is given twice; keep one\n")
    long = run(*POOL, "--facts", "-", typed='{"bases": 4}' + " " * 2**20)
    assert long.exit_code == 2 and "<stdin> is longer than 1,048,576 bytes" in long.stderr


@pytest.mark.parametrize("command", [("check",), ("log",), ("replay",)])
@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("/dev/null", "/dev/null is a device or a pipe; name a"),
        ("pipe", "pipe is a device or a pipe; name a"),
        ("astray", "astray is a broken link to a"),
        ("folder", "folder is a folder; name a"),
        ("./nowhere", "file nowhere; check the path"),
    ],
)
def test_paths_that_are_not_files_are_reported(
    run: Any, tmp_path: Path, command: tuple[str, ...], name: str, sentence: str
) -> None:
    os.mkfifo(tmp_path / "pipe")
    (tmp_path / "astray").symlink_to("nothing")
    (tmp_path / "folder").mkdir()
    result = run(*command, name)
    assert result.exit_code == 2 and sentence in result.stderr and "did you mean" not in result.stderr


def test_an_unreadable_file_is_named(run: Any, tmp_path: Path) -> None:
    (tmp_path / "latin.json").write_bytes(b'{"x": "\xe9"}')
    result = run(*POOL, "--facts", "latin.json")
    assert result.exit_code == 2
    assert "latin.json is not UTF-8 text" in result.stderr


def test_unexpected_error_shows_no_bare_traceback(capsys: pytest.CaptureFixture[str]) -> None:
    assert errors.report_bug(KeyError("boots"), debug=False) == 1
    told = capsys.readouterr().err
    assert "zareba itself failed with KeyError: 'boots'" in told
    assert "--debug" in told


def test_messages_cannot_move_the_cursor(capsys: pytest.CaptureFixture[str]) -> None:
    assert errors.report(ZarebaError("a\x1b[2Jb\u202ec\x9bd"), debug=False) == 2
    assert capsys.readouterr().err == "a?[2Jb?c?d\n"


def test_no_arguments_show_the_help() -> None:
    from typer.testing import CliRunner

    result = CliRunner().invoke(app, [])
    assert "Usage: zareba" in result.output


def test_a_broken_package_causes_one_line_of_warning(run: Any, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    (tmp_path / "wet_powder.py").write_text("raise ValueError('no powder')", encoding="utf-8")
    monkeypatch.syspath_prepend(str(tmp_path))
    broken = EntryPoint("club", "wet_powder", entry_points.PLUGINS)
    sound = {
        group: [*importlib.metadata.entry_points(group=group)]
        for group in (entry_points.RULESETS, entry_points.PLUGINS)
    }
    sound[entry_points.PLUGINS].append(broken)
    monkeypatch.setattr(entry_points, "entry_points", lambda group: sound[group])
    entry_points.warn.cache_clear()
    seats = ("--seat=patrol=random", "--seat=tribesmen=random")
    game = run(
        "play", "patrol_clash", "--ruleset=vcc", "--house-rule=gatling_never_jams", "--journal=mine.jsonl", *seats
    )
    assert game.exit_code == 0
    assert game.stderr.count("the house rules of 'club' are left out: ValueError: no powder") == 1
    assert run("log", "mine.jsonl").exit_code == 0
    listed = run("plugins")
    assert listed.exit_code == 0 and "zareba:" not in listed.stdout and "'club'" in listed.stderr


GAME = ("play", "patrol_clash", "--ruleset=vcc", "--seed=4", "--seat=tribesmen=random", "--journal=mine.jsonl")
UMPIRE = {
    "set": "name a unit",
    "set nobody figures 3": "there is no piece 'nobody'",
    "set fusilers figures 3": "did you mean 'Fusiliers'?",
    "set fusiliers figures": "give a value for figures",
    "set fusiliers figures lots": "whole number",
    "set fusiliers figures 99": "whole number from 0 to",
    "set fusiliers figures -1": "whole number from 0 to",
    "set fusiliers figurs 3": "did you mean 'figures'?",
    "move": "name a unit",
    "move fusiliers": "say where to put Fusiliers",
    "move fusiliers to Z9": "there is no Z9 on the table",
    "move fusiliers to the moon": "there is no place",
    "mark fusiliers": "name a mark; known",
    "mark fusiliers sleepy": "there is no mark",
    "unmark fusiliers prone": "has no such mark",
    "remove fusiliers please": "'please' is not expected",
    "again 7 7": "no dice have been thrown yet",
    "result prone": "no dice have been thrown yet",
    "goal village_hel patrol": "did you mean 'village_held'?",
    "goal village_held britain": "there is no side 'britain'",
    "turn": "type 'turn is N'",
    "turn is soon": "type 'turn is N'",
    "turn is 13": "whole number from 1 to 12",
    "give": "name a side and a card",
    "take patrol ace": "have no way to deal cards by hand",
}
DELEGATE = {
    "do": "say what to do",
    "do everything": "there is no piece 'everything'",
    "do phaze": "there is no piece 'phaze'",
    "do -1 turns": "'-1' is not a number of turns",
    "do 0 turns": "the number of turns must be at least 1",
    "do some turns": "'some' is not a number of turns",
    "do 2 3 turns": "there is no piece",
    "do turn by": "name the player",
    "do turn by me": "there is no AI player 'me'",
    "do turn by doctrin": "did you mean 'doctrine'?",
    "do turn by human": "there is no AI player 'human'",
    "do phase by solo": "there is no AI player 'solo'",
    "do sikhs": "has nothing to decide just now",
    "do jezails": "has nothing to decide just now",
    "do unit now": "there is no piece",
    "all": "type 'all hold'",
    "all fire": "type 'all hold'",
    "seat britain doctrine": "there is no side 'britain'",
    "seat patrol robot": "there is no AI player 'robot'",
    "seat patrol solo": "a solo side stays solo for the whole game",
    "seat tribesman doctrine": "did you mean 'tribesmen'?",
}
ORDERS = {
    "order nobody hold": "there is no piece 'nobody'",
    "order fusilers hold": "did you mean 'Fusiliers'?",
    "order fusiliers": "there is no order ''",
    "order fusiliers wait": "there is no order 'wait'",
    "order fusiliers hlod": "did you mean 'hold'?",
    "order fusiliers fier": "did you mean 'fire'?",
    "order fusiliers run E3": "there is no order 'run E3'",
    "order fusiliers go": "say where Fusiliers should go",
    "order fusiliers go to": "say where Fusiliers should go",
    "order fusiliers go on": "say where Fusiliers should go",
    "order fusiliers go Z99": "there is no Z99 on the table",
    "order fusiliers go A0": "there is no A0 on the table",
    "order fusiliers go nowhere": "there is no place 'nowhere'",
    "order fusiliers go 8 up": "there is no place",
    "order fusiliers go up the hill": "it is not on the table",
    "order fusiliers go 2 N": "it is not on the table",
    "order the hold": "'the' may mean several",
    "cancel": "name a unit: cancel UNIT",
    "cancel fusiliers": "has no standing order",
    "cancel nobody": "there is no piece 'nobody'",
    "orders please cancel": "no unit has a standing order",
    "cancel fusilers": "did you mean 'Fusiliers'?",
}
OTHERS = {
    "set fusiliers morale 3": "editable field of Fusiliers",
    "mark fusiliers pron": "did you mean 'prone'?",
    "again": "no dice have been thrown yet",
    "goal village patrol": "there is no objective",
    "measure fusiliers": "name two units",
    "rule zzz": "no rule of vcc contains 'zzz'",
    "hand": "you hold no cards at the moment",
    "map nobody": "there is no piece 'nobody'",
    "2-99": "no option is called",
    "9-2 hold": "is not a list of options",
    "keep": "name a file",
}


HEAD = "evening: x\nruleset: vcc\nscenario: patrol_clash\n"
EVENING = {
    "": "write 'key: value' lines",
    "evening: x\nruleset: vcc\n": "scenario: this field is missing",
    "evening: x\nscenario: patrol_clash\n": "ruleset: this field is missing",
    "evening: x\nruleset: vccc\nscenario: patrol_clash\n": "did you mean 'vcc'?",
    "evening: x\nruleset: vcc\nscenario: patrol_clsh\n": "did you mean 'patrol_clash'?",
    "evening: x\nruleset: vcc\nscenario: mine.yaml\n": "there is no file mine.yaml",
    "evening: ''\nruleset: vcc\nscenario: patrol_clash\n": "evening: the text is empty",
    "evening: x\nruleset: [vcc]\nscenario: patrol_clash\n": "ruleset",
    f"{HEAD}dice: real\n": "dice",
    f"{HEAD}seed: -1\n": "seed",
    f"{HEAD}seed: lucky\n": "seed",
    f"{HEAD}think: 0\n": "think",
    f"{HEAD}think: 601\n": "think",
    f"{HEAD}players: {{}}\n": "players",
    f"{HEAD}seat: {{}}\n": "did you mean 'seats'?",
    f"{HEAD}seats: {{tribes: random}}\n": "did you mean 'tribesmen'?",
    f"{HEAD}seats: {{tribesmen: doctrin}}\n": "did you mean 'doctrine'?",
    f"{HEAD}seats: [human]\n": "seats",
    f"{HEAD}settings: {{hits_per_bse: 4}}\n": "hits_per_base",
    f"{HEAD}settings: {{hits_per_base: many}}\n": "hits_per_base",
    f"{HEAD}house_rules: [nobody]\n": "nobody",
    f"{HEAD}house_rules: [./mine.py]\n": "there is no file",
    f"{HEAD}\tnote: x\n": "wrong.yaml:4",
    f"{HEAD}evening: y\n": "is already in line 1",
}
SHEET = {
    "sheet": "RULESET",
    "sheet vc": "did you mean 'vcc'?",
    "sheet vcc paychest": "does not take 'paychest'",
    "sheet --rules vcc": "has no option --rules",
    "sheet vcc --set": "needs a value",
    "sheet vcc --set hits_per_base": "write NAME=VALUE",
    "sheet vcc --set hits_per_base=": "hits_per_base",
    "sheet vcc --set hits_per_bse=4": "did you mean 'hits_per_base'?",
    "sheet vcc --set hits_per_base=0": "hits_per_base",
    "sheet vcc --set hits_per_base=many": "hits_per_base",
    "sheet vcc --set hits_per_base=4 --set hits_per_base=5": "given twice",
    "sheet vcc --house-rule": "needs a value",
    "sheet vcc --house-rule nobody": "nobody",
    "sheet vcc --house-rule ambsh": "did you mean 'ambush'?",
    "sheet vcc --house-rule ./none.yaml": "there is no house rule file",
    "sheet vcc --house-rule ambush --house-rule ambush": "given twice",
    "sheet vcc --out": "needs a value",
    "sheet vcc --out none/sheet.html": "none",
    "sheet vcc --out .": "irectory",
    "sheet vcc --page": "has no option --page",
    "shet vcc": "did you mean 'sheet'?",
}
SAVED = {
    "continue munday": "did you mean 'monday'?",
    "continue nothing": "there is no game 'nothing'",
    "continue monday tuesday": "does not take 'tuesday'",
    "continue ./monday.jsonl": "there is no journal file",
    "continue monday --seat tribesman=random": "did you mean 'tribesmen'?",
    "continue monday --seat tribesmen": "write SIDE=PLAYER",
    "continue monday --seat tribesmen=robot": "there is no player 'robot'",
    "continue monday --seat patrol=solo": "no rules that run a side without a player",
    "continue monday --think 0": "think",
    "continue monday --think soon": "think",
    "continue monday --house-rule none.py": "there is no house rule file",
    "continue .": "is a folder",
    "continue evening.yaml": "not a zareba journal",
    "games monday": "does not take 'monday'",
    "play patrol_clash --ruleset vcc --name monday": "already exists",
    "play patrol_clash --ruleset vcc --name ../x": "is not a valid name for a game",
    "play patrol_clash --ruleset vcc --name .x": "is not a valid name for a game",
    "play patrol_clash": "name a ruleset",
    "play patrol_clash --ruleset vcc --journal evening.yaml": "already exists",
    "log munday": "did you mean 'monday'?",
    "replay evening.yaml --check": "not a zareba journal",
}


@pytest.mark.parametrize("mistakes", [UMPIRE, DELEGATE, ORDERS, OTHERS], ids=["umpire", "delegate", "orders", "others"])
def test_mistakes_at_the_prompt_are_reported_and_nothing_is_changed(run: Any, mistakes: dict[str, str]) -> None:
    result = run(*GAME, typed="\n".join([*mistakes, "quit", ""]))
    replies = " ".join(result.stdout.split()).split("help] >")[1:-1]
    told = zip(mistakes.items(), replies, strict=True)
    assert [(typed, reply) for (typed, sentence), reply in told if sentence not in reply] == []
    assert result.exit_code == 0 and "Traceback" not in result.stderr
    session = replay(Path("mine.jsonl")).session
    assert session.history.answers == [] and session.orders.given == {}
    assert session.seats == {"patrol": "human", "tribesmen": "random"}


def unreported(run: Any, lines: Iterable[tuple[str, str]]) -> Iterator[tuple[str, str]]:
    """Run command lines; yield those whose error does not contain its sentence, or that succeed or show a traceback."""
    for line, sentence in lines:
        result = run(*line.split(), typed="quit\n")
        if sentence not in " ".join(result.stderr.split()) or not result.exit_code or "Traceback" in result.stderr:
            yield line, result.stderr[:200]


@pytest.mark.parametrize(("text", "sentence"), EVENING.items())
def test_a_mistake_in_the_file_of_an_evening_is_reported(run: Any, text: str, sentence: str) -> None:
    Path("wrong.yaml").write_text(text, encoding="utf-8")
    assert list(unreported(run, [("play wrong.yaml", sentence)])) == []
    assert not list(games_folder().glob("*")), "no game is begun"


def test_mistakes_with_a_sheet_are_reported(run: Any) -> None:
    assert list(unreported(run, SHEET.items())) == []
    assert not list(Path().glob("*.html"))


def test_mistakes_with_saved_games_are_reported_and_change_nothing(run: Any) -> None:
    run("play", "patrol_clash", "--ruleset=vcc", "--seat=tribesmen=random", "--name=monday", typed="1\n1\nquit\n")
    Path("evening.yaml").write_text(HEAD, encoding="utf-8")
    (journal,) = games_folder().glob("*.jsonl")
    before = journal.read_bytes()
    assert list(unreported(run, SAVED.items())) == []
    assert journal.read_bytes() == before
    assert Path("evening.yaml").read_text(encoding="utf-8") == HEAD
