"""Ambush: men who lie hidden are off the table, where their side has noted them, until they are spotted or come out.

For systems that have no rule of their own for hidden units; the others (`OWN`) keep theirs. Who may hide is whom the
scenario hides, or with `ambush.who=foot` all infantry that either side has from the start. Before the first step its player
says of each such unit where it lies: in one of the pieces of cover outside the enemy's set-up, or, hidden by the scenario, in
the open in its own zone; other foot may stand openly, or lie in cover that is nearer to its own zone than to the enemy's.
Nothing of it is on the table, so no rule can betray it. Between two steps the umpire puts it there as soon as an enemy is
near enough and nothing stands between (the plain law of sight, `umpire.sees`); at the beginning of each turn its player may
have it come out himself.
"""


from zareba.api import Appraisal, Kept, Setting, hookimpl

RULE = "HOUSE-AMBUSH"
OWN = ("fixed_baynet", "risk_factor")
COVER = frozenset(
    {
        "building",
        "crops",
        "dense_wood",
        "gully",
        "jungle",
        "kopje",
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
    }
)
"""Kinds of terrain in which men may lie hidden."""
STAY, OUT, OPEN, OPENLY = "stay hidden", "come out", "in the open", "openly"
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
    """Who may lie hidden, and from how far he is seen."""
    cover = "inches from which men in cover are spotted"
    in_open = "inches from which men in the open are spotted"
    who = "who may lie hidden: whom the scenario hides, or all foot of either side that is there from the start"
    return {
        "who": Setting(rule=RULE, summary=who, default="scenario", values=["scenario", "foot"]),
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
        "question ambush or not": "{actor}: does it stand openly, or lie hidden?",
        "question ambush": "{actor} lies hidden: does it come out?",
        "option lair": "{1}",
        "event sprung": "{unit} came out of hiding",
        "event spotted": "{unit} was spotted",
    }


@hookimpl
def zareba_scenario(scenario, ruleset, settings):
    """Who may lie hidden comes when he is seen or called, and not before."""
    if ruleset in OWN:
        return None
    units = dict(scenario.units)
    for name, unit in scenario.units.items():
        if unit.hidden or (settings["who"] == "foot" and may_hide(scenario, unit)):
            edge = scenario.sides[unit.side].home_edge or "north"
            given = unit.model_dump(exclude_defaults=True)
            held = {"arrival": {"turn": NEVER, "edge": edge}, "hidden": True}
            units[name] = type(unit).model_validate({**given, **held})
    return scenario.model_copy(update={"units": units})


def may_hide(scenario, unit):
    """Whether foot of either side may lie hidden: infantry that is there from the start and has some cover to lie in."""
    return unit.arm == "infantry" and unit.arrival is None and bool(own_cover(scenario, unit.side))


@hookimpl
def zareba_begin(table, state, umpire, ruleset, settings):
    """Each side notes where its men lie; who stands openly is put where the scenario sets him out."""
    if ruleset in OWN:
        return
    scenario = umpire.scenario
    away = []
    for side in scenario.sides:
        noted = []
        for name, unit in scenario.units_of(side).items():
            if not unit.hidden or not umpire.parts(name):
                continue
            place = lair(table, umpire, settings, side, name)
            if place == OPENLY:
                put_all(umpire, name, umpire.set_out(name) or lies_at(scenario, side, name, OPEN))
                continue
            noted.append((name, place))
            away += [(piece, side) for piece in [*umpire.parts(name), *leaders_of(umpire, name)]]
        lairs[table, side] = tuple(noted)
    absent[table] = tuple(away)


def lair(table, umpire, settings, side, name):
    """Where a unit lies, as its player says: a piece of cover, in the open, or not hidden at all."""
    scenario = umpire.scenario
    foot = settings["who"] == "foot"
    places = [("lair", place) for place in (own_cover if foot else covers_for)(scenario, side)]
    options = [OPENLY, *places] if foot else [*places, OPEN]
    why = "ambush or not" if foot else "ambush at"
    chosen = table.choose(side, options, why=why, rule=RULE, actor=name)
    return chosen if isinstance(chosen, str) else chosen[1]


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


def own_cover(scenario, side):
    """The pieces of cover that lie nearer to the middle of a zone of one's own than to that of any enemy's."""

    def away(name, sides):
        x, y = middle(scenario.terrain[name].area or scenario.terrain[name].line)
        zones = [middle(zone) for one in sides for zone in scenario.sides[one].deployment.values()]
        return min((((zx - x) ** 2 + (zy - y) ** 2) for zx, zy in zones), default=0.0)

    foes = [other for other in scenario.sides if other != side]
    return [name for name in covers_for(scenario, side) if away(name, [side]) < away(name, foes)]


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
            if is_seen(umpire, side, name, place, reach):
                come_out(table, umpire, side, name, place, "spotted")


def enemies(umpire, side, at):
    """Where the enemies of a side stand who are on the table, and how far from a point, in inches."""
    x, y = at
    there = [place for whose, place in umpire.there().values() if whose not in ("", side)]
    return [(place, ((place[0] - x) ** 2 + (place[1] - y) ** 2) ** 0.5) for place in there]


def nearest(umpire, side, name, place):
    """Inches from where a unit lies to the nearest enemy on the table; very far where none is."""
    at = lies_at(umpire.scenario, side, name, place)
    return min((away for _, away in enemies(umpire, side, at)), default=1000.0)


def is_seen(umpire, side, name, place, reach):
    """Whether an enemy is near enough to where a unit lies and nothing on the ground stands between them."""
    at = lies_at(umpire.scenario, side, name, place)
    return any(away <= reach and umpire.sees(foe, at) for foe, away in enemies(umpire, side, at))


def put_all(umpire, name, at):
    """Put the pieces of a unit and its leaders at a point; gives whether there was room for any of it."""
    put = [umpire.put(piece, at) for piece in umpire.parts(name)]
    if any(put):
        for leader in leaders_of(umpire, name):
            if leader not in umpire.there():
                umpire.put(leader, at)
    return any(put)


def come_out(table, umpire, side, name, place, kind):
    """The pieces of a unit and its leaders are put where they lie; where there is no room they lie on."""
    if not put_all(umpire, name, lies_at(umpire.scenario, side, name, place)):
        return
    seen = {*umpire.parts(name), *leaders_of(umpire, name)}
    absent[table] = tuple(pair for pair in absent[table] if pair[0] not in seen)
    lairs[table, side] = tuple(pair for pair in lairs[table, side] if pair[0] != name)
    table.tell(kind, RULE, unit=name)


@hookimpl
def zareba_view(state, seat):
    """What the other side has not seen is nowhere: neither on the table nor among those to come.

    Before the first step nobody has noted anything yet; then it is who waits for a turn that no battle sees.
    """
    commanders = getattr(state, "commanders", {})
    secret = {piece for piece, side in absent[state] if side != seat}
    for piece, turn in state.arrivals.items():
        held = state.units.get(piece) or commanders.get(piece)
        if turn == NEVER and held is not None and held.spec.side != seat:
            secret.add(piece)
    for piece in secret:
        for held in (state.units, state.arrivals, commanders):
            held.pop(piece, None)
    for key, commander in list(commanders.items()):  # a chief by his unit, or the id of one of its men
        if isinstance(commander, str) and commander.rpartition(".")[0] in secret:
            commanders[key] = ""
        elif getattr(commander, "unit", "") in secret:
            del commanders[key]
    for belongings in (getattr(state, name, None) for name in ("prizes", "things", "engines")):
        if not isinstance(belongings, dict):
            continue
        for key, thing in list(belongings.items()):
            owner = getattr(thing, "unit", "") or thing.carrier
            if owner in secret or owner.rpartition(".")[0] in secret:
                del belongings[key]
    state.own.pop(absent.key(), None)


@hookimpl
def zareba_appraise(state, question, option):
    """Out when the enemy is close, hidden till then; in the first cover that there is."""
    if question.why == "ambush":
        close = question.about[0] <= SPRUNG
        return Appraisal(
            inflicts=0.2 if (option == OUT) is close else 0.0, reason=f"the enemy is {question.about[0]:.0f} inches off"
        )
    if question.why == "ambush or not":
        return Appraisal(steadies=0.1 if option == OPENLY else 0.0, reason=f"to be seen is to be ready ({RULE})")
    if question.why == "ambush at":
        return Appraisal(steadies=0.0 if option == OPEN else 0.1, reason=f"hidden in cover ({RULE})")
    return None
