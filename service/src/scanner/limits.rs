//! Tries out what clamd says of what it cannot look through. Its protocol does not show its configuration.
//!
//! Three harmless files tell what matters: one that is packed more often than `MaxRecursion` can allow and one with a
//! password must be reported, and one that unpacks to as much as a part of a document may have must be looked through.
//! The size of all parts together and their number need no file, because a clamd that reports one limit reports these
//! as well.

use super::connection::Connection;
use super::protocol::ScanResult;
use super::stream::Stream;
use crate::app::App;
use crate::config::Clamd;

/// How long a good result counts, in milliseconds. The large file takes clamd about a second.
const GOOD_MS: i64 = 3_600_000;
/// How long another result counts.
const BAD_MS: i64 = 60_000;

/// The header of a gzip file without a name.
const GZIP: [u8; 10] = [0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 0xff];
/// The bytes before the length of a last block that is not compressed.
const STORED: u8 = 1;
/// How much a file grows that is packed in this way: the header, the block, its length and the complement of the length.
const GROWTH: u16 = 15;
/// clamd takes no `MaxRecursion` over 100.
const LEVELS: u16 = 101;
const INNERMOST: &[u8] = b"overturn";

/// A PDF that is encrypted in a way that nobody can open.
const PASSWORD: &[u8] = b"%PDF-1.4\n1 0 obj\n<</V 1>>\nendobj\ntrailer<</Encrypt 1 0 R>>\nstartxref\n9\n%%EOF\n";

/// A block of one zero byte that is not compressed.
const ZERO: [u8; 6] = [0, 1, 0, 0xfe, 0xff, 0];
/// Eight times "repeat the last byte 258 times" in fixed codes, which ends three bits into a byte.
const ZEROS: [u8; 13] = [0x18, 0x05, 0xa3, 0x60, 0x14, 0x8c, 0x82, 0x51, 0x30, 0x0a, 0x46, 0xc1, 0x28];
/// The first byte of [`ZEROS`] behind the three bits that begin the last block.
const LAST_BLOCK: u8 = 0x1b;
/// How many of them are sent at once, and how often. Together they are 52,632,001 zeros, a little more than the
/// 52,428,800 bytes of the largest part.
const AT_ONCE: usize = 100;
const TIMES: usize = 255;

/// [`ScanResult::Clean`] if clamd may call a document clean. Otherwise why not.
pub(super) async fn check(app: &App, clamd: &Clamd) -> ScanResult {
    let last = &app.memory.scanner_counts;
    if let Some((at, is_good)) = last.get() {
        let kept = if is_good { GOOD_MS } else { BAD_MS };
        if app.host.now().since(at) < kept {
            return result(is_good);
        }
        // Calls that come before the new result is known get the last one.
        last.set(Some((app.host.now(), is_good)));
    }
    let is_good = match try_out(app, clamd).await {
        ScanResult::Clean => true,
        ScanResult::MISCONFIGURED => false,
        away => {
            last.set(None);
            return away;
        }
    };
    last.set(Some((app.host.now(), is_good)));
    result(is_good)
}

const fn result(is_good: bool) -> ScanResult {
    if is_good { ScanResult::Clean } else { ScanResult::MISCONFIGURED }
}

async fn try_out(app: &App, clamd: &Clamd) -> ScanResult {
    for (file, expected) in [(&*nested(), ScanResult::TOO_LARGE), (PASSWORD, ScanResult::ENCRYPTED)] {
        let seen = ask(app, clamd, expected, [file]).await;
        if seen != ScanResult::Clean {
            return seen;
        }
    }
    let zeros = ZEROS.repeat(AT_ONCE);
    let mut first = zeros.clone();
    if let Some(byte) = first.first_mut() {
        *byte = LAST_BLOCK;
    }
    let head: [&[u8]; 3] = [&GZIP, &ZERO, &first];
    let rest = std::iter::repeat_n(&*zeros, TIMES.saturating_sub(1));
    // The code that ends a block is seven zero bits.
    let end: [&[u8]; 1] = [&[0, 0]];
    ask(app, clamd, ScanResult::Clean, head.into_iter().chain(rest).chain(end)).await
}

/// A file in a file, and so on.
fn nested() -> Vec<u8> {
    let mut file = Vec::new();
    for level in (0..LEVELS).rev() {
        let inner = u16::try_from(INNERMOST.len()).unwrap_or(u16::MAX);
        let length = inner.saturating_add(GROWTH.saturating_mul(level));
        file.extend(GZIP);
        file.push(STORED);
        file.extend(length.to_le_bytes());
        file.extend((!length).to_le_bytes());
    }
    file.extend(INNERMOST);
    file
}

/// [`ScanResult::Clean`] if clamd says of a file what is expected.
async fn ask<'p>(
    app: &App,
    clamd: &Clamd,
    expected: ScanResult,
    pieces: impl IntoIterator<Item = &'p [u8]>,
) -> ScanResult {
    match stream(app, clamd, pieces).await {
        seen if seen == expected => ScanResult::Clean,
        seen @ (ScanResult::AWAY | ScanResult::SLOW) => seen,
        _ => ScanResult::MISCONFIGURED,
    }
}

async fn stream<'p>(app: &App, clamd: &Clamd, pieces: impl IntoIterator<Item = &'p [u8]>) -> ScanResult {
    let Some(connection) = Connection::open(app, clamd) else {
        return ScanResult::AWAY;
    };
    let mut stream = Stream::new(connection);
    for piece in pieces {
        if let Err(result) = stream.feed(piece).await {
            return result;
        }
    }
    stream.finish().await
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_level_of_the_nested_file_has_the_length_of_the_next() {
        let mut file = &*nested();
        for _ in 0..LEVELS {
            let (head, inner) = file.split_at(usize::from(GROWTH));
            assert_eq!(head[..10], GZIP);
            let length = u16::from_le_bytes([head[11], head[12]]);
            assert_eq!(usize::from(length), inner.len());
            assert_eq!([head[13], head[14]], (!length).to_le_bytes());
            file = inner;
        }
        assert_eq!(file, INNERMOST);
    }
}
