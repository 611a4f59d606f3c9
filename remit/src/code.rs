//! Short codes: adjustment reason codes, group codes, remark codes, claim filing indicators.

use core::cmp::Ordering;
use core::fmt;
use core::str;

/// The most bytes of a code. X12 allows five for a CARC and up to seven for the other codes that are read.
const LENGTH: usize = 7;

/// A code in upper case, of up to seven visible ASCII characters. Bytes beyond are cut.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Code {
    bytes: [u8; LENGTH],
    length: u8,
}

impl Code {
    /// The code in these bytes.
    #[must_use]
    pub fn new(from: &[u8]) -> Self {
        let mut code = Self::default();
        let visible = from.iter().filter(|byte| byte.is_ascii_graphic());
        for (to, byte) in code.bytes.iter_mut().zip(visible) {
            *to = byte.to_ascii_uppercase();
            code.length = code.length.saturating_add(1);
        }
        code
    }

    /// The code as text.
    #[must_use]
    pub fn as_str(&self) -> &str {
        let bytes = self.bytes.get(..usize::from(self.length));
        bytes.and_then(|bytes| str::from_utf8(bytes).ok()).unwrap_or_default()
    }

    /// True if there is no code.
    #[must_use]
    pub const fn is_empty(&self) -> bool {
        self.length == 0
    }
}

impl Code {
    /// A hash for tables of known codes.
    pub(crate) const fn hash(self) -> u64 {
        self.number().wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(32)
    }

    /// The code as one number, in the order of its text.
    const fn number(self) -> u64 {
        let [a, b, c, d, e, f, g] = self.bytes;
        u64::from_be_bytes([a, b, c, d, e, f, g, self.length])
    }
}

impl Ord for Code {
    fn cmp(&self, other: &Self) -> Ordering {
        self.number().cmp(&other.number())
    }
}

impl PartialOrd for Code {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl fmt::Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.as_str())
    }
}

#[cfg(test)]
mod tests {
    use super::Code;
    use alloc::string::ToString;

    #[test]
    fn a_code_is_upper_case_and_short() {
        assert_eq!(Code::new(b"ma130").to_string(), "MA130");
        assert_eq!(Code::new(b" 4 5 ").as_str(), "45");
        assert_eq!(Code::new(b"123456789").as_str(), "1234567");
        assert_eq!(Code::new(b"\xff\x00").as_str(), "");
        assert!(Code::new(b"").is_empty());
    }
}
