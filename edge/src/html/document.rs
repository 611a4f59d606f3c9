//! The parts that pages are made of. [`html!`] escapes all variable text.

use maud::{DOCTYPE, Markup, PreEscaped, html};

/// The one style sheet. The document contains it, and the policy allows it by its hash.
pub(super) const STYLE: &str = include_str!("style.css");

/// A complete document. Its title says that there is a problem, because a screen reader reads the title first.
pub(crate) fn document(title: &str, problem: Option<&str>, body: Markup) -> String {
    let document = Document {
        title,
        summary: problem.map(|problem| html! { p.wrong #problem role="alert" { (problem) } }),
        body,
        script: None,
    };
    document.render()
}

/// A page with one sentence.
pub(crate) fn message(title: &str, text: &str) -> String {
    document(title, None, html! { p { (text) } })
}

/// A complete document.
pub(crate) struct Document<'a> {
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
            html lang="en" {
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

/// A form to one path of the service, with a hidden token and one button.
pub(crate) fn form(path: &str, token: (&str, &str), fields: &[Field<'_>], button: &str) -> Markup {
    html! {
        form method="post" action=(path) {
            (hidden(token.0, token.1))
            @for field in fields { (field.render()) }
            button { (button) }
        }
    }
}

/// A labeled input that must be filled in.
pub(crate) struct Field<'a> {
    /// Its name and its id.
    pub(crate) name: &'static str,
    pub(crate) label: &'static str,
    pub(crate) hint: &'static str,
    /// The attribute `type`.
    pub(crate) kind: &'static str,
    /// The attribute `autocomplete`.
    pub(crate) purpose: &'static str,
    /// Whether it takes a code. A code is not a word of any language.
    pub(crate) is_code: bool,
    pub(crate) value: &'a str,
    /// Whether the problem of the document is about this field.
    pub(crate) is_wrong: bool,
}

impl Field<'_> {
    fn render(&self) -> Markup {
        let name = self.name;
        let problem = if self.is_wrong { "problem " } else { "" };
        html! {
            label for=(name) { (self.label) }
            p.hint id={ (name) "-hint" } { (self.hint) }
            input id=(name) name=(name) value=(self.value) type=(self.kind) autocomplete=(self.purpose)
                autocapitalize=[self.is_code.then_some("none")] spellcheck=[self.is_code.then_some("false")]
                autofocus[self.is_code] aria-describedby={ (problem) (name) "-hint" }
                aria-invalid=[self.is_wrong.then_some("true")] required;
            "\n"
        }
    }
}
