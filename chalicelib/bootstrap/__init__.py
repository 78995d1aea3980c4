"""The only place that constructs adapters and wires services and workers from the settings.

Everything that is asked from outside (endpoints, pages, triggers, commands) is given one
`Deployment` and picks from it. No rule lives here: who needs what, and nothing else.
"""
