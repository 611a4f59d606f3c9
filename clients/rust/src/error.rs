/// Why something ended early. The text says what to do. It holds no key and no patient data.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Error {
    /// The caller must fix an argument, the environment or a file.
    #[error("{0}")]
    Usage(String),
    /// The service could not be reached, or refused the call.
    #[error("{0}")]
    Service(String),
    /// The caller stopped it.
    #[error("interrupted")]
    Interrupted,
}
