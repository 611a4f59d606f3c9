use super::*;
use uuid::Uuid;

fn provider(idp_initiated: bool) -> SamlProvider {
    SamlProvider {
        practice_id: PracticeId(Uuid::from_u128(2)),
        id: SsoProviderId(Uuid::from_u128(4)),
        version: 3,
        name: "Clinic".into(),
        entity_id: "https://idp.example".into(),
        metadata: String::new(),
        idp_initiated,
    }
}

fn begun(provider: u128) -> OpenedCeremony<BegunBySaml> {
    OpenedCeremony {
        content: BegunBySaml {
            provider: SsoProviderId(Uuid::from_u128(provider)),
            request_id: "r1".into(),
            relay_state: "s1".into(),
            browser: BeginningBrowser::default(),
        },
        spent: SpentProof { hash: "h".into(), expires_at: Instant(9) },
    }
}

fn claims() -> SamlClaims {
    SamlClaims {
        assertion_id: "a1".into(),
        expires_at: Instant(1_000),
        subject: "ann".into(),
        email: Some("ann@Clinic.example".into()),
        name: None,
        contexts: Vec::new(),
        authenticated_at: None,
    }
}

#[test]
fn a_response_answers_the_request_of_its_own_browser_and_provider() {
    let asked = |begun: Option<&OpenedCeremony<BegunBySaml>>, state| {
        let found = answered_request(&provider(false), begun, state)?;
        Ok(found.map(|begun| begun.content.request_id.clone()))
    };
    assert_eq!(asked(Some(&begun(4)), "s1"), Ok(Some("r1".into())));
    for state in ["", "s2"] {
        assert_eq!(asked(Some(&begun(4)), state), Err(SsoRefusal::State));
    }
    assert_eq!(asked(Some(&begun(5)), "s1"), Err(SsoRefusal::MixedUp));
    assert_eq!(asked(None, "s1"), Err(SsoRefusal::Unsolicited));
}

#[test]
fn a_provider_that_may_begin_sign_ins_needs_no_request() {
    let own = provider(true);
    for (begun, state) in [(None, ""), (Some(begun(4)), "s2"), (Some(begun(5)), "s1")] {
        let found = answered_request(&own, begun.as_ref(), state);
        assert_eq!(found, Ok(None));
    }
    let begun = begun(4);
    let found = answered_request(&own, Some(&begun), "s1");
    assert_eq!(found, Ok(Some(&begun)), "the request is checked if there is one");
}

#[test]
fn an_assertion_is_spent_by_its_provider_and_id_until_no_clock_accepts_it() {
    let spent = |of: u128, id: &str| {
        let provider = SamlProvider { id: SsoProviderId(Uuid::from_u128(of)), ..provider(false) };
        let claims = SamlClaims { assertion_id: id.into(), ..claims() };
        let shown = super::shown(&provider, claims, None).unwrap();
        let [spent] = &*shown.spent else { panic!() };
        assert_eq!(spent.expires_at, Instant(1_000 + SKEW_MS));
        spent.hash.clone()
    };
    assert_eq!(spent(4, "a1"), spent(4, "a1"));
    assert_ne!(spent(4, "a1"), spent(4, "a2"));
    assert_ne!(spent(4, "a1"), spent(5, "a1"));
    let shown = super::shown(&provider(false), claims(), Some(begun(4).spent));
    let shown = shown.unwrap();
    assert_eq!(shown.spent.len(), 2);
    assert_eq!((&*shown.domain(), shown.verified), ("clinic.example", false));
    assert_eq!(shown.saml.map(|of| of.version), Some(3));
}

#[test]
fn an_id_that_cannot_be_stored_is_refused() {
    let long: String = std::iter::repeat_n('x', 513).collect();
    for subject in ["", " ", &long] {
        let claims = SamlClaims { subject: subject.into(), ..claims() };
        let shown = super::shown(&provider(false), claims, None);
        assert_eq!(shown.unwrap_err(), SsoRefusal::Subject);
    }
}
