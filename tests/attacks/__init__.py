"""What somebody with bad intentions would do, a file for each attack, against the whole service.

Each says who could do it and what a neighbour notices meanwhile. The service belongs to the test
and listens on loopback; every loop is bounded.
"""
