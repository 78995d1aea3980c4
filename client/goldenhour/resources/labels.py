"""Operations on labels, the workspace's own words by which posts are found."""

from collections.abc import Iterable

from goldenhour.http.making import make
from goldenhour.http.transport import Call, Transport
from goldenhour.models.answers import Label, Labels


class LabelBook:
    """The workspace's labels and those of its posts; they change nothing that goes out."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> Labels:
        """Return the workspace's labels, oldest first."""
        call = Call(method="GET", path="/v1/labels", repeatable=True)
        return self._transport.send(call).read(Labels)

    def add(self, name: str, *, colour: str, idempotency_key: str | None = None) -> Label:
        """Make a label. Raises LabelExists for a name that differs in capitals only."""
        return make(
            self._transport,
            "/v1/labels",
            lambda answer: answer.read(Label),
            key=idempotency_key,
            json={"name": name, "colour": colour},
        )

    def change(self, label_id: str, *, name: str | None = None, colour: str | None = None) -> Label:
        """Rename or colour a label on all posts that have it; None leaves it so."""
        json = {"name": name, "colour": colour}
        call = Call(
            method="PATCH",
            path=f"/v1/labels/{label_id}",
            json={field: value for field, value in json.items() if value is not None},
            repeatable=True,
        )
        return self._transport.send(call).read(Label)

    def remove(self, label_id: str) -> None:
        """Delete a label; the posts that had it stay."""
        self._transport.send(Call(method="DELETE", path=f"/v1/labels/{label_id}", repeatable=True))

    def of_post(self, post_id: str) -> Labels:
        """Return a post's labels."""
        call = Call(method="GET", path=f"/v1/posts/{post_id}/labels", repeatable=True)
        return self._transport.send(call).read(Labels)

    def give(self, post_id: str, label_ids: Iterable[str]) -> Labels:
        """Give a post these labels and no others; return them."""
        call = Call(
            method="PUT",
            path=f"/v1/posts/{post_id}/labels",
            json={"label_ids": [*label_ids]},
            repeatable=True,
        )
        return self._transport.send(call).read(Labels)
