"""The chapters of the rulebook, a file or a room each. Each uses only those that stand before it here:

sight, victory, losses, retreat, battle, breakthrough, siege, air, engagement, movement, orders, setting_up.
"""
