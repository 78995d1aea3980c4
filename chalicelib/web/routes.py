"""Every page of the app: what the files in `pages` declare with `@page`."""

from chalicelib.web.pages import (
    accounts,
    activity,
    address,
    applications,
    assistants,
    avatars,
    calendar,
    calendar_moves,
    composer,
    connect,
    front,
    keeping,
    labels,
    media,
    ownership,
    passkeys,
    post,
    post_actions,
    posts,
    proof,
    results,
    review,
    series,
    settings,
    shell,
    sign_in,
)
from chalicelib.web.routing import Page

_FILES = (
    accounts,
    activity,
    address,
    applications,
    assistants,
    avatars,
    calendar,
    calendar_moves,
    composer,
    connect,
    front,
    keeping,
    labels,
    media,
    ownership,
    passkeys,
    post,
    post_actions,
    posts,
    proof,
    results,
    review,
    series,
    settings,
    shell,
    sign_in,
)

ROUTES: tuple[Page, ...] = tuple(
    declared for file in _FILES for declared in vars(file).values() if isinstance(declared, Page)
)
