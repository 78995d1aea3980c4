"""Makes the tables, bucket, queues and key of `infra/resources.json` in an emulator."""
