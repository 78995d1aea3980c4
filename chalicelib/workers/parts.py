"""Work of several parts in one function, of which none keeps the others."""

from collections.abc import Callable


def run_each(*parts: Callable[[], object]) -> None:
    """Run each part, whatever became of those before it.

    Raises the failures together once all have run: on a stage the alarm for errors goes off.
    """
    failures = []
    for part in parts:
        try:
            part()
        except Exception as failure:  # noqa: BLE001 - raised below
            failures.append(failure)
    if failures:
        raise ExceptionGroup("Not all could be done.", failures)
