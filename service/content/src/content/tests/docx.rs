//! DOCX and other ZIP files.

use super::samples::{HOWS, How, TYPES, ZipFile, docx};
use super::{ContentRefusal, ContentType, Verdict, verdict};
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
    let file = ZipFile::default().add("word/document2.xml", b"<w:document/>", How::Descriptor).add(
        "[Content_Types].xml",
        TYPES.as_bytes(),
        How::Descriptor,
    );
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
        ("word/embeddings/oleObject1.bin", ContentRefusal::EmbeddedFile),
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
    let utf16: Vec<u8> = with("document.main", "VBAPROJECT").encode_utf16().flat_map(u16::to_le_bytes).collect();
    let macros = "<Override PartName=\"/word/a.xml\" ContentType=\"application/vnd.ms-office.vbaProject\"/></Types>";
    for how in HOWS {
        for (types, expected) in [
            (with("</Types>", macros).as_bytes(), Err(ContentRefusal::Macros)),
            (with("wordprocessingml", "macroEnabled").as_bytes(), Err(ContentRefusal::Macros)),
            (&utf16, Err(ContentRefusal::Macros)),
            (with("vnd", "v&#110;d").as_bytes(), DAMAGED),
            (with("document.main", "template.main").as_bytes(), Err(ContentRefusal::Unknown)),
            (" ".repeat(70_000).as_bytes(), DAMAGED),
            (b"", Err(ContentRefusal::Unknown)),
        ] {
            let file = ZipFile::default().add("[Content_Types].xml", types, how).add(
                "word/document.xml",
                b"<w:document/>",
                how,
            );
            assert_eq!(verdict(&file.end()), expected);
        }
        // A second list is read as well.
        let file = docx(how, &[("[content_types].XML", with("</Types>", macros).as_bytes())]);
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
            let file = names.iter().fold(ZipFile::default(), |file, name| file.add(name, b"hello", how));
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
        ZipFile::default().add("[Content_Types].xml", TYPES.as_bytes(), How::Deflated).add(
            "word/document.xml",
            b"<w:document/>",
            How::Deflated,
        )
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
        let record = [&b"PK\x06\x06"[..], &44_u64.to_le_bytes(), &[0; 36], &start.to_le_bytes()].concat();
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
