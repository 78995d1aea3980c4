"""What a process imports from which children are forked (`ready_children.py`): it loads it all."""

from chalicelib.workers.media import photo_fitting, pictures, video_copy
from chalicelib.workers.media.isolated import child

LOADED = (photo_fitting, pictures, video_copy)

child.load_all()
