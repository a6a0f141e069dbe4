"""A dry run: what would leave of a request, and why."""

import json
from dataclasses import dataclass, field
from typing import Any

from privguard.core.plan import Plan
from privguard.guard import Content
from privguard.showing.report import Report, facts_of_target, facts_of_unread, parts_of_content, rows_of_content

FOOTER = "nothing was sent"


@dataclass(frozen=True, slots=True, kw_only=True)
class Preview:
    """What would leave of a request. It was not sent, and nothing of it was recorded.

    Its `repr` holds no content. In a notebook, and printed with rich, it shows what would leave: what the plan keeps is
    in it, the originals of what it hides are not. `show(originals=True)` shows them too.
    """

    route: str  # as the audit record would name it
    body: bytes = field(repr=False)  # as it would leave, with the placeholders in it
    content: Content = field(repr=False)

    @property
    def plan(self) -> Plan:
        """Return every decision with its reason, in the order of the request."""
        return self.content.plan

    @property
    def outgoing(self) -> dict[str, Any]:
        """Return the JSON body that would leave."""
        read: dict[str, Any] = json.loads(self.body)
        return read

    def show(self, *, originals: bool = False) -> Report:
        """Return what a notebook or rich shows.

        Args:
            originals: whether what the plan hides is shown beside what would leave.
        """
        return Report(
            title="preview",
            facts=(
                ("route", self.route),
                *facts_of_target(self.plan.target),
                ("profile", self.plan.profile_id),
                *facts_of_unread([segment.text for segment in self.content.sent]),
            ),
            rows=rows_of_content(self.content, originals=originals),
            parts=parts_of_content(self.content, originals=originals),
            footer=FOOTER,
        )

    def __repr__(self) -> str:
        return f"Preview({self.route}, decisions={sum(1 for _ in self.plan)}, nothing was sent)"

    def _repr_html_(self) -> str:
        return self.show()._repr_html_()

    def __rich__(self) -> object:
        return self.show()
