"""Amazon's own DynamoDB engine for tests: resolved by Maven from `pom.xml`, run on a free port.

`tests/support/engines.py` starts it for `--engine dynamodb-local`; LocalStack gets the same files.
"""
