"""The whole service on one machine: `make run` starts the front and the trigger runner.

They share the embedded engine's file (`kit/aws_on_sqlite`). Nothing here is deployed to AWS.
"""
