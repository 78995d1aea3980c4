"""What members and clients do in the app and by no endpoint, each through the API's function."""

from chalicelib.http.pipeline import Pipeline
from tests.api.http_room import House
from tests.web.browser import Browser
from tests.web.test_client_pages import link_of, make, waiting
from tests.web.test_review import seen_on


def use_the_app(house: House, pipeline: Pipeline) -> None:
    """Make a key, let a client approve a post by a link, and disconnect an account."""
    room = house.room(approvals=True)
    browser = Browser(room, pipeline).with_session()
    made = browser.send("/app/settings/keys", {"name": "laptop", "scope": ["post.read"]})
    account, post = room.account("x"), waiting(room, "x")
    client, link = Browser(room, pipeline), link_of(browser, make(browser, account))
    seen = seen_on(client.open(link).text)
    decided = client.send(f"{link}/{post['id']}", {**seen, "name": "Mia", "decision": "approve"})
    gone = browser.send(f"/app/accounts/{account}/disconnect")

    assert (made.status, decided.status, gone.status) == (303, 200, 303)
    assert room.show(post)["approval"] == "approved"
