"""Pieces, companies and platoons, movement limits, the plan of a scenario, and the battle state that holds all
pieces.
"""
