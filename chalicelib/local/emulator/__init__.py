"""The embedded AWS emulator: how ministack is started, and the durable stores of its services.

It runs in a process of its own. What it acknowledged is on disk before the answer.
"""
