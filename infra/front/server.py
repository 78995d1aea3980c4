"""The upload front of a deployed stage: what `infra/front/Dockerfile` runs, by granian.

CloudFront sends it `/v1/media`, `/app/media` and `/v1/pulled/*` only. An upload is streamed to S3,
by a key or by a page's form, and a file to the platform that fetches it; a list of files, which
shares a path, is answered as the API's function would.
"""

from app import deployment, pipeline
from chalicelib.api.doors.front import StreamedFiles, create_front
from chalicelib.kit.asgi.forwarded import behind_proxies

front = behind_proxies(
    create_front(
        pipeline(),
        StreamedFiles(library=deployment().media.library, pulled=deployment().media.pulled_files),
        pipeline().answer,
    ),
    proxies=2,  # CloudFront and the load balancer
)
