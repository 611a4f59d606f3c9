//! Parts of SQL that several resources use.

use super::colleague::colleague;

/// The practice of a record, as `PracticeName` reads it.
macro_rules! practice {
    ($of:literal) => {
        concat!(
            "json((SELECT json_object('id', p.id, 'name', p.name) FROM practices p WHERE p.id = ",
            $of,
            ".practice_id))"
        )
    };
}
pub(super) use practice;

pub(super) const DEADLINE: &str = deadline!();
pub(super) const LETTER: &str = letter!();
pub(super) const KEPT_LINK: &str = kept_link!();
pub(super) const CLAIM_PRACTICE: &str = practice!("c");
pub(super) const TAKEN_BY: &str = colleague!("c.taken_by");

/// The fields of a level `l`, as `Level` reads them.
pub(super) const LEVEL: &str =
    "'level', l.level, 'kind', l.kind, 'due_on', l.due_on, 'filed_on', l.filed_on, 'decided_on', l.decided_on,
           'outcome', l.outcome, 'decision_due', l.decision_due, 'decision_source', l.decision_source,
           'follow_up_on', l.follow_up_on";
