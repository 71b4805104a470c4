"""Refusals for the tests of a caller: an answer with any error code, as the service gives it. What each code says is generated
from the catalogue of codes. Needs no service.
"""
from __future__ import annotations

import json
from typing import Dict, Mapping, NamedTuple, Optional, Sequence, TypedDict, Union

from .errors import ApiProblem


class UsualProblem(TypedDict):
    """What the service says with a code unless the test says something else."""

    status: int
    field: str
    message: str


class Refusal(NamedTuple):
    """What a stand-in of the service sends."""

    status: int
    headers: Dict[str, str]
    body: bytes


def refusal_from(
    usual: Mapping[str, UsualProblem], refused: Union[str, Sequence[ApiProblem]], retry_after: Optional[int]
) -> Refusal:
    problems = _usual_of(usual, refused) if isinstance(refused, str) else list(refused)
    first = problems[0]
    status = usual[first["code"]]["status"]
    seconds = 0 if retry_after is None and status in (429, 503) else retry_after
    envelope = {"success": False, "data": None, "message": first["message"], "errors": problems}
    body = json.dumps(envelope, ensure_ascii=False, separators=(",", ":")).encode()
    headers = {
        "Content-Type": "application/json",
        "Content-Length": str(len(body)),
        "Request-Id": "00000000-0000-7000-8000-000000000000",
        "Link": f'</docs/errors/{first["code"]}>; rel="help"',
    }
    if seconds is not None:
        headers["Retry-After"] = str(seconds)
    return Refusal(status, headers, body)


def _usual_of(usual: Mapping[str, UsualProblem], code: str) -> "list[ApiProblem]":
    return [{"field": usual[code]["field"], "code": code, "message": usual[code]["message"]}]
