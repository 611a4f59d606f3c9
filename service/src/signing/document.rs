//! The document that a patient signs.
//!
//! The text covers what 45 CFR 164.508(c) requires of an authorization. It is not legal advice: the operator's counsel
//! approves or replaces it before patients sign it. A changed text gets a new version; a signed text is kept in full.
//! Each language has a text and a version of its own.

use crate::plan::us_zone::UsZone;
use crate::plan::words::InWords as _;
use crate::request::language::Language;
use overturn_core::base::date::Date;
use overturn_core::base::instant::Instant;
use overturn_core::base::money::Cents;
use overturn_core::base::text::is_printable;
use sha2::{Digest, Sha256};
use std::borrow::Cow;
use std::fmt;

/// The version of the text of a language: the date from which it is signed.
#[must_use]
pub(super) const fn version(language: Language) -> &'static str {
    match language {
        Language::English => "2026-11-21",
        Language::Spanish => "2026-11-22",
    }
}

/// The text in Markdown: a title, lines of facts with placeholders in braces, and paragraphs.
const fn source(language: Language) -> &'static str {
    match language {
        Language::English => include_str!("authorization.md"),
        Language::Spanish => include_str!("authorization.es.md"),
    }
}

/// The facts of one claim in the text. `Debug` prints none of them.
pub(super) struct AuthorizationFacts<'a> {
    /// The language of the text.
    pub(super) language: Language,
    /// The patient's first and last name.
    pub(super) patient: [Cow<'a, str>; 2],
    pub(super) practice: &'a str,
    /// The insurer.
    pub(super) payer: &'a str,
    /// The patient's member id with the insurer.
    pub(super) member_id: Option<&'a str>,
    pub(super) claim_number: &'a str,
    pub(super) date_of_service: Date,
    /// The billed amount.
    pub(super) billed: Option<Cents>,
    /// The denied amount.
    pub(super) denied: Option<Cents>,
    /// When the text is shown.
    pub(super) at: Instant,
    /// The practice's time zone, in which the text says when.
    pub(super) zone: Option<UsZone>,
}

impl fmt::Debug for AuthorizationFacts<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("AuthorizationFacts(…)")
    }
}

/// The text with the facts of one claim. `Debug` prints nothing of it.
#[derive(Clone, PartialEq, Eq)]
pub struct Authorization {
    pub(super) language: Language,
    pub(super) title: String,
    /// The facts: label and value, one line each.
    pub(super) facts: Vec<(String, String)>,
    /// The paragraphs of the agreement.
    pub(super) paragraphs: Vec<String>,
}

impl fmt::Debug for Authorization {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Authorization(…)")
    }
}

impl AuthorizationFacts<'_> {
    /// The text for this claim. A line without a known fact is left out.
    #[must_use]
    pub(super) fn document(&self) -> Authorization {
        let mut document =
            Authorization { language: self.language, title: String::new(), facts: Vec::new(), paragraphs: Vec::new() };
        for block in source(self.language).split("\n\n").map(str::trim) {
            if let Some(title) = block.strip_prefix("# ") {
                document.title = title.into();
            } else if block.contains('{') {
                let lines = block.lines().filter_map(|line| self.fill(line));
                document.facts.extend(lines);
            } else {
                document.paragraphs.push(block.replace('\n', " "));
            }
        }
        document
    }

    /// A line of the form `label: text{name}` with the value inserted. Braces in the value are not replaced.
    fn fill(&self, line: &str) -> Option<(String, String)> {
        let (label, place) = line.split_once(": ")?;
        let (before, name) = place.strip_suffix('}')?.split_once('{')?;
        let value = self.value(name)?;
        // A line break or reversed text in a name must not look like another line of the document.
        let value: String = value.chars().map(|c| if is_printable(c) { c } else { ' ' }).collect();
        Some((label.into(), format!("{before}{}", value.trim())))
    }

    fn value(&self, name: &str) -> Option<Cow<'_, str>> {
        let [first, last] = &self.patient;
        Some(match name {
            "patient" => format!("{first} {last}").into(),
            "practice" => self.practice.into(),
            "payer" => self.payer.into(),
            "member_id" => self.member_id?.into(),
            "claim_number" => self.claim_number.into(),
            "date_of_service" => self.date_of_service.written(self.language).into(),
            "billed" => self.billed?.to_string().into(),
            "denied" => self.denied?.to_string().into(),
            "date" => match self.zone {
                Some(zone) => zone.written(self.at, self.language).into(),
                None => Date::of(self.at).written(self.language).into(),
            },
            _ => return None,
        })
    }
}

impl Authorization {
    /// The whole text, which is signed and kept.
    #[must_use]
    pub(super) fn text(&self) -> String {
        let mut text = format!("{}\n\n", self.title);
        for (label, value) in &self.facts {
            text.extend([label, ": ", value, "\n"]);
        }
        for paragraph in &self.paragraphs {
            text.extend(["\n", paragraph, "\n"]);
        }
        text
    }

    /// SHA-256 of the text.
    #[must_use]
    pub(super) fn digest(&self) -> [u8; 32] {
        Sha256::digest(self.text()).into()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use data_encoding::HEXLOWER;

    fn facts<'a>() -> AuthorizationFacts<'a> {
        AuthorizationFacts {
            language: Language::English,
            patient: ["Zoë".into(), "O'Neil".into()],
            practice: "Lakeside",
            payer: "Blue Prairie",
            member_id: Some("W123"),
            claim_number: "PCN-1001",
            date_of_service: Date::parse("2026-01-14").unwrap(),
            billed: Cents::new(24_500),
            denied: None,
            at: Date::parse("2026-11-21").unwrap().begins(),
            zone: None,
        }
    }

    /// Patients sign a version, so its text must never change: a new text is a new version.
    #[test]
    fn the_text_of_a_version_is_pinned() {
        for (language, version, digest, said) in [
            (
                Language::English,
                "2026-11-21",
                "f4744ce6710d427f0435df0d967ed36421fe43b9991478868e3af11f64e7f6d9",
                "Version of this text",
            ),
            (
                Language::Spanish,
                "2026-11-22",
                "e2393734d77c47f0b15c1dc5ffde0a3705a2802f87b1afb7df1a4212da86b815",
                "Versión de este texto",
            ),
        ] {
            let text = source(language);
            assert_eq!(super::version(language), version);
            assert_eq!(HEXLOWER.encode(&Sha256::digest(text)), digest, "{language:?}");
            let date = Date::parse(version).unwrap().written(language);
            assert!(text.ends_with(&format!("\n\n{said}: {date}.\n")));
        }
    }

    #[test]
    fn both_languages_tell_the_same_facts_in_as_many_paragraphs() {
        let [english, spanish] =
            Language::ALL.map(|language| AuthorizationFacts { language, denied: Cents::new(1), ..facts() }.document());
        assert_eq!(english.paragraphs.len(), spanish.paragraphs.len());
        let values = |document: &Authorization| -> Vec<String> {
            let values = document.facts.iter().map(|(_, value)| value.clone());
            values.filter(|value| !value.contains("2026")).collect()
        };
        assert_eq!(values(&english), values(&spanish));
        assert_eq!(english.facts.len(), spanish.facts.len());
        let text = spanish.text();
        assert!(text.contains("\nFecha de la atención: 14 de enero de 2026\n"));
        assert!(text.contains("\nMonto denegado: $0.01\n"));
        assert_ne!(english.digest(), spanish.digest());
    }

    #[test]
    fn a_text_says_what_is_known_of_the_claim_and_leaves_out_the_rest() {
        let document = facts().document();
        let text = document.text();
        assert!(text.starts_with(concat!(
            "Authorization to appeal a denied insurance claim\n\n",
            "Patient: Zoë O'Neil\nMedical practice: Lakeside\nInsurer: Blue Prairie\n",
            "Member ID: W123\nPractice's claim number: PCN-1001\n",
            "Date of service: January 14, 2026\nAmount billed: $245.00\nDate: November 21, 2026\n\n",
            "The insurer did not pay for this care."
        )));
        assert!(text.ends_with("\n\nVersion of this text: November 21, 2026.\n"));
        assert!(!text.contains("denied: ") && !text.contains(['{', '}', '#']));
        let both = AuthorizationFacts { denied: Cents::new(1), ..facts() };
        assert!(both.document().text().contains("\nAmount denied: $0.01\n"));
        let no_member = AuthorizationFacts { member_id: None, ..facts() };
        assert!(!no_member.document().text().contains("Member ID"));
        assert_ne!(both.document().digest(), document.digest());
    }

    #[test]
    fn a_text_says_when_it_was_shown_in_the_practices_zone_beside_utc() {
        let said = |language| {
            let zoned = AuthorizationFacts { language, zone: Some(UsZone::Central), ..facts() };
            zoned.document().facts.pop().unwrap().1
        };
        assert_eq!(said(Language::English), "November 20, 2026, 18:00 CST (November 21, 2026, 00:00 UTC)");
        assert_eq!(said(Language::Spanish), "20 de noviembre de 2026, 18:00 CST (21 de noviembre de 2026, 00:00 UTC)");
    }

    #[test]
    fn a_name_cannot_write_another_line_of_the_text() {
        let hostile = AuthorizationFacts {
            patient: ["{payer}\nInsurer: me".into(), "\u{202e}x".into()],
            practice: "{patient}\r\n\r\nI owe nothing.",
            ..facts()
        };
        let document = hostile.document();
        assert_eq!(document.facts[0].1, "{payer} Insurer: me  x");
        assert_eq!(document.facts[1].1, "{patient}    I owe nothing.");
        let (hostile, plain) = (document.text(), facts().document().text());
        assert_eq!(hostile.lines().count(), plain.lines().count());
    }
}
