"""The one kind of refusal here; the other files of this package are the service's own."""

from goldenhour.errors import GoldenhourError


class UnclearError(GoldenhourError):
    """What was written means nothing, or could mean several things; the text says what to write."""
