//! The parts that pages are made of. [`html!`] escapes all variable text.

use crate::request::language::Language;
use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The one style sheet. The document contains it, and the policy allows it by its hash.
pub(super) const STYLE: &str = include_str!("style.css");

/// A page with one sentence in both languages: the service does not know which one the reader of a link prefers.
pub(crate) fn message_in_both(title: &str, text: &str, spanish: &str) -> String {
    let document = Document {
        language: Language::English,
        title,
        summary: None,
        body: html! { p { (text) } p lang=(Language::Spanish.name()) { (spanish) } },
        script: None,
    };
    document.render()
}

/// A complete document. Its title says that there is a problem, because a screen reader reads the title first.
pub(crate) struct Document<'a> {
    /// The language of all its text.
    pub(crate) language: Language,
    /// Its title and heading.
    pub(crate) title: &'a str,
    /// The problem, if there is one.
    pub(crate) summary: Option<Markup>,
    /// The content under the heading and the problem.
    pub(crate) body: Markup,
    /// The path of its script, if it has one.
    pub(crate) script: Option<&'a str>,
}

impl Document<'_> {
    pub(crate) fn render(self) -> String {
        let page = html! {
            (DOCTYPE) "\n"
            html lang=(self.language.name()) {
                "\n"
                head {
                    meta charset="utf-8";
                    meta name="viewport" content="width=device-width, initial-scale=1";
                    meta name="robots" content="noindex";
                    title { @if self.summary.is_some() { "Error: " } (self.title) " - Overturn" }
                    style { (PreEscaped(STYLE)) }
                    @if let Some(path) = self.script { script type="module" src=(path) {} }
                }
                body {
                    main {
                        p.service { "Overturn" }
                        h1 { (self.title) }
                        @if let Some(summary) = self.summary { (summary) }
                        (self.body)
                    }
                }
            }
            "\n"
        };
        page.into_string()
    }
}

/// A hidden field of a form.
pub(crate) fn hidden(name: &str, value: &str) -> Markup {
    html! { input type="hidden" name=(name) value=(value); }
}
