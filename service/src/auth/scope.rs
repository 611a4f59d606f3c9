//! Permissions of an API key and of an API token (interface: Authentication).

use overturn_core::names;
use std::fmt;

/// Defines a kind of permission, and a set of them for one credential. The stored form is their names, separated by
/// spaces.
macro_rules! scopes {
    ($(#[$doc:meta])* $scope:ident, $(#[$set_doc:meta])* $set:ident {
        $($(#[$each:meta])* $name:ident = $text:literal,)+
    }) => {
        names! {
            $(#[$doc])*
            $scope {
                $($(#[$each])* $name = $text,)+
            }
        }

        impl $scope {
            const fn bit(self) -> u8 {
                1 << self as u8
            }
        }

        impl fmt::Display for $scope {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str(self.name())
            }
        }

        $(#[$set_doc])*
        #[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
        pub struct $set(u8);

        impl $set {
            /// Parses a stored text. A name that this version does not know grants nothing.
            #[must_use]
            pub fn parse(text: &str) -> Self {
                text.split(' ')
                    .filter_map($scope::parse)
                    .fold(Self::default(), Self::with)
            }

            /// Exactly these scopes.
            #[must_use]
            pub fn of(scopes: &[$scope]) -> Self {
                scopes.iter().copied().fold(Self::default(), Self::with)
            }

            /// These scopes and one more.
            #[must_use]
            pub fn with(self, scope: $scope) -> Self {
                Self(self.0 | scope.bit())
            }

            /// True if the set has this scope.
            #[must_use]
            pub const fn allow(self, scope: $scope) -> bool {
                self.0 & scope.bit() != 0
            }

            /// The scopes, in listing order.
            pub fn iter(self) -> impl Iterator<Item = $scope> {
                $scope::ALL.into_iter().filter(move |scope| self.allow(*scope))
            }
        }

        impl fmt::Display for $set {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                let mut gap = "";
                for scope in self.iter() {
                    write!(f, "{gap}{scope}")?;
                    gap = " ";
                }
                Ok(())
            }
        }
    };
}

scopes! {
    /// A permission of a practice's API key.
    Scope,
    /// The scopes of one key.
    Scopes {
        /// `POST /api/v1/claims`.
        ClaimsWrite = "claims:write",
        /// `GET /api/v1/claims/status`.
        ClaimsRead = "claims:read",
    }
}

scopes! {
    /// A permission of a person's API token, within the person's own rights.
    TokenScope,
    TokenScopes {
        /// Read the practice's denials.
        DenialsRead = "denials:read",
        /// Upload documents.
        DocumentsWrite = "documents:write",
        /// Read the practice's settings.
        SettingsRead = "settings:read",
        /// Read the practice's audit trail.
        AuditRead = "audit:read",
        /// Replace the practice's API keys with new ones of the same name and scopes.
        KeysRotate = "api_keys:rotate",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn scopes_read_back_and_an_unknown_name_grants_nothing() {
        let both = Scopes::of(&Scope::ALL);
        assert_eq!(both.to_string(), "claims:write claims:read");
        assert_eq!(Scopes::parse(&both.to_string()), both);
        assert_eq!(Scopes::parse("claims claims:readx admin"), Scopes::default());
        assert!(!Scopes::of(&[Scope::ClaimsRead]).allow(Scope::ClaimsWrite));
    }

    #[test]
    fn each_scope_of_a_token_is_its_own() {
        let names = "denials:read documents:write settings:read audit:read api_keys:rotate";
        assert_eq!(TokenScopes::of(&TokenScope::ALL).to_string(), names);
        for held in TokenScope::ALL {
            let set = TokenScopes::parse(held.name());
            for asked in TokenScope::ALL {
                assert_eq!(set.allow(asked), held == asked);
            }
        }
    }
}
