"""Publish a photo to every healthy account of some platforms and wait until it is out.

GOLDENHOUR_URL=… GOLDENHOUR_API_KEY=… python publish_photo.py photo.jpg "Fresh bread" linkedin x
"""

import os
import sys

from goldenhour import Client, Post


def main(file: str, caption: str, *platforms: str) -> int:
    """Publish and return 1 if a target failed."""
    with Client(os.environ["GOLDENHOUR_URL"], os.environ["GOLDENHOUR_API_KEY"]) as client:
        accounts = [
            account.id
            for account in client.accounts.list()
            if account.platform in platforms and account.health != "broken"
        ]
        media = client.media.upload(file, progress=show_progress)
        draft = client.posts.create(targets=accounts, caption=caption, media_ids=[media.id])
        post = client.posts.publish_now(draft.id).wait(on_change=show)
    return int(any(target.status == "failed" for target in post.targets))


def show_progress(sent: int, total: int) -> None:
    """Print how far the upload is."""
    print(f"\ruploaded {100 * sent // total} %", end="" if sent < total else "\n")


def show(post: Post) -> None:
    """Print what is known about each target."""
    for target in post.targets:
        print(target.platform, target.status, target.url or target.error_message or "")


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
