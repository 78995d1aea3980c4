"""The bits of a parameter set of H.264 or HEVC, read from the highest to the lowest.

`avc` and `hevc` use it. Methods raise EndOfBitsError if the set, which is untrusted, ends early.
ITU-T H.264 section 7.2 and 9.1, H.265 section 9.2.
"""

from typing import Final

_LONGEST_PREFIX: Final = 32


class EndOfBitsError(Exception):
    """The set is shorter than it says, or is not one."""


class Bits:
    """Reads bytes bit by bit."""

    def __init__(self, data: bytes) -> None:
        self._value = int.from_bytes(data)
        self._left = len(data) * 8

    @classmethod
    def of_unit(cls, unit: bytes) -> "Bits":
        """Return the bits of a unit, without its emulation prevention bytes."""
        return cls(unit.replace(b"\0\0\3", b"\0\0"))

    def take(self, count: int) -> int:
        """Return the next bits as a number."""
        if count > self._left:
            raise EndOfBitsError
        self._left -= count
        return self._value >> self._left & ((1 << count) - 1)

    def flag(self) -> bool:
        """Return the next bit."""
        return bool(self.take(1))

    def skip(self, count: int) -> None:
        """Skip so many bits."""
        self.take(count)

    def number(self) -> int:
        """Return an Exp-Golomb number, `ue(v)`."""
        zeros = 0
        while not self.flag():
            zeros += 1
            if zeros > _LONGEST_PREFIX:
                raise EndOfBitsError
        return (1 << zeros) - 1 + self.take(zeros)

    def signed_number(self) -> int:
        """Return a signed Exp-Golomb number, `se(v)`."""
        number = self.number()
        return (number + 1) // 2 if number % 2 else -(number // 2)
