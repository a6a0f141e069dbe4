"""Objects of LangChain and their twins: the same state in another class.

A protected object is of a class derived from its own, which knows the guard: copies of it, and objects that LangChain
makes of its class, are protected as well. Behind the guard the call goes on with a twin of the class that was wrapped,
over the very same state, so whatever one method calls of another is not protected again.
"""

from contextlib import suppress
from typing import Any, ClassVar, NoReturn, TypeAlias

from privguard.core.errors import ConfigError
from privguard_adapters.guarding import Guarding
from privguard_adapters.langchain.seam import Seam

Model: TypeAlias = Any  # an object of LangChain, whose types are not imported here
Class: TypeAlias = Any  # likewise

_PYDANTIC = ("__pydantic_fields_set__", "__pydantic_extra__", "__pydantic_private__")
_CACHED = "_serialized"  # by LangChain: how the class describes itself


class Protected:
    """What all protected classes have in common."""

    __slots__ = ()
    privguard_seam: ClassVar[Seam]
    privguard_original: ClassVar[type]

    def __reduce_ex__(self, _protocol: object) -> NoReturn:
        raise ConfigError("a protected object of LangChain cannot be pickled; pickle the one that was wrapped")

    @classmethod
    def is_lc_serializable(cls) -> bool:
        """Say no: what would be loaded again were not protected."""
        return False


def protect(original: type, methods: type[Protected], guard: Guarding, **more: object) -> type:
    """Derive a protected class.

    Args:
        original: the class that is wrapped.
        methods: what stands before those of the class.
        guard: what protects it.
        more: attributes of the class, set when it is complete.

    Raises:
        ConfigError: the class cannot be derived from.
    """
    space: dict[str, Any] = {
        "__module__": original.__module__,
        "__qualname__": original.__qualname__,
        "__doc__": original.__doc__,
    }
    if hasattr(original, "model_config"):
        space["model_config"] = {"defer_build": True}  # most are never made by their constructor
    derived: Any = None
    with suppress(TypeError):
        derived = type(original)(original.__name__, (methods, original), space)
    if derived is None:
        raise ConfigError(f"{original.__name__} cannot be protected: no class can be derived from it")
    attributes = {"privguard_seam": Seam(guard), "privguard_original": original, **more}
    for name, value in attributes.items():
        setattr(derived, name, value)
    made: type = derived
    return made


def original_class(model: Model) -> type:
    """Return the class that is wrapped, or was."""
    found: type = model.privguard_original if isinstance(model, Protected) else type(model)
    return found


def twin(model: Model, cls: Class, *, shares: bool = False) -> Model:
    """Return an object of another class with the same state.

    Args:
        model: the object.
        cls: the class, of the same layout.
        shares: whether both have one state from now on; otherwise the state is copied, one level deep.

    Raises:
        ConfigError: its state cannot be copied.
    """
    if not hasattr(model, "__dict__"):
        raise ConfigError(f"{type(model).__name__} cannot be protected: its state cannot be copied")
    made = cls.__new__(cls)
    state = vars(model)
    object.__setattr__(made, "__dict__", state if shares else {key: state[key] for key in state if key != _CACHED})
    for name in _PYDANTIC:
        if hasattr(model, name):
            value = getattr(model, name)
            object.__setattr__(made, name, value if shares or value is None else value.copy())
    return made


def plain(model: Model) -> Model:
    """Return the same object without protection, for the call behind the guard."""
    return twin(model, model.privguard_original, shares=True)
