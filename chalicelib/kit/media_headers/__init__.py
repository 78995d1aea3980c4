"""Size, length and codecs of photos and videos, out of the headers of files that nobody trusts.

`jpeg`, `png`, `webp` and `mp4` (with MOV) read a `ranged_file.RangedFile`, which is given what
reads a range: all else is pure. Each ends within its budget of reads, in what it found or in
UnreadableError, whose text is for the person who made the file. No picture is decoded.
`exif` tells whether a photo is turned; videos are read as `boxes`, `tracks` and `fragments`, how
they are coded (`coding`) as `sample_entries`, with the sets of `avc` and `hevc` read as `bits`.

`domain/media/probing.py` uses it for every file that is uploaded.
"""
