from privguard_adapters.wire.codec import codec_of
from privguard_adapters.wire.fields import patterns
from privguard_adapters.wire.layout import Layout


def test_a_codec_reads_and_writes_by_its_layout() -> None:
    codec = codec_of("test.route", Layout(tokens=patterns("model")), replies=None)
    view = codec.read_request(b'{"model": "m", "q": "Ada Roth", "stream": true}')
    assert (codec.name, codec.replies, view.target, view.stream) == ("test.route", None, "m", True)
    assert codec.write_request(view, view.segments) == b'{"model": "m", "q": "Ada Roth", "stream": true}'
