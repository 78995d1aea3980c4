"""Reddit's two listings, profile and community: what one leaves out stands in the other."""

from datetime import timedelta

import pytest

from chalicelib.domain.outcome import Absent, Checkpoint, Done, Unknown, Wait
from chalicelib.kit.json_value import Json
from chalicelib.kit.transport.failures import PlatformError
from tests.connectors.reddit.fake import USERNAME
from tests.connectors.reddit.rig import RedditRig, post_newer, reconcile, to_the_end
from tests.connectors.support.fake_platform import Answer, Fault
from tests.support.frozen_clock import NOON


class TestTwoPlaces:
    """Where a lost post is looked for."""

    def test_profile_and_community_are_looked_at_in_turns(self, rig: RedditRig) -> None:
        post_newer(rig)

        found = to_the_end(rig, "text", Checkpoint("submit"))

        assert found == Absent()
        asked = {"limit": "100", "show": "all", "raw_json": "1"}
        profile, community = rig.platform.calls
        assert (profile.name, profile.query) == (
            f"GET /user/{USERNAME}/submitted",
            {**asked, "sort": "new"},
        )
        assert (community.name, community.query) == ("GET /r/test/new", asked)

    @pytest.mark.parametrize("shape", ["text", "photo"])
    def test_a_post_that_the_person_keeps_off_the_profile_is_found(
        self, rig: RedditRig, shape: str
    ) -> None:
        rig.platform.off_profile = True
        rig.platform.strike({"text": 0, "photo": 2}[shape], Fault.DROP_AFTER)

        end = rig.drive(shape).run()

        assert isinstance(end, Done)
        assert [end.remote_id] == list(rig.platform.posts)

    def test_a_post_that_a_moderator_removed_is_found(self, rig: RedditRig) -> None:
        ours = rig.platform.post_as_a_person("Rye & spelt")
        rig.platform.posts[ours]["removed_by_category"] = "automod_filtered"

        found = reconcile(rig, "text")

        assert isinstance(found, Done)

    def test_a_post_that_the_person_hid_is_found(self, rig: RedditRig) -> None:
        ours = rig.platform.post_as_a_person("Rye & spelt")
        rig.platform.posts[ours]["hidden"] = True

        found = reconcile(rig, "text")

        assert isinstance(found, Done)

    def test_somebody_elses_post_in_the_community_is_not_ours(self, rig: RedditRig) -> None:
        theirs = rig.platform.post_as_a_person("Rye & spelt")
        rig.platform.posts[theirs]["author"] = "somebody"
        post_newer(rig)

        assert to_the_end(rig, "text", Checkpoint("submit")) == Absent()

    @pytest.mark.parametrize("why", [{}, {"reason": "private"}, {"reason": "banned"}])
    @pytest.mark.parametrize("status", [403, 404])
    def test_a_community_that_shows_nothing_is_no_obstacle(
        self, rig: RedditRig, status: int, why: dict[str, str]
    ) -> None:
        said = {"message": "No.", "error": status, **why}
        rig.platform.community_refusal = Answer(status, said)
        post_newer(rig)

        assert to_the_end(rig, "text", Checkpoint("submit")) == Absent()

    @pytest.mark.parametrize(
        "between",
        [
            Answer(302, {"message": "Found", "error": 302}, {"Location": "https://portal.test/"}),
            Answer(302, b"<html>Sign in</html>"),
            Answer(403, b"<html>Blocked</html>"),
            Answer(403, b""),
            Answer(404, b"Not found"),
            Answer(403, {"status": 403, "reason": "blocked by policy"}),
            Answer(200, {"login": "required"}),
            Answer(503, b"<html>Unavailable</html>"),
        ],
    )
    def test_what_a_network_says_in_the_communitys_place_is_no_absence(
        self, rig: RedditRig, between: Answer
    ) -> None:
        rig.platform.community_refusal = between
        post_newer(rig)

        with pytest.raises(PlatformError):
            to_the_end(rig, "text", Checkpoint("submit"))

    def test_an_empty_profile_proves_nothing(self, rig: RedditRig) -> None:
        """It may be one that lags: only something newer shows that it would have ours."""
        assert to_the_end(rig, "text", Checkpoint("submit")) == Unknown()

    def test_somebody_elses_newer_post_is_no_witness(self, rig: RedditRig) -> None:
        theirs = post_newer(rig)
        rig.platform.posts[theirs]["author"] = "somebody"

        assert to_the_end(rig, "text", Checkpoint("submit")) == Unknown()

    def test_a_witness_is_waited_for_half_an_hour(self, rig: RedditRig) -> None:
        late: dict[str, Json] = {"late": 1, "late_for": NOON.isoformat(), "since": NOON.isoformat()}

        found = reconcile(rig, "text", Checkpoint("submit", late), after=timedelta(minutes=5))

        assert isinstance(found, Wait)
        assert found.delay == timedelta(minutes=5)

    def test_late_looks_count_for_their_own_call_alone(self, rig: RedditRig) -> None:
        """One of an earlier call would leave a place out."""
        earlier = (NOON - timedelta(minutes=5)).isoformat()
        data: dict[str, Json] = {"since": earlier, "looks": 9, "late": 1, "late_for": earlier}

        found = reconcile(rig, "text", Checkpoint("submit", data), after=timedelta(hours=1))

        assert isinstance(found, Wait)
