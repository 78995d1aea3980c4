"""What people write into sheets and commands: times, accounts, options, the lines of a plan.

The client has the same files: `make openapi` writes its copies, `make check` compares them. What
is not clear is refused, never guessed. Nothing here knows the rest of the service.
"""
