"""Sends any number of claims."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from typing import Any

from . import types as T
from .checks import rules
from .errors import ApiError, OverturnError, SendError
from .runtime import Group

BODY_MAX, ITEMS_MAX = 2 * 1024 * 1024, 100
FRAME = len('{"claims":[]}')
PLACE = re.compile(r"claims\[(\d+)\]: (.*)", re.DOTALL)
STOPPED = re.compile(r"((?:claims\[\d+\], )*claims\[\d+\]): (claim\.claim_number cannot be sent again .*)")


class _Waiting:
    def __init__(self, result: dict[str, Any], number: str, text: str) -> None:
        self.result, self.number, self.text, self.length = result, number, text, len(text.encode())


def _next_batch(waiting: list[_Waiting]) -> list[_Waiting]:
    """Takes the items of the next request out of those that wait: each number once, and none before an earlier one of its
    number."""
    batch: list[_Waiting] = []
    later: list[_Waiting] = []
    seen: set[str] = set()
    length = FRAME
    for one in waiting:
        # The comma before the first one is not written.
        if one.number not in seen and len(batch) < ITEMS_MAX and length + one.length <= BODY_MAX:
            length += one.length + 1
            batch.append(one)
        else:
            later.append(one)
        seen.add(one.number)
    waiting[:] = later
    return batch


class ClaimsGroup(Group):
    """What the claims interface has beside its calls."""

    def send(self, items: Iterable[T.ClaimsItem]) -> list[dict[str, Any]]:
        """Sends any number of claims and gives each its answer, in their order: `index`, `claim_number`, `created`, `errors`
        (empty if it is stored), `advice`, and of a stored one `id` and `status`. What the service would refuse is not sent.

        Raises `SendError` if it ends early; its `results` has the answers that came before.
        """
        results: list[dict[str, Any]] = []
        try:
            for result in self.send_each(items):
                results.append(result)
        except OverturnError as cause:
            raise SendError(sorted(results, key=lambda one: one["index"]), cause) from cause
        return sorted(results, key=lambda one: one["index"])

    def send_each(self, items: Iterable[T.ClaimsItem]) -> Iterator[dict[str, Any]]:
        """The same, with each answer as it comes."""
        waiting: list[_Waiting] = []
        for index, item in enumerate(items):
            text = json.dumps(item, separators=(",", ":"))
            found = rules().validate(f'{{"claims":[{text}]}}')
            claim = item.get("claim") if isinstance(item, dict) else None
            number = claim.get("claim_number") if isinstance(claim, dict) else None
            result = {
                "index": index,
                "claim_number": number,
                "created": False,
                "errors": [PLACE.sub(r"\2", problem) for problem in found["errors"]],
                "advice": found["advice"],
            }
            if result["errors"]:
                yield result
            else:
                waiting.append(_Waiting(result, str(number).strip(), text))
            if len(waiting) >= 2 * ITEMS_MAX:
                yield from self._send_batch(_next_batch(waiting))
        while waiting:
            yield from self._send_batch(_next_batch(waiting))

    def _send_batch(self, rest: list[_Waiting]) -> Iterator[dict[str, Any]]:
        while rest:
            text = '{"claims":[' + ",".join(one.text for one in rest) + "]}"
            try:
                sent = self._connection.as_json("POST", "/api/v1/claims", text=text, caller="key")
            except ApiError as refused:
                named = _named_items(refused)
                if named is None or not any(n in named for n in range(len(rest))):
                    raise
                yield from ({**one.result, "errors": named[n]} for n, one in enumerate(rest) if n in named)
                rest = [one for n, one in enumerate(rest) if n not in named]
                continue
            if len(sent["claims"]) != len(rest):
                raise OverturnError("what answers there is not this service")
            for n, (one, said) in enumerate(zip(rest, sent["claims"])):
                error = said.pop("error", None)
                # That of a sandbox.
                more = [{**advice, "index": 0} for advice in sent.get("advice", []) if advice["index"] == n]
                yield {**one.result, **said, "errors": [error] if error else [], "advice": one.result["advice"] + more}
            return


def _named_items(error: ApiError) -> dict[int, list[str]] | None:
    """The items that a refusal names. The others can be sent at once."""
    stopped = STOPPED.fullmatch(error.message)
    problems = [f"{place}: {stopped[2]}" for place in stopped[1].split(", ")] if stopped else error.problems
    named: dict[int, list[str]] = {}
    for problem in problems:
        place = PLACE.fullmatch(problem)
        if place is None:
            return None
        named.setdefault(int(place[1]), []).append(place[2])
    return named
