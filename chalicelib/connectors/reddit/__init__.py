"""Reddit: `connector.py` reads top to bottom as the platform's own publishing guide.

Reddit refuses with status 200 as well, and makes posts of files after its answer.
"""
