"""Gives a new release a tenth of all calls for ten minutes, before it gets the others.

CloudFormation watches the alarms meanwhile, and takes the release back by itself: whoever deploys
may be gone by then. Nobody but CloudFormation turns the aliases here; `make rollback` may while it
watches, and the release goes no further then.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from infra.releases import Releases
from infra.stack import Stack, StackError, Watch
from infra.template.first_tenth import MINUTES, alarm_names, beside, shared
from infra.template.merging import Template
from infra.template.stage import written


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstTenth:
    """The first two of the three changes that a release of a stage is made in."""

    stack: Stack
    releases: Releases
    keep: Callable[[str], str]
    """Uploads a template and returns its address."""
    whole: Template
    plain: Template
    release: str

    def run(self, values: Mapping[str, str], tell: Callable[[str], None]) -> None:
        """Make the versions, give them a tenth of the calls, and wait. Raises StackError.

        Afterwards the release has its tenth and was not found wanting. One that was interrupted
        is begun anew.
        """
        live = self.releases.live_by_name()
        first = beside(self.whole, self.plain, live, self.release)
        tell(f"Making release {self.release}; no call goes to it yet …")
        self.stack.apply(self.keep(written(first)), values)
        alarms = self.stack.alarm_arns(alarm_names(first, self.release))
        tell(
            f"A tenth of all calls goes to it for {MINUTES} minutes. If it fails, CloudFormation "
            "takes it back by itself, also if this command ends …"
        )
        second = shared(self.whole, self.plain, live, self.release)
        try:
            watch = Watch(alarms=alarms, minutes=MINUTES)
            self.stack.apply(self.keep(written(second)), values, watch=watch)
        except StackError as failed:
            raise StackError(
                f"Release {self.release} failed with a tenth of the calls, and was taken back. "
                f"What ran before runs. {failed}"
            ) from failed
        if not self.releases.is_shared(live):
            raise StackError(
                f"The functions were turned by hand meanwhile: release {self.release} goes no "
                "further. Deploy again if it is wanted."
            )
        tell("Nothing failed. All calls go to it now …")
