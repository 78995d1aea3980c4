"""What stands in a role's policy for more than one resource: these few, each with its reason."""

from collections.abc import Iterator, Mapping
from typing import Any

from infra.template.merging import Template
from tests.deployment.templates.reading import properties

FOLDERS = ("exports", "incoming", "media", "prepared")
FILES = {f"${{MediaBucket.Arn}}/{folder}/*" for folder in FOLDERS}
"""Files have names of their own; each function is given the folders that it needs."""

MAIL = {
    f"arn:${{AWS::Partition}}:ses:${{AWS::Region}}:${{AWS::AccountId}}:{kind}/*"
    for kind in ("configuration-set", "identity")
}
"""Whether the sender's address, its domain or a domain above it was verified is the operator's
affair, and so is the identity's configuration set; the condition names the sender."""

REGISTRY = "ecr:GetAuthorizationToken"
"""It signs in to a registry as a whole, and IAM knows no resource for it (service authorization
reference, "Actions, resources, and condition keys for Amazon ECR")."""


def test_a_role_has_no_wildcard_but_those_that_are_named(template: Template) -> None:
    found = {(str(one["Action"]), text) for one, text in _wide_resources(template)}

    assert {text for action, text in found if action != REGISTRY} == FILES | MAIL
    assert {text for action, text in found if action == REGISTRY} == {"*"}


def test_mail_goes_out_from_the_sender_alone_whatever_identity_it_has(template: Template) -> None:
    mailing = [one for one, text in _wide_resources(template) if text in MAIL]

    assert mailing
    for statement in mailing:
        assert statement["Action"] == ["ses:SendEmail"]
        assert statement["Condition"] == {
            "StringEquals": {"ses:FromAddress": {"Ref": "NoticesSender"}}
        }


def test_no_role_has_an_action_by_a_pattern(template: Template) -> None:
    for statement in _statements(template):
        assert statement["Effect"] == "Allow"
        assert not {"NotAction", "NotResource"} & set(statement)
        assert "*" not in str(statement["Action"])


def _wide_resources(template: Template) -> Iterator[tuple[Mapping[str, Any], str]]:
    for statement in _statements(template):
        named = statement["Resource"]
        for resource in named if isinstance(named, list) else [named]:
            is_text = isinstance(resource, str)
            # Any other way to write it would have to be understood here.
            assert is_text or set(resource) < {"Fn::GetAtt", "Fn::Sub", "Ref"}, resource
            text = resource if is_text else resource.get("Fn::Sub", "")
            if "*" in text or "?" in text:
                yield statement, text


def _statements(template: Template) -> Iterator[Mapping[str, Any]]:
    for name, role in properties(template, "AWS::IAM::Role").items():
        assert not role.get("ManagedPolicyArns"), name
        for policy in role.get("Policies", []):
            yield from policy["PolicyDocument"]["Statement"]
