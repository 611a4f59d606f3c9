//! Documents: a form is read as it streams, a file is scanned and sealed chunk by chunk on its way to the bucket, and opened on
//! its way back.

mod bulk;
pub(crate) mod cipher;
pub(crate) mod download;
pub(crate) mod handlers;
pub(crate) mod range;
mod receive;
pub(crate) mod removal;
mod request;
pub(crate) mod retention;
mod serve;
pub(crate) mod staff;
pub(crate) mod sweep;
pub(crate) mod upload;
mod uploads;
