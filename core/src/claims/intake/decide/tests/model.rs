//! A reference model beside the rules: the interface's answer to a send, computed from plain facts, one request at a
//! time. It is compared with senders whose loads and commits interleave freely, and whose answers from the store get
//! lost.

use super::store::Store;
use super::*;
use crate::base::date::Date;
use crate::claims::intake::CommitResult;
use crate::claims::{ClaimStatus, PlanType, Present};
use alloc::collections::BTreeMap;
use alloc::string::String;
use proptest::prelude::*;

/// The content of an item, without its spelling.
#[derive(Clone, PartialEq, Eq, Debug)]
struct Facts {
    number: usize,
    patient: (usize, usize, usize),
    day: usize,
    procedure: Option<usize>,
    payer: usize,
    billed: Option<i64>,
    denied: Option<i64>,
    /// The optional parts: denial date, plan type, reason and member id.
    optional: [Option<usize>; 4],
}

/// The claims interface, as specified.
#[derive(Default)]
struct Model {
    claims: BTreeMap<usize, Known>,
}

struct Known {
    /// The request that created the claim.
    creator: usize,
    facts: Facts,
    status: ClaimStatus,
}

#[derive(PartialEq, Eq, Debug)]
enum Told {
    Created(ClaimStatus),
    Exists(ClaimStatus),
    Refused(&'static str),
}

impl Model {
    fn send(&mut self, request: usize, sent: &Facts) -> Told {
        let Some(known) = self.claims.get_mut(&sent.number) else {
            let status = ClaimStatus::Received;
            let facts = sent.clone();
            self.claims.insert(sent.number, Known { creator: request, facts, status });
            return Told::Created(status);
        };
        let facts = &mut known.facts;
        if known.creator == request {
            return Told::Created(known.status);
        }
        if facts.patient != sent.patient {
            return Told::Refused(PATIENT);
        }
        let procedures_differ =
            sent.procedure.is_some() && facts.procedure.is_some() && sent.procedure != facts.procedure;
        if facts.day != sent.day || procedures_differ {
            return Told::Refused(CLAIM);
        }
        facts.payer = sent.payer;
        facts.billed = sent.billed.or(facts.billed);
        facts.denied = sent.denied.or(facts.denied);
        for (known, sent) in facts.optional.iter_mut().zip(sent.optional) {
            *known = known.or(sent);
        }
        Told::Exists(known.status)
    }
}

/// One spelling of the facts.
fn spelled(facts: &Facts, spelling: usize) -> Item<'static> {
    let names =
        [["Jane", " JANE", "ｊａｎｅ\t"], ["Mary  Ann", "mary ann", "Mary\u{a0}Ann "], ["José", "jose\u{301}", "JOSÉ"]];
    let codes = [["99213-ab", "99213-AB", " 99213-aB "], ["J1885", "j1885", "J1885 "]];
    let days = ["1980-02-29", "2026-01-02", "2026-01-03"];
    let (first, last, born) = facts.patient;
    let mut item = numbered(&alloc::format!("N{}", facts.number));
    let patient = &mut item.patient;
    patient.first_name = names[first][spelling].into();
    patient.last_name = names[last][spelling].into();
    patient.date_of_birth = Date::parse(days[born]).unwrap();
    let claim = &mut item.claim;
    claim.date_of_service = Date::parse(days[facts.day]).unwrap();
    claim.procedure_code = facts.procedure.map(|code| codes[code][spelling].into());
    claim.payer_claim_number = facts.payer.to_string().into();
    claim.billed_amount = facts.billed.and_then(Cents::new);
    claim.denied_amount = facts.denied.and_then(Cents::new);
    let [denial, plan, reason, member] = facts.optional;
    claim.denial_date = denial.map(|day| Date::parse(days[day]).unwrap());
    claim.plan_type = plan.map(|plan| PlanType::ALL[plan]);
    claim.denial_reason = reason.map(|reason| reason.to_string().into());
    item.patient.member_id = member.map(|member| member.to_string().into());
    item
}

/// Facts that differ often enough to be refused, and agree often enough to be corrected.
fn facts() -> impl Strategy<Value = Facts> {
    let mostly = |others: core::ops::Range<usize>| prop_oneof![9 => Just(0_usize), 1 => others];
    let patient = (mostly(0..3), mostly(0..3), mostly(0..3));
    let procedure = prop_oneof![4 => Just(Some(0)), 2 => Just(None), 1 => Just(Some(1))];
    let amount = || prop::option::of(1..4_i64);
    let amounts =
        (amount(), amount()).prop_filter("no amount", |(billed, denied)| billed.is_some() || denied.is_some());
    let optional = || prop::option::weighted(0.3, 0..3_usize);
    let optional = [optional(), optional(), optional(), optional()];
    (0..5_usize, patient, mostly(1..3), procedure, 0..3_usize, amounts, optional).prop_map(
        |(number, patient, day, procedure, payer, (billed, denied), optional)| Facts {
            number,
            patient,
            day,
            procedure,
            payer,
            billed,
            denied,
            optional,
        },
    )
}

/// A request: items with different numbers, each in a spelling.
#[derive(Clone, Debug)]
struct Request {
    items: Vec<(Facts, usize)>,
}

fn request() -> impl Strategy<Value = Request> {
    prop::collection::vec((facts(), 0..3_usize), 1..5).prop_map(|mut items| {
        let mut seen = Vec::new();
        items.retain(|(facts, _)| {
            let is_first = !seen.contains(&facts.number);
            seen.push(facts.number);
            is_first
        });
        Request { items }
    })
}

/// The next step.
#[derive(Clone, Debug)]
enum Step {
    /// A sender continues: it loads, or commits its decision. `lost` means that it commits, gets no answer, and will
    /// commit again.
    Go { sender: usize, lost: bool },
    /// Staff move a claim.
    Move { number: usize, status: ClaimStatus },
}

fn step() -> impl Strategy<Value = Step> {
    let status = prop::sample::select(&[ClaimStatus::Reviewing, ClaimStatus::InAppeal, ClaimStatus::Closed][..]);
    prop_oneof![
        9 => (any::<prop::sample::Index>(), prop::bool::weighted(0.2))
            .prop_map(|(sender, lost)| Step::Go { sender: sender.index(64), lost }),
        1 => (0..5_usize, status).prop_map(|(number, status)| Step::Move { number, status }),
    ]
}

/// A sender in progress.
struct Sender<'a> {
    index: usize,
    request: &'a Request,
    send: &'a ValidSend<'static>,
    ctx: Ctx,
    key: IdentityKey,
    snapshot: Snapshot,
    plan: Option<Changes<'a>>,
    answer: Option<SendResponse<'a>>,
    /// The model's result for each item, taken when the item was settled.
    told: BTreeMap<usize, Told>,
    rounds: usize,
    started: bool,
}

impl<'a> Sender<'a> {
    fn new(index: usize, request: &'a Request, send: &'a ValidSend<'static>) -> Self {
        Self {
            index,
            request,
            send,
            ctx: ctx(u8::try_from(index).unwrap()),
            key: key(1),
            snapshot: Snapshot::default(),
            plan: None,
            answer: None,
            told: BTreeMap::new(),
            rounds: 0,
            started: false,
        }
    }

    fn go(&mut self, lost: bool, store: &mut Store, model: &mut Model) {
        if self.answer.is_some() {
            return;
        }
        // Every item that the store was just asked about is settled, unless the next plan covers it.
        let asked: Vec<usize> = if let Some(plan) = &self.plan {
            let asked = numbers(plan);
            let outcome = store.commit(plan);
            if lost {
                self.happened(plan, outcome, &asked, (store, model));
                return;
            }
            self.snapshot.learn(plan, outcome).unwrap();
            asked
        } else {
            self.started = true;
            self.snapshot = store.load(self.send);
            self.request.items.iter().map(|(facts, _)| facts.number).collect()
        };
        let (plan, answer) = self.decide(store);
        let open = plan.as_ref().map(numbers).unwrap_or_default();
        for (facts, _) in &self.request.items {
            if asked.contains(&facts.number) && !open.contains(&facts.number) {
                let told = model.send(self.index, facts);
                self.told.insert(facts.number, told);
            }
        }
        self.rounds += usize::from(plan.is_some());
        self.plan = plan;
        self.answer = answer;
    }

    fn decide(&mut self, store: &Store) -> (Option<Changes<'a>>, Option<SendResponse<'a>>) {
        let mut snapshot = core::mem::take(&mut self.snapshot);
        let decided = self.decide_over(&mut snapshot, store);
        self.snapshot = snapshot;
        decided
    }

    /// Claims are opened immediately. Only other steps between the opening and the commit matter.
    fn decide_over(&self, snapshot: &mut Snapshot, store: &Store) -> (Option<Changes<'a>>, Option<SendResponse<'a>>) {
        loop {
            match decide(self.send, practice(), snapshot, &self.key, &self.ctx).unwrap() {
                Decision::Write(plan) => return (Some(plan), None),
                Decision::Answer(answer) => return (None, Some(answer)),
                Decision::Open(claims) => snapshot.hold(store.open(&claims)),
                other => panic!("{other:?}"),
            }
        }
    }

    /// A commit whose answer was lost has still happened: items with nothing left to write count as sent.
    fn happened(
        &self,
        plan: &Changes<'_>,
        outcome: CommitResult,
        asked: &[usize],
        (store, model): (&Store, &mut Model),
    ) {
        let mut seen = self.snapshot.clone();
        seen.learn(plan, outcome).unwrap();
        let (left, _) = self.decide_over(&mut seen, store);
        let open = left.as_ref().map(numbers).unwrap_or_default();
        for (facts, _) in &self.request.items {
            if asked.contains(&facts.number) && !open.contains(&facts.number) {
                model.send(self.index, facts);
            }
        }
    }
}

fn numbers(plan: &Changes<'_>) -> Vec<usize> {
    let of = |number: &str| number.trim_start_matches('N').parse::<usize>().unwrap();
    plan.claim_numbers().map(of).collect()
}

/// The answer equals the model's results in the order sent, with ids and a submission from the store.
fn check_answer(sender: &Sender<'_>, store: &Store) {
    let answer = sender.answer.as_ref().unwrap();
    assert_eq!(answer.claims.len(), sender.request.items.len());
    for (result, (facts, _)) in answer.claims.iter().zip(&sender.request.items) {
        let number = alloc::format!("N{}", facts.number);
        assert_eq!(result.claim_number, number);
        let stored = store.get(&number);
        let told = match (result.created, result.status, result.error) {
            (true, Some(status), None) => Told::Created(status),
            (false, Some(status), None) => Told::Exists(status),
            (false, None, Some(error)) => Told::Refused(error),
            _ => panic!("{result:?}"),
        };
        assert_eq!(Some(&told), sender.told.get(&facts.number));
        match told {
            Told::Refused(_) => assert_eq!(result.id, None),
            Told::Created(_) | Told::Exists(_) => assert_eq!(result.id, Some(stored.id)),
        }
        if result.created {
            assert!(answer.submission_id.is_some());
            assert_eq!(store.submission_of(stored.id), answer.submission_id);
        }
    }
    let created = answer.claims.iter().any(|result| result.created);
    assert_eq!(answer.submission_id.is_some(), created);
}

fn check_store(store: &Store, model: &Model, senders: &[Sender<'_>]) {
    assert_eq!(store.rows().count(), model.claims.len());
    for (number, known) in &model.claims {
        let stored = store.get(&alloc::format!("N{number}"));
        let facts = &known.facts;
        assert_eq!(stored.payer_claim_number, facts.payer.to_string());
        assert_eq!(stored.billed.map(Cents::get), facts.billed);
        assert_eq!(stored.denied.map(Cents::get), facts.denied);
        assert_eq!(stored.status, known.status);
        let (secret, denial_date, plan_type) = store.secret(&stored.claim_number);
        let expected = spelled(facts, 0);
        assert_eq!(denial_date, expected.claim.denial_date);
        assert_eq!(plan_type, expected.claim.plan_type);
        let text = |value: &Value| value.as_str().map(String::from);
        let [_, _, reason, member] = facts.optional.map(|n| n.map(|n| n.to_string()));
        assert_eq!(text(&secret["denial_reason"]), reason);
        assert_eq!(text(&secret["patient"]["member_id"]), member);
        assert_eq!(stored.present, Present::of(&expected));
        let creators = senders.iter().filter(|sender| {
            let results = &sender.answer.as_ref().unwrap().claims;
            results.iter().any(|result| result.created && result.claim_number == stored.claim_number)
        });
        let creators: Vec<usize> = creators.map(|sender| sender.index).collect();
        assert_eq!(creators, [known.creator], "created exactly once");
    }
    let mut submissions = store.submissions();
    let mut told: Vec<Uuid> =
        senders.iter().filter_map(|sender| sender.answer.as_ref()?.submission_id.map(|id| id.0)).collect();
    submissions.sort_unstable();
    told.sort_unstable();
    assert_eq!(submissions, told);
}

fn run(requests: &[Request], steps: &[Step]) {
    let sends: Vec<ValidSend<'static>> = requests
        .iter()
        .map(|request| ValidSend {
            items: request.items.iter().map(|(facts, spelling)| spelled(facts, *spelling)).collect(),
        })
        .collect();
    let mut senders: Vec<Sender<'_>> = requests
        .iter()
        .zip(&sends)
        .enumerate()
        .map(|(index, (request, send))| Sender::new(index, request, send))
        .collect();
    let (mut store, mut model) = (Store::default(), Model::default());
    for step in steps {
        match step {
            Step::Go { sender, lost } => {
                let sender = *sender % senders.len();
                senders[sender].go(*lost, &mut store, &mut model);
            }
            Step::Move { number, status } => {
                if let Some(known) = model.claims.get_mut(number) {
                    known.status = *status;
                    store.set_status(&alloc::format!("N{number}"), *status);
                }
            }
        }
    }
    for sender in &mut senders {
        // A load, the rounds, and nothing left to write; a sender that needs more never ends. From here on, other
        // senders change no claim, so a part that could not be filled in takes one more round.
        let before = sender.rounds;
        for _ in 0..=MAX_ROUNDS + 1 {
            sender.go(false, &mut store, &mut model);
        }
        assert!(sender.answer.is_some() && sender.rounds <= before + MAX_ROUNDS + 1, "rounds without end");
    }
    for sender in &senders {
        check_answer(sender, &store);
    }
    check_store(&store, &model, &senders);
}

proptest! {
    #![proptest_config(crate::testing::config())]

    #[test]
    fn interleaved_senders_get_the_answers_of_a_sequence(
        requests in prop::collection::vec(request(), 1..6),
        steps in prop::collection::vec(step(), 0..30),
    ) {
        run(&requests, &steps);
    }
}

#[test]
fn two_senders_of_one_number_in_every_interleaving() {
    let facts = |payer, last| Facts {
        number: 0,
        patient: (0, last, 0),
        day: 1,
        procedure: None,
        payer,
        billed: Some(1),
        denied: None,
        optional: [None; 4],
    };
    let more = Facts { optional: [Some(1), None, Some(1), None], ..facts(1, 0) };
    // The same, a correction, another patient, and an item with more parts.
    for other in [facts(0, 0), facts(1, 0), facts(0, 1), more] {
        let requests = [facts(0, 0), other].map(|facts| Request { items: [(facts, 0)].into() });
        // Each of five steps belongs to one of two senders, with its answer received or lost.
        for plan in 0..4_usize.pow(5) {
            let steps: Vec<Step> = (0..5)
                .map(|n| plan / 4_usize.pow(n) % 4)
                .map(|choice| Step::Go { sender: choice % 2, lost: choice / 2 == 1 })
                .collect();
            run(&requests, &steps);
        }
    }
}
