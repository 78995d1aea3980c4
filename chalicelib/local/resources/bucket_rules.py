"""The bucket's lifecycle rules as S3's API wants them, from CloudFormation's way of saying them."""

from collections.abc import Mapping
from typing import TYPE_CHECKING, cast

if TYPE_CHECKING:
    from mypy_boto3_s3.type_defs import LifecycleRuleTypeDef

_Json = Mapping[str, "_Json"] | list["_Json"] | str | int


def lifecycle_rules(template: Mapping[str, _Json]) -> "list[LifecycleRuleTypeDef]":
    """Return the rules of the template's media bucket."""
    bucket = cast("Mapping[str, Mapping[str, Mapping[str, _Json]]]", template["Resources"])
    properties = cast("Mapping[str, Mapping[str, _Json]]", bucket["MediaBucket"]["Properties"])
    rules = cast("list[Mapping[str, _Json]]", properties["LifecycleConfiguration"]["Rules"])
    return [_rule(rule) for rule in rules]


def _rule(described: Mapping[str, _Json]) -> "LifecycleRuleTypeDef":
    rule: LifecycleRuleTypeDef = {
        "ID": str(described["Id"]),
        "Status": "Enabled",
        "Filter": {"Prefix": str(described.get("Prefix", ""))},
    }
    if "ExpirationInDays" in described:
        rule["Expiration"] = {"Days": cast("int", described["ExpirationInDays"])}
    if "AbortIncompleteMultipartUpload" in described:
        abort = cast("Mapping[str, int]", described["AbortIncompleteMultipartUpload"])
        rule["AbortIncompleteMultipartUpload"] = {
            "DaysAfterInitiation": abort["DaysAfterInitiation"]
        }
    return rule
