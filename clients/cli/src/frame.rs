//! The lines before and after the claims that `remit` prints. A pipe hides how `remit` ended, so they tell whoever reads the
//! claims whether all of them are there.

use crate::error::{CommandError, End};
use crate::screen::Screen;
use serde::{Deserialize, Serialize};

#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "remit", rename_all = "snake_case", deny_unknown_fields)]
pub(crate) enum Frame {
    /// Claims follow, and then their end.
    Begin {},
    End {
        /// The claims since the beginning.
        written: u64,
        /// False if a file was not read to its end.
        complete: bool,
    },
}

impl Frame {
    /// Reads a line. `None` for anything else, such as a claim.
    pub(crate) fn read(line: &str) -> Option<Self> {
        let start = line.strip_prefix('{')?.trim_start();
        start.strip_prefix("\"remit\"")?;
        serde_json::from_str(line).ok()
    }

    /// The line, without its line break.
    pub(crate) fn line(self) -> String {
        // Numbers always convert to JSON.
        serde_json::to_string(&self).unwrap_or_default()
    }
}

/// What the frames of a file say. Several outputs of `remit` may follow each other, and a file may have none.
#[derive(Default, Debug)]
pub(crate) struct Frames {
    any: bool,
    /// The claims since the beginning, if it has no end yet.
    open: Option<u64>,
    torn: bool,
    missing: u64,
    incomplete: bool,
}

impl Frames {
    pub(crate) fn take(&mut self, frame: Frame) {
        self.any = true;
        match (frame, self.open.take()) {
            (Frame::Begin {}, before) => {
                self.torn |= before.is_some();
                self.open = Some(0);
            }
            (Frame::End { written, complete }, found) => {
                self.torn |= found.is_none();
                let found = found.unwrap_or(written);
                self.missing = self.missing.saturating_add(written.saturating_sub(found));
                self.incomplete |= !complete;
            }
        }
    }

    /// A claim, valid or not.
    pub(crate) fn count_claim(&mut self) {
        if let Some(count) = &mut self.open {
            *count = count.saturating_add(1);
        }
    }

    /// What is wrong, after the file was read to its end.
    pub(crate) fn problems(&self) -> Vec<String> {
        let mut problems = Vec::new();
        if self.torn || self.open.is_some() {
            problems.push(
                "what `overturn remit` printed breaks off: its first or its last line is missing, and there may be claims that are missing too. Run it again".into(),
            );
        }
        if self.missing > 0 {
            problems.push(format!("claims that `overturn remit` printed and that are missing here: {}", self.missing));
        }
        if self.incomplete {
            problems.push(
                "`overturn remit` did not read all of its files to their ends: its report says which. Denials in them may be missing here".into(),
            );
        }
        problems
    }

    /// Prints what is wrong, and decides how the command ends. A file with frames may have no claim: nothing was denied.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`] for a file without a claim and without frames.
    pub(crate) fn end(&self, claims: u64, problems: u64, screen: &Screen) -> Result<End, CommandError> {
        let found = self.problems();
        found.iter().for_each(|problem| screen.note(problem));
        let count = u64::try_from(found.len()).unwrap_or(u64::MAX);
        if self.any { Ok(End::of(problems.saturating_add(count))) } else { End::of_file(claims, problems) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const BEGIN: &str = r#"{"remit":"begin"}"#;

    fn end(written: u64, complete: bool) -> String {
        Frame::End { written, complete }.line()
    }

    /// How many things are wrong with these lines. A line that is no frame is a claim.
    fn wrong(lines: &[&str]) -> usize {
        let mut frames = Frames::default();
        for line in lines {
            match Frame::read(line) {
                Some(frame) => frames.take(frame),
                None => frames.count_claim(),
            }
        }
        frames.problems().len()
    }

    #[test]
    fn a_frame_is_one_line() {
        assert_eq!(Frame::Begin {}.line(), BEGIN);
        assert_eq!(end(2, true), r#"{"remit":"end","written":2,"complete":true}"#);
        assert_eq!(Frame::read(r#"{ "remit": "begin" }"#), Some(Frame::Begin {}));
        for other in [
            r#"{"patient":{},"claim":{}}"#,
            r#"{"remit":"begin","claim":{}}"#,
            r#"{"remit":"end"}"#,
            r#"{"remit":17}"#,
            "",
        ] {
            assert_eq!(Frame::read(other), None, "{other}");
        }
    }

    #[test]
    fn what_is_missing_shows() {
        let (one, two) = (end(1, true), end(2, true));
        for whole in [
            &["claim"][..],
            &[BEGIN, "claim", &one],
            &[BEGIN, &end(0, true)],
            &["claim", BEGIN, "claim", &one, BEGIN, "claim", "claim", &two, "claim"],
        ] {
            assert_eq!(wrong(whole), 0, "{whole:?}");
        }
        for torn in [
            &[BEGIN][..],
            &[BEGIN, "claim"],
            &["claim", &one],
            &[BEGIN, "claim", &two],
            &[BEGIN, "claim", &end(1, false)],
            &[BEGIN, "claim", BEGIN, "claim", &one],
        ] {
            assert_eq!(wrong(torn), 1, "{torn:?}");
        }
    }
}
