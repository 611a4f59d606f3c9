//! Hostile and honest forms over a source in memory, which counts how much of it was asked for.

use super::*;
use futures_util::FutureExt;
use std::cell::Cell;
use std::rc::Rc;

const BOUNDARY: &str = "frontier";
const TYPE: &str = "multipart/form-data; boundary=frontier";

/// A body in pieces of a size, whose sender leaves before the end if it breaks.
struct Memory {
    body: Bytes,
    piece: usize,
    taken: Rc<Cell<usize>>,
    breaks: bool,
}

impl Source for Memory {
    async fn read(&mut self) -> Result<Option<Bytes>, FormError> {
        let piece = self.body.split_to(self.piece.min(self.body.len()));
        self.taken.set(self.taken.get() + piece.len());
        if piece.is_empty() && self.breaks {
            return Err(FormError::Disconnected);
        }
        Ok((!piece.is_empty()).then_some(piece))
    }
}

fn form(body: impl Into<Bytes>, piece: usize) -> (Form<Memory>, Rc<Cell<usize>>) {
    let (body, taken) = (body.into(), Rc::new(Cell::new(0)));
    let length = body.len() as u64;
    let source = Memory { body, piece, taken: Rc::clone(&taken), breaks: false };
    let form = Form::open(Some(TYPE), (Some(length), u64::MAX), source);
    (form.ok().unwrap(), taken)
}

/// Memory never waits.
fn now<T>(future: impl Future<Output = T>) -> T {
    future.now_or_never().unwrap()
}

fn part(name: &str, content: &[u8]) -> Vec<u8> {
    let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n");
    [head.as_bytes(), content, b"\r\n"].concat()
}

fn whole(parts: &[Vec<u8>]) -> Vec<u8> {
    [parts.concat(), format!("--{BOUNDARY}--\r\n").into_bytes()].concat()
}

type Read = Result<Vec<(String, Option<String>, Vec<u8>)>, FormError>;

fn read_all(body: impl Into<Bytes>, piece: usize) -> Read {
    let (mut form, _) = form(body, piece);
    let mut parts = Vec::new();
    while let Some(mut part) = now(form.next_part())? {
        let mut content = Vec::new();
        while let Some(bytes) = now(part.chunk())? {
            assert!(!bytes.is_empty());
            content.extend_from_slice(&bytes);
        }
        parts.push((part.name.clone(), part.file_name.clone(), content));
    }
    assert!(now(form.next_part()).unwrap().is_none());
    Ok(parts)
}

fn contents(read: Read) -> Vec<Vec<u8>> {
    let parts = read.unwrap().into_iter();
    parts.map(|(_, _, content)| content).collect()
}

/// Line ends, dashes and beginnings of the boundary, where a reader could stumble.
fn tricky() -> Vec<u8> {
    let near = "\r\n--frontie\r\n--\r\r\n--frontierX".replace("\r\n--frontierX", "\r\n-frontier\r");
    near.repeat(1000).into_bytes()
}

#[test]
fn a_form_reads_alike_in_pieces_of_any_size() {
    let large: Vec<u8> = (0..100_000_u32).map(|n| n.to_le_bytes()[1]).collect();
    let sent = [b"".to_vec(), b"text".to_vec(), tricky(), large];
    let body = whole(&sent.each_ref().map(|content| part("file", content)));
    for piece in [1, 2, 3, 7, 64, 1000, PIECE - 1, PIECE, PIECE + 1, usize::MAX] {
        assert_eq!(contents(read_all(body.clone(), piece)), sent, "{piece}");
    }
}

#[test]
fn a_part_that_is_not_read_is_skipped() {
    let body = whole(&[part("a", &[7; 500_000]), part("b", b"bytes")]);
    let (mut form, taken) = form(body, 10_000_000);
    assert_eq!(now(form.next_part()).unwrap().unwrap().name, "a");
    // The source had one chunk, and the form holds it without giving it to the parser.
    assert!(form.held.len() > 400_000);
    let mut second = now(form.next_part()).unwrap().unwrap();
    assert_eq!(now(second.text(5)).unwrap(), "bytes");
    assert!(taken.get() > 500_000);
}

#[test]
fn a_text_has_a_bound_and_is_utf_8() {
    let body =
        whole(&[part("a", "é".repeat(10).as_bytes()), part("b", &[b'x'; 200_000]), part("c", b"\xff"), part("d", b"")]);
    let (mut form, _) = form(body, 1000);
    let mut text = |max| now(now(form.next_part()).unwrap().unwrap().text(max));
    assert_eq!(text(20).unwrap(), "é".repeat(10));
    assert_eq!(text(100), Err(FormError::TextTooLong { part: 2 }));
    assert_eq!(text(100), Err(FormError::NotText { part: 3 }));
    assert_eq!(text(0).unwrap(), "");
}

#[test]
fn the_bound_of_what_follows_is_never_too_low() {
    let body = whole(&[part("a", &[1; 100_000]), part("b", &[2; 50_000])]);
    let (mut form, _) = form(body, 4096);
    let mut left = 150_000_u64;
    while let Some(mut part) = now(form.next_part()).unwrap() {
        while let Some(bytes) = now(part.chunk()).unwrap() {
            left -= bytes.len() as u64;
            let bound = part.remaining_upper_bound().unwrap();
            assert!(bound >= left && bound < left + 300, "{bound} for {left}");
        }
    }
    assert_eq!(left, 0);
}

#[test]
fn other_content_types_are_no_form() {
    let open = |content_type: Option<&str>| {
        let source = Memory { body: Bytes::new(), piece: 1, taken: Rc::default(), breaks: false };
        Form::open(content_type, (None, u64::MAX), source).err()
    };
    let long = format!("multipart/form-data; boundary={}", "b".repeat(71));
    for content_type in [
        None,
        Some(""),
        Some("application/json"),
        Some("multipart/mixed; boundary=b"),
        Some("multipart/form-data"),
        Some("multipart/form-data; boundary="),
        Some("multipart/form-data; boundary=\"\""),
        Some(long.as_str()),
    ] {
        assert_eq!(open(content_type), Some(FormError::NotForm), "{content_type:?}");
    }
    assert_eq!(open(Some("multipart/form-data; boundary=\"a b\"")), None);
}

#[test]
fn a_form_that_breaks_off_is_malformed_at_every_byte() {
    let body = whole(&[part("a", b"content"), part("b", b"more")]);
    // The line end behind `--frontier--` is not needed.
    let end = body.len() - 2;
    for cut in 0..end {
        let read = read_all(body[..cut].to_vec(), 5);
        assert!(matches!(read, Err(FormError::Malformed { .. })), "{cut}");
    }
    assert!(read_all(body[..end].to_vec(), 5).is_ok());
}

#[test]
fn a_form_ends_with_its_body() {
    let read = |after: &[u8], breaks| {
        let body = [&whole(&[part("a", b"b")]), after].concat();
        for piece in [1, 7, PIECE, usize::MAX] {
            let (mut form, taken) = form(body.clone(), piece);
            form.source.breaks = breaks;
            assert!(now(form.next_part()).unwrap().is_some());
            let end = now(form.next_part()).map(|part| part.is_none());
            assert!(taken.get() <= BUFFERED_MAX || piece > PIECE);
            if end.is_ok() {
                assert_eq!(taken.get(), body.len());
            }
            let expected = match after.len() {
                ..=HEADERS_MAX if breaks => Err(FormError::Disconnected),
                ..=HEADERS_MAX => Ok(true),
                _ => Err(FormError::Malformed { parts: 1 }),
            };
            assert_eq!(end, expected, "{} after, {piece}", after.len());
        }
    };
    read(b"", false);
    read(b"", true);
    read(b"an epilogue", false);
    read(b"an epilogue", true);
    read(&[b'x'; 200_000], false);
}

#[test]
fn a_file_may_hold_what_looks_like_a_boundary() {
    let content = b"--frontier\r\n --frontier--\r\n\r--frontier\n--frontier";
    let read = read_all(whole(&[part("file", content)]), 3);
    assert_eq!(contents(read), [content.to_vec()]);
    // A true boundary in the file ends the part, and what follows has no headers of a part.
    let broken = b"start\r\n--frontier\r\nnonsense\r\n\r\nend";
    let read = read_all(whole(&[part("file", broken)]), 3);
    assert!(matches!(read, Err(FormError::Malformed { parts: 1 })), "{read:?}");
}

#[test]
fn headers_of_a_megabyte_are_refused_early() {
    let header = |bytes: usize| {
        let value = "x".repeat(bytes);
        let head = format!("--{BOUNDARY}\r\nContent-Disposition: form-data; name=\"a\"\r\nX: {value}\r\n\r\n");
        [head.into_bytes(), b"content\r\n--frontier--".to_vec()].concat()
    };
    assert!(read_all(header(1000), 100).is_ok());
    for piece in [1000, PIECE, usize::MAX] {
        let (mut form, taken) = form(header(1_000_000), piece);
        let failed = now(form.next_part()).err();
        assert_eq!(failed, Some(FormError::HeadersTooLarge { part: 1 }));
        let asked = taken.get() - form.held.len();
        assert!(asked <= BUFFERED_MAX, "{asked}");
    }
    let many = "A: b\r\n".repeat(40);
    let body = format!("--frontier\r\n{many}\r\ncontent\r\n--frontier--");
    assert_eq!(read_all(body, 1000), Err(FormError::Malformed { parts: 0 }));
}

#[test]
fn endless_text_before_the_first_boundary_is_refused_early() {
    let (mut form, taken) = form(vec![b'-'; 5_000_000], 4096);
    let failed = now(form.next_part()).err();
    assert_eq!(failed, Some(FormError::HeadersTooLarge { part: 1 }));
    assert!(taken.get() <= BUFFERED_MAX);
}

#[test]
fn a_thousand_parts_are_refused_at_the_bound() {
    let parts = |count| whole(&vec![part("a", b"b"); count]);
    assert_eq!(read_all(parts(PARTS_MAX), 1000).unwrap().len(), PARTS_MAX);
    for piece in [1000, usize::MAX] {
        assert_eq!(read_all(parts(1000), piece), Err(FormError::TooManyParts));
    }
}

#[test]
fn many_small_parts_do_not_make_the_form_read_ahead() {
    let file = part("file", &[7; 3000]);
    let (mut form, taken) = form(whole(&vec![file.clone(); 90]), 4096);
    for n in 0..90 {
        let mut part = now(form.next_part()).unwrap().unwrap();
        let ahead = taken.get() - n * file.len();
        assert!(ahead <= 2 * 4096 + file.len(), "{ahead} bytes ahead at part {n}");
        now(part.text(3000)).unwrap();
    }
}

#[test]
fn a_large_file_is_never_held() {
    let (mut form, taken) = form(whole(&[part("file", &[7; 20_000_000])]), PIECE);
    let mut part = now(form.next_part()).unwrap().unwrap();
    let mut read = 0;
    while let Some(bytes) = now(part.chunk()).unwrap() {
        read += bytes.len();
        assert!(bytes.len() <= 2 * PIECE);
        assert!(taken.get() - read <= BUFFERED_MAX);
    }
    assert_eq!(read, 20_000_000);
}

#[test]
fn hostile_names_are_passed_on_or_refused_and_never_repeated() {
    let body = |disposition: &[u8]| {
        let head = [b"--frontier\r\nContent-Disposition: ", disposition].concat();
        [&head[..], b"\r\n\r\ncontent\r\n--frontier--"].concat()
    };
    let name = |disposition: &str| {
        let read = read_all(body(disposition.as_bytes()), 9).unwrap();
        read[0].1.clone().unwrap()
    };
    let path = "form-data; name=\"file\"; filename=\"../../../etc/passwd\"";
    assert_eq!(name(path), "../../../etc/passwd");
    let marks = "form-data; name=\"file\"; filename=\"\u{202e}fdp.exe\"";
    assert_eq!(name(marks), "\u{202e}fdp.exe");
    let extended = "form-data; name=file; filename=a; filename*=UTF-8''..%2F%00b";
    assert_eq!(name(extended), "../\0b");
    for refused in [
        &b"form-data; name=\"file\"; filename=\"secret\0.pdf\""[..],
        b"form-data; name=\"file\"; filename=\"secret\x7f.pdf\"",
    ] {
        let error = read_all(body(refused), 9).unwrap_err();
        assert_eq!(error, FormError::Malformed { parts: 0 });
    }
    for refused in [
        "form-data",
        "attachment; name=\"secret\"",
        "form-data; name=\"secret",
        "form-data; name=\"file\"; filename=\"secret\r\n",
    ] {
        let error = read_all(body(refused.as_bytes()), 9).unwrap_err();
        assert_eq!(error, FormError::Unnamed { part: 1 });
        let said = format!("{:?}", crate::error::say(error.into()).message);
        assert!(said.contains("part 1") && !said.contains("secret"), "{said}");
    }
}

#[test]
fn every_error_is_a_refusal_of_the_caller() {
    for (error, status) in [
        (FormError::NotForm, 400),
        (FormError::Malformed { parts: 3 }, 400),
        (FormError::Unnamed { part: 3 }, 400),
        (FormError::HeadersTooLarge { part: 3 }, 400),
        (FormError::TooManyParts, 422),
        (FormError::TextTooLong { part: 3 }, 422),
        (FormError::NotText { part: 3 }, 422),
        (FormError::Disconnected, 400),
        (FormError::TooSlow, 408),
    ] {
        assert_eq!(crate::error::say(error.into()).status.as_u16(), status, "{error:?}");
    }
}

/// Random damage to a good form: it reads or is refused, and never panics, hangs or holds too much.
#[test]
fn damaged_forms_end() {
    let good = whole(&[part("a", &tricky()), part("file", &[b'\r'; 70_000])]);
    let mut seed = 1_u64;
    let mut next = |below: usize| {
        seed = seed.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1);
        (seed >> 33) as usize % below
    };
    for _ in 0..200 {
        let mut body = good.clone();
        for _ in 0..=next(5) {
            let at = next(body.len().min(4000));
            match next(3) {
                0 => body[at] = b"\r\n-:;\"\0"[next(7)],
                1 => drop(body.drain(at..(at + next(200)).min(body.len()))),
                _ => drop(body.splice(at..at, b"\r\n--frontier\r\n".to_owned())),
            }
        }
        let (mut form, taken) = form(body, 1 + next(5000));
        let mut given = 0;
        while let Ok(Some(mut part)) = now(form.next_part()) {
            while let Ok(Some(bytes)) = now(part.chunk()) {
                given += bytes.len();
                assert!(taken.get() - given <= BUFFERED_MAX + 10_000);
            }
        }
    }
}
