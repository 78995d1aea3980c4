"""What JSON can say, as a type: pure, and used by every room."""

from typing import TypeAlias

Json: TypeAlias = "str | int | float | bool | None | list[Json] | dict[str, Json]"
