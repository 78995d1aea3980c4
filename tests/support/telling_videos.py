"""Videos that tell where and with what they were taken, in every place that the formats have.

    video = telling_video()    # SECRETS stand in it wherever they fit, RIGHTS where they belong

They are encoded for real, index last, so that boxes can be added to the index and media before it.
"""

import struct

from tests.support.sample_media import Clip, box, encode
from tests.support.telling_photos import CREDITS, SECRETS, SERIAL, xmp

_XMP = bytes.fromhex("be7acfcb97a942e89c71999491e3afac")
_PLACE = b"+48.2082+016.3738/"
SECRETS_OF_VIDEOS = (*SECRETS, _PLACE, b"GPS5", b"freeGPS")


def text(words: bytes) -> bytes:
    """Return a text of QuickTime's user data."""
    return struct.pack(">HH", len(words), 0x15C7) + words


def user_data(*, more: bytes = b"") -> bytes:
    """Return user data with a place in three spellings, a device, and a copyright."""
    loci = bytes(4) + b"\x15\xc7" + SECRETS[0] + b"\0\0" + struct.pack(">3i", 1 << 20, 3 << 20, 0)
    data = struct.pack(">II", 1, 0) + SECRETS[0]
    items = box(b"\xa9day", box(b"data", data)) + box(b"cprt", box(b"data", bytes(8), CREDITS[1]))
    itunes = bytes(4) + _handler(b"mdir", b"") + box(b"ilst", items)
    return box(
        b"udta",
        box(b"\xa9xyz", text(_PLACE)),
        box(b"\xa9mak", text(SECRETS[2])),
        box(b"\xa9cpy", text(CREDITS[1])),
        box(b"loci", loci),
        box(b"CAME", SECRETS[1]),
        box(b"GPMF", b"DEVC" + SECRETS[1]),
        box(b"meta", itunes),
        box(b"XMP_", xmp()),
        more,
    )


def keys() -> bytes:
    """Return QuickTime's metadata, as iPhones write it."""
    said = (
        (b"com.apple.quicktime.location.ISO6709", _PLACE),
        (b"com.apple.quicktime.model", SECRETS[2]),
        (b"com.apple.quicktime.copyright", CREDITS[1]),
        (b"com.android." + SECRETS[1], SECRETS[1]),
    )
    names = b"".join(struct.pack(">I4s", 8 + len(name), b"mdta") + name for name, _ in said)
    items = b"".join(
        box(number.to_bytes(4), box(b"data", struct.pack(">II", 1, 0), value))
        for number, (_, value) in enumerate(said, start=1)
    )
    table = box(b"keys", struct.pack(">II", 0, len(said)), names)
    return box(b"meta", _handler(b"mdta", b""), table, box(b"ilst", items))


def _handler(kind: bytes, name: bytes) -> bytes:
    return box(b"hdlr", bytes(8), kind, bytes(12), name + b"\0")


def timed_track(number: int, format_: bytes, at: int, size: int) -> bytes:
    """Return a track of one sample of metadata that lies somewhere in the file."""
    tkhd = struct.pack(">IIIIII", 7, 0, 0, number, 0, 1000) + bytes(60)
    mdhd = struct.pack(">IIIIIHH", 0, 0, 0, 1000, 1000, 0x55C4, 0)
    table = box(
        b"stbl",
        box(b"stsd", struct.pack(">II", 0, 1), box(format_, bytes(6), b"\0\1")),
        box(b"stts", struct.pack(">IIII", 0, 1, 1, 1000)),
        box(b"stsc", struct.pack(">IIIII", 0, 1, 1, 1, 1)),
        box(b"stsz", struct.pack(">IIII", 0, 0, 1, size)),
        box(b"stco", struct.pack(">III", 0, 1, at)),
    )
    home = box(b"dinf", box(b"dref", struct.pack(">II", 0, 1), box(b"url ", b"\0\0\0\1")))
    media = box(b"minf", box(b"nmhd", bytes(4)), home, table)
    handler = _handler(b"meta", SECRETS[2])
    mdia = box(b"mdia", box(b"mdhd", mdhd), handler, media)
    return box(b"trak", box(b"tkhd", tkhd), mdia)


def gpmd() -> bytes:
    """Return a sample as GoPro's cameras write it: a place, once."""
    place = struct.pack(">5i", 482082000, 163738000, 200000, 100, 100)
    scale = b"SCAL" + b"l\4\0\5" + struct.pack(">5i", 10_000_000, 10_000_000, 1000, 1000, 100)
    stream = scale + b"GPS5" + b"l\x14\0\1" + place
    strm = b"STRM\0\1" + struct.pack(">H", len(stream)) + stream
    name = SERIAL.encode().ljust(16, b"\0")
    device = b"DVNM" + b"c\1" + struct.pack(">H", len(name)) + name + strm
    return b"DEVC\0\1" + struct.pack(">H", len(device)) + device


def plain_video(container: str = "mp4") -> bytes:
    """Return a video that tells nothing."""
    return encode(Clip(seconds=2, container=container))


def telling_video(container: str = "mp4") -> bytes:
    """Return a video that tells everything, in its index, its media and behind its end."""
    plain = plain_video(container)
    at = plain.rindex(b"moov") - 4
    head, moov = plain[:at], plain[at:]
    sample = gpmd()
    lying = b"\0\0\1\0freeGPS " + SECRETS[0].ljust(244, b"\0")
    media = box(b"mdat", sample, lying)
    body = moov[8:].replace(b"VideoHandler", SECRETS[2].ljust(12), 1)
    track = timed_track(7, b"gpmd", len(head) + 8, len(sample))
    old = body.find(b"udta") - 4
    body = body if old < 0 else body[:old]
    index = box(b"moov", body, track, user_data(), keys(), box(b"gps ", SECRETS[0]))
    rest = (
        box(b"free", SECRETS[0])
        + box(b"uuid", _XMP, xmp())
        + box(b"uuid", bytes(16), SECRETS[1])
        + box(b"mvrd", SECRETS[2])
    )
    return head + media + index + rest
