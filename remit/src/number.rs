//! A claim number that usually needs no allocation.

use alloc::boxed::Box;
use core::ops::Deref;
use core::str;

/// The longest number that is kept in place. Most have 20 characters or fewer.
const INLINE: usize = 22;

/// A claim number (CLP01). Most claims are paid and need nothing else on the heap.
#[derive(Clone)]
pub(crate) enum Number {
    Short(u8, [u8; INLINE]),
    Long(Box<str>),
}

impl Number {
    /// The bytes of its text.
    pub(crate) fn as_bytes(&self) -> &[u8] {
        match self {
            Self::Short(length, bytes) => bytes.get(..usize::from(*length)).unwrap_or_default(),
            Self::Long(text) => text.as_bytes(),
        }
    }
}

impl From<&str> for Number {
    fn from(text: &str) -> Self {
        let mut bytes = [0; INLINE];
        match (bytes.get_mut(..text.len()), u8::try_from(text.len())) {
            (Some(place), Ok(length)) => {
                place.copy_from_slice(text.as_bytes());
                Self::Short(length, bytes)
            }
            _ => Self::Long(text.into()),
        }
    }
}

impl Deref for Number {
    type Target = str;

    fn deref(&self) -> &str {
        match self {
            Self::Short(..) => str::from_utf8(self.as_bytes()).unwrap_or_default(),
            Self::Long(text) => text,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_of_any_length_is_kept() {
        for text in ["", "A-1", "1234567890123456789012", "12345678901234567890123", "Ñ-12345678901234567890-ü"] {
            assert_eq!(&*Number::from(text), text);
        }
        assert_eq!(size_of::<Number>(), 24);
    }
}
