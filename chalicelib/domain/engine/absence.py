"""May it be sent again? What a platform showed of a call in doubt, and what follows from it.

Connectors look and return `Evidence`; `decide` alone says what it is worth. Each row counts only if
none above it does:

| | evidence | decision |
|---|---|---|
| 1 | `untellable`: several posts could be it, or no list shows such posts | unknown |
| 2 | `is_idempotent`: sending it again and the call in doubt make one post | absent, at once |
| 3 | `looks_left`: a reading that would show it is still to come | the next look |
| 4 | a proof, from `certain_from` on, beside a reason not to trust it | unknown |
| 5 | a proof, from `certain_from` on | absent: it is sent again |
| 6 | no proof by `gives_up_at` | unknown: a person looks, then retries |
| 7 | else | the next look |

A **proof** is `made_nothing`, `own_key`, `repeat_is_refused`, `witness`, `accounted` or
`is_restored`. A **reason not to trust it** is `near`, `is_cut`, `duplicate_refused`, `is_aside` or
`was_repeated`. That a list does not show a post is no proof by itself.

What proves it where, and when. A time counts from when the lost call began (`Sent.at`), "end +"
from when it must have ended (`Sent.begun_by` and 30 s):

| platform | a proof | certain from | gives up |
|---|---|---|---|
| Bluesky | our own key, idempotent | at once | never |
| Facebook | its video's upload says that it has no post | end + 60 s | never |
| | a newer post on the Page | 30 min | 2 min; a retry looks again |
| Google Business Profile | a newer post of the location, and sent only once | 180 s | 30 min |
| Instagram, Threads | its container is unpublished | end + 60 s | 5 min |
| LinkedIn | the same text is refused, within 20 h, once; or a newer post | end + 60 s | 30 min |
| Pinterest | a newer pin on a board read whole, with no pin near ours | 30 min | 30 min |
| Reddit | a newer post, both lists read: text, image, video | end + 1, 10, 30 min | end + 30 min |
| TikTok | its upload failed, or lacks bytes | end + 60 s | never |
| | a photo: nothing proves it | never | 15 min |
| X | the same text is refused; for a file alone, a newer post | end + 60 s | 30 min |
| YouTube | its upload's session lacks bytes, idempotent | at once | never |
| | the session has ended: it ended before it was in doubt, or a newer upload | 2 min | 2 min |

So a pin whose call was lost at 09:00:00 is sent again at 09:30 if the whole board then shows a
newer one and none near ours; else never by itself. "Gives up" hands it to a person, whose retry
asks the platform once more.

After a restore from a backup the call is only a suspicion, and its text may have been another one.
Then an absence that no key of our own proves is asked for once more by the account's whole list
(`chalicelib/workers/publishing/reconciling.py`), with `accounted` as its proof.
"""

from datetime import datetime

from chalicelib.domain.outcome import Absent, Unknown, Wait
from chalicelib.kit.dataclass import dataclass


@dataclass(frozen=True, slots=True, kw_only=True)
class Evidence:
    """What one look at a platform showed of a call in doubt, whose post it did not find.

    `next_look` is when to look again and with which checkpoint; without one nobody looks again.
    `certain_from` is from when on a look would show what the call made (None: at once), and
    `gives_up_at` from when on further looks tell no more (None: as long as the engine looks).

    Proofs that nothing is there: `made_nothing`: nothing was sent, or the platform says of our own
    upload, container or post that it shows nothing. `own_key`: it was asked for under a key that is
    the target's alone. `repeat_is_refused`: the platform refuses a second copy, so that sending is
    a safe question. `witness`: the account's list shows a post that is newer than the call.
    `accounted`: all posts since the backup are known as other targets'. `is_restored`: only a
    restored backup suspects the call, and the engine asks for the rest of the proof itself.

    Reasons not to trust one: `near`: something there may be ours under another text. `is_cut`: the
    list was not read back to the call. `duplicate_refused`: the platform refused the post as a
    duplicate, so it has it somewhere. `is_aside`: the post need not be listed where we looked.
    `was_repeated`: it was sent again once already.
    """

    next_look: Wait | None = None
    certain_from: datetime | None = None
    gives_up_at: datetime | None = None
    untellable: bool = False
    is_idempotent: bool = False
    looks_left: bool = False
    made_nothing: bool = False
    own_key: bool = False
    repeat_is_refused: bool = False
    witness: bool = False
    accounted: bool = False
    is_restored: bool = False
    near: bool = False
    is_cut: bool = False
    duplicate_refused: bool = False
    is_aside: bool = False
    was_repeated: bool = False

    @property
    def has_proof(self) -> bool:
        """Tell whether something proves that the post is not there."""
        by_platform = self.made_nothing or self.own_key or self.repeat_is_refused
        by_list = self.witness or self.accounted or self.is_restored
        return by_platform or by_list

    @property
    def is_doubtful(self) -> bool:
        """Tell whether something speaks against trusting a proof."""
        seen = self.near or self.duplicate_refused or self.was_repeated
        return seen or self.is_cut or self.is_aside


def decide(evidence: Evidence, now: datetime) -> Absent | Wait | Unknown:
    """Say what evidence is worth at a time: row by row the table above."""
    later = evidence.next_look or Unknown()
    if evidence.untellable:
        return Unknown()
    if evidence.is_idempotent:
        return Absent(by_own_key=evidence.own_key, is_idempotent=True)
    if evidence.looks_left:
        return later
    is_certain = evidence.certain_from is None or now >= evidence.certain_from
    if is_certain and evidence.has_proof:
        return Unknown() if evidence.is_doubtful else Absent(by_own_key=evidence.own_key)
    has_given_up = evidence.gives_up_at is not None and now >= evidence.gives_up_at
    return Unknown() if has_given_up else later
