curl -sS "$OVERTURN_URL/api/v1/claims/status?claim_number=CH-2025-00417" -H "Authorization: Bearer $OVERTURN_API_KEY"
