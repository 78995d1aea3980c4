"""Which addresses a stranger may send us to: a table of attacks, and what must keep working."""

import pytest

from chalicelib.kit.transport.network_rules import (
    ForbiddenAddressError,
    is_public,
    origins,
    require_allowed,
    require_endpoint,
    require_origin,
)

FORBIDDEN = (
    # Not on https.
    "http://example.com/",
    "ftp://example.com/",
    "file:///etc/passwd",
    "gopher://example.com:6379/_INFO",
    "data:text/html,hello",
    "javascript:alert(1)",
    "//example.com/",
    "example.com",
    "",
    # Loopback and this machine, however it is spelled.
    "https://localhost/",
    "https://localhost:9001/",
    "https://localhost./",
    "https://127.0.0.1/",
    "https://127.1/",
    "https://2130706433/",
    "https://0x7f000001/",
    "https://0x7f.0x0.0x0.0x1/",
    "https://0177.0.0.1/",
    "https://127.0.0.1./",
    "https://0/",
    "https://0.0.0.0/",
    "https://[::1]/",
    "https://[::]/",
    "https://[::ffff:127.0.0.1]/",
    "https://[::ffff:7f00:1]/",
    "https://[fe80::1%25eth0]/",
    "https://⑫7.0.0.1/",
    "https://127。0。0。1/",
    "https://ⓛocalhost/",
    # What answers inside AWS, and other networks that are not public.
    "https://169.254.169.254/latest/meta-data/",
    "https://169.254.170.2/v2/credentials",
    "https://[fd00:ec2::254]/latest/meta-data/",
    "https://10.0.0.1/",
    "https://192.168.1.1/",
    "https://8.8.8.8/",
    # One reader takes another host from it than the next.
    "https://example.com@127.0.0.1/",
    "https://user:secret@example.com/",
    "https://@example.com/",
    "https://example.com\\@127.0.0.1/",
    "https://example.com\\.evil.example/",
    "https://exa mple.com/",
    "https://example.com\t/",
    "https://example.com\n/",
    "https://example.com/\r\nHost: evil",
    "https://example.com\x00.evil.example/",
    "https://exam\u200bple.com/",
    "https://[example.com]/",
    "https://[::1/",
    # Not a name, or not the web.
    "https://.example.com/",
    "https://example..com/",
    "https://-example.com/",
    f"https://{'a' * 64}.example/",
    f"https://{'a.' * 127}example/",
    "https://example.com:22/",
    "https://example.com:25/",
    "https://example.com:0x1bb/",
    "https://example.com:99999/",
    "https://example.com:-1/",
    "https://" + "example.com/" + "a" * 3_000,
)


@pytest.mark.parametrize("url", FORBIDDEN, ids=ascii)
def test_an_address_that_leads_inside_or_astray_is_forbidden(url: str) -> None:
    with pytest.raises(ForbiddenAddressError):
        require_allowed(url)


@pytest.mark.parametrize(
    "url",
    [
        "https://example.com",
        "https://example.com/",
        "https://EXAMPLE.com/bread?day=1#crust",
        "https://pds.example.com:8443/xrpc/a.b.c",
        "https://xn--mnchen-3ya.example/",
        "https://a-b.c_d.example.co.uk/~nora/%F0%9F%8D%9E",
        "https://bsky.social",
    ],
)
def test_an_address_of_the_public_web_is_allowed(url: str) -> None:
    assert require_allowed(url) == url


@pytest.mark.parametrize(
    "url",
    [
        "https://pds.example/path",
        "https://pds.example//",
        "https://pds.example/?",
        "https://pds.example?",
        "https://pds.example#",
        "https://pds.example/secret?x=",
        "http://127.0.0.1:9001/…?",
        "http://127.0.0.1:9001",
        "http://127.0.0.1:90/@evil.example",
    ],
)
def test_a_server_is_a_host_and_nothing_that_could_swallow_the_path(url: str) -> None:
    """What is appended would else become a query, and any address of any host could be asked."""
    with pytest.raises(ForbiddenAddressError):
        require_origin(url, frozenset({"http://127.0.0.1:90"}))


def test_only_the_operators_own_origins_are_exempt_and_to_the_digit() -> None:
    trusted = origins(["http://127.0.0.1:90/path", " http://LOCALHOST:8000 ", ""])

    assert trusted == {"http://127.0.0.1:90", "http://localhost:8000"}
    assert require_origin("http://127.0.0.1:90/", trusted) == "http://127.0.0.1:90"
    assert require_endpoint("http://127.0.0.1:90/par", trusted) == "http://127.0.0.1:90/par"
    with pytest.raises(ForbiddenAddressError):
        require_endpoint("http://127.0.0.1:9001/par", trusted)


@pytest.mark.parametrize(
    "address",
    [
        "0.0.0.0",
        "10.1.2.3",
        "100.64.0.1",
        "100.100.100.200",
        "127.0.0.1",
        "127.255.255.254",
        "169.254.169.254",
        "172.16.0.1",
        "172.31.255.255",
        "192.0.0.192",
        "192.0.2.1",
        "192.88.99.1",
        "192.168.0.1",
        "198.18.0.1",
        "198.51.100.1",
        "203.0.113.1",
        "224.0.0.1",
        "239.255.255.250",
        "240.0.0.1",
        "255.255.255.255",
        "::",
        "::1",
        "::127.0.0.1",
        "::ffff:127.0.0.1",
        "::ffff:169.254.169.254",
        "::ffff:0:127.0.0.1",
        "64:ff9b::7f00:1",
        "64:ff9b::a9fe:a9fe",
        "64:ff9b:1::1",
        "100::1",
        "2001::1",
        "2001:db8::1",
        "2001:0:7f00:1::",
        "2002:7f00:1::",
        "2002:a9fe:a9fe::1",
        "3fff::1",
        "5f00::1",
        "fc00::1",
        "fd00:ec2::254",
        "fe80::1",
        "fe80::1%eth0",
        "fec0::1",
        "ff02::1",
        "no address",
    ],
)
def test_an_ip_address_that_is_not_the_public_internets_is_told(address: str) -> None:
    assert not is_public(address)


@pytest.mark.parametrize(
    "address",
    ["1.1.1.1", "93.184.215.14", "172.32.0.1", "192.0.1.1", "100.128.0.1", "2606:4700::1111"],
)
def test_an_ip_address_of_the_public_internet_is_told(address: str) -> None:
    assert is_public(address)


def test_a_public_address_within_an_ipv6_one_is_reached_as_itself() -> None:
    assert is_public("::ffff:1.1.1.1")
