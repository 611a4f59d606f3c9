//! The HTML of the signing page: the date of birth, the document, and the signature.
//!
//! Everything works without a script. The script adds a drawing field beside the typed name.

mod paper;
mod thanks;
pub(super) mod words;

use crate::html::{Document, hidden, path};
use crate::request::language::Language;
use crate::signing::document::Authorization;
use crate::signing::drawing::{HEIGHT, WIDTH};
use crate::signing::form::FormProblem;
use crate::signing::signature::Relation;
use maud::{Markup, html};
use paper::paper;
use words::{Complaint, Words};

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

/// The page of the link. The form has `token`, `language`, `month`, `day` and `year`.
#[must_use]
pub(crate) fn ask_birth(
    language: Language,
    token: &str,
    practice: &str,
    typed: Typed<'_>,
    problem: Option<BirthProblem>,
) -> String {
    let words = words::of(language);
    let complaints: Vec<Complaint> = problem.map(|problem| words.of_birth(problem)).into_iter().collect();
    let [before, after] = words.who_asks;
    // A month may be typed as a name.
    let fields = [
        ("month", words.month, "bday-month", typed.month, None),
        ("day", words.day, "bday-day", typed.day, Some("numeric")),
        ("year", words.year, "bday-year", typed.year, Some("numeric")),
    ];
    let body = html! {
        (switch(language, path::SIGN, "get", &[("token", token)]))
        p { (before) bdi { (practice) } (after) }
        p { (words.what_for) }
        form method="post" action=(path::SIGN) novalidate {
            (hidden("token", token))
            (hidden("language", language.name()))
            fieldset aria-describedby="birth-hint" {
                legend { (words.birth) }
                p.hint #birth-hint { (words.birth_hint) }
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
            button { (words.next) }
        }
    };
    let document = Document { language, title: words.title, summary: summary(words, &complaints), body, script: None };
    document.render()
}

/// The values of the signature form.
#[derive(Clone, Copy)]
pub(crate) struct SignatureFields<'a> {
    pub(crate) token: &'a str,
    /// The proof of the correct date of birth.
    pub(crate) proof: &'a str,
    /// Who signs.
    pub(crate) relation: Relation,
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
    Problems(&'a [FormProblem]),
    /// The document has changed since it was shown.
    Changed,
}

/// The document with the form under it, which has `token`, `proof`, `language`, `relation`, `name`, `drawing` and `consent`.
#[must_use]
pub(crate) fn ask_signature(text: &Authorization, form: SignatureFields<'_>, again: Again<'_>) -> String {
    let words = words::of(text.language);
    let complaints: Vec<Complaint> = match again {
        Again::Problems(problems) => problems.iter().map(|problem| words.of_form(*problem)).collect(),
        Again::Changed => vec![words.of_change()],
    };
    let proven = [("token", form.token), ("proof", form.proof), (SWITCH, "yes")];
    let body = html! {
        (switch(text.language, path::SIGNATURE, "post", &proven))
        p { (words.read) }
        (paper(text))
        h2 { (words.your_signature) }
        form method="post" action=(path::SIGNATURE) novalidate {
            (hidden("token", form.token))
            (hidden("proof", form.proof))
            (hidden("language", text.language.name()))
            label for="relation" { (words.relation) }
            (error(&complaints, "relation"))
            select #relation name="relation" aria-describedby=[described(&complaints, "relation", None)]
                aria-invalid=[is_wrong(&complaints, "relation")] {
                @for relation in Relation::ALL {
                    option value=(relation.name()) selected[relation == form.relation] { (words.relation(relation)) }
                }
            }
            "\n"
            label for="name" { (words.name) }
            p.hint #name-hint { (words.name_hint) }
            (error(&complaints, "name"))
            input #name name="name" type="text" autocomplete="name" spellcheck="false" value=(form.name)
                aria-describedby=[described(&complaints, "name", Some("name-hint"))]
                aria-invalid=[is_wrong(&complaints, "name")] required;
            "\n"
            (pad(words, form.drawing, &complaints))
            (error(&complaints, "consent"))
            div.tick {
                input #consent name="consent" type="checkbox" value="yes"
                    aria-describedby=[described(&complaints, "consent", None)]
                    aria-invalid=[is_wrong(&complaints, "consent")] required;
                "\n"
                label for="consent" { (words.consent) }
            }
            button { (words.sign) }
        }
    };
    let document = Document {
        language: text.language,
        title: &text.title,
        summary: summary(words, &complaints),
        body,
        script: Some(path::PAD),
    };
    document.render()
}

/// The field of the form that asks for the other language instead of signing.
pub(crate) const SWITCH: &str = "switch";

/// The button that shows the page in the other language. It is a form, because the document needs its proof again.
fn switch(language: Language, action: &str, method: &str, fields: &[(&str, &str)]) -> Markup {
    let other = match language {
        Language::English => Language::Spanish,
        Language::Spanish => Language::English,
    };
    html! {
        form.switch method=(method) action=(action) {
            @for (name, value) in fields { (hidden(name, value)) }
            (hidden("language", other.name()))
            button.second lang=(other.name()) { (words::of(language).other_language) }
        }
    }
}

/// The field to draw on. The script shows it.
fn pad(words: &Words, drawing: &str, complaints: &[Complaint]) -> Markup {
    html! {
        div #draw hidden {
            p #pad-label { (words.draw) }
            (error(complaints, "pad"))
            canvas #pad width=(WIDTH) height=(HEIGHT) tabindex="-1" role="img" aria-labelledby="pad-label" {}
            "\n"
            button.second #clear type="button" { (words.clear) }
            p.hint #drawn role="status" data-drawn=(words.drawn) data-cleared=(words.cleared) {}
        }
        input #drawing type="hidden" name="drawing" value=(drawing);
    }
}

/// The problems, with links to their fields. It has the focus, so a screen reader reads it first.
fn summary(words: &Words, complaints: &[Complaint]) -> Option<Markup> {
    let markup = html! {
        div.wrong #problem role="alert" tabindex="-1" autofocus {
            h2 { (words.problem) }
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
