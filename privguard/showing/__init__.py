"""Plans, previews and last exchanges, shown to people: on a terminal and in notebooks."""

from privguard.showing.last import LastExchange, last_exchange
from privguard.showing.preview import Preview
from privguard.showing.report import Report

__all__ = ["LastExchange", "Preview", "Report", "last_exchange"]
