"""How much somebody reads who follows one post from `/schedule` to published and read.

    python -m pytest tests/repository/test_walk.py -s     # prints the files, with their lines

A text post of a test account, through the API's pipeline, the tick and the fire worker. Files count
once something in them runs; kits do not: they know nothing of posts.
"""

import logging
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta
from pathlib import Path
from types import CodeType, FrameType

import pytest

from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
from chalicelib.api.paths import every_endpoint
from chalicelib.domain.errors import CaptionTooLong
from chalicelib.domain.posts.drafting import NewPost, NewTarget
from chalicelib.domain.posts.target import TargetStatus
from chalicelib.http.messages import json_bytes
from chalicelib.http.pipeline import Pipeline
from chalicelib.kit.asgi.messages import Request
from chalicelib.storage.engine.wake_queue import ARM_AHEAD
from tests.support.emulator import EmulatorProcess
from tests.support.engine_room import EngineRoom, an_engine_room

PROJECT = Path(__file__).parents[2] / "chalicelib"
AT_MOST_FILES = 62
"""It was 69 with the files of kits; what decides has two pages of its own since then."""
AT_MOST = {"schedule": (118, 1_225), "second": (205, 1_500), "read": (42, 535)}
"""Calls from one file to another, and lines of the functions entered, on each stretch."""
MINUTE = timedelta(minutes=1)
OK = 200


class Stretch:
    """A part of the way: the functions entered, and the calls from one file of ours to another."""

    def __init__(self) -> None:
        self.moves = 0
        self.functions: set[CodeType] = set()

    def lines(self) -> int:
        """Return how many lines the functions have in all."""
        return sum(
            _last_line(function) - function.co_firstlineno + 1
            for function in self.functions
            if not function.co_name.startswith("<")  # it stands within another
        )


class Walk:
    """The files of ours that anything ran in, and each stretch of the way by its name."""

    def __init__(self) -> None:
        self.files: set[Path] = set()
        self.stretches: dict[str, Stretch] = {}
        self._on = Stretch()

    @contextmanager
    def followed(self, name: str) -> Iterator[None]:
        """Follow every thread that works meanwhile."""
        self._on = self.stretches[name] = Stretch()
        before = sys.gettrace()
        threading.settrace(self._enter)
        sys.settrace(self._enter)
        try:
            yield
        finally:
            sys.settrace(before)
            threading.settrace(before)

    def _enter(self, frame: FrameType, _event: str, _argument: object) -> None:
        if frame.f_code.co_name == "<module>" or not _is_ours(frame):
            return
        self.files.add(Path(frame.f_code.co_filename))
        self._on.functions.add(frame.f_code)
        caller = frame.f_back
        while caller is not None and not _is_ours(caller):
            caller = caller.f_back
        if caller is not None and caller.f_code.co_filename != frame.f_code.co_filename:
            self._on.moves += 1

    def lines(self) -> int:
        """Return how many lines they have in all."""
        return sum(len(file.read_text(encoding="utf-8").splitlines()) for file in self.files)


def _last_line(function: CodeType) -> int:
    """Return where a function ends; before Python 3.12 its comprehensions are functions within."""
    within = (each for each in function.co_consts if isinstance(each, CodeType))
    own = (line or 0 for *_, line in function.co_lines())
    return max(*own, *map(_last_line, within), 0)


def _is_ours(frame: FrameType) -> bool:
    above = Path(frame.f_code.co_filename).parents
    return PROJECT in above and PROJECT / "kit" not in above


def _goes_out(room: EngineRoom, pipeline: Pipeline, key: str, walk: Walk) -> None:
    """Schedule a post, let its second come, and read it as published."""
    post, due = room.draft("Bread"), room.clock() + 20 * MINUTE

    def ask(method: str, path: str, body: object = None) -> None:
        sent = b"" if body is None else json_bytes(body)
        headers = {"authorization": f"Bearer {key}", "content-type": "application/json"}
        request = Request(method=method, path=path, headers=headers, body=sent)
        assert pipeline.answer(request).status == OK

    with walk.followed("schedule"):
        ask("POST", f"/v1/posts/{post.id}/schedule", {"at": due.isoformat()})
    room.pass_time(due - room.clock() - ARM_AHEAD)
    with walk.followed("second"):
        room.deployment.dispatcher.tick()
        for ref in room.wake_messages(post):
            room.fire_worker.run(ref)
    with walk.followed("read"):
        ask("GET", f"/v1/posts/{post.id}")
    assert room.target(post).status is TargetStatus.PUBLISHED


@pytest.fixture(scope="module")
def walk(emulator: EmulatorProcess, tmp_path_factory: pytest.TempPathFactory) -> Walk:
    """Follow the second post: by then all that is built once is there."""
    room = an_engine_room(emulator, tmp_path_factory.mktemp("walk"))
    key = room.deployment.people.administration.create_key(room.caller.member_id).secret
    pipeline = Pipeline(KeyGatekeeper(room.deployment, every_endpoint(), clock=room.clock))
    walk = Walk()
    with pytest.MonkeyPatch.context() as process:
        # How the log is written is no part of the way, and another test may have set it here.
        process.setattr(logging.getLogger(), "handlers", [])
        _goes_out(room, pipeline, key, Walk())
        _goes_out(room, pipeline, key, walk)
    for file in sorted(walk.files):
        lines = len(file.read_text(encoding="utf-8").splitlines())
        print(f"{lines:5} {file.relative_to(PROJECT)}")  # noqa: T201 - for whoever asked
    print(f"{walk.lines():5} in {len(walk.files)} files")  # noqa: T201 - as above
    for name, stretch in walk.stretches.items():
        print(f"{name}: {stretch.moves} moves, {stretch.lines()} lines of functions")  # noqa: T201
    return walk


def test_a_post_is_followed_through_few_files(walk: Walk) -> None:
    assert len(walk.files) <= AT_MOST_FILES


@pytest.mark.parametrize("name", AT_MOST)
def test_a_stretch_of_the_way_has_few_moves_and_lines(walk: Walk, name: str) -> None:
    moves, lines = AT_MOST[name]

    assert walk.stretches[name].moves <= moves
    assert walk.stretches[name].lines() <= lines


def test_a_refused_caption_enters_each_file_about_posts_once(
    emulator: EmulatorProcess, tmp_path: Path
) -> None:
    room = an_engine_room(emulator, tmp_path)
    target = NewTarget(account_id=next(iter(room.caller.accounts)))
    draft = NewPost(caption="x" * 100_000, media_ids=(), targets=(target,))
    entered = Counter[str]()

    def note(frame: FrameType, _event: str, _argument: object) -> None:
        file = frame.f_code.co_filename
        calling = "" if frame.f_back is None else frame.f_back.f_code.co_filename
        if Path(file).parent.name == "posts" and file != calling:
            entered[file] += frame.f_code.co_name != "<module>"

    def is_refused() -> None:
        with pytest.raises(CaptionTooLong):
            room.deployment.posting.drafts.create(room.caller, draft)

    is_refused()
    before = sys.gettrace()
    sys.settrace(note)
    try:
        is_refused()
    finally:
        sys.settrace(before)

    names = {Path(file).relative_to(PROJECT).as_posix() for file in entered}
    assert {"services/posts/drafts.py", "domain/posts/drafting.py"} <= names
    assert set(entered.values()) == {1}
