"""One call with a text or texts: of embeddings, or of a retriever."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import partial

from privguard_adapters.call import Call
from privguard_adapters.langchain.asked import beside, names_of, target_of
from privguard_adapters.langchain.seam import Outgoing, Value, settings_of, written
from privguard_adapters.langchain.twins import Model
from privguard_adapters.wire.langchain_requests import InputRequest


@dataclass(frozen=True, slots=True, kw_only=True)
class InputCall:
    """A call that may be made, and what is sent."""

    call: Call = field(repr=False)
    texts: Value = field(repr=False)
    options: Mapping[str, Value] = field(repr=False)


def open_input(model: Model, route: str, texts: Value, options: Mapping[str, Value], known: type) -> InputCall:
    """Protect a call.

    Args:
        model: what is called.
        route: which sort of call it is.
        texts: a text or texts.
        options: the other arguments of the call.
        known: the class of LangChain whose own fields say nothing to a provider.

    Raises:
        ProtectionError: nothing was sent; the record of it is written.
    """
    kept: list[InputRequest] = []
    call = model.privguard_seam.open(route, partial(_write, model, texts, options, known, kept))
    return _asked(call, kept[0])


async def aopen_input(model: Model, route: str, texts: Value, options: Mapping[str, Value], known: type) -> InputCall:
    """Protect a call in a worker thread, with the arguments of `open_input`.

    Raises:
        ProtectionError: nothing was sent; the record of it is written.
    """
    kept: list[InputRequest] = []
    call = await model.privguard_seam.aopen(route, partial(_write, model, texts, options, known, kept))
    return _asked(call, kept[0])


def _write(model: Model, texts: Value, options: Mapping[str, Value], known: type, kept: list[InputRequest]) -> Outgoing:
    settings = settings_of(model, known, {}) | names_of(model)
    request = InputRequest(target=target_of(model), texts=texts, options=options, settings=settings)
    kept.append(request)
    return Outgoing(body=request.body(), **beside(model, {}))


def _asked(call: Call, request: InputRequest) -> InputCall:
    new = written(call, lambda: request.written(call.request.body))
    return InputCall(call=call, texts=new.texts, options=new.options)
