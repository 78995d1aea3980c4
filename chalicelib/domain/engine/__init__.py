"""What the engine decides: a target's next step, what follows its outcome, what is sent again.

Pure: workers make the calls, ask here, and keep what they are told.
"""
