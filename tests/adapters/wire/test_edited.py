from hypothesis import given
from hypothesis import strategies as st

from privguard.core.json_leaves import Kind, parse
from privguard_adapters.wire.edited import EditedDocument

RAW = '{ "a":"caf\\u00e9",  "b" : [1.50, "x"]}'


def test_what_is_not_edited_stays_byte_for_byte() -> None:
    document = EditedDocument(parse(RAW))
    assert (document.text(), document.changed) == (RAW, False)


@given(st.text(), st.text())
def test_the_last_text_that_is_put_in_a_place_counts(first: str, second: str) -> None:
    parsed = parse(RAW)
    (leaf,) = [each for each in parsed.leaves if each.kind is Kind.STRING and each.text == "x"]
    document = EditedDocument(parsed)
    document.edit(leaf, first)
    document.edit(leaf, second)
    assert document.changed is (second != "x")
    assert document.text()[: leaf.start] == RAW[: leaf.start]
    assert parse(document.text()).leaves[-1].text == second
