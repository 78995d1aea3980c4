"""What the description shows is what is taken: every example body passes its own parser."""

import json
import re

import pytest

from chalicelib.api.http.endpoint import Endpoint
from chalicelib.api.openapi.document import describe
from chalicelib.api.openapi.examples import code_samples
from chalicelib.api.paths import every_endpoint
from chalicelib.http.messages import json_bytes

WITH_BODY = [endpoint for endpoint in every_endpoint() if endpoint.body is not None]


@pytest.mark.parametrize("endpoint", WITH_BODY, ids=lambda endpoint: endpoint.name)
def test_every_body_has_an_example_that_is_taken(endpoint: Endpoint) -> None:
    assert endpoint.body is not None
    assert endpoint.example is not None

    endpoint.body.model_validate_json(json_bytes(endpoint.example))


def test_every_operation_is_shown_in_three_languages() -> None:
    paths = describe(every_endpoint())["paths"]
    assert isinstance(paths, dict)
    for operations in paths.values():
        assert isinstance(operations, dict)
        for operation in operations.values():
            assert isinstance(operation, dict)
            samples = operation["x-codeSamples"]
            assert isinstance(samples, list)
            assert ["Shell", "Python", "TypeScript"] == [
                s["lang"] for s in samples if isinstance(s, dict)
            ]


def test_python_samples_compile() -> None:
    for endpoint in every_endpoint():
        _, python, _ = code_samples(endpoint)
        assert isinstance(python, dict)
        compile(str(python["source"]), endpoint.name, "exec")


@pytest.mark.parametrize("of_format", ["date-time", "date", "binary"])
def test_what_a_client_keeps_as_no_text_has_no_length(of_format: str) -> None:
    """aiopenapi3 0.11 could read no post: TypeError, "Unable to apply constraint 'max_length'".

    A client in PHP ends likewise, and one in C# does not compile:
    github.com/OpenAPITools/openapi-generator/issues/24229 and 20650.
    """
    described = json.dumps(describe(every_endpoint()))

    kept = re.findall(rf'{{[^{{}}]*"format": "{of_format}"[^{{}}]*}}', described)

    assert kept
    assert [] == [one for one in kept if "Length" in one]


def test_each_pattern_is_read_alike_by_the_engines_of_all_languages() -> None:
    r"""PHP's client could list no posts: PCRE knows no `\u`; Ruby's engine knows no `\x9F`.

    Both clients were made by OpenAPI Generator 7.17. One pattern was anchored at one of four words.
    """
    described = json.dumps(describe(every_endpoint()))

    patterns = {str(json.loads(one)) for one in re.findall(r'"pattern": ("[^"]*")', described)}

    grouped = re.compile(r"\[[^\]]*\]|\([^()]*\)")
    bare = {one for one in patterns if "|" in grouped.sub("", grouped.sub("", one))}
    escaped = {one for one in patterns if re.search(r"\\u|\\x[89A-F]", one)}
    assert len(patterns) > 10
    assert (set(), set()) == (bare, escaped)
