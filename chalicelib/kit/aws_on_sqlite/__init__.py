"""DynamoDB, SQS, S3 and KMS on one machine: clients with boto3's methods over SQLite and files.

They support the calls and expressions that this service uses, and refuse others. Rows, messages and
the names of objects are in one SQLite file that several processes open; the objects' bytes and the
keys are files. Written from Amazon's documents, and compared by tests with Amazon's own engine.

`clients.embedded_client` makes a client for an address `embedded:/folder` (`address`); each is a
`base_client` and raises errors as botocore would (`failures`). `engine` is the file and its
transactions (`schema`: its tables), `tables` is DynamoDB, `queues` SQS (`fair_turns` gives message
groups their turns), `objects` and `files` S3, `keys` KMS; `resources` makes tables, queues and
buckets of a template, `expiry` does TTL and lifecycle rules, `nameless_files` removes files without
a name. `steady_clock` keeps waits correct while the machine's clock is wrong (`kept_stand`: in
later processes, too), `shared_sync` lets writers share one sync of the disk.

`bootstrap` and `local` use it for `make run`, for one server and for the tests.
"""
