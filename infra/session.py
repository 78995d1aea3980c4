"""The credentials and region of whoever runs a command of `infra`."""

import os

import boto3

from chalicelib.settings import region_named


def aws_session() -> boto3.Session:
    """Return a session in the region that AWS_REGION, AWS_DEFAULT_REGION or the profile names.

    boto3 by itself does not know AWS_REGION, which the operator's commands go by too.
    """
    return boto3.Session(region_name=region_named(os.environ))
