"""Which tokens of a user message say what is wanted: instructions stand at its head or at its tail."""

HEAD = 64  # tokens
TAIL = 64


def instruction_tokens(count: int) -> tuple[int, ...]:
    """Return the indices, ascending, of the instruction tokens of a message of `count` tokens."""
    if count <= HEAD + TAIL:
        return tuple(range(count))
    return (*range(HEAD), *range(count - TAIL, count))
