//! How a command ends.

use std::process::ExitCode;

/// The end of a command that did all it was asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum End {
    /// Every claim is fine.
    Fine,
    /// Some claims are invalid, were refused or not found.
    Problems,
}

impl End {
    /// The end of a command that met so many problems.
    pub(crate) fn of(problems: u64) -> Self {
        if problems == 0 {
            Self::Fine
        } else {
            Self::Problems
        }
    }

    /// The end of a command that read so many claims of a file, the wrong ones included, and met so many problems.
    ///
    /// # Errors
    ///
    /// [`Failure::Usage`] for a file without a claim, which nobody means to check or send.
    pub(crate) fn of_file(claims: u64, problems: u64) -> Result<Self, Failure> {
        if claims == 0 {
            return Err(Failure::Usage(
                "there is no claim in it. Name a file with one claim {\"patient\": …, \"claim\": …}, a batch {\"claims\": […]}, or one of either a line".into(),
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

/// Why a command ended early. Its text says what to do, and holds neither a key nor a patient's data.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub(crate) enum Failure {
    /// Something here has to be set right: an argument, the environment, a file.
    #[error("error: {0}")]
    Usage(String),
    /// The service could not be reached, or refused the call.
    #[error("error: {0}")]
    Service(String),
    /// Somebody asked us to stop.
    #[error("interrupted")]
    Interrupted,
}

impl Failure {
    /// The exit status of a wrong command line.
    pub(crate) const USAGE: u8 = 2;
}

impl From<Failure> for ExitCode {
    fn from(failure: Failure) -> Self {
        Self::from(match failure {
            Failure::Usage(_) => Failure::USAGE,
            Failure::Service(_) => 3,
            Failure::Interrupted => 130,
        })
    }
}
