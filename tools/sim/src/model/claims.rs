//! Calls about a claim number, and what the interface says that they do.

/// What a claim number stands for: a patient, and a claim of that patient.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub(crate) struct Identity {
    pub(crate) patient: u64,
    pub(crate) claim: u64,
}

/// What was asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Input {
    Send(Identity),
    Read,
    /// Staff, who saw the claim in one status, put it into another.
    Move {
        from: String,
        to: &'static str,
    },
}

/// What was answered.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Output {
    Created(String),
    Exists {
        id: String,
        status: String,
    },
    OtherPatient,
    OtherClaim,
    Found {
        id: String,
        status: String,
    },
    Absent,
    Moved,
    /// No answer, or one that says nothing: it may be done, now or later, or never.
    Unknown,
}

/// A call about a claim number.
#[derive(Clone, Debug)]
pub(crate) struct Op {
    pub(crate) practice: usize,
    pub(crate) number: String,
    /// The key of the call, by its place in the model.
    pub(crate) key: Option<usize>,
    pub(crate) began: u64,
    /// When its answer came.
    pub(crate) ended: Option<u64>,
    pub(crate) input: Input,
    pub(crate) output: Output,
}

/// What is known of a claim number at a moment.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct State {
    /// `None` until an answer has told it.
    id: Option<String>,
    identity: Identity,
    status: String,
}

/// What a number becomes if a call takes its turn now. `None` if the call could not have been answered as it was.
pub(crate) fn apply(state: Option<&State>, op: &Op) -> Option<Option<State>> {
    match (&op.input, &op.output, state) {
        (Input::Send(identity), Output::Created(id), None) => Some(Some(new(Some(id.clone()), *identity))),
        (Input::Send(identity), Output::Unknown, None) => Some(Some(new(None, *identity))),
        // A send that was not answered may also have changed nothing.
        (Input::Send(_) | Input::Read, Output::Unknown, state) => Some(state.cloned()),
        (Input::Send(identity), Output::Exists { id, status }, Some(known)) => {
            let fits = known.identity == *identity;
            told(known, id, status).filter(|_| fits).map(Some)
        }
        (Input::Send(identity), Output::OtherPatient, Some(known)) => {
            (known.identity.patient != identity.patient).then(|| Some(known.clone()))
        }
        (Input::Send(identity), Output::OtherClaim, Some(known)) => {
            let other = known.identity.patient == identity.patient && known.identity.claim != identity.claim;
            other.then(|| Some(known.clone()))
        }
        (Input::Read, Output::Absent, None) => Some(None),
        (Input::Read, Output::Found { id, status }, Some(known)) => told(known, id, status).map(Some),
        // Who saw another version of the claim is refused.
        (Input::Move { from, to }, Output::Moved | Output::Unknown, Some(known)) => {
            (known.status == *from).then(|| Some(State { status: (*to).to_owned(), ..known.clone() }))
        }
        _ => None,
    }
}

fn new(id: Option<String>, identity: Identity) -> State {
    State { id, identity, status: "received".to_owned() }
}

/// The state with an id that an answer told, unless the answer contradicts it.
fn told(known: &State, id: &str, status: &str) -> Option<State> {
    let fits = known.id.as_deref().is_none_or(|known| known == id) && known.status == status;
    fits.then(|| State { id: Some(id.to_owned()), ..known.clone() })
}
