"""Every page of the app: what the files in `pages` declare with `@page`."""

from importlib import import_module
from pkgutil import iter_modules

from chalicelib.web import pages
from chalicelib.web.routing import Page

ROUTES: tuple[Page, ...] = tuple(
    declared
    for file in sorted(found.name for found in iter_modules(pages.__path__))
    for declared in vars(import_module(f"{pages.__name__}.{file}")).values()
    if isinstance(declared, Page)
)
