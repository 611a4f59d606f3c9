//! How a command ends.

pub(crate) use overturn_client::Error as CommandError;
use std::process::ExitCode;

/// The end of a command that finished.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Every claim is valid or accepted.
    Fine,
    /// Some claims are invalid, were refused or were not found.
    Problems,
}

impl End {
    /// The end of a command that found this many problems.
    pub(crate) fn of(problems: u64) -> Self {
        if problems == 0 { Self::Fine } else { Self::Problems }
    }

    /// The end of a command that read this many claims of a file, invalid ones included, and found this many problems.
    ///
    /// # Errors
    ///
    /// [`CommandError::Usage`] for a file without a claim, which is always a mistake.
    pub(crate) fn of_file(claims: u64, problems: u64) -> Result<Self, CommandError> {
        if claims == 0 {
            return Err(CommandError::Usage(
                "there is no claim in it. Name a file with one claim {\"patient\": …, \"claim\": …}, a batch {\"claims\": […]}, or one of either a line, or CSV with a header".into(),
            ));
        }
        Ok(Self::of(problems))
    }
}

impl From<End> for ExitCode {
    fn from(end: End) -> Self {
        match end {
            End::Fine => Self::SUCCESS,
            End::Problems => Self::from(1),
        }
    }
}

/// The exit status of an invalid command line.
pub(crate) const USAGE: u8 = 2;

/// The exit status of a command that ended early.
pub(crate) fn code(failure: &CommandError) -> ExitCode {
    ExitCode::from(match failure {
        CommandError::Usage(_) => USAGE,
        CommandError::Service(_) => 3,
        CommandError::Interrupted => 130,
    })
}
