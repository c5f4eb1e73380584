"""A new kind of terrain, added as the how-to page says, in a copy of the source."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

from zareba.scenario.vocabulary.words import ARMS, TERRAIN, WEAPONS, known_word
from zareba.schemas import WORD_TYPES, word_types

ROOT = Path(__file__).parents[3]
PAGE = (ROOT / "docs" / "how-to" / "new_word.md").read_text(encoding="utf-8")
(ENTRY,) = re.findall(r"```python\n(.*?)```", PAGE, re.DOTALL)
PIECE, DECISION = re.findall(r"```yaml\n(.*?)```", PAGE, re.DOTALL)
ABOVE = '    "light_wood": TerrainWord('
ELEPHANTS = '    "elephants": ArmWord(meaning="men on elephants", like="cavalry"),\n', '    "artillery": ArmWord('
CROSSBOW = '    "crossbow": WeaponWord(meaning="a crossbow", like="bow"),\n', '    "sling": WeaponWord('
UNIT = "  mahouts: {name: Mahouts, side: tribesmen, arm: elephants, kind: tribal, figures: 6, weapon: crossbow}\n"
BATTLE = """
import sys
from zareba.authoring import generate
from zareba.battle.positions import GROWTH
from zareba.picture import picture
from zareba.registry import load_rules, ruleset_names
from zareba.scenario import load_scenario
from zareba.testing import play

scenario = load_scenario(sys.argv[1])
assert GROWTH["vineyard"] == 12.0
assert 'class="piece-of-ground vineyard orchard"' in picture(scenario)
for name in ruleset_names():
    game = load_rules(name).game(scenario)
    game.start()
    assert not [note for note in game.untranslated if "Mahouts" in note], (name, game.untranslated)
assert scenario.units["mahouts"].mounted_on == "horse"
assert play(ruleset="vcc", scenario=sys.argv[1], seed=3).state.turn > 1
assert any("kind: vineyard" in generate(seed, theatre="frontier") for seed in range(20))
mapping = load_rules("vcc").book.mapping.area_terrain
print(mapping["vineyard"], load_rules("paychest").book.mapping.area_terrain["vineyard"])
"""


@pytest.fixture(scope="module")
def copy(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Copy the source and the schemas; return the folder."""
    folder = tmp_path_factory.mktemp("copy")
    for name in ("core", "rulesets", "schema"):
        shutil.copytree(ROOT / name, folder / name, ignore=shutil.ignore_patterns("__pycache__"))
    return folder


@pytest.fixture
def run(copy: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Return a function that runs Python with the copy instead of this checkout."""

    def python(*words: str) -> subprocess.CompletedProcess[str]:
        path = os.pathsep.join(str(copy / name) for name in ("core", "rulesets"))
        environment = dict(os.environ, PYTHONPATH=path)
        environment.pop(
            "PYTHONPYCACHEPREFIX", None
        )  # bytecode of the copy stays in the copy, that of libraries is there
        return subprocess.run([sys.executable, *words], cwd=copy, env=environment, capture_output=True, text=True)

    return python


def write(copy: Path, *entries: tuple[str, str]) -> None:
    """Write the vocabulary of the copy with new entries, each above an entry."""
    words = Path("core/zareba/scenario/vocabulary/words.py")
    text = (ROOT / words).read_text(encoding="utf-8")
    for entry, above in entries:
        assert text.count(above) == 1
        text = text.replace(above, entry + above)
    (copy / words).write_text(text, encoding="utf-8")


def test_a_new_word_needs_one_entry(copy: Path, run: Callable[..., subprocess.CompletedProcess[str]]) -> None:
    write(copy, (ENTRY, ABOVE), ELEPHANTS, CROSSBOW)
    done = run("-m", "zareba.schemas")
    assert done.returncode == 0, done.stderr
    assert '"vineyard"' in (copy / "schema" / "scenario.schema.json").read_text(encoding="utf-8")
    assert '"vineyard"' in (copy / "core/zareba/scenario/vocabulary/word_types.py").read_text(encoding="utf-8")
    scenario = (ROOT / "core/zareba/scenario/shipped/patrol_clash.yaml").read_text(encoding="utf-8")
    scenario = scenario.replace("terrain:\n", PIECE, 1).replace("units:\n", f"units:\n{UNIT}", 1)
    (copy / "vines.yaml").write_text(scenario, encoding="utf-8")
    rules = copy / "rulesets/zareba_rulesets/vcc/ruleset.yaml"
    decision = DECISION.splitlines()[-1]
    text = rules.read_text(encoding="utf-8")
    rules.write_text(text.replace("  area_terrain:\n", f"  area_terrain:\n{decision}\n", 1), encoding="utf-8")
    done = run("-c", BATTLE, "vines.yaml")
    assert done.returncode == 0, done.stderr
    assert done.stdout.split() == ["scrub", "brush"]


def test_one_error_lists_the_missing_decisions_of_all_rulesets(
    copy: Path, run: Callable[..., subprocess.CompletedProcess[str]]
) -> None:
    write(copy, ('    "vineyard": TerrainWord(meaning="vines", layer=18.5),\n', ABOVE))
    for name in ("afriboria", "fixed_baynet", "paychest", "risk_factor", "vcc"):
        shutil.copy(ROOT / f"rulesets/zareba_rulesets/{name}/ruleset.yaml", copy / f"rulesets/zareba_rulesets/{name}")
    done = run("-m", "zareba.schemas")
    assert done.returncode == 1
    lines = done.stderr.splitlines()
    assert [re.findall(r"zareba_rulesets/(\w+)/ruleset.yaml:\d+:\d+: mapping.area_terrain", line) for line in lines] == [
        ["afriboria"], ["fixed_baynet"], ["paychest"], ["risk_factor"], ["vcc"],
    ]  # fmt: skip
    assert all("play needs vineyard (vines)" in line for line in lines)


@pytest.mark.parametrize(
    ("entry", "said"),
    [
        ('TerrainWord(meaning="vines", like="orchrd")', "'vineyard' is like 'orchrd', which must be an entry above it"),
        ('TerrainWord(meaning="vines")', "'vineyard' in words.py needs layer, or a word that it is like"),
    ],
)
def test_an_incomplete_entry_is_refused(
    copy: Path, run: Callable[..., subprocess.CompletedProcess[str]], entry: str, said: str
) -> None:
    write(copy, (f'    "vineyard": {entry},\n', ABOVE))
    done = run("-m", "zareba.schemas")
    assert done.returncode == 1
    assert said in done.stderr


def test_the_types_of_the_vocabulary_are_up_to_date() -> None:
    assert WORD_TYPES.read_text(encoding="utf-8") == word_types(), "run python -m zareba.schemas"


def test_word_without_a_known_ancestor_stays_itself() -> None:
    assert known_word("orchard", TERRAIN, {"orchard"}) == "orchard"
    assert known_word("orchard", TERRAIN, {"scrub"}) == "orchard"
    assert all(word.meaning for table in (TERRAIN, ARMS, WEAPONS) for word in table.values())
