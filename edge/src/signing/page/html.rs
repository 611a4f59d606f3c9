//! The HTML of the signing page: the date of birth, the document, and the signature.
//!
//! Everything works without a script. The script adds a drawing field beside the typed name.

mod paper;
mod thanks;
pub(super) mod words;

use crate::html::{Document, hidden, path};
use maud::{Markup, html};
use overturn_core::plan::signing::drawing::{HEIGHT, WIDTH};
use overturn_core::signing::document::Authorization;
use overturn_core::signing::form::FormProblem;
use paper::paper;
use words::{BirthWords, Complaint};

pub(crate) use thanks::{Signed, thanks};
pub(crate) use words::BirthProblem;

/// The entered date of birth, to be shown again.
#[derive(Clone, Copy, Default)]
pub(crate) struct Typed<'a> {
    pub(crate) month: &'a str,
    pub(crate) day: &'a str,
    pub(crate) year: &'a str,
}

impl std::fmt::Debug for Typed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Typed(…)")
    }
}

/// The page of the link. The form has `token`, `month`, `day` and `year`.
#[must_use]
pub(crate) fn ask_birth(
    token: &str,
    practice: &str,
    typed: Typed<'_>,
    problem: Option<BirthProblem>,
) -> String {
    let complaints: Vec<Complaint> = problem.map(words::of_birth).into_iter().collect();
    let [before, after] = words::WHO_ASKS;
    let BirthWords { legend, hint } = words::BIRTH;
    // A month may be typed as a name.
    let fields = [
        ("month", words::MONTH, "bday-month", typed.month, None),
        ("day", words::DAY, "bday-day", typed.day, Some("numeric")),
        (
            "year",
            words::YEAR,
            "bday-year",
            typed.year,
            Some("numeric"),
        ),
    ];
    let body = html! {
        p { (before) bdi { (practice) } (after) }
        p { (words::WHAT_FOR) }
        form method="post" action=(path::SIGN) novalidate {
            (hidden("token", token))
            fieldset aria-describedby="birth-hint" {
                legend { (legend) }
                p.hint #birth-hint { (hint) }
                @for (name, ..) in fields { (error(&complaints, name)) }
                div.date {
                    @for (name, label, purpose, value, keys) in fields {
                        div {
                            label for=(name) { (label) } "\n"
                            input id=(name) name=(name) type="text" inputmode=[keys] autocomplete=(purpose) value=(value)
                                aria-describedby=[described(&complaints, name, None)]
                                aria-invalid=[is_wrong(&complaints, name)] required;
                        }
                        "\n"
                    }
                }
            }
            button { (words::CONTINUE) }
        }
    };
    let document = Document {
        title: words::TITLE,
        summary: summary(&complaints),
        body,
        script: None,
    };
    document.render()
}

/// The values of the signature form.
#[derive(Clone, Copy)]
pub(crate) struct SignatureFields<'a> {
    pub(crate) token: &'a str,
    /// The proof of the correct date of birth.
    pub(crate) proof: &'a str,
    /// The name as typed so far.
    pub(crate) name: &'a str,
    /// The drawing so far.
    pub(crate) drawing: &'a str,
}

impl std::fmt::Debug for SignatureFields<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("SignatureFields(…)")
    }
}

/// Why the signature form is shown again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Again<'a> {
    /// It has problems.
    Problems(&'a [FormProblem]),
    /// The document has changed since it was shown.
    Changed,
}

/// The document with the form under it, which has `token`, `proof`, `name`, `drawing` and `consent`.
#[must_use]
pub(crate) fn ask_signature(
    text: &Authorization,
    form: SignatureFields<'_>,
    again: Again<'_>,
) -> String {
    let complaints: Vec<Complaint> = match again {
        Again::Problems(problems) => problems.iter().map(|problem| words::of(*problem)).collect(),
        Again::Changed => vec![words::CHANGED],
    };
    let body = html! {
        p { (words::READ) }
        (paper(text))
        h2 { (words::YOUR_SIGNATURE) }
        form method="post" action=(path::SIGNATURE) novalidate {
            (hidden("token", form.token))
            (hidden("proof", form.proof))
            label for="name" { (words::NAME) }
            p.hint #name-hint { (words::NAME_HINT) }
            (error(&complaints, "name"))
            input #name name="name" type="text" autocomplete="name" spellcheck="false" value=(form.name)
                aria-describedby=[described(&complaints, "name", Some("name-hint"))]
                aria-invalid=[is_wrong(&complaints, "name")] required;
            "\n"
            (pad(form.drawing, &complaints))
            (error(&complaints, "consent"))
            div.tick {
                input #consent name="consent" type="checkbox" value="yes"
                    aria-describedby=[described(&complaints, "consent", None)]
                    aria-invalid=[is_wrong(&complaints, "consent")] required;
                "\n"
                label for="consent" { (words::CONSENT) }
            }
            button { (words::SIGN) }
        }
    };
    let document = Document {
        title: &text.title,
        summary: summary(&complaints),
        body,
        script: Some(path::PAD),
    };
    document.render()
}

/// The field to draw on. The script shows it.
fn pad(drawing: &str, complaints: &[Complaint]) -> Markup {
    html! {
        div #draw hidden {
            p #pad-label { (words::DRAW) }
            (error(complaints, "pad"))
            canvas #pad width=(WIDTH) height=(HEIGHT) tabindex="-1" role="img" aria-labelledby="pad-label" {}
            "\n"
            button.second #clear type="button" { (words::CLEAR) }
            p.hint #drawn role="status" data-drawn=(words::DRAWN) data-cleared=(words::CLEARED) {}
        }
        input #drawing type="hidden" name="drawing" value=(drawing);
    }
}

/// The problems, with links to their fields. It has the focus, so a screen reader reads it first.
fn summary(complaints: &[Complaint]) -> Option<Markup> {
    let markup = html! {
        div.wrong #problem role="alert" tabindex="-1" autofocus {
            h2 { (words::PROBLEM) }
            ul {
                @for Complaint { field, text } in complaints {
                    li { a href={ "#" (field) } { (text) } }
                }
            }
        }
    };
    (!complaints.is_empty()).then_some(markup)
}

/// The problem of a field, beside it.
fn error(complaints: &[Complaint], field: &str) -> Markup {
    html! {
        @for complaint in complaints.iter().filter(|complaint| complaint.field == field) {
            p.error id={ "problem-" (field) } { (complaint.text) }
        }
    }
}

/// The ids of a field's descriptions: its problem and its hint.
fn described(complaints: &[Complaint], field: &str, hint: Option<&str>) -> Option<String> {
    match (is_wrong(complaints, field), hint) {
        (Some(_), hint) => Some(format!("problem-{field} {}", hint.unwrap_or_default())),
        (None, hint) => hint.map(ToOwned::to_owned),
    }
}

/// The attribute `aria-invalid` of a field.
fn is_wrong(complaints: &[Complaint], field: &str) -> Option<&'static str> {
    let is_wrong = complaints.iter().any(|complaint| complaint.field == field);
    is_wrong.then_some("true")
}

/// The script of the drawing field.
pub(crate) const PAD_SCRIPT: &str = include_str!("html/pad.js");

#[cfg(test)]
pub(crate) mod tests;
