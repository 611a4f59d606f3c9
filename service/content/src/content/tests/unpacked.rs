//! What the parts of a DOCX unpack to.

use super::samples::{HOWS, How, TYPES, ZipFile, docx, png};
use super::{ContentRefusal, ContentType, Inspector, Verdict, verdict};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

const DAMAGED: Verdict = Err(ContentRefusal::Damaged);
const MEBIBYTE: usize = 1024 * 1024;
const OVERSIZED: Verdict = Err(ContentRefusal::Oversized);

/// A DOCX with a part that unpacks to this many mebibytes, and one of this many bytes that is not packed.
fn unpacking_to(mebibytes: usize, how: How, plain: usize) -> Vec<u8> {
    let file = ZipFile::default()
        .add("[Content_Types].xml", TYPES.as_bytes(), How::Deflated)
        .add("word/document.xml", b"<w:document/>", How::Deflated)
        .add("word/media/a.png", &vec![0; mebibytes * MEBIBYTE], how);
    file.add("word/media/b.png", &vec![7; plain], How::Stored).end()
}

#[test]
fn a_part_that_unpacks_to_too_much_is_refused_before_the_file_ends() {
    for how in [How::Deflated, How::LargeDescriptor] {
        assert_eq!(verdict(&unpacking_to(50, how, MEBIBYTE)), Ok(ContentType::Docx));
        let mut inspector = Inspector::default();
        let early = unpacking_to(51, how, MEBIBYTE);
        let (part, _) = early.split_at(early.len() - MEBIBYTE);
        assert_eq!(inspector.feed(part), Err(ContentRefusal::Oversized));
    }
    // A small file may unpack to ten megabytes, and to more only if it is not that small.
    assert_eq!(verdict(&unpacking_to(9, How::Deflated, 0)), Ok(ContentType::Docx));
    assert_eq!(verdict(&unpacking_to(11, How::Deflated, 0)), OVERSIZED);
    assert_eq!(verdict(&unpacking_to(11, How::Deflated, MEBIBYTE / 8)), Ok(ContentType::Docx));
}

#[test]
fn a_file_has_no_more_parts_than_the_scanner_looks_through() {
    let of = |parts: usize| {
        let file = ZipFile::default().add("[Content_Types].xml", TYPES.as_bytes(), How::Stored).add(
            "word/document.xml",
            b"",
            How::Stored,
        );
        let file = (2..parts).fold(file, |file, n| file.add(&format!("word/{n}.xml"), b"", How::Stored));
        verdict(&file.end())
    };
    assert_eq!(of(5_000), Ok(ContentType::Docx));
    assert_eq!(of(5_001), Err(ContentRefusal::TooManyParts));
}

#[test]
fn sizes_that_are_wrong_are_refused() {
    let part = &[7; 5000];
    let size = 5000_u32.to_le_bytes();
    for how in [How::Stored, How::Deflated, How::Descriptor] {
        let file = docx(how, &[("word/media/a.png", part)]);
        let places: Vec<usize> = memchr::memmem::find_iter(&file, &size).collect();
        assert!(places.len() >= 2, "before the data or behind it, and in the directory");
        // The size in a descriptor is not read by anyone.
        for at in places.into_iter().skip(usize::from(how == How::Descriptor)) {
            for wrong in [4999_u32, 5001, 0, 1 << 30] {
                let mut file = file.clone();
                file[at..at + 4].copy_from_slice(&wrong.to_le_bytes());
                let seen = verdict(&file);
                assert!(matches!(seen, DAMAGED), "{wrong} at {at}: {seen:?}");
            }
        }
    }
}

#[test]
fn parts_are_stored_or_deflated_to_their_last_byte() {
    let name = "word/media/a.png";
    let method = |method: u8| {
        let mut file = docx(How::Stored, &[(name, b"hello")]);
        let places: Vec<usize> = memchr::memmem::find_iter(&file, name.as_bytes()).collect();
        file[places[0] - 22] = method;
        file[places[1] - 36] = method;
        verdict(&file)
    };
    assert_eq!(method(0), Ok(ContentType::Docx));
    for other in [1, 8, 9, 12, 14, 93, 99] {
        assert_eq!(method(other), DAMAGED, "{other}");
    }
    // An image that is stored behind its own deflated bytes: some programs would read only those.
    let hidden = [&miniz_oxide::deflate::compress_to_vec(b"hello", 6)[..], b"hidden"].concat();
    let mut file = docx(How::Stored, &[(name, &hidden)]);
    let places: Vec<usize> = memchr::memmem::find_iter(&file, name.as_bytes()).collect();
    for (at, sizes) in [(places[0], 8), (places[1], 24)] {
        let back = if sizes == 8 { 22 } else { 36 };
        file[at - back] = 8;
        let at = at - sizes;
        file[at + 4..at + 8].copy_from_slice(&5_u32.to_le_bytes());
    }
    assert_eq!(verdict(&file), DAMAGED);
}

#[test]
fn a_part_is_no_file_that_is_refused_on_its_own() {
    let zip = ZipFile::default().add("a", b"b", How::Stored).end();
    let behind = [&png()[..], &zip].concat();
    let files: [(&[u8], ContentRefusal); 8] = [
        (&zip, ContentRefusal::Archive),
        (&behind, ContentRefusal::Archive),
        (b"\x1f\x8b\x08\0\0", ContentRefusal::Archive),
        (b"Rar!\x1a\x07\x01\0", ContentRefusal::Archive),
        (b"MZ\x90\0\x03\0", ContentRefusal::Program),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", ContentRefusal::Macros),
        (b"%PDF-1.7\n", ContentRefusal::EmbeddedFile),
        (b"{\\rtf1", ContentRefusal::Unknown),
    ];
    for how in HOWS {
        for (data, refusal) in files {
            let file = docx(how, &[("word/media/a.png", data)]);
            assert_eq!(verdict(&file), Err(refusal));
        }
    }
}
