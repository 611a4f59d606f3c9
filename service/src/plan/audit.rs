//! The audit trail: who did what to which record, when, and in which request.

use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::{Ctx, Purpose};
use overturn_core::base::id::{AuditId, PracticeId, SessionId};
use overturn_core::names;
use serde_json::Value;
use uuid::Uuid;

names! {
    /// The action. Its name is stored and shown.
    Event {
        /// A practice was made.
        PracticeCreated = "practice.created",
        /// A practice changed its settings.
        PracticeChanged = "practice.changed",
        /// A practice was switched on or off.
        PracticeState = "practice.state_changed",
        AgreementSigned = "agreement.signed",
        AgreementEnded = "agreement.ended",
        /// The return of all data was requested.
        ReturnRequested = "data.return_requested",
        /// A page of the practice's data was returned.
        DataReturned = "data.returned",
        /// The destruction of all data was requested.
        DestructionRequested = "data.destruction_requested",
        /// A return or a destruction was canceled.
        DataJobCancelled = "data.job_cancelled",
        /// The data key was destroyed, and the deletion of rows began.
        DestructionBegun = "data.destruction_begun",
        /// All data was destroyed.
        DataDestroyed = "data.destroyed",
        /// Claims were received, at least one of them new.
        SubmissionReceived = "submission.received",
        /// A resend corrected claims.
        ClaimsCorrected = "claims.corrected",
        /// The practice made its sandbox. The record is the sandbox.
        SandboxCreated = "sandbox.created",
        /// The practice had its sandbox emptied.
        SandboxEmptied = "sandbox.emptied",
        /// A key of the sandbox advanced its clock. The trail is the sandbox's own.
        SandboxAdvanced = "sandbox.clock_advanced",
        /// The operator moved a practice to another cell. The trail is the staff's.
        PracticeMoved = "practice.moved",
        /// The operator had second factors sealed under another key.
        FactorsResealed = "factors.resealed",
        /// An API key was made.
        ApiKeyCreated = "api_key.created",
        ApiKeyRevoked = "api_key.revoked",
        /// An API key was found in public, and is revoked.
        ApiKeyLeaked = "api_key.leaked",
        /// An API key was made in place of another one.
        ApiKeyRotated = "api_key.rotated",
        /// The practice was warned that an API key ends.
        ApiKeyExpiring = "api_key.expiring",
        /// An API token was made.
        ApiTokenCreated = "api_token.created",
        /// An API token was replaced by a new one.
        ApiTokenRegenerated = "api_token.regenerated",
        ApiTokenRevoked = "api_token.revoked",
        /// An API token was found in public, and is revoked.
        ApiTokenLeaked = "api_token.leaked",
        /// The practice was warned that an API token ends.
        ApiTokenExpiring = "api_token.expiring",
        /// An account was made by the operator.
        UserCreated = "user.created",
        /// A person was invited.
        MemberInvited = "member.invited",
        /// An invited person joined.
        MemberJoined = "member.joined",
        /// A member got another role.
        MemberRole = "member.role_changed",
        /// A member was removed or left.
        MemberRemoved = "member.removed",
        /// Another person ended all sessions of a member.
        MemberSessions = "member.sessions_revoked",
        /// A password, magic link or code was right and another step follows.
        SignInBegun = "session.first_factor_passed",
        /// A sign-in was complete.
        SignedIn = "session.created",
        SignInFailed = "session.failed",
        /// A second factor was shown again.
        Verified = "session.verified",
        /// A second factor or the current password was wrong.
        VerificationFailed = "session.verification_failed",
        /// A session was ended by its person.
        SignedOut = "session.ended",
        /// Sessions were revoked by their person.
        SessionsRevoked = "session.revoked",
        /// A sign-in link was sent.
        LinkSent = "magic_link.sent",
        /// A password reset link was sent.
        ResetSent = "password.reset_sent",
        /// A password was closed after too many wrong attempts.
        PasswordClosed = "password.closed",
        PasswordChanged = "password.changed",
        /// The enrollment of a second factor began.
        FactorBegun = "factor.enrolment_begun",
        /// A second factor was enrolled.
        FactorEnrolled = "factor.enrolled",
        /// The operator took a second factor and its recovery codes off an account.
        FactorReset = "factor.reset",
        /// Resends filled in missing parts of claims. The record is the request.
        ClaimsFilledIn = "claims.filled_in",
        /// Resends did not match the claims of their numbers. The record is the request.
        ClaimsMismatched = "claims.mismatched",
        /// After too many mismatches, the service compares no more resends on this day. The record is the practice.
        ResendsStopped = "claims.resends_stopped",
        /// A staff member read a claim with its patient.
        ClaimRead = "claim.read",
        /// A staff member took a claim.
        ClaimTaken = "claim.taken",
        /// A staff member gave a claim to a colleague.
        ClaimAssigned = "claim.assigned",
        /// A note was left about a claim.
        ClaimNoted = "claim.noted",
        /// A claim was moved to another status.
        ClaimMoved = "claim.moved",
        /// Staff or a person of the practice recorded what the payer's letter about a claim says.
        ClaimLetter = "claim.letter_set",
        /// The recorded payment of the payer for a claim was corrected.
        AmountCorrected = "claim.amount_corrected",
        /// A report was delivered to the practice.
        ReportDelivered = "report.delivered",
        CaseOpened = "case.opened",
        /// The next level of a case's appeal was begun.
        LevelBegun = "case.level_begun",
        /// A level of a case's appeal was edited.
        LevelChanged = "case.level_changed",
        PasskeyEnrolled = "passkey.enrolled",
        /// A passkey got another name.
        PasskeyRenamed = "passkey.renamed",
        PasskeyRemoved = "passkey.removed",
        /// An assertion had a counter that was used before: somebody may have copied the passkey.
        PasskeyCopied = "passkey.counter_repeated",
        /// An identity at a provider was joined to an account.
        IdentityJoined = "identity.joined",
        /// An identity was removed from an account.
        IdentityRemoved = "identity.removed",
        ProviderAdded = "sso.provider_added",
        ProviderChanged = "sso.provider_changed",
        ProviderRemoved = "sso.provider_removed",
        /// The practice was warned that the certificates of a provider end.
        ProviderEnding = "sso.provider_ending",
        /// A practice began or ceased to require single sign-on.
        SsoRequired = "sso.required_changed",
        /// A mail domain was added.
        DomainAdded = "sso.domain_added",
        /// A mail domain was verified.
        DomainVerified = "sso.domain_verified",
        /// A mail domain was removed.
        DomainRemoved = "sso.domain_removed",
        /// New recovery codes were made.
        RecoveryCodesMade = "factor.recovery_codes_created",
        /// An endpoint was made.
        WebhookCreated = "webhook.created",
        /// An endpoint was changed.
        WebhookChanged = "webhook.changed",
        /// An endpoint got a new secret.
        WebhookRotated = "webhook.secret_rotated",
        /// An endpoint was sent a test.
        WebhookTested = "webhook.tested",
        /// An endpoint was removed.
        WebhookRemoved = "webhook.removed",
        /// An endpoint was disabled by the service.
        WebhookDisabled = "webhook.disabled",
        /// A message was scheduled again for an endpoint.
        DeliveryReplayed = "delivery.replayed",
        /// Messages that an endpoint missed were scheduled again.
        DeliveriesReplayed = "webhook.replayed",
        /// Staff decided whether a patient's signature is needed.
        SigningDecided = "signing.decided",
        /// Staff revoked the signing link.
        SigningLinkRevoked = "signing.link_revoked",
        /// A person with the link entered a wrong date of birth.
        SigningRefused = "signing.refused",
        /// A person with the link entered the patient's date of birth, and saw the document to sign.
        SigningShown = "signing.shown",
        /// The patient signed.
        Signed = "signing.signed",
        /// Staff read a signature.
        SignatureRead = "signature.read",
        /// A data key was made for a practice.
        DataKeyCreated = "data_key.created",
        /// The data key of a practice was wrapped under another key of the service.
        DataKeysResealed = "data_keys.resealed",
        /// A sealed value did not open under its key.
        Tampered = "record.tampered",
        /// A status read handed out the signing link.
        SigningLinkShown = "signing.link_shown",
        /// The patient saw the signed copy again.
        SignedCopyShown = "signing.copy_shown",
        DocumentUploaded = "document.uploaded",
        /// A virus scan found something. The file is not kept.
        DocumentInfected = "document.infected",
        /// A later virus scan found nothing, and the document became available.
        DocumentReleased = "document.released",
        /// A document was downloaded, or staff saw the name of its file.
        DocumentRead = "document.read",
        /// A document was deleted, by a person or at the end of its retention.
        DocumentDeleted = "document.deleted",
        /// A document was attached to a case or a report.
        DocumentAttached = "document.attached",
        /// A document was detached from a case or a report.
        DocumentDetached = "document.detached",
        /// A practice changed how long it keeps documents.
        DocumentSettings = "document.settings_changed",
        /// A staff member searched the queue by claim number.
        QueueSearched = "queue.searched",
        /// A staff member saved or changed a filter of the queue.
        QueueFilterSaved = "queue_filter.saved",
        QueueFilterRemoved = "queue_filter.removed",
        /// A staff member looked for the claims of a patient.
        PatientSearched = "patient.searched",
        /// A staff member opened unusually many patients in an hour, and must confirm the second factor again.
        PatientsExceeded = "staff.patients_exceeded",
    }
}

/// One row.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Its id, which also shows whether its batch ran.
    pub id: AuditId,
    /// The practice whose trail it belongs to; `None` for the staff's own trail.
    pub practice_id: Option<PracticeId>,
    /// What was done.
    pub event: Event,
    pub record: String,
    /// Further details: ids, names of fields, an address. Never a secret or patient data.
    pub detail: Option<Value>,
    /// The session that it is about, if the plan names none.
    pub session_id: Option<SessionId>,
    /// Whether the row names the service, and no actor, address or session of its plan.
    pub by_service: bool,
}

impl Entry {
    /// The nth row of a request.
    #[must_use]
    pub fn new(ctx: &Ctx, n: usize, practice_id: Option<PracticeId>, event: Event, record: impl ToString) -> Self {
        Self {
            id: AuditId(ctx.id(Purpose::Audit, n)),
            practice_id,
            event,
            record: record.to_string(),
            detail: None,
            session_id: None,
            by_service: false,
        }
    }

    /// The same row, made in another cell.
    #[must_use]
    pub fn made_in(self, cell: Cell) -> Self {
        Self { id: AuditId(Uuid::from_bytes(cell.stamp(*self.id.0.as_bytes()))), ..self }
    }

    /// The same with details.
    #[must_use]
    pub fn detail(self, detail: Value) -> Self {
        Self { detail: Some(detail), ..self }
    }

    /// The same with a session.
    #[must_use]
    pub fn session(self, session_id: Option<SessionId>) -> Self {
        Self { session_id, ..self }
    }

    /// The same as a row of the service, for a trail whose practice must not learn who made the request.
    #[must_use]
    pub fn by_service(self) -> Self {
        Self { by_service: true, ..self }
    }
}
