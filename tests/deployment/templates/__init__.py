"""The template of a stage, read as AWS would run it. Nothing is deployed here."""
