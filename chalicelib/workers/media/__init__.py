"""Copies of files for platforms: cut, converted or encoded with FFmpeg and Pillow.

Large libraries are imported when a copy is made, never at start.
"""
