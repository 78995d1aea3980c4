"""Videos by the device or program whose way of coding they have, and why that is worth a try."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Final

from tests.support.films import BT601, BT2020, FULL, HLG, NONE, P3, PQ, Film

_HEVC: Final = "libx265"
_TEN: Final = "yuv420p10le"
_FIELDS: Final = (("flags", "+ildct+ilme"), ("x264-params", "tff=1"))
TALL: Final = (360, 640)

VIDEOS: Final[Mapping[str, Film]] = {
    # Phones
    "iPhone, HDR, upright": Film(
        codec=_HEVC, pix_fmt=_TEN, colours=HLG, turned=90, container="mov", flags=""
    ),
    "iPhone, most compatible": Film(turned=90, container="mov", flags="", fps=29.97),
    "iPhone, HEVC in SDR": Film(codec=_HEVC, container="mov", flags=""),
    "iPhone, wide colours": Film(codec=_HEVC, colours=P3, container="mov", flags=""),
    "iPhone, slow motion": Film(codec=_HEVC, fps=240, seconds=3, size=TALL, container="mov"),
    "iPhone, slow motion of 120": Film(fps=120, seconds=3, size=TALL, container="mov"),
    "iPhone, cinema": Film(codec=_HEVC, pix_fmt=_TEN, colours=HLG, fps=23.976, container="mov"),
    "iPhone, front camera, mirrored": Film(turned=270, container="mov", flags=""),
    "iPhone, upside down": Film(turned=180, container="mov", flags=""),
    "Galaxy, HDR10": Film(codec=_HEVC, pix_fmt=_TEN, colours=PQ, fps=30),
    "Galaxy, upright": Film(turned=90, flags=""),
    "Galaxy, 60 by its own clock": Film(fps=60, uneven=(16, 17, 17)),
    "Pixel, full range": Film(pix_fmt="yuvj420p", colours=FULL, turned=90),
    "Pixel, HLG": Film(codec=_HEVC, pix_fmt=_TEN, colours=HLG, fps=30, size=TALL),
    "cheap Android, 15 a second": Film(fps=15, size=(640, 480), hz=16_000, layout="mono"),
    "cheap Android, 8 kHz": Film(size=(480, 640), hz=8_000, layout="mono"),
    "old phone, MPEG-4 part 2": Film(codec="mpeg4", size=(320, 240), fps=15, colours=NONE),
    "old phone, tiny": Film(size=(176, 144), fps=15, colours=BT601, hz=8_000, layout="mono"),
    # Cameras
    "camera, 4:2:2 of 10 bits": Film(
        pix_fmt="yuv422p10le", sound="pcm_s16be", container="mov", fps=25
    ),
    "camera, 24-bit sound": Film(sound="pcm_s24be", container="mov", fps=25),
    "camera, 32-bit sound": Film(sound="pcm_s32le", container="mov", fps=50),
    "recorder, floating sound": Film(sound="pcm_f32le", container="mov", fps=30),
    "camera, sound of 96 kHz": Film(hz=96_000, fps=25),
    "camera, four microphones": Film(layout="quad", fps=25, container="mov"),
    "camera, 5.1": Film(layout="5.1", fps=25),
    "camera, log in HEVC 4:2:2": Film(codec=_HEVC, pix_fmt="yuv422p10le", colours=BT2020, fps=25),
    "camera, wide colours in SDR": Film(codec=_HEVC, pix_fmt=_TEN, colours=BT2020, fps=25),
    "camera, PQ master": Film(codec=_HEVC, pix_fmt=_TEN, colours=PQ, fps=24, container="mov"),
    "camcorder, DV in 4:3": Film(
        size=(720, 576), squeeze=Fraction(16, 15), colours=BT601, options=_FIELDS, fps=25
    ),
    "camcorder, DV in 16:9": Film(
        size=(720, 576), squeeze=Fraction(64, 45), colours=BT601, options=_FIELDS, fps=25
    ),
    "camcorder, NTSC": Film(
        size=(720, 480), squeeze=Fraction(8, 9), colours=BT601, options=_FIELDS, fps=29.97
    ),
    "camcorder, HDV": Film(size=(1440, 1080), squeeze=Fraction(4, 3), fps=25, seconds=3),
    "camcorder, AVCHD fields": Film(size=(1920, 1080), options=_FIELDS, fps=25, seconds=3),
    "action camera, 4:3": Film(size=(1280, 960), fps=59.94, seconds=3),
    "action camera, tall": Film(size=(1080, 1920), fps=59.94, seconds=3),
    "drone, 2.7K": Film(size=(2704, 1520), fps=29.97, seconds=3, sound=None),
    "drone, 10 bits": Film(codec=_HEVC, pix_fmt=_TEN, fps=29.97, sound=None),
    "webcam, 5 a second": Film(fps=5, size=(1280, 720)),
    "dash camera, silent": Film(sound=None, fps=27.5, size=(1280, 720), seconds=3),
    "360 camera": Film(size=(1920, 960), fps=30, seconds=3),
    "time lapse, one a second": Film(fps=1, sound=None, seconds=6),
    # Screen recorders
    "macOS screen, P3": Film(colours=P3, fps=60, container="mov", size=(1280, 800)),
    "macOS screen, uneven": Film(uneven=(16, 17, 300, 16), container="mov", size=(1280, 800)),
    "Android screen, standing still": Film(uneven=(33, 33, 1_400, 33), size=TALL),
    "iOS screen": Film(uneven=(16, 17, 34, 17), size=TALL, turned=0),
    "OBS, 4:4:4": Film(pix_fmt="yuv444p", fps=60),
    "OBS, full range": Film(pix_fmt="yuvj420p", colours=FULL, fps=60),
    "OBS, fragments": Film(flags="frag_keyframe+empty_moov+default_base_moof", fps=30),
    "ffmpeg, lossless screen": Film(pix_fmt="yuv444p", options=(("qp", "0"),), colours=NONE),
    "ffmpeg, RGB": Film(codec="libx264rgb", pix_fmt="rgb24", colours=(1, 1, 0, 2)),
    "Windows recorder": Film(fps=30, hz=44_100, size=(1366, 768), flags=""),
    # Editors
    "Premiere, 4:2:2": Film(pix_fmt="yuv422p", fps=25),
    "Resolve, 10 bits in H.264": Film(pix_fmt=_TEN, fps=24),
    "Final Cut, HLG": Film(codec=_HEVC, pix_fmt=_TEN, colours=HLG, fps=25, container="mov"),
    "CapCut, 60": Film(size=(720, 1280), fps=60, seconds=3),
    "Canva, 30, no sound": Film(size=(1080, 1080), sound=None, seconds=3),
    "grey film": Film(pix_fmt="gray", colours=NONE),
    "After Effects, index last": Film(flags="", container="mov", sound="pcm_s16le"),
    "motion graphics, 12 a second": Film(fps=12, size=(720, 720)),
    "GIF converter, 10 a second": Film(fps=10, sound=None, size=(480, 270), colours=NONE),
    "slides, one each second": Film(fps=1, size=(1280, 720), seconds=8),
    "podcast clip, MP3 sound": Film(sound="libmp3lame", size=(720, 720), hz=44_100),
    "meeting recorder, 25": Film(fps=25, hz=32_000, layout="mono", size=(1280, 720)),
    "HEVC under hev1": Film(codec=_HEVC, tag="hev1"),
    "untagged SD": Film(size=(640, 480), colours=NONE),
    "odd rate": Film(fps=14.985, size=(640, 480)),
}
