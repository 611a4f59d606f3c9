//! Types that the first bytes decide.

use super::samples::{HOWS, docx, heif, pdf, png};
use super::{ContentRefusal, ContentType, verdict};
use alloc::vec::Vec;

fn padded(head: &[u8]) -> Vec<u8> {
    [head, &[0; 300]].concat()
}

#[test]
fn images_are_known_by_their_heads() {
    for (head, content) in [
        (&b"II*\0\x08\0\0\0"[..], ContentType::Tiff),
        (b"MM\0*\0\0\0\x08", ContentType::Tiff),
        (b"II+\0\x08\0\0\0", ContentType::Tiff),
        (b"MM\0+\0\x08\0\0", ContentType::Tiff),
        (b"\xff\xd8\xff\xe0\0\x10JFIF\0", ContentType::Jpeg),
        (b"\xff\xd8\xff\xe1", ContentType::Jpeg),
    ] {
        assert_eq!(verdict(&padded(head)), Ok(content));
    }
    assert_eq!(verdict(&png()), Ok(ContentType::Png));
    assert_eq!(verdict(b"\x89PNG\r\n\x1a\n"), Err(ContentRefusal::Unknown));
    assert_eq!(verdict(&padded(b"\xff\xd8")), Err(ContentRefusal::Unknown));
}

#[test]
fn heic_is_known_by_its_brands() {
    for (major, compatible, expected) in [
        ("heic", &[][..], Ok(ContentType::Heic)),
        ("heix", &["mif1"], Ok(ContentType::Heic)),
        ("hevc", &[], Ok(ContentType::Heic)),
        ("mif1", &["mif1", "heic"], Ok(ContentType::Heic)),
        ("msf1", &["hevc"], Ok(ContentType::Heic)),
        ("mif1", &["mif1"], Err(ContentRefusal::Unknown)),
        ("mif1", &["avif"], Err(ContentRefusal::Unknown)),
        ("avif", &["mif1", "miaf"], Err(ContentRefusal::Unknown)),
        ("isom", &["heic"], Err(ContentRefusal::Unknown)),
        ("mp42", &["isom"], Err(ContentRefusal::Unknown)),
    ] {
        assert_eq!(verdict(&heif(major, compatible)), expected, "{major}");
    }
}

#[test]
fn archives_and_programs_are_refused() {
    let tar = [&[b'a'; 257][..], b"ustar\x0000", &[0; 200]].concat();
    for (head, refusal) in [
        (&b""[..], ContentRefusal::Empty),
        (b"\x1f\x8b\x08\0", ContentRefusal::Archive),
        (b"BZh91AY&SY", ContentRefusal::Archive),
        (b"\xfd7zXZ\0", ContentRefusal::Archive),
        (b"7z\xbc\xaf\x27\x1c", ContentRefusal::Archive),
        (b"Rar!\x1a\x07\x01\0", ContentRefusal::Archive),
        (b"\x28\xb5\x2f\xfd", ContentRefusal::Archive),
        (b"\x04\x22\x4d\x18", ContentRefusal::Archive),
        (b"MSCF\0\0\0\0", ContentRefusal::Archive),
        (b"\x60\xea\x30\0", ContentRefusal::Archive),
        (&tar, ContentRefusal::Archive),
        (b"MZ\x90\0\x03\0", ContentRefusal::Program),
        (b"\x7fELF\x02\x01", ContentRefusal::Program),
        (b"\xcf\xfa\xed\xfe", ContentRefusal::Program),
        (b"\xca\xfe\xba\xbe\0\0\0\x34", ContentRefusal::Program),
        (b"\0asm\x01\0\0\0", ContentRefusal::Program),
        (b"dex\n035\0", ContentRefusal::Program),
        (b"L\0\0\0\x01\x14\x02\0", ContentRefusal::Program),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ContentRefusal::Macros),
        (b"GIF89a\x01\0", ContentRefusal::Unknown),
        (b"{\\rtf1 hello}", ContentRefusal::Unknown),
    ] {
        let file = if head.is_empty() { Vec::new() } else { padded(head) };
        assert_eq!(verdict(&file), Err(refusal), "{head:?}");
    }
}

#[test]
fn a_file_of_two_types_is_refused() {
    let clean = pdf(&[b"<</Type/Catalog>>"]);
    for (head, refusal) in [
        (&b"MZ"[..], ContentRefusal::Program),
        (b"\x7fELF", ContentRefusal::Program),
        (b"PK\x03\x04", ContentRefusal::Archive),
        (b"\xff\xd8\xff\xe0", ContentRefusal::Ambiguous),
        (b"II*\0", ContentRefusal::Ambiguous),
        (b"<html>", ContentRefusal::Ambiguous),
        (b"@echo off\n", ContentRefusal::Ambiguous),
    ] {
        assert_eq!(verdict(&[head, &clean].concat()), Err(refusal), "{head:?}");
    }
    for head in [&b"\r\n\r\n"[..], b"\xef\xbb\xbf", b"\0\0\0\0mac binary header"] {
        assert_eq!(verdict(&[head, &clean].concat()), Ok(ContentType::Pdf));
    }
}

#[test]
fn an_archive_behind_an_image_or_a_pdf_is_refused() {
    let jpeg = padded(b"\xff\xd8\xff\xe0");
    for file in [png(), jpeg, pdf(&[b"<</Type/Catalog>>"]), heif("heic", &[])] {
        assert!(verdict(&file).is_ok());
        for how in HOWS {
            let both = [&file[..], &docx(how, &[])].concat();
            assert_eq!(verdict(&both), Err(ContentRefusal::Archive));
            let mut commented = both.clone();
            let length = commented.len();
            commented[length - 2] = 5;
            // Without its comment the record does not end the file.
            assert!(verdict(&commented).is_ok());
            commented.extend(b"hello");
            assert_eq!(verdict(&commented), Err(ContentRefusal::Archive));
        }
    }
}

#[test]
fn every_refusal_says_a_rule() {
    let rule = ContentRefusal::Macros.rule();
    assert!(rule.starts_with("must not contain macros"));
    assert_eq!(alloc::format!("{}", ContentRefusal::Macros), rule);
}
