"""What the engine decides: a target's next step, what follows its outcome, what is sent again.

Pure: workers make the calls, ask here what follows, and save the answer.
"""
