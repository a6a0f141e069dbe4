from urllib.parse import urlsplit

import pytest

from privguard_adapters.wire.hosts import host_of, origin_of

SAME = [
    ("http://[::1]:8080/v1", "http://[0:0:0:0:0:0:0:1]:8080"),
    ("http://[2001:DB8::0001]/v1", "http://[2001:db8:0:0::1]:80"),
    ("https://Api.Example/v1", "HTTPS://api.example:443"),
    ("https://user:key@api.example", "https://api.example"),
    ("http://api.example:", "http://api.example:80"),
]
OTHER = [
    ("http://[::1]:8080", "http://[::1]:8081"),
    ("http://[::1]", "http://[::2]"),
    ("http://[::1]", "https://[::1]"),
    ("http://[::1]", "http://::1"),
    ("http://[::ffff:127.0.0.1]", "http://127.0.0.1"),
    ("http://api.example", "http://api.example:443"),
    ("http://api.example", "http://api.example.evil.example"),
    ("http://[::1]", "http://[::1].evil.example"),
]


@pytest.mark.parametrize(("one", "another"), SAME)
def test_one_host_counts_as_one_however_it_is_written(one: str, another: str) -> None:
    assert origin_of(urlsplit(one)) == origin_of(urlsplit(another))


@pytest.mark.parametrize(("one", "another"), OTHER)
def test_two_hosts_count_as_two(one: str, another: str) -> None:
    def origin(url: str) -> object:
        try:
            return origin_of(urlsplit(url))
        except ValueError:  # it is no URL, which the gate refuses
            return None

    assert origin(one) != origin(another)


def test_a_host_is_what_is_written_without_who_asks() -> None:
    assert host_of(urlsplit("https://user:key@Api.Example:444/v1")) == "Api.Example:444"
