"""A measured table for figures: what lies on it, who stands where, what hides whom.

`pieces` of ground, `squares` in which none lie, `screens` that hide units from each other; the `free` table with the price of
a way, and `detours` round what is closed; `bases` and crowds of them, `bodies` of men, `formations`. A ruleset brings its
numbers and rulings; how a thing is measured is said here once two of them ask it.
"""
