"""DynamoDB, SQS, S3 and KMS on one machine: clients with boto3's methods over SQLite and files.

They do the calls and expressions that a program of this kind makes, and refuse others. Rows,
messages and the names of files are in one SQLite file that several processes open; files are files,
the key is one. Written from Amazon's documents and held to Amazon's own engine by tests.

`clients.embedded_client` makes a client for an address `embedded:/folder` (`address`); each is a
`base_client` and refuses as botocore would (`failures`). `engine` is the file and its transactions
(`schema`: its tables), `tables` is DynamoDB, `queues` SQS (`fair_turns` says whose turn it is),
`objects` and `files` S3, `keys` KMS; `resources` makes tables, queues and buckets of a template,
`expiry` does TTL and lifecycle rules, `nameless_files` removes what nothing names. `steady_clock`
keeps waits right while the machine's clock is wrong (`kept_stand`: in later processes, too),
`shared_sync` lets writers share one sync of the disk.

`bootstrap` and `local` use it for `make run`, for one server and for the tests.
"""
