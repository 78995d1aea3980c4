"""Google Business Profile: `connector.py` reads top to bottom as Google's own publishing guide.

One call makes a post, and Google fetches its photo; a review follows and is watched.
"""
