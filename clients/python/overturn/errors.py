"""The errors of this package."""

from __future__ import annotations

from typing import Any


class OverturnError(Exception):
    """Every error of this package."""


class LostAnswerError(OverturnError):
    """No answer came, also after the calls that may be repeated were repeated. The service may have done what was asked."""


class SignatureError(OverturnError):
    """A webhook message that the service did not sign, or too long ago."""


class ApiError(OverturnError):
    """The service refused a call. There is a class for each `code`."""

    def __init__(
        self,
        status: int,
        code: str,
        message: str,
        *,
        reason: str | None = None,
        problems: list[str] | None = None,
        retry_after: float | None = None,
        continuation_token: str | None = None,
        request_id: str | None = None,
    ) -> None:
        self.status = status
        self.code = code
        self.message = message
        self.reason = reason
        """Why, for programs, with `402`, `403` and `409`. `baa_required` is that of the claims interface."""
        self.problems = problems or []
        """What is wrong, one sentence for each problem. No value of the request is repeated."""
        self.retry_after = retry_after
        """Seconds to wait."""
        self.continuation_token = continuation_token
        """With `402`: the token with which to show the second factor."""
        self.request_id = request_id
        """Quote it when you ask about the request."""
        super().__init__("; ".join([f"{message} ({status})", *self.problems]))


class SendError(OverturnError):
    """A send ended before every item had its answer. To finish it, send all items again: nothing is doubled."""

    def __init__(self, results: list[Any], cause: BaseException) -> None:
        self.results = results
        """The answers that came before."""
        self.cause = cause
        """Why it ended. An `ApiError` has `status`, `request_id` and `retry_after`."""
        again = "To finish it, send all items again: nothing is doubled"
        super().__init__(f"the send ended after {len(results)} answers: {cause}. {again}")
