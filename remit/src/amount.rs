//! Signed amounts in integer cents.

use alloc::format;
use alloc::string::String;
use serde::{Serialize, Serializer};

/// The largest amount that is read, in cents: a million claims of it add up without an overflow.
const LARGEST: i64 = 1_000_000_000_000;

/// A signed amount in cents. Sums stop at the limits of 64 bits.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub struct Amount(pub i64);

impl Amount {
    /// No money.
    pub const ZERO: Self = Self(0);

    /// Reads an X12 decimal number: `100`, `-12.5`, `.25`, `100.00`. `None` for any other form, for fractions of a cent,
    /// and above 10 billion dollars. An empty element is zero.
    #[must_use]
    pub fn parse(bytes: &[u8]) -> Option<Self> {
        let (negative, digits) = match bytes {
            [b'-', rest @ ..] => (true, rest),
            [b'+', rest @ ..] => (false, rest),
            [] => return Some(Self::ZERO),
            _ => (false, bytes),
        };
        let mut cents = 0_i64;
        let mut decimals: Option<u32> = None;
        let mut any = false;
        for byte in digits {
            if *byte == b'.' && decimals.is_none() {
                decimals = Some(0);
                continue;
            }
            let digit = byte.is_ascii_digit().then(|| byte.wrapping_sub(b'0'))?;
            any = true;
            match decimals {
                Some(2..) if digit == 0 => continue,
                Some(2..) => return None,
                Some(count) => decimals = Some(count.saturating_add(1)),
                None => {}
            }
            cents = cents.checked_mul(10)?.checked_add(i64::from(digit))?;
        }
        let scale = match decimals.unwrap_or(0) {
            0 => 100,
            1 => 10,
            _ => 1,
        };
        let cents = cents.checked_mul(scale)?;
        (any && cents <= LARGEST).then_some(Self(if negative { cents.saturating_neg() } else { cents }))
    }

    pub(crate) const fn plus(self, other: Self) -> Self {
        Self(self.0.saturating_add(other.0))
    }

    pub(crate) const fn minus(self, other: Self) -> Self {
        Self(self.0.saturating_sub(other.0))
    }

    pub(crate) const fn negated(self) -> Self {
        Self(self.0.saturating_neg())
    }

    pub(crate) fn add(&mut self, other: Self) {
        *self = self.plus(other);
    }

    pub(crate) const fn is_positive(self) -> bool {
        self.0 > 0
    }
}

impl core::fmt::Display for Amount {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let sign = if self.0 < 0 { "-" } else { "" };
        let cents = self.0.unsigned_abs();
        let (whole, rest) = (cents.div_euclid(100), cents.rem_euclid(100));
        f.pad(&format!("{sign}{whole}.{rest:02}"))
    }
}

impl Serialize for Amount {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl FromIterator<Self> for Amount {
    fn from_iter<I: IntoIterator<Item = Self>>(amounts: I) -> Self {
        amounts.into_iter().fold(Self::ZERO, Self::plus)
    }
}

impl From<Amount> for String {
    fn from(amount: Amount) -> Self {
        format!("{amount}")
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::string::ToString;

    #[test]
    fn decimal_numbers_of_x12_are_amounts() {
        for (text, cents) in [
            ("", Some(0)),
            ("0", Some(0)),
            ("100", Some(10_000)),
            ("100.5", Some(10_050)),
            ("100.", Some(10_000)),
            (".25", Some(25)),
            ("-.5", Some(-50)),
            ("-12.34", Some(-1_234)),
            ("+3", Some(300)),
            ("0012.3400", Some(1_234)),
            ("12.345", None),
            ("1,000.00", None),
            ("1E3", None),
            ("-", None),
            (".", None),
            ("1.2.3", None),
            ("10000000000", Some(1_000_000_000_000)),
            ("10000000000.01", None),
            ("99999999999999999999", None),
        ] {
            let parsed = Amount::parse(text.as_bytes());
            assert_eq!(parsed.map(|amount| amount.0), cents, "{text}");
        }
    }

    #[test]
    fn amounts_have_two_decimals_and_a_sign() {
        for (cents, text) in [(0, "0.00"), (5, "0.05"), (-5, "-0.05"), (-12_345, "-123.45")] {
            assert_eq!(Amount(cents).to_string(), text);
        }
    }
}
