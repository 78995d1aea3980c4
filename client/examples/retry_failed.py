"""Send again whatever failed for a reason that may be over, once each.

GOLDENHOUR_URL=… GOLDENHOUR_API_KEY=… python retry_failed.py
"""

import os

from goldenhour import Client, Conflict, Post

PASSING = {"rate_limited", "platform_unavailable", "media_unavailable", "processing_timeout"}


def main() -> None:
    """Retry posts with a target that failed for a passing reason, and only for such."""
    with Client(os.environ["GOLDENHOUR_URL"], os.environ["GOLDENHOUR_API_KEY"]) as client:
        for post in client.posts.list(status=["failed", "partial"]):
            if not failed_in_passing(post):
                continue
            try:
                client.posts.retry(post.id)
            except Conflict as refusal:  # somebody else was quicker, or the account is gone
                print(post.id, refusal.message)
            else:
                print(post.id, "is sent again")


def failed_in_passing(post: Post) -> bool:
    """Return whether every failed target failed for a reason that may be over."""
    codes = {target.error_code for target in post.targets if target.status == "failed"}
    return codes <= PASSING


if __name__ == "__main__":
    main()
