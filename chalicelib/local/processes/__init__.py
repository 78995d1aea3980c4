"""The processes of the local stack: one child, the supervisor of all, where each one logs.

Standard library only but for the logs: the supervisor stays small and lives as long as the stack.
"""
