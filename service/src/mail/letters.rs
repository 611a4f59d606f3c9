//! The emails of the service: plain text, without patient data.
//!
//! A link has its own line. A name may come from an attacker, so names never appear in a subject, and `quoted` keeps
//! them from becoming a link or a line of the email.

use super::device::device;
use super::letter::{letter, quoted};
use crate::host::Letter;
use crate::in_words::{counted, span};
use std::net::IpAddr;

/// A link that signs in. `valid_ms` is its life in milliseconds.
#[must_use]
pub(crate) fn sign_in(to: &str, url: &str, valid_ms: i64) -> Letter {
    letter(
        to,
        "Sign in to Overturn",
        &format!(
            "Somebody, probably you, asked for a link to sign in to Overturn with this\n\
             address.\n\n\
             Open this link to sign in. It works once, for {}:\n\n{url}\n\n\
             If you did not ask for it, you do not need to do anything. Without the link,\n\
             nobody can sign in. Do not share it.\n",
            span(valid_ms)
        ),
    )
}

/// A password reset link. `valid_ms` is its life in milliseconds.
#[must_use]
pub(crate) fn password_reset(to: &str, url: &str, valid_ms: i64) -> Letter {
    letter(
        to,
        "Choose a new password for Overturn",
        &format!(
            "Somebody, probably you, asked for a new password for your Overturn account.\n\n\
             Open this link to choose one. It works once, for {}:\n\n{url}\n\n\
             A new password ends every session. It does not end passkeys or sign-ins at a\n\
             provider: you can remove those under Your account.\n\n\
             If you did not ask for it, you do not need to do anything. Your password\n\
             stays as it is. Do not share the link.\n",
            span(valid_ms)
        ),
    )
}

/// An invitation to a practice. `valid_ms` is its life in milliseconds.
#[must_use]
pub(crate) fn invitation(to: &str, practice_name: &str, inviter_name: &str, url: &str, valid_ms: i64) -> Letter {
    letter(
        to,
        "You are invited to Overturn",
        &format!(
            "{} invites you to the practice {} on Overturn,\n\
             which appeals denied insurance claims.\n\n\
             Open this link to accept and to choose a password. It works once, for {}:\n\n{url}\n\n\
             If you do not know who this is from, you do not need to do anything. Without\n\
             the link, no account is made.\n",
            quoted(inviter_name),
            quoted(practice_name),
            span(valid_ms)
        ),
    )
}

/// A notice about a changed password.
#[must_use]
pub(crate) fn password_changed(to: &str) -> Letter {
    changed(to, "password", "Your Overturn password was changed")
}

/// A notice about an enrolled or replaced authenticator app, or new recovery codes.
#[must_use]
pub(crate) fn factor_changed(to: &str) -> Letter {
    changed(to, "second factor", "Your second factor for Overturn was changed")
}

/// It has no link: readers who are used to links in such emails would follow a forged one.
fn changed(to: &str, what: &str, subject: &str) -> Letter {
    letter(
        to,
        subject,
        &format!(
            "The {what} of your Overturn account was changed just now.\n\n\
{ACT}"
        ),
    )
}

/// A notice about a passkey that was `added` to the account, or removed from it.
#[must_use]
pub(crate) fn passkey_changed(to: &str, name: &str, added: bool) -> Letter {
    let (subject, what) = if added {
        (
            "A passkey was added to your Overturn account",
            "added to your Overturn account just now. It signs in without a password.",
        )
    } else {
        (
            "A passkey was removed from your Overturn account",
            "removed from your Overturn account just now. It no longer signs in.",
        )
    };
    letter(to, subject, &format!("The passkey {} was\n{what}\n\n{ACT}", quoted(name)))
}

/// A notice about a used recovery code and the number of codes left.
#[must_use]
pub(crate) fn recovery_code_used(to: &str, at: &str, left: usize) -> Letter {
    let left = match left {
        0 => "It was your last one. Make new ones under Your account now, so that you can\n\
              sign in even if you lose your phone."
            .to_owned(),
        left => {
            let codes = counted(i64::try_from(left).unwrap_or(i64::MAX), "recovery code");
            format!("You have {codes} left. You can make new ones under Your account.")
        }
    };
    letter(
        to,
        "A recovery code was used for your Overturn account",
        &format!(
            "A recovery code was used instead of a code from your authenticator app on\n\
             {at}. It cannot be used again.\n\n{left}\n\n{ACT}"
        ),
    )
}

/// A notice about a sign-in from an unknown device.
#[must_use]
pub(crate) fn new_device(to: &str, at: &str, ip: &str, agent: &str) -> Letter {
    letter(
        to,
        "New sign-in to your Overturn account",
        &format!(
            "Somebody signed in to your Overturn account on a device or in a browser that\n\
             had not been used for it before.\n\n\
             When:    {at}\n\
             Address: {}\n\
             Browser: {}\n\n{ACT}",
            address(ip),
            device(agent)
        ),
    )
}

/// A notice about a passkey that may have been copied.
#[must_use]
pub(crate) fn passkey_copied(to: &str, name: &str, at: &str) -> Letter {
    letter(
        to,
        "A passkey of your Overturn account may have been copied",
        &format!(
            "On {at} we refused a sign-in or a confirmation with your\n\
             passkey {}.\n\n\
             Each use of this passkey counts up, and this count had been used before. If that\n\
             was you, the security key may be faulty. If it was not, somebody may have a copy\n\
             of the passkey.\n\n\
             The passkey still works. To be safe, sign in with another second factor or a\n\
             recovery code, enroll a new passkey under Your account, and remove this one.\n\
             Removing it ends all other sessions. Also tell an owner or admin of your\n\
             practice.\n",
            quoted(name)
        ),
    )
}

/// A notice about a closed password, and how to open it again. `failures` is the number of wrong ones in a row.
#[must_use]
pub(crate) fn password_closed(to: &str, failures: i64) -> Letter {
    letter(
        to,
        "Your Overturn password is closed",
        &format!(
            "Somebody entered {} for your Overturn account in a\n\
             row. Your password no longer works, not even the right one. Nobody signed in\n\
             with these attempts.\n\n\
             To sign in, ask for a sign-in link or for a new password on the sign-in page. It\n\
             comes to this address, and passwords work again after you use it.\n\n\
             If it was not you, choose a new password that you use nowhere else, and tell an\n\
             owner or admin of your practice.\n",
            counted(failures, "wrong password")
        ),
    )
}

/// What to do if it was another person.
const ACT: &str = "If that was you, there is nothing to do. If it was not, somebody else has access\n\
     to your account. Ask for a new password on the sign-in page. This ends every\n\
     session. A new password does not end passkeys or sign-ins at a provider. Under\n\
     Your account, remove those that you do not know. Also tell an owner or admin of\n\
     your practice.\n";

/// An IP address for an email.
fn address(ip: &str) -> String {
    let plain = ip.parse().map(|ip: IpAddr| ip.to_string());
    plain.unwrap_or_else(|_| "not known".to_owned())
}

/// A notice about a disabled webhook. It does not name the URL, which may hold a secret.
#[must_use]
pub(crate) fn webhook_disabled(to: &str) -> Letter {
    letter(
        to,
        "A webhook of your practice was disabled",
        "A webhook of your practice on Overturn answered that it is gone, or took no\n\
         message for days. We no longer send messages to it.\n\n\
         The settings of your practice show which webhook it is, and the messages that\n\
         it missed. Once it works again, you can enable it there and have us send the\n\
         messages of the last 7 days.\n",
    )
}

/// A notice to an auditor that a staff member opened unusually many patients. It does not name the staff member; the
/// trail does.
#[must_use]
pub(crate) fn patients_exceeded(to: &str) -> Letter {
    letter(
        to,
        "Somebody of the staff opened many patients",
        "A member of the Overturn staff opened more patients within an hour than usual,\n\
         and had to show the second factor before the next one.\n\n\
         The staff's audit trail names the person, under staff.patients_exceeded. The\n\
         trails of the practices show which patients they were, under claim.read.\n",
    )
}

/// A notice to an owner about keys that keep working although their maker was `removed`, or may no longer make any. It
/// names no person and no key, and has no link: the settings show the keys.
#[must_use]
pub(crate) fn keys_remain(to: &str, keys: u32, removed: bool) -> Letter {
    let (who, keys) = (
        if removed {
            "A member of your practice on Overturn was removed"
        } else {
            "A member of your practice on Overturn has a role now that makes no API keys"
        },
        match keys {
            1 => "One API key that this person made goes".to_owned(),
            keys => format!("{keys} API keys that this person made go"),
        },
    );
    letter(
        to,
        "API keys of your practice go on working",
        &format!(
            "{who}.\n\n\
             {keys} on working: a key belongs to the practice.\n\
             If the person may still know a key, make a new one in the settings, switch your\n\
             billing system to it, and revoke the old one. The settings show who made each key.\n"
        ),
    )
}

/// A notice about an identity at a provider that was `joined` to the account, or removed from it.
#[must_use]
pub(crate) fn identity_changed(to: &str, provider: &str, joined: bool) -> Letter {
    let (subject, what, act) = if joined {
        (
            "A way to sign in to Overturn was added",
            "connected to your Overturn account just now. Whoever signs in there with it can\n\
             sign in here.",
            "If it was not, somebody else has access to your account. Remove the sign-in\n\
             under Your account, then ask for a new password, and tell an owner or admin of\n\
             your practice.",
        )
    } else {
        (
            "A way to sign in to Overturn was removed",
            "removed from your Overturn account just now. It no longer signs in here.",
            "If it was not, somebody else has access to your account. Ask for a new password\n\
             on the sign-in page. It does not end passkeys: remove those that you do not know\n\
             under Your account. Also tell an owner or admin of your practice.",
        )
    };
    letter(
        to,
        subject,
        &format!(
            "A sign-in at {} was\n{what}\n\n\
             If that was you, there is nothing to do. {act}\n",
            quoted(provider)
        ),
    )
}

#[cfg(test)]
mod tests;
