//! What routes take and refuse otherwise than their handlers' parameters say. The descriptions have it from here.

/// A difference from the rule.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Exception {
    /// It answers a status with a response of this name.
    Refuses(u16, &'static str),
    /// Its body has this schema of the claims interface.
    Takes(&'static str),
    /// It sets cookies, which a header of this name describes.
    Sets(&'static str),
    /// It never answers this status.
    Never(u16),
    /// Its handler takes no `Idempotency-Key`, although it is a write.
    NotOnce,
    /// It has no limit of requests.
    Unlimited,
    /// It answers a program, although it is a step of a sign-in by a provider.
    NoPage,
    /// A session may call it as well, to show its second factor again.
    OfSession,
}

use Exception::{Never, NoPage, NotOnce, OfSession, Refuses, Sets, Takes, Unlimited};

/// The cookies of a session.
const SESSION: Exception = Sets("SetCookie");
/// The cookie of a passkey's ceremony.
const CEREMONY: Exception = Sets("CeremonyCookie");
const CONFLICT: Exception = Refuses(409, "Conflict");
const NOT_FOUND: Exception = Refuses(404, "NotFound");

/// The exceptions of each route that has any.
pub(super) const EXCEPTIONS: &[(&str, &[Exception])] = &[
    // The body names a record, or the cookie does.
    ("POST /api/v1/auth/2fa/totp/confirm", &[NOT_FOUND, SESSION]),
    ("POST /api/v1/auth/identities", &[NOT_FOUND, Sets("ProviderCookie")]),
    ("GET /api/v1/auth/identities/waiting", &[NOT_FOUND, CONFLICT]),
    // A link is sent to whoever has the address.
    ("POST /api/v1/auth/magic_link", &[Never(401)]),
    ("POST /api/v1/auth/password_reset", &[Never(401)]),
    ("POST /api/v1/auth/magic_link/verify", &[Refuses(402, "SecondFactorNeeded"), SESSION]),
    ("POST /api/v1/auth/session", &[Refuses(402, "SecondFactorNeeded"), SESSION]),
    ("POST /api/v1/auth/session/2fa", &[OfSession, SESSION]),
    ("POST /api/v1/auth/session/2fa/passkey/options", &[CONFLICT, CEREMONY]),
    ("POST /api/v1/auth/session/logout", &[SESSION]),
    ("POST /api/v1/auth/session/passkey/options", &[CEREMONY]),
    ("POST /api/v1/auth/session/passkey", &[SESSION]),
    ("POST /api/v1/auth/password", &[SESSION]),
    ("POST /api/v1/auth/passkeys", &[SESSION]),
    ("DELETE /api/v1/auth/passkeys/{id}", &[SESSION]),
    ("POST /api/v1/auth/invitation", &[CONFLICT]),
    ("POST /api/v1/auth/passkeys/options", &[NotOnce, CEREMONY]),
    ("GET /api/v1/auth/saml/{provider}/metadata", &[NoPage]),
    // The body of the claims interface. It is sent again without a key.
    (
        "POST /api/v1/denials",
        &[Takes("SendRequest"), Never(409), NotOnce, Refuses(400, "BadRequest"), Refuses(422, "Invalid")],
    ),
    // The cursor names a record that may be gone.
    ("GET /api/v1/denials", &[CONFLICT]),
    // The read is recorded, and the record may change meanwhile.
    ("GET /api/v1/denials/{id}/signing_link", &[CONFLICT]),
    ("GET /api/v1/documents/{id}/content", &[CONFLICT]),
    ("GET /api/v1/staff/practices/{practice}/claims/{id}", &[CONFLICT]),
    ("GET /api/v1/staff/practices/{practice}/claims/{id}/signature", &[CONFLICT]),
    ("GET /api/v1/staff/practices/{practice}/documents", &[NOT_FOUND]),
    ("GET /api/v1/staff/practices/{practice}/documents/{id}", &[CONFLICT]),
    ("GET /api/v1/staff/practices/{practice}/documents/{id}/content", &[CONFLICT]),
    ("GET /api/v1/settings/data_jobs/{id}/records", &[CONFLICT, Refuses(422, "Invalid")]),
    // The form names a claim and a practice.
    ("POST /api/v1/documents", &[NOT_FOUND, Refuses(422, "FileRefused")]),
    ("POST /api/v1/documents/bulk", &[NOT_FOUND, Refuses(422, "NoFileStored")]),
    // Changing how many sessions a member may have is sensitive.
    ("PATCH /api/v1/settings/practice", &[Refuses(402, "SecondFactorAgain")]),
    ("POST /api/v1/staff/patients/search", &[NotOnce]),
    // A signature takes the place of a credential, and texts of any form are labeled.
    ("POST /api/v1/leaks/github", &[Refuses(401, "SignInFailed"), Never(422)]),
    ("GET /api/v1/openapi.json", &[Unlimited, Refuses(304, "DescriptionNotModified")]),
    ("GET /api/v1/openapi/accounts.json", &[Unlimited, Refuses(304, "DescriptionNotModified")]),
];
