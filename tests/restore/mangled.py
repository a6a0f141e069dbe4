"""Placeholders as models spell them, made at random: any one way of each part, put together."""

from collections.abc import Callable

from hypothesis import strategies as st

BRACKETS = (
    ("[", "]"),
    ("\\[", "\\]"),
    ("&#91;", "&#93;"),
    ("&amp;lbrack;", "&amp;rbrack;"),
    ("\\u005b", "\\u005d"),
    ("%5B", "%5D"),
    ("［", "］"),
    ("【", "】"),
    ("〔", "〕"),
    ("⟦", "⟧"),
    ("「", "」"),
)
UNDERSCORES = ("_", "\\_", "＿", "&lowbar;", "&#x5f;", "\\u005f")
LOOSE = ("-", "–", " — ", "&ndash;", " ", "\u00a0", "__", "\n> ", " |\n| ")
SPACES = ("", "", " ", "\n", "  ")
MARKS = ("", "", "**", "*")
ENDINGS = ("", "", "", "'s", "’s", "'nin", "さん", "-nak", ":n", "\u0430")
WORDS = ("NOMBRE", "人物", "имя", "व्यक्ति", "Nom de client")
INVISIBLE = ("\u200b", "\u00ad", "\u2060")


def _bold(text: str) -> str:
    letters = {65 + number: 0x1D400 + number for number in range(26)}
    return text.translate(letters | {48 + number: 0x1D7CE + number for number in range(10)})


def _full_width(text: str) -> str:
    return "".join([chr(ord(letter) + 0xFEE0) if letter.isascii() and letter.isalnum() else letter for letter in text])


@st.composite
def dressed(draw: st.DrawFn, text: str) -> str:
    """Return a text in other letters, or with something invisible in it."""
    ways: list[Callable[[str], str]] = [str, str, str, _bold, _full_width]
    text = draw(st.sampled_from(ways))(text)
    if draw(st.integers(0, 5)) == 0:
        at = draw(st.integers(0, len(text)))
        text = text[:at] + draw(st.sampled_from(INVISIBLE)) + text[at:]
    return text


@st.composite
def bracketed(draw: st.DrawFn, kind: str, placeholder_id: str, *, translated: bool) -> str:
    """Write a placeholder in brackets that close."""
    opening, closing = draw(st.sampled_from(BRACKETS))
    own = not translated or draw(st.booleans())
    if own:
        name = draw(st.sampled_from((kind, kind.lower(), kind.title())))
        separators = [*UNDERSCORES, *LOOSE, "", ":"]
    else:
        name, separators = draw(st.sampled_from(WORDS)), [*UNDERSCORES, *LOOSE]
    marks, space, last = (draw(st.sampled_from(ways)) for ways in (MARKS, SPACES, SPACES))
    separator = draw(st.sampled_from(separators))
    written = draw(dressed(name)) if own else name
    return (
        f"{opening}{space}{marks}{written}{separator}{draw(dressed(placeholder_id))}"
        f"{draw(st.sampled_from(ENDINGS))}{marks}{last}{closing}"
    )


@st.composite
def bare(draw: st.DrawFn, kind: str, placeholder_id: str) -> str:
    """Write a placeholder without brackets of its own, or in those of a template."""
    opening, closing = draw(
        st.sampled_from((("", ""), ("", ""), ("{", "}"), ("{{ ", " }}"), ("<", ">"), ("(", ")"), ("«", "»")))
    )
    name = draw(st.sampled_from((kind, kind.lower(), kind.title())))
    separator = draw(st.sampled_from(UNDERSCORES))
    return opening + draw(dressed(name)) + separator + draw(dressed(placeholder_id)) + closing


def mangled(kind: str, placeholder_id: str, *, translated: bool = True) -> st.SearchStrategy[str]:
    """Write a placeholder in one of the forms that R reads; where asked, with another word for its type too."""
    return bracketed(kind, placeholder_id, translated=translated) | bare(kind, placeholder_id)
