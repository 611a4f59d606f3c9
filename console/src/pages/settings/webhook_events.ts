import type { WebhookEvent } from "../../generated/rules.ts";

/** What a webhook can send a message about. */
export const EVENTS: Record<WebhookEvent, string> = {
  "claim.status_changed": "A claim’s status changes",
  "claim.signing_changed": "A patient has to sign, or has signed",
  "claim.deadline_changed": "A deadline changes",
  "claim.amount_corrected": "The amount that a payer paid is corrected",
  "report.delivered": "A report is delivered",
  "api_key.leaked": "A leaked API key is revoked",
  "api_token.leaked": "A leaked API token is revoked",
  "api_key.expiring": "An API key ends soon",
  "api_token.expiring": "An API token ends soon",
};
