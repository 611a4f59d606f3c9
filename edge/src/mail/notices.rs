//! The emails to owners about their practice's agreement, data and keys. None has a link or names a person.

use super::letter::{Letter, letter};
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
