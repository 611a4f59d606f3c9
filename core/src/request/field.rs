//! The rules of a field, and the messages they give.

use crate::base::ctx::Ctx;
use crate::base::date::Date;
use crate::base::money::Cents;
use crate::base::text::{is_blank, is_printable, is_visible};
use crate::request::body::{Text, Texts};
use crate::request::problem::{Problem, Rule};
use alloc::borrow::Cow;
use alloc::format;
use alloc::string::String;
use alloc::vec::Vec;
use core::fmt;

/// The problems of a request, each with the item it belongs to.
#[derive(Default)]
pub struct Problems {
    item: Option<usize>,
    /// The path of the object that is being read; empty for the body as a whole.
    path: String,
    list: Vec<Problem>,
}

impl Problems {
    /// Adds further problems to this item of the batch.
    pub(crate) fn of_item(&mut self, index: usize) {
        self.item = Some(index);
    }

    /// Adds a problem.
    pub fn add(&mut self, field: impl Into<Cow<'static, str>>, rule: Rule) {
        let field = field.into();
        let field = if self.path.is_empty() { field } else { self.below(field).into() };
        self.list.push(Problem { item: self.item, field, rule });
    }

    /// Adds a problem of the object that is being read.
    pub fn add_to_whole(&mut self, rule: Rule) {
        let field = if self.path.is_empty() { "body".into() } else { self.path.clone().into() };
        self.list.push(Problem { item: self.item, field, rule });
    }

    /// Reads an object that is the value of a field.
    pub fn inside<T>(&mut self, field: impl fmt::Display, read: impl FnOnce(&mut Self) -> T) -> T {
        let inside = self.below(field);
        let outside = core::mem::replace(&mut self.path, inside);
        let value = read(self);
        self.path = outside;
        value
    }

    /// The path of a field of the object that is being read.
    fn below(&self, field: impl fmt::Display) -> String {
        let separator = if self.path.is_empty() { "" } else { "." };
        format!("{}{separator}{field}", self.path)
    }

    /// How many there are.
    #[must_use]
    pub fn count(&self) -> usize {
        self.list.len()
    }

    /// The value of a request without problems.
    ///
    /// # Errors
    ///
    /// All problems, in the order found.
    pub fn settle<T>(self, value: Option<T>) -> Result<T, Vec<Problem>> {
        value.filter(|_| self.list.is_empty()).ok_or(self.list)
    }
}

pub fn required<'a>(p: &mut Problems, name: &'static str, value: Text<'a>, max: usize) -> Option<Cow<'a, str>> {
    let missing = is_missing(&value);
    if missing {
        p.add(name, Rule::Required);
    }
    optional(p, name, value, max)
}

pub fn optional<'a>(p: &mut Problems, name: &'static str, value: Text<'a>, max: usize) -> Option<Cow<'a, str>> {
    let text = given(p, name, value)?;
    check_length(p, name, &text, max).then_some(text)
}

/// Required text of printable characters, for values that people read, such as a number or a name.
pub fn printable<'a>(p: &mut Problems, name: &'static str, value: Text<'a>, max: usize) -> Option<Cow<'a, str>> {
    let printable = match &value {
        Text::Given(text) => are_printable(text) || is_missing(&value),
        Text::Absent | Text::Wrong => true,
    };
    let text = required(p, name, value, max);
    if !printable {
        p.add(name, Rule::Printable);
    }
    text.filter(|_| printable)
}

/// The required name of a person or a company, without characters that cut or reorder the text around them. Joiners stay: some
/// scripts need them.
pub(crate) fn name<'a>(p: &mut Problems, name: &'static str, value: Text<'a>, max: usize) -> Option<Cow<'a, str>> {
    const RULE: Rule = Rule::Form("must have no control characters and none that change the direction of text");
    let value = match value {
        Text::Given(text) if !text.chars().any(is_visible) => Text::Absent,
        other => other,
    };
    // A tab or a line break in the cell of a table is a space.
    let is_control = |c: char| c.is_ascii_control() && !c.is_ascii_whitespace();
    let cuts = |c: char| is_control(c) || matches!(c, '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
    let is_clear = !matches!(&value, Text::Given(text) if text.contains(cuts));
    let text = required(p, name, value, max);
    if !is_clear {
        p.add(name, RULE);
    }
    text.filter(|_| is_clear)
}

pub fn required_date(p: &mut Problems, name: &'static str, value: Text<'_>, ctx: &Ctx) -> Option<Date> {
    if is_missing(&value) {
        p.add(name, Rule::DateRequired);
        return None;
    }
    optional_date(p, name, value, ctx)
}

/// An optional date that is not in the future.
pub(crate) fn optional_date(p: &mut Problems, name: &'static str, value: Text<'_>, ctx: &Ctx) -> Option<Date> {
    let date = any_date(p, name, value)?;
    let past = date <= ctx.today();
    if !past {
        p.add(name, Rule::NotFuture);
    }
    past.then_some(date)
}

/// An optional date in the past or in the future.
pub fn any_date(p: &mut Problems, name: &'static str, value: Text<'_>) -> Option<Date> {
    if is_missing(&value) {
        return None;
    }
    let parsed = match &value {
        Text::Given(text) => Date::parse(text),
        Text::Absent | Text::Wrong => None,
    };
    if parsed.is_none() {
        p.add(name, Rule::Date);
    }
    parsed
}

/// An optional amount of money.
pub fn amount(p: &mut Problems, name: &'static str, value: &Text<'_>) -> Option<Cents> {
    if is_missing(value) {
        return None;
    }
    let parsed = match value {
        Text::Given(text) => Cents::parse(text),
        Text::Absent | Text::Wrong => None,
    };
    if parsed.is_none() {
        p.add(name, Rule::Amount);
    }
    parsed
}

/// Adds the problems of keys that occur more than once.
pub fn repeated(p: &mut Problems, object: &str, names: &[&'static str]) {
    for name in names {
        p.add(format!("{object}{name}"), Rule::Once);
    }
}

/// The form of a list of codes.
#[derive(Clone, Copy)]
pub struct CodeList {
    /// Most items.
    pub items: usize,
    /// Most characters of an item.
    pub length: usize,
    /// True if one text with commas may replace an array.
    pub commas: bool,
}

/// An optional list of codes. Blank codes do not count.
pub fn codes<'a>(p: &mut Problems, name: &'static str, value: Texts<'a>, form: CodeList) -> Vec<Cow<'a, str>> {
    let (items, count) = match value {
        Texts::Absent => return Vec::new(),
        Texts::One(text) if form.commas => split(text),
        Texts::One(text) if is_blank(&text) => return Vec::new(),
        Texts::Many { items, count } => (items, count),
        Texts::One(_) | Texts::Wrong => {
            p.add(name, Rule::TextArray);
            return Vec::new();
        }
    };
    if count > form.items {
        p.add(name, Rule::Items(form.items));
    }
    let mut codes = Vec::with_capacity(items.len());
    let mut wrong = false;
    for item in items {
        match item {
            Text::Given(code) => codes.push(code),
            Text::Absent | Text::Wrong => wrong = true,
        }
    }
    if wrong {
        p.add(name, Rule::TextArray);
    }
    if codes.iter().any(|code| is_longer(code, form.length)) {
        p.add(name, Rule::ItemLength(form.length));
    }
    codes
}

/// True if a list of codes is absent. A list with only invalid items is not absent.
pub fn is_missing_list(value: &Texts<'_>) -> bool {
    match value {
        Texts::Absent => true,
        Texts::One(text) => text.split(',').all(is_blank),
        Texts::Many { count, .. } => *count == 0,
        Texts::Wrong => false,
    }
}

/// `null` and blank text are the same as absent.
pub fn is_missing(value: &Text<'_>) -> bool {
    match value {
        Text::Absent => true,
        Text::Given(text) => is_blank(text),
        Text::Wrong => false,
    }
}

/// Checks a length in Unicode scalar values.
pub fn check_length(p: &mut Problems, name: &'static str, text: &str, max: usize) -> bool {
    let fits = !is_longer(text, max);
    if !fits {
        p.add(name, Rule::Length(max));
    }
    fits
}

/// The text of a value that is not blank; `None` with a problem if the value has another type.
pub fn given<'a>(p: &mut Problems, name: &'static str, value: Text<'a>) -> Option<Cow<'a, str>> {
    match value {
        Text::Given(text) if !is_blank(&text) => Some(text),
        Text::Given(_) | Text::Absent => None,
        Text::Wrong => {
            p.add(name, Rule::Text);
            None
        }
    }
}

fn is_longer(text: &str, max: usize) -> bool {
    // A text never has more characters than bytes, so few texts need counting.
    text.len() > max && text.chars().count() > max
}

/// The codes of a text with commas, up to the number that an array keeps, and how many there are.
fn split(text: Cow<'_, str>) -> (Vec<Text<'_>>, usize) {
    let count = parts(&text).count();
    let items = match text {
        Cow::Borrowed(text) => parts(text).take(Texts::KEPT).map(|code| Text::Given(Cow::Borrowed(code))).collect(),
        Cow::Owned(text) => parts(&text).take(Texts::KEPT).map(|code| Text::Given(Cow::Owned(code.into()))).collect(),
    };
    (items, count)
}

fn parts(text: &str) -> impl Iterator<Item = &str> {
    text.split(',').map(str::trim).filter(|code| !code.is_empty())
}

/// True if every character is printable. For ASCII, which most numbers are, only control characters are not.
fn are_printable(text: &str) -> bool {
    text.bytes().all(|b| matches!(b, b' '..=b'~')) || text.chars().all(is_printable)
}
