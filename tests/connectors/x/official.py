"""What tests use of X's own client, apart: it takes seconds to import, and few tests need it."""

from xdk import Client
from xdk.media.models import (
    AppendUploadRequest,
    CreateMetadataRequest,
    InitializeUploadRequest,
    UploadRequest,
)
from xdk.posts.models import CreateRequest
from xdk.schemas import GetPostsByIdsResponse, GetUsersPostsResponse

__all__ = [
    "AppendUploadRequest",
    "Client",
    "CreateMetadataRequest",
    "CreateRequest",
    "GetPostsByIdsResponse",
    "GetUsersPostsResponse",
    "InitializeUploadRequest",
    "UploadRequest",
]
