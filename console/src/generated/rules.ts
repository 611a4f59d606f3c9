// Made by `cargo xtask console generate`. Do not edit.

export const reasons = [
  "second_factor_needed",
  "enrolment_needed",
  "role_not_allowed",
  "token_not_allowed",
  "scope_missing",
  "sso_required",
  "sign_in_too_old",
  "practice_inactive",
  "agreement_required",
  "csrf_mismatch",
  "cross_site",
  "not_yours",
  "version_conflict",
  "rights_changed",
  "request_running",
  "restored",
  "move_not_possible",
  "not_taken",
  "taken_by_other",
  "level_undecided",
  "no_claim_in_appeal",
  "filed_without_claim",
  "signature_not_asked",
  "links_off",
  "link_ended",
  "already_signed",
  "already_exists",
  "limit_reached",
  "last_owner",
  "last_factor",
  "no_factor",
  "registration_ended",
  "token_ended",
  "key_ended",
  "key_replaced",
  "key_not_replaced",
  "agreement_in_force",
  "agreement_missing",
  "legal_hold",
  "job_in_progress",
  "job_ended",
  "destruction_begun",
  "data_destroyed",
  "out_of_order",
  "document_in_use",
  "document_waiting",
  "document_unavailable",
  "webhook_disabled",
  "saml_not_served",
  "provider_missing",
  "last_provider",
  "sign_in_unproven",
  "would_lock_out",
  "domain_taken",
  "domain_unverified",
  "other_address",
  "other_practice",
  "several_match",
  "not_found",
] as const;
export type Reason = (typeof reasons)[number];

export const roles = [
  "owner",
  "admin",
  "member",
  "staff",
  "auditor",
] as const;
export type Role = (typeof roles)[number];

export const practiceRoles = [
  "owner",
  "admin",
  "member",
] as const;
export type PracticeRole = (typeof practiceRoles)[number];

export const claimStatuses = [
  "received",
  "reviewing",
  "in_report",
  "in_appeal",
  "recovered",
  "closed",
] as const;
export type ClaimStatus = (typeof claimStatuses)[number];

export const signingStatuses = [
  "not_decided",
  "not_needed",
  "needed",
  "signed",
] as const;
export type SigningStatus = (typeof signingStatuses)[number];

export const planTypes = [
  "commercial",
  "erisa",
  "aca_individual",
  "medicare",
  "medicare_advantage",
  "medi_cal_managed",
  "medi_cal_ffs",
  "tricare",
  "workers_comp",
  "other",
] as const;
export type PlanType = (typeof planTypes)[number];

export const closingReasons = [
  "denial_upheld",
  "deadline_passed",
  "no_grounds",
  "patient_declined",
  "withdrawn",
  "not_appealable",
  "already_paid",
  "sent_in_error",
] as const;
export type ClosingReason = (typeof closingReasons)[number];

export const levelKinds = [
  "reconsideration",
  "redetermination",
  "internal_appeal",
  "formal_review",
  "bill_review",
  "external_review",
  "hearing",
  "council_review",
  "judicial_review",
] as const;
export type LevelKind = (typeof levelKinds)[number];

export const levelOutcomes = [
  "overturned",
  "partly_overturned",
  "upheld",
  "dismissed",
  "withdrawn",
] as const;
export type LevelOutcome = (typeof levelOutcomes)[number];

export const ssoContexts = [
  "mfa",
  "https://refeds.org/profile/mfa",
  "http://schemas.microsoft.com/claims/multipleauthn",
  "urn:okta:loa:2fa:any",
  "http://idmanagement.gov/ns/assurance/aal/2",
  "http://idmanagement.gov/ns/assurance/aal/3",
  "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI",
  "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract",
  "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered",
] as const;
export type SsoContext = (typeof ssoContexts)[number];

export const documentKinds = [
  "denial_letter",
  "medical_record",
  "remittance",
  "authorization",
  "correspondence",
  "other",
] as const;
export type DocumentKind = (typeof documentKinds)[number];

export const documentStates = [
  "available",
  "quarantined",
  "infected",
  "deleted",
] as const;
export type DocumentState = (typeof documentStates)[number];

export const keyScopes = [
  "claims:write",
  "claims:read",
] as const;
export type KeyScope = (typeof keyScopes)[number];

export const tokenScopes = [
  "denials:read",
  "documents:write",
  "settings:read",
  "audit:read",
  "api_keys:rotate",
] as const;
export type TokenScope = (typeof tokenScopes)[number];

export const webhookEvents = [
  "claim.status_changed",
  "claim.signing_changed",
  "claim.deadline_changed",
  "claim.amount_corrected",
  "report.delivered",
  "api_key.leaked",
  "api_token.leaked",
  "api_key.expiring",
  "api_token.expiring",
] as const;
export type WebhookEvent = (typeof webhookEvents)[number];

export const timeZones = [
  "America/New_York",
  "America/Chicago",
  "America/Denver",
  "America/Phoenix",
  "America/Los_Angeles",
  "America/Anchorage",
  "Pacific/Honolulu",
  "America/Puerto_Rico",
  "Pacific/Guam",
  "Pacific/Pago_Pago",
] as const;
export type TimeZone = (typeof timeZones)[number];

export const ssoAdvice = [
  "begin_again",
  "ended",
  "not_accepted",
] as const;
export type SsoAdvice = (typeof ssoAdvice)[number];

export const auditActions = [
  "practice.created",
  "practice.changed",
  "practice.state_changed",
  "agreement.signed",
  "agreement.ended",
  "data.return_requested",
  "data.returned",
  "data.destruction_requested",
  "data.job_cancelled",
  "data.destruction_begun",
  "data.destroyed",
  "submission.received",
  "claims.corrected",
  "sandbox.created",
  "sandbox.emptied",
  "sandbox.clock_advanced",
  "practice.moved",
  "factors.resealed",
  "api_key.created",
  "api_key.revoked",
  "api_key.leaked",
  "api_key.rotated",
  "api_key.expiring",
  "api_token.created",
  "api_token.regenerated",
  "api_token.revoked",
  "api_token.leaked",
  "api_token.expiring",
  "user.created",
  "member.invited",
  "member.joined",
  "member.role_changed",
  "member.removed",
  "member.sessions_revoked",
  "session.first_factor_passed",
  "session.created",
  "session.failed",
  "session.verified",
  "session.verification_failed",
  "session.ended",
  "session.revoked",
  "magic_link.sent",
  "password.reset_sent",
  "password.closed",
  "password.changed",
  "factor.enrolment_begun",
  "factor.enrolled",
  "factor.reset",
  "claims.filled_in",
  "claims.mismatched",
  "claims.resends_stopped",
  "claim.read",
  "claim.taken",
  "claim.assigned",
  "claim.noted",
  "claim.moved",
  "claim.letter_set",
  "claim.amount_corrected",
  "report.delivered",
  "case.opened",
  "case.level_begun",
  "case.level_changed",
  "passkey.enrolled",
  "passkey.renamed",
  "passkey.removed",
  "passkey.counter_repeated",
  "identity.joined",
  "identity.removed",
  "sso.provider_added",
  "sso.provider_changed",
  "sso.provider_removed",
  "sso.provider_ending",
  "sso.required_changed",
  "sso.domain_added",
  "sso.domain_verified",
  "sso.domain_removed",
  "factor.recovery_codes_created",
  "webhook.created",
  "webhook.changed",
  "webhook.secret_rotated",
  "webhook.tested",
  "webhook.removed",
  "webhook.disabled",
  "delivery.replayed",
  "webhook.replayed",
  "signing.decided",
  "signing.link_revoked",
  "signing.refused",
  "signing.shown",
  "signing.signed",
  "signature.read",
  "data_key.created",
  "data_keys.resealed",
  "record.tampered",
  "signing.link_shown",
  "signing.copy_shown",
  "document.uploaded",
  "document.infected",
  "document.released",
  "document.read",
  "document.deleted",
  "document.attached",
  "document.detached",
  "document.settings_changed",
  "queue.searched",
  "queue_filter.saved",
  "queue_filter.removed",
  "patient.searched",
  "staff.patients_exceeded",
] as const;
export type AuditAction = (typeof auditActions)[number];

/** Every move of a claim between statuses: who may make it, and what it needs. */
export const moves = [
  { from: "received", to: "reviewing", by: "anybody", needs: "nothing" },
  { from: "reviewing", to: "in_report", by: "anybody", needs: "report" },
  { from: "reviewing", to: "in_appeal", by: "anybody", needs: "case" },
  { from: "reviewing", to: "received", by: "holder", needs: "nothing" },
  { from: "reviewing", to: "closed", by: "holder", needs: "reason" },
  { from: "in_report", to: "in_appeal", by: "anybody", needs: "case" },
  { from: "in_report", to: "reviewing", by: "anybody", needs: "nothing" },
  { from: "in_appeal", to: "recovered", by: "holder", needs: "amount" },
  { from: "in_appeal", to: "closed", by: "holder", needs: "reason" },
  { from: "recovered", to: "in_appeal", by: "anybody", needs: "case" },
  { from: "closed", to: "in_appeal", by: "anybody", needs: "case" },
  { from: "closed", to: "reviewing", by: "anybody", needs: "nothing" },
] as const;

/** The steps that appeals of a plan can have. */
export const stepsOf = {
  commercial: ["reconsideration","internal_appeal","external_review","hearing","judicial_review"],
  erisa: ["reconsideration","internal_appeal","external_review","hearing","judicial_review"],
  aca_individual: ["reconsideration","internal_appeal","external_review","hearing","judicial_review"],
  medicare: ["reconsideration","redetermination","internal_appeal","external_review","hearing","council_review","judicial_review"],
  medicare_advantage: ["reconsideration","redetermination","internal_appeal","external_review","hearing","council_review","judicial_review"],
  medi_cal_managed: ["reconsideration","internal_appeal","external_review","hearing","judicial_review"],
  medi_cal_ffs: ["reconsideration","internal_appeal","external_review","hearing","judicial_review"],
  tricare: ["reconsideration","internal_appeal","formal_review","external_review","hearing","judicial_review"],
  workers_comp: ["reconsideration","internal_appeal","bill_review","external_review","hearing","judicial_review"],
  other: ["reconsideration","redetermination","internal_appeal","formal_review","bill_review","external_review","hearing","council_review","judicial_review"],
} as const;

/** The reasons to close a claim that has this status. */
export const closingReasonsOf = {
  reviewing: ["deadline_passed","not_appealable","no_grounds","already_paid","sent_in_error","patient_declined","withdrawn"],
  in_appeal: ["denial_upheld","deadline_passed","no_grounds","sent_in_error","patient_declined","withdrawn"],
} as const;

/** The limits of fields, files and lists. Lengths are in characters, sizes in bytes, times in days. */
export const limits = {
  addressLine: 200,
  agreementSigner: 200,
  apiKeyName: 200,
  apiTokenName: 200,
  claimEvents: 200,
  claimNumber: 128,
  claimsAtOnce: 100,
  claimsCounted: 10000,
  claimsOfSend: 100,
  csvPage: 1000,
  decisionsCounted: 100,
  dueDaysAgo: 30,
  dueDaysAhead: 1826,
  email: 254,
  fileSize: 52428800,
  levelDaysAgo: 1826,
  noteText: 5000,
  page: 100,
  passkeyName: 100,
  passkeys: 20,
  passwordLeast: 12,
  passwordMost: 1000,
  patientName: 200,
  personName: 200,
  practiceName: 200,
  queueFilterName: 60,
  queueFilters: 20,
  recoveryCodes: 10,
  retentionLeast: 30,
  retentionMost: 36500,
  sendSize: 2097152,
  ssoDomain: 243,
  ssoProviderName: 100,
  summaryDays: 30,
  webhookUrl: 2000,
} as const;

/** What stands in a user agent, and the browser. The first that fits counts. */
export const browsers = [
  [["Edg/","EdgA/","EdgiOS/"], "Edge"],
  [["OPR/"], "Opera"],
  [["Firefox/","FxiOS/"], "Firefox"],
  [["Chrome/","CriOS/"], "Chrome"],
  [["Safari/"], "Safari"],
] as const;

/** The same for systems. */
export const systems = [
  [["iPhone"], "iPhone"],
  [["iPad"], "iPad"],
  [["Android"], "Android"],
  [["Windows"], "Windows"],
  [["CrOS"], "ChromeOS"],
  [["Mac OS X","Macintosh"], "macOS"],
  [["Linux"], "Linux"],
] as const;
