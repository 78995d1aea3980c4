"""The whole service on one machine: `make run` starts the emulator, front and trigger runner.

Nothing here is deployed to AWS.
"""
