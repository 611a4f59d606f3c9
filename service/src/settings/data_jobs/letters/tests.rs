use super::*;
use crate::plan::Plan;
use crate::plan::notice::Notice;
use crate::testing::Fixture;

#[test]
fn a_refused_email_is_retried_at_growing_intervals_and_then_given_up() {
    let mut f = Fixture::new();
    let ctx = f.ctx();
    let letter = Notice::new(f.practice(), NoticeKind::AgreementEnded, &ctx);
    f.commit(&ctx, (Vec::new(), vec![Write::Notice(letter)])).unwrap();
    let mut tries = 0;
    let mut now = ctx.now;
    loop {
        let due = f.read(&due(now));
        let Some(notice) = due.first() else {
            now = now.plus(60_000);
            continue;
        };
        let (guard, write) = notice.lease(now);
        let plan = Plan { guards: vec![guard], at: now, ..Plan::of_operator(&ctx, vec![write]) };
        let batch = f.lower(&plan);
        f.run(&batch.statements).unwrap();
        let again = f.run(&batch.statements);
        assert_eq!(again.unwrap_err(), DatabaseError::Conflict(FailedGuard::Record), "leased once");
        tries += 1;
        if notice.is_given_up(now) {
            break;
        }
    }
    assert_eq!(tries, 13);
    let given_up = f.read(&due(now.plus(2 * TRIED_MS)));
    f.commit(&ctx, (Vec::new(), vec![given_up[0].done()])).unwrap();
    assert_eq!(f.count("SELECT count(*) FROM notices"), 0);
}
