"""Effects of terrain on an open table: movement cost, difficulty, paths, cover and buildings.

- `terrain_window`: the terrain that a rectangle of the table may touch.
- `movement_cost`, `difficulty`, `straight_moves`: the cost or difficulty of moves over terrain.
- `pathfinding`: paths around closed and costly ground.
- `cover`: terrain that gives cover to figures; `buildings`: rooms and openings.
"""
