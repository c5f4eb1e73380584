"""Records: independent copies and lossless JSON for every kind of field."""

from __future__ import annotations

import json
import pickle
from dataclasses import dataclass
from types import SimpleNamespace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from zareba.base.state import CopyOnWrite, Record, WithSpec, canonical_json, digest, facts, record, shared

Grid = tuple[tuple[int, ...], ...]


@dataclass(frozen=True)
class Chart:
    """A large object that never changes."""

    name: str


@record
class Man(Record):
    name: str
    hits: int = 0


@record
class Camp(Record):
    """A record with one field of every supported kind."""

    name: str
    turn: int
    share: float
    over: bool
    chief: Man
    guest: Man | None
    marks: frozenset[str]
    spots: frozenset[tuple[int, int]]
    route: tuple[int, ...]
    pair: tuple[str, int]
    rows: Grid
    watch: tuple[Man, ...]
    post: tuple[int, Man]
    men: list[Man]
    queue: list[str]
    piles: list[list[int]]
    by_name: dict[str, Man]
    by_box: dict[int, tuple[str, ...]]
    stores: dict[str, dict[str, int]]
    tents: CopyOnWrite[str, Man]
    word: str | None = None
    chart: Chart = shared(default=Chart("none"))


names = st.text(max_size=6)
small = st.integers(-(10**6), 10**6)
men = st.builds(Man, names, small)
camps = st.builds(
    Camp,
    name=names,
    turn=small,
    share=st.floats(allow_nan=False, allow_infinity=False),
    over=st.booleans(),
    chief=men,
    guest=st.none() | men,
    marks=st.frozensets(names, max_size=4),
    spots=st.frozensets(st.tuples(small, small), max_size=3),
    route=st.lists(small, max_size=4).map(tuple),
    pair=st.tuples(names, small),
    rows=st.lists(st.lists(small, max_size=3).map(tuple), max_size=3).map(tuple),
    watch=st.lists(men, max_size=2).map(tuple),
    post=st.tuples(small, men),
    men=st.lists(men, max_size=3),
    queue=st.lists(names, max_size=3),
    piles=st.lists(st.lists(small, max_size=3), max_size=3),
    by_name=st.dictionaries(names, men, max_size=3),
    by_box=st.dictionaries(small, st.lists(names, max_size=2).map(tuple), max_size=3),
    stores=st.dictionaries(names, st.dictionaries(names, small, max_size=2), max_size=2),
    tents=st.dictionaries(names, men, max_size=3).map(CopyOnWrite),
    word=st.none() | names,
    chart=st.builds(Chart, names),
)


@given(camps)
def test_a_copy_equals_and_shares_nothing_that_can_change(camp: Camp) -> None:
    before = json.dumps(camp.to_data())
    copy = camp.copy()
    assert copy == camp
    copy.chief.hits += 1
    for man in (*copy.men, *copy.by_name.values(), *([copy.guest] if copy.guest else [])):
        man.name += "!"
    for pile in copy.piles:
        pile.append(1)
    for store in copy.stores.values():
        store["new"] = 1
    for key in copy.tents:
        copy.tents.change(key).name += "!"
    copy.tents["new"] = Man("new")
    copy.men.append(Man("new"))
    copy.queue.append("new")
    copy.piles.append([])
    copy.by_name["new"] = Man("new")
    copy.by_box[0] = ("new",)
    copy.stores["new"] = {}
    assert json.dumps(camp.to_data()) == before
    assert copy.chart is camp.chart


@given(camps)
def test_json_and_back_gives_the_same_record_with_the_same_types(camp: Camp) -> None:
    written = canonical_json(camp.to_data())
    again = Camp.from_data(json.loads(written), chart=camp.chart)
    assert again == camp
    assert again.chart is camp.chart
    assert canonical_json(again.to_data()) == written
    assert type(again.marks) is frozenset and type(again.route) is tuple
    assert all(type(spot) is tuple for spot in again.spots)
    assert all(type(box) is int for box in again.by_box)
    assert type(again.tents) is CopyOnWrite


def test_a_record_is_copied_when_either_side_first_changes_it() -> None:
    tents = CopyOnWrite({"red": Man("a"), "blue": Man("b")})
    red = tents.change("red")
    assert red is tents["red"], "not shared yet, so not copied"
    copy = tents.copy()
    assert copy["red"] is red and copy == tents
    tents.change("red").hits = 1
    assert (tents["red"].hits, copy["red"].hits) == (1, 0)
    assert tents.change("red") is tents["red"]
    assert copy["blue"] is tents["blue"]
    copy.change("blue").hits = 2
    assert (tents["blue"].hits, copy["blue"].hits) == (0, 2)
    second = copy.copy()
    copy.change("blue").hits = 3
    assert second["blue"].hits == 2
    with pytest.raises(KeyError):
        tents.change("green")


def test_records_copied_on_write_can_be_pickled() -> None:
    tents = CopyOnWrite({"red": Man("a")})
    again = pickle.loads(pickle.dumps(tents))
    again.change("red").hits = 1
    assert type(again) is CopyOnWrite and tents["red"].hits == 0


@given(camps, camps)
def test_a_digest_tells_different_records_apart(one: Camp, other: Camp) -> None:
    same_data = canonical_json(one.to_data()) == canonical_json(other.to_data())
    assert (digest(one.to_data()) == digest(other.to_data())) == same_data
    assert len(digest(one.to_data())) == 32


def test_shared_fields_are_left_out_of_json_and_equality() -> None:
    man = Man("a")
    fields: dict[str, Any] = {
        "name": "", "turn": 1, "share": 0.5, "over": False, "chief": man, "guest": None, "marks": frozenset(),
        "spots": frozenset(), "route": (), "pair": ("", 0), "rows": (), "watch": (), "post": (0, man), "men": [],
        "queue": [], "piles": [], "by_name": {}, "by_box": {}, "stores": {}, "tents": CopyOnWrite(),
    }  # fmt: skip
    one, other = Camp(**fields, chart=Chart("one")), Camp(**fields, chart=Chart("other"))
    assert one == other
    assert "chart" not in one.to_data() and "chart" not in repr(one)
    assert Camp.from_data(one.to_data()).chart == Chart("none")


@record
class Scout(WithSpec):
    marks: frozenset[str]
    spec: Chart = shared(default=None)
    known: Chart | None = shared(default=None)


@record
class Patrol(Record):
    scouts: dict[int, Scout]
    chart: Chart = shared(default=None)


def test_shared_fields_come_from_a_similar_record_without_its_caches() -> None:
    start = Patrol(
        {number: Scout(frozenset(), Chart(str(number)), Chart("looked up")) for number in (1, 2)}, Chart("all")
    )
    data = start.to_data()
    data["scouts"]["3"] = {"marks": []}
    again = Patrol.from_data(json.loads(canonical_json(data)), like=start)
    assert again.chart is start.chart
    assert [again.scouts[number].spec for number in (1, 2, 3)] == [start.scouts[1].spec, start.scouts[2].spec, None]
    assert all(scout.known is None for scout in again.scouts.values())
    assert Patrol.from_data(data, like=start, chart=Chart("mine")).chart == Chart("mine")


def test_records_have_slots() -> None:
    man = Man("a")
    with pytest.raises(AttributeError):
        man.wounds = 1  # type: ignore[attr-defined]  # that is the point


def test_an_undecorated_record_is_reported() -> None:
    class Bare(Record):
        __slots__ = ()

    for act in (Bare().copy, Bare().to_data, lambda: Bare.from_data({})):
        with pytest.raises(TypeError, match="Bare is not decorated with @record"):
            act()


@record
class Loose(Record):
    marks: set[str]


@record
class Vague(Record):
    men: list  # type: ignore[type-arg]  # that is the point


@record
class Keyed(Record):
    by_spot: dict[tuple[int, int], list[int]]


@pytest.mark.parametrize(
    ("kind", "value", "wrong"),
    [
        (Loose, set(), r"Loose.marks: set\[str\] cannot be a field of a record; .* use frozenset"),
        (Vague, [], "Vague.men: .*list.* cannot be a field of a record; give the types of its items"),
        (Keyed, {}, "Keyed.by_spot: the keys of .* cannot be written as JSON"),
    ],
)
def test_fields_that_would_be_copied_or_written_wrongly_are_refused(kind: type[Record], value: Any, wrong: str) -> None:
    made = kind(value)  # type: ignore[call-arg]  # each has one field
    for act in (made.copy, made.to_data):
        with pytest.raises(TypeError, match=wrong):
            act()


@facts
class Shot(Record):
    bases: int
    band: str = "close"


def test_facts_are_immutable_values() -> None:
    assert Shot(3) == Shot(3, "close") and hash(Shot(3)) == hash(Shot(3, "close"))
    assert Shot(3) != Shot(4)
    assert len({Shot(3), Shot(3), Shot(3, "long")}) == 2


def test_canonical_json_keeps_order_and_refuses_what_is_not_finite() -> None:
    assert canonical_json({"b": 1, "a": ["é", None]}) == '{"b":1,"a":["é",null]}'
    assert digest({"b": 1, "a": 2}) != digest({"a": 2, "b": 1})
    with pytest.raises(ValueError, match="JSON"):
        canonical_json(float("nan"))


@record
class Tent(WithSpec):
    marks: frozenset[str] = frozenset()
    spec: Any = shared(default=None)


def test_unchanging_properties_of_a_piece_are_in_its_spec() -> None:
    tent = Tent(spec=SimpleNamespace(id="red_tent", side="red"))
    assert (tent.id, tent.side) == ("red_tent", "red")
    assert tent.copy().id == "red_tent" and tent.to_data() == {"marks": []}
