// What the rows of a trail say, in words.

import type { AuditAction } from "../../generated/rules.ts";
import type { Answer } from "../../lib/api.ts";
import { date, time, words } from "../../lib/format.ts";
import { CLOSING, DOCUMENT, LEVEL, OUTCOME, PLAN, SIGNING, STATUS } from "../../lib/terms.ts";

export type Row = Answer<"/api/v1/settings/audit", "get">["audit"][number];

/** What was done. The service may add actions, so a new one is shown by its name. */
export const ACTIONS: Readonly<Record<AuditAction, string>> = {
  "practice.created": "Made the practice",
  "practice.changed": "Changed the practice’s settings",
  "practice.state_changed": "Switched the practice on or off",
  "agreement.signed": "Signed the agreement",
  "agreement.ended": "Ended the agreement",
  "data.return_requested": "Asked for all data",
  "data.returned": "Got a part of the data",
  "data.destruction_requested": "Asked to destroy all data",
  "data.job_cancelled": "Canceled a return or a destruction",
  "data.destruction_begun": "The destruction began",
  "data.destroyed": "All data was destroyed",
  "submission.received": "Sent claims",
  "claims.corrected": "Corrected claims",
  "claims.filled_in": "Filled in missing parts of claims",
  "claims.mismatched": "Sent claims that do not match",
  "claims.resends_stopped": "Resends stopped for the day",
  "sandbox.created": "Made the sandbox",
  "sandbox.emptied": "Had the sandbox emptied",
  "sandbox.clock_advanced": "Advanced the sandbox’s clock",
  "api_key.created": "Made an API key",
  "api_key.revoked": "Revoked an API key",
  "api_key.rotated": "Made an API key in place of another one",
  "api_key.expiring": "An API key ends soon",
  "api_key.leaked": "A leaked API key was revoked",
  "api_token.created": "Made an API token",
  "api_token.regenerated": "Replaced an API token",
  "api_token.revoked": "Revoked an API token",
  "api_token.expiring": "An API token ends soon",
  "api_token.leaked": "A leaked API token was revoked",
  "user.created": "Made an account",
  "member.invited": "Invited a member",
  "member.joined": "Joined the practice",
  "member.role_changed": "Changed a member’s role",
  "member.removed": "Removed a member",
  "member.sessions_revoked": "Ended a member’s sessions",
  "session.first_factor_passed": "Began to sign in",
  "session.created": "Signed in",
  "session.failed": "Failed to sign in",
  "session.verified": "Confirmed the second factor",
  "session.verification_failed": "Failed to confirm the second factor",
  "session.ended": "Signed out",
  "session.revoked": "Ended sessions",
  "magic_link.sent": "Asked for a sign-in link",
  "password.reset_sent": "Asked for a new password",
  "password.closed": "The password was closed after wrong tries",
  "password.changed": "Changed the password",
  "factor.enrolment_begun": "Began to add a second factor",
  "factor.enrolled": "Added a second factor",
  "factor.reset": "Took away a second factor",
  "factor.recovery_codes_created": "Made new recovery codes",
  "claim.read": "Opened the claim",
  "claim.taken": "Took the claim",
  "claim.assigned": "Gave the claim to a colleague",
  "claim.noted": "Wrote a note",
  "claim.moved": "Moved the claim",
  "claim.letter_set": "Recorded the payer’s letter",
  "claim.amount_corrected": "Corrected the amount that the payer paid",
  "report.delivered": "Delivered a report",
  "case.opened": "Opened an appeal",
  "case.level_begun": "Began the next level of an appeal",
  "case.level_changed": "Changed a level of an appeal",
  "passkey.enrolled": "Added a passkey",
  "passkey.renamed": "Renamed a passkey",
  "passkey.removed": "Removed a passkey",
  "passkey.counter_repeated": "A passkey may have been copied",
  "identity.joined": "Connected a sign-in provider",
  "identity.removed": "Disconnected a sign-in provider",
  "sso.provider_added": "Added a sign-in provider",
  "sso.provider_changed": "Changed a sign-in provider",
  "sso.provider_removed": "Removed a sign-in provider",
  "sso.provider_ending": "Certificates of a sign-in provider end soon",
  "sso.required_changed": "Changed whether single sign-on is required",
  "sso.domain_added": "Added a mail domain",
  "sso.domain_verified": "Verified a mail domain",
  "sso.domain_removed": "Removed a mail domain",
  "webhook.created": "Added a webhook",
  "webhook.changed": "Changed a webhook",
  "webhook.secret_rotated": "Made a new webhook secret",
  "webhook.tested": "Sent a test to a webhook",
  "webhook.removed": "Removed a webhook",
  "webhook.disabled": "A webhook was paused",
  "webhook.replayed": "Sent missed webhook messages again",
  "delivery.replayed": "Sent a webhook message again",
  "signing.decided": "Decided on the patient’s signature",
  "signing.link_revoked": "Revoked the signing link",
  "signing.refused": "Entered a wrong date of birth",
  "signing.shown": "Saw the document to sign",
  "signing.signed": "Signed",
  "signing.link_shown": "Got the signing link",
  "signing.copy_shown": "Saw the signed copy",
  "signature.read": "Read the signature",
  "document.uploaded": "Uploaded a document",
  "document.infected": "A virus was found in a document",
  "document.released": "A document passed its virus scan",
  "document.read": "Opened a document",
  "document.deleted": "Deleted a document",
  "document.attached": "Attached a document",
  "document.detached": "Detached a document",
  "document.settings_changed": "Changed how long documents are kept",
  "record.tampered": "A record failed its check",
  "data_key.created": "Made the practice’s data key",
  "practice.moved": "Moved a practice to another database",
  "factors.resealed": "Sealed second factors again",
  "data_keys.resealed": "Wrapped data keys again",
  "patient.searched": "Searched by a patient’s name",
  "queue.searched": "Searched the queue by claim number",
  "queue_filter.saved": "Saved a filter of the queue",
  "queue_filter.removed": "Removed a filter of the queue",
  "staff.patients_exceeded": "Opened unusually many patients",
};

export const whatOf = (action: string): string => (ACTIONS as Readonly<Record<string, string>>)[action] ?? words(action.replace(".", ": "));

/** Who did it. Only people, keys and tokens of the practice have names. */
const KIND: Readonly<Record<Row["actor"]["type"], string>> = {
  user: "Somebody who is not in the practice",
  staff: "Overturn staff",
  api_key: "An API key",
  api_token: "An API token",
  signing_link: "The patient, by the signing link",
  operator: "Overturn’s operator",
  service: "Overturn’s service",
  sandbox: "The sandbox’s script",
  github: "GitHub, which found a leaked key",
  anyone: "Somebody who reported a leaked key",
};

export const whoOf = ({ name, type }: Row["actor"]): string => name ?? KIND[type];

/** What a record is that has neither a claim number nor a name, by the first part of its action. */
const RECORD: Readonly<Record<string, string>> = {
  case: "The appeal",
  report: "The report",
  claim: "The claim",
  signing: "The claim",
  signature: "The claim",
  document: "The document",
  submission: "The submission",
  claims: "The request",
  webhook: "The webhook",
  delivery: "The delivery",
  agreement: "The agreement",
  passkey: "The passkey",
  session: "The session",
  api_key: "The key",
  api_token: "The token",
  data: "The request for data",
  practice: "The practice",
};

export const recordOf = ({ action, claim_number, record_name }: Row): string =>
  claim_number ?? record_name ?? RECORD[action.split(".")[0] ?? ""] ?? "The record";

/** Facts whose names say too little. */
const FACT: Readonly<Record<string, string>> = {
  by: "By",
  ip: "From the address",
  claims: "Claims",
  due_on: "Due on",
  due_at: "Due on",
  all_but: "All sessions but",
  appeal_button: "Link for patients",
  concurrent_sessions: "Sessions of a member",
  baa: "Business associate agreement",
  npi: "NPI",
};

/** Values of facts as people write them. */
const VALUE: Readonly<Record<string, string>> = { ...STATUS, ...SIGNING, ...PLAN, ...CLOSING, ...LEVEL, ...OUTCOME, ...DOCUMENT, totp: "authenticator app", baa: "business associate agreement", case: "appeal" };

/** Ids and digests say nothing to people. They are in the download. */
const isId = (value: unknown): boolean => typeof value === "string" && /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f-]{22}$|^[0-9a-f]{64}$/.test(value);

function valueOf(value: unknown): string {
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (value === null) return "none";
  if (Array.isArray(value)) return value.every((one) => typeof one === "string" && !isId(one)) ? value.map(valueOf).join(", ") : String(value.length);
  if (typeof value === "object") return Object.entries(value).map(([name, inner]) => `${words(name)}: ${valueOf(inner)}`).join(", ");
  if (typeof value !== "string") return String(value);
  if (/^\d{4}-\d\d-\d\d$/.test(value)) return date(value);
  if (/^\d{4}-\d\d-\d\dT/.test(value)) return time(value);
  return VALUE[value] ?? (/^[a-z]+(_[a-z]+)+$/.test(value) ? words(value) : value);
}

/** The facts of a row that mean something to people: their names and their values. */
export function factsOf({ detail, address, claim_numbers: found }: Row): [name: string, value: string][] {
  // The last column has the address.
  const facts = Object.entries(detail ?? {}).filter(([name, value]) => !isId(value) && (name !== "ip" || value !== address));
  const shown = (name: string, value: unknown): string => (name === "found" && found.length > 0 ? found.join(", ") : valueOf(value));
  return facts.map(([name, value]) => [FACT[name] ?? words(name), shown(name, value)]);
}
