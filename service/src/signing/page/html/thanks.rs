//! The page after signing: a copy to keep.

use super::paper::{fact, paper};
use super::words::{self, Words};
use crate::html::Document;
use crate::plan::us_zone::UsZone;
use crate::plan::words::InWords as _;
use crate::request::language::Language;
use crate::signing::document::Authorization;
use crate::signing::drawing::{Drawing, HEIGHT, WIDTH};
use crate::signing::form::SignatureInput;
use maud::{Markup, PreEscaped, html};
use overturn_core::base::time::Time;

/// A stored signature.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signed<'a> {
    /// The name, the drawing, or both.
    pub(crate) given: &'a SignatureInput,
    pub(crate) at: Time,
    /// The practice's time zone.
    pub(crate) zone: Option<UsZone>,
}

/// The confirmation, with the document if its text is unchanged, and the signature.
#[must_use]
pub(crate) fn thanks(language: Language, text: Option<&Authorization>, signed: Signed<'_>) -> String {
    let words = words::of(language);
    let body = html! {
        p { (words.done) }
        @if let Some(text) = text {
            p { (words.copy) }
            h2 { (text.title) }
            (paper(text))
        }
        (signature(words, signed, language))
    };
    let document = Document { language, title: words.thanks, summary: None, body, script: None };
    document.render()
}

/// The signature in the patient's copy. A drawing is a picture inside the document, because the policy allows no other
/// images.
fn signature(words: &Words, signed: Signed<'_>, language: Language) -> Markup {
    let SignatureInput { relation, name, drawing } = signed.given;
    let at = match signed.zone {
        Some(zone) => zone.written(signed.at.0, language),
        None => signed.at.written(language),
    };
    html! {
        h2 { (words.your_signature) }
        dl {
            (fact(words.relation, &html! { (words.relation(*relation)) }))
            @if let Some(name) = name { (fact(words.signed_name, &html! { bdi { (name) } })) }
            @if let Some(drawing) = drawing { (fact(words.signed_drawing, &picture(words, drawing))) }
            (fact(words.signed_at, &html! { (at) }))
        }
    }
}

fn picture(words: &Words, drawing: &Drawing) -> Markup {
    // A path consists of numbers and letters, so it needs no escaping. SVG has this empty element, HTML does not.
    let path = PreEscaped(format!("<path d=\"{}\"/>", drawing.path()));
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(words.signed_drawing) { (path) }
    }
}
