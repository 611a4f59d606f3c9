use super::*;
use crate::accounts::account::Account;
use crate::accounts::new_session::Browser;
use crate::accounts::passkeys::ceremony::unspent;
use crate::accounts::sign_in::FirstFactor;
use crate::auth::session::SessionKind;
use crate::call::ClientOrigin;
use crate::cookies::ceremony::SpentProof;
use crate::prelude::*;
use crate::settings::sso::SecondFactorContext;
use crate::sso::shown::{PracticeProvider, TrustedProvider};
use crate::testing::decisions::written;
use overturn_core::base::id::{IdentityId, SsoProviderId, UserId};
use overturn_core::base::param::{Param, Plain as _};
use uuid::Uuid;

const PRACTICE: PracticeId = PracticeId(Uuid::from_u128(2));
const ELSEWHERE: PracticeId = PracticeId(Uuid::from_u128(3));
const PROVIDER: SsoProviderId = SsoProviderId(Uuid::from_u128(4));
const USER: UserId = UserId(Uuid::from_u128(1));
const MFA: &str = "mfa";
const NOW: Instant = Instant(1_800_000_000_000);
/// When the person signed in at the provider.
const AT: Instant = Instant(1_799_999_000_000);

fn proof(hash: &str) -> SpentProof {
    SpentProof { hash: hash.into(), expires_at: Instant(9) }
}

fn account(enrolled: bool) -> Account {
    Account {
        user_id: USER,
        practice_id: Some(PRACTICE),
        practice_name: Some("Cedar Hill".into()),
        role: Role::Admin,
        epoch: 3,
        name: "Ann".into(),
        email: "ann@clinic.example".into(),
        password_hash: None,
        enrolled,
        practice: None,
    }
}

fn trusted() -> Option<TrustedProvider> {
    Some(TrustedProvider { id: PROVIDER, version: 3, contexts: [SecondFactorContext::Mfa].into() })
}

fn checked_by(version: i64) -> PracticeProvider {
    PracticeProvider { practice_id: PRACTICE, id: PROVIDER, version }
}

fn joined() -> JoinedIdentity {
    JoinedIdentity { id: IdentityId(Uuid::from_u128(5)), account: account(true), active: true, trusted: trusted() }
}

fn owner() -> DomainOwner {
    DomainOwner { practice_id: PRACTICE, practice_name: "Cedar Hill".into(), active: true, trusted: trusted() }
}

fn oidc() -> ShownIdentity {
    ShownIdentity {
        by: FirstFactor::Oidc,
        provider: "google".into(),
        saml: None,
        provider_name: "Google".into(),
        issuer: "https://accounts.google.example".into(),
        subject: "1234".into(),
        email: EmailAddress::parse("Ann@Clinic.example"),
        verified: true,
        owns_domain: true,
        authenticated_at: Some(AT),
        name: Some("Ann Lee".into()),
        contexts: ["pwd".into()].into(),
        spent: [proof("h1")].into(),
    }
}

fn saml() -> ShownIdentity {
    ShownIdentity {
        by: FirstFactor::Saml,
        provider: PROVIDER.to_string(),
        saml: Some(checked_by(3)),
        verified: false,
        ..oidc()
    }
}

fn with_joined(joined: JoinedIdentity) -> StoredSso {
    StoredSso { joined: Some(joined), owner: Some(owner()), address: Some(AddressUse::Active) }
}

fn with_owner(owner: DomainOwner, address: Option<AddressUse>) -> StoredSso {
    StoredSso { joined: None, owner: Some(owner), address }
}

fn run(shown: &ShownIdentity, stored: &StoredSso) -> Result<Decision, SsoRefusal> {
    let ctx = Ctx::new(NOW, [1; 32]);
    let place = ClientOrigin::default();
    let setting = SignInContext { browser: Browser::default(), place: &place, random: [6; 32], ctx: &ctx };
    decide(shown, stored, setting)
}

fn passed(shown: &ShownIdentity, stored: &StoredSso) -> Passed {
    match run(shown, stored) {
        Ok(Decision::SignsIn { passed, is_complete }) => {
            assert_eq!(is_complete, began(&passed).0 == Some(SessionKind::Full));
            passed
        }
        other => panic!("{other:?}"),
    }
}

fn refused(shown: &ShownIdentity, stored: &StoredSso) -> SsoRefusal {
    run(shown, stored).unwrap_err()
}

fn waits(shown: &ShownIdentity, stored: &StoredSso) -> WaitingIdentity {
    match run(shown, stored) {
        Ok(Decision::Waits(waiting)) => waiting,
        other => panic!("{other:?}"),
    }
}

/// The kind of the session, if one begins, and whether session or continuation is marked as single sign-on.
fn began(passed: &Passed) -> (Option<SessionKind>, bool) {
    let sessions = written(&passed.change.writes, "INSERT INTO sessions");
    if let [session] = &sessions[..] {
        let kind = SessionKind::ALL.into_iter().find(|kind| session[3] == kind.param());
        return (kind, session[10] == PROVIDER.param());
    }
    let continuations = written(&passed.change.writes, "INSERT INTO continuations");
    (None, continuations[0][5] == PROVIDER.param())
}

fn guards(passed: &Passed, wanted: &Guard) -> bool {
    passed.change.guards.contains(wanted)
}

#[test]
fn a_joined_identity_asks_for_the_second_factor_unless_the_practice_trusts_the_context() {
    for shown in [oidc(), saml()] {
        let asked = passed(&shown, &with_joined(joined()));
        assert_eq!(began(&asked), (None, true));
        assert!(asked.ask.is_some());
        let strong = ShownIdentity { contexts: ["pwd".into(), MFA.into()].into(), ..shown };
        let done = passed(&strong, &with_joined(joined()));
        assert_eq!(began(&done), (Some(SessionKind::Full), true));
        assert!(done.ask.is_none());
        for passed in [asked, done] {
            assert!(guards(&passed, &unspent(&proof("h1"))));
            assert!(guards(&passed, &has_identity(USER, IdentityId(Uuid::from_u128(5)))));
            assert!(guards(&passed, &checked_by(3).is_unchanged()));
            assert_eq!(written(&passed.change.writes, "INSERT INTO spent_proofs").len(), 1);
        }
    }
}

#[test]
fn a_provider_that_the_practice_does_not_trust_only_replaces_the_password() {
    let strong = ShownIdentity { contexts: [MFA.into()].into(), ..oidc() };
    let untrusted = JoinedIdentity { trusted: None, ..joined() };
    let closed = JoinedIdentity { active: false, ..joined() };
    let staff = JoinedIdentity {
        account: Account { practice_id: None, role: Role::Staff, ..account(true) },
        trusted: None,
        ..joined()
    };
    for joined in [untrusted, closed, staff] {
        let asked = passed(&strong, &with_joined(joined));
        assert_eq!(began(&asked), (None, false));
        assert!(asked.ask.is_some());
    }
}

/// Whoever has the identity could enroll a factor and keep the account.
#[test]
fn a_provider_that_the_practice_does_not_trust_signs_in_nobody_without_a_factor() {
    let unenrolled = |joined: JoinedIdentity| with_joined(JoinedIdentity { account: account(false), ..joined });
    let private = ShownIdentity { owns_domain: false, ..oidc() };
    for (shown, joined) in [
        (oidc(), JoinedIdentity { trusted: None, ..joined() }),
        (oidc(), JoinedIdentity { active: false, ..joined() }),
        (private, joined()),
    ] {
        assert_eq!(refused(&with_mfa(shown), &unenrolled(joined)), SsoRefusal::Practice);
    }
}

#[test]
fn a_response_counts_only_under_the_certificates_that_checked_it() {
    let renewed = || trusted().map(|trusted| TrustedProvider { version: 4, ..trusted });
    let known = with_joined(JoinedIdentity { trusted: renewed(), ..joined() });
    let new = with_owner(DomainOwner { trusted: renewed(), ..owner() }, None);
    for stored in [&known, &new] {
        assert!(guards(&passed(&saml(), stored), &checked_by(3).is_unchanged()));
        // An OpenID provider's keys are not the practice's. Its contexts are what was read.
        assert!(guards(&passed(&oidc(), stored), &checked_by(4).is_unchanged()));
    }
    let waiting = waits(&saml(), &with_owner(owner(), Some(AddressUse::Active)));
    assert_eq!(waiting.saml, Some(checked_by(3)));
}

fn with_mfa(shown: ShownIdentity) -> ShownIdentity {
    ShownIdentity { contexts: [MFA.into()].into(), ..shown }
}

/// Whether the session began by a trusted provider, and when its second factor was confirmed.
fn session(passed: &Passed) -> Option<(bool, Option<Instant>)> {
    let sessions = written(&passed.change.writes, "INSERT INTO sessions");
    let verified = |param: &Param| if let Param::Int(at) = param { Some(Instant(*at)) } else { None };
    sessions.first().map(|session| (session[10] == PROVIDER.param(), verified(&session[7])))
}

#[test]
fn an_owner_always_shows_a_factor_of_their_own() {
    for (role, asks) in [(Role::Owner, true), (Role::Admin, false)] {
        let mut joined = joined();
        joined.account.role = role;
        let passed = passed(&with_mfa(saml()), &with_joined(joined));
        assert_eq!(passed.ask.is_some(), asks, "{role:?}");
    }
}

#[test]
fn the_second_factor_is_as_old_as_the_provider_says() {
    for (authenticated_at, verified_at) in [(Some(AT), Some(AT)), (Some(NOW.plus(30_000)), Some(NOW)), (None, None)] {
        let shown = ShownIdentity { authenticated_at, ..with_mfa(oidc()) };
        let passed = passed(&shown, &with_joined(joined()));
        assert_eq!(session(&passed), Some((true, verified_at)));
    }
}

#[test]
fn a_private_account_at_a_provider_does_not_count_as_one_of_the_practice() {
    let private = ShownIdentity { owns_domain: false, ..with_mfa(oidc()) };
    let known = passed(&private, &with_joined(joined()));
    assert!(known.ask.is_some(), "a factor of their own");
    let waiting = waits(&private, &with_owner(owner(), None));
    assert_eq!(waiting.email, "Ann@Clinic.example");
    // The address belongs to a domain that another practice has verified.
    let elsewhere =
        StoredSso { owner: Some(DomainOwner { practice_id: ELSEWHERE, ..owner() }), ..with_joined(joined()) };
    assert!(passed(&with_mfa(oidc()), &elsewhere).ask.is_some());
}

#[test]
fn an_account_without_a_second_factor_may_only_enroll_one() {
    let new = JoinedIdentity { account: account(false), ..joined() };
    let begun = passed(&oidc(), &with_joined(new));
    assert_eq!(began(&begun), (Some(SessionKind::Enrolment), true));
}

#[test]
fn the_provider_of_a_practice_signs_in_only_its_own_people() {
    let of = |practice_id| JoinedIdentity { account: Account { practice_id, ..account(true) }, ..joined() };
    for practice in [None, Some(ELSEWHERE)] {
        let refusal = refused(&saml(), &with_joined(of(practice)));
        assert_eq!(refusal, SsoRefusal::OtherPractice);
    }
    for joined in [JoinedIdentity { active: false, ..joined() }, JoinedIdentity { trusted: None, ..joined() }] {
        assert_eq!(refused(&saml(), &with_joined(joined)), SsoRefusal::Practice);
    }
}

#[test]
fn an_identity_without_an_account_waits_if_its_address_is_verified() {
    let nobody = StoredSso::default();
    let waiting = waits(&oidc(), &nobody);
    assert_eq!(waiting.email, "Ann@Clinic.example");
    assert_eq!((&*waiting.subject, waiting.saml), ("1234", None));
    for shown in [ShownIdentity { verified: false, ..oidc() }, ShownIdentity { email: None, ..oidc() }] {
        assert_eq!(refused(&shown, &nobody), SsoRefusal::Address);
    }
    // Equal addresses never join.
    let known = with_owner(owner(), Some(AddressUse::Active));
    for shown in [oidc(), saml()] {
        assert_eq!(waits(&shown, &known).email, "Ann@Clinic.example");
    }
    let invited = with_owner(owner(), Some(AddressUse::Invited));
    waits(&oidc(), &invited);
}

#[test]
fn a_practices_provider_speaks_only_for_the_practices_verified_domains() {
    let elsewhere = DomainOwner { practice_id: ELSEWHERE, ..owner() };
    let closed = DomainOwner { active: false, ..owner() };
    let claimed = ShownIdentity { verified: true, ..saml() };
    for shown in [saml(), claimed] {
        for stored in [StoredSso::default(), with_owner(elsewhere.clone(), None), with_owner(closed.clone(), None)] {
            assert_eq!(refused(&shown, &stored), SsoRefusal::Address);
        }
    }
}

#[test]
fn nobody_becomes_a_member_of_a_practice_that_does_not_ask_for_it() {
    let stranger = DomainOwner { trusted: None, ..owner() };
    let closed = DomainOwner { active: false, ..owner() };
    for stored in [with_owner(stranger, None), with_owner(closed, None)] {
        waits(&oidc(), &stored);
    }
    let unverified = ShownIdentity { verified: false, ..oidc() };
    let stored = with_owner(owner(), None);
    assert_eq!(refused(&unverified, &stored), SsoRefusal::Address);
    // A practice that removed a person must invite them again.
    let removed = with_owner(owner(), Some(AddressUse::Removed));
    for shown in [oidc(), saml()] {
        assert_eq!(refused(&shown, &removed), SsoRefusal::Removed);
    }
}

#[test]
fn a_name_that_cannot_be_shown_is_replaced_by_the_address() {
    let long: String = std::iter::repeat_n('x', 201).collect();
    for name in [None, Some("  ".into()), Some("a\u{202e}b".into()), Some(long)] {
        let shown = ShownIdentity { name, ..oidc() };
        let new = passed(&shown, &with_owner(owner(), None));
        assert_eq!(written(&new.change.writes, "INSERT INTO users")[0][6], "Ann@Clinic.example".param());
    }
}

#[test]
fn two_proofs_are_both_spent() {
    let mut shown = saml();
    shown.spent.push(proof("h2"));
    let passed = passed(&shown, &with_joined(joined()));
    for hash in ["h1", "h2"] {
        assert!(guards(&passed, &unspent(&proof(hash))));
    }
}
