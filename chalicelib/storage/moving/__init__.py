"""What moving a workspace to another deployment reads and writes, row by row.

`services/operator/moving` calls it. Whatever it writes demands that the mark of the move still
names this mover, so that one that stood still for an hour changes nothing any more.
"""
