"""What people and assistants write and are told: times, accounts, options.

The command, plans and the assistant's tools share it. What is not clear is refused, never guessed.
"""
