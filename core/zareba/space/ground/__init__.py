"""What ground does to men on a measured table: what lies in a rectangle of it (`scenes`), what ways over it cost (`going`) or how
bad they are (`grades`), which way leads round (`ways`), what shelters there (`shelters`).
"""
