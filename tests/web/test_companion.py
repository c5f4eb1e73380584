"""The companion on the page: an evening at a real table, tapped on a phone."""

from __future__ import annotations

import re
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from starlette.testclient import TestClient
from tests.rulesets.companion_games import typed
from tests.web.conftest import HOST, KEY, Club

from zareba.base.errors import ZarebaError
from zareba.companion import Companion, Evening, new_evening, scenario_of_list
from zareba.registry import find_house_rule
from zareba.report.sheet import sheet_of
from zareba.web.app import create_app
from zareba.web.companion.open_evening import OpenEvening
from zareba.web.form import FormData
from zareba.web.lobby.games import Games
from zareba.web.responses import render

LIST = "Us:\n20 Alpha rifles, Lt Ashby\n1 field gun\nThem:\n24 Red spears\n24 Blue spears, elite"


class Phone:
    """A phone with the page of an evening."""

    def __init__(self, club: Club, address: str) -> None:
        self.client = club.stranger()
        self.address = address

    @property
    def page(self) -> str:
        answer = self.client.get(self.address)
        assert answer.status_code == 200, answer.text
        return answer.text

    def tap(self, what: str, /, **fields: str) -> str:
        answer = self.client.post(
            f"{self.address}/do", data={"do": what, **fields}, headers={"Accept": "application/json"}
        )
        data = answer.json()
        assert answer.status_code == 200, data
        html: str = data["html"]
        return html

    def refused(self, what: str, /, **fields: str) -> str:
        answer = self.client.post(
            f"{self.address}/do", data={"do": what, **fields}, headers={"Accept": "application/json"}
        )
        assert answer.status_code == 409
        said: str = answer.json()["refused"]
        return said


def without_version(page: str) -> str:
    """Return a page without the number that changes with every answer."""
    return re.sub(r'data-version="\d+"', "", page)


@pytest.fixture
def club(tmp_path: Path) -> Iterator[Club]:
    made = Club(tmp_path)
    yield made
    made.close()


@pytest.fixture
def phone(club: Club) -> Phone:
    answer = club.client.post("/companion", data={"ruleset": "vcc", "forces": LIST})
    assert answer.status_code == 303, answer.text
    return Phone(club, answer.headers["location"])


def test_volley_takes_six_taps(phone: Phone) -> None:
    assert "step 1: British artillery" in phone.page
    phone.tap("begin", act="fire", unit="field_gun")
    page = phone.tap("unit", unit="red")
    assert "How many boxes from Field gun to Red?" in page
    page = phone.tap("fact", distance="5")
    assert "Cover of Red?" in page
    phone.tap("fact", choice="0")
    page = phone.tap("fact", choice="0")  # it need not turn
    assert "fire dice 5: 5 bases (VCC-074)" in page
    page = phone.tap("faces", faces="1 1 2 2 3")
    assert "Field gun fired 5 dice at Red (medium): 9 hits" in page
    assert "Red: check morale" in page


def test_companion_rolls(phone: Phone) -> None:
    phone.tap("begin", act="fire", unit="field_gun")
    phone.tap("unit", unit="red")
    phone.tap("fact", choice="0")
    phone.tap("fact", choice="0")
    phone.tap("fact", choice="0")
    page = phone.tap("roll")
    assert re.search(r"Field gun fired 10 dice at Red \(close\): \d+ hits", page)


def test_companion_rolls_if_auto_is_typed(phone: Phone) -> None:
    """The refusal of wrong faces names this way out."""
    phone.tap("begin", act="fire", unit="field_gun")
    phone.tap("unit", unit="red")
    phone.tap("fact", choice="0")
    phone.tap("fact", choice="0")
    phone.tap("fact", choice="0")
    assert phone.refused("faces", faces="all of them").endswith("or auto")
    assert "Field gun fired 10 dice at Red (close)" in phone.tap("faces", faces="Auto")


def test_undo_back_cancel_and_correction(phone: Phone) -> None:
    phone.tap("begin", act="fire", unit="field_gun")
    phone.tap("unit", unit="red")
    assert "Which enemy should Field gun fire at?" in phone.tap("back")
    assert "Any act" in phone.tap("cancel")  # the acts of this phase, as before the choice
    page = phone.tap("correct", unit="red", what="bases", value="3")
    assert "correction: Red, bases: 3" in page
    page = phone.tap("correct", unit="red", what="prone", value="yes")
    assert "3 bases, prone" in page
    page = phone.tap("undo")
    assert "taken back: correction: Red, prone: yes" in page
    assert phone.refused("correct", unit="red", what="bases", value="77").startswith("bases of Red must be")


def test_undo_in_the_middle_of_an_act_takes_back_this_act_alone(phone: Phone) -> None:
    phone.tap("begin", act="fire", unit="field_gun")
    phone.tap("unit", unit="red")
    assert "taken back, unfinished: Field gun: fire (Red)" in phone.tap("undo")
    phone.tap("correct", unit="red", what="prone", value="yes")
    phone.tap("begin", act="fire", unit="field_gun")
    phone.tap("unit", unit="red")
    phone.tap("undo")
    assert "taken back: correction: Red, prone: yes" in phone.tap("undo")
    assert phone.refused("undo") == "nothing to undo"


def test_correction_in_the_middle_of_an_act_keeps_its_answers(phone: Phone) -> None:
    phone.tap("begin", act="fire", unit="field_gun")
    phone.tap("unit", unit="red")
    phone.tap("fact", choice="1")
    page = phone.tap("correct", unit="blue", what="bases", value="3")
    assert "correction: Blue, bases: 3" in page
    assert "Cover of Red?" in page
    page = phone.tap("correct", unit="red", what="removed", value="yes")
    assert "Cover of Red?" not in page  # the target has left the table


def test_dice_are_not_lost_by_a_correction_or_another_act(club: Club) -> None:
    answer = club.client.post("/companion", data={"ruleset": "risk_factor", "forces": LIST})
    phone = Phone(club, answer.headers["location"])
    phone.tap("faces", faces="5")  # the first side's roll for the first turn; the other side's is still to come
    said = phone.refused("correct", unit="red", what="figures", value="3")
    assert said == "dice have been thrown for this act; finish it, then correct the book"
    assert phone.refused("any") == "dice have been thrown for this act; finish it first"
    assert "First turn for Them: throw 1d6" in phone.page


def test_dice_of_an_act_taken_back_are_a_button(club: Club) -> None:
    forces = "Us:\n8 Alpha rifles\nThem:\n12 Red spears"
    answer = club.client.post("/companion", data={"ruleset": "paychest", "forces": forces})
    phone = Phone(club, answer.headers["location"])
    card = re.search(r'name="faces" value="([^"]+)"><button type="submit">Red', phone.page)
    assert card is not None
    phone.tap("faces", faces=card[1])
    for _ in range(2):
        phone.tap("begin", act="move", unit="red")
        phone.tap("fact", choice="1")
        assert "of Red may go up to 15 inches" in phone.tap("faces", faces="4 5 6")
        assert "not finished" not in phone.refused("next")
        assert "its dice, which you can take again: 4 5, 6" in phone.tap("undo")
        phone.tap("begin", act="move", unit="red")
        assert "The dice taken back: 4 5 6" in phone.tap("fact", choice="1")
        phone.tap("undo")


def test_an_act_of_another_phase_is_refused(phone: Phone) -> None:
    said = "'charge' is no act of this phase; 'Any act' offers those of other phases"
    assert phone.refused("begin", act="charge", unit="red") == said
    assert phone.refused("begin", act="fire", unit="red") == "Red cannot fire now"
    phone.tap("any")
    assert "Which enemy should Red charge?" in phone.tap("begin", act="charge", unit="red")


def test_cancelled_throw_of_no_unit_stays_on_the_page(club: Club) -> None:
    """The throws for initiative belong to no unit; without them the page would offer no act at all."""
    answer = club.client.post("/companion", data={"ruleset": "fixed_baynet", "forces": LIST})
    phone = Phone(club, answer.headers["location"])
    for tap in ("cancel", "any", "any"):
        assert "roll for initiative" in phone.tap(tap)
    assert "Initiative for Us: roll a D6" in phone.tap("begin", act="initiative")


def test_another_act_is_refused_after_the_dice(club: Club) -> None:
    answer = club.client.post("/companion", data={"ruleset": "risk_factor", "forces": LIST})
    phone = Phone(club, answer.headers["location"])
    phone.tap("faces", faces="5")  # the first side's roll for the first turn; the other side's is still to come
    assert phone.refused("begin", act="meet", unit="red") == "dice have been thrown for this act; finish it first"


def test_notes_before_the_first_act_do_not_push_its_questions_down(club: Club) -> None:
    answer = club.client.post("/companion", data={"ruleset": "vcc", "battle": "patrol_clash"})
    phone = Phone(club, answer.headers["location"])
    assert "Not in these rules" in phone.page
    assert "Not in these rules" not in phone.tap("begin", act="fire", unit="mountain_gun")
    assert "Not in these rules" in phone.tap("cancel")


def test_a_page_opened_again_in_the_middle_of_an_act_goes_on_with_it(club: Club, phone: Phone) -> None:
    phone.tap("begin", act="fire", unit="field_gun")
    phone.tap("unit", unit="red")
    assert "How many boxes from Field gun to Red?" in Phone(club, phone.address).page


def after_power_failure(club: Club, folder: Path) -> Club:
    """Return a new server on a copy of all that the first one has on disk now."""
    shutil.copytree(club.folder, folder)
    return Club(folder)


def test_a_server_that_stops_in_the_middle_of_an_act_asks_the_same_question_again(
    club: Club, phone: Phone, tmp_path: Path
) -> None:
    phone.tap("correct", unit="blue", what="bases", value="4")
    for number, (what, fields) in enumerate(
        [
            ("begin", {"act": "fire", "unit": "field_gun"}),
            ("unit", {"unit": "red"}),
            ("fact", {"distance": "5"}),
            ("fact", {"choice": "0"}),
            ("fact", {"choice": "0"}),
        ]
    ):
        phone.tap(what, **fields)
        again = after_power_failure(club, tmp_path / f"again_{number}")
        assert without_version(Phone(again, phone.address).page) == without_version(phone.page)
        again.close()
    again = after_power_failure(club, tmp_path / "again")
    first, second = Phone(again, phone.address), Phone(again, phone.address)
    assert "9 hits" in first.tap("faces", faces="1 1 2 2 3")
    assert "9 hits" in second.page and "4 bases" in second.page
    last = after_power_failure(again, tmp_path / "last")
    assert "9 hits" in Phone(last, phone.address).page.partition('class="asked"')[0]  # the result is shown again
    again.close()
    last.close()


def test_dice_and_faces_thrown_ahead_survive_a_server_that_stops(club: Club, tmp_path: Path) -> None:
    """Between the dice of a melee and its wounds; the faces of the other pairs wait for their turn."""
    forces = "Us:\n8 Alpha rifles\nThem:\n8 Red spears"
    answer = club.client.post("/companion", data={"ruleset": "paychest", "forces": forces})
    phone = Phone(club, answer.headers["location"])
    phone.tap("faces", faces="red")
    phone.tap("begin", act="move", unit="red")
    phone.tap("fact", choice="1")
    phone.tap("faces", faces="6 6 6")
    phone.tap("fact", choice="1")
    phone.tap("fact", distance="3")
    phone.tap("fact")
    phone.tap("next")
    phone.tap("begin", act="melee", unit="red")
    phone.tap("fact", choice="0")
    page = phone.tap("faces", faces="3 6 6 6 4 5")
    assert "Draw a casualty card" in page
    again = after_power_failure(club, tmp_path / "again")
    other = Phone(again, phone.address)
    assert without_version(other.page) == without_version(phone.page)
    taps = [("faces", {"faces": "head_killed"})] * 3
    for what, fields in taps:
        if "Draw a casualty card" not in other.page:
            break
        assert without_version(other.tap(what, **fields)) == without_version(phone.tap(what, **fields))
    assert "fought" in other.page
    again.close()


def test_a_melee_of_many_pairs_fits_on_a_phone() -> None:
    """The last results name their men, earlier ones are folded away, and a long result begins with what is left."""
    evening = evening_of("paychest", "Us:\n9 Alpha rifles\nThem:\n9 Red spears", "red", "move; run; 6 6 6; alpha; 8; ")
    while not any(opening.act == "melee" for opening in evening.openings()):
        typed(evening, "next")
    shown, seats = OpenEvening(evening, Path("evening.companion")), frozenset(evening.game.seats)
    for fields in ({"do": "begin", "act": "melee", "unit": "red"}, {"do": "fact", "choice": "0"}):
        shown.act(FormData([*fields.items()]), seats)
    faces = "1 6 " * 3 + "6 6 " * 5
    shown.act(FormData([("do", "faces"), ("faces", faces)]), seats)
    while (ask := shown.shown(seats)["ask"])["text"].startswith("Draw a casualty card"):
        shown.act(FormData([("do", "faces"), ("faces", ask["cards"][0][0])]), seats)
        assert all(": " in line and " of " in line for line in ask["thrown"])
        html = render("companion_book.html.j2", {"base": "", **shown.shown(seats)})
        assert len(re.findall('<p class="faces">', html.partition("</details>")[2].partition("<h2>")[0])) <= 3
    after = shown.shown(seats)
    assert after["is_long"]
    assert after["told"][0] == "Alpha: 6 of 9 figures left"


def test_a_cancelled_act_is_not_begun_again_by_a_server_that_stops(club: Club, phone: Phone, tmp_path: Path) -> None:
    phone.tap("begin", act="fire", unit="field_gun")
    phone.tap("unit", unit="red")
    phone.tap("cancel")
    again = after_power_failure(club, tmp_path / "again")
    assert "How many boxes" not in Phone(again, phone.address).page
    again.close()


def test_a_phone_from_before_the_server_stopped_is_out_of_date(club: Club, phone: Phone, tmp_path: Path) -> None:
    """The numbers of versions do not begin again, so that no old page passes for a new one."""
    version = re.search(r'data-version="(\d+)"', phone.tap("begin", act="fire", unit="field_gun"))
    assert version is not None
    again = after_power_failure(club, tmp_path / "again")
    other = Phone(again, phone.address)
    other.tap("unit", unit="red")
    assert "changed on another phone" in Phone(again, phone.address).refused("unit", unit="blue", version=version[1])
    again.close()


def test_page_says_what_an_evening_without_its_python_house_rule_needs(club: Club, tmp_path: Path) -> None:
    """Once the owner has named its file in a command, the page opens the evening."""
    rule, path = tmp_path / "lucky.py", club.folder / "friday.companion"
    rule.write_text(
        '"""Lucky dice."""\nfrom zareba.api import hookimpl\n\n@hookimpl\ndef zareba_event(table, event):\n    pass\n'
    )
    rules = [find_house_rule(str(rule))]
    new_evening("vcc", scenario_of_list(LIST), seed=1, house_rules=rules, path=path).close()
    answer = club.client.get("/companion/friday")
    assert answer.status_code == 409
    assert "uses the Python house rule" in answer.text and "--house-rule FILE" in answer.text
    app = create_app(Games(club.folder, trusted=lambda _: [rule]), KEY, {HOST})
    client = TestClient(app, follow_redirects=False)
    client.get(f"/enter/{KEY}")
    assert client.get(client.get("/companion/friday").headers["location"]).status_code == 200


def test_a_link_says_nothing_of_the_files_of_an_evening_that_cannot_be_opened(
    club: Club, phone: Phone, tmp_path: Path
) -> None:
    """The owner, who opens it by its name, reads which file it is and why."""
    folder = tmp_path / "again"
    shutil.copytree(club.folder, folder)
    (saved,) = folder.glob("*.companion")
    saved.write_bytes(saved.read_bytes().replace(b'"companion"', b'"compagnon"'))
    again = Club(folder)
    for asked in ("", "/book", "/version"):
        answer = again.stranger().get(f"{phone.address}{asked}")
        assert answer.status_code == 409
        assert "This evening cannot be opened. Ask its owner" in " ".join(answer.text.split()).replace("&#39;", "'")
        assert saved.name not in answer.text
    assert again.stranger().get(f"{phone.address[:-4]}none").status_code == 404
    assert saved.name in again.client.get(f"/companion/{saved.stem}").text
    again.close()


def test_undo_is_offered_once_people_have_done_something(club: Club) -> None:
    """Paychest begins its turn without a question; this entry alone would be done again at once."""
    answer = club.client.post("/companion", data={"ruleset": "paychest", "forces": LIST})
    phone = Phone(club, answer.headers["location"])
    assert ">Undo<" not in phone.page
    assert ">Undo<" in phone.tap("correct", unit="red", what="removed", value="yes")


def test_the_page_says_that_the_companion_rolls_the_whole_act_and_how_to_draw_a_man(club: Club) -> None:
    answer = club.client.post(
        "/companion", data={"ruleset": "risk_factor", "forces": "Us:\n20 Alpha rifles\nThem:\n20 Red spears"}
    )
    phone = Phone(club, answer.headers["location"])
    assert "Roll for me<small>this and all that follows in this act</small>" in phone.page
    phone.tap("faces", faces="5")
    phone.tap("faces", faces="2")
    while "step 3: shooting</h1>" not in phone.page:
        phone.tap("next")
    phone.tap("begin", act="fire", unit=re.findall(r'name="unit" value="(alpha\w*)"', phone.page)[0])
    phone.tap("fact", distance="40")
    phone.tap("fact", choice="0")
    page = phone.tap("fact", none="yes")
    dice = int(re.findall(r'data-dice="(\d+)"', page)[0])
    phone.tap("faces", faces=" ".join(["8"] * dice))
    page = phone.tap("faces", faces=" ".join(["3"] * dice))  # wounds only
    assert "Which figure is hit? Draw at random" in page
    assert "Or throw 1d20 and tap its number:" in page
    assert "<b>2</b><small>man 2 of Red</small>" in page


def test_afriboria_says_on_the_page_how_to_play_solo(club: Club) -> None:
    forces = {"ruleset": "afriboria", "forces": LIST, "solo": "Them"}
    said = " ".join(club.client.post("/companion", data=forces).text.split())
    assert "the setting solo_cards=two_and_die (--set in a command, a line under Settings on the page)" in said
    del forces["solo"]
    answer = club.client.post("/companion", data={**forces, "settings": "solo_cards=two_and_die"})
    assert answer.status_code == 303


def test_two_phones_answer_the_same_question(club: Club, phone: Phone) -> None:
    """The second answer is refused, and the question after it stays open."""
    page = phone.tap("begin", act="fire", unit="field_gun")
    page = phone.tap("unit", unit="red")
    version = re.search(r'data-version="(\d+)"', page)
    assert version is not None
    other = Phone(club, phone.address)
    phone.tap("fact", choice="1", version=version[1])
    assert "changed on another phone" in other.refused("fact", choice="2", version=version[1])
    assert "Cover of Red?" in other.page
    phone.tap("fact", choice="0")
    page = phone.tap("fact", choice="0")
    version = re.search(r'data-version="(\d+)"', page)
    assert version is not None
    phone.tap("faces", faces="1 1 1 1 1", version=version[1])
    assert "changed on another phone" in other.refused("faces", faces="6 6 6 6 6", version=version[1])
    assert "5 hits" in other.page and "30 hits" not in other.page


def test_a_refused_answer_leaves_the_page_as_it_is(phone: Phone) -> None:
    """Typed answers stay, and the next answer is taken."""
    page = phone.tap("begin", act="fire", unit="field_gun")
    version = re.search(r'data-version="(\d+)"', page)
    assert version is not None
    assert "cannot fire now" in phone.refused("unit", unit="alpha", version=version[1])
    assert "whole number from 0 to 6" in phone.refused(
        "correct", unit="red", what="bases", value="lots", version=version[1]
    )
    assert f'data-version="{version[1]}"' in phone.page
    phone.tap("unit", unit="red", version=version[1])
    assert "'near' is not a number; type one such as 12 or 7.5" in phone.refused("fact", distance="near")
    assert "type a distance of 0 or more, not -1" in phone.refused("fact", distance="-1")
    assert "Cover of Red?" in phone.tap("fact", distance="5,0")
    phone.tap("fact", choice="0")
    phone.tap("fact", choice="0")
    said = phone.refused("faces", faces="1 2")
    assert said == "you typed 2 faces, but the throw has 5 dice (fire dice: 5 dice (5 bases; VCC-074))"
    assert "Field gun fired 5 dice at Red (medium): 9 hits" in phone.tap("faces", faces="2x1, 2x2, 3")


def test_a_refused_next_phase_keeps_the_result_and_the_question() -> None:
    evening = evening_of("paychest")
    shown, seats = OpenEvening(evening, Path("evening.companion")), frozenset(evening.game.seats)
    shown.act(FormData([("do", "correct"), ("unit", "red"), ("what", "figures"), ("value", "5")]), seats)
    before = shown.shown(seats)
    with pytest.raises(ZarebaError, match="turn over the next card first"):
        shown.act(FormData([("do", "next")]), seats)
    after = shown.shown(seats)
    assert before["told"] == after["told"] == ("correction: Red, figures: 5",)
    assert (after["version"], after["ask"]) == (before["version"], before["ask"])


def test_two_phones_share_one_act(club: Club, phone: Phone) -> None:
    other = Phone(club, phone.address)
    phone.tap("begin", act="fire", unit="field_gun")
    assert "Which enemy should Field gun fire at?" in other.page
    version = re.search(r'data-version="(\d+)"', other.page)
    assert version is not None
    phone.tap("unit", unit="red")
    assert "changed on another phone" in other.refused("unit", unit="blue", version=version[1])


def test_an_evening_is_found_again_after_a_restart(club: Club, phone: Phone) -> None:
    phone.tap("next")
    assert "list-vcc-1" in club.client.get("/companion").text
    assert club.client.get("/companion/list-vcc-1").headers["location"] == phone.address
    with club.client:
        pass  # the server ends, and closes its files
    again = Club(club.folder)
    answer = again.client.get("/companion/list-vcc-1")
    assert answer.headers["location"] == phone.address
    assert "step 3" in Phone(again, phone.address).page
    again.close()


def test_only_the_owner_starts_an_evening_and_only_a_link_opens_it(club: Club, phone: Phone) -> None:
    stranger = club.stranger()
    assert stranger.get("/companion").status_code == 403
    assert stranger.get("/companion/list-vcc-1").status_code == 403
    assert stranger.get("/companion/list-vcc-1/guess").status_code == 404
    assert stranger.get("/companion/no-such/guess").status_code == 404


def test_each_side_has_its_link(club: Club, phone: Phone) -> None:
    page = club.client.get("/companion/list-vcc-1/links").text
    found = re.findall(r'<h2>(.*?)</h2><p><a href="http://testserver(/companion/[^"]+)"', page)
    assert [holder for holder, _ in found] == ["Everyone", "Us", "Them"]
    assert found[0][1] == phone.address
    assert len({address for _, address in found}) == 3
    assert "step 1" in Phone(club, found[2][1]).page
    assert club.stranger().get("/companion/list-vcc-1/links").status_code == 403


def test_form_says_what_is_wrong(club: Club) -> None:
    answer = club.client.post("/companion", data={"ruleset": "vcc", "forces": "Us:\n12 rifels"})
    assert answer.status_code == 400
    assert "did you mean &#39;rifles&#39;?" in answer.text
    answer = club.client.post(
        "/companion", data={"ruleset": "vcc", "battle": "patrol_clash", "settings": "mg_overheat"}
    )
    assert "write NAME=VALUE" in answer.text


def test_a_side_without_a_player_is_named_in_the_form(club: Club) -> None:
    lists = {"ruleset": "risk_factor", "forces": LIST}
    answer = club.client.post("/companion", data={**lists, "solo": "the martians"})
    assert answer.status_code == 400
    assert "side" in answer.text
    side = LIST.splitlines()[0].rstrip(":")
    assert club.client.post("/companion", data={**lists, "solo": side}).status_code == 303
    answer = club.client.post("/companion", data={"ruleset": "vcc", "forces": LIST, "solo": side})
    assert "Victorian Colonial Combat has no rules that run a side without a player" in answer.text
    assert "the rulebook has no solo rules" in answer.text
    answer = club.client.post("/companion", data={"ruleset": "afriboria", "forces": LIST, "solo": side})
    assert "its solo method is the setting solo_cards=two_and_die" in answer.text


def test_hostile_names_are_shown_as_text(club: Club) -> None:
    forces = "<b>Us</b>:\n20 <i>x</i> rifles\nThem:\n24 Red spears"
    answer = club.client.post("/companion", data={"ruleset": "vcc", "forces": forces})
    page = Phone(club, answer.headers["location"]).page
    assert "<i>x</i>" not in page
    assert "&lt;i&gt;x&lt;/i&gt;" in page


def test_unit_cards_have_codes(phone: Phone) -> None:
    page = phone.client.get(f"{phone.address}/cards").text
    assert page.count('class="qr"') == 5  # four units and the Army Commander
    assert "□□□□□" in page


def test_a_unit_card_says_what_the_unit_is_and_crosses_its_losses(club: Club) -> None:
    forces = "Us:\n20 Alpha rifles, veteran, Lt Ashby\n12 Reserve rifles, turn 2 on 4+\nThem:\n24 Red spears"
    answer = club.client.post("/companion", data={"ruleset": "vcc", "forces": forces})
    phone = Phone(club, answer.headers["location"])
    phone.tap("correct", unit="red", what="bases", value="4")
    page = phone.client.get(f"{phone.address}/cards").text
    assert "20 infantry figures of veteran quality, with breech rifle and bayonet" in page
    assert "Lt Ashby, officer" in page
    assert "due in turn 2" in page and "on a d6 of 4 or more" in page
    assert "□□□□☒☒" in page


def test_the_rulebook_and_the_whole_log_are_a_tap_away(phone: Phone) -> None:
    assert f'action="{phone.address}/rules"' in phone.page
    page = phone.client.get(f"{phone.address}/rules", params={"words": "flank melee"}).text
    assert "<b>VCC-124</b>" in page and "<b>VCC-074</b>" not in page
    assert "<details open>" in phone.client.get(f"{phone.address}/rules", params={"words": "74"}).text
    for words, said in (("martians", "contains &#39;martians&#39;"), ("999", "has the number"), ("", "type a word")):
        assert said in phone.client.get(f"{phone.address}/rules", params={"words": words}).text
    for bases in range(1, 15):  # more entries than the page shows
        phone.tap("correct", unit="red", what="bases", value=str(bases % 6 + 1))
    first = "correction: Red, bases: 2"
    assert phone.page.count(first) == 2 and phone.client.get(f"{phone.address}/log").text.count(first) == 3


def test_page_works_without_scripts(phone: Phone) -> None:
    answer = phone.client.post(f"{phone.address}/do", data={"do": "begin", "act": "fire", "unit": "field_gun"})
    assert answer.status_code == 303
    assert answer.headers["location"] == phone.address
    assert "Which enemy should Field gun fire at?" in phone.page


FBN_LIST = "Us:\n10 Alpha rifles\n1 field gun, 4 crew\nThem:\n12 Red spears\n12 Blue muskets"


def test_acts_of_a_single_unit_leave_out_its_name(club: Club) -> None:
    answer = club.client.post("/companion", data={"ruleset": "fixed_baynet", "forces": FBN_LIST})
    phone = Phone(club, answer.headers["location"])
    phone.tap("faces", faces="2")
    phone.tap("faces", faces="5")
    html = phone.tap("unit", unit="alpha")
    assert "<h2>Alpha</h2>" in html
    assert ">change posture or formation, mount or dismount</button>" in html


def test_all_units_are_named_with_one_tap(club: Club) -> None:
    forces = "Us:\n8 Alpha rifles\nThem:\n12 Red spears\n12 Blue spears"
    answer = club.client.post("/companion", data={"ruleset": "risk_factor", "forces": forces})
    phone = Phone(club, answer.headers["location"])
    phone.tap("faces", faces="1")
    phone.tap("faces", faces="6")
    phone.tap("fact")  # all see an enemy
    assert "clear sight" in phone.tap("fact")  # none has cover
    assert ">All</button>" in phone.page
    phone.tap("fact", all="yes")
    phone.tap("fact")
    page = phone.tap("faces", faces="2 3")
    assert "Red: advance; it threw 2 on the Action table for melee troops with Risk Factor 1" in page
    assert "Blue: advance; it threw 3 on the Action table for melee troops with Risk Factor 1" in page


def test_volley_of_single_shots_is_tapped_in_one_go(club: Club) -> None:
    """Fixed Bay'net rolls for each man. The faces of all dice are one answer."""
    answer = club.client.post("/companion", data={"ruleset": "fixed_baynet", "forces": FBN_LIST})
    phone = Phone(club, answer.headers["location"])
    phone.tap("faces", faces="2")
    phone.tap("faces", faces="5")  # the side that rolls less activates first
    phone.tap("unit", unit="alpha")
    phone.tap("begin", act="fire", unit="alpha")
    page = phone.tap("unit", unit="red")
    assert "How far from Alpha to Red?" in page
    phone.tap("fact", distance="9")
    page = phone.tap("fact", choice="0")
    assert "10 rolls in order (NCO 1 of Alpha, man 2 to 10 of Alpha), the first: Shot for NCO 1 of Alpha" in page
    assert 'data-dice="10"' in page
    assert "fire 3: 4 DS (FBN-082); -1 target in mass (FBN-058)" in page
    page = phone.tap("faces", faces="3 3 3 3 1 1 1 1 1 1")
    assert "Alpha fired 10 shots at Red" in page
    assert "Red lost 4 men: 4 fell" in page


@pytest.fixture
def hexes(club: Club) -> Phone:
    """A phone with an evening of Afriboria, in the battles of the first player turn."""
    forces = "Us:\n6 Alpha rifles\n6 Bravo rifles\nThem:\n8 Red spears\n8 Blue spears, elite"
    answer = club.client.post("/companion", data={"ruleset": "afriboria", "forces": forces})
    assert answer.status_code == 303, answer.text
    made = Phone(club, answer.headers["location"])
    for card in ["red_2", "blue_2", "green_1", "sp_volley", "red_1", "red_3", "blue_1", "sp_rally"]:
        made.tap("faces", faces=card)
    made.tap("faces", faces="6")
    made.tap("faces", faces="2")
    made.tap("decide", choice="0")
    made.tap("begin", act="card")
    made.tap("decide", choice="2")
    made.tap("fact", choice="0")  # Alpha alone gets an order
    made.tap("fact")
    made.tap("next")
    return made


def test_volley_of_afriboria_takes_six_taps_with_saves(hexes: Phone) -> None:
    assert "Us · battles" in hexes.page
    hexes.tap("begin", act="battle", unit="alpha")
    page = hexes.tap("unit", unit="red")
    assert "How many hexes from Alpha to Red?" in page
    hexes.tap("fact", choice="1")
    page = hexes.tap("fact")  # both in the open, and Red stands
    assert "battle dice 3: 3 row" in page
    hexes.tap("faces", faces="6 2 2")
    page = hexes.tap("faces", faces="5")
    assert "Alpha battled Red with 3 dice: 1 hit, 1 killed" in page


def test_a_side_sees_only_its_own_hand(club: Club, hexes: Phone) -> None:
    links = club.client.get(hexes.address.rsplit("/", 1)[0] + "/links").text
    us, them = list(re.findall(r'href="[^"]*?(/companion/[^"]+)"', links))[-2:]
    ours, theirs = Phone(club, us).page, Phone(club, them).page
    assert "one green unit" in ours and "one green unit" not in theirs
    assert "rally" in theirs and "4 face down" in ours


# --- The number of taps -----------------------------------------------------------------------------------------------

TWO_A_SIDE = "Us:\n20 Alpha rifles, Lt Ashby\n20 Bravo rifles\nThem:\n20 Red muskets, Chief Red\n24 Blue spears"


@pytest.fixture
def rough_odds(monkeypatch: pytest.MonkeyPatch) -> None:
    """Sample the odds before a throw from few plays, for tests that do not look at them."""
    monkeypatch.setattr(Companion, "samples", 20)


def taps(evening: Evening[Any], act: str, unit: str, *wishes: str) -> int:
    """Do an act as people do on the page, from the list of acts to its result. Return the number of taps.

    `wishes` are the buttons that people look for, or the distance that they type, which takes a second tap on "Take";
    everything else has its usual answer, and the companion rolls.
    """
    shown, all_seats, left = OpenEvening(evening, Path("evening.companion")), frozenset(evening.game.seats), [*wishes]
    fields: list[tuple[str, str]] = [("do", "begin"), ("act", act), ("unit", unit)]
    if not any(opening.act == act for opening in evening.openings()):
        shown.act(FormData([("do", "any")]), all_seats)
    typed_numbers = 0
    for number in range(1, 30):
        shown.act(FormData(fields), all_seats)
        page = shown.shown(all_seats)
        if page["told"]:
            return number + typed_numbers
        fields = tap_for(page["ask"], left)
        typed_numbers += fields[-1][0] == "distance" and not page["ask"]["usual"]
    raise AssertionError(f"no result after {number} taps: {page['ask']}")


def tap_for(ask: dict[str, Any], wishes: list[str]) -> list[tuple[str, str]]:
    """Return the form that one tap sends: the first wish, if the screen offers it, or else the usual answer."""
    if ask["kind"] == "Throw":
        return [("do", "roll")]
    if ask["kind"] == "PickUnit":
        units = {name: unit for unit, name, *_ in ask["units"]}
        return [("do", "unit"), ("unit", units[wishes.pop(0)])]
    if ask["kind"] == "Decide":
        wanted = ask["options"].index(wishes.pop(0)) if wishes and wishes[0] in ask["options"] else 0
        return [("do", "decide"), ("choice", str(wanted))]
    named = {words: number for number, words, _ in ask["choices"]}
    if wishes and wishes[0] in named:
        return [("do", "fact"), ("choice", str(named[wishes.pop(0)]))]
    if ask["many"]:
        return [("do", "fact"), *(("choice", str(number)) for number, _, is_usual in ask["choices"] if is_usual)]
    usual = [number for number, _, is_usual in ask["choices"] if is_usual]
    if usual:
        return [("do", "fact"), ("choice", str(usual[0]))]
    return [("do", "fact"), ("distance", ask["usual"] or wishes.pop(0))]


def evening_of(ruleset: str, forces: str = TWO_A_SIDE, *lines: str) -> Evening[Any]:
    """Return an evening after some lines at the prompt."""
    evening = new_evening(ruleset, scenario_of_list(forces), seed=3)
    typed(evening, *lines)
    return evening


@pytest.mark.usefixtures("rough_odds")
def test_ordinary_volley_takes_six_taps_at_most() -> None:
    hands = "red 3; red 2; red 1; blue 3", "blue 2; red 3; blue 1; green 1"
    afriboria = evening_of("afriboria", TWO_A_SIDE, "next", *hands, "6; 1; first", "1; 2", "alpha", "next")
    found = {
        "afriboria": taps(afriboria, "battle", "alpha", "Red", "2 hexes"),
        "fixed_baynet": taps(
            evening_of("fixed_baynet", TWO_A_SIDE, "1", "6", "alpha"), "fire", "alpha", "Red", 'medium (6" to 12")'
        ),
        "paychest": taps(
            evening_of("paychest"), "volley", "alpha", "Red", "all men, at all of Red", "short, up to 12 inches"
        ),
        "risk_factor": taps(evening_of("risk_factor", TWO_A_SIDE, "6; 1"), "fire", "alpha_1", "Red", "up to 30 cm"),
        "vcc": taps(evening_of("vcc"), "fire", "alpha", "Red", "medium (up to 2 boxes)"),
    }
    assert max(found.values()) <= 6, found


def test_quick_sheet_has_the_numbers_of_the_evening(tmp_path: Path) -> None:
    app = create_app(Games(tmp_path), KEY, {HOST}, charts=lambda rules: sheet_of(rules).tables)
    client = TestClient(app, follow_redirects=False)
    client.get(f"/enter/{KEY}")
    forces = {"ruleset": "vcc", "battle": "patrol_clash", "settings": "hits_per_base=9"}
    address = client.post("/companion", data=forces).headers["location"]
    assert f'href="{address}/sheet"' in client.get(address).text
    sheet = client.get(f"{address}/sheet").text
    assert "target mounted" in sheet and "<td>9</td>" in sheet


@pytest.mark.usefixtures("rough_odds")
def test_ordinary_charge_and_melee() -> None:
    baynet = evening_of("fixed_baynet", TWO_A_SIDE, "1", "6", "alpha")
    paychest = evening_of("paychest")
    vcc = evening_of("vcc")
    risk_factor = evening_of("risk_factor", TWO_A_SIDE, "6; 1", "any", "meet alpha 1; red")
    charge_of_vcc = taps(vcc, "charge", "blue", "Alpha")
    for evening in (vcc, risk_factor):
        while not any(opening.act == "melee" for opening in evening.openings()):
            evening.next(leave_out=True)
    found = {
        "charge of Fixed Bay'net": taps(baynet, "charge", "alpha", "Red"),
        "melee of Fixed Bay'net": taps(baynet, "strike", "alpha", "Red"),
        "charge of Paychest": taps(paychest, "move", "blue", "all run or charge", "Alpha"),
        "melee of Paychest": taps(paychest, "melee", "blue"),
        "melee of Risk Factor": taps(risk_factor, "melee", "alpha_1"),
        "charge of VCC": charge_of_vcc,
        "melee of VCC": taps(vcc, "melee", ""),
    }
    assert max(found.values()) <= 6, found


def test_owner_of_the_target_says_once_who_shoots_back() -> None:
    evening = evening_of("fixed_baynet", TWO_A_SIDE, "1", "6", "alpha")
    shown, (us, them) = OpenEvening(evening, Path("evening.companion")), evening.game.seats
    both, ours, theirs = frozenset((us, them)), frozenset((us,)), frozenset((them,))
    for fields in ({"do": "begin", "act": "fire", "unit": "alpha"}, {"do": "unit", "unit": "red"}):
        shown.act(FormData([*fields.items()]), both)
    for fields in ({"do": "fact", "distance": "9"}, {"do": "fact", "choice": "0"}, {"do": "roll"}):
        shown.act(FormData([*fields.items()]), both)
    ask = shown.shown(theirs)["ask"]
    assert ask["text"] == "Which men of Red shoot back when they are hit? (1 AC each)"
    assert [(words, is_usual) for _, words, is_usual in ask["choices"]] == [
        ("the common men", True), ("Chief Red", True), ("hero 2 of Red", True),
    ]  # fmt: skip
    assert (shown.shown(ours)["ask"]["kind"], shown.shown(ours)["ask"]["who"]) == ("Decide", "Them")
    with pytest.raises(ZarebaError, match="the other side decides that"):
        shown.act(FormData([("do", "fact"), ("none", "yes")]), ours)
    shown.act(FormData([("do", "fact"), ("none", "yes")]), theirs)
    told = shown.shown(both)["told"]
    assert told[0] == "Alpha fired 20 shots at Red" and not any("shot back" in line for line in told)
