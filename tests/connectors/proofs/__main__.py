"""Writes docs/connectors.md.

python -m tests.connectors.proofs > docs/connectors.md
"""

from tests.connectors.proofs.page import page

print(page(), end="")  # noqa: T201
