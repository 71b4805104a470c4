"""A request as it leaves, made once for all attempts.

What cannot be sent is a mistake of the calling program: a TypeError that says what to give, before anything is sent.
"""
from __future__ import annotations

import json
import re
import urllib.parse
import urllib.request
import uuid
from typing import Any, Dict, Mapping, Optional, Tuple

# Seconds: what a socket of every system takes, some 24 days.
LONGEST_TIMEOUT = 2_147_483


def judged_base_url(given: Any) -> str:
    try:
        parts = urllib.parse.urlsplit(given)
        good = re.fullmatch(r"https?://[!-~]+", given) and parts.username is None and not re.search(r"[?#]", given)
        # Both fail for what no connection can be made to: a port above 65535, or a name with an empty part.
        _, _ = parts.port, (parts.hostname or ".").encode("idna")
    except (AttributeError, TypeError, ValueError):
        good = None
    if not good:
        raise TypeError(
            "base_url is the address of the service in ASCII, such as https://journeys.example.com, "
            "without user, query and fragment"
        )
    if re.search(r"/(api|settings)/v1/*$", given):
        raise TypeError("base_url is the address of the service without the path of its API, which the client adds")
    return str(given).rstrip("/")


def judged_api_key(given: Any) -> str:
    if not isinstance(given, str) or not re.fullmatch(r"svc_[!-~]+", given):
        raise TypeError("api_key is the text of an API key, svc_test_... or svc_live_..., without white space")
    return given


def judged_operator_token(given: Any) -> str:
    if not isinstance(given, str) or not re.fullmatch(r"[!-~]+", given):
        raise TypeError("operator_token is the text of a token of the operator, without white space")
    return given


def judged_timeout(given: Any) -> float:
    if not isinstance(given, (int, float)) or not 0 < given <= LONGEST_TIMEOUT:
        raise TypeError(f"timeout is a number of seconds, above 0 and up to {LONGEST_TIMEOUT}")
    return given


def request_of(
    method: str,
    url: str,
    token: str,
    *,
    in_path: Mapping[str, str],
    query: Mapping[str, Any],
    headers: Mapping[str, Optional[str]],
    body: Any,
    form: Optional[Tuple[str, str]],
) -> urllib.request.Request:
    for name, value in in_path.items():
        url = url.replace(f"{{{name}}}", _segment(name, value))
    content_type, data = _content(body, form)
    request = urllib.request.Request(url + _query(query), data=data, method=method)
    request.add_unredirected_header("Authorization", f"Bearer {token}")
    for name, given in {**headers, "Content-Type": content_type}.items():
        if given is not None:
            request.add_header(name, _sendable(name, given))
    return request


def _segment(name: str, given: Any) -> str:
    # An empty id, "." and ".." would lead to another path: to the list, whose answer would be taken for the one thing.
    if not isinstance(given, str) or given in ("", ".", "..") or not _is_text(given):
        raise TypeError(f"{name} is an id: a text that can stand between two slashes of a path")
    return urllib.parse.quote(given, safe="")


def _is_text(given: str) -> bool:
    return re.search("[\ud800-\udfff]", given) is None


def _sendable(name: str, given: Any) -> str:
    if not isinstance(given, str) or not re.fullmatch(r"[\t\x20-\x7e\x80-\xff]*", given):
        raise TypeError(f"The header {name} takes text in Latin-1, without line breaks and other control characters")
    return given


def _query(given: Mapping[str, Any]) -> str:
    pairs = [
        (name, "true" if one is True else "false" if one is False else str(one))
        for name, value in given.items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
        if one is not None
    ]
    for name, value in pairs:
        if not _is_text(value):
            raise TypeError(f"{name} has half of a character: a lone surrogate")
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


def _content(body: Any, form: Optional[Tuple[str, str]]) -> Tuple[Optional[str], Optional[bytes]]:
    if body is None:
        return None, None
    if form is None or form[1] not in body:
        return "application/json", json.dumps(body).encode()
    json_part, file_part = form
    file = body[file_part]
    if not isinstance(file, (bytes, bytearray, memoryview)):
        raise TypeError(
            f"{file_part} is the photo itself: its bytes, as open(path, 'rb').read() gives them. "
            f"The JSON of the request goes beside it, as {json_part}"
        )
    boundary = uuid.uuid4().hex
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="'
    data = (
        f'{head}{json_part}"\r\nContent-Type: application/json\r\n\r\n{json.dumps(body[json_part])}\r\n'
        f'{head}{file_part}"; filename="photo"\r\nContent-Type: application/octet-stream\r\n\r\n'
    ).encode()
    return f"multipart/form-data; boundary={boundary}", data + bytes(file) + f"\r\n--{boundary}--\r\n".encode()
