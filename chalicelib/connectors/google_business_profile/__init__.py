"""Google Business Profile: `connector.py` reads top to bottom as Google's own publishing guide."""
