"""What leaves with a file and what does not: its head is written anew, its picture is not touched.

Pure functions over bytes. `photos` and `movies` are where others begin. docs/media.md.
"""
