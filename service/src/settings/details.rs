//! The details of a practice that an appeal needs: address, NPI, tax id, phone and time zone.

use crate::plan::practice::{Address, PracticeDetails, TaxId};
use crate::request::declare::body;
use crate::request::declare::kinds::form;
use crate::request::declare::kinds::{Optional, Printable, Trimmed};
use serde_json::{Map, Value};

/// The states and territories in which practices are, by the letters of the Postal Service.
const STATES: &str = "AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM \
                      NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY AS GU MP PR VI";

body! {
    #[derive(Clone, PartialEq)]
    closed GivenAddress {
        line1: Line,
        line2: Optional<Line>,
        city: Line,
        /// The two letters of a state or a territory.
        state: State,
        zip: Zip,
    }
}

type Line = Trimmed<Printable<200>>;

impl From<GivenAddress> for Address {
    fn from(given: GivenAddress) -> Self {
        let GivenAddress { line1, line2, city, state, zip } = given;
        Self { line1, line2, city, state, zip }
    }
}

form! { State: String = "the two letters of a state", state_of, { "type": "string", "pattern": "^[\\s\\u0085]*[A-Za-z]{2}[\\s\\u0085]*$" } }
form! {
    Zip: String = "a ZIP code (12345 or 12345-6789)", zip_of,
    { "type": "string", "pattern": "^[\\s\\u0085]*[0-9]{5}(-[0-9]{4})?[\\s\\u0085]*$" }
}
form! {
    Npi: String = "an NPI of 10 digits", npi,
    { "type": "string", "pattern": "^[\\s\\u0085]*([0-9]{10}[\\s\\u0085]*)?$" }
}
form! {
    EmployerId: TaxId = "an employer identification number (NN-NNNNNNN)", |text: &str| TaxId::parse(text.trim()),
    { "type": "string", "pattern": "^[\\s\\u0085]*([0-9]{2}-[0-9]{7}[\\s\\u0085]*)?$" }
}
form! {
    Phone: String = "a phone number of the United States with 10 digits", phone,
    { "type": "string", "pattern": "^[-+().\\s\\u0085\\u2011 0-9]*$" }
}

/// What changed, for the audit trail. It says which details were set or removed, not their values, which nobody could
/// remove from the trail.
pub(super) fn changed(before: &PracticeDetails, after: &PracticeDetails) -> Map<String, Value> {
    let details = [
        ("address", before.address != after.address, after.address.is_some()),
        ("npi", before.npi != after.npi, after.npi.is_some()),
        ("tax_id", before.tax_id != after.tax_id, after.tax_id.is_some()),
        ("phone", before.phone != after.phone, after.phone.is_some()),
        ("time_zone", before.time_zone != after.time_zone, after.time_zone.is_some()),
    ];
    let changed = details.into_iter().filter(|(_, changed, _)| *changed);
    let said = changed.map(|(name, _, is_set)| {
        let how = if is_set { "set" } else { "removed" };
        (name.into(), how.into())
    });
    said.collect()
}

fn state_of(text: &str) -> Option<String> {
    let letters = text.trim().to_ascii_uppercase();
    let known = STATES.split_ascii_whitespace().any(|state| state == letters);
    known.then_some(letters)
}

fn zip_of(text: &str) -> Option<String> {
    let text = text.trim();
    let fits = text.bytes().enumerate().all(|(place, byte)| match place {
        5 => byte == b'-',
        _ => byte.is_ascii_digit(),
    });
    (fits && matches!(text.len(), 5 | 10)).then(|| text.into())
}

/// An NPI: its last digit checks the others, by Luhn's rule with the prefix 80840 (45 CFR 162.406).
fn npi(text: &str) -> Option<String> {
    let text = text.trim();
    if text.len() != 10 || !text.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let sum = text.bytes().zip([2_u32, 1].into_iter().cycle());
    let sum = sum.fold(LUHN_OF_PREFIX, |sum, (byte, weight)| {
        let product = u32::from(byte & 0x0f).saturating_mul(weight);
        sum.saturating_add(product / 10).saturating_add(product % 10)
    });
    (sum % 10 == 0).then(|| text.into())
}

/// The sum of the prefix 80840 in Luhn's rule.
const LUHN_OF_PREFIX: u32 = 24;

/// The 10 digits of a phone number after `+1`. An area code and an exchange begin with 2 to 9.
fn phone(text: &str) -> Option<String> {
    let marks = |c: char| matches!(c, ' ' | '(' | ')' | '-' | '.' | '\u{a0}' | '\u{2011}');
    let (plus, text) = match text.trim().strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, text.trim()),
    };
    let digits: String = text.chars().filter(|c| !marks(*c)).collect();
    let local = match digits.strip_prefix('1') {
        Some(rest) => rest,
        None if plus => return None,
        None => &digits,
    };
    let fits = local.bytes().enumerate().all(|(place, byte)| match place {
        0 | 3 => matches!(byte, b'2'..=b'9'),
        _ => byte.is_ascii_digit(),
    });
    (fits && local.len() == 10).then(|| format!("+1{local}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::settings::practice::PracticeEdit;

    #[test]
    fn the_check_digit_of_an_npi_counts() {
        // The example of the Centers for Medicare and Medicaid Services.
        assert_eq!(npi(" 1234567893 ").as_deref(), Some("1234567893"));
        for digit in "012456789".chars() {
            assert_eq!(npi(&format!("123456789{digit}")), None, "{digit}");
        }
        for wrong in ["", "123456789", "12345678930", "123456789３", "12345 6789", "123456789x"] {
            assert_eq!(npi(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_phone_number_is_kept_in_one_form() {
        for given in [
            "(512) 555-0100",
            "512-555-0100",
            "512.555.0100",
            "5125550100",
            "1 512 555 0100",
            "+1 (512) 555\u{2011}0100",
        ] {
            assert_eq!(phone(given).as_deref(), Some("+15125550100"), "{given}");
        }
        for wrong in [
            "",
            "555-0100",
            "+44 20 7946 0958",
            "112 555 0100",
            "512 055 0100",
            "512-555-0100 ext. 3",
            "512-555-01000",
            "＋15125550100",
            "+5125550100",
        ] {
            assert_eq!(phone(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_tax_id_needs_its_hyphen() {
        let id = TaxId::parse("12-3456789").unwrap();
        assert_eq!(id.digits(), "123456789");
        assert_eq!(serde_json::to_string(&id).unwrap(), "\"12-3456789\"");
        for wrong in ["123456789", "123-45-6789", "12-345678", "1-23456789", "12-34567x9", "-", ""] {
            assert_eq!(TaxId::parse(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn a_state_and_a_zip_code_have_one_form() {
        assert_eq!(state_of(" tx ").as_deref(), Some("TX"));
        assert_eq!(STATES.split_ascii_whitespace().count(), 56);
        for wrong in ["", "Texas", "XX", "T", "AL AK"] {
            assert_eq!(state_of(wrong), None, "{wrong}");
        }
        for good in ["78701", "78701-1234"] {
            assert_eq!(zip_of(good).as_deref(), Some(good));
        }
        for wrong in ["", "7870", "787011234", "78701-", "78701-123", "78701 1234", "７8701"] {
            assert_eq!(zip_of(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn an_edit_says_what_it_set_or_removed_and_no_value() {
        let before =
            PracticeDetails { npi: npi("1234567893"), phone: phone("512 555 0100"), ..PracticeDetails::default() };
        let edit = PracticeEdit {
            npi: Some(None),
            tax_id: Some(TaxId::parse("12-3456789")),
            phone: Some(phone("(512) 555-0100")),
            ..PracticeEdit::default()
        };
        let after = edit.details(&before);
        assert_eq!((&after.npi, &after.phone), (&None, &before.phone));
        let said = Value::Object(changed(&before, &after));
        assert_eq!(said, serde_json::json!({ "npi": "removed", "tax_id": "set" }));
    }
}
