"""A program that is the functions of one release: it runs in a tree of that release.

It therefore imports nothing of these tests, and of the service only what both releases have: each
line of its input asks for one thing, and each line of its output answers it.
"""

import json
import logging
import sys
from datetime import datetime
from pathlib import Path
from typing import Any

from chalice.app import SQSEventConfig
from chalice.test import Client

import app
from chalicelib.domain.workspace.notices import NoticeKind
from chalicelib.domain.workspace.tokens import Tokens

TREE = Path(app.__file__).parent


class Functions:
    """Requests, messages of queues and runs of rules, at the instant that each names."""

    def __init__(self, client: Client) -> None:
        self._client = client
        app.deployment().clock = app.deployment().wall = lambda: self._now

    def answer(self, asked: dict[str, Any]) -> object:
        """Do one thing and return what came of it."""
        self._now = datetime.fromisoformat(asked["at"])
        match asked["do"]:
            case "request":
                body = str(asked["body"]).encode("latin-1")
                answer = self._client.http.request(
                    asked["method"], asked["path"], asked["headers"], body
                )
                return [answer.status_code, answer.body.decode("utf-8", "replace")]
            case "message":
                event = self._client.events.generate_sqs_event([asked["body"]])
                return self._client.lambda_.invoke(asked["function"], event).payload
            case "rule":
                event = self._client.events.generate_cw_event("aws.events", "Rule", {}, [])
                return self._client.lambda_.invoke(asked["function"], event).payload
            case "refresh":
                return self._refreshed(asked)
            case "notices":
                return self._wanted(asked["workspace_id"])
            case "queues":
                sources = app.app.event_sources
                read = [one for one in sources if isinstance(one, SQSEventConfig)]
                return {str(one.queue): one.name for one in read}
            case other:
                raise ValueError(other)

    def _refreshed(self, asked: dict[str, Any]) -> str:
        """Keep a new token of an account; return the one that was kept."""
        stores = app.deployment().stores
        account = stores.account_repository.get(asked["workspace_id"], asked["account_id"])
        assert account is not None
        kept = stores.token_store.read(account)
        assert kept is not None
        tokens = Tokens(access=asked["access"], refresh="refresh", expires_at=self._now)
        stores.token_store.renew(account, tokens)
        return kept.tokens.access

    def _wanted(self, workspace_id: str) -> list[str]:
        """Have the owner want every notice that there is; return which."""
        office, every = app.deployment().people.administration, frozenset(NoticeKind)
        owner = office.list_members(workspace_id)[0]
        office.tell_member(owner.id, email="ada@example.com", notices=every)
        return sorted(every)


def main() -> None:
    """Answer until the input ends."""
    out, sys.stdout = sys.stdout, sys.stderr  # nothing but answers goes there
    with Client(app.app, project_dir=str(TREE)) as client:
        functions = Functions(client)
        logging.getLogger().setLevel(logging.WARNING)
        for line in sys.stdin:
            out.write(json.dumps(functions.answer(json.loads(line))) + "\n")
            out.flush()


if __name__ == "__main__":
    main()
