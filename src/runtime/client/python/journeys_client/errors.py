"""What the client raises. A refusal is an ApiError with the code to act on; client.py has a class for each code."""
from __future__ import annotations

from typing import List, Optional, TypedDict


class ApiProblem(TypedDict):
    """One problem of a request: the field at fault, the code, and a sentence for people that never repeats what a body says."""

    field: str
    code: str
    message: str


class JourneysError(Exception):
    """Every error of this package but those of the webhook verifier."""


class ApiError(JourneysError):
    """The service refused the request. A code that is newer than this package is an ApiError and nothing more."""

    def __init__(
        self,
        status: int,
        problems: List[ApiProblem],
        request_id: Optional[str],
        retry_after: Optional[float],
        help: Optional[str] = None,
    ) -> None:
        first = problems[0]
        rest = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        super().__init__(f"{status} {first['code']}: {first['field']}: {first['message']}{rest}")
        self.status = status
        self.code = first["code"]
        self.problems = problems
        self.request_id = request_id
        self.retry_after = retry_after
        # The page of the code, with what to do.
        self.help = help


class ConnectionFailed(JourneysError):
    """The service could not be reached, or the connection broke."""


class TimedOut(JourneysError):
    """No answer came in time."""


class UnexpectedAnswer(JourneysError):
    """What answered is not this service: a proxy in between, or another address.

    `redirected_to` is the origin that a redirect leads to, such as https://login.example.com. No redirect is followed.
    """

    def __init__(
        self,
        status: int,
        request_id: Optional[str],
        retry_after: Optional[float] = None,
        redirected_to: Optional[str] = None,
    ) -> None:
        super().__init__(
            f"An answer with status {status} is not one of the Journeys API"
            if redirected_to is None
            else f"A redirect with status {status} leads to {redirected_to} and is not followed: is this the service's address?"
        )
        self.status = status
        self.request_id = request_id
        self.retry_after = retry_after
        self.redirected_to = redirected_to
