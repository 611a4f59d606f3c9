-- Passkeys, the people's identities at external providers, and what practices require of sign-ins.
-- docs/DATA_MODEL.md says what each table is for; a landed migration is never edited.

-- 1 if the sign-in came from a provider that the practice trusts.
ALTER TABLE sessions ADD COLUMN sso INTEGER NOT NULL DEFAULT 0 CONSTRAINT session_sso CHECK (sso IN (0, 1));
ALTER TABLE continuations ADD COLUMN sso INTEGER NOT NULL DEFAULT 0 CONSTRAINT continuation_sso CHECK (sso IN (0, 1));
-- 1 if the practice's people except its owners must sign in by such a provider.
ALTER TABLE practices ADD COLUMN sso_required INTEGER NOT NULL DEFAULT 0
  CONSTRAINT practice_sso_required CHECK (sso_required IN (0, 1));

-- The id of the person or the provider that an email to the owners is about.
ALTER TABLE notices ADD COLUMN about TEXT;

CREATE TABLE passkeys (
  user_id         TEXT    NOT NULL REFERENCES users (id),
  id              TEXT    NOT NULL,
  credential_id   TEXT    NOT NULL CONSTRAINT passkey_credential UNIQUE,
  public_key      TEXT    NOT NULL,
  sign_count      INTEGER NOT NULL,
  backup_eligible INTEGER NOT NULL CONSTRAINT passkey_backup_eligible CHECK (backup_eligible IN (0, 1)),
  backed_up       INTEGER NOT NULL CONSTRAINT passkey_backed_up CHECK (backed_up IN (0, 1)),
  transports      TEXT    NOT NULL,
  name            TEXT    NOT NULL,
  created_at      INTEGER NOT NULL,
  last_used_at    INTEGER,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;

-- What was accepted once and never again: challenges, states of sign-ins, and assertions of providers.
CREATE TABLE spent_proofs (
  hash       TEXT    NOT NULL PRIMARY KEY,
  expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX spent_proofs_expired ON spent_proofs (expires_at);

-- What a practice signs in by: its own SAML provider, or a provider of the installation that it trusts.
CREATE TABLE sso_providers (
  practice_id       TEXT    NOT NULL REFERENCES practices (id),
  id                TEXT    NOT NULL,
  kind              TEXT    NOT NULL CONSTRAINT sso_provider_kind CHECK (kind IN ('saml', 'oidc')),
  name              TEXT    NOT NULL,
  -- The provider's id in the installation's configuration, of kind oidc only.
  configured        TEXT,
  -- The entity id, the metadata and its certificates, of kind saml only.
  entity_id         TEXT,
  metadata          TEXT,
  certificates      TEXT,
  certificates_end  INTEGER,
  -- When the practice is warned of that end.
  warn_at           INTEGER,
  contexts          TEXT    NOT NULL,
  idp_initiated     INTEGER NOT NULL DEFAULT 0 CONSTRAINT sso_provider_idp_initiated CHECK (idp_initiated IN (0, 1)),
  created_at        INTEGER NOT NULL,
  PRIMARY KEY (practice_id, id),
  CONSTRAINT sso_provider_parts CHECK (
    iif(kind = 'saml', configured IS NULL AND metadata IS NOT NULL, configured IS NOT NULL AND metadata IS NULL))
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX sso_provider_by_id ON sso_providers (id);
CREATE UNIQUE INDEX sso_provider_configured_once ON sso_providers (practice_id, configured) WHERE kind = 'oidc';
CREATE INDEX sso_providers_ending ON sso_providers (warn_at) WHERE warn_at IS NOT NULL;

-- `provider` is the id of a row of sso_providers of kind saml, or the id of a provider of the installation.
CREATE TABLE identities (
  user_id      TEXT    NOT NULL REFERENCES users (id),
  id           TEXT    NOT NULL,
  provider     TEXT    NOT NULL,
  issuer       TEXT    NOT NULL,
  subject      TEXT    NOT NULL,
  email        TEXT    NOT NULL,
  created_at   INTEGER NOT NULL,
  last_used_at INTEGER,
  PRIMARY KEY (user_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX identity_once ON identities (provider, issuer, subject);

CREATE TABLE practice_domains (
  practice_id TEXT    NOT NULL REFERENCES practices (id),
  id          TEXT    NOT NULL,
  domain      TEXT    NOT NULL,
  token       TEXT    NOT NULL,
  created_at  INTEGER NOT NULL,
  verified_at INTEGER,
  PRIMARY KEY (practice_id, id)
) STRICT, WITHOUT ROWID;
CREATE UNIQUE INDEX practice_domain_once ON practice_domains (domain) WHERE verified_at IS NOT NULL;
CREATE UNIQUE INDEX practice_domain_in_practice ON practice_domains (practice_id, domain);
