"""A kit could be taken out of the house: it speaks of nothing that only the house knows.

That it imports no room is import-linter's to say (`make check`). The first page of a kit says who
uses it, and may name rooms.
"""

import re
from pathlib import Path

import pytest

KITS = Path(__file__).parents[2] / "chalicelib" / "kit"
OF_THE_HOUSE = re.compile(r"(?i:workspace|caption|sandbox|goldenhour)|(?<![A-Za-z])[Pp]osts?\b")


@pytest.mark.parametrize(
    "kit", sorted(path.name for path in KITS.iterdir() if (path / "__init__.py").exists())
)
def test_a_kit_speaks_of_nothing_that_only_the_house_knows(kit: str) -> None:
    pages = [page for page in (KITS / kit).rglob("*.py") if page != KITS / kit / "__init__.py"]

    said = {
        f"{page.name}: {found[0]}"
        for page in pages
        for found in OF_THE_HOUSE.finditer(page.read_text(encoding="utf-8"))
    }

    assert said == set()


@pytest.mark.parametrize(
    "kit", sorted(path.name for path in KITS.iterdir() if (path / "__init__.py").exists())
)
def test_the_first_page_of_a_kit_names_its_files(kit: str) -> None:
    page = (KITS / kit / "__init__.py").read_text(encoding="utf-8")

    unnamed = {
        file.stem
        for file in (KITS / kit).glob("*.py")
        if file.name != "__init__.py" and f"`{file.stem}" not in page
    }

    assert unnamed == set()
