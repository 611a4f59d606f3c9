"""The rules of the interface that the description cannot express, and checks that look at more than one answer.

CONTRACT_KEY is the API key of the run, and CONTRACT_RUN one of:

  open      a key with all scopes, against a service without limits
  limited   a key with all scopes, against a service with the limits of production
  refused   a key that may not make the calls; CONTRACT_REFUSAL is the status it gets, with a code if there is one
"""

import copy
import datetime
import json
import os
import time
import zlib
from collections import defaultdict

import schemathesis
import yaml
from hypothesis import strategies as st

from answers import TAGS, answered, operation, resolved

RUN = os.environ["CONTRACT_RUN"]
AUTHORIZATION = f"Bearer {os.environ['CONTRACT_KEY']}"
REFUSAL = os.environ.get("CONTRACT_REFUSAL", "0").split()

SEND, READ = "sendClaims", "readClaimStatus"
# The key is a live one, which has no clock. Calls about a clock count as reads.
CLOCK = ("readSandboxClock", "advanceSandboxClock")
# The calls that a key may make in a minute.
LIMITS = {SEND: 60, READ: 300}
EXPECTED = {
    "open": {SEND: {200, 201, 401, 405, 422}, READ: {200, 401, 404, 405, 422}, **dict.fromkeys(CLOCK, {401, 404})},
    "limited": {SEND: {200, 201, 422, 429}, READ: {200, 404, 422, 429}, **dict.fromkeys(CLOCK, set())},
    "refused": dict.fromkeys([SEND, READ, *CLOCK], {int(REFUSAL[0])}),
}


def counted(case):
    """The operation that a call counts as."""
    return READ if operation(case) in CLOCK else operation(case)


# ── What is sent ─────────────────────────────────────────────────────────────────────────────────────────────────────

# JSON Schema cannot express "not in the future". Yesterday, because the run may pass midnight UTC and clocks differ.
YESTERDAY = datetime.datetime.now(datetime.UTC).date() - datetime.timedelta(days=1)
schemathesis.openapi.format("date", st.dates(max_value=YESTERDAY).map(str))
# At least one of each group is required. Generated cases rarely leave out a whole group.
GROUPS = [("billed_amount", "denied_amount"), ("denial_codes", "denial_reason")]


# By status: the type with which `strict.yaml` replaces the one error type of the description.
BODIES = {
    "200": "NothingNew",
    "201": "SomethingNew",
    "403": "ForbiddenError",
    "422": "InvalidError",
    "429": "RateLimitError",
}


@schemathesis.hook
def before_load_schema(ctx, raw_schema):
    """Checks requests and answers against all rules, including those that the description only puts into words."""
    schemas = raw_schema["components"]["schemas"]
    with open("tests/contract/strict.yaml", encoding="utf-8") as strict:
        schemas |= yaml.safe_load(strict)
    schemas["Claim"] |= schemas.pop("ClaimRules")
    for path in raw_schema["paths"].values():
        for method in path.values():
            for status, answer in method["responses"].items():
                answer = resolved(raw_schema, answer)
                body = answer["content"]["application/json"]["schema"]
                if body["$ref"].endswith("/ErrorResponse"):
                    body["$ref"] = "#/components/schemas/" + BODIES.get(status, "PlainError")
                elif body["$ref"].endswith("/SendResponse"):
                    body["$ref"] = "#/components/schemas/" + BODIES[status]


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Changes a body if generated ones are too often invalid, or never.

    A changed case is judged by the description again, so one that lacks a group has to be refused.
    """
    if not isinstance(case.body, dict):
        return
    body = copy.deepcopy(case.body)
    claims = [item["claim"] for item in items(body) if isinstance(item.get("claim"), dict)]
    make_printable(body)
    make_new(claims)
    make_distinct(claims)
    # Examples are valid, whatever the generator thinks of them.
    if case.meta.phase.name.value != "examples":
        take_groups_away(claims)
    stretch(body)
    if body != case.body:
        case.body = body


def make_printable(body):
    for item in items(body):
        for part in ("patient", "claim"):
            fields = item.get(part)
            for name, value in fields.items() if isinstance(fields, dict) else []:
                if name.endswith(("claim_number", "_name")) and isinstance(value, str):
                    fields[name] = value.translate(TAGS)


def make_new(claims):
    """Every second claim gets a new number, because generated cases prefer numbers from answers."""
    for claim in claims:
        number, any_number = claim.get("claim_number"), dice(claim)
        if is_number(number) and any_number % 2:
            claim["claim_number"] = f"{number[:100]}/{any_number}"


def make_distinct(claims):
    """A batch must not repeat a claim number. JSON Schema has no keyword for this, either."""
    seen = set()
    for index, claim in enumerate(claims):
        number = claim.get("claim_number")
        if is_number(number):
            if number in seen:
                claim["claim_number"] = f"{number[:124]}-{index}"
            seen.add(claim["claim_number"])


def is_number(value):
    return isinstance(value, str) and bool(value.strip()) and len(value) <= 128


def take_groups_away(claims):
    for claim in claims:
        any_number = dice(claim)
        if any_number % 16 < len(GROUPS):
            for name in GROUPS[any_number % 16]:
                claim[name] = None if any_number % 32 < 16 else ""


def dice(value):
    """A pseudorandom choice, the same in every run."""
    return zlib.crc32(json.dumps(value, sort_keys=True).encode())


def stretch(body):
    """Lengths count characters, so long generated text gets characters of two bytes."""
    for item in items(body):
        for part in ("patient", "claim"):
            fields = item.get(part)
            for name, value in fields.items() if isinstance(fields, dict) else []:
                if isinstance(value, str) and len(value) > 100 and value.isalnum() and not name.endswith("_amount"):
                    fields[name] = "é" * len(value)


def items(body):
    """The items of a request body, if it has the right shape."""
    if not isinstance(body, dict):
        return []
    claims = body.get("claims", [body])
    return [item for item in claims if isinstance(item, dict)] if isinstance(claims, list) else []


# ── What is answered ─────────────────────────────────────────────────────────────────────────────────────────────────


def sent(response):
    """The body that was sent, `None` if it is not JSON."""
    try:
        return json.loads(response.request.body)
    except (TypeError, ValueError):
        return None


@schemathesis.check
def no_answer_without_the_key(ctx, response, case):
    if response.request.headers.get("Authorization") != AUTHORIZATION and response.status_code != 405:
        assert response.status_code == 401, f"a request without the key was answered with {response.status_code}"


@schemathesis.check
def nothing_about_a_key_that_is_refused(ctx, response, case):
    """The answer does not show whether a key ever existed."""
    if response.status_code == 401:
        told = [name for name in response.headers if name.startswith("x-ratelimit")]
        assert not told, f"401 with {told}"


@schemathesis.check
def refused_as_expected(ctx, response, case):
    if RUN == "refused":
        assert [str(response.status_code), *filter(None, [answered(response).get("code")])] == REFUSAL


@schemathesis.check
def method_not_allowed_is_flat(ctx, response, case):
    """The checks of the description skip methods that it does not list."""
    if response.status_code == 405:
        assert response.headers.get("allow"), "405 without Allow"
        if response.request.method != "HEAD":
            body = answered(response)
            assert set(body) == {"error"} and isinstance(body["error"], str), "405 is not flat"


@schemathesis.check
def no_patient_in_an_answer(ctx, response, case):
    if RUN != "open" or operation(case) != SEND:
        return
    text = json.dumps(answered(response), ensure_ascii=False)
    for item in items(sent(response)):
        patient, claim = item.get("patient"), item.get("claim")
        numbers = [claim.get("claim_number")] if isinstance(claim, dict) else []
        for name, value in patient.items() if isinstance(patient, dict) else []:
            # Shorter values occur in any text, and some generated claim numbers equal a patient's data.
            if isinstance(value, str) and len(value) >= 6 and not any(value in str(number) for number in numbers):
                assert value not in text, f"the answer repeats patient.{name}"


@schemathesis.check
class AnswersAgree:
    """Later answers about a claim must agree with earlier ones."""

    def __init__(self):
        self.ids = {}

    def after_response(self, ctx, response, case):
        if operation(case) == SEND and response.status_code in (200, 201):
            results = answered(response)["claims"]
            numbers = [item["claim"]["claim_number"] for item in items(sent(response))]
            assert [result["claim_number"] for result in results] == numbers, "the results are not those of the items"
            for result in results:
                number, claim_id = result["claim_number"], result.get("id")
                assert not (result["created"] and number in self.ids), "a claim was created twice"
                if claim_id is not None:
                    assert self.ids.setdefault(number, claim_id) == claim_id, "a claim has two ids"
        if operation(case) == READ and response.status_code in (200, 404):
            number = case.query["claim_number"]
            if response.status_code == 404:
                assert number not in self.ids, "a claim that was sent is not found"
            else:
                claim = answered(response)["claim"]
                assert claim["claim_number"] == number, "another claim is shown"
                assert self.ids.setdefault(number, claim["id"]) == claim["id"], "a claim has two ids"


@schemathesis.check
class LimitHolds:
    """The service accepts no more calls than the limit allows. An instance has some ahead, so a few less may pass, and the headers
    count as the instance knows."""

    def __init__(self):
        self.began = time.monotonic()
        self.let_in = defaultdict(int)

    def after_response(self, ctx, response, case):
        # After a minute, calls leave the window.
        if RUN == "open":
            # Without limits, every call counts as the first of its window.
            self.let_in[counted(case)] = 0
        # A method that is not served has no limit.
        if response.status_code in (401, 405) or time.monotonic() - self.began > 55:
            return
        name, headers = counted(case), response.headers
        if response.status_code == 429:
            assert self.let_in[name] >= LIMITS[name] / 2, "refused with many calls left"
            assert headers["retry-after"] == [str(answered(response)["retry_after"])]
        else:
            self.let_in[name] += 1
            assert self.let_in[name] <= LIMITS[name], "let in beyond the limit"
        assert headers["x-ratelimit-limit"] == [str(LIMITS[name])]
        [remaining] = headers["x-ratelimit-remaining"]
        assert 0 <= int(remaining) < LIMITS[name]


@schemathesis.check
class NothingLeftOut:
    """A run must see every kind of answer at least once."""

    def __init__(self):
        self.seen = defaultdict(set)

    def after_response(self, ctx, response, case):
        self.seen[operation(case)].add(response.status_code)

    def after_run(self, ctx):
        for name, seen in self.seen.items():
            missing = EXPECTED[RUN][name] - seen
            assert not missing, f"{name} was never answered with {sorted(missing)}"
