"""Reading many rows at once: all of them arrive, however many calls that takes."""

from chalicelib.kit.dynamodb.table import BatchRead
from tests.kit.dynamodb.ruled_table import a_row, a_ruled_table, text
from tests.support.clients import a_client
from tests.support.emulator import EmulatorProcess, dynamodb_url


def test_rows_that_one_answer_cannot_hold_are_asked_for_again(emulator: EmulatorProcess) -> None:
    """An answer holds 16 MB at most."""
    client = a_client("dynamodb", dynamodb_url(emulator))
    table = a_ruled_table(client)
    names = [f"post{number}" for number in range(50)]
    table.put(*(a_row(name, x=text("x" * 390_000)) for name in names))

    keys = [(table.name, {"pk": name, "sk": "POST"}) for name in (*names, "absent")]
    found = BatchRead(client, wait=lambda _: None).read(keys)

    assert {(name, "POST") for name in names} == set(found)
