"""One-page rulesets at a real table: their acts follow from the sequence of play and its procedures."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

import pytest
from tests.external.conftest import install_wheel, write_ruleset
from tests.rulesets.companion_games import Follower, StepPlayed, steps_of, typed

from zareba.cli.output import SafeConsole
from zareba.cli.prompt.companion_prompt import CompanionPrompt
from zareba.companion import AskFact, Evening, Scene, new_evening, scenario_of_list
from zareba.registry import load_rules
from zareba.scenario import load_scenario

FORCES = """\
The column:
20 Alpha rifles, veteran, Lt Ashby
16 Bravo rifles
8 Delta lancers
1 field gun
12 Reserve rifles, turn 2 on 4+
The impi:
24 Red spears, elite
24 Blue spears
16 Marks muskets, raw
"""


@pytest.fixture(scope="module")
def sudan(
    tmp_path_factory: pytest.TempPathFactory,
    installed_here: Callable[[Path, str], AbstractContextManager[Path]],
) -> Iterator[Path]:
    """Write the package of a one-page ruleset and install it for this process."""
    folder = tmp_path_factory.mktemp("one_page")
    install_wheel(write_ruleset(folder, "nile", "--bare"), folder / "site")
    with installed_here(folder / "site", "zareba_nile") as site:
        yield site


def evening_of(**settings: Any) -> Evening[Any]:
    return new_evening("nile", scenario_of_list(FORCES), seed=1, settings=settings)


def unit(evening: Evening[Any], name: str) -> tuple[int, str]:
    """Return the figures of a unit and its lasting marks."""
    one = evening.state.units[name]
    return one.figures, one.gone or " ".join(one.marks & {"shaken"})


@pytest.mark.usefixtures("sudan")
def test_the_acts_are_the_stages_of_the_sequence() -> None:
    acts = evening_of().companion.act_named
    steps = {name: (act.title, act.rule) for name, act in acts.items() if "." in name}
    assert steps == {
        "unit.call": ("call the next unit", "NILE-001"),
        "unit.act": ("act", "NILE-001"),
        "unit.shoot": ("shoot", "NILE-001"),
        "unit.fight": ("fight", "NILE-001"),
        "end.rally": ("rally", "NILE-006"),
    }


@pytest.mark.usefixtures("sudan")
def test_evening_of_a_one_page_ruleset(capsys: pytest.CaptureFixture[str]) -> None:
    evening = evening_of()
    # Alpha stands, and shoots at Red, 20 inches away, in cover 1: 10 dice for 20 figures (NILE-003). 5 + 1 beyond half
    # range + 1 cover - 1 veteran: 6 or more. Five hits: not a quarter of 24, so Red does not test (NILE-005).
    assert typed(evening, "alpha", "stand", "red; 20; 2; 6 6 6 6 6 5 5 5 5 5") == ["Red lost 5, 19 left"]
    # Red charges Alpha, who is then in contact. The unit moves until it touches, so the distance does not matter.
    assert typed(evening, "red", "charge alpha")[-1] == "Red charged Alpha"
    # Red: 10 dice, 4 or more. Alpha: 10 dice, 5 or more. Alpha loses 3, Red 2 (7 in all of 24: a quarter). Alpha has
    # lost more and tests: 8 + 1 for Lt Ashby is 9 (NILE-005): 10 fails. It is shaken and falls back, not off the table.
    said = typed(evening, "4 4 4 1 1 1 1 1 1 1", "6 5 1 1 1 1 1 1 1 1", "6 4", "")
    assert said == ["Alpha lost 3, 17 left", "Red lost 2, 17 left", "Alpha are shaken", "Alpha fell back 6 inches"]
    assert unit(evening, "alpha") == (17, "shaken")
    assert evening.companion.unit_line(evening.state, "red") == "17 figures, moved, lost 7"
    # Bravo may not shoot beyond 24 inches (NILE-011); the answer is refused, and nothing has changed.
    typed(evening, "bravo", "stand", "marks; 25; cancel")
    assert "Bravo cannot do that at 25 inches" in capsys.readouterr().out
    evening.next(leave_out=True)
    # Blue charges Bravo, who loses the melee, tests at 8, fails with 9, and falls back over the edge of the table.
    typed(evening, "blue", "charge bravo", "4 4 4 4 1 1 1 1 1 1 1 1", "1 1 1 1 1 1 1 1", "5 4", "1")
    assert unit(evening, "bravo") == (12, "fled")
    # The field gun shoots at Marks, 40 inches away: 5 dice, 5 + 1 beyond half range. Then Marks and the lancers act.
    typed(evening, "field gun", "stand", "marks; 40; ; 6 6 5 1 1", "marks", "stand", "hold fire", "march")
    assert unit(evening, "marks") == (14, "")
    # End of the turn: Alpha rallies at 9 (NILE-006). Then the reserve rolls for its arrival: 4 or more.
    typed(evening, "6 3", "4")
    assert unit(evening, "alpha") == (17, "")
    assert evening.state.turn == 2
    assert evening.state.units["reserve"].at is not None


@pytest.mark.usefixtures("sudan")
def test_a_volley_takes_six_answers() -> None:
    evening = evening_of()
    lines = iter(["alpha", "stand", "red", "20", "", ""])

    def ask(_: str) -> str:
        try:
            return next(lines)
        except StopIteration:
            raise EOFError from None

    prompt = CompanionPrompt(evening, SafeConsole(), ask)
    prompt.run()
    assert prompt.answers == 6  # unit, stand, target, distance, cover, dice
    assert [entry.title for entry in evening.entries] == ["call the next unit", "Alpha: stand", "Alpha: shoot (Red)"]


@pytest.mark.usefixtures("sudan")
def test_repeated_losses_are_not_listed_in_the_odds() -> None:
    """The ruleset counts losses as "lost" for its tests of nerve. The odds show losses already."""
    evening = evening_of()
    typed(evening, "alpha", "stand")
    form = evening.form("unit.shoot", Scene(evening.game, "alpha", "red"))
    while isinstance(pending := form.pending, AskFact):
        form.give(
            20 if pending.default is None and not pending.choices else pending.default or next(iter(pending.choices))
        )
    line = form.preview().odds
    assert "figures lost" in line and "lost probably" not in line


@pytest.mark.usefixtures("sudan")
def test_losses_do_not_end_contact() -> None:
    """A unit covers less ground with fewer figures, but people leave it base to base."""
    evening = evening_of()
    typed(evening, "any", "touch alpha; red", "bravo", "stand")
    assert typed(evening, "red; 20; ; 6 6 6 6 6 6 6 6", "2 2")[0] == "Red lost 8, 16 left"
    assert evening.companion.unit_line(evening.state, "red").endswith("in contact with Alpha")


@pytest.mark.usefixtures("sudan")
def test_contact_lasts_until_people_break_it() -> None:
    evening = evening_of()
    typed(evening, "any", "touch alpha; red")
    assert "in contact with Red" in evening.companion.unit_line(evening.state, "alpha")
    typed(evening, "any", "part red")
    assert "in contact" not in evening.companion.unit_line(evening.state, "alpha")


class OnePageFollower(Follower):
    """Translates the steps of play into acts at a real table."""

    def follow(self, played: StepPlayed) -> None:
        """Do one step of play at the table, and compare the books."""
        name, before = played.step.name, played.before
        if name == "set_up":
            return
        book = self.evening.state
        while not self.evening.is_over and (book.turn, self._phase(book)) < (before.turn, self._phase(before)):
            self.evening.next(leave_out=True)
            book = self.evening.state
        self.dice = list(played.given)
        self._meet(before)
        if name == "end.rally" or (name == "unit.call" and played.after.acting):
            if [opening for opening in self.evening.openings() if opening.act == name]:
                self.do(name)
        elif name != "unit.call":
            self._act(played)
        self._bring_on(played)
        self._meet(played.after)
        self._compare(played)

    def _phase(self, battle: Any) -> int:
        return list(self.evening.game.policy.phases).index(battle.phase)

    def _meet(self, battle: Any) -> None:
        """Bring the contacts of the book into line with those of play."""
        wanted = self._contacts(battle)
        for pair in self._contacts(self.evening.state) - wanted:
            self.do("part", sorted(pair)[0])
        for pair in wanted - self._contacts(self.evening.state):
            self.do("touch", *sorted(pair))

    def _contacts(self, battle: Any) -> set[frozenset[str]]:
        return {frozenset((own_unit.id, foe.id)) for own_unit in battle.on_table() for foe in battle.touching(own_unit)}

    def _act(self, played: StepPlayed) -> None:
        before, step = played.before, played.step.name
        actor = before.units[before.acting]
        openings = [opening for opening in self.evening.openings() if opening.act == step]
        if not openings:
            return
        chosen = [answer.answer for answer in played.given if answer.question.why in ("act", "shoot at")]
        what = chosen[0] if chosen else None
        if what == "march" and not played.told("marched"):  # a march to its own place
            what = "hold"
        enemy = what[1] if isinstance(what, tuple) else what
        target = before.units.get(enemy) if isinstance(enemy, str) else None
        facts: dict[str, Any] = {"what": what, "over": tuple(event.data["unit"] for event in played.told("fled"))}
        if target is not None:
            facts |= {"distance": before.gap(actor, target), "cover": before.cover(actor, target)}
        if what is None and not played.given:
            self.evening.next(leave_out=True)
            return
        self.do(step, actor.id, **facts)

    def _bring_on(self, played: StepPlayed) -> None:
        for event in played.events:
            if event.kind in ("arrived", "not arrived"):
                self.do("arrive", event.data["unit"])

    def _compare(self, played: StepPlayed) -> None:
        book, after = self.evening.state, played.after
        turn_is_over = book.turn > after.turn  # the companion leaves out what has nothing to ask
        ignored = {mark for mark, lasts in after.book.marks.items() if turn_is_over and lasts == "turn"}
        for name, unit_after in after.units.items():
            own = book.units[name]
            if own.gone != unit_after.gone and unit_after.gone.startswith("left"):
                self.do("leave", name)
                own = self.evening.state.units[name]
            values = [(u.figures, u.marks - ignored, u.numbers, u.gone, u.at is None) for u in (unit_after, own)]
            assert values[0] == values[1], f"{played.step}: {name}: {values}"


def follow(scenario: str, seed: int, **settings: Any) -> int:
    """Play a game and follow it. Return the number of steps that the companion has followed."""
    file = load_scenario(scenario)
    game = load_rules("nile", settings).game(file)
    follower = OnePageFollower(new_evening("nile", file, seed=1, settings=settings))
    count = 0
    for played in steps_of(game, seed):
        follower.follow(played)
        count += 1
    return count


@pytest.mark.usefixtures("sudan")
def test_companion_agrees_with_play() -> None:
    assert follow("patrol_clash", 3) > 200


@pytest.mark.deep
@pytest.mark.usefixtures("sudan")
@pytest.mark.parametrize("scenario", ["patrol_clash", "river_ford", "mission_station"])
@pytest.mark.parametrize("rout", ["twice", "once"])
def test_companion_agrees_with_play_in_many_games(scenario: str, rout: str) -> None:
    for seed in range(5):
        assert follow(scenario, seed, rout=rout) > 200
