from overturn import Client

client = Client()  # reads OVERTURN_URL and OVERTURN_API_KEY
patient = {
    "first_name": "Maria", "last_name": "Gonzalez", "date_of_birth": "1968-04-12", "member_id": "XEH904718265",
}
claim = {
    "claim_number": "RECOVER-1", "payer_claim_number": "25014XK8831", "payer_name": "Blue Prairie Health",
    "date_of_service": "2025-01-14", "denial_date": "2025-02-03", "plan_type": "erisa", "procedure_code": "99214-25",
    "billed_amount": "245.00", "denial_codes": ["CO-50", "N130"],
}
for result in client.claims.send([{"patient": patient, "claim": claim}]):
    print(result["claim_number"], result.get("status"), result["errors"], result["advice"])
