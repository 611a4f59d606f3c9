// Made from the API description by `cargo xtask console generate`. Do not edit.

export interface paths {
    "/api/v1/appeals": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Appeals"];
                    };
                };
            };
        };
    };
    "/api/v1/appeals/{id}": {
        get: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Appeal"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/2fa/recovery_codes": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RecoveryCodesLeft"];
                    };
                };
            };
        };
        post: {
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["RecoveryCodes"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/2fa/totp": {
        post: {
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["BegunFactor"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/2fa/totp/confirm": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ConfirmedFactor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RecoveryCodes"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/identities": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Identities"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": {
                        id: string;
                    };
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Identity"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/identities/waiting": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WaitingIdentity"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/identities/{id}": {
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/auth/invitation": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkedJoining"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/auth/invitation/preview": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Linked"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["InvitationPreview"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/magic_link": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Addressed"];
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/magic_link/verify": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Linked"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/oauth/{provider}": {
        get: {
            parameters: {
                path: {
                    provider: components["parameters"]["Provider"];
                };
            };
        };
    };
    "/api/v1/auth/oauth/{provider}/callback": {
        get: {
            parameters: {
                query?: {
                    code?: string;
                    state?: string;
                    iss?: string;
                    error?: string;
                };
                path: {
                    provider: components["parameters"]["Provider"];
                };
            };
        };
    };
    "/api/v1/auth/passkeys": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Passkeys"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewPasskey"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["EnrolledPasskey"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/passkeys/options": {
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RegistrationOptions"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/passkeys/{id}": {
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
        patch: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NamedPasskey"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Passkey"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/password": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PasswordChange"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/auth/password_reset": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Addressed"];
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["Accepted"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/password_reset/confirm": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LinkedPassword"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/auth/password_reset/preview": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Linked"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PasswordResetPreview"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/providers": {
        get: {
            parameters: {
                query?: {
                    domain?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Providers"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/saml/{provider}": {
        get: {
            parameters: {
                path: {
                    provider: components["parameters"]["Provider"];
                };
            };
        };
        post: {
            parameters: {
                path: {
                    provider: components["parameters"]["Provider"];
                };
            };
            requestBody: {
                content: {
                    "application/x-www-form-urlencoded": {
                        RelayState?: string;
                        SAMLResponse: string;
                    };
                };
            };
        };
    };
    "/api/v1/auth/saml/{provider}/metadata": {
        get: {
            parameters: {
                path: {
                    provider: components["parameters"]["Provider"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/samlmetadata+xml": string;
                    };
                };
            };
        };
    };
    "/api/v1/auth/session": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SignIn"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/session/2fa": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SecondFactor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
                204: {};
            };
        };
    };
    "/api/v1/auth/session/2fa/passkey/options": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ContinuedFactor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AssertionOptions"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/session/logout": {
        post: {
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/auth/session/passkey": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ShownPasskey"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Session"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/session/passkey/options": {
        post: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AssertionOptions"];
                    };
                };
            };
        };
    };
    "/api/v1/auth/sessions": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Sessions"];
                    };
                };
            };
        };
        delete: {
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/auth/sessions/{id}": {
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/denials": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["LimitOrCsv"];
                    order?: "newest" | "deadline" | "";
                    cursor?: string;
                    changes_after?: string;
                    status?: components["schemas"]["ClaimStatus"][];
                    claim_number?: string;
                    payer_name?: string;
                    denied_from?: string;
                    denied_to?: string;
                    received_from?: string;
                    received_to?: string;
                    due_from?: components["schemas"]["DateOrEmpty"];
                    due_to?: components["schemas"]["DateOrEmpty"];
                    signing_status?: components["schemas"]["SigningStatus"][];
                    denial_code?: string;
                    updated_since?: string;
                    report_id?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Denials"];
                        "text/csv": components["schemas"]["Csv"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimsSendRequest"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimsSendResponse"];
                    };
                };
                201: {
                    content: {
                        "application/json": components["schemas"]["ClaimsSendResponse"];
                    };
                };
            };
        };
    };
    "/api/v1/denials/payers": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Payers"];
                    };
                };
            };
        };
    };
    "/api/v1/denials/summary": {
        get: {
            parameters: {
                query?: {
                    today?: components["parameters"]["Today"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Summary"];
                    };
                };
            };
        };
    };
    "/api/v1/denials/{id}": {
        get: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["DenialWithHistory"];
                    };
                };
            };
        };
    };
    "/api/v1/denials/{id}/letter": {
        patch: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LetterEdit"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["LetterRecorded"];
                    };
                };
            };
        };
    };
    "/api/v1/denials/{id}/signing_link": {
        get: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SigningLink"];
                    };
                };
            };
        };
    };
    "/api/v1/documents": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                    claim_id?: components["parameters"]["DocumentClaim"];
                    claim_number?: components["parameters"]["DocumentClaimNumber"];
                    case_id?: components["parameters"]["DocumentCase"];
                    report_id?: components["parameters"]["DocumentReport"];
                    kind?: components["parameters"]["DocumentKindFilter"];
                    state?: components["parameters"]["DocumentStateFilter"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Documents"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["DocumentForm"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["UploadedDocument"];
                    };
                };
            };
        };
    };
    "/api/v1/documents/bulk": {
        post: {
            requestBody: {
                content: {
                    "multipart/form-data": components["schemas"]["DocumentsForm"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["UploadResults"];
                    };
                };
            };
        };
    };
    "/api/v1/documents/{id}": {
        get: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Document"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/documents/{id}/content": {
        get: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "*/*": string;
                        "application/octet-stream": string;
                    };
                };
                206: {
                    content: {
                        "*/*": string;
                        "application/octet-stream": string;
                    };
                };
            };
        };
    };
    "/api/v1/openapi.json": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Description"];
                    };
                };
            };
        };
    };
    "/api/v1/openapi/accounts.json": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Description"];
                    };
                };
            };
        };
    };
    "/api/v1/reports": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PracticeReports"];
                    };
                };
            };
        };
    };
    "/api/v1/reports/{id}": {
        get: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PracticeReport"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/agreements": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Agreements"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Signature"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["Signed"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/agreements/{id}/end": {
        post: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Signed"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/api_keys": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ApiKeys"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewApiKey"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedApiKey"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/api_keys/{id}": {
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/settings/api_tokens": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ApiTokens"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewApiToken"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedApiToken"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/api_tokens/{id}": {
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/settings/api_tokens/{id}/regenerate": {
        post: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Regeneration"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CreatedApiToken"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/audit": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["LimitOrCsv"];
                    cursor?: components["parameters"]["Cursor"];
                    action?: string;
                    actor?: string;
                    record?: string;
                    claim_number?: string;
                    from?: components["schemas"]["DateOrEmpty"];
                    to?: components["schemas"]["DateOrEmpty"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Audit"];
                        "text/csv": components["schemas"]["Csv"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/audit/export": {
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/x-ndjson": string;
                    };
                };
            };
        };
    };
    "/api/v1/settings/audit/verify": {
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TrailVerified"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/data_jobs": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["DataJobs"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewDataJob"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["DataJob"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/data_jobs/{id}": {
        get: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["DataJob"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/data_jobs/{id}/cancel": {
        post: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["DataJob"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/data_jobs/{id}/records": {
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                };
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/x-ndjson": string;
                    };
                };
            };
        };
    };
    "/api/v1/settings/documents": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["DocumentSettings"];
                    };
                };
            };
        };
        patch: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["DocumentSettingsEdit"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["DocumentSettings"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/members": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Members"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Invitation"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
                201: {
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/members/{id}": {
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
        patch: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["RoleChange"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Member"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/members/{id}/sessions": {
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/settings/practice": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Practice"];
                    };
                };
            };
        };
        patch: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PracticeEdit"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Practice"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/sso": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Sso"];
                    };
                };
            };
        };
        patch: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SsoEdit"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Sso"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/sso/domains": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSsoDomain"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["SsoDomain"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/sso/domains/{id}": {
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/settings/sso/domains/{id}/verify": {
        post: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SsoDomain"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/sso/providers": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewSsoProvider"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["SsoProvider"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/sso/providers/{id}": {
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
        patch: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SsoProviderEdit"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SsoProvider"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/webhooks": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Webhooks"];
                    };
                };
            };
        };
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewWebhook"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["SecretWebhook"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/webhooks/{id}": {
        get: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
        patch: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["WebhookEdit"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Webhook"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/webhooks/{id}/deliveries": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Deliveries"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay": {
        post: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                    delivery_id: components["parameters"]["DeliveryId"];
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/webhooks/{id}/replay": {
        post: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            requestBody?: {
                content: {
                    "application/json": {
                        since?: string | null;
                    };
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["Replayed"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/webhooks/{id}/rotate_secret": {
        post: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["SecretWebhook"];
                    };
                };
            };
        };
    };
    "/api/v1/settings/webhooks/{id}/test": {
        post: {
            parameters: {
                path: {
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                202: {
                    content: {
                        "application/json": components["schemas"]["Delivery"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/audit": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["LimitOrCsv"];
                    cursor?: components["parameters"]["Cursor"];
                    action?: string;
                    actor?: string;
                    record?: string;
                    from?: components["schemas"]["DateOrEmpty"];
                    to?: components["schemas"]["DateOrEmpty"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Audit"];
                        "text/csv": components["schemas"]["Csv"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/audit/export": {
        get: {
            parameters: {
                query?: {
                    limit?: number;
                    cursor?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/x-ndjson": string;
                    };
                };
            };
        };
    };
    "/api/v1/staff/audit/verify": {
        get: {
            parameters: {
                query?: {
                    cursor?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["TrailVerified"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/cases": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: string;
                    due_before?: string;
                    practice_id?: string;
                    open?: "true" | "false" | "";
                    awaiting?: "decision" | "";
                    ask_before?: string;
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AllCases"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/claims": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["LimitOrCsv"];
                    cursor?: string;
                    status?: string;
                    practice_id?: string;
                    payer_name?: string;
                    claim_number?: string;
                    denial_code?: string;
                    min_age_days?: number;
                    max_age_days?: number;
                    due_from?: components["schemas"]["DateOrEmpty"];
                    due_to?: components["schemas"]["DateOrEmpty"];
                    order?: "deadline" | "latest_deadline" | "";
                    count?: "true" | "false" | "";
                    taken_by?: string;
                    signature?: "waiting" | "link_dead" | "";
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Queue"];
                        "text/csv": components["schemas"]["Csv"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/claims/signing": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimsToDecide"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimResults"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/claims/take": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimsToTake"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimResults"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/colleagues": {
        get: {
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Colleagues"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/patients/search": {
        post: {
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PatientToFind"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PatientClaims"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/payers": {
        get: {
            parameters: {
                query?: {
                    practice_id?: components["parameters"]["OfPractice"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Payers"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                    name?: string;
                    today?: components["parameters"]["Today"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Practices"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/cases": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                    payer_name?: string;
                    claim_id?: string;
                };
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Cases"];
                    };
                };
            };
        };
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewCase"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CaseChanged"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/cases/{id}": {
        get: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["AppealCase"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/decisions": {
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["Decision"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CaseDecided"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/documents": {
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewDocumentUse"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/documents/{document}": {
        delete: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                    document: components["parameters"]["DocumentInPath"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/levels": {
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewLevel"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["CaseChanged"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/levels/{level}": {
        patch: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                    level: components["parameters"]["LevelInPath"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LevelEdit"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["CaseChanged"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}": {
        get: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["StaffClaim"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/amount": {
        patch: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["PaidAmount"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimStanding"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/letter": {
        patch: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["LetterEdit"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["LetterRecorded"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/moves": {
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["ClaimMove"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimStanding"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/notes": {
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewNote"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["NoteWritten"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/related": {
        get: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["RelatedClaims"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/signature": {
        get: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["PatientSignature"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/signing": {
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["SigningDecision"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimStanding"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/signing/link": {
        delete: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimStanding"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/take": {
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody?: {
                content: {
                    "application/json": components["schemas"]["ClaimToTake"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["ClaimStanding"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/documents": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                    claim_id?: components["parameters"]["DocumentClaim"];
                    claim_number?: components["parameters"]["DocumentClaimNumber"];
                    case_id?: components["parameters"]["DocumentCase"];
                    report_id?: components["parameters"]["DocumentReport"];
                    kind?: components["parameters"]["DocumentKindFilter"];
                    state?: components["parameters"]["DocumentStateFilter"];
                };
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Documents"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/documents/{id}": {
        get: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Document"];
                    };
                };
            };
        };
        delete: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/staff/practices/{practice}/documents/{id}/content": {
        get: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "*/*": string;
                        "application/octet-stream": string;
                    };
                };
                206: {
                    content: {
                        "*/*": string;
                        "application/octet-stream": string;
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/reports": {
        get: {
            parameters: {
                query?: {
                    limit?: components["parameters"]["Limit"];
                    cursor?: components["parameters"]["Cursor"];
                };
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Reports"];
                    };
                };
            };
        };
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewReport"];
                };
            };
            responses: {
                201: {
                    content: {
                        "application/json": components["schemas"]["ReportDelivered"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/reports/{id}": {
        get: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["Report"];
                    };
                };
            };
        };
    };
    "/api/v1/staff/practices/{practice}/reports/{id}/documents": {
        post: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                };
            };
            requestBody: {
                content: {
                    "application/json": components["schemas"]["NewDocumentUse"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/staff/practices/{practice}/reports/{id}/documents/{document}": {
        delete: {
            parameters: {
                path: {
                    practice: components["parameters"]["PracticeInPath"];
                    id: components["parameters"]["Id"];
                    document: components["parameters"]["DocumentInPath"];
                };
            };
            responses: {
                204: {};
            };
        };
    };
    "/api/v1/staff/summary": {
        get: {
            parameters: {
                query?: {
                    today?: components["parameters"]["Today"];
                    practice_id?: components["parameters"]["OfPractice"];
                };
            };
            responses: {
                200: {
                    content: {
                        "application/json": components["schemas"]["WorkSummary"];
                    };
                };
            };
        };
    };
}
export interface components {
    schemas: {
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
            email: components["schemas"]["EmailAddress"];
        };
        Agreement: {
            history: components["schemas"]["Signed"][];
            kind: components["schemas"]["AgreementKind"];
            signed: components["schemas"]["Signed"] | null;
            text: string;
            version: string;
        };
        AgreementKind: "baa";
        Agreements: {
            agreements: components["schemas"]["Agreement"][];
        };
        AllCases: {
            cases: components["schemas"]["CaseOfAll"][];
            next_cursor: components["schemas"]["QueueCursor"];
        };
        Amount: string;
        AmountOrNull: string | null;
        ApiKey: {
            created_at: components["schemas"]["Time"];
            created_by: components["schemas"]["KeyMakerOrNull"];
            expires_at: components["schemas"]["Time"];
            id: string;
            last_used_at: components["schemas"]["TimeOrNull"];
            maker_removed: boolean;
            may: "revoke"[];
            name: string;
            prefix: string;
            revoked_at: components["schemas"]["TimeOrNull"];
            scopes: components["schemas"]["KeyScope"][];
        };
        ApiKeys: {
            api_keys: components["schemas"]["ApiKey"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        ApiToken: {
            created_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"];
            id: string;
            last_used_at: components["schemas"]["TimeOrNull"];
            may: ("revoke" | "regenerate")[];
            name: string;
            prefix: string;
            replaced_by: string | null;
            revoked_at: components["schemas"]["TimeOrNull"];
            scopes: components["schemas"]["TokenScope"][];
            user_id: string;
        };
        ApiTokens: {
            api_tokens: components["schemas"]["ApiToken"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        Appeal: {
            claims: components["schemas"]["CaseClaim"][];
            documents: components["schemas"]["AttachedDocument"][];
            id: string;
            levels: components["schemas"]["AppealLevel"][];
            opened_at: components["schemas"]["Time"];
            payer_name: string;
            standing: components["schemas"]["CaseStanding"];
        };
        AppealCase: {
            appealed: components["schemas"]["AppealedClaim"][];
            claims: components["schemas"]["CaseClaim"][];
            id: string;
            levels: components["schemas"]["ListedLevel"][];
            may: components["schemas"]["CaseActions"];
            opened_at: components["schemas"]["Time"];
            opened_by: components["schemas"]["Colleague"];
            payer_name: string;
            practice: components["schemas"]["NamedPractice"];
            standing: components["schemas"]["CaseStanding"];
            version: number;
        };
        AppealLevel: components["schemas"]["Level"] & {
            begun_at: components["schemas"]["Time"];
        };
        AppealedClaim: {
            id: string;
            taken_by: components["schemas"]["ColleagueOrNull"];
            version: number;
        };
        Appeals: {
            appeals: components["schemas"]["ListedAppeal"][];
            next_cursor: components["schemas"]["NextCursor"];
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
            audit: components["schemas"]["AuditRow"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        AuditRow: {
            action: string;
            actor: components["schemas"]["Actor"];
            address: string | null;
            at: components["schemas"]["Time"];
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
        BegunFactor: components["schemas"]["FirstBegunFactor"] | components["schemas"]["RepeatedBegunFactor"];
        CalendarDate: string;
        CaseActions: ("begin_level" | "edit_level" | "attach" | "recover" | "decide")[];
        CaseChanged: {
            id: string;
            level: components["schemas"]["Level"];
            version: number;
        };
        CaseClaim: {
            amount_recovered: components["schemas"]["AmountOrNull"];
            billed_amount: components["schemas"]["AmountOrNull"];
            claim_number: string;
            closing_reason: components["schemas"]["ClosingReason"] | null;
            date_of_service: components["schemas"]["CalendarDate"];
            deadline: components["schemas"]["DeadlineOrNull"];
            decided_at: components["schemas"]["TimeOrNull"];
            denied_amount: components["schemas"]["AmountOrNull"];
            id: string;
            joined_at: components["schemas"]["Time"];
            outcome: "recovered" | "closed" | null;
            status: components["schemas"]["ClaimStatus"];
        };
        CaseDecided: {
            claims: components["schemas"]["ClaimStanding"][];
            id: string;
            level: components["schemas"]["Level"];
            next_level: components["schemas"]["Level"] | null;
            version: number;
        };
        CaseOfAll: {
            ask_on: components["schemas"]["DateOrNull"];
            claims: number;
            due: components["schemas"]["DateOrNull"];
            id: string;
            in_appeal: number;
            level: components["schemas"]["Level"];
            opened_at: components["schemas"]["Time"];
            opened_by: components["schemas"]["Colleague"];
            payer_name: string;
            practice: components["schemas"]["NamedPractice"];
            standing: components["schemas"]["CaseStanding"];
            version: number;
        };
        CaseStanding: "to_file" | "awaiting_decision" | "results_missing" | "outcome_missing" | "over";
        Cases: {
            cases: components["schemas"]["ListedCase"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        ClaimActions: ("take" | "let_go" | "review" | "note" | "set_letter" | "decide_signing" | "revoke_link" | "report" | "open_case" | "join_case" | "recover" | "close" | "reopen" | "correct_amount")[];
        ClaimMove: {
            status: "received" | "reviewing";
        } | {
            amount_stands?: boolean | null;
            case_id: string;
            status: "in_appeal";
        } | {
            amount_recovered: components["schemas"]["Amount"];
            status: "recovered";
        } | {
            reason: components["schemas"]["ClosingReason"];
            status: "closed";
        };
        ClaimResult: {
            claim: components["schemas"]["ClaimStanding"] | null;
            id: string;
            message: string | null;
            reason: "version_conflict" | "move_not_possible" | "already_signed" | "practice_inactive" | "agreement_required" | "not_found" | null;
            status: "done" | "refused";
        };
        ClaimResults: {
            results: components["schemas"]["ClaimResult"][];
        };
        ClaimStanding: {
            id: string;
            signing_status: components["schemas"]["SigningStatus"];
            status: components["schemas"]["ClaimStatus"];
            taken_by: string | null;
            version: number;
        };
        ClaimStatus: "received" | "reviewing" | "in_report" | "in_appeal" | "recovered" | "closed";
        ClaimToTake: {
            user_id?: components["schemas"]["Receiver"];
        };
        ClaimTotal: {
            amount_recovered: components["schemas"]["Sum"];
            billed_amount: components["schemas"]["Sum"];
            claims: number;
            denied_amount: components["schemas"]["Sum"];
        };
        ClaimsAmount: string | null;
        ClaimsAnsweredNumber: string;
        ClaimsBatchRequest: {
            claims: components["schemas"]["ClaimsItem"][];
        };
        ClaimsClaim: {
            billed_amount?: components["schemas"]["ClaimsAmount"];
            claim_number: components["schemas"]["ClaimsNumber"];
            date_of_service: components["schemas"]["ClaimsPastDate"];
            denial_codes?: string[] | (string | null);
            denial_date?: components["schemas"]["ClaimsPastDate"] | components["schemas"]["ClaimsLeftOut"];
            denial_reason?: string | null;
            denied_amount?: components["schemas"]["ClaimsAmount"];
            diagnosis_codes?: string[] | components["schemas"]["ClaimsLeftOut"];
            payer_claim_number: components["schemas"]["ClaimsNumber"];
            payer_name: components["schemas"]["ClaimsRequiredText"];
            plan_type?: components["schemas"]["ClaimsPlanType"] | components["schemas"]["ClaimsLeftOut"];
            procedure_code?: string | null;
        };
        ClaimsClaimId: string;
        ClaimsClaimStatus: "received" | "reviewing" | "in_report" | "in_appeal" | "recovered" | "closed";
        ClaimsItem: {
            claim: components["schemas"]["ClaimsClaim"];
            patient: components["schemas"]["ClaimsPatient"];
        };
        ClaimsLeftOut: string | null;
        ClaimsNumber: string;
        ClaimsPastDate: string;
        ClaimsPatient: {
            account_number?: string | null;
            date_of_birth: components["schemas"]["ClaimsPastDate"];
            first_name: components["schemas"]["ClaimsRequiredText"];
            last_name: components["schemas"]["ClaimsRequiredText"];
            member_id?: string | null;
        };
        ClaimsPlanType: "commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other";
        ClaimsRequiredText: string;
        ClaimsResultItem: {
            claim_number: components["schemas"]["ClaimsAnsweredNumber"];
            created: boolean;
            error?: "claim.claim_number is already used for a different patient" | "claim.claim_number is already used for a different claim";
            id?: components["schemas"]["ClaimsClaimId"];
            status?: components["schemas"]["ClaimsClaimStatus"];
        };
        ClaimsSendRequest: components["schemas"]["ClaimsSingleRequest"] | components["schemas"]["ClaimsBatchRequest"];
        ClaimsSendResponse: {
            claims: components["schemas"]["ClaimsResultItem"][];
            submission_id: string | null;
        };
        ClaimsSingleRequest: {
            claim: components["schemas"]["ClaimsClaim"];
            patient: components["schemas"]["ClaimsPatient"];
        };
        ClaimsToDecide: {
            claims: components["schemas"]["SeenClaims"];
            decision: "needed" | "not_needed";
        };
        ClaimsToTake: {
            claims: components["schemas"]["SeenClaims"];
            user_id?: components["schemas"]["Receiver"];
        };
        ClosingReason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error";
        Code: string;
        Colleague: {
            id: string;
            name: string;
        };
        ColleagueOrNull: components["schemas"]["Colleague"] | null;
        Colleagues: {
            colleagues: {
                id: string;
                name: string;
            }[];
        };
        ConfirmedFactor: {
            code: components["schemas"]["Code"];
            factor_id: string;
        };
        ContinuedFactor: {
            continuation_token: components["schemas"]["GivenToken"];
        };
        Count: {
            claims: number;
            more: boolean;
        };
        CreatedApiKey: components["schemas"]["FirstCreatedApiKey"] | components["schemas"]["RepeatedCreatedApiKey"];
        CreatedApiToken: components["schemas"]["FirstCreatedApiToken"] | components["schemas"]["RepeatedCreatedApiToken"];
        Credential: {
            [key: string]: unknown;
        };
        Csv: string;
        DataJob: {
            begun_at: components["schemas"]["TimeOrNull"];
            cursor: string | null;
            due_at: components["schemas"]["TimeOrNull"];
            finished_at: components["schemas"]["TimeOrNull"];
            id: string;
            kind: "return" | "destruction";
            records: {
                done: number;
                kind: string;
                total: number;
            }[];
            report: null | components["schemas"]["DataReport"];
            requested_at: components["schemas"]["Time"];
            requested_by: string;
            state: "waiting" | "running" | "cancelled" | "done";
        };
        DataJobs: {
            data_jobs: components["schemas"]["DataJob"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        DataReport: {
            bytes: number | null;
            history_until: components["schemas"]["TimeOrNull"];
            kept: string[] | null;
            sha256: string | null;
            unreadable: number | null;
        };
        DateOrEmpty: string;
        DateOrNull: string | null;
        Deadline: {
            date: components["schemas"]["CalendarDate"];
            from: "rule" | "case" | "letter";
        };
        DeadlineByRuleOrNull: {
            date: components["schemas"]["CalendarDate"];
            days: number;
            plan_type: string;
            source: string;
        } | null;
        DeadlineOrNull: components["schemas"]["Deadline"] | null;
        DeadlineSummary: {
            days: {
                claims: number;
                date: string;
                denied_amount: components["schemas"]["Sum"];
            }[];
            late: components["schemas"]["DeadlineTotal"];
            later: components["schemas"]["DeadlineTotal"];
            none: components["schemas"]["DeadlineTotal"];
        };
        DeadlineTotal: {
            claims: number;
            denied_amount: components["schemas"]["Sum"];
        };
        DecidedClaim: {
            amount_recovered?: components["schemas"]["Amount"] | null;
            id: string;
            reason?: components["schemas"]["ClosingReason"] | null;
            result: "recovered" | "closed" | "in_appeal";
            version: number;
        };
        Decision: {
            claims?: components["schemas"]["DecidedClaim"][];
            decided_on: components["schemas"]["CalendarDate"];
            next_level?: components["schemas"]["NextLevel"] | null;
            outcome: components["schemas"]["LevelOutcome"];
            take_over?: boolean | null;
        };
        DecisionSourceOrNull: "29 CFR 2560.503-1(i)(2)(iii)(A)" | "29 CFR 2590.715-2719(c)(2)(xii), (d)(2)(iii)(B)(6)" | "45 CFR 147.136(b)(3)(i), 29 CFR 2560.503-1(i)(2)(iii)(A)" | "45 CFR 147.136(c)(2)(xii)" | "42 CFR 405.950(a)" | "42 CFR 405.970(a)" | "42 CFR 405.1016(a)" | "42 CFR 405.1100(c)" | "42 CFR 422.590(b)" | "42 CFR 438.408(b)(2)" | "42 CFR 431.244(f)(1)" | "22 CCR 51015(b), (c)(1)" | "32 CFR 199.10(b)" | "32 CFR 199.10(c)" | null;
        Deliveries: {
            deliveries: components["schemas"]["Delivery"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        Delivery: {
            attempts: number;
            created_at: components["schemas"]["Time"];
            id: string;
            last_at: components["schemas"]["TimeOrNull"];
            last_error: "timed_out" | "not_connected" | "redirected" | "refused" | "endpoint_inactive" | "practice_inactive" | "agreement_ended" | "no_secret" | "interrupted" | null;
            last_status: number | null;
            next_at: components["schemas"]["TimeOrNull"];
            state: "pending" | "delivered" | "failed";
            type: "claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered" | "webhook.test";
        };
        Denial: {
            adjustment_codes: string[];
            amount_recovered: components["schemas"]["AmountOrNull"];
            billed_amount: components["schemas"]["AmountOrNull"];
            case_id: string | null;
            claim_number: string;
            closing_reason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error" | null;
            date_of_service: string;
            deadline: {
                date: string;
                from: "rule" | "case" | "letter";
                source: string | null;
            } | null;
            denial_date: components["schemas"]["SentDenialDate"];
            denied_amount: components["schemas"]["AmountOrNull"];
            id: string;
            letter: components["schemas"]["LetterOrNull"];
            payer_claim_number: string;
            payer_name: string;
            plan_type: string | null;
            received_at: components["schemas"]["Time"];
            report_id: string | null;
            signing: components["schemas"]["DenialSigning"];
            status: components["schemas"]["ClaimStatus"];
            updated_at: components["schemas"]["Time"];
        };
        DenialEvent: {
            after: components["schemas"]["DenialFigures"];
            at: components["schemas"]["Time"];
            before: components["schemas"]["DenialFigures"];
            by: "billing_system" | "practice" | "staff" | "patient";
            filled_in: ("denial_date" | "plan_type" | "denial_codes" | "denial_reason" | "diagnosis_codes" | "account_number" | "member_id")[] | null;
            kind: string;
            letter: components["schemas"]["LetterFacts"] | null;
            signing: components["schemas"]["SigningStatus"] | null;
            status: components["schemas"]["ClaimStatus"];
            version: number;
        };
        DenialFigures: {
            billed_amount: components["schemas"]["AmountOrNull"];
            denied_amount: components["schemas"]["AmountOrNull"];
            payer_claim_number: string;
        } | null;
        DenialSigning: {
            appeal_button: boolean;
            link_expires_at: string | null;
            status: components["schemas"]["SigningStatus"];
        };
        DenialWithHistory: {
            adjustment_codes: string[];
            amount_recovered: components["schemas"]["AmountOrNull"];
            billed_amount: components["schemas"]["AmountOrNull"];
            case_id: string | null;
            claim_number: string;
            closing_reason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error" | null;
            date_of_service: string;
            deadline: {
                date: string;
                from: "rule" | "case" | "letter";
                source: string | null;
            } | null;
            deadline_by_rule: components["schemas"]["DeadlineByRuleOrNull"];
            denial_date: components["schemas"]["SentDenialDate"];
            denied_amount: components["schemas"]["AmountOrNull"];
            history: components["schemas"]["DenialEvent"][];
            id: string;
            letter: components["schemas"]["LetterOrNull"];
            may: "set_letter"[];
            payer_claim_number: string;
            payer_name: string;
            plan_type: string | null;
            received_at: components["schemas"]["Time"];
            report_id: string | null;
            signing: components["schemas"]["DenialSigning"];
            status: components["schemas"]["ClaimStatus"];
            updated_at: components["schemas"]["Time"];
            version: number;
        };
        Denials: {
            changes_cursor: string;
            denials: components["schemas"]["Denial"][];
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
            kind: components["schemas"]["DocumentKind"];
            may: ("download" | "delete" | "attach")[];
            name: string | null;
            reports: string[];
            sha256: string;
            size: number;
            state: components["schemas"]["DocumentState"];
            uploaded_at: components["schemas"]["Time"];
            uploaded_by: "practice" | "staff";
        };
        DocumentForm: {
            claim_id?: string;
            claim_number?: string;
            file: string;
            kind?: components["schemas"]["DocumentKind"];
            practice_id?: string;
        };
        DocumentKind: "denial_letter" | "medical_record" | "remittance" | "authorization" | "correspondence" | "other";
        DocumentSettings: {
            legal_hold: boolean;
            retention_days: number;
            version: components["schemas"]["Version"];
        };
        DocumentSettingsEdit: {
            legal_hold?: boolean | null;
            retention_days?: number | null;
        } | {
            retention_days: number;
        } | {
            legal_hold: boolean;
        };
        DocumentState: "available" | "quarantined" | "infected" | "deleted";
        Documents: {
            documents: components["schemas"]["Document"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        DocumentsForm: {
            manifest?: {
                [key: string]: {
                    claim_id?: string;
                    claim_number?: string;
                    kind?: components["schemas"]["DocumentKind"];
                };
            };
            practice_id?: string;
        };
        EmailAddress: string;
        EnrolledPasskey: components["schemas"]["Passkey"] | components["schemas"]["FirstPasskey"] | components["schemas"]["RepeatedFirstPasskey"];
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
            totp: components["schemas"]["Totp"];
        };
        FirstCreatedApiKey: {
            created_at: components["schemas"]["Time"];
            created_by: components["schemas"]["KeyMakerOrNull"];
            expires_at: components["schemas"]["Time"];
            id: string;
            key: string;
            last_used_at: components["schemas"]["TimeOrNull"];
            maker_removed: boolean;
            name: string;
            prefix: string;
            revoked_at: components["schemas"]["TimeOrNull"];
            scopes: components["schemas"]["KeyScope"][];
        };
        FirstCreatedApiToken: {
            created_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"];
            id: string;
            last_used_at: components["schemas"]["TimeOrNull"];
            name: string;
            prefix: string;
            replaced_by: string | null;
            revoked_at: components["schemas"]["TimeOrNull"];
            scopes: components["schemas"]["TokenScope"][];
            token: string;
            user_id: string;
        };
        FirstPasskey: {
            created_at: components["schemas"]["Time"];
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
            created_at: components["schemas"]["Time"];
            disabled_at: components["schemas"]["TimeOrNull"];
            events: components["schemas"]["WebhookEvents"];
            failing_since: components["schemas"]["TimeOrNull"];
            id: string;
            old_secret_until: components["schemas"]["TimeOrNull"];
            secret: string;
            state: components["schemas"]["WebhookState"];
            url: string;
            version: components["schemas"]["Version"];
        };
        GatheredClaim: {
            id: string;
            version: number;
        };
        GatheredClaims: components["schemas"]["GatheredClaim"][];
        GivenAddress: {
            city: components["schemas"]["Name"];
            line1: components["schemas"]["Name"];
            line2?: components["schemas"]["Name"] | (string | null);
            state: string;
            zip: string;
        };
        GivenToken: string;
        HistoryEntry: {
            actor: string;
            actor_name: string | null;
            at: components["schemas"]["Time"];
            detail: Record<string, never> | null;
            holder_name: string | null;
            kind: "received" | "corrected" | "filled_in" | "taken" | "moved" | "signing" | "signed" | "deadline" | "amount_corrected";
            status: components["schemas"]["ClaimStatus"];
            version: number;
        };
        Identities: {
            identities: components["schemas"]["Identity"][];
        };
        Identity: {
            created_at: components["schemas"]["Time"];
            email: string;
            id: string;
            last_used_at: null | components["schemas"]["Time"];
            provider: string;
            provider_name: string | null;
        };
        Invitation: {
            email: components["schemas"]["EmailAddress"];
            role: components["schemas"]["PracticeRole"];
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
            appeal_due?: components["schemas"]["DateOrNull"];
            counts?: components["schemas"]["LetterCounts"];
            denial_date?: components["schemas"]["DateOrNull"];
            plan_type?: components["schemas"]["PlanTypeOrNull"];
        };
        LetterFacts: {
            appeal_due: components["schemas"]["DateOrNull"];
            counts: components["schemas"]["LetterCounts"];
            denial_date: components["schemas"]["DateOrNull"];
            plan_type: components["schemas"]["PlanTypeOrNull"];
        };
        LetterOrNull: {
            appeal_due: components["schemas"]["DateOrNull"];
            counts: components["schemas"]["LetterCounts"];
            denial_date: components["schemas"]["DateOrNull"];
            plan_type: components["schemas"]["PlanTypeOrNull"];
            read_at: components["schemas"]["Time"];
            read_by: "staff" | "practice";
        } | null;
        LetterRecorded: {
            deadline: components["schemas"]["DeadlineOrNull"];
            id: string;
            version: number;
        };
        Level: {
            decided_on: components["schemas"]["DateOrNull"];
            decision_due: components["schemas"]["DateOrNull"];
            decision_source: components["schemas"]["DecisionSourceOrNull"];
            due_on: components["schemas"]["DateOrNull"];
            filed_on: components["schemas"]["DateOrNull"];
            follow_up_on: components["schemas"]["DateOrNull"];
            kind: components["schemas"]["LevelKind"];
            level: number;
            outcome: components["schemas"]["LevelOutcomeOrNull"];
        };
        LevelEdit: {
            decided_on?: components["schemas"]["DateOrNull"];
            due_on?: components["schemas"]["DateOrNull"];
            filed_on?: components["schemas"]["DateOrNull"];
            follow_up_on?: components["schemas"]["DateOrNull"];
            kind?: components["schemas"]["LevelKind"];
            outcome?: components["schemas"]["LevelOutcomeOrNull"];
        };
        LevelKind: "reconsideration" | "redetermination" | "internal_appeal" | "formal_review" | "bill_review" | "external_review" | "hearing" | "council_review" | "judicial_review";
        LevelOutcome: "overturned" | "partly_overturned" | "upheld" | "dismissed" | "withdrawn";
        LevelOutcomeOrNull: "overturned" | "partly_overturned" | "upheld" | "dismissed" | "withdrawn" | null;
        Linked: {
            token: components["schemas"]["GivenToken"];
        };
        LinkedJoining: {
            name: components["schemas"]["Name"];
            password: components["schemas"]["NewPassword"];
            token: components["schemas"]["GivenToken"];
        };
        LinkedPassword: {
            password: components["schemas"]["NewPassword"];
            token: components["schemas"]["GivenToken"];
        };
        ListedAppeal: {
            claims: number;
            id: string;
            in_appeal: number;
            level: components["schemas"]["Level"];
            opened_at: components["schemas"]["Time"];
            payer_name: string;
            standing: components["schemas"]["CaseStanding"];
        };
        ListedCase: {
            claims: number;
            id: string;
            in_appeal: number;
            level: components["schemas"]["Level"];
            opened_at: components["schemas"]["Time"];
            opened_by: components["schemas"]["Colleague"];
            payer_name: string;
            standing: components["schemas"]["CaseStanding"];
        };
        ListedLevel: components["schemas"]["Level"] & {
            begun_at: components["schemas"]["Time"];
            begun_by: components["schemas"]["Colleague"];
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
            delivered_at: components["schemas"]["Time"];
            delivered_by: components["schemas"]["Colleague"];
            id: string;
        };
        ListedSession: {
            agent: string;
            created_at: components["schemas"]["Time"];
            current: boolean;
            ends_at: components["schemas"]["Time"];
            id: string;
            ip: string;
            last_seen_at: components["schemas"]["Time"];
        };
        Member: {
            created_at: components["schemas"]["Time"];
            email: string;
            id: string;
            last_seen_at: components["schemas"]["TimeOrNull"];
            may: ("change_role" | "remove" | "revoke_sessions")[];
            name: string | null;
            role: components["schemas"]["PracticeRole"];
            state: "invited" | "active";
            two_factor: boolean;
            version: components["schemas"]["Version"];
        };
        Members: {
            members: components["schemas"]["Member"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        Name: string;
        NamedPasskey: {
            name: components["schemas"]["PasskeyName"];
        };
        NamedPractice: {
            id: string;
            name: string;
        };
        NewApiKey: {
            name: components["schemas"]["Name"];
            scopes: components["schemas"]["KeyScope"][];
        };
        NewApiToken: {
            expires_in_days: number;
            name: components["schemas"]["Name"];
            scopes: components["schemas"]["TokenScope"][];
        };
        NewCase: {
            claims: components["schemas"]["GatheredClaims"];
            due_on?: components["schemas"]["DateOrNull"];
            kind: components["schemas"]["LevelKind"];
        };
        NewDataJob: {
            kind: "return" | "destruction";
            practice_name?: string;
        };
        NewDocumentUse: {
            document_id: string;
        };
        NewLevel: {
            due_on?: components["schemas"]["DateOrNull"];
            kind: components["schemas"]["LevelKind"];
        };
        NewNote: {
            text: string;
        };
        NewPasskey: {
            credential: components["schemas"]["Credential"];
            name: components["schemas"]["PasskeyName"];
        };
        NewPassword: string;
        NewReport: {
            claims: components["schemas"]["GatheredClaims"];
        };
        NewSsoDomain: {
            domain: string;
        };
        NewSsoProvider: {
            contexts?: components["schemas"]["SsoContexts"];
            idp_initiated?: boolean;
            metadata?: string;
            name?: string;
            provider?: string;
        };
        NewWebhook: {
            events: components["schemas"]["WebhookEvents"];
            url: components["schemas"]["WebhookUrl"];
        };
        NextCursor: string | null;
        NextLevel: {
            due_on: components["schemas"]["CalendarDate"];
            kind: components["schemas"]["LevelKind"];
        };
        NotRepeated: string;
        Note: {
            at: components["schemas"]["Time"];
            author: components["schemas"]["Colleague"];
            id: string;
            text: string;
        };
        NoteWritten: {
            at: components["schemas"]["Time"];
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
            amount_recovered: components["schemas"]["Amount"];
        };
        Passkey: {
            created_at: components["schemas"]["Time"];
            id: string;
            last_used_at: components["schemas"]["TimeOrNull"];
            name: string;
            synced: boolean;
            transports: string[];
        };
        PasskeyName: string;
        Passkeys: {
            passkeys: components["schemas"]["Passkey"][];
        };
        Password: string;
        PasswordChange: {
            current_password: components["schemas"]["Password"];
            new_password: components["schemas"]["NewPassword"];
        };
        PasswordResetPreview: {
            email: string;
        };
        Patient: {
            account_number?: string;
            date_of_birth: components["schemas"]["CalendarDate"];
            first_name: string;
            last_name: string;
            member_id?: string;
        };
        PatientClaims: {
            claims: components["schemas"]["QueuedClaim"][];
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
            signed_at: components["schemas"]["Time"];
            text: string;
            text_version: string;
            user_agent: string;
        };
        PatientToFind: {
            date_of_birth: components["schemas"]["CalendarDate"];
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
            address: components["schemas"]["PracticeAddressOrNull"];
            appeal_button: boolean;
            baa_signed: boolean;
            concurrent_sessions: 1 | "unlimited";
            has_api_key: boolean;
            id: string;
            name: string;
            npi: components["schemas"]["NpiOrNull"];
            phone: components["schemas"]["PhoneOrNull"];
            state: "active" | "inactive";
            tax_id: components["schemas"]["TaxIdOrNull"];
            time_zone: components["schemas"]["TimeZoneOrNull"];
            version: components["schemas"]["Version"];
        };
        PracticeAddress: {
            city: string;
            line1: string;
            line2: string | null;
            state: string;
            zip: string;
        };
        PracticeAddressOrNull: components["schemas"]["PracticeAddress"] | null;
        PracticeDetails: {
            address: components["schemas"]["PracticeAddressOrNull"];
            npi: components["schemas"]["NpiOrNull"];
            phone: components["schemas"]["PhoneOrNull"];
            tax_id: components["schemas"]["TaxIdOrNull"];
            time_zone: components["schemas"]["TimeZoneOrNull"];
        };
        PracticeEdit: {
            address?: components["schemas"]["GivenAddress"] | null;
            appeal_button?: boolean | null;
            concurrent_sessions?: 1 | "unlimited" | null;
            name?: components["schemas"]["Name"] | null;
            npi?: string | null;
            phone?: string | null;
            tax_id?: string | null;
            time_zone?: components["schemas"]["TimeZone"] | (string | null);
        } | {
            name: string;
        } | {
            appeal_button: boolean;
        } | {
            concurrent_sessions: number | string;
        } | unknown | unknown | unknown | unknown | unknown;
        PracticeReport: {
            claims: components["schemas"]["ReportedClaim"][];
            delivered_at: components["schemas"]["Time"];
            documents: components["schemas"]["AttachedDocument"][];
            id: string;
        };
        PracticeReports: {
            next_cursor: components["schemas"]["NextCursor"];
            reports: components["schemas"]["ReportDelivered"][];
        };
        PracticeRole: "owner" | "admin" | "member";
        Practices: {
            next_cursor: components["schemas"]["NextCursor"];
            practices: components["schemas"]["ListedPractice"][];
        };
        Providers: {
            providers: {
                id: string;
                name: string;
                url: string;
            }[];
        };
        Queue: {
            claims: components["schemas"]["QueuedClaim"][];
            count?: components["schemas"]["Count"];
            next_cursor: components["schemas"]["QueueCursor"];
        };
        QueueCursor: string | null;
        QueuedClaim: {
            billed_amount: components["schemas"]["AmountOrNull"];
            case_id: string | null;
            claim_number: string;
            date_of_service: components["schemas"]["CalendarDate"];
            deadline: components["schemas"]["DeadlineOrNull"];
            deadline_by_rule: components["schemas"]["DeadlineByRuleOrNull"];
            denial_codes: string[];
            denial_date: components["schemas"]["SentDenialDate"];
            denied_amount: components["schemas"]["AmountOrNull"];
            id: string;
            letter: components["schemas"]["LetterOrNull"];
            link_expires_at: string | null;
            may: components["schemas"]["ClaimActions"];
            payer_name: string;
            plan_type: components["schemas"]["SentPlanType"];
            practice: components["schemas"]["NamedPractice"];
            received_at: components["schemas"]["Time"];
            report_id: string | null;
            signing_status: components["schemas"]["SigningStatus"];
            status: components["schemas"]["ClaimStatus"];
            taken_by: components["schemas"]["ColleagueOrNull"];
            updated_at: components["schemas"]["Time"];
            version: number;
        };
        Receiver: string | null;
        RecoveryCodes: components["schemas"]["FirstRecoveryCodes"] | components["schemas"]["RepeatedRecoveryCodes"];
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
            billed_amount: components["schemas"]["AmountOrNull"];
            case_id: string | null;
            claim_number: string;
            date_of_service: components["schemas"]["CalendarDate"];
            deadline: components["schemas"]["DeadlineOrNull"];
            denied_amount: components["schemas"]["AmountOrNull"];
            id: string;
            may: components["schemas"]["ClaimActions"];
            received_at: components["schemas"]["Time"];
            report_id: string | null;
            signing_status: components["schemas"]["SigningStatus"];
            status: components["schemas"]["ClaimStatus"];
            taken_by: components["schemas"]["ColleagueOrNull"];
            version: number;
        };
        RelatedClaims: {
            claims: components["schemas"]["RelatedClaim"][];
        };
        RepeatedBegunFactor: {
            factor_id: string;
            not_repeated: components["schemas"]["NotRepeated"];
            totp: null;
        };
        RepeatedCreatedApiKey: {
            created_at: components["schemas"]["Time"];
            created_by: components["schemas"]["KeyMakerOrNull"];
            expires_at: components["schemas"]["Time"];
            id: string;
            key: null;
            last_used_at: components["schemas"]["TimeOrNull"];
            maker_removed: boolean;
            name: string;
            not_repeated: components["schemas"]["NotRepeated"];
            prefix: string;
            revoked_at: components["schemas"]["TimeOrNull"];
            scopes: components["schemas"]["KeyScope"][];
        };
        RepeatedCreatedApiToken: {
            created_at: components["schemas"]["Time"];
            expires_at: components["schemas"]["Time"];
            id: string;
            last_used_at: components["schemas"]["TimeOrNull"];
            name: string;
            not_repeated: components["schemas"]["NotRepeated"];
            prefix: string;
            replaced_by: string | null;
            revoked_at: components["schemas"]["TimeOrNull"];
            scopes: components["schemas"]["TokenScope"][];
            token: null;
            user_id: string;
        };
        RepeatedFirstPasskey: {
            created_at: components["schemas"]["Time"];
            id: string;
            last_used_at: null;
            name: string;
            not_repeated: components["schemas"]["NotRepeated"];
            recovery_codes: null;
            synced: boolean;
            transports: string[];
        };
        RepeatedRecoveryCodes: {
            not_repeated: components["schemas"]["NotRepeated"];
            recovery_codes: null;
        };
        RepeatedSecretWebhook: {
            created_at: components["schemas"]["Time"];
            disabled_at: components["schemas"]["TimeOrNull"];
            events: components["schemas"]["WebhookEvents"];
            failing_since: components["schemas"]["TimeOrNull"];
            id: string;
            not_repeated: components["schemas"]["NotRepeated"];
            old_secret_until: components["schemas"]["TimeOrNull"];
            secret: null;
            state: components["schemas"]["WebhookState"];
            url: string;
            version: components["schemas"]["Version"];
        };
        Replayed: {
            more: boolean;
            replayed: number;
        };
        Report: {
            claims: components["schemas"]["ReportedClaim"][];
            delivered_at: components["schemas"]["Time"];
            delivered_by: components["schemas"]["Colleague"];
            id: string;
            practice: components["schemas"]["NamedPractice"];
        };
        ReportDelivered: {
            claims: number;
            delivered_at: components["schemas"]["Time"];
            id: string;
        };
        ReportedClaim: {
            amount_recovered: components["schemas"]["AmountOrNull"];
            billed_amount: components["schemas"]["AmountOrNull"];
            claim_number: string;
            deadline: components["schemas"]["DeadlineOrNull"];
            denied_amount: components["schemas"]["AmountOrNull"];
            id: string;
            payer_name: string;
            status: components["schemas"]["ClaimStatus"];
        };
        Reports: {
            next_cursor: components["schemas"]["NextCursor"];
            reports: components["schemas"]["ListedReport"][];
        };
        RoleChange: {
            role: components["schemas"]["PracticeRole"];
        };
        SecondFactor: components["schemas"]["SecondFactorCode"] | components["schemas"]["SecondFactorPasskey"];
        SecondFactorCode: {
            code: components["schemas"]["Code"];
            continuation_token: components["schemas"]["GivenToken"];
        };
        SecondFactorPasskey: {
            continuation_token: components["schemas"]["GivenToken"];
            passkey: components["schemas"]["ShownPasskey"];
        };
        SecretWebhook: components["schemas"]["FirstSecretWebhook"] | components["schemas"]["RepeatedSecretWebhook"];
        SeenClaim: {
            id: string;
            practice_id: string;
            version: number;
        };
        SeenClaims: components["schemas"]["SeenClaim"][];
        SentDenialDate: string | null;
        SentPlanType: "commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other" | null;
        Session: {
            may: components["schemas"]["Action"][];
            practice: components["schemas"]["OwnPractice"] | null;
            session: components["schemas"]["SessionFacts"] | null;
            user: components["schemas"]["User"];
        };
        SessionFacts: {
            created_at: components["schemas"]["Time"];
            ends_at: components["schemas"]["Time"];
            id: string;
            idle_ends_at: components["schemas"]["Time"];
            kind: "full" | "enrolment";
            sso: boolean;
            verified_at: components["schemas"]["TimeOrNull"];
        };
        Sessions: {
            next_cursor: components["schemas"]["NextCursor"];
            sessions: components["schemas"]["ListedSession"][];
        };
        ShownPasskey: {
            credential: components["schemas"]["Credential"];
        };
        SignIn: {
            email: components["schemas"]["EmailAddress"];
            password: components["schemas"]["Password"];
        };
        Signature: {
            kind: components["schemas"]["AgreementKind"];
            signer_name: components["schemas"]["Name"];
            signer_title: components["schemas"]["Name"];
            version: string;
        };
        Signed: {
            ended_at: components["schemas"]["TimeOrNull"];
            id: string;
            signed_at: components["schemas"]["Time"];
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
            expires_at: components["schemas"]["Time"];
            link: string;
            tries_left: number;
        };
        SigningStatus: "not_decided" | "not_needed" | "needed" | "signed";
        Sso: {
            available: components["schemas"]["AvailableProvider"][];
            domains: components["schemas"]["SsoDomain"][];
            providers: components["schemas"]["SsoProvider"][];
            required: boolean;
            saml_available: boolean;
            version: components["schemas"]["Version"];
        };
        SsoCertificate: {
            expires_at: components["schemas"]["Time"];
            sha256: string;
        };
        SsoContext: "mfa" | "https://refeds.org/profile/mfa" | "http://schemas.microsoft.com/claims/multipleauthn" | "urn:okta:loa:2fa:any" | "http://idmanagement.gov/ns/assurance/aal/2" | "http://idmanagement.gov/ns/assurance/aal/3" | "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered";
        SsoContexts: components["schemas"]["SsoContext"][];
        SsoDomain: {
            created_at: components["schemas"]["Time"];
            domain: string;
            id: string;
            txt_name: string;
            txt_value: string;
            verified_at: components["schemas"]["TimeOrNull"];
        };
        SsoEdit: {
            required: boolean;
        };
        SsoProvider: {
            acs_url: string | null;
            certificates: components["schemas"]["SsoCertificate"][];
            contexts: components["schemas"]["SsoContexts"];
            created_at: components["schemas"]["Time"];
            entity_id: string | null;
            id: string;
            idp_initiated: boolean;
            kind: "saml" | "oidc";
            metadata_url: string | null;
            name: string;
            provider: string | null;
            sign_in_url: string | null;
            version: components["schemas"]["Version"];
        };
        SsoProviderEdit: {
            contexts?: components["schemas"]["SsoContexts"];
            idp_initiated?: boolean;
            metadata?: string;
            name?: string;
        };
        StaffClaim: {
            amount_recovered: components["schemas"]["AmountOrNull"];
            billed_amount: components["schemas"]["AmountOrNull"];
            case_id: string | null;
            claim_number: string;
            closing_reason: components["schemas"]["ClosingReason"] | null;
            date_of_service: components["schemas"]["CalendarDate"];
            deadline: components["schemas"]["DeadlineOrNull"];
            deadline_by_rule: components["schemas"]["DeadlineByRuleOrNull"];
            denial_codes: string[];
            denial_date: components["schemas"]["SentDenialDate"];
            denial_reason: string | null;
            denied_amount: components["schemas"]["AmountOrNull"];
            diagnosis_codes: string[];
            history: components["schemas"]["HistoryEntry"][];
            id: string;
            letter: components["schemas"]["LetterOrNull"];
            may: components["schemas"]["ClaimActions"];
            notes: components["schemas"]["Note"][];
            patient: components["schemas"]["Patient"];
            payer_claim_number: string;
            payer_name: string;
            plan_type: components["schemas"]["SentPlanType"];
            practice: components["schemas"]["NamedPractice"];
            practice_details: components["schemas"]["PracticeDetails"];
            procedure_code: string | null;
            received_at: components["schemas"]["Time"];
            report_id: string | null;
            signing_link: {
                created_at: components["schemas"]["Time"];
                expires_at: components["schemas"]["Time"];
                tries_left: number;
            } | null;
            signing_status: components["schemas"]["SigningStatus"];
            status: components["schemas"]["ClaimStatus"];
            taken_by: components["schemas"]["ColleagueOrNull"];
            updated_at: components["schemas"]["Time"];
            version: number;
        };
        StatusSummary: {
            amount_recovered: components["schemas"]["Sum"];
            billed_amount: components["schemas"]["Sum"];
            claims: number;
            denied_amount: components["schemas"]["Sum"];
            status: components["schemas"]["ClaimStatus"];
        };
        Sum: string;
        Summary: {
            deadlines: components["schemas"]["DeadlineSummary"];
            statuses: components["schemas"]["StatusSummary"][];
            today: string;
            total: components["schemas"]["ClaimTotal"];
        };
        TaxIdOrNull: string | null;
        Time: string;
        TimeOrNull: string | null;
        TimeZone: "America/New_York" | "America/Chicago" | "America/Denver" | "America/Phoenix" | "America/Los_Angeles" | "America/Anchorage" | "Pacific/Honolulu" | "America/Puerto_Rico" | "Pacific/Guam" | "Pacific/Pago_Pago";
        TimeZoneOrNull: components["schemas"]["TimeZone"] | null;
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
            checked_to: components["schemas"]["TrailPlace"];
            head: components["schemas"]["TrailPlace"];
            intact: boolean;
            next_cursor: string | null;
            rows_checked: number;
            rows_without_mac: number;
        };
        UploadResults: {
            results: ({
                document: components["schemas"]["UploadedDocument"];
                status: "stored";
            } | {
                error: components["schemas"]["FileError"];
                status: "refused";
            })[];
        };
        UploadedDocument: {
            cases: string[];
            claim_id: string | null;
            claim_number: string | null;
            content_type: string;
            id: string;
            kind: components["schemas"]["DocumentKind"];
            name: string | null;
            reports: string[];
            sha256: string;
            size: number;
            state: components["schemas"]["DocumentState"];
            uploaded_at: components["schemas"]["Time"];
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
            created_at: components["schemas"]["Time"];
            disabled_at: components["schemas"]["TimeOrNull"];
            events: components["schemas"]["WebhookEvents"];
            failing_since: components["schemas"]["TimeOrNull"];
            id: string;
            old_secret_until: components["schemas"]["TimeOrNull"];
            state: components["schemas"]["WebhookState"];
            url: string;
            version: components["schemas"]["Version"];
        };
        WebhookEdit: {
            events?: components["schemas"]["WebhookEvents"] | null;
            state?: components["schemas"]["WebhookState"] | null;
            url?: components["schemas"]["WebhookUrl"] | null;
        } | {
            url: string;
        } | {
            events: string[];
        } | {
            state: string;
        };
        WebhookEvents: ("claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered")[];
        WebhookState: "active" | "disabled";
        WebhookUrl: string;
        Webhooks: {
            next_cursor: components["schemas"]["NextCursor"];
            webhooks: components["schemas"]["Webhook"][];
        };
        WorkSummary: {
            deadlines: components["schemas"]["DeadlineSummary"];
            decisions_due: number;
            statuses: components["schemas"]["StatusSummary"][];
            today: string;
            total: components["schemas"]["ClaimTotal"];
        };
    };
    parameters: {
        Cursor: string;
        DeliveryId: string;
        DocumentCase: string;
        DocumentClaim: string;
        DocumentClaimNumber: string;
        DocumentInPath: string;
        DocumentKindFilter: components["schemas"]["DocumentKind"] | string;
        DocumentReport: string;
        DocumentStateFilter: components["schemas"]["DocumentState"] | string;
        Id: string;
        LevelInPath: number;
        Limit: number;
        LimitOrCsv: number;
        OfPractice: string;
        PracticeInPath: string;
        Provider: string;
        Today: string;
    };
}
