// Made from the API description by `cargo xtask console generate`. Do not edit.

export interface Schemas {
    Paths: {
        "/api/v1/appeals": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["ListedAppealList"];
            };
        };
        "/api/v1/appeals/{id}": {
            get: {
                path: {
                    id: string;
                };
                answer: Schemas["Appeal"];
            };
        };
        "/api/v1/auth/2fa/recovery_codes": {
            get: {
                answer: Schemas["RecoveryCodesLeft"];
            };
            post: {
                answer: Schemas["RenewedWithRecoveryCodes"];
            };
        };
        "/api/v1/auth/2fa/totp": {
            post: {
                answer: Schemas["BegunFactorWithTotp"];
            };
        };
        "/api/v1/auth/2fa/totp/confirm": {
            post: {
                body: Schemas["Confirmed"];
                answer: Schemas["RenewedWithRecoveryCodes"];
            };
        };
        "/api/v1/auth/identities": {
            get: {
                answer: Schemas["Identities"];
            };
            post: {
                body: Schemas["SeenIdentity"];
                answer: Schemas["Identity"];
            };
        };
        "/api/v1/auth/identities/waiting": {
            get: {
                answer: Schemas["WaitingIdentity"];
            };
        };
        "/api/v1/auth/identities/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/auth/invitation": {
            post: {
                body: Schemas["AcceptedInvitation"];
            };
        };
        "/api/v1/auth/invitation/preview": {
            post: {
                body: Schemas["LinkPressed"];
                answer: Schemas["InvitationPreview"];
            };
        };
        "/api/v1/auth/magic_link": {
            post: {
                body: Schemas["LinkAsked"];
                answer: Schemas["Accepted"];
            };
        };
        "/api/v1/auth/magic_link/verify": {
            post: {
                body: Schemas["LinkPressed"];
                answer: Schemas["SignedIn"];
            };
        };
        "/api/v1/auth/oauth/{provider}": {
            get: {
                path: {
                    provider: string;
                };
            };
        };
        "/api/v1/auth/oauth/{provider}/callback": {
            get: {
                path: {
                    provider: string;
                };
                query?: {
                    code?: string;
                    state?: string;
                    iss?: string;
                    error?: string;
                };
            };
        };
        "/api/v1/auth/passkeys": {
            get: {
                answer: Schemas["Passkeys"];
            };
            post: {
                body: Schemas["RequestedPasskey"];
                answer: Schemas["PasskeyOrRecoveryCodes"];
            };
        };
        "/api/v1/auth/passkeys/options": {
            post: {
                answer: Schemas["RegistrationOptions"];
            };
        };
        "/api/v1/auth/passkeys/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
            patch: {
                path: {
                    id: string;
                };
                body: Schemas["NewName"];
                answer: Schemas["Passkey"];
            };
        };
        "/api/v1/auth/password": {
            post: {
                body: Schemas["Renewal"];
            };
        };
        "/api/v1/auth/password_reset": {
            post: {
                body: Schemas["LinkAsked"];
                answer: Schemas["Accepted"];
            };
        };
        "/api/v1/auth/password_reset/confirm": {
            post: {
                body: Schemas["Reset"];
            };
        };
        "/api/v1/auth/password_reset/preview": {
            post: {
                body: Schemas["LinkPressed"];
                answer: Schemas["ResetPreview"];
            };
        };
        "/api/v1/auth/providers": {
            get: {
                query?: {
                    domain?: string;
                };
                answer: Schemas["Providers"];
            };
        };
        "/api/v1/auth/saml/{provider}": {
            get: {
                path: {
                    provider: string;
                };
            };
            post: {
                path: {
                    provider: string;
                };
            };
        };
        "/api/v1/auth/saml/{provider}/metadata": {
            get: {
                path: {
                    provider: string;
                };
            };
        };
        "/api/v1/auth/session": {
            get: {
                answer: Schemas["SignedIn"];
            };
            post: {
                body: Schemas["SignIn"];
                answer: Schemas["SignedIn"];
            };
        };
        "/api/v1/auth/session/2fa": {
            post: {
                body: Schemas["PresentedFactor"];
                answer?: Schemas["SignedIn"];
            };
        };
        "/api/v1/auth/session/2fa/passkey/options": {
            post: {
                body: Schemas["AskedFactor"];
                answer: Schemas["AssertionOptions"];
            };
        };
        "/api/v1/auth/session/logout": {
            post: object;
        };
        "/api/v1/auth/session/passkey": {
            post: {
                body: Schemas["PasskeySignIn"];
                answer: Schemas["SignedIn"];
            };
        };
        "/api/v1/auth/session/passkey/options": {
            post: {
                answer: Schemas["AssertionOptions"];
            };
        };
        "/api/v1/auth/sessions": {
            delete: object;
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["SessionList"];
            };
        };
        "/api/v1/auth/sessions/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/denials": {
            get: {
                query?: {
                    status?: ("received" | "reviewing" | "in_report" | "in_appeal" | "recovered" | "closed")[];
                    signing_status?: ("not_decided" | "not_needed" | "needed" | "signed")[];
                    limit?: number;
                    order?: "newest" | "deadline" | "";
                    cursor?: string;
                    changes_after?: string;
                    claim_number?: string;
                    payer_name?: string;
                    denied_from?: string;
                    denied_to?: string;
                    due_from?: string;
                    due_to?: string;
                    denial_code?: string;
                    received_from?: string;
                    received_to?: string;
                    updated_since?: string;
                    report_id?: string;
                };
                answer: Schemas["Denials"];
            };
            post: {
                body: Schemas["ClaimsSendRequest"];
                answer: Schemas["ClaimsSendResponse"] | Schemas["ClaimsSendResponse"];
            };
        };
        "/api/v1/denials/payers": {
            get: {
                answer: Schemas["Payers"];
            };
        };
        "/api/v1/denials/summary": {
            get: {
                query?: {
                    today?: string;
                };
                answer: Schemas["Summary"];
            };
        };
        "/api/v1/denials/{id}": {
            get: {
                path: {
                    id: string;
                };
                answer: Schemas["DenialWithHistory"];
            };
        };
        "/api/v1/denials/{id}/letter": {
            patch: {
                path: {
                    id: string;
                };
                body: Schemas["LetterEdit"];
                answer: Schemas["ChangedLetter"];
            };
        };
        "/api/v1/denials/{id}/signing_link": {
            get: {
                path: {
                    id: string;
                };
                answer: Schemas["SigningLink"];
            };
        };
        "/api/v1/documents": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    claim_id?: string;
                    claim_number?: string;
                    case_id?: string;
                    report_id?: string;
                    kind?: "denial_letter" | "medical_record" | "remittance" | "authorization" | "correspondence" | "other" | "";
                    state?: "available" | "quarantined" | "infected" | "deleted" | "";
                };
                answer: Schemas["DocumentList"];
            };
            post: {
                answer: Schemas["UploadedDocument"];
            };
        };
        "/api/v1/documents/bulk": {
            post: {
                answer: Schemas["UploadResults"];
            };
        };
        "/api/v1/documents/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
            get: {
                path: {
                    id: string;
                };
                answer: Schemas["Document"];
            };
        };
        "/api/v1/documents/{id}/content": {
            get: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/leaks": {
            post: {
                body: Schemas["LeakReport"];
                answer: Schemas["LeakAccepted"];
            };
        };
        "/api/v1/leaks/github": {
            post: {
                body: Schemas["LeakMessage"];
                answer: Schemas["JudgedToken"][];
            };
        };
        "/api/v1/openapi.json": {
            get: {
                answer: Schemas["Description"];
            };
        };
        "/api/v1/openapi/accounts.json": {
            get: {
                answer: Schemas["Description"];
            };
        };
        "/api/v1/reports": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["PracticeReportItemList"];
            };
        };
        "/api/v1/reports/{id}": {
            get: {
                path: {
                    id: string;
                };
                answer: Schemas["PracticeReport"];
            };
        };
        "/api/v1/settings/agreements": {
            get: {
                answer: Schemas["Agreements"];
            };
            post: {
                body: Schemas["AgreementSignature"];
                answer: Schemas["Signed"];
            };
        };
        "/api/v1/settings/agreements/{id}/end": {
            post: {
                path: {
                    id: string;
                };
                answer: Schemas["Signed"];
            };
        };
        "/api/v1/settings/api_keys": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["ListedApiKeyList"];
            };
            post: {
                body: Schemas["RequestedApiKey"];
                answer: Schemas["ApiKeyWithKey"];
            };
        };
        "/api/v1/settings/api_keys/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/settings/api_keys/{id}/rotate": {
            post: {
                path: {
                    id: string;
                };
                answer: Schemas["ApiKeyWithKey"];
            };
        };
        "/api/v1/settings/api_keys/{id}/rotate/finish": {
            post: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/settings/api_tokens": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["ListedApiTokenList"];
            };
            post: {
                body: Schemas["TokenRequest"];
                answer: Schemas["ApiTokenWithToken"];
            };
        };
        "/api/v1/settings/api_tokens/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/settings/api_tokens/{id}/regenerate": {
            post: {
                path: {
                    id: string;
                };
                body: Schemas["Regeneration"];
                answer: Schemas["ApiTokenWithToken"];
            };
        };
        "/api/v1/settings/audit": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    action?: string;
                    actor?: string;
                    record?: string;
                    claim_number?: string;
                    from?: string;
                    to?: string;
                };
                answer: Schemas["AuditRowList"];
            };
        };
        "/api/v1/settings/audit/export": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
            };
        };
        "/api/v1/settings/audit/verify": {
            get: {
                query?: {
                    cursor?: string;
                };
                answer: Schemas["Verify"];
            };
        };
        "/api/v1/settings/data_jobs": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["DataJobList"];
            };
            post: {
                body: Schemas["JobRequest"];
                answer: Schemas["DataJob"];
            };
        };
        "/api/v1/settings/data_jobs/{id}": {
            get: {
                path: {
                    id: string;
                };
                answer: Schemas["DataJob"];
            };
        };
        "/api/v1/settings/data_jobs/{id}/cancel": {
            post: {
                path: {
                    id: string;
                };
                answer: Schemas["DataJob"];
            };
        };
        "/api/v1/settings/data_jobs/{id}/records": {
            get: {
                path: {
                    id: string;
                };
                query?: {
                    cursor?: string;
                };
            };
        };
        "/api/v1/settings/documents": {
            get: {
                answer: Schemas["DocumentSettings"];
            };
            patch: {
                body: Schemas["DocumentSettingsEdit"];
                answer: Schemas["DocumentSettings"];
            };
        };
        "/api/v1/settings/expiring": {
            get: {
                answer: Schemas["Expiring"];
            };
        };
        "/api/v1/settings/members": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["MemberList"];
            };
            post: {
                body: Schemas["Invitation"];
                answer: Schemas["Member"] | Schemas["Member"];
            };
        };
        "/api/v1/settings/members/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
            patch: {
                path: {
                    id: string;
                };
                body: Schemas["RoleChange"];
                answer: Schemas["Member"];
            };
        };
        "/api/v1/settings/members/{id}/sessions": {
            delete: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/settings/practice": {
            get: {
                answer: Schemas["Practice"];
            };
            patch: {
                body: Schemas["PracticeEdit"];
                answer: Schemas["Practice"];
            };
        };
        "/api/v1/settings/sandbox": {
            get: {
                answer: Schemas["OwnSandbox"];
            };
            post: {
                answer: Schemas["Sandbox"];
            };
        };
        "/api/v1/settings/sandbox/empty": {
            post: {
                answer: Schemas["Sandbox"];
            };
        };
        "/api/v1/settings/sandbox/keys": {
            post: {
                body: Schemas["RequestedApiKey"];
                answer: Schemas["ApiKeyWithKey"];
            };
        };
        "/api/v1/settings/sandbox/keys/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/settings/sandbox/tokens": {
            post: {
                body: Schemas["TokenRequest"];
                answer: Schemas["ApiTokenWithToken"];
            };
        };
        "/api/v1/settings/sandbox/tokens/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/settings/sso": {
            get: {
                answer: Schemas["Sso"];
            };
            patch: {
                body: Schemas["RequiredEdit"];
                answer: Schemas["Sso"];
            };
        };
        "/api/v1/settings/sso/domains": {
            post: {
                body: Schemas["DomainRequest"];
                answer: Schemas["Domain"];
            };
        };
        "/api/v1/settings/sso/domains/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
        };
        "/api/v1/settings/sso/domains/{id}/verify": {
            post: {
                path: {
                    id: string;
                };
                answer: Schemas["Domain"];
            };
        };
        "/api/v1/settings/sso/providers": {
            post: {
                body: Schemas["ProviderRequest"];
                answer: Schemas["Provider"];
            };
        };
        "/api/v1/settings/sso/providers/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
            patch: {
                path: {
                    id: string;
                };
                body: Schemas["ProviderEditRequest"];
                answer: Schemas["Provider"];
            };
        };
        "/api/v1/settings/webhooks": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["WebhookList"];
            };
            post: {
                body: Schemas["NewWebhook"];
                answer: Schemas["WebhookWithSecret"];
            };
        };
        "/api/v1/settings/webhooks/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
            get: {
                path: {
                    id: string;
                };
                answer: Schemas["Webhook"];
            };
            patch: {
                path: {
                    id: string;
                };
                body: Schemas["WebhookEdit"];
                answer: Schemas["Webhook"];
            };
        };
        "/api/v1/settings/webhooks/{id}/deliveries": {
            get: {
                path: {
                    id: string;
                };
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["DeliveryList"];
            };
        };
        "/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}": {
            get: {
                path: {
                    id: string;
                    delivery_id: string;
                };
                answer: Schemas["LoggedDelivery"];
            };
        };
        "/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay": {
            post: {
                path: {
                    id: string;
                    delivery_id: string;
                };
                answer: Schemas["Delivery"];
            };
        };
        "/api/v1/settings/webhooks/{id}/replay": {
            post: {
                path: {
                    id: string;
                };
                body: Schemas["Replay"];
                answer: Schemas["Replayed"];
            };
        };
        "/api/v1/settings/webhooks/{id}/rotate_secret": {
            post: {
                path: {
                    id: string;
                };
                answer: Schemas["WebhookWithSecret"];
            };
        };
        "/api/v1/settings/webhooks/{id}/test": {
            post: {
                path: {
                    id: string;
                };
                body: Schemas["WebhookTest"];
                answer: Schemas["Delivery"];
            };
        };
        "/api/v1/staff/audit": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    action?: string;
                    actor?: string;
                    record?: string;
                    claim_number?: string;
                    from?: string;
                    to?: string;
                };
                answer: Schemas["AuditRowList"];
            };
        };
        "/api/v1/staff/audit/export": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
            };
        };
        "/api/v1/staff/audit/verify": {
            get: {
                query?: {
                    cursor?: string;
                };
                answer: Schemas["Verify"];
            };
        };
        "/api/v1/staff/cases": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    due_before?: string;
                    practice_id?: string;
                    open?: "true" | "false" | "";
                    awaiting?: "decision" | "";
                    ask_before?: string;
                };
                answer: Schemas["CaseOfAllList"];
            };
        };
        "/api/v1/staff/cells": {
            get: {
                answer: Schemas["CellReports"];
            };
        };
        "/api/v1/staff/claims": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    status?: string;
                    practice_id?: string;
                    payer_name?: string;
                    claim_number?: string;
                    denial_code?: string;
                    min_age_days?: number;
                    max_age_days?: number;
                    due_from?: string;
                    due_to?: string;
                    order?: "deadline" | "latest_deadline" | "denied" | "most_denied" | "arrived" | "latest_arrived" | "";
                    count?: "true" | "false" | "";
                    taken_by?: (("me" | "nobody") | string) | string;
                    signature?: "waiting" | "link_dead" | "";
                    ask_before?: string;
                };
                answer: Schemas["QueuedClaimList"];
            };
        };
        "/api/v1/staff/claims/signing": {
            post: {
                body: Schemas["Decisions"];
                answer: Schemas["ClaimResults"];
            };
        };
        "/api/v1/staff/claims/take": {
            post: {
                body: Schemas["SeveralToTake"];
                answer: Schemas["ClaimResults"];
            };
        };
        "/api/v1/staff/colleagues": {
            get: {
                answer: Schemas["Colleagues"];
            };
        };
        "/api/v1/staff/filters": {
            get: {
                answer: Schemas["QueueFilters"];
            };
            post: {
                body: Schemas["NewQueueFilter"];
                answer: Schemas["QueueFilter"];
            };
        };
        "/api/v1/staff/filters/{id}": {
            delete: {
                path: {
                    id: string;
                };
            };
            patch: {
                path: {
                    id: string;
                };
                body: Schemas["QueueFilterEdit"];
                answer: Schemas["QueueFilter"];
            };
        };
        "/api/v1/staff/patients/search": {
            post: {
                body: Schemas["PatientSearch"];
                answer: Schemas["PatientClaims"];
            };
        };
        "/api/v1/staff/payers": {
            get: {
                query?: {
                    practice_id?: string;
                };
                answer: Schemas["Payers"];
            };
        };
        "/api/v1/staff/practices": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                    name?: string;
                    today?: string;
                };
                answer: Schemas["ListedPracticeList"];
            };
        };
        "/api/v1/staff/practices/{practice}/cases": {
            get: {
                path: {
                    practice: string;
                };
                query?: {
                    limit?: number;
                    cursor?: string;
                    payer_name?: string;
                    claim_id?: string;
                };
                answer: Schemas["ListedCaseList"];
            };
            post: {
                path: {
                    practice: string;
                };
                body: Schemas["CaseRequest"];
                answer: Schemas["ChangedCase"];
            };
        };
        "/api/v1/staff/practices/{practice}/cases/{id}": {
            get: {
                path: {
                    practice: string;
                    id: string;
                };
                answer: Schemas["ShownCase"];
            };
        };
        "/api/v1/staff/practices/{practice}/cases/{id}/decisions": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["DecisionRequest"];
                answer: Schemas["DecidedCase"];
            };
        };
        "/api/v1/staff/practices/{practice}/cases/{id}/documents": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["NewDocumentUse"];
            };
        };
        "/api/v1/staff/practices/{practice}/cases/{id}/documents/{document}": {
            delete: {
                path: {
                    practice: string;
                    id: string;
                    document: string;
                };
            };
        };
        "/api/v1/staff/practices/{practice}/cases/{id}/levels": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["LevelRequest"];
                answer: Schemas["ChangedCase"];
            };
        };
        "/api/v1/staff/practices/{practice}/cases/{id}/levels/{level}": {
            patch: {
                path: {
                    practice: string;
                    id: string;
                    level: number;
                };
                body: Schemas["LevelEdit"];
                answer: Schemas["ChangedCase"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}": {
            get: {
                path: {
                    practice: string;
                    id: string;
                };
                answer: Schemas["StaffClaim"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/amount": {
            patch: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["PaidAmount"];
                answer: Schemas["ClaimAnswer"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/letter": {
            patch: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["LetterEdit"];
                answer: Schemas["ChangedLetter"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/moves": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["ClaimMove"];
                answer: Schemas["ClaimAnswer"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/notes": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["NoteText"];
                answer: Schemas["WrittenNote"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/related": {
            get: {
                path: {
                    practice: string;
                    id: string;
                };
                answer: Schemas["RelatedClaims"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/signature": {
            get: {
                path: {
                    practice: string;
                    id: string;
                };
                answer: Schemas["PatientSignature"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/signing": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["SigningDecision"];
                answer: Schemas["ClaimAnswer"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/signing/link": {
            delete: {
                path: {
                    practice: string;
                    id: string;
                };
                answer: Schemas["ClaimAnswer"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/take": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["ToTake"];
                answer: Schemas["ClaimAnswer"];
            };
        };
        "/api/v1/staff/practices/{practice}/documents": {
            get: {
                path: {
                    practice: string;
                };
                query?: {
                    limit?: number;
                    cursor?: string;
                    claim_id?: string;
                    claim_number?: string;
                    case_id?: string;
                    report_id?: string;
                    kind?: "denial_letter" | "medical_record" | "remittance" | "authorization" | "correspondence" | "other" | "";
                    state?: "available" | "quarantined" | "infected" | "deleted" | "";
                };
                answer: Schemas["DocumentList"];
            };
        };
        "/api/v1/staff/practices/{practice}/documents/{id}": {
            delete: {
                path: {
                    practice: string;
                    id: string;
                };
            };
            get: {
                path: {
                    practice: string;
                    id: string;
                };
                answer: Schemas["Document"];
            };
        };
        "/api/v1/staff/practices/{practice}/documents/{id}/content": {
            get: {
                path: {
                    practice: string;
                    id: string;
                };
            };
        };
        "/api/v1/staff/practices/{practice}/reports": {
            get: {
                path: {
                    practice: string;
                };
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["ReportItemList"];
            };
            post: {
                path: {
                    practice: string;
                };
                body: Schemas["ReportedClaims"];
                answer: Schemas["PracticeReportItem"];
            };
        };
        "/api/v1/staff/practices/{practice}/reports/{id}": {
            get: {
                path: {
                    practice: string;
                    id: string;
                };
                answer: Schemas["Report"];
            };
        };
        "/api/v1/staff/practices/{practice}/reports/{id}/documents": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["NewDocumentUse"];
            };
        };
        "/api/v1/staff/practices/{practice}/reports/{id}/documents/{document}": {
            delete: {
                path: {
                    practice: string;
                    id: string;
                    document: string;
                };
            };
        };
        "/api/v1/staff/summary": {
            get: {
                query?: {
                    today?: string;
                    practice_id?: string;
                };
                answer: Schemas["WorkSummary"];
            };
        };
    };
    Accepted: {
        message: string;
    };
    AcceptedInvitation: {
        name: string;
        password: string;
        token: string;
    };
    Action: "sign_out" | "revoke_api_tokens" | "read_self" | "list_sessions" | "revoke_sessions" | "enrol_factor" | "change_factor" | "list_passkeys" | "enrol_passkey" | "rename_passkey" | "remove_passkey" | "list_identities" | "manage_identities" | "change_password" | "read_practice" | "edit_practice" | "edit_session_policy" | "list_api_keys" | "manage_api_keys" | "rotate_api_keys" | "read_agreements" | "sign_agreement" | "end_agreement" | "read_data_jobs" | "manage_data_jobs" | "take_data" | "read_sandbox" | "manage_sandbox" | "list_members" | "manage_members" | "leave" | "list_api_tokens" | "manage_api_tokens" | "read_sso" | "manage_sso" | "read_audit" | "export_audit" | "read_staff_audit" | "export_staff_audit" | "list_webhooks" | "manage_webhooks" | "read_delivery" | "replay_deliveries" | "read_denials" | "read_signing_link" | "send_claims" | "set_letter" | "upload_document" | "read_documents" | "delete_document" | "edit_retention" | "read_work" | "read_claim" | "work";
    Actor: {
        id: string | null;
        name: string | null;
        type: Schemas["ActorKind"];
    };
    ActorKind: "user" | "staff" | "api_key" | "api_token" | "signing_link" | "operator" | "service" | "sandbox" | "github" | "anyone";
    Address: {
        city: string;
        line1: string;
        line2: string | null;
        state: string;
        zip: string;
    };
    Agreement: {
        history: Schemas["Signed"][];
        kind: "baa";
        signed: Schemas["Signed"] | null;
        text: string;
        version: string;
    };
    AgreementSignature: {
        kind: "baa";
        signer_name: string;
        signer_title: string;
        version: string;
    };
    AgreementState: "in_force" | "missing" | "ended";
    Agreements: {
        agreements: Schemas["Agreement"][];
    };
    Amount: string;
    ApiKey: {
        created_at: Schemas["Time"];
        created_by: Schemas["Maker"] | null;
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["Time"] | null;
        maker_removed: boolean;
        name: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["Time"] | null;
        scopes: Schemas["Scope"][];
    };
    ApiKeyAction: "revoke";
    ApiKeyWithKey: {
        created_at: Schemas["Time"];
        created_by: Schemas["Maker"] | null;
        expires_at: Schemas["Time"];
        id: string;
        key: string;
        last_used_at: Schemas["Time"] | null;
        maker_removed: boolean;
        name: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["Time"] | null;
        scopes: Schemas["Scope"][];
    } | {
        created_at: Schemas["Time"];
        created_by: Schemas["Maker"] | null;
        expires_at: Schemas["Time"];
        id: string;
        key: null;
        last_used_at: Schemas["Time"] | null;
        maker_removed: boolean;
        name: string;
        not_repeated: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["Time"] | null;
        scopes: Schemas["Scope"][];
    };
    ApiToken: {
        created_at: Schemas["Time"];
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["Time"] | null;
        name: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["Time"] | null;
        scopes: Schemas["TokenScope"][];
        user_id: string;
    };
    ApiTokenAction: "revoke" | "regenerate";
    ApiTokenWithToken: {
        created_at: Schemas["Time"];
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["Time"] | null;
        name: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["Time"] | null;
        scopes: Schemas["TokenScope"][];
        token: string;
        user_id: string;
    } | {
        created_at: Schemas["Time"];
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["Time"] | null;
        name: string;
        not_repeated: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["Time"] | null;
        scopes: Schemas["TokenScope"][];
        token: null;
        user_id: string;
    };
    Appeal: {
        claims: Schemas["CaseClaim"][];
        documents: Schemas["Attachment"][];
        id: string;
        levels: Schemas["AppealLevel"][];
        opened_at: Schemas["Time"];
        payer_name: string;
        standing: Schemas["CaseStanding"];
    };
    AppealLevel: {
        begun_at: Schemas["Time"];
        decided_on: string | null;
        decision_due: string | null;
        decision_source: Schemas["DecisionSource"] | null;
        due_on: string | null;
        filed_on: string | null;
        follow_up_on: string | null;
        kind: Schemas["LevelKind"];
        level: number;
        outcome: Schemas["LevelOutcome"] | null;
    };
    Appealed: {
        id: string;
        taken_by: Schemas["Colleague"] | null;
        version: Schemas["Version"];
    };
    AskedFactor: {
        continuation_token: string;
    };
    AssertionOptions: {
        options: {
            challenge: string;
            rpId: string;
            userVerification: "required";
        } & {
            [key: string]: unknown;
        };
    };
    Attachment: {
        id: string;
        media_type: string;
        name: string | null;
        size: number;
        state: "available" | "quarantined";
    };
    Attempt: {
        answer: string | null;
        at: Schemas["Time"];
        error: Schemas["Failure"] | null;
        headers: {
            [key: string]: string;
        };
        status: number | null;
        took_ms: number;
        url: string;
    };
    AuditRow: {
        action: string;
        actor: Schemas["Actor"];
        address: string | null;
        at: Schemas["Time"];
        claim_number: string | null;
        claim_numbers: string[];
        detail: {
            [key: string]: unknown;
        } | null;
        id: string;
        record: string;
        record_name: string | null;
        request_id: string;
        sequence: number;
        session_id: string | null;
    };
    AuditRowList: {
        audit: Schemas["AuditRow"][];
        missing_cells?: number[];
        next_cursor: string | null;
    };
    AvailableProvider: {
        id: string;
        name: string;
    };
    BegunFactorWithTotp: {
        factor_id: string;
        totp: Schemas["Totp"];
    } | {
        factor_id: string;
        not_repeated: string;
        totp: null;
    };
    Broken: {
        id: string | null;
        reason: Schemas["Why"];
        sequence: number;
    };
    By: "billing_system" | "practice" | "staff" | "patient";
    CaseAction: "begin_level" | "edit_level" | "attach" | "recover" | "decide";
    CaseClaim: {
        amount_recovered: string | null;
        billed_amount: string | null;
        claim_number: string;
        closing_reason: Schemas["ClosingReason"] | null;
        date_of_service: string;
        deadline: Schemas["Deadline"] | null;
        decided_at: Schemas["Time"] | null;
        denied_amount: string | null;
        id: string;
        joined_at: Schemas["Time"];
        outcome: "recovered" | "closed" | null;
        status: Schemas["ClaimStatus"];
    };
    CaseOfAll: {
        ask_on: string | null;
        claims: number;
        due: string | null;
        id: string;
        in_appeal: number;
        level: Schemas["Level"];
        opened_at: Schemas["Time"];
        opened_by: Schemas["Colleague"];
        payer_name: string;
        practice: Schemas["PracticeName"];
        standing: Schemas["CaseStanding"];
        version: Schemas["Version"];
    };
    CaseOfAllList: {
        cases: Schemas["CaseOfAll"][];
        missing_cells?: number[];
        next_cursor: string | null;
    };
    CaseRequest: {
        claims: {
            id: string;
            version: number;
        }[];
        due_on?: string | null;
        kind: "reconsideration" | "redetermination" | "internal_appeal" | "formal_review" | "bill_review" | "external_review" | "hearing" | "council_review" | "judicial_review";
    };
    CaseStanding: "to_file" | "awaiting_decision" | "results_missing" | "outcome_missing" | "over";
    CellReport: {
        binding: string;
        bytes: number | null;
        cell: number;
        changes: number;
        changes_a_minute: number;
        claims: number;
        days_left: number | null;
        filling: boolean;
        most: number | null;
        practices: number;
    };
    CellReports: {
        cells: Schemas["CellReport"][];
        missing_cells?: number[];
    };
    Certificate: {
        expires_at: Schemas["Time"];
        sha256: string;
    };
    ChangedCase: {
        id: string;
        level: Schemas["Level"];
        version: Schemas["Version"];
    };
    ChangedLetter: {
        deadline: Schemas["Deadline"] | null;
        id: string;
        version: Schemas["Version"];
    };
    ClaimAction: "take" | "let_go" | "review" | "note" | "set_letter" | "decide_signing" | "revoke_link" | "report" | "open_case" | "join_case" | "recover" | "close" | "reopen" | "correct_amount";
    ClaimAnswer: {
        id: string;
        signing_status: Schemas["SigningStatus"];
        status: Schemas["ClaimStatus"];
        taken_by: string | null;
        version: Schemas["Version"];
    };
    ClaimEventKind: "received" | "corrected" | "filled_in" | "taken" | "moved" | "signing" | "signed" | "deadline" | "amount_corrected";
    ClaimMove: {
        status: "received" | "reviewing";
    } | {
        amount_stands?: boolean | null;
        case_id: string;
        status: "in_appeal";
    } | {
        amount_recovered: Schemas["Amount"];
        status: "recovered";
    } | {
        reason: Schemas["ClosingReason"];
        status: "closed";
    };
    ClaimResult: {
        claim: Schemas["ClaimAnswer"] | null;
        id: string;
        message: string | null;
        reason: "version_conflict" | "move_not_possible" | "already_signed" | "practice_inactive" | "agreement_required" | "not_found" | null;
        status: Schemas["ClaimResultStatus"];
    };
    ClaimResultStatus: "done" | "refused";
    ClaimResults: {
        results: Schemas["ClaimResult"][];
    };
    ClaimStatus: "received" | "reviewing" | "in_report" | "in_appeal" | "recovered" | "closed";
    ClaimTotal: {
        amount_recovered: Schemas["Sum"];
        billed_amount: Schemas["Sum"];
        claims: number;
        denied_amount: Schemas["Sum"];
    };
    ClaimsAmount: string | null;
    ClaimsAnsweredNumber: string;
    ClaimsBatchRequest: {
        claims: Schemas["ClaimsItem"][];
    };
    ClaimsClaim: {
        billed_amount?: Schemas["ClaimsAmount"];
        claim_number: Schemas["ClaimsNumber"];
        date_of_service: Schemas["ClaimsPastDate"];
        denial_codes?: string[] | (string | null);
        denial_date?: Schemas["ClaimsPastDate"] | Schemas["ClaimsLeftOut"];
        denial_reason?: string | null;
        denied_amount?: Schemas["ClaimsAmount"];
        diagnosis_codes?: string[] | Schemas["ClaimsLeftOut"];
        payer_claim_number: Schemas["ClaimsNumber"];
        payer_name: Schemas["ClaimsName"];
        plan_type?: Schemas["ClaimsPlanType"] | Schemas["ClaimsLeftOut"];
        procedure_code?: string | null;
    };
    ClaimsClaimId: string;
    ClaimsClaimStatus: "received" | "reviewing" | "in_report" | "in_appeal" | "recovered" | "closed";
    ClaimsItem: {
        claim: Schemas["ClaimsClaim"];
        patient: Schemas["ClaimsPatient"];
    };
    ClaimsLeftOut: string | null;
    ClaimsName: string;
    ClaimsNumber: string;
    ClaimsPastDate: string;
    ClaimsPatient: {
        account_number?: string | null;
        date_of_birth: Schemas["ClaimsPastDate"];
        first_name: Schemas["ClaimsName"];
        last_name: Schemas["ClaimsName"];
        member_id?: string | null;
    };
    ClaimsPlanType: "commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other";
    ClaimsResultItem: {
        claim_number: Schemas["ClaimsAnsweredNumber"];
        created: boolean;
        error?: "claim.claim_number is already used for a different patient" | "claim.claim_number is already used for a different claim";
        id?: Schemas["ClaimsClaimId"];
        status?: Schemas["ClaimsClaimStatus"];
    };
    ClaimsSendRequest: Schemas["ClaimsSingleRequest"] | Schemas["ClaimsBatchRequest"];
    ClaimsSendResponse: {
        advice?: {
            code: "not_made_up";
            index: number;
            message: string;
        }[];
        claims: Schemas["ClaimsResultItem"][];
        submission_id: string | null;
    };
    ClaimsSingleRequest: {
        claim: Schemas["ClaimsClaim"];
        patient: Schemas["ClaimsPatient"];
    };
    ClosingReason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error";
    Colleague: {
        id: string;
        name: string;
    };
    Colleagues: {
        colleagues: {
            id: string;
            name: string;
        }[];
    };
    Confirmed: {
        code: string;
        factor_id: string;
    };
    Count: {
        claims: number;
        more: boolean;
    };
    DataJob: {
        begun_at: Schemas["Time"] | null;
        cursor: string | null;
        due_at: Schemas["Time"] | null;
        finished_at: Schemas["Time"] | null;
        id: string;
        kind: Schemas["JobKind"];
        records: Schemas["Progress"][];
        report: Schemas["JobReport"] | null;
        requested_at: Schemas["Time"];
        requested_by: string;
        state: Schemas["JobState"];
    };
    DataJobList: {
        data_jobs: Schemas["DataJob"][];
        next_cursor: string | null;
    };
    Deadline: {
        date: string;
        from: Schemas["DeadlineFrom"];
    };
    DeadlineFrom: "rule" | "case" | "letter";
    DeadlineSummary: {
        days: Schemas["DueDay"][];
        late: Schemas["DeadlineTotal"];
        later: Schemas["DeadlineTotal"];
        none: Schemas["DeadlineTotal"];
    };
    DeadlineTotal: {
        claims: number;
        denied_amount: Schemas["Sum"];
    };
    DecidedCase: {
        claims: Schemas["ClaimAnswer"][];
        id: string;
        level: Schemas["Level"];
        next_level: Schemas["Level"] | null;
        version: Schemas["Version"];
    };
    DecisionRequest: {
        claims?: {
            amount_recovered?: string | null;
            id: string;
            reason?: ("denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error") | null;
            result: "recovered" | "closed" | "in_appeal";
            version: number;
        }[] | null;
        decided_on: string;
        next_level?: {
            due_on: string;
            kind: "reconsideration" | "redetermination" | "internal_appeal" | "formal_review" | "bill_review" | "external_review" | "hearing" | "council_review" | "judicial_review";
        } | null;
        outcome: "overturned" | "partly_overturned" | "upheld" | "dismissed" | "withdrawn";
        take_over?: boolean | null;
    };
    DecisionSource: "29 CFR 2560.503-1(i)(2)(iii)(A)" | "29 CFR 2590.715-2719(c)(2)(xii), (d)(2)(iii)(B)(6)" | "45 CFR 147.136(b)(3)(i), 29 CFR 2560.503-1(i)(2)(iii)(A)" | "45 CFR 147.136(c)(2)(xii)" | "42 CFR 405.950(a)" | "42 CFR 405.970(a)" | "42 CFR 405.1016(a)" | "42 CFR 405.1100(c)" | "42 CFR 422.590(b)" | "42 CFR 438.408(b)(2)" | "42 CFR 431.244(f)(1)" | "22 CCR 51015(b), (c)(1)" | "32 CFR 199.10(b)" | "32 CFR 199.10(c)";
    Decisions: {
        claims: {
            id: string;
            practice_id: string;
            version: number;
        }[];
        decision: "needed" | "not_needed";
    };
    Delivery: {
        attempts: number;
        created_at: Schemas["Time"];
        id: string;
        last_at: Schemas["Time"] | null;
        last_error: Schemas["Failure"] | null;
        last_status: number | null;
        next_at: Schemas["Time"] | null;
        state: Schemas["DeliveryState"];
        test: boolean;
        type: Schemas["MessageKind"];
    };
    DeliveryList: {
        deliveries: Schemas["Delivery"][];
        next_cursor: string | null;
    };
    DeliveryState: "pending" | "delivered" | "failed";
    Denial: {
        adjustment_codes: string[];
        amount_recovered: string | null;
        billed_amount: string | null;
        case_id: string | null;
        claim_number: string;
        closing_reason: Schemas["ClosingReason"] | null;
        date_of_service: string;
        deadline: Schemas["DenialDeadline"] | null;
        denial_date: string | null;
        denied_amount: string | null;
        id: string;
        letter: Schemas["Letter"] | null;
        payer_claim_number: string;
        payer_name: string;
        plan_type: Schemas["PlanType"] | null;
        received_at: Schemas["Time"];
        report_id: string | null;
        signing: Schemas["DenialSigning"];
        status: Schemas["ClaimStatus"];
        updated_at: Schemas["Time"];
    };
    DenialAction: "set_letter";
    DenialDeadline: {
        date: string;
        from: Schemas["DeadlineFrom"];
        source: string | null;
    };
    DenialEvent: {
        after: Schemas["DenialFigures"] | null;
        at: Schemas["Time"];
        before: Schemas["DenialFigures"] | null;
        by: Schemas["By"];
        filled_in: Schemas["Part"][] | null;
        kind: string;
        letter: Schemas["LetterFacts"] | null;
        signing: Schemas["SigningStatus"] | null;
        status: Schemas["ClaimStatus"];
        version: number;
    };
    DenialFigures: {
        billed_amount: string | null;
        denied_amount: string | null;
        payer_claim_number: string;
    };
    DenialSigning: {
        appeal_button: boolean;
        link_expires_at: Schemas["Time"] | null;
        status: Schemas["SigningStatus"];
    };
    DenialWithHistory: {
        adjustment_codes: string[];
        amount_recovered: string | null;
        billed_amount: string | null;
        case_id: string | null;
        claim_number: string;
        closing_reason: Schemas["ClosingReason"] | null;
        date_of_service: string;
        deadline: Schemas["DenialDeadline"] | null;
        deadline_by_rule: Schemas["DueByRule"] | null;
        denial_date: string | null;
        denied_amount: string | null;
        history: Schemas["DenialEvent"][];
        id: string;
        letter: Schemas["Letter"] | null;
        may: Schemas["DenialAction"][];
        payer_claim_number: string;
        payer_name: string;
        plan_type: Schemas["PlanType"] | null;
        received_at: Schemas["Time"];
        report_id: string | null;
        signing: Schemas["DenialSigning"];
        status: Schemas["ClaimStatus"];
        updated_at: Schemas["Time"];
        version: Schemas["Version"];
    };
    Denials: {
        changes_cursor: string;
        denials: Schemas["Denial"][];
        more: boolean;
        next_cursor: string | null;
    };
    Description: {
        info: Record<string, never>;
        openapi: string;
        paths: Record<string, never>;
    } & {
        [key: string]: unknown;
    };
    Document: {
        cases: string[];
        claim_id: string | null;
        claim_number: string | null;
        content_type: string;
        id: string;
        kind: Schemas["DocumentKind"];
        may: Schemas["DocumentAction"][];
        name: string | null;
        reports: string[];
        sha256: string;
        size: number;
        state: Schemas["DocumentState"];
        uploaded_at: Schemas["Time"];
        uploaded_by: Schemas["UploadedBy"];
    };
    DocumentAction: "download" | "delete" | "attach";
    DocumentKind: "denial_letter" | "medical_record" | "remittance" | "authorization" | "correspondence" | "other";
    DocumentList: {
        documents: Schemas["Document"][];
        next_cursor: string | null;
    };
    DocumentSettings: {
        legal_hold: boolean;
        retention_days: number;
        version: Schemas["Version"];
    };
    DocumentSettingsEdit: {
        legal_hold?: boolean | null;
        retention_days?: number | null;
    };
    DocumentState: "available" | "quarantined" | "infected" | "deleted";
    Domain: {
        created_at: Schemas["Time"];
        domain: string;
        id: string;
        txt_name: string;
        txt_value: string;
        verified_at: Schemas["Time"] | null;
    };
    DomainRequest: {
        domain: string;
    };
    Drawing: {
        height: number;
        strokes: number[][][];
        width: number;
    };
    DueByRule: {
        date: string;
        days: number;
        plan_type: Schemas["PlanType"];
        source: string;
    };
    DueDay: {
        claims: number;
        date: string;
        denied_amount: Schemas["Sum"];
    };
    Expiring: {
        expiring: Schemas["ExpiringKey"][];
    };
    ExpiringKey: {
        expires_at: Schemas["Time"];
        id: string;
        kind: Schemas["KeyKind"];
        name: string;
        prefix: string;
    };
    Failure: "timed_out" | "not_connected" | "redirected" | "refused" | "endpoint_inactive" | "practice_inactive" | "agreement_ended" | "no_secret" | "interrupted";
    FileError: {
        code: "validation_failed" | "virus_detected" | "file_too_large";
        details?: {
            field: string;
            message: string;
        }[];
        message: string;
    };
    FileResult: {
        document: Schemas["UploadedDocument"];
        status: "stored";
    } | {
        error: Schemas["FileError"];
        status: "refused";
    };
    HistoryEntry: {
        actor: string;
        actor_name: string | null;
        at: Schemas["Time"];
        detail: {
            [key: string]: unknown;
        } | null;
        holder_name: string | null;
        kind: Schemas["ClaimEventKind"];
        status: Schemas["ClaimStatus"];
        version: number;
    };
    Identities: {
        identities: Schemas["Identity"][];
    };
    Identity: {
        created_at: Schemas["Time"];
        email: string;
        id: string;
        last_used_at: Schemas["Time"] | null;
        provider: string;
        provider_name: string | null;
    };
    Invitation: {
        email: string;
        role: "owner" | "admin" | "member";
    };
    InvitationPreview: {
        email: string;
        practice_name: string | null;
    };
    JobKind: "return" | "destruction";
    JobReport: {
        bytes: number | null;
        history_until: Schemas["Time"] | null;
        kept: string[] | null;
        sha256: string | null;
        unreadable: number | null;
    };
    JobRequest: {
        kind: "return" | "destruction";
        practice_name?: string | null;
    };
    JobState: "waiting" | "running" | "cancelled" | "done";
    JudgedToken: {
        label: Schemas["LeakLabel"];
        token_hash?: string;
        token_raw?: string;
        token_type: string;
    };
    KeyKind: "api_key" | "api_token";
    Language: "en" | "es";
    LeakAccepted: {
        message: string;
    };
    LeakLabel: "false_positive" | "true_positive";
    LeakMessage: {
        source?: string;
        token: string;
        type: string;
        url?: string;
    }[];
    LeakReport: {
        token: string;
        url?: string | null;
    };
    Letter: {
        appeal_due: string | null;
        counts: Schemas["LetterCounts"];
        denial_date: string | null;
        plan_type: Schemas["PlanType"] | null;
        read_at: Schemas["Time"];
        read_by: Schemas["LetterReader"];
    };
    LetterCounts: "earliest" | "letter";
    LetterEdit: {
        appeal_due?: string | null;
        counts?: ("earliest" | "letter") | null;
        denial_date?: string | null;
        plan_type?: ("commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other") | null;
    };
    LetterFacts: {
        appeal_due: string | null;
        counts: Schemas["LetterCounts"];
        denial_date: string | null;
        plan_type: Schemas["PlanType"] | null;
    };
    LetterReader: "staff" | "practice";
    Level: {
        decided_on: string | null;
        decision_due: string | null;
        decision_source: Schemas["DecisionSource"] | null;
        due_on: string | null;
        filed_on: string | null;
        follow_up_on: string | null;
        kind: Schemas["LevelKind"];
        level: number;
        outcome: Schemas["LevelOutcome"] | null;
    };
    LevelEdit: {
        decided_on?: string | null;
        due_on?: string | null;
        filed_on?: string | null;
        follow_up_on?: string | null;
        kind?: ("reconsideration" | "redetermination" | "internal_appeal" | "formal_review" | "bill_review" | "external_review" | "hearing" | "council_review" | "judicial_review") | null;
        outcome?: ("overturned" | "partly_overturned" | "upheld" | "dismissed" | "withdrawn") | null;
    };
    LevelKind: "reconsideration" | "redetermination" | "internal_appeal" | "formal_review" | "bill_review" | "external_review" | "hearing" | "council_review" | "judicial_review";
    LevelOutcome: "withdrawn" | "overturned" | "partly_overturned" | "upheld" | "dismissed";
    LevelRequest: {
        due_on?: string | null;
        kind: "reconsideration" | "redetermination" | "internal_appeal" | "formal_review" | "bill_review" | "external_review" | "hearing" | "council_review" | "judicial_review";
    };
    LinkAsked: {
        email: string;
    };
    LinkPressed: {
        token: string;
    };
    ListedApiKey: {
        created_at: Schemas["Time"];
        created_by: Schemas["Maker"] | null;
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["Time"] | null;
        maker_removed: boolean;
        may: Schemas["ApiKeyAction"][];
        name: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["Time"] | null;
        scopes: Schemas["Scope"][];
    };
    ListedApiKeyList: {
        api_keys: Schemas["ListedApiKey"][];
        next_cursor: string | null;
    };
    ListedApiToken: {
        created_at: Schemas["Time"];
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["Time"] | null;
        may: Schemas["ApiTokenAction"][];
        name: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["Time"] | null;
        scopes: Schemas["TokenScope"][];
        user_id: string;
    };
    ListedApiTokenList: {
        api_tokens: Schemas["ListedApiToken"][];
        next_cursor: string | null;
    };
    ListedAppeal: {
        claims: number;
        id: string;
        in_appeal: number;
        level: Schemas["Level"];
        opened_at: Schemas["Time"];
        payer_name: string;
        standing: Schemas["CaseStanding"];
    };
    ListedAppealList: {
        appeals: Schemas["ListedAppeal"][];
        next_cursor: string | null;
    };
    ListedCase: {
        claims: number;
        id: string;
        in_appeal: number;
        level: Schemas["Level"];
        opened_at: Schemas["Time"];
        opened_by: Schemas["Colleague"];
        payer_name: string;
        standing: Schemas["CaseStanding"];
    };
    ListedCaseList: {
        cases: Schemas["ListedCase"][];
        next_cursor: string | null;
    };
    ListedLevel: {
        begun_at: Schemas["Time"];
        begun_by: Schemas["Colleague"];
        decided_on: string | null;
        decision_due: string | null;
        decision_source: Schemas["DecisionSource"] | null;
        due_on: string | null;
        filed_on: string | null;
        follow_up_on: string | null;
        kind: Schemas["LevelKind"];
        level: number;
        outcome: Schemas["LevelOutcome"] | null;
    };
    ListedPractice: {
        agreement: Schemas["AgreementState"];
        claims: Schemas["OpenClaims"];
        id: string;
        name: string;
        status: Schemas["PracticeState"];
    };
    ListedPracticeList: {
        missing_cells?: number[];
        next_cursor: string | null;
        practices: Schemas["ListedPractice"][];
    };
    LoggedDelivery: {
        attempts: number;
        body: string;
        created_at: Schemas["Time"];
        id: string;
        last_at: Schemas["Time"] | null;
        last_error: Schemas["Failure"] | null;
        last_status: number | null;
        log: Schemas["Attempt"][];
        next_at: Schemas["Time"] | null;
        state: Schemas["DeliveryState"];
        test: boolean;
        type: Schemas["MessageKind"];
    };
    Maker: {
        id: string;
        name: string;
    };
    Member: {
        created_at: Schemas["Time"];
        email: string;
        id: string;
        last_seen_at: Schemas["Time"] | null;
        may: Schemas["MemberAction"][];
        name: string | null;
        role: "owner" | "admin" | "member";
        state: Schemas["UserState"];
        two_factor: boolean;
        version: Schemas["Version"];
    };
    MemberAction: "change_role" | "remove" | "revoke_sessions";
    MemberList: {
        members: Schemas["Member"][];
        next_cursor: string | null;
    };
    MessageKind: "claim.status_changed" | "report.delivered" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "api_key.leaked" | "api_token.leaked" | "api_key.expiring" | "api_token.expiring" | "webhook.test";
    NewDocumentUse: {
        document_id: string;
    };
    NewName: {
        name: string;
    };
    NewQueueFilter: {
        name: string;
        query: string;
    };
    NewWebhook: {
        events: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered" | "api_key.leaked" | "api_token.leaked" | "api_key.expiring" | "api_token.expiring")[];
        url: string;
    };
    Note: {
        at: Schemas["Time"];
        author: Schemas["Colleague"];
        id: string;
        text: string;
    };
    NoteText: {
        text: string;
    };
    OpenClaims: {
        due_soon: number;
        late: number;
        open: number;
    };
    OwnPractice: {
        agreement: Schemas["AgreementState"];
        appeal_button: boolean;
        id: string;
        name: string;
        sso_required: boolean;
        status: Schemas["PracticeState"];
    };
    OwnSandbox: {
        sandbox: Schemas["Sandbox"] | null;
    };
    PaidAmount: {
        amount_recovered: string;
    };
    Part: "denial_date" | "plan_type" | "denial_codes" | "denial_reason" | "diagnosis_codes" | "account_number" | "member_id";
    Passkey: {
        created_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["Time"] | null;
        name: string;
        synced: boolean;
        transports: string[];
    };
    PasskeyOrRecoveryCodes: Schemas["Passkey"] | Schemas["PasskeyWithRecoveryCodes"];
    PasskeySignIn: {
        credential: {
            [key: string]: unknown;
        };
    };
    PasskeyWithRecoveryCodes: {
        created_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["Time"] | null;
        name: string;
        recovery_codes: string[];
        synced: boolean;
        transports: string[];
    } | {
        created_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["Time"] | null;
        name: string;
        not_repeated: string;
        recovery_codes: null;
        synced: boolean;
        transports: string[];
    };
    Passkeys: {
        passkeys: Schemas["Passkey"][];
    };
    Patient: {
        account_number?: string;
        date_of_birth: string;
        first_name: string;
        last_name: string;
        member_id?: string;
    };
    PatientClaims: {
        claims: Schemas["QueuedClaim"][];
        complete: boolean;
        missing_cells?: number[];
    };
    PatientLink: {
        created_at: Schemas["Time"];
        expires_at: Schemas["Time"];
        tries_left: number;
    };
    PatientSearch: {
        date_of_birth: string;
        first_name: string;
        last_name: string;
        practice_id?: string | null;
    };
    PatientSignature: {
        drawing: Schemas["Drawing"] | null;
        id: string;
        ip: string;
        language: Schemas["Language"];
        name: string | null;
        relation: Schemas["Relation"];
        signed_at: Schemas["Time"];
        text: string;
        text_version: string;
        user_agent: string;
    };
    Payer: {
        name: string;
    };
    Payers: {
        missing_cells?: number[];
        payers: Schemas["Payer"][];
    };
    Place: {
        digest: string;
        sequence: number;
    };
    PlanType: "commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other";
    Practice: {
        address: Schemas["Address"] | null;
        appeal_button: boolean;
        baa_signed: boolean;
        concurrent_sessions: 1 | "unlimited";
        has_api_key: boolean;
        id: string;
        name: string;
        npi: string | null;
        phone: string | null;
        state: Schemas["PracticeState"];
        tax_id: string | null;
        time_zone: Schemas["UsZone"] | null;
        version: Schemas["Version"];
    };
    PracticeDetails: {
        address: Schemas["Address"] | null;
        npi: string | null;
        phone: string | null;
        tax_id: string | null;
        time_zone: Schemas["UsZone"] | null;
    };
    PracticeEdit: {
        address?: {
            city: string;
            line1: string;
            line2?: string | null;
            state: string;
            zip: string;
        } | null;
        appeal_button?: boolean | null;
        concurrent_sessions?: (1 | "unlimited") | null;
        name?: string | null;
        npi?: string | null;
        phone?: string | null;
        tax_id?: string | null;
        time_zone?: ("America/New_York" | "America/Chicago" | "America/Denver" | "America/Phoenix" | "America/Los_Angeles" | "America/Anchorage" | "Pacific/Honolulu" | "America/Puerto_Rico" | "Pacific/Guam" | "Pacific/Pago_Pago") | null;
    };
    PracticeName: {
        id: string;
        name: string;
    };
    PracticeReport: {
        claims: Schemas["ReportedClaim"][];
        delivered_at: Schemas["Time"];
        documents: Schemas["Attachment"][];
        id: string;
    };
    PracticeReportItem: {
        claims: number;
        delivered_at: Schemas["Time"];
        id: string;
    };
    PracticeReportItemList: {
        next_cursor: string | null;
        reports: Schemas["PracticeReportItem"][];
    };
    PracticeState: "active" | "inactive";
    PresentedFactor: {
        code: string;
        continuation_token: string;
    } | {
        continuation_token: string;
        passkey: Schemas["PasskeySignIn"];
    };
    Progress: {
        done: number;
        kind: string;
        total: number;
    };
    Provider: {
        acs_url: string | null;
        certificates: Schemas["Certificate"][];
        contexts: ("mfa" | "https://refeds.org/profile/mfa" | "http://schemas.microsoft.com/claims/multipleauthn" | "urn:okta:loa:2fa:any" | "http://idmanagement.gov/ns/assurance/aal/2" | "http://idmanagement.gov/ns/assurance/aal/3" | "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered")[];
        created_at: Schemas["Time"];
        entity_id: string | null;
        id: string;
        idp_initiated: boolean;
        kind: Schemas["ProviderKind"];
        metadata_url: string | null;
        name: string;
        provider: string | null;
        sign_in_url: string | null;
        version: Schemas["Version"];
    };
    ProviderEditRequest: {
        contexts?: ("mfa" | "https://refeds.org/profile/mfa" | "http://schemas.microsoft.com/claims/multipleauthn" | "urn:okta:loa:2fa:any" | "http://idmanagement.gov/ns/assurance/aal/2" | "http://idmanagement.gov/ns/assurance/aal/3" | "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered")[] | null;
        idp_initiated?: boolean | null;
        metadata?: string | null;
        name?: string | null;
    };
    ProviderKind: "saml" | "oidc";
    ProviderRequest: {
        contexts?: ("mfa" | "https://refeds.org/profile/mfa" | "http://schemas.microsoft.com/claims/multipleauthn" | "urn:okta:loa:2fa:any" | "http://idmanagement.gov/ns/assurance/aal/2" | "http://idmanagement.gov/ns/assurance/aal/3" | "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered")[];
        idp_initiated?: boolean;
        metadata?: string;
        name?: string;
        provider?: string;
    };
    Providers: {
        providers: Schemas["SignInProvider"][];
    };
    QueueFilter: {
        id: string;
        name: string;
        query: string;
    };
    QueueFilterEdit: {
        name?: string | null;
        query?: string | null;
    };
    QueueFilters: {
        filters: Schemas["QueueFilter"][];
    };
    QueuedClaim: {
        ask_on: string | null;
        billed_amount: string | null;
        case_id: string | null;
        claim_number: string;
        date_of_service: string;
        deadline: Schemas["Deadline"] | null;
        deadline_by_rule: Schemas["DueByRule"] | null;
        denial_codes: string[];
        denial_date: string | null;
        denied_amount: string | null;
        id: string;
        letter: Schemas["Letter"] | null;
        link_expires_at: Schemas["Time"] | null;
        may: Schemas["ClaimAction"][];
        payer_name: string;
        plan_type: Schemas["PlanType"] | null;
        practice: Schemas["PracticeName"];
        received_at: Schemas["Time"];
        report_id: string | null;
        signing_status: Schemas["SigningStatus"];
        status: Schemas["ClaimStatus"];
        taken_by: Schemas["Colleague"] | null;
        updated_at: Schemas["Time"];
        version: Schemas["Version"];
    };
    QueuedClaimList: {
        claims: Schemas["QueuedClaim"][];
        count?: Schemas["Count"];
        missing_cells?: number[];
        next_cursor: string | null;
    };
    RecoveryCodesLeft: {
        left: number;
    };
    Regeneration: {
        grace_days: number;
    };
    RegistrationOptions: {
        options: {
            attestation: "none";
            challenge: string;
            pubKeyCredParams: Record<string, never>[];
            rp: Record<string, never>;
            user: Record<string, never>;
        } & {
            [key: string]: unknown;
        };
    };
    RelatedClaim: {
        billed_amount: string | null;
        case_id: string | null;
        claim_number: string;
        date_of_service: string;
        deadline: Schemas["Deadline"] | null;
        denied_amount: string | null;
        id: string;
        may: Schemas["ClaimAction"][];
        received_at: Schemas["Time"];
        report_id: string | null;
        signing_status: Schemas["SigningStatus"];
        status: Schemas["ClaimStatus"];
        taken_by: Schemas["Colleague"] | null;
        version: Schemas["Version"];
    };
    RelatedClaims: {
        claims: Schemas["RelatedClaim"][];
    };
    Relation: "patient" | "parent" | "guardian" | "health_care_agent" | "executor" | "other_representative";
    Renewal: {
        current_password: string;
        new_password: string;
    };
    RenewedWithRecoveryCodes: {
        recovery_codes: string[];
    } | {
        not_repeated: string;
        recovery_codes: null;
    };
    Replay: {
        since?: string | null;
    };
    Replayed: {
        more: boolean;
        replayed: number;
    };
    Report: {
        claims: Schemas["ReportedClaim"][];
        delivered_at: Schemas["Time"];
        delivered_by: Schemas["Colleague"];
        id: string;
        practice: Schemas["PracticeName"];
    };
    ReportItem: {
        claims: number;
        delivered_at: Schemas["Time"];
        delivered_by: Schemas["Colleague"];
        id: string;
    };
    ReportItemList: {
        next_cursor: string | null;
        reports: Schemas["ReportItem"][];
    };
    ReportedClaim: {
        amount_recovered: string | null;
        billed_amount: string | null;
        claim_number: string;
        deadline: Schemas["Deadline"] | null;
        denied_amount: string | null;
        id: string;
        payer_name: string;
        status: Schemas["ClaimStatus"];
    };
    ReportedClaims: {
        claims: {
            id: string;
            version: number;
        }[];
    };
    RequestedApiKey: {
        name: string;
        scopes: ("claims:write" | "claims:read")[];
    };
    RequestedPasskey: {
        credential: {
            [key: string]: unknown;
        };
        name: string;
    };
    RequiredEdit: {
        required: boolean;
    };
    Reset: {
        password: string;
        token: string;
    };
    ResetPreview: {
        email: string;
    };
    Role: "owner" | "admin" | "member" | "staff" | "auditor";
    RoleChange: {
        role: "owner" | "admin" | "member";
    };
    Sandbox: {
        ahead_seconds: number;
        claims: number;
        created_at: Schemas["Time"];
        emptying: boolean;
        id: string;
        keys: Schemas["ApiKey"][];
        limits: Schemas["SandboxLimits"];
        tokens: Schemas["ApiToken"][];
    };
    SandboxLimits: {
        calls_per_minute: number;
        claims: number;
        document_bytes: number;
    };
    Scope: "claims:write" | "claims:read";
    SeenIdentity: {
        id: string;
    };
    Session: {
        agent: string;
        created_at: Schemas["Time"];
        current: boolean;
        ends_at: Schemas["Time"];
        id: string;
        ip: string;
        last_seen_at: Schemas["Time"];
    };
    SessionKind: "full" | "enrolment";
    SessionList: {
        next_cursor: string | null;
        sessions: Schemas["Session"][];
    };
    SeveralToTake: {
        claims: {
            id: string;
            practice_id: string;
            version: number;
        }[];
        user_id?: string | null;
    };
    ShownCase: {
        appealed: Schemas["Appealed"][];
        claims: Schemas["CaseClaim"][];
        id: string;
        levels: Schemas["ListedLevel"][];
        may: Schemas["CaseAction"][];
        opened_at: Schemas["Time"];
        opened_by: Schemas["Colleague"];
        payer_name: string;
        practice: Schemas["PracticeName"];
        standing: Schemas["CaseStanding"];
        version: Schemas["Version"];
    };
    SignIn: {
        email: string;
        password: string;
    };
    SignInProvider: {
        id: string;
        name: string;
        url: string;
    };
    Signed: {
        ended_at: Schemas["Time"] | null;
        id: string;
        signed_at: Schemas["Time"];
        signed_by: string | null;
        signed_from: string | null;
        signer_name: string;
        signer_title: string;
        version: string;
    };
    SignedIn: {
        may: Schemas["Action"][];
        practice: Schemas["OwnPractice"] | null;
        session: Schemas["SignedInSession"] | null;
        user: Schemas["User"];
    };
    SignedInSession: {
        created_at: Schemas["Time"];
        ends_at: Schemas["Time"];
        id: string;
        idle_ends_at: Schemas["Time"];
        kind: Schemas["SessionKind"];
        sso: boolean;
        verified_at: Schemas["Time"] | null;
    };
    SigningDecision: {
        status: "needed" | "not_needed";
    };
    SigningLink: {
        expires_at: Schemas["Time"];
        link: string;
        tries_left: number;
    };
    SigningStatus: "not_decided" | "not_needed" | "needed" | "signed";
    Sso: {
        available: Schemas["AvailableProvider"][];
        domains: Schemas["Domain"][];
        providers: Schemas["Provider"][];
        required: boolean;
        saml_available: boolean;
        version: Schemas["Version"];
    };
    StaffClaim: {
        amount_recovered: string | null;
        billed_amount: string | null;
        case_id: string | null;
        claim_number: string;
        closing_reason: Schemas["ClosingReason"] | null;
        date_of_service: string;
        deadline: Schemas["Deadline"] | null;
        deadline_by_rule: Schemas["DueByRule"] | null;
        denial_codes: string[];
        denial_date: string | null;
        denial_reason: string | null;
        denied_amount: string | null;
        diagnosis_codes: string[];
        history: Schemas["HistoryEntry"][];
        id: string;
        letter: Schemas["Letter"] | null;
        may: Schemas["ClaimAction"][];
        notes: Schemas["Note"][];
        patient: Schemas["Patient"];
        payer_claim_number: string;
        payer_name: string;
        plan_type: Schemas["PlanType"] | null;
        practice: Schemas["PracticeName"];
        practice_details: Schemas["PracticeDetails"];
        procedure_code: string | null;
        received_at: Schemas["Time"];
        report_id: string | null;
        signing_link: Schemas["PatientLink"] | null;
        signing_status: Schemas["SigningStatus"];
        status: Schemas["ClaimStatus"];
        taken_by: Schemas["Colleague"] | null;
        updated_at: Schemas["Time"];
        version: Schemas["Version"];
    };
    StatusSummary: {
        amount_recovered: Schemas["Sum"];
        billed_amount: Schemas["Sum"];
        claims: number;
        denied_amount: Schemas["Sum"];
        status: Schemas["ClaimStatus"];
    };
    Sum: string;
    Summary: {
        deadlines: Schemas["DeadlineSummary"];
        statuses: Schemas["StatusSummary"][];
        today: string;
        total: Schemas["ClaimTotal"];
    };
    Time: string;
    ToTake: {
        user_id?: string | null;
    };
    TokenRequest: {
        expires_in_days: number;
        name: string;
        scopes: ("denials:read" | "documents:write" | "settings:read" | "audit:read" | "api_keys:rotate")[];
    };
    TokenScope: "denials:read" | "documents:write" | "settings:read" | "audit:read" | "api_keys:rotate";
    Totp: {
        otpauth_uri: string;
        secret: string;
    };
    UploadResults: {
        results: Schemas["FileResult"][];
    };
    UploadedBy: "practice" | "staff";
    UploadedDocument: {
        cases: string[];
        claim_id: string | null;
        claim_number: string | null;
        content_type: string;
        id: string;
        kind: Schemas["DocumentKind"];
        name: string | null;
        reports: string[];
        sha256: string;
        size: number;
        state: Schemas["DocumentState"];
        uploaded_at: Schemas["Time"];
        uploaded_by: Schemas["UploadedBy"];
    };
    UsZone: "America/Anchorage" | "Pacific/Honolulu" | "America/New_York" | "America/Chicago" | "America/Denver" | "America/Phoenix" | "America/Los_Angeles" | "America/Puerto_Rico" | "Pacific/Guam" | "Pacific/Pago_Pago";
    User: {
        email: string;
        id: string;
        name: string;
        role: Schemas["Role"];
        two_factor: boolean;
    };
    UserState: "invited" | "active";
    Verify: {
        broken: Schemas["Broken"] | null;
        checked_to: Schemas["Place"] | null;
        head: Schemas["Place"] | null;
        intact: boolean;
        next_cursor: string | null;
        rows_checked: number;
        rows_without_mac: number;
    };
    Version: number;
    WaitingIdentity: {
        email: string;
        id: string;
        provider: string;
        provider_name: string;
    };
    Webhook: {
        created_at: Schemas["Time"];
        disabled_at: Schemas["Time"] | null;
        events: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered" | "api_key.leaked" | "api_token.leaked" | "api_key.expiring" | "api_token.expiring")[];
        failing_since: Schemas["Time"] | null;
        id: string;
        old_secret_until: Schemas["Time"] | null;
        state: Schemas["WebhookState"];
        url: string;
        version: Schemas["Version"];
    };
    WebhookEdit: {
        events?: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered" | "api_key.leaked" | "api_token.leaked" | "api_key.expiring" | "api_token.expiring")[] | null;
        state?: ("active" | "disabled") | null;
        url?: string | null;
    };
    WebhookList: {
        next_cursor: string | null;
        webhooks: Schemas["Webhook"][];
    };
    WebhookState: "active" | "disabled";
    WebhookTest: {
        event?: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered" | "api_key.leaked" | "api_token.leaked" | "api_key.expiring" | "api_token.expiring" | "webhook.test") | null;
    };
    WebhookWithSecret: {
        created_at: Schemas["Time"];
        disabled_at: Schemas["Time"] | null;
        events: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered" | "api_key.leaked" | "api_token.leaked" | "api_key.expiring" | "api_token.expiring")[];
        failing_since: Schemas["Time"] | null;
        id: string;
        old_secret_until: Schemas["Time"] | null;
        secret: string;
        state: Schemas["WebhookState"];
        url: string;
        version: Schemas["Version"];
    } | {
        created_at: Schemas["Time"];
        disabled_at: Schemas["Time"] | null;
        events: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered" | "api_key.leaked" | "api_token.leaked" | "api_key.expiring" | "api_token.expiring")[];
        failing_since: Schemas["Time"] | null;
        id: string;
        not_repeated: string;
        old_secret_until: Schemas["Time"] | null;
        secret: null;
        state: Schemas["WebhookState"];
        url: string;
        version: Schemas["Version"];
    };
    Why: "missing" | "changed" | "forged" | "head_changed" | "key_unknown";
    WorkSummary: {
        deadlines: Schemas["DeadlineSummary"];
        decisions_due: number;
        missing_cells?: number[];
        statuses: Schemas["StatusSummary"][];
        today: string;
        total: Schemas["ClaimTotal"];
    };
    WrittenNote: {
        at: Schemas["Time"];
        id: string;
    };
}
