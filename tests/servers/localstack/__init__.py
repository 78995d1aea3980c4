"""LocalStack, and what only it can show: one given by the caller, or one of our own without Docker.

`server.py` starts it; `tests/support/engines.py` runs any suite on it: `--engine localstack`.
"""
