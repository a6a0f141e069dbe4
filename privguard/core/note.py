"""The note that explains placeholders to the model that reads them: no content, and the same words in every request.

Prompt caches keep what begins alike, so nothing in it depends on the request. What it shows as an example is the id of
nothing: none is ever given to a value.
"""

from privguard.core.entities import EntityType
from privguard.core.placeholders import EXAMPLE_ID, write_placeholder

TEMPLATE = "Codes like {example} stand for names and other details. Copy them exactly as they are written."
EXAMPLE_KIND = EntityType.PERSON
EXAMPLE = write_placeholder(EXAMPLE_KIND, EXAMPLE_ID)
NOTE = TEMPLATE.format(example=EXAMPLE)
