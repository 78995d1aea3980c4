"""The one kind of refusal here; the client has its own of the same name."""


class UnclearError(Exception):
    """What was written means nothing, or could mean several things; the text says what to write."""
