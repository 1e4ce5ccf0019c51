//! Tables of chemin de fer as they are read.

use super::records::all_at_the_bank;

#[test]
fn an_honest_night_at_the_bank_is_read_without_a_remark() {
    let nights = all_at_the_bank().filter(|record| record.name.starts_with("chemin-de-fer-"));
    let mut coups = 0;
    for record in nights {
        for shoe in record.read().shoes {
            assert!(shoe.remarks.is_empty(), "{}: {:?}", record.name, shoe.remarks);
            coups += shoe.coups.len();
            assert!(shoe.coups.iter().all(|coup| !coup.unexplained), "{}", record.name);
        }
    }
    assert!(coups > 20, "{coups}");
}
