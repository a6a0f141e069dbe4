"""The forms of placeholder that are compared: how each is written, and how it is found in a reply."""

import random
import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from privguard.core.note import EXAMPLE_KIND
from privguard.core.placeholders import ALPHABET, EXAMPLE_ID, is_placeholder_id

EXAMPLE = (EXAMPLE_KIND.value, EXAMPLE_ID)  # of the note; no prompt holds it


@dataclass(frozen=True, slots=True, kw_only=True)
class PlaceholderForm:
    """One way to write a placeholder."""

    name: str
    template: str  # with {kind} and {id}
    id_length: int = 4  # code points; 0: numbers, as most tools write them
    title: bool = False  # the type in title case

    def write(self, kind: str, placeholder_id: str) -> str:
        """Return the placeholder of a type and an id."""
        return self.template.format(kind=kind.title() if self.title else kind, id=placeholder_id)

    def draw_ids(self, count: int, rng: random.Random) -> list[str]:
        """Return different ids of this form."""
        if not self.id_length:
            return [str(number) for number in range(1, count + 1)]
        ids: list[str] = []
        while len(ids) < count:
            drawn = "".join(rng.choices(ALPHABET, k=self.id_length))
            if is_placeholder_id(drawn) and drawn not in (*ids, EXAMPLE[1]):
                ids.append(drawn)
        return ids

    @property
    def pattern(self) -> re.Pattern[str]:
        """Return what finds any canonical placeholder of this form; its groups are type and id."""
        length = f"{{{self.id_length}}}" if self.id_length else "{1,3}"
        alphabet = ALPHABET if self.id_length else "0-9"
        left, middle, right = re.split("\0|\1", self.template.format(kind="\0", id="\1"))
        return re.compile(
            rf"{re.escape(left)}([A-Z][A-Za-z_]+?){re.escape(middle)}([{alphabet}]{length}){re.escape(right)}"
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class Survival:
    """What came back of the placeholders of one prompt."""

    asked: int  # placeholders that a good answer holds
    exact: int  # of these, those that stand in the reply as they were sent
    mangled: int  # of these, those whose id alone stands in the reply, in any case
    invented: int  # different placeholders in the reply that nobody sent
    reply: str = field(repr=False)


def survival(form: PlaceholderForm, sent: Sequence[tuple[str, str]], reply: str) -> Survival:
    """Compare a reply with what was sent.

    Args:
        form: how the placeholders were written.
        sent: type and id of each placeholder of the prompt.
        reply: of the model.
    """
    exact = {each for each in sent if form.write(*each) in reply}
    folded = reply.upper()
    mangled = {
        each
        for each in sent
        if each not in exact and re.search(rf"(?<![0-9A-Z]){_loose(form, *each)}(?![0-9A-Z])", folded)
    }
    invented = {(kind.upper(), found) for kind, found in form.pattern.findall(reply)} - set(sent)
    return Survival(asked=len(sent), exact=len(exact), mangled=len(mangled), invented=len(invented), reply=reply)


def _loose(form: PlaceholderForm, kind: str, placeholder_id: str) -> str:
    """A number says nothing without its type."""
    return placeholder_id if form.id_length else rf"{kind}\W{{0,3}}_?{placeholder_id}"


FORMS = (
    PlaceholderForm(name="square", template="[{kind}_{id}]"),
    PlaceholderForm(name="square, 6", template="[{kind}_{id}]", id_length=6),
    PlaceholderForm(name="square, 8", template="[{kind}_{id}]", id_length=8),
    PlaceholderForm(name="square, numbers", template="[{kind}_{id}]", id_length=0),
    PlaceholderForm(name="square, hyphen", template="[{kind}-{id}]"),
    PlaceholderForm(name="square, space, title", template="[{kind} {id}]", title=True),
    PlaceholderForm(name="angle", template="<{kind}_{id}>"),
    PlaceholderForm(name="curly", template="{{{kind}_{id}}}"),
    PlaceholderForm(name="double curly", template="{{{{{kind}_{id}}}}}"),
    PlaceholderForm(name="double square", template="[[{kind}_{id}]]"),
    PlaceholderForm(name="mathematical", template="⟦{kind}_{id}⟧"),
    PlaceholderForm(name="bare", template="{kind}_{id}"),
)
