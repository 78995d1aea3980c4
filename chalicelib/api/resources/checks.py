"""The endpoint that tells what will keep a post from going out (docs/api.md "Known before")."""

from pydantic import Field

from chalicelib.api.http.endpoint import AnyCall, Call, endpoint
from chalicelib.api.http.fields import Out
from chalicelib.api.http.messages import JsonObject
from chalicelib.domain.errors import PostNotFound
from chalicelib.domain.posts.problems import CheckedPost, Level
from chalicelib.domain.workspace.access import Scope


class PostProblemOut(Out):
    """One thing that will, or may, keep a target from going out."""

    target_id: str
    level: Level = Field(description="An error will happen, a warning may.")
    code: str = Field(
        description="What the API or the failed target would say; `unchecked` where nobody knows, "
        "`no_preview` for a link whose page cannot be read."
    )
    message: str
    field: str | None = Field(description="Where it is, such as `targets[0].options.board`.")


class CheckOut(Out):
    """Every problem of every target that has yet to go out."""

    ready: bool = Field(description="False while there is an error.")
    data: list[PostProblemOut]

    @staticmethod
    def of(result: CheckedPost, _call: AnyCall) -> JsonObject:
        """Write what a check found."""
        return {
            "ready": result.is_ready,
            "data": [
                {
                    "target_id": problem.target_id,
                    "level": problem.level,
                    "code": problem.code,
                    "message": problem.message,
                    "field": problem.field,
                }
                for problem in result.problems
            ],
        }


@endpoint(
    "POST",
    "/v1/posts/{post_id}/check",
    summary="Everything that is known to go wrong with a post; changes nothing",
    scope=Scope.READ,
    returns=CheckOut,
    raises=(PostNotFound,),
)
def check(call: Call) -> CheckedPost:
    """Answer every problem at once."""
    return call.services.checks.check(call.caller, call.path["post_id"])
