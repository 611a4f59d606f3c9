//! What several contexts show about a practice.

use crate::plan::us_zone::UsZone;
use overturn_core::base::id::PracticeId;
use serde::{Deserialize, Serialize, Serializer};

/// A practice as shown beside its people and records.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PracticeName {
    pub id: PracticeId,
    pub name: String,
}

/// What an appeal says about the practice that makes it. Every part may be missing.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct PracticeDetails {
    /// The practice's mailing address in the United States.
    pub address: Option<Address>,
    /// The practice's National Provider Identifier.
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = "^[0-9]{10}$")))]
    pub npi: Option<String>,
    /// The practice's employer identification number.
    pub tax_id: Option<TaxId>,
    /// The practice's phone number.
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = r"^\+1[2-9][0-9]{2}[2-9][0-9]{6}$")))]
    pub phone: Option<String>,
    /// A time zone of the United States, by its name in the IANA database.
    pub time_zone: Option<UsZone>,
}

/// A mailing address in the United States.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Address {
    pub line1: String,
    pub line2: Option<String>,
    pub city: String,
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = "^[A-Z]{2}$")))]
    pub state: String,
    #[cfg_attr(feature = "schema", schemars(extend("pattern" = "^[0-9]{5}(-[0-9]{4})?$")))]
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

#[cfg(feature = "schema")]
overturn_core::base::described::described! { TaxId = { "type": "string", "pattern": "^[0-9]{2}-[0-9]{7}$" } }

impl Serialize for TaxId {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        let (office, number) = self.0.split_at_checked(2).unwrap_or((&self.0, ""));
        to.collect_str(&format_args!("{office}-{number}"))
    }
}
