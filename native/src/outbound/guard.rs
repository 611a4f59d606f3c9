//! Looks names up, and leaves out the addresses that requests may not go to. The connection is made to an address that
//! was checked, so a name cannot change its address in between.

use super::Reach;
use http::Uri;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr};
use ureq::Error;
use ureq::config::Config;
use ureq::unversioned::resolver::{DefaultResolver, ResolvedSocketAddrs, Resolver};
use ureq::unversioned::transport::NextTimeout;

#[derive(Debug)]
pub(super) struct Guard {
    reach: Reach,
    resolver: DefaultResolver,
}

impl Guard {
    pub(super) fn new(reach: Reach) -> Self {
        Self { reach, resolver: DefaultResolver::default() }
    }
}

impl Resolver for Guard {
    fn resolve(&self, uri: &Uri, config: &Config, time_out: NextTimeout) -> Result<ResolvedSocketAddrs, Error> {
        let found = self.resolver.resolve(uri, config, time_out)?;
        let mut allowed = self.empty();
        for address in found.iter() {
            if self.reach == Reach::Everywhere || is_public(address.ip()) {
                allowed.push(*address);
            }
        }
        if allowed.is_empty() {
            return Err(Error::HostNotFound);
        }
        Ok(allowed)
    }
}

/// True if an address is on the internet.
fn is_public(address: IpAddr) -> bool {
    match address {
        IpAddr::V4(address) => is_public_v4(address),
        IpAddr::V6(address) => is_public_v6(address),
    }
}

fn is_public_v4(address: Ipv4Addr) -> bool {
    let is_special = match address.octets() {
        // This network, shared by a provider's customers, protocols, 6to4 relays, benchmarks, multicast and the reserved rest.
        [0 | 224..=255, ..] | [100, 64..=127, ..] | [192, 0, 0, _] | [192, 88, 99, _] | [198, 18 | 19, ..] => true,
        _ => false,
    };
    !(is_special
        || address.is_private()
        || address.is_loopback()
        || address.is_link_local()
        || address.is_documentation())
}

/// Only `2000::/3` is assigned. The parts of it that lead to an IPv4 address or nowhere are refused.
fn is_public_v6(address: Ipv6Addr) -> bool {
    match address.segments() {
        // A network with IPv6 alone translates IPv4 addresses to these.
        [0x64, 0xff9b, 0, 0, 0, 0, high, low] => {
            let bits = u32::from(high) << 16 | u32::from(low);
            is_public_v4(Ipv4Addr::from_bits(bits))
        }
        // Protocols and Teredo, documentation, 6to4.
        [0x2001, 0..=0x1ff | 0xdb8, ..] | [0x2002, ..] | [0x3fff, 0..=0xfff, ..] => false,
        [0x2000..=0x3fff, ..] => true,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_addresses_of_the_internet_are_public() {
        for public in [
            "1.1.1.1",
            "100.63.0.1",
            "100.128.0.1",
            "172.32.0.1",
            "192.0.1.1",
            "198.20.0.1",
            "223.255.255.1",
            "2606:4700::1111",
            "2001:4860:4860::8888",
            "64:ff9b::101:101",
        ] {
            assert!(is_public(public.parse().unwrap()), "{public}");
        }
        for inside in [
            "0.0.0.0",
            "10.1.2.3",
            "100.64.0.1",
            "127.0.0.1",
            "169.254.169.254",
            "172.16.0.1",
            "192.0.0.1",
            "192.0.2.1",
            "192.88.99.1",
            "192.168.1.1",
            "198.19.0.1",
            "203.0.113.1",
            "224.0.0.1",
            "255.255.255.255",
            "::",
            "::1",
            "::7f00:1",
            "::ffff:127.0.0.1",
            "::ffff:1.1.1.1",
            "64:ff9b::a00:1",
            "64:ff9b:1::1",
            "fe80::1",
            "fd00::1",
            "ff02::1",
            "2001::1",
            "2001:db8::1",
            "2002:7f00:1::",
            "3fff::1",
        ] {
            assert!(!is_public(inside.parse().unwrap()), "{inside}");
        }
    }
}
