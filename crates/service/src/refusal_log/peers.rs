//! Who made noise: the peers with most of it, in little memory however many there are (the counters of
//! Space-Saving: Metwally, Agrawal, El Abbadi 2005).

use std::net::{IpAddr, Ipv6Addr};

/// Peers that are counted at once.
const MOST: usize = 64;
/// The part of an IPv6 address that one network has: who has one has all the addresses behind it.
const NETWORK: u128 = u128::MAX << 64;

/// Some peers and how often each came.
#[derive(Debug, Default)]
pub(super) struct Peers(Vec<Peer>);

#[derive(Debug)]
struct Peer {
    /// An IPv4 address, or the network of an IPv6 one.
    address: IpAddr,
    count: u64,
    /// How many of these others may have been, who had its place before.
    of_others: u64,
}

impl Peers {
    /// Once more from there.
    pub(super) fn count(&mut self, peer: IpAddr) {
        let address = network(peer);
        if let Some(known) = self.0.iter_mut().find(|known| known.address == address) {
            known.count += 1;
        } else if self.0.len() < MOST {
            self.0.push(Peer { address, count: 1, of_others: 0 });
        } else if let Some(least) = self.0.iter_mut().min_by_key(|known| known.count) {
            *least = Peer { address, count: least.count + 1, of_others: least.count };
        }
    }

    /// How many there were; 64 are as many or more.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// The one with most, and how often it came at least.
    pub(super) fn most(&self) -> Option<(String, u64)> {
        let most = self.0.iter().max_by_key(|known| known.count - known.of_others)?;
        let address = match most.address {
            IpAddr::V4(address) => address.to_string(),
            IpAddr::V6(address) => format!("{address}/64"),
        };
        Some((address, most.count - most.of_others))
    }
}

fn network(peer: IpAddr) -> IpAddr {
    match peer.to_canonical() {
        IpAddr::V4(address) => IpAddr::V4(address),
        IpAddr::V6(address) => IpAddr::V6(Ipv6Addr::from_bits(address.to_bits() & NETWORK)),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]
    use super::*;

    #[test]
    fn the_peer_with_most_is_named_among_however_many() {
        let mut peers = Peers::default();
        for number in 0..10_000_u32 {
            peers.count(IpAddr::V4((0x0a00_0000 + number).into()));
            if number % 4 == 0 {
                peers.count("192.0.2.7".parse().unwrap());
            }
        }
        assert_eq!(peers.len(), MOST);
        let (most, count) = peers.most().unwrap();
        assert_eq!(most, "192.0.2.7");
        assert!((2_300..=2_500).contains(&count), "{count}");
    }

    #[test]
    fn who_has_a_network_is_one_peer() {
        let mut peers = Peers::default();
        for address in ["2001:db8::1", "2001:db8::2", "2001:db8:0:1::1", "192.0.2.1", "::ffff:192.0.2.1"] {
            peers.count(address.parse().unwrap());
        }
        assert_eq!(peers.len(), 3);
        assert_eq!(peers.most().unwrap().1, 2);
        let mut one = Peers::default();
        one.count("2001:db8::1".parse().unwrap());
        assert_eq!(one.most().unwrap(), ("2001:db8::/64".to_owned(), 1));
    }
}
