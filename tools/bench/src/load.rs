//! The requests to a Worker, as bytes.

use crate::batch;
use overturn_tests::client::{CLAIMS, STATUS, status_of};
use std::sync::atomic::{AtomicU32, Ordering};

/// A kind of request.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Load {
    /// One new claim.
    OneNew,
    /// A hundred new claims.
    HundredNew,
    /// The same hundred, again and again.
    HundredAgain,
    /// A status read.
    Status,
    /// A constant answer that needs no database: the key is missing. Only the start is measured with it.
    Constant,
}

impl Load {
    /// The loads to compare.
    pub(crate) const ALL: [Self; 4] = [Self::OneNew, Self::HundredNew, Self::HundredAgain, Self::Status];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::OneNew => "one new claim",
            Self::HundredNew => "100 new claims",
            Self::HundredAgain => "100 again",
            Self::Status => "status read",
            Self::Constant => "constant answer",
        }
    }

    /// The throughput goal, as a multiple of the peer's.
    pub(crate) const fn goal_beside_peer(self) -> Option<f64> {
        match self {
            Self::OneNew => Some(0.9),
            Self::HundredNew => Some(1.3),
            Self::HundredAgain => Some(1.6),
            Self::Status => Some(0.95),
            Self::Constant => None,
        }
    }

    /// The throughput goal of the native program, as a multiple of the Worker's.
    pub(crate) const fn goal_of_native(self) -> Option<f64> {
        match self {
            Self::OneNew | Self::Status => Some(5.0),
            Self::HundredNew | Self::HundredAgain | Self::Constant => None,
        }
    }

    /// The expected status after the warm-up.
    pub(crate) const fn answer(self) -> u16 {
        match self {
            Self::OneNew | Self::HundredNew => 201,
            Self::HundredAgain | Self::Status => 200,
            Self::Constant => 401,
        }
    }
}

/// A placeholder in claim numbers for the number of the request.
const BLANK: &str = "@@@@@@@@";

/// The requests of one connection: the same bytes each time, with different claim numbers.
pub(crate) struct Requests {
    bytes: Vec<u8>,
    blanks: Vec<usize>,
    is_new: bool,
}

impl Requests {
    /// The requests of a sender. The claims of `HundredAgain` and `Status` belong to this sender and must be sent once
    /// before.
    pub(crate) fn new(load: Load, key: &str, sender: usize) -> Self {
        let numbers = match load {
            Load::OneNew | Load::HundredNew => BLANK.to_owned(),
            Load::HundredAgain | Load::Status | Load::Constant => format!("S{sender:07}"),
        };
        let (method, target, body) = match load {
            Load::OneNew => ("POST", CLAIMS.to_owned(), batch::item(&numbers, 0).to_string()),
            Load::HundredNew | Load::HundredAgain => ("POST", CLAIMS.to_owned(), batch::of(&numbers, 100).to_string()),
            Load::Status => ("GET", status_of(&format!("{numbers}00042")), String::new()),
            Load::Constant => ("GET", STATUS.to_owned(), String::new()),
        };
        let length = if method == "POST" {
            format!("Content-Type: application/json\r\nContent-Length: {}\r\n", body.len())
        } else {
            String::new()
        };
        let authorization =
            if load == Load::Constant { String::new() } else { format!("Authorization: Bearer {key}\r\n") };
        let text = format!(
            "{method} {target} HTTP/1.1\r\nHost: localhost\r\n{authorization}\
             CF-Connecting-IP: 198.51.100.{}\r\n{length}\r\n{body}",
            sender % 250 + 1
        );
        Self {
            blanks: text.match_indices(BLANK).map(|(at, _)| at).collect(),
            bytes: text.into_bytes(),
            is_new: matches!(load, Load::OneNew | Load::HundredNew),
        }
    }

    /// The next request.
    pub(crate) fn next(&mut self) -> &[u8] {
        // One counter for all senders, so that no two requests of a run send the same new number.
        static COUNT: AtomicU32 = AtomicU32::new(0);
        if self.is_new {
            let number = format!("{:08}", COUNT.fetch_add(1, Ordering::Relaxed));
            for at in &self.blanks {
                self.bytes[*at..*at + BLANK.len()].copy_from_slice(number.as_bytes());
            }
        }
        &self.bytes
    }
}
