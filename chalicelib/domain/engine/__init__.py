"""What the engine decides: which step a target makes next, and what follows its outcome.

Pure: workers make the calls, ask here, and keep what they are told.
"""
