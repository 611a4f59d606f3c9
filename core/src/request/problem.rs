//! A problem of a request, as data: the item, the field and the rule.
//!
//! A host turns it into text once, in its answer. A problem never holds a value that a caller sent.

use alloc::borrow::Cow;
use alloc::boxed::Box;
use alloc::string::{String, ToString};
use alloc::vec::Vec;
use core::fmt;
use serde::{Serialize, Serializer};

/// A problem of a request. Its text is the interface's sentence for it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Problem {
    /// The item of a batch of claims, counted from 0. `None` for a problem of any other request, or of the batch as a
    /// whole.
    pub item: Option<usize>,
    /// The path of the field, such as `claim.claim_number`, or the name of a parameter or header.
    pub field: Cow<'static, str>,
    /// The rule that the field breaks.
    pub rule: Rule,
}

/// A rule that a field breaks. Its text follows the name of the field.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Rule {
    /// A field, parameter or header is required.
    Required,
    DateRequired,
    /// It or the other field is required.
    OrRequired(&'static str),
    /// It is required in a case that the text names, such as `with decided_on`.
    RequiredIf(&'static str),
    /// The header must have the `ETag` of the record that is changed.
    TagRequired,
    /// It may be given only once.
    Once,
    /// No other item of the batch may have the same value.
    Repeated,
    /// Each status may be named only once.
    EachStatusOnce,
    /// A body that is not JSON.
    Json,
    /// A number that is too large for any field.
    NumberRange,
    /// A body over the limit of a send.
    BodySize,
    /// JSON text.
    Text,
    /// A JSON object.
    Object,
    /// A JSON array.
    Array,
    /// A JSON array of text.
    TextArray,
    /// `true` or `false`.
    Flag,
    /// A whole number in this range, both ends included.
    Whole(i64, i64),
    /// An amount of money.
    Amount,
    /// A calendar date.
    Date,
    /// Not after today's UTC date.
    NotFuture,
    /// Not before this day.
    NotBefore(&'static str),
    /// Not after this day.
    NotAfter(&'static str),
    /// Only printable characters.
    Printable,
    /// The maximum number of characters.
    Length(usize),
    /// The maximum number of array items.
    Items(usize),
    /// The number of array items: from one to this number.
    OneToItems(usize),
    /// The maximum number of characters of an array item.
    ItemLength(usize),
    /// What it must be, such as `an id` or `owner or member`.
    MustBe(Cow<'static, str>),
    /// Each name of the array must be one of these.
    OutOf(Cow<'static, str>),
    /// The object may have only these keys.
    OnlyKeys(Cow<'static, str>),
    /// The object must have at least one of these keys.
    SomeKeys(Cow<'static, str>),
    /// No other key may accompany the key of a batch.
    OnlyKey,
    /// It may not be given together with this parameter.
    NotWith(&'static str),
    /// An unknown parameter; the list knows these.
    UnknownParameter(Cow<'static, str>),
    /// The same for the parameter at this position, counted from 1, whose name must not be repeated.
    UnknownParameterAt(usize, Cow<'static, str>),
    /// There are more unknown parameters than are listed.
    MoreUnknownParameters,
    /// A wrong code or password.
    NotRight,
    /// An idempotency key that was used with another body.
    OtherBody,
    /// It can be `false` only together with this field of the claim.
    FalseOnlyWith(&'static str),
    /// A rule with its own text, such as one about a URL or a new password.
    Form(&'static str),
    /// The record is not the version that the caller has seen.
    Changed,
    /// The state that prevents a change.
    Is(&'static str),
    /// The state of a claim that must be taken first.
    TakeFirst(&'static str),
    /// The level of a case that was filed or decided without the claim.
    FiledWithout(i64),
    /// The level of a case whose outcome must be recorded first.
    OutcomeMissing(i64),
    /// Claims of the case are no longer in appeal.
    LeftAppeal,
    /// A nested problem, such as the status of a claim.
    Inner(Box<Problem>),
}

impl Problem {
    /// A problem that belongs to no item of a batch.
    pub fn new(field: impl Into<Cow<'static, str>>, rule: Rule) -> Self {
        Self { item: None, field: field.into(), rule }
    }

    /// A problem of the body as a whole.
    #[must_use]
    pub const fn of_body(rule: Rule) -> Self {
        Self { item: None, field: Cow::Borrowed("body"), rule }
    }

    /// The same problem without its item, for a host that names the item itself.
    #[must_use]
    pub fn without_item(self) -> Self {
        Self { item: None, ..self }
    }
}

/// The texts of problems, in order.
#[must_use]
pub fn texts(problems: &[Problem]) -> Vec<String> {
    problems.iter().map(Problem::to_string).collect()
}

/// Splits a text of the claims interface into the item and the rest: `claims[3]: claim.payer_name is required`. For
/// clients of the service, which have only the answer.
#[must_use]
pub fn read_item(text: &str) -> Option<(usize, &str)> {
    let (item, text) = text.strip_prefix("claims[")?.split_once("]: ")?;
    Some((item.parse().ok()?, text))
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(item) = self.item {
            write!(f, "claims[{item}]: ")?;
        }
        write!(f, "{} {}", self.field, self.rule)
    }
}

impl fmt::Display for Rule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Required => f.write_str("is required"),
            Self::DateRequired => f.write_str("is required (YYYY-MM-DD)"),
            Self::OrRequired(other) => write!(f, "or {other} is required"),
            Self::RequiredIf(case) => write!(f, "is required {case}"),
            Self::TagRequired => f.write_str("is required: the ETag of what you change"),
            Self::Once => f.write_str("must be given only once"),
            Self::Repeated => f.write_str("appears more than once"),
            Self::EachStatusOnce => f.write_str("must name each status only once"),
            Self::Json => f.write_str("must be valid JSON"),
            Self::NumberRange => f.write_str("must not hold a number out of range"),
            Self::BodySize => f.write_str("is over 2 MiB"),
            Self::Text => f.write_str("must be text"),
            Self::Object => f.write_str("must be an object"),
            Self::Array => f.write_str("must be an array"),
            Self::TextArray => f.write_str("must be an array of text"),
            Self::Flag => f.write_str("must be true or false"),
            Self::Whole(from, to) => write!(f, "must be a whole number from {from} to {to}"),
            Self::Amount => f.write_str("must be a positive amount as text with two decimals"),
            Self::Date => f.write_str("must be a date (YYYY-MM-DD)"),
            Self::NotFuture => f.write_str("must not be in the future"),
            Self::NotBefore(day) => write!(f, "must not be before {day}"),
            Self::NotAfter(day) => write!(f, "must not be behind {day}"),
            Self::Printable => f.write_str("must have printable characters only"),
            Self::Length(max) => write!(f, "must be at most {max} characters"),
            Self::Items(max) => write!(f, "must have at most {max} items"),
            Self::OneToItems(max) => write!(f, "must have 1 to {max} items"),
            Self::ItemLength(max) => write!(f, "must have items of at most {max} characters"),
            Self::MustBe(known) => write!(f, "must be {known}"),
            Self::OutOf(known) => write!(f, "must be out of {known}"),
            Self::OnlyKeys(names) => write!(f, "must have only {names}"),
            Self::SomeKeys(names) => write!(f, "must have {names}"),
            Self::OnlyKey => f.write_str("must be the only key of a batch"),
            Self::NotWith(other) => write!(f, "must not be given beside {other}"),
            Self::UnknownParameter(known) => {
                write!(f, "is not a known parameter; {}", known_are(known))
            }
            Self::UnknownParameterAt(place, known) => {
                write!(f, "has an unknown parameter at position {place}; {}", known_are(known))
            }
            Self::MoreUnknownParameters => f.write_str("has more unknown parameters"),
            Self::NotRight => f.write_str("is not right"),
            Self::OtherBody => f.write_str("came with another body before"),
            Self::FalseOnlyWith(field) => {
                write!(f, "can be false only with the {field} that the claim has")
            }
            Self::Form(text) => f.write_str(text),
            Self::Changed => f.write_str("has changed, read it again"),
            Self::Is(state) => write!(f, "is {state}"),
            Self::TakeFirst(state) => write!(f, "is {state}, and only the person who has taken the claim can move it"),
            Self::FiledWithout(level) => {
                write!(f, "{level} of the case was filed or decided without the claim; open another case with it")
            }
            Self::OutcomeMissing(level) => write!(f, "of level {level} is not recorded"),
            Self::LeftAppeal => f.write_str("of the case are no longer in_appeal"),
            Self::Inner(problem) => problem.fmt(f),
        }
    }
}

/// The parameters that a query may have.
fn known_are(names: &str) -> Cow<'static, str> {
    if names.is_empty() { "no parameter is known".into() } else { alloc::format!("known are {names}").into() }
}

/// Serialized as its text.
impl Serialize for Problem {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

/// Serialized as its text.
impl Serialize for Rule {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_client_reads_the_item_of_a_written_problem() {
        let of_item = Problem { item: Some(3), ..Problem::new("claim.payer_name", Rule::Required) };
        let text = of_item.to_string();
        assert_eq!(text, "claims[3]: claim.payer_name is required");
        let rest = "claim.payer_name is required";
        assert_eq!(read_item(&text), Some((3, rest)));
        assert_eq!(of_item.without_item().to_string(), rest);
        assert_eq!(read_item(rest), None);
        assert_eq!(read_item("claims[x]: claim is required"), None);
        assert_eq!(read_item("claims[3] must be an id"), None);
    }

    #[test]
    fn a_nested_problem_is_written_after_its_path() {
        let inner = Problem::new("status", Rule::Is("received"));
        let outer = Problem::new("claims[2]", Rule::Inner(inner.into()));
        assert_eq!(outer.to_string(), "claims[2] status is received");
        assert_eq!(outer.rule.to_string(), "status is received");
    }
}
