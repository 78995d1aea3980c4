"""How the sandbox platform's pages look; everything that a client wrote is escaped here."""

from collections.abc import Sequence
from html import escape
from string import Template
from urllib.parse import quote

from chalicelib.domain.platforms.platform import MediaKind, Platform
from chalicelib.domain.platforms.sandbox import SandboxEntry

_NAMES = {
    Platform.TIKTOK: "TikTok",
    Platform.YOUTUBE: "YouTube",
    Platform.LINKEDIN: "LinkedIn",
    Platform.X: "X",
    Platform.GOOGLE_BUSINESS_PROFILE: "Google Business Profile",
}
_PAGE = Template("""<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>$title</title>
<style>
:root { color-scheme: light dark; --line: #8884; --quiet: #888; --card: #8881; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 38rem; margin: 2rem auto;
       padding: 0 1rem; }
header a { color: inherit; text-decoration: none; }
h1 { font-size: 1.2rem; margin: 0; }
article { border: 1px solid var(--line); border-radius: 12px; padding: 1rem; margin: 1rem 0;
          background: var(--card); }
.who { display: flex; justify-content: space-between; gap: 1rem; }
.quiet { color: var(--quiet); font-size: .85rem; }
.caption { white-space: pre-wrap; overflow-wrap: anywhere; margin: .6rem 0; }
.removed .caption { text-decoration: line-through; }
img, video { max-width: 100%; border-radius: 8px; display: block; }
</style>
<header><h1><a href="/sandbox">Sandbox</a></h1>
<p class="quiet">What the test accounts posted. Nothing here ever left this machine.</p></header>
<main>$main</main>
</html>
""")
_POST = Template("""<article class="$state">
<div class="who"><strong>$handle</strong><span class="quiet">$platform</span></div>
<p class="caption">$caption</p>
$media
<div class="who quiet"><time datetime="$at">$shown_at</time>$link</div>
</article>
""")


def feed_page(entries: Sequence[SandboxEntry]) -> str:
    """Return the page of all posts, in the order given."""
    posts = "".join(_post(entry, _kind_of_media(entry)) for entry in entries)
    return _page("Sandbox", posts or "<p>Nothing was posted yet.</p>")


def post_page(entry: SandboxEntry, media_url: str | None) -> str:
    """Return the page of one live post."""
    title = f"{entry.handle} on {_platform(entry)}"
    return _page(title, _post(entry, _media(entry, media_url)))


def sentence_page(sentence: str) -> str:
    """Return a page that only says something."""
    return _page(sentence, f"<p>{escape(sentence)}</p>")


def _page(title: str, main: str) -> str:
    return _PAGE.substitute(title=escape(title), main=main)


def _post(entry: SandboxEntry, media: str) -> str:
    address = f"/sandbox/{quote(entry.platform.value)}/{quote(entry.remote_id, safe='')}"
    link = f'<a href="{escape(address)}">open</a>'
    return _POST.substitute(
        state="removed" if entry.removed else "live",
        handle=escape(entry.handle),
        platform=escape(_platform(entry)),
        caption=escape(entry.caption),
        media=media,
        at=escape(entry.created_at.isoformat()),
        shown_at=escape(f"{entry.created_at:%d %B %Y, %H:%M:%S} UTC"),
        link="<span>removed</span>" if entry.removed else link,
    )


def _media(entry: SandboxEntry, url: str | None) -> str:
    if url is None:
        return _kind_of_media(entry)
    if entry.media_kind == MediaKind.VIDEO:
        return f'<video controls preload="metadata" src="{escape(url)}"></video>'
    return f'<img alt="" src="{escape(url)}">'


def _kind_of_media(entry: SandboxEntry) -> str:
    return f'<p class="quiet">with {escape(entry.media_kind)}</p>' if entry.media_kind else ""


def _platform(entry: SandboxEntry) -> str:
    return _NAMES.get(entry.platform, entry.platform.value.title())
