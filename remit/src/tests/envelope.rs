//! Envelope, component separator, and files that are cut off.

use super::{era, field, held, jane, numbers, options, run, run_bytes};
use crate::{FileError, FileState, Hold, Remit, Warning};
use alloc::string::String;
use alloc::vec::Vec;

const DENIED: &str = "CLP*A-1*1*100*0**12*P-1~
NM1*QC*1*DOE*JANE****MI*W1~
DTM*232*20260105~
CAS*CO*50*100~";

#[test]
fn the_isa_segment_is_read_by_counting_its_separators() {
    let unpadded = "ISA*00**00**ZZ*P*ZZ*R*260210*1200*^*00501*1*0*P*:~GS*HP*P*R*20260210*1200*7*X*005010~ST*835*1~
        BPR*I*0*C*ACH************20260202~N1*PR*ACME~CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE~DTM*232*20260105~
        CAS*CO*50*100~SE*8*1~GE*1*7~IEA*1*1~";
    let outcome = run(&[unpadded, &jane()]);
    assert_eq!(numbers(&outcome), ["A-1"]);
    assert!(outcome.files[0].warnings.is_empty(), "{:?}", outcome.files[0]);
}

#[test]
fn a_segment_ends_with_any_mark_also_with_a_line_break() {
    let plain = era(DENIED).replace("\n", "");
    for terminator in ["~", "~\n", "~\r\n", "\n", "\r\n", "\r", "'", "\x1c", "   ~  \r\n"] {
        let file = plain.replace('~', terminator);
        let outcome = run(&[&file, &jane()]);
        assert_eq!(numbers(&outcome), ["A-1"], "{terminator:?}");
        assert_eq!(outcome.files[0].error, None, "{terminator:?}");
        assert!(!outcome.files[0].cut_off, "{terminator:?}");
        assert!(outcome.files[0].warnings.is_empty(), "{terminator:?}");
    }
}

#[test]
fn each_interchange_has_its_own_separators() {
    let other =
        era("CLP*A-2*1*50*0**12*P-2~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~SVC*HC:99213*50*0~CAS*CO*50*50~");
    let other = other.replace('*', "|").replace(':', ">").replace('~', "!");
    let both = [era(DENIED), other].concat();
    let outcome = run(&[&both, &jane()]);
    assert_eq!(numbers(&outcome), ["A-1", "A-2"]);
    assert_eq!(outcome.files[0].remittances, 2);
}

#[test]
fn marks_and_white_space_around_interchanges_are_allowed() {
    let file = ["\u{feff} \r\n\0", &era(DENIED), "\0\0\x1a\r\n", "\u{feff}", &jane(), "\x1a"].concat();
    let outcome = run(&[&file]);
    assert_eq!(numbers(&outcome), ["A-1"]);
    assert_eq!(outcome.files[0].error, None);
}

#[test]
fn anything_else_before_isa_is_an_error() {
    for (text, error) in [
        ("", FileError::Empty),
        (" \r\n\0", FileError::Empty),
        ("claim_number,payer_name\n", FileError::NotX12),
        ("{\"patient\":1}", FileError::NotX12),
        ("GS*HP*P*R~", FileError::NoHeader),
        ("ISAAC", FileError::NotX12),
        ("ISA*00*", FileError::Separators),
        ("ISA*00**00**ZZ*P*ZZ*R*260210*1200*^*00501*1*0*P*A~GS", FileError::Separators),
        ("ISA*00**00**ZZ*P*ZZ*R*260210*1200*^*00501*1*0*P*:GS", FileError::Separators),
    ] {
        assert_eq!(run(&[text]).files[0].error, Some(error), "{text:?}");
    }
    let followed = [&era(DENIED), "Total: 1 file"].concat();
    let outcome = run(&[&followed, &jane()]);
    assert_eq!(numbers(&outcome), ["A-1"], "what came before the error counts");
    assert_eq!(outcome.files[0].error, Some(FileError::TextAfter));
    assert_eq!(outcome.files[0].state(), FileState::Partial);
}

/// A file is left out as another kind only if no interchange is in it.
#[test]
fn a_file_that_could_be_a_remittance_says_why_it_is_not_read() {
    let whole = era(DENIED);
    let two_bytes = |mark: &[u8], low: bool| {
        let wide = |byte: u8| if low { [byte, 0] } else { [0, byte] };
        let bytes = whole.bytes().flat_map(wide);
        mark.iter().copied().chain(bytes).collect::<Vec<u8>>()
    };
    let office = b"PK\x03\x04xxxxxxxxxxxxxxxxxxxxxxxxxxword/document.xml";
    let headless = &whole[whole.find("GS*").unwrap()..];
    let stored = [b"PK\x03\x04xxxxxxxxxxxxxxxxxxxxxxxxxxa.835", whole.as_bytes()].concat();
    let late = ["-".repeat(200_000), "ISIISA".into(), whole.clone()].concat();
    let text = |text: &str| text.as_bytes().to_vec();
    for (file, error, state) in [
        (text(&["Payment of March\n", &whole].concat()), FileError::TextBefore, FileState::Unreadable),
        (text(&late), FileError::TextBefore, FileState::Unreadable),
        (two_bytes(b"\xff\xfe", true), FileError::Utf16, FileState::Unreadable),
        (two_bytes(b"\xfe\xff", false), FileError::Utf16, FileState::Unreadable),
        (two_bytes(b"", true), FileError::Utf16, FileState::Unreadable),
        (two_bytes(b"", false), FileError::Utf16, FileState::Unreadable),
        (text(&whole.to_lowercase()), FileError::LowerCase, FileState::Unreadable),
        (text(&whole.replacen("ISA", "Isa", 1)), FileError::LowerCase, FileState::Unreadable),
        (stored, FileError::Archive, FileState::Unreadable),
        (
            text("\u{1f}\u{8b}\u{8}..").into_iter().filter(|byte| *byte != 0xc2).collect(),
            FileError::Archive,
            FileState::Unreadable,
        ),
        (text(headless), FileError::NoHeader, FileState::Unreadable),
        (text(&headless[headless.find("ST*").unwrap()..]), FileError::NoHeader, FileState::Unreadable),
        (text("ISA*00*"), FileError::Separators, FileState::Unreadable),
        (text("ISA 00 now"), FileError::Separators, FileState::Unreadable),
        (office.to_vec(), FileError::NotX12, FileState::Other),
        (text("Visa*0, misa*00-, I, IS, ISA"), FileError::NotX12, FileState::Other),
        (text("GST*835*"), FileError::NotX12, FileState::Other),
        (text("is"), FileError::NotX12, FileState::Other),
        (text("IS"), FileError::NotX12, FileState::Other),
        (text(""), FileError::Empty, FileState::Other),
    ] {
        for size in [1, 3, 7, file.len().max(1)] {
            let mut remit = Remit::new(options());
            remit.open("file");
            let _ = file.chunks(size).try_for_each(|chunk| remit.push(chunk));
            let report = remit.finish().files.remove(0);
            let shown = String::from_utf8_lossy(&file[..file.len().min(20)]);
            assert_eq!((report.error, report.state()), (Some(error), state), "{size} {shown}");
        }
    }
}

#[test]
fn a_stream_without_end_is_given_up() {
    let mut remit = Remit::new(options());
    remit.open("stream");
    let chunk = [b'x'; 1 << 20];
    let pushed = (0..).take_while(|_| remit.push(&chunk).is_ok()).count();
    assert_eq!(pushed, 64);
    assert_eq!(remit.finish().files[0].error, Some(FileError::NotX12));
}

#[test]
fn x12_of_another_kind_is_another_file() {
    let file = era(DENIED).replace("ST*835", "ST*999");
    let report = &run(&[&file]).files[0];
    assert_eq!((report.error, report.state()), (None, FileState::Other));
    assert_eq!(report.note().unwrap(), "no remittance (835) and no claim file (837) is in it");
}

#[test]
fn a_segment_has_a_limit() {
    let mut file = era(DENIED);
    file.push_str("ISA*00**00**ZZ*P*ZZ*R*260210*1200*^*00501*1*0*P*:~GS*");
    file.push_str(&"x".repeat(70_000));
    let outcome = run(&[&file, &jane()]);
    assert_eq!(outcome.files[0].error, Some(FileError::SegmentTooLong));
    assert_eq!(numbers(&outcome), ["A-1"]);
}

#[test]
fn text_is_utf8_or_windows_1252() {
    let sent: Vec<u8> = jane().replace("DOE", "NU\u{1}EZ").bytes().collect();
    let latin: Vec<u8> = sent.iter().map(|byte| if *byte == 1 { 0xd1 } else { *byte }).collect();
    let utf8 = era(&DENIED.replace("DOE", "NUÑEZ"));
    let outcome = run_bytes(options(), &[utf8.as_bytes(), &latin]);
    let claim = super::only(&outcome);
    assert_eq!(claim["patient"]["last_name"], "NUÑEZ");
}

#[test]
fn a_transaction_is_known_by_st01() {
    let outcome = run(&[&era(DENIED).replace("GS*HP", "GS*HC"), &jane().replace("GS*HC", "GS*FA")]);
    assert_eq!(numbers(&outcome), ["A-1"]);
    let other = era(DENIED).replace("ST*835", "ST*277");
    let outcome = run(&[&other, &jane()]);
    assert!(outcome.claims.is_empty());
    assert_eq!(outcome.files[0].warnings[&Warning::OtherTransaction].0, 1);
}

#[test]
fn segments_and_elements_are_trimmed() {
    let spaced =
        era(DENIED).replace("CLP*A-1*1*", "\t CLP*  A-1 * 1 * ").replace("CAS*CO*50*100", "CAS* CO *50 * 100  ");
    let outcome = run(&[&spaced, &jane()]);
    assert_eq!(numbers(&outcome), ["A-1"]);
    assert_eq!(field(&outcome, "denial_codes")[0], "CO-50");
}

#[test]
fn a_known_qualifier_shows_the_component_separator() {
    let body = |svc: &str| {
        ["CLP*A-1*1*100*0**12*P-1~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~", svc, "~CAS*CO*50*100~"].concat()
    };
    for (svc, code) in [
        ("SVC*HC:99213:25*100*0", "99213-25"),
        ("SVC*HC|99213|25*100*0", "99213-25"),
        ("SVC*HC>99213*100*0", "99213"),
        ("SVC*AD^D0120*100*0", "D0120"),
    ] {
        let outcome = run(&[&era(&body(svc)), &jane()]);
        assert_eq!(field(&outcome, "procedure_code"), code, "{svc}");
    }
    let unknown = run(&[&era(&body("SVC*XX|99213*100*0")), &jane()]);
    assert!(field(&unknown, "procedure_code").is_null());
}

const TWO: &str = "CLP*A-1*1*100*0**12*P-1~
NM1*QC*1*DOE*JANE****MI*W1~
DTM*232*20260105~
CAS*CO*50*100~
CLP*A-2*1*70*0**12*P-2~
NM1*QC*1*DOE*JANE****MI*W1~
DTM*232*20260105~
CAS*CO*50*70~";

/// The claim numbers that are held because their transaction breaks off.
fn broken_off(outcome: &crate::Outcome) -> Vec<&str> {
    let reason = Hold::CutOff.text();
    let held = held(outcome).into_iter();
    held.map(|(number, why)| {
        assert_eq!(why, reason);
        number
    })
    .collect()
}

#[test]
fn the_denials_of_a_transaction_that_breaks_off_are_held() {
    let whole = era(TWO);
    let whole_outcome = run(&[&whole, &jane()]);
    assert_eq!(numbers(&whole_outcome), ["A-1", "A-2"]);
    assert!(!whole_outcome.files[0].cut_off);
    let second = whole.find("CLP*A-2").unwrap();
    for (end, kept, read) in [
        (second, &[][..], 1),
        (second + "CLP*A-2*1*70*0**12*P-2~".len(), &["A-1"], 2),
        (whole.find("SE*").unwrap(), &["A-1"], 2),
    ] {
        let outcome = run(&[&whole[..end], &jane()]);
        assert_eq!(broken_off(&outcome), kept, "cut at {end}");
        assert!(outcome.claims.is_empty() && outcome.files[0].cut_off);
        // The claim whose end never came counts too.
        assert_eq!(outcome.files[0].counts.claim_payments, read, "cut at {end}");
        assert_eq!(super::skipped(&outcome, crate::Skip::BrokenOff), 1);
    }
    let outcome = run(&[&whole[..whole.find("GE*").unwrap()], &jane()]);
    assert_eq!(numbers(&outcome), ["A-1", "A-2"]);
    assert!(outcome.files[0].cut_off);
}

#[test]
fn a_transaction_without_se_ends_where_the_next_begins() {
    let file = era(TWO);
    let cut = file.find("SE*").unwrap();
    let broken =
        [&file[..cut], &era("CLP*A-3*1*60*0**12*P-3~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~CAS*CO*50*60~")]
            .concat();
    let outcome = run(&[&broken, &jane()]);
    assert_eq!(numbers(&outcome), ["A-3"]);
    assert_eq!(broken_off(&outcome), ["A-1"]);
    assert!(outcome.files[0].cut_off);
}

#[test]
fn a_segment_in_lower_case_ends_the_reading() {
    for (from, to) in [("CAS*CO*50*70", "Cas*CO*50*70"), ("SE*", "se*")] {
        let file = era(TWO).replace(from, to);
        let outcome = run(&[&file, &jane()]);
        assert_eq!(outcome.files[0].error, Some(FileError::LowerCaseSegment), "{to}");
        assert_eq!(broken_off(&outcome), ["A-1"], "{to}");
    }
    // What came before it was not complete.
    let outcome = run(&[&era(TWO).replace("CLP*A-2", "clp*A-2"), &jane()]);
    assert!(outcome.claims.is_empty() && outcome.held.is_empty());
    assert_eq!(super::skipped(&outcome, crate::Skip::BrokenOff), 1);
    // Text that a stray terminator made a segment is none.
    let text = era(TWO).replace("CLP*A-2", "patient says so~CLP*A-2");
    assert_eq!(numbers(&run(&[&text, &jane()])), ["A-1", "A-2"]);
}

#[test]
fn an_interchange_may_begin_without_an_end_of_the_one_before() {
    let first = era(TWO);
    let first = &first[..first.find("GE*").unwrap()];
    let second = era("CLP*A-3*1*60*0**12*P-3~NM1*QC*1*DOE*JANE****MI*W1~DTM*232*20260105~CAS*CO*50*60~");
    let both = [first, &second.replace('*', "|").replace('~', "!")].concat();
    for size in [1, 2, 3, 5, both.len()] {
        let mut remit = Remit::new(options());
        for file in [&both, &jane()] {
            remit.open("file");
            let pushed = file.as_bytes().chunks(size).try_for_each(|chunk| remit.push(chunk));
            assert_eq!(pushed, Ok(()));
        }
        let outcome = remit.finish();
        assert_eq!(numbers(&outcome), ["A-1", "A-2", "A-3"], "{size}");
        assert!(outcome.files[0].cut_off);
    }
}

#[test]
fn a_file_and_its_beginning_give_each_claim_once() {
    let whole = era(TWO);
    let cut = &whole[..whole.find("SE*").unwrap()];
    for files in [[&*whole, cut, &jane()], [cut, &whole, &jane()]] {
        let outcome = run(&files);
        assert_eq!(numbers(&outcome), ["A-1", "A-2"]);
        assert_eq!(super::skipped(&outcome, crate::Skip::Repeated), 1);
        assert_eq!(super::skipped(&outcome, crate::Skip::BrokenOff), 1);
    }
}

#[test]
fn a_claim_file_that_is_cut_off_holds_its_last_claim() {
    let sent = jane();
    let cut: String = sent[..sent.find("LX*1").unwrap()].into();
    let outcome = run(&[&era(DENIED), &cut]);
    assert_eq!(held(&outcome), [("A-1", "no date of birth".into())]);
    assert!(outcome.files[1].cut_off);
}
