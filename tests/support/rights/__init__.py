"""What the contract says of who may edit what is scheduled, as tables written by hand.

The tests of every door read them here, so that no door is held to a rule of its own.
"""
