"""Keys: what is wrapped opens for its context alone, and processes agree on one key."""

import subprocess
import sys
from pathlib import Path

import pytest

from chalicelib.kit.aws_on_sqlite.address import address_of
from chalicelib.kit.aws_on_sqlite.engine import Engine, open_engine
from chalicelib.kit.aws_on_sqlite.keys import EmbeddedKms, Keys, keep_keys, renew_keys
from tests.support.emulator import PROJECT

_MAKE = (
    "from chalicelib.kit.aws_on_sqlite.engine import open_engine;"
    "from chalicelib.kit.aws_on_sqlite.keys import EmbeddedKms, make_key; import sys;"
    "engine = open_engine(sys.argv[1]); make_key(engine, 'alias/a');"
    "made = EmbeddedKms(engine).generate_data_key(KeyId='alias/a', KeySpec='AES_256');"
    "print(made['CiphertextBlob'].hex(), made['Plaintext'].hex())"
)


def test_processes_that_begin_at_once_agree_on_a_key(tmp_path: Path) -> None:
    address = address_of(tmp_path / "engine", synced=False)
    making = [
        subprocess.Popen(
            [sys.executable, "-c", _MAKE, address], cwd=PROJECT, stdout=subprocess.PIPE, text=True
        )
        for _ in range(4)
    ]

    made = [process.communicate(timeout=240)[0].split() for process in making]

    kms = EmbeddedKms(open_engine(address))
    for wrapped, plain in made:
        opened = kms.decrypt(CiphertextBlob=bytes.fromhex(wrapped))
        assert opened["Plaintext"] == bytes.fromhex(plain)
    assert (tmp_path / "engine" / "keys.json").stat().st_mode & 0o077 == 0
    open_engine(address).close()


def test_what_was_wrapped_for_one_context_opens_in_no_other(tmp_path: Path) -> None:
    address = address_of(tmp_path / "engine", synced=False)
    subprocess.run([sys.executable, "-c", _MAKE, address], cwd=PROJECT, check=True)
    kms = EmbeddedKms(open_engine(address))
    made = kms.generate_data_key(KeyId="alias/a", EncryptionContext={"account_id": "1"})

    with pytest.raises(kms.exceptions.InvalidCiphertextException):
        kms.decrypt(CiphertextBlob=made["CiphertextBlob"], EncryptionContext={"account_id": "2"})
    assert list(Keys.read(tmp_path / "engine").wrapping) == ["alias/a"]
    open_engine(address).close()


def test_renewed_keys_wrap_from_now_on_and_the_old_ones_still_open(tmp_path: Path) -> None:
    address = address_of(tmp_path / "engine", synced=False)
    subprocess.run([sys.executable, "-c", _MAKE, address], cwd=PROJECT, check=True)
    kms = EmbeddedKms(open_engine(address))
    wrapped = [kms.generate_data_key(KeyId="alias/a", KeySpec="AES_256")]

    for _ in range(3):
        renew_keys(tmp_path / "engine")
        wrapped.append(kms.generate_data_key(KeyId="alias/a", KeySpec="AES_256"))

    assert len({bytes(one["CiphertextBlob"])[:8] for one in wrapped}) == len(wrapped)
    for one in wrapped:
        assert kms.decrypt(CiphertextBlob=one["CiphertextBlob"])["Plaintext"] == one["Plaintext"]
    assert (tmp_path / "engine" / "keys.json").stat().st_mode & 0o077 == 0
    open_engine(address).close()


_FORMER_ID = "3ceca6a4-cdcd-4648-a5aa-d80c8f33a6af"
_FORMER_WRAPPED = (
    "224122d51fc65b530f3113d5c32fb048229ee1aa0186172630a2fa634ad35bd9"
    "000102030405060708090a0b0c0d0e0f"
    "039a9e4e243eb79438e62792e6f3f4d2fde492c133e35443b5b7e7ad5fa73872"
)
"""What the emulator of the first form wrapped for the account 01a2 under the key 0, 1, 2, …"""


def test_what_the_first_form_wrapped_opens_under_its_key(tmp_path: Path) -> None:
    engine = Engine(tmp_path / "engine")
    keep_keys(engine.folder, Keys(former={_FORMER_ID: bytes(range(32))}))
    kms = EmbeddedKms(engine)
    blob = _FORMER_ID.encode() + bytes.fromhex(_FORMER_WRAPPED)

    opened = kms.decrypt(CiphertextBlob=blob, EncryptionContext={"account_id": "01a2"})

    assert opened["Plaintext"] == bytes(range(100, 132))
    with pytest.raises(kms.exceptions.InvalidCiphertextException):
        kms.decrypt(CiphertextBlob=blob, EncryptionContext={"account_id": "01a3"})
    engine.close()
