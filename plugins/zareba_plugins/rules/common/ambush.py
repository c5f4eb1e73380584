"""Ambush: who the scenario hides waits off the table, where his side has noted it, until he is spotted or comes out.

For systems that have no rule of their own for hidden units; the others (`OWN`) keep theirs. Before the first step his player
says of each hidden unit where it lies: in one of the pieces of cover outside the enemy's set-up, or in the open in its own zone. Nothing
of it is on the table, so no rule can betray it. Between two steps it is put there by the umpire as soon as an enemy is
near enough to see it; at the beginning of each turn its player may have it come out himself.
"""

from zareba.api import Appraisal, Kept, Setting, hookimpl

RULE = "HOUSE-AMBUSH"
OWN = ("fixed_baynet", "risk_factor")
COVER = frozenset(
    [
        "boulders",
        "building",
        "bush",
        "cactus",
        "crops",
        "gully",
        "hut",
        "light_wood",
        "orchard",
        "palm_grove",
        "rocks",
        "ruins",
        "sangar",
        "scrub",
        "tall_grass",
        "trench",
        "village",
        "walled_compound",
        "wood",
    ]
)
STAY, OUT, OPEN = "stay hidden", "come out", "in the open"
NEVER = 200
"""A turn that no battle sees: till then who is hidden does not come by himself."""
SPRUNG = 12.0
"""So near, in inches, an enemy may come before a commander with sense has his men come out."""
lairs = Kept("lairs", (), of="side", secret=True)
"""Of a side: each unit that lies hidden, and where."""
absent = Kept("absent", (), of="game")
"""The umpire's note: every piece of a unit that lies hidden, with its side."""


@hookimpl
def zareba_settings():
    """From how far who lies hidden is seen."""
    cover = "inches from which men in cover are spotted"
    in_open = "inches from which men in the open are spotted"
    return {
        "cover": Setting(rule=RULE, summary=cover, default=6, at_least=1, at_most=48),
        "open": Setting(rule=RULE, summary=in_open, default=18, at_least=1, at_most=96),
    }


@hookimpl
def zareba_state():
    """What each side and the umpire have noted."""
    return [lairs, absent]


@hookimpl
def zareba_words():
    """How it is asked and told."""
    return {
        "question ambush at": "{actor}: where does it lie hidden?",
        "question ambush": "{actor} lies hidden: does it come out?",
        "option lair": "{1}",
        "event sprung": "{unit} came out of hiding",
        "event spotted": "{unit} was spotted",
    }


@hookimpl
def zareba_scenario(scenario, ruleset):
    """Who is hidden comes when he is seen or called, and not before."""
    if ruleset in OWN:
        return None
    units = dict(scenario.units)
    for name, unit in scenario.units.items():
        if unit.hidden:
            edge = scenario.sides[unit.side].home_edge or "north"
            given = unit.model_dump(exclude_defaults=True)
            units[name] = type(unit).model_validate({**given, "arrival": {"turn": NEVER, "edge": edge}})
    return scenario.model_copy(update={"units": units})


@hookimpl
def zareba_begin(table, state, umpire, ruleset):
    """Each side notes where its men lie."""
    if ruleset in OWN:
        return
    scenario = umpire.scenario
    away = []
    for side in scenario.sides:
        noted = []
        for name, unit in scenario.units_of(side).items():
            if unit.hidden and umpire.parts(name):
                places = [("lair", place) for place in covers_for(scenario, side)]
                options = [*places, OPEN]
                chosen = table.choose(side, options, why="ambush at", rule=RULE, actor=name)
                noted.append((name, OPEN if chosen == OPEN else chosen[1]))
                away += [(piece, side) for piece in [*umpire.parts(name), *leaders_of(umpire, name)]]
        lairs[table, side] = tuple(noted)
    absent[table] = tuple(away)


def leaders_of(umpire, name):
    """The pieces of the leaders who are with a unit, where they are pieces."""
    leaders = umpire.scenario.leaders.items()
    return [piece for leader, one in leaders if one.unit == name for piece in umpire.parts(leader)]


def covers_for(scenario, side):
    """The pieces of cover, by name of terrain, that lie in no zone in which an enemy sets up."""
    zones = [zone for other, one in scenario.sides.items() if other != side for zone in one.deployment.values()]
    return [
        name
        for name, piece in scenario.terrain.items()
        if piece.kind in COVER and not any(within(middle(piece.area or piece.line), zone) for zone in zones)
    ]


def middle(points):
    """The middle of some corners."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def within(point, zone):
    """Whether a point lies in the upright box about a zone."""
    xs, ys = [x for x, _ in zone], [y for _, y in zone]
    return min(xs) <= point[0] <= max(xs) and min(ys) <= point[1] <= max(ys)


def lies_at(scenario, side, name, place):
    """Where a unit lies, in inches: in the middle of its cover, or of its zone."""
    if place != OPEN:
        piece = scenario.terrain[place]
        return middle(piece.area or piece.line)
    zones = scenario.sides[side].deployment
    zone = zones.get(scenario.units[name].zone or "") or next(iter(zones.values()), None)
    return middle(zone) if zone else (scenario.table.width / 2, scenario.table.depth / 2)


@hookimpl
def zareba_turn(table, state, umpire):
    """Whoever lies hidden may come out by himself."""
    for side in umpire.scenario.sides:
        for name, place in lairs[table, side]:
            if (
                table.choose(
                    side, (STAY, OUT), why="ambush", rule=RULE, actor=name, about=(nearest(umpire, side, name, place),)
                )
                == OUT
            ):
                come_out(table, umpire, side, name, place, "sprung")


@hookimpl
def zareba_step(table, state, umpire, settings):
    """Whoever is near enough to be seen is put on the table."""
    for side in umpire.scenario.sides:
        for name, place in lairs[table, side]:
            reach = settings["open" if place == OPEN else "cover"]
            if nearest(umpire, side, name, place) <= reach:
                come_out(table, umpire, side, name, place, "spotted")


def nearest(umpire, side, name, place):
    """Inches from where a unit lies to the nearest enemy on the table; very far where none is."""
    x, y = lies_at(umpire.scenario, side, name, place)
    away = [
        ((px - x) ** 2 + (py - y) ** 2) ** 0.5 for whose, (px, py) in umpire.there().values() if whose not in ("", side)
    ]
    return min(away, default=1000.0)


def come_out(table, umpire, side, name, place, kind):
    """The pieces of a unit and its leaders are put where they lie; where there is no room they lie on."""
    at = lies_at(umpire.scenario, side, name, place)
    put = [umpire.put(piece, at) for piece in umpire.parts(name)]
    if not any(put):
        return
    for leader in leaders_of(umpire, name):
        if leader not in umpire.there():
            umpire.put(leader, at)
    seen = {*umpire.parts(name), *leaders_of(umpire, name)}
    absent[table] = tuple(pair for pair in absent[table] if pair[0] not in seen)
    lairs[table, side] = tuple(pair for pair in lairs[table, side] if pair[0] != name)
    table.tell(kind, RULE, unit=name)


@hookimpl
def zareba_view(state, seat):
    """What the other side has not seen is nowhere: neither on the table nor among those to come."""
    for piece, side in absent[state]:
        for held in (state.units, getattr(state, "commanders", {})):
            if side != seat:
                held.pop(piece, None)
    state.own.pop(absent.key(), None)


@hookimpl
def zareba_appraise(state, question, option):
    """Out when the enemy is close, hidden till then; in the first cover that there is."""
    if question.why == "ambush":
        close = question.about[0] <= SPRUNG
        return Appraisal(
            inflicts=0.2 if (option == OUT) is close else 0.0, reason=f"the enemy is {question.about[0]:.0f} inches off"
        )
    if question.why == "ambush at":
        return Appraisal(steadies=0.0 if option == OPEN else 0.1, reason=f"hidden in cover ({RULE})")
    return None
