"""The columns of `keys.txt`: which scopes a key has."""

from collections.abc import Mapping

from chalicelib.domain.workspace.access import Scope

SCOPES: Mapping[str, frozenset[Scope]] = {
    "write": frozenset({Scope.READ, Scope.WRITE}),
    "write+publish": frozenset({Scope.READ, Scope.WRITE, Scope.PUBLISH}),
    "all": frozenset(Scope),
}
