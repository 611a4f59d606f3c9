"""Calls the service: with the credential, and again where that is safe."""

from __future__ import annotations

import http.client
import json
import os
import random
import re
import ssl
import time
import uuid
from collections.abc import Callable, Iterator
from typing import Any
from urllib import error as url_error
from urllib import parse, request

from .checks import address, key_of, token_of
from .codes import CLASSES, CODE_OF, RateLimitedError
from .errors import ApiError, LostAnswerError, OverturnError

FIRST_WAIT, LONGEST_BACK_OFF, LONGEST_WAIT, RATE_WAITS = 0.5, 30.0, 900.0, 20


def at(path: str, **parts: Any) -> str:
    """A path with its parts."""
    return re.sub(r"\{(\w+)\}", lambda name: parse.quote(str(parts[name[1]]), safe=""), path)


class _Answers(request.HTTPErrorProcessor):
    """Every status is an answer, and no redirect is followed: it would carry patient data to an unchecked address."""

    def http_response(self, request: Any, response: Any) -> Any:
        return response

    https_response = http_response


class Connection:
    """Makes calls. Without arguments, `OVERTURN_URL`, `OVERTURN_API_KEY` and `OVERTURN_API_TOKEN` of the environment count.
    `api_key` (`ovt_…`) is for the claims interface, and `api_token` (`ovu_…`) for everything else, unless a person signs
    in. `timeout` is in seconds, for one attempt. `attempts` says how many times a call is made before it fails.
    `sleep` is for tests."""

    def __init__(
        self,
        base_url: str | None = None,
        *,
        api_key: str | None = None,
        api_token: str | None = None,
        timeout: float = 60,
        attempts: int = 7,
        sleep: Callable[[float], None] = time.sleep,
    ) -> None:
        self._base, is_local = address(base_url or os.environ.get("OVERTURN_URL") or "")
        # A call to this machine must not go through a proxy.
        self._opener = request.build_opener(_Answers, *([request.ProxyHandler({})] if is_local else []))
        self._api_key = key_of(api_key or os.environ.get("OVERTURN_API_KEY"))
        self._api_token = token_of(api_token or os.environ.get("OVERTURN_API_TOKEN"))
        self._timeout, self._attempts, self._sleep = timeout, attempts, sleep
        self._cookies: dict[str, str] = {}

    def sign_in(self, email: str, password: str, code: str | Callable[[], str] | None = None) -> None:
        """Signs a person in. The calls that follow have the session. `code` is that of the authenticator app."""
        try:
            body = {"email": email, "password": password}
            self.as_json("POST", "/api/v1/auth/session", body=body, caller="anyone", again="never")
        except ApiError as refused:
            if refused.continuation_token is None:
                raise
            if code is None:
                refused.args = (f"{refused}; give sign_in a `code` of the authenticator app",)
                raise
            shown = {"continuation_token": refused.continuation_token, "code": code if isinstance(code, str) else code()}
            self.as_json("POST", "/api/v1/auth/session/2fa", body=shown, caller="anyone", again="never")

    def as_json(self, method: str, path: str, **how: Any) -> Any:
        content, _ = self._call(method, path, **how)
        return json.loads(content) if content else None

    def as_nothing(self, method: str, path: str, **how: Any) -> None:
        self._call(method, path, **how)

    def as_bytes(self, method: str, path: str, **how: Any) -> bytes:
        return self._call(method, path, **how)[0]

    def as_lines(self, method: str, path: str, *, query: dict[str, Any], **how: Any) -> Iterator[Any]:
        """The records of an export, page after page."""
        following: dict[str, Any] | None = query
        while following is not None:
            content, headers = self._call(method, path, query=following, **how)
            yield from map(json.loads, filter(None, content.split(b"\n")))
            found = re.search(r'<([^>]*)>;\s*rel="?next"?', headers.get("Link") or "")
            following = dict(parse.parse_qsl(parse.urlsplit(found[1]).query)) if found else None

    def pages(self, read: Callable[[str | None], Any], key: str) -> Iterator[Any]:
        """The records of page after page."""
        cursor: str | None = None
        while True:
            page = read(cursor)
            yield from page[key]
            cursor = page["next_cursor"]
            if not cursor:
                return

    def _call(
        self,
        method: str,
        path: str,
        *,
        caller: str,
        again: str = "same",
        query: dict[str, Any] | None = None,
        body: Any = None,
        text: str | None = None,
        form: dict[str, Any] | None = None,
        version: int | None = None,
        idempotency_key: str | None = None,
    ) -> tuple[bytes, Any]:
        """Makes a call until there is an answer or it may not be repeated."""
        headers = {"Accept": "application/json, application/x-ndjson;q=0.9, */*;q=0.8"}
        if again == "keyed":
            headers["Idempotency-Key"] = idempotency_key or str(uuid.uuid4())
        if version is not None:
            headers["If-Match"] = f'"{version}"'
        content = None
        if form is not None:
            headers["Content-Type"], content = _encoded(form)
        elif text is not None or body is not None:
            headers["Content-Type"] = "application/json"
            content = (json.dumps(body) if text is None else text).encode()
        given = {name: _plain(value) for name, value in (query or {}).items() if value is not None}
        url = f"{self._base}{path}{'?' if given else ''}{parse.urlencode(given)}"
        failures = rate_waits = 0
        while True:
            error: OverturnError
            may_repeat = again != "never"
            try:
                headers.update(self._credential(method, caller))
                asked = request.Request(url, data=content, headers=headers, method=method)
                with self._opener.open(asked, timeout=self._timeout) as answer:
                    found, status = answer.read(), answer.status
                self._keep(answer.headers)
                if 200 <= status < 300:
                    return found, answer.headers
                error = _refusal(status, answer.headers, found)
            except (OSError, http.client.HTTPException) as cause:
                why = cause.reason if isinstance(cause, url_error.URLError) else cause
                may_repeat = may_repeat and not isinstance(why, ssl.SSLCertVerificationError)
                error = LostAnswerError(f"no answer came: {why}")
                error.__cause__ = cause
            asked_wait = getattr(error, "retry_after", None)
            if isinstance(error, RateLimitedError):
                rate_waits += 1
                wait = max(asked_wait, 1) if asked_wait is not None else max(_back_off(rate_waits), 5)
                # Claims that cannot be sent again today do not hold up the others.
                may_repeat = rate_waits <= RATE_WAITS and not error.message.startswith("claims[")
            else:
                failures += 1
                wait = max(_back_off(failures), asked_wait or 0)
                may_repeat = _passes(error, again, may_repeat) and failures < self._attempts
            if not may_repeat or wait > LONGEST_WAIT:
                raise error
            self._sleep(wait * random.uniform(1, 1.1))

    def _credential(self, method: str, caller: str) -> dict[str, str]:
        headers: dict[str, str] = {}
        if caller == "key" or (caller == "person" and "__Host-session" not in self._cookies):
            credential = self._api_key if caller == "key" else self._api_token
            if credential is None and caller == "key":
                raise OverturnError("no API key: set OVERTURN_API_KEY, or give api_key")
            if credential is None:
                raise OverturnError("no API token: set OVERTURN_API_TOKEN, give api_token, or sign in")
            headers["Authorization"] = f"Bearer {credential}"
        if caller != "key" and self._cookies:
            headers["Cookie"] = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
            if method != "GET":
                headers["X-CSRF-Token"] = self._cookies.get("csrf_token", "")
        return headers

    def _keep(self, headers: Any) -> None:
        """Keeps the session."""
        for line in headers.get_all("Set-Cookie") or []:
            pair, _, rest = line.partition(";")
            name, _, value = pair.partition("=")
            if value and "max-age=0" not in rest.lower().replace(" ", ""):
                self._cookies[name] = value
            else:
                self._cookies.pop(name, None)


class Group:
    def __init__(self, connection: Connection) -> None:
        self._connection = connection


def _back_off(failures: int) -> float:
    return min(FIRST_WAIT * 2.0 ** min(failures - 1, 16), LONGEST_BACK_OFF)


def _passes(error: OverturnError, again: str, may_repeat: bool) -> bool:
    """Whether the same request may be sent again after this."""
    if not isinstance(error, ApiError):
        return isinstance(error, LostAnswerError) and may_repeat
    # A body that did not arrive did nothing. A running request of the same key is the one whose answer was lost.
    if error.status == 408 or (error.reason == "request_running" and again == "keyed"):
        return True
    return error.status >= 500 and may_repeat


def _plain(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ",".join(map(str, value)) if isinstance(value, (list, tuple)) else str(value)


def _encoded(form: dict[str, Any]) -> tuple[str, bytes]:
    """A form with files. A file is its name and its content."""
    boundary = uuid.uuid4().hex
    out = b""
    # The service wants to know whose the files are before it reads them.
    for name, value in sorted(form.items(), key=lambda part: isinstance(part[1], tuple)):
        about = f'Content-Disposition: form-data; name="{_quoted(name)}"'
        if isinstance(value, tuple):
            about += f'; filename="{_quoted(value[0])}"\r\nContent-Type: application/octet-stream'
            content = value[1]
        else:
            content = (value if isinstance(value, str) else json.dumps(value)).encode()
        out += f"--{boundary}\r\n{about}\r\n\r\n".encode() + content + b"\r\n"
    return f"multipart/form-data; boundary={boundary}", out + f"--{boundary}--\r\n".encode()


def _quoted(name: str) -> str:
    return name.replace('"', "%22").replace("\r", "%0D").replace("\n", "%0A")


def _refusal(status: int, headers: Any, content: bytes) -> OverturnError:
    if status < 400:
        return OverturnError("the address answers with a redirect, and the credential is not sent on")
    try:
        said = json.loads(content)
    except ValueError:
        said = None
    said = said if isinstance(said, dict) else {}
    inner = said.get("error")
    inner = inner if isinstance(inner, dict) else {"message": inner, "reason": said.get("code")}
    code = inner.get("code")
    if code not in CLASSES:
        code = CODE_OF.get(status, "bad_request" if status < 500 else "internal_error")
    details = [f"{one['field']} {one['message']}" for one in inner.get("details") or []]
    try:
        retry_after = float(headers.get("Retry-After") or said.get("retry_after") or "none")
    except (TypeError, ValueError):
        retry_after = None
    return CLASSES[code](
        status,
        code,
        inner.get("message") or "the call was refused",
        reason=inner.get("reason"),
        problems=details or said.get("errors"),
        retry_after=retry_after,
        continuation_token=said.get("continuation_token"),
        request_id=headers.get("X-Request-Id"),
    )
