#![no_main]
libfuzzer_sys::fuzz_target!(|bytes: &[u8]| audit_tests::fuzzing::commands(bytes));
