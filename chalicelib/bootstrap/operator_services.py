"""Everything an operator's command can call, in one place, as `Services` is for requests."""

from dataclasses import dataclass

from chalicelib.doctor.doctor import Doctor
from chalicelib.services.app.connecting import Connecting
from chalicelib.services.app.sessions import Sessions
from chalicelib.services.operator.administration import Administration
from chalicelib.services.operator.connections import Connections
from chalicelib.services.operator.deletion import WorkspaceDeletion
from chalicelib.services.operator.engine_control import EngineControl
from chalicelib.services.operator.sign_ins import SignIns
from chalicelib.services.posts.risks import PostRisks
from chalicelib.workers.trial.publications import Trials


@dataclass(frozen=True, slots=True, kw_only=True)
class OperatorServices:
    """The use cases of the command line, one object per noun or two.

    `stack_runs` tells whether the local stack runs by itself; None for a stage in AWS.
    """

    administration: Administration
    deletion: WorkspaceDeletion
    sessions: Sessions
    connecting: Connecting
    connections: Connections
    sign_ins: SignIns
    engine_control: EngineControl
    risks: PostRisks
    doctor: Doctor
    trials: Trials
    base_url: str
    stack_runs: bool | None = None
