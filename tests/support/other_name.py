"""A link to this machine by its address: the app's links name `localhost`, where passkeys work."""


def by_address(link: str) -> str:
    """Return a link that leads where a test's other pages are."""
    return link.replace("//localhost:", "//127.0.0.1:")
