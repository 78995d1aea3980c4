"""What a person calls a browser: the list of their sessions and passkeys names it so."""

import re

_BROWSERS = re.compile(r"(Edg|OPR|Firefox|Chrome|Safari)/")
_SYSTEMS = ("iPhone", "iPad", "Android", "Windows", "CrOS", "Mac OS X", "Linux")
_NAMED = {"Edg": "Edge", "OPR": "Opera", "Mac OS X": "macOS", "CrOS": "ChromeOS"}


def device_of(agent: str) -> str:
    """Return a browser's everyday name by its User-Agent, such as "Chrome on Android"."""
    browsers = _BROWSERS.findall(agent)
    system = next((name for name in _SYSTEMS if name in agent), None)
    order = ["Edg", "OPR", "Firefox", "Chrome", "Safari"]
    found = next((name for name in order if name in browsers), None)
    named = "A browser" if found is None else _NAMED.get(found, found)
    return named if system is None else f"{named} on {_NAMED.get(system, system)}"
