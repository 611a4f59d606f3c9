"""The client in Python, as it is installed, against the service and its faults.

DEMO is the file of the demo data, and PROXY the address of proxy.mjs.
"""

import base64
import hashlib
import hmac
import json
import os
import struct
import time
import unittest
from urllib.request import Request, urlopen

import overturn
from overturn import ApiError, Client, LostAnswerError, OverturnError, SendError, SignatureError, verify_webhook

with open(os.environ["DEMO"], encoding="utf-8") as file:
    DEMO = json.load(file)
PROXY = os.environ["PROXY"]
KEY = DEMO["practices"]["active"]["keys"]["full"]
# Of the right form, and nobody's.
STRANGER, TOKEN = "ovt_test_3UeuGdlKTJieoGJrUHcY7S8yUfegzRh40nSetp0", "ovu_test_3UeuGdlKTJieoGJrUHcY7S8yUfegzRh4066vfO2"
INVALID = {"error": "Invalid request", "errors": ["claims[1]: claim.date_of_service is wrong", "claims[1]: claim.payer_name is wrong"]}
STOPPED = (
    "claim.claim_number cannot be sent again until 00:00 UTC, because too many resends of today were for a different patient or claim"
)


def made(**credentials):
    """A client whose waits take no time, and the waits."""
    waits = []
    return Client(PROXY, sleep=waits.append, **credentials), waits


def faults(*every):
    urlopen(Request(f"{PROXY}/faults", data=json.dumps(every).encode(), method="POST")).read()


def seen():
    return json.load(urlopen(f"{PROXY}/seen"))


def item(number, **more):
    claim = {
        "claim_number": number,
        "payer_claim_number": "25014XK8831",
        "payer_name": "Blue Prairie Health",
        "date_of_service": "2025-01-14",
        "billed_amount": "245.00",
        "denial_codes": ["CO-50"],
        **more,
    }
    return {"patient": {"first_name": "Dana", "last_name": "Whitfield", "date_of_birth": "1984-06-02"}, "claim": claim}


def totp(secret):
    """The code that an authenticator app shows (RFC 6238)."""
    digest = hmac.new(base64.b32decode(secret), struct.pack(">Q", int(time.time()) // 30), hashlib.sha1).digest()
    return f"{(struct.unpack('>I', digest[digest[-1] & 15 :][:4])[0] & 0x7FFFFFFF) % 1_000_000:06}"


class ClientTest(unittest.TestCase):
    maxDiff = None

    @classmethod
    def setUpClass(cls):
        faults()
        user = DEMO["users"]["admin"]
        cls.admin = made()[0]
        try:
            cls.admin.sign_in(user["email"], user["password"])
        except overturn.TwoFactorRequiredError as wanted:
            cls.wanted = wanted
        cls.admin.sign_in(user["email"], user["password"], lambda: totp(user["totp_secret"]))

    def refused(self, kind, call, **fields):
        with self.assertRaises(kind) as caught:
            call()
        for name, value in fields.items():
            self.assertEqual(getattr(caught.exception, name), value)

    def test_a_person_with_a_second_factor_needs_a_code(self):
        self.assertIn("give sign_in a `code`", str(self.wanted))

    def test_a_write_whose_answer_is_lost_is_done_once(self):
        faults("lose")
        body = {"name": "Client", "scopes": ["denials:read"], "expires_in_days": 1}
        repeated = self.admin.api_tokens.create_api_token(body)
        self.assertIsNone(repeated["token"])
        first, second = seen()
        self.assertEqual(first, second)
        self.assertTrue(first["key"])
        self.admin.api_tokens.revoke_api_token(repeated["id"])

    def test_any_number_of_items_is_sent_and_each_gets_its_answer_whatever_is_lost(self):
        client, waits = made(api_key=KEY)
        client.claims.send_claims(item("PY-taken"))
        other = {**item("PY-taken"), "patient": {"first_name": "Jane", "last_name": "Doe", "date_of_birth": "1980-02-29"}}
        items = [*(item(f"PY-{n}") for n in range(230)), item("PY-0", billed_amount="250.00"), item("PY-bad", billed_amount="2"), other]
        limited = {"status": 429, "retry_after": 3, "body": {"error": "too many requests", "retry_after": 3}}
        faults("lose", {"status": 503, "retry_after": 2}, "pass", limited, "drop")
        results = client.claims.send(iter(items))
        self.assertEqual([one["index"] for one in results], list(range(233)))
        errors = [(one["claim_number"], one["errors"]) for one in results if one["errors"]]
        expected = [
            ("PY-bad", ["claim.billed_amount must be a positive amount as text with two decimals"]),
            ("PY-taken", ["claim.claim_number is already used for a different patient"]),
        ]
        self.assertEqual(errors, expected)
        self.assertEqual(len({one["id"] for one in results[:230]}), 230)
        self.assertEqual(results[230]["id"], results[0]["id"])
        sent = seen()
        self.assertEqual(len({one["body"] for one in sent[:3]}), 1)
        self.assertEqual([int(wait * 2) / 2 for wait in waits], [0.5, 2, 3, 0.5])

    def test_items_that_the_service_refuses_do_not_hold_up_the_others(self):
        client, _ = made(api_key=KEY)
        named = {"error": f"claims[0], claims[2]: {STOPPED}", "retry_after": 80_000}
        faults({"status": 422, "body": INVALID}, {"status": 429, "retry_after": 80_000, "body": named})
        results = client.claims.send([item(f"PY-part-{name}") for name in "ABCD"])
        expected = [
            (False, [STOPPED]),
            (False, ["claim.date_of_service is wrong", "claim.payer_name is wrong"]),
            (True, []),
            (False, [STOPPED]),
        ]
        self.assertEqual([(one["created"], one["errors"]) for one in results], expected)

    def test_a_send_that_ends_early_has_the_answers_that_came_before(self):
        client, _ = made(api_key=KEY)
        faults("pass", *[{"status": 500}] * 7)
        with self.assertRaises(SendError) as caught:
            client.claims.send([item(f"PY-end-{n}") for n in range(150)])
        self.assertIsInstance(caught.exception.__cause__, overturn.InternalErrorError)
        self.assertEqual((len(caught.exception.results), len(seen())), (100, 8))
        self.assertEqual(caught.exception.cause.status, 500)
        self.assertIn("send all items again: nothing is doubled", str(caught.exception))

    def test_the_advice_of_a_sandbox_comes_with_the_item_after_that_of_the_rules(self):
        client, _ = made(api_key=KEY)
        claims = [{"claim_number": f"PY-{name}", "created": True, "id": "x", "status": "received"} for name in "AB"]
        advice = [{"index": 1, "code": "not_made_up", "message": "send no real patient here"}]
        faults({"status": 201, "body": {"claims": claims, "advice": advice, "submission_id": "x"}})
        results = client.claims.send([item("PY-A"), item("PY-B")])
        missing = [(0, "denial_date_missing"), (0, "plan_type_missing")]
        told = [[(one["index"], one["code"]) for one in result["advice"]] for result in results]
        self.assertEqual(told, [missing, [*missing, (0, "not_made_up")]])

    def test_large_items_are_split_by_bytes(self):
        client, _ = made(api_key=KEY)
        faults()
        results = client.claims.send({**item(f"PY-large-{n}"), "note": "x" * 900_000} for n in range(5))
        self.assertEqual([one["created"] for one in results], [True] * 5)
        self.assertEqual(len(seen()), 3)

    def test_what_cannot_be_repeated_safely_is_not_repeated(self):
        client, _ = made()
        for fault, kind in (("lose", LostAnswerError), ({"status": 503, "retry_after": 1}, overturn.UnavailableError)):
            faults(fault)
            self.refused(kind, lambda: client.links.send_magic_link({"email": "nobody@example.test"}))
            self.assertEqual(len(seen()), 1)

    def test_a_refusal_has_the_class_of_its_code(self):
        client, stranger = made(api_key=KEY)[0].claims, made(api_key=STRANGER)[0].claims
        faults()
        self.refused(overturn.NotAuthenticatedError, lambda: stranger.read_claim_status(claim_number="PY-0"), status=401)
        self.refused(overturn.NotFoundError, lambda: client.read_claim_status(claim_number="PY-none"), status=404)
        problems = ["claims must have 1 to 100 items"]
        self.refused(overturn.ValidationFailedError, lambda: client.send_claims({"claims": []}), problems=problems)
        unsigned = made(api_key=DEMO["practices"]["no_baa"]["keys"]["full"])[0].claims
        self.refused(overturn.NotAuthorizedError, lambda: unsigned.send_claims(item("PY-0")), reason="baa_required")
        bad = {"url": "http://example.com", "events": []}
        self.refused(overturn.ValidationFailedError, lambda: self.admin.webhooks.create_webhook(bad), code="validation_failed")
        faults({"status": 302})
        self.refused(OverturnError, lambda: client.read_claim_status(claim_number="PY-0"))
        self.assertRaises(OverturnError, Client, "http://app.overturn.example")
        self.assertTrue(issubclass(overturn.NotFoundError, ApiError))

    def test_a_mistake_of_the_setup_is_said_before_anything_is_sent_and_no_key_is_repeated(self):
        faults()

        def said(base_url=PROXY, **options):
            with self.assertRaises(OverturnError) as caught:
                Client(base_url, **options)
            return str(caught.exception)

        self.assertIn("set OVERTURN_URL, or give the address", said(""))
        Client("https://app.overturn.example:8443/", api_key=STRANGER, api_token=TOKEN)
        for path in ("https://app.overturn.example/api/v1", f"{PROXY}/api", "https://a?b", "https://ann:secret@a"):
            self.assertIn("without a path", said(path))
            self.assertNotIn("secret", said(path))
        for name, right, other in (("api_key", STRANGER, TOKEN), ("api_token", TOKEN, STRANGER)):
            for wrong, why in (
                (right + "\n", "line break"),
                (f"{right[:20]} {right[20:]}", "a space"),
                (right[:-1], "length"),
                (right.replace("3", "4"), "mistyped"),
                (other, "begin with ov"),
                ("secret", "begin with ov"),
            ):
                message = said(**{name: wrong})
                self.assertIn(why, message)
                self.assertTrue(message.startswith(name))
                self.assertNotRegex(message, "UeuGdl|secret")
        client, _ = made()
        for call, why in (
            (lambda: client.claims.read_claim_status(claim_number="PY-0"), "set OVERTURN_API_KEY, or give api_key"),
            (lambda: client.claims.send([item("PY-0")]), "set OVERTURN_API_KEY, or give api_key"),
            (lambda: client.denials.list_denials(), "set OVERTURN_API_TOKEN, give api_token, or sign in"),
        ):
            self.assertRaisesRegex(OverturnError, why, call)
        self.assertEqual(seen(), [])

    def test_records_of_all_pages_come_one_by_one_and_a_document_is_stored_once(self):
        sender = made(api_key=KEY)[0]
        faults()
        sender.claims.send([item(f"PY-page-{n}") for n in range(120)])
        body = {"name": "Client", "scopes": ["denials:read", "documents:write"], "expires_in_days": 1}
        client, _ = made(api_token=self.admin.api_tokens.create_api_token(body)["token"])
        found = client.denials.iterate_denials(limit=100, status=["received"], payer_name="Blue Prairie Health")
        numbers = {denial["claim_number"] for denial in found}
        self.assertLessEqual({f"PY-page-{n}" for n in range(120)}, numbers)
        faults("lose")
        content = b"Dear practice, the claim is denied."
        form = {"file": ("letter.txt", content), "claim_number": "PY-page-0", "kind": "denial_letter"}
        stored = client.documents.upload_document(form)
        self.assertEqual(len({one["key"] for one in seen()}), 1)
        self.assertEqual(self.admin.documents.download_document(stored["id"]), content)
        rows = self.admin.practice.export_audit(limit=5)
        self.assertEqual(len([row for row, _ in zip(rows, range(12))]), 12)

    def test_a_webhook_message_is_verified_with_every_secret_in_time_and_unchanged(self):
        old, fresh = (f"whsec_{letter * 43}=" for letter in "bc")
        now = 1_795_255_260
        body = '{"type":"claim.status_changed","data":{"claim":{"claim_number":"Ä-1","status":"recovered"}}}'
        digest = hmac.new(base64.b64decode(fresh[6:]), f"m1.{now}.{body}".encode(), hashlib.sha256).digest()
        signature = f"v1,é v1,{base64.b64encode(digest).decode()}"
        headers = {"Webhook-Id": "m1", "webhook-timestamp": str(now), "webhook-signature": signature}
        for secrets in (fresh, [old, fresh]):
            event = verify_webhook(body, headers, secrets, now=now)
            self.assertEqual(event["data"]["claim"]["status"], "recovered")
        verify_webhook(body.encode(), headers, fresh, now=now + 300)
        for text, given, secret, at in (
            (body, headers, old, now),
            (body + " ", headers, fresh, now),
            (body, {**headers, "Webhook-Id": "m2"}, fresh, now),
            (body, {**headers, "webhook-timestamp": "x"}, fresh, now),
            (body, {}, fresh, now),
            (body, headers, fresh, now + 301),
        ):
            self.refused(SignatureError, lambda: verify_webhook(text, given, secret, now=at))
        for secret in (None, "", "whsec_secret", fresh[6:], fresh + "\n", [], [fresh, ""]):
            with self.assertRaisesRegex(OverturnError, "must be that of the webhook: whsec_") as caught:
                verify_webhook(body, headers, secret, now=now)
            self.assertNotIsInstance(caught.exception, SignatureError)


if __name__ == "__main__":
    unittest.main()
