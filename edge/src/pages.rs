//! The pages behind the links of [`crate::mail::letters`], as complete HTML documents.
//!
//! A link only opens a page, and the page's button sends the token on: programs that look into mail open every link in
//! it, and one that worked on being opened would be used up before its reader saw it. None of them needs script, and only
//! the one on which a patient signs has any.

mod html;
pub mod signing;

use crate::wording::counted;
use data_encoding::BASE64;
use html::{Field, STYLE, document, form};
use maud::html;
use sha2::{Digest, Sha256};
use signing::words;

/// Where the pages are, and where their forms go.
pub mod path {
    /// Signing in with a link: page and form.
    pub const MAGIC_LINK: &str = "/auth/magic_link";
    /// The form of the second factor after it.
    pub const MAGIC_LINK_CODE: &str = "/auth/magic_link/code";
    /// A new password: page and form.
    pub const PASSWORD_RESET: &str = "/auth/password_reset";
    /// An invitation: page and form.
    pub const INVITATION: &str = "/auth/invitation";
    /// Where a patient signs: the page of the link, and the form with the date of birth.
    pub const SIGN: &str = "/sign";
    /// The form with the signature.
    pub const SIGNATURE: &str = "/sign/signature";
    /// The script of the field to draw a signature on.
    pub const PAD: &str = "/sign/pad.js";
}

/// What a password is chosen for.
#[derive(Clone, Copy, Debug)]
pub enum Choice<'a> {
    /// In place of one that was forgotten.
    Reset,
    /// For an account that begins with it.
    Invitation {
        /// The name of the practice.
        practice: &'a str,
        /// The person's name as typed so far, so that nobody has to type it twice.
        name: &'a str,
    },
}

/// What was done.
#[derive(Clone, Copy, Debug)]
pub enum Done {
    /// The session has begun.
    SignedIn,
    /// The new password counts.
    PasswordSet,
    /// The account is there.
    InvitationAccepted,
}

/// Why it was not.
#[derive(Clone, Copy, Debug)]
pub enum Failed {
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

/// The page of a link that signs in. The form has `token`.
#[must_use]
pub fn confirm_sign_in(token: &str) -> String {
    let form = form(path::MAGIC_LINK, ("token", token), &[], "Sign in");
    let body = html! {
        p { "Press the button to sign in here, in this browser." }
        (form)
    };
    document("Sign in", None, body)
}

/// The second factor, after a link or after a code that was wrong. The form has `continuation_token` and `code`.
#[must_use]
pub fn enter_code(continuation_token: &str, wrong: bool) -> String {
    let code = Field {
        name: "code",
        label: "Code",
        hint: "The six digits that your authenticator app shows now, or one of your recovery codes.",
        kind: "text",
        purpose: "one-time-code",
        is_code: true,
        value: "",
        is_wrong: wrong,
    };
    let token = ("continuation_token", continuation_token);
    let form = form(path::MAGIC_LINK_CODE, token, &[code], "Sign in");
    let problem = wrong.then_some("That code is not right. Wait for the next one and enter it.");
    document("Enter your code", problem, form)
}

/// What was wrong with what was sent.
#[derive(Clone, Copy, Debug)]
pub struct Problem<'a> {
    /// The field that it is about.
    pub field: &'a str,
    /// What is wrong with it, in a sentence.
    pub text: &'a str,
}

/// A new password. The form has `token` and `password`, and of an invitation `name` as well.
#[must_use]
pub fn choose_password(token: &str, choice: Choice<'_>, problem: Option<Problem<'_>>) -> String {
    let is_wrong = |field: &str| problem.is_some_and(|problem| problem.field == field);
    let problem = problem.map(|problem| problem.text);
    let password = Field {
        name: "password",
        label: "New password",
        hint: "At least twelve characters: several words, or what a password manager makes.",
        kind: "password",
        purpose: "new-password",
        is_code: false,
        value: "",
        is_wrong: is_wrong("password"),
    };
    let token = ("token", token);
    match choice {
        Choice::Reset => {
            let form = form(path::PASSWORD_RESET, token, &[password], "Set password");
            document("Choose a new password", problem, form)
        }
        Choice::Invitation { practice, name } => {
            let person = Field {
                name: "name",
                label: "Your name",
                hint: "As your colleagues know you.",
                kind: "text",
                purpose: "name",
                is_code: false,
                value: name,
                is_wrong: is_wrong("name"),
            };
            let fields = [person, password];
            let form = form(path::INVITATION, token, &fields, "Accept invitation");
            // A name that is written from right to left must not turn the sentence around it.
            let body = html! {
                p { "You are invited to " bdi { (practice) } "." }
                (form)
            };
            document("Accept your invitation", problem, body)
        }
    }
}

/// What was done, and what comes next.
#[must_use]
pub fn done(what: Done) -> String {
    let (title, text) = match what {
        Done::SignedIn => ("You are signed in", "You can close this page."),
        Done::PasswordSet => (
            "Your password is set",
            "Use it the next time you sign in. You can close this page.",
        ),
        Done::InvitationAccepted => (
            "Your account is ready",
            "Sign in with the address that the invitation came to. You can close this page.",
        ),
    };
    message(title, text)
}

/// Why something was not done, and what helps.
#[must_use]
pub fn failed(reason: Failed) -> String {
    match reason {
        Failed::Link => message(
            "This link does not work",
            "It was used before, it is too old, or a part of it is missing. Ask for a new one.",
        ),
        Failed::SigningLink => message(words::NO_LINK, words::NO_LINK_WHY),
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

fn message(title: &str, text: &str) -> String {
    document(title, None, html! { p { (text) } })
}

/// What a browser may do with a page: show it with its one style sheet, and send its form here.
#[must_use]
pub fn content_security_policy() -> String {
    policy("")
}

/// The same of a page with a script, which is one of the service's own.
#[must_use]
pub fn content_security_policy_with_script() -> String {
    policy("script-src 'self'; ")
}

fn policy(more: &str) -> String {
    let style = BASE64.encode(&Sha256::digest(STYLE));
    format!(
        "default-src 'none'; style-src 'sha256-{style}'; {more}form-action 'self'; base-uri 'none'; frame-ancestors 'none'"
    )
}

/// A page as a response.
pub(crate) fn respond(status: axum::http::StatusCode, html: String) -> axum::response::Response {
    respond_under(content_security_policy(), status, html)
}

/// A page as a response, under a policy.
pub(crate) fn respond_under(
    policy: String,
    status: axum::http::StatusCode,
    html: String,
) -> axum::response::Response {
    use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE, HeaderName, REFERRER_POLICY};
    use axum::response::IntoResponse;
    let headers = [
        (CONTENT_TYPE, "text/html; charset=utf-8".to_owned()),
        (CONTENT_SECURITY_POLICY, policy),
        // The page's address has the token in it, so no other site is told of it. Under `no-referrer` a browser would send
        // the page's form with `Origin: null`, by which those that send no `Sec-Fetch-Site` could not tell that it is ours.
        (REFERRER_POLICY, "same-origin".to_owned()),
        // A page uses nothing of the device, and neither may what gets into it.
        (
            HeaderName::from_static("permissions-policy"),
            "camera=(), geolocation=(), microphone=(), payment=(), usb=()".to_owned(),
        ),
    ];
    (status, headers, html).into_response()
}

#[cfg(test)]
mod tests;
