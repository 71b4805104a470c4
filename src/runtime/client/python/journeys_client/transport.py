"""One request, repeated until it is answered or given up, and lists read page by page.

A request is repeated after a failure of the network only if repeating is safe: it reads, it replaces, or it has an
Idempotency-Key, which stays the same. After 429 and 503 nothing was done: every request is repeated, when Retry-After says.
"""
from __future__ import annotations

import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass
from typing import Any, Callable, Dict, Generic, Iterator, Mapping, Optional, Tuple, Type, TypeVar

from .errors import ApiError, ConnectionFailed, JourneysError, TimedOut, UnexpectedAnswer

SAFE = ("GET", "HEAD", "PUT", "DELETE")
PASSING = (408, 500, 502, 504)
# Seconds. The first pause when the service does not say how long to wait, and the longest of its own choosing.
SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
# A Retry-After above this is told as an error and not waited for: the limit of a key counts one minute.
LONGEST_RETRY_AFTER = 60
# The pause between two looks for events: two requests a second, 120 of the 500 a minute that a key has.
BETWEEN_LOOKS = 0.5


@dataclass(frozen=True)
class AnswerDetails:
    """What an answer says beside its data."""

    status: int
    request_id: Optional[str]
    is_replay: bool
    attempts: int
    headers: Mapping[str, str]


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class _Failed(Exception):
    def __init__(self, error: JourneysError, refused: bool, passing: bool) -> None:
        super().__init__()
        self.error, self.refused, self.passing = error, refused, passing


class Transport:
    def __init__(
        self, base_url: str, api_key: str, timeout: float, retries: int, classes: Mapping[str, Type[ApiError]]
    ) -> None:
        if not re.fullmatch(r"https?://\S+", base_url):
            raise TypeError("base_url is the address of the service, such as https://journeys.example.com")
        if not re.fullmatch(r"svc_\S+", api_key):
            raise TypeError("api_key is the text of an API key, svc_test_... or svc_live_..., without white space")
        self._base_url = base_url.rstrip("/")
        self._api_key = api_key
        self._timeout = timeout
        self._retries = retries
        self._classes = classes
        self._opener = urllib.request.build_opener(_NoRedirects)

    def call(
        self,
        method: str,
        path: str,
        *,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        body: Any = None,
        form: Optional[Tuple[str, str]] = None,
        is_keyed: bool = False,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
        on_answer: Optional[Callable[[AnswerDetails], None]] = None,
    ) -> Any:
        content_type, data = _content(body, form)
        given = {**(headers or {}), "Content-Type": content_type}
        if is_keyed:
            given["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        request = urllib.request.Request(self._base_url + path + _query(query or {}), data=data, method=method)
        request.add_unredirected_header("Authorization", f"Bearer {self._api_key}")
        for name, value in given.items():
            if value is not None:
                request.add_header(name, value)
        safe = method in SAFE or is_keyed
        most = self._retries if retries is None else retries
        attempt = 1
        while True:
            try:
                return self._try(request, self._timeout if timeout is None else timeout, attempt, on_answer)
            except _Failed as failed:
                repeatable = failed.refused or (safe and failed.passing)
                pause = _pause(failed.error, attempt) if repeatable and attempt <= most else None
                if pause is None:
                    raise failed.error from failed.__cause__
            time.sleep(pause)
            attempt += 1

    def _try(
        self,
        request: urllib.request.Request,
        timeout: float,
        attempt: int,
        on_answer: Optional[Callable[[AnswerDetails], None]],
    ) -> Any:
        try:
            try:
                response = self._opener.open(request, timeout=timeout)
            except urllib.error.HTTPError as error:
                response = error
            with response:
                status, headers, text = response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as cause:
            late = isinstance(getattr(cause, "reason", cause), TimeoutError)
            error = TimedOut(f"No answer within {timeout} s") if late else ConnectionFailed(f"{self._base_url}: {cause}")
            raise _Failed(error, refused=False, passing=True) from cause
        return self._read(status, headers, text, attempt, on_answer)

    def _read(
        self,
        status: int,
        headers: Mapping[str, str],
        text: bytes,
        attempt: int,
        on_answer: Optional[Callable[[AnswerDetails], None]],
    ) -> Any:
        request_id = headers.get("Request-Id")
        try:
            envelope = json.loads(text)
        except ValueError:
            envelope = None
        envelope = envelope if isinstance(envelope, dict) else {}
        if envelope.get("success") is True:
            if on_answer is not None:
                is_replay = headers.get("Idempotent-Replayed") == "true"
                on_answer(AnswerDetails(status, request_id, is_replay, attempt, headers))
            return envelope.get("data")
        problems = envelope.get("errors") or []
        if not problems:
            raise _Failed(UnexpectedAnswer(status, request_id), refused=False, passing=status >= 500)
        retry_after = headers.get("Retry-After") or ""
        seconds = int(retry_after) if retry_after.isascii() and retry_after.isdigit() else None
        link = re.search(r'<([^>]+)>; rel="help"', headers.get("Link") or "")
        help = urllib.parse.urljoin(self._base_url, link[1]) if link else None
        error = self._classes.get(problems[0]["code"], ApiError)(status, problems, request_id, seconds, help)
        raise _Failed(error, refused=status in (429, 503), passing=status in PASSING)


def _query(given: Mapping[str, Any]) -> str:
    pairs = [
        (name, "true" if one is True else "false" if one is False else str(one))
        for name, value in given.items()
        for one in (value if isinstance(value, (list, tuple)) else [value])
        if one is not None
    ]
    return f"?{urllib.parse.urlencode(pairs)}" if pairs else ""


def _content(body: Any, form: Optional[Tuple[str, str]]) -> Tuple[Optional[str], Optional[bytes]]:
    if body is None:
        return None, None
    if form is None or not isinstance(body.get(form[1]), (bytes, bytearray)):
        return "application/json", json.dumps(body).encode()
    json_part, file_part = form
    boundary = uuid.uuid4().hex
    head = f'--{boundary}\r\nContent-Disposition: form-data; name="'
    data = (
        f'{head}{json_part}"\r\nContent-Type: application/json\r\n\r\n{json.dumps(body[json_part])}\r\n'
        f'{head}{file_part}"; filename="photo"\r\nContent-Type: application/octet-stream\r\n\r\n'
    ).encode()
    return f"multipart/form-data; boundary={boundary}", data + bytes(body[file_part]) + f"\r\n--{boundary}--\r\n".encode()


def _pause(error: JourneysError, attempt: int) -> Optional[float]:
    """None when the service asks for more patience than this package has."""
    asked = error.retry_after if isinstance(error, ApiError) else None
    if asked is not None:
        return None if asked > LONGEST_RETRY_AFTER else float(asked)
    whole = min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** (attempt - 1))
    # Between half and all of it, so that callers who were refused together do not come back together.
    return random.uniform(whole / 2, whole)


Page = TypeVar("Page")


class Listing(Generic[Page]):
    """A list of the API: `page()` is the one page that was asked for; a `for` loop reads every entry to the end."""

    def __init__(self, ask: Callable[[Dict[str, Any]], Any], query: Mapping[str, Any], by: str) -> None:
        self._ask, self._by = ask, by
        self._from: Dict[str, Any] = {by: query.get(by)}

    def page(self) -> Page:
        return self._ask({})

    def pages(self) -> Iterator[Page]:
        """This page and all that follow."""
        turn: Optional[Dict[str, Any]] = self._from
        while turn is not None:
            page = self._ask(turn)
            yield page
            turn = self._turn_after(page, turn)

    def __iter__(self) -> Iterator[Any]:
        for page in self.pages():
            yield from page["content"]

    def follow(self) -> Iterator[Page]:
        """Of events: the pages there are, and then those to come, without end. Keep `next` and go on there later."""
        turn = self._from
        while True:
            page = self._ask(turn)
            if page["content"]:
                yield page
            if page["next"] == turn.get(self._by) or not page["content"]:
                time.sleep(BETWEEN_LOOKS)
            turn = {self._by: page["next"]}

    def _turn_after(self, page: Any, before: Mapping[str, Any]) -> Optional[Dict[str, Any]]:
        if "next" in page:
            ended = page["next"] is None or page["next"] == before.get(self._by)
            return None if ended else {"page": None, self._by: page["next"]}
        number = page.get("page", 0)
        return {"page": number + 1} if page["content"] and number + 1 < page.get("totalPages", 0) else None
