//! Money: a positive amount in integer cents, written as text with two decimals.

use core::fmt;
use serde::{Deserialize, Serialize, Serializer};

/// The most cents of an amount: 16 digits before the point.
const MAX: i64 = 999_999_999_999_999_999;

/// A positive amount in cents, of at most 16 digits before the point.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Cents(i64);

impl Cents {
    /// Parses exactly `<digits>.<2 digits>` in ASCII; `None` for any other form, for zero, and for more than 16 digits
    /// before the point. Zeros in front do not count.
    #[must_use]
    pub fn parse(text: &str) -> Option<Self> {
        let (whole, cents) = text.split_once('.')?;
        if whole.is_empty() || cents.len() != 2 {
            return None;
        }
        let value = whole.bytes().chain(cents.bytes()).try_fold(0_i64, |value, digit| {
            let digit = digit.is_ascii_digit().then(|| digit.wrapping_sub(b'0'))?;
            let value = value.checked_mul(10)?.checked_add(i64::from(digit))?;
            (value <= MAX).then_some(value)
        })?;
        Self::new(value)
    }

    /// An amount from cents, `None` unless it is positive and has at most 16 digits before the point.
    #[must_use]
    pub fn new(cents: i64) -> Option<Self> {
        (1..=MAX).contains(&cents).then_some(Self(cents))
    }

    /// The amount in cents.
    #[must_use]
    pub const fn get(self) -> i64 {
        self.0
    }
}

impl fmt::Display for Cents {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{:02}", self.0.div_euclid(100), self.0.rem_euclid(100))
    }
}

/// An amount. The store has it as a number of cents, and answers have it as text, like [`crate::base::time::Time`].
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(transparent)]
pub struct Amount(pub Cents);

#[cfg(feature = "schema")]
crate::base::described::described! { Amount = { "type": "string", "pattern": r"^[0-9]+\.[0-9]{2}$" } }

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;
    use proptest::prelude::*;

    #[test]
    fn only_a_positive_amount_with_two_decimals_is_an_amount() {
        for (text, cents) in [
            ("0.01", 1),
            ("1.00", 100),
            ("007.50", 750),
            ("9999999999999999.99", MAX),
            ("00000000000000000000009999999999999999.99", MAX),
        ] {
            assert_eq!(Cents::parse(text).map(Cents::get), Some(cents), "{text}");
        }
        for bad in [
            "",
            "0.00",
            "000.00",
            "-1.00",
            "+1.00",
            "1",
            "1.",
            ".50",
            "1.5",
            "1.505",
            "1,000.00",
            "1.00 ",
            " 1.00",
            "$1.00",
            "1e2",
            "1.0e",
            "NaN",
            "1.٠٠",
            "١.00",
            "10000000000000000.00",
            "010000000000000000.00",
            "92233720368547758.07",
            "99999999999999999999999.99",
            "1.00.00",
            "1.-1",
            "0x1.00",
        ] {
            assert_eq!(Cents::parse(bad), None, "{bad}");
        }
    }

    #[test]
    fn an_amount_comes_in_cents_and_goes_as_text() {
        let amount: Amount = serde_json::from_str("999999999999999999").unwrap();
        let text = serde_json::to_string(&amount).unwrap();
        assert_eq!(text, "\"9999999999999999.99\"");
    }

    proptest! {
        #![proptest_config(crate::testing::config())]
        #[test]
        fn what_is_written_reads_back(cents in 1..=MAX) {
            let amount = Cents::new(cents).unwrap();
            prop_assert_eq!(Cents::parse(&amount.to_string()), Some(amount));
        }

        #[test]
        fn any_text_is_read_or_refused_without_a_panic(text in "\\PC*") {
            if let Some(amount) = Cents::parse(&text) {
                prop_assert!(amount.get() > 0);
            }
        }
    }
}
