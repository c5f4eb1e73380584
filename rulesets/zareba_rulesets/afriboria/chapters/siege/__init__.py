"""Sieges: bombardment of structures, and troops on walls."""
