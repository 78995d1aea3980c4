"""What a row about a connector says: claims, what they were held against, what is open."""

from dataclasses import dataclass

from chalicelib.domain.platforms.platform import Platform


@dataclass(frozen=True, slots=True, kw_only=True)
class Proof:
    """One claim, what it was held against, and the test that holds it."""

    claim: str
    against: str
    test: str


@dataclass(frozen=True, slots=True, kw_only=True)
class LostAnswer:
    """What tells what became of a post whose answer was lost, and of one after a restore."""

    there: str
    absent: str
    unknown: str
    read_after_restore: str
    unknown_after_restore: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Proven:
    """All that is proven of one connector, what is not, and where its fact sheet was wrong."""

    platform: Platform
    lost: LostAnswer
    proofs: tuple[Proof, ...]
    unproven: tuple[str, ...] = ()
    corrections: tuple[str, ...] = ()


HARNESS = "the publishing harness"
