"""Protected retrievers: the query is minimized, and what comes back of it in documents is restored."""

from typing import Any, TypeAlias

from langchain_core.callbacks import AsyncCallbackManagerForRetrieverRun, CallbackManagerForRetrieverRun
from langchain_core.documents import Document
from langchain_core.retrievers import BaseRetriever

from privguard_adapters.call import Call
from privguard_adapters.guarding import Guarding
from privguard_adapters.langchain.inputs import InputCall, aopen_input, open_input
from privguard_adapters.langchain.seam import WHOLE, Value, restored
from privguard_adapters.langchain.twins import Model, Protected, plain, protect
from privguard_adapters.wire.langchain_messages import dump, load
from privguard_adapters.wire.langchain_values import Values

Manager: TypeAlias = Any  # of callbacks: sync or async


class ProtectedRetriever(Protected):
    """What stands before the methods of a retriever."""

    __slots__ = ()

    def _get_relevant_documents(
        self,
        query: str,
        *,
        run_manager: Manager = None,  # noqa: ARG002 - its callbacks would see what is sent
        **kwargs: Value,
    ) -> list[Document]:
        asked = open_input(self, "retriever", query, _expected(self, kwargs), BaseRetriever)
        with asked.call.watched():
            given = _arguments(self, asked, CallbackManagerForRetrieverRun.get_noop_manager())
            return _restored(asked.call, plain(self)._get_relevant_documents(asked.texts, **given))

    async def _aget_relevant_documents(
        self,
        query: str,
        *,
        run_manager: Manager = None,  # noqa: ARG002 - see above
        **kwargs: Value,
    ) -> list[Document]:
        asked = await aopen_input(self, "retriever", query, _expected(self, kwargs), BaseRetriever)
        with asked.call.watched():
            given = _arguments(self, asked, AsyncCallbackManagerForRetrieverRun.get_noop_manager())
            return _restored(asked.call, await plain(self)._aget_relevant_documents(asked.texts, **given))


def protected_class(original: type, guard: Guarding) -> type:
    """Derive a protected class from that of a retriever."""
    return protect(original, ProtectedRetriever, guard)


def _expected(model: Model, kwargs: dict[str, Value]) -> dict[str, Value]:
    """Return the arguments that the retriever takes; LangChain drops the others."""
    return kwargs if model.privguard_original._expects_other_args else {}


def _arguments(model: Model, asked: InputCall, manager: Manager) -> dict[str, Value]:
    takes = {"run_manager": manager} if model.privguard_original._new_arg_supported else {}
    return {**asked.options, **takes}


def _restored(call: Call, documents: list[Document]) -> list[Document]:
    values = Values(sent=False, calls=False)
    call.receive(200, WHOLE)
    shown = [{"page_content": found.page_content, "metadata": found.metadata} for found in documents]
    body = restored(lambda: dump({"documents": values.show(shown)}))
    back = call.whole(body)
    if back == body:
        return documents
    woven = restored(lambda: values.weave(shown, load(back)["documents"]))
    return [found.model_copy(update=update) for found, update in zip(documents, woven, strict=True)]
