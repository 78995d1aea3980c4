"""The embedded AWS emulator: how ministack is started, and the durable stores of its services."""
