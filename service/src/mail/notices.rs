//! The emails to owners about their practice's agreement, data, keys and sign-ins. None has a link or names a patient.

use super::letter::{letter, quoted, unlinked};
use crate::host::Letter;
use crate::plan::notice::{NamedKey, NamedKeys};
use crate::plan::words::InWords as _;
use overturn_core::base::time::Time;

/// A notice that the practice's agreement has ended.
#[must_use]
pub(crate) fn agreement_ended(to: &str, at: Time) -> Letter {
    letter(
        to,
        "The agreement of your practice has ended",
        &format!(
            "The business associate agreement of your practice on Overturn ended on\n{}.\n\n\
             API keys, API tokens and patients' links stopped working, and our staff no\n\
             longer have access to your claims. We do not continue open appeals.\n\n\
             As an owner, you can take a copy of all data and have it destroyed in the\n\
             settings of your practice. If you sign again, the work continues.\n",
            at.in_words()
        ),
    )
}

/// A notice that an owner is exporting all data.
#[must_use]
pub(crate) fn return_requested(to: &str, at: Time) -> Letter {
    letter(
        to,
        "An owner of your practice requested a copy of all data",
        &format!(
            "An owner of your practice on Overturn asked for a copy of all its data on\n{}. \
             The copy names patients.\n\n\
             If no owner of your practice did that, end all sessions of the owners in the\n\
             settings of your practice at once, and tell us.\n",
            at.in_words()
        ),
    )
}

/// A notice that all data will be destroyed, and when.
#[must_use]
pub(crate) fn destruction_requested(to: &str, at: Time, due: Option<Time>) -> Letter {
    letter(
        to,
        "All data of your practice will be destroyed",
        &format!(
            "On {}, the destruction of all data of your\n\
             practice on Overturn was requested. It begins on\n{}.\n\n\
             Until then any owner can cancel it, and take a copy of the data, in the\n\
             settings of your practice. After that, nobody can restore the data.\n",
            at.in_words(),
            due.unwrap_or(at).in_words()
        ),
    )
}

/// A notice that the destruction was canceled.
#[must_use]
pub(crate) fn destruction_cancelled(to: &str, at: Time) -> Letter {
    letter(
        to,
        "The destruction of your practice's data was cancelled",
        &format!(
            "The destruction of all data of your practice on Overturn was cancelled on\n{}. \
             Nothing was destroyed.\n",
            at.in_words()
        ),
    )
}

/// A notice that all data was destroyed.
#[must_use]
pub(crate) fn data_destroyed(to: &str, at: Time) -> Letter {
    letter(
        to,
        "All data of your practice was destroyed",
        &format!(
            "All claims of your practice on Overturn, with their patients, history, notes,\n\
             signatures, reports and cases, were destroyed by\n{}.\n\n\
             The settings of your practice show the report: what was destroyed, how many\n\
             records, what was kept, and how long the platform keeps an encrypted history.\n",
            at.in_words()
        ),
    )
}

/// A notice that resends of claims are no longer compared for the rest of a day. It names no claim and no patient.
#[must_use]
pub(crate) fn resends_stopped(to: &str, at: Time) -> Letter {
    letter(
        to,
        "Claims of your practice were sent for other patients",
        &format!(
            "An API key of your practice sent claim numbers again that are stored for another\n\
             patient or another claim. This happened more often than by mistake. On\n{},\n\
             Overturn stopped accepting such claim numbers, until 00:00 UTC. It still accepts\n\
             new claims. Somebody may be using the key to find out what is stored about your\n\
             patients.\n\n\
             Your audit trail shows when it happened and which key it was (claims.mismatched).\n\
             If you do not know the reason, revoke that key in the settings of your practice,\n\
             and tell the people who run your billing system.\n",
            at.in_words()
        ),
    )
}

/// A notice that a key or token ends. `what` names its kind.
#[must_use]
pub(crate) fn expiring(to: &str, what: &str, named: Option<&NamedKeys>, ends: Time) -> Letter {
    let key = named.and_then(|named| named.keys.first());
    let key = key.map_or_else(String::new, |key| format!(" {} ({}…)", quoted(&key.name), key.prefix));
    letter(
        to,
        &format!("An {what} of your practice ends soon"),
        &format!(
            "The {what}{key}\nof your practice on Overturn ends on {}.\n\
             Programs that use it get 401 from then on.\n\n\
             Make a new one in the settings of your practice, switch the program to it, and\n\
             revoke this one. If nobody uses it any more, revoke it now.\n",
            ends.in_words()
        ),
    )
}

/// A notice that keys were found in public, and are revoked.
#[must_use]
pub(crate) fn keys_leaked(to: &str, leaked: Option<&NamedKeys>, at: Time) -> Letter {
    let NamedKeys { keys, more } = leaked.cloned().unwrap_or_default();
    let line = |key: &NamedKey| {
        let place = key.url.as_deref().map_or("a place that the report does not name".into(), unlinked);
        format!("- {} ({}…), found at\n  {place}\n", quoted(&key.name), key.prefix)
    };
    let mut lines: String = keys.iter().map(line).collect();
    if more > 0 {
        lines.push_str(&format!("- and {more} more\n"));
    }
    letter(
        to,
        "Leaked keys of your practice were revoked",
        &format!(
            "API keys or API tokens of your practice on Overturn were found where others can\n\
             read them, and were reported on\n{}. We revoked them at once:\n\n{lines}\n\
             Programs that use them get 401 now. Make new keys in the settings of your\n\
             practice, keep them out of the places above, and look at the audit trail for\n\
             what was done with the old ones (api_key.leaked, api_token.leaked).\n\n\
             The addresses come from the reports. We did not open them, and wrote them with\n\
             spaces so that no mail program makes them links. Do not sign in there.\n",
            at.in_words()
        ),
    )
}

/// A notice that the practice requires single sign-on from now on. `by` is who turned it on.
#[must_use]
pub(crate) fn sso_required(to: &str, by: &str, at: Time) -> Letter {
    letter(
        to,
        "Your practice now requires single sign-on",
        &format!(
            "{by} turned on required single sign-on for your practice on Overturn on\n{}.\n\n\
             From now on, admins and members can work only after they sign in with the\n\
             identity provider of your practice. Their other sessions are refused at once.\n\
             API keys and API tokens keep working.\n\n\
             Owners keep a way in, so that a broken provider locks nobody out: you can still\n\
             sign in with your password and your second factor. Use a password that you use\n\
             nowhere else.\n\n\
             If you did not expect this, look at the audit trail in the settings of your\n\
             practice (sso.required_changed), where you can also turn it off.\n",
            at.in_words()
        ),
    )
}

/// A notice that the practice does not require single sign-on any more. `by` is who turned it off.
#[must_use]
pub(crate) fn sso_optional(to: &str, by: &str, at: Time) -> Letter {
    letter(
        to,
        "Your practice no longer requires single sign-on",
        &format!(
            "{by} turned off required single sign-on for your practice on Overturn on\n{}.\n\n\
             Admins and members who have a password and a second factor can sign in with\n\
             them again.\n\n\
             If you did not expect this, look at the audit trail in the settings of your\n\
             practice (sso.required_changed), where you can also turn it on again.\n",
            at.in_words()
        ),
    )
}

/// A warning that the last certificate of an identity provider ends. `provider` is its name, if it is still there.
#[must_use]
pub(crate) fn provider_ending(to: &str, provider: Option<&str>, ends: Time) -> Letter {
    let provider = provider.unwrap_or("an identity provider that was removed since");
    letter(
        to,
        "The certificate of your identity provider ends soon",
        &format!(
            "The people of your practice sign in to Overturn with {provider}.\n\
             Its last certificate ends on {}.\n\
             After that, nobody can sign in with it.\n\n\
             Ask the administrator of your identity provider for metadata with the next\n\
             certificate, and upload it in the settings of your practice. The metadata may\n\
             have the old and the new certificate, so that nobody notices the change.\n",
            ends.in_words()
        ),
    )
}

/// A notice that the practice trusts another identity provider. `by` is who added it.
#[must_use]
pub(crate) fn provider_added(to: &str, by: &str, at: Time) -> Letter {
    letter(
        to,
        "Your practice has a new identity provider",
        &format!(
            "{by} added an identity provider to your practice on Overturn on\n{}.\n\n\
             People can now sign in to your practice with it. Its administrators can sign in\n\
             as each person whose account is connected to it.\n\n\
             {}",
            at.in_words(),
            unexpected("sso.provider_added")
        ),
    )
}

/// A notice that an identity provider changed. `by` is who changed it.
#[must_use]
pub(crate) fn provider_changed(to: &str, by: &str, at: Time) -> Letter {
    letter(
        to,
        "An identity provider of your practice was changed",
        &format!(
            "{by} changed an identity provider of your practice on Overturn on\n{}.\n\n\
             The change may be its name, its certificates, its address, what it reports\n\
             after a sign-in with two factors, or whether a sign-in may begin there. The\n\
             owner of a new certificate can sign in as each person whose account is connected\n\
             to the provider.\n\n\
             {}",
            at.in_words(),
            unexpected("sso.provider_changed")
        ),
    )
}

/// A notice that the practice does not trust an identity provider any more. `by` is who removed it.
#[must_use]
pub(crate) fn provider_removed(to: &str, by: &str, at: Time) -> Letter {
    letter(
        to,
        "An identity provider of your practice was removed",
        &format!(
            "{by} removed an identity provider from your practice on Overturn on\n{}.\n\n\
             People of your practice cannot use it for single sign-on any more.\n\n\
             {}",
            at.in_words(),
            unexpected("sso.provider_removed")
        ),
    )
}

/// What an owner does about a change of a provider that the owner does not know about. `event` is its name in the audit
/// trail.
fn unexpected(event: &str) -> String {
    format!(
        "The audit trail in the settings of your practice shows what changed ({event}).\n\
         If you did not expect this, ask the person at once. If the person did not do it,\n\
         undo the change and end the person's sessions in the settings of your practice.\n"
    )
}
