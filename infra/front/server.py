"""The upload front of a deployed stage: what `infra/front/Dockerfile` runs, by granian.

CloudFront sends it `/v1/media` only. An upload is streamed to S3; a list of files, which shares
the path, is answered as the API's function would.
"""

from app import deployment, edge
from chalicelib.api.front import create_front

front = create_front(edge(), deployment().services.media_library, edge().answer)
