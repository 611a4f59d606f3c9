//! What a file of a resource uses: requests and their answers, SQL, and what a decision takes and returns.

pub(crate) use crate::error::AppError;
pub(crate) use crate::extract::{IfMatch, PathId, ReadRequest, WriteRequest};
pub(crate) use crate::pipeline::{Sealing, Versioned};
pub(crate) use crate::response::{Gives, Response};
pub(crate) use crate::shown_once::{ShownOnce, WithOnce};
pub(crate) use crate::sql::{abort_if, after, audit_if, select, sql};
pub(crate) use crate::store::Query;
pub(crate) use overturn_core::auth::person::Person;
pub(crate) use overturn_core::base::ctx::{Ctx, Purpose};
pub(crate) use overturn_core::base::id::{MessageId, PracticeId, UserId, WebhookId};
pub(crate) use overturn_core::base::instant::Instant;
pub(crate) use overturn_core::base::param::Json;
pub(crate) use overturn_core::base::sealed::{KeyVersion, SealedPlace};
pub(crate) use overturn_core::base::sql::{KeyOf, Seal};
pub(crate) use overturn_core::base::time::Time;
pub(crate) use overturn_core::plan::audit::{Entry, Event};
pub(crate) use overturn_core::plan::change::{After, Answer, Change};
pub(crate) use overturn_core::plan::version::{EditedRecord, RecordVersion};
pub(crate) use overturn_core::plan::{Guard, Write};
pub(crate) use overturn_core::request::error::RequestError;
pub(crate) use overturn_core::request::if_match::Seen;
pub(crate) use overturn_core::request::page::{Item, Listed, Page};
pub(crate) use overturn_core::request::reason::Reason;
pub(crate) use overturn_core::{body, names};
pub(crate) use serde::{Deserialize, Serialize};
pub(crate) use serde_json::json;
