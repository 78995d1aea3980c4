"""What an operator does: workspaces, members, keys, accounts, and control of the engine.

The command line, the app's team page and the demo call it; no endpoint of the API does. Every
refusal is an OperatorError of one sentence.
"""
