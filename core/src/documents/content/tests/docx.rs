//! DOCX and other ZIP files.

use super::samples::{HOWS, How, TYPES, ZipFile, docx};
use super::{ContentRefusal, ContentType, Inspector, Verdict, verdict};
use crate::testing::test;
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;

const DAMAGED: Verdict = Err(ContentRefusal::Damaged);
const ARCHIVE: Verdict = Err(ContentRefusal::Archive);

#[test]
fn a_docx_is_taken_however_it_is_written() {
    for how in HOWS {
        assert_eq!(verdict(&docx(how, &[])), Ok(ContentType::Docx));
        let more: [(&str, &[u8]); 5] = [
            ("word/media/image1.png", &[7; 5000]),
            ("word/printerSettings1.bin", b"settings"),
            ("docProps/app.xml", b"<Properties/>"),
            ("word/media/", b""),
            ("customXml/item1.xml", b""),
        ];
        assert_eq!(verdict(&docx(how, &more)), Ok(ContentType::Docx));
    }
}

#[test]
fn word_for_the_web_numbers_the_main_part() {
    let file = ZipFile::default()
        .add("word/document2.xml", b"<w:document/>", How::Descriptor)
        .add("[Content_Types].xml", TYPES.as_bytes(), How::Descriptor);
    assert_eq!(verdict(&file.end()), Ok(ContentType::Docx));
}

#[test]
fn entries_with_hidden_content_are_refused() {
    for (name, refusal) in [
        ("word/vbaProject.bin", ContentRefusal::Macros),
        ("WORD/VBAPROJECT.BIN", ContentRefusal::Macros),
        ("word\\vbaProject.bin", ContentRefusal::Macros),
        ("word/vba%50roject.xml", ContentRefusal::Macros),
        ("word/vbaData.xml", ContentRefusal::Macros),
        ("word/other.bin", ContentRefusal::Macros),
        ("word/other.bin ", ContentRefusal::Macros),
        ("word/activeX/activeX1.xml", ContentRefusal::Macros),
        (
            "word/embeddings/oleObject1.bin",
            ContentRefusal::EmbeddedFile,
        ),
        ("word/embeddings/sheet.xlsx", ContentRefusal::EmbeddedFile),
        ("word/afchunk.mht", ContentRefusal::EmbeddedFile),
        ("word/media/a.zip", ContentRefusal::Archive),
        ("word/media/a.tar.gz", ContentRefusal::Archive),
        ("word/media/a.exe", ContentRefusal::Program),
        ("word/media/a.JS", ContentRefusal::Program),
        ("META-INF/MANIFEST.MF", ContentRefusal::Archive),
        ("../xl/workbook.xml", ContentRefusal::Archive),
    ] {
        for how in HOWS {
            let file = docx(how, &[(name, b"hello")]);
            assert_eq!(verdict(&file), Err(refusal), "{name}");
        }
    }
}

#[test]
fn the_list_of_types_decides_about_macros() {
    let with = |from: &str, to: &str| TYPES.replace(from, to);
    let utf16: Vec<u8> = with("document.main", "VBAPROJECT")
        .encode_utf16()
        .flat_map(u16::to_le_bytes)
        .collect();
    let macros = "<Override PartName=\"/word/a.xml\" ContentType=\"application/vnd.ms-office.vbaProject\"/></Types>";
    for how in HOWS {
        for (types, expected) in [
            (
                with("</Types>", macros).as_bytes(),
                Err(ContentRefusal::Macros),
            ),
            (
                with("wordprocessingml", "macroEnabled").as_bytes(),
                Err(ContentRefusal::Macros),
            ),
            (&utf16, Err(ContentRefusal::Macros)),
            (with("vnd", "v&#110;d").as_bytes(), DAMAGED),
            (
                with("document.main", "template.main").as_bytes(),
                Err(ContentRefusal::Unknown),
            ),
            (" ".repeat(70_000).as_bytes(), DAMAGED),
            (b"", Err(ContentRefusal::Unknown)),
        ] {
            let file = ZipFile::default()
                .add("[Content_Types].xml", types, how)
                .add("word/document.xml", b"<w:document/>", how);
            assert_eq!(verdict(&file.end()), expected);
        }
        // A second list is read as well.
        let file = docx(
            how,
            &[("[content_types].XML", with("</Types>", macros).as_bytes())],
        );
        assert_eq!(verdict(&file), Err(ContentRefusal::Macros));
    }
}

#[test]
fn other_zip_files_are_archives() {
    for how in HOWS {
        for names in [
            &["letter.pdf", "setup.exe"][..],
            &["[Content_Types].xml", "ppt/a.xml"],
            &["word/document.xml"],
            &["mimetype"],
        ] {
            let file = names.iter().fold(ZipFile::default(), |file, name| {
                file.add(name, b"hello", how)
            });
            let expected = verdict(&file.end());
            assert!(matches!(expected, ARCHIVE), "{names:?}: {expected:?}");
        }
    }
    assert_eq!(verdict(&ZipFile::default().end()), ARCHIVE);
}

#[test]
fn a_file_cut_off_is_refused() {
    for how in HOWS {
        let file = docx(how, &[]);
        for end in 3..file.len() {
            let cut = super::verdict_in(&file[..end], usize::MAX);
            assert!(cut.is_err(), "{end} of {}", file.len());
        }
        assert_eq!(verdict(&file[..file.len() - 1]), DAMAGED);
        assert_eq!(verdict(&[&file[..], b"\0"].concat()), DAMAGED);
        assert_eq!(verdict(&[&file[..], &file].concat()), DAMAGED);
    }
}

#[test]
fn the_directory_must_name_the_same_entries() {
    let plain = || {
        ZipFile::default()
            .add("[Content_Types].xml", TYPES.as_bytes(), How::Deflated)
            .add("word/document.xml", b"<w:document/>", How::Deflated)
    };
    // An entry that the directory leaves out.
    let mut file = plain().add("word/more.xml", b"hello", How::Deflated);
    file.directory = plain().directory;
    assert_eq!(verdict(&file.end()), DAMAGED);
    // A name that only the directory has.
    let hidden = plain().add("word/vbaProject.bin", b"hello", How::Deflated);
    let mut file = plain().add("word/vbaProject.xmx", b"hello", How::Deflated);
    file.directory = hidden.directory;
    assert_eq!(verdict(&file.end()), Err(ContentRefusal::Macros));
    // Another place, method or size of an entry.
    for (at, byte) in [(10, 0), (20, 9), (42, 1)] {
        let mut file = plain();
        file.directory[at] = byte;
        assert_eq!(verdict(&file.end()), DAMAGED, "byte {at}");
    }
    // Another place of the directory, and a comment.
    for back in [6, 2] {
        let mut file = plain().end();
        let at = file.len() - back;
        file[at] ^= 1;
        assert_eq!(verdict(&file), DAMAGED);
    }
}

#[test]
fn an_encrypted_entry_is_refused() {
    let mut file = docx(How::Deflated, &[]);
    file[6] |= 1;
    assert_eq!(verdict(&file), Err(ContentRefusal::Encrypted));
}

#[test]
fn the_end_record_for_large_files_is_read() {
    let end = |start: u64| {
        let file = docx(How::Large, &[]);
        let (front, end) = file.split_at(file.len() - 22);
        let record = [
            &b"PK\x06\x06"[..],
            &44_u64.to_le_bytes(),
            &[0; 36],
            &start.to_le_bytes(),
        ]
        .concat();
        let mut short = end.to_vec();
        short[16..20].fill(0xff);
        verdict(&[front, &record, b"PK\x06\x07", &[0; 16], &short].concat())
    };
    let file = docx(How::Large, &[]);
    let at = file.len() - 6;
    let start = u64::from(u32::from_le_bytes(file[at..at + 4].try_into().unwrap()));
    assert_eq!(end(start), Ok(ContentType::Docx));
    assert_eq!(end(start + 1), DAMAGED);
}

const MEBIBYTE: usize = 1024 * 1024;
const OVERSIZED: Verdict = Err(ContentRefusal::Oversized);

/// A DOCX with a part that unpacks to this many mebibytes, and one of this many bytes that is not packed.
fn unpacking_to(mebibytes: usize, how: How, plain: usize) -> Vec<u8> {
    let file = ZipFile::default()
        .add("[Content_Types].xml", TYPES.as_bytes(), How::Deflated)
        .add("word/document.xml", b"<w:document/>", How::Deflated)
        .add("word/media/a.png", &vec![0; mebibytes * MEBIBYTE], how);
    file.add("word/media/b.png", &vec![7; plain], How::Stored)
        .end()
}

#[test]
fn a_part_that_unpacks_to_too_much_is_refused_before_the_file_ends() {
    for how in [How::Deflated, How::LargeDescriptor] {
        assert_eq!(
            verdict(&unpacking_to(50, how, MEBIBYTE)),
            Ok(ContentType::Docx)
        );
        let mut inspector = Inspector::default();
        let early = unpacking_to(51, how, MEBIBYTE);
        let (part, _) = early.split_at(early.len() - MEBIBYTE);
        assert_eq!(inspector.feed(part), Err(ContentRefusal::Oversized));
    }
    // A small file may unpack to ten megabytes, and to more only if it is not that small.
    assert_eq!(
        verdict(&unpacking_to(9, How::Deflated, 0)),
        Ok(ContentType::Docx)
    );
    assert_eq!(verdict(&unpacking_to(11, How::Deflated, 0)), OVERSIZED);
    assert_eq!(
        verdict(&unpacking_to(11, How::Deflated, MEBIBYTE / 8)),
        Ok(ContentType::Docx)
    );
}

#[test]
fn a_file_has_no_more_parts_than_the_scanner_looks_through() {
    let of = |parts: usize| {
        let file = ZipFile::default()
            .add("[Content_Types].xml", TYPES.as_bytes(), How::Stored)
            .add("word/document.xml", b"", How::Stored);
        let file = (2..parts).fold(file, |file, n| {
            file.add(&format!("word/{n}.xml"), b"", How::Stored)
        });
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
        assert!(
            places.len() >= 2,
            "before the data or behind it, and in the directory"
        );
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
    let hidden = [
        &miniz_oxide::deflate::compress_to_vec(b"hello", 6)[..],
        b"hidden",
    ]
    .concat();
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
    let behind = [&super::samples::png()[..], &zip].concat();
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
