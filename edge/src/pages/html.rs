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
    let told = if problem.is_some() { "Error: " } else { "" };
    let problem = problem.map_or(String::new(), |problem| {
        let problem = Escaped(problem);
        format!("<p class=\"wrong\" id=\"problem\" role=\"alert\">{problem}</p>\n")
    });
    let title = Escaped(title);
    format!(
        "<!DOCTYPE html>
<html lang=\"en\">
<head>
<meta charset=\"utf-8\">
<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">
<meta name=\"robots\" content=\"noindex\">
<title>{told}{title} - Overturn</title>
<style>{STYLE}</style>
</head>
<body>
<main>
<p class=\"service\">Overturn</p>
<h1>{title}</h1>
{problem}{body}</main>
</body>
</html>
"
    )
}

/// A form to one path of the service, with a hidden token and one button.
pub(super) fn form(path: &str, token: (&str, &str), fields: &[Field<'_>], button: &str) -> String {
    let (name, value) = (Escaped(token.0), Escaped(token.1));
    let fields: String = fields.iter().map(ToString::to_string).collect();
    let (path, button) = (Escaped(path), Escaped(button));
    format!(
        "<form method=\"post\" action=\"{path}\">
<input type=\"hidden\" name=\"{name}\" value=\"{value}\">
{fields}<button>{button}</button>
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
