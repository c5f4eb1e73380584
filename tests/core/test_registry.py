"""Finding rulesets and house rules; a faulty house rule spoils only its own act and is blamed by name."""

from __future__ import annotations

import logging
import re
from collections.abc import Iterator
from importlib.metadata import EntryPoint
from pathlib import Path
from textwrap import dedent
from typing import Any

import pytest
from tests.core.toy import ToyGame, bare_rules, hook_of
from tests.small_battle import small_battle

from zareba.agents import AGENTS, agent_names, make_agent
from zareba.base.errors import RuleBroken, ZarebaError
from zareba.base.state import digest
from zareba.plugins import entry_points
from zareba.plugins.entry_points import installed_agents, plugins
from zareba.registry import HouseRule, find_house_rule, load_rules, ruleset, ruleset_names
from zareba.rules.resolved import nest_wraps
from zareba.session import Answered, Session, new_session, replay
from zareba.table import Choose, ScriptedTable

PATROL = small_battle()
BOTS = dict.fromkeys(PATROL.sides, "doctrine")


def python_rule(folder: Path, source: str, name: str = "club") -> HouseRule:
    file = folder / f"{name}.py"
    head = "import contextlib\nimport zareba\nfrom zareba.base.tally import Modifier\n"
    file.write_text(head + dedent(source), encoding="utf-8")
    return find_house_rule(str(file))


# --- names ------------------------------------------------------------------------------------------------------------


def test_unknown_names_get_the_nearest_suggestion() -> None:
    assert "vcc" in ruleset_names()
    with pytest.raises(ZarebaError, match="there is no ruleset 'vvc'; did you mean 'vcc'"):
        ruleset("vvc")
    with pytest.raises(
        ZarebaError, match=r"there is no house rule 'second_wint'; did you mean 'second_wind'.*its path"
    ):
        find_house_rule("second_wint")
    with pytest.raises(ZarebaError, match=r"there is no house rule file nowhere/mine.py; give a path, or a name"):
        find_house_rule("nowhere/mine.py")


def test_installed_packages_are_listed_with_their_hooks() -> None:
    by_name = {plugin.name: plugin for plugin in plugins()}
    assert by_name["vcc"].hooks == ("zareba_ruleset",)
    assert by_name["shipped"].hooks == (
        "zareba_agents",
        "zareba_commands",
        "zareba_house_rules",
        "zareba_metrics",
        "zareba_sections",
        "zareba_sheets",
    )
    assert "second_wind" in by_name["shipped"].house_rules
    assert all(re.match(r"\d+\.\d+", by_name[name].version) for name in ("vcc", "shipped"))


def _forget() -> None:
    for remembered in (ruleset, installed_agents, entry_points.warn):
        remembered.cache_clear()


@pytest.fixture
def installed(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[Any]:
    """Return a function that installs packages for one test: (group, entry name, module name, source)."""
    entries: list[EntryPoint] = []
    monkeypatch.syspath_prepend(str(tmp_path))
    monkeypatch.setattr(
        entry_points, "entry_points", lambda group: [entry for entry in entries if entry.group == group]
    )

    def install(group: str, name: str, module: str, source: str) -> None:
        (tmp_path / f"{module}.py").write_text("import zareba\n" + dedent(source), encoding="utf-8")
        entries.append(EntryPoint(name, module, group))

    monkeypatch.setattr(logging.getLogger("zareba"), "propagate", True)  # for caplog
    _forget()
    yield install
    _forget()


def test_two_packages_with_one_ruleset_disable_only_that_ruleset(installed: Any) -> None:
    installed(entry_points.RULESETS, "sudan", "package_one", "")
    installed(entry_points.RULESETS, "sudan", "package_two", "")
    assert ruleset_names() == ["sudan"]
    assert [plugin.name for plugin in plugins()] == ["sudan", "sudan"]
    both = r"provide the ruleset 'sudan': sudan \(package_one\) and sudan \(package_two\); uninstall all but one"
    with pytest.raises(ZarebaError, match=both):
        ruleset("sudan")


SMOKE = "def zareba_house_rules(): return [{path!r}]"


def smoke(folder: Path, name: str) -> str:
    """Return the source of a package that ships the house rule 'smoke' in a folder of that name."""
    (folder / name).mkdir()
    rule = f"house_rule: smoke\nruleset: vcc\nchanges:\n  - {{set: mg_overheat, to: 'off', why: {name}}}\n"
    (folder / name / "smoke.yaml").write_text(rule, encoding="utf-8")
    return SMOKE.format(path=str(folder / name / "smoke.yaml"))


def test_the_short_name_of_a_house_rule_works_while_it_is_unique(installed: Any, tmp_path: Path) -> None:
    installed(entry_points.PLUGINS, "red", "rules_of_red", smoke(tmp_path, "a"))
    assert find_house_rule("smoke") == find_house_rule("red:smoke")
    installed(entry_points.PLUGINS, "blue", "rules_of_blue", smoke(tmp_path, "b"))
    with pytest.raises(ZarebaError, match="there are several house rules 'smoke'; say which: blue:smoke or red:smoke"):
        find_house_rule("smoke")
    red, blue = find_house_rule("red:smoke"), find_house_rule("blue:smoke")
    assert (red.name, red.file) == ("red:smoke", tmp_path / "a" / "smoke.yaml")
    assert (blue.name, blue.file) == ("blue:smoke", tmp_path / "b" / "smoke.yaml")
    with pytest.raises(ZarebaError, match="did you mean 'red:smoke'"):
        find_house_rule("red:smok")


def test_two_packages_of_one_entry_name_are_both_there(installed: Any, tmp_path: Path) -> None:
    installed(entry_points.PLUGINS, "club", "rules_of_one", smoke(tmp_path, "a"))
    installed(entry_points.PLUGINS, "club", "players_of_another", PLAYER)
    assert [(plugin.name, plugin.house_rules) for plugin in plugins()] == [("club", ()), ("club", ("smoke",))]
    assert find_house_rule("club:smoke").file == tmp_path / "a" / "smoke.yaml"
    assert "zulu" in agent_names()


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("raise ValueError('no powder')", "cannot be loaded: ValueError: no powder"),
        ("raise SystemExit(3)", "cannot be loaded: SystemExit: 3"),
        ("", "neither a zareba_ruleset hook nor a ruleset.yaml that extends another"),
        ("@zareba.hookimpl\ndef zareba_ruleset(): return 'vcc'", "neither a zareba_ruleset hook nor a ruleset.yaml that extends another"),
        ("@zareba.hookimpl\ndef zareba_ruleset(): return 1 / 0", "cannot be loaded: ZeroDivisionError"),
        ("@zareba.hookimpl\ndef zareba_rulset(): pass", "a hook that does not exist: zareba_rulset; did you mean 'zareba_ruleset'"),
        ("@zareba.hookimpl\ndef zareba_ruleset(version): pass", "cannot be loaded: PluginValidationError: .*version"),
    ],
)  # fmt: skip
def test_a_broken_ruleset_package_is_named(installed: Any, source: str, message: str, request: Any) -> None:
    module = f"broken_{abs(hash(source)) % 10**8}"
    installed(entry_points.RULESETS, "sudan", module, source)
    with pytest.raises(ZarebaError, match=f"(?s)'sudan' .{module} of the package sudan.*{message}"):
        ruleset("sudan")


@pytest.mark.parametrize(
    "source",
    ["raise ValueError('no powder')", "raise SystemExit(3)", "def zareba_house_rules(): return 5"],
)
def test_a_broken_package_disables_only_itself(
    installed: Any, source: str, tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    installed(entry_points.PLUGINS, "club", f"broken_{abs(hash(source)) % 10**8}", source)
    installed(entry_points.PLUGINS, "red", "rules_of_red", smoke(tmp_path, "a"))
    assert [plugin.name for plugin in plugins() if plugin.error] == ["club"]
    assert find_house_rule("smoke").name == find_house_rule("smoke").name == "smoke"
    (warning,) = caplog.messages
    assert re.match(r"the house rules of 'club' are left out: \w+: .*; fix or uninstall it", warning)


PLAYER = "def zareba_agents(): return {'zulu': lambda game, seat, seed: lambda question, state: question.options[-1]}"


def test_an_installed_player_takes_a_seat_by_its_name(installed: Any) -> None:
    installed(entry_points.PLUGINS, "club", "players_of_the_club", PLAYER)
    assert agent_names() == sorted(["club:zulu", "zulu", *AGENTS, "lookahead"])
    question = Choose("act", "T-1", "fusiliers", "patrol", ("hold", "advance"), ())
    assert make_agent("zulu", ToyGame(), "patrol", 1)(question, None) == "advance"


@pytest.mark.parametrize(
    ("sources", "names", "warning"),
    [
        (
            ["raise ValueError('no powder')", PLAYER],
            ["zulu", "club1:zulu"],
            "the players of 'club0' are left out: ValueError: no powder",
        ),
        (
            ["def zareba_agents(): return 5", PLAYER],
            ["zulu", "club1:zulu"],
            "the players of 'club0' are left out: TypeError",
        ),
        ([PLAYER, PLAYER], ["club0:zulu", "club1:zulu"], ""),
        ([PLAYER.replace("zulu", "doctrine")], ["club0:doctrine"], ""),
    ],
)
def test_unavailable_players_do_not_affect_others(
    installed: Any, sources: list[str], names: list[str], warning: str, caplog: pytest.LogCaptureFixture
) -> None:
    for number, source in enumerate(sources):
        installed(entry_points.PLUGINS, f"club{number}", f"players_{abs(hash(str(sources))) % 10**8}_{number}", source)
    assert agent_names() == sorted([*AGENTS, "lookahead", *names])
    assert all(make_agent(name, ToyGame(), "patrol", 1) for name in (*AGENTS, *names))
    assert warning in " ".join(caplog.messages) and bool(warning) == bool(caplog.messages)


def test_player_name_in_two_packages_needs_the_package(installed: Any) -> None:
    for letter in "ab":
        installed(entry_points.PLUGINS, letter, f"players_of_{letter}", PLAYER)
    with pytest.raises(ZarebaError, match="there are several AI players 'zulu'; say which: a:zulu or b:zulu"):
        make_agent("zulu", ToyGame(), "patrol", 1)


# --- faults found when rules are loaded -------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("source", "message"),
    [
        ("@zareba.hookimpl\ndef zareba_modifers(ruleset): pass", "a hook that does not exist: zareba_modifers; did you mean 'zareba_modifiers'"),
        ("@zareba.hookimpl\ndef zareba_options(stat, question): pass", "house rule 'club' .*has the argument stat; its possible arguments are "),
        ("def zareba_modifiers(ruleset): pass", "implements no hook; mark its functions with @zareba.hookimpl"),
        ("@zareba.hookimpl\ndef zareba_modifiers(ruleset): return {'fire_dise': []}", "failed in zareba_modifiers .*there is no tally 'fire_dise'; did you mean 'fire_dice'"),
        ("@zareba.hookimpl\ndef zareba_modifiers(ruleset): return {'rally': [Modifier('elite', 'H-1', 'add', 1)]}", "failed in zareba_modifiers .*two modifiers are called 'elite'"),
        ("@zareba.hookimpl\ndef zareba_modifiers(ruleset): return {'rally': [Modifier('a', 'H-1', 'plus', 1)]}", "modifier 'a': 'plus' is none of add, times"),
        ("@zareba.hookimpl\ndef zareba_modifiers(ruleset): return {'rally': [Modifier('a', 'H-1', 'add', 0.5)]}", "modifier 'a': 0.5 is neither a whole number nor a Fraction"),
        ("@zareba.hookimpl\ndef zareba_procedures(ruleset): return {'moral.check': print}", "failed in zareba_procedures .*no procedure of vcc called 'moral.check'; did you mean 'morale.check'"),
        ("@zareba.hookimpl\ndef zareba_steps(ruleset): return {'turn.end': print} if ruleset == 'paychest' else {}", "house rule 'club' .* changes nothing in vcc; leave it out"),
        ("@zareba.hookimpl\ndef zareba_policy(ruleset): pass", "house rule 'club' .* changes nothing in vcc; leave it out"),
        ("@zareba.hookimpl\ndef zareba_procedures(ruleset): return {'morale.check': 3}", "failed in zareba_procedures .*not a dict of procedure names"),
    ],
)  # fmt: skip
def test_an_invalid_house_rule_is_refused_when_rules_are_loaded(tmp_path: Path, source: str, message: str) -> None:
    with pytest.raises(ZarebaError, match=f"(?s){message}") as caught:
        load_rules("vcc", house_rules=[python_rule(tmp_path, source)])
    assert str(tmp_path / "club.py") in str(caught.value)


@pytest.mark.parametrize("source", ["1 / 0", "raise SystemExit", "def broken(:", "import no_such_module"])
def test_a_house_rule_that_cannot_be_imported_is_named(tmp_path: Path, source: str) -> None:
    with pytest.raises(ZarebaError, match=r"house rule 'club' .*club.py:4\) cannot be loaded: "):
        python_rule(tmp_path, source)


def test_a_house_rule_is_listed_once(tmp_path: Path) -> None:
    rule = python_rule(tmp_path, "@zareba.hookimpl\ndef zareba_event(event): pass")
    with pytest.raises(ZarebaError, match="the house rule 'club' is listed twice; keep one"):
        load_rules("vcc", house_rules=[rule, rule])


# --- order ------------------------------------------------------------------------------------------------------------


def test_house_rules_apply_in_the_order_of_the_session(tmp_path: Path) -> None:
    source = """
        @zareba.hookimpl
        def zareba_modifiers(ruleset):
            return {"rally": [Modifier(__name__[-3:], "H-1", "add", 1)]}

        @zareba.hookimpl
        def zareba_options(question):
            return [*question.options, __name__[-3:]]

        @zareba.hookimpl
        def zareba_event(event):
            pass
        """
    one, two = (python_rule(tmp_path, source, name) for name in ("one", "two"))
    for order in ([one, two], [two, one]):
        rules = load_rules("vcc", house_rules=order)
        names = [rule.name for rule in order]
        assert [line.id for line in rules.tallies["rally"].modifiers[-2:]] == names
        assert [hook.house_rule for hook in rules.option_hooks] == names
        assert [hook.house_rule for hook in rules.event_hooks] == names
        assert rules.house_rules == tuple(names)


@pytest.mark.parametrize("asked", ["wrapper", "hookwrapper", "tryfirst", "trylast"])
def test_a_house_rule_cannot_move_itself_before_or_around_others(tmp_path: Path, asked: str) -> None:
    body = "yield" if "wrapper" in asked else "pass"
    rule = python_rule(tmp_path, f"@zareba.hookimpl({asked}=True)\ndef zareba_event(table, event): {body}")
    with pytest.raises(
        ZarebaError, match=rf"'club' .*zareba_event is marked {asked}=True; house rules act in the order"
    ):
        load_rules("vcc", {}, [rule])


ECHO = """
@zareba.hookimpl
def zareba_event(table, event):
    if event.kind in {hears!r}:
        table.emit({tells!r}, "HOUSE-1", after=event.kind)
"""


def told_by(folder: Path, *rules: tuple[str, tuple[str, ...], str]) -> list[tuple[str, str]]:
    """Return the events emitted after "shot", each with the event it reacts to. Rules are (name, event kinds it hears,
    event it emits).
    """
    made = [python_rule(folder, ECHO.format(hears=hears, tells=tells), name) for name, hears, tells in rules]
    with ScriptedTable(load_rules("vcc", {}, made), None, []) as table:
        table.emit("shot", "X-1")
        return [(event.kind, event.data.get("after", "")) for event in table.events]


def test_reactions_to_one_event_all_run_before_reactions_to_the_reactions(tmp_path: Path) -> None:
    rules = ("first", ("shot",), "cry"), ("second", ("shot", "cry"), "echo"), ("third", ("shot",), "sigh")
    told = [("shot", ""), ("cry", "shot"), ("echo", "shot"), ("sigh", "shot"), ("echo", "cry")]
    assert told_by(tmp_path, *rules) == told


def test_a_reaction_does_not_receive_its_own_events(tmp_path: Path) -> None:
    assert told_by(tmp_path, ("first", ("shot", "cry"), "cry")) == [("shot", ""), ("cry", "shot")]


def test_house_rules_that_answer_each_other_for_ever_are_stopped_and_named(tmp_path: Path) -> None:
    with pytest.raises(
        RuleBroken, match="the house rules 'first' and 'second' react to each other without end, last with"
    ):
        told_by(tmp_path, ("first", ("shot", "echo"), "cry"), ("second", ("cry",), "echo"))


def test_wraps_nest_with_the_last_listed_outermost() -> None:
    def wrap(name: str) -> Any:
        def around(procedure: Any, table: Any, *args: Any) -> Any:
            told.append(name)
            return procedure(table, *args)

        return hook_of("zareba_procedures", None, house_rule=name), {"toy.raid": around}

    told: list[str] = []
    game = ToyGame(bare_rules(wraps=nest_wraps([wrap("first"), wrap("second"), wrap("third")])))
    state = game.start()
    script = [
        ("act", "raid"),
        ("raid", [1, 2]),
        ("protest", False),
        ("act", "camp"),
        ("camp", (1, 1)),
        ("protest", False),
    ]
    step = game.play.next_step(state)
    assert step is not None
    with ScriptedTable(game.rules, state, script) as table:
        game.play.perform(table, state, step)
    assert told == ["third", "second", "first"]


# --- faults found while the game runs ---------------------------------------------------------------------------------

WRAP = """
@zareba.hookimpl
def zareba_procedures(ruleset):
    def wrap(procedure, table, *args):
        {body}
    return {{"fire.shot": wrap, "melee.step": wrap, "movement.unit": wrap}}
"""
MORALE = """
@zareba.hookimpl
def zareba_procedures(ruleset):
    def wrap(procedure, table, *args):
        {body}
    return {{"morale.check": wrap}}
"""
OPTIONS = """
@zareba.hookimpl
def zareba_options(state, question):
    if state.turn < 2:
        return None
    {body}
"""
EVENT = """
@zareba.hookimpl
def zareba_event(table, event):
    if event.kind != "move":
        return
    {body}
"""
WHEN = """
def when(facts):
    {body}

@zareba.hookimpl
def zareba_modifiers(ruleset):
    return {{"fire_dice": [Modifier("a", "H-1", "add", 0, when=when)]}}
"""
AMOUNT = """
def amount(facts):
    {body}

@zareba.hookimpl
def zareba_modifiers(ruleset):
    return {{"fire_dice": [Modifier("a", "H-1", "add", amount)]}}
"""
CATCH = "with contextlib.suppress(BaseException): {0}"
FAULTS = [
    # it raises
    (WRAP, "zareba_procedures", "raise ValueError('wet powder')", "ValueError: wet powder"),
    (OPTIONS, "zareba_options", "raise ValueError('wet powder')", "ValueError: wet powder"),
    (EVENT, "zareba_event", "raise ValueError('wet powder')", "ValueError: wet powder"),
    (WHEN, "zareba_modifiers", "raise ValueError('wet powder')", "ValueError: wet powder"),
    (AMOUNT, "zareba_modifiers", "raise ValueError('wet powder')", "ValueError: wet powder"),
    # it returns a wrong type
    (WRAP, "zareba_procedures", "return procedure()", "TypeError"),
    (WRAP, "zareba_procedures", "return 42", "for '.*' it returned 42, but the procedure returns nothing"),
    (MORALE, "zareba_procedures", "return 42", "for 'morale.check' it returned 42, but the procedure returns str"),
    (MORALE, "zareba_procedures", "pass", "for 'morale.check' it returned None, but the procedure returns str"),
    (WHEN, "zareba_modifiers", "return 'x'", "modifier 'a': its condition returned 'x', not True or False"),
    (WHEN, "zareba_modifiers", "return None", "modifier 'a': its condition returned None, not True or False"),
    (AMOUNT, "zareba_modifiers", "return True", "True is neither a whole number nor a Fraction"),
    (OPTIONS, "zareba_options", "return 'stay'", "it returned 'stay' for .*, which is not a list of options"),
    (OPTIONS, "zareba_options", "return [None]", r"it returned \[None\] for"),
    (OPTIONS, "zareba_options", "return []", "it left no option for"),
    (AMOUNT, "zareba_modifiers", "return 'two'", "'two' is neither a whole number nor a Fraction"),
    # it asks a question that no table can answer
    (EVENT, "zareba_event", "table.roll(1.5, 6, why='luck', rule='H-1')", r"H-1: 'luck' asks for 1.5 dice of 6 faces"),
    (EVENT, "zareba_event", "table.draw({'a': -1, 'b': 1}, why='luck', rule='H-1')", "a negative number of cards in the pile"),
    (EVENT, "zareba_event", "table.draw({'a': 0}, why='luck', rule='H-1')", "nothing is left to draw for 'luck'"),
    (EVENT, "zareba_event", "table.choose('patrol', [], why='luck', rule='H-1')", "nothing to choose from for 'luck'"),
    # it returns NaN or infinity
    (OPTIONS, "zareba_options", "return [float('nan')]", r"it returned \[nan\] for"),
    (AMOUNT, "zareba_modifiers", "return float('nan')", "nan is neither a whole number nor a Fraction"),
    # it changes objects that it may only read
    (OPTIONS, "zareba_options", "question.options.append('fly')", "AttributeError"),
    (EVENT, "zareba_event", "event.data['box'] = 3", "TypeError"),
    (WHEN, "zareba_modifiers", "facts.bases += 1; return True", "it changed the facts"),
    # it depends on more than the facts
    (AMOUNT, "zareba_modifiers", "amount.asked = getattr(amount, 'asked', 0) + 1; return amount.asked", r"returned \d+ and \d+"),
    (WHEN, "zareba_modifiers", "when.asked = not getattr(when, 'asked', False); return when.asked", "returned True and False"),
    # it catches the pause of a question
    (WRAP, "zareba_procedures", CATCH.format("procedure(table, *args)"), "swallowed the question"),
    (EVENT, "zareba_event", CATCH.format("table.roll(1, 6, why='luck', rule='H-1')"), "swallowed the question 'luck'"),
    # it recurses endlessly
    (WRAP, "zareba_procedures", "return wrap(procedure, table, *args)", "RecursionError"),
    (OPTIONS, "zareba_options", "return zareba_options(state, question)", "RecursionError"),
    (EVENT, "zareba_event", "zareba_event(table, event)", "RecursionError"),
    (WHEN, "zareba_modifiers", "return when(facts)", "RecursionError"),
    # it ends the program
    (WRAP, "zareba_procedures", "raise SystemExit(1)", "SystemExit: 1"),
    (OPTIONS, "zareba_options", "exit(1)", "SystemExit: 1"),
    (EVENT, "zareba_event", "raise SystemExit", "SystemExit: "),
    (WHEN, "zareba_modifiers", "raise SystemExit(1)", "SystemExit: 1"),
]  # fmt: skip


class Watched:
    """A session between AI players that records its state after the last accepted answer."""

    def __init__(self, folder: Path, source: str) -> None:
        self.path = folder / "game.zareba"
        rule = python_rule(folder, source)
        self.session = new_session("vcc", PATROL, BOTS, seed=3, house_rules=[rule], path=self.path)
        self.last = self.now()

    def now(self) -> tuple[str, Any, bytes]:
        session = self.session
        return digest(session.state.to_data()), session.pending, self.path.read_bytes()

    def play(self) -> Session:
        def accepted(answered: Answered) -> None:
            self.last = self.now()

        self.session.drive(accepted)
        return self.session


@pytest.mark.parametrize(("frame", "hook", "body", "fault"), FAULTS)
def test_a_fault_is_blamed_on_its_house_rule_and_changes_nothing(
    tmp_path: Path, frame: str, hook: str, body: str, fault: str
) -> None:
    watched = Watched(tmp_path, frame.format(body=body))
    blame = rf"(?s)house rule 'club' .*{re.escape(hook)} \({re.escape(str(tmp_path))}/club.py(:\d+)?\).*"
    for _ in range(2):  # twice: the session still works
        with pytest.raises(RuleBroken, match=blame) as caught:
            watched.play()
        assert re.search(fault, str(caught.value))
        assert watched.now() == watched.last
    watched.session.close()
    again = replay(watched.path, house_rules=[tmp_path / "club.py"])
    assert digest(again.session.state.to_data()) == watched.last[0]


@pytest.mark.parametrize(
    "body",
    ["procedure(table, args[0], None)", "args[1].hits = float('nan')", "args[1].hits = object()"],
)  # fmt: skip
def test_a_state_damaged_by_a_house_rule_is_refused_with_a_hint(tmp_path: Path, body: str) -> None:
    watched = Watched(tmp_path, WRAP.format(body=body))
    with pytest.raises(RuleBroken, match=r"club|a house rule may have put it there"):
        watched.play()
    assert watched.now() == watched.last


@pytest.mark.parametrize("frame", [WRAP, OPTIONS, EVENT, WHEN])
def test_a_hanging_house_rule_can_be_interrupted_and_the_session_stays_usable(tmp_path: Path, frame: str) -> None:
    watched = Watched(tmp_path, frame.format(body="raise KeyboardInterrupt  # as if somebody had lost patience"))
    with pytest.raises(KeyboardInterrupt):
        watched.play()
    assert watched.now() == watched.last


def test_a_slow_house_rule_changes_nothing_but_the_time(tmp_path: Path) -> None:
    watched = Watched(tmp_path, EVENT.format(body="sum(range(10_000))"))
    assert watched.play().pending is None
    plain = new_session("vcc", PATROL, BOTS, seed=3)
    plain.drive()
    assert digest(plain.state.to_data()) == watched.last[0]


def test_state_changes_by_house_rules_replay_equally(tmp_path: Path) -> None:
    watched = Watched(tmp_path, EVENT.format(body="table.state.unit(event.data['unit']).mark('jest')"))
    session = watched.play()
    assert any("jest" in unit.marks for unit in session.state.units.values())
    session.close()
    again = replay(watched.path, house_rules=[tmp_path / "club.py"])
    assert digest(again.session.state.to_data()) == watched.last[0]


def test_one_bad_house_rule_does_not_affect_other_sessions(tmp_path: Path) -> None:
    watched = Watched(tmp_path, EVENT.format(body="raise ValueError"))
    with pytest.raises(RuleBroken):
        watched.play()
    other = new_session("vcc", PATROL, BOTS, seed=3)
    other.drive()
    assert other.pending is None


@pytest.mark.parametrize("form", ["yaml", "py"])
def test_a_house_rule_that_is_not_utf_8_is_refused_in_a_sentence(tmp_path: Path, form: str) -> None:
    file = tmp_path / f"club.{form}"
    file.write_bytes("# für den Klub\n".encode("latin-1"))
    with pytest.raises(ZarebaError, match=r"club\..* not UTF-8 text; save .* as UTF-8"):
        find_house_rule(str(file))
