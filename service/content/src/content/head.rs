//! The first bytes of a file, which decide what it is read as.

use super::tail::Tail;
use super::{ContentRefusal, ContentType, State, text, x12};
use alloc::boxed::Box;

/// The bytes that are kept until the type is decided. A PDF may have other bytes before its header, but not more.
pub(super) const LENGTH: usize = 1024;

/// How many of the last bytes of an image are searched for the end of a ZIP file.
const IMAGE_TAIL: usize = 1024;

/// Files that are refused by their first bytes. Most other binary formats are refused as unknown.
const REFUSED: &[(&[u8], ContentRefusal)] = &[
    // ELF, WebAssembly, Android.
    (b"\x7fELF", ContentRefusal::Program),
    (b"\0asm", ContentRefusal::Program),
    (b"dex\n", ContentRefusal::Program),
    // Mach-O in both byte orders, then a Java class or a Mach-O for several processors.
    (b"\xfe\xed\xfa\xce", ContentRefusal::Program),
    (b"\xfe\xed\xfa\xcf", ContentRefusal::Program),
    (b"\xce\xfa\xed\xfe", ContentRefusal::Program),
    (b"\xcf\xfa\xed\xfe", ContentRefusal::Program),
    (b"\xca\xfe\xba\xbe", ContentRefusal::Program),
    // A Windows shortcut and a compiled help file.
    (b"L\0\0\0\x01\x14\x02\0", ContentRefusal::Program),
    (b"ITSF\x03\0", ContentRefusal::Program),
    // A PostScript file is a program, and `#!` starts a script.
    (b"%!PS", ContentRefusal::Program),
    (b"#!", ContentRefusal::Program),
    (b"\xef\xbb\xbf#!", ContentRefusal::Program),
    // The format of DOC and XLS, which can hold macros, and of MSI.
    (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ContentRefusal::Macros),
    // gzip, compress, bzip2, xz, lzip, zstd, lz4, 7z, RAR, CAB, ar, xar.
    (b"\x1f\x8b", ContentRefusal::Archive),
    (b"\x1f\x9d", ContentRefusal::Archive),
    (b"\xfd7zXZ\0", ContentRefusal::Archive),
    (b"LZIP\x01", ContentRefusal::Archive),
    (b"\x28\xb5\x2f\xfd", ContentRefusal::Archive),
    (b"\x04\x22\x4d\x18", ContentRefusal::Archive),
    (b"7z\xbc\xaf\x27\x1c", ContentRefusal::Archive),
    (b"Rar!\x1a\x07", ContentRefusal::Archive),
    (b"MSCF\0\0\0\0", ContentRefusal::Archive),
    (b"!<arch>\n", ContentRefusal::Archive),
    (b"xar!\0", ContentRefusal::Archive),
    // An empty ZIP file, and one in several volumes.
    (b"PK\x05\x06", ContentRefusal::Archive),
    (b"PK\x07\x08", ContentRefusal::Archive),
    (b"{\\rtf", ContentRefusal::Unknown),
];

/// What a file with this head is read as.
pub(super) fn decide(head: &[u8]) -> State {
    if head.is_empty() {
        return State::Refused(ContentRefusal::Empty);
    }
    if let Some(refusal) = refused(head) {
        return State::Refused(refusal);
    }
    let zip = head.starts_with(b"PK\x03\x04");
    let image = image(head);
    if let Some(at) = memchr::memmem::find(head, b"%PDF-") {
        // Readers of PDF find the header behind other bytes. Those bytes must not make the file something else as well.
        let page = text::has_tags(head.get(..at).unwrap_or_default());
        return if zip {
            // Often a plain archive that stores a PDF.
            State::Refused(ContentRefusal::Archive)
        } else if image.is_some() || page || text::is_program(head) {
            State::Refused(ContentRefusal::Ambiguous)
        } else {
            State::Pdf(Box::default())
        };
    }
    if let Some(image) = image {
        return State::Image(image, Tail::new(IMAGE_TAIL));
    }
    if zip {
        return State::Zip(Box::default());
    }
    if let Some(utf16) = text::Utf16::of(head) {
        return State::Utf16(utf16);
    }
    match x12::X12::of(head) {
        Some(x12) => State::X12(x12),
        None if text::is_program(head) => State::Refused(ContentRefusal::Program),
        None => State::Text(text::Text::default()),
    }
}

/// The rule that a file with this head breaks, whatever follows.
pub(super) fn refused(head: &[u8]) -> Option<ContentRefusal> {
    let known = REFUSED.iter().find(|(magic, _)| head.starts_with(magic));
    if let Some((_, refusal)) = known {
        return Some(*refusal);
    }
    // These signatures are short or printable, so a text could start with one. More of the head decides.
    let binary = !text::is_plain(head);
    if head.starts_with(b"MZ") && (binary || memchr::memmem::find(head, b"%PDF-").is_some()) {
        return Some(ContentRefusal::Program);
    }
    let bzip2 = head.starts_with(b"BZh") && head.get(4..10) == Some(b"1AY&SY");
    let arj = head.starts_with(b"\x60\xea") && binary;
    let tar = head.get(257..262) == Some(b"ustar");
    (bzip2 || arj || tar).then_some(ContentRefusal::Archive)
}

fn image(head: &[u8]) -> Option<ContentType> {
    const TIFF: [&[u8]; 4] = [b"II*\0", b"MM\0*", b"II+\0\x08\0\0\0", b"MM\0+\0\x08\0\0"];
    if TIFF.iter().any(|magic| head.starts_with(magic)) {
        Some(ContentType::Tiff)
    } else if head.starts_with(b"\x89PNG\r\n\x1a\n") && head.get(12..16) == Some(b"IHDR") {
        Some(ContentType::Png)
    } else if head.starts_with(b"\xff\xd8\xff") {
        Some(ContentType::Jpeg)
    } else if is_heic(head) {
        Some(ContentType::Heic)
    } else {
        None
    }
}

/// True for a HEIF file with pictures in HEVC. Its first box names the brands. AVIF and MP4 have other brands.
fn is_heic(head: &[u8]) -> bool {
    const HEVC: [&[u8]; 8] = [b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"hevm", b"hevs"];
    let Some(([size @ .., b'f', b't', b'y', b'p'], _)) = head.split_first_chunk::<8>() else {
        return false;
    };
    let size = usize::try_from(u32::from_be_bytes(*size)).unwrap_or(usize::MAX);
    let Some((major, brands)) = head.get(8..size).and_then(|brands| brands.split_at_checked(4)) else {
        return false;
    };
    HEVC.contains(&major)
        || matches!(major, b"mif1" | b"msf1") && brands.chunks_exact(4).any(|brand| HEVC.contains(&brand))
}
