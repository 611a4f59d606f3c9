//! `overturn trigger`: one made-up webhook message.

use crate::args;
use crate::endpoint::{Endpoint, Outgoing};
use crate::error::{CommandError, End};
use crate::interrupt::Interrupt;
use crate::screen::Screen;
use crate::system;
use overturn_core::base::ctx::Purpose;
use overturn_core::base::id::{MessageId, WebhookId};
use overturn_core::webhooks::message::Data;
use overturn_core::webhooks::schedule::EndpointAnswer;

/// Runs the command.
///
/// # Errors
///
/// [`CommandError::Usage`] for an address or a secret that cannot be used, and [`CommandError::Interrupted`].
pub(crate) fn command(args: &args::Trigger, interrupt: &Interrupt, screen: &mut Screen) -> Result<End, CommandError> {
    let endpoint = Endpoint::new(&args.to.forward, args.to.secret.as_deref(), interrupt, screen)?;
    let ctx = system::fresh()?;
    let data = Data::sample(args.event, WebhookId(ctx.id(Purpose::Record, 1)), &ctx);
    let mut message = Outgoing {
        id: MessageId(ctx.id(Purpose::Message, 0)),
        kind: data.kind(),
        about: "(test)".into(),
        body: data.body(ctx.now, true),
        attempts: 0,
    };
    let answer = endpoint.post(&mut message, screen)?;
    Ok(if answer.is_some_and(EndpointAnswer::is_success) { End::Fine } else { End::Problems })
}
