"""What docs/api.md says of each scope; each must have its line."""

from collections.abc import Mapping

from chalicelib.domain.workspace.access import Scope

SCOPES: Mapping[Scope, str] = {
    Scope.READ: "read accounts, posts, files, queue times, history, results",
    Scope.WRITE: "upload files; create, edit and copy drafts; delete posts; set audience regions",
    Scope.PUBLISH: "schedule, queue, publish, cancel, retry, edit what is scheduled; queue times",
    Scope.DELETE_PUBLISHED: "delete a live post on its platform, or a post that has one",
    Scope.ACCOUNTS: "connect and disconnect accounts (in the app and on the command line)",
}
