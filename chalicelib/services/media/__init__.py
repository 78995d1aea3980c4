"""Uploads on their way in, the library of files, and files that platforms fetch."""
