//! A claim of an 837, with what the join and the written claim need.

use crate::amount::Amount;
use crate::code::Code;
use crate::day::Day;
use crate::envelope::CreatedAt;
use crate::text;
use alloc::boxed::Box;
use alloc::string::String;
use alloc::vec::Vec;
use core::cmp::Ordering;

/// Ends a text within a list.
const END: u8 = 0x1e;

/// A list of short texts in one.
#[derive(Clone, Default)]
pub(crate) struct Texts(Vec<u8>);

impl Texts {
    pub(crate) fn push(&mut self, text: &[u8]) {
        self.0.extend(text.iter().filter(|byte| **byte != END));
        self.0.push(END);
    }

    pub(crate) fn iter(&self) -> impl Iterator<Item = &[u8]> {
        let texts = self.0.strip_suffix(&[END]);
        texts.into_iter().flat_map(|texts| texts.split(|byte| *byte == END))
    }

    /// Forgets the texts and keeps the memory.
    pub(crate) fn clear(&mut self) {
        self.0.clear();
    }
}

/// The texts of a claim before it is kept, as they are in the file.
#[derive(Clone, Copy)]
pub(crate) struct Parts<'a> {
    /// CLM01.
    pub(crate) number: &'a [u8],
    pub(crate) last_name: &'a [u8],
    pub(crate) first_name: &'a [u8],
    /// The subscriber's member id, empty if there is none.
    pub(crate) member_id: &'a [u8],
    /// ICD-10 codes with the dot.
    pub(crate) diagnoses: &'a Texts,
    /// For each line its control number (REF*6R) and its HCPCS or CDT code with the modifiers, either of which may be empty.
    pub(crate) lines: &'a Texts,
}

/// A claim (CLM) with its patient. A year of claims has millions, so all its texts are one allocation.
#[derive(Clone, PartialEq, Eq)]
pub(crate) struct SubmittedClaim {
    /// Number, last name, first name, member id, diagnoses, lines.
    text: Box<str>,
    /// Where the first five of them end.
    ends: [u32; 5],
    pub(crate) date_of_birth: Option<Day>,
    /// The earliest DTP*472 of a line, else the first day of DTP*434.
    pub(crate) day: Option<Day>,
    pub(crate) charge: Amount,
    /// SBR09.
    pub(crate) filing: Code,
    /// When the group was created.
    pub(crate) created: CreatedAt,
}

impl SubmittedClaim {
    pub(crate) fn new(parts: Parts<'_>) -> Self {
        let texts =
            [parts.number, parts.last_name, parts.first_name, parts.member_id, &parts.diagnoses.0, &parts.lines.0];
        let (text, ends) = decoded(&texts);
        Self {
            text: text.into(),
            ends,
            date_of_birth: None,
            day: None,
            charge: Amount::ZERO,
            filing: Code::default(),
            created: CreatedAt::default(),
        }
    }

    fn part(&self, at: usize) -> &str {
        let place = |at: Option<usize>, or: usize| {
            let end = at.and_then(|at| self.ends.get(at));
            end.map_or(or, |end| text::place(*end))
        };
        let start = place(at.checked_sub(1), 0);
        let end = place(Some(at), self.text.len());
        self.text.get(start..end).unwrap_or_default()
    }

    /// CLM01.
    pub(crate) fn number(&self) -> &str {
        let [end, ..] = self.ends;
        self.text.get(..text::place(end)).unwrap_or_default()
    }

    pub(crate) fn last_name(&self) -> &str {
        self.part(1)
    }

    pub(crate) fn first_name(&self) -> &str {
        self.part(2)
    }

    /// The subscriber's member id.
    pub(crate) fn member_id(&self) -> Option<&str> {
        Some(self.part(3)).filter(|id| !id.is_empty())
    }

    /// ICD-10 codes with the dot.
    pub(crate) fn diagnoses(&self) -> impl Iterator<Item = &str> {
        self.part(4).split_terminator(char::from(END))
    }

    /// The control number and the code of each line.
    pub(crate) fn lines(&self) -> impl Iterator<Item = (&str, &str)> {
        let mut texts = self.part(5).split_terminator(char::from(END));
        core::iter::from_fn(move || Some((texts.next()?, texts.next()?)))
    }

    /// The key of the patient's names.
    pub(crate) fn patient_key(&self) -> u64 {
        text::patient_key(self.last_name().as_bytes(), self.first_name().as_bytes())
    }
}

/// Several texts in one, and where the first five of them end. It is checked as a whole, which is faster.
fn decoded(texts: &[&[u8]; 6]) -> (String, [u32; 5]) {
    let ends = |lengths: [usize; 6]| {
        let mut at = 0_usize;
        let mut ends = [0; 5];
        for (end, length) in ends.iter_mut().zip(lengths) {
            at = at.saturating_add(length);
            *end = u32::try_from(at).unwrap_or(u32::MAX);
        }
        ends
    };
    let bytes = ends(texts.map(<[u8]>::len));
    let is_end = |text: &String, end: u32| usize::try_from(end).is_ok_and(|end| text.is_char_boundary(end));
    match String::from_utf8(texts.concat()) {
        // Two texts that are no UTF-8 could be so together.
        Ok(text) if bytes.iter().all(|end| is_end(&text, *end)) => (text, bytes),
        _ => {
            let texts = texts.map(text::decode);
            let lengths = texts.each_ref().map(|text| text.len());
            (texts.concat(), ends(lengths))
        }
    }
}

/// By number, then by age. Claims that are equal in all that is compared here are equal, so the order of files never matters.
impl Ord for SubmittedClaim {
    fn cmp(&self, other: &Self) -> Ordering {
        let key = |claim: &Self| (claim.created, claim.charge, claim.date_of_birth, claim.day, claim.filing);
        self.number()
            .cmp(other.number())
            .then_with(|| key(self).cmp(&key(other)))
            .then_with(|| self.text.cmp(&other.text))
            .then_with(|| self.ends.cmp(&other.ends))
    }
}

impl PartialOrd for SubmittedClaim {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn claim(last_name: &[u8], first_name: &[u8]) -> SubmittedClaim {
        let mut lines = Texts::default();
        lines.push(b"L\x1e1");
        lines.push(b"99213");
        SubmittedClaim::new(Parts {
            number: b"A-1",
            last_name,
            first_name,
            member_id: b"",
            diagnoses: &Texts::default(),
            lines: &lines,
        })
    }

    #[test]
    fn each_text_is_decoded_by_itself() {
        for (last, first, expected) in [
            (&b"DOE"[..], &b"JANE"[..], ["DOE", "JANE"]),
            ("NÚÑEZ".as_bytes(), "ZOË".as_bytes(), ["NÚÑEZ", "ZOË"]),
            (b"N\xda\xd1EZ", "ZOË".as_bytes(), ["NÚÑEZ", "ZOË"]),
            // The last byte of the one and the first of the other would be UTF-8 together.
            (b"DO\xc3", b"\x91A", ["DOÃ", "‘A"]),
        ] {
            let claim = claim(last, first);
            assert_eq!([claim.last_name(), claim.first_name()], expected);
            assert_eq!((claim.number(), claim.member_id()), ("A-1", None));
            assert_eq!(claim.lines().collect::<Vec<_>>(), [("L1", "99213")]);
            assert_eq!(claim.diagnoses().count(), 0);
        }
    }
}
