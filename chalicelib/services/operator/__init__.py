"""What an operator does: workspaces, members, keys, accounts, and control of the engine."""
