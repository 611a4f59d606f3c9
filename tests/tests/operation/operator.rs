//! What the operator orders from the command line, on a state folder as `cargo xtask dev` keeps it.

use overturn_core::account::{NewFactor, RecoveryCodes};
use overturn_core::ctx::Purpose;
use overturn_core::id::{FactorId, PracticeId};
use overturn_core::plan::Write;
use overturn_core::role::Role;
use overturn_core::secret::LinkToken;
use overturn_core::totp::TotpSecret;
use overturn_tests::claims::item;
use overturn_tests::person::{Person, page};
use overturn_tests::project;
use overturn_tests::server::Server;
use overturn_tests::state::State;
use overturn_tests::tenant::{self, Tenant};
use serde_json::{Value, json};

const SESSIONS: &str = "/api/v1/auth/sessions";

fn start(state: State) -> Server {
    Server::start(state, &json!({ "LIMITS": "unlimited" }))
}

/// Gives an order, and hands back what it says or why it is refused.
fn order(state: &State, words: &[&str]) -> Result<String, String> {
    let mut program = project::operator();
    let done = program.args(words).arg("--state").arg(state.folder());
    let done = done.output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap().trim().to_owned();
    if done.status.success() {
        Ok(text(done.stdout))
    } else {
        Err(text(done.stderr))
    }
}

/// What the operator did, in order: what, and in whose trail.
fn trail(server: &Server) -> Vec<Value> {
    let sql = "SELECT action, practice_id AS trail FROM audit WHERE actor = 'operator' ORDER BY at, action DESC";
    server.database().rows(sql, &[])
}

#[test]
fn an_installation_begins_with_a_practice_and_somebody_of_the_staff() {
    let state = State::fresh();
    let name = "O'Brien; \"Family\" -- /* and */ ?1 Søn";
    let made = [
        "create-practice",
        "--name",
        name,
        "--owner",
        "Dana@Cedar.example",
    ];
    let made = order(&state, &made).unwrap();
    let practice: PracticeId = {
        let id = made.lines().next().unwrap().rsplit(' ').next();
        PracticeId(id.unwrap().parse().unwrap())
    };
    let staff = [
        "create-staff",
        "--email",
        "kim@overturn.example",
        "--url",
        "https://o.example/",
    ];
    let staff = order(&state, &staff).unwrap();
    let listed = order(&state, &["list-practices"]).unwrap();
    assert!(
        listed.starts_with(&practice.to_string()) && listed.ends_with(name),
        "{listed}"
    );

    let unknown = order(&state, &["disable-practice", "no-id"]).unwrap_err();
    assert!(unknown.starts_with("error: no such practice"), "{unknown}");
    let link = [
        "invite-owner",
        &practice.to_string(),
        "--email",
        "dana@cedar.example",
    ];
    let new_link = order(&state, &link).unwrap();

    let server = start(state);
    let people = "SELECT u.id, u.role, u.state, u.email, u.email_key, u.practice_id AS practice FROM users u ORDER BY u.id";
    let people = server.database().rows(people, &[]);
    assert_eq!(people.len(), 2);
    for (said, origin, user) in [
        (&made, "http://127.0.0.1:8787", &people[0]),
        (&new_link, "http://127.0.0.1:8787", &people[0]),
        (&staff, "https://o.example", &people[1]),
    ] {
        let link = said.lines().last().unwrap();
        let token = link.strip_prefix(&format!("{origin}/auth/invitation?token="));
        let token: LinkToken = token.unwrap().parse().unwrap();
        let sql = "SELECT kind, epoch, expires_at - ?2 AS left FROM links WHERE hash = ?1 AND user_id = ?3";
        let params = [
            &*token.hash(),
            &tenant::now().0.to_string(),
            user["id"].as_str().unwrap(),
        ];
        let stored = server.database().rows(sql, &params);
        assert_eq!(
            (&stored[0]["kind"], &stored[0]["epoch"]),
            (&json!("invitation"), &json!(1))
        );
        let days = stored[0]["left"].as_i64().unwrap() / 86_400_000;
        assert_eq!(days, 6, "less than seven from now");
        assert_eq!(user["state"], "invited");
    }
    let [owner, staff] = &people[..] else {
        panic!("two were counted")
    };
    assert_eq!(
        (&owner["role"], &owner["practice"]),
        (&json!("owner"), &json!(practice))
    );
    assert_eq!(
        (&owner["email"], &owner["email_key"]),
        (&json!("Dana@Cedar.example"), &json!("dana@cedar.example"))
    );
    assert_eq!(
        (&staff["role"], &staff["practice"]),
        (&json!("staff"), &Value::Null)
    );
    let of = |action: &str, trail: Value| json!({ "action": action, "trail": trail });
    let expected = [
        of("practice.created", json!(practice)),
        of("member.invited", json!(practice)),
        of("member.invited", json!("staff")),
        of("member.invited", json!(practice)),
    ];
    assert_eq!(trail(&server), expected);
}

/// Gives an account a second factor and a recovery code.
fn enrol(person: &Person<'_>) {
    let ctx = tenant::ctx();
    let id = FactorId(ctx.id(Purpose::Record, 0));
    let (user_id, secret) = (person.id, TotpSecret::new(tenant::random()));
    let codes = RecoveryCodes {
        user_id,
        hashes: vec!["of a code".into()],
    };
    let factor = NewFactor {
        id,
        user_id,
        secret,
    };
    let writes = vec![
        Write::Factor(factor),
        Write::FactorConfirmed(user_id, id),
        Write::RecoveryCodes(codes),
    ];
    tenant::carry_out(&person.server.database(), &ctx, writes);
}

#[test]
fn whoever_is_removed_or_reset_is_signed_out_and_nobody_else() {
    let server = start(State::fresh());
    let tenant = Tenant::new(&server);
    let [owner, lost, leaver] =
        [Role::Owner, Role::Member, Role::Admin].map(|role| Person::of(&tenant, role));
    [&owner, &lost, &leaver].into_iter().for_each(enrol);
    let tokens = [&owner, &lost, &leaver].map(|person| person.session.clone());
    let (ids, emails) = (
        [owner.id, lost.id],
        [lost.email.clone(), leaver.email.clone()],
    );

    let state = server.stop();
    let refused = order(&state, &["remove-user", &ids[0].to_string()]).unwrap_err();
    assert!(
        refused.starts_with("error: the practice must keep an owner"),
        "{refused}"
    );
    let _said = order(&state, &["reset-factor", &emails[0].to_uppercase()]).unwrap();
    let _said = order(&state, &["remove-user", &emails[1]]).unwrap();

    let server = start(state);
    let statuses = tokens
        .each_ref()
        .map(|token| page(&server, token).get(SESSIONS).status);
    assert_eq!(statuses, [200, 401, 401]);
    let sql = "SELECT state, epoch, (SELECT count(*) FROM factors f WHERE f.user_id = u.id) AS factors,
       (SELECT count(*) FROM recovery_codes c WHERE c.user_id = u.id) AS codes FROM users u WHERE id = ?1";
    let row = |n: usize| {
        server
            .database()
            .rows(sql, &[&ids[n].to_string()])
            .remove(0)
    };
    assert_eq!(
        row(0),
        json!({ "state": "active", "epoch": 1, "factors": 1, "codes": 1 })
    );
    assert_eq!(
        row(1),
        json!({ "state": "active", "epoch": 2, "factors": 0, "codes": 0 })
    );
    let actions: Vec<Value> = trail(&server)
        .into_iter()
        .map(|row| row["action"].clone())
        .collect();
    assert_eq!(actions, ["factor.reset", "member.removed"]);
}

#[test]
fn a_practice_goes_off_and_on_and_a_key_goes_for_good() {
    let server = start(State::fresh());
    let tenant = Tenant::new(&server);
    let (id, key, hint) = (
        tenant.id,
        tenant.key.clone(),
        tenant.key.text[..13].to_owned(),
    );
    let send = |server: &Server, number: &str| {
        let key = key.clone();
        Tenant { server, id, key }
            .client()
            .send(&item(number))
            .status
    };
    assert_eq!(send(&server, "A-1"), 201);
    let state = server.stop();
    let _said = order(&state, &["disable-practice", &id.to_string()]).unwrap();
    let server = start(state);
    assert_eq!(send(&server, "A-2"), 403);
    let state = server.stop();
    let _said = order(&state, &["enable-practice", &id.to_string()]).unwrap();
    let _said = order(&state, &["revoke-key", &hint]).unwrap();
    let server = start(state);
    assert_eq!(send(&server, "A-3"), 401);
    let sql = "SELECT count(*) AS n FROM practices WHERE id = ?1 AND state = 'active'";
    assert_eq!(server.database().number(sql, &[&id.to_string()]), 1);
    let actions: Vec<Value> = trail(&server)
        .into_iter()
        .map(|row| row["action"].clone())
        .collect();
    let switched = "practice.state_changed";
    assert_eq!(actions, [switched, switched, "api_key.revoked"]);
}
