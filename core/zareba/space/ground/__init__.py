"""What ground does to men on a measured table: what ways over it cost and which lead round (`going`), what shelters there
(`shelters`).
"""
