//! Tests of document names.

use super::*;
use proptest::prelude::*;
use std::vec::Vec;

fn clean(raw: &str) -> String {
    DocumentName::clean(raw).0
}

#[test]
fn a_plain_name_stays() {
    for name in [
        "letter.pdf",
        "Denial letter (2nd) – José & Søn, 50%.pdf",
        "письмо.pdf",
        "手紙.docx",
        "photo 📷.heic",
        "a'b;c=d,e.txt",
        "Visit of 3.5",
    ] {
        assert_eq!(clean(name), name);
    }
}

#[test]
fn only_the_end_of_a_path_stays() {
    for path in [
        "../../etc/letter.pdf",
        "C:\\Users\\dana\\letter.pdf",
        "\\\\host\\share\\letter.pdf",
        "/letter.pdf",
        "a/b\\letter.pdf",
        "./.letter.pdf",
        "file:///letter.pdf",
    ] {
        assert_eq!(clean(path), "letter.pdf", "{path}");
    }
    assert_eq!(clean("%2e%2e%2fletter.pdf"), "%2e%2e%2fletter.pdf");
}

#[test]
fn a_name_of_nothing_is_document() {
    for raw in [
        "", " ", ".", "..", "...", "/", "a/", "a\\", "../..", "\0", "\r\n", "\u{202e}", "\u{feff}", ". . .", "\u{200b}",
    ] {
        assert_eq!(clean(raw), "document", "{raw:?}");
    }
}

#[test]
fn invisible_and_control_characters_go() {
    for (raw, shown) in [
        ("let\0ter.pdf", "letter.pdf"),
        ("letter.pdf\0.exe", "letter.pdf.exe"),
        ("letter\u{202e}fdp.exe", "letterfdp.exe"),
        ("le\u{200d}tt\u{200b}er\u{ad}.p\u{2066}df\u{2069}", "letter.pdf"),
        ("a\r\nSet-Cookie: b.pdf", "a Set-Cookie_ b.pdf"),
        ("a \t\u{a0}\u{2003}  b.pdf", "a b.pdf"),
        ("\u{1b}[31mred.pdf", "[31mred.pdf"),
        ("a\u{85}b\u{9b}c.pdf", "a bc.pdf"),
        ("letter.pdf. . ", "letter.pdf"),
    ] {
        assert_eq!(clean(raw), shown);
    }
}

#[test]
fn a_name_is_in_nfc() {
    assert_eq!(clean("Jose\u{301}.pdf"), "Jos\u{e9}.pdf");
    // Invisible characters between a letter and its mark go first.
    assert_eq!(clean("Jose\u{200b}\u{301}.pdf"), "Jos\u{e9}.pdf");
}

#[test]
fn what_windows_reserves_is_replaced() {
    for (raw, shown) in [
        ("a<b>c:d\"e|f?g*h.pdf", "a_b_c_d_e_f_g_h.pdf"),
        ("CON", "_CON"),
        ("con.pdf", "_con.pdf"),
        ("Aux .tar.pdf", "_Aux .tar.pdf"),
        ("nul", "_nul"),
        ("COM1.txt", "_COM1.txt"),
        ("lpt\u{b9}", "_lpt\u{b9}"),
        ("contract.pdf", "contract.pdf"),
        ("com10.pdf", "com10.pdf"),
        ("comb.pdf", "comb.pdf"),
    ] {
        assert_eq!(clean(raw), shown);
    }
}

#[test]
fn a_long_name_keeps_its_extension() {
    let long = "é".repeat(10_000);
    let name = clean(&format!("{long}.jpeg"));
    assert_eq!(name, format!("{}.jpeg", "é".repeat(115)));
    let name = clean(&format!("a.{}", "b".repeat(200)));
    assert_eq!(name.chars().count(), 120);
    let cut = clean(&format!("{} .. {}.pdf", "a".repeat(113), "b".repeat(20)));
    assert_eq!(cut, format!("{}.pdf", "a".repeat(113)));
}

#[test]
fn the_shown_extension_fits_the_content() {
    for (name, content, shown) in [
        ("letter.pdf", ContentType::Pdf, "letter.pdf"),
        ("LETTER.PDF", ContentType::Pdf, "LETTER.PDF"),
        ("letter.pdf.exe", ContentType::Pdf, "letter.pdf.exe.pdf"),
        ("letter", ContentType::Docx, "letter.docx"),
        ("scan.tif", ContentType::Tiff, "scan.tif"),
        ("scan.jpg", ContentType::Png, "scan.jpg.png"),
        ("photo.JPEG", ContentType::Jpeg, "photo.JPEG"),
        ("era.835", ContentType::X12, "era.835"),
        ("export.csv", ContentType::Text, "export.csv.txt"),
        ("", ContentType::Heic, "document.heic"),
        ("Visit of 3.5", ContentType::Text, "Visit of 3.5.txt"),
    ] {
        let named = DocumentName::clean(name).with_extension(content);
        assert_eq!(named.as_str(), shown);
    }
    let long = DocumentName::clean(&"a".repeat(300)).with_extension(ContentType::Pdf);
    assert_eq!(long.as_str(), format!("{}.pdf", "a".repeat(116)));
}

#[test]
fn the_header_is_quoted_and_encoded() {
    for (name, header) in [
        ("letter.pdf", "attachment; filename=\"letter.pdf\"; filename*=UTF-8''letter.pdf"),
        (
            "José's 50% – 📷.pdf",
            "attachment; filename=\"Jose's 50_ _ _.pdf\"; \
             filename*=UTF-8''Jos%C3%A9%27s%2050%25%20%E2%80%93%20%F0%9F%93%B7.pdf",
        ),
        (
            "a\"; filename=\"evil.exe\r\nX: y",
            "attachment; filename=\"a_; filename=_evil.exe X_ y\"; \
             filename*=UTF-8''a_%3B%20filename%3D_evil.exe%20X_%20y",
        ),
        // Full-width characters turn into quotes and backslashes when they are reduced to ASCII.
        (
            "\u{ff02}\u{ff3c}\u{ff0f}\u{ff05}.pdf",
            "attachment; filename=\"____.pdf\"; \
             filename*=UTF-8''%EF%BC%82%EF%BC%BC%EF%BC%8F%EF%BC%85.pdf",
        ),
    ] {
        assert_eq!(DocumentName::clean(name).content_disposition(), header);
    }
}

#[test]
fn a_name_is_not_in_debug_output() {
    let name = DocumentName::clean("Jane Doe.pdf");
    assert_eq!(format!("{name:?}"), "DocumentName(…)");
}

fn hostile() -> impl Strategy<Value = String> {
    let odd = prop::sample::select(
        ".. / \\ \0 \r\n \u{202e} \u{200d} \u{301} \u{345} \u{1100} \u{1161} \u{feff} con % \" ' : . 📷 \u{ff3c} é ﷺ .pdf"
            .split(' ')
            .collect::<Vec<_>>(),
    );
    let piece = prop_oneof![odd.prop_map(String::from), any::<char>().prop_map(String::from)];
    prop::collection::vec(piece, 0..200).prop_map(|pieces| pieces.concat())
}

proptest! {
    #![proptest_config(overturn_core::testing::config())]
    #[test]
    fn any_name_becomes_clean(raw in hostile()) {
        for content in ContentType::ALL {
            let first = DocumentName::clean(&raw);
            let name = first.with_extension(content);
            for one in [&first, &name] {
                let text = one.as_str();
                prop_assert!((1..=120).contains(&text.chars().count()));
                prop_assert!(text.chars().all(|c| is_printable(c) && !"/\\<>:\"|?*".contains(c)), "{text:?}");
                prop_assert!(!text.starts_with(['.', ' ']) && !text.ends_with(['.', ' ']), "{text:?}");
                prop_assert_eq!(text.nfc().collect::<String>(), text);
                prop_assert_eq!(&DocumentName::clean(text), one);
            }
            prop_assert_eq!(&name.with_extension(content), &name);
            let header = name.content_disposition();
            prop_assert!(header.bytes().all(|b| (b' '..=b'~').contains(&b)));
            prop_assert_eq!(header.matches('"').count(), 2);
            prop_assert!(!header.contains('\\'));
            let (_, encoded) = header.split_once("filename*=UTF-8''").unwrap();
            let decoded = percent_encoding::percent_decode_str(encoded).decode_utf8().unwrap();
            prop_assert_eq!(decoded.as_ref(), name.as_str());
        }
    }
}
