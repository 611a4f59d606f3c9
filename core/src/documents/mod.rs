//! Documents of a practice: letters, records and forms that an appeal needs (interface: Documents).
//!
//! A host receives a file, seals it under a key of its own into an object of the bucket, scans it for viruses, and only
//! then asks [`upload`] for the document. No row points to an object that is not complete. An object without a row is
//! loose, and the host's sweep removes it ([`removal`]).

pub mod attached;
pub mod content;
pub mod download;
pub mod name;
pub mod query;
pub mod removal;
pub mod retention;
pub mod scan;
pub mod target;
pub mod upload;
pub mod uses;
pub mod view;

use crate::request::error::RequestError;

/// The refusal for a document that the practice does not have.
pub(crate) const UNKNOWN: RequestError = RequestError::NotFound("no such document");

/// Most MiB of a file (interface: Limits), for the number and for the messages.
macro_rules! file_mib {
    () => {
        50
    };
}

/// Most MiB of all files of a bulk upload.
macro_rules! bulk_mib {
    () => {
        200
    };
}

const MIB: u64 = 1024 * 1024;
/// Most bytes of a file.
pub const FILE_MAX: u64 = file_mib!() * MIB;
/// Most files of a bulk upload.
pub const FILES_MAX: usize = 20;
/// Most bytes of all files of a bulk upload.
pub const BULK_MAX: u64 = bulk_mib!() * MIB;

/// The refusal for a file that is too large.
pub const FILE_TOO_LARGE: RequestError =
    RequestError::FileTooLarge(concat!("a file must have at most ", file_mib!(), " MiB"));

/// The refusal for files that are too large together.
pub const FILES_TOO_LARGE: RequestError =
    RequestError::FileTooLarge(concat!("the files together must have at most ", bulk_mib!(), " MiB"));

/// The refusal for a file, or for a form, that is too large.
pub const TOO_LARGE: RequestError = RequestError::FileTooLarge(concat!(
    "a file must have at most ",
    file_mib!(),
    " MiB, and all files together at most ",
    bulk_mib!(),
    " MiB"
));

#[cfg(test)]
mod tests;
