"""Targets as the engine sees them: the wake index, claims, outcomes, wake queue and switch."""
