//! Fields of the wider service's requests: flags, numbers, names, addresses.

use super::rules::{CodeList, Problems, codes, is_missing, is_missing_list, required};
use crate::base::email::EmailAddress;
use crate::request::body::{Edited, Flag, Text, Texts, Whole};
use crate::request::problem::Rule;
use alloc::borrow::Cow;
use alloc::string::ToString;
use alloc::vec::Vec;
use core::fmt::Display;
use core::ops::RangeInclusive;
use uuid::Uuid;

/// The most characters of an address that are read; [`EmailAddress`] counts its own
/// way.
const EMAIL_MAX: usize = 254;

/// An optional `true` or `false`.
pub(crate) fn flag(p: &mut Problems, name: &'static str, value: &Flag) -> Option<bool> {
    match value {
        Flag::Absent => None,
        Flag::Given(flag) => Some(*flag),
        Flag::Wrong => {
            p.add(name, Rule::Flag);
            None
        }
    }
}

/// An optional whole number within a range.
pub(crate) fn whole(p: &mut Problems, name: &'static str, value: &Whole, range: RangeInclusive<i64>) -> Option<i64> {
    match value {
        Whole::Absent => None,
        Whole::Given(number) if range.contains(number) => Some(*number),
        Whole::Given(_) | Whole::Wrong => {
            p.add(name, Rule::Whole(*range.start(), *range.end()));
            None
        }
    }
}

/// A name that `parse` knows; `known` lists the names, such as `owner or member`.
pub fn one_of<T>(
    p: &mut Problems,
    name: &'static str,
    value: Text<'_>,
    known: impl Into<Cow<'static, str>>,
    parse: impl Fn(&str) -> Option<T>,
) -> Option<T> {
    if is_missing(&value) {
        p.add(name, Rule::Required);
        return None;
    }
    let parsed = match &value {
        Text::Given(text) => parse(text),
        Text::Absent | Text::Wrong => None,
    };
    if parsed.is_none() {
        p.add(name, Rule::MustBe(known.into()));
    }
    parsed
}

/// The new value of an edited field, `None` if it stays. `null` and blank text clear it.
pub(crate) fn edited<'a, T>(value: Edited<'a>, read: impl FnOnce(Text<'a>) -> Option<T>) -> Option<Option<T>> {
    match value {
        Edited::Absent => None,
        Edited::Cleared => Some(None),
        Edited::Given(text) if is_missing(&text) => Some(None),
        Edited::Given(text) => read(text).map(Some),
    }
}

/// The required id of a record.
pub(crate) fn id(p: &mut Problems, name: &'static str, value: Text<'_>) -> Option<Uuid> {
    one_of(p, name, value, "an id", |text| Uuid::try_parse(text).ok())
}

/// A required whole number within a range.
pub(crate) fn required_whole(
    p: &mut Problems,
    name: &'static str,
    value: &Whole,
    range: RangeInclusive<i64>,
) -> Option<i64> {
    if matches!(value, Whole::Absent) {
        p.add(name, Rule::Required);
    }
    whole(p, name, value, range)
}

/// An address that can receive mail.
pub(crate) fn email(p: &mut Problems, name: &'static str, value: Text<'_>) -> Option<EmailAddress> {
    let text = required(p, name, value, EMAIL_MAX)?;
    let address = EmailAddress::parse(&text);
    if address.is_none() {
        p.add(name, Rule::MustBe("an e-mail address".into()));
    }
    address
}

/// A list of at least one name that `parse` knows; `known` lists the names.
pub fn names<T: Copy>(
    p: &mut Problems,
    name: &'static str,
    value: Texts<'_>,
    (known, parse): (impl Display, impl Fn(&str) -> Option<T>),
) -> Option<Vec<T>> {
    if is_missing_list(&value) {
        p.add(name, Rule::Required);
        return None;
    }
    names_or_none(p, name, value, (known, parse))
}

/// [`names`], or an empty list.
pub(crate) fn names_or_none<T: Copy>(
    p: &mut Problems,
    name: &'static str,
    value: Texts<'_>,
    (known, parse): (impl Display, impl Fn(&str) -> Option<T>),
) -> Option<Vec<T>> {
    let form = CodeList { items: Texts::KEPT, length: Texts::KEPT, commas: false };
    let before = p.count();
    let given = codes(p, name, value, form);
    if p.count() > before {
        return None;
    }
    let parsed: Option<Vec<T>> = given.iter().map(|text| parse(text)).collect();
    if parsed.is_none() {
        p.add(name, Rule::OutOf(known.to_string().into()));
    }
    parsed
}
