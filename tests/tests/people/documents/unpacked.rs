//! Files that unpack to more than the virus scanner reads, before a real clamd.

use super::remains::{documents, member, settled};
use super::{upload, uploaded};
use miniz_oxide::deflate::{compress_to_vec, compress_to_vec_zlib};
use overturn_tests::clamd::{Clamd, eicar};
use overturn_tests::prelude::*;

const TYPES: &[u8] = b"<Types><Override PartName=\"/word/document.xml\" ContentType=\"application/vnd.openxmlformats-\
officedocument.wordprocessingml.document.main+xml\"/></Types>";
const RULE: &str = "file must not unpack to more than 200 MiB, 50 MiB for one part, or 100 times its size: save it again \
                    with smaller pictures";

/// This many million zero bytes, and then the test virus.
fn zeros(millions: usize) -> Vec<u8> {
    [vec![0; millions * 1_000_000], eicar()].concat()
}

/// A DOCX with these parts, all deflated.
fn docx(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let (mut file, mut directory) = (Vec::new(), Vec::new());
    let all = [("[Content_Types].xml", TYPES)];
    let all: Vec<_> = all.into_iter().chain(parts.iter().copied()).collect();
    for (name, data) in &all {
        let packed = compress_to_vec(data, 1);
        let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
        let length = u16::try_from(name.len()).unwrap().to_le_bytes();
        let fields = [
            &[20, 0, 0, 0, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0][..],
            &number(packed.len()),
            &number(data.len()),
            &length,
            &[0; 2],
        ]
        .concat();
        let record = [b"PK\x01\x02\x14\0", &*fields, &[0; 10], &number(file.len())];
        directory.extend([&record.concat(), name.as_bytes()].concat());
        file.extend([b"PK\x03\x04", &*fields, name.as_bytes(), &packed].concat());
    }
    let number = |number: usize| u32::try_from(number).unwrap().to_le_bytes();
    let count = u16::try_from(all.len()).unwrap().to_le_bytes();
    let end = [&b"PK\x05\x06\0\0\0\0"[..], &count, &count, &number(directory.len()), &number(file.len()), &[0; 2]];
    [file, directory, end.concat()].concat()
}

/// A PDF with a stream.
fn pdf_with(dictionary: &str, data: &[u8]) -> Vec<u8> {
    let head = format!(
        "%PDF-1.7\n1 0 obj\n<</Type/Catalog>>\nendobj\n2 0 obj\n<<{dictionary}/Length {}>>\nstream\n",
        data.len()
    );
    let end = b"\nendstream\nendobj\ntrailer\n<</Root 1 0 R>>\n%%EOF\n";
    [head.as_bytes(), data, end].concat()
}

#[test]
fn what_the_scanner_would_not_look_through_is_not_available() {
    let clamd = Clamd::start();
    let server = Server::start(State::fresh(), &clamd.vars());
    let (tenant, member) = member(&server);
    let document = ("word/document.xml", &b"<w:document/>"[..]);
    let refused = |file: &[u8], name: &str| {
        let answer = upload(&member, FormData::default().file("file", name, file));
        answer.expect(422);
        answer
    };
    // Of the picture, clamd would read the first 60 MB and say that the file is clean.
    let picture = docx(&[document, ("word/media/x.png", &zeros(70))]);
    let xml = docx(&[("word/document.xml", &vec![b' '; 120_000_000])]);
    assert!(picture.len() < 400_000 && xml.len() < 1_000_000);
    let content = pdf_with("/Filter/FlateDecode", &compress_to_vec_zlib(&zeros(70), 1));
    for (file, name) in [(picture, "a.docx"), (xml, "b.docx"), (content, "c.pdf")] {
        assert_eq!(refused(&file, name).details(), [RULE], "{name}");
    }
    // What fits is looked through to its end.
    let noise = super::pdf(1_000_000);
    let found = docx(&[document, ("word/media/noise.jpeg", &noise[9..]), ("word/media/x.png", &zeros(50))]);
    refused(&found, "d.docx").refused(422, "virus_detected");
    let small = [("word/media/noise.jpeg", &noise[9..]), ("word/media/x.png", &vec![0; 50_000_000])];
    let clean = docx(&[&[document], &small[..]].concat());
    assert_eq!(uploaded(&member, &clean, "e.docx")["state"], "available");
    // What is deflated within text is not counted while it streams. clamd says that it is too large.
    let text: String = compress_to_vec_zlib(&zeros(70), 1).iter().map(|byte| format!("{byte:02x}")).collect();
    let hidden = pdf_with("/Filter[/ASCIIHexDecode/FlateDecode]", text.as_bytes());
    assert_eq!(uploaded(&member, &hidden, "f.pdf")["state"], "quarantined");
    // Nobody could look into it without the password.
    let locked = b"%PDF-1.4\n1 0 obj\n<</V 1>>\nendobj\ntrailer<</Encrypt 1 0 R>>\nstartxref\n9\n%%EOF\n";
    assert_eq!(refused(locked, "g.pdf").details(), ["file must not be encrypted: save it without a password"]);
    assert_eq!(documents(&tenant), 2);
    settled(&server, 2);
}
