//! The passwords of guests, and the mailed links by which they are set or a session begins.

/// A new password that was asked for.
pub(crate) struct Choice {
    pub(crate) guest: usize,
    /// Its place among the passwords of the world.
    pub(crate) password: usize,
    pub(crate) began: u64,
    /// When it was answered.
    pub(crate) told: Option<u64>,
}

/// A link that came by mail.
pub(crate) struct Mailed {
    pub(crate) guest: usize,
    pub(crate) token: String,
    /// When it came.
    pub(crate) came: u64,
    /// How often it was pressed.
    pub(crate) presses: u64,
    /// When it first worked.
    pub(crate) worked: Option<u64>,
}

/// All choices and links. Each guest begins with the first password.
#[derive(Default)]
pub(crate) struct Passwords {
    pub(crate) choices: Vec<Choice>,
    pub(crate) links: Vec<Mailed>,
}

impl Passwords {
    fn of(&self, guest: usize) -> impl DoubleEndedIterator<Item = &Choice> {
        self.choices.iter().filter(move |choice| choice.guest == guest)
    }

    /// What the guest believes to be the password.
    pub(crate) fn latest(&self, guest: usize) -> usize {
        self.of(guest).next_back().map_or(0, |choice| choice.password)
    }

    /// True if a guest surely had this password during a call.
    pub(crate) fn is_right(&self, guest: usize, password: usize, (began, ended): (u64, u64)) -> bool {
        let told = |choice: &&Choice| choice.told.is_some_and(|told| told < began);
        let current = self.of(guest).filter(told).max_by_key(|choice| choice.began);
        let since = current.map_or(0, |current| current.began);
        let may_change = |choice: &Choice| choice.began > since && choice.began < ended && choice.password != password;
        let may_be_late = |choice: &Choice| choice.began < since && choice.told.is_none_or(|told| told > since);
        current.map_or(0, |current| current.password) == password
            && !self.of(guest).any(|choice| may_change(choice) || may_be_late(choice))
    }

    /// True if a guest surely had another password when a call began.
    pub(crate) fn is_wrong(&self, guest: usize, password: usize, began: u64) -> bool {
        let told = |choice: &&Choice| choice.told.is_some_and(|told| told < began);
        let Some(other) =
            self.of(guest).filter(told).filter(|choice| choice.password != password).max_by_key(|of| of.began)
        else {
            return false;
        };
        let is_before = |choice: &Choice| choice.told.is_some_and(|told| told < other.began);
        self.of(guest).filter(|choice| choice.password == password).all(is_before)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_password_is_right_or_wrong_once_its_change_was_answered() {
        let choice = |password, began, told| Choice { guest: 0, password, began, told };
        let passwords = Passwords { choices: vec![choice(1, 10, Some(20))], links: Vec::new() };
        let known = |password, began| {
            (passwords.is_right(0, password, (began, began + 1)), passwords.is_wrong(0, password, began))
        };
        assert_eq!([known(0, 5), known(1, 5)], [(true, false), (false, false)]);
        assert_eq!([known(0, 15), known(1, 15)], [(false, false); 2]);
        assert_eq!([known(0, 25), known(1, 25)], [(false, true), (true, false)]);
        let lost = Passwords { choices: vec![choice(1, 10, Some(20)), choice(2, 30, None)], links: Vec::new() };
        assert!(!lost.is_right(0, 1, (40, 41)) && !lost.is_wrong(0, 2, 40));
    }
}
