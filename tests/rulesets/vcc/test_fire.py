from __future__ import annotations
from tests.rulesets.vcc.battlefields import battlefield, red, blue
def test_x() -> None:
    scene = battlefield(red("A","D2"), blue("B","D4"))
    nxt = scene.play(("fire with","A"),("fire at","B"),("fire",[1]*5+[2]),("morale",3),phase="british_fire")
    print(scene.events, nxt)
    assert 0
