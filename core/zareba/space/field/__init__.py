"""The open table: terrain, figures on round bases, units, line of sight and paths.

- `free_table`: the table, with the cost of a path; `detours`: shortest paths around closed ground.
- `pieces`: pieces of terrain; `grid_index`: squares of the table without any.
- `bases`, `bodies`, `unit_index`, `formations`: figures, units, all units at one moment, and formations.
- `line_of_sight`: line of sight, the terrain that blocks it; `volley_targets`: the targets that any figure of a unit
  sees; `blockers`: friends in the line of fire.

A ruleset supplies its numbers and rulings; the measuring is done here.
"""
