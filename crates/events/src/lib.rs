//! What a table said happened: event types, strict JSON and canonical bytes. No rules, no hashing, no I/O.
