//! Permissions of an API key (interface: Authentication).

use core::fmt;

/// What a key may be allowed to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Scope {
    /// `POST /api/v1/claims`.
    ClaimsWrite,
    /// `GET /api/v1/claims/status`.
    ClaimsRead,
}

impl Scope {
    /// Every scope there is.
    pub const ALL: [Self; 2] = [Self::ClaimsWrite, Self::ClaimsRead];

    /// The scope as it is written.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::ClaimsWrite => "claims:write",
            Self::ClaimsRead => "claims:read",
        }
    }
}

impl fmt::Display for Scope {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// The scopes of one key, stored as their names with a space between.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Scopes {
    claims_write: bool,
    claims_read: bool,
}

impl Scopes {
    /// The scopes named in a stored text. A name that this version does not know grants nothing.
    #[must_use]
    pub fn parse(text: &str) -> Self {
        let named = |scope: Scope| text.split(' ').any(|name| name == scope.name());
        Self {
            claims_write: named(Scope::ClaimsWrite),
            claims_read: named(Scope::ClaimsRead),
        }
    }

    /// Exactly these scopes.
    #[must_use]
    pub fn of(scopes: &[Scope]) -> Self {
        Self {
            claims_write: scopes.contains(&Scope::ClaimsWrite),
            claims_read: scopes.contains(&Scope::ClaimsRead),
        }
    }

    /// Whether the scope is among them.
    #[must_use]
    pub const fn allow(self, scope: Scope) -> bool {
        match scope {
            Scope::ClaimsWrite => self.claims_write,
            Scope::ClaimsRead => self.claims_read,
        }
    }
}

impl fmt::Display for Scopes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut gap = "";
        for scope in Scope::ALL.into_iter().filter(|scope| self.allow(*scope)) {
            write!(f, "{gap}{scope}")?;
            gap = " ";
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::test;
    use alloc::string::ToString;

    #[test]
    fn scopes_read_back_and_an_unknown_name_grants_nothing() {
        let both = Scopes::of(&Scope::ALL);
        assert_eq!(both.to_string(), "claims:write claims:read");
        assert_eq!(Scopes::parse(&both.to_string()), both);
        assert_eq!(
            Scopes::parse("claims claims:readx admin"),
            Scopes::default()
        );
        assert!(!Scopes::of(&[Scope::ClaimsRead]).allow(Scope::ClaimsWrite));
    }
}
