"""Links, mentions and tags in a text, held against Bluesky's own client where Node is there."""

import json
import random
import re
import shutil
import subprocess
from dataclasses import replace

import pytest

from chalicelib.connectors.bluesky.post import gates, post_record, record_key
from chalicelib.domain.platforms.texts.bluesky_facets import facets, mentions
from chalicelib.kit.json_value import Json
from tests.connectors.bluesky.fake import DID
from tests.connectors.bluesky.rig import a_rig
from tests.connectors.bluesky.server import BUILD, SOURCE, install_bluesky_server
from tests.connectors.support.fake_platform import Value

LINK = "app.bsky.richtext.facet#link"
TEXTS = (
    "no facets",
    "start @handle.com end",
    "@handle.com leads, @other.test follows and @not-a.handle-at-all does not",
    "(@handle.com) and (https://example.com/a_(b)) and (see example.com)",
    "https://middle.com/path?query=1#hash, then http://end.org.",
    "bare foo.com bar.io/path. 1.2.3.4 readme.md node.js e.g. i.e. foo.bar",
    "https://foo.com:8000/a!b? https://foo.com... https://foo.com)",
    "👨‍👩‍👧‍👧 family https://👨‍👩‍👧‍👧.ws and #👨‍👩‍👧‍👧 and #ß",
    "#१२३४ #١٢٣ #\uff11\uff12 #12 #12a",
    "#a #1 #a1 #tag. #tag! #__ #_x #a-b ##a #a#b # #日本語 #️⃣ \uff03wide",
    f"#{'a' * 64} #{'b' * 65}",
    "#tag\u200bhidden #\u00adsoft x#y (#z)",
    "e@mail.com @mail @a.b.c.test @UPPER.Com @-x.com",
    "HTTPS://LOUD.COM/Path http:// https://a ftp://example.com //example.com",
    "new\nline https://one.com\nhttps://two.com\t#three\r\n@four.com",
    "a@b.com,https://c.com (https://d.com/(e)) https://f.com/g).",
    "buy $aapl, $TOOLONG ($x) $y's and $5 or a$b",
    "https:///nowhere https://. http://[::1 https://@\uff03wide( @handle.comé #x@y.com",
    "xn--80ak6aa92e.com münchen.de example.co.uk sub.example.museum",
)


def _shown(text: str) -> list[str]:
    """Return the stretches of a text that are pointed out, by their bytes."""
    spelled = text.encode()
    return [
        spelled[found["index"]["byteStart"] : found["index"]["byteEnd"]].decode()
        for found in _facets(text)
    ]


def _facets(text: str) -> list[Value]:
    return list(facets(text, {handle: handle for handle in mentions(text)}))


def test_places_are_counted_in_bytes() -> None:
    assert _shown("🥖🥖 https://bakery.example/🥖 #brød") == ["https://bakery.example/🥖", "#brød"]


def test_a_tag_of_other_digits_than_ours_is_live() -> None:
    """@atproto/api's TAG_REGEX rules out digits, which in JavaScript is 0 to 9 alone."""
    assert _shown("#१२३४ #١٢٣ and #1234") == ["#१२३४", "#١٢٣"]


def test_the_end_of_a_sentence_is_no_part_of_a_link() -> None:
    assert _shown("See bakery.com/menu. Or (https://bakery.com).") == [
        "bakery.com/menu",
        "https://bakery.com",
    ]


def test_a_bare_name_is_linked_over_https() -> None:
    (found,) = _facets("bakery.com")

    assert found["features"] == [{"$type": LINK, "uri": "https://bakery.com"}]


@pytest.mark.parametrize(("options", "expected"), [({}, ["de", "en"]), ({"langs": ["fr"]}, ["fr"])])
def test_a_post_is_in_the_accounts_languages_unless_it_names_its_own(
    options: dict[str, Json], expected: Json
) -> None:
    rig = a_rig()
    rig.platform.close()
    post = rig.shapes["text"]
    account = replace(post.account, languages=("de", "en"))

    record = post_record(replace(post, account=account, options=options), {}, None)

    assert expected == record["langs"]


def test_somebody_who_does_not_exist_is_not_mentioned() -> None:
    assert facets("Hello @nobody.test", {}) == []


def test_a_text_is_read_in_time_whatever_it_is() -> None:
    for hostile in ("a." * 1_500, "#" * 3_000, "@a." * 1_000, "((((" * 700, "#a" + "." * 2_900):
        _facets(hostile)


@pytest.mark.node
def test_bluesky_itself_points_out_the_same() -> None:
    """The client's own detectFacets over the table above and 3,000 texts made of its pieces.

    Two differences are meant: capitals in a domain are no hindrance here, and a link that the
    record's own rules would refuse is left out.
    """
    texts = [text.lower() for text in (*TEXTS, *_mixtures(3_000))]

    theirs = _oracle(texts, [])["facets"]

    for text, expected in zip(texts, theirs, strict=True):
        assert _plain(_facets(text)) == _plain([one for one in expected if _is_valid(one)]), text


@pytest.mark.node
def test_what_is_written_is_valid_in_bluesky_s_own_lexicons() -> None:
    rig = a_rig()
    rig.platform.close()
    blob: Json = {
        "$type": "blob",
        "ref": {"$link": "bafkreihdwdcefgh4dqkjv67uzcmw7ojee6xedzdetojuzjevtenxquvyku"},
        "mimeType": "image/jpeg",
        "size": 3_000,
    }
    options: dict[str, Json] = {"langs": ["en"], "tags": ["bread"], "labels": ["nudity"]}
    records: list[Value] = []
    for publication in rig.shapes.values():
        whole = replace(publication, options={**options, **publication.options})
        is_video = publication.media is not None and publication.media.mime == "video/mp4"
        stored = {**blob, "mimeType": "video/mp4"} if is_video else blob  # type: ignore[dict-item]
        record = post_record(whole, {"pia.test": "did:plc:pia"}, stored)
        records.append(record)
        uri = f"at://{DID}/app.bsky.feed.post/{record_key(publication)}"
        for setting in ("nobody", "mentioned", "followers", "following"):
            wanted: dict[str, Json] = {"reply_settings": setting, "disable_quotes": True}
            records.extend(gates(wanted, uri, record["createdAt"]).values())

    problems = _oracle([], records)["problems"]

    assert set(problems) == {None}


def _mixtures(number: int) -> list[str]:
    """Return texts of random pieces, the same ones every time."""
    chance = random.Random(20261120)
    pieces = [piece for text in TEXTS for piece in text.split(" ")]
    joints = (" ", " ", " ", "", "\n", ".", "(", ")", "#", "@")
    return [
        "".join(
            chance.choice(pieces) + chance.choice(joints) for _ in range(chance.randrange(1, 7))
        )
        for _ in range(number)
    ]


def _is_valid(found: Value) -> bool:
    uri = found["features"][0].get("uri")
    return uri is None or re.fullmatch(r"\w+:(?://)?[^\s/]\S*", uri) is not None


def _plain(found: list[Value]) -> list[tuple[int, int, str]]:
    """Spell facets so that they can be compared: place and what stands there."""
    return sorted(
        (
            one["index"]["byteStart"],
            one["index"]["byteEnd"],
            json.dumps({k: v for k, v in one["features"][0].items() if k != "$type"}),
        )
        for one in found
    )


def _oracle(texts: list[str], records: list[Value]) -> Value:
    install_bluesky_server()
    shutil.copy(SOURCE / "oracle.mjs", BUILD)
    done = subprocess.run(
        ["node", "oracle.mjs"],
        cwd=BUILD,
        input=json.dumps({"texts": texts, "records": records}).encode(),
        capture_output=True,
        check=True,
        timeout=240,
    )
    return json.loads(done.stdout)
