"""A measured table for figures: what lies on it, who stands where, what hides whom.

`pieces` of ground, `squares` in which none lie, `screens` that hide units from each other and `lanes` of figures who do, `eyes`
that look together; the `free` table with the price of a way, and `detours` round what is closed; `bases` and crowds of them,
`bodies` of men and the `throng` of all at a moment, `formations`. A ruleset brings its numbers and rulings; how a thing is
measured is said here.
"""
