"""Middleware for LangChain's agents: whatever model an agent calls is protected."""

from collections.abc import Awaitable, Callable
from typing import Any

from langchain.agents.middleware import AgentMiddleware, ModelRequest, ModelResponse
from langchain_core.language_models import BaseChatModel

import privguard
from privguard_adapters.guarding import Guarding
from privguard_adapters.langchain.chat import protected_class
from privguard_adapters.langchain.twins import Protected, original_class, twin


class PrivguardMiddleware(AgentMiddleware[Any, Any, Any]):
    """Protect every call of a model that an agent makes.

    Arguments of tools come back with their values, results of tools leave minimized, and streamed messages are whole.
    A model that another middleware chooses is protected as well, wherever this one stands in the list.

    Args:
        guard: default: a guard of its own, with the settings that are given, as `privguard.load_guard` takes them.
        settings: see there.
    """

    def __init__(self, guard: Guarding | None = None, **settings: Any) -> None:  # noqa: ANN401 - those of load_guard
        super().__init__()
        if guard is not None and settings:
            raise privguard.ConfigError("PrivguardMiddleware takes a guard or the settings of one, not both")
        self._guard: Guarding = guard if guard is not None else privguard.load_guard(**settings)
        self._classes: dict[type, type] = {}

    def protected(self, model: BaseChatModel) -> BaseChatModel:
        """Return a protected copy of a model, or the model where it is protected already.

        Raises:
            ConfigError: it is no chat model, but something that leads to one.
        """
        if isinstance(model, Protected):
            return model
        if not isinstance(model, BaseChatModel):
            raise privguard.ConfigError(f"{type(model).__name__} is no chat model; give the agent the model itself")
        original = original_class(model)
        if original not in self._classes:
            self._classes[original] = protected_class(original, self._guard)
        copied: BaseChatModel = twin(model, self._classes[original])
        return copied

    def wrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], ModelResponse[Any]]
    ) -> ModelResponse[Any]:
        """Call the model behind the guard."""
        return handler(_ProtectedRequest.of(request, self))

    async def awrap_model_call(
        self, request: ModelRequest[Any], handler: Callable[[ModelRequest[Any]], Awaitable[ModelResponse[Any]]]
    ) -> ModelResponse[Any]:
        """Call the model behind the guard."""
        return await handler(_ProtectedRequest.of(request, self))


class _ProtectedRequest(ModelRequest[Any]):
    """A request whose model is protected, whoever changes it."""

    privguard_middleware: PrivguardMiddleware

    @classmethod
    def of(cls, request: ModelRequest[Any], middleware: PrivguardMiddleware) -> "_ProtectedRequest":
        """Take over a request."""
        made = cls.__new__(cls)
        # Past its own setter, which warns of every assignment.
        model = middleware.protected(request.model)
        vars(made).update(vars(request), privguard_middleware=middleware, model=model)
        return made

    def __setattr__(self, name: str, value: object) -> None:
        super().__setattr__(name, value)
        if name == "model":
            vars(self)["model"] = self.privguard_middleware.protected(self.model)

    def override(self, **overrides: Any) -> "_ProtectedRequest":  # noqa: ANN401 - the fields of the request
        """Return a request with other fields."""
        plain: ModelRequest[Any] = ModelRequest.__new__(ModelRequest)
        vars(plain).update({key: item for key, item in vars(self).items() if key != "privguard_middleware"})
        return type(self).of(plain.override(**overrides), self.privguard_middleware)
