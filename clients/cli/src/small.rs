//! Small files that are read as a whole: names of columns, payers, codes and dates of birth.

use crate::error::CommandError;
use crate::text::shown;
use std::fmt::Display;
use std::fs;

/// The largest file.
const TEXT_MAX: u64 = 64 * 1024 * 1024;

/// A small file as text: UTF-8, else Windows-1252.
///
/// # Errors
///
/// [`CommandError::Usage`] when it cannot be read or is too large.
pub(crate) fn text(name: &str) -> Result<String, CommandError> {
    let too_large = fs::metadata(name).is_ok_and(|about| about.len() > TEXT_MAX);
    if too_large {
        return Err(wrong(name, &"it is larger than 64 MiB"));
    }
    let bytes = fs::read(name).map_err(|error| wrong(name, &error))?;
    Ok(overturn_remit::decode(&bytes).into_owned())
}

/// The error of a file that cannot be used.
pub(crate) fn wrong(name: &str, why: &dyn Display) -> CommandError {
    CommandError::Usage(format!("cannot use {}: {why}", shown(name)))
}
