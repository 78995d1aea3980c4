"""One file per resource of the API: its endpoints and the schemas of its bodies and answers.

Endpoints are two or three lines and call a service of the same name.
"""
