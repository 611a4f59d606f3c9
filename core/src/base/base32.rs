//! Base32 for what a person types or an authenticator app reads.

use alloc::string::String;
use alloc::vec::Vec;

/// The symbols of RFC 4648, which authenticator apps read.
pub(crate) const RFC4648: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
/// The symbols of Crockford, in lower case: none of them is mistaken for another.
pub(crate) const CROCKFORD: &[u8; 32] = b"0123456789abcdefghjkmnpqrstvwxyz";

/// Eight symbols for each whole group of five bytes. What is encoded here is made of such groups, so there is no padding.
pub(crate) fn encode(bytes: &[u8], symbols: &[u8; 32]) -> String {
    let (groups, _) = bytes.as_chunks::<5>();
    let mut text = String::with_capacity(groups.len().saturating_mul(8));
    for group in groups {
        let bits = group
            .iter()
            .fold(0_u64, |bits, byte| (bits << 8) | u64::from(*byte));
        let of_group = (0..40).step_by(5).rev().map(|shift| (bits >> shift) & 31);
        text.extend(of_group.filter_map(|symbol| {
            let at = usize::try_from(symbol).ok()?;
            symbols.get(at).map(|symbol| char::from(*symbol))
        }));
    }
    text
}

/// The bytes of what [`encode`] made, `None` for anything else.
pub(crate) fn decode(text: &str, symbols: &[u8; 32]) -> Option<Vec<u8>> {
    let (groups, rest) = text.as_bytes().as_chunks::<8>();
    let mut bytes = Vec::with_capacity(groups.len().saturating_mul(5));
    for group in groups {
        let mut bits = 0_u64;
        for symbol in group {
            let at = symbols.iter().position(|known| known == symbol)?;
            bits = (bits << 5) | u64::try_from(at).ok()?;
        }
        bytes.extend(bits.to_be_bytes().into_iter().skip(3));
    }
    rest.is_empty().then_some(bytes)
}
