"""What a refused sign-in does to an account, and what it does not."""

from pathlib import Path

from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import Health
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room


def _health(room: EngineRoom) -> tuple[Health, str | None]:
    account_id = room.account_id(Platform.LINKEDIN)
    account = room.deployment.account_repository.get(room.caller.workspace_id, account_id)
    assert account is not None
    return account.health, account.health_reason


def test_a_refused_sign_in_breaks_the_account_and_says_why(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_engine_room(emulator, tmp_path)
    post = room.draft("sandbox:expired")
    room.deployment.scheduling.publish_now(room.caller, post.id)

    room.run_due()

    assert room.target(post).error_code == "auth_expired"
    health, reason = _health(room)
    assert health is Health.BROKEN
    assert reason is not None
    assert reason.endswith(".")


def test_any_other_refusal_leaves_the_account_as_it_is(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_engine_room(emulator, tmp_path)
    post = room.draft("sandbox:fail:caption_rejected")
    room.deployment.scheduling.publish_now(room.caller, post.id)

    room.run_due()

    assert room.target(post).error_code == "caption_rejected"
    assert _health(room) == (Health.OK, None)
