curl -sS "$OVERTURN_URL/api/v1/settings/webhooks" -H "Authorization: Bearer $OVERTURN_API_TOKEN" \
  -H "Idempotency-Key: $(uuidgen)" -d "{\"url\": \"$HOOK_URL\", \"events\": [\"claim.status_changed\"]}"
