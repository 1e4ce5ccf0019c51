//! A seeded make-believe casino: honest shoes and plantable faults.
