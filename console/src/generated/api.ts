// Made from the API description by `cargo xtask console generate`. Do not edit.

export interface Schemas {
    Paths: {
        "/api/v1/appeals": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["Appeals"];
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
                answer: Schemas["RecoveryCodes"];
            };
        };
        "/api/v1/auth/2fa/totp": {
            post: {
                answer: Schemas["BegunFactor"];
            };
        };
        "/api/v1/auth/2fa/totp/confirm": {
            post: {
                body: Schemas["ConfirmedFactor"];
                answer: Schemas["RecoveryCodes"];
            };
        };
        "/api/v1/auth/identities": {
            get: {
                answer: Schemas["Identities"];
            };
            post: {
                body: {
                    id: string;
                };
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
                body: Schemas["LinkedJoining"];
            };
        };
        "/api/v1/auth/invitation/preview": {
            post: {
                body: Schemas["Linked"];
                answer: Schemas["InvitationPreview"];
            };
        };
        "/api/v1/auth/magic_link": {
            post: {
                body: Schemas["Addressed"];
                answer: Schemas["Accepted"];
            };
        };
        "/api/v1/auth/magic_link/verify": {
            post: {
                body: Schemas["Linked"];
                answer: Schemas["Session"];
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
                body: Schemas["NewPasskey"];
                answer: Schemas["EnrolledPasskey"];
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
                body: Schemas["NamedPasskey"];
                answer: Schemas["Passkey"];
            };
        };
        "/api/v1/auth/password": {
            post: {
                body: Schemas["PasswordChange"];
            };
        };
        "/api/v1/auth/password_reset": {
            post: {
                body: Schemas["Addressed"];
                answer: Schemas["Accepted"];
            };
        };
        "/api/v1/auth/password_reset/confirm": {
            post: {
                body: Schemas["LinkedPassword"];
            };
        };
        "/api/v1/auth/password_reset/preview": {
            post: {
                body: Schemas["Linked"];
                answer: Schemas["PasswordResetPreview"];
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
                answer: Schemas["Session"];
            };
            post: {
                body: Schemas["SignIn"];
                answer: Schemas["Session"];
            };
        };
        "/api/v1/auth/session/2fa": {
            post: {
                body: Schemas["SecondFactor"];
                answer?: Schemas["Session"];
            };
        };
        "/api/v1/auth/session/2fa/passkey/options": {
            post: {
                body: Schemas["ContinuedFactor"];
                answer: Schemas["AssertionOptions"];
            };
        };
        "/api/v1/auth/session/logout": {
            post: object;
        };
        "/api/v1/auth/session/passkey": {
            post: {
                body: Schemas["ShownPasskey"];
                answer: Schemas["Session"];
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
                answer: Schemas["Sessions"];
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
                    limit?: number;
                    order?: "newest" | "deadline" | "";
                    cursor?: string;
                    changes_after?: string;
                    status?: Schemas["ClaimStatus"][];
                    claim_number?: string;
                    payer_name?: string;
                    denied_from?: string;
                    denied_to?: string;
                    received_from?: string;
                    received_to?: string;
                    due_from?: Schemas["DateOrEmpty"];
                    due_to?: Schemas["DateOrEmpty"];
                    signing_status?: Schemas["SigningStatus"][];
                    denial_code?: string;
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
                answer: Schemas["LetterRecorded"];
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
                    kind?: Schemas["DocumentKind"] | string;
                    state?: Schemas["DocumentState"] | string;
                };
                answer: Schemas["Documents"];
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
                answer: Schemas["PracticeReports"];
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
                body: Schemas["Signature"];
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
                answer: Schemas["ApiKeys"];
            };
            post: {
                body: Schemas["NewApiKey"];
                answer: Schemas["CreatedApiKey"];
            };
        };
        "/api/v1/settings/api_keys/{id}": {
            delete: {
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
                answer: Schemas["ApiTokens"];
            };
            post: {
                body: Schemas["NewApiToken"];
                answer: Schemas["CreatedApiToken"];
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
                answer: Schemas["CreatedApiToken"];
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
                    from?: Schemas["DateOrEmpty"];
                    to?: Schemas["DateOrEmpty"];
                };
                answer: Schemas["Audit"];
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
                answer: Schemas["TrailVerified"];
            };
        };
        "/api/v1/settings/data_jobs": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["DataJobs"];
            };
            post: {
                body: Schemas["NewDataJob"];
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
        "/api/v1/settings/members": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["Members"];
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
        "/api/v1/settings/sso": {
            get: {
                answer: Schemas["Sso"];
            };
            patch: {
                body: Schemas["SsoEdit"];
                answer: Schemas["Sso"];
            };
        };
        "/api/v1/settings/sso/domains": {
            post: {
                body: Schemas["NewSsoDomain"];
                answer: Schemas["SsoDomain"];
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
                answer: Schemas["SsoDomain"];
            };
        };
        "/api/v1/settings/sso/providers": {
            post: {
                body: Schemas["NewSsoProvider"];
                answer: Schemas["SsoProvider"];
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
                body: Schemas["SsoProviderEdit"];
                answer: Schemas["SsoProvider"];
            };
        };
        "/api/v1/settings/webhooks": {
            get: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
                answer: Schemas["Webhooks"];
            };
            post: {
                body: Schemas["NewWebhook"];
                answer: Schemas["SecretWebhook"];
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
                answer: Schemas["Deliveries"];
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
                body: Schemas["MessagesToReplay"];
                answer: Schemas["Replayed"];
            };
        };
        "/api/v1/settings/webhooks/{id}/rotate_secret": {
            post: {
                path: {
                    id: string;
                };
                answer: Schemas["SecretWebhook"];
            };
        };
        "/api/v1/settings/webhooks/{id}/test": {
            post: {
                path: {
                    id: string;
                };
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
                    from?: Schemas["DateOrEmpty"];
                    to?: Schemas["DateOrEmpty"];
                };
                answer: Schemas["Audit"];
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
                answer: Schemas["TrailVerified"];
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
                answer: Schemas["AllCases"];
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
                    due_from?: Schemas["DateOrEmpty"];
                    due_to?: Schemas["DateOrEmpty"];
                    order?: "deadline" | "latest_deadline" | "";
                    count?: "true" | "false" | "";
                    taken_by?: string;
                    signature?: "waiting" | "link_dead" | "";
                    ask_before?: Schemas["DateOrEmpty"];
                };
                answer: Schemas["Queue"];
            };
        };
        "/api/v1/staff/claims/signing": {
            post: {
                body: Schemas["ClaimsToDecide"];
                answer: Schemas["ClaimResults"];
            };
        };
        "/api/v1/staff/claims/take": {
            post: {
                body: Schemas["ClaimsToTake"];
                answer: Schemas["ClaimResults"];
            };
        };
        "/api/v1/staff/colleagues": {
            get: {
                answer: Schemas["Colleagues"];
            };
        };
        "/api/v1/staff/patients/search": {
            post: {
                body: Schemas["PatientToFind"];
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
                answer: Schemas["Practices"];
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
                answer: Schemas["Cases"];
            };
            post: {
                path: {
                    practice: string;
                };
                body: Schemas["NewCase"];
                answer: Schemas["CaseChanged"];
            };
        };
        "/api/v1/staff/practices/{practice}/cases/{id}": {
            get: {
                path: {
                    practice: string;
                    id: string;
                };
                answer: Schemas["AppealCase"];
            };
        };
        "/api/v1/staff/practices/{practice}/cases/{id}/decisions": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["Decision"];
                answer: Schemas["CaseDecided"];
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
                body: Schemas["NewLevel"];
                answer: Schemas["CaseChanged"];
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
                answer: Schemas["CaseChanged"];
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
                answer: Schemas["ClaimStanding"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/letter": {
            patch: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["LetterEdit"];
                answer: Schemas["LetterRecorded"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/moves": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["ClaimMove"];
                answer: Schemas["ClaimStanding"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/notes": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["NewNote"];
                answer: Schemas["NoteWritten"];
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
                answer: Schemas["ClaimStanding"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/signing/link": {
            delete: {
                path: {
                    practice: string;
                    id: string;
                };
                answer: Schemas["ClaimStanding"];
            };
        };
        "/api/v1/staff/practices/{practice}/claims/{id}/take": {
            post: {
                path: {
                    practice: string;
                    id: string;
                };
                body: Schemas["ClaimToTake"];
                answer: Schemas["ClaimStanding"];
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
                    kind?: Schemas["DocumentKind"] | string;
                    state?: Schemas["DocumentState"] | string;
                };
                answer: Schemas["Documents"];
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
                answer: Schemas["Reports"];
            };
            post: {
                path: {
                    practice: string;
                };
                body: Schemas["NewReport"];
                answer: Schemas["ReportDelivered"];
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
    Action: "read_self" | "sign_out" | "list_sessions" | "revoke_sessions" | "enrol_factor" | "change_factor" | "list_passkeys" | "enrol_passkey" | "rename_passkey" | "remove_passkey" | "list_identities" | "manage_identities" | "change_password" | "read_practice" | "edit_practice" | "edit_session_policy" | "list_api_keys" | "manage_api_keys" | "read_agreements" | "sign_agreement" | "end_agreement" | "read_data_jobs" | "manage_data_jobs" | "take_data" | "list_members" | "manage_members" | "leave" | "list_api_tokens" | "manage_api_tokens" | "revoke_api_tokens" | "read_sso" | "manage_sso" | "read_audit" | "read_staff_audit" | "list_webhooks" | "manage_webhooks" | "replay_deliveries" | "read_denials" | "read_signing_link" | "send_claims" | "set_letter" | "upload_document" | "read_documents" | "delete_document" | "edit_retention" | "read_work" | "read_claim" | "work";
    Actor: {
        id: string | null;
        name: string | null;
        type: "user" | "staff" | "api_key" | "api_token" | "signing_link" | "operator" | "service";
    };
    Addressed: {
        email: Schemas["EmailAddress"];
    };
    Agreement: {
        history: Schemas["Signed"][];
        kind: Schemas["AgreementKind"];
        signed: Schemas["Signed"] | null;
        text: string;
        version: string;
    };
    AgreementKind: "baa";
    Agreements: {
        agreements: Schemas["Agreement"][];
    };
    AllCases: {
        cases: Schemas["CaseOfAll"][];
        next_cursor: Schemas["QueueCursor"];
    };
    Amount: string;
    AmountOrNull: string | null;
    ApiKey: {
        created_at: Schemas["Time"];
        created_by: Schemas["KeyMakerOrNull"];
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["TimeOrNull"];
        maker_removed: boolean;
        may: "revoke"[];
        name: string;
        prefix: string;
        revoked_at: Schemas["TimeOrNull"];
        scopes: Schemas["KeyScope"][];
    };
    ApiKeys: {
        api_keys: Schemas["ApiKey"][];
        next_cursor: Schemas["NextCursor"];
    };
    ApiToken: {
        created_at: Schemas["Time"];
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["TimeOrNull"];
        may: ("revoke" | "regenerate")[];
        name: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["TimeOrNull"];
        scopes: Schemas["TokenScope"][];
        user_id: string;
    };
    ApiTokens: {
        api_tokens: Schemas["ApiToken"][];
        next_cursor: Schemas["NextCursor"];
    };
    Appeal: {
        claims: Schemas["CaseClaim"][];
        documents: Schemas["AttachedDocument"][];
        id: string;
        levels: Schemas["AppealLevel"][];
        opened_at: Schemas["Time"];
        payer_name: string;
        standing: Schemas["CaseStanding"];
    };
    AppealCase: {
        appealed: Schemas["AppealedClaim"][];
        claims: Schemas["CaseClaim"][];
        id: string;
        levels: Schemas["ListedLevel"][];
        may: Schemas["CaseActions"];
        opened_at: Schemas["Time"];
        opened_by: Schemas["Colleague"];
        payer_name: string;
        practice: Schemas["NamedPractice"];
        standing: Schemas["CaseStanding"];
        version: number;
    };
    AppealLevel: Schemas["Level"] & {
        begun_at: Schemas["Time"];
    };
    AppealedClaim: {
        id: string;
        taken_by: Schemas["ColleagueOrNull"];
        version: number;
    };
    Appeals: {
        appeals: Schemas["ListedAppeal"][];
        next_cursor: Schemas["NextCursor"];
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
    AttachedDocument: {
        id: string;
        media_type: string;
        name: string | null;
        size: number;
        state: "available" | "quarantined";
    };
    Audit: {
        audit: Schemas["AuditRow"][];
        next_cursor: Schemas["NextCursor"];
    };
    AuditRow: {
        action: string;
        actor: Schemas["Actor"];
        address: string | null;
        at: Schemas["Time"];
        claim_number: string | null;
        detail: Record<string, never> | null;
        id: string;
        record: string;
        record_name: string | null;
        request_id: string;
        sequence: number;
        session_id: string | null;
    };
    AvailableProvider: {
        id: string;
        name: string;
    };
    BegunFactor: Schemas["FirstBegunFactor"] | Schemas["RepeatedBegunFactor"];
    CalendarDate: string;
    CaseActions: ("begin_level" | "edit_level" | "attach" | "recover" | "decide")[];
    CaseChanged: {
        id: string;
        level: Schemas["Level"];
        version: number;
    };
    CaseClaim: {
        amount_recovered: Schemas["AmountOrNull"];
        billed_amount: Schemas["AmountOrNull"];
        claim_number: string;
        closing_reason: Schemas["ClosingReason"] | null;
        date_of_service: Schemas["CalendarDate"];
        deadline: Schemas["DeadlineOrNull"];
        decided_at: Schemas["TimeOrNull"];
        denied_amount: Schemas["AmountOrNull"];
        id: string;
        joined_at: Schemas["Time"];
        outcome: "recovered" | "closed" | null;
        status: Schemas["ClaimStatus"];
    };
    CaseDecided: {
        claims: Schemas["ClaimStanding"][];
        id: string;
        level: Schemas["Level"];
        next_level: Schemas["Level"] | null;
        version: number;
    };
    CaseOfAll: {
        ask_on: Schemas["DateOrNull"];
        claims: number;
        due: Schemas["DateOrNull"];
        id: string;
        in_appeal: number;
        level: Schemas["Level"];
        opened_at: Schemas["Time"];
        opened_by: Schemas["Colleague"];
        payer_name: string;
        practice: Schemas["NamedPractice"];
        standing: Schemas["CaseStanding"];
        version: number;
    };
    CaseStanding: "to_file" | "awaiting_decision" | "results_missing" | "outcome_missing" | "over";
    Cases: {
        cases: Schemas["ListedCase"][];
        next_cursor: Schemas["NextCursor"];
    };
    ClaimActions: ("take" | "let_go" | "review" | "note" | "set_letter" | "decide_signing" | "revoke_link" | "report" | "open_case" | "join_case" | "recover" | "close" | "reopen" | "correct_amount")[];
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
        claim: Schemas["ClaimStanding"] | null;
        id: string;
        message: string | null;
        reason: "version_conflict" | "move_not_possible" | "already_signed" | "practice_inactive" | "agreement_required" | "not_found" | null;
        status: "done" | "refused";
    };
    ClaimResults: {
        results: Schemas["ClaimResult"][];
    };
    ClaimStanding: {
        id: string;
        signing_status: Schemas["SigningStatus"];
        status: Schemas["ClaimStatus"];
        taken_by: string | null;
        version: number;
    };
    ClaimStatus: "received" | "reviewing" | "in_report" | "in_appeal" | "recovered" | "closed";
    ClaimToTake: {
        user_id?: string | null;
    };
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
        payer_name: Schemas["ClaimsRequiredText"];
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
    ClaimsNumber: string;
    ClaimsPastDate: string;
    ClaimsPatient: {
        account_number?: string | null;
        date_of_birth: Schemas["ClaimsPastDate"];
        first_name: Schemas["ClaimsRequiredText"];
        last_name: Schemas["ClaimsRequiredText"];
        member_id?: string | null;
    };
    ClaimsPlanType: "commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other";
    ClaimsRequiredText: string;
    ClaimsResultItem: {
        claim_number: Schemas["ClaimsAnsweredNumber"];
        created: boolean;
        error?: "claim.claim_number is already used for a different patient" | "claim.claim_number is already used for a different claim";
        id?: Schemas["ClaimsClaimId"];
        status?: Schemas["ClaimsClaimStatus"];
    };
    ClaimsSendRequest: Schemas["ClaimsSingleRequest"] | Schemas["ClaimsBatchRequest"];
    ClaimsSendResponse: {
        claims: Schemas["ClaimsResultItem"][];
        submission_id: string | null;
    };
    ClaimsSingleRequest: {
        claim: Schemas["ClaimsClaim"];
        patient: Schemas["ClaimsPatient"];
    };
    ClaimsToDecide: {
        claims: {
            id: string;
            practice_id: string;
            version: number;
        }[];
        decision: "needed" | "not_needed";
    };
    ClaimsToTake: {
        claims: {
            id: string;
            practice_id: string;
            version: number;
        }[];
        user_id?: string | null;
    };
    ClosingReason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error";
    Code: string;
    Colleague: {
        id: string;
        name: string;
    };
    ColleagueOrNull: Schemas["Colleague"] | null;
    Colleagues: {
        colleagues: {
            id: string;
            name: string;
        }[];
    };
    ConfirmedFactor: {
        code: Schemas["Code"];
        factor_id: string;
    };
    ContinuedFactor: {
        continuation_token: Schemas["GivenToken"];
    };
    Count: {
        claims: number;
        more: boolean;
    };
    CreatedApiKey: Schemas["FirstCreatedApiKey"] | Schemas["RepeatedCreatedApiKey"];
    CreatedApiToken: Schemas["FirstCreatedApiToken"] | Schemas["RepeatedCreatedApiToken"];
    Credential: {
        [key: string]: unknown;
    };
    DataJob: {
        begun_at: Schemas["TimeOrNull"];
        cursor: string | null;
        due_at: Schemas["TimeOrNull"];
        finished_at: Schemas["TimeOrNull"];
        id: string;
        kind: "return" | "destruction";
        records: {
            done: number;
            kind: string;
            total: number;
        }[];
        report: null | Schemas["DataReport"];
        requested_at: Schemas["Time"];
        requested_by: string;
        state: "waiting" | "running" | "cancelled" | "done";
    };
    DataJobs: {
        data_jobs: Schemas["DataJob"][];
        next_cursor: Schemas["NextCursor"];
    };
    DataReport: {
        bytes: number | null;
        history_until: Schemas["TimeOrNull"];
        kept: string[] | null;
        sha256: string | null;
        unreadable: number | null;
    };
    DateOrEmpty: string;
    DateOrNull: string | null;
    Deadline: {
        date: Schemas["CalendarDate"];
        from: "rule" | "case" | "letter";
    };
    DeadlineByRuleOrNull: {
        date: Schemas["CalendarDate"];
        days: number;
        plan_type: string;
        source: string;
    } | null;
    DeadlineOrNull: Schemas["Deadline"] | null;
    DeadlineSummary: {
        days: {
            claims: number;
            date: string;
            denied_amount: Schemas["Sum"];
        }[];
        late: Schemas["DeadlineTotal"];
        later: Schemas["DeadlineTotal"];
        none: Schemas["DeadlineTotal"];
    };
    DeadlineTotal: {
        claims: number;
        denied_amount: Schemas["Sum"];
    };
    Decision: {
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
    DecisionSourceOrNull: "29 CFR 2560.503-1(i)(2)(iii)(A)" | "29 CFR 2590.715-2719(c)(2)(xii), (d)(2)(iii)(B)(6)" | "45 CFR 147.136(b)(3)(i), 29 CFR 2560.503-1(i)(2)(iii)(A)" | "45 CFR 147.136(c)(2)(xii)" | "42 CFR 405.950(a)" | "42 CFR 405.970(a)" | "42 CFR 405.1016(a)" | "42 CFR 405.1100(c)" | "42 CFR 422.590(b)" | "42 CFR 438.408(b)(2)" | "42 CFR 431.244(f)(1)" | "22 CCR 51015(b), (c)(1)" | "32 CFR 199.10(b)" | "32 CFR 199.10(c)" | null;
    Deliveries: {
        deliveries: Schemas["Delivery"][];
        next_cursor: Schemas["NextCursor"];
    };
    Delivery: {
        attempts: number;
        created_at: Schemas["Time"];
        id: string;
        last_at: Schemas["TimeOrNull"];
        last_error: "timed_out" | "not_connected" | "redirected" | "refused" | "endpoint_inactive" | "practice_inactive" | "agreement_ended" | "no_secret" | "interrupted" | null;
        last_status: number | null;
        next_at: Schemas["TimeOrNull"];
        state: "pending" | "delivered" | "failed";
        type: "claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered" | "webhook.test";
    };
    Denial: {
        adjustment_codes: string[];
        amount_recovered: Schemas["AmountOrNull"];
        billed_amount: Schemas["AmountOrNull"];
        case_id: string | null;
        claim_number: string;
        closing_reason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error" | null;
        date_of_service: string;
        deadline: {
            date: string;
            from: "rule" | "case" | "letter";
            source: string | null;
        } | null;
        denial_date: Schemas["SentDenialDate"];
        denied_amount: Schemas["AmountOrNull"];
        id: string;
        letter: Schemas["LetterOrNull"];
        payer_claim_number: string;
        payer_name: string;
        plan_type: string | null;
        received_at: Schemas["Time"];
        report_id: string | null;
        signing: Schemas["DenialSigning"];
        status: Schemas["ClaimStatus"];
        updated_at: Schemas["Time"];
    };
    DenialEvent: {
        after: Schemas["DenialFigures"];
        at: Schemas["Time"];
        before: Schemas["DenialFigures"];
        by: "billing_system" | "practice" | "staff" | "patient";
        filled_in: ("denial_date" | "plan_type" | "denial_codes" | "denial_reason" | "diagnosis_codes" | "account_number" | "member_id")[] | null;
        kind: string;
        letter: Schemas["LetterFacts"] | null;
        signing: Schemas["SigningStatus"] | null;
        status: Schemas["ClaimStatus"];
        version: number;
    };
    DenialFigures: {
        billed_amount: Schemas["AmountOrNull"];
        denied_amount: Schemas["AmountOrNull"];
        payer_claim_number: string;
    } | null;
    DenialSigning: {
        appeal_button: boolean;
        link_expires_at: string | null;
        status: Schemas["SigningStatus"];
    };
    DenialWithHistory: {
        adjustment_codes: string[];
        amount_recovered: Schemas["AmountOrNull"];
        billed_amount: Schemas["AmountOrNull"];
        case_id: string | null;
        claim_number: string;
        closing_reason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error" | null;
        date_of_service: string;
        deadline: {
            date: string;
            from: "rule" | "case" | "letter";
            source: string | null;
        } | null;
        deadline_by_rule: Schemas["DeadlineByRuleOrNull"];
        denial_date: Schemas["SentDenialDate"];
        denied_amount: Schemas["AmountOrNull"];
        history: Schemas["DenialEvent"][];
        id: string;
        letter: Schemas["LetterOrNull"];
        may: "set_letter"[];
        payer_claim_number: string;
        payer_name: string;
        plan_type: string | null;
        received_at: Schemas["Time"];
        report_id: string | null;
        signing: Schemas["DenialSigning"];
        status: Schemas["ClaimStatus"];
        updated_at: Schemas["Time"];
        version: number;
    };
    Denials: {
        changes_cursor: string;
        denials: Schemas["Denial"][];
        more: boolean;
        next_cursor: string | null;
    };
    Description: {
        info: {
            [key: string]: unknown;
        };
        openapi: string;
        paths: {
            [key: string]: unknown;
        };
    };
    Document: {
        cases: string[];
        claim_id: string | null;
        claim_number: string | null;
        content_type: string;
        id: string;
        kind: Schemas["DocumentKind"];
        may: ("download" | "delete" | "attach")[];
        name: string | null;
        reports: string[];
        sha256: string;
        size: number;
        state: Schemas["DocumentState"];
        uploaded_at: Schemas["Time"];
        uploaded_by: "practice" | "staff";
    };
    DocumentKind: "denial_letter" | "medical_record" | "remittance" | "authorization" | "correspondence" | "other";
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
    Documents: {
        documents: Schemas["Document"][];
        next_cursor: Schemas["NextCursor"];
    };
    EmailAddress: string;
    EnrolledPasskey: Schemas["Passkey"] | Schemas["FirstPasskey"] | Schemas["RepeatedFirstPasskey"];
    FileError: {
        code: "validation_failed" | "virus_detected" | "file_too_large";
        details?: {
            field: string;
            message: string;
        }[];
        message: string;
    };
    FirstBegunFactor: {
        factor_id: string;
        totp: Schemas["Totp"];
    };
    FirstCreatedApiKey: {
        created_at: Schemas["Time"];
        created_by: Schemas["KeyMakerOrNull"];
        expires_at: Schemas["Time"];
        id: string;
        key: string;
        last_used_at: Schemas["TimeOrNull"];
        maker_removed: boolean;
        name: string;
        prefix: string;
        revoked_at: Schemas["TimeOrNull"];
        scopes: Schemas["KeyScope"][];
    };
    FirstCreatedApiToken: {
        created_at: Schemas["Time"];
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["TimeOrNull"];
        name: string;
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["TimeOrNull"];
        scopes: Schemas["TokenScope"][];
        token: string;
        user_id: string;
    };
    FirstPasskey: {
        created_at: Schemas["Time"];
        id: string;
        last_used_at: null;
        name: string;
        recovery_codes: string[];
        synced: boolean;
        transports: string[];
    };
    FirstRecoveryCodes: {
        recovery_codes: string[];
    };
    FirstSecretWebhook: {
        created_at: Schemas["Time"];
        disabled_at: Schemas["TimeOrNull"];
        events: Schemas["WebhookEvents"];
        failing_since: Schemas["TimeOrNull"];
        id: string;
        old_secret_until: Schemas["TimeOrNull"];
        secret: string;
        state: Schemas["WebhookState"];
        url: string;
        version: Schemas["Version"];
    };
    GivenAddress: {
        city: Schemas["Name"];
        line1: Schemas["Name"];
        line2?: Schemas["Name"] | (string | null);
        state: string;
        zip: string;
    };
    GivenToken: string;
    HistoryEntry: {
        actor: string;
        actor_name: string | null;
        at: Schemas["Time"];
        detail: Record<string, never> | null;
        holder_name: string | null;
        kind: "received" | "corrected" | "filled_in" | "taken" | "moved" | "signing" | "signed" | "deadline" | "amount_corrected";
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
        last_used_at: null | Schemas["Time"];
        provider: string;
        provider_name: string | null;
    };
    Invitation: {
        email: Schemas["EmailAddress"];
        role: Schemas["PracticeRole"];
    };
    InvitationPreview: {
        email: string;
        practice_name: string | null;
    };
    KeyMakerOrNull: {
        id: string;
        name: string;
    } | null;
    KeyScope: "claims:write" | "claims:read";
    LetterCounts: "earliest" | "letter";
    LetterEdit: {
        appeal_due?: string | null;
        counts?: ("earliest" | "letter") | null;
        denial_date?: string | null;
        plan_type?: ("commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other") | null;
    };
    LetterFacts: {
        appeal_due: Schemas["DateOrNull"];
        counts: Schemas["LetterCounts"];
        denial_date: Schemas["DateOrNull"];
        plan_type: Schemas["PlanTypeOrNull"];
    };
    LetterOrNull: {
        appeal_due: Schemas["DateOrNull"];
        counts: Schemas["LetterCounts"];
        denial_date: Schemas["DateOrNull"];
        plan_type: Schemas["PlanTypeOrNull"];
        read_at: Schemas["Time"];
        read_by: "staff" | "practice";
    } | null;
    LetterRecorded: {
        deadline: Schemas["DeadlineOrNull"];
        id: string;
        version: number;
    };
    Level: {
        decided_on: Schemas["DateOrNull"];
        decision_due: Schemas["DateOrNull"];
        decision_source: Schemas["DecisionSourceOrNull"];
        due_on: Schemas["DateOrNull"];
        filed_on: Schemas["DateOrNull"];
        follow_up_on: Schemas["DateOrNull"];
        kind: Schemas["LevelKind"];
        level: number;
        outcome: Schemas["LevelOutcomeOrNull"];
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
    LevelOutcomeOrNull: "overturned" | "partly_overturned" | "upheld" | "dismissed" | "withdrawn" | null;
    Linked: {
        token: Schemas["GivenToken"];
    };
    LinkedJoining: {
        name: Schemas["Name"];
        password: Schemas["NewPassword"];
        token: Schemas["GivenToken"];
    };
    LinkedPassword: {
        password: Schemas["NewPassword"];
        token: Schemas["GivenToken"];
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
    ListedLevel: Schemas["Level"] & {
        begun_at: Schemas["Time"];
        begun_by: Schemas["Colleague"];
    };
    ListedPractice: {
        agreement: "in_force" | "missing" | "ended";
        claims: {
            due_soon: number;
            late: number;
            open: number;
        };
        id: string;
        name: string;
        status: "active" | "inactive";
    };
    ListedReport: {
        claims: number;
        delivered_at: Schemas["Time"];
        delivered_by: Schemas["Colleague"];
        id: string;
    };
    ListedSession: {
        agent: string;
        created_at: Schemas["Time"];
        current: boolean;
        ends_at: Schemas["Time"];
        id: string;
        ip: string;
        last_seen_at: Schemas["Time"];
    };
    Member: {
        created_at: Schemas["Time"];
        email: string;
        id: string;
        last_seen_at: Schemas["TimeOrNull"];
        may: ("change_role" | "remove" | "revoke_sessions")[];
        name: string | null;
        role: Schemas["PracticeRole"];
        state: "invited" | "active";
        two_factor: boolean;
        version: Schemas["Version"];
    };
    Members: {
        members: Schemas["Member"][];
        next_cursor: Schemas["NextCursor"];
    };
    MessagesToReplay: {
        since?: string | null;
    };
    Name: string;
    NamedPasskey: {
        name: Schemas["PasskeyName"];
    };
    NamedPractice: {
        id: string;
        name: string;
    };
    NewApiKey: {
        name: Schemas["Name"];
        scopes: Schemas["KeyScope"][];
    };
    NewApiToken: {
        expires_in_days: number;
        name: Schemas["Name"];
        scopes: Schemas["TokenScope"][];
    };
    NewCase: {
        claims: {
            id: string;
            version: number;
        }[];
        due_on?: string | null;
        kind: "reconsideration" | "redetermination" | "internal_appeal" | "formal_review" | "bill_review" | "external_review" | "hearing" | "council_review" | "judicial_review";
    };
    NewDataJob: {
        kind: "return" | "destruction";
        practice_name?: string;
    };
    NewDocumentUse: {
        document_id: string;
    };
    NewLevel: {
        due_on?: string | null;
        kind: "reconsideration" | "redetermination" | "internal_appeal" | "formal_review" | "bill_review" | "external_review" | "hearing" | "council_review" | "judicial_review";
    };
    NewNote: {
        text: string;
    };
    NewPasskey: {
        credential: Schemas["Credential"];
        name: Schemas["PasskeyName"];
    };
    NewPassword: string;
    NewReport: {
        claims: {
            id: string;
            version: number;
        }[];
    };
    NewSsoDomain: {
        domain: string;
    };
    NewSsoProvider: {
        contexts?: Schemas["SsoContexts"];
        idp_initiated?: boolean;
        metadata?: string;
        name?: Schemas["SsoProviderName"];
        provider?: string;
    };
    NewWebhook: {
        events: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered")[];
        url: string;
    };
    NextCursor: string | null;
    NotRepeated: string;
    Note: {
        at: Schemas["Time"];
        author: Schemas["Colleague"];
        id: string;
        text: string;
    };
    NoteWritten: {
        at: Schemas["Time"];
        id: string;
    };
    NpiOrNull: string | null;
    OwnPractice: {
        agreement: "in_force" | "missing" | "ended";
        appeal_button: boolean;
        id: string;
        name: string;
        sso_required: boolean;
        status: "active" | "inactive";
    };
    PaidAmount: {
        amount_recovered: string;
    };
    Passkey: {
        created_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["TimeOrNull"];
        name: string;
        synced: boolean;
        transports: string[];
    };
    PasskeyName: string;
    Passkeys: {
        passkeys: Schemas["Passkey"][];
    };
    Password: string;
    PasswordChange: {
        current_password: Schemas["Password"];
        new_password: Schemas["NewPassword"];
    };
    PasswordResetPreview: {
        email: string;
    };
    Patient: {
        account_number?: string;
        date_of_birth: Schemas["CalendarDate"];
        first_name: string;
        last_name: string;
        member_id?: string;
    };
    PatientClaims: {
        claims: Schemas["QueuedClaim"][];
        complete: boolean;
    };
    PatientSignature: {
        drawing: null | {
            height: number;
            strokes: number[][][];
            width: number;
        };
        id: string;
        ip: string;
        language: "en" | "es";
        name: string | null;
        relation: "patient" | "parent" | "guardian" | "health_care_agent" | "executor" | "other_representative";
        signed_at: Schemas["Time"];
        text: string;
        text_version: string;
        user_agent: string;
    };
    PatientToFind: {
        date_of_birth: string;
        first_name: string;
        last_name: string;
        practice_id?: string | null;
    };
    Payers: {
        payers: {
            name: string;
        }[];
    };
    PhoneOrNull: string | null;
    PlanTypeOrNull: "commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other" | null;
    Practice: {
        address: Schemas["PracticeAddressOrNull"];
        appeal_button: boolean;
        baa_signed: boolean;
        concurrent_sessions: 1 | "unlimited";
        has_api_key: boolean;
        id: string;
        name: string;
        npi: Schemas["NpiOrNull"];
        phone: Schemas["PhoneOrNull"];
        state: "active" | "inactive";
        tax_id: Schemas["TaxIdOrNull"];
        time_zone: Schemas["TimeZoneOrNull"];
        version: Schemas["Version"];
    };
    PracticeAddress: {
        city: string;
        line1: string;
        line2: string | null;
        state: string;
        zip: string;
    };
    PracticeAddressOrNull: Schemas["PracticeAddress"] | null;
    PracticeDetails: {
        address: Schemas["PracticeAddressOrNull"];
        npi: Schemas["NpiOrNull"];
        phone: Schemas["PhoneOrNull"];
        tax_id: Schemas["TaxIdOrNull"];
        time_zone: Schemas["TimeZoneOrNull"];
    };
    PracticeEdit: {
        address?: Schemas["GivenAddress"] | null;
        appeal_button?: boolean | null;
        concurrent_sessions?: 1 | "unlimited" | null;
        name?: Schemas["Name"] | null;
        npi?: string | null;
        phone?: string | null;
        tax_id?: string | null;
        time_zone?: Schemas["TimeZone"] | (string | null);
    };
    PracticeReport: {
        claims: Schemas["ReportedClaim"][];
        delivered_at: Schemas["Time"];
        documents: Schemas["AttachedDocument"][];
        id: string;
    };
    PracticeReports: {
        next_cursor: Schemas["NextCursor"];
        reports: Schemas["ReportDelivered"][];
    };
    PracticeRole: "owner" | "admin" | "member";
    Practices: {
        next_cursor: Schemas["NextCursor"];
        practices: Schemas["ListedPractice"][];
    };
    Providers: {
        providers: {
            id: string;
            name: string;
            url: string;
        }[];
    };
    Queue: {
        claims: Schemas["QueuedClaim"][];
        count?: Schemas["Count"];
        next_cursor: Schemas["QueueCursor"];
    };
    QueueCursor: string | null;
    QueuedClaim: {
        ask_on: Schemas["DateOrNull"];
        billed_amount: Schemas["AmountOrNull"];
        case_id: string | null;
        claim_number: string;
        date_of_service: Schemas["CalendarDate"];
        deadline: Schemas["DeadlineOrNull"];
        deadline_by_rule: Schemas["DeadlineByRuleOrNull"];
        denial_codes: string[];
        denial_date: Schemas["SentDenialDate"];
        denied_amount: Schemas["AmountOrNull"];
        id: string;
        letter: Schemas["LetterOrNull"];
        link_expires_at: string | null;
        may: Schemas["ClaimActions"];
        payer_name: string;
        plan_type: Schemas["SentPlanType"];
        practice: Schemas["NamedPractice"];
        received_at: Schemas["Time"];
        report_id: string | null;
        signing_status: Schemas["SigningStatus"];
        status: Schemas["ClaimStatus"];
        taken_by: Schemas["ColleagueOrNull"];
        updated_at: Schemas["Time"];
        version: number;
    };
    RecoveryCodes: Schemas["FirstRecoveryCodes"] | Schemas["RepeatedRecoveryCodes"];
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
            pubKeyCredParams: {
                [key: string]: unknown;
            }[];
            rp: {
                [key: string]: unknown;
            };
            user: {
                [key: string]: unknown;
            };
        } & {
            [key: string]: unknown;
        };
    };
    RelatedClaim: {
        billed_amount: Schemas["AmountOrNull"];
        case_id: string | null;
        claim_number: string;
        date_of_service: Schemas["CalendarDate"];
        deadline: Schemas["DeadlineOrNull"];
        denied_amount: Schemas["AmountOrNull"];
        id: string;
        may: Schemas["ClaimActions"];
        received_at: Schemas["Time"];
        report_id: string | null;
        signing_status: Schemas["SigningStatus"];
        status: Schemas["ClaimStatus"];
        taken_by: Schemas["ColleagueOrNull"];
        version: number;
    };
    RelatedClaims: {
        claims: Schemas["RelatedClaim"][];
    };
    RepeatedBegunFactor: {
        factor_id: string;
        not_repeated: Schemas["NotRepeated"];
        totp: null;
    };
    RepeatedCreatedApiKey: {
        created_at: Schemas["Time"];
        created_by: Schemas["KeyMakerOrNull"];
        expires_at: Schemas["Time"];
        id: string;
        key: null;
        last_used_at: Schemas["TimeOrNull"];
        maker_removed: boolean;
        name: string;
        not_repeated: Schemas["NotRepeated"];
        prefix: string;
        revoked_at: Schemas["TimeOrNull"];
        scopes: Schemas["KeyScope"][];
    };
    RepeatedCreatedApiToken: {
        created_at: Schemas["Time"];
        expires_at: Schemas["Time"];
        id: string;
        last_used_at: Schemas["TimeOrNull"];
        name: string;
        not_repeated: Schemas["NotRepeated"];
        prefix: string;
        replaced_by: string | null;
        revoked_at: Schemas["TimeOrNull"];
        scopes: Schemas["TokenScope"][];
        token: null;
        user_id: string;
    };
    RepeatedFirstPasskey: {
        created_at: Schemas["Time"];
        id: string;
        last_used_at: null;
        name: string;
        not_repeated: Schemas["NotRepeated"];
        recovery_codes: null;
        synced: boolean;
        transports: string[];
    };
    RepeatedRecoveryCodes: {
        not_repeated: Schemas["NotRepeated"];
        recovery_codes: null;
    };
    RepeatedSecretWebhook: {
        created_at: Schemas["Time"];
        disabled_at: Schemas["TimeOrNull"];
        events: Schemas["WebhookEvents"];
        failing_since: Schemas["TimeOrNull"];
        id: string;
        not_repeated: Schemas["NotRepeated"];
        old_secret_until: Schemas["TimeOrNull"];
        secret: null;
        state: Schemas["WebhookState"];
        url: string;
        version: Schemas["Version"];
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
        practice: Schemas["NamedPractice"];
    };
    ReportDelivered: {
        claims: number;
        delivered_at: Schemas["Time"];
        id: string;
    };
    ReportedClaim: {
        amount_recovered: Schemas["AmountOrNull"];
        billed_amount: Schemas["AmountOrNull"];
        claim_number: string;
        deadline: Schemas["DeadlineOrNull"];
        denied_amount: Schemas["AmountOrNull"];
        id: string;
        payer_name: string;
        status: Schemas["ClaimStatus"];
    };
    Reports: {
        next_cursor: Schemas["NextCursor"];
        reports: Schemas["ListedReport"][];
    };
    RoleChange: {
        role: Schemas["PracticeRole"];
    };
    SecondFactor: Schemas["SecondFactorCode"] | Schemas["SecondFactorPasskey"];
    SecondFactorCode: {
        code: Schemas["Code"];
        continuation_token: Schemas["GivenToken"];
    };
    SecondFactorPasskey: {
        continuation_token: Schemas["GivenToken"];
        passkey: Schemas["ShownPasskey"];
    };
    SecretWebhook: Schemas["FirstSecretWebhook"] | Schemas["RepeatedSecretWebhook"];
    SentDenialDate: string | null;
    SentPlanType: "commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other" | null;
    Session: {
        may: Schemas["Action"][];
        practice: Schemas["OwnPractice"] | null;
        session: Schemas["SessionFacts"] | null;
        user: Schemas["User"];
    };
    SessionFacts: {
        created_at: Schemas["Time"];
        ends_at: Schemas["Time"];
        id: string;
        idle_ends_at: Schemas["Time"];
        kind: "full" | "enrolment";
        sso: boolean;
        verified_at: Schemas["TimeOrNull"];
    };
    Sessions: {
        next_cursor: Schemas["NextCursor"];
        sessions: Schemas["ListedSession"][];
    };
    ShownPasskey: {
        credential: Schemas["Credential"];
    };
    SignIn: {
        email: Schemas["EmailAddress"];
        password: Schemas["Password"];
    };
    Signature: {
        kind: Schemas["AgreementKind"];
        signer_name: Schemas["Name"];
        signer_title: Schemas["Name"];
        version: string;
    };
    Signed: {
        ended_at: Schemas["TimeOrNull"];
        id: string;
        signed_at: Schemas["Time"];
        signed_by: string | null;
        signed_from: string | null;
        signer_name: string;
        signer_title: string;
        version: string;
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
        domains: Schemas["SsoDomain"][];
        providers: Schemas["SsoProvider"][];
        required: boolean;
        saml_available: boolean;
        version: Schemas["Version"];
    };
    SsoCertificate: {
        expires_at: Schemas["Time"];
        sha256: string;
    };
    SsoContext: "mfa" | "https://refeds.org/profile/mfa" | "http://schemas.microsoft.com/claims/multipleauthn" | "urn:okta:loa:2fa:any" | "http://idmanagement.gov/ns/assurance/aal/2" | "http://idmanagement.gov/ns/assurance/aal/3" | "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered";
    SsoContexts: Schemas["SsoContext"][];
    SsoDomain: {
        created_at: Schemas["Time"];
        domain: string;
        id: string;
        txt_name: string;
        txt_value: string;
        verified_at: Schemas["TimeOrNull"];
    };
    SsoEdit: {
        required: boolean;
    };
    SsoProvider: {
        acs_url: string | null;
        certificates: Schemas["SsoCertificate"][];
        contexts: Schemas["SsoContexts"];
        created_at: Schemas["Time"];
        entity_id: string | null;
        id: string;
        idp_initiated: boolean;
        kind: "saml" | "oidc";
        metadata_url: string | null;
        name: string;
        provider: string | null;
        sign_in_url: string | null;
        version: Schemas["Version"];
    };
    SsoProviderEdit: {
        contexts?: Schemas["SsoContexts"];
        idp_initiated?: boolean;
        metadata?: string;
        name?: Schemas["SsoProviderName"];
    };
    SsoProviderName: string;
    StaffClaim: {
        amount_recovered: Schemas["AmountOrNull"];
        billed_amount: Schemas["AmountOrNull"];
        case_id: string | null;
        claim_number: string;
        closing_reason: Schemas["ClosingReason"] | null;
        date_of_service: Schemas["CalendarDate"];
        deadline: Schemas["DeadlineOrNull"];
        deadline_by_rule: Schemas["DeadlineByRuleOrNull"];
        denial_codes: string[];
        denial_date: Schemas["SentDenialDate"];
        denial_reason: string | null;
        denied_amount: Schemas["AmountOrNull"];
        diagnosis_codes: string[];
        history: Schemas["HistoryEntry"][];
        id: string;
        letter: Schemas["LetterOrNull"];
        may: Schemas["ClaimActions"];
        notes: Schemas["Note"][];
        patient: Schemas["Patient"];
        payer_claim_number: string;
        payer_name: string;
        plan_type: Schemas["SentPlanType"];
        practice: Schemas["NamedPractice"];
        practice_details: Schemas["PracticeDetails"];
        procedure_code: string | null;
        received_at: Schemas["Time"];
        report_id: string | null;
        signing_link: {
            created_at: Schemas["Time"];
            expires_at: Schemas["Time"];
            tries_left: number;
        } | null;
        signing_status: Schemas["SigningStatus"];
        status: Schemas["ClaimStatus"];
        taken_by: Schemas["ColleagueOrNull"];
        updated_at: Schemas["Time"];
        version: number;
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
    TaxIdOrNull: string | null;
    Time: string;
    TimeOrNull: string | null;
    TimeZone: "America/New_York" | "America/Chicago" | "America/Denver" | "America/Phoenix" | "America/Los_Angeles" | "America/Anchorage" | "Pacific/Honolulu" | "America/Puerto_Rico" | "Pacific/Guam" | "Pacific/Pago_Pago";
    TimeZoneOrNull: Schemas["TimeZone"] | null;
    TokenScope: "denials:read" | "documents:write" | "settings:read" | "audit:read";
    Totp: {
        otpauth_uri: string;
        secret: string;
    };
    TrailPlace: {
        digest: string;
        sequence: number;
    } | null;
    TrailVerified: {
        broken: {
            id: string | null;
            reason: "missing" | "changed" | "forged" | "head_changed" | "key_unknown";
            sequence: number;
        } | null;
        checked_to: Schemas["TrailPlace"];
        head: Schemas["TrailPlace"];
        intact: boolean;
        next_cursor: string | null;
        rows_checked: number;
        rows_without_mac: number;
    };
    UploadResults: {
        results: ({
            document: Schemas["UploadedDocument"];
            status: "stored";
        } | {
            error: Schemas["FileError"];
            status: "refused";
        })[];
    };
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
        uploaded_by: "practice" | "staff";
    };
    User: {
        email: string;
        id: string;
        name: string;
        role: "owner" | "admin" | "member" | "staff" | "auditor";
        two_factor: boolean;
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
        disabled_at: Schemas["TimeOrNull"];
        events: Schemas["WebhookEvents"];
        failing_since: Schemas["TimeOrNull"];
        id: string;
        old_secret_until: Schemas["TimeOrNull"];
        state: Schemas["WebhookState"];
        url: string;
        version: Schemas["Version"];
    };
    WebhookEdit: {
        events?: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered")[] | null;
        state?: ("active" | "disabled") | null;
        url?: string | null;
    };
    WebhookEvents: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered")[];
    WebhookState: "active" | "disabled";
    Webhooks: {
        next_cursor: Schemas["NextCursor"];
        webhooks: Schemas["Webhook"][];
    };
    WorkSummary: {
        deadlines: Schemas["DeadlineSummary"];
        decisions_due: number;
        statuses: Schemas["StatusSummary"][];
        today: string;
        total: Schemas["ClaimTotal"];
    };
}
