"""Operations on accounts."""

from collections.abc import Sequence

from goldenhour.http.transport import Call, Transport
from goldenhour.models.answers import Account, AccountList, Choices, CreatorOptions


class Accounts:
    """The workspace's connected accounts."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> AccountList:
        """Return every account of the workspace, oldest first."""
        return self._transport.send(Call(method="GET", path="/v1/accounts", repeatable=True)).read(
            AccountList
        )

    def tiktok_options(
        self, account_id: str, *, media: str = "video", with_form: bool = False
    ) -> CreatorOptions:
        """Return what TikTok lets this creator choose now; `media` is `video` or `image`.

        With `form` if it is wanted: what TikTok's reviewers demand that a person is shown.
        """
        path = f"/v1/accounts/{account_id}/tiktok"
        query = {"media": media, "include": "form" if with_form else None}
        call = Call(method="GET", path=path, query=query, repeatable=True)
        return self._transport.send(call).read(CreatorOptions)

    def choices(
        self,
        account_id: str,
        *,
        subreddit: str | None = None,
        board: str | None = None,
        q: str | None = None,
        fresh: bool = False,
    ) -> Choices:
        """Return what the account can choose for its options, such as boards and playlists.

        A community has flairs, a board sections; the words `q` find places.
        """
        fresh_words = "true" if fresh else None
        query = {"subreddit": subreddit, "board": board, "q": q, "fresh": fresh_words}
        path = f"/v1/accounts/{account_id}/choices"
        return self._transport.send(
            Call(method="GET", path=path, query=query, repeatable=True)
        ).read(Choices)

    def set_audience_regions(self, account_id: str, regions: Sequence[str]) -> Account:
        """Set whom the account reaches, by up to three regions; it moves its golden hours."""
        call = Call(
            method="PATCH",
            path=f"/v1/accounts/{account_id}",
            json={"audience_regions": [*regions]},
            repeatable=True,
        )
        return self._transport.send(call).read(Account)
