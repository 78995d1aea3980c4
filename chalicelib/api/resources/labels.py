"""Endpoints of labels, the workspace's own words by which posts are found (docs/api.md)."""

from collections.abc import Sequence
from typing import Annotated, NamedTuple

from pydantic import Field

from chalicelib.api.http.answers import Of, Out
from chalicelib.api.http.endpoint import Call, NoContent, Reply, endpoint
from chalicelib.api.http.fields import AN_ID, Id, In, Line
from chalicelib.api.http.making_once import make_once
from chalicelib.domain.errors import LabelExists, LabelNotFound, PostNotFound
from chalicelib.domain.posts.labels import (
    LONGEST_NAME,
    LONGEST_NAME_SIGNS,
    MOST_LABELS,
    MOST_ON_A_POST,
    Colour,
    Label,
)
from chalicelib.domain.workspace.access import Scope

Name = Annotated[
    Line,
    Field(
        min_length=1,
        max_length=LONGEST_NAME_SIGNS,
        description=f"1 to {LONGEST_NAME} characters, as people count them; no two of a workspace "
        "differ in capitals only.",
        examples=["Summer sale"],
    ),
]


class LabelList(NamedTuple):
    """Some labels, oldest first."""

    data: Sequence[Label]


class LabelIn(In):
    """A new label."""

    name: Name
    colour: Colour = Field(examples=["amber"])


class LabelChangeIn(In):
    """What shall change of a label; null leaves a field as it is."""

    name: Name | None = None
    colour: Colour | None = None


class LabelsOfPostIn(In):
    """The labels that a post shall have, and no others."""

    label_ids: list[Id] = Field(max_length=MOST_ON_A_POST, examples=[[AN_ID]])


class LabelOut(Out, Of[Label]):
    """A label."""

    id: str
    name: str
    colour: Colour


class LabelsOut(Out, Of[LabelList]):
    """Labels, oldest first."""

    data: list[LabelOut] = Field(description=f"At most {MOST_LABELS}.")


@endpoint(summary="List the workspace's labels", scope=Scope.READ, returns=LabelsOut)
def list_labels(call: Call) -> LabelList:
    """Answer the labels."""
    return LabelList(call.services.posting.labels.list(call.caller))


@endpoint(
    summary="Make a label",
    scope=Scope.WRITE,
    body=LabelIn,
    example={"name": "Summer sale", "colour": "amber"},
    returns=LabelOut,
    status=201,
    takes_idempotency_key=True,
    raises=(LabelExists,),
)
def add_label(call: Call[LabelIn]) -> Reply[Label]:
    """Make a label."""
    labels, body = call.services.posting.labels, call.body
    return make_once(
        call,
        lambda mark: labels.add(call.caller, name=body.name, colour=body.colour, mark=mark),
        verb="label",
        find=lambda label_id: labels.find(call.caller, label_id),
        made_of=body.model_dump_json(),
    )


@endpoint(
    summary="Rename or colour a label, on all posts that have it",
    scope=Scope.WRITE,
    body=LabelChangeIn,
    example={"name": "Winter sale"},
    returns=LabelOut,
    raises=(LabelNotFound, LabelExists),
)
def change_label(call: Call[LabelChangeIn]) -> Label:
    """Change a label."""
    return call.services.posting.labels.change(
        call.caller, call.path["label_id"], name=call.body.name, colour=call.body.colour
    )


@endpoint(
    summary="Delete a label; the posts that had it stay",
    scope=Scope.WRITE,
    returns=NoContent,
    status=204,
    raises=(LabelNotFound,),
)
def delete_label(call: Call) -> None:
    """Delete a label."""
    call.services.posting.labels.remove(call.caller, call.path["label_id"])


@endpoint(
    summary="List a post's labels",
    scope=Scope.READ,
    returns=LabelsOut,
    raises=(PostNotFound,),
)
def list_labels_of_post(call: Call) -> LabelList:
    """Answer a post's labels."""
    return LabelList(call.services.posting.labels.of_post(call.caller, call.path["post_id"]))


@endpoint(
    summary="Give a post these labels and no others; what goes out stays as it is",
    scope=Scope.WRITE,
    body=LabelsOfPostIn,
    example={"label_ids": [AN_ID]},
    returns=LabelsOut,
    raises=(PostNotFound, LabelNotFound),
)
def label_post(call: Call[LabelsOfPostIn]) -> LabelList:
    """Exchange a post's labels."""
    given = call.services.posting.labels.give(
        call.caller, call.path["post_id"], call.body.label_ids
    )
    return LabelList(given)
