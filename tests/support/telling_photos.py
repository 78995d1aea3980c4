"""Photos that tell where and with what they were taken, in every place that a format has for it.

    photo = telling_jpeg()     # SECRETS stand in it wherever they fit, CREDITS where they belong

Whatever reads the photo after it left must find each of CREDITS and none of SECRETS.
"""

import io
import struct
import zlib
from functools import cache

from PIL import Image, ImageCms

SECRETS = (b"48.2082", b"SN-0815-4711", b"Telltale 5")
"""A place, a serial number and the name of a camera."""
CREDITS = (b"Ada Bakehouse", b"(c) 2026 Rye Ltd", b"Rye Pictures")
PLACE, SERIAL, CAMERA = (secret.decode() for secret in SECRETS)
AUTHOR, RIGHTS, CREDIT = (credit.decode() for credit in CREDITS)
CLIP = b"\0\0\0\x18ftypmp42\0\0\0\0mp42isom" + b"\0\0\0\x40moov" + SECRETS[0].ljust(56, b" ")
SIZE = (64, 48)
UNDONE = {
    2: Image.Transpose.FLIP_LEFT_RIGHT,
    3: Image.Transpose.ROTATE_180,
    4: Image.Transpose.FLIP_TOP_BOTTOM,
    5: Image.Transpose.TRANSPOSE,
    6: Image.Transpose.ROTATE_90,
    7: Image.Transpose.TRANSVERSE,
    8: Image.Transpose.ROTATE_270,
}
"""How an upright photo is laid so that its orientation (Exif 2.32, tag 274) sets it upright."""
_DEGREES = ((48.0, 12.0, 29.52), (16.0, 22.0, 25.68))


def exif(orientation: int = 1) -> bytes:
    """Return EXIF with a place, a camera, its number, a maker note and credits."""
    made = Image.Exif()
    made[0x010F], made[0x0110], made[0x010E] = CAMERA, CAMERA, PLACE
    made[0x0112], made[0x013B], made[0x8298] = orientation, AUTHOR, RIGHTS
    details = made.get_ifd(0x8769)
    details[0xA431], details[0x927C], details[0x9286] = (
        SERIAL,
        SECRETS[1],
        b"ASCII\0\0\0" + SECRETS[0],
    )
    place = made.get_ifd(0x8825)
    place[1], place[2], place[3], place[4] = "N", _DEGREES[0], "E", _DEGREES[1]
    place[27] = SECRETS[0]
    return made.tobytes()


def xmp() -> bytes:
    """Return XMP with a place, a camera's number, a thumbnail and credits."""
    return (
        '<?xpacket begin="" id="W5M0MpCehiHzreSzNTczkc9d"?><x:xmpmeta xmlns:x="adobe:ns:meta/">'
        '<rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:exif="http://ns.adobe.com/exif/1.0/" '
        'xmlns:aux="http://ns.adobe.com/exif/1.0/aux/" rdf:about="" '
        'xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" '
        f'exif:GPSLatitude="{PLACE}N" exif:GPSLongitude="16.3738E" aux:SerialNumber="{SERIAL}" '
        f'photoshop:City="{PLACE}" photoshop:Credit="{CREDIT}">'
        f"<dc:creator><rdf:Seq><rdf:li>{AUTHOR}</rdf:li></rdf:Seq></dc:creator>"
        f'<dc:rights><rdf:Alt><rdf:li xml:lang="x-default">{RIGHTS}</rdf:li></rdf:Alt></dc:rights>'
        '</rdf:Description></rdf:RDF></x:xmpmeta><?xpacket end="w"?>'
    ).encode()


def iptc() -> bytes:
    """Return Photoshop's blocks with a city, credits and a thumbnail."""
    kept = ((80, AUTHOR), (90, PLACE), (110, CREDIT), (116, RIGHTS))
    data = b"".join(
        struct.pack(">BBBH", 0x1C, 2, tag, len(text)) + text.encode() for tag, text in kept
    )
    return b"Photoshop 3.0\0" + _resource(0x0404, data) + _resource(0x040C, SECRETS[1])


def _resource(number: int, data: bytes) -> bytes:
    return b"8BIM" + struct.pack(">HHI", number, 0, len(data)) + data + bytes(len(data) % 2)


def segment(marker: int, payload: bytes) -> bytes:
    """Return a segment of a JPEG."""
    return bytes((0xFF, marker)) + struct.pack(">H", len(payload) + 2) + payload


def chunk(kind: bytes, body: bytes) -> bytes:
    """Return a chunk of a PNG."""
    return struct.pack(">I", len(body)) + kind + body + struct.pack(">I", zlib.crc32(kind + body))


@cache
def profile() -> bytes:
    """Return a colour profile: one for all, because its header tells the second it was made in."""
    return ImageCms.ImageCmsProfile(ImageCms.createProfile("sRGB")).tobytes()


def plain_jpeg(*, progressive: bool = False) -> bytes:
    """Return a picture with its profile and nothing else."""
    return _encoded("JPEG", progressive=progressive, quality=90)


def noise_jpeg(more_than_bytes: int) -> bytes:
    """Return a plain JPEG that is larger."""
    side = int((more_than_bytes * 2) ** 0.5)
    out = io.BytesIO()
    Image.effect_noise((side, side), 90).convert("RGB").save(out, "JPEG", quality=98)
    assert out.tell() > more_than_bytes
    return out.getvalue()


def telling_jpeg(orientation: int = 1, *, progressive: bool = False) -> bytes:
    """Return a JPEG that tells everything, with a second picture and a clip behind it."""
    plain = plain_jpeg(progressive=progressive)
    told = (
        (0xE1, b"Exif\0\0" + exif(orientation).removeprefix(b"Exif\0\0")),
        (0xE1, b"http://ns.adobe.com/xap/1.0/\0" + xmp()),
        (0xE1, b"http://ns.adobe.com/xmp/extension/\0" + bytes(40) + xmp()),
        (0xED, iptc()),
        (0xE0, b"JFXX\0\x10" + SECRETS[0]),
        (0xE2, b"MPF\0" + SECRETS[1]),
        (0xE2, b"FPXR\0" + SECRETS[1]),
        (0xE5, SECRETS[2]),
        (0xFE, SECRETS[0]),
    )
    head = b"".join(segment(marker, payload) for marker, payload in told)
    thumbnail = segment(0xE0, b"JFIF\0\1\2\0\0\1\0\1\2\2" + SECRETS[0].ljust(12))
    at = 2 + 2 + int.from_bytes(plain[4:6])
    return plain[:2] + thumbnail + head + plain[at:] + telling_second() + CLIP


def telling_second() -> bytes:
    """Return a picture as it stands behind another one."""
    return plain_jpeg()[:2] + segment(0xE1, b"Exif\0\0" + exif()) + plain_jpeg()[2:]


def telling_png(orientation: int = 1) -> bytes:
    """Return a PNG that tells everything, with a clip behind it."""
    plain = _encoded("PNG")
    packed = zlib.compress(xmp())
    told = (
        (b"eXIf", exif(orientation).removeprefix(b"Exif\0\0")),
        (b"tEXt", b"Copyright\0" + CREDITS[1]),
        (b"tEXt", b"Comment\0" + SECRETS[0]),
        (b"zTXt", b"Raw profile type exif\0\0" + zlib.compress(SECRETS[0])),
        (b"iTXt", b"XML:com.adobe.xmp\0\1\0\0\0" + packed),
        (b"iTXt", b"Location\0\0\0\0\0" + SECRETS[0]),
        (b"tIME", struct.pack(">H5B", 2026, 11, 25, 12, 0, 0)),
        (b"caBX", SECRETS[1]),
    )
    return plain[:33] + b"".join(chunk(*part) for part in told) + plain[33:] + CLIP


def telling_webp(orientation: int = 1) -> bytes:
    """Return a WebP that tells everything, with a clip behind it."""
    whole = _encoded("WEBP", exif=exif(orientation), xmp=xmp(), quality=90)
    more = b"C2PA" + struct.pack("<I", len(SECRETS[1])) + SECRETS[1]
    length = int.from_bytes(whole[4:8], "little") + len(more)
    return b"RIFF" + struct.pack("<I", length) + whole[8:] + more + CLIP


def _encoded(kind: str, **how: object) -> bytes:
    picture = Image.linear_gradient("L").resize(SIZE).convert("RGB")
    picture.paste((255, 0, 0), (0, 0, SIZE[0] // 2, SIZE[1] // 2))
    out = io.BytesIO()
    picture.save(out, kind, icc_profile=profile(), **how)
    return out.getvalue()
