from types import ModuleType

import httpx
import httpx2
import pytest

from privguard_adapters.http_library import library_of, read_library

both = pytest.mark.parametrize("module", [httpx2, httpx], ids=["httpx2", "httpx"])


@both
def test_clients_and_transports_tell_their_library(module: ModuleType) -> None:
    with module.Client() as client:
        assert library_of(client) is module
    assert library_of(module.MockTransport(lambda _: None)) is module
    with pytest.raises(TypeError, match="neither httpx2 nor httpx"):
        library_of(module)


@both
def test_what_a_library_undoes_is_what_it_asks_for(module: ModuleType) -> None:
    library = read_library(module)
    assert {"gzip", "deflate"} <= library.decodes
    assert issubclass(library.body, module.SyncByteStream)
    assert issubclass(library.async_body, module.AsyncByteStream)
    assert read_library(module) is library
