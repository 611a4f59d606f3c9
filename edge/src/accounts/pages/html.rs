//! The pages of the links in [`crate::mail::letters`], as complete HTML documents.
//!
//! A link only opens a page, and the page's button submits the token: mail scanners open every link, and would use up a
//! link that works on being opened. No page needs a script.

use crate::html::{Field, document, form, message, path};
use maud::html;

/// The reason for choosing a password.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Choice<'a> {
    /// To replace a forgotten one.
    Reset,
    /// For a new account.
    Invitation {
        practice: &'a str,
        /// The name as typed so far, so that the person need not type it again.
        name: &'a str,
    },
}

/// The action that succeeded.
#[derive(Clone, Copy, Debug)]
pub(crate) enum CompletedAction {
    SignedIn,
    /// The new password is set.
    PasswordSet,
    /// The account is active.
    InvitationAccepted,
}

/// The page of a sign-in link. The form has `token`.
#[must_use]
pub(crate) fn confirm_sign_in(token: &str) -> String {
    let form = form(path::MAGIC_LINK, ("token", token), &[], "Sign in");
    let body = html! {
        p { "Press the button to sign in here, in this browser." }
        (form)
    };
    document("Sign in", None, body)
}

/// The form for the second factor, after a link or a wrong code. It has `continuation_token` and `code`.
#[must_use]
pub(crate) fn enter_code(continuation_token: &str, wrong: bool) -> String {
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

/// A problem of a form.
#[derive(Clone, Copy, Debug)]
pub(crate) struct FieldProblem<'a> {
    /// Its field.
    pub(crate) field: &'a str,
    /// The problem, as a sentence.
    pub(crate) text: &'a str,
}

/// The form for a new password. It has `token` and `password`, and for an invitation also `name`.
#[must_use]
pub(crate) fn choose_password(
    token: &str,
    choice: Choice<'_>,
    problem: Option<FieldProblem<'_>>,
) -> String {
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
            // A right-to-left name must not reverse the sentence around it.
            let body = html! {
                p { "You are invited to " bdi { (practice) } "." }
                (form)
            };
            document("Accept your invitation", problem, body)
        }
    }
}

/// The page about a success, with the next step.
#[must_use]
pub(crate) fn done(what: CompletedAction) -> String {
    let (title, text) = match what {
        CompletedAction::SignedIn => ("You are signed in", "You can close this page."),
        CompletedAction::PasswordSet => (
            "Your password is set",
            "Use it the next time you sign in. You can close this page.",
        ),
        CompletedAction::InvitationAccepted => (
            "Your account is ready",
            "Sign in with the address that the invitation came to. You can close this page.",
        ),
    };
    message(title, text)
}
