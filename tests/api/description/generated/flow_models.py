"""The whole flow with httpx over the pydantic models that datamodel-code-generator made.

What is sent is made by the models and what comes is read by them; prints the live post's address.
"""

import sys
import time
from pathlib import Path

import httpx  # type: ignore[import-not-found]  # not among this project's own
from made_models import (  # type: ignore[import-not-found]  # generated
    CheckOut,
    CreatePostIn,
    MediaOut,
    PostOut,
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
media = MediaOut.model_validate_json(told(client.post("/v1/media", files=file)))
draft = CreatePostIn(
    caption="Fresh bread from models",
    media_ids=[media.id],
    targets=[TargetIn(account_id=account)],
)
body = draft.model_dump(mode="json", exclude_unset=True)
post = PostOut.model_validate_json(told(client.post("/v1/posts", json=body)))
checked = CheckOut.model_validate_json(told(client.post(f"/v1/posts/{post.id}/check")))
if not checked.ready:
    sys.exit(checked.model_dump_json())
told(client.post(f"/v1/posts/{post.id}/publish-now"))
while True:
    now = PostOut.model_validate_json(told(client.get(f"/v1/posts/{post.id}")))
    target = now.targets[0].model_dump(mode="json")
    if target["status"] == "published":
        sys.stdout.write(f"{target['url']}\n")
        break
    if target["status"] == "failed":
        sys.exit(str(target))
    time.sleep(0.1)
