"""How a person signs in to a platform: the sign-in methods, what each needs, and its steps.

`cli/account.py` uses it at a terminal, `services/app/connecting.py` in a browser with the
applications that operators registered; `connections` stores the result. One sign-in may open
several accounts (pages, locations), of which one is connected.
"""

from collections.abc import Callable, Mapping
from typing import Final, TypeVar

from chalicelib.connectors.connector import Connector
from chalicelib.connectors.shared.auth.oauth import Client, PendingSignIn
from chalicelib.connectors.shared.auth.sign_in import (
    HasSignInMethods,
    Identity,
    SignInMethod,
    SignsInByBrowser,
    SignsInByPassword,
)
from chalicelib.connectors.shared.calls.failures import (
    RejectedError,
    TokenRejectedError,
    add_words,
    answer_behind,
)
from chalicelib.connectors.shared.registry import Connectors
from chalicelib.domain.clock import Clock
from chalicelib.domain.platforms.facts import FACTS
from chalicelib.domain.platforms.platform import Platform
from chalicelib.domain.workspace.accounts import SignIn
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.transport.failures import PlatformError
from chalicelib.storage.sign_in.applications import Application, ApplicationRepository

LONGEST_VALUE: Final = 500
_TOO_LONG: Final = (
    f"No platform's client id, secret or configuration id has more than {LONGEST_VALUE} characters."
    " Copy it again."
)
_T = TypeVar("_T")


class SignIns:
    """Sign-ins to the platforms that this build can publish to."""

    def __init__(self, connectors: Connectors, clock: Clock) -> None:
        self._connectors = connectors
        self._clock = clock

    def takes_password(self, platform: Platform) -> bool:
        """Tell whether the platform gives out passwords for apps."""
        connector = self._connectors.real.get(platform)
        return connector is not None and isinstance(connector, SignsInByPassword)

    def methods(self, platform: Platform) -> Mapping[str | None, str]:
        """Return a platform's browser sign-ins by name, each with its label; None for its only."""
        connector: object = self._connectors.real.get(platform)
        if isinstance(connector, HasSignInMethods):
            return {name: method.label for name, method in connector.methods.items()}
        return {None: ""} if isinstance(connector, SignsInByBrowser) else {}

    def by_password(self, platform: Platform, handle: str, app_password: str) -> SignIn:
        """Sign in with a password for apps. Raises OperatorError."""
        connector = self._connector(platform)
        if not isinstance(connector, SignsInByPassword):
            raise OperatorError(f"{FACTS[platform].name} has no app passwords.")
        identity = _ask_platform(
            platform, lambda: connector.sign_in(handle, app_password, self._clock())
        )
        return _sign_in(platform, identity)

    def by_browser(self, platform: Platform, method: str | None = None) -> SignInMethod:
        """Return the method to sign in by a browser; `method` names one if there are several.

        Raises OperatorError.
        """
        connector = self._connector(platform)
        if isinstance(connector, HasSignInMethods):
            return _method_named(platform, connector.methods, method)
        if method is not None:
            raise OperatorError(f"{FACTS[platform].name} has one way to sign in: leave --way out.")
        if not isinstance(connector, SignsInByBrowser):
            raise OperatorError(
                f"{FACTS[platform].name} needs an app password: see --app-password."
            )
        return SignInMethod(connector.oauth, connector.identities)

    def begin(
        self,
        platform: Platform,
        client: Client,
        redirect_uri: str,
        handle: str | None,
        method: str | None = None,
    ) -> PendingSignIn:
        """Return the platform's page to open, and what to remember until it redirects."""
        oauth = self.by_browser(platform, method).oauth
        return _ask_platform(platform, lambda: oauth.begin(client, redirect_uri, handle))

    def finish(
        self, platform: Platform, pending: PendingSignIn, address: str, method: str | None = None
    ) -> list[SignIn]:
        """Return the accounts that the sign-in opens, given where the page redirected.

        Raises OperatorError, which names every reason where none of them can be posted to.
        """
        chosen = self.by_browser(platform, method)

        def identities() -> list[Identity]:
            return chosen.identities(chosen.oauth.finish(pending, address), self._clock())

        found = _ask_platform(platform, identities)
        if not found:
            message = f"{FACTS[platform].name} has no page or profile that this person can post to."
            raise OperatorError(message)
        barred = [one.barred for one in found if one.barred is not None]
        if len(barred) == len(found):
            raise OperatorError(" ".join(dict.fromkeys(barred)))
        return [_sign_in(platform, identity) for identity in found]

    def _connector(self, platform: Platform) -> Connector:
        connector = self._connectors.real.get(platform)
        if connector is None:
            message = (
                f"This build cannot sign in to {FACTS[platform].name} yet. "
                "Connect a test account with --test."
            )
            raise OperatorError(message)
        return connector


def _method_named(
    platform: Platform, methods: Mapping[str, SignInMethod], name: str | None
) -> SignInMethod:
    chosen = next(iter(methods)) if name is None else name
    if chosen not in methods:
        *others, last = methods
        ways = f"{', '.join(others)} or {last}" if others else last
        raise OperatorError(f"{FACTS[platform].name} can be signed in to by --way {ways}.")
    return methods[chosen]


def _ask_platform(platform: Platform, question: Callable[[], _T]) -> _T:
    """Call the platform; a refusal or a missing answer is told to the operator."""
    try:
        return question()
    except PlatformError as error:
        match error:
            case RejectedError():
                message = error.message
            case TokenRejectedError():
                message = str(error)
            case _:
                name = FACTS[platform].name
                message = f"{name} could not be asked ({error}). Try again in a moment."
        raise OperatorError(add_words(message, platform, answer_behind(error))) from error


def _sign_in(platform: Platform, identity: Identity) -> SignIn:
    return SignIn(
        platform=platform,
        handle=identity.handle,
        remote_identity=identity.remote_identity,
        tokens=identity.tokens,
        settings=identity.settings,
        barred=identity.barred,
    )


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to sign in; `method` is None where a platform has one browser sign-in."""

    platform: Platform
    method: str | None
    label: str
    is_set_up: bool

    @property
    def needs_handle(self) -> bool:
        """Tell whether the handle must be known before the browser can be sent on."""
        return FACTS[self.platform].signs_in_by_handle


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """Sign-ins by browser and by app password, with the operator's applications."""

    sign_ins: SignIns
    applications: ApplicationRepository

    def all(self, workspace_id: str) -> list[Way]:
        """Return every browser sign-in of every platform, set up for a workspace or not."""
        kept = [*self.applications.list(), *self.applications.list(workspace_id)]
        known = {(one.platform, one.method) for one in kept}
        return [
            Way(
                platform=platform,
                method=method,
                label=label,
                is_set_up=bool({(platform, method), (platform, None)} & known),
            )
            for platform in Platform
            for method, label in self.sign_ins.methods(platform).items()
        ]

    def by_password(self) -> list[Platform]:
        """Return the platforms that give out passwords for apps."""
        return [platform for platform in Platform if self.sign_ins.takes_password(platform)]

    def client(self, platform: Platform, method: str | None, workspace_id: str) -> Client:
        """Return the workspace's own application, else the operator's.

        Raises OperatorError when there is none.
        """
        found = self.applications.credentials(platform, method, workspace_id)
        if found is None:
            message = (
                f"{FACTS[platform].name} is not set up here yet. Whoever runs this service does it "
                f"with `app-credentials set`."
            )
            raise OperatorError(message)
        application, secret = found
        return Client(application.client_id, secret, application.config_id)

    def set(
        self,
        platform: Platform,
        client: Client,
        *,
        method: str | None = None,
        workspace_id: str | None = None,
    ) -> Application:
        """Keep an application for a platform, or for one of its sign-ins.

        With a workspace, it is that one's own. A value read from a file may end with a newline.
        Raises OperatorError.
        """
        client_id, secret = client.id.strip(), (client.secret or "").strip() or None
        if method is not None and method not in self.sign_ins.methods(platform):
            raise OperatorError(f"{FACTS[platform].name} has no sign-in of that name.")
        if not client_id:
            raise OperatorError("An application has a client id.")
        if secret is None and not FACTS[platform].has_public_applications:
            name = FACTS[platform].name
            raise OperatorError(f"{name} gives an application a client secret, too. Set both.")
        for value in (client_id, secret, client.config_id):
            if len((value or "").encode()) > LONGEST_VALUE:
                raise OperatorError(_TOO_LONG)
        made = Application(
            platform=platform,
            method=method,
            client_id=client_id,
            config_id=client.config_id,
            workspace_id=workspace_id,
        )
        self.applications.put(made, secret)
        return made

    def remove(
        self, platform: Platform, *, method: str | None = None, workspace_id: str | None = None
    ) -> None:
        """Forget an application. Raises OperatorError."""
        known = {(one.platform, one.method) for one in self.applications.list(workspace_id)}
        is_known = (platform, method) in known
        if not is_known or not self.applications.remove(platform, method, workspace_id):
            raise OperatorError(f"{FACTS[platform].name} has no application here.")
