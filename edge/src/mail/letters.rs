//! What the service writes to people. Plain text, and nothing of a patient in it.
//!
//! A link stands on a line of its own. Names were chosen by somebody who is perhaps no friend of the reader, so they
//! never come into a subject, and `quoted` keeps them from becoming a link or a line of the letter.

mod notices;

pub(crate) use notices::{
    agreement_ended, data_destroyed, destruction_cancelled, destruction_requested, resends_stopped,
    return_requested,
};

use crate::wording::{counted, span};
use overturn_core::base::text::is_printable;
use std::net::IpAddr;

/// The longest name that is written out, in characters. Longer ones are cut.
const NAME_MAX: usize = 100;

/// One letter to one person.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Letter {
    /// The address, which was checked when it came in.
    pub(crate) to: String,
    /// One line.
    pub(crate) subject: String,
    /// Plain text, with `\n` at the end of a line.
    pub(crate) text: String,
}

/// A link that signs in. `valid_ms` is how long it does, in milliseconds.
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

/// A link that leads to a new password. `valid_ms` is how long it does, in milliseconds.
#[must_use]
pub(crate) fn password_reset(to: &str, url: &str, valid_ms: i64) -> Letter {
    letter(
        to,
        "Choose a new password for Overturn",
        &format!(
            "Somebody, probably you, asked for a new password for your Overturn account.\n\n\
             Open this link to choose one. It works once, for {}:\n\n{url}\n\n\
             If you did not ask for it, you do not need to do anything. Your password\n\
             stays as it is. Do not share the link.\n",
            span(valid_ms)
        ),
    )
}

/// An invitation into a practice. `valid_ms` is how long it holds, in milliseconds.
#[must_use]
pub(crate) fn invitation(
    to: &str,
    practice_name: &str,
    inviter_name: &str,
    url: &str,
    valid_ms: i64,
) -> Letter {
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

/// Says afterwards that the password was changed.
#[must_use]
pub(crate) fn password_changed(to: &str) -> Letter {
    changed(to, "password", "Your Overturn password was changed")
}

/// Says afterwards that a second factor was added, replaced or removed.
#[must_use]
pub(crate) fn factor_changed(to: &str) -> Letter {
    changed(
        to,
        "second factor",
        "Your second factor for Overturn was changed",
    )
}

/// There is no link in it: whoever gets used to links in such letters will follow a false one.
fn changed(to: &str, what: &str, subject: &str) -> Letter {
    letter(
        to,
        subject,
        &format!(
            "The {what} of your Overturn account was changed just now.\n\n\
             If that was you, there is nothing to do. If it was not, somebody else has\n\
             access to your account. Ask for a new password on the sign-in page, and tell\n\
             an owner or admin of your practice.\n"
        ),
    )
}

/// Says afterwards that a recovery code let somebody in, and how many are left.
#[must_use]
pub(crate) fn recovery_code_used(to: &str, at: &str, left: usize) -> Letter {
    let left = match left {
        0 => "It was your last one. Make new ones in your settings now, so that you can\n\
              sign in even if you lose your phone."
            .to_owned(),
        left => {
            let codes = counted(i64::try_from(left).unwrap_or(i64::MAX), "recovery code");
            format!("You have {codes} left. You can make new ones in your settings.")
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

/// Says afterwards that somebody signed in on a device that had not been used before.
#[must_use]
pub(crate) fn new_device(to: &str, at: &str, ip: &str, agent: &str) -> Letter {
    let browser = if agent.trim().is_empty() {
        "not known".to_owned()
    } else {
        quoted(agent)
    };
    letter(
        to,
        "New sign-in to your Overturn account",
        &format!(
            "Somebody signed in to your Overturn account on a device or in a browser that\n\
             had not been used for it before.\n\n\
             When:    {at}\n\
             Address: {}\n\
             Browser: {browser}\n\n{ACT}",
            address(ip)
        ),
    )
}

/// Says that no password is right any more, and what opens the account again. `failures` is how many were wrong in a row.
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

/// What to do where it was somebody else.
const ACT: &str = "If that was you, there is nothing to do. If it was not, somebody else has access\n\
     to your account. Ask for a new password on the sign-in page. This ends every\n\
     session. Also tell an owner or admin of your practice.\n";

/// An address of the network as it stands in a letter.
fn address(ip: &str) -> String {
    let plain = ip.parse().map(|ip: IpAddr| ip.to_string());
    plain.unwrap_or_else(|_| "not known".to_owned())
}

/// Says that an endpoint of the practice is told nothing more. It names none: an address may hold a secret.
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

/// Tells an auditor that somebody of the staff opened more patients than is usual. It names nobody: the trail does.
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

/// Tells an owner that keys go on working whose maker was `removed`, or may make none any more. It names nobody and no key, and has no
/// link: the settings show which keys they are.
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

fn letter(to: &str, subject: &str, text: &str) -> Letter {
    Letter {
        to: to.to_owned(),
        subject: subject.to_owned(),
        text: format!("{text}\nOverturn. Nobody reads replies to this address.\n"),
    }
}

/// A name as it stands in a letter. Mail programs make links of whatever looks like an address, so what addresses are
/// made of is taken apart: `evil.example/x` becomes `"evil. example x"`.
fn quoted(name: &str) -> String {
    let mut plain = String::new();
    for c in name.chars() {
        match c {
            '.' | '。' | '．' | '｡' => plain.push_str(". "),
            '"' => plain.push('\''),
            ':' | '/' | '\\' | '@' | '＠' | '<' | '>' => plain.push(' '),
            c if c.is_whitespace() || !is_printable(c) => plain.push(' '),
            c => plain.push(c),
        }
    }
    let words: Vec<&str> = plain.split_whitespace().collect();
    let words = words.join(" ");
    let cut: String = words.chars().take(NAME_MAX).collect();
    let more = if cut == words { "" } else { "…" };
    format!("\"{cut}{more}\"")
}

#[cfg(test)]
mod tests;
