"""What plans, reminders, series and sign-ins stand on, taken away alone."""

from typing import Final

from tests.mutations.judges import AUTH, CHARGING, PLANS, REMINDERS, SERIES, VERDICTS
from tests.mutations.mutation import mutations_of
from tests.mutations.operators import (
    drops,
    never,
    passes,
    skips,
    swaps,
    takes_else,
    takes_first,
)

MUTATIONS: Final = (
    *mutations_of(
        "domain.posts.reminders",
        ("is_reminded", drops("takes_allowance"), REMINDERS),
        ("is_reminded", drops("_PAID"), REMINDERS),
        ("as_planned", takes_first(), REMINDERS),
        ("post_by_hand", never("GIVEN"), REMINDERS),
        ("post_by_hand", never("waits_to_be_posted"), REMINDERS),
        ("_require_address", drops("has_signs"), REMINDERS),
    ),
    *mutations_of(
        "domain.posts.charging",
        ("_mark_reminder", takes_else("FREE"), CHARGING, REMINDERS),
        ("_charge_of", drops("looks_first"), CHARGING),
        ("_charge_of", takes_else("_COUNTED"), CHARGING),
        ("_costs_the_same", drops("same_comment"), CHARGING),
        ("_use_changes", takes_else("take"), CHARGING),
        ("counters_for", never(), CHARGING),
    ),
    *mutations_of(
        "domain.workspace.plans",
        ("period_of", swaps("at.astimezone(ZoneInfo(timezone))", "at"), PLANS, CHARGING),
        ("take", passes("limit", "None"), PLANS, CHARGING),
    ),
    *mutations_of(
        "domain.engine.verdicts",
        ("reminder", drops("is_in_doubt"), VERDICTS),
        ("reminder", takes_first(), VERDICTS),
        ("next_try", takes_first("is_early"), VERDICTS),
        ("tries_until", drops("own_pace"), VERDICTS),
    ),
    *mutations_of(
        "workers.series_making",
        ("SeriesMaking.run", drops("EVERY"), SERIES),
        ("SeriesMaking.run", skips("note"), SERIES),
    ),
    *mutations_of(
        "services.workspace.token_keeper",
        ("TokenKeeper._refresh", never("_BEGINS_WITHIN"), AUTH),
    ),
    *mutations_of(
        "storage.workspace.token_rows",
        ("TokenRows.unlock", swaps("ours", "_SAME"), AUTH),
    ),
)
