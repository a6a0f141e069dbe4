from privguard.core.audit import Outcome
from privguard.guard import Guard
from privguard.guard.recording import record_of
from privguard.guard.shapes import text_segments


def test_the_record_tells_types_lengths_and_counts_and_no_content(guard: Guard) -> None:
    exchange = guard.begin(text_segments("I am Ada Roth"), target="gpt-5", route="openai.chat.completions")
    for _ in range(2):
        exchange.restore(exchange.outgoing[0].text, path="choices[0]")
    record = record_of(exchange._life, Outcome.FAILED, KeyError("Ada Roth"))
    assert (record.route, record.target, record.outcome, record.error) == (
        "openai.chat.completions",
        "gpt-5",
        Outcome.FAILED,
        "KeyError",
    )
    assert [(each.path, each.kind, each.length) for each in record.decisions] == [("text", "PERSON", 8)]
    assert [(each.path, each.count) for each in record.events] == [("choices[0]", 2)]
    assert "Roth" not in repr(record)
    assert record_of(exchange._life).error == ""
