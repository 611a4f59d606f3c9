//! Classes of bytes.

/// A control character that a text may not have.
pub(in crate::content) const CONTROL: u8 = 1;
/// A byte that Windows-1252 leaves out.
pub(super) const LEFT_OUT: u8 = 2;
/// A byte outside ASCII.
pub(super) const HIGH: u8 = 4;

/// The class of each byte. A table costs one load a byte, also where the platform has no vector instructions.
const CLASSES: [u8; 256] = {
    let mut classes = [0; 256];
    let mut rest: &mut [u8] = &mut classes;
    let mut byte = 0_u8;
    while let Some((class, after)) = rest.split_first_mut() {
        *class = match byte {
            b'\t' | b'\n' | b'\x0c' | b'\r' => 0,
            0..=0x1f | 0x7f => CONTROL,
            0x81 | 0x8d | 0x8f | 0x90 | 0x9d => LEFT_OUT | HIGH,
            0x80.. => HIGH,
            _ => 0,
        };
        byte = byte.wrapping_add(1);
        rest = after;
    }
    classes
};

/// The classes of all these bytes together.
pub(in crate::content) fn classes(bytes: &[u8]) -> u8 {
    let class = |b: &u8| CLASSES.get(usize::from(*b)).copied().unwrap_or(CONTROL);
    bytes.iter().fold(0, |all, b| all | class(b))
}

/// True if these bytes have no control characters.
pub(in crate::content) fn is_plain(bytes: &[u8]) -> bool {
    classes(bytes) & CONTROL == 0
}
