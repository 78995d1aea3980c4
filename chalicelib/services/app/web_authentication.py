"""What browsers are asked for passkeys, and the proof of what they answer: W3C Web Authentication.

Yubico's library reads and checks; here is what this service demands besides: a person whom the
device verified (fingerprint, face, PIN), a passkey that the device finds by itself, pages of our
own origin that stand in no other's frame, flags that agree with each other, and kinds of signatures
that browsers know. Answers are strangers' bytes: whatever is wrong with one is refused as
PasskeyRefused.
"""

import json
import logging
from collections.abc import Callable, Mapping, Sequence
from functools import lru_cache
from typing import Any, Final, TypeVar

from fido2.cose import ES256, RS256, EdDSA
from fido2.server import Fido2Server
from fido2.utils import websafe_encode
from fido2.webauthn import (
    AttestedCredentialData,
    AuthenticationResponse,
    AuthenticatorData,
    PublicKeyCredentialDescriptor,
    PublicKeyCredentialParameters,
    PublicKeyCredentialRpEntity,
    PublicKeyCredentialType,
    PublicKeyCredentialUserEntity,
    RegistrationResponse,
    ResidentKeyRequirement,
    UserVerificationRequirement,
)

from chalicelib.domain.workspace.passkeys import PasskeyRefused, RelyingParty

_LONGEST_ANSWER = 16_384
_LONGEST_CREDENTIAL = 2_048
_ALGORITHMS: Final = (ES256.ALGORITHM, EdDSA.ALGORITHM, RS256.ALGORITHM)
_VERIFIED: Final = UserVerificationRequirement.REQUIRED
_ValueT = TypeVar("_ValueT")

logging.getLogger("fido2").setLevel(logging.WARNING)  # it names every credential that is used
log = logging.getLogger(__name__)


def creation_options(
    party: RelyingParty,
    challenge: bytes,
    *,
    handle: bytes,
    name: str,
    known: Sequence[bytes],
) -> Mapping[str, Any]:
    """Return what a browser is asked for a new passkey; it makes none where one is `known`."""
    options, _ = _server(party).register_begin(
        PublicKeyCredentialUserEntity(id=handle, name=name, display_name=name),
        [_descriptor(credential) for credential in known],
        ResidentKeyRequirement.REQUIRED,
        _VERIFIED,
        challenge=challenge,
    )
    return dict(options.public_key)


def request_options(party: RelyingParty, challenge: bytes) -> Mapping[str, Any]:
    """Return what a browser is asked for a sign-in by whatever passkey it has."""
    options, _ = _server(party).authenticate_begin(user_verification=_VERIFIED, challenge=challenge)
    return dict(options.public_key)


def check_created(party: RelyingParty, challenge: bytes, answer: str) -> tuple[bytes, bytes, int]:
    """Return the id, the credential and the count of a new passkey. Raises PasskeyRefused."""

    def check(response: dict[str, Any]) -> tuple[bytes, bytes, int]:
        answered = RegistrationResponse.from_dict(response)
        _check_frame(answered)
        _check_backup(answered.response.attestation_object.auth_data)
        made = _server(party).register_complete(_state(challenge), response)
        credential = made.credential_data
        if credential is None or credential.public_key.ALGORITHM not in _ALGORITHMS:
            raise ValueError("Not a kind of key that was asked for.")
        if len(credential) > _LONGEST_CREDENTIAL:
            raise ValueError("The credential is too long.")
        return credential.credential_id, bytes(credential), made.counter

    return _read(answer, check)


def read_claim(answer: str) -> tuple[bytes, bytes]:
    """Return whose passkey an answer claims to be: user handle, and id. Raises PasskeyRefused."""

    def check(response: dict[str, Any]) -> tuple[bytes, bytes]:
        claimed = AuthenticationResponse.from_dict(response)
        return claimed.response.user_handle or b"", claimed.raw_id

    return _read(answer, check)


def check_signed(party: RelyingParty, challenge: bytes, credential: bytes, answer: str) -> int:
    """Check that a credential signed; return what it counts. Raises PasskeyRefused."""

    def check(response: dict[str, Any]) -> int:
        answered = AuthenticationResponse.from_dict(response)
        _check_frame(answered)
        _check_backup(answered.response.authenticator_data)
        known = [AttestedCredentialData(credential)]
        _server(party).authenticate_complete(_state(challenge), known, response)
        return answered.response.authenticator_data.counter

    return _read(answer, check)


def _read(answer: str, check: Callable[[dict[str, Any]], _ValueT]) -> _ValueT:
    try:
        return check(_parse(answer))
    except Exception as error:  # whatever a parser of a stranger's bytes stumbles over
        log.warning("a passkey was refused: %s", type(error).__name__, extra={"action": "passkey"})
        raise PasskeyRefused from error


def _parse(answer: str) -> dict[str, Any]:
    if len(answer) > _LONGEST_ANSWER:
        raise ValueError("The answer is too long.")
    return dict(json.loads(answer))


def _check_frame(answered: RegistrationResponse | AuthenticationResponse) -> None:
    if answered.response.client_data.cross_origin:
        raise ValueError("Asked from a page within another site's.")


def _check_backup(data: AuthenticatorData) -> None:
    """Check that only what may be backed up says that it is; the library does not."""
    if data.is_backed_up() and not data.is_backup_eligible():
        raise ValueError("Backed up, although it cannot be.")


@lru_cache(maxsize=8)  # making one takes the library ten times as long as asking with it
def _server(party: RelyingParty) -> Fido2Server:
    server = Fido2Server(
        PublicKeyCredentialRpEntity(id=party.host, name="goldenhour"),
        verify_origin=lambda origin: origin == party.origin,
    )
    server.allowed_algorithms = [
        PublicKeyCredentialParameters(type=PublicKeyCredentialType.PUBLIC_KEY, alg=number)
        for number in _ALGORITHMS
    ]
    return server


def _state(challenge: bytes) -> dict[str, Any]:
    """Return what the library keeps between question and answer, as its `register_begin` does."""
    return {"challenge": websafe_encode(challenge), "user_verification": _VERIFIED}


def _descriptor(credential: bytes) -> PublicKeyCredentialDescriptor:
    known = AttestedCredentialData(credential)
    return PublicKeyCredentialDescriptor(
        type=PublicKeyCredentialType.PUBLIC_KEY, id=known.credential_id
    )
