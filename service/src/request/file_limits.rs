//! How large the file of a document, and the files of a bulk upload, may be (interface: Limits).

use crate::request::error::RequestError;
pub use overturn_content::FILE_MAX;

/// Most MiB of a file, for the messages.
macro_rules! file_mib {
    () => {
        50
    };
}

/// Most MiB of all files of a bulk upload, for the number and for the messages.
macro_rules! bulk_mib {
    () => {
        200
    };
}

const MIB: u64 = 1024 * 1024;
const _: () = assert!(FILE_MAX == file_mib!() * MIB);
/// Most files of a bulk upload.
pub const FILES_MAX: usize = 20;
/// Most bytes of all files of a bulk upload.
pub const BULK_MAX: u64 = bulk_mib!() * MIB;

/// The refusal for a file that is too large.
pub const FILE_TOO_LARGE: RequestError =
    RequestError::FileTooLarge(concat!("a file must have at most ", file_mib!(), " MiB"));

/// The refusal for a file that is too large for a sandbox.
pub const TOO_LARGE_FOR_SANDBOX: RequestError =
    RequestError::FileTooLarge("a file of a sandbox must have at most 1 MB");

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
