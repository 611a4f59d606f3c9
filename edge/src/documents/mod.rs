//! Documents: a form is read as it streams, and a file is sealed chunk by chunk on its way to R2 and back.
#![allow(dead_code, reason = "the handlers of documents use it")]

pub(crate) mod bucket;
pub(crate) mod cipher;
pub(crate) mod download;
pub(crate) mod multipart;
mod parameters;
pub(crate) mod range;
pub(crate) mod upload;
