"""Where the command keeps keys: the system's keyring if it is there, else a file of mode 0600.

A key is never taken from the command line, where other users of a machine could read it. In the
environment, GOLDENHOUR_API_KEY and GOLDENHOUR_URL go before what is kept.
"""

import importlib.util
import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import cast

import click

SERVICE = "goldenhour"
IN_KEYRING = "in the keyring"


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """An address, a key for it, and the time zone that times are given in."""

    url: str
    api_key: str = field(repr=False)
    zone: str | None = None


class NotSignedIn(click.ClickException):
    """No key is known."""


def config_file() -> Path:
    """Return the path of the file with profiles."""
    home = os.environ.get("XDG_CONFIG_HOME") or os.environ.get("APPDATA") or Path.home() / ".config"
    return Path(home) / "goldenhour" / "profiles.json"


def load(name: str) -> Profile:
    """Return a profile. Raises NotSignedIn."""
    kept = _read().get(name, {})
    url = os.environ.get("GOLDENHOUR_URL") or kept.get("url")
    api_key = os.environ.get("GOLDENHOUR_API_KEY") or kept.get("api_key")
    if api_key == IN_KEYRING:
        api_key = _keyring_get(name)
    if not url or not api_key:
        raise NotSignedIn(
            "There is no key yet. Run: goldenhour login (or set GOLDENHOUR_URL and "
            "GOLDENHOUR_API_KEY)"
        )
    return Profile(url=url, api_key=api_key, zone=zone(name))


def address(name: str) -> str:
    """Return the address of a profile, which needs no key. Raises NotSignedIn."""
    if url := os.environ.get("GOLDENHOUR_URL") or _read().get(name, {}).get("url"):
        return url
    raise NotSignedIn("There is no address yet. Run: goldenhour login (or set GOLDENHOUR_URL)")


def zone(name: str) -> str | None:
    """Return the time zone of a profile, if it has one."""
    return os.environ.get("GOLDENHOUR_ZONE") or _read().get(name, {}).get("zone")


def save(name: str, profile: Profile, *, in_file: bool = False) -> str:
    """Keep a profile and return where its key is now."""
    in_keyring = not in_file and _keyring_set(name, profile.api_key)
    kept = {"url": profile.url, "api_key": IN_KEYRING if in_keyring else profile.api_key}
    if profile.zone:
        kept["zone"] = profile.zone
    _write({**_read(), name: kept})
    return "the system's keyring" if in_keyring else str(config_file())


def forget(name: str) -> bool:
    """Drop a profile; return whether there was one."""
    profiles = dict(_read())
    kept = profiles.pop(name, None)
    if kept is None:
        return False
    if kept.get("api_key") == IN_KEYRING:
        _keyring_delete(name)
    _write(profiles)
    return True


def _read() -> Mapping[str, Mapping[str, str]]:
    try:
        return cast("Mapping[str, Mapping[str, str]]", json.loads(config_file().read_text("utf-8")))
    except FileNotFoundError:
        return {}
    except json.JSONDecodeError as broken:
        raise click.ClickException(f"{config_file()} is damaged. Delete it and log in.") from broken


def _write(profiles: Mapping[str, Mapping[str, str]]) -> None:
    path = config_file()
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    fresh = path.with_suffix(".new")
    fresh.unlink(missing_ok=True)
    descriptor = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    with os.fdopen(descriptor, "w", encoding="utf-8") as out:
        json.dump(profiles, out, indent=1)
    fresh.replace(path)


def _keyring_set(name: str, api_key: str) -> bool:
    if importlib.util.find_spec("keyring") is None:
        return False
    import keyring  # noqa: PLC0415 - an extra, which may be missing
    from keyring.errors import KeyringError  # noqa: PLC0415 - as above

    try:
        keyring.set_password(SERVICE, name, api_key)
        return keyring.get_password(SERVICE, name) == api_key
    except KeyringError:
        return False


def _keyring_get(name: str) -> str | None:
    import keyring  # noqa: PLC0415 - as in _keyring_set

    return keyring.get_password(SERVICE, name)


def _keyring_delete(name: str) -> None:
    import keyring  # noqa: PLC0415 - as in _keyring_set
    from keyring.errors import PasswordDeleteError  # noqa: PLC0415 - as above

    try:
        keyring.delete_password(SERVICE, name)
    except PasswordDeleteError:
        return
