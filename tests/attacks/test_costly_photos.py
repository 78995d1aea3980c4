"""Photos that burn a minute of processor each. Who: one trial key and 8 MB of photos.

Twelve photos with 65,000 empty scans kept every other workspace's conversions waiting for minutes:
photos took no place, and ten messages were received for four threads.
"""

import pytest

from tests.attacks.photos import of_many_scans
from tests.attacks.service import Neighbour, Service, Tenant

pytestmark = pytest.mark.costly

PHOTOS = 12


@pytest.fixture(scope="module")
def painter(service: Service) -> Neighbour:
    tenant = service.tenant("studio", "linkedin", "instagram")
    return Neighbour(tenant, ("request", "upload", "post", "photo"))


def test_a_photo_of_thousands_of_scans_is_no_photo(eve: Tenant) -> None:
    answer = eve.call("POST", "/v1/media", files={"file": ("a.jpg", of_many_scans(65_000))})

    assert answer.status_code == 415
    assert "scans" in answer.json()["error"]["message"]


def test_a_photo_of_ninety_scans_is_one(eve: Tenant) -> None:
    assert eve.uploaded("a.jpg", of_many_scans(80, side=400))


@pytest.mark.prove
def test_twelve_costly_photos_leave_a_thread_to_others(painter: Neighbour, eve: Tenant) -> None:
    """As costly as is let in: they end after ten seconds of processor, three at a time."""
    with painter.beside() as seen:
        costly = [eve.uploaded("a.jpg", of_many_scans(80, side=9_000 + n)) for n in range(PHOTOS)]
        for number, media in enumerate(costly):
            eve.post_now(f"photo {number}", "instagram", media=media)
        seen.beside = painter.measured()

    assert seen.is_well_served, seen
