"""A module that is imported when a test first uses it: each test process reads all test files."""

from importlib import import_module
from types import ModuleType


class _LaterModule(ModuleType):
    """Imports the module of its name once something public of it is asked for.

    The standard library's lazy loader would import it at once: pytest looks into everything that a
    file of tests holds, for fixtures and mocks, by names that begin with an underscore.
    """

    def __getattr__(self, name: str) -> object:
        """Return what the module has under a name."""
        if name.startswith("_"):
            raise AttributeError(name)
        return getattr(import_module(self.__name__), name)


def lazy_module(name: str) -> ModuleType:
    """Return the module, whose import begins with the first look into it."""
    return _LaterModule(name)
