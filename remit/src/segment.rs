//! One segment: its id, elements and components.

use crate::text::trim;

/// The separators of an interchange. The ISA segment names them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Separators {
    pub(crate) element: u8,
    pub(crate) component: u8,
    pub(crate) terminator: u8,
}

/// The qualifiers of a service: SVC01, SVC06, SV101, SV202, SV301.
const SERVICE: [&[u8]; 10] = [b"AD", b"ER", b"HC", b"HP", b"IV", b"N4", b"NU", b"RB", b"UI", b"WK"];

/// A segment without its terminator, trimmed.
#[derive(Clone, Copy, Debug)]
pub struct Segment<'a> {
    /// The whole segment.
    pub(crate) bytes: &'a [u8],
    /// The id, such as `CLP`.
    id: &'a [u8],
    separators: Separators,
}

impl<'a> Segment<'a> {
    pub(crate) fn new(bytes: &'a [u8], separators: Separators) -> Self {
        // An id is so short that a search by words would take longer.
        let end = bytes.iter().position(|byte| *byte == separators.element);
        let id = end.and_then(|end| bytes.get(..end)).unwrap_or(bytes);
        Self { bytes, id, separators }
    }

    /// The id, such as `CLP`.
    #[must_use]
    pub const fn id(&self) -> &'a [u8] {
        self.id
    }

    /// The first `N` elements after the id, trimmed. Absent elements are empty.
    #[must_use]
    pub fn elements<const N: usize>(&self) -> [&'a [u8]; N] {
        let start = self.id.len().saturating_add(1);
        let bytes = self.bytes.get(start..).unwrap_or_default();
        parts(bytes, self.separators.element)
    }

    /// The first `N` components of an element, trimmed.
    #[must_use]
    pub fn components<const N: usize>(&self, element: &'a [u8]) -> [&'a [u8]; N] {
        parts(element, self.separators.component)
    }

    /// The first `N` components of a service. Some payers separate them by another mark than the ISA segment says: where the
    /// element starts with a known qualifier and another punctuation mark, that mark counts.
    #[must_use]
    pub fn service<const N: usize>(&self, element: &'a [u8]) -> [&'a [u8]; N] {
        let mark = match element {
            [a, b, mark, ..] if mark.is_ascii_punctuation() && SERVICE.contains(&&[*a, *b][..]) => *mark,
            _ => self.separators.component,
        };
        parts(element, mark)
    }
}

fn parts<const N: usize>(mut bytes: &[u8], separator: u8) -> [&[u8]; N] {
    let mut parts: [&[u8]; N] = [&[]; N];
    for part in &mut parts {
        // Parts are so short that a search by words would take longer.
        let end = bytes.iter().position(|byte| *byte == separator);
        let Some((first, rest)) = end.and_then(|end| bytes.split_at_checked(end)) else {
            *part = trim(bytes);
            break;
        };
        *part = trim(first);
        bytes = rest.get(1..).unwrap_or_default();
    }
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use alloc::vec::Vec;

    fn segment(bytes: &[u8]) -> Segment<'_> {
        let separators = Separators { element: b'*', component: b':', terminator: b'~' };
        Segment::new(bytes, separators)
    }

    #[test]
    fn absent_elements_are_empty() {
        let clp = segment(b"CLP*A-1 **100");
        assert_eq!(clp.id(), b"CLP");
        assert_eq!(clp.elements::<4>(), [&b"A-1"[..], b"", b"100", b""]);
        assert_eq!(segment(b"LX").elements::<1>(), [b""]);
    }

    #[test]
    fn elements_are_found_in_segments_of_any_length() {
        for length in 0..40 {
            for every in 1..20_usize {
                let element = |at: usize| if at.is_multiple_of(every) { b'*' } else { b'x' };
                let body: Vec<u8> = (0..length).map(element).collect();
                let bytes = [b"NM1*", &*body].concat();
                let mut expected = body.split(|byte| *byte == b'*');
                for found in segment(&bytes).elements::<40>() {
                    let expected = expected.next().unwrap_or_default();
                    assert_eq!(found, expected, "{length} {every}");
                }
            }
        }
    }

    #[test]
    fn a_known_qualifier_shows_the_separator_of_its_components() {
        let svc = segment(b"SVC");
        assert_eq!(svc.service::<3>(b"HC:99213:25"), [&b"HC"[..], b"99213", b"25"]);
        assert_eq!(svc.service::<3>(b"HC|99213|25"), [&b"HC"[..], b"99213", b"25"]);
        assert_eq!(svc.service::<2>(b"ZZ|99213"), [&b"ZZ|99213"[..], b""]);
        assert_eq!(svc.service::<2>(b"HCX99213"), [&b"HCX99213"[..], b""]);
    }
}
