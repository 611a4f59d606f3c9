//! What a patient sees who has signed: a copy to keep.

use super::super::html::{Document, Escaped};
use super::{paper, words};
use overturn_core::base::time::Time;
use overturn_core::plan::signing::drawing::{HEIGHT, WIDTH};
use overturn_core::signing::document::Document as Authorization;
use overturn_core::signing::patient::Given;

/// A signature as it is kept.
#[derive(Clone, Copy, Debug)]
pub struct Signed<'a> {
    /// The name, the drawing, or both.
    pub given: &'a Given,
    /// When.
    pub at: Time,
}

/// That it is done, with what was signed where it still reads as it did, and the signature.
#[must_use]
pub fn thanks(text: Option<&Authorization>, signed: Signed<'_>) -> String {
    let copy = text.map_or_else(String::new, |text| {
        format!(
            "<p>{}</p>\n<h2>{}</h2>\n{}",
            words::COPY,
            Escaped(&text.title),
            paper(text)
        )
    });
    let signature = signature(signed);
    let body = format!("<p>{}</p>\n{copy}{signature}", words::DONE);
    Document {
        title: words::THANKS,
        summary: "",
        body: &body,
        script: None,
    }
    .to_string()
}

/// A signature, as the patient keeps it. A drawing is a picture within the document: the policy lets no other one load.
fn signature(signed: Signed<'_>) -> String {
    let fact = |label: &str, value: &str| format!("<div><dt>{label}</dt> <dd>{value}</dd></div>\n");
    let name = signed.given.name.as_deref().map(|name| {
        let name = format!("<bdi>{}</bdi>", Escaped(name));
        fact(words::SIGNED_NAME, &name)
    });
    let drawing = signed.given.drawing.as_ref().map(|drawing| {
        let picture = format!(
            "<svg viewBox=\"0 0 {WIDTH} {HEIGHT}\" role=\"img\" aria-label=\"{}\"><path d=\"{}\"/></svg>",
            words::SIGNED_DRAWING,
            drawing.path()
        );
        fact(words::SIGNED_DRAWING, &picture)
    });
    let [name, drawing] = [name, drawing].map(Option::unwrap_or_default);
    format!(
        "<h2>{}</h2>\n<dl>\n{name}{drawing}{}</dl>\n",
        words::YOUR_SIGNATURE,
        fact(words::SIGNED_AT, &signed.at.in_words())
    )
}
