//! The file to send with a new key, before the key is made.

use crate::args;
use crate::error::{CommandError, End};
use crate::interrupt::Interrupt;
use crate::screen::Screen;
use crate::validate::{self, Says};
use std::fs::{self, Metadata};

/// Whether all of its claims are valid: otherwise a key would be made in vain. Lists those that are not.
///
/// # Errors
///
/// Those of [`validate::check`], and [`CommandError::Usage`] for a file that cannot be read again to send it.
pub(super) fn check(name: &str, interrupt: &Interrupt, screen: &mut Screen) -> Result<End, CommandError> {
    let is_read_once = |about: Metadata| !about.is_file() && !about.is_dir();
    if name == "-" || fs::metadata(name).is_ok_and(is_read_once) {
        let why =
            "--send needs a file that can be read twice, before the key is made and after: save the claims to one";
        return Err(CommandError::Usage(why.into()));
    }
    validate::check(&args::Source::of(name), Says::Problems, interrupt, screen)
}
