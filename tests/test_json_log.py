"""A log line is one line of JSON that machines can search."""

import json
import logging

from chalicelib.json_log import JsonLines


def test_a_line_holds_the_sentence_and_the_facts_beside_it() -> None:
    record = logging.makeLogRecord(
        {"name": "api", "levelname": "INFO", "msg": "%s done", "args": ("it",), "status": 200}
    )

    line = json.loads(JsonLines().format(record))

    assert line["message"] == "it done"
    assert (line["level"], line["logger"], line["status"]) == ("INFO", "api", 200)
    assert line["time"].endswith("+00:00")
    assert set(line) == {"time", "level", "logger", "message", "status"}


def test_a_failure_stays_on_one_line() -> None:
    failure = ValueError("two\nlines")
    record = logging.makeLogRecord({"msg": "failed", "exc_info": (ValueError, failure, None)})

    text = JsonLines().format(record)

    assert "\n" not in text
    assert "ValueError: two" in json.loads(text)["traceback"]


def test_what_json_cannot_say_is_written_as_text() -> None:
    record = logging.makeLogRecord(
        {
            "msg": "x",
            "what": {
                1,
            },
            "who": object,
        }
    )

    assert json.loads(JsonLines().format(record))["what"] == "{1}"
