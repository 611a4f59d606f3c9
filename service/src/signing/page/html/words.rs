//! All texts of the signing page except the signed document. Its readers may read little English or use a screen
//! reader: short sentences, common words.

mod english;
mod spanish;

use crate::request::language::Language;
use crate::signing::birth::BirthError;
use crate::signing::form::FormProblem;
use crate::signing::signature::Relation;
use std::borrow::Cow;

/// The texts of one language.
pub(super) struct Words {
    pub(super) title: &'static str,
    /// The text before and after the practice's name.
    pub(super) who_asks: [&'static str; 2],
    pub(super) what_for: &'static str,
    /// The name of the other language, in that language.
    pub(super) other_language: &'static str,

    pub(super) birth: &'static str,
    pub(super) birth_hint: &'static str,
    pub(super) month: &'static str,
    pub(super) day: &'static str,
    pub(super) year: &'static str,
    pub(super) next: &'static str,

    pub(super) read: &'static str,
    pub(super) your_signature: &'static str,
    pub(super) relation: &'static str,
    /// In the order of [`Relation::ALL`].
    relations: [&'static str; Relation::ALL.len()],
    pub(super) name: &'static str,
    pub(super) name_hint: &'static str,
    pub(super) draw: &'static str,
    pub(super) clear: &'static str,
    pub(super) drawn: &'static str,
    pub(super) cleared: &'static str,
    pub(super) consent: &'static str,
    pub(super) sign: &'static str,

    pub(super) thanks: &'static str,
    pub(super) done: &'static str,
    pub(super) copy: &'static str,
    pub(super) signed_name: &'static str,
    pub(super) signed_drawing: &'static str,
    pub(super) signed_at: &'static str,

    pub(super) problem: &'static str,
    pub(super) changed: &'static str,
    no_month: &'static str,
    no_day: &'static str,
    no_year: &'static str,
    no_such_day: &'static str,
    future: &'static str,
    too_long: &'static str,
    /// A wrong date of birth, with the number of tries left.
    wrong: fn(i64) -> String,
    no_relation: &'static str,
    unnamed: &'static str,
    missing: &'static str,
    name_too_long: &'static str,
    name_unprintable: &'static str,
    drawing: &'static str,
    no_consent: &'static str,
}

/// The texts of a language.
pub(super) const fn of(language: Language) -> &'static Words {
    match language {
        Language::English => &english::WORDS,
        Language::Spanish => &spanish::WORDS,
    }
}

/// A problem, and the field that can correct it.
pub(super) struct Complaint {
    pub(super) field: &'static str,
    pub(super) text: Cow<'static, str>,
}

/// Why the date of birth is asked again.
#[derive(Clone, Copy, Debug)]
pub(crate) enum BirthProblem {
    /// It is not a date.
    NoDate(BirthError),
    /// It is not the patient's; the number of attempts left.
    Wrong(i64),
    /// It was correct, but too long ago.
    TooLong,
}

impl Words {
    /// Who signs, as the person says it.
    pub(super) fn relation(&self, of: Relation) -> &'static str {
        let mut known = Relation::ALL.into_iter().zip(self.relations);
        let found = known.find(|(one, _)| *one == of);
        found.map_or("", |(_, text)| text)
    }

    /// The document has changed since it was shown.
    pub(super) fn of_change(&self) -> Complaint {
        complaint("consent", self.changed)
    }

    /// A problem of the date of birth.
    pub(super) fn of_birth(&self, problem: BirthProblem) -> Complaint {
        match problem {
            BirthProblem::NoDate(why) => match why {
                BirthError::Month => complaint("month", self.no_month),
                BirthError::Day => complaint("day", self.no_day),
                BirthError::Year => complaint("year", self.no_year),
                BirthError::NoSuchDay => complaint("day", self.no_such_day),
                BirthError::Future => complaint("year", self.future),
            },
            BirthProblem::Wrong(left) => complaint("month", (self.wrong)(left)),
            BirthProblem::TooLong => complaint("month", self.too_long),
        }
    }

    /// A problem of the signature.
    pub(super) fn of_form(&self, problem: FormProblem) -> Complaint {
        match problem {
            FormProblem::Relation => complaint("relation", self.no_relation),
            FormProblem::RepresentativeUnnamed => complaint("name", self.unnamed),
            // Without a script there is no drawing field. With one, the reader sees it below.
            FormProblem::Missing => complaint("name", self.missing),
            FormProblem::NameTooLong => complaint("name", self.name_too_long),
            FormProblem::NameUnprintable => complaint("name", self.name_unprintable),
            FormProblem::Drawing => complaint("pad", self.drawing),
            FormProblem::Consent => complaint("consent", self.no_consent),
        }
    }
}

fn complaint(field: &'static str, text: impl Into<Cow<'static, str>>) -> Complaint {
    Complaint { field, text: text.into() }
}
