"""Has the service trust the tests' certificate: `run_stack` puts this folder on its path."""

import os

import certifi

certifi.where = lambda: os.environ["CERTIFICATE_OF_TESTS"]
