"""Size, length and codecs of photos and videos, from the headers of untrusted files.

`jpeg`, `png`, `webp` and `mp4` (also MOV) read a `ranged_file.RangedFile`, which calls a function
that reads a range; all else is pure. Each stays within its budget of reads and returns what it
found or raises UnreadableError, whose text is for the person who uploaded the file. No picture is
decoded. `exif` tells whether a photo is turned. `boxes`, `tracks` and `fragments` read videos;
`sample_entries`, `avc`, `hevc` and `bits` read how they are coded (`coding`).

`domain/media/probing.py` uses it for every file that is uploaded.
"""
