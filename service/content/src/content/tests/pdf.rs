//! PDF.

use super::samples::{object_stream, pdf, stream};
use super::{ContentRefusal, ContentType, Verdict, verdict};
use alloc::format;
use alloc::vec;
use alloc::vec::Vec;
use miniz_oxide::deflate::compress_to_vec_zlib;

const CLEAN: Verdict = Ok(ContentType::Pdf);
const LAUNCH: Verdict = Err(ContentRefusal::LaunchAction);
const EMBEDDED: Verdict = Err(ContentRefusal::EmbeddedFile);
const DAMAGED: Verdict = Err(ContentRefusal::Damaged);

#[test]
fn a_pdf_is_known_by_its_header_in_the_first_kilobyte() {
    let clean = pdf(&[b"<</Type/Catalog>>"]);
    for (before, expected) in [(0, CLEAN), (1019, CLEAN), (1020, Ok(ContentType::Text))] {
        assert_eq!(verdict(&[vec![b' '; before], clean.clone()].concat()), expected);
    }
}

#[test]
fn names_of_actions_and_files_are_refused() {
    for (object, expected) in [
        ("<</S/Launch/F(cmd.exe)>>", LAUNCH),
        ("<</S /Launch>>", LAUNCH),
        ("<</S/#4c#61un#63h>>", LAUNCH),
        ("<</S/L#61#75nch>>", LAUNCH),
        ("<</S/Launch%comment\n>>", LAUNCH),
        ("/X/Launch", LAUNCH),
        ("<</X/L#/Launch>>", LAUNCH),
        ("<</Names<</EmbeddedFiles 5 0 R>>>>", EMBEDDED),
        ("<</Type/EmbeddedFile>>", EMBEDDED),
        ("<</Type/Embedded#46ile>>", EMBEDDED),
        ("<</Subtype/FileAttachment>>", EMBEDDED),
        ("<</Type/Filespec/EF<</F 5 0 R>>>>", EMBEDDED),
        ("<</EF 12 0 R>>", EMBEDDED),
        ("<</EF\r\n%a\n<</F 5 0 R>>>>", EMBEDDED),
        ("<</E#46 <</F 5 0 R>>>>", EMBEDDED),
        ("(Launch the appeal, EmbeddedFile)", CLEAN),
        ("<</LaunchPad 1/Launc/aunch/launch>>", CLEAN),
        ("<</S/#4Launch/L#>>", CLEAN),
        ("<</S/URI/URI(https://example.com/Launchpad)>>", CLEAN),
        ("<</EmbeddedFilesX 1/EF 12/EF 1 0/EF()/EFF<<>>>>", CLEAN),
        ("<</JavaScript 1/OpenAction 2/First 5 0 R>>", CLEAN),
    ] {
        assert_eq!(verdict(&pdf(&[object.as_bytes()])), expected, "{object}");
    }
}

#[test]
fn names_in_object_streams_are_found() {
    for (object, expected) in [
        ("<</S/Launch>>", LAUNCH),
        ("/Launch", LAUNCH),
        ("<</S/L#61unch>>", LAUNCH),
        ("<</EF<</F 5 0 R>>>>", EMBEDDED),
        ("<</Type/Page>>", CLEAN),
    ] {
        let file = pdf(&[b"<</First 5 0 R>>", &object_stream(object), b"<</A 1>>"]);
        assert_eq!(verdict(&file), expected, "{object}");
        let two = pdf(&[&object_stream("<</A 1>>"), &object_stream(object)]);
        assert_eq!(verdict(&two), expected, "{object}");
    }
    // A long one, which needs the whole window of the inflater, with the name at its end.
    let long: Vec<u8> =
        (0..40_000_u32).flat_map(|n| format!("<</A {}>>\n", n.wrapping_mul(2_654_435_761)).into_bytes()).collect();
    for (end, expected) in [("<</S/Launch>>", LAUNCH), ("<</S/URI>>", CLEAN)] {
        let data = compress_to_vec_zlib(&[&b"7 0 "[..], &long, end.as_bytes()].concat(), 6);
        let object = stream("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", &data);
        assert_eq!(verdict(&pdf(&[&object])), expected);
    }
}

#[test]
fn an_object_stream_is_known_however_it_is_written() {
    let data = compress_to_vec_zlib(b"7 0 <</S/Launch>>", 6);
    for dictionary in [
        "/Type/ObjStm/N 1/First 4/Filter/FlateDecode",
        "/Filter [ /FlateDecode ] /First 4 /N 1 /Type /ObjStm ",
        "/Filter/Fl/Type/Obj#53tm/N 1/First 4",
        // Readers do not need the type.
        "/N 1/First 4/Filter/#46lateDecode",
        "/Type/ObjStm/N 1/First 4/DecodeParms null/Filter/FlateDecode",
        "/Type/ObjStm/N 1/First 4/DecodeParms[<</Columns 4>>]/Filter[/FlateDecode]/Extends 5 0 R",
    ] {
        let file = pdf(&[&stream(dictionary, &data)]);
        assert_eq!(verdict(&file), LAUNCH, "{dictionary}");
    }
    let plain = stream("/Type/ObjStm/N 1/First 4", b"7 0 <</S/Launch>>");
    assert_eq!(verdict(&pdf(&[&plain])), LAUNCH);
    let plain = stream("/Type/ObjStm/N 1/First 4", b"7 0 <</First 6 0 R>>");
    assert_eq!(verdict(&pdf(&[&plain, &stream("/A 1", b"x")])), CLEAN);
}

#[test]
fn an_object_stream_that_cannot_be_read_is_refused() {
    let data = compress_to_vec_zlib(b"7 0 <</S/Launch>>", 6);
    let padding = " ".repeat(5000);
    for dictionary in [
        "/Type/ObjStm/N 1/First 4/Filter/LZWDecode",
        "/Type/ObjStm/N 1/First 4/Filter[/ASCIIHexDecode/FlateDecode]",
        "/Type/ObjStm/N 1/First 4/Filter[/FlateDecode/FlateDecode]",
        "/Type/ObjStm/N 1/First 4/Filter 5 0 R",
        "/Type/ObjStm/N 1/First 4/Filter[5 0 R]",
        "/Type/ObjStm/N 1/First 4/Filter/FlateDecode/Filter/LZWDecode",
        "/Type/ObjStm/N 1/First 4/Filter/FlateDecode/DecodeParms<</Predictor 12>>",
        "/Type/ObjStm/N 1/First 4/Filter/FlateDecode/DecodeParms 5 0 R",
        "/Type/ObjStm/N 1/First 4/Filter/FlateDecode/F(other.pdf)",
        "/Type/ObjStm/N 1/First 4/A(b)/Filter/FlateDecode",
        "/Type/ObjStm/N 1/First 4/Filter/LZWDecode%1 0 obj<<\r",
        "/Type/ObjStm/N 1/First 4/Filter/LZWDecode(1 0 obj<<)",
        "/N 1/First 4/Filter/LZWDecode/objects 1",
        &format!("/Type/ObjStm/N 1/First 4/Filter/FlateDecode{padding}"),
    ] {
        let file = pdf(&[&stream(dictionary, &data)]);
        assert_eq!(verdict(&file), DAMAGED, "{dictionary}");
    }
    let dictionary = "/Type/ObjStm/N 1/First 4/Filter/FlateDecode";
    for data in [&data[..data.len() / 2], b"", b"7 0 <</A 1>>", &[0xff; 100]] {
        assert_eq!(verdict(&pdf(&[&stream(dictionary, data)])), DAMAGED);
        let encrypted = pdf(&[&stream(dictionary, data), b"<</Encrypt 9 0 R>>"]);
        assert_eq!(verdict(&encrypted), Err(ContentRefusal::Encrypted));
    }
    // Without object streams all names are in the clear, so an encrypted file can be judged.
    assert_eq!(verdict(&pdf(&[b"<</Encrypt 9 0 R>>"])), CLEAN);
}

#[test]
fn the_streams_of_a_usual_document_are_left_alone() {
    let image = stream("/Subtype/Image/Filter/DCTDecode", &[0xff; 9000]);
    let palette = stream("/ColorSpace[/Indexed/DeviceRGB 1<000000ffffff>]", &[7; 900]);
    let outline = b"<</Title(100% \\(all\\) endobj stream )/First 5 0 R/Last 6 0 R>>";
    let file = pdf(&[outline, &image, b"<</First 5 0 R/Title(50% of it)>>", &palette, outline]);
    assert_eq!(verdict(&file), CLEAN);
}

const MEBIBYTE: usize = 1024 * 1024;
const OVERSIZED: Verdict = Err(ContentRefusal::Oversized);

/// This many mebibytes, packed.
fn mebibytes(count: usize) -> Vec<u8> {
    compress_to_vec_zlib(&vec![b' '; count * MEBIBYTE], 1)
}

/// The verdict on a PDF with this stream and this many bytes that are not packed.
fn unpacking(data: &[u8], dictionary: &str, plain: usize) -> Verdict {
    let plain = stream("/A 1", &vec![b' '; plain]);
    verdict(&pdf(&[b"<</Type/Catalog>>", &stream(dictionary, data), &plain]))
}

#[test]
fn streams_that_unpack_to_too_much_are_refused() {
    let (enough, too_much) = (MEBIBYTE, mebibytes(51));
    for (dictionary, expected) in [
        ("/Type/ObjStm/N 1/First 4/Filter/FlateDecode", OVERSIZED),
        ("/Filter/FlateDecode", OVERSIZED),
        ("/Filter[/Fl/DCTDecode]/DecodeParms 5 0 R", OVERSIZED),
        ("/Filter/#46lateDecode/Type/XObject/Subtype/Form", OVERSIZED),
        // The virus scanner does not unpack pictures.
        ("/Filter/FlateDecode/Subtype/Image", CLEAN),
        ("/Filter/DCTDecode", CLEAN),
    ] {
        assert_eq!(unpacking(&too_much, dictionary, enough), expected, "{dictionary}");
    }
    let content = "/Filter/FlateDecode";
    assert_eq!(unpacking(&mebibytes(50), content, enough), CLEAN);
    // A small file may unpack to ten megabytes, and to more only if it is not that small.
    assert_eq!(unpacking(&mebibytes(10), content, 0), CLEAN);
    let more = mebibytes(11);
    assert_eq!(unpacking(&more, content, 0), OVERSIZED);
    assert_eq!(unpacking(&more, content, enough / 8), CLEAN);
}

#[test]
fn a_stream_that_is_packed_twice_is_refused() {
    for (filters, expected) in [
        ("[/FlateDecode/FlateDecode]", DAMAGED),
        ("[/ASCII85Decode/LZW/Fl]", DAMAGED),
        ("[/RunLengthDecode /FlateDecode]", DAMAGED),
        ("[/ASCII85Decode/FlateDecode]", CLEAN),
        ("[/FlateDecode/DCTDecode]", CLEAN),
        ("/LZWDecode", CLEAN),
    ] {
        let object = stream(&format!("/Filter{filters}"), b"x");
        assert_eq!(verdict(&pdf(&[&object])), expected, "{filters}");
    }
}

#[test]
fn a_deflated_stream_of_any_other_kind_need_not_be_readable() {
    let padding = " ".repeat(5000);
    for (dictionary, data) in [
        ("/Filter/FlateDecode", &b"cut off"[..]),
        ("/Filter/FlateDecode/ID[<00><00>]", b"\x78\x9c"),
        (&format!("/Filter/FlateDecode{padding}"), b""),
    ] {
        let file = pdf(&[&object_stream("<</A 1>>"), &stream(dictionary, data)]);
        assert_eq!(verdict(&file), CLEAN, "{dictionary}");
    }
}

#[test]
fn javascript_alone_is_no_reason_to_refuse() {
    for (object, expected) in [
        ("<</S/JavaScript/JS(AFNumber_Format\\(2\\))>>", CLEAN),
        ("<</OpenAction<</S/JavaScript/JS 5 0 R>>>>", CLEAN),
        ("<</S/JavaScript/JS(x)/Next<</S/Launch/F(a.exe)>>>>", LAUNCH),
        ("<</S/JavaScript/JS(x)/Names<</EmbeddedFiles 5 0 R>>>>", EMBEDDED),
    ] {
        assert_eq!(verdict(&pdf(&[object.as_bytes()])), expected, "{object}");
        assert_eq!(verdict(&pdf(&[&object_stream(object)])), expected, "{object}");
    }
}
