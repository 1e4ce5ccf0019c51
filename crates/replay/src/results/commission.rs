//! The commission boxes of the shoes of a table.

use super::part::Part;
use crate::CommissionView;

/// What each box came to in each shoe, and at the end of the record.
pub(super) fn commission(part: &Part<'_, '_, '_>) -> Vec<CommissionView> {
    let Part { evidence, course, .. } = part;
    let mut views = Vec::new();
    let boxes = &evidence.checked.boxes;
    let at_end = (u64::MAX, boxes.left.clone());
    for (at, accounts) in boxes.accounts.iter().chain([&at_end]) {
        let before = at.saturating_sub(1);
        let shoe = course.shoe(before).and_then(|shoe| course.id(shoe));
        views.extend(accounts.iter().map(|(seat, account)| CommissionView {
            table: evidence.table.to_owned(),
            shoe: shoe.clone(),
            currency: course.currency(before),
            seat: *seat,
            marked: account.marked.get(),
            collected: account.collected.get(),
            outstanding: account.marked.minus(account.collected).get(),
        }));
    }
    views
}
