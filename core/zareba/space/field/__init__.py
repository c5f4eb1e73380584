"""The open table: terrain, figures on round bases, units, line of sight and paths.

- `free_table`: the table, with the cost of a path; `detours`: shortest paths around closed ground.
- `pieces`: pieces of terrain; `grid_index`: squares of the table without any.
- `bases`, `bodies`, `unit_index`, `formations`: figures, units, all units at one moment, and formations.
- `line_of_sight`, `blockers`, `visibility`: terrain that hides units, figures in the line of fire, and targets in
  sight.

A ruleset supplies its numbers and rulings; the measuring is done here.
"""
