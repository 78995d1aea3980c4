"""goldenhour on one page: every HTTP route, and one short function for each thing that wakes it.

Chalice turns each into a Lambda function; the local stack plays the same triggers on one machine
(`make run`). What happens behind them is wired in `chalicelib/bootstrap/deployment.py`. Every
function imports this file when it starts, so each imports for itself what it alone needs.
"""

from __future__ import annotations

import gc
from functools import cache
from typing import TYPE_CHECKING

from chalice.app import Chalice, CloudWatchEvent, Rate, SQSEvent

from chalicelib.api.doors.chalice_app import as_blueprint
from chalicelib.api.paths import PATHS, every_endpoint
from chalicelib.api.routes import ROUTES
from chalicelib.json_log import log_as_json
from chalicelib.settings import Settings

if TYPE_CHECKING:
    from chalicelib.bootstrap.deployment import Deployment
    from chalicelib.http.messages import Answers
    from chalicelib.http.pipeline import Pipeline
    from chalicelib.web.session_gatekeeper import SessionGatekeeper
    from chalicelib.workers.batches import Batches, Failures

# What a start builds stays: looking through it for garbage at every 700 objects was 6 % of a start.
gc.set_threshold(50_000)
SETTINGS = Settings.from_environment()
BATCH = 10
ARMED_TOGETHER = 100
READY_PATHS = ("/v1/posts", "/v1/posts/{post_id}", "/v1/accounts")
"""What people wait for first."""

app = Chalice(app_name="goldenhour")


@cache
def deployment() -> Deployment:
    """Wire this process up, once, when the first trigger needs it."""
    from chalicelib.bootstrap.deployment import Deployment

    if SETTINGS.data_dir is None:
        log_as_json()
    return Deployment(SETTINGS)


@cache
def pipeline() -> Pipeline:
    """Return what answers every request: of the API, and of the app."""
    from chalicelib.api.http.endpoint import Endpoints
    from chalicelib.api.http.key_gatekeeper import KeyGatekeeper
    from chalicelib.api.http.response_headers import ResponseHeaders
    from chalicelib.http.pipeline import Pipeline

    headers = ResponseHeaders(
        base_url=SETTINGS.link_url or "",
        origins=SETTINGS.cors_origins,
        follows_request=SETTINGS.is_one_machine and SETTINGS.public_url is None,
    )
    endpoints = Endpoints(PATHS, every_endpoint)
    wired = deployment()
    api = KeyGatekeeper(
        wired, endpoints, clock=wired.clock, headers=headers, shares=wired.workspace.fair_shares
    )
    return Pipeline(api, pages)


@cache
def pages() -> SessionGatekeeper:
    """Return the app's gatekeeper, at the first request for a page: most ask for none."""
    from chalicelib.web.routes import ROUTES as PAGES
    from chalicelib.web.session_gatekeeper import SessionGatekeeper

    return SessionGatekeeper(
        deployment(), PAGES, base_url=SETTINGS.base_url, public_url=SETTINGS.public_url
    )


@cache
def entrance() -> Answers:
    """Return the pipeline, for those alone who come through the entrance if the stage has one."""
    from chalicelib.api.doors.chalice_app import behind_entrance

    return behind_entrance(pipeline(), SETTINGS.origin_secrets)


@cache
def batches() -> Batches:
    """Return the threads in which queue messages are worked off."""
    from chalicelib.workers.batches import Batches

    return Batches(SETTINGS.record_threads)


@cache
def batches_of_retries() -> Batches:
    """Return those of what is tried again: it takes none of the others."""
    from chalicelib.workers.batches import Batches

    return Batches(SETTINGS.record_threads)


# Every endpoint is a line of ROUTES: ("GET", "/v1/posts", "posts.list_posts").
app.api.binary_types.clear()  # by these chalice refuses a picture to who does not say its type
app.register_blueprint(as_blueprint(ROUTES, entrance))


def start_as(handler: str) -> None:
    """Build while Lambda starts the function what its first event would else wait for."""
    from chalicelib.bootstrap.readiness import get_ready

    if handler == "app":
        entrance()
        for path in READY_PATHS:
            PATHS[path]()
    get_ready(deployment(), handler)


@app.schedule(Rate(1, unit=Rate.MINUTES))
def tick(event: CloudWatchEvent) -> None:  # noqa: ARG001 - the time in it is not the truth
    """Send a wake message for everything that is due soon.

    No rule of EventBridge runs more often than each minute (its guide, "Rate expressions").
    """
    deployment().dispatcher.tick()


@app.on_sqs_message(
    queue=SETTINGS.publish_queue, batch_size=ARMED_TOGETHER, maximum_batching_window_in_seconds=1
)
def publish(event: SQSEvent) -> Failures:
    """Make the visible calls of targets at their second; they were armed seconds before it."""
    from chalicelib.storage.engine.wake_queue import read_wake_message
    from chalicelib.workers.batches import run_together

    fire = deployment().engine.fire_worker.run_all
    return run_together(event.to_dict()["Records"], read_wake_message, fire)


@app.on_sqs_message(queue=SETTINGS.prepare_queue, batch_size=1)
def prepare(event: SQSEvent) -> Failures:
    """Do everything else that targets wake for: checks, uploads, retries. It may take minutes."""
    from chalicelib.storage.engine.wake_queue import read_wake_message

    lane = deployment().engine.prepare_lane
    return batches().run(event.to_dict()["Records"], lambda body: lane.run(read_wake_message(body)))


@app.on_sqs_message(queue=SETTINGS.retries_queue, batch_size=1)
def retry(event: SQSEvent) -> Failures:
    """Try again what was refused for a while, and look for what may be out, in places apart."""
    from chalicelib.storage.engine.wake_queue import read_wake_message

    worker, read_switch = deployment().engine.retry_worker, deployment().stores.engine_switch.read
    return batches_of_retries().run(
        event.to_dict()["Records"], lambda body: worker.run(read_wake_message(body), read_switch())
    )


@app.on_sqs_message(queue=SETTINGS.convert_queue, batch_size=1)
def convert(event: SQSEvent) -> Failures:
    """Make a copy of a file as a platform takes it, in a process that holds no key."""
    return batches().run(event.to_dict()["Records"], deployment().upkeep.convert_worker.run)


@app.on_sqs_message(queue=SETTINGS.uploads_queue, batch_size=BATCH)
def finish_uploads(event: SQSEvent) -> Failures:
    """Take in files that clients sent straight to S3."""
    return batches().run(event.to_dict()["Records"], deployment().upkeep.upload_worker.run)


@app.schedule(Rate(1 if SETTINGS.is_one_machine else 5, unit=Rate.MINUTES))
def collect(event: CloudWatchEvent) -> None:  # noqa: ARG001 - the time in it is not the truth
    """Ask platforms how live posts do."""
    deployment().upkeep.metrics_worker.run()


@app.schedule(Rate(1, unit=Rate.MINUTES))
def notify(event: CloudWatchEvent) -> None:  # noqa: ARG001 - the time in it is not the truth
    """Tell members what they must know; one machine does so more often by itself."""
    if not SETTINGS.is_one_machine:
        deployment().people.notices.run()


@app.schedule(Rate(5, unit=Rate.MINUTES))
def review(event: CloudWatchEvent) -> None:  # noqa: ARG001 - the time in it is not the truth
    """Make posts of series and canary, and exports; remove what is over, renew sign-ins."""
    from chalicelib.workers.parts import run_each

    wired = deployment()
    run_each(
        wired.upkeep.canary.run,
        wired.upkeep.series_making.run,
        wired.upkeep.former_reviews.run,
        wired.posting.erasures.run,
        wired.upkeep.retention.run,
        wired.whole_workspace.deletion.run,
        wired.whole_workspace.export_requests.run,
        wired.upkeep.token_renewal.run,  # these two last, since they wait for platforms
        wired.upkeep.profile_reading.run,
    )


if SETTINGS.is_chalice_command:
    import sys
    from pathlib import Path

    from chalicelib.api.doors.chalice_command import refusal

    if (why := refusal(sys.argv[1:], Path(__file__).parent, sys.version_info[:2])) is not None:
        sys.exit(why)
if SETTINGS.handler is not None:
    start_as(SETTINGS.handler)
