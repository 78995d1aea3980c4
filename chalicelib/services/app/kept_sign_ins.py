"""What a sign-in at a platform opened, as text: a flow keeps it while somebody chooses."""

import json
import zlib
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Final

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.kit import base64url

MOST_KEPT: Final = 1_000
"""A row has 400 KB at most; compressed, a Page of Facebook takes 240 to 300 bytes of it."""


def spell_sign_ins(found: Sequence[SignIn]) -> str:
    """Spell what a sign-in opened."""
    told = json.dumps([asdict(one) for one in found], default=_spell)
    return base64url.encode(zlib.compress(told.encode()))


def read_sign_ins(text: str) -> list[SignIn]:
    """Read what `spell_sign_ins` spelled; the release before wrote plain JSON."""
    told = text if text.startswith("[") else zlib.decompress(base64url.decode(text))
    return [_sign_in_from(one) for one in json.loads(told)]


def _spell(value: object) -> str:
    if isinstance(value, datetime):
        return value.isoformat()
    raise TypeError(type(value).__name__)


def _sign_in_from(kept: dict[str, object]) -> SignIn:
    tokens = kept["tokens"]
    if not isinstance(tokens, dict) or not isinstance(kept["settings"], dict):
        raise TypeError("not a sign-in that was kept")
    times = {
        name: None if tokens.get(name) is None else datetime.fromisoformat(str(tokens[name]))
        for name in ("expires_at", "renew_at", "ends_at")
    }
    return SignIn(
        platform=Platform(str(kept["platform"])),
        handle=str(kept["handle"]),
        remote_identity=str(kept["remote_identity"]),
        tokens=Tokens(**{**tokens, **times}),
        settings=kept["settings"],
        barred=None if kept["barred"] is None else str(kept["barred"]),
    )
