"""Print last week's results, and what is planned for the next.

GOLDENHOUR_URL=… GOLDENHOUR_API_KEY=… python weekly_report.py Europe/Paris
"""

import os
import sys
from datetime import datetime, timedelta, timezone
from zoneinfo import ZoneInfo

from goldenhour import Client


def main(zone_name: str = "UTC") -> None:
    """Print the report with times in a zone."""
    zone = ZoneInfo(zone_name)
    now = datetime.now(timezone.utc)
    with Client(os.environ["GOLDENHOUR_URL"], os.environ["GOLDENHOUR_API_KEY"]) as client:
        summary = client.times.summary(days=7)
        print(f"{summary.posts_published} posts, {summary.totals.views} views in 7 days")
        for best in summary.top_posts:
            print(f"  {best.views:>8} views  {best.caption[:60]!r}")
        planned = client.posts.list(status=["scheduled"], since=now, until=now + timedelta(days=7))
        for post in planned:
            if post.next_time is not None:
                print(f"{post.next_time.astimezone(zone):%a %d %b %H:%M}  {post.caption[:60]!r}")


if __name__ == "__main__":
    main(*sys.argv[1:])
