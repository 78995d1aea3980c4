"""How posts on Picnic do."""

from chalicelib.connectors.connector import LivePost
from chalicelib.connectors.picnic.api import PicnicApi
from chalicelib.domain.analytics.metrics import Metrics
from chalicelib.kit.transport.responses import count, find

BATCH = 50


def metrics_of(api: PicnicApi, lives: list[LivePost]) -> list[Metrics | None]:
    """Return the figures of posts of one account, None for those that are gone."""
    found: dict[str, Metrics] = {}
    for start in range(0, len(lives), BATCH):
        some = lives[start : start + BATCH]
        asked = {"ids": ",".join(live.remote_id for live in some)}
        for post in api.get("counts", some[0].account.token, asked).items("posts"):
            found[str(find(post, "id"))] = Metrics(
                views=count(post, "seen"), likes=count(post, "liked")
            )
    return [found.get(live.remote_id) for live in lives]
