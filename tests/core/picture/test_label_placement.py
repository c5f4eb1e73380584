"""Labels cover neither each other nor figures, and become fewer when there is less room."""

from __future__ import annotations

from itertools import combinations
from random import Random

from tests.core.seeds import seeds

from zareba.picture.label_placement import Label, LabelPlacement, LabelSize, PlacedLabel, Spot
from zareba.space.geometry import Bounds

PLATE, NAMED = LabelSize(1.0, 0.5, 0.5), LabelSize(2.0, 0.5, 1.2)


def box_of(label: Label, placed: PlacedLabel) -> Bounds:
    half, up, down = label.sizes[placed.detail]
    return placed.x - half, placed.y - down, placed.x + half, placed.y + up


def meet(a: Bounds, b: Bounds) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


@seeds(60)
def test_labels_cover_neither_figures_nor_each_other(seed: int) -> None:
    random = Random(seed)
    room, figures, labels = LabelPlacement(40, 30), [], []
    for _ in range(random.randint(1, 40)):
        x, y = random.uniform(1, 39), random.uniform(1, 29)
        figures.append((x - 0.5, y - 0.5, x + 0.5, y + 0.5))
        room.keep_free(figures[-1])
        labels.append(Label(random.randint(0, 3), (NAMED, PLATE), box=figures[-1], below=random.random() < 0.5))
    placed = room.place(labels)
    boxes = [box_of(label, at) for label, at in zip(labels, placed, strict=True) if at is not None]
    assert not any(meet(a, b) for a, b in combinations([_shrunk(box) for box in boxes], 2))
    assert not any(meet(_shrunk(box), figure) for box in boxes for figure in figures)
    assert all(box[0] >= 0 and box[1] >= 0 and box[2] <= 40 and box[3] <= 30 for box in boxes)


def _shrunk(box: Bounds) -> Bounds:
    return box[0] + 1e-9, box[1] + 1e-9, box[2] - 1e-9, box[3] - 1e-9


def test_a_label_with_room_shows_its_name_next_to_its_unit() -> None:
    (placed,) = LabelPlacement(40, 30).place([Label(0, (NAMED, PLATE), box=(19.5, 14.5, 20.5, 15.5))])
    assert placed == PlacedLabel(20.0, 16.7, 0, False)


def test_a_label_is_placed_below_before_above() -> None:
    label = Label(0, (PLATE,), box=(19.5, 14.5, 20.5, 15.5), below=True)
    (placed,) = LabelPlacement(40, 30).place([label])
    assert placed == PlacedLabel(20.0, 14.0, 0, False)


def test_unit_plates_stay_if_names_have_no_room() -> None:
    units = [Label(0, (NAMED, PLATE), box=(x, 1.0, x + 0.5, 1.5)) for x in (1.0, 3.2, 5.4, 7.6)]
    placed = LabelPlacement(9, 2.5).place(units)
    assert all(at is not None for at in placed) and sum(at.detail for at in placed if at) >= 3


def test_a_lower_rank_keeps_its_label_where_only_one_has_room() -> None:
    def label(rank: int) -> Label:
        return Label(rank, (PLATE,), [Spot(1.0, 1.0, "c")])

    assert [at is not None for at in LabelPlacement(2, 2).place([label(2), label(0), label(1)])] == [False, True, False]


def test_a_tag_away_from_its_unit_is_linked_by_a_line() -> None:
    room = LabelPlacement(40, 30)
    room.keep_free((17, 12, 23, 18))
    (placed,) = room.place([Label(0, (PLATE,), box=(19.5, 14.5, 20.5, 15.5))])
    assert placed is not None and placed.is_tied


def test_the_plate_of_a_wide_label_stays_next_to_its_unit() -> None:
    room = LabelPlacement(40, 30)
    room.keep_free((15, 15.5, 25, 18))
    room.keep_free((15, 12, 25, 14.5))
    wide = LabelSize(5.0, 0.5, 1.2)
    (placed,) = room.place([Label(0, (wide, PLATE), box=(19.5, 14.5, 20.5, 15.5))])
    assert placed == PlacedLabel(21.5, 15.0, 1, False), "the plate alone, not a name whose plate is 5 inches away"
