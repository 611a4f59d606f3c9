"""The rules of the wider service that its description cannot express, and checks that look at more than one answer.

CONTRACT_DEMO is the file of the demo data, and CONTRACT_RUN the caller:

  nobody   without any credential
  token    with an API token of an admin, which has all scopes
  member   with a session that may not change anything of the practice
  staff    with a session of the staff, which has no access to a practice's settings
  owner    with a session of an owner
  limited  the same, with the limits of production, and only reads

deliberate.py makes the calls that would end the run's own session or account.
"""

import json
import os
import re
import uuid
import zlib
from collections import defaultdict, deque
from datetime import date, datetime, timezone

import requests
import schemathesis
from hypothesis import strategies as st

from answers import PAGES, TAGS, UNSERVED, answered, is_for_people, operation
from people import DEMO, Person

RUN = os.environ["CONTRACT_RUN"]
PEOPLE = {"token": "admin", "member": "member", "staff": "staff", "owner": "owner", "limited": "other_owner"}
PERSON = Person(PEOPLE[RUN]) if RUN in PEOPLE else None
HEADERS = {} if PERSON is None else PERSON.headers()
if RUN == "token":
    HEADERS = {"Authorization": f"Bearer {PERSON.token()}"}
UNSAFE = ("POST", "PUT", "PATCH", "DELETE")
# A member reads their own records and revokes their own tokens. Everything else needs a manager of the practice.
FOR_MEMBERS = {"showPractice", "listAgreements", "listApiTokens", "revokeApiToken", "removeMember", "listDenials", "showDenial", "showSigningLink", "sendDenials", "setLetter"}
FOR_MEMBERS |= {"summarizeDenials", "listPayers", "listPracticeReports", "showPracticeReport", "listAppeals", "showAppeal"}
FOR_MEMBERS |= {"showDocumentSettings", "listDocuments", "showDocument", "downloadDocument", "deleteDocument"}
# Staff upload as well, for the practice that they name.
FOR_STAFF = {"uploadDocument", "uploadDocuments"}

# ── What is sent ─────────────────────────────────────────────────────────────────────────────────────────────────────

# JSON Schema cannot express which addresses are allowed.
ADDRESSES = st.from_regex(r"https://[a-z]{1,20}\.example\.com(:8443)?(/[a-z0-9]{0,9}){0,3}", fullmatch=True)
schemathesis.openapi.format("webhook-url", ADDRESSES)
# Nor can it express a query of the queue.
FILTERS = st.sampled_from(["status=received", "taken_by=me", "signature=link_dead", "min_age_days=30", "order=latest_deadline"])
schemathesis.openapi.format("queue-query", st.lists(FILTERS, min_size=1, unique=True).map("&".join))

# The last ids in answers, by noun, without removed ones and without the person's own account.
SEEN = defaultdict(lambda: deque(maxlen=4))


@schemathesis.hook
def before_call(ctx, case, kwargs):
    """Signs in. Every other path names a record that exists."""
    for name, value in HEADERS.items():
        # Without a valid CSRF token, the case counts as one without the header.
        if name != "X-CSRF-Token" or is_csrf_token(case.headers.get(name)):
            case.headers[name] = value
    if "id" in (case.path_parameters or {}):
        case.path_parameters["id"] = other_id(case)
    if "practice" in (case.path_parameters or {}):
        case.path_parameters["practice"] = DEMO["practices"]["active"]["id"]
    if isinstance(case.query, dict):
        query = {name: asked(case, name, value) for name, value in case.query.items()}
        case.query = {name: value for name, value in query.items() if value is not ABSENT}
    if isinstance(case.body, dict):
        case.body = {name: bent(name, value) for name, value in case.body.items()}
    if is_uuid(case.headers.get("Idempotency-Key")):
        case.headers["Idempotency-Key"] = key_of(case)


# Stands for a parameter that is left out.
ABSENT = object()


def asked(case, name, value):
    """Rules of a query without a keyword: a date near today's, the days of a month, each status once, that an empty
    number is the same as none, that documents are of a case or of a report, that decisions to ask for have no deadline, and that
    an order has cursors of its own and may take no number."""
    if name == "report_id" and case.query.get("case_id"):
        return ABSENT
    to_ask = operation(case) == "listQueue" and case.query.get("ask_before")
    if to_ask and name in ("claim_number", "due_from", "due_to"):
        return ABSENT
    if name == "claim_number" and operation(case) == "listQueue" and str(case.query.get("order")) in BY_VALUE:
        return ABSENT
    if name == "limit" and value in ("", None, [], {}):
        return ABSENT
    if not isinstance(value, str):
        return value
    if name == "action" and re.fullmatch(r"[a-z_]+\.[a-z_]+", value):
        return action_like(case, value)
    if name == "today" and is_day(value):
        return datetime.now(timezone.utc).date().isoformat()
    if name in ("today", "due_before") and re.fullmatch(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", value) and not is_day(value):
        return ""
    if name == "cursor" and operation(case) in ("listQueue", "listAllCases"):
        return in_order(str(case.query.get("order")), on_a_day(value))
    if name == "status" and operation(case) == "listQueue":
        return ",".join(dict.fromkeys(value.split(",")))
    return value


def action_like(case, value):
    """An action of the audit trail. The description names them in a table."""
    introduction = case.operation.schema.raw_schema["info"]["description"]
    table = introduction.partition("| action | record |")[2].partition("\n\n")[0]
    known = re.findall(r"`([a-z_]+\.[a-z_]+)`", table)
    return known[zlib.crc32(value.encode()) % len(known)]


def on_a_day(cursor):
    """A cursor of the queue with an impossible date gets one after all dates. A pattern cannot express how long months are."""
    place = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2})(_[0-9a-f]{32})", cursor)
    return "none" + place[2] if place and not is_day(place[1]) else cursor


# The orders of the queue by a value, and whether a claim may be without it.
BY_VALUE = {"denied": True, "most_denied": True, "arrived": False, "latest_arrived": False}


def in_order(order, cursor):
    """A cursor of this order."""
    place = re.fullmatch(r"([0-9]{4}-[0-9]{2}-[0-9]{2}|[0-9]{19}|none)(_[0-9a-f]{32})", cursor)
    if not place:
        return cursor
    is_number, is_none = len(place[1]) == 19, place[1] == "none"
    if order not in BY_VALUE:
        return "none" + place[2] if is_number else cursor
    fits = is_number or (is_none and BY_VALUE[order])
    return cursor if fits else "0000000000000012345" + place[2]


def is_day(text):
    try:
        return bool(date.fromisoformat(text))
    except ValueError:
        return False


def bent(name, value):
    """Rules without a keyword: passwords that are too common, characters that are not printable, and `5.0` as an integer."""
    if name in ("name", "signer_name", "signer_title") and isinstance(value, str):
        return value.translate(TAGS)
    if name in ("password", "new_password") and isinstance(value, str) and 12 <= len(value) < 900:
        return value + ", and a tail that is in no list"
    if name == "claims" and isinstance(value, list) and all(isinstance(one, dict) for one in value):
        once = {str(one.get("id")): one for one in value}.values()
        return [{name: bent(name, part) for name, part in one.items()} for one in once]
    return int(value) if isinstance(value, float) and value.is_integer() else value


def key_of(case):
    """Every request gets its own key. A request that is generated twice becomes a repetition."""
    seen = case.headers.get("If-Match")
    said = json.dumps([case.operation.label, case.path_parameters, case.body, seen], default=str)
    return str(uuid.uuid5(uuid.NAMESPACE_URL, said))


def is_uuid(value):
    try:
        return isinstance(value, str) and bool(uuid.UUID(value))
    except ValueError:
        return False


def is_csrf_token(value):
    return isinstance(value, str) and len(value) == 43 and value.isascii()


def other_id(case):
    """The id of a record, but not of the person's own account."""
    given = case.path_parameters["id"]
    known = SEEN[collection(case)]
    dice = zlib.crc32(repr((given, case.body, len(known))).encode())
    if known and dice % 2:
        given = known[dice // 2 % len(known)]
    return str(uuid.UUID(int=dice)) if PERSON and given == PERSON.id else given


def collection(case):
    """The noun of a path: `members` of `/api/v1/settings/members/{id}/sessions`."""
    return case.operation.path.split("/{id}")[0].rsplit("/", 1)[-1]


# ── What is answered ─────────────────────────────────────────────────────────────────────────────────────────────────


def is_protected(case):
    return case.operation.definition.raw.get("security", True) and operation(case) != "showSecondFactor"


def is_of_the_practice(case):
    paths = ("/api/v1/settings/", "/api/v1/denials", "/api/v1/documents", "/api/v1/reports", "/api/v1/appeals")
    return case.operation.path.startswith(paths) and operation(case) not in FOR_STAFF


def takes_a_token(case):
    return any("apiToken" in scheme for scheme in case.operation.definition.raw.get("security") or [])


def is_of_the_staff(case):
    return case.operation.path.startswith("/api/v1/staff/") and not is_of_the_auditor(case)


def is_of_the_auditor(case):
    return case.operation.path.startswith("/api/v1/staff/audit")


@schemathesis.check
def ids_are_remembered(ctx, response, case):
    seen = SEEN[collection(case)]
    gone = (case.path_parameters or {}).get("id") if response.status_code == 204 and operation(case) == "removeMember" else None
    if gone in seen:
        seen.remove(gone)
    body = answered(response) if response.status_code in (200, 201) else None
    listed = body.get(collection(case)) if isinstance(body, dict) else None
    for record in listed if isinstance(listed, list) else [body]:
        if isinstance(record, dict) and "id" in record and not (PERSON and record["id"] == PERSON.id):
            seen.append(record["id"])


@schemathesis.check
def errors_are_nested(ctx, response, case):
    """Includes answers that the description does not cover."""
    # A range outside of a document gets only headers (RFC 9110, 15.5.17).
    if response.status_code < 400 or response.status_code == 416 or response.request.method == "HEAD":
        return
    if is_for_people(response):
        assert operation(case) in PAGES, "a page"
        return
    body = answered(response)
    assert set(body) <= {"error", "continuation_token"}, f"an error with {sorted(body)}"
    assert {"code", "message", "request_id"} <= set(body["error"]) <= {"code", "message", "reason", "details", "request_id"}
    assert [body["error"]["request_id"]] == response.headers["x-request-id"], "another request id"
    if response.status_code == 405:
        assert response.headers.get("allow"), "405 without Allow"


@schemathesis.check
def no_value_in_an_error(ctx, response, case):
    if response.status_code >= 400 and isinstance(case.body, dict):
        text = json.dumps(answered(response), ensure_ascii=False)
        for name, value in case.body.items():
            # Shorter values, and words of the interface, occur in any text.
            if isinstance(value, str) and len(value) >= 6 and value not in DESCRIPTION:
                assert value not in text, f"the error repeats {name}"


DESCRIPTION = ""


@schemathesis.hook
def after_load_schema(ctx, schema):
    global DESCRIPTION
    DESCRIPTION = json.dumps(schema.raw_schema, ensure_ascii=False)


@schemathesis.check
def only_who_may(ctx, response, case):
    """What each caller gets for any request."""
    status, method = response.status_code, response.request.method
    if status == 405 or not is_protected(case):
        return
    if "Authorization" not in response.request.headers and "Cookie" not in response.request.headers:
        assert status == 401, f"nobody got {status}"
    elif RUN == "token":
        assert status == 403 or method == "GET" or takes_a_token(case), f"a token got {status} for a write"
    elif method in UNSAFE and response.request.headers.get("X-CSRF-Token") != PERSON.csrf:
        assert status == 403, f"{status} without the CSRF token"
    elif is_of_the_auditor(case):
        assert status == 403, f"{RUN} got {status}"
    elif is_of_the_practice(case) if RUN == "staff" else is_of_the_staff(case):
        assert status == 403, f"{RUN} got {status}"
    elif RUN == "member" and is_of_the_practice(case) and operation(case) not in FOR_MEMBERS:
        assert status == 403, f"a member got {status}"


@schemathesis.check
class TagsAreHonoured:
    """A caller with the current ETag gets no body."""

    def __init__(self):
        self.tried = set()

    def after_response(self, ctx, response, case):
        if response.status_code != 200 or response.request.method != "GET" or operation(case) in self.tried:
            return
        self.tried.add(operation(case))
        tag = response.headers["etag"][0]
        for _ in range(5):
            again = {**response.request.headers, "If-None-Match": tag}
            same = requests.get(response.request.url, headers=again, timeout=10)
            # A job of the service changed the record in between, as a delivery does that fails.
            if same.status_code != 200 or same.headers["etag"] == tag:
                break
            tag = same.headers["etag"]
        assert (same.status_code, same.content) == (304, b""), f"{same.status_code} for what the caller has"
        assert same.headers["etag"] == tag


@schemathesis.check
class NothingLeftOut:
    """A run must see every operation succeed at least once. deliberate.py covers those about one record:
    whether a random request names one that there still is, is luck."""

    def __init__(self):
        self.missing = {}

    def after_response(self, ctx, response, case):
        definition = case.operation.definition.raw
        done = [int(status) for status in definition["responses"] if status.startswith("2")]
        by_luck = operation(case) in UNREACHED | UNSERVED or "{" in case.operation.path
        of_owner = not is_of_the_staff(case) and not is_of_the_auditor(case)
        theirs = {"owner": of_owner, "staff": is_of_the_staff(case), "token": takes_a_token(case)}
        if theirs.get(RUN) and not by_luck:
            self.missing.setdefault(operation(case), done)
        if response.status_code in done:
            self.missing[operation(case)] = None

    def after_run(self, ctx):
        missing = {name: done for name, done in self.missing.items() if done}
        assert not missing, f"never answered with: {missing}"


# Operations that need a secret from no answer, or that can run only once. deliberate.py calls them.
UNREACHED = {
    "signIn",
    "showSecondFactor",
    "verifyMagicLink",
    "resetPassword",
    "previewInvitation",
    "acceptInvitation",
    "signAgreement",
    "confirmFactor",
    "enrolPasskey",
    "signInWithPasskey",
    "beginPasskeyFactor",
    # The names of the files are the caller's, so the description does not make any.
    "uploadDocuments",
    # Some of its rules are words of the description.
    "sendDenials",
    # Whether a random request has the version of the record is luck. The tests over HTTP change each of them.
    "changeDocumentSettings",
    "editPractice",
    "requireSso",
    "previewPasswordReset",
}
