"""Reads and writes of moving a workspace to another deployment, row by row.

`services/operator/moving` calls it. Every write is conditional on the mark of the move naming this
mover, so that one that hung for an hour can change nothing any more.
"""
