"""A web page in the same browser as the service's user. Who: whoever gets a link opened.

The embedded AWS listened on a port that asked nobody for anything and let every site read its
answers: a page read all rows, made itself an owner's key and ran a program.
"""

from pathlib import Path

import psutil
import pytest
from playwright.sync_api import sync_playwright

from tests.attacks.drive_by import attack, evil_page
from tests.attacks.service import Service
from tests.support.chromium import found_chromium
from tests.support.other_name import by_address


def listening(service: Service) -> list[int]:
    """Return the ports on which any process of the service listens."""
    assert service.stack.process is not None
    whole = psutil.Process(service.stack.process.pid)
    return sorted(
        {
            connection.laddr.port
            for process in (whole, *whole.children(recursive=True))
            for connection in process.net_connections("inet")
            if connection.status == psutil.CONN_LISTEN
        }
    )


def test_nothing_listens_but_the_service_itself(service: Service) -> None:
    assert listening(service) == [service.stack.port]


def test_what_is_kept_can_be_reached_through_the_data_directory_alone(service: Service) -> None:
    assert service.stack.data_dir.stat().st_mode & 0o077 == 0
    sockets = [path for path in service.stack.data_dir.rglob("*") if path.is_socket()]
    assert [path for path in sockets if _is_open_to_others(path)] == []


def _is_open_to_others(path: Path) -> bool:
    return any(folder.stat().st_mode & 0o077 == 0 for folder in path.parents) is False


def test_no_address_beyond_loopback_is_listened_on(service: Service) -> None:
    table = psutil.net_connections("inet")  # the kernel's own, so that nothing need be called

    listening = {
        one.laddr.ip
        for one in table
        if one.status == psutil.CONN_LISTEN and one.laddr and one.laddr.port == service.stack.port
    }
    assert listening == {"127.0.0.1"}


@pytest.mark.browser
def test_a_foreign_page_reads_nothing_and_changes_nothing(service: Service) -> None:
    ada = service.tenant("studio", "linkedin")
    ada.post_now("sandboxed secret", "linkedin")
    link = by_address(str(service.ask("member", "sign-in", ada.member_id)["url"]))

    with sync_playwright() as playwright, evil_page() as address:
        browser = playwright.chromium.launch(
            executable_path=found_chromium(), args=["--no-sandbox"]
        )
        context = browser.new_context()
        page = context.new_page()
        page.goto(link)
        page.get_by_role("button", name="Sign in").click()
        page.wait_for_url("**/app**")
        foreign = context.new_page()
        foreign.goto(address)
        found = foreign.evaluate(attack(listening(service)))
        page.reload()
        where = page.goto(f"{service.url}/app/posts")
        is_signed_in = where is not None and page.url.endswith("/app/posts")
        browser.close()

    read = [one for one in found if one["text"]]
    assert read == []
    assert len(found) > 15
    assert is_signed_in
    captions = [post["caption"] for post in ada.made("GET", "/v1/posts")["data"]]
    assert captions == ["sandboxed secret"]
