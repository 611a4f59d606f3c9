//! The virus scanner: a clamd that finds one text, and is sometimes away, slow, or says nothing of use.

use super::Ground;
use crate::clock::{MS, SECOND};
use crate::faults::Fault;
use crate::states;
use bytes::Bytes;
use overturn_service::host::{Connection, Network, PlatformError, Step};
use std::cell::{Cell, RefCell};
use std::rc::Rc;
use tokio::sync::Notify;

/// What it finds in a document.
pub(crate) const VIRUS: &str = "A virus of the simulation";

#[derive(Clone)]
pub(crate) struct Clamd(Ground);

impl Clamd {
    pub(crate) fn new(ground: Ground) -> Self {
        Self(ground)
    }
}

impl Network for Clamd {
    fn connect(&self, _: &str, _: u16, _: bool) -> Option<Box<dyn Connection>> {
        let is_away = self.0.faults.strike(Fault::ScannerAway);
        Some(Box::new(Stream {
            ground: self.0.clone(),
            sent: Rc::default(),
            ends: Rc::default(),
            is_writing: Rc::default(),
            is_away,
        }))
    }
}

/// A scan under way.
struct Stream {
    ground: Ground,
    sent: Rc<RefCell<Vec<u8>>>,
    ends: Rc<Notify>,
    /// Whether nobody has waited for the last write.
    is_writing: Rc<Cell<bool>>,
    is_away: bool,
}

impl Connection for Stream {
    fn opened(&mut self) -> Step<'static, Result<(), PlatformError>> {
        let (ground, is_away) = (self.ground.clone(), self.is_away);
        Box::pin(async move {
            ground.trip().await;
            if is_away { Err(PlatformError) } else { Ok(()) }
        })
    }

    fn write(&mut self, bytes: &[u8]) -> Step<'static, Result<(), PlatformError>> {
        let mut sent = self.sent.borrow_mut();
        sent.extend_from_slice(bytes);
        // A frame without bytes is the end of a document.
        if sent.ends_with(&[0; 4]) {
            self.ends.notify_one();
        }
        // A platform need not take a write beside another one, and would keep what piles up in memory.
        assert!(!self.is_writing.replace(true), "one write after the other");
        let (is_writing, done) = (Rc::clone(&self.is_writing), if self.is_away { Err(PlatformError) } else { Ok(()) });
        Box::pin(async move {
            is_writing.set(false);
            done
        })
    }

    fn read(&mut self) -> Step<'static, Result<Bytes, PlatformError>> {
        let (ground, sent, ends) = (self.ground.clone(), Rc::clone(&self.sent), Rc::clone(&self.ends));
        Box::pin(async move {
            ends.notified().await;
            let Ground { scheduler, faults, trace, dice } = &ground;
            scheduler.sleep(dice.between(5 * MS, 300 * MS)).await;
            if faults.strike(Fault::ScannerSlow) {
                scheduler.sleep(40 * SECOND).await;
            }
            if faults.strike(Fault::ScannerFails) {
                return if dice.chance(5_000) { Err(PlatformError) } else { Ok(Bytes::from_static(b"stream: OK")) };
            }
            let answer = answer(&sent.borrow());
            trace.tell(|| format!("the scanner says {}", String::from_utf8_lossy(answer)));
            trace.sometimes(states::SCANNED);
            Ok(Bytes::from_static(answer))
        })
    }
}

/// What a good clamd says of the service's probes and of documents.
fn answer(sent: &[u8]) -> &'static [u8] {
    // The search of a text is compiled with the standard library, and quick in any build.
    let text = String::from_utf8_lossy(sent);
    if text.contains("/Encrypt") {
        b"stream: Heuristics.Encrypted.PDF FOUND\0"
    } else if sent.len() < 5_000 && text.contains("overturn") {
        b"stream: Heuristics.Limits.Exceeded.MaxRecursion FOUND\0"
    } else if text.contains(VIRUS) {
        b"stream: Virus.Of.The.Simulation FOUND\0"
    } else {
        b"stream: OK\0"
    }
}
