"""Every block of code in the books is run by a test, or says what it needs that no test has."""

from collections import Counter

from tests.support.books import PROJECT, blocks_of, pages

BLOCKS = [block for page in pages() for block in blocks_of(page) if block.language != "text"]
RUN_BY = {
    ("README.md", "sh"): "client/tests/test_books.py",
    ("docs/app.md", "sh"): "client/tests/test_books.py",
    ("docs/clients.md", "json"): "client/tests/test_books.py",
    ("docs/clients.md", "python"): "client/tests/test_docs.py",
    ("docs/clients.md", "sh"): "client/tests/test_docs.py",
    ("docs/clients.md", "ts"): "client/tests/test_docs.py",
    ("docs/server.md", "caddyfile"): "tests/local/server/test_deployment_files.py",
    ("docs/tutorials/assistant.md", "json"): "client/tests/test_books.py",
    ("docs/tutorials/assistant.md", "sh"): "client/tests/test_tutorials.py",
    ("docs/tutorials/nightly-import.md", "sh"): "client/tests/test_tutorials.py",
    ("docs/tutorials/several-accounts.md", "sh"): "client/tests/test_tutorials.py",
    ("docs/tutorials/when-a-post-fails.md", "sh"): "client/tests/test_tutorials.py",
    ("docs/upgrade.md", "sh"): "client/tests/test_service_wheel.py",
}
"""The test that runs all blocks of a page in a language that are not marked."""

MARKED = {
    "CONTRIBUTING.md": 1,
    "README.md": 1,
    "client/README.md": 1,
    "docs/accounts.md": 1,
    "docs/clients.md": 1,
    "docs/deploy.md": 7,
    "docs/localstack.md": 3,
    "docs/moving.md": 1,
    "docs/server.md": 9,
    "docs/slo.md": 1,
    "docs/tutorials/assistant.md": 1,
    "docs/tutorials/nightly-import.md": 1,
    "integrations/n8n/README.md": 1,
}
"""How many blocks of a page need what no test has."""


def test_every_block_is_run_by_a_test_or_says_what_it_needs() -> None:
    neither = [
        f"{block.page}:{block.line} ({block.language or 'no language'})"
        for block in BLOCKS
        if not block.needs and (block.page, block.language) not in RUN_BY
    ]

    assert [] == neither


def test_blocks_that_need_more_are_counted() -> None:
    assert MARKED == Counter(block.page for block in BLOCKS if block.needs)


def test_every_test_that_runs_blocks_names_their_page_and_has_some() -> None:
    run = Counter((block.page, block.language) for block in BLOCKS if not block.needs)

    assert set(RUN_BY) == set(run)
    for (page, _), test in RUN_BY.items():
        assert page.rpartition("/")[2] in (PROJECT / test).read_text("utf-8"), (page, test)


def test_only_the_map_of_the_rooms_is_a_drawing() -> None:
    drawn = [
        (b.page, b.language) for page in pages() for b in blocks_of(page) if b.language == "text"
    ]

    assert [("docs/architecture.md", "text")] == drawn


def test_no_block_hides_behind_another_spelling() -> None:
    """A fence that is indented, or of tildes, would be counted by nobody."""
    for page in pages():
        text = (PROJECT / page).read_text("utf-8")
        fences = [line for line in text.splitlines() if line.lstrip().startswith(("```", "~~~"))]
        assert 2 * len(blocks_of(page)) == len(fences), page
