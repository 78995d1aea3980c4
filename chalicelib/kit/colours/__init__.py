"""The colours of usual screens, out of those of any photo or video.

`photos` turns a picture of any mode by its own profile; `hdr_table` is a table for videos in HLG,
PQ or wide colours, which FFmpeg's filters look up. Both say by which recommendation.

`workers/media` makes copies for platforms with it, and `connectors` the pictures of link cards.
"""
