//! Every change that a plan can make.

use crate::plan::audit::Entry;
use crate::plan::message::Message;
use crate::plan::notice::Notice;
use crate::plan::statement::{Statement, WriteParam};
use crate::plan::version::RecordVersion;
use crate::request::idempotency::StoredAnswer;

/// One change.
#[derive(Clone, Debug)]
pub enum Write {
    /// An email to the owners of a practice.
    Notice(Notice),
    /// Messages to practices' endpoints that subscribe to them.
    Messages(Vec<Message>),
    /// A statement of a context whose decisions stand beside their SQL.
    Sql(Statement<WriteParam>),
    /// The record has this version from now on.
    Version(RecordVersion),
    /// A row of the audit trail.
    Audit(Entry),
    /// A row of the audit trail, if a condition holds when the writes before it have run. The statement has the parameters of
    /// the condition only.
    AuditIf(Entry, Statement),
    /// The answer for a request that is repeated with its idempotency key.
    Answer(StoredAnswer),
}
