"""A log line is one line of JSON that machines can search."""

import json
import logging
import subprocess
import sys
from pathlib import Path

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


def test_log_files_of_a_data_directory_stop_growing(tmp_path: Path) -> None:
    lines, line_bytes = 60, 1_000_000
    text = (
        "import logging, sys\n"
        "from pathlib import Path\n"
        "from chalicelib.json_log import log_to_file\n"
        "log_to_file(Path(sys.argv[1]))\n"
        f"for number in range({lines}):\n"
        f"    logging.info('x' * {line_bytes}, extra={{'number': number}})\n"
    )

    subprocess.run([sys.executable, "-c", text, str(tmp_path / "front.log")], check=True)

    files = sorted(tmp_path.iterdir())
    newest = (tmp_path / "front.log").read_text(encoding="utf-8").splitlines()[-1]
    assert json.loads(newest)["number"] == lines - 1
    assert len(files) == 4
    assert sum(file.stat().st_size for file in files) <= 40_000_000


def test_an_error_names_the_release_that_it_is_of_and_other_lines_do_not() -> None:
    """The alarms of a new release hear its own errors alone (`infra/template/first_tenth.py`)."""
    lines = JsonLines("3f9c2a7d")

    error = lines.format(logging.makeLogRecord({"msg": "x", "levelno": logging.ERROR}))
    told = lines.format(logging.makeLogRecord({"msg": "x", "levelno": logging.INFO}))

    assert json.loads(error)["release"] == "3f9c2a7d"
    assert "release" not in json.loads(told)
    assert "release" not in JsonLines().format(
        logging.makeLogRecord({"msg": "x", "levelno": logging.ERROR})
    )
