//! The page on which a patient signs: it asks for the date of birth, shows what is signed, and takes a signature.
//!
//! Everything works without script. With it there is a field to draw on, beside the one for a typed name.

mod thanks;
pub(super) mod words;

use super::html::{Document, Escaped, Hidden};
use super::path;
use overturn_core::plan::signing::drawing::{HEIGHT, WIDTH};
use overturn_core::signing::document::Document as Authorization;
use overturn_core::signing::patient::Problem;
use words::{BirthWords, Complaint};

pub use thanks::{Signed, thanks};
pub use words::BirthProblem;

/// What was filled in as the date of birth, to be shown again.
#[derive(Clone, Copy, Default)]
pub struct Typed<'a> {
    /// The month.
    pub month: &'a str,
    /// The day.
    pub day: &'a str,
    /// The year.
    pub year: &'a str,
}

impl std::fmt::Debug for Typed<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Typed(…)")
    }
}

/// The page that the link opens. The form has `token`, `month`, `day` and `year`.
#[must_use]
pub fn ask_birth(
    token: &str,
    practice: &str,
    typed: Typed<'_>,
    problem: Option<BirthProblem>,
) -> String {
    let complaints: Vec<Complaint> = problem.map(words::of_birth).into_iter().collect();
    let practice = Escaped(practice);
    let [before, after] = words::WHO_ASKS;
    let why = words::WHAT_FOR;
    let BirthWords { legend, hint } = words::BIRTH;
    let fields = [
        ("month", words::MONTH, "bday-month", typed.month),
        ("day", words::DAY, "bday-day", typed.day),
        ("year", words::YEAR, "bday-year", typed.year),
    ]
    .map(|(name, label, purpose, value)| {
        let value = Escaped(value);
        let mark = mark(&complaints, name, "");
        // A month may be typed as a name.
        let keys = if name == "month" { "" } else { " inputmode=\"numeric\"" };
        format!(
            "<div><label for=\"{name}\">{label}</label>\n<input id=\"{name}\" name=\"{name}\" type=\"text\"{keys} \
             autocomplete=\"{purpose}\" value=\"{value}\"{mark} required></div>\n"
        )
    });
    let body = format!(
        "<p>{before}<bdi>{practice}</bdi>{after}</p>
<p>{why}</p>
<form method=\"post\" action=\"{sign}\" novalidate>
{token}<fieldset aria-describedby=\"birth-hint\">
<legend>{legend}</legend>
<p class=\"hint\" id=\"birth-hint\">{hint}</p>
{errors}<div class=\"date\">
{fields}</div>
</fieldset>
<button>{go_on}</button>
</form>
",
        sign = path::SIGN,
        token = Hidden("token", token),
        fields = fields.concat(),
        errors = ["month", "day", "year"]
            .map(|name| error(&complaints, name))
            .concat(),
        go_on = words::CONTINUE,
    );
    Document {
        title: words::TITLE,
        summary: &summary(&complaints),
        body: &body,
        script: None,
    }
    .to_string()
}

/// What the form of a signature holds beside what is new.
#[derive(Clone, Copy)]
pub struct Signature<'a> {
    /// The token of the link.
    pub token: &'a str,
    /// The proof that the date of birth was right.
    pub proof: &'a str,
    /// The name as typed so far.
    pub name: &'a str,
    /// What was drawn so far.
    pub drawing: &'a str,
}

impl std::fmt::Debug for Signature<'_> {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Signature(…)")
    }
}

/// Why the form of a signature is shown again.
#[derive(Clone, Copy, Debug)]
pub enum Again<'a> {
    /// What was filled in is not enough.
    Problems(&'a [Problem]),
    /// The text is another than was shown.
    Changed,
}

/// The text with the form under it, which has `token`, `proof`, `name`, `drawing` and `consent`.
#[must_use]
pub fn ask_signature(text: &Authorization, form: Signature<'_>, again: Again<'_>) -> String {
    let complaints: Vec<Complaint> = match again {
        Again::Problems(problems) => problems.iter().map(|problem| words::of(*problem)).collect(),
        Again::Changed => vec![words::CHANGED],
    };
    let name = Escaped(form.name);
    let body = format!(
        "<p>{read}</p>
{paper}<h2>{heading}</h2>
<form method=\"post\" action=\"{action}\" novalidate>
{token}{proof}<label for=\"name\">{name_label}</label>
<p class=\"hint\" id=\"name-hint\">{name_hint}</p>
{name_error}<input id=\"name\" name=\"name\" type=\"text\" autocomplete=\"name\" spellcheck=\"false\" value=\"{name}\"{name_mark} required>
{pad}{consent_error}<div class=\"tick\"><input id=\"consent\" name=\"consent\" type=\"checkbox\" value=\"yes\"{consent_mark} required>
<label for=\"consent\">{consent}</label></div>
<button>{sign}</button>
</form>
",
        read = words::READ,
        paper = paper(text),
        heading = words::YOUR_SIGNATURE,
        action = path::SIGNATURE,
        token = Hidden("token", form.token),
        proof = Hidden("proof", form.proof),
        name_label = words::NAME,
        name_hint = words::NAME_HINT,
        name_mark = mark(&complaints, "name", "name-hint"),
        name_error = error(&complaints, "name"),
        pad = pad(form.drawing, &error(&complaints, "pad")),
        consent_error = error(&complaints, "consent"),
        consent_mark = mark(&complaints, "consent", ""),
        consent = words::CONSENT,
        sign = words::SIGN,
    );
    let summary = summary(&complaints);
    Document {
        title: &text.title,
        summary: &summary,
        body: &body,
        script: Some(path::PAD),
    }
    .to_string()
}

/// The text as it is signed.
fn paper(text: &Authorization) -> String {
    let facts = text.facts.iter().map(|(label, value)| {
        let (label, value) = (Escaped(label), Escaped(value));
        format!("<div><dt>{label}</dt> <dd><bdi>{value}</bdi></dd></div>\n")
    });
    let paragraphs = text
        .paragraphs
        .iter()
        .map(|text| format!("<p>{}</p>\n", Escaped(text)));
    let (facts, paragraphs) = (facts.collect::<String>(), paragraphs.collect::<String>());
    format!("<div class=\"paper\">\n<dl>\n{facts}</dl>\n{paragraphs}</div>\n")
}

/// The field to draw on, which the script brings out.
fn pad(drawing: &str, error: &str) -> String {
    format!(
        "<div id=\"draw\" hidden>
<p id=\"pad-label\">{label}</p>
{error}<canvas id=\"pad\" width=\"{WIDTH}\" height=\"{HEIGHT}\" tabindex=\"-1\" role=\"img\" aria-labelledby=\"pad-label\"></canvas>
<button type=\"button\" class=\"second\" id=\"clear\">{clear}</button>
<p class=\"hint\" id=\"drawn\" role=\"status\" data-drawn=\"{drawn}\" data-cleared=\"{cleared}\"></p>
</div>
<input id=\"drawing\" type=\"hidden\" name=\"drawing\" value=\"{drawing}\">
",
        label = words::DRAW,
        clear = words::CLEAR,
        drawn = words::DRAWN,
        cleared = words::CLEARED,
        drawing = Escaped(drawing),
    )
}

/// What is wrong, with a link to where it can be put right. It has the focus, so that it is read out first.
fn summary(complaints: &[Complaint]) -> String {
    if complaints.is_empty() {
        return String::new();
    }
    let items = complaints.iter().map(|Complaint { field, text }| {
        let text = Escaped(text);
        format!("<li><a href=\"#{field}\">{text}</a></li>\n")
    });
    format!(
        "<div class=\"wrong\" id=\"problem\" role=\"alert\" tabindex=\"-1\" autofocus>\n<h2>{}</h2>\n<ul>\n{}</ul>\n</div>\n",
        words::PROBLEM,
        items.collect::<String>()
    )
}

/// What is wrong with a field, beside it.
fn error(complaints: &[Complaint], field: &str) -> String {
    let wrong = complaints
        .iter()
        .filter(|complaint| complaint.field == field);
    wrong
        .map(|Complaint { field, text }| {
            let text = Escaped(text);
            format!("<p class=\"error\" id=\"problem-{field}\">{text}</p>\n")
        })
        .collect()
}

/// What describes a field: what is wrong with it, and its hint.
fn mark(complaints: &[Complaint], field: &str, hint: &str) -> String {
    if complaints.iter().any(|complaint| complaint.field == field) {
        format!(" aria-describedby=\"problem-{field} {hint}\" aria-invalid=\"true\"")
    } else if hint.is_empty() {
        String::new()
    } else {
        format!(" aria-describedby=\"{hint}\"")
    }
}

/// The script of the field to draw on.
pub const PAD_SCRIPT: &str = include_str!("signing/pad.js");

#[cfg(test)]
pub(super) mod tests;
