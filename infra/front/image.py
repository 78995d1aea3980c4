"""The tag of the upload front's image: a digest of everything that is built into it.

`make front-image` builds and pushes under it, and `make deploy` sends a stage to it: so a change of
code never runs behind an image of older code, and an image that is there is not built twice.

    python -m infra.front.image --repository 1234….dkr.ecr.us-east-1.amazonaws.com/goldenhour-front
"""

import hashlib
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Final

import click
from botocore.exceptions import ClientError

if TYPE_CHECKING:
    from mypy_boto3_ecr import ECRClient

PROJECT: Final = Path(__file__).parents[2]
BUILT_FROM: Final = (
    "app.py",
    "chalicelib",
    "infra/__init__.py",
    "infra/front",
    "requirements.lock",
)
"""What the Dockerfile copies; the Dockerfile itself is in `infra/front`."""

REPOSITORY: Final = "goldenhour-front"
"""The one repository that the front's role may pull from (`infra/template/parts/front.json`)."""

_LONGEST_TAG: Final = 16


class NoImageError(Exception):
    """The image that a stage needs was not pushed; the message says how to."""


def image_of(repository: str, project: Path = PROJECT) -> str:
    """Return the image of this code in a repository; one with a tag of its own stays.

    Raises NoImageError for a repository that the front could not pull from.
    """
    if repository.partition("/")[2].partition(":")[0] != REPOSITORY:
        raise NoImageError(
            f"The front pulls its image from a repository named {REPOSITORY}, and {repository} "
            "is another: make front-image REPOSITORY=….amazonaws.com/" + REPOSITORY
        )
    return repository if _is_tagged(repository) else f"{repository}:{_tag(project)}"


def next_image(given: str | None, before: str) -> str:
    """Return the image of a stage's next deployment; empty if it is to have no front.

    `given` is what was said for it, if anything. The tag of `before` was that of older code.
    Raises NoImageError.
    """
    repository = before.rpartition(":")[0] if given is None else given
    return image_of(repository) if repository else ""


def require_pushed(registry: "ECRClient", image: str) -> None:
    """Raise NoImageError unless the repository has the image."""
    repository, _, tag = image.rpartition(":")
    name = repository.partition("/")[2]
    try:
        registry.describe_images(repositoryName=name, imageIds=[{"imageTag": tag}])
    except ClientError as error:
        if error.response["Error"]["Code"] not in (
            "ImageNotFoundException",
            "RepositoryNotFoundException",
        ):
            raise
        raise NoImageError(
            f"{image} was not pushed: make front-image REPOSITORY={repository}"
        ) from error


def _is_tagged(repository: str) -> bool:
    return ":" in repository.rpartition("/")[2]


def _tag(project: Path) -> str:
    total = hashlib.sha256()
    for file in _files(project):
        contents = hashlib.sha256(file.read_bytes()).digest()
        total.update(f"{file.relative_to(project).as_posix()}\0".encode() + contents)
    return total.hexdigest()[:_LONGEST_TAG]


def _files(project: Path) -> Iterator[Path]:
    for name in BUILT_FROM:
        place = project / name
        inside = sorted(place.rglob("*")) if place.is_dir() else [place]
        yield from (one for one in inside if one.is_file() and "__pycache__" not in one.parts)


@click.command()
@click.option("--repository", required=True, help="Where images go, without a tag.")
def main(repository: str) -> None:
    """Print the image that this code is built as."""
    if not repository:
        raise click.UsageError("make front-image REPOSITORY=….amazonaws.com/goldenhour-front")
    try:
        click.echo(image_of(repository))
    except NoImageError as wrong:
        raise click.UsageError(str(wrong)) from wrong


if __name__ == "__main__":
    main()
