//! Reads files into records and submitted claims.

mod sink;
mod store;

use crate::envelope::{Envelope, Kind, Part};
use crate::error::FileError;
use crate::remittance;
use crate::report::{FileReport, Warning};
use crate::segment::Segment;
use crate::submission::{self, SubmittedClaim};
use crate::tokenizer::Tokenizer;
use crate::transaction::Progress;
use alloc::boxed::Box;
use sink::Sink;
pub(crate) use store::Store;

/// What the segments of the current transaction are.
enum Body {
    Remittance,
    Submission(Box<submission::Reader>),
    Other,
}

/// A file that is being read.
pub(crate) struct OpenFile {
    tokenizer: Tokenizer,
    envelope: Envelope,
    remittance: remittance::Reader,
    body: Body,
    report: FileReport,
    progress: Progress,
}

impl OpenFile {
    pub(crate) fn new(name: &str) -> Self {
        Self {
            tokenizer: Tokenizer::new(),
            envelope: Envelope::default(),
            remittance: remittance::Reader::new(),
            body: Body::Other,
            report: FileReport { name: name.into(), ..FileReport::default() },
            progress: Progress::default(),
        }
    }

    /// Reads a chunk.
    pub(crate) fn push(&mut self, bytes: &[u8], store: &mut Store) -> Result<(), FileError> {
        let length = u64::try_from(bytes.len()).unwrap_or(u64::MAX);
        self.report.bytes = self.report.bytes.saturating_add(length);
        let mut tokenizer = core::mem::replace(&mut self.tokenizer, Tokenizer::new());
        let result = tokenizer.push(bytes, |segment| self.segment(segment, store));
        self.tokenizer = tokenizer;
        result
    }

    /// The end of the file. A claim that was not complete does not count.
    pub(crate) fn finish(mut self, store: &mut Store) {
        let mut tokenizer = core::mem::replace(&mut self.tokenizer, Tokenizer::new());
        self.report.error = tokenizer.finish(|segment| self.segment(segment, store)).err();
        self.break_off(store);
        self.report.cut_off |= self.envelope.finish(&mut self.report);
        store.files.push(self.report);
    }

    fn segment(&mut self, segment: Segment<'_>, store: &mut Store) {
        let mut part = self.envelope.read(segment, &mut self.report);
        if matches!(part, Part::Broken) {
            self.break_off(store);
            part = self.envelope.read(segment, &mut self.report);
        }
        match part {
            Part::Begin(kind) => self.begin(kind, segment),
            Part::Body | Part::End => self.body(segment, matches!(part, Part::End), store),
            Part::Broken | Part::Envelope => {}
        }
    }

    fn begin(&mut self, kind: Kind, segment: Segment<'_>) {
        self.progress = Progress::default();
        self.body = match kind {
            Kind::Remittance => {
                self.report.remittances = self.report.remittances.saturating_add(1);
                self.remittance.begin(segment);
                Body::Remittance
            }
            Kind::Submission => {
                self.report.submissions = self.report.submissions.saturating_add(1);
                Body::Submission(Box::new(submission::Reader::new(self.envelope.created)))
            }
            Kind::Other => {
                self.report.warn(Warning::OtherTransaction, self.envelope.segment);
                Body::Other
            }
        };
    }

    fn body(&mut self, segment: Segment<'_>, ends: bool, store: &mut Store) {
        match &mut self.body {
            Body::Remittance => self.remittance(store, |reader, sink| {
                if ends {
                    reader.end(sink);
                } else {
                    reader.read(segment, sink);
                }
            }),
            Body::Submission(reader) => {
                let counts = &mut self.report.counts;
                let mut sink = |claim: SubmittedClaim| {
                    counts.submitted_claims = counts.submitted_claims.saturating_add(1);
                    store.index.add(claim);
                };
                if ends {
                    reader.end(&mut sink);
                } else {
                    reader.read(segment, &mut sink);
                }
            }
            Body::Other => {}
        }
        if ends {
            self.body = Body::Other;
        }
    }

    /// The transaction breaks off here.
    fn break_off(&mut self, store: &mut Store) {
        if matches!(self.body, Body::Remittance) {
            self.remittance(store, |reader, sink| reader.break_off(sink));
            self.body = Body::Other;
        }
    }

    fn remittance(&mut self, store: &mut Store, read: impl FnOnce(&mut remittance::Reader, &mut Sink<'_>)) {
        let mut sink = Sink {
            store,
            report: &mut self.report,
            created: self.envelope.created,
            segment: self.envelope.segment,
            progress: &mut self.progress,
        };
        read(&mut self.remittance, &mut sink);
    }
}
