"""The names by which commands and tests ask for a deployment's use cases."""

from chalicelib.bootstrap.deployment import Deployment
from chalicelib.bootstrap.stages import stack_outputs, stage_settings

__all__ = ["OperatorServices", "operator_services", "stack_outputs", "stage_settings"]

OperatorServices = Deployment


def operator_services(deployment: Deployment) -> Deployment:
    """Return the deployment itself."""
    return deployment
