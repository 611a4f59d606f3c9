//! The pages that say why something was not done.

use super::message;
use crate::wording::counted;

/// Why it was not.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failed {
    /// The token of the link is unknown, was used or has expired, which nobody is told apart.
    Link,
    /// Nobody can sign by the link: it is unknown, was revoked or used, has expired or was tried too often. Nobody is told
    /// which.
    SigningLink,
    /// The continuation token has expired or was tried too often.
    SignIn,
    /// A limit; so many seconds to wait.
    TooMany(i64),
    /// The address has an account already, or the invitation changed meanwhile.
    Taken,
    /// The page was not asked for as its letter or its form would: it is not there, or another site has asked.
    Request,
    /// A fault of the service, or something behind it that does not answer.
    Service,
}

/// Why something was not done, and what helps.
#[must_use]
pub(crate) fn failed(reason: Failed) -> String {
    match reason {
        Failed::Link => message(
            "This link does not work",
            "It was used before, it is too old, or a part of it is missing. Ask for a new one.",
        ),
        Failed::SigningLink => message(
            "This link does not work",
            "It may be too old, it may have been used, a part of it may be missing, or a wrong date of birth was \
     entered too often. Please ask the practice that gave it to you.",
        ),
        Failed::SignIn => message(
            "Please begin again",
            "Signing in took too long, or too many codes were wrong. Ask for a new link.",
        ),
        Failed::TooMany(seconds) => {
            let wait = counted(seconds, "second");
            message(
                "Too many tries",
                &format!("Wait {wait}, then go back and try again."),
            )
        }
        Failed::Taken => message(
            "This invitation cannot be accepted",
            "Your address has an account already, or the invitation was changed. \
             Sign in with the account that you have, or ask the person who invited you.",
        ),
        Failed::Request => message(
            "There is nothing here",
            "Open the link that you were given again, and use the page that it leads to.",
        ),
        Failed::Service => message(
            "That did not work",
            "The fault is ours, not yours. Go back and try again in a minute.",
        ),
    }
}
