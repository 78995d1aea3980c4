"""The whole flow with httpx over the pydantic models that datamodel-code-generator made.

What is sent is made by the models and what comes is read by them; prints the live post's address.
"""

import sys
import time
from pathlib import Path

import httpx  # type: ignore[import-not-found]  # not among this project's own
from made_models import (  # type: ignore[import-not-found]  # generated
    Check,
    CreatePostIn,
    Media,
    Post,
    Posts,
    PostStatus,
    TargetIn,
)

base_url, key, account, photo = sys.argv[1:]
client = httpx.Client(base_url=base_url, headers={"Authorization": f"Bearer {key}"})


def told(answer: httpx.Response) -> bytes:
    """Return the body of an answer that is no refusal."""
    if answer.is_error:
        sys.exit(answer.text)
    return bytes(answer.content)


file = {"file": ("bread.jpg", Path(photo).read_bytes(), "image/jpeg")}
media = Media.model_validate_json(told(client.post("/v1/media", files=file)))
draft = CreatePostIn(
    caption="Fresh bread from models",
    media_ids=[media.id],
    targets=[TargetIn(account_id=account)],
)
body = draft.model_dump(mode="json", exclude_unset=True)
post = Post.model_validate_json(told(client.post("/v1/posts", json=body)))
checked = Check.model_validate_json(told(client.post(f"/v1/posts/{post.id}/check")))
if not checked.ready:
    sys.exit(checked.model_dump_json())
either = f"{PostStatus.draft.value},{PostStatus.published.value}"
listed = Posts.model_validate_json(told(client.get("/v1/posts", params={"status": either})))
if listed.data[0].id != post.id:
    sys.exit("The draft is not in the list of drafts and published posts.")
told(client.post(f"/v1/posts/{post.id}/publish-now"))
while True:
    now = Post.model_validate_json(told(client.get(f"/v1/posts/{post.id}")))
    target = now.targets[0].model_dump(mode="json")
    if target["status"] == "published":
        sys.stdout.write(f"{target['url']}\n")
        break
    if target["status"] == "failed":
        sys.exit(str(target))
    time.sleep(0.1)
