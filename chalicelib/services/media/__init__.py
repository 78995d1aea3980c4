"""Uploads on their way in, the library of files, and files that platforms fetch.

The API's doors, the app and the uploads queue call it. A file can be posted once it was probed.
"""
