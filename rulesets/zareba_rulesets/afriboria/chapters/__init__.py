"""The chapters of the rulebook. Each uses only those listed before it:

sight, victory, losses, retreat, battle, breakthrough, siege, air, engagement, movement, orders, setting_up.
"""
