//! What claim adjustment reason codes (CARC) mean for a denial.
//!
//! The codes are X12's external code list 139 (<https://x12.org/codes/claim-adjustment-reason-codes>). The classes are
//! Overturn's own, decided in November 2026. A code that is not listed is a denial, so a code that X12 adds later is one
//! until somebody decides otherwise. A file can override each code.

use crate::code::Code;
use crate::csv;
use crate::error::CsvError;
use hashbrown::HashTable;

/// What an adjustment means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Class {
    /// The payer refuses to pay.
    Denial,
    /// The patient's share, such as a deductible.
    PatientShare,
    /// A contract, a fee schedule or a law sets the amount.
    Contractual,
    /// Another payer's adjudication.
    PriorPayer,
    /// The claim was adjudicated before.
    Duplicate,
    /// The claim is not decided yet.
    Pending,
    /// The payment is part of another payment or went to somebody else.
    PaidElsewhere,
    /// A capitation agreement covers the service.
    Capitation,
}

/// The classes and their names in a file that overrides them.
const NAMES: [(&str, Class); 8] = [
    ("denial", Class::Denial),
    ("patient_share", Class::PatientShare),
    ("contractual", Class::Contractual),
    ("prior_payer", Class::PriorPayer),
    ("duplicate", Class::Duplicate),
    ("pending", Class::Pending),
    ("paid_elsewhere", Class::PaidElsewhere),
    ("capitation", Class::Capitation),
];

const TABLE: [(Class, &str); 7] = [
    (Class::PatientShare, "1 2 3 36 37 66 142 178 187 201 241 247 248 275 303 P3"),
    (
        Class::Contractual,
        "42 44 45 59 69 70 74 75 76 85 89 90 91 94 102 103 104 105 118 121 122 130 131 132 134 137 139 143 144 161 203 205 \
         209 223 225 229 232 235 237 245 246 253 259 260 262 263 264 265 266 271 278 281 295 307 308 A0 A2 A5 P5 P12 P23 P24 \
         P25 P26 P29 W1",
    ),
    (Class::PriorPayer, "23 71 276 A3"),
    (Class::Duplicate, "18 B13"),
    (Class::Pending, "101 133 257 277 P10 P11"),
    (Class::PaidElsewhere, "100 195 290 291 292 293 294 298 300 305 B11"),
    (Class::Capitation, "24 274"),
];

/// The class of each code.
#[derive(Clone, Debug)]
pub struct CarcClasses {
    listed: HashTable<(Code, Class)>,
}

impl Default for CarcClasses {
    fn default() -> Self {
        let codes = TABLE
            .iter()
            .flat_map(|(class, codes)| codes.split_whitespace().map(|code| (Code::new(code.as_bytes()), *class)));
        let mut classes = Self { listed: HashTable::new() };
        codes.for_each(|(code, class)| classes.set(code, class));
        classes
    }
}

impl CarcClasses {
    /// The class of a code. A code that is not listed is a denial.
    #[must_use]
    pub fn of(&self, carc: Code) -> Class {
        let found = self.listed.find(carc.hash(), |(code, _)| *code == carc);
        found.map_or(Class::Denial, |(_, class)| *class)
    }

    fn set(&mut self, code: Code, class: Class) {
        let entry = self.listed.entry(code.hash(), |(other, _)| *other == code, |(other, _)| other.hash());
        entry.insert((code, class));
    }

    /// Reads classes that replace those of the table: CSV with the columns `carc` and `class`.
    ///
    /// # Errors
    ///
    /// [`CsvError`] names the line.
    pub fn override_from(&mut self, file: &str) -> Result<(), CsvError> {
        let mut merged = self.clone();
        for row in csv::csv_rows(file, ["carc", "class"])? {
            let [carc, class] = &row.cells;
            let found = NAMES.iter().find(|(name, _)| name == class);
            let Some((_, class)) = found.filter(|_| !carc.is_empty()) else {
                return Err(CsvError::Class(row.line));
            };
            merged.set(Code::new(carc.as_bytes()), *class);
        }
        *self = merged;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn class(code: &str) -> Class {
        CarcClasses::default().of(Code::new(code.as_bytes()))
    }

    #[test]
    fn each_listed_code_has_one_class() {
        let listed = CarcClasses::default().listed;
        let count: usize = TABLE.iter().map(|(_, codes)| codes.split_whitespace().count()).sum();
        assert_eq!(listed.len(), count);
    }

    #[test]
    fn a_code_that_is_not_listed_is_a_denial() {
        for code in ["16", "29", "50", "96", "97", "197", "204", "B7", "ZZ9", "999", ""] {
            assert_eq!(class(code), Class::Denial, "{code}");
        }
        assert_eq!(class("45"), Class::Contractual);
        assert_eq!(class("p3"), Class::PatientShare);
    }

    #[test]
    fn a_file_overrides_the_table() {
        let mut classes = CarcClasses::default();
        let file = "carc,class\n45,denial\nZZ9,contractual\n";
        classes.override_from(file).unwrap();
        assert_eq!(classes.of(Code::new(b"45")), Class::Denial);
        assert_eq!(classes.of(Code::new(b"ZZ9")), Class::Contractual);
        assert_eq!(classes.of(Code::new(b"1")), Class::PatientShare);
        let wrong = classes.override_from("carc,class\n45,bad\n");
        assert_eq!(wrong, Err(CsvError::Class(2)));
    }
}
