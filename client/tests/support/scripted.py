"""Answers that tests on a loopback server are scripted with."""

from collections.abc import Mapping
from typing import Any

POST: Mapping[str, Any] = {
    "id": "1" * 32,
    "caption": "Bread",
    "media_ids": [],
    "status": "draft",
    "approval": None,
    "created_at": "2031-03-04T09:00:00+00:00",
    "targets": [],
}
PUBLISHING: Mapping[str, Any] = {
    "id": "2" * 32, "account_id": None, "platform": "x", "handle": "demo", "options": {},
    "status": "publishing", "caption_override": None, "scheduled_at": "2026-01-01T09:00:00+00:00",
    "url": None, "error_code": None, "error_message": None, "trimmed": False, "published_at": None,
}  # fmt: skip
BUSY = {"error": {"code": "busy", "message": "Too many uploads at once."}}


def refusal(code: str, **more: str) -> object:
    """Return the body of a refusal."""
    return {"error": {"code": code, "message": "No.", **more}}
