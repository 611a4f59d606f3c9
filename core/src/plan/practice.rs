//! What several contexts show about a practice.

use crate::base::id::PracticeId;
use crate::base::us_zone::UsZone;
use alloc::string::String;
use serde::{Deserialize, Serialize, Serializer};

/// A practice as shown beside its people and records.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct PracticeName {
    pub id: PracticeId,
    pub name: String,
}

/// What an appeal says about the practice that makes it. Every part may be missing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
pub struct PracticeDetails {
    /// Its mailing address.
    pub address: Option<Address>,
    /// Its National Provider Identifier: 10 digits.
    pub npi: Option<String>,
    /// Its employer identification number.
    pub tax_id: Option<TaxId>,
    /// Its phone number: `+1` and 10 digits.
    pub phone: Option<String>,
    /// The time zone that it works in.
    pub time_zone: Option<UsZone>,
}

/// A mailing address in the United States.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Address {
    /// Street and number.
    pub line1: String,
    /// Suite or floor.
    pub line2: Option<String>,
    pub city: String,
    /// The two letters of the state or territory.
    pub state: String,
    /// The ZIP code, with or without its four further digits.
    pub zip: String,
}

/// An employer identification number. It is stored as its nine digits, and shown as `12-3456789`.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(transparent)]
pub struct TaxId(String);

impl TaxId {
    /// Parses `NN-NNNNNNN`. The hyphen is required: nine bare digits could be the social security number of a person.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (office, number) = text.split_once('-')?;
        let fits = |part: &str, length| part.len() == length && part.bytes().all(|byte| byte.is_ascii_digit());
        (fits(office, 2) && fits(number, 7)).then(|| Self([office, number].concat()))
    }

    /// Its nine digits.
    #[must_use]
    pub fn digits(&self) -> &str {
        &self.0
    }
}

impl Serialize for TaxId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (office, number) = self.0.split_at_checked(2).unwrap_or((&self.0, ""));
        to.collect_str(&format_args!("{office}-{number}"))
    }
}
