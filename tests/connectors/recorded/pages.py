"""Which page of its platform each request follows."""

from collections.abc import Mapping

_META = "https://developers.facebook.com/docs"
_LINKEDIN = "https://learn.microsoft.com/linkedin/marketing/community-management/shares"
_GOOGLE = "https://developers.google.com/my-business"
_TIKTOK = "https://developers.tiktok.com/doc"

_PAGES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "instagram": (
        ("comments", f"{_META}/instagram-platform/reference/instagram-media/comments"),
        ("limit", f"{_META}/instagram-platform/reference/ig-user/content_publishing_limit"),
        ("media_publish", f"{_META}/instagram-platform/reference/ig-user/media_publish"),
        ("", f"{_META}/instagram-platform/content-publishing"),
    ),
    "facebook": (
        ("video_reels", f"{_META}/video-api/guides/reels-publishing"),
        ("stories", f"{_META}/page-stories-api"),
        ("videos", f"{_META}/video-api/guides/publishing"),
        ("photos", f"{_META}/graph-api/reference/page/photos"),
        ("comments", f"{_META}/graph-api/reference/object/comments"),
        ("/up/", f"{_META}/video-api/guides/reels-publishing"),
        ("", f"{_META}/pages-api/posts"),
    ),
    "threads": (("", f"{_META}/threads/posts"),),
    "tiktok": (
        ("creator_info", f"{_TIKTOK}/content-posting-api-reference-query-creator-info"),
        ("status", f"{_TIKTOK}/content-posting-api-reference-get-video-status"),
        ("content/init", f"{_TIKTOK}/content-posting-api-reference-photo-post"),
        ("video/list", f"{_TIKTOK}/tiktok-api-v2-video-list"),
        ("PUT", f"{_TIKTOK}/content-posting-api-media-transfer-guide"),
        ("", f"{_TIKTOK}/content-posting-api-reference-direct-post"),
    ),
    "linkedin": (
        ("images", f"{_LINKEDIN}/images-api"),
        ("videos", f"{_LINKEDIN}/videos-api"),
        ("PUT", f"{_LINKEDIN}/videos-api"),
        ("", f"{_LINKEDIN}/posts-api"),
    ),
    "google_business_profile": (
        ("", f"{_GOOGLE}/reference/rest/v4/accounts.locations.localPosts"),
    ),
}


def page_of(platform: str, name: str) -> str:
    """Return the page that a request follows, by a part of its method and path."""
    return next(page for part, page in _PAGES[platform] if part in name)
