"""Photos as platforms get them: upright sRGB JPEGs within the platform's measures."""

import io
import zlib
from dataclasses import replace
from fractions import Fraction

import pytest
from PIL import Image, ImageChops, ImageCms, ImageStat
from PIL.JpegImagePlugin import JpegImageFile

from chalicelib.domain.media.recipes import PhotoRecipe
from chalicelib.domain.platforms.crop_frame import CropFrame
from chalicelib.workers.media.photo_fitting import UnreadablePhotoError, fit_photo, turn_photo
from tests.support.prepared_files import seekable
from tests.support.sample_media import samples
from tests.support.telling_photos import (
    AUTHOR,
    CREDITS,
    RIGHTS,
    SECRETS,
    SIZE,
    UNDONE,
    chunk,
    telling_jpeg,
)

ANY = PhotoRecipe(most_bytes=1_000_000, most_width=1440, most_height=1440)
RED, WHITE = (255, 0, 0), (255, 255, 255)


def fitted(photo: bytes, recipe: PhotoRecipe = ANY) -> Image.Image:
    made = fit_photo(seekable(photo), len(photo), recipe)
    assert made is not None
    assert len(made) <= recipe.most_bytes
    picture = Image.open(io.BytesIO(made))
    picture.load()
    assert ("JPEG", "RGB") == (picture.format, picture.mode)
    return picture


def a_photo(kind: str, picture: Image.Image, **how: object) -> bytes:
    out = io.BytesIO()
    picture.save(out, kind, **how)
    return out.getvalue()


def is_like(expected: tuple[int, ...], found: object) -> bool:
    assert isinstance(found, tuple)
    return all(abs(a - b) < 20 for a, b in zip(expected, found, strict=True))


NOT_PLAIN = [
    name
    for name, sample in samples().items()
    if sample.found is not None and sample.found[1] is None
    if name not in {"plain.jpg", "progressive.jpg", "motion_photo.jpg", "a_jpeg_named.mp4"}
]


@pytest.mark.parametrize("name", NOT_PLAIN)
def test_every_photo_becomes_a_jpeg_of_the_size_it_is_shown_in(name: str) -> None:
    sample = samples()[name]

    picture = fitted(sample.data)

    assert sample.found is not None
    assert sample.found[2:] == picture.size
    assert dict(picture.getexif()) == {}


def test_of_a_motion_photo_that_fits_the_picture_alone_is_left() -> None:
    photo = samples()["motion_photo.jpg"].data

    assert samples()["plain.jpg"].data == fit_photo(seekable(photo), len(photo), ANY)


@pytest.mark.parametrize("name", ["plain.jpg", "progressive.jpg"])
def test_a_plain_jpeg_that_fits_is_left_as_it_is(name: str) -> None:
    photo = samples()[name].data

    assert fit_photo(seekable(photo), len(photo), ANY) is None


@pytest.mark.parametrize("orientation", range(2, 9))
def test_a_photo_is_turned_as_its_exif_says(orientation: int) -> None:
    exif = Image.Exif()
    exif[0x0112] = orientation
    picture = Image.new("RGB", (40, 20))
    picture.paste(RED, (0, 0, 20, 10))

    found = fitted(a_photo("JPEG", picture, exif=exif, quality=100))

    corner = {2: (1, 0), 3: (1, 1), 4: (0, 1), 5: (0, 0), 6: (1, 0), 7: (1, 1), 8: (0, 1)}
    right, low = corner[orientation]
    at = (found.width - 3 if right else 2, found.height - 3 if low else 2)
    assert is_like(RED, found.getpixel(at))


def test_transparency_becomes_white() -> None:
    found = fitted(a_photo("PNG", Image.new("RGBA", (40, 30), (255, 0, 0, 0))))

    assert is_like(WHITE, found.getpixel((20, 15)))


def test_sixteen_bits_a_pixel_keep_their_brightness() -> None:
    grey = Image.frombytes("I;16", (64, 64), b"\0\x80" * 64 * 64)

    assert is_like((128, 128, 128), fitted(a_photo("PNG", grey)).getpixel((32, 32)))


def test_a_palette_keeps_its_colours() -> None:
    few = Image.new("RGB", (40, 30), RED).convert("P")

    assert is_like(RED, fitted(a_photo("PNG", few)).getpixel((5, 5)))


def test_an_animation_shows_its_first_picture() -> None:
    red, blue = (Image.new("RGB", (40, 30), colour) for colour in ("red", "blue"))

    found = fitted(a_photo("WEBP", red, save_all=True, append_images=[blue], duration=100))

    assert is_like(RED, found.getpixel((20, 15)))


def test_another_colour_space_is_turned_into_srgb() -> None:
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    picture = Image.new("RGB", (40, 30), RED)

    found = fitted(a_photo("JPEG", picture, icc_profile=profile))

    assert "icc_profile" not in found.info


@pytest.mark.parametrize(
    ("size", "expected"),
    [((100, 400), (320, 400)), ((400, 100), (400, 210)), ((400, 300), (400, 300))],
    ids=["too narrow", "too wide", "fits"],
)
def test_a_photo_of_a_refused_aspect_gets_white_borders(
    size: tuple[int, int], expected: tuple[int, int]
) -> None:
    recipe = PhotoRecipe(
        most_bytes=1_000_000,
        most_width=1440,
        most_height=1440,
        aspects=(Fraction(4, 5), Fraction(191, 100)),
    )

    found = fitted(a_photo("PNG", Image.new("RGB", size, RED)), recipe)

    assert expected == found.size
    assert Fraction(4, 5) <= Fraction(*found.size) <= Fraction(191, 100)
    assert is_like(RED, found.getpixel((found.width // 2, found.height // 2)))
    assert is_like(RED if expected == size else WHITE, found.getpixel((1, 1)))


@pytest.mark.parametrize(
    ("size", "expected"), [((100, 400), (100, 125)), ((400, 100), (191, 100))], ids=["tall", "wide"]
)
def test_a_photo_of_a_refused_aspect_is_cut_to_its_middle(
    size: tuple[int, int], expected: tuple[int, int]
) -> None:
    recipe = replace(ANY, aspects=(Fraction(4, 5), Fraction(191, 100)), crops=True)
    left, top = (size[0] - 40) // 2, (size[1] - 40) // 2
    photo = Image.new("RGB", size, WHITE)
    photo.paste(RED, (left, top, left + 40, top + 40))

    found = fitted(a_photo("PNG", photo), recipe)

    assert expected == found.size
    assert is_like(RED, found.getpixel((found.width // 2, found.height // 2)))


@pytest.mark.parametrize("turn", range(1, 9))
def test_of_a_cropped_photo_only_the_part_goes_out_however_the_file_lies(turn: int) -> None:
    recipe = replace(ANY, frame=CropFrame(Fraction(50), Fraction(25), Fraction(25), Fraction(50)))
    photo = Image.new("RGB", (400, 200), WHITE)
    photo.paste(RED, (200, 50, 300, 150))
    exif = Image.Exif()
    exif[0x0112] = turn
    lying = photo if turn == 1 else photo.transpose(UNDONE[turn])

    found = fitted(a_photo("JPEG", lying, exif=exif, quality=95, subsampling=0), recipe)

    assert (100, 100) == found.size
    corners = [found.getpixel(at) for at in ((3, 3), (96, 3), (3, 96), (96, 96))]
    assert all(is_like(RED, pixel) for pixel in corners)


def test_a_small_part_of_a_large_photo_stays_as_sharp_as_it_was() -> None:
    recipe = replace(ANY, frame=CropFrame(Fraction(40), Fraction(40), Fraction(20), Fraction(20)))
    large = a_photo("JPEG", Image.new("RGB", (6000, 6000), RED))

    assert (1200, 1200) == fitted(large, recipe).size


def test_a_large_photo_is_shrunk_into_the_box() -> None:
    recipe = PhotoRecipe(most_bytes=1_000_000, most_width=200, most_height=100)

    assert (150, 100) == fitted(a_photo("PNG", Image.new("RGB", (3000, 2000))), recipe).size


def test_a_heavy_photo_loses_quality_first_and_then_size() -> None:
    noise = Image.effect_noise((600, 600), 120)

    light = fitted(
        a_photo("PNG", noise), PhotoRecipe(most_bytes=250_000, most_width=1440, most_height=1440)
    )
    lighter = fitted(
        a_photo("PNG", noise), PhotoRecipe(most_bytes=20_000, most_width=1440, most_height=1440)
    )

    assert (600, 600) == light.size
    assert lighter.width < 600


@pytest.mark.parametrize(
    "photo",
    [
        samples()["plain.png"].data[:60],
        samples()["plain.webp"].data[:40],
        samples()["cmyk.jpg"].data[:200],
        b"\xff\xd8\xff" + bytes(1000),
        b"",
    ],
    ids=["png", "webp", "jpeg", "no jpeg", "nothing"],
)
def test_a_broken_photo_is_one_error(photo: bytes) -> None:
    with pytest.raises(UnreadablePhotoError):
        fit_photo(seekable(photo), 2_000_000, ANY)


def test_a_turned_photo_for_print_is_one_for_screens() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = a_photo("JPEG", Image.new("CMYK", (320, 200), (0, 200, 200, 20)), exif=exif)

    made = turn_photo(seekable(photo), len(photo))

    found = Image.open(io.BytesIO(made))
    assert ((200, 320), "RGB") == (found.size, found.mode)


@pytest.mark.parametrize("mode", ["RGB", "L"])
def test_a_turned_photo_keeps_its_colours_its_fineness_and_its_credits(mode: str) -> None:
    picture = Image.effect_noise((320, 200), 40).convert(mode)
    profile = ImageCms.ImageCmsProfile(ImageCms.createProfile("LAB")).tobytes()
    exif = Image.Exif()
    exif[0x0112], exif[0x8298], exif[0x0110] = 6, "(c) Rye", "Telltale 5"
    photo = a_photo("JPEG", picture, exif=exif, icc_profile=profile, quality=97, subsampling=0)

    made = turn_photo(seekable(photo), len(photo))

    found = Image.open(io.BytesIO(made))
    assert isinstance(found, JpegImageFile)
    assert ((200, 320), mode, profile) == (found.size, found.mode, found.info["icc_profile"])
    assert {0x8298: "(c) Rye"} == dict(found.getexif())
    original = Image.open(io.BytesIO(photo))
    assert isinstance(original, JpegImageFile)
    assert original.quantization == found.quantization
    upright = original.transpose(Image.Transpose.ROTATE_270).convert("L")
    difference = ImageChops.difference(upright, found.convert("L"))
    assert ImageStat.Stat(difference).mean[0] < 1


def test_a_small_turned_photo_may_grow_to_what_every_platform_takes() -> None:
    exif = Image.Exif()
    exif[0x0112] = 6
    photo = a_photo("WEBP", Image.effect_noise((800, 600), 90), exif=exif, quality=1)

    assert len(photo) < len(turn_photo(seekable(photo), len(photo))) <= 512 * 1024


def test_a_copy_for_a_platform_keeps_the_credits_and_nothing_else() -> None:
    found = fitted(telling_jpeg(6))

    assert SIZE[::-1] == found.size
    assert {0x013B: AUTHOR, 0x8298: RIGHTS} == dict(found.getexif())
    made = fit_photo(seekable(telling_jpeg(6)), len(telling_jpeg(6)), ANY) or b""
    assert all(word in made for word in CREDITS)
    assert [] == [word for word in SECRETS if word in made]


def test_a_png_with_a_history_of_megabytes_is_decoded_without_it() -> None:
    plain = a_photo("PNG", Image.new("RGB", (40, 30), RED))
    history = chunk(b"iTXt", b"History\0\1\0\0\0" + zlib.compress(bytes(9_000_000)))

    found = fitted(plain[:33] + history + plain[33:])

    assert is_like(RED, found.getpixel((5, 5)))
