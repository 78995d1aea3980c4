"""What the API answers, as frozen dataclasses with the API's own field names.

`reading.read` makes them; fields that a newer service adds are skipped.
"""
