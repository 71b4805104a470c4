"""One request, repeated until it is answered or given up.

A request is repeated after a failure of the network only if repeating is safe: it reads, it replaces, or it has an
Idempotency-Key, which stays the same. After 429 and 503 nothing was done: every request is repeated, when Retry-After says.
"""
from __future__ import annotations

import http.client
import random
import socket
import time
import urllib.error
import urllib.request
import uuid
from typing import Any, Callable, Mapping, Optional, Tuple, Type

from .answers import AnswerDetails, Failed, data_of
from .errors import ApiError, ConnectionFailed, JourneysError, TimedOut, UnexpectedAnswer
from .request import judged_base_url, judged_timeout, request_of

SAFE = ("GET", "HEAD", "PUT", "DELETE")
# Seconds. The first pause when the service does not say how long to wait, and the longest of its own choosing.
SHORTEST_PAUSE = 0.5
LONGEST_PAUSE = 8.0
# A Retry-After above this is told as an error and not waited for: the limit of a key counts one minute.
LONGEST_RETRY_AFTER = 60


class _NoRedirects(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_: Any) -> None:
        return None


class Transport:
    def __init__(
        self, base_url: str, token: str, timeout: float, retries: int, classes: Mapping[str, Type[ApiError]]
    ) -> None:
        """Raises a TypeError for what no request could succeed with. The client has judged the token."""
        self._base_url = judged_base_url(base_url)
        self._token = token
        self._timeout = judged_timeout(timeout)
        self._retries = retries
        self._classes = classes
        self._opener = urllib.request.build_opener(_NoRedirects)

    def call(
        self,
        method: str,
        path: str,
        *,
        in_path: Optional[Mapping[str, str]] = None,
        query: Optional[Mapping[str, Any]] = None,
        headers: Optional[Mapping[str, Optional[str]]] = None,
        body: Any = None,
        form: Optional[Tuple[str, str]] = None,
        is_keyed: bool = False,
        is_file: bool = False,
        idempotency_key: Optional[str] = None,
        timeout: Optional[float] = None,
        retries: Optional[int] = None,
        on_answer: Optional[Callable[[AnswerDetails], None]] = None,
    ) -> Any:
        seconds = self._timeout if timeout is None else judged_timeout(timeout)
        key = (str(uuid.uuid4()) if idempotency_key is None else idempotency_key) if is_keyed else None
        request = request_of(
            method,
            self._base_url + path,
            self._token,
            in_path=in_path or {},
            query=query or {},
            headers={**(headers or {}), "Idempotency-Key": key},
            body=body,
            form=form,
        )
        safe = method in SAFE or is_keyed
        most = self._retries if retries is None else retries
        attempt = 1
        while True:
            try:
                status, found, text = self._answer(request, seconds)
                data = data_of(status, found, text, self._base_url, self._classes, is_file)
                break
            except Failed as failed:
                repeatable = failed.refused or (safe and failed.passing)
                pause = _pause(failed.error, attempt) if repeatable and attempt <= most else None
                if pause is None:
                    raise failed.error from failed.__cause__
            time.sleep(pause)
            attempt += 1
        if on_answer is not None:
            is_replay = found.get("Idempotent-Replayed") == "true"
            on_answer(AnswerDetails(status, found.get("Request-Id"), is_replay, attempt, found))
        return data

    def _answer(self, request: urllib.request.Request, timeout: float) -> Tuple[int, Mapping[str, str], bytes]:
        try:
            try:
                response = self._opener.open(request, timeout=timeout)
            except urllib.error.HTTPError as refusal:
                response = refusal
            with response:
                return response.status, response.headers, response.read()
        except (OSError, http.client.HTTPException) as cause:
            late = isinstance(getattr(cause, "reason", cause), (TimeoutError, socket.timeout))
            failure = TimedOut(f"No answer within {timeout} s") if late else ConnectionFailed(f"{self._base_url}: {cause}")
            raise Failed(failure, refused=False, passing=True) from cause


def _pause(error: JourneysError, attempt: int) -> Optional[float]:
    """None when the service asks for more patience than this package has."""
    asked = error.retry_after if isinstance(error, (ApiError, UnexpectedAnswer)) else None
    if asked is not None:
        return None if asked > LONGEST_RETRY_AFTER else asked
    whole = min(LONGEST_PAUSE, SHORTEST_PAUSE * 2 ** (attempt - 1))
    # Between half and all of it, so that callers who were refused together do not come back together.
    return random.uniform(whole / 2, whole)
