//! Roles, and which role may change accounts of which (interface: Authentication).

use overturn_core::names;

names! {
    /// A person's role.
    Role {
        /// Owns the practice and may do everything in it. A practice always has one.
        Owner = "owner",
        /// Manages the practice, but cannot change its owners.
        Admin = "admin",
        /// Works in the practice.
        Member = "member",
        /// Works for the service and belongs to no practice.
        Staff = "staff",
        /// Reads the actions of the service's staff and does no other work. Belongs to no practice.
        Auditor = "auditor",
    }
}

impl Role {
    /// The roles within a practice, which members can have.
    pub const OF_PRACTICE: [Self; 3] = [Self::Owner, Self::Admin, Self::Member];

    /// The role of a practice with this name.
    #[must_use]
    pub fn of_practice(name: &str) -> Option<Self> {
        Self::OF_PRACTICE.into_iter().find(|role| role.name() == name)
    }

    /// True if a person of this role may make, change or remove a member of another role. A person cannot grant more
    /// rights than they have, and only owners manage owners.
    #[must_use]
    pub const fn may_manage(self, other: Self) -> bool {
        match self {
            Self::Owner => matches!(other, Self::Owner | Self::Admin | Self::Member),
            Self::Admin => matches!(other, Self::Admin | Self::Member),
            Self::Member | Self::Staff | Self::Auditor => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_management_rights_are_pinned() {
        let managed = Role::ALL.map(|by| {
            let managed = Role::ALL.into_iter().filter(|other| by.may_manage(*other));
            managed.map(Role::name).collect::<Vec<_>>()
        });
        assert_eq!(managed[0], ["owner", "admin", "member"]);
        assert_eq!(managed[1], ["admin", "member"]);
        assert!(managed[2..].iter().all(Vec::is_empty));
    }

    #[test]
    fn a_role_reads_back_and_staff_is_not_a_role_of_a_practice() {
        for role in Role::OF_PRACTICE {
            assert_eq!(Role::of_practice(role.name()), Some(role));
        }
        for name in ["staff", "auditor", "", "Owner", "root"] {
            assert_eq!(Role::of_practice(name), None, "{name}");
        }
    }
}
