// Made from the API description by `cargo xtask console generate`. Do not edit.

export interface paths {
    "/api/v1/appeals": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAppeals"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/appeals/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showAppeal"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/2fa/recovery_codes": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["countRecoveryCodes"];
        put?: never;
        post: operations["renewRecoveryCodes"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/2fa/totp": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/2fa/totp/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["confirmFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/identities": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listIdentities"];
        put?: never;
        post: operations["joinIdentity"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/identities/waiting": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showWaitingIdentity"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/identities/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeIdentity"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/invitation": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["acceptInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/invitation/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewInvitation"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/magic_link": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendMagicLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/magic_link/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifyMagicLink"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oauth/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        get: operations["beginOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/oauth/{provider}/callback": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        get: operations["finishOidc"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPasskeys"];
        put?: never;
        post: operations["enrolPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/passkeys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removePasskey"];
        options?: never;
        head?: never;
        patch: operations["renamePasskey"];
        trace?: never;
    };
    "/api/v1/auth/password": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["changePassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password_reset": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["sendPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password_reset/confirm": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["resetPassword"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/password_reset/preview": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["previewPasswordReset"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listProviders"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/saml/{provider}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        get: operations["beginSaml"];
        put?: never;
        post: operations["finishSaml"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/saml/{provider}/metadata": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        get: operations["showSamlMetadata"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/session": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showSession"];
        put?: never;
        post: operations["signIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/session/2fa": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["showSecondFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/session/2fa/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginPasskeyFactor"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/session/logout": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signOut"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/session/passkey": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["signInWithPasskey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/session/passkey/options": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginPasskeySignIn"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listSessions"];
        put?: never;
        post?: never;
        delete: operations["revokeOtherSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/auth/sessions/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeSession"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/denials": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDenials"];
        put?: never;
        post: operations["sendDenials"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/denials/payers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/denials/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["summarizeDenials"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/denials/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showDenial"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/denials/{id}/letter": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["setLetter"];
        trace?: never;
    };
    "/api/v1/denials/{id}/signing_link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showSigningLink"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDocuments"];
        put?: never;
        post: operations["uploadDocument"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/documents/bulk": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["uploadDocuments"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showDocument"];
        put?: never;
        post?: never;
        delete: operations["deleteDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/documents/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["downloadDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["describeClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/openapi/accounts.json": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["describeAccounts"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPracticeReports"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showPracticeReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/agreements": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAgreements"];
        put?: never;
        post: operations["signAgreement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/agreements/{id}/end": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["endAgreement"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/api_keys": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiKeys"];
        put?: never;
        post: operations["createApiKey"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/api_keys/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeApiKey"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/api_tokens": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listApiTokens"];
        put?: never;
        post: operations["createApiToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/api_tokens/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeApiToken"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/api_tokens/{id}/regenerate": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["regenerateApiToken"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["verifyAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/data_jobs": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listDataJobs"];
        put?: never;
        post: operations["requestDataJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/data_jobs/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showDataJob"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/data_jobs/{id}/cancel": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["cancelDataJob"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/data_jobs/{id}/records": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["takeRecords"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/documents": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showDocumentSettings"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["changeDocumentSettings"];
        trace?: never;
    };
    "/api/v1/settings/members": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listMembers"];
        put?: never;
        post: operations["inviteMember"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/members/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeMember"];
        options?: never;
        head?: never;
        patch: operations["changeRole"];
        trace?: never;
    };
    "/api/v1/settings/members/{id}/sessions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeMemberSessions"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/practice": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showPractice"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["editPractice"];
        trace?: never;
    };
    "/api/v1/settings/sso": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["showSso"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["requireSso"];
        trace?: never;
    };
    "/api/v1/settings/sso/domains": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSsoDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/sso/domains/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeSsoDomain"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/sso/domains/{id}/verify": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["verifySsoDomain"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/sso/providers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["addSsoProvider"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/sso/providers/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["removeSsoProvider"];
        options?: never;
        head?: never;
        patch: operations["editSsoProvider"];
        trace?: never;
    };
    "/api/v1/settings/webhooks": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listWebhooks"];
        put?: never;
        post: operations["createWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/webhooks/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showWebhook"];
        put?: never;
        post?: never;
        delete: operations["removeWebhook"];
        options?: never;
        head?: never;
        patch: operations["changeWebhook"];
        trace?: never;
    };
    "/api/v1/settings/webhooks/{id}/deliveries": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["listDeliveries"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayDelivery"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/webhooks/{id}/replay": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["replayMissed"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/webhooks/{id}/rotate_secret": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["rotateWebhookSecret"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/settings/webhooks/{id}/test": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["testWebhook"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/audit": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStaffAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/audit/export": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["exportStaffAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/audit/verify": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["verifyStaffAudit"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/cases": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listAllCases"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/claims": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listQueue"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/claims/signing": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideSigningOfClaims"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/claims/take": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["takeClaims"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/colleagues": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listColleagues"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/patients/search": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["searchPatient"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/payers": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listStaffPayers"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["listPractices"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/cases": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
            };
            cookie?: never;
        };
        get: operations["listCases"];
        put?: never;
        post: operations["openCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/cases/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showCase"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/decisions": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["recordDecision"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["attachToCase"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/documents/{document}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
                document: components["parameters"]["DocumentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["detachFromCase"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/levels": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["beginLevel"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/cases/{id}/levels/{level}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
                level: components["parameters"]["LevelInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["editLevel"];
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showClaim"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/amount": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["correctAmount"];
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/letter": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch: operations["setLetterOfClaim"];
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/moves": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["moveClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/notes": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["noteClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/related": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["listRelatedClaims"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/signature": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showSignature"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/signing": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["decideSigning"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/signing/link": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["revokeSigningLink"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/claims/{id}/take": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["takeClaim"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
            };
            cookie?: never;
        };
        get: operations["listPracticeDocuments"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/documents/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showPracticeDocument"];
        put?: never;
        post?: never;
        delete: operations["deletePracticeDocument"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/documents/{id}/content": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["downloadPracticeDocument"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/reports": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
            };
            cookie?: never;
        };
        get: operations["listReports"];
        put?: never;
        post: operations["deliverReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/reports/{id}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get: operations["showReport"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/reports/{id}/documents": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post: operations["attachToReport"];
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/practices/{practice}/reports/{id}/documents/{document}": {
        parameters: {
            query?: never;
            header?: never;
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
                document: components["parameters"]["DocumentInPath"];
            };
            cookie?: never;
        };
        get?: never;
        put?: never;
        post?: never;
        delete: operations["detachFromReport"];
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
    "/api/v1/staff/summary": {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        get: operations["summarizeWork"];
        put?: never;
        post?: never;
        delete?: never;
        options?: never;
        head?: never;
        patch?: never;
        trace?: never;
    };
}
export type webhooks = Record<string, never>;
export interface components {
    schemas: {
        Accepted: {
            message: string;
        };
        /** @enum {string} */
        Action: "read_self" | "sign_out" | "list_sessions" | "revoke_sessions" | "enrol_factor" | "change_factor" | "list_passkeys" | "enrol_passkey" | "rename_passkey" | "remove_passkey" | "list_identities" | "manage_identities" | "change_password" | "read_practice" | "edit_practice" | "edit_session_policy" | "list_api_keys" | "manage_api_keys" | "read_agreements" | "sign_agreement" | "end_agreement" | "read_data_jobs" | "manage_data_jobs" | "take_data" | "list_members" | "manage_members" | "leave" | "list_api_tokens" | "manage_api_tokens" | "revoke_api_tokens" | "read_sso" | "manage_sso" | "read_audit" | "read_staff_audit" | "list_webhooks" | "manage_webhooks" | "replay_deliveries" | "read_denials" | "read_signing_link" | "send_claims" | "set_letter" | "upload_document" | "read_documents" | "delete_document" | "edit_retention" | "read_work" | "read_claim" | "work";
        Actor: {
            /** Format: uuid */
            id: string | null;
            name: string | null;
            /** @enum {string} */
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
        /** @enum {string} */
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
            /** Format: uuid */
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
            /** Format: uuid */
            id: string;
            last_used_at: components["schemas"]["TimeOrNull"];
            may: ("revoke" | "regenerate")[];
            name: string;
            prefix: string;
            /** Format: uuid */
            replaced_by: string | null;
            revoked_at: components["schemas"]["TimeOrNull"];
            scopes: components["schemas"]["TokenScope"][];
            /** Format: uuid */
            user_id: string;
        };
        ApiTokens: {
            api_tokens: components["schemas"]["ApiToken"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        Appeal: {
            claims: components["schemas"]["CaseClaim"][];
            documents: components["schemas"]["AttachedDocument"][];
            /** Format: uuid */
            id: string;
            levels: components["schemas"]["AppealLevel"][];
            opened_at: components["schemas"]["Time"];
            payer_name: string;
            standing: components["schemas"]["CaseStanding"];
        };
        AppealCase: {
            appealed: components["schemas"]["AppealedClaim"][];
            claims: components["schemas"]["CaseClaim"][];
            /** Format: uuid */
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
            /** Format: uuid */
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
                /** @enum {string} */
                userVerification: "required";
            } & {
                [key: string]: unknown;
            };
        };
        AttachedDocument: {
            /** Format: uuid */
            id: string;
            media_type: string;
            name: string | null;
            size: number;
            /** @enum {string} */
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
            /** Format: uuid */
            id: string;
            record: string;
            record_name: string | null;
            /** Format: uuid */
            request_id: string;
            sequence: number;
            /** Format: uuid */
            session_id: string | null;
        };
        AvailableProvider: {
            id: string;
            name: string;
        };
        BadRequestError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "bad_request";
            };
        };
        BegunFactor: components["schemas"]["FirstBegunFactor"] | components["schemas"]["RepeatedBegunFactor"];
        BodyTooLargeError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "body_too_large";
            };
        };
        BodyTooSlowError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "body_too_slow";
            };
        };
        /** Format: date */
        CalendarDate: string;
        CaseActions: ("begin_level" | "edit_level" | "attach" | "recover" | "decide")[];
        CaseChanged: {
            /** Format: uuid */
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
            /** Format: uuid */
            id: string;
            joined_at: components["schemas"]["Time"];
            /** @enum {string|null} */
            outcome: "recovered" | "closed" | null;
            status: components["schemas"]["ClaimStatus"];
        };
        CaseDecided: {
            claims: components["schemas"]["ClaimStanding"][];
            /** Format: uuid */
            id: string;
            level: components["schemas"]["Level"];
            next_level: components["schemas"]["Level"] | null;
            version: number;
        };
        CaseOfAll: {
            ask_on: components["schemas"]["DateOrNull"];
            claims: number;
            due: components["schemas"]["DateOrNull"];
            /** Format: uuid */
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
        /** @enum {string} */
        CaseStanding: "to_file" | "awaiting_decision" | "results_missing" | "outcome_missing" | "over";
        Cases: {
            cases: components["schemas"]["ListedCase"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        ClaimActions: ("take" | "let_go" | "review" | "note" | "set_letter" | "decide_signing" | "revoke_link" | "report" | "open_case" | "join_case" | "recover" | "close" | "reopen" | "correct_amount")[];
        ClaimMove: {
            /** @enum {string} */
            status: "received" | "reviewing";
        } | {
            amount_stands?: boolean | null;
            /** Format: uuid */
            case_id: string;
            /** @constant */
            status: "in_appeal";
        } | {
            amount_recovered: components["schemas"]["Amount"];
            /** @constant */
            status: "recovered";
        } | {
            reason: components["schemas"]["ClosingReason"];
            /** @constant */
            status: "closed";
        };
        ClaimResult: {
            claim: components["schemas"]["ClaimStanding"] | null;
            /** Format: uuid */
            id: string;
            message: string | null;
            /** @enum {string|null} */
            reason: "version_conflict" | "move_not_possible" | "already_signed" | "practice_inactive" | "agreement_required" | "not_found" | null;
            /** @enum {string} */
            status: "done" | "refused";
        };
        ClaimResults: {
            results: components["schemas"]["ClaimResult"][];
        };
        ClaimStanding: {
            /** Format: uuid */
            id: string;
            signing_status: components["schemas"]["SigningStatus"];
            status: components["schemas"]["ClaimStatus"];
            /** Format: uuid */
            taken_by: string | null;
            version: number;
        };
        /** @enum {string} */
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
        /** Batch */
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
        /** Format: uuid */
        ClaimsClaimId: string;
        /** @enum {string} */
        ClaimsClaimStatus: "received" | "reviewing" | "in_report" | "in_appeal" | "recovered" | "closed";
        ClaimsItem: {
            claim: components["schemas"]["ClaimsClaim"];
            patient: components["schemas"]["ClaimsPatient"];
        };
        ClaimsLeftOut: string | null;
        ClaimsNumber: string;
        /** Format: date */
        ClaimsPastDate: string;
        ClaimsPatient: {
            account_number?: string | null;
            date_of_birth: components["schemas"]["ClaimsPastDate"];
            first_name: components["schemas"]["ClaimsRequiredText"];
            last_name: components["schemas"]["ClaimsRequiredText"];
            member_id?: string | null;
        };
        /** @enum {string} */
        ClaimsPlanType: "commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other";
        ClaimsRequiredText: string;
        ClaimsResultItem: {
            claim_number: components["schemas"]["ClaimsAnsweredNumber"];
            created: boolean;
            /** @enum {string} */
            error?: "claim.claim_number is already used for a different patient" | "claim.claim_number is already used for a different claim";
            id?: components["schemas"]["ClaimsClaimId"];
            status?: components["schemas"]["ClaimsClaimStatus"];
        };
        ClaimsSendRequest: components["schemas"]["ClaimsSingleRequest"] | components["schemas"]["ClaimsBatchRequest"];
        ClaimsSendResponse: {
            claims: components["schemas"]["ClaimsResultItem"][];
            /** Format: uuid */
            submission_id: string | null;
        };
        /** Single */
        ClaimsSingleRequest: {
            claim: components["schemas"]["ClaimsClaim"];
            patient: components["schemas"]["ClaimsPatient"];
        };
        ClaimsToDecide: {
            claims: components["schemas"]["SeenClaims"];
            /** @enum {string} */
            decision: "needed" | "not_needed";
        };
        ClaimsToTake: {
            claims: components["schemas"]["SeenClaims"];
            user_id?: components["schemas"]["Receiver"];
        };
        /** @enum {string} */
        ClosingReason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error";
        Code: string;
        Colleague: {
            /** Format: uuid */
            id: string;
            name: string;
        };
        ColleagueOrNull: components["schemas"]["Colleague"] | null;
        Colleagues: {
            colleagues: {
                /** Format: uuid */
                id: string;
                name: string;
            }[];
        };
        ConfirmedFactor: {
            code: components["schemas"]["Code"];
            factor_id: string;
        };
        ConflictError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "conflict";
            };
        };
        ContinuationToken: string;
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
            /** Format: uuid */
            id: string;
            /** @enum {string} */
            kind: "return" | "destruction";
            records: {
                /** Format: int64 */
                done: number;
                kind: string;
                /** Format: int64 */
                total: number;
            }[];
            report: null | components["schemas"]["DataReport"];
            requested_at: components["schemas"]["Time"];
            requested_by: string;
            /** @enum {string} */
            state: "waiting" | "running" | "cancelled" | "done";
        };
        DataJobs: {
            data_jobs: components["schemas"]["DataJob"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        DataReport: {
            /** Format: int64 */
            bytes: number | null;
            history_until: components["schemas"]["TimeOrNull"];
            kept: string[] | null;
            sha256: string | null;
            /** Format: int64 */
            unreadable: number | null;
        };
        DateOrEmpty: string;
        /** Format: date */
        DateOrNull: string | null;
        Deadline: {
            date: components["schemas"]["CalendarDate"];
            /** @enum {string} */
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
                /** Format: date */
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
            /** Format: uuid */
            id: string;
            reason?: components["schemas"]["ClosingReason"] | null;
            /** @enum {string} */
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
        /** @enum {string|null} */
        DecisionSourceOrNull: "29 CFR 2560.503-1(i)(2)(iii)(A)" | "29 CFR 2590.715-2719(c)(2)(xii), (d)(2)(iii)(B)(6)" | "45 CFR 147.136(b)(3)(i), 29 CFR 2560.503-1(i)(2)(iii)(A)" | "45 CFR 147.136(c)(2)(xii)" | "42 CFR 405.950(a)" | "42 CFR 405.970(a)" | "42 CFR 405.1016(a)" | "42 CFR 405.1100(c)" | "42 CFR 422.590(b)" | "42 CFR 438.408(b)(2)" | "42 CFR 431.244(f)(1)" | "22 CCR 51015(b), (c)(1)" | "32 CFR 199.10(b)" | "32 CFR 199.10(c)" | null;
        Deliveries: {
            deliveries: components["schemas"]["Delivery"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        Delivery: {
            attempts: number;
            created_at: components["schemas"]["Time"];
            /** Format: uuid */
            id: string;
            last_at: components["schemas"]["TimeOrNull"];
            /** @enum {unknown} */
            last_error: "timed_out" | "not_connected" | "redirected" | "refused" | "endpoint_inactive" | "practice_inactive" | "agreement_ended" | "no_secret" | "interrupted" | null;
            last_status: number | null;
            next_at: components["schemas"]["TimeOrNull"];
            /** @enum {string} */
            state: "pending" | "delivered" | "failed";
            /** @enum {string} */
            type: "claim.status_changed" | "claim.signing_changed" | "claim.deadline_changed" | "claim.amount_corrected" | "report.delivered" | "webhook.test";
        };
        Denial: {
            adjustment_codes: string[];
            amount_recovered: components["schemas"]["AmountOrNull"];
            billed_amount: components["schemas"]["AmountOrNull"];
            /** Format: uuid */
            case_id: string | null;
            claim_number: string;
            /** @enum {unknown} */
            closing_reason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error" | null;
            /** Format: date */
            date_of_service: string;
            deadline: {
                /** Format: date */
                date: string;
                /** @enum {string} */
                from: "rule" | "case" | "letter";
                source: string | null;
            } | null;
            denial_date: components["schemas"]["SentDenialDate"];
            denied_amount: components["schemas"]["AmountOrNull"];
            /** Format: uuid */
            id: string;
            letter: components["schemas"]["LetterOrNull"];
            payer_claim_number: string;
            payer_name: string;
            plan_type: string | null;
            received_at: components["schemas"]["Time"];
            /** Format: uuid */
            report_id: string | null;
            signing: components["schemas"]["DenialSigning"];
            status: components["schemas"]["ClaimStatus"];
            updated_at: components["schemas"]["Time"];
        };
        DenialEvent: {
            after: components["schemas"]["DenialFigures"];
            at: components["schemas"]["Time"];
            before: components["schemas"]["DenialFigures"];
            /** @enum {string} */
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
            /** Format: date-time */
            link_expires_at: string | null;
            status: components["schemas"]["SigningStatus"];
        };
        DenialWithHistory: {
            adjustment_codes: string[];
            amount_recovered: components["schemas"]["AmountOrNull"];
            billed_amount: components["schemas"]["AmountOrNull"];
            /** Format: uuid */
            case_id: string | null;
            claim_number: string;
            /** @enum {unknown} */
            closing_reason: "denial_upheld" | "deadline_passed" | "no_grounds" | "patient_declined" | "withdrawn" | "not_appealable" | "already_paid" | "sent_in_error" | null;
            /** Format: date */
            date_of_service: string;
            deadline: {
                /** Format: date */
                date: string;
                /** @enum {string} */
                from: "rule" | "case" | "letter";
                source: string | null;
            } | null;
            deadline_by_rule: components["schemas"]["DeadlineByRuleOrNull"];
            denial_date: components["schemas"]["SentDenialDate"];
            denied_amount: components["schemas"]["AmountOrNull"];
            history: components["schemas"]["DenialEvent"][];
            /** Format: uuid */
            id: string;
            letter: components["schemas"]["LetterOrNull"];
            may: "set_letter"[];
            payer_claim_number: string;
            payer_name: string;
            plan_type: string | null;
            received_at: components["schemas"]["Time"];
            /** Format: uuid */
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
            /** Format: uuid */
            claim_id: string | null;
            claim_number: string | null;
            content_type: string;
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["DocumentKind"];
            may: ("download" | "delete" | "attach")[];
            name: string | null;
            reports: string[];
            sha256: string;
            size: number;
            state: components["schemas"]["DocumentState"];
            uploaded_at: components["schemas"]["Time"];
            /** @enum {string} */
            uploaded_by: "practice" | "staff";
        };
        DocumentForm: {
            /** Format: uuid */
            claim_id?: string;
            claim_number?: string;
            /** Format: binary */
            file: string;
            kind?: components["schemas"]["DocumentKind"];
            /** Format: uuid */
            practice_id?: string;
        };
        /** @enum {string} */
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
        /** @enum {string} */
        DocumentState: "available" | "quarantined" | "infected" | "deleted";
        Documents: {
            documents: components["schemas"]["Document"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        DocumentsForm: {
            manifest?: {
                [key: string]: {
                    /** Format: uuid */
                    claim_id?: string;
                    claim_number?: string;
                    kind?: components["schemas"]["DocumentKind"];
                };
            };
            /** Format: uuid */
            practice_id?: string;
        };
        /** Format: email */
        EmailAddress: string;
        EnrolledPasskey: components["schemas"]["Passkey"] | components["schemas"]["FirstPasskey"] | components["schemas"]["RepeatedFirstPasskey"];
        EnrolmentError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "two_factor_required";
            };
        };
        ErrorFields: {
            code: string;
            details?: {
                field: string;
                message: string;
            }[];
            message: string;
            reason?: components["schemas"]["Reason"];
            /** Format: uuid */
            request_id: string;
        };
        FileError: {
            /** @enum {string} */
            code: "validation_failed" | "virus_detected" | "file_too_large";
            details?: {
                field: string;
                message: string;
            }[];
            message: string;
        };
        FileRefusedError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "validation_failed" | "virus_detected";
            };
        };
        FileTooLargeError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "file_too_large";
            };
        };
        FirstBegunFactor: {
            /** Format: uuid */
            factor_id: string;
            totp: components["schemas"]["Totp"];
        };
        FirstCreatedApiKey: {
            created_at: components["schemas"]["Time"];
            created_by: components["schemas"]["KeyMakerOrNull"];
            expires_at: components["schemas"]["Time"];
            /** Format: uuid */
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
            /** Format: uuid */
            id: string;
            last_used_at: components["schemas"]["TimeOrNull"];
            name: string;
            prefix: string;
            /** Format: uuid */
            replaced_by: string | null;
            revoked_at: components["schemas"]["TimeOrNull"];
            scopes: components["schemas"]["TokenScope"][];
            token: string;
            /** Format: uuid */
            user_id: string;
        };
        FirstPasskey: {
            created_at: components["schemas"]["Time"];
            /** Format: uuid */
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
            /** Format: uuid */
            id: string;
            old_secret_until: components["schemas"]["TimeOrNull"];
            secret: string;
            state: components["schemas"]["WebhookState"];
            url: string;
            version: components["schemas"]["Version"];
        };
        GatheredClaim: {
            /** Format: uuid */
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
            /** @enum {string} */
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
            /** Format: uuid */
            id: string;
            last_used_at: null | components["schemas"]["Time"];
            provider: string;
            provider_name: string | null;
        };
        InternalErrorBody: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "internal_error";
            };
        };
        InvalidError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "validation_failed";
            };
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
            /** Format: uuid */
            id: string;
            name: string;
        } | null;
        /** @enum {string} */
        KeyScope: "claims:write" | "claims:read";
        /** @enum {string} */
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
            /** @enum {string} */
            read_by: "staff" | "practice";
        } | null;
        LetterRecorded: {
            deadline: components["schemas"]["DeadlineOrNull"];
            /** Format: uuid */
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
        /** @enum {string} */
        LevelKind: "reconsideration" | "redetermination" | "internal_appeal" | "formal_review" | "bill_review" | "external_review" | "hearing" | "council_review" | "judicial_review";
        /** @enum {string} */
        LevelOutcome: "overturned" | "partly_overturned" | "upheld" | "dismissed" | "withdrawn";
        /** @enum {string|null} */
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
            /** Format: uuid */
            id: string;
            in_appeal: number;
            level: components["schemas"]["Level"];
            opened_at: components["schemas"]["Time"];
            payer_name: string;
            standing: components["schemas"]["CaseStanding"];
        };
        ListedCase: {
            claims: number;
            /** Format: uuid */
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
            /** @enum {string} */
            agreement: "in_force" | "missing" | "ended";
            claims: {
                due_soon: number;
                late: number;
                open: number;
            };
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
            status: "active" | "inactive";
        };
        ListedReport: {
            claims: number;
            delivered_at: components["schemas"]["Time"];
            delivered_by: components["schemas"]["Colleague"];
            /** Format: uuid */
            id: string;
        };
        ListedSession: {
            agent: string;
            created_at: components["schemas"]["Time"];
            current: boolean;
            ends_at: components["schemas"]["Time"];
            /** Format: uuid */
            id: string;
            ip: string;
            last_seen_at: components["schemas"]["Time"];
        };
        Member: {
            created_at: components["schemas"]["Time"];
            email: string;
            /** Format: uuid */
            id: string;
            last_seen_at: components["schemas"]["TimeOrNull"];
            may: ("change_role" | "remove" | "revoke_sessions")[];
            name: string | null;
            role: components["schemas"]["PracticeRole"];
            /** @enum {string} */
            state: "invited" | "active";
            two_factor: boolean;
            version: components["schemas"]["Version"];
        };
        Members: {
            members: components["schemas"]["Member"][];
            next_cursor: components["schemas"]["NextCursor"];
        };
        MethodError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "method_not_allowed";
            };
        };
        Name: string;
        NamedPasskey: {
            name: components["schemas"]["PasskeyName"];
        };
        NamedPractice: {
            /** Format: uuid */
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
            /** @enum {string} */
            kind: "return" | "destruction";
            practice_name?: string;
        };
        NewDocumentUse: {
            /** Format: uuid */
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
            name?: components["schemas"]["SsoProviderName"];
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
        NotAuthenticatedError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "not_authenticated";
            };
        };
        NotAuthorizedError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "not_authorized";
            };
        };
        NotFoundError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "not_found";
            };
        };
        NotRepeated: string;
        Note: {
            at: components["schemas"]["Time"];
            author: components["schemas"]["Colleague"];
            /** Format: uuid */
            id: string;
            text: string;
        };
        NoteWritten: {
            at: components["schemas"]["Time"];
            /** Format: uuid */
            id: string;
        };
        NpiOrNull: string | null;
        OwnPractice: {
            /** @enum {string} */
            agreement: "in_force" | "missing" | "ended";
            appeal_button: boolean;
            /** Format: uuid */
            id: string;
            name: string;
            sso_required: boolean;
            /** @enum {string} */
            status: "active" | "inactive";
        };
        PaidAmount: {
            amount_recovered: components["schemas"]["Amount"];
        };
        Passkey: {
            created_at: components["schemas"]["Time"];
            /** Format: uuid */
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
            /** Format: uuid */
            id: string;
            ip: string;
            /** @enum {string} */
            language: "en" | "es";
            name: string | null;
            /** @enum {string} */
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
            /** Format: uuid */
            practice_id?: string | null;
        };
        Payers: {
            payers: {
                name: string;
            }[];
        };
        PhoneOrNull: string | null;
        /** @enum {string|null} */
        PlanTypeOrNull: "commercial" | "erisa" | "aca_individual" | "medicare" | "medicare_advantage" | "medi_cal_managed" | "medi_cal_ffs" | "tricare" | "workers_comp" | "other" | null;
        Practice: {
            address: components["schemas"]["PracticeAddressOrNull"];
            appeal_button: boolean;
            baa_signed: boolean;
            concurrent_sessions: 1 | "unlimited";
            has_api_key: boolean;
            /** Format: uuid */
            id: string;
            name: string;
            npi: components["schemas"]["NpiOrNull"];
            phone: components["schemas"]["PhoneOrNull"];
            /** @enum {string} */
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
            /** @enum {unknown} */
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
            /** Format: uuid */
            id: string;
        };
        PracticeReports: {
            next_cursor: components["schemas"]["NextCursor"];
            reports: components["schemas"]["ReportDelivered"][];
        };
        /** @enum {string} */
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
            /** Format: uuid */
            case_id: string | null;
            claim_number: string;
            date_of_service: components["schemas"]["CalendarDate"];
            deadline: components["schemas"]["DeadlineOrNull"];
            deadline_by_rule: components["schemas"]["DeadlineByRuleOrNull"];
            denial_codes: string[];
            denial_date: components["schemas"]["SentDenialDate"];
            denied_amount: components["schemas"]["AmountOrNull"];
            /** Format: uuid */
            id: string;
            letter: components["schemas"]["LetterOrNull"];
            /** Format: date-time */
            link_expires_at: string | null;
            may: components["schemas"]["ClaimActions"];
            payer_name: string;
            plan_type: components["schemas"]["SentPlanType"];
            practice: components["schemas"]["NamedPractice"];
            received_at: components["schemas"]["Time"];
            /** Format: uuid */
            report_id: string | null;
            signing_status: components["schemas"]["SigningStatus"];
            status: components["schemas"]["ClaimStatus"];
            taken_by: components["schemas"]["ColleagueOrNull"];
            updated_at: components["schemas"]["Time"];
            version: number;
        };
        RateLimitedError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "rate_limited";
            };
        };
        /** @enum {string} */
        Reason: "second_factor_needed" | "enrolment_needed" | "role_not_allowed" | "token_not_allowed" | "scope_missing" | "sso_required" | "sign_in_too_old" | "practice_inactive" | "agreement_required" | "csrf_mismatch" | "cross_site" | "not_yours" | "version_conflict" | "rights_changed" | "request_running" | "restored" | "move_not_possible" | "not_taken" | "taken_by_other" | "level_undecided" | "no_claim_in_appeal" | "filed_without_claim" | "signature_not_asked" | "links_off" | "link_ended" | "already_signed" | "already_exists" | "limit_reached" | "last_owner" | "last_factor" | "no_factor" | "registration_ended" | "token_ended" | "agreement_in_force" | "agreement_missing" | "legal_hold" | "job_in_progress" | "job_ended" | "destruction_begun" | "data_destroyed" | "out_of_order" | "document_in_use" | "document_waiting" | "document_unavailable" | "webhook_disabled" | "saml_not_served" | "provider_missing" | "last_provider" | "sign_in_unproven" | "would_lock_out" | "domain_taken" | "domain_unverified" | "other_address" | "other_practice" | "several_match";
        /** Format: uuid */
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
                /** @enum {string} */
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
            /** Format: uuid */
            case_id: string | null;
            claim_number: string;
            date_of_service: components["schemas"]["CalendarDate"];
            deadline: components["schemas"]["DeadlineOrNull"];
            denied_amount: components["schemas"]["AmountOrNull"];
            /** Format: uuid */
            id: string;
            may: components["schemas"]["ClaimActions"];
            received_at: components["schemas"]["Time"];
            /** Format: uuid */
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
            /** Format: uuid */
            factor_id: string;
            not_repeated: components["schemas"]["NotRepeated"];
            totp: null;
        };
        RepeatedCreatedApiKey: {
            created_at: components["schemas"]["Time"];
            created_by: components["schemas"]["KeyMakerOrNull"];
            expires_at: components["schemas"]["Time"];
            /** Format: uuid */
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
            /** Format: uuid */
            id: string;
            last_used_at: components["schemas"]["TimeOrNull"];
            name: string;
            not_repeated: components["schemas"]["NotRepeated"];
            prefix: string;
            /** Format: uuid */
            replaced_by: string | null;
            revoked_at: components["schemas"]["TimeOrNull"];
            scopes: components["schemas"]["TokenScope"][];
            token: null;
            /** Format: uuid */
            user_id: string;
        };
        RepeatedFirstPasskey: {
            created_at: components["schemas"]["Time"];
            /** Format: uuid */
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
            /** Format: uuid */
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
            /** Format: uuid */
            id: string;
            practice: components["schemas"]["NamedPractice"];
        };
        ReportDelivered: {
            claims: number;
            delivered_at: components["schemas"]["Time"];
            /** Format: uuid */
            id: string;
        };
        ReportedClaim: {
            amount_recovered: components["schemas"]["AmountOrNull"];
            billed_amount: components["schemas"]["AmountOrNull"];
            claim_number: string;
            deadline: components["schemas"]["DeadlineOrNull"];
            denied_amount: components["schemas"]["AmountOrNull"];
            /** Format: uuid */
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
        SecondFactorError: {
            continuation_token: components["schemas"]["ContinuationToken"];
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "two_factor_required";
            };
        };
        SecondFactorPasskey: {
            continuation_token: components["schemas"]["GivenToken"];
            passkey: components["schemas"]["ShownPasskey"];
        };
        SecretWebhook: components["schemas"]["FirstSecretWebhook"] | components["schemas"]["RepeatedSecretWebhook"];
        SeenClaim: {
            /** Format: uuid */
            id: string;
            /** Format: uuid */
            practice_id: string;
            version: number;
        };
        SeenClaims: components["schemas"]["SeenClaim"][];
        /** Format: date */
        SentDenialDate: string | null;
        /** @enum {string|null} */
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
            /** Format: uuid */
            id: string;
            idle_ends_at: components["schemas"]["Time"];
            /** @enum {string} */
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
            /** Format: uuid */
            id: string;
            signed_at: components["schemas"]["Time"];
            /** Format: uuid */
            signed_by: string | null;
            signed_from: string | null;
            signer_name: string;
            signer_title: string;
            version: string;
        };
        SigningDecision: {
            /** @enum {string} */
            status: "needed" | "not_needed";
        };
        SigningLink: {
            expires_at: components["schemas"]["Time"];
            /** Format: uri */
            link: string;
            tries_left: number;
        };
        /** @enum {string} */
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
        /** @enum {string} */
        SsoContext: "mfa" | "https://refeds.org/profile/mfa" | "http://schemas.microsoft.com/claims/multipleauthn" | "urn:okta:loa:2fa:any" | "http://idmanagement.gov/ns/assurance/aal/2" | "http://idmanagement.gov/ns/assurance/aal/3" | "urn:oasis:names:tc:SAML:2.0:ac:classes:SmartcardPKI" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorContract" | "urn:oasis:names:tc:SAML:2.0:ac:classes:MobileTwoFactorUnregistered";
        SsoContexts: components["schemas"]["SsoContext"][];
        SsoDomain: {
            created_at: components["schemas"]["Time"];
            domain: string;
            /** Format: uuid */
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
            /** Format: uuid */
            id: string;
            idp_initiated: boolean;
            /** @enum {string} */
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
            name?: components["schemas"]["SsoProviderName"];
        };
        SsoProviderName: string;
        StaffClaim: {
            amount_recovered: components["schemas"]["AmountOrNull"];
            billed_amount: components["schemas"]["AmountOrNull"];
            /** Format: uuid */
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
            /** Format: uuid */
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
            /** Format: uuid */
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
            /** Format: date */
            today: string;
            total: components["schemas"]["ClaimTotal"];
        };
        TaxIdOrNull: string | null;
        /** Format: date-time */
        Time: string;
        /** Format: date-time */
        TimeOrNull: string | null;
        /** @enum {string} */
        TimeZone: "America/New_York" | "America/Chicago" | "America/Denver" | "America/Phoenix" | "America/Los_Angeles" | "America/Anchorage" | "Pacific/Honolulu" | "America/Puerto_Rico" | "Pacific/Guam" | "Pacific/Pago_Pago";
        TimeZoneOrNull: components["schemas"]["TimeZone"] | null;
        /** @enum {string} */
        TokenScope: "denials:read" | "documents:write" | "settings:read" | "audit:read";
        Totp: {
            /** Format: uri */
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
                /** @enum {string} */
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
        TwoFactorError: {
            continuation_token?: components["schemas"]["ContinuationToken"];
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "two_factor_required";
            };
        };
        UnavailableError: {
            error: components["schemas"]["ErrorFields"] & {
                /** @enum {string} */
                code?: "unavailable";
            };
        };
        UploadResults: {
            results: ({
                document: components["schemas"]["UploadedDocument"];
                /** @enum {string} */
                status: "stored";
            } | {
                error: components["schemas"]["FileError"];
                /** @enum {string} */
                status: "refused";
            })[];
        };
        UploadedDocument: {
            cases: string[];
            /** Format: uuid */
            claim_id: string | null;
            claim_number: string | null;
            content_type: string;
            /** Format: uuid */
            id: string;
            kind: components["schemas"]["DocumentKind"];
            name: string | null;
            reports: string[];
            sha256: string;
            size: number;
            state: components["schemas"]["DocumentState"];
            uploaded_at: components["schemas"]["Time"];
            /** @enum {string} */
            uploaded_by: "practice" | "staff";
        };
        User: {
            email: string;
            /** Format: uuid */
            id: string;
            name: string;
            /** @enum {string} */
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
            /** Format: uuid */
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
        /** @enum {string} */
        WebhookState: "active" | "disabled";
        /** Format: webhook-url */
        WebhookUrl: string;
        Webhooks: {
            next_cursor: components["schemas"]["NextCursor"];
            webhooks: components["schemas"]["Webhook"][];
        };
        WorkSummary: {
            deadlines: components["schemas"]["DeadlineSummary"];
            decisions_due: number;
            statuses: components["schemas"]["StatusSummary"][];
            /** Format: date */
            today: string;
            total: components["schemas"]["ClaimTotal"];
        };
    };
    responses: never;
    parameters: {
        CsrfToken: string;
        CsrfTokenAgain: string;
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
        IdempotencyKey: string;
        IfMatch: string;
        IfNoneMatch: string;
        IfRange: string;
        LevelInPath: number;
        Limit: number;
        LimitOrCsv: number;
        OfPractice: string;
        PassiveRead: string;
        PracticeInPath: string;
        Provider: string;
        Range: string;
        Today: string;
        UploadCsrfToken: string;
    };
    requestBodies: never;
    headers: never;
    pathItems: never;
}
export type $defs = Record<string, never>;
export interface operations {
    listAppeals: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Appeals"];
                };
            };
        };
    };
    showAppeal: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Appeal"];
                };
            };
        };
    };
    countRecoveryCodes: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodesLeft"];
                };
            };
        };
    };
    renewRecoveryCodes: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    beginFactor: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["BegunFactor"];
                };
            };
        };
    };
    confirmFactor: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ConfirmedFactor"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RecoveryCodes"];
                };
            };
        };
    };
    listIdentities: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identities"];
                };
            };
        };
    };
    joinIdentity: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": {
                    id: string;
                };
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Identity"];
                };
            };
        };
    };
    showWaitingIdentity: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WaitingIdentity"];
                };
            };
        };
    };
    removeIdentity: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    acceptInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkedJoining"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    previewInvitation: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Linked"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["InvitationPreview"];
                };
            };
        };
    };
    sendMagicLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Addressed"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
        };
    };
    verifyMagicLink: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Linked"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    beginOidc: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    finishOidc: {
        parameters: {
            query?: {
                code?: string;
                state?: string;
                iss?: string;
                error?: string;
            };
            header?: never;
            path: {
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    listPasskeys: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkeys"];
                };
            };
        };
    };
    enrolPasskey: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewPasskey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["EnrolledPasskey"];
                };
            };
        };
    };
    beginPasskey: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RegistrationOptions"];
                };
            };
        };
    };
    removePasskey: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    renamePasskey: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NamedPasskey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Passkey"];
                };
            };
        };
    };
    changePassword: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PasswordChange"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    sendPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Addressed"];
            };
        };
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Accepted"];
                };
            };
        };
    };
    resetPassword: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LinkedPassword"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    previewPasswordReset: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Linked"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PasswordResetPreview"];
                };
            };
        };
    };
    listProviders: {
        parameters: {
            query?: {
                domain?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Providers"];
                };
            };
        };
    };
    beginSaml: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: never;
    };
    finishSaml: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/x-www-form-urlencoded": {
                    RelayState?: string;
                    SAMLResponse: string;
                };
            };
        };
        responses: never;
    };
    showSamlMetadata: {
        parameters: {
            query?: never;
            header?: never;
            path: {
                provider: components["parameters"]["Provider"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/samlmetadata+xml": string;
                };
            };
        };
    };
    showSession: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    signIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SignIn"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    showSecondFactor: {
        parameters: {
            query?: never;
            header?: {
                "X-CSRF-Token"?: components["parameters"]["CsrfTokenAgain"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SecondFactor"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    beginPasskeyFactor: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ContinuedFactor"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssertionOptions"];
                };
            };
        };
    };
    signOut: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    signInWithPasskey: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ShownPasskey"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Session"];
                };
            };
        };
    };
    beginPasskeySignIn: {
        parameters: {
            query?: never;
            header?: never;
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AssertionOptions"];
                };
            };
        };
    };
    listSessions: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sessions"];
                };
            };
        };
    };
    revokeOtherSessions: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    revokeSession: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listDenials: {
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
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Denials"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
        };
    };
    sendDenials: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimsSendRequest"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimsSendResponse"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimsSendResponse"];
                };
            };
        };
    };
    listPayers: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payers"];
                };
            };
        };
    };
    summarizeDenials: {
        parameters: {
            query?: {
                today?: components["parameters"]["Today"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Summary"];
                };
            };
        };
    };
    showDenial: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DenialWithHistory"];
                };
            };
        };
    };
    setLetter: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LetterEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LetterRecorded"];
                };
            };
        };
    };
    showSigningLink: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SigningLink"];
                };
            };
        };
    };
    listDocuments: {
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
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Documents"];
                };
            };
        };
    };
    uploadDocument: {
        parameters: {
            query?: never;
            header?: {
                "X-CSRF-Token"?: components["parameters"]["UploadCsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["DocumentForm"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadedDocument"];
                };
            };
        };
    };
    uploadDocuments: {
        parameters: {
            query?: never;
            header?: {
                "X-CSRF-Token"?: components["parameters"]["UploadCsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "multipart/form-data": components["schemas"]["DocumentsForm"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["UploadResults"];
                };
            };
        };
    };
    showDocument: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
        };
    };
    deleteDocument: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    downloadDocument: {
        parameters: {
            query?: never;
            header?: {
                Range?: components["parameters"]["Range"];
                "If-Range"?: components["parameters"]["IfRange"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "application/octet-stream": string;
                };
            };
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "application/octet-stream": string;
                };
            };
        };
    };
    describeClaims: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Description"];
                };
            };
        };
    };
    describeAccounts: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Description"];
                };
            };
        };
    };
    listPracticeReports: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PracticeReports"];
                };
            };
        };
    };
    showPracticeReport: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PracticeReport"];
                };
            };
        };
    };
    listAgreements: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Agreements"];
                };
            };
        };
    };
    signAgreement: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Signature"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signed"];
                };
            };
        };
    };
    endAgreement: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Signed"];
                };
            };
        };
    };
    listApiKeys: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiKeys"];
                };
            };
        };
    };
    createApiKey: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiKey"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiKey"];
                };
            };
        };
    };
    revokeApiKey: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    listApiTokens: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ApiTokens"];
                };
            };
        };
    };
    createApiToken: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewApiToken"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiToken"];
                };
            };
        };
    };
    revokeApiToken: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    regenerateApiToken: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Regeneration"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CreatedApiToken"];
                };
            };
        };
    };
    listAudit: {
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
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
        };
    };
    exportAudit: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    verifyAudit: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrailVerified"];
                };
            };
        };
    };
    listDataJobs: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataJobs"];
                };
            };
        };
    };
    requestDataJob: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDataJob"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataJob"];
                };
            };
        };
    };
    showDataJob: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataJob"];
                };
            };
        };
    };
    cancelDataJob: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DataJob"];
                };
            };
        };
    };
    takeRecords: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: {
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    showDocumentSettings: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentSettings"];
                };
            };
        };
    };
    changeDocumentSettings: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["DocumentSettingsEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["DocumentSettings"];
                };
            };
        };
    };
    listMembers: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Members"];
                };
            };
        };
    };
    inviteMember: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Invitation"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    removeMember: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeRole: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["RoleChange"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Member"];
                };
            };
        };
    };
    revokeMemberSessions: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    showPractice: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Practice"];
                };
            };
        };
    };
    editPractice: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PracticeEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Practice"];
                };
            };
        };
    };
    showSso: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sso"];
                };
            };
        };
    };
    requireSso: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SsoEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Sso"];
                };
            };
        };
    };
    addSsoDomain: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSsoDomain"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
        };
    };
    removeSsoDomain: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    verifySsoDomain: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoDomain"];
                };
            };
        };
    };
    addSsoProvider: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewSsoProvider"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoProvider"];
                };
            };
        };
    };
    removeSsoProvider: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    editSsoProvider: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SsoProviderEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SsoProvider"];
                };
            };
        };
    };
    listWebhooks: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhooks"];
                };
            };
        };
    };
    createWebhook: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewWebhook"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretWebhook"];
                };
            };
        };
    };
    showWebhook: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    removeWebhook: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    changeWebhook: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["WebhookEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Webhook"];
                };
            };
        };
    };
    listDeliveries: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Deliveries"];
                };
            };
        };
    };
    replayDelivery: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
                delivery_id: components["parameters"]["DeliveryId"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    replayMissed: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
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
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Replayed"];
                };
            };
        };
    };
    rotateWebhookSecret: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["SecretWebhook"];
                };
            };
        };
    };
    testWebhook: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            202: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Delivery"];
                };
            };
        };
    };
    listStaffAudit: {
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
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Audit"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
        };
    };
    exportStaffAudit: {
        parameters: {
            query?: {
                limit?: number;
                cursor?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/x-ndjson": string;
                };
            };
        };
    };
    verifyStaffAudit: {
        parameters: {
            query?: {
                cursor?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["TrailVerified"];
                };
            };
        };
    };
    listAllCases: {
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
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AllCases"];
                };
            };
        };
    };
    listQueue: {
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
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Queue"];
                    "text/csv": components["schemas"]["Csv"];
                };
            };
        };
    };
    decideSigningOfClaims: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimsToDecide"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimResults"];
                };
            };
        };
    };
    takeClaims: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimsToTake"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimResults"];
                };
            };
        };
    };
    listColleagues: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Colleagues"];
                };
            };
        };
    };
    searchPatient: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PatientToFind"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatientClaims"];
                };
            };
        };
    };
    listStaffPayers: {
        parameters: {
            query?: {
                practice_id?: components["parameters"]["OfPractice"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Payers"];
                };
            };
        };
    };
    listPractices: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
                name?: string;
                today?: components["parameters"]["Today"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Practices"];
                };
            };
        };
    };
    listCases: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
                payer_name?: string;
                claim_id?: string;
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Cases"];
                };
            };
        };
    };
    openCase: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewCase"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaseChanged"];
                };
            };
        };
    };
    showCase: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["AppealCase"];
                };
            };
        };
    };
    recordDecision: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["Decision"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaseDecided"];
                };
            };
        };
    };
    attachToCase: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDocumentUse"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    detachFromCase: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
                document: components["parameters"]["DocumentInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    beginLevel: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewLevel"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaseChanged"];
                };
            };
        };
    };
    editLevel: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
                level: components["parameters"]["LevelInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LevelEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["CaseChanged"];
                };
            };
        };
    };
    showClaim: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["StaffClaim"];
                };
            };
        };
    };
    correctAmount: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["PaidAmount"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimStanding"];
                };
            };
        };
    };
    setLetterOfClaim: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["LetterEdit"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["LetterRecorded"];
                };
            };
        };
    };
    moveClaim: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["ClaimMove"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimStanding"];
                };
            };
        };
    };
    noteClaim: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewNote"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["NoteWritten"];
                };
            };
        };
    };
    listRelatedClaims: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["RelatedClaims"];
                };
            };
        };
    };
    showSignature: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["PatientSignature"];
                };
            };
        };
    };
    decideSigning: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["SigningDecision"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimStanding"];
                };
            };
        };
    };
    revokeSigningLink: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimStanding"];
                };
            };
        };
    };
    takeClaim: {
        parameters: {
            query?: never;
            header: {
                "If-Match": components["parameters"]["IfMatch"];
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: {
            content: {
                "application/json": components["schemas"]["ClaimToTake"];
            };
        };
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ClaimStanding"];
                };
            };
        };
    };
    listPracticeDocuments: {
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
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Documents"];
                };
            };
        };
    };
    showPracticeDocument: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Document"];
                };
            };
        };
    };
    deletePracticeDocument: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    downloadPracticeDocument: {
        parameters: {
            query?: never;
            header?: {
                Range?: components["parameters"]["Range"];
                "If-Range"?: components["parameters"]["IfRange"];
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "application/octet-stream": string;
                };
            };
            206: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "*/*": string;
                    "application/octet-stream": string;
                };
            };
        };
    };
    listReports: {
        parameters: {
            query?: {
                limit?: components["parameters"]["Limit"];
                cursor?: components["parameters"]["Cursor"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Reports"];
                };
            };
        };
    };
    deliverReport: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewReport"];
            };
        };
        responses: {
            201: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["ReportDelivered"];
                };
            };
        };
    };
    showReport: {
        parameters: {
            query?: never;
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["Report"];
                };
            };
        };
    };
    attachToReport: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
            };
            cookie?: never;
        };
        requestBody: {
            content: {
                "application/json": components["schemas"]["NewDocumentUse"];
            };
        };
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    detachFromReport: {
        parameters: {
            query?: never;
            header: {
                "X-CSRF-Token": components["parameters"]["CsrfToken"];
                "Idempotency-Key"?: components["parameters"]["IdempotencyKey"];
            };
            path: {
                practice: components["parameters"]["PracticeInPath"];
                id: components["parameters"]["Id"];
                document: components["parameters"]["DocumentInPath"];
            };
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            204: {
                headers: {
                    [name: string]: unknown;
                };
                content?: never;
            };
        };
    };
    summarizeWork: {
        parameters: {
            query?: {
                today?: components["parameters"]["Today"];
                practice_id?: components["parameters"]["OfPractice"];
            };
            header?: {
                "If-None-Match"?: components["parameters"]["IfNoneMatch"];
                "X-Passive-Read"?: components["parameters"]["PassiveRead"];
            };
            path?: never;
            cookie?: never;
        };
        requestBody?: never;
        responses: {
            200: {
                headers: {
                    [name: string]: unknown;
                };
                content: {
                    "application/json": components["schemas"]["WorkSummary"];
                };
            };
        };
    };
}
