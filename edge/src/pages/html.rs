//! The parts that pages are made of. Whatever varies goes through [`Escaped`].

use std::fmt;

/// The one style sheet. It stands in the document; the policy allows it by its hash.
pub(super) const STYLE: &str = include_str!("style.css");

/// Text as it may stand in an element or in a quoted attribute.
pub(super) struct Escaped<'a>(pub(super) &'a str);

impl fmt::Display for Escaped<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for c in self.0.chars() {
            match c {
                '&' => f.write_str("&amp;"),
                '<' => f.write_str("&lt;"),
                '>' => f.write_str("&gt;"),
                '"' => f.write_str("&quot;"),
                '\'' => f.write_str("&#39;"),
                c => fmt::Write::write_char(f, c),
            }?;
        }
        Ok(())
    }
}

/// A complete document. A problem is told in its title as well, which is what is read out first.
pub(super) fn document(title: &str, problem: Option<&str>, body: &str) -> String {
    let summary = problem.map_or(String::new(), |problem| {
        let problem = Escaped(problem);
        format!("<p class=\"wrong\" id=\"problem\" role=\"alert\">{problem}</p>\n")
    });
    let document = Document {
        title,
        summary: &summary,
        body,
        script: None,
    };
    document.to_string()
}

/// A complete document.
pub(super) struct Document<'a> {
    /// Its title and heading.
    pub(super) title: &'a str,
    /// The HTML that says what is wrong, empty where nothing is.
    pub(super) summary: &'a str,
    /// The HTML under it.
    pub(super) body: &'a str,
    /// Where its script is, where it has one.
    pub(super) script: Option<&'a str>,
}

impl fmt::Display for Document<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let told = if self.summary.is_empty() {
            ""
        } else {
            "Error: "
        };
        let (title, summary, body) = (Escaped(self.title), self.summary, self.body);
        let script = self.script.map_or(String::new(), |path| {
            format!(
                "<script type=\"module\" src=\"{}\"></script>\n",
                Escaped(path)
            )
        });
        write!(
            f,
            "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"robots\" content=\"noindex\">
<title>{told}{title} - Overturn</title>
<style>{STYLE}</style>
{script}</head>
<body>
<main>
<p class=\"service\">Overturn</p>
<h1>{title}</h1>
{summary}{body}</main>
</body>
</html>
"
        )
    }
}

/// A hidden field of a form: its name and its value.
pub(super) struct Hidden<'a>(pub(super) &'a str, pub(super) &'a str);

impl fmt::Display for Hidden<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, value) = (Escaped(self.0), Escaped(self.1));
        writeln!(
            f,
            "<input type=\"hidden\" name=\"{name}\" value=\"{value}\">"
        )
    }
}

/// A form to one path of the service, with a hidden token and one button.
pub(super) fn form(path: &str, token: (&str, &str), fields: &[Field<'_>], button: &str) -> String {
    let token = Hidden(token.0, token.1);
    let fields: String = fields.iter().map(ToString::to_string).collect();
    let (path, button) = (Escaped(path), Escaped(button));
    format!(
        "<form method=\"post\" action=\"{path}\">
{token}{fields}<button>{button}</button>
</form>
"
    )
}

/// A labelled input that must be filled in.
pub(super) struct Field<'a> {
    /// Its name and its id.
    pub(super) name: &'static str,
    pub(super) label: &'static str,
    pub(super) hint: &'static str,
    /// Attributes beside those that every input has.
    pub(super) attributes: &'static str,
    pub(super) value: &'a str,
    /// Whether the problem of the document is about this.
    pub(super) is_wrong: bool,
}

impl fmt::Display for Field<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let (name, label) = (Escaped(self.name), Escaped(self.label));
        let (hint, value) = (Escaped(self.hint), Escaped(self.value));
        let attributes = self.attributes;
        let (wrong, problem) = if self.is_wrong {
            (" aria-invalid=\"true\"", "problem ")
        } else {
            ("", "")
        };
        writeln!(f, "<label for=\"{name}\">{label}</label>")?;
        writeln!(f, "<p class=\"hint\" id=\"{name}-hint\">{hint}</p>")?;
        writeln!(
            f,
            "<input id=\"{name}\" name=\"{name}\" value=\"{value}\" {attributes} \
             aria-describedby=\"{problem}{name}-hint\"{wrong} required>"
        )
    }
}
