"""The whole flow with the client that openapi-python-client made: upload, draft, check, publish.

Run by a Python that has the generated package's libraries; prints the live post's address.
"""

import sys
import time
from pathlib import Path

from made_client import AuthenticatedClient  # type: ignore[import-not-found]  # generated
from made_client.api.media import upload_media  # type: ignore[import-not-found]  # generated
from made_client.api.posts import (  # type: ignore[import-not-found]  # generated
    check,
    create_post,
    get_post,
    list_posts,
    publish_now,
)
from made_client.models import (  # type: ignore[import-not-found]  # generated
    CreatePostIn,
    PostStatus,
    TargetIn,
    UploadMediaBody,
)
from made_client.types import File  # type: ignore[import-not-found]  # generated

base_url, key, account, photo = sys.argv[1:]
client = AuthenticatedClient(base_url=base_url, token=key)
with Path(photo).open("rb") as opened:
    sent = File(payload=opened, file_name="bread.jpg", mime_type="image/jpeg")
    media = upload_media.sync(client=client, body=UploadMediaBody(file=sent))
draft = CreatePostIn(
    caption="Fresh bread from Python", media_ids=[media.id], targets=[TargetIn(account_id=account)]
)
post = create_post.sync(client=client, body=draft)
checked = check.sync(post.id, client=client)
if not checked.ready:
    sys.exit(str(checked))
either = [PostStatus.DRAFT, PostStatus.PUBLISHED]
if list_posts.sync(client=client, status=either).data[0].id != post.id:
    sys.exit("The draft is not in the list of drafts and published posts.")
publish_now.sync(post.id, client=client)
while True:
    target = get_post.sync(post.id, client=client).targets[0]
    if target.status == "published":
        sys.stdout.write(f"{target.url}\n")
        break
    if target.status == "failed":
        sys.exit(str(target))
    time.sleep(0.1)
