"""One target on its way from its second to `published`: claim, prepare, step, outcome.

An irreversible step is saved as in doubt before it is made.
"""
