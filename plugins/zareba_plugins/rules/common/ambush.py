"""Ambush: hidden units stay off the table, in a place that their side has noted, until they are spotted or come out.

The rule is for systems without hidden-unit rules; the systems in `OWN` use their own. By default, the units that the
scenario hides may hide. With `ambush.who=foot`, so may all infantry of either side that starts on the table.

Before the first step, the player chooses a place for each such unit. A unit that the scenario hides can take a piece
of cover outside the enemy's deployment zones, or open ground in its own zone. Other infantry can deploy openly, or
hide in cover that is nearer to its own zone than to the enemy's. A hidden unit has no pieces on the table, so no rule
can reveal it.

Between two steps, the umpire puts the unit on the table if an enemy is near enough and no terrain blocks the line of
sight (`umpire.sees`). At the start of each turn, its player may bring it out.
"""

from zareba.api import Evaluation, Setting, StateVariable, hookimpl

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
"""Kinds of terrain in which units can hide."""
STAY, OUT, OPEN, OPENLY = "stay hidden", "come out", "in the open", "openly"
NEVER = 200
"""A turn after the end of any battle: a hidden unit does not arrive on its own."""
SPRUNG = 12.0
"""The distance of an enemy, in inches, at which an AI player brings its unit out."""
lairs = StateVariable("lairs", (), of="side", secret=True)
"""For each side: its hidden units, each with its place."""
absent = StateVariable("absent", (), of="game")
"""A note of the umpire: every piece of a hidden unit, with its side."""


@hookimpl
def zareba_settings():
    """Add settings for the units that may hide and the spotting distances."""
    cover = "distance in inches at which units in cover are spotted"
    in_open = "distance in inches at which units in the open are spotted"
    who = "units that may hide: those that the scenario hides, or all infantry that starts on the table"
    return {
        "who": Setting(rule=RULE, summary=who, default="scenario", values=["scenario", "foot"]),
        "cover": Setting(rule=RULE, summary=cover, default=6, at_least=1, at_most=48),
        "open": Setting(rule=RULE, summary=in_open, default=18, at_least=1, at_most=96),
    }


@hookimpl
def zareba_state():
    """Store the notes of each side and of the umpire."""
    return [lairs, absent]


@hookimpl
def zareba_words():
    """Give the texts of the questions, the options and the events."""
    return {
        "question ambush at": "{actor}: where does it lie hidden?",
        "question ambush or not": "{actor}: does it deploy openly, or hide?",
        "question ambush": "{actor} is hidden: does it come out?",
        "option lair": "{1}",
        "event sprung": "{unit} came out of hiding",
        "event spotted": "{unit} was spotted",
    }


@hookimpl
def zareba_scenario(scenario, ruleset, settings):
    """Delay the units that may hide, so that they come only when they are spotted or brought out."""
    if ruleset in OWN:
        return None
    units = dict(scenario.units)
    for name, unit in scenario.units.items():
        if unit.hidden or (settings["who"] == "foot" and may_hide(scenario, unit)):
            edge = scenario.sides[unit.side].home_edge or "north"
            unit_data = unit.model_dump(exclude_defaults=True)
            hidden_data = {"arrival": {"turn": NEVER, "edge": edge}, "hidden": True}
            units[name] = type(unit).model_validate({**unit_data, **hidden_data})
    return scenario.model_copy(update={"units": units})


def may_hide(scenario, unit):
    """Return True for infantry that starts on the table and has cover to hide in."""
    return unit.arm == "infantry" and unit.arrival is None and bool(own_cover(scenario, unit.side))


@hookimpl
def zareba_begin(table, state, umpire, ruleset, settings):
    """Let each side note the places of its hidden units; deploy the other units as the scenario says."""
    if ruleset in OWN:
        return
    scenario = umpire.scenario
    away = []
    for side in scenario.sides:
        noted = []
        for name, unit in scenario.units_of(side).items():
            if not unit.hidden or not umpire.parts(name):
                continue
            place = choose_hiding_place(table, umpire, settings, side, name)
            if place == OPENLY:
                put_all(umpire, name, umpire.starting_position(name) or lies_at(scenario, side, name, OPEN))
                continue
            noted.append((name, place))
            away += [(piece, side) for piece in [*umpire.parts(name), *leaders_of(umpire, name)]]
        lairs[table, side] = tuple(noted)
    absent[table] = tuple(away)


def choose_hiding_place(table, umpire, settings, side, name):
    """Ask the player for the place of a unit: a piece of cover, open ground, or not hidden."""
    scenario = umpire.scenario
    foot = settings["who"] == "foot"
    places = [("lair", place) for place in (own_cover if foot else covers_for)(scenario, side)]
    options = [OPENLY, *places] if foot else [*places, OPEN]
    why = "ambush or not" if foot else "ambush at"
    chosen = table.choose(side, options, why=why, rule=RULE, actor=name)
    return chosen if isinstance(chosen, str) else chosen[1]


def leaders_of(umpire, name):
    """Return the pieces of a unit's leaders, in systems where leaders are pieces."""
    leaders = umpire.scenario.leaders.items()
    return [piece for leader, entry in leaders if entry.unit == name for piece in umpire.parts(leader)]


def covers_for(scenario, side):
    """Return the names of the pieces of cover outside all enemy deployment zones."""
    zones = [zone for other, entry in scenario.sides.items() if other != side for zone in entry.deployment.values()]
    return [
        name
        for name, piece in scenario.terrain.items()
        if piece.kind in COVER and not any(is_within(middle(piece.area or piece.line), zone) for zone in zones)
    ]


def own_cover(scenario, side):
    """Return the names of the pieces of cover that are nearer to the centre of an own zone than to that of any enemy
    zone.
    """

    def distance_to_enemy(name, sides):
        x, y = middle(scenario.terrain[name].area or scenario.terrain[name].line)
        zones = [middle(zone) for side in sides for zone in scenario.sides[side].deployment.values()]
        return min((((zx - x) ** 2 + (zy - y) ** 2) for zx, zy in zones), default=0.0)

    foes = [other for other in scenario.sides if other != side]
    return [
        name for name in covers_for(scenario, side) if distance_to_enemy(name, [side]) < distance_to_enemy(name, foes)
    ]


def middle(points):
    """Return the mean of some corners."""
    return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)


def is_within(point, zone):
    """Return True if a point lies in the bounding box of a zone."""
    xs, ys = [x for x, _ in zone], [y for _, y in zone]
    return min(xs) <= point[0] <= max(xs) and min(ys) <= point[1] <= max(ys)


def lies_at(scenario, side, name, place):
    """Return the position of a hidden unit in inches: the centre of its cover, or of its zone."""
    if place != OPEN:
        piece = scenario.terrain[place]
        return middle(piece.area or piece.line)
    zones = scenario.sides[side].deployment
    zone = zones.get(scenario.units[name].zone or "") or next(iter(zones.values()), None)
    return middle(zone) if zone else (scenario.table.width / 2, scenario.table.depth / 2)


@hookimpl
def zareba_turn(table, state, umpire):
    """Let each player bring out hidden units."""
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
    """Put hidden units that the enemy has spotted on the table."""
    for side in umpire.scenario.sides:
        for name, place in lairs[table, side]:
            reach = settings["open" if place == OPEN else "cover"]
            if is_seen(umpire, side, name, place, reach):
                come_out(table, umpire, side, name, place, "spotted")


def enemies(umpire, side, at):
    """Return the enemies of a side on the table: the position of each, and its distance from a point in inches."""
    x, y = at
    enemy_places = [place for owner, place in umpire.pieces_on_table().values() if owner not in ("", side)]
    return [(place, ((place[0] - x) ** 2 + (place[1] - y) ** 2) ** 0.5) for place in enemy_places]


def nearest(umpire, side, name, place):
    """Return the distance in inches from a hidden unit to the nearest enemy on the table; 1000 if there is none."""
    at = lies_at(umpire.scenario, side, name, place)
    return min((distance for _, distance in enemies(umpire, side, at)), default=1000.0)


def is_seen(umpire, side, name, place, reach):
    """Return True if an enemy is near enough to a hidden unit and no terrain blocks the line between them."""
    at = lies_at(umpire.scenario, side, name, place)
    return any(distance <= reach and umpire.sees(foe, at) for foe, distance in enemies(umpire, side, at))


def put_all(umpire, name, at):
    """Put the pieces of a unit and its leaders at a point; return True if there was room for any piece of the unit."""
    put = [umpire.put(piece, at) for piece in umpire.parts(name)]
    if any(put):
        for leader in leaders_of(umpire, name):
            if leader not in umpire.pieces_on_table():
                umpire.put(leader, at)
    return any(put)


def come_out(table, umpire, side, name, place, kind):
    """Put a hidden unit and its leaders on the table; if there is no room, it stays hidden."""
    if not put_all(umpire, name, lies_at(umpire.scenario, side, name, place)):
        return
    seen = {*umpire.parts(name), *leaders_of(umpire, name)}
    absent[table] = tuple(pair for pair in absent[table] if pair[0] not in seen)
    lairs[table, side] = tuple(pair for pair in lairs[table, side] if pair[0] != name)
    table.emit(kind, RULE, unit=name)


@hookimpl
def zareba_view(state, seat):
    """Remove hidden enemy units from the view: from the table, from the arrivals, and from everything that belongs to
    them.

    Before the first step there are no notes yet; then a unit is hidden if it is due in the turn `NEVER`.
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
    for key, commander in list(
        commanders.items()
    ):  # a chief is an object with its unit, or the id of one of the unit's men
        if isinstance(commander, str) and commander.rpartition(".")[0] in secret:
            commanders[key] = ""
        elif getattr(commander, "unit", "") in secret:
            del commanders[key]
    for belongings in (getattr(state, name, None) for name in ("carried_objects", "things", "engines")):
        if not isinstance(belongings, dict):
            continue
        for key, thing in list(belongings.items()):
            owner = getattr(thing, "unit", "") or thing.carrier
            if owner in secret or owner.rpartition(".")[0] in secret:
                del belongings[key]
    state.own.pop(absent.key(), None)


@hookimpl
def zareba_evaluate(state, question, option):
    """Prefer to come out when the enemy is close and to stay hidden before that; prefer cover to open ground."""
    if question.why == "ambush":
        close = question.about[0] <= SPRUNG
        return Evaluation(
            inflicts=0.2 if (option == OUT) is close else 0.0,
            reason=f"the enemy is {question.about[0]:.0f} inches away",
        )
    if question.why == "ambush or not":
        return Evaluation(
            steadies=0.1 if option == OPENLY else 0.0, reason=f"deployed openly, the unit is ready to act ({RULE})"
        )
    if question.why == "ambush at":
        return Evaluation(steadies=0.0 if option == OPEN else 0.1, reason=f"hidden in cover ({RULE})")
    return None
