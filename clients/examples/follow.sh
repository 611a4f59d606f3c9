curl -sS "$OVERTURN_URL/api/v1/denials?limit=100&changes_after=start" -H "Authorization: Bearer $OVERTURN_API_TOKEN"
