//! SHA-256 in hexadecimal digits.

use std::fs;
use std::path::Path;

use data_encoding::HEXLOWER;
use sha2::{Digest, Sha256};

use crate::error::{Context, Result};

/// The digest of bytes.
pub(crate) fn of(bytes: &[u8]) -> String {
    HEXLOWER.encode(&Sha256::digest(bytes))
}

/// The digest of a file's contents.
pub(crate) fn of_file(path: &Path) -> Result<String> {
    let bytes = fs::read(path).context(|| format!("cannot read {}", path.display()))?;
    Ok(of(&bytes))
}
