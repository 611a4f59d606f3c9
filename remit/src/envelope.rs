//! The envelope of a file: interchanges, groups and transactions, with their control numbers and counts.

use crate::day::{self, Day};
use crate::report::{FileReport, Warning};
use crate::segment::Segment;
use crate::text::hash;

/// When a group was created: GS04 and GS05.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default, Debug)]
pub(crate) struct CreatedAt {
    pub(crate) day: Option<Day>,
    pub(crate) time: u32,
}

/// A header that waits for its trailer.
#[derive(Clone, Copy, Default)]
struct Open {
    /// A hash of the control number.
    control: u64,
    /// What the trailer must count.
    count: u64,
}

/// The kind of a transaction, from ST01.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Kind {
    Remittance,
    Submission,
    Other,
}

/// What a segment is to the host of the envelope.
pub(crate) enum Part {
    /// ST: a transaction begins.
    Begin(Kind),
    /// SE: the transaction is complete.
    End,
    /// A segment of a transaction.
    Body,
    /// The transaction broke off before this segment.
    Broken,
    /// Nothing.
    Envelope,
}

/// The state of the envelope.
#[derive(Default)]
pub(crate) struct Envelope {
    interchange: Option<Open>,
    group: Option<Open>,
    transaction: Option<Open>,
    pub(crate) created: CreatedAt,
    /// The number of the segment in the file, counted from 1.
    pub(crate) segment: u64,
}

impl Envelope {
    /// The part that a segment plays. A segment that ends an open transaction without SE must be passed again after
    /// [`Part::Broken`].
    pub(crate) fn read(&mut self, segment: Segment<'_>, report: &mut FileReport) -> Part {
        let id = segment.id();
        let ends = matches!(id, b"ISA" | b"GS" | b"GE" | b"IEA" | b"ST");
        if self.transaction.is_some() {
            if ends {
                self.transaction = None;
                report.cut_off = true;
                return Part::Broken;
            }
            return self.inside(id, segment, report);
        }
        self.segment = self.segment.saturating_add(1);
        match id {
            b"ISA" => {
                if self.interchange.is_some() {
                    report.cut_off = true;
                }
                let [.., control] = segment.elements::<13>();
                let control = hash(&[control]);
                self.interchange = Some(Open { control, count: 0 });
                self.group = None;
                self.created = CreatedAt::default();
            }
            b"GS" => {
                let [_, _, _, date, time, control] = segment.elements::<6>();
                count(self.interchange.as_mut());
                self.created = CreatedAt {
                    day: Day::parse_short(date),
                    time: day::number(time.get(..4).unwrap_or(time)).unwrap_or(0),
                };
                self.group = Some(Open { control: hash(&[control]), count: 0 });
            }
            b"ST" => {
                let [kind, control] = segment.elements::<2>();
                count(self.group.as_mut());
                self.transaction = Some(Open { control: hash(&[control]), count: 1 });
                return Part::Begin(match kind {
                    b"835" => Kind::Remittance,
                    b"837" => Kind::Submission,
                    _ => Kind::Other,
                });
            }
            b"GE" => {
                let open = self.group.take();
                self.close(open, segment, Warning::EnvelopeCount, report);
            }
            b"IEA" => {
                let open = self.interchange.take();
                self.close(open, segment, Warning::EnvelopeCount, report);
                self.group = None;
            }
            // Acknowledgments of the interchange.
            b"TA1" => {}
            _ => report.warn(Warning::StraySegment, self.segment),
        }
        Part::Envelope
    }

    fn inside(&mut self, id: &[u8], segment: Segment<'_>, report: &mut FileReport) -> Part {
        self.segment = self.segment.saturating_add(1);
        count(self.transaction.as_mut());
        if id != b"SE" {
            return Part::Body;
        }
        let open = self.transaction.take();
        self.close(open, segment, Warning::SegmentCount, report);
        Part::End
    }

    /// Compares a trailer with its header.
    fn close(&self, open: Option<Open>, segment: Segment<'_>, counted: Warning, report: &mut FileReport) {
        let Some(open) = open else {
            report.warn(Warning::StraySegment, self.segment);
            return;
        };
        let [count, control] = segment.elements::<2>();
        if day::number(count).map(u64::from) != Some(open.count) {
            report.warn(counted, self.segment);
        }
        if hash(&[control]) != open.control {
            report.warn(Warning::ControlNumbers, self.segment);
        }
    }

    /// The end of the file. True if a transaction was open.
    pub(crate) fn finish(&mut self, report: &mut FileReport) -> bool {
        if self.interchange.is_some() {
            report.cut_off = true;
        }
        self.transaction.take().is_some()
    }
}

fn count(open: Option<&mut Open>) {
    if let Some(open) = open {
        open.count = open.count.saturating_add(1);
    }
}
