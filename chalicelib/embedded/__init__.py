"""DynamoDB, SQS, S3 and KMS on one machine: the calls that the storage makes, and no others.

Rows, messages and the names of files are in one SQLite file that several processes open; files are
files, the key is one. Written from Amazon's documents and held to Amazon's own engine by tests.
"""
