mod assertion;
mod authenticator;
mod nonsense;
mod registration;

use authenticator::Authenticator;
use overturn_core::base::id::UserId;
use overturn_core::identity::Verdict;
use overturn_core::identity::passkeys::{
    BeginRegistration, BegunCeremony, CheckRegistration, KnownCredential, NewCredential, RelyingParty,
};
use uuid::Uuid;

const USER: UserId = UserId(Uuid::from_u128(0x0192_a0b1_0000_7000_8000_0000_0000_0001));
const OTHER_USER: UserId = UserId(Uuid::from_u128(0x0192_a0b1_0000_7000_8000_0000_0000_0002));

fn authenticator() -> Authenticator {
    Authenticator::new(3, USER.0.as_bytes())
}

fn rp() -> RelyingParty {
    RelyingParty {
        id: "overturn.example".to_owned(),
        origins: vec!["https://overturn.example".to_owned(), "https://overturn.test".to_owned()],
    }
}

fn local_rp() -> RelyingParty {
    RelyingParty { id: "localhost".to_owned(), origins: vec!["http://localhost:8787".to_owned()] }
}

fn begin_registration(rp: RelyingParty, exclude: Vec<KnownCredential>) -> BegunCeremony {
    accepted(super::begin_registration(&BeginRegistration {
        rp,
        user_id: USER,
        name: "kim@practice.example".to_owned(),
        display_name: "Kim Ångström".to_owned(),
        exclude,
    }))
}

/// Registers the passkey of `authenticator` for [`USER`].
fn registered(rp: RelyingParty, authenticator: &Authenticator) -> NewCredential {
    let begun = begin_registration(rp.clone(), Vec::new());
    accepted(super::check_registration(&CheckRegistration {
        rp,
        user_id: USER,
        credential: authenticator.register(&begun),
        state: begun.state,
    }))
}

#[track_caller]
fn accepted<T>(verdict: Verdict<T>) -> T {
    match verdict {
        Verdict::Accepted(facts) => facts,
        Verdict::Refused(refusal) => panic!("refused: {refusal:?}"),
    }
}

#[track_caller]
fn refused<T>(verdict: Verdict<T>) -> String {
    match verdict {
        Verdict::Accepted(_) => panic!("accepted"),
        Verdict::Refused(refusal) => refusal.reason,
    }
}
