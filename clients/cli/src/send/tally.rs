//! Counts the results of the claims.

use crate::answer::ResultItem;
use crate::check::Claim;
use crate::screen::Screen;
use crate::table;
use crate::text::shown;
use crate::validate;
use serde_json::json;

/// How many claims had which result.
#[derive(Default, Debug)]
pub(super) struct Tally {
    created: u64,
    existing: u64,
    refused: u64,
    pub(super) invalid: u64,
    /// Read and not yet answered.
    pub(super) unanswered: u64,
    /// True if a part of the file could not be read.
    pub(super) unread: bool,
    /// True if claims that `remit` printed, or could have printed, are missing.
    pub(super) torn: bool,
}

impl Tally {
    /// Counts and prints the result of a claim.
    pub(super) fn settle(&mut self, claim: &Claim, result: &ResultItem, screen: &mut Screen) {
        self.unanswered = self.unanswered.saturating_sub(1);
        let (count, name) = match result {
            ResultItem { error: Some(_), .. } => (&mut self.refused, "refused"),
            ResultItem { created: true, .. } => (&mut self.created, "created"),
            ResultItem { .. } => (&mut self.existing, "already_there"),
        };
        *count = count.saturating_add(1);
        let fields = json!({
            "line": claim.place.line,
            "index": claim.place.index,
            "claim_number": claim.number,
            "id": result.id,
            "status": result.status,
            "error": result.error,
        });
        match &result.error {
            Some(error) => {
                // Without the claim number, which would make every line a separate kind.
                let text = format!("refused: {}", shown(error));
                let behind = format!(" ({})", shown(&claim.number));
                screen.repeatable(name, fields, claim.place, &[(text, behind)]);
            }
            None => screen.event(name, fields, None),
        }
    }

    /// How many claims have a result.
    pub(super) fn settled(&self) -> u64 {
        [self.created, self.existing, self.refused, self.invalid]
            .iter()
            .fold(0, |sum, count| sum.saturating_add(*count))
    }

    /// How many claims need attention.
    pub(super) fn problems(&self) -> u64 {
        self.refused.saturating_add(self.invalid)
    }

    /// Prints the table. It shows unanswered claims only if the send ended early.
    pub(super) fn report(&self, ended: bool, screen: &mut Screen) {
        let mut counts = vec![
            ("created", self.created),
            ("already there", self.existing),
            ("refused", self.refused),
            ("invalid", self.invalid),
        ];
        if !ended {
            counts.push(("not answered", self.unanswered));
        }
        let fields = json!({
            "complete": ended && !self.unread && !self.torn,
            "created": self.created,
            "already_there": self.existing,
            "refused": self.refused,
            "invalid": self.invalid,
            "not_answered": (!ended).then_some(self.unanswered),
        });
        screen.count_rest();
        screen.event("summary", fields, Some(table::counts(&counts)));
        if self.unread {
            screen.note(validate::PART);
        }
        if !ended {
            screen.note(
                "not all of the file was sent. Run the same command again: what is there stays, and nothing is doubled",
            );
        }
    }
}
