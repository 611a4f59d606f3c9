//! clamd's protocol without the socket: the frames of a stream, and what an answer means.
//!
//! A stream is a command, frames of four bytes of length (big-endian) and that many bytes of data, and a length of zero.

/// What a scan found. The name of a signature is not kept: parts of a document could choose it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum ScanResult {
    /// clamd read the whole document and found nothing.
    Clean,
    Infected,
    /// The document was not scanned. The text is the reason for the log.
    Unavailable(&'static str),
}

impl ScanResult {
    /// No scanner is configured.
    pub(super) const NO_SCANNER: Self = Self::Unavailable("no scanner");
    /// clamd cannot be reached, or the connection broke.
    pub(super) const AWAY: Self = Self::Unavailable("away");
    /// clamd did not read or answer in time.
    pub(super) const SLOW: Self = Self::Unavailable("slow");
    /// The document is over one of clamd's own limits.
    pub(super) const TOO_LARGE: Self = Self::Unavailable("too large");
    /// clamd cannot open an encrypted document.
    pub(crate) const ENCRYPTED: Self = Self::Unavailable("encrypted");
    /// clamd does not look through what the service gives it, or does not say when it stops at a limit of its own.
    pub(super) const MISCONFIGURED: Self = Self::Unavailable("misconfigured");
    /// clamd answered something else.
    pub(super) const NONSENSE: Self = Self::Unavailable("nonsense");
}

/// Begins a scan. After a command with `z`, clamd ends its answer with a zero byte.
pub(super) const INSTREAM: &[u8] = b"zINSTREAM\0";
/// Asks whether clamd works.
pub(super) const PING: &[u8] = b"zPING\0";
const PONG: &[u8] = b"PONG";
/// The size of a length.
const LENGTH: usize = 4;
/// The length that ends a stream.
const END: [u8; LENGTH] = [0; LENGTH];
/// The most data of a frame. Larger frames save little, and each scan holds two of them.
const DATA: usize = 65_536;
/// The size of a buffer for a frame: its length, its data, and the end of the stream.
const BUFFER: usize = DATA + 2 * LENGTH;
/// The longest answer. clamd's own have some 30 bytes and the name of a signature.
const ANSWER_MAX: usize = 1024;

const OK: &[u8] = b"stream: OK";
const STREAM: &[u8] = b"stream: ";
const FOUND: &[u8] = b" FOUND";
const TOO_LARGE: &[u8] = b"INSTREAM size limit exceeded. ERROR";
/// The names of clamd's alerts about its own limits begin like this. With `AlertExceedsMax`, it reports a document
/// that it did not look through.
const LIMITS_EXCEEDED: &[u8] = b"Heuristics.Limits.Exceeded";

/// The names of clamd's alerts about documents with a password begin like this, with `AlertEncrypted`.
const IS_ENCRYPTED: &[u8] = b"Heuristics.Encrypted";

/// A frame that is filled.
pub(super) struct Frame {
    /// Room for the length, and the data.
    bytes: Vec<u8>,
}

impl Frame {
    /// An empty frame.
    pub(super) fn new() -> Self {
        let mut bytes = Vec::with_capacity(BUFFER);
        bytes.extend(END);
        Self { bytes }
    }

    /// Takes as many of the available bytes as fit. Returns the others.
    pub(super) fn take<'b>(&mut self, available: &'b [u8]) -> &'b [u8] {
        let room = DATA.saturating_sub(self.data());
        let (now, later) = available.split_at(available.len().min(room));
        self.bytes.extend_from_slice(now);
        later
    }

    pub(super) fn is_full(&self) -> bool {
        self.data() >= DATA
    }

    /// The frame as it is sent. An empty one ends the stream.
    pub(super) fn sent(&mut self) -> &[u8] {
        let length = u32::try_from(self.data()).unwrap_or(u32::MAX);
        if let Some(place) = self.bytes.first_chunk_mut() {
            *place = length.to_be_bytes();
        }
        &self.bytes
    }

    /// The frame as it is sent, and the end of the stream behind it.
    pub(super) fn sent_last(&mut self) -> &[u8] {
        let is_empty = self.data() == 0;
        self.sent();
        if !is_empty {
            self.bytes.extend(END);
        }
        &self.bytes
    }

    /// Makes it empty.
    pub(super) fn clear(&mut self) {
        self.bytes.truncate(LENGTH);
    }

    const fn data(&self) -> usize {
        self.bytes.len().saturating_sub(LENGTH)
    }
}

/// clamd's answer as far as it has arrived.
#[derive(Default)]
pub(super) struct Answer {
    bytes: Vec<u8>,
    is_closed: bool,
}

impl Answer {
    /// Adds bytes that arrived. It keeps no more of them than an answer can have.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let room = (ANSWER_MAX + 1).saturating_sub(self.bytes.len());
        self.bytes.extend(bytes.iter().take(room));
    }

    /// clamd sends no more.
    pub(super) fn close(&mut self) {
        self.is_closed = true;
    }

    /// True if nothing that could still arrive would change what the answer means.
    pub(super) fn is_complete(&self) -> bool {
        self.is_closed || self.bytes.len() > ANSWER_MAX || self.bytes.contains(&0)
    }

    pub(super) fn is_pong(&self) -> bool {
        self.text() == Some(PONG)
    }

    /// What the answer means. `sent_all` is true if the whole stream was sent before it: no earlier answer says that a
    /// document is clean.
    pub(super) fn result(&self, sent_all: bool) -> ScanResult {
        if self.bytes.is_empty() {
            return ScanResult::AWAY;
        }
        let Some(text) = self.text() else {
            return ScanResult::NONSENSE;
        };
        let name = text.strip_prefix(STREAM);
        let name = name.and_then(|rest| rest.strip_suffix(FOUND));
        match name {
            Some(name) if name.starts_with(LIMITS_EXCEEDED) => ScanResult::TOO_LARGE,
            Some(name) if name.starts_with(IS_ENCRYPTED) => ScanResult::ENCRYPTED,
            Some([_, ..]) => ScanResult::Infected,
            _ if text == TOO_LARGE => ScanResult::TOO_LARGE,
            _ if text == OK && sent_all => ScanResult::Clean,
            _ => ScanResult::NONSENSE,
        }
    }

    /// The answer without the zero byte that ends it. `None` if that byte is missing or has others behind it.
    fn text(&self) -> Option<&[u8]> {
        let text = self.bytes.strip_suffix(&[0])?;
        (!text.contains(&0) && text.len() < ANSWER_MAX).then_some(text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn answered(bytes: &[u8]) -> Answer {
        let mut answer = Answer::default();
        answer.push(bytes);
        answer
    }

    #[test]
    fn a_stream_is_cut_into_frames_whatever_the_chunks() {
        for chunk in [1_usize, 7, 4096, 65_535, 65_536, 65_537, 1_000_000] {
            let data: Vec<u8> = (0..200_000_u32).map(|n| n.to_le_bytes()[0]).collect();
            assert_eq!(read(&stream(&data, chunk)), data, "chunks of {chunk}");
        }
        let full = &[7; 2 * DATA];
        assert_eq!(read(&stream(full, 1000)), full);
        assert_eq!(Frame::new().sent_last(), END);
    }

    /// The stream of data that comes in chunks.
    fn stream(data: &[u8], chunk: usize) -> Vec<u8> {
        let (mut frame, mut sent) = (Frame::new(), Vec::new());
        for mut rest in data.chunks(chunk) {
            while !rest.is_empty() {
                rest = frame.take(rest);
                if frame.is_full() {
                    sent.extend(frame.sent());
                    frame.clear();
                }
            }
        }
        sent.extend(frame.sent_last());
        sent
    }

    /// The data of a stream, as clamd reads it. Every frame is full, except the last one with data.
    fn read(mut stream: &[u8]) -> Vec<u8> {
        let mut data = Vec::new();
        loop {
            let (length, rest) = stream.split_first_chunk::<4>().unwrap();
            let length = u32::from_be_bytes(*length) as usize;
            assert!(length == 0 || data.len() % DATA == 0);
            if length == 0 {
                assert!(rest.is_empty());
                return data;
            }
            data.extend(&rest[..length]);
            stream = &rest[length..];
        }
    }

    #[test]
    fn only_the_one_answer_to_a_whole_stream_is_clean() {
        let clean = answered(b"stream: OK\0");
        assert!(clean.is_complete());
        assert_eq!(clean.result(true), ScanResult::Clean);
        assert_eq!(clean.result(false), ScanResult::NONSENSE, "too early");
        for nonsense in [
            &b"stream: OK"[..],
            b"stream: OK\n",
            b"stream: OK\n\0",
            b"stream: OK \0",
            b"stream: ok\0",
            b" stream: OK\0",
            b"STREAM: OK\0",
            b"stream:OK\0",
            b"stream: \0",
            b"stream: FOUND\0",
            b"stream:  FOUND",
            b"stream: OK\0stream: OK\0",
            b"stream: Some.Name FOUND\0stream: OK\0",
            b"stream: OK\0\0",
            b"\0stream: OK\0",
            b"\0",
            b"OK\0",
            b"1: stream: OK\0",
            b"UNKNOWN COMMAND\0",
            b"COMMAND READ TIMED OUT\0",
            b"stream: Can't allocate memory ERROR\0",
            b"INSTREAM size limit exceeded.\0",
            b"HTTP/1.1 400 Bad Request\r\n\r\n",
            b"\xff\xfe\0",
        ] {
            for sent_all in [true, false] {
                let mut answer = answered(nonsense);
                answer.close();
                assert_eq!(answer.result(sent_all), ScanResult::NONSENSE, "{nonsense:?}");
            }
        }
    }

    #[test]
    fn a_signature_is_infected_and_an_alert_about_a_limit_is_not_at_any_time() {
        for sent_all in [true, false] {
            for infected in [
                &b"stream: Eicar-Test-Signature FOUND\0"[..],
                b"stream: OK FOUND\0",
                b"stream: \xff FOUND\0",
                b"stream: A FOUND FOUND\0",
            ] {
                assert_eq!(answered(infected).result(sent_all), ScanResult::Infected);
            }
            for too_large in [
                &b"INSTREAM size limit exceeded. ERROR\0"[..],
                b"stream: Heuristics.Limits.Exceeded.MaxFileSize FOUND\0",
                b"stream: Heuristics.Limits.Exceeded FOUND\0",
            ] {
                assert_eq!(answered(too_large).result(sent_all), ScanResult::TOO_LARGE);
            }
            let encrypted = b"stream: Heuristics.Encrypted.PDF FOUND\0";
            assert_eq!(answered(encrypted).result(sent_all), ScanResult::ENCRYPTED);
        }
    }

    #[test]
    fn an_answer_may_come_in_pieces_and_has_an_end() {
        let mut answer = Answer::default();
        for byte in b"stream: OK" {
            answer.push(&[*byte]);
            assert!(!answer.is_complete());
        }
        answer.push(&[0]);
        assert!(answer.is_complete());
        assert_eq!(answer.result(true), ScanResult::Clean);

        let mut endless = Answer::default();
        while !endless.is_complete() {
            endless.push(&[b'x'; 700]);
        }
        assert_eq!(endless.bytes.len(), ANSWER_MAX + 1);
        assert_eq!(endless.result(true), ScanResult::NONSENSE);

        let mut gone = Answer::default();
        assert!(!gone.is_complete());
        gone.close();
        assert!(gone.is_complete());
        assert_eq!(gone.result(true), ScanResult::AWAY);
    }

    #[test]
    fn a_ping_has_one_answer() {
        assert!(answered(b"PONG\0").is_pong());
        for wrong in [&b"PONG"[..], b"PING\0", b"PONG\0\0", b"", b"stream: OK\0"] {
            assert!(!answered(wrong).is_pong());
        }
    }
}
