"""Sentences, documents, forms and tables → one text, as people paste them together."""

from collections.abc import Callable, Sequence
from random import Random

from privguard.research.training.lexicon import Lexicon
from privguard.research.training.rendering import Piece, Rendered
from privguard.research.training.scene import Scene

LONGEST_TEXT = 1600
_FORM_MARKS = (": ", ": ", ": ", " = ", "=", " - ", "\t", " | ", ":", ":\n")
_TABLE_MARKS = (",", ";", "\t", " | ", ", ")


def join(parts: Sequence[Rendered], glue: str) -> Rendered:
    """Put rendered parts one after the other."""
    spans: list[Piece] = []
    text = ""
    for place, part in enumerate(parts):
        text += glue if place else ""
        spans.extend(Piece(start=p.start + len(text), end=p.end + len(text), label=p.label) for p in part.spans)
        text += part.text
    return Rendered(text=text, spans=tuple(spans))


def plain(text: str) -> Rendered:
    """Take a text without spans."""
    return Rendered(text=text)


class Composer:
    """Draws texts of one language."""

    def __init__(self, *, rng: Random, lexicon: Lexicon, scene: Scene) -> None:
        self._rng = rng
        self._lexicon = lexicon
        self._scene = scene

    def compose(self) -> Rendered:
        """Draw the form of a text, then fill it; a text that grew too long is drawn again."""
        ways: tuple[tuple[Callable[[], Rendered], int], ...] = (
            (self._prompt, 40),
            (self._single, 10),
            (self._document, 16 if self._lexicon.documents else 0),
            (self._machine_document, 10),
            (self._mixed, 8),
            (self._form, 8 if self._lexicon.fields else 0),
            (self._table, 6 if self._lexicon.fields else 0),
            (self._mail, 5),
            (self._chat, 5),
            (self._bullets, 4),
            (self._negative, 10),
        )
        functions, weights = zip(*ways, strict=True)
        while True:
            made: Rendered = self._rng.choices(functions, weights)[0]()
            if len(made.text) <= LONGEST_TEXT:
                return made

    def _fill(self, template: str) -> Rendered:
        return self._scene.fill(template)

    def _sentences(self, least: int, most: int) -> list[Rendered]:
        count = min(self._rng.randint(least, most), len(self._lexicon.sentences))
        return [self._fill(template) for template in self._rng.sample(self._lexicon.sentences, count)]

    def _opener(self) -> list[Rendered]:
        return [self._fill(self._rng.choice(self._lexicon.openers))] if self._lexicon.openers else []

    def _prompt(self) -> Rendered:
        rng = self._rng
        parts = self._sentences(1, rng.choice((3, 4, 6, 9)))
        if rng.random() < 0.6:
            parts = self._opener() + parts if rng.random() < 0.7 else parts + self._opener()
        return join(parts, rng.choice((self._lexicon.glue, self._lexicon.glue, self._lexicon.glue, "\n", "\n\n")))

    def _single(self) -> Rendered:
        return self._sentences(1, 1)[0]

    def _document(self) -> Rendered:
        return self._around(self._lexicon.documents)

    def _machine_document(self) -> Rendered:
        return self._around(self._lexicon.machine_documents)

    def _around(self, documents: Sequence[str]) -> Rendered:
        body = self._fill(self._rng.choice(documents))
        parts = (self._opener() if self._rng.random() < 0.6 else []) + [body]
        if self._rng.random() < 0.3:
            parts += self._sentences(1, 2)
        return join(parts, self._rng.choice(("\n", "\n\n")))

    def _mixed(self) -> Rendered:
        parts = [self._fill(self._rng.choice(self._lexicon.negatives)), *self._sentences(1, 2)]
        self._rng.shuffle(parts)
        return join(parts, self._rng.choice(("\n\n", "\n", " ")))

    def _negative(self) -> Rendered:
        parts = [self._fill(self._rng.choice(self._lexicon.negatives)) for _ in range(self._rng.choice((1, 1, 2)))]
        return join((self._opener() if self._rng.random() < 0.4 else []) + parts, self._rng.choice(("\n", "\n\n", " ")))

    def _columns(self, least: int, most: int) -> list[str]:
        kinds = tuple(self._lexicon.fields)
        return self._rng.sample(kinds, min(self._rng.randint(least, most), len(kinds)))

    def _form(self) -> Rendered:
        rng, mark = self._rng, self._rng.choice(_FORM_MARKS)
        rows = [
            join((plain(rng.choice(self._lexicon.fields[kind]) + mark), self._fill(f"[[{kind}]]")), "")
            for kind in self._columns(2, 9)
        ]
        form = join(rows, rng.choice(("\n", "\n", "\n", "; ", ", ")) if mark != ":\n" else "\n")
        return join((*self._opener(), form), "\n") if rng.random() < 0.4 else form

    def _table(self) -> Rendered:
        rng, mark, kinds = self._rng, self._rng.choice(_TABLE_MARKS), self._columns(2, 5)
        rows = (
            [plain(mark.join(rng.choice(self._lexicon.fields[kind]) for kind in kinds))] if rng.random() < 0.7 else []
        )
        people = range(1, rng.randint(3, 6))
        rows.extend(join([self._fill(f"[[{kind}{person}]]") for kind in kinds], mark) for person in people)
        if mark == " | " and rng.random() < 0.7:
            rows = [join((plain("| "), row, plain(" |")), "") for row in rows]
        elif rng.random() < 0.15:
            rows = [join((plain("["), row, plain("],")), "") for row in rows]
        return join(rows, "\n")

    def _mail(self) -> Rendered:
        head = "From: [[name]] <[[email]]>\nTo: [[name2]] <[[email2]]>\nDate: [[stamp]]\n"
        foot = self._rng.choice(
            ("\n[[name]]", "\n--\n[[name]]\n[[phone]]", "\n\n[[name]] | [[email]] | [[link]]", "\n[[given]]")
        )
        body = join(self._sentences(1, 5), self._rng.choice((self._lexicon.glue, "\n")))
        parts = (self._fill(head), body, self._fill(foot)) if self._rng.random() < 0.6 else (body, self._fill(foot))
        return join(parts, "\n")

    def _chat(self) -> Rendered:
        rng, style = self._rng, self._rng.choice(("{}: ", "{}: ", "<{}> ", "[00:00] {}: ", "**{}**: "))
        who = rng.choice(
            (("[[given]]", "[[given2]]"), ("[[user]]", "[[user2]]"), ("user", "assistant"), ("[[name]]", "[[name2]]"))
        )
        names = [self._fill(name) for name in who]
        lines = []
        for turn, sentence in enumerate(self._sentences(2, 5)):
            time = f"[{rng.randrange(24):02d}:{rng.randrange(60):02d}] {{}}: "
            before, after = (time if style.startswith("[") else style).split("{}")
            lines.append(join((plain(before), names[turn % 2], plain(after), sentence), ""))
        return join(lines, "\n")

    def _bullets(self) -> Rendered:
        mark = self._rng.choice(("- ", "* ", "\u2022 ", "{}) ", "{}. ", "\u2013 "))
        sentences = self._sentences(2, 6)
        rows = [join((plain(mark.format(number)), one), "") for number, one in enumerate(sentences, start=1)]
        return join((*self._opener(), *rows), "\n")
