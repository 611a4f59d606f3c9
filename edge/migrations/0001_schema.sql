-- The schema of Overturn: one D1 (or SQLite) database with everything that must not be lost, except the files of
-- documents, which are in a bucket. KV holds IP bans and the last uses of sessions, which may be lost.
--
-- Conventions
-- * Ids are UUIDs (version 7) in text. The program makes them. They grow with time, so new rows go to the end of an index.
-- * Instants (`…_at`, `at`) are UTC milliseconds, dates (`…_on`, `…_due`, `day`) are `YYYY-MM-DD`, money is integer cents.
-- * Primary keys of a practice's tables begin with the practice, so a directory can spread practices over databases.
--   Tables of people begin with the account: a person signs in before the practice is known.
-- * What we hand out (keys, tokens, sessions, links, codes) is stored only as its SHA-256 (`hash`) and found by it.
-- * `sealed` is a ciphertext (`service/src/store/seal.rs`), bound to table, column, owner, claim, record and `key_version`. For a
--   practice's rows `key_version` is the version of its data key, for factors and data keys that of the service's key.
-- * `version` counts the edits of a record that several people may edit, from 1. `If-Match` compares it.
-- * Append only: triggers refuse to change (`…_keep`), remove (`…_stay`) or replace (`…_once`) a row. SQLite runs no DELETE
--   trigger for REPLACE, so `…_once` looks for the row before an insert. The very same row changes nothing, because a
--   batch may run twice. Only a running destruction of a practice's data may remove its rows.
-- * The statements are in `service/src`, in the folder of the context that heads a section here.

-- ============================================================================================================ settings

-- The tenant.
CREATE TABLE practices (
  id             TEXT    NOT NULL PRIMARY KEY,
  name           TEXT    NOT NULL,
  -- With `moved:` before it where the practice is not: in the cell that it moves to, or has left.
  state          TEXT    NOT NULL CONSTRAINT practice_state
                 CHECK (state IN ('active', 'inactive', 'moved:active', 'moved:inactive')),
  -- 1 if status reads show the signing link.
  appeal_button  INTEGER NOT NULL DEFAULT 0 CONSTRAINT practice_appeal_button CHECK (appeal_button IN (0, 1)),
  -- 1 if a sign-in ends the person's other sessions.
  single_session INTEGER NOT NULL DEFAULT 0 CONSTRAINT practice_single_session CHECK (single_session IN (0, 1)),
  -- 1 if admins and members need a session that began by single sign-on (`sessions.sso`).
  sso_required   INTEGER NOT NULL DEFAULT 0 CONSTRAINT practice_sso_required CHECK (sso_required IN (0, 1)),
  -- What an appeal says about the practice. JSON with line1, line2, city, state and zip.
  address        TEXT    CONSTRAINT practice_address CHECK (address IS NULL OR json_valid(address)),
  npi            TEXT, -- 10 digits
  tax_id         TEXT, -- the nine digits of an employer identification number, never a social security number
  phone          TEXT, -- `+1` and 10 digits
  time_zone      TEXT, -- an IANA name of `service/src/plan/us_zone.rs`
  version        INTEGER NOT NULL DEFAULT 1,
  created_at     INTEGER NOT NULL,
  counted        INTEGER NOT NULL DEFAULT 0, -- up to which `changed` its claims are in `claim_counts`
  -- The practice whose sandbox this is; NULL for a live practice. A sandbox has made-up claims, one person who is made up
  -- and does the staff's work, an agreement of its own kind, and no place in the staff's lists.
  sandbox_of     TEXT    REFERENCES practices (id),
  clock_ms       INTEGER NOT NULL DEFAULT 0 CONSTRAINT practice_clock -- how far its clock is ahead, at most five years
                 CHECK (clock_ms BETWEEN 0 AND iif(sandbox_of IS NULL, 0, 157766400000)),
  -- Of a sandbox, by the real clock: when the job last looked after it, and when it looks next whether anybody calls it.
  swept_at       INTEGER NOT NULL DEFAULT 0,
  idle_at        INTEGER
) STRICT;
CREATE INDEX practices_by_name ON practices (name COLLATE NOCASE, id) WHERE sandbox_of IS NULL;
CREATE UNIQUE INDEX practice_sandbox_once ON practices (sandbox_of) WHERE sandbox_of IS NOT NULL;
CREATE INDEX practices_idle ON practices (idle_at) WHERE idle_at IS NOT NULL;

-- Signed agreements. One without `ended_at` is in force. Without one, nobody reads the practice's patient data
-- (`service/src/auth/disclosure.rs`). That of a sandbox lets its keys work, and lets no person read. Append only; the end
-- is written once.
CREATE TABLE agreements (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  kind         TEXT    NOT NULL CONSTRAINT agreement_kind CHECK (kind IN ('baa', 'sandbox')),
  version      TEXT    NOT NULL, -- of the text
  signer_name  TEXT    NOT NULL,
  signer_title TEXT    NOT NULL,
  signed_at    INTEGER NOT NULL,
  signed_by    TEXT, -- the account; NULL if the operator recorded it
  signed_from  TEXT, -- the IP address
  ended_at     INTEGER,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

-- Keys of programs. The look-up by `hash` is the only one of the claims interface that does not start with a practice.
CREATE TABLE api_keys (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  name         TEXT    NOT NULL,
  hash         TEXT    NOT NULL CONSTRAINT api_key_hash UNIQUE,
  hint         TEXT    NOT NULL, -- the first 13 characters
  scopes       TEXT    NOT NULL, -- names, separated by spaces
  created_at   INTEGER NOT NULL,
  created_by   TEXT    REFERENCES users (id), -- NULL if the operator made it
  expires_at   INTEGER NOT NULL,
  revoked_at   INTEGER,
  last_used_at INTEGER, -- lags up to five minutes behind, so that most calls write nothing
  replaced_by  TEXT, -- the key that a rotation made
  warn_at      INTEGER, -- the next warning that it ends, NULL after the last
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX api_keys_ending ON api_keys (warn_at) WHERE warn_at IS NOT NULL;
-- In a sandbox, by its clock.
CREATE INDEX api_keys_ending_there ON api_keys (practice_id, warn_at) WHERE warn_at IS NOT NULL;

-- Tokens of people. A token ends with its person or practice.
CREATE TABLE api_tokens (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  user_id      TEXT    NOT NULL REFERENCES users (id),
  name         TEXT    NOT NULL,
  hash         TEXT    NOT NULL CONSTRAINT api_token_hash UNIQUE,
  hint         TEXT    NOT NULL,
  scopes       TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  expires_at   INTEGER NOT NULL,
  revoked_at   INTEGER,
  last_used_at INTEGER,
  replaced_by  TEXT, -- the token that a regeneration made
  warn_at      INTEGER, -- the next warning that it ends, NULL after the last
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX api_tokens_ending ON api_tokens (warn_at) WHERE warn_at IS NOT NULL;
CREATE INDEX api_tokens_ending_there ON api_tokens (practice_id, warn_at) WHERE warn_at IS NOT NULL;

-- The data key that seals a practice's records, wrapped under the service's key `key_version`. To destroy it destroys
-- them: its row stays, without the key. A practice has one in use; the next one comes after a destruction.
CREATE TABLE practice_keys (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  version      INTEGER NOT NULL CONSTRAINT practice_key_version CHECK (version > 0), -- from 1
  id           TEXT    NOT NULL,
  key_version  INTEGER NOT NULL CHECK (key_version > 0),
  wrapped      TEXT,
  created_at   INTEGER NOT NULL,
  destroyed_at INTEGER,
  PRIMARY KEY (practice_id, version),
  CONSTRAINT practice_key_destroyed CHECK ((wrapped IS NULL) = (destroyed_at IS NOT NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX practice_key_once ON practice_keys (practice_id) WHERE destroyed_at IS NULL;

-- The return or the destruction of all data of a practice. The row is the report, so it stays once it has ended.
CREATE TABLE data_jobs (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  kind         TEXT    NOT NULL CONSTRAINT data_job_kind CHECK (kind IN ('return', 'destruction')),
  state        TEXT    NOT NULL CONSTRAINT data_job_state CHECK (state IN ('waiting', 'running', 'cancelled', 'done')),
  version      INTEGER NOT NULL DEFAULT 1, -- counts all changes of the row
  requested_at INTEGER NOT NULL,
  requested_by TEXT    NOT NULL, -- the actor, as in `audit`
  due_at       INTEGER, -- when a destruction begins
  begun_at     INTEGER,
  finished_at  INTEGER,
  trail_to     INTEGER, -- the number of the last row of the trail before the end: what its rows say was sent is destroyed
  totals       TEXT    NOT NULL, -- JSON: how many records of each kind there are
  counts       TEXT    NOT NULL DEFAULT '{}', -- JSON: how many were returned or destroyed
  position     TEXT    NOT NULL DEFAULT '', -- where the next page of a return begins
  taken_from   TEXT, -- where its last page began
  bytes        INTEGER NOT NULL DEFAULT 0, -- of all pages
  unreadable   INTEGER NOT NULL DEFAULT 0, -- records that did not open
  digest       TEXT, -- the running state of SHA-256 over all pages
  before       TEXT, -- JSON: the four above, before the last page of a return
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
-- One open job of a kind.
CREATE UNIQUE INDEX data_job_once ON data_jobs (practice_id, kind) WHERE state IN ('waiting', 'running');
CREATE INDEX data_jobs_due ON data_jobs (due_at) WHERE kind = 'destruction' AND state IN ('waiting', 'running');

-- Emails to the owners of a practice, written in the batch of the change that they report. The scheduled job leases a row,
-- sends its emails and deletes it; it retries for a week.
CREATE TABLE notices (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  id          TEXT    NOT NULL,
  kind        TEXT    NOT NULL,
  about       TEXT, -- the id of the person or provider that the email names
  at          INTEGER NOT NULL,
  due_at      INTEGER, -- when what it announces happens
  next_at     INTEGER NOT NULL, -- the next attempt
  detail      TEXT, -- JSON: the keys that the email names, and where leaked ones were found
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX notices_due ON notices (next_at);

-- The audit trail: who did what to which record, when, and in which request, except what `claim_events` has. The events
-- are in `service/src/plan/audit.rs`; docs/TRAIL.md explains numbers, digests and codes. Append only.
CREATE TABLE audit (
  practice_id TEXT    NOT NULL, -- the trail: a practice, or `staff` for the staff and the whole service
  id          TEXT    NOT NULL,
  seq         INTEGER NOT NULL, -- numbers the trail's rows from 1 in the order of commits, without gaps
  at          INTEGER NOT NULL,
  actor       TEXT    NOT NULL, -- `<kind>:<id>` of `service/src/plan/actor.rs`, `operator` or `service`
  action      TEXT    NOT NULL,
  record      TEXT    NOT NULL,
  request_id  TEXT    NOT NULL,
  detail      TEXT, -- JSON
  address     TEXT, -- the IP address of the actor; a patient's is not stored
  session_id  TEXT,
  mac         TEXT, -- authenticates the row under the service's keys; the operator's rows have none
  previous    TEXT, -- the digest of the row before, written once, after the commit
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
-- Not unique: a conflict with a unique index would let REPLACE remove a row. The triggers keep the numbers apart.
CREATE INDEX audit_sequence ON audit (practice_id, seq);

-- The last linked row of each trail. `mac` authenticates it under the service's key `key_version`: who can write to the
-- database and has no key cannot make a chain anew. A head only moves forward.
CREATE TABLE trail_heads (
  practice_id TEXT    NOT NULL PRIMARY KEY,
  seq         INTEGER NOT NULL,
  digest      TEXT    NOT NULL,
  key_version INTEGER NOT NULL CHECK (key_version > 0),
  mac         TEXT    NOT NULL
) STRICT, WITHOUT ROWID;

-- ============================================================================================================ accounts

-- People of practices, and the service's staff, who have no practice. An auditor reads the staff's trail and does no other
-- work.
CREATE TABLE users (
  id            TEXT    NOT NULL PRIMARY KEY,
  practice_id   TEXT    REFERENCES practices (id),
  role          TEXT    NOT NULL CONSTRAINT user_role CHECK (role IN ('owner', 'admin', 'member', 'staff', 'auditor')),
  state         TEXT    NOT NULL CONSTRAINT user_state CHECK (state IN ('invited', 'active', 'removed')),
  email         TEXT    NOT NULL, -- as typed
  email_key     TEXT    NOT NULL, -- the form in which addresses are compared
  name          TEXT    NOT NULL,
  password_hash TEXT, -- argon2id
  epoch         INTEGER NOT NULL DEFAULT 1, -- counts changes of rights; sessions and links with another number are dead
  version       INTEGER NOT NULL DEFAULT 1, -- counts edits of the role
  created_at    INTEGER NOT NULL,
  CONSTRAINT user_place CHECK ((role IN ('staff', 'auditor')) = (practice_id IS NULL))
) STRICT, WITHOUT ROWID;
-- An address has one active account, and one in each practice.
CREATE UNIQUE INDEX user_address_once ON users (email_key) WHERE state = 'active';
CREATE UNIQUE INDEX user_member_once ON users (practice_id, email_key) WHERE state <> 'removed';
CREATE INDEX users_of_practice ON users (practice_id, id);
CREATE INDEX users_auditors ON users (id) WHERE role = 'auditor';

CREATE TABLE sessions (
  user_id     TEXT    NOT NULL REFERENCES users (id),
  id          TEXT    NOT NULL,
  hash        TEXT    NOT NULL CONSTRAINT session_hash UNIQUE,
  -- `enrolment` may only enroll a second factor.
  kind        TEXT    NOT NULL CONSTRAINT session_kind CHECK (kind IN ('full', 'enrolment')),
  epoch       INTEGER NOT NULL,
  created_at  INTEGER NOT NULL,
  ends_at     INTEGER NOT NULL,
  seen_at     INTEGER NOT NULL, -- lags up to a minute behind; KV keeps a session alive if this could not be written
  verified_at INTEGER, -- when a second factor was last shown
  revoked_at  INTEGER,
  alerted_at  INTEGER, -- the last alert that it opened too many patients
  ip          TEXT    NOT NULL,
  agent       TEXT    NOT NULL,
  sso         TEXT, -- the provider that it began by, while the practice trusts it (`sso_providers.id`)
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- The tokens in 402 answers: a sign-in, or a sensitive action of a session, that waits for a second factor. Used once.
CREATE TABLE continuations (
  hash       TEXT    NOT NULL PRIMARY KEY,
  user_id    TEXT    NOT NULL REFERENCES users (id),
  epoch      INTEGER NOT NULL,
  session_id TEXT,
  expires_at INTEGER NOT NULL,
  attempts   INTEGER NOT NULL DEFAULT 0,
  used_at    INTEGER,
  sso        TEXT -- as in `sessions`
) STRICT, WITHOUT ROWID;
CREATE INDEX continuations_of_user ON continuations (user_id, expires_at);

-- Links that were mailed to a person. Used once.
CREATE TABLE links (
  hash       TEXT    NOT NULL PRIMARY KEY,
  kind       TEXT    NOT NULL CONSTRAINT link_kind CHECK (kind IN ('sign_in', 'password_reset', 'invitation')),
  user_id    TEXT    NOT NULL REFERENCES users (id),
  epoch      INTEGER NOT NULL,
  expires_at INTEGER NOT NULL,
  used_at    INTEGER
) STRICT, WITHOUT ROWID;
CREATE INDEX links_of_user ON links (user_id, expires_at);

-- Authenticator apps. `sealed` is the secret.
CREATE TABLE factors (
  user_id      TEXT    NOT NULL REFERENCES users (id),
  id           TEXT    NOT NULL,
  key_version  INTEGER NOT NULL CHECK (key_version > 0),
  sealed       TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  confirmed_at INTEGER,
  last_step    INTEGER, -- the time step of the last code, so that no code works twice
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
-- One confirmed app of an account.
CREATE UNIQUE INDEX factor_once ON factors (user_id) WHERE confirmed_at IS NOT NULL;

CREATE TABLE recovery_codes (
  user_id TEXT NOT NULL REFERENCES users (id),
  hash    TEXT NOT NULL, -- over account and code
  used_at INTEGER,
  PRIMARY KEY (user_id, hash)
) STRICT, WITHOUT ROWID;

-- At most 20 of an account.
CREATE TABLE passkeys (
  user_id         TEXT    NOT NULL REFERENCES users (id),
  id              TEXT    NOT NULL,
  credential_id   TEXT    NOT NULL CONSTRAINT passkey_credential UNIQUE, -- finds the account at a sign-in
  public_key      TEXT    NOT NULL, -- as the identity Worker made it of the registration
  sign_count      INTEGER NOT NULL, -- of the last accepted assertion, like `backed_up`
  backup_eligible INTEGER NOT NULL CONSTRAINT passkey_backup_eligible CHECK (backup_eligible IN (0, 1)), -- never changes
  backed_up       INTEGER NOT NULL CONSTRAINT passkey_backed_up CHECK (backed_up IN (0, 1)),
  transports      TEXT    NOT NULL, -- JSON
  name            TEXT    NOT NULL, -- what the person calls it
  created_at      INTEGER NOT NULL,
  last_used_at    INTEGER,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- Attempts at a password since the last right one, counted before the comparison. The row with an empty account counts
-- those at addresses without an account, so that both write one row.
CREATE TABLE password_tries (
  user_id   TEXT    NOT NULL PRIMARY KEY,
  tries     INTEGER NOT NULL,
  closed_at INTEGER -- when there were too many
) STRICT, WITHOUT ROWID;

-- What is accepted once: challenges of passkeys, states of sign-ins at providers, assertions. The batch that uses a proof
-- inserts its hash behind a guard, and deletes some that have expired, because those are refused anyway.
CREATE TABLE spent_proofs (
  hash       TEXT    NOT NULL PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_proofs_expired ON spent_proofs (expires_at);

-- Answers to writes with an `Idempotency-Key`, for 24 hours. Values that are shown once are left out.
CREATE TABLE answers (
  user_id     TEXT    NOT NULL REFERENCES users (id),
  place       TEXT    NOT NULL, -- a hash over route and key
  fingerprint TEXT    NOT NULL, -- an HMAC of the body under the key
  status      INTEGER NOT NULL,
  body        TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  request_id  TEXT    NOT NULL,
  PRIMARY KEY (user_id, place)
) STRICT, WITHOUT ROWID;
CREATE INDEX answers_of_user ON answers (user_id, at);

-- The patients that a staff member opened in the last hour, by tag, so that a patient counts once.
CREATE TABLE patients_opened (
  user_id TEXT    NOT NULL REFERENCES users (id),
  patient TEXT    NOT NULL, -- `claims.patient_tag`, or the id of a document without a claim
  at      INTEGER NOT NULL,
  PRIMARY KEY (user_id, patient)
) STRICT, WITHOUT ROWID;

-- Whose a presented session or token is.
CREATE VIEW callers (hash, user_id, practice_id) AS
  SELECT s.hash, s.user_id, u.practice_id FROM sessions s JOIN users u ON u.id = s.user_id
  UNION ALL
  SELECT t.hash, t.user_id, t.practice_id FROM api_tokens t;

-- ================================================================================================================= sso

-- What a practice signs in by: its own SAML provider, or a configured OpenID provider that it trusts. At most 10.
CREATE TABLE sso_providers (
  practice_id      TEXT    NOT NULL REFERENCES practices (id),
  id               TEXT    NOT NULL,
  kind             TEXT    NOT NULL CONSTRAINT sso_provider_kind CHECK (kind IN ('saml', 'oidc')),
  name             TEXT    NOT NULL,
  configured       TEXT, -- oidc: the id in `OIDC_PROVIDERS`
  entity_id        TEXT, -- saml: never changes, because identities belong to it
  metadata         TEXT, -- saml: as the practice uploaded it
  certificates     TEXT, -- saml: JSON, SHA-256 and end of each
  certificates_end INTEGER, -- saml: the last end
  warn_at          INTEGER, -- when the practice is next warned of it: 30 days before, then 7, then never
  contexts         TEXT    NOT NULL, -- JSON: what stands for a second factor
  idp_initiated    INTEGER NOT NULL DEFAULT 0 CONSTRAINT sso_provider_idp_initiated CHECK (idp_initiated IN (0, 1)),
  version          INTEGER NOT NULL DEFAULT 1,
  trusted          INTEGER NOT NULL DEFAULT 1, -- the version since which sign-ins are checked as now: a new name changes nothing
  created_at       INTEGER NOT NULL,
  PRIMARY KEY (practice_id, id),
  CONSTRAINT sso_provider_parts CHECK (
    iif(kind = 'saml', configured IS NULL AND metadata IS NOT NULL, configured IS NOT NULL AND metadata IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sso_provider_by_id ON sso_providers (id);
CREATE UNIQUE INDEX sso_provider_configured_once ON sso_providers (practice_id, configured) WHERE kind = 'oidc';
-- The scheduled job reads no row while nothing is due.
CREATE INDEX sso_providers_ending ON sso_providers (warn_at) WHERE warn_at IS NOT NULL;

-- Who a person is at a provider. A sign-in finds the account by provider, issuer and subject, never by `email`. At most 10
-- of an account.
CREATE TABLE identities (
  user_id      TEXT    NOT NULL REFERENCES users (id),
  id           TEXT    NOT NULL,
  provider     TEXT    NOT NULL, -- `sso_providers.id` of a SAML provider, or an id in `OIDC_PROVIDERS`
  issuer       TEXT    NOT NULL,
  subject      TEXT    NOT NULL,
  email        TEXT    NOT NULL, -- at the provider, when the identity was joined
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX identity_once ON identities (provider, issuer, subject);

-- Mail domains, at most 20 of a practice. Several practices may claim one; one has it verified.
CREATE TABLE practice_domains (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  id          TEXT    NOT NULL,
  domain      TEXT    NOT NULL, -- in lower case, in the form of DNS
  token       TEXT    NOT NULL, -- random; the practice publishes it in the DNS, so it is no secret
  created_at  INTEGER NOT NULL,
  verified_at INTEGER,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX practice_domain_once ON practice_domains (domain) WHERE verified_at IS NOT NULL;
CREATE UNIQUE INDEX practice_domain_in_practice ON practice_domains (practice_id, domain);

-- ============================================================================================================== claims

-- One row for each claim number of a practice. Without a rowid the primary key is the table, so a new claim writes five
-- rows: one here and one in each of four indexes.
CREATE TABLE claims (
  practice_id        TEXT    NOT NULL REFERENCES practices (id),
  claim_number       TEXT    NOT NULL,
  id                 TEXT    NOT NULL,
  submission_id      TEXT    NOT NULL, -- the send that made it: a row of the audit trail, `submission.received`
  version            INTEGER NOT NULL DEFAULT 1, -- counts all changes: the number of the claim's last event
  -- The number of this change among all changes of the practice's claims. A batch continues from the highest number, and
  -- batches commit one by one, so a reader who has read up to a number has missed nothing below it.
  changed            INTEGER NOT NULL CONSTRAINT claim_changed CHECK (changed > 0),
  received_at        INTEGER NOT NULL,
  updated_at         INTEGER NOT NULL,
  status             TEXT    NOT NULL DEFAULT 'received' CONSTRAINT claim_status
                     CHECK (status IN ('received', 'reviewing', 'in_report', 'in_appeal', 'recovered', 'closed')),
  signing_status     TEXT    NOT NULL DEFAULT 'not_decided' CONSTRAINT claim_signing_status
                     CHECK (signing_status IN ('not_decided', 'not_needed', 'needed', 'signed')),
  -- As sent, in the clear, because the service looks things up by them.
  payer_claim_number TEXT    NOT NULL,
  payer_name         TEXT    NOT NULL,
  date_of_service    TEXT    NOT NULL,
  denial_date        TEXT,
  plan_type          TEXT,
  billed_cents       INTEGER CONSTRAINT claim_billed CHECK (billed_cents > 0),
  denied_cents       INTEGER CONSTRAINT claim_denied CHECK (denied_cents > 0),
  -- JSON: only texts in the form of a CARC with its group code, or of a RARC. Free text cannot get in.
  adjustment_codes   TEXT    NOT NULL,
  -- One bit for each optional field that the claim has (`core/src/claims/present.rs`), so that a resend that fills in
  -- nothing is known without opening `sealed`.
  present            INTEGER NOT NULL,
  -- The patient, the procedure code, diagnosis codes, denial codes as sent and the denial reason.
  sealed             TEXT    NOT NULL,
  key_version        INTEGER NOT NULL CHECK (key_version > 0),
  -- 128 bits of an HMAC under a key from the same data key: "same patient?", "same procedure?", and nothing else. A
  -- procedure's tag is bound to the claim number. Written once, like the date of service.
  patient_tag        TEXT    NOT NULL,
  procedure_tag      TEXT,
  -- The last day of the appeal, NULL if none is known; and its source: `rule` for the claim's own date, by a rule of
  -- `core/src/claims/deadline.rs` or in the payer's letter (then it equals `letter_due`), `case` for the case's.
  appeal_due         TEXT,
  appeal_due_from    TEXT    CONSTRAINT claim_due_from CHECK (appeal_due_from IN ('rule', 'case')),
  -- What a person read in the payer's letter, beside what was sent; all NULL if nothing is known.
  letter_denied      TEXT, -- the date of the denial
  letter_plan        TEXT,
  letter_due         TEXT, -- the last day
  letter_counts      TEXT    CONSTRAINT claim_letter_counts CHECK (letter_counts IN ('earliest', 'letter')), -- which day counts
  letter_by          TEXT    CONSTRAINT claim_letter_by CHECK (letter_by IN ('staff', 'practice')), -- who read it last
  letter_at          INTEGER,
  -- The staff's work.
  taken_by           TEXT    REFERENCES users (id),
  report_id          TEXT, -- the last report
  case_id            TEXT, -- the last case
  recovered_cents    INTEGER CONSTRAINT claim_recovered CHECK (recovered_cents > 0), -- the last amount that counts
  closing_reason     TEXT,
  sandbox            INTEGER NOT NULL DEFAULT 0 CONSTRAINT claim_sandbox CHECK (sandbox IN (0, 1)), -- 1: of a sandbox
  script_at          INTEGER, -- in a sandbox: when the next step of its script is due (`service/src/plan/sandbox.rs`)
  script_step        INTEGER NOT NULL DEFAULT 0, -- how many steps were taken
  CONSTRAINT claim_number_once PRIMARY KEY (practice_id, claim_number),
  CONSTRAINT claim_id_once UNIQUE (practice_id, id),
  CONSTRAINT claim_amount CHECK (billed_cents IS NOT NULL OR denied_cents IS NOT NULL)
) STRICT, WITHOUT ROWID;
-- Who follows changes reads along this index.
CREATE UNIQUE INDEX claim_changed_once ON claims (practice_id, changed);
-- The staff's queue, whatever the practice: the soonest date first, claims without one last.
CREATE INDEX claims_queue ON claims (status, ifnull(appeal_due, '~'), id) WHERE sandbox = 0;
-- A practice's open claims by deadline. A claim that ends leaves the index.
CREATE INDEX claims_due ON claims (practice_id, ifnull(appeal_due, '~'), id)
  WHERE status IN ('received', 'reviewing', 'in_report', 'in_appeal');
-- What is due in a sandbox.
CREATE INDEX claims_scripted ON claims (practice_id, script_at, claim_number) WHERE script_at IS NOT NULL;
-- The claims of a patient, to find those that can be appealed together. A send does not write to it.
CREATE INDEX claims_of_patient ON claims (practice_id, patient_tag, id) WHERE status <> 'received';

-- The changes of claims, one row each. Append only. The event `received` is not here: `claim_history` has it.
CREATE TABLE claim_events (
  practice_id TEXT    NOT NULL,
  claim_id    TEXT    NOT NULL,
  version     INTEGER NOT NULL, -- the claim's version after it
  at          INTEGER NOT NULL,
  kind        TEXT    NOT NULL, -- `corrected`, `filled_in`, or a kind of `service/src/plan/work/change.rs`
  status      TEXT    NOT NULL, -- after it
  actor       TEXT    NOT NULL, -- as in `audit`
  request_id  TEXT    NOT NULL,
  detail      TEXT, -- JSON: of a correction the values before and after, of a fill-in the names of the fields
  PRIMARY KEY (practice_id, claim_id, version),
  FOREIGN KEY (practice_id, claim_id) REFERENCES claims (practice_id, id)
) STRICT, WITHOUT ROWID;

-- How many claims there are, with the sums of their amounts. The job of each minute counts the claims that changed since
-- (`service/src/summaries/counting.rs`), so no send has to. Summaries add those that are not counted yet: their `changed` is
-- beyond `practices.counted`. Triggers take out a counted claim that changes. The claims of
-- sandboxes are never counted.
-- An amount of cents is `high` * 1,000,000,000 + `low`: one claim may have as many cents as an integer holds.
CREATE TABLE claim_counts (
  scope          TEXT    NOT NULL, -- a practice, or `all`
  status         TEXT    NOT NULL,
  -- The deadline of open claims, `~` for those without one, empty for recovered and closed ones. Deadlines before 2020
  -- are one, 2020-01-01: they are late on every day. So the rows follow the days since then, not the claims.
  due            TEXT    NOT NULL,
  claims         INTEGER NOT NULL,
  billed_high    INTEGER NOT NULL,
  billed_low     INTEGER NOT NULL,
  denied_high    INTEGER NOT NULL,
  denied_low     INTEGER NOT NULL,
  recovered_high INTEGER NOT NULL,
  recovered_low  INTEGER NOT NULL,
  PRIMARY KEY (scope, status, due)
) STRICT, WITHOUT ROWID;
CREATE VIEW uncounted_claims AS
  SELECT c.practice_id AS scope, c.status,
    iif(c.status IN ('recovered', 'closed'), '', ifnull(max(c.appeal_due, '2020-01-01'), '~')) AS due, 1 AS claims,
    ifnull(c.billed_cents, 0) / 1000000000 AS billed_high, ifnull(c.billed_cents, 0) % 1000000000 AS billed_low,
    ifnull(c.denied_cents, 0) / 1000000000 AS denied_high, ifnull(c.denied_cents, 0) % 1000000000 AS denied_low,
    ifnull(c.recovered_cents, 0) / 1000000000 AS recovered_high, ifnull(c.recovered_cents, 0) % 1000000000 AS recovered_low,
    c.changed
  FROM practices p CROSS JOIN claims c WHERE c.practice_id = p.id AND c.changed > p.counted;
-- What a practice has. The figures of all practices are those of the scope `all`, with all claims that are not counted yet.
CREATE VIEW claim_figures AS
  SELECT * FROM claim_counts
  UNION ALL
  SELECT scope, status, due, claims, billed_high, billed_low, denied_high, denied_low, recovered_high, recovered_low
  FROM uncounted_claims;

-- The payers of a practice's claims. Names that differ only in the case of ASCII letters have one row.
CREATE TABLE payers (
  practice_id TEXT NOT NULL REFERENCES practices (id),
  name        TEXT NOT NULL COLLATE NOCASE,
  sandbox     INTEGER NOT NULL DEFAULT 0 CONSTRAINT payer_sandbox CHECK (sandbox IN (0, 1)), -- 1: of a sandbox
  PRIMARY KEY (practice_id, name)
) STRICT, WITHOUT ROWID;
-- The names of all practices, for the staff.
CREATE INDEX payers_by_name ON payers (name) WHERE sandbox = 0;

-- Resends of a UTC day that were for another patient or claim. The day comes first, so that the sweep finds old rows.
CREATE TABLE mismatches (
  day         TEXT    NOT NULL,
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  claim_id    TEXT    NOT NULL, -- empty: of the whole practice
  count       INTEGER NOT NULL,
  told        INTEGER NOT NULL DEFAULT 0, -- a bit for each limit that the owners got an email about
  PRIMARY KEY (day, practice_id, claim_id)
) STRICT, WITHOUT ROWID;

-- The sends with new claims. Each is its row in the audit trail, with the same id. A destruction of the practice's data
-- takes them with their claims; the trail stays. `api_key_id` is NULL if a person sent.
CREATE VIEW submissions (practice_id, id, received_at, api_key_id, request_id, actor) AS
  SELECT a.practice_id, a.id, a.at, CAST(iif(a.actor LIKE 'api_key:%', substr(a.actor, length('api_key:') + 1), NULL) AS TEXT),
    a.request_id, a.actor
  FROM audit a
  WHERE a.action = 'submission.received' AND a.record = a.id AND NOT EXISTS (
    SELECT 1 FROM data_jobs j WHERE j.practice_id = a.practice_id AND j.kind = 'destruction' AND j.state = 'done'
      AND j.trail_to >= a.seq);

-- All events of claims. `received` comes from the claim and the row of its submission in the trail. The casts give both
-- parts one affinity: only then SQLite merges them in order, and reads no more than a page.
CREATE VIEW claim_history (practice_id, claim_id, version, at, kind, status, actor, request_id, detail) AS
  SELECT practice_id, claim_id, version, at, kind, status, actor, request_id, detail FROM claim_events
  UNION ALL
  SELECT c.practice_id, c.id, CAST(1 AS INTEGER), c.received_at, CAST('received' AS TEXT), CAST('received' AS TEXT),
    a.actor, a.request_id, CAST(NULL AS TEXT)
  FROM claims c CROSS JOIN audit a
  WHERE a.practice_id = c.practice_id AND a.id = c.submission_id;

-- ============================================================================================================= signing

-- Links to the page on which a patient signs. The newest of a claim that is neither revoked nor used is in force.
CREATE TABLE signing_links (
  practice_id TEXT    NOT NULL,
  claim_id    TEXT    NOT NULL,
  id          TEXT    NOT NULL,
  hash        TEXT    NOT NULL CONSTRAINT signing_link_hash UNIQUE, -- the patient comes before the practice is known
  key_version INTEGER NOT NULL CHECK (key_version > 0),
  sealed      TEXT    NOT NULL, -- the token, which status reads and people of the practice show again
  created_at  INTEGER NOT NULL,
  created_by  TEXT    NOT NULL REFERENCES users (id),
  expires_at  INTEGER NOT NULL, -- after 30 days
  revoked_at  INTEGER,
  used_at     INTEGER,
  attempts    INTEGER NOT NULL DEFAULT 0, -- wrong dates of birth; at five the link is dead
  PRIMARY KEY (practice_id, claim_id, id),
  FOREIGN KEY (practice_id, claim_id) REFERENCES claims (practice_id, id)
) STRICT, WITHOUT ROWID;

-- What patients signed. Append only.
CREATE TABLE signatures (
  practice_id TEXT    NOT NULL,
  claim_id    TEXT    NOT NULL,
  id          TEXT    NOT NULL,
  link_id     TEXT    NOT NULL,
  signed_at   INTEGER NOT NULL,
  key_version INTEGER NOT NULL CHECK (key_version > 0),
  sealed      TEXT    NOT NULL, -- the text as shown, its version, name or strokes, time, IP address and browser
  PRIMARY KEY (practice_id, claim_id, id),
  FOREIGN KEY (practice_id, claim_id) REFERENCES claims (practice_id, id)
) STRICT, WITHOUT ROWID;

-- ================================================================================================================ work

-- The staff's notes. Sealed, because a note may name the patient. Append only.
CREATE TABLE claim_notes (
  practice_id TEXT    NOT NULL,
  claim_id    TEXT    NOT NULL,
  id          TEXT    NOT NULL,
  at          INTEGER NOT NULL,
  author      TEXT    NOT NULL REFERENCES users (id),
  key_version INTEGER NOT NULL CHECK (key_version > 0),
  sealed      TEXT    NOT NULL,
  PRIMARY KEY (practice_id, claim_id, id),
  FOREIGN KEY (practice_id, claim_id) REFERENCES claims (practice_id, id)
) STRICT, WITHOUT ROWID;

-- The filters of the queue that a staff member has saved, at most 20. Nobody else sees them.
CREATE TABLE queue_filters (
  user_id TEXT NOT NULL REFERENCES users (id),
  id      TEXT NOT NULL,
  name    TEXT NOT NULL COLLATE NOCASE, -- what the person calls it
  query   TEXT NOT NULL, -- of the queue, as `service/src/work/filters.rs` writes it, never with a claim number
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- Reports to practices. Append only, with their claims.
CREATE TABLE reports (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  delivered_at INTEGER NOT NULL,
  delivered_by TEXT    NOT NULL REFERENCES users (id),
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

-- The claims of a report. A claim that left it can be in a later one. Here and in `case_claims` the batch checks that the
-- claim exists: with a foreign key every new claim would look for rows of its own.
CREATE TABLE report_claims (
  practice_id TEXT NOT NULL,
  report_id   TEXT NOT NULL,
  claim_id    TEXT NOT NULL,
  PRIMARY KEY (practice_id, report_id, claim_id),
  FOREIGN KEY (practice_id, report_id) REFERENCES reports (practice_id, id)
) STRICT, WITHOUT ROWID;

-- The appeal of one or more claims of one patient and payer. Triggers keep `due`, `is_open` and `ask_on`, by which lists
-- are sorted.
CREATE TABLE cases (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  id          TEXT    NOT NULL,
  payer_name  TEXT    NOT NULL, -- of its first claim
  version     INTEGER NOT NULL DEFAULT 1, -- counts changes of its levels, and claims that join later
  opened_at   INTEGER NOT NULL,
  opened_by   TEXT    NOT NULL REFERENCES users (id),
  -- The earliest deadline of the claims that are appealed here, and of the last level until it is filed or decided.
  due         TEXT,
  -- 1 while a claim is appealed here.
  is_open     INTEGER NOT NULL DEFAULT 1 CONSTRAINT case_open CHECK (is_open IN (0, 1)),
  -- When to ask the payer about the last level: NULL unless it is filed and not decided, `~` if no day is known.
  ask_on      TEXT,
  sandbox     INTEGER NOT NULL DEFAULT 0 CONSTRAINT case_sandbox CHECK (sandbox IN (0, 1)), -- 1: of a sandbox
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX cases_due ON cases (is_open, ifnull(due, '~'), id) WHERE sandbox = 0;
CREATE INDEX cases_due_of_practice ON cases (practice_id, is_open, ifnull(due, '~'), id);
CREATE INDEX cases_of_payer ON cases (practice_id, payer_name COLLATE NOCASE, id);
CREATE INDEX cases_to_ask ON cases (is_open, ask_on, id) WHERE ask_on IS NOT NULL AND sandbox = 0;
CREATE INDEX cases_to_ask_of_practice ON cases (practice_id, is_open, ask_on, id) WHERE ask_on IS NOT NULL;

-- The claims of a case, each with its result here. The claim's own row may show that of another case.
CREATE TABLE case_claims (
  practice_id     TEXT    NOT NULL,
  case_id         TEXT    NOT NULL,
  claim_id        TEXT    NOT NULL,
  joined_at       INTEGER NOT NULL,
  outcome         TEXT    CONSTRAINT case_claim_outcome CHECK (outcome IN ('recovered', 'closed')), -- NULL while appealed
  recovered_cents INTEGER CONSTRAINT case_claim_recovered CHECK (recovered_cents > 0), -- the last amount of this case
  closing_reason  TEXT,
  decided_at      INTEGER,
  PRIMARY KEY (practice_id, case_id, claim_id),
  FOREIGN KEY (practice_id, case_id) REFERENCES cases (practice_id, id)
) STRICT, WITHOUT ROWID;
-- The cases of a claim.
CREATE INDEX case_claims_of_claim ON case_claims (practice_id, claim_id, case_id);

-- The levels of a case's appeal. The last one sets the deadline of the case's claims, unless a claim has an earlier date
-- of its own that was not met.
CREATE TABLE case_levels (
  practice_id     TEXT    NOT NULL,
  case_id         TEXT    NOT NULL,
  level           INTEGER NOT NULL, -- from 1
  kind            TEXT    NOT NULL, -- in the terms of `core/src/claims/appeal/level_names.rs`, like `outcome`
  due_on          TEXT,
  filed_on        TEXT,
  decided_on      TEXT,
  outcome         TEXT,
  begun_at        INTEGER NOT NULL,
  begun_by        TEXT    NOT NULL REFERENCES users (id),
  decision_due    TEXT, -- by when the payer must decide; written once filing and plan are known, and later only made earlier
  decision_source TEXT, -- the rule of `core/src/claims/appeal/payer_clock.rs`
  follow_up_on    TEXT, -- the day that staff chose to ask instead
  PRIMARY KEY (practice_id, case_id, level),
  FOREIGN KEY (practice_id, case_id) REFERENCES cases (practice_id, id)
) STRICT, WITHOUT ROWID;

-- A claim at a level of a case. The claim comes first in the key: its own rows are looked for with every move of it.
CREATE TABLE level_claims (
  practice_id     TEXT    NOT NULL,
  claim_id        TEXT    NOT NULL,
  case_id         TEXT    NOT NULL,
  level           INTEGER NOT NULL,
  filed           INTEGER NOT NULL DEFAULT 0 CONSTRAINT level_claim_filed CHECK (filed IN (0, 1)), -- 1: filed with the claim
  recovered_cents INTEGER CONSTRAINT level_claim_recovered CHECK (recovered_cents > 0), -- what the payer paid at this level
  recovered_at    INTEGER,
  -- 1 if staff said that the payment counts although the claim was appealed again at the same level.
  stands          INTEGER NOT NULL DEFAULT 0 CONSTRAINT level_claim_stands CHECK (stands IN (0, 1)),
  PRIMARY KEY (practice_id, claim_id, case_id, level),
  FOREIGN KEY (practice_id, case_id) REFERENCES cases (practice_id, id),
  CONSTRAINT level_claim_amount CHECK ((recovered_cents IS NULL) = (recovered_at IS NULL))
) STRICT, WITHOUT ROWID;

-- =========================================================================================================== documents

-- Each document has one object in the bucket, under a key of its own.
CREATE TABLE documents (
  practice_id  TEXT    NOT NULL REFERENCES practices (id),
  id           TEXT    NOT NULL,
  claim_id     TEXT,
  kind         TEXT    NOT NULL CONSTRAINT document_kind CHECK (kind IN
               ('denial_letter', 'medical_record', 'remittance', 'authorization', 'correspondence', 'other')),
  -- `quarantined`: no clean scan yet. `infected`: a later scan found something. Rows go only with the practice's data.
  state        TEXT    NOT NULL CONSTRAINT document_state CHECK (state IN ('available', 'quarantined', 'infected', 'deleted')),
  content_type TEXT    NOT NULL, -- by the content
  size         INTEGER NOT NULL, -- of the plain file, in bytes
  sha256       TEXT    NOT NULL, -- of the plain file, in the clear: only who has the file can recognize it
  key_version  INTEGER NOT NULL CHECK (key_version > 0),
  sealed       TEXT, -- the file's name and the object's key; NULL once it is removed
  uploaded_by  TEXT    NOT NULL REFERENCES users (id),
  uploaded_at  INTEGER NOT NULL,
  scans        INTEGER NOT NULL DEFAULT 0, -- scans without an answer
  scan_at      INTEGER, -- the next one
  CONSTRAINT document_once PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX documents_of_claim ON documents (practice_id, claim_id, id) WHERE claim_id IS NOT NULL;
CREATE INDEX documents_to_scan ON documents (scan_at) WHERE scan_at IS NOT NULL;
-- For the end of retention.
CREATE INDEX documents_uploaded ON documents (uploaded_at) WHERE state IN ('available', 'quarantined');

-- The cases and reports that staff attached a document to.
CREATE TABLE document_uses (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  document_id TEXT    NOT NULL,
  kind        TEXT    NOT NULL CONSTRAINT document_use_kind CHECK (kind IN ('case', 'report')),
  record_id   TEXT    NOT NULL,
  attached_by TEXT    NOT NULL REFERENCES users (id),
  attached_at INTEGER NOT NULL,
  PRIMARY KEY (practice_id, document_id, kind, record_id)
) STRICT, WITHOUT ROWID;
CREATE INDEX document_uses_of_record ON document_uses (practice_id, record_id, document_id);

-- How long a practice keeps documents. Without a row: 2,557 days (7 years), no hold.
CREATE TABLE document_settings (
  practice_id    TEXT    NOT NULL PRIMARY KEY REFERENCES practices (id),
  retention_days INTEGER NOT NULL,
  legal_hold     INTEGER NOT NULL DEFAULT 0 CONSTRAINT document_hold CHECK (legal_hold IN (0, 1)),
  version        INTEGER NOT NULL DEFAULT 1
) STRICT, WITHOUT ROWID;

-- The last day of a job that has to do its work once a day.
CREATE TABLE daily_jobs (
  name     TEXT    NOT NULL PRIMARY KEY,
  day      TEXT    NOT NULL, -- all of its work is done
  again_at INTEGER -- after a fault: when it is tried again
) STRICT, WITHOUT ROWID;

-- Objects of the bucket that no document has. An upload adds a row before the first byte, due two hours later, and the
-- batch that stores the document removes it; a removed document adds one, due at once. The scheduled job removes the
-- object and then its row. Rows outlive the data of their practice, because the objects must still go.
CREATE TABLE loose_objects (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  id          TEXT    NOT NULL,
  upload_id   TEXT, -- the unfinished multipart upload
  due_at      INTEGER NOT NULL,
  removing    INTEGER NOT NULL DEFAULT 0 CHECK (removing IN (0, 1)), -- it is being removed: no document gets it any more
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX loose_objects_due ON loose_objects (due_at);

-- ============================================================================================================ webhooks

-- The endpoints of practices. The row stays when its endpoint is removed.
CREATE TABLE webhooks (
  practice_id     TEXT    NOT NULL REFERENCES practices (id),
  id              TEXT    NOT NULL,
  url             TEXT    NOT NULL,
  events          TEXT    NOT NULL, -- names, separated by spaces
  state           TEXT    NOT NULL CONSTRAINT webhook_state CHECK (state IN ('active', 'disabled', 'removed')),
  key_version     INTEGER NOT NULL CHECK (key_version > 0),
  sealed          TEXT    NOT NULL, -- the secret that signs its messages
  old_key_version INTEGER CHECK (old_key_version > 0),
  old_sealed      TEXT, -- the previous secret, which signs as well until `old_until`
  old_until       INTEGER,
  version         INTEGER NOT NULL DEFAULT 1, -- counts edits, new secrets, and a switch-off by the service
  created_at      INTEGER NOT NULL,
  created_by      TEXT    NOT NULL REFERENCES users (id),
  failing_since   INTEGER, -- NULL if it accepted the last message
  disabled_at     INTEGER,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;

-- The outbox: one row for each message and endpoint, written in the batch of the change. Finished rows go after 30 days.
CREATE TABLE deliveries (
  practice_id  TEXT    NOT NULL,
  webhook_id   TEXT    NOT NULL,
  id           TEXT    NOT NULL,
  kind         TEXT    NOT NULL,
  body         TEXT    NOT NULL, -- as sent
  state        TEXT    NOT NULL DEFAULT 'pending' CONSTRAINT delivery_state
               CHECK (state IN ('pending', 'delivered', 'failed')),
  attempts     INTEGER NOT NULL DEFAULT 0, -- numbers the attempts, so that a late sender undoes nothing
  created_at   INTEGER NOT NULL,
  next_at      INTEGER NOT NULL, -- the next attempt
  lease_ends   INTEGER, -- during an attempt: when another sender may take over, by the real clock, also in a sandbox
  last_at      INTEGER,
  last_status  INTEGER,
  last_error   TEXT,
  tested_at    INTEGER, -- when a person asked for it, by the real clock; NULL for others
  sandbox      INTEGER NOT NULL DEFAULT 0 CONSTRAINT delivery_sandbox CHECK (sandbox IN (0, 1)), -- 1: of a sandbox
  PRIMARY KEY (practice_id, webhook_id, id),
  FOREIGN KEY (practice_id, webhook_id) REFERENCES webhooks (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE INDEX deliveries_due ON deliveries (next_at) WHERE state = 'pending' AND sandbox = 0;
CREATE INDEX deliveries_of_sandbox ON deliveries (practice_id, next_at, id) WHERE state = 'pending' AND sandbox = 1;
CREATE INDEX deliveries_tested ON deliveries (practice_id, webhook_id, tested_at) WHERE tested_at IS NOT NULL;
CREATE INDEX deliveries_done ON deliveries (last_at) WHERE state <> 'pending';
-- What an endpoint did not take, to be sent again.
CREATE INDEX deliveries_failed ON deliveries (practice_id, webhook_id, id) WHERE state = 'failed';
-- What a switched-off endpoint was never sent. It goes after a week.
CREATE INDEX deliveries_missed ON deliveries (created_at) WHERE state = 'failed' AND attempts = 0;

-- The log of deliveries: each request to an endpoint. A row goes with its delivery.
CREATE TABLE attempts (
  practice_id TEXT    NOT NULL,
  delivery_id TEXT    NOT NULL,
  id          TEXT    NOT NULL,
  webhook_id  TEXT    NOT NULL,
  url         TEXT    NOT NULL,
  at          INTEGER NOT NULL, -- when it was signed and sent
  signatures  TEXT    NOT NULL, -- of `webhook-signature`
  took_ms     INTEGER NOT NULL,
  status      INTEGER,
  error       TEXT,
  key_version INTEGER NOT NULL,
  sealed      TEXT    NOT NULL, -- the first 1,000 characters of the answer
  PRIMARY KEY (practice_id, delivery_id, id),
  -- The log goes with its delivery, also the row of an attempt that is under way while a destruction removes it.
  FOREIGN KEY (practice_id, webhook_id, delivery_id) REFERENCES deliveries (practice_id, webhook_id, id) ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

-- ============================================================================================================== cells

-- Which cell this database is. The service writes the row when it first uses the database among several, and refuses to
-- work with another number: two databases were swapped in the configuration.
CREATE TABLE own_cell (
  one    INTEGER NOT NULL PRIMARY KEY CONSTRAINT own_cell_once CHECK (one = 1),
  number INTEGER NOT NULL
) STRICT;

-- The rows of these four are in the first cell alone, the directory, and only if there are several cells.
-- Where each practice lives. A sandbox lives beside its practice.
CREATE TABLE places (
  practice_id TEXT    NOT NULL PRIMARY KEY,
  cell        INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
-- Who has a name that one account or practice of all cells has: the address of an active account, a verified mail domain,
-- and a person's identity at a provider. The row stays when its holder no longer has the name: who needs it asks the cell.
CREATE TABLE addresses (
  email_key   TEXT    NOT NULL PRIMARY KEY,
  user_id     TEXT    NOT NULL,
  cell        INTEGER NOT NULL,
  reserved_at INTEGER NOT NULL DEFAULT 0 -- the holder has a while to commit in its cell
) STRICT, WITHOUT ROWID;
CREATE TABLE domains (
  domain      TEXT    NOT NULL PRIMARY KEY,
  practice_id TEXT    NOT NULL,
  cell        INTEGER NOT NULL,
  reserved_at INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE logins (
  login       TEXT    NOT NULL PRIMARY KEY, -- JSON: provider, issuer and subject
  user_id     TEXT    NOT NULL,
  cell        INTEGER NOT NULL,
  reserved_at INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;

-- Where what this cell handed out lives now: the ids of practices, people and providers of sign-ins, and the hashes of
-- credentials that have moved. It can be this cell: who looked before it opened waits, and looks again.
CREATE TABLE forwards (
  what      TEXT    NOT NULL PRIMARY KEY,
  cell      INTEGER NOT NULL,
  opened_at INTEGER -- when this cell opened
) STRICT, WITHOUT ROWID;

-- Moves of practices between cells, in the directory. One of a practice is open.
CREATE TABLE moves (
  id          TEXT    NOT NULL PRIMARY KEY,
  practice    TEXT    NOT NULL,
  source      INTEGER NOT NULL,
  target      INTEGER NOT NULL,
  -- `copy`, `check` and `follow` can be canceled. From `switched` on the practice lives in its new cell. `back` undoes.
  step        TEXT    NOT NULL DEFAULT 'copy' CONSTRAINT move_step
              CHECK (step IN ('copy', 'check', 'follow', 'switched', 'done', 'back', 'cancelled')),
  -- JSON: the table, the practice or sandbox, and the key behind which it goes on; in `follow`, how far the trails are verified
  position    TEXT    NOT NULL DEFAULT '',
  written     INTEGER NOT NULL DEFAULT 0, -- rows that were written in the new cell
  fences      INTEGER NOT NULL DEFAULT 0, -- how often writes waited for it
  -- numbers those who carry moves on: an older one does nothing more, and who reads several cells sees what went meanwhile
  epoch       INTEGER NOT NULL DEFAULT 0,
  lease_ends  INTEGER NOT NULL DEFAULT 0,
  began_at    INTEGER NOT NULL,
  switched_at INTEGER,
  ended_at    INTEGER,
  emptied_at  INTEGER, -- when the rows in the old cell were gone
  CONSTRAINT move_cells CHECK (source <> target)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX move_once ON moves (practice) WHERE ended_at IS NULL;
CREATE INDEX moves_by_epoch ON moves (epoch);

-- The practices and sandboxes that move from or to this cell, and those that have left it. Unless all are gone, triggers of
-- `service/src/moving/watch.rs` look at every write to their rows.
CREATE TABLE moving (
  id      TEXT    NOT NULL PRIMARY KEY,
  of      TEXT    NOT NULL, -- the practice that moves: itself, or that of the sandbox
  -- `leaving`: writes are noted; `fenced`: they wait; `left` and `arriving`: nothing here counts; `here`: it has opened, and
  -- a batch of its arrival that runs late changes nothing; `gone`: only the practice
  -- and its people are left, without what they are called, because SQLite would look for them in all rows of all practices.
  state   TEXT    NOT NULL CONSTRAINT moving_state CHECK (state IN ('leaving', 'fenced', 'left', 'arriving', 'here', 'gone')),
  epoch   INTEGER NOT NULL, -- of `moves`
  batch   INTEGER NOT NULL DEFAULT 0, -- the number of the last batch of the move: none with a lower one runs behind it
  round   INTEGER NOT NULL DEFAULT 1, -- in which changes are noted
  writes  INTEGER NOT NULL DEFAULT 0 -- 1 inside of a batch of the move itself
) STRICT, WITHOUT ROWID;
CREATE INDEX moving_by_epoch ON moving (epoch);
CREATE VIEW absent (id) AS SELECT id FROM moving WHERE state IN ('left', 'arriving', 'gone');

-- The rows that changed while their practice was copied.
CREATE TABLE moving_changes (
  id    TEXT    NOT NULL,
  name  TEXT    NOT NULL, -- of the table
  key   TEXT    NOT NULL, -- JSON: the primary key
  round INTEGER NOT NULL,
  PRIMARY KEY (id, name, key, round)
) STRICT, WITHOUT ROWID;

-- ============================================================================================================== guards

-- The conditions of a batch. An UPDATE that touches no row does not abort a D1 batch, so the batch inserts a row here if a
-- condition fails. No row fits, and the constraint's name tells `service/src/store/error.rs` what went wrong. Where the condition
-- holds, nothing is inserted and nothing is paid for.
CREATE TABLE guards (
  failed TEXT NOT NULL,
  CONSTRAINT batch_done CHECK (failed <> 'done'),
  CONSTRAINT credential_withdrawn CHECK (failed <> 'credential'),
  CONSTRAINT rights_changed CHECK (failed <> 'rights'),
  CONSTRAINT secret_used CHECK (failed <> 'secret'),
  CONSTRAINT last_owner CHECK (failed <> 'owner'),
  CONSTRAINT record_changed CHECK (failed <> 'record'),
  CONSTRAINT request_repeated CHECK (failed <> 'request'),
  CONSTRAINT patients_exceeded CHECK (failed <> 'patients'),
  CONSTRAINT number_taken CHECK (failed <> 'number'),
  CONSTRAINT data_key_changed CHECK (failed <> 'data_key'),
  CONSTRAINT mismatch_bound CHECK (failed <> 'mismatches'),
  CONSTRAINT other_cell CHECK (failed <> 'cell')
) STRICT;

-- ================================================================================================== triggers: append only

-- Of the trail, only `previous` changes, from NULL. An insert gets the next number of its trail and no digest.
CREATE TRIGGER audit_keep
BEFORE UPDATE OF practice_id, id, seq, at, actor, action, record, request_id, detail, address, session_id, mac ON audit
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;
CREATE TRIGGER audit_link BEFORE UPDATE OF previous ON audit WHEN old.previous IS NOT NULL
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;
CREATE TRIGGER audit_stay BEFORE DELETE ON audit
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;
CREATE TRIGGER audit_follow BEFORE INSERT ON audit
WHEN new.previous IS NOT NULL OR new.seq IS NOT 1 + coalesce((SELECT a.seq FROM audit a
  WHERE a.practice_id = new.practice_id ORDER BY a.seq DESC LIMIT 1), 0)
BEGIN SELECT RAISE (ABORT, 'audit is append only'); END;
CREATE TRIGGER audit_once BEFORE INSERT ON audit
WHEN EXISTS (SELECT 1 FROM audit a WHERE a.practice_id = new.practice_id AND a.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM audit a WHERE a.practice_id = new.practice_id AND a.id = new.id
    AND (a.at, a.actor, a.action, a.record, a.request_id, a.detail, a.address, a.session_id)
      IS (new.at, new.actor, new.action, new.record, new.request_id, new.detail, new.address, new.session_id);
  SELECT RAISE (ABORT, 'audit is append only');
END;

-- A head moves forward, or gets its `mac` again under another key.
CREATE TRIGGER trail_heads_keep BEFORE UPDATE ON trail_heads
WHEN new.practice_id IS NOT old.practice_id OR new.seq < old.seq OR new.seq = old.seq AND new.digest IS NOT old.digest
BEGIN SELECT RAISE (ABORT, 'trail_heads is append only'); END;
CREATE TRIGGER trail_heads_stay BEFORE DELETE ON trail_heads
BEGIN SELECT RAISE (ABORT, 'trail_heads is append only'); END;
CREATE TRIGGER trail_heads_once BEFORE INSERT ON trail_heads
WHEN EXISTS (SELECT 1 FROM trail_heads h WHERE h.practice_id = new.practice_id AND h.seq >= new.seq)
BEGIN SELECT RAISE (IGNORE); END;

-- What was signed stays as it was signed. An agreement ends once.
CREATE TRIGGER agreements_keep
BEFORE UPDATE OF practice_id, id, kind, version, signer_name, signer_title, signed_at, signed_by, signed_from ON agreements
BEGIN SELECT RAISE (ABORT, 'agreements is append only'); END;
CREATE TRIGGER agreements_end BEFORE UPDATE OF ended_at ON agreements
WHEN old.ended_at IS NOT NULL AND new.ended_at IS NOT old.ended_at
BEGIN SELECT RAISE (ABORT, 'agreements is append only'); END;
CREATE TRIGGER agreements_stay BEFORE DELETE ON agreements
BEGIN SELECT RAISE (ABORT, 'agreements is append only'); END;
CREATE TRIGGER agreements_once BEFORE INSERT ON agreements
WHEN EXISTS (SELECT 1 FROM agreements a WHERE a.practice_id = new.practice_id AND a.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM agreements a WHERE a.practice_id = new.practice_id AND a.id = new.id
    AND (a.kind, a.version, a.signer_name, a.signer_title, a.signed_at, a.signed_by, a.signed_from)
      IS (new.kind, new.version, new.signer_name, new.signer_title, new.signed_at, new.signed_by, new.signed_from);
  SELECT RAISE (ABORT, 'agreements is append only');
END;

-- A data key is only wrapped again or destroyed. An insert that would replace one, or a second one in use, does nothing.
CREATE TRIGGER practice_keys_keep BEFORE UPDATE ON practice_keys
WHEN OLD.destroyed_at IS NOT NULL OR NEW.practice_id <> OLD.practice_id OR NEW.version <> OLD.version
  OR NEW.id <> OLD.id OR NEW.created_at <> OLD.created_at
BEGIN SELECT RAISE (ABORT, 'a data key is only wrapped anew or destroyed'); END;
CREATE TRIGGER practice_keys_stay BEFORE DELETE ON practice_keys
BEGIN SELECT RAISE (ABORT, 'the row of a data key stays'); END;
CREATE TRIGGER practice_keys_once BEFORE INSERT ON practice_keys
WHEN EXISTS (SELECT 1 FROM practice_keys
  WHERE practice_id = NEW.practice_id AND (version = NEW.version OR destroyed_at IS NULL))
BEGIN SELECT RAISE (IGNORE); END;

-- A job that ended stays as it is. `data_jobs_open` refuses a REPLACE that would push out an open job of its kind.
-- The last page of a return can be read again, and counts anew.
CREATE TRIGGER data_jobs_keep BEFORE UPDATE ON data_jobs
WHEN OLD.state = 'cancelled' OR OLD.state = 'done' AND OLD.kind = 'destruction' OR NEW.practice_id <> OLD.practice_id OR NEW.id <> OLD.id OR NEW.kind <> OLD.kind
BEGIN SELECT RAISE (ABORT, 'a data job that ended stays as it is'); END;
CREATE TRIGGER data_jobs_stay BEFORE DELETE ON data_jobs
BEGIN SELECT RAISE (ABORT, 'the row of a data job stays'); END;
CREATE TRIGGER data_jobs_once BEFORE INSERT ON data_jobs
WHEN EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = NEW.practice_id AND j.id = NEW.id)
BEGIN SELECT RAISE (IGNORE); END;
CREATE TRIGGER data_jobs_open BEFORE INSERT ON data_jobs
WHEN NEW.state IN ('waiting', 'running')
 AND NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = NEW.practice_id AND j.id = NEW.id)
 AND EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = NEW.practice_id AND j.kind = NEW.kind AND j.state IN ('waiting', 'running'))
BEGIN SELECT RAISE (ABORT, 'an open data job stays'); END;

CREATE TRIGGER claim_events_keep BEFORE UPDATE ON claim_events
BEGIN SELECT RAISE (ABORT, 'claim_events is append only'); END;
CREATE TRIGGER claim_events_stay BEFORE DELETE ON claim_events
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'claim_events is append only'); END;
CREATE TRIGGER claim_events_once BEFORE INSERT ON claim_events
WHEN EXISTS (SELECT 1 FROM claim_events e
  WHERE e.practice_id = new.practice_id AND e.claim_id = new.claim_id AND e.version = new.version)
BEGIN
  SELECT RAISE (IGNORE) FROM claim_events e
    WHERE e.practice_id = new.practice_id AND e.claim_id = new.claim_id AND e.version = new.version
      AND (e.at, e.kind, e.status, e.actor, e.request_id, e.detail)
        IS (new.at, new.kind, new.status, new.actor, new.request_id, new.detail);
  SELECT RAISE (ABORT, 'claim_events is append only');
END;

CREATE TRIGGER claim_notes_keep BEFORE UPDATE ON claim_notes
BEGIN SELECT RAISE (ABORT, 'claim_notes is append only'); END;
CREATE TRIGGER claim_notes_stay BEFORE DELETE ON claim_notes
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'claim_notes is append only'); END;
CREATE TRIGGER claim_notes_once BEFORE INSERT ON claim_notes
WHEN EXISTS (SELECT 1 FROM claim_notes n
  WHERE n.practice_id = new.practice_id AND n.claim_id = new.claim_id AND n.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM claim_notes n
    WHERE n.practice_id = new.practice_id AND n.claim_id = new.claim_id AND n.id = new.id
      AND (n.at, n.author, n.key_version, n.sealed) IS (new.at, new.author, new.key_version, new.sealed);
  SELECT RAISE (ABORT, 'claim_notes is append only');
END;

CREATE TRIGGER signatures_keep BEFORE UPDATE ON signatures
BEGIN SELECT RAISE (ABORT, 'signatures is append only'); END;
CREATE TRIGGER signatures_stay BEFORE DELETE ON signatures
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'signatures is append only'); END;
CREATE TRIGGER signatures_once BEFORE INSERT ON signatures
WHEN EXISTS (SELECT 1 FROM signatures s
  WHERE s.practice_id = new.practice_id AND s.claim_id = new.claim_id AND s.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM signatures s
    WHERE s.practice_id = new.practice_id AND s.claim_id = new.claim_id AND s.id = new.id
      AND (s.link_id, s.signed_at, s.key_version, s.sealed) IS (new.link_id, new.signed_at, new.key_version, new.sealed);
  SELECT RAISE (ABORT, 'signatures is append only');
END;

CREATE TRIGGER reports_keep BEFORE UPDATE ON reports
BEGIN SELECT RAISE (ABORT, 'reports is append only'); END;
CREATE TRIGGER reports_stay BEFORE DELETE ON reports
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'reports is append only'); END;
CREATE TRIGGER reports_once BEFORE INSERT ON reports
WHEN EXISTS (SELECT 1 FROM reports r WHERE r.practice_id = new.practice_id AND r.id = new.id)
BEGIN
  SELECT RAISE (IGNORE) FROM reports r WHERE r.practice_id = new.practice_id AND r.id = new.id
    AND (r.delivered_at, r.delivered_by) IS (new.delivered_at, new.delivered_by);
  SELECT RAISE (ABORT, 'reports is append only');
END;

CREATE TRIGGER report_claims_keep BEFORE UPDATE ON report_claims
BEGIN SELECT RAISE (ABORT, 'report_claims is append only'); END;
CREATE TRIGGER report_claims_stay BEFORE DELETE ON report_claims
WHEN NOT EXISTS (SELECT 1 FROM data_jobs j WHERE j.practice_id = OLD.practice_id AND j.kind = 'destruction' AND j.state = 'running')
BEGIN SELECT RAISE (ABORT, 'report_claims is append only'); END;
CREATE TRIGGER report_claims_once BEFORE INSERT ON report_claims
WHEN EXISTS (SELECT 1 FROM report_claims r
  WHERE r.practice_id = new.practice_id AND r.report_id = new.report_id AND r.claim_id = new.claim_id)
BEGIN SELECT RAISE (IGNORE); END;

-- A link that wrong dates of birth end, or that the right one saves at last, is a change of the claim for those who follow.
CREATE TRIGGER signing_links_tried AFTER UPDATE OF attempts ON signing_links
WHEN (old.attempts < 5) <> (new.attempts < 5) AND new.revoked_at IS NULL AND new.used_at IS NULL
BEGIN
  UPDATE claims SET changed = 1 + (SELECT c.changed FROM claims c WHERE c.practice_id = new.practice_id ORDER BY c.changed DESC LIMIT 1)
    WHERE practice_id = new.practice_id AND id = new.claim_id;
END;

-- ============================================================================================= triggers: counts of claims

-- A counted claim that changes is no longer counted, until the job of each minute counts it again. A row without claims
-- goes.
CREATE TRIGGER claims_count_changed AFTER UPDATE OF changed ON claims
WHEN old.changed <> new.changed AND old.changed <= (SELECT counted FROM practices WHERE id = old.practice_id)
BEGIN
  UPDATE claim_counts SET claims = claims - 1,
      billed_high = billed_high - ifnull(old.billed_cents, 0) / 1000000000,
      billed_low = billed_low - ifnull(old.billed_cents, 0) % 1000000000,
      denied_high = denied_high - ifnull(old.denied_cents, 0) / 1000000000,
      denied_low = denied_low - ifnull(old.denied_cents, 0) % 1000000000,
      recovered_high = recovered_high - ifnull(old.recovered_cents, 0) / 1000000000,
      recovered_low = recovered_low - ifnull(old.recovered_cents, 0) % 1000000000
    WHERE scope IN (old.practice_id, 'all') AND status = old.status
      AND due = iif(old.status IN ('recovered', 'closed'), '', ifnull(max(old.appeal_due, '2020-01-01'), '~'));
  DELETE FROM claim_counts WHERE scope IN (old.practice_id, 'all') AND status = old.status
    AND due = iif(old.status IN ('recovered', 'closed'), '', ifnull(max(old.appeal_due, '2020-01-01'), '~')) AND claims <= 0;
END;
-- So a counted claim cannot change under its old number.
CREATE TRIGGER claims_change_numbered BEFORE UPDATE OF status, appeal_due, billed_cents, denied_cents, recovered_cents ON claims
WHEN new.changed = old.changed
 AND (old.status, old.appeal_due, old.billed_cents, old.denied_cents, old.recovered_cents)
  IS NOT (new.status, new.appeal_due, new.billed_cents, new.denied_cents, new.recovered_cents)
 AND old.changed <= (SELECT counted FROM practices WHERE id = old.practice_id)
BEGIN SELECT RAISE (ABORT, 'a change of a claim has a new number'); END;

-- Only the destruction of a practice's data deletes claims. The payers go with the last one, and numbers begin anew.
CREATE TRIGGER claims_count_gone AFTER DELETE ON claims
BEGIN
  UPDATE claim_counts SET claims = claims - 1,
      billed_high = billed_high - ifnull(old.billed_cents, 0) / 1000000000,
      billed_low = billed_low - ifnull(old.billed_cents, 0) % 1000000000,
      denied_high = denied_high - ifnull(old.denied_cents, 0) / 1000000000,
      denied_low = denied_low - ifnull(old.denied_cents, 0) % 1000000000,
      recovered_high = recovered_high - ifnull(old.recovered_cents, 0) / 1000000000,
      recovered_low = recovered_low - ifnull(old.recovered_cents, 0) % 1000000000
    WHERE scope IN (old.practice_id, 'all') AND status = old.status
      AND due = iif(old.status IN ('recovered', 'closed'), '', ifnull(max(old.appeal_due, '2020-01-01'), '~'))
      AND old.changed <= (SELECT counted FROM practices WHERE id = old.practice_id);
  DELETE FROM claim_counts WHERE scope IN (old.practice_id, 'all') AND status = old.status
    AND due = iif(old.status IN ('recovered', 'closed'), '', ifnull(max(old.appeal_due, '2020-01-01'), '~')) AND claims <= 0;
  DELETE FROM payers WHERE practice_id = old.practice_id
    AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.practice_id = old.practice_id);
  UPDATE practices SET counted = 0 WHERE id = old.practice_id
    AND NOT EXISTS (SELECT 1 FROM claims c WHERE c.practice_id = old.practice_id);
END;

-- ========================================================================================== triggers: what cases wait for

-- The days that a case is due: those of the claims that are appealed in it, and that of its last level while it is neither
-- filed nor decided. `cases.due` is the first of them.
CREATE VIEW case_deadlines (practice_id, case_id, due) AS
  SELECT m.practice_id, m.case_id, c.appeal_due FROM case_claims m CROSS JOIN claims c
  WHERE c.practice_id = m.practice_id AND c.id = m.claim_id AND c.case_id = m.case_id AND c.status = 'in_appeal'
  UNION ALL
  SELECT l.practice_id, l.case_id, l.due_on FROM case_levels l
  WHERE l.filed_on IS NULL AND l.decided_on IS NULL AND NOT EXISTS (SELECT 1 FROM case_levels n
    WHERE n.practice_id = l.practice_id AND n.case_id = l.case_id AND n.level > l.level);

CREATE TRIGGER case_levels_due_new AFTER INSERT ON case_levels
BEGIN
  UPDATE cases SET due = (SELECT min(d.due) FROM case_deadlines d WHERE d.practice_id = new.practice_id AND d.case_id = new.case_id)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER case_levels_due_changed AFTER UPDATE ON case_levels
BEGIN
  UPDATE cases SET due = (SELECT min(d.due) FROM case_deadlines d WHERE d.practice_id = new.practice_id AND d.case_id = new.case_id)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER case_claims_due_new AFTER INSERT ON case_claims
BEGIN
  UPDATE cases SET due = (SELECT min(d.due) FROM case_deadlines d WHERE d.practice_id = new.practice_id AND d.case_id = new.case_id)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER claims_case_due AFTER UPDATE OF status, appeal_due, case_id ON claims
WHEN coalesce(old.case_id, new.case_id) IS NOT NULL
  AND (old.status, old.appeal_due, old.case_id) IS NOT (new.status, new.appeal_due, new.case_id)
BEGIN
  UPDATE cases SET due = (SELECT min(d.due) FROM case_deadlines d WHERE d.practice_id = new.practice_id AND d.case_id = new.case_id)
    WHERE practice_id = new.practice_id AND id = new.case_id;
  UPDATE cases SET due = (SELECT min(d.due) FROM case_deadlines d WHERE d.practice_id = new.practice_id AND d.case_id = old.case_id)
    WHERE practice_id = new.practice_id AND id = old.case_id AND old.case_id IS NOT new.case_id;
END;

CREATE TRIGGER case_claims_open_new AFTER INSERT ON case_claims WHEN new.outcome IS NULL
BEGIN
  UPDATE cases SET is_open = 1 WHERE practice_id = new.practice_id AND id = new.case_id AND is_open = 0;
END;
CREATE TRIGGER case_claims_open_changed AFTER UPDATE OF outcome ON case_claims
BEGIN
  UPDATE cases SET is_open = EXISTS (SELECT 1 FROM case_claims m
      WHERE m.practice_id = new.practice_id AND m.case_id = new.case_id AND m.outcome IS NULL)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;

CREATE TRIGGER case_levels_ask_new AFTER INSERT ON case_levels WHEN new.filed_on IS NOT NULL
BEGIN
  UPDATE cases SET ask_on = (SELECT iif(l.filed_on IS NOT NULL AND l.decided_on IS NULL, coalesce(l.follow_up_on, l.decision_due, '~'), NULL)
      FROM case_levels l WHERE l.practice_id = new.practice_id AND l.case_id = new.case_id ORDER BY l.level DESC LIMIT 1)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
CREATE TRIGGER case_levels_ask_changed AFTER UPDATE ON case_levels
WHEN (old.filed_on, old.decided_on, old.decision_due, old.follow_up_on) IS NOT (new.filed_on, new.decided_on, new.decision_due, new.follow_up_on)
BEGIN
  UPDATE cases SET ask_on = (SELECT iif(l.filed_on IS NOT NULL AND l.decided_on IS NULL, coalesce(l.follow_up_on, l.decision_due, '~'), NULL)
      FROM case_levels l WHERE l.practice_id = new.practice_id AND l.case_id = new.case_id ORDER BY l.level DESC LIMIT 1)
    WHERE practice_id = new.practice_id AND id = new.case_id;
END;
