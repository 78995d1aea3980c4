"""Checks of a stage or a local stack: is everything there, may it be used, is it protected.

The command `doctor` runs them; nothing deployed loads this room.
"""
