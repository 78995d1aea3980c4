"""What is looked at before a claimed target's run: may it go out, is it its turn, what goes out.

The publish worker calls `open` right after the claim; the answer is a run that is ready to go, or
nothing when the target was put off or failed on the spot.
"""

from dataclasses import dataclass
from datetime import datetime, timedelta

from chalicelib.connectors.connector import ConnectedAccount, MediaFile, Publication
from chalicelib.connectors.registry import Connectors, NoConnectorError
from chalicelib.domain.accounts import Account
from chalicelib.domain.media_rules import too_long
from chalicelib.domain.outcome import FailureCode
from chalicelib.domain.post import Post
from chalicelib.domain.target import Target
from chalicelib.storage.accounts import AccountRepository
from chalicelib.storage.media_store import S3MediaStore, file_key
from chalicelib.storage.pace import PaceRepository
from chalicelib.storage.posts import PostRepository
from chalicelib.workers.leases import Hold
from chalicelib.workers.run import Run, Tools
