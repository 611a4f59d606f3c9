//! The tags, and the handlers that have them.

use serde_json::{Value, json};

/// Each tag: its name, what it is about, and the handlers. The longest beginning of a handler's path decides.
const TAGS: [(&str, &str, &[&str]); 21] = [
    ("signing in", "Sessions and the second factor.", &["accounts::session::", "accounts::second_factor"]),
    (
        "links",
        "What the links in our emails do. None of these calls has a session.",
        &["accounts::invitation", "accounts::magic_link", "accounts::password"],
    ),
    ("sessions", "The sessions in which a person is signed in.", &["accounts::sessions"]),
    (
        "second factor",
        "A person's authenticator app, recovery codes and password.",
        &["accounts::factors", "accounts::password::change"],
    ),
    ("passkeys", "Enrolling passkeys, and signing in with them.", &["accounts::passkeys"]),
    ("providers", "Signing in at an external provider, by OpenID Connect or SAML.", &["sso"]),
    ("identities", "The identities at providers that a person signs in by.", &["sso::identities", "sso::waiting"]),
    ("practice", "The practice's settings and agreements.", &["settings"]),
    ("members", "The people of the practice.", &["settings::members"]),
    ("single sign-on", "How the people of the practice sign in, and who may join it.", &["settings::sso"]),
    ("api keys", "The keys with which the practice's billing systems send claims.", &["settings::api_keys"]),
    ("api tokens", "The tokens with which a person's integrations read.", &["settings::api_tokens"]),
    ("leaked keys", "Reports of keys and tokens that others can read. We revoke them.", &["leaks"]),
    ("sandbox", "A practice beside the own one, with made-up claims and a clock, for developers.", &["sandbox"]),
    ("webhooks", "Messages to the practice's own systems about changes.", &["webhooks"]),
    (
        "staff",
        "The work of our own staff on the claims of all practices. Staff only.",
        &[
            "work",
            "signing",
            "documents::uses",
            "documents::list::list_for_staff",
            "documents::show::show_to_staff",
            "documents::removal::delete_by_staff",
            "documents::serve::content_for_staff",
            "operations::cells",
            "settings::audit::staff::list_staff",
            "settings::audit::export::export_staff",
            "settings::audit::verify::verify_staff",
        ],
    ),
    ("appeals", "The reports and the appeals of the practice, as it sees them.", &["work::outcomes"]),
    ("denials", "The practice's claims, without their patients.", &["claims", "work::letter::set_own"]),
    ("documents", "Letters, records and forms that an appeal needs.", &["documents"]),
    ("descriptions", "The descriptions of both interfaces.", &["operations::openapi"]),
    (
        "summaries",
        "Counts and sums of claims, and the names that filters offer. None of them names a patient.",
        &["summaries"],
    ),
];

/// The tag of a handler.
pub(crate) fn of(handler: &str) -> Option<&'static str> {
    let path = handler.strip_prefix("overturn_service::")?;
    let handlers = TAGS.iter().flat_map(|(tag, _, all)| all.iter().map(move |one| (*one, *tag)));
    let of = handlers.filter(|(one, _)| path.starts_with(one));
    of.max_by_key(|(one, _)| one.len()).map(|(_, tag)| tag)
}

/// The tags, for the frame of the description.
pub(crate) fn all() -> Value {
    TAGS.map(|(name, about, _)| json!({ "name": name, "description": about })).into_iter().collect()
}
