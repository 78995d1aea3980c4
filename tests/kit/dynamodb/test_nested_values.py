"""A value of several fields in one attribute of a row."""

import json

from chalicelib.kit.dataclass import dataclass
from chalicelib.kit.dynamodb.records import Record


@dataclass(frozen=True, slots=True, kw_only=True)
class _Crust:
    kind: str
    seeds: str | None
    glaze: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Bread:
    crust: _Crust


_BREAD = Record(_Bread)


def test_what_is_absent_and_may_be_is_left_out() -> None:
    item = _BREAD.item(_Bread(crust=_Crust(kind="rye", seeds=None)))

    assert {"kind": "rye", "seeds": None} == json.loads(item["crust"])


def test_it_is_read_again_as_is_a_row_of_old_that_says_so() -> None:
    bread = _Bread(crust=_Crust(kind="rye", seeds=None))
    of_old = {"crust": '{"kind":"rye","seeds":null,"glaze":null}'}

    assert bread == _BREAD.value(_BREAD.item(bread))
    assert bread == _BREAD.value(of_old)
