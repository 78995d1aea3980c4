"""What the sandbox platform received: a file beside the emulator, or a table of a stage."""
