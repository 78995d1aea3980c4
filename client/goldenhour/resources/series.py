"""Operations on series: posts that come again."""

from collections.abc import Iterable
from datetime import date

from goldenhour.http.making import make
from goldenhour.http.transport import Call, Transport
from goldenhour.models.answers import Series, SeriesList


class SeriesBook:
    """The workspace's series; the posts of one are made 35 days ahead."""

    def __init__(self, transport: Transport) -> None:
        self._transport = transport

    def list(self) -> SeriesList:
        """Return the series, newest first; those that are over stay for 30 days."""
        call = Call(method="GET", path="/v1/series", repeatable=True)
        return self._transport.send(call).read(SeriesList)

    def get(self, series_id: str) -> Series:
        """Return a series."""
        call = Call(method="GET", path=f"/v1/series/{series_id}", repeatable=True)
        return self._transport.send(call).read(Series)

    def begin(  # noqa: PLR0913 - a rule is several parts
        self,
        post_id: str,
        *,
        every: str,
        interval: int | None = None,
        weekdays: Iterable[int] | None = None,
        until: date | None = None,
        times: int | None = None,
        idempotency_key: str | None = None,
    ) -> Series:
        """Repeat a post every so many days, weeks or months, on weekdays of 0 (Monday) to 6.

        With a key that you keep, a repeat within a day begins no second series.
        """
        json = {
            "every": every,
            "interval": interval,
            "weekdays": None if weekdays is None else [*weekdays],
            "until": None if until is None else until.isoformat(),
            "times": times,
        }
        return make(
            self._transport,
            f"/v1/posts/{post_id}/repeat",
            lambda answer: answer.read(Series),
            key=idempotency_key,
            json={field: value for field, value in json.items() if value is not None},
        )

    def end(self, series_id: str) -> Series:
        """End a series; coming posts that nobody edited go, the others stay."""
        call = Call(method="DELETE", path=f"/v1/series/{series_id}", repeatable=True)
        return self._transport.send(call).read(Series)
