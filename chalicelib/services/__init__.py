"""The use cases of the API and of operators, named like the API's verbs.

Requests and workers call them. A service decides with the domain and keeps the result with the
storage.
"""
