from overturn import Client

client = Client()
client.claims.advance_sandbox_clock({"advance": "P40D"})
print(client.claims.read_claim_status(claim_number="RECOVER-1")["claim"]["status"])  # recovered
