"""The processes of the local stack: one child, the supervisor, the logs of each.

Standard library only, except for the logs: the supervisor stays small and lives as long as the
stack.
"""
