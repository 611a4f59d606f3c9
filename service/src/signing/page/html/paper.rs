//! The text that a patient signs.

use crate::signing::document::Authorization;
use maud::{Markup, html};

/// The text as it is signed.
pub(super) fn paper(text: &Authorization) -> Markup {
    html! {
        div.paper {
            dl {
                @for (label, value) in &text.facts { (fact(label, &html! { bdi { (value) } })) }
            }
            @for paragraph in &text.paragraphs { p { (paragraph) } }
        }
    }
}

/// A label with its known values.
pub(super) fn fact(label: &str, value: &Markup) -> Markup {
    html! { div { dt { (label) } " " dd { (value) } } "\n" }
}
