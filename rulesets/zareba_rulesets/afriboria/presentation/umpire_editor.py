"""The values that an umpire may set under these rules."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from zareba.base.errors import ZarebaError, unknown_name
from zareba.presentation.umpire_editor import Allowed, PieceRange, UmpireEditor, in_parts
from zareba.table import Point, Table
from zareba_rulesets.afriboria.chapters.combat import dice_facts
from zareba_rulesets.afriboria.chapters.losses import lose_figures, remove, remove_commander, shoot_down
from zareba_rulesets.afriboria.chapters.sight import sees, sight_blockers
from zareba_rulesets.afriboria.forces.battle import Battle, reach_of
from zareba_rulesets.afriboria.forces.pieces import OFF, Commander, Unit

DEPLOYMENT = "deploy"


class AfrUmpireEditor(UmpireEditor[Battle]):
    """The umpire editor: units, commanders, fliers, and a side's hand of cards."""

    pieces = ("units", "commanders", "fliers", "sides")
    fields: ClassVar[Mapping[str, Allowed]] = {
        "ladders": bool, "mounted": bool, "moved": range(13), "shots": range(10), "points": range(100),
        "strength": range(1, 25), "fuel": range(13), "bombs": range(10),
    }  # fmt: skip
    marks = frozenset({"move", "battle", "moved", "acted", "done", "no_battle", "inspired", "unexposed", "wounded"})

    def editable_fields(self, state: Battle, piece: str) -> Iterator[tuple[str, Any]]:
        for name, value in super().editable_fields(state, piece):
            if name != "mounted" or state.units[piece].spec.foot is not None:
                yield name, value

    def measurements(self, state: Battle, piece: str, other: str) -> tuple[str, ...]:
        a, b = self.piece(state, piece), self.piece(state, other)
        if not hasattr(a, "hex") or not hasattr(b, "hex") or OFF in (a.hex, b.hex):
            return ()
        in_sight = sees(state, a.hex, b.hex)
        seen = self.sight_phrase(in_sight, "AFR-155", sight_blockers(state, a.hex, b.hex))
        reach = (f"its dice reach {reach_of(state, a)} hexes (AFR-037)",) if isinstance(a, Unit) else ()
        kinds = ", ".join(state.ground(b.hex).kinds) or "open"
        dice: tuple[str, ...] = ()
        if in_sight and isinstance(a, Unit) and 0 < state.field.distance[a.hex][b.hex] <= reach_of(state, a):
            dice = (in_parts(state.book.rules.tally("battle_dice", dice_facts(state, a, a.hex, b.hex))),)
        return (seen, *reach, f"ground: {kinds.replace('_', ' ')}", *dice)

    def reaches(self, state: Battle, piece: str) -> Iterator[PieceRange]:
        unit, chief = state.units.get(piece), state.commanders.get(piece)
        if unit is not None and unit.hex != OFF:
            distances = state.field.distance[unit.hex]
            near = [
                cell
                for cell in state.field.grid.cells
                if 0 < distances[cell] <= reach_of(state, unit) and sees(state, unit.hex, cell)
            ]
            bands = {
                f"{far} hexes": [cell for cell in near if distances[cell] == far]
                for far in range(1, reach_of(state, unit) + 1)
            }
            yield PieceRange("fire", "AFR-037", "its dice", cells=bands)
        if chief is not None and chief.hex != OFF and chief.spec.officer:
            yield PieceRange("command", "AFR-183", "the officer's hex", cells={"": [chief.hex]})

    def figures_left(self, state: Battle, piece: str) -> int | None:
        unit = state.units.get(piece)
        return None if unit is None else unit.figures

    def max_figures(self, state: Battle, piece: str) -> int:
        return state.units[piece].spec.figures

    def set_figures(self, table: Table, state: Battle, piece: str, count: int) -> None:
        unit = state.units[piece]
        if unit.hex == OFF:
            raise ZarebaError(f"{unit.spec.name} is not on the table; move it there first")
        if count < unit.figures:
            lose_figures(table, state, unit, unit.figures - count, "other", "")
            return
        more = count - unit.figures
        unit.figures = count
        unit.firearms = min(unit.spec.firearms, unit.firearms + more)
        if unit.sections:
            unit.sections[unit.hex] += more

    def move(self, table: Table, state: Battle, piece: str, at: Point) -> None:
        cell = state.field.grid.at(int(at[0]), int(at[1]))
        if cell is None:
            raise ZarebaError("there is no such hex on the table")
        moved_piece = self.piece(state, piece)
        if isinstance(moved_piece, Unit):
            self._move_unit(state, moved_piece, cell)
        elif isinstance(moved_piece, Commander):
            self._move_commander(state, moved_piece, cell)
        elif piece in state.fliers:
            state.fliers[piece].hex = cell
            state.gone.pop(piece, None)
        else:
            raise ZarebaError(f"{self.game.narrator.name_of(piece)} cannot be moved")

    def _move_unit(self, state: Battle, unit: Unit, cell: int) -> None:
        """Put a unit into a hex. Raises ZarebaError if the hex has no room for it."""
        name = unit.spec.id
        others = [other for other in state.here.get(cell, ()) if other != name]
        if state.held_by_enemy(cell, unit.side):
            raise ZarebaError(f"{state.field.grid.label(cell)} is held by the enemy (AFR-081)")
        if len(others) >= state.book.room:
            raise ZarebaError(f"{state.field.grid.label(cell)} has no room for {unit.spec.name} (AFR-085)")
        if state.is_shut_out(cell, unit.side):
            raise ZarebaError(
                f"{state.field.grid.label(cell)} is closed to {unit.spec.name} by an enemy structure (AFR-328)"
            )
        if unit.figures == 0:
            unit.figures, unit.firearms = 1, min(1, unit.spec.firearms)
        self._come_back(state, name)
        state.move(unit, cell)

    def _move_commander(self, state: Battle, chief: Commander, cell: int) -> None:
        """Put a commander into a hex. Raises ZarebaError for one with an enemy or another commander."""
        if state.held_by_enemy(cell, chief.side) or state.chiefs.get(cell, chief.spec.id) != chief.spec.id:
            raise ZarebaError(f"{state.field.grid.label(cell)} holds an enemy or another commander (AFR-095, AFR-096)")
        self._come_back(state, chief.spec.id)
        state.place(chief, cell)

    def _come_back(self, state: Battle, name: str) -> None:
        """Cancel the piece's arrival, deployment or removal."""
        state.gone.pop(name, None)
        state.arrivals.pop(name, None)
        if state.stage == DEPLOYMENT and name in state.waiting:
            state.waiting.remove(name)

    def remove(self, table: Table, state: Battle, piece: str) -> None:
        removed_piece = self.piece(state, piece)
        if piece in state.gone:
            raise ZarebaError(f"{self.game.narrator.name_of(piece)} is already off the table")
        self._come_back(state, piece)
        if isinstance(removed_piece, Unit):
            removed_piece.figures, removed_piece.firearms = 0, 0
            remove(table, state, removed_piece, "destroyed", "")
        elif isinstance(removed_piece, Commander):
            remove_commander(state, removed_piece, "killed")
        elif piece in state.fliers:
            shoot_down(table, state, state.fliers[piece], "umpire", "")
        else:
            raise ZarebaError(f"{self.game.narrator.name_of(piece)} cannot be removed")
        if piece in state.waiting:
            state.waiting.remove(piece)

    def deal(self, state: Battle, side: str, card: str, *, give: bool) -> None:
        """Give a card by name, from the pile or else the discards, or return it to the pile (AFR-010)."""
        if side not in state.sides:
            raise unknown_name("side", side, state.sides)
        own, deck = state.sides[side], state.deck
        card_key = next((key for key, entry in state.book.cards.items() if card in (key, entry.title)), card)
        if card_key not in state.book.cards:
            raise unknown_name("card", card, state.book.cards)
        if give:
            source = deck.pile if deck.pile.get(card_key) else deck.discards
            if not source.get(card_key):
                raise ZarebaError(f"no card '{card_key}' is left in the pile")
            source[card_key] -= 1
            if not source[card_key]:
                del source[card_key]
            own.hand.append(card_key)
            return
        if card_key not in own.hand:
            raise ZarebaError(f"{self.game.narrator.name_of(side)} has no such card")
        own.hand.remove(card_key)
        if card_key in own.known:
            own.known.remove(card_key)
        deck.pile[card_key] = deck.pile.get(card_key, 0) + 1

    def set_turn(self, state: Battle, turn: int) -> None:
        """Set the game turn, which is two player turns; effects that last until a turn keep their remaining length."""
        by = 2 * (turn - self.game.game_turn(state))
        state.turn += by
        state.effects = {effect: until + by for effect, until in state.effects.items()}
        for flier in state.fliers.values():
            flier.landed = flier.landed + by if flier.landed >= 0 else flier.landed

    def find_inconsistency(self, state: Battle) -> str:
        for unit in state.units.values():
            name = unit.spec.name
            if unit.moved and "moved" not in unit.marks:
                return f"{name} has moved hexes but is not marked as moved"
            if unit.sections and sum(unit.sections.values()) != unit.figures:
                return f"{name} has a different number of figures in its wall sections"
        return ""
