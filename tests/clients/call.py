"""A developer's use of the clients that openapi-python-client generates from the descriptions: send a claim, read its status,
and handle refusals by their type. CONTRACT_DEMO is the file of the demo data."""

import datetime

from overturn_accounts import AuthenticatedClient as AccountsClient
from overturn_accounts.api.denials import list_denials
from overturn_accounts.models import NotAuthenticatedError
from overturn_claims import AuthenticatedClient
from overturn_claims.api.claims import read_claim_status, send_claims
from overturn_claims.models import Batch, Claim, ClaimStatus, ErrorResponse, Item, Patient, PlanType, SendResponse, Single, StatusResponse

from people import DEMO, Person

URL, KEY = DEMO["base_url"], DEMO["practices"]["active"]["keys"]["full"]


def main():
    client = AuthenticatedClient(base_url=URL, token=KEY)
    patient = Patient(first_name="Dana", last_name="Whitfield", date_of_birth=datetime.date(1984, 6, 2))
    claim = Claim(
        claim_number="PY-2025-00417",
        payer_claim_number="25014XK8831",
        payer_name="Blue Prairie Health",
        date_of_service=datetime.date(2025, 1, 14),
        plan_type=PlanType.MEDICARE,
        billed_amount="245.00",
        denial_codes=["CO-50", "N130"],
    )
    sent = send_claims.sync_detailed(client=client, body=Batch(claims=[Item(patient=patient, claim=claim)]))
    assert sent.status_code == 201 and isinstance(sent.parsed, SendResponse), sent.content
    [result] = sent.parsed.claims
    assert result.created and result.status is ClaimStatus.RECEIVED
    again = send_claims.sync(client=client, body=Single(patient=patient, claim=claim))
    assert isinstance(again, SendResponse) and again.submission_id is None and not again.claims[0].created

    read = read_claim_status.sync(client=client, claim_number=claim.claim_number)
    assert isinstance(read, StatusResponse) and (read.claim.id, read.claim.status) == (result.id, ClaimStatus.RECEIVED)
    unknown = read_claim_status.sync(client=client, claim_number="PY-2025-00418")
    assert isinstance(unknown, ErrorResponse) and unknown.error == "no claim with that claim_number"

    claim.billed_amount = None
    invalid = send_claims.sync_detailed(client=client, body=Single(patient=patient, claim=claim))
    assert invalid.status_code == 422 and isinstance(invalid.parsed, ErrorResponse)
    assert invalid.parsed.errors == ["claim.billed_amount or claim.denied_amount is required"]
    stranger = AuthenticatedClient(base_url=URL, token="mistyped")
    refused = read_claim_status.sync_detailed(client=stranger, claim_number=claim.claim_number)
    assert refused.status_code == 401 and isinstance(refused.parsed, ErrorResponse)
    assert refused.headers["WWW-Authenticate"] == "Bearer"

    by_key = list_denials.sync(client=AccountsClient(base_url=URL, token=KEY))
    assert isinstance(by_key, NotAuthenticatedError)
    assert by_key.error.message.startswith("this takes a session or an API token")
    by_token = list_denials.sync_detailed(client=AccountsClient(base_url=URL, token=Person("other_owner").token()), limit=5)
    assert by_token.status_code == 200 and by_token.parsed.denials == [], by_token.content
    print("a claim was sent and read, 422 and 401 were typed")


main()
