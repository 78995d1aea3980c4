"""Makes Pinterest's own client, PyPI `pinterestsdk`, known without loading all of it.

Its packages load 1,108 models as soon as one is named, which takes each process of the tests seven
seconds. pytest reads this before the tests: what they name is loaded file by file.
"""

import re
import sys
from importlib import import_module
from importlib.util import find_spec
from pathlib import Path
from types import ModuleType

_BEFORE_CAPITAL = re.compile(r"(?<!^)(?=[A-Z])")


class _Package(ModuleType):
    """A package whose `__init__` is not run; a class of it is found in the file of its name."""

    def __getattr__(self, name: str) -> object:
        file = f"{self.__name__}.{_BEFORE_CAPITAL.sub('_', name).lower()}"
        if not name[0].isupper() or find_spec(file) is None:
            raise AttributeError(name)
        return vars(import_module(file))[name]


def _make_known(name: str, folder: Path) -> _Package:
    package = _Package(name)
    package.__path__ = [str(folder)]
    sys.modules[name] = package
    return package


_SPEC = find_spec("pinterestsdk")
assert _SPEC is not None
assert _SPEC.origin is not None
_FOLDER = Path(_SPEC.origin).parent
_CLIENT = _make_known("pinterestsdk", _FOLDER)
for _part in ("api", "models"):
    vars(_CLIENT)[_part] = _make_known(f"pinterestsdk.{_part}", _FOLDER / _part)
