//! The file of dates of birth: read if it is there, else written as a template.

use crate::error::CommandError;
use crate::screen::Screen;
use crate::small;
use crate::text::{counted, shown};
use overturn_remit::{Births, Outcome, template};
use std::fs::OpenOptions;
use std::io::Write;
use std::path::Path;

/// What people filled in. A file that is not there is empty.
///
/// # Errors
///
/// [`CommandError::Usage`] when the file cannot be read or is not the template.
pub(crate) fn read(name: &str, screen: &Screen) -> Result<Births, CommandError> {
    if !Path::new(name).exists() {
        return Ok(Births::default());
    }
    let births = Births::read(&small::text(name)?).map_err(|error| small::wrong(name, &error))?;
    for line in &births.bad_lines {
        screen.note(&format!(
            "{}: line {line}: write the date as YYYY-MM-DD or M/D/YYYY, and the same in all rows of a patient",
            shown(name)
        ));
    }
    Ok(births)
}

/// Writes the template, if patients lack a date of birth and the file is not there. Only its owner may read it.
///
/// # Errors
///
/// [`CommandError::Usage`] when it cannot be written.
pub(crate) fn write(name: Option<&str>, outcome: &Outcome, screen: &Screen) -> Result<(), CommandError> {
    let count = outcome.missing_births.len();
    if count == 0 {
        return Ok(());
    }
    let patients = counted(count, "patient");
    let Some(name) = name else {
        screen.note(&format!(
            "{patients} without a date of birth: name their claim files with --claims, or a file to fill in with --births births.csv"
        ));
        return Ok(());
    };
    if Path::new(name).exists() {
        screen.note(&format!(
            "{patients} without a date of birth, and {} was not changed: name another file to get a template",
            shown(name)
        ));
        return Ok(());
    }
    let mut options = OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    let mut file = options.open(name).map_err(|error| small::wrong(name, &error))?;
    let written = file.write_all(template(&outcome.missing_births).as_bytes());
    written.map_err(|error| small::wrong(name, &error))?;
    screen.note(&format!("{patients} without a date of birth: fill in {} and run this again", shown(name)));
    Ok(())
}
