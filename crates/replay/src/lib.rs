//! The judge: re-derives every coup from the record.
