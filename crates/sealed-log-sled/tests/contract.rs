//! The store on sled passes the seal's contract.
#![allow(clippy::unwrap_used)]

use sealed_log_sled::SledStore;

#[test]
fn the_store_keeps_its_contract() {
    let folder = tempfile::tempdir().unwrap();
    let mut number = 0;
    sealed_log::store::contract::store_contract(|| {
        number += 1;
        SledStore::open(&folder.path().join(number.to_string())).unwrap()
    });
}
