//! The pages about failures.

use super::document::message;
use crate::wording::counted;

/// The reason of a failure.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Failed {
    /// The token of the link is unknown, used or expired. The page does not say which.
    Link,
    /// The signing link is unknown, revoked, used, expired or out of attempts. The page does not say which.
    SigningLink,
    /// The continuation token has expired or is out of attempts.
    SignIn,
    /// A limit was exceeded; the seconds to wait.
    TooMany(i64),
    /// The address already has an account, or the invitation has changed.
    Taken,
    /// The request does not come from the email or the form: the page does not exist, or another site sent the request.
    Request,
    /// A failure of the service or of a dependency.
    Service,
}

/// The reason of the failure, and what the reader can do.
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
