"""The HTTP API: what each endpoint takes and answers. The doors call it; it calls services.

One declaration per endpoint drives routing, checks, errors and the OpenAPI description.
"""
