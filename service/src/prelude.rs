//! What a file of a resource uses: requests and their answers, SQL, and what a decision takes and returns.

pub(crate) use crate::auth::person::Person;
pub(crate) use crate::error::AppError;
pub(crate) use crate::extract::{IfMatch, PathId, ReadRequest, WriteRequest};
pub(crate) use crate::pipeline::{Sealing, Versioned};
pub(crate) use crate::plan::audit::{Entry, Event};
pub(crate) use crate::plan::change::{After, Answer, Change};
pub(crate) use crate::plan::statement::{KeyOf, Seal};
pub(crate) use crate::plan::version::{EditedRecord, RecordVersion};
pub(crate) use crate::plan::{Guard, Write};
pub(crate) use crate::request::declare::body;
pub(crate) use crate::request::error::RequestError;
pub(crate) use crate::request::if_match::Seen;
pub(crate) use crate::request::page::{Item, Listed, Page};
pub(crate) use crate::request::reason::Reason;
pub(crate) use crate::response::{Gives, GivesFile, GivesLines, GivesTable, Response};
pub(crate) use crate::shown_once::{ShownOnce, WithOnce};
pub(crate) use crate::sql::{abort_if, after, audit_if, select, sql};
pub(crate) use crate::store::Query;
pub(crate) use overturn_core::base::ctx::{Ctx, Purpose};
pub(crate) use overturn_core::base::id::{MessageId, PracticeId, UserId, WebhookId};
pub(crate) use overturn_core::base::instant::Instant;
pub(crate) use overturn_core::base::param::Json;
pub(crate) use overturn_core::base::sealed::{KeyVersion, SealedPlace};
pub(crate) use overturn_core::base::time::Time;
pub(crate) use overturn_core::names;
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::json;
