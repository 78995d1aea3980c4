"""What a release consists of beside its tag: the service's wheel, and the list of its parts.

`infra.release` calls it. The client's wheel is made by its own pyproject.
"""
