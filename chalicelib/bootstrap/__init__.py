"""The only place that constructs adapters and wires services and workers from the settings.

Endpoints, pages, triggers and commands are given one `Deployment` and use its parts. These files
contain no rules: they only say which part needs which.
"""
