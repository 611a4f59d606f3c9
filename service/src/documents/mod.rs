//! Documents of a practice: letters, records and forms that an appeal needs (interface: Documents).
//!
//! A form is read as it streams. A file is inspected, scanned for viruses, and sealed chunk by chunk under a key of its
//! own on its way to an object of the bucket. Only then its row is written, so no row points to an object that is not
//! complete. An object without a row is loose, and the sweep removes it ([`removal`]).

pub(crate) mod bulk;
mod cipher;
mod document;
mod download;
pub(crate) mod list;
mod range;
mod receive;
pub(crate) mod removal;
pub(crate) mod retention;
mod scan;
pub(crate) mod serve;
pub(crate) mod show;
mod storing;
mod sweep;
mod target;
#[cfg(test)]
mod tests;
mod upload;
pub(crate) mod uploads;
pub(crate) mod uses;

pub use document::DocumentKind;
pub use retention::DocumentSettingsEdit;
pub(crate) use sweep::sweep;
pub use uses::NewDocumentUse;
