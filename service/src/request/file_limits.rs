//! What the file of a document may be (interface: Documents): its type by content, its name, and its size.
//!
//! `service` has everything else of documents. This is here because it reads every byte of a file: the Worker compiles
//! this crate for speed, and `service` for size.

pub mod content;
pub mod name;

use crate::request::error::RequestError;

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
