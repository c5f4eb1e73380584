"""Movement of figures on an open table: free places, contact, charges, lining works, and moving together.

- `free_space`: a free place near a point.
- `contact`: the first base that a moving base touches.
- `charge_paths`: paths to places in contact with a base.
- `line_formation`: places along works.
- `march`: blockers of figures that move in parallel.
"""
