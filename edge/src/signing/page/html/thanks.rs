//! What a patient sees who has signed: a copy to keep.

use super::{fact, paper, words};
use crate::html::Document;
use maud::{Markup, PreEscaped, html};
use overturn_core::base::time::Time;
use overturn_core::plan::signing::drawing::{Drawing, HEIGHT, WIDTH};
use overturn_core::signing::document::Document as Authorization;
use overturn_core::signing::patient::Given;

/// A signature as it is kept.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Signed<'a> {
    /// The name, the drawing, or both.
    pub(crate) given: &'a Given,
    /// When.
    pub(crate) at: Time,
}

/// That it is done, with what was signed where it still reads as it did, and the signature.
#[must_use]
pub(crate) fn thanks(text: Option<&Authorization>, signed: Signed<'_>) -> String {
    let body = html! {
        p { (words::DONE) }
        @if let Some(text) = text {
            p { (words::COPY) }
            h2 { (text.title) }
            (paper(text))
        }
        (signature(signed))
    };
    let document = Document {
        title: words::THANKS,
        summary: None,
        body,
        script: None,
    };
    document.render()
}

/// A signature, as the patient keeps it. A drawing is a picture within the document: the policy lets no other one load.
fn signature(signed: Signed<'_>) -> Markup {
    let Given { name, drawing } = signed.given;
    let at = html! { (signed.at.in_words()) };
    html! {
        h2 { (words::YOUR_SIGNATURE) }
        dl {
            @if let Some(name) = name { (fact(words::SIGNED_NAME, &html! { bdi { (name) } })) }
            @if let Some(drawing) = drawing { (fact(words::SIGNED_DRAWING, &picture(drawing))) }
            (fact(words::SIGNED_AT, &at))
        }
    }
}

fn picture(drawing: &Drawing) -> Markup {
    // A path is made of numbers and letters, so it needs no escaping. HTML has no empty element of this name, SVG has.
    let path = PreEscaped(format!("<path d=\"{}\"/>", drawing.path()));
    html! {
        svg viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(words::SIGNED_DRAWING) { (path) }
    }
}
