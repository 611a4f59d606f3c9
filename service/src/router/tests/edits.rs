//! Every write says how it keeps one person from overwriting what another has changed since.

use super::Routes;
use Kept::{Appends, Ends, IfMatch, InBody, New, OnceOnly, Own, Resent};
use std::collections::BTreeMap;

/// How a write keeps an edit of another person.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kept {
    /// `If-Match` has the version of the record that the person has seen.
    IfMatch,
    /// The body has the version of each record.
    InBody,
    /// No other person edits the record: an own account, its sessions and factors, an own token.
    Own,
    /// It makes a record, or reads without changing one.
    New,
    /// It adds to a list, or takes one named entry off it, and changes nothing else.
    Appends,
    /// It ends a record for good, whatever the record says by then. Access must end at once.
    Ends,
    /// A step that can be taken once. Its batch checks the state that the step needs.
    OnceOnly,
    /// The billing system sends its own record again. Values that are compared never change.
    Resent,
}

/// The writes below `/api`, by path.
const WRITES: &[(&str, &[(&str, Kept)])] = &[
    ("/api/v1/claims", &[("POST", Resent)]),
    ("/api/v1/denials", &[("POST", Resent)]),
    ("/api/v1/denials/{id}/letter", &[("PATCH", IfMatch)]),
    ("/api/v1/auth/session", &[("POST", New)]),
    ("/api/v1/auth/session/2fa", &[("POST", New)]),
    ("/api/v1/auth/session/logout", &[("POST", Own)]),
    ("/api/v1/auth/invitation", &[("POST", Own)]),
    ("/api/v1/auth/invitation/preview", &[("POST", New)]),
    ("/api/v1/auth/magic_link", &[("POST", New)]),
    ("/api/v1/auth/magic_link/verify", &[("POST", New)]),
    ("/api/v1/auth/password", &[("POST", Own)]),
    ("/api/v1/auth/password_reset", &[("POST", New)]),
    ("/api/v1/auth/password_reset/confirm", &[("POST", Own)]),
    ("/api/v1/auth/password_reset/preview", &[("POST", New)]),
    ("/api/v1/auth/2fa/totp", &[("POST", Own)]),
    ("/api/v1/auth/2fa/totp/confirm", &[("POST", Own)]),
    ("/api/v1/auth/2fa/recovery_codes", &[("POST", Own)]),
    ("/api/v1/auth/sessions", &[("DELETE", Own)]),
    ("/api/v1/auth/sessions/{id}", &[("DELETE", Own)]),
    ("/api/v1/auth/saml/{provider}", &[("POST", New)]),
    ("/api/v1/auth/identities", &[("POST", Own)]),
    ("/api/v1/auth/identities/{id}", &[("DELETE", Own)]),
    ("/api/v1/auth/session/2fa/passkey/options", &[("POST", New)]),
    ("/api/v1/auth/session/passkey", &[("POST", New)]),
    ("/api/v1/auth/session/passkey/options", &[("POST", New)]),
    ("/api/v1/auth/passkeys", &[("POST", Own)]),
    ("/api/v1/auth/passkeys/options", &[("POST", Own)]),
    ("/api/v1/auth/passkeys/{id}", &[("PATCH", Own), ("DELETE", Own)]),
    // The clock is still where it was read.
    ("/api/v1/sandbox/clock", &[("POST", OnceOnly)]),
    ("/api/v1/settings/sandbox", &[("POST", New)]),
    ("/api/v1/settings/sandbox/empty", &[("POST", Ends)]),
    ("/api/v1/settings/sandbox/keys", &[("POST", New)]),
    ("/api/v1/settings/sandbox/keys/{id}", &[("DELETE", Ends)]),
    ("/api/v1/settings/sandbox/tokens", &[("POST", New)]),
    ("/api/v1/settings/sandbox/tokens/{id}", &[("DELETE", Ends)]),
    ("/api/v1/leaks", &[("POST", Ends)]),
    ("/api/v1/leaks/github", &[("POST", Ends)]),
    // The body has the version of the text that the person has read.
    ("/api/v1/settings/agreements", &[("POST", InBody)]),
    ("/api/v1/settings/agreements/{id}/end", &[("POST", Ends)]),
    ("/api/v1/settings/data_jobs", &[("POST", New)]),
    ("/api/v1/settings/data_jobs/{id}/cancel", &[("POST", OnceOnly)]),
    ("/api/v1/settings/api_keys", &[("POST", New)]),
    ("/api/v1/settings/api_keys/{id}", &[("DELETE", Ends)]),
    ("/api/v1/settings/api_keys/{id}/rotate", &[("POST", New)]),
    ("/api/v1/settings/api_keys/{id}/rotate/finish", &[("POST", Ends)]),
    ("/api/v1/settings/api_tokens", &[("POST", New)]),
    ("/api/v1/settings/api_tokens/{id}", &[("DELETE", Ends)]),
    ("/api/v1/settings/api_tokens/{id}/regenerate", &[("POST", Own)]),
    // An invitation that is sent again leaves the role as it is.
    ("/api/v1/settings/members", &[("POST", New)]),
    ("/api/v1/settings/members/{id}", &[("PATCH", IfMatch), ("DELETE", Ends)]),
    ("/api/v1/settings/members/{id}/sessions", &[("DELETE", Ends)]),
    ("/api/v1/settings/practice", &[("PATCH", IfMatch)]),
    ("/api/v1/settings/sso", &[("PATCH", IfMatch)]),
    ("/api/v1/settings/sso/providers", &[("POST", New)]),
    ("/api/v1/settings/sso/providers/{id}", &[("PATCH", IfMatch), ("DELETE", Ends)]),
    ("/api/v1/settings/sso/domains", &[("POST", New)]),
    ("/api/v1/settings/sso/domains/{id}", &[("DELETE", Ends)]),
    ("/api/v1/settings/sso/domains/{id}/verify", &[("POST", OnceOnly)]),
    ("/api/v1/staff/claims/take", &[("POST", InBody)]),
    ("/api/v1/staff/claims/signing", &[("POST", InBody)]),
    ("/api/v1/staff/filters", &[("POST", New)]),
    ("/api/v1/staff/filters/{id}", &[("PATCH", Own), ("DELETE", Own)]),
    ("/api/v1/staff/patients/search", &[("POST", New)]),
    ("/api/v1/staff/practices/{practice}/cases", &[("POST", InBody)]),
    ("/api/v1/staff/practices/{practice}/cases/{id}/levels", &[("POST", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/cases/{id}/levels/{level}", &[("PATCH", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/claims/{id}/letter", &[("PATCH", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/cases/{id}/decisions", &[("POST", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/claims/{id}/amount", &[("PATCH", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/claims/{id}/moves", &[("POST", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/claims/{id}/notes", &[("POST", Appends)]),
    ("/api/v1/staff/practices/{practice}/claims/{id}/take", &[("POST", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/reports", &[("POST", InBody)]),
    ("/api/v1/staff/practices/{practice}/claims/{id}/signing", &[("POST", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/claims/{id}/signing/link", &[("DELETE", IfMatch)]),
    ("/api/v1/documents", &[("POST", New)]),
    ("/api/v1/documents/bulk", &[("POST", New)]),
    ("/api/v1/documents/{id}", &[("DELETE", Ends)]),
    ("/api/v1/settings/documents", &[("PATCH", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/documents/{id}", &[("DELETE", Ends)]),
    ("/api/v1/settings/webhooks", &[("POST", New)]),
    ("/api/v1/settings/webhooks/{id}", &[("PATCH", IfMatch), ("DELETE", Ends)]),
    ("/api/v1/settings/webhooks/{id}/test", &[("POST", New)]),
    // A second rotation would end the secret that the receivers still have.
    ("/api/v1/settings/webhooks/{id}/rotate_secret", &[("POST", IfMatch)]),
    ("/api/v1/staff/practices/{practice}/cases/{id}/documents", &[("POST", Appends)]),
    ("/api/v1/staff/practices/{practice}/cases/{id}/documents/{document}", &[("DELETE", Appends)]),
    ("/api/v1/staff/practices/{practice}/reports/{id}/documents", &[("POST", Appends)]),
    ("/api/v1/staff/practices/{practice}/reports/{id}/documents/{document}", &[("DELETE", Appends)]),
    ("/api/v1/settings/webhooks/{id}/replay", &[("POST", New)]),
    ("/api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay", &[("POST", New)]),
];

fn declared() -> BTreeMap<(&'static str, &'static str), Kept> {
    let each = WRITES.iter().flat_map(|(path, methods)| {
        let methods = methods.iter();
        methods.map(move |(method, kept)| ((*path, *method), *kept))
    });
    each.collect()
}

/// The writes below `/api` that the router has, and whether the handler of each takes `If-Match`.
fn served() -> BTreeMap<(&'static str, &'static str), bool> {
    let mut served = BTreeMap::new();
    for route in Routes::new().all {
        let entries = route.methods.0.into_iter();
        let writes = entries.filter(|entry| !entry.method.is_safe());
        for entry in writes.filter(|_| route.pattern.starts_with("/api/")) {
            let method = ["POST", "PUT", "PATCH", "DELETE"].into_iter().find(|method| entry.method == *method);
            served.insert((route.pattern, method.unwrap()), entry.takes.version);
        }
    }
    served
}

#[test]
fn every_write_declares_whether_it_takes_a_version() {
    let (declared, served) = (declared(), served());
    let missing: Vec<_> = served.keys().filter(|of| !declared.contains_key(of)).collect();
    assert!(missing.is_empty(), "declare in this file: {missing:?}");
    let gone: Vec<_> = declared.keys().filter(|of| !served.contains_key(of)).collect();
    assert!(gone.is_empty(), "no longer served: {gone:?}");
    for (write, takes) in served {
        let kept = declared[&write];
        assert_eq!(kept == IfMatch, takes, "{write:?} is declared {kept:?}");
        let (_, method) = write;
        let edits = matches!(method, "PATCH" | "PUT");
        assert!(!edits || matches!(kept, IfMatch | Own), "{write:?} overwrites");
    }
}
