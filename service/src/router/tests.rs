use super::*;
use crate::auth::role::Role;
use crate::extract::takes::Caller;
use std::collections::BTreeSet;

#[test]
fn no_two_routes_have_the_same_paths() {
    let declared = include_str!("../router.rs").matches("        \"/").count();
    let short = include_str!("../router.rs").matches("    route(\"/").count();
    let pages = include_str!("../router.rs").matches("    route(path::").count();
    assert_eq!(Routes::new().all.len(), declared + short + pages);
}

#[test]
fn a_handler_takes_only_parts_that_its_route_names() {
    let mut seen = 0;
    for route in &Routes::new().all {
        for entry in &route.methods.0 {
            for part in &entry.takes.parts {
                let named = format!("{{{part}}}");
                assert!(route.pattern.contains(&named), "{} {part}", route.pattern);
                seen += 1;
            }
        }
    }
    assert!(seen > 30, "{seen}");
}

#[test]
fn every_exception_is_of_a_route() {
    let routes = Routes::new();
    let mut served = routes.all.iter().flat_map(|route| {
        let methods = route.methods.0.iter();
        methods.map(|entry| format!("{} {}", entry.method, route.pattern))
    });
    let served = served.by_ref().collect::<BTreeSet<_>>();
    for (of, _) in exceptions::EXCEPTIONS {
        assert!(served.contains(*of), "{of}");
    }
}

#[test]
fn a_route_is_for_the_callers_that_its_handler_takes() {
    let mut open = Vec::new();
    for route in &Routes::new().all {
        for entry in &route.methods.0 {
            let named = match entry.access {
                Access::Person(_) => Some(Caller::Person),
                Access::Key => Some(Caller::Key),
                Access::Operator => Some(Caller::Operator),
                Access::Anyone => None,
            };
            assert_eq!(entry.takes.caller, named, "{} {}", entry.method, route.pattern);
            if named.is_none() {
                open.push(format!("{} {}", entry.method, route.pattern));
            }
        }
    }
    // A new one belongs here only if its handler checks what the caller presents.
    assert_eq!(open, OPEN);
}

#[test]
fn a_route_lets_the_people_of_its_path_do_what_its_method_says() {
    let (mut sensitive, mut of_owners, mut of_leaders) = (Vec::new(), Vec::new(), Vec::new());
    for route in &Routes::new().all {
        for entry in &route.methods.0 {
            let Access::Person(action) = entry.access else { continue };
            let (right, name) = (action.right(), format!("{} {}", entry.method, route.pattern));
            let is_of_staff = |role: &Role| matches!(role, Role::Staff | Role::Auditor);
            let for_staff = route.pattern.starts_with("/api/v1/staff/");
            match for_staff {
                true => assert!(right.roles.iter().all(is_of_staff), "{name}"),
                false => assert!(!right.roles.iter().all(is_of_staff), "{name}"),
            }
            // A search by a patient's name has a body.
            let reads = entry.method == Method::GET || route.pattern == "/api/v1/staff/patients/search";
            assert_eq!(right.group.reads(), reads, "{name}");
            match right.roles {
                [Role::Owner] => of_owners.push(name.clone()),
                [Role::Owner, Role::Admin] => of_leaders.push(name.clone()),
                _ => {}
            }
            if right.sensitive {
                sensitive.push(name);
            }
        }
    }
    assert_eq!(sensitive, SENSITIVE);
    assert_eq!(of_owners, OF_OWNERS);
    assert_eq!(of_leaders, OF_LEADERS);
}

/// The routes for owners only.
const OF_OWNERS: &[&str] = &[
    "POST /api/v1/settings/agreements/{id}/end",
    "GET /api/v1/settings/data_jobs",
    "POST /api/v1/settings/data_jobs",
    "GET /api/v1/settings/data_jobs/{id}",
    "POST /api/v1/settings/data_jobs/{id}/cancel",
    "GET /api/v1/settings/data_jobs/{id}/records",
];

/// The routes for owners and admins only.
const OF_LEADERS: &[&str] = &[
    "POST /api/v1/settings/agreements",
    "GET /api/v1/settings/api_keys",
    "POST /api/v1/settings/api_keys",
    "DELETE /api/v1/settings/api_keys/{id}",
    "POST /api/v1/settings/api_keys/{id}/rotate",
    "POST /api/v1/settings/api_keys/{id}/rotate/finish",
    "GET /api/v1/settings/expiring",
    "POST /api/v1/settings/api_tokens",
    "POST /api/v1/settings/api_tokens/{id}/regenerate",
    "GET /api/v1/settings/audit",
    "GET /api/v1/settings/audit/export",
    "GET /api/v1/settings/audit/verify",
    "GET /api/v1/settings/members",
    "POST /api/v1/settings/members",
    "PATCH /api/v1/settings/members/{id}",
    "DELETE /api/v1/settings/members/{id}/sessions",
    "PATCH /api/v1/settings/practice",
    "GET /api/v1/settings/sso",
    "PATCH /api/v1/settings/sso",
    "POST /api/v1/settings/sso/providers",
    "PATCH /api/v1/settings/sso/providers/{id}",
    "DELETE /api/v1/settings/sso/providers/{id}",
    "POST /api/v1/settings/sso/domains",
    "DELETE /api/v1/settings/sso/domains/{id}",
    "POST /api/v1/settings/sso/domains/{id}/verify",
    "GET /api/v1/settings/sandbox",
    "POST /api/v1/settings/sandbox",
    "POST /api/v1/settings/sandbox/empty",
    "POST /api/v1/settings/sandbox/keys",
    "DELETE /api/v1/settings/sandbox/keys/{id}",
    "POST /api/v1/settings/sandbox/tokens",
    "DELETE /api/v1/settings/sandbox/tokens/{id}",
    "PATCH /api/v1/settings/documents",
    "GET /api/v1/settings/webhooks",
    "POST /api/v1/settings/webhooks",
    "GET /api/v1/settings/webhooks/{id}",
    "PATCH /api/v1/settings/webhooks/{id}",
    "DELETE /api/v1/settings/webhooks/{id}",
    "POST /api/v1/settings/webhooks/{id}/rotate_secret",
    "POST /api/v1/settings/webhooks/{id}/test",
    "POST /api/v1/settings/webhooks/{id}/replay",
    "GET /api/v1/settings/webhooks/{id}/deliveries",
    "GET /api/v1/settings/webhooks/{id}/deliveries/{delivery_id}",
    "POST /api/v1/settings/webhooks/{id}/deliveries/{delivery_id}/replay",
];

/// The routes that need a recently confirmed second factor.
const SENSITIVE: &[&str] = &[
    "POST /api/v1/auth/password",
    "POST /api/v1/auth/2fa/recovery_codes",
    "DELETE /api/v1/auth/passkeys/{id}",
    "POST /api/v1/auth/identities",
    "DELETE /api/v1/auth/identities/{id}",
    "POST /api/v1/settings/agreements",
    "POST /api/v1/settings/agreements/{id}/end",
    "POST /api/v1/settings/data_jobs",
    "POST /api/v1/settings/data_jobs/{id}/cancel",
    "GET /api/v1/settings/data_jobs/{id}/records",
    "POST /api/v1/settings/api_keys",
    "DELETE /api/v1/settings/api_keys/{id}",
    "POST /api/v1/settings/api_keys/{id}/rotate",
    "POST /api/v1/settings/api_keys/{id}/rotate/finish",
    "POST /api/v1/settings/api_tokens",
    "DELETE /api/v1/settings/api_tokens/{id}",
    "POST /api/v1/settings/api_tokens/{id}/regenerate",
    "POST /api/v1/settings/members",
    "PATCH /api/v1/settings/members/{id}",
    "DELETE /api/v1/settings/members/{id}",
    "DELETE /api/v1/settings/members/{id}/sessions",
    "PATCH /api/v1/settings/sso",
    "POST /api/v1/settings/sso/providers",
    "PATCH /api/v1/settings/sso/providers/{id}",
    "DELETE /api/v1/settings/sso/providers/{id}",
    "POST /api/v1/settings/sso/domains",
    "DELETE /api/v1/settings/sso/domains/{id}",
    "POST /api/v1/settings/sso/domains/{id}/verify",
    "PATCH /api/v1/settings/documents",
    "POST /api/v1/settings/webhooks",
    "PATCH /api/v1/settings/webhooks/{id}",
    "DELETE /api/v1/settings/webhooks/{id}",
    "POST /api/v1/settings/webhooks/{id}/rotate_secret",
    "POST /api/v1/settings/webhooks/{id}/test",
];

/// The routes that anyone may call.
const OPEN: &[&str] = &[
    "POST /api/v1/auth/session",
    "POST /api/v1/auth/session/2fa",
    "POST /api/v1/auth/invitation",
    "POST /api/v1/auth/invitation/preview",
    "POST /api/v1/auth/magic_link",
    "POST /api/v1/auth/magic_link/verify",
    "POST /api/v1/auth/password_reset",
    "POST /api/v1/auth/password_reset/confirm",
    "POST /api/v1/auth/password_reset/preview",
    "POST /api/v1/auth/session/2fa/passkey/options",
    "POST /api/v1/auth/session/passkey",
    "POST /api/v1/auth/session/passkey/options",
    "GET /.well-known/webauthn",
    "GET /api/v1/auth/providers",
    "GET /api/v1/auth/oauth/{provider}",
    "GET /api/v1/auth/oauth/{provider}/callback",
    "GET /api/v1/auth/saml/{provider}",
    "POST /api/v1/auth/saml/{provider}",
    "GET /api/v1/auth/saml/{provider}/metadata",
    "GET /sign",
    "POST /sign",
    "POST /sign/signature",
    "GET /sign/pad.js",
    "GET /api/v1/openapi.json",
    "GET /api/v1/openapi/accounts.json",
    "POST /api/v1/leaks",
    "POST /api/v1/leaks/github",
    "GET /health",
];

mod edits;
