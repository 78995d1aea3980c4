"""What AWS lets pass, as it publishes it, and what nobody publishes and is assumed here.

Every number has its source in its docstring: Amazon's guides as of November 2026, or `assumed`.
"""

from typing import Final

# Lambda.

FIRST_BATCHES: Final = 5
"""Batches that an idle event source of SQS has in work at once (Lambda guide, "Configuring scaling
behavior for SQS event source mappings")."""
BATCHES_A_SECOND: Final = 5.0
"""How many more it takes on while messages are left: 300 a minute (the same page)."""
MOST_BATCHES: Final = 1_250
"""Batches of one event source in work at once (the same page)."""
BATCHES_OF_A_POLLER: Final = 10
"""Of provisioned mode: each poller has ten invocations in work at most (the same page)."""
MESSAGES_OF_A_POLLER: Final = 100.0
"""A second: ten questions a second, each answered with ten messages at most (the same page)."""
NEW_CONTAINERS: Final = 1_000
"""Executions that a function may add in ten seconds (Lambda guide, "Function scaling")."""
PROCESSOR_MB: Final = 1_769
"""Memory that gives one whole processor (Lambda guide, "Configure memory")."""
BATCH_COLLECTED_S: Final = 0.2
"""Assumed: how long an event source gathers a hundred messages that wait."""

# SQS and DynamoDB.

NEW_TABLE_WRITES: Final = 4_000
"""Write units a second that a new on-demand table, and each of its indexes, serves at once
(DynamoDB guide, "Understanding warm throughput")."""
TABLE_WRITES: Final = 40_000
"""Write units a second of one on-demand table before its quota is raised (DynamoDB quotas)."""
PARTITION_WRITES: Final = 1_000
"""Write units a second of one partition (DynamoDB guide, "Partition key design")."""
IN_FLIGHT: Final = 120_000
"""Messages of a queue that were received and not deleted (SQS quotas)."""
GIVES_UP_S: Final = 10.0
"""How long a throttled write of the engine is tried again: six times (`kit/dynamodb/failures`),
each of them three times by botocore's standard mode, with growing waits."""

# KMS.

KMS_A_SECOND: Final = 10_000
"""Cryptographic requests with symmetric keys, a second and account, of most large regions; 5,500 in
others, 50,000 to 100,000 in us-east-1 (KMS guide, "Request quotas")."""

# Assumed of the world.

CALL_S: Final = 1.0
"""Assumed: how long a platform takes to answer."""
TABLE_S: Final = 0.008
"""Assumed: how long DynamoDB takes for a call that is not throttled; KMS and SQS alike."""
COLD_S: Final = 1.5
"""Assumed of a container's first start: `benchmarks cold` counts 0.5 to 0.7 s of processor for it;
placing it and opening TLS connections take the rest."""
FROZEN_S: Final = 0.15
"""Assumed: a container that slept finds its connections closed and opens three anew."""
UPLOAD_S: Final = 2.0
"""Assumed: how long a photo's upload takes in the prepare lane; a video's takes 30 s."""
