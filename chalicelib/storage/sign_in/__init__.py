"""What gives access: sessions, links, passkeys, assistants' codes, sign-ins at platforms.

Services of the app call it. Secrets are kept by their hash only, and what works once is used up by
one write. The rows are in the directory table (`storage/workspace/items.py`).
"""
