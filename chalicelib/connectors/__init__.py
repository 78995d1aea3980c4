"""How goldenhour speaks to platforms: one folder per platform over the protocol in `connector.py`.

Workers call connectors one step at a time; connectors read no database and never import each other.
"""
