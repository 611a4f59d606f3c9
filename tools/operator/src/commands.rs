//! Runs a command: loads the records, decides, writes, and reports.

use overturn_core::request::problem::texts;
use std::error::Error;
use std::fs;
use std::path::Path;
use std::process::Command;

use overturn_core::base::cell::Cell;
use overturn_core::base::ctx::Ctx;
use overturn_core::base::id::PracticeId;
use overturn_core::base::time::Time;
use overturn_service::auth::disclosure::PracticeState;
use overturn_service::operator::{self, Invited, Job, JobView, PracticeRow, StoredUser};
use overturn_service::people::UserState;
use overturn_service::plan::Plan;
use overturn_service::request::error::RequestError;
use overturn_service::request::secret::LinkToken;

use serde_json::Value;

use crate::cells::Cells;
use crate::database::{self, Database};
use crate::options::{Options, Place};
use crate::{random, service, verify};

type Said = Result<String, Box<dyn Error>>;

/// The page of an invitation. Its fragment is the token.
const INVITATION: &str = "/invitation#";
/// The default address of `cargo xtask dev`.
const LOCAL_URL: &str = "http://127.0.0.1:8787";

/// The address of the service of a state folder, which `dev` wrote there.
fn local_url(state: &Path) -> Option<String> {
    let demo = fs::read_to_string(state.join("demo.json")).ok()?;
    let demo: Value = serde_json::from_str(&demo).ok()?;
    demo.get("base_url")?.as_str().map(str::to_owned)
}

/// Runs a command, and returns its report.
pub(crate) fn run(options: &Options, ctx: &Ctx) -> Said {
    let url = Some(options.word("--url").to_owned()).filter(|url| !url.is_empty());
    let place = options.place.clone();
    let operator = Operator { url, cells: Cells::of(&place)?, place, ctx };
    let (about, email) = (options.word(""), options.word("--email"));
    let said = match &*options.command {
        "list-practices" => operator.list_practices(),
        "cells" => operator.cells.report(ctx.now),
        "create-practice" => operator.create_practice(options.word("--name"), options.word("--owner")),
        "invite-owner" => operator.invite_owner(about, email),
        "create-staff" => operator.create_staff(email),
        "create-auditor" => operator.create_auditor(email),
        "disable-practice" => operator.switch(about, PracticeState::Inactive),
        "enable-practice" => operator.switch(about, PracticeState::Active),
        "revoke-key" => operator.revoke_key(about),
        "remove-user" => operator.remove_user(about),
        "reset-factor" => operator.reset_factor(about),
        "end-agreement" => operator.end_agreement(about),
        "data-jobs" => operator.data_jobs(about),
        "destroy-data" => operator.destroy_data(about, options.word("--name"), options.days()?),
        "cancel-destruction" => operator.cancel_destruction(about),
        "move-practice" => operator.move_practice(about, options.word("--to")),
        "cancel-move" => operator.cancel_move(about),
        "moves" => operator.moves(),
        "verify-trail" => verify::trail(operator.of_trail(about)?, about),
        other => Err(format!("`cargo xtask operator {other}` moves an installation").into()),
    };
    let lists_all = ["list-practices", "cells"].contains(&&*options.command);
    with_silent(said, operator.cells.silent(), lists_all)
}

/// A report that names the cells that did not answer. A list of everything has then failed.
fn with_silent(said: Said, silent: Vec<String>, lists_all: bool) -> Said {
    if silent.is_empty() {
        return said;
    }
    let (said, failed) = match said {
        Ok(said) => (said, lists_all),
        Err(error) => (error.to_string(), true),
    };
    let said = std::iter::once(said).chain(silent).collect::<Vec<_>>().join("\n");
    if failed { Err(said.into()) } else { Ok(said) }
}

struct Operator<'c> {
    place: Place,
    url: Option<String>,
    cells: Cells,
    ctx: &'c Ctx,
}

impl Operator<'_> {
    fn list_practices(&self) -> Said {
        let mut practices = self.cells.read_all(&operator::practices())?;
        practices.sort_by_key(|(_, row)| row.id);
        let line = |(cell, row): (Cell, PracticeRow)| {
            let name = match row.sandbox_of {
                Some(of) => format!("(the sandbox of {of})"),
                // Control characters in a name could steer the terminal.
                None => row.name.replace(char::is_control, "\u{fffd}"),
            };
            let cell = if self.cells.are_several() { format!("{:>3}  ", cell.0) } else { String::new() };
            format!("{cell}{}  {}  {:<8}  {name}", row.id, row.created_at, row.state)
        };
        Ok(practices.into_iter().map(line).collect::<Vec<_>>().join("\n"))
    }

    fn create_practice(&self, name: &str, owner: &str) -> Said {
        let url = self.url()?;
        let cell = self.cells.for_new(self.ctx.now)?;
        let invited = self.invited(owner, cell)?;
        let ctx = self.ctx.in_cell(cell);
        let (id, plan) = operator::create_practice(name, &invited, &ctx).map_err(refused)?;
        if self.cells.are_several() {
            // Before the practice: the place of none is no obstacle.
            self.write(Cell::FIRST, &Plan::of_operator(&ctx, vec![operator::placed(id, cell)]))?;
        }
        self.write(cell, &plan)?;
        Ok(format!("made the practice {id}\n{}", self.hand_over(&url, &invited)))
    }

    fn invite_owner(&self, practice: &str, email: &str) -> Said {
        let url = self.url()?;
        let (practice, cell) = self.practice(practice)?;
        let invited = self.invited(email, cell)?;
        let plan = operator::invite_to(Some(practice), &invited, &self.ctx.in_cell(cell)).map_err(refused)?;
        self.write(cell, &plan)?;
        Ok(self.hand_over(&url, &invited))
    }

    fn create_staff(&self, email: &str) -> Said {
        let url = self.url()?;
        let invited = self.invited(email, Cell::FIRST)?;
        let plan = operator::invite_to(None, &invited, self.ctx).map_err(refused)?;
        self.write(Cell::FIRST, &plan)?;
        Ok(self.hand_over(&url, &invited))
    }

    fn create_auditor(&self, email: &str) -> Said {
        let url = self.url()?;
        let invited = self.invited(email, Cell::FIRST)?;
        let plan = operator::invite_auditor(&invited, self.ctx).map_err(refused)?;
        self.write(Cell::FIRST, &plan)?;
        Ok(self.hand_over(&url, &invited))
    }

    fn switch(&self, practice: &str, state: PracticeState) -> Said {
        let (practice, cell) = self.practice(practice)?;
        self.write(cell, &operator::switch(practice, state, &self.ctx.in_cell(cell)))?;
        Ok(format!("the practice {practice} is {}", state.name()))
    }

    fn revoke_key(&self, key: &str) -> Said {
        let found = self.cells.read_all(&operator::keys(key))?;
        let [(cell, key)] = found[..] else {
            let many = "several keys begin like this, name the one by its id";
            return Err(if found.is_empty() { "no such key" } else { many }.into());
        };
        self.write(cell, &operator::revoke_key(key, &self.ctx.in_cell(cell)))?;
        Ok(format!("the key {} of the practice {} is revoked", key.id, key.practice_id))
    }

    fn remove_user(&self, who: &str) -> Said {
        let (user, cell) = self.user(who)?;
        self.write(cell, &operator::remove(&user, &self.ctx.in_cell(cell)))?;
        Ok(format!("the account {} is removed, and its sessions have ended", user.id))
    }

    fn reset_factor(&self, who: &str) -> Said {
        let (user, cell) = self.user(who)?;
        self.write(cell, &operator::reset_factor(&user, &self.ctx.in_cell(cell)).map_err(refused)?)?;
        Ok(format!(
            "the account {} has no second factor any more, and its sessions have ended: whoever signs in next with its \
             password enrols a new one",
            user.id
        ))
    }

    fn end_agreement(&self, practice: &str) -> Said {
        let (practice, cell) = self.practice(practice)?;
        let in_force = self.cells.database(cell)?.read(&operator::in_force(practice))?;
        let plan = operator::end_agreement(practice, in_force, &self.ctx.in_cell(cell)).map_err(refused)?;
        self.write(cell, &plan)?;
        Ok(format!("the agreement of the practice {practice} has ended; its owners get a letter"))
    }

    fn data_jobs(&self, practice: &str) -> Said {
        let (practice, cell) = self.practice(practice)?;
        let jobs = self.jobs(practice, cell)?;
        let views = jobs.into_iter().map(JobView::of).collect::<Vec<_>>();
        Ok(serde_json::to_string_pretty(&views)?)
    }

    fn destroy_data(&self, practice: &str, name: &str, days: i64) -> Said {
        let (practice, cell) = self.practice(practice)?;
        let basis = self.cells.database(cell)?.read(&operator::basis(practice))?;
        let basis = basis.ok_or("no such practice")?;
        let wait_ms = days.saturating_mul(24 * 3_600_000);
        let plan = operator::destroy_data(name, basis, wait_ms, &self.ctx.in_cell(cell)).map_err(refused)?;
        self.write(cell, &plan)?;
        let begins = Time(self.ctx.now.plus(wait_ms));
        Ok(format!(
            "all data of the practice {practice} is destroyed from {begins} on; until then cancel-destruction stops it, and \
             data-jobs shows how far it is"
        ))
    }

    fn cancel_destruction(&self, practice: &str) -> Said {
        let (practice, cell) = self.practice(practice)?;
        let jobs = self.jobs(practice, cell)?;
        self.write(cell, &operator::cancel_destruction(jobs, &self.ctx.in_cell(cell)).map_err(refused)?)?;
        Ok(format!("the data of the practice {practice} is not destroyed"))
    }

    /// The service moves it: its job of each minute, page by page.
    fn move_practice(&self, practice: &str, to: &str) -> Said {
        let (practice, from) = self.practice(practice)?;
        let to = Cell(to.parse().map_err(|_| "--to is the number of a cell")?);
        let _there = self.cells.database(to)?;
        if from == to {
            return Err(format!("the practice {practice} is in the cell {}", to.0).into());
        }
        self.write(Cell::FIRST, &operator::move_practice(practice, [from, to], self.ctx))?;
        Ok(format!(
            "the practice {practice} moves to the cell {}; moves shows how far it is, cancel-move undoes it",
            to.0
        ))
    }

    fn cancel_move(&self, practice: &str) -> Said {
        let (practice, _) = self.practice(practice)?;
        self.write(Cell::FIRST, &operator::cancel_move(practice, self.ctx))?;
        Ok("a move that has switched stays; any other is undone: moves shows it".into())
    }

    fn moves(&self) -> Said {
        Ok(serde_json::to_string_pretty(&self.cells.database(Cell::FIRST)?.read(&operator::moves())?)?)
    }

    fn jobs(&self, practice: PracticeId, cell: Cell) -> Result<Vec<Job>, Box<dyn Error>> {
        self.cells.database(cell)?.read(&operator::of_practice(practice))
    }

    /// The practice with an id, and its cell.
    fn practice(&self, id: &str) -> Result<(PracticeId, Cell), Box<dyn Error>> {
        let unknown = "no such practice (list-practices shows their ids)";
        // An id that is not a UUID is the id of no practice.
        let id = PracticeId(id.parse().map_err(|_| unknown)?);
        let cell = self.cells.of_practice(id)?;
        let found = self.cells.database(cell)?.read(&operator::practice_of_id(id))?;
        found.map(|id| (id, cell)).ok_or_else(|| unknown.into())
    }

    /// The database of a trail. That of the staff is in the first cell.
    fn of_trail(&self, of: &str) -> Result<&Database, Box<dyn Error>> {
        let cell = match of.parse() {
            Ok(id) => self.cells.of_practice(PracticeId(id))?,
            Err(_) => Cell::FIRST,
        };
        self.cells.database(cell)
    }

    /// The account with an address or id, and its cell.
    fn user(&self, who: &str) -> Result<(StoredUser, Cell), Box<dyn Error>> {
        let key = if who.contains('@') { operator::address(who).map_err(refused)?.key() } else { String::new() };
        let user = operator::the_one(self.people(who, &key)?).map_err(refused)?;
        if !key.is_empty() && user.state != UserState::Active && !self.cells.silent().is_empty() {
            return Err("the address is invited, and may have its account in a cell that does not answer".into());
        }
        let cell = user.practice_id.map_or(Ok(Cell::FIRST), |practice| self.cells.of_practice(practice))?;
        Ok((user, cell))
    }

    fn invited(&self, email: &str, cell: Cell) -> Result<Invited, Box<dyn Error>> {
        let email = operator::address(email).map_err(refused)?;
        Ok(Invited { known: self.people("", &email.key())?, email, token: LinkToken::mint(cell.stamp(random()?)) })
    }

    /// The accounts of all cells. Other cells have copies of the staff's.
    fn people(&self, id: &str, key: &str) -> Result<Vec<StoredUser>, Box<dyn Error>> {
        let found = self.cells.read_all(&operator::people(id, key))?.into_iter();
        let own = found.filter(|(cell, user)| *cell == Cell::FIRST || user.practice_id.is_some());
        Ok(own.map(|(_, user)| user).collect())
    }

    fn write(&self, cell: Cell, plan: &Plan) -> Result<(), Box<dyn Error>> {
        let statements = service::sql(plan, &service::no_keys()?, &random)?;
        self.cells.write(cell, &statements)
    }

    fn hand_over(&self, url: &str, invited: &Invited) -> String {
        let until = Time(operator::invited_until(self.ctx));
        let (who, token) = (invited.email.as_str(), invited.token.expose());
        format!("hand this link to {who}; it is shown once, and works once until {until}:\n{url}{INVITATION}{token}")
    }

    /// The start of links.
    fn url(&self) -> Said {
        let url = match (&self.url, &self.place) {
            (Some(url), _) => url.clone(),
            (None, Place::Local(state)) => match (local_url(state), self.cells.first()?) {
                (Some(url), _) => url,
                (None, Database::Wrangler(..)) => LOCAL_URL.to_owned(),
                // It may be an installation for others.
                (None, Database::Native(_)) => String::new(),
            },
            (None, Place::Remote(environment)) => public_url(environment)?,
        };
        let url = url.trim_end_matches('/');
        let is_here = ["http://127.0.0.1:", "http://localhost:"].iter().any(|here| url.starts_with(here));
        if is_here || url.starts_with("https://") {
            Ok(url.to_owned())
        } else {
            Err("the link needs an origin, such as https://overturn.example: set PUBLIC_URL in wrangler.toml or give --url".into())
        }
    }
}

/// `PUBLIC_URL` of an environment of wrangler.toml.
fn public_url(environment: &str) -> Said {
    let mut node = Command::new("node");
    node.current_dir(database::root()).args(["tools/dev/variable.mjs", "PUBLIC_URL", environment]);
    let printed = node.output().map_err(|error| format!("cannot run node: {error}"))?;
    Ok(String::from_utf8(printed.stdout)?.trim().to_owned())
}

/// The message for a refusal.
fn refused(denied: RequestError) -> String {
    match denied {
        RequestError::Invalid(problems) => texts(&problems).join("\n"),
        RequestError::NotFound(why) | RequestError::Conflict(_, why) => why.to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_without_a_cell_says_so_and_a_list_of_everything_fails() {
        let silent = || vec!["cell 1: no answer".to_owned()];
        assert_eq!(with_silent(Ok("done".into()), Vec::new(), true).unwrap(), "done");
        assert_eq!(with_silent(Ok("done".into()), silent(), false).unwrap(), "done\ncell 1: no answer");
        for said in [Ok("listed".to_owned()), Err("listed".into())] {
            assert_eq!(with_silent(said, silent(), true).unwrap_err().to_string(), "listed\ncell 1: no answer");
        }
    }
}
