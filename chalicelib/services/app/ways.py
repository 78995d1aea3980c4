"""The ways to sign in at each platform that this build knows, and the applications they need."""

from dataclasses import dataclass

from chalicelib.connectors.shared.auth.oauth import Client
from chalicelib.domain.platforms.platform import NAMES, Platform
from chalicelib.domain.workspace.operator_errors import OperatorError
from chalicelib.services.operator.sign_ins import SignIns
from chalicelib.storage.workspace.flows import Application, ApplicationRepository


@dataclass(frozen=True, slots=True, kw_only=True)
class Way:
    """One way to sign in; `method` is None where a platform has one browser sign-in."""

    platform: Platform
    method: str | None
    is_set_up: bool

    @property
    def needs_handle(self) -> bool:
        """Tell whether the page must know the handle before it can lead on."""
        return self.platform is Platform.BLUESKY


@dataclass(frozen=True, slots=True, kw_only=True)
class Ways:
    """Sign-ins by browser and by app password, with the operator's applications."""

    sign_ins: SignIns
    applications: ApplicationRepository

    def all(self) -> list[Way]:
        """Return every browser sign-in of every platform, set up or not."""
        known = {(one.platform, one.method) for one in self.applications.list()}
        return [
            Way(
                platform=platform,
                method=method,
                is_set_up=bool({(platform, method), (platform, None)} & known),
            )
            for platform in Platform
            for method in self.sign_ins.methods(platform)
        ]

    def by_password(self) -> list[Platform]:
        """Return the platforms that give out passwords for apps."""
        return [platform for platform in Platform if self.sign_ins.takes_password(platform)]

    def client(self, platform: Platform, method: str | None) -> Client:
        """Return the operator's application. Raises OperatorError when there is none."""
        found = self.applications.credentials(platform, method)
        if found is None:
            message = (
                f"{NAMES[platform]} is not set up here yet. Whoever runs this service does it "
                f"with `app-credentials set`."
            )
            raise OperatorError(message)
        application, secret = found
        return Client(application.client_id, secret, application.config_id)

    def set(self, platform: Platform, client: Client, *, method: str | None = None) -> Application:
        """Keep an application for a platform, or for one of its sign-ins. Raises OperatorError."""
        if method is not None and method not in self.sign_ins.methods(platform):
            raise OperatorError(f"{NAMES[platform]} has no sign-in of that name.")
        if not client.id.strip():
            raise OperatorError("An application has a client id.")
        made = Application(
            platform=platform, method=method, client_id=client.id, config_id=client.config_id
        )
        self.applications.put(made, client.secret)
        return made

    def remove(self, platform: Platform, *, method: str | None = None) -> None:
        """Forget an application. Raises OperatorError."""
        if not self.applications.remove(platform, method):
            raise OperatorError(f"{NAMES[platform]} has no application here.")
