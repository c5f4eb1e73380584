"""The numbers of a session, prepared for play."""

from __future__ import annotations

from collections.abc import Iterable

from zareba.chance import Counts, counts
from zareba.chance.meaning import ByCard
from zareba.rules import CompiledBook, Rules
from zareba_rulesets.afriboria.book.tables import CLASSES, AfrFile, MoveOptions, Profile

__all__ = ["HITS", "SAVED", "AfrBook"]

HITS = counts("hits")
SAVED = counts("saved")


class AfrBook(CompiledBook[AfrFile]):
    """The numbers of a session under these rules.

    `room`: units of one side that a hex holds, whatever its size (AFR-081, AFR-296, AFR-297). `defends`: the game uses
    defence dice. `saves`: it uses saving throws; fast play may omit only these (AFR-016).
    """

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules, AfrFile)
        file, settings = self.file, self.settings
        self.profiles = dict(file.profiles)
        if settings.mg_horse_move_fire == "sheet":
            self.profiles["mg_horse"] = _profile_after_move(file.profiles["mg_horse"], file.horse_mg_by_sheet)
        if settings.dismounted_move == "as_infantry":
            walking = [key for key, profile in file.profiles.items() if profile.arm == "dismounted"]
            self.profiles |= {key: _profile_after_move(file.profiles[key], file.infantry_walk) for key in walking}
        self.cards = file.cards
        self.company = file.company
        self.room = 1 if settings.stacking == "one_unit" else 2
        self.defends = settings.fastplay != "on"
        self.saves = settings.fastplay == "off"
        self.hit_reads = {
            (key, close): self.reading_of(
                [face for face in getattr(entry, "close" if close else "far") if face != "sabres"],
                [face for face in getattr(entry, "close" if close else "far") if face == "sabres"],
                ["shield"],
                ["flag"],
            )
            for key, entry in file.hits.items()
            for close in (True, False)
        }
        sure, jam = file.sure_kill, file.jam.above
        hits = f"hits (of {sure.from_hits} or more, {sure.kills} cannot be saved)"
        shields = {False: "shields (no effect)", True: f"shields (they jam it when more than {jam} of the dice)"}
        self.battle_means = {jams: counts(hits, "sabres", shields[jams], "flags") for jams in shields}
        self.event_means = ByCard("turned over", tuple((key, card.text) for key, card in file.events.items()))
        self.save_reads = {
            close: self.reading_of(file.saves["close" if close else "far"].faces) for close in (True, False)
        }
        self.flag_saves = {close: self._flag_save(close) for close in (True, False)}
        self.defence_reads = self._defence_reads()
        self.steady = {name: entry.model_dump() for name, entry in file.steady_above.items()}
        self.air_dice = (*file.air_dice.dice, settings.air_dice_range3)

    def reading_of(self, *groups: Iterable[str]) -> Counts:
        """Return a reading of battle dice: how many show a face of each group, in the order of the groups."""
        numbers = self.file.faces
        return Counts(tuple(frozenset(numbers[face].number for face in group) for group in groups))  # type: ignore[index]  # names of faces

    def _flag_save(self, close: bool) -> Counts:
        """Return the faces that save flags (AFR-227)."""
        chosen = self.settings.flag_save_faces
        if chosen == "as_figures":
            return self.save_reads[close]
        return self.reading_of(["flag"] if chosen == "flag" else ["shield", "sabres"])

    def _defence_reads(self) -> dict[tuple[str, str, bool], Counts]:
        """Return the reading of defence dice by hit line of the defender, class of the attacker and range (AFR-211,
        AFR-347).
        """
        file, chosen = self.file, self.settings.defence_faces
        found: dict[tuple[str, str, bool], Counts] = {}
        for key, entry in file.hits.items():
            for troop in CLASSES:
                for close in (True, False):
                    own = entry.close if close else entry.far
                    by_enemy = own if chosen == "own_class" else file.defence_faces[chosen][troop].faces
                    found[key, troop, close] = self.reading_of(own if key == "unarmed" else by_enemy)
        return found

    def counts_as_gun(self, profile: Profile) -> bool:
        """Return True if a unit has the three privileges of guns: hilltops, depressions, fire over friends (AFR-035)."""
        return profile.arm == "artillery" or (profile.arm == "machine_gun" and self.settings.mg_counts_as_artillery)

    def threshold(self, profile: Profile, officer: bool) -> int | None:
        """Return the figures above which the unit may ignore all flags; None: never (AFR-229 to AFR-233)."""
        entry = self.steady[profile.steady]
        number: int | None = entry[profile.troop]
        return None if number is None else number - (entry["officer"] if officer else 0)


def _profile_after_move(profile: Profile, options: MoveOptions) -> Profile:
    return profile.model_copy(update={"battle_move": options.battle_move, "move": options.move})
