"""Everything an operator's command can call, in one place, as `Services` is for requests."""

from dataclasses import dataclass

from chalicelib.services.connections import Connections
from chalicelib.services.directory import Directory
from chalicelib.services.doctor import Doctor
from chalicelib.services.operations import Operations
from chalicelib.services.sign_ins import SignIns


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorServices:
    """The use cases of the command line, one object per noun or two."""

    directory: Directory
    connections: Connections
    sign_ins: SignIns
    operations: Operations
    doctor: Doctor
