//! Plain text and X12.

use super::samples::HEADER;
use super::{ContentRefusal, ContentType, Verdict, verdict};
use alloc::format;
use alloc::vec::Vec;

const TEXT: Verdict = Ok(ContentType::Text);
const PROGRAM: Verdict = Err(ContentRefusal::Program);
const UNKNOWN: Verdict = Err(ContentRefusal::Unknown);

fn utf16(text: &str, big_endian: bool) -> Vec<u8> {
    let bytes = |unit: u16| {
        if big_endian { unit.to_be_bytes() } else { unit.to_le_bytes() }
    };
    text.encode_utf16().flat_map(bytes).collect()
}

#[test]
fn text_is_utf8_or_windows_1252_without_control_characters() {
    for (file, expected) in [
        (&b"Dear Dr. Whitfield,\r\n\tyour claim \x0c was denied."[..], TEXT),
        ("\u{feff}Grüße, 手紙 📷".as_bytes(), TEXT),
        (b"caf\xe9 \x80 5, \x93quoted\x94", TEXT),
        // In Windows-1252 these bytes are nothing, and in UTF-8 they are fine.
        ("\u{c1}\u{cd}\u{41d}".as_bytes(), TEXT),
        (b"caf\xe9 \x81", UNKNOWN),
        (b"a\0b", UNKNOWN),
        (b"a\x1bb", UNKNOWN),
        (b"a\x7fb", UNKNOWN),
        (b"MZ: see the notes", TEXT),
        (b"BZh9 is a word", TEXT),
        (b"5 < 6 and <scrip and <htm", TEXT),
        (b"X5O!P%@AP[4\\PZX54(P^)7CC)7}$EICAR", TEXT),
    ] {
        assert_eq!(verdict(file), expected, "{file:?}");
    }
    // A cut character ends UTF-8, but each of its bytes is one in Windows-1252.
    assert_eq!(verdict(&"手紙".as_bytes()[..5]), TEXT);
    assert_eq!(verdict(b"\xc3\x81\xc3"), UNKNOWN);
}

#[test]
fn scripts_and_pages_are_programs() {
    for text in [
        "#!/bin/sh\nrm",
        "\u{feff}#!/bin/sh",
        "@ECHO off\r\n",
        "%!PS-Adobe-3.0",
        "[InternetShortcut]\nURL=x",
        " \n[Desktop Entry]",
        "<!DOCTYPE html>",
        "hello <<ScRiPt>",
        "a <scr<script src=x>",
        "<?php echo 1;",
        "x <svg onload=y>",
        "<HTML>",
    ] {
        assert_eq!(verdict(text.as_bytes()), PROGRAM, "{text}");
        let late = format!("{} <script>", "a".repeat(9000));
        assert_eq!(verdict(late.as_bytes()), PROGRAM);
    }
}

#[test]
fn utf16_needs_its_mark() {
    for big_endian in [false, true] {
        let file = |text: &str| verdict(&utf16(&format!("\u{feff}{text}"), big_endian));
        assert_eq!(file("Grüße, 手紙 📷\r\n"), TEXT);
        assert_eq!(file(""), TEXT);
        assert_eq!(file("a\0b"), UNKNOWN);
        assert_eq!(file("a\u{1b}b"), UNKNOWN);
        assert_eq!(file("a\u{9b}b"), UNKNOWN);
        assert_eq!(file("a <script>"), PROGRAM);
        assert_eq!(file("@echo off"), PROGRAM);
        let mut odd = utf16("\u{feff}ab", big_endian);
        odd.push(b'c');
        assert_eq!(verdict(&odd), UNKNOWN);
        let pair = utf16("\u{feff}📷", big_endian);
        assert_eq!(verdict(&pair[..4]), UNKNOWN);
        assert_eq!(verdict(&[&pair[..2], &pair[4..]].concat()), UNKNOWN);
        assert_eq!(verdict(&utf16("ab", big_endian)), UNKNOWN);
    }
    // The mark of UTF-32 is that of UTF-16 and a zero.
    assert_eq!(verdict(b"\xff\xfe\0\0a\0\0\0"), UNKNOWN);
}

#[test]
fn x12_starts_with_its_header() {
    let x12 = Ok(ContentType::X12);
    let body = "GS*HP*S*R*20261122*1142*1*X*005010X221A1~ST*835*0001~";
    assert_eq!(HEADER.len(), 106);
    for before in ["", "\r\n  ", "\u{feff}", "\u{feff}\n"] {
        assert_eq!(verdict(format!("{before}{HEADER}{body}").as_bytes()), x12);
    }
    // Many payers separate with control characters.
    let control = HEADER.replace('*', "\x1d").replace(':', "\x1f").replace('~', "\x1c");
    let segment = "GS\x1dHP\x1f1\x1c";
    assert_eq!(verdict(format!("{control}{segment}").as_bytes()), x12);
    assert_eq!(verdict(format!("{control}{segment}\x1e").as_bytes()), UNKNOWN);
    assert_eq!(verdict(format!("{HEADER}GS\0").as_bytes()), UNKNOWN);
    assert_eq!(verdict(format!("{HEADER}<script>").as_bytes()), x12);
    for (wrong, why) in [
        (HEADER.replacen("SENDER ", "SENDER", 1), "a short field"),
        (HEADER.replacen("SENDER ", "SENDE* ", 1), "a separator in a field"),
        (HEADER.replacen("261122", "Nov 22", 1), "no date"),
        (HEADER.replacen(":~", "~~", 1), "one character for two separators"),
        (HEADER.replacen("ISA", "IEA", 1), "another segment"),
        (HEADER[..105].into(), "cut off"),
        ("ISA is short for an account".into(), "a text"),
    ] {
        assert_eq!(verdict(wrong.as_bytes()), TEXT, "{why}");
    }
}
