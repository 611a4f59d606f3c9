curl -sS "$OVERTURN_URL/api/v1/sandbox/clock" -H "Authorization: Bearer $OVERTURN_API_KEY" -d '{"advance": "P40D"}'
curl -sS "$OVERTURN_URL/api/v1/claims/status?claim_number=RECOVER-1" -H "Authorization: Bearer $OVERTURN_API_KEY"
