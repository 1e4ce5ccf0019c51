//! Finds the peers with the most refusals in little memory, however many there are (Space-Saving counters:
//! Metwally, Agrawal, El Abbadi 2005).

use std::net::{IpAddr, Ipv6Addr};

/// Most peers that are counted at the same time.
const MOST: usize = 64;
/// The network part of an IPv6 address: the owner of a network has all its addresses.
const NETWORK: u128 = u128::MAX << 64;

/// Peers and how often each was refused.
#[derive(Debug, Default)]
pub(super) struct Peers(Vec<Peer>);

#[derive(Debug)]
struct Peer {
    /// An IPv4 address, or the network of an IPv6 one.
    address: IpAddr,
    count: u64,
    /// How many of these may belong to other peers that were counted here before.
    of_others: u64,
}

impl Peers {
    /// Counts one more refusal of a peer.
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

    /// Number of peers; 64 means 64 or more.
    pub(super) const fn len(&self) -> usize {
        self.0.len()
    }

    /// The peer with the most refusals, and the least number it can have.
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
