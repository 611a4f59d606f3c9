//! Keys for HMAC.

/// A key for an HMAC over SHA-1 or SHA-256, from at most 64 bytes. HMAC itself pads a short key with zeros to one block
/// of 64. Padding it here avoids a constructor that could fail.
#[must_use]
pub fn block(key: &[u8]) -> [u8; 64] {
    let mut block = [0; 64];
    for (to, from) in block.iter_mut().zip(key) {
        *to = *from;
    }
    block
}
