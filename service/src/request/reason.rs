//! The cause of a refusal, for programs.
//!
//! The interface fixes the codes of errors, and one code stands for many causes. A reason stands beside the code and
//! names the cause, so a program need not read the message.

use overturn_core::names;

names! {
    /// The kind of an error, which its body names as `code`.
    ErrorCode {
        /// `400`: the body is not a JSON object.
        BadRequest = "bad_request",
        /// `401`: no valid session.
        NotAuthenticated = "not_authenticated",
        /// `402`: the second factor is missing.
        TwoFactorRequired = "two_factor_required",
        /// `403`: the action is not allowed.
        NotAuthorized = "not_authorized",
        /// `404`: there is no such record.
        NotFound = "not_found",
        /// `405`: the path does not take the method.
        MethodNotAllowed = "method_not_allowed",
        /// `408`: the body did not arrive in time.
        BodyTooSlow = "body_too_slow",
        /// `409`: the state does not allow it.
        Conflict = "conflict",
        /// `413`: the body is too large.
        BodyTooLarge = "body_too_large",
        /// `413`: a file is too large.
        FileTooLarge = "file_too_large",
        /// `422`: fields are invalid.
        ValidationFailed = "validation_failed",
        /// `422`: the virus scanner found something.
        VirusDetected = "virus_detected",
        /// `429`: there were too many requests.
        RateLimited = "rate_limited",
        /// `500`: the service failed.
        InternalError = "internal_error",
        /// `503`: the service cannot answer now.
        Unavailable = "unavailable",
    }
}

names! {
    /// The cause of a `402`, `403` or `409`, for programs. `code` names only the kind of error. We may add reasons, so treat
    /// one that you do not know like its `code`.
    Reason {
        /// `402`: show a second factor with the `continuation_token`, then send the request again.
        SecondFactorNeeded = "second_factor_needed",
        /// `402`: the account has no second factor yet: enroll one first.
        EnrolmentNeeded = "enrolment_needed",
        /// `403`: the person's role does not allow this.
        RoleNotAllowed = "role_not_allowed",
        /// `403`: this needs a session, not an API token.
        TokenNotAllowed = "token_not_allowed",
        /// `403`: the API token lacks the scope for this.
        ScopeMissing = "scope_missing",
        /// `403`: the practice requires single sign-on.
        SsoRequired = "sso_required",
        /// `403`: sign out, and sign in again.
        SignInTooOld = "sign_in_too_old",
        /// `403`: the practice is not active.
        PracticeInactive = "practice_inactive",
        /// `403`: the practice has no agreement in force.
        AgreementRequired = "agreement_required",
        /// `403`: `X-CSRF-Token` is missing or does not belong to the session.
        CsrfMismatch = "csrf_mismatch",
        /// `403`: the request comes from another site.
        CrossSite = "cross_site",
        /// `403`: the record belongs to another person.
        NotYours = "not_yours",
        /// `409`: the record has changed: read it again.
        VersionConflict = "version_conflict",
        /// `409`: the person's rights, or those of the practice, changed while the request ran: send it again.
        RightsChanged = "rights_changed",
        /// `409`: a request with this `Idempotency-Key` is still running.
        RequestRunning = "request_running",
        /// `409`: the database was restored to an earlier state: read the list again.
        Restored = "restored",
        /// `409`: the status does not allow this.
        MoveNotPossible = "move_not_possible",
        /// `409`: take the claim first.
        NotTaken = "not_taken",
        /// `409`: another person has taken the claim.
        TakenByOther = "taken_by_other",
        /// `409`: record the outcome of the level before this one first.
        LevelUndecided = "level_undecided",
        /// `409`: no claim of the case is in appeal any more.
        NoClaimInAppeal = "no_claim_in_appeal",
        /// `409`: the appeal was filed or decided without the claim.
        FiledWithoutClaim = "filed_without_claim",
        /// `409`: the claim does not wait for the patient's signature.
        SignatureNotAsked = "signature_not_asked",
        /// `409`: the practice has switched off the link for patients.
        LinksOff = "links_off",
        /// `409`: the link for the patient expired, was revoked, or was tried too often.
        LinkEnded = "link_ended",
        /// `409`: the signature or the agreement exists already.
        AlreadySigned = "already_signed",
        /// `409`: the record exists already.
        AlreadyExists = "already_exists",
        /// `409`: the practice or the person has as many of these as it can have.
        LimitReached = "limit_reached",
        /// `409`: the practice must keep an owner.
        LastOwner = "last_owner",
        /// `409`: the account must keep a second factor.
        LastFactor = "last_factor",
        /// `409`: the account has no such second factor.
        NoFactor = "no_factor",
        /// `409`: the registration of the passkey has ended: begin again.
        RegistrationEnded = "registration_ended",
        /// `409`: the API token has ended or was replaced.
        TokenEnded = "token_ended",
        /// `409`: the API key was revoked or has expired.
        KeyEnded = "key_ended",
        /// `409`: another API key that works has replaced it.
        KeyReplaced = "key_replaced",
        /// `409`: no API key that works has replaced it.
        KeyNotReplaced = "key_not_replaced",
        /// `409`: end the agreement first.
        AgreementInForce = "agreement_in_force",
        /// `409`: no agreement is in force.
        AgreementMissing = "agreement_missing",
        /// `409`: the practice has a legal hold.
        LegalHold = "legal_hold",
        /// `409`: a job of this kind has not ended.
        JobInProgress = "job_in_progress",
        /// `409`: the job has ended.
        JobEnded = "job_ended",
        /// `409`: the destruction of the data has begun.
        DestructionBegun = "destruction_begun",
        /// `409`: the data was destroyed: sign an agreement to start again.
        DataDestroyed = "data_destroyed",
        /// `409`: the page is not the next one of the job.
        OutOfOrder = "out_of_order",
        /// `409`: a case or a report uses the document.
        DocumentInUse = "document_in_use",
        /// `409`: the document waits for its virus scan.
        DocumentWaiting = "document_waiting",
        /// `409`: the document is not available.
        DocumentUnavailable = "document_unavailable",
        /// `409`: the webhook is disabled.
        WebhookDisabled = "webhook_disabled",
        /// `409`: this installation does not serve SAML providers.
        SamlNotServed = "saml_not_served",
        /// `409`: add an identity provider first.
        ProviderMissing = "provider_missing",
        /// `409`: single sign-on is required, and this is the last provider that works.
        LastProvider = "last_provider",
        /// `409`: nobody has signed in with the identity provider yet.
        SignInUnproven = "sign_in_unproven",
        /// `409`: the change would lock the person out.
        WouldLockOut = "would_lock_out",
        /// `409`: another practice has verified the domain.
        DomainTaken = "domain_taken",
        /// `409`: the DNS record of the domain is missing.
        DomainUnverified = "domain_unverified",
        /// `409`: the provider knows the person by another address.
        OtherAddress = "other_address",
        /// `409`: the provider is for the people of another practice.
        OtherPractice = "other_practice",
        /// `409`: more than one record matches.
        SeveralMatch = "several_match",
        /// In the results of a request for several records: there is no such record. No error names it.
        #[cfg_attr(feature = "schema", schemars(skip))]
        NotFound = "not_found",
    }
}
