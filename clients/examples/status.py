from overturn import Client

claim = Client().claims.read_claim_status(claim_number="CH-2025-00417")["claim"]
print(claim["status"], claim["signing"]["status"])
