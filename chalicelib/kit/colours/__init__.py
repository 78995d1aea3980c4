"""The colours of usual screens, out of those of any photo or video.

`meanings` says what a photo's numbers mean, and `photos` turns a picture of any mode by that, with
profiles that it has or that `icc_profiles` writes; `exif_colours` knows what EXIF alone tells.
`hdr_table` is a table for HLG, PQ or wide colours: FFmpeg's filters look videos up in it. All say
by which recommendation.

`workers/media` makes copies for platforms with it, and `connectors` the pictures of link cards.
"""
