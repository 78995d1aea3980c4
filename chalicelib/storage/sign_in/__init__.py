"""What lets somebody in: sessions, links, passkeys, codes of assistants, sign-ins at platforms.

Services of the app call it. What opens something is kept by its hash, and a thing that works once
is taken by one write. The rows stand in the directory table (`storage/workspace/items.py`).
"""
