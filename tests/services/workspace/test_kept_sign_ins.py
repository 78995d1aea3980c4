"""What a sign-in opened, while somebody chooses among it."""

import json
from dataclasses import asdict
from datetime import datetime

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.domain.workspace.tokens import Tokens
from chalicelib.services.app.kept_sign_ins import read_sign_ins, spell_sign_ins
from tests.support.frozen_clock import NOON

PAGE = SignIn(
    platform=Platform.FACEBOOK,
    handle="Lighthouse Bakery",
    remote_identity="1789",
    tokens=Tokens(access="not a token", ends_at=NOON),
)


def _spell(value: object) -> str:
    assert isinstance(value, datetime)
    return value.isoformat()


def test_what_is_kept_is_read_and_so_is_what_the_release_before_kept() -> None:
    before = json.dumps([asdict(PAGE)], default=_spell)

    assert read_sign_ins(spell_sign_ins([PAGE])) == read_sign_ins(before) == [PAGE]
