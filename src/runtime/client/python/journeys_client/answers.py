"""What an answer says: the data, a refusal of the service, or that something else answered, such as a proxy before the service.

It also says whether the request may be repeated; how long to wait until then is the Transport's.
"""
from __future__ import annotations

import json
import re
import urllib.parse
from dataclasses import dataclass
from email.utils import parsedate_to_datetime
from typing import Any, Dict, List, Mapping, Optional, Type

from .errors import ApiError, ApiProblem, JourneysError, UnexpectedAnswer

REFUSING = (429, 503)
PASSING = (408, 500, 502, 504)


@dataclass(frozen=True)
class AnswerDetails:
    """What an answer says beside its data."""

    status: int
    request_id: Optional[str]
    is_replay: bool
    attempts: int
    headers: Mapping[str, str]


class Failed(Exception):
    """`refused`: nothing was done. `passing`: what was done is unknown, and another attempt may go better."""

    def __init__(self, error: JourneysError, refused: bool, passing: bool) -> None:
        super().__init__()
        self.error, self.refused, self.passing = error, refused, passing


def data_of(
    status: int,
    headers: Mapping[str, str],
    text: bytes,
    base_url: str,
    classes: Mapping[str, Type[ApiError]],
    is_file: bool = False,
) -> Any:
    """The data of an answer, or the bytes of a picture or a video; raises Failed if it is a refusal, or not the service's."""
    # A page of a proxy is no file, nor is an answer that says why there is none.
    if is_file and 200 <= status < 300 and re.match("(?:image|video)/", headers.get("Content-Type") or ""):
        return text
    try:
        envelope = json.loads(text)
    except ValueError:
        envelope = None
    envelope = envelope if isinstance(envelope, dict) else {}
    if envelope.get("success") is True:
        return envelope.get("data")
    problems = _problems(envelope)
    seconds = _seconds(headers)
    request_id = headers.get("Request-Id")
    if not problems:
        raise _unexpected(status, request_id, seconds, _origin(status, headers, base_url))
    link = re.search(r'<([^>]+)>; rel="help"', headers.get("Link") or "")
    help = urllib.parse.urljoin(base_url, link[1]) if link else None
    error = classes.get(problems[0]["code"], ApiError)(status, problems, request_id, seconds, help)
    raise Failed(error, refused=status in REFUSING, passing=status in PASSING)


def _unexpected(status: int, request_id: Optional[str], seconds: Optional[float], redirected_to: Optional[str]) -> Failed:
    # Not an answer of the service. That nothing was done is believed of who says when to come again.
    refusal = status in REFUSING
    return Failed(
        UnexpectedAnswer(status, request_id, seconds, redirected_to),
        refused=refusal and seconds is not None,
        passing=refusal or status in PASSING or status < 300 or status >= 500,
    )


def _problems(envelope: Dict[str, Any]) -> List[ApiProblem]:
    # None when they have another form: then they are those of another service.
    errors = envelope.get("errors")
    if not isinstance(errors, list):
        return []
    known = all(isinstance(one, dict) and {"field", "code", "message"} <= one.keys() for one in errors)
    return errors if known else []


def _seconds(headers: Mapping[str, str]) -> Optional[float]:
    text = headers.get("Retry-After") or ""
    if text.isascii() and text.isdigit():
        return int(text[:9])
    # A proxy may give a date: it is read by the clock of the answer, not by that of this machine.
    try:
        wait = parsedate_to_datetime(text) - parsedate_to_datetime(headers.get("Date") or "")
    except (IndexError, OverflowError, TypeError, ValueError):
        return None
    return max(0.0, wait.total_seconds())


def _origin(status: int, headers: Mapping[str, str], base_url: str) -> Optional[str]:
    # Where a redirect leads, without what may be secret in its address.
    location = headers.get("Location")
    if location is None or not 300 <= status < 400:
        return None
    try:
        parts = urllib.parse.urlsplit(urllib.parse.urljoin(base_url, location))
    except ValueError:
        return "another address"
    host = parts.netloc.rpartition("@")[2]
    return f"{parts.scheme}://{host}" if parts.scheme in ("http", "https") else "another address"
