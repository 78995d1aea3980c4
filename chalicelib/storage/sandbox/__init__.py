"""What the sandbox platform received: a file beside the engine's, or a table of a stage.

The sandbox connector writes it. It is the judge of "exactly once", so it outlives every crash.
"""
