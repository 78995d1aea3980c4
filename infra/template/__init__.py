"""The template of a stage: what chalice makes and the files beside it, laid over each other.

`python -m infra.template --stage prod` prints it.
"""
